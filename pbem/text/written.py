"""Plain data written as the YAML that a person would write, and one order text put together with more top
keys.

Whatever is written here reads back as the same data under ``source``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from pbem.core.regex import regex
from pbem.text.source import read

__all__ = ["together", "written"]

_PLAIN: Final = regex(r"[A-Za-z0-9](?:[A-Za-z0-9 ,'._/-]|:(?=[A-Za-z0-9]))*")


def written(data: Mapping[str, Any]) -> str:
    """Return a file as the YAML that a player would write: a mapping of texts, lists and mappings."""
    return "".join(f"{line}\n" for line in _lines(data))


def _lines(data: Mapping[str, Any]) -> Iterator[str]:
    for key, value in data.items():
        if isinstance(value, Mapping):
            yield f"{key}:"
            yield from (f"  {line}" for line in _lines(value))
        elif isinstance(value, list | tuple):
            yield f"{key}:" if value else f"{key}: []"
            for item in value:
                inner = list(_lines(item)) if isinstance(item, Mapping) else [_text(item)]
                yield from (f"{'  ' if n else '- '}{line}" for n, line in enumerate(inner))
        else:
            yield f"{key}: {_text(value)}"


def _text(value: object) -> str:
    said = str(value)
    return said if _PLAIN.fullmatch(said) else json.dumps(said, ensure_ascii=False)


def together(text: bytes, more: Mapping[str, Any], without: frozenset[str] = frozenset()) -> bytes:
    """Return an order text with other top keys in it: those of ``more`` take the place of what it said under
    them, those ``without`` go.

    What stays is as its writer wrote it, comments and all, where that can be; ``text`` can be read without a
    problem.
    """
    source = read(text)
    data: Mapping[str, Any] = source.data if isinstance(source.data, Mapping) else {}
    kept = {key: value for key, value in data.items() if key not in more and key not in without}
    wanted = {**kept, **more}
    made = "".join(
        [
            *_blocks(source.lines, source.root.keys if source.root is not None else None, frozenset(kept)),
            written(more),
        ]
    ).encode()
    again = read(made)
    return made if again.data == wanted and not again.problems else written(wanted).encode()


def _blocks(lines: tuple[str, ...], places: Mapping[str, Any] | None, kept: frozenset[str]) -> Iterator[str]:
    """Yield the lines of the top keys that are kept, each with what stands below it, and those before the
    first.
    """
    begins = {mark.line: key in kept for key, mark in (places or {}).items()}
    stays = True
    for number, line in enumerate(lines[:-1] if lines and not lines[-1] else lines):
        stays = begins.get(number, stays)
        if stays:
            yield f"{line}\n"
