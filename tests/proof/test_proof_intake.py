"""Why an order file or a go cannot be used, in the words of the player's mail."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from proof_simulator import Referee, chain, friends, friends_game, gm_seat, player, private, umpire

from pbem.proof import archive as names
from pbem.proof import records
from pbem.proof.canonical import encode
from pbem.proof.history import Ledger
from pbem.proof.intake import (
    SENTENCES,
    FileCheck,
    GoCheck,
    check_words,
    goes_missing,
    sentence,
    valid_file,
    valid_go,
    valid_words,
)
from pbem.proof.ledger import read_ledger
from pbem.proof.orderfile import write
from pbem.proof.signing import fingerprint, public_of, sign


def orders(game: Referee, /, seat: str = "blue", *, who: str | None = "blue", **change: Any) -> tuple[bytes, str | None]:
    number = game.slot + 1
    fields: dict[str, Any] = {
        "game": game.game, "slot": number, "seat": seat, "head": game.next_id, "salt": "ab" * 16, "yaml": b"a: b\n"
    }  # fmt: skip
    fields |= change
    data = write(**fields)
    space = names.orders_namespace(fields["game"], fields["slot"], fields["seat"], fields["head"])
    return data, None if who is None else sign(private(who), space, data)


def check(game: Referee, /, seat: str = "blue", *, who: str | None = "blue", **change: Any) -> FileCheck:
    return valid_file(read_ledger(game.archive), seat, *orders(game, seat, who=who, **change))


def said(found: FileCheck | GoCheck) -> list[str]:
    assert len({problem.code for problem in found.problems}) == len(found.problems) or found.problems
    return [sentence(problem) for problem in found.problems]


def x(game: Referee, slot: int, who: str = "blue") -> str:
    return chain(game.game, who).value(slot)


def test_a_draft_a_final_and_words() -> None:
    game = friends()
    draft = check(game)
    assert (draft.problems, draft.words, draft.final) == ((), None, False)
    final = check(game, x=x(game, 1))
    assert (final.problems, final.words, final.final) == ((), None, True)
    assert final.file is not None
    assert final.file.yaml == b"a: b\n"
    typed = check(game, luck="  seven  drunken herons ")
    assert (typed.problems, typed.words, typed.final) == ((), "seven drunken herons", True)


def test_a_header_that_cannot_be_read() -> None:
    found = valid_file(read_ledger(friends().archive), "blue", b"hello")
    assert (found.file, found.final) == (None, False)
    assert said(found) == ["The header of this file is not right: no-rule."]
    twice = orders(friends())[0].replace(b"#salt", b"#slot 1\n#salt")
    assert said(valid_file(read_ledger(friends().archive), "blue", twice)) == [
        "The header of this file is not right: twice (line 6)."
    ]


def test_an_older_report() -> None:
    game = friends_game()
    older = check(game, slot=4)
    assert not older.final
    assert said(older) == ["You answered an older report (slot 4); the game is at slot 5. The new report is attached."]
    assert said(check(game, head="0" * 64)) == [
        "You answered an older report (slot 5); the game is at slot 5. The new report is attached."
    ]


def test_a_slot_that_is_not_open() -> None:
    assert said(check(friends(), slot=40)) == ["This file is for slot 40; here it has to be 1."]
    assert said(check(friends(), slot=40, head="0" * 64)) == ["This file is for slot 40; here it has to be 1."]


def test_another_game_and_another_seat() -> None:
    assert said(check(friends(), game="other-0a1b2c")) == [
        "This file is for game other-0a1b2c; here it has to be siege-0a1b2c."
    ]
    game = friends()
    data = orders(game)[0].replace(b"#seat blue", b"#seat green")
    space = names.orders_namespace(game.game, 1, "green", game.next_id)
    found = valid_file(read_ledger(game.archive), "blue", data, sign(private("blue"), space, data))
    assert [problem.code for problem in found.problems] == ["proof.not-yours"]
    assert said(found) == ["This file is for seat green; here it has to be blue."]


def test_signatures() -> None:
    shown = fingerprint(public_of(private("blue")))
    assert said(check(friends(), who=None)) == [f"This file is not signed. Sign it with the key you joined with ({shown})."]
    assert said(check(friends(), who="mallory")) == [f"Signed by another key than the one you joined with ({shown})."]
    game = friends()
    data, armored = orders(game)
    found = valid_file(read_ledger(game.archive), "blue", data + b"c: d\n", armored)
    assert said(found) == ["The signature does not hold for this file: bytes."]


def test_seats_without_a_key_sign_nothing() -> None:
    game = umpire()
    assert check(game, "red", who=None, luck="seven herons").final
    assert said(check(game, "red", who=None, x="0" * 64)) == [
        "You joined without a chain. Add a line `luck: any words` instead of a value."
    ]
    assert said(check(game, "green", who="green", x="0" * 64))[0].startswith("You joined without a chain.")


def test_a_wrong_chain_value() -> None:
    game = friends()
    assert said(check(game, x=x(game, 2))) == [
        "This value does not belong to your chain. Is this the computer you joined from? "
        "`pbem status` shows the chain file it looks for."
    ]


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ("seven", "Please type at least 8 letters."),
        ("x" * 101, "Please type at most 100 letters."),
        ("seven\u200bherons", "These words hold characters that cannot be seen; please type others."),
        (" seven drunken  herons", "You used these words in slot 3; please type others."),
    ],
)
def test_words(typed: str, text: str) -> None:
    ledger = read_ledger(friends_game().archive)
    problem = check_words(typed, ledger.used_words("blue"))
    assert not isinstance(problem, str)
    assert sentence(problem) == text
    game = friends_game()
    game.order("red")
    game.lock()
    game.result(following=("t3.blue.melee", ["blue"]))
    assert said(check(game, luck=typed)) == [text]


def test_values_where_none_is_wanted() -> None:
    game = friends_game()
    text = "No value is wanted with the orders of slot 5; it is asked for after they are fixed."
    assert said(check(game, x=x(game, 5))) == [text]
    assert said(check(game, "red", who=None, luck="seven herons")) == [text]
    assert check(game).problems == ()
    assert check(game, "red", who=None).problems == ()
    assert said(check(umpire("gm"), luck="seven herons")) == [text.replace("slot 5", "slot 1")]
    mine = Referee([player("blue"), gm_seat("red")], chains=["blue"]).open("t1.blue.melee", ["blue"])
    assert said(check(mine, "red", who=None, luck="seven herons")) == [text.replace("slot 5", "slot 1")]


def test_no_slot_is_open() -> None:
    game = friends()
    game.order("blue", x=True)
    data, armored = orders(game)
    game.lock()
    assert said(valid_file(read_ledger(game.archive), "blue", data, armored)) == ["The orders of slot 1 are fixed already."]
    game.result()
    assert said(valid_file(read_ledger(game.archive), "blue", data, armored)) == ["The game is over; no slot is open."]


# goes


def locked() -> Referee:
    game = friends_game()
    game.order("red")
    game.lock(blue="go")
    return game


def go(game: Referee, /, *, who: str | None = "blue", **change: Any) -> GoCheck:
    fields: dict[str, Any] = {"game": game.game, "seat": "blue", "slot": game.slot, "lock_id": game.lock_id} | change
    if "luck" not in fields and "x" not in fields:
        fields["x"] = x(game, game.slot)
    data = encode(records.go(**fields))
    space = names.go_namespace(game.game, game.slot, "blue", game.lock_id)
    return valid_go(read_ledger(game.archive), "blue", data, None if who is None else sign(private(who), space, data))


def test_goes() -> None:
    game = locked()
    assert go(game) == GoCheck(x(game, 5), None, ())
    assert go(game, luck="eight sober owls") == GoCheck(None, "eight sober owls", ())
    assert said(go(game, luck="seven drunken herons")) == ["You used these words in slot 3; please type others."]
    assert said(go(game, x="0" * 64))[0].startswith("This value does not belong to your chain.")
    assert said(go(game, lock_id="0" * 64)) == ["This go is for another lock than that of slot 5."]
    assert said(go(game, seat="green")) == ["This go is for another lock than that of slot 5."]
    assert said(go(game, slot=4)) == ["This go is for another lock than that of slot 5."]
    assert said(go(game, game="other-0a1b2c")) == ["This go is for another lock than that of slot 5."]
    assert said(go(game, who=None))[0].startswith("This file is not signed.")
    assert said(go(game, who="red"))[0].startswith("Signed by another key")


def test_goes_that_cannot_be_read() -> None:
    game = locked()
    ledger = read_ledger(game.archive)
    assert said(valid_go(ledger, "blue", b"go", None)) == ["This go cannot be read: not JSON."]
    assert said(valid_go(ledger, "blue", b"{}\n", None)) == ["This go cannot be read: a record of the type None is not known."]
    join = game.archive["seats/blue/join.json"]
    assert said(valid_go(ledger, "blue", join, None)) == ["This go cannot be read: a record of the type join."]


def test_goes_that_nobody_asked_for() -> None:
    assert said(go(friends(), slot=1, x="0" * 64, lock_id="0" * 64)) == ["Slot 1 is not locked yet; a go comes after the lock."]
    over = friends()
    over.order("blue", x=True)
    over.lock()
    assert said(go(over)) == ["Nobody asked blue for a go in slot 1."]
    over.result()
    assert said(go(over)) == ["The game is over; no slot is open."]


def typed(game: Referee, seat: str, words: str) -> GoCheck:
    return valid_words(read_ledger(game.archive), seat, words)


def test_typed_goes() -> None:
    game = umpire()
    assert said(typed(game, "red", "seven herons")) == ["Slot 1 is not locked yet; a go comes after the lock."]
    game.order("blue")
    game.lock(blue="go", red="go")
    assert typed(game, "red", " seven  herons") == GoCheck(None, "seven herons", ())
    assert said(typed(game, "red", "seven")) == ["Please type at least 8 letters."]
    assert said(typed(game, "green", "seven herons")) == ["Nobody asked green for a go in slot 1."]


def test_a_seat_without_a_key_signs_no_go() -> None:
    game = umpire()
    game.order("blue")
    game.lock(blue="go", red="go", green="go")
    data = encode(records.go(game=game.game, seat="red", slot=1, lock_id=game.lock_id, luck="seven herons"))
    assert said(valid_go(read_ledger(game.archive), "red", data, None)) == [
        "You joined without a key. Answer with a line `luck: any words` and nothing else."
    ]


def test_which_goes_are_missing() -> None:
    game = umpire()
    game.order("blue")
    game.lock(blue="go", red="go", green="go")
    ledger = read_ledger(game.archive)
    assert ledger.locked is not None
    good = GoCheck(None, "seven herons", ())
    bad = typed(game, "red", "x")
    assert goes_missing(ledger.locked, {}) == ("blue", "green", "red")
    assert goes_missing(ledger.locked, {"blue": good, "red": bad}) == ("green", "red")
    assert goes_missing(ledger.locked, dict.fromkeys(("blue", "green", "red"), good)) == ()


def test_no_sentence_repeats_another() -> None:
    assert len(set(SENTENCES.values())) == len(SENTENCES)


LEDGERS: dict[str, Ledger] = {}


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=80), st.none() | st.text(max_size=40))
def test_any_bytes_are_answered(data: bytes, armored: str | None) -> None:
    if not LEDGERS:
        LEDGERS.update(open=read_ledger(friends().archive), locked=read_ledger(locked().archive))
    assert said(valid_file(LEDGERS["open"], "blue", data, armored))
    assert said(valid_go(LEDGERS["locked"], "blue", data, armored))
