"""What a player may order: one dataclass a kind of order, and the order file that holds them.

How sentences are read and said is ``grammar``; whether an order is legal is decided in the topics. Kinds whose rules are not in force
are read all the same and refused with the module that has them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pbem.core.problem import Path
from pbem.core.sequence import Cursor

HEADINGS: Mapping[str, str] = {
    "setup": "setup",
    "shoot": "first_missile",
    "move": "movement",
    "shoot-again": "second_archery",
    "fight": "melee",
    "day": "day",
}
"""Heading in an order file -> phase."""


@dataclass(frozen=True, slots=True)
class Place:
    """Setup: a figure or engine stands here."""

    who: str
    at: tuple[str, ...]
    facing: str = ""


@dataclass(frozen=True, slots=True)
class Ride:
    """Setup: a figure begins the game on this horse."""

    who: str
    horse: str


@dataclass(frozen=True, slots=True)
class Prepare:
    """Setup or day: moat filled (``fill``) or wall broken (``rubble``) in these hexes."""

    do: str
    hexes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Skill:
    """Setup: a shooter's skill."""

    who: str
    value: int


@dataclass(frozen=True, slots=True)
class Shoot:
    """Shoot at the first of these targets that is legal when his turn comes: ids, a hex, or ``nearest``."""

    who: str
    at: tuple[str, ...]
    across: str = ""
    fire: bool = False


@dataclass(frozen=True, slots=True)
class FireEngine:
    """Shoot a ballista."""

    who: str
    engine: str
    at: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Move:
    """Go to the first of these places that can be reached, the cheapest way."""

    who: str
    to: tuple[str, ...]
    facing: str = ""


@dataclass(frozen=True, slots=True)
class MoveBy:
    """Go exactly this way."""

    who: str
    path: tuple[str, ...]
    facing: str = ""


@dataclass(frozen=True, slots=True)
class Act:
    """One of the many deeds of one or several figures that name a thing, places and a side.

    ``do``: turn mount dismount lead hitch unhitch pick-up carry raise shift climb step-over up down take put-down work enter
    leave stay topple light put-out pour advance-engine back-engine strike bombard repair plan resign offer-draw accept-draw.
    """

    do: str
    who: tuple[str, ...] = ()
    what: str = ""
    to: tuple[str, ...] = ()
    by: tuple[str, ...] = ()
    facing: str = ""
    steps: int = 0
    over: bool = False
    animals: tuple[str, ...] = ()
    """What is led, hitched or unhitched."""


@dataclass(frozen=True, slots=True)
class Attack:
    """Some attack some: several names on the left are a joint attack. ``least`` is the lowest odds that are still wanted."""

    who: tuple[str, ...]
    at: tuple[str, ...]
    least: int = 0


Order = Place | Ride | Prepare | Skill | Shoot | FireEngine | Move | MoveBy | Act | Attack


def kind(order: Order) -> str:
    """Return the id of an order's deed."""
    match order:
        case Act() | Prepare():
            return order.do
        case Move() | MoveBy():
            return "move"
        case Shoot():
            return "shoot"
        case Attack():
            return "attack"
        case Place():
            return "place"
        case Ride():
            return "ride"
        case FireEngine():
            return "fire"
        case Skill():
            return "skill"
    raise TypeError(f"{order!r} is not an order of this ruleset")


@dataclass(frozen=True, slots=True)
class Condition:
    """Something that is true or false when its line is reached; ``parts`` are joined by ``and``, each (subject, test, object)."""

    text: str
    parts: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class Line:
    """One order with the place of its sentence in the file."""

    order: Order
    path: Path


@dataclass(frozen=True, slots=True)
class When:
    """Orders that depend on a condition; ``stop`` in a branch ends the file after this phase."""

    condition: Condition
    then: tuple[Item, ...]
    otherwise: tuple[Item, ...]
    path: Path


@dataclass(frozen=True, slots=True)
class Stop:
    """``stop`` as the only sentence of a branch: carry out nothing more of this file."""

    path: Path


@dataclass(frozen=True, slots=True)
class Gap:
    """A line that cannot be used, in a file that is refused: whoever it names may have done anything that is done in that phase."""

    about: frozenset[str]
    """Ids of the figures and things that it seems to name."""
    path: Path


Item = Line | When | Stop | Gap


@dataclass(frozen=True, slots=True)
class OrderFile:
    """One order file as it was understood; where something is wrong with it, as far as it was, with a ``Gap`` for each other line."""

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
        """Tell whether it is more than instructions or answers: a file with nothing at all orders everybody to stay."""
        instructs = bool(self.answers or self.everyone is not None or self.figures)
        return bool(self.sections) or bool(self.stop_after) or self.nobody or not instructs

    @property
    def says_who(self) -> bool:
        """Tell whether it orders somebody or answers something, or says itself that nobody is ordered."""
        return self.nobody or bool(self.answers) or any(self.sections.values())

    def covers(self, cursor: Cursor) -> bool:
        """Tell whether it has orders, if only to stay, for a phase."""
        if not self.gives_orders or cursor.player_turn != self.opened.player_turn or cursor.phase not in self.phases:
            return False
        if self.only:
            return cursor.phase == self.only
        last = self.phases.index(self.stop_after) if self.stop_after else len(self.phases) - 1
        return self.phases.index(self.opened.phase) <= self.phases.index(cursor.phase) <= last
