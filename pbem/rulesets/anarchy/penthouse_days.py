"""A penthouse built by day: six people of the besieger, one of them an engineer, put another in the place of
one that has burnt.

It is ordered where both sides plan their days. Whoever builds does nothing else until it is finished; how one
is pushed, and what it is good for, is ``penthouse``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from pbem.core.play import Play
from pbem.core.problem import Problem, first_problem
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.rulesets.anarchy import bridge_days, mining, roofs, throwing_days
from pbem.rulesets.anarchy.mine_events import RoofBuilt
from pbem.rulesets.siege.ground.character import person
from pbem.rulesets.siege.state.deed import Deed, Needs, Words
from pbem.rulesets.siege.state.events import ThingChanged
from pbem.rulesets.siege.state.orders import Act
from pbem.rulesets.siege.state.sentence import sentence
from pbem.rulesets.siege.state.state import DEAD, Battle, Thing, Unit
from pbem.rulesets.siege.things.ballista import TECHNICIAN
from pbem.rulesets.siege.turn import siege_days

Rules = Ruleset[Battle]
BUILD: Final = "build"
RULE: Final = "A6.3.1"


def row(rules: Rules) -> Mapping[str, Any]:
    """Return how many people it takes, and how many engineers among them."""
    found: Mapping[str, Any] = rules.tables["jobs"]["rows"]["penthouse"]
    return found


@rule(RULE)
def days(rules: Rules) -> int:
    """Return how many days of a siege it takes."""
    return int(rules.setting("penthouse_build_days"))


def why_not(rules: Rules, battle: Battle, order: Act) -> Problem | None:
    """Return why some people do not begin to build a penthouse on this day, or join those who do; None if
    they do.
    """
    side = battle.units[order.who[0]].side
    own = [roof.id for roof in roofs.roofs(battle) if roof.kind == roofs.PENTHOUSE and roof.side == side]
    if order.what not in own:
        help_ = f"it is called {' or '.join(own)}" if own else "your side has none"
        return Problem("build.none", {"thing": order.what}, rule=RULE, help=help_)
    roof = battle.things[order.what]
    if siege_days.planned(battle) in siege_days.BATTLES:
        return Problem("build.no-day", {"thing": roof.id}, rule=RULE)
    if roofs.whole(rules, roof):
        return Problem("build.whole", {"thing": roof.id}, rule=RULE)
    if len({*order.who}) != len(order.who):
        return Problem("build.twice", {"thing": order.what}, rule=RULE)
    unfit = first_problem(not_free(battle, battle.units[id_]) for id_ in order.who)
    return unfit or throwing_days.short(rules, battle, side, (), order.who)


def not_free(battle: Battle, unit: Unit) -> Problem | None:
    """Return that somebody does something else on this day, or is not fit for it; None if he is free."""
    if unit.kind != "man" or unit.state == DEAD or unit.left or unit.id in battle.field.bystanders:
        return Problem("mining.unfit", {"unit": unit.id}, rule=RULE)
    mine = next((one for one in mining.mines(battle) if unit.id in one.crew), None)
    if mine is not None:
        return Problem("build.digs", {"unit": unit.id, "mine": mine.id}, rule=RULE)
    return at_a_roof(battle, unit) or bridge_days.at_a_bridge(battle, unit)


@rule(RULE)
def at_a_roof(battle: Battle, unit: Unit) -> Problem | None:
    """Return which penthouse somebody builds, until it is finished; None where he builds none."""
    roof = next((one for one in roofs.being_built(battle) if unit.id in one.crew), None)
    if roof is None:
        return None
    return Problem("build.builds", {"unit": unit.id, "thing": roof.id}, rule=RULE)


def begin(rules: Rules, play: Play[Battle], order: Act) -> None:
    """Let people build a penthouse from this day on, with those who do so already."""
    roof = play.state.things[order.what]
    crew = roof.crew if roof in roofs.being_built(play.state) else ()
    since = roof.struck if crew else today(play.state)
    play.happen(ThingChanged(roof.id, crew=(*crew, *order.who), struck=since, rule=RULE))


@rule(RULE)
def enough(rules: Rules, battle: Battle, roof: Thing) -> bool:
    """Tell whether those who build a penthouse are as many as it takes, with an engineer among them."""
    alive = [unit for id_ in roof.crew if (unit := battle.units[id_]).state != DEAD and not unit.left]
    experts = [unit for unit in alive if person(battle, unit).class_ == TECHNICIAN]
    return len(alive) >= int(row(rules)["men"]) and len(experts) >= int(row(rules)["engineers"])


@rule(RULE)
def called_off(play: Play[Battle]) -> None:
    """Note at each penthouse that is built that its people fight on this day, so that it does not count."""
    for roof in roofs.being_built(play.state):
        play.happen(ThingChanged(roof.id, crew_fought=today(play.state), rule=RULE))


def today(battle: Battle) -> str:
    """Return the moment in which this day is planned."""
    return f"d{battle.at.day}.{siege_days.DAY.id}"


def evening(rules: Rules, play: Play[Battle]) -> None:
    """Count a day at each penthouse that is built, unless there was a battle; the last one finishes it."""
    for roof in roofs.being_built(play.state):
        if roof.crew_fought == today(play.state) or not enough(rules, play.state, roof):
            continue
        if roof.loaded + 1 < days(rules):
            play.happen(ThingChanged(roof.id, loaded=roof.loaded + 1, rule=RULE))
        else:
            play.happen(RoofBuilt(roof.id, stands_at(play.state, roof), RULE))


def stands_at(battle: Battle, roof: Thing) -> tuple[str, ...]:
    """Return the hexes of a penthouse that is finished: those in which the one before it began the siege,
    where the scenario names them.
    """
    begun = next((entry.thing.at for entry in battle.field.gear if entry.thing.id == roof.id), ())
    return begun or roof.at


def silent(event: Mapping[str, Any]) -> bool:
    """Tell whether an event only counts people, or days, at a penthouse that is built."""
    return event["type"] == "ThingChanged" and event.get("rule") == RULE


def record(rules: Rules, battle: Battle) -> Iterator[str]:
    """Yield what is being built on the siege sheet."""
    for roof in roofs.being_built(battle):
        few = "" if enough(rules, battle, roof) else ", too few or no engineer"
        yield f"{roof.id}: {roof.loaded} of {days(rules)} days, built by {' '.join(roof.crew)}{few}"


def listed(rules: Rules, battle: Battle, seat: str) -> Iterator[Act]:
    """Yield who of a seat may build which penthouse."""
    for roof in roofs.roofs(battle):
        if roof.kind == roofs.PENTHOUSE and not roofs.whole(rules, roof):
            own = (
                Act(BUILD, (id_,), roof.id)
                for id_, unit in sorted(battle.units.items())
                if unit.owner == seat
            )
            yield from (order for order in own if why_not(rules, battle, order) is None)


def about(rules: Rules, battle: Battle, order: Act) -> str:
    """Return what it takes, before it is ordered; nothing where it is not legal."""
    if why_not(rules, battle, order) is not None:
        return ""
    men, left = int(row(rules)["men"]), days(rules) - battle.things[order.what].loaded
    return f"{men} people with an engineer, {left} {'day' if left == 1 else 'days'} without a battle"


DEED: Final = Deed(
    id=BUILD,
    sentences=(sentence("day", "{who:NAMES} build/builds {what:THING}", "wat, tib build roof"),),
    words=Words(BUILD, forms=("{names} build[s] {name}",), does=("build[s]",), unended=("build",)),
    called="builds",
    needs=Needs("mines", (mining.MODULE,)),
    kinds=(roofs.PENTHOUSE,),
    of_men=True,
    check=why_not,
    do=begin,
    about=about,
)
