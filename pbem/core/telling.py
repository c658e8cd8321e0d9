"""What a game adds to the telling of its events: plain values and small pure functions that travel with the
ruleset.

The sentences themselves stand in the words of the ruleset. A game that has a sentence for each type of its
events, whose arguments are the fields of the event, needs nothing of this: ids of figures and sides are said
by name wherever they stand.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final, Protocol

from msgspec import Struct, field

Event = Mapping[str, Any]
Args = dict[str, Any]

HEADLINES: Final = frozenset({"GameEnded", "Resigned", "DrawOffered"})
"""Types of events that stand at the top of any report."""
SILENT: Final = frozenset(
    {"PhaseBegan", "PhaseEnded", "OrderRead", "Instructed", "Said", "TurnBegan", "DayBegan"}
)
"""Types that make headings, quotes, or nothing, in any game that has them."""


class Speaker(Protocol):
    """Whoever puts an event into words."""

    def name(self, unit: object) -> str:
        """Return the name of a figure; what has none is called by its id."""
        ...

    def side(self, side: object) -> str:
        """Return the name of a side or a seat."""
        ...

    def knows(self, key: str) -> bool:
        """Tell whether there is a phrase."""
        ...

    def phrase(self, key: str, **args: Any) -> str:
        """Return a phrase of the game's words."""
        ...


def _nothing_more(speaker: Speaker, said: str, event: Event, events: Sequence[Event]) -> str:
    return said


class Telling(Struct, frozen=True):
    """How a game tells its events, where their sentences alone do not say it."""

    figures: frozenset[str] | None = None
    """Fields of events that hold ids of figures, which are said by name; None: any field does, where its
    value is one.
    """
    every: Callable[[Speaker, Args], None] = lambda speaker, args: None
    """What is changed of the arguments of any sentence: the fields of an event, and ``start end way stuck``
    of a ``path``.
    """
    arguments: Mapping[str, Callable[[Speaker, Args], None]] = field(default_factory=dict)
    """Type of event -> what it changes of the arguments of its sentence."""
    headlines: Callable[[Event], bool] = lambda event: False
    """Whether an event stands at the top of the report too, beside those that do in any game."""
    counts: Sequence[str] = ()
    """What the first sentence of a report counts, ``report.lead``; without any the first sentence is that of
    the first headline.
    """
    counted: Callable[[Event], str] = lambda event: ""
    """Under which of these an event is counted; empty under none."""
    silent: Callable[[Event, Sequence[Event]], bool] = lambda event, events: False
    """(event, events of the phase) -> whether nothing is said of it, as of those that are
    silent in any game.
    """
    decided: Callable[[Event, Sequence[str]], bool] = lambda event, label: False
    """(event, parts of the name of a roll) -> whether that roll decided it: the nearest such before it is
    told with it.
    """
    more: Callable[[Speaker, str, Event, Sequence[Event]], str] = _nothing_more
    """(speaker, the sentence of an event, the event, events of the phase) -> the sentence with what is to be
    said beside it.
    """
    deeds: frozenset[str] | None = None
    """Types of events with which something of its own begins in the replay, unless they have a ``cause``;
    None: any type.
    """


def rolls_of(verbs: Mapping[str, tuple[str, str]]) -> Callable[[Event, Sequence[str]], bool]:
    """Return a ``decided``: type of event -> (verb, field), so that the roll ``…/verb/value of the field…``
    decides it.
    """

    def decided(event: Event, label: Sequence[str]) -> bool:
        verb, name = verbs.get(str(event["type"]), ("", ""))
        return any(pair == (verb, str(event.get(name))) for pair in pairwise(label))

    return decided
