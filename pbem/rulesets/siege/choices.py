"""Choices inside a phase that belong to one seat: its standing instructions first, then the printed default or a question.

Each room says which choices there are, how a standing instruction picks one of them and which is the default; here only who decides.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pbem.core.play import Choice, Play
from pbem.core.ruleset import Ruleset
from pbem.rulesets.siege.character import values
from pbem.rulesets.siege.events import Asked, Chosen
from pbem.rulesets.siege.state import Battle

Rules = Ruleset[Battle]
ASK = "ask"


def instruction(battle: Battle, unit: str, key: str) -> str:
    """Return what the standing instructions of a figure's owner say under a key; empty if nothing."""
    standing = battle.standing.get(battle.units[unit].owner)
    return standing.of(unit, key) if standing else ""


def asks(rules: Rules, said: str) -> bool:
    """Tell whether the owner wants to be asked: he says so, or the game asks wherever nothing is said."""
    return said == ASK or (not said and rules.setting("interrupt_policy") == "ask_owner")


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
    """Return the choice that is made for a figure, and let the event happen that tells by whom.

    ``wanted`` turns the text of a standing instruction into one of the choices, or into nothing where it fits none. One choice alone is
    no choice. Raises ``core.play.Stopped`` where only the owner can answer.
    """
    if len(choices) == 1:
        return choices[0]
    said = instruction(play.state, unit, about)
    seat = play.state.units[unit].owner
    if asks(rules, said):
        play.happen(Asked("", seat, about, unit, rule))
        lettered = tuple(Choice("abcdefghijklmnopqrstuvwxyz"[i], value) for i, value in enumerate(choices[:26]))
        answer = play.ask(seat=seat, about=about, unit=unit, rule=rule, choices=lettered, default=default, why=why, kind=kind)
        by_letter = {choice.id: choice.value for choice in lettered}
        value = by_letter.get(answer.value, answer.value)
        chosen, by = (value, answer.by) if value in choices else (default, "default")
    else:
        fits = wanted(said) if said else ""
        chosen, by = (fits, "standing") if fits in choices else (default, "default")
    play.happen(Chosen(seat, about, unit, chosen, by, rule))
    return chosen


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
    """Return several of some choices, ``least`` to ``most`` of them, and let the event happen that tells by whom they were made.

    The choices come in the order in which they are taken of themselves: it fills up what instruction or answer leave open. Where no more
    are there than must be taken there is no choice. Raises ``core.play.Stopped`` where only the owner can answer.
    """
    if len(choices) <= least:
        return list(choices)
    said = instruction(play.state, unit, about)
    seat = play.state.units[unit].owner
    default = ", ".join(choices[:least])
    named: Sequence[str]
    if asks(rules, said):
        play.happen(Asked("", seat, about, unit, rule))
        lettered = tuple(Choice("abcdefghijklmnopqrstuvwxyz"[i], value) for i, value in enumerate(choices[:26]))
        answer = play.ask(
            seat=seat, about=about, unit=unit, rule=rule, choices=lettered, default=default, why=why, kind="some", least=least, most=most
        )
        by_letter = {choice.id: choice.value for choice in lettered}
        named, by = [by_letter.get(part.strip(), part.strip()) for part in answer.value.split(",")], answer.by
    else:
        named = wanted(said) if said else ()
        by = "standing" if named else "default"
    fit = [name for name in dict.fromkeys(named) if name in choices][:most]
    taken = [*fit, *(name for name in choices if name not in fit)][: max(least, len(fit))]
    play.happen(Chosen(seat, about, unit, ", ".join(taken), by, rule))
    return taken


def weakest_first(rules: Rules, battle: Battle, units: Sequence[str]) -> list[str]:
    """Return figures by attack, then defence, then id, the lowest first."""

    def strength(id_: str) -> tuple[int, int, str]:
        value = values(rules, battle, battle.units[id_])
        return (value.attack, value.defence, id_)

    return sorted(units, key=strength)


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
