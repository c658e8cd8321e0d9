"""A game whose dice wait for a beacon: locked, noted, resolved from a file or a relay, and everything that
may come between.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from rounds import ROUNDS, answer, locked
from table import Table, pull
from test_referee_protocol import refused

from pbem.proof.beacon import QUICKNET
from pbem.proof.orderfile import parse
from pbem.referee.proving.verify import verify
from pbem.referee.turn.beacon import note_seen, read_round, unsaid
from pbem.referee.turn.consent import make, take
from pbem.referee.turn.resolve import preview
from pbem.referee.turn.undo import undo


def relays(*said: bytes | str) -> Any:
    def fetch(chain: str, number: int) -> Iterator[tuple[str, bytes | str]]:
        assert chain == QUICKNET["chain"]
        yield from ((f"relay{place}", one) for place, one in enumerate(said))

    return fetch


def nobody(chain: str, number: int) -> Iterator[tuple[str, bytes | str]]:
    raise AssertionError("no relay is to be asked")


@pytest.fixture
def waiting(table: Table) -> Table:
    return locked(table)


def out(table: Table) -> None:
    """Let the round come out."""
    table.moment += timedelta(hours=2)


def test_the_lock_names_the_round_and_asks_nobody(waiting: Table) -> None:
    found = waiting.lock()
    assert found.asked == ()
    assert found.round is not None
    assert (found.round.number, found.round.at) == (657413, "2023-09-15T11:00:03Z")


def test_dice_with_the_round_of_the_lock(waiting: Table) -> None:
    out(waiting)
    done = waiting.resolve(fetch=relays(answer(657413, ROUNDS["657413"])))
    assert done.rolls >= 1
    verdict = verify(waiting.game)
    assert (verdict.verdict, verdict.failures) == ("pass", ())
    result = waiting.open().ledger.slots[1].result
    assert result is not None
    assert result["beacon"] == {"round": 657413, "sig": ROUNDS["657413"]}


def test_the_seed_hangs_on_the_round(table: Table, tmp_path: Path) -> None:
    seeds = set()
    for number in ("657413", "1000"):
        other = Table(tmp_path / number)
        locked(other, number)
        out(other)
        other.resolve(fetch=relays(answer(int(number), ROUNDS[number])))
        seeds.add(other.open().ledger.seed)
        assert verify(other.game).failures == ()
    assert len(seeds) == 2


def test_before_its_time_nobody_is_asked(waiting: Table) -> None:
    waiting.moment = datetime(2023, 9, 15, 10, 58, 0)
    early = refused(waiting.resolve, fetch=nobody)
    assert (early.answer, early.problems[0].code) == (3, "beacon.early")
    assert early.problems[0].args == {"slot": 1, "round": 657413, "at": "2023-09-15T11:00:03Z"}


def test_relays_that_lie_answer_another_round_or_nothing(waiting: Table) -> None:
    out(waiting)
    lies = [
        "it takes too long",
        answer(657413, ROUNDS["1000"]),
        answer(1000, ROUNDS["1000"]),
        b"\xff\x00 junk",
        b"[" * 4000,
        answer(657413, "zz" * 48),
        b'{"round": true, "signature": "00"}',
    ]
    missing = refused(waiting.resolve, fetch=relays(*lies))
    assert (missing.answer, missing.problems[0].code) == (3, "beacon.missing")
    told = missing.problems[0].help.split("; ")
    assert told == [
        "relay0: it takes too long",
        "relay1: its signature does not hold",
        *(f"relay{place}: it does not answer this round" for place in range(2, 7)),
        "try again later, or give the round with --beacon-file",
    ]
    assert waiting.open().ledger.locked is not None, "the slot waits"
    assert waiting.resolve(fetch=relays(*lies, answer(657413, ROUNDS["657413"]), "not asked")).rolls >= 1


@pytest.mark.parametrize("text", ["{}", "plain", "plain upper"])
def test_a_round_from_a_file(waiting: Table, tmp_path: Path, text: str) -> None:
    path = tmp_path / "round.json"
    path.write_bytes(answer(1000, ROUNDS["1000"]))
    wrong = refused(waiting.resolve, beacon_file=path, fetch=nobody)
    assert (wrong.answer, wrong.problems[0].code) == (1, "beacon.file")
    path.write_text(ROUNDS["1000"])
    assert refused(waiting.resolve, beacon_file=path, fetch=nobody).problems[0].code == "beacon.file"
    right = {
        "{}": answer(657413, ROUNDS["657413"]).decode(),
        "plain": ROUNDS["657413"] + "\n",
        "plain upper": ROUNDS["657413"].upper(),
    }
    path.write_text(right[text])
    assert waiting.resolve(beacon_file=path, fetch=nobody).rolls >= 1
    assert verify(waiting.game).verdict == "pass"


def test_a_slot_without_dice_waits_for_nothing(table: Table) -> None:
    table.started(beacon=3600)
    table.orders("north", "pull:\n- north-team rests\n")
    done = table.resolve(fetch=nobody)
    assert done.rolls == 0
    assert verify(table.game).verdict == "pass"


def test_a_preview_needs_no_beacon(waiting: Table, tmp_path: Path) -> None:
    assert preview(waiting.env, waiting.game, tmp_path / "scratch").rolls >= 1


def test_a_slot_that_waits_for_ever_can_be_taken_back(waiting: Table) -> None:
    take(waiting.game, make(waiting.open(), waiting.key("south"), {"to": 1}).letter)
    done = undo(waiting.env, waiting.game, 1, "drand is down")
    assert (done.to, done.slot) == (1, 2)
    assert verify(waiting.game).failures == ()


def test_who_saw_the_lock_says_so_with_his_next_orders(waiting: Table) -> None:
    noted = note_seen(waiting.player, waiting.open())
    first = waiting.player.keyring.seen("tug-0a1b2c")
    assert (noted.number, list(first.values())) == (657413, ["2023-09-15T10:01:00Z"])
    note_seen(waiting.player, waiting.open())
    assert waiting.player.keyring.seen("tug-0a1b2c") == first, "the first time counts"
    out(waiting)
    late = refused(note_seen, waiting.player, waiting.open())
    assert (late.answer, late.problems[0].code) == (1, "beacon.late")
    waiting.resolve(fetch=relays(answer(657413, ROUNDS["657413"])))
    assert (
        verify(waiting.game).trust[0].foreknowledge
        == "lock seen in time by no seat: THE GM ALONE could have known"
    )
    assert refused(note_seen, waiting.player, waiting.open()).problems[0].code == "beacon.no-lock"
    signed = waiting.signed("south", "pull:\n- south-team rests\n")
    assert parse(signed.data).seen == (waiting.open().ledger.slots[1].lock_id, "2023-09-15T10:01:00Z")
    waiting.orders("south", "pull:\n- south-team rests\n")
    waiting.resolve(fetch=nobody)
    assert (
        verify(waiting.game).trust[0].foreknowledge
        == "known to nobody before 2023-09-15T11:00:03Z (beacon); lock seen in time by south"
    )


def test_what_was_not_seen_in_time_is_not_said(waiting: Table) -> None:
    out(waiting)
    waiting.resolve(fetch=relays(answer(657413, ROUNDS["657413"])))
    game = waiting.open()
    lock_id = game.ledger.slots[1].lock_id
    assert unsaid(game, {}) is None
    assert unsaid(game, {"00" * 32: "2023-09-15T10:01:00Z"}) is None
    assert unsaid(game, {lock_id: "2023-09-15T11:00:03Z"}) is None
    assert unsaid(game, {lock_id: "2023-09-15T11:00:02Z"}) == (lock_id, "2023-09-15T11:00:02Z")
    waiting.player.keyring.note_seen("tug-0a1b2c", lock_id, "x")
    (waiting.root / "player" / "games" / "tug-0a1b2c" / "seen.json").write_text("[]")
    assert waiting.player.keyring.seen("tug-0a1b2c") == {}


def test_games_without_a_beacon_say_nothing_of_it(table: Table) -> None:
    table.started()
    assert "beacon" not in table.open().ledger.manifest
    table.orders("north", pull("north"))
    assert table.lock().round is None
    assert refused(note_seen, table.player, table.open()).problems[0].code == "beacon.no-lock"


def test_a_beacon_that_pbem_does_not_know(waiting: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.referee.turn.beacon.is_known", lambda rule: False)
    unknown = refused(waiting.resolve, fetch=nobody)
    assert (unknown.answer, unknown.problems[0].code, unknown.problems[0].args) == (
        3,
        "beacon.unknown",
        {"net": "quicknet"},
    )


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{}",
        b"[1]",
        b'{"round": 1, "signature": 5}',
        b'{"round": 1, "signature": "ab"}',
        b"ab" * 47,
        b"\xff" * 96,
    ],
)
def test_answers_that_are_no_round(data: bytes) -> None:
    assert read_round(data, 1) is None
    assert read_round(answer(1, "AB" * 48), 1) == "ab" * 48
