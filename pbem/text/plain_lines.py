"""Reads a text whose every line is a comment, a section, ``key: text`` or ``- text``, in ASCII, without
quotes, brackets and lines that go on. Order files mostly are such texts.

Of such a text it returns what ``yaml_text`` returns, of any other nothing, and then PyYAML has the word: so
who has such a file checked does not wait until PyYAML is loaded, which takes longer than reading and checking
it. Whatever could be a mistake makes a text another one. ``test_text_source.py`` holds the two readers
against each other.
"""

from __future__ import annotations

from typing import Any, Final

from pbem.core.regex import regex
from pbem.text.limits import ANY_KEY, Limits
from pbem.text.places import Mark, Place

_KEY: Final = regex(r"([a-z][a-z0-9_.-]*):(?: +|\Z)")
_SIGNS: Final = r"[A-Za-z0-9 ,.;()+=/<>!?'_@-]*"
_MEANT: Final = rf"[A-Za-z0-9]{_SIGNS}(?::(?=[A-Za-z0-9]){_SIGNS})*"
_TEXT: Final = regex(_MEANT)
"""A text that means itself: no sign of YAML begins it, no colon stands before a space, no comment follows."""
_ENTRY: Final = regex(rf"( *)- +({_MEANT})")
"""A line with an entry of a list that is such a text, and perhaps spaces behind it."""
_EVENTS: Final = 5
"""The most that YAML makes of a line: a key and a text, and what begins and ends around them."""


class _Open:
    """A mapping or a list that goes on where a line begins in its column."""

    __slots__ = ("column", "data", "is_list", "place")

    def __init__(self, line: int, column: int, is_list: bool) -> None:
        self.column = column
        self.is_list = is_list
        self.data: Any = [] if is_list else {}
        self.place = Place(line, column, None, [] if is_list else {}, None if is_list else {})

    def put(self, key: str, value: Any, place: Place) -> None:
        """Put a value into a mapping."""
        self.data[key] = value
        self.place.inside[key] = place


def grow(lines: tuple[str, ...], limits: Limits) -> tuple[Any, Place] | None:
    """Return the data of a text and the places of its values, counted from 0; None of any other text."""
    if len(lines) * _EVENTS > limits.events:
        return None
    short = max(map(len, lines), default=0) <= limits.scalar
    stack: list[_Open] = []
    dash = -1  # the column of the list that goes on, if the line before was an entry of it
    texts: list[Any] = []
    spots: list[Place] = []
    entry_of = _ENTRY.fullmatch
    begun = False  # a line "---" stood before everything else
    key = ""  # whose value may still come
    for number, line in enumerate(lines):
        if dash >= 0 and (entry := entry_of(line)) and entry.end(1) == dash:
            text = entry[2].rstrip(" ")
            texts.append(text)
            spots.append(Place(number, entry.start(2), text))
            continue
        written = line.lstrip(" ")
        if not written or written[0] == "#":
            continue
        if line == "---" and not (stack or begun):
            begun = True
            continue
        dash, column = -1, len(line) - len(written)
        is_entry = written.startswith("- ")
        if not stack:
            if is_entry or column:
                return None
            stack.append(_Open(number, column, is_list=False))
        elif key:
            around = stack[-1]
            if column > around.column or (is_entry and column == around.column):
                stack.append(_Open(number, column, is_entry))
                around.put(key, stack[-1].data, stack[-1].place)
                if len(stack) > limits.depth:
                    return None
            key = ""
        if not _close(stack, column, is_entry):
            return None
        inner = stack[-1]
        if is_entry:
            found = _text(line, column + 2, number, limits)
            if found is None:
                return None
            inner.data.append(found.text)
            inner.place.inside.append(found)
            if short:
                dash, texts, spots = column, inner.data, inner.place.inside
            continue
        named = _KEY.match(written)
        if named is None or named[1] in inner.data or not (limits.key or ANY_KEY).fullmatch(named[1]):
            return None
        inner.place.keys[named[1]] = Mark(number, column)
        if not written[named.end() :]:
            key = named[1]
            inner.put(key, "", Place(number, column, ""))
            continue
        found = _text(line, column + named.end(), number, limits)
        if found is None:
            return None
        inner.put(named[1], found.text, found)
    return (stack[0].data, stack[0].place) if stack else None


def _close(stack: list[_Open], column: int, is_entry: bool) -> bool:
    """Close what does not go on in a line; tell whether the line then goes on with anything."""
    while (top := stack[-1]).column != column or top.is_list != is_entry:
        if top.column < column or (top.column == column and is_entry):
            return False
        stack.pop()
    return True


def _text(line: str, at: int, number: int, limits: Limits) -> Place | None:
    """Return the text that stands from ``at`` on in a line, with its place; None where it is none that means
    itself.
    """
    rest = line[at:].lstrip(" ")
    text = rest.rstrip(" ")
    if len(text) > limits.scalar or not _TEXT.fullmatch(text):
        return None
    return Place(number, len(line) - len(rest), text)
