"""What a straight line meets, relative to the hex it starts from; decides nothing about what counts or blocks
(see sight).

Theory of operation. All points lie on the lattice of axial coordinates times 6: the centre of a hex at 6(q,
r), the middle of side i at +3 * STEPS[i], the corner after it at +2 * (STEPS[i] + STEPS[i + 1]). An affine
map keeps straight lines straight and keeps what is left of them left, so no root of three and no rounding is
ever needed. The walk stands in one hex and looks at the sign of each corner against the line: where, going
clockwise, the signs turn from left to right, there the line leaves: by that side, or by that corner if its
sign is zero. From a corner it goes on into a hex, or along the hexside that leads away from it. Only the step
from hex to hex and the two parts matter, so a walk is done once and afterwards only shifted: a hex is one
number, q * 512 + r, and a hexside is three times the number of the hex it is the n, ne or se side of, plus 0
to 2. Hexes off the map have numbers like all others, and no text.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from pbem.geometry.hex import SIDES, STEPS, Hex, hexside, text

Kind = Literal["hex", "side", "corner", "spine"]
"""The four ways a line meets the map."""

if TYPE_CHECKING:
    from fractions import Fraction

CORNERS = tuple(f"{side}-{SIDES[(number + 1) % 6]}" for number, side in enumerate(SIDES))
"""The six corners, clockwise, each named after the two sides it lies between: ``n-ne`` to ``nw-n``."""

PARTS = ("centre", *SIDES, *CORNERS)
"""The thirteen points of a hex between which a line may run: its centre, the middles of its sides, its
corners.
"""

START, END = 0, 1
"""The shares of the way at its two ends."""

FIRST, LAST = (0, 1), (1, 1)
"""The same two as numerators and denominators."""

_WIDE = 512
_HALF = 256
_TURN = range(6)
_MIDDLES = tuple((3 * q, 3 * r) for q, r in STEPS)
_TIPS = tuple(
    (2 * (STEPS[i][0] + STEPS[(i + 1) % 6][0]), 2 * (STEPS[i][1] + STEPS[(i + 1) % 6][1])) for i in _TURN
)
_OFFSETS = ((0, 0), *_MIDDLES, *_TIPS)
_HEX_STEPS = tuple(_WIDE * q + r for q, r in STEPS)
_SIDE_STEPS = (0, 1, 2, *(3 * _HEX_STEPS[side] + side - 3 for side in (3, 4, 5)))
# A point is on the near side of side i of a hex while this sum over its offset from the centre stays below 6.
_FACES = ((-1, -2), (1, -1), (2, 1), (1, 2), (-1, 1), (-2, -1))


Share = tuple[int, int]
"""A share of the way as numerator and denominator: to walk takes no Fraction, and most who ask need none."""

Step = tuple[Kind, tuple[int, ...], tuple[int, ...], Share, Share, bool]
"""A ``Contact`` before its shares are made Fractions."""


class Contact(Struct, frozen=True):
    """One thing a line meets, in numbers; ``sight.Meeting`` says what each kind holds."""

    kind: Kind
    hexes: tuple[int, ...]
    sides: tuple[int, ...]
    enter: Fraction
    leave: Fraction
    clip: bool = False


class _Spine(Struct, frozen=True):
    """A hexside the walk goes along: the hexes left and right, the side, and the corner it ends in, seen from
    beyond.
    """

    left: int
    right: int
    side: int
    beyond: int
    corner: int


def hex_number(hexagon: Hex) -> int:
    """Return the number of a hex; numbers of steps and of hexes may be added."""
    return _WIDE * hexagon.q + hexagon.r


def side_number(hexagon: int, side: int) -> int:
    """Return the number of a hexside, whichever of its two hexes names it."""
    return 3 * hexagon + _SIDE_STEPS[side]


def separated(side: int) -> tuple[int, int]:
    """Return the numbers of the two hexes beside a hexside."""
    return side // 3, side // 3 + _HEX_STEPS[side % 3]


def axial(hexagon: int) -> Hex:
    """Return the hex of a number."""
    q = (hexagon + _HALF) // _WIDE
    return Hex(q, hexagon - _WIDE * q)


@cache
def hex_at(hexagon: int) -> str | None:
    """Return the text of a numbered hex, or None off the map."""
    return text(axial(hexagon))


@cache
def side_at(side: int) -> str | None:
    """Return the key of a numbered hexside, or None where neither of its hexes is on the map."""
    owner, other = (hex_at(hexagon) for hexagon in separated(side))
    if owner is not None:
        return hexside(owner, SIDES[side % 3])
    return None if other is None else hexside(other, SIDES[side % 3 + 3])


def _around(hexagon: int, corner: int) -> tuple[tuple[int, int], ...]:
    """Return the three hexes at a corner, each with the number that corner has from there."""
    after = (corner + 1) % 6
    return (
        (hexagon, corner),
        (hexagon + _HEX_STEPS[corner], (corner + 2) % 6),
        (hexagon + _HEX_STEPS[after], (corner + 4) % 6),
    )


def _onward(hexagon: int, corner: int, dx: int, dy: int) -> int | _Spine:
    """Return what a line going (dx, dy) enters after a corner: a hex, or the hexside that
    leads away from it.
    """
    for view, tip in _around(hexagon, corner):
        after = (tip + 1) % 6
        ahead, ahead_after = _ahead(tip, dx, dy), _ahead(after, dx, dy)
        if ahead < 0 and ahead_after < 0:
            return view
        # Only straight away from a hex do both of its sides at that corner fall behind equally fast.
        if ahead == ahead_after > 0:
            left, right = view + _HEX_STEPS[tip], view + _HEX_STEPS[after]
            return _Spine(
                left, right, side_number(left, (tip + 2) % 6), left + _HEX_STEPS[after], (tip + 3) % 6
            )
    raise AssertionError("three hexes and three hexsides fill the whole turn round a corner")


def _ahead(side: int, dx: int, dy: int) -> int:
    """Return how fast a line going (dx, dy) nears a side: nothing along it, less than
    nothing away from it.
    """
    return _FACES[side][0] * dx + _FACES[side][1] * dy


def _corner(hexagon: int, corner: int, at: Share, *entered: int) -> Step:
    """Return the contact with a corner, ``entered`` being the hexes the line is inside or along before and
    after it.
    """
    around = _around(hexagon, corner)
    touched = tuple(view for view, _ in around if view not in entered)
    return "corner", touched, tuple(side_number(view, tip) for view, tip in around), at, at, False


def _entered(onward: int | _Spine) -> tuple[int, ...]:
    return (onward.left, onward.right) if isinstance(onward, _Spine) else (onward,)


def _begin(part: int, dx: int, dy: int) -> tuple[int | _Spine, list[Step]]:
    """Return where a line that starts in a part of hex 0 goes first, and what it touches before it moves."""
    if part == 0:
        return 0, []
    if part > 6:
        onward = _onward(0, part - 7, dx, dy)
        return onward, [_corner(0, part - 7, FIRST, *_entered(onward))]
    side = part - 1
    number, outer, ahead = side_number(0, side), _HEX_STEPS[side], _ahead(side, dx, dy)
    if ahead > 0:
        return outer, [("side", (0, outer), (number,), FIRST, FIRST, False)]
    if ahead < 0:
        return 0, [("side", (outer, 0), (number,), FIRST, FIRST, False)]
    if _ahead((side + 1) % 6, dx, dy) > 0:
        return _Spine(outer, 0, number, _HEX_STEPS[(side + 1) % 6], (side + 4) % 6), []
    return _Spine(0, outer, number, _HEX_STEPS[side - 1], (side + 1) % 6), []


def _standing(part: int) -> Step:
    """Return what a line without length touches."""
    if part == 0:
        return "hex", (0,), (), FIRST, LAST, False
    if part > 6:
        return _corner(0, part - 7, FIRST)
    return "side", (0, _HEX_STEPS[part - 1]), (side_number(0, part - 1),), FIRST, FIRST, False


def way(start: int, step: Hex, end: int) -> list[Step]:
    """Return all that the line from a part of hex 0 to a part of the hex at ``step`` meets, in order.

    Parts are numbered as in PARTS. Shares of the way are exact: 0 at the start, 1 at the end.
    """
    px, py = _OFFSETS[start]
    dx, dy = 6 * step.q + _OFFSETS[end][0] - px, 6 * step.r + _OFFSETS[end][1] - py
    if dx == dy == 0:
        return [_standing(start)]
    turns = tuple(dx * y - dy * x for x, y in _TIPS)
    ahead = tuple(a * dx + b * dy for a, b in _FACES)
    # A line leaves a hex by one of the two or three sides that it nears.
    exits = [(turns[side - 1], turns[side], side) for side in _TURN if ahead[side] > 0]
    where, contacts = _begin(start, dx, dy)
    now = FIRST
    entry: int | None = None
    while True:
        if isinstance(where, _Spine):
            # No hexside keeps q, so that either coordinate tells the share of the way; this is the first.
            gap, pace = 6 * axial(where.beyond).q + _TIPS[where.corner][0] - px, dx
            if pace < 0:
                gap, pace = -gap, -pace
            out = LAST if gap > pace else (gap, pace)
            contacts.append(("spine", (where.left, where.right), (where.side,), now, out, False))
            if gap > pace:
                break
            came, beyond, corner = _entered(where), where.beyond, where.corner
        else:
            q = (where + _HALF) // _WIDE
            x, y = px - 6 * q, py - 6 * (where - _WIDE * q)
            line = dx * y - dy * x
            for before, after, leave in exits:  # noqa: B007
                if before < line <= after:
                    break
            face = _FACES[leave]
            gap, pace = 6 - face[0] * x - face[1] * y, ahead[leave]
            if gap > pace:
                contacts.append(("hex", (where,), (), now, LAST, False))
                break
            out = (gap, pace)
            if after != line:
                clip = entry is not None and gap < pace and (leave - entry) % 6 in (1, 5)
                contacts.append(("hex", (where,), (), now, out, clip))
                beyond = where + _HEX_STEPS[leave]
                contacts.append(("side", (where, beyond), (3 * where + _SIDE_STEPS[leave],), out, out, False))
                if gap == pace:
                    break
                where, now, entry = beyond, out, (leave + 3) % 6
                continue
            contacts.append(("hex", (where,), (), now, out, False))
            came, beyond, corner = (where,), where, leave
        if gap == pace:
            contacts.append(_corner(beyond, corner, LAST, *came))
            break
        where = _onward(beyond, corner, dx, dy)
        contacts.append(_corner(beyond, corner, out, *came, *_entered(where)))
        now, entry = out, None
    return contacts


def fraction(share: Share) -> Fraction:
    """Return a share of the way as a Fraction, whose module is loaded by the first who asks for one."""
    from fractions import Fraction

    return Fraction(*share)


@lru_cache(maxsize=1 << 12)
def walk(start: int, step: Hex, end: int) -> tuple[Contact, ...]:
    """Return what ``way`` does, with its shares as Fractions."""
    steps = way(start, step, end)
    shares = {share: fraction(share) for met in steps for share in met[3:5]}
    return tuple(
        Contact(kind, hexes, sides, shares[enter], shares[leave], clip)
        for kind, hexes, sides, enter, leave, clip in steps
    )
