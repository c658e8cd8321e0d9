"""The engine that is pinned is part of the claim: another that agrees is named, one that does not decides
nothing, the same fails (E28).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import toy_ruleset
from click.testing import CliRunner
from msgspec.structs import replace
from table import ENGINE, Table
from toy_ruleset import TOY, Did, prepare

from pbem.cli import cli
from pbem.proof.archive import MemoryArchive
from pbem.proof.engines import Engine, Played, engine_of
from pbem.proof.verify import Verdict
from pbem.referee.game import programs
from pbem.referee.game.refusal import Refused
from pbem.referee.mail.notices import beside
from pbem.referee.pages.showing import replay_bytes
from pbem.referee.proving import replayed_slots
from pbem.referee.proving.verify import verdict_of, verify
from pbem.referee.turn.ruling import correct
from pbem.store import releases

STRANGE = {"name": "pbem", "version": "9.9.9", "sha256": "ab" * 32}
NEWER = {"name": "pbem", "version": "0.2.0", "sha256": "cd" * 32}
NOBODY_HAS_IT = (
    "no release that this pbem knows has that engine, so try a newer pbem, or ask the umpire for the source"
)


def play(table: Table, engines: tuple[Mapping[str, str], ...]) -> Table:
    """Begin a game with the first of some engines, and play a slot with each of the others."""
    table.env = replace(table.env, engine=lambda: engines[0], insists=True)
    table.started(umpire=True, keyed=())
    for number, engine in enumerate(engines[1:]):
        table.env = replace(table.env, engine=lambda engine=engine: engine)
        (seat,) = table.open().announced()["waits"]
        table.orders(
            seat, f"luck: words for slot number {number}\npull:\n- {seat}-team rests\n", auto_lock=False
        )
        table.resolve()
    return table


@pytest.fixture(scope="module")
def strange(tmp_path_factory: pytest.TempPathFactory) -> Table:
    """An honest game of two slots whose manifest pins an engine that nobody knows."""
    return play(Table(tmp_path_factory.mktemp("strange")), (STRANGE, STRANGE, STRANGE))


def cheat(patch: pytest.MonkeyPatch) -> None:
    """Change one rule: the team of the north also jeers."""

    def other(rules: Any, game: Any, files: Any) -> None:
        prepare(rules, game, files)
        game.happen(Did("north-team", "jeers"))

    patch.setitem(toy_ruleset.CATALOGUE["toy"], 1, replace(TOY, steps={**TOY.steps, "jeering": other}))


@pytest.fixture
def jeering(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program with one other rule than the one that played."""
    cheat(monkeypatch)


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Releases in which the strange engine is that of 0.1.0."""
    entry = releases.release({"version": "0.1.0", "engine": "ab" * 32, "files": {}})
    monkeypatch.setattr(releases, "releases", lambda: (entry,))
    yield


def told(table: Table, verdict: Verdict, engine: Mapping[str, str] = NEWER) -> list[str]:
    return list(beside(replace(table.env, engine=lambda: engine), table.game, verdict))


def test_another_engine_that_agrees_passes_and_both_are_named(strange: Table) -> None:
    verdict = verify(strange.game, engine=NEWER)
    assert (verdict.verdict, verdict.replayed) == ("pass", True)
    assert told(strange, verdict) == [
        "slots 1 to 2 were played by pbem 9.9.9 (engine abababab); this is pbem 0.2.0 (engine cdcdcdcd), "
        "and it gets the same result"
    ]
    unseen = verify(strange.game, with_rules=False)
    assert told(strange, unseen) == [
        "slots 1 to 2 were played by pbem 9.9.9 (engine abababab); this is pbem 0.2.0 (engine cdcdcdcd)"
    ]


def test_the_engine_that_played_is_no_news(strange: Table) -> None:
    verdict = verify(strange.game, engine=STRANGE)
    assert (verdict.verdict, told(strange, verdict, STRANGE)) == ("pass", [])
    renamed = {**STRANGE, "version": "1.0"}
    assert told(strange, verify(strange.game, engine=renamed), renamed) == [], (
        "an engine is known by its digest, not by what it is called"
    )


@pytest.mark.usefixtures("jeering")
def test_another_engine_that_disagrees_decides_nothing_and_says_whom_to_ask(strange: Table) -> None:
    verdict = verify(strange.game, engine=NEWER)
    assert (verdict.exit_code, verdict.failures, verdict.replayed) == (3, (), False)
    assert verdict.undecided == (
        "slot 1 was played by pbem 9.9.9 (engine abababab); this is pbem 0.2.0 (engine cdcdcdcd), which "
        "gets a different result: " + NOBODY_HAS_IT,
    )
    assert verdict.lines[0].startswith("CANNOT DECIDE  tug-0a1b2c   rules not replayed")
    assert told(strange, verdict) == [
        "slots 1 to 2 were played by pbem 9.9.9 (engine abababab); this is pbem 0.2.0 (engine cdcdcdcd)"
    ]


@pytest.mark.usefixtures("jeering", "known")
def test_what_to_install_comes_from_the_releases_that_are_known_and_never_from_the_game(
    strange: Table,
) -> None:
    (said,) = verify(strange.game, engine=NEWER).undecided
    assert said.endswith("which gets a different result: pip install pbem==0.1.0 and verify again")


@pytest.mark.usefixtures("jeering")
def test_the_same_engine_that_disagrees_is_a_failure_in_a_sentence(strange: Table) -> None:
    verdict = verify(strange.game, engine=STRANGE)
    (found,) = verdict.failures
    assert (verdict.exit_code, found.code) == (1, "E28")
    assert found.message == "slot 1, north-team, jeers: the rules give 1, the game has nothing"
    assert found.detail.startswith("the rules end in another state; event ")
    assert len(found.message) < 100 < len(found.detail)


@pytest.mark.parametrize(("engine", "exit_code"), [(ENGINE, 1), (STRANGE, 3)])
def test_a_made_up_engine_hides_no_cheat(table: Table, engine: Mapping[str, str], exit_code: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        cheat(patch)
        play(table, (engine, engine))
    assert verify(table.game, engine=ENGINE).exit_code == exit_code


def test_a_slot_of_one_s_own_engine_fails_though_those_of_another_cannot_be_decided(table: Table) -> None:
    with pytest.MonkeyPatch.context() as patch:
        cheat(patch)
        play(table, (STRANGE, STRANGE, STRANGE, ENGINE, ENGINE))
    verdict = verify(table.game, engine=ENGINE)
    assert verdict.exit_code == 1
    assert [one.message for one in verdict.failures] == [
        "slot 3, north-team, jeers: the rules give nothing, the game has 1"
    ]
    assert verdict.undecided[0].startswith("slot 1 was played by pbem 9.9.9 (engine abababab); ")


def test_rules_that_stumble_over_the_game_of_another_engine_decide_nothing(
    strange: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stumble(*args: Any) -> Any:
        raise ZeroDivisionError

    monkeypatch.setattr("pbem.referee.game.replaying.play", stumble)
    verdict = verify(strange.game, engine=NEWER)
    assert (verdict.exit_code, verdict.failures) == (3, ())
    assert verdict.undecided[0].startswith("slots 1 and 2 were played by pbem 9.9.9 (engine abababab); ")
    assert [one.message for one in verify(strange.game, engine=STRANGE).failures] == [
        f"slot {number}: the rules cannot go on from what the game has there" for number in (1, 2)
    ]


def test_a_scenario_that_another_engine_took_and_this_one_does_not_decides_nothing(
    strange: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(toy_ruleset.CATALOGUE["toy"], 1, replace(TOY, known_modules={}))
    verdict = verify(strange.game, engine=NEWER)
    assert (verdict.exit_code, verdict.failures) == (3, ())
    assert verdict.undecided[0].startswith("the beginning was played by pbem 9.9.9 (engine abababab); ")
    assert [one.code for one in verify(strange.game, engine=STRANGE).failures] == ["E28"]


def test_rules_that_this_program_does_not_have_decide_nothing(
    strange: Table, monkeypatch: pytest.MonkeyPatch, known: None
) -> None:
    monkeypatch.setattr("pbem.rulesets._others", dict)
    verdict = verify(strange.game, engine=NEWER)
    assert (verdict.exit_code, verdict.failures) == (3, ())
    assert verdict.undecided == (
        "this is pbem 0.2.0 (engine cdcdcdcd), which does not have the rules of this game, toy; slots 1 to "
        "2 were played by "
        "pbem 9.9.9 (engine abababab): pip install pbem==0.1.0 and verify again",
    )


def corrected(table: Table) -> Table:
    """A turn that an older program judged wrongly, played again by the one that is installed now."""
    with pytest.MonkeyPatch.context() as patch:
        cheat(patch)
        play(table, (STRANGE, STRANGE))
    table.env = replace(table.env, engine=lambda: ENGINE)
    done = correct(table.env, table.game, why="that program jeers too often")
    assert (done.slot, done.corrects) == (2, 1) and "north-team jeers: 1 → –" in done.lines[-1]
    return table


def test_a_turn_that_another_program_judged_wrongly_is_corrected_and_the_game_holds(table: Table) -> None:
    corrected(table)
    assert table.open().announced()["engine"] == ENGINE
    verdict = verify(table.game, engine=ENGINE)
    assert (verdict.exit_code, verdict.replayed) == (0, True)
    assert any(
        "slot 1 was played by pbem 9.9.9 (engine abababab) and comes out otherwise here; slot 2 corrects it"
        in one.message
        for one in verdict.warnings
    )
    with pytest.raises(Refused) as refused:
        correct(table.env, table.game)
    assert refused.value.problems[0].code == "ruling.same"


@pytest.mark.parametrize(("engine", "exit_code"), [(STRANGE, 1), (NEWER, 3)])
def test_a_correction_excuses_nobody_s_own_engine_and_is_judged_itself(
    table: Table, engine: Mapping[str, str], exit_code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    corrected(table)
    if engine is NEWER:
        cheat(monkeypatch)
    assert verify(table.game, engine=engine).exit_code == exit_code


def test_a_correction_by_a_program_that_cannot_is_refused_in_words(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(table, (STRANGE, STRANGE))
    table.env = replace(table.env, engine=lambda: ENGINE)

    def code() -> str:
        with pytest.raises(Refused) as refused:
            correct(table.env, table.game)
        return str(refused.value.problems[0].code)

    def stumble(*args: Any) -> None:
        raise ZeroDivisionError

    assert code() == "ruling.same"
    with monkeypatch.context() as patch:
        patch.setitem(toy_ruleset.CATALOGUE["toy"], 1, replace(TOY, steps={**TOY.steps, "jeering": stumble}))
        assert code() == "ruling.stumbles"
    with monkeypatch.context() as patch:
        patch.setitem(toy_ruleset.CATALOGUE["toy"], 2, TOY)
        patch.delitem(toy_ruleset.CATALOGUE["toy"], 1)
        assert code() == "rules.revision"


def test_who_begins_a_game_that_another_program_made_is_named_in_its_start(table: Table) -> None:
    table.env = replace(table.env, engine=lambda: STRANGE)
    table.new(umpire=True, keyed=())
    table.env = replace(table.env, engine=lambda: ENGINE)
    table.join_all()
    assert table.open().ledger.records[1].record["next"]["engine"] == ENGINE
    files = table.files()
    assert verdict_of(MemoryArchive(files)).engines == (Played(engine_of(ENGINE), 0, 0),)


@pytest.mark.usefixtures("jeering")
def test_a_game_that_comes_out_otherwise_is_not_shown_and_says_whom_to_ask(
    strange: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replayed_slots, "engine", lambda: NEWER)
    with pytest.raises(Refused) as refused:
        replay_bytes(strange.open(), ".html")
    (problem,) = refused.value.problems
    assert problem.code == "replay.other"
    assert problem.help.startswith(
        "slot 1 was played by pbem 9.9.9 (engine abababab); this is pbem 0.2.0 (engine cdcdcdcd), "
    )
    monkeypatch.setattr(replayed_slots, "engine", lambda: STRANGE)
    with pytest.raises(Refused) as refused:
        replay_bytes(strange.open(), ".html")
    assert refused.value.problems[0].help == ""


@pytest.mark.usefixtures("jeering")
def test_the_long_story_of_a_failure_stands_in_the_json_alone(
    strange: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    strange.at_the_terminal(monkeypatch)
    plain = CliRunner().invoke(cli, ["verify", "game"])
    assert plain.exit_code == 1
    assert (
        "\nE28  ledger/00004-s0001-result.json: slot 1, north-team, jeers: the "
        "rules give 1, the game has nothing\n" in plain.stdout
    )
    assert "the rules end in another state" not in plain.stdout
    found = json.loads(CliRunner().invoke(cli, ["verify", "game", "--json"]).stdout)
    assert found["failures"][0]["detail"].startswith("the rules end in another state; event ")
    assert found["replayed_by"] == STRANGE


def test_an_archive_with_a_thousand_engines_is_told_in_a_few_lines() -> None:
    spans = tuple(
        Played(Engine("pbem", str(number), f"{number:064x}"), number, number) for number in range(1000)
    )
    now = engine_of(NEWER)
    lines = list(programs.ask_those(spans, now, range(1000)))
    assert len(lines) == programs.MOST + 1
    assert len(programs.compared(spans, now, same=True)) < 1000
    one = (Played(engine_of(STRANGE), 0, 5000),)
    (said,) = programs.ask_those(one, now, range(1, 5000))
    assert said.startswith("slots 1, 2, 3, 4, 5, 6, 7, 8 and 4991 more were played by ")


# --- the releases that are known


def test_the_releases_that_are_known_can_be_read() -> None:
    raw = json.loads(releases.FILE.read_text("utf-8"))
    assert len({entry["engine"] for entry in raw}) == len({entry["version"] for entry in raw}) == len(raw)
    for entry, read in zip(raw, releases.releases(), strict=True):
        assert set(entry) == {"version", "engine", "files"}
        assert all(len(digest) == 64 for found in (read.files.values()) for digest in found)
        assert len(read.engine) == 64


def test_a_release_can_name_its_own_engine() -> None:
    entry = releases.own_entry()
    read = releases.release(json.loads(json.dumps(entry)))
    ford = Path(__file__).resolve().parents[2] / "scenarios" / "cry_havoc" / "alder-ford.yaml"
    (digest,) = entry["files"]["scenario/alder-ford.yaml"]
    assert read.has("scenario/alder-ford.yaml", digest)
    assert not read.has("scenario/maps/alder-ford.yaml", digest)
    import hashlib

    assert digest == hashlib.sha256(ford.read_bytes()).hexdigest()
    assert {"scenario/maps/alder-ford.yaml", "tables/shooting_others.yaml"} <= set(read.files)
