"""Shooting: the shots of a phase one after the other, at the first of its targets that each can be loosed at,
and what the result does.

Whether one figure can shoot at another, and how, is ``aiming``, what is added to the die and what the tables
say ``shot_odds``. Whether it is a figure's time to shoot is decided in ``sequence``, what a wound does to a
figure in ``counter``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from heapq import heapify, heappop
from typing import Any, Final

from msgspec.structs import replace

from pbem.core.play import Play
from pbem.core.problem import Problem
from pbem.core.rule import rule
from pbem.core.ruleset import Files, Ruleset
from pbem.geometry.hex import distance
from pbem.rulesets.siege.combat import aiming, misfire, ranges, shot_odds
from pbem.rulesets.siege.ground import slits
from pbem.rulesets.siege.ground.character import person
from pbem.rulesets.siege.march.beasts import fate_of_shot, figure, said_of_shot, suffer
from pbem.rulesets.siege.orders import carry_out
from pbem.rulesets.siege.sight import cover, crossfire, line_of_fire, lines
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state.events import Checked, Rolled, Shot, reasons
from pbem.rulesets.siege.state.line import Aim
from pbem.rulesets.siege.state.orders import Item, OrderFile, Shoot, When
from pbem.rulesets.siege.state.orders import Line as OrderLine
from pbem.rulesets.siege.state.state import Battle, Unit
from pbem.rulesets.siege.turn import sequence

Rules = Ruleset[Battle]

NEAREST: Final = "nearest"
SHOOT_NEAREST: Final = "shoot-nearest"


def check_shoot(rules: Rules, battle: Battle, seat: str, order: Shoot) -> Iterator[Problem]:
    """Yield what is wrong with an order to shoot: nothing if one of its targets can be shot at.

    Fire arrows are not asked about here.
    """
    if order.fire:
        return
    shooter = battle.units[order.who]
    if problem := not_usual(battle, order) or aiming.not_ready(rules, battle, shooter):
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
        aimed = aiming.aim(rules, battle, shooter, target, hex_, across)
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
    return next(aiming.targets(rules, battle, shooter, by_distance(battle, shooter)), None)


def by_distance(battle: Battle, shooter: Unit) -> Iterator[Unit]:
    """Yield the living enemies on the map who are no animals, the nearest first, ties by the lowest id; most
    who ask want but the first few.
    """
    here = lines.where(battle, shooter)
    far = [
        (_nearer(here, hexes) if hexes[1:] else distance(here, hexes[0]), id_)
        for id_, hexes in battle.men_against(shooter)
    ]
    heapify(far)
    while far:
        yield battle.units[heappop(far)[1]]


def _nearer(here: str, hexes: Sequence[str]) -> int:
    return min(distance(here, hex_) for hex_ in hexes)


# --- a phase


def resolve(
    rules: Rules,
    play: Play[Battle],
    files: Files,
    with_fire: carry_out.Doer | None = None,
    others: carry_out.Doers | None = None,
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
        carry_out.carry_out(rules, play, part, phase, {Shoot: shoot, **(others or {})})
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
    rules: Rules, play: Play[Battle], seat: str, order: Shoot, shot: set[str], doer: carry_out.Doer
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
    if problem := not_usual(battle, order) or aiming.not_ready(rules, battle, shooter):
        return problem
    chosen = choose(rules, battle, shooter, order.at, order.across)
    while not isinstance(chosen, list) and crossfire.settle(rules, play, chosen[0]):
        chosen = choose(rules, play.state, shooter, order.at, order.across)
    if isinstance(chosen, list):
        return chosen[0]
    shot.add(shooter.id)
    loose(rules, play, shooter, *chosen)
    return None


def label_of(rules: Rules, battle: Battle, shooter: Unit) -> str:
    """Return what the dice of a shot are called in the open phase, whose orders may have no section."""
    return f"{rules.sequence.phase(battle.at.phase).heading or 'shoot'}/{shooter.id}"


def loose(
    rules: Rules,
    play: Play[Battle],
    shooter: Unit,
    target: Unit,
    aimed: Aim,
    called: str = "",
    label: str = "",
) -> None:
    """Roll one shot, read its table, and let its result happen to the target.

    ``called`` is what falls from above, by the name that is told, and so threatens nobody beside the target;
    ``label`` is what its die is called where it is none of a figure's.
    """
    battle = play.state
    label = label or label_of(rules, battle, shooter)
    shots = family.of(rules).shots
    table, grid = shots.sheet(rules, battle, shooter, target)
    weapon, sheltered = ranges.weapon_of(rules, battle, shooter), shot_odds.column(aimed) or "none"

    die = shot_odds.rolled(play, label, grid)
    sum_ = shot_odds.tally(rules, battle, shooter, ranges.shot_at(target, aimed), die)
    lowest, highest = rules.tables["ranges_and_modifiers"]["clamp_die"]
    row = shot_odds.clamped(shot_odds.shifted(die, sum_.total - die), lowest, highest)
    code = shot_odds.result(grid, row, sheltered)
    meaning = grid.key[code]

    said = f"{ranges.words(weapon)}, {sheltered if sheltered != 'none' else 'no'} cover"
    does = said_of_shot(rules, battle, target, code, meaning["text"])
    full, why = f"{play.cursor}/{label}", reasons(sum_.modifiers)
    play.happen(Rolled(full, grid.faces, (die,), "S1.3a", table, said, sum_.said, why, row, code, does))

    line, over = aimed.line, line_of_fire.over(rules, battle, aimed.line)
    cause = play.happen(
        Shot(
            shooter.id,
            target.id,
            called or weapon,
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
    effect = next((shots.effects[word] for word in (fate.rider, fate.horse) if word in shots.effects), None)
    if effect is not None:
        effect(rules, play, shooter.id, figure(battle, target).id, cause)
    else:
        suffer(rules, play, target, fate, cause, "S1.3e")

    if not called and misfire.goes_astray(rules, meaning["foot"]):
        near = (
            battle.units[id_]
            for id_ in misfire.beside(rules, battle, shooter, lines.place_in(target, aimed.line.end))
        )
        at_risk = [friend.id for friend in near if _exposed(rules, battle, shooter, friend)]
        if at_risk:
            misfire.stray(rules, play, shooter, ranges.shot_at(target, aimed), at_risk, label)


@rule("E7.1h")
def take_cover(rules: Rules, play: Play[Battle], shooter: str, target: str, cause: int) -> None:
    """Let a target take cover, unhurt."""
    play.happen(Checked(target, str(play.state.at)))


def _exposed(rules: Rules, battle: Battle, shooter: Unit, friend: Unit) -> bool:
    """Tell whether a shot that goes astray can reach one of the shooter's own figures."""
    found = (
        (line, cover.cover(rules, battle, shooter, friend, line)[0])
        for line in lines.lines(rules, battle, shooter, friend)
    )
    return any(
        not misfire.shielded(aiming.barred(rules, battle, shooter, friend, line, "short", class_))
        for line, class_ in found
    )
