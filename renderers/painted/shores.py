"""Where water lies: a stream flows from hex to hex between smooth banks, a lake fills what lies between its
hexes; no colours.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise

from PIL import Image, ImageDraw

from pbem.core.scene import Area, Point

from ..frame import Frame
from ..hexes import STEPS

BROAD = 1.56
"""How broad a stream is, in hex radii: a little narrower than its hexes, so that it can wind between their
sides.
"""


def around(point: Point) -> list[Point]:
    """Return the centres of the six hexes round one, clockwise from the north."""
    return [(point[0] + dx, point[1] + dy) for dx, dy in STEPS]


def flowing_on(wet: Iterable[Point], known: Iterable[Point]) -> set[Point]:
    """Return the places beyond the border of a map into which its water runs on: straight ahead, or between
    two hexes of it.
    """
    inside, here = set(known), set(wet)
    found = set()
    for point in here:
        beside = around(point)
        for i, beyond in enumerate(beside):
            if beyond not in inside and (
                beside[(i + 3) % 6] in here or sum(other in here for other in around(beyond)) > 1
            ):
                found.add(beyond)
    return found


def course(
    wet: Sequence[Area],
    areas: Sequence[Area],
    frame: Frame,
    times: float = 1,
    walls: Collection[Point] = (),
    more: Iterable[Point] = (),
) -> Image.Image:
    """Return a mask of the water of a map, on a picture ``times`` as large as the frame; its banks are still
    to be softened.

    It reaches the foot of ``walls`` (centres of hexes), and flows together with ``more`` water that is drawn
    by itself.
    """
    size = round(frame.width * times), round(frame.height * times)
    mask = Image.new("L", size, 0)
    draw = ImageDraw.Draw(mask)
    here = {area.centre for area in wet}
    for area in wet:
        for i, other in enumerate(around(area.centre)):
            if other in walls:
                draw.polygon(
                    frame.spots((area.centre, area.corners[i - 1], area.corners[i]), times), fill=255
                )
    here |= flowing_on(here, (area.centre for area in areas))
    joined = here | set(more)
    wide = frame.hex * times * BROAD
    for point in sorted(here):
        ((x, y),) = frame.spots((point,), times)
        draw.ellipse((x - wide / 2, y - wide / 2, x + wide / 2, y + wide / 2), fill=255)
        beside = around(point)
        for one, other in pairwise([*beside, beside[0]]):
            if one in joined:
                draw.line(frame.spots((point, one), times), fill=255, width=max(1, round(wide)))
            if one in joined and other in joined:
                draw.polygon(frame.spots((point, one, other), times), fill=255)
    return mask
