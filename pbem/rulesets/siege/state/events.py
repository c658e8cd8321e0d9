"""What can happen in a battle. Each event states the new values, so that applying one needs no rules, and
applies them itself.

What happens to the game stands in ``game_events``, what to things, ground and walls in ``thing_events``; all
are taken from here. Wording stands in ``words.yaml``. What changed nothing but explains something is an event
too, a ``Remark``. ``cause`` is the place, in the list of the phase, of the event that brought this one about.
Fields whose new value *is* empty are listed in
``cleared``, because absent means "as it was".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, is_dataclass, replace
from typing import Any

from pbem.rulesets.siege.state import game_events, thing_events
from pbem.rulesets.siege.state.forms import (
    Cause,
    Count,
    Facing,
    Harm,
    Id,
    Ids,
    LeftWhy,
    Moment,
    Place,
    Places,
    RuleId,
    Skill,
    Word,
)
from pbem.rulesets.siege.state.game_events import (
    Asked,
    BranchTaken,
    Chosen,
    DayBegan,
    DrawOffered,
    FileEnded,
    GameEnded,
    Instructed,
    OrderRead,
    OrderSkipped,
    PhaseBegan,
    PhaseEnded,
    Planned,
    Reason,
    Resigned,
    Rolled,
    Said,
    Scored,
    TurnBegan,
)
from pbem.rulesets.siege.state.happening import Event, Remark, having_done
from pbem.rulesets.siege.state.state import Battle, Job
from pbem.rulesets.siege.state.thing_events import (
    Bombarded,
    EngineAimed,
    FeatureChanged,
    FeatureGone,
    FieldCleared,
    Hitched,
    LadderRaised,
    LadderToppled,
    OilPoured,
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
    "Asked",
    "Bombarded",
    "BranchTaken",
    "Chosen",
    "DayBegan",
    "DrawOffered",
    "EngineAimed",
    "Event",
    "FeatureChanged",
    "FeatureGone",
    "FieldCleared",
    "FileEnded",
    "GameEnded",
    "Hitched",
    "Instructed",
    "LadderRaised",
    "LadderToppled",
    "OilPoured",
    "OrderRead",
    "OrderSkipped",
    "PhaseBegan",
    "PhaseEnded",
    "Planned",
    "RamStruck",
    "Reason",
    "Remark",
    "Repaired",
    "Resigned",
    "Rolled",
    "Said",
    "Scored",
    "ThingChanged",
    "ThingLost",
    "ThingMoved",
    "TurnBegan",
    "WallHeld",
    "plain",
]


@dataclass(frozen=True, slots=True)
class Placed(Event):
    """A figure was put on the map in the setup; ``at`` has head and tail of one of two hexes."""

    unit: Id
    at: Places
    facing: Facing = ""
    on: Id = ""
    """The horse it sits on."""

    def applied(self, battle: Battle) -> Battle:
        unit = battle.units[self.unit]
        return battle.with_units(replace(unit, at=self.at, on=self.on or unit.on))


@dataclass(frozen=True, slots=True)
class Entered(Event):
    """A figure came onto the map."""

    unit: Id
    path: Places
    cost: Count
    of: Count
    tails: Places = ()

    def applied(self, battle: Battle) -> Battle:
        return _walked(battle, self)


@dataclass(frozen=True, slots=True)
class Left(Event):
    """A figure left the map alive; ``why`` is ``order panic rout``."""

    unit: Id
    at: Place
    why: LeftWhy = "order"

    def applied(self, battle: Battle) -> Battle:
        unit = battle.units[self.unit]
        away = (unit.id, unit.on) if unit.on else (unit.id,)
        return battle.with_units(*(replace(battle.units[id_], at=(), left=True) for id_ in away))


@dataclass(frozen=True, slots=True)
class Moved(Event):
    """A figure moved: every place from the first to the last, what it cost and what it could have spent."""

    unit: Id
    path: Places
    """Of a figure of two hexes, the places of its head."""
    cost: Count
    of: Count
    stopped: str = ""
    """Code of what ended the way early."""
    rule: RuleId = ""
    tails: Places = ()
    """Of a figure of two hexes, where its tail was at each of those places."""
    with_: Ids = ()
    """Animals and wagons that came along; each has an event of its own behind this one."""
    cause: Cause = -1

    def applied(self, battle: Battle) -> Battle:
        return _walked(battle, self)


@dataclass(frozen=True, slots=True)
class Turned(Event):
    """A figure of two hexes turned about its tail."""

    unit: Id
    path: Places
    tails: Places
    cost: Count
    of: Count
    facing: Facing

    def applied(self, battle: Battle) -> Battle:
        return _walked(battle, self)


@dataclass(frozen=True, slots=True)
class Mounted(Event):
    """A figure got on a horse; it stands where the horse stands."""

    unit: Id
    horse: Id
    at: Places
    rule: RuleId = ""

    def applied(self, battle: Battle) -> Battle:
        return battle.with_units(replace(battle.units[self.unit], on=self.horse, at=self.at))


@dataclass(frozen=True, slots=True)
class Dismounted(Event):
    """A rider got off his horse; ``at`` is where he stands now."""

    unit: Id
    horse: Id
    at: Places
    rule: RuleId = ""

    def applied(self, battle: Battle) -> Battle:
        return battle.with_units(replace(battle.units[self.unit], on="", at=self.at))


@dataclass(frozen=True, slots=True)
class Thrown(Event):
    """A rider fell off his horse, or his horse fell under him; ``at`` is where he lies now."""

    unit: Id
    horse: Id
    at: Places
    cause: Cause = -1
    rule: RuleId = ""

    def applied(self, battle: Battle) -> Battle:
        return battle.with_units(replace(battle.units[self.unit], on="", at=self.at))


@dataclass(frozen=True, slots=True)
class Fell(Event):
    """A figure on foot fell off a bridge, a ladder or a wall; ``at`` is where it lies now."""

    unit: Id
    at: Places
    cause: Cause = -1
    rule: RuleId = ""

    def applied(self, battle: Battle) -> Battle:
        return battle.with_units(replace(battle.units[self.unit], at=self.at))


@dataclass(frozen=True, slots=True)
class Led(Event):
    """An animal or a captive is in the hands of a side now; ``side`` empty: of its own."""

    unit: Id
    side: Id = ""
    by: Id = ""
    rule: RuleId = ""

    def applied(self, battle: Battle) -> Battle:
        return battle.with_units(replace(battle.units[self.unit], captive_of=self.side))


@dataclass(frozen=True, slots=True)
class Misfired(Remark):
    """A shot that missed threatened the shooter's own men; ``hit`` is who was wounded."""

    shooter: Id
    target: str
    hit: Ids
    roll: Count
    rule: RuleId = ""


@dataclass(frozen=True, slots=True)
class Skilled(Event):
    """A shooter has a skill: what is added to the die of his shots."""

    unit: Id
    skill: Skill
    rule: RuleId = ""

    def applied(self, battle: Battle) -> Battle:
        return battle.with_units(replace(battle.units[self.unit], skill=self.skill))


@dataclass(frozen=True, slots=True)
class Panicked(Event):
    """Fear seized a figure and it ran; a path of one place means that it did not get away."""

    unit: Id
    path: Places
    cause: Cause = -1
    rule: RuleId = ""
    tails: Places = ()
    at_once: bool = True
    """It ran as soon as fear seized it, which costs it nothing of its next movement; else this was its
    movement.
    """

    def applied(self, battle: Battle) -> Battle:
        return _fled(battle, self, "panic")


@dataclass(frozen=True, slots=True)
class Routed(Event):
    """A figure is in rout and ran as far as it could."""

    unit: Id
    path: Places
    cause: Cause = -1
    rule: RuleId = ""
    tails: Places = ()
    at_once: bool = True
    """As soon as fear seized it; else this was its movement."""

    def applied(self, battle: Battle) -> Battle:
        return _fled(battle, self, "rout")


@dataclass(frozen=True, slots=True)
class Rallied(Event):
    """A figure came to itself: its panic or rout is over."""

    unit: Id
    rule: RuleId = ""

    def applied(self, battle: Battle) -> Battle:
        return battle.with_units(replace(battle.units[self.unit], mood=""))


@dataclass(frozen=True, slots=True)
class HealingSet(Event):
    """On which day a wound will be healed; 0: not in this siege."""

    unit: Id
    day: Count
    roll: Count = 0
    rule: RuleId = ""

    def applied(self, battle: Battle) -> Battle:
        return battle.with_units(replace(battle.units[self.unit], heals=self.day))


@dataclass(frozen=True, slots=True)
class Healed(Event):
    """A wounded figure is healthy again."""

    unit: Id
    day: Count
    rule: RuleId = ""

    def applied(self, battle: Battle) -> Battle:
        return battle.with_units(replace(battle.units[self.unit], heals=0))


@dataclass(frozen=True, slots=True)
class Acted(Event):
    """A figure has done a deed that bars others for the rest of its turn: ``toppled lit poured struck`` and
    the like.
    """

    unit: Id
    did: Word

    def applied(self, battle: Battle) -> Battle:
        return battle.with_units(having_done(battle.units[self.unit], self.did))


@dataclass(frozen=True, slots=True)
class Shot(Event):
    """A shot was loosed and what it did to the target."""

    shooter: Id
    target: str
    weapon: str
    range: Count
    band: str
    cover: str
    line: Places
    roll: Count
    result: str
    over: Ids = ()
    cover_rule: RuleId = ""

    def applied(self, battle: Battle) -> Battle:
        return battle.with_units(having_done(battle.units[self.shooter], "shot"))


@dataclass(frozen=True, slots=True)
class Fought(Event):
    """A combat was resolved: who fought whom, at which odds, in which column, and the result code."""

    attackers: Ids
    defenders: Ids
    attack: Count
    defence: Count
    odds: str
    column: str
    roll: Count
    result: str

    def applied(self, battle: Battle) -> Battle:
        here = str(battle.at)
        attackers = [replace(having_done(battle.units[id_], "fought"), fought=here) for id_ in self.attackers]
        defenders = [replace(battle.units[id_], fought=here) for id_ in self.defenders]
        return battle.with_units(*attackers, *defenders)


@dataclass(frozen=True, slots=True)
class StateChanged(Event):
    """A figure is now healthy, stunned, wounded or dead."""

    unit: Id
    was: Harm
    is_: Harm
    since: str
    cause: Cause = -1
    rule: RuleId = ""

    def applied(self, battle: Battle) -> Battle:
        return battle.with_units(replace(battle.units[self.unit], state=self.is_, since=self.since))


@dataclass(frozen=True, slots=True)
class Checked(Event):
    """A shot made a figure take cover; ``since`` empty: that is over."""

    unit: Id
    since: Moment = ""

    def applied(self, battle: Battle) -> Battle:
        return battle.with_units(replace(battle.units[self.unit], checked=self.since))


@dataclass(frozen=True, slots=True)
class Retreated(Event):
    """A beaten figure gave way; a path of one place means that it could not."""

    unit: Id
    path: Places
    cause: Cause = -1
    rule: RuleId = ""
    tails: Places = ()

    def applied(self, battle: Battle) -> Battle:
        return battle.with_units(replace(battle.units[self.unit], at=ends_at(self)))


@dataclass(frozen=True, slots=True)
class Advanced(Event):
    """A victorious figure went forward after combat."""

    unit: Id
    path: Places
    cost: Count
    of: Count
    cause: Cause = -1
    rule: RuleId = ""
    tails: Places = ()

    def applied(self, battle: Battle) -> Battle:
        return battle.with_units(replace(battle.units[self.unit], at=ends_at(self)))


@dataclass(frozen=True, slots=True)
class JobBegan(Event):
    """A figure began work that takes its whole turn."""

    unit: Id
    do: Word
    what: str = ""
    since: str = ""

    def applied(self, battle: Battle) -> Battle:
        return battle.with_units(replace(battle.units[self.unit], job=Job(self.do, self.what, self.since)))


@dataclass(frozen=True, slots=True)
class JobDone(Event):
    """The work is finished."""

    unit: Id
    do: Word
    what: str = ""

    def applied(self, battle: Battle) -> Battle:
        return battle.with_units(replace(battle.units[self.unit], job=None))


@dataclass(frozen=True, slots=True)
class JobBroken(Event):
    """The work was interrupted."""

    unit: Id
    do: Word
    why: str
    what: str = ""

    def applied(self, battle: Battle) -> Battle:
        return battle.with_units(replace(battle.units[self.unit], job=None))


def ends_at(event: Entered | Moved | Turned | Retreated | Advanced | Panicked | Routed) -> tuple[str, ...]:
    """Return the places of a figure after it went somewhere: head and tail, or the one hex."""
    return (event.path[-1], event.tails[-1]) if event.tails else (event.path[-1],)


def _walked(battle: Battle, event: Entered | Moved | Turned) -> Battle:
    """Return the battle after a figure spent points to go somewhere."""
    spent = {**battle.spent, event.unit: battle.spent.get(event.unit, 0) + event.cost}
    walked = replace(having_done(battle.units[event.unit], "moved"), at=ends_at(event))
    return battle.with_units(walked).changed(spent=spent)


def _fled(battle: Battle, event: Panicked | Routed, mood: str) -> Battle:
    """Return the battle after a figure ran for fear."""
    unit = battle.units[event.unit]
    run = unit if event.at_once else having_done(unit, "moved")
    return battle.with_units(replace(run, at=ends_at(event), mood=mood))


EVENTS: Mapping[str, type[Event]] = {
    name: cls
    for name, cls in {**vars(game_events), **globals(), **vars(thing_events)}.items()
    if isinstance(cls, type) and issubclass(cls, Event) and is_dataclass(cls)
}
"""Every event by its name, in the order in which they stand in their modules: a new one is listed by being
written there.
"""


def plain(event: object) -> dict[str, Any]:
    """Return an event as plain data with its ``type``; the envelope adds ``n`` and ``phase``."""
    if not isinstance(event, Event):
        raise TypeError(f"{type(event).__name__} is not an event of this ruleset")
    return {"type": type(event).__name__, **to_plain(event)}
