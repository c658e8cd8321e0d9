"""A deed that no book has, whole in one file: somebody digs a pit in a hex beside him, if nobody stands in
it.
"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.core.play import Play
from pbem.core.problem import Problem
from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import neighbours
from pbem.rulesets.siege.march.movement import time_to_move
from pbem.rulesets.siege.state.deed import Deed, Needs, with_deeds
from pbem.rulesets.siege.state.events import Acted
from pbem.rulesets.siege.state.orders import Act
from pbem.rulesets.siege.state.sentence import sentence
from pbem.rulesets.siege.state.state import Battle, Unit

Rules = Ruleset[Battle]


def why_not(rules: Rules, battle: Battle, order: Act) -> Problem | None:
    """Return why a figure does not dig there now; None if it does."""
    unit, hex_ = battle.units[order.who[0]], order.to[0]
    if problem := time_to_move(rules, battle, unit):
        return problem
    if hex_ not in neighbours(unit.at[0]):
        return Problem("digging.far", {"unit": unit.id, "hex": hex_}, help="only beside him")
    if other := battle.standing_at.get(hex_):
        return Problem("digging.trodden", {"unit": unit.id, "hex": hex_, "other": other})
    return None


def dig(rules: Rules, play: Play[Battle], order: Act) -> None:
    """Let a figure dig."""
    play.happen(Acted(order.who[0], "dug"))


def orders(rules: Rules, battle: Battle, unit: Unit) -> Iterator[Act]:
    """Yield the hexes round a figure."""
    return (Act("dig", (unit.id,), to=(hex_,)) for hex_ in (neighbours(unit.at[0]) if unit.at else ()))


DIG = Deed(
    id="dig",
    sentences=(sentence("move", "{who:NAME} digs in {to:HEX}[over: and covers it]", "odo digs in 0712"),),
    called="digs",
    keys={"hex": "to", "covered": "over"},
    needs=Needs("pits", ("pits",)),
    after=("move",),
    check=why_not,
    do=dig,
    mark="dug",
    instead="dug a pit",
    lists=orders,
    grouped=True,
    about=lambda rules, battle, order: f"a pit in {order.to[0]}" + (" under branches" if order.over else ""),
    drawn="strike",
)


def with_pits(rules: Rules) -> Rules:
    """Add the deed, and the module that it needs."""
    return with_deeds(rules, DIG).amend(modules=(*rules.modules, "pits"))
