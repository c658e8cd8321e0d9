"""An office with games of two rulesets: whose a letter is is found by the words of both, what it says by
those of its game alone.
"""

from __future__ import annotations

from pathlib import Path

from office_table import OfficeTable

from pbem.referee.game.vocabularies import keys_of, keys_of_all
from pbem.referee.turn.new import SeatWish, new


def test_a_letter_is_read_by_the_words_of_its_own_game(tmp_path: Path) -> None:
    office = OfficeTable(tmp_path)
    office.started(keyed=(), umpire=True)
    wishes = [SeatWish(side, side, side.capitalize()) for side in ("east", "west")]
    new(office.env, "alder-ford", office.root / "ford", wishes, name="ford-0a1b2c", umpire=True)
    house = office.house()
    both = keys_of_all(served.game for served in house.games.values())
    own = keys_of(office.open())
    assert {"pull", "fight"} < set(both.sections) and "fight" not in own.sections
    (seat,) = office.open().announced()["waits"]
    office.letter(seat, f"Jeering\n- {seat}-team jeers\nmelee\n{seat}-team pulls at the rope\n")
    steps = [step.what for step in office.round()]
    assert "refused" in steps or "taken" in steps
    told = office.newest("reply-").text
    assert "fight" not in told and "sections are setup, shoot" not in told
    office.letter(seat, f"Jeering\n- {seat}-team jeers\nHeave\n{seat}-team pulls\n")
    assert "taken" in [step.what for step in office.round()]
    (stored,) = sorted((office.game / "mail").glob("s0001-*.txt"))[-1:]
    assert b"jeer:\n" in stored.read_bytes() and b"pull:\n" in stored.read_bytes()
