"""Ranged combat: ranges, lines of fire, several targets, and sections that shoot."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.core.odds import Tally
from pbem.core.play import Play
from pbem.core.problem import Problem, first_problem
from pbem.core.rule import rule
from pbem.geometry.plane import inches, within
from pbem.rulesets.castle import assault
from pbem.rulesets.castle.arcs import in_front
from pbem.rulesets.castle.attack import CRITICAL, HIT, cover, damage, height, tally, throw, value
from pbem.rulesets.castle.dial import Rules, can, row
from pbem.rulesets.castle.formations import joined, no_formation
from pbem.rulesets.castle.fortification import fortified
from pbem.rulesets.castle.sight import in_line
from pbem.rulesets.castle.space import body, enemies_at, footprint, gap, in_contact
from pbem.rulesets.castle.state import Figure, Section, War

One = Figure | Section


@rule("MKB12", "MK13.3")
def in_range(rules: Rules, one: One, target: One, reach: int) -> bool:
    """Tell whether the nearest point of a target is at most so far from the shooter's centre, on the flat."""
    shape, size = body(rules, target)
    return within((one.at,), shape, reach + size)


def reach_of(rules: Rules, one: One) -> int:
    """Return the range of a warrior or a section."""
    found: int = row(rules, one)["range"]
    return found


@rule("MKB21", "MK13.5", "MK13.6")
def long_range(rules: Rules, one: One, target: One) -> int:
    """Return the range of a long-range attack: twice that of a large shooter or a section at something as
    large; 0 where there is none.
    """
    large = ("large", "titan", "multi-dial")
    shooter = isinstance(one, Section) or any(can(rules, one, ability) for ability in large)
    if not shooter or not (
        isinstance(target, Section) or any(can(rules, target, ability) for ability in large_for(one))
    ):
        return 0
    times: int = rules.tables["attacks"]["long_range"]["times"]
    return reach_of(rules, one) * times


def large_for(one: One) -> tuple[str, ...]:
    """Return the kinds of warriors that somebody may shoot at from twice as far: a section not at large
    ones.
    """
    return ("multi-dial", "titan") if isinstance(one, Section) else ("large", "multi-dial", "titan")


def is_long(rules: Rules, one: One, target: One, wanted: bool) -> bool:
    """Tell whether a shot is a long one: if it is ordered so, or the target is too far for another."""
    return bool(long_range(rules, one, target)) and (
        wanted or not in_range(rules, one, target, reach_of(rules, one))
    )


@rule("MK12.3", "MK18.9")
def shoots_at_all(rules: Rules, one: One) -> bool:
    """Tell whether somebody can shoot: with a range, and an attack above nothing."""
    return reach_of(rules, one) > 0 and value(rules, one, "attack") > 0


@rule("MK13.4")
def too_near(rules: Rules, one: One, target: One) -> Problem | None:
    """Return why a section cannot shoot at something, or None: it is 4 inches from it or less, edge to edge
    (MKA4).
    """
    if not isinstance(one, Section):
        return None
    least = rules.tables["measures"]["section_dead_ground"]
    a, r = footprint(rules, one)
    b, s = body(rules, target)
    if not within(a, b, r + s + least):
        return None
    args = {"who": one.name, "target": target.name, "inches": inches(least)}
    return Problem("castle.too-near", args, rule="MK13.4")


@rule("MKB12")
def not_free(rules: Rules, war: War, one: One, target: One) -> Problem | None:
    """Return what of those who stand together keeps somebody from shooting, or None: enemies at his own base,
    or a friend at the target's.
    """
    if isinstance(one, Figure) and enemies_at(rules, war, one):
        return Problem("castle.enemy-at-base", {"who": one.name}, rule="MKB12")
    if isinstance(target, Figure) and not can(rules, one, "sharpshooter"):
        near = [
            other.name for other in war.up if other.side == one.side and in_contact(rules, war, other, target)
        ]
        if near:
            args = {"target": target.name, "friend": near[0]}
            return Problem("castle.friend-at-target", args, rule="MKB12")
    return None


def no_shot(rules: Rules, war: War, one: One, target: One) -> Problem | None:
    """Return why somebody cannot shoot at something, or None."""
    args: dict[str, str | int] = {"who": one.name, "target": target.name}
    if not shoots_at_all(rules, one):
        return Problem("castle.no-missiles", args, rule="MK12.3" if isinstance(one, Section) else "MKB12")
    if target.gone or target.side == one.side:
        return Problem("castle.no-enemy", args, rule="MKB12")
    if isinstance(target, Section) and isinstance(one, Figure):
        found = first_problem(assault.problems(rules, war, one, target, assault.RANGED))
        if found is not None:
            return found
    reach = max(reach_of(rules, one), long_range(rules, one, target))
    return first_problem(
        (
            too_near(rules, one, target),
            not_free(rules, war, one, target),
            out_of_sight(rules, war, one, target, reach),
        )
    )


def out_of_sight(rules: Rules, war: War, one: One, target: One, reach: int) -> Problem | None:
    """Return why nothing goes from somebody to another, or None: he is not before him, too far, or hidden."""
    args: dict[str, str | int] = {"who": one.name, "target": target.name}
    if not in_front(rules, one, target):
        return Problem("castle.not-before", args, rule="MKB12")
    return _too_far(rules, one, target, reach) or _blocked(rules, war, one, target)


def _too_far(rules: Rules, one: One, target: One, reach: int) -> Problem | None:
    if in_range(rules, one, target, reach):
        return None
    args = {"who": one.name, "target": target.name, "inches": inches(reach)}
    far = inches(gap(((one.at,), 0), body(rules, target)))
    return Problem("castle.too-far", args, rule="MKB12", help=f"{target.id} is {far} inches away")


def _blocked(rules: Rules, war: War, one: One, target: One) -> Problem | None:
    by = in_line(rules, war, one, target)
    if not by:
        return None
    args = {"who": one.name, "target": target.name, "by": war.one(by).name if war.knows(by) else by}
    return Problem("castle.no-line", args, rule="MKB13")


def why_not(
    rules: Rules, war: War, units: Sequence[One], targets: Sequence[One], share: Sequence[int], wanted: bool
) -> Problem | None:
    """Return why some cannot shoot at some, or None."""
    first = units[0]
    if len(units) > 1:
        if (problem := no_formation(rules, war, units)) is not None:
            return problem
        if len(targets) > 1:
            return Problem("castle.one-target", rule="MKB17")
    if len(targets) > row(rules, first).get("targets", 1):
        args: dict[str, str | int] = {"who": first.name, "most": row(rules, first).get("targets", 1)}
        return Problem("castle.targets", args, rule="MKB12")
    most = clicks_at(rules, units, targets, wanted)
    if sum(share) > most:
        args = {"who": first.name, "most": most}
        return Problem("castle.share", args, rule="MKB12")
    return first_problem(no_shot(rules, war, one, target) for target in targets for one in units)


def values(rules: Rules, war: War, units: Sequence[One], target: One) -> tuple[Tally, Tally]:
    """Return attack and defence of a ranged attack, with what moves them."""
    first = units[0]
    attack = tally(value(rules, first, "attack"), "attack", (joined(rules, "ranged", len(units)),))
    moved = (
        cover(rules, war, first, target),
        height(rules, war, first, target),
        fortified(rules, war, first, target),
    )
    return attack, tally(value(rules, target, "defence"), "defence", moved)


def clicks_of(rules: Rules, one: One, target: One, long: bool) -> int:
    """Return the damage of a shot: less of a long one, but never nothing (MKA11)."""
    shown = value(rules, one, "damage")
    table = rules.tables["attacks"]["long_range"]
    return max(shown + table["damage"], table["least"]) if long else shown


def clicks_at(rules: Rules, units: Sequence[One], targets: Sequence[One], wanted: bool) -> int:
    """Return the damage of the shots of some at all their targets: less where one of them is a long one."""
    far = any(is_long(rules, one, target, wanted) for one in units for target in targets)
    return clicks_of(rules, units[0], targets[0], far)


def dealt(
    rules: Rules, units: Sequence[One], targets: Sequence[One], share: Sequence[int], long: bool
) -> tuple[int, ...]:
    """Return how many clicks of damage each target gets: one all of them, several as ordered, else as evenly
    as can be.
    """
    if share and len(targets) > 1:
        return tuple(share)
    whole, rest = divmod(clicks_at(rules, units, targets, long), len(targets))
    return tuple(whole + (n < rest) for n in range(len(targets)))


def shoot(
    rules: Rules,
    play: Play[War],
    units: Sequence[str],
    targets: Sequence[str],
    share: Sequence[int],
    long: bool,
) -> None:
    """Carry out a ranged attack: one roll against each target."""
    war = play.state
    several = [war.one(id_) for id_ in units]
    shots = dealt(rules, several, [war.one(id_) for id_ in targets], share, long)
    for id_, clicks in zip(targets, shots, strict=True):
        war = play.state
        shooters, other = [war.one(unit) for unit in units], war.one(id_)
        far = any(is_long(rules, one, other, long) for one in shooters)
        attack, defence = values(rules, war, shooters, other)
        how = "long shot" if far else "shot"
        came = throw(rules, play, f"shot/{units[0]}/{id_}", units, id_, how, attack, defence)
        if came in (HIT, CRITICAL):
            damage(rules, play, units[0], id_, clicks, came, how)
        if play.state.one(units[0]).out:
            return
