"""What files that come with pbem were read to be: plain data, kept on the user's shelf (``store.shelf``) so
that YAML is read once.

Each lies under the bytes that were read and the marks of the program, which alone decide what they say; so it
is never old, and what goes when the shelf is full is read again. Only what comes with pbem is kept, nothing
of a game. ``verify`` reads every table itself.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from typing import Any

from pbem.store import marks, shelf


def plain(kind: str, data: bytes, read: Callable[[], Any]) -> Any:
    """Return what some bytes were read to be: texts, lists and mappings with keys that are texts. ``kind`` is
    how they are read, ``read`` does it where nothing is kept.
    """
    own, program = shelf.own(shelf.READ), marks.of_program()
    if own is None or program is None:
        return read()
    key = hashlib.sha256(f"plain\0{program}\0{kind}\0".encode() + data).hexdigest()
    kept = own.get(key)
    if kept is not None:
        return json.loads(kept)
    found = read()
    own.put(key, json.dumps(found).encode())
    return found
