"""What can happen at mines and because of them; they are events like all others (``events``)."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from pbem.geometry.hex import hex_of
from pbem.rulesets.siege.state.forms import Cause, Id, Ids, Moment, Place, Places, RuleId, Stance, Word
from pbem.rulesets.siege.state.happening import Event, Remark
from pbem.rulesets.siege.state.state import BELOW, Battle, Thing


class InitiativeTaken(Event, frozen=True):
    """A side has the initiative on this day."""

    side: Id
    rule: RuleId = ""

    def applied(self, battle: Battle) -> Battle:
        return battle.changed(log=replace(battle.log, initiative=self.side))


class MineOrdered(Event, frozen=True):
    """Men work at a mine on this day: ``work`` is ``dug refilled fired``, ``at`` the wall, ``crew`` all who
    do; ``hard``: at a forced pace.
    """

    thing: Id
    at: Place
    work: Stance
    crew: Ids
    since: Moment
    hard: bool = False
    rule: RuleId = ""

    def applied(self, battle: Battle) -> Battle:
        was = battle.things[self.thing]
        loaded = 1 if self.hard else was.loaded
        since = was.struck or self.since
        return _with(
            battle, replace(was, aim=self.at, stands=self.work, crew=self.crew, loaded=loaded, struck=since)
        )


class RoofBuilt(Event, frozen=True):
    """A penthouse is built anew, in the place of one that has burnt."""

    thing: Id
    at: Places
    rule: RuleId = ""

    def applied(self, battle: Battle) -> Battle:
        was = battle.things[self.thing]
        return _with(battle, replace(was, at=self.at, burnt=(), crew=(), loaded=0, struck="", crew_fought=""))


class MineRested(Event, frozen=True):
    """Nobody works at a mine any more on this day."""

    thing: Id
    rule: RuleId = ""

    def applied(self, battle: Battle) -> Battle:
        return _with(battle, replace(battle.things[self.thing], aim="", stands="", crew=(), loaded=0))


class MineIdle(Remark, frozen=True):
    """Nothing was done at a mine: ``why`` is ``engineer`` (nobody led), ``roof`` (no whole one is left),
    ``few`` (too few to count), ``met`` (the enemy has tunnelled that hex) or ``taken`` (the enemy has what it
    would have been done from, or too much of it for the props to be burnt).
    """

    thing: Id
    at: Place
    why: Word
    rule: RuleId = ""


class MineDug(Event, frozen=True):
    """A hex is tunnelled and propped up."""

    thing: Id
    at: Place
    rule: RuleId = ""
    cause: Cause = -1

    def applied(self, battle: Battle) -> Battle:
        was = battle.things[self.thing]
        return _with(battle, replace(was, at=(*was.at, self.at)))


class MineRefilled(Event, frozen=True):
    """A tunnel is filled up again."""

    thing: Id
    at: Place
    rule: RuleId = ""
    cause: Cause = -1

    def applied(self, battle: Battle) -> Battle:
        return _without(battle, self.thing, (self.at,))


class MineTaken(Event, frozen=True):
    """A tunnel is in other hands now: it belongs to the mine ``to``."""

    thing: Id
    at: Place
    to: Id
    rule: RuleId = ""

    def applied(self, battle: Battle) -> Battle:
        was, theirs = battle.things[self.thing], battle.things[self.to]
        battle = _with(battle, replace(was, at=tuple(hex_ for hex_ in was.at if hex_ != self.at)))
        return _with(battle, replace(theirs, at=(*theirs.at, self.at)))


class MineGone(Event, frozen=True):
    """Tunnels are no more, because the wall above them fell."""

    thing: Id
    at: Places
    rule: RuleId = ""
    cause: Cause = -1

    def applied(self, battle: Battle) -> Battle:
        return _without(battle, self.thing, self.at)


class PropsHeld(Remark, frozen=True):
    """Props were not fired, because ``unit`` was still in the mine."""

    thing: Id
    at: Place
    unit: Id
    rule: RuleId = ""


def _with(battle: Battle, thing: Thing) -> Battle:
    return battle.changed(things={**battle.things, thing.id: thing})


def _without(battle: Battle, mine: str, hexes: tuple[str, ...]) -> Battle:
    """Return the battle with a mine that has lost some hexes; who was in them is up on the ground."""
    was = battle.things[mine]
    gone = {f"{hex_}@{BELOW}" for hex_ in hexes}
    up = [replace(unit, at=(hex_of(unit.at[0]),)) for unit in battle.units.values() if gone & {*unit.at}]
    left = tuple(hex_ for hex_ in was.at if hex_ not in hexes)
    return _with(battle, replace(was, at=left)).with_units(*up)


EVENTS: Final = (
    *(
        InitiativeTaken,
        MineOrdered,
        RoofBuilt,
        MineRested,
        MineIdle,
        MineDug,
        MineRefilled,
        MineTaken,
        MineGone,
        PropsHeld,
    ),
)
"""All of them."""
