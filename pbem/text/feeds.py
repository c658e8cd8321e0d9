"""What happened and what is due, for programs that people follow things with: Atom (RFC 4287) and iCalendar
(RFC 5545).

Pure: values in, bytes out. The same values make the same bytes, so nothing here knows the hour.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Final
from xml.sax.saxutils import escape

from msgspec import Struct

from pbem.text.markup import clean

__all__ = ["Entry", "Event", "Feed", "atom", "calendar", "name_of"]

WIDE: Final = 75
"""Octets of a line of a calendar at most, without its end (RFC 5545 3.1)."""
_SPACE: Final = uuid.UUID("6f0b5d0e-4c5b-5f0c-9d0e-70626d000001")
"""The space of names that entries and events of pbem have."""


class Entry(Struct, frozen=True):
    """What happened: its name for ever, what it is called, when, where it stands, and a text about it."""

    key: str
    title: str
    at: datetime
    link: str
    said: str = ""


class Feed(Struct, frozen=True):
    """What is followed: its name for ever, its title, its own address and that of its page (relative where
    nobody knows where they will lie), who writes it.
    """

    key: str
    title: str
    here: str
    page: str
    author: str
    entries: Sequence[Entry]
    begun: datetime


class Event(Struct, frozen=True):
    """A moment in a calendar: its name for ever, when it was known (and how often it was changed since), when
    it is, in a few words and in more.
    """

    key: str
    title: str
    at: datetime
    known: datetime
    changes: int = 0
    said: str = ""
    link: str = ""


def name_of(key: str) -> str:
    """Return the name for ever of something, the same in each run: ``urn:uuid:`` and 36 signs."""
    return f"urn:uuid:{uuid.uuid5(_SPACE, key)}"


# --- Atom


def atom(feed: Feed) -> bytes:
    """Return a feed, its newest entry first."""
    entries = sorted(feed.entries, key=lambda entry: (entry.at, entry.key), reverse=True)
    newest = entries[0].at if entries else feed.begun
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>',
        '<feed xmlns="http://www.w3.org/2005/Atom">',
        f"<id>{name_of(feed.key)}</id>",
        f"<title>{_xml(feed.title)}</title>",
        f"<updated>{_moment(newest)}</updated>",
        f"<author><name>{_xml(feed.author)}</name></author>",
        f'<link rel="self" type="application/atom+xml" href="{_xml(feed.here)}"/>',
        f'<link rel="alternate" type="text/html" href="{_xml(feed.page)}"/>',
    ]
    for entry in entries:
        lines += [
            "<entry>",
            f"<id>{name_of(entry.key)}</id>",
            f"<title>{_xml(entry.title)}</title>",
            f"<updated>{_moment(entry.at)}</updated>",
            f'<link rel="alternate" type="text/html" href="{_xml(entry.link)}"/>',
            f'<content type="text">{_xml(entry.said, lines=True)}</content>',
            "</entry>",
        ]
    return "\n".join([*lines, "</feed>", ""]).encode()


def _xml(text: str, lines: bool = False) -> str:
    """Return a text as it may stand in XML, between double quotes too; what XML cannot hold is left out."""
    plain = "".join(sign for sign in clean(text, lines) if sign not in "\ufffe\uffff")
    return escape(plain, {'"': "&quot;"})


def _moment(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


# --- iCalendar


def calendar(title: str, events: Iterable[Event]) -> bytes:
    """Return a calendar of moments, oldest first. A calendar without any is none: ValueError.

    Moments are written in UTC, which every program shows in the zone of its reader.
    """
    found = sorted(events, key=lambda event: (event.at, event.key))
    if not found:
        raise ValueError(title)
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//pbem//games//EN",
        "CALSCALE:GREGORIAN",
        "METHOD:PUBLISH",
        f"X-WR-CALNAME:{_ics(title)}",
    ]
    for event in found:
        lines += [
            "BEGIN:VEVENT",
            f"UID:{name_of(event.key).removeprefix('urn:uuid:')}",
            f"DTSTAMP:{_stamp(event.known)}",
            f"SEQUENCE:{event.changes}",
            f"DTSTART:{_stamp(event.at)}",
            f"SUMMARY:{_ics(event.title)}",
            *([f"DESCRIPTION:{_ics(event.said)}"] if event.said else []),
            *([f"URL:{event.link}"] if event.link else []),
            "TRANSP:TRANSPARENT",
            "END:VEVENT",
        ]
    return "".join(f"{_folded(line)}\r\n" for line in [*lines, "END:VCALENDAR"]).encode()


def _stamp(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


def _ics(text: str) -> str:
    plain = clean(text, lines=True).replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,")
    return plain.replace("\n", "\\n")


def _folded(line: str) -> str:
    """Return a line in pieces of at most 75 octets, each after the first behind a space; no letter is cut."""
    pieces, piece, size = [], "", 0
    for letter in line:
        length = len(letter.encode())
        if size + length > WIDE:
            pieces.append(piece)
            piece, size = " ", 1
        piece, size = piece + letter, size + length
    return "\r\n".join([*pieces, piece])
