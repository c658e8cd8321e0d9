"""How much may stand in a text that is read, and of which form its keys are."""

from __future__ import annotations

import re
from typing import Final

from msgspec import Struct

from pbem.core.regex import regex

__all__ = ["ANY_KEY", "FILES", "ORDERS", "Limits"]


class Limits(Struct, frozen=True):
    """How much a file may hold: ``size`` in bytes, ``scalar`` in characters, ``depth`` in levels.

    ``key`` is the form of every key (``None``: any printable ASCII text up to 64 characters). ``any_text``
    names the top keys whose values may hold letters outside ASCII; ``None`` allows them everywhere.
    """

    size: int = 65_536
    events: int = 20_000
    depth: int = 12
    scalar: int = 2_000
    key: re.Pattern[str] | None = regex(r"[a-z][a-z0-9_.-]{0,31}")
    any_text: frozenset[str] | None = frozenset({"note", "message", "luck"})


ORDERS: Final = Limits()
FILES: Final = Limits(size=262_144, events=200_000, scalar=100_000, key=None, any_text=None)

ANY_KEY: Final = regex(r"[\x20-\x7e]{1,64}")
