"""What can happen to things, to the ground and to walls: the part of the events of a battle that is no figure's.

They are events like all others (``events``), from where everybody takes them.
"""

from __future__ import annotations

from dataclasses import dataclass

from pbem.rulesets.siege.state import Thing


@dataclass(frozen=True, slots=True)
class LadderRaised:
    """A ladder was set up in a hex so that it leans over one of its sides; ``by`` are those who did it."""

    thing: str
    at: tuple[str, ...]
    facing: str
    by: tuple[str, ...] = ()
    rule: str = ""
    cause: int = -1


@dataclass(frozen=True, slots=True)
class LadderToppled:
    """A ladder was toppled and lies in these hexes now, its foot first; ``by`` is who did it."""

    thing: str
    at: tuple[str, ...]
    by: tuple[str, ...] = ()
    rule: str = ""
    cause: int = -1


@dataclass(frozen=True, slots=True)
class ThingMoved:
    """A thing stands elsewhere now, and its passengers with it; ``crew``: who moved it from inside, and has moved with that.

    ``was`` is where an engine stood before, for those who show its way.
    """

    thing: str
    at: tuple[str, ...]
    facing: str = ""
    passengers: tuple[tuple[str, str], ...] = ()
    crew: tuple[str, ...] = ()
    cause: int = -1
    rule: str = ""
    was: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RamStruck:
    """A ram struck a wall; ``struck`` is when, ``crew`` worked it. What the wall lost is told by the roll and its consequences."""

    thing: str
    at: str
    struck: str
    crew: tuple[str, ...] = ()
    rule: str = ""


@dataclass(frozen=True, slots=True)
class OilPoured:
    """A barrel of oil was poured on a hex; ``by`` is who did it. What it did is told by the rolls and their consequences."""

    thing: str
    at: str
    by: str
    rule: str = ""
    cause: int = -1


@dataclass(frozen=True, slots=True)
class ThingChanged:
    """A thing is otherwise than before: what is given is new, what stands in ``cleared`` is empty now."""

    thing: str
    stands: str = ""
    facing: str = ""
    by: tuple[str, ...] = ()
    crew: tuple[str, ...] = ()
    loaded: int = 0
    lost: int = 0
    repair_until: int = 0
    struck: str = ""
    crew_fought: str = ""
    cleared: tuple[str, ...] = ()
    rule: str = ""
    cause: int = -1


@dataclass(frozen=True, slots=True)
class ThingLost:
    """A thing is gone for good, and who lay on its platform lies on the ground: ``why`` is ``burnt``, ``used`` or ``broken``."""

    thing: str
    why: str
    rule: str = ""
    cause: int = -1


@dataclass(frozen=True, slots=True)
class FeatureChanged:
    """Something became of a hex, or went on: ``is`` is ``filled rubble wall fire burnt``, with its new numbers."""

    at: str
    is_: str
    damage: int = 0
    turns: int = 0
    lit_by: str = ""
    check: str = ""
    bombarded: bool = False
    last: int = 0
    rule: str = ""
    cause: int = -1


@dataclass(frozen=True, slots=True)
class FeatureGone:
    """What had become of a hex is over: a fire went out, a moat was cleared."""

    at: str
    is_: str
    rule: str = ""
    cause: int = -1


@dataclass(frozen=True, slots=True)
class Planned:
    """The besieger has planned his day: ``assault bombard rest`` or ``lift the siege``; ``assaults`` counts them, with this one."""

    side: str
    plan: str
    assaults: int = 0
    rule: str = ""


@dataclass(frozen=True, slots=True)
class EngineAimed:
    """An engine was given a hex to bombard on this day; ``since`` is the phase in which it was."""

    thing: str
    at: str
    since: str


@dataclass(frozen=True, slots=True)
class Bombarded:
    """A wall was bombarded for a day: by which engines, with how many points together."""

    at: str
    by: tuple[str, ...]
    points: int


@dataclass(frozen=True, slots=True)
class WallHeld:
    """A blow told, and yet the wall lost no step: ``why`` is ``today`` (it has lost one on this day) or ``keep``."""

    at: str
    why: str
    rule: str = ""
    cause: int = -1


@dataclass(frozen=True, slots=True)
class Repaired:
    """An engine has all its points again."""

    thing: str
    day: int
    rule: str = ""


@dataclass(frozen=True, slots=True)
class FieldCleared:
    """After an assault everybody went back to camp and castle: these figures are off the map, and these things are as they say now."""

    units: tuple[str, ...] = ()
    things: tuple[Thing, ...] = ()


@dataclass(frozen=True, slots=True)
class Hitched:
    """An animal is hitched to a wagon, or no longer: ``hitched`` are all that are now."""

    thing: str
    unit: str
    hitched: tuple[str, ...]
    rule: str = ""
