"""A battle as a scene: tokens, traces, what a side sees in a sealed setup, and the words round it."""

from __future__ import annotations

from dataclasses import replace

import skirmish

from pbem.core.sequence import Cursor
from pbem.geometry.hex import centre, hexside
from pbem.rulesets.siege import events, scene
from pbem.rulesets.siege.field import OnSide
from pbem.rulesets.siege.ruleset import CRY_HAVOC
from pbem.rulesets.siege.state import Battle

MEN = {
    "hob": ("east", "sergeant", "0505", {"did": ("shot",), "checked": "t2.west.first_missile"}),
    "wulf": ("west", "peasant", "0504", "stunned"),
    "ned": ("west", "shortbowman", "0308@top"),
    "odo": ("east", "spearman", "0601", "dead"),
    "tam": ("east", "spearman", "0601", "dead"),
    "rafe": ("east", "spearman", ""),
}


def _battle(**more: object) -> Battle:
    return skirmish.battle(MEN, "melee", **more)  # type: ignore[arg-type]


def _plain(*happened: object) -> list[dict[str, object]]:
    return [events.plain(event) for event in happened]


def test_every_figure_on_the_map_is_a_token_with_its_numbers_and_badges() -> None:
    told = _plain(events.Fought(("hob",), ("wulf",), 8, 3, "2:1", "2:1", 7, "A"), events.Moved("ned", ("0307", "0308"), 1, 6))
    drawn = {token.id: token for token in scene.scene(skirmish.RULES, _battle(), told).tokens}
    assert sorted(drawn) == ["hob", "ned", "odo", "tam", "wulf"]
    assert drawn["hob"].badges == ("shot", "checked", "fought")
    assert (drawn["hob"].symbol, drawn["hob"].description, drawn["hob"].side) == ("sergeant", "sergeant", "east")
    assert drawn["wulf"].badges == ("fought",)
    assert (drawn["wulf"].state, drawn["wulf"].numbers[0], drawn["wulf"].numbers[2]) == ("stunned", "0", "0")
    assert (drawn["odo"].numbers, drawn["odo"].weight, drawn["hob"].weight) == ((), 2, 0)
    assert (drawn["ned"].level, drawn["ned"].moved, drawn["hob"].level, drawn["hob"].moved) == (1, True, 0, False)
    assert drawn["ned"].cells == (centre("0308"),)


def test_traces_say_what_happened_to_whom() -> None:
    told = _plain(
        events.Shot("hob", "wulf", "short_bow", 1, "short", "none", ("0505", "0504"), 3, "C"),
        events.Shot("hob", "wulf", "short_bow", 1, "short", "none", ("0505", "0504"), 9, "A"),
        events.Shot("hob", "wulf", "short_bow", 1, "short", "none", ("0505", "0504"), 7, "B"),
        events.Fought(("hob",), ("wulf",), 8, 3, "2:1", "2:1", 8, "-"),
        events.Fought(("hob",), ("wulf",), 8, 3, "2:1", "2:1", 1, "E"),
        events.Retreated("wulf", ("0504", "0503")),
        events.Retreated("wulf", ("0504",)),
        events.Advanced("hob", ("0505", "0504"), 1, 3),
        events.Entered("hob", ("0101", "0102"), 2, 6),
        events.StateChanged("wulf", "healthy", "stunned", "t3.east.melee"),
    )
    traces = scene.scene(skirmish.RULES, _battle(), told).traces
    assert [(trace.kind, trace.result, trace.text) for trace in traces] == [
        ("shot", "stunned", "3: stunned"),
        ("shot", "none", "9: miss"),
        ("shot", "checked", "7: takes cover"),
        ("fight", "none", "2:1, 8: nothing"),
        ("fight", "wounded", "2:1, 1: wounded"),
        ("retreat", "", ""),
        ("advance", "", ""),
        ("enter", "", ""),
    ]
    assert traces[0].path == (centre("0505"), centre("0504"))
    assert (traces[3].actors, traces[3].targets, traces[5].side, traces[6].side) == (("hob",), ("wulf",), "west", "east")


def test_hexes_where_something_moved_are_marked_as_changed() -> None:
    told = _plain(events.Moved("hob", ("0506", "0606", "0505"), 2, 6), events.Placed("ned", ("0308",)))
    changed = [area.at for area in scene.scene(skirmish.RULES, _battle(), told).areas if area.changed]
    assert sorted(changed) == ["0308", "0505", "0506"]


def test_in_the_setup_a_side_sees_its_own_figures_only() -> None:
    battle = _battle().changed(at=Cursor("setup", 1, ""))
    assert {token.id for token in scene.scene(skirmish.RULES, battle, side="west").tokens} == {"wulf", "ned"}
    assert len(scene.scene(skirmish.RULES, battle).tokens) == 5
    assert len(scene.scene(skirmish.RULES, _battle(), side="west").tokens) == 5
    assert scene.scene(skirmish.RULES, battle).subtitle == "Setup, step 1"


def test_walls_and_doors_are_edges_of_their_hexes_and_buildings_have_their_areas() -> None:
    field = skirmish.field({"0304": "scrub"})
    field = replace(
        field,
        sides_of_hexes={hexside("0505", "n"): (OnSide("wall", "0505", "n"), OnSide("door", "0504", "s"))},
        areas={"barn": ("0304",)},
        labels=(("0101", "North"),),
        roads=(("0101", "0201"),),
    )
    drawn = scene.scene(skirmish.RULES, skirmish.battle(MEN, "melee", field))
    assert [(edge.kind, edge.at, edge.side, edge.inward) for edge in drawn.edges] == [
        ("wall", "0505", "n", centre("0505")),
        ("door", "0504", "s", centre("0504")),
    ]
    area = next(area for area in drawn.areas if area.at == "0304")
    assert (area.ground, area.building, area.passable, area.marks) == ("scrub", "barn", True, ())
    assert next(area for area in drawn.areas if area.at == "0101").marks == ("ford",)
    assert [note.text for note in drawn.notes] == ["North"]
    assert drawn.roads == ((centre("0101"), centre("0201")),)
    assert drawn.grounds["scrub"] == "scrub"


def test_the_words_round_the_map_say_when_it_is_and_who_lives() -> None:
    battle = _battle()
    drawn = scene.scene(skirmish.RULES, battle)
    assert (drawn.title, drawn.subtitle) == ("A brawl", "Turn 3, East: melee")
    assert drawn.summary == "A brawl, turn 3: East 1 alive, West 2 alive."
    assert drawn.scale == "1 hex is about 2 m"
    long = battle.changed(field=replace(battle.field, length=8))
    assert scene.scene(skirmish.RULES, long, title="At noon").subtitle == "Turn 3 of 8, East: melee"
    assert scene.scene(skirmish.RULES, long, title="At noon").title == "At noon"
    over = battle.changed(at=Cursor("over", 3, "east"), winner="west")
    assert scene.scene(skirmish.RULES, over).subtitle == "The end: West"
    assert scene.scene(skirmish.RULES, battle.changed(at=Cursor("over", 3, "east"), winner="draw")).subtitle == "The end: draw"
    assert scene.scene(skirmish.RULES, over).summary.startswith("A brawl, over: ")


def test_sides_differ_in_colour_and_in_shape() -> None:
    battle = _battle()
    plain = replace(battle.field, sides=tuple(replace(side, colour="") for side in battle.field.sides))
    looks = scene.scene(skirmish.RULES, battle.changed(field=plain)).sides
    assert [(look.side, look.name, look.colour, look.shape) for look in looks] == [
        ("east", "East", "blue", "round"),
        ("west", "West", "vermilion", "cut"),
    ]


def test_a_map_is_a_scene_with_nobody_on_it() -> None:
    data = {"map": "moor", "title": "The moor", "size": "3 x 2", "key": {".": "flat", "s": "scrub"}, "terrain": ". s .\n. . .\n"}
    drawn, problems = scene.map_scene(CRY_HAVOC, data)
    assert problems == []
    assert drawn is not None
    assert (drawn.title, drawn.subtitle, drawn.tokens, len(drawn.areas)) == ("The moor", "3 by 2 hexes", (), 6)
    assert drawn.summary == "The moor, a map of 3 by 2 hexes."
    nothing, problems = scene.map_scene(CRY_HAVOC, {"map": "moor", "size": "3 x 2", "key": {".": "lava"}, "terrain": ". . .\n. . .\n"})
    assert nothing is None
    assert problems
