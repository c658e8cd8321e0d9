"""Bots of others: found by their entry points, for the games that they know; and the bot that knows any game."""

from __future__ import annotations

import pytest
from click.testing import CliRunner
from farm_table import HENHOUSE

from pbem.bots.bot import UnknownBot, find
from pbem.cli import cli


def played(*bots: str) -> str:
    words = [word for one in bots for word in ("--bot", one)]
    result = CliRunner().invoke(cli, ["play", str(HENHOUSE), *words, "--seed", "a wet Tuesday"])
    assert result.exit_code == 0, (result.output, result.exception)
    return result.output


def test_a_bot_of_others_plays_its_own_game() -> None:
    assert "oxes" in played("foxes=prowler", "hens=prowler")


def test_it_is_none_for_other_games() -> None:
    assert find("prowler", "farmyard").said == "pounces whenever it can"
    with pytest.raises(UnknownBot) as unknown:
        find("prowler", "cry_havoc")
    assert unknown.value.known == ("random", "sergeant")
    with pytest.raises(UnknownBot) as unknown:
        find("sergeant", "farmyard")
    assert unknown.value.known == ("prowler", "random")


def test_the_bot_that_does_anything_legal_plays_a_game_it_never_heard_of() -> None:
    assert played("foxes=random", "hens=random") != played("foxes=prowler", "hens=random")
