"""Events of where figures are: placed and entered, moved, mounted and fallen, fled, beaten back and gone
forward.
"""

from __future__ import annotations

from msgspec.structs import replace

from pbem.rulesets.siege.state.forms import Cause, Count, Facing, Id, Ids, LeftWhy, Place, Places, RuleId
from pbem.rulesets.siege.state.happening import Event, having_done
from pbem.rulesets.siege.state.state import Battle


class Placed(Event, frozen=True):
    """A figure was put on the map in the setup; ``at`` has head and tail of one of two hexes."""

    unit: Id
    at: Places
    facing: Facing = ""
    on: Id = ""
    """The horse it sits on."""

    def applied(self, battle: Battle) -> Battle:
        unit = battle.units[self.unit]
        return battle.with_units(replace(unit, at=self.at, on=self.on or unit.on))


class Entered(Event, frozen=True):
    """A figure came onto the map."""

    unit: Id
    path: Places
    cost: Count
    of: Count
    tails: Places = ()

    def applied(self, battle: Battle) -> Battle:
        return _walked(battle, self)


class Left(Event, frozen=True):
    """A figure left the map alive; ``why`` is ``order panic rout``."""

    unit: Id
    at: Place
    why: LeftWhy = "order"

    def applied(self, battle: Battle) -> Battle:
        unit = battle.units[self.unit]
        away = (unit.id, unit.on) if unit.on else (unit.id,)
        return battle.with_units(*(replace(battle.units[id_], at=(), left=True) for id_ in away))


class Moved(Event, frozen=True):
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


class Turned(Event, frozen=True):
    """A figure of two hexes turned about its tail."""

    unit: Id
    path: Places
    tails: Places
    cost: Count
    of: Count
    facing: Facing

    def applied(self, battle: Battle) -> Battle:
        return _walked(battle, self)


class Mounted(Event, frozen=True):
    """A figure got on a horse; it stands where the horse stands."""

    unit: Id
    horse: Id
    at: Places
    rule: RuleId = ""

    def applied(self, battle: Battle) -> Battle:
        return battle.with_units(replace(battle.units[self.unit], on=self.horse, at=self.at))


class Dismounted(Event, frozen=True):
    """A rider got off his horse; ``at`` is where he stands now."""

    unit: Id
    horse: Id
    at: Places
    rule: RuleId = ""

    def applied(self, battle: Battle) -> Battle:
        return battle.with_units(replace(battle.units[self.unit], on="", at=self.at))


class Thrown(Event, frozen=True):
    """A rider fell off his horse, or his horse fell under him; ``at`` is where he lies now."""

    unit: Id
    horse: Id
    at: Places
    cause: Cause = -1
    rule: RuleId = ""

    def applied(self, battle: Battle) -> Battle:
        return battle.with_units(replace(battle.units[self.unit], on="", at=self.at))


class Fell(Event, frozen=True):
    """A figure on foot fell off a bridge, a ladder or a wall; ``at`` is where it lies now."""

    unit: Id
    at: Places
    cause: Cause = -1
    rule: RuleId = ""

    def applied(self, battle: Battle) -> Battle:
        return battle.with_units(replace(battle.units[self.unit], at=self.at))


class Led(Event, frozen=True):
    """An animal or a captive is in the hands of a side now; ``side`` empty: of its own."""

    unit: Id
    side: Id = ""
    by: Id = ""
    rule: RuleId = ""

    def applied(self, battle: Battle) -> Battle:
        return battle.with_units(replace(battle.units[self.unit], captive_of=self.side))


class Panicked(Event, frozen=True):
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


class Routed(Event, frozen=True):
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


class Rallied(Event, frozen=True):
    """A figure came to itself: its panic or rout is over."""

    unit: Id
    rule: RuleId = ""

    def applied(self, battle: Battle) -> Battle:
        return battle.with_units(replace(battle.units[self.unit], mood=""))


class Retreated(Event, frozen=True):
    """A beaten figure gave way; a path of one place means that it could not."""

    unit: Id
    path: Places
    cause: Cause = -1
    rule: RuleId = ""
    tails: Places = ()

    def applied(self, battle: Battle) -> Battle:
        return battle.with_units(replace(battle.units[self.unit], at=ends_at(self)))


class Advanced(Event, frozen=True):
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


def ends_at(event: Entered | Moved | Turned | Retreated | Advanced | Panicked | Routed) -> tuple[str, ...]:
    """Return the places of a figure after it went somewhere: head and tail, or the one hex."""
    return (event.path[-1], event.tails[-1]) if event.tails else (event.path[-1],)


def _walked(battle: Battle, event: Entered | Moved | Turned) -> Battle:
    """Return the battle after a figure spent points to go somewhere."""
    spent = {**battle.spent, event.unit: battle.spent.get(event.unit, 0) + event.cost}
    walked = having_done(battle.units[event.unit], "moved", at=ends_at(event))
    return battle.with_units(walked, spent=spent)


def _fled(battle: Battle, event: Panicked | Routed, mood: str) -> Battle:
    """Return the battle after a figure ran for fear."""
    unit = battle.units[event.unit]
    run = unit if event.at_once else having_done(unit, "moved")
    return battle.with_units(replace(run, at=ends_at(event), mood=mood))
