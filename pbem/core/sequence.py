"""The sequence of play as data: what is played again and again, what each side plays in turn, who orders in a
phase; and the cursor.

A sequence is a tree. Its leaves are phases; a ``Loop`` plays its parts again and again and counts (days, game
turns); an ``Each`` plays them once for each side. ``after`` walks that tree from wherever a game stands;
whether what comes next takes place at all (a setup, an assault, one more turn) is asked of the ruleset, so no
ruleset writes down by hand what follows what.

A cursor names one place of that walk. Labels of dice begin with it, so the walk never comes to the same place
twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from pbem.core.regex import regex

ACTIVE, PASSIVE, BOTH, NOBODY = "active", "passive", "both", "nobody"
"""Who orders in a phase: the side whose player turn it is, the others, every side, no side."""
TURN, DAY, ACTION = "turn", "day", "action"
"""What can be counted, by the name that it has in a cursor."""
SETUP: Final = "setup"
"""The phase in which figures are placed before anything else happens, in every game that has one; its steps
are counted.
"""
OVER: Final = "over"
MOST_STEPS: Final = 99

_NAME = r"[a-z][a-z0-9]{0,15}"
_PHASE = r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*"
_TURN = regex(rf"(?:d(\d{{1,4}})\.)?t(\d{{1,4}})(?:\.({_NAME}))?\.({_PHASE})(?:\.([1-9]\d?))?")
_SETUP = regex(rf"(?:d(\d{{1,4}})\.)?{SETUP}\.(\d{{1,2}})(?:\.({_NAME}))?")
_BETWEEN = regex(rf"d(\d{{1,4}})\.(?!(?:{OVER}|{SETUP})$)({_PHASE})")


class Phase(Struct, frozen=True):
    """One phase: its id in code and labels, its heading in an order file (empty where nobody orders), who
    orders.
    """

    id: str
    heading: str
    who: str
    title: str
    steps: int = 0
    """In how many counted steps it is played at most, such as impulses, or the actions of each figure; 0: it
    is not counted.
    """
    counts: str = ACTION
    """Where a cursor has the number of the step."""


PLACING: Final = Phase(SETUP, SETUP, BOTH, "Setup", MOST_STEPS, TURN)
"""The setup of a game whose order files call it so."""


class Each(Struct, frozen=True):
    """What each side plays by itself, one side after the other: a player turn."""

    parts: tuple[Part, ...]


class Loop(Struct, frozen=True):
    """What is played again and again, and what counts its rounds: ``TURN`` or ``DAY``."""

    counts: str
    parts: tuple[Part, ...]


Part = Phase | Each | Loop


class Cursor(Struct, frozen=True, dict=True):
    """Where a game stands. ``day`` is 0 in games of one day; ``turn`` is the step in the setup; ``side`` is
    empty where no one side plays.

    Phases of a day that belong to no player turn, such as its evening, have neither turn nor side. ``action``
    is the step of a phase whose steps are counted. ``part`` is a note of the ruleset; it is not part of the
    name.
    """

    phase: str
    turn: int = 0
    side: str = ""
    day: int = 0
    part: str = ""
    action: int = 0

    def __str__(self) -> str:
        return self.name

    @cached_property
    def name(self) -> str:
        """Return its text, put together once, for everything that happens in a phase is noted under it."""
        day = f"d{self.day}." if self.day else ""
        if self.phase == OVER:
            return f"{day}{OVER}"
        side = f".{self.side}" if self.side else ""
        if self.phase == SETUP:
            return f"{day}{SETUP}.{self.turn}{side}"
        if day and not self.turn and not self.side:
            return f"{day}{self.phase}"
        return f"{day}t{self.turn}{side}.{self.phase}" + (f".{self.action}" if self.action else "")

    @property
    def is_setup(self) -> bool:
        """Tell whether figures are being placed."""
        return self.phase == SETUP

    @property
    def is_between(self) -> bool:
        """Tell whether it belongs to no turn: a phase of the day."""
        return not self.turn and not self.side

    @property
    def player_turn(self) -> tuple[int, int, str, bool]:
        """Return what two phases of one player turn (or one step of the setup) have in common."""
        return (self.day, self.turn, self.side, self.is_setup)


def parse_cursor(text: str) -> Cursor:
    """Return the cursor that ``str`` writes as ``text``; raise ValueError for anything else."""
    if match := _SETUP.fullmatch(text):
        day, step, side = match.groups()
        return Cursor(SETUP, int(step), side or "", int(day or 0))
    if match := _TURN.fullmatch(text):
        day, turn, side, phase, action = match.groups()
        return Cursor(phase, int(turn), side or "", int(day or 0), action=int(action or 0))
    if match := _BETWEEN.fullmatch(text):
        day, phase = match.groups()
        return Cursor(phase, day=int(day))
    raise ValueError(f"'{text}' is not the name of a phase, such as t3.west.melee or setup.1.west")


Happens = Callable[[Part, Cursor], bool]
"""(part, the cursor that it would begin at) -> whether it takes place: the next round of a loop, a side of an
``Each``, a phase, a step.
"""


class SequenceOfPlay(Struct, frozen=True, dict=True):
    """The parts of a game in the order in which they are played. The id of a phase stands in it once."""

    parts: tuple[Part, ...]

    @cached_property
    def phases(self) -> tuple[Phase, ...]:
        """Return the phases of a game turn, in order."""
        return tuple(
            phase for phase, counted in _leaves(self.parts, ()) if TURN in counted and phase.id != SETUP
        )

    @cached_property
    def between(self) -> tuple[Phase, ...]:
        """Return the phases that belong to no turn: those of a day."""
        return tuple(
            phase for phase, counted in _leaves(self.parts, ()) if TURN not in counted and phase.id != SETUP
        )

    @cached_property
    def headings(self) -> Mapping[str, str]:
        """Return the sections of an order file: heading -> id of its phase, in the order in which they are
        played.
        """
        return {phase.heading: phase.id for phase, _ in _leaves(self.parts, ()) if phase.heading}

    def phase(self, id: str) -> Phase:
        """Return the phase with that id; KeyError if there is none."""
        return self._by_id[id]

    @cached_property
    def _by_id(self) -> Mapping[str, Phase]:
        return {phase.id: phase for phase, _ in _leaves(self.parts, ())}

    def position(self, id: str) -> int:
        """Return how many phases of a turn come before this one."""
        return [phase.id for phase in self.phases].index(id)

    def after(self, at: Cursor | None, sides: Sequence[str], happens: Happens) -> Cursor | None:
        """Return what is played after ``at`` (None: first of all); None when nothing more takes place.

        ``sides`` are in the order in which they play. The cursor has neither a note (``part``) nor, in the
        setup, a side.
        """
        return next(_walk(self.parts, Cursor(""), sides, happens, at), None)

    def ordering(self, at: Cursor, sides: Sequence[str]) -> tuple[str, ...]:
        """Return the sides that order in a phase, as they play."""
        who = self.phase(at.phase).who
        if who == ACTIVE:
            return tuple(side for side in sides if side == at.side)
        if who == PASSIVE:
            return tuple(side for side in sides if side != at.side)
        return tuple(sides) if who == BOTH else ()

    def outline(self) -> Iterator[str]:
        """Yield one line for each phase of a turn, for documents and the terminal."""
        for number, phase in enumerate(self.phases, 1):
            heading = f"orders under `{phase.heading}:`" if phase.heading else "nobody orders"
            yield f"{number}. {phase.title} ({phase.id}): {heading}"


def turn_by_turn(*phases: Phase, placing: Phase | None = PLACING) -> SequenceOfPlay:
    """Return the plainest sequence: a setup, then turn after turn, in which each side plays the same phases
    by itself.
    """
    turns = Loop(TURN, (Each(phases),))
    return SequenceOfPlay((placing, turns) if placing is not None else (turns,))


def _leaves(parts: tuple[Part, ...], counted: tuple[str, ...]) -> Iterator[tuple[Phase, tuple[str, ...]]]:
    """Yield every phase with what counts the loops that it stands in."""
    for part in parts:
        if isinstance(part, Phase):
            yield part, counted
        elif isinstance(part, Each):
            yield from _leaves(part.parts, counted)
        else:
            yield from _leaves(part.parts, (*counted, part.counts))


def _walk(
    parts: tuple[Part, ...], at: Cursor, sides: Sequence[str], happens: Happens, passed: Cursor | None
) -> Iterator[Cursor]:
    """Yield what takes place in some parts, all of it or what comes after ``passed``."""
    for part in parts:
        if passed is not None and all(leaf.id != passed.phase for leaf, _ in _leaves((part,), ())):
            continue
        inside, passed = passed, None

        if isinstance(part, Phase):
            yield from _steps(part, at, happens, inside)

        elif isinstance(part, Each):
            for side in sides if inside is None else sides[sides.index(inside.side) :]:
                here = replace(at, side=side)
                if inside is not None or happens(part, here):
                    yield from _walk(part.parts, here, sides, happens, inside)
                inside = None

        else:
            number = 1 if inside is None else getattr(inside, part.counts)
            here = _counting(at, part.counts, number)
            while inside is not None or happens(part, here):
                yield from _walk(part.parts, here, sides, happens, inside)
                inside, number = None, number + 1
                here = _counting(at, part.counts, number)


def _steps(phase: Phase, at: Cursor, happens: Happens, passed: Cursor | None) -> Iterator[Cursor]:
    """Yield the steps of a phase, all of them or those after ``passed``; of one that is not counted the one
    that there is.
    """
    here = replace(at, phase=phase.id)
    if not phase.steps:
        if passed is None and happens(phase, here):
            yield here
        return
    for number in range(1 if passed is None else getattr(passed, phase.counts) + 1, phase.steps + 1):
        here = _counting(here, phase.counts, number)
        if not happens(phase, here):
            return
        yield here


def _counting(at: Cursor, what: str, number: int) -> Cursor:
    if what == DAY:
        return replace(at, day=number)
    return replace(at, turn=number) if what == TURN else replace(at, action=number)
