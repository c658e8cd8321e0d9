"""An order file while a bot writes it: the judgement of the rules on it, and what is left when refused
sentences are struck out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.bots.bot import Data
from pbem.bots.chance import HighDice
from pbem.core.play import resolve_phase
from pbem.core.problem import worst
from pbem.core.ruleset import Ruleset

Rules = Ruleset[Any]
Refused = frozenset[tuple[str, int]]
"""Section and number of each sentence that the rules refuse."""


def read(rules: Rules, state: Any, seat: str, data: Mapping[str, Any]) -> Any:
    """Return a file as the rules understand it; a bot that writes what cannot be read is a fault of the
    program.
    """
    orders, problems = rules.interface.read_orders(rules, state, seat, data)
    if orders is None or worst(problems):
        raise AssertionError(f"{seat} wrote what cannot be read: {problems}")
    return orders


def refused(rules: Rules, state: Any, seat: str, data: Mapping[str, Any]) -> Refused:
    """Return which sentences of a file are illegal whatever happens before; doubts are not among them. Where
    only a section as a whole is wrong, such as an army, all of its sentences are.
    """
    orders, wording = rules.interface.read_orders(rules, state, seat, data)
    problems = worst(wording) or worst(rules.interface.check(rules, state, orders, ()).problems)
    found = {(str(problem.path[0]), int(problem.path[1])) for problem in problems if len(problem.path) > 1}
    whole = {str(problem.path[0]) for problem in problems if len(problem.path) == 1}
    listed = {section for section in whole if isinstance(data.get(section), list) and data[section]}
    if whole - listed or any(not problem.path for problem in problems):
        raise AssertionError(f"{seat} wrote what is not a sentence: {problems}")
    if not found:
        found = {(section, n) for section in whole for n in range(len(data[section]))}
    return frozenset(found)


def without(data: Data, struck: Refused) -> Data:
    """Return a file without some of its sentences; a section that loses its last one is left out."""
    sections = {section for section, _ in struck}
    kept: dict[str, Any] = {}
    for section, lines in data.items():
        if section not in sections:
            kept[section] = lines
            continue
        left = [sentence for n, sentence in enumerate(lines) if (section, n) not in struck]
        if left:
            kept[section] = left
    return kept


def accepted(rules: Rules, state: Any, seat: str, data: Data) -> Data:
    """Return a file without the sentences that the rules refuse: striking one out may make another illegal,
    so until none is left.
    """
    while struck := refused(rules, state, seat, data):
        data = without(data, struck)
    return data


def rehearsed(rules: Rules, state: Any, seat: str, data: Mapping[str, Any]) -> Any:
    """Return the state when the open phase is over, played with this file and luckless dice; a question is
    left open, so nothing stands.
    """
    cursor = rules.interface.cursor(state)
    orders = read(rules, state, seat, data)
    files = {seat: (orders,)} if orders.covers(cursor) else {}
    step = rules.steps[cursor.phase]
    state = resolve_phase(
        lambda play: step(rules, play, files), state, str(cursor), rules.interface.apply, HighDice()
    ).state
    for event in rules.interface.advance(rules, state):
        state = rules.interface.apply(state, event)
    return state
