"""What code has said in English already, put into another language: a phrasebook, with no grammar.

Most sentences come from the words with their arguments beside them. Two kinds of text do not: an argument
that is itself words (``short bow``, ``wounded``), and what would be right of a mistake (``name odo alone``),
which is made where the rule is and shown far from it. A language lists those under ``terms``: the English
text, and its own. In a text ``{1}``, ``{2}``, ``{3}`` stand for anything, which is looked up in its turn,
``{#1}`` for a number; ``{=1}`` on the own side is left as it is, for it is a name. What is not listed stays.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from pbem.core.regex import regex

__all__ = ["Phrasebook"]

_GAP: Final = regex(r"\{[#=]?(\d)\}")
_SIGNS: Final = ("Signs", "Since then")
"""What stands before the signs of a map in characters."""
_NEXT_SIGN: Final = regex(r", (?=\S )")
_AND: Final = " and "
_OR: Final = regex(r" or (?=[^']*(?:'[^']*'[^']*)*$)")
"""An "or" outside of '…'."""
_TYPED: Final = regex(r"'[^']*'")
_NUMBER: Final = re.compile(r"[+-]?[0-9]+")
_DEEPEST: Final = 5
_LONGEST: Final = 240
"""Longer texts are nobody's argument, and are not looked up."""
_MOST_KEPT: Final = 4096


class Phrasebook:
    """English texts → those of one language."""

    __slots__ = ("_exact", "_forms", "_kept")

    def __init__(self, terms: Mapping[str, str]) -> None:
        """Take the list; of forms that fit one text the one with the most letters of its own counts."""
        self._exact: dict[str, str] = {}
        forms = []
        for english, own in terms.items():
            if _GAP.search(english):
                forms.append((english, own))
            else:
                self._exact[english] = own
        forms.sort(key=lambda form: (-len(_GAP.sub("", form[0])), form[0]))
        self._forms = [(_fits(english), own) for english, own in forms]
        self._kept: dict[str, str] = {}

    def put(self, text: str) -> str:
        """Return a text in this language, or as it is where nothing in the list fits it; of a list
        each part, and what stands before a number.
        """
        if text in self._kept:
            return self._kept[text]
        said = self._put(text, _DEEPEST) if len(text) <= _LONGEST else text
        if len(self._kept) < _MOST_KEPT:
            self._kept[text] = said
        return said

    def put_lines(self, text: str) -> str:
        """Return a text of lines such as ``- 0101: odo, archer, wounded``: each whole, or what stands before
        its colon and each part behind it.
        """
        return "\n".join(self._line(line) for line in text.split("\n"))

    def _line(self, line: str) -> str:
        mark = "- " if line.startswith("- ") else ""
        end = "." if line.endswith(".") else ""
        text = line[len(mark) : len(line) - len(end)]
        head, colon, tail = text.partition(": ")
        if head in _SIGNS:
            return f"{self.put(head)}: {', '.join(map(self._sign, _NEXT_SIGN.split(tail)))}{end}"
        said = self.put(text) if not (mark and colon) else text
        if said == text and colon:
            said = f"{self._joined(head)}: {', '.join(map(self._joined, tail.split(', ')))}"
        return f"{mark}{said}{end}"

    def _sign(self, text: str) -> str:
        """Return a sign of a map and what it stands for."""
        return f"{text[:2]}{self.put(text[2:])}"

    def _joined(self, text: str) -> str:
        said = self.put(text)
        return self._each(text, _DEEPEST) if said == text else said

    def _each(self, text: str, deep: int) -> str:
        """Return things joined by an "and", each put."""
        joint = f" {self._exact.get('and', 'and')} "
        return joint.join(self._put(part, deep - 1) for part in text.split(_AND))

    def _either(self, text: str, deep: int) -> str:
        """Return names or known words joined by an "or", each put; nothing where one is neither: in an order
        ``odo at hal or nearest`` the word is typed.
        """
        parts = [(part, self._put(part, deep - 1)) for part in _OR.split(text)]
        if any(" " in part and said == part and not _TYPED.fullmatch(part) for part, said in parts):
            return ""
        return f" {self._exact.get('or', 'or')} ".join(said for _, said in parts)

    def _held(self, gap: re.Match[str], fits: re.Match[str], deep: int) -> str:
        held = fits[f"g{gap[1]}"]
        return held if gap[0].startswith("{=") else self._put(held, deep)

    def _put(self, text: str, deep: int) -> str:
        if (found := self._exact.get(text)) is not None:
            return found
        if not deep or " " not in text or _TYPED.fullmatch(text):
            return text
        for form, own in self._forms:
            if fits := form.fullmatch(text):
                return _GAP.sub(lambda gap: self._held(gap, fits, deep - 1), own)
        if _OR.search(text) and (said := self._either(text, deep)):
            return said
        for mark in ("; ", ", "):
            if mark in text:
                return mark.join(self._put(part, deep - 1) for part in text.split(mark))
        if _AND in text and deep < _DEEPEST:  # inside of a form; a text of its own may be somebody's words
            return self._each(text, deep)
        head, _, tail = text.rpartition(" ")
        return f"{self._put(head, deep - 1)} {tail}" if _NUMBER.fullmatch(tail) else text


def _fits(english: str) -> re.Pattern[str]:
    """Return what a form fits; a gap that is named twice holds the same both times."""
    parts, seen, end = [], set[str](), 0
    for gap in _GAP.finditer(english):
        parts.append(re.escape(english[end : gap.start()]))
        held = _NUMBER.pattern if gap[0].startswith("{#") else ".+?(?<!,)"
        parts.append(f"(?P=g{gap[1]})" if gap[1] in seen else f"(?P<g{gap[1]}>{held})")
        seen.add(gap[1])
        end = gap.end()
    return re.compile("".join((*parts, re.escape(english[end:]))))
