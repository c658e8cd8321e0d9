"""Where a game stands: the table, who stands on it where, and what the sides have said beforehand.

Lengths are hundredths of an inch, x to the right and y towards the enemy of the castle; facings are tenths of
a degree, clockwise from y (MKB1). Nothing here decides anything.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, Final

from msgspec import Struct, field
from msgspec.structs import replace

from pbem.core.sequence import Cursor
from pbem.geometry.plane import Point, Shape
from pbem.text.codec import Value

HINDERING, BLOCKING, ELEVATED = "hindering", "blocking", "elevated"
"""What terrain does (MKB23); where there is none it is clear."""
DRAW: Final = "draw"


class Terrain(Struct, frozen=True):
    """A piece of the ground: a polygon, or a point with a radius."""

    id: str
    name: str
    kind: str
    look: str
    shape: Shape
    radius: int = 0


class Plank(Value, frozen=True):
    """Boards that go on with a wall-walk over a gap (MK8.2); their shape, and the walls at their ends."""

    id: str
    shape: Shape
    joins: tuple[str, str]


class Side(Struct, frozen=True):
    """A player: what it is called, which edge is its own, and where its warriors began."""

    id: str
    name: str
    colour: str
    castle: bool
    """Whether the castle is its own; there is one such side, at the edge y = 0 (MKB1)."""
    build: int
    """The points that its army may cost (MKB2)."""


class Board(Struct, frozen=True, dict=True):
    """Everything that never changes in a game."""

    title: str
    map_title: str
    width: int
    depth: int
    terrain: tuple[Terrain, ...]
    planks: tuple[Plank, ...]
    sides: tuple[Side, ...]
    """In the order in which they play."""
    zone: int
    """How deep the strip is in which the enemy of the castle begins, from his edge."""
    length: int
    victory: Mapping[str, Any]
    figures: tuple[Figure, ...]
    sections: tuple[Section, ...]
    ladders: tuple[Ladder, ...]
    digest: str
    open: bool = False
    """Whether the players build their armies; those named are for who sends none."""

    def side(self, id_: str) -> Side:
        """Return a side; StopIteration if there is none."""
        return next(side for side in self.sides if side.id == id_)

    @cached_property
    def castle(self) -> str:
        """Return the side whose castle it is; empty if there is none."""
        return next((side.id for side in self.sides if side.castle), "")


class Piece(Value, frozen=True):
    """A warrior or a piece of a castle: whose it is, and where on the table."""

    id: str
    name: str
    kind: str
    """Its row in the table of dials."""
    side: str
    owner: str
    x: int
    y: int

    @property
    def at(self) -> Point:
        """Return its centre."""
        return self.x, self.y


class Figure(Piece, frozen=True):
    """A warrior on its base."""

    facing: int = 0
    on: str = ""
    """The section it stands on; empty: the ground."""
    click: int = 0
    """How far its dial is turned."""
    tokens: int = 0
    acted: int = 0
    """Actions in the player turn that is open."""
    ran: bool = False
    """Whether its action in the open player turn was a move that began without an enemy at its base."""
    out: bool = False
    captor: str = ""
    """Who leads it away."""
    frozen: bool = False
    """Whether it is given no action in its owner's next turn."""

    @property
    def gone(self) -> bool:
        """Tell whether it is out of the game, or led away."""
        return self.out or bool(self.captor)


class Section(Piece, frozen=True):
    """A piece of a castle, with a dial of its own."""

    weight: str
    """``heavy`` or ``light`` (MK2.1)."""
    facing: int = 0
    """To where its front looks, away from what it guards."""
    click: int = 0
    tokens: int = 0
    acted: int = 0
    open: tuple[str, ...] = ()
    """Its portals that are open."""
    breached: bool = False
    """Whether it has ever been breached: its portals stay open (MK11.10)."""
    out: bool = False
    """Whether it is rubble."""

    @property
    def gone(self) -> bool:
        """Tell whether it is rubble."""
        return self.out


class Ladder(Value, frozen=True):
    """A ladder: at a section, its middle on that one's edge; or carried."""

    id: str
    side: str
    at: str = ""
    x: int = 0
    y: int = 0
    by: tuple[str, ...] = ()
    """Who carries it."""


class Told(Value, frozen=True):
    """What a seat has said beforehand, for when it cannot be asked (MKB26)."""

    spin: str = ""
    """Whether its warriors turn to an enemy who comes up to them: ``newcomer``, ``keep``."""
    victim: tuple[str, ...] = ()
    """Who is to be struck if the defender may choose, the first first."""
    collapse: str = ""
    """Where its warriors look whose section falls: ``keep`` or a facing in words."""


class War(Struct, frozen=True, dict=True):
    """Where a game stands."""

    board: Board
    at: Cursor
    figures: tuple[Figure, ...]
    sections: tuple[Section, ...] = ()
    ladders: tuple[Ladder, ...] = ()
    told: Mapping[str, Told] = field(default_factory=dict)
    more: int = 0
    """Actions that a leader has won for the player turn that is open."""
    spent: int = 0
    """Actions that warriors, and sections within the allowance, have had in it."""
    winner: str = ""
    why: str = ""
    grade: str = ""
    seats: Mapping[str, str] = field(default_factory=dict)
    """Side → the seat that sends its army, while armies are built."""
    laid: tuple[Plank, ...] = ()
    """The planks of armies that players have built."""

    @property
    def planks(self) -> tuple[Plank, ...]:
        """Return the planks on the table: those of the scenario, or where armies are built of these."""
        return self.laid if self.board.open else self.board.planks

    def figure(self, id_: str) -> Figure:
        """Return a warrior; KeyError if there is none."""
        return self._figures[id_]

    def section(self, id_: str) -> Section:
        """Return a section; KeyError if there is none."""
        return self._sections[id_]

    def ladder(self, id_: str) -> Ladder:
        """Return a ladder; KeyError if there is none."""
        return next(one for one in self.ladders if one.id == id_)

    def one(self, id_: str) -> Figure | Section:
        """Return a warrior or a section; KeyError if there is neither."""
        return self._figures[id_] if id_ in self._figures else self._sections[id_]

    def knows(self, id_: str) -> bool:
        """Tell whether there is a warrior or a section of that name."""
        return id_ in self._figures or id_ in self._sections

    @cached_property
    def _figures(self) -> Mapping[str, Figure]:
        return {one.id: one for one in self.figures}

    @cached_property
    def _sections(self) -> Mapping[str, Section]:
        return {one.id: one for one in self.sections}

    @cached_property
    def up(self) -> tuple[Figure, ...]:
        """Return the warriors that are in the game and nobody's captive."""
        return tuple(one for one in self.figures if not one.out and not one.captor)

    @cached_property
    def standing(self) -> tuple[Section, ...]:
        """Return the sections that are not rubble."""
        return tuple(one for one in self.sections if not one.out)

    @cached_property
    def all(self) -> tuple[Figure | Section, ...]:
        """Return every warrior and every section there ever was."""
        return (*self.figures, *self.sections)

    @cached_property
    def left(self) -> tuple[Figure | Section, ...]:
        """Return every warrior that is in the game, and every section that stands."""
        return (*self.up, *self.standing)

    def of(self, side: str) -> Iterator[Figure | Section]:
        """Yield what a side has left."""
        yield from (one for one in self.left if one.side == side)

    def order_of(self, seat: str) -> Told:
        """Return what a seat has said beforehand."""
        return self.told.get(seat, Told())


def with_figure(war: War, id_: str, **changes: Any) -> War:
    """Return a game with one warrior changed."""
    return replace(
        war, figures=tuple(replace(one, **changes) if one.id == id_ else one for one in war.figures)
    )


def with_section(war: War, id_: str, **changes: Any) -> War:
    """Return a game with one section changed."""
    return replace(
        war, sections=tuple(replace(one, **changes) if one.id == id_ else one for one in war.sections)
    )


def with_one(war: War, id_: str, **changes: Any) -> War:
    """Return a game with a warrior or a section changed."""
    return (with_figure if id_ in war._figures else with_section)(war, id_, **changes)


def with_ladder(war: War, id_: str, **changes: Any) -> War:
    """Return a game with one ladder changed."""
    return replace(
        war, ladders=tuple(replace(one, **changes) if one.id == id_ else one for one in war.ladders)
    )
