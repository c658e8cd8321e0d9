"""Dice are named, not drawn in sequence: a roll is a function of a name, so no roll depends on another.

Where the values come from is not decided here: ``proof.dice_protocol.SeededDice`` computes them from a seed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple, Protocol

from msgspec import Struct


class Roll(NamedTuple):
    """One roll: its full label (``t3.west.melee/fight/gunter/1``), the sides of the dice, and what they
    showed.
    """

    label: str
    sides: int
    values: tuple[int, ...]


class Dice(Protocol):
    """Whatever can tell the faces of named dice."""

    def values(self, label: str, sides: int, count: int) -> tuple[int, ...]:
        """Return ``count`` faces from 1 to ``sides`` for the label; the same ones each time it is asked."""
        ...


class NoDiceError(Exception):
    """A die is wanted where there are none yet; ``label`` names it."""

    def __init__(self, label: str) -> None:
        super().__init__(label)
        self.label = label


class NoDice:
    """Dice for finding out whether a slot wants any: the first one asked for raises NoDiceError."""

    def values(self, label: str, sides: int, count: int) -> tuple[int, ...]:
        """Raise NoDiceError."""
        raise NoDiceError(label)


class ScriptedDice(Struct, frozen=True):
    """Dice that show what a test wrote down; a label without a script raises KeyError."""

    script: Mapping[str, tuple[int, ...]]

    def values(self, label: str, sides: int, count: int) -> tuple[int, ...]:
        """Return the scripted faces, looked up by the full label, else by the label after its cursor."""
        values = self.script.get(label)
        if values is None:
            values = self.script[label.partition("/")[2]]
        if len(values) != count or not all(1 <= value <= sides for value in values):
            raise ValueError(f"{label}: {values} are not {count} faces of a die with {sides} sides")
        return values


class RecordedDice:
    """Dice that repeat what was rolled before under the same label, and ask ``then`` for all others."""

    def __init__(self, recorded: Iterable[Roll], then: Dice) -> None:
        self._recorded = {(roll.label, roll.sides, len(roll.values)): roll.values for roll in recorded}
        self._then = then

    def values(self, label: str, sides: int, count: int) -> tuple[int, ...]:
        """Return the recorded faces if there are any for this label, else those of the other dice."""
        found = self._recorded.get((label, sides, count))
        return found if found is not None else self._then.values(label, sides, count)

    def knows(self, label: str, sides: int, count: int) -> bool:
        """Tell whether the label was rolled before, so that it is not logged again."""
        return (label, sides, count) in self._recorded
