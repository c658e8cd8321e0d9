"""Words of the GM beside those on time: honest ones pass and are told, others have their code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from proof_simulator import Referee
from test_proof_amending import MELEE, both, first_code, judged, three, turn

from pbem.proof.acts import acts
from pbem.proof.ledger import read_ledger
from pbem.proof.snapshot import put_down, taken_up

NEW = {"seat": "blue", "player": "dora"}
DRAW: dict[str, Any] = {"how": "agreed", "by": ["blue", "green", "red"]}
WON: dict[str, Any] = {"how": "resigned", "by": ["blue"], "winner": "green"}


def spoken(does: str, slot: int = 0, **said: Any) -> Referee:
    game = three()
    game.word(does, slot=slot, **said)
    return game


def reopened(**end: Any) -> Referee:
    """A game that was ended, goes on with the same slot, and is played."""
    game = spoken("end", **end)
    game.word("reopen")
    turn(game, "green")
    return game


def ended_twice() -> Referee:
    game = reopened(**DRAW)
    game.word("end", **WON)
    return game


def locked(values: bool = False) -> Referee:
    """A game that waits for a go of blue; or for nobody."""
    game = three()
    game.order("green", x=values)
    game.lock(**({} if values else {"blue": "go", "green": "go"}))
    return game


def ended_locked(*, values: bool = False, then: str = "") -> Referee:
    game = locked(values)
    game.word("end", slot=game.slot, **DRAW)
    if then == "reopen":
        game.word("reopen", slot=game.slot)
    elif then == "undo":
        game.undo(2, both(game, to=2))
    return game


def after_the_end(does: str, **said: Any) -> Referee:
    game = spoken("end", **DRAW)
    game.word(does, **said)
    return game


def locked_after_the_end() -> Referee:
    game = spoken("end", **DRAW)
    turn(game, "green")
    return game


def undone() -> Referee:
    """What a word has ended is taken back like any end; there is nothing left to reopen."""
    game = spoken("end", **DRAW)
    game.undo(2, both(game, to=2))
    return game


def reopened_after_undo() -> Referee:
    game = undone()
    game.word("reopen", slot=3)
    return game


WORDS: dict[str, tuple[str | None, Callable[[], Referee]]] = {
    "said": (None, lambda: spoken("say", why="the deadline stays")),
    "a substitute": (None, lambda: spoken("substitute", **NEW, was="ben", until="2026-03-01T20:00:00Z")),
    "a substitute for nobody": (None, lambda: spoken("substitute", **NEW)),
    "an agreed draw": (None, lambda: spoken("end", **DRAW)),
    "a resignation": (None, lambda: spoken("end", **WON)),
    "adjudicated": (None, lambda: spoken("end", how="adjudicated", by=[], winner="blue")),
    "ended and reopened": (None, lambda: reopened(**DRAW)),
    "ended twice": (None, ended_twice),
    "ended while a go is waited for": (None, ended_locked),
    "ended and taken back": (None, undone),
    "ended with a lock, and taken back": (None, lambda: ended_locked(then="undo")),
    "ended with a lock that has its values": ("E06", lambda: ended_locked(values=True)),
    "reopened after a lock was lost": ("E06", lambda: ended_locked(then="reopen")),
    "reopened after an undo": ("E06", reopened_after_undo),
    "reopened and never ended": ("E06", lambda: spoken("reopen")),
    "reopened at another slot": ("E06", lambda: after_the_end("reopen", slot=7)),
    "a lock after the end": ("E06", locked_after_the_end),
    "a word after the end": ("E06", lambda: after_the_end("say", slot=3)),
    "a second end": ("E06", lambda: after_the_end("end", slot=3, **WON)),
    "of a slot that is over": ("E06", lambda: spoken("say", slot=2)),
    "of a slot to come": ("E06", lambda: spoken("end", slot=4, **DRAW)),
    "an end that nobody explains": ("E27", lambda: spoken("end", by=[])),
    "an end of some other kind": ("E27", lambda: spoken("end", how="bored", by=[])),
    "an end that a seat wins": ("E27", lambda: spoken("end", how="adjudicated", by=[], winner="pink")),
    "an end that strangers asked for": ("E27", lambda: spoken("end", how="agreed", by=["pink"])),
    "an end by whom": ("E27", lambda: spoken("end", how="agreed")),
    "a substitute for no seat": ("E27", lambda: spoken("substitute", player="dora")),
    "a substitute for a seat that there is not": ("E27", lambda: spoken("substitute", seat="pink", player="dora")),
    "a substitute without a name": ("E27", lambda: spoken("substitute", seat="blue")),
    "a substitute with a long name": ("E27", lambda: spoken("substitute", seat="blue", player="d" * 33)),
    "said of a seat": ("E27", lambda: spoken("say", seat="blue")),
    "a winner of nothing": ("E27", lambda: spoken("say", winner="blue")),
    "another deed": ("E27", lambda: spoken("curse")),
}  # fmt: skip


@pytest.mark.parametrize("name", WORDS)
def test_a_word(name: str) -> None:
    code, build = WORDS[name]
    assert first_code(build()) == code


def test_words_are_told() -> None:
    game = spoken("substitute", **NEW, was="ben", until="2026-03-01T20:00:00Z", why="ill")
    game.word("say", why="be kind")
    game.word("end", **WON, why="")
    game.word("reopen")
    game.word("end", how="adjudicated", by=[])
    assert [one.said for one in acts(read_ledger(game.archive)) if one.kind == "word"] == [
        "substitute of blue by dora, before ben, until 2026-03-01T20:00:00Z at slot 3, on the word of the GM: ill",
        "say at slot 3, on the word of the GM: be kind",
        "end resigned, won by green, asked by blue at slot 3, on the word of the GM",
        "reopen at slot 3, on the word of the GM: it is time",
        "end adjudicated, draw at slot 3, on the word of the GM: it is time",
    ]


def test_an_end_opens_nothing_and_a_reopened_game_goes_on_where_it_was() -> None:
    before = read_ledger(three().archive)
    ended = read_ledger(spoken("end", **DRAW).archive)
    assert ended.over and ended.open_slot is None and ended.state == before.state
    game = spoken("end", **DRAW)
    game.word("reopen")
    again = read_ledger(game.archive)
    assert not again.over and (again.next, again.next_id) == (before.next, before.next_id)
    turn(game, "green")
    verdict = judged(game)
    assert (verdict.exit_code, verdict.failures) == (0, ())


def test_a_lock_without_a_result_is_lost_with_the_end() -> None:
    ledger = read_ledger(ended_locked().archive)
    assert ledger.over and ledger.locked is None and ledger.slots[3].undone
    assert ledger.ended is not None and not ledger.ended.can_reopen


@pytest.mark.parametrize("build", [lambda: spoken("end", **WON), ended_locked, lambda: reopened(**DRAW)])
def test_an_end_is_put_down_and_taken_up(build: Callable[[], Referee]) -> None:
    game = build()
    ledger = read_ledger(game.archive)
    records = {(one.path, one.id): one.record for one in ledger.records}
    again = taken_up(put_down(ledger), game.archive, lambda path, id_: records[path, id_])
    assert (again.ended, again.over, again.next) == (ledger.ended, ledger.over, ledger.next)


def test_what_is_rolled_after_an_end_counts_no_more() -> None:
    game = ended_twice()
    assert [roll.label for roll in read_ledger(game.archive).rolls_of(MELEE)] == [
        f"{MELEE}/a{n}" for n in (1, 2, 3)
    ]
