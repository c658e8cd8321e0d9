"""Orders that wait: their writer doubts, puts off or corrects them in words beside them.

Ordinary chat holds nothing.
"""

from __future__ import annotations

import pytest
from handmade import file, found, letter, signed, text
from siege_words import KEYS, find

from pbem.post.lines.message import NOTHING, ORDERS, Answered, Message
from pbem.post.orders import holding

ORDERS_ = (
    "side: west\nmove:\n- tudur to 0509\n- cynan, odo to 0407\nfight:\n- tudur attacks gunter\nluck: three "
    "left boots\n"
)


def _held(body: str) -> list[tuple[str, str]]:
    got = found(body)
    assert got.kind == ORDERS
    assert got.data.decode() == ORDERS_
    return [(problem.code, str(problem.args.get("text", ""))) for problem in got.held]


@pytest.mark.parametrize(
    "said",
    [
        "What would happen if I sent this?",
        "Please do not count it yet.",
        "Just a draft, don't use!",
        "Don't use these yet.",
        "This is only a test",
        "These are not final yet, I want to sleep on it.",
        "I may still change them before Sunday.",
        "Please wait until I confirm.",
        "My real orders will follow tomorrow.",
        "Ignore these orders.",
        "Consider this tentative.",
        "Was würde passieren, wenn ich das so schicke?",
        "Nur ein Entwurf, bitte noch nicht werten!",
        "Bitte noch nicht auswerten.",
        "Das zählt noch nicht.",
        "Vorläufige Befehle.",
        "Warte bitte noch mit der Auswertung.",
        "Die endgültigen Befehle folgen.",
        "Juste un brouillon.",
        "Ne les compte pas encore, s'il te plaît.",
        "Que se passerait-il si j’envoyais cela ?",
        "Ordres provisoires, attends que je confirme.",
        "Ce n'est pas encore définitif.",
    ],
)
def test_words_that_put_orders_off_hold_them_and_are_quoted(said: str) -> None:
    assert _held(f"Hi Ada,\n\n{said}\n\n{ORDERS_}") == [("held.postponed", said)]
    assert [code for code, _ in _held(f"{ORDERS_}\n{said}\n\nBob")] == ["held.postponed"]


@pytest.mark.parametrize(
    "said",
    [
        "Sorry, I mean tudur to 0508 of course!",
        "Sorry, I meant 0508.",
        "tudur should go to 0508",
        "Or is 0610 better?",
        "Tudur can also go to hex 2012 if that is free.",
        "I want cynan to attack gunter instead of tudur.",
        "On second thoughts, no.",
        "Scratch that.",
        "Correction: tudur stays.",
        "Ich meinte tudur nach 0508.",
        "Doch lieber nicht.",
        "Tudur bleibt stehen statt anzugreifen.",
        "Je voulais dire 0508.",
        "Finalement, cynan va au nord, pas tudur, qui reste.",
    ],
)
def test_words_below_orders_that_correct_them_hold_them(said: str) -> None:
    assert _held(f"{ORDERS_}\n{said}\n") == [("held.corrected", said)]


@pytest.mark.parametrize(
    "said",
    [
        "Good luck!",
        "Sorry I am late, the train stood still.",
        "Hi Ann, here are my orders, hope you are well.",
        "Here are my orders for turn 3.",
        "Please find my orders below. Thanks for running the game!",
        "What a turn! I did not expect that.",
        "Sorry for the delay, I was away until Monday.",
        "Ignore my last mail, these are the right ones.",
        "Please ignore my previous orders.",
        "I changed my mind, so here are new orders.",
        "Correction of my earlier letter:",
        "Poor tudur! I hope he lives.",
        "I hope gunter is not too angry.",
        "Tudur moves to 0509, where he belongs.",
        "If it rains we shall all be wet.",
        "Is the deadline still Sunday, 22 November 2026, 18:00?",
        "See you in 2026!",
        "My number is 0151 2345 6789, room 4711.",
        "I don't know why my mail did not arrive.",
        "You know what I mean.",
        "Don't worry, I am not lost.",
        "This time I mean it!",
        "I meant to write earlier.",
        "Nobody tested my patience like the ladder.",
        "We will not wait for the rain.",
        "Hold the line!",
        "Viel Glück und viele Grüße aus dem Urlaub.",
        "Tut mir leid, dass ich so spät bin, ich war nicht da.",
        "Hier sind meine Befehle, bitte sag mir, ob sie ankamen.",
        "Das war ein schöner Zug, ich habe nicht damit gerechnet.",
        "Bonne chance, et désolé pour le retard !",
        "Voici mes ordres, je n'ai pas pu écrire avant.",
        "Merci d'avoir attendu, je n'étais pas chez moi.",
        "Slot 0007, as you asked.",
        "The patch has 5007 lines, as RFC 2919 says.",
        "I get 3 of 4711 letters a day, see https://x.example/click?a=8228&b=3",
        "The preliminary round of the cup was a bore.",
        "There will be no draft beer on Sunday.",
    ],
)
def test_ordinary_chat_holds_nothing(said: str) -> None:
    assert _held(f"Hi Ada,\n\n{said}\n\n{ORDERS_}") == []


@pytest.mark.parametrize(
    "said",
    [
        "Good luck!",
        "Cheers, Bob",
        "See you on Sunday, and greetings to your wife.",
        "Tudur goes first, he is the brave one.",
    ],
)
def test_ordinary_chat_below_orders_holds_nothing(said: str) -> None:
    assert _held(f"{ORDERS_}\n{said}\n") == []


def test_words_beside_a_file_hold_the_orders_in_it() -> None:
    got = found("Just a draft, don't use!", files=(file("west.yaml", ORDERS_),))
    assert (got.where, [problem.code for problem in got.held]) == ("west.yaml", ["held.postponed"])
    data, signature = signed(ORDERS_)
    sealed = found(
        "Please do not count it yet.",
        files=(file("west.txt", data), file("west.txt.sig", signature, readable=False)),
    )
    assert (sealed.signature, [problem.code for problem in sealed.held]) == (signature, ["held.postponed"])


def test_a_note_to_the_umpire_may_put_orders_off_and_words_for_the_enemy_may_not() -> None:
    assert [problem.code for problem in found(f"{ORDERS_}note: only a draft, do not use it yet\n").held] == [
        "held.postponed"
    ]
    assert found(f"{ORDERS_}message: your attack was only a draft of cold air\n").held == ()
    assert found(f"{ORDERS_}# or 0508 instead?\n").held == ()


def test_quoted_words_hold_nothing() -> None:
    assert (
        _held(
            f"{ORDERS_}\nOn Thu, 19 Nov 2026, Ada wrote:\n> Just a draft? Do not use it yet? I mean 0508.\n"
        )
        == []
    )


def test_orders_below_what_looks_like_the_head_of_a_letter_hold_those_above_it() -> None:
    got = found(f"{ORDERS_}\n16 brumo 2026 Ada Marsh blorpit:\n\nside: east\nmove:\n- hob to 0713\n")
    assert got.data.decode() == ORDERS_
    assert [(problem.code, problem.args["head"]) for problem in got.held] == [
        ("held.below-head", "16 brumo 2026 Ada Marsh blorpit:")
    ]
    assert found(f"{ORDERS_}\n16 brumo 2026 Ada Marsh blorpit:\n\nHello Bob\n").held == ()


def test_orders_alone_below_what_looks_like_the_head_of_a_letter_are_not_read_and_it_is_said_why() -> None:
    got = found("Tomorrow.\n\n16 brumo 2026 Ada Marsh blorpit:\n\nside: east\nmove:\n- hob to 0713\n")
    assert (got.kind, [problem.code for problem in got.problems]) == (NOTHING, ["mail.below-head"])
    assert got.problems[0].args["head"] == "16 brumo 2026 Ada Marsh blorpit:"


def test_orders_without_what_makes_them_final() -> None:
    got = found(f"Just a draft.\n\n{ORDERS_}note: |\n  two\n  lines\n")
    bare = holding.without_final(KEYS, got)
    assert bare.data.decode() == ORDERS_.replace("luck: three left boots\n", "") + "note: |\n  two\n  lines\n"
    assert [origin.text.strip() for origin in bare.lines] == [
        line.strip() for line in bare.data.decode().splitlines()
    ]
    block = holding.without_final(
        KEYS, found("side: west\nluck: |\n  three left\n  boots\nmove:\n- odo to 0712\n")
    )
    assert block.data.decode() == "side: west\nmove:\n- odo to 0712\n"


# --- which letter it answers


def test_which_letter_of_ours_it_answers() -> None:
    turn = "<turn-alder-ford-7c21e0-s0007-west@ford.example>"
    old = "<turn-alder-ford-7c21e0-s0005-west@ford.example>"
    message = Message(
        in_reply_to=turn,
        references=("<x@y.example>", old, "<remind-alder-ford-7c21e0-s0006-orders-west@ford.example>", turn),
    )
    assert find(message).answers == (
        Answered("turn", "alder-ford-7c21e0", 7, "west"),
        Answered("remind", "alder-ford-7c21e0", 6, "west"),
        Answered("turn", "alder-ford-7c21e0", 5, "west"),
    )
    for other in ("", "<turn-x@y.example>", "<turn-alder-s7-west@y>", "turn-alder-s0007-west@y"):
        assert find(Message(in_reply_to=other)).answers == ()


# --- somebody's own words whole


def test_own_words_are_there_whole_and_in_their_lines() -> None:
    got = found(
        f"Hi Ada,\n\nwhen is the deadline?\nAnd where?\n\n{ORDERS_}\nBob\n\nOn Thu, 19 Nov 2026, Ada "
        "wrote:\n> hello\n"
    )
    assert got.words == "Hi Ada,\n\nwhen is the deadline?\nAnd where?\n\nBob"
    long = find(letter(text("\n".join(f"line {number} of my long story" for number in range(2_000)))))
    assert len(long.own) == 500
    assert 19_000 < len(long.words) <= 20_010
    assert long.words.endswith("\n...")
