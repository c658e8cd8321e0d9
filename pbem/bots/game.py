"""A whole game between bots in memory: no files, no signatures, no letters, the same rules.

For balance, for tests and for trials.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from pbem.bots import paper
from pbem.bots.bot import Bot
from pbem.bots.chance import Chance
from pbem.core.dice import Dice
from pbem.core.play import Answer
from pbem.core.ruleset import Ruleset, play_slot

Rules = Ruleset[Any]


class Played(Struct, frozen=True):
    """A game that is over: its last state, its game turns, and how many letters each seat sent in them."""

    state: Any
    turns: int
    orders: Mapping[str, int]
    """Seat -> order files, those of the setup not counted."""
    answers: Mapping[str, int]
    """Seat -> answers to questions."""

    def letters(self, seat: str) -> int:
        """Return how many letters a seat had to send once the setup was over."""
        return self.orders.get(seat, 0) + self.answers.get(seat, 0)


def game(
    rules: Rules,
    state: Any,
    bots: Mapping[str, Bot],
    dice: Dice,
    seed: str = "",
    sides: Mapping[str, str] | None = None,
) -> Played:
    """Play a game from a state to its end; ``bots`` has one for each seat, ``sides`` the side of each that is
    called otherwise than its side. Nobody is asked about more than his side knows.

    The same arguments give the same game.
    """
    interface = rules.interface
    of = {seat: seat for seat in bots} | dict(sides or {})
    sent: dict[str, Counter[str]] = {"orders": Counter(), "answers": Counter()}
    chances = {seat: Chance(f"{seed}\n{seat}") for seat in sorted(bots)}
    held: dict[str, tuple[Any, ...]] = {}
    turns: set[tuple[int, int]] = set()
    slot = 0
    while not interface.over(state):
        slot += 1
        new = {}
        for seat in interface.seats_to_order(rules, state):
            known = interface.view(rules, state, of[seat])
            data = bots[seat].orders(rules, known, seat, chances[seat])
            new[seat] = (paper.read(rules, state, seat, data), f"{seed} {slot} {seat}")
            held[seat] = (*held.get(seat, ()), new[seat][0])
        cursor = interface.cursor(state)
        if not cursor.is_setup:
            sent["orders"].update([*new])
            turns.add((cursor.day, cursor.turn))
        result = play_slot(rules, state, held, new, dice)
        answers: dict[str, Answer] = {}
        phase = None
        while result.question is not None:
            answers = answers if phase == interface.cursor(result.state) else {}
            phase = interface.cursor(result.state)
            seat = result.question.seat
            known = interface.view(rules, result.state, of[seat])
            said = bots[seat].answer(rules, known, result.question, chances[seat])
            answers[result.question.id] = Answer(said, "answer")
            sent["answers"][seat] += 1
            result = play_slot(rules, result.state, result.kept, {}, dice, (), answers)
        state, held = result.state, dict(result.kept)
    return Played(state, len(turns), sent["orders"], sent["answers"])
