"""What part a line has in an order text, told from the line and from those above it: a key, an order, a
comment, words for people.

It decides the form of one line after the other and takes nothing apart further: which lines are orders is
decided in ``blocks``, what is repaired in ``repair``, and both walk here.
"""

from __future__ import annotations

import re
from typing import Final

from pbem.core.regex import regex
from pbem.post.lines import codes, signs
from pbem.post.lines.keys import BRANCHES, BULLETS, Keys
from pbem.post.lines.rows import Row
from pbem.text.free import FREE

BLANK, COMMENT, KEY, NEAR, ITEM, INNER = "blank", "comment", "key", "near", "item", "inner"
WORDS, REST, RULER, CODE, OTHER = "words", "rest", "ruler", "code", "other"
"""``WORDS`` goes on with somebody's words below ``note: |``; ``REST`` stands further in and goes on with the
line above.
"""

_ITEM: Final = regex(rf"( *)(?:([{BULLETS}]|[onqvüØ](?=  )|-[*•]) *(?=\S)|(?:[0-9]{{1,2}}[.)]) +(?=\S))")
_RULE: Final = regex(r"[ \t]*(?:[`~]{3,}[ ]?\w{0,12}|(?:[-=*+_.~<>8%] ?){3,}) *$")
_PUNCT = r"[-=*+_~<>\[\](){}|/]{1,40}"
_TITLED: Final = regex(
    rf" *(?!- ){_PUNCT} ?(?:(?:my|the|begin|end|start|of|here|are|pbem|yaml|these|code|/)[ :]*){{0,5}}"
    r"(?:orders?|befehle|ordres|begin|end|start|ende|fin|code|/code|yaml|snip|cut here|turn)\b[ "
    rf"\w.,:]{{0,30}}?{_PUNCT} *$",
    re.IGNORECASE,
)
_BRANCH: Final = regex(rf"(?:{'|'.join(BRANCHES)}) ?:(?: |$)", re.IGNORECASE)
_LONG_FORM: Final = regex(r"[a-z][a-z-]{1,10} ?:(?: |$)")
_ANSWER: Final = regex(r"[qQ][1-9][0-9]{0,2} ?:")
_NAMED: Final = regex(r"([A-Za-z][A-Za-z0-9-]{0,23}) ?:(?: |$)")
_BLOCK: Final = regex(r"[|>][-+0-9]{0,3} *(?:#.*)?$")


def is_item(text: str) -> bool:
    """Tell whether a line begins as an order of a list does, with whatever sign stands for the dash."""
    found = _ITEM.match(text)
    if found is None:
        return False
    sign, follows = found[2], text[found.end()]
    if sign is None or text[found.start(2) + 1] == " ":
        return True
    return sign not in "*+§" and not sign.isalpha() and (follows.isalpha() or follows == "{")


def bullet(text: str) -> tuple[int, int]:
    """Return where the sign of an order and the spaces behind it begin and end."""
    found = _ITEM.match(text)
    return (len(found[1]), found.end()) if found else (0, 0)


def view(row: Row) -> str:
    """Return a line as it will be read once its signs are those of a keyboard."""
    text = row.text
    if text.isascii() and not any(sign in text for sign in "\\*_`[<"):
        return text
    other = row.copy()
    signs.plain(other)
    return other.text


def ordered(keys: Keys, row: Row) -> bool:
    """Tell whether a line is a comment, or has the form of a key or an order."""
    return row.text.startswith("#") or is_item(row.text) or keys.head(view(row))[0] != ""


class Walk:
    """The place that was reached in an order text: below which key, and whether words of somebody go on."""

    __slots__ = ("_keys", "_scalar", "base", "key")

    def __init__(self, keys: Keys, base: int = 0, key: str = "") -> None:
        self._keys = keys
        self.base = base
        self.key = key
        self._scalar = False

    @property
    def is_block(self) -> bool:
        """Tell whether somebody's words go on over lines and paragraphs, as ``note: |`` says."""
        return self._scalar

    def role(self, text: str) -> str:
        """Return the part of the next line."""
        bare = text.strip(" ")
        indent = len(text) - len(text.lstrip(" "))
        if not bare:
            return BLANK
        if self.key in FREE and self._scalar and indent > self.base:
            return WORDS
        if codes.is_line(bare):
            return CODE
        if bare[0] == "#":
            return COMMENT
        key, begin, end = self._keys.head(text)
        if key and not (begin > self.base and self.key in ("standing", *FREE)):
            self.key = key
            self._scalar = key in FREE and _BLOCK.match(text[end:].strip()) is not None
            return KEY
        if _RULE.match(text) or _TITLED.match(text):
            return RULER
        return self._inside(text, bare, indent)

    def _inside(self, text: str, bare: str, indent: int) -> str:
        """Return the part of a line that begins no key."""
        if self.key in FREE:
            return WORDS if indent > self.base else ITEM if is_item(text) else OTHER
        if self.key == "standing" and (indent > self.base or self._choice(bare)):
            return INNER if _NAMED.match(bare) else ITEM if is_item(text) else REST
        if self.key == "answers" and _ANSWER.match(bare):
            return INNER
        if is_item(text):
            return ITEM
        if self.key in self._keys.sections and (
            _BRANCH.match(bare) or (indent > self.base and _LONG_FORM.match(bare))
        ):
            return INNER
        return REST if self.key and indent > self.base else OTHER

    def _choice(self, bare: str) -> bool:
        """Tell whether a line below ``standing:`` that lost its spaces belongs to it."""
        found = _NAMED.match(bare)
        if found is None:
            return False
        name, rest = found[1].lower(), bare[found.end() :].strip()
        return name == "everyone" or name in self._keys.standing or rest == "" or rest.startswith("{")
