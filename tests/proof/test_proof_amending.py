"""Undo and rekey: honest ones pass, and each way to do them without the others has its code. Games with a beacon."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import proof_simulator
import pytest
from proof_simulator import Referee, friends, gm_seat, line, played_in, player

from pbem.proof import archive as names
from pbem.proof.canonical import encode
from pbem.proof.known import CHAINS, TREES
from pbem.proof.ledger import read_ledger
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


def turn(game: Referee, seat: str, label: str = "a", following: str = "blue") -> None:
    game.order(seat, x=True)
    game.lock()
    game.result([(f"{MELEE}/{label}{game.slot}", 6, 1)], following=(MELEE, [following]))


def both(game: Referee, **what: Any) -> list[dict[str, Any]]:
    return game.consents(["blue", "green"], **what)


# undo


def test_an_undo_that_all_want() -> None:
    game = three()
    before = read_ledger(game.archive)
    game.undo(2, both(game, to=2), MELEE, ["green"])
    ledger = read_ledger(game.archive)
    assert ledger.findings == []
    assert (ledger.open_slot, ledger.state, ledger.state_slot) == (3, game.states[1], 1)
    assert [slot.undone for slot in ledger.slots.values()] == [False, True]
    assert sorted(ledger.line) == [f"{MELEE}/a1"]
    assert sorted(before.line) == [f"{MELEE}/a1", f"{MELEE}/a2"]
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
    game.undo(1, both(game, to=1), MELEE, ["blue"])
    ledger = read_ledger(game.archive)
    assert (ledger.findings, ledger.line, ledger.state_slot) == ([], {}, 0)
    turn(game, "blue")
    assert judged(game).exit_code == 0


def test_a_label_that_was_not_undone_is_not_rolled_again() -> None:
    game = three()
    game.undo(2, both(game, to=2), MELEE, ["green"])
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
    game.undo(3, both(game, to=3), MELEE, ["blue"])
    verdict = judged(game)
    assert (verdict.exit_code, verdict.failures) == (0, ())
    assert (verdict.trust[2].status, verdict.trust[2].foreknowledge) == ("undone", "no dice")
    game.lock_id = ""
    game.entries = dict.fromkeys(game.seats, (None, "none"))
    game.result()
    assert first_code(game) == "E06"


def test_a_slot_with_all_its_values_is_resolved_first() -> None:
    game = waiting()
    game.go("blue")
    game.go("green")
    game.undo(3, both(game, to=3), MELEE, ["blue"])
    assert first_code(game) == "E06"


def test_a_slot_without_goes_is_resolved_first() -> None:
    game = three()
    game.order("blue", x=True)
    game.lock()
    game.undo(3, both(game, to=3), MELEE, ["blue"])
    assert first_code(game) == "E06"


@pytest.mark.parametrize("change", [{"lock": "0" * 64}, {"note": "no form"}], ids=str)
def test_a_go_that_is_none_does_not_count(change: dict[str, Any]) -> None:
    game = waiting()
    game.go("blue")
    game.go("green", change=lambda record: record.update(change))
    game.undo(3, both(game, to=3), MELEE, ["blue"])
    assert first_code(game) is None


def test_a_go_with_a_bad_signature_does_not_count() -> None:
    game = waiting()
    game.go("blue")
    game.go("green")
    del game.archive["seats/green/go-s0003.json.sig"]
    game.undo(3, both(game, to=3), MELEE, ["blue"])
    assert first_code(game) is None
    again = waiting()
    again.go("blue")
    again.go("green")
    again.archive["seats/green/go-s0003.json"] += b"\n"
    again.undo(3, both(again, to=3), MELEE, ["blue"])
    assert first_code(again) is None


def test_words_of_a_seat_without_a_key_are_nowhere_to_be_seen() -> None:
    game = three()
    game.order("blue")
    game.lock(red="go")
    game.undo(3, both(game, to=3), MELEE, ["blue"])
    assert first_code(game) is None


UNDOS: dict[str, tuple[str, Callable[[Referee], None]]] = {
    "nobody": ("E20", lambda game: game.undo(2, [], MELEE, ["green"])),
    "blue alone": ("E20", lambda game: game.undo(2, game.consents(["blue"], to=2), MELEE, ["green"])),
    "a stranger too": (
        "E20",
        lambda game: game.undo(2, [*both(game, to=2), {"seat": "pink", "consent": "0" * 64}], MELEE, ["green"]),
    ),
    "blue twice": ("E20", lambda game: game.undo(2, [*both(game, to=2), *both(game, to=2)], MELEE, ["green"])),
    "another slot": ("E20", lambda game: game.undo(2, both(game, to=1), MELEE, ["green"])),
    "another id": (
        "E20",
        lambda game: game.undo(2, [{**one, "consent": "0" * 64} for one in both(game, to=2)], MELEE, ["green"]),
    ),
    "a consent to a rekey": (
        "E20",
        lambda game: game.undo(2, game.consents(["blue", "green"], **{"of": "gm", "from": 3}), MELEE, ["green"]),
    ),
    "a slot not there": ("E06", lambda game: game.undo(2, both(game, to=3), MELEE, [], change=to(3))),
    "not the newest": ("E06", lambda game: game.undo(2, both(game, to=2), MELEE, [], change=slot(1))),
    "another state": ("E28", lambda game: game.undo(2, both(game, to=2), MELEE, ["green"], change=state())),
    "keeps a stranger": ("E08", lambda game: game.undo(2, both(game, to=2), MELEE, ["green"], change=kept())),
    "skips a slot": ("E06", lambda game: game.undo(2, both(game, to=2), MELEE, ["green"], change=skips())),
}


def to(number: int) -> Callable[[dict[str, Any]], Any]:
    return lambda record: record.update(to=number)


def slot(number: int) -> Callable[[dict[str, Any]], Any]:
    return lambda record: record.update(slot=number)


def state() -> Callable[[dict[str, Any]], Any]:
    return lambda record: record.update(state="0" * 64)


def kept() -> Callable[[dict[str, Any]], Any]:
    return lambda record: record.update(kept=[{"seat": "pink", "slot": 1}])


def skips() -> Callable[[dict[str, Any]], Any]:
    return lambda record: record["next"].update(slot=9)


@pytest.mark.parametrize("name", UNDOS)
def test_undos_that_do_not_hold(name: str) -> None:
    code, act = UNDOS[name]
    game = three()
    act(game)
    if name == "not the newest":
        for end in ("", ".sig"):
            data = game.archive.pop("ledger/00007-s0002-undo.json" + end)
            game.archive["ledger/00007-s0001-undo.json" + end] = data
    assert first_code(game) == code


def test_a_consent_names_the_newest_record() -> None:
    game = three()
    consents = both(game, to=2)
    turn(game, "blue")
    game.undo(2, consents, MELEE, ["green"])
    assert first_code(game) == "E20"


def test_a_consent_signed_by_another_or_not_there() -> None:
    game = three()
    consents = both(game, to=2)
    path = names.consent_path("green", game.head)
    game.put(path, game.archive[path], "blue", names.consent_namespace(game.game, "green", game.head))
    game.undo(2, consents, MELEE, ["green"])
    assert first_code(game) == "E20"
    del game.archive[path]
    assert first_code(game) == "E20"


def test_what_is_undone_is_not_undone_again() -> None:
    game = three()
    game.undo(2, both(game, to=2), MELEE, ["green"])
    game.undo(2, both(game, to=2), MELEE, ["green"])
    assert first_code(game) == "E06"


def test_an_undo_may_keep_files() -> None:
    game = three()
    still = {"kept": [{"seat": "blue", "slot": 1}]}
    game.undo(2, both(game, to=2), MELEE, ["green"], change=lambda record: record.update(still))
    assert read_ledger(game.archive).kept == (("blue", 1),)
    assert first_code(game) is None


# rekey


def rekeyed(game: Referee, seats: tuple[str, ...] = ("green",), of: str = "blue", **new: str) -> Referee:
    what: dict[str, Any] = {"of": of, "from": game.slot + 1, **new}
    game.rekey(of, game.consents(seats, **what), **new)
    return game


def test_a_new_key_holds_from_the_next_announcement(monkeypatch: pytest.MonkeyPatch) -> None:
    game = rekeyed(three(), key=line("blue2"))
    assert read_ledger(game.archive).seats["blue"].key_line == line("blue")
    turn(game, "blue")
    assert read_ledger(game.archive).seats["blue"].key_line == line("blue2")
    assert first_code(game) is None
    old = proof_simulator.private
    turn(game, "blue")
    assert first_code(game) == "E02"
    monkeypatch.setattr(proof_simulator, "private", lambda name: old("blue2" if name == "blue" else name))
    path = names.orders_path("blue", 4)
    head = read_ledger(game.archive).slots[4].head
    game.put(path, game.archive[path], "blue", names.orders_namespace(game.game, 4, "blue", head))
    assert first_code(game) is None


BEGUN_AND_RENEWED = pytest.mark.parametrize(("begun", "renewed"), [(CHAINS, CHAINS), (CHAINS, TREES), (TREES, TREES)])


@BEGUN_AND_RENEWED
def test_new_values(begun: int, renewed: int) -> None:
    with played_in(begun):
        game = three()
    rekeyed(game, ("blue", "green"), **game.renew("blue", revision=renewed))
    turn(game, "green")
    turn(game, "blue")
    assert first_code(game) is None
    assert judged(game).trust[3].foreknowledge == "known beforehand only to gm+blue"
    del game.sources["blue"]
    game.order("blue", x=True)
    game.lock()
    game.result()
    assert first_code(game) == "E09"


@BEGUN_AND_RENEWED
def test_after_a_rekey_the_pair_could_have_chosen(begun: int, renewed: int) -> None:
    with played_in(begun):
        game = three()
    rekeyed(game, **game.renew("blue", revision=renewed))
    turn(game, "blue")
    assert judged(game).trust[2].foreknowledge == "could have been chosen by gm+blue"
    assert judged(game).trust[1].foreknowledge == "known beforehand only to gm+green"


def test_a_new_key_of_the_gm(monkeypatch: pytest.MonkeyPatch) -> None:
    game = rekeyed(three(), ("blue", "green"), "gm", key=line("gm2"))
    turn(game, "blue")
    assert first_code(game) == "E02"
    again = rekeyed(three(), ("blue", "green"), "gm", key=line("gm2"))
    old = proof_simulator.private
    monkeypatch.setattr(proof_simulator, "private", lambda name: old("gm2" if name == "gm" else name))
    turn(again, "blue")
    again.archive.update(again.pack())
    assert first_code(again) is None
    assert len(read_ledger(again.archive).gm_keys) == 2


def test_a_receipt_may_be_signed_with_the_old_key_of_the_gm() -> None:
    game = three()
    sha512 = read_ledger(game.archive).slots[1].entries["blue"].sha512 or ""
    record = {"type": "receipt", "at": "2026-02-01T00:01:00Z", "file": "final", "game": game.game}
    record |= {"seat": "blue", "sha512": sha512, "slot": 1}
    game.put(names.receipt_path(1, "blue", sha512), encode(record), "gm", names.gm_namespace(game.game))
    rekeyed(game, ("blue", "green"), "gm", key=line("gm2"))
    assert first_code(game) is None


def test_a_key_for_a_seat_without_one() -> None:
    game = rekeyed(three(), ("blue", "green"), "red", key=line("red"), root="ab" * 32)
    assert read_ledger(game.archive).findings == []


REKEYS: dict[str, tuple[str, Callable[[Referee], Any]]] = {
    "nobody consents": ("E20", lambda game: rekeyed(game, (), key=line("blue2"))),
    "only the old key": ("E20", lambda game: rekeyed(game, ("blue",), key=line("blue2"))),
    "gm without blue": ("E20", lambda game: rekeyed(game, ("green",), "gm", key=line("gm2"))),
    "another key": (
        "E20",
        lambda game: game.rekey("blue", game.consents(["green"], **{"of": "blue", "from": 3, "key": line("x")}), key=line("y")),
    ),
    "of nobody": ("E27", lambda game: rekeyed(game, ("blue", "green"), "pink", key=line("x"))),
    "of nothing": ("E27", rekeyed),
    "values without a key": ("E27", lambda game: rekeyed(game, ("blue", "green"), "red", root="ab" * 32)),
    "an anchor in a game with trees": ("E27", lambda game: rekeyed(game, anchor="ab" * 32)),
    "anchor and root": ("E27", lambda game: rekeyed(game, anchor="ab" * 32, root="ab" * 32)),
    "from another slot": (
        "E27",
        lambda game: game.rekey("blue", [], change=lambda record: record.update({"from": 9}), key=line("blue2")),
    ),
    "the key of green": ("E03", lambda game: rekeyed(game, key=line("green"))),
    "the key of the gm": ("E03", lambda game: rekeyed(game, key=line("gm"))),
    "no key at all": ("E03", lambda game: rekeyed(game, key="ssh-rsa AAAA")),
    "the root of green": ("E09", lambda game: rekeyed(game, root=game.fixed("green"))),
    "the own root again": ("E09", lambda game: rekeyed(game, root=game.fixed("blue"))),
    "the root of the gm": ("E09", lambda game: rekeyed(game, root=game.fixed("gm"))),
    "a value of green as root": ("E09", lambda game: rekeyed(game, root=game.value("green", 2).x)),
    "an old value of blue as root": ("E09", lambda game: rekeyed(game, root=game.value("blue", 1).x)),
}


@pytest.mark.parametrize("name", REKEYS)
def test_rekeys_that_do_not_hold(name: str) -> None:
    code, act = REKEYS[name]
    game = three()
    act(game)
    assert first_code(game) == code


def test_a_key_that_is_none_verifies_nothing() -> None:
    game = rekeyed(three(), key="ssh-rsa AAAA")
    turn(game, "blue")
    turn(game, "blue")
    assert [finding.code for finding in judged(game).failures] == ["E03", "E02"]


def test_seats_of_the_gm_and_games_of_the_gm_have_no_rekey() -> None:
    game = friends()
    game.rekey("red", game.consents(["blue"], **{"of": "red", "from": 1, "key": line("red")}), key=line("red"))
    assert first_code(game) == "E27"
    alone = Referee([player("blue"), player("green")], "gm").open(MELEE, ["blue"])
    rekeyed(alone, ("green",), root="ab" * 32)
    assert first_code(alone) == "E27"
    right = Referee([player("blue"), player("green")], "gm").open(MELEE, ["blue"])
    assert first_code(rekeyed(right, ("green",), key=line("blue2"))) is None


# beacon

BEACON = {"net": "quicknet", "chain": "52" * 32, "pk": "83" * 96, "genesis": 1692803367, "period": 3, "delay": 3600}


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


def test_a_beacon_of_another_network_cannot_be_decided() -> None:
    verdict = judged(with_beacon(change=right_round()))
    assert (verdict.exit_code, verdict.failures) == (3, ())
    assert verdict.undecided == ("slot 1: the beacon is not drand quicknet, and its signature is not checked",)
    assert verdict.trust[0].foreknowledge == "the beacon is not checked: cannot decide"


def test_a_beacon_is_where_the_dice_are() -> None:
    assert first_code(with_beacon(given=False)) == "E18"
    assert first_code(with_beacon(dice=False, change=right_round())) == "E18"
    assert first_code(with_beacon(dice=False, given=False)) is None


def test_a_slot_that_waits_for_the_beacon_may_be_undone() -> None:
    game = Referee([player("blue"), gm_seat("red")], chains=["blue"], beacon=BEACON).open(MELEE, ["blue"])
    game.order("blue")
    game.lock()
    game.undo(1, game.consents(["blue"], to=1), MELEE, ["blue"])
    assert first_code(game) is None
