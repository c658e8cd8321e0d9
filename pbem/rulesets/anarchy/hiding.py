"""Figures in hiding: who sees them, and when they come forth.

Who hides is not on the map for any rule: nobody shoots at him, shuns him, is shut off or frightened by him,
and no die is named after him. So nothing that is worked out can tell of him before he is revealed: where he
lies (``hides``) is read here and in what is shown to his own side, and nowhere else. He comes forth before he
does anything, and as soon as an enemy has come near.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from msgspec.structs import replace

from pbem.core.play import Play
from pbem.core.problem import Problem
from pbem.core.ruleset import Files, Ruleset
from pbem.geometry.hex import distance, hex_of
from pbem.rulesets.anarchy import ballista as ballistae
from pbem.rulesets.anarchy import oil_reach, oxen, siege_tower, standing_fire, tower_bridge
from pbem.rulesets.anarchy.events import Hid, OilSpilt, Revealed, Slung, pair
from pbem.rulesets.siege.march import movement
from pbem.rulesets.siege.march.walk import Walk
from pbem.rulesets.siege.orders import choices, conditions
from pbem.rulesets.siege.scenario import setup
from pbem.rulesets.siege.state.deed import of
from pbem.rulesets.siege.state.events import OilPoured, ThingChanged
from pbem.rulesets.siege.state.family import Why
from pbem.rulesets.siege.state.orders import Act, Attack, FireEngine, Move, MoveBy, Order, Shoot
from pbem.rulesets.siege.state.state import Battle, Thing, Unit
from pbem.rulesets.siege.things import ballista, burning, engines
from pbem.rulesets.siege.things.treks import Trek

Rules = Ruleset[Battle]
Step = Callable[[Rules, Play[Battle], Files], None]
ACTS, NEAR, FIRE, HIT = "acts", "near", "fire", "hit"
"""Why somebody is revealed."""
ROLLING: Final = (oxen.DRIVE.id, oxen.FORWARD.id, oxen.BACKWARD.id)
"""The deeds by which an engine goes with whoever is inside it, or harnessed to it."""
DOING: Final = (Move, MoveBy, Act, Attack, Shoot, FireEngine)
"""The orders that bring somebody forth: all that his side gives once it is set up."""


# --- who hides


def in_hiding(battle: Battle, side: str = "") -> list[Unit]:
    """Return who hides, of one side or of both, by id; of a rider and his horse the rider."""
    if not battle.field.hidden:
        return []
    units = (battle.units[id_] for id_ in sorted(battle.field.hidden))
    return [
        unit for unit in units if unit.hides and unit.id not in battle.rider_of and side in ("", unit.side)
    ]


def uncovered(battle: Battle, side: str = "") -> Battle:
    """Return the battle with those in hiding on the map, of one side or of both: as their own side sees
    it.
    """
    there = [one for unit in in_hiding(battle, side) for one in pair(battle, unit.id) if not one.at]
    return battle.with_units(*(replace(one, at=one.hides) for one in there)) if there else battle


def known(rules: Rules, battle: Battle, side: str) -> Battle:
    """Return the battle as a side knows it when it orders."""
    return uncovered(battle, side)


# --- who sees them


def sees(battle: Battle, unit: Unit, hidden: Unit, places: Sequence[str]) -> str:
    """Return the first of some places from which a figure sees somebody in hiding; empty if from none.

    Men see who are on their feet; animals, bystanders and the stunned do not. Wood or slope between them
    change nothing: so near one is heard.
    """
    if unit.kind != "man" or not unit.able or not battle.foes(unit, hidden):
        return ""
    most = battle.field.hidden[hidden.id]
    near = (
        place for place in places if min(distance(hex_of(place), hex_of(at)) for at in hidden.hides) <= most
    )
    return next(near, "")


def look_about(rules: Rules, play: Play[Battle]) -> None:
    """Reveal everybody whom an enemy sees from where he is, or saw on a way that he went in this phase, and
    in whose hex it burns or something comes down, which does him no harm.
    """
    for hidden in in_hiding(play.state):
        for unit, places in _stands(play):
            if where := sees(play.state, unit, hidden, places):
                reveal(rules, play, hidden, NEAR, unit.id, where)
                break
        else:
            if any((hex_of(at), "fire") in play.state.features for at in hidden.hides):
                driven_out(rules, play, hidden)
            elif any(not met.isdisjoint(hidden.hides) for met in _coming_down(rules, play)):
                reveal(rules, play, hidden, HIT)


def _coming_down(rules: Rules, play: Play[Battle]) -> Iterator[set[str]]:
    """Yield the places that a stone, oil or the bridge of a siege tower came down on in this phase."""
    for event in play.events:
        if isinstance(event, Slung):
            yield {event.at}
        elif isinstance(event, OilPoured | OilSpilt):
            area = oil_reach.area(rules, play.state, event.at)
            yield {hex_ for hex_ in area if not oil_reach.sheltered(rules, play.state, hex_)}
        elif isinstance(event, ThingChanged) and event.stands == siege_tower.LOWERED:
            towers = (one for one in siege_tower.towers(play.state) if one.id == event.thing)
            yield from ({*tower_bridge.edge(play.state, tower)} for tower in towers)


def driven_out(rules: Rules, play: Play[Battle], hidden: Unit) -> None:
    """Reveal who hides where it burns; he leaves the flames at once, as anybody does whose hex is lit."""
    reveal(rules, play, hidden, FIRE)
    unit = play.state.units[hidden.id]
    lit = burning.in_danger(play.state, unit)
    if lit and unit.able and not burning.overhead(rules, play.state, unit.id, lit):
        burning.leave(rules, play, unit.id, len(play.events) - 1)


def _stands(play: Play[Battle]) -> Iterator[tuple[Unit, tuple[str, ...]]]:
    """Yield everybody on the map with the places that he came through in this phase, and where he is now."""
    ways: dict[str, list[str]] = {}
    for event in play.events:
        ways.setdefault(getattr(event, "unit", ""), []).extend(getattr(event, "path", ()))
    for id_, unit in sorted(play.state.units.items()):
        if unit.living:
            yield unit, (*ways.get(id_, ()), *unit.at)


def reveal(rules: Rules, play: Play[Battle], hidden: Unit, why: str, by: str = "", where: str = "") -> None:
    """Let somebody come forth: where he lay, or, if somebody stands there by now, in the nearest free hex."""
    body = pair(play.state, hidden.id)[0]
    at = body.hides
    if any(setup.may_stand(rules, play.state, body, hex_) for hex_ in at):
        nearest = sorted(play.state.field.ground, key=lambda hex_: (distance(hex_, hex_of(at[0])), hex_))
        at = setup.first_free(rules, play.state, body, nearest) or at
    play.happen(Revealed(hidden.id, at, why, by, where))


# --- before an order


def before(rules: Rules, play: Play[Battle], seat: str, order: Order) -> tuple[Order, Why]:
    """Reveal whom an order brings forth, on either side; return the order as it is carried out now, and why
    it is not.

    It was given by what its side knew, and its way is the one that was told to it: along that it goes until
    it meets somebody. An order that is not legal brings nobody forth.
    """
    if not in_hiding(play.state) or not isinstance(order, DOING):
        return order, None
    side = play.state.side_of_seat[seat]
    battle = known(rules, play.state, side)
    way = way_of(rules, battle, order)
    part = takes_part(rules, battle, order)
    doers = [hidden for hidden in in_hiding(play.state, side) if not part.isdisjoint(_both(hidden))]
    if isinstance(way, Problem):
        return order, way if doers or not isinstance(order, Act) else None
    if doers and way is None and (problem := next(_wrong(rules, battle, seat, order), None)):
        return order, problem
    for hidden in doers:
        reveal(rules, play, hidden, ACTS)
    if way is None:
        return order, meet(rules, play, battle, order)
    for hidden in in_hiding(play.state):
        if where := sees(play.state, play.state.units[_goer(order)], hidden, way.places) or _enters(
            rules, play.state, order, hidden, way.places
        ):
            reveal(rules, play, hidden, NEAR, _goer(order), where)
    return as_it_went(rules, battle, order, way), None


def way_of(rules: Rules, battle: Battle, order: Order) -> Walk | Problem | None:
    """Return the way of an order as its side knows it, or why there is none; None for one that goes
    nowhere.
    """
    if isinstance(order, Move | MoveBy):
        return movement.plan(rules, battle, order)
    deed = of(rules, order) if isinstance(order, Act) else None
    if deed is None or deed.way is None:
        return None
    found: Walk | Trek | Problem | None = deed.way(rules, battle, order)
    return found.walk if isinstance(found, Trek) else found


def as_it_went(rules: Rules, battle: Battle, order: Order, way: Walk) -> Order:
    """Return a move as one along the very way that was told to its side, so that whoever has come forth does
    not make it go round him; the order itself where that way cannot be written so.
    """
    if not isinstance(order, Move) or len(way.places) == 1:
        return order
    exactly = MoveBy(order.who, way.places[1:], order.facing)
    walk = movement.plan(rules, battle, exactly)
    same = isinstance(walk, Walk) and (walk.places, walk.ends, walk.cost) == (way.places, way.ends, way.cost)
    return exactly if same else order


def _wrong(rules: Rules, battle: Battle, seat: str, order: Order) -> Iterator[Problem]:
    checked = "act" if isinstance(order, Act) else order.deed
    return conditions.problems(rules, battle, checked, seat, order)


def _goer(order: Any) -> str:
    """Return who goes by an order first; where nobody is named, what goes."""
    return order.who if isinstance(order.who, str) else next(iter(order.who), order.what)


def takes_part(rules: Rules, battle: Battle, order: Any) -> set[str]:
    """Return who takes part in an order of his own side: who does it, or what is done it to, and who is not
    named but works the engine, pushes it from inside or is harnessed before it.
    """
    found = {order.who} if isinstance(order.who, str) else {*order.who}
    if isinstance(order, FireEngine) and order.engine in battle.things:
        found |= {*ballista.crew(rules, battle, battle.things[order.engine], order.who)}
    if isinstance(order, Act):
        found |= {order.what, *order.animals}
        if order.do in ROLLING and (engine := battle.things.get(order.what)):
            found |= {*engine.hitched, *(unit.id for unit in engines.within(battle, engine))}
    return found


def _both(hidden: Unit) -> tuple[str, str]:
    """Return somebody and the horse under him, or him twice."""
    return hidden.id, hidden.on or hidden.id


def meet(rules: Rules, play: Play[Battle], battle: Battle, order: Order) -> Why:
    """Reveal who is seen by those who go with an engine or carry something, on the ways that were told to
    their side, and who lies where the engine itself would come; return that one who lies in their way keeps
    them where they are.
    """
    deed = of(rules, order) if isinstance(order, Act) else None
    if deed is None or deed.shown is None:
        return None
    foreseen = [*deed.shown(rules, battle, order), {"at": getattr(order, "to", ())}]
    met: Problem | None = None
    for hidden in in_hiding(play.state):
        for event in foreseen:
            name = event.get("unit", "")
            if name and (where := sees(play.state, play.state.units[name], hidden, event["path"])):
                reveal(rules, play, hidden, NEAR, name, where)
                break
            if not {*hidden.hides}.isdisjoint(event.get("at", ())):
                reveal(rules, play, hidden, NEAR)
                break
        came = play.state.units[hidden.id].at
        ways = (hex_ for event in foreseen for hex_ in (*event.get("path", ()), *event.get("at", ())))
        if came and (where := next((hex_ for hex_ in ways if hex_ in came), "")):
            names = {"unit": _goer(order), "hex": where, "enemy": hidden.id}
            met = met or Problem("movement.enemy", names, rule="S1.61a")
    return met


def _enters(rules: Rules, battle: Battle, order: Order, hidden: Unit, places: Sequence[str]) -> str:
    """Return from where one who enters the map sees somebody; he is not on it yet."""
    unit = battle.units[_goer(order)]
    if unit.at or unit.left:
        return ""
    return sees(battle, replace(unit, at=(places[0],)), hidden, places)


# --- the phases


def placing(inner: Step) -> Step:
    """Return the step of the setup, at whose end those who hide lie hidden."""

    def resolve(rules: Rules, play: Play[Battle], files: Files) -> None:
        inner(rules, play, files)
        for id_ in sorted(play.state.field.hidden):
            unit = play.state.units[id_]
            if unit.at and id_ not in play.state.rider_of:
                play.happen(Hid(id_, unit.at))
        look_about(rules, play)

    return resolve


def watched(inner: Step) -> Step:
    """Return a step at whose end everybody looks about."""

    def resolve(rules: Rules, play: Play[Battle], files: Files) -> None:
        inner(rules, play, files)
        look_about(rules, play)

    return resolve


def ambushed(inner: Step) -> Step:
    """Return the step of defensive fire, in which those come forth who were told by name to shoot, and have
    somebody to shoot at.

    What is said to everybody is not said to them; nor are they asked, for a question would tell of them.
    """

    def resolve(rules: Rules, play: Play[Battle], files: Files) -> None:
        for hidden in in_hiding(play.state):
            if hidden.side != play.state.at.side and shoots(rules, play.state, hidden):
                reveal(rules, play, hidden, ACTS)
        for thing in ballista.ballistae(play.state):
            for hidden in gunners(rules, play.state, thing):
                reveal(rules, play, hidden, ACTS)
        inner(rules, play, files)

    return resolve


def gunners(rules: Rules, battle: Battle, thing: Thing) -> list[Unit]:
    """Return who is in hiding of those who shoot a ballista in the turn of the other side; nobody unless each
    of them was told by name to shoot, and it has a target of which its engineer was told.
    """
    for side in sorted({hidden.side for hidden in in_hiding(battle)}):
        aware = known(rules, battle, side)
        crew = ballista.crew(rules, aware, thing)
        found = ballistae.targets(rules, aware, thing, crew)
        hidden = [aware.units[id_] for id_ in crew if aware.units[id_].hides]
        if not (hidden and any(found)) or not all(told(rules, battle, unit) for unit in hidden):
            continue
        said = choices.instruction(battle, crew[0], standing_fire.DEFEND) or standing_fire.NEAREST
        engine = ballista.as_shooter(thing, aware.units[crew[0]])
        if standing_fire.wanted(rules, aware, engine, found)(said) != standing_fire.HOLD:
            return hidden
    return []


def told(rules: Rules, battle: Battle, hidden: Unit) -> str:
    """Return what somebody in hiding was told by name of whom to shoot at; empty if nothing was said to him
    alone, or he would have to be asked.
    """
    standing = battle.standing.get(hidden.owner)
    named = standing and any(
        figure["unit"] == hidden.id and standing_fire.DEFEND in figure for figure in standing.figures
    )
    said = choices.instruction(battle, hidden.id, standing_fire.DEFEND) if named else ""
    return "" if choices.asks(rules, said) else said


def shoots(rules: Rules, battle: Battle, hidden: Unit) -> bool:
    """Tell whether somebody in hiding was told by name to shoot, and has a target that he was told of."""
    said = told(rules, battle, hidden)
    if not said:
        return False
    aware = known(rules, battle, hidden.side)
    return standing_fire.aims_at(rules, aware, aware.units[hidden.id], said) != standing_fire.HOLD
