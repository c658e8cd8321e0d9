"""The order sheet of a day of a siege: its plans, then each engine with the walls that it may bombard.

What is legal is told by ``campaign``; what there is to know of an order by ``forecast``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.core.ruleset import Ruleset
from pbem.core.sheet import Choices, Entry
from pbem.rulesets.siege.judge import forecast
from pbem.rulesets.siege.orders import grammar
from pbem.rulesets.siege.scenario import campaign, siege_sheet
from pbem.rulesets.siege.scenario.siege_sheet import Engine
from pbem.rulesets.siege.state.orders import Act
from pbem.rulesets.siege.state.state import Battle
from pbem.rulesets.siege.things import battering

Rules = Ruleset[Battle]


def entries(rules: Rules, battle: Battle, seat: str) -> Iterator[Entry]:
    """Yield what a seat may plan for the day, and what each of its engines may do; nothing for who does not
    lead the besiegers.
    """
    orders = list(campaign.listed(rules, battle, seat))
    plans = tuple(_choice(rules, battle, order) for order in orders if order.do == "plan")
    if plans:
        yield Entry("plan", siege_sheet.record(rules, battle)[0], plans)
    for engine in siege_sheet.engines(rules, battle):
        if choices := tuple(
            _of_engine(rules, battle, engine, [order for order in orders if order.who == (engine.id,)])
        ):
            yield Entry(engine.id, f"{engine.kind}, {engine.points} of {engine.of} points", choices)


def _of_engine(rules: Rules, battle: Battle, engine: Engine, orders: Sequence[Act]) -> Iterator[Choices]:
    walls = [order for order in orders if order.do == "bombard"]
    if walls:
        by_kind = (
            (kind, tuple(order.to[0] for order in walls if battering.kind_of(battle, order.to[0]) == kind))
            for kind in battering.ALL
        )
        yield Choices(
            grammar.say(rules, walls[0]), (), tuple((kind, hexes) for kind, hexes in by_kind if hexes)
        )
    yield from (_choice(rules, battle, order) for order in orders if order.do == "repair")


def _choice(rules: Rules, battle: Battle, order: Act) -> Choices:
    told = forecast.row(rules, battle, order)[2]
    return Choices(grammar.say(rules, order), (told,) if told else ())
