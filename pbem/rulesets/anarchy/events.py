"""What can happen in The Anarchy beside what can in Siege."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from pbem.rulesets.anarchy.mine_events import EVENTS as MINES
from pbem.rulesets.siege.state.forms import (
    Cause,
    Count,
    Id,
    Ids,
    LostWhy,
    Moment,
    Place,
    Places,
    RuleId,
    Word,
)
from pbem.rulesets.siege.state.happening import Event, Remark, having_done
from pbem.rulesets.siege.state.state import Battle, Unit


class Surrendered(Event, frozen=True):
    """A figure is a prisoner of a side now."""

    unit: Id
    side: Id
    by: Ids = ()
    rule: RuleId = ""

    def applied(self, battle: Battle) -> Battle:
        return battle.with_units(replace(battle.units[self.unit], captive_of=self.side))


class Freed(Event, frozen=True):
    """A prisoner is free again."""

    unit: Id
    rule: RuleId = ""

    def applied(self, battle: Battle) -> Battle:
        return battle.with_units(replace(battle.units[self.unit], captive_of=""))


class Disarmed(Event, frozen=True):
    """A figure has given up its arms."""

    unit: Id
    rule: RuleId = ""

    def applied(self, battle: Battle) -> Battle:
        return battle.with_units(replace(battle.units[self.unit], disarmed=True))


class Rearmed(Event, frozen=True):
    """A figure has arms again."""

    unit: Id
    rule: RuleId = ""

    def applied(self, battle: Battle) -> Battle:
        return battle.with_units(replace(battle.units[self.unit], disarmed=False))


class SpearThrown(Event, frozen=True):
    """A figure has thrown the one spear it had for that."""

    unit: Id
    rule: RuleId = ""
    cause: Cause = -1

    def applied(self, battle: Battle) -> Battle:
        return battle.with_units(replace(battle.units[self.unit], hurled=True))


class Slung(Event, frozen=True):
    """Somebody threw a stone, or something that burns, at a hex: ``at`` is where it came down, empty off the
    map; ``start`` is where he stands.
    """

    unit: Id
    what: Word
    start: Place
    aim: Place
    roll: Count
    at: str = ""
    rule: RuleId = ""

    def applied(self, battle: Battle) -> Battle:
        return battle.with_units(having_done(battle.units[self.unit], "shot"))


class Hid(Event, frozen=True):
    """A figure, with its horse, lies in hiding where it was placed."""

    unit: Id
    at: Places

    def applied(self, battle: Battle) -> Battle:
        return battle.with_units(*(replace(one, at=(), hides=self.at) for one in pair(battle, self.unit)))


class Revealed(Event, frozen=True):
    """A figure, with its horse, is in hiding no longer; ``why`` is ``acts near fire hit``."""

    unit: Id
    at: Places
    why: Word
    by: Id = ""
    """Who came near."""
    where: Place = ""
    """Where he was then."""

    def applied(self, battle: Battle) -> Battle:
        return battle.with_units(*(replace(one, at=self.at, hides=()) for one in pair(battle, self.unit)))


def pair(battle: Battle, id_: str) -> tuple[Unit, ...]:
    """Return a figure, and of rider and horse both, the horse first."""
    mate = battle.units[id_].on or battle.rider_of.get(id_, "")
    both = (battle.units[id_], *([battle.units[mate]] if mate else []))
    return tuple(sorted(both, key=lambda unit: bool(unit.on)))


class OilSpilt(Remark, frozen=True):
    """A cauldron tipped over because one of those who carried it was hurt or driven off.

    What it did is told by the rolls and their consequences.
    """

    thing: Id
    at: Place
    by: Id
    rule: RuleId = ""
    cause: Cause = -1


class Withdraws(Remark, frozen=True):
    """A side has lost its last noble or knight and goes home from its next turn on."""

    side: Id
    rule: RuleId = ""


class PartLost(Event, frozen=True):
    """A thing has lost one of its hexes, with the last of them all of it; ``fallen`` are who was on it,
    with where they are now; ``why`` is ``burnt`` or ``broken``.
    """

    thing: Id
    at: Place
    why: LostWhy
    fallen: tuple[tuple[Id, Place], ...] = ()
    rule: RuleId = ""
    cause: Cause = -1

    def applied(self, battle: Battle) -> Battle:
        thing = battle.things[self.thing]
        left = replace(thing, at=tuple(hex_ for hex_ in thing.at if hex_ != self.at))
        others = {id_: one for id_, one in battle.things.items() if id_ != self.thing}
        things = dict(sorted({**others, self.thing: left}.items())) if left.at else others
        fallen = (replace(battle.units[id_], at=(there,)) for id_, there in self.fallen)
        return battle.changed(things=things).with_units(*fallen)


class PartBurnt(Event, frozen=True):
    """The roof of an engine is burnt in one of its hexes."""

    thing: Id
    at: Place
    rule: RuleId = ""
    cause: Cause = -1

    def applied(self, battle: Battle) -> Battle:
        was = battle.things[self.thing]
        now = replace(was, burnt=(*was.burnt, self.at))
        return battle.changed(things={**battle.things, self.thing: now})


class Hurled(Event, frozen=True):
    """An engine threw a stone at a hex: ``at`` is where it came down, empty off the map; ``start`` where it
    stands, ``crew`` who served it, ``struck`` when.
    """

    thing: Id
    crew: Ids
    start: Place
    aim: Place
    roll: Count
    struck: Moment
    at: str = ""
    rule: RuleId = ""

    def applied(self, battle: Battle) -> Battle:
        served = [having_done(battle.units[id_], "served") for id_ in self.crew]
        now = replace(battle.things[self.thing], loaded=0, struck=self.struck, crew=self.crew)
        return battle.changed(things={**battle.things, self.thing: now}).with_units(*served)


EVENTS: Final[Mapping[str, type]] = {
    event.__name__: event
    for event in (
        Surrendered,
        Freed,
        Disarmed,
        Rearmed,
        SpearThrown,
        Slung,
        Hid,
        Revealed,
        OilSpilt,
        Withdraws,
        PartLost,
        PartBurnt,
        Hurled,
        *MINES,
    )
}
"""Name -> class of each."""
