"""What can happen in The Anarchy beside what can in Siege."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from pbem.rulesets.siege.state.forms import Id, Ids, RuleId
from pbem.rulesets.siege.state.happening import Event
from pbem.rulesets.siege.state.state import Battle


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


EVENTS: Final[Mapping[str, type]] = {
    event.__name__: event for event in (Surrendered, Freed, Disarmed, Rearmed)
}
"""Name -> class of each."""
