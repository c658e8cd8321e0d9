"""Mantlets: the side of its hex along which one stands, what it covers and bars there, and what it costs him
who bears it.

Who holds one is ``loads``, how it is taken and moved ``bearing``; how good a cover class is, ``cover``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from pbem.core.problem import Problem
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import SIDES, distance, hex_of, hexside, neighbour, side_number, split_place, touching
from pbem.rulesets.siege.ground import terrain
from pbem.rulesets.siege.march import step
from pbem.rulesets.siege.state import loads
from pbem.rulesets.siege.state.family import Bar, Covered, where_there_is
from pbem.rulesets.siege.state.field import FILLED, Terrain
from pbem.rulesets.siege.state.line import Line
from pbem.rulesets.siege.state.loads import MANTLET
from pbem.rulesets.siege.state.state import Battle, Thing, Unit

Rules = Ruleset[Battle]
FARTHEST: Final = 99
"""More steps than any map has."""


# --- what it costs its bearer


@rule("S5.21a")
@where_there_is(MANTLET)
def burden(rules: Rules, battle: Battle, unit: Unit) -> int:
    """Return how many points a figure has less because it bears a mantlet along."""
    return loads.burden(rules, MANTLET) if loads.held(battle, unit, MANTLET) else 0


@rule("S5.21b")
def as_horse(battle: Battle, unit: Unit, ground: Terrain) -> bool:
    """Tell whether what bars a horse bars a figure because of the mantlet it bears: everything does but a
    filled moat.
    """
    return loads.held(battle, unit, MANTLET) is not None and FILLED not in ground.traits


@where_there_is(MANTLET)
def faces(battle: Battle, unit: Unit) -> bool:
    """Tell whether a figure bears a mantlet, which it may turn."""
    return loads.held(battle, unit, MANTLET) is not None


# --- the side along which it stands


@rule("S5.22a")
def toward_enemy(battle: Battle, side: str, hex_: str) -> str:
    """Return the side of a hex nearest to an enemy on the map, along which a mantlet is set if nothing is
    said; n where there is none.

    Of several the first from the north.
    """
    foes = (
        unit for unit in battle.units.values() if unit.living and battle.allegiance(unit) not in ("", side)
    )
    nearest = min(
        (there for foe in foes for there in foe.hexes),
        key=lambda there: (distance(hex_, there), there),
        default=hex_,
    )
    if nearest == hex_:
        return SIDES[0]

    def steps(facing: str) -> int:
        beyond = neighbour(hex_, facing)
        return distance(beyond, nearest) if beyond else FARTHEST

    return min(SIDES, key=steps)


@rule("S5.22a")
@where_there_is(MANTLET)
def no_point_to_turn(rules: Rules, battle: Battle, unit: Unit, facing: str, left: int) -> Problem | None:
    """Return that a mantlet is not turned at the end of a way that leaves no point for it; None if one is
    left, or it is not turned.
    """
    mantlet = loads.held(battle, unit, MANTLET)
    if mantlet is None or facing in ("", mantlet.facing) or left:
        return None
    help_ = f"go a point less far, or leave out: facing {facing}"
    return Problem("mantlets.no-point", {"unit": unit.id, "thing": mantlet.id}, rule="S5.22a", help=help_)


@rule("S5.22a")
def turned_late(unit: Unit, mantlet: Thing, facing: str) -> Problem | None:
    """Return that a mantlet is turned only in a move, or before it; None if it is not turned, or its bearer
    has not moved yet.
    """
    if facing in ("", mantlet.facing) or "moved" not in unit.did:
        return None
    help_ = f"name the side in his move: {unit.id} to HEX facing {facing}"
    return Problem("mantlets.turned-late", {"unit": unit.id, "thing": mantlet.id}, rule="S5.22a", help=help_)


def along(battle: Battle, here: str, there: str) -> Sequence[Thing]:
    """Return the mantlets that stand along the hexside between two neighbouring places on the ground, on
    either side of it.
    """
    return standing(battle).get((here, there), ()) if battle.things else ()


def standing(battle: Battle) -> Mapping[tuple[str, str], Sequence[Thing]]:
    """Return the mantlets on the ground by the hexside along which each stands, told from either side."""
    return battle.once("mantlets", lambda: _standing(battle))


def _standing(battle: Battle) -> Mapping[tuple[str, str], Sequence[Thing]]:
    found: dict[tuple[str, str], list[Thing]] = {}
    for thing in loads.lying(battle, MANTLET):
        here = thing.at[0]
        there = neighbour(here, thing.facing) if thing.facing and not split_place(here)[1] else None
        if there is not None:
            found.setdefault((here, there), []).append(thing)
            found.setdefault((there, here), []).append(thing)
    return found


# --- what it covers


@where_there_is(MANTLET)
def cover(rules: Rules, battle: Battle, target: Unit, line: Line) -> Covered:
    """Return the cover that a mantlet gives a figure in its hex against a shot; None where none stands."""
    if not battle.things:
        return None
    found = [thing for thing in loads.lying(battle, MANTLET) if hex_of(thing.at[0]) == line.end]
    here = target.at[0] if len(target.at) == 1 else line.end
    if not found or split_place(here)[1] or not (sides := entered_by(line)):
        return None
    shielded = any(not open_to(rules, [_turned(thing.facing, side) for side in sides]) for thing in found)
    return (str(rules.tables["gear"]["carried"][MANTLET]["cover"]), "S5.22b") if shielded else None


def entered_by(line: Line) -> tuple[str, ...]:
    """Return the sides of the target's hex by which a line comes in: one, or two where it comes through a
    corner.
    """
    own = {hexside(line.end, side): side for side in SIDES}
    return tuple(own[key] for key in line.track.sides if key in own)


def _turned(facing: str, side: str) -> int:
    """Return by how many sides, clockwise, one side lies from the one along which a mantlet stands."""
    return (side_number(side) - side_number(facing)) % 6


@rule("S5.22c")
def open_to(rules: Rules, turns: Sequence[int]) -> bool:
    """Tell whether a line comes in past a mantlet: neither by its side nor by one of the two next to it, told
    in sides from its own.

    Through a corner a line comes by two sides at once; whether one of them is enough for cover is told by the
    option for hex edges.
    """
    kept = [turn in (0, 1, 5) for turn in turns]
    return not (any(kept) if rules.setting("line_on_hex_edge") == "either_hex_blocks" else all(kept))


# --- what it bars


@rule("S5.23a")
@where_there_is(MANTLET)
def no_blows(rules: Rules, battle: Battle, attacker: Unit, defender: Unit) -> Problem | None:
    """Return that a mantlet stands between two figures, across which nobody fights; None if there is a way
    round it.
    """
    if not battle.things:
        return None
    found = [along(battle, here, there) for here, there in touching(attacker.at, defender.at)]
    if not found or not all(found):
        return None
    names = {"unit": attacker.id, "target": defender.id, "thing": found[0][0].id}
    return Problem("mantlets.blows", names, rule="S5.23a", help="attack over another side of its hex")


@rule("S5.23b")
@where_there_is(MANTLET)
def no_way_back(battle: Battle, here: str, there: str) -> bool:
    """Tell whether a mantlet stands between two places, across which nobody gives way, not even he who bore
    it.
    """
    return bool(along(battle, here, there))


@rule("S5.23c")
def bars(battle: Battle, unit: Unit, here: str, there: str) -> Problem | None:
    """Return that a mantlet which another bears, or nobody, stands between two places, across which nobody
    goes; None if none does.
    """
    found = next((thing for thing in along(battle, here, there) if not loads.holds(unit, thing)), None)
    if found is None:
        return None
    names = {"unit": unit.id, "here": here, "there": there, "thing": found.id}
    return Problem(
        "mantlets.way", names, rule="S5.23c", help=f"go round it, or take {found.id} along from {found.at[0]}"
    )


def too_rough(rules: Rules, battle: Battle, unit: Unit, here: str, there: str) -> Problem | None:
    """Return that a figure does not get into a place with the mantlet it bears, from anywhere or from one
    beside it; None if it does.
    """
    if not as_horse(battle, unit, terrain.terrain_at(rules, battle, there)):
        return None
    beast = replace(unit, kind="horse")
    if step.ground_bars(rules, battle, beast, there) is None and (
        not here or step.side_bars(rules, battle, beast, here, there) is None
    ):
        return None
    names = {"unit": unit.id, "hex": there}
    return Problem(
        "mantlets.rough", names, rule="S5.21b", help="go another way, or put the mantlet down first"
    )


@where_there_is(MANTLET)
def bars_of(rules: Rules, battle: Battle, unit: Unit) -> Bar | None:
    """Return what mantlets bar a figure from, those of others and its own; None where there are none."""
    bears = loads.held(battle, unit, MANTLET) is not None
    if not bears and not loads.lying(battle, MANTLET):
        return None

    def bar(here: str, there: str) -> Problem | None:
        return bars(battle, unit, here, there) or (
            too_rough(rules, battle, unit, here, there) if bears else None
        )

    return bar
