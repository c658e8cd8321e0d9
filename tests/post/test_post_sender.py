"""Whose a letter is: address and code together, a signed file, and everything that is not enough."""

from __future__ import annotations

import re

import pytest

from pbem.post.lines.message import NOTHING, ORDERS, RECORD, Found, Message
from pbem.post.mail.sender import SeatAt, Whose, code_of, whose
from pbem.proof.canonical import encode
from pbem.proof.orderfile import write

FORD, DUEL = "alder-ford-e1f00d", "duel-0a1b2c"
WEST = SeatAt(FORD, "west", "Toll", ("bob@example.org", "bob@work.example"), "k7fp-q2mx")
EAST = SeatAt(FORD, "east", "Toll", ("ann@example.org",), "aaaa-2222", keyed=True)
RED = SeatAt("duel-9z8y7x", "red", "Duel", ("bob@example.org",), "cccc-4444")
BLUE = SeatAt(DUEL, "blue", "Duel", ("bob@example.org",), "bbbb-3333")
SEATS = (WEST, EAST, BLUE, RED)


def found(
    *codes: str, data: bytes = b"move:\n- odo to 0712\n", kind: str = ORDERS, signature: bytes | None = None
) -> Found:
    return Found(kind, data, signature, codes=codes)


def asked(
    sender: str,
    *codes: str,
    data: bytes = b"move: []\n",
    kind: str = ORDERS,
    subject: str = "",
    answers: str = "",
) -> Whose:
    message = Message(sender=sender, subject=subject, in_reply_to=answers)
    return whose(SEATS, message, found(*codes, data=data, kind=kind))


def test_address_and_code_together() -> None:
    got = asked("bob@example.org", "k7fp-q2mx")
    assert (got.seat, got.relied, got.answer_to, got.problem) == (
        WEST,
        "address and code",
        "bob@example.org",
        None,
    )
    assert asked("bob@work.example", "k7fp-q2mx").answer_to == "bob@work.example"
    assert asked("bob@example.org", "bbbb-3333").seat == BLUE
    assert asked("bob@example.org", "zzzz-9999", "k7fp-q2mx").seat == WEST


@pytest.mark.parametrize(
    ("sender", "codes", "problem", "answer_to"),
    [
        ("bob@example.org", (), "sender.no-code", "bob@example.org"),
        ("bob@example.org", ("zzzz-9999",), "sender.wrong-code", "bob@example.org"),
        # the code of somebody else's seat
        ("bob@example.org", ("aaaa-2222",), "sender.wrong-code", "bob@example.org"),
        ("bob@example.org", ("k7fp-q2mx", "bbbb-3333"), "sender.two-codes", "bob@example.org"),
        # told to whom it belongs
        ("mallory@example.net", ("k7fp-q2mx",), "sender.other-address", "bob@example.org"),
        ("mallory@example.net", (), "sender.stranger", ""),
        ("", ("k7fp-q2mx",), "sender.other-address", "bob@example.org"),
        ("", (), "sender.stranger", ""),
    ],
)
def test_what_is_not_enough(sender: str, codes: tuple[str, ...], problem: str, answer_to: str) -> None:
    got = asked(sender, *codes)
    assert got.problem is not None and got.problem.code == problem
    assert got.relied == ""
    assert got.answer_to == answer_to


def test_of_two_codes_the_game_that_the_orders_name_decides_and_nothing_else_does() -> None:
    both = ("k7fp-q2mx", "bbbb-3333")
    assert asked("bob@example.org", *both, data=b"game: duel-0a1b2c\nmove: []\n").seat == BLUE
    for said in (
        {"subject": "Re: [alder-ford-e1f00d] Turn 3"},
        {"answers": "<turn-duel-0a1b2c-s0003-blue@example.org>"},
    ):
        got = asked("bob@example.org", *both, **said)
        assert got.seat is None
        assert got.problem is not None and got.problem.code == "sender.two-codes"
        assert str(got.problem.args["seats"]) == "alder-ford-e1f00d (west), duel-0a1b2c (blue)"


def test_without_a_code_the_letter_says_at_least_whom_to_tell() -> None:
    got = asked("bob@example.org", subject="Re: [duel-0a1b2c] Turn 1", kind=NOTHING, data=b"")
    assert (got.seat, got.relied, got.problem) == (BLUE, "", None)
    # he has two games, and it could be either
    assert asked("bob@example.org", kind=NOTHING, data=b"").seat is None


def test_a_seat_with_a_key_is_left_to_its_signature() -> None:
    got = asked("ann@example.org")
    assert (got.seat, got.relied, got.problem) == (EAST, "", None)


def header(game: str, seat: str) -> bytes:
    return write(game=game, slot=1, seat=seat, head="0" * 64, salt="0" * 32, yaml=b"move: []\n")


def test_a_signed_file_says_itself_whose_it_is_wherever_it_comes_from() -> None:
    for sender, answer_to in (
        ("ann@example.org", "ann@example.org"),
        ("ann@phone.example", "ann@example.org"),
    ):
        got = whose(SEATS, Message(sender=sender), found(data=header(FORD, "east"), signature=b"x"))
        assert (got.seat, got.relied, got.answer_to, got.problem) == (EAST, "", answer_to, None)


@pytest.mark.parametrize(
    ("game", "seat", "problem"),
    [
        (FORD, "west", "sender.no-key"),
        (FORD, "north", "sender.not-here"),
        ("other-game-00", "east", "sender.not-here"),
    ],
)
def test_a_signed_file_that_does_not_belong_here(game: str, seat: str, problem: str) -> None:
    got = whose(SEATS, Message(sender="bob@example.org"), found(data=header(game, seat), signature=b"x"))
    assert got.problem is not None and got.problem.code == problem and got.seat is None
    assert got.answer_to == "bob@example.org"
    assert (
        whose(
            SEATS, Message(sender="mallory@example.net"), found(data=header(game, seat), signature=b"x")
        ).answer_to
        == ""
    )


def test_a_signed_record() -> None:
    record = encode({"type": "go", "game": FORD, "seat": "east", "slot": 1, "lock": "0" * 64, "x": "0" * 64})
    got = whose(
        SEATS,
        Message(sender="x@example.net"),
        found(data=record + b"-----BEGIN SSH SIGNATURE-----\n", kind=RECORD),
    )
    assert got.seat == EAST and got.answer_to == "ann@example.org"
    assert (
        whose(
            SEATS, Message(sender="x@example.net"), found(data=b"{nonsense\n-----BEGIN", kind=RECORD)
        ).problem
        is not None
    )


def test_codes() -> None:
    codes = {
        code_of(bytes([n]) * 32, game, seat)
        for n in range(50)
        for game in (FORD, DUEL)
        for seat in ("east", "west")
    }
    assert len(codes) == 200
    assert all(re.fullmatch(r"[a-hjkmnp-z2-9]{4}-[a-hjkmnp-z2-9]{4}", code) for code in codes)
    assert code_of(b"s" * 32, FORD, "west") == code_of(b"s" * 32, FORD, "west")
