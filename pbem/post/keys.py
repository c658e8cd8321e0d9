"""The words by which an order text is known: its keys, and the forms of a sentence that gives an order.

A test holds the keys against ``schemas/orders.schema.json``. The forms are wide and know no game: they tell a line that somebody may
have meant as an order from chatter, so that none is left out without a word. What an order means is decided by the rules.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

SECTIONS: Final = ("setup", "shoot", "move", "shoot-again", "fight", "day")
FREE: Final = ("luck", "note", "message")
"""Keys whose values are anybody's words."""
PLAIN: Final = ("nobody", "final")
"""Keys that people say as a sentence: ``nobody moves``, ``that is all``."""
KEYS: Final = ("game", "side", "seat", "turn", *SECTIONS, "standing", "answers", "stop-after", *PLAIN, *FREE)
WEAK: Final = ("game", "note", "message", "day")
"""Keys that, with a capital, begin many a sentence in a letter."""
NAMED: Final = ("game", "side", "seat", "turn", "stop-after")
"""Keys whose values are small letters and digits."""
BRANCHES: Final = ("when", "then", "otherwise")
FORM: Final = (
    *("who", "do", "what", "at", "to", "path", "hexes", "facing", "across", "in", "on", "with", "engine", "item", "animals", "by", "from"),
    *("over", "steps", "value", "at-least", *BRANCHES),
)
"""Keys of an order that is written as keys."""
CHOICES: Final = (*("wound", "retreat", "advance", "advance-who", "doorway", "land", "panic-who", "panic-way", "engines-lose", "repeat"),)

MEANT: Final[Mapping[str, tuple[str, ...]]] = {
    "setup": ("placement", "placing", "place", "deploy", "deployment", "set up", "start", "aufstellung"),
    "shoot": (
        "shooting",
        "shots",
        "fire",
        "missile",
        "first missile",
        "missiles",
        "missile phase",
        "archery",
        "bows",
        "schießen",
        "schuss",
        "tir",
    ),
    "move": ("moves", "movement", "moving", "movements", "movement phase", "march", "bewegung", "bewegen", "zug", "züge", "mouvement"),
    "shoot-again": ("second archery", "second shooting", "second missile", "shooting again", "shoot 2", "shoot two"),
    "fight": (
        *("fights", "fighting", "attack", "attacks", "melee", "combat", "combats", "melee phase", "close combat"),
        *("kampf", "angriff", "angriffe", "nahkampf", "attaque", "attaques"),
    ),
    "day": ("day plan", "plan of the day", "siege day"),
}
"""Section -> other words that people put above it, of which only one can be meant."""
_OTHER: Final = {re.sub("[ _-]", "", word): section for section, words in MEANT.items() for word in words}
_JOINED: Final = {key.replace("-", ""): key for key in KEYS}
_WORD: Final = re.compile(r"[A-Za-z](?:[A-Za-z]|[ _-](?=[A-Za-z])){2,10}")

_PLAINLY: Final = re.compile(
    r" *[\"'*_]{0,3}(?:(?P<nobody>(?:nobody|no one) ?:? ?(?:moves|shoots|fights|attacks|acts|is placed)|(?:everybody|everyone|all) stays?)"
    r"|(?P<final>final(?: ?: ?yes)?|(?:that|this|it)(?: is|['’]s) (?:all|final)|(?:(?:these|those|my|the) orders|they) are final))"
    r"[.!]{0,3}[\"'*_]{0,3} *",
    re.IGNORECASE,
)
_NAME = r"(?!(?:i|we|you|he|she|they|it|who|that|this|and)\b)[a-z][a-z0-9-]{0,23}"
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
_TO: Final = rf"(?:(?:moves? |goes |go )?(?:to|at|by)|moves?|[-=]+>|→) ?(?:hex )?{_HEX}(?: {_HEX}){{0,20}}(?: facing [a-z]{{1,2}})?"
_AT: Final = rf"{_NAME}(?: or {_NAME}){{0,9}}(?: at least [0-9]{{1,2}}:[0-9]{{1,2}})?"
_ONE: Final = re.compile(
    rf"(?:and |move )?{_NAME}(?:(?: (?:and|&) {_NAME}){{0,5}} (?:{_TO}|(?:shoots? at|fires? at|attacks?) {_AT})| at {_AT})", re.IGNORECASE
)
"""One order that is whole, and nothing behind it."""
_BARE_NAME: Final = re.compile(_NAME, re.IGNORECASE)
_HINTS: Final = re.compile(
    r"(?<![\w+./:-])(?!(?:19|20)[0-9]{2}\b)[0-9]{4}(?![\w/:]|-[0-9]{1,2}(?![0-9]))|\b(?:(?:to|at|by) [0-9]{4}|attacks?|topples|bombards?|"
    r"mounts|dismounts|climbs|hitches|unhitches|carry|raise|strikes|pours|rubble|assault|resign|steps over|goes (?:up|down)|"
    r"at (?:nearest|least))\b",
    re.IGNORECASE,
)
_DOES: Final = re.compile(
    r"(?:\b(?:moves?|goes|walks?|runs?|marches|rides?|shoots?|fires?|aims?|attacks?|fights?|charges?|hits?|stays?|waits|climbs?|topples?|bombards?|"
    r"picks?|carry|carries|raises?|drops?|puts?|takes?|works|leads?|mounts?|dismounts?|turns (?:n|s)|enters|leaves|stands|strikes?|"
    r"pours?|lights?)\b|"
    r"[-=]>|\b(?:to|at|by|in) .*[0-9]|\b[0-9OoIl]{1,2}[-,./ ]?[0-9OoIl]{1,2}\W*$)",
    re.IGNORECASE,
)
_SMALL_TALK: Final = """
i i'm i'll we we'll you he she they it please thanks thank hi hello hey dear cheers regards sorry good see my this that there here last ps
"""
_PEOPLE: Final = frozenset(_SMALL_TALK.split())
"""Words that begin what people say to each other."""
_ADDRESS: Final = re.compile(r"[\w.+-]@[\w-]{1,63}\.\w|://")
_ANSWER: Final = re.compile(r" {0,12}q[1-9][0-9]{0,2} ?: {0,3}[a-z0-9]", re.IGNORECASE)
BULLETS: Final = "-*+§•·‣◦●○▪■□∙⁃‧・►▶➢➤→➡⇒➔➜✓✔❖◆\uf000-\uf0ff"
"""What stands for a dash in front of an order, as the inside of a class of characters; some are of Word's own fonts."""
_DASHED: Final = re.compile(rf" {{0,12}}(?:[{BULLETS}–—](?![-*–—]) {{0,8}}|[0-9]{{1,2}}[.)] {{1,4}})(?=\S)")


def known(word: str) -> str:
    """Return the key that somebody wrote in capitals, or with a space in it, such as ``Shoot again``; nothing where it is none."""
    if _WORD.fullmatch(word) is None:
        return ""
    return _JOINED.get(re.sub("[ _-]", "", word).lower(), "")


def meant(word: str) -> str:
    """Return the section that somebody meant who put another word above it; nothing where no word of ours is it."""
    return _OTHER.get(re.sub("[ _-]", "", word).lower(), "")


def plainly(text: str) -> tuple[str, str]:
    """Return the key and the value that a whole line says as a sentence, such as ``nobody`` and ``moves``; nothing of any other line."""
    found = _PLAINLY.fullmatch(text) if len(text) <= 60 else None
    if found is None:
        return "", ""
    return ("nobody", "moves") if found["nobody"] else ("final", "yes")


def sentence(text: str) -> bool:
    """Tell whether a line without a dash has the form of an order as a whole."""
    bare = text.partition(" #")[0].strip().rstrip(".")
    return len(bare) <= 300 and (_SENTENCE.fullmatch(bare) is not None or _is_whole(bare))


def _is_whole(text: str) -> bool:
    """Tell whether a line is an order or several in the words of reports, as ``odo and hob move to hex 0712``, and nothing besides."""
    return _ONE.fullmatch(re.sub(r", ?(?:and )?", " and ", text)) is not None or several(text) != ()


def several(text: str) -> tuple[tuple[int, int], ...]:
    """Return where the orders of a line begin and end that holds more than one, parted by commas or semicolons; nothing otherwise.

    A name belongs to the order that follows it. Where it may as well be one more whom the order before it is against, nothing is parted.
    """
    if len(text) > 300 or not ("," in text or ";" in text) or "#" in text:
        return ()
    places: list[tuple[int, int]] = []
    begin, at, before = -1, 0, ";"
    for piece in [*re.split(r"([,;])", text.rstrip(" .;,")), ""]:
        bare = piece.strip()
        start = at + len(piece) - len(piece.lstrip())
        at += len(piece)
        if bare in (",", ";", ""):
            if bare == ";" and begin >= 0:
                return ()
            before = bare or before
        elif _ONE.fullmatch(bare):
            places.append((begin if begin >= 0 else start + 4 * bare.lower().startswith("and "), start + len(bare)))
            begin = -1
        elif _BARE_NAME.fullmatch(bare) and (not places or begin >= 0 or before == ";" or text[places[-1][1] - 1].isdigit()):
            begin = start if begin < 0 else begin
        else:
            return ()
    return tuple(places) if len(places) > 1 and begin < 0 else ()


def spoken(text: str) -> bool:
    """Tell whether a line without a dash that stands right among orders is one in somebody's own words: a deed of somebody, or a hex."""
    words = text.partition(" #")[0].strip(" .;!").split()
    if not 2 <= len(words) <= 24 or len(text) > 300 or text.rstrip().endswith("?") or words[0].strip(",:'").lower() in _PEOPLE:
        return False
    return words[0][0].isalpha() and _DOES.search(text) is not None


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
