"""What is known of steps and ways: what a step costs a kind of figure where nobody stands, for as long as the
ground stays as it is, and where the ways of a figure lead, for as long as everybody stays where he is.

What a step costs is ``step``, which way is searched ``movement`` and ``riding``; here is only where answers
are kept, and for how long they hold.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from msgspec import Struct, field

from pbem.core.ruleset import Ruleset
from pbem.geometry import path
from pbem.geometry.hex import hex_of
from pbem.rulesets.siege.ground import terrain
from pbem.rulesets.siege.state.once import ByRules
from pbem.rulesets.siege.state.state import Battle, Unit

Rules = Ruleset[Battle]
MOST_GROUNDS: Final = 8
"""Of so many states of what stands on a map it is remembered how one walks there; each takes no more than
what was asked of it.
"""


Prices = dict[tuple[bool, str, str], int | None]
"""With a horse or on foot, from where, to where -> what a step costs where nobody is; None: it is barred."""


class Known(Struct, frozen=True):
    """What has been worked out of steps by some rules."""

    prices: Prices = field(default_factory=dict)
    sides: dict[tuple[bool, str, str], bool] = field(default_factory=dict)
    open: dict[bool, dict[str, tuple[tuple[str, int], ...]]] = field(
        default_factory=lambda: {False: {}, True: {}}
    )
    """With a horse or on foot -> place -> where one can go from it, and the price."""
    figures: dict[str, tuple[tuple[str, int], ...]] = field(default_factory=dict)
    """A figure of two hexes -> how it can stand one step on, and the price."""


def of(rules: Rules, battle: Battle) -> Known:
    """Return what is known of steps by these rules, as long as things and features stay as they are."""
    known = battle.built
    kept: ByRules[Known] = (
        known["steps"] if "steps" in known else battle.once("steps", lambda: _on_this_ground(battle))
    )
    return kept[rules]


def _on_this_ground(battle: Battle) -> ByRules[Known]:
    """Return what is known of steps on this map with just these things and features on it, be it another
    moment, or the same read anew; it belongs to the map, and the oldest of several is forgotten.
    """
    known: dict[object, ByRules[Known]] = battle.field.once("steps", dict)
    ground = (tuple(battle.things.values()), tuple(battle.features.items()))
    if ground not in known:
        if len(known) >= MOST_GROUNDS:
            del known[next(iter(known))]
        known[ground] = ByRules(Known)
    return known[ground]


def lasting(rules: Rules, battle: Battle, here: str, there: str) -> Prices:
    """Return where the price of a step is kept for longest: with the map, where it is as the map has drawn
    it; else only while all that stands there stays as it is.
    """
    altered = terrain.altered(rules, battle)
    if hex_of(here) in altered or hex_of(there) in altered:
        return of(rules, battle).prices
    kept: ByRules[Prices] = battle.field.once("prices of steps", lambda: ByRules(dict))
    return kept[rules]


# --- ways


def reach(
    rules: Rules,
    battle: Battle,
    unit: Unit,
    begin: str,
    points: int,
    led: Sequence[Unit],
    search: Callable[[], path.Reached],
) -> path.Reached:
    """Return where a figure may end a move of so many points, searched at most once: ways of fewer points are
    among those of more.
    """
    known, asked = battle.seen[rules], ("reach", battle.known_as(unit), begin, *led)
    found: tuple[int, path.Reached] | None = known.get(asked)
    if found is None or found[0] < points:
        found = known[asked] = (points, search())
    return found[1] if found[0] == points else found[1].within(points)


def searched(
    rules: Rules, battle: Battle, unit: Unit, begin: str, points: int, led: Sequence[Unit]
) -> path.Reached | None:
    """Return all ways of a figure if they have been searched with so many points or more; else None."""
    asked = ("reach", battle.known_as(unit), begin, *led)
    found: tuple[int, path.Reached] | None = battle.seen[rules].get(asked)
    return None if found is None or found[0] < points else found[1]
