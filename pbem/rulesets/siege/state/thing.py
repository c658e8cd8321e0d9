"""A thing of the game: a ladder, a bridge, an engine, a barrel.

The scenario names it, and the state of a battle has it as it is now.
"""

from collections.abc import Mapping

from pbem.rulesets.siege.state.forms import Count, Facing, Id, Ids, Lying, Moment, Place, Stance, ThingKind
from pbem.text.codec import Value

TOP = "top"
"""The storey of those who stand on the platform of a siege tower, a scaffold or a hoarding."""
STOREYED = ("siege-tower", "scaffold", "hoarding")
"""Things with such a storey above the ground that they stand on."""
BELOW = "mine"
"""The storey of those who are under the ground, and the kind of thing that has it."""
STOREYS: Mapping[str, tuple[str, ...]] = {TOP: STOREYED, BELOW: (BELOW,)}
"""Storey -> the kinds of thing that have it."""


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
    burnt: Lying = ()
    """Of an engine that does not burn down as a whole, the hexes in which it is burnt."""
    rolled: Moment = ""
    """Of a siege tower of several floors, when it was moved last."""
    climbed: Moment = ""
    """And when somebody last used the ladder that leads up from the ground."""

    @property
    def title(self) -> str:
        """Return what a thing of this kind is called."""
        return "barrel of oil" if self.kind == "oil" else self.kind.replace("-", " ")
