"""What the judging of one order file shares: what is known at the moment of a line, and what has been found
wrong so far.

What an order of one sort may come to is judged in ``judge_shots``, ``judge_moves``, ``judge_melee`` and
``judge_deeds``; the order in which the lines of a file are reached is ``judge``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from pbem.core.problem import Path, Problem
from pbem.core.ruleset import Ruleset
from pbem.rulesets.siege.judge.outlook import Outlook
from pbem.rulesets.siege.orders import conditions
from pbem.rulesets.siege.state.orders import Order, OrderFile
from pbem.rulesets.siege.state.state import Battle
from pbem.rulesets.siege.things import burning

Rules = Ruleset[Battle]

BY_PLACE: Final = frozenset(
    {
        "melee.not-adjacent",
        "melee.wall",
        "mantlets.blows",
        "melee.no-way-in",
        "melee.shifted-out",
        "shooting.range",
        "line_of_fire.figure",
    }
    | {
        "line_of_fire.ground",
        "line_of_fire.levels",
        "cover.infinite",
        "cover.wall",
        "melee.levels",
        "engines.no-blows",
        "towers.levels",
    }
    | {
        "line_of_fire.edge",
        "line_of_fire.from-moat",
        "line_of_fire.shut-in",
        "line_of_fire.slit",
        "line_of_fire.too-near",
        "cover.castle",
        "cover.gate",
    }
    | {"shooting.across-away"}
)
"""What speaks against an order only because of where somebody stands, of which nothing may
be known by then.
"""


def doubtful(code: str, rule: str = "", help: str = "", **args: str | int) -> Problem:
    """Return that an order may come to nothing, and why."""
    return Problem(f"doubt.{code}", args, rule=rule, help=help)


class Judging:
    """One file, the outlook on the moment in which a line of it is reached, and what there is to say against
    it.
    """

    def __init__(self, rules: Rules, battle: Battle, orders: OrderFile) -> None:
        self.rules = rules
        self.orders = orders
        self.seat = orders.seat
        self.outlook = Outlook(battle, orders.side)
        self.mates = {
            unit.id
            for unit in battle.units.values()
            if unit.side == orders.side and unit.owner != orders.seat
        }
        """Figures of the own side that other seats lead."""
        self.found: list[Problem] = []
        self.reports = True
        """Whether the problems of the section that is judged are this file's."""
        self.asserted: set[tuple[str, str]] = set()
        """Pairs of which a condition has just said that the one can attack the other."""
        self.shaken: set[str] = set()
        """Ladders that somebody tries to topple before."""
        self.unsettled: set[str] = set()
        """Own figures, and things, of which a line that cannot be used may have made anything."""

    @property
    def battle(self) -> Battle:
        """Return the course of things so far."""
        return self.outlook.battle

    def say(self, problem: Problem, path: Path) -> None:
        """Note a problem or a doubt at its line."""
        if self.reports:
            self.found.append(problem.at(*path))

    def doubt(self, path: Path, code: str, rule: str = "", help: str = "", **args: str | int) -> None:
        """Note that an order may come to nothing."""
        self.say(doubtful(code, rule, help, **args), path)

    def why_not(self, battle: Battle, kind: str, order: Order) -> Problem | None:
        """Return the first thing that is wrong with an order in one world; what was asked of it before is
        known.
        """
        known, asked = battle.asked[self.rules], ("wrong", kind, self.seat, order)
        found: Problem | None
        if asked in known:
            found = known[asked]
        else:
            found = known[asked] = conditions.first_wrong(self.rules, battle, kind, self.seat, order)
        return found

    def refuse(self, battle: Battle, kind: str, order: Order, path: Path) -> bool:
        """Note everything that is wrong with an order; tell whether anything is."""
        found = list(conditions.problems(self.rules, battle, kind, self.seat, order))
        for problem in found:
            self.say(problem, path)
        return bool(found)

    def foes(self) -> set[str]:
        """Return the living enemies."""
        no_foes, living = ("", self.orders.side), self.battle.living_of.items()
        return {id_ for side, ids in living if side not in no_foes for id_ in ids}

    def own(self) -> set[str]:
        """Return the living figures of the own side."""
        return {
            unit.id for unit in self.battle.units.values() if unit.side == self.orders.side and unit.living
        }

    def with_horses(self, units: Iterable[str]) -> set[str]:
        """Return figures with the horses they ride and the riders of those that are horses: what happens to
        one may part them.
        """
        battle, found = self.outlook.battle, set(units)
        known, ridden = battle.units, battle.rider_of
        return found | {known[id_].on or ridden.get(id_, id_) for id_ in found} if ridden else found

    def set_alight(self, path: Path, hexes: Iterable[str]) -> None:
        """Reckon with fire in some hexes: who is in it may be hurt, and he has to leave, and who is on the
        tower over it.

        That own figures are in it is said at the line that lights it.
        """
        for hex_ in hexes:
            for id_ in sorted(self.own().intersection(burning.inside(self.battle, hex_))):
                self.doubt(path, "own-fire", "S3.54a", friend=id_, hex=hex_)
            self.outlook.hurt |= self.with_horses(burning.inside(self.battle, hex_))
            self.outlook.adrift |= {*burning.caught(self.battle, hex_)}
