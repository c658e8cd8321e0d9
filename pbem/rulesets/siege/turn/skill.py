"""The skill of shooters: who may have which number, what the numbers of a side come to, and where they are
added.

They are given in the scenario or ordered in the setup; what a modified die means is read in ``shot_odds`` and
``misfire``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from pbem.core.odds import Modifier
from pbem.core.play import Play
from pbem.core.problem import Problem
from pbem.core.regex import regex
from pbem.core.rule import rule
from pbem.core.ruleset import Files, Ruleset
from pbem.rulesets.siege.ground.character import person
from pbem.rulesets.siege.state.deed import is_on
from pbem.rulesets.siege.state.events import Skilled
from pbem.rulesets.siege.state.field import Force, Person, SideInfo
from pbem.rulesets.siege.state.orders import Item, Line, Skill, When
from pbem.rulesets.siege.state.state import Battle, Unit

Rules = Ruleset[Battle]
_NUMBER = regex(r"[+-]?[0-9]{1,2}")


def in_force(rules: Rules) -> bool:
    """Tell whether shooters have skills in this game (option)."""
    return is_on(rules, "shooter_skill")


# --- on the die


@rule("S6.22c", "S6.22e", "S6.22f")
def of_the_shot(rules: Rules, battle: Battle, shooter: Unit, target: Unit) -> Modifier | None:
    """Return what a shooter's skill adds to his die, on top of everything else: the lower the better, for low
    dice hit.
    """
    return Modifier("S6.22c", "skill", shooter.skill) if shooter.skill and in_force(rules) else None


@rule("S6.22d")
def of_the_misfire(rules: Rules, battle: Battle, shooter: Unit, target: Unit) -> Modifier | None:
    """Return what it adds to the die of his misfires, where low dice spare his friends."""
    return Modifier("S6.22d", "skill", shooter.skill) if shooter.skill and in_force(rules) else None


# --- who has which


def group(rules: Rules, missile: str) -> str:
    """Return the group of shooters that a weapon belongs to: all bows are one, crossbows another; empty for
    who does not shoot.
    """
    groups = rules.tables["ranges_and_modifiers"]["skill_groups"]
    return next((str(name) for name, weapons in groups.items() if missile in weapons), "")


@rule("S6.22a")
def beyond(rules: Rules, unit: str, value: int) -> Problem | None:
    """Return why nobody has such a number; None from -3 to +3."""
    limits = rules.tables["ranges_and_modifiers"]["modifiers"]
    least, most = limits["skill_min"], limits["skill_max"]
    if least <= value <= most:
        return None
    return Problem("skill.range", {"unit": unit, "skill": value, "least": least, "most": most}, rule="S6.22a")


@rule("S6.22b")
def uneven(rules: Rules, given: Iterable[tuple[str, int]]) -> Problem | None:
    """Return the group of weapons, of (weapon, skill) of all shooters of a side, whose numbers do not come to
    0; None if all do.
    """
    sums: dict[str, int] = {}
    for missile, value in given:
        sums[group(rules, missile)] = sums.get(group(rules, missile), 0) + value
    for name, found in sorted(sums.items()):
        if found != rules.tables["ranges_and_modifiers"]["modifiers"]["skill_sum_per_side_and_group"]:
            help_ = "what one has more, another has less; bows short and long are one group"
            return Problem("skill.sum", {"group": name, "sum": f"{found:+d}"}, rule="S6.22b", help=help_)
    return None


@rule("CH6.22g")
def settled(unit: Unit) -> Problem | None:
    """Return why a shooter gets no other number: once given it stays; None if he has none yet."""
    return (
        Problem("skill.settled", {"unit": unit.id, "skill": f"{unit.skill:+d}"}, rule="CH6.22g")
        if unit.skill
        else None
    )


def why_not(rules: Rules, battle: Battle, order: Skill) -> Problem | None:
    """Return why a number cannot be given to somebody; None if it can, as far as he alone is concerned."""
    unit = battle.units[order.who]
    if "skill" not in battle.field.setup[battle.at.turn - 1].may:
        return Problem(
            "skill.not-now",
            {"unit": unit.id},
            help="the scenario says in which step of the setup skills are given",
        )
    if not group(rules, person(battle, unit).missile):
        return Problem("skill.no-shooter", {"unit": unit.id}, rule="S6.22a")
    return settled(unit) or beyond(rules, unit.id, order.value)


def check(rules: Rules, battle: Battle, seat: str, order: Skill) -> Iterator[Problem]:
    """Yield what is wrong with an order that gives a skill."""
    if problem := why_not(rules, battle, order):
        yield problem


def check_all(rules: Rules, battle: Battle, items: Iterable[Item]) -> Problem | None:
    """Return why the numbers that one file gives do not balance; None if they do."""
    given = ((battle.units[order.who], order.value) for order in _orders(items) if order.who in battle.units)
    return uneven(rules, [(person(battle, unit).missile, value) for unit, value in given if value])


def read(rules: Rules, id_: str, who: Person | None, said: str) -> int | Problem:
    """Return the skill that a scenario gives a unit, 0 where it says nothing, or what is wrong with it."""
    if not said or not in_force(rules):
        return 0
    if not _NUMBER.fullmatch(said):
        return Problem(
            "skill.number", {"unit": id_, "value": said}, rule="S6.22a", help="a number such as -2"
        )
    if who is not None and not group(rules, who.missile):
        return Problem("skill.no-shooter", {"unit": id_}, rule="S6.22a")
    return beyond(rules, id_, int(said)) or int(said)


def unbalanced(
    rules: Rules, sides: Iterable[SideInfo], forces: Sequence[Force], people: Mapping[str, Person]
) -> Iterator[Problem]:
    """Yield why the numbers of a side of a scenario do not balance."""
    for side in sides:
        given = [
            (people[force.person].missile, force.skill)
            for force in forces
            if force.side == side.id and force.skill
        ]
        if problem := uneven(rules, given):
            yield problem.at("units", side.id)


def _orders(items: Iterable[Item]) -> Iterator[Skill]:
    for item in items:
        if isinstance(item, When):
            yield from _orders((*item.then, *item.otherwise))
        elif isinstance(item, Line) and isinstance(item.order, Skill):
            yield item.order


def doer(rules: Rules, battle: Battle, files: Files) -> Callable[..., Problem | None]:
    """Return what gives the skills that the files of a step order: all of a seat's, or none of them if they
    do not balance.
    """
    sections: Mapping[str, tuple[Item, ...]] = {
        seat: tuple(held[-1].sections.get("setup", ())) for seat, held in files.items()
    }

    def give(rules: Rules, play: Play[Battle], seat: str, order: Skill) -> Problem | None:
        problem = why_not(rules, play.state, order) or check_all(rules, battle, sections[seat])
        if problem is None and order.value:
            play.happen(Skilled(order.who, order.value, "S6.22a"))
        return problem

    return give
