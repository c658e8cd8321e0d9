"""What can happen to the game itself: phases, orders, choices, dice and words.

They are events like all others (``events``), from where everybody takes them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from pbem.core.sequence import Cursor
from pbem.rulesets.siege.state.forms import (
    Choices,
    ChosenBy,
    Count,
    DayPlan,
    Faces,
    FigureChoices,
    Id,
    Ids,
    Named,
    Near,
    Part,
    RuleId,
    Word,
)
from pbem.rulesets.siege.state.happening import Event, Remark
from pbem.rulesets.siege.state.state import Battle, Instructions, Unit

if TYPE_CHECKING:
    from pbem.core.odds import Modifier


class PhaseBegan(Event, frozen=True):
    """The game stands at a phase now; a new turn or day empties what figures did."""

    phase: Word
    turn: Count = 0
    side: Id = ""
    day: Count = 0
    part: Part = ""
    fresh: Ids = ()
    """Units whose ``did`` is emptied, because their side's player turn begins."""
    near: tuple[Near, ...] = ()
    """Who has stood beside something that could burn since his side's last player turn: unit, place, hexes;
    it is over for all others.
    """

    def applied(self, battle: Battle) -> Battle:
        units = battle.units
        fresh = {id_: replace(units[id_], did=()) for id_ in self.fresh}
        bare = {id_: replace(fresh.get(id_, unit), shelter="") for id_, unit in units.items() if unit.shelter}
        at = Cursor(self.phase, self.turn, self.side, self.day, self.part)
        after = {**units, **fresh, **bare}
        begins = at.side and not at.is_setup and at.player_turn != battle.at.player_turn
        return battle.changed(at=at, units=self._standing_near(after) if begins else after)

    def _standing_near(self, units: dict[str, Unit]) -> dict[str, Unit]:
        """Return units, at the beginning of a player turn, with what is said of who has stood beside
        something that could burn.
        """
        said = {id_: tuple(where) for id_, *where in self.near}
        return units | {
            id_: replace(unit, stood=said.get(id_, ()))
            for id_, unit in units.items()
            if unit.stood or id_ in said
        }


class TurnBegan(Remark, frozen=True):
    """A game turn began."""

    turn: Count
    day: Count = 0


class DayBegan(Remark, frozen=True):
    """A day of a siege began."""

    day: Count


class PhaseEnded(Event, frozen=True):
    """A phase is over."""

    phase: Word

    def applied(self, battle: Battle) -> Battle:
        return battle.changed(spent={}) if battle.spent else battle


class GameEnded(Event, frozen=True):
    """The game is over: ``winner`` is a side or ``draw``; ``line`` is the line of the scenario that ended it
    at once.
    """

    winner: Id
    why: str
    grade: str = ""
    score: tuple[tuple[Id, int], ...] = ()
    line: str = ""

    def applied(self, battle: Battle) -> Battle:
        over = replace(battle.at, phase="over")
        score = {**battle.score, **dict(self.score)}
        return battle.changed(at=over, winner=self.winner, grade=self.grade, why=self.why, score=score)


class Instructed(Event, frozen=True):
    """A seat's standing instructions took force."""

    seat: Id
    orders: str
    everyone: Choices = field(default_factory=dict)
    figures: tuple[FigureChoices, ...] = ()

    def applied(self, battle: Battle) -> Battle:
        entry = Instructions(self.seat, self.orders, self.everyone, self.figures)
        return battle.changed(standing=dict(sorted({**battle.standing, self.seat: entry}.items())))


class OrderRead(Remark, frozen=True):
    """An order is carried out: where it stands in its file, and its sentence in normal form."""

    seat: Id
    source: str
    order: str


class OrderSkipped(Remark, frozen=True):
    """An order has become impossible; nothing else was guessed."""

    seat: Id
    source: str
    order: str
    code: str
    rule: RuleId = ""
    args: Mapping[str, str | int] = field(default_factory=dict)


class BranchTaken(Remark, frozen=True):
    """A condition was looked at: true or false, and why."""

    seat: Id
    source: str
    condition: str
    value: bool
    why: str


class FileEnded(Event, frozen=True):
    """A ``stop`` in a branch ended a seat's order file; ``at`` is the phase in which it did."""

    seat: Id
    source: str
    at: str

    def applied(self, battle: Battle) -> Battle:
        return battle.changed(ended=dict(sorted({**battle.ended, self.seat: self.at}.items())))


class Asked(Remark, frozen=True):
    """A question stopped the phase."""

    question: str
    seat: Id
    about: str
    unit: Named
    rule: RuleId


class Chosen(Event, frozen=True):
    """A choice was made: ``by`` is ``standing answer default order``."""

    seat: Id
    about: str
    unit: Named
    choice: str
    by: ChosenBy
    rule: RuleId = ""

    def applied(self, battle: Battle) -> Battle:
        if self.about != "doorway":
            return battle
        return battle.with_units(replace(battle.units[self.unit], shelter=self.choice))


class Reason(Struct, frozen=True):
    """One modifier of a tally, as an event tells it."""

    rule: RuleId
    label: str
    shift: int


def reasons(modifiers: Iterable[Modifier]) -> tuple[Reason, ...]:
    """Return modifiers as an event tells them."""
    return tuple([Reason(one.rule, one.label, one.shift) for one in modifiers])


class Rolled(Remark, frozen=True):
    """A die was rolled and a table read."""

    label: str
    sides: Count
    values: Faces
    rule: RuleId
    table: str = ""
    column: str = ""
    base: str = ""
    tally: tuple[Reason, ...] = ()
    row: int = 0
    result: str = ""
    said: str = ""


class Scored(Event, frozen=True):
    """A side has points now; ``points`` is what this added, ``total`` the new value."""

    side: Id
    points: int
    total: int
    why: str

    def applied(self, battle: Battle) -> Battle:
        return battle.changed(score=dict(sorted({**battle.score, self.side: self.total}.items())))


class Said(Remark, frozen=True):
    """A message of an order file."""

    seat: Id
    text: str


class Resigned(Event, frozen=True):
    """A side gave the game up."""

    side: Id

    def applied(self, battle: Battle) -> Battle:
        return battle.changed(resigned=tuple(sorted({*battle.resigned, self.side})))


class DrawOffered(Event, frozen=True):
    """A side offers, or accepts, a draw; ``open`` false: the offer is over."""

    side: Id
    open: bool = True

    def applied(self, battle: Battle) -> Battle:
        sides = {*battle.draws, self.side} if self.open else {*battle.draws} - {self.side}
        return battle.changed(draws=tuple(sorted(sides)))


class Planned(Event, frozen=True):
    """The besieger has planned his day: ``assault bombard rest`` or ``lift the siege``; ``assaults`` counts
    them, with this one.
    """

    side: Id
    plan: DayPlan
    assaults: Count = 0
    rule: RuleId = ""

    def applied(self, battle: Battle) -> Battle:
        log = replace(battle.log, assaults=self.assaults or battle.log.assaults)
        return battle.changed(at=replace(battle.at, part=self.plan), log=log)
