"""Painted pictures that are kept: in memory while the program runs, and on a shelf that outlives it, where
somebody has put one up.

Decides under which key a picture is kept (everything that it was painted from, and the looks themselves), and
which goes first when there are too many. Opens no file but its own sources: where a shelf stands is for
others to say (``use``).
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

import PIL

if TYPE_CHECKING:
    from PIL import Image

Size = tuple[int, int]

ROOM: Final = 160_000_000
"""Bytes of memory that kept pictures may take."""
ROOM_OF_FILES: Final = 4_000_000
"""Bytes of memory that kept files may take."""
BYTES: Final = 4
"""That a pixel takes in memory; Pillow leaves one of them empty."""
BROADEST, HIGHEST = 20_000, 20_000
"""Pixels of a picture that is read from a shelf, at most."""


class Shelf(Protocol):
    """Where bytes lie between two runs.

    It may forget anything at any time, never complains, and gives back only what was put there.
    """

    def get(self, key: str) -> bytes | None:
        """Return what lies under a key."""

    def put(self, key: str, data: bytes) -> None:
        """Lay something down under a key."""


_kept: OrderedDict[str, Image.Image] = OrderedDict()
_files: OrderedDict[str, bytes] = OrderedDict()
_shelf: Shelf | None = None
_finished: Shelf | None = None


def use(painted: Shelf | None, finished: Shelf | None = None) -> None:
    """Keep what is painted on a shelf from now on, and ``finished`` files on another; None: in memory alone,
    or not.
    """
    global _shelf, _finished
    _shelf, _finished = painted, finished


def shelf() -> Shelf | None:
    """Return the shelf for what is painted."""
    return _shelf


def file_once(content: object, make: Callable[[], bytes], *, kept: bool = False) -> bytes:
    """Return the file of a content (anything that is written out whole by ``repr``), made only where it was
    not made before; ``kept``: in memory too, for it stands in page after page.
    """
    if _finished is None and not kept:
        return make()
    key = digest(content)
    found = _files.get(key)
    if found is not None:
        _files.move_to_end(key)
        return found
    found = None if _finished is None else _finished.get(key)
    if found is None:
        found = make()
        if _finished is not None:
            _finished.put(key, found)
    if kept:
        _keep_file(key, found)
    return found


def _keep_file(key: str, data: bytes) -> None:
    _files[key] = data
    while sum(map(len, _files.values())) > ROOM_OF_FILES and len(_files) > 1:
        _files.popitem(last=False)


def forget() -> None:
    """Forget all pictures and files in memory; the shelf keeps its own."""
    _kept.clear()
    _files.clear()


def once(
    content: Hashable,
    paint: Callable[[], Image.Image],
    *,
    size: tuple[int, int | None],
    lasting: bool = False,
) -> Image.Image:
    """Return the picture of a content, painted at the first call; it must not be drawn upon.

    ``size`` is what it has to measure (None: any height), so that a wrong one from the shelf is noticed;
    ``lasting``: for the shelf too.
    """
    key = key_of(content)
    found = _kept.get(key)
    if found is not None:
        _kept.move_to_end(key)
        return found
    place = _shelf if lasting else None
    found = None if place is None else unpacked(place.get(key), size)
    if found is None:
        found = paint()
        if place is not None:
            place.put(key, packed(found))
    _keep(key, found)
    return found


def _keep(key: str, picture: Image.Image) -> None:
    _kept[key] = picture
    taken = sum(one.width * one.height * BYTES for one in _kept.values())
    while taken > ROOM and len(_kept) > 1:
        _, gone = _kept.popitem(last=False)
        taken -= gone.width * gone.height * BYTES


@lru_cache(maxsize=64)
def key_of(content: Hashable) -> str:
    """Return the key of a content: a digest of all of it, and of the looks."""
    return digest(content)


def digest(content: object) -> str:
    """Return the key of anything that is written out whole by ``repr``."""
    return sha256(f"{looks()}\n{content!r}".encode("utf-8", "surrogatepass")).hexdigest()


@cache
def looks() -> str:
    """Return a digest of what else decides how a picture looks: the renderers as they are written, and the
    library that draws.
    """
    found = sha256()
    here = Path(__file__).resolve().parent
    for path in sorted(here.rglob("*.py")):
        found.update(
            f"{path.relative_to(here).as_posix()}\n{sha256(path.read_bytes()).hexdigest()}\n".encode()
        )
    for path in sorted((here / "fonts").iterdir()):
        found.update(f"{path.name} {path.stat().st_size}\n".encode())
    found.update(PIL.__version__.encode())
    return found.hexdigest()


def packed(picture: Image.Image) -> bytes:
    """Return a picture as bytes: one line with its mode and size, then the pixels as they are.

    Nothing is compressed: it is read ten times as fast as a PNG, and bytes that nobody has to unfold cannot
    be a bomb.
    """
    return f"{picture.mode} {picture.width} {picture.height}\n".encode() + picture.tobytes()


def unpacked(data: bytes | None, size: tuple[int, int | None]) -> Image.Image | None:
    """Return the picture in such bytes; None where there are none, or they are not an RGB picture of that
    size.
    """
    if data is None:
        return None
    head, _, _ = data[:40].partition(b"\n")
    words = head.split(b" ")
    if len(words) != 3 or words[0] != b"RGB" or not (words[1].isdigit() and words[2].isdigit()):
        return None
    wide, high = int(words[1]), int(words[2])
    pixels = memoryview(data)[len(head) + 1 :]
    if (
        wide != size[0]
        or high != (size[1] or high)
        or not (0 < wide <= BROADEST and 0 < high <= HIGHEST)
        or len(pixels) != wide * high * 3
    ):
        return None
    from PIL import Image  # not above: what is finished is found without all that draws

    return Image.frombytes("RGB", (wide, high), pixels)
