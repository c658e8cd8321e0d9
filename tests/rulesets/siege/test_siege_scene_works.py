"""Bridges, ladders, engines, damage and fire on a scene; what a blow, a fall and a moved engine leave on it;
the record sheet.
"""

from __future__ import annotations

import siege_castle
import skirmish
from msgspec.structs import replace

from pbem.core.sequence import Cursor
from pbem.geometry.hex import centre, corners, hexside, side_points
from pbem.rulesets.siege.ruleset import SIEGE
from pbem.rulesets.siege.state import events, traces
from pbem.rulesets.siege.state.field import Fixture, OnSide
from pbem.rulesets.siege.state.state import Battle, Feature, Thing
from pbem.rulesets.siege.views import scene, scene_plan, scene_works

MEN = {
    "tom": ("east", "spearman", "0505"),
    "wat": ("east", "spearman", "0605"),
    "kit": ("west", "peasant", "0303"),
}
BRIDGE = Fixture("bridge", "drawbridge", ("0402", "0403"), hexside("0404", "n"), "0504", "raised")


def battle(*things: Thing, features: tuple[Feature, ...] = (), fixtures: tuple[Fixture, ...] = ()) -> Battle:
    walls = {
        hexside("0304", side): (OnSide(kind, "0304", side),)
        for side, kind in (("n", "parapet"), ("ne", "slit"), ("s", "door"))
    }
    ground = replace(skirmish.field(), fixtures={each.id: each for each in fixtures}, sides_of_hexes=walls)
    by_id = {thing.id: thing for thing in things}
    found = skirmish.battle(MEN, "movement", ground, things=by_id)
    return replace(found, features={(each.at, each.is_): each for each in features})


def shown(*things: Thing, **more: object) -> dict[str, object]:
    where = battle(*things, **more)  # type: ignore[arg-type]
    return {thing.id: thing for thing in scene_works.things(SIEGE, where)}


def plain(*happened: object) -> list[dict[str, object]]:
    return [{"n": n, **events.plain(event)} for n, event in enumerate(happened)]


# --- things


def test_a_bridge_is_shown_from_its_gate_outwards_with_its_winch():
    found = shown(Thing("bridge", "drawbridge", stands="lowered"), fixtures=(BRIDGE,))
    bridge, winch = found["bridge"], found["bridge-winch"]
    assert (bridge.kind, bridge.stands, bridge.at, bridge.facing) == (
        "drawbridge",
        "lowered",
        ("0403", "0402"),
        "s",
    )
    assert bridge.cells == (centre("0403"), centre("0402"))
    assert bridge.description == f"drawbridge, lowered, gate on the side {BRIDGE.gate}, winch in 0504"
    assert (winch.kind, winch.cells, winch.description) == ("winch", (centre("0504"),), "")


def test_a_map_shows_its_bridge_as_it_begins():
    (bridge, winch) = scene_works.fixtures(battle(fixtures=(BRIDGE,)).field)
    assert (bridge.stands, winch.kind) == ("raised", "winch")
    assert list(scene_works.fixtures(battle().field)) == []
    nobody = replace(battle(fixtures=(BRIDGE,)).field, sides=())
    part = scene.scene(SIEGE, Battle(nobody, Cursor("over"), {}))
    assert [thing.id for thing in part.things] == ["bridge", "bridge-winch"]


def test_a_ladder_lies_is_carried_or_leans_over_a_side():
    found = shown(
        Thing("l1", "ladder", ("0505", "0605"), stands="carried", by=("tom", "wat"), side="east"),
        Thing("l2", "ladder", ("0801", "0802"), side="east"),
        Thing("l3", "ladder", ("0303",), "s", "raised", side="east"),
        Thing("l4", "ladder", by=("tom",)),
        Thing("l5", "ladder", ("0101",), "nw", "raised"),
    )
    assert (found["l1"].stands, found["l1"].by, found["l1"].description) == (
        "carried",
        ("tom", "wat"),
        "ladder, carried by tom and wat",
    )
    assert (found["l2"].stands, found["l2"].description, found["l2"].side) == (
        "lying",
        "ladder, lying",
        "east",
    )
    assert (found["l3"].stands, found["l3"].facing) == ("raised", "s")
    assert found["l3"].description == "ladder, upright, leaning s against 0304"
    assert (found["l4"].stands, found["l4"].at) == ("carried", ("0505",))
    assert found["l5"].description == "ladder, upright, leaning nw"


def test_engines_say_where_they_face_and_how_far_they_are():
    found = shown(
        Thing("tower1", "siege-tower", ("0601", "0701", "0602"), "n", side="east"),
        Thing("b1", "ballista", ("0901",), "ne", loaded=2, crew=("tom", "wat")),
        Thing("b2", "ballista", ("0903",), "s", loaded=3),
        Thing("m1", "mangonel", away=True, lost=1, repair_until=3),
        Thing("m2", "trebuchet", ("1001",), "n", lost=2),
        Thing("mantlet1", "mantlet", ("0303",), "ne", by=("kit",)),
        Thing("oil1", "oil", by=("kit",)),
        Thing("wagon1", "wagon", ("0201", "0202"), "n"),
        Thing("nowhere", "ram"),
    )
    assert sorted(found) == ["b1", "b2", "m1", "m2", "mantlet1", "oil1", "tower1"]
    assert found["tower1"].description == "siege tower, facing n"
    assert found["tower1"].cells == tuple(map(centre, ("0601", "0701", "0602")))
    assert (found["b1"].number, found["b1"].full, found["b1"].by) == (2, 3, ("tom", "wat"))
    assert found["b1"].description == "ballista, facing ne, loaded for 2 of 3 turns"
    assert found["b2"].description == "ballista, facing s, loaded"
    assert (found["m1"].cells, found["m1"].at) == ((), ())
    assert found["m1"].description == "mangonel, off the map, 1 point lost, under repair on day 3"
    assert found["m2"].description == "trebuchet, facing n, 2 points lost"
    assert found["mantlet1"].description == "mantlet, along the side ne, with kit"
    assert (found["oil1"].at, found["oil1"].description, found["oil1"].full) == (
        ("0303",),
        "barrel of oil, with kit",
        0,
    )
    assert [
        thing.id
        for thing in scene_works.things(
            SIEGE, battle(Thing("a", "mangonel", away=True), Thing("b", "oil", ("0101",)))
        )
    ] == ["b", "a"]


def test_wagons_are_counters_and_other_things_are_not():
    drawn = scene.scene(
        SIEGE,
        battle(
            Thing("wagon1", "wagon", ("0201", "0202"), "n"),
            Thing("ram1", "ram", ("0601", "0602", "0603"), "n"),
        ),
    )
    assert "wagon1" in {token.id for token in drawn.tokens}
    assert "ram1" not in {token.id for token in drawn.tokens}
    assert [thing.id for thing in drawn.things] == ["ram1"]


# --- what became of the ground


def test_damage_counts_steps_on_the_walls_of_its_hex_and_fire_counts_turns():
    found = list(
        scene_works.features(
            battle(
                features=(
                    Feature("0304", "wall", damage=3, turns=9),
                    Feature("0101", "fire", turns=2, damage=9),
                    Feature("0201", "filled", damage=9, turns=9),
                )
            )
        )
    )
    assert [(each.kind, each.at, each.number) for each in found] == [
        ("fire", "0101", 2),
        ("filled", "0201", 0),
        ("wall", "0304", 3),
    ]
    assert found[2].sides == tuple(
        side_points("0304", side) for side in sorted(("n", "ne"), key=lambda side: hexside("0304", side))
    )
    assert (found[0].sides, found[0].centre, found[0].corners) == ((), centre("0101"), corners("0101"))
    assert scene.scene(SIEGE, battle(features=(Feature("0101", "burnt"),))).features[0].kind == "burnt"


# --- what happened


def traced(where: Battle, told: list[dict[str, object]]) -> list[tuple[object, ...]]:
    return [
        (each.kind, each.side, each.path, each.actors, each.targets, each.text)
        for each in traces.traces(SIEGE, where, told)
    ]


def test_an_engine_that_moved_shows_its_way_and_who_is_in_it_shot_from_where_it_was():
    where = battle(Thing("tower1", "siege-tower", ("0504", "0604", "0505"), "n", side="east"))
    told = plain(
        events.Shot("kit", "tom", "short_bow", 3, "short", "none", ("0303", "0506"), 9, "C"),
        events.ThingMoved(
            "tower1",
            ("0504", "0604", "0505"),
            passengers=(("tom", "0505"), ("wat", "0604@top")),
            was=("0505", "0605", "0506"),
        ),
    )
    assert traced(where, told)[1] == ("roll", "east", (centre("0505"), centre("0504")), ("tower1",), (), "")
    back = traces._Back(where)
    back.undo(told[1], "")
    assert back.places["tom"] == ("0506",)
    assert back.places["wat"] == ("0605@top",)
    assert set(traces.touched(where, told[1])) == {"0504", "0604", "0505", "0605", "0506"}
    silent = plain(events.ThingMoved("tower1", ("0504",)))
    assert traced(where, silent) == []


def test_a_fall_leads_from_the_ladder_or_the_bridge_to_where_somebody_lies():
    where = battle(
        Thing("bridge", "drawbridge", stands="raised"),
        Thing("l1", "ladder", ("0605", "0606")),
        fixtures=(BRIDGE,),
    )
    told = plain(
        events.LadderToppled("l1", ("0605", "0606")),
        events.Fell("tom", ("0505",), 0),
        events.ThingChanged("bridge", stands="raised"),
        events.Fell("kit", ("0303",), 2),
        events.Fell("wat", ("0605",)),
        events.Fell("wat", ("0605",), 1),
    )
    assert traced(where, told) == [
        ("fall", "east", (centre("0605"), centre("0505")), ("tom",), (), ""),
        ("fall", "west", (centre("0402"), centre("0303")), ("kit",), (), ""),
    ]
    back = traces._Back(where)
    back.undo(told[1], "0605")
    assert back.places["tom"] == ("0605",)
    assert set(traces.touched(where, told[2])) == {"0402", "0403"}
    assert set(traces.touched(where, told[0])) == {"0605", "0606"}
    assert set(traces.touched(where, told[1])) == {"0505"}
    assert list(traces.touched(where, plain(events.ThingChanged("l1", stands="lying"))[0])) == []
    assert list(traces.touched(where, plain(events.FeatureChanged("0303", "fire", turns=1))[0])) == ["0303"]
    assert list(traces.touched(where, plain(events.FeatureGone("0303", "fire"))[0])) == ["0303"]


def rolled(value: int, result: str) -> events.Rolled:
    return events.Rolled("die", 10, (value,), "S4.13b", "battering", "9", str(value), (), value, result, "")


def test_blows_at_walls_say_what_they_came_to():
    where = battle(
        Thing("ram1", "ram", ("0303", "0302", "0301"), "s", side="east"),
        Thing("m1", "mangonel", away=True, side="west"),
    )
    told = plain(
        events.RamStruck("ram1", "0304", "t3.east.melee"),
        rolled(7, "D"),
        events.FeatureChanged("0304", "wall", damage=2),
        events.Bombarded("0304", ("m1",), 1),
        rolled(9, "D"),
        events.WallHeld("0304", "today"),
        events.FeatureChanged("0304", "wall", damage=2, bombarded=True),
        events.Bombarded("0305", ("m1", "gone"), 1),
        rolled(3, "1C"),
        events.FeatureChanged("0305", "wall", bombarded=True),
        events.RamStruck("gone", "0304", "t3.east.melee"),
    )
    assert traced(where, told) == [
        ("strike", "east", (centre("0303"), centre("0304")), ("ram1",), ("0304",), "7: wall at step 2"),
        ("strike", "west", (centre("0304"),), ("m1",), ("0304",), "9: the wall holds"),
        ("strike", "west", (centre("0305"),), ("m1", "gone"), ("0305",), "3: the wall holds"),
        ("strike", "", (centre("0304"),), ("gone",), ("0304",), ""),
    ]
    assert list(traces.touched(where, told[0])) == ["0304"]


# --- the record sheet


def test_the_sheet_has_every_wall_with_its_steps_and_the_tables():
    rules, start = siege_castle.laid()
    wall, down = Feature("0303", "wall", damage=2, bombarded=True, last=1), Feature("0103", "rubble")
    engines = {"trebuchet1": replace(start.things["trebuchet1"], lost=1, repair_until=3, aim="0303")}
    where = replace(
        start, features={("0303", "wall"): wall, ("0103", "rubble"): down}, things={**start.things, **engines}
    )
    found = scene_plan.plan(rules, where)
    assert found is not None
    assert found.title == "Siege record: A little siege"
    assert found.subtitle.startswith("A little castle. Day 1, ")
    assert found.steps == ("slightly damaged", "damaged", "heavily damaged", "destroyed")
    damage = {each.at: each.damage for each in found.walls}
    assert len(damage) == 12
    assert (damage["0303"], damage["0103"], damage["0203"]) == (2, 4, 0)
    assert {each.kind for each in found.walls} == {"battlement", "keep"}
    assert found.summary == "Siege record of A little siege: of 12 walls 1 damaged, 1 down."
    struck, machines, table = found.tables
    assert struck.rows == (
        ("0103", "battlement", "4 of 4", "destroyed", ""),
        ("0303", "battlement", "2 of 4", "damaged", "day 1"),
    )
    assert machines.rows == (
        ("mangonel1", "mangonel", "1 of 1", "", ""),
        ("trebuchet1", "trebuchet", "2 of 3", "0303", "to day 3"),
        ("trebuchet2", "trebuchet", "3 of 3", "", ""),
    )
    assert table.head == ("die", "1", "3", "6", "9", "12")
    assert (table.rows[0], table.rows[-1]) == (
        ("1", "1C", "1C", "2C", "3C", "4C"),
        ("10", "D", "D", "D", "D", "D"),
    )
    assert "-1 to the die" in table.note
    shown_ = {area.at for area in found.areas}
    assert {"0303", "0302", "0505", "0606"} <= shown_
    assert "1001" not in shown_
    assert {edge.at for edge in found.edges} <= shown_


def test_a_sheet_of_a_whole_castle_and_its_title():
    rules, start = siege_castle.laid()
    found = scene_plan.plan(rules, replace(start, things={}), "A little siege, slot 3")
    assert found is not None
    assert found.title == "Siege record: A little siege, slot 3"
    assert [table.title for table in found.tables] == [
        "Walls that were struck",
        "Destruction: die and points",
    ]
    assert found.tables[0].rows == (("none", "", "", "", ""),)


def test_walls_beside_the_gate_are_named():
    rules, start = siege_castle.laid()
    flank = replace(start.field, marks={**start.field.marks, "gate-flank": ("0303",)})
    found = scene_plan.plan(
        rules, replace(start, field=flank, features={("0303", "wall"): Feature("0303", "wall", damage=1)})
    )
    assert found is not None
    assert found.tables[0].rows[0][1] == "beside the gate"


def test_no_sheet_without_walls_and_none_along_without_news():
    assert scene_plan.plan(SIEGE, battle()) is None
    rules, start = siege_castle.laid()
    assert scene_plan.plan(rules, start, events=plain(events.Bombarded("0303", ("m1",), 1))) is not None
    assert scene_plan.plan(rules, start, events=plain(events.PhaseEnded("d1.day"))) is None
    assert scene_plan.plan(rules, start, events=[]) is None
    assert rules.interface.plan(rules, start, title="x").title == "Siege record: x"
