"""How the sergeant throws: the crew of a mangonel stays beside it as long as no enemy is near, and it throws
at where most of what is wanted lies, walls and enemies, and nobody of its own side; who has nobody to shoot
at throws stones from above.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from pbem.bots import shots
from pbem.bots.aims import Aims, worth
from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import distance, hex_of
from pbem.rulesets.anarchy import mangonel, stones
from pbem.rulesets.siege.ground.character import person
from pbem.rulesets.siege.orders import grammar
from pbem.rulesets.siege.state.orders import Act
from pbem.rulesets.siege.state.state import Battle, Thing, Unit

if TYPE_CHECKING:
    from pbem.bots.siegecraft import Siegecraft

Rules = Ruleset[Battle]
ALARM: Final = 3
"""An enemy no farther than that from a mangonel calls its crew to arms."""
ABOUT: Final = 2
"""A stone comes down so far from its aim at most, and throws splinters a hex farther."""
WEIGHT: Final = {0: 10, 1: 8, 2: 3}
"""Of a hundred throws at an aim so many strike a hex so far from it, roughly."""
MAN: Final = 2
"""What an enemy is worth, against a wall that is whole; each step that it has lost is one more."""


def serve(craft: Siegecraft, thing: Thing) -> None:
    """Keep the crew of a mangonel beside it as long as there is an engineer and no enemy near."""
    if not thing.at or craft.survey.nearest_foe(thing.at[0]) <= ALARM:
        return
    row = mangonel.row(craft.rules)
    near = [
        id_ for id_ in sorted(craft.free) if distance(hex_of(craft.battle.units[id_].at[0]), thing.at[0]) == 1
    ]
    skilled = [
        id_ for id_ in near if person(craft.battle, craft.battle.units[id_]).class_ == mangonel.ENGINEER
    ]
    if not skilled:
        return
    crew = [*skilled[:1], *(id_ for id_ in near if id_ not in skilled)]
    craft.bind(crew[: row["men"]])


def throws(rules: Rules, battle: Battle, aims: Aims, seat: str, phase: str) -> Iterator[tuple[str, str]]:
    """Yield the first of the crew of each mangonel that throws in a phase, and the sentence."""
    if mangonel.HURL.id not in rules.deeds:
        return
    then = battle.changed(at=replace(battle.at, phase=phase))
    for thing in mangonel.mangonels(then):
        orders = (
            [order for order, _ in mangonel.orders(rules, then, seat, thing)]
            if thing.side == aims.side
            else []
        )
        best = max(orders, key=lambda order: (promise(battle, aims, order), order.to), default=None)
        if best is not None and promise(battle, aims, best) > 0:
            yield mangonel.crew(rules, then, thing)[0], grammar.say(rules, best)


def from_above(rules: Rules, battle: Battle, aims: Aims, unit: Unit) -> str:
    """Return the sentence by which a figure throws stones down at whom they promise most; empty where it
    throws at nobody.
    """
    if stones.THROW not in rules.deeds:
        return ""
    thrower = stones.as_thrower(unit)
    found = [
        (shots.promise(rules, battle, thrower, foe, aimed) * worth(battle, aims, foe), id_)
        for id_, aimed in sorted(stones.in_range(rules, battle, unit).items())
        if (foe := battle.units[id_])
    ]
    gain, id_ = max(found, default=(0, ""))
    return grammar.say(rules, Act(stones.THROW, (unit.id,), id_)) if gain else ""


def promise(battle: Battle, aims: Aims, order: Act) -> int:
    """Return what a throw is good for; nothing where somebody of the own side is in reach of it."""
    aim = hex_of(order.to[0])
    found = 0
    for unit in battle.units.values():
        if not unit.at or not unit.living:
            continue
        far = distance(hex_of(unit.at[0]), aim)
        if unit.side == aims.side and far <= ABOUT + 1:
            return 0
        found += MAN * WEIGHT.get(far, 0) * (unit.side != aims.side)
    for hex_ in aims.batter:
        if (hex_, "rubble") not in battle.features:
            wall = battle.features.get((hex_, "wall"))
            found += WEIGHT.get(distance(hex_, aim), 0) * (1 + (wall.damage if wall else 0))
    return found
