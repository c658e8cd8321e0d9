"""Assaults on castles: who may attack a section at all, and how one is touched."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from pbem.core.problem import Problem
from pbem.core.rule import rule
from pbem.rulesets.castle.arcs import footprint_in_front
from pbem.rulesets.castle.attack import value
from pbem.rulesets.castle.dial import Rules, can
from pbem.rulesets.castle.space import beside
from pbem.rulesets.castle.state import Figure, Section, War

CLOSE, RANGED = "close", "ranged"


@rule("MK14.1")
def has_dials(rules: Rules, one: Figure, how: str) -> bool:
    """Tell whether a warrior has more than one dial."""
    return can(rules, one, "multi-dial")


@rule("MK14.2")
def is_a_titan(rules: Rules, one: Figure, how: str) -> bool:
    """Tell whether a warrior is a titan."""
    return can(rules, one, "titan")


@rule("MK14.3")
def shoots_with_magic(rules: Rules, one: Figure, how: str) -> bool:
    """Tell whether a shot is made with one of the three abilities that harm walls."""
    return how == RANGED and any(
        can(rules, one, ability) for ability in ("magic-blast", "shockwave", "sharpshooter")
    )


@rule("MK14.4")
def shoots_what_explodes(rules: Rules, one: Figure, how: str) -> bool:
    """Tell whether a shot explodes."""
    return how == RANGED and can(rules, one, "explosive")


@rule("MK14.5")
def shows_enough_damage(rules: Rules, one: Figure, how: str) -> bool:
    """Tell whether the dial shows damage enough now, before anything is added."""
    least: int = rules.tables["attacks"]["section_damage"]
    return value(rules, one, "damage") >= least


@rule("MK14.6")
def rams(rules: Rules, one: Figure, how: str) -> bool:
    """Tell whether a close attack is made with a ram."""
    return how == CLOSE and can(rules, one, "ram")


KINDS: tuple[Callable[[Rules, Figure, str], bool], ...] = (
    has_dials,
    is_a_titan,
    shoots_with_magic,
    shoots_what_explodes,
    shows_enough_damage,
    rams,
)
"""Who may attack a section."""


@rule("MK14.7")
def not_eligible(rules: Rules, one: Figure, section: Section, how: str) -> Problem | None:
    """Return why a warrior may not attack a section, or None: he is of none of the kinds that may."""
    if any(kind(rules, one, how) for kind in KINDS):
        return None
    return Problem("castle.no-harm", {"who": one.name, "section": section.name}, rule="MK14.7")


@rule("MK14.11")
def its_own_ground(one: Figure, section: Section) -> Problem | None:
    """Return why a warrior cannot attack a section, or None: he stands on it."""
    if one.on == section.id:
        return Problem("castle.stands-on-it", {"who": one.name, "section": section.name}, rule="MK14.11")
    return None


@rule("MK14.10")
def not_at_it(rules: Rules, one: Figure, section: Section) -> Problem | None:
    """Return why a close attack on a section cannot be made, or None: his front arc does not touch it."""
    if beside(rules, one, section) and footprint_in_front(rules, one, section):
        return None
    return Problem("castle.not-touching", {"who": one.name, "section": section.name}, rule="MK14.10")


def problems(rules: Rules, war: War, one: Figure, section: Section, how: str) -> Iterator[Problem | None]:
    """Yield what keeps a warrior from attacking a section."""
    yield its_own_ground(one, section)
    yield not_eligible(rules, one, section, how)
    if how == CLOSE:
        yield not_at_it(rules, one, section)
