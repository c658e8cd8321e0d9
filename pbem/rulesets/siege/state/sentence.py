"""One line of the grammar of orders: where it may stand, how it is written, and which order it is.

Every word that stands in capitals in a sentence is a piece of the list ``PIECES``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from re import Match
from typing import Any, Final

from msgspec import Struct

from pbem.orders.template import Piece, Template
from pbem.rulesets.siege.state.orders import HEADINGS, Act, Order

ANY: Final = HEADINGS
NEAREST: Final = "nearest"
PLANS: Final = ("assault", "bombard", "rest", "lift the siege")

_NAME = r"[a-z][a-z0-9-]{0,23}"
_HEX = r"[0-9]{4}(?:@[a-z0-9]{1,8})?"


def _named(shown: str) -> Piece:
    return Piece(_NAME, shown, names=True)


def _several(shown: str) -> Piece:
    return Piece(rf"{_NAME}(?:, {_NAME})*", shown, ", ", names=True)


PIECES: Final[Mapping[str, Piece]] = {
    **{word: _named(word) for word in ("NAME", "THING", "LADDER", "HORSE", "WAGON", "ENGINE")},
    "NAMES": _several("NAME, NAME"),
    "ANIMALS": _several("ANIMAL"),
    "LED": _several("NAME"),
    "ENGINES": _several("ENGINE, ENGINE"),
    "HEX": Piece(_HEX, "HEX"),
    "HEXES": Piece(rf"{_HEX}(?: {_HEX})*", "HEX HEX"),
    "CHOICE": Piece(rf"{_HEX}(?: or {_HEX})*", "HEX [or HEX]", " or "),
    "SIDE": Piece(r"n|ne|se|s|sw|nw", "SIDE"),
    "TARGETS": Piece(
        rf"(?:{_NAME}|{_HEX})(?: or (?:{_NAME}|{_HEX}))*",
        "NAME [or NAME]",
        " or ",
        names=True,
        but=(NEAREST,),
    ),
    "COUNT": Piece(r"[1-9][0-9]?", "NUMBER"),
    "SKILL": Piece(r"-?[0-9]", "NUMBER"),
    "ODDS": Piece(r"[1-9][0-9]?:1", "NUMBER:1", said=lambda least: f"{least}:1" if least else ""),
    "POINTS": Piece(r"\+?[1-9][0-9]?", "NUMBER", said=lambda least: f"+{least}" if least else ""),
    "PLAN": Piece("|".join(PLANS), "assault (or: bombard, rest, lift the siege)"),
}
"""What may stand in the slots of a sentence."""


class Sentence(Struct, frozen=True, eq=False):
    """One line of the grammar: where it may stand, how it is written, an example, and the
    order that it says.
    """

    sections: tuple[str, ...]
    template: Template
    example: str
    build: Callable[[str, Match[str]], Order]
    """(id of the deed, what the template found, a group for each field) -> the order."""
    in_words: str
    """As help shows it, where that is not as the template says it."""
    verbs: tuple[str, ...]
    makes: type[Any]

    @property
    def form(self) -> str:
        """Return it in words, for help."""
        return self.in_words or self.template.form


def _texts(text: str | None, joint: str) -> tuple[str, ...]:
    return tuple(text.split(joint)) if text else ()


def _act(do: str, matched: Match[str]) -> Act:
    """Return the Act of fields that are named as its own."""
    found = matched.groupdict()
    return Act(
        do,
        who=_texts(found.get("who"), ", "),
        what=found.get("what") or "",
        to=_texts(found.get("to"), " "),
        by=_texts(found.get("by"), " "),
        facing=found.get("facing") or "",
        steps=int(found.get("steps") or 0),
        over=bool(found.get("over")),
        animals=_texts(found.get("animals"), ", "),
    )


def sentence(
    sections: str,
    template: str,
    example: str,
    *,
    form: str = "",
    verbs: str = "",
    makes: type[Any] = Act,
    build: Callable[[str, Match[str]], Order] = _act,
) -> Sentence:
    """Return a line of the grammar; ``sections`` are headings, or ``any``.

    Form and verbs are the template's own unless they are given.
    """
    read = Template(template, PIECES)
    where = ANY if sections == "any" else tuple(sections.split())
    return Sentence(where, read, example, build, form, tuple(verbs.split()) or read.verbs, makes)
