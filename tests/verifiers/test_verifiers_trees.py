"""Games of pd1.1 from the second writer: values under a root, codes, new keys, slots taken back, as
pd1_verify.py reads them.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from verifier_ground import ROOT, module
from verifier_trees import EVERYBODY, FAILS, HOLDS, opens, rekeyed, two_turns, waiting
from verifier_writer import Game, four, friends, leaves, line, raw

pd1 = module("pd1_verify")


def read(game: Game) -> Any:
    return pd1.Audit(pd1.Memory(game.files))


@pytest.mark.parametrize("name", HOLDS)
def test_it_holds(name: str) -> None:
    audit = read(HOLDS[name]())
    assert (audit.failures, audit.verdict) == ([], "PASS" if audit.line[-1].path else "CANNOT DECIDE")


@pytest.mark.parametrize("name", FAILS)
def test_it_does_not_hold(name: str) -> None:
    code, build = FAILS[name]
    audit = read(build())
    assert (audit.verdict, audit.failures[0][0] if audit.failures else "") == ("FAIL", code), audit.failures


# the published vectors

V: dict[str, Any] = json.loads((ROOT / "tests" / "proof" / "vectors" / "pd1.1.json").read_text("utf-8"))


@pytest.mark.parametrize("who", V["trees"])
def test_vectors_of_trees(who: str) -> None:
    want = V["trees"][who]
    own, tree, last = (
        leaves(V["game"], who, key=bytes.fromhex(want["secret"])),
        pd1.Tree(V["game"], who, want["root"]),
        None,
    )
    assert own.root == want["root"]
    for entry in want["given"]:
        assert (own.x[entry["slot"]], own.path(entry["slot"], last)) == (entry["x"], entry["path"])
        assert tree.takes(entry["slot"], entry["x"], entry["path"])
        last = entry["slot"]


@pytest.mark.parametrize("want", V["refused"], ids=lambda want: want["what"])
def test_vectors_of_values_that_are_none(want: dict[str, Any]) -> None:
    who, last = want["who"], None
    own, tree = (
        leaves(V["game"], who, key=bytes.fromhex(V["trees"][who]["secret"])),
        pd1.Tree(V["game"], who, V["trees"][who]["root"]),
    )
    for slot in want["before"]:
        assert tree.takes(slot, own.x[slot], own.path(slot, last))
        last = slot
    held = list(tree.shown), tree.slot
    assert not tree.takes(want["slot"], want["x"], want["path"])
    assert (tree.shown, tree.slot) == held


def test_vectors_of_headers_with_a_path() -> None:
    header = pd1.orders_header(V["orders"]["file"].encode())
    assert (header["x"], header["path"].split()) == (V["orders"]["x"], V["orders"]["path"])
    assert [pd1.orders_header(file.encode()) for file in V["orders_refused"]] == [None] * len(
        V["orders_refused"]
    )


# who could have known


def known(game: Game) -> list[str]:
    audit = read(game)
    assert audit.failures == []
    return [audit.foreknown(slot) for slot in audit.slots.values()]


def test_new_values_count_from_the_first_slot_that_is_announced_after_them() -> None:
    """North and the GM together make a new root while slot 3 is open: slot 3 still has north's old value,
    slot 4 the new one.
    """
    game = two_turns()
    assert known(game) == ["could have been chosen by gm+north", "known beforehand only to gm+east"]
    held = known(rekeyed("north", EVERYBODY))
    assert held[2:] == [
        "known beforehand only to gm+north",
        "could have been chosen by gm+north",
        "known beforehand only to gm+east",
    ]


def test_a_new_root_of_the_gm_counts_against_everybody() -> None:
    held = known(rekeyed("gm", EVERYBODY))
    assert held[2:] == [
        "known beforehand only to gm+north",
        "could have been chosen by gm+north",
        "known beforehand only to gm+east",
    ]


def test_two_friends_after_new_values() -> None:
    game = friends()
    game.turn("west", ["west"])
    game.rekey("west", ("west",), root=leaves(game.name, "west", "new").root)
    game.turn("west", ["west"])
    game.secret["west"] = "new"
    del game.last["west"]
    game.turn("west", ["west"])
    assert known(game) == [
        *["known beforehand only to both sides together"] * 2,
        "could have been chosen by both sides together",
    ]


@pytest.mark.parametrize(
    ("kinds", "word"),
    [(("words", "words"), "known beforehand to"), (("words", "bare"), "could have been chosen by")],
)
def test_a_gm_alone_chooses_as_soon_as_one_join_is_unsigned(kinds: tuple[str, str], word: str) -> None:
    game = Game(dict(zip(("east", "west"), kinds, strict=True)), profile="gm").open("t1.melee", ["east"])
    game.order("east", final=False)
    game.lock()
    game.result([("t1.melee/a", 6, 1)], None)
    assert known(game) == [f"{word} THE GM ALONE"]


# what is told


def told(game: Game) -> list[str]:
    return list(read(game).lines())


def test_the_sum_and_what_was_done_stand_above_the_slots() -> None:
    lines = told(opens(lambda r: r["next"].update(engine={"name": "w", "version": "2", "sha256": "1" * 64})))
    assert lines[0].startswith("PASS  writer-0a1b2c   rules not replayed   ")
    assert lines[1].startswith("head ")
    assert lines[2:5] == [
        "1 slot with dice: 1 could have been chosen by gm+north",
        "undo of slot 2, consents of east, north, west: a wrong map",
        "another program from slot 3 on: w 2 (engine 11111111), before w 1 (engine 00000000)",
    ]
    assert [line[:7] for line in lines[5:]] == ["W    se", "W    le", " slot 1", " slot 2"]


ACTS = {
    "rekey of north with his old key": "rekey of north, from slot 4: signed with his old key",
    "rekey with a recovery code": "rekey of north, from slot 4: signed with his recovery code",
    "rekey of the gm": "rekey of gm, from slot 4: consents of east, north, west",
    "rekey of north without him": "rekey of north, from slot 4: NOT signed by north, on the word of gm, east, west: "
    "whoever holds the new key may be the GM",
}


@pytest.mark.parametrize("name", ACTS)
def test_new_keys_are_told_at_the_top(name: str) -> None:
    audit = read(HOLDS[name]())
    assert audit.acts == [ACTS[name]]
    assert list(audit.lines())[3] == ACTS[name]
    warned = [why for where, why in audit.warnings if where.endswith("rekey.json")]
    assert warned == (
        ["north has not signed this change of his keys; it is on the word of gm, east, west"]
        if "NOT" in ACTS[name]
        else []
    )


def test_a_slot_taken_back_with_all_its_goes_is_worth_a_warning() -> None:
    audit = read(waiting("north", "west"))
    assert [why for _, why in audit.warnings if "every go" in why] == [
        "slot 2 was taken back before its dice were rolled, and every go for it is here"
    ]
    assert not [why for _, why in read(waiting("north")).warnings if "every go" in why]


def test_notes_of_the_gm_are_told_once_and_hide_nothing() -> None:
    game = four()
    for _ in range(2):
        game.order("north")
        game.lock()
        note = "relied on for south: his address \u202eevil"
        game.result([], game.announced("t1.melee", ["north"]), note=note)
    told_by_it = [line for line in told(game) if line.startswith("note")]
    assert told_by_it == [
        "note of the GM in ledger/00004-s0001-result.json and 1 more: relied on "
        "for south: his address \u202eevil"
    ]
    assert pd1.shown(told_by_it[0]).endswith("his address \\u{202e}evil")


def test_the_words_of_a_seat_without_a_key_are_told_in_one_line() -> None:
    lines = [line for line in told(HOLDS["words and goes"]()) if "has no key: only" in line]
    assert lines == [
        "south has no key: only south can confirm these words: slot 2: nine "
        "tired owls; slot 3: a tired owl again"
    ]


# two copies


def copies(change: Any, *, resigned: bool) -> tuple[int, str]:
    """Compare a game with a copy in which somebody changed the last record, with or without the key of the
    GM.
    """
    one, other = two_turns(), two_turns()
    last = sorted(
        name for name in other.files if name.startswith("ledger/") and name.endswith("result.json")
    )[-1]
    record = {**json.loads(other.files[last]), **change}
    if resigned:
        other.put(last, raw(record), other.signer["gm"], f"pd1-gm/{other.name}")
    else:
        other.files[last] = raw(record)
    answer: tuple[int, str] = pd1.compared(read(one), read(other))
    assert pd1.compared(read(other), read(one))[0] == answer[0]
    return answer


def test_a_fork_is_two_records_that_the_gm_has_signed() -> None:
    answer, said = copies({"note": "other"}, resigned=True)
    assert (answer, said[:59]) == (1, "FORK: 5 records in common; then the GM has signed two; head")


def test_a_copy_that_anybody_could_make_is_no_fork() -> None:
    answer, said = copies({"note": "other"}, resigned=False)
    assert answer == 3
    assert said.startswith(
        "no fork is shown: one copy is changed there, and the GM has not signed it so: anybody can make "
        "that; 5 records in common"
    )
    answer, said = copies({"type": "nothing"}, resigned=True)
    assert (answer, said[:62]) == (3, "no fork is shown: one copy cannot be read beyond that place; 5")


def test_a_history_signed_by_a_stranger_is_no_fork() -> None:
    def stranger(made: Any) -> None:
        made["key"] = line("a stranger")

    one, other = two_turns(), Game({"east": "tree", "north": "tree", "south": "bare", "west": "words"})
    other.signer["gm"] = "a stranger"
    other.open("t1.melee", ["north"], manifest=stranger)
    answer, said = pd1.compared(read(one), read(other))
    assert (answer, said[:60]) == (3, "no fork is shown: they name another key of the GM: anybody c")
    answer, said = pd1.compared(
        read(one), read(Game({"a": "tree"}, name="writer-ffffff").open("t1.melee", ["a"]))
    )
    assert (answer, said[:50]) == (3, "no fork is shown: they are two games, writer-0a1b2")


def test_a_key_of_the_gm_that_he_never_took_forks_nothing() -> None:
    """Both copies begin with the true records; then comes a rekey of the GM that nobody signed, and two
    records by its key.
    """
    made = []
    for note in ("one", "other"):
        game = two_turns()
        true = game.signer["gm"]
        game.signer["gm"] = "a stranger"
        game.rekey("gm", (), key=line("a stranger"))
        game.order("north")
        game.lock(change=lambda record, note=note: record.update(note=note))
        assert true == "gm"
        made.append(read(game))
    assert [code for code, _, _ in made[0].failures][:2] == ["E02", "E20"]
    assert pd1.compared(*made)[0] == 3


def test_the_beginning_of_a_history_is_that_history() -> None:
    short = two_turns()
    longer = two_turns()
    longer.turn("north", ["north"])
    answer, said = pd1.compared(read(short), read(longer))
    assert (answer, said[:35]) == (0, "one history: 6 records in common; h")


# how it grows


class Counted(pd1.Memory):  # type: ignore[misc, name-defined]
    """A game in memory that counts how often each file is read."""

    def __init__(self, files: dict[str, bytes]) -> None:
        super().__init__(files)
        self.reads: dict[str, int] = {}

    def read(self, name: str) -> bytes | None:
        self.reads[name] = self.reads.get(name, 0) + 1
        found: bytes | None = super().read(name)
        return found


def test_each_log_is_read_once_however_many_slots_a_phase_has() -> None:
    game = friends()
    for _ in range(12):
        game.turn("west", ["west"], dice=1)
    box = Counted(game.files)
    assert pd1.Audit(box).verdict == "PASS"
    assert {count for name, count in box.reads.items() if name.startswith("rolls/")} == {1}


def test_a_value_costs_one_hash_on_the_average() -> None:
    tree, own, made = (
        pd1.Tree("writer-0a1b2c", "west", leaves("writer-0a1b2c", "west").root),
        leaves("writer-0a1b2c", "west"),
        0,
    )
    for slot in range(1, 513):
        path = own.path(slot, slot - 1 or None)
        made += len(path)
        assert tree.takes(slot, own.x[slot], path)
    assert made == 14 + 511
    assert not tree.takes(512, own.x[512], [])
    assert tree.takes(9000, own.x[9000], own.path(9000, 512))
    assert tree.takes(10_000, own.x[10_000], own.path(10_000, 9000))
