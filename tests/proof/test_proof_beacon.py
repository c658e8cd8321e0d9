"""Games with a beacon: the round a lock fixes, its signature, who saw the lock in time, and networks that
only look like quicknet.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from proof_simulator import Referee, gm_seat, player
from test_proof_honest import holds

from pbem.proof.beacon import QUICKNET, is_known, is_round, quicknet, round_time
from pbem.proof.explain import explain_roll
from pbem.proof.ledger import read_ledger
from pbem.proof.verdict_words import unproven
from pbem.proof.verify import Verdict, verify

VECTORS: dict[str, Any] = json.loads((Path(__file__).parent / "vectors" / "pd1.json").read_text("utf-8"))
V, RULE_OF_VECTORS = VECTORS["drand_quicknet"], VECTORS["beacon_rule"]
ROUND = {"round": 657413, "sig": V["rounds"]["657413"]}
RULE = quicknet(3600)
MELEE = "t1.blue.melee"


def game(seen: str = "2023-09-15T11:00:02Z", rule: Any = RULE, luck: bool = False, **used: Any) -> Referee:
    """Return a game of three whose only dice waited for round 657413, and in which blue says when he saw the
    lock.
    """
    made = Referee([player("blue"), player("green"), gm_seat("red")], chains=["blue", "green"], beacon=rule)
    made.at = lambda: "2023-09-15T10:00:00Z"  # type: ignore[method-assign]
    made.open(MELEE if luck else "t1.red.melee", ["blue"] if luck else ["red"])
    made.order("blue" if luck else "red", x=luck)
    lock_id = made.lock()
    made.result(
        [(f"{MELEE if luck else 't1.red.melee'}/a", 6, 2)], following=(MELEE, ["blue"]), beacon=ROUND | used
    )
    made.order("blue", x=True, seen=(lock_id, seen) if seen else None)
    made.lock()
    made.result()
    return made


def judged(made: Referee) -> Verdict:
    return verify(made.archive, replay=holds)


def known(made: Referee) -> str:
    return judged(made).trust[0].foreknowledge


def test_a_lock_that_was_seen_in_time() -> None:
    verdict = judged(game())
    assert (verdict.verdict, verdict.failures, verdict.undecided) == ("pass", (), ())
    assert (
        verdict.trust[0].foreknowledge
        == "known to nobody before 2023-09-15T11:00:03Z (beacon); lock seen in time by blue"
    )
    assert verdict.trust[1].foreknowledge == "no dice"
    assert [line for line in unproven(verdict) if "drand" in line] == [
        "That the network drand kept its rounds to itself until their time, and that the seats named did "
        "see the lock when they say."
    ]


@pytest.mark.parametrize("seen", ["", "2023-09-15T11:00:03Z"])
def test_a_lock_that_nobody_saw_in_time(seen: str) -> None:
    verdict = judged(game(seen))
    assert verdict.trust[0].foreknowledge == "lock seen in time by no seat: THE GM ALONE could have known"
    assert (
        unproven(verdict)[0]
        == "That the GM did not know the dice before the orders were fixed, slot 1: nobody else can say so."
    )


def test_a_fresh_value_counts_where_nobody_saw_the_lock() -> None:
    assert known(game("", luck=True)) == "could have been chosen by gm+blue"


def test_what_is_wrong_with_a_round() -> None:
    for used, codes in (
        ({"sig": V["rounds"]["1000"]}, ["E17"]),
        ({"sig": "ab"}, ["E17"]),
        ({"round": 657412}, ["E16", "E17"]),
        ({"round": 1000, "sig": V["rounds"]["1000"]}, ["E16"]),
    ):
        assert [finding.code for finding in judged(game(**used)).failures] == codes
    (failure,) = judged(game(sig=V["rounds"]["1000"])).failures
    assert failure.message == "not the signature of round 657413 of drand quicknet"


@pytest.mark.parametrize(
    ("key", "value"), [("chain", "00" * 32), ("pk", "83" * 96), ("genesis", 1692803366), ("period", 30)]
)
def test_a_network_that_is_called_quicknet_and_is_another(key: str, value: object) -> None:
    """With another first round or period the GM could lead a lock to a round that is out already."""
    rule = {**RULE, key: value}
    assert not is_known(rule)
    assert not is_round(rule, 657413, ROUND["sig"])
    number = (1694772000 + 3600 - int(rule["genesis"])) // int(rule["period"]) + 2
    verdict = judged(game(rule=rule, round=number))
    assert (verdict.verdict, verdict.failures) == ("undecided", ())
    assert verdict.undecided == (
        "slot 1: the beacon is not drand quicknet, and its signature is not checked",
    )
    assert verdict.trust[0].foreknowledge == "the beacon is not checked: cannot decide"


def test_the_vectors_name_the_same_network() -> None:
    assert (QUICKNET["chain"], QUICKNET["pk"]) == (V["chain"], V["pk"])
    assert {key: RULE_OF_VECTORS[key] for key in ("genesis", "period")} == {
        key: QUICKNET[key] for key in ("genesis", "period")
    }
    assert is_round(RULE, 1000, V["rounds"]["1000"])
    assert not is_round(RULE, 1000, "xy")
    assert (quicknet(60)["delay"], quicknet(60)["net"]) == (60, "quicknet")


def test_the_time_of_a_round() -> None:
    assert round_time(1, RULE) == "2023-08-23T15:09:27Z"
    assert round_time(657413, RULE) == "2023-09-15T11:00:03Z"
    assert round_time(2**53, RULE) is None


def test_a_lock_in_a_year_beyond_all_calendars() -> None:
    made = Referee([player("blue")], chains=["blue"], beacon=quicknet(31_536_000))
    made.at = lambda: "9999-12-31T23:59:59Z"  # type: ignore[method-assign]
    made.open(MELEE, ["blue"])
    made.order("blue", x=True)
    made.lock()
    made.result([(f"{MELEE}/a", 6, 1)], beacon=ROUND)
    assert known(made) == "the round of the beacon is of no year that could be written: cannot decide"


def test_the_beacon_stands_in_the_reckoning_of_a_die() -> None:
    ledger = read_ledger(game().archive)
    origin = explain_roll(ledger, 1, "t1.red.melee/a").origin
    assert f"  beacon drand {QUICKNET['chain']} 657413 {ROUND['sig']}" in origin
