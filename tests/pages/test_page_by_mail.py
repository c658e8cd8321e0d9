"""The packet that comes with a letter of the office: what it opens as a mail is taken like any letter, and
the game goes on.
"""

from __future__ import annotations

from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from office_table import ADDRESSES, DEADLINES, OFFICE, OfficeTable
from page_watch import Watched

SETTINGS = "packets = true\n" + DEADLINES


@pytest.fixture
def office(tmp_path: Path) -> OfficeTable:
    table = OfficeTable(tmp_path, SETTINGS)
    table.started(keyed=(), umpire=True)
    table.round()
    return table


def packets(message: EmailMessage) -> list[EmailMessage]:
    """Return the pages that come with a letter, but for the one that says how the game is played."""
    pages = [part for part in message.iter_attachments() if part.get_content_type() == "text/html"]
    return [part for part in pages if part.get_filename() != "how-to-play.html"]


def test_a_turn_is_clicked_mailed_and_played(
    office: OfficeTable, opened: Callable[..., Watched], tmp_path: Path
) -> None:
    (seat,) = office.open().announced()["waits"]
    told = {letter.to: letter.message for letter in office.queued("turn-")}
    (mine,) = [message for to, message in told.items() if ADDRESSES[seat] in to]
    assert len([part for message in told.values() for part in packets(message)]) == 1, (
        "who has nothing to order gets no packet"
    )
    (attached,) = packets(mine)
    assert attached.get_filename() == f"turn-t1-{seat}.html"
    text = mine.get_body(("plain",))
    assert text is not None and f"turn-t1-{seat}.html" in text.get_content()

    file = tmp_path / "turn.html"
    content = attached.get_content()
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    page = opened(file, phone=True).page
    page.click(".figure")
    page.click(".order >> nth=0")
    page.click("#step-finish")
    page.fill("#field-luck", "seven drunken herons")
    address = urlsplit(page.get_attribute("#mail", "href") or "")
    asked = parse_qs(address.query, strict_parsing=True)
    assert unquote(address.path) == OFFICE
    assert office.code(seat) in asked["subject"][0]

    office.later(hours=2)
    office.letter(seat, asked["body"][0], asked["subject"][0])
    steps = [f"{step.what} {step.seat}".strip() for step in office.round()]
    assert steps[:4] == [f"taken {seat}", f"answered {seat}", "locked", "resolved"]
    (reply,) = office.queued("reply-")
    assert "Accepted: your orders are final" in reply.text


def test_who_has_a_key_gets_a_page_to_join_with(tmp_path: Path, opened: Callable[..., Watched]) -> None:
    office = OfficeTable(tmp_path, SETTINGS)
    office.new(keyed=("north",), umpire=True)
    office.round()
    pages = {
        seat: [part for part in letter.message.iter_attachments() if part.get_content_type() == "text/html"]
        for letter in office.queued("invite-")
        for seat, address in ADDRESSES.items()
        if address in letter.to
    }
    assert {seat: [part.get_filename() for part in parts] for seat, parts in pages.items()} == {
        "north": ["join-north.html"],
        "south": [],
    }
    (part,) = pages["north"]
    content = part.get_content()
    file = tmp_path / "join.html"
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    page = opened(file).page
    assert "north" in page.inner_text("main").lower()
    page.wait_for_selector("input[type=file]", state="attached")


def test_an_office_that_sends_no_packets_sends_none(tmp_path: Path) -> None:
    table = OfficeTable(tmp_path)
    table.started(keyed=(), umpire=True)
    table.round()
    told = table.queued("turn-")
    assert told
    assert not [part for letter in told for part in packets(letter.message)]
