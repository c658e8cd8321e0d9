"""Slots taken back: honest undos pass, and each way to do them without the others has its code.

Games with a beacon.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from proof_simulator import Change, Referee, gm_seat, in_trees, line, played_in, player

from pbem.proof import archive as names
from pbem.proof.known import CHAINS, TREES
from pbem.proof.ledger import read_ledger
from pbem.proof.records import Record
from pbem.proof.verify import Verdict, verify

MELEE = "t1.blue.melee"


def judged(game: Referee) -> Verdict:
    return verify(game.archive, replay=lambda got: ())


def first_code(game: Referee) -> str | None:
    verdict = judged(game)
    return verdict.failures[0].code if verdict.failures else None


def three() -> Referee:
    """Blue and green have keys and chains, red has neither; two slots with dice are done."""
    seats = [player("blue"), player("green"), player("red", key=False)]
    game = Referee(seats, chains=["blue", "green"]).open(MELEE, ["blue"])
    for name in ("blue", "green"):
        turn(game, name)
    return game


def recovering() -> Referee:
    """As three; blue and green have recovery codes (in games with trees)."""
    seats = [player("blue"), player("green"), player("red", key=False)]
    game = Referee(seats, chains=["blue", "green"], recovering=["blue", "green"] if in_trees() else []).open(
        MELEE, ["blue"]
    )
    for name in ("blue", "green"):
        turn(game, name)
    return game


def turn(game: Referee, seat: str, label: str = "a", following: str = "green") -> None:
    game.order(seat, x=True)
    game.lock()
    game.result([(f"{MELEE}/{label}{game.slot}", 6, 1)], following=(MELEE, [following]))


def both(game: Referee, **what: Any) -> list[dict[str, Any]]:
    return game.consents(["blue", "green"], **what)


# undo


def test_an_undo_that_all_want() -> None:
    game = three()
    before = read_ledger(game.archive)
    game.undo(2, both(game, to=2))
    ledger = read_ledger(game.archive)
    assert ledger.findings == []
    assert (ledger.open_slot, ledger.state, ledger.state_slot) == (3, game.states[1], 1)
    assert [slot.undone for slot in ledger.slots.values()] == [False, True]
    assert [roll.label for roll in ledger.rolls_of(MELEE)] == [f"{MELEE}/a1"]
    assert [roll.label for roll in before.rolls_of(MELEE)] == [f"{MELEE}/a1", f"{MELEE}/a2"]
    assert ledger.seed == before.seed
    game.order("green", x=True)
    game.lock()
    game.result([(f"{MELEE}/a2", 6, 1)])
    verdict = judged(game)
    assert (verdict.exit_code, verdict.failures) == (0, ())
    assert [line.status for line in verdict.trust] == ["ok", "undone", "ok"]
    assert [finding.message for finding in verdict.warnings if finding.where.endswith("undo.json")] == [
        "an undo on the GM's word: red has no key"
    ]


def test_an_undo_of_everything() -> None:
    game = three()
    game.undo(1, both(game, to=1))
    ledger = read_ledger(game.archive)
    assert (ledger.findings, ledger.rolls_of(MELEE), ledger.state_slot) == ([], (), 0)
    turn(game, "blue")
    assert judged(game).exit_code == 0


def test_a_label_that_was_not_undone_is_not_rolled_again() -> None:
    game = three()
    game.undo(2, both(game, to=2))
    game.order("green", x=True)
    game.lock()
    game.result([(f"{MELEE}/a1", 6, 1)])
    assert first_code(game) == "E13"


def waiting() -> Referee:
    game = three()
    game.order("blue")
    game.lock(blue="go", green="go")
    return game


def test_a_slot_that_waits_for_a_go_may_be_undone() -> None:
    game = waiting()
    game.go("blue")
    assert read_ledger(game.archive).locked is not None
    game.undo(3, both(game, to=3))
    verdict = judged(game)
    assert (verdict.exit_code, verdict.failures) == (0, ())
    assert (verdict.trust[2].status, verdict.trust[2].foreknowledge) == ("undone", "no dice")
    game.lock_id = ""
    game.entries = dict.fromkeys(game.seats, (None, "none"))
    game.result()
    assert first_code(game) == "E06"


def test_goes_have_no_date_so_they_accuse_nobody() -> None:
    """Whoever was asked can add his go to a copy afterwards, even with a false value; an umpire that waited
    is not to be framed by it.
    """
    game = waiting()
    game.go("blue")
    game.go("green")
    game.undo(3, both(game, to=3))
    verdict = judged(game)
    assert (verdict.exit_code, verdict.failures) == (0, ())
    said = "every go that slot 3 asks for is here: if they came before the undo, it had to be resolved first"
    assert said in [found.message for found in verdict.warnings]


def test_a_slot_without_goes_is_resolved_first() -> None:
    game = three()
    game.order("blue", x=True)
    game.lock()
    game.undo(3, both(game, to=3))
    assert first_code(game) == "E06"


@pytest.mark.parametrize("change", [{"lock": "0" * 64}, {"note": "no form"}], ids=str)
def test_a_go_that_is_none_does_not_count(change: dict[str, Any]) -> None:
    game = waiting()
    game.go("blue")
    game.go("green", change=lambda record: record.update(change))
    game.undo(3, both(game, to=3))
    assert first_code(game) is None


def test_a_go_with_a_bad_signature_does_not_count() -> None:
    game = waiting()
    game.go("blue")
    game.go("green")
    del game.archive["seats/green/go-s0003.json.sig"]
    game.undo(3, both(game, to=3))
    assert first_code(game) is None
    again = waiting()
    again.go("blue")
    again.go("green")
    again.archive["seats/green/go-s0003.json"] += b"\n"
    again.undo(3, both(again, to=3))
    assert first_code(again) is None


def test_words_of_a_seat_without_a_key_are_nowhere_to_be_seen() -> None:
    game = three()
    game.order("blue")
    game.lock(red="go")
    game.undo(3, both(game, to=3))
    assert first_code(game) is None


def becomes(**fields: Any) -> Change:
    return lambda record: record.update(fields)


def opens(**fields: Any) -> Change:
    return lambda record: record["next"].update(fields)


def opens_nothing(record: Record) -> None:
    del record["next"]


def undone(change: Change, to: int = 2, build: Callable[[], Referee] = three) -> Referee:
    game = build()
    game.undo(to, both(game, to=to), change)
    return game


def consented(*seats: str, build: Callable[[], Referee] = three, **what: Any) -> Referee:
    """Two slots are done; the second is taken back, and seats consent to what they are told."""
    game = build()
    game.undo(2, game.consents(seats, **(what or {"to": 2})))
    return game


QUESTION = {"id": "q1", "seat": "green", "kind": "one", "about": "retreat", "answer": "", "by": ""}


def asked() -> Referee:
    """As three; green answered a question in slot 2, and blue's file stayed in force from slot 1 on."""
    seats = [player("blue"), player("green"), player("red", key=False)]
    game = Referee(seats, chains=["blue", "green"]).open(MELEE, ["blue"])
    game.order("blue", x=True)
    game.lock()
    game.result(
        [(f"{MELEE}/a1", 6, 1)], following=(MELEE, ["green"]), questions=[QUESTION], kept=[("blue", 1)]
    )
    turn(game, "green")
    return game


def moved(change: Change = None) -> Referee:
    game = undone(change)
    for end in ("", ".sig"):
        game.archive["ledger/00007-s0001-undo.json" + end] = game.archive.pop(
            "ledger/00007-s0002-undo.json" + end
        )
    return game


def after_a_rekey() -> Referee:
    """Blue signs with a new key by now, and consents with the one he had."""
    game = three()
    game.rekey(
        "blue",
        game.consents(["blue", "green"], **{"of": "blue", "from": 3, "key": line("blue2")}),
        key=line("blue2"),
    )
    turn(game, "blue")
    del game.signs["blue"]
    game.undo(3, both(game, to=3))
    return game


UNDOS: dict[str, tuple[str, Callable[[], Referee]]] = {
    "nobody consents": ("E20", lambda: (game := three()).undo(2, []) or game),
    "blue alone": ("E20", lambda: consented("blue")),
    "a stranger too": (
        "E20",
        lambda: undone(lambda record: record["consents"].append({"seat": "pink", "consent": "0" * 64})),
    ),
    "blue twice": ("E20", lambda: undone(lambda record: record["consents"].append(record["consents"][0]))),
    "another slot": ("E20", lambda: consented("blue", "green", to=1)),
    "another id": ("E20", lambda: undone(lambda record: record["consents"][0].update(consent="0" * 64))),
    "a consent to a rekey": ("E20", lambda: consented("blue", "green", **{"of": "gm", "from": 3})),
    "a consent with a recovery code": ("E20", lambda: consented("blue:recovery", "green", build=recovering)),
    "a consent with a key that is no more": ("E20", after_a_rekey),
    "a slot that is not there": ("E06", lambda: undone(None, to=3)),
    "not the newest": ("E06", lambda: moved(becomes(slot=1))),
    "not the newest, its file named so": ("E04", moved),
    "another state": ("E28", lambda: undone(becomes(state="0" * 64))),
    "the state after the slot": (
        "E28",
        lambda: undone(lambda record: record.update(state=three().states[2])),
    ),
    "opens another phase": ("E28", lambda: undone(opens(phase="t1.green.melee"))),
    "opens the slot to another seat": ("E28", lambda: undone(opens(waits=["blue"]))),
    "opens the slot to one more seat": ("E28", lambda: undone(opens(waits=["green", "red"]))),
    "opens nothing": ("E28", lambda: undone(opens_nothing)),
    "opens a slot of go": ("E28", lambda: undone(opens(value="go"))),
    "asks a question of its own": ("E28", lambda: undone(opens(questions=[QUESTION]))),
    "has the answer to the question": (
        "E28",
        lambda: undone(opens(questions=[{**QUESTION, "answer": "west", "by": "answer"}]), build=asked),
    ),
    "leaves the question out": (
        "E28",
        lambda: undone(lambda record: record["next"].pop("questions"), build=asked),
    ),
    "keeps a stranger": ("E08", lambda: undone(becomes(kept=[{"seat": "pink", "slot": 1}]))),
    "keeps a file that was not in force": (
        "E28",
        lambda: undone(becomes(kept=[{"seat": "blue", "slot": 1}])),
    ),
    "keeps a file of a slot that is taken back": (
        "E28",
        lambda: undone(becomes(kept=[{"seat": "green", "slot": 2}])),
    ),
    "drops a file that was in force": ("E28", lambda: undone(lambda record: record.pop("kept"), build=asked)),
    "keeps another file than was in force": (
        "E28",
        lambda: undone(becomes(kept=[{"seat": "green", "slot": 2}]), build=asked),
    ),
    "skips a slot": ("E06", lambda: undone(opens(slot=9))),
}


@pytest.mark.parametrize("revision", [CHAINS, TREES])
@pytest.mark.parametrize("name", UNDOS)
def test_undos_that_do_not_hold(name: str, revision: int) -> None:
    code, build = UNDOS[name]
    if "recovery" in name and revision == CHAINS:
        return
    with played_in(revision):
        assert first_code(build()) == code


@pytest.mark.parametrize(
    "change",
    [opens(due="2026-03-01T10:00:00Z"), opens(engine={"name": "pbem", "version": "2", "sha256": "1" * 64})],
)
def test_an_undo_may_set_another_date_and_be_written_by_another_program(change: Change) -> None:
    assert first_code(undone(change)) is None


def test_an_undo_asks_the_question_again_and_keeps_what_was_in_force() -> None:
    game = undone(None, build=asked)
    assert first_code(game) is None
    ledger = read_ledger(game.archive)
    assert (ledger.kept, ledger.next) == ((("blue", 1),), {**ledger.slots[2].announced, "slot": 3})


def test_a_consent_names_the_newest_record() -> None:
    game = three()
    consents = both(game, to=2)
    turn(game, "blue")
    game.undo(2, consents)
    assert first_code(game) == "E20"


def test_a_consent_signed_by_another_or_not_there() -> None:
    game = three()
    consents = both(game, to=2)
    path = names.consent_path("green", game.head)
    game.put(path, game.archive[path], "blue", names.consent_namespace(game.game, "green", game.head))
    game.undo(2, consents)
    assert first_code(game) == "E20"
    del game.archive[path]
    assert first_code(game) == "E20"


def test_what_is_undone_is_not_undone_again() -> None:
    game = three()
    game.undo(2, both(game, to=2))
    game.undo(2, both(game, to=2))
    assert first_code(game) == "E06"


# beacon

BEACON = {
    "net": "quicknet",
    "chain": "52" * 32,
    "pk": "83" * 96,
    "genesis": 1692803367,
    "period": 3,
    "delay": 3600,
}


def with_beacon(dice: bool = True, change: int = 0, given: bool = True) -> Referee:
    game = Referee([player("blue"), gm_seat("red")], chains=["blue"], beacon=BEACON).open(MELEE, ["blue"])
    game.order("blue")
    game.lock()
    number = 25_708_234 + change
    drand = {"round": number, "sig": "ab" * 48} if given else None
    game.result([(f"{MELEE}/a", 6, 1)] if dice else [], beacon=drand)
    return game


def test_the_round_of_a_beacon() -> None:
    game = with_beacon()
    assert read_ledger(game.archive).slots[1].locked_at == "2026-02-01T00:03:00Z"
    wanted = (1769904180 + 3600 - 1692803367) // 3 + 2
    assert first_code(with_beacon(change=wanted - 25_708_234)) is None
    assert first_code(with_beacon(change=wanted - 25_708_233)) == "E16"
    assert first_code(with_beacon(change=wanted - 25_708_235)) == "E16"


def right_round() -> int:
    return (1769904180 + 3600 - 1692803367) // 3 + 2 - 25_708_234


def test_a_beacon_of_dice_that_are_missing_is_not_one_without_a_die() -> None:
    game = with_beacon(change=right_round())
    del game.archive["rolls/s0001.jsonl"]
    assert [finding.code for finding in judged(game).failures] == ["E00"]


def test_a_beacon_of_another_network_cannot_be_decided() -> None:
    verdict = judged(with_beacon(change=right_round()))
    assert (verdict.exit_code, verdict.failures) == (3, ())
    assert verdict.undecided == (
        "slot 1: the beacon is not drand quicknet, and its signature is not checked",
    )
    assert verdict.trust[0].foreknowledge == "the beacon is not checked: cannot decide"


def test_a_beacon_is_where_the_dice_are() -> None:
    assert first_code(with_beacon(given=False)) == "E18"
    assert first_code(with_beacon(dice=False, change=right_round())) == "E18"
    assert first_code(with_beacon(dice=False, given=False)) is None


def test_a_slot_that_waits_for_the_beacon_may_be_undone() -> None:
    game = Referee([player("blue"), gm_seat("red")], chains=["blue"], beacon=BEACON).open(MELEE, ["blue"])
    game.order("blue")
    game.lock()
    game.undo(1, game.consents(["blue"], to=1))
    assert first_code(game) is None
