"""Two laws of the judge on random skirmishes: what is fine is carried out, what is a problem never is."""

from __future__ import annotations

from typing import Any

import pytest
from skirmish import RULES, Chance, orders, play, random_battle, random_orders, sources
from thorough import deeper, tries

from pbem.rulesets.siege.judge import judge
from pbem.rulesets.siege.orders import carry_out
from pbem.rulesets.siege.state.events import Fought, Moved, OrderRead, OrderSkipped
from pbem.rulesets.siege.state.orders import Attack, Line, MoveBy, OrderFile
from pbem.rulesets.siege.state.state import Battle

BATTLES = tries(60, 600)
REPLAYS = 3


def failed(events: list[object], file: OrderFile) -> tuple[dict[str, str], set[str]]:
    """Return the sources of lines that came to nothing or not to all they ordered, with the reason, and of
    those carried out.
    """
    ways = {
        carry_out.source(item.path): item.order
        for items in file.sections.values()
        for item in sources(items)
        if isinstance(item, Line)
    }
    bad: dict[str, str] = {}
    done: set[str] = set()
    current = ""
    for event in events:
        match event:
            case OrderRead():
                current = event.source
                done.add(current)
            case OrderSkipped():
                bad[event.source or current] = event.code
            case Moved() if event.stopped and isinstance(ways[current], MoveBy):
                bad[current] = event.stopped
            case Fought() if (set(event.attackers), set(event.defenders)) != _parties(ways[current]):
                bad[current] = "in part"
            case _:
                pass
    return bad, done - set(bad)


def _parties(order: object) -> tuple[set[str], set[str]]:
    assert isinstance(order, Attack)
    return set(order.who), set(order.at)


def without(data: dict[str, Any], lines: set[str]) -> dict[str, Any]:
    """Return order data without some lines."""

    def pruned(items: list[Any], path: str) -> list[Any]:
        kept = []
        for number, item in enumerate(items):
            here = f"{path}/{number}"
            if here in lines:
                continue
            if isinstance(item, dict):
                item = {
                    **item,
                    **{
                        key: pruned(item[key], f"{here}/{key}")
                        for key in ("then", "otherwise")
                        if key in item
                    },
                }
            kept.append(item)
        return kept

    return {heading: pruned(items, heading) for heading, items in data.items()}


def flawless(battle: Battle, data: dict[str, Any]) -> tuple[OrderFile, set[str]]:
    """Return a file without the lines that are problems, and the sources of its doubtful lines."""
    for _ in range(20):
        file = orders(battle, data)
        found = judge.check(RULES, battle, file).problems
        problems = {carry_out.source(problem.path) for problem in found if not problem.is_doubt}
        if not problems:
            return file, {carry_out.source(problem.path) for problem in found}
        data = without(data, problems)
    raise AssertionError("problems remain")


@deeper
@pytest.mark.parametrize("block", range(5))
def test_what_is_neither_problem_nor_doubt_is_carried_out_whatever_is_rolled(block: int) -> None:
    fine = 0
    for seed in range(block * BATTLES, (block + 1) * BATTLES):
        battle = random_battle(seed)
        file, doubtful = flawless(battle, random_orders(battle, seed))
        for replay in range(REPLAYS):
            _, events = play(battle, {"east": (file,)}, Chance(seed * 100 + replay))
            bad, done = failed(events, file)
            assert set(bad) <= doubtful, (
                seed,
                replay,
                {source: code for source, code in bad.items() if source not in doubtful},
            )
            fine += len(done - doubtful)
    assert fine > 3 * BATTLES // 2


@deeper
@pytest.mark.parametrize("block", range(5))
def test_what_is_a_problem_is_never_carried_out_whatever_is_rolled(block: int) -> None:
    refused = 0
    for seed in range(block * BATTLES, (block + 1) * BATTLES):
        battle = random_battle(seed)
        file = orders(battle, random_orders(battle, seed))
        problems = {
            carry_out.source(problem.path): problem.code
            for problem in judge.check(RULES, battle, file).problems
            if not problem.is_doubt
        }
        refused += len(problems)
        for replay in range(REPLAYS):
            _, events = play(battle, {"east": (file,)}, Chance(seed * 100 + replay))
            _, done = failed(events, file)
            assert not done & set(problems), (
                seed,
                replay,
                {source: problems[source] for source in done & set(problems)},
            )
    assert refused > 3 * BATTLES // 2
