"""The setup: figures are placed step by step, each step a slot of its own; a sealed step takes both sides'
orders unseen.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from msgspec.structs import replace

from pbem.core.dice import NoDice
from pbem.core.play import Play, resolve_phase
from pbem.core.problem import Problem, first_problem
from pbem.core.rule import rule
from pbem.core.ruleset import Files, Ruleset
from pbem.core.sequence import Cursor
from pbem.geometry.hex import hex_of
from pbem.rulesets.siege.ground import stacking, terrain
from pbem.rulesets.siege.ground.character import person
from pbem.rulesets.siege.march import step
from pbem.rulesets.siege.orders import carry_out, nearest
from pbem.rulesets.siege.scenario import placing, stable
from pbem.rulesets.siege.state.events import Chosen, Placed, ThingMoved
from pbem.rulesets.siege.state.field import Field, Force, SetupStep
from pbem.rulesets.siege.state.happening import apply
from pbem.rulesets.siege.state.orders import OrderFile, Place, Prepare, Ride, Skill
from pbem.rulesets.siege.state.state import DEAD, HEALTHY, Battle, Feature, Unit
from pbem.rulesets.siege.things import mounting, wagons, works
from pbem.rulesets.siege.turn import sequence, siege_days, skill

Rules = Ruleset[Battle]


@rule("S0a")
def not_in_force(modules: Collection[str], needed: str) -> bool:
    """Tell whether something needs a module that the scenario has not named: only what it names is in force,
    and all of that.
    """
    return needed not in modules


def begin(rules: Rules, field: Field, seats: Mapping[str, str]) -> Battle:
    """Return the battle before its first phase: everybody where the scenario puts him, the others not on the
    map yet.
    """
    units = {}
    seat_of = {side: min(seat for seat, of in seats.items() if of == side) for side in set(seats.values())}
    for force in sorted(field.forces, key=lambda force: force.id):
        owner = force.owner or seat_of[force.side]
        kind = field.people[force.person].kind
        at = force.at or next((horse.at for horse in field.forces if horse.id == force.on), ())
        unit = Unit(
            force.id, force.person, kind, force.side, owner, HEALTHY, at, on=force.on, skill=force.skill
        )
        if siege_days.under_siege(field):
            unit = replace(unit, at=(), on="")  # everybody is in camp or castle until an assault begins
        units[force.id] = replace(unit, captive_of=force.held_by)
    first = sequence.opening(rules, field)
    gear = (entry.thing for entry in field.gear)
    built_in = (fixture.thing for fixture in field.fixtures.values())
    things = {
        thing.id: thing for thing in sorted((*field.wagons, *gear, *built_in), key=lambda thing: thing.id)
    }
    walls = {(hex_, "wall"): Feature(hex_, "wall", damage=steps) for hex_, steps in field.damaged.items()}
    battle = Battle(field, Cursor(first.phase, first.turn, first.side), units, things, features=walls)
    for event in placing.in_hands(rules, battle, [side.id for side in field.sides]):
        battle = apply(battle, event)
    return apply(battle, first)


def step_of(battle: Battle) -> SetupStep:
    """Return the step of the setup that is open."""
    return battle.field.setup[battle.at.turn - 1]


@rule("S0c")
def region(battle: Battle, force: Force) -> tuple[str, ...]:
    """Return the hexes in which a figure may be placed in the open step: its own mark, else that of the step,
    else the whole map.
    """
    mark = force.within or step_of(battle).within
    return battle.field.marks[mark] if mark else tuple(battle.field.ground)


def waiting(battle: Battle) -> list[Force]:
    """Return the figures that the sides of the open step still have to place, by id; riders stand where their
    horses stand. In a step that is for something else nobody is placed.
    """
    step = step_of(battle)
    forces = sorted(battle.field.forces, key=lambda force: force.id) if "place" in step.may else []
    found = []
    for force in forces:
        unit = battle.units[force.id]
        placed = force.enters or unit.on or unit.at or unit.left
        if force.side in step.sides and not placed and not siege_days.stays_behind(battle, unit):
            found.append(force)
    return found


def stands(battle: Battle, order: Place) -> tuple[str, ...]:
    """Return the hexes a figure would take up: of a horse head and tail, which the side it looks to tells as
    well.
    """
    if battle.units[order.who].kind == stable.HORSE:
        return stable.two_hexes(order.at, order.facing)
    return order.at


def may_stand(rules: Rules, battle: Battle, unit: Unit, hex_: str) -> Problem | None:
    """Return why a figure cannot be placed in a hex; None if it can."""
    names = {"unit": unit.id, "hex": hex_}
    if hex_of(hex_) not in battle.field.ground:
        return Problem("setup.off-map", names)
    if hex_ != hex_of(hex_) and hex_ not in battle.storeys.get(hex_of(hex_), ()):
        return Problem("setup.no-top", names, rule="S2.42a", help="place a siege tower there first")
    ground = terrain.terrain_at(rules, battle, hex_)
    if step.cost_of(unit, ground) is None:
        return Problem("setup.barred", {**names, "terrain": ground.title}, rule="CH12.1a")
    if problem := next((bar("", hex_) for bar in step.kept_out(rules, battle, unit)), None):
        return problem
    if stacking.taken(rules, battle, unit, hex_):
        return Problem(
            "setup.occupied", {**names, "other": stacking.others_on(battle, unit, hex_)[0].id}, rule="S1.62a"
        )
    return wagons.bars(battle, unit, hex_)


def why_not(rules: Rules, battle: Battle, seat: str, order: Place) -> Problem | None:
    """Return why a placing, of a figure or a thing, is not legal in the open step; None if it is."""
    if order.who in battle.things:
        return placing.why_not(rules, battle, seat, order)
    unit = battle.units[order.who]
    force = force_of(battle, unit)
    names: dict[str, str | int] = {"unit": unit.id, "hex": order.at[0]}
    if problem := not_now(battle, seat, unit, force, "place", order.at[0]):
        return problem
    if unit.on:
        return Problem("setup.rides", {"unit": unit.id, "horse": unit.on}, help=f"place {unit.on}")
    if order.facing and unit.kind != stable.HORSE:
        return Problem("movement.facing", {"unit": unit.id}, help="leave out: facing " + order.facing)
    at = stands(battle, order)
    if not at:
        return Problem(
            "setup.two-hexes",
            names,
            rule="S3.31a",
            help=f"{unit.id} at {order.at[0]} facing n, or with two hexes, head first",
        )
    hexes = region(battle, force)
    if outside := next((hex_ for hex_ in at if hex_of(hex_) not in hexes), ""):
        mark = force.within or step_of(battle).within
        if not mark:
            return Problem("setup.off-map", {"unit": unit.id, "hex": outside})
        return Problem(
            "setup.outside", {**names, "hex": outside, "mark": mark}, help=nearest.told(mark, hexes, outside)
        )
    return first_problem(may_stand(rules, battle, unit, hex_) for hex_ in at)


def force_of(battle: Battle, unit: Unit) -> Force:
    """Return what the scenario says of a unit."""
    return next(force for force in battle.field.forces if force.id == unit.id)


def not_now(battle: Battle, seat: str, unit: Unit, force: Force, do: str, at: str) -> Problem | None:
    """Return why a seat does nothing with a figure in the open step; None if it may."""
    if unit.owner != seat:
        return Problem("setup.not-yours", {"unit": unit.id})
    if unit.state == DEAD:
        return Problem("sequence.dead", {"unit": unit.id}, rule="CH0.2d")
    if unit.side not in step_of(battle).sides or force.enters or do not in step_of(battle).may:
        names: dict[str, str | int] = {"unit": unit.id, "hex": at}
        return Problem(
            "setup.not-now", names, help="he enters the map in a movement phase" if force.enters else ""
        )
    if force.at:
        return Problem("setup.fixed", {"unit": unit.id, "hex": at, "at": force.at[0]})
    return None


def why_not_ride(rules: Rules, battle: Battle, seat: str, order: Ride) -> Problem | None:
    """Return why a figure does not begin the game on a horse; None if it does."""
    unit, horse = battle.units[order.who], battle.units[order.horse]
    names = {"unit": unit.id, "horse": horse.id}
    if problem := not_now(battle, seat, unit, force_of(battle, unit), "ride", ""):
        return problem
    if horse.owner != seat:
        return Problem("setup.not-yours", {"unit": horse.id})
    if unit.on:
        return Problem("mounting.mounted", {"unit": unit.id, "horse": unit.on}, rule="S3.33a")
    if horse.id in battle.rider_of:
        return Problem("mounting.ridden", {**names, "rider": battle.rider_of[horse.id]}, rule="S3.33b")
    return mounting.no_knight(unit, horse, person(battle, unit))


def check(rules: Rules, battle: Battle, seat: str, order: Place) -> Iterator[Problem]:
    """Yield what is wrong with a placing."""
    if problem := why_not(rules, battle, seat, order):
        yield problem


def check_ride(rules: Rules, battle: Battle, seat: str, order: Ride) -> Iterator[Problem]:
    """Yield what is wrong with putting somebody on a horse."""
    if problem := why_not_ride(rules, battle, seat, order):
        yield problem


def placed(rules: Rules, battle: Battle, order: Place | Ride) -> Placed | ThingMoved:
    """Return the event of a placing, or of a rider put on his horse, where that stands."""
    if order.who in battle.things and isinstance(order, Place):
        return placing.placed(rules, battle, order)
    if isinstance(order, Ride):
        return Placed(order.who, battle.units[order.horse].at, on=order.horse)
    return Placed(order.who, stands(battle, order), order.facing)


def first_free(rules: Rules, battle: Battle, unit: Unit, hexes: Collection[str]) -> tuple[str, ...]:
    """Return the first free hexes of a region, for a horse the first that lie one behind the other; nothing
    where there are none.
    """
    free = [hex_ for hex_ in hexes if may_stand(rules, battle, unit, hex_) is None]
    if unit.kind != stable.HORSE:
        return tuple(free[:1])
    pairs = (stable.two_hexes((hex_,), facing) for hex_ in free for facing in stable.SIDES)
    return next((at for at in pairs if at and at[1] in free), ())


def may_roll(rules: Rules, battle: Battle) -> bool:
    """Tell whether a die can fall in the open phase and those that are played with it: none does while
    everybody is placed.
    """
    return battle.at.phase != "setup"


def left_over(rules: Rules, battle: Battle, seat: str, orders: OrderFile | None) -> list[tuple[str, str]]:
    """Return which figures and things of a seat a file leaves unplaced in the open step, and where they are
    put then.
    """
    if battle.at.phase != "setup":
        return []
    files = {} if orders is None else {seat: (orders,)}
    played = resolve_phase(lambda play: resolve(rules, play, files), battle, str(battle.at), apply, NoDice())
    chosen = [
        event
        for event in played.events
        if isinstance(event, Chosen) and event.about == "place" and event.by == "default"
    ]
    return [(event.unit, event.choice) for event in chosen if event.seat == seat]


def resolve(rules: Rules, play: Play[Battle], files: Files) -> None:
    """Place what the orders place; what they leave out stands in the first free hexes of its region, in the
    order of ids.
    """

    def place(rules: Rules, play: Play[Battle], seat: str, order: Place) -> Problem | None:
        problem = why_not(rules, play.state, seat, order)
        if problem is None:
            play.happen(placed(rules, play.state, order))
        return problem

    def ride(rules: Rules, play: Play[Battle], seat: str, order: Ride) -> Problem | None:
        problem = why_not_ride(rules, play.state, seat, order)
        if problem is None:
            play.happen(placed(rules, play.state, order))
        return problem

    carry_out.carry_out(
        rules,
        play,
        files,
        "setup",
        {Place: place, Ride: ride, Prepare: works.prepare, Skill: skill.doer(rules, play.state, files)},
    )
    placing.place_engines(rules, play)
    works.leave_open(rules, play)
    for force in waiting(play.state):
        unit = play.state.units[force.id]
        if at := first_free(rules, play.state, unit, region(play.state, force)):
            play.happen(Chosen(unit.owner, "place", unit.id, " ".join(at), "default"))
            play.happen(Placed(unit.id, at))
    placing.place_the_rest(rules, play)
