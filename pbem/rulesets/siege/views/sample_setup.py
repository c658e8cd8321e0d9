"""Lines to show for a setup: men in front, a shooter behind, a thing, and what else the step is for."""

from __future__ import annotations

from itertools import islice
from typing import Final

from pbem.core.briefing import Said, Sample
from pbem.rulesets.siege.ground.character import person
from pbem.rulesets.siege.march import riding
from pbem.rulesets.siege.orders import grammar
from pbem.rulesets.siege.scenario import placing, setup
from pbem.rulesets.siege.state.orders import Place, Prepare, Skill
from pbem.rulesets.siege.state.state import Unit
from pbem.rulesets.siege.things import works
from pbem.rulesets.siege.turn import skill
from pbem.rulesets.siege.views.sample_book import TRIED, Book, apart

WHOLE: Final = 16
"""Of so many a setup places everybody: somebody who never played may send it as it is."""
PLACED: Final = 3
"""So many are placed where there are more."""


class SetupBook(Book):
    """The lines of a file for the setup."""

    def setup(self) -> None:
        """Choose some placings: men in front, a shooter behind, a thing, and what else the step is for."""
        if "place" in setup.step_of(self.battle).may:
            mine = [
                force
                for force in setup.waiting(self.battle)
                if self.battle.units[force.id].owner == self.seat
            ]
            sorts: dict[tuple[str, bool], list[str]] = {}
            for force in mine:
                unit = self.battle.units[force.id]
                sorts.setdefault((unit.kind, bool(person(self.battle, unit).missile)), []).append(force.id)
            chosen = [ids[0] for ids in sorts.values()] + [ids[1] for ids in sorts.values() if len(ids) > 1]
            everybody = list(dict.fromkeys((*chosen, *(force.id for force in mine))))
            for id_ in everybody if len(mine) <= WHOLE else chosen[:PLACED]:
                self.post(self.battle.units[id_])
            for entry in placing.waiting(self.battle)[:1]:
                if entry.thing.side == self.side:
                    self.stow(entry.thing.id)
        for work in islice(works.listed(self.rules, self.battle, self.seat), 1):
            self.add(self.prepared(work))
        self.skills()

    def post(self, unit: Unit) -> None:
        """Choose where a figure is placed: nearest to the enemy's men, or to what is played for; a shooter
        not in the first row.
        """
        force = setup.force_of(self.battle, unit)
        goals = [
            hex_
            for foe in self.battle.units.values()
            if foe.living and foe.side != self.side
            for hex_ in foe.hexes
        ] or self.goals()
        region = [hex_ for hex_ in setup.region(self.battle, force) if hex_ not in self.held]
        region.sort(key=lambda hex_: (apart(hex_, goals), hex_))
        back = len(region) // 2 if person(self.battle, unit).missile else 0
        facings = ("n", "s") if riding.two_hexes(unit) else ("",)
        orders = (
            Place(unit.id, (hex_,), facing) for hex_ in (*region[back:], *region[:back]) for facing in facings
        )
        legal_ = (
            order for order in orders if setup.why_not(self.rules, self.battle, self.seat, order) is None
        )
        for order in islice(legal_, TRIED):
            at = setup.stands(self.battle, order)
            if not self.held & set(at) and self.add(
                self.order("setup", order, "sample.placed", hex=" ".join(order.at))
            ):
                self.held |= set(at)
                return

    def stow(self, thing: str) -> None:
        """Choose where a thing is placed."""
        for order in islice(placing.orders(self.rules, self.battle, self.seat, thing), TRIED):
            line = Sample(
                "setup",
                grammar.say(self.rules, order),
                Said("sample.stowed", {"thing": thing, "hex": " ".join(order.at)}),
            )
            if self.add(line):
                return

    def prepared(self, work: Prepare) -> Sample:
        """Return a hex that is filled or broken down."""
        return Sample(
            "setup", grammar.say(self.rules, work), Said(f"sample.{work.do}", {"hex": work.hexes[0]})
        )

    def skills(self) -> None:
        """Choose skills that balance each other."""
        if "skill" not in setup.step_of(self.battle).may or not skill.in_force(self.rules):
            return
        groups: dict[str, list[str]] = {}
        for unit in self.battle.units.values():
            missile = person(self.battle, unit).missile
            if unit.owner == self.seat and missile and not unit.skill:
                groups.setdefault(skill.group(self.rules, missile), []).append(unit.id)
        for ids in groups.values():
            if len(ids) > 1:
                at = len(self.lines)
                pair_ = ((ids[0], -1, at + 1), (ids[1], 1, at))
                if self.add(
                    *(
                        self.order("setup", Skill(who, value), "sample.skill", other, value=value)
                        for who, value, other in pair_
                    )
                ):
                    return
