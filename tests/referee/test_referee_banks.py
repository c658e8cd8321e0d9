"""Clocks and reserve days of an office: what is left is told, being late costs it, and running out what was agreed."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from office_table import DEADLINES, OfficeTable
from table import pull

from pbem.referee.mail.served import OfficeGame

RESERVE = '[deadlines]\nlength = "3 days"\nremind = "1 day"\nreserve = { days = 4 }\n'
CLOCK = '[deadlines]\nlength = "3 days"\nclock = { start = "5 days", increment = "12 hours" }\n'


def begun(root: Path, more: str) -> OfficeTable:
    office = OfficeTable(root, more)
    office.started(keyed=(), umpire=True)
    office.round()
    return office


def flat(text: str) -> str:
    return " ".join(text.split())


def served(office: OfficeTable) -> OfficeGame:
    return next(iter(office.house().games.values()))


def due(office: OfficeTable) -> datetime:
    end = served(office).deadline()
    assert end is not None
    return end


def open_seat(office: OfficeTable) -> str:
    return str(office.open().announced()["waits"][0])


def orders(office: OfficeTable, arrived: datetime | None = None) -> str:
    seat = open_seat(office)
    word = "abcdefghij"[len(office.open().ledger.slots)]
    office.letter(seat, pull(seat) + f"luck: {word} seven drunken herons\n", arrived=arrived)
    return seat


def newest_turns(office: OfficeTable) -> dict[str, str]:
    number = max(int(sent.key.split("-s")[1][:4]) for sent in office.queued("turn-"))
    return {
        seat: flat(sent.text)
        for sent in office.queued("turn-")
        for seat in ("north", "south")
        if f"-s{number:04d}-{seat}" in sent.key
    }


def test_reserve_days_are_told_and_drawn_on(tmp_path: Path) -> None:
    office = begun(tmp_path, RESERVE)
    seat = open_seat(office)
    other = "south" if seat == "north" else "north"
    first = newest_turns(office)
    assert "You have 4 reserve days left" in first[seat] and "reserve" not in first[other]
    office.later(days=4, hours=1)
    assert "locked" not in [step.what for step in office.round()]
    orders(office)
    assert "resolved" in [step.what for step in office.round()]
    turns = newest_turns(office)
    assert "You were late, and that cost you 2 reserve days; 2 are left." in turns[seat]
    assert f"Too late by {seat.capitalize()}: that cost 2 reserve days; 2 are left." in turns[other]
    assert "You have 4 reserve days left" in turns[other]
    assert served(office).banks.reserves == {seat: 2, other: 4}


def test_who_sends_nothing_has_used_them_all(tmp_path: Path) -> None:
    office = begun(tmp_path, RESERVE)
    seat = open_seat(office)
    office.later(days=7, hours=1)
    assert "locked" in [step.what for step in office.round()]
    assert served(office).banks.reserves[seat] == 0
    orders(office)
    office.round()
    assert "You have no reserve days left" in newest_turns(office)[seat]
    office.later(days=3, hours=1)
    assert "locked" in [step.what for step in office.round()]


def test_nobody_pays_for_an_office_that_was_asleep(tmp_path: Path) -> None:
    office = begun(tmp_path, RESERVE)
    seat, early = open_seat(office), office.moment
    office.later(days=4)
    orders(office, arrived=early)
    office.round()
    assert served(office).banks.reserves[seat] == 4


def test_an_undo_gives_back_what_a_turn_cost(tmp_path: Path) -> None:
    from pbem.referee.turn.undo import undo

    office = begun(tmp_path, RESERVE)
    seat = open_seat(office)
    office.later(days=4)
    orders(office)
    office.round()
    assert served(office).banks.reserves[seat] == 3
    undo(office.env, office.game, 1, "x")
    assert served(office).banks.reserves[seat] == 4


def test_a_clock_runs_while_its_seat_is_waited_for(tmp_path: Path) -> None:
    office = begun(tmp_path, CLOCK)
    seat = open_seat(office)
    other = "south" if seat == "north" else "north"
    assert "Your clock shows 5 days" in newest_turns(office)[seat]
    assert (due(office).replace(tzinfo=None) - office.moment.replace(tzinfo=None)).days == 5
    office.later(days=2)
    orders(office)
    office.round()
    assert served(office).banks.clocks == {seat: (3 * 24 + 12) * 60, other: 5 * 1440}
    orders(office)
    office.round()
    if open_seat(office) == seat:
        assert "Your clock shows 3 days and 12 hours" in newest_turns(office)[seat]


def test_a_clock_that_runs_out_costs_what_was_agreed(tmp_path: Path) -> None:
    office = begun(tmp_path, CLOCK)
    seat = open_seat(office)
    other = "south" if seat == "north" else "north"
    office.later(days=5, hours=1)
    assert "locked" in [step.what for step in office.round()]
    turns = newest_turns(office)
    assert (
        "Your clock has run out." in turns[seat]
        and f"The clock of {seat.capitalize()} has run out." in turns[other]
    )
    missed = flat(" ".join(sent.text for sent in office.queued("missed-")))
    side = office.open().sides[other]
    assert f"The clock of {seat.capitalize()} has run out" in missed and f"--winner {side}" in missed
    orders(office)
    office.round()
    while open_seat(office) != seat:
        orders(office)
        office.round()
    assert "for this turn you have 12 hours" in newest_turns(office)[seat]
    office.later(hours=13)
    assert "locked" in [step.what for step in office.round()]
    again = [flat(sent.text) for sent in office.queued("turn-") if "has run out." in flat(sent.text)]
    assert len(again) == 2, "it runs out once"


def test_without_an_agreement_nothing_is_said(tmp_path: Path) -> None:
    office = begun(tmp_path, DEADLINES)
    said = " ".join(newest_turns(office).values())
    assert "reserve" not in said and "clock" not in said
