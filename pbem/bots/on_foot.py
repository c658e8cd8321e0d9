"""Ways on foot, whoever stands where: what a step costs by ground, walls and floors, and how far it is to a
goal.

Nothing of it depends on figures, so it is kept with what a battle keeps until a thing or a feature changes
(``once``). Most hexes stay as the map has drawn them the whole game long, with neighbours that do; what leads
into these is kept with the map.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from heapq import heappop, heappush
from typing import Final

from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import neighbours
from pbem.rulesets.anarchy import door
from pbem.rulesets.siege.ground import passages, terrain
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state.field import MOAT
from pbem.rulesets.siege.state.state import Battle, Unit

Rules = Ruleset[Battle]
Steps = tuple[tuple[str, int], ...]
"""Hexes, each with the points of a step."""
DOOR: Final = 8
"""So many points a closed door costs on the way to a place behind it."""
MOST: Final = 64
"""Goals of which the ways are kept; with one more all are forgotten."""


class OnFoot:
    """What is known of ways on foot while nothing changes that stands there."""

    def __init__(self, rules: Rules, battle: Battle, through: bool, man: Unit | None) -> None:
        self._rules = rules
        self._battle = battle
        self._through = through
        """Whether closed doors are on the way, since they can be opened or broken in."""
        self._man = man
        """Anybody on foot: what shuts a step shuts it to all of his kind. None: nobody is."""
        self._altered = terrain.altered(rules, battle)
        self._into: dict[str, Steps] = {}
        kept: dict[tuple[bool, bool], dict[str, Steps]] = battle.field.once("ways on foot", dict)
        self._drawn = kept.setdefault((through, man is None), {})
        """The same of hexes round which all is as the map has drawn it."""
        self._ways: dict[tuple[str, ...], Mapping[str, int]] = {}

    def way(self, goals: tuple[str, ...]) -> Mapping[str, int]:
        """Return what ``far_from`` says, found once for the same goals."""
        if goals not in self._ways:
            if len(self._ways) >= MOST:
                self._ways.clear()
            self._ways[goals] = self.far_from(goals)
        return self._ways[goals]

    def far_from(self, goals: Iterable[str]) -> Mapping[str, int]:
        """Return hex -> the points that the way from it to the nearest goal costs; no way: not there."""
        found: dict[str, int] = {}
        heap = [(0, hex_) for hex_ in goals if hex_ in self._battle.field.ground]
        while heap:
            spent, hex_ = heappop(heap)
            if hex_ in found:
                continue
            found[hex_] = spent
            for there, cost in self._steps_into(hex_):
                if there not in found:
                    heappush(heap, (spent + cost, there))
        return found

    def _steps_into(self, hex_: str) -> Steps:
        """Return the hexes from which one steps into another."""
        if hex_ not in self._into:
            lasting = self._into if hex_ in self._altered else self._drawn
            if hex_ not in lasting:
                costs = ((there, self._entered(there, hex_)) for there in neighbours(hex_))
                lasting[hex_] = tuple((there, cost) for there, cost in costs if cost is not None)
            self._into[hex_] = lasting[hex_]
        return self._into[hex_]

    def _entered(self, here: str, there: str) -> int | None:
        """Return what a step costs a man on foot by ground, walls and floors, whoever stands where; None
        where none leads there.
        """
        rules, battle = self._rules, self._battle
        if here not in battle.field.ground or terrain.terrain_at(rules, battle, here).mp_foot is None:
            return None
        if passage := passages.between(rules, battle, here, there):
            return passage.cost
        ground, beyond = terrain.terrain_at(rules, battle, here), terrain.terrain_at(rules, battle, there)
        if beyond.mp_foot is None:
            return None
        features = terrain.between(battle, here, there)
        man, closes = self._man, family.here(rules, battle).steps.closes
        if man and any(shut(rules, battle, man, here, there) for shut in closes):
            return None
        joined = (
            ground.floor == beyond.floor
            or ground.joins
            or beyond.joins
            or any(feature.joins for feature in features)
        )
        if joined and self._through and terrain.at_a_leaf(battle, here, there):
            if all(feature.passes for feature in features):
                return beyond.mp_foot
            return beyond.mp_foot + DOOR if self._opens(here) else None
        if joined and all(feature.passes for feature in features):
            wet = MOAT in ground.traits and MOAT in beyond.traits
            return 1 if wet else beyond.mp_foot + sum(feature.cost for feature in features)
        return None

    def _opens(self, here: str) -> bool:
        """Tell whether a closed door can be got through from a hex beside its leaf: from within, or where two
        have room before it to break it in.
        """
        battle = self._battle
        doors = [one for one in door.doors(battle) if here in (*one.at, *door.sides(battle, one)[0])]
        return any(here in one.at or len(door.sides(battle, one)[0]) > 1 for one in doors)


def of(rules: Rules, battle: Battle, through: bool, man: Unit | None) -> OnFoot:
    """Return the ways of a battle for any man on foot, through closed doors or not."""
    kept: dict[tuple[bool, bool], OnFoot] = battle.once("ways on foot", dict)
    asked = through, man is None
    if asked not in kept:
        kept[asked] = OnFoot(rules, battle, through, man)
    return kept[asked]
