"""Shooting: at whom a figure may shoot, with which die, in which table, row and column, and what the result
does.

Whether it is a figure's time to shoot is decided in ``sequence``, what is in the way in ``line_of_fire``,
what the target hides behind in
``cover``, what a wound does to a figure in ``counter``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from pbem.core.odds import Modifier, Tally
from pbem.core.play import Play
from pbem.core.problem import Problem
from pbem.core.rule import rule
from pbem.core.ruleset import Files, Ruleset
from pbem.core.table import Grid
from pbem.geometry.hex import distance
from pbem.rulesets.siege.combat import misfire
from pbem.rulesets.siege.ground import climbing, heights, slits
from pbem.rulesets.siege.ground.character import person, spared
from pbem.rulesets.siege.march.beasts import as_mounted, fate_of_shot, figure, is_animal, said_of_shot, suffer
from pbem.rulesets.siege.orders import carry
from pbem.rulesets.siege.sight import cover, crests, crossfire, line_of_fire
from pbem.rulesets.siege.state.events import Checked, Reason, Rolled, Shot
from pbem.rulesets.siege.state.line import Line
from pbem.rulesets.siege.state.orders import Item, OrderFile, Shoot, When
from pbem.rulesets.siege.state.orders import Line as OrderLine
from pbem.rulesets.siege.state.state import DEAD, WOUNDED, Battle, Unit
from pbem.rulesets.siege.things import ballista, rams
from pbem.rulesets.siege.turn import sequence, skill

Rules = Ruleset[Battle]

NEAREST: Final = "nearest"
SHOOT_NEAREST: Final = "shoot-nearest"
SIDES_OF_THE_DIE: Final = 10


@dataclass(frozen=True, slots=True)
class Aim:
    """A shot that can be loosed: its line, its range band, the target's cover and the rule that gives it."""

    line: Line
    band: str
    cover: str
    cover_rule: str


# --- at whom


def why_not(rules: Rules, battle: Battle, shooter: Unit, target: Unit) -> Problem | None:
    """Return why one figure cannot shoot at another in the phase that is open; None if it can."""
    if problem := not_ready(rules, battle, shooter):
        return problem
    found = aim(rules, battle, shooter, target)
    return found if isinstance(found, Problem) else None


def not_ready(rules: Rules, battle: Battle, shooter: Unit) -> Problem | None:
    """Return why a figure cannot shoot at anybody now; None if it only wants a target."""
    if problem := sequence.may_shoot(rules, battle, shooter, battle.at.phase) or ballista.has_served(shooter):
        return problem
    if not line_of_fire.where(battle, shooter):
        return Problem("shooting.off-map", {"unit": shooter.id}, rule="S1.41a")
    return rams.cannot_shoot(battle, shooter)


def aim(
    rules: Rules, battle: Battle, shooter: Unit, target: Unit, at: str = "", across: str = ""
) -> Aim | Problem:
    """Return how a figure that may shoot now would shoot at a target (in the hex ``at``, where it is named),
    or why it cannot.

    Where more lines than one are possible, the first free one is taken; if none is free, the first tells why.
    Who has several sides of his hex to shoot by, and names none, takes that on which the target has the least
    cover, of equal ones the first.
    """
    names = {"unit": shooter.id, "target": target.id}
    if spared(battle, target):
        return Problem("shooting.bystander", names, rule="CH0.1m", help="name an enemy, or write: nearest")
    if not battle.foes(shooter, target):
        return Problem("shooting.friend", names, rule="S1.41a", help="name an enemy, or write: nearest")
    if not target.living or not line_of_fire.where(battle, target):
        return Problem(
            "shooting.target-gone",
            {**names, "state": DEAD if target.state == DEAD else "gone"},
            rule="S1.41a",
        )
    if problem := climbing.only_the_faced(rules, battle, shooter, target):
        return problem
    weapon, hexes = weapon_of(rules, battle, shooter), range_to(battle, shooter, target, at)
    reached = band(rules, weapon, hexes)
    if not reached:
        said = ", ".join(f"{name} {first} to {last}" for name, first, last in bands(rules, weapon))
        far: dict[str, str | int] = {**names, "range": hexes, "weapon": _words(weapon)}
        return Problem("shooting.range", far, rule="S1.3b", help=f"its ranges in hexes are {said}")
    sides = by_which_sides(rules, battle, shooter, target)
    if across and across not in sides:
        said = f"at him he shoots across {' or '.join(sides)}" if sides else f"leave out: across {across}"
        return Problem("shooting.across-away", {**names, "side": across}, rule="S1.44a", help=said)
    choice = () if across else slits.to_choose_from(sides)
    if not choice:
        return _by(rules, battle, shooter, target, at, across, {hexes: reached})
    each = [_by(rules, battle, shooter, target, at, side, {hexes: reached}) for side in choice]
    free = [one for one in each if isinstance(one, Aim)]
    return min(free, key=lambda one: cover.rank(one.cover)) if free else each[0]


def _by(
    rules: Rules, battle: Battle, shooter: Unit, target: Unit, at: str, across: str, known: Mapping[int, str]
) -> Aim | Problem:
    """Return how a figure would shoot by one of its sides, or why it cannot; ``known`` is range -> band, as
    far as they were looked up.
    """
    if (
        len(shooter.at) == len(target.at) == 1
        and line_of_fire.keeps_rays(rules)
        and heights.matter(rules, battle)
    ):
        return _by_rays(rules, battle, shooter, target, across, next(iter(known.values())))
    weapon = weapon_of(rules, battle, shooter)
    tried = (
        _along(rules, battle, shooter, target, line, name)
        for line in line_of_fire.lines(rules, battle, shooter, target, at, across)
        if (name := known.get(line.range) or band(rules, weapon, line.range))
    )
    first = next(tried)
    return (
        first if isinstance(first, Aim) else next((found for found in tried if isinstance(found, Aim)), first)
    )


def _by_rays(
    rules: Rules, battle: Battle, shooter: Unit, target: Unit, across: str, band: str
) -> Aim | Problem:
    first: Problem | None = None
    for ray in line_of_fire.rays(rules, battle, shooter.at[0], target.at[0], across):
        if not ray.barred:
            found = _along(rules, battle, shooter, target, line_of_fire.along(battle, ray), band)
            if isinstance(found, Aim):
                return found
            first = first or found
        elif first is None:
            kept = ray.barred[0]
            first = Problem(
                kept.code,
                {**kept.args, "unit": shooter.id, "target": target.id},
                rule=kept.rule,
                help=kept.help,
            )
    if first is None:
        raise LookupError(f"no line leads from {shooter.at[0]} to {target.at[0]}")
    return first


def by_which_sides(rules: Rules, battle: Battle, shooter: Unit, target: Unit) -> tuple[str, ...]:
    """Return the sides with a parapet or an arrow slit by which one figure shoots at another; none where he
    shoots from the centre.
    """
    if not heights.matter(rules, battle):
        return ()
    return slits.by(battle, shooter.at[0], target.at[0])


def _along(rules: Rules, battle: Battle, shooter: Unit, target: Unit, line: Line, band: str) -> Aim | Problem:
    """Return how, or why not, a shot is made along a line; what does not depend on who stands about is worked
    out once.
    """
    ray = line.ray
    if ray and ray.cover:
        class_, owed = ray.cover[0]
    else:
        class_, owed = cover.cover(rules, battle, shooter, target, line)
        if ray and line.end not in battle.field.openings:
            ray.cover.append((class_, owed))
    problem = _barred(rules, battle, shooter, target, line, band, class_)
    if problem and ray and ray.cover and problem.code != misfire.IN_THE_WAY:
        ray.barred.append(problem)
    problem = problem or misfire.why_not(
        rules, battle, shooter, target, line_of_fire.place_in(target, line.end)
    )
    return problem or Aim(line, band, class_, owed)


def _barred(
    rules: Rules, battle: Battle, shooter: Unit, target: Unit, line: Line, band: str, class_: str
) -> Problem | None:
    problem = cover.why_not(rules, battle, shooter, target, line, class_)
    problem = problem or line_of_fire.obstacles(rules, battle, shooter, target, line, band, class_)
    return problem or crests.why_not(rules, battle, shooter, target, line)


def check_shoot(rules: Rules, battle: Battle, seat: str, order: Shoot) -> Iterator[Problem]:
    """Yield what is wrong with an order to shoot: nothing if one of its targets can be shot at.

    Fire arrows are not asked about here.
    """
    if order.fire:
        return
    shooter = battle.units[order.who]
    if problem := not_usual(battle, order) or not_ready(rules, battle, shooter):
        yield problem
        return
    chosen = choose(rules, battle, shooter, order.at, order.across)
    if isinstance(chosen, list):
        yield from chosen


def not_usual(battle: Battle, order: Shoot) -> Problem | None:
    """Return why a shot cannot be made by the side that is named: none but a parapet, or an arrow slit, of
    his own hex can be.
    """
    if not order.across:
        return None
    shooter = battle.units[order.who]
    sides = by_sides(battle, shooter.at[0]) if shooter.at else ()
    if order.across in sides:
        return None
    said = f"he has one on {' '.join(sides)}" if sides else f"leave out: across {order.across}"
    return Problem("shooting.across", {"unit": order.who, "side": order.across}, rule="S1.44a", help=said)


def by_sides(battle: Battle, place: str) -> tuple[str, ...]:
    """Return the sides of a place on which there is a parapet or an arrow slit to shoot by."""
    return slits.sides_with(battle, place, slits.PARAPET) + slits.sides_with(battle, place, slits.SLIT)


def choose(
    rules: Rules, battle: Battle, shooter: Unit, wanted: Sequence[str], across: str = ""
) -> tuple[Unit, Aim] | list[Problem]:
    """Return the first of the targets that is legal now, with the shot at it; or what is wrong with each of
    them.
    """
    problems: list[Problem] = []
    for name in wanted:
        if name == NEAREST:
            found = nearest(rules, battle, shooter)
            if found is not None:
                return found
            problems.append(Problem("shooting.nobody", {"unit": shooter.id}, rule="S1.41a"))
            continue
        hex_ = name if name[0].isdigit() else ""
        target = at_hex(battle, shooter, hex_) if hex_ else battle.units[name]
        if target is None:
            problems.append(
                Problem("shooting.nobody-there", {"unit": shooter.id, "hex": hex_}, rule="S3.31d")
            )
            continue
        aimed = aim(rules, battle, shooter, target, hex_, across)
        if isinstance(aimed, Aim):
            return target, aimed
        problems.append(aimed)
    return problems


def at_hex(battle: Battle, shooter: Unit, hex_: str) -> Unit | None:
    """Return the enemy of two hexes that stands in a hex, so that the order may name the hex to hit it there;
    None if there is none.
    """
    found = (battle.units[id_] for id_ in battle.living_in.get(hex_, ()))
    return next((unit for unit in found if len(unit.at) > 1 and battle.foes(unit, shooter)), None)


def nearest(rules: Rules, battle: Battle, shooter: Unit) -> tuple[Unit, Aim] | None:
    """Return the enemy at the fewest hexes that can be shot at, ties by the lowest id, animals never; None if
    there is none.
    """
    here = line_of_fire.where(battle, shooter)
    foes = (
        unit
        for unit in battle.units.values()
        if battle.foes(shooter, unit) and unit.living and not is_animal(unit)
    )
    stands = ((unit.id, line_of_fire.stands_in(battle, unit)) for unit in foes)
    far = sorted((min(distance(here, hex_) for hex_ in hexes), id_) for id_, hexes in stands if hexes)
    weapon = weapon_of(rules, battle, shooter)
    for hexes, id_ in far:
        if not band(rules, weapon, hexes):
            break
        target = battle.units[id_]
        aimed = aim(rules, battle, shooter, target)
        if isinstance(aimed, Aim):
            return target, aimed
    return None


# --- die and row


@rule("S1.3d")
def weapon_of(rules: Rules, battle: Battle, shooter: Unit) -> str:
    """Return the weapon whose columns of the table are read: that of the shooter."""
    return line_of_fire.weapon(rules, battle, shooter)


def range_to(battle: Battle, shooter: Unit, target: Unit, at: str = "") -> int:
    """Return the number of hexes from shooter to target, the target's counted and not the shooter's; of two
    the nearer, or ``at``.
    """
    start, hexes = (
        line_of_fire.where(battle, shooter),
        (at,) if at else line_of_fire.stands_in(battle, target),
    )
    return distance(start, hexes[0]) if len(hexes) == 1 else min(distance(start, hex_) for hex_ in hexes)


def shot_at(target: Unit, aimed: Aim) -> Unit:
    """Return a target as who counts the range sees it: of two hexes only that in which it is shot at."""
    return target if len(target.at) < 2 else replace(target, at=(aimed.line.end,))


def bands(rules: Rules, weapon: str) -> list[tuple[str, int, int]]:
    """Return the range bands of a weapon: name, first and last hex."""
    table = rules.tables["ranges_and_modifiers"]
    return [
        (name, *limits)
        for name, limits in zip(table["columns"], table["weapons"][weapon]["bands"], strict=True)
    ]


@rule("CH12.3a")
def band(rules: Rules, weapon: str, hexes: int) -> str:
    """Return the range band in which a weapon shoots so many hexes far, empty beyond the last."""
    table = rules.tables["ranges_and_modifiers"]
    for name, (first, last) in zip(table["columns"], table["weapons"][weapon]["bands"], strict=True):
        if first <= hexes <= last:
            return str(name)
    return ""


@rule("S1.3b")
def far(rules: Rules, battle: Battle, shooter: Unit, target: Unit) -> Modifier | None:
    """Return what the range band adds to the die."""
    weapon = weapon_of(rules, battle, shooter)
    table = rules.tables["ranges_and_modifiers"]
    name = band(rules, weapon, range_to(battle, shooter, target))
    return Modifier(
        "S1.3b", f"{name} range", table["weapons"][weapon]["modifier"][table["columns"].index(name)]
    )


@rule("CH12.3c")
def unsteady(rules: Rules, battle: Battle, shooter: Unit, target: Unit) -> Modifier | None:
    """Return what a wound of the shooter adds to the die."""
    if shooter.state != WOUNDED:
        return None
    return Modifier(
        "CH12.3c", "wounded shooter", rules.tables["ranges_and_modifiers"]["modifiers"]["wounded_shooter"]
    )


MODIFIERS: Final[tuple[Callable[..., Modifier | None], ...]] = (far, unsteady, skill.of_the_shot)
ASTRAY: Final[tuple[Callable[..., Modifier | None], ...]] = (far, unsteady, skill.of_the_misfire)
"""Of the die of a shot, and of that of a misfire."""


def tally(rules: Rules, battle: Battle, shooter: Unit, target: Unit, die: int = 0) -> Tally:
    """Return the die and everything that is added to it, each with its rule; without a die, only what would
    be added.
    """
    found = Tally(die, f"die {die}" if die else "die")
    for modifier in rules.modifiers["shot"]:
        found = found.plus(modifier(rules, battle, shooter, target))
    return found


@rule("S1.3i")
def shifted(die: int, sum_: Tally) -> int:
    """Return the die with its modifiers: what adds to it is bad for the shooter, for low rows hit hardest."""
    return sum_.total


@rule("S1.3h")
def clamped(row: int, lowest: int, highest: int) -> int:
    """Return the printed row nearest to a sum."""
    return max(lowest, min(highest, row))


# --- table, column, result


@rule("CH12.3b")
def well_protected(battle: Battle, target: Unit) -> bool:
    """Tell whether a target is a knight: better protected than others, on foot too."""
    return person(battle, target).missile_class == "knights"


@rule("S1.3c")
def table_for(rules: Rules, battle: Battle, target: Unit) -> str:
    """Return the name of the shooting table for a target's category: knights and others, or riders and
    figures on foot (option).
    """
    if rules.setting("missile_target_split") == "mounted_vs_foot":
        protected = as_mounted(target)
    else:
        protected = well_protected(battle, figure(battle, target))
    return "shooting_knights" if protected else "shooting_others"


@rule("S1.3f")
def column(aimed: Aim) -> str:
    """Return the cover class of the target, by which the column is chosen."""
    return aimed.cover


@rule("S1.3e")
def result(grid: Grid, row: int, column: str) -> str:
    """Return the result code where the row of the modified die and the column of the cover meet."""
    return grid.cell(row, column)


@rule("E7.1h")
def takes_cover(effect: str) -> bool:
    """Tell whether a result only makes the target take cover."""
    return effect == "checked"


@rule("S1.3a")
def rolled(play: Play[Battle], label: str) -> int:
    """Return the one ten-sided die of a shot."""
    return play.roll(label, SIDES_OF_THE_DIE)[0]


# --- a phase


def resolve(
    rules: Rules,
    play: Play[Battle],
    files: Files,
    with_fire: carry.Doer | None = None,
    others: carry.Doers | None = None,
) -> None:
    """Carry out the shots of a phase, in the order of the lines; a side that sent nothing does what the
    scenario says of it.

    ``with_fire`` shoots fire arrows, ``others`` carry out orders that are not shots with a weapon of one's
    own.
    """
    phase = play.state.at.phase
    shot: set[str] = set()

    def shoot(rules: Rules, play: Play[Battle], seat: str, order: Shoot) -> Problem | None:
        return (
            _once(rules, play, seat, order, shot, with_fire)
            if order.fire and with_fire
            else _shoot(rules, play, order, shot)
        )

    for part in _in_turn(rules, play.state, files):
        carry.carry(rules, play, part, phase, {Shoot: shoot, **(others or {})})
    if not files and play.state.field.side(play.state.at.side).silent == SHOOT_NEAREST:
        for id_ in _everybody(rules, play.state):
            _shoot(rules, play, Shoot(id_, (NEAREST,)), shot)


def silence(rules: Rules, battle: Battle, side: str) -> str:
    """Return what a side does that sends nothing: it is placed, it rests a day, or it does what the scenario
    says of it.
    """
    if battle.at.phase in ("setup", "day"):
        return battle.at.phase
    return battle.field.side(side).silent


def _everybody(rules: Rules, battle: Battle) -> list[str]:
    """Return the figures of the active side by id; with the option, bowmen on foot before all others."""
    ids = sorted(unit.id for unit in battle.units.values() if unit.side == battle.at.side)
    return sorted(ids, key=lambda id_: not goes_first(rules, battle, id_))


def goes_first(rules: Rules, battle: Battle, id_: str) -> bool:
    """Tell whether a figure shoots before others because it is a bowman on foot."""
    unit = battle.units[id_]
    bows = rules.tables["ranges_and_modifiers"]["skill_groups"]["bows"]
    return (
        sequence.bowmen_first(rules, battle.at.phase) and not unit.on and person(battle, unit).missile in bows
    )


def _in_turn(rules: Rules, battle: Battle, files: Files) -> list[Files]:
    """Return the files as they stand; with the option, of each seat's newest first the lines of bowmen on
    foot, then all others.
    """
    if not sequence.bowmen_first(rules, battle.at.phase):
        return [files]
    return [
        {seat: (_part(rules, battle, held[-1], early),) for seat, held in files.items()}
        for early in (True, False)
    ]


def _part(rules: Rules, battle: Battle, file: OrderFile, early: bool) -> OrderFile:
    phase = battle.at.phase
    items = tuple(item for item in file.sections.get(phase, ()) if _is_early(rules, battle, item) == early)
    sections: Mapping[str, Any] = {**file.sections, phase: items}
    return replace(file, sections=sections)


def _is_early(rules: Rules, battle: Battle, item: Item) -> bool:
    """Tell whether nobody but bowmen on foot is named in an item; a branch stays whole."""
    if isinstance(item, When):
        return all(_is_early(rules, battle, inner) for inner in (*item.then, *item.otherwise))
    return (
        isinstance(item, OrderLine)
        and isinstance(item.order, Shoot)
        and goes_first(rules, battle, item.order.who)
    )


def _once(
    rules: Rules, play: Play[Battle], seat: str, order: Shoot, shot: set[str], doer: carry.Doer
) -> Problem | None:
    """Let a doer carry out a shot, if it is the first of its shooter in this phase."""
    if order.who in shot:
        return Problem("shooting.again", {"unit": order.who}, rule="S1.21a")
    problem = doer(rules, play, seat, order)
    if problem is None:
        shot.add(order.who)
    return problem


def _shoot(rules: Rules, play: Play[Battle], order: Shoot, shot: set[str]) -> Problem | None:
    """Loose the shot of one order at the first target that is legal now; return why there is none."""
    battle = play.state
    shooter = battle.units[order.who]
    if shooter.id in shot:
        return Problem("shooting.again", {"unit": shooter.id}, rule="S1.21a")
    if problem := not_usual(battle, order) or not_ready(rules, battle, shooter):
        return problem
    chosen = choose(rules, battle, shooter, order.at, order.across)
    while not isinstance(chosen, list) and crossfire.settle(rules, play, chosen[0]):
        chosen = choose(rules, play.state, shooter, order.at, order.across)
    if isinstance(chosen, list):
        return chosen[0]
    shot.add(shooter.id)
    loose(rules, play, shooter, *chosen)
    return None


def loose(rules: Rules, play: Play[Battle], shooter: Unit, target: Unit, aimed: Aim) -> None:
    """Roll one shot, read its table, and let its result happen to the target."""
    battle = play.state
    label = f"{rules.sequence.phase(battle.at.phase).heading}/{shooter.id}"
    die = rolled(play, label)
    sum_ = tally(rules, battle, shooter, shot_at(target, aimed), die)
    lowest, highest = rules.tables["ranges_and_modifiers"]["clamp_die"]
    row = clamped(shifted(die, sum_), lowest, highest)
    table, weapon, sheltered = (
        table_for(rules, battle, target),
        weapon_of(rules, battle, shooter),
        column(aimed) or "none",
    )
    grid: Grid = rules.tables[table]["weapons"][weapon]["grid"]
    code = result(grid, row, sheltered)
    meaning = grid.key[code]
    reasons = tuple(Reason(*modifier) for modifier in sum_.modifiers)
    said = f"{_words(weapon)}, {sheltered if sheltered != 'none' else 'no'} cover"
    does = said_of_shot(rules, battle, target, code, meaning["text"])
    full = f"{play.cursor}/{label}"
    play.happen(
        Rolled(full, SIDES_OF_THE_DIE, (die,), "S1.3a", table, said, sum_.said, reasons, row, code, does)
    )
    line, over = aimed.line, line_of_fire.over(rules, battle, aimed.line)
    cause = play.happen(
        Shot(
            shooter.id,
            target.id,
            weapon,
            line.range,
            aimed.band,
            aimed.cover,
            line.hexes,
            die,
            code,
            over,
            aimed.cover_rule,
        )
    )
    fate = fate_of_shot(rules, battle, target, code, meaning["foot"])
    if takes_cover(fate.rider) or takes_cover(fate.horse):
        play.happen(Checked(figure(battle, target).id, str(battle.at)))
    else:
        suffer(rules, play, target, fate, cause, "S1.3e")
    if misfire.goes_astray(rules, meaning["foot"]):
        near = (
            battle.units[id_]
            for id_ in misfire.beside(rules, battle, shooter, line_of_fire.place_in(target, aimed.line.end))
        )
        at_risk = [friend.id for friend in near if _exposed(rules, battle, shooter, friend)]
        if at_risk:
            misfire.stray(rules, play, shooter, shot_at(target, aimed), at_risk, label)


def _exposed(rules: Rules, battle: Battle, shooter: Unit, friend: Unit) -> bool:
    """Tell whether a shot that goes astray can reach one of the shooter's own figures."""
    found = (
        (line, cover.cover(rules, battle, shooter, friend, line)[0])
        for line in line_of_fire.lines(rules, battle, shooter, friend)
    )
    return any(
        not misfire.shielded(_barred(rules, battle, shooter, friend, line, "short", class_))
        for line, class_ in found
    )


def _words(weapon: str) -> str:
    return weapon.replace("_", " ")
