"""A phase being resolved: steps read from top to bottom, and yet the whole is a pure function of its
arguments.

A ``Play`` is born and dies inside ``core.ruleset.resolve``. Only ``happen`` changes anything, so the list of
events is complete by construction. A choice that nobody has made yet stops the phase; it is then resolved
again from its start with the answer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Generic, TypeVar

from msgspec import Struct

from pbem.core.dice import Dice, Roll

S = TypeVar("S")


class Choice(Struct, frozen=True):
    """One answer to a question: its letter, its value as a player types it (``0612``, ``odo``, ``yes``), and
    words for it.
    """

    id: str
    value: str
    said: str = ""


class Question(Struct, frozen=True):
    """A choice inside a phase that one seat has to make (``docs/formats.md``, 5.3)."""

    id: str
    seat: str
    kind: str
    about: str
    unit: str
    rule: str
    choices: tuple[Choice, ...]
    default: str
    why: str
    min: int = 0
    """Of a question that asks for ``some``: how many must be named at least, and how many may be (0: as many
    as there are).
    """
    max: int = 0


class Answer(Struct, frozen=True):
    """What a question was answered with: a value of its choices (several joined by commas), and by whom
    (``answer`` or ``default``).
    """

    value: str
    by: str


class Stopped(Exception):
    """The phase cannot go on without an answer; caught by the one who resolves it."""

    def __init__(self, question: Question) -> None:
        super().__init__(question.id)
        self.question = question


class Play(Generic[S]):
    """A phase of a game on its way from one state to the next."""

    def __init__(
        self,
        state: S,
        cursor: str,
        apply: Callable[[S, object], S],
        dice: Dice,
        answers: Mapping[str, Answer] | None = None,
    ) -> None:
        self.state = state
        self.cursor = cursor
        self.events: list[object] = []
        self.rolls: list[Roll] = []
        self._apply = apply
        self._dice = dice
        self._answers = dict(answers or {})
        self._asked = 0
        self._labels: set[str] = set()

    def happen(self, event: object) -> int:
        """Let an event happen: apply its new values and keep it; return its place in the
        list of this phase.
        """
        self.state = self._apply(self.state, event)
        self.events.append(event)
        return len(self.events) - 1

    def roll(self, name: str, sides: int, count: int = 1) -> tuple[int, ...]:
        """Return the faces of the named dice; a name serves once in a phase, twice is a
        fault of the program.
        """
        label = f"{self.cursor}/{name}"
        if label in self._labels:
            raise AssertionError(f"the name {label} serves once")
        self._labels.add(label)
        values = self._dice.values(label, sides, count)
        self.rolls.append(Roll(label, sides, values))
        return values

    def ask(
        self,
        *,
        seat: str,
        about: str,
        unit: str,
        rule: str,
        choices: tuple[Choice, ...],
        default: str,
        why: str,
        kind: str = "one",
        least: int = 0,
        most: int = 0,
    ) -> Answer:
        """Return the seat's answer; without one, stop the phase with the question.

        Questions are numbered as the phase asks them, and the phase asks the same ones each time it is
        resolved again.
        """
        self._asked += 1
        question = Question(
            f"q{self._asked}", seat, kind, about, unit, rule, choices, default, why, least, most
        )
        answer = self._answers.get(question.id)
        if answer is None:
            raise Stopped(question)
        return answer


class PhaseResult(Struct, Generic[S], frozen=True):
    """What a phase came to.

    With a question the state is the one the phase began with, and nothing of it stands but its rolls.
    """

    state: S
    events: tuple[object, ...]
    rolls: tuple[Roll, ...]
    question: Question | None = None


def resolve_phase(
    step: Callable[[Play[S]], None],
    state: S,
    cursor: str,
    apply: Callable[[S, object], S],
    dice: Dice,
    answers: Mapping[str, Answer] | None = None,
) -> PhaseResult[S]:
    """Resolve one phase: a pure function of its arguments (NoDiceError passes through)."""
    play = Play(state, cursor, apply, dice, answers)
    try:
        step(play)
    except Stopped as stopped:
        return PhaseResult(state, tuple(play.events), tuple(play.rolls), stopped.question)
    return PhaseResult(play.state, tuple(play.events), tuple(play.rolls))
