"""Words that are anybody's own: under which keys they stand, and whether a file says them whole."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pbem.text.source import Source

__all__ = ["FREE", "loses_words"]

FREE: Final = ("luck", "note", "message")
"""Keys whose values are anybody's words."""


def loses_words(source: Source) -> bool:
    """Tell whether a part of somebody's words is read as a comment."""
    place = source.root
    if place is None or place.keys is None:
        return False
    for key in FREE:
        value = place.inside.get(key)
        if value is None or value.text is None or value.line >= len(source.lines):
            continue
        raw = source.lines[value.line][value.column :]
        quoted = raw[:1] in ("'", '"', "|", ">") and not value.text.startswith(raw[:1])
        if not quoted and value.text and " #" in raw:
            return True
    return False
