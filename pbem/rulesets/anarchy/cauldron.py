"""Cauldrons of boiling oil: how two people carry one between them, and what becomes of it when one of the two
is hurt or driven away.

A cauldron stands where its ``at`` says. ``by`` names the two who carry it, ``crew`` those of them who were
unhurt when they lifted it. How it is poured, and what oil does, is ``oil``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

from pbem.core.play import Play
from pbem.core.problem import Problem
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.geometry import path
from pbem.geometry.hex import SIDES, distance, hex_of, neighbour, neighbours, side_between, split_place
from pbem.geometry.hex import opposite as across_from
from pbem.rulesets.anarchy import hands
from pbem.rulesets.siege.ground import passages, stacking, terrain
from pbem.rulesets.siege.march import step
from pbem.rulesets.siege.state.deed import Deed, Needs, Priced, Words
from pbem.rulesets.siege.state.events import Acted, Moved, ThingChanged, ThingMoved
from pbem.rulesets.siege.state.family import Kind, where_there_is
from pbem.rulesets.siege.state.field import CLUTTERED
from pbem.rulesets.siege.state.loads import OIL
from pbem.rulesets.siege.state.orders import Act
from pbem.rulesets.siege.state.sentence import sentence
from pbem.rulesets.siege.state.state import HEALTHY, Battle, Thing, Unit
from pbem.rulesets.siege.turn import sequence

Rules = Ruleset[Battle]
BEAR: Final = "bear"
CAULDRON: Final = "cauldron"
NEEDS: Final = Needs("oil and mantlets", ("wagons-oil",))


def kinds(known: Mapping[str, Kind]) -> Mapping[str, Kind]:
    """Return the kinds of thing with cauldrons in the place of Siege's barrels of oil."""
    others = {id_: kind for id_, kind in known.items() if id_ != OIL}
    return {**others, CAULDRON: Kind("wagons-oil", lifted=True)}


def cauldrons(battle: Battle) -> tuple[Thing, ...]:
    """Return the cauldrons on the map, by id."""
    return battle.once("cauldrons", lambda: _cauldrons(battle)) if battle.things else ()


def _cauldrons(battle: Battle) -> tuple[Thing, ...]:
    return tuple(thing for _, thing in sorted(battle.things.items()) if thing.kind == CAULDRON and thing.at)


# --- who could carry one


def not_two(rules: Rules, battle: Battle, order: Act) -> Problem | None:
    """Return that a cauldron is not between the two who are named; None if it is."""
    thing = battle.things.get(order.what)
    names: dict[str, str | int] = {"thing": order.what, "units": " and ".join(order.who)}
    if thing is None or thing.kind != CAULDRON or not thing.at:
        found = ", ".join(one.id for one in cauldrons(battle))
        help_ = f"the cauldrons are {found}" if found else "there is no cauldron left"
        return Problem("cauldron.none", names, help=help_)
    units = [battle.units[id_] for id_ in order.who]
    if len(set(order.who)) != 2 or len(order.who) != 2:
        help_ = f"name two in one line: {order.who[0]}, NAME"
        return Problem("cauldron.two", names, rule="A4.3.2a", help=help_)
    if other := next((unit for unit in units if thing.side not in ("", unit.side)), None):
        return Problem("cauldron.not-yours", {**names, "unit": other.id}, rule="A4.3.1a")
    if unfit := next((unit for unit in units if unit.on or unit.kind != "man" or not unit.at), None):
        return Problem("cauldron.mounted", {**names, "unit": unfit.id}, rule="A4.3.2a")
    if not opposite(hex_of(thing.at[0]), units[0].at[0], units[1].at[0]) or not on_its_level(
        rules, battle, thing, units
    ):
        return Problem("cauldron.across", {**names, "hex": thing.at[0]}, rule="A4.3.2a")
    return None


def why_not(rules: Rules, battle: Battle, order: Act) -> Problem | None:
    """Return why two people do not carry a cauldron to a hex now; None if they do."""
    found = plan(rules, battle, order)
    return found if isinstance(found, Problem) else None


def not_ready(rules: Rules, battle: Battle, order: Act) -> Problem | None:
    """Return why two people do not lift a cauldron now; None if they only want to know where to."""
    if problem := not_two(rules, battle, order):
        return problem
    for id_ in order.who:
        unit = battle.units[id_]
        if problem := sequence.may_move(rules, battle, unit) or sequence.hands_full(rules, battle, unit):
            return problem
    return None


def plan(rules: Rules, battle: Battle, order: Act) -> path.Way | Problem:
    """Return how a cauldron and the two who carry it get to a hex, or why they do not: the places of a way
    are three hexes each, that of the cauldron first.
    """
    if problem := not_ready(rules, battle, order):
        return problem
    names: dict[str, str | int] = {"units": " and ".join(order.who), "thing": order.what, "hex": order.to[0]}
    ways = goals(rules, battle, battle.things[order.what], order.who)
    if order.to[0] not in ways:
        near = ", ".join(sorted(ways)) or "nowhere"
        return Problem("cauldron.too-far", names, rule="A4.3.2a", help=f"they get it to {near}")
    return ways[order.to[0]]


def goals(rules: Rules, battle: Battle, thing: Thing, who: Sequence[str]) -> dict[str, path.Way]:
    """Return hex -> the cheapest way on which two people get a cauldron there; of equal ones that by which
    they turn least; nowhere where it stands on planks.
    """
    if split_place(thing.at[0])[1]:
        return {}
    units = [battle.units[id_] for id_ in who]
    known, asked = battle.seen[rules], (BEAR, *map(battle.known_as, units), thing.at)
    found: dict[str, path.Way] | None = known.get(asked)
    if found is not None:
        return found
    start = " ".join((thing.at[0], *(unit.at[0] for unit in units)))
    spend = min(step.points(rules, battle, unit) for unit in units)
    stops = partial(_may_stop, rules, battle, units)
    reached = path.reach(start, spend, _Cost(rules, battle, units), stops, _onward)
    found = {}
    for state, (cost, _) in sorted(reached.items(), key=lambda item: (item[1][0], item[0])):
        hex_ = state.split()[0]
        if hex_ != thing.at[0] and hex_ not in found:
            found[hex_] = path.Way(cost, path.way(reached, state))
    known[asked] = found
    return found


@rule("A4.3.2a")
def opposite(hex_: str, one: str, other: str) -> bool:
    """Tell whether two hexes lie on exactly opposite sides of a third."""
    side, across = side_between(hex_, hex_of(one)), side_between(hex_, hex_of(other))
    return side is not None and across == across_from(side)


def on_its_level(rules: Rules, battle: Battle, thing: Thing, units: Sequence[Unit]) -> bool:
    """Tell whether nobody of some stands above or below a cauldron."""
    return all(hands.reach(rules, battle, unit, thing.at[0]) for unit in units)


@rule("A4.3.2a")
def extra(rules: Rules) -> int:
    """Return how many points more a hex costs each of those who carry a cauldron."""
    return int(rules.tables["engines_anarchy"]["carried"][CAULDRON]["extra"])


def _onward(state: str) -> tuple[str, ...]:
    """Return how the three may stand one step on: each goes a hex or stays, the two across the cauldron."""
    hex_, one, other = state.split()
    found = []
    for there in (hex_, *neighbours(hex_)):
        for side in SIDES:
            on, behind = neighbour(there, side), neighbour(there, across_from(side))
            if on is None or behind is None or (there, on, behind) == (hex_, one, other):
                continue
            if distance(hex_of(one), on) <= 1 and distance(hex_of(other), behind) <= 1:
                found.append(f"{there} {on} {behind}")
    return tuple(found)


class _Cost:
    """What a step of the three costs: as much as the one of the two pays who pays more."""

    def __init__(self, rules: Rules, battle: Battle, units: Sequence[Unit]) -> None:
        self.rules, self.battle, self.more = rules, battle, extra(rules)
        self.going = [step.costs(rules, battle, unit) for unit in units]

    def __call__(self, here: str, there: str) -> int | None:
        (hex_, *places), (goal, *ends) = here.split(), there.split()
        if self._step(0, hex_, goal) is None:
            return None
        prices = [self._step(man, *way) for man, way in enumerate(zip(places, ends, strict=True))]
        paid = [price for price in prices if price is not None]
        return max(paid) if len(paid) == len(prices) else None

    def _step(self, man: int, here: str, there: str) -> int | None:
        if here == there:
            return 0
        ground = self.battle.field.ground
        if there not in ground or CLUTTERED in terrain.terrain_at(self.rules, self.battle, there).traits:
            return None
        if passages.between(self.rules, self.battle, here, there):
            return None
        price = self.going[man](here, there)
        return None if price is None else price + self.more


def _may_stop(rules: Rules, battle: Battle, units: Sequence[Unit], state: str) -> bool:
    hex_, *ends = state.split()
    return not any(
        step.closed(rules, battle, unit, end)
        or [other for other in stacking.others_on(battle, unit, end) if other not in units]
        for unit, end in (*zip(units, ends, strict=True), (units[0], hex_))
    )


def carry(rules: Rules, play: Play[Battle], order: Act) -> None:
    """Let two people go with a cauldron between them."""
    found = plan(rules, play.state, order)
    if isinstance(found, Problem):
        return
    unhurt = tuple(id_ for id_ in order.who if play.state.units[id_].state == HEALTHY)
    for man, id_ in enumerate(order.who, start=1):
        places = [state.split()[man] for state in found.places]
        way = tuple(place for n, place in enumerate(places) if n == 0 or place != places[n - 1])
        of = step.points(rules, play.state, play.state.units[id_])
        if len(way) > 1:
            play.happen(Moved(id_, way, found.cost, of, with_=(order.what,)))
        else:
            play.happen(Acted(id_, "moved"))
    play.happen(ThingMoved(order.what, (found.places[-1].split()[0],), rule="A4.3.2a"))
    lifted(play, order, unhurt)


@rule("A4.3.2c")
def lifted(play: Play[Battle], order: Act, unhurt: tuple[str, ...]) -> None:
    """Have two people carry a cauldron from now on, which tips over while they do."""
    play.happen(
        ThingChanged(
            order.what, by=order.who, crew=unhurt, cleared=() if unhurt else ("crew",), rule="A4.3.2c"
        )
    )


# --- while it is carried


@where_there_is(CAULDRON)
def hands_full(battle: Battle, unit: Unit) -> Problem | None:
    """Return which cauldron a figure carries, so that it neither shoots nor attacks; None if none."""
    thing = next((thing for thing in cauldrons(battle) if unit.id in thing.by), None)
    if thing is None:
        return None
    return Problem("cauldron.hands-full", {"unit": unit.id, "thing": thing.id}, rule="A4.3.1b")


@rule("A4.3.2c")
def over(rules: Rules, battle: Battle, thing: Thing) -> bool:
    """Tell whether a cauldron rests from now on, as the turn of its carriers comes again."""
    return sequence.side_after(battle) == battle.units[thing.by[0]].side


# --- the order


def pairs(battle: Battle, unit: Unit, thing: Thing) -> Iterator[tuple[str, str]]:
    """Yield a figure with each of its seat, later by id, who stands across a cauldron from it."""
    beside = neighbours(hex_of(thing.at[0]))
    if not unit.at or hex_of(unit.at[0]) not in beside:
        return
    for id_ in battle.living_among(beside):
        other = battle.units[id_]
        of_his = other.owner == unit.owner and id_ > unit.id and other.at
        if of_his and opposite(hex_of(thing.at[0]), unit.at[0], other.at[0]):
            yield unit.id, id_


def listed(rules: Rules, battle: Battle, unit: Unit) -> Iterator[Priced]:
    """Yield where a figure may carry a cauldron with another of its seat who stands across."""
    for thing in cauldrons(battle):
        for who in pairs(battle, unit, thing):
            if not_ready(rules, battle, Act(BEAR, who, thing.id)) is None:
                for hex_, way in goals(rules, battle, thing, who).items():
                    yield Act(BEAR, who, thing.id, to=(hex_,)), way.cost


def about(rules: Rules, battle: Battle, order: Act) -> str:
    """Return where each of the two is in the end, and what it costs."""
    found = plan(rules, battle, order)
    if isinstance(found, Problem):
        return ""
    _, *ends = found.places[-1].split()
    stands = ", ".join(f"{id_} in {end}" for id_, end in zip(order.who, ends, strict=True))
    return f"then {stands}; {found.cost} MP each"


def shown(rules: Rules, battle: Battle, order: Act) -> Iterator[dict[str, Any]]:
    """Yield the ways of the two, for a picture of what is foreseen."""
    found = plan(rules, battle, order)
    if not isinstance(found, Problem):
        for man, id_ in enumerate(order.who, start=1):
            places = dict.fromkeys(state.split()[man] for state in found.places)
            yield {"type": "Moved", "unit": id_, "path": list(places)}


DEED: Final = Deed(
    id=BEAR,
    sentences=(
        sentence(
            "move", "{who:NAMES} bear/bears {what:THING} to {to:HEX}", "rafe, odo bear cauldron1 to 0703"
        ),
    ),
    words=Words(
        BEAR, forms=("{names} bear[s] {rest}",), tells=("bear[s]",), does=("bear[s]",), unended=("bear[s]",)
    ),
    called="bears",
    needs=NEEDS,
    kinds=(CAULDRON,),
    after=("move",),
    parts=True,
    check=why_not,
    do=carry,
    priced=(listed,),
    about=about,
    shown=shown,
    grouped=True,
)
