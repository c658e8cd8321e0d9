"""What a line that is no order may have been meant for: a word misspelt, or the forms of its verb."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Final

from pbem.core.regex import regex
from pbem.rulesets.castle.facing import COMPASS
from pbem.text.similar import did_you_mean

VERBS: Final = (
    "moves", "turns", "enters", "leaves", "attacks", "captures", "shoots", "opens", "closes", "rests",
    "heals", "freezes", "confuses", "levitates", "toward", "behind", "until", "contact", "facing",
    "brings", "sends", "sets", "takes",
)  # fmt: skip
OTHERS: Final = {
    "walk": "moves", "go": "moves", "goe": "moves", "run": "moves", "march": "moves", "marche": "moves",
    "charge": "moves", "advance": "moves", "face": "turns", "look": "turns", "fire": "shoots",
    "hit": "attacks", "kill": "attacks", "wait": "rests", "stay": "rests", "passe": "rests",
    "nothing": "rests", "stand": "rests", "hold": "rests", "halt": "rests", "remain": "rests",
    "climb": "enters", "raise": "sets",
}  # fmt: skip
"""Words that people write for a verb, without their last s."""
_MOVE: Final = (
    "odo moves 6 n; odo moves by 24 20; odo moves by 24 20, 26 22 facing ne; odo moves toward hal until"
    " contact; odo moves behind hal; odo, hal, wat move 6 s"
)
FORMS: Final = {
    "move": _MOVE,
    "form": "odo, hal, wat form up behind odo and move 6 s",
    "turn": "odo turns to 90; odo turns to ne; odo turns to hal",
    "enter": "odo moves toward wall2 and enters wall2; odo enters wall2 at 12 8.7",
    "leave": "odo leaves kestrel by front",
    "attack": "odo attacks hal; odo, wat, till attack hal",
    "capture": "odo captures hal",
    "shoot": "odo shoots hal; odo shoots hal for 2, wat for 1; odo shoots hal at long range",
    "open": "kestrel-front opens; kestrel opens",
    "close": "kestrel-front closes; kestrel closes",
    "rest": "odo rests",
    "set": "odo, hal, wat set up ladder2 at wall1",
    "take": "odo, hal, wat take down ladder1",
    "heal": "mira heals odo",
    "freeze": "mira freezes grul",
    "confuse": "mira confuses grul to move 6 n",
    "levitate": "mira levitates odo to move by 34.5 12",
    "bring": "mira brings back odo",
    "send": "mira sends out a shockwave",
}
"""What may be said with a verb."""


_ONE_LINE: Final = (
    "one order a line, and one action for each in a turn: who moves now strikes or shoots in another one"
)
_DIRECTIONS: Final = (
    "a direction is n, ne, e, se, s, sw, w or nw; elsewhere he goes by places: odo moves by 24 20"
)
_ACTS: Final = regex(
    r"(?:,? and|,? then|,? and then|;) (?:attack|strike|fight|shoot|fire|turn|capture|move)s?\b"
)
_WAY: Final = regex(r" moves? [0-9.]+ [a-z-]+$")


def advice(line: str, called: Mapping[str, str]) -> str:
    """Return what is said of a line that is no order; ``called`` is name by id. Nothing where there is
    nothing to say.
    """
    words = line.split()
    if len(words) == 1 and (words[0] in ("pass", "nothing", "none", "nobody")):
        return "'nobody: yes' in the place of all lines, if you order nobody"
    if found := names(line, called):
        return found
    if _ACTS.search(line):
        return _ONE_LINE
    away = _WAY.search(line) is not None and words[-1] not in COMPASS
    said = _DIRECTIONS if away else first_the_name(words, called) or meant(words)
    # who is meant: the first name, or what follows a verb that stands before it
    one = next((word for word in words[:1] if word in called or "with" in words), "".join(words[1:2]))
    return _SOMEBODY.sub(one, said) if one in called else said


def first_the_name(words: Sequence[str], called: Mapping[str, str]) -> str:
    """Return what is said to somebody who puts the verb before who is to do it: ``move odo 6 s``."""
    verb = words[0].removesuffix("s") if words else ""
    if verb not in FORMS or words[0] in called:
        return ""
    return f"the name first, such as: {FORMS[verb]}"


_SOMEBODY: Final = regex(r"\bodo\b")


def meant(words: Sequence[str]) -> str:
    """Return what is said to somebody whose line is no order, word by word: what a word of it may have been
    meant for, or how its verb is used; nothing where no word is like one of an order.
    """
    known = {form for verb in VERBS for form in (verb, verb.removesuffix("s"))}
    for word in words[1:]:
        if (found := OTHERS.get(word.removesuffix("s"))) is not None:
            return f"'{found}', such as: {FORMS[found.removesuffix('s')]}"
        if len(word) > 4 and word not in known and (found := did_you_mean(word, VERBS)):
            return found
    for word in words[1:]:
        if (forms := FORMS.get(word.removesuffix("s"))) is not None:
            return f"such as: {forms}"
    return ""


def names(line: str, called: Mapping[str, str]) -> str:
    """Return what is said to somebody who writes the whole name of one, or no commas between several;
    ``called`` is name by id. Nothing where a line does neither.
    """
    for id_, name in called.items():
        if " " in name and f" {name.lower()} " in f" {line} ":
            return f"{name} is {id_} in orders"
    first = list(takewhile(called.__contains__, (word for word in line.split() if word not in ("&", "+"))))
    return f"{', '.join(first)}, with commas" if len(first) > 1 else ""
