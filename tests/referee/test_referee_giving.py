"""A value leaves its owner only into the history that he knows: what an umpire could have him sign, and what
is refused of it.
"""

from __future__ import annotations

import json
import shutil
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import toy_ruleset
from msgspec.structs import replace
from table import SCENARIOS, Table, pull
from toy_ruleset import TOY, Did, prepare

from pbem.core.problem import Problem
from pbem.proof.orderfile import parse
from pbem.referee.game import replaying
from pbem.referee.game.environment import Environment
from pbem.referee.game.game import open_game
from pbem.referee.game.refusal import Refused
from pbem.referee.proving.pack import pack
from pbem.referee.proving.verify import verify
from pbem.referee.turn import giving
from pbem.referee.turn.giving import Wish
from pbem.referee.turn.go import make_go
from pbem.referee.turn.new import new
from pbem.referee.turn.resolve import Resolved
from pbem.referee.turn.seen_heads import lacks, look
from pbem.referee.turn.sign import Signed, sign_orders
from pbem.store import disk, heads
from pbem.store.keys import Given, Keyring
from pbem.store.library import common_words

GAME = "tug-0a1b2c"
LAPSED = 15
NEW = {"name": "pbem", "version": "0.2.0", "sha256": "ab" * 32}


class Yard(Table):
    """A table for a long game, and what its umpire does behind the backs of the players."""

    def began(self) -> Yard:
        shutil.copytree(SCENARIOS, self.root / "scenarios")
        tug = self.root / "scenarios/tug.yaml"
        tug.write_text(tug.read_text().replace("length: 4 turns", "length: 40 turns"))
        wishes = [self.wish(seat, keyed=True) for seat in ("north", "south")]
        new(self.env, str(tug), self.game, wishes, name=GAME, umpire=True)
        self.join_all()
        return self

    def turn(self, orders: str = "rests") -> Resolved:
        """Play the open slot, whoever orders in it."""
        (seat,) = self.open().announced()["waits"]
        self.orders(seat, f"pull:\n- {seat}-team {orders}\n")
        return self.resolve()

    def packed(self, name: str) -> Path:
        path = self.root / f"{name}.zip"
        pack(self.env, self.game, path)
        return path

    def silent(self, count: int) -> None:
        """Play slots in which nobody has sent anything."""
        for _ in range(count):
            self.lock(deadline=True)
            self.resolve()

    def apart(self, name: str) -> Yard:
        """Return the same game in another folder of the same umpire, which he goes on with by himself."""
        other = Yard(self.root / name)
        shutil.copytree(self.game, other.game)
        shutil.copytree(self.root / "home", other.root / "home")
        for told in (other.env.keyring.told_file(GAME), other.game / "told.json"):
            told.unlink()
        other.moment, other.count = self.moment, self.count + 1000
        return other


def cheat(patch: pytest.MonkeyPatch) -> None:
    """Let this umpire's program have a rule of its own: one team jeers unbidden."""

    def jeering(rules: Any, play: Any, files: Any) -> None:
        prepare(rules, play, files)
        play.happen(Did("north-team", "jeers"))

    patch.setitem(toy_ruleset.CATALOGUE["toy"], 1, replace(TOY, steps={**TOY.steps, "jeering": jeering}))


@pytest.fixture(scope="module")
def copies(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Path]]:
    """Archives of one game: the true one after four slots and after five, and others that its umpire made
    after the fourth.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("os.fsync", lambda number: None)
        table = Yard(tmp_path_factory.mktemp("copies")).began()
        for orders in ("pulls", "rests", "rests", "rests"):
            table.turn(orders)
        assert not table.open().questions
        found = {"root": table.root, "true": table.packed("true")}
        other = table.apart("lapsed")
        other.silent(LAPSED)
        found["lapsed"] = other.packed("lapsed")
        other = table.apart("otherwise")
        other.silent(1)
        found["otherwise"] = other.packed("otherwise")
        with pytest.MonkeyPatch.context() as rules:
            cheat(rules)
            other = table.apart("cheated")
            other.silent(2)
            found["cheated"] = other.packed("cheated")
        table.turn()
        found["later"] = table.packed("later")
        yield found


@pytest.fixture
def player(copies: dict[str, Path], tmp_path: Path) -> Environment:
    """The environment of both players as it was after the fourth slot; what the others did since, they have not
    seen.
    """
    shutil.copytree(copies["root"] / "player", tmp_path / "player")
    table = Table(tmp_path)
    for seat in ("north", "south"):
        given = table.player.keyring.given(GAME, seat)
        path = table.player.keyring.folder(GAME) / f"{seat}.given.json"
        plain = {str(slot): {"at": one.at, "context": one.context} for slot, one in given.items() if slot < 5}
        path.write_text(json.dumps(plain))
    table.player.keyring.heads_file(GAME).unlink(missing_ok=True)
    return table.player


def signs(player: Environment, copy: Path, **more: Any) -> Signed:
    game = open_game(copy)
    (seat,) = game.announced()["waits"]
    key = Table(copy.parent).key(seat)
    return sign_orders(player, game, "o.yaml", pull(seat).encode(), key, seat=seat, **more)


def refused(player: Environment, copy: Path, **more: Any) -> Problem:
    before = kept(player)
    with pytest.raises(Refused) as refusal:
        signs(player, copy, **more)
    assert kept(player) == before, "nothing is noted, for nothing has left"
    (problem,) = refusal.value.problems
    return problem


def kept(player: Environment) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in player.keyring.folder(GAME).iterdir()}


def said(problem: Problem) -> str:
    return common_words().problem(problem.code, problem.args)


def changed(copy: Path, to: Path, name: str, old: bytes, new: bytes) -> Path:
    """Write a copy of an archive in which a file is another, and tell of nothing else."""
    with zipfile.ZipFile(copy) as before, zipfile.ZipFile(to, "w") as after:
        found = False
        for entry in before.namelist():
            data = before.read(entry)
            if entry == name:
                found = old in data
                data = data.replace(old, new, 1)
            if not entry.startswith("FILES"):
                after.writestr(entry, data)
    assert found
    return to


# --- what an umpire would have a player sign


def test_slots_that_the_rules_do_not_know_have_no_value(player: Environment, copies: dict[str, Path]) -> None:
    assert verify(copies["cheated"]).verdict == "fail"
    problem = refused(player, copies["cheated"])
    assert problem.code == "giving.fails"
    assert said(problem).startswith(
        "this copy of tug-0a1b2c does not verify, so your value is not revealed: E28 "
    )
    assert problem.help == f"pbem verify {copies['cheated']}"


def test_a_game_that_went_by_in_silence_has_to_be_named(
    player: Environment, copies: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Everything in it holds, and it never happened: what the player would know is that he was not asked all
    that time.
    """
    assert verify(copies["lapsed"]).verdict == "pass"
    problem = refused(player, copies["lapsed"])
    assert said(problem) == (
        "the open slot is 20; you last gave slot 4, and slots 6, 8, 10, 12, 14, 16 and 18 waited for you "
        "and were played without you"
    )
    assert (
        problem.help
        == "if that is what you expect, name it: --slot 20; else ask the others how far the game is"
    )
    assert refused(player, copies["lapsed"], wish=Wish(slot=5)).code == "sign.not-open"
    monkeypatch.setattr(giving, "LISTED", 5)
    assert "and 7 slots from 6 to 18 waited for you" in said(refused(player, copies["lapsed"]))
    signed = signs(player, copies["lapsed"], wish=Wish(slot=20))
    assert signed.giving is not None
    assert signed.giving.said == ("Your value for slot 20 is in it; you last gave slot 4.",)
    later = refused(player, copies["true"])
    assert later.code == "giving.older"
    assert "ends at slot 4" in said(later)
    assert "your program saw slot 19 of it" in said(later)


def test_what_is_far_on_has_to_be_named_though_nothing_waited_for_the_seat(
    player: Environment, copies: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(giving, "PASSED", 100)
    monkeypatch.setattr(giving, "FAR", 15)
    assert said(refused(player, copies["lapsed"])).startswith("the open slot is 20; you last gave slot 4")
    look(player, open_game(copies["lapsed"]).ledger, replayed=True)
    assert signs(player, copies["lapsed"]).final, "it was verified and seen before"


def test_a_value_that_left_for_another_history_does_not_leave_again(
    player: Environment, copies: dict[str, Path]
) -> None:
    signs(player, copies["true"])
    again = signs(player, copies["true"])
    assert again.final, "for the same report it may"
    heads.write(player.keyring.heads_file(GAME), heads.Seen())
    ledger = open_game(copies["true"]).ledger
    player.keyring.note_given(GAME, "north", 5, Given("2026-03-03T10:00:00Z", "another report"))
    problem = refused(player, copies["true"])
    assert said(problem) == "you already gave this value on 3 March; ask why it is wanted again"
    player.keyring.note_given(GAME, "north", 5, Given("2026-03-03T10:00:00Z", ledger.next_id))
    player.keyring.note_given(GAME, "north", 19, Given("2026-03-04T10:00:00Z", "far"))
    problem = refused(player, copies["true"])
    assert (
        said(problem) == "your value for slot 19 was revealed on 4 March, for another copy of this game; "
        "after that, the one for slot 5 is not revealed"
    )
    assert "pbem keys rekey" in problem.help


def test_two_stories_are_told_with_both_heads(player: Environment, copies: dict[str, Path]) -> None:
    look(player, open_game(copies["later"]).ledger)
    problem = refused(player, copies["otherwise"])
    true, other = (open_game(copies[name]).ledger for name in ("later", "otherwise"))
    assert problem.code == "giving.other"
    parts = [f"{digest[:4]}-{digest[4:8]}" for digest in (true.head, other.records[len(true.records) - 1].id)]
    assert all(part in said(problem) for part in parts)
    insists = replace(player, insists=True)
    assert signs(insists, copies["otherwise"]).final
    assert signs(player, copies["otherwise"]).final, "the other one is the one that is known now"
    assert refused(player, copies["later"]).code == "giving.other"


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("rolls/s0001.jsonl", b'"v":[', b'"v":[1'),
        ("state/s0003.json", b'"turn":', b'"turn": '),
        ("ledger/00006-s0002-result.json", b'"at":"2026-02', b'"at":"2027-02'),
        ("seats/north/orders-s0001.txt", b"pulls", b"rests"),
        ("scenario/tug.yaml", b"40 turns", b"50 turns"),
        ("seats/south/join.json.sig", b"A", b"B"),
    ],
)
def test_nothing_leaves_into_a_copy_that_was_changed(
    player: Environment, copies: dict[str, Path], tmp_path: Path, name: str, old: bytes, new: bytes
) -> None:
    if name.startswith("state/"):
        with zipfile.ZipFile(copies["true"]) as archive:
            old, new = archive.read(name)[:12], archive.read(name)[:12].replace(b'"', b"'")
    copy = changed(copies["true"], tmp_path / "true.zip", name, old, new)
    assert refused_somehow(player, copy)
    assert player.keyring.given(GAME, "north").keys() == {1, 3}


def refused_somehow(player: Environment, copy: Path) -> bool:
    try:
        signs(player, copy)
    except Refused:
        return True
    return False


def test_the_answer_to_a_lock_is_held_to_the_same(
    copies: dict[str, Path], player: Environment, tmp_path: Path
) -> None:
    table = Yard(tmp_path / "friends")
    table.started(keyed=("south",))
    table.orders("north", pull("north"))
    table.lock()
    key = table.key("south")
    went = make_go(table.player, open_game(table.packed("first")), key)
    assert went.giving is not None
    assert went.giving.said == ("Your value for slot 1 is in it, the first that you give.",)
    other = table.apart("other")
    for path in other.files():
        if path.startswith("ledger/00003"):
            (other.game / path).unlink()
    other.lock()
    with pytest.raises(Refused) as refusal:
        make_go(table.player, open_game(other.packed("second")), key)
    assert [problem.code for problem in refusal.value.problems] == ["giving.other"]


def test_of_a_chain_it_is_said_what_goes_along(tmp_path: Path) -> None:
    table = Yard(tmp_path).started(keyed=("north", "south"), umpire=True, revision=1)
    table.silent(1)
    signed = signs(table.player, table.packed("chains"))
    assert signed.giving is not None
    assert signed.giving.said == (
        "Your value for slot 2 is in it, the first that you give.",
        "This game was begun with chains, so the values of slot 1 become known with it.",
    )


# --- what was seen


def test_every_look_at_a_copy_counts(player: Environment, copies: dict[str, Path]) -> None:
    look(player, open_game(copies["later"]).ledger)
    seen = heads.read(player.keyring.heads_file(GAME))
    assert seen.newest is not None
    assert (seen.newest.slot, seen.replayed) == (5, None), "the rules were not played again"
    assert refused(player, copies["otherwise"]).code == "giving.other"
    look(player, open_game(copies["true"]).ledger)
    older = lacks(player, open_game(copies["true"]).ledger)
    assert older is not None
    assert older.code == "giving.older"
    assert heads.read(player.keyring.heads_file(GAME)) == seen


def test_who_has_no_values_here_keeps_nothing(
    player: Environment, copies: dict[str, Path], tmp_path: Path
) -> None:
    stranger = replace(player, keyring=Keyring(tmp_path / "stranger"))
    look(stranger, open_game(copies["later"]).ledger)
    assert not (tmp_path / "stranger").exists()


def test_a_copy_of_the_secrets_on_another_computer_learns_from_the_game(
    player: Environment, copies: dict[str, Path], tmp_path: Path
) -> None:
    """Only the secret was carried over: what was given and seen is known from the copy alone."""
    elsewhere = replace(player, keyring=Keyring(tmp_path / "elsewhere"))
    shutil.copytree(
        player.keyring.folder(GAME), elsewhere.keyring.folder(GAME), ignore=shutil.ignore_patterns("*.json")
    )
    signed = signs(elsewhere, copies["true"])
    assert signed.giving is not None
    assert signed.giving.last == 3
    assert parse(signed.data).x == parse(signs(player, copies["true"]).data).x


def test_nothing_leaves_that_could_not_be_noted(
    player: Environment, copies: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(kind: str, path: Path, act: Callable[[], Any]) -> Any:
        if kind == "rename" and path.name == "north.given.json":
            raise OSError(28, "No space left on device", str(path))
        return act()

    monkeypatch.setattr(disk, "effect", full)
    with pytest.raises(OSError, match="No space left"):
        signs(player, copies["true"])
    monkeypatch.undo()
    assert 5 not in player.keyring.given(GAME, "north")
    assert signs(player, copies["true"]).final


def test_what_was_played_again_once_is_not_played_again(
    player: Environment, copies: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    played: list[tuple[int, ...]] = []
    real = replaying.replay

    def counting(game: Any, engine: Any) -> Any:
        played.append(tuple(slot.number for slot in game.slots))
        return real(game, engine=engine)

    monkeypatch.setattr(replaying, "replay", counting)
    signs(player, copies["true"])
    signs(player, copies["true"])
    signs(player, copies["later"])
    assert played == [(1, 2, 3, 4), (5,)]
    other = replace(player, engine=lambda: NEW)
    signs(other, copies["later"])
    assert played[2:] == [(1, 2, 3, 4, 5)], "another program has to see for itself"


def test_a_state_that_is_left_out_is_made_again(
    player: Environment, copies: dict[str, Path], tmp_path: Path
) -> None:
    signs(player, copies["true"])
    with zipfile.ZipFile(copies["later"]) as before, zipfile.ZipFile(tmp_path / "thin.zip", "w") as after:
        for entry in before.namelist():
            if entry not in ("state/s0004.json", "FILES", "FILES.sig"):
                after.writestr(entry, before.read(entry))
    assert signs(player, tmp_path / "thin.zip").final


# --- other programs


def test_what_another_program_played_otherwise_names_the_one_to_install(
    player: Environment, copies: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    cheat(monkeypatch)
    other = replace(player, engine=lambda: NEW)
    problem = refused(other, copies["true"])
    assert said(problem) == (
        "your value is not revealed: slots 1 and 3 were played by pbem 0.1.0 (engine 00000000); this is "
        "pbem 0.2.0 (engine abababab), "
        "which gets a different result: no release that this pbem knows has "
        "that engine, so try a newer pbem, "
        "or ask the umpire for the source"
    )
    assert problem.help == (
        "sign with the program that played it; or sign --without-rules: then nobody has checked that the "
        "umpire kept to the rules"
    )
    signed = signs(other, copies["true"], wish=Wish(rules=False))
    assert signed.giving is not None
    assert (
        signed.giving.said[-1]
        == "The rules were not played again: you take the umpire's word that they were kept."
    )
    seen = heads.read(player.keyring.heads_file(GAME))
    assert seen.replayed is None


def test_a_program_without_the_rules_names_the_one_to_install(
    player: Environment, copies: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    from pbem.proof.history import Finding
    from pbem.proof.replaying import OPEN

    game = open_game(copies["true"])
    _ = game.ground
    monkeypatch.setattr(
        replaying, "replay", lambda of, engine: [Finding(OPEN, "engine", "this pbem has no ruleset toy")]
    )
    with pytest.raises(Refused) as refusal:
        sign_orders(
            replace(player, engine=lambda: NEW),
            game,
            "o",
            pull("north").encode(),
            Table(copies["true"].parent).key("north"),
        )
    (problem,) = refusal.value.problems
    assert problem.code == "giving.engine"
    assert "has no ruleset toy" in said(problem)


# --- orders that stay closed, and the umpire's own folder


def test_a_question_is_answered_though_the_orders_before_it_are_still_closed(tmp_path: Path) -> None:
    table = Yard(tmp_path).started(keyed=("north", "south"), umpire=True, options={"knots": "many"})
    table.orders("north", pull("north"))
    table.resolve()
    game = open_game(table.packed("asked"))
    signed = sign_orders(table.player, game, "o", b"answers: {q1: b}\n", table.key("south"))
    assert signed.giving is not None
    assert signed.giving.said == (
        "Your value for slot 2 is in it, the first that you give.",
        "Not played again yet: slot 1, whose orders stay closed until they are carried out.",
    )
    seen = heads.read(table.player.keyring.heads_file(GAME))
    assert seen.replayed is not None
    assert (seen.replayed.n, seen.newest is not None and seen.newest.n) == (3, 4)


def test_the_umpire_in_his_own_folder_is_not_kept_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Yard(tmp_path).started(keyed=("north", "south"), umpire=True)
    shutil.copy(table.player.keyring.chain_file(GAME, "north"), table.env.keyring.chain_file(GAME, "north"))
    key = table.key("north")
    with monkeypatch.context() as patch:
        patch.setattr(replaying, "replay", lambda game: pytest.fail("his folder is his own"))
        assert sign_orders(table.env, table.open(), "o", pull("north").encode(), key).final
    table.orders("north", pull("north"), auto_lock=False)
    shutil.copytree(table.game, tmp_path / "backup")
    table.resolve()
    shutil.rmtree(table.game)
    shutil.copytree(tmp_path / "backup", table.game)
    with pytest.raises(Refused) as refusal:
        sign_orders(table.env, table.open(), "o", pull("north").encode(), key)
    assert refusal.value.problems[0].code == "story.older"
