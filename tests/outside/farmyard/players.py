"""A bot of the farmyard's own: its foxes go for the nearest hen, its hens roost."""

from __future__ import annotations

from typing import Any

from farmyard.sheets import SECTIONS, legal, say
from farmyard.yard import Night
from pbem.bots.bot import Bot, Data
from pbem.bots.chance import Chance
from pbem.core.play import Question

EAGER = ("pounces on", "roosts", "slinks to", "settles in")


def orders(rules: Any, state: Night, seat: str, chance: Chance) -> Data:
    """Return one line for each animal: the most eager of those that it may do."""
    lines: dict[str, str] = {}
    for line in sorted(
        legal(rules, state, seat), key=lambda line: EAGER.index(line.verb) if line.verb in EAGER else 9
    ):
        lines.setdefault(line.who, say(line))
    return {SECTIONS[state.at.phase]: list(lines.values())}


def answer(rules: Any, state: Night, question: Question, chance: Chance) -> str:
    """Return where a hen bolts that was missed: as far as it can get."""
    return question.choices[-1].value


PROWLER = Bot("prowler", "pounces whenever it can", orders, answer, rulesets=("farmyard",))
