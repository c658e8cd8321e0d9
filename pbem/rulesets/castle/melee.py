"""Close combat: whom one can strike, at a base or across access points, and what it does."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.core.odds import Modifier, Tally
from pbem.core.play import Play
from pbem.core.problem import Problem, first_problem
from pbem.core.rule import rule
from pbem.geometry.plane import CONTACT, inches
from pbem.rulesets.castle import assault
from pbem.rulesets.castle.access import opposite
from pbem.rulesets.castle.arcs import in_front
from pbem.rulesets.castle.attack import CRITICAL, HIT, damage, from_behind, height, tally, throw, value
from pbem.rulesets.castle.dial import Rules, can
from pbem.rulesets.castle.formations import joined, no_formation
from pbem.rulesets.castle.ruin import captured
from pbem.rulesets.castle.space import base, gap, in_contact
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
    args = {"who": one.name, "target": target.name}
    return Problem("castle.not-in-contact", args, rule="MKB11", help=_how_to(rules, war, one, target))


def _how_to(rules: Rules, war: War, one: Figure, target: Figure) -> str:
    """Return how somebody could come to strike another."""
    apart = gap(base(rules, one), base(rules, target))
    lies = (
        f"{inches(apart)} inches lie between their bases" if apart > CONTACT else "they are not on one level"
    )
    if one.on == target.on or (one.on and target.on):
        return f"{lies}; first: {one.id} moves toward {target.id} until contact"
    section = target.on or one.on
    where = f"{target.id} stands on {section}" if target.on else f"{one.id} stands on {section}"
    return f"{lies}, and {where}: by an open access point of it he is reached, if {one.id} looks at it"


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
def exposed(
    rules: Rules, war: War, units: Sequence[Figure], target: Figure, capture: bool
) -> tuple[Figure, ...]:
    """Return among whom the defender may choose who is struck: across access points all whom each attacker
    could strike so, the highest defence first (MKA10); at a base the target alone.
    """
    if any(in_contact(rules, war, one, target) for one in units):
        return (target,)
    others = [
        other
        for other in war.up
        if other.side == target.side
        and all(across(rules, war, one, other) for one in units)
        and not (capture and no_capture(rules, other))
    ]
    return tuple(sorted(others, key=lambda other: (-value(rules, other, "defence"), other.id != target.id)))


def struck(rules: Rules, war: War, units: Sequence[Figure], target: Figure, capture: bool) -> Figure:
    """Return whom an attack is made on: of several, whom the defender has named, else the first."""
    others = exposed(rules, war, units, target, capture)
    wanted = war.order_of(target.owner).victim
    named = (other for name in wanted for other in others if other.id == name)
    return next(named, others[0])


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
        other = struck(rules, war, warriors, other, capture)
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
