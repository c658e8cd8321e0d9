"""The orders to move, to turn, to lead, to enter and leave the map, and to stay: which there are, and what
carries them out.

What a way costs and what is in it is decided in ``movement``, ``riding`` and ``leading``.
"""

from __future__ import annotations

from collections.abc import Iterator
from re import Match
from typing import Final

from pbem.core.play import Play
from pbem.core.problem import Problem, first_problem
from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import SIDES
from pbem.rulesets.siege.march import movement, riding, step
from pbem.rulesets.siege.march.walk import Walk
from pbem.rulesets.siege.state.deed import Deed, Needs, Priced, Words
from pbem.rulesets.siege.state.events import Entered, Left, Moved, Turned
from pbem.rulesets.siege.state.orders import Act, Move, MoveBy
from pbem.rulesets.siege.state.sentence import sentence
from pbem.rulesets.siege.state.state import Battle, Unit
from pbem.rulesets.siege.things import bearing, leadable, leading, names, treks, wagons
from pbem.rulesets.siege.turn import sequence

Rules = Ruleset[Battle]
Found = Walk | treks.Trek | Problem


# --- why not


def _problem(found: Found) -> Problem | None:
    return found if isinstance(found, Problem) else None


def why_not_stay(rules: Rules, battle: Battle, order: Act) -> Problem | None:
    """Return who of those told to stay does nothing any more; only the living stay."""
    return first_problem(sequence.gone(battle.units[id_]) for id_ in order.who)


def way_in(rules: Rules, battle: Battle, order: Act) -> Found:
    """Return the way by which somebody enters, alone or leading others; or why there is none."""
    return (
        leading.plan_entering(rules, battle, order)
        if order.animals
        else movement.plan_entering(rules, battle, order)
    )


def way_out(rules: Rules, battle: Battle, order: Act) -> Found:
    """Return the way by which somebody leaves, alone or leading others; or why there is none."""
    return (
        leading.plan_leaving(rules, battle, order)
        if order.animals
        else movement.plan_leaving(rules, battle, order)
    )


def why_not_enter(rules: Rules, battle: Battle, order: Act) -> Problem | None:
    """Return why somebody does not enter the map; None if he does."""
    return _problem(way_in(rules, battle, order))


def why_not_leave(rules: Rules, battle: Battle, order: Act) -> Problem | None:
    """Return why somebody does not leave the map; None if he does."""
    return _problem(way_out(rules, battle, order))


def why_not_turn(rules: Rules, battle: Battle, order: Act) -> Problem | None:
    """Return why a figure of two hexes does not turn; None if it does."""
    return _problem(movement.plan_turn(rules, battle, order))


def why_not_lead(rules: Rules, battle: Battle, order: Act) -> Problem | None:
    """Return why somebody does not lead others so far; None if he does."""
    found = leading.plan(rules, battle, order)
    return found.walk.stopped if isinstance(found, treks.Trek) else found


# --- doing it


def enter(rules: Rules, play: Play[Battle], order: Act) -> None:
    """Let a figure enter the map, alone or leading others."""
    if order.animals:
        leading.enter(rules, play, order)
        return
    walk = movement.plan_entering(rules, play.state, order)
    if isinstance(walk, Walk):
        play.happen(Entered(order.who[0], walk.places, walk.cost, walk.of, walk.tails))


def leave(rules: Rules, play: Play[Battle], order: Act) -> None:
    """Let a figure leave the map, alone or leading others."""
    if order.animals:
        leading.leave(rules, play, order)
        return
    walk = movement.plan_leaving(rules, play.state, order)
    if isinstance(walk, Walk):
        if len(walk.places) > 1:
            play.happen(Moved(order.who[0], walk.places, walk.cost, walk.of + 1, tails=walk.tails))
        play.happen(Left(order.who[0], walk.places[-1]))


def turn(rules: Rules, play: Play[Battle], order: Act) -> None:
    """Turn a figure of two hexes."""
    walk = movement.plan_turn(rules, play.state, order)
    if isinstance(walk, Walk):
        play.happen(Turned(order.who[0], walk.places, walk.tails, walk.cost, walk.of, order.facing))


# --- which there are


def moves(rules: Rules, battle: Battle, unit: Unit) -> Iterator[Priced]:
    """Yield where a figure may go, and by which of those hexes it may leave the map: one search tells all."""
    if not unit.at or movement.time_to_move(rules, battle, unit):
        return
    spend = step.points(rules, battle, unit)
    ends: dict[str, int] = {}
    if riding.two_hexes(unit):
        here = riding.figure(unit.at)
        for figure, (cost, _) in riding.reach(rules, battle, unit, spend).items():
            head, _, facing = figure.partition(" ")
            ends.setdefault(head, cost)
            if figure != here:
                yield Move(unit.id, (head,), facing), cost
    else:
        here, turns = unit.at[0], bearing.turns_a_mantlet(battle, unit)
        for place, (cost, _) in movement.reach(rules, battle, unit, spend).items():
            ends[place] = cost
            if turns:
                for side in bearing.sides(rules, battle, unit, place, spend - cost):
                    yield Move(unit.id, (place,), side), cost
            elif place != here:
                yield Move(unit.id, (place,)), cost
    for place in movement.ways_out(battle, unit, ends):
        if ends[place] < spend:
            yield Act("leave", (unit.id,), by=(place,)), ends[place] + 1


def entries(rules: Rules, battle: Battle, unit: Unit) -> Iterator[Priced]:
    """Yield where a figure may enter the map, and where it may go from there."""
    if unit.at or movement.time_to_move(rules, battle, unit):
        return
    spend = step.points(rules, battle, unit)
    for hex_ in movement.ways_in(battle, unit):
        if movement.entry_bars(rules, battle, unit, hex_):
            continue
        order = Act("enter", (unit.id,), by=(hex_,))
        walk = movement.plan_entering(rules, battle, order)
        if isinstance(walk, Walk):
            yield order, walk.cost
        first = step.entry_cost(rules, battle, unit, hex_)
        reached = movement.reach(rules, battle, unit, spend - first, hex_)
        for place, (cost, _) in reached.items():
            if place != hex_ or riding.two_hexes(unit):
                yield Act("enter", (unit.id,), to=(place,), by=(hex_,)), first + cost
        for led in _leadable(rules, battle, unit):
            for to in ((), *((place,) for place in reached)) if not battle.units[led].at else ():
                accompanied = Act("enter", (unit.id,), to=to, by=(hex_,), animals=(led,))
                trek = leading.plan_entering(rules, battle, accompanied)
                if isinstance(trek, treks.Trek):
                    yield accompanied, trek.walk.cost


def leads(rules: Rules, battle: Battle, unit: Unit) -> Iterator[Priced]:
    """Yield where a figure may lead whom, and by which hexes off the map."""
    if names.not_in_force(rules, Act("lead")) or not unit.at or movement.time_to_move(rules, battle, unit):
        return
    spend = step.points(rules, battle, unit)
    for led in _leadable(rules, battle, unit):
        goals = leading.goals(rules, battle, unit, (led,), spend)
        for hex_, cost in goals.items():
            yield Act("lead", (unit.id,), to=(hex_,), animals=(led,)), cost
        if wagons.stays_behind(battle, unit, led):
            continue
        if any(goals[hex_] < spend for hex_ in movement.ways_out(battle, unit, goals)):
            nearer = leading.goals(rules, battle, unit, (led,), spend - 1)
            for hex_ in movement.ways_out(battle, unit, nearer):
                yield Act("leave", (unit.id,), by=(hex_,), animals=(led,)), nearer[hex_] + 1


def _leadable(rules: Rules, battle: Battle, unit: Unit) -> list[str]:
    """Return whom anybody may lead, if the rules for it are in force."""
    if names.not_in_force(rules, Act("lead")):
        return []
    return [
        id_ for id_ in sorted(battle.units) if id_ != unit.id and leadable.leadable(battle, battle.units[id_])
    ]


def turns(rules: Rules, battle: Battle, unit: Unit) -> Iterator[Act]:
    """Yield the sides to which a figure of two hexes may turn."""
    return (Act("turn", (unit.id,), facing=side) for side in (SIDES if riding.two_hexes(unit) else ()))


def stays(rules: Rules, battle: Battle, unit: Unit) -> Iterator[Act]:
    """Yield the one order to stay."""
    yield Act("stay", (unit.id,))


# --- the orders


def _to(do: str, found: Match[str]) -> Move:
    who, to, facing = found.groups()
    return Move(who, tuple(to.split(" or ")), facing or "")


def _by(do: str, found: Match[str]) -> MoveBy:
    return MoveBy(found["who"], tuple(found["path"].split(" ")), found["facing"] or "")


_WITH_ANIMALS: Final = Needs(
    "horses and riders", ("riders", "wagons"), of=lambda order: bool(order.animals) or order.do == "lead"
)
MOVE: Final = Deed(
    id="move",
    sentences=(
        sentence(
            "move", "{who:NAME} to {to:CHOICE}[ facing {facing:SIDE}]", "odo to 0713", makes=Move, build=_to
        ),
        sentence(
            "move",
            "{who:NAME} by {path:HEXES}[ facing {facing:SIDE}]",
            "hal by 0611 0612 0713",
            form="NAME by HEX HEX HEX [facing SIDE]",
            makes=MoveBy,
            build=_by,
        ),
    ),
    words=Words(
        "move",
        forms=("{names} (to|at|by) {place}...",),
        plain=(
            "{group} [moves |move |goes |go ](to|at|by){places}[ facing {letters}]",
            "{group} (move|moves|{arrow}){places}[ facing {letters}]",
        ),
        tells=("(to|at|by) {bare}",),
        does=("move[s]", "goes", "walk[s]", "run[s]", "marches", "stands"),
    ),
    called="goes to",
    after=("shift", "take", "put-down"),
    priced=(moves,),
    lists_too=("leave",),
)
TURN: Final = Deed(
    id="turn",
    sentences=(sentence("move", "{who:NAME} turns {facing:SIDE}", "hugh turns ne"),),
    words=Words("turn", forms=("{names} turns {facing}",), does=("turns (n|s)",)),
    called="turns to",
    needs=Needs("horses and riders", ("riders",)),
    check=why_not_turn,
    do=turn,
    lists=turns,
    way=movement.plan_turn,
)
LEAD: Final = Deed(
    id="lead",
    sentences=(
        sentence(
            "move",
            "{who:NAME} leads {animals:ANIMALS} (to {to:HEX}|by {by:HEXES})",
            "tom leads bayard to 0712",
        ),
    ),
    words=Words("lead", forms=("{names} leads {rest}",), does=("lead[s]",), unended=("leads", "leading")),
    called="leads",
    keys={"path": "by"},
    needs=_WITH_ANIMALS,
    check=why_not_lead,
    do=leading.lead,
    checks_itself=True,
    priced=(leads,),
    lists_too=("leave",),
    at_hand=True,
    way=leading.plan,
)
ENTER: Final = Deed(
    id="enter",
    sentences=(
        sentence(
            "move",
            "{who:NAME} enters at {by:HEX}[ to {to:HEX}][ leading {animals:LED}]",
            "odo enters at 0101 to 0203",
        ),
    ),
    words=Words("enter", forms=("{names} enters at {rest}",), does=("enters",)),
    called="enters",
    keys={"at": "by"},
    needs=_WITH_ANIMALS,
    check=why_not_enter,
    do=enter,
    priced=(entries,),
    way=way_in,
)
LEAVE: Final = Deed(
    id="leave",
    sentences=(
        sentence(
            "move",
            "{who:NAME} leaves the map by {by:HEX}[ leading {animals:LED}]",
            "odo leaves the map by 0101",
        ),
    ),
    words=Words("leave", forms=("{names} leaves the map{words}",), does=("leaves",)),
    called="leaves the map",
    needs=_WITH_ANIMALS,
    check=why_not_leave,
    do=leave,
    way=way_out,
)
STAY: Final = Deed(
    id="stay",
    sentences=(sentence("move", "{who:NAMES} stay/stays", "odo stays", form="NAME stays"),),
    words=Words("stay", forms=("{names} stays",), does=("stay[s]", "waits")),
    called="stays",
    check=why_not_stay,
    plain=lambda play, seat: None,
    lists=stays,
)
