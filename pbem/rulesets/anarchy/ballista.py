"""Ballistae of The Anarchy: they shoot in defensive fire too, every third turn, four men move one, it stops
lines on its level, and a mantlet before it covers it.

How one is worked, loaded and shot is ``ballista`` and ``volleys`` of Siege.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, Final

from msgspec import Struct

from pbem.core.dice import NoDice
from pbem.core.play import Play
from pbem.core.problem import Problem, first_problem
from pbem.core.rule import rule
from pbem.core.ruleset import Files, Ruleset
from pbem.core.sequence import parse_cursor
from pbem.geometry.hex import distance, hex_of, neighbour, neighbours, side_between
from pbem.rulesets.anarchy import hands, mantlet, standing_fire
from pbem.rulesets.siege.combat import shooting, volleys
from pbem.rulesets.siege.ground import stacking, terrain
from pbem.rulesets.siege.march import movement, step
from pbem.rulesets.siege.state.deed import Deed, Needs, Words
from pbem.rulesets.siege.state.events import Acted, Moved, ThingChanged, ThingMoved
from pbem.rulesets.siege.state.field import MOAT
from pbem.rulesets.siege.state.happening import apply
from pbem.rulesets.siege.state.line import Aim, Line
from pbem.rulesets.siege.state.orders import Act, FireEngine
from pbem.rulesets.siege.state.sentence import sentence
from pbem.rulesets.siege.state.state import Battle, Thing, Unit, is_prisoner
from pbem.rulesets.siege.things import ballista

Rules = Ruleset[Battle]
HAUL: Final = "haul"
HAULED: Final = "hauled"
"""What somebody has done who moved a ballista."""


# --- who works it


@rule("A4.4.1b")
def works(rules: Rules, battle: Battle, unit: Unit, thing: Thing) -> bool:
    """Tell whether somebody beside a ballista is one of its crew: he can lay hands on it, and is no
    prisoner.
    """
    return not is_prisoner(unit) and hands.reach(rules, battle, unit, thing.at[0])


# --- when it shoots


@rule("A4.4.1a")
def too_soon(rules: Rules, battle: Battle, thing: Thing) -> Problem | None:
    """Return that a ballista has shot too lately, for it shoots every third turn; None if it has not."""
    if not thing.struck:
        return None
    last = parse_cursor(thing.struck)
    again = last.turn + ballista.loaded_with(rules)
    if last.day != battle.at.day or battle.at.turn >= again:
        return None
    return Problem("ballista.too-soon", {"thing": thing.id, "turn": again}, rule="A4.4.1a")


def resolve(rules: Rules, play: Play[Battle], files: Files) -> None:
    """Let the ballistae of those who do not play shoot as their crews are told, then everybody else."""
    for thing in ballista.ballistae(play.state):
        defend(rules, play, thing)
    standing_fire.resolve(rules, play, files)


@rule("A4.4.1a")
def defend(rules: Rules, play: Play[Battle], thing: Thing) -> None:
    """Let a ballista of a side that does not play shoot at whom the engineer of its crew is told to shoot at,
    as a crossbow does.
    """
    crew = ballista.crew(rules, play.state, thing)
    if not crew:
        return
    found = targets(rules, play.state, thing, crew)
    who = play.state.units[crew[0]]
    engine = ballista.as_shooter(thing, who)
    chosen = standing_fire.choose(
        rules, play, who.id, engine, found, "A4.4.1a", lambda count: f"{thing.id} can shoot"
    )
    if chosen != standing_fire.HOLD:
        volleys.fire(rules, play, who.owner, FireEngine(who.id, thing.id, (chosen,)))


def targets(rules: Rules, battle: Battle, thing: Thing, crew: Sequence[str]) -> Mapping[str, Aim]:
    """Return whom a ballista that some work can shoot at in the turn of the other side, and how: the nearest
    first; nobody where it may not.
    """
    if not crew or battle.units[crew[0]].side == battle.at.side:
        return {}
    if volleys.not_ready(rules, battle, FireEngine(crew[0], thing.id, ())):
        return {}
    engine = ballista.as_shooter(thing, battle.units[crew[0]])
    return standing_fire.Targets(rules, battle, engine, shooting.by_distance(battle, engine))


# --- what it stops


def standing(battle: Battle) -> Mapping[str, str]:
    """Return hex -> the ballista in it."""
    return ballista.filled(battle)


@rule("A4.4.3")
def hides(rules: Rules, battle: Battle, line: Line, hex_: str) -> bool:
    """Tell whether a ballista in a hex stops the shots of figures on its level; from above one looks over
    it.
    """
    return hex_ in standing(battle) and mantlet.on_one_level(rules, battle, line, hex_)


def in_the_way(battle: Battle, names: Mapping[str, str], hex_: str) -> Problem:
    """Return that the ballista in a hex stops a shot."""
    args = {**names, "thing": standing(battle)[hex_], "hex": hex_}
    help_ = "shoot past it, or from another level"
    return Problem("ballista.hides", args, rule="A4.4.3", help=help_)


def behind_a_mantlet(rules: Rules, battle: Battle, line: Line, hex_: str) -> bool:
    """Tell whether the mantlet in a hex stops a shot, as it does not that of the ballista behind it."""
    return mantlet.hides(rules, battle, line, hex_) and not shoots_past(battle, line, hex_)


@rule("A4.4.2b")
def shoots_past(battle: Battle, line: Line, hex_: str) -> bool:
    """Tell whether a mantlet stands in the hex right before a ballista that shoots."""
    return line.start in standing(battle) and distance(line.start, hex_) == 1


# --- to move it


class Way(Struct, frozen=True):
    """A ballista that is moved: its hexes, and the places of each of the men, one for each of them."""

    hexes: tuple[str, ...]
    men: Mapping[str, tuple[str, ...]]


def not_ready(rules: Rules, battle: Battle, order: Act) -> Problem | None:
    """Return why some men do not move a ballista now; None if they only want to know where to."""
    thing = battle.things.get(order.what)
    names: dict[str, str | int] = {"thing": order.what}
    if thing is None or thing.kind != ballista.BALLISTA or not thing.at:
        return Problem("ballista.none", names, rule="A4.4.2a")
    units = [battle.units[id_] for id_ in order.who]
    if other := next((unit for unit in units if thing.side not in ("", unit.side)), None):
        return Problem("ballista.not-yours", {**names, "unit": other.id, "side": thing.side}, rule="A4.4.2a")
    return four_beside(rules, battle, thing, units) or first_problem(
        movement.time_to_move(rules, battle, unit) or nothing_else(unit) for unit in units
    )


@rule("A4.4.2a")
def four_beside(rules: Rules, battle: Battle, thing: Thing, units: Sequence[Unit]) -> Problem | None:
    """Return that it takes four on foot beside a ballista to move it; None if there are as many."""
    men = int(rules.tables["jobs"]["rows"]["haul"]["men"])
    fit = {unit.id for unit in units if unit.kind == "man" and not unit.on and unit.at}
    beside = all(hands.reach(rules, battle, unit, thing.at[0]) for unit in units if unit.at)
    if len(fit) == len(units) == men and beside:
        return None
    names: dict[str, str | int] = {"thing": thing.id, "hex": thing.at[0], "men": men}
    return Problem("ballista.four", names, rule="A4.4.2a")


@rule("A4.4.2a")
def nothing_else(unit: Unit) -> Problem | None:
    """Return that somebody who moves a ballista has done something else this turn; None if he has not."""
    if not unit.did:
        return None
    return Problem("ballista.busy", {"unit": unit.id}, rule="A4.4.2a")


def hauled(battle: Battle, unit: Unit) -> Problem | None:
    """Return that somebody has moved a ballista this turn, so that he does nothing else in it; None if he has
    not.
    """
    return Problem("ballista.hauled", {"unit": unit.id}, rule="A4.4.2a") if HAULED in unit.did else None


def ways(rules: Rules, battle: Battle, thing: Thing, who: Sequence[str]) -> dict[str, Way]:
    """Return hex -> how a ballista gets there, and those who move it with it; of equal ways the first by the
    sides of its steps.
    """
    units = tuple(battle.units[id_] for id_ in who)
    known, asked = battle.asked[rules], (HAUL, thing.id, *map(battle.called, units))
    found: dict[str, Way] | None = known.get(asked)
    if found is None:
        found = known[asked] = _ways(rules, battle, thing, units)
    return found


def _ways(rules: Rules, battle: Battle, thing: Thing, units: Sequence[Unit]) -> dict[str, Way]:
    found: dict[str, Way] = {}
    begun = Way(thing.at, {unit.id: unit.at for unit in units})
    play: Play[Battle] = Play(battle, str(battle.at), apply, NoDice())
    border = [(begun, play.state)]
    for steps in range(1, farthest(rules, level=True) + 1):
        onward = []
        for way, then in border:
            for there in neighbours(way.hexes[-1]):
                if there == thing.at[0] or there in found or not may_stand(rules, then, thing, way, there):
                    continue
                level = all(_level(rules, battle, hex_) for hex_ in (*way.hexes[1:], there))
                if steps <= farthest(rules, level=level):
                    onward.append(_after(rules, then, thing, way, there))
                    found[there] = onward[-1][0]
        border = onward
    return found


@rule("A4.4.2a")
def farthest(rules: Rules, *, level: bool) -> int:
    """Return how many hexes a ballista is moved in a turn: on level ground, or where an obstacle is."""
    row = "ballista" if level else "ballista_obstacle"
    return int(rules.tables["movement_anarchy"]["ways"][row]["hexes"])


def _level(rules: Rules, battle: Battle, hex_: str) -> bool:
    return terrain.terrain_at(rules, battle, hex_).mp_foot == 1


def may_stand(rules: Rules, battle: Battle, thing: Thing, way: Way, there: str) -> bool:
    """Tell whether a ballista can be moved on into a hex: men could go there from where it is, it is no moat,
    and nobody and nothing is in it.
    """
    if there not in battle.field.ground or MOAT in terrain.terrain_at(rules, battle, there).traits:
        return False
    other = any(there in map(hex_of, one.at) for one in battle.things.values() if one.id != thing.id)
    man = battle.units[next(iter(way.men))]
    free = not battle.living_in.get(there) and not other
    return free and step.can_pass(rules, battle, man, way.hexes[-1], there)


def _after(rules: Rules, battle: Battle, thing: Thing, way: Way, there: str) -> tuple[Way, Battle]:
    """Return a way that is one step longer, and the battle then: each of the men goes the same way if he can,
    those ahead first.
    """
    side = side_between(way.hexes[-1], there)
    battle = apply(battle, ThingMoved(thing.id, (there,), thing.facing))
    men = dict(way.men)
    for id_ in sorted(men, key=lambda id_: (distance(hex_of(men[id_][-1]), there), id_)):
        unit, here = battle.units[id_], men[id_][-1]
        goal = neighbour(hex_of(here), side) if side and hex_of(here) == here else None
        if goal and goal != there and goal in battle.field.ground and _follows(rules, battle, unit, goal):
            men[id_] = (*men[id_], goal)
            battle = apply(battle, Moved(id_, (here, goal), 0, 0))
    return Way((*way.hexes, there), men), battle


def _follows(rules: Rules, battle: Battle, unit: Unit, goal: str) -> bool:
    able = step.can_pass(rules, battle, unit, unit.at[0], goal)
    return able and stacking.may_stop(rules, battle, unit, goal)


def why_not(rules: Rules, battle: Battle, order: Act) -> Problem | None:
    """Return why four men do not move a ballista to a hex now; None if they do."""
    if problem := not_ready(rules, battle, order):
        return problem
    found = ways(rules, battle, battle.things[order.what], order.who)
    if order.to[0] in found:
        return None
    help_ = f"they get it to {', '.join(sorted(found)) or 'nowhere'}"
    return Problem("ballista.too-far", {"thing": order.what, "hex": order.to[0]}, rule="A4.4.2a", help=help_)


@rule("A4.4.2a")
def haul(rules: Rules, play: Play[Battle], order: Act) -> None:
    """Move a ballista, and those who move it after it, into hexes that it has left; it has to be loaded
    anew.
    """
    way = ways(rules, play.state, play.state.things[order.what], order.who)[order.to[0]]
    play.happen(ThingMoved(order.what, way.hexes[-1:], play.state.things[order.what].facing, rule="A4.4.2a"))
    for id_, path in _in_turn(way.men):
        if len(path) > 1:
            of = step.points(rules, play.state, play.state.units[id_])
            play.happen(Moved(id_, path, of, of, with_=(order.what,)))
        play.happen(Acted(id_, HAULED))
    now = str(play.state.at)
    play.happen(ThingChanged(order.what, struck=now, cleared=("loaded", "crew"), rule="A4.4.2a"))


def _in_turn(men: Mapping[str, tuple[str, ...]]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield those who move a ballista with their ways, nobody before the one in whose place he comes."""
    waiting = dict(men)
    while waiting:
        held = {path[0]: id_ for id_, path in waiting.items()}
        free = [id_ for id_, path in waiting.items() if held.get(path[-1], id_) == id_]
        first = (free or sorted(waiting))[0]
        yield first, waiting.pop(first)


def listed(rules: Rules, battle: Battle, unit: Unit) -> Iterator[Act]:
    """Yield where a figure may move a ballista beside it with three others of its seat, behind it in the
    alphabet.
    """
    for thing in ballista.ballistae(battle):
        near = neighbours(thing.at[0])
        if not unit.at or hex_of(unit.at[0]) not in near:
            continue
        others = (battle.units[id_] for id_ in sorted(battle.living_among(near)))
        mates = [mate.id for mate in others if mate.id > unit.id and mate.owner == unit.owner]
        for three in combinations(mates, int(rules.tables["jobs"]["rows"]["haul"]["men"]) - 1):
            who = (unit.id, *three)
            if not_ready(rules, battle, Act(HAUL, who, thing.id)) is None:
                yield from (Act(HAUL, who, thing.id, to=(hex_,)) for hex_ in ways(rules, battle, thing, who))


def about(rules: Rules, battle: Battle, order: Act) -> str:
    """Return where each of the men is in the end; nothing where the order is not legal."""
    if why_not(rules, battle, order) is not None:
        return ""
    way = ways(rules, battle, battle.things[order.what], order.who)[order.to[0]]
    stands = ", ".join(f"{id_} in {path[-1]}" for id_, path in way.men.items())
    return f"then {stands}; loading begins anew"


def shown(rules: Rules, battle: Battle, order: Act) -> Iterator[dict[str, Any]]:
    """Yield the ways of the men, for a picture of what is foreseen."""
    if why_not(rules, battle, order) is None:
        way = ways(rules, battle, battle.things[order.what], order.who)[order.to[0]]
        for id_, path in way.men.items():
            if len(path) > 1:
                yield {"type": "Moved", "unit": id_, "path": list(path)}


DEED: Final = Deed(
    id=HAUL,
    sentences=(
        sentence(
            "move", "{who:NAMES} haul/hauls {what:THING} to {to:HEX}",
            "bran, jack, ned, wat haul ballista1 to 0406",
        ),
    ),
    words=Words(
        HAUL, forms=("{names} haul[s] {rest}",), tells=("haul[s]",), does=("haul[s]",), unended=("haul[s]",)
    ),
    called="hauls",
    needs=Needs("ballistae", ("camp",)),
    kinds=(ballista.BALLISTA,),
    after=("move",),
    parts=True,
    check=why_not,
    do=haul,
    lists=listed,
    about=about,
    shown=shown,
    grouped=True,
)  # fmt: skip
