"""Whatever is written to a seat that is waited for has the deadline at its top, in its reader's zone, and says
what happens if he stays silent.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from office_table import OfficeTable, Sent
from table import pull

from pbem.referee.mail.umpire_time import extend, remind

ZONES = {"north": "(Europe/Berlin)", "south": "(America/New_York)"}
TOP = 14
"""Lines of a letter, heading and all."""


def begun(root: Path) -> tuple[OfficeTable, str]:
    office = OfficeTable(root)
    office.started(keyed=(), umpire=True)
    office.round()
    return office, str(office.open().announced()["waits"][0])


def turn(office: OfficeTable, seat: str) -> Sent:
    return next(sent for sent in office.queued("turn-") if sent.key.endswith(seat))


def draft(office: OfficeTable, seat: str) -> Sent:
    office.letter(seat, pull(seat))
    office.round()
    return office.newest("reply-")


def wrong(office: OfficeTable, seat: str) -> Sent:
    office.letter(seat, "pull:\n- nobody-here pulls\n")
    office.round()
    return office.newest("reply-")


def words_only(office: OfficeTable, seat: str) -> Sent:
    office.letter(seat, "What a fine rope!\n")
    office.round()
    return office.newest("reply-")


def without_code(office: OfficeTable, seat: str) -> Sent:
    office.letter(seat, pull(seat), "no code")
    office.round()
    return office.newest("reply-")


def reminder(office: OfficeTable, seat: str) -> Sent:
    office.later(days=3, hours=1)
    office.round()
    return office.newest("remind-")


def nudge(office: OfficeTable, seat: str) -> Sent:
    remind(office.env, office.game, "please")
    office.round()
    return office.newest("nudge-")


def more_time(office: OfficeTable, seat: str) -> Sent:
    extend(office.env, office.game, "rain", by=1440)
    office.round()
    return next(sent for sent in office.queued("change-") if sent.key.endswith(seat))


def asks(office: OfficeTable, seat: str) -> Sent:
    office.letter(seat, "could I have three more days please?\n")
    office.round()
    return office.newest("reply-")


def resigns(office: OfficeTable, seat: str) -> Sent:
    office.letter(seat, "I resign.\n")
    office.round()
    return office.newest("confirm-")


@pytest.mark.parametrize(
    "kind", [turn, draft, wrong, words_only, without_code, reminder, nudge, more_time, asks, resigns]
)
def test_the_deadline_stands_on_top(tmp_path: Path, kind: object) -> None:
    office, seat = begun(tmp_path)
    assert callable(kind)
    sent: Sent = kind(office, seat)
    top = " ".join(" ".join(sent.text.split("\n")[:TOP]).split())
    assert "he deadline: " in top and ZONES[seat] in top, sent.text[:1500]
    assert "If you send nothing" in " ".join(sent.text.split()), sent.text[:1500]
