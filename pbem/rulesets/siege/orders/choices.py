"""Choices of a siege that belong to the owner of a figure: what his standing instructions say, and how the
strongest are found.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pbem.core.play import Play
from pbem.core.ruleset import Ruleset
from pbem.orders import choices as general
from pbem.orders.choices import Matter
from pbem.rulesets.siege.ground.character import values
from pbem.rulesets.siege.state.events import Asked, Chosen
from pbem.rulesets.siege.state.state import Battle

Rules = Ruleset[Battle]
ASK = "ask"


def instruction(battle: Battle, unit: str, key: str) -> str:
    """Return what the standing instructions of a figure's owner say under a key; empty if nothing."""
    standing = battle.standing.get(battle.units[unit].owner)
    return standing.of(unit, key) if standing else ""


def asks(rules: Rules, said: str) -> bool:
    """Tell whether the owner wants to be asked: he says so, or the game asks wherever nothing is said."""
    return said == ASK or (not said and rules.setting("interrupt_policy") == "ask_owner")


def matter(rules: Rules, battle: Battle, about: str, unit: str, rule: str, why: str) -> Matter:
    """Return what is to be chosen for a figure, by whoever owns it."""
    seat, said = battle.units[unit].owner, instruction(battle, unit, about)
    return Matter(
        seat, about, unit, rule, why, said, asks(rules, said),
        asked=lambda: Asked("", seat, about, unit, rule),
        chosen=lambda value, by: Chosen(seat, about, unit, value, by, rule),
    )  # fmt: skip


def pick(
    rules: Rules,
    play: Play[Battle],
    *,
    about: str,
    unit: str,
    choices: Sequence[str],
    default: str,
    rule: str,
    why: str,
    wanted: Callable[[str], str],
    kind: str = "one",
) -> str:
    """Return the choice that is made for a figure (``orders.choices.pick``); of one alone nothing is told."""
    if len(choices) == 1:
        return choices[0]
    asked = matter(rules, play.state, about, unit, rule, why)
    return general.pick(play, asked, choices=choices, default=default, wanted=wanted, kind=kind)


def pick_some(
    rules: Rules,
    play: Play[Battle],
    *,
    about: str,
    unit: str,
    choices: Sequence[str],
    least: int,
    most: int,
    rule: str,
    why: str,
    wanted: Callable[[str], Sequence[str]],
) -> list[str]:
    """Return several of some choices for a figure (``orders.choices.pick_some``)."""
    asked = matter(rules, play.state, about, unit, rule, why)
    return general.pick_some(play, asked, choices=choices, least=least, most=most, wanted=wanted)


def weakest_first(rules: Rules, battle: Battle, units: Sequence[str]) -> list[str]:
    """Return figures by attack, then defence, then id, the lowest first."""

    def strength(id_: str) -> tuple[int, int, str]:
        value = values(rules, battle, battle.units[id_])
        return (value.attack, value.defence, id_)

    return sorted(units, key=strength) if len(units) > 1 else list(units)


def by_strength(rules: Rules, battle: Battle, units: Sequence[str]) -> Callable[[str], str]:
    """Return how ``weakest``, ``strongest`` or a list of names picks one of some figures."""

    def wanted(said: str) -> str:
        ranked = weakest_first(rules, battle, units)
        if said == "weakest":
            return ranked[0]
        if said == "strongest":
            return ranked[-1]
        return next((name for name in said.replace(",", " ").split() if name in units), "")

    return wanted
