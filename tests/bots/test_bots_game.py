"""Games in memory, and how a bot is found by its name."""

from __future__ import annotations

import pytest
from bot_boards import begun, bot, rope
from msgspec.structs import replace
from toy_ruleset import TOY

from pbem.bots.bot import MODULES, UnknownBot, find
from pbem.bots.chance import Chance, SeedDice
from pbem.bots.game import game
from pbem.bots.sergeant import ASKED


def test_bots_are_found_by_name_where_they_know_the_rules() -> None:
    assert [find(name, "cry_havoc").name for name in ("random", "sergeant")] == ["random", "sergeant"]
    assert [find(name, "castle").name for name in ("random", "marshal")] == ["random", "marshal"]
    assert set(MODULES) == {"random", "sergeant", "marshal"}
    assert find("random", "toy").said
    with pytest.raises(UnknownBot) as unknown:
        find("sergeant", "toy")
    assert (unknown.value.name, unknown.value.known) == ("sergeant", ("random",))
    with pytest.raises(UnknownBot) as unknown:
        find("captain", "cry_havoc")
    assert unknown.value.known == ("random", "sergeant")


def test_the_same_arguments_give_the_same_game() -> None:
    rules, state, sides = begun("alder-ford")
    bots = {side: bot("random") for side in sides}
    one, other = (game(rules, state, bots, SeedDice("d"), "s") for _ in range(2))
    third = game(rules, state, bots, SeedDice("e"), "s")
    fourth = game(rules, state, bots, SeedDice("d"), "t")
    plain = [rules.interface.state_to_plain(rules, played.state) for played in (one, other, third, fourth)]
    assert plain[0] == plain[1]
    assert plain[0] not in (plain[2], plain[3])


def test_random_sends_an_army_that_stands_or_none() -> None:
    """Of an army as a whole something may be wrong, and then no line of it is to blame."""
    rules, state, sides = begun("kestrel-open")
    for n in range(4):
        for side in sides:
            data = bot("random").orders(rules, state, side, Chance(f"army {n}"))
            sheet, problems = rules.interface.read_orders(rules, state, side, data)
            assert not problems and not rules.interface.check(rules, state, sheet, ()).problems, data


def test_letters_are_order_files_and_answers_after_the_setup() -> None:
    rules, state, sides = begun("alder-ford", ("interrupt_policy", "ask_owner"))
    done = game(rules, state, dict.fromkeys(sides, ASKED), SeedDice("d"), "s")
    assert set(done.orders) == set(sides)
    assert done.orders["east"] == done.turns
    assert done.orders["west"] in (done.turns, done.turns - 1)  # the game may end in east's player turn
    assert done.answers["east"] > 0
    assert done.letters("east") == done.orders["east"] + done.answers["east"]
    assert done.letters("nobody") == 0


def test_several_questions_in_a_phase_are_answered_one_after_the_other() -> None:
    asked: list[str] = []

    def answer(rules: object, state: object, question: object, chance: object) -> str:
        asked.append(question.about)  # type: ignore[attr-defined]
        return ASKED.answer(rules, state, question, chance)  # type: ignore[arg-type]

    rules, state, sides = begun("alder-ford", ("interrupt_policy", "ask_owner"))
    done = game(rules, state, dict.fromkeys(sides, replace(ASKED, answer=answer)), SeedDice("d"), "s")
    assert {"retreat", "advance"} <= set(asked)
    assert len(asked) == sum(done.answers.values())
    assert rules.interface.over(done.state)


def test_the_toy_asks_too() -> None:
    done = game(TOY, rope(8), dict.fromkeys(("north", "south"), find("random", "toy")), SeedDice("ask"), "z")
    assert done.orders["north"]
