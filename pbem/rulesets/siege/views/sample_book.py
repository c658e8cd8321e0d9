"""The lines of one file while they are chosen to be shown: each is taken only if the file stands with it.

Which lines are chosen is ``samples`` for a player turn and ``sample_setup`` before the first.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from pbem.core.briefing import Said, Sample, as_file
from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import distance, hex_of
from pbem.rulesets.siege.deeds import reading
from pbem.rulesets.siege.ground.character import person
from pbem.rulesets.siege.judge import judge
from pbem.rulesets.siege.orders import grammar
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state.orders import Order
from pbem.rulesets.siege.state.state import Battle, Unit
from pbem.rulesets.siege.things import names
from pbem.rulesets.siege.views import aim

Rules = Ruleset[Battle]

TRIED: Final = 4
"""So many lines are tried for one place of the file, the best first."""


class Book:
    """The lines of one file as they are chosen; each only if the file stands with it, without a doubt."""

    def __init__(self, rules: Rules, battle: Battle, seat: str) -> None:
        self.rules = rules
        self.phases = family.phases(rules)
        self.battle = battle
        self.seat = seat
        self.side = battle.side_of_seat[seat]
        self.lines: list[Sample] = []
        self.busy: set[str] = set()
        self.aimed: set[str] = set()
        """Enemies that somebody shoots or strikes at already."""
        self.held: set[str] = set()
        """Hexes that somebody goes to."""
        self.able = [
            unit
            for _, unit in sorted(battle.units.items())
            if unit.owner == seat and unit.able and fights(battle, unit)
        ]

    def add(self, *more: Sample) -> bool:
        """Take some lines that belong together, if the file stands with them; tell whether it does."""
        if not self.stands((*self.lines, *more)):
            return False
        self.lines += more
        return True

    def stands(self, lines: Sequence[Sample]) -> bool:
        """Tell whether lines are a file that nothing speaks against."""
        orders, problems = reading.read_orders(self.rules, self.battle, self.seat, as_file(lines))
        return (
            not problems and orders is not None and not judge.check(self.rules, self.battle, orders).problems
        )

    def order(self, heading: str, order: Order, key: str, *needs: int, **args: Any) -> Sample:
        """Return an order as a line, with what it does."""
        who = [
            person(self.battle, self.battle.units[id_]).name
            for id_ in names.who(order)
            if id_ in self.battle.units
        ]
        return Sample(
            heading, grammar.say(self.rules, order), Said(key, {"who": who, "count": len(who), **args}), needs
        )

    def name(self, id_: str) -> str:
        """Return the name of a figure."""
        return person(self.battle, self.battle.units[id_]).name

    def near(self, units: Iterable[Unit]) -> list[Unit]:
        """Return figures, those nearest to an enemy first."""
        battle = self.battle
        living = [unit for unit in battle.units.values() if unit.living]
        foes = [
            hex_ for unit in living if battle.allegiance(unit) not in ("", self.side) for hex_ in unit.hexes
        ]
        far = {unit.id: apart(unit.at[0], foes) for unit in units}
        return sorted(
            (unit for unit in self.able if unit.id in far), key=lambda unit: (far[unit.id], unit.id)
        )

    def free(self) -> list[Unit]:
        """Return who has no line yet."""
        return [unit for unit in self.able if unit.id not in self.busy]

    def lines_of(self, heading: str) -> list[Sample]:
        """Return the lines of a section."""
        return [line for line in self.lines if line.heading == heading]

    def goals(self) -> tuple[str, ...]:
        """Return the hexes of what the side plays for on the map, or by which it has to leave it; without any
        the enemy is gone for.
        """
        field = self.battle.field
        regions = [region for region in aim.regions(field) if self.side in region.sides]
        off = any(
            term.side in (self.side, "any") and term.kind in ("led-off", "left-the-map")
            for term in field.at_end
        )
        marks = (
            [field.marks[field.side(self.side).leaves]]
            if off and not regions and field.side(self.side).leaves
            else []
        )
        return tuple(
            dict.fromkeys(hex_ for cells in (*(region.cells for region in regions), *marks) for hex_ in cells)
        )


def apart(place: str, hexes: Sequence[str]) -> int:
    """Return how many hexes it is from a place to the nearest of some; 0 where there are none."""
    return min((distance(hex_of(place), hex_) for hex_ in hexes), default=0)


def fights(battle: Battle, unit: Unit) -> bool:
    """Tell whether somebody fights for his side at all: no animal, no bystander."""
    return unit.kind == "man" and unit.id not in battle.field.bystanders
