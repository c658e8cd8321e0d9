"""No turn is wiped: what orders nobody replaces nothing, is never final by itself, and goes with the orders
that are on file.
"""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from office_table import OfficeTable
from table import Table, pull

from pbem.proof.orderfile import parse
from pbem.referee.game.intake import words_problem
from pbem.referee.game.refusal import Refused
from pbem.referee.proving.verify import verify
from pbem.referee.turn.admit import admit_words
from pbem.referee.turn.completing import left_over, may_roll
from pbem.referee.turn.new import SeatWish, new
from pbem.referee.turn.submit import submit
from pbem.store import received
from pbem.store.gamedir import GameDir

NO_GAME: Any = SimpleNamespace(ledger=SimpleNamespace(used_words=lambda seat: {}))


@pytest.fixture
def office(tmp_path: Path) -> OfficeTable:
    return OfficeTable(tmp_path)


def begun(office: OfficeTable, **more: object) -> str:
    office.started(**{"keyed": (), "umpire": True, **more})
    office.round()
    return str(office.open().announced()["waits"][0])


def whats(office: OfficeTable) -> list[str]:
    return [step.what for step in office.round()]


def answer(office: OfficeTable) -> str:
    """Return the answer to the letter that came last."""
    return " ".join(office.newest("reply-").text.split())


def on_file(office: Table, slot: int = 1) -> list[str]:
    return [parse(one.data).yaml.decode() for one in received.letters(GameDir(office.game), slot)]


def test_words_of_luck_alone_make_the_draft_on_file_final(office: OfficeTable) -> None:
    seat = begun(office)
    office.letter(seat, pull(seat) + "message: Heave!\n")
    assert whats(office) == ["taken", "answered"]
    office.letter(seat, "luck: sausages and mash\nnote: is the map right?\n")
    assert whats(office)[:5] == ["taken", "passed on", "answered", "locked", "resolved"]
    said = answer(office)
    assert "Accepted: your orders are final" in said and "make the orders you sent before final" in said
    assert f"{seat}-team pulls" in said and "replace" not in said
    used = office.open().archive[f"seats/{seat}/orders-s0001.txt"].decode()
    assert f"- {seat}-team pulls" in used and "message: Heave!" in used and "is the map right?" in used
    assert office.open().ledger.words[seat] == {"sausages and mash": 1}
    assert verify(office.game).failures == ()


def test_of_two_drafts_the_last_is_made_final(office: OfficeTable) -> None:
    seat = begun(office)
    office.letter(seat, f"jeer:\n- {seat}-team jeers\n")
    office.letter(seat, pull(seat))
    office.letter(seat, "luck: sausages and mash\n")
    office.round()
    used = office.open().archive[f"seats/{seat}/orders-s0001.txt"].decode()
    assert "pulls" in used and "jeers" not in used


def test_words_of_luck_without_a_draft_are_asked_about_and_not_used_up(office: OfficeTable) -> None:
    seat = begun(office)
    office.letter(seat, "luck: sausages and mash\n")
    assert whats(office) == ["asked", "answered"]
    assert on_file(office) == [] and office.open().ledger.locked is None
    said = answer(office)
    assert "Not final: your letter orders nobody" in said and "your words of luck are not used up" in said
    assert "| nobody moves | luck: sausages and mash" in said
    office.letter(seat, pull(seat) + "luck: sausages and mash\n")
    assert "resolved" in whats(office)
    assert office.open().ledger.words[seat] == {"sausages and mash": 1}


@pytest.mark.parametrize(
    "said",
    [
        "any words, at least 8 letters",
        "any words of yours",
        "Any words of yours",
        "any  words",
        "words of your own",
        "your words",
    ],
)
def test_the_sample_of_luck_left_as_it_was_is_refused(said: str) -> None:
    assert words_problem(NO_GAME, "north", said) is not None


@pytest.mark.parametrize(
    "said", ["any port in a storm", "my word is my bond", "words fail me", "seven drunken herons"]
)
def test_words_that_only_resemble_the_sample_are_taken(said: str) -> None:
    assert words_problem(NO_GAME, "north", said) is None


def test_a_sheet_sent_back_with_its_sample_of_luck_is_told_so(office: OfficeTable) -> None:
    seat = begun(office)
    office.letter(seat, pull(seat) + "luck: any words, at least 8 letters\n")
    assert whats(office) == ["refused", "answered"]
    assert "only shows where your words go; please type words of your own" in answer(office)


@pytest.mark.parametrize(
    "body",
    ["nobody moves\nluck: sausages and mash\n", "Everybody stays.\n\nluck: sausages and mash\n\nBob\n"],
)
def test_who_says_that_nobody_moves_is_believed(office: OfficeTable, body: str) -> None:
    seat = begun(office)
    office.letter(seat, body)
    assert "resolved" in whats(office)
    assert verify(office.game).failures == ()


def test_who_orders_nobody_first_and_gives_luck_afterwards_is_believed_too(office: OfficeTable) -> None:
    seat = begun(office)
    office.letter(seat, "nobody moves\n")
    assert whats(office) == ["taken", "answered"]
    assert "Accepted as a draft" in answer(office)
    office.letter(seat, "luck: sausages and mash\n")
    assert "resolved" in whats(office)


@pytest.mark.parametrize(
    "more", ["message: Well pulled!\n", "note: I may be late\n", "standing:\n  everyone: {yield: hold}\n"]
)
def test_words_without_orders_take_the_place_of_none(office: OfficeTable, more: str) -> None:
    seat = begun(office)
    office.letter(seat, pull(seat))
    office.letter(seat, more)
    office.round()
    (_, last) = on_file(office)
    assert f"{seat}-team pulls" in last and more.split(":")[0] in last
    office.later(days=9)
    assert "locked" in whats(office)
    assert f"{seat}-team pulls" in "".join(on_file(office)[-1])


def test_words_that_came_before_the_orders_are_not_lost_with_them(office: OfficeTable) -> None:
    seat = begun(office)
    office.letter(seat, "message: Well pulled!\n")
    assert whats(office) == ["taken", "answered"]
    assert "Your words are kept, and go with your orders" in answer(office)
    assert office.house().games[office.open().id].status().missing == (seat,)
    office.letter(seat, pull(seat) + "luck: sausages and mash\nmessage: Heave!\n")
    office.round()
    used = office.open().archive[f"seats/{seat}/orders-s0001.txt"].decode()
    assert "Well pulled!" in used and "Heave!" in used and f"{seat}-team pulls" in used


def test_standing_instructions_that_come_with_the_orders_take_the_place_of_earlier_ones(
    office: OfficeTable,
) -> None:
    seat = begun(office)
    office.letter(seat, "standing:\n  everyone: {yield: hold}\n")
    office.round()
    office.letter(seat, pull(seat) + "standing:\n  everyone: {yield: give}\n")
    office.round()
    assert "yield: give" in on_file(office)[-1] and "hold" not in on_file(office)[-1]


@pytest.mark.parametrize("words", ["", "note: is the map right?\n"])
def test_a_sheet_without_an_order_wipes_none_of_the_orders_that_come_after_it(
    table: Table, words: str
) -> None:
    table.started(keyed=(), umpire=True)
    (seat,) = table.open().announced()["waits"]
    sheet = table.orders(seat, f"pull:\n#- {seat}-team pulls\n{words}")
    assert (sheet.asks is None) == bool(words)
    table.orders(seat, pull(seat))
    assert f"- {seat}-team pulls" in on_file(table)[-1]


@pytest.mark.parametrize("luck", ["", "luck: sausages and mash\n"])
def test_an_empty_section_wipes_no_orders(office: OfficeTable, luck: str) -> None:
    seat = begun(office)
    office.letter(seat, pull(seat))
    office.letter(seat, f"pull:\n{luck}")
    office.round()
    assert len(on_file(office)) == 1 and office.open().ledger.locked is None
    assert "a section here with nothing in it; the orders that you sent before still stand" in answer(office)


def test_an_empty_section_alone_counts_for_nothing_and_is_asked_about(office: OfficeTable) -> None:
    seat = begun(office, profile="gm")
    office.letter(seat, "pull: []\n")
    assert whats(office) == ["asked", "answered"]
    assert on_file(office) == [] and office.open().ledger.locked is None
    office.letter(seat, "nobody moves\n")
    assert "resolved" in whats(office)


def test_words_to_everybody_do_not_count_as_orders_where_no_luck_is_wanted(office: OfficeTable) -> None:
    seat = begun(office, profile="gm")
    office.letter(seat, "message: I think about it\n")
    assert whats(office) == ["taken", "answered"]
    office.letter(seat, pull(seat))
    assert "resolved" in whats(office)
    assert "I think about it" in office.open().archive[f"seats/{seat}/orders-s0001.txt"].decode()


def test_a_question_is_not_passed_over_by_luck_alone(office: OfficeTable) -> None:
    seat = begun(office, options={"knots": "many"})
    office.letter(seat, pull(seat) + "luck: seven drunken herons\n")
    office.round()
    (question,) = office.open().questions
    asked = str(question["seat"])
    office.letter(asked, "luck: sausages and mash\n")
    assert whats(office) == ["asked", "answered"]
    assert "q1 is still open to you" in answer(office)
    office.letter(asked, "answers:\n  q1: hold\n")
    office.letter(asked, "luck: sausages and mash\n")
    assert "resolved" in whats(office)


def test_who_is_not_to_move_gives_no_words_away(office: OfficeTable) -> None:
    seat = begun(office)
    other = "south" if seat == "north" else "north"
    office.letter(other, "luck: sausages and mash\n")
    assert whats(office) == ["asked", "answered"]
    assert f"Nothing is needed from you now: the game is waiting for {seat}" in answer(office)
    assert on_file(office) == []


def test_by_hand_it_is_the_same(table: Table) -> None:
    table.started(keyed=(), umpire=True)
    (seat,) = table.open().announced()["waits"]
    asked = table.orders(seat, "luck: sausages and mash\n")
    assert asked.receipt is None and asked.asks.code == "orders.nobody" and asked.asks.args == {"count": 1}
    table.orders(seat, pull(seat))
    done = table.orders(seat, "luck: sausages and mash\n")
    assert done.receipt.file == "final" and done.lock is not None
    assert f"{seat}-team pulls" in on_file(table)[-1]


@pytest.mark.parametrize("draft", [False, True])
def test_a_signed_file_that_orders_nobody_is_asked_about_before_it_is_signed(
    table: Table, draft: bool
) -> None:
    table.started(keyed=("north", "south"), umpire=True)
    (seat,) = table.open().announced()["waits"]
    with pytest.raises(Refused, match=r"orders\.nobody"):
        table.signed(seat, "message: hello\n")
    table.orders(seat, pull(seat), draft=True)
    empty = table.signed(seat, "message: hello\n", draft=draft, meant=True)
    with pytest.raises(Refused, match=r"orders\.nobody"):
        submit(table.env, table.game, "o.txt", empty.data, empty.signature.encode())
    assert len(on_file(table)) == 1
    assert table.orders(seat, "nobody: moves\n").receipt.file == "final"


# --- where no die can fall


def sealed(office: OfficeTable, **more: object) -> None:
    office.started("dig", **{"keyed": (), "umpire": True, **more})
    office.round()


def test_a_setup_asks_for_no_luck_and_is_complete_when_everybody_is_placed(office: OfficeTable) -> None:
    sealed(office)
    assert all("luck" not in sent.text for sent in office.queued("turn-"))
    office.letter("north", "setup:\n- north-team digs\n")
    assert whats(office) == ["taken", "answered"]
    said = answer(office)
    assert "Accepted: your orders are stored" in said and "luck" not in said
    office.letter("south", "setup:\n- south-team stands\n")
    assert "resolved" in whats(office)
    assert verify(office.game).failures == ()


@pytest.mark.parametrize("words", ["luck: sausages and mash\n", "final: yes\n", "that is all\n"])
def test_who_places_nobody_is_asked_whether_he_means_it(office: OfficeTable, words: str) -> None:
    sealed(office)
    office.letter("south", "setup:\n- south-team stands\n")
    office.letter("north", words)
    office.round()
    assert office.open().ledger.locked is None
    assert "Not final: your letter orders nobody" in answer(office) and "| nobody is placed" in answer(office)
    office.letter("north", "nobody is placed\n")
    assert "resolved" in whats(office)


def test_old_ways_in_a_setup_still_work(office: OfficeTable) -> None:
    sealed(office)
    for seat in ("north", "south"):
        office.letter(seat, f"setup:\n- {seat}-team stands\nluck: seven drunken herons of {seat}\n")
    assert "resolved" in whats(office)
    assert verify(office.game).failures == ()


@pytest.mark.parametrize("scenario", ["alder-ford", "millers-ladders"])
def test_whom_a_placing_leaves_out_is_put_where_its_answer_says(tmp_path: Path, scenario: str) -> None:
    table = Table(tmp_path)
    sides = {"alder-ford": ("east", "west"), "millers-ladders": ("company", "steward")}[scenario]
    new(
        table.env,
        scenario,
        table.game,
        [SeatWish(side, side, side) for side in sides],
        name="setup-0a1b2c",
        umpire=True,
    )
    for side in sides:
        admit_words(table.env, table.game, side, "yes, I play")
    game = table.open()
    (seat, *_) = game.announced()["waits"]
    nobody = left_over(game, seat, None)
    assert not may_roll(game) and len(nobody) > 5
    first, where = nobody[-1]
    hexes = where.split(" facing")[0].split()
    facing = f" facing {where.split('facing ')[1]}" if "facing" in where else ""
    done = table.orders(seat, f"setup:\n- {first} at {' '.join(hexes)}{facing}\n", auto_lock=False)
    told = left_over(table.open(), seat, done.checked.orders)
    assert first not in dict(told) and f"{told[0][0]} at {told[0][1]}" in done.answer
    for other in game.announced()["waits"][1:]:
        table.orders(other, "nobody: moves\n", auto_lock=False)
    with pytest.raises(Refused, match=r"lock\.draft"):
        table.lock()
    table.orders(seat, "final: yes\n", auto_lock=False)
    assert first in on_file(table)[-1]
    table.resolve()
    state = table.open().state
    for who, at in told:
        stands = state.units[who].at if who in state.units else state.things[who].at
        assert " ".join(stands) == at.split(" facing")[0], who
