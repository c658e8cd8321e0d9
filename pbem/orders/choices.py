"""Choices inside a phase that belong to one seat: its standing instruction first, then the default of the
rules or a question.

Which choices there are, how an instruction picks one of them and which is the default is told by whoever
asks; here only who decides.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from msgspec import Struct

from pbem.core.play import Answer, Choice, Play

__all__ = ["Matter", "pick", "pick_some"]

_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"


class Matter(Struct, frozen=True):
    """What is to be chosen, by whom, and how that is told."""

    seat: str
    about: str
    unit: str
    rule: str
    why: str
    said: str
    """The standing instruction of the seat; empty where it gave none."""
    asks: bool
    """Whether the seat is asked instead."""
    asked: Callable[[], object]
    """The event that it is asked."""
    chosen: Callable[[str, str], object]
    """(what was chosen, by ``standing``, ``default``, ``answer``) -> the event of it."""


def pick(
    play: Play[Any],
    matter: Matter,
    *,
    choices: Sequence[str],
    default: str,
    wanted: Callable[[str], str],
    kind: str = "one",
) -> str:
    """Return the choice that is made, and let the event happen that tells by whom.

    ``wanted`` turns the text of a standing instruction into one of the choices, or into nothing where it fits
    none. One choice alone is no choice. Raises ``core.play.Stopped`` where only the seat can answer.
    """
    if len(choices) == 1:
        return choices[0]
    if matter.asks:
        lettered = _lettered(play, matter, choices)
        answer = _answer(play, matter, lettered, default, kind)
        value = _values(lettered).get(answer.value, answer.value)
        chosen, by = (value, answer.by) if value in choices else (default, "default")
    else:
        fits = wanted(matter.said) if matter.said else ""
        chosen, by = (fits, "standing") if fits in choices else (default, "default")
    play.happen(matter.chosen(chosen, by))
    return chosen


def pick_some(
    play: Play[Any],
    matter: Matter,
    *,
    choices: Sequence[str],
    least: int,
    most: int,
    wanted: Callable[[str], Sequence[str]],
) -> list[str]:
    """Return several of some choices, ``least`` to ``most`` of them, and let the event happen that tells by
    whom they were made.

    The choices come in the order in which they are taken of themselves: it fills up what instruction or
    answer leave open. Where no more are there than must be taken there is no choice. Raises
    ``core.play.Stopped`` where only the seat can answer.
    """
    if len(choices) <= least:
        return list(choices)
    named: Sequence[str]
    if matter.asks:
        lettered, default = _lettered(play, matter, choices), ", ".join(choices[:least])
        answer = _answer(play, matter, lettered, default, "some", least, most)
        by_letter = _values(lettered)
        named, by = [by_letter.get(part.strip(), part.strip()) for part in answer.value.split(",")], answer.by
    else:
        named = wanted(matter.said) if matter.said else ()
        by = "standing" if named else "default"
    fit = [name for name in dict.fromkeys(named) if name in choices][:most]
    taken = [*fit, *(name for name in choices if name not in fit)][: max(least, len(fit))]
    play.happen(matter.chosen(", ".join(taken), by))
    return taken


def _lettered(play: Play[Any], matter: Matter, choices: Sequence[str]) -> tuple[Choice, ...]:
    """Return the choices with letters, of which an answer may name one; that the seat is asked happens
    before.
    """
    play.happen(matter.asked())
    return tuple(Choice(letter, value) for letter, value in zip(_LETTERS, choices, strict=False))


def _values(lettered: Sequence[Choice]) -> dict[str, str]:
    return {choice.id: choice.value for choice in lettered}


def _answer(
    play: Play[Any],
    matter: Matter,
    choices: tuple[Choice, ...],
    default: str,
    kind: str,
    least: int = 0,
    most: int = 0,
) -> Answer:
    return play.ask(
        seat=matter.seat,
        about=matter.about,
        unit=matter.unit,
        rule=matter.rule,
        choices=choices,
        default=default,
        why=matter.why,
        kind=kind,
        least=least,
        most=most,
    )
