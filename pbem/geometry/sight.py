"""Exact lines of sight: what a straight line between two hexes meets, and what of it stands in the way.

Decides which hexes and hexsides a line crosses, runs along or touches, and which of them count as being between. Does not
decide what blocks: that is asked of the caller, hex by hex and hexside by hexside. Levels, ranges and cover are not known here;
every contact carries its exact share of the way, for those who must compare heights.

Theory of operation. All points lie on the lattice of axial coordinates times 6: the centre of a hex at 6(q, r), the middle of
side i at +3 * STEPS[i], the corner after it at +2 * (STEPS[i] + STEPS[i + 1]). An affine map keeps straight lines straight and
keeps what is left of them left, so no root of three and no rounding is ever needed. The walk stands in one hex and looks at the
sign of each corner against the line: where the signs turn from left to right, clockwise, the line leaves, by that side, or by
that corner if the sign is nought. From a corner it goes on into a hex, or along the hexside that leads away from it. Only the
step from hex to hex and the parts of the two hexes matter, so a walk is done once and afterwards only shifted.

Reading of S1.41d, S1.41e, S1.45e, S1.46a and S1.56a (2026-11-21; docs/readings/line-of-sight.md has the figures):

1. Along a hexspine (exactly on the border of two hexes) the line touches both hexes. ``either_hex_blocks``: one that blocks is
   enough. ``both_hexes_block``: both of the same border must block; what is off the map or an end of the line does not.
2. An obstacle on the hexside the line runs along blocks in either mode: a wall blocks wherever it is touched.
3. Through a corner the line is in two of the three hexes; the third is touched. ``either_hex_blocks``: it blocks.
   ``both_hexes_block``: it does not, for on the other side of the line there is nothing but the two hexes that count anyway.
   The three hexsides that meet there are all touched, and a wall on any of them blocks in either mode.
4. A hex that is cut is crossed, however short the cut: a clipped corner is no touch, and the mode does not matter.
5. The hexes of shooter and target are never between (S1.41e), but their edges are: a wall on the hexside by which the line
   leaves the one or enters the other blocks, touched or crossed (S1.56a). Only a hexside in whose middle a special rule
   starts or ends the line (S1.43b, S1.44a, S1.44b) does not block that line.

A hex touched only by the very end of a line is not between; a hexside touched only there is touched.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from typing import Literal, NamedTuple

from pbem.geometry.hex import SIDES, STEPS, Hex, hexside, parse, text

Mode = Literal["either_hex_blocks", "both_hexes_block"]
"""The values of the option ``line_on_hex_edge``."""

Kind = Literal["hex", "side", "corner", "spine"]
"""The four ways a line meets the map."""

Case = Literal["crossed", "clip", "spine", "spine-side", "corner", "own-edge"]
"""Why something is in the way: crossed outright, or one of the five questions of the reading above."""

CORNERS = tuple(f"{side}-{SIDES[(number + 1) % 6]}" for number, side in enumerate(SIDES))
"""The six corners, clockwise, each named after the two sides it lies between: ``n-ne`` to ``nw-n``."""

PARTS = ("centre", *SIDES, *CORNERS)
"""The thirteen points of a hex between which a line may run: its centre, the middles of its sides, its corners."""

_PART_NUMBER = {part: number for number, part in enumerate(PARTS)}
_MIDDLES = tuple((3 * q, 3 * r) for q, r in STEPS)
_TIPS = tuple(
    (2 * (q + STEPS[(number + 1) % 6][0]), 2 * (r + STEPS[(number + 1) % 6][1])) for number, (q, r) in enumerate(STEPS)
)
_OFFSETS = ((0, 0), *_MIDDLES, *_TIPS)
# A point is inside side i of a hex while this sum over its offset from the centre stays below 6.
_FACES = ((-1, -2), (1, -1), (2, 1), (1, 2), (-1, 1), (-2, -1))
_START, _END = Fraction(0), Fraction(1)
_ORIGIN = Hex(0, 0)


class NotAPart(ValueError):
    """Raised for a part of a hex that is none of PARTS."""


class NotAMode(ValueError):
    """Raised for a way of reading lines on hex edges that is none of Mode."""


class Point(NamedTuple):
    """An end of a line: a hex, and the part of it (one of PARTS) the line starts or ends in."""

    hex: str
    part: str = "centre"


class Meeting(NamedTuple):
    """One thing a line meets, with the shares of its length where that begins and ends.

    ``hex``: it runs inside ``hexes[0]``. ``side``: it crosses ``sides[0]`` out of ``hexes[0]`` into ``hexes[1]``. ``corner``:
    it touches the point where ``sides`` meet; ``hexes`` are those it touches there and nowhere else. ``spine``: it runs along
    ``sides[0]`` with ``hexes[0]`` on its left and ``hexes[1]`` on its right. A hex off the map is None; a hexside off the map
    is left out. ``clip``: it enters the hex by one side and leaves by the next one, so that it cuts off a corner.
    """

    kind: Kind
    hexes: tuple[str | None, ...]
    sides: tuple[str, ...]
    enter: Fraction
    leave: Fraction
    clip: bool = False


@dataclass(frozen=True, slots=True)
class Obstruction:
    """The first thing in the way: ``what`` it is, its ``name`` (hex or hexside key), why it counts and how far along it lies."""

    what: Literal["hex", "side"]
    name: str
    case: Case
    at: Fraction


class _Contact(NamedTuple):
    """A meeting before it is shifted to its place on the map; a side is a hex and the number of its side."""

    kind: Kind
    hexes: tuple[Hex, ...]
    sides: tuple[tuple[Hex, int], ...]
    enter: Fraction
    leave: Fraction
    clip: bool = False


class _Spine(NamedTuple):
    """A hexside the walk goes along: the hexes left and right, the side's number from the left, and the corner it ends in."""

    left: Hex
    right: Hex
    side: int
    beyond: Hex
    corner: int


class _Check(NamedTuple):
    """One question to the caller, ``second`` being used by pairs only; a ``touch`` is asked in one of the two modes only."""

    kind: Literal["side", "hex", "touch", "pair"]
    first: int
    second: int
    case: Case
    at: Fraction


def _beyond(hexagon: Hex, side: int) -> Hex:
    step = STEPS[side % 6]
    return Hex(hexagon.q + step[0], hexagon.r + step[1])


def _around(hexagon: Hex, corner: int) -> tuple[tuple[Hex, int], ...]:
    """Return the three hexes at a corner, each with the number that corner has from there."""
    return (
        (hexagon, corner % 6),
        (_beyond(hexagon, corner), (corner + 2) % 6),
        (_beyond(hexagon, corner + 1), (corner + 4) % 6),
    )


def _onward(hexagon: Hex, corner: int, dx: int, dy: int) -> Hex | _Spine:
    """Return what a line going (dx, dy) enters after a corner: a hex, or the hexside that leads away from it."""
    for view, tip in _around(hexagon, corner):
        (ax, ay), (bx, by) = _FACES[tip], _FACES[(tip + 1) % 6]
        before, after = ax * dx + ay * dy, bx * dx + by * dy
        if before < 0 and after < 0:
            return view
        # Along the edge that leads straight away from this hex, both of its sides at the corner fall behind equally fast.
        if before == after > 0:
            far = _beyond(_beyond(view, tip), tip + 1)
            return _Spine(_beyond(view, tip), _beyond(view, tip + 1), (tip + 2) % 6, far, (tip + 3) % 6)
    raise AssertionError("three hexes and three hexsides fill the whole turn round a corner")


def _corner(hexagon: Hex, corner: int, at: Fraction, *entered: Hex) -> _Contact:
    """Return the contact with a corner, ``entered`` being the hexes the line is inside or along before and after it."""
    around = _around(hexagon, corner)
    touched = tuple(view for view, _ in around if view not in entered)
    return _Contact("corner", touched, tuple(around), at, at)


def _beside(onward: Hex | _Spine) -> tuple[Hex, ...]:
    return (onward.left, onward.right) if isinstance(onward, _Spine) else (onward,)


def _begin(part: int, dx: int, dy: int) -> tuple[Hex | _Spine, list[_Contact]]:
    """Return where a line that starts in a part of the origin goes first, and what it touches before it moves."""
    if part == 0:
        return _ORIGIN, []
    if part > 6:
        onward = _onward(_ORIGIN, part - 7, dx, dy)
        return onward, [_corner(_ORIGIN, part - 7, _START, *_beside(onward))]
    side = part - 1
    outer = _beyond(_ORIGIN, side)
    ahead = _FACES[side][0] * dx + _FACES[side][1] * dy
    if ahead:
        left, entered = (_ORIGIN, outer) if ahead > 0 else (outer, _ORIGIN)
        return entered, [_Contact("side", (left, entered), ((_ORIGIN, side),), _START, _START)]
    clockwise = _FACES[(side + 1) % 6]
    if clockwise[0] * dx + clockwise[1] * dy > 0:
        return _Spine(outer, _ORIGIN, (side + 3) % 6, _beyond(_ORIGIN, side + 1), (side + 4) % 6), []
    return _Spine(_ORIGIN, outer, side, _beyond(_ORIGIN, side - 1), (side + 1) % 6), []


@lru_cache(maxsize=1 << 12)
def _walk(start: int, step: Hex, end: int) -> tuple[_Contact, ...]:
    """Return all that the line from a part of the origin to a part of the hex at ``step`` meets, in order."""
    px, py = _OFFSETS[start]
    dx, dy = 6 * step.q + _OFFSETS[end][0] - px, 6 * step.r + _OFFSETS[end][1] - py
    if dx == dy == 0:
        return _standing(start)
    turns = tuple(dx * y - dy * x for x, y in _TIPS)
    where, contacts = _begin(start, dx, dy)
    now: Fraction = _START
    entry: int | None = None
    while True:
        if isinstance(where, _Spine):
            fx, fy = 6 * where.beyond.q + _TIPS[where.corner][0], 6 * where.beyond.r + _TIPS[where.corner][1]
            out = Fraction(fx - px, dx) if dx else Fraction(fy - py, dy)
            sides = ((where.left, where.side),)
            contacts.append(_Contact("spine", (where.left, where.right), sides, now, min(out, _END)))
            if out > 1:
                break
            came, corner, tip = [where.left, where.right], where.beyond, where.corner
        else:
            x, y = px - 6 * where.q, py - 6 * where.r
            line = dx * y - dy * x
            leave = next(side for side in range(6) if turns[side - 1] < line <= turns[side])
            gap, pace = 6 - _FACES[leave][0] * x - _FACES[leave][1] * y, _FACES[leave][0] * dx + _FACES[leave][1] * dy
            out = Fraction(gap, pace)
            if out > 1:
                contacts.append(_Contact("hex", (where,), (), now, _END))
                break
            if turns[leave] != line:
                clip = entry is not None and (leave - entry) % 6 in (1, 5)
                contacts.append(_Contact("hex", (where,), (), now, out, clip))
                beyond = _beyond(where, leave)
                contacts.append(_Contact("side", (where, beyond), ((where, leave),), out, out))
                if out == 1:
                    break
                where, now, entry = beyond, out, (leave + 3) % 6
                continue
            contacts.append(_Contact("hex", (where,), (), now, out))
            came, corner, tip = [where], where, leave
        if out == 1:
            contacts.append(_corner(corner, tip, out, *came))
            break
        where = _onward(corner, tip, dx, dy)
        contacts.append(_corner(corner, tip, out, *came, *_beside(where)))
        now, entry = out, None
    return tuple(contacts)


def _standing(part: int) -> tuple[_Contact, ...]:
    """Return what a line without length touches."""
    if part == 0:
        return (_Contact("hex", (_ORIGIN,), (), _START, _END),)
    if part > 6:
        return (_corner(_ORIGIN, part - 7, _START),)
    return (_Contact("side", (_ORIGIN, _beyond(_ORIGIN, part - 1)), ((_ORIGIN, part - 1),), _START, _START),)


# A hex as one number, so that a shift is one addition: 512 is wider than any column of axial rows, r staying within -256 to 255.
# A hexside is three times the number of the hex it is the n, ne or se side of, plus 0 to 2.
def _hex_number(hexagon: Hex) -> int:
    return hexagon.q * 512 + hexagon.r


def _side_number(side: tuple[Hex, int]) -> int:
    hexagon, number = side
    return _hex_number(hexagon) * 3 + number if number < 3 else _hex_number(_beyond(hexagon, number)) * 3 + number - 3


@cache
def _hex_at(number: int) -> str | None:
    q = (number + 256) // 512
    return text(Hex(q, number - 512 * q))


@cache
def _side_at(number: int) -> str | None:
    owner, side = number // 3, number % 3
    named = _hex_at(owner)
    if named is not None:
        return hexside(named, SIDES[side])
    named = _hex_at(owner + 512 * STEPS[side][0] + STEPS[side][1])
    return None if named is None else hexside(named, SIDES[side + 3])


def _checks(contacts: tuple[_Contact, ...], ends: tuple[Hex, Hex], free: frozenset[int]) -> Iterator[_Check]:
    """Yield what must be asked, in the order of the way: each hexside and each hex once, as the reading above has it."""
    along = {_side_number(side) for contact in contacts if contact.kind == "spine" for side in contact.sides}
    asked = set(free)
    for contact in contacts:
        for side in contact.sides:
            number = _side_number(side)
            if number in asked:
                continue
            asked.add(number)
            case: Case = "corner" if contact.kind == "corner" else "crossed"
            if number in along:
                case = "spine-side"
            if side[0] in ends or _beyond(*side) in ends:
                case = "own-edge"
            yield _Check("side", number, 0, case, contact.enter)
        between = [_hex_number(hexagon) for hexagon in contact.hexes if hexagon not in ends]
        if contact.kind == "hex":
            case = "clip" if contact.clip else "crossed"
            yield from (_Check("hex", number, 0, case, contact.enter) for number in between)
        elif contact.kind == "spine" and len(between) == 2:
            yield _Check("pair", between[0], between[1], "spine", contact.enter)
        elif contact.kind == "spine":
            yield from (_Check("touch", number, 0, "spine", contact.enter) for number in between)
        elif contact.kind == "corner" and _START < contact.enter < _END:
            yield from (_Check("touch", number, 0, "corner", contact.enter) for number in between)


@lru_cache(maxsize=1 << 13)
def _asked(q: int, r: int, start: int, end: int, free_ends: bool) -> tuple[_Check, ...]:
    """Return what must be asked about the line from a part of the origin to a part of the hex (q, r)."""
    step = Hex(q, r)
    sides = [(hexagon, part - 1) for hexagon, part in ((_ORIGIN, start), (step, end)) if 0 < part < 7]
    free = frozenset(_side_number(side) for side in sides) if free_ends else frozenset[int]()
    return tuple(_checks(_walk(start, step, end), (_ORIGIN, step), free))


@dataclass(frozen=True, slots=True)
class Line:
    """A straight line between two points: iterate over it for all it meets, in order from ``start``.

    It keeps only its ends and what must be asked about it; everything else is worked out when it is wanted.
    """

    start: Point
    end: Point
    _checks: tuple[_Check, ...]

    def __iter__(self) -> Iterator[Meeting]:
        base, contacts = self._contacts()
        for kind, hexes, sides, enter, leave, clip in contacts:
            keys = (_side_at(3 * base + _side_number(side)) for side in sides)
            yield Meeting(
                kind,
                tuple(_hex_at(base + _hex_number(hexagon)) for hexagon in hexes),
                tuple(key for key in keys if key is not None),
                enter,
                leave,
                clip,
            )

    def _contacts(self) -> tuple[int, tuple[_Contact, ...]]:
        start, end = parse(self.start.hex), parse(self.end.hex)
        step = Hex(end.q - start.q, end.r - start.r)
        return _hex_number(start), _walk(_PART_NUMBER[self.start.part], step, _PART_NUMBER[self.end.part])

    @property
    def crossed(self) -> tuple[str, ...]:
        """Return the hexes strictly between that the line cuts, in order."""
        base, contacts = self._contacts()
        found = (_hex_at(base + _hex_number(contact.hexes[0])) for contact in contacts if contact.kind == "hex")
        ends = (self.start.hex, self.end.hex)
        return tuple(name for name in found if name is not None and name not in ends)

    @property
    def spines(self) -> tuple[tuple[str | None, str | None], ...]:
        """Return the pairs of hexes, left and right, on whose common border the line runs, in order."""
        return tuple((meeting.hexes[0], meeting.hexes[1]) for meeting in self if meeting.kind == "spine")

    @property
    def corners(self) -> tuple[str, ...]:
        """Return the hexes that the line touches in a corner only, strictly between its ends, in order."""
        found = (meeting for meeting in self if meeting.kind == "corner" and _START < meeting.enter < _END)
        return tuple(name for meeting in found for name in meeting.hexes if name is not None)

    @property
    def sides(self) -> tuple[str, ...]:
        """Return the keys of all hexsides crossed, touched or run along, in order, each once."""
        return tuple(dict.fromkeys(key for meeting in self for key in meeting.sides))


def _part_number(part: str) -> int:
    try:
        return _PART_NUMBER[part]
    except KeyError:
        raise NotAPart(f"{part!r} is no part of a hex: {', '.join(PARTS)}") from None


def between(a: str, b: str) -> Line:
    """Return the line from the centre of one hex to the centre of the other (S1.41b); raise NotAPlace for what is no hex."""
    start, end = parse(a), parse(b)
    return Line(Point(a), Point(b), _asked(end.q - start.q, end.r - start.r, 0, 0, True))


def trace(a: Point, b: Point) -> Line:
    """Return the line between any two parts of two hexes, as a special rule names them (S1.43b, S1.44a, S1.44b).

    The hexside in whose middle such a line starts or ends does not block it. Raise NotAPlace or NotAPart for what is neither.
    """
    start, end = parse(a.hex), parse(b.hex)
    return Line(a, b, _asked(end.q - start.q, end.r - start.r, _part_number(a.part), _part_number(b.part), True))


def lines_any_part(a: str, b: str) -> Iterator[Line]:
    """Yield the 169 lines from the centre, side middles and corners of one hex to those of the other, centre to centre first.

    They are the lines of the option ``line_of_fire: any_part``: the shot is open if one of them is. No hexside is let off: who
    chooses the middle of a wall for his end has not got round the wall.
    """
    start, end = parse(a), parse(b)
    q, r = end.q - start.q, end.r - start.r
    for first, first_part in enumerate(PARTS):
        for last, last_part in enumerate(PARTS):
            yield Line(Point(a, first_part), Point(b, last_part), _asked(q, r, first, last, False))


def blocked(
    line: Line,
    hex_blocks: Callable[[str], bool],
    side_blocks: Callable[[str], bool],
    mode: Mode = "either_hex_blocks",
) -> Obstruction | None:
    """Return the first thing in the way of a line, or None where it is open; the verdict is the same from either end.

    ``hex_blocks`` is asked with the text of a hex, ``side_blocks`` with a hexside key, never with anything off 01 to 99. Where
    both hexes of a border block, the lower one is named. Raise NotAMode for a mode that is none.
    """
    if mode not in ("either_hex_blocks", "both_hexes_block"):
        raise NotAMode(f"{mode!r} is neither either_hex_blocks nor both_hexes_block")
    both = mode == "both_hexes_block"
    base = _hex_number(parse(line.start.hex))
    for kind, first, second, case, at in line._checks:
        if kind == "side":
            key = _side_at(3 * base + first)
            if key is not None and side_blocks(key):
                return Obstruction("side", key, case, at)
        elif kind == "pair":
            names = [name for name in (_hex_at(base + first), _hex_at(base + second)) if name and hex_blocks(name)]
            if len(names) > both:
                return Obstruction("hex", min(names), case, at)
        elif kind == "hex" or not both:
            name = _hex_at(base + first)
            if name is not None and hex_blocks(name):
                return Obstruction("hex", name, case, at)
    return None


def open_line(
    a: str,
    b: str,
    hex_blocks: Callable[[str], bool],
    side_blocks: Callable[[str], bool],
    mode: Mode = "either_hex_blocks",
) -> Line | None:
    """Return the first open line between any parts of two hexes, or None where all 169 are blocked."""
    return next((line for line in lines_any_part(a, b) if blocked(line, hex_blocks, side_blocks, mode) is None), None)
