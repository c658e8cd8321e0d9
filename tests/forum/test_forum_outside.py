"""A game that stands outside pbem is played in a thread: its orders are found in posts, and its reports
posted.
"""

from __future__ import annotations

from pathlib import Path

from farm_table import DUSK, HENHOUSE
from forum_table import ForumTable

from pbem.referee.turn.admit import admit_words
from pbem.referee.turn.new import SeatWish, new

SEATS = {"foxes": "Nora", "hens": "Sam"}


def test_it_is_played_on_a_forum(tmp_path: Path) -> None:
    table = ForumTable(tmp_path)
    new(
        table.env,
        str(HENHOUSE),
        table.game,
        [SeatWish(seat, seat, seat.capitalize()) for seat in SEATS],
        name="farm-0a1b2c",
        umpire=True,
    )
    for seat in SEATS:
        admit_words(table.env, table.game, seat, "yes, I play")
    table.post("Nora", DUSK["foxes"] + "final: yes")
    table.post("Sam", DUSK["hens"] + "final: yes")
    table.read(authors=SEATS)
    table.resolve()
    assert str(table.open().ground.rules.interface.cursor(table.open().state)) == "d1.t1.foxes.stalking"
    posted = table.report()
    assert "Rusty is in the orchard now" in posted.html
    assert "shot" not in posted.html
    wrong = table.post("Nora", "prowl:\n- rusty slinks to moon\nluck: seven drunken herons")
    (step,) = [one for one in table.read(authors=SEATS) if one.answer]
    assert wrong.number
    assert "there is no place called moon" in table.answer(step)
