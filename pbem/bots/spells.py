"""What abilities of castle sections that need an order are worth to a side: healing, freezing, shockwaves,
and who is brought back. Nobody is confused or levitated.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pbem.bots.worth import KILL, expected, worth
from pbem.rulesets.castle import abilities, ranged
from pbem.rulesets.castle.attack import chance
from pbem.rulesets.castle.dial import Rules, row, starts
from pbem.rulesets.castle.orders import FREEZES, HEALS, RETURNS, SHOCKS, Order
from pbem.rulesets.castle.state import Figure, War

TURN = 6
"""One part in so many of what somebody is worth is lost with a turn in which he does nothing."""
WHOLE = 36
"""What chances are counted in."""


def spells(rules: Rules, war: War, one: Figure, done: Mapping[str, int]) -> Iterator[tuple[int, Order]]:
    """Yield what somebody may do with his abilities, and what it is worth if he may."""
    for order in abilities.every(rules, war, one):
        if order.do == SHOCKS:
            yield _shockwave(rules, war, one, done), order
            continue
        other = war.figure(order.targets[0])
        if order.do == RETURNS and other.out and other.side == one.side:
            yield worth(rules, war, other) // KILL, order
        elif order.do == HEALS and other.side == one.side and other.click > starts(rules, other):
            yield _healing(rules, war, other, order), order
        elif order.do == FREEZES and other.side != one.side and not (other.gone or other.frozen):
            yield _share(rules, war, order) * worth(rules, war, other) // (TURN * WHOLE), order


def _share(rules: Rules, war: War, order: Order) -> int:
    """Return the chance that a roll for an ability succeeds."""
    attack, defence, _ = next(abilities.rolls(rules, war, order))
    hits, throws = chance(rules, defence.total - attack.total)
    return WHOLE * hits // throws


def _healing(rules: Rules, war: War, friend: Figure, order: Order) -> int:
    """Return what it is worth that the dial of a friend turns back: for each click its share."""
    _, _, most = next(abilities.rolls(rules, war, order))
    every = len(row(rules, friend)["dial"]) - starts(rules, friend)
    clicks = min(most, friend.click - starts(rules, friend))
    return worth(rules, war, friend) * clicks * _share(rules, war, order) // (KILL * every * WHOLE)


def _shockwave(rules: Rules, war: War, one: Figure, done: Mapping[str, int]) -> int:
    """Return what a click for everybody in reach is worth: of enemies, less that of friends."""
    clicks, whole = int(rules.tables["attacks"]["shockwave"]["damage"]), 0
    for other in abilities.within_the_wave(rules, war, one):
        attack, defence = ranged.values(rules, war, (one,), other)
        hoped = expected(rules, war, other, attack.total, defence.total, clicks, done)
        whole += hoped if other.side != one.side else -hoped
    return whole
