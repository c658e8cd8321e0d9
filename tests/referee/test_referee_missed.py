"""Missed turns are told truly: who sent nothing, what his side did, how late a letter was, and until when it
would have counted.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from office_table import DEADLINES, OfficeTable
from table import Table, pull

from pbem.referee.game.missed import missed_in
from pbem.referee.turn.report import report_of
from pbem.referee.turn.status import mails
from pbem.referee.turn.undo import undo
from pbem.store import umpire


@pytest.fixture
def office(tmp_path: Path) -> OfficeTable:
    return OfficeTable(tmp_path)


def begun(office: OfficeTable, **more: object) -> str:
    office.started(**{"keyed": (), "umpire": True, **more})
    office.round()
    return str(office.open().announced()["waits"][0])


def flat(text: str) -> str:
    return " ".join(text.split())


def test_who_sent_nothing_is_named_to_all_with_what_his_side_did(office: OfficeTable) -> None:
    assert begun(office, profile="gm") == "north"
    office.later(days=3, hours=20)  # Thursday 5 February, six in the morning: the grace is over since two
    steps = [f"{step.what} {step.seat}".strip() for step in office.round()]
    assert steps[:2] == ["locked", "resolved"] and "missed" in steps
    when = "Thursday 5 February 2026, 06:00 (UTC)"
    third = (
        f"North sent no orders before they were fixed on {when}. So that side did what its standing orders "
        "say, and nothing else."
    )
    for seat in ("north", "south"):
        assert third in flat(
            next(sent.text for sent in office.queued("turn-tug-0a1b2c-s0001-") if sent.key.endswith(seat))
        )
    own = flat(next(sent.text for sent in office.queued("turn-tug-0a1b2c-s0001-north")))
    assert (
        "You sent no orders before they were fixed on Thursday 5 February 2026, 07:00 (Europe/Berlin)." in own
    )
    told = flat(office.newest("missed-").text)
    assert third in told and "pbem undo" in told and "--to 1" in told
    assert third in flat(report_of(office.open(), 1, "text"))
    assert office.round() == [] and len(office.queued("missed-")) == 1
    assert "pbem verify" not in own, "nobody is told to check a file that he was not sent"


def test_a_late_letter_is_told_how_late_it_was_and_the_umpire_where_it_lies(office: OfficeTable) -> None:
    seat = begun(office, profile="gm")
    office.later(days=3, hours=21, minutes=12)
    office.letter(seat, pull(seat))
    assert [step.what for step in office.round()][:2] == ["locked", "resolved"]
    said = flat(office.newest("reply-").text)
    assert (
        "These orders came 5 hours and 12 minutes too late: the deadline was Wednesday 4 February 2026, "
        "21:00 (Europe/Berlin)" in said
    )
    assert "and until Thursday 5 February 2026, 03:00 (Europe/Berlin) orders still counted" in said
    assert "it is the turn of" not in said and "the umpire knows of them" in said
    told = flat("".join(sent.text for sent in office.queued("trouble-")))
    assert "The orders of North (North) for turn 1, North came 5 hours and 12 minutes too late" in told
    assert "pbem undo" in told and "post/done/" in told


@pytest.mark.parametrize(
    "body",
    [
        "message: sorry!\n",
        "standing:\n  everyone: {yield: hold}\n",
        "turn: t2.north\npull:\n- north-team pulls\n",
    ],
)
def test_what_is_not_for_the_turn_that_was_missed_is_not_late(office: OfficeTable, body: str) -> None:
    begun(office, profile="gm")
    office.later(days=4)
    office.round()
    office.letter("north", body)
    assert [step.what for step in office.round() if step.what != "passed on"] in (
        ["taken", "answered"],
        ["refused", "answered"],
    )
    assert "too late" not in flat(office.newest("reply-").text)


def test_a_draft_that_was_used_is_told_as_one(office: OfficeTable) -> None:
    seat = begun(office)
    office.letter(seat, pull(seat))
    office.round()
    office.later(days=4)
    office.round()
    for asked in ("north", "south"):
        office.letter(asked, f"luck: seven drunken herons {asked}\n")
    office.round()
    assert "were not final yet when they were fixed on" in flat(
        office.newest(f"turn-tug-0a1b2c-s0001-{seat}").text
    )
    assert office.queued("missed-") == []
    other = "south" if seat == "north" else "north"
    assert {entry.seat: entry.letters for entry in mails(office.open())} == {seat: 2, other: 1}, (
        "words for a lock are letters too"
    )


def test_who_did_not_answer_is_told_what_was_taken(office: OfficeTable) -> None:
    seat = begun(office, options={"knots": "many"}, profile="gm")
    office.letter(seat, pull(seat))
    office.round()
    (question,) = office.open().questions
    office.later(days=4)
    office.round()
    assert [(one.seat, one.kind) for one in missed_in(office.open(), 2)] == [(question["seat"], "answer")]
    assert "You sent no answer before it was due" in flat(
        office.newest(f"turn-tug-0a1b2c-s0002-{question['seat']}").text
    )


def test_words_alone_at_the_deadline_are_told_as_what_they_were(office: OfficeTable) -> None:
    seat = begun(office, profile="gm")
    office.letter(seat, "message: I have no time\n")
    office.round()
    office.later(days=4)
    office.round()
    assert "You ordered nobody before orders were fixed" in flat(
        office.newest(f"turn-tug-0a1b2c-s0001-{seat}").text
    )


def test_who_ordered_or_said_that_he_orders_nobody_missed_nothing(table: Table) -> None:
    table.started(keyed=(), umpire=True, profile="gm")
    for body in (pull("north"), "nobody: moves\n"):
        (seat,) = table.open().announced()["waits"]
        table.orders(seat, body.replace("north-team", f"{seat}-team"), auto_lock=False)
        table.resolve()
    assert missed_in(table.open(), 1) == missed_in(table.open(), 2) == missed_in(table.open(), 9) == ()


def test_a_reminder_names_the_grace_and_its_end(office: OfficeTable) -> None:
    begun(office)
    office.later(days=2, hours=11)
    office.round()
    told = flat(office.newest("remind-").text)
    assert "What comes after it still counts until Thursday 5 February 2026, 03:00 (Europe/Berlin)" in told


def test_in_the_grace_every_letter_names_its_end(office: OfficeTable) -> None:
    seat = begun(office)
    office.later(days=3, hours=12)
    office.letter(seat, pull(seat))
    office.round()
    told = flat(office.newest("reply-").text)
    assert "The deadline has passed" in told and "still counts until" in told


def test_without_an_umpire_what_was_missed_waits_for_whoever_runs_the_office(tmp_path: Path) -> None:
    office = OfficeTable(tmp_path, DEADLINES)
    toml = tmp_path / "pbem.toml"
    toml.write_text(toml.read_text().replace('umpire = "cass@example.org"\n', ""))
    begun(office, profile="gm")
    office.later(days=4)
    office.round()
    assert [subject for _, subject in umpire.waiting(tmp_path / "post" / umpire.FOLDER)] == [
        "1 thing needs you"
    ]


# --- turns taken back


def test_who_agreed_to_an_undo_is_named(office: OfficeTable) -> None:
    from test_referee_undo import consent

    office.count = 3  # a pull in which somebody is asked
    office.started(keyed=("south",), umpire=True)
    office.round()
    office.orders("north", pull("north", "luck: seven drunken herons\n"))
    office.resolve()
    (asked,) = office.open().questions
    office.orders(str(asked["seat"]), f"answers:\n  {asked['id']}: hold\n")
    office.resolve()
    office.round()
    consent(office, "south", 1)
    undo(office.env, office.game, 1, "")
    office.later(minutes=5)
    office.round()
    told = flat(office.newest("undo-").text)
    assert "Everything from turn 1, North, on was taken back" in told
    assert (
        "South agreed to it with a signature. North did not have to: whoever has no key is not asked." in told
    )
    assert "The reason" not in told
