"""What the umpire does to time: signed, told to everybody in the next round, and what follows from it."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from office_table import ADDRESSES, DEADLINES, OfficeTable
from table import pull

from pbem.proof.acts import acts
from pbem.proof.verify import verify
from pbem.referee.game.refusal import Refused
from pbem.referee.mail.acts_of_time import acts_of
from pbem.referee.mail.umpire_time import absent, extend, pause, remind, resume

LEAVE = DEADLINES + 'leave = { days = 5, notice = "1 day" }\n'


@pytest.fixture
def office(tmp_path: Path) -> OfficeTable:
    return begun(OfficeTable(tmp_path))


def begun(office: OfficeTable) -> OfficeTable:
    office.started(keyed=(), umpire=True)
    office.round()
    return office


def open_seat(office: OfficeTable) -> tuple[str, str]:
    seat = str(office.open().announced()["waits"][0])
    return seat, "south" if seat == "north" else "north"


def flat(text: str) -> str:
    return " ".join(text.split())


def told(office: OfficeTable) -> dict[str, str]:
    """Return the newest letter about a change to each seat."""
    found = {}
    for sent in office.queued("change-"):
        seat = next(name for name, address in ADDRESSES.items() if address in sent.to)
        found[seat] = flat(f"{sent.subject} {sent.text}")
    return found


def due(office: OfficeTable) -> str:
    end = next(iter(office.house().games.values())).deadline()
    return "" if end is None else end.astimezone(UTC).strftime("%Y-%m-%dT%H:%M")


def wrong(refused: pytest.ExceptionInfo[Refused]) -> str:
    return refused.value.problems[0].code


def test_more_time_is_signed_told_and_kept(office: OfficeTable) -> None:
    seat, other = open_seat(office)
    before = due(office)
    spoken = extend(office.env, office.game, "Ann moves house", by=2 * 1440)
    assert spoken.slot == 1 and spoken.due is not None
    after = due(office)
    assert datetime.fromisoformat(after) - datetime.fromisoformat(before) == (
        datetime(2026, 1, 3) - datetime(2026, 1, 1)
    )
    verdict = verify(office.open().archive, replay=None)
    assert not verdict.failures
    assert [one.said for one in acts(office.open().ledger)] == [
        f"extend until {spoken.said['until']} at slot 1, on the word of the GM: Ann moves house"
    ]
    assert [(step.what, step.seat) for step in office.round()] == [("told", "north"), ("told", "south")]
    letters = told(office)
    for name in (seat, other):
        assert "There is more time for this turn" in letters[name]
        assert (
            "The umpire has given more time for this turn. The reason: Ann moves house. The deadline:"
            in letters[name]
        )
        assert "It was" in letters[name]
    assert "If you send nothing, at the deadline" in letters[seat]
    assert "If you send nothing" not in letters[other]
    assert "(Europe/Berlin)" in letters["north"] and "(America/New_York)" in letters["south"]
    assert office.round() == []


def test_a_turn_is_not_locked_at_its_old_deadline(office: OfficeTable) -> None:
    extend(office.env, office.game, "x", by=2 * 1440)
    office.round()
    office.later(days=4)
    assert "locked" not in [step.what for step in office.round()]
    office.later(days=2)
    assert "locked" in [step.what for step in office.round()]


def test_each_letter_says_why_it_is_due_later(office: OfficeTable) -> None:
    seat, _ = open_seat(office)
    extend(office.env, office.game, "x", by=2 * 1440)
    office.letter(seat, pull(seat))
    office.round()
    assert "The umpire has given more time for this turn." in flat(office.newest("reply-").text)


def test_an_extension_never_takes_time_away(office: OfficeTable) -> None:
    for moment in (office.moment.replace(tzinfo=None), datetime(2020, 1, 1)):
        with pytest.raises(Refused) as refused:
            extend(office.env, office.game, "x", moment=moment)
        assert wrong(refused) == "time.not-later"
    assert acts_of(office.open().ledger).extensions == ()


def test_a_pause_stops_everything_until_the_game_goes_on(office: OfficeTable) -> None:
    seat, other = open_seat(office)
    pause(office.env, office.game, "the club is on holiday")
    assert due(office) == ""
    office.round()
    letters = told(office)
    for name in (seat, other):
        assert "The umpire has put this game on hold" in letters[name]
        assert (
            "until it goes on. The reason: the club is on holiday." in letters[name]
            and "nobody is late" in letters[name]
        )
    office.later(days=30)
    office.letter(seat, pull(seat) + "luck: seven drunken herons\n")
    assert {step.what for step in office.round()} == {"taken", "answered"}
    with pytest.raises(Refused) as refused:
        pause(office.env, office.game, "x")
    assert wrong(refused) == "time.is-paused"
    with pytest.raises(Refused) as refused:
        extend(office.env, office.game, "x", by=1440)
    assert wrong(refused) == "time.is-paused"
    resume(office.env, office.game, "everybody is back")
    steps = [step.what for step in office.round()]
    assert "resolved" in steps and "told" in steps
    assert "The umpire lets the game go on. The reason: everybody is back" in told(office)[other]


def test_after_a_pause_there_is_a_day_at_least(office: OfficeTable) -> None:
    end = datetime.fromisoformat(due(office)).replace(tzinfo=UTC)
    office.moment = end
    pause(office.env, office.game, "x")
    office.later(days=10)
    resume(office.env, office.game, "y")
    after = datetime.fromisoformat(due(office)).replace(tzinfo=UTC)
    assert (after - office.moment).total_seconds() >= 86_400
    office.round()
    office.later(hours=23)
    assert "locked" not in [step.what for step in office.round()]
    with pytest.raises(Refused) as refused:
        resume(office.env, office.game, "y")
    assert wrong(refused) == "time.not-paused"


def test_who_is_away_is_waited_for_and_everybody_knows(tmp_path: Path) -> None:
    office = begun(OfficeTable(tmp_path, LEAVE))
    seat, other = open_seat(office)
    before = datetime.fromisoformat(due(office))
    first = date.fromordinal(before.date().toordinal())
    last = date.fromordinal(first.toordinal() + 2)
    absent(office.env, office.game, "a wedding", seat, first, last)
    after = datetime.fromisoformat(due(office))
    assert 2 <= (after - before).days <= 4 and after.date() > last
    office.round()
    letters = told(office)
    assert f"{seat.capitalize()} is away" in letters[other] and "The reason: a wedding" in letters[other]
    assert "These days do not count for you" in letters[seat] and "It was" in letters[seat]
    office.letter(other, "Hello, when does it go on?\n")
    office.round()
    office.later(days=1)
    office.letter(seat, pull(seat))
    office.round()
    assert f"{seat.capitalize()} is away until" in flat(office.newest("reply-").text)
    with pytest.raises(Refused) as refused:
        absent(office.env, office.game, "x", seat, date(first.year, 12, 1), date(first.year, 12, 3))
    assert wrong(refused) == "time.leave-days"
    absent(office.env, office.game, "x", seat, date(first.year, 12, 1), date(first.year, 12, 3), anyway=True)
    assert not verify(office.open().archive, replay=None).failures


@pytest.mark.parametrize(
    ("seat", "days", "code"),
    [
        ("north", ("2020-01-01", "2020-01-05"), "time.leave-past"),
        ("north", ("2030-01-05", "2030-01-01"), "time.leave-backwards"),
        ("pink", ("2030-01-01", "2030-01-05"), "time.no-seat"),
    ],
)
def test_leave_that_cannot_be(office: OfficeTable, seat: str, days: tuple[str, str], code: str) -> None:
    first, last = map(date.fromisoformat, days)
    with pytest.raises(Refused) as refused:
        absent(office.env, office.game, "x", seat, first, last)
    assert wrong(refused) == code


def test_a_reminder_of_the_umpires_own(office: OfficeTable) -> None:
    seat, other = open_seat(office)
    records = len(office.open().ledger.records)
    assert remind(office.env, office.game, "we would like to go on before Sunday") == (seat,)
    (letter,) = office.queued("nudge-")
    assert ADDRESSES[seat] in letter.to
    said = flat(letter.text)
    assert "The umpire writes: we would like to go on before Sunday" in said
    assert "The deadline:" in said and "If you send nothing, at the deadline" in said
    assert len(office.open().ledger.records) == records
    with pytest.raises(Refused) as refused:
        remind(office.env, office.game, "x", other)
    assert wrong(refused) == "time.nobody"
    pause(office.env, office.game, "x")
    with pytest.raises(Refused) as refused:
        remind(office.env, office.game, "x")
    assert wrong(refused) == "time.is-held"


def test_before_a_game_begins_and_outside_of_an_office(tmp_path: Path) -> None:
    office = OfficeTable(tmp_path)
    office.new(umpire=True)
    with pytest.raises(Refused) as refused:
        pause(office.env, office.game, "x")
    assert wrong(refused) == "time.not-begun"
    (office.root / "pbem.toml").unlink()
    with pytest.raises(Refused) as refused:
        pause(office.env, office.game, "x")
    assert wrong(refused) == "time.no-office"


def test_each_of_several_reminders_goes_out_once(tmp_path: Path) -> None:
    office = begun(OfficeTable(tmp_path, DEADLINES.replace('"1 day"', '["1 day", "2 hours"]')))
    seat, _ = open_seat(office)
    end = datetime.fromisoformat(due(office)).replace(tzinfo=UTC)
    seen = []
    for hours in (30, 23, 22, 2, 1):
        office.moment = datetime.fromtimestamp(end.timestamp() - hours * 3600, UTC)
        seen.append([(step.what, step.seat) for step in office.round()])
    assert seen == [[], [("reminded", seat)], [], [("reminded", seat)], []]
