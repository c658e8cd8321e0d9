"""The ground as the sergeant sees it in one player turn: where everybody is or will be, how far it is, and where it is dangerous.

Who will stand where changes while he plans; what a step costs does not, so it is asked once for everybody of a kind.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from heapq import heappop, heappush

from pbem.core.ruleset import Ruleset
from pbem.geometry import path
from pbem.geometry.hex import distance, neighbours
from pbem.rulesets.siege import movement
from pbem.rulesets.siege.character import values
from pbem.rulesets.siege.field import Values
from pbem.rulesets.siege.state import Battle, Unit

Rules = Ruleset[Battle]
FAR = 999


class Survey:
    """What is known of a player turn while it is planned."""

    def __init__(self, rules: Rules, battle: Battle, side: str) -> None:
        self.rules = rules
        self.battle = battle
        self.side = side
        self.own = [unit for unit in battle.units.values() if unit.side == side and unit.living and unit.at]
        self.foes = [unit for unit in battle.units.values() if unit.side != side and unit.living and unit.at and not self.ridden(unit)]
        self.where: dict[str, str] = {unit.id: unit.hexes[0] for unit in self.own}
        """Own figure -> the hex where it will stand."""
        self.held: dict[str, str] = {hex_: unit.id for unit in self.own for hex_ in unit.hexes}
        """Hex -> the own figure that will stand there."""
        self.foe_at: dict[str, Unit] = {hex_: unit for unit in self.foes for hex_ in unit.hexes}
        self.values: dict[str, Values] = {unit.id: values(rules, battle, unit) for unit in (*self.own, *self.foes)}
        self._steps: dict[tuple[bool, str, str], int | None] = {}
        self._danger: dict[str, int] = {}
        self._about: dict[str, dict[int, int]] = {}
        self._foe_hexes = [foe.hexes[0] for foe in self.foes]
        self._threats = [(foe.hexes[0], self.values[foe.id].move + 1, self.values[foe.id].attack) for foe in self.foes]

    def ridden(self, unit: Unit) -> bool:
        """Tell whether somebody sits on it, so that it is no figure of its own."""
        return unit.id in self.battle.rider_of

    def unit(self, id_: str) -> Unit:
        """Return an own figure as it will stand."""
        known = self.battle.units[id_]
        return known if known.hexes[:1] == (self.where[id_],) else replace(known, at=(self.where[id_],))

    def put(self, id_: str, hex_: str) -> None:
        """Let an own figure stand in a hex at the end of its movement."""
        for place in [place for place, holder in self.held.items() if holder == id_]:
            del self.held[place]
        self.where[id_] = hex_
        self.held[hex_] = id_

    def gone(self, id_: str) -> None:
        """Let an own figure be off the map at the end of its movement."""
        for place in [place for place, holder in self.held.items() if holder == id_]:
            del self.held[place]
        del self.where[id_]

    def after(self) -> Battle:
        """Return the battle as it will be when everybody has moved."""
        moved = [self.unit(id_) for id_ in self.where]
        return self.battle.with_units(*(unit for unit in moved if unit is not self.battle.units[unit.id]))

    # --- ways

    def reach(self, unit: Unit) -> Mapping[str, int]:
        """Return every hex to which a figure on foot could go if no friend stood in it, with its cost."""
        points = movement.points(self.rules, self.battle, unit)

        def cost(here: str, there: str) -> int | None:
            key = (bool(unit.on), here, there)
            found = self._steps.get(key, -1)
            if found == -1:
                found = self._steps[key] = movement.step_cost(self.rules, self.battle, unit, here, there)
            return found

        return {place: step[0] for place, step in path.reach(unit.at[0], points, cost).items()}

    def free(self, hex_: str, unit: str) -> bool:
        """Tell whether nobody else of the own side will stand in a hex."""
        return self.held.get(hex_, unit) == unit

    def far_from(self, goals: Iterable[str]) -> Mapping[str, int]:
        """Return hex -> the points that the way from it to the nearest goal costs on foot, whoever stands in it; no way: not there."""
        ground = self.battle.field.ground
        walls = self.battle.field.features_between
        found: dict[str, int] = {}
        heap = [(0, hex_) for hex_ in goals if hex_ in ground]
        while heap:
            spent, hex_ = heappop(heap)
            if hex_ in found:
                continue
            found[hex_] = spent
            entered = ground[hex_].mp_foot
            if entered is None:
                continue
            for beside in neighbours(hex_):
                if beside not in ground or beside in found or ground[beside].mp_foot is None:
                    continue
                features = walls.get((beside, hex_), ())
                if all(feature.passes for feature in features):
                    heappush(heap, (spent + entered + sum(feature.cost for feature in features), beside))
        return found

    # --- the enemy

    def foes_about(self, hex_: str) -> Mapping[int, int]:
        """Return distance -> how many enemies are at it from a hex."""
        found = self._about.get(hex_)
        if found is None:
            found = {}
            for place in self._foe_hexes:
                far = distance(hex_, place)
                found[far] = found.get(far, 0) + 1
            self._about[hex_] = found
        return found

    def nearest_foe(self, hex_: str) -> int:
        """Return how many hexes it is to the nearest enemy."""
        return min(self.foes_about(hex_), default=FAR)

    def contact(self, hex_: str) -> int:
        """Return how many enemies stand next to a hex."""
        return self.foes_about(hex_).get(1, 0)

    def danger(self, hex_: str) -> int:
        """Return the attack strength that the enemy could bring to a hex in his next movement, if the ground were open."""
        found = self._danger.get(hex_)
        if found is None:
            found = 0
            for place, reach, attack in self._threats:
                if distance(hex_, place) <= reach:
                    found += attack
            self._danger[hex_] = found
        return found

    def friends_beside(self, hex_: str, unit: str) -> int:
        """Return how many others of the own side will stand next to a hex."""
        return sum(self.held.get(beside, unit) != unit for beside in neighbours(hex_))
