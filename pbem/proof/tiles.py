"""A log as files that any web space can serve: how its tree and its entries lie in them (C2SP tlog-tiles),
and how it grows.

Pure functions from names and bytes to names and bytes. A file that is full never changes; where the tree ends
lie partial ones, named by how much is in them, so nothing is ever written over. What an entry says is decided
in ``heads``, who vouches for a tree in ``note``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Final

from msgspec import Struct

from pbem.proof.merkle import EMPTY, Reader, leaf_hash, node_hash

WIDTH: Final = 256
"""Hashes of a full tile, entries of a full bundle."""
MAX_ENTRY: Final = 1024
"""Bytes of an entry at most: a head has about 450. The format itself would allow 65535."""
MAX_SIZE: Final = 2**17
"""Entries of a log at most: all of them are read, to find another history of a game among them."""
MAX_TILE: Final = WIDTH * 32
MAX_BUNDLE: Final = WIDTH * (2 + MAX_ENTRY)

Get = Callable[[str], bytes | None]
"""From the name of a file of a log to its bytes; None where there is no such file."""


class BadLog(Exception):
    """Files of a log that are not what it needs; ``reason`` is ``missing``, ``form``, ``long`` or ``root``,
    ``path`` the file.
    """

    def __init__(self, reason: str, path: str) -> None:
        super().__init__(f"{reason}: {path}")
        self.reason = reason
        self.path = path


def tile_path(level: int, index: int, width: int = WIDTH) -> str:
    """Return the name of a tile of hashes: ``tile/0/x001/x234/067.p/5``; width 256 is a full one."""
    return f"tile/{level}/{_numbered(index, width)}"


def bundle_path(index: int, width: int = WIDTH) -> str:
    """Return the name of a bundle of entries."""
    return f"tile/entries/{_numbered(index, width)}"


def _numbered(index: int, width: int) -> str:
    digits = f"{index:03d}"
    digits = digits.zfill(-(-len(digits) // 3) * 3)
    parts = [digits[at : at + 3] for at in range(0, len(digits), 3)]
    name = "/".join([*(f"x{part}" for part in parts[:-1]), parts[-1]])
    return name if width == WIDTH else f"{name}.p/{width}"


def bundle(entries: Sequence[bytes]) -> bytes:
    """Return some entries as a bundle."""
    return b"".join(len(entry).to_bytes(2, "big") + entry for entry in entries)


def unbundle(data: bytes, path: str) -> list[bytes]:
    """Return the entries of a bundle; BadLog for anything else, and for an entry longer than those of a log
    that pbem reads.
    """
    entries: list[bytes] = []
    at = 0
    while at < len(data):
        length = int.from_bytes(data[at : at + 2], "big")
        entry = data[at + 2 : at + 2 + length]
        if len(data) - at < 2 or len(entry) != length:
            raise BadLog("form", path)
        if length > MAX_ENTRY:
            raise BadLog("long", path)
        entries.append(entry)
        at += 2 + length
    return entries


def _width(count: int, index: int) -> int:
    """Return how wide a tile is in a level of so many hashes."""
    return min(WIDTH, count - index * WIDTH)


def _get(get: Get, path: Callable[[int], str], width: int) -> tuple[str, bytes]:
    """Return a file by its width, or the full one that has taken its place since."""
    for one in dict.fromkeys((width, WIDTH)):
        name = path(one)
        data = get(name)
        if data is not None:
            return name, data
    raise BadLog("missing", path(width))


def read_tile(get: Get, size: int, level: int, index: int) -> list[bytes]:
    """Return the hashes of a tile as far as a tree of some size has them; BadLog where the file is missing or
    too short.
    """
    width = _width(size >> (8 * level), index)
    name, data = _get(get, lambda one: tile_path(level, index, one), width)
    if len(data) % 32 or not width * 32 <= len(data) <= MAX_TILE:
        raise BadLog("form", name)
    return [data[at : at + 32] for at in range(0, width * 32, 32)]


def read_bundle(get: Get, size: int, index: int) -> list[bytes]:
    """Return the entries of a bundle as far as a tree of some size has them; BadLog where the file is missing
    or has fewer.
    """
    width = _width(size, index)
    name, data = _get(get, lambda one: bundle_path(index, one), width)
    entries = unbundle(data, name)
    if not width <= len(entries) <= WIDTH:
        raise BadLog("form", name)
    return entries[:width]


def read_entries(get: Get, size: int) -> list[bytes]:
    """Return all entries of a log of some size.

    Whether they are those of its tree is for the caller to see.
    """
    return [entry for index in range(-(-size // WIDTH)) for entry in read_bundle(get, size, index)]


def tile_reader(get: Get, size: int) -> Reader:
    """Return a reader of the tree of a size; it raises BadLog where a file is missing or broken.

    Whether a hash is right a proof shows.
    """

    @cache
    def tile(level: int, index: int) -> list[bytes]:
        return read_tile(get, size, level, index)

    def read(level: int, index: int) -> bytes:
        of, above = divmod(level, 8)
        first = index << above
        hashes = tile(of, first // WIDTH)[first % WIDTH : first % WIDTH + (1 << above)]
        if len(hashes) != 1 << above:
            raise BadLog("form", tile_path(of, first // WIDTH))
        return _over(hashes)

    return read


def _over(hashes: Sequence[bytes]) -> bytes:
    """Return the root over a power of two of hashes."""
    made = list(hashes)
    while len(made) > 1:
        made = [node_hash(made[at], made[at + 1]) for at in range(0, len(made), 2)]
    return made[0]


class Edge(Struct, frozen=True):
    """Where a log ends, which is all that is needed to make it longer: the hashes of the partial tile of each
    level, the last entries.
    """

    size: int
    levels: tuple[tuple[bytes, ...], ...] = ()
    entries: tuple[bytes, ...] = ()

    @property
    def root(self) -> bytes:
        """Return the root of the whole tree."""
        made: bytes | None = None
        for hashes in self.levels:
            end = len(hashes)
            for above in range(8):
                if len(hashes) >> above & 1:
                    peak = _over(hashes[end - (1 << above) : end])
                    made = peak if made is None else node_hash(peak, made)
                    end -= 1 << above
        return EMPTY if made is None else made


def read_edge(get: Get, size: int) -> Edge:
    """Return where a log of some size ends; BadLog where a file is missing or broken."""
    levels: list[tuple[bytes, ...]] = []
    count, level = size, 0
    while count:
        index, width = divmod(count, WIDTH)
        levels.append(tuple(read_tile(get, size, level, index)) if width else ())
        count, level = index, level + 1
    return Edge(size, tuple(levels), tuple(read_bundle(get, size, size // WIDTH)) if size % WIDTH else ())


def grow(edge: Edge, entries: Sequence[bytes]) -> tuple[Edge, dict[str, bytes]]:
    """Return where a log ends with some more entries, and the files that are new for it, by their names."""
    if any(len(entry) > MAX_ENTRY for entry in entries) or edge.size + len(entries) > MAX_SIZE:
        raise ValueError("an entry, or the log, would be too long")
    levels = [list(hashes) for hashes in edge.levels]
    last, size = list(edge.entries), edge.size
    files: dict[str, bytes] = {}
    for entry in entries:
        size += 1
        last.append(entry)
        if len(last) == WIDTH:
            files[bundle_path(size // WIDTH - 1)] = bundle(last)
            last = []
        _push(levels, 0, leaf_hash(entry), size, files)
    if entries:
        if last:
            files[bundle_path(size // WIDTH, len(last))] = bundle(last)
        for level, hashes in enumerate(levels):
            if hashes:
                files[tile_path(level, (size >> (8 * level)) // WIDTH, len(hashes))] = b"".join(hashes)
    return Edge(size, tuple(map(tuple, levels)), tuple(last)), files


def _push(levels: list[list[bytes]], level: int, made: bytes, size: int, files: dict[str, bytes]) -> None:
    """Add a hash to a level; one that fills its tile closes it and goes on above."""
    if level == len(levels):
        levels.append([])
    levels[level].append(made)
    if len(levels[level]) == WIDTH:
        files[tile_path(level, (size >> (8 * level)) // WIDTH - 1)] = b"".join(levels[level])
        levels[level], above = [], _over(levels[level])
        _push(levels, level + 1, above, size, files)
