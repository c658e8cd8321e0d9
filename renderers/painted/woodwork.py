"""What engines and equipment are made of, from above: beams, boards and discs in hex radii, painted and drawn
alike.

It says where each part lies and knows no canvas: what draws is anything with faces, lines and discs, for
pixels or for SVG.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Final, Protocol

from msgspec import Struct

from ..palette import INK, WHITE, Colour
from .long_counters import DARK_WOOD, LEATHER, STEEL, WOOD

PALE: Colour = (204, 166, 108)
ROPE: Colour = (222, 200, 150)
STONE: Colour = (150, 148, 144)
PALE_STONE: Colour = (206, 204, 198)
Spot = tuple[float, float]


class Deck(Protocol):
    """Draws in hex radii: x runs forward, y to the right hand."""

    def face(self, points: Sequence[Spot], colour: Colour, rim: float = 0.035) -> None:
        """Draw a filled shape with a rim of ink."""

    def line(self, points: Sequence[Spot], wide: float, colour: Colour) -> None:
        """Draw a line with round ends."""

    def disc(self, x: float, y: float, reach: float, colour: Colour, rim: float = 0.035) -> None:
        """Draw a disc with a rim of ink."""


class Piece(Struct, frozen=True):
    """Something that looks the same however it stands; the colour it is drawn with is that of its side.

    ``outline`` is what throws its shadow and ``high`` how far, in hex radii; ``turns`` tells whether it looks
    where it faces.
    """

    draw: Callable[[Deck, Colour], None]
    outline: tuple[Spot, ...] = ()
    high: float = 0.0
    turns: bool = True


def winch(deck: Deck, colour: Colour) -> None:
    """Draw a winch from above, low in its hex: a drum with four spokes and its rope."""
    x, y = -0.56, 0.5
    for turn in (35, 125):
        dx, dy = math.cos(math.radians(turn)) * 0.27, math.sin(math.radians(turn)) * 0.27
        deck.line([(x - dx, y - dy), (x + dx, y + dy)], 0.1, INK)
        deck.line([(x - dx, y - dy), (x + dx, y + dy)], 0.05, PALE)
    deck.disc(x, y, 0.15, WOOD, 0.05)
    deck.disc(x, y, 0.06, STEEL, 0.03)


def ballista(deck: Deck, colour: Colour) -> None:
    """Draw a ballista from above: stand, slide with its bolt, the bow and its string."""
    for sign in (-1, 1):
        deck.line([(0.28, sign * 0.12), (-0.62, sign * 0.46)], 0.17, INK)
        deck.line([(0.28, sign * 0.12), (-0.62, sign * 0.46)], 0.1, DARK_WOOD)
    deck.face([(-0.74, -0.13), (0.6, -0.13), (0.6, 0.13), (-0.74, 0.13)], WOOD, 0.05)
    arms = [(0.2, -0.8), (0.42, -0.5), (0.5, -0.16), (0.5, 0.16), (0.42, 0.5), (0.2, 0.8)]
    for wide, fill in ((0.2, INK), (0.13, PALE)):
        deck.line(arms, wide, fill)
    for sign in (-1, 1):
        deck.line([(0.2, sign * 0.8), (-0.34, 0)], 0.045, INK)
        deck.disc(0.44, sign * 0.24, 0.12, LEATHER)
    deck.line([(-0.34, 0), (0.7, 0)], 0.1, INK)
    deck.line([(-0.34, 0), (0.7, 0)], 0.05, WHITE)
    deck.face([(0.66, -0.12), (0.92, 0.0), (0.66, 0.12)], STEEL)
    deck.disc(-0.58, 0.0, 0.11, STEEL)


def trebuchet(deck: Deck, colour: Colour) -> None:
    """Draw a trebuchet from above: trestles, the long beam with its sling behind, the box
    of stones in front.
    """
    for sign in (-1, 1):
        for a, b in (((-0.62, 0.5), (0.72, 0.5)), ((-0.5, 0.5), (0.2, 0.3)), ((0.66, 0.5), (0.2, 0.3))):
            deck.line([(a[0], a[1] * sign), (b[0], b[1] * sign)], 0.14, INK)
            deck.line([(a[0], a[1] * sign), (b[0], b[1] * sign)], 0.08, WOOD)
    deck.line([(0.2, -0.4), (0.2, 0.4)], 0.12, INK)
    deck.line([(0.2, -0.4), (0.2, 0.4)], 0.06, STEEL)
    deck.line([(-0.92, 0.0), (0.62, 0.0)], 0.17, INK)
    deck.line([(-0.92, 0.0), (0.62, 0.0)], 0.1, PALE)
    deck.face([(0.4, -0.26), (0.82, -0.26), (0.82, 0.26), (0.4, 0.26)], DARK_WOOD, 0.05)
    for x, y in ((0.52, -0.12), (0.7, -0.1), (0.54, 0.1), (0.7, 0.12)):
        deck.disc(x, y, 0.085, (176, 170, 160))
    deck.line([(-0.9, 0.0), (-0.6, 0.24)], 0.05, ROPE)
    deck.disc(-0.56, 0.26, 0.13, (150, 146, 140))


def _block(x: float, y: float, long: float, wide: float) -> list[Spot]:
    """Return an oblong by its middle and its half length and width."""
    return [(x - long, y - wide), (x + long, y - wide), (x + long, y + wide), (x - long, y + wide)]


def mangonel(deck: Deck, colour: Colour) -> None:
    """Draw a mangonel from above: a frame on four wheels, the arm in its twisted rope, a
    spoon with a stone.
    """
    for x in (-0.42, 0.46):
        for sign in (-1, 1):
            deck.face(_block(x, sign * 0.56, 0.2, 0.07), DARK_WOOD)
    for sign in (-1, 1):
        deck.face(_block(0.03, sign * 0.36, 0.69, 0.09), WOOD, 0.04)
    for x in (-0.6, 0.64):
        deck.face(_block(x, 0.0, 0.07, 0.34), WOOD, 0.04)
    for i in range(6):
        y = -0.3 + i * 0.12
        deck.line([(0.12, y), (0.24, y + 0.06)], 0.09, INK)
        deck.line([(0.12, y), (0.24, y + 0.06)], 0.05, ROPE)
    deck.line([(0.18, 0), (-0.62, 0)], 0.17, INK)
    deck.line([(0.18, 0), (-0.62, 0)], 0.1, PALE)
    deck.disc(-0.72, 0, 0.19, DARK_WOOD)
    deck.disc(-0.72, 0, 0.12, (190, 184, 174))


def mantlet(deck: Deck, colour: Colour) -> None:
    """Draw a mantlet from above: a broad screen of boards along the side it shelters, with
    its struts behind.
    """
    for sign in (-1, 1):
        deck.line([(0.72, sign * 0.36), (0.42, sign * 0.44)], 0.1, INK)
        deck.line([(0.72, sign * 0.36), (0.42, sign * 0.44)], 0.05, WOOD)
    deck.face([(0.66, -0.55), (0.86, -0.55), (0.86, 0.55), (0.66, 0.55)], PALE, 0.06)
    for i in range(1, 7):
        y = -0.55 + i * 1.1 / 7
        deck.line([(0.68, y), (0.84, y)], 0.04, DARK_WOOD)
    deck.line([(0.8, -0.5), (0.8, 0.5)], 0.05, colour)


def barrel(deck: Deck, colour: Colour) -> None:
    """Draw a barrel of oil, low in its hex beside who carries it."""
    x, y = 0.6, 0.56
    deck.disc(x + 0.05, y + 0.06, 0.22, (40, 30, 20), 0)
    deck.disc(x, y, 0.22, DARK_WOOD, 0.06)
    deck.disc(x, y, 0.15, (26, 22, 20), 0.05)
    deck.line([(x - 0.07, y - 0.05), (x + 0.05, y - 0.08)], 0.04, (180, 170, 140))
    for turn in (20, 140, 260):
        dx, dy = math.cos(math.radians(turn)), math.sin(math.radians(turn))
        deck.line([(x + dx * 0.16, y + dy * 0.16), (x + dx * 0.22, y + dy * 0.22)], 0.05, STEEL)


def cauldron(deck: Deck, colour: Colour) -> None:
    """Draw a cauldron of oil from above, in the middle of its hex, with the pole by which two carry it."""
    deck.line([(0, -0.8), (0, 0.8)], 0.14, INK)
    deck.line([(0, -0.8), (0, 0.8)], 0.08, WOOD)
    deck.disc(0, 0, 0.4, STEEL, 0.07)
    deck.disc(0, 0, 0.3, (26, 22, 20), 0.05)
    deck.line([(-0.14, -0.1), (0.1, -0.16)], 0.05, (180, 170, 140))


def crate(deck: Deck, colour: Colour, wood: Colour = WOOD) -> None:
    """Draw a chest, for a thing of a kind that has no drawing."""
    deck.face([(-0.5, -0.36), (0.5, -0.36), (0.5, 0.36), (-0.5, 0.36)], wood, 0.06)
    deck.line([(-0.5, 0), (0.5, 0)], 0.06, DARK_WOOD)
    deck.disc(0, 0, 0.1, STEEL)


def fascine(deck: Deck, colour: Colour) -> None:
    """Draw a fascine: a bundle of brushwood, tied twice."""
    deck.face([(-0.7, -0.3), (0.7, -0.3), (0.76, 0.0), (0.7, 0.3), (-0.7, 0.3), (-0.76, 0.0)], WOOD, 0.05)
    for stick in (-0.18, -0.06, 0.06, 0.18):
        deck.line([(-0.7, stick), (0.7, -stick / 2)], 0.04, DARK_WOOD)
    for band in (-0.32, 0.32):
        deck.line([(band, -0.32), (band, 0.32)], 0.09, INK)


def ladder(deck: Deck, start: float, end: float, narrow: float, wide: float, rungs: int) -> None:
    """Draw a ladder from a foot to a head that may be broader, because it is nearer to the eye."""
    foot, head = [(start, -narrow), (start, narrow)], [(end, -wide), (end, wide)]
    for thick, colour in ((0.13, INK), (0.07, PALE)):
        for i in range(rungs):
            share = (i + 0.5) / rungs
            half = narrow + (wide - narrow) * share
            run = start + (end - start) * share
            deck.line([(run, -half), (run, half)], thick, colour)
        for low, high in zip(foot, head, strict=True):
            deck.line([low, high], thick * 1.15, colour)


def leaf(deck: Deck, gate: float) -> None:
    """Draw the leaf of a drawbridge that is up and closes its gate."""
    deck.face(leaf_of(gate), WOOD, 0.07)
    for y in (-0.33, -0.17, 0.0, 0.17, 0.33):
        deck.line([(gate - 0.14, y), (gate + 0.08, y)], 0.04, DARK_WOOD)
    for x in (-0.1, 0.04):
        deck.line([(gate + x, -0.47), (gate + x, 0.47)], 0.06, STEEL)
    for sign in (-1, 1):
        deck.disc(gate, sign * 0.56, 0.1, STEEL)


def leaf_of(gate: float) -> list[Spot]:
    """Return the outline of that leaf."""
    return [(gate - 0.16, -0.5), (gate - 0.16, 0.5), (gate + 0.1, 0.5), (gate + 0.1, -0.5)]


def planks(deck: Deck, far: float, gate: float) -> None:
    """Draw a drawbridge that is down: its planks from the gate to the far bank, between chains."""
    deck.face(planks_of(far, gate), WOOD, 0.07)
    step = 0.15
    for i in range(1, int((gate - far) / step)):
        deck.line([(far + i * step, -0.43), (far + i * step, 0.43)], 0.035, DARK_WOOD)
    for y in (-0.4, 0.4):
        deck.line([(far + 0.03, y), (gate, y)], 0.07, DARK_WOOD)
    for sign in (-1, 1):
        start, end = (far + 0.2, sign * 0.42), (gate + 0.06, sign * 0.62)
        deck.line([start, end], 0.075, INK)
        links = 9
        for i in range(links):
            share = (i + 0.5) / links
            deck.disc(
                start[0] + (end[0] - start[0]) * share,
                start[1] + (end[1] - start[1]) * share,
                0.028,
                STEEL,
                0,
            )
        deck.disc(*end, 0.1, STEEL)


def planks_of(far: float, gate: float) -> list[Spot]:
    """Return the outline of those planks."""
    return [(far, -0.46), (far, 0.46), (gate + 0.02, 0.46), (gate + 0.02, -0.46)]


def berth_of(far: float, gate: float) -> list[Spot]:
    """Return the outline of where a drawbridge that is up would lie."""
    return [(far, -0.44), (far, 0.44), (gate - 0.2, 0.44), (gate - 0.2, -0.44)]


DOOR: Final = 0.62
"""How far from the middle of its hex a door hangs, towards the side that it closes."""


def door(deck: Deck, stands: str) -> None:
    """Draw a door: closed across its hexside, open with its leaves swung in, broken in pieces."""
    posts = ((DOOR, -0.5), (DOOR, 0.5))
    if stands == "broken":
        for x, y, slant in ((0.42, -0.34, 0.22), (0.2, 0.02, -0.16), (0.46, 0.28, 0.1)):
            deck.line([(x, y - 0.14), (x + slant, y + 0.14)], 0.12, DARK_WOOD)
            deck.line([(x, y - 0.12), (x + slant, y + 0.12)], 0.06, WOOD)
    for _, sign in zip(posts, (-1, 1), strict=True):
        if stands == "open":
            wing = [(DOOR + 0.08, sign * 0.5), (DOOR - 0.42, sign * 0.56), (DOOR - 0.42, sign * 0.42)]
            deck.face(wing, WOOD, 0.06)
        elif stands != "broken":
            deck.face(leaf_of_door(sign), WOOD, 0.07)
            for y in (0.12, 0.24, 0.36):
                deck.line([(DOOR - 0.11, sign * y), (DOOR + 0.11, sign * y)], 0.04, DARK_WOOD)
            deck.line([(DOOR, sign * 0.02), (DOOR, sign * 0.48)], 0.05, STEEL)
    for post in posts:
        deck.disc(*post, 0.1, STEEL)


def gate(deck: Deck, stands: str) -> None:
    """Draw a gate: a door between stout posts, with a beam behind it while it is closed."""
    door(deck, stands)
    for sign in (-1, 1):
        deck.disc(DOOR, sign * 0.5, 0.19, DARK_WOOD, 0.05)
        deck.disc(DOOR, sign * 0.5, 0.09, STEEL)
    if stands not in ("open", "broken"):
        near, far = DOOR - 0.34, DOOR - 0.2
        deck.face([(near, -0.46), (near, 0.46), (far, 0.46), (far, -0.46)], DARK_WOOD, 0.05)


def leaf_of_door(sign: int) -> list[Spot]:
    """Return the outline of one of the two leaves of a closed door."""
    near, far = sign * 0.01, sign * 0.5
    return [(DOOR - 0.13, near), (DOOR - 0.13, far), (DOOR + 0.13, far), (DOOR + 0.13, near)]


def scaffold(deck: Deck, x: float, y: float) -> None:
    """Draw one hex of a scaffold: planks on a frame of poles that are lashed together."""
    deck.face(stage_of(x, y), WOOD, 0.06)
    for row in (-0.45, -0.15, 0.15, 0.45):
        half = 0.74 if abs(row) < 0.3 else 0.56
        deck.line([(x - half, y + row), (x + half, y + row)], 0.035, DARK_WOOD)
    corners = stage_of(x, y)
    for spot, other in zip(corners, (*corners[1:], corners[0]), strict=True):
        deck.line([spot, other], 0.07, DARK_WOOD)
    for spot in corners:
        deck.disc(*spot, 0.08, STEEL)


def gangway(deck: Deck, x: float, y: float) -> None:
    """Draw one hex of a bridge that was let down: broad planks side by side under two cross-beams."""
    outline = [(x + (right - x) * 1.16, y + (down - y) * 1.16) for right, down in stage_of(x, y)]
    deck.face(outline, WOOD, 0.07)
    for column in (-0.6, -0.3, 0.0, 0.3, 0.6):
        half = 0.5 if abs(column) > 0.5 else 0.76
        deck.line([(x + column, y - half), (x + column, y + half)], 0.045, DARK_WOOD)
    for row in (-0.5, 0.5):
        deck.line([(x - 0.55, y + row), (x + 0.55, y + row)], 0.13, DARK_WOOD)
        deck.line([(x - 0.55, y + row), (x + 0.55, y + row)], 0.06, PALE)


def hoarding(deck: Deck, x: float, y: float) -> None:
    """Draw one hex of a hoarding: a gallery of boards under hides, with openings in its floor."""
    outline = [(x + (right - x) * 1.12, y + (down - y) * 1.12) for right, down in stage_of(x, y)]
    deck.face(outline, DARK_WOOD, 0.07)
    deck.face(stage_of(x, y), WOOD, 0.05)
    for column in (-0.5, -0.25, 0.0, 0.25, 0.5):
        half = 0.36 if abs(column) > 0.4 else 0.62
        deck.line([(x + column, y - half), (x + column, y + half)], 0.03, DARK_WOOD)
    for right in (-0.4, 0.0, 0.4):
        hole = [(right - 0.13, -0.09), (right + 0.13, -0.09), (right + 0.13, 0.09), (right - 0.13, 0.09)]
        deck.face([(x + left, y + low) for left, low in hole], INK, 0.03)
    for spot, other in zip(outline, (*outline[1:], outline[0]), strict=True):
        deck.line([spot, other], 0.11, LEATHER)


def crossing(deck: Deck, stands: str) -> None:
    """Draw a wooden bridge that fills its hex; what is left of it where it is destroyed."""
    if stands != "destroyed":
        scaffold(deck, 0.0, 0.0)
        return
    for x, y, slant in ((-0.5, -0.3, 0.3), (-0.15, 0.25, -0.2), (0.2, -0.1, 0.34), (0.45, 0.35, -0.12)):
        deck.line([(x, y - 0.2), (x + slant, y + 0.2)], 0.13, DARK_WOOD)
        deck.line([(x, y - 0.18), (x + slant, y + 0.18)], 0.07, WOOD)


def tunnel(deck: Deck, x: float, y: float) -> None:
    """Draw one hex of a mine: the mouth of a tunnel in its wall, with the props that hold it."""
    mouth = [(-0.44, 0.62), (-0.44, 0.16), (-0.26, -0.04), (0.26, -0.04), (0.44, 0.16), (0.44, 0.62)]
    deck.face([(x + right, y + down) for right, down in mouth], INK, 0.07)
    for right in (-0.34, 0.34):
        deck.line([(x + right, y + 0.6), (x + right, y + 0.1)], 0.13, WOOD)
    deck.line([(x - 0.46, y + 0.08), (x + 0.46, y + 0.08)], 0.13, WOOD)


def pit(deck: Deck, x: float, y: float) -> None:
    """Draw one hex of a shaft: hides over a hurdle, and the hole beneath with its ladder."""
    outline = [(x + (right - x) * 0.9, y + (down - y) * 0.9) for right, down in stage_of(x, y)]
    deck.face(outline, LEATHER, 0.05)
    for row in (-0.36, 0.0, 0.36):
        half = 0.6 if row else 0.7
        deck.line([(x - half, y + row), (x + half, y + row)], 0.03, DARK_WOOD)
    deck.disc(x, y, 0.32, INK)
    for right in (-0.1, 0.1):
        deck.line([(x + right, y - 0.26), (x + right, y + 0.26)], 0.06, WOOD)
    for down in (-0.14, 0.02, 0.18):
        deck.line([(x - 0.1, y + down), (x + 0.1, y + down)], 0.05, WOOD)


def stage_of(x: float, y: float) -> list[Spot]:
    """Return the outline of one hex of a scaffold."""
    spots = ((0.8, 0.0), (0.4, 0.69), (-0.4, 0.69), (-0.8, 0.0), (-0.4, -0.69), (0.4, -0.69))
    return [(x + right, y + down) for right, down in spots]


def heap(deck: Deck, colour: Colour) -> None:
    """Draw a heap of stones to throw, in the colour of its side below."""
    deck.disc(0.0, 0.12, 0.5, colour, 0.05)
    for x, y, reach in (
        *((-0.3, 0.3, 0.18), (0.02, 0.36, 0.2), (0.32, 0.28, 0.18), (-0.38, 0.02, 0.17), (0.38, 0.0, 0.17)),
        *((-0.16, 0.06, 0.21), (0.18, 0.08, 0.2), (-0.02, -0.16, 0.19)),
    ):
        deck.disc(x, y, reach, STONE, 0.05)
        deck.disc(x - reach * 0.3, y - reach * 0.3, reach * 0.35, PALE_STONE, 0.0)


CRATE: Final = Piece(crate, turns=False)
PIECES: Final[Mapping[str, Piece]] = {
    "winch": Piece(winch, turns=False),
    "mantlet": Piece(mantlet, ((0.72, -0.52), (0.84, -0.52), (0.84, 0.52), (0.72, 0.52)), 0.16),
    "ballista": Piece(ballista, ((-0.75, -0.2), (0.6, -0.75), (0.75, 0.0), (0.6, 0.75), (-0.75, 0.2)), 0.1),
    "trebuchet": Piece(trebuchet, ((-0.6, -0.5), (0.6, -0.5), (0.6, 0.5), (-0.6, 0.5)), 0.16),
    "mangonel": Piece(mangonel, ((-0.6, -0.42), (0.6, -0.42), (0.6, 0.42), (-0.6, 0.42)), 0.1),
    "oil": Piece(barrel, turns=False),
    "cauldron": Piece(cauldron, turns=False),
    "stones": Piece(heap, turns=False),
    "fascine": Piece(fascine, turns=False),
}
"""Kind of a thing -> how it is drawn, for the kinds that always look the same."""
