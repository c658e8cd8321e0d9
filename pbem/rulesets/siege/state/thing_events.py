"""What can happen to things, to the ground and to walls: the part of the events of a battle that is not a
figure's.

They are events like all others (``events``), from where everybody takes them.
"""

from __future__ import annotations

from msgspec.structs import replace

from pbem.geometry.hex import hex_of
from pbem.rulesets.siege.state.forms import (
    Cause,
    Count,
    Facing,
    Ground,
    HeldWhy,
    Id,
    Ids,
    LostWhy,
    Moment,
    Place,
    Places,
    RuleId,
    Stance,
    Word,
)
from pbem.rulesets.siege.state.happening import Event, Remark, having_done
from pbem.rulesets.siege.state.state import Battle, Feature, Thing, Unit

_NAMES = (
    "stands", "facing", "by", "crew", "loaded", "lost", "repair_until", "struck", "crew_fought", "climbed"
)  # fmt: skip
"""What of a thing may be given a new value."""
_NOTHING = Thing("", "")
"""A thing in which every field is empty."""


class LadderRaised(Event, frozen=True):
    """A ladder was set up in a hex so that it leans over one of its sides; ``by`` are those who did it."""

    thing: Id
    at: Places
    facing: Facing
    by: Ids = ()
    rule: RuleId = ""
    cause: Cause = -1

    def applied(self, battle: Battle) -> Battle:
        return _with(
            battle, replace(battle.things[self.thing], at=self.at, facing=self.facing, stands="raised", by=())
        )


class LadderToppled(Event, frozen=True):
    """A ladder was toppled and lies in these hexes now, its foot first; ``by`` is who did it."""

    thing: Id
    at: Places
    by: Ids = ()
    rule: RuleId = ""
    cause: Cause = -1

    def applied(self, battle: Battle) -> Battle:
        return _with(battle, replace(battle.things[self.thing], at=self.at, facing="", stands="lying", by=()))


class ThingMoved(Event, frozen=True):
    """A thing stands elsewhere now, and its passengers with it; ``crew``: who moved it from inside, and has
    moved with that.

    ``was`` is where an engine stood before, for those who show its way, ``when`` the phase, where a rule
    asks for it later.
    """

    thing: Id
    at: Places
    facing: Facing = ""
    passengers: tuple[tuple[Id, Place], ...] = ()
    crew: Ids = ()
    cause: Cause = -1
    rule: RuleId = ""
    was: Places = ()
    when: Moment = ""

    def applied(self, battle: Battle) -> Battle:
        units, was = battle.units, battle.things[self.thing]
        along = {id_: replace(units[id_], at=(place,)) for id_, place in self.passengers}
        for id_ in self.crew:
            along[id_] = having_done(along.get(id_, units[id_]), "moved")
        there = dict(zip(was.at, self.at, strict=False))
        burnt = tuple(there[hex_] for hex_ in was.burnt)
        rolled = self.when or was.rolled
        now = replace(was, at=self.at, facing=self.facing or was.facing, burnt=burnt, rolled=rolled)
        return _with(battle, now).with_units(*along.values())


class RamStruck(Event, frozen=True):
    """A ram struck a wall; ``struck`` is when, ``crew`` worked it.

    What the wall lost is told by the roll and its consequences.
    """

    thing: Id
    at: Place
    struck: Moment
    crew: Ids = ()
    rule: RuleId = ""

    def applied(self, battle: Battle) -> Battle:
        worked = [having_done(battle.units[id_], "struck") for id_ in self.crew]
        return _with(battle, replace(battle.things[self.thing], struck=self.struck)).with_units(*worked)


class OilPoured(Event, frozen=True):
    """A barrel of oil was poured on a hex; ``by`` is who did it.

    What it did is told by the rolls and their consequences.
    """

    thing: Id
    at: Place
    by: Id
    rule: RuleId = ""
    cause: Cause = -1

    def applied(self, battle: Battle) -> Battle:
        return battle.with_units(having_done(battle.units[self.by], "poured"))


class ThingChanged(Event, frozen=True):
    """A thing is otherwise than before: what is given is new, what stands in ``cleared`` is empty now."""

    thing: Id
    stands: Stance = ""
    facing: Facing = ""
    by: Ids = ()
    crew: Ids = ()
    loaded: Count = 0
    lost: Count = 0
    repair_until: Count = 0
    struck: Moment = ""
    crew_fought: Moment = ""
    climbed: Moment = ""
    cleared: tuple[Word, ...] = ()
    rule: RuleId = ""
    cause: Cause = -1

    def applied(self, battle: Battle) -> Battle:
        given = {name: getattr(self, name) for name in _NAMES if getattr(self, name)}
        empty = {name: getattr(_NOTHING, name) for name in self.cleared}
        return _with(battle, replace(battle.things[self.thing], **{**given, **empty}))


class ThingLost(Event, frozen=True):
    """A thing is gone for good, and who lay on its platform lies on the ground: ``why`` is ``burnt``,
    ``used`` or ``broken``.
    """

    thing: Id
    why: LostWhy
    rule: RuleId = ""
    cause: Cause = -1

    def applied(self, battle: Battle) -> Battle:
        above = {place: hex_of(place) for place in battle.above(battle.things[self.thing])}
        fallen = [
            replace(unit, at=(above[unit.at[0]],))
            for unit in battle.units.values()
            if unit.at and unit.at[0] in above
        ]
        return battle.changed(
            things={id_: thing for id_, thing in battle.things.items() if id_ != self.thing}
        ).with_units(*fallen)


class FeatureChanged(Event, frozen=True):
    """Something became of a hex, or went on: ``is`` is ``filled rubble wall fire burnt``, with its new
    numbers.
    """

    at: Place
    is_: Ground
    damage: Count = 0
    turns: Count = 0
    lit_by: Id = ""
    check: Moment = ""
    bombarded: bool = False
    last: Count = 0
    rule: RuleId = ""
    cause: Cause = -1

    def applied(self, battle: Battle) -> Battle:
        feature = Feature(
            self.at, self.is_, self.damage, self.turns, self.lit_by, self.check, self.bombarded, self.last
        )
        return battle.changed(
            features=dict(sorted({**battle.features, (self.at, self.is_): feature}.items()))
        )


class FeatureGone(Event, frozen=True):
    """What had become of a hex is over: a fire went out, a moat was cleared."""

    at: Place
    is_: Ground
    rule: RuleId = ""
    cause: Cause = -1

    def applied(self, battle: Battle) -> Battle:
        return battle.changed(
            features={key: feature for key, feature in battle.features.items() if key != (self.at, self.is_)}
        )


class EngineAimed(Event, frozen=True):
    """An engine was given a hex to bombard on this day; ``since`` is the phase in which it was."""

    thing: Id
    at: Place
    since: Moment

    def applied(self, battle: Battle) -> Battle:
        return _with(battle, replace(battle.things[self.thing], aim=self.at, struck=self.since))


class Bombarded(Remark, frozen=True):
    """A wall was bombarded for a day: by which engines, with how many points together."""

    at: Place
    by: Ids
    points: Count


class WallHeld(Remark, frozen=True):
    """A blow told, and yet the wall lost no step: ``why`` is ``today`` (it has lost one on this day) or
    ``keep``.
    """

    at: Place
    why: HeldWhy
    rule: RuleId = ""
    cause: Cause = -1


class Repaired(Event, frozen=True):
    """An engine has all its points again."""

    thing: Id
    day: Count
    rule: RuleId = ""

    def applied(self, battle: Battle) -> Battle:
        return _with(battle, replace(battle.things[self.thing], lost=0, repair_until=0))


class FieldCleared(Event, frozen=True):
    """After an assault everybody went back to camp and castle: these figures are off the map, and these
    things are as they say now.
    """

    units: Ids = ()
    things: tuple[Thing, ...] = ()

    def applied(self, battle: Battle) -> Battle:
        away = {id_: _off_the_map(battle.units[id_]) for id_ in self.units}
        return _with(battle, *self.things).changed(units={**battle.units, **away})


class Hitched(Event, frozen=True):
    """An animal is hitched to a wagon, or no longer: ``hitched`` are all that are now."""

    thing: Id
    unit: Id
    hitched: Ids
    rule: RuleId = ""

    def applied(self, battle: Battle) -> Battle:
        return _with(battle, replace(battle.things[self.thing], hitched=self.hitched))


def _with(battle: Battle, *things: Thing) -> Battle:
    """Return the battle with some things replaced."""
    return battle.changed(things={**battle.things, **{thing.id: thing for thing in things}})


def _off_the_map(unit: Unit) -> Unit:
    """Return a figure as it is when an assault is over: nowhere on the map, and with nothing on its hands."""
    return replace(unit, at=(), on="", left=False, did=(), job=None, fought="", checked="", shelter="")
