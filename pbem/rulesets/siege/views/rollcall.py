"""The roll of both sides for somebody who is to order: where everybody is, his values, and what he could do
in this player turn.

What somebody could do is told as things stand now, each on his own, and it is asked of the topics that decide
it. So that a roll of sixty costs little, a shooter is asked for the nearest enemies only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from msgspec.structs import replace

from pbem.core.briefing import Member, Region, Said
from pbem.core.problem import Problem
from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import around, distance, hex_of
from pbem.rulesets.siege.combat import aiming, fire_arrows, may_attack, ranges
from pbem.rulesets.siege.ground.character import dangerous, person, values
from pbem.rulesets.siege.march import movement, riding, step
from pbem.rulesets.siege.scenario import setup
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state.field import Gear
from pbem.rulesets.siege.state.line import Aim
from pbem.rulesets.siege.state.state import DEAD, HEALTHY, Battle, Unit
from pbem.rulesets.siege.turn import sequence

Rules = Ruleset[Battle]

NEAR: Final = 4
"""Of so many of the nearest enemies a shooter is told whether he could shoot at them."""
TOLD: Final = 3
"""So many targets are named."""


def roll_call(rules: Rules, battle: Battle, seat: str) -> tuple[Member, ...]:
    """Return everybody on either side, those of the seat first, then its friends, then the enemy; each group
    by id.
    """
    side = battle.side_of_seat.get(seat, "")
    units = sorted(battle.units.values(), key=lambda unit: (unit.owner != seat, unit.side != side, unit.id))
    return tuple(_member(rules, battle, seat, unit) for unit in units)


def _member(rules: Rules, battle: Battle, seat: str, unit: Unit) -> Member:
    who = person(battle, unit)
    numbers = values(rules, battle, unit if unit.state != DEAD else replace(unit, state=HEALTHY))
    what = "horse" if who.class_ == "horse_alone" else who.class_.replace("_", " ")
    side = "" if unit.id in battle.field.bystanders else unit.side
    if unit.living:
        move = step.points(rules, battle, unit)
    else:
        move = (
            numbers.move if unit.left or unit.state == DEAD else step.printed_allowance(rules, battle, unit)
        )
    shown = (str(numbers.attack), str(numbers.defence), str(move))
    can = tuple(
        _can(rules, battle, unit) if unit.owner == seat and not gone(unit) else _known(rules, battle, unit)
    )
    what = f"{what} on {unit.on}" if unit.on else what
    return Member(unit.id, who.name, what, side, unit.owner, unit.at, shown, _state(unit), gone(unit), can)


def gone(unit: Unit) -> bool:
    """Tell whether somebody takes no part any more."""
    return unit.state == DEAD or unit.left


def _state(unit: Unit) -> str:
    said = "gone" if unit.left and unit.state != DEAD else unit.mood or unit.state
    return said if said != HEALTHY else ""


# --- what one's own can do


def _can(rules: Rules, battle: Battle, unit: Unit) -> Iterator[Said | Problem]:
    """Yield what somebody could do in this player turn."""
    yield from _known(rules, battle, unit)
    if battle.at.phase == "setup":
        yield from _placed(battle, unit)
    elif battle.at.side == unit.side and not battle.winner:
        if not unit.at:
            yield from _enters(battle, unit)
        elif problem := sequence.may_do(rules, battle, unit):
            yield problem
        else:
            yield from _moves(rules, battle, unit)
            yield from _shoots(rules, battle, unit)
            yield from _beside(rules, battle, unit)


def _known(rules: Rules, battle: Battle, unit: Unit) -> Iterator[Said]:
    """Yield what everybody sees of somebody: his weapon, what he carries, who leads him."""
    missile = person(battle, unit).missile
    if missile and not gone(unit):
        yield Said(
            "can.weapon", {"weapon": missile.replace("_", " "), "hexes": ranges.bands(rules, missile)[-1][2]}
        )
    if not gone(unit) and (count := fire_arrows.carried(rules, battle, unit)) is not None:
        yield Said("can.fire-arrows", {"count": count})
    yield from (
        Said("can.holds", {"thing": thing.id})
        for _, thing in sorted(battle.things.items())
        if unit.id in thing.by
    )
    if unit.captive_of and unit.captive_of != unit.side:
        yield Said("can.captive", {"side": battle.field.side(unit.captive_of).name})


def _placed(battle: Battle, unit: Unit) -> Iterator[Said]:
    """Yield where somebody may be placed, or why he is not."""
    force = setup.force_of(battle, unit)
    if force.enters:
        yield Said("can.enters-later", {"turn": force.turn})
    elif unit.on:
        yield Said("can.rides", {"horse": unit.on})
    elif force.at:
        yield Said("can.fixed")
    elif unit.at:
        yield Said("can.placed")
    elif any(force.id == one.id for one in setup.waiting(battle)):
        mark = force.within or setup.step_of(battle).within
        yield Said("can.place", {"mark": mark}) if mark else Said("can.place-anywhere")
    else:
        yield Said("can.place-later")


def _enters(battle: Battle, unit: Unit) -> Iterator[Said]:
    ways = movement.ways_in(battle, unit)
    if ways and not unit.left:
        yield Said("can.enters", {"first": ways[0], "last": ways[-1]})


def up_to_the_move(rules: Rules) -> list[str]:
    """Return the phases of a player turn in which somebody still has his move before him."""
    phases = [phase.id for phase in rules.sequence.phases]
    return phases[: phases.index(family.phases(rules).moves) + 1]


def _moves(rules: Rules, battle: Battle, unit: Unit) -> Iterator[Said]:
    """Yield how far somebody gets: his points, and of the hexes in reach the one nearest to what he is there
    for.
    """
    if movement.time_to_move(rules, battle, unit) or battle.at.phase not in up_to_the_move(rules):
        return
    points = step.points(rules, battle, unit)
    found = toward(rules, battle, unit, points)
    yield Said(
        "can.moves", {"points": points, "hex": found[0] if found else "", "facing": found[1] if found else ""}
    )


def toward(
    rules: Rules, battle: Battle, unit: Unit, points: int, goals: Sequence[str] = ()
) -> tuple[str, str] | None:
    """Return the hex in reach that is nearest to where somebody is wanted, and the side to face there; None
    where no step is nearer.

    He is wanted in ``goals``, without any at the nearest enemy.
    """
    wanted = goals or tuple(hex_ for foe in foes(battle, unit) for hex_ in foe.hexes)
    if not wanted or not points:
        return None
    best = (_far(unit.at[0], wanted), 0, "", "")
    if riding.two_hexes(unit):
        for figure, (cost, _) in riding.reach(rules, battle, unit, points).items():
            head, _, facing = figure.partition(" ")
            best = min(best, (_far(head, wanted), cost, head, facing))
    else:
        for place, (cost, _) in movement.reach(rules, battle, unit, points).items():
            best = min(best, (_far(place, wanted), cost, place, ""))
    return (best[2], best[3]) if best[2] else None


def _far(place: str, goals: Sequence[str]) -> int:
    return min(distance(hex_of(place), goal) for goal in goals)


def foes(battle: Battle, unit: Unit) -> list[Unit]:
    """Return the living enemies of somebody who fight themselves, the nearest first."""
    found = [other for other in battle.units.values() if other.living and dangerous(battle, unit, other)]
    return sorted(found, key=lambda foe: (_far(unit.at[0], foe.hexes) if unit.at else 0, foe.id))


def _shoots(rules: Rules, battle: Battle, unit: Unit) -> Iterator[Said]:
    """Yield at whom somebody could shoot from where he stands, and how far his weapon reaches."""
    missile = person(battle, unit).missile
    if not missile:
        return
    for number, phase in enumerate(family.phases(rules).shoots):
        if rules.sequence.position(battle.at.phase) > rules.sequence.position(phase):
            continue
        now = battle.changed(at=replace(battle.at, phase=phase))
        if sequence.may_shoot(rules, now, unit, phase) is None:
            found = targets(rules, now, unit)[:TOLD]
            yield (
                Said("can.shoots-again" if number else "can.shoots", {"targets": found})
                if found
                else Said("can.shoots-nobody")
            )
            return


def targets(rules: Rules, battle: Battle, unit: Unit) -> list[str]:
    """Return at which of the nearest enemies somebody could shoot in the open phase; if at none of them, the
    nearest of the others.
    """
    if aiming.not_ready(rules, battle, unit):
        return []
    near = foes(battle, unit)
    found = [foe.id for foe in near[:NEAR] if isinstance(aiming.aim(rules, battle, unit, foe), Aim)]
    further = (foe.id for foe in near[NEAR:] if isinstance(aiming.aim(rules, battle, unit, foe), Aim))
    return found or list(islice(further, 1))


def _beside(rules: Rules, battle: Battle, unit: Unit) -> Iterator[Said]:
    """Yield next to which enemies somebody stands whom he could fight there."""
    then = battle.changed(at=replace(battle.at, phase=family.phases(rules).fights))
    near = [
        id_
        for id_ in then.living_among(around(unit.hexes))
        if may_attack.pair_why_not(rules, then, unit, then.units[id_]) is None
    ]
    alone = [id_ for id_ in near if may_attack.why_not(rules, then, [unit], [then.units[id_]]) is None]
    if alone:
        yield Said("can.fights", {"targets": alone[:TOLD]})
    if strong := [id_ for id_ in near if id_ not in alone]:
        yield Said("can.fights-with-others", {"targets": strong[:TOLD]})


# --- where figures may be placed


def zones(rules: Rules, battle: Battle, side: str | None) -> tuple[Region, ...]:
    """Return the regions in which figures and things of a side may still be placed in the open step of the
    setup.
    """
    if battle.at.phase != "setup" or not 1 <= battle.at.turn <= len(battle.field.setup):
        return ()
    field, open_ = battle.field, setup.step_of(battle)
    found: dict[str, set[str]] = {}
    named = [(force.side, force.within, bool(force.at or force.enters or force.on)) for force in field.forces]
    named += [(entry.thing.side, entry.within, _settled(entry)) for entry in field.gear]
    for of, within, settled in named:
        mark = within or open_.within
        if not settled and mark and of in open_.sides and side in (None, of):
            found.setdefault(mark, set()).add(of)
    return tuple(
        Region(mark, field.marks[mark], tuple(sorted(sides))) for mark, sides in sorted(found.items())
    )


def _settled(entry: Gear) -> bool:
    """Tell whether nobody places a thing in the setup."""
    return bool(entry.thing.at or entry.thing.away or entry.built)
