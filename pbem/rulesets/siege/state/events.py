"""What can happen in a battle. Each event states the new values, so that applying one needs no rules, and
applies them itself.

Where figures went stands in ``move_events``, what happened to the game in ``game_events``, what to things,
ground and walls in ``thing_events``; all are taken from here. Wording stands in ``words.yaml``. What changed
nothing but explains something is an event too, a ``Remark``. ``cause`` is the place, in the list of the
phase, of the event that brought this one about. Fields whose new value *is* empty are listed in ``cleared``,
because absent means "as it was".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from pbem.rulesets.siege.state import game_events, move_events, thing_events
from pbem.rulesets.siege.state.forms import Cause, Count, Harm, Id, Ids, Moment, Places, RuleId, Skill, Word
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
    reasons,
)
from pbem.rulesets.siege.state.happening import Event, Remark, having_done
from pbem.rulesets.siege.state.move_events import (
    Advanced,
    Dismounted,
    Entered,
    Fell,
    Led,
    Left,
    Mounted,
    Moved,
    Panicked,
    Placed,
    Rallied,
    Retreated,
    Routed,
    Thrown,
    Turned,
)
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
    "Advanced",
    "Asked",
    "Bombarded",
    "BranchTaken",
    "Chosen",
    "DayBegan",
    "Dismounted",
    "DrawOffered",
    "EngineAimed",
    "Entered",
    "Event",
    "FeatureChanged",
    "FeatureGone",
    "Fell",
    "FieldCleared",
    "FileEnded",
    "GameEnded",
    "Hitched",
    "Instructed",
    "LadderRaised",
    "LadderToppled",
    "Led",
    "Left",
    "Mounted",
    "Moved",
    "OilPoured",
    "OrderRead",
    "OrderSkipped",
    "Panicked",
    "PhaseBegan",
    "PhaseEnded",
    "Placed",
    "Planned",
    "Rallied",
    "RamStruck",
    "Reason",
    "Remark",
    "Repaired",
    "Resigned",
    "Retreated",
    "Rolled",
    "Routed",
    "Said",
    "Scored",
    "ThingChanged",
    "ThingLost",
    "ThingMoved",
    "Thrown",
    "TurnBegan",
    "Turned",
    "WallHeld",
    "plain",
    "reasons",
]


class Misfired(Remark, frozen=True):
    """A shot that missed threatened the shooter's own men; ``hit`` is who was wounded."""

    shooter: Id
    target: str
    hit: Ids
    roll: Count
    rule: RuleId = ""


class Skilled(Event, frozen=True):
    """A shooter has a skill: what is added to the die of his shots."""

    unit: Id
    skill: Skill
    rule: RuleId = ""

    def applied(self, battle: Battle) -> Battle:
        return battle.with_units(replace(battle.units[self.unit], skill=self.skill))


class HealingSet(Event, frozen=True):
    """On which day a wound will be healed; 0: not in this siege."""

    unit: Id
    day: Count
    roll: Count = 0
    rule: RuleId = ""

    def applied(self, battle: Battle) -> Battle:
        return battle.with_units(replace(battle.units[self.unit], heals=self.day))


class Healed(Event, frozen=True):
    """A wounded figure is healthy again."""

    unit: Id
    day: Count
    rule: RuleId = ""

    def applied(self, battle: Battle) -> Battle:
        return battle.with_units(replace(battle.units[self.unit], heals=0))


class Acted(Event, frozen=True):
    """A figure has done a deed that bars others for the rest of its turn: ``toppled lit poured struck`` and
    the like.
    """

    unit: Id
    did: Word

    def applied(self, battle: Battle) -> Battle:
        return battle.with_units(having_done(battle.units[self.unit], self.did))


class Shot(Event, frozen=True):
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


class FireArrowShot(Event, frozen=True):
    """A figure has shot a fire arrow where a scenario counts them: ``left`` is how many it has now."""

    unit: Id
    left: Count
    rule: RuleId = ""

    def applied(self, battle: Battle) -> Battle:
        unit = battle.units[self.unit]
        return battle.with_units(replace(unit, fire_arrows=unit.fire_arrows + 1))


class Fought(Event, frozen=True):
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
        here = battle.at.name
        attackers = [having_done(unit, "fought", fought=here) for unit in battle.those(self.attackers)]
        defenders = [replace(unit, fought=here) for unit in battle.those(self.defenders)]
        return battle.having_fought([*attackers, *defenders])


class StateChanged(Event, frozen=True):
    """A figure is now healthy, stunned, wounded or dead."""

    unit: Id
    was: Harm
    is_: Harm
    since: str
    cause: Cause = -1
    rule: RuleId = ""

    def applied(self, battle: Battle) -> Battle:
        return battle.with_units(replace(battle.units[self.unit], state=self.is_, since=self.since))


class Checked(Event, frozen=True):
    """A shot made a figure take cover; ``since`` empty: that is over."""

    unit: Id
    since: Moment = ""

    def applied(self, battle: Battle) -> Battle:
        return battle.with_units(replace(battle.units[self.unit], checked=self.since))


class JobBegan(Event, frozen=True):
    """A figure began work that takes its whole turn."""

    unit: Id
    do: Word
    what: str = ""
    since: str = ""

    def applied(self, battle: Battle) -> Battle:
        return battle.with_units(replace(battle.units[self.unit], job=Job(self.do, self.what, self.since)))


class JobDone(Event, frozen=True):
    """The work is finished."""

    unit: Id
    do: Word
    what: str = ""

    def applied(self, battle: Battle) -> Battle:
        return battle.with_units(replace(battle.units[self.unit], job=None))


class JobBroken(Event, frozen=True):
    """The work was interrupted."""

    unit: Id
    do: Word
    why: str
    what: str = ""

    def applied(self, battle: Battle) -> Battle:
        return battle.with_units(replace(battle.units[self.unit], job=None))


EVENTS: Mapping[str, type[Event]] = {
    name: cls
    for name, cls in {**vars(game_events), **vars(move_events), **globals(), **vars(thing_events)}.items()
    if isinstance(cls, type) and issubclass(cls, Event) and cls not in (Event, Remark)
}
"""Every event by its name, in the order in which they stand in their modules: a new one is listed by being
written there.
"""


def plain(event: object) -> dict[str, Any]:
    """Return an event as plain data with its ``type``; the envelope adds ``n`` and ``phase``."""
    if not isinstance(event, Event):
        raise TypeError(f"{type(event).__name__} is not an event of this ruleset")
    return {"type": type(event).__name__, **to_plain(event)}
