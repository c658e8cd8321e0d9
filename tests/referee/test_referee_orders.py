"""Order files on their way in: what is said of them, which of them counts, and the words of every answer."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from table import Table, pull

from pbem.core.problem import Problem
from pbem.proof.archive import orders_namespace
from pbem.proof.known import Value
from pbem.proof.orderfile import parse, write
from pbem.proof.signing import fingerprint, public_of, sign
from pbem.referee.game.refusal import Refused
from pbem.referee.turn.check import check
from pbem.referee.turn.go import make_go
from pbem.referee.turn.sign import sign_orders
from pbem.referee.turn.submit import submit
from pbem.store import received
from pbem.store.gamedir import GameDir
from pbem.store.library import common_words


def refused(act: object, *args: object, **more: object) -> Refused:
    with pytest.raises(Refused) as refusal:
        act(*args, **more)  # type: ignore[operator]
    return refusal.value


def said(refusal: Refused) -> list[str]:
    words = common_words()
    return [words.problem(problem.code, problem.args) for problem in refusal.problems] + [
        found.message for found in refusal.located
    ]


def codes(table: Table, text: str, seat: str | None = "north") -> list[tuple[str, int]]:
    checked = check(table.open(), "o.yaml", text.encode(), seat)
    return [(found.code, found.line) for found in (*checked.problems, *checked.doubts)]


def test_check_says_everything_at_once(table: Table) -> None:
    table.started()
    text = "game: other-0a1b2c\nside: north\npull:\n- north-team sings\n- someone pulls\nmisc: x\n"
    assert codes(table, text) == [("orders.other-game", 1), ("schema.unknown-key", 6)]
    assert codes(table, "side: north\npull:\n- north-team sings\n- someone pulls\n") == [
        ("toy.verb", 3),
        ("name.unknown", 4),
    ]
    # What has the wrong form does not hide what the other lines say, and is not told twice.
    assert codes(table, "misc: x\npull:\n- north-team sings\n- [a]\n") == [
        ("schema.unknown-key", 1),
        ("toy.verb", 3),
        ("schema.type", 4),
    ]
    assert codes(table, "pull:\n- south-team pulls\n") == [("toy.not-yours", 2)]
    assert codes(table, "pull: [a\npull: b\n")[0][0].startswith("yaml.")
    assert codes(table, "- a list\n") == [("file.no-orders", 1)]
    assert codes(table, "") == [("yaml.empty", 1)]
    assert codes(table, "\x89PNG\r\n", None) == [("file.no-orders", 1)], "no seat is named"


def test_check_finds_out_whose_file_it_is(table: Table) -> None:
    table.started()
    game = table.open()
    assert check(game, "o", pull("north").encode()).seat == "north"
    assert check(game, "o", b"side: south\nstanding: {everyone: {yield: let-go}}\n").seat == "south"
    assert check(game, "o", b"seat: south\nstanding: {everyone: {yield: let-go}}\n").seat == "south"
    assert codes(table, "side: east\n", None) == [("game.seat", 1)]
    assert str(refused(check, game, "o", b"x: y\n", "east")) == "game.seat"


def test_a_sealed_setup_asks_whose_file_it_is(table: Table) -> None:
    table.started("dig")
    assert codes(table, "setup:\n- north-team digs\n", None) == [("orders.whose", 1)]


def test_doubts_do_not_refuse(table: Table) -> None:
    table.started(profile="gm")
    for slot in range(1, 9):
        seat = table.open().announced()["waits"][0]
        if slot > 1 and seat == "north" and not table.open().questions:
            break
        table.orders(seat, "answers: {q1: hold}\n" if table.open().questions else pull(seat))
        table.resolve()
    checked = check(table.open(), "o.yaml", pull("north").encode(), "north")
    assert (checked.ok, checked.understood) == (True, ("north-team pulls",))
    assert [(found.code, found.line) for found in checked.doubts] == [("doubt.toy-tired", 2)]


def test_answers_without_a_question(table: Table) -> None:
    table.started()
    assert codes(table, "answers: {q1: hold}\n") == [("orders.question", 1)]


# --- drafts and finals (R5)


def south_to_order(table: Table, **more: object) -> Table:
    """Bring a game of two players with umpire to its first slot, which waits for north."""
    return table.started(umpire=True, keyed=(), **more)


def test_a_draft_is_answered_with_what_was_understood(table: Table) -> None:
    south_to_order(table)
    done = table.orders("north", pull("north"))
    assert (done.receipt.file, done.lock) == ("draft", None)
    assert done.answer == (
        "This is what I understood:\nnorth-team pulls\n"
        "Nothing is fixed yet. When it is final, send a file with one line: `luck: any words of yours`."
    )
    assert done.receipt.sha512 == parse(received.letters(GameDir(table.game), 1)[0].data).sha512
    empty = table.orders("north", "nobody: moves\n")
    assert "This is what I understood:\n(no orders)\n" in empty.answer


def test_a_draft_of_a_seat_with_a_key(table: Table) -> None:
    table.started(umpire=True, keyed=("north",))
    done = table.orders("north", pull("north"), draft=True)
    assert done.answer.endswith("Nothing is fixed yet. `pbem sign` makes it final.")
    assert table.orders("north", pull("north")).answer == "Final. These orders and this value are used."


def test_the_last_draft_counts_until_one_is_final(table: Table) -> None:
    south_to_order(table)
    table.orders("north", "pull:\n- north-team rests\n")
    second = table.orders("north", pull("north"))
    locked = table.lock(deadline=True)
    assert table.open().ledger.slots[locked.slot].entries["north"].sha512 == second.receipt.sha512


def test_the_first_final_file_counts_and_locks(table: Table) -> None:
    south_to_order(table)
    table.orders("north", "pull:\n- north-team rests\n")
    final = table.orders("north", pull("north", "luck: seven drunken herons\n"))
    assert final.answer == "Final. These orders and this value are used."
    assert (final.receipt.file, final.lock is not None) == ("final", True)
    entry = table.open().ledger.slots[1].entries["north"]
    assert (entry.x, entry.sha512) == ("early", final.receipt.sha512)


def test_a_second_final_file_is_kept_and_not_used(table: Table) -> None:
    south_to_order(table)
    table.orders("north", pull("north", "luck: seven drunken herons\n"), auto_lock=False)
    refusal = refused(
        table.orders, "north", "luck: eight drunken herons\npull:\n- north-team rests\n", auto_lock=False
    )
    assert said(refusal) == ["your final orders for slot 1 stand; this file came after them and is not used"]
    assert len(received.letters(GameDir(table.game), 1)) == 2
    assert (
        refused(table.orders, "north", pull("north"), auto_lock=False).problems[0].code
        == "orders.final-stands"
    )
    table.lock()
    assert b"pulls" in received.letters(GameDir(table.game), 1)[0].data


def test_the_same_file_sent_again_is_one_file(table: Table) -> None:
    south_to_order(table)
    first = table.orders("north", pull("north"))
    assert table.orders("north", pull("north").replace("\n", "\r\n")).receipt == first.receipt
    assert len(received.letters(GameDir(table.game), 1)) == 1


def test_words_on_several_lines_are_words(table: Table) -> None:
    south_to_order(table)
    done = table.orders("north", pull("north", "luck: |\n  seven\n  drunken herons\n"), auto_lock=False)
    assert done.receipt.file == "final"
    assert parse(received.letters(GameDir(table.game), 1)[0].data).luck == "seven drunken herons"


def test_bad_words_of_a_seat_with_a_key(table: Table) -> None:
    table.started(umpire=True, keyed=("north",))
    refusal = refused(submit, table.env, table.game, "o", pull("north", "luck: x\n").encode())
    assert [problem.code for problem in refusal.problems] == ["proof.unsigned"]


def test_luck_words(table: Table) -> None:
    south_to_order(table)
    short = refused(table.orders, "north", pull("north", "luck: short\n"))
    assert said(short) == ["please type at least 8 letters"]
    assert said(refused(table.orders, "north", pull("north", f"luck: {'x' * 101}\n"))) == [
        "please type at most 100 letters"
    ]
    table.orders("north", pull("north", "luck: seven  drunken herons\n"))
    table.resolve()
    while "north" not in table.open().announced()["waits"]:
        slot = table.open().announced()["slot"]
        seat = table.open().announced()["waits"][0]
        answer = "answers: {q1: hold}\n" if table.open().questions else f"pull:\n- {seat}-team rests\n"
        table.orders(seat, f"luck: words of slot {slot}\n" + answer)
        table.resolve()
    again = refused(table.orders, "north", pull("north", "luck: seven drunken herons\n"))
    assert said(again)[0] == "you used these words in slot 1; please type others"
    assert received.letters(GameDir(table.game), int(table.open().announced()["slot"])) == []


def test_no_values_before_the_gm_player_has_locked(table: Table) -> None:
    table.started(keyed=("south",))
    done = table.orders("north", pull("north", "luck: seven drunken herons\n"))
    assert (done.receipt.file, done.answer) == (
        "draft",
        "These orders are stored. The last ones before the lock are used.",
    )
    assert not parse(received.letters(GameDir(table.game), 1)[0].data).has_value
    signed = table.signed("south", "standing: {everyone: {yield: let-go}}\n")
    assert not signed.final


# --- files with a header (R4)


def header(table: Table, seat: str, yaml: str, **more: object) -> tuple[bytes, bytes]:
    game = table.open()
    fields: dict[str, object] = {
        "game": game.id,
        "slot": game.announced()["slot"],
        "seat": seat,
        "head": game.ledger.next_id,
        "salt": "0" * 32,
        "yaml": yaml.encode(),
        **more,
    }
    data = write(**fields)  # type: ignore[arg-type]
    namespace = orders_namespace(str(fields["game"]), int(str(fields["slot"])), seat, str(fields["head"]))
    return data, sign(table.key(seat), namespace, data).encode()


def send(table: Table, data: bytes, signature: bytes | None) -> Refused:
    before = table.files()
    refusal = refused(submit, table.env, table.game, "o.txt", data, signature)
    assert table.files() == before, "nothing is stored"
    return refusal


def test_a_file_for_another_slot_or_history(table: Table) -> None:
    table.started(umpire=True, keyed=("north", "south"))
    table.orders("north", "luck: x\npull:\n- north-team rests\n")
    table.resolve()
    data, signature = header(table, "south", pull("south"), slot=1)
    assert said(send(table, data, signature)) == [
        "you answered an older report (slot 1); the game is at slot 2. The new report is attached"
    ]
    data, signature = header(table, "south", pull("south"), head="0" * 64)
    assert send(table, data, signature).problems[0].code == "proof.other-history"
    data, signature = header(table, "south", pull("south"), game="other-0a1b2c")
    assert send(table, data, signature).problems[0].code == "orders.other-game"


def test_a_file_with_a_wrong_signature(table: Table) -> None:
    table.started(umpire=True, keyed=("north", "south"))
    data, signature = header(table, "north", pull("north"))
    assert [problem.code for problem in send(table, data, None).problems] == ["proof.unsigned"]
    game = table.open()
    other = sign(
        table.key("south"), orders_namespace(game.id, 1, "north", game.ledger.next_id), data
    ).encode()
    wanted = (
        f"signed by another key ({fingerprint(public_of(table.key('south')))}) than the one you joined with"
    )
    assert said(send(table, data, other)) == [wanted]
    namespace = sign(table.key("north"), "pd1-orders/x", data).encode()
    assert [problem.code for problem in send(table, data, namespace).problems] == ["proof.other-use"]
    assert [problem.code for problem in send(table, data + b"\n", signature).problems] == ["proof.other-use"]
    assert [problem.code for problem in send(table, data, b"\xff junk").problems] == ["proof.other-use"]


def test_a_value_that_was_not_fixed(table: Table) -> None:
    table.started(umpire=True, keyed=("north", "south"))
    data, signature = header(table, "north", pull("north"), value=Value("0" * 64))
    assert said(send(table, data, signature)) == [
        "this value is not one of those you fixed when you joined. Is this the computer you joined from? "
        "`pbem status GAME --proof` shows the chain file it looks for"
    ]


def test_words_instead_of_a_value_are_refused(table: Table) -> None:
    table.started(umpire=True, keyed=("north", "south"))
    data, signature = header(table, "north", pull("north"), luck="seven drunken herons")
    assert said(send(table, data, signature)) == [
        "north fixed its values when it joined, so words cannot take the place of one"
    ]


def test_a_value_in_a_slot_of_go_is_refused(table: Table) -> None:
    table.started(keyed=("south",))
    data, signature = header(
        table, "south", "standing: {everyone: {yield: let-go}}\n", luck="seven drunken herons"
    )
    assert send(table, data, signature).problems[0].code == "proof.no-value-now"


def test_plain_orders_of_a_seat_with_a_key_are_refused(table: Table) -> None:
    table.started(umpire=True, keyed=("north", "south"))
    refusal = send(table, pull("north").encode(), None)
    assert refusal.problems[0].code == "proof.unsigned"
    assert refusal.problems[0].help == "pbem sign FILE --game GAME --seat north --key KEY"


def test_headers_that_are_none(table: Table) -> None:
    table.started(umpire=True, keyed=("north", "south"))
    game = table.open()
    assert check(game, "o", b"#pd1-orders/1\n#game x\n---\npull:\n").problems[0].code == "header.wrong"
    assert check(game, "o", b"#pd1-orders/2\n---\npull:\n").problems[0].code == "header.wrong"
    good, _ = header(table, "north", pull("north"))
    assert check(game, "o", good.replace(b"#seat north", b"#seat stranger")).problems[0].code == "game.seat"
    assert check(game, "o", good, "south").problems[0].code == "orders.other-seat"
    assert check(game, "o", good, "north").ok


# --- signing on the player's side (R8)


def test_the_value_leaves_for_one_report_only(table: Table) -> None:
    table.started(umpire=True, keyed=("north", "south"))
    first = table.signed("north", pull("north"))
    again = table.signed("north", "pull:\n- north-team rests\n")
    assert parse(first.data).x == parse(again.data).x
    given = table.player.keyring.given("tug-0a1b2c", "north")
    assert list(given) == [1]
    table.player.keyring.note_given(
        "tug-0a1b2c", "north", 1, replace(given[1], context="another report", at="2026-03-03T10:00:00Z")
    )
    refusal = refused(table.signed, "north", pull("north"))
    assert said(refusal) == ["you already gave this value on 3 March; ask why it is wanted again"]


def test_a_sheet_for_a_coming_slot_is_not_signed(table: Table) -> None:
    table.started(umpire=True, keyed=("north", "south"))
    data, _ = header(table, "north", pull("north"), slot=40)
    refusal = refused(sign_orders, table.player, table.open(), "o", data, table.key("north"))
    assert said(refusal) == ["refused: slot 40 is not open (slot 1 is)"]
    data, _ = header(table, "north", pull("north"), head="0" * 64)
    assert (
        refused(sign_orders, table.player, table.open(), "o", data, table.key("north")).problems[0].code
        == "proof.other-history"
    )


def test_a_file_with_a_header_is_signed_as_it_is(table: Table) -> None:
    table.started(umpire=True, keyed=("north", "south"))
    value = table.signed("north", pull("north"))
    data, _ = header(table, "north", pull("north"), value=parse(value.data).value)
    signed = sign_orders(table.player, table.open(), "o", data, table.key("north"))
    assert (signed.data, signed.final) == (data, True)
    assert (
        signed.command("o.txt", "k")
        == f"ssh-keygen -Y sign -f k -n pd1-orders/tug-0a1b2c/1/north/{table.open().ledger.next_id} o.txt"
    )
    assert submit(table.env, table.game, "o", signed.data, signed.signature.encode()).receipt.file == "final"


def test_signing_with_another_key_or_without_a_chain(table: Table) -> None:
    table.started(umpire=True, keyed=("north", "south"))
    refusal = refused(
        sign_orders, table.player, table.open(), "o", pull("north").encode(), table.key("south")
    )
    assert refusal.problems[0].code == "sign.other-key"
    elsewhere = replace(table.player, keyring=replace(table.player.keyring, root=table.root / "elsewhere"))
    refusal = refused(sign_orders, elsewhere, table.open(), "o", pull("north").encode(), table.key("north"))
    assert refusal.problems[0].code == "keys.no-chain"
    bad = refused(sign_orders, table.player, table.open(), "o", b"pull:\n- x y\n", table.key("north"))
    assert [found.code for found in bad.located] == ["toy.verb"]


def test_signing_words_where_there_is_no_chain(table: Table) -> None:
    table.new(umpire=True, keyed=("north", "south"))
    from pbem.proof.archive import join_namespace
    from pbem.proof.canonical import encode
    from pbem.proof.records import join
    from pbem.referee.turn.admit import admit

    for seat in ("north", "south"):
        record = encode(
            join(game="tug-0a1b2c", seat=seat, manifest_id=table.open().ledger.manifest_id, words="yes")
        )
        admit(
            table.env,
            table.game,
            record + sign(table.key(seat), join_namespace("tug-0a1b2c", seat), record).encode(),
        )
    assert refused(table.signed, "north", pull("north")).problems[0].code == "sign.words"
    assert refused(table.signed, "north", pull("north", "luck: x\n")).problems[0].code == "luck.too-short"
    signed = table.signed("north", pull("north", "luck: seven  drunken herons\n"))
    assert parse(signed.data).luck == "seven drunken herons"
    submit(table.env, table.game, "o", signed.data, signed.signature.encode())
    assert table.resolve().slot == 1


# --- receipts (R19)


def test_receipts_promise_the_file_that_is_locked(table: Table) -> None:
    from pbem.referee.proving.verify import verify

    south_to_order(table)
    table.env = replace(table.env, clock=lambda: "2026-02-01T12:00:00Z")
    table.orders("north", "pull:\n- north-team rests\n", with_receipt=True)
    table.orders("north", pull("north"), with_receipt=True)
    table.orders("north", pull("north"), with_receipt=True)
    receipts = sorted(
        path for path in table.files() if path.startswith("receipts/") and path.endswith(".json")
    )
    assert len(receipts) == 2
    table.lock(deadline=True)
    assert not [finding for finding in verify(table.game).failures if finding.code == "E24"]


def test_problems_have_a_place_of_their_own() -> None:
    assert Problem("luck.used", {"slot": 1}).at("luck").path == ("luck",)


def test_a_go_is_not_made_for_orders(table: Table) -> None:
    table.started()
    assert refused(make_go, table.player, table.open(), table.key("south")).problems[0].code == "go.no-lock"
