"""One sentence of a game's language, written once: how it is recognised, said, shown in help, and put
together of keys.

A template is a sentence with slots::

    {who:NAMES} carry/carries {what:LADDER} to {to:HEXES}
    {who:NAME} topples {what:LADDER}[ to {to:HEX}]
    {who:NAME} climbs {what:LADDER}[over: and over]
    {who:NAME} leads {animals:ANIMALS} (to {to:HEX}|by {by:HEXES})

``{field:PIECE}`` is a slot: the field of the order that stands there, and what may be written for it.
``[...]`` may be left out;
``[field:...]`` is a field that is true where those words stand; ``(...|...)`` is one of several. ``many/one``
is a verb, which agrees with the first slot. What the pieces are is the game's affair.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property, lru_cache
from operator import attrgetter
from typing import Any, Final

from msgspec import Struct

from pbem.core.regex import regex

__all__ = ["Piece", "Template", "plain"]

_Spoken = Callable[[object], str]
"""An order -> the text of a part of its sentence."""
_COMMA: Final = regex(r" ?, ?")


@lru_cache(maxsize=512)
def plain(sentence: str) -> str:
    """Return a sentence in small letters, with one space between words and one after each comma, and no full
    stop.
    """
    text = " ".join(sentence.lower().split()).removesuffix(".")
    return _COMMA.sub(", ", text) if "," in text else text


class Piece(Struct, frozen=True):
    """What may stand in a slot."""

    pattern: str
    """As a regular expression without groups that are counted."""
    shown: str
    """As a word of help, in capitals."""
    joint: str = " "
    """What stands between several."""
    names: bool = False
    """Whether names stand there, none of which is a word of the language."""
    but: tuple[str, ...] = ()
    """Words of the language that may stand there anyway."""
    said: Callable[[Any], str] = str
    """How a value is said that is neither text nor several texts."""

    def say(self, value: Any) -> str:
        """Return the text of a value; nothing where there is nothing to say."""
        if isinstance(value, str):
            return value
        if isinstance(value, tuple):
            return self.joint.join(value)
        return self.said(value)


class _Slot(Struct, frozen=True):
    field: str
    piece: str


class _Verb(Struct, frozen=True):
    many: str
    one: str


class _Flag(Struct, frozen=True):
    field: str
    words: str


class _Either(Struct, frozen=True):
    """One of several; of none where it is ``optional``."""

    ways: tuple[tuple[Any, ...], ...]
    optional: bool


_PARTS: Final = regex(
    r"\{(?P<field>[a-z_]+):(?P<piece>[A-Z]+)\}|\[(?P<flag>[a-z_]+):(?P<words>[^\]{]*)\]|(?P<open>[\[(])"
    r"|(?P<close>[\])])|(?P<bar>\|)"
    r"|(?P<many>[a-z]+)/(?P<one>[a-z]+)|(?P<text>[^\[\](){}|/]+?(?=[a-z]+/|[\[\](){}|]|$))"
)


class Template:
    """One template, read; ValueError where it is none."""

    def __init__(self, text: str, pieces: Mapping[str, Piece]) -> None:
        self.text = text
        self.pieces = pieces
        self._nodes = _read(text)
        if unknown := {slot.piece for slot in self._slots if slot.piece not in pieces}:
            raise ValueError(f"'{text}': there is no piece {', '.join(sorted(unknown))}")

    # --- what stands in it

    @cached_property
    def _slots(self) -> tuple[_Slot, ...]:
        return tuple(node for node in _all(self._nodes) if isinstance(node, _Slot))

    @property
    def slots(self) -> Iterator[tuple[str, Piece]]:
        """Yield the slots in order: the field of the order, and what may stand there."""
        return ((slot.field, self.pieces[slot.piece]) for slot in self._slots)

    @cached_property
    def naming(self) -> tuple[tuple[str, Piece], ...]:
        """Return those of the slots in which names stand."""
        return tuple((field, piece) for field, piece in self.slots if piece.names)

    @cached_property
    def named(self) -> Callable[[Any], tuple[Any, ...]]:
        """Return what takes from an order the values of the slots in which names stand."""
        fields = [field for field, _ in self.naming]
        if not fields:
            return lambda order: ()
        values = attrgetter(*fields)
        return values if len(fields) > 1 else lambda order: (values(order),)

    @cached_property
    def flags(self) -> Mapping[str, str]:
        """Return the fields that are true where their words stand, with these."""
        return {node.field: node.words.strip() for node in _all(self._nodes) if isinstance(node, _Flag)}

    @cached_property
    def needed(self) -> tuple[str, ...]:
        """Return the fields that are always said."""
        return tuple(node.field for node in self._nodes if isinstance(node, _Slot))

    @cached_property
    def one_of(self) -> tuple[tuple[str, ...], ...]:
        """Return the fields of which exactly one way is said, choice by choice."""
        choices = (node for node in self._nodes if isinstance(node, _Either) and not node.optional)
        return tuple(
            tuple(slot.field for way in node.ways for slot in _all(way) if isinstance(slot, _Slot))
            for node in choices
        )

    @cached_property
    def may(self) -> tuple[str, ...]:
        """Return the fields that may be left out."""
        every = [node.field for node in _all(self._nodes) if isinstance(node, _Slot | _Flag)]
        always = {*self.needed, *(field for choice in self.one_of for field in choice)}
        return tuple(field for field in every if field not in always)

    @cached_property
    def verbs(self) -> tuple[str, ...]:
        """Return the words it is found by: the one behind its first slot, or its first where it begins with a
        word.
        """
        for node in self._nodes[1:] if isinstance(self._nodes[0], _Slot) else self._nodes:
            if isinstance(node, _Verb):
                return (node.many, node.one)
            if isinstance(node, str) and node.strip():
                return (node.split()[0],)
        return ()

    @property
    def begins_with_word(self) -> bool:
        """Tell whether nobody is named before the verb."""
        return not isinstance(self._nodes[0], _Slot)

    @cached_property
    def words(self) -> frozenset[str]:
        """Return all words of the language in it."""
        said = [
            node if isinstance(node, str) else node.words
            for node in _all(self._nodes)
            if isinstance(node, str | _Flag)
        ]
        verbs = [
            verb for node in _all(self._nodes) if isinstance(node, _Verb) for verb in (node.many, node.one)
        ]
        return frozenset(word for text in (*said, *verbs) for word in re.findall(r"[a-z]+", text))

    # --- reading, saying, showing

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """Return what recognises it, with a group for each field."""
        return regex(self._pattern(self._nodes))

    @cached_property
    def found(self) -> Callable[[str], re.Match[str] | None]:
        """Return what finds its fields in a sentence, if it is one of these."""
        return self.pattern.fullmatch

    def _pattern(self, nodes: tuple[Any, ...]) -> str:
        parts: list[str] = []
        for node in nodes:
            match node:
                case str():
                    parts.append(re.escape(node))
                case _Slot():
                    parts.append(f"(?P<{node.field}>{self.pieces[node.piece].pattern})")
                case _Verb():
                    parts.append(f"(?:{node.many}|{node.one})")
                case _Flag():
                    parts.append(f"(?P<{node.field}>{re.escape(node.words)})?")
                case _Either():
                    parts.append(
                        f"(?:{'|'.join(self._pattern(way) for way in node.ways)})" + "?" * node.optional
                    )
        return "".join(parts)

    def fill(self, texts: Mapping[str, str]) -> str:
        """Return the sentence with the texts of its fields; what may be left out is, where they have none."""
        first = texts.get(self._slots[0].field, "") if self._slots else ""
        return _filled(self._nodes, texts, ", " in first)

    def say(self, order: object) -> str:
        """Return the sentence of an order, whose attributes are the fields."""
        first = self._first(order)
        many = type(first) is tuple and first[1:]
        return (self._of_many if many else self._of_one)(order)

    @cached_property
    def _first(self) -> Callable[[object], object]:
        """Return what tells of an order by whom its verb goes."""
        return attrgetter(self._slots[0].field) if self._slots else lambda order: ""

    @cached_property
    def _of_one(self) -> _Spoken:
        """Return what says it of one: ``say`` is called for every order that is listed."""
        return self._speaker(self._nodes, many=False)

    @cached_property
    def _of_many(self) -> _Spoken:
        """Return what says it of several."""
        return self._speaker(self._nodes, many=True)

    def _speaker(self, nodes: tuple[Any, ...], many: bool) -> _Spoken:
        parts = [self._part(node, many) for node in nodes]
        said = "".join([part.replace("%", "%%") if isinstance(part, str) else "%s" for part in parts])
        values = [part for part in parts if not isinstance(part, str)]
        return lambda order: said % tuple([value(order) for value in values])

    def _part(self, node: Any, many: bool) -> _Spoken | str:
        match node:
            case _Slot(field, piece):
                value, of = attrgetter(field), self.pieces[piece]

                def spoken(order: object) -> str:
                    found = value(order)
                    if type(found) is tuple:
                        return of.joint.join(found)
                    return found if type(found) is str else of.said(found)

                return spoken
            case _Verb():
                return node.many if many else node.one
            case _Flag():
                is_set, words = attrgetter(node.field), node.words
                return lambda order: words if is_set(order) else ""
            case _Either():
                return self._first_way(node, many)
            case _:
                return str(node)

    def _first_way(self, either: _Either, many: bool) -> _Spoken:
        """Return what says the last of the ways of which every slot has a value; nothing if none has."""
        ways = tuple(
            (
                tuple(attrgetter(one.field) for one in _all(way) if isinstance(one, _Slot)),
                self._speaker(way, many),
            )
            for way in reversed(either.ways)
        )

        def spoken(order: object) -> str:
            for values, way in ways:
                for value in values:
                    if not value(order):
                        break
                else:
                    return way(order)
            return ""

        return spoken

    @cached_property
    def form(self) -> str:
        """Return it in words for help, such as ``NAME topples LADDER [to HEX]``."""
        return self._form(self._nodes)

    def _form(self, nodes: tuple[Any, ...]) -> str:
        several = bool(self._slots) and ", " in self.pieces[self._slots[0].piece].shown
        parts: list[str] = []
        for node in nodes:
            match node:
                case str():
                    parts.append(node)
                case _Slot():
                    parts.append(self.pieces[node.piece].shown)
                case _Verb():
                    parts.append(node.many if several else node.one)
                case _Flag():
                    parts.append(f" [{node.words.strip()}]")
                case _Either(optional=True):
                    parts.append(f" [{self._form(node.ways[0]).strip()}]")
                case _Either():
                    first, *others = [self._form(way) for way in node.ways]
                    parts.append(f"{first} (or: {', '.join(others)})")
        return "".join(parts)


def _filled(nodes: tuple[Any, ...], texts: Mapping[str, str], many: bool) -> str:
    parts: list[str] = []
    for node in nodes:
        if isinstance(node, str):
            parts.append(node)
        elif isinstance(node, _Slot):
            parts.append(texts.get(node.field, ""))
        elif isinstance(node, _Verb):
            parts.append(node.many if many else node.one)
        elif isinstance(node, _Flag):
            parts.append(node.words if texts.get(node.field) else "")
        else:
            told = [
                way
                for way in node.ways
                if all(texts.get(one.field) for one in _all(way) if isinstance(one, _Slot))
            ]
            if told or not node.optional:
                # Where several ways are given the last is meant, which says most.
                parts.append(_filled(told[-1] if told else node.ways[0], texts, many))
    return "".join(parts)


def _all(nodes: tuple[Any, ...]) -> Iterator[Any]:
    for node in nodes:
        if isinstance(node, _Either):
            for way in node.ways:
                yield from _all(way)
        else:
            yield node


def _read(text: str) -> tuple[Any, ...]:
    """Return the parts of a template."""
    open_: list[tuple[str, list[list[Any]]]] = [("", [[]])]
    at = 0
    while at < len(text):
        found = _PARTS.match(text, at)
        if found is None:
            raise ValueError(f"'{text}' cannot be read as a template from '{text[at:]}' on")
        at = found.end()
        here = open_[-1][1]
        match found.lastgroup:
            case "piece":
                here[-1].append(_Slot(found["field"], found["piece"]))
            case "words":
                here[-1].append(_Flag(found["flag"], found["words"]))
            case "one":
                here[-1].append(_Verb(found["many"], found["one"]))
            case "open":
                open_.append((found["open"], [[]]))
            case "bar":
                here.append([])
            case "close":
                bracket, ways = open_.pop()
                if bracket + found["close"] not in ("[]", "()"):
                    raise ValueError(f"'{text}': brackets do not match")
                open_[-1][1][-1].append(_Either(tuple(map(tuple, ways)), bracket == "["))
            case _:
                here[-1].append(found["text"])
    if len(open_) > 1 or len(open_[0][1]) > 1 or not open_[0][1][0]:
        raise ValueError(f"'{text}' is not a template")
    return tuple(open_[0][1][0])
