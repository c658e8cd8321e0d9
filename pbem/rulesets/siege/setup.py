"""The setup: figures are placed step by step, each step a slot of its own; a sealed step takes both sides' orders unseen."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from pbem.core.play import Play
from pbem.core.problem import Problem
from pbem.core.rule import rule
from pbem.core.ruleset import Files, Ruleset
from pbem.core.sequence import Cursor
from pbem.rulesets.siege import carry, sequence, skill, stacking
from pbem.rulesets.siege.events import Chosen, Placed, apply
from pbem.rulesets.siege.field import Field, Force, SetupStep
from pbem.rulesets.siege.orders import Place, Skill
from pbem.rulesets.siege.state import HEALTHY, Battle, Unit

Rules = Ruleset[Battle]


@rule("S0a")
def not_in_force(modules: Collection[str], needed: str) -> bool:
    """Tell whether something needs a module that the scenario has not named: only what it names is in force, and all of that."""
    return needed not in modules


def begin(rules: Rules, field: Field, seats: Mapping[str, str]) -> Battle:
    """Return the battle before its first phase: everybody where the scenario puts him, the others not on the map yet."""
    units = {}
    seat_of = {side: min(seat for seat, of in seats.items() if of == side) for side in set(seats.values())}
    for force in sorted(field.forces, key=lambda force: force.id):
        owner = force.owner or seat_of[force.side]
        kind = field.people[force.person].kind
        units[force.id] = Unit(force.id, force.person, kind, force.side, owner, HEALTHY, force.at, on=force.on, skill=force.skill)
    first = sequence.opening(field)
    battle = Battle(field, Cursor(first.phase, first.turn, first.side), units)
    return apply(battle, first)


def step_of(battle: Battle) -> SetupStep:
    """Return the step of the setup that is open."""
    return battle.field.setup[battle.at.turn - 1]


@rule("S0c")
def region(battle: Battle, force: Force) -> tuple[str, ...]:
    """Return the hexes in which a figure may be placed in the open step: its own mark, else that of the step, else the whole map."""
    mark = force.within or step_of(battle).within
    return battle.field.marks[mark] if mark else tuple(battle.field.ground)


def waiting(battle: Battle) -> list[Force]:
    """Return the figures that the sides of the open step still have to place, by id."""
    step = step_of(battle)
    forces = sorted(battle.field.forces, key=lambda force: force.id)
    return [force for force in forces if force.side in step.sides and not force.enters and not force.on and not battle.units[force.id].at]


def may_stand(rules: Rules, battle: Battle, unit: Unit, hex_: str) -> Problem | None:
    """Return why a figure cannot be placed in a hex; None if it can."""
    names = {"unit": unit.id, "hex": hex_}
    ground = battle.field.ground.get(hex_)
    if ground is None:
        return Problem("setup.off-map", names)
    if ground.mp_foot is None:
        return Problem("setup.barred", {**names, "terrain": ground.title}, rule="CH12.1a")
    if stacking.taken(rules, battle, unit, hex_):
        return Problem("setup.occupied", {**names, "other": stacking.others_on(battle, unit, hex_)[0].id}, rule="S1.62a")
    return None


def why_not(rules: Rules, battle: Battle, seat: str, order: Place) -> Problem | None:
    """Return why a placing is not legal in the open step; None if it is."""
    unit = battle.units[order.who]
    force = next(force for force in battle.field.forces if force.id == unit.id)
    names: dict[str, str | int] = {"unit": unit.id, "hex": order.at[0]}
    if unit.owner != seat:
        return Problem("setup.not-yours", {"unit": unit.id})
    if unit.side not in step_of(battle).sides or force.enters or "place" not in step_of(battle).may:
        return Problem("setup.not-now", names, help="he enters the map in a movement phase" if force.enters else "")
    if force.at:
        return Problem("setup.fixed", {**names, "at": force.at[0]})
    if order.at[0] not in region(battle, force):
        mark = force.within or step_of(battle).within
        return Problem("setup.outside", {**names, "mark": mark}, help=f"{mark} is " + " ".join(region(battle, force)[:12]))
    if order.facing and unit.kind != "horse":
        return Problem("movement.facing", {"unit": unit.id}, help="leave out: facing " + order.facing)
    return may_stand(rules, battle, unit, order.at[0])


def check(rules: Rules, battle: Battle, seat: str, order: Place) -> Iterator[Problem]:
    """Yield what is wrong with a placing."""
    if problem := why_not(rules, battle, seat, order):
        yield problem


def resolve(rules: Rules, play: Play[Battle], files: Files) -> None:
    """Place what the orders place; what they leave out stands in the first free hexes of its region, in the order of ids."""

    def place(rules: Rules, play: Play[Battle], seat: str, order: Place) -> Problem | None:
        problem = why_not(rules, play.state, seat, order)
        if problem is None:
            play.happen(Placed(order.who, order.at, order.facing))
        return problem

    carry.carry(rules, play, files, "setup", {Place: place, Skill: skill.doer(rules, play.state, files)})
    for force in waiting(play.state):
        unit = play.state.units[force.id]
        free = (hex_ for hex_ in region(play.state, force) if may_stand(rules, play.state, unit, hex_) is None)
        hex_ = next(free, "")
        if hex_:
            play.happen(Chosen(unit.owner, "place", unit.id, hex_, "default"))
            play.happen(Placed(unit.id, (hex_,)))
