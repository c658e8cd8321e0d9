"""Puts lines together again that were wrapped on their way as ``format=flowed`` (RFC 3676).

Lines of other depths of quotation never join, nor does the signature's ``-- ``. One thing is done that the
RFC does not say: the next item of a list or the next bare key never joins the line above it, for many
programs leave a blank at the end that a person typed.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from pbem.core.regex import regex

_BEGINS: Final = regex(r"(?:[-*•–—] |[a-z][a-z-]{0,20}:\s*\Z)")


def unflow(lines: Iterable[str], delsp: bool = False) -> list[str]:
    """Return the lines as their writer had them; a quoted one begins with as many ``>`` as before and a
    blank.
    """
    out: list[str] = []
    held: list[str] = []
    held_depth = -1
    for line in lines:
        depth = len(line) - len(line.lstrip(">"))
        rest = line[depth:]
        stuffed = rest.startswith(" ")
        rest = rest[1:] if stuffed else rest
        if held and (depth != held_depth or rest == "-- " or _BEGINS.match(rest)):
            out.append(_made(held_depth, held))
            held = []
        held_depth = depth
        if rest.endswith(" ") and rest != "-- ":
            held.append(rest[:-1] if delsp else rest)
        else:
            out.append(_made(depth, [*held, rest]))
            held = []
    if held:
        out.append(_made(held_depth, held))
    return out


def _made(depth: int, pieces: list[str]) -> str:
    text = "".join(pieces)
    if text != "-- ":
        text = text.rstrip(" ")
    return ">" * depth + " " * bool(depth and text) + text
