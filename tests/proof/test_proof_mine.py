"""A player's own letters: each is used, waits, is lawfully replaced, or is missing from the lock; and nothing
else is said.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from hypothesis import given, settings
from hypothesis import strategies as st
from proof_simulator import Referee, friends, friends_game, line, private, umpire, umpire_game

from pbem.proof import archive as names
from pbem.proof import records
from pbem.proof.canonical import encode
from pbem.proof.history import Ledger
from pbem.proof.known import Value
from pbem.proof.ledger import read_ledger
from pbem.proof.orderfile import parse, write
from pbem.proof.own_mail import DOUBT, FINE, MISSING, WAITS, Found, look_up, plain_orders, read_letters
from pbem.proof.signing import sign

Files = Mapping[str, bytes]


def outbox(game: Referee, seat: str) -> dict[str, bytes]:
    """Return what a seat sent, as it left him."""
    return {
        path.rpartition("/")[2]: data
        for path, data in game.archive.items()
        if path.startswith(f"seats/{seat}/")
    }


def found(game: Referee, files: Files) -> dict[str, tuple[str, str]]:
    letters, _ = read_letters(files)
    return {one.path: (one.answer, one.said) for one in look_up(read_ledger(game.archive), letters)}


def answers(game: Referee, files: Files) -> dict[str, str]:
    return {path: answer for path, (answer, _) in found(game, files).items()}


def letter(path: str, data: bytes, who: str, namespace: str) -> dict[str, bytes]:
    return {path: data, f"{path}.sig": sign(private(who), namespace, data).encode()}


def orders(
    game: Referee,
    path: str,
    *,
    slot: int,
    head: str,
    yaml: str = "move:\n- hob 0413\n",
    who: str = "blue",
    **more: str,
) -> Files:
    data = write(game=game.game, slot=slot, seat="blue", head=head, salt="0" * 32, yaml=yaml.encode(), **more)
    return letter(path, data, who, names.orders_namespace(game.game, slot, "blue", head))


def receipt(
    game: Referee, data: bytes, *, file: str = "final", who: str = "gm", at: str = "2026-02-01T00:00:00Z"
) -> dict[str, bytes]:
    read = parse(data)
    paper = records.receipt(
        game=read.game, at=at, seat=read.seat, slot=read.slot, sha512=read.sha512, file=file
    )
    return letter(f"receipt-{read.sha512[:8]}-{file}.json", encode(paper), who, names.gm_namespace(game.game))


def test_everything_an_honest_game_got_is_there() -> None:
    for game, seats in ((friends_game(), ["blue"]), (umpire_game(), ["blue", "green", "red"])):
        for seat in seats:
            files = outbox(game, seat)
            assert len(files) >= 2
            assert set(answers(game, files).values()) == {FINE}
    assert found(friends_game(), outbox(friends_game(), "blue")) == {
        "join.json": (FINE, "used: the start names this join"),
        "orders-s0001.txt": (FINE, "used: the lock of slot 1 names this file"),
        "go-s0002.json": (FINE, "used: its value is in the dice of slot 2"),
        "orders-s0003.txt": (FINE, "used: the lock of slot 3 names this file"),
        "orders-s0004.txt": (FINE, "used: the lock of slot 4 names this file"),
    }


def test_a_record_and_its_signature_in_one_letter() -> None:
    game = friends_game()
    files = outbox(game, "blue")
    go = files["go-s0002.json"] + files["go-s0002.json.sig"]
    assert answers(game, {"go.txt": go, "go-crlf.txt": go.replace(b"\n", b"\r\n")}) == {
        "go.txt": FINE,
        "go-crlf.txt": FINE,
    }


def locked_without(**how: object) -> tuple[Referee, Files]:
    """Return a game of two friends whose GM locked blue's slot without the final file that blue wrote, and
    that file.
    """
    game = friends()
    game.order("blue", x=True)
    files = outbox(game, "blue")
    for path in ("orders-s0001.txt", "orders-s0001.txt.sig"):
        del game.archive[f"seats/blue/{path}"]
    del game.files["blue"]
    game.given = {}
    game.lock(**how)  # type: ignore[arg-type]
    return game, files


def test_a_final_file_that_was_dropped() -> None:
    game, files = locked_without()
    assert found(game, files)["orders-s0001.txt"] == (
        MISSING,
        "NOT USED though final: the lock of slot 1 has no file of this seat",
    )


def test_a_value_that_was_used_without_its_file() -> None:
    game, files = locked_without(blue="go")
    game.go("blue")
    game.result([("t1.blue.melee/a", 6, 1)])
    assert found(game, files)["orders-s0001.txt"][1].endswith(
        "has no file of this seat; its value went into the dice all the same"
    )
    words = orders(game, "w.txt", slot=1, head=read_ledger(game.archive).slots[1].head, luck="short")
    assert found(game, words)["w.txt"] == (
        MISSING,
        "NOT USED though final: the lock of slot 1 has no file of this seat",
    )


def test_final_files_and_drafts_beside_the_one_that_was_used() -> None:
    game = friends()
    head = game.next_id
    used = game.order("blue", x=True)
    files = outbox(game, "blue")
    x = game.value("blue", 1)
    draft, final = (
        orders(game, "draft.txt", slot=1, head=head),
        orders(game, "final.txt", slot=1, head=head, value=x),
    )
    other_key = orders(game, "other.txt", slot=1, head=head, value=x, who="red")
    game.lock()
    every = {**files, **draft, **final, **other_key}
    said = found(game, every)
    assert said["orders-s0001.txt"][0] == FINE
    assert said["draft.txt"] == (FINE, "replaced by your other file orders-s0001.txt")
    assert said["final.txt"] == (
        DOUBT,
        "orders-s0001.txt was used: of two final files the one that came first counts, and only you know "
        "which it was",
    )
    assert said["other.txt"] == (DOUBT, "not signed with the key of the seat, so nobody could use it")
    sha512 = hashlib.sha512(used).hexdigest()
    assert found(game, draft)["draft.txt"] == (
        DOUBT,
        f"a draft; the lock of slot 1 has another file ({sha512[:16]})",
    )
    assert found(game, final)["final.txt"][0] == MISSING


def test_a_draft_that_was_used_though_the_final_file_was_there() -> None:
    game = friends()
    head = game.next_id
    game.order("blue")
    drafts = {path: data for path, data in outbox(game, "blue").items() if path.startswith("orders")}
    game.lock()
    final = orders(game, "final.txt", slot=1, head=head, value=game.value("blue", 1))
    said = found(game, {**drafts, **final})
    assert said["orders-s0001.txt"][0] == FINE
    assert said["final.txt"][0] == MISSING
    assert said["final.txt"][1].startswith("NOT USED though final: the lock of slot 1 has another file (")


def test_promises() -> None:
    game = friends()
    head = game.next_id
    used = game.order("blue", x=True)
    draft = orders(game, "draft.txt", slot=1, head=head)
    game.lock()
    kept = receipt(game, used)
    assert found(game, kept)[next(iter(kept))] == (FINE, "kept: the lock of slot 1 names this file")
    promise = receipt(game, draft["draft.txt"], file="draft")
    name = next(iter(promise))
    said = found(game, {**draft, **promise})
    assert said["draft.txt"][0] == said[name][0] == MISSING
    assert said["draft.txt"][1].startswith(
        "NOT USED though the GM promised it: the lock of slot 1 has another file ("
    )
    assert said[name][1].startswith("BROKEN: the lock of slot 1 has another file (")
    said = found(game, {**draft, **promise, **kept})
    assert (said["draft.txt"][0], said[name]) == (DOUBT, (FINE, "replaced by a later receipt"))
    invented = receipt(game, draft["draft.txt"], file="draft", who="blue")
    said = found(game, {**draft, **invented})
    assert (said["draft.txt"][0], said[name]) == (
        DOUBT,
        (DOUBT, "not signed by the GM, so it promises nothing"),
    )


def test_what_waits_for_its_lock() -> None:
    game = friends()
    data = game.order("blue", x=True)
    files = {
        **receipt(game, data),
        **{path: one for path, one in outbox(game, "blue").items() if path.startswith("orders")},
    }
    said = (WAITS, "slot 1 is not locked in this copy of the game")
    assert list(found(game, files).values()) == [said, said]


def test_slots_without_values_take_the_last_file() -> None:
    game = umpire("gm")
    head = game.next_id
    game.lock()
    one = orders(game, "one.txt", slot=1, head=head)
    assert answers(game, one) == {"one.txt": DOUBT}
    game = friends()
    game.order("blue", x=True)
    game.lock()
    game.result(following=("t1.red.melee", ["red"]))
    game.order("red")
    head = game.next_id
    game.lock(blue="go")
    standing = orders(game, "standing.txt", slot=2, head=head)
    assert found(game, standing)["standing.txt"] == (
        MISSING,
        "NOT USED though the file of this slot: the lock of slot 2 has no file of this seat",
    )


def test_other_histories() -> None:
    game = friends_game()
    ledger = read_ledger(game.archive)
    old = orders(game, "old.txt", slot=2, head=ledger.records[0].id)
    none = orders(game, "none.txt", slot=2, head="ab" * 32)
    assert found(game, {**old, **none}) == {
        "old.txt": (DOUBT, "written under an older report than the one that slot 2 was locked under"),
        "none.txt": (
            MISSING,
            f"NOT USED: it answers a report ({'ab' * 8}) that is not in this "
            "history; compare copies with --with",
        ),
    }
    go = records.go(game=game.game, seat="blue", slot=2, lock_id="cd" * 32, value=Value("0" * 64))
    assert found(game, {"go.json": encode(go)})["go.json"][0] == MISSING


def test_goes() -> None:
    game = friends()
    game.order("blue", x=True)
    game.lock()
    lock_1 = game.lock_id
    game.result(following=("t1.red.melee", ["red"]))
    game.order("red")
    game.lock(blue="go")
    x = game.value("blue", 2)
    right = {
        "go.json": encode(records.go(game=game.game, seat="blue", slot=2, lock_id=game.lock_id, value=x))
    }
    unasked = {
        "un.json": encode(
            records.go(game=game.game, seat="blue", slot=1, lock_id=lock_1, luck="any words here")
        )
    }
    later = {
        "later.json": encode(records.go(game=game.game, seat="blue", slot=3, lock_id=game.lock_id, value=x))
    }
    assert found(game, {**right, **unasked, **later}) == {
        "go.json": (WAITS, "slot 2 has no result yet"),
        "un.json": (DOUBT, "nobody asked for it: the lock of slot 1 does not"),
        "later.json": (WAITS, "slot 3 is not locked in this copy of the game"),
    }
    game.go("blue", "quite other words")
    game.result([("t1.red.melee/a", 6, 1)])
    assert found(game, right)["go.json"] == (
        MISSING,
        "NOT USED: slot 2 has another value of this seat (seats/blue/go-s0002.json)",
    )
    words = {
        "go.json": encode(
            records.go(game=game.game, seat="blue", slot=2, lock_id=game.lock_id, luck="quite other words")
        )
    }
    assert answers(game, words) == {"go.json": FINE}


def test_what_was_taken_back_and_consents() -> None:
    game = friends()
    game.order("blue", x=True)
    game.lock()
    game.result([("t1.blue.melee/a", 6, 1)], following=("t1.red.melee", ["red"]))
    game.order("red")
    game.lock(blue="go")
    go = encode(
        records.go(game=game.game, seat="blue", slot=2, lock_id=game.lock_id, value=game.value("blue", 2))
    )
    listed = game.consents(["blue"], to=1)
    consent = {path: data for path, data in outbox(game, "blue").items() if path.startswith("consent")}
    name = next(iter(consent))
    assert found(game, consent)[name] == (WAITS, "nothing has been done with it yet")
    assert answers(friends_game(), consent) == {name: DOUBT}
    game.undo(1, listed)
    said = found(game, {**outbox(game, "blue"), "go.json": go})
    assert said[name] == (FINE, "used by ledger/00006-s0002-undo.json")
    assert said["orders-s0001.txt"] == (
        FINE,
        "used: the lock of slot 1 names this file (the slot was taken back later)",
    )
    assert said["go.json"] == (DOUBT, "slot 2 was taken back before its dice")
    idle = encode(
        {
            "type": "consent",
            "game": game.game,
            "seat": "blue",
            "head": read_ledger(game.archive).records[0].id,
            "to": 1,
        }
    )
    assert found(game, {"idle.json": idle})["idle.json"] == (
        FINE,
        "not used, and it can no longer be: other records have come since",
    )


def test_files_signed_with_a_key_that_was_changed_since() -> None:
    game = friends()
    head = game.next_id
    game.order("blue")
    game.lock()
    game.result(following=("t2.blue.melee", ["blue"]))
    game.rekey("blue", [], key=line("blue new"))
    x = game.value("blue", 1)
    assert answers(game, orders(game, "final.txt", slot=1, head=head, value=x)) == {"final.txt": MISSING}
    assert answers(game, orders(game, "final.txt", slot=1, head=head, value=x, who="blue new")) == {
        "final.txt": MISSING
    }
    assert answers(game, orders(game, "final.txt", slot=1, head=head, value=x, who="nobody")) == {
        "final.txt": DOUBT
    }


def test_files_signed_with_the_key_of_another_seat() -> None:
    game = umpire()
    head = game.next_id
    x = game.value("blue", 1)
    game.lock()
    assert answers(game, orders(game, "final.txt", slot=1, head=head, value=x, who="green")) == {
        "final.txt": DOUBT
    }
    assert answers(game, orders(game, "final.txt", slot=1, head=head, value=x)) == {"final.txt": MISSING}


def test_joins_and_letters_of_elsewhere() -> None:
    game = friends()
    other = encode(records.join(game=game.game, seat="blue", manifest_id="0" * 64, words="yes"))
    assert found(game, {"j.json": other})["j.json"] == (
        MISSING,
        "NOT USED: the start names another join of this seat",
    )
    for path in [path for path in game.archive if "start" in path]:
        del game.archive[path]
    assert found(game, {"j.json": other})["j.json"] == (WAITS, "the game has not started in this copy")
    strange = encode(records.join(game="other-game-0a1b2c", seat="blue", manifest_id="0" * 64, words="yes"))
    nobody = encode(records.join(game=game.game, seat="nobody", manifest_id="0" * 64, words="yes"))
    assert found(game, {"a.json": strange, "b.json": nobody}) == {
        "a.json": (DOUBT, "of another game, other-game-0a1b2c"),
        "b.json": (DOUBT, "of the seat nobody, which this game does not have"),
    }


def test_files_that_are_no_letters() -> None:
    go = records.go(game="siege-0a1b2c", seat="blue", slot=2, lock_id="0" * 64, value=Value("0" * 64))
    files = {
        "big.json": b" " * 65_537,
        "half.txt": b"#pd1-orders/1\n",
        "lock.json": encode({"type": "lock"}),
        "odd.json": encode({**go, "type": "stay"}),
        "list.json": encode({"type": ["go"]}),
        "hello.txt": b"hello",
        "x.sig": b"",
        "go.json": encode(go),
    }
    letters, others = read_letters(files)
    assert [one.path for one in letters] == ["go.json"]
    assert others == ("big.json", "half.txt", "hello.txt", "list.json", "lock.json", "odd.json")


def test_plain_orders_of_a_seat_without_a_key_are_known_by_their_words() -> None:
    game = umpire_game()
    ledger = read_ledger(game.archive)
    found = plain_orders(ledger, "mine.yaml", b"move:\r\n- hob 0412\r\n", ["red"])
    assert found == Found(
        "mine.yaml", "orders", "red", 2, FINE, "used: the published file of slot 2 has these very words"
    )
    assert plain_orders(ledger, "mine.yaml", b"move:\n- hob 0411\n", ["red"]) is None
    assert plain_orders(ledger, "mine.yaml", b"move:\n- hob 0412\n", ["white"]) is None


def test_the_order_of_answers() -> None:
    game = friends_game()
    files = outbox(game, "blue")
    strange = {
        "a.json": encode(
            records.join(game="other-game-0a1b2c", seat="blue", manifest_id="0" * 64, words="yes")
        )
    }
    letters, _ = read_letters({**strange, **files})
    listed = [(one.kind, one.slot) for one in look_up(read_ledger(game.archive), letters)]
    assert listed == [("join", 0), ("join", 0), ("orders", 1), ("go", 2), ("orders", 3), ("orders", 4)]


@settings(max_examples=60, deadline=None)
@given(
    st.dictionaries(st.text("ab.sig", min_size=1, max_size=6), st.binary(max_size=200), max_size=4), st.data()
)
def test_any_bytes_are_letters_or_not(files: dict[str, bytes], data: st.DataObject) -> None:
    game = friends_game()
    for path, good in list(outbox(game, "blue").items())[:4]:
        at = data.draw(st.integers(0, len(good) - 1))
        files[path] = good[:at] + data.draw(st.binary(max_size=3)) + good[at + 1 :]
    letters, _ = read_letters(files)
    ledger: Ledger = read_ledger(game.archive)
    for one in look_up(ledger, letters):
        assert isinstance(one, Found)
        assert one.answer in (FINE, WAITS, DOUBT, MISSING)
