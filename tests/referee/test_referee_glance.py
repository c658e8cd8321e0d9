"""Who asks again where a game stands is told the same at once, as long as nothing at all was written; and
anew as soon as anything was.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace
from table import Table, pull

from pbem.referee.game.refusal import Refused
from pbem.referee.mail import glance, looking
from pbem.referee.mail.glance import Glance
from pbem.referee.mail.looking import look_into
from pbem.store import heads, marks, shelf
from pbem.store.shelf import Shelf

LATER = datetime(2027, 1, 1, tzinfo=UTC)


@pytest.fixture(autouse=True)
def shelf_of_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PBEM_CACHE", str(tmp_path / "shelf"))


@pytest.fixture
def waiting(table: Table, monkeypatch: pytest.MonkeyPatch) -> Table:
    """A game of rules that come with pbem, looked into once."""
    table.started()
    monkeypatch.setattr(looking, "BUILT_IN", {table.open().ledger.manifest["ruleset"]["id"]: ""})
    look_into(table.env, table.game)
    return table


def again(table: Table, where: Path | None = None, now: datetime = LATER) -> Glance | None:
    return glance.found_again(table.env.keyring, where or table.game, now)


def said(seen: Glance) -> list[str]:
    return list(glance.told(seen, LATER))


def test_who_asks_again_is_told_the_same(waiting: Table) -> None:
    seen = again(waiting)
    assert seen is not None
    assert said(seen) == said(look_into(waiting.env, waiting.game).glance)


def test_the_time_that_passes_is_told_though_nothing_was_written(waiting: Table) -> None:
    seen = again(waiting)
    assert seen is not None
    assert said(seen) != list(glance.told(seen, LATER + timedelta(days=1)))


def write_letter(table: Table) -> None:
    table.orders("north", pull("north"))


def touch_same_size(table: Table) -> None:
    """Change a file and leave its length and its time as they were."""
    path = table.game / "game.toml"
    found, data = path.stat(), path.read_bytes()
    path.write_bytes(data.replace(b"North", b"Nuria"))
    os.utime(path, ns=(found.st_atime_ns, found.st_mtime_ns))


def lose_a_file(table: Table) -> None:
    next((table.game / "seats").rglob("join*")).unlink()


def lose_the_key(table: Table) -> None:
    table.env.keyring.key_file("tug-0a1b2c").unlink()


def lay_a_stray(table: Table) -> None:
    (table.game / "rolls").mkdir(exist_ok=True)
    (table.game / "rolls" / "s0009.jsonl").write_text("{}\n")


def open_an_office(table: Table) -> None:
    (table.root / "pbem.toml").write_text("")


def tell_another_story(table: Table) -> None:
    (table.env.keyring.folder("tug-0a1b2c") / "told.json").write_text("[]")


def link_a_file(table: Table) -> None:
    (table.game / "reports").mkdir(exist_ok=True)
    (table.game / "reports" / "link").symlink_to(table.game / "game.toml")


@pytest.mark.parametrize(
    "write",
    [
        write_letter,
        touch_same_size,
        lose_a_file,
        lose_the_key,
        lay_a_stray,
        open_an_office,
        tell_another_story,
        link_a_file,
    ],
)
def test_whatever_is_written_is_looked_at(waiting: Table, write: Callable[[Table], None]) -> None:
    assert again(waiting) is not None
    write(waiting)
    assert again(waiting) is None


def test_another_program_looks_for_itself(waiting: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(marks, "of_program", lambda: "another")
    assert again(waiting) is None


def test_a_clock_that_is_behind_the_game_is_told_of(waiting: Table) -> None:
    assert again(waiting, now=datetime(2026, 1, 1, tzinfo=UTC)) is None


def test_a_copy_of_the_folder_is_another_game(waiting: Table, tmp_path: Path) -> None:
    waiting.game.rename(tmp_path / "moved")
    assert again(waiting, tmp_path / "moved") is None


def test_what_was_written_while_it_was_looked_into_is_not_passed_over(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.started()
    monkeypatch.setattr(looking, "BUILT_IN", {table.open().ledger.manifest["ruleset"]["id"]: ""})
    found = looking.stands

    def slowly(served: object) -> object:
        told = found(served)  # type: ignore[arg-type]
        lay_a_stray(table)
        return told

    monkeypatch.setattr(looking, "stands", slowly)
    look_into(table.env, table.game)
    assert again(table) is None


def test_what_is_kept_and_cannot_be_read_is_as_if_nothing_were_kept(waiting: Table) -> None:
    own = shelf.own(shelf.READ)
    assert isinstance(own, Shelf)
    for data in (b"", b"{}", b"[1", b'{"format": 1}'):
        own.put(glance._key(waiting.game), data)
        assert again(waiting) is None


def test_rules_of_others_and_games_that_do_not_hold_are_looked_into_each_time(
    waiting: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(looking, "BUILT_IN", {})
    lay_a_stray(waiting)
    look_into(waiting.env, waiting.game)
    assert again(waiting) is None
    next((waiting.game / "ledger").iterdir()).write_bytes(b"{}")
    with pytest.raises(Refused):
        look_into(waiting.env, waiting.game)
    assert again(waiting) is None


def test_a_game_that_was_told_from_another_folder_is_looked_into_each_time(waiting: Table) -> None:
    path = waiting.env.keyring.told_file("tug-0a1b2c")
    path.write_text(path.read_text().replace(str(waiting.game.resolve()), "/elsewhere"))
    look_into(waiting.env, waiting.game)
    assert again(waiting) is None


def test_a_head_that_could_not_be_noted_as_seen_is_tried_again(
    waiting: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    player = waiting.player
    look_into(player, waiting.game)  # notes the head, which is a change
    look_into(player, waiting.game)
    assert glance.found_again(player.keyring, waiting.game, LATER) is not None
    noted = player.keyring.heads_file("tug-0a1b2c")
    noted.unlink()
    with monkeypatch.context() as full:
        full.setattr(heads, "write", lambda path, seen: path.read_bytes())
        look_into(player, waiting.game)
    assert not noted.exists()
    assert glance.found_again(player.keyring, waiting.game, LATER) is None
    look_into(player, waiting.game)
    assert noted.is_file()


def test_bytes_count_of_what_was_written_just_now_and_only_then(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("one")
    since = (tmp_path / "a").stat().st_ctime_ns
    just_now, later = (marks.of_folders([tmp_path], now=since + more) for more in (1, 2 * marks.FRESH))
    assert just_now is not None and later is not None and just_now.digest == later.digest
    assert list(just_now.fresh) == [str(tmp_path / "a")] and later.fresh == {}
    assert marks.are_same(just_now, tmp_path) and marks.are_same(later, tmp_path)
    unseen = replace(just_now, fresh=dict.fromkeys(just_now.fresh, "0" * 64))
    assert not marks.are_same(unseen, tmp_path)


def test_too_many_files_are_not_looked_at(waiting: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(marks, "MOST", 3)
    assert again(waiting) is None
