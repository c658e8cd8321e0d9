"""Numbers that keep their reasons: a base and what moved it, each with the rule it comes from."""

from __future__ import annotations

from msgspec import Struct


class Modifier(Struct, frozen=True):
    """One reason why a number is not what it was: the rule, a word for it, and by how much."""

    rule: str
    label: str
    shift: int


class Tally(Struct, frozen=True):
    """A base, in words and as a number, and the modifiers on it."""

    base: int
    said: str
    modifiers: tuple[Modifier, ...] = ()

    @property
    def total(self) -> int:
        """Return the base with all shifts added."""
        total = self.base
        for modifier in self.modifiers:
            total += modifier.shift
        return total

    def plus(self, modifier: Modifier | None) -> Tally:
        """Return the tally with one more modifier; None and a shift of nothing leave it as it is."""
        if modifier is None or modifier.shift == 0:
            return self
        return Tally(self.base, self.said, (*self.modifiers, modifier))

    def __str__(self) -> str:
        parts = [f"{m.shift:+d} {m.label} ({m.rule})" for m in self.modifiers]
        return ", ".join([self.said, *parts])
