"""When something is due, as a letter says it: the day, the time and the zone of the reader, and how long that
is from now.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, tzinfo

from pbem.text.words import Words

__all__ = ["at_time", "moment", "on_day", "span", "zone_of"]


def zone_of(name: str) -> tzinfo:
    """Return the zone of an IANA name; UTC where there is none of that name: a letter is sent anyway."""
    from zoneinfo import ZoneInfo

    try:
        return ZoneInfo(name)
    except (ValueError, OSError, KeyError):
        return UTC


def moment(at: datetime, zone: str, now: datetime, words: Words) -> str:
    """Return a moment as its reader would say it: ``Sunday 22 November 2026, 21:00 (Europe/London), in 2 days
    and 3 hours``.

    ``at`` and ``now`` have zones of their own; ``zone`` is the reader's.
    """
    left = at.astimezone(UTC) - now.astimezone(UTC)
    how = words.phrase(
        "letter.in-time" if left >= timedelta() else "letter.time-ago", span=span(abs(left), words)
    )
    return words.phrase("letter.moment", at=at_time(at, zone, words), how=how)


def at_time(at: datetime, zone: str, words: Words) -> str:
    """Return the same without how long it is from now."""
    found = zone_of(zone)
    local = at.astimezone(found)
    day = words.phrase(f"letter.weekday-{local.isoweekday()}")
    month = words.phrase(f"letter.month-{local.month}")
    name = zone if found is not UTC else "UTC"
    time = f"{local.hour:02}:{local.minute:02}"
    return words.phrase(
        "letter.at", weekday=day, day=local.day, month=month, year=local.year, time=time, zone=name
    )


def on_day(day: date, words: Words) -> str:
    """Return a day as its reader would say it: ``Sunday 22 November 2026``."""
    weekday = words.phrase(f"letter.weekday-{day.isoweekday()}")
    month = words.phrase(f"letter.month-{day.month}")
    return words.phrase("letter.on-day", weekday=weekday, day=day.day, month=month, year=day.year)


def span(length: timedelta, words: Words) -> str:
    """Return a length of time in its two largest units, rounded down: ``2 days and 3
    hours``, ``50 minutes``.
    """
    minutes = int(length.total_seconds()) // 60
    parts = [("day", minutes // 1440), ("hour", minutes // 60 % 24), ("minute", minutes % 60)]
    said = [words.phrase(f"letter.{unit}s", count=count) for unit, count in parts if count]
    if parts[0][1]:  # beside days nobody counts minutes
        said = [words.phrase(f"letter.{unit}s", count=count) for unit, count in parts[:2] if count]
    return words.phrase("letter.span", parts=said[:2]) if said else words.phrase("letter.less-than-a-minute")
