"""Where a point of the scene lies on the picture, and how large a hex is there."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from pbem.core.scene import Point, Scene

from .hexes import RADIUS, REACH, ROW
from .laid import extent, free
from .themes import PARCHMENT, Theme

Box = tuple[int, int, int, int]
Spot = tuple[float, float]

WIDTH: Final = 1400
"""Pixels that a map is wide unless something else is asked for."""
LEAST, MOST = 160, 4200
"""Pixels that a picture is wide."""


def width_for(scale: float) -> int:
    """Return how many pixels wide a map is at a scale, of which 1 is the usual size; 0.25 to 3 are drawn as
    asked for.
    """
    return min(MOST, max(LEAST, round(WIDTH * scale)))


DROP: Final = 0.15
"""How far counters stand below the middle of their hex, in hex radii."""


class Frame(Struct, frozen=True):
    """A window on the scene: ``scale`` pixels a scene unit, ``left top`` the scene point at the corner, size
    in pixels, and the look.
    """

    scale: float
    left: float
    top: float
    width: int
    height: int
    theme: Theme = PARCHMENT
    grid: bool = True
    """Whether it shows hexes, below whose numbers counters stand."""

    @property
    def hex(self) -> float:
        """Return the pixels from the centre of a hex to its corner."""
        return self.scale * RADIUS

    @property
    def drop(self) -> float:
        """Return how far counters stand below the middle of their hex, so that its number stays in sight."""
        return self.hex * DROP if self.grid else 0.0

    def part(self, left: int, top: int, width: int, height: int) -> Frame:
        """Return the frame of a part of the picture, from its pixel ``left top``."""
        return replace(
            self,
            left=self.left + left / self.scale,
            top=self.top + top / self.scale,
            width=width,
            height=height,
        )

    def spot(self, point: Point) -> Spot:
        """Return the pixel of a scene point."""
        return (point[0] - self.left) * self.scale, (point[1] - self.top) * self.scale

    def spots(self, points: Iterable[Point], times: float = 1) -> list[Spot]:
        """Return the pixels of scene points, on a picture ``times`` as large."""
        return [
            ((x - self.left) * self.scale * times, (y - self.top) * self.scale * times) for x, y in points
        ]


def bounds(scene: Scene) -> Box:
    """Return the scene box around the table, or all areas; one hex where there are none."""
    if free(scene):
        return extent(scene)
    points = [corner for area in scene.areas for corner in area.corners]
    if not points:
        return (0, 0, 2 * REACH + 1, ROW)
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs), min(ys), max(xs), max(ys)


def whole(scene: Scene, width: int, margin: int, theme: Theme = PARCHMENT) -> Frame:
    """Return the frame in which the whole map fills a picture ``width`` pixels wide, with a margin on each
    side.
    """
    left, top, right, bottom = bounds(scene)
    scale = max(1.0, width - 2.0 * margin) / max(1, right - left)
    return Frame(
        scale,
        left - margin / scale,
        top - margin / scale,
        width,
        round((bottom - top) * scale) + 2 * margin,
        theme,
        not free(scene),
    )


def window(box: Box, width: int, theme: Theme = PARCHMENT, grid: bool = True) -> Frame:
    """Return the frame that shows a scene box ``width`` pixels wide."""
    left, top, right, bottom = box
    scale = width / max(1, right - left)
    return Frame(scale, left, top, width, max(1, round((bottom - top) * scale)), theme, grid)
