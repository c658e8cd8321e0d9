"""Judges an order file before anything is rolled: what can never be legal is a problem, what depends on dice
a doubt.

Exact up to the first die of the file. After it an order is a problem only if it would be illegal in the best
of worlds, and a doubt unless it is legal in the worst (``outlook``). What makes an order legal is decided by
the checks of the ruleset, not here.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from pbem.core.problem import worst
from pbem.core.ruleset import Judgement, Ruleset
from pbem.rulesets.siege.judge import judge_melee, judge_moves, judge_panic, judge_shots
from pbem.rulesets.siege.judge.judging import Judging
from pbem.rulesets.siege.judge.outlook import LIVING
from pbem.rulesets.siege.march import shared_hexes
from pbem.rulesets.siege.orders import carry_out, conditions, grammar
from pbem.rulesets.siege.scenario import campaign, setup
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state.deed import deeds
from pbem.rulesets.siege.state.happening import apply
from pbem.rulesets.siege.state.orders import (
    Act,
    Attack,
    Condition,
    FireEngine,
    Gap,
    Item,
    Line,
    Move,
    MoveBy,
    OrderFile,
    Place,
    Prepare,
    Ride,
    Shoot,
    Skill,
    When,
)
from pbem.rulesets.siege.state.state import Battle
from pbem.rulesets.siege.things import works
from pbem.rulesets.siege.turn import sequence

Rules = Ruleset[Battle]


class Step(Struct, frozen=True):
    """An order or a condition as it is reached in the course of things, with what is known by then."""

    item: Line | When
    battle: Battle
    depth: int = 0
    branch: str = ""
    """``then`` or ``otherwise``: the branch it begins; empty where it begins none."""
    taken: bool | None = None
    """Of a condition: whether it holds; None where dice decide."""
    refused: bool = False
    """Of an order: whether it can never be legal, so that nothing comes of it."""


def check(rules: Rules, battle: Battle, orders: OrderFile, earlier: Sequence[OrderFile] = ()) -> Judgement:
    """Return the problems and doubts of a file, and its course: each order and condition as a ``Step``.

    ``earlier`` are the seat's files in force, oldest first.
    """
    judge = _Judge(rules, battle, orders)
    for phase in _phases(orders):
        judge.phase(phase, [file for file in earlier if not carry_out.has_ended(battle, file)])
    return Judgement(tuple(judge.found), tuple(judge.steps), judge.battle)


def _phases(orders: OrderFile) -> tuple[str, ...]:
    """Return the phases from the open one to the last that the file has orders for."""
    if orders.opened.phase not in orders.phases or not orders.gives_orders:
        return ()
    begin = orders.phases.index(orders.opened.phase)
    last = orders.only or orders.stop_after or orders.phases[-1]
    return orders.phases[begin : orders.phases.index(last) + 1]


class _Judge(Judging):
    """One file on its way through the phases it covers."""

    def __init__(self, rules: Rules, battle: Battle, orders: OrderFile) -> None:
        super().__init__(rules, battle, orders)
        self.known = family.phases(rules)
        self.steps: list[Step] = []
        self.depth = 0
        self.branch = ""

    def phase(self, phase: str, earlier: Sequence[OrderFile]) -> None:
        """Judge the section of one phase; where an earlier file has the orders for it, only see what follows
        from them.
        """
        at = replace(self.orders.opened, phase=phase)
        self.outlook.battle = self.battle.changed(at=at, spent={})
        if phase != "setup" and self.mates:
            self.foresee_mates(phase)
        if sequence.bowmen_first(self.rules, phase):
            self.outlook.hurt |= self.foes()  # the shots do not follow the order of the lines
        if phase == self.known.moves:
            judge_panic.flee(self.rules, self.outlook)
        for file in (self.orders, *reversed(earlier)):
            if file.covers(at):
                self.reports = file is self.orders
                self.items(file.sections.get(phase, ()))
                if phase == self.known.moves:
                    judge_moves.stays_in_the_fire(self)
                break
        else:
            self.unordered(phase)
        if phase == self.known.moves:
            self.outlook.adrift.update(shared_hexes.must_leave(self.rules, self.battle))
            for unit, done in self.known.noted(self.rules, self.battle) if self.known.noted else ():
                self.outlook.did(unit, done, sure=True)
        judge_panic.come_round(self.rules, self.outlook, phase_ends=phase == self.known.moves)

    def unordered(self, phase: str) -> None:
        """Reckon with everything in a phase for which no file has orders yet."""
        own = {unit.id for unit in self.battle.units.values() if unit.owner == self.seat}
        if phase == self.known.moves:
            self.outlook.adrift |= own
        else:
            self.outlook.hurt |= self.foes()
            for unit in sorted(own):
                self.outlook.did(unit, "shot", sure=False)

    def foresee_mates(self, phase: str) -> None:
        """What the other seats of the side order is not known: they may shoot, and move."""
        if phase in (*self.known.shoots, self.known.fights):
            self.outlook.hurt |= self.foes()
        if phase == self.known.moves:
            self.outlook.adrift |= self.mates

    # --- items

    def items(self, items: Sequence[Item]) -> None:
        """Judge some items in the order of their lines."""
        for item in items:
            if isinstance(item, Line):
                self.reach(item)
                begun = len(self.found)
                self.line(item)
                if (new := self.found[begun:]) and worst(new):
                    self.steps[-1] = replace(self.steps[-1], refused=True)
                judge_panic.come_round(self.rules, self.outlook)
            elif isinstance(item, When):
                self.when(item)
            elif isinstance(item, Gap):
                self.gap(item)

    def gap(self, gap: Gap) -> None:
        """Reckon with everything that a line which cannot be used may have been meant to do."""
        named = gap.about & self.battle.units.keys()
        if self.battle.at.phase in self.known.shoots:  # nobody leaves his hex
            self.outlook.hurt |= self.with_horses(named & self.foes())
            return
        self.unsettled |= gap.about - self.foes()
        if self.battle.at.phase == "setup":  # he is placed in no hex that another could not have
            units = self.battle.units
            self.outlook.battle = self.battle.with_units(
                *(replace(units[id_], at=()) for id_ in sorted(named & self.own()) if not units[id_].on)
            )
        parties = self.with_horses(named)
        self.outlook.adrift |= parties
        self.outlook.hurt |= parties & self.foes()

    def reach(self, item: Line | When, taken: bool | None = None) -> None:
        """Note how things stand when an item is reached."""
        if self.reports:
            self.steps.append(Step(item, self.outlook.battle, self.depth, self.branch, taken))
        self.branch = ""

    def when(self, item: When) -> None:
        """Judge the branch that will be taken, or both where dice decide."""
        if self.decided(item.condition):
            value, _ = conditions.holds(self.rules, self.battle, item.condition)
            self.reach(item, value)
            self.inside(item.then if value else item.otherwise, "then" if value else "otherwise")
            return
        self.reach(item)
        before = self.outlook
        self.outlook = before.copy()
        if self.assume(item.condition):
            self.inside(item.then, "then")
        self.asserted = set()
        then, self.outlook = self.outlook, before
        self.inside(item.otherwise, "otherwise")
        self.outlook.join(then)

    def inside(self, items: Sequence[Item], branch: str) -> None:
        """Judge a branch."""
        self.depth += 1
        self.branch = branch
        self.items(items)
        self.branch = ""
        self.depth -= 1

    def decided(self, condition: Condition) -> bool:
        """Tell whether the dice cannot change what a condition says."""
        if not condition.parts:
            return False
        if self.outlook.certain and not self.mates:
            return True
        for part in condition.parts:
            kind = part[1].removeprefix("not ")
            plain = kind == "turn" or (
                kind in ("is", "at") and self.outlook.sure_of(part[0]) and part[0] not in self.mates
            )
            if not plain:
                return False
        return True

    def assume(self, condition: Condition) -> bool:
        """Use, in a branch, what its condition says: a figure that is wounded is not dead, and who can attack
        may attack.

        Returns False if the condition cannot come true.
        """
        for subject, test, object_ in condition.parts:
            said = set(object_.split(" or "))
            if test == "is" and said <= set(LIVING):
                self.outlook.known[subject] = tuple(
                    state for state in self.outlook.states(subject) if state in said
                )
            elif test == "not is" and "dead" in said:
                self.outlook.known[subject] = tuple(
                    state for state in self.outlook.states(subject) if state not in said
                )
            elif test == "can-attack":
                self.asserted.add((subject, object_))
        return all(self.outlook.known.values())

    def line(self, line: Line) -> None:
        """Judge one order, and see what follows from it; kinds whose rules are not in force were refused when
        they were read.
        """
        if self.unsettled and not self.unsettled.isdisjoint(grammar.named(self.rules, line.order)):
            self.gap(Gap(frozenset(grammar.named(self.rules, line.order)), line.path))
            return
        match line.order:
            case Move():
                judge_moves.move(self, line.order, line.path)
            case Attack():
                judge_melee.attack(self, line.order, line.path)
            case Shoot() | FireEngine():
                judge_shots.shoot(self, line.order, line.path)
            case MoveBy():
                judge_moves.move_by(self, line.order, line.path)
            case Place() | Ride():
                if not self.refuse(self.battle, line.order.deed, line.order, line.path):
                    self.outlook.become(
                        self.battle,
                        apply(self.battle, setup.placed(self.rules, self.battle, line.order)),
                        sure=True,
                    )
            case Prepare():
                if not self.refuse(self.battle, "prepare", line.order, line.path):
                    for event in works.done(line.order):
                        self.outlook.battle = apply(self.outlook.battle, event)
            case Act() if deeds(self.rules)[line.order.do].of_the_day:
                if not self.refuse(self.battle, "act", line.order, line.path):
                    self.outlook.battle = campaign.after(self.rules, self.battle, self.seat, line.order)
            case Act():
                from pbem.rulesets.siege.judge import judge_deeds

                judge_deeds.act(self, line.order, line.path)
            case Skill():
                self.refuse(self.battle, "skill", line.order, line.path)
