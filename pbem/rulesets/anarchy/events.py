"""What can happen in The Anarchy beside what can in Siege."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from pbem.rulesets.siege.state.forms import Cause, Count, Id, Ids, Place, Places, RuleId, Word
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


EVENTS: Final[Mapping[str, type]] = {
    event.__name__: event for event in (Surrendered, Freed, Disarmed, Rearmed, Slung, Hid, Revealed, OilSpilt)
}
"""Name -> class of each."""
