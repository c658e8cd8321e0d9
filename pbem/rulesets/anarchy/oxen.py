"""Ox teams: harnessed before an engine they draw it straight forward, as long as somebody drives each of
them.

Where an engine may stand and roll is ``engines`` and ``driving`` of Siege, how animals are led that draw
nothing ``leading``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from pbem.core.play import Play
from pbem.core.problem import Problem, first_problem
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import around, neighbour, split_place
from pbem.rulesets.anarchy import full_turn, hands, pushing, siege_tower, tower_push, withdrawal
from pbem.rulesets.siege.ground import stacking
from pbem.rulesets.siege.march import movement, step
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state.deed import Deed, Found, NamesOf, Needs, Words, Work
from pbem.rulesets.siege.state.events import Hitched, Moved
from pbem.rulesets.siege.state.orders import Act
from pbem.rulesets.siege.state.sentence import sentence
from pbem.rulesets.siege.state.state import Battle, Job, Thing, Unit
from pbem.rulesets.siege.things import driving, engines, leadable, rams, wagons
from pbem.rulesets.siege.things.driving import Drive
from pbem.rulesets.siege.turn import jobs

Rules = Ruleset[Battle]
DRAWN: Final = ("siege-tower", "ram", "penthouse")
"""The kinds of engine that oxen draw (A1.3a); of those the game has, ``ruleset`` says so."""
OX: Final = "ox"


# --- in harness


@rule("A1.3f")
def before(engine: Thing) -> tuple[str, ...]:
    """Return the hexes before the front of an engine, in which its oxen stand."""
    return rams.in_front(engine)


def wanted(rules: Rules) -> int:
    """Return how many oxen draw an engine."""
    return int(rules.tables["engines_anarchy"]["drawn"]["oxen"])


@rule("A1.3f")
def tied(battle: Battle, unit: Unit, ox: Unit) -> Problem | None:
    """Return that nobody leads an ox away that is harnessed to an engine; None of any other animal."""
    engine = wagons.drawn_by(battle, ox.id)
    if engine is None or engine.kind not in DRAWN:
        return None
    names = {"unit": unit.id, "ox": ox.id, "thing": engine.id}
    help_ = f"drive the engine, or unharness it: {unit.id} unharnesses {ox.id} from {engine.id}"
    return Problem("oxen.tied", names, rule="A1.3f", help=help_)


def why_not(rules: Rules, battle: Battle, order: Act) -> Problem | None:
    """Return why a figure does not begin to harness or unharness an ox; None if it does."""
    unit, ox, engine = (battle.units[order.who[0]], battle.units[order.animals[0]], battle.things[order.what])
    names = {"unit": unit.id, "ox": ox.id, "thing": engine.id}
    if problem := movement.time_to_move(rules, battle, unit) or jobs.too_late(rules, battle, unit, order.do):
        return problem
    if unit.on or not touches(rules, battle, unit, ox):
        help_ = "he stands on foot next to the ox as the turn begins"
        return Problem("oxen.apart", names, rule="A1.3d", help=help_)
    if order.do == UNHARNESS.id:
        return None if ox.id in engine.hitched else Problem("oxen.not-harnessed", names, rule="A1.3d")
    if not family.of(rules).kinds[engine.kind].drawn:
        return Problem("oxen.not-drawn", {**names, "kind": engine.title}, rule="A1.3a")
    if ox.kind != OX or not ox.living:
        return Problem("oxen.no-ox", names, rule="A1.3a", help="a living ox")
    if other := wagons.drawn_by(battle, ox.id):
        return Problem("oxen.harnessed", {**names, "other": other.id}, rule="A1.3f")
    if battle.foes(unit, ox):
        return Problem("oxen.enemy", names, rule="S3.34b", help=f"lead {ox.id} first")
    if len(engine.hitched) >= wanted(rules):
        drawn = " and ".join(engine.hitched)
        return Problem("oxen.full", {**names, "team": drawn}, rule="A1.3a")
    return out_of_place(engine, ox, names)


def out_of_place(engine: Thing, ox: Unit, names: Mapping[str, str]) -> Problem | None:
    """Return that an ox does not stand before an engine, where it would draw it; None if it does."""
    if ox.at[:1] and ox.at[0] in before(engine):
        return None
    help_ = f"lead it to one of {' '.join(before(engine))}" if engine.at else ""
    return Problem("oxen.out-of-place", names, rule="A1.3f", help=help_)


@rule("A1.3d")
def begin(rules: Rules, play: Play[Battle], order: Act) -> None:
    """Begin to harness one ox, or to unharness it, which takes one figure its full turn."""
    joint = "to" if order.do == HARNESS.id else "from"
    full_turn.begin(play, order.who[0], order.do, f"{order.animals[0]} {joint} {order.what}")


def still_there(rules: Rules, battle: Battle, unit: Unit, job: Job) -> bool:
    """Tell whether an ox can still be harnessed, or unharnessed, by who works at it."""
    ox, engine = _of(battle, job)
    if engine is None or not touches(rules, battle, unit, ox):
        return False
    if job.do == UNHARNESS.id:
        return ox.id in engine.hitched
    free = ox.living and wagons.drawn_by(battle, ox.id) is None and len(engine.hitched) < wanted(rules)
    return free and out_of_place(engine, ox, {}) is None


def finish(rules: Rules, play: Play[Battle], id_: str, job: Job) -> None:
    """Harness an ox to an engine, or free it."""
    ox, engine = _of(play.state, job)
    if engine is not None:
        others = tuple(name for name in engine.hitched if name != ox.id)
        hitched = (*others, ox.id) if job.do == HARNESS.id else others
        play.happen(Hitched(engine.id, ox.id, hitched, "A1.3d"))


def _of(battle: Battle, job: Job) -> tuple[Unit, Thing | None]:
    ox, _, engine = job.what.split()[:3]
    return battle.units[ox], battle.things.get(engine)


def touches(rules: Rules, battle: Battle, unit: Unit, ox: Unit) -> bool:
    """Tell whether a figure is next to an ox, on its level, with no wall between."""
    return any(
        wagons.open_between(battle, here, there) and hands.reach(rules, battle, unit, there)
        for here in unit.at
        if not split_place(here)[1]
        for there in ox.at
    )


# --- driving


class Team(Struct, frozen=True):
    """The way of an engine with those that go beside it: who, from where to where, hex by hex."""

    drive: Drive
    ways: tuple[tuple[str, tuple[str, ...]], ...]


def plan(rules: Rules, battle: Battle, order: Act) -> Team | Problem:
    """Return where an engine is drawn, or why it is not: as far as ordered, or not at all."""
    engine = battle.things[order.what]
    drivers = [battle.units[id_] for id_ in order.who]
    if problem := (
        too_few(rules, battle, engine)
        or first_problem(movement.time_to_move(rules, battle, unit) for unit in drivers)
        or first_problem(_afoot(engine, unit) for unit in drivers)
        or undriven(rules, battle, engine, drivers)
        or _held(battle, engine, drivers[0])
        or first_problem(_idle(rules, battle, engine, unit) for unit in drivers)
        or moved_already(battle, engine)
        or too_far(rules, engine, order.steps)
        or held_fast(rules, battle, engine)
    ):
        return problem
    aboard = [unit.id for unit in drivers if unit.at[0] in engine.at]
    walkers = [unit.id for unit in drivers if unit.id not in aboard]
    side = driving.straight(engine, back=False)
    clear = leadable.without(battle, (*engine.hitched, *walkers))
    at = engine.at
    for _ in range(order.steps):
        taken = pushing.one_step(rules, clear, engine, at, side)
        if isinstance(taken, Problem):
            return taken
        at = taken[0]
    ways = along(rules, battle, engine, (*engine.hitched, *walkers), side, order.steps)
    if isinstance(ways, Problem):
        return ways
    return _home(rules, battle, Team(Drive(engine, at, order.steps, hexes(rules), tuple(aboard)), ways))


def _home(rules: Rules, battle: Battle, team: Team) -> Team | Problem:
    return withdrawal.keeps_it(rules, battle, team.drive, team.ways) or team


def held_fast(rules: Rules, battle: Battle, engine: Thing) -> Problem | None:
    """Return what keeps an engine where it is, whoever moves it; None if nothing does."""
    if engine.kind == siege_tower.TOWER:
        return tower_push.stands_fast(rules, battle, engine)
    return pushing.unfit(rules, battle, engine)


@rule("A1.3c")
def too_few(rules: Rules, battle: Battle, engine: Thing) -> Problem | None:
    """Return that an engine is not drawn, because fewer oxen than two are harnessed to it, or one of them
    lies dead or was driven from its place; None if both are there.
    """
    unfit, fit = lame(battle, engine), len(engine.hitched)
    if not unfit and fit >= wanted(rules):
        return None
    fit -= len(unfit)
    names: dict[str, str | int] = {"thing": engine.id, "oxen": fit, "needed": wanted(rules)}
    help_ = f"unharness {unfit[0]}" if unfit else f"NAME harnesses OX to {engine.id}"
    return Problem("oxen.too-few", names, rule="A1.3c", help=help_)


def lame(battle: Battle, engine: Thing) -> tuple[str, ...]:
    """Return the oxen in harness that cannot go with their engine: they lie dead, or a fire has driven them
    from before it.
    """
    oxen = (battle.units[name] for name in engine.hitched)
    return tuple(ox.id for ox in oxen if not ox.living or ox.at[0] not in before(engine))


@rule("A1.3a", "A1.3c")
def undriven(rules: Rules, battle: Battle, engine: Thing, drivers: Sequence[Unit]) -> Problem | None:
    """Return the ox of a team that none of some drivers touches; None if each is driven, be it by one and the
    same.
    """
    team = (battle.units[name] for name in engine.hitched)
    lone = next((ox for ox in team if not any(touches(rules, battle, unit, ox) for unit in drivers)), None)
    if lone is None:
        return None
    names = {"thing": engine.id, "ox": lone.id, "units": ", ".join(unit.id for unit in drivers)}
    help_ = "each ox wants a driver next to it; one next to both is enough"
    return Problem("oxen.undriven", names, rule="A1.3a", help=help_)


def _held(battle: Battle, engine: Thing, unit: Unit) -> Problem | None:
    """Return that an enemy takes away no ox of a team beside which one of those stands who hold it."""
    return first_problem(leadable.guarded(battle, unit, battle.units[ox]) for ox in engine.hitched)


def _idle(rules: Rules, battle: Battle, engine: Thing, unit: Unit) -> Problem | None:
    """Return that somebody does not drive because he is next to no ox of the team; None if he is."""
    if any(touches(rules, battle, unit, battle.units[name]) for name in engine.hitched):
        return None
    return Problem("oxen.idle", {"unit": unit.id, "thing": engine.id}, rule="A1.3a", help="leave him out")


def _afoot(engine: Thing, unit: Unit) -> Problem | None:
    """Return that somebody drives no oxen from the saddle; None if he is on foot."""
    names = {"unit": unit.id, "thing": engine.id}
    return Problem("oxen.mounted", names, rule="A1.3a", help=f"{unit.id} dismounts") if unit.on else None


@rule("A1.3b")
def hexes(rules: Rules) -> int:
    """Return how many hexes a team draws an engine in one turn."""
    return int(rules.tables["engines_anarchy"]["drawn"]["hexes"])


def too_far(rules: Rules, engine: Thing, steps: int) -> Problem | None:
    """Return that a team does not draw its engine so far in one turn; None if it does."""
    if steps <= hexes(rules):
        return None
    names: dict[str, str | int] = {"thing": engine.id, "steps": steps, "hexes": hexes(rules)}
    return Problem("oxen.too-far", names, rule="A1.3b")


@rule("A1.3e")
def moved_already(battle: Battle, engine: Thing) -> Problem | None:
    """Return that an engine was drawn or pushed in this turn already, with its oxen, and is not moved the
    other way too; None if it was not.
    """
    if not any("moved" in battle.units[name].did for name in engine.hitched):
        return None
    return Problem("oxen.moved", {"thing": engine.id}, rule="A1.3e", help="one or the other in a turn")


def along(
    rules: Rules, battle: Battle, engine: Thing, names: Sequence[str], side: str, steps: int
) -> tuple[tuple[str, tuple[str, ...]], ...] | Problem:
    """Return the ways of those who go straight on with an engine; or what one of them cannot pass, so that
    the engine does not go either.
    """
    aboard = (unit.id for unit in engines.within(battle, engine) if unit.id not in names)
    clear = leadable.without(battle, (*names, *aboard))
    ways: dict[str, list[str]] = {name: [battle.units[name].at[0]] for name in names}
    at: tuple[str, ...] = engine.at
    for number in range(steps):
        beyond = tuple(neighbour(hex_, side) or "" for hex_ in at)
        stands = at if side == engine.facing else beyond
        world = clear.changed(things={**clear.things, engine.id: replace(engine, at=stands)})
        for name, way in ways.items():
            there = neighbour(way[-1], side)
            problem = _barred(rules, world, battle.units[name], way[-1], there, number == steps - 1)
            if problem or there is None:
                return problem or Problem("driving.off-map", {"thing": name, "hex": way[-1]})
            way.append(there)
        at = beyond
    return tuple((name, tuple(way)) for name, way in ways.items())


@rule("A1.3f")
def _barred(
    rules: Rules, battle: Battle, unit: Unit, here: str, there: str | None, last: bool
) -> Problem | None:
    """Return what keeps an ox or a driver from a hex, and so the engine too; None if nothing does."""
    if there is None or there not in battle.field.ground:
        return Problem("driving.off-map", {"thing": unit.id, "hex": here}, rule="A1.3f")
    problem = step.led_bars(rules, battle, [unit], here, there) or step.enemy_bars(rules, battle, unit, there)
    problem = problem or (stacking.occupied(rules, battle, unit, there, 0) if last else None)
    return problem and replace(problem, help="where one of a team cannot go, the engine does not go either")


def drive(rules: Rules, play: Play[Battle], order: Act) -> Problem | None:
    """Let a team draw its engine, with everybody aboard; the drivers go along."""
    found = plan(rules, play.state, order)
    if isinstance(found, Problem):
        return found
    _go(rules, play, found, "A1.3b")
    return None


def _go(rules: Rules, play: Play[Battle], team: Team, rule_id: str) -> None:
    when = str(play.state.at) if team.drive.engine.kind == siege_tower.TOWER else ""
    pushing.with_its_fire(rules, play, team.drive)
    cause = driving.roll(play, team.drive, rule_id, when, pushing.rooted(rules, play.state))
    led = tuple(name for name, _ in team.ways if play.state.units[name].kind == OX)
    for name, way in sorted(team.ways, key=lambda entry: (entry[0] in led, entry[0])):
        spent = 0 if name in led else len(way) - 1
        first = name not in led and name == min(set(dict(team.ways)) - set(led))
        play.happen(Moved(name, way, spent, spent, rule=rule_id, with_=led if first else (), cause=cause))


# --- pushed instead


def pushed(rules: Rules, battle: Battle, order: Act) -> Team | Problem:
    """Return where those inside an engine push it, and its oxen, who go along before it; or why they do
    not.
    """
    engine = battle.things[order.what]
    if problem := moved_already(battle, engine):
        return problem
    found = tower_push.plan(rules, leadable.without(battle, engine.hitched), order)
    if isinstance(found, Problem):
        return found
    if not engine.hitched:
        return _home(rules, battle, Team(found, ()))
    found = replace(found, engine=engine)
    if unfit := lame(battle, engine):
        names = {"thing": engine.id, "ox": unfit[0]}
        return Problem("oxen.lame", names, rule="A1.3e", help=f"unharness {unfit[0]}")
    side = driving.straight(engine, back=order.do == driving.BACK)
    held = _held(battle, engine, battle.units[found.crew[0]])
    ways = held or along(rules, battle, engine, engine.hitched, side, order.steps)
    return ways if isinstance(ways, Problem) else _home(rules, battle, Team(found, ways))


@rule("A1.3e")
def push(rules: Rules, play: Play[Battle], order: Act) -> Problem | None:
    """Let those inside an engine push it in the place of its oxen."""
    found = pushed(rules, play.state, order)
    if isinstance(found, Problem):
        return found
    alone = "A4.2.4a" if found.drive.engine.kind == siege_tower.TOWER else "S2.41f"
    cause_rule = "A1.3e" if found.ways else alone
    _go(rules, play, found, cause_rule)
    return None


def _push_alone(rules: Rules, battle: Battle, order: Act) -> Drive | Problem:
    found = pushed(rules, battle, order)
    return found if isinstance(found, Problem) else found.drive


# --- the orders


def _of_team(of: NamesOf, order: Act) -> Iterator[Found]:
    if len(order.animals) > 1:
        problem = Problem("orders.one-animal", {"unit": order.who[0]}, help="one figure for each animal")
        yield problem, order.animals[1]
    yield from of.engine(order.what)


def harnessings(rules: Rules, battle: Battle, unit: Unit) -> Iterator[Act]:
    """Yield which oxen a figure could harness to which engine, and which it could unharness."""
    if unit.on or not unit.at:
        return
    near = around(unit.hexes)
    beasts = [id_ for id_ in battle.living_among(near) if battle.units[id_].kind == OX]
    for id_, engine in sorted(battle.things.items()):
        if engine.kind in DRAWN and engine.at:
            yield from (Act(HARNESS.id, (unit.id,), id_, animals=(ox,)) for ox in beasts)
            yield from (Act(UNHARNESS.id, (unit.id,), id_, animals=(ox,)) for ox in sorted(engine.hitched))


def drives(rules: Rules, battle: Battle, unit: Unit) -> Iterator[Act]:
    """Yield how far a figure next to a team could drive it, alone where it is next to both oxen, else with
    one behind it in the alphabet.
    """
    for id_, engine in sorted(battle.things.items()):
        team = [battle.units[name] for name in engine.hitched]
        if engine.kind not in DRAWN or not any(touches(rules, battle, unit, ox) for ox in team):
            continue
        alone = undriven(rules, battle, engine, [unit]) is None
        for who in [(unit.id,)] if alone else _pairs(rules, battle, engine, unit):
            yield from (Act(DRIVE.id, who, id_, steps=steps) for steps in range(1, hexes(rules) + 1))


def _pairs(rules: Rules, battle: Battle, engine: Thing, unit: Unit) -> Iterator[tuple[str, ...]]:
    for id_ in battle.living_among(around([battle.units[name].at[0] for name in engine.hitched])):
        mate = battle.units[id_]
        fits = id_ > unit.id and mate.owner == unit.owner and mate.kind == "man"
        needed = fits and undriven(rules, battle, engine, [mate]) is not None
        if needed and undriven(rules, battle, engine, [unit, mate]) is None:
            yield unit.id, id_


def said(rules: Rules, battle: Battle, order: Act) -> str:
    """Return where a team draws its engine, and how far of how far."""
    found = plan(rules, battle, order)
    if isinstance(found, Problem):
        return ""
    team = " and ".join(battle.things[order.what].hitched)
    return f"{' '.join(found.drive.at)}, {found.drive.cost} of {found.drive.of} hexes, drawn by {team}"


def shown(rules: Rules, battle: Battle, order: Act) -> Iterator[Mapping[str, Any]]:
    """Yield the events by which a picture shows where a team goes."""
    found = plan(rules, battle, order)
    if isinstance(found, Problem):
        return
    was = battle.things[order.what].at
    yield {"type": "ThingMoved", "thing": order.what, "at": found.drive.at, "was": was}
    yield from ({"type": "Moved", "unit": name, "path": way, "tails": ()} for name, way in found.ways)


_NEEDS: Final = Needs("siege towers", ("works",))
HARNESS: Final = Deed(
    id="harness",
    sentences=(
        sentence(
            "move", "{who:NAME} harnesses {animals:ANIMALS} to {what:ENGINE}", "giles harnesses ox1 to ram1"
        ),
    ),
    words=Words("harness", forms=("{names} harnesses {rest}",), tells=("harnesses",), unended=("harnesses",)),
    called="harnesses",
    needs=_NEEDS,
    named=_of_team,
    check=why_not,
    do=begin,
    work=Work("harnessing", still_there, finish),
    alone=True,
    lists=harnessings,
    lists_too=("unharness",),
    at_hand=True,
)
UNHARNESS: Final = Deed(
    id="unharness",
    sentences=(
        sentence(
            "move",
            "{who:NAME} unharnesses {animals:ANIMALS} from {what:ENGINE}",
            "giles unharnesses ox1 from ram1",
        ),
    ),
    words=Words(
        "unharness", forms=("{names} unharnesses {rest}",), tells=("unharnesses",), unended=("unharnesses",)
    ),
    called="unharnesses",
    keys={"from": "what"},
    needs=_NEEDS,
    named=_of_team,
    check=why_not,
    do=begin,
    work=Work("unharnessing", still_there, finish),
    alone=True,
)
DRIVE: Final = Deed(
    id="drive",
    sentences=(
        sentence(
            "move",
            "{who:NAMES} drive/drives {what:ENGINE} forward {steps:COUNT}",
            "giles drives ram1 forward 4",
        ),
    ),
    words=Words("drive", forms=("{names} (drive|drives) {name} forward {digit}",), unended=("drives",)),
    called="drives",
    needs=_NEEDS,
    named=lambda of, order: of.engine(order.what),
    check=lambda rules, battle, order: to if isinstance(to := plan(rules, battle, order), Problem) else None,
    do=drive,
    lists=drives,
    about=said,
    shown=shown,
    at_hand=True,
)
FORWARD: Final = driving.forward(_push_alone, push)
BACKWARD: Final = driving.backward(_push_alone, push)
DEEDS: Final = (HARNESS, UNHARNESS, DRIVE, FORWARD, BACKWARD)
