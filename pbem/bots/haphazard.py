"""The bot ``random``: each figure does something legal, whatever it is good for.

For each figure first one of the kinds of legal sentence is drawn, then one of the sentences of that kind; to
stay is a kind too. In half of the draws it never stays where there is something else to do.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pbem.bots import paper
from pbem.bots.bot import Bot, Data
from pbem.bots.chance import Chance
from pbem.core.play import Question
from pbem.core.ruleset import Ruleset

Rules = Ruleset[Any]
Kinds = dict[str, list[Any]]
"""Kind of order -> the legal ones of it."""
STAY = "stay"
"""What a figure does that is given no order; a sentence for it says nothing more."""
TRIES = 4
"""So often something else is drawn for figures that got in each other's way; then they stay."""


def orders(rules: Rules, state: Any, seat: str, chance: Chance) -> Data:
    """Return an order file for all phases of the open player turn, drawn phase by phase from what would be
    legal then.
    """
    interface = rules.interface
    begun, data, now = interface.cursor(state), Data(), state
    while not interface.over(now) and interface.cursor(now).player_turn == begun.player_turn:
        cursor = interface.cursor(now)
        part = _section(rules, now, seat, chance) if seat in interface.seats_to_order(rules, now) else {}
        data |= part
        if cursor.is_setup:
            break
        now = paper.rehearsed(rules, now, seat, part or _nothing(rules, cursor.phase))
    return paper.accepted(rules, state, seat, data)


def _nothing(rules: Rules, phase: str) -> Data:
    heading = _heading(rules, phase)
    return {heading: []} if heading else {}


def _heading(rules: Rules, phase: str) -> str:
    return rules.sequence.phase(phase).heading


def _section(rules: Rules, state: Any, seat: str, chance: Chance) -> Data:
    """Return the section of the open phase: one sentence at most for a figure."""
    heading = _heading(rules, rules.interface.cursor(state).phase)
    choices = by_figure(rules.interface.legal(rules, state, seat))
    drawn = {figure: _draw(choices[figure], chance) for figure in choices}
    for _ in range(TRIES):
        chosen = list(_one_each(drawn))
        data: Data = {heading: [rules.interface.say(order) for order in chosen]}
        struck = paper.refused(rules, state, seat, data)
        if not struck:
            break
        for _, number in sorted(struck):
            figure = next(figures(chosen[number]))
            drawn[figure] = _draw(choices[figure], chance)
    return paper.without(data, struck)


def _draw(kinds: Kinds, chance: Chance) -> Any:
    """Return one order, or None: stay."""
    stays = chance.below(2) == 0
    kind = chance.one_of([*kinds, *([""] if stays else [])])
    return chance.one_of(kinds[kind]) if kind else None


def _one_each(drawn: Mapping[str, Any]) -> Iterator[Any]:
    """Yield the orders that were drawn, but none for a figure that is busy with another's."""
    busy: set[str] = set()
    for order in drawn.values():
        who = set(figures(order)) if order is not None else set()
        if who and not who & busy:
            busy |= who
            yield order


def figures(order: Any) -> Iterator[str]:
    """Yield the figures that an order is given to."""
    who = getattr(order, "who", ())
    yield from (who,) if isinstance(who, str) else who


def by_figure(legal: Iterable[Any]) -> dict[str, Kinds]:
    """Return figure -> kind -> its legal orders, a joint order with the first of its figures; orders of
    nobody are left out.
    """
    found: dict[str, Kinds] = {}
    for order in legal:
        first = next(figures(order), "")
        if first and getattr(order, "do", "") != STAY:
            found.setdefault(first, {}).setdefault(kind_of(order), []).append(order)
    return found


def kind_of(order: Any) -> str:
    """Return of which kind an order is; off the map is one more place to go to, or bots would desert as often
    as they march.
    """
    do = getattr(order, "do", "")
    return "Move" if do == "leave" else f"{type(order).__name__} {do}".rstrip()


def answer(rules: Rules, state: Any, question: Question, chance: Chance) -> str:
    """Return any of the choices; where some are asked for, as many as must be, or one."""
    left = [choice.value for choice in question.choices]
    drawn: list[str] = []
    for _ in range(max(1, question.min) if question.kind == "some" else 1):
        drawn.append(chance.one_of(left))
        left.remove(drawn[-1])
    return ", ".join(drawn)


BOT = Bot("random", "does anything legal", orders, answer)
