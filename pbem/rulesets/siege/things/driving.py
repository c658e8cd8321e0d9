"""Driving an engine: siege towers and rams are moved by the men inside them, straight forward or back, with
everybody aboard.

Which hexes an engine covers and where it stands is ``engines``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from pbem.core.play import Play
from pbem.core.problem import Problem, first_problem
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.core.sequence import parse_cursor
from pbem.geometry.hex import hex_of, neighbour, opposite
from pbem.rulesets.siege.ground import flames, terrain, towers
from pbem.rulesets.siege.march import movement, step
from pbem.rulesets.siege.orders import conditions
from pbem.rulesets.siege.state.deed import Deed, Needs, Words
from pbem.rulesets.siege.state.events import ThingMoved
from pbem.rulesets.siege.state.orders import Act
from pbem.rulesets.siege.state.sentence import Sentence, sentence
from pbem.rulesets.siege.state.state import Battle, Thing
from pbem.rulesets.siege.things import engines, names, rams
from pbem.rulesets.siege.turn import sequence

Rules = Ruleset[Battle]
BACK = "back-engine"


class Drive(Struct, frozen=True):
    """The way of an engine: the hexes it covers at the end, what that costs of its points,
    and who moved it.
    """

    engine: Thing
    at: tuple[str, ...]
    cost: int
    of: int
    crew: tuple[str, ...]


def plan(rules: Rules, battle: Battle, order: Act) -> Drive | Problem:
    """Return where an engine ends up, or why it does not go there: it goes as far as
    ordered, or not at all.
    """
    engine = battle.things[order.what]
    if engine.kind != towers.TOWER and not rams.goes_as_a_tower(engine.kind):
        return Problem(
            "driving.no-engine",
            {"thing": engine.id, "kind": engine.title},
            help="siege towers and rams are moved so",
        )
    crew = engines.crew(battle, engine, battle.at.side)
    if engine.kind == rams.RAM and (problem := rams.short_of_men(rules, engine, crew)):
        return problem
    spend = points(rules, engine.kind, len(crew))
    if not spend:
        needed = int(engines.row(rules, engine.kind)["crew"])
        names: dict[str, str | int] = {"thing": engine.id, "men": len(crew), "needed": needed}
        return Problem(
            "driving.crew", names, rule="S2.41a", help="its three hexes are " + " ".join(engine.at)
        )
    if problem := first_problem(movement.time_to_move(rules, battle, unit) for unit in crew):
        return problem
    if flames.engine_burns(battle, engine):
        return Problem("driving.burning", {"thing": engine.id}, rule="S2.41e", help="put the fire out first")
    if problem := halted(battle, engine):
        return problem
    at, cost = engine.at, 0
    for number in range(order.steps):
        taken = one_step(rules, battle, engine, at, straight(engine, back=order.do == BACK))
        if isinstance(taken, Problem):
            return taken
        at, cost = taken[0], cost + taken[1]
        if cost > spend:
            far: dict[str, str | int] = {"thing": engine.id, "cost": cost, "points": spend}
            help_ = f"{engine.id} {'back' if order.do == BACK else 'forward'} {number}" if number else ""
            return Problem("driving.too-far", far, rule="S2.41a", help=help_)
    return Drive(engine, at, cost, spend, tuple(unit.id for unit in crew))


@rule("S2.41a")
def points(rules: Rules, kind: str, men: int) -> int:
    """Return how many movement points an engine has in a player turn with so many men inside; none unless it
    is fully manned.
    """
    row = engines.row(rules, kind)
    return int(row["points"]) if men >= int(row["crew"]) else 0


@rule("S2.41b")
def straight(engine: Thing, *, back: bool) -> str:
    """Return the side over which an engine moves: the one it faces, or the one opposite; it never turns."""
    return opposite(engine.facing) if back else engine.facing


@rule("S2.41d")
def halted(battle: Battle, engine: Thing) -> Problem | None:
    """Return that an engine does not move, because its crew was in a melee since its side's last movement;
    None if it was not.
    """
    if not engine.crew_fought:
        return None
    fight = parse_cursor(engine.crew_fought)
    then, now = (sequence.player_turns(battle.field, at) for at in (fight, battle.at))
    if fight.day != battle.at.day or then < now - len(battle.field.sides):
        return None
    return Problem(
        "driving.halted", {"thing": engine.id}, rule="S2.41d", help="it can move again in the turn after"
    )


def one_step(
    rules: Rules, battle: Battle, engine: Thing, at: Sequence[str], side: str
) -> tuple[tuple[str, ...], int] | Problem:
    """Return the hexes an engine covers one step on, and what the step costs: as much as the dearest hex that
    it has not covered.
    """
    after: list[str] = []
    cost = 0
    for here in at:
        there = neighbour(here, side)
        if there is None or there not in battle.field.ground:
            return Problem("driving.off-map", {"thing": engine.id, "hex": here})
        after.append(there)
        if there in at:
            continue
        problem = (
            engines.uneven(rules, battle, engine, there)
            or engines.held(battle, engine, there)
            or _bar(rules, battle, engine, here, there)
        )
        if problem:
            return problem
        cost = max(cost, terrain.terrain_at(rules, battle, there).mp_foot or 0)
    return tuple(after), cost


def _bar(rules: Rules, battle: Battle, engine: Thing, here: str, there: str) -> Problem | None:
    """Return what else keeps an engine out of a hex: something on the hexside, or a heap of bodies."""
    names = {"thing": engine.id, "here": here, "hex": there}
    for feature in terrain.between(battle, here, there):
        return Problem("driving.side", {**names, "what": feature.title}, rule="S2.41e")
    if flames.burns(battle, there):
        return Problem("driving.fire", names, rule="S2.41e")
    if step.heaped(rules, step.weight(rules, battle, there)):
        return Problem("driving.bodies", names, rule="S1.61i")
    return None


# --- going


def drive(rules: Rules, play: Play[Battle], order: Act) -> None:
    """Move an engine as ordered."""
    found = plan(rules, play.state, order)
    if isinstance(found, Drive):
        roll(play, found)


def roll(
    play: Play[Battle], found: Drive, rule: str = "S2.41f", when: str = "", rooted: Collection[str] = ()
) -> int:
    """Move an engine with everybody and everything aboard, but for things that are ``rooted``; those who
    moved it have moved with that, all others have not; ``when`` is noted with it. Return the place of the
    event.
    """
    places = moved_places(play.state, found)
    aboard = carried(play.state, places)
    cause = play.happen(
        ThingMoved(
            found.engine.id,
            found.at,
            passengers=aboard,
            crew=found.crew,
            rule=rule,
            was=found.engine.at,
            when=when,
        )
    )
    for thing in sorted(play.state.things.values(), key=lambda thing: thing.id):
        aboard_too = thing.at and all(place in places for place in thing.at)
        if aboard_too and thing.id != found.engine.id and thing.id not in rooted:
            play.happen(ThingMoved(thing.id, tuple(places[place] for place in thing.at), cause=cause))
    return cause


def moved_places(battle: Battle, found: Drive) -> dict[str, str]:
    """Return each place in an engine, below and above, and where it is after the engine has moved."""
    places = dict(zip(found.engine.at, found.at, strict=True))
    floors = battle.field.floors.get(found.engine.kind)
    storeys = floors.names if floors else ()
    above = {f"{here}@{name}": f"{there}@{name}" for name in storeys for here, there in places.items()}
    return {**places, **above}


@rule("S2.41f")
def carried(battle: Battle, places: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Return who is carried along by an engine, on either level, and where he stands then; the dead inside
    stay on the ground.
    """
    there = (unit for unit in battle.units.values() if unit.at and unit.at[0] in places)
    return tuple(
        (unit.id, places[unit.at[0]]) for unit in there if unit.living or hex_of(unit.at[0]) != unit.at[0]
    )


# --- the orders


Planner = Callable[[Rules, Battle, Act], Drive | Problem]
"""(rules, battle, order) -> where an engine ends up, or why it does not go there."""


def deed(
    do: str,
    key: str,
    called: str,
    line: Sentence,
    plan: Planner,
    drive: Callable[[Rules, Play[Battle], Act], Problem | None],
) -> Deed:
    """Return an order to an engine itself, whose way ``plan`` finds and ``drive`` carries out."""

    def why_not(rules: Rules, battle: Battle, order: Act) -> Problem | None:
        """Return why an engine does not move as ordered; None if it does."""
        found = plan(rules, battle, order)
        return found if isinstance(found, Problem) else None

    def said(rules: Rules, battle: Battle, order: Act) -> str:
        """Return where an engine goes, at what cost, and who moves it."""
        found = plan(rules, battle, order)
        if isinstance(found, Problem):
            return ""
        return f"{' '.join(found.at)}, {found.cost} of {found.of} MP, moved by {', '.join(found.crew)}"

    def shown(rules: Rules, battle: Battle, order: Act) -> Iterator[Mapping[str, Any]]:
        """Yield the event by which a picture shows where an engine will stand."""
        found = plan(rules, battle, order)
        if not isinstance(found, Problem):
            was = battle.things[order.what].at
            yield {"type": "ThingMoved", "thing": order.what, "at": found.at, "was": was}

    def orders(rules: Rules, battle: Battle, seat: str, engine: Thing) -> Iterator[tuple[Act, int | None]]:
        """Yield how far the men inside an engine can move it."""
        if engine.kind not in engines.KINDS or not engine.at:
            return
        for steps in range(1, int(engines.row(rules, engine.kind)["points"]) + 1):
            order = Act(do, what=engine.id, steps=steps)
            if names.not_in_force(rules, order) is None and conditions.stands(
                rules, battle, "act", seat, order
            ):
                found = plan(rules, battle, order)
                yield order, found.cost if isinstance(found, Drive) else None

    return Deed(
        id=do,
        sentences=(line,),
        words=Words(do, forms=(f"{{names}} {key} {{digit}}",)),
        called=called,
        key=key,
        needs=Needs("siege towers", ("works",)),
        named=lambda of, order: of.engine(order.what),
        check=why_not,
        do=drive,
        engine=True,
        things=(orders,),
        about=said,
        shown=shown,
    )


def forward(plan: Planner, drive: Callable[[Rules, Play[Battle], Act], Problem | None]) -> Deed:
    """Return the order to go forward."""
    line = sentence("move", "{what:ENGINE} forward {steps:COUNT}", "tower1 forward 2")
    return deed("advance-engine", "forward", "rolls forward", line, plan, drive)


def backward(plan: Planner, drive: Callable[[Rules, Play[Battle], Act], Problem | None]) -> Deed:
    """Return the order to go back."""
    line = sentence("move", "{what:ENGINE} back {steps:COUNT}", "ram1 back 1")
    return deed(BACK, "back", "rolls back", line, plan, drive)


FORWARD, BACKWARD = forward(plan, drive), backward(plan, drive)
