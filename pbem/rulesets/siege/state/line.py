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
    open: list[bool]
    """Not empty, once it was found out that nothing but figures can be in the way."""
    settled: list[Settled]
    """What is settled of it, once it was asked for."""
    figures: list[int]
    """The hexes in which somebody on the ground is in the way, as a mask, once they were asked for."""

    @property
    def barred(self) -> bool:
        """Tell whether it is known that nobody shoots along it, whoever stands about."""
        return bool(self.settled) and self.settled[0].bars


class Settled(Struct, frozen=True):
    """What is settled of a line with a single figure at its end before it is known who stands about."""

    line: Line
    """As it is while nobody stands in it."""
    cover: str
    rule: str
    """The cover of the figure at its end, and the rule that gives it."""
    first: Problem | None
    """Why nobody shoots along it, by what is asked before those who stand in it."""
    last: Problem | None
    """The same, by what is asked after these."""

    @property
    def bars(self) -> bool:
        """Tell whether nobody shoots along it, whoever stands about."""
        return self.first is not None or self.last is not None


class Aim(Struct, frozen=True):
    """A shot that can be loosed: its line, its range band, the target's cover and the rule that gives it."""

    line: Line
    band: str
    cover: str
    cover_rule: str


class Opening(Struct, frozen=True):
    """A doorway, gateway or window that a line passes through: a hex or the key of a hexside."""

    where: str
    kind: str
    cover: str
    level: int
