"""Whose order file it is, for which turn, and which of its sections can be ordered now.

It decides that from the keys ``side``, ``seat``, ``turn`` and ``stop-after`` and from where the game stands,
never from what is ordered.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from pbem.core.problem import Path, Problem
from pbem.core.regex import regex
from pbem.core.sequence import Cursor


class Frame(Struct, frozen=True):
    """Where a game stands when a file is read, and whose it is."""

    seat: str
    side: str
    sides: Mapping[str, str]
    """Id of a side -> its name."""
    at: Cursor
    headings: Mapping[str, str]
    """Heading of a section -> its phase, in the order in which they are played."""
    phases: tuple[str, ...]
    """The phases that a file may order now or later in this turn of its side: the open one alone where that
    stands by itself.
    """
    ordering: tuple[str, ...]
    """The seats whose orders the open phase takes."""
    setup: bool = False
    """Whether the open phase is a setup."""
    idle: tuple[str, ...] = ()
    """What nobody does who says that nobody is ordered: ``moves``, ``is placed``."""


_TURN = regex(
    r"(?:d([1-9][0-9]{0,3})\.?)?(?:t([1-9][0-9]{0,3})"
    r"|(setup)(?:\.([1-9][0-9]?))?)?(?:\.([a-z][a-z0-9]{0,15}))?(?:\.([a-z_-]+))?"
)


class Addressed:
    """One file, and where the game stands to which it is sent."""

    def __init__(self, frame: Frame, data: Mapping[str, Any]) -> None:
        self.frame = frame
        self.data = data
        self.problems: list[Problem] = []
        self.stranger = ""
        """The side that the file says it is for, where that is another: whatever is ordered to its figures is
        told with that.
        """
        self.closed: set[str] = set()
        """Sections that cannot be ordered now."""
        self.phases = frame.phases
        self.headings = {phase: heading for heading, phase in frame.headings.items()}
        begin = self.phases.index(frame.at.phase) if frame.at.phase in self.phases else 0
        self.coming = [self.headings[phase] for phase in self.phases[begin:] if phase in self.headings]
        """The headings of the phases that are open or still to come in this player turn."""

    def over(self, heading: str) -> str:
        """Return the problem of a section that does not belong to this turn."""
        return "orders.too-late"

    def say(self, code: str, path: Path, help: str = "", at_key: bool = False, **args: str | int) -> None:
        """Note one problem."""
        self.problems.append(Problem(code, args, path, help=help, key=at_key))

    def addressed(self) -> None:
        """Refuse a file of another seat or side."""
        side, seat = self.data.get("side"), self.data.get("seat")
        if side not in (None, self.frame.side):
            own = self.frame.sides.get(self.frame.side, "").lower()
            code = "orders.side-name" if str(side).lower() == own else "orders.side"
            self.say(code, ("side",), help=f"side: {self.frame.side}", side=str(side), own=self.frame.side)
            self.stranger = str(side)
        if seat not in (None, self.frame.seat):
            self.say(
                "orders.seat", ("seat",), help=f"seat: {self.frame.seat}", seat=str(seat), own=self.frame.seat
            )

    def turn(self) -> str:
        """Refuse a file for another turn than the open one; return the one phase it is for,
        if it names one.
        """
        said = self.data.get("turn")
        if said is None:
            return ""
        at = self.frame.at
        if not at.turn and str(said) in (str(at), f"d{at.day}"):
            return ""
        found = _TURN.fullmatch(str(said))
        if found is None or not any(found.groups()):
            self.say("orders.turn-form", ("turn",), help=f"turn: {self.right_turn()}", turn=str(said))
            return ""
        day, turn, setup, step, side, phase = found.groups()
        number = int(step or 0) if setup else int(turn or 0)
        here = (
            bool(setup) == self.frame.setup
            and int(day or at.day) == at.day
            and (number or at.turn) == at.turn
            and side in (None, at.side or self.frame.side)
            and bool(number or day or setup)
        )
        phase = self.frame.headings.get(phase or "", phase) or ""
        if not here or (
            phase and (phase not in self.phases or self.phases.index(phase) < self.phases.index(at.phase))
        ):
            self.say(
                "orders.turn", ("turn",), help=f"turn: {self.right_turn()}", turn=str(said), open=str(at)
            )
            return ""
        return phase

    def right_turn(self) -> str:
        """Return the turn that a file should say, without its phase where it may order several."""
        at = self.frame.at
        several = not self.frame.setup and at.phase in self.phases
        return str(at).rpartition(".")[0] if several else str(at)

    def stop_after(self) -> str:
        """Return the phase after which the file has no orders."""
        said = self.data.get("stop-after")
        if said is None:
            return ""
        phase = self.frame.headings.get(str(said), "")
        if phase in self.phases and self.phases.index(phase) >= self.phases.index(self.frame.at.phase):
            return phase
        self.say(
            "orders.stop-after", ("stop-after",), help="one of " + ", ".join(self.coming), heading=str(said)
        )
        return ""

    def open(self, heading: str, only: str, stop_after: str) -> None:
        """Say why a section cannot be ordered now."""
        phase, path, coming = self.frame.headings[heading], (heading,), self.coming
        right = "the sections that are open: " + ", ".join(coming)
        before = len(self.problems)
        if phase not in self.phases:
            self.say(self.over(heading), path, right, True, section=heading)
        elif heading not in coming:
            self.say(
                "orders.too-late",
                path,
                right,
                True,
                section=heading,
                open=self.headings.get(self.frame.at.phase, ""),
            )
        elif only and phase != only:
            self.say(
                "orders.only",
                path,
                "take out this section, or its phase in turn",
                True,
                section=heading,
                turn=str(self.data["turn"]),
            )
        elif stop_after and self.phases.index(phase) > self.phases.index(stop_after):
            stop = self.headings[stop_after]
            self.say(
                "orders.after-stop",
                path,
                "take out this section, or the line stop-after",
                True,
                section=heading,
                stop=stop,
            )

        if len(self.problems) > before:
            self.closed.add(heading)
