"""What the umpire changes in his settings is told, once, to whom it concerns; who comes in for another has
all that he needs.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from office_table import ADDRESSES, OfficeTable
from table import pull

CARL = "carl@example.com"


@pytest.fixture
def office(tmp_path: Path) -> OfficeTable:
    return OfficeTable(tmp_path)


def begun(office: OfficeTable, **more: object) -> str:
    office.started(**{"keyed": (), "umpire": True, **more})
    office.round()
    return str(office.open().announced()["waits"][0])


def settings(office: OfficeTable, more: str = "", **replaced: str) -> None:
    """Write into the settings as an umpire does: a text in the place of another, more of
    the game at the end.
    """
    path = office.root / "pbem.toml"
    text = path.read_text().partition("[games.")[0]
    for old, new in replaced.items():
        text = text.replace(old, new)
    path.write_text(text + (f"[games.{office.open().id}]\n{more}\n" if more else ""))


def substitute(office: OfficeTable, seat: str) -> None:
    path = office.root / "pbem.toml"
    path.write_text(f'{path.read_text()}[players.carl]\nname = "Carl"\naddress = "{CARL}"\n')
    settings(office, f'seats = {{ {seat} = "carl" }}')


def flat(text: str) -> str:
    return " ".join(text.split())


def changes(office: OfficeTable) -> dict[str, str]:
    """Return the letters about changes by whom they went to, the last of each."""
    return {sent.to: flat(f"{sent.subject} {sent.text}") for sent in office.queued("change-")}


def test_who_takes_a_seat_over_gets_the_turn_the_sheet_and_a_code_of_his_own(office: OfficeTable) -> None:
    seat = begun(office)
    other = "south" if seat == "north" else "north"
    before = office.code(seat)
    office.letter(seat, pull(seat))
    office.round()
    substitute(office, seat)
    steps = [(step.what, step.said) for step in office.round()]
    assert sorted(steps) == sorted(("told", to) for to in (CARL, *ADDRESSES.values()))
    side, told = seat.capitalize(), changes(office)
    code = office.code(seat)
    assert code != before
    came = told[f"Carl <{CARL}>"]
    assert (
        f"You play {side} from now on, in the place of {side}" in came and f"Your own code is {code}" in came
    )
    assert f"{side} has sent orders for this turn" in came
    (letter,) = [sent for sent in office.queued("change-") if CARL in sent.to]
    assert any(part.get_filename("").endswith(".yaml") for part in letter.message.iter_attachments())
    assert f"From now on Carl plays {side}" in next(
        text for to, text in told.items() if ADDRESSES[other] in to
    )
    gone = next(text for to, text in told.items() if ADDRESSES[seat] in to)
    assert f"The umpire has given {side} to Carl" in gone and code not in gone and "You are" not in gone
    assert office.round() == []
    office.letter(seat, pull(seat) + "luck: seven drunken herons\n", sender=CARL)
    assert "resolved" in [step.what for step in office.round()]


def test_the_code_of_who_went_out_opens_nothing(office: OfficeTable) -> None:
    seat = begun(office)
    before = office.code(seat)
    substitute(office, seat)
    office.round()
    for sender in (CARL, ADDRESSES[seat]):
        office.letter(
            seat, pull(seat) + "luck: seven drunken herons\n", f"Re: your move (code {before})", sender=sender
        )
    assert not {"taken", "resolved"} & {step.what for step in office.round()}


def test_a_new_address_of_the_same_player_keeps_his_code_and_gets_the_turn(office: OfficeTable) -> None:
    seat = begun(office)
    before = office.code(seat)
    settings(office, **{ADDRESSES[seat]: "elsewhere@example.org"})
    office.round()
    (sent,) = office.queued("change-")
    assert "elsewhere@example.org" in sent.to and "as your address" in flat(sent.text)
    assert office.code(seat) == before
    assert office.round() == []


def test_who_is_put_in_before_the_game_begins_is_invited(office: OfficeTable) -> None:
    office.new(keyed=(), umpire=True)
    office.round()
    substitute(office, "south")
    office.round()
    told = changes(office)
    assert "invited" in told[f"Carl <{CARL}>"]
    office.letter("south", "Yes, I play!", sender=CARL)
    assert "joined" in [step.what for step in office.round()]


def test_a_hold_and_its_end_are_told_each_time(office: OfficeTable) -> None:
    begun(office)
    for _ in range(2):
        settings(office, "hold = true")
        assert [step.what for step in office.round()] == ["told", "told"]
        assert office.round() == []
        assert all(
            "The umpire has put this game on hold" in text and "nobody is late" in text
            for text in changes(office).values()
        )
        settings(office)
        assert [step.what for step in office.round()] == ["told", "told"]
        for text in changes(office).values():
            assert "The game goes on" in text and "The deadline: Wednesday 4 February 2026" in text
    assert len(office.queued("change-")) == 8


def test_another_deadline_is_told_with_the_one_it_was(office: OfficeTable) -> None:
    begun(office)
    settings(office, **{'length = "3 days"': 'length = "5 days"'})
    assert [step.what for step in office.round()] == ["told", "told"]
    told = changes(office)[f"North <{ADDRESSES['north']}>"]
    assert (
        "The deadline has changed" in told
        and "The deadline: Friday 6 February 2026, 21:00 (Europe/Berlin)" in told
    )
    assert "It was Wednesday 4 February 2026, 21:00 (Europe/Berlin)" in told
    assert office.round() == []


def test_a_turn_that_follows_is_no_change(office: OfficeTable) -> None:
    seat = begun(office)
    office.letter(seat, pull(seat) + "luck: seven drunken herons\n")
    office.round()
    assert office.round() == [] and office.queued("change-") == []
