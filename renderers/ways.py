"""Ways as lines: roads from hex to hex without their zigzag, curves through points, lines beside lines; no
colours.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from pbem.core.scene import Area, Point, Scene

from .frame import Frame, Spot


def lanes(
    scene: Scene, areas: Sequence[Area], frame: Frame, times: float = 1
) -> tuple[list[list[Spot]], list[list[Spot]]]:
    """Return the roads of a map as curves, and as patches those of ``areas`` (hexes of road) through which
    none of them leads.
    """
    lines = [
        smooth(frame.spots(straighter(to_the_border(line, scene)), times)) for line in scene.roads if line
    ]
    drawn = {point for line in scene.roads for point in line}
    return lines, [frame.spots(area.corners, times) for area in areas if area.centre not in drawn]


def sides_once(areas: Sequence[Area], built: set[tuple[Point, Point]]) -> Iterator[tuple[Point, Point]]:
    """Yield every side of some hexes from the lesser end to the greater, once where two share it, and none of
    those that are built on.
    """
    seen = set(built)
    for area in areas:
        for one, other in zip(area.corners, (*area.corners[1:], area.corners[0]), strict=True):
            pair = (min(one, other), max(one, other))
            if pair not in seen:
                seen.add(pair)
                yield pair


def to_the_border(line: Sequence[Point], scene: Scene) -> list[Point]:
    """Return a road whose ends run on to the border of the map, where beyond them is no hex."""
    found = list(line)
    if len(line) < 2:
        return found
    steps = min(2, len(line) - 1)
    for end, before, place in ((line[0], line[steps], 0), (line[-1], line[-1 - steps], len(found) + 1)):
        beyond = (end[0] + (end[0] - before[0]) // steps, end[1] + (end[1] - before[1]) // steps)
        if all(
            abs(area.centre[0] - beyond[0]) > 300 or abs(area.centre[1] - beyond[1]) > 520
            for area in scene.areas
        ):
            found.insert(place, beyond)
    return found


def straighter(line: Sequence[Point]) -> list[Point]:
    """Return a road without the zigzag of the hexes it goes through; its ends stay."""
    found = list(line)
    for i in range(1, len(line) - 1):
        (ax, ay), (bx, by), (cx, cy) = line[i - 1 : i + 2]
        found[i] = ((ax + 2 * bx + cx) // 4, (ay + 2 * by + cy) // 4)
    return found


def beside(points: Sequence[Spot], offset: float) -> list[Spot]:
    """Return a line that runs beside another one."""
    found = []
    for i, (x, y) in enumerate(points):
        before, after = points[max(0, i - 1)], points[min(len(points) - 1, i + 1)]
        length = math.hypot(after[0] - before[0], after[1] - before[1]) or 1.0
        found.append(
            (x - (after[1] - before[1]) / length * offset, y + (after[0] - before[0]) / length * offset)
        )
    return found


def smooth(points: Sequence[Spot], steps: int = 8) -> list[Spot]:
    """Return a curve through some points (Catmull-Rom)."""
    if len(points) < 3:
        return list(points)
    padded = [points[0], *points, points[-1]]
    found: list[Spot] = []
    for i in range(1, len(padded) - 2):
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = padded[i - 1 : i + 3]
        for step in range(steps):
            t = step / steps
            found.append(
                (
                    0.5
                    * (
                        2 * bx
                        + (cx - ax) * t
                        + (2 * ax - 5 * bx + 4 * cx - dx) * t * t
                        + (3 * bx - ax - 3 * cx + dx) * t**3
                    ),
                    0.5
                    * (
                        2 * by
                        + (cy - ay) * t
                        + (2 * ay - 5 * by + 4 * cy - dy) * t * t
                        + (3 * by - ay - 3 * cy + dy) * t**3
                    ),
                )
            )
    found.append(points[-1])
    return found
