"""The forms of sentences in which a player asks for something, and of one-word answers, in English.

Text is lower-cased, with straight apostrophes and single spaces. ``asking`` reads by them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from pbem.core.regex import regex

__all__ = ["DAY", "ENGLISH", "Tongue", "any_of", "numbered", "whole"]

DAY: Final = 1440
"""Minutes."""


class Tongue(Struct, frozen=True):
    """One language of players: patterns of whole sentences, and the words for numbers and days in them.

    Amounts have their number and their unit as groups, in this order and nothing else (a missing number is
    one). Leave has ``first`` and ``last``; or ``day`` and ``rest`` (3 to 10 December); or ``many``, ``unit``
    and ``start``; or ``only_last``; or ``one``. A date has its day, its month and its year as ``day``,
    ``month``, ``year``.
    """

    resigns: tuple[re.Pattern[str], ...]
    draws: tuple[re.Pattern[str], ...]
    amounts: tuple[re.Pattern[str], ...]
    more_time: tuple[re.Pattern[str], ...]
    """More time, without how much."""
    leave: tuple[re.Pattern[str], ...]
    clause: re.Pattern[str]
    """Where a sentence may be parted in two that each say something."""
    taken_back: re.Pattern[str]
    """Words beside which nobody resigns or offers a draw with certainty."""
    doubted: re.Pattern[str]
    """Words beside which nothing is certain."""
    polite_if: re.Pattern[str]
    """Conditions that are none."""
    please: str
    yes: re.Pattern[str]
    no: re.Pattern[str]
    agreed: re.Pattern[str]
    only_amount: re.Pattern[str]
    numbers: Mapping[str, int]
    units: Mapping[str, int]
    """In minutes."""
    weekdays: Mapping[str, int]
    months: Mapping[str, int]
    near: Mapping[str, int]
    """Days that are named by how far off they are."""
    dates: tuple[re.Pattern[str], ...]
    named: re.Pattern[str]
    """A day of the week, and the date behind it."""


def numbered(text: str) -> dict[str, int]:
    """Return words → numbers, of text in which each number from 1 has its words, with commas between."""
    return {word: at for at, words in enumerate(text.split(","), 1) for word in words.split()}


def any_of(words: Mapping[str, int]) -> str:
    """Return a pattern for any of some words, the longest first."""
    return "|".join(sorted(words, key=lambda word: (-len(word), word)))


def whole(
    inner: tuple[str, ...], before: str, after: str, end: str = "[.!?]*"
) -> tuple[re.Pattern[str], ...]:
    """Return patterns for whole sentences."""
    return tuple(regex(rf"{before}(?:{one}){after}{end}") for one in inner)


_NUMBERS: Final = numbered("one a an,two,three,four,five,six,seven,eight,nine,ten,eleven,twelve") | {
    "fourteen": 14,
    "a couple of": 2,
}
_WEEKDAYS: Final = numbered(
    "monday mon,tuesday tue tues,wednesday wed,thursday thu thur thurs,friday fri,saturday sat,sunday sun"
)
_MONTHS: Final = numbered(
    "january jan,february feb,march mar,april apr,may,june jun,july jul,august aug,september sep sept"
    ",october oct,november nov,december dec"
)
_I: Final = r"(?:i|we)"
_BEFORE: Final = (
    r"(?:(?:hi|hello|hey|dear|good (?:morning|evening))\b[^,]{0,30},? )?"
    r"(?:(?:sorry|please|unfortunately|ok|okay|all right|so|and|or|then|well|thanks|umpire|all),? )*"
)
_AFTER: Final = r"(?:,? (?:please|thanks|thank you|many thanks|sorry|then|now|everybody|all))*"
_GAME: Final = r"(?: (?:the|this|our) (?:game|match|battle))?"
_GIVES_UP: Final = (
    rf"{_I} (?:hereby |must |have to |want to |wish to |would like to )?"
    rf"(?:resign|concede|surrender|give up|capitulate){_GAME}",
    rf"(?:i'd|i am|i'm|we are|we're) (?:like to resign|resigning|conceding|giving up){_GAME}",
    r"(?:please accept|this is|consider this|here is) my resignation",
)
_DRAWS: Final = (
    rf"{_I} (?:hereby |would like to |want to |wish to )?(?:offer|propose|suggest)(?: \w+)? a draw",
    r"i'd like to (?:offer|propose|suggest)(?: you| him| her| them)? a draw",
    r"(?:shall|should|can|could) we (?:agree (?:on|to)|call it|make it|settle for|have) a draw",
    r"would (?:you|he|she|they|\w+) (?:accept|agree to|take|like) a draw",
    r"(?:how about )?a draw\?|draw\?",
    r"let(?:'s| us) (?:call it|make it|agree on|agree to) a draw",
    rf"{_I} (?:accept|agree to|agree with|take) (?:the|your|his|her|their|a|\w+'s) "
    r"(?:offer of a )?draw(?: offer)?",
    r"draw (?:accepted|agreed)",
)
_HOW_MANY: Final = rf"(\d{{1,2}}|{any_of(_NUMBERS)})"
_UNIT: Final = r"(hour|day|week)s?"
_AMOUNT: Final = (
    rf"{_HOW_MANY} (?:more|extra|additional) {_UNIT}",
    rf"{_HOW_MANY} {_UNIT} (?:more|extra)",
    rf"another (?:{_HOW_MANY} )?{_UNIT}",
    rf"an? (?:extension|postponement) (?:of|by) {_HOW_MANY} {_UNIT}",
    rf"(?:the )?deadline (?:be )?(?:extended|put off|moved|postponed)(?: back)? by {_HOW_MANY} {_UNIT}",
    rf"(?:extend|put off|move|postpone) (?:the |this |my )?deadline(?: back)? by {_HOW_MANY} {_UNIT}",
)
_NO_AMOUNT: Final = (
    r"(?:some |a (?:bit|little) |a few )?more (?:time|days)|an extension|(?:a bit|a little) longer",
)
_WANTS: Final = (
    rf"(?:(?:could|can|may|might) (?:{_I}|you|the)(?: please| possibly)?"
    r"(?: have| get| be given| give (?:me|us))?"
    rf"|{_I} (?:need|want|ask for|request)|(?:{_I} would|i'd) (?:like|need)(?: to have)?"
    r"|(?:please )?give (?:me|us)|(?:is|would) it (?:be )?possible to (?:have|get)"
    r"|would you(?: please)?(?: give (?:me|us))?)"
)
_FOR: Final = r"(?: (?:for|on) (?:my|this|the|our)(?: next)? (?:turn|move|orders|deadline))?"
_PLACE: Final = (
    r"(?:away|on (?:holiday|vacation|leave|a trip)|travell?ing|out of town|offline|abroad|at sea|in hospital"
    r"|not (?:here|there|available)|unavailable)"
)
_AWAY: Final = (
    rf"(?:i am|i'm|i will be|i'll be|i shall be|we are|we're|we will be|we'll be) (?:going to be )?{_PLACE}"
    r"(?: in [a-z]+| with [a-z ]{2,20})?"
)
_TILL: Final = r"(?:to|till|until|through|-|–)"
_RANGE: Final = (
    rf"(?:from )?(?P<first>.{{3,30}}?) {_TILL} (?P<last>.{{3,30}}?)",
    rf"(?:from )?(?P<day>\d{{1,2}})(?:st|nd|rd|th)? ?{_TILL} ?(?P<rest>\d{{1,2}}.{{3,25}}?)",
    rf"for (?P<many>\d{{1,2}}|{any_of(_NUMBERS)}) (?P<unit>day|week)s? "
    r"(?:from|starting(?: on)?) (?P<start>.{3,30}?)",
    r"(?:until|till) (?P<only_last>.{3,30}?)",
    r"on (?P<one>.{3,30}?)",
)
_TAKEN_BACK: Final = regex(
    r"\b(?:if|unless|kidding|jok\w+|ignore|testing|wait|maybe|perhaps|might|say|said|says|wrote|writes"
    r"|quot\w+|never mind|not yet|do(?:n't| not)|only|but|whether|when|before|would rather|no draw)\b"
)
_DOUBTED: Final = regex(
    r"\b(?:unless|kidding|jok\w+|ignore|testing|maybe|perhaps|might|never mind|said|says|wrote)\b"
)
_POLITE_IF: Final = regex(
    r"\bif (?:(?:that|it) is |it's |that's )?(?:possible|all right|ok|okay|i may|we may)\b"
)
_CLAUSE: Final = regex(
    r",\s+(?:so |and |but )?(?=(?:could|can|may|would|i|i'd|i'm|we|please) )|\s+and (?=(?:could|can|may) )"
)
_DATES: Final = (
    regex(
        rf"(?:the )?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<month>{any_of(_MONTHS)})\.?"
        r"(?:,? (?P<year>\d{4}))?"
    ),
    regex(
        rf"(?P<month>{any_of(_MONTHS)})\.? (?:the )?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?"
        r"(?:,? (?P<year>\d{4}))?"
    ),
)
_YES: Final = regex(
    r"(?:yes|y|granted|agreed|confirmed|i confirm|i do)\b[.!, ]*(?:please|thanks|thank you)?[.!]*"
)
_WHAT: Final = r"(?:it|this|that|(?:the|this|that|your) (?:undo|ruling|correction|proposal|change))"
_NO: Final = regex(
    r"(?:no|n|refused|declined|denied|i decline|i disagree|i object"
    rf"|{_I} (?:do not|don't|cannot|can't) (?:agree|consent)(?: (?:to|with) {_WHAT})?)\b"
    r"[.!, ]*(?:thanks|thank you|sorry)?[.!]*"
)
_AGREED: Final = regex(rf"{_BEFORE}(?:{_I} (?:agree|consent)|agreed)(?: (?:to|with) {_WHAT})?{_AFTER}[.!]*")
_ONLY_AMOUNT: Final = regex(rf"(?:yes,? |ok,? |granted:? )?{_HOW_MANY} {_UNIT}[.!]*")

ENGLISH: Final = Tongue(
    resigns=whole(_GIVES_UP, _BEFORE, _AFTER),
    draws=whole(_DRAWS, _BEFORE, _AFTER),
    amounts=whole(_AMOUNT, rf"{_BEFORE}(?:{_WANTS} )?", _FOR + _AFTER),
    more_time=whole(_NO_AMOUNT, rf"{_BEFORE}{_WANTS} ", _FOR + _AFTER),
    leave=whole(_RANGE, rf"{_BEFORE}{_AWAY} ", _AFTER, "[.!]*"),
    clause=_CLAUSE,
    taken_back=_TAKEN_BACK,
    doubted=_DOUBTED,
    polite_if=_POLITE_IF,
    please="please",
    yes=_YES,
    no=_NO,
    agreed=_AGREED,
    only_amount=_ONLY_AMOUNT,
    numbers=_NUMBERS,
    units={"hour": 60, "day": DAY, "week": 7 * DAY},
    weekdays=_WEEKDAYS,
    months=_MONTHS,
    near={"today": 0, "tomorrow": 1},
    dates=_DATES,
    named=regex(rf"(?:({any_of(_WEEKDAYS)}),? )(.+)"),
)
