"""What a player asks for in plain sentences: to be away, to have more time, a draw, to resign.

Decides only what is certain: a whole sentence that says it and nothing beside it that takes it back. What is
not certain is nothing here, and goes to the umpire as words. What is done about it is decided in ``referee``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Final

from msgspec import Struct

from pbem.core.regex import regex

__all__ = [
    "DRAW",
    "LEAVE",
    "LONGEST_LEAVE",
    "RESIGN",
    "TIME",
    "Request",
    "said_agreed",
    "said_amount",
    "said_no",
    "said_yes",
    "understood",
]

LEAVE, TIME, DRAW, RESIGN = "leave", "time", "draw", "resign"
LONGEST_LEAVE: Final = 92
"""Days; who says that he is away for longer has perhaps mistyped a month."""
_MOST: Final = 1_500
"""Characters of a letter in which somebody gives a game up or offers a draw: more is a story."""
_MOST_TIME: Final = 60
_DAY: Final = 1440
_UNITS: Final = {"hour": 60, "day": _DAY, "week": 7 * _DAY}
_NUMBERS: Final = {
    word: number
    for number, words in enumerate(
        ("", "one a an", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven")
    )
    for word in words.split()
} | {"twelve": 12, "fourteen": 14, "a couple of": 2}
_WEEKDAYS: Final = {
    name: number
    for number, names in enumerate(
        (
            "monday mon",
            "tuesday tue tues",
            "wednesday wed",
            "thursday thu thur thurs",
            "friday fri",
            "saturday sat",
            "sunday sun",
        ),
        1,
    )
    for name in names.split()
}
_MONTHS: Final = {
    name: number
    for number, names in enumerate(
        (
            "january jan",
            "february feb",
            "march mar",
            "april apr",
            "may",
            "june jun",
            "july jul",
            "august aug",
            "september sep sept",
            "october oct",
            "november nov",
            "december dec",
        ),
        1,
    )
    for name in names.split()
}


class Request(Struct, frozen=True):
    """What is asked for: ``kind``; of leave the first and the last day, of more time how many minutes (0: he
    does not say).
    """

    kind: str
    first: date | None = None
    last: date | None = None
    minutes: int = 0


# --- the forms of a sentence

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
_HOW_MANY: Final = rf"(\d{{1,2}}|{'|'.join(sorted(_NUMBERS, key=len, reverse=True))})"
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
    rf"for (?P<many>\d{{1,2}}|{'|'.join(_NUMBERS)}) (?P<unit>day|week)s? "
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
_MARKS: Final = regex(r"[\"“”„«»]|(?<!\w)['‘][^']{2,}['’](?!\w)")
_END: Final = regex(r"(?<=[.!?;])\s+|\n+")
_CLAUSE: Final = regex(
    r",\s+(?:so |and |but )?(?=(?:could|can|may|would|i|i'd|i'm|we|please) )|\s+and (?=(?:could|can|may) )"
)


def _forms(inner: tuple[str, ...], before: str = "", after: str = "") -> tuple[re.Pattern[str], ...]:
    return tuple(regex(rf"{_BEFORE}{before}(?:{one}){after}{_AFTER}[.!?]*") for one in inner)


_RESIGN_FORMS: Final = _forms(_GIVES_UP)
_DRAW_FORMS: Final = _forms(_DRAWS)
_TIME_FORMS: Final = _forms(_AMOUNT, rf"(?:{_WANTS} )?", _FOR)
_TIME_OPEN: Final = _forms(_NO_AMOUNT, rf"{_WANTS} ", _FOR)
_LEAVE_FORMS: Final = tuple(regex(rf"{_BEFORE}{_AWAY} {one}?{_AFTER}[.!]*") for one in _RANGE)


def understood(words: str, today: date) -> tuple[Request, ...]:
    """Return what somebody's own words ask for with certainty, each kind once; nothing where two things that
    they say do not go together.

    ``today`` is the day on which he wrote, where he is: days without a year or a month come after it.
    """
    plain = words.replace("’", "'").replace("‘", "'").lower()
    if _MARKS.search(plain) or any(line.lstrip().startswith((">", "|")) for line in plain.splitlines()):
        return ()
    plain = _POLITE_IF.sub("please", plain)
    found: dict[str, set[Request]] = {}
    for sentence in _END.split(plain):
        for one in _of_clauses(" ".join(sentence.split()), today):
            found.setdefault(one.kind, set()).add(one)
    if any(len(ones) > 1 for ones in found.values()) or {RESIGN, DRAW} <= set(found):
        return ()
    kinds = {kind: ones.pop() for kind, ones in found.items()}
    final = {RESIGN, DRAW} & set(kinds)
    if final and (len(kinds) > 1 or len(plain) > _MOST or _TAKEN_BACK.search(plain)):
        return ()
    if _DOUBTED.search(plain):
        return ()
    return tuple(kinds[kind] for kind in (LEAVE, TIME, DRAW, RESIGN) if kind in kinds)


def _of_clauses(sentence: str, today: date) -> list[Request]:
    """Return what a sentence asks for as a whole, or in several clauses of which each is understood."""
    whole = list(_of_sentence(sentence, today))
    if whole:
        return whole
    parts = [list(_of_sentence(clause, today)) for clause in _CLAUSE.split(sentence)]
    return [one for part in parts for one in part] if all(parts) else []


def _of_sentence(sentence: str, today: date) -> Iterator[Request]:
    if len(sentence) > 200:
        return
    asks = sentence.endswith("?")
    if not asks and any(form.fullmatch(sentence) for form in _RESIGN_FORMS):
        yield Request(RESIGN)
    if any(form.fullmatch(sentence) for form in _DRAW_FORMS):
        yield Request(DRAW)
    amounts = [match for form in _TIME_FORMS if (match := form.fullmatch(sentence))]
    if amounts:
        minutes = _minutes(amounts[0])
        if 0 < minutes <= _MOST_TIME * _DAY:
            yield Request(TIME, minutes=minutes)
    elif any(form.fullmatch(sentence) for form in _TIME_OPEN):
        yield Request(TIME)
    if not asks and (leave := _leave(sentence, today)) is not None:
        yield leave


def _minutes(match: re.Match[str]) -> int:
    said = [one for one in match.groups() if one]
    unit = said[-1]
    return _number(said[0] if len(said) > 1 else "one") * _UNITS[unit]


def _number(text: str) -> int:
    return int(text) if text.isdigit() else _NUMBERS.get(text, 0)


# --- days


def _leave(sentence: str, today: date) -> Request | None:
    """Return the leave that a sentence announces, if there is one and only one way to read its days."""
    found: set[tuple[date, date]] = set()
    for form in _LEAVE_FORMS:
        match = form.fullmatch(sentence)
        span = _span(match.groupdict(), today) if match is not None else None
        if span is not None and today < span[1] and span[0] <= span[1]:
            found.add(span)
    if len(found) != 1:
        return None
    first, last = found.pop()
    return Request(LEAVE, first, last) if (last - first).days < LONGEST_LEAVE else None


def _span(said: dict[str, str], today: date) -> tuple[date, date] | None:
    if "rest" in said:
        last = _day(said["rest"], today)
        if last is None or not 1 <= int(said["day"]) < last.day:
            return None
        return last.replace(day=int(said["day"])), last
    if "only_last" in said:
        last = _day(said["only_last"], today)
        return (today + timedelta(1), last) if last is not None else None
    if "one" in said:
        day = _day(said["one"], today)
        return (day, day) if day is not None else None
    if "many" in said:
        first = _day(said["start"], today)
        many = _number(said["many"]) * (7 if said["unit"] == "week" else 1)
        return (first, first + timedelta(many - 1)) if first is not None and many else None
    first = _day(said["first"], today)
    last = _day(said["last"], first) if first is not None else None
    return (first, last) if first is not None and last is not None else None


_ISO: Final = regex(r"(\d{4})-(\d{2})-(\d{2})")
_OF_MONTH: Final = regex(
    rf"(?:the )?(\d{{1,2}})(?:st|nd|rd|th)?(?: of)? ({'|'.join(_MONTHS)})\.?(?:,? (\d{{4}}))?"
)
_MONTH_FIRST: Final = regex(
    rf"({'|'.join(_MONTHS)})\.? (?:the )?(\d{{1,2}})(?:st|nd|rd|th)?(?:,? (\d{{4}}))?"
)
_NAMED: Final = regex(rf"(?:({'|'.join(_WEEKDAYS)}),? )(.+)")


def _day(text: str, after: date) -> date | None:
    """Return the day that a text names, the first such day on or after another one; None where it names none,
    or two.

    A day of the week that is the other day itself may be a week later, so it is none.
    """
    text = " ".join(text.split()).strip(" ,.")
    if text == "tomorrow":
        return after + timedelta(1)
    if text == "today":
        return after
    if text in _WEEKDAYS:
        ahead = (_WEEKDAYS[text] - after.isoweekday()) % 7
        return after + timedelta(ahead) if ahead else None
    if named := _NAMED.fullmatch(text):
        found = _day(named[2], after)
        return found if found is not None and found.isoweekday() == _WEEKDAYS[named[1]] else None
    try:
        if iso := _ISO.fullmatch(text):
            return date(int(iso[1]), int(iso[2]), int(iso[3]))
        if match := _OF_MONTH.fullmatch(text):
            day, month, year = int(match[1]), _MONTHS[match[2]], match[3]
        elif match := _MONTH_FIRST.fullmatch(text):
            day, month, year = int(match[2]), _MONTHS[match[1]], match[3]
        else:
            return None
        if year:
            return date(int(year), month, day)
        this = date(after.year, month, day)
        return this if this >= after else date(after.year + 1, month, day)
    except ValueError:
        return None


# --- one word


_YES: Final = regex(
    r"(?:yes|y|granted|agreed|confirmed|i confirm|i do)\b[.!, ]*(?:please|thanks|thank you)?[.!]*"
)
_WHAT: Final = r"(?:it|this|that|(?:the|this|that|your) (?:undo|ruling|correction|proposal|change))"
_NO: Final = regex(
    r"(?:no|n|refused|declined|denied|i decline|i disagree|i object"
    rf"|{_I} (?:do not|don't|cannot|can't) (?:agree|consent)(?: (?:to|with) {_WHAT})?)\b"
    r"[.!, ]*(?:thanks|thank you|sorry)?[.!]*"
)


def said_yes(words: str) -> bool:
    """Tell whether the first line of an answer is a yes and nothing else."""
    return _YES.fullmatch(_first_line(words)) is not None


_AGREED: Final = regex(rf"{_BEFORE}(?:{_I} (?:agree|consent)|agreed)(?: (?:to|with) {_WHAT})?{_AFTER}[.!]*")


def said_agreed(words: str) -> bool:
    """Tell whether the first line of an answer says that its writer agrees to something, and nothing else."""
    return _AGREED.fullmatch(_first_line(words)) is not None


def said_no(words: str) -> bool:
    """Tell whether the first line of an answer is a no and nothing else."""
    return _NO.fullmatch(_first_line(words)) is not None


_ONLY_AMOUNT: Final = regex(rf"(?:yes,? |ok,? |granted:? )?{_HOW_MANY} {_UNIT}[.!]*")


def said_amount(words: str) -> int:
    """Return the minutes that the first line of an answer names and nothing else; 0 where it does not."""
    match = _ONLY_AMOUNT.fullmatch(_first_line(words))
    return _minutes(match) if match is not None else 0


def _first_line(words: str) -> str:
    found = next((" ".join(line.split()).lower() for line in words.splitlines() if line.strip()), "")
    return found.replace("’", "'")
