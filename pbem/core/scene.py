"""What there is to draw: a map as areas, edges, features, things, tokens, traces and notes, in whole scene
units; no colours, no game.

A scene is complete: whoever draws it (as a picture, as characters, in words) needs nothing else. All its
numbers are whole; x grows to the right, y downwards. What they count:

* On a map of hexes 1000 are the width of one hex from flat side to flat side.
* On a table where distances are measured, ``Scene.measure`` says it: hundredths of an inch, as
  ``geometry.plane`` has them.
* Where areas have names and nothing is measured they are as the map has them.

Angles are tenths of a degree, clockwise from the upper edge: 0 looks up, 900 to the right (``geometry.plane``
has the same, for there y runs towards the upper edge).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec import Struct, field

Point = tuple[int, int]
TURN: Final = 3600
"""Tenths of a degree in a full turn."""
UP, HURT, DOWN, OUT = "up", "hurt", "down", "out"
LOOKS: Final = (UP, HURT, DOWN, OUT)
"""How a token is drawn: as it should be, marked as harmed, lying down, or out of the game; which state looks
how a game says itself.
"""


class Circle(Struct, frozen=True):
    """A round shape; its middle is that of what has it."""

    radius: int


class Rectangle(Struct, frozen=True):
    """An oblong; its middle and its angle are those of what has it: ``depth`` runs along the angle,
    ``width`` across.
    """

    width: int
    depth: int


Form = Circle | Rectangle
"""The shape of what has no corners of its own."""


class Area(Struct, frozen=True):
    """One cell of the ground, such as a hex, a field or a wood on a table: its number or name, and what it is
    made of.
    """

    at: str
    """What orders call it, which is printed in it: ``0712``, ``mill-pond``."""
    centre: Point
    corners: tuple[Point, ...]
    """Three points or more, clockwise; of a hex the first is the corner between the sides n and ne. None
    where ``form`` says it.
    """
    ground: str
    """What it looks like: ``flat road water ford scrub tree slope hill courtyard floor crop …``; a renderer
    falls back to flat.
    """
    name: str = ""
    """The terrain in words, as the legend says it."""
    height: int = 0
    building: str = ""
    """The id of the building it is part of, so that a roof can be drawn over several areas."""
    marks: tuple[str, ...] = ()
    """Names of the marked regions it belongs to, such as ``ford``."""
    changed: bool = False
    passable: bool = True
    form: Form | None = None
    """Of a round or oblong one its shape round ``centre``."""
    angle: int = 0
    """How an oblong is turned."""


class Edge(Struct, frozen=True):
    """What stands on the side between two cells: ``wall door window gate arch parapet slit steps crest hedge
    low-wall``.
    """

    kind: str
    at: str
    side: str
    a: Point
    b: Point
    inward: Point
    """The centre of the cell it belongs to; for a crest this is the high side, for a parapet the sheltered
    one.
    """


class Token(Struct, frozen=True):
    """A counter: a figure, an animal or an engine."""

    id: str
    name: str
    side: str
    symbol: str
    """``sergeant halberd spear man-at-arms shortbow longbow crossbow peasant knight civilian technician horse
    …``.
    """
    at: tuple[str, ...]
    cells: tuple[Point, ...]
    """Centres of the cells it stands on, head first; one for a man on foot."""
    numbers: tuple[str, ...] = ()
    """Its values as they are now, those that ``values`` of the scene names."""
    state: str = ""
    """How it is, in the words of its game: ``wounded``, ``asleep``; empty where there is nothing to say."""
    look: str = UP
    """How that is drawn: one of ``LOOKS``."""
    badges: tuple[str, ...] = ()
    """Short words such as ``shot``, ``fought``, ``checked``; renderers know a letter and a shape for each."""
    level: int = 0
    """Which storey of its cell, for two tokens in one; below the ground it is negative."""
    moved: bool = False
    weight: int = 0
    """How many bodies lie beneath, for a pile drawn once."""
    description: str = ""
    """The class in words: ``halberdier``."""
    mount: str = ""
    """Id of another that is one with it for now and so has no token: the horse of a rider."""
    form: Form | None = None
    """The base it stands on, round its one cell, drawn as large as it is; None: a counter of its cell."""
    facing: int | None = None
    """The angle to which it looks, by which an oblong base is turned too; None: it looks nowhere."""
    dial: tuple[int, int] | None = None
    """How many clicks a dial has left before its end, and how many it began with; None: it has no dial."""


class Feature(Struct, frozen=True):
    """What has become of a cell since the map was drawn; it lies over the ground and under
    everything else.
    """

    kind: str
    """``filled rubble wall fire burnt``."""
    at: str
    centre: Point
    corners: tuple[Point, ...]
    number: int = 0
    """Of a wall the steps of damage (1 to 4), of a fire the turns it has burnt (from 1)."""
    sides: tuple[tuple[Point, Point], ...] = ()
    """Of a damaged wall: the hexsides on which it stands, each from corner to corner."""


class Thing(Struct, frozen=True):
    """Something built, carried or rolled; figures stand at it, in it or on it, so it is drawn under them."""

    id: str
    kind: str
    """``drawbridge winch ladder siege-tower ram ballista mangonel trebuchet mantlet oil cauldron``."""
    at: tuple[str, ...]
    cells: tuple[Point, ...]
    """Centres of the cells it covers, the one in front first; none: it is off the map."""
    side: str = ""
    stands: str = ""
    """``raised lowered`` (a bridge), ``raised carried lying`` (a ladder); empty where there
    is only one way.
    """
    facing: str = ""
    """The side it faces: ``n ne se s sw nw``; of a bridge the side of its first hex on which its gate is."""
    number: int = 0
    """Turns for which an engine has been loaded."""
    full: int = 0
    """Turns that loading takes."""
    by: tuple[str, ...] = ()
    """Ids of those who carry or serve it."""
    team: tuple[Point, ...] = ()
    """Where the animals stand that draw it, each before it on a rope."""
    description: str = ""
    """What it is and how it stands in words: ``ladder, upright against the wall of 0604``."""
    form: Form | None = None
    """Of a piece of building on a table, such as a section of wall, its shape round its one cell."""
    angle: int = 0
    """How an oblong one is turned: the angle to which its front looks."""
    ground: str = ""
    """What a piece with a shape is made of, as an area's ground says it: ``wall-top``, ``floor``."""
    dial: tuple[int, int] | None = None
    """Of a piece with a dial how many clicks it has left before its end, and how many it began with."""


class Trace(Struct, frozen=True):
    """Something that happened, from one point over others to the last: an arrow, a shot, a blow."""

    kind: str
    """``move retreat advance shot fight enter leave``."""
    side: str
    path: tuple[Point, ...]
    actors: tuple[str, ...]
    targets: tuple[str, ...] = ()
    text: str = ""
    """The result, short enough for a picture: ``7: miss``."""
    result: str = ""
    """How it came out, in a word of its game."""
    harm: int = 0
    """How much came of it, from 0 (nothing) to 6 (somebody is out): what a picture shows large."""
    tails: tuple[Point, ...] = ()
    """Of a token of two cells that moved: where its tail was at each point of ``path``, which then is the way
    of its head.
    """


class Note(Struct, frozen=True):
    """A name written on the map."""

    at: Point
    text: str
    kind: str = "place"


class Region(Struct, frozen=True):
    """A part of the map that matters: what is played for (``goal``), or where figures may be placed as it
    begins (``zone``).
    """

    kind: str
    name: str
    """Its name, as orders and messages call it."""
    at: tuple[str, ...]
    """The numbers of its cells."""
    sides: tuple[str, ...] = ()
    """Whom it concerns."""


class Sector(Struct, frozen=True):
    """A part of a disc that is shown over the ground: an arc of fire, what is within reach."""

    centre: Point
    radius: int
    side: str = ""
    angle: int = 0
    """Where its middle lies."""
    width: int = TURN
    """How wide it is; a full turn is the whole disc."""
    inner: int = 0
    """Radius of what is left out of it in the middle."""
    text: str = ""
    """What it is, short enough for a picture: ``bow, 12"``."""
    of: str = ""
    """Id of whose it is."""


class Span(Struct, frozen=True):
    """A distance that was measured, with its line; a picture writes how long it is."""

    start: Point
    end: Point
    text: str = ""
    """More to say of it: ``out of reach``."""


class Measure(Struct, frozen=True):
    """How a table is measured that has no grid: how large it is, and in what."""

    box: tuple[int, int, int, int]
    """Left, top, right and bottom edge of the table."""
    unit: int = 100
    """How many scene units one inch has, or whatever ``names`` says."""
    names: tuple[str, str] = ("inch", "inches")
    """One of them, and several."""
    sign: str = '"'
    """What stands behind a number of them."""
    ground: str = "flat"
    """What the table looks like where no area lies."""

    def spot(self, x: int, y: int) -> Point:
        """Return the point so far from the left and from the lower edge, as ``geometry.plane`` counts."""
        return self.box[0] + x, self.box[3] - y

    def place(self, point: Point) -> Point:
        """Return how far a point is from the left and from the lower edge."""
        return point[0] - self.box[0], self.box[3] - point[1]


class SideLook(Struct, frozen=True):
    """How a side is told from the others: a colour by name and a shape of counter."""

    side: str
    name: str
    colour: str
    """``blue vermilion green purple grey``."""
    shape: str
    """``round``, ``cut`` or ``square`` corners: the difference that grey printing keeps."""


class Scene(Struct, frozen=True):
    """Everything that a map shows at one moment."""

    title: str
    subtitle: str
    areas: tuple[Area, ...]
    edges: tuple[Edge, ...] = ()
    tokens: tuple[Token, ...] = ()
    traces: tuple[Trace, ...] = ()
    notes: tuple[Note, ...] = ()
    sides: tuple[SideLook, ...] = ()
    roads: tuple[tuple[Point, ...], ...] = ()
    scale: str = ""
    """Words under the scale bar: ``1 hex is about 2 m``."""
    seed: int = 0
    """Makes decoration the same each time."""
    grounds: Mapping[str, str] = field(default_factory=dict)
    """Ground -> its name in the legend, for the grounds on this map."""
    summary: str = ""
    """One sentence for the alt text."""
    static_key: str = ""
    """Digest of what never changes between two scenes of a game (ground, edges, notes), for a cache of that
    layer.
    """
    features: tuple[Feature, ...] = ()
    things: tuple[Thing, ...] = ()
    regions: tuple[Region, ...] = ()
    cell: tuple[str, str] = ("", "")
    """What one cell of a grid is called, and several: ``hex``, ``hexes``; empty where areas have names, and
    no grid.
    """
    values: tuple[str, ...] = ()
    """What the numbers of a token are: ``attack``, ``defence``, ``movement``."""
    measure: Measure | None = None
    """Of a table without a grid how it is measured; its areas lie on it, and need not fill it."""
    sectors: tuple[Sector, ...] = ()
    spans: tuple[Span, ...] = ()
    others: Mapping[str, str] = field(default_factory=dict)
    """Id -> name of whoever is spoken of and has no token: who is out of the game, a tower that fights."""

    def names(self) -> dict[str, str]:
        """Return by what names those are told of whom it shows, and the others."""
        return {**self.others, **{token.id: token.name for token in self.tokens if token.name}}


class Wall(Struct, frozen=True):
    """One cell of a plan whose damage is recorded."""

    at: str
    centre: Point
    corners: tuple[Point, ...]
    kind: str
    """``battlement tower keep``."""
    damage: int = 0
    """How many of the plan's steps it has lost."""


class Table(Struct, frozen=True):
    """A table that stands on a plan."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


class Dial(Struct, frozen=True):
    """A dial as it is turned: what it shows at each click, and which of them it shows now."""

    id: str
    name: str
    kind: str
    side: str
    colour: str
    """Of its side."""
    windows: tuple[tuple[str, ...], ...]
    """At each click the values that ``Plan.values`` names."""
    at: int
    """Places in ``windows``: that of now; as many as there are where it has come to its end."""
    begins: int = 0
    """That with which it began."""
    marks: tuple[str, ...] = ()
    """What is marked on a click, in a word; empty: nothing."""
    note: str = ""
    """What else there is to say: where it stands, tokens."""


class Plan(Struct, frozen=True):
    """A sheet that is kept beside the map, for printing and posting: a ground plan whose walls have boxes to
    tick, and tables.
    """

    title: str
    subtitle: str
    areas: tuple[Area, ...]
    """The ground within and round the walls, for orientation."""
    edges: tuple[Edge, ...]
    walls: tuple[Wall, ...]
    steps: tuple[str, ...]
    """What a wall is after one step, two, and so on; so many boxes each wall has."""
    kinds: Mapping[str, str] = field(default_factory=dict)
    """Kind of wall -> its name."""
    tables: tuple[Table, ...] = ()
    summary: str = ""
    """One sentence for the alt text."""
    dials: tuple[Dial, ...] = ()
    """In place of a ground plan: every dial of a game."""
    values: tuple[str, ...] = ()
    """What a dial shows."""
