"""What can happen: each event states the new values and what it makes of a game, and no rule."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from msgspec import Struct, field
from msgspec.structs import replace

from pbem.core.sequence import Cursor
from pbem.rulesets.castle.state import (
    Figure,
    Ladder,
    Plank,
    Section,
    Told,
    War,
    with_figure,
    with_ladder,
    with_one,
    with_section,
)
from pbem.text.codec import to_plain


class Event(Struct, frozen=True):
    """Something that happens."""

    def applied(self, war: War) -> War:
        raise TypeError(f"{type(self).__name__} does not say what it makes of a game")


class Remark(Event, frozen=True):
    """An event that changes nothing and only tells."""

    def applied(self, war: War) -> War:
        return war


class PhaseBegan(Event, frozen=True):
    """A player turn begins."""

    phase: str
    turn: int
    side: str

    def applied(self, war: War) -> War:
        figures = tuple(
            replace(one, acted=0, ran=False) if one.side == self.side else one for one in war.figures
        )
        sections = tuple(replace(one, acted=0) if one.side == self.side else one for one in war.sections)
        at = Cursor(self.phase, self.turn, self.side)
        return replace(war, at=at, figures=figures, sections=sections, more=0, spent=0)


class PhaseEnded(Remark, frozen=True):
    """A player turn is over."""

    phase: str


class Mustered(Event, frozen=True):
    """An army comes onto the table."""

    side: str
    warriors: tuple[Figure, ...]
    sections: tuple[Section, ...] = ()
    ladders: tuple[Ladder, ...] = ()
    said: tuple[str, ...] = ()
    """The same, line by line as players write it."""
    planks: tuple[Plank, ...] = ()

    def applied(self, war: War) -> War:
        return replace(
            war,
            figures=tuple(sorted((*war.figures, *self.warriors), key=lambda one: one.id)),
            sections=tuple(sorted((*war.sections, *self.sections), key=lambda one: one.id)),
            ladders=(*war.ladders, *self.ladders),
            laid=(*war.laid, *self.planks),
        )


class Rolled(Remark, frozen=True):
    """Dice fell."""

    label: str
    sides: int
    values: tuple[int, ...]
    rule: str = ""


class Said(Remark, frozen=True):
    """A player wrote something to everybody."""

    seat: str
    text: str


class OrderSkipped(Remark, frozen=True):
    """An order came to nothing, and its action is kept (MKB26)."""

    seat: str
    order: str
    code: str
    rule: str = ""
    args: Mapping[str, str | int] = field(default_factory=dict)


class Instructed(Event, frozen=True):
    """What a seat says beforehand takes force."""

    seat: str
    told: Told

    def applied(self, war: War) -> War:
        return replace(war, told=dict(sorted({**war.told, self.seat: self.told}.items())))


class Led(Event, frozen=True):
    """A leader tried to get more done; ``more`` are the actions that his side has more in this turn."""

    figure: str
    face: int
    more: int

    def applied(self, war: War) -> War:
        return replace(war, more=war.more + self.more)


class PortalMoved(Event, frozen=True):
    """A portal was opened or closed; ``open`` are all that are open of its section."""

    section: str
    portal: str
    does: str
    open: tuple[str, ...]
    why: str = ""

    def applied(self, war: War) -> War:
        return with_section(war, self.section, open=self.open)


class Breached(Event, frozen=True):
    """A section is breached."""

    section: str

    def applied(self, war: War) -> War:
        return with_section(war, self.section, breached=True)


class Acted(Event, frozen=True):
    """Somebody has had an action; ``spent`` counts those within the allowance."""

    unit: str
    tokens: int
    spent: int = 0
    ran: bool = False
    """Whether it was a move that began without an enemy at its base."""

    def applied(self, war: War) -> War:
        acted = war.one(self.unit).acted + 1
        war = with_one(war, self.unit, tokens=self.tokens, acted=acted)
        if self.ran:
            war = with_figure(war, self.unit, ran=True)
        return replace(war, spent=war.spent + self.spent)


class Rested(Event, frozen=True):
    """Who did nothing loses his tokens."""

    units: tuple[str, ...]

    def applied(self, war: War) -> War:
        for id_ in self.units:
            war = with_one(war, id_, tokens=0)
        return war


class Thawed(Event, frozen=True):
    """Who could not act this turn can again."""

    units: tuple[str, ...]

    def applied(self, war: War) -> War:
        for id_ in self.units:
            war = with_figure(war, id_, frozen=False)
        return war


class Frozen(Event, frozen=True):
    """Somebody cannot act in his owner's next turn."""

    unit: str

    def applied(self, war: War) -> War:
        return with_figure(war, self.unit, frozen=True)


class Returned(Event, frozen=True):
    """A warrior who was out of the game is in it again; he acts from the next turn on."""

    unit: str
    x: int
    y: int
    facing: int
    click: int
    on: str = ""

    def applied(self, war: War) -> War:
        back = {"x": self.x, "y": self.y, "facing": self.facing, "on": self.on, "click": self.click}
        return with_figure(war, self.unit, **back, out=False, frozen=False, tokens=0, acted=1)


class BrokeAway(Remark, frozen=True):
    """Somebody tried to leave the enemies at his base."""

    figure: str
    face: int
    free: str


def _gone(war: War, figure: str, x: int, y: int, facing: int, on: str) -> War:
    """Return a game in which somebody has gone somewhere, and whom he leads away with him (MKB18)."""
    war = with_figure(war, figure, x=x, y=y, facing=facing, on=on)
    for one in war.figures:
        if one.captor == figure:
            war = with_figure(war, one.id, x=x, y=y, on=on)
    return war


SHORT: Final = {
    "blocked": "the way is blocked",
    "speed": "at the end of his speed",
    "hindering": "stopped by hindering ground",
    "contact": "in contact",
    "beside": "beside who stood there",
}
"""What ended a way short of where it was to go (``Moved.stopped``), as it is said."""


class Moved(Event, frozen=True):
    """Somebody went somewhere: ``path`` in inches, ``on`` what it stands on at the end (``ground`` or a
    section).
    """

    figure: str
    path: tuple[str, ...]
    x: int
    y: int
    facing: int
    on: str = ""
    stopped: str = ""

    def applied(self, war: War) -> War:
        return _gone(war, self.figure, self.x, self.y, self.facing, self.on)


class Passed(Event, frozen=True):
    """Somebody used access points of a section."""

    figure: str
    section: str
    through: str
    out_of: str
    x: int
    y: int
    facing: int
    on: str = ""

    def applied(self, war: War) -> War:
        return _gone(war, self.figure, self.x, self.y, self.facing, self.on)


class Turned(Event, frozen=True):
    """Somebody looks elsewhere: ``why`` is ``order``, ``spin`` or ``collapse``."""

    figure: str
    facing: int
    why: str
    to: str = ""

    def applied(self, war: War) -> War:
        return with_figure(war, self.figure, facing=self.facing)


class Attacked(Remark, frozen=True):
    """An attack was rolled for: what it needed on two dice, what they showed, and how it came out."""

    attackers: tuple[str, ...]
    target: str
    how: str
    attack: int
    defence: int
    needs: int
    total: int
    outcome: str
    reasons: str = ""


class Hurt(Event, frozen=True):
    """A dial was turned on, or back by as many clicks below nothing."""

    unit: str
    clicks: int
    click: int
    why: str

    def applied(self, war: War) -> War:
        return with_one(war, self.unit, click=self.click)


class Eliminated(Event, frozen=True):
    """A warrior is out of the game; whom he led away is free again."""

    unit: str

    def applied(self, war: War) -> War:
        return _let_go(with_figure(war, self.unit, out=True, captor=""), self.unit)


def _let_go(war: War, captor: str) -> War:
    """Return a game in which those are free whom somebody led away."""
    for one in war.figures:
        if one.captor == captor:
            war = with_figure(war, one.id, captor="")
    return war


class Collapsed(Event, frozen=True):
    """A section is destroyed; ``fallen`` are the warriors on it, who stand on the rubble now."""

    section: str
    fallen: tuple[str, ...] = ()

    def applied(self, war: War) -> War:
        war = with_section(war, self.section, out=True, open=())
        for id_ in self.fallen:
            war = with_figure(war, id_, on="")
        gone = tuple(one for one in war.ladders if one.at != self.section)
        return replace(war, ladders=gone) if len(gone) < len(war.ladders) else war


class LadderRaised(Event, frozen=True):
    """A ladder stands at a section."""

    ladder: str
    section: str
    x: int
    y: int
    by: tuple[str, ...]

    def applied(self, war: War) -> War:
        return with_ladder(war, self.ladder, at=self.section, x=self.x, y=self.y, by=())


class LadderTaken(Event, frozen=True):
    """A ladder was taken down, and is carried."""

    ladder: str
    section: str
    by: tuple[str, ...]

    def applied(self, war: War) -> War:
        return with_ladder(war, self.ladder, at="", x=0, y=0, by=self.by)


class Captured(Event, frozen=True):
    """A warrior is somebody's captive; whom he led away is free again."""

    unit: str
    by: str

    def applied(self, war: War) -> War:
        return _let_go(with_figure(war, self.unit, captor=self.by), self.unit)


class GameEnded(Event, frozen=True):
    """The game is over: ``winner`` is a side or ``draw``."""

    winner: str
    why: str
    grade: str = ""
    score: tuple[tuple[str, int], ...] = ()

    def applied(self, war: War) -> War:
        return replace(war, winner=self.winner, why=self.why, grade=self.grade)


EVENTS = (
    Acted,
    Attacked,
    Breached,
    BrokeAway,
    Captured,
    Collapsed,
    Eliminated,
    Frozen,
    GameEnded,
    Hurt,
    Instructed,
    LadderRaised,
    LadderTaken,
    Led,
    Moved,
    Mustered,
    OrderSkipped,
    Passed,
    PhaseBegan,
    PhaseEnded,
    PortalMoved,
    Rested,
    Returned,
    Rolled,
    Said,
    Thawed,
    Turned,
)


def apply(war: War, event: object) -> War:
    """Return the game after an event; TypeError for what is not one."""
    if not isinstance(event, Event):
        raise TypeError(f"{event!r} is not an event of this ruleset")
    return event.applied(war)


def plain(event: object) -> dict[str, Any]:
    """Return an event as it is written."""
    return {"type": type(event).__name__, **to_plain(event)}
