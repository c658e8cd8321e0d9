"""What people type who know neither YAML nor the language of orders: each slip is read as it was meant, or
answered with what helps.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from moments_of_games import when_open
from siege_words import find

from pbem.post.lines.message import PLAIN, Message, Text
from pbem.post.mail.files import lines_of, numbered
from pbem.referee.game.game import Game
from pbem.referee.turn.check import Checked, check
from pbem.text.located import render

HERE = Path(__file__).parent
SLIPS = yaml.safe_load((HERE / "slips.yaml").read_text())
MOMENTS = {
    "turn": ("alder-ford", 3, "west", "move"),
    "setup": ("alder-ford", 1, "west", "setup"),
    "castle": ("millers-ladders", 5, "company", "move"),
    "siege": ("six-days", 3, "baron", "day"),
}


def moment(slip: Mapping[str, Any]) -> tuple[Game, str]:
    example, slot, seat, _ = MOMENTS[slip.get("in", "turn")]
    return when_open(example, slot), seat


def typed(slip: Mapping[str, Any]) -> bytes:
    """Return the file with a slip: all of it, or a file round one line of a section or of the standing
    instructions.
    """
    if "text" in slip:
        return str(slip["text"]).encode()
    *_, seat, section = MOMENTS[slip.get("in", "turn")]
    head = f"seat: {seat}\n"
    if "standing" in slip:
        return f"{head}move:\n- tudur to 0707\nstanding:\n  everyone:\n    {slip['standing']}\n".encode()
    return f"{head}{slip.get('before', '')}{slip.get('under', section)}:\n- {slip['line']}\n".encode()


def normal(game: Game, checked: Checked) -> str:
    """Return the orders as they were read, without the lines that say whose they are."""
    lines = game.ground.rules.interface.normal(game.ground.rules, checked.orders) if checked.ok else ()
    return "\n".join(line for line in lines if not line.startswith(("seat:", "turn:")))


def said(checked: Checked) -> str:
    return "\n".join(map(render, checked.problems))


@pytest.mark.parametrize("slip", SLIPS, ids=lambda slip: slip["slip"])
def test_a_slip_is_read_as_it_was_meant_or_answered_with_what_helps(slip: Mapping[str, Any]) -> None:
    game, seat = moment(slip)
    checked = check(game, "o.yaml", typed(slip), seat)
    if "read" in slip:
        assert (said(checked), normal(game, checked)) == ("", slip["read"])
        return
    assert not checked.ok
    for told in [slip["told"]] if isinstance(slip["told"], str) else slip["told"]:
        assert told in said(checked)
    assert len(checked.problems) == slip.get("count", len(checked.problems)), said(checked)


@pytest.mark.parametrize(
    "slip", [slip for slip in SLIPS if "read" in slip and "letter" not in slip], ids=lambda slip: slip["slip"]
)
def test_a_letter_with_the_same_slip_says_the_same(slip: Mapping[str, Any]) -> None:
    game, seat = moment(slip)
    lines = numbered(lines_of(typed(slip).decode().removeprefix("\ufeff")))
    found = find(Message(texts=(Text(PLAIN, lines),), sender="bob@example.org", sender_name="Bob"))
    checked = check(game, "letter", found.data, seat)
    assert (said(checked), normal(game, checked)) == ("", slip["read"])


def test_the_list_is_long_enough_to_mean_something() -> None:
    assert len(SLIPS) >= 100
    assert len({slip["slip"] for slip in SLIPS}) == len(SLIPS)
