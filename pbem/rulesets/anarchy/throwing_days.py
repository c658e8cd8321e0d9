"""What engines throw on the days of a siege: what they are worth, who serves and repairs them, which of them
bears what a day costs, and what stands that they can batter down.

That each has one hex a day, and that none throws that is repaired or burnt, is ``bombardment`` of Siege; what
mangonels do in a battle is ``mangonel``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from pbem.core.play import Play
from pbem.core.problem import Problem
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.rulesets.anarchy import damage, mangonel, mining, roofs
from pbem.rulesets.siege.ground.character import person
from pbem.rulesets.siege.state.days import Walls
from pbem.rulesets.siege.state.state import HEALTHY, Battle, Thing, Unit
from pbem.rulesets.siege.things import battering, bombardment
from pbem.rulesets.siege.turn import siege_days

Rules = Ruleset[Battle]
STONE_THROWER: Final = "trebuchet"
"""The engine of Siege that the stone-thrower is."""
SINGLE, TIMBER = "wall of a building", "timber"


# --- what they are worth


@rule("A5.1.4")
def worth(rules: Rules, kind: str) -> int:
    """Return the points of destruction of a whole engine of a kind, in the hex at which it aims."""
    row = "stone_thrower" if kind == STONE_THROWER else kind
    return int(damage.table(rules)["points"][row])


@rule("A5.1.3b")
def weakest_first(left: Mapping[str, int], lost: int) -> tuple[str, ...]:
    """Return which engines bear what a roll costs where their owner says nothing: who has the fewest points
    left loses them first.
    """
    return tuple(sorted((name for name in left if left[name]), key=lambda name: (left[name], name)))


# --- who serves them


@rule("A5.1.3c")
def unserved(rules: Rules, battle: Battle, names: Sequence[str]) -> Problem | None:
    """Return that some engines have no crew on this day, beside those that throw or are repaired: each takes
    as many healthy figures as in a battle, one of them an engineer, and who works at a mine serves none; None
    if there are enough.
    """
    return short(rules, battle, battle.things[names[0]].side, names, ())


def short(
    rules: Rules, battle: Battle, side: str, names: Sequence[str], others: Sequence[str]
) -> Problem | None:
    """Return that a side has no crews for its engines at work on this day, and some more, when others of its
    men do something else; None if it has.
    """
    busy = {thing.id for thing in bombardment.engines(battle, side) if _at_work(battle, thing)} | {*names}
    men = [unit for unit in free(battle, side) if unit.id not in others]
    experts = [unit for unit in men if person(battle, unit).class_ == mangonel.ENGINEER]
    row = mangonel.row(rules)
    if len(men) >= len(busy) * int(row["men"]) and len(experts) >= len(busy) * int(row["engineers"]):
        return None
    told: dict[str, str | int] = {"engines": ", ".join(sorted(busy)), "count": len(men)}
    told |= {"experts": len(experts), "men": int(row["men"])}
    return Problem("throwing.crew", told, rule="A5.1.3c", help="fewer engines on this day")


def _at_work(battle: Battle, thing: Thing) -> bool:
    day = battle.at.day
    return bombardment.bound(thing, day) or bombardment.under_repair(thing, day)


def free(battle: Battle, side: str) -> list[Unit]:
    """Return the healthy figures of a side who neither work at a mine on this day nor build."""
    digging = {id_ for mine in mining.mines(battle, side) for id_ in mine.crew}
    digging |= {id_ for roof in roofs.being_built(battle) for id_ in roof.crew}
    own = (unit for unit in battle.units.values() if unit.kind == "man" and battle.allegiance(unit) == side)
    return [unit for unit in own if unit.state == HEALTHY and not unit.left and unit.id not in digging]


# --- at what they throw


def hexes(rules: Rules, battle: Battle) -> Sequence[str]:
    """Return the hexes with a wall that can be battered down, or with timber that is not the besieger's own,
    by number.
    """
    own, ground = siege_days.besieger(battle), sorted(battle.field.ground)
    return [
        hex_
        for hex_ in ground
        if damage.wall_class(rules, battle, hex_)
        or any(thing.side != own for thing in damage.timber(rules, battle, hex_))
    ]


def what(rules: Rules, battle: Battle, hex_: str) -> str:
    """Return what it is called that stands in a hex."""
    names = {damage.SINGLE: SINGLE, damage.TIMBER: TIMBER}
    return battering.kind_of(battle, hex_) or names.get(damage.class_of(rules, battle, hex_), "")


def strike(rules: Rules, play: Play[Battle], hex_: str, total: int) -> tuple[int, int]:
    """Roll for the engines that bombarded a wall on a day; return the points that it costs them, and the
    place of the roll.
    """
    found = damage.blow(rules, play, hex_, total, name=f"bombard/{hex_}", by=battering.STONES)
    return found.lost, found.cause


WALLS: Final = Walls((SINGLE, TIMBER), hexes, what, strike, damage.chances)


def record(rules: Rules, battle: Battle) -> Iterator[str]:
    """Yield the damaged walls of buildings, which are no walls of a castle, on the siege sheet."""
    for feature in sorted(battle.features.values(), key=lambda feature: feature.at):
        if feature.is_ == battering.WALL and not battering.kind_of(battle, feature.at) and feature.damage:
            full: Any = damage.steps(rules, damage.SINGLE)
            yield f"{feature.at} {SINGLE}: {feature.damage} of {full} steps"
