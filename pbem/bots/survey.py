"""The ground as the sergeant sees it in one player turn: where everybody is or will be, how far it is, and
where it is dangerous.

Who will stand where changes while he plans; what a step costs does not, so it is asked once for everybody of
a kind.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from pbem.bots import on_foot, walls
from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import distance, neighbours, side_between, side_number
from pbem.rulesets.siege.ground.character import values
from pbem.rulesets.siege.march import step
from pbem.rulesets.siege.state.field import Values
from pbem.rulesets.siege.state.state import Battle, Thing, Unit

Rules = Ruleset[Battle]
FAR = 999


class Survey:
    """What is known of a player turn while it is planned."""

    def __init__(self, rules: Rules, battle: Battle, side: str, through: bool = False) -> None:
        self.rules = rules
        self.battle = battle
        self.side = side
        here = [
            unit
            for unit in battle.units.values()
            if unit.living and unit.at and unit.id not in battle.rider_of
        ]
        bystanders = battle.field.bystanders
        self.own = [unit for unit in here if unit.side == side and unit.id not in bystanders]
        self.foes = [
            unit
            for unit in here
            if unit.side != side and unit.id not in bystanders and battle.allegiance(unit) != side
        ]
        self.at: dict[str, tuple[str, ...]] = {unit.id: unit.hexes for unit in self.own}
        """Own figure -> the hexes where it will stand, its head first."""
        self.foe_at: dict[str, Unit] = {hex_: unit for unit in self.foes for hex_ in unit.hexes}
        self.held: dict[str, str] = {
            hex_: unit.id for unit in here for hex_ in unit.hexes if hex_ not in self.foe_at
        }
        """Hex -> the own figure, or whoever is not an enemy, that will stand there."""
        self.others: dict[str, tuple[str, ...]] = {}
        """Bystander, animal or wagon that is led -> the hexes where it will stand."""
        self.values: dict[str, Values] = {
            unit.id: values(rules, battle, unit) for unit in (*self.own, *self.foes)
        }
        self.reserved = walls.lanes(battle, side)
        """Hexes that are kept free for what is pushed through them."""
        self.storms = walls.storms(battle, side)
        afoot = next((unit for unit in self.own if unit.kind == "man" and not unit.on), None)
        self._on_foot = on_foot.of(rules, battle, through, afoot)
        self._steps: dict[tuple[bool, str], tuple[tuple[str, int], ...]] = {}
        self._tails: dict[tuple[str, str], str] = {}
        self._danger: dict[str, int] = {}
        self._about: dict[str, dict[int, int]] = {}
        self._foe_hexes = [foe.hexes[0] for foe in self.foes]
        self._threats = [
            (foe.hexes[0], self.values[foe.id].move + 1, self.values[foe.id].attack) for foe in self.foes
        ]

    def standing(self, id_: str, hex_: str) -> tuple[str, ...]:
        """Return the hexes that a figure takes up with its head in one that it can reach."""
        now = self.battle.units[id_].hexes
        if hex_ == now[0]:
            return now
        tail = self._tails.get((id_, hex_))
        return (hex_, tail) if tail else (hex_,)

    def unit(self, id_: str) -> Unit:
        """Return an own figure as it will stand."""
        known = self.battle.units[id_]
        return known if known.hexes == self.at[id_] else replace(known, at=self.at[id_])

    def put(self, id_: str, hex_: str) -> None:
        """Let an own figure stand with its head in a hex at the end of its movement."""
        hexes = self.standing(id_, hex_)
        self.gone(id_)
        self.at[id_] = hexes
        self.held |= dict.fromkeys(hexes, id_)

    def led(self, id_: str, hexes: tuple[str, ...]) -> None:
        """Let somebody be led to some hexes, or end up in just these."""
        for place in [place for place, holder in self.held.items() if holder == id_]:
            del self.held[place]
        (self.at if id_ in self.at else self.others)[id_] = hexes
        self.held |= dict.fromkeys(hexes, id_)

    def gone(self, id_: str) -> None:
        """Let an own figure be off the map at the end of its movement."""
        for place in self.at.pop(id_):
            if self.held.get(place) == id_:
                del self.held[place]

    def after(self) -> Battle:
        """Return the battle as it will be when everybody has moved."""
        moved = [self.unit(id_) for id_ in self.at]
        battle = self.battle
        moved += [
            replace(battle.units[id_], at=hexes) for id_, hexes in self.others.items() if id_ in battle.units
        ]
        wagons = {
            id_: _drawn_to(battle.things[id_], hexes)
            for id_, hexes in self.others.items()
            if id_ in battle.things
        }
        after = battle.with_units(*(unit for unit in moved if unit is not battle.units[unit.id]))
        return after.changed(things={**battle.things, **wagons}) if wagons else after

    # --- ways

    def reach(self, unit: Unit) -> Mapping[str, int]:
        """Return every hex to which a figure could go if no friend stood in it, with its cost.

        Of a figure of two hexes these are those of its head, as if its tail came after it and it had only to
        turn before the first step; now and then a way is really longer, and then the order is struck out by
        the rules.
        """
        points = step.points(self.rules, self.battle, unit)
        start, two = unit.hexes[0], len(unit.hexes) > 1
        found: dict[str, int] = {}
        came, came_cost = {start: ""}, {start: 0}
        waves: list[list[str]] = [[start], *([] for _ in range(points))]
        for spent, wave in enumerate(waves):
            for hex_ in wave:
                if hex_ in found:
                    continue
                found[hex_] = spent
                for there, cost in self.steps(unit, hex_):
                    total = spent + cost + (_swings(unit, there) if two and hex_ == start else 0)
                    if total <= points and there not in found:
                        waves[total].append(there)
                        if total < came_cost.get(there, FAR):
                            came[there], came_cost[there] = hex_, total
        if two:
            self._tails |= {(unit.id, hex_): came[hex_] for hex_ in found if hex_ != start}
        return found

    def steps(self, unit: Unit, here: str) -> tuple[tuple[str, int], ...]:
        """Return the hexes into which a figure of a kind can go from one, each with its cost."""
        key = (bool(unit.on), here)
        known = self._steps.get(key)
        if known is None:
            ground, cost_of = self.battle.field.ground, step.costs(self.rules, self.battle, unit)
            costs = ((there, cost_of(here, there)) for there in neighbours(here) if there in ground)
            known = self._steps[key] = tuple((there, cost) for there, cost in costs if cost is not None)
        return known

    def free(self, hex_: str, id_: str) -> bool:
        """Tell whether nobody else of the own side will stand where a figure would stand with its head in a
        hex.
        """
        return all(
            self.held.get(place, id_) == id_ and place not in self.reserved
            for place in self.standing(id_, hex_)
        )

    def way(self, goals: tuple[str, ...]) -> Mapping[str, int]:
        """Return hex -> the points that the way from it to the nearest goal costs on foot, whoever stands in
        it; no way: not there. It is found once for the same goals.
        """
        return self._on_foot.way(goals)

    def far_from(self, goals: Iterable[str]) -> Mapping[str, int]:
        """Return the same for goals that nobody asks for again."""
        return self._on_foot.far_from(goals)

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
        """Return the attack strength that the enemy could bring to a hex in his next movement, if the ground
        were open.
        """
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
        there = (self.held.get(beside) for beside in neighbours(hex_))
        return sum(id_ != unit and id_ in self.at for id_ in there if id_)


def _drawn_to(wagon: Thing, hexes: tuple[str, ...]) -> Thing:
    """Return a wagon as it will stand."""
    return replace(
        wagon,
        at=hexes,
        facing=(side_between(hexes[-1], hexes[0]) if len(hexes) > 1 else None) or wagon.facing,
    )


def _swings(unit: Unit, there: str) -> int:
    """Return the points it costs a figure of two hexes to turn until a hex beside its head lies before it."""
    facing, wanted = side_between(unit.hexes[1], unit.hexes[0]), side_between(unit.hexes[0], there)
    if facing is None or wanted is None:
        return 0
    sides = abs(side_number(facing) - side_number(wanted))
    return max(0, min(sides, 6 - sides) - 1)
