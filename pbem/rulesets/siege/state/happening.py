"""What an event makes of a battle: the new values it states, and no rule.

Each event says so itself, beside its fields.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from pbem.rulesets.siege.state.state import Battle, Unit


class Event(Struct, frozen=True):
    """Something that happens: new values, and what they make of a battle."""

    def applied(self, battle: Battle) -> Battle:
        """Return the battle after it; each event says this for itself."""
        raise TypeError(f"{type(self).__name__} does not say what it makes of a battle")


class Remark(Event, frozen=True):
    """An event that changes nothing and only tells."""

    def applied(self, battle: Battle) -> Battle:
        """Return the battle as it is."""
        return battle


def apply(battle: Battle, event: object) -> Battle:
    """Return the battle after an event; raise TypeError for what is not one."""
    if not isinstance(event, Event):
        raise TypeError(f"{event!r} is not an event of this ruleset")
    return event.applied(battle)


def having_done(unit: Unit, what: str, **also: Any) -> Unit:
    """Return a figure that has done something in its side's player turn, and of which some fields are
    others.
    """
    if what not in unit.did:
        return replace(unit, did=(*unit.did, what), **also)
    return replace(unit, **also) if also else unit
