"""A game that stands outside pbem is played by letters: with its own sections, sentences,
places and words.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from farm_table import DUSK, HENHOUSE
from office_table import OfficeTable

from pbem.referee.turn.admit import admit_words
from pbem.referee.turn.new import SeatWish, new

SEATS = {"foxes": "nora", "hens": "sam"}


class FarmOffice(OfficeTable):
    """An office whose only game is played on the farm."""

    def letters_of(self, seat: str) -> list[str]:
        address = {"foxes": "nora@example.org", "hens": "sam@example.net"}[seat]
        return [one.text for one in self.queued() if address in one.to]

    def write(self, seat: str, body: str) -> None:
        address = {"foxes": "nora@example.org", "hens": "sam@example.net"}[seat]
        self.later(hours=1)
        self.letter(seat, body, sender=address)
        self.round()


@pytest.fixture(name="office")
def office_fixture(tmp_path: Path) -> FarmOffice:
    table = FarmOffice(tmp_path)
    wishes = [SeatWish(seat, seat, seat.capitalize()) for seat in SEATS]
    new(table.env, str(HENHOUSE), table.game, wishes, name="farm-0a1b2c", umpire=True)
    for seat in SEATS:
        admit_words(table.env, table.game, seat, "yes, I play")
    text = (tmp_path / "pbem.toml").read_text()
    seats = "".join(f'{seat} = "{player}"\n' for seat, player in SEATS.items())
    (tmp_path / "pbem.toml").write_text(text + f"\n[games.farm-0a1b2c.seats]\n{seats}")
    table.round()
    return table


def test_it_is_played_by_letters(office: FarmOffice) -> None:
    office.write("foxes", DUSK["foxes"] + "final: yes\n")
    office.write("hens", "bed-down:\nhetty settles in barn\nfinal: yes\n")
    assert str(office.open().ground.rules.interface.cursor(office.open().state)) == "d1.t1.foxes.stalking", (
        office.letters_of("hens")[-1]
    )
    office.write("foxes", "Prowl:\n* rusty slinks to barn\n* sooty listens\nluck: seven drunken herons\n")
    assert str(office.open().ground.rules.interface.cursor(office.open().state)) == "d1.t1.hens.pecking", (
        office.letters_of("foxes")[-1]
    )
    told = "\n".join(office.letters_of("hens"))
    assert "Rusty is in the barn now" in told
    assert "Night 1, watch 1, Hens to move" in "\n".join(one.subject for one in office.queued())


def test_mistakes_are_answered_in_its_words(office: FarmOffice) -> None:
    office.write("foxes", "bed-down:\n- rusty settles in moon\nfinal: yes\n")
    assert "there is no place called moon" in "\n".join(office.letters_of("foxes"))
