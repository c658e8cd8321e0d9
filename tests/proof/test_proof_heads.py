"""Heads of games in a log: nobody but the GM can enter one as his, and two histories of one game show."""

from __future__ import annotations

import base64
import copy

import proof_simulator
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from proof_simulator import GAME, Referee, friends, line, private

from pbem.proof.archive import gm_namespace, sig_path
from pbem.proof.heads import (
    BadHead,
    Judged,
    game_of,
    head_namespace,
    heads_of,
    judge,
    make_head,
    own_heads,
    read_head,
    statement,
)
from pbem.proof.ledger import read_ledger
from pbem.proof.signing import public_of, sign, unarmor
from pbem.proof.tiles import MAX_ENTRY, BadLog

ID = "8f547bc5d1fe019e" * 4
GM = private("gm")


def turn(game: Referee, label: str = "a") -> None:
    game.order("blue", x=True)
    game.lock()
    game.result([(f"t1.blue.melee/{label}{game.slot}", 6, 1)], following=("t1.blue.melee", ["blue"]))


def played(slots: int = 2) -> Referee:
    game = friends()
    for _ in range(slots):
        turn(game)
    return game


def forked() -> tuple[Referee, Referee]:
    """Two histories of one game: they part after record 4, the result of slot 1."""
    one = played(1)
    other = copy.deepcopy(one)
    turn(one)
    other.clock += 5
    turn(other, "b")
    return one, other


def entries(game: Referee, key: Ed25519PrivateKey = GM, since: int = 1) -> list[bytes]:
    records = read_ledger(game.archive).records
    return [make_head(key, game.game, n, record.id) for n, record in enumerate(records, 1) if n >= since]


def judged(game: Referee, log: list[bytes]) -> Judged:
    return judge(read_ledger(game.archive), heads_of(log, game.game))


def test_an_entry_binds_game_number_and_record_to_the_gm_and_shows_nothing_else():
    entry = make_head(GM, GAME, 14, ID)
    assert entry.startswith(f"pbem-head/1\ngame {GAME}\nn 14\nid {ID}\nsig U1NIU0lH".encode())
    assert entry == make_head(GM, GAME, 14, ID)
    assert len(entry) < 512 < MAX_ENTRY
    head = read_head(entry)
    assert (head.game, head.n, head.id, head.key.line) == (GAME, 14, ID, line("gm"))
    assert game_of(entry) == GAME
    for one, other in (
        (b"n 14", b"n 15"),
        (ID.encode(), ID[::-1].encode()),
        (GAME.encode(), b"siege-0a1b2d"),
        (b"U1NIU0lH", b"U1NIU0lI"),
    ):
        with pytest.raises(BadHead):
            read_head(entry.replace(one, other))


def test_no_other_paper_of_the_gm_passes_for_a_head():
    said = statement(GAME, 14, ID)
    for namespace in (gm_namespace(GAME), f"pd1-pack/{GAME}", head_namespace("siege-0a1b2d")):
        with pytest.raises(BadHead, match="does not hold"):
            read_head(said + b"sig " + base64.b64encode(unarmor(sign(GM, namespace, said))) + b"\n")


@pytest.mark.parametrize(
    "change",
    [
        lambda entry: b"",
        lambda entry: entry[:-1],
        lambda entry: entry + b"\n",
        lambda entry: entry.replace(b"\n", b"\r\n"),
        lambda entry: entry.replace(b"n 14", b"n 014"),
        lambda entry: entry.replace(b"n 14", b"n 0"),
        lambda entry: entry.replace(b"pbem-head/1", b"pbem-head/2"),
        lambda entry: entry.replace(b"sig ", b"sig  "),
        lambda entry: entry.replace(b"game ", b"game \xc3\xa9"),
        lambda entry: entry.replace(b"=\n", b"\n"),
        lambda entry: entry[: entry.index(b"sig ")] + b"sig AAAA\n",
        lambda entry: entry + b"x" * MAX_ENTRY,
    ],
)
def test_whatever_is_written_in_another_way_is_no_head(change):
    with pytest.raises(BadHead):
        read_head(change(make_head(GM, GAME, 14, ID)))


def test_the_records_of_a_copy_and_who_signed_them():
    game = played(1)
    own = own_heads(read_ledger(game.archive))
    assert [(one.n, one.said, one.signed) for one in own] == [
        (1, "the manifest", True),
        (2, "the start", True),
        (3, "the lock of slot 1", True),
        (4, "the result of slot 1", True),
    ]
    game.archive[sig_path("ledger/00004-s0001-result.json")] = sign(
        private("blue"), gm_namespace(GAME), b""
    ).encode()
    assert [one.signed for one in own_heads(read_ledger(game.archive))] == [True, True, True, False]


def test_one_history_is_found_record_by_record():
    game = played()
    log = [b"something else", *entries(game)[:4], *entries(game)[:2], *entries(game)[4:]]
    found = judged(game, log)
    assert (dict(found.logged), found.forks, found.ahead) == ({1: 1, 2: 2, 3: 3, 4: 4, 5: 7, 6: 8}, (), 0)
    assert [newest.n if (newest := found.newest(size)) else 0 for size in (0, 1, 2, 5, 7, 8, 9)] == [
        0,
        0,
        1,
        4,
        4,
        5,
        6,
    ]


def test_a_copy_that_is_behind_is_no_fork():
    game = played(1)
    log = entries(copy.deepcopy(game))
    turn(game)
    later = entries(game)
    behind = judged(played(1), later)
    assert (behind.forks, behind.ahead, behind.newest(99).n) == ((), 6, 4)
    before = judged(game, log)
    assert (before.forks, before.ahead, before.newest(99).n) == ((), 0, 4)


def test_two_histories_of_a_game_show_from_either_side():
    one, other = forked()
    ids = [[read.id for read in read_ledger(game.archive).records] for game in (one, other)]
    log = entries(one)
    assert judged(one, log).forks == ()
    found = judged(other, log)
    assert found.newest(99).n == 4
    assert [(fork.n, fork.own, fork.others) for fork in found.forks] == [
        (5, ids[1][4], ((4, ids[0][4]),)),
        (6, ids[1][5], ((5, ids[0][5]),)),
    ]
    # Both in one log: whoever looks sees it, even with a copy that is from before they part.
    both = [*log, *entries(other, since=5)]
    assert [fork.n for fork in judged(one, both).forks] == [5, 6]
    assert [(fork.n, fork.own, fork.others) for fork in judged(played(1), both).forks] == [
        (5, "", ((4, ids[0][4]), (6, ids[1][4]))),
        (6, "", ((5, ids[0][5]), (7, ids[1][5]))),
    ]


def test_a_history_that_a_stranger_signs_accuses_nobody():
    one, other = forked()
    log = [*entries(one), *entries(other, private("stranger"))]
    found = judged(one, log)
    assert (found.forks, found.ahead, len(found.strangers)) == ((), 0, 2)
    # A stranger who was first with the name of a game does not keep its GM from being found.
    assert dict(judged(one, [*entries(other, private("stranger")), *entries(one)]).logged) == {
        n: n + 5 for n in range(1, 7)
    }


def test_a_copy_that_somebody_changed_accuses_nobody():
    one, other = forked()
    path = "ledger/00006-s0002-result.json"
    one.archive[sig_path(path)] = sign(private("blue"), gm_namespace(GAME), one.archive[path]).encode()
    found = judged(one, entries(other)[5:])
    assert (found.forks, found.unsigned) == ((), (6,))


def test_what_an_old_key_signs_after_it_was_renewed_accuses_nobody(monkeypatch):
    game = played(1)
    thief = copy.deepcopy(game)
    turn(thief, "b")
    stolen = entries(thief, GM, since=5)
    game.rekey("gm", game.consents(["blue"], of="gm", **{"from": 2}, key=line("gm2")), key=line("gm2"))
    before, old, new = private, line("gm"), line("gm2")
    monkeypatch.setattr(proof_simulator, "private", lambda name: before("gm2" if name == "gm" else name))
    turn(game)
    assert [one.key.line for one in own_heads(read_ledger(game.archive))] == [old] * 5 + [new] * 2
    every = entries(game, GM)[:5] + entries(game, before("gm2"))[5:]
    found = judged(game, every)
    assert (sorted(found.logged), found.forks) == ([1, 2, 3, 4, 5, 6, 7], ())
    # The thief has the key of records 1 to 5. What he enters once the new key is in the log counts for
    # nothing ...
    assert (judged(game, [*every, *stolen]).forks, judged(game, [*every, *stolen]).renewed) == ((), (7,))
    # ... what was entered before it was the GM's own doing, as far as anybody can tell.
    assert [fork.n for fork in judged(game, [*every[:4], *stolen, *every[4:]]).forks] == [5]


def test_heads_of_other_games_and_heads_that_are_none_are_passed_over():
    game = played(1)
    bad = make_head(GM, GAME, 3, ID).replace(b"n 3", b"n 4")
    log = [bad, make_head(GM, "siege-0a1b2d", 3, ID), *entries(game)]
    assert sorted(judged(game, log).logged) == [1, 2, 3, 4]
    assert game_of(bad) == GAME
    assert game_of(b"hello") == ""


def test_a_log_full_of_claims_says_nothing_and_a_few_hide_nothing(monkeypatch):
    one, other = forked()
    forged = [
        make_head(GM, GAME, 5, f"{number:064x}").replace(b"sig U1NIU0lH", b"sig U1NIU0lI")
        for number in range(20)
    ]
    claims = [make_head(GM, GAME, 5, f"{number:064x}")[:-9] + b"AAAAAAA=\n" for number in range(20)]
    log = [*entries(one), *forged, *claims, *claims, *entries(other, since=5)]
    assert not any(map(is_signed, [*forged, *claims]))
    assert [fork.n for fork in judged(one, log).forks] == [5, 6]
    # What was signed is looked at once, however often it is there.
    assert [fork.n for fork in judged(one, [*log, *entries(one) * 50]).forks] == [5, 6]
    monkeypatch.setattr("pbem.proof.heads.MAX_CLAIMS", 6)
    assert judged(one, entries(one)).forks == ()
    with pytest.raises(BadLog, match="flood"):
        judged(one, [*claims, *entries(one)])


def is_signed(entry: bytes) -> bool:
    try:
        read_head(entry)
    except BadHead:
        return False
    return True


def test_keys_are_those_of_the_ledger_and_not_of_the_entry():
    game = played(1)
    found = judged(game, entries(game, private("blue")))
    assert (dict(found.logged), len(found.strangers)) == ({}, 4)
    assert found.strangers[0].key == public_of(private("blue"))
