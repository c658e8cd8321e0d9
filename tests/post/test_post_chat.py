"""What is orders and what chat: words that begin as keys do, words without a colon, paragraphs below a
message. All of it is told.
"""

from __future__ import annotations

import pytest
from handmade import codes_of, found

from pbem.post.lines.message import NOTHING, ORDERS

MOVES = "side: west\nmove:\n- odo to 0712\n"
LUCK = "luck: seven drunken herons\n"

# --- keys in conversation


@pytest.mark.parametrize(
    "body",
    [
        "Hi Ada,\n\nLuck: I had none this turn, all my dice were ones.\n\nSee you on Sunday",
        "What a turn.\n\nLuck: none, as always. Did you see the dice?",
        "side: west is doing fine, thank you",
        "Side: west is doing fine, I think.\nWhen is the next turn?",
        "turn: 3 was fun!",
        "standing: still",
        "game: good fun so far",
        "Message: I will be away till Monday.\n\nCan you wait for me? The rules do not say.",
        "Hello Ada, the game goes well.\n\nTurn: 3 was fun, 4 was not.\n\nGame: I like it.",
    ],
)
def test_words_that_only_begin_as_keys_do_are_no_orders(body: str) -> None:
    got = found(body)
    assert (got.kind, got.data) == (NOTHING, b"")
    assert body.split("\n")[0].split(",")[0] in got.words


@pytest.mark.parametrize(
    "body",
    [
        "We are on holiday next week, and the weather is fine.\n\nmessage: I will be away till Monday\n\n"
        "How is the family?",
        "We are on holiday next week, and the weather is fine.\n\nluck: I had none this turn, all my dice "
        "were ones\n\nHow is the family?",
        "The weather is fine.\n\nnote: my dog ate the rules\n\nHow is the family?",
    ],
)
def test_a_key_among_other_words_is_asked_about_where_no_orders_stand_with_it(body: str) -> None:
    got = found(body)
    assert (got.kind, codes_of(got)) == (NOTHING, ["mail.key-among-words"])


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        (LUCK, LUCK),
        ("Luck: seven drunken herons", LUCK),
        ("luck: I had none, so I asked the cat", "luck: I had none, so I asked the cat\n"),
        (f"Hi Ada,\n\n{LUCK}\nSee you, Bob", LUCK),
        (f"Sorry that I am late, the train stood still for an hour.\n\n{LUCK}\nHow is the family?", LUCK),
        ("note: I am away until Monday", "note: I am away until Monday\n"),
        ("message: We hold the ford.\n\nBob", "message: We hold the ford.\n"),
        (
            "side: west\nturn: t3\nluck: seven drunken herons\n",
            "side: west\nturn: t3\nluck: seven drunken herons\n",
        ),
        ("side: west", "side: west\n"),
        (
            "turn: t3.west\nstanding:\n  everyone:\n    retreat: away\n",
            "turn: t3.west\nstanding:\n  everyone:\n    retreat: away\n",
        ),
    ],
)
def test_a_line_of_its_own_with_nothing_round_it_is_what_it_says(body: str, wanted: str) -> None:
    got = found(body)
    assert (got.kind, got.data.decode()) == (ORDERS, wanted)


@pytest.mark.parametrize(
    "chat",
    [
        "Luck: I had none this turn, all my dice were ones.\n\nAnyway, here we go.",
        "Turn: 3 was fun!\n\nHere are my orders.",
        "side: west is doing fine, I think.\n\nMy orders:",
    ],
)
def test_chat_above_orders_that_begins_as_keys_do_stays_chat(chat: str) -> None:
    got = found(f"{chat}\n\n{MOVES}{LUCK}")
    assert got.data.decode() == MOVES + LUCK
    assert chat.split("\n")[0] in got.words


def test_a_note_of_the_letter_below_the_orders_is_none_of_the_orders_and_is_told() -> None:
    got = found(f"{MOVES}{LUCK}\nNote: this letter is for its addressee alone.\n")
    assert (got.data.decode(), codes_of(got)) == (MOVES + LUCK, ["doubt.mail.taken-for-words"])
    assert found(f"{MOVES}note: I am away next week\n").data.decode() == f"{MOVES}note: I am away next week\n"
    shouted = found("Side: west\nMove:\n- odo to 0712\n\nNote: I am away next week\n")
    assert b"note: I am away next week" in shouted.data  # a telephone begins every line with a capital


# --- no colon


@pytest.mark.parametrize(
    "body",
    [
        f"{MOVES}luck nine sober storks\n",
        f"luck nine sober storks\n{MOVES}",
        f"side: west\nLuck nine sober storks\n{MOVES.removeprefix('side: west')}",
    ],
)
def test_luck_without_its_colon_is_mended_where_it_stands_with_the_orders(body: str) -> None:
    got = found(body)
    assert b"luck: nine sober storks\n" in got.data
    assert [repair.code for repair in got.repairs] == ["repair.key"]


def test_luck_without_its_colon_is_mended_where_it_is_all_that_somebody_wrote() -> None:
    assert found("luck nine sober storks").data == b"luck: nine sober storks\n"
    assert found("Luck nine sober storks\n\nCheers, Bob").data == b"luck: nine sober storks\n"


def test_luck_without_its_colon_that_stands_apart_is_told() -> None:
    got = found(f"{MOVES}\nSee you on Sunday!\n\nluck nine sober storks\n")
    assert (got.data.decode(), codes_of(got)) == (MOVES, ["doubt.mail.no-colon"])


@pytest.mark.parametrize(
    "said",
    ["luck was not with me", "Luck had left us this turn", "luck is all you need", "Luck, my old friend!"],
)
def test_a_sentence_about_luck_gets_no_colon(said: str) -> None:
    got = found(f"{said}\n\n{MOVES}")
    assert (got.data.decode(), codes_of(got)) == (MOVES, [])


# --- paragraphs of a message


def test_a_second_paragraph_below_a_message_is_told() -> None:
    got = found(f"{MOVES}message: We hold the ford.\n\nUntil the rain stops, that is.\n\nBob")
    assert (got.data.decode(), codes_of(got)) == (
        f"{MOVES}message: We hold the ford.\n",
        ["doubt.mail.words-below"],
    )
    moved = found(f"{MOVES}message: We hold the ford.\n\n    Until the rain stops, that is.\n\nBob")
    assert (moved.data.decode(), codes_of(moved)) == (
        f"{MOVES}message: We hold the ford.\n",
        ["doubt.mail.words-below"],
    )
    assert codes_of(found(f"{MOVES}message: We hold the ford.\n\nCheers,\nBob")) == []
    block = f"{MOVES}message: |\n  We hold the ford.\n\n  Until the rain stops.\n"
    assert (found(block).data.decode(), codes_of(found(block))) == (block, [])


# --- sentences without a section or a dash


@pytest.mark.parametrize(
    "said",
    [
        "move godric to 1006",
        "godric moves to 1006",
        "godric and wulf attack hob",
        "Godric goes to hex 1006",
        "godric -> 1006",
        "colin shoots at hob",
    ],
)
def test_a_sentence_of_the_game_without_a_section_is_asked_about(said: str) -> None:
    got = found(f"Hi Ada,\n\n{said}\n\nBob")
    assert (got.kind, codes_of(got)) == (NOTHING, ["mail.no-heading"])


@pytest.mark.parametrize(
    "said",
    [
        "godric moves to 1006",
        "godric and wulf attack hob",
        "godric goes to hex 1006",
        "godric -> 1006",
        "colin shoots at hob",
    ],
)
def test_a_sentence_of_the_game_in_a_section_gets_its_dash(said: str) -> None:
    assert (
        found(f"side: west\nmove:\n{said}\n- odo to 0712\n").data.decode()
        == f"side: west\nmove:\n- {said}\n- odo to 0712\n"
    )


@pytest.mark.parametrize(
    "said",
    ["We move to London in 2026", "Odo moves me to tears", "I attack the washing up", "see you at nine"],
)
def test_a_sentence_about_something_else_is_no_order(said: str) -> None:
    assert codes_of(found(f"Hi Ada,\n\n{said}\n\nBob")) == ["mail.nothing"]


# --- two orders on one line


@pytest.mark.parametrize(
    ("line", "orders"),
    [
        ("tudur to 0808, cynan to 0707", ["tudur to 0808", "cynan to 0707"]),
        ("tudur to 0808; cynan to 0707", ["tudur to 0808", "cynan to 0707"]),
        ("tudur, odo to 0808; cynan attacks hob.", ["tudur, odo to 0808", "cynan attacks hob"]),
        ("colin at hob or wulf, emma at hob", ["colin at hob or wulf", "emma at hob"]),
    ],
)
def test_two_orders_on_one_line_are_two_where_each_is_whole(line: str, orders: list[str]) -> None:
    wanted = "side: west\nmove:\n" + "".join(f"- {order}\n" for order in orders)
    for before in ("- ", ""):
        got = found(f"side: west\nmove:\n{before}{line}\n")
        assert got.data.decode() == wanted
        assert "repair.two-orders" in [repair.code for repair in got.repairs]
        assert {origin.text.removeprefix("- ") for origin in got.lines[2:]} == {line}


@pytest.mark.parametrize(
    "line",
    [
        "tudur, cynan to 0808",
        "tudur attacks hob, wulf",
        "tudur by 0708, 0808",
        "tudur to 0808, cynan too",
        "tudur to 0808, then 0909",
    ],
)
def test_a_line_that_is_one_order_or_none_stays_as_it_came(line: str) -> None:
    assert found(f"side: west\nmove:\n- {line}\n").data.decode() == f"side: west\nmove:\n- {line}\n"
