"""Who fights at a distance, and where he slings: stones in a high arc fall on whoever is there, friend or
enemy.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec.structs import replace

from pbem.bots.aims import Aims, worth
from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import around, hex_of
from pbem.rulesets.siege.ground import flames
from pbem.rulesets.siege.ground.character import person
from pbem.rulesets.siege.judge import legal
from pbem.rulesets.siege.orders import grammar
from pbem.rulesets.siege.state.orders import Act, Shoot
from pbem.rulesets.siege.state.state import Battle, Unit

Rules = Ruleset[Battle]
SLING: Final = "sling"


def shoots(rules: Rules, battle: Battle, unit: Unit) -> bool:
    """Tell whether a figure fights with what it shoots or slings, and keeps out of melee for it."""
    who = person(battle, unit)
    arcs: Mapping[str, Any] = rules.tables["ranges_and_modifiers"].get("arcs", {})
    return bool(who.missile) or any(row["title"] == who.weapon for row in arcs.values())


def stones(
    rules: Rules, battle: Battle, aims: Aims, seat: str, phase: str, mine: Sequence[Unit]
) -> Iterator[tuple[str, str]]:
    """Yield who slings in a phase, and the sentence: at the enemy who is worth most, those around him counted
    by half, where no friend is near.
    """
    if SLING not in rules.deeds:
        return
    then = battle.changed(at=replace(battle.at, phase=phase))
    for unit in mine:
        found = [
            (value, grammar.say(rules, order))
            for order, _ in legal.of_kinds(rules, then, seat, unit.id, {SLING})
            if isinstance(order, Act) and (value := _worth(then, aims, unit, order.to[0])) > 0
        ]
        if found:
            yield unit.id, max(found)[1]


def fire(rules: Rules, battle: Battle, aims: Aims, seat: str, phase: str, unit: Unit) -> str:
    """Return the sentence by which a figure shoots fire at an engine that is worth points when it is gone, at
    its rear and as high as it can, where nobody soon puts it out; empty where there is none.
    """
    engines = [battle.things[id_] for id_ in sorted(aims.ruin) if id_ in battle.things]
    if not engines or not person(battle, unit).missile:
        return ""
    then = battle.changed(at=replace(battle.at, phase=phase))
    rank = {hex_: (place, thing.id) for thing in engines for place, hex_ in enumerate(thing.at)}
    found = [
        order
        for order, _ in legal.of_kinds(rules, then, seat, unit.id, {"shoot"})
        if isinstance(order, Shoot) and order.fire and hex_of(order.at[0]) in rank
    ]
    burning = {at for at, is_ in battle.features if is_ in (flames.FIRE, flames.CHARRED)}
    fresh = [order for order in found if order.at[0] not in burning]
    best = max(fresh, key=lambda order: (rank[hex_of(order.at[0])], order.at[0]), default=None)
    return grammar.say(rules, best) if best is not None else ""


def _worth(battle: Battle, aims: Aims, unit: Unit, aim: str) -> int:
    gain = 0
    for hex_ in (aim, *(beside for beside in around((aim,)) if beside != aim)):
        for id_ in battle.living_in.get(hex_, ()):
            who = battle.units[id_]
            if who.kind != "man":
                continue
            if not battle.foes(unit, who):
                return 0
            gain += worth(battle, aims, who) // (1 if hex_ == aim else 2)
    return gain
