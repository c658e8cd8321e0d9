"""Fans: all 169 lines between the parts of two hexes at once, as masks of the hexes and hexsides they meet;
decides nothing about what bars a line (see sight).

Theory of operation. Of a line that may be drawn between any parts of two hexes it is asked again and again
which of 169 pass what stands about. What a line meets depends on nothing but the step from hex to hex, so it
is worked out once for a step and kept as one whole number, a bit for each hex and each hexside. What bars
now is such a number too: a line is free of it where the two have no bit in common, and a wall that falls is
one bit less. Lines that meet the same are asked together, and whether any line at all is free is told by the
``least`` ones alone: whatever bars one of these bars every line that meets the same and more.

A hex of a map has four bits that follow each other: itself, and its sides n, ne and se. Columns lie a
``Frame.stride`` apart, just wide enough that no two hexes of a map, nor those that a line touches beyond its
edge, share a number. Steps shift everything, so a fan is made for no hex in particular and moved to where
it is wanted. A sixth of a turn and a mirror bring every step into one twelfth of the plane; only there are
lines walked (``Sheaf``), and turned into place for a frame.

The obvious way, walking each line when it is asked for, took nine tenths of a game with this option, and a
memory of single lines that is large enough for them all takes more room than the answers. Nothing here can
go stale: a sheaf follows from the step alone, whatever the map. Those of all near steps together are a table
that may lie on a shelf, which somebody else gives (``shelves``). It is taken only if it is, byte for byte,
the one that would be made here, which ``DIGEST`` tells: a file that was cut short, forged or written by
another version is as if there were none, and cannot change an answer.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from hashlib import sha256
from typing import Final, NamedTuple

from msgspec import Struct

from pbem.geometry import shelves
from pbem.geometry.hex import SIDES, STEPS, Hex, hexside, parse, text
from pbem.geometry.walk import FIRST, PARTS, axial, hex_number, way

NEAR: Final = 24
"""Steps up to this many hexes far are in the table that is written."""
MANY: Final = 40
"""So many sheaves are made before the rest of the table is made too and put on a shelf."""
DIGEST: Final = "15c485ab3a5fa7936e81534e9aba170744cfd58ed8699012704977583c7ae4d6"
"""SHA-256 of the table, and the key under which it lies."""
_PARTS: Final = range(len(PARTS))


class Sheaf(NamedTuple):
    """What the 169 lines over one step meet, once for all that meet the same.

    ``points`` are (q, r, what) with 0 for the hex and 1 to 3 for its sides n, ne and se; ``cut`` has for each
    group a bit for every point that is a hexside, or a hex inside which the lines run; ``touched`` those of
    the hexes that they only touch. ``group`` has the group of each line, by start and end as in PARTS.
    """

    points: tuple[tuple[int, int, int], ...]
    group: tuple[int, ...]
    cut: tuple[int, ...]
    touched: tuple[int, ...]


class Fan(NamedTuple):
    """A sheaf turned into place for a frame.

    ``low`` is the bit, counted from that of the hex it starts from, at which its masks begin.
    """

    low: int
    whole: int
    """Everything that any of the lines meets."""
    group: tuple[int, ...]
    masks: tuple[int, ...]
    """What the lines of a group meet."""
    least: tuple[int, ...]
    """Masks such that every other contains one of them."""


class Frame(Struct, frozen=True):
    """The bits of the hexes and hexsides of a map with so many columns and rows."""

    stride: int
    bits: dict[str, int]
    """Hex or key of a hexside -> its bit; without hexsides between two hexes off the map."""
    names: dict[int, str]

    def mask(self, names: Iterable[str]) -> int:
        """Return the mask of some hexes and hexsides; what is not on the map has none."""
        found = 0
        for name in names:
            if name in self.bits:
                found |= 1 << self.bits[name]
        return found

    def among(self, mask: int) -> Iterator[str]:
        """Yield the hexes and hexsides of a mask."""
        while mask:
            lowest = mask & -mask
            mask ^= lowest
            if (name := self.names.get(lowest.bit_length() - 1)) is not None:
                yield name


@lru_cache(maxsize=16)
def frame(columns: int, rows: int) -> Frame:
    """Return the frame of a map."""
    last = (columns - 1) // 2
    stride = rows + last + 4
    base = stride + last + 2
    bits = {}
    for column in range(columns):
        for row in range(rows):
            name = text(Hex(column, row - column // 2)) or ""
            bits[name] = 4 * (base + stride * column + row - column // 2)
    hexes = tuple(bits)
    for name in hexes:
        for number, side in enumerate(SIDES):
            key = hexside(name, side)
            if number < 3:
                bits[key] = bits[name] + 1 + number
            elif key not in bits:
                q, r = STEPS[number]
                bits[key] = bits[name] + 4 * (stride * q + r) + number - 2
    return Frame(stride, bits, {bit: name for name, bit in bits.items()})


# --- one twelfth of the plane


def _turned(q: int, r: int, turns: int, mirrored: bool) -> tuple[int, int]:
    if mirrored:
        q, r = r, q
    for _ in range(turns):
        q, r = -r, q + r
    return q, r


_TURNS: Final = tuple((turns, mirrored) for mirrored in (False, True) for turns in range(6))


class Turn(NamedTuple):
    """A turn of the plane, a mirror with it or not: where a step goes, and each point of a hex."""

    matrix: tuple[int, int, int, int]
    points: tuple[tuple[int, int, int], ...]
    order: tuple[int, ...]
    """For each of the 169 lines, by start and end, the one that is turned into it."""


@cache
def _turn(turns: int, mirrored: bool) -> Turn:
    (a, c), (b, d) = _turned(1, 0, turns, mirrored), _turned(0, 1, turns, mirrored)
    sides = [STEPS.index(_turned(*step, turns, mirrored)) for step in STEPS]
    corners = [_between(sides[number], sides[(number + 1) % 6]) for number in range(6)]
    points = [(0, 0, 0)]
    for side in sides[:3]:
        points.append((0, 0, 1 + side) if side < 3 else (*STEPS[side], side - 2))
    parts = (0, *(1 + side for side in sides), *(7 + corner for corner in corners))
    came = [parts.index(part) for part in _PARTS]
    order = tuple(len(PARTS) * first + last for first in came for last in came)
    return Turn((a, b, c, d), tuple(points), order)


def _between(one: int, other: int) -> int:
    """Return the corner between two sides that follow each other."""
    return one if (other - one) % 6 == 1 else other


@cache
def home(q: int, r: int) -> tuple[tuple[int, int], Turn]:
    """Return the step of the first twelfth that a turn brings to a step, and that turn."""
    for turns, mirrored in _TURNS:
        a, b, c, d = _turn(turns, mirrored).matrix
        if a * d - b * c == 1:
            x, y = d * q - b * r, a * r - c * q
        else:
            x, y = b * r - d * q, c * q - a * r
        if x >= y >= 0:
            return (x, y), _turn(turns, mirrored)
    raise AssertionError("twelve turns fill the plane")


# --- what lines meet


@lru_cache(maxsize=1 << 9)
def sheaf(q: int, r: int) -> Sheaf:
    """Return what the lines over a step of the first twelfth (q >= r >= 0) meet."""
    if kept := _kept().sheaf((q, r)):
        return _read(kept)
    made = _made(q, r)
    _kept().one_more()
    return made


def _made(q: int, r: int) -> Sheaf:
    step = Hex(q, r)
    ends = (0, hex_number(step))
    points: dict[tuple[int, int, int], int] = {}
    groups: dict[tuple[int, int], int] = {}
    group = []

    def bit(hexagon: int, what: int) -> int:
        return 1 << points.setdefault((*axial(hexagon), what), len(points))

    for first in _PARTS:
        for last in _PARTS:
            cut = touched = 0
            for kind, hexes, sides, enter, leave, _ in way(first, step, last):
                for side in sides:
                    cut |= bit(side // 3, 1 + side % 3)
                if kind == "hex":
                    if hexes[0] not in ends:
                        cut |= bit(hexes[0], 0)
                elif kind == "spine" or (kind == "corner" and enter != FIRST and leave[0] < leave[1]):
                    for hexagon in hexes:
                        if hexagon not in ends:
                            touched |= bit(hexagon, 0)
            group.append(groups.setdefault((cut, touched), len(groups)))
    return Sheaf(
        tuple(points), tuple(group), tuple(cut for cut, _ in groups), tuple(touched for _, touched in groups)
    )


@lru_cache(maxsize=1 << 9)
def fan(stride: int, q: int, r: int, both: bool) -> Fan:
    """Return the fan over a step; ``both``: what a line only touches is left out of its mask."""
    near, turn = home(q, r)
    points, group, cut, touched = sheaf(*near)
    a, b, c, d = turn.matrix
    columns, rows = 4 * (a * stride + c), 4 * (b * stride + d)
    added = [4 * (stride * dq + dr) + what for dq, dr, what in turn.points]
    places = [columns * q + rows * r + added[what] for q, r, what in points]
    low = min(places, default=0)
    bits = [1 << place - low for place in places]
    meets = cut if both else tuple(map(int.__or__, cut, touched))
    known: dict[int, int] = {}
    numbers = [known.setdefault(met, len(known)) for met in meets]
    least: list[int] = []
    for met in sorted(known, key=int.bit_count):
        if not any(other & met == other for other in least):
            least.append(met)
    masks = {met: _of(met, bits) for met in known}
    whole = 0
    for mask in masks.values():
        whole |= mask
    order = tuple(numbers[group[line]] for line in turn.order)
    return Fan(low, whole, order, tuple(masks.values()), tuple(masks[met] for met in least))


def _of(met: int, bits: Sequence[int]) -> int:
    found = 0
    while met:
        lowest = met & -met
        met ^= lowest
        found |= bits[lowest.bit_length() - 1]
    return found


class Spread(NamedTuple):
    """A fan between two hexes of a map."""

    frame: Frame
    fan: Fan
    shift: int

    @property
    def whole(self) -> int:
        """Return the mask of all that any of the lines meets."""
        return _shifted(self.fan.whole, self.shift)

    def met(self, first: int, last: int) -> int:
        """Return the mask of what the line between two parts, numbered as in PARTS, meets."""
        return _shifted(self.fan.masks[self.fan.group[first * len(PARTS) + last]], self.shift)

    def free(self, bars: int, needs: Sequence[int] = ()) -> tuple[bool, ...]:
        """Return for each of the 169 lines whether it meets nothing of a mask, and something of each of some
        others; empty where none does.
        """
        fan, shift = self.fan, -self.shift
        window = _shifted(bars, shift) & fan.whole
        if window and all(window & mask for mask in fan.least):
            return ()
        wanted = [_shifted(mask, shift) & fan.whole for mask in needs]
        if not all(wanted):
            return ()
        free = [not window & mask and all(mask & need for need in wanted) for mask in fan.masks]
        return tuple(free[number] for number in fan.group)


def _shifted(mask: int, by: int) -> int:
    return mask << by if by >= 0 else mask >> -by


def spread(frame: Frame, a: str, b: str, both: bool = False) -> Spread:
    """Return the fan from one hex to another; both must be on the map of the frame."""
    start, end = parse(a), parse(b)
    found = fan(frame.stride, end.q - start.q, end.r - start.r, both)
    return Spread(frame, found, frame.bits[a] + found.low)


# --- the table of near steps


class _Kept:
    """The table that was taken from a shelf, and how many sheaves were made for want of it."""

    def __init__(self, where: Callable[[], shelves.Shelf | None]) -> None:
        self.where = where
        self.table: dict[tuple[int, int], bytes] | None = None
        """None: nobody has looked yet."""
        self.made = 0

    def sheaf(self, step: tuple[int, int]) -> bytes | None:
        """Return the sheaf over a step as it is written, where the table lies on the shelf."""
        if self.table is None:
            shelf = self.where()
            found = shelf.get(DIGEST) if shelf else None
            self.table = taken(found) if found else {}
        return self.table.get(step)

    def one_more(self) -> None:
        """Put the table on the shelf where so many sheaves were made that whoever asks goes on asking."""
        self.made += 1
        if self.made == MANY and not self.table and (shelf := self.where()):
            table = written()
            self.table = taken(table)
            shelf.put(DIGEST, table)


_known = _Kept(shelves.nowhere)


def _kept() -> _Kept:
    """Return the table of the place where tables lie now."""
    global _known
    if _known.where is not shelves.where:
        _known = _Kept(shelves.where)
    return _known


def steps() -> Iterator[tuple[int, int]]:
    """Yield the steps of the first twelfth that are in the table."""
    return ((q, r) for q in range(NEAR + 1) for r in range(min(q, NEAR - q) + 1))


def written() -> bytes:
    """Return the table: of every near step the length of its sheaf in bytes, then the sheaf."""
    made = [_write(_made(*step)) for step in steps()]
    return b"".join(len(one).to_bytes(4, "little") + one for one in made)


def taken(table: bytes) -> dict[tuple[int, int], bytes]:
    """Return step -> its sheaf as it is written; nothing of a table that is not the right one."""
    if sha256(table).hexdigest() != DIGEST:
        return {}
    found, at = {}, 0
    for step in steps():
        size = int.from_bytes(table[at : at + 4], "little")
        found[step] = table[at + 4 : at + 4 + size]
        at += 4 + size
    return found


def _write(one: Sheaf) -> bytes:
    size = (len(one.points) + 7) // 8
    flat = array("b", [number for point in one.points for number in point])
    head = array("H", [len(one.points), len(one.cut)])
    masks = b"".join(mask.to_bytes(size, "little") for mask in (*one.cut, *one.touched))
    return b"".join((_little(head), flat.tobytes(), bytes(one.group), masks))


def _read(data: bytes) -> Sheaf:
    points, groups = (int.from_bytes(data[at : at + 2], "little") for at in (0, 2))
    size, at = (points + 7) // 8, 4 + 3 * points
    flat = array("b", data[4:at]).tolist()
    group = tuple(data[at : at + len(PARTS) ** 2])
    at += len(group)
    masks = [
        int.from_bytes(data[begin : begin + size], "little")
        for begin in range(at, at + 2 * groups * size, size)
    ]
    return Sheaf(
        tuple(zip(flat[::3], flat[1::3], flat[2::3], strict=True)),
        group,
        tuple(masks[:groups]),
        tuple(masks[groups:]),
    )


def _little(numbers: array[int]) -> bytes:
    return b"".join(number.to_bytes(2, "little") for number in numbers)
