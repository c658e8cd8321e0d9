"""Letters to a game whose words nobody here knows beforehand: no order disappears without a word, whatever
was done to its lines.
"""

from __future__ import annotations

import random
from functools import cache
from itertools import islice

import pytest
from hidden_ruleset import HUNT
from hypothesis import given, settings
from hypothesis import strategies as st
from siege_words import KEYS
from table import SCENARIOS
from thorough import deeper, tries
from toy_ruleset import TOY

from pbem.core.vocabulary import Vocabulary, of_sequence, together
from pbem.post.lines.keys import Keys, reader
from pbem.post.lines.message import ORDERS, Found
from pbem.post.mail import mime
from pbem.post.orders import finding
from pbem.post.orders.filed import filed
from pbem.referee.game.replay import first_state
from pbem.referee.game.scenario import find_scenario, judge
from pbem.rulesets.siege.vocabulary import VOCABULARY

TUG = reader(TOY.vocabulary)
BARE = reader(of_sequence(Vocabulary(), TOY.sequence))
"""A game that says nothing of its orders but its headings."""
HUNTING = reader(HUNT.vocabulary)


def letter(keys: Keys, body: str) -> Found:
    raw = (
        b"From: Ada <ada@example.org>\nSubject: my turn\nContent-Type: text/plain; charset=utf-8\n\n"
        + body.encode()
    )
    return finding.find(keys, mime.read(raw, keys))


@pytest.mark.parametrize("keys", [TUG, BARE], ids=["its verbs", "its headings alone"])
@pytest.mark.parametrize(
    "body",
    [
        "side: south\npull:\nsouth-team pulls\n",
        "side: south\nPull:\nsouth-team pulls\n",
        "side: south\nPULL:\n* South-team pulls\n",
        "Hello Cass,\n\nPull:\n\n1) south-team pulls\n\nCheers,\nAda\n",
        "pull :\n– south-team pulls\n",
        "side=south\npull\n- south-team pulls\n",
        "pull: south-team pulls\n",
        "**Pull**\n- south-team pulls\n",
    ],
)
def test_orders_of_any_game_are_taken_as_people_type_them(keys: Keys, body: str) -> None:
    found = letter(keys, body)
    assert found.kind == ORDERS, found.problems
    assert b"pull:\n- south-team pulls" in found.data.lower()


def test_other_words_above_a_section_mean_it_where_its_game_says_so() -> None:
    assert letter(TUG, "Mockery\n- south-team jeers\n").data == b"jeer:\n- south-team jeers\n"
    assert letter(KEYS, "Archery\n- odo at hob\n").data == b"shoot:\n- odo at hob\n"
    assert letter(TUG, "Archery\n- south-team jeers\n").kind != ORDERS


@pytest.mark.parametrize("keys", [TUG, BARE], ids=["its verbs", "its headings alone"])
def test_orders_without_a_heading_are_seen(keys: Keys) -> None:
    found = letter(keys, "Hello!\n\n- south-team pulls\n\nAda\n")
    assert [problem.code for problem in found.problems] == ["mail.no-heading"]
    assert "south-team pulls" in str(found.problems[0].args)


@pytest.mark.parametrize("keys", [TUG, KEYS], ids=["tug", "siege"])
def test_the_last_word_of_a_broken_order_is_no_heading(keys: Keys) -> None:
    word = "jeers" if keys is TUG else "attacks"
    found = letter(keys, f"Hello,\n\n- north-team\n  {word}\n- south-team {word} odo\n")
    assert found.kind != ORDERS and found.problems[0].code != "mail.nothing"


def test_words_of_one_game_are_none_of_another() -> None:
    assert letter(TUG, "move:\n- odo to 0712\n").kind != ORDERS
    assert letter(KEYS, "pull:\n- south-team pulls\n").kind != ORDERS
    both = reader(together((VOCABULARY, TOY.vocabulary)))
    for body in ("move:\n- odo to 0712\n", "Pull:\nsouth-team pulls\n"):
        assert letter(both, body).kind == ORDERS
    assert reader(together((VOCABULARY, VOCABULARY))) is KEYS


def test_a_file_of_any_game_is_mended_as_a_letter_is() -> None:
    found = filed(TUG, b"Side: south\nPULL\nsouth-team pulls\nstanding:\neveryone:\nyield: hold\n")
    assert found is not None and not found.problems
    assert found.data == b"side: south\npull:\n- south-team pulls\nstanding:\n  everyone:\n    yield: hold\n"


def test_a_template_that_is_none_is_told_to_who_wrote_it() -> None:
    from pbem.core.vocabulary import Deed

    with pytest.raises(ValueError, match=r"not a template: \{whom\} pulls"):
        reader(Vocabulary(deeds=(Deed("pull", ("{whom} pulls",)),)))


def test_a_long_word_above_a_section_is_its_key() -> None:
    from pbem.core.vocabulary import Section

    keys = reader(Vocabulary(sections=(Section("impulse-movement"),)))
    assert (
        letter(keys, "Impulse Movement:\n- tank drives north\n").data
        == b"impulse-movement:\n- tank drives north\n"
    )


# --- random orders of each game, and whatever may be done to them


GAMES = (
    str(SCENARIOS / "tug.yaml"),
    str(SCENARIOS / "dig.yaml"),
    str(SCENARIOS / "hunt.yaml"),
    "alder-ford",
    "oil-and-oxen",
    "six-days",
)
MOST = 400


@cache
def game(name: str) -> tuple[Keys, dict[str, list[str]]]:
    """Return the words of a game, and legal orders of the first phases that have some:
    heading -> sentences.
    """
    _, ground, _ = judge(find_scenario(name))
    rules, interface = ground.rules, ground.rules.interface
    state = first_state(ground, {side: side for side in ground.scenario["sides"]})
    found: dict[str, list[str]] = {}
    for _ in range(8):
        cursor = interface.cursor(state)
        for seat in interface.seats_to_order(rules, state)[:1]:
            heading = "setup" if cursor.is_setup else rules.sequence.phase(cursor.phase).heading
            said = [interface.say(order) for order in islice(interface.legal(rules, state, seat), MOST)]
            if said:
                found.setdefault(heading, said)
        for event in interface.advance(rules, state):
            state = interface.apply(state, event)
        if interface.over(state):
            break
    return reader(rules.vocabulary), found


DASHES = ("- ", "-", "* ", "• ", "– ", "1. ", "1) ", "  - ", "", "-\u00a0", "· ")
"""What stands in front of an order, or nothing."""
SAYS = ("", "Hello Cass,\n\n", "Dear umpire, here are my orders.\n\n", "Hi!\n")
ENDS = ("", "\nCheers,\nAda\n", "\n\n-- \nAda\n", "\nBest wishes\nAda Marsh\n")


def changed(pick: random.Random, orders: dict[str, list[str]]) -> tuple[str, list[str]]:
    """Return the body of a letter with some orders, and these."""
    sections = [heading for heading in orders if orders[heading]]
    chosen = [heading for heading in sections if pick.random() < 0.7] or sections[:1]
    lines, written = [], []
    if pick.random() < 0.5:
        lines.append("side: south")
    lost = pick.random() < 0.15
    for heading in chosen:
        head = pick.choice(
            (heading, heading.capitalize(), heading.upper(), heading.replace("-", " "), f"{heading} ")
        )
        if not lost:
            lines.append(head + pick.choice((":", ":", ":", " :", ": ", "")))
        dash = pick.choice(DASHES if not lost else DASHES[:5])
        for number, sentence in enumerate(
            pick.sample(orders[heading], min(len(orders[heading]), pick.randint(1, 3)))
        ):
            written.append(sentence)
            said = pick.choice((sentence, sentence, sentence.capitalize(), sentence.upper()))
            sign = dash.replace("1", str(number + 1))
            if pick.random() < 0.1 and " " in said and dash and not lost and "–" not in dash:
                # behind a long dash, or without headings, a broken pair of words is answered as no orders at
                # all
                first, _, rest = said.rpartition(" ")
                said = f"{first}\n  {rest}"
            lines.append(sign + said + pick.choice(("", "", "", ".", " ")))
            if pick.random() < 0.1:
                lines.append("")
    return pick.choice(SAYS) + "\n".join(lines) + "\n" + pick.choice(ENDS), written


def squeezed(text: str) -> str:
    return " ".join(text.lower().replace("\u00a0", " ").split())


def told(found: Found, sentence: str) -> bool:
    """Tell whether an order was taken, or the answer names it or refuses all with a reason that is no
    silence.
    """
    if squeezed(sentence) in squeezed(found.data.decode()):
        return True
    if any(
        squeezed(sentence.split()[-1]) in squeezed(str(problem.args))
        for problem in (*found.problems, *found.held)
    ):
        return True
    return found.kind != ORDERS and any(problem.code != "mail.nothing" for problem in found.problems)


@pytest.mark.parametrize("name", GAMES, ids=[name.rpartition("/")[2] for name in GAMES])
@deeper
@settings(max_examples=tries(15, 300))
@given(seed=st.integers(0, 10**9))
def test_no_order_disappears_without_a_word(name: str, seed: int) -> None:
    keys, orders = game(name)
    body, written = changed(random.Random(seed), orders)
    found = letter(keys, body)
    for sentence in written:
        assert told(found, sentence), (sentence, body, found)
