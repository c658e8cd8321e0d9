"""The umpire's letter of the day: once a day when its time has come, and what needs him with its command."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from office_table import DEADLINES, OfficeTable, Sent

from pbem.post.offices.office import Office, read
from pbem.referee.mail.digest import key_of
from pbem.store.library import schema
from pbem.text import shape


@pytest.fixture
def office(tmp_path: Path) -> OfficeTable:
    made = OfficeTable(tmp_path, 'digest = "07:00"\n' + DEADLINES)
    made.started(keyed=(), umpire=True)
    return made


def letters(office: OfficeTable) -> list[Sent]:
    return office.queued("digest-")


def test_it_goes_once_a_day_and_once_after_a_gap(office: OfficeTable) -> None:
    office.moment = datetime(2026, 2, 1, 5, 0)  # six in the morning in Berlin
    office.round()
    assert letters(office) == []
    office.later(hours=1)
    assert [step.what for step in office.round()] == ["digest"]
    office.round()
    office.later(hours=12)
    office.round()
    assert [sent.key for sent in letters(office)] == ["digest-2026-02-01"]
    office.later(days=4)  # nobody made a round for four days
    office.round()
    office.round()
    assert [sent.key for sent in letters(office)] == ["digest-2026-02-01", "digest-2026-02-05"]
    office.later(hours=8)  # the next day, before seven
    office.round()
    assert len(letters(office)) == 2


def test_it_says_what_needs_him_and_how_the_games_stand(office: OfficeTable) -> None:
    office.moment = datetime(2026, 2, 1, 9, 0)
    office.round()
    (sent,) = letters(office)
    assert sent.to == "cass@example.org" and "needs you, Sunday 1 February 2026" in sent.subject
    text = " ".join(sent.text.split())
    # the lines of a letter are short: a long name of a folder is broken
    assert f"pbemmailsend{office.root}--dry-run" in "".join(sent.text.split())
    assert "Turn 1" in text and "North" in text and "in 3 days" in text and "1 game going on" in text
    assert "nora@example.org" not in sent.message.as_string()


def test_a_fault_of_it_stops_nothing(office: OfficeTable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.referee.mail.digest.look", lambda *given: 1 // 0)
    steps = [step.what for step in office.round()]
    assert "told" in steps and "trouble" in steps


@pytest.mark.parametrize(
    ("at", "key"),
    [
        ("2026-03-29T00:59", ""),  # 01:59 in Berlin: the clock goes on to 03:00
        ("2026-03-29T01:00", "digest-2026-03-29"),  # 03:00, and 02:30 has never been
        ("2026-10-25T00:29", ""),  # 02:29 for the first time
        ("2026-10-25T00:30", "digest-2026-10-25"),
        ("2026-10-25T01:10", ""),  # 02:10 for the second time: the letter is there already
        ("2026-10-25T01:40", "digest-2026-10-25"),
        ("2026-12-31T23:30", ""),  # the new year has begun in Berlin, its half past two has not
    ],
)
def test_nights_in_which_the_clock_is_changed(at: str, key: str) -> None:
    settings = Office("a", "a@example.org", "u@example.org", zone="Europe/Berlin", digest=(2, 30))
    assert key_of(settings, datetime.fromisoformat(at).replace(tzinfo=UTC)) == key


def test_it_needs_an_umpire_with_an_address_and_a_time() -> None:
    def problems(text: str) -> list[str]:
        data = f'[office]\nname = "a"\naddress = "a@example.org"\n{text}'.encode()
        return [
            one.code
            for one in read(data, "pbem.toml", shape.load(schema("office"), text=False), ("en",))[1].problems
        ]

    assert problems('digest = "07:00"\n') == ["office.digest-nobody"]
    assert problems('umpire = "u@example.org"\ndigest = "07:00"\n') == []
    assert problems('umpire = "u@example.org"\ndigest = "7 am"\n') == ["schema.pattern"]
