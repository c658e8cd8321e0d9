"""What a player may order: an order says by ``deed`` of which kind it is. The order file that holds them is
that of every game (``pbem.orders``).

How sentences are read and said is ``grammar``; whether an order is legal is decided in the topics. Kinds
whose rules are not in force are still read, and refused with the module that has them.
"""

from __future__ import annotations

from typing import ClassVar, Final

from msgspec import Struct

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
]

HEADINGS: Final = ("setup", "shoot", "move", "shoot-again", "fight", "day")
"""Every heading that order files of this family may have; which phase each is for, and which there are, says
the sequence of a game (``family.headings``).
"""


class Place(Struct, frozen=True):
    """Setup: a figure or engine stands here."""

    deed: ClassVar = "place"
    who: str
    at: tuple[str, ...]
    facing: str = ""


class Ride(Struct, frozen=True):
    """Setup: a figure begins the game on this horse."""

    deed: ClassVar = "ride"
    who: str
    horse: str


class Prepare(Struct, frozen=True):
    """Setup or day: moat filled (``fill``) or wall broken (``rubble``) in these hexes."""

    who: ClassVar = ()
    do: str
    hexes: tuple[str, ...]

    @property
    def deed(self) -> str:
        """Return the id of its deed."""
        return self.do


class Skill(Struct, frozen=True):
    """Setup: a shooter's skill."""

    deed: ClassVar = "skill"
    who: str
    value: int


class Shoot(Struct, frozen=True):
    """Shoot at the first of these targets that is legal when his turn comes: ids, a hex, or ``nearest``."""

    deed: ClassVar = "shoot"
    who: str
    at: tuple[str, ...]
    across: str = ""
    fire: bool = False


class FireEngine(Struct, frozen=True):
    """Shoot a ballista."""

    deed: ClassVar = "fire"
    who: str
    engine: str
    at: tuple[str, ...]


class Move(Struct, frozen=True):
    """Go to the first of these places that can be reached, the cheapest way."""

    deed: ClassVar = "move"
    who: str
    to: tuple[str, ...]
    facing: str = ""


class MoveBy(Struct, frozen=True):
    """Go exactly this way."""

    deed: ClassVar = "move"
    who: str
    path: tuple[str, ...]
    facing: str = ""


class Act(Struct, frozen=True):
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

    @property
    def deed(self) -> str:
        """Return the id of its deed."""
        return self.do


class Attack(Struct, frozen=True):
    """Some attack some: several names on the left are a joint attack.

    ``least`` is the lowest odds that are still wanted.
    """

    deed: ClassVar = "attack"
    who: tuple[str, ...]
    at: tuple[str, ...]
    least: int = 0


Order = Place | Ride | Prepare | Skill | Shoot | FireEngine | Move | MoveBy | Act | Attack
