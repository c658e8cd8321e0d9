"""Another program in mid-game: who played which slots stands in the ledger, and one that plays otherwise does
not go on unawares.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import toy_ruleset
from msgspec.structs import replace
from table import Table, pull
from toy_ruleset import TOY, Did, prepare

from pbem.core.problem import Problem
from pbem.proof.engines import played
from pbem.referee.game.refusal import Refused
from pbem.referee.mail.notices import beside, notices
from pbem.referee.proving.verify import verify
from pbem.store.library import common_words

OLD = {"name": "pbem", "version": "0.1.0", "sha256": "0" * 64}
NEW = {"name": "pbem", "version": "0.2.0", "sha256": "ab" * 32}


@pytest.fixture(scope="module")
def once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    """A game in which two slots were played by one program, and orders for the third are there."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("os.fsync", lambda number: None)
        table = Table(tmp_path_factory.mktemp("once"))
        table.count = 3  # with these secrets the game is not over after two pulls
        table.started(umpire=True, keyed=())
        for seat, luck in (
            ("north", "seven drunken herons"),
            ("south", "one sober stork"),
            ("north", "nine quiet cranes"),
        ):
            table.orders(seat, pull(seat, f"luck: {luck}\n"), auto_lock=False)
            if luck != "nine quiet cranes":
                table.resolve()
        yield table


@pytest.fixture
def heard() -> list[Problem]:
    return []


@pytest.fixture
def game(once: Table, tmp_path: Path, heard: list[Problem]) -> Table:
    """That game before another program, which comes out the same."""
    shutil.copytree(once.root, tmp_path / "all")
    table = Table(tmp_path / "all")
    table.env.keyring.told_file("tug-0a1b2c").unlink()
    table.env = replace(table.env, engine=lambda: NEW, tell=heard.append)
    table.moment = once.moment
    return table


@pytest.fixture
def other_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program in which a team that jeers is not counted as jeering: slots played before
    come out otherwise.
    """

    def tired(rules: Any, play: Any, files: Any) -> None:
        prepare(rules, play, files)
        play.happen(Did("north-team", "jeers"))

    changed = replace(TOY, steps={**TOY.steps, "jeering": tired})
    monkeypatch.setitem(toy_ruleset.CATALOGUE["toy"], 1, changed)


def refused(act: Callable[[], object]) -> Problem:
    with pytest.raises(Refused) as caught:
        act()
    (problem,) = caught.value.problems
    return problem


def spans(table: Table) -> list[tuple[str, int, int]]:
    return [(one.engine.version, one.first, one.last) for one in played(table.open().ledger)]


def test_a_program_that_comes_out_the_same_is_told_once_and_stands_in_the_ledger(
    game: Table, heard: list[Problem]
) -> None:
    said = "tug-0a1b2c: this is pbem 0.2.0 (engine abababab); so far played pbem 0.1.0 (engine 00000000)"
    assert notices(game.env, game.open())[0].startswith(said)
    game.resolve()
    assert [one.code for one in heard] == ["doubt.engine.same"]
    assert spans(game) == [("0.1.0", 0, 2), ("0.2.0", 3, 3)]
    assert notices(game.env, game.open()) == (
        "this game began with pbem 0.1.0 (engine 00000000); slot 3 was played "
        "by pbem 0.2.0 (engine abababab)",
    )
    game.orders("south", pull("south", "luck: a fifth of cider\n"))
    game.resolve()
    assert len(heard) == 1
    assert spans(game)[1] == ("0.2.0", 3, 4)
    verdict = verify(game.game)
    assert verdict.failures == ()
    assert beside(game.env, game.game, verdict)[0].endswith(
        "; slots 3 to 4 were played by pbem 0.2.0 (engine abababab); this is pbem 0.2.0 (engine abababab), "
        "and it gets the same result"
    )


@pytest.mark.usefixtures("other_rules")
def test_a_program_that_plays_otherwise_does_not_go_on_unless_the_umpire_says_so(
    game: Table, heard: list[Problem]
) -> None:
    before = game.files()
    problem = refused(game.resolve)
    assert problem.code == "engine.other"
    said = common_words().problem(problem.code, problem.args)
    assert said.startswith(
        "tug-0a1b2c: this is pbem 0.2.0 (engine abababab), which plays slot 1 of this "
        "game differently from pbem 0.1.0 "
    )
    assert problem.help.startswith("to go on as before, install pbem 0.1.0 (engine 00000000) again; or")
    assert game.files() == before
    assert notices(game.env, game.open())[0].startswith(said)
    game.env, asking = replace(game.env, insists=True), game.env
    game.resolve()
    game.env = asking
    assert [one.code for one in heard] == ["engine.other"]
    assert spans(game) == [("0.1.0", 0, 2), ("0.2.0", 3, 3)]
    verdict = verify(game.game, engine=NEW)
    assert verdict.failures == ()
    assert verdict.undecided[0].startswith(
        "slot 1 was played by pbem 0.1.0 (engine 00000000); this is pbem 0.2.0 (engine abababab), "
    )
    assert {one.code for one in verify(game.game, engine=OLD).failures} == {"E28"}


@pytest.mark.usefixtures("other_rules")
def test_what_was_lost_is_not_made_otherwise(game: Table) -> None:
    from pbem.referee.proving.mend import mend

    (game.game / "events/s0002.jsonl").unlink()
    (game.game / "state/s0001.json").unlink()
    before = game.files()
    found = mend(game.env, game.game)
    assert game.files() == before
    assert found.left == (
        "state/s0001.json cannot be made again: the rules of this pbem play slot 1 differently from the game",
        "events/s0002.jsonl cannot be made again: the state before slot 2 is missing",
    )


def test_the_last_slot_says_who_played_it_though_nothing_comes_after_it(tmp_path: Path) -> None:
    def play(name: str, last: int) -> Table:
        table = Table(tmp_path / name).started(umpire=True, keyed=())
        while not table.open().ledger.over:
            (seat,) = table.open().announced()["waits"]
            slot = table.open().ledger.newest_slot + 1
            engine = NEW if slot == last else OLD
            table.env = replace(table.env, engine=lambda engine=engine: engine)
            more = f"luck: number {slot} of the words\nstanding: {{everyone: {{yield: hold}}}}\n"
            asked = bool(table.open().questions)
            table.orders(
                seat, f"{more}answers: {{q1: let-go}}\n" if asked else pull(seat, more), auto_lock=False
            )
            table.resolve()
        return table

    last = play("once", 0).open().ledger.newest_slot
    table = play("again", last)
    assert spans(table) == [("0.1.0", 0, last - 1), ("0.2.0", last, last)]
    assert verify(table.game).failures == ()


def test_a_game_that_is_over_meets_no_other_program(tmp_path: Path) -> None:
    from pbem.referee.game.game import open_game

    ford = Path(__file__).resolve().parents[2] / "examples" / "alder-ford" / "archive.zip"
    env = replace(Table(tmp_path).env, clock=lambda: "2026-12-01T10:00:00Z")
    assert notices(env, open_game(ford)) == ()


# --- revisions side by side


@pytest.fixture
def second_revision(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second revision of the toy beside the first: everybody jeers."""

    def loud(rules: Any, play: Any, files: Any) -> None:
        prepare(rules, play, files)
        play.happen(Did("north-team", "jeers"))

    monkeypatch.setitem(
        toy_ruleset.CATALOGUE["toy"], 2, replace(TOY, revision=2, steps={**TOY.steps, "jeering": loud})
    )


@pytest.mark.usefixtures("second_revision")
def test_a_game_keeps_the_revision_it_began_with_and_a_new_one_begins_with_the_newest(
    game: Table, heard: list[Problem]
) -> None:
    assert game.open().ground.rules.revision == 1
    game.resolve()
    assert [one.code for one in heard] == ["doubt.engine.same"]
    assert verify(game.game).failures == ()
    young = Table(game.root / "young")
    young.count = 300
    young.started(umpire=True, keyed=())
    assert young.open().ground.rules.revision == 2
    young.orders("north", pull("north", "luck: seven drunken herons\n"))
    young.resolve()
    assert b'"do":"jeers"' in young.files()["events/s0001.jsonl"]
    assert b'"do":"jeers"' not in game.files()["events/s0003.jsonl"]
    assert verify(young.game).failures == ()


def test_a_revision_that_this_program_does_not_have_is_refused_with_what_to_install(
    game: Table, second_revision: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    young = Table(game.root / "young")
    young.count = 300
    young.started(umpire=True, keyed=())
    monkeypatch.delitem(toy_ruleset.CATALOGUE["toy"], 2)
    problem = refused(lambda: young.open().ground)
    assert common_words().problem(problem.code, problem.args) == (
        "this pbem does not have revision 2 of toy; the game was played with pbem 0.1.0 (engine 00000000)"
    )
    assert problem.help == "install pbem 0.1.0 (engine 00000000); this pbem has 1"
    verdict = verify(young.game)
    assert (verdict.verdict, verdict.failures) == ("undecided", ())
    assert verdict.undecided[0].startswith(
        "this is pbem 0.1.0 (engine 00000000), which does not have the rules of this game, toy revision 2; "
    )
