"""Words of the GM on the time of a game: honest ones pass and are told, others have their code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from proof_simulator import Referee
from test_proof_amending import MELEE, both, first_code, judged, three, turn

from pbem.proof.acts import acts
from pbem.proof.ledger import read_ledger

AWAY = {"seat": "blue", "first": "2026-03-01", "last": "2026-03-05", "zone": "Europe/Berlin"}
UNTIL = "2026-03-01T20:00:00Z"


def spoken(does: str, **said: str) -> Referee:
    game = three()
    game.time(does, **said)
    return game


def changed(does: str, **change: Any) -> Referee:
    game = three()
    game.time(does, lambda record: record.update(change))
    return game


def all_of_them() -> Referee:
    """A word of each kind, some with a lock open, and the game goes on."""
    game = three()
    game.time("extend", until=UNTIL)
    game.time("pause")
    game.time("resume", why="")
    game.time("absent", **AWAY)
    turn(game, "green")
    game.order("green", x=True)
    game.lock()
    game.time("extend", slot=game.slot, until=UNTIL)
    game.result([(f"{MELEE}/b{game.slot}", 6, 1)], following=(MELEE, ["blue"]))
    return game


def taken_back() -> Referee:
    game = spoken("pause")
    game.undo(2, both(game, to=2))
    game.time("resume")
    return game


TIMES: dict[str, tuple[str | None, Callable[[], Referee]]] = {
    "of each kind": (None, all_of_them),
    "before and after an undo": (None, taken_back),
    "the last record": (None, lambda: spoken("extend", until=UNTIL)),
    "no moment": ("E27", lambda: spoken("extend")),
    "a moment of a pause": ("E27", lambda: spoken("pause", until=UNTIL)),
    "a seat of a pause": ("E27", lambda: spoken("pause", seat="blue")),
    "away, nobody says who": ("E27", lambda: spoken("absent", **{key: said for key, said in AWAY.items() if key != "seat"})),
    "away, and until when": ("E27", lambda: spoken("absent", until=UNTIL, **AWAY)),
    "away, a seat that there is not": ("E27", lambda: spoken("absent", **{**AWAY, "seat": "pink"})),
    "away, on no day": ("E27", lambda: spoken("absent", **{**AWAY, "first": "2026-13-01"})),
    "another deed": ("E27", lambda: spoken("hurry")),
    "no reason": ("E27", lambda: changed("pause", why=7)),
    "of a slot that is over": ("E06", lambda: (game := three()).time("pause", slot=game.slot) or game),
    "of a slot to come": ("E06", lambda: (game := three()).time("pause", slot=game.slot + 2) or game),
    "of another game": ("E05", lambda: changed("pause", game="another-game")),
    "out of its place": ("E04", lambda: changed("pause", prev="0" * 64)),
}  # fmt: skip


@pytest.mark.parametrize("name", TIMES)
def test_a_word_on_time(name: str) -> None:
    code, build = TIMES[name]
    assert first_code(build()) == code


def test_an_unsigned_word_is_no_word() -> None:
    game = spoken("pause")
    path = max(path for path in game.archive if path.endswith("-time.json.sig"))
    del game.archive[path]
    assert first_code(game) == "E02"


def test_words_on_time_are_told_and_change_no_state() -> None:
    game = all_of_them()
    told = [one.said for one in acts(read_ledger(game.archive)) if one.kind == "time"]
    assert told == [
        f"extend until {UNTIL} at slot 3, on the word of the GM: holidays",
        "pause at slot 3, on the word of the GM: holidays",
        "resume at slot 3, on the word of the GM",
        "absent of blue, 2026-03-01 to 2026-03-05 at slot 3, on the word of the GM: holidays",
        f"extend until {UNTIL} at slot 4, on the word of the GM: holidays",
    ]
    silent = three()
    turn(silent, "green")
    assert not judged(game).failures and not judged(silent).failures
    assert (
        read_ledger(game.archive).slots[3].state_before == read_ledger(silent.archive).slots[3].state_before
    )
