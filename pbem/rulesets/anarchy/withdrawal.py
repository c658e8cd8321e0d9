"""Forced withdrawal: attackers whose last noble or knight is dead go home, and the battle ends soon after.

Their owner orders on which way they go, as long as every step brings them nearer to where they leave the map,
with an engine too; who is not ordered goes the shortest way of himself. Attackers are whoever does not defend
a castle.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from typing import Final

from pbem.core.play import Play
from pbem.core.problem import Problem
from pbem.core.rule import rule
from pbem.core.ruleset import Files, Ruleset
from pbem.core.sequence import Cursor, parse_cursor
from pbem.geometry.hex import hex_of
from pbem.rulesets.anarchy.events import Withdraws
from pbem.rulesets.anarchy.sequence import MOVEMENT
from pbem.rulesets.siege.deeds import deeds, flight, move_orders
from pbem.rulesets.siege.ground import garrison
from pbem.rulesets.siege.ground.character import person
from pbem.rulesets.siege.march import movement, step
from pbem.rulesets.siege.state.events import JobBroken
from pbem.rulesets.siege.state.family import Bar, where
from pbem.rulesets.siege.state.field import Field
from pbem.rulesets.siege.state.once import ByRules
from pbem.rulesets.siege.state.orders import Act, Move
from pbem.rulesets.siege.state.state import DEAD, Battle, Unit
from pbem.rulesets.siege.things import driving
from pbem.rulesets.siege.things.driving import Drive
from pbem.rulesets.siege.turn import sequence

Rules = Ruleset[Battle]
KNIGHT: Final = "knight"
"""The group of the roster in which nobles and knights are."""


# --- who must


def attacks(battle: Battle, side: str) -> bool:
    """Tell whether a side is one that attacks a castle."""
    return side in attackers(battle.field)


def attackers(field: Field) -> frozenset[str]:
    """Return the sides that attack a castle."""
    return field.once("attackers", lambda: _attackers(field))


def _attackers(field: Field) -> frozenset[str]:
    defenders = {garrison.defender(field, inside) for inside in garrison.castles(field)}
    return frozenset(side.id for side in field.sides if defenders and side.id not in defenders)


def leaders(battle: Battle, side: str) -> list[Unit]:
    """Return the nobles and knights of a side, dead or alive, by id."""
    own = (unit for _, unit in sorted(battle.units.items()) if unit.side == side)
    return [unit for unit in own if is_leader(battle, unit)]


def is_leader(battle: Battle, unit: Unit) -> bool:
    """Tell whether somebody is a noble or a knight."""
    return unit.kind == "man" and person(battle, unit).panic_group == KNIGHT


@rule("A3.6.3")
def must(battle: Battle, side: str) -> bool:
    """Tell whether a side withdraws: it attacks, and had nobles or knights, of whom none is left alive; one
    who is wounded or taken, or has left the map, is alive.
    """
    if not attacks(battle, side):
        return False
    own = (unit for unit in battle.units.values() if unit.side == side and is_leader(battle, unit))
    dead = (unit.state == DEAD for unit in own)
    return next(dead, False) and all(dead)


def last_death(battle: Battle, side: str) -> Cursor:
    """Return when the last of the nobles and knights of a side died."""
    deaths = [parse_cursor(unit.since) for unit in leaders(battle, side) if unit.since]
    return max(deaths, key=lambda then: sequence.player_turns(battle.field, then))


def is_over(rules: Rules, battle: Battle) -> bool:
    """Tell whether attackers have withdrawn for as many turns of this day as there is time for that."""
    last = int(rules.tables["movement_anarchy"]["times"]["withdrawal"]["turns"])
    deaths = (last_death(battle, side.id) for side in battle.field.sides if must(battle, side.id))
    return any(battle.at.turn - (died.turn if died.day == battle.at.day else 0) >= last for died in deaths)


def tell(rules: Rules, play: Play[Battle]) -> None:
    """Tell, at the end of a player turn, which side withdraws because of who died in it."""
    for side in play.state.field.sides:
        if must(play.state, side.id):
            died = last_death(play.state, side.id)
            if died.player_turn == play.state.at.player_turn:
                play.happen(Withdraws(side.id, "A3.6.3"))


# --- which way is home


def ways_home(rules: Rules, battle: Battle, unit: Unit) -> Mapping[str, int]:
    """Return place -> how many steps it is from there to where a figure leaves the map, as far as the ground,
    what stands on it and enemies let him; places without a way are not named. Where enemies shut him in, they
    are not counted.
    """
    foes = frozenset(place for id_ in battle.foes_of(unit) for place in battle.units[id_].at)
    round_them = _known_ways(rules, battle, unit, foes)
    return round_them if unit.at[0] in round_them else _known_ways(rules, battle, unit, frozenset())


def _known_ways(rules: Rules, battle: Battle, unit: Unit, foes: frozenset[str]) -> Mapping[str, int]:
    """Return the same past certain enemies, counted once for as long as things, features and the dead stay
    as they are.
    """
    kept: ByRules[dict[object, Mapping[str, int]]] = battle.once("ways home", lambda: ByRules(dict))
    known = kept[rules]
    lying = tuple(battle.bodies_in.items())
    asked = (unit.side, step.as_horse(unit), person(battle, unit).armoured, foes, lying)
    if asked not in known:
        known[asked] = _ways(rules, battle, unit, foes)
    return known[asked]


def _ways(rules: Rules, battle: Battle, unit: Unit, foes: frozenset[str]) -> dict[str, int]:
    field = battle.field
    likely = field.marks[mark] if (mark := field.side(unit.side).leaves) else field.edge
    ends = (hex_ for hex_ in sorted(likely) if hex_ not in foes)
    found = {hex_: 0 for hex_ in ends if step.ground_bars(rules, battle, unit, hex_) is None}
    border = deque(found)
    while border:
        here = border.popleft()
        on_map = (there for there in battle.beside(here) if hex_of(there) in field.ground)
        for there in on_map:
            if there not in found and there not in foes and step.can_pass(rules, battle, unit, there, here):
                found[there] = found[here] + 1
                border.append(there)
    return found


@where(lambda field: bool(attackers(field)))
def bars_of(rules: Rules, battle: Battle, unit: Unit) -> Bar | None:
    """Return what keeps a figure that withdraws from any step that brings it no nearer to where it leaves the
    map; None of all others.
    """
    if battle.at.phase != MOVEMENT or unit.side != battle.at.side or not must(battle, unit.side):
        return None
    ways = ways_home(rules, battle, unit)
    return lambda here, there: not_home(unit, ways, here, there)


@rule("A3.6.3")
def not_home(unit: Unit, ways: Mapping[str, int], here: str, there: str) -> Problem | None:
    """Return that a step brings a figure no nearer to where it leaves the map; None if it does, or if no way
    leads there.
    """
    if here not in ways or ways.get(there, ways[here]) < ways[here]:
        return None
    names = {"unit": unit.id, "hex": there}
    return Problem("withdrawal.not-home", names, rule="A3.6.3", help=f"{unit.id} leaves the map by HEX")


@rule("A3.6.3")
def no_work(rules: Rules, battle: Battle, unit: Unit) -> Problem | None:
    """Return that a figure that withdraws goes home, and begins no work that takes it a whole turn; None of
    all others, and of who has no way home but through what he works at, such as a door.
    """
    if not must(battle, unit.side) or not unit.at or unit.at[0] not in ways_home(rules, battle, unit):
        return None
    return Problem(
        "withdrawal.no-work", {"unit": unit.id}, rule="A3.6.3", help=f"{unit.id} leaves the map by HEX"
    )


@rule("A3.6.3")
def keeps_it(
    rules: Rules, battle: Battle, going: Drive, beside: Sequence[tuple[str, tuple[str, ...]]]
) -> Problem | None:
    """Return that somebody who withdraws goes with an engine, inside or beside it, no nearer to where he
    leaves the map; None if nobody does.
    """
    places = driving.moved_places(battle, going)
    inside = [(id_, (here, places[here])) for id_ in going.crew if (here := battle.units[id_].at[0])]
    for id_, way in (*inside, *beside):
        bar = bars_of(rules, battle, battle.units[id_]) if battle.units[id_].kind == "man" else None
        if bar and (problem := bar(way[0], way[-1])):
            return problem
    return None


# --- the movement


def resolve(rules: Rules, play: Play[Battle], files: Files) -> None:
    """Carry out a movement phase; at its end those of a side that withdraws who have not moved go home of
    themselves.
    """
    flight.resolve(rules, play, files)
    if must(play.state, play.state.at.side):
        for id_ in sorted(play.state.units):
            if play.state.units[id_].side == play.state.at.side:
                go_home(rules, play, id_)


@rule("A3.6.3")
def go_home(rules: Rules, play: Play[Battle], id_: str) -> None:
    """Let a figure go as near to where it leaves the map as it can, and off it if it can; what it works at it
    leaves, unless no other way leads home.
    """
    unit = play.state.units[id_]
    if unit.job and no_work(rules, play.state, unit) and unit.able:
        play.happen(JobBroken(id_, unit.job.do, "moved", unit.job.what))
        unit = play.state.units[id_]
    if unit.kind != "man" or not unit.at or movement.time_to_move(rules, play.state, unit):
        return
    ways = ways_home(rules, play.state, unit)
    reached = movement.reach(rules, play.state, unit, step.points(rules, play.state, unit))
    ends = sorted((ways[there], cost, there) for there, (cost, _) in reached.items() if there in ways)
    for _, _, there in ends:
        off = Act("leave", (id_,), by=(there,))
        if hex_of(there) == there and move_orders.why_not_leave(rules, play.state, off) is None:
            move_orders.leave(rules, play, off)
            return
    here = ways.get(unit.at[0])
    if ends and here is not None and ends[0][0] < here:
        deeds.move(rules, play, unit.owner, Move(id_, (ends[0][2],)))
