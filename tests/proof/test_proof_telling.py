"""What verify says it does not prove: never nothing, never for a game that fails, and the seats and slots it
concerns by name.
"""

from __future__ import annotations

from proof_simulator import friends_game, umpire, umpire_game
from test_proof_honest import holds

from pbem.proof.archive import MemoryArchive
from pbem.proof.verdict_words import unproven
from pbem.proof.verify import verify

ALWAYS = (
    "That no letter was lost or held back: each player finds out with  pbem verify GAME --mine HIS-FOLDER",
    "When anything happened: times are what the GM wrote.",
    "That the rules of this program are those of the printed game: its tests "
    "and your own reading speak to that.",
)
NOT_PLAYED = (
    "That the dice were asked for by the rules and the orders: the rules were not played again in full."
)


def test_an_honest_game_of_three() -> None:
    verdict = verify(umpire_game().pack(), replay=holds)
    assert unproven(verdict) == (
        "That those whom a slot names as able to choose its dice did not: they "
        "could have, all of them together.",
        "That the orders and words of red are his: he has no key, and only he can tell.",
        ALWAYS[0],
        f"That everybody has this same history: compare the head {verdict.head_digest}, two copies with "
        "--with, or ask a log with --log.",
        *ALWAYS[1:],
    )
    assert verdict.keyless == ("red",)


def test_two_friends_whose_rules_were_not_played_again() -> None:
    said = unproven(verify(friends_game().archive, replay=None))
    assert said[0] == NOT_PLAYED
    assert said[1].startswith("That those whom a slot names kept their values to themselves: together")
    assert len(said) == 6


def test_a_gm_who_is_alone() -> None:
    game = umpire("gm")
    game.order("blue")
    game.lock()
    game.result([("t1.blue.melee/a", 6, 1)])
    said = unproven(verify(game.archive, replay=holds))
    assert (
        said[0]
        == "That the GM did not know the dice before the orders were fixed, slot 1: nobody else can say so."
    )
    assert not [line for line in said if "slot names" in line]


def test_what_fails_and_what_is_empty() -> None:
    game = friends_game()
    game.archive["rolls/s0001.jsonl"] = b""
    assert unproven(verify(game.archive, replay=holds)) == ()
    assert unproven(verify(MemoryArchive(), replay=holds)) == (NOT_PLAYED, *ALWAYS)


def test_a_note_of_the_gm_cannot_turn_the_line_around() -> None:
    """What verify prints of a note is spelt out where it cannot be seen."""
    game = umpire(start=lambda record: record.update(note="relied on for red: his \u202eetirw"))
    said = "\n".join(unproven(verify(game.archive, replay=holds)))
    assert "The GM says he relied on his \\u202eetirw (the join)." in said
