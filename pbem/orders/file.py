"""The order file of every game as it was understood: sections of lines, conditions and ends, instructions,
answers, words.

What an order is, and whom it may name, is the game's affair.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from msgspec import Struct, field

from pbem.core.problem import Path
from pbem.core.sequence import Cursor


class Condition(Struct, frozen=True):
    """Something that is true or false when its line is reached; ``parts`` are joined by ``and``, each
    (subject, test, object).
    """

    text: str
    parts: tuple[tuple[str, str, str], ...]


class Line(Struct, frozen=True):
    """One order, of the game's own kind, with the place of its sentence in the file."""

    order: Any
    path: Path


class When(Struct, frozen=True):
    """Orders that depend on a condition; ``stop`` in a branch ends the file after this phase."""

    condition: Condition
    then: tuple[Item, ...]
    otherwise: tuple[Item, ...]
    path: Path


class Stop(Struct, frozen=True):
    """``stop`` as the only sentence of a branch: carry out nothing more of this file."""

    path: Path


class Gap(Struct, frozen=True):
    """A line that cannot be used, in a file that is refused: whoever it names may have done anything that is
    done in that phase.
    """

    about: frozenset[str]
    """Ids of the figures and things that it seems to name."""
    path: Path


Item = Line | When | Stop | Gap
EVERYONE: Final = "everyone"
"""Whom a standing instruction is for that names nobody."""
UNKNOWN: Final = Condition("", ())
"""The condition of a file with problems that nobody can read: both its branches may be carried out."""


def lines(items: Iterable[Item]) -> Iterator[Line]:
    """Yield the lines of items, those of both branches of a condition too."""
    for item in items:
        if isinstance(item, Line):
            yield item
        elif isinstance(item, When):
            yield from lines((*item.then, *item.otherwise))


class OrderFile(Struct, frozen=True):
    """One order file as it was understood; where something is wrong with it, as far as it was, with a ``Gap``
    for each other line.
    """

    seat: str
    side: str
    opened: Cursor
    """The phase that was open when it was read."""
    only: str = ""
    """The one phase it names with ``turn: t3.west.melee``; empty: all phases of the player turn."""
    sections: Mapping[str, tuple[Item, ...]] = field(default_factory=dict)
    """Phase id -> items, in the order of their lines."""
    everyone: Mapping[str, str] | None = None
    """Standing instructions; None if the file has no ``standing``."""
    figures: tuple[Mapping[str, str], ...] = ()
    answers: Mapping[str, str] = field(default_factory=dict)
    stop_after: str = ""
    """Phase id after which it has no orders."""
    luck: str = ""
    message: str = ""
    note: str = ""
    nobody: bool = False
    """It says itself that nobody is ordered."""
    final: bool = False
    """It says itself that nothing more comes."""
    phases: tuple[str, ...] = ()
    """The phases of the player turn, in order, so that the file knows what it covers."""
    closed: frozenset[str] = frozenset()
    """Headings of sections that cannot be ordered now; a file with one is refused."""

    @property
    def gives_orders(self) -> bool:
        """Tell whether it is more than instructions or answers: a file with nothing at all orders everybody
        to stay.
        """
        instructs = bool(self.answers or self.everyone is not None or self.figures)
        return bool(self.sections) or bool(self.stop_after) or self.nobody or not instructs

    @property
    def says_who(self) -> bool:
        """Tell whether it orders somebody or answers something, or says itself that nobody is ordered."""
        return self.nobody or bool(self.answers) or any(self.sections.values())

    def covers(self, cursor: Cursor) -> bool:
        """Tell whether it has orders, if only to stay, for a phase."""
        if (
            not self.gives_orders
            or cursor.player_turn != self.opened.player_turn
            or cursor.phase not in self.phases
        ):
            return False
        if self.only:
            return cursor.phase == self.only
        last = self.phases.index(self.stop_after) if self.stop_after else len(self.phases) - 1
        return self.phases.index(self.opened.phase) <= self.phases.index(cursor.phase) <= last
