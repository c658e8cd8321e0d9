"""Small pictures that are drawn four times too large and then reduced (counters, engines): kept together, so
that a program finds them.

They are some hundreds of which each map shows a few dozen, so they lie on the shelf as one album and not each
by itself.
"""

from __future__ import annotations

import struct
from collections import OrderedDict
from collections.abc import Callable
from functools import lru_cache, wraps
from hashlib import sha256
from typing import Final, ParamSpec

from PIL import Image

from ..keeping import digest, shelf

P = ParamSpec("P")

ROOM: Final = 6_000_000
"""Bytes of an album; what was not looked at for longest leaves it."""
LARGEST: Final = 500_000
"""Bytes of one picture in it."""
WORTH: Final = 6
"""So many new pictures are worth writing the album anew."""
_HEAD: Final = struct.Struct(">16sHH")
_CONTENT: Final = "album"

_pictures: OrderedDict[bytes, Image.Image] = OrderedDict()
_opened: object = None
"""The shelf from which the album was taken."""
_new = 0


def drawn_once(most: int) -> Callable[[Callable[P, Image.Image]], Callable[P, Image.Image]]:
    """Return a decorator for what draws a small RGBA picture from plain values: the newest ``most`` at hand,
    the others in the album.
    """

    def decorated(draw: Callable[P, Image.Image]) -> Callable[P, Image.Image]:
        @wraps(draw)
        def found(*values: P.args, **named: P.kwargs) -> Image.Image:
            if shelf() is None:
                return draw(*values, **named)
            key = sha256(
                f"{draw.__module__} {draw.__qualname__} {values!r} {named!r}".encode("utf-8", "surrogatepass")
            ).digest()[:16]
            return _from_album(key) or _into_album(key, draw(*values, **named))

        cached: Callable[P, Image.Image] = lru_cache(maxsize=most)(found)  # type: ignore[assignment]
        return cached

    return decorated


def _from_album(key: bytes) -> Image.Image | None:
    _open()
    found = _pictures.get(key)
    if found is not None:
        _pictures.move_to_end(key)
    return found


def _into_album(key: bytes, picture: Image.Image) -> Image.Image:
    global _new
    if picture.mode == "RGBA" and picture.width * picture.height * 4 <= LARGEST:
        _pictures[key] = picture
        _new += 1
        _trim()
    return picture


def _trim() -> None:
    """Let go what was not looked at for longest, until the rest has room."""
    taken = sum(map(_bytes, _pictures.values()))
    while taken > ROOM:
        _, gone = _pictures.popitem(last=False)
        taken -= _bytes(gone)


def _bytes(picture: Image.Image) -> int:
    return _HEAD.size + picture.width * picture.height * 4


def _open() -> None:
    """Take the album from the shelf, once."""
    global _opened, _new
    if _opened != shelf():
        _pictures.clear()
        _opened, _new = shelf(), 0
        where = shelf()
        _pictures.update(read(where.get(digest(_CONTENT)) or b"" if where is not None else b""))
        _trim()


def lay_down() -> None:
    """Put the album on the shelf, if there is enough new in it."""
    global _new
    where = shelf()
    if where is None or _opened != where or _new < WORTH:
        return
    _new = 0
    where.put(digest(_CONTENT), written(_pictures))


def written(pictures: OrderedDict[bytes, Image.Image]) -> bytes:
    """Return an album as bytes."""
    return b"".join(_HEAD.pack(key, *picture.size) + picture.tobytes() for key, picture in pictures.items())


def read(data: bytes) -> OrderedDict[bytes, Image.Image]:
    """Return the pictures of an album; what does not add up ends it."""
    found: OrderedDict[bytes, Image.Image] = OrderedDict()
    at, view = 0, memoryview(data)
    while at + _HEAD.size <= len(data):
        key, wide, high = _HEAD.unpack_from(data, at)
        at += _HEAD.size
        long = wide * high * 4
        if not 0 < long <= LARGEST or at + long > len(data):
            break
        found[key] = Image.frombytes("RGBA", (wide, high), view[at : at + long])
        at += long
    return found
