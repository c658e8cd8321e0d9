"""New keys and chains: for a lost computer, a substitute, and the GM."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from table import Table, pull
from test_referee_protocol import holds, refused

from pbem.proof.archive import join_namespace
from pbem.proof.canonical import decode, encode
from pbem.proof.records import join as join_record
from pbem.proof.recovery import new_code, printed
from pbem.proof.signing import sign
from pbem.referee.game.refusal import Refused
from pbem.referee.mail.notices import notices
from pbem.referee.proving.verify import verify
from pbem.referee.turn.admit import admit
from pbem.referee.turn.consent import make, take
from pbem.referee.turn.join import join
from pbem.referee.turn.new import INVITATION
from pbem.referee.turn.recover import recover
from pbem.referee.turn.rekey import propose, read_change, rekey
from pbem.referee.turn.report import report_of
from pbem.referee.turn.undo import undo
from pbem.store.keys import Keyring
from pbem.store.library import common_words

BOTH = ("north", "south")


def said(refusal: Refused) -> list[str]:
    return [common_words().problem(problem.code, problem.args) for problem in refusal.problems]


def started(table: Table) -> Table:
    table.started(keyed=BOTH, umpire=True)
    table.turn()
    return table


def agreed(table: Table, change: bytes, *seats: str) -> None:
    for seat in seats:
        take(table.game, make(table.open(), table.key(seat), read_change(change)).letter)


def test_a_substitute_plays_on_with_his_own_key_and_chain(table: Table) -> None:
    table.started(keyed=BOTH, umpire=True)
    new = replace(table.player, keyring=Keyring(table.root / "substitute"))
    change = propose(new, table.open(), "south", table.key("substitute")).change
    missing = refused(rekey, table.env, table.game, change)
    assert (missing.answer, missing.problems[0].code, missing.problems[0].args) == (
        3,
        "consent.missing",
        {"seats": "north"},
    )
    agreed(table, change, "north")
    done = rekey(table.env, table.game, change, "he is ill")
    assert (done.of, done.since, done.consents) == ("south", 1, ("north",))
    assert table.open().announced()["waits"] == ["north"]
    table.turn()
    keys = table.key
    table.key = lambda name: keys("substitute") if name == "south" else keys(name)  # type: ignore[method-assign]
    table.player = new
    assert table.open().announced()["waits"] == ["south"]
    table.turn()
    assert [(one.of, one.since, one.own) for one in table.open().ledger.rekeys] == [("south", 2, "")]
    assert verify(table.game).failures == ()
    assert holds(table)


def test_a_new_chain_alone_for_who_has_lost_the_old_one(table: Table) -> None:
    table.started(keyed=BOTH, umpire=True)
    change = propose(table.player, table.open(), "south", None, recovery=False).change
    assert set(decode(change)) == {"of", "from", "root"}
    agreed(table, change, "north", "south")
    assert rekey(table.env, table.game, change).consents == ("north", "south")
    table.turn()
    table.turn()
    assert holds(table)


def test_the_gm_gets_a_new_key_and_a_new_chain(table: Table) -> None:
    started(table)
    change = propose(table.env, table.open(), "gm", table.key("new gm")).change
    agreed(table, change, *BOTH)
    assert rekey(table.env, table.game, change).of == "gm"
    assert table.open().ledger.gm_key.line == decode(change)["key"]
    for _ in range(2):
        table.turn()
    assert holds(table)


def test_a_change_that_does_not_fit_is_refused(table: Table) -> None:
    started(table)
    change = propose(table.player, table.open(), "south", table.key("x")).change
    assert refused(read_change, b"{}").problems[0].code == "rekey.form"
    assert refused(read_change, b'{"of":"south"}\n').problems[0].code == "rekey.form"
    assert refused(read_change, b'{"evil":1,"of":"south"}\n').problems[0].code == "rekey.form"
    old = encode({**decode(change), "from": 1})
    assert refused(rekey, table.env, table.game, old).problems[0].code == "rekey.stale"
    nobody = encode({**decode(change), "of": "east"})
    assert refused(rekey, table.env, table.game, nobody).problems[0].code == "rekey.seat"
    assert (
        refused(propose, table.player, table.open(), "south", None, values=False).problems[0].code
        == "rekey.nothing"
    )


def test_a_seat_without_a_key_has_nothing_to_change(table: Table) -> None:
    table.started(keyed=("south",), umpire=True)
    assert refused(propose, table.player, table.open(), "north", None).problems[0].code == "rekey.seat"


# --- a lost computer


def lost(table: Table) -> Table:
    """Return the table with nothing of the player's left but what he wrote down, and a computer that knows
    nothing.
    """
    table.player = replace(table.player, keyring=Keyring(table.root / "new computer"))
    keys = table.key
    table.key = lambda name: keys("new key") if name == "south" else keys(name)  # type: ignore[method-assign]
    return table


@pytest.fixture
def friends(table: Table) -> Table:
    """Two friends, south with a key and his recovery code on paper; he has ordered once, and north once."""
    table.new()
    joined = join(table.player, table.game / INVITATION, table.key("south"))
    table.code = joined.code  # type: ignore[attr-defined]
    admit(table.env, table.game, joined.letter)
    assert len(joined.code.replace("-", "")) == 27
    assert joined.code.replace("-", "").encode() not in joined.letter
    return table


def code_of(table: Table) -> str:
    return table.code  # type: ignore[attr-defined,no-any-return]


def test_nobody_takes_the_seat_of_the_only_other_player(friends: Table) -> None:
    thief = propose(friends.env, friends.open(), "south", friends.key("thief")).change
    before = friends.files()
    refusal = refused(rekey, friends.env, friends.game, thief)
    assert (refusal.answer, said(refusal)) == (
        3,
        [
            "nobody but south has a key in this game, so only south can change those keys: with the old "
            "key, or with the recovery code"
        ],
    )
    assert "pbem keys recover GAME --key NEW-KEY -o recover.txt" in refusal.problems[0].help
    assert friends.files() == before


def test_a_seat_that_nobody_can_speak_for_gets_no_key(table: Table) -> None:
    table.started(keyed=())
    thief = propose(table.env, table.open(), "south", table.key("thief")).change
    assert refused(rekey, table.env, table.game, thief).problems[0].code == "rekey.nobody"


def test_a_lost_computer_costs_no_turn(friends: Table) -> None:
    """It is lost while south is to order: the slot is played without him and taken back, for his new keys
    hold from an announcement on.
    """
    friends.orders("north", "pull:\n- north-team rests\n")
    friends.resolve()
    friends = lost(friends)
    done = recover(friends.player, friends.open(), friends.key("south"), code_of(friends).lower())
    assert (done.seat, done.others) == ("south", ())
    assert code_of(friends).replace("-", "").encode() not in done.letter
    taken = rekey(friends.env, friends.game, done.letter)
    assert (taken.consents, taken.taken.own) == (("south",), "recovery code")
    told = "New keys for South {}; the change is signed with the player's recovery code."
    assert notices(friends.env, friends.open())[-1] == told.format("as soon as the next turn is announced")
    assert "pbem undo GAME --to 2" in taken.then
    friends.lock(deadline=True)
    friends.resolve()
    take(friends.game, make(friends.open(), friends.key("south"), {"to": 2}).letter)
    undo(friends.env, friends.game, 2, "a new computer")
    assert notices(friends.env, friends.open())[-1] == told.format("since turn 1, South")
    assert friends.turn().slot == 3
    assert verify(friends.game).failures == ()
    assert [act.said for act in verify(friends.game).acts] == [
        "rekey of south, from slot 3: signed with his recovery code",
        "undo of slot 2, consents of south: a new computer",
    ]


def test_a_computer_lost_between_lock_and_go_stops_no_game(friends: Table) -> None:
    friends.orders("north", pull("north"))
    friends.lock()
    friends = lost(friends)
    done = recover(friends.player, friends.open(), friends.key("south"), code_of(friends))
    assert "pbem undo GAME --to 1" in rekey(friends.env, friends.game, done.letter).then
    take(friends.game, make(friends.open(), friends.key("south"), {"to": 1}).letter)
    undo(friends.env, friends.game, 1, "a new computer")
    friends.turn()
    assert verify(friends.game).failures == ()
    assert "New keys for South from here on" in (friends.game / "reports/s0002.txt").read_text()


def test_the_next_report_says_whose_word_new_keys_stand_on(table: Table) -> None:
    table.started(keyed=BOTH, umpire=True)
    new = replace(table.player, keyring=Keyring(table.root / "substitute"))
    change = propose(new, table.open(), "south", table.key("substitute")).change
    agreed(table, change, "north")
    rekey(table.env, table.game, change, "he is ill")
    table.turn()
    told = (
        "New keys for South from here on, on the word of the umpire and of "
        "North. Nothing of South is signed there"
    )
    assert told in (table.game / "reports/s0001.txt").read_text().replace("\n", " ")
    assert told in report_of(table.open(), 1, "text").replace("\n", " "), (
        "it comes out the same when it is made again"
    )
    keys = table.key
    table.key = lambda name: keys("substitute") if name == "south" else keys(name)  # type: ignore[method-assign]
    table.player = new
    table.turn()
    assert told not in (table.game / "reports/s0002.txt").read_text().replace("\n", " ")


def test_with_three_the_others_consent_to_a_recovery_too(table: Table) -> None:
    table.new(umpire=True, keyed=BOTH)
    codes = {}
    for seat in BOTH:
        joined = join(table.player, table.game / INVITATION, table.key(seat), seat)
        codes[seat] = joined.code
        admit(table.env, table.game, joined.letter)
    table = lost(table)
    done = recover(table.player, table.open(), table.key("south"), codes["south"])
    assert done.others == ("north",)
    missing = refused(rekey, table.env, table.game, done.letter)
    assert (missing.problems[0].code, missing.problems[0].args) == ("consent.missing", {"seats": "north"})
    take(table.game, make(table.open(), table.key("north"), read_change(done.letter)).letter)
    assert rekey(table.env, table.game, done.letter).consents == BOTH


def test_a_recovery_code_that_is_mistyped_or_of_no_seat_is_told_so(friends: Table) -> None:
    code = code_of(friends)
    wrong = code[:2] + ("2" if code[2] != "2" else "3") + code[3:]
    for typed, expected in {
        wrong: "recover.check",
        code[:-2]: "recover.length",
        code + "!": "recover.letters",
        printed(new_code(bytes(16))): "recover.other",
    }.items():
        assert (
            refused(recover, friends.player, friends.open(), friends.key("x"), typed).problems[0].code
            == expected
        )


def test_a_key_that_is_in_use_is_refused_before_it_is_entered(friends: Table) -> None:
    change = propose(friends.player, friends.open(), "south", friends.key("south")).change
    take(friends.game, make(friends.open(), friends.key("south"), read_change(change)).letter)
    before = friends.files()
    assert said(refused(rekey, friends.env, friends.game, change)) == [
        "this change cannot be entered: the new key is in use already"
    ]
    assert friends.files() == before


def test_a_join_whose_recovery_key_is_no_good_is_not_taken_in(table: Table) -> None:
    table.new(umpire=True, keyed=BOTH)
    ledger = table.open().ledger
    for line in ("ssh-ed25519 AAAA", str(ledger.seats["north"].key_line), str(ledger.manifest["key"])):
        record = join_record(
            game=ledger.game, seat="south", manifest_id=ledger.manifest_id, root="0" * 64, recovery=line
        )
        data = encode(record)
        letter = data + sign(table.key("south"), join_namespace(ledger.game, "south"), data).encode()
        assert refused(admit, table.env, table.game, letter).problems[0].code == "join.recovery"
