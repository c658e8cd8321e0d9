"""Two friends: one plays and runs the program, the other has a key; a whole game through the real path."""

from __future__ import annotations

from table import Table, pull

from pbem.referee.game.refusal import Refused
from pbem.referee.proving.verify import verify


def play_on(table: Table, most: int = 60) -> list[tuple[int, tuple[str, ...]]]:
    """Play until the game is over: everybody pulls, the one who is asked lets go."""
    slots = []
    for _ in range(most):
        game = table.open()
        if game.ledger.over:
            break
        announced = game.announced()
        for seat in announced["waits"]:
            if game.questions:
                question = game.questions[0]["id"]
                table.orders(
                    seat,
                    f"answers:\n  {question}: let-go\nluck: answer {announced['slot']} of mine\n",
                    auto_lock=False,
                )
            else:
                table.orders(seat, pull(seat, f"luck: words for slot {announced['slot']}\n"), auto_lock=False)
        asked = table.lock().asked
        for seat in asked:
            table.go(seat, f"words for the go {announced['slot']}")
        done = table.resolve()
        slots.append((done.slot, done.phases))
    return slots


def test_a_whole_game_is_played_and_verified(table: Table) -> None:
    table.started()
    slots = play_on(table)
    assert table.open().ledger.over
    assert slots[0][0] == 1
    assert slots[0][1][:2] == ("t1.north.jeering", "t1.north.pulling")
    verdict = verify(table.game)
    assert (verdict.verdict, verdict.failures, verdict.replayed) == ("pass", (), True), verdict.lines
    assert verdict.dice > 3
    assert {line.foreknowledge for line in verdict.trust} <= {
        "known beforehand only to both sides together",
        "no dice",
    }


def test_the_gm_player_needs_a_go_and_the_other_does_not(table: Table) -> None:
    table.started()
    table.orders("north", pull("north"))
    locked = table.lock()
    assert (locked.slot, locked.asked, locked.files) == (1, ("south",), ("north",))
    try:
        table.resolve()
    except Refused as refusal:
        assert (refusal.answer, str(refusal)) == (3, "resolve.go-missing")
    else:
        raise AssertionError("resolved without a go")
    table.go("south")
    assert table.resolve().slot == 1
