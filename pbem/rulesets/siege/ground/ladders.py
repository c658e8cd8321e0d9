"""Ladders: how they stand or lie, who holds one, where they may lean, and the steps that they make possible.

What carriers do with a ladder is ``carrying_ladders`` and ``handling_ladders``, what may be done from one
``on_ladders``, how one is thrown down ``toppling``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from pbem.core.play import Play
from pbem.core.problem import Problem
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import around, distance, hex_of, neighbour, neighbours, side_between, split_place
from pbem.rulesets.siege.ground import terrain
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state.events import ThingChanged
from pbem.rulesets.siege.state.family import Passage, Ways, where_there_is
from pbem.rulesets.siege.state.field import BATTLEMENT, STAGE, Terrain
from pbem.rulesets.siege.state.state import Battle, Thing, Unit

Rules = Ruleset[Battle]

LADDER, RAISED, CARRIED, LYING = "ladder", "raised", "carried", "lying"
UPRIGHT: Final = "ladder_upright"
NO_LADDER, HIGH_WALLS = "no-ladder", "high-walls"
"""Marks of a map: walls against which no ladder can be set up, and walls that are higher
than ordinary ones.
"""
STAGES: Final = ("scaffold",)
"""Things onto which ladders lead."""
CLIMBED: Final = frozenset({BATTLEMENT, STAGE})
"""Grounds onto which ladders lead."""
STONE: Final = ("wall", "slit")
"""What on a hexside keeps a ladder from leaning over it."""


def cost(rules: Rules, what: str) -> int:
    """Return the points of something that is done with a ladder."""
    return int(rules.tables["ladders"]["costs"][what])


def ladders(battle: Battle) -> tuple[Thing, ...]:
    """Return all ladders on the map, by id."""
    if not battle.things:
        return ()
    things = battle.things.values()
    return battle.once("ladders", lambda: tuple(one for one in things if one.kind == LADDER and one.at))


def none(battle: Battle, what: str) -> Problem | None:
    """Return that a thing is not a ladder on the map; None if it is one."""
    found = sorted(ladder.id for ladder in ladders(battle))
    if what in found:
        return None
    return Problem(
        "ladders.none",
        {"thing": what},
        help="the ladders are " + ", ".join(found) if found else "there is none on the map",
    )


def first_raised(ladder: Thing) -> str:
    """Return what has to be done with a ladder that lies, or is carried, before it can be
    climbed or shifted.
    """
    carried = (
        f"{', '.join(ladder.by)} raise"
        if ladder.by
        else "two pick it up, carry it to a wall and raise: NAME, NAME raise"
    )
    return f"{carried} {ladder.id} in HEX facing SIDE"


# --- upright


def upright(battle: Battle) -> tuple[Thing, ...]:
    """Return the ladders that lean against a wall."""
    return tuple(ladder for ladder in ladders(battle) if ladder.stands == RAISED)


def in_hex(battle: Battle, place: str) -> Thing | None:
    """Return the ladder that stands upright in a place; None where there is none."""
    if not battle.things or split_place(place)[1]:
        return None
    leaning = battle.once(
        "ladders by hex", lambda: {ladder.at[0]: ladder for ladder in reversed(upright(battle))}
    )
    return leaning.get(hex_of(place))


def faced(ladder: Thing) -> str:
    """Return the hex that an upright ladder leans against; empty where it would be off the map."""
    return neighbour(ladder.at[0], ladder.facing) or ""


def top(battle: Battle, ladder: Thing) -> str:
    """Return the place onto which an upright ladder leads: on the stage in the hex that it leans against,
    where there is one, else that hex.
    """
    return above(battle, faced(ladder))


def above(battle: Battle, hex_: str) -> str:
    """Return the place of the stage over a hex; the hex where there is none."""
    staged = battle.once("hexes with stages", lambda: _staged(battle)) if battle.things else frozenset[str]()
    return battle.upper[hex_] if hex_ in staged else hex_


def _staged(battle: Battle) -> frozenset[str]:
    return frozenset(hex_ for thing in battle.things.values() if thing.kind in STAGES for hex_ in thing.at)


def leads_up(rules: Rules, battle: Battle, place: str) -> bool:
    """Tell whether ladders lead onto a place."""
    return not terrain.terrain_at(rules, battle, place).traits.isdisjoint(CLIMBED)


def climber(battle: Battle, ladder: Thing) -> Unit | None:
    """Return who is on an upright ladder: the figure in its hex; None if nobody is."""
    id_ = battle.standing_at.get(ladder.at[0])
    return battle.units[id_] if id_ else None


def ways(rules: Rules, battle: Battle) -> Ways:
    """Return the steps between each upright ladder and the battlement that it leans against."""
    found: dict[tuple[str, str], Passage] = {}
    for ladder in upright(battle):
        foot, there = ladder.at[0], top(battle, ladder)
        if hex_of(there) in battle.field.ground and leads_up(rules, battle, there):
            found[foot, there] = Passage(over(rules, battle, there), ladder.id, "S1.93f")
            found[there, foot] = Passage(down(rules, battle, foot), ladder.id, "S1.93b")
    return found


@rule("S1.93f")
def over(rules: Rules, battle: Battle, there: str) -> int:
    """Return what the step from the top of a ladder costs: over a battlement, or onto a stage, which has
    none and costs what its ground does.
    """
    ground = terrain.terrain_at(rules, battle, there)
    return ground.mp_foot or 0 if STAGE in ground.traits else cost(rules, "over")


@rule("S1.93b")
def down(rules: Rules, battle: Battle, foot: str) -> int:
    """Return what it costs to get onto a ladder from the wall: what it costs from everywhere."""
    return terrain.terrain_at(rules, battle, foot).mp_foot or 0


def ground(battle: Battle, ladder: Thing) -> Mapping[str, str]:
    """Return the ground of the hex in which a ladder stands upright."""
    return dict.fromkeys(ladder.at, UPRIGHT) if ladder.stands == RAISED else {}


# --- where one may stand


def cannot_stand(rules: Rules, battle: Battle, ladder: Thing, foot: str, facing: str) -> Problem | None:
    """Return why a ladder cannot be set up in a hex so that it leans over one of its sides;
    None if it can.
    """
    top = neighbour(foot, facing)
    names = {"thing": ladder.id, "hex": foot, "there": top or facing}
    if top is None or top not in battle.field.ground:
        return Problem("ladders.no-wall", names, rule="S1.91e", help=_sides(rules, battle, foot))
    for leans in family.of(rules).steps.leans:
        if problem := leans(rules, battle, ladder, foot, top):
            return problem
    return no_room(rules, battle, ladder, foot) or cannot_lean(rules, battle, ladder, foot, top)


def no_room(rules: Rules, battle: Battle, ladder: Thing, foot: str) -> Problem | None:
    """Return that there is no open ground in a hex for the foot of a ladder, or that another thing stands
    there; None if there is.
    """
    ground = _bare_ground(rules, battle, ladder, foot)
    things = (
        thing
        for thing in battle.things.values()
        if thing.id != ladder.id and foot in thing.at and _stands_in_the_way(thing)
    )
    other = next((thing.id for thing in things), "")
    if ground.floor == "ground" and ground.mp_foot is not None and not ground.joins and not other:
        return None
    names = {"thing": ladder.id, "hex": foot, "what": other or ground.title}
    return Problem(
        "ladders.no-room", names, rule="S1.91e", help="its foot needs open ground at the foot of a wall"
    )


def _bare_ground(rules: Rules, battle: Battle, ladder: Thing, foot: str) -> Terrain:
    """Return the ground of a hex as it is without a ladder that stands there."""
    if in_hex(battle, foot) is ladder:
        return terrain.prepared(rules, battle).get(foot) or battle.field.ground[foot]
    return terrain.terrain_at(rules, battle, foot)


def _stands_in_the_way(thing: Thing) -> bool:
    return thing.kind not in (LADDER, "oil", "mantlet", "door") or thing.stands == RAISED


def cannot_lean(rules: Rules, battle: Battle, ladder: Thing, foot: str, top: str) -> Problem | None:
    """Return why a ladder in one hex cannot lean against the next; None if it can: that is a battlement."""
    if problem := not_scalable(rules, battle, ladder, top):
        return problem
    if _a_wall_to_lean_on(rules, battle, foot, top):
        return None
    names = {"thing": ladder.id, "hex": foot, "there": top}
    return Problem("ladders.no-wall", names, rule="S1.91e", help=_sides(rules, battle, foot))


def _a_wall_to_lean_on(rules: Rules, battle: Battle, foot: str, top: str) -> bool:
    walled = any(feature.id in STONE for feature in terrain.between(battle, foot, top))
    return leads_up(rules, battle, above(battle, top)) and not walled


@rule("S1.91f")
def not_scalable(rules: Rules, battle: Battle, ladder: Thing, top: str) -> Problem | None:
    """Return that no ladder is set up against a tower, or against the walls that flank the drawbridge; None
    elsewhere.
    """
    floor = terrain.terrain_at(rules, battle, top).floor
    if floor not in ("tower", "keep") and top not in battle.field.marks.get(NO_LADDER, ()):
        return None
    help_ = "towers and the walls beside the gate cannot be scaled, other battlements can"
    return Problem("ladders.tower", {"thing": ladder.id, "there": top}, rule="S1.91f", help=help_)


def leans_over(rules: Rules, battle: Battle, ladder: Thing, foot: str) -> tuple[str, ...]:
    """Return the sides over which a ladder in a hex could lean, n first."""
    known: dict[str, tuple[str, ...]] = battle.once("sides ladders lean over", dict)
    if foot not in known:
        known[foot] = tuple(_leans_over(rules, battle, ladder, foot))
    return known[foot]


def _leans_over(rules: Rules, battle: Battle, ladder: Thing, foot: str) -> Iterator[str]:
    tops = (
        top
        for top in neighbours(foot)
        if top in battle.field.ground and _a_wall_to_lean_on(rules, battle, foot, top)
    )
    return (side_between(foot, top) or "" for top in tops if not_scalable(rules, battle, ladder, top) is None)


def _sides(rules: Rules, battle: Battle, foot: str) -> str:
    if foot not in battle.field.ground:
        return ""
    found = leans_over(rules, battle, Thing("", LADDER), foot)
    return (
        f"from {foot} it can face {' or '.join(found)}" if found else f"there is no battlement beside {foot}"
    )


# --- on the ground, and in men's hands


@rule("S1.94k")
def can_be_picked_up(ladder: Thing) -> bool:
    """Tell whether a ladder lies there to be picked up, be it that it was toppled, put down or let go:
    nothing breaks it.
    """
    return len(ladder.at) == 2 and ladder.stands != RAISED


@rule("S1.91a")
def halves(ladder: Thing, units: Sequence[Unit]) -> tuple[str, ...]:
    """Return the two who stand in the hexes of a ladder that lies, in the order of these; nobody unless there
    is one on each half.
    """
    found = tuple(unit.id for hex_ in ladder.at for unit in units if (hex_,) == unit.at)
    return found if len(found) == len(units) == len(set(found)) == 2 else ()


def held_by(battle: Battle, unit: Unit) -> Thing | None:
    """Return the ladder that a figure carries with somebody; None if it carries none."""
    bears = _borne(battle).get(unit.id, ()) if battle.things else ()
    return next((ladder for ladder in bears if unit.id in carriers(battle, ladder)), None)


def _borne(battle: Battle) -> Mapping[str, list[Thing]]:
    """Return figure -> the ladders that it carries, or carried when somebody let go."""
    return battle.once("ladders borne", lambda: _by_bearer(ladders(battle)))


def _by_bearer(found: Sequence[Thing]) -> dict[str, list[Thing]]:
    borne: dict[str, list[Thing]] = {}
    for ladder in found:
        for id_ in ladder.by:
            borne.setdefault(id_, []).append(ladder)
    return borne


def carriers(battle: Battle, ladder: Thing) -> tuple[str, ...]:
    """Return the two who hold a ladder now, in the order of its hexes; nobody if one of them has let go."""
    return () if ladder.stands != CARRIED or len(ladder.by) != 2 or dropped(battle, ladder) else ladder.by


@rule("S1.91h")
def dropped(battle: Battle, ladder: Thing) -> bool:
    """Tell whether a ladder that two carried lies there, because one of them is stunned or dead, or is no
    longer where it is.
    """
    held = zip(ladder.by, ladder.at, strict=False)
    return not all(
        battle.units[id_].able and not battle.units[id_].mood and place in battle.units[id_].at
        for id_, place in held
    )


def let_go(rules: Rules, play: Play[Battle]) -> None:
    """Tell of every ladder that two carried that it lies there now, if one of them no longer holds it."""
    for ladder in ladders(play.state):
        if ladder.stands == CARRIED and not carriers(play.state, ladder):
            play.happen(ThingChanged(ladder.id, stands=LYING, cleared=("by",), rule="S1.91h"))


@rule("S1.91b")
@where_there_is(LADDER)
def hands_full(battle: Battle, unit: Unit) -> Problem | None:
    """Return that a figure carries a ladder, so that it neither shoots nor attacks; None if its hands are
    free.
    """
    ladder = held_by(battle, unit)
    if ladder is None:
        return None
    help_ = f"{unit.id} puts down {ladder.id} in the movement phase, or both raise it"
    return Problem("ladders.hands-full", {"unit": unit.id, "thing": ladder.id}, rule="S1.91b", help=help_)


@rule("S1.91c")
def burden(rules: Rules) -> int:
    """Return how many points each of those who carry a ladder has less."""
    return cost(rules, "burden")


def spent_on_ladders(rules: Rules, battle: Battle, unit: Unit) -> int:
    """Return the points that a figure has spent this turn by shifting or hauling a ladder."""
    if not unit.did:
        return 0
    return next((cost(rules, what) for what, did in DID.items() if did in unit.did), 0)


def goes_on(unit: Unit) -> bool:
    """Tell whether a figure that has moved goes on with the points it has left: it has shifted or hauled a
    ladder since.
    """
    return unit.did[-1:] != () and unit.did[-1] in DID.values()


DID: Final = {"shift": "shifted", "haul": "hauled"}
"""What two men do to a ladder for some of their points -> the word by which it is noted."""


def near_hexes(ladder: Thing) -> Iterator[str]:
    """Yield the hexes next to a ladder and those it is in."""
    yield from dict.fromkeys((*ladder.at, *around(ladder.at)))


def beside(ladder: Thing, unit: Unit) -> bool:
    """Tell whether a figure stands next to the hex of an upright ladder."""
    return any(distance(hex_, ladder.at[0]) == 1 for hex_ in unit.hexes)
