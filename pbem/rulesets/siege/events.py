"""What can happen in a battle. Each event states the new values, so that applying one needs no rules; ``happening`` does it.

What happens to things, ground and walls stands in ``thing_events`` and is taken from here like all else. Wording stands in
``words/en.yaml``. What changed nothing but explains something is an event too (``OrderSkipped``, ``Rolled``). ``cause`` is the
place, in the list of the phase, of the event that brought this one about. Fields whose new value *is* empty are listed in
``cleared``, because absent means "as it was".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pbem.rulesets.siege.thing_events import (
    Bombarded,
    EngineAimed,
    FeatureChanged,
    FeatureGone,
    FieldCleared,
    Hitched,
    LadderRaised,
    LadderToppled,
    OilPoured,
    Planned,
    RamStruck,
    Repaired,
    ThingChanged,
    ThingLost,
    ThingMoved,
    WallHeld,
)
from pbem.text.codec import to_plain

__all__ = [
    "EVENTS",
    "Bombarded",
    "EngineAimed",
    "Event",
    "FeatureChanged",
    "FeatureGone",
    "FieldCleared",
    "Hitched",
    "LadderRaised",
    "LadderToppled",
    "OilPoured",
    "Planned",
    "RamStruck",
    "Repaired",
    "ThingChanged",
    "ThingLost",
    "ThingMoved",
    "WallHeld",
    "plain",
]


@dataclass(frozen=True, slots=True)
class PhaseBegan:
    """The game stands at a phase now; a new turn or day empties what figures did."""

    phase: str
    turn: int = 0
    side: str = ""
    day: int = 0
    part: str = ""
    fresh: tuple[str, ...] = ()
    """Units whose ``did`` is emptied, because their side's player turn begins."""
    near: tuple[tuple[str, ...], ...] = ()
    """Who has stood beside something that could burn since his side's last player turn: unit, place, hexes; it is over for all others."""


@dataclass(frozen=True, slots=True)
class TurnBegan:
    """A game turn began."""

    turn: int
    day: int = 0


@dataclass(frozen=True, slots=True)
class DayBegan:
    """A day of a siege began."""

    day: int


@dataclass(frozen=True, slots=True)
class PhaseEnded:
    """A phase is over."""

    phase: str


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The game is over: ``winner`` is a side or ``draw``; ``line`` is the line of the scenario that ended it at once."""

    winner: str
    why: str
    grade: str = ""
    score: tuple[tuple[str, int], ...] = ()
    line: str = ""


@dataclass(frozen=True, slots=True)
class Instructed:
    """A seat's standing instructions took force."""

    seat: str
    orders: str
    everyone: Mapping[str, str] = field(default_factory=dict)
    figures: tuple[Mapping[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class OrderRead:
    """An order is carried out: where it stands in its file, and its sentence in normal form."""

    seat: str
    source: str
    order: str


@dataclass(frozen=True, slots=True)
class OrderSkipped:
    """An order has become impossible; nothing else was guessed."""

    seat: str
    source: str
    order: str
    code: str
    rule: str = ""
    args: Mapping[str, str | int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class BranchTaken:
    """A condition was looked at: true or false, and why."""

    seat: str
    source: str
    condition: str
    value: bool
    why: str


@dataclass(frozen=True, slots=True)
class FileEnded:
    """A ``stop`` in a branch ended a seat's order file; ``at`` is the phase in which it did."""

    seat: str
    source: str
    at: str


@dataclass(frozen=True, slots=True)
class Asked:
    """A question stopped the phase."""

    question: str
    seat: str
    about: str
    unit: str
    rule: str


@dataclass(frozen=True, slots=True)
class Chosen:
    """A choice was made: ``by`` is ``standing answer default order``."""

    seat: str
    about: str
    unit: str
    choice: str
    by: str
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Reason:
    """One modifier of a tally, as an event tells it."""

    rule: str
    label: str
    shift: int


@dataclass(frozen=True, slots=True)
class Rolled:
    """A die was rolled and a table read."""

    label: str
    sides: int
    values: tuple[int, ...]
    rule: str
    table: str = ""
    column: str = ""
    base: str = ""
    tally: tuple[Reason, ...] = ()
    row: int = 0
    result: str = ""
    said: str = ""


@dataclass(frozen=True, slots=True)
class Placed:
    """A figure was put on the map in the setup; ``at`` has head and tail of one of two hexes."""

    unit: str
    at: tuple[str, ...]
    facing: str = ""
    on: str = ""
    """The horse it sits on."""


@dataclass(frozen=True, slots=True)
class Entered:
    """A figure came onto the map."""

    unit: str
    path: tuple[str, ...]
    cost: int
    of: int
    tails: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Left:
    """A figure left the map alive; ``why`` is ``order panic rout``."""

    unit: str
    at: str
    why: str = "order"


@dataclass(frozen=True, slots=True)
class Moved:
    """A figure moved: every place from the first to the last, what it cost and what it could have spent."""

    unit: str
    path: tuple[str, ...]
    """Of a figure of two hexes, the places of its head."""
    cost: int
    of: int
    stopped: str = ""
    """Code of what ended the way early."""
    rule: str = ""
    tails: tuple[str, ...] = ()
    """Of a figure of two hexes, where its tail was at each of those places."""
    with_: tuple[str, ...] = ()
    """Animals and wagons that came along; each has an event of its own behind this one."""
    cause: int = -1


@dataclass(frozen=True, slots=True)
class Turned:
    """A figure of two hexes turned about its tail."""

    unit: str
    path: tuple[str, ...]
    tails: tuple[str, ...]
    cost: int
    of: int
    facing: str


@dataclass(frozen=True, slots=True)
class Mounted:
    """A figure got on a horse; it stands where the horse stands."""

    unit: str
    horse: str
    at: tuple[str, ...]
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Dismounted:
    """A rider got off his horse; ``at`` is where he stands now."""

    unit: str
    horse: str
    at: tuple[str, ...]
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Thrown:
    """A rider fell off his horse, or his horse fell under him; ``at`` is where he lies now."""

    unit: str
    horse: str
    at: tuple[str, ...]
    cause: int = -1
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Fell:
    """A figure on foot fell off a bridge, a ladder or a wall; ``at`` is where it lies now."""

    unit: str
    at: tuple[str, ...]
    cause: int = -1
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Led:
    """An animal or a captive is in the hands of a side now; ``side`` empty: of its own."""

    unit: str
    side: str = ""
    by: str = ""
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Misfired:
    """A shot that missed threatened the shooter's own men; ``hit`` is who was wounded."""

    shooter: str
    target: str
    hit: tuple[str, ...]
    roll: int
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Skilled:
    """A shooter has a skill: what is added to the die of his shots."""

    unit: str
    skill: int
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Panicked:
    """Fear seized a figure and it ran; a path of one place means that it did not get away."""

    unit: str
    path: tuple[str, ...]
    cause: int = -1
    rule: str = ""
    tails: tuple[str, ...] = ()
    at_once: bool = True
    """It ran as soon as fear seized it, which costs it nothing of its next movement; else this was its movement."""


@dataclass(frozen=True, slots=True)
class Routed:
    """A figure is in rout and ran as far as it could."""

    unit: str
    path: tuple[str, ...]
    cause: int = -1
    rule: str = ""
    tails: tuple[str, ...] = ()
    at_once: bool = True
    """As soon as fear seized it; else this was its movement."""


@dataclass(frozen=True, slots=True)
class Rallied:
    """A figure came to itself: its panic or rout is over."""

    unit: str
    rule: str = ""


@dataclass(frozen=True, slots=True)
class HealingSet:
    """On which day a wound will be healed; 0: not in this siege."""

    unit: str
    day: int
    roll: int = 0
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Healed:
    """A wounded figure is healthy again."""

    unit: str
    day: int
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Acted:
    """A figure has done a deed that bars others for the rest of its turn: ``toppled lit poured struck`` and the like."""

    unit: str
    did: str


@dataclass(frozen=True, slots=True)
class Shot:
    """A shot was loosed and what it did to the target."""

    shooter: str
    target: str
    weapon: str
    range: int
    band: str
    cover: str
    line: tuple[str, ...]
    roll: int
    result: str
    over: tuple[str, ...] = ()
    cover_rule: str = ""


@dataclass(frozen=True, slots=True)
class Fought:
    """A combat was resolved: who fought whom, at which odds, in which column, and the result code."""

    attackers: tuple[str, ...]
    defenders: tuple[str, ...]
    attack: int
    defence: int
    odds: str
    column: str
    roll: int
    result: str


@dataclass(frozen=True, slots=True)
class StateChanged:
    """A figure is now healthy, stunned, wounded or dead."""

    unit: str
    was: str
    is_: str
    since: str
    cause: int = -1
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Checked:
    """A shot made a figure take cover; ``since`` empty: that is over."""

    unit: str
    since: str = ""


@dataclass(frozen=True, slots=True)
class Retreated:
    """A beaten figure gave way; a path of one place means that it could not."""

    unit: str
    path: tuple[str, ...]
    cause: int = -1
    rule: str = ""
    tails: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Advanced:
    """A victorious figure went forward after combat."""

    unit: str
    path: tuple[str, ...]
    cost: int
    of: int
    cause: int = -1
    rule: str = ""
    tails: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class JobBegan:
    """A figure began work that takes its whole turn."""

    unit: str
    do: str
    what: str = ""
    since: str = ""


@dataclass(frozen=True, slots=True)
class JobDone:
    """The work is finished."""

    unit: str
    do: str
    what: str = ""


@dataclass(frozen=True, slots=True)
class JobBroken:
    """The work was interrupted."""

    unit: str
    do: str
    why: str
    what: str = ""


@dataclass(frozen=True, slots=True)
class Scored:
    """A side has points now; ``points`` is what this added, ``total`` the new value."""

    side: str
    points: int
    total: int
    why: str


@dataclass(frozen=True, slots=True)
class Said:
    """A message of an order file."""

    seat: str
    text: str


@dataclass(frozen=True, slots=True)
class Resigned:
    """A side gave the game up."""

    side: str


@dataclass(frozen=True, slots=True)
class DrawOffered:
    """A side offers, or accepts, a draw; ``open`` false: the offer is over."""

    side: str
    open: bool = True


Event = (
    PhaseBegan | TurnBegan | DayBegan | PhaseEnded | GameEnded | Instructed | OrderRead | OrderSkipped | BranchTaken | FileEnded | Asked
    | Chosen | Rolled | Placed | Entered | Left | Moved | Turned | Mounted | Dismounted | Thrown | Fell | Led | Shot | Misfired | Skilled
    | Fought
    | StateChanged | Checked | Retreated | Advanced | Panicked | Routed | Rallied | HealingSet | Healed | JobBegan | JobDone | JobBroken
    | LadderRaised | LadderToppled | ThingMoved | RamStruck | OilPoured | ThingChanged | ThingLost
    | FeatureChanged | FeatureGone | Planned | EngineAimed | Bombarded | WallHeld | Repaired
    | FieldCleared | Acted | Hitched | Scored | Said | Resigned | DrawOffered
)  # fmt: skip
EVENTS: Mapping[str, type] = {cls.__name__: cls for cls in Event.__args__}


def plain(event: object) -> dict[str, Any]:
    """Return an event as plain data with its ``type``; the envelope adds ``n`` and ``phase``."""
    if type(event).__name__ not in EVENTS:
        raise TypeError(f"{type(event).__name__} is not an event of this ruleset")
    return {"type": type(event).__name__, **to_plain(event)}
