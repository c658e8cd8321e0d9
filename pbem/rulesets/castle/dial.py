"""Dials: what stands in the window of a warrior or a section, and what turning it does."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from msgspec import Struct

from pbem.core.play import Play
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.rulesets.castle.events import Hurt
from pbem.rulesets.castle.state import Figure, Section, War

Rules = Ruleset[War]


class Window(Struct, frozen=True):
    """What a dial shows: speed of a warrior, or fortification of a section (MK1.4), attack, defence, damage;
    and whether there is a yellow square.
    """

    first: int
    attack: int
    defence: int
    damage: int
    square: bool = False
    demoralized: bool = False
    """Whether a warrior's dial shows the mark of the demoralized, behind its damage (MKB16)."""


@lru_cache(maxsize=512)
def _read(text: str) -> Window:
    first, attack, defence, damage = text.split("/")
    return Window(
        int(first.rstrip("y")),
        int(attack),
        int(defence),
        int(damage.rstrip("d")),
        first.endswith("y"),
        damage.endswith("d"),
    )


def clicks_said(count: int) -> str:
    """Return a number of clicks as it is said: ``1 click``, ``2 clicks``."""
    return f"{count} click" if count == 1 else f"{count} clicks"


def row(rules: Rules, one: Figure | Section) -> Mapping[str, Any]:
    """Return the row of a warrior or a section in its table."""
    table = "warriors" if isinstance(one, Figure) else "sections"
    found: Mapping[str, Any] = rules.tables[table]["rows"][one.kind]
    return found


def can(rules: Rules, one: Figure | Section, ability: str) -> bool:
    """Tell whether a warrior has an ability; a section has none."""
    return isinstance(one, Figure) and ability in row(rules, one)["abilities"]


@rule("MK1.4", "MK6.2")
def window(rules: Rules, one: Figure | Section) -> Window:
    """Return what the dial of a warrior or a section shows now."""
    dial = row(rules, one)["dial"]
    return _read(dial[min(one.click, len(dial) - 1)])


@rule("MKB15", "MK1.3")
def at_an_end(rules: Rules, one: Figure | Section) -> bool:
    """Tell whether a dial shows three marks: its owner is out of the game."""
    return one.click >= len(row(rules, one)["dial"])


def starts(rules: Rules, one: Figure | Section) -> int:
    """Return how far a dial is turned before the game: that of a section by its weight (MK2.2)."""
    if isinstance(one, Figure):
        return 0
    found: int = rules.tables["sections"]["starts"][one.weight]
    return found


@rule("MK2.1")
def points(rules: Rules, one: Figure | Section) -> int:
    """Return what a warrior or a section costs (MK2.3)."""
    found: int = row(rules, one)["points" if isinstance(one, Figure) else one.weight]
    return found


def hurt(rules: Rules, play: Play[War], unit: str, clicks: int, why: str) -> None:
    """Turn a dial on, at most to its three marks."""
    one = play.state.one(unit)
    last = len(row(rules, one)["dial"])
    after = min(one.click + clicks, last)
    if after > one.click:
        play.happen(Hurt(unit, after - one.click, after, why))


def heal(rules: Rules, play: Play[War], unit: str, clicks: int, why: str) -> None:
    """Turn a dial back, never to before where it began (MKB15)."""
    one = play.state.one(unit)
    after = max(one.click - clicks, starts(rules, one))
    if after < one.click:
        play.happen(Hurt(unit, after - one.click, after, why))
