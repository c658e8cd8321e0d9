"""A bridge pulled down by day: two of its defenders take a whole day of a siege for it (A3.2.2d).

It is ordered where both sides plan their days; in a battle it is ``bridge``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any, Final

from pbem.core.play import Play
from pbem.core.problem import Problem, first_problem
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.rulesets.anarchy import bridge, mining, throwing_days
from pbem.rulesets.siege.state.deed import Deed, Needs, Words
from pbem.rulesets.siege.state.events import ThingChanged
from pbem.rulesets.siege.state.orders import Act
from pbem.rulesets.siege.state.sentence import sentence
from pbem.rulesets.siege.state.state import Battle, Unit
from pbem.rulesets.siege.turn import siege_days

Rules = Ruleset[Battle]
PULL_DOWN: Final = "pull-down"


def why_not(rules: Rules, battle: Battle, order: Act) -> Problem | None:
    """Return why two men do not pull down a bridge on this day; None if they do."""
    found = {thing.id: thing for thing in bridge.bridges(battle)}
    if order.what not in found:
        help_ = f"it is called {' or '.join(found)}" if found else "there is none on this map"
        return Problem("bridge.none", {"thing": order.what}, rule="A3.2.2d", help=help_)
    there, units = found[order.what], [battle.units[id_] for id_ in order.who]
    if siege_days.planned(battle) in siege_days.BATTLES:
        return Problem("bridge.no-day", {"thing": there.id}, rule="A3.2.2d")
    problem = bridge.as_it_is(there, bridge.DEMOLISH)
    problem = problem or bridge.not_theirs(battle, there, units, bridge.DEMOLISH)
    if problem is not None:
        return problem
    if there.crew:
        names = {"thing": there.id, "units": " and ".join(there.crew)}
        return Problem("bridge.others", names, rule="A3.2.2d")
    men = int(rules.tables["jobs"]["rows"][bridge.ROWS[bridge.DEMOLISH]]["men"])
    if len({*order.who}) != len(order.who) or len(order.who) != men:
        help_ = f"NAME, NAME pull down {there.id}"
        return Problem("bridge.two-by-day", {"thing": there.id}, rule="A3.2.2d", help=help_)
    return first_problem(not_free(battle, unit) for unit in units)


def not_free(battle: Battle, unit: Unit) -> Problem | None:
    """Return that a figure does something else on this day, or is not fit for it; None if it is free."""
    if any(unit.id == one.id for one in throwing_days.free(battle, unit.side)):
        return at_a_bridge(battle, unit)
    return Problem("bridge.not-free", {"unit": unit.id}, rule="A3.2.2d")


def at_a_bridge(battle: Battle, unit: Unit) -> Problem | None:
    """Return at which bridge a figure works on this day; None where it works at none."""
    there = next((thing for thing in bridge.bridges(battle) if unit.id in thing.crew), None)
    return Problem("bridge.not-free", {"unit": unit.id}, rule="A3.2.2d") if there else None


def begin(rules: Rules, play: Play[Battle], order: Act) -> None:
    """Let two men work at a bridge on this day."""
    since = f"d{play.state.at.day}.{siege_days.DAY.id}"
    play.happen(ThingChanged(order.what, crew=order.who, struck=since, rule="A3.2.2d"))


@rule("A3.2.2d")
def called_off(play: Play[Battle]) -> None:
    """Let nobody go on at a bridge on a day on which there is a battle: it takes a whole one."""
    for there in bridge.bridges(play.state):
        if there.crew:
            play.happen(ThingChanged(there.id, cleared=("crew", "struck"), rule="A3.2.2d"))


@rule("A3.2.2d")
def evening(rules: Rules, play: Play[Battle]) -> None:
    """Destroy, in the evening, the bridges at which men have worked for the whole day."""
    for there in bridge.bridges(play.state):
        if there.crew and there.struck == f"d{play.state.at.day}.{siege_days.DAY.id}":
            stands = bridge.DESTROYED
            play.happen(ThingChanged(there.id, stands=stands, cleared=("crew", "struck"), rule="A3.2.2d"))


def silent(event: Mapping[str, Any]) -> bool:
    """Tell whether an event only says that men go away from a bridge."""
    return event["type"] == "ThingChanged" and event.get("rule") == "A3.2.2d" and not event.get("stands")


def listed(rules: Rules, battle: Battle, seat: str) -> Iterator[Act]:
    """Yield which two of a seat may pull down a bridge on this day."""
    own = sorted(unit.id for unit in battle.units.values() if unit.owner == seat)
    for there in bridge.bridges(battle):
        pairs = (Act(PULL_DOWN, two, there.id) for two in combinations(own, 2))
        yield from (order for order in pairs if why_not(rules, battle, order) is None)


def about(rules: Rules, battle: Battle, order: Act) -> str:
    """Return what comes of it, before it is ordered; nothing where it is not legal."""
    if why_not(rules, battle, order) is not None:
        return ""
    return "destroyed this evening, if there is no battle today"


DEED: Final = Deed(
    id=PULL_DOWN,
    sentences=(sentence("day", "{who:NAMES} pull/pulls down {what:THING}", "tom, wat pull down bridge1"),),
    words=Words(
        PULL_DOWN, forms=("{names} pull[s] down {name}",), does=("pull[s] down",), unended=("pull down",)
    ),
    called="pulls down",
    needs=Needs("days that both sides plan", (mining.MODULE,)),
    kinds=(bridge.BRIDGE,),
    of_men=True,
    check=why_not,
    do=begin,
    about=about,
)
