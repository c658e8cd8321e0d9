"""The days of a siege: plans, silence, assaults that begin anew each time, evenings, and what ends it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
import siege_castle
from msgspec.structs import replace
from siege_castle import files, laid
from skirmish import Chance

from pbem.core.dice import ScriptedDice
from pbem.core.play import Play
from pbem.core.ruleset import Ruleset, SlotResult, play_slot
from pbem.core.sequence import Cursor, parse_cursor
from pbem.rulesets.siege.orders import grammar
from pbem.rulesets.siege.orders.conditions import problems
from pbem.rulesets.siege.ruleset import CRY_HAVOC
from pbem.rulesets.siege.scenario import campaign, placing, siege_sheet
from pbem.rulesets.siege.state import saved
from pbem.rulesets.siege.state.events import FieldCleared, GameEnded, Planned, ThingLost
from pbem.rulesets.siege.state.happening import apply
from pbem.rulesets.siege.state.orders import Act
from pbem.rulesets.siege.state.state import DEAD, HEALTHY, WOUNDED, Battle, Feature, Thing
from pbem.rulesets.siege.things import battering, bombardment
from pbem.rulesets.siege.turn import siege_days
from pbem.text.source import FILES, read


def played(rules: Ruleset[Battle], battle: Battle, seed: int = 1, **said: Any) -> SlotResult[Battle]:
    """Play a slot; every state that comes of it is written and read again."""
    held = files(rules, battle, **said)
    for seat, of in held.items():
        assert rules.interface.check(rules, battle, of[0], ()).problems == (), seat
    slot = play_slot(
        rules, battle, held, {seat: (of[0], "sha512:0") for seat, of in held.items()}, Chance(seed)
    )
    assert saved.read(rules, slot.state.field, saved.write(rules, slot.state)) == slot.state
    return slot


def phases(slot: SlotResult[Battle]) -> list[str]:
    return [str(phase.cursor) for phase in slot.played]


def ended(slot: SlotResult[Battle]) -> GameEnded | None:
    return next((event for event in slot.events if isinstance(event, GameEnded)), None)


def at_assault(rules: Ruleset[Battle], battle: Battle) -> Battle:
    """Return the battle as the first game turn of an assault begins."""
    battle = played(rules, battle, baron={"day": ["assault"]}).state
    battle = played(rules, battle, garrison={"setup": []}).state
    return played(rules, battle, baron={"setup": []}).state


def to_the_evening(rules: Ruleset[Battle], battle: Battle) -> SlotResult[Battle]:
    """Play an assault on in silence until its evening is over; return the slot in which it was."""
    for seed in range(40):
        slot = played(rules, battle, seed)
        battle = slot.state
        if battle.at.phase not in {phase.id for phase in rules.sequence.phases}:
            return slot
    raise AssertionError("the assault does not end")


def test_a_siege_begins_with_a_plan_and_nobody_on_the_map() -> None:
    rules, battle = laid()
    assert battle.at == Cursor("day", day=1, part="day")
    assert rules.interface.seats_to_order(rules, battle) == ("baron",)
    assert all(unit.at == () and unit.state == HEALTHY for unit in battle.units.values())
    assert not rules.interface.over(battle)


def test_a_silent_besieger_with_no_wall_in_view_rests() -> None:
    rules, battle = laid()
    slot = played(rules, battle)
    assert phases(slot) == ["d1.day", "d1.evening", "d2.morning"]
    assert Planned("baron", "rest") in slot.events
    assert slot.rolls == ()
    assert slot.state.at == Cursor("day", day=2, part="day")


def test_a_file_without_a_plan_is_a_day_of_rest_and_one_line_of_an_engine_a_day_of_bombardment() -> None:
    rules, battle = laid()
    battle = played(rules, battle, baron={"day": ["trebuchet1 bombards 0303"]}).state
    assert played(rules, battle, baron={"day": []}).rolls == ()
    again = played(rules, battle, baron={"day": ["trebuchet2 bombards 0103"]})
    assert sorted(roll.label for roll in again.rolls) == [
        "d2.evening/bombard/0103",
        "d2.evening/bombard/0303",
    ]
    alone = played(
        rules,
        battle,
        baron={"day": ["trebuchet2 bombards 0103"], "standing": {"everyone": {"repeat": "none"}}},
    )
    assert [roll.label for roll in alone.rolls] == ["d2.evening/bombard/0103"]


def test_only_one_seat_plans_the_days() -> None:
    rules, battle = laid()
    battle = battle.with_units(replace(battle.units["raoul"], owner="arnulf"))
    assert siege_days.commander(battle) == ("arnulf",)
    assert rules.interface.seats_to_order(rules, battle) == ("arnulf",)
    assert list(campaign.listed(rules, battle, "baron")) == []
    _, found = rules.interface.read_orders(rules, battle, "baron", {"day": ["rest"]})
    assert [problem.code for problem in found] == ["orders.not-your-turn"]


def test_in_an_assault_everybody_begins_where_the_scenario_says() -> None:
    rules, battle = laid()
    slot = played(rules, battle, baron={"day": ["assault"]})
    assert phases(slot) == ["d1.day"]
    assert slot.state.at == Cursor("setup", 1, "garrison", 1, "assault")
    assert {unit.id: unit.at for unit in slot.state.units.values() if unit.at} == {
        "huard": ("0902",),
        "osgar": ("0303",),
    }
    slot = played(rules, slot.state, garrison={"setup": ["dunn at 0205"]})
    assert slot.state.at == Cursor("setup", 2, "baron", 1, "assault")
    slot = played(rules, slot.state, baron={"setup": ["hugo at 0401"]})
    assert slot.state.at == Cursor("first_missile", 1, "baron", 1, "assault")
    where = {unit.id: unit.at[0] for unit in slot.state.units.values()}
    assert where == {
        "aelfgar": "0105",
        "dunn": "0205",
        "huard": "0902",
        "hugo": "0401",
        "osgar": "0303",
        "raoul": "0101",
    }
    assert slot.state.log.assaults == 1


def test_after_an_assault_everybody_goes_back_wounds_are_rolled_for_and_the_dead_stay_dead() -> None:
    rules, battle = laid(siege_castle.SCENARIO.replace("assaults: 1", "assaults: 2"))
    battle = at_assault(rules, battle)
    units = battle.units
    battle = battle.with_units(
        replace(units["hugo"], state=WOUNDED, since="d1.t1.garrison.melee", fought="d1.t1.garrison.melee"),
        replace(units["raoul"], state=DEAD, since="d1.t1.garrison.melee"),
        replace(units["huard"], at=(), left=True),
        replace(units["dunn"], state=WOUNDED, since="d1.t1.garrison.melee", at=(), left=True),
    )
    slot = to_the_evening(rules, battle)
    cleared = next(event for event in slot.events if isinstance(event, FieldCleared))
    assert cleared.units == ("aelfgar", "dunn", "huard", "hugo", "osgar", "raoul")
    assert sorted(roll.label for roll in slot.rolls) == ["d1.evening/heal/dunn", "d1.evening/heal/hugo"]
    after = slot.state
    assert after.at == Cursor("day", day=2, part="day")
    assert all(unit.at == () and not unit.left and not unit.fought for unit in after.units.values())
    assert (after.units["raoul"].state, after.units["hugo"].state) == (DEAD, WOUNDED)

    battle = played(rules, after, baron={"day": ["assault"]}).state
    assert {unit.id for unit in battle.units.values() if unit.at} == {"huard", "osgar"}
    battle = played(rules, battle, garrison={"setup": []}).state
    assert battle.units["dunn"].at == ()  # wounded, and nobody placed him
    _, found = (
        battle,
        list(problems(rules, battle, "place", "baron", grammar.read(CRY_HAVOC, "setup", "raoul at 0101"))),
    )
    assert [problem.code for problem in found] == ["sequence.dead"]
    battle = played(rules, battle, baron={"setup": ["hugo at 0101"]}).state
    assert battle.units["hugo"].at == ("0101",)
    assert (battle.units["raoul"].at, battle.log.assaults) == ((), 2)


def test_who_is_wounded_heals_in_camp_on_his_day() -> None:
    rules, battle = laid()
    hurt = replace(battle.units["hugo"], state=WOUNDED, since="d1.t1.garrison.melee", heals=2)
    slot = played(rules, battle.with_units(hurt), baron={"day": ["rest"]})
    assert (slot.state.units["hugo"].state, slot.state.units["hugo"].heals) == (HEALTHY, 0)


def test_an_assault_is_over_when_no_besieger_is_left_on_the_map() -> None:
    rules, battle = laid(siege_castle.SCENARIO.replace("length: 2 turns", "length: 9 turns"))
    battle = at_assault(rules, battle)
    assert not siege_days.assault_ends(CRY_HAVOC, battle)
    gone = [replace(unit, at=(), left=True) for unit in battle.units.values() if unit.side == "baron"]
    battle = battle.with_units(*gone)
    assert siege_days.assault_ends(CRY_HAVOC, battle)
    slot = to_the_evening(rules, battle)
    assert "d1.evening" in phases(slot)
    assert parse_cursor(phases(slot)[0]).turn == 1


def test_who_has_yet_to_come_keeps_an_assault_going() -> None:
    said = siege_castle.SCENARIO.replace(
        "raoul-le-balafre, in: field", "raoul-le-balafre, enters: field, turn: 2"
    )
    rules, battle = laid(said.replace("length: 2 turns", "length: 9 turns"))
    battle = at_assault(rules, battle)
    others = [
        replace(unit, at=(), left=True)
        for unit in battle.units.values()
        if unit.side == "baron" and unit.id != "raoul"
    ]
    battle = battle.with_units(*others)
    assert not siege_days.assault_ends(CRY_HAVOC, battle)
    assert siege_days.assault_ends(CRY_HAVOC, battle.changed(at=replace(battle.at, turn=2)))


def test_things_begin_an_assault_as_the_scenario_has_them_and_what_is_lost_stays_lost() -> None:
    more = """- {id: ballista1, kind: ballista, side: baron, in: field}
- {id: ladder1, kind: ladder, side: baron, at: 0901 1001}
- {id: ladder2, kind: ladder, side: baron, in: field}
- {id: mantlet1, kind: mantlet, side: baron, at: 1002, facing: n}
setup:"""
    said = siege_castle.SCENARIO.replace("setup:", more).replace(
        "battering, days", "battering, days, wagons-oil"
    )
    rules, battle = laid(said.replace("assaults: 1", "assaults: 2"))
    begun = battle.things
    battle = at_assault(rules, battle)
    changes = {
        "ballista1": replace(battle.things["ballista1"], at=("0301",), facing="s", loaded=2),
        "ladder1": replace(battle.things["ladder1"], at=("0202",), stands="raised", facing="s"),
        "ladder2": replace(battle.things["ladder2"], at=("0402", "0401")),
        "trebuchet1": replace(battle.things["trebuchet1"], lost=2),
    }
    things = {id_: thing for id_, thing in {**battle.things, **changes}.items() if id_ != "mantlet1"}
    slot = to_the_evening(rules, battle.changed(things=things))
    cleared = next(event for event in slot.events if isinstance(event, FieldCleared))
    assert [thing.id for thing in cleared.things] == ["ladder1", "ladder2"]
    after = slot.state.things
    assert after["ladder1"] == begun["ladder1"]
    assert after["ladder2"] == begun["ladder2"]
    assert (after["ballista1"].at, after["ballista1"].facing, after["ballista1"].loaded) == (
        ("0301",),
        "s",
        0,
    )
    assert after["trebuchet1"].lost == 2
    assert "mantlet1" not in after


def test_what_is_lost_is_not_placed_before_the_next_assault() -> None:
    more = """- {id: ladder1, kind: ladder, side: baron, in: field}
- {id: ladder2, kind: ladder, side: baron, in: field}
setup:"""
    said = siege_castle.SCENARIO.replace("setup:", more).replace("assaults: 1", "assaults: 2")
    rules, battle = laid(said)
    battle = apply(at_assault(rules, battle), ThingLost("ladder1", "burnt"))
    battle = to_the_evening(rules, battle).state
    battle = played(rules, battle, baron={"day": ["assault"]}).state
    battle = played(rules, battle, garrison={"setup": []}).state
    assert [entry.thing.id for entry in placing.waiting(battle)] == ["ladder2"]
    battle = played(rules, battle, baron={"setup": []}).state
    assert "ladder1" not in battle.things
    assert battle.things["ladder2"].at


def test_who_begins_on_a_horse_sits_on_it_again_in_each_assault() -> None:
    riding = siege_castle.SCENARIO.replace("castle, works", "riders, castle, works").replace(
        "assaults: 1", "assaults: 2"
    )
    riding = riding.replace(
        "- {id: huard, person: huard-le-roux, at: 0902}",
        "- {id: fulbert, person: fulbert-daspremare, on: merrilock}\n  - {id: merrilock, person: merrilock, "
        "at: 0902 0903}",
    )
    rules, battle = laid(riding)
    assert (battle.units["fulbert"].on, battle.units["merrilock"].at) == ("", ())
    battle = at_assault(rules, battle)
    assert (battle.units["fulbert"].on, battle.units["fulbert"].at) == ("merrilock", ("0902", "0903"))
    slot = to_the_evening(rules, battle)
    assert (slot.state.units["fulbert"].on, slot.state.units["fulbert"].at) == ("", ())
    dead = slot.state.with_units(replace(slot.state.units["merrilock"], state=DEAD))
    battle = played(rules, dead, baron={"day": ["assault"]}).state
    assert (battle.units["fulbert"].on, battle.units["fulbert"].at, battle.units["merrilock"].at) == (
        "",
        (),
        (),
    )


# --- what ends a siege


def test_the_last_evening_ends_it_and_the_scheme_says_who_wins() -> None:
    said = siege_castle.SCENARIO.replace(
        "  - {side: garrison, when: day 3 is over}\n",
        "  at-end:\n  - {side: baron, points: 2, when: day 3 is over}\n",
    )
    rules, battle = laid(said)
    for _ in range(2):
        battle = played(rules, battle).state
    slot = played(rules, battle)
    assert phases(slot) == ["d3.day", "d3.evening"]
    assert ended(slot) == GameEnded("baron", "time", "decisive", (("baron", 2), ("garrison", 0)))


def test_a_day_that_is_over_ends_it_at_once() -> None:
    rules, battle = laid(siege_castle.SCENARIO.replace("day 3 is over", "day 2 is over"))
    battle = played(rules, battle).state
    found = ended(played(rules, battle))
    assert found is not None
    assert (found.winner, found.why) == ("garrison", "at-once")


def test_who_lifts_the_siege_has_lost_it() -> None:
    rules, battle = laid()
    slot = played(rules, battle, baron={"day": ["lift the siege"]})
    assert ended(slot) == GameEnded("garrison", "lifted")
    assert phases(slot) == ["d1.day"]


def test_a_mark_held_when_an_assault_ends_wins_and_not_before() -> None:
    rules, battle = laid()
    battle = at_assault(rules, battle)
    battle = battle.with_units(replace(battle.units["hugo"], at=("0406",)))
    first = played(rules, battle)
    assert ended(first) is None
    found = ended(to_the_evening(rules, first.state))
    assert found is not None
    assert (found.winner, found.why) == ("baron", "at-once")


def test_too_few_unwounded_soldiers_on_a_morning_lose() -> None:
    rules, battle = laid(
        siege_castle.SCENARIO.replace("fewer than 1 unwounded soldier", "fewer than 2 unwounded soldiers")
    )
    hurt = replace(battle.units["osgar"], state=WOUNDED, since="d1.t1.baron.melee", heals=9)
    assert ended(played(rules, battle)) is None
    found = ended(played(rules, battle.with_units(hurt)))
    assert found is not None
    assert (found.winner, found.why) == ("baron", "at-once")  # dunn is a peasant and counts for nothing


@pytest.mark.parametrize(
    ("when", "ends"),
    [
        ("dead of the enemy reach 3", False),
        ("dead of the enemy reach 2", True),
        ("losses of the enemy reach 3", True),
    ],
)
def test_losses_end_a_siege(when: str, ends: bool) -> None:
    said = siege_castle.SCENARIO.replace(
        "  - {side: garrison, when: day 3 is over}", f"  - {{side: garrison, when: {when}, scale: lp}}"
    )
    rules, battle = laid(said.replace("victory:", "scales:\n  lp: {other: 2}\nvictory:"))
    units = battle.units
    dead, hurt = (
        replace(units["hugo"], state=DEAD),
        replace(units["raoul"], state=WOUNDED, since="d1.t1.baron.melee", heals=9),
    )
    assert bool(ended(played(rules, battle.with_units(dead, hurt)))) is ends


def test_the_game_goes_on_while_a_side_has_somebody_in_camp_and_ends_when_it_has_not() -> None:
    rules, battle = laid()
    dead = [replace(unit, state=DEAD) for unit in battle.units.values() if unit.side == "baron"]
    assert ended(played(rules, battle.with_units(*dead[:2]))) is None
    found = ended(played(rules, battle.with_units(*dead)))
    assert found is not None
    assert found.why == "nobody-left"


# --- orders, listed and judged


def test_what_is_listed_for_a_day_is_what_is_legal() -> None:
    rules, battle = laid()
    battle = battle.changed(
        features={
            ("0103", "wall"): Feature("0103", "wall", damage=4),
            ("0103", "rubble"): Feature("0103", "rubble"),
        },
        things={**battle.things, "mangonel1": replace(battle.things["mangonel1"], lost=1)},
    )
    listed = list(rules.interface.legal(rules, battle, "baron"))
    assert len(set(listed)) == len(listed)
    every = [Act("plan", what=plan) for plan in siege_days.PLANS]
    for engine in battle.things:
        every += [Act("bombard", (engine,), to=(hex_,)) for hex_ in battle.field.ground]
        every.append(Act("repair", (engine,)))
    legal = [order for order in every if next(problems(rules, battle, "act", "baron", order), None) is None]
    assert set(listed) == set(legal)
    assert Act("repair", ("mangonel1",)) in listed
    assert Act("bombard", ("trebuchet1",), to=("0103",)) not in listed
    for order in listed:
        assert grammar.read(CRY_HAVOC, "day", rules.interface.say(order)) == order


def test_the_plan_can_only_be_one_and_only_as_often_as_the_scenario_allows() -> None:
    rules, battle = laid()
    battle = apply(battle, Planned("baron", "assault", 1)).changed(at=Cursor("day", day=2, part="day"))

    def codes(*lines: str) -> list[str]:
        told = files(rules, battle, baron={"day": list(lines)})["baron"][0]
        return [problem.code for problem in rules.interface.check(rules, battle, told, ()).problems]

    assert codes("assault") == ["campaign.no-more-assaults"]
    assert codes("rest", "bombard") == ["campaign.planned"]
    assert codes("rest", "rest") == []
    assert codes("bombard", "trebuchet1 bombards 0303") == []
    broken = {name: replace(thing, lost=3) for name, thing in battle.things.items()}
    battle = battle.changed(things=broken)
    assert codes("bombard") == ["campaign.no-engine"]
    assert played(rules, battle).rolls == ()


def test_the_turn_of_a_file_may_be_the_day_alone() -> None:
    rules, battle = laid()
    for said in ("d1", "d1.day"):
        told, found = rules.interface.read_orders(rules, battle, "baron", {"turn": said, "day": ["rest"]})
        assert told is not None and found == []
    for said in ("d2", "d2.day", "t1", "d1.t1"):
        _, found = rules.interface.read_orders(rules, battle, "baron", {"turn": said, "day": ["rest"]})
        assert [problem.code for problem in found] == ["orders.turn"]
        assert found[0].help == "turn: d1"


def test_sections_of_a_day_and_of_an_assault_are_told_apart() -> None:
    rules, battle = laid()
    _, found = rules.interface.read_orders(rules, battle, "baron", {"move": ["hugo to 0102"]})
    assert [problem.code for problem in found] == ["orders.day-first"]
    _, found = rules.interface.read_orders(rules, at_assault(rules, battle), "baron", {"day": ["rest"]})
    assert [problem.code for problem in found] == ["orders.day-over"]
    names = [
        ("mangonel1, mangonel1 bombard 0303", "orders.named-twice"),
        ("hugo bombards 0303", "orders.not-your-engine"),
    ]
    for line, code in [
        *names,
        ("mangnel1 bombards 0303", "name.unknown"),
        ("mangonel1 bombards 9903", "orders.off-map"),
    ]:
        _, found = rules.interface.read_orders(rules, battle, "baron", {"day": [line]})
        assert [problem.code for problem in found] == [code]


def test_what_is_told_of_a_plan_before_it_is_final() -> None:
    rules, battle = laid()
    told = files(
        rules,
        battle,
        baron={"day": ["bombard", "trebuchet1, trebuchet2 bombard 0303", "mangonel1 bombards 0306"]},
    )["baron"][0]
    lines = rules.interface.forecast(rules, rules.interface.check(rules, battle, told, ()).course)
    assert lines[0].endswith("each engine at the wall that its line names")
    assert lines[1].endswith("battlement, 6 points: of 10, 4 a step of damage, 2 damage to the engines")
    assert lines[2].endswith("keep, 1 points: of 10, 0 a step of damage, 2 damage to the engines")


def test_the_order_sheet_of_a_day_has_the_plans_and_each_engine() -> None:
    rules, battle = laid()
    things = {**battle.things, "mangonel1": replace(battle.things["mangonel1"], lost=1)}
    things["trebuchet1"] = replace(things["trebuchet1"], aim="0303", struck="d0.day")
    things["trebuchet2"] = replace(things["trebuchet2"], lost=1, repair_until=2)
    battle = battle.changed(things=things)
    entries = {entry.unit: entry for entry in rules.interface.sheet(rules, battle, "baron")}
    assert list(entries) == ["plan", "mangonel1", "trebuchet1"]
    assert entries["plan"].about == "day 1 of 3; assaults made: 0 of 1"
    assert {choice.sentence: choice.notes for choice in entries["plan"].choices} == {
        "assault": ("the setup follows, then game turns",),
        "bombard": ("without another line: trebuchet1 0303",),
        "rest": ("nothing happens",),
        "lift the siege": ("you give the siege up",),
    }
    assert entries["mangonel1"].about == "mangonel, 0 of 1 points"
    assert [(choice.sentence, choice.notes) for choice in entries["mangonel1"].choices] == [
        ("repair mangonel1", ("whole on the morning of day 2",))
    ]
    (walls,) = entries["trebuchet1"].choices
    assert walls.sentence == "trebuchet1 bombards 0103"
    assert dict(walls.others) == {
        "battlement": tuple(f"0{n}03" for n in range(1, 9)),
        "keep": ("0306", "0406", "0506", "0407"),
    }
    assert list(rules.interface.sheet(rules, battle, "garrison")) == []


def test_points_below_the_first_column_roll_nothing() -> None:
    rules, battle = laid()
    assert (battering.column(rules, 0), battering.column(rules, 2), battering.column(rules, 99)) == (
        "",
        "1",
        "12",
    )
    assert battering.chances(rules, battle, "0303", 0) == (0, 0)
    assert [battering.chances(rules, battle, "0303", points) for points in (1, 3, 6, 9, 12)] == [
        (1, 1),
        (2, 1),
        (4, 2),
        (6, 3),
        (8, 4),
    ]
    assert battering.chances(rules, battle, "0306", 9) == (5, 4)
    play = Play(battle, "d1.evening", apply, ScriptedDice({}))
    assert battering.strike(rules, play, "0303", 0, name="bombard/0303") == battering.Blow(0, 0, -1)
    assert play.events == []
    assert battering.kind_of(battle, "9999") == ""


def test_what_is_no_engine_of_stones_bombards_nothing() -> None:
    rules, battle = laid()
    ballista = Thing("ballista1", "ballista", side="baron", at=("0101",))
    found = bombardment.out_of_use(rules, battle.changed(things={"ballista1": ballista}), ballista)
    assert found is not None
    assert (found.code, found.rule) == ("bombardment.no-engine", "S4.11a")


# --- the sheet


def test_the_sheet_has_every_wall_and_every_engine() -> None:
    rules, battle = laid()
    kinds = {row.at: row.kind for row in siege_sheet.rows(rules, battle)}
    assert kinds == {
        **{f"0{n}03": "battlement" for n in range(1, 9)},
        **dict.fromkeys(("0306", "0406", "0506", "0407"), "keep"),
    }
    damaged = {
        ("0303", "wall"): Feature("0303", "wall", damage=2, bombarded=True, last=1),
        ("0406", "rubble"): Feature("0406", "rubble"),
    }
    engines = {
        **battle.things,
        "trebuchet1": replace(battle.things["trebuchet1"], lost=2, repair_until=2, aim="0303"),
    }
    battle = battle.changed(features=damaged, things=engines)
    rows = {row.at: row for row in siege_sheet.rows(rules, battle)}
    assert (rows["0303"].steps, rows["0303"].said, rows["0303"].bombarded, rows["0303"].last) == (
        2,
        "damaged",
        True,
        1,
    )
    assert (rows["0406"].steps, rows["0406"].said) == (4, "destroyed")
    assert siege_sheet.record(rules, battle) == (
        "day 1 of 3; assaults made: 0 of 1",
        "0303 battlement: damaged (2 of 4 steps, last on day 1), bombarded",
        "0406 keep: destroyed (4 of 4 steps)",
        "10 of 12 walls have not been struck",
        "mangonel1: 1 of 1 destruction points",
        "trebuchet1: 1 of 3 destruction points, under repair until day 2, bombarded 0303 last",
        "trebuchet2: 3 of 3 destruction points",
    )


def test_walls_beside_the_bridge_and_plans_are_named_on_the_sheet() -> None:
    rules, battle = laid()
    field = replace(battle.field, marks={**battle.field.marks, "gate-flank": ("0303",)})
    battle = battle.changed(
        field=field, features={("0303", "wall"): Feature("0303", "wall", bombarded=True)}, things={}
    )
    battle = apply(battle, Planned("baron", "bombard"))
    assert siege_sheet.record(rules, battle)[:2] == (
        "day 1 of 3, planned: bombard; assaults made: 0 of 1",
        "0303 wall beside the drawbridge: whole (0 of 4 steps), bombarded",
    )


def test_a_game_without_a_siege_has_no_sheet() -> None:
    rules, battle = laid()
    battle = battle.changed(field=replace(battle.field, siege=None), things={})
    assert siege_sheet.record(rules, battle) == ()


# --- what a scenario may say


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        (
            "battering, days]",
            "days]",
            {("scenario.not-in-force", ("siege",)), ("scenario.not-in-force", ("things", 0, "kind"))},
        ),
        ("days: 3\n", "", {("scenario.siege-days", ("siege",))}),
        ("besieger: baron", "besieger: bishop", {("scenario.unknown-side", ("siege", "besieger"))}),
        (
            "siege: {besieger: baron, assaults: 1}",
            "siege: {assaults: 1}",
            {("scenario.unknown-side", ("siege",))},
        ),
        ("assaults: 1", "assaults: some", {("scenario.number", ("siege", "assaults"))}),
        (
            "{seat: baron, may: [place]}",
            "{seat: baron, may: [place, rubble]}",
            {("scenario.siege-rubble", ("setup", 1, "may"))},
        ),
        (
            "siege: {besieger: baron, assaults: 1}\n",
            "",
            {("scenario.no-siege", ("victory", "at-once", n, "when")) for n in range(3)},
        ),
        ("keep is held at", "cellar is held at", {("scenario.mark", ("victory", "at-once", 0, "when"))}),
    ],
)
def test_what_is_wrong_with_a_siege_is_said(
    old: str, new: str, wanted: set[tuple[str, tuple[object, ...]]]
) -> None:
    assert old in siege_castle.SCENARIO
    data = read(siege_castle.SCENARIO.replace(old, new).encode(), "scenario.yaml", limits=FILES).data
    map_ = read(siege_castle.MAP.encode(), "map.yaml", limits=FILES).data
    assert isinstance(data, Mapping)
    from pbem.core.ruleset import choose
    from pbem.rulesets.siege.ruleset import SIEGE

    rules, _ = choose(SIEGE, data["modules"], {})
    assert rules is not None
    _, of_scenario, _ = rules.interface.read_field(rules, data, map_)
    assert wanted <= {(problem.code, problem.path) for problem in of_scenario}
