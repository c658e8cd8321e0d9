"""Close combat: whom one can strike, at a base or across access points, and what it does."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.core.odds import Modifier, Tally
from pbem.core.play import Play
from pbem.core.problem import Problem, first_problem
from pbem.core.rule import rule
from pbem.rulesets.castle import assault
from pbem.rulesets.castle.access import opposite
from pbem.rulesets.castle.arcs import in_front
from pbem.rulesets.castle.attack import CRITICAL, HIT, damage, from_behind, height, tally, throw, value
from pbem.rulesets.castle.dial import Rules, can
from pbem.rulesets.castle.formations import joined, no_formation
from pbem.rulesets.castle.ruin import captured
from pbem.rulesets.castle.space import in_contact
from pbem.rulesets.castle.state import Figure, Section, War

One = Figure | Section


@rule("MKB11", "MK10.3")
def out_of_reach(rules: Rules, war: War, one: Figure, target: One) -> Problem | None:
    """Return why a warrior cannot strike somebody, or None: at his base and before him, or across access
    points.
    """
    if isinstance(target, Section):
        return first_problem(assault.problems(rules, war, one, target, assault.CLOSE))
    if in_contact(rules, war, one, target):
        if in_front(rules, one, target):
            return None
        return Problem("castle.not-before", {"who": one.name, "target": target.name}, rule="MKB11")
    if across(rules, war, one, target):
        return None
    return Problem("castle.not-in-contact", {"who": one.name, "target": target.name}, rule="MKB11")


@rule("MK10.1", "MK10.2")
def across(rules: Rules, war: War, one: Figure, target: Figure) -> bool:
    """Tell whether two fight on stairs or a ladder: at connected access points, which counts for this attack
    alone.
    """
    return target.side != one.side and opposite(rules, war, one, target) is not None


@rule("MK12.4", "MK13.1")
def only_shoots(one: One) -> Problem | None:
    """Return why somebody cannot make a close attack, or be given a move, or None: a section cannot."""
    if isinstance(one, Section):
        return Problem("castle.section-shoots", {"who": one.name}, rule="MK12.4")
    return None


@rule("MK10.5")
def struck(rules: Rules, war: War, one: Figure, target: Figure) -> Figure:
    """Return whom an attack across access points is made on: of several, whom the defender chooses, by
    default the one with the highest defence (MKA10).
    """
    if in_contact(rules, war, one, target):
        return target
    others = [other for other in war.up if other.side == target.side and across(rules, war, one, other)]
    wanted = war.order_of(target.owner).victim
    chosen = [other for name in wanted for other in others if other.id == name]
    if chosen:
        return chosen[0]
    best = max(value(rules, other, "defence") for other in others)
    return next((other for other in (target, *others) if value(rules, other, "defence") == best), target)


def why_not(rules: Rules, war: War, units: Sequence[One], target: One, capture: bool) -> Problem | None:
    """Return why some cannot make a close attack together, or None."""
    for one in units:
        if (problem := only_shoots(one)) is not None:
            return problem
    warriors = [one for one in units if isinstance(one, Figure)]
    if target.gone or target.side == warriors[0].side:
        return Problem("castle.no-enemy", {"target": target.name}, rule="MKB11")
    if len(units) > 1 and (problem := no_formation(rules, war, units)) is not None:
        return problem
    if capture and (problem := no_capture(rules, target)) is not None:
        return problem
    return first_problem(out_of_reach(rules, war, one, target) for one in warriors)


@rule("MKB18", "MK3.1")
def no_capture(rules: Rules, target: One) -> Problem | None:
    """Return why somebody cannot be captured, or None: the game has no captures, or it is a section or a
    titan.
    """
    if rules.setting("capture") == "no":
        return Problem("castle.no-captures", rule="MKB18")
    if isinstance(target, Section) or can(rules, target, "titan"):
        return Problem("castle.not-captured", {"target": target.name}, rule="MK3.1")
    return None


def values(
    rules: Rules, war: War, units: Sequence[Figure], target: One, capture: bool
) -> tuple[Tally, Tally]:
    """Return attack and defence of a close attack, with what moves them; fortification does not (MK16.4)."""
    first = units[0]
    attack = tally(
        value(rules, first, "attack"),
        "attack",
        (joined(rules, "close", len(units)), from_behind(rules, units, target)),
    )
    taken = Modifier("MKB18", "capture", rules.tables["attacks"]["capture"]) if capture else None
    return attack, tally(
        value(rules, target, "defence"), "defence", (height(rules, war, first, target), taken)
    )


@rule("MKB11")
def strike(rules: Rules, play: Play[War], units: Sequence[str], target: str, capture: bool = False) -> None:
    """Carry out a close attack: the first of a formation strikes with his values."""
    war = play.state
    warriors = [war.figure(id_) for id_ in units]
    other = war.one(target)
    if isinstance(other, Figure):
        other = struck(rules, war, warriors[0], other)
    attack, defence = values(rules, war, warriors, other, capture)
    how = "capture" if capture else "close attack"
    came = throw(rules, play, f"close/{units[0]}/{other.id}", units, other.id, how, attack, defence)
    if came not in (HIT, CRITICAL):
        return
    if capture:
        captured(rules, play, other.id, units[0])
        return
    clicks = value(rules, warriors[0], "damage") + ramming(rules, warriors[0], other)
    damage(rules, play, units[0], other.id, clicks, came, "close attack")


def ramming(rules: Rules, one: Figure, target: One) -> int:
    """Return what a ram adds to the clicks of a close attack on a section."""
    found: int = rules.tables["attacks"]["ram"]
    return found if isinstance(target, Section) and can(rules, one, "ram") else 0
