"""Two copies of a game: only two histories that the same game master signed are a fork, for anybody can
change a copy.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from proof_simulator import Referee, friends, line, private
from test_proof_amending import MELEE, three, turn
from test_proof_rekeying import rekeyed

from pbem.proof import archive as names
from pbem.proof.archive import MemoryArchive
from pbem.proof.canonical import decode, encode
from pbem.proof.comparing import FORK, SAME, UNSHOWN, Comparison, compare
from pbem.proof.ledger import read_ledger
from pbem.proof.signing import sign

RESULT = "ledger/00004-s0001-result.json"


def compared(one: MemoryArchive, other: MemoryArchive) -> Comparison:
    found, back = (
        compare(read_ledger(first), read_ledger(second)) for first, second in ((one, other), (other, one))
    )
    assert (found.word, found.shared, found.heads) == (back.word, back.shared, back.heads[::-1])
    return found


def played(label: str = "a", slots: int = 1) -> Referee:
    game = friends()
    for _ in range(slots):
        turn(game, "blue", label, following="blue")
    return game


def resigned(data: bytes, key: str, path: str = RESULT) -> MemoryArchive:
    """The game with another result, signed by somebody."""
    archive = MemoryArchive(played(slots=2).archive)
    archive[path] = data
    archive[names.sig_path(path)] = sign(private(key), names.gm_namespace("siege-0a1b2c"), data).encode()
    return archive


def other_result() -> bytes:
    return encode({**decode(played().archive[RESULT]), "note": "another history"})


def test_one_history() -> None:
    found = compared(played(slots=1).archive, played(slots=3).archive)
    assert (found.word, found.answer, found.same, found.shared, found.lengths) == (SAME, 0, True, 4, (4, 8))
    assert compared(played().archive, played().archive).same


def test_two_results_of_one_slot_are_a_fork() -> None:
    found = compared(played("a", 2).archive, played("b", 2).archive)
    assert (found.word, found.answer, found.shared, found.why) == (FORK, 1, 3, "")


def test_a_fork_is_one_however_the_copies_go_on() -> None:
    other = resigned(other_result(), "gm")
    del other["ledger/00005-s0002-lock.json"]
    assert compared(played(slots=2).archive, other).word == FORK


def test_a_fork_after_a_rekey_is_signed_with_the_new_key() -> None:
    def game(label: str) -> Referee:
        made = rekeyed(three(), ("blue", "green"), "gm", key=line("gm2"))
        turn(made, "blue", label)
        return made

    assert compared(game("a").archive, game("b").archive).word == FORK
    other = game("b")
    path = "ledger/00009-s0003-result.json"
    other.signs.clear()
    other.put(path, other.archive[path], "gm", names.gm_namespace(other.game))
    assert compared(game("a").archive, other.archive).word == UNSHOWN


CHANGED: dict[str, Callable[[], MemoryArchive]] = {
    "not signed again": lambda: MemoryArchive({**played(slots=2).archive, RESULT: other_result()}),
    "signed by a stranger": lambda: resigned(other_result(), "stranger"),
    "signed by blue": lambda: resigned(other_result(), "blue"),
    "no record any more": lambda: resigned(b"{}\n", "gm"),
    "not canonical": lambda: resigned(played().archive[RESULT] + b" ", "gm"),
}


@pytest.mark.parametrize("name", CHANGED)
def test_a_changed_copy_accuses_nobody(name: str) -> None:
    found = compared(played(slots=2).archive, CHANGED[name]())
    assert (found.word, found.answer, found.shared) == (UNSHOWN, 3, 3)
    assert "record 4 of the" in found.why
    assert "has no good signature of its game master" in found.why


def test_a_game_of_the_same_name_accuses_nobody() -> None:
    game = friends(manifest=lambda record: record.update(key=line("stranger")))
    found = compared(played().archive, game.archive)
    assert (found.word, found.answer, found.shared) == (UNSHOWN, 3, 0)
    assert found.why.startswith("the copies begin with the keys of two game masters")


def test_two_games_and_none() -> None:
    other = Referee([{"seat": "blue", "side": "blue", "by": "player"}], game="siege-ffffff").open(
        MELEE, ["blue"]
    )
    found = compare(read_ledger(played().archive), read_ledger(other.archive))
    assert (found.word, found.why) == (UNSHOWN, "two games, siege-0a1b2c and siege-ffffff")
    found = compare(read_ledger(played().archive), read_ledger(MemoryArchive()))
    assert (found.word, found.heads[1], found.lengths) == (UNSHOWN, "-", (4, 0))
