"""Things in the setup: where a side may place its ladders, engines, barrels and mantlets, and in whose hands
they are then.

What the scenario says of them is ``gear``; how figures are placed is ``setup``, which calls this.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from pbem.core.play import Play
from pbem.core.problem import Problem
from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import SIDES, neighbour, neighbours
from pbem.rulesets.siege.ground import terrain
from pbem.rulesets.siege.orders import nearest
from pbem.rulesets.siege.scenario import gear
from pbem.rulesets.siege.scenario.gear import BALLISTA, FACING, LADDER, MANTLET, men
from pbem.rulesets.siege.state.events import Chosen, ThingChanged, ThingMoved
from pbem.rulesets.siege.state.field import EVEN, FILLED, MOAT, Gear, SetupStep
from pbem.rulesets.siege.state.orders import Place
from pbem.rulesets.siege.state.state import Battle, Thing, Unit
from pbem.rulesets.siege.things import engines, mantlets

Rules = Ruleset[Battle]
Stand = tuple[tuple[str, ...], str]
"""The hexes of a thing, and the side it looks to."""
FARTHEST = 99
"""More steps than any map has."""


def step_of(battle: Battle) -> SetupStep:
    """Return the step of the setup that is open."""
    return battle.field.setup[battle.at.turn - 1]


def gear_of(battle: Battle, thing: str) -> Gear | None:
    """Return what the scenario says of a thing that is none of the map's and no wagon; None for those."""
    return next((entry for entry in battle.field.gear if entry.thing.id == thing), None)


def region(battle: Battle, entry: Gear) -> tuple[str, ...]:
    """Return the hexes in which a thing may be placed in the open step: its own mark, else that of the step,
    else the whole map.
    """
    mark = entry.within or step_of(battle).within
    return battle.field.marks[mark] if mark else tuple(battle.field.ground)


# --- what speaks against a placing


def why_not(rules: Rules, battle: Battle, seat: str, order: Place) -> Problem | None:
    """Return why a thing is not placed so in the open step of the setup; None if it is."""
    thing = battle.things[order.who]
    entry = gear_of(battle, thing.id)
    names: dict[str, str | int] = {"thing": thing.id, "kind": thing.title}
    if entry is None or entry.thing.away or entry.built:
        return Problem("placing.never", names)
    if thing.side != battle.side_of_seat.get(seat, ""):
        return Problem("placing.not-yours", {**names, "side": thing.side})
    if thing.side not in step_of(battle).sides or "place" not in step_of(battle).may:
        return Problem("placing.not-now", names)
    if entry.thing.at:
        return Problem("placing.fixed", {**names, "at": " ".join(entry.thing.at)})
    if (thing.kind in FACING) != bool(order.facing) and not (thing.kind == MANTLET and not order.facing):
        return Problem(
            "placing.facing" if not order.facing else "placing.no-facing", names, help=_form(thing)
        )
    at = gear.shape(rules, thing.kind, order.at, order.facing)
    if not at:
        return Problem("placing.shape", names, help=_form(thing))
    return outside(battle, entry, at) or cannot_stand(rules, battle, thing, at)


def _form(thing: Thing) -> str:
    return "write " + {
        LADDER: f"{thing.id} at 0301 0401",
        BALLISTA: f"{thing.id} at 0712 facing n",
        MANTLET: f"{thing.id} at 0712 facing n",
        gear.OIL: f"{thing.id} at 0712",
    }.get(thing.kind, f"{thing.id} at 0712 facing n, with the front hex")


def outside(battle: Battle, entry: Gear, at: Sequence[str]) -> Problem | None:
    """Return that a thing would stand outside of where it may be placed; None if it would not."""
    hexes = region(battle, entry)
    hex_ = next((hex_ for hex_ in at if hex_ not in hexes), "")
    mark = entry.within or step_of(battle).within
    if not hex_:
        return None
    if hex_ not in battle.field.ground or not mark:
        return Problem("setup.off-map", {"unit": entry.thing.id, "hex": hex_})
    return Problem(
        "setup.outside",
        {"unit": entry.thing.id, "hex": hex_, "mark": mark},
        help=nearest.told(mark, hexes, hex_),
    )


def cannot_stand(rules: Rules, battle: Battle, thing: Thing, at: Sequence[str]) -> Problem | None:
    """Return why a thing cannot be placed in some hexes of the map; None if it can."""
    if thing.kind in engines.KINDS:
        return engines.cannot_stand(rules, battle, thing, at) or engines.not_at_the_edge(battle, thing, at)
    for hex_ in at:
        ground = terrain.terrain_at(rules, battle, hex_)
        names = {"thing": thing.id, "kind": thing.title, "hex": hex_}
        if gear.barred(thing.kind, ground):
            return Problem(
                "placing.ground",
                {**names, "terrain": ground.title},
                rule="S5.21b" if thing.kind == MANTLET else "",
            )
        if other := in_the_way(battle, thing, hex_):
            return Problem(
                "placing.held", {**names, "other": other}, rule="S3.43c" if thing.kind == BALLISTA else ""
            )
    return None


def in_the_way(battle: Battle, thing: Thing, hex_: str) -> str:
    """Return what keeps a thing out of a hex: another thing, an enemy, of a ballista any figure; empty if
    nothing does.
    """
    others = (other.id for other in battle.things.values() if other.id != thing.id and hex_ in other.at)
    living = (battle.units[id_] for id_ in battle.living_in.get(hex_, ()))
    figures = (unit.id for unit in living if thing.kind == BALLISTA or battle.allegiance(unit) != thing.side)
    return next(iter((*others, *figures)), "")


def placed(rules: Rules, battle: Battle, order: Place) -> ThingMoved:
    """Return the event of a placing that is legal; a mantlet of which nothing is said is set along the side
    nearest to the enemy.
    """
    thing = battle.things[order.who]
    facing = order.facing or (
        mantlets.toward_enemy(battle, thing.side, order.at[0]) if thing.kind == MANTLET else ""
    )
    return ThingMoved(thing.id, gear.shape(rules, thing.kind, order.at, facing), facing)


# --- every legal placing


def orders(rules: Rules, battle: Battle, seat: str, thing: str) -> Iterator[Place]:
    """Yield every legal placing of a thing of a seat's side in the open step, other than the one it has."""
    entry = gear_of(battle, thing)
    if entry is None or entry.thing.away or entry.built or entry.thing.at:
        return
    now = battle.things[thing]
    for at, facing in stands(battle, entry):
        order = Place(thing, at, facing)
        if why_not(rules, battle, seat, order) is None and (
            gear.shape(rules, now.kind, at, facing),
            facing,
        ) != (now.at, now.facing):
            yield order


def stands(battle: Battle, entry: Gear) -> Iterator[Stand]:
    """Yield the forms in which a thing could be placed in its region: hex by hex, the sides from the north,
    two hexes once.
    """
    hexes = region(battle, entry)
    later = set(hexes)
    for hex_ in hexes:
        later.discard(hex_)
        if entry.thing.kind == LADDER:
            yield from (((hex_, other), "") for other in neighbours(hex_) if other in later)
        elif entry.thing.kind in FACING:
            yield from (((hex_,), side) for side in SIDES)
        else:
            yield (hex_,), ""


# --- what is left to be placed of itself


def waiting(battle: Battle) -> list[Gear]:
    """Return the things that the sides of the open step still have to place, by id; none that an assault
    before this one has lost.
    """
    step, things = step_of(battle), battle.things
    open_ = [
        entry
        for entry in battle.field.gear
        if entry.thing.side in step.sides and "place" in step.may and not (entry.thing.away or entry.built)
    ]
    left = [entry for entry in open_ if entry.thing.id in things and not things[entry.thing.id].at]
    return sorted(left, key=lambda entry: entry.thing.id)


def place_engines(rules: Rules, play: Play[Battle]) -> None:
    """Place the engines that nobody has placed, before the figures that nobody has placed."""
    _place_the_rest(rules, play, carried=False)


def place_the_rest(rules: Rules, play: Play[Battle]) -> None:
    """Place what is carried and nobody has placed, with own men if there are any, and give everything to the
    men who stand with it.
    """
    _place_the_rest(rules, play, carried=True)
    for event in in_hands(rules, play.state, step_of(play.state).sides):
        play.happen(event)


def _place_the_rest(rules: Rules, play: Play[Battle], *, carried: bool) -> None:
    for entry in waiting(play.state):
        if bool(men(rules, entry.thing.kind)) == carried:
            found = first(rules, play.state, entry)
            if found is not None:
                seat = min(seat for seat, side in play.state.side_of_seat.items() if side == entry.thing.side)
                where = " ".join(found.at) + (f" facing {found.facing}" if found.facing else "")
                play.happen(Chosen(seat, "place", entry.thing.id, where, "default"))
                play.happen(placed(rules, play.state, found))


def first(rules: Rules, battle: Battle, entry: Gear) -> Place | None:
    """Return where a thing is placed of itself; None where there is no room for it.

    An engine straight before a moat, if it may begin there; what is carried where free men of its side stand;
    all else in the first hexes of its region. A mantlet or a ballista looks to the nearest enemy.
    """
    seat = min(seat for seat, side in battle.side_of_seat.items() if side == entry.thing.side)
    best: tuple[int, Place] | None = None
    for at, facing in stands(battle, entry):
        if entry.thing.kind in (MANTLET, BALLISTA) and facing != mantlets.toward_enemy(
            battle, entry.thing.side, at[0]
        ):
            continue
        order = Place(entry.thing.id, at, facing)
        if why_not(rules, battle, seat, order) is None:
            rank = preference(rules, battle, entry.thing, order)
            if rank == 0:
                return order
            if best is None or rank < best[0]:
                best = rank, order
    return best[1] if best else None


def preference(rules: Rules, battle: Battle, thing: Thing, order: Place) -> int:
    """Return how well a placing suits a thing, 0 best."""
    if thing.kind in engines.KINDS:
        return to_the_moat(rules, battle, order.at[0], order.facing)
    if men(rules, thing.kind):
        return 0 if all(free_hand(battle, thing.side, hex_) for hex_ in order.at) else 1
    return 0


def to_the_moat(rules: Rules, battle: Battle, front: str, facing: str) -> int:
    """Return how many steps straight ahead a moat lies, over ground on which engines go: a filled one is
    better than any other.
    """
    hex_: str | None = front
    for steps in range(FARTHEST):
        ground = terrain.terrain_at(rules, battle, hex_) if hex_ and hex_ in battle.field.ground else None
        if ground is not None and FILLED in ground.traits:
            return steps
        if ground is not None and MOAT in ground.traits:
            return FARTHEST + steps
        if hex_ is None or ground is None or EVEN not in ground.traits:
            break
        hex_ = neighbour(hex_, facing)
    return 3 * FARTHEST


# --- in whose hands


def free_hand(battle: Battle, side: str, hex_: str) -> Unit | None:
    """Return the man of a side on foot in a hex who carries nothing; None where there is none."""
    unit = battle.units.get(battle.standing_at.get(hex_, ""))
    if (
        unit is None
        or unit.kind != "man"
        or unit.on
        or battle.allegiance(unit) != side
        or unit.id in battle.field.bystanders
    ):
        return None
    return None if any(unit.id in thing.by for thing in battle.things.values()) else unit


def in_hands(rules: Rules, battle: Battle, sides: Sequence[str]) -> list[ThingChanged]:
    """Return who has which thing in his hands as the battle begins: the free men of its side who stand in all
    of its hexes.
    """
    found = []
    for thing in battle.things.values():
        if (
            not men(rules, thing.kind)
            or not thing.at
            or thing.by
            or thing.side not in sides
            or thing.stands == "raised"
        ):
            continue
        there = [unit for hex_ in thing.at if (unit := free_hand(battle, thing.side, hex_))]
        if len(there) == men(rules, thing.kind):
            by = tuple(unit.id for unit in there)
            found.append(ThingChanged(thing.id, by=by, stands="carried" if thing.kind == LADDER else ""))
            battle = battle.changed(things={**battle.things, thing.id: replace(thing, by=by)})
    return found
