"""What files that come with pbem, and the scenario and map of a game, were read to be: plain data, kept on
the user's shelf (``store.shelf``) so that YAML is read once, and scenario and map are looked over once.

Each lies under the bytes that were read and the marks of the modules that read them, which alone decide what
they say; so it is never old, and what goes when the shelf is full is read again. Nothing of how a game
goes is kept. ``verify`` reads every file itself.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

from msgspec import MsgspecError, msgpack

from pbem.store import marks, shelf

GROUND: Final = "ground"
"""The kind of what the rules made of the files of a game: it hangs on all rulesets that come with pbem."""


def plain(kind: str, data: bytes, read: Callable[[], Any]) -> Any:
    """Return what some bytes were read to be: texts, whole numbers, truth values, nothing, lists of such, and
    mappings whose keys are texts or whole numbers. ``kind`` is how they are read, ``read`` does it where
    nothing is kept.
    """
    own = shelf.own(shelf.READ)
    readers = marks.of_rules() if kind == GROUND else marks.of_readers()
    if own is None or readers is None:
        return read()
    key = hashlib.sha256(f"plain 2\0{readers}\0{kind}\0".encode() + data).hexdigest()
    kept = own.get(key)
    if kept is not None:
        with suppress(MsgspecError):
            return msgpack.decode(kept)
    found = read()
    own.put(key, msgpack.encode(found))
    return found
