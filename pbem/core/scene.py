"""What there is to draw: a map as areas, edges, features, things, tokens, traces and notes, in whole scene
units; no colours, no game.

A scene is complete: whoever draws it (as a picture, as characters, in words) needs nothing else. 1000 scene
units are the width of one hex from flat side to flat side (or one inch); x grows to the right, y downwards.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

Point = tuple[int, int]
UP, HURT, DOWN, OUT = "up", "hurt", "down", "out"
LOOKS: Final = (UP, HURT, DOWN, OUT)
"""How a token is drawn: as it should be, marked as harmed, lying down, or out of the game; which state looks
how a game says itself.
"""


@dataclass(frozen=True, slots=True)
class Area:
    """One cell of the ground, such as a hex or a field: its number or name, and what it is made of."""

    at: str
    """What orders call it, which is printed in it: ``0712``, ``mill-pond``."""
    centre: Point
    corners: tuple[Point, ...]
    """Three points or more, clockwise; of a hex the first is the corner between the sides n and ne."""
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


@dataclass(frozen=True, slots=True)
class Edge:
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


@dataclass(frozen=True, slots=True)
class Token:
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
    """Which storey of its cell, for two tokens in one."""
    moved: bool = False
    weight: int = 0
    """How many bodies lie beneath, for a pile drawn once."""
    description: str = ""
    """The class in words: ``halberdier``."""
    mount: str = ""
    """Id of another that is one with it for now and so has no token: the horse of a rider."""


@dataclass(frozen=True, slots=True)
class Feature:
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


@dataclass(frozen=True, slots=True)
class Thing:
    """Something built, carried or rolled; figures stand at it, in it or on it, so it is drawn under them."""

    id: str
    kind: str
    """``drawbridge winch ladder siege-tower ram ballista mangonel trebuchet mantlet oil``."""
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
    description: str = ""
    """What it is and how it stands in words: ``ladder, upright against the wall of 0604``."""


@dataclass(frozen=True, slots=True)
class Trace:
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
    """``none checked retreat stunned wounded killed``."""
    tails: tuple[Point, ...] = ()
    """Of a token of two cells that moved: where its tail was at each point of ``path``, which then is the way
    of its head.
    """


@dataclass(frozen=True, slots=True)
class Note:
    """A name written on the map."""

    at: Point
    text: str
    kind: str = "place"


@dataclass(frozen=True, slots=True)
class Region:
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


@dataclass(frozen=True, slots=True)
class SideLook:
    """How a side is told from the others: a colour by name and a shape of counter."""

    side: str
    name: str
    colour: str
    """``blue vermilion green purple grey``."""
    shape: str
    """``round``, ``cut`` or ``square`` corners: the difference that grey printing keeps."""


@dataclass(frozen=True, slots=True)
class Scene:
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


@dataclass(frozen=True, slots=True)
class Wall:
    """One cell of a plan whose damage is recorded."""

    at: str
    centre: Point
    corners: tuple[Point, ...]
    kind: str
    """``battlement tower keep``."""
    damage: int = 0
    """How many of the plan's steps it has lost."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table that stands on a plan."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
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
