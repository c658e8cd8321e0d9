"""Which parts of the map to show large: where something happened, at most three windows that read on a
telephone.
"""

from __future__ import annotations

from collections import Counter

from pbem.core.scene import Point, Scene, Trace

from .frame import Box, bounds
from .hexes import COLUMN, ROW, TIP, across

COLUMNS = 7
"""How many columns a window shows: on a telephone, 360 pixels wide, figures on counters are then 9 pixels
high.
"""
LEAST_ROWS, MOST_ROWS = 5, 7
_END = {
    "fight": 6,
    "retreat": 4,
    "advance": 4,
    "shot": 2,
    "throw": 2,
    "move": 2,
    "enter": 2,
    "leave": 2,
    "flee": 4,
    "thrown": 5,
    "fall": 5,
    "roll": 3,
    "strike": 5,
}


def interest(scene: Scene) -> dict[Point, int]:
    """Return the points of the map where something happened, with their weight."""
    found: Counter[Point] = Counter()
    for area in scene.areas:
        if area.changed:
            found[area.centre] += 2
    for trace in scene.traces:
        _weigh(trace, found)
    return dict(found)


def _weigh(trace: Trace, found: Counter[Point]) -> None:
    if not trace.path:
        return
    weight = _END.get(trace.kind, 1)
    found[trace.path[0]] += weight
    found[trace.path[-1]] += weight + trace.harm
    if trace.kind != "shot":
        for point in trace.path[1:-1]:
            found[point] += 1


def focus(scene: Scene, *, most: int = 3) -> list[Box]:
    """Return at most ``most`` boxes in scene units, 7 columns wide, that cover what happened; the weightiest
    first.
    """
    left = interest(scene)
    whole = bounds(scene)
    if whole[2] - whole[0] <= across(COLUMNS) and whole[3] - whole[1] <= ROW * MOST_ROWS:
        return [whole] if left else []
    total = sum(left.values())
    boxes: list[Box] = []
    while left and len(boxes) < most:
        best = max(sorted(left), key=lambda point: sum(left[other] for other in _held(point, left)))
        held = _held(best, left)
        weight = sum(left[point] for point in held)
        if boxes and weight * 12 < total:
            break
        boxes.append(_box(held, whole))
        left = {point: value for point, value in left.items() if not _inside(point, boxes[-1])}
    return boxes


def _held(middle: Point, points: dict[Point, int]) -> list[Point]:
    """Return the points that a window round a point can hold together with it."""
    wide, high = COLUMN * (COLUMNS - 2), ROW * (MOST_ROWS - 2)
    near = [
        p for p in sorted(points) if abs(p[0] - middle[0]) <= wide // 2 and abs(p[1] - middle[1]) <= high // 2
    ]
    return near or [middle]


def _inside(point: Point, box: Box) -> bool:
    return box[0] < point[0] < box[2] and box[1] < point[1] < box[3]


def _box(points: list[Point], whole: Box) -> Box:
    """Return the window round some points: with air, not too small, not beyond the map."""
    left, right = _span(
        min(x for x, _ in points) - 900,
        max(x for x, _ in points) + 900,
        across(COLUMNS),
        across(COLUMNS),
        whole[0],
        whole[2],
    )
    top, bottom = _span(
        min(y for _, y in points) - 800,
        max(y for _, y in points) + 800,
        ROW * LEAST_ROWS,
        ROW * MOST_ROWS,
        whole[1],
        whole[3],
    )
    left, right = _between_columns(left, right, whole)
    return left, top, right, bottom


def _between_columns(left: int, right: int, whole: Box) -> tuple[int, int]:
    """Return a span moved so that its ends lie between two columns, where they cut no counter."""
    first, most = whole[0] + TIP, max(1, (whole[2] - whole[0] - 2 * TIP) // COLUMN)
    count = min(most, max(COLUMNS, round((right - left - 2 * TIP) / COLUMN)))
    start = min(most - count, max(0, round(((left + right) / 2 - first) / COLUMN - count / 2)))
    return first + start * COLUMN, first + (start + count) * COLUMN


def _span(low: int, high: int, least: int, most: int, start: int, end: int) -> tuple[int, int]:
    """Return a span of a length between ``least`` and ``most`` round the middle of another one, moved into
    the map.
    """
    length = min(max(high - low, least), most, max(end - start, 1))
    low = (low + high) // 2 - length // 2
    low = max(start, min(low, end - length))
    return low, low + length
