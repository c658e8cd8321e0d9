"""Things that are built in or set up against a wall: drawbridges, doors, scaffolds, hoardings; and the shadow
that a thing lays on the ground.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Final

from PIL import Image, ImageDraw

from ..frame import Spot
from ..palette import INK, WHITE, Colour
from .castle import swept
from .counters import dashed
from .long_counters import Deck
from .texture import blurred, boxed
from .woodwork import (
    berth_of,
    crossing,
    door,
    gangway,
    gate,
    hoarding,
    leaf,
    leaf_of,
    leaf_of_door,
    pit,
    planks,
    planks_of,
    scaffold,
    stage_of,
    tunnel,
)

Offsets = tuple[tuple[float, float], ...]
SHADE: Final = 150
DARK: Final[Colour] = (20, 14, 6)
SPREAD: Final = 4
"""How many times its softness a shadow reaches beyond what throws it."""


def shadow(picture: Image.Image, radius: float, outline: Sequence[Sequence[Spot]], high: float) -> None:
    """Lay the shadow of some faces on a picture, as long as they are high."""
    reach, soft = round(radius * high), radius * 0.04
    box = boxed(picture.size, [spot for points in outline for spot in points], reach + SPREAD * soft)
    mask = Image.new("L", (box[2] - box[0], box[3] - box[1]), 0)
    pen = ImageDraw.Draw(mask)
    for points in outline:
        pen.polygon([(x - box[0], y - box[1]) for x, y in points], fill=SHADE)
    cast(picture, swept(mask, reach, round(reach * 0.8)), soft, box[:2])


def cast(picture: Image.Image, shade: Image.Image, soft: float, at: tuple[int, int] = (0, 0)) -> None:
    """Lay a shadow on a picture, its rim so soft; where the picture is still empty, it is the shadow."""
    left, top, right, low = shade.getbbox() or (0, 0, *shade.size)
    left, top, right, low = boxed(shade.size, ((left, top), (right, low)), SPREAD * soft)
    found = blurred(shade.crop((left, top, right, low)), soft)
    box = (at[0] + left, at[1] + top, at[0] + right, at[1] + low)
    if picture.crop(box).getbbox() is not None:
        picture.paste((*DARK, 255), box, found)
        return
    sheet = Image.new("RGBA", found.size, DARK)
    sheet.putalpha(found)
    picture.paste(sheet, box)


def draw_bridge(
    picture: Image.Image, radius: float, angle: int, offsets: Offsets, stands: str, colour: Colour
) -> None:
    """Draw a drawbridge: down, its planks lie from the gate to the far bank between chains; up, they close
    the gate.
    """
    cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    runs = [x * cos + y * sin for x, y in offsets]
    gate, far = max(runs) + 0.866, min(runs) - 0.95
    deck = Deck(picture, radius, angle)
    if stands == "raised":
        shadow(picture, radius, [deck.at(leaf_of(gate))], 0.2)
        deck = Deck(picture, radius, angle)
        leaf(deck, gate)
        berth = deck.at(berth_of(far, gate))
        dashed(deck.draw, berth, 0.12 * radius, radius * 0.035, INK)
        dashed(deck.draw, berth, 0.12 * radius, radius * 0.02, WHITE)
        return
    shadow(picture, radius, [deck.at(planks_of(far, gate))], 0.14)
    planks(Deck(picture, radius, angle), far, gate)


def draw_door(
    picture: Image.Image, radius: float, angle: int, offsets: Offsets, stands: str, colour: Colour
) -> None:
    """Draw a door on each side of its hex that it closes: towards the cells after the first."""
    _draw_leaves(picture, radius, angle, offsets, stands, door)


def draw_gate(
    picture: Image.Image, radius: float, angle: int, offsets: Offsets, stands: str, colour: Colour
) -> None:
    """Draw a gate in the same way."""
    _draw_leaves(picture, radius, angle, offsets, stands, gate)


def _draw_leaves(
    picture: Image.Image,
    radius: float,
    angle: int,
    offsets: Offsets,
    stands: str,
    drawn: Callable[[Deck, str], None],
) -> None:
    for turn in turns_of_door(offsets) or (angle,):
        deck = Deck(picture, radius, turn)
        if stands not in ("open", "broken"):
            shadow(picture, radius, [deck.at(leaf_of_door(sign)) for sign in (-1, 1)], 0.14)
            deck = Deck(picture, radius, turn)
        drawn(deck, stands)


def turns_of_door(offsets: Offsets) -> tuple[int, ...]:
    """Return the directions in which the sides lie that a door closes."""
    return tuple(round(math.degrees(math.atan2(y, x))) for x, y in offsets[1:])


def draw_crossing(
    picture: Image.Image, radius: float, angle: int, offsets: Offsets, stands: str, colour: Colour
) -> None:
    """Draw a wooden bridge, or its ruins."""
    if stands != "destroyed":
        shadow(picture, radius, [Deck(picture, radius, 0).at(stage_of(0.0, 0.0))], 0.12)
    crossing(Deck(picture, radius, 0), stands)


def draw_scaffold(
    picture: Image.Image, radius: float, angle: int, offsets: Offsets, stands: str, colour: Colour
) -> None:
    """Draw a scaffold, hex by hex."""
    _draw_hexes(picture, radius, offsets, scaffold)


def draw_gangway(
    picture: Image.Image, radius: float, angle: int, offsets: Offsets, stands: str, colour: Colour
) -> None:
    """Draw a bridge that was let down on a wall, hex by hex."""
    _draw_hexes(picture, radius, offsets, gangway)


def draw_hoarding(
    picture: Image.Image, radius: float, angle: int, offsets: Offsets, stands: str, colour: Colour
) -> None:
    """Draw a hoarding, hex by hex."""
    _draw_hexes(picture, radius, offsets, hoarding)


def draw_tunnel(
    picture: Image.Image, radius: float, angle: int, offsets: Offsets, stands: str, colour: Colour
) -> None:
    """Draw a mine, hex by hex."""
    for x, y in offsets:
        tunnel(Deck(picture, radius, 0), x, y)


def draw_pit(
    picture: Image.Image, radius: float, angle: int, offsets: Offsets, stands: str, colour: Colour
) -> None:
    """Draw the shaft of a mine, hex by hex."""
    _draw_hexes(picture, radius, offsets, pit)


def _draw_hexes(
    picture: Image.Image, radius: float, offsets: Offsets, draw: Callable[[Deck, float, float], None]
) -> None:
    outlines = [Deck(picture, radius, 0).at(stage_of(x, y)) for x, y in offsets]
    shadow(picture, radius, outlines, 0.24)
    deck = Deck(picture, radius, 0)
    for x, y in offsets:
        draw(deck, x, y)


BUILT: Final = {
    "drawbridge": draw_bridge,
    "door": draw_door,
    "gate": draw_gate,
    "bridge": draw_crossing,
    "scaffold": draw_scaffold,
    "hoarding": draw_hoarding,
    "gangway": draw_gangway,
    "shaft": draw_pit,
    "mine": draw_tunnel,
}
"""Kind -> what draws it, from the lowest to the highest."""
