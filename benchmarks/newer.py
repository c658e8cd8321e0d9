"""The Anarchy and Castle sections, as bots come to play them: a player turn of an assault against one of Siege,
and a turn of a dozen figures among sections of a castle.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from msgspec.structs import replace

from benchmarks import phases
from benchmarks.measure import Result, Work, calls, least
from pbem.bots import paper
from pbem.bots.bot import find
from pbem.bots.chance import Chance, SeedDice
from pbem.core.ruleset import play_slot
from pbem.referee.game.replay import Ground, first_state
from pbem.referee.game.scenario import find_scenario, judge
from pbem.text.source import read
from pbem.text.written import written

ASSAULTS = (("hot-welcome", "besiegers", 3), ("mole", "besiegers", 3))
"""Scenarios of The Anarchy with some fifty figures, who attacks, and the game turn."""
SIEGE = ("six-days", "baron", 3)
"""One of Siege with sixty."""
FIGURES = 60
"""So many stand in the two lines of ``battle``, which both games play with the same orders."""
SECTIONS = ("kestrel-tower", "keep", 1)
"""One of Castle sections, and the side with twelve figures."""


def midst(scenario: str, side: str, turn: int, bot: str) -> tuple[Ground, Any, Mapping[str, Any]]:
    """Return the ground, the state as a side's player turn begins, and by seat what a bot orders then, as data."""
    ground = judge(find_scenario(scenario), {})[1]
    rules, interface = ground.rules, ground.rules.interface
    state = first_state(ground, {one: one for one in ground.scenario["sides"]})
    dice, plays = SeedDice("newer"), find(bot, rules.id)
    while True:
        at = interface.cursor(state)
        said = {
            seat: plays.orders(rules, state, seat, Chance("newer"))
            for seat in interface.seats_to_order(rules, state)
        }
        if (at.turn, at.side) == (turn, side):
            return ground, state, said
        new = {seat: (paper.read(rules, state, seat, data), "") for seat, data in said.items()}
        state = play_slot(rules, state, {seat: (file,) for seat, (file, _) in new.items()}, new, dice).state


def works(scenario: str, side: str, turn: int, bot: str) -> tuple[Work, Work, int]:
    """Return the work of checking that turn and of resolving it, and how many orders it has."""
    ground, state, said = midst(scenario, side, turn, bot)
    rules, interface = ground.rules, ground.rules.interface
    ((seat, data),) = said.items()
    text = written({"seat": seat, **data}).encode()
    orders = paper.read(rules, state, seat, data)

    def check() -> object:
        fresh = replace(state)  # knows nothing yet of who stands where
        found, _ = interface.read_orders(rules, fresh, seat, read(text, "orders.yaml").data)
        return interface.check(rules, fresh, found, ())

    def resolve() -> object:
        return play_slot(rules, replace(state), {seat: (orders,)}, {seat: (orders, "")}, SeedDice("turn"))

    return check, resolve, sum(len(lines) for lines in data.values() if isinstance(lines, list))


def results(seconds: float) -> Iterator[Result]:
    """Yield the benchmarks."""
    turn_of = partial(works, bot="sergeant")
    _, siege, _ = turn_of(*SIEGE)
    for scenario, side, turn in ASSAULTS:
        _, resolve, count = turn_of(scenario, side, turn)
        mine, bare = least(resolve, siege, seconds=seconds)
        what = f"a player turn of {scenario}, {count} orders"
        yield Result("newer", what, f"one of {SIEGE[0]}", mine, bare, 1)
        yield calls("newer calls", f"function calls: a player turn of {scenario}", resolve)
    yield calls("newer calls", f"function calls: a player turn of {SIEGE[0]}", siege)
    theirs, of_siege = (phases.works(FIGURES, id_) for id_ in ("anarchy", "siege"))
    times = least(*theirs.values(), *of_siege.values(), seconds=seconds / 4)
    mine, bare = sum(times[: len(theirs)]), sum(times[len(theirs) :])
    yield Result(
        "newer", f"four phases of The Anarchy, {FIGURES} figures", "the four of Siege", mine, bare, 1
    )
    named = [
        (game, *one) for game, all_ in (("The Anarchy", theirs), ("Siege", of_siege)) for one in all_.items()
    ]
    for (game, phase, work), took in zip(named, times, strict=True):
        what = f"{phases.PHASES[phase]} of {game}, {FIGURES} figures"
        yield Result("newer phase", what, "", took, None, None)
        yield calls("newer phase calls", f"function calls: {what}", work)
    check, resolve, count = works(*SECTIONS, bot="random")
    checked, resolved = least(check, resolve, seconds=seconds)
    yield Result("newer", f"check {count} orders of {SECTIONS[0]}, 12 figures", "", checked, None, 20)
    yield Result("newer", f"resolve {count} orders of {SECTIONS[0]}", "", resolved, None, 20)
