"""Armies that players build: what is wrong with one is told at once and at its place, both come onto the
table together, and neither side learns of the other's before it has sent its own.
"""

from __future__ import annotations

import json
import re

import pytest
import yaml
from castle_cases import war_of
from farm_table import FarmTable
from jsonschema import Draft7Validator

from pbem.bots.chance import SeedDice
from pbem.core.ruleset import play_slot
from pbem.referee.explain.army_check import army_schema
from pbem.referee.game.replay import first_state
from pbem.referee.game.scenario import find_scenario, judge
from pbem.rulesets.castle.movement import walk
from pbem.rulesets.castle.orders import Order, parse_army, say
from pbem.rulesets.castle.ruleset import CASTLE
from pbem.rulesets.castle.views import state_from_plain, state_to_plain

HILL = """\
side: hill
army:
- grul is an ogre at 20 46 facing s
- pick is a sapper at 22.8 46 facing s
- spade is a sapper at 24 46 facing s
- alf is a footman at 30 46 facing s
- bero is a footman at 31.2 46 facing s
- cuno is a footman at 32.4 46 facing s
- ladder2 is carried by alf, bero and cuno
luck: the wind is in the north today
"""
KEEP = """\
side: keep
army:
- tower is a heavy round tower at 24 12
- wall1 is a light wall at 19 12
- wall2 is a wall at 29 12
- wall3 is a light wall at 35 12
- alf is a crossbow on tower at 24 12 facing n
- joss is a captain at 24 9.4
- ladder1 is a ladder at wall2 at 29 11
luck: stones and mortar and more stones
"""
WRONG = """\
side: hill
army:
- dag is a footman with a hat
- big is a rolling titan at 24 45.5
- alf is a footman at 12 46
- alf is a footman at 14 46
- bero is a wizard at 16 46
- fort is a light wall at 20 46
- ladder2 is carried by alf, nobody, big
- a1 is a rolling titan at 30 46.5
- a2 is a rolling titan at 36 46.5
- zeno is a footman at 40 46 facing 400
"""
SAID = (
    "brask is a captain at 24 43 facing s",
    "grul is an ogre at 24 43.25",
    "wall1 is a light wall at 6 9 facing 90",
    "tower is a heavy round tower at 6 9",
    "gate is a wall with passage at 6 9",
    "matz is a crossbow on wall1 at 6 9 facing n",
    "ladder1 is a ladder at wall1 at 6 8",
    "ladder2 is carried by alf, bero, cuno",
    "plank1 is a plank from wall1 to wall2",
)


@pytest.mark.parametrize("line", SAID)
def test_a_line_of_an_army_reads_back_as_the_same(line: str) -> None:
    order = parse_army(line)
    assert isinstance(order, Order)
    assert say(order) == line


def test_the_form_of_an_army_knows_its_lines_and_what_is_none() -> None:
    """An editor completes the examples, and underlines what does not match."""
    lines = army_schema("kestrel-open")["properties"]["army"]["items"]
    pattern = re.compile(lines["pattern"])
    for line in (*SAID, *lines["examples"], "Brask Is A Captain at 24 43", "p is a plank between w1 and w2"):
        assert pattern.search(line) and parse_army(line) is not None, line
    for line in ("brask is captain", "brask is a captain", "a captain at 24 43"):
        assert not pattern.search(line)


def test_an_editor_is_given_the_form_with_the_sides_of_the_scenario(table: FarmTable) -> None:
    said = table.fine("army", "schema", "--scenario", "kestrel-open", "-o", "army.schema.json")
    assert "$schema=army.schema.json" in said
    form = json.loads((table.root / "army.schema.json").read_text("utf-8"))
    Draft7Validator.check_schema(form)
    assert form["properties"]["side"]["enum"] == ["hill", "keep"]
    for text in (HILL, KEEP):
        assert list(Draft7Validator(form).iter_errors(yaml.safe_load(text))) == []
    wrong = yaml.safe_load(HILL.replace("army:", "amry:").replace("side: hill", "side: hil"))
    assert len(list(Draft7Validator(form).iter_errors(wrong))) == 3
    assert "nobody builds" in table.typed("army", "schema", "--scenario", "kestrel-tower").output


def test_a_key_that_an_army_does_not_have_is_told_at_its_place(table: FarmTable) -> None:
    (table.root / "keys.yaml").write_text("side: hill\namry:\n- alf is a footman at 12 46\nspeed: 6\n")
    told = table.typed("army", "check", "keys.yaml", "--scenario", "kestrel-open")
    assert "keys.yaml:2:1: schema.unknown-key" in told.output
    assert "did you mean 'army'?" in told.output
    assert "keys.yaml:4:1: schema.unknown-key" in told.output


PLANKED = """\
side: keep
army:
- wall1 is a light wall at 6 9
- wall2 is a light wall at 14 9
- wall3 is a light wall at 20.5 12
- plank1 is a plank from wall1 to wall2
- abe is a footman on wall1 at 8 9
"""


def test_planks_of_an_army_lie_between_its_walls_and_are_walked_over(table: FarmTable) -> None:
    _, ground, _ = judge(find_scenario("kestrel-open"))
    war, rules = first_state(ground, {"ann": "hill", "bob": "keep"}), ground.rules
    lines = yaml.safe_load(PLANKED)["army"]
    sheet, unread = rules.interface.read_orders(rules, war, "bob", {"army": lines})
    assert unread == [] and not rules.interface.check(rules, war, sheet, ()).problems
    played = play_slot(rules, war, {"bob": (sheet,)}, {}, SeedDice("no die falls")).state
    assert [plank.joins for plank in played.planks] == [("wall1", "wall2")]
    there = state_from_plain(rules, played.board, state_to_plain(rules, played))
    assert there == played
    found = walk(rules, there, there.figure("abe"), ((1400, 900),), 700)
    assert (found.path[-1], found.on) == ((1400, 900), "wall2")


def test_a_plank_that_leads_nowhere_is_told_where_it_stands(table: FarmTable) -> None:
    wrong = PLANKED + "- plank2 is a plank from wall2 to wall3\n- plank3 is a plank from wall2 to gate\n"
    (table.root / "planks.yaml").write_text(wrong)
    told = table.typed("army", "check", "planks.yaml", "--scenario", "kestrel-open")
    found = re.findall(r"planks\.yaml:(\d+):\d+: ([a-z.-]+)", told.output)
    assert found == [("8", "castle.plank"), ("9", "castle.no-section")]


@pytest.mark.parametrize(
    "line", ["", "brask is captain", "brask is a captain", "a is a b at 1 2 facing up", "x is carried by a"]
)
def test_what_is_no_line_of_an_army_is_none(line: str) -> None:
    assert parse_army(line) is None


@pytest.fixture
def table(tmp_path_factory: pytest.TempPathFactory) -> FarmTable:
    table = FarmTable(tmp_path_factory.mktemp("armies"))
    for name, text in (("hill", HILL), ("keep", KEEP), ("wrong", WRONG)):
        (table.root / f"{name}.yaml").write_text(text)
    return table


def test_an_army_is_checked_before_there_is_a_game(table: FarmTable) -> None:
    told = table.fine("army", "check", "keep.yaml", "--scenario", "kestrel-open")
    assert "tower is a heavy round tower at 24 12 (113 points)" in told
    assert "nothing is wrong with it" in told
    assert (
        "nobody builds an army"
        in table.typed("army", "check", "keep.yaml", "--scenario", "kestrel-tower").output
    )


def test_everything_wrong_with_an_army_is_told_at_once_where_it_stands(table: FarmTable) -> None:
    told = table.typed("army", "check", "wrong.yaml", "--scenario", "kestrel-open")
    assert told.exit_code == 1
    found = set(re.findall(r"wrong\.yaml:(\d+):\d+: ([a-z.-]+)", told.output))
    assert found == {
        ("3", "castle.gibberish"),
        ("4", "castle.before-line"),
        ("4", "castle.no-place"),
        ("6", "castle.same-name"),
        ("7", "castle.kind"),
        ("8", "castle.not-his-castle"),
        ("9", "castle.nobody"),
        ("10", "castle.before-line"),
        ("11", "castle.before-line"),
        ("10", "castle.no-place"),
        ("11", "castle.no-place"),
        ("12", "castle.facing"),
        ("3", "castle.points"),
    }


def test_what_is_to_be_typed_is_told_as_it_is_typed_in_another_language_too(table: FarmTable) -> None:
    told = table.typed("--language", "de", "army", "check", "wrong.yaml", "--scenario", "kestrel-open").output
    assert "etwa: odo is a captain at 24 46 facing s; wall1 is a light wall at 6 9" in told
    assert "es gibt 'bombard', 'captain'," in told


def new_game(table: FarmTable) -> None:
    table.fine(
        "new",
        "kestrel-open",
        "game",
        "--seat",
        "hill=Ann",
        "--seat",
        "keep=Bob",
        "--umpire",
        "--id",
        "open-0a1b2c",
    )
    for seat in ("hill", "keep"):
        table.fine("admit", "game", "--seat", seat, "--words", "yes, I play")


def test_armies_are_sealed_until_both_are_in_and_then_the_game_goes_on(table: FarmTable) -> None:
    new_game(table)
    table.fine("submit", "keep.yaml", "--game", "game", "--seat", "keep")
    # whoever has sent his army has it to himself: nothing made for the other, or for all, tells of it
    table.fine("render", "game", "--seat", "hill", "-o", "hill.svg")
    table.fine("options", "game", "--seat", "hill", "-o", "sheet.yaml")
    table.fine("packet", "game", "--seat", "hill", "-o", "packet.html")
    for name in ("hill.svg", "sheet.yaml", "packet.html"):
        text = (table.root / name).read_text()
        assert "round tower at 24 12" not in text and "tower is a" not in text
    assert "heavy" not in table.fine("status", "game")
    # and nobody exchanges one that stands
    (table.root / "other.yaml").write_text(KEEP.replace("heavy", "light"))
    assert table.typed("submit", "other.yaml", "--game", "game", "--seat", "keep").exit_code != 0
    table.fine("submit", "hill.yaml", "--game", "game", "--seat", "hill")
    table.slot()
    report = " ".join(table.fine("report", "game").split())
    assert "The army of the garrison of the tower: tower is a heavy round tower at 24 12" in report
    assert "ladder2 is carried by alf, bero, cuno" in report
    (table.root / "first.yaml").write_text(
        "actions:\n- alf, bero, cuno move 6 s\nluck: off we go then, all three\n"
    )
    table.fine("submit", "first.yaml", "--game", "game", "--seat", "hill")
    table.slot()
    (table.root / "second.yaml").write_text(
        "actions:\n- keep-alf turns to 10\nluck: whoever has the longer arm\n"
    )
    table.fine("submit", "second.yaml", "--game", "game", "--seat", "keep")
    table.slot()
    table.fine("pack", "game", "open.zip")
    assert "0 failures" in table.fine("verify", "open.zip")


def test_who_sends_no_army_has_that_of_the_scenario_and_names_are_kept_apart() -> None:
    _, ground, _ = judge(find_scenario("kestrel-open"))
    rules, war = ground.rules, first_state(ground, {"ann": "hill", "bob": "keep"})
    assert (str(war.at), war.all) == ("setup.1", ())
    assert rules.interface.seats_to_order(rules, war) == ("ann", "bob")
    lines = ["alf is a footman at 24 46", "matz is an ogre at 30 46"]
    sheet, unread = rules.interface.read_orders(rules, war, "ann", {"army": lines})
    assert unread == []
    assert not rules.interface.check(rules, war, sheet, ()).problems
    files = {"ann": (sheet, "a")}
    played = play_slot(rules, war, {"ann": (sheet,)}, files, SeedDice("no die falls"))
    after = played.state
    assert str(after.at) == "t1.hill.actions"
    # the castle's Matz comes second, for the hill plays first
    assert {one.id for one in after.figures if one.side == "hill"} == {"alf", "matz"}
    assert after.figure("keep-matz").on == "wall3"
    assert (after.figure("alf").owner, after.section("kestrel").owner) == ("ann", "bob")


def test_lines_that_cannot_be_read_shift_no_mistake_to_another_line() -> None:
    war = war_of(
        CASTLE,
        {"warriors": {"odo": {"kind": "footman", "at": "14 30"}, "hal": {"kind": "footman", "at": "20 30"}}},
    )
    lines = ["odo flies", "odo dances", "hal attacks odo"]
    sheet, unread = CASTLE.interface.read_orders(CASTLE, war, "hill", {"actions": lines})
    assert [one.path for one in unread] == [("actions", 0), ("actions", 1)]
    (found,) = CASTLE.interface.check(CASTLE, war, sheet, ()).problems
    assert (found.code, found.path) == ("castle.no-enemy", ("actions", 2))
