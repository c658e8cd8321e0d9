"""A thing of the game: a ladder, a bridge, an engine, a barrel. The scenario names it, and the state of a battle has it as it is now."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Thing:
    """An object that can be moved, worked or carried: a ladder, a bridge, an engine, a door, a barrel."""

    id: str
    kind: str
    at: tuple[str, ...] = ()
    facing: str = ""
    stands: str = ""
    by: tuple[str, ...] = ()
    crew: tuple[str, ...] = ()
    loaded: int = 0
    lost: int = 0
    away: bool = False
    repair_until: int = 0
    hitched: tuple[str, ...] = ()
    struck: str = ""
    crew_fought: str = ""
    side: str = ""
    aim: str = ""
    """Of an engine that throws stones, the hex that it bombarded last."""

    @property
    def title(self) -> str:
        """Return what a thing of this kind is called."""
        return "barrel of oil" if self.kind == "oil" else self.kind.replace("-", " ")
