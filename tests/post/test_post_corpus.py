"""The corpus of letters: each is read as it has to be, and so are letters made of them by chance; nobody
else's orders are ever taken.
"""

from __future__ import annotations

import html
import json
import re
from collections import Counter
from email import message_from_bytes

import pytest
from judging_letters import ANSWERED, CORPUS, EXACT, MISSED, SAME, WRONG, Letter, corpus, judge, same, score
from letter_texts import PLAYERS, TURNS
from making_letters import files
from mutating_letters import WAYS, mutant, mutants

from pbem.post.lines.message import NOTHING, ORDERS, Found, Message
from pbem.text import source

LETTERS = tuple(corpus())
MUTANTS = 600
SIZE, FOLDER = 12_000, 1_500_000


def test_the_folder_is_what_the_makers_write() -> None:
    kept = {
        path.name: path.read_bytes()
        for path in CORPUS.iterdir()
        if path.name not in ("README.md", ".gitattributes")
    }
    made = dict(files())
    assert sorted(kept) == sorted(made)
    assert [name for name in made if made[name] != kept[name]] == []


def test_there_are_letters_enough_and_none_is_large() -> None:
    assert len(LETTERS) >= 240
    assert sum("-rfc-" in one.name or "-shape-" in one.name for one in LETTERS) >= 48
    assert max(len(one.raw) for one in LETTERS) <= SIZE
    assert sum(path.stat().st_size for path in CORPUS.iterdir()) <= FOLDER


def test_no_two_letters_are_alike() -> None:
    assert [raw for raw, times in Counter(one.raw for one in LETTERS).items() if times > 1] == []


@pytest.mark.parametrize("one", [one for one in LETTERS if one.wanted is not None], ids=lambda one: one.name)
def test_what_has_to_be_taken_can_be_carried_out(one: Letter) -> None:
    assert one.wanted is not None
    if one.record:
        assert json.loads(one.wanted)["type"] in ("go", "join")
    else:
        assert source.read(one.wanted, allow_header=True).problems == []
        assert one.signature is not None or (
            one.wanted.endswith(b"\n") and not one.wanted.endswith(b"\n\n") and b"\r" not in one.wanted
        )


@pytest.mark.parametrize(
    "one", [one for one in LETTERS if one.quoted and "armour" not in one.name], ids=lambda one: one.name
)
def test_what_must_not_be_taken_really_stands_in_the_letter(one: Letter) -> None:
    """Look for it with the standard library alone: every sentence of it, between whatever marks."""
    texts = [
        leaf.get_payload(decode=True)
        for leaf in message_from_bytes(one.raw).walk()
        if not leaf.is_multipart()
    ]
    words = " ".join(
        text.decode("utf-8", "replace") for text in [*texts, one.raw] if isinstance(text, bytes)
    ).replace("\0", "")
    seen = re.sub(r"[\s>|]+|=\n|&nbsp;|\u00a0|AM>+", "", html.unescape(re.sub(r"<[^>]*>", "", words) + words))
    for line in one.quoted.splitlines():
        assert not line.startswith("- ") or re.sub(r"\s+", "", line[2:]) in seen


def _as_it_is(raw: bytes) -> Message:
    return Message()


@pytest.mark.parametrize("one", LETTERS, ids=lambda one: one.name)
def test_a_letter_is_read_as_it_has_to_be(one: Letter) -> None:
    found = judge(one)
    assert (found.verdict, found.executed) in ((EXACT, ()), (SAME, ())), found.found.decode(
        "utf-8", "replace"
    )


def test_the_sums_over_the_corpus() -> None:
    sums = score(LETTERS)
    assert sums.executed == 0
    assert sums.counts[WRONG] == sums.counts[ANSWERED] == 0
    assert sums.share >= 99


def test_the_sums_over_mutants() -> None:
    sums = score(mutants(LETTERS, MUTANTS))
    assert [(one.name, one.executed) for one in sums.bad if one.executed] == []
    assert [one.name for one in sums.bad if one.verdict in (WRONG, ANSWERED)] == []
    assert sums.share >= 99


def test_a_mutant_is_the_same_letter_whichever_others_are_made() -> None:
    some = list(mutants(LETTERS, 40, start=100))
    assert some == [mutant(LETTERS, number) for number in range(100, 140)]
    assert some != list(mutants(LETTERS, 40, seed=2, start=100))


def test_mutants_are_of_every_kind_and_carry_orders_of_an_enemy() -> None:
    made = list(mutants(LETTERS, MUTANTS))
    assert {way.__name__ for way in WAYS} - {way for one in made for way in one.name.split("-")} == set()
    assert sum("hostile words" in one.quoted for one in made) > MUTANTS / 2
    assert sum(one.wanted is None for one in made) > MUTANTS / 10


# --- the judge itself


def _judged(one: Letter, data: bytes, automatic: str = "") -> tuple[str, tuple[str, ...]]:
    found = Found(ORDERS, data) if data else Found(NOTHING)
    judged = judge(one, lambda _: Message(automatic=automatic), lambda _: found)
    return judged.verdict, judged.executed


def test_the_judge_knows_right_from_wrong() -> None:
    one = Letter("x", b"", b"side: west\nmove:\n- odo to 0712\n", "", "side: east\nmove:\n- hob to 0713\n")
    assert _judged(one, b"side: west\nmove:\n- odo to 0712\n") == (EXACT, ())
    assert _judged(one, b"side: west\n\nmove:\n  - odo to 0712") == (SAME, ())
    assert _judged(one, b"side: west\nmove:\n- odo to 0711\n") == (WRONG, ())
    assert _judged(one, b"") == (MISSED, ())
    assert _judged(one, b"side: west\nmove:\n- hob to 0713\n- odo to 0712\n") == (WRONG, ("- hob to 0713",))
    assert _judged(one, b"side: west\nmove:\n- odo to 0712\n", "bounce") == (ANSWERED, ())


def test_the_judge_knows_letters_from_which_nothing_may_be_taken() -> None:
    one = Letter("x", b"", None, "only-quoted", "side: east\nmove:\n- hob to 0713\n")
    assert _judged(one, b"") == (EXACT, ())
    assert _judged(one, b"side: east\n") == (WRONG, ("side: east",))
    machine = Letter("x", b"", None, "automatic")
    assert _judged(machine, b"side: west\n", "bounce") == (EXACT, ())
    assert _judged(machine, b"") == (ANSWERED, ())


def test_a_signed_file_has_to_come_to_the_byte() -> None:
    one = Letter("x", b"", b"side: west\r\n", "", "", b"signature")
    for data, signature, verdict in (
        (b"side: west\r\n", b"signature", EXACT),
        (b"side: west\n", b"signature", WRONG),
        (b"side: west\r\n", None, WRONG),
    ):
        found = Found(ORDERS, data, signature)
        assert judge(one, _as_it_is, lambda _, found=found: found).verdict == verdict


def test_the_same_orders_are_known_whatever_their_indentation() -> None:
    nested = b"standing:\n  everyone:\n    wound: weakest\n"
    assert same(nested, b"standing:\n\n everyone:\n  wound: weakest\n")
    assert not same(nested, b"standing:\n everyone:\n wound: weakest\n")
    assert not same(nested, b"standing:\n  everyone:\n    wound: strongest\n")


def test_no_line_of_a_player_stands_in_a_turn_mail() -> None:
    for text in PLAYERS:
        assert source.read(text.encode()).problems == []
        orders = {line for line in text.splitlines() if line.startswith("- ")}
        assert all(orders.isdisjoint(turn.orders.splitlines()) for turn in TURNS)
