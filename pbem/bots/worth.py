"""What clicks are worth to a side in a game of castle sections: points, and what decides the scenario.

All in hundredths of a point.
"""

from __future__ import annotations

from collections.abc import Mapping

from pbem.rulesets.castle import assault, melee, ranged
from pbem.rulesets.castle.attack import chance
from pbem.rulesets.castle.dial import Rules, points, row, starts, window
from pbem.rulesets.castle.state import Figure, Section, War

One = Figure | Section
POINT = 100
GOAL = 300
"""How many points a section is worth whose loss ends the game."""
DANGER = 2
"""How many times his points an enemy is worth who can harm such a section."""
BESIDE = 3
"""One part in so many of his points is what an enemy is worth to a side that needs a section."""
KILL = 2
"""One part in so many of what somebody is worth is for his last click, the rest for all of them."""


def goals(war: War, side: str) -> tuple[str, ...]:
    """Return the sections that a side has to take or destroy to win at once."""
    lines = war.board.victory.get("at-once", ())
    found = [str(line.get("destroyed") or line.get("holds")) for line in lines if line["side"] == side]
    return tuple(dict.fromkeys(found))


def to_hold(war: War, side: str) -> frozenset[str]:
    """Return the sections that a side wins by holding."""
    lines = war.board.victory.get("at-once", ())
    return frozenset(str(line["holds"]) for line in lines if line["side"] == side and "holds" in line)


def worth(rules: Rules, war: War, one: One) -> int:
    """Return what it is worth to a side's enemy that somebody of it is out of the game."""
    other = next(side.id for side in war.board.sides if side.id != one.side)
    if isinstance(one, Section):
        return POINT * (GOAL if one.id in goals(war, other) else points(rules, one))
    found = POINT * points(rules, one)
    if goals(war, other):
        # who stands on what has to be held is in the way
        return found if one.on in to_hold(war, other) else found // BESIDE
    if goals(war, one.side) and any(
        kind(rules, one, how) for how in (assault.CLOSE, assault.RANGED) for kind in assault.KINDS
    ):
        return DANGER * found
    return found


def left(rules: Rules, one: One, done: Mapping[str, int]) -> int:
    """Return how many clicks somebody has left, when as many are taken off as are expected already."""
    return max(len(row(rules, one)["dial"]) - one.click - done.get(one.id, 0), 0)


def harm(rules: Rules, war: War, one: One, clicks: int, done: Mapping[str, int]) -> int:
    """Return what so many clicks at somebody are worth: each its share, the last one more."""
    most = left(rules, one, done)
    if most == 0 or clicks <= 0:
        return 0
    whole = worth(rules, war, one)
    every = len(row(rules, one)["dial"]) - starts(rules, one)
    share = whole * min(clicks, most) // (KILL * every)
    return share + (whole // KILL if clicks >= most else 0)


def expected(
    rules: Rules, war: War, target: One, attack: int, defence: int, clicks: int, done: Mapping[str, int]
) -> int:
    """Return what an attack is worth on the average of the dice."""
    hits, throws = chance(rules, defence - attack)
    return harm(rules, war, target, clicks, done) * hits // throws


def blow(
    rules: Rules,
    war: War,
    units: tuple[Figure, ...],
    target: One,
    done: Mapping[str, int],
    capture: bool = False,
) -> int:
    """Return what a close attack is worth as things stand, if it can be made; who is captured is out of the
    game.
    """
    attack, defence = melee.values(rules, war, units, target, capture)
    if capture:
        every = left(rules, target, done)
        return expected(rules, war, target, attack.total, defence.total, every, done)
    clicks = window(rules, units[0]).damage + melee.ramming(rules, units[0], target)
    return expected(rules, war, target, attack.total, defence.total, clicks, done)


def shot(rules: Rules, war: War, units: tuple[One, ...], target: One, done: Mapping[str, int]) -> int:
    """Return what a shot is worth as things stand, if it can be made."""
    attack, defence = ranged.values(rules, war, units, target)
    far = ranged.is_long(rules, units[0], target, False)
    clicks = ranged.clicks_of(rules, units[0], target, far)
    return expected(rules, war, target, attack.total, defence.total, clicks, done)
