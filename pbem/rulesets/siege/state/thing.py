"""A thing of the game: a ladder, a bridge, an engine, a barrel.

The scenario names it, and the state of a battle has it as it is now.
"""

from __future__ import annotations

from pbem.rulesets.siege.state.forms import Count, Facing, Id, Ids, Lying, Moment, Place, Stance, ThingKind
from pbem.text.codec import Value


class Thing(Value, frozen=True):
    """An object that can be moved, worked or carried: a ladder, a bridge, an engine, a door, a barrel."""

    id: Id
    kind: ThingKind
    at: Lying = ()
    facing: Facing = ""
    stands: Stance = ""
    by: Ids = ()
    crew: Ids = ()
    loaded: Count = 0
    lost: Count = 0
    away: bool = False
    repair_until: Count = 0
    hitched: Ids = ()
    struck: Moment = ""
    crew_fought: Moment = ""
    side: Id = ""
    aim: Place = ""
    """Of an engine that throws stones, the hex that it bombarded last."""

    @property
    def title(self) -> str:
        """Return what a thing of this kind is called."""
        return "barrel of oil" if self.kind == "oil" else self.kind.replace("-", " ")
