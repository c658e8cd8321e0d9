"""The words by which an order text is known: its keys, and the forms of a sentence that gives an order.

A test holds the keys against ``schemas/orders.schema.json``. The forms are wide and know no game: they tell a line that somebody may
have meant as an order from chatter, so that none is left out without a word. What an order means is decided by the rules.
"""

from __future__ import annotations

import re
from typing import Final

SECTIONS: Final = ("setup", "shoot", "move", "shoot-again", "fight", "day")
FREE: Final = ("luck", "note", "message")
"""Keys whose values are anybody's words."""
KEYS: Final = ("game", "side", "seat", "turn", *SECTIONS, "standing", "answers", "stop-after", *FREE)
WEAK: Final = ("game", "note", "message", "day")
"""Keys that, with a capital, begin many a sentence in a letter."""
NAMED: Final = ("game", "side", "seat", "turn", "stop-after")
"""Keys whose values are small letters and digits."""
BRANCHES: Final = ("when", "then", "otherwise")
CHOICES: Final = (*("wound", "retreat", "advance", "advance-who", "doorway", "land", "panic-who", "panic-way", "engines-lose", "repeat"),)

_JOINED: Final = {key.replace("-", ""): key for key in KEYS}
_WORD: Final = re.compile(r"[A-Za-z](?:[A-Za-z]|[ _-](?=[A-Za-z])){2,10}")

_NAME = r"[a-z][a-z0-9-]{0,23}"
_NAMES = rf"{_NAME}(?:, ?{_NAME}){{0,20}}"
_HEX = r"[0-9]{4}(?:@[a-z0-9]{1,8})?"
_WHAT = r"[a-z0-9@,: -]{1,120}"
_DEEDS: Final = "|".join(
    (
        rf"(?:to|at|by) {_HEX}",
        rf"at {_NAME}(?: or {_NAME}){{0,9}}$",
        rf"attacks? {_NAME}",
        rf"(?:mounts|rides|climbs|topples|takes|works) {_NAME}$",
        r"turns (?:n|ne|se|s|sw|nw)$",
        r"(?:dismounts to|leads|hitches|unhitches|picks? up|carry|carries|raises?|shifts?|puts down|puts out|enters at|pours|has skill) ",
        r"(?:steps over|goes (?:up|down)|(?:forward|back) [0-9]|leaves the map.{0,40}|stays)$",
        rf"(?:strikes|lights|bombards?) {_HEX}",
        rf"fires {_NAME} at",
    )
)
_SENTENCE: Final = re.compile(
    rf"(?:{_NAMES} (?:{_DEEDS})|(?:fill|rubble) {_HEX}|repair {_NAME}|(?:assault|bombard|lift the siege|resign)$)(?:{_WHAT})?",
    re.IGNORECASE,
)
_HINTS: Final = re.compile(
    r"\b(?:[0-9]{4}|attacks?|topples|bombards?|mounts|dismounts|climbs|hitches|unhitches|carry|raise|strikes|pours|rubble|assault|"
    r"resign|steps over|goes (?:up|down)|at (?:nearest|least))\b",
    re.IGNORECASE,
)
_ADDRESS: Final = re.compile(r"[\w.+-]@[\w-]{1,63}\.\w|://")
_ANSWER: Final = re.compile(r" {0,12}q[1-9][0-9]{0,2} ?: {0,3}[a-z0-9]", re.IGNORECASE)
BULLETS: Final = "-*+§•·‣◦●○▪■□∙⁃‧・►▶➢➤→✓✔❖◆\uf000-\uf0ff"
"""What stands for a dash in front of an order, as the inside of a class of characters; some are of Word's own fonts."""
_DASHED: Final = re.compile(rf" {{0,12}}(?:[{BULLETS}–—](?![-*–—]) {{0,8}}|[0-9]{{1,2}}[.)] {{1,4}})(?=\S)")


def known(word: str) -> str:
    """Return the key that somebody wrote in capitals, or with a space in it, such as ``Shoot again``; nothing where it is none."""
    if _WORD.fullmatch(word) is None:
        return ""
    return _JOINED.get(re.sub("[ _-]", "", word).lower(), "")


def sentence(text: str) -> bool:
    """Tell whether a line without a dash has the form of an order as a whole."""
    bare = text.partition(" #")[0].strip().rstrip(".")
    return len(bare) <= 300 and _SENTENCE.fullmatch(bare) is not None


def resembles(text: str) -> bool:
    """Tell whether a line that was not taken may have been meant as an order."""
    if len(text) > 400 or _ADDRESS.search(text) is not None:
        return False
    if _ANSWER.match(text):
        return True
    dash = _DASHED.match(text)
    if dash is not None:
        return _HINTS.search(text, dash.end()) is not None
    return sentence(text)
