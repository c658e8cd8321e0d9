"""How the sergeant plans a day of a siege: he bombards one wall until it falls, mends what is broken, and
storms while there is time.
"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import distance
from pbem.rulesets.siege.scenario import campaign, siege_sheet
from pbem.rulesets.siege.state.orders import Act
from pbem.rulesets.siege.state.state import Battle

Rules = Ruleset[Battle]


def day(rules: Rules, battle: Battle, seat: str) -> Iterator[str]:
    """Yield the orders for a day: an assault on a breach or when no more days are left for it, else stones,
    else rest.
    """
    orders = list(campaign.listed(rules, battle, seat))
    if any(order.do == "plan" and order.what == "assault" for order in orders) and time_to_storm(battle):
        yield "assault"
        return
    broken = [order.who[0] for order in orders if order.do == "repair" and worn(battle, order.who[0])]
    stones = [order for order in orders if order.do == "bombard" and order.who[0] not in broken]
    yield from (f"repair {name}" for name in broken)
    hex_ = target(rules, battle, stones)
    if hex_:
        engines = sorted(order.who[0] for order in stones if order.to == (hex_,))
        yield f"{', '.join(engines)} bombard{'s' if len(engines) == 1 else ''} {hex_}"
    elif not broken and any(order.do == "plan" and order.what == "rest" for order in orders):
        yield "rest"


def time_to_storm(battle: Battle) -> bool:
    """Tell whether an assault is due: a wall is down, or there are no more days than assaults left."""
    siege = battle.field.siege
    left = (siege.assaults - battle.log.assaults) if siege and siege.assaults else 1
    return battle.field.days - battle.at.day < left or any(is_ == "rubble" for _, is_ in battle.features)


def worn(battle: Battle, engine: str) -> bool:
    """Tell whether an engine has lost so much that it is better mended than used."""
    return battle.things[engine].lost > 1 or battle.things[engine].kind == "mangonel"


def target(rules: Rules, battle: Battle, stones: list[Act]) -> str:
    """Return the wall to bombard: the one most damaged, of equal ones the battlement nearest to where the
    besieger begins.
    """
    marks = {
        force.within
        for force in battle.field.forces
        if battle.field.siege and force.side == battle.field.siege.besieger and force.within
    }
    edge = [hex_ for mark in sorted(marks) for hex_ in battle.field.marks[mark]]
    rows = {row.at: row for row in siege_sheet.rows(rules, battle)}
    open_ = sorted({order.to[0] for order in stones if rows[order.to[0]].steps < rows[order.to[0]].of})

    def rank(hex_: str) -> tuple[int, bool, int, str]:
        row = rows[hex_]
        return (
            -row.steps,
            row.kind != "battlement",
            min((distance(hex_, there) for there in edge), default=0),
            hex_,
        )

    return min(open_, key=rank, default="")
