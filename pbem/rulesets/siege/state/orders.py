"""What a player may order: one dataclass a kind of order. The order file that holds them is that of every
game (``pbem.orders``).

How sentences are read and said is ``grammar``; whether an order is legal is decided in the topics. Kinds
whose rules are not in force are still read, and refused with the module that has them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pbem.orders.file import Condition, Gap, Item, Line, OrderFile, Stop, When

__all__ = [
    "HEADINGS",
    "Act",
    "Attack",
    "Condition",
    "FireEngine",
    "Gap",
    "Item",
    "Line",
    "Move",
    "MoveBy",
    "Order",
    "OrderFile",
    "Place",
    "Prepare",
    "Ride",
    "Shoot",
    "Skill",
    "Stop",
    "When",
    "kind",
]

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

    ``do``: turn mount dismount lead hitch unhitch pick-up carry raise shift climb step-over up down take
    put-down work enter leave stay topple light put-out pour advance-engine back-engine strike bombard repair
    plan resign offer-draw accept-draw.
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
    """Some attack some: several names on the left are a joint attack.

    ``least`` is the lowest odds that are still wanted.
    """

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
