"""Whether one figure can shoot at another, and how: by which side of its hex, along which line, in which
range band and at which cover.

What the die then gets added to it, and what the tables say, is ``shot_odds``; whether the way is free is
asked of ``line_of_fire``, what shelters the target of ``cover``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from pbem.core.problem import Problem
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import distance
from pbem.rulesets.siege.combat import misfire
from pbem.rulesets.siege.ground import heights, on_ladders, slits
from pbem.rulesets.siege.ground.character import spared
from pbem.rulesets.siege.sight import cover, crests, line_of_fire, lines, near, reading, recall
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state.line import Line, View
from pbem.rulesets.siege.state.state import DEAD, Battle, Unit
from pbem.rulesets.siege.things import ballista, rams
from pbem.rulesets.siege.turn import sequence

Rules = Ruleset[Battle]

RAYS_KEPT: Final = ("rays kept",)
"""The question whether lines are kept by the places between which they run."""
MEMORY: Final = ("shots recalled",)
"""The question what is remembered of earlier moments."""
Asked = tuple[object, ...]
"""A question about a shot: who shoots at whom, in which hex, by which side."""


class Aim(Struct, frozen=True):
    """A shot that can be loosed: its line, its range band, the target's cover and the rule that gives it."""

    line: Line
    band: str
    cover: str
    cover_rule: str


def why_not(rules: Rules, battle: Battle, shooter: Unit, target: Unit) -> Problem | None:
    """Return why one figure cannot shoot at another in the phase that is open; None if it can."""
    if problem := not_ready(rules, battle, shooter):
        return problem
    found = aim(rules, battle, shooter, target)
    return found if isinstance(found, Problem) else None


def not_ready(rules: Rules, battle: Battle, shooter: Unit) -> Problem | None:
    """Return why a figure cannot shoot at anybody now; None if it only wants a target."""
    known, asked = battle.asked.of(rules), ("not-ready", battle.called(shooter))
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
    asked = _question(battle, shooter, target, at, across)
    found = _known(rules, battle, shooter, target, asked)
    return _looked(rules, battle, shooter, target, asked, at, across) if found is None else found


def _known(rules: Rules, battle: Battle, shooter: Unit, target: Unit, asked: Asked) -> Aim | Problem | None:
    """Return what was found out in this moment, or in an earlier one where it still holds; None if nothing
    was.
    """
    known = battle.seen.of(rules)
    found: Aim | Problem | None = known.get(asked)
    if found is None and (remembered := _memory(rules, battle, shooter, target)):
        found = remembered.get(asked)
        if found is not None:
            known[asked] = found
    return found


def _looked(
    rules: Rules, battle: Battle, shooter: Unit, target: Unit, asked: Asked, at: str = "", across: str = ""
) -> Aim | Problem:
    """Look, and keep what was found for this moment and for later ones."""
    found = _aimed(rules, battle, shooter, target, at, across)
    battle.seen.of(rules)[asked] = found
    remembered = _memory(rules, battle, shooter, target)
    # who stands in a doorway may shelter from others, wherever they are (S1.53b)
    if remembered and target.at[0] not in battle.field.openings:
        remembered.keep(asked, _depends_on(rules, battle, shooter, target, across), found)
    return found


def _question(battle: Battle, shooter: Unit, target: Unit, at: str, across: str) -> Asked:
    return "aim", battle.known_as(shooter), battle.known_as(target), at, across


def _memory(rules: Rules, battle: Battle, shooter: Unit, target: Unit) -> recall.Recall | None:
    """Return what is remembered of earlier moments; nothing is where no lines are kept on which it could
    depend.
    """
    if not _by_places(rules, battle, shooter, target):
        return None
    known = battle.seen.of(rules)
    if MEMORY not in known:
        known[MEMORY] = recall.of(rules, battle)
    found: recall.Recall | None = known[MEMORY]
    if found is not None:
        found.turn_to(rules, battle)
    return found


def _by_places(rules: Rules, battle: Battle, shooter: Unit, target: Unit) -> bool:
    """Tell whether what is between two figures is kept by the places where they stand."""
    return len(shooter.at) == len(target.at) == 1 and _keeps_rays(rules, battle)


def _depends_on(rules: Rules, battle: Battle, shooter: Unit, target: Unit, across: str) -> int:
    """Return the mask of all on which it depended how one figure shoots at another: what is round the two,
    and what their lines meet, if it came to these.
    """
    here, there, mask = shooter.at[0], target.at[0], 0
    for side in _sides_to_try(rules, battle, shooter, target, across):
        if kept := lines.already(rules, battle, here, there, side):
            mask |= kept.mask
    return mask or near.round_about(battle, here) | near.round_about(battle, there)


def _sides_to_try(rules: Rules, battle: Battle, shooter: Unit, target: Unit, across: str) -> tuple[str, ...]:
    """Return the sides of his hex among which a shooter who named one, or none, shoots by that with the least
    cover; empty texts leave it to the line.
    """
    return (across,) if across else _choice(by_which_sides(rules, battle, shooter, target))


def _choice(sides: Sequence[str]) -> tuple[str, ...]:
    return slits.to_choose_from(sides) or ("",)


def barred_by(rules: Rules, battle: Battle, shooter: Unit, target: Unit, found: Problem) -> str:
    """Return the figure that keeps a shot from a target as long as it stays as it is, whoever else stands
    about or goes away, where ``found`` says that it does now; empty where that is not certain.
    """
    if found.code != misfire.IN_THE_WAY or not _few_lines(rules) or battle.things:
        return ""
    if not len(shooter.at) == len(target.at) == 1 or heights.matter(rules, battle):
        return ""
    start, end = lines.where(battle, shooter), lines.where(battle, target)
    if end in battle.field.openings or len(list(lines.tracks(rules, battle, start, end))) != 1:
        return ""
    return str(found.args["other"])


def _few_lines(rules: Rules) -> bool:
    """Tell whether there are few lines between two places, and each hex on them bars by itself."""
    return reading.either_hex_bars(rules) and not reading.from_any_part(rules)


def out_of_range(rules: Rules, battle: Battle, shooter: Unit, target: Unit) -> bool:
    """Tell whether a figure on the map is too far away to be shot at, whatever else there is to say of it."""
    weapon = weapon_of(rules, battle, shooter)
    if not (weapon and shooter.at and target.at):
        return False
    return not band(rules, weapon, range_to(battle, shooter, target))


def hopeless(rules: Rules, battle: Battle, shooter: Unit, target: Unit, across: str = "") -> bool:
    """Tell whether ground and walls, or the range, keep a shot from a target whoever else stands about.

    Only what is certain is told, for that no line need be asked why: False may be either.
    """
    if not (len(shooter.at) == len(target.at) == 1 and target.living):
        return out_of_range(rules, battle, shooter, target)
    known = near.shut_off(rules, battle, shooter.at[0], across)
    if target.at[0] in known or out_of_range(rules, battle, shooter, target):
        return True
    mask = _shut_off(rules, battle, shooter, target, across)
    if mask:
        known[target.at[0]] = mask
    return mask != 0


def _shut_off(rules: Rules, battle: Battle, shooter: Unit, target: Unit, across: str) -> int:
    """Return the mask of all on which it depends that ground and walls keep a shot from a target, by
    whichever side; none where they may not.
    """
    if not _keeps_rays(rules, battle):
        return 0
    whole = 0
    for side in _sides_to_try(rules, battle, shooter, target, across):
        mask = lines.shut_off(rules, battle, shooter.at[0], target.at[0], side)
        if not mask:
            return 0
        whole |= mask
    return whole


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

    weapon, hexes = weapon_of(rules, battle, shooter), range_to(battle, shooter, target, at)
    reached = band(rules, weapon, hexes)
    if not reached:
        said = ", ".join(f"{name} {first} to {last}" for name, first, last in bands(rules, weapon))
        far: dict[str, str | int] = {**names, "range": hexes, "weapon": words(weapon)}
        return Problem("shooting.range", far, rule="S1.3b", help=f"its ranges in hexes are {said}")

    sides = by_which_sides(rules, battle, shooter, target)
    if across and across not in sides:
        said = f"at him he shoots across {' or '.join(sides)}" if sides else f"leave out: across {across}"
        return Problem("shooting.across-away", {**names, "side": across}, rule="S1.44a", help=said)

    choice = (across,) if across else _choice(sides)
    if len(choice) == 1:
        return _by(rules, battle, shooter, target, at, across, {hexes: reached})
    each = [_by(rules, battle, shooter, target, at, side, {hexes: reached}) for side in choice]
    free = [one for one in each if isinstance(one, Aim)]
    return min(free, key=lambda one: cover.rank(one.cover)) if free else each[0]


def targets(rules: Rules, battle: Battle, shooter: Unit, among: Iterable[Unit]) -> Iterator[tuple[Unit, Aim]]:
    """Yield those of some figures at whom one that may shoot now can shoot, each with how: as ``aim`` has it,
    but where there is no hope nobody is asked.
    """
    shut = _shut_from(rules, battle, shooter)
    for target in among:
        if found := _at(rules, battle, shooter, target, shut):
            yield target, found


def at(rules: Rules, battle: Battle, shooter: Unit, target: Unit) -> Aim | None:
    """Return how one that may shoot now shoots at a target, as ``targets`` has it; None if it cannot."""
    return _at(rules, battle, shooter, target, _shut_from(rules, battle, shooter))


def _shut_from(rules: Rules, battle: Battle, shooter: Unit) -> Mapping[str, int] | None:
    """Return the places that are known to be shut off from a shooter; None where no lines are kept."""
    if not _keeps_rays(rules, battle):
        return None
    return near.shut_off(rules, battle, shooter.at[0], "") if len(shooter.at) == 1 else {}


def _at(
    rules: Rules, battle: Battle, shooter: Unit, target: Unit, shut: Mapping[str, int] | None
) -> Aim | None:
    found: Aim | Problem | None = None
    if shut is None:
        if not out_of_range(rules, battle, shooter, target):
            found = aim(rules, battle, shooter, target)
    elif len(target.at) != 1 or target.at[0] not in shut:
        asked = _question(battle, shooter, target, "", "")
        found = _known(rules, battle, shooter, target, asked)
        if found is None and not hopeless(rules, battle, shooter, target):
            found = _looked(rules, battle, shooter, target, asked)
    return found if isinstance(found, Aim) else None


def _keeps_rays(rules: Rules, battle: Battle) -> bool:
    known = battle.seen.of(rules)
    if RAYS_KEPT not in known:
        known[RAYS_KEPT] = lines.keeps_rays(rules) and (
            heights.matter(rules, battle) or reading.from_any_part(rules)
        )
    found: bool = known[RAYS_KEPT]
    return found


def _by(
    rules: Rules, battle: Battle, shooter: Unit, target: Unit, at: str, across: str, known: Mapping[int, str]
) -> Aim | Problem:
    """Return how a figure would shoot by one of its sides, or why it cannot; ``known`` is range -> band, as
    far as they were looked up.
    """
    if _by_places(rules, battle, shooter, target):
        return _by_rays(rules, battle, shooter, target, across, next(iter(known.values())))
    weapon = weapon_of(rules, battle, shooter)

    def figures(length: int, own: Sequence[str], view: View | None, mask: int) -> int:
        name = known.get(length) or band(rules, weapon, length)
        return line_of_fire.figures(rules, battle, shooter, own, name, view, mask)

    ways = lines.open_lines(rules, battle, shooter, target, at, across, figures)
    in_band = ((line, known.get(line.range) or band(rules, weapon, line.range)) for line in ways)
    tried = (_along(rules, battle, shooter, target, line, name) for line, name in in_band if name)
    first = next(tried)
    return (
        first if isinstance(first, Aim) else next((found for found in tried if isinstance(found, Aim)), first)
    )


def _by_rays(
    rules: Rules, battle: Battle, shooter: Unit, target: Unit, across: str, band: str
) -> Aim | Problem:
    first: Problem | None = None

    def figures(length: int, own: Sequence[str], view: View | None, mask: int) -> int:
        return line_of_fire.figures(rules, battle, shooter, own, band, view, mask)

    living = lines.living(battle)
    for ray in lines.rays(rules, battle, shooter.at[0], target.at[0], across, figures):
        if ray.free and not living & ray.mask:
            problem = misfire.why_not(rules, battle, shooter, target, target.at[0])
            if problem is None:
                return Aim(ray.free[0], band, *ray.cover[0])
            first = first or problem
        elif not ray.barred:
            found = _along(rules, battle, shooter, target, lines.along(battle, ray), band)
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
    problem = barred(rules, battle, shooter, target, line, band, class_)
    if problem and problem.code == cover.INFINITE and owed and family.of(rules).shots.owes:
        problem = replace(problem, rule=owed)
    if problem and ray and ray.cover and problem.code != misfire.IN_THE_WAY:
        ray.barred.append(problem)
    elif not problem and ray and ray.cover and line.met is ray.still:
        ray.free.append(line)
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


# --- how far


@rule("S1.3d")
def weapon_of(rules: Rules, battle: Battle, shooter: Unit) -> str:
    """Return the weapon whose columns of the table are read: that of the shooter."""
    return line_of_fire.weapon(rules, battle, shooter)


def range_to(battle: Battle, shooter: Unit, target: Unit, at: str = "") -> int:
    """Return the number of hexes from shooter to target, the target's counted and not the shooter's; of two
    the nearer, or ``at``.
    """
    start, hexes = shooter.hexes[0], (at,) if at else target.hexes
    return min(distance(start, hex_) for hex_ in hexes) if hexes[1:] else distance(start, hexes[0])


def shot_at(target: Unit, aimed: Aim) -> Unit:
    """Return a target as who counts the range sees it: of two hexes only that in which it is shot at."""
    return target if len(target.at) < 2 else replace(target, at=(aimed.line.end,))


def bands(rules: Rules, weapon: str) -> list[tuple[str, int, int]]:
    """Return the range bands of a weapon: name, first and last hex; not those that it does not have."""
    table = rules.tables["ranges_and_modifiers"]
    return [
        (name, *limits)
        for name, limits in zip(table["columns"], table["weapons"][weapon]["bands"], strict=True)
        if limits[0] <= limits[1]
    ]


@rule("CH12.3a")
def band(rules: Rules, weapon: str, hexes: int) -> str:
    """Return the range band in which a weapon shoots so many hexes far, empty beyond the last."""
    table = rules.tables["ranges_and_modifiers"]
    return _holding(table["columns"], table["weapons"][weapon]["bands"], hexes)


@lru_cache(maxsize=1 << 10)
def _holding(names: tuple[str, ...], bands: tuple[tuple[int, int], ...], hexes: int) -> str:
    found = zip(names, bands, strict=True)
    return next((name for name, (first, last) in found if first <= hexes <= last), "")


@cache
def words(weapon: str) -> str:
    """Return the name of a weapon as players read it."""
    return weapon.replace("_", " ")
