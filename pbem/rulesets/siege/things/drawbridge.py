"""The drawbridge: who works its winch, when it is raised or lowered, and what becomes of those who are on it.

What it is to walk on is ``terrain``; where a man lands who falls on others is ``landing``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pbem.core.play import Play
from pbem.core.problem import Problem
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import around, distance
from pbem.rulesets.siege.ground import counter, ladders, terrain
from pbem.rulesets.siege.march import landing, movement
from pbem.rulesets.siege.state import loads
from pbem.rulesets.siege.state.deed import Deed, Needs, Words, Work
from pbem.rulesets.siege.state.events import Fell, JobBegan, ThingChanged, ThingLost, Thrown
from pbem.rulesets.siege.state.field import FILLED, MOAT
from pbem.rulesets.siege.state.orders import Act
from pbem.rulesets.siege.state.sentence import sentence
from pbem.rulesets.siege.state.state import STUNNED, WOUNDED, Battle, Job, Thing, Unit
from pbem.rulesets.siege.turn import jobs

Rules = Ruleset[Battle]
KIND, RAISED, LOWERED = "drawbridge", "raised", "lowered"
MOATS = (MOAT, FILLED)
"""Grounds into which one falls off a bridge, the likelier first."""


def ground(battle: Battle, bridge: Thing) -> Mapping[str, str]:
    """Return the ground of the hexes over which a bridge lies."""
    return (
        dict.fromkeys(battle.field.fixtures[bridge.id].hexes, "drawbridge_lowered")
        if terrain.lies_down(bridge)
        else {}
    )


# --- why not


def why_not(rules: Rules, battle: Battle, order: Act) -> Problem | None:
    """Return why a figure does not begin to work the winch of a bridge now; None if it does."""
    unit = battle.units[order.who[0]]
    if problem := no_bridge(battle, order.what):
        return problem
    bridge = battle.things[order.what]
    return (
        movement.time_to_move(rules, battle, unit)
        or not_at_the_winch(battle, unit, bridge)
        or jobs.too_late(rules, battle, unit, "work")
        or weighed_down(rules, battle, bridge)
        or cumbered(battle, bridge)
    )


def no_bridge(battle: Battle, what: str) -> Problem | None:
    """Return that a thing is not a drawbridge; None if it is one."""
    bridges = sorted(thing.id for thing in battle.things.values() if thing.kind == KIND)
    if what in bridges:
        return None
    help_ = "it is called " + " or ".join(bridges) if bridges else "there is none on this map"
    return Problem("drawbridge.none", {"thing": what}, rule="S1.8a", help=help_)


@rule("S1.8a")
def not_at_the_winch(battle: Battle, unit: Unit, bridge: Thing) -> Problem | None:
    """Return that a figure does not stand at the winch of a bridge; None if it does."""
    winch = battle.field.fixtures[bridge.id].winch
    if winch in unit.at:
        return None
    return Problem(
        "drawbridge.winch",
        {"unit": unit.id, "thing": bridge.id},
        rule="S1.8a",
        help=f"its winch is in {winch}",
    )


@rule("S1.8h")
def weighed_down(rules: Rules, battle: Battle, bridge: Thing) -> Problem | None:
    """Return which animal on a bridge keeps it from being raised, unless by the option it falls; None if none
    does.
    """
    if rules.setting("drawbridge_with_horse") != "winch_blocked":
        return None
    heavy = next((unit for unit in on_it(battle, bridge) if unit.on or unit.kind != "man"), None)
    if heavy is None or bridge.stands != LOWERED:
        return None
    return Problem(
        "drawbridge.weight",
        {"thing": bridge.id, "what": heavy.id},
        rule="S1.8h",
        help=f"{heavy.id} must leave it first",
    )


def cumbered(battle: Battle, bridge: Thing) -> Problem | None:
    """Return which wagon, engine or ladder stands in the way of a bridge; None if nothing does."""
    there = next((thing for thing in _in_its_hexes(battle, bridge) if holds_it_down(thing)), None)
    if there is None:
        return None
    return Problem(
        "drawbridge.weight",
        {"thing": bridge.id, "what": there.id},
        rule="S1.8h",
        help=f"{there.id} must leave it first",
    )


def _in_its_hexes(battle: Battle, bridge: Thing) -> list[Thing]:
    """Return the things in the hexes of a bridge, by id."""
    hexes = battle.field.fixtures[bridge.id].hexes
    return [thing for _, thing in sorted(battle.things.items()) if any(hex_ in thing.at for hex_ in hexes)]


@rule("S1.8h")
def holds_it_down(thing: Thing) -> bool:
    """Tell whether a thing keeps a bridge as it is: a wagon, an engine, a ladder that stands there; not what
    one or two men carry.
    """
    return thing.stands == RAISED if thing.kind == ladders.LADDER else thing.kind not in loads.KINDS


# --- the work


@rule("S1.8b")
def begin(rules: Rules, play: Play[Battle], order: Act) -> None:
    """Begin to work the winch: it takes the whole turn, in which the figure neither moves nor shoots nor
    fights.
    """
    job = jobs.begun(play.state, "work", order.what)
    play.happen(JobBegan(order.who[0], job.do, job.what, job.since))


def still_there(rules: Rules, battle: Battle, unit: Unit, job: Job) -> bool:
    """Tell whether the figure is still at the winch."""
    return not_at_the_winch(battle, unit, battle.things[job.what]) is None


def stuck(rules: Rules, battle: Battle, unit: Unit, job: Job) -> bool:
    """Tell whether something that is too heavy for the winch has come onto the bridge, or in its way."""
    bridge = battle.things[job.what]
    return weighed_down(rules, battle, bridge) is not None or cumbered(battle, bridge) is not None


@rule("S1.8c")
def finish(rules: Rules, play: Play[Battle], id_: str, job: Job) -> None:
    """Raise the bridge if it was lowered, and lower it if it was raised; who is on one that is raised falls
    off it.
    """
    bridge = play.state.things[job.what]
    falling = [unit.id for unit in on_it(play.state, bridge)] if bridge.stands == LOWERED else []
    sliding = slides_off(play.state, bridge) if bridge.stands == LOWERED else []
    stands = RAISED if bridge.stands == LOWERED else LOWERED
    cause = play.happen(ThingChanged(bridge.id, stands=stands, rule="S1.8c"))
    for load in sliding:
        play.happen(ThingLost(load, "broken", "S1.8h", cause))
    for unit in falling:
        # the death of another may have sent him running
        if any(there.id == unit for there in on_it(play.state, bridge)):
            fall_off(rules, play, unit, bridge, cause)


@rule("S1.8h")
def slides_off(battle: Battle, bridge: Thing) -> list[str]:
    """Return the mantlets and barrels on a bridge, in whosever hands: they fall into the moat with it and are
    lost.
    """
    return [thing.id for thing in _in_its_hexes(battle, bridge) if thing.kind in loads.KINDS]


def on_it(battle: Battle, bridge: Thing) -> list[Unit]:
    """Return the living figures in the hexes of a bridge, if only with one of two hexes, by id; of a ridden
    horse the rider.
    """
    hexes = battle.field.fixtures[bridge.id].hexes
    return [battle.units[id_] for id_ in battle.living_among(hexes)]


# --- who falls


def fall_off(rules: Rules, play: Play[Battle], id_: str, bridge: Thing, cause: int) -> None:
    """Let a figure fall off a bridge that is raised, with the horse it sits on, which breaks its neck."""
    unit = play.state.units[id_]
    horse = id_ if unit.kind != "man" else unit.on
    if unit.kind == "man":
        free = free_moat(rules, play, unit, bridge)
        hex_, rule_id = (free, "S1.8e") if free else (taken_moat(rules, play, unit, bridge), "S1.8i")
        below = [other for other in play.state.living_in.get(hex_, ()) if other != id_]
        fell = play.happen(
            Thrown(id_, horse, (hex_,), cause, rule_id) if horse else Fell(id_, (hex_,), cause, rule_id)
        )
        hurt(rules, play, unit, fell)
        for other in below:
            counter.hurt(rules, play, other, "stunned", fell, "S1.8i")
    if horse:
        counter.hurt(rules, play, horse, "killed", cause, "S1.8h")


def beside(rules: Rules, battle: Battle, bridge: Thing) -> list[str]:
    """Return the hexes of the moat next to a bridge: of the open moat, else of the filled one, else those
    under the bridge.
    """
    hexes = battle.field.fixtures[bridge.id].hexes
    beyond = [there for there in around(hexes) if there in battle.field.ground and there not in hexes]
    for kind in MOATS:
        if found := [there for there in beyond if kind in terrain.terrain_at(rules, battle, there).traits]:
            return found
    return list(hexes)


@rule("S1.8e")
def free_moat(rules: Rules, play: Play[Battle], unit: Unit, bridge: Thing) -> str:
    """Return the free hex of the moat beside the bridge into which a figure falls; empty if there is none."""
    return _chosen(
        rules,
        play,
        unit,
        [hex_ for hex_ in beside(rules, play.state, bridge) if hex_ not in play.state.living_in],
        "S1.8e",
    )


@rule("S1.8i")
def taken_moat(rules: Rules, play: Play[Battle], unit: Unit, bridge: Thing) -> str:
    """Return the hex of the moat in which a figure falls on another, because none is free; empty where it
    falls on nobody.
    """
    return _chosen(rules, play, unit, beside(rules, play.state, bridge), "S1.8i")


def _chosen(rules: Rules, play: Play[Battle], unit: Unit, hexes: Sequence[str], rule_id: str) -> str:
    """Return the hex that the owner of a falling figure chooses, by default the one nearest to his own; empty
    if there is none.
    """
    if not hexes:
        return ""
    return landing.choose(
        rules, play, unit, nearest_to_own(play.state, unit, hexes), rule_id, f"{unit.id} falls off the bridge"
    )


def nearest_to_own(battle: Battle, unit: Unit, hexes: Sequence[str]) -> list[str]:
    """Return hexes by their distance to the nearest other figure of the own side, the nearest first; ties
    keep their order.
    """
    friends = [
        hex_
        for other in battle.units.values()
        if other.side == unit.side and other.id != unit.id and other.living
        for hex_ in other.hexes
    ]
    return sorted(hexes, key=lambda hex_: min((distance(hex_, there) for there in friends), default=0))


def hurt(rules: Rules, play: Play[Battle], unit: Unit, cause: int) -> None:
    """Let the fall hurt a figure as it was before it fell."""
    if breaks_his_neck(unit):
        counter.hurt(rules, play, unit.id, "killed", cause, "S1.8g")
    else:
        lies_stunned(rules, play, unit.id, cause)


@rule("S1.8f")
def lies_stunned(rules: Rules, play: Play[Battle], id_: str, cause: int) -> None:
    """Let a figure lie stunned where it fell."""
    counter.hurt(rules, play, id_, "stunned", cause, "S1.8f")


@rule("S1.8g")
def breaks_his_neck(unit: Unit) -> bool:
    """Tell whether a fall kills a figure, because it was stunned or wounded before."""
    return unit.state in (STUNNED, WOUNDED)


# --- the order


def orders(rules: Rules, battle: Battle, unit: Unit) -> Iterator[Act]:
    """Yield which bridge a figure may raise or lower from where it stands."""
    bridges = sorted(id_ for id_, fixture in battle.field.fixtures.items() if fixture.winch in unit.at)
    return (Act("work", (unit.id,), bridge) for bridge in bridges)


WORK = Deed(
    id="work",
    sentences=(sentence("move", "{who:NAME} works {what:THING}", "piers works bridge"),),
    words=Words("work", forms=("{names} works {name}",), does=("works",), unended=("works",)),
    called="works",
    needs=Needs("drawbridges", ("castle",)),
    kinds=(KIND,),
    check=why_not,
    do=begin,
    work=Work("working the winch", still_there, finish, stuck),
    alone=True,
    lists=orders,
    at_hand=True,
)
