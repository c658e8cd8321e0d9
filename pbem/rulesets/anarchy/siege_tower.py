"""Siege towers of several floors: their shape, how one goes about in them, and who comes to blows with whom.

How one is pushed is ``tower_push``, what its drawbridge does ``tower_bridge``, what shots meet
``tower_cover``, how it burns ``tower_fire``.

Theory of operation. A tower covers twelve hexes, named from the front rank to the last, as the table of
footprints has them. Each floor above takes as many of them, counted from there, as it has room for, and a
place on it is the hex with the name of the floor: ``0507@1``, ``0507@2``, ``0507@top``. What is left out of a
floor, what height it has, and where the bridge lies follows from where the tower stands, how it looks and
what wall is ahead, so no state keeps it. Inside one goes by passages alone; in and out leads the open back of
the lowest level, and the bridge.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

from pbem.core.problem import Problem
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.core.sequence import parse_cursor
from pbem.geometry.hex import SIDES, hex_of, neighbour, neighbours, side_between, side_number, split_place
from pbem.rulesets.anarchy import rubble
from pbem.rulesets.siege.ground import passages
from pbem.rulesets.siege.ground.terrain import terrain_at
from pbem.rulesets.siege.state.family import Bar, Kind, Passage, Ways, where_there_is
from pbem.rulesets.siege.state.field import BATTLEMENT, CLUTTERED, RUBBLE, SIEGE_TOWER, Field, Floors, Nature
from pbem.rulesets.siege.state.state import TOP, Battle, Thing, Unit
from pbem.rulesets.siege.things import engines
from pbem.rulesets.siege.turn import sequence
from pbem.rulesets.tables import load

Rules = Ruleset[Battle]
TOWER: Final = "siege-tower"
GROUND, FIRST, SECOND = "", "1", "2"
"""Its storeys below the roof."""
STOREYS: Final = (FIRST, SECOND, TOP)
LOWERED: Final = "lowered"
"""How it stands while its bridge lies on the wall; else it is raised."""
FRONT, SIDE, REAR = "front", "side", "rear"
ALONG, OVER = rubble.ALONG, "step-over"
"""By which deed a step is ordered too: by none, or by stepping over."""
LADDER, WINCH, BRIDGE = "siege_tower_ladder", "siege_tower_winch", "siege_tower_bridge"
ROOM: Final = {
    GROUND: "siege_tower_level_0",
    FIRST: "siege_tower_floor",
    SECOND: "siege_tower_floor",
    TOP: "siege_tower_roof",
}
"""Storey -> its row in the table of engines, which says how many it holds."""
ROWS: Final = {
    GROUND: "siege_tower_level_0",
    FIRST: "siege_tower_level_1",
    SECOND: "siege_tower_level_2",
    TOP: "siege_tower_roof",
}
"""Storey -> its row in the chart of grounds."""
NATURES: Final[Mapping[str, Nature]] = {
    ROWS[GROUND]: Nature(frozenset({SIEGE_TOWER, CLUTTERED})),
    ROWS[FIRST]: Nature(frozenset({CLUTTERED})),
    ROWS[SECOND]: Nature(frozenset({CLUTTERED}), stands="battlement"),
    WINCH: Nature(frozenset({CLUTTERED}), stands="battlement"),
    BRIDGE: Nature(frozenset({CLUTTERED}), stands="battlement"),
    LADDER: Nature(frozenset({SIEGE_TOWER, CLUTTERED})),
    ROWS[TOP]: Nature(frozenset({CLUTTERED}), stands="siege_tower_platform"),
}
ENGINES: Final = "engines_anarchy"
"""The table that says how many its floors hold, and when one is closed."""
FOOTPRINTS: Final = "footprints_anarchy"
"""The table that says which of its hexes are what."""
_TABLES: Final = load("pbem.rulesets.anarchy")


def shape(field: Field) -> Any:
    """Return which hexes of a tower are what, by the tables of a game."""
    return field.floors[TOWER].sheets[FOOTPRINTS]["tower"]


def towers(battle: Battle) -> tuple[Thing, ...]:
    """Return the siege towers on the map, by id."""
    return battle.once("siege towers", lambda: _towers(battle)) if battle.things else ()


def _towers(battle: Battle) -> tuple[Thing, ...]:
    return tuple(one for _, one in sorted(battle.things.items()) if one.kind == TOWER and one.at)


def holding(battle: Battle, place: str) -> Thing | None:
    """Return the tower in, on, or on whose bridge a place is; None of every other place."""
    return battle.once("in siege towers", lambda: _places(battle)).get(place) if battle.things else None


def _places(battle: Battle) -> dict[str, Thing]:
    return {place: tower for tower in towers(battle) for place in (*tower.at, *places(battle.field, tower))}


# --- floors


@rule("A4.2.2a")
def height(field: Field, tower: Thing) -> int:
    """Return the level of the bridge of a tower: that of the nearest wall straight ahead of it."""
    return field.once(f"height of {tower.at} {tower.facing}", lambda: _height(field, tower))


def _height(field: Field, tower: Thing) -> int:
    far = max(field.columns, field.rows)
    files: list[str | None] = list(front(field, tower))
    for _ in range(far):
        files = [neighbour(hex_, tower.facing) if hex_ else None for hex_ in files]
        found = (field.ground[hex_] for hex_ in files if hex_ and hex_ in field.ground)
        wall = next((ground for ground in found if BATTLEMENT in ground.traits), None)
        if wall is not None:
            return wall.level
    return int(shape(field)["height"])


def front(field: Field, tower: Thing) -> tuple[str, ...]:
    """Return the hexes of the first rank of a tower, that of the middle file first."""
    return tower.at[: int(shape(field)["files"])]


@rule("A4.2.1a")
def storeys(field: Field, tower: Thing) -> tuple[str, ...]:
    """Return the storeys that a tower has above the ground: there is no first floor against a low wall."""
    low = height(field, tower) == int(shape(field)["low"])
    return tuple(storey for storey in STOREYS if not (low and storey == FIRST))


@rule("A4.2.5a")
def floor(field: Field, tower: Thing, storey: str) -> tuple[str, ...]:
    """Return the hexes of a floor of a tower, as many as it holds people, the first rank first."""
    room = field.floors[TOWER].sheets[ENGINES]["room"][ROOM[storey]]["people"]
    return tower.at[: int(room)]


def at(hex_: str, storey: str) -> str:
    """Return the place of a hex on a storey."""
    return f"{hex_}@{storey}" if storey else hex_


def places(field: Field, tower: Thing) -> tuple[str, ...]:
    """Return every place of a tower above the ground, its lowered bridge among them, the lowest first."""
    known: dict[tuple[tuple[str, ...], str, str], tuple[str, ...]] = field.once("places of towers", dict)
    asked = tower.at, tower.facing, tower.stands
    if asked not in known:
        known[asked] = _every_place(field, tower)
    return known[asked]


def _every_place(field: Field, tower: Thing) -> tuple[str, ...]:
    found = []
    for storey in storeys(field, tower):
        found += [at(hex_, storey) for hex_ in floor(field, tower, storey)]
        if storey == SECOND and tower.stands == LOWERED:
            found += [at(hex_, storey) for hex_ in span(field, tower)]
    return tuple(found)


FLOORS: Final = Floors(
    STOREYS, places, apart=True, sheets={name: _TABLES[name] for name in (ENGINES, FOOTPRINTS)}
)


def ahead(hexes: Sequence[str], facing: str) -> Iterator[str]:
    """Yield the hexes straight ahead of some, as far as there are any."""
    return (there for hex_ in hexes if (there := neighbour(hex_, facing)))


def span(field: Field, tower: Thing) -> tuple[str, ...]:
    """Return the hexes over which the bridge of a tower lies when it is down: before its front, where nothing
    stands as high.
    """
    level = height(field, tower)
    hexes = ahead(front(field, tower), tower.facing)
    return tuple(hex_ for hex_ in hexes if hex_ in field.ground and field.ground[hex_].level < level)


def lip(field: Field, tower: Thing) -> tuple[str, ...]:
    """Return the hexes of the wall-walk on which the edge of the bridge comes down, or would."""
    level = height(field, tower)
    first = tuple(ahead(front(field, tower), tower.facing))
    found = (*first, *ahead(span(field, tower), tower.facing))
    grounds = {hex_: field.ground[hex_] for hex_ in found if hex_ in field.ground}
    return tuple(
        hex_ for hex_, ground in grounds.items() if BATTLEMENT in ground.traits and ground.level == level
    )


@rule("A4.2.5d")
def ladder(field: Field, tower: Thing, storey: str) -> str:
    """Return the place of the ladder that leads up from a storey; empty of the roof."""
    index: int | None = shape(field)["ladders"].get(_LADDERS.get(storey))
    return "" if index is None else at(tower.at[index], storey)


_LADDERS: Final = {GROUND: "ground", FIRST: "first", SECOND: "second"}


def winches(field: Field, tower: Thing) -> tuple[str, ...]:
    """Return the places of the two winches of a tower."""
    return tuple(at(tower.at[index], SECOND) for index in shape(field)["winches"])


# --- what it is to stand there


def grounds(battle: Battle, tower: Thing) -> Mapping[str, str]:
    """Return the ground of every place of a tower."""
    known: dict[tuple[tuple[str, ...], str, str], Mapping[str, str]] = battle.field.once(
        "grounds of towers", dict
    )
    asked = tower.at, tower.facing, tower.stands
    if asked not in known:
        known[asked] = _grounds(battle, tower)
    return known[asked]


def _grounds(battle: Battle, tower: Thing) -> dict[str, str]:
    found = {hex_: foot(battle.field, tower, hex_) for hex_ in tower.at}
    for place in places(battle.field, tower):
        found[place] = upstairs(battle, tower, place)
    return found


@rule("A4.1a")
def foot(field: Field, tower: Thing, hex_: str) -> str:
    """Return the ground of a hex of the lowest level of a tower."""
    return LADDER if hex_ == ladder(field, tower, GROUND) else ROWS[GROUND]


def upstairs(battle: Battle, tower: Thing, place: str) -> str:
    """Return the ground of a place of a tower above the ground."""
    field = battle.field
    found = on_the_bridge(field, tower, place) or at_a_winch(field, tower, place)
    return found or on_a_floor(field, tower, place)


@rule("A4.1b")
def on_a_floor(field: Field, tower: Thing, place: str) -> str:
    """Return the ground of a place on an upper floor, or the roof."""
    storey = split_place(place)[1]
    return LADDER if place == ladder(field, tower, storey) else ROWS[storey]


@rule("A4.1c")
def on_the_bridge(field: Field, tower: Thing, place: str) -> str:
    """Return the ground of a place on the bridge, which is good to fight from only where it touches the wall;
    empty elsewhere.
    """
    hex_ = hex_of(place)
    if hex_ in tower.at:
        return ""
    level = height(field, tower)
    near = (field.ground[there] for there in neighbours(hex_) if there in field.ground)
    touches = any(BATTLEMENT in ground.traits and ground.level == level for ground in near)
    return BRIDGE if touches else ROWS[SECOND]


@rule("A4.1d")
def at_a_winch(field: Field, tower: Thing, place: str) -> str:
    """Return the ground of a winch while the bridge is down; empty of every other place."""
    return WINCH if tower.stands == LOWERED and place in winches(field, tower) else ""


@rule("A4.2.7a")
def levels(battle: Battle, tower: Thing) -> Mapping[str, int]:
    """Return the level of each place of a tower: that of the bridge is the wall's, and the roof is one
    higher.
    """
    high = height(battle.field, tower)
    level = {GROUND: 0, FIRST: int(shape(battle.field)["low"]), SECOND: high, TOP: high + 1}
    return {place: level[split_place(place)[1]] for place in (*tower.at, *places(battle.field, tower))}


KINDS: Final = {TOWER: Kind("works", ground=grounds, levels=levels, drawn=True)}


# --- going about


def ways(rules: Rules, battle: Battle) -> Ways:
    """Return every step within the towers, and between their bridges and the wall."""
    found: dict[tuple[str, str], Passage] = {}
    for tower in towers(battle):
        every = (*tower.at, *places(battle.field, tower))
        onto_each = {there: along(rules, battle, tower, there) for there in every}
        found |= {(here, there): onto_each[there] for here in every for there in beside(here, every)}
        for storey, above in pairwise((GROUND, *storeys(battle.field, tower))):
            found |= climbs(rules, battle, tower, storey, above)
        found |= over(rules, battle, tower)
    return found


def beside(place: str, every: Sequence[str]) -> Iterator[str]:
    """Yield those of some places that are next to one, on its storey."""
    hex_, storey = split_place(place)
    wanted = {at(there, storey) for there in neighbours(hex_)}
    return (there for there in every if there in wanted)


def along(rules: Rules, battle: Battle, tower: Thing, there: str) -> Passage:
    """Return the passage to a place from one beside it on the same floor, at the price of its ground; onto a
    ladder at that of a climb.
    """
    if there in (ladder(battle.field, tower, storey) for storey in _LADDERS):
        return Passage(onto(rules, battle, tower, there), tower.id, "A4.2.5c", ALONG)
    return Passage(terrain_at(rules, battle, there).mp_foot or 0, tower.id, "A4.1a", ALONG)


def climbs(rules: Rules, battle: Battle, tower: Thing, storey: str, above: str) -> Ways:
    """Return the steps between a ladder and the floor above it: to the places of that floor beside it."""
    foot_ = ladder(battle.field, tower, storey)
    hexes = {*neighbours(hex_of(foot_))}
    found: dict[tuple[str, str], Passage] = {}
    for hex_ in floor(battle.field, tower, above):
        if hex_ in hexes:
            there = at(hex_, above)
            found[foot_, there] = along(rules, battle, tower, there)
            found[there, foot_] = Passage(onto(rules, battle, tower, foot_), tower.id, "A4.2.5c", ALONG)
    return found


@rule("A4.2.5c")
def onto(rules: Rules, battle: Battle, tower: Thing, place: str) -> int:
    """Return what it costs to get onto a ladder of a tower, from either of its ends."""
    steps = rules.tables[FOOTPRINTS]["climb"]
    return long_climb(rules, battle, tower, place) or int(steps["ladder"])


@rule("A4.2.2b")
def long_climb(rules: Rules, battle: Battle, tower: Thing, place: str) -> int:
    """Return what it costs to get onto the ladder of a first floor that stands for two; else 0."""
    field = battle.field
    high = place == ladder(field, tower, FIRST) and height(field, tower) >= int(shape(field)["high"])
    return int(rules.tables[FOOTPRINTS]["climb"]["high"]) if high else 0


@rule("A4.2.8c")
def over(rules: Rules, battle: Battle, tower: Thing) -> Ways:
    """Return the steps between the bridge of a tower, or its floor where the bridge has no room, and the
    wall-walk beside it, or the rubble that is left of that.
    """
    if tower.stands != LOWERED:
        return {}
    cost = int(rules.tables[FOOTPRINTS]["climb"]["over"])
    level, field = height(battle.field, tower), battle.field
    found: dict[tuple[str, str], Passage] = {}
    for hex_ in span(field, tower):
        for there in neighbours(hex_):
            ground = field.ground.get(there) and terrain_at(rules, battle, there)
            if ground and BATTLEMENT in ground.traits and ground.level == level:
                here = at(hex_, SECOND)
                found[here, there] = found[there, here] = Passage(cost, tower.id, "A4.2.8c", OVER)
            elif ground and RUBBLE in ground.traits and there in lip(field, tower):
                found |= rubble.steps(rules, at(hex_, SECOND), there, ground, tower.id)
    return found


def outlook(field: Field, tower: Thing, inside: str, outside: str) -> str:
    """Return over which part of a tower one gets, or shoots, out of one of its hexes: ``front side rear``."""
    side = side_between(inside, outside)
    if side is None or inside not in tower.at:
        return FRONT
    turn = (side_number(side) - side_number(tower.facing)) % len(SIDES)
    file = tower.at.index(inside) % int(shape(field)["files"])
    return SIDE if turn in OUTER.get(file, ()) else REAR if turn in BACKWARD else FRONT


BACKWARD: Final = (2, 3, 4)
"""Sides of a hex that look back, counted clockwise from that which looks ahead."""
OUTER: Final = {1: (4, 5), 2: (1, 2)}
"""Outer file -> the sides of its hexes that look out of the tower's side."""


@rule("A4.2.8f", "A4.2.5b")
def by_the_back(battle: Battle, one: str, other: str) -> bool:
    """Tell whether one of two places is on the lowest level of a tower, and the other just outside its open
    back.
    """
    for here, there in ((one, other), (other, one)):
        tower = holding(battle, here)
        if tower is not None and here in tower.at and not split_place(there)[1] and there not in tower.at:
            return holding(battle, there) is None and outlook(battle.field, tower, here, there) == REAR
    return False


@rule("A4.2.1a")
@where_there_is(TOWER)
def walled_in(rules: Rules, battle: Battle, unit: Unit, here: str, there: str) -> Problem | None:
    """Return that nobody gets into a tower, or from floor to floor, where neither its back nor a ladder nor
    the bridge leads; None of any other step.
    """
    tower = holding(battle, here) or holding(battle, there)
    if tower is None or by_the_back(battle, here, there):
        return None
    names = {"unit": unit.id, "here": here, "there": there, "thing": tower.id}
    places_ = (ladder(battle.field, tower, one) for one in ("", *STOREYS))
    help_ = f"its ladders stand in {' '.join(filter(None, places_))}"
    return Problem("tower.no-way", names, rule="A4.2.1a", help=help_)


@where_there_is(TOWER)
def bars_of(rules: Rules, battle: Battle, unit: Unit) -> Bar | None:
    """Return what towers that have moved bar a figure from; None where there are none."""
    rolled = [tower for tower in towers(battle) if this_turn(battle, tower.rolled)]
    if not rolled:
        return None

    def bar(here: str, there: str) -> Problem | None:
        barred = (while_it_rolls(battle.field, tower, unit, here, there) for tower in rolled if here)
        return next((problem for problem in barred if problem), None)

    return bar


@rule("A4.2.1d")
def while_it_rolls(field: Field, tower: Thing, unit: Unit, here: str, there: str) -> Problem | None:
    """Return that nobody climbs between the ground and the first floor in a turn in which the tower has
    moved, as this has; None of other steps.
    """
    if not on_the_lowest_ladder(field, tower, here, there):
        return None
    names = {"unit": unit.id, "thing": tower.id}
    return Problem("tower.rolls", names, rule="A4.2.1d", help="in a turn in which it stands still")


def on_the_lowest_ladder(field: Field, tower: Thing, here: str, there: str) -> bool:
    """Tell whether a step leads between the ladder on the ground and the floor above."""
    foot_ = ladder(field, tower, GROUND)
    return (here == foot_ and bool(split_place(there)[1])) or (there == foot_ and bool(split_place(here)[1]))


def this_turn(battle: Battle, moment: str) -> bool:
    """Tell whether a moment was in the player turn that is played now."""
    if not moment or not battle.at.side:
        return False
    then = parse_cursor(moment)
    return then.side == battle.at.side and sequence.player_turns(battle.field, then) == sequence.player_turns(
        battle.field, battle.at
    )


# --- blows


@where_there_is(*engines.KINDS)
def no_blows(rules: Rules, battle: Battle, attacker: Unit, defender: Unit) -> Problem | None:
    """Return that two figures do not fight, because one is in a tower, or an engine, and out of the other's
    reach; None if it is not so.
    """
    if not any(holding(battle, place) for unit in (attacker, defender) for place in unit.at):
        return engines.no_blows(rules, battle, attacker, defender)
    if any(
        within_reach(rules, battle, here, there)
        for here in attacker.at
        for there in defender.at
        if side_between(hex_of(here), hex_of(there))
    ):
        return None
    names = {"unit": attacker.id, "target": defender.id}
    help_ = "on one floor, from floor to floor by a ladder, over the bridge, or through the back of the foot"
    return Problem("tower.no-blows", names, rule="A4.2.8e", help=help_)


def within_reach(rules: Rules, battle: Battle, here: str, there: str) -> bool:
    """Tell whether blows are struck between two places, one of them in a tower."""
    return (
        on_one_floor(rules, battle, here, there)
        or from_the_bridge(rules, battle, here, there)
        or by_the_back(battle, here, there)
    )


@rule("A4.2.8e")
def on_one_floor(rules: Rules, battle: Battle, here: str, there: str) -> bool:
    """Tell whether two places are beside each other in one tower, on one floor or with a ladder between."""
    passage = passages.between(rules, battle, here, there)
    return passage is not None and holding(battle, here) is holding(battle, there) is not None


@rule("A4.2.8d")
def from_the_bridge(rules: Rules, battle: Battle, here: str, there: str) -> bool:
    """Tell whether two places are on a bridge and on the wall-walk beside it, or its rubble."""
    passage = passages.between(rules, battle, here, there)
    return passage is not None and passage.rule in ("A4.2.8c", rubble.RULE)
