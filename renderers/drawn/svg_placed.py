"""A piece of the map at its place, and the layers in which pieces lie on one another."""

from __future__ import annotations

from enum import IntEnum

from msgspec import Struct

from pbem.core.scene import Scene, Trace

from .. import text
from ..frame import Frame, bounds
from ..laid import free
from ..lettering import plain
from ..painted import labels
from .svg_pen import UNIT


class Layer(IntEnum):
    """The layers in which pieces lie on one another, the lowest first."""

    REGION = -1
    FEATURE = 0
    CHANGED = 1
    FIGHT = 2
    THING = 3
    FIRE = 4
    AGAIN = 5
    MOVE = 6
    SHOTS = 7
    DEAD = 8
    LIVING = 9
    FRONT = 10
    NUMBER = 11
    GRAVE = 12
    NAME = 13
    MARK = 14
    RESULT = 15


LONGEST = 600
"""Signs of the words of one piece, at most."""


class Placed(Struct, frozen=True):
    """A piece of the map: what it is called, how it is drawn (round its place), its place, its words, its
    hexes, its height.
    """

    rank: tuple[int, int, int, int, str]
    key: str
    drawn: str
    x: int = 0
    y: int = 0
    words: str = ""
    at: tuple[str, ...] = ()


class Cells:
    """What is known of the cells of a map: their numbers, and the room that these take in a frame of the
    whole.
    """

    def __init__(self, scene: Scene) -> None:
        self.areas = scene.areas
        self.at = {area.centre: area.at for area in scene.areas}
        self.area = {area.at: area for area in scene.areas}
        self.scene = scene
        left, top, right, bottom = bounds(scene)
        self.frame = Frame(1.0, left, top, right - left, bottom - top, grid=not free(scene))
        middles = self.frame.spots(self.at)
        self.rooms = [
            (x - UNIT * 0.38, y - UNIT * 0.84, x + UNIT * 0.38, y - UNIT * 0.54, labels.NUMBER)
            for x, y in (middles if self.frame.grid else ())
        ]

    def fit(self, scene: Scene) -> bool:
        """Tell whether they are those of a scene too: of the same hexes, whatever happened in them."""
        if self.areas is scene.areas:
            return True
        return (
            len(self.areas) == len(scene.areas)
            and not free(scene)
            and all(
                one is other or (one.at, one.corners) == (other.at, other.corners)
                for one, other in zip(self.areas, scene.areas, strict=True)
            )
        )


def rank(
    layer: Layer, key: str, first: int = 0, second: int = 0, third: int = 0
) -> tuple[int, int, int, int, str]:
    """Return how high a piece lies: by its layer, then by up to three numbers, then by its name."""
    return layer, first, second, third, key


def said(text_: str) -> str:
    """Return words on one line, cut to what one piece may say."""
    return plain(text_, LONGEST)


def trace_words(trace: Trace, cells: Cells) -> str:
    """Return what happened, in words."""
    places = cells.at if cells.scene.measure is None else text.places_of(cells.scene, (trace,))
    return said(text.trace_line(trace, places))
