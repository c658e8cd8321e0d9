"""Whether one figure can shoot at another, and how: by which side of its hex, along which line, in which
range band and at which cover.

What the die then gets added to it, and what the tables say, is ``shot_odds``; whether the way is free is
asked of ``line_of_fire``, what shelters the target of ``cover``.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec.structs import replace

from pbem.core.problem import Problem
from pbem.core.ruleset import Ruleset
from pbem.rulesets.siege.combat import clear, misfire, ranges
from pbem.rulesets.siege.ground import on_ladders
from pbem.rulesets.siege.ground.character import spared
from pbem.rulesets.siege.sight import (
    any_part,
    cover,
    crests,
    crossfire,
    line_of_fire,
    lines,
    near,
    recall,
    ways,
)
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state.line import Aim, Line, Ray, Settled, View
from pbem.rulesets.siege.state.state import DEAD, Battle, Unit
from pbem.rulesets.siege.things import ballista, rams
from pbem.rulesets.siege.turn import sequence

Rules = Ruleset[Battle]

MEMORY: Final = ("shots recalled",)
"""The question what is remembered of earlier moments."""
Asked = tuple[object, ...]
"""A question about a shot: who shoots at whom, in which hex, by which side."""


def why_not(rules: Rules, battle: Battle, shooter: Unit, target: Unit) -> Problem | None:
    """Return why one figure cannot shoot at another in the phase that is open; None if it can."""
    if problem := not_ready(rules, battle, shooter):
        return problem
    found = aim(rules, battle, shooter, target)
    return found if isinstance(found, Problem) else None


def not_ready(rules: Rules, battle: Battle, shooter: Unit) -> Problem | None:
    """Return why a figure cannot shoot at anybody now; None if it only wants a target."""
    known, asked = battle.asked[rules], ("not-ready", battle.called(shooter))
    if asked not in known:
        known[asked] = _not_ready(rules, battle, shooter)
    found: Problem | None = known[asked]
    return found


def _not_ready(rules: Rules, battle: Battle, shooter: Unit) -> Problem | None:
    if problem := sequence.may_shoot(rules, battle, shooter, battle.at.phase) or ballista.has_served(shooter):
        return problem
    if not lines.where(battle, shooter):
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
    known, asked = _answers(rules, battle, target), _question(battle, shooter, target, at, across)
    found: Aim | Problem | None = known.get(asked)
    if found is None and not (at or across):
        found = _at_once(rules, battle, shooter, target)
        if found is not None:
            known[asked] = found
    if found is None:
        found = _remembered(rules, battle, shooter, target, asked)
    return _looked(rules, battle, shooter, target, asked, at, across) if found is None else found


def _at_once(rules: Rules, battle: Battle, shooter: Unit, target: Unit) -> Aim | Problem | None:
    """Return what follows from what is settled of two places and from where others stand; None if the rules
    have to be asked one by one.
    """
    if ways.keeps(rules, battle):
        found = clear.aimed(rules, battle, shooter, target, clear.stand_of(rules, battle, shooter))
        return found if isinstance(found, Aim) else None
    if not target.living or on_ladders.on(battle, shooter) or not battle.foes(shooter, target):
        return None
    ray = ways.on_the_level(rules, battle, shooter, target)
    if ray is None:
        return None
    for bars in family.here(rules, battle).shots.bars:
        if bars(rules, battle, shooter, target):
            return None
    known = ray.settled[0]
    band = ranges.band(rules, ranges.weapon_of(rules, battle, shooter), known.line.range)
    return _settled_along(rules, battle, shooter, target, ray, known, band) if band else None


def _known(rules: Rules, battle: Battle, shooter: Unit, target: Unit, asked: Asked) -> Aim | Problem | None:
    """Return what was found out in this moment, or in an earlier one where it still holds; None if nothing
    was.
    """
    found: Aim | Problem | None = _answers(rules, battle, target).get(asked)
    return _remembered(rules, battle, shooter, target, asked) if found is None else found


def _remembered(
    rules: Rules, battle: Battle, shooter: Unit, target: Unit, asked: Asked
) -> Aim | Problem | None:
    """Return what was found out in an earlier moment where it still holds; None if nothing was."""
    found: Aim | Problem | None = None
    if remembered := _memory(rules, battle, shooter, target):
        found = remembered.get(asked)
        if found is not None:
            battle.seen[rules][asked] = found
    return found


def _looked(
    rules: Rules, battle: Battle, shooter: Unit, target: Unit, asked: Asked, at: str = "", across: str = ""
) -> Aim | Problem:
    """Look, and keep what was found for this moment and for later ones."""
    found = _aimed(rules, battle, shooter, target, at, across)
    known = _answers(rules, battle, target)
    known[asked] = found
    remembered = _memory(rules, battle, shooter, target) if known is battle.seen[rules] else None
    if remembered:
        remembered.keep(asked, _depends_on(rules, battle, shooter, target, across), found)
    return found


def _answers(rules: Rules, battle: Battle, target: Unit) -> dict[Any, Any]:
    """Return where it is kept how a target is shot at. Who stands in a doorway may shelter from others,
    wherever they are, for as long as these have not shot (S1.53b): of it nothing holds but for this moment.
    """
    if battle.field.openings and crossfire.doorway_of(battle, target):
        return battle.asked[rules]
    return battle.seen[rules]


def _question(battle: Battle, shooter: Unit, target: Unit, at: str, across: str) -> Asked:
    return "aim", battle.known_as(shooter), battle.known_as(target), at, across


def _memory(rules: Rules, battle: Battle, shooter: Unit, target: Unit) -> recall.Recall | None:
    """Return what is remembered of earlier moments; nothing is where no lines are kept on which it could
    depend.
    """
    if not _by_places(rules, battle, shooter, target):
        return None
    known = battle.seen[rules]
    if MEMORY not in known:
        known[MEMORY] = recall.of(rules, battle)
    found: recall.Recall | None = known[MEMORY]
    if found is not None:
        found.turn_to(rules, battle)
    return found


def _by_places(rules: Rules, battle: Battle, shooter: Unit, target: Unit) -> bool:
    """Tell whether what is between two figures is kept by the places where they stand."""
    return ways.keeps(rules, battle) and len(shooter.at) == len(target.at) == 1


def _depends_on(rules: Rules, battle: Battle, shooter: Unit, target: Unit, across: str) -> int:
    """Return the mask of all on which it depended how one figure shoots at another: what is round the two,
    and what their lines meet, if it came to these.
    """
    here, there, mask = shooter.at[0], target.at[0], 0
    for side in ways.sides_to_try(rules, battle, here, there, across):
        if kept := lines.already(rules, battle, here, there, side):
            mask |= kept.mask
    return mask or any_part.round_about(battle, here) | any_part.round_about(battle, there)


def barred_by(rules: Rules, battle: Battle, shooter: Unit, target: Unit, found: Problem) -> str:
    """Return the figure that keeps a shot from a target as long as it stays as it is, whoever else stands
    about or goes away, where ``found`` says that it does now; empty where that is not certain.
    """
    if found.code != misfire.IN_THE_WAY or battle.things:
        return ""
    return str(found.args["other"]) if ways.on_the_level(rules, battle, shooter, target) else ""


def out_of_range(rules: Rules, battle: Battle, shooter: Unit, target: Unit) -> bool:
    """Tell whether a figure on the map is too far away to be shot at, whatever else there is to say of it."""
    weapon = ranges.weapon_of(rules, battle, shooter)
    if not (weapon and shooter.at and target.at):
        return False
    return not ranges.band(rules, weapon, ranges.range_to(battle, shooter, target))


def hopeless(rules: Rules, battle: Battle, shooter: Unit, target: Unit, across: str = "") -> bool:
    """Tell whether ground and walls, or the range, keep a shot from a target whoever else stands about.

    Only what is certain is told, for that no line need be asked why: False may be either.
    """
    if not (len(shooter.at) == len(target.at) == 1 and target.living):
        return out_of_range(rules, battle, shooter, target)
    if not ways.keeps(rules, battle):
        if out_of_range(rules, battle, shooter, target):
            return True
        ray = ways.on_the_level(rules, battle, shooter, target)
        return ray is not None and ray.barred
    way = near.row(rules, battle, shooter.at[0], across).ways.get(target.at[0])
    if (way is not None and way.shut) or out_of_range(rules, battle, shooter, target):
        return True
    if way is None:
        way = ways.between(rules, battle, shooter.at[0], target.at[0], across)
    return way is not None and way.shut


def _aimed(rules: Rules, battle: Battle, shooter: Unit, target: Unit, at: str, across: str) -> Aim | Problem:
    names = {"unit": shooter.id, "target": target.id}
    if spared(battle, target):
        return Problem("shooting.bystander", names, rule="CH0.1m", help="name an enemy, or write: nearest")
    if not battle.foes(shooter, target):
        return Problem("shooting.friend", names, rule="S1.41a", help="name an enemy, or write: nearest")
    if battle.unseen(target):
        return Problem("shooting.unseen", names)
    if not target.living or not lines.where(battle, target):
        return Problem(
            "shooting.target-gone",
            {**names, "state": DEAD if target.state == DEAD else "gone"},
            rule="S1.41a",
        )
    if problem := on_ladders.only_the_faced(rules, battle, shooter, target):
        return problem
    for bars in family.here(rules, battle).shots.bars:
        if problem := bars(rules, battle, shooter, target):
            return problem

    weapon, hexes = ranges.weapon_of(rules, battle, shooter), ranges.range_to(battle, shooter, target, at)
    reached = ranges.band(rules, weapon, hexes)
    if not reached:
        said = ", ".join(f"{name} {first} to {last}" for name, first, last in ranges.bands(rules, weapon))
        far: dict[str, str | int] = {**names, "range": hexes, "weapon": ranges.words(weapon)}
        return Problem("shooting.range", far, rule="S1.3b", help=f"its ranges in hexes are {said}")

    sides = ways.by_which_sides(rules, battle, shooter.at[0], target.at[0])
    if across and across not in sides:
        said = f"at him he shoots across {' or '.join(sides)}" if sides else f"leave out: across {across}"
        return Problem("shooting.across-away", {**names, "side": across}, rule="S1.44a", help=said)

    choice = (across,) if across else ways.choice(sides)
    if len(choice) == 1:
        return _by(rules, battle, shooter, target, at, across, {hexes: reached})
    each = [_by(rules, battle, shooter, target, at, side, {hexes: reached}) for side in choice]
    free = [one for one in each if isinstance(one, Aim)]
    return min(free, key=lambda one: cover.rank(one.cover)) if free else each[0]


def targets(rules: Rules, battle: Battle, shooter: Unit, among: Iterable[Unit]) -> Iterator[tuple[Unit, Aim]]:
    """Yield those of some figures at whom one that may shoot now can shoot, each with how."""
    stand = clear.stand_of(rules, battle, shooter)
    shut = _shut(rules, battle, shooter, stand)
    for target in among:
        # whom walls shut off costs no call, and of a crowd before a castle they are most
        if target.at not in shut and (found := _at(rules, battle, shooter, target, stand)):
            yield target, found


def sight(rules: Rules, battle: Battle, shooter: Unit) -> Callable[[Unit], Aim | None]:
    """Return what tells how one that may shoot now shoots at a target, as ``aim`` has it; None if it cannot.

    Where there is no hope nobody is asked why.
    """
    stand = clear.stand_of(rules, battle, shooter)
    shut = _shut(rules, battle, shooter, stand)

    def sees(target: Unit) -> Aim | None:
        return None if target.at in shut else _at(rules, battle, shooter, target, stand)

    return sees


def _shut(
    rules: Rules, battle: Battle, shooter: Unit, stand: clear.Stand | None
) -> Container[tuple[str, ...]]:
    """Return the places at which it is known that nobody shoots from that of a shooter."""
    if stand is not None:
        return stand.row.shut
    if len(shooter.at) != 1 or not ways.keeps(rules, battle):
        return ()
    return near.row(rules, battle, shooter.at[0], "").shut


def _at(rules: Rules, battle: Battle, shooter: Unit, target: Unit, stand: clear.Stand | None) -> Aim | None:
    found = clear.aimed(rules, battle, shooter, target, stand)
    if not isinstance(found, ways.Unsure):
        return found
    asked = _question(battle, shooter, target, "", "")
    known = _known(rules, battle, shooter, target, asked)
    if known is None and not hopeless(rules, battle, shooter, target):
        known = aim(rules, battle, shooter, target)
    return known if isinstance(known, Aim) else None


def _by(
    rules: Rules, battle: Battle, shooter: Unit, target: Unit, at: str, across: str, known: Mapping[int, str]
) -> Aim | Problem:
    """Return how a figure would shoot by one of its sides, or why it cannot; ``known`` is range -> band, as
    far as they were looked up.
    """
    if _by_places(rules, battle, shooter, target):
        return _by_rays(rules, battle, shooter, target, across, next(iter(known.values())))
    weapon = ranges.weapon_of(rules, battle, shooter)

    def figures(length: int, own: Sequence[str], view: View | None, mask: int) -> int:
        name = known.get(length) or ranges.band(rules, weapon, length)
        return line_of_fire.figures(rules, battle, shooter, own, name, view, mask)

    found = _first_free(
        _along(rules, battle, shooter, target, line, name)
        for line in lines.open_lines(rules, battle, shooter, target, at, across, figures)
        if (name := known.get(line.range) or ranges.band(rules, weapon, line.range))
    )
    if found is None:
        raise LookupError(f"no line in range leads from {shooter.at[0]} to {target.at[0]}")
    return found


def _first_free(found: Iterable[Aim | Problem]) -> Aim | Problem | None:
    """Return the first way to shoot among what came of several lines; if there is none, why not by the first,
    and None where there was no line.
    """
    first: Aim | Problem | None = None
    for one in found:
        if isinstance(one, Aim):
            return one
        first = first or one
    return first


def _by_rays(
    rules: Rules, battle: Battle, shooter: Unit, target: Unit, across: str, band: str
) -> Aim | Problem:
    def figures(length: int, own: Sequence[str], view: View | None, mask: int) -> int:
        return line_of_fire.figures(rules, battle, shooter, own, band, view, mask)

    def by(ray: Ray) -> Aim | Problem:
        if known := ways.settled(rules, battle, shooter, target, ray):
            return _settled_along(rules, battle, shooter, target, ray, known, band)
        return _along(rules, battle, shooter, target, lines.along(battle, ray), band)

    found = _first_free(map(by, lines.rays(rules, battle, shooter.at[0], target.at[0], across, figures)))
    if found is None:
        raise LookupError(f"no line leads from {shooter.at[0]} to {target.at[0]}")
    return found


def _settled_along(
    rules: Rules, battle: Battle, shooter: Unit, target: Unit, ray: Ray, known: Settled, band: str
) -> Aim | Problem:
    """Return how, or why not, a shot is made along a line of which all is settled but who stands about."""
    problem, line = known.first, known.line
    if problem is None:
        line = lines.along(battle, ray)
        problem = line_of_fire.obstacles(rules, battle, shooter, target, line, band, known.cover)
        problem = problem or known.last
    if problem:
        names = {"unit": shooter.id, "target": target.id}
        return Problem(problem.code, {**problem.args, **names}, rule=problem.rule, help=problem.help)
    problem = misfire.why_not(rules, battle, shooter, target, target.at[0])
    return problem or Aim(line, band, known.cover, known.rule)


def _along(rules: Rules, battle: Battle, shooter: Unit, target: Unit, line: Line, band: str) -> Aim | Problem:
    """Return how, or why not, a shot is made along a line."""
    class_, owed = cover.cover(rules, battle, shooter, target, line)
    problem = barred(rules, battle, shooter, target, line, band, class_)
    if problem and problem.code == cover.INFINITE and owed and family.of(rules).shots.owes:
        problem = replace(problem, rule=owed)
    problem = problem or misfire.why_not(rules, battle, shooter, target, lines.place_in(target, line.end))
    return problem or Aim(line, band, class_, owed)


def barred(
    rules: Rules, battle: Battle, shooter: Unit, target: Unit, line: Line, band: str, class_: str
) -> Problem | None:
    """Return what keeps a shot from its target along a line: the target's cover, what is in the way, an edge
    of a slope; None if nothing does.
    """
    problem = cover.why_not(rules, battle, shooter, target, line, class_)
    problem = problem or line_of_fire.obstacles(rules, battle, shooter, target, line, band, class_)
    return problem or crests.why_not(rules, battle, shooter, target, line)
