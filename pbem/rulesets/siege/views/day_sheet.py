"""The order sheet of a day of a siege: its plans, then each engine with the walls that it may bombard.

What is legal is told by ``campaign``; what there is to know of an order by ``forecast``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.core.ruleset import Ruleset
from pbem.core.sheet import Choices, Entry
from pbem.rulesets.siege.ground.character import person
from pbem.rulesets.siege.judge import forecast
from pbem.rulesets.siege.orders import grammar
from pbem.rulesets.siege.scenario import campaign, siege_sheet
from pbem.rulesets.siege.scenario.siege_sheet import Engine
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state.deed import deeds
from pbem.rulesets.siege.state.orders import Act
from pbem.rulesets.siege.state.state import Battle
from pbem.rulesets.siege.things import battering, bombardment

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
    yield from _of_men(rules, battle, orders)


def _of_men(rules: Rules, battle: Battle, orders: Sequence[Act]) -> Iterator[Entry]:
    """Yield what figures may do on the day, of each its orders, those of one kind on one line."""
    every, engines = deeds(rules), {engine.id for engine in siege_sheet.engines(rules, battle)}
    men = [order for order in orders if order.who and order.who[0] not in engines and every[order.do].of_men]
    for name in dict.fromkeys(order.who[0] for order in men):
        own = [order for order in men if order.who == (name,)]
        plain = [order for order in own if not order.over]
        kinds = dict.fromkeys(order.do for order in plain)
        lines = [_alike(rules, battle, [order for order in plain if order.do == do]) for do in kinds]
        lines += [_choice(rules, battle, order) for order in own if order.over]
        unit = battle.units[name]
        yield Entry(name, f"{person(battle, unit).name}, {unit.state}", tuple(lines))


def _alike(rules: Rules, battle: Battle, orders: Sequence[Act]) -> Choices:
    """Return some orders that differ only in their hex, as one line."""
    hexes = tuple(order.to[0] for order in orders if order.to)
    if len(hexes) < 2 or not grammar.say(rules, orders[0]).endswith(hexes[0]):
        return _choice(rules, battle, orders[0])
    return Choices(grammar.say(rules, orders[0]), (), (("", hexes),))


def _of_engine(rules: Rules, battle: Battle, engine: Engine, orders: Sequence[Act]) -> Iterator[Choices]:
    walls = [order for order in orders if order.do == "bombard"]
    if walls:
        days = family.of(rules).days
        whats = () if days.walls is None else days.walls.whats
        others = (*whats, *(aimed.what for aimed in days.aims))
        of = {order.to[0]: bombardment.what_stands(rules, battle, order.to[0]) for order in walls}
        by_kind = (
            (kind, tuple(hex_ for hex_ in of if of[hex_] == kind)) for kind in (*battering.ALL, *others)
        )
        yield Choices(
            grammar.say(rules, walls[0]), (), tuple((kind, hexes) for kind, hexes in by_kind if hexes)
        )
    yield from (_choice(rules, battle, order) for order in orders if order.do == "repair")


def _choice(rules: Rules, battle: Battle, order: Act) -> Choices:
    told = forecast.row(rules, battle, order)[2]
    return Choices(grammar.say(rules, order), (told,) if told else ())
