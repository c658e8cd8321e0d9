"""Calendars and feeds, held against their RFCs: folded lines, names that stay, times in UTC, nothing that breaks
out.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta, timezone
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.text.feeds import WIDE, Entry, Event, Feed, atom, calendar, name_of

AT = datetime(2026, 11, 24, 21, 0, tzinfo=timezone(timedelta(hours=1)))
ATOM = "{http://www.w3.org/2005/Atom}"
WILD = st.text(max_size=300)


def unfolded(data: bytes) -> list[str]:
    """Read a calendar by RFC 5545, strictly: lines of 75 octets that end in CRLF, unfolded."""
    assert data.endswith(b"\r\n") and b"\n" not in data.replace(b"\r\n", b"")
    for line in data.split(b"\r\n"):
        assert len(line) <= WIDE and line.decode() is not None, line
    return data.decode().replace("\r\n ", "").split("\r\n")[:-1]


def read(data: bytes) -> tuple[dict[str, str], list[dict[str, str]]]:
    """Return the properties of a calendar, and those of its events, each with its text as it was meant."""
    lines = unfolded(data)
    assert (lines[0], lines[-1]) == ("BEGIN:VCALENDAR", "END:VCALENDAR")
    head: dict[str, str] = {}
    events: list[dict[str, str]] = []
    into: dict[str, str] = head
    for line in lines[1:-1]:
        name, colon, value = line.partition(":")
        assert colon and re.fullmatch("[A-Z-]+", name), line
        if line == "BEGIN:VEVENT":
            assert into is head
            into = {}
        elif line == "END:VEVENT":
            events.append(into)
            into = head
        else:
            assert name not in into, f"{name} twice"
            assert not re.search(r"[\x00-\x08\x0a-\x1f\x7f]", value)
            into[name] = re.sub(r"\\(.)", lambda found: "\n" if found[1] == "n" else found[1], value)
    assert into is head and {"VERSION", "PRODID"} <= set(head)
    return head, events


def test_a_calendar() -> None:
    event = Event(
        "toll due",
        "Toll; turn 3, West",
        AT,
        AT - timedelta(days=3),
        2,
        "one\ntwo\\three",
        "https://x.org/a,b",
    )
    begun = Event("toll begun", "Toll begins", AT - timedelta(days=9), AT - timedelta(days=9))
    head, (first, second) = read(calendar("Club: deadlines", [event, begun]))
    assert head["VERSION"] == "2.0" and head["X-WR-CALNAME"] == "Club: deadlines"
    assert (first["SUMMARY"], first["DTSTART"]) == ("Toll begins", "20261115T200000Z")
    assert second == {
        "UID": name_of("toll due").removeprefix("urn:uuid:"),
        "DTSTAMP": "20261121T200000Z",
        "SEQUENCE": "2",
        "DTSTART": "20261124T200000Z",
        "SUMMARY": "Toll; turn 3, West",
        "DESCRIPTION": "one\ntwo\\three",
        "URL": "https://x.org/a,b",
        "TRANSP": "TRANSPARENT",
    }
    with pytest.raises(ValueError):
        calendar("none", [])


@given(WILD, WILD, WILD)
def test_no_text_breaks_out_of_a_calendar(title: str, said: str, name: str) -> None:
    _, (event,) = read(calendar(name, [Event("k", title, AT, AT, said=said)]))
    assert set(event) >= {"UID", "DTSTAMP", "DTSTART", "SUMMARY"}


def test_a_long_line_is_folded_between_letters() -> None:
    title = "Ærø " * 60
    data = calendar("c", [Event("k", title, AT, AT)])
    assert data.count(b"\r\n ") > 3
    assert read(data)[1][0]["SUMMARY"] == title


def entries(*entries: Entry) -> ElementTree.Element:
    feed = Feed("feed club", "Club", "feed.xml", "index.html", "The <club>", entries, AT)
    return ElementTree.fromstring(atom(feed))


def test_a_feed_has_what_rfc_4287_asks_for_newest_first() -> None:
    root = entries(
        Entry("a", "Turn 1 & more", AT, "games/a/s0001.html", "what\nhappened"),
        Entry("b", "Turn 2", AT + timedelta(hours=1), "games/a/s0002.html"),
    )
    assert root.tag == f"{ATOM}feed"
    for element in (root, *root.findall(f"{ATOM}entry")):
        for name in ("id", "title", "updated"):
            assert len(element.findall(f"{ATOM}{name}")) == 1, name
        assert re.fullmatch("urn:uuid:[0-9a-f-]{36}", element.findtext(f"{ATOM}id") or "")
        at = datetime.fromisoformat((element.findtext(f"{ATOM}updated") or "").replace("Z", "+00:00"))
        assert at.tzinfo is not None
        assert element.find(f"{ATOM}link[@rel='alternate']") is not None
    assert root.find(f"{ATOM}link[@rel='self']").get("href") == "feed.xml"  # type: ignore[union-attr]
    assert root.findtext(f"{ATOM}author/{ATOM}name") == "The <club>"
    assert root.findtext(f"{ATOM}updated") == "2026-11-24T21:00:00Z"
    titles = [entry.findtext(f"{ATOM}title") for entry in root.findall(f"{ATOM}entry")]
    assert titles == ["Turn 2", "Turn 1 & more"]
    assert root.findall(f"{ATOM}entry")[1].findtext(f"{ATOM}content") == "what\nhappened"


def test_a_feed_without_an_entry_is_of_when_it_was_begun() -> None:
    assert entries().findtext(f"{ATOM}updated") == "2026-11-24T20:00:00Z"


@given(WILD, WILD)
def test_no_text_breaks_out_of_a_feed(title: str, said: str) -> None:
    root = entries(Entry("a", title, AT, 'x"y<z', said))
    assert len(list(root.iter())) == 14


def test_names_stay() -> None:
    assert name_of("a") != name_of("b")
    assert name_of("alder") == "urn:uuid:77eb59b7-adc9-5e99-a33f-cfca0cec9a76"
