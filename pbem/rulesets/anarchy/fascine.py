"""Fascines: bundles of brushwood with which one man fills a hex of a moat.

A fascine is a load like others: one man takes it up, carries it and puts it down. How a moat is filled before
the battle is ``works`` of Siege.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from pbem.core.play import Play
from pbem.core.problem import Problem
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import hex_of, neighbours
from pbem.rulesets.anarchy import door, full_turn
from pbem.rulesets.siege.ground import terrain
from pbem.rulesets.siege.march import movement
from pbem.rulesets.siege.state import loads
from pbem.rulesets.siege.state.deed import Deed, Needs, Words, Work
from pbem.rulesets.siege.state.events import FeatureChanged, ThingLost
from pbem.rulesets.siege.state.family import Kind
from pbem.rulesets.siege.state.field import MOAT
from pbem.rulesets.siege.state.orders import Act
from pbem.rulesets.siege.state.sentence import sentence
from pbem.rulesets.siege.state.state import Battle, Job, Unit
from pbem.rulesets.siege.things import works
from pbem.rulesets.siege.turn import jobs

Rules = Ruleset[Battle]
FILL_IN: Final = "fill-in"
KINDS: Final = {loads.FASCINE: Kind("works")}


def hex_filled(job: Job) -> str:
    """Return the hex that somebody fills."""
    return job.what.split()[1]


def why_not(rules: Rules, battle: Battle, order: Act) -> Problem | None:
    """Return why somebody does not begin to fill a hex of a moat with a fascine now; None if he does."""
    unit = battle.units[order.who[0]]
    return (
        movement.time_to_move(rules, battle, unit)
        or not_in_hand(battle, unit, order.what)
        or no_moat_beside(rules, battle, unit, order.to[0])
        or someone_in_it(battle, order.to[0])
        or jobs.too_late(rules, battle, unit, FILL_IN)
    )


@rule("A0.18")
def not_in_hand(battle: Battle, unit: Unit, what: str) -> Problem | None:
    """Return that somebody has no such fascine in his hands; None if he has."""
    load = loads.held(battle, unit, loads.FASCINE)
    if load is not None and load.id == what:
        return None
    return Problem("fascine.not-held", {"unit": unit.id, "thing": what}, rule="A0.18")


@rule("A0.18")
def no_moat_beside(rules: Rules, battle: Battle, unit: Unit, hex_: str) -> Problem | None:
    """Return that a hex is no open moat next to a figure, on its level of the ground; None if it is."""
    here = unit.at[0]
    beside = hex_of(here) == here and hex_ in neighbours(here) and hex_ in battle.field.ground
    if beside and all(feature.passes for feature in terrain.between(battle, here, hex_)):
        ground, own = (terrain.terrain_at(rules, battle, at) for at in (hex_, here))
        if MOAT in ground.traits and own.floor == ground.floor:
            return None
    return Problem("fascine.no-moat", {"unit": unit.id, "hex": hex_}, rule="A0.18")


def someone_in_it(battle: Battle, hex_: str) -> Problem | None:
    """Return who is down in a hex of a moat, or on a ladder there, so that nobody fills it; None if nobody
    is.
    """
    down = sorted(battle.living_in.get(hex_, ()))
    return Problem("fascine.held", {"unit": down[0], "hex": hex_}, rule="A0.18") if down else None


def begin(rules: Rules, play: Play[Battle], order: Act) -> None:
    """Begin to fill a hex of a moat, which takes the whole turn."""
    full_turn.begin(play, order.who[0], FILL_IN, f"{order.what} {order.to[0]}")


def still_at_it(rules: Rules, battle: Battle, unit: Unit, job: Job) -> bool:
    """Tell whether somebody still has the fascine in his hands, next to the open moat."""
    lacks = not_in_hand(battle, unit, door.door_of(job))
    return (lacks or no_moat_beside(rules, battle, unit, hex_filled(job))) is None


def stuck(rules: Rules, battle: Battle, unit: Unit, job: Job) -> bool:
    """Tell whether somebody has come into the hex."""
    return someone_in_it(battle, hex_filled(job)) is not None


@rule("A0.18")
def finish(rules: Rules, play: Play[Battle], id_: str, job: Job) -> None:
    """Fill the hex at the end of the turn; the fascine is gone."""
    play.happen(ThingLost(door.door_of(job), "used", "A0.18"))
    play.happen(FeatureChanged(hex_filled(job), works.FILLED, rule="A0.18"))


def listed(rules: Rules, battle: Battle, unit: Unit) -> Iterator[Act]:
    """Yield which hexes of a moat a figure may fill with the fascine in its hands."""
    load = loads.held(battle, unit, loads.FASCINE)
    if load is not None:
        for hex_ in neighbours(hex_of(unit.at[0])):
            yield Act(FILL_IN, (unit.id,), load.id, to=(hex_,))


def _deed(**more: Any) -> Deed:
    return Deed(
        id=FILL_IN,
        sentences=(
            sentence(
                "move", "{who:NAME} fills in {to:HEX} with {what:THING}", "hob fills in 0712 with fascine1"
            ),
        ),
        words=Words("fill in", forms=("{names} fills in {rest}",), does=("fill[s]",), unended=("fills in",)),
        called="fills in",
        needs=Needs("fascines", ("works",)),
        kinds=(loads.FASCINE,),
        do=begin,
        alone=True,
        **more,
    )  # fmt: skip


DEED: Final = _deed(check=why_not, work=Work("filling in the moat", still_at_it, finish, stuck), lists=listed)
