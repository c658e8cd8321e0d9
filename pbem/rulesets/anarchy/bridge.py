"""Wooden bridges over a moat: the way they make, and how two men pull one down or build it up again.

A scenario says where a bridge lies; the side it is given to is that of the defenders.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from pbem.core.play import Play
from pbem.core.problem import Problem, first_problem
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import neighbours
from pbem.rulesets.anarchy import door
from pbem.rulesets.siege.ground import terrain
from pbem.rulesets.siege.march import movement
from pbem.rulesets.siege.state.deed import Deed, Needs, Words, Work
from pbem.rulesets.siege.state.family import Kind, where_there_is
from pbem.rulesets.siege.state.field import MOAT
from pbem.rulesets.siege.state.orders import Act
from pbem.rulesets.siege.state.sentence import sentence
from pbem.rulesets.siege.state.state import Battle, Job, Thing, Unit
from pbem.rulesets.siege.turn import jobs

Rules = Ruleset[Battle]
BRIDGE: Final = "bridge"
DESTROYED, RESTORED = "destroyed", "restored"
"""How a bridge stands after men have worked at it; before that it is whole."""
DEMOLISH, REBUILD = "demolish", "rebuild"
STANDS: Final = {DEMOLISH: DESTROYED, REBUILD: RESTORED}
ROWS: Final = {DEMOLISH: "bridge_down", REBUILD: "bridge_up"}
"""What is done -> its row in the table of work."""
RULES: Final = {DEMOLISH: "A3.2.2c", REBUILD: "A3.2.2f"}


# --- what it is to walk on


@rule("A3.2.2b", "A3.2.2e")
def ground(battle: Battle, bridge: Thing) -> Mapping[str, str]:
    """Return the ground of the hex of a bridge: nobody enters it any more once that is destroyed."""
    return dict.fromkeys(bridge.at, "bridge_destroyed" if bridge.stands == DESTROYED else "bridge")


KINDS: Final = {BRIDGE: Kind("castle", ground=ground, burns=True, ruin=DESTROYED)}


def bridges(battle: Battle) -> list[Thing]:
    """Return the bridges on the map, by id."""
    return [thing for _, thing in sorted(battle.things.items()) if thing.kind == BRIDGE and thing.at]


@where_there_is(BRIDGE)
@rule("A3.2.2a")
def from_the_moat(rules: Rules, battle: Battle, unit: Unit, here: str, there: str) -> Problem | None:
    """Return that nobody climbs, gives way or strikes onto a bridge out of the moat; None from any other
    ground.
    """
    bridge = next((thing for thing in bridges(battle) if there in thing.at), None)
    if bridge is None or MOAT not in terrain.terrain_at(rules, battle, here).traits:
        return None
    names = {"unit": unit.id, "thing": bridge.id, "here": here}
    return Problem("bridge.from-moat", names, rule="A3.2.2a", help="it is entered at its ends")


# --- to pull it down and to build it up


def why_not(rules: Rules, battle: Battle, order: Act) -> Problem | None:
    """Return why two men do not begin, or go on, to pull down or rebuild a bridge; None if they do."""
    found = {thing.id: thing for thing in bridges(battle)}
    if order.what not in found:
        help_ = f"it is called {' or '.join(found)}" if found else "there is none on this map"
        return Problem("bridge.none", {"thing": order.what}, rule=RULES[order.do], help=help_)
    bridge, units = found[order.what], [battle.units[id_] for id_ in order.who]
    return (
        as_it_is(bridge, order.do)
        or not_theirs(battle, bridge, units, order.do)
        or two_beside(rules, bridge, units, order.do)
        or someone_on_it(battle, bridge, order.do)
        or others_at_it(battle, bridge, order.do)
        or first_problem(
            movement.time_to_move(rules, battle, unit) or jobs.too_late(rules, battle, unit, order.do)
            for unit in units
        )
    )


def as_it_is(bridge: Thing, do: str) -> Problem | None:
    """Return that a bridge is destroyed already, or whole; None if there is something to do."""
    if (bridge.stands == DESTROYED) == (do == REBUILD):
        return None
    code = "bridge.whole" if do == REBUILD else "bridge.destroyed"
    return Problem(code, {"thing": bridge.id}, rule=RULES[do])


@rule("A3.2.2c")
def not_theirs(battle: Battle, bridge: Thing, units: Sequence[Unit], do: str) -> Problem | None:
    """Return that only the defenders pull down a bridge; None of them, and of whoever rebuilds it."""
    if do == REBUILD or all(battle.allegiance(unit) == bridge.side for unit in units):
        return None
    names = {"thing": bridge.id, "side": bridge.side}
    return Problem("bridge.not-yours", names, rule="A3.2.2c", help="fire and throwing engines destroy it")


@rule("A3.2.2c", "A3.2.2f")
def two_beside(rules: Rules, bridge: Thing, units: Sequence[Unit], do: str) -> Problem | None:
    """Return that it takes two on foot in hexes beside a bridge; None if they are there."""
    enough = len({unit.id for unit in units}) == len(units) == rules.tables["jobs"]["rows"][ROWS[do]]["men"]
    if enough and all(beside(bridge, unit) for unit in units):
        return None
    names = {"thing": bridge.id, "hex": bridge.at[0]}
    return Problem("bridge.two", names, rule=RULES[do], help=f"NAME, NAME {do} {bridge.id}")


def beside(bridge: Thing, unit: Unit) -> bool:
    """Tell whether a figure on foot stands in a hex beside a bridge."""
    return len(unit.at) == 1 and not unit.on and unit.at[0] in neighbours(bridge.at[0])


def someone_on_it(battle: Battle, bridge: Thing, do: str) -> Problem | None:
    """Return that somebody is on a bridge that is to be pulled down; None if it is empty."""
    on_it = sorted(battle.living_in.get(bridge.at[0], ()))
    if not on_it:
        return None
    return Problem("bridge.on-it", {"thing": bridge.id, "unit": on_it[0]}, rule=RULES[do])


def others_at_it(battle: Battle, bridge: Thing, do: str) -> Problem | None:
    """Return who is at work at a bridge already; None if nobody is."""
    names = [
        unit.id
        for _, unit in sorted(battle.units.items())
        if unit.job and door.door_of(unit.job) == bridge.id
    ]
    if not names:
        return None
    return Problem("bridge.others", {"thing": bridge.id, "units": " and ".join(names)}, rule=RULES[do])


def still_at_it(rules: Rules, battle: Battle, unit: Unit, job: Job) -> bool:
    """Tell whether a figure still stands beside the bridge, and there is still something to do."""
    bridge = battle.things[door.door_of(job)]
    return beside(bridge, unit) and as_it_is(bridge, job.do) is None


def stuck(rules: Rules, battle: Battle, unit: Unit, job: Job) -> bool:
    """Tell whether somebody has come onto the bridge."""
    return someone_on_it(battle, battle.things[door.door_of(job)], job.do) is not None


@rule("A3.2.2c", "A3.2.2f")
def worked(rules: Rules, play: Play[Battle], id_: str, job: Job) -> None:
    """Count the turn of one of two men at a bridge, which is destroyed, or whole again, when the same two
    have done all their turns one after the other.
    """
    row = rules.tables["jobs"]["rows"][ROWS[job.do]]
    door.count(play, id_, job, row, STANDS[job.do], RULES[job.do])


# --- the orders


def by_two(rules: Rules, battle: Battle, unit: Unit) -> Iterator[Act]:
    """Yield with whom of its seat, behind it in the alphabet, a figure may work at a bridge beside it."""
    for bridge in bridges(battle):
        if beside(bridge, unit):
            mates = (battle.units[id_] for id_ in sorted(battle.living_among(neighbours(bridge.at[0]))))
            for mate in mates:
                if mate.id > unit.id and mate.owner == unit.owner:
                    yield from (Act(do, (unit.id, mate.id), bridge.id) for do in STANDS)


def _deed(do: str, said: str, **more: Any) -> Deed:
    return Deed(
        id=do,
        sentences=(sentence("move", f"{{who:NAMES}} {do}/{said} {{what:THING}}", f"tom, wat {do} bridge1"),),
        words=Words(
            do, forms=(f"{{names}} {do}[{said[len(do) :]}] {{name}}",), does=(f"{do}[{said[len(do) :]}]",)
        ),
        called=do,
        needs=Needs("bridges", ("castle",)),
        kinds=(BRIDGE,),
        check=why_not,
        do=door.begin,
        alone=True,
        at_hand=True,
        **more,
    )


DEEDS: Final = (
    _deed(
        DEMOLISH, "demolishes", work=Work("pulling down the bridge", still_at_it, worked, stuck),
        lists=by_two, lists_too=(REBUILD,),
    ),
    _deed(REBUILD, "rebuilds", work=Work("rebuilding the bridge", still_at_it, worked, stuck)),
)  # fmt: skip
