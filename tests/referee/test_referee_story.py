"""One game, one story: a copy that lacks what went out already is not gone on with unawares; what another
copy left is named.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from table import Table, pull

from pbem.core.problem import Problem
from pbem.referee.game.refusal import Refused
from pbem.referee.mail.notices import notices
from pbem.referee.proving.mend import mend
from pbem.referee.proving.verify import verify
from pbem.referee.turn.submit import submit
from pbem.referee.turn.undo import undo
from pbem.store import sent_records
from pbem.store.keys import Keyring
from pbem.store.library import common_words


@pytest.fixture(scope="module")
def once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    """A game after its first slot, a backup of it, and the game after its second slot."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("os.fsync", lambda number: None)
        table = Table(tmp_path_factory.mktemp("once"))
        table.count = 1  # with these secrets nobody is asked anything
        table.started(umpire=True, keyed=("south",))
        table.orders("north", pull("north", "luck: seven drunken herons\n"))
        table.resolve()
        shutil.copytree(table.game, table.root / "backup")
        table.orders("south", pull("south"))
        table.resolve()
        yield table


@pytest.fixture
def game(once: Table, tmp_path: Path) -> Table:
    """The newer game, with the secrets of its umpire and what this computer knows to have been told."""
    shutil.copytree(once.root, tmp_path / "all")
    table = Table(tmp_path / "all")
    known = sent_records.read(table.env.keyring.told_file("tug-0a1b2c"))[-1]
    sent_records.note(
        table.env.keyring.told_file("tug-0a1b2c"),
        replace(known, folder=str(table.game.resolve())),
        private=True,
    )
    table.moment = once.moment
    table.count = 100
    return table


@pytest.fixture
def restored(game: Table) -> Table:
    """The backup in the place of the newer game."""
    shutil.rmtree(game.game)
    shutil.copytree(game.root / "backup", game.game)
    return game


def said(refusal: Refused) -> str:
    (problem,) = refusal.problems
    return common_words().problem(problem.code, problem.args)


def refused(act: Callable[[], object]) -> str:
    with pytest.raises(Refused) as caught:
        act()
    assert caught.value.answer == 1
    return said(caught.value)


def orders(table: Table, words: str = "one sober stork") -> object:
    return submit(table.env, table.game, "s.yaml", pull("north", f"luck: {words}\n").encode(), seat="north")


OLDER = (
    r"this copy of tug-0a1b2c ends at slot 1 \(head ([0-9a-f]{4}-){3}[0-9a-f]{4}\); "
    r"on 1 February slot 2 went out to north and south \(head ([0-9a-f]{4}-){3}[0-9a-f]{4}\)"
)


def test_a_restored_backup_is_told_by_every_verb_that_goes_on(restored: Table) -> None:
    import re

    before = restored.files()
    for act in (
        lambda: submit(restored.env, restored.game, "s.txt", b"pull: []\n", seat="north"),
        restored.lock,
        restored.resolve,
        lambda: undo(restored.env, restored.game, 1),
    ):
        assert re.fullmatch(OLDER, refused(act))
    assert restored.files() == before
    (notice,) = notices(restored.env, restored.open())
    assert re.match(OLDER, notice)
    assert notice.endswith("or go on from here with --i-know")


def test_who_knows_goes_on_and_is_not_asked_again(restored: Table) -> None:
    restored.env, asking = replace(restored.env, insists=True), restored.env
    orders_of_south = restored.signed("south", pull("south"))
    submit(restored.env, restored.game, "s.txt", orders_of_south.data, orders_of_south.signature.encode())
    restored.env = asking
    restored.resolve()
    assert notices(restored.env, restored.open()) == ()


def test_a_game_that_went_on_elsewhere_and_comes_back_is_no_older_copy(game: Table, tmp_path: Path) -> None:
    elsewhere = Table(tmp_path / "elsewhere")
    shutil.copytree(game.root / "home", elsewhere.root / "home")
    elsewhere.env.keyring.told_file("tug-0a1b2c").unlink()
    shutil.move(game.game, elsewhere.game)
    elsewhere.moment = game.moment
    orders(elsewhere)
    elsewhere.resolve()
    shutil.move(elsewhere.game, game.game)
    assert notices(game.env, game.open()) == ()
    game.lock(deadline=True)


def test_a_computer_that_knows_nothing_asks_the_folder(restored: Table) -> None:
    restored.env.keyring.told_file("tug-0a1b2c").unlink()
    assert notices(restored.env, restored.open()) == ()
    newer = sent_records.read(restored.root / "backup" / sent_records.FILE)
    assert newer
    lost = restored.game / sent_records.FILE
    lost.write_text(
        json.dumps(
            [
                {
                    "n": 7,
                    "id": "0" * 64,
                    "kind": "result",
                    "slot": 3,
                    "at": "2026-02-03T10:00:00Z",
                    "to": ["south"],
                }
            ]
        )
    )
    assert "on 3 February slot 3 went out to south (head 0000-0000-0000-0000)" in refused(restored.lock)


@pytest.mark.parametrize(
    "junk",
    [b"", b"[", b"[]", b"{}", b"[1]", b'[{"n":1}]', b"[" * 70_000, b'[{"n":"x","id":[],"kind":{},"slot":1}]'],
)
def test_what_cannot_be_read_is_as_if_nothing_were_known(game: Table, junk: bytes) -> None:
    (game.game / sent_records.FILE).write_bytes(junk)
    game.env.keyring.told_file("tug-0a1b2c").write_bytes(junk)
    orders(game)
    game.resolve()
    assert sent_records.read(game.game / sent_records.FILE)[-1].slot == 3


def test_a_copy_that_tells_another_story_is_told(once: Table, game: Table) -> None:
    other = replace(game.env, keyring=Keyring(game.root / "home of another"))
    shutil.copytree(game.root / "home" / "games", game.root / "home of another" / "games")
    other.keyring.told_file("tug-0a1b2c").unlink()
    twin = Table(game.root / "twin")
    shutil.copytree(game.root / "backup", twin.game)
    (twin.game / sent_records.FILE).unlink()
    twin.env, twin.player, twin.count, twin.moment = other, game.player, 500, game.moment
    twin.orders("south", "message: this is another story\n" + pull("south"))
    twin.resolve()
    shutil.rmtree(game.game)
    shutil.copytree(twin.game, game.game)
    (game.game / sent_records.FILE).unlink()
    assert "tells another story: on 1 February slot 2 went out to north and south with the head" in refused(
        game.resolve
    )
    assert any("tells another story" in one for one in notices(game.env, game.open()))
    assert verify(game.game).failures == ()


def test_two_folders_with_one_game_are_told(game: Table) -> None:
    heard: list[Problem] = []
    copy = Table(game.root / "copy")
    shutil.copytree(game.game, copy.game)
    copy.env, copy.moment = replace(game.env, tell=heard.append), game.moment
    orders(copy)
    assert [one.code for one in heard] == ["doubt.story.twice"]
    assert heard[0].args["folder"] == str(game.game.resolve())
    copy.resolve()
    assert refused(game.lock).endswith(f", from {copy.game.resolve()}")
    heard.clear()
    copy.lock(deadline=True)
    assert heard == []


def test_a_player_who_opens_an_archive_is_told_nothing_of_it(game: Table) -> None:
    from pbem.referee.game.game import open_game
    from pbem.referee.proving.pack import pack

    shutil.copytree(game.root / "backup", game.root / "old")
    pack(game.env, game.root / "old", game.root / "old.zip")
    assert notices(game.env, open_game(game.root / "old.zip")) == ()


def test_a_preview_stores_nothing_and_may_be_made_of_any_copy(restored: Table) -> None:
    from pbem.referee.turn.resolve import preview

    restored.env.keyring.told_file("tug-0a1b2c").rename(restored.root / "kept.json")
    (restored.game / sent_records.FILE).unlink(missing_ok=True)
    signed = restored.signed("south", pull("south"))
    submit(restored.env, restored.game, "s.txt", signed.data, signed.signature.encode(), auto_lock=False)
    (restored.root / "kept.json").rename(restored.env.keyring.told_file("tug-0a1b2c"))
    assert preview(restored.env, restored.game, restored.root / "scratch").slot == 2


# --- a newer copy is brought back


def test_a_backup_is_brought_up_to_what_went_out_with_the_archive_that_went_out(
    once: Table, restored: Table
) -> None:
    from pbem.referee.proving.pack import pack

    pack(once.env, once.game, restored.root / "sent.zip")
    found = mend(restored.env, restored.game, copy=restored.root / "sent.zip")
    assert found.answer == 0
    assert "taken over" in {one.what for one in found.deeds}
    proof = ("ledger", "seats", "rolls", "state", "scenario", "keys", "events", "reports")
    files = restored.files()
    assert {
        path
        for path, data in once.files().items()
        if path.partition("/")[0] in proof and files.get(path) != data
    } == set()
    assert notices(restored.env, restored.open()) == ()
    restored.lock(deadline=True)


def test_nothing_is_taken_from_a_copy_that_does_not_hold_or_is_of_another_game(game: Table) -> None:
    backup = game.root / "backup"
    (game.game / "rolls/s0001.jsonl").unlink()
    bad = game.root / "bad"
    shutil.copytree(backup, bad)
    path = next((bad / "ledger").glob("*-start.json"))
    path.write_bytes(path.read_bytes().replace(b"2026", b"2027"))
    assert "nothing was taken from this copy, because it does not verify: E02" in refused(
        lambda: mend(game.env, game.game, copy=bad)
    )
    other = Table(game.root / "other")
    other.count = 900
    other.started(umpire=True, keyed=("south",))
    refused(lambda: mend(game.env, game.game, copy=other.game))
    assert not (game.game / "rolls/s0001.jsonl").exists()
    taken = mend(game.env, game.game, copy=backup)
    assert [(one.what, one.path) for one in taken.deeds] == [("taken over", "rolls/s0001.jsonl")]


def test_of_two_stories_neither_is_mended_from_the_other(game: Table) -> None:
    twin = Table(game.root / "twin")
    shutil.copytree(game.root / "backup", twin.game)
    twin.env, twin.player, twin.count = replace(game.env, insists=True), game.player, 500
    twin.orders("south", "message: this is another story\n" + pull("south"))
    twin.resolve()
    before = game.files()
    assert "the two copies tell different stories" in refused(
        lambda: mend(game.env, game.game, copy=twin.game)
    )
    assert game.files() == before


# --- leftovers


def test_leftovers_of_another_copy_are_named(game: Table) -> None:
    files = game.files()
    shutil.rmtree(game.game / "ledger")
    shutil.copytree(game.root / "backup" / "ledger", game.game / "ledger")
    game.env.keyring.told_file("tug-0a1b2c").unlink()
    (game.game / sent_records.FILE).unlink()
    (notice,) = notices(game.env, game.open())
    beyond = [
        path
        for path in files
        if "s0002" in path and path.partition("/")[0] in ("rolls", "state", "events", "reports", "seats")
    ]
    assert notice.startswith(
        f"{len([path for path in beyond if not path.endswith('.sig')])} files of another copy of this game"
    )
    assert "rolls/s0002.jsonl" in notice


def test_orders_for_another_head_are_named_and_never_locked(game: Table, restored: Table) -> None:
    mine = restored.open()
    letter = (game.root / "backup" / "mail").glob("*")
    assert list(letter)
    foreign = restored.game / "mail/s0002-south-01.txt"
    signed = restored.signed("south", pull("south"))
    foreign.write_bytes(signed.data.replace(mine.ledger.next_id.encode(), b"0" * 64))
    foreign.with_name(foreign.name + ".sig").write_text(signed.signature)
    damaged = restored.game / "mail/s0002-south-02.txt"
    damaged.write_bytes(b"#pd1-orders/1\n#ga")
    restored.env = replace(restored.env, insists=True)
    found = [one for one in notices(restored.env, restored.open()) if "mail/" in one]
    assert found == [
        "1 file of another copy of this game, which counts for nothing here: mail/s0002-south-01.txt",
        "mail/s0002-south-02.txt cannot be read as orders any more, so it is not used; have them sent again",
    ]
    with pytest.raises(Refused, match=r"lock\.missing"):
        restored.lock()
    submit(restored.env, restored.game, "s.txt", signed.data, signed.signature.encode())
    restored.resolve()
    assert verify(restored.game).failures == ()


def test_a_go_and_words_that_another_copy_left_are_not_taken_for_those_of_this_lock(tmp_path: Path) -> None:
    heard: list[Problem] = []
    table = Table(tmp_path).started(keyed=("south",))
    table.env = replace(table.env, insists=True, tell=heard.append)
    shutil.copytree(table.game, tmp_path / "before")
    table.orders("north", pull("north"))
    table.lock()
    table.go("south")
    go = (table.game / "seats/south/go-s0001.json").read_bytes()
    shutil.rmtree(table.game)
    shutil.move(tmp_path / "before", table.game)
    (table.game / "seats/south/go-s0001.json").write_bytes(go)
    table.orders("north", "message: once more\n" + pull("north"))
    table.lock()
    assert [(one.code, one.args["aside"]) for one in heard] == [
        ("doubt.story.left", "aside/1/seats/south/go-s0001.json")
    ]
    with pytest.raises(Refused, match=r"resolve\.go-missing"):
        table.resolve()
    (table.game / "seats/south/go-s0001.json").write_bytes(go)
    with pytest.raises(Refused, match=r"resolve\.go-missing"):
        table.resolve()
    with pytest.raises(Refused, match=r"giving\.other"):
        table.go("south")  # the player's own program notices that it is asked for the value a second time
    for noted in ("south.given.json", "heads.json"):
        (tmp_path / "player/games/tug-0a1b2c" / noted).unlink()
    table.go("south")
    table.resolve()
    assert verify(table.game).failures == ()
