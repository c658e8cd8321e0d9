"""Honest archives: they pass, their trust lines say who could have known, and the referee
can ask the ledger.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from msgspec import Struct
from proof_simulator import (
    Referee,
    friends,
    friends_game,
    gm_seat,
    line,
    played_in,
    player,
    umpire,
    umpire_game,
)
from thorough import deeper, tries

from pbem.core.dice import Roll
from pbem.proof import archive as names
from pbem.proof.archive import MemoryArchive
from pbem.proof.canonical import decode, encode
from pbem.proof.history import Finding, Ledger
from pbem.proof.known import CHAINS, TREES, ChainKnown, TreeKnown
from pbem.proof.ledger import read_ledger
from pbem.proof.replaying import GameToReplay
from pbem.proof.verify import verify


def holds(game: GameToReplay) -> Iterable[Finding]:
    """Stand in for an engine that comes to the same end."""
    return ()


GAMES: dict[str, Callable[[], Referee]] = {"friends": friends_game, "umpire": umpire_game}


@pytest.mark.parametrize("revision", [CHAINS, TREES])
@pytest.mark.parametrize("name", GAMES)
def test_honest_archives_pass(name: str, revision: int) -> None:
    with played_in(revision):
        archive = GAMES[name]().pack()
    verdict = verify(archive, replay=holds)
    assert (verdict.verdict, verdict.exit_code, verdict.failures, verdict.undecided) == ("pass", 0, (), ())
    assert verdict.replayed


def test_what_verify_prints() -> None:
    archive = umpire_game().pack()
    verdict = verify(archive, replay=holds)
    head = hashlib.sha256(archive["ledger/00008-s0003-result.json"]).hexdigest()
    assert verdict.head == head
    assert verdict.lines == (
        "PASS  siege-0a1b2c   rules replayed   8 records, 16 signatures, 4 dice, 1 warning, 0 failures",
        f"head {head[:4]}-{head[4:8]}-{head[8:12]}-{head[12:16]}",
        "3 slots with dice: 1 could have been chosen by gm+blue, 1 could have been chosen by gm + the last "
        "of green,red, "
        "1 could have been chosen by gm+blue+green+red",
        "W    seats/red/join.json: the seat red has no key: its join and its orders are unsigned",
        " slot 1  t1.blue.melee   ok  files 1/3  early blue       go -               dice    1  could have "
        "been chosen by gm+blue",
        " slot 2  t1.green.melee  ok  files 2/3  early green,red  go -               dice    2  "
        "could have been chosen by gm + the last of green,red",
        "   red has no key: only red can confirm its words",
        " slot 3  t2.blue.melee   ok  files 1/3  early -          go blue,green,red  dice    1  "
        "could have been chosen by gm+blue+green+red",
        "   red has no key: only red can confirm its words",
    )
    assert (verdict.slots, verdict.records, verdict.signatures, verdict.dice) == (3, 8, 16, 4)


def test_without_replay_nothing_is_decided() -> None:
    verdict = verify(friends_game().archive, replay=None)
    assert (verdict.verdict, verdict.exit_code, verdict.failures) == ("undecided", 3, ())
    assert verdict.undecided == ("the rules were not replayed",)
    assert verdict.lines[0].startswith("CANNOT DECIDE  siege-0a1b2c   rules not replayed   10 records, ")
    assert verdict.lines[3] == "?    the rules were not replayed"


def test_an_empty_archive() -> None:
    verdict = verify(MemoryArchive(), replay=holds)
    assert (verdict.exit_code, verdict.game, verdict.head) == (3, "", "")
    assert verdict.lines == (
        "CANNOT DECIDE  -   rules not replayed   0 records, 0 signatures, 0 dice, 0 warnings, 1 failure",
        "E00  ledger/00001-manifest.json: missing",
        "?    the game has not started",
        "?    the rules were not replayed",
    )


def test_a_game_that_has_not_started() -> None:
    game = friends()
    for end in ("", ".sig"):
        del game.archive["ledger/00002-start.json" + end]
    verdict = verify(game.archive, replay=holds)
    assert (verdict.exit_code, verdict.failures) == (3, ())
    assert verdict.undecided == ("the game has not started", "the rules were not replayed")
    assert verify(friends().archive, replay=holds).exit_code == 0


def test_a_locked_slot_is_open() -> None:
    game = friends()
    game.order("blue", x=True)
    game.lock()
    verdict = verify(game.archive, replay=holds)
    assert (verdict.exit_code, verdict.failures) == (3, ())
    assert verdict.undecided == ("slot 1 is locked and has no result yet",)
    assert (verdict.trust[0].status, verdict.trust[0].foreknowledge) == ("open", "not rolled yet")


def test_seats_without_a_key_everywhere() -> None:
    game = Referee([player("blue", key=False), gm_seat("red")]).open("t1.blue.melee", ["blue"])
    game.order("blue", luck="seven drunken herons")
    game.lock()
    game.result([("t1.blue.melee/a", 6, 1)], following=("t1.red.melee", ["red"]))
    game.order("red")
    game.lock(blue="go")
    game.go("blue", "eight sober owls")
    game.result([("t1.red.melee/a", 6, 1)])
    verdict = verify(game.archive, replay=holds)
    assert (verdict.exit_code, verdict.signatures) == (0, 6)
    assert [line.foreknowledge for line in verdict.trust] == [
        "could have been chosen by both sides together"
    ] * 2
    assert [line.unsigned for line in verdict.trust] == [("blue",)] * 2
    assert not any("/blue/" in path and path.endswith(".sig") for path in game.archive)


# trust lines


def trust(game: Referee) -> list[str]:
    verdict = verify(game.archive, replay=holds)
    assert verdict.failures == ()
    return [line.foreknowledge for line in verdict.trust]


def test_trust_of_two_friends() -> None:
    assert trust(friends_game()) == [*["known beforehand only to both sides together"] * 3, "no dice"]


def test_who_types_words_although_he_has_a_chain_could_have_chosen() -> None:
    with played_in(CHAINS):
        game = friends_game()
    assert trust(game)[1:3] == [
        "known beforehand only to both sides together",
        "could have been chosen by both sides together",
    ]


@pytest.mark.parametrize("data", [None, b"", b"\n"])
def test_trust_without_the_roll_log(data: bytes | None) -> None:
    game = friends_game()
    game.archive["rolls/s0001.jsonl"] = data or b""
    if data is None:
        del game.archive["rolls/s0001.jsonl"]
    found = verify(game.archive, replay=holds).trust[0].foreknowledge
    assert found == "cannot decide: the roll log is missing or is not the signed one"


@pytest.mark.parametrize(
    ("seats", "what"),
    [
        ([player("blue"), player("green")], "known beforehand to"),
        ([player("blue"), player("red", key=False)], "could have been chosen by"),
        ([player("blue", key=False)], "could have been chosen by"),
        ([gm_seat("blue")], "could have been chosen by"),
    ],
    ids=["all joins are signed", "one is not", "none is", "there is none"],
)
def test_trust_in_profile_gm(seats: list[dict[str, str]], what: str) -> None:
    """The words of a join that nobody signed can be tried until the dice please."""
    game = Referee(seats, "gm").open("t1.blue.melee", ["blue"])
    game.order("blue")
    game.lock()
    game.result([("t1.blue.melee/a", 6, 1)])
    assert trust(game) == [f"{what} THE GM ALONE"]


def three(*, always: tuple[str, ...] = (), fixed: tuple[str, ...] = ("blue", "green", "red")) -> Referee:
    seats = [
        player(name, **({"go": "always"} if name in always else {})) for name in ("blue", "green", "red")
    ]
    return Referee(seats, chains=fixed).open("t1.blue.melee", ["blue"])


def slot(game: Referee, early: str, go: str = "", following: str = "blue") -> None:
    number = game.slot + 1
    for name in early.split():
        game.order(name, x=True)
    game.lock(**dict.fromkeys(go.split(), "go"))
    for name in go.split():
        game.go(name)
    cursor = game.next["phase"] if game.next else ""
    game.result([(f"{cursor}/a{number}", 6, 1)], following=("t1.blue.melee", following.split()))


def test_trust_of_one_early_value_grows_with_the_values_of_others() -> None:
    game = three()
    slot(game, "blue")
    slot(game, "blue")
    slot(game, "green")
    slot(game, "blue")
    slot(game, "green")
    assert trust(game) == [
        "could have been chosen by gm+blue",
        "could have been chosen by gm+blue",
        "known beforehand only to gm+green",
        "known beforehand only to gm+blue",
        "known beforehand only to gm+green",
    ]


def test_trust_with_a_go() -> None:
    game = three()
    slot(game, "blue", "red")
    slot(game, "", "blue green red")
    slot(game, "red", "blue green")
    slot(game, "blue green")
    assert trust(game) == [
        "known beforehand only to gm+red",
        "could have been chosen by gm+blue+green+red",
        "known beforehand only to gm+blue+green",
        "known beforehand only to gm + the last of blue,green",
    ]


def test_luck_words_could_have_been_chosen_whoever_gave_before() -> None:
    game = three(fixed=("green", "red"))
    slot(game, "green")
    game.order("blue", luck="seven drunken herons")
    game.lock()
    game.result([("t1.blue.melee/b", 6, 1)], following=("t1.blue.melee", ["blue"]))
    game.order("blue", luck="eight sober owls")
    game.lock(red="go")
    game.go("red")
    game.result([("t1.blue.melee/c", 6, 1)])
    assert trust(game)[1:] == ["could have been chosen by gm+blue", "known beforehand only to gm+red"]


def test_three_seats_are_not_both_sides() -> None:
    game = Referee([player("blue"), player("green"), gm_seat("red")], chains=["blue", "green"])
    game.open("t1.blue.melee", ["blue"])
    slot(game, "blue")
    assert trust(game) == ["could have been chosen by gm+blue"]
    pair = Referee([player("blue"), player("green")], chains=["blue", "green"]).open(
        "t1.blue.melee", ["blue"]
    )
    slot(pair, "blue")
    assert trust(pair) == ["could have been chosen by gm+blue"]


def test_a_seat_that_always_goes() -> None:
    game = three(always=("red",))
    slot(game, "blue", "red")
    slot(game, "blue red")
    assert trust(game) == [
        "known beforehand only to gm+red",
        "known beforehand only to gm + the last of blue,red",
    ]


# files in force


def kept_game(keep: bool = True) -> Referee:
    game = friends()
    game.order("blue", x=True)
    game.lock()
    game.result(
        [("t1.blue.melee/a", 6, 1)], following=("t1.blue.melee", ["blue"]), kept=[("blue", 1)] if keep else []
    )
    return game


def test_a_file_in_force_need_not_be_published() -> None:
    game = kept_game()
    del game.archive["seats/blue/orders-s0001.txt"]
    verdict = verify(game.archive, replay=holds)
    assert (verdict.exit_code, verdict.failures, verdict.replayed) == (3, (), False)
    assert [(finding.where, finding.message) for finding in verdict.warnings] == [
        ("seats/blue/orders-s0001.txt", "a file in force is not published yet"),
        ("slot 1", "a file in force is not published: the rules are not replayed"),
    ]
    game.order("blue", "answers: {q1: a}\n")
    game.lock()
    game.result(following=("t2.blue.melee", ["blue"]))
    assert [finding.code for finding in verify(game.archive, replay=holds).failures] == ["E00"]


def test_a_value_in_a_file_not_published_is_taken_from_the_result() -> None:
    game = kept_game()
    del game.archive["seats/blue/orders-s0001.txt"]
    assert verify(game.archive, replay=holds).trust[0].early == ("blue",)


# what the referee asks


def test_before_anything_is_written() -> None:
    ledger = read_ledger(MemoryArchive())
    assert (ledger.game, ledger.profile, ledger.head, ledger.next_n, ledger.newest_slot) == ("", "", "", 1, 0)
    assert (ledger.locked, ledger.open_slot, ledger.over, ledger.recorded, ledger.has_beacon) == (
        None,
        None,
        False,
        (),
        False,
    )


def test_the_ledger_of_an_open_slot() -> None:
    game = friends()
    ledger = read_ledger(game.archive)
    assert ledger.findings == []
    assert (ledger.game, ledger.profile, ledger.outside) == ("siege-0a1b2c", "joint", ("blue",))
    assert (ledger.next_n, ledger.open_slot, ledger.newest_slot, ledger.over) == (3, 1, 0, False)
    assert ledger.next == {"slot": 1, "phase": "t1.blue.melee", "waits": ["blue"], "value": "early"}
    assert ledger.next_id == game.head == ledger.head
    assert ledger.head_digest == names.short_digest(game.head)
    assert ledger.seed == game.seed
    assert ledger.known == {who: TreeKnown(game.fixed(who)) for who in ("gm", "blue")}
    assert (ledger.state, ledger.state_slot) == (game.states[0], 0)
    seat = ledger.seats["blue"]
    assert (seat.key_line, seat.by, seat.side, seat.always, seat.outside) == (
        line("blue"),
        "player",
        "blue",
        False,
        True,
    )
    assert not ledger.seats["red"].outside


def test_the_ledger_of_a_locked_slot() -> None:
    game = friends_game()
    game.order("red")
    lock_id = game.lock(blue="go")
    ledger = read_ledger(game.archive)
    locked = ledger.locked
    assert locked is not None
    assert (locked.number, locked.lock_id, locked.waits, locked.asked) == (5, lock_id, ("red",), ("blue",))
    assert (ledger.open_slot, ledger.newest_slot, locked.result, locked.dice) == (None, 5, None, 0)
    assert locked.head == ledger.next_id
    assert locked.previous_seed == ledger.seed == game.seed
    assert ledger.used_words("blue") == {}
    assert [known.last for who in ("blue", "gm") if isinstance(known := ledger.known[who], TreeKnown)] == [
        3,
        4,
    ]
    assert (ledger.state, ledger.state_slot) == (game.states[4], 4)


def test_the_ledger_of_a_game_with_chains() -> None:
    with played_in(CHAINS):
        game = friends_game()
    ledger = read_ledger(game.archive)
    assert ledger.used_words("blue") == {"seven drunken herons": 3}
    assert ledger.known["blue"] == ChainKnown(2, game.value("blue", 2).x)
    assert ledger.known["gm"] == ChainKnown(4, game.value("gm", 4).x)


def test_rolls_of_a_phase_are_recorded_for_its_continuation() -> None:
    game = friends_game()
    third = read_ledger(game.archive).slots[3]
    assert [roll.label for roll in third.recorded] == [
        "t1.red.melee/fight/hob/1",
        "t1.red.melee/topple/ladder1/1",
    ]
    assert isinstance(third.recorded[0], Roll)
    assert (third.kept_before, third.state_before_slot) == ((("red", 2),), 2)
    assert [roll.label for roll in third.rolls] == ["t1.red.melee/fight/hob/2"]
    ledger = read_ledger(kept_game().archive)
    assert [roll.label for roll in ledger.recorded] == ["t1.blue.melee/a"]
    assert ledger.kept == (("blue", 1),)


def test_the_end_of_a_game() -> None:
    game = friends()
    game.order("blue", x=True)
    game.lock()
    game.result([("t1.blue.melee/a", 6, 1)])
    ledger = read_ledger(game.archive)
    assert (ledger.over, ledger.open_slot, ledger.locked, ledger.next) == (True, None, None, None)


# replay


def test_the_engine_gets_every_slot() -> None:
    seen: list[GameToReplay] = []

    def look(game: GameToReplay) -> Iterable[Finding]:
        seen.append(game)
        return ()

    game = friends_game()
    assert verify(game.archive, replay=look).exit_code == 0
    (got,) = seen
    assert sorted(got.files) == ["scenario/brackwater.yaml", "tables/combat.yaml"]
    assert got.files["tables/combat.yaml"] == b"# tables/combat.yaml\n"
    assert got.manifest["game"] == game.game
    assert got.start["type"] == "start"
    assert got.start_state == game.archive["state/s0000.json"]
    assert [slot.number for slot in got.slots] == [1, 2, 3, 4]
    third = got.slots[2]
    assert [(file.seat, file.slot, file.path) for file in third.files] == [
        ("blue", 3, "seats/blue/orders-s0003.txt"),
        ("red", 2, "seats/red/orders-s0002.txt"),
    ]
    assert third.files[0].data == game.archive["seats/blue/orders-s0003.txt"]
    assert third.state_before == game.archive["state/s0002.json"]
    assert third.state_before_sha256 == game.states[2]
    assert third.announced["questions"] == [{"id": "q1", "seat": "blue", "kind": "one", "about": "retreat"}]
    assert [roll.label for roll in third.recorded] == [
        "t1.red.melee/fight/hob/1",
        "t1.red.melee/topple/ladder1/1",
    ]
    assert third.rolls == read_ledger(game.archive).slots[3].rolls
    assert third.seed.hex() == third.result["seed"]
    assert third.result_path == "ledger/00008-s0003-result.json"
    assert [slot.dice_allowed for slot in got.slots] == [True, True, True, False]
    assert third.entries["blue"].x == "early"


def test_states_may_be_left_out() -> None:
    seen: list[GameToReplay] = []
    game = friends_game()
    for number in (0, 2):
        del game.archive[names.state_path(number)]
    assert verify(game.archive, replay=lambda got: seen.append(got) or ()).exit_code == 0
    assert [slot.state_before is None for slot in seen[0].slots] == [True, False, True, False]
    assert seen[0].start_state is None


def test_dice_are_allowed_in_profile_gm() -> None:
    game = umpire("gm")
    game.order("blue")
    game.lock()
    game.result([("t1.blue.melee/a", 6, 1)])
    seen: list[GameToReplay] = []
    verify(game.archive, replay=lambda got: seen.append(got) or ())
    assert [slot.dice_allowed for slot in seen[0].slots] == [True]


def test_what_the_engine_finds_counts() -> None:
    found = Finding("E28", "ledger/00004-s0001-result.json", "the engine rolls another label")
    verdict = verify(friends_game().archive, replay=lambda game: [found])
    assert (verdict.exit_code, verdict.failures) == (1, (found,))
    assert "E28  ledger/00004-s0001-result.json: the engine rolls another label" in verdict.lines
    missing = Finding("E00", "state/s0000.json", "missing")
    assert verify(friends_game().archive, replay=lambda game: [missing]).exit_code == 3


def test_a_derived_file_that_the_engine_tells_otherwise_is_a_warning() -> None:
    found = Finding("W", "events/s0001.jsonl", "derived file differs: event 3")
    verdict = verify(friends_game().archive, replay=lambda game: [found])
    assert (verdict.exit_code, verdict.failures, verdict.warnings) == (0, (), (found,))


def test_the_engine_is_not_asked_where_the_proof_fails() -> None:
    def never(game: GameToReplay) -> Iterable[Finding]:
        raise AssertionError("asked")

    game = friends_game()
    game.archive["rolls/s0001.jsonl"] += b" "
    verdict = verify(game.archive, replay=never)
    assert (verdict.replayed, verdict.failures[0].code) == (False, "E14")


@pytest.mark.parametrize("lost", ["scenario/brackwater.yaml", "rolls/s0002.jsonl"])
def test_where_a_file_is_missing_nobody_is_accused(lost: str) -> None:
    """The rules would come out otherwise without the scenario, or without what was rolled before in a phase
    that goes on.
    """
    game, asked = friends_game(), []
    del game.archive[lost]

    def differs(got: GameToReplay) -> Iterable[Finding]:
        asked.extend(slot.number for slot in got.slots)
        return [
            Finding("E28", slot.result_path, "other state") for slot in got.slots if slot.number in (2, 3)
        ]

    verdict = verify(game.archive, replay=differs)
    assert [finding.code for finding in verdict.failures] == ["E00"]
    assert (verdict.verdict, verdict.replayed) == ("undecided", False)
    assert asked == ([1, 4] if lost.startswith("rolls") else [])


def test_too_many_findings_of_the_engine() -> None:
    found = [Finding("E28", "slot 1", str(number)) for number in range(1100)]
    verdict = verify(friends_game().archive, replay=lambda game: found)
    assert (len(verdict.failures), verdict.replayed) == (1000, False)


# bytes


def flipped(archive: MemoryArchive, path: str, at: int, bit: int = 1) -> MemoryArchive:
    changed = MemoryArchive(archive)
    data = changed[path]
    changed[path] = data[:at] + bytes([data[at] ^ bit]) + data[at + 1 :]
    return changed


def noticed(archive: MemoryArchive) -> bool:
    verdict = verify(archive, replay=holds)
    return bool(
        verdict.failures or any("can be made again" in finding.message for finding in verdict.warnings)
    )


def test_one_byte_changed_in_each_file_is_noticed() -> None:
    chance = random.Random(5)
    game = friends_game()
    game.archive["reports/s0001.txt"] = b"report\n"
    archive = game.pack()
    for path in sorted(path for path in archive if archive[path]):
        for at in (0, chance.randrange(len(archive[path])), len(archive[path]) - 1):
            assert noticed(flipped(archive, path, at, 1 << chance.randrange(8))), (path, at)


def test_a_byte_in_an_empty_log_is_noticed() -> None:
    archive = friends_game().archive
    assert archive["rolls/s0004.jsonl"] == b""
    archive["rolls/s0004.jsonl"] = b" "
    assert verify(archive, replay=holds).failures[0].code == "E14"


@deeper
@pytest.mark.parametrize(
    "path",
    ["rolls/s0001.jsonl", "seats/blue/go-s0002.json", "seats/blue/orders-s0001.txt", "state/s0001.json"],
)
def test_every_byte_of_a_small_file_counts(path: str) -> None:
    archive = friends_game().archive
    assert not noticed(archive)
    size = len(archive[path])
    for at in range(0, size, tries(max(1, size // 250), 1)):
        assert noticed(flipped(archive, path, at)), at


# hostile archives


class Deaf(MemoryArchive):
    """An archive whose listing names files that cannot be read: links, folders."""

    def __getitem__(self, path: str) -> bytes:
        if path.startswith(("ledger/00002", "seats/blue/orders")):
            raise KeyError(path)
        return super().__getitem__(path)


class Hidden(MemoryArchive):
    """An archive in which one listed file is a link."""

    def __getitem__(self, path: str) -> bytes:
        if path == "keys/allowed_signers":
            raise KeyError(path)
        return super().__getitem__(path)


def test_a_listed_file_that_cannot_be_read_is_missing_once() -> None:
    failures = verify(Hidden(friends_game().pack()), replay=holds).failures
    assert [(finding.code, finding.where, finding.message) for finding in failures] == [
        ("E00", "keys/allowed_signers", "FILES names it and it is missing")
    ]


def test_a_link_is_no_file() -> None:
    verdict = verify(Deaf(friends_game().archive), replay=holds)
    assert [(finding.code, finding.where) for finding in verdict.failures] == [
        ("E00", "ledger/00002-start.json")
    ]


def test_a_file_above_its_limit_is_no_file() -> None:
    archive = friends_game().archive
    archive["seats/blue/join.json"] = b"x" * (64 * 1024 + 1)
    assert verify(archive, replay=holds).failures[0].code == "E00"
    archive["seats/blue/join.json"] = b"x" * (64 * 1024)
    assert verify(archive, replay=holds).failures[0].code == "E01"


def test_any_bytes_in_any_file_give_a_verdict() -> None:
    chance = random.Random(7)
    archive = friends_game().pack()
    paths = sorted(archive)
    pieces = [b"", b"{}\n", b"\xff" * 50, b"[" * 5000, b'{"a":' * 3000, b"\0", b"---\n", archive["FILES"]]
    for number in range(150):
        changed = MemoryArchive(archive)
        for _ in range(chance.randrange(1, 4)):
            path = chance.choice(paths)
            changed[path] = chance.choice([*pieces, archive[chance.choice(paths)], chance.randbytes(40)])
        verdict = verify(changed, replay=holds)
        assert verdict.exit_code in (0, 1, 3), number
        assert verdict.lines


def test_records_of_other_forms_under_good_signatures() -> None:
    """A GM signs whatever he likes: each field of each record replaced by things of other kinds."""
    chance = random.Random(11)
    odd: list[Any] = [0, -1, "", "x", [], {}, True, ["blue"], [{}], {"a": 1}, "ab" * 32, 2**53 - 1]
    base = friends_game()
    for path in sorted(
        path for path in base.archive if path.startswith("ledger/") and path.endswith(".json")
    ):
        record = decode(base.archive[path])
        for key in sorted(record):
            game = friends_game()
            game.put(path, encode({**record, key: chance.choice(odd)}), "gm", names.gm_namespace(game.game))
            assert verify(game.archive, replay=holds).exit_code in (1, 3), (path, key)


def test_a_verdict_is_a_value() -> None:
    verdict = verify(friends_game().archive, replay=holds)
    assert isinstance(verdict, Struct)
    assert verdict == verify(friends_game().archive, replay=holds)


def test_what_a_ledger_is_before_reading() -> None:
    assert Ledger(MemoryArchive()).findings == []
