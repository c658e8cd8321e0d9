"""Armies that their players build: what a file says, whether it may be, and how both come onto the table.

In a scenario that is ``open`` there is a step of the setup in which every side sends its army. All files are
sealed until the last one is in, as any orders of one slot; who sends none fields the army that the scenario
names. So what may be built hangs on the scenario alone, and never on the other army: the enemy of the castle
begins where he is far enough from any castle that could be built.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec.structs import replace

from pbem.core.play import Play
from pbem.core.problem import Problem
from pbem.core.ruleset import Files
from pbem.geometry.plane import TURN, inches
from pbem.rulesets.castle.dial import Rules, points, starts
from pbem.rulesets.castle.events import Mustered, PhaseBegan, PhaseEnded
from pbem.rulesets.castle.facing import COMPASS, in_words, turned
from pbem.rulesets.castle.named import meant
from pbem.rulesets.castle.orders import LADDER, MUSTERS, PLANK, Order, say
from pbem.rulesets.castle.setup import (
    built_wrong,
    court_wrong,
    ladders_wrong,
    over_points,
    overlapping,
    placed_wrong,
    plank_between,
    planks_wrong,
)
from pbem.rulesets.castle.space import base
from pbem.rulesets.castle.state import Figure, Ladder, Plank, Section, War

ARMY: Final = "army"


# --- what an army file says


def kind_of(rules: Rules, said: str) -> tuple[str, str, str]:
    """Return what a line calls somebody: ``warriors`` or ``sections`` with kind and weight; nothing for what
    there is not.
    """
    weight, _, rest = said.partition(" ")
    if weight not in ("light", "heavy"):
        weight, rest = "", said
    name = rest.replace(" ", "_")
    if name in rules.tables["sections"]["rows"]:
        return "sections", name, weight or "light"
    if name in rules.tables["warriors"]["rows"] and not weight:
        return "warriors", name, ""
    return "", "", ""


class Army:
    """An army as its file says it, with what is wrong with single lines."""

    def __init__(
        self, rules: Rules, war: War, side: str, owner: str, orders: Sequence[tuple[int, Order]]
    ) -> None:
        self.rules, self.war, self.side, self.owner = rules, war, side, owner
        self.line: dict[str, int] = {}
        self.problems: list[Problem] = []
        figures: list[Figure] = []
        sections: list[Section] = []
        ladders: list[Ladder] = []
        self.lines_of_planks: dict[str, tuple[str, str]] = {}
        for place, order in orders:
            (name,) = order.who
            if name in self.line:
                self._wrong(place, "castle.same-name", {"name": name}, "MK6.1")
                continue
            self.line[name] = place
            what, kind, weight = kind_of(rules, order.targets[0])
            x, y = order.at or (0, 0)
            if order.targets[0] == LADDER:
                ladders.append(Ladder(name, side, order.enters, x, y, order.targets[1:]))
            elif order.targets[0] == PLANK and len(order.targets) > 1:
                one, other = order.targets[1:]
                self.lines_of_planks[name] = (one, other)
            elif what == "sections":
                facing = self._facing(place, order.facing, 0)
                made = Section(name, _title(name), kind, side, owner, x, y, weight, facing)
                sections.append(replace(made, click=starts(rules, made)))
            elif what == "warriors":
                facing = self._facing(place, order.facing, 0 if self._castle else TURN // 2)
                figures.append(Figure(name, _title(name), kind, side, owner, x, y, facing, order.enters))
            else:
                rows = (*rules.tables["warriors"]["rows"], *rules.tables["sections"]["rows"])
                help_ = meant(order.targets[0], [name.replace("_", " ") for name in rows])
                self._wrong(place, "castle.kind", {"kind": order.targets[0]}, "MK6.1", help_)
        self.figures, self.sections, self.ladders = tuple(figures), tuple(sections), tuple(ladders)
        known_ = {section.id: section for section in sections}
        self.planks: tuple[Plank, ...] = tuple(
            plank_between(rules, name, known_[one], known_[other])
            for name, (one, other) in self.lines_of_planks.items()
            if one in known_ and other in known_
        )

    @property
    def _castle(self) -> bool:
        return self.side == self.war.board.castle

    def _wrong(
        self, place: int, code: str, args: Mapping[str, str | int], rule_: str, help_: str = ""
    ) -> None:
        self.problems.append(Problem(code, dict(args), (ARMY, place), rule=rule_, help=help_))

    def _facing(self, place: int, said: str, own: int) -> int:
        """Return where somebody looks: as a line says, or as is usual for his side."""
        found = turned(said) if said else own
        if found is None:
            self._wrong(place, "castle.facing", {"facing": said}, "MKB5", f"{', '.join(COMPASS)}, or degrees")
        return found or 0

    def alone(self) -> War:
        """Return a table with this army on it and no other."""
        return replace(
            self.war, figures=self.figures, sections=self.sections, ladders=self.ladders, laid=self.planks
        )

    def wrong(self) -> Iterator[Problem]:
        """Yield everything in which it goes against the rules of building and setting up, line by line."""
        yield from self.problems
        yield from self._names()
        names = {section.id for section in self.sections}
        if any(one.on and one.on not in names for one in self.figures):
            return
        there, rules = self.alone(), self.rules
        if not self.figures:
            yield Problem("castle.no-army", {"side": self.side}, (ARMY,), rule="MK7.2")
        for problem in over_points(rules, there, self.side):
            yield replace(problem, path=(ARMY,))
        for one in self.figures:
            wrong = placed_wrong(rules, there, one) if self._castle else outside_wrong(rules, there, one)
            yield from self._at(one.id, wrong)
        for section in self.sections:
            found = built_wrong(rules, there, section) if self._castle else not_his(section)
            yield from self._at(section.id, found)
        lines = [{"id": one.id} for one in self.ladders]
        for problem in ladders_wrong(rules, there, self.side, {"ladders": lines}) if self._castle else ():
            place = self.line[lines[int(problem.path[3])]["id"]] if len(problem.path) > 3 else None
            yield replace(problem, path=(ARMY,) if place is None else (ARMY, place))
        for name, problem in planks_wrong(rules, there, self.planks):
            yield replace(problem, path=(ARMY, self.line[name]))
        yield from (replace(problem, path=(ARMY,)) for problem in overlapping(rules, there))
        yield from (replace(problem, path=(ARMY,)) for problem in court_wrong(rules, there))

    def _at(self, name: str, problems: Any) -> Iterator[Problem]:
        yield from (replace(problem, path=(ARMY, self.line[name])) for problem in problems)

    def _names(self) -> Iterator[Problem]:
        """Yield names of an army that stand for nobody in it."""
        sections = {section.id for section in self.sections}
        figures = {one.id for one in self.figures}
        for one in self.figures:
            if one.on and one.on not in sections:
                yield Problem("castle.no-section", {"name": one.on}, (ARMY, self.line[one.id]), rule="MK7.13")
        for plank, joins in self.lines_of_planks.items():
            for name in joins:
                if name not in sections:
                    yield Problem("castle.no-section", {"name": name}, (ARMY, self.line[plank]), rule="MK8.2")
        for ladder in self.ladders:
            for name in ladder.by:
                if name not in figures:
                    yield Problem("castle.nobody", {"name": name}, (ARMY, self.line[ladder.id]), rule="MK8.7")
        placed = [ladder for ladder in self.ladders if ladder.at]
        if placed and not self._castle:
            args = {"count": len(placed), "most": 0}
            yield Problem("castle.ladders", args, (ARMY, self.line[placed[0].id]), rule="MK8.5")
        carried = [ladder for ladder in self.ladders if ladder.by]
        if len(carried) > 1:
            yield Problem("castle.one-ladder", {}, (ARMY, self.line[carried[1].id]), rule="MK8.7")


def not_his(section: Section) -> tuple[Problem, ...]:
    """Return what is wrong with a section of the side that has no castle."""
    return (Problem("castle.not-his-castle", {"section": section.id}, rule="MK7.1"),)


def outside_wrong(rules: Rules, war: War, one: Figure) -> tuple[Problem, ...]:
    """Return what is wrong with where a warrior of the castle's enemy begins who does not know the castle:
    he has to be far enough from any that could be built (MK7.10).
    """
    wrong = [problem for problem in placed_wrong(rules, war, one) if problem.code == "castle.no-place"]
    least = line_of_the_enemy(rules, war)
    shape, size = base(rules, one)
    if min(y for _, y in shape) - size < least:
        args: dict[str, str | int] = {"who": one.name, "inches": inches(least)}
        wrong.append(Problem("castle.before-line", args, rule="MK7.10"))
    return tuple(wrong)


def line_of_the_enemy(rules: Rules, war: War) -> int:
    """Return how far from the castle's edge its enemy begins: as far as any castle may reach, and the
    distance that is kept from one.
    """
    table = rules.tables["measures"]
    farthest = min(table["castle_from_edge"], war.board.depth - war.board.zone - table["castle_from_zone"])
    return int(farthest + table["castle_from_zone"])


def _title(name: str) -> str:
    return name.replace("-", " ").title()


def price(army: Army, order: Order) -> tuple[str, ...]:
    """Return what somebody of an army costs, in words; nothing of what costs none."""
    every: tuple[Figure | Section, ...] = (*army.figures, *army.sections)
    found = [one for one in every if one.id == order.who[0]]
    return tuple(f"{points(army.rules, one)} points" for one in found[:1])


# --- the step of the setup


def muster(rules: Rules, play: Play[War], files: Files) -> None:
    """Bring the armies onto the table: those that were sent, and of who sent none that of the scenario."""
    taken: set[str] = set()
    for side in play.state.board.sides:
        owner = play.state.seats[side.id]
        sent = [sheet for sheet in files.get(owner, ()) if sheet.army]
        found = army_of(rules, play.state, side.id, owner, sent[-1].orders) if sent else None
        if found is None or any(True for _ in found.wrong()):
            found = default(rules, play.state, side.id, owner)
        play.happen(apart(found, taken))


def army_of(rules: Rules, war: War, side: str, owner: str, orders: Sequence[Order]) -> Army:
    """Return the army that some lines say."""
    return Army(rules, war, side, owner, list(enumerate(orders)))


def default(rules: Rules, war: War, side: str, owner: str) -> Army:
    """Return the army that the scenario names for a side."""
    found = Army(rules, war, side, owner, ())
    board = war.board
    found.figures = tuple(replace(one, owner=owner) for one in board.figures if one.side == side)
    found.sections = tuple(replace(one, owner=owner) for one in board.sections if one.side == side)
    found.ladders = tuple(one for one in board.ladders if one.side == side)
    names = {one.id for one in found.sections}
    found.planks = tuple(one for one in board.planks if names.issuperset(one.joins))
    return found


def apart(army: Army, taken: set[str]) -> Mustered:
    """Return how an army comes onto the table; who has a name that somebody of the other has gets his side's
    before it.
    """
    every = [
        *(one.id for one in army.figures),
        *(one.id for one in army.sections),
        *(one.id for one in army.ladders),
        *(one.id for one in army.planks),
    ]
    called = {name: f"{army.side}-{name}"[:32] if name in taken else name for name in every}
    taken.update(called.values())

    def known(name: str) -> str:
        return called.get(name, name)

    warriors = tuple(
        replace(one, id=known(one.id), on=known(one.on) if one.on else "") for one in army.figures
    )
    sections = tuple(replace(one, id=known(one.id)) for one in army.sections)
    ladders = tuple(
        replace(one, id=known(one.id), at=known(one.at) if one.at else "", by=tuple(map(known, one.by)))
        for one in army.ladders
    )
    planks = tuple(
        replace(one, id=known(one.id), joins=(known(one.joins[0]), known(one.joins[1])))
        for one in army.planks
    )
    said = tuple(map(say, lines_of(army.side, sections, warriors, ladders, planks)))
    return Mustered(army.side, warriors, sections, ladders, said, planks)


def after_muster(rules: Rules, war: War) -> Sequence[object]:
    """Return what leads from the setup to the first player turn."""
    return [PhaseEnded(war.at.phase), PhaseBegan("actions", 1, war.board.sides[0].id)]


def lines_of(
    side: str,
    sections: Sequence[Section],
    figures: Sequence[Figure],
    ladders: Sequence[Ladder],
    planks: Sequence[Plank] = (),
) -> Iterator[Order]:
    """Yield the lines that say the army of a side."""
    for section in sections:
        if section.side == side:
            kind = f"{section.weight} {section.kind.replace('_', ' ')}"
            facing = in_words(section.facing) if section.facing else ""
            yield Order((section.id,), MUSTERS, (kind,), at=section.at, facing=facing)
    for one in figures:
        if one.side == side:
            kind, facing = one.kind.replace("_", " "), in_words(one.facing)
            yield Order((one.id,), MUSTERS, (kind,), at=one.at, enters=one.on, facing=facing)
    for ladder in ladders:
        if ladder.side == side and ladder.at:
            yield Order((ladder.id,), MUSTERS, (LADDER,), at=(ladder.x, ladder.y), enters=ladder.at)
        elif ladder.side == side:
            yield Order((ladder.id,), MUSTERS, (LADDER, *ladder.by))
    names = {section.id for section in sections if section.side == side}
    for plank in planks:
        if names.issuperset(plank.joins):
            yield Order((plank.id,), MUSTERS, (PLANK, *plank.joins))
