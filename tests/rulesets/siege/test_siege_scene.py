"""A battle as a scene: tokens, traces, what a side sees in a sealed setup, and the words round it."""

from __future__ import annotations

import pytest
import skirmish
from msgspec.structs import replace

from pbem.core.scene import Trace
from pbem.core.sequence import Cursor
from pbem.geometry.hex import centre, hexside
from pbem.rulesets.siege.ruleset import CRY_HAVOC
from pbem.rulesets.siege.state import events
from pbem.rulesets.siege.state.field import Force, OnSide
from pbem.rulesets.siege.state.state import Battle, Job, Thing
from pbem.rulesets.siege.views import scene

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
    told = _plain(
        events.Fought(("hob",), ("wulf",), 8, 3, "2:1", "2:1", 7, "A"),
        events.Moved("ned", ("0307", "0308"), 1, 6),
    )
    drawn = {token.id: token for token in scene.scene(skirmish.RULES, _battle(), told).tokens}
    assert sorted(drawn) == ["hob", "ned", "odo", "tam", "wulf"]
    assert drawn["hob"].badges == ("shot", "checked", "fought")
    assert (drawn["hob"].symbol, drawn["hob"].description, drawn["hob"].side) == (
        "sergeant",
        "sergeant",
        "east",
    )
    assert drawn["wulf"].badges == ("fought",)
    assert (drawn["wulf"].state, drawn["wulf"].numbers[0], drawn["wulf"].numbers[2]) == ("stunned", "0", "0")
    assert (drawn["odo"].numbers, drawn["odo"].weight, drawn["hob"].weight) == ((), 2, 0)
    assert (drawn["ned"].level, drawn["ned"].moved, drawn["hob"].level, drawn["hob"].moved) == (
        1,
        True,
        0,
        False,
    )
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
    assert (traces[3].actors, traces[3].targets, traces[5].side, traces[6].side) == (
        ("hob",),
        ("wulf",),
        "west",
        "east",
    )


def test_hexes_where_something_moved_are_marked_as_changed() -> None:
    told = _plain(events.Moved("hob", ("0506", "0606", "0505"), 2, 6), events.Placed("ned", ("0308",)))
    changed = [area.at for area in scene.scene(skirmish.RULES, _battle(), told).areas if area.changed]
    assert sorted(changed) == ["0308", "0505", "0506"]


def test_in_a_sealed_setup_a_side_sees_its_own_figures_only() -> None:
    battle = _battle().changed(at=Cursor("setup", 1, ""))
    assert {token.id for token in scene.scene(skirmish.RULES, battle, side="west").tokens} == {"wulf", "ned"}
    assert len(scene.scene(skirmish.RULES, battle).tokens) == 5
    assert len(scene.scene(skirmish.RULES, _battle(), side="west").tokens) == 5
    one_by_one = battle.changed(at=Cursor("setup", 2, "west"))
    assert len(scene.scene(skirmish.RULES, one_by_one, side="west").tokens) == 5, (
        "who places later has seen who stands there"
    )
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
    assert (
        scene.scene(skirmish.RULES, battle.changed(at=Cursor("over", 3, "east"), winner="draw")).subtitle
        == "The end: draw"
    )
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
    data = {
        "map": "moor",
        "title": "The moor",
        "size": "3 x 2",
        "key": {".": "flat", "s": "scrub"},
        "terrain": ". s .\n. . .\n",
    }
    drawn, problems = scene.map_scene(CRY_HAVOC, data)
    assert problems == []
    assert drawn is not None
    assert (drawn.title, drawn.subtitle, drawn.tokens, len(drawn.areas)) == (
        "The moor",
        "3 by 2 hexes",
        (),
        6,
    )
    assert drawn.summary == "The moor, a map of 3 by 2 hexes."
    nothing, problems = scene.map_scene(
        CRY_HAVOC, {"map": "moor", "size": "3 x 2", "key": {".": "lava"}, "terrain": ". . .\n. . .\n"}
    )
    assert nothing is None
    assert problems


# --- riders, animals and wagons


def _cavalcade(**more: object) -> Battle:
    """Return a battle with a rider, a horse alone, a led donkey, an ox before a wagon and a dead horse."""
    men = {
        "hugh": ("east", "rich_knight", "", {"on": "bayard", "at": ("0505", "0506"), "job": Job("mount")}),
        "bayard": ("east", "horse_alone", "", {"kind": "horse", "at": ("0505", "0506")}),
        "grizel": (
            "west",
            "horse_alone",
            "",
            {"kind": "horse", "at": ("0204", "0203"), "captive_of": "east"},
        ),
        "fleck": ("west", "horse_alone", "", {"kind": "horse", "at": ("0801", "0802"), "state": "dead"}),
        "jenny": ("east", "pack_donkey", "0304", {"kind": "donkey"}),
        "buck": ("east", "ox", "0908", {"kind": "ox"}),
        "wulf": ("west", "spearman", "0504", {"mood": "panic"}),
        "ned": ("west", "peasant", "0507", "stunned"),
        "odo": ("east", "spearman", "0305"),
    }
    wain = Thing("wain", "wagon", ("0909", "0910"), "n", hitched=("buck",))
    return skirmish.battle(men, "melee", **{"things": {"wain": wain}, **more})  # type: ignore[arg-type]


def test_a_rider_and_his_horse_are_one_token_on_two_hexes() -> None:
    drawn = {token.id: token for token in scene.scene(skirmish.RULES, _cavalcade()).tokens}
    assert sorted(drawn) == ["buck", "fleck", "grizel", "hugh", "jenny", "ned", "odo", "wain", "wulf"]
    hugh = drawn["hugh"]
    assert (hugh.symbol, hugh.at, hugh.cells) == (
        "mounted",
        ("0505", "0506"),
        (centre("0505"), centre("0506")),
    )
    assert (hugh.description, hugh.badges) == ("rich knight, mounted on bayard", ("job",))
    assert hugh.numbers == ("25", "13", "10")


def test_animals_and_wagons_are_tokens_too() -> None:
    told = _plain(
        events.Moved("odo", ("0306", "0305"), 1, 6, with_=("jenny",)),
        events.Moved("jenny", ("0305", "0304"), 0, 6),
    )
    drawn = {token.id: token for token in scene.scene(skirmish.RULES, _cavalcade(), told).tokens}
    assert [(drawn[id_].symbol, drawn[id_].description) for id_ in ("grizel", "jenny", "buck", "wain")] == [
        ("horse", "horse"),
        ("donkey", "pack donkey"),
        ("ox", "ox"),
        ("wagon", "wagon, drawn by buck"),
    ]
    assert [drawn[id_].badges for id_ in ("grizel", "jenny", "odo", "buck", "wulf")] == [
        ("captive",),
        ("led",),
        ("leads",),
        ("hitched",),
        ("panic",),
    ]
    assert (drawn["grizel"].cells, drawn["grizel"].side, drawn["grizel"].numbers) == (
        (centre("0204"), centre("0203")),
        "east",
        ("0", "1", "0"),
    )
    assert (drawn["fleck"].state, drawn["fleck"].numbers, len(drawn["fleck"].cells)) == ("dead", (), 2)
    assert (drawn["wain"].side, drawn["wain"].cells) == ("", (centre("0909"), centre("0910")))


def test_who_carries_a_thing_leads_no_animal() -> None:
    told = _plain(events.Moved("odo", ("0306", "0305"), 1, 6, with_=("ladder1",)))
    drawn = {token.id: token for token in scene.scene(skirmish.RULES, _cavalcade(), told).tokens}
    assert drawn["odo"].badges == ()


def test_bystanders_are_on_no_side_until_somebody_holds_them() -> None:
    battle = _cavalcade()
    forces = tuple(Force(id_, id_, "east", neutral=True) for id_ in ("jenny", "odo"))
    battle = battle.changed(field=replace(battle.field, forces=forces)).with_units(
        replace(battle.units["odo"], captive_of="east")
    )
    drawn = scene.scene(skirmish.RULES, battle)
    shown = {token.id: (token.side, token.badges) for token in drawn.tokens}
    assert (shown["jenny"], shown["odo"], shown["hugh"][0]) == (
        ("bystanders", ()),
        ("east", ("captive",)),
        "east",
    )
    assert [(look.side, look.name, look.shape) for look in drawn.sides][-1] == (
        "bystanders",
        "Bystanders",
        "square",
    )
    assert drawn.summary == "A brawl, turn 3: East 1 alive, West 2 alive."
    told = (events.Moved("jenny", ("0305", "0304"), 0, 6), events.Moved("odo", ("0306", "0305"), 0, 6))
    assert [trace.side for trace in _drawn(battle, *told)] == ["bystanders", "east"]
    setup = battle.changed(at=Cursor("setup", 1, ""))
    assert {"jenny", "odo", "wulf"} <= {
        token.id for token in scene.scene(skirmish.RULES, setup, side="west").tokens
    }
    own = _cavalcade().with_units(replace(_cavalcade().units["jenny"], captive_of="east"))
    assert (
        next(token.badges for token in scene.scene(skirmish.RULES, own).tokens if token.id == "jenny") == ()
    )


def test_a_wagon_that_nobody_draws_and_one_that_is_nowhere() -> None:
    things = {"wain": Thing("wain", "wagon", ("0909", "0910"), "n"), "spare": Thing("spare", "wagon")}
    drawn = {token.id: token for token in scene.scene(skirmish.RULES, _cavalcade(things=things)).tokens}
    assert (drawn["wain"].description, drawn["buck"].badges, "spare" in drawn) == ("wagon", (), False)


def test_animals_are_not_counted_among_those_alive() -> None:
    assert scene.scene(skirmish.RULES, _cavalcade()).summary == "A brawl, turn 3: East 2 alive, West 2 alive."


def _drawn(battle: Battle, *happened: object) -> tuple[Trace, ...]:
    return scene.scene(skirmish.RULES, battle, _plain(*happened)).traces


def test_a_rider_leaves_the_way_of_his_head_and_of_his_tail() -> None:
    (way,) = _drawn(
        _cavalcade(), events.Moved("hugh", ("0507", "0506", "0505"), 2, 10, tails=("0508", "0507", "0506"))
    )
    assert (way.kind, way.path, way.tails) == (
        "move",
        (centre("0507"), centre("0506"), centre("0505")),
        (centre("0508"), centre("0507"), centre("0506")),
    )
    (turn,) = _drawn(_cavalcade(), events.Turned("hugh", ("0606", "0505"), ("0506", "0506"), 1, 10, "n"))
    assert (turn.kind, turn.path, turn.tails) == (
        "move",
        (centre("0606"), centre("0505")),
        (centre("0506"),) * 2,
    )


def test_flight_leading_and_leaving_have_traces_of_their_own() -> None:
    found = _drawn(
        _cavalcade(),
        events.Panicked("wulf", ("0604", "0504")),
        events.Panicked("ned", ("0507",)),
        events.Routed("wulf", ("0605", "0604")),
        events.Moved("odo", ("0306", "0305"), 1, 6, with_=("jenny",)),
        events.Moved("jenny", ("0305", "0304"), 0, 6),
        events.Left("ned", "0101"),
    )
    assert [(trace.kind, trace.actors) for trace in found] == [
        ("flee", ("wulf",)),
        ("flee", ("wulf",)),
        ("move", ("odo",)),
        ("lead", ("jenny",)),
        ("leave", ("ned",)),
    ]
    assert found[-1].path == (centre("0101"), (centre("0101")[0], -167))


def test_who_falls_off_his_horse_falls_from_the_nearer_half() -> None:
    battle = _cavalcade().with_units(replace(_cavalcade().units["ned"], at=("0607",)))
    (fall,) = _drawn(battle, events.Thrown("ned", "bayard", ("0607",)))
    assert (fall.kind, fall.path, fall.actors, fall.targets) == (
        "thrown",
        (centre("0506"), centre("0607")),
        ("ned",),
        ("bayard",),
    )
    (down,) = _drawn(battle, events.Dismounted("ned", "grizel", ("0607",)))
    assert (down.kind, down.path) == ("dismount", (centre("0204"), centre("0607")))
    assert _drawn(battle, events.Thrown("ned", "bayard", ("0505",))) == ()


AGAINST_RIDERS = [
    ((), "none", "nothing"),
    ((events.StateChanged("bayard", "healthy", "dead", "x"),), "killed", "horse killed"),
    ((events.Retreated("hugh", ("0505", "0506"), tails=("0506", "0507")),), "retreat", "gives way"),
    (
        (events.Thrown("hugh", "bayard", ("0606",)), events.StateChanged("hugh", "healthy", "stunned", "x")),
        "stunned",
        "thrown, stunned",
    ),
    (
        (
            events.StateChanged("bayard", "healthy", "dead", "x"),
            events.Thrown("hugh", "bayard", ("0606",)),
            events.StateChanged("hugh", "healthy", "dead", "x"),
        ),
        "killed",
        "horse killed, thrown, killed",
    ),
    ((events.StateChanged("wulf", "healthy", "wounded", "x"),), "wounded", "attacker wounded"),
    ((events.StateChanged("ned", "stunned", "healthy", "x"),), "none", "nothing"),
]


@pytest.mark.parametrize(("after", "effect", "said"), AGAINST_RIDERS)
def test_a_fight_with_a_rider_says_what_came_of_it(after: tuple[object, ...], effect: str, said: str) -> None:
    fight = _drawn(_cavalcade(), events.Fought(("wulf",), ("hugh",), 20, 10, "2:1", "2:1", 4, "H"), *after)[0]
    assert (fight.kind, fight.result, fight.text) == ("fight", effect, f"2:1, 4: {said}")


def test_a_fight_stands_between_the_hexes_that_touch_and_before_the_fall() -> None:
    battle = _cavalcade().with_units(
        replace(_cavalcade().units["hugh"], on=""), replace(_cavalcade().units["hugh"], on="", at=("0407",))
    )
    fell = events.Thrown("hugh", "bayard", ("0407",))
    fight = _drawn(battle, events.Fought(("ned",), ("hugh",), 20, 10, "2:1", "2:1", 4, "D"), fell)[0]
    assert fight.path == (centre("0507"), centre("0506"))
    assert fight.text == "2:1, 4: thrown"
    fight = _drawn(_cavalcade(), events.Fought(("wulf",), ("hugh",), 20, 10, "2:1", "2:1", 4, "-"))[0]
    assert fight.path == (centre("0504"), centre("0505"))


def test_a_shot_at_a_rider_or_an_animal_says_what_came_of_it() -> None:
    shot = events.Shot("wulf", "hugh", "short_bow", 1, "short", "none", ("0504", "0505"), 3, "B")
    later = events.Shot("wulf", "jenny", "short_bow", 1, "short", "none", ("0504", "0304"), 2, "C")
    found = _drawn(
        _cavalcade(),
        shot,
        events.Checked("hugh", "x"),
        later,
        events.StateChanged("jenny", "healthy", "dead", "x"),
        events.Checked("hugh"),
    )
    assert [(trace.result, trace.text) for trace in found] == [
        ("checked", "3: takes cover"),
        ("killed", "2: killed"),
    ]
    assert _drawn(_cavalcade(), shot)[0].text == "3: miss"


def test_a_shot_that_goes_astray_is_a_line_to_each_it_hits() -> None:
    found = _drawn(
        _cavalcade(),
        events.Misfired("odo", "wulf", ("hugh", "jenny"), 9),
        events.Misfired("odo", "wulf", (), 3),
    )
    assert [(trace.kind, trace.path, trace.targets, trace.text) for trace in found] == [
        ("shot", (centre("0305"), centre("0505")), ("hugh",), "astray, 9: wounded"),
        ("shot", (centre("0305"), centre("0304")), ("jenny",), "astray, 9: wounded"),
    ]


def test_both_hexes_of_those_who_moved_are_marked_as_changed() -> None:
    told = _plain(
        events.Moved("hugh", ("0507", "0505"), 2, 10, tails=("0508", "0506")),
        events.Mounted("odo", "grizel", ("0204", "0203")),
        events.ThingMoved("wain", ("0909", "0910")),
        events.Left("wulf", "0101"),
    )
    changed = [area.at for area in scene.scene(skirmish.RULES, _cavalcade(), told).areas if area.changed]
    assert sorted(changed) == ["0101", "0203", "0204", "0505", "0506", "0507", "0508", "0909", "0910"]


def test_who_mounts_in_these_events_fought_on_foot_before() -> None:
    told = (
        events.Fought(("wulf",), ("hugh",), 20, 10, "2:1", "2:1", 8, "-"),
        events.Mounted("hugh", "bayard", ("0505", "0506")),
    )
    assert _drawn(_cavalcade(), *told)[0].text == "2:1, 8: nothing"
    assert _drawn(_cavalcade(), *told)[0].result == "none"
    told = (replace(told[0], result="D"), told[1])
    assert _drawn(_cavalcade(), *told)[0].result == skirmish.TABLES["combat_foot"]["key"]["D"]["defender"]


def test_who_came_to_himself_or_is_healed_shows_it_at_that_moment() -> None:
    told = _plain(events.Rallied("wulf"), events.Healed("odo", 2))
    drawn = {token.id: token.badges for token in scene.scene(skirmish.RULES, _cavalcade(), told).tokens}
    assert (drawn["wulf"], drawn["odo"]) == (("panic", "rallied"), ("healed",))
    assert scene.scene(skirmish.RULES, _cavalcade()).tokens[0].badges == ("hitched",)


def test_a_fighter_who_is_nowhere_has_no_point_in_the_fight() -> None:
    battle = _cavalcade().with_units(replace(_cavalcade().units["ned"], at=()))
    fight = _drawn(battle, events.Fought(("wulf",), ("hugh", "ned"), 20, 10, "2:1", "2:1", 8, "-"))[0]
    assert fight.path == (centre("0504"), centre("0505"))
