"""Orders that their writer doubts or corrects in words beside them: a draft at most, whose answer says why;
luck is not used up.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from office_table import OfficeTable
from table import pull

from pbem.referee.turn.lock import chosen_letter

LUCK = "luck: seven drunken herons\n"


@pytest.fixture
def office(tmp_path: Path) -> OfficeTable:
    return OfficeTable(tmp_path)


def begun(office: OfficeTable, **more: object) -> str:
    office.started(keyed=(), **{"umpire": True, **more})
    office.round()
    return str(office.open().announced()["waits"][0])


def stored(office: OfficeTable, seat: str) -> bytes:
    game = office.open()
    letter = chosen_letter(game, int(game.announced()["slot"]), seat)
    return letter.data if letter is not None else b""


def answer(office: OfficeTable) -> str:
    return " ".join(max(office.queued("reply-"), key=lambda one: one.key).text.split())


def test_final_orders_that_are_doubted_are_kept_as_a_draft_and_the_words_are_quoted(
    office: OfficeTable,
) -> None:
    seat = begun(office)
    office.letter(
        seat, f"What would happen if I sent this? Please do not count it yet.\n\n{pull(seat)}{LUCK}"
    )
    office.round()
    assert "Accepted as a draft: not final yet" in answer(office)
    assert "you wrote beside the orders: 'Please do not count it yet.'" in answer(office)
    assert "send them again, with the same words" in answer(office)
    assert b"herons" not in stored(office, seat)
    assert office.open().ledger.locked is None
    office.later(hours=1)
    office.letter(seat, f"{pull(seat)}{LUCK}")
    steps = [step.what for step in office.round()]
    assert "resolved" in steps  # the same words, which were not used up


def test_doubted_orders_take_the_place_of_none_that_were_meant(office: OfficeTable) -> None:
    seat = begun(office)
    office.letter(seat, pull(seat))
    office.round()
    before = stored(office, seat)
    office.later(hours=1)
    office.letter(seat, f"Just a draft, don't use!\n\n{pull(seat)}note: second\n{LUCK}")
    office.round()
    assert stored(office, seat) == before
    assert "'Just a draft, don't use!'" in answer(office)
    assert "still stand" in answer(office)


def test_orders_whose_end_did_not_arrive_are_a_draft_and_it_is_said(office: OfficeTable) -> None:
    seat = begun(office)
    raw = office.letter(seat, "x")
    text = raw.decode().partition("\r\n\r\n")[0]
    head = "\r\n".join(
        line for line in text.split("\r\n") if not line.lower().startswith(("content-", "mime-"))
    )
    cut = (
        f"{head}\r\nMIME-Version: 1.0\r\nContent-Type: multipart/alternative; boundary=b\r\n\r\n--b\r\n\r\n"
        f"{LUCK}{pull(seat)}"
    )
    for path in (office.root / "post" / "new").rglob("*.eml"):
        path.write_bytes(cut.encode())
    office.round()
    assert "the end of your letter did not arrive" in answer(office).lower()
    assert stored(office, seat) and b"herons" not in stored(office, seat)


def test_words_for_a_lock_that_are_doubted_are_not_taken_and_may_be_given_again(office: OfficeTable) -> None:
    seat = begun(office)
    office.letter(seat, pull(seat))
    office.round()
    office.later(days=9)
    assert "locked" in [step.what for step in office.round()]
    office.letter(seat, f"This is only a test, please do not use it.\n\n{LUCK}")
    office.round()
    assert "'This is only a test, please do not use it.'" in answer(office)
    assert office.open().ledger.locked is not None
    office.later(hours=1)
    office.letter(seat, LUCK)
    assert "went" in [step.what for step in office.round()]


def test_signed_orders_that_are_doubted_are_not_taken(office: OfficeTable) -> None:
    office.started(keyed=("north", "south"), umpire=True)
    office.round()
    seat = str(office.open().announced()["waits"][0])
    signed = office.signed(seat, pull(seat))
    office.letter(seat, f"Just a draft, don't use!\n\n{signed.data.decode()}{signed.signature}")
    office.round()
    assert stored(office, seat) == b""
    assert "'Just a draft, don't use!'" in answer(office)


# --- orders that answer the letter of another turn


def second(office: OfficeTable) -> str:
    """Return the seat that is to order in the second turn of a game."""
    seat = begun(office)
    office.letter(seat, pull(seat) + LUCK)
    office.round()
    return str(office.open().announced()["waits"][0])


def turn_letter(office: OfficeTable, seat: str, slot: int) -> str:
    return f"<turn-{office.open().id}-s{slot:04d}-{seat}@pbem.example>"


def test_final_orders_that_answer_an_older_letter_are_a_draft_and_it_is_said(office: OfficeTable) -> None:
    seat = second(office)
    office.letter(seat, pull(seat) + "luck: sausages and mash\n", In_Reply_To=turn_letter(office, seat, 0))
    assert [step.what for step in office.round()] == ["taken", "answered"]
    said = " ".join(office.newest("reply-").text.split())
    assert (
        "Accepted as a draft" in said
        and "your letter answers one about another turn" in said
        and "write a line turn: t1.south" in said
    )
    office.letter(
        seat,
        pull(seat) + "luck: sausages and mash\n",
        In_Reply_To=f"<{office.newest('reply-').key}@pbem.example>",
    )
    assert "resolved" in [step.what for step in office.round()]


@pytest.mark.parametrize("kind", ["newest", "says so", "draft"])
def test_who_says_which_turn_he_means_is_believed(office: OfficeTable, kind: str) -> None:
    seat = second(office)
    body = pull(seat) + ("luck: sausages and mash\n" if kind != "draft" else "")
    body = f"turn: t1.{seat}\n{body}" if kind == "says so" else body
    office.letter(seat, body, In_Reply_To=turn_letter(office, seat, 1 if kind == "newest" else 0))
    steps = [step.what for step in office.round()]
    assert steps[0] == "taken" and ("resolved" in steps) == (kind != "draft")
    assert "another turn" not in office.newest("reply-").text


def test_where_orders_need_no_luck_those_for_another_turn_are_not_taken(office: OfficeTable) -> None:
    seat = begun(office, profile="gm")
    office.letter(seat, pull(seat))
    office.round()
    (seat,) = office.open().announced()["waits"]
    office.letter(seat, pull(seat), In_Reply_To=turn_letter(office, seat, 0))
    assert [step.what for step in office.round()] == ["refused", "answered"]
    assert "Answer the newest letter, or this one" in " ".join(office.newest("reply-").text.split())
