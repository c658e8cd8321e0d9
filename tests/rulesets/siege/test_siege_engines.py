"""Engines on small boards: what is listed is legal and what is legal is listed, and nobody falls off an
engine that moves.
"""

from __future__ import annotations

import random
from functools import cache

import pytest
from every_sentence import WRITERS, Board
from msgspec.structs import replace
from thorough import THOROUGH, deeper

from pbem.core.ruleset import Ruleset, choose
from pbem.core.sequence import Cursor
from pbem.geometry.hex import SIDES, hex_of, neighbours, split_place
from pbem.rulesets.siege.deeds import deeds, reading
from pbem.rulesets.siege.ground import character, passages, terrain, towers
from pbem.rulesets.siege.judge import judge, legal
from pbem.rulesets.siege.march import movement
from pbem.rulesets.siege.orders import grammar
from pbem.rulesets.siege.ruleset import CRY_HAVOC, SIEGE
from pbem.rulesets.siege.state.field import Field, Force, OnSide, SideInfo
from pbem.rulesets.siege.state.orders import Act, Attack, Move, Order
from pbem.rulesets.siege.state.state import Battle, Thing, Unit
from pbem.rulesets.siege.things import engines, rams

COLUMNS, ROWS = 6, 6
WALL = ("0202", "0302", "0402", "0502")
BOARDS = range(120) if THOROUGH else (*range(18), 33)
"""In the last but one for the first time somebody drives an engine back, in the last somebody may go down."""
SECTIONS = {"movement": "move", "melee": "fight"}
FORMS = {
    "movement": (
        "NAME goes up",
        "NAME goes down [to HEX]",
        "NAME steps over [to HEX]",
        "ENGINE forward NUMBER",
        "ENGINE back NUMBER",
    ),
    "melee": ("ENGINE strikes HEX",),
}


@cache
def rules() -> Ruleset[Battle]:
    """Return Siege with the modules that engines need."""
    found, problems = choose(SIEGE, ["castle", "works", "battering"], {})
    assert found is not None, problems
    return found


def board(number: int, phase: str) -> Battle:
    """Return a board: a wall of battlements, a tower or a ram before it, and six figures in or near it."""
    pick = random.Random(f"{number} {phase}")
    grounds = terrain.grounds(rules())
    hexes = [f"{column:02}{row:02}" for row in range(1, ROWS + 1) for column in range(1, COLUMNS + 1)]
    ground = {
        hex_: grounds["battlement" if hex_ in WALL else pick.choice(("flat",) * 9 + ("scrub",))]
        for hex_ in hexes
    }
    parapets = {f"{hex_} s": (OnSide("parapet", hex_, "s"),) for hex_ in WALL}
    kind = pick.choice((towers.TOWER, rams.RAM))
    facing = pick.choice((*SIDES, "n", "n", "n"))
    shapes = [
        found
        for hex_ in hexes
        if (found := engines.footprint(rules(), kind, hex_, facing)) and set(found) <= set(hexes) - set(WALL)
    ]
    at = pick.choice(shapes)
    things = {
        "engine": Thing(
            "engine",
            kind,
            at,
            facing,
            side=pick.choice(("east", "west", "")),
            struck=pick.choice(("", "t3.east.melee")),
        )
    }
    tops = [f"{hex_}@top" for hex_ in at] if kind == "siege-tower" else []
    near = sorted({there for hex_ in at for there in neighbours(hex_) if there in ground} - set(at))
    units: dict[str, Unit] = {}
    inside = list(at) if pick.random() < 0.7 else pick.sample(at, 2)
    free = [*inside, *pick.sample([*tops, *near], 3)]
    for name, place in zip(("ann", "ben", "cat", "dan", "eve", "fay"), free, strict=False):
        side = "east" if name != "dan" else "west"
        did = pick.choice(((),) * 11 + (("moved",) if phase == "movement" else ("fought",),))
        state = pick.choice(("healthy",) * 20 + ("wounded", "wounded", "stunned"))
        units[name] = Unit(
            name,
            name,
            "man",
            side,
            side,
            state,
            (place,),
            since="t3.west.melee" if state == "stunned" else "",
            did=did,
        )
    if "dan" not in units or pick.random() < 0.3:
        units["dan"] = replace(
            units["ben"],
            id="dan",
            person="dan",
            side="west",
            owner="west",
            at=("0601",) if "0601" not in free else (),
        )
    people = {
        name: character.of_class(rules().tables, pick.choice(("spearman", "longbowman", "peasant")), name)
        for name in units
    }
    field = Field(
        "board", "a board", "sha256:0", "law", "A law", "sha256:0", COLUMNS, ROWS, ground, parapets, terrain.side_features(rules().tables),
        {"gate": ("0606",)}, grounds=grounds, people=people, forces=tuple(Force(name, name, unit.side) for name, unit in units.items()),
        sides=(SideInfo("east", "East", "blue", True, "gate"), SideInfo("west", "West", "red", False, "gate")),
    )  # fmt: skip
    return Battle(field, Cursor(phase, pick.choice((4, 5)), "east"), dict(sorted(units.items())), things)


def checked(battle: Battle, sentence: str) -> tuple[Order | None, list[object]]:
    """Return what an order file with one sentence says, and everything that is to be said of it."""
    heading = SECTIONS[battle.at.phase]
    file, problems = reading.read_orders(
        rules(), battle, "east", {"turn": str(battle.at), heading: [sentence]}
    )
    if problems:
        return None, list(problems)
    (line,) = file.sections[battle.at.phase]
    return line.order, list(judge.check(rules(), battle, file).problems)


def words(battle: Battle) -> Board:
    """Return the names and places of a board, platforms among them."""
    places = (*battle.field.ground, *battle.upper.values())
    return Board(
        tuple(battle.units),
        tuple(battle.things),
        places,
        {id_: unit.hexes for id_, unit in battle.units.items()},
        ("0606",),
    )


@deeper
@pytest.mark.parametrize("phase", SECTIONS)
def test_what_is_listed_of_engines_passes_and_what_passes_is_listed(phase: str) -> None:
    kinds: set[str] = set()
    for number in BOARDS:
        battle = board(number, phase)
        listed = [
            order for order in legal.legal(rules(), battle, "east") if isinstance(order, Act | Move | Attack)
        ]
        assert len(set(map(str, listed))) == len(listed)
        for order in listed:
            assert checked(battle, grammar.say(CRY_HAVOC, order)) == (order, []), (
                number,
                grammar.say(CRY_HAVOC, order),
            )
        kinds |= {order.do for order in listed if isinstance(order, Act)}
        for form in FORMS[phase]:
            for sentence in WRITERS[form](words(battle)):
                order, problems = checked(battle, sentence)
                if not problems and order is not None:
                    assert isinstance(order, Act)
                    bare = replace(order, to=())
                    assert order in listed or (bare in listed and bare.do == "down"), (number, sentence)
    assert kinds >= (
        {"up", "down", "step-over", "advance-engine", "back-engine", "stay"}
        if phase == "movement"
        else {"strike"}
    )


def test_every_place_that_is_reached_can_be_ordered_and_none_besides() -> None:
    for number in range(12):
        battle = board(number, "movement")
        listed = {
            order.to[0] for order in legal.of(rules(), battle, "east", "ann") if isinstance(order, Move)
        }
        for place in words(battle).hexes:
            order, problems = checked(battle, f"ann to {place}")
            assert (not problems) == (
                place in listed
                or (
                    place in battle.units["ann"].at
                    and "moved" not in battle.units["ann"].did
                    and battle.units["ann"].state != "stunned"
                )
            ), (number, place)
            assert order is None or isinstance(order, Move)


def test_who_is_aboard_stays_in_his_place_of_the_engine() -> None:
    moved = 0
    for number in range(60):
        battle = board(number, "movement")
        engine = battle.things["engine"]
        places = {place: index for index, hex_ in enumerate(engine.at) for place in (hex_, f"{hex_}@top")}
        for order in legal.of_thing(rules(), battle, "east", "engine"):
            assert isinstance(order[0], Act)
            after = deeds.after(rules(), battle, order[0])
            now = after.things["engine"].at
            assert now != engine.at
            assert now == engines.footprint(rules(), engine.kind, now[0], engine.facing)
            for id_, unit in battle.units.items():
                was, there = unit.at, after.units[id_].at
                if was and was[0] in places:
                    assert hex_of(there[0]) == now[places[was[0]]]
                    assert split_place(there[0])[1] == split_place(was[0])[1]
                    assert ("moved" in after.units[id_].did) == (was[0] in engine.at)
                else:
                    assert there == was
            assert len(after.standing_at) == len(battle.standing_at)
            moved += 1
    assert moved > 12


def test_passages_of_a_tower_lead_both_ways_at_one_price() -> None:
    for number in range(20):
        battle = board(number, "movement")
        for here in (*battle.field.ground, *battle.upper.values()):
            for there, passage in passages.leading(rules(), battle, here).items():
                back = passages.between(rules(), battle, there, here)
                assert back == passage
                assert there in battle.beside(here)


@pytest.mark.parametrize("facing", SIDES)
def test_a_tower_is_three_hexes_about_a_corner_and_a_ram_three_in_a_row(facing: str) -> None:
    tower = engines.footprint(rules(), "siege-tower", "0505", facing)
    ram = engines.footprint(rules(), "ram", "0505", facing)
    assert tower[0] == ram[0] == "0505"
    assert tower[2] == ram[1]
    assert all(one in neighbours(other) for one in tower for other in tower if one != other)
    assert ram[2] in neighbours(ram[1])
    assert ram[2] not in neighbours(ram[0])


def test_an_engine_has_no_hexes_beyond_the_last_number() -> None:
    assert engines.footprint(rules(), "ram", "0199", "n") == ()
    assert engines.footprint(rules(), "siege-tower", "0101", "s") == ()


def test_a_figure_on_a_platform_does_not_leave_the_map() -> None:
    battle = board(1, "movement")
    found = movement.no_way_out(battle, battle.units["ann"], "0606@top")
    assert found is not None
    assert found.code == "movement.no-edge"
    assert movement.no_way_out(battle, battle.units["ann"], "0606") is None
