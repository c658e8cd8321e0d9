"""A player of several games that are due in one round is reminded by one letter, once, and it can be answered."""

from __future__ import annotations

from pathlib import Path

from office_table import OfficeTable
from table import SCENARIOS, pull

from pbem.referee.turn.admit import admit_words
from pbem.referee.turn.new import SeatWish, new


def two_games(tmp_path: Path) -> OfficeTable:
    """Return an office in which the same player is waited for in two games."""
    office = OfficeTable(tmp_path)
    office.started(keyed=(), umpire=True)
    wishes = [SeatWish(seat, seat, seat.capitalize()) for seat in ("north", "south")]
    other = office.root / "second"
    new(office.env, str(SCENARIOS / "tug.yaml"), other, wishes, name="second-0a1b2c", umpire=True)
    for seat in ("north", "south"):
        admit_words(office.env, other, seat, "yes, I play")
    office.round()
    office.later(days=2.5)
    return office


def test_two_games_are_one_letter_that_goes_once(tmp_path: Path) -> None:
    office = two_games(tmp_path)
    reminded = [(step.game, step.said) for step in office.round() if step.what == "reminded"]
    assert sorted(reminded) == [("second-0a1b2c", "nora@example.org"), ("tug-0a1b2c", "nora@example.org")]
    assert not office.queued("remind-")
    (sent,) = office.queued("reminders-")
    assert (
        sent.subject.startswith("A reminder: 2 games wait for you (code ")
        and sent.subject.count("(code ") == 2
    )
    assert sent.text.count("The deadline:") == 2 and "(second-0a1b2c)" in sent.text
    sheets = [part.get_filename() for part in sent.message.iter_attachments()]
    assert sorted(sheets) == ["second-0a1b2c-orders-t1-north.yaml", "tug-0a1b2c-orders-t1-north.yaml"]
    assert office.round() == [] and len(office.queued("reminders-")) == 1


def test_an_answer_with_a_sheet_is_of_its_game(tmp_path: Path) -> None:
    office = two_games(tmp_path)
    office.round()
    (sent,) = office.queued("reminders-")
    office.letter("north", pull("north"), f"Re: {sent.subject}")
    assert "unused" in [step.what for step in office.round()], "whose game it is is not guessed"
    office.letter("north", "game: second-0a1b2c\n" + pull("north"), f"Re: {sent.subject}")
    assert ("taken", "second-0a1b2c") in [(step.what, step.game) for step in office.round()]


def test_who_has_sent_his_orders_in_the_same_round_is_not_reminded_of_them(tmp_path: Path) -> None:
    office = two_games(tmp_path)
    code = next(
        one.code for one in office.house().seats if (one.game, one.seat) == ("second-0a1b2c", "north")
    )
    office.letter("north", "luck: seven drunken herons\n" + pull("north"), f"my move (code {code})")
    office.round()
    (sent,) = office.queued("remind-")
    assert sent.subject.startswith("[tug-0a1b2c]") and not office.queued("reminders-")
