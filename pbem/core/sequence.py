"""The sequence of play as a value: phases, who orders in each, and the cursor that says where a game stands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

ACTIVE, NOBODY, EVERYBODY = "active", "nobody", "everybody"

_TURN = re.compile(r"(?:d(\d{1,4})\.)?t(\d{1,4})\.([a-z][a-z0-9]{0,15})\.([a-z_]+)")
_DAY = re.compile(r"d(\d{1,4})\.(?!over$|setup$)([a-z_]+)")
_SETUP = re.compile(r"(?:d(\d{1,4})\.)?setup\.(\d{1,2})(?:\.([a-z][a-z0-9]{0,15}))?")


@dataclass(frozen=True, slots=True)
class Phase:
    """One phase: its id in code and labels, its heading in an order file (empty where nobody orders), who orders."""

    id: str
    heading: str
    orders: str
    title: str


@dataclass(frozen=True, slots=True)
class Cursor:
    """Where a game stands. ``day`` is 0 in games of one day; ``turn`` is the step in the setup; ``side`` may be empty (sealed).

    Phases of a day that belong to no player turn, such as its evening, have neither turn nor side.
    """

    phase: str
    turn: int = 0
    side: str = ""
    day: int = 0
    part: str = ""

    def __str__(self) -> str:
        day = f"d{self.day}." if self.day else ""
        if self.phase == "over":
            return f"{day}over"
        if self.phase == "setup":
            return f"{day}setup.{self.turn}" + (f".{self.side}" if self.side else "")
        if day and not self.turn and not self.side:
            return f"{day}{self.phase}"
        return f"{day}t{self.turn}.{self.side}.{self.phase}"

    @property
    def player_turn(self) -> tuple[int, int, str, bool]:
        """Return what two phases of one player turn (or one step of the setup) have in common."""
        return (self.day, self.turn, self.side, self.phase == "setup")


def parse_cursor(text: str) -> Cursor:
    """Return the cursor that ``str`` writes as ``text``; raise ValueError for anything else."""
    if match := _TURN.fullmatch(text):
        day, turn, side, phase = match.groups()
        return Cursor(phase, int(turn), side, int(day or 0))
    if match := _SETUP.fullmatch(text):
        day, step, side = match.groups()
        return Cursor("setup", int(step), side or "", int(day or 0))
    if match := _DAY.fullmatch(text):
        day, phase = match.groups()
        return Cursor(phase, day=int(day))
    raise ValueError(f"'{text}' is not the name of a phase, such as t3.west.melee or setup.1.west")


@dataclass(frozen=True, slots=True)
class SequenceOfPlay:
    """The phases of a player turn, in order; each side plays them all before the next side does."""

    phases: tuple[Phase, ...]
    between: tuple[Phase, ...] = ()
    """Phases of a day that belong to no player turn."""

    def phase(self, id: str) -> Phase:
        """Return the phase with that id; KeyError if there is none."""
        for phase in (*self.phases, *self.between):
            if phase.id == id:
                return phase
        raise KeyError(id)

    def position(self, id: str) -> int:
        """Return how many phases of the player turn come before this one."""
        return [phase.id for phase in self.phases].index(id)

    def after(self, id: str) -> str | None:
        """Return the id of the next phase of the player turn, None after the last."""
        at = self.position(id) + 1
        return self.phases[at].id if at < len(self.phases) else None

    def outline(self) -> Iterator[str]:
        """Yield one line for each phase, for documents and the terminal."""
        for number, phase in enumerate(self.phases, 1):
            heading = f"orders under `{phase.heading}:`" if phase.heading else "nobody orders"
            yield f"{number}. {phase.title} ({phase.id}): {heading}"
