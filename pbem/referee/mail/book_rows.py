"""Rows of a book of an office: what is kept of requests, of proposals, of the lines of entrants, each in a
private file.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import TypeVar

from msgspec import Struct, ValidationError, convert, to_builtins

from pbem.store import disk
from pbem.text.codec import from_json

Row = TypeVar("Row", bound=Struct)


def read(path: Path, kind: type[Row]) -> tuple[Row, ...]:
    """Return the rows of a book, the oldest first; nothing where there is none, or it is damaged."""
    try:
        return convert(from_json(path.read_text("utf-8")), tuple[kind, ...], strict=False)  # type: ignore[valid-type]
    except (OSError, ValueError, ValidationError):
        return ()


def write(path: Path, rows: Iterable[Struct], most: int) -> None:
    """Keep the newest rows of a book, at most so many."""
    kept = json.dumps(to_builtins(list(rows)[-most:]), indent=1)
    disk.replace(path, kept.encode() + b"\n", private=True)
