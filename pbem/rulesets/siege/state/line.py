"""Lines of fire as records: two places that lie to each other so or so, the line between them, and the
openings that it passes.

How a line is drawn is ``lines``, what heights make of it ``heights``, what it leaves of a target
``cover``.
"""

from __future__ import annotations

from msgspec import Struct

from pbem.core.problem import Problem
from pbem.geometry import sight


class View(Struct, frozen=True):
    """Two places of which one shoots at the other, which of them is higher, and how far that one overlooks
    what is lower.
    """

    start: str
    end: str
    high: str
    low: str
    radius: int
    out: str = ""
    """Side of the shooter's hex in whose middle the line begins; empty: it begins elsewhere."""
    into: str = ""
    """Side of the target's hex in whose middle the line ends."""
    inside: bool = False
    """Both are within one tower or one keep."""


class Line(Struct, frozen=True):
    """A line of fire between two hexes of a battle: its exact track, its length in hexes, and what it meets
    on the way.
    """

    start: str
    end: str
    range: int
    track: sight.Line
    met: tuple[tuple[str, ...], ...] = ()
    """The hexes strictly between that are not plain, in the order of the way; two together where only both at
    once could bar.
    """
    sides: tuple[str, ...] = ()
    """The keys of the hexsides with something on them that it crosses, touches or runs along, in the order of
    the way.
    """
    own: tuple[str, ...] = ()
    """Who shoots and is shot at, where one of them stands in two hexes: nobody is in his own way."""
    view: View | None = None
    """How the two lie to each other, where there are different heights."""
    ray: Ray | None = None
    """What is known of it whoever stands about, where that was kept."""

    @property
    def hexes(self) -> tuple[str, ...]:
        """Return the hexes it lies in, those of shooter and target included."""
        return (self.start, *self.track.crossed, self.end)


class Ray(Struct, frozen=True):
    """A line between two places as walls and ground leave it, for as long as those stay as they are; figures
    come and go.
    """

    track: sight.Line
    view: View | None
    asked: tuple[str, ...]
    """The hexes between, in the order of the way."""
    still: tuple[tuple[str, ...], ...]
    """``Line.met`` while nobody stands in any of them."""
    uneven: frozenset[str]
    """Those of them that are not plain by themselves."""
    sides: tuple[str, ...]
    mask: int
    """All hexes and hexsides that it meets (``geometry.fan``)."""
    cover: list[tuple[str, str]]
    """The cover of a single figure at its end and its rule, once it was asked for."""
    barred: list[Problem]
    """Why nobody shoots along it, once it was found out."""
    open: list[bool]
    """Not empty, once it was found out that nothing but figures can be in the way."""
    free: list[Line]
    """The line while nobody stands in it, once it was found out that a shot along it is free then."""


class Opening(Struct, frozen=True):
    """A doorway, gateway or window that a line passes through: a hex or the key of a hexside."""

    where: str
    kind: str
    cover: str
    level: int
