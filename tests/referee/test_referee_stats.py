"""What a club comes to in numbers: how soon players answer, misses, ends, dice; with words about few of them."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from hunting_table import FIRST, HOUNDS, HuntingTable
from msgspec.structs import replace
from office_table import OfficeTable
from table import pull

from pbem.proof.luck import SizeLuck, as_far_off
from pbem.referee.mail.club_figures import ClubFigures, facts, of_club
from pbem.referee.mail.figures import GameFigures, SeatFigures, figures
from pbem.referee.mail.office import Trouble
from pbem.referee.mail.stats_table import lines
from pbem.referee.mail.umpire_time import absent, pause, resume

HOUR = 3600


@pytest.fixture
def office(tmp_path: Path) -> OfficeTable:
    return OfficeTable(tmp_path)


def club(office: OfficeTable) -> ClubFigures:
    troubles: list[Trouble] = []
    found = of_club(figures(office.env, office.root, troubles))
    assert troubles == []
    return found


def test_answers_take_from_the_open_turn_to_the_arrival_of_the_letter(office: OfficeTable) -> None:
    office.count = 2  # with these secrets nobody is asked for words
    office.started(keyed=(), umpire=True)
    office.round()
    began = office.moment
    took: dict[str, list[int]] = {"north": [], "south": []}
    for number, hours in enumerate((5, 30), 1):
        (seat,) = office.open().announced()["waits"]
        opened = office.moment if number > 1 else began
        office.later(hours=hours)
        arrived = office.moment
        office.letter(seat, pull(seat) + f"luck: seven drunken herons {number}\n")
        office.later(hours=2)  # the round that reads it comes later
        office.round()
        assert office.open().ledger.state_slot == number
        took[seat].append(int((arrived - opened).total_seconds()))
    found = {one.person: one for one in club(office).players}
    for seat, player in (("north", "nora"), ("south", "sam")):
        # the record that opened the turn is a few minutes older than the moment after its round
        near = zip(found[player].answers, sorted(took[seat]), strict=True)
        assert all(abs(a - b) <= 600 for a, b in near), (found[player].answers, took[seat])
        assert found[player].median is None and lines_of(office, found[player].name)[4] == ""
    assert dict(club(office).steps())["6h"] == 1 and dict(club(office).steps())["2-days"] == 1


def test_pauses_and_leave_are_nobodys_time(office: OfficeTable) -> None:
    office.count = 2  # with these secrets nobody is asked for words
    office.started(keyed=(), umpire=True)
    (seat,) = office.open().announced()["waits"]
    opened = office.moment
    first = (opened + timedelta(days=1)).date()
    absent(office.env, office.game, "holidays", seat, first, first + timedelta(days=1), anyway=True)
    office.later(days=4)
    pause(office.env, office.game, "a wedding")
    office.later(hours=30)
    resume(office.env, office.game, "they are married")
    office.letter(seat, pull(seat) + "luck: seven drunken herons\n")
    whole = (office.moment - opened).total_seconds()
    office.round()
    ((took,),) = [one.answers for one in club(office).players if one.answers]
    assert abs(took - (whole - 30 * HOUR - 48 * HOUR)) <= 600


def lines_of(office: OfficeTable, name: str) -> list[str]:
    from pbem.referee.mail.stats_table import row

    return row(next(one for one in club(office).players if one.name == name))


def test_who_is_late_has_a_miss_and_no_answer(office: OfficeTable) -> None:
    office.started(keyed=(), umpire=True)
    office.round()
    (seat,) = office.open().announced()["waits"]
    office.later(days=5)
    office.round()
    found = {one.name.lower(): one for one in club(office).players}
    assert (found[seat].misses, found[seat].answers) == (1, ())


def test_an_undone_turn_does_not_count(office: OfficeTable) -> None:
    from pbem.referee.turn.undo import undo

    office.count = 2  # with these secrets nobody is asked for words
    office.started(keyed=(), umpire=True)
    office.round()
    for number in (1, 2):
        (seat,) = office.open().announced()["waits"]
        office.letter(seat, pull(seat) + f"luck: seven drunken herons {number}\n")
        office.round()
    assert office.open().ledger.state_slot == 2
    before = len(club(office).answers)
    undo(office.env, office.game, 2, "a mistake")
    assert len(club(office).answers) == before - 1


# --- together


def seat(name: str, player: str = "", **more: object) -> SeatFigures:
    made = SeatFigures("west", player, name, "West", (), 0, 0, ())
    return replace(made, **more)


def game(id_: str, *seats: SeatFigures, winner: str | None = None) -> GameFigures:
    return GameFigures(id_, "Toll", seats, winner is not None, winner or "")


def test_one_person_is_one_in_all_games() -> None:
    found = of_club(
        [
            game("a", seat("Fay", "fay", answers=(HOUR, 9 * HOUR)), seat("Ann", side="East")),
            game("b", seat("fay", answers=(2 * HOUR,), misses=2), winner="West"),
            game("c", seat("Ann", side="East"), seat("Fay", "fay"), winner=""),
        ]
    )
    ann, fay = found.players
    assert (ann.name, ann.games, ann.won) == ("Ann", 2, 0)
    assert (fay.name, fay.games, fay.over, fay.won, fay.misses) == ("Fay", 3, 2, 1, 2)
    assert (fay.median, fay.longest) == (2 * HOUR, 9 * HOUR)
    (end,) = found.ends
    assert (end.over, dict(end.won), end.nobody) == (2, {"West": 1, "East": 0}, 1)


def test_dice_of_all_games_are_told_with_what_chance_does_to_so_many() -> None:
    ten = SizeLuck(10, 30, 240, 1, 9)
    found = of_club(
        [
            game(
                "a", seat("Fay", dice=(ten,)), seat("Ann", side="East", dice=(SizeLuck(10, 30, 165, 3, 3),))
            ),
            game("b", seat("Fay", dice=(SizeLuck(10, 10, 80, 0, 3), SizeLuck(6, 1, 3, 0, 0)))),
        ]
    )
    fay = found.players[1]
    assert fay.dice == (SizeLuck(6, 1, 3, 0, 0), SizeLuck(10, 40, 320, 1, 12))
    assert fay.chance == as_far_off(fay.dice)
    assert fay.corrected is not None and fay.chance is not None and fay.corrected > fay.chance
    said = " ".join(lines(found, 2))
    assert "It proves nothing, and few dice say nothing." in said and "among 2 players" in said
    assert [one["name"] for one in facts(found)["players"]] == ["Ann", "Fay"]


def test_the_dice_of_a_game_that_hides_something_are_not_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = HuntingTable(tmp_path)
    (tmp_path / "pbem.toml").write_text('[office]\nname = "Club"\naddress = "club@example.org"\n')
    table.hunt()
    table.play(HOUNDS, FIRST)
    monkeypatch.setattr("pbem.referee.mail.figures.luck", lambda ledger: pytest.fail("dice were counted"))
    (found,) = figures(table.env, table.root, [])
    assert all(one.dice == () for one in found.seats)


def test_an_office_without_a_game(office: OfficeTable) -> None:
    assert list(lines(club(office), 0)) == ["There is no game here that has begun."]
