"""What a player asks for in plain sentences, English or German: to be away, to have more time, a draw, to
resign.

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
from pbem.post.orders.asking_forms import DAY, ENGLISH, Tongue
from pbem.post.orders.asking_german import GERMAN, GOES_ON

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
_LONGEST: Final = 20_000
"""Characters of a letter in which anything is looked for."""
_MOST_TIME: Final = 60
"""Days."""
_TONGUES: Final = (ENGLISH, GERMAN)
"""Nobody is asked which of them he writes: a sentence is of one of them, or of none."""


class Request(Struct, frozen=True):
    """What is asked for: ``kind``; of leave the first and the last day, of more time how many minutes (0: he
    does not say).
    """

    kind: str
    first: date | None = None
    last: date | None = None
    minutes: int = 0


_MARKS: Final = regex(r"[\"“”„«»]|(?<!\w)['‘][^']{2,}['’](?!\w)")
_END: Final = regex(
    r"(?<=[!?;])\s+|(?<=\.)(?<!\b\d\.)(?<!\b\d\d\.)\s+"
    rf"|(?<=\d\.)\s+(?!\s|[-–]|{GOES_ON}\b)|\n+"
)
"""Where a sentence ends; not in "vom 3. bis 10. Dezember"."""
_ISO: Final = regex(r"(\d{4})-(\d{2})-(\d{2})")


def understood(words: str, today: date) -> tuple[Request, ...]:
    """Return what somebody's own words ask for with certainty, each kind once; nothing where two things that
    they say do not go together.

    ``today`` is the day on which he wrote, where he is: days without a year or a month come after it.
    """
    plain = words.replace("’", "'").replace("‘", "'").lower()
    if (
        len(plain) > _LONGEST
        or _MARKS.search(plain)
        or any(line.lstrip().startswith((">", "|")) for line in plain.splitlines())
    ):
        return ()
    for tongue in _TONGUES:
        plain = tongue.polite_if.sub(tongue.please, plain)
    found: dict[str, set[Request]] = {}
    for sentence in _END.split(plain):
        for tongue in _TONGUES:
            for one in _of_clauses(" ".join(sentence.split()), today, tongue):
                found.setdefault(one.kind, set()).add(one)
    if any(len(ones) > 1 for ones in found.values()) or {RESIGN, DRAW} <= set(found):
        return ()
    kinds = {kind: ones.pop() for kind, ones in found.items()}
    final = {RESIGN, DRAW} & set(kinds)
    if final and (len(kinds) > 1 or len(plain) > _MOST):
        return ()
    if any((tongue.taken_back if final else tongue.doubted).search(plain) for tongue in _TONGUES):
        return ()
    return tuple(kinds[kind] for kind in (LEAVE, TIME, DRAW, RESIGN) if kind in kinds)


def _of_clauses(sentence: str, today: date, tongue: Tongue) -> list[Request]:
    """Return what a sentence asks for as a whole, or in several clauses of which each is understood."""
    whole = list(_of_sentence(sentence, today, tongue))
    if whole:
        return whole
    parts = [list(_of_sentence(clause, today, tongue)) for clause in tongue.clause.split(sentence)]
    return [one for part in parts for one in part] if all(parts) else []


def _of_sentence(sentence: str, today: date, tongue: Tongue) -> Iterator[Request]:
    if len(sentence) > 200:
        return
    asks = sentence.endswith("?")
    if not asks and any(form.fullmatch(sentence) for form in tongue.resigns):
        yield Request(RESIGN)
    if any(form.fullmatch(sentence) for form in tongue.draws):
        yield Request(DRAW)
    amounts = [match for form in tongue.amounts if (match := form.fullmatch(sentence))]
    if amounts:
        minutes = _minutes(amounts[0], tongue)
        if 0 < minutes <= _MOST_TIME * DAY:
            yield Request(TIME, minutes=minutes)
    elif any(form.fullmatch(sentence) for form in tongue.more_time):
        yield Request(TIME)
    if not asks and (leave := _leave(sentence, today, tongue)) is not None:
        yield leave


def _minutes(match: re.Match[str], tongue: Tongue) -> int:
    *many, unit = (one for one in match.groups() if one)
    return (_number(many[0], tongue) if many else 1) * tongue.units[unit]


def _number(text: str, tongue: Tongue) -> int:
    return int(text) if text.isdigit() else tongue.numbers.get(text, 0)


# --- days


def _leave(sentence: str, today: date, tongue: Tongue) -> Request | None:
    """Return the leave that a sentence announces, if there is one and only one way to read its days."""
    found: set[tuple[date, date]] = set()
    for form in tongue.leave:
        match = form.fullmatch(sentence)
        span = _span(match.groupdict(), today, tongue) if match is not None else None
        if span is not None and today < span[1] and span[0] <= span[1]:
            found.add(span)
    if len(found) != 1:
        return None
    first, last = found.pop()
    return Request(LEAVE, first, last) if (last - first).days < LONGEST_LEAVE else None


def _span(said: dict[str, str], today: date, tongue: Tongue) -> tuple[date, date] | None:
    if "rest" in said:
        last = _day(said["rest"], today, tongue)
        if last is None or not 1 <= int(said["day"]) < last.day:
            return None
        return last.replace(day=int(said["day"])), last
    if "only_last" in said:
        last = _day(said["only_last"], today, tongue)
        return (today + timedelta(1), last) if last is not None else None
    if "one" in said:
        day = _day(said["one"], today, tongue)
        return (day, day) if day is not None else None
    if "many" in said:
        first = _day(said["start"], today, tongue)
        many = _number(said["many"], tongue) * tongue.units[said["unit"]] // DAY
        return (first, first + timedelta(many - 1)) if first is not None and many else None
    first = _day(said["first"], today, tongue)
    last = _day(said["last"], first, tongue) if first is not None else None
    return (first, last) if first is not None and last is not None else None


def _day(text: str, after: date, tongue: Tongue) -> date | None:
    """Return the day that a text names, the first such day on or after another one; None where it names none,
    or two.

    A day of the week that is the other day itself may be a week later, so it is none.
    """
    text = " ".join(text.split()).strip(" ,.")
    if text in tongue.near:
        return after + timedelta(tongue.near[text])
    if text in tongue.weekdays:
        ahead = (tongue.weekdays[text] - after.isoweekday()) % 7
        return after + timedelta(ahead) if ahead else None
    if named := tongue.named.fullmatch(text):
        found = _day(named[2], after, tongue)
        return found if found is not None and found.isoweekday() == tongue.weekdays[named[1]] else None
    try:
        if iso := _ISO.fullmatch(text):
            return date(int(iso[1]), int(iso[2]), int(iso[3]))
        match = next((match for form in tongue.dates if (match := form.fullmatch(text))), None)
        if match is None:
            return None
        day, month = int(match["day"]), match["month"]
        in_year = int(month) if month.isdigit() else tongue.months[month]
        if match["year"]:
            return date(int(match["year"]), in_year, day)
        this = date(after.year, in_year, day)
        return this if this >= after else date(after.year + 1, in_year, day)
    except ValueError:
        return None


# --- one word


def said_yes(words: str) -> bool:
    """Tell whether the first line of an answer is a yes and nothing else."""
    return any(tongue.yes.fullmatch(_first_line(words)) for tongue in _TONGUES)


def said_agreed(words: str) -> bool:
    """Tell whether the first line of an answer says that its writer agrees to something, and nothing else."""
    return any(tongue.agreed.fullmatch(_first_line(words)) for tongue in _TONGUES)


def said_no(words: str) -> bool:
    """Tell whether the first line of an answer is a no and nothing else."""
    return any(tongue.no.fullmatch(_first_line(words)) for tongue in _TONGUES)


def said_amount(words: str) -> int:
    """Return the minutes that the first line of an answer names and nothing else; 0 where it does not."""
    for tongue in _TONGUES:
        if (match := tongue.only_amount.fullmatch(_first_line(words))) is not None:
            return _minutes(match, tongue)
    return 0


def _first_line(words: str) -> str:
    found = next((" ".join(line.split()).lower() for line in words.splitlines() if line.strip()), "")
    return found.replace("’", "'")
