"""Times in the words of a page: where one stands, and which it is, where the words can mean one only.

A day and a month that are both numbers up to twelve are left as they are written: nobody knows which is
which. The zone is what the page says of all its times, outside of every post, or none.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING, Final

from pbem.core.regex import regex

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

__all__ = ["as_time", "within", "zone_of"]

_MONTHS: Final = {
    name: number
    for number, names in enumerate(
        (
            "jan january januar janv janvier ene enero gen gennaio januari styczeń sty января янв",
            "feb february februar févr fév février febrero febbraio februari luty lut февраля фев",
            "mar march mär märz mars marzo mrt maart marzec марта мар",
            "apr april avr avril abr abril aprile kwiecień kwi апреля апр",
            "may mai mayo mag maggio mei maj maja мая",
            "jun june juni juin junio giu giugno czerwiec cze июня июн",
            "jul july juli juil juillet julio lug luglio lipiec lip июля июл",
            "aug august août aoû agosto ago augustus sierpień sie августа авг",
            "sep sept september septembre septiembre set settembre wrzesień wrz сентября сен",
            "oct october okt oktober octobre octubre ott ottobre październik paź октября окт",
            "nov november novembre noviembre listopad lis ноября ноя",
            "dec december dez dezember déc décembre dic diciembre dicembre grudzień gru декабря дек",
        ),
        1,
    )
    for name in names.split()
}
_CLOCK: Final = (
    r"(?P<hour>\d{1,2})[:.h](?P<minute>\d{2})(?:[:.](?P<second>\d{2}))?(?:\s?(?P<half>[ap])\.?m\b\.?)?"
)
_GAP: Final = r"[\s,]{1,4}(?:(?:at|um|à|às|a las|alle|om|-|–|—|·|@)[\s,]{1,3})?"
_NAMED: Final = r"[^\W\d_]{3,10}"
_DAYS: Final = (
    rf"(?P<month>{_NAMED})\.?\s(?P<day>\d{{1,2}})(?:st|nd|rd|th)?,?\s(?P<year>\d{{4}})",
    rf"(?P<day>\d{{1,2}})(?:st|nd|rd|th|\.)?(?:\sde)?\s(?P<month>{_NAMED})\.?,?(?:\sde)?\s(?P<year>\d{{4}})",
    r"(?P<year>\d{4})-(?P<month>\d{2})-(?P<day>\d{2})",
    r"(?P<day>\d{1,2})\.(?P<month>\d{1,2})\.(?P<year>\d{4})",
    r"(?P<one>\d{1,2})(?P<sign>[-/])(?P<two>\d{1,2})(?P=sign)(?P<year>\d{4})",
)
_TIMES: Final = tuple(regex(rf"(?<![\d:]){day}(?:{_GAP}|T){_CLOCK}(?!\d)", re.IGNORECASE) for day in _DAYS)
_BEHIND: Final = regex(r"\s*(?:Z|[+-]\d\d:?\d\d)")
_ZONE: Final = regex(
    r"(?:times (?:are|shown are)|Zeiten sind|Zeitzone|heures sont|fuseau horaire|horas son|horario es|orari "
    r"sono|tijden zijn|время)\b"
    r"[^.+\d-]{0,40}?"
    r"\b(?:UTC|GMT)\s?(?P<shift>(?P<sign>[+−-])\s?(?P<hours>\d{1,2})(?::?(?P<minutes>[0-5]\d))?)?"
    r"(?:\s(?:hours?|Stunden?|heures?|horas?|uur|ore))?\s?(?P<summer>\[\s?(?:DST|Sommerzeit|Heure d.été"
    r"|Summer)\b)?",
    re.IGNORECASE,
)
_SAID: Final = 160
_TRIED: Final = 200
"""Places that name a zone; a list of all of them to choose from has fewer."""


def within(text: str) -> str:
    """Return the part of a text that is a time with its day, or nothing."""
    found = _match(text[:400])
    return found.group() if found is not None else ""


def _match(text: str) -> re.Match[str] | None:
    return next((found for form in _TIMES if (found := form.search(text)) is not None), None)


def as_time(text: str, zone: timezone | None) -> str:
    """Return a time in words as ISO 8601, with its zone where that is known; nothing where it is none, or may
    be two.
    """
    found = _match(text[:400])
    if found is None or _BEHIND.match(text, found.end()):
        return ""
    said = found.groupdict()
    if said.get("one"):
        one, two = int(said["one"]), int(said["two"])
        if one <= 12 and two <= 12 and one != two:
            return ""
        month, day = (two, one) if one > 12 else (one, two)
    else:
        name = said["month"].lower()
        month = int(name) if name.isdigit() else _MONTHS.get(name, 0)
        day = int(said["day"])
    hour = int(said["hour"])
    if said["half"]:
        hour = hour % 12 + (12 if said["half"].lower() == "p" else 0)
    try:
        return datetime(
            int(said["year"]), month, day, hour, int(said["minute"]), int(said["second"] or 0), tzinfo=zone
        ).isoformat()
    except ValueError:
        return ""


def zone_of(tree: LexborHTMLParser, posts: Collection[LexborNode]) -> timezone | None:
    """Return the zone that a page says all its times have; None where it says none, or two.

    ``posts`` are the elements around what anybody can write.
    """
    if (root := tree.body) is None:
        return None
    inside = {post.mem_id for post in posts}
    said: set[int] = set()
    looked = 0
    for node in root.traverse(include_text=True):
        if (
            not node.is_text_node
            or not any(name in (node.text() or "") for name in ("UTC", "GMT"))
            or _is_within(node, inside)
        ):
            continue
        looked += 1
        if looked > _TRIED:
            return None
        near = node.parent
        for _ in range(2):  # what stands before the zone may stand in an element around it
            found = _ZONE.search(_short(near)) if near is not None else None
            if found is not None:
                said.add(_minutes(found))
                break
            near = near.parent if near is not None else None
    return timezone(timedelta(minutes=said.pop())) if len(said) == 1 else None


def _short(node: LexborNode) -> str:
    """Return the words of an element on one line where they are few; else nothing, without looking at all of
    them.
    """
    said = ""
    for at, inner in enumerate(node.traverse(include_text=True)):
        said += (inner.text() or "") if inner.is_text_node else ""
        if at > _SAID or len(said) > 4 * _SAID:
            return ""
    text = " ".join(said.split())
    return text if len(text) <= _SAID else ""


def _is_within(node: LexborNode, inside: Collection[int]) -> bool:
    near: LexborNode | None = node
    for _ in range(60):
        if near is None:
            return False
        if near.mem_id in inside:
            return True
        near = near.parent
    return True


def _minutes(found: re.Match[str]) -> int:
    minutes = 60 if found["summer"] else 0
    if found["shift"]:
        shift = min(int(found["hours"]), 14) * 60 + int(found["minutes"] or 0)
        minutes += shift if found["sign"] == "+" else -shift
    return minutes
