"""A game explains itself: what it is about, who is there, what can be sent now, in every format and for every
ruleset.
"""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner
from msgspec.structs import replace
from office_table import OfficeTable
from table import Table

from pbem.cli import cli
from pbem.club.reading import days_off
from pbem.club.terms import LeaveTerms, Terms
from pbem.core.briefing import Said
from pbem.core.problem import Problem
from pbem.referee.explain.briefing import Briefing, briefing_of, document, hex_list, how_to_play, pace
from pbem.referee.explain.samples import samples_of, written
from pbem.referee.game.game import open_game
from pbem.referee.game.replay import first_state
from pbem.referee.game.scenario import find_scenario, judge
from pbem.referee.game.sentences import sentence, tell
from pbem.referee.mail.brief import FORMATS, brief, pace_of
from pbem.referee.play.demo import find_example
from pbem.referee.turn.check import check
from pbem.referee.turn.join import join
from pbem.referee.turn.new import INVITATION
from pbem.store import library
from pbem.store.library import words_of
from pbem.text.markup import as_text
from pbem.text.report import Heading, Roster

SCENARIOS = [path.stem for path in library.scenarios()]


def begun(scenario: str, seat: str = "", **more: object) -> Briefing:
    found = find_scenario(scenario)
    _, ground, _ = judge(found)
    seats = {side: side for side in found.data["sides"]}
    return Briefing(ground, first_state(ground, seats), seats, seat, **more)  # type: ignore[arg-type]


def test_a_briefing_names_opponent_pace_length_aim_places_and_everybody_with_values() -> None:
    text = as_text(
        document(
            begun("alder-ford", "west", players={"east": "Ann", "west": "Bob"}, pace="3 days for a turn")
        )
    )
    flat = " ".join(text.split())
    for part in (
        "The Reeve of Eastholt: Ann",
        "The Reeve of Westry: you",
        "Pace: 3 days for a turn",
        "The battle lasts 10 turns. The order in each turn: first the Reeve of Eastholt",
        "Victory for the Reeve of Eastholt with at least 3 points more than the other side.",
        "Victory for you unless the other side has at least 3 points more.",
        "10 points for holding ford (hexes 1006, 0907 and 0908): a healthy man of its side in it, and no "
        "living enemy.",
        "Your men may begin in west-bank: 0204-0211, 0304-0311, 0405-0411, "
        "0505-0511, 0604-0611 (38 hexes free).",
        "aelfgar 1307 13-10-4 sergeant",
        "Each of them: to be placed in west-bank. ",
        "meurig - 13-8-6 sergeant Meurig Goch tofi",
    ):
        assert part in flat, part


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_everything_that_a_briefing_says_is_said_in_words(scenario: str) -> None:
    for seat in ("", *begun(scenario).sides):
        made = begun(scenario, seat)
        for doc in (document(made), how_to_play(made)):
            text = as_text(doc)
            for key in ("aim", "primer", "sample", "can", "brief", "once"):
                assert not re.search(rf"\b{key}\.[a-z]", text), (key, scenario)
            assert "?" not in text.replace("? ", "")
            assert max(len(line) for line in text.split("\n")) <= 72


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_the_rules_in_short_fit_two_printed_pages(scenario: str) -> None:
    """Pages of 700 words, as the web page is printed."""
    made = begun(scenario, next(iter(begun(scenario).sides)))
    assert len(as_text(how_to_play(made)).split()) <= 1_400


def test_the_briefing_of_nobody_names_both_sides_and_orders_for_none() -> None:
    text = as_text(document(begun("alder-ford")))
    assert "What you can send now" not in text
    assert "victory for you" not in text.lower()
    assert "The Reeve of Westry\n" in text


def test_columns_of_people_are_the_same_for_everybody() -> None:
    doc = document(begun("windle-hill", "red"))
    rosters = [block for block in doc.blocks if isinstance(block, Roster)]
    assert len(rosters) == 2
    assert all(len(row.cells) == len(block.heads) == 4 for block in rosters for row in block.rows)
    assert [block.text for block in doc.blocks if isinstance(block, Heading)][:4] == [
        "What it is about",
        "What you can send now",
        "Your men",
        "The banner of Ravenmere",
    ]


@pytest.mark.parametrize("format_", FORMATS)
def test_a_briefing_in_every_format(format_: str) -> None:
    game = open_game(find_example("alder-ford") / "archive.zip")
    assert "Toll at the Alder Ford" in brief(game, "east", format_)
    assert brief(game, "east", format_) == brief(game, "east", format_)


def test_the_verb(tmp_path: Path) -> None:
    archive = str(find_example("alder-ford") / "archive.zip")
    out = tmp_path / "ford.html"
    done = CliRunner().invoke(cli, ["brief", archive, "--seat", "west", "-o", str(out)])
    assert (done.exit_code, done.output) == (0, f"The briefing is in {out}.\n")
    assert out.read_text().startswith("<!DOCTYPE html>")
    done = CliRunner().invoke(cli, ["brief", archive, "--format", "md"])
    assert done.output.startswith("# Toll at the Alder Ford\n")
    done = CliRunner().invoke(cli, ["brief", archive, "--seat", "north"])
    assert done.exit_code == 1
    assert "'north' is not a seat in this game" in done.output
    assert "Traceback" not in done.output


def test_a_game_whose_rules_say_nothing_of_themselves_lives_with_what_is_known(table: Table) -> None:
    table.started()
    game = table.open()
    text = brief(game, "north", "text")
    assert "the knot" in text
    assert "- north-team jeers" in text
    lines = samples_of(game.ground, game.state, "north")
    assert written(lines) == ("jeer:", "- north-team jeers")
    assert check(game, "x.yaml", ("\n".join(written(lines)) + "\n").encode(), "north").ok
    assert samples_of(game.ground, game.state, "south") == ()


def test_lines_that_the_judge_does_not_like_are_not_shown(table: Table) -> None:
    """The rules of a game may propose what its own judge refuses, as long as nobody sees it."""
    table.started()
    game = table.open()
    said = Said("sample.plain", {"order": "x"})
    bad = (
        *samples_of(game.ground, game.state, "north"),
        replace(samples_of(game.ground, game.state, "north")[0], entry="south-team jeers", said=said),
    )
    rules = game.ground.rules.amend(
        interface=replace(game.ground.rules.interface, samples=lambda rules, state, seat: bad)
    )
    assert written(samples_of(replace(game.ground, rules=rules), game.state, "north")) == (
        "jeer:",
        "- north-team jeers",
    )


def test_the_pace_is_that_of_the_office_around_the_game(tmp_path: Path) -> None:
    table = OfficeTable(tmp_path)
    table.started()
    assert pace_of(table.open()) == "3 days for a turn, always until 21:00 (Europe/Berlin)"
    assert f"Pace: {pace_of(table.open())}" in brief(table.open(), "north", "text")
    (tmp_path / "pbem.toml").write_text("nonsense")
    assert pace_of(table.open()) == ""
    (tmp_path / "pbem.toml").unlink()
    assert pace_of(table.open()) == ""
    assert pace(None) == "no deadlines; everybody waits for everybody else"


def test_a_story_is_shown_as_its_author_wrote_it_and_never_without_end() -> None:
    made = begun("alder-ford", "west")
    ground = replace(
        made.ground,
        scenario={
            **made.ground.scenario,
            "story": "One  line\nof it.\n\nAnd <b>more</b>.\n\n" + "long " * 2_000,
        },
    )
    text = as_text(document(replace(made, ground=ground)))
    assert "One line of it.\n\nAnd <b>more</b>." in text
    assert text.count("long") < 400
    told = replace(
        made,
        ground=replace(
            made.ground, scenario={**made.ground.scenario, "story": ["no", "text"], "advice": "none"}
        ),
    )
    assert document(told)
    advised = {
        **made.ground.scenario,
        "advice": {"west": "Wait for them in the water.", "east": "Do not wait."},
    }
    text = as_text(document(replace(made, ground=replace(made.ground, scenario=advised))))
    assert "Wait for them in the water." in text
    assert "Do not wait." not in text


def test_hexes_are_listed_as_somebody_would() -> None:
    assert hex_list(("0206", "0204", "0205", "0301", "0711")) == "0204-0206, 0301, 0711"
    assert hex_list(("0114", "0201")) == "0114, 0201"
    assert hex_list(("0712@top", "0712")) == "0712, 0712@top"


def test_what_rules_say_is_put_into_words_wherever_it_stands() -> None:
    words = words_of("siege")
    held = Said(
        "aim.held", {"points": 1, "place": Said("aim.place", {"name": "ford", "hexes": ["0907"], "count": 1})}
    )
    assert (
        tell(words, held, its="your")
        == "1 point for holding ford (hex 0907): a healthy man of your side in it, and no living enemy"
    )
    assert tell(words, Problem("sequence.dead", {"unit": "odo"})) == "odo is dead"
    assert sentence("it rains") == "It rains."
    assert sentence("It rains!") == "It rains!"


def test_an_invitation_is_a_game_that_can_be_explained(table: Table) -> None:
    table.new(keyed=())
    game = table.open()
    assert not game.ledger.started
    assert briefing_of(game, "north").members
    assert "Tug" in brief(game, "north", "text") or "the knot" in brief(game, "north", "text")
    state = first_state(game.ground, game.sides)
    assert state == game.state_after(0, "")


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_every_scenario_tells_its_story_and_advises_both_sides(scenario: str) -> None:
    data = find_scenario(scenario).data
    assert 2 <= data["story"].count(".") <= 5
    assert len(data["story"]) < 600
    assert data["advice"].keys() == data["sides"].keys()
    assert judge(find_scenario(scenario))[2] == []


def test_a_scenario_without_a_story_stands_and_is_told_what_is_missing(tmp_path: Path) -> None:
    bare = tmp_path / "bare.yaml"
    lines = find_example("alder-ford") / "alder-ford.yaml"
    bare.write_bytes(lines.read_bytes())
    (found,) = judge(find_scenario(str(bare)))[2]
    assert (found.code, found.is_doubt) == ("doubt.scenario.story", True)
    assert CliRunner().invoke(cli, ["scenario", "check", str(bare)]).exit_code == 0
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text("advice: {west: [1]}\nstory: 'x'\n" + bare.read_text())
    said = CliRunner().invoke(cli, ["scenario", "check", str(wrong)])
    assert said.exit_code == 1
    assert "advice" in said.output


@pytest.mark.parametrize("example", [path.name for path in library.examples()])
def test_a_recorded_game_began_with_the_scenario_as_it_is_but_for_its_story(example: str) -> None:
    """A story that came later would have changed the manifest, and with it every die."""
    of_game = find_scenario(str(library.example(example) / f"{example}.yaml")).data
    shipped = find_scenario(example).data
    told = [key for key in ("story", "advice") if key not in of_game]
    assert {key: value for key, value in shipped.items() if key not in told} == dict(of_game)


def test_the_invitation_explains_itself_and_the_game(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.new(keyed=("south",))
    packed = zipfile.ZipFile(table.game / INVITATION)
    readme = packed.read("README.txt").decode()
    assert readme.startswith("This archive is the invitation to A rope across the yard")
    assert "knot" in readme
    assert join(table.player, table.game / INVITATION, table.key("south"), "south").seat == "south"
    by_hand = (table.game / "outbox" / "invitation-south.txt").read_text()
    assert "A rope across the yard, for South" in by_hand


def test_the_pace_names_the_days_that_do_not_count() -> None:
    days = days_off(
        ["sunday", "2026-12-24 to 2027-01-06", "2027-03-26", "FREQ=MONTHLY;BYDAY=1SA", "holidays PT"]
    )
    leave = LeaveTerms(20)
    assert (
        pace(Terms(1440, leave=leave)) == "1 day for a turn; up to 20 days of leave a year, from the umpire"
    )
    assert (
        pace(Terms(4320, time=(21, 0), zone="Europe/Lisbon"))
        == "3 days for a turn, always until 21:00 (Europe/Lisbon)"
    )
    assert pace(Terms(4320, zone="Europe/Lisbon", days=days)) == (
        "3 days for a turn (Europe/Lisbon); days that do not count: Sunday, 2026-12-24 to 2027-01-06, 2027-03-26, "
        "days by the rule FREQ=MONTHLY;BYDAY=1SA and public holidays (PT)"
    )
