"""Exact lines of sight: what of all that a straight line meets is between its ends, and the first thing in
its way.

Decides which hexes and hexsides count as crossed, run along or touched. Does not decide what blocks: that is
asked of the caller, hex by hex and hexside by hexside. Levels, ranges and cover are not known here; every
contact carries its exact share of the way, for those who must compare heights.

Reading of S1.41d, S1.41e, S1.45e, S1.46a and S1.56a (2026-11-21; docs/readings/line-of-sight.md has the
figures):

1. Along a hexspine (exactly on the border of two hexes) the line touches both hexes. ``either_hex_blocks``:
   one that blocks is enough. ``both_hexes_block``: both hexes of the same border must block; the hex of an
   end and what is off the map do not.
2. An obstacle on the hexside the line runs along blocks in either mode: a wall blocks wherever it is touched.
3. Through a corner the line is inside two of the three hexes; the third is touched. ``either_hex_blocks``: it
   blocks.
   ``both_hexes_block``: it does not, for on the other side of the line lie only the two hexes that count
   anyway. The three hexsides that meet there are all touched, and a wall on any of them blocks in either
   mode.
4. A hex that is cut is crossed, however short the cut: a clipped corner is no mere touch, and the mode does
   not matter.
5. The hexes of shooter and target are never between (S1.41e), but their edges are: a wall on the hexside by
   which the line leaves the one or enters the other blocks, crossed or touched (S1.56a). Only a hexside in
   whose middle a special rule starts or ends the line (S1.43b, S1.44a, S1.44b) does not block that line.

A hex touched only by the very end of a line is not between; a hexside touched only there is touched.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from msgspec import Struct

from pbem.geometry.hex import Hex, parse
from pbem.geometry.walk import (
    CORNERS,
    END,
    PARTS,
    START,
    Contact,
    Kind,
    Share,
    Step,
    axial,
    fraction,
    hex_at,
    hex_number,
    separated,
    side_at,
    side_number,
    walk,
    way,
)

if TYPE_CHECKING:
    from fractions import Fraction

__all__ = [
    "CORNERS",
    "PARTS",
    "Case",
    "Kind",
    "Line",
    "Meeting",
    "Mode",
    "NotAMode",
    "NotAPart",
    "Obstruction",
    "Point",
    "between",
    "blocked",
    "goes_out",
    "hexes_met",
    "lines_any_part",
    "mask",
    "open_line",
    "sides_met",
    "trace",
]

Mode = Literal["either_hex_blocks", "both_hexes_block"]
"""The values of the option ``line_on_hex_edge``."""

Case = Literal["crossed", "clip", "spine", "spine-side", "corner", "own-edge"]
"""Why something is in the way: crossed outright, or one of the five questions of the reading above."""

_PART_NUMBER = {part: number for number, part in enumerate(PARTS)}


class NotAPart(ValueError):
    """Raised for a part of a hex that is none of PARTS."""


class NotAMode(ValueError):
    """Raised for a way of reading lines on hex edges that is none of Mode."""


class Point(Struct, frozen=True):
    """An end of a line: a hex, and the part of it (one of PARTS) the line starts or ends in."""

    hex: str
    part: str = "centre"


class Meeting(Struct, frozen=True):
    """One thing a line meets, with the shares of its length where that begins and ends.

    ``hex``: it runs inside ``hexes[0]``. ``side``: it crosses ``sides[0]`` out of ``hexes[0]`` into
    ``hexes[1]``. ``corner``: it touches the point where ``sides`` meet; ``hexes`` are those it touches there
    and nowhere else. ``spine``: it runs along
    ``sides[0]`` with ``hexes[0]`` on its left and ``hexes[1]`` on its right. A hex off the map is None; a
    hexside off the map is left out. ``clip``: it enters the hex by one side and leaves by the next one, so
    that it cuts off a corner.
    """

    kind: Kind
    hexes: tuple[str | None, ...]
    sides: tuple[str, ...]
    enter: Fraction
    leave: Fraction
    clip: bool = False


class Obstruction(Struct, frozen=True):
    """The first thing in the way: ``what`` it is, its ``name`` (hex or hexside key), why it counts and how
    far along it lies.
    """

    what: Literal["hex", "side"]
    name: str
    case: Case
    at: Fraction


class _Check(NamedTuple):
    """One question to the caller.

    A ``touch`` is asked in one mode only; ``second`` is the other hex of a ``pair``.
    """

    kind: Literal["side", "hex", "touch", "pair"]
    first: int
    case: Case
    at: Share
    second: int = 0


def _case(contact: Step, side: int, along: set[int], ends: tuple[int, int]) -> Case:
    one, other = separated(side)
    if one in ends or other in ends:
        return "own-edge"
    if side in along:
        return "spine-side"
    return "corner" if contact[0] == "corner" else "crossed"


def _checks(contacts: list[Step], ends: tuple[int, int], free: set[int]) -> Iterator[_Check]:
    """Yield what must be asked, in the order of the way, each hexside and each hex once, as the reading above
    has it.
    """
    along = {sides[0] for kind, _, sides, *_ in contacts if kind == "spine"}
    asked = set(free)
    for contact in contacts:
        kind, hexes, sides, at, _, clip = contact
        for side in sides:
            if side not in asked:
                asked.add(side)
                yield _Check("side", side, _case(contact, side, along, ends), at)
        if kind == "side":
            continue
        between_ends = [hexagon for hexagon in hexes if hexagon not in ends]
        if kind == "spine" and len(between_ends) == 2:
            yield _Check("pair", between_ends[0], "spine", at, between_ends[1])
            continue
        for hexagon in between_ends:
            if kind == "hex":
                yield _Check("hex", hexagon, "clip" if clip else "crossed", at)
            elif kind == "spine":
                yield _Check("touch", hexagon, "spine", at)
            elif 0 < at[0] < at[1]:
                yield _Check("touch", hexagon, "corner", at)


class _Asked(Struct, frozen=True):
    """What must be asked about a line, in the order of the way: all of it, and the numbers of hexes and
    hexsides in it.
    """

    checks: tuple[_Check, ...]
    hexes: tuple[int, ...]
    outright: tuple[int, ...]
    """Without those that are only touched."""
    sides: tuple[int, ...]
    of: tuple[int, int, int, int, bool, bool]
    """From what it follows."""


@lru_cache(maxsize=1 << 13)
def _asked(q: int, r: int, start: int, end: int, free_start: bool, free_end: bool) -> _Asked:
    """Return what must be asked about the line from a part of hex 0 to a part of the hex (q, r)."""
    step = Hex(q, r)
    ends = (0, hex_number(step))
    free = ((ends[0], start, free_start), (ends[1], end, free_end))
    middles = {side_number(hexagon, part - 1) for hexagon, part, let_off in free if let_off and 0 < part < 7}
    checks = tuple(_checks(way(start, step, end), ends, middles))
    hexes, outright = (
        tuple(
            hexagon
            for check in checks
            if check.kind in kinds
            for hexagon in ((check.first, check.second) if check.kind == "pair" else (check.first,))
        )
        for kinds in (("pair", "hex", "touch"), ("pair", "hex"))
    )
    sides = tuple(check.first for check in checks if check.kind == "side")
    return _Asked(checks, hexes, outright, sides, (q, r, start, end, free_start, free_end))


class Line(Struct, frozen=True):
    """A straight line between two points: iterate over it for all it meets, in order from ``start``.

    It keeps only its ends and what must be asked about it; everything else is worked out when it is wanted.
    """

    start: Point
    end: Point
    _asked: _Asked

    def __iter__(self) -> Iterator[Meeting]:
        base, contacts = self._contacts()
        for met in contacts:
            names = tuple(hex_at(base + hexagon) for hexagon in met.hexes)
            keys = (side_at(3 * base + side) for side in met.sides)
            sides = tuple(key for key in keys if key is not None)
            yield Meeting(met.kind, names, sides, met.enter, met.leave, met.clip)

    def _contacts(self) -> tuple[int, tuple[Contact, ...]]:
        start, end = parse(self.start.hex), parse(self.end.hex)
        step = Hex(end.q - start.q, end.r - start.r)
        return hex_number(start), walk(_PART_NUMBER[self.start.part], step, _PART_NUMBER[self.end.part])

    @property
    def crossed(self) -> tuple[str, ...]:
        """Return the hexes strictly between that the line cuts, in order."""
        base, contacts = self._contacts()
        names = (hex_at(base + contact.hexes[0]) for contact in contacts if contact.kind == "hex")
        ends = (None, self.start.hex, self.end.hex)
        return tuple(name for name in names if name is not None and name not in ends)

    @property
    def spines(self) -> tuple[tuple[str | None, str | None], ...]:
        """Return the pairs of hexes, left and right, on whose common border the line runs, in order."""
        return tuple((meeting.hexes[0], meeting.hexes[1]) for meeting in self if meeting.kind == "spine")

    @property
    def corners(self) -> tuple[str, ...]:
        """Return the hexes that the line touches in a corner only, strictly between its ends, in order."""
        met = (meeting for meeting in self if meeting.kind == "corner" and START < meeting.enter < END)
        return tuple(name for meeting in met for name in meeting.hexes if name is not None)

    @property
    def sides(self) -> tuple[str, ...]:
        """Return the keys of all hexsides crossed, touched or run along, in order, each once."""
        return tuple(dict.fromkeys(key for meeting in self for key in meeting.sides))


def _part_number(part: str) -> int:
    try:
        return _PART_NUMBER[part]
    except KeyError:
        raise NotAPart(f"{part!r} is not a part of a hex: {', '.join(PARTS)}") from None


def between(a: str, b: str) -> Line:
    """Return the line from the centre of one hex to the centre of the other (S1.41b); raise NotAPlace for
    what is not a hex.
    """
    start, end = parse(a), parse(b)
    return Line(_centre(a), _centre(b), _asked(end.q - start.q, end.r - start.r, 0, 0, True, True))


@cache
def _centre(hex_text: str) -> Point:
    return Point(hex_text)


def trace(a: Point, b: Point, lets_off: tuple[bool, bool] = (True, True)) -> Line:
    """Return the line between any two parts of two hexes, as a special rule names them (S1.43b, S1.44a,
    S1.44b).

    The hexside in whose middle such a line starts or ends does not block it, unless ``lets_off`` says that of
    this end it does. Raise NotAPlace or NotAPart for what is neither.
    """
    start, end = parse(a.hex), parse(b.hex)
    return Line(
        a, b, _asked(end.q - start.q, end.r - start.r, _part_number(a.part), _part_number(b.part), *lets_off)
    )


def goes_out(a: Point, b: str) -> bool:
    """Tell whether the line from the middle of a side to the centre of another hex goes out by that side."""
    start, end = parse(a.hex), parse(b)
    return _goes_out(_part_number(a.part), end.q - start.q, end.r - start.r)


@lru_cache(maxsize=1 << 13)
def _goes_out(part: int, q: int, r: int) -> bool:
    kind, hexes, *_ = way(part, Hex(q, r), 0)[0]
    return kind == "side" and hexes[0] == 0


def lines_any_part(a: str, b: str) -> Iterator[Line]:
    """Yield the 169 lines from the centre, side middles and corners of one hex to those of the other, centre
    to centre first.

    They are the lines of the option ``line_of_fire: any_part``: the shot is open if one of them is. No
    hexside is let off: who chooses the middle of a wall for his end has not got round the wall.
    """
    start, end = parse(a), parse(b)
    q, r = end.q - start.q, end.r - start.r
    for first, first_part in enumerate(PARTS):
        for last, last_part in enumerate(PARTS):
            yield Line(Point(a, first_part), Point(b, last_part), _asked(q, r, first, last, False, False))


def blocked(
    line: Line,
    hex_blocks: Callable[[str], bool],
    side_blocks: Callable[[str], bool],
    mode: Mode = "either_hex_blocks",
) -> Obstruction | None:
    """Return the first thing in the way of a line, or None where it is open; the verdict is the same from
    either end.

    ``hex_blocks`` is asked with the text of a hex, ``side_blocks`` with a hexside key, never with anything
    off 01 to 99. Where both hexes of a border block, the lower one is named. Raise NotAMode for a mode that
    is none.
    """
    both = _both(mode)
    base = hex_number(parse(line.start.hex))
    for kind, first, case, at, second in line._asked.checks:
        if kind == "side":
            key = side_at(3 * base + first)
            if key is not None and side_blocks(key):
                return Obstruction("side", key, case, fraction(at))
        elif kind == "pair":
            pair = (hex_at(base + first), hex_at(base + second))
            names = [name for name in pair if name is not None and hex_blocks(name)]
            if len(names) == 2 or (names and not both):
                return Obstruction("hex", min(names), case, fraction(at))
        elif kind == "hex" or not both:
            name = hex_at(base + first)
            if name is not None and hex_blocks(name):
                return Obstruction("hex", name, case, fraction(at))
    return None


def hexes_met(line: Line, mode: Mode = "either_hex_blocks") -> tuple[str, ...]:
    """Return the hexes that ``blocked`` asks about where none of them blocks, in that order; raise NotAMode
    for a mode that is none.
    """
    base = hex_number(parse(line.start.hex))
    asked = line._asked.outright if _both(mode) else line._asked.hexes
    return tuple([name for hexagon in asked if (name := hex_at(base + hexagon)) is not None])


def sides_met(line: Line) -> tuple[str, ...]:
    """Return the hexside keys that ``blocked`` asks about where nothing blocks, in that order."""
    base = 3 * hex_number(parse(line.start.hex))
    return tuple([key for side in line._asked.sides if (key := side_at(base + side)) is not None])


def mask(line: Line, stride: int, bit: int) -> int:
    """Return as a mask what ``blocked`` may ask about, hexes that are only touched too: in the bits of a
    ``fan.Frame`` of such a stride, where the hex that it starts from has that bit.
    """
    low, found = _mask(stride, *line._asked.of)
    return found << bit + low


@lru_cache(maxsize=1 << 13)
def _mask(stride: int, *of: Any) -> tuple[int, int]:
    """Return where the mask of such a line begins, counted from the bit of its first hex, and that."""
    asked = _asked(*of)
    bits = [_bit(hexagon, stride) for hexagon in asked.hexes]
    bits += [_bit(side // 3, stride) + 1 + side % 3 for side in asked.sides]
    low, found = min(bits, default=0), 0
    for one in bits:
        found |= 1 << one - low
    return low, found


def _bit(hexagon: int, stride: int) -> int:
    q, r = axial(hexagon)
    return 4 * (stride * q + r)


def _both(mode: Mode) -> bool:
    if mode not in ("either_hex_blocks", "both_hexes_block"):
        raise NotAMode(f"{mode!r} is neither either_hex_blocks nor both_hexes_block")
    return mode == "both_hexes_block"


def open_line(
    a: str,
    b: str,
    hex_blocks: Callable[[str], bool],
    side_blocks: Callable[[str], bool],
    mode: Mode = "either_hex_blocks",
) -> Line | None:
    """Return the first open line between any parts of two hexes, or None where all 169 are blocked."""
    return next(
        (line for line in lines_any_part(a, b) if blocked(line, hex_blocks, side_blocks, mode) is None), None
    )
