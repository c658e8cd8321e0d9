"""Fire arrows: who shoots them, how far, and whether what is hit catches fire, by one die for both.

Where the line of fire runs is ``lines``, what is in its way ``line_of_fire``; what comes of a fire is
``burning``. At a figure a fire arrow is an arrow like any other, only that it does not carry far.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from pbem.core.odds import Modifier, Tally
from pbem.core.play import Play
from pbem.core.problem import Problem
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.core.table import die_faces
from pbem.geometry.hex import distance, hex_of, side_between
from pbem.rulesets.siege.combat import aiming, misfire, ranges, shooting, shot_odds
from pbem.rulesets.siege.ground import flames
from pbem.rulesets.siege.ground.character import person
from pbem.rulesets.siege.sight import cover, crests, crossfire, line_of_fire, lines
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state.events import FireArrowShot, Rolled, Shot, reasons
from pbem.rulesets.siege.state.line import Aim, Line
from pbem.rulesets.siege.state.orders import Shoot
from pbem.rulesets.siege.state.state import Battle, Unit
from pbem.rulesets.siege.things import burning
from pbem.rulesets.siege.turn import skill

Rules = Ruleset[Battle]
WEAPON: Final = "fire_arrow"
FRONT: Final = "siege_tower_front"
SUPPLY: Final = "fire-arrows"
"""The key under which a scenario says how many fire arrows each archer of a side has."""


class Mark(Struct, frozen=True):
    """Something that a fire arrow can be loosed at: its name, the hex that it is hit in, the line, and the
    column of the table of fire.
    """

    name: str
    hex: str
    line: Line
    column: str


# --- at what


@rule("S5.31a")
def no_bow(rules: Rules, battle: Battle, shooter: Unit) -> Problem | None:
    """Return that somebody's weapon shoots no fire arrows, as crossbows do not; None if it does."""
    weapon = person(battle, shooter).missile
    if weapon in rules.tables["ranges_and_modifiers"][WEAPON]["weapons"]:
        return None
    names = {"unit": shooter.id, "weapon": weapon.replace("_", " ") or "nothing"}
    return Problem(
        "fire_arrows.no-bow", names, rule="S5.31a", help="only bows, short and long, shoot fire arrows"
    )


def left(battle: Battle, unit: Unit) -> int | None:
    """Return how many fire arrows somebody has left; None where the scenario does not count them."""
    most = battle.field.supplies.get(unit.side, {}).get(SUPPLY)
    return None if most is None else max(0, most - unit.fire_arrows)


def carried(rules: Rules, battle: Battle, unit: Unit) -> int | None:
    """Return how many fire arrows somebody with a bow for them carries; None for everybody else, and where
    nobody counts.
    """
    return None if no_bow(rules, battle, unit) else left(battle, unit)


def counted(count: int) -> str:
    """Return so many fire arrows in words."""
    return f"{count or 'no'} fire arrow{'s' if count != 1 else ''}"


def none_left(battle: Battle, shooter: Unit) -> Problem | None:
    """Return that somebody has no fire arrow left; None if he has one, or nobody counts."""
    if left(battle, shooter) != 0:
        return None
    code = "fire_arrows.none-left" if shooter.fire_arrows else "fire_arrows.none"
    return Problem(
        code, {"unit": shooter.id}, rule="S5.31a", help="leave out  with fire: arrows he has enough of"
    )


@rule("S5.31b")
def what_burns(rules: Rules, battle: Battle, hex_: str) -> tuple[str, ...]:
    """Return what in a hex a fire arrow can set on fire: a siege engine or a tent, and whatever else burns in
    this game.
    """
    return flames.kindling(rules, battle, hex_)


@rule("S5.31c")
def too_far(rules: Rules, battle: Battle, shooter: Unit, target: str, hexes: int) -> Problem | None:
    """Return that a target is farther than a fire arrow carries, beyond the short range of the bow; None if
    it is not.
    """
    weapon, wanted = person(battle, shooter).missile, rules.tables["ranges_and_modifiers"][WEAPON]["band"]
    if ranges.band(rules, weapon, hexes) == wanted:
        return None
    last = next(last for name, _, last in ranges.bands(rules, weapon) if name == wanted)
    help_ = f"it carries {last} hexes, the short range of his bow"
    return Problem(
        "fire_arrows.range", {"unit": shooter.id, "target": target, "range": hexes}, rule="S5.31c", help=help_
    )


def check(rules: Rules, battle: Battle, seat: str, order: Shoot) -> Iterator[Problem]:
    """Yield what is wrong with an order to shoot fire arrows: nothing if one of its targets can be shot at
    with them.
    """
    if order.fire:
        found = choose(rules, battle, order)
        if isinstance(found, list):
            yield from found


def choose(rules: Rules, battle: Battle, order: Shoot) -> Mark | tuple[Unit, Aim] | list[Problem]:
    """Return the first of the targets that can be shot at with fire arrows now; or what is wrong with each of
    them.
    """
    shooter = battle.units[order.who]
    if (
        problem := shooting.not_usual(battle, order)
        or aiming.not_ready(rules, battle, shooter)
        or no_bow(rules, battle, shooter)
        or none_left(battle, shooter)
    ):
        return [problem]
    problems: list[Problem] = []
    for name in order.at:
        found = (
            at_object(rules, battle, shooter, name)
            if is_object(rules, battle, name)
            else at_figure(rules, battle, shooter, name)
        )
        if not isinstance(found, list):
            return found
        problems += found
    return problems


def is_object(rules: Rules, battle: Battle, name: str) -> bool:
    """Tell whether a target is a thing, or a hex with something in it that can burn, and not a figure."""
    return name in battle.things or (
        name[0].isdigit() and bool(what_burns(rules, battle, flames.spot(battle, name)))
    )


def at_figure(rules: Rules, battle: Battle, shooter: Unit, name: str) -> tuple[Unit, Aim] | list[Problem]:
    """Return how a figure is shot at, as with any arrow, but at short range only; or why it cannot be."""
    if name[0].isdigit() and shooting.at_hex(battle, shooter, name) is None:
        names = {"unit": shooter.id, "hex": name}
        return [
            Problem(
                "fire_arrows.nothing-there",
                names,
                rule="S5.31b",
                help="fire arrows light tents and siege engines",
            )
        ]
    found = shooting.choose(rules, battle, shooter, (name,))
    if isinstance(found, list):
        return found
    problem = too_far(rules, battle, shooter, found[0].id, found[1].line.range)
    return [problem] if problem else found


def at_object(rules: Rules, battle: Battle, shooter: Unit, name: str) -> Mark | list[Problem]:
    """Return how a thing, or what is in a hex, is shot at: in its nearest hex to which the line is free; or
    why it cannot be.
    """
    thing = battle.things.get(name)
    places = (
        (*thing.at, *(place for place in battle.above(thing) if place in battle.apart)) if thing else (name,)
    )
    hexes = list(dict.fromkeys(flames.spot(battle, place) for place in places))
    problems: list[Problem] = []
    here = lines.where(battle, shooter)
    for hex_ in sorted(hexes, key=lambda hex_: distance(here, hex_of(hex_))):
        found = _at(rules, battle, shooter, name, hex_)
        if isinstance(found, Mark):
            return found
        problems.append(found)
    return problems[:1] or [
        Problem("fire_arrows.nothing-there", {"unit": shooter.id, "hex": name}, rule="S5.31b")
    ]


def _at(rules: Rules, battle: Battle, shooter: Unit, name: str, hex_: str) -> Mark | Problem:
    names = {"unit": shooter.id, "hex": hex_}
    burning_there = what_burns(rules, battle, hex_)
    if not burning_there or (name in battle.things and name not in burning_there):
        return Problem(
            "fire_arrows.nothing-there",
            names,
            rule="S5.31b",
            help="fire arrows light tents and siege engines",
        )
    if flames.burns(battle, hex_):
        return Problem("fire.burns-already", names, rule="S5.31e")
    if problem := too_far(rules, battle, shooter, name, distance(lines.where(battle, shooter), hex_of(hex_))):
        return problem
    found: Line | Problem | None = None
    for place in (hex_,) if hex_ in battle.apart else (hex_, *battle.storeys.get(hex_, ())):
        if not isinstance(found, Line):
            found = _line(rules, battle, shooter, name, place)
    if not isinstance(found, Line):
        return found or Problem("fire_arrows.nothing-there", names, rule="S5.31b")
    what = name if name in battle.things else burning_there[0]
    return Mark(what if what in battle.things else hex_, hex_, found, column(rules, battle, what, found))


def _line(rules: Rules, battle: Battle, shooter: Unit, name: str, place: str) -> Line | Problem | None:
    """Return the first free line to a place, or why the first one is not; the cover of its ground does not
    count for an engine itself.
    """
    target = Unit(name, shooter.person, "thing", "", "", "healthy", (place,))
    first: Problem | None = None
    for line in lines.lines(rules, battle, shooter, target):
        problem = _barred(rules, battle, shooter, target, line)
        if problem is None:
            return line
        first = first or problem
    return first


def _barred(rules: Rules, battle: Battle, shooter: Unit, target: Unit, line: Line) -> Problem | None:
    wall = cover.walled_off(rules, battle, line) if line.sides else ""
    if wall and not (target.at == (line.end,) and wall in fixture_sides(battle, line.end)):
        return Problem("cover.wall", {"unit": shooter.id, "target": target.id, "side": wall}, rule="S1.56a")
    problem = line_of_fire.obstacles(rules, battle, shooter, target, line, "short", "none")
    problem = problem or crests.why_not(rules, battle, shooter, target, line)
    return problem or misfire.why_not(rules, battle, shooter, target, lines.place_in(target, line.end))


def fixture_sides(battle: Battle, hex_: str) -> frozenset[str]:
    """Return the hexsides that the door in a hex closes: where its leaf is hit."""
    return frozenset(
        key for fixture in battle.field.fixtures.values() if hex_ in fixture.hexes for key in fixture.leaf
    )


def column(rules: Rules, battle: Battle, what: str, line: Line) -> str:
    """Return the column of the table of fire for what is hit; the hides in front of a siege tower hardly
    burn.
    """
    thing = battle.things.get(what)
    if thing is None:
        return what
    hit = family.of(rules).hit_by_fire
    if hit is not None and (found := hit(battle, thing, line)):
        return found
    from_front = side_between(line.end, (line.start, *line.track.crossed)[-1]) == thing.facing
    return FRONT if thing.kind == flames.TOWER and from_front else thing.kind.replace("-", "_")


# --- the shot


def shoot(rules: Rules, play: Play[Battle], order: Shoot) -> Problem | None:
    """Loose a fire arrow at the first target that is legal now; return why there is none."""
    found = choose(rules, play.state, order)
    while isinstance(found, tuple) and crossfire.settle(rules, play, found[0]):
        found = choose(rules, play.state, order)
    if isinstance(found, list):
        return found[0]
    shooter = play.state.units[order.who]
    if isinstance(found, tuple):
        shooting.loose(rules, play, shooter, *found)
    else:
        loose(rules, play, shooter, found)
    spend(play, shooter.id)
    return None


def spend(play: Play[Battle], shooter: str) -> None:
    """Count a fire arrow that was shot, in a scenario that counts them."""
    has = left(play.state, play.state.units[shooter])
    if has is not None:
        play.happen(FireArrowShot(shooter, has - 1, "S5.31a"))


def tally(rules: Rules, battle: Battle, shooter: Unit, die: int = 0) -> Tally:
    """Return the die and what the shooter's wound and skill do to it; high dice light here, so they count the
    other way round.

    The range does not count.
    """
    found = Tally(die, f"die {die}" if die else "die")
    for modifier in (
        shot_odds.unsteady(rules, battle, shooter, shooter),
        skill.of_the_shot(rules, battle, shooter, shooter),
    ):
        found = found.plus(modifier and Modifier(modifier.rule, modifier.label, -modifier.shift))
    return found


def lights(rules: Rules, battle: Battle, shooter: Unit, column: str, die: int) -> bool:
    """Tell whether a die sets something on fire: with its modifiers it is as high as the
    table of fire wants.
    """
    return tally(rules, battle, shooter, die).total >= min(burning.faces(rules, "fire_arrow", column))


def faces(rules: Rules, battle: Battle, shooter: Unit, mark: Mark) -> int:
    """Return how many faces of the die would light what a fire arrow is shot at."""
    dice = range(1, die_faces(flames.table(rules)) + 1)
    return sum(lights(rules, battle, shooter, mark.column, die) for die in dice)


def loose(rules: Rules, play: Play[Battle], shooter: Unit, mark: Mark) -> None:
    """Roll one fire arrow, which hits and lights by the same die."""
    battle, line = play.state, mark.line
    die, good = rolled(rules, play, shooter, mark)
    result = "lit" if good else "missed"
    band = ranges.band(rules, person(battle, shooter).missile, line.range)
    over = line_of_fire.over(rules, battle, line)
    cause = play.happen(
        Shot(shooter.id, mark.name, WEAPON, line.range, band, "", line.hexes, die, result, over)
    )
    if good:
        set_alight(rules, play, mark.hex, shooter.side, cause)


@rule("S5.31d")
def rolled(rules: Rules, play: Play[Battle], shooter: Unit, mark: Mark) -> tuple[int, bool]:
    """Roll the one die of a fire arrow, in the column of what it is shot at; return it, and whether it
    lights.
    """
    label = f"{rules.sequence.phase(play.state.at.phase).heading}/{shooter.id}/fire"
    sides = die_faces(flames.table(rules))
    die = play.roll(label, sides)[0]
    sum_ = tally(rules, play.state, shooter, die)
    good = lights(rules, play.state, shooter, mark.column, die)
    said = f"{mark.name} catches fire" if good else "nothing catches fire"
    words = f"fire arrow at a {mark.column.replace('_', ' ')}"
    full, found = f"{play.cursor}/{label}", "yes" if good else "no"
    why = reasons(sum_.modifiers)
    play.happen(Rolled(full, sides, (die,), "S5.31d", "fire", words, sum_.said, why, sum_.total, found, said))
    return die, good


@rule("S5.31e")
def set_alight(rules: Rules, play: Play[Battle], hex_: str, side: str, cause: int) -> None:
    """Let the hex of an engine or a tent that was hit catch fire."""
    burning.ignite(rules, play, hex_, side, cause, "S5.31e")
