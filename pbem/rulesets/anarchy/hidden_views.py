"""What is shown of figures in hiding: to their own side where they lie, to the other nothing.

To the other side they are not on the map, and nothing is told of what their side says to them: neither its
standing instructions nor its conditions nor what came of an order that nobody saw.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from msgspec.structs import replace

from pbem.core.briefing import Chapter, Member, Said
from pbem.core.ruleset import Ruleset
from pbem.core.scene import Scene, Token
from pbem.rulesets.anarchy import hiding
from pbem.rulesets.siege.state.state import Battle, Unit
from pbem.rulesets.siege.views import narration

Rules = Ruleset[Battle]
Event = Mapping[str, Any]

SAID_IN_SECRET: Final = frozenset(
    {"OrderRead", "OrderSkipped", "BranchTaken", "FileEnded", "Instructed", "Chosen", "Asked"}
)
"""Events of what a seat said and what came of it; the other side does not learn of them as long as somebody
of that seat's side hides.
"""


def view(rules: Rules, battle: Battle, side: str | None) -> Battle:
    """Return the battle as a side knows it: its own in hiding where they lie, of the other side's no more
    than that they are there somewhere.
    """
    if side is None:
        return battle
    if battle.winner:
        return hiding.uncovered(battle)
    hidden = hiding.in_hiding(battle)
    secret = [unit for unit in battle.units.values() if unit.hides and unit.side != side]
    battle = hiding.uncovered(battle, side)
    others = {unit.side for unit in hidden if unit.side != side}
    if not others:
        return battle
    foreign = {seat for other in others for seat in battle.seats_of[other]}
    return battle.with_units(*(replace(unit, hides=()) for unit in secret)).changed(
        standing={seat: said for seat, said in battle.standing.items() if seat not in foreign},
        ended={seat: at for seat, at in battle.ended.items() if seat not in foreign},
    )


def seen(rules: Rules, battle: Battle, events: Sequence[Event], side: str | None) -> list[Event]:
    """Return the events of which a side learns, each with its cause as counted among them."""
    if side is None:
        return list(events)
    came_forth = {str(event["unit"]) for event in events if event["type"] == "Revealed"}
    those = {unit.side for unit in hiding.in_hiding(battle)} | {battle.units[id_].side for id_ in came_forth}
    foreign = {seat for other in those - {side} for seat in battle.seats_of[other]}
    places: list[int] = []
    learnt: list[Event] = []
    told = 0
    for event in events:
        if event["type"] == "PhaseBegan":
            places, told = [], 0
        counted = event["type"] not in narration.BEFORE
        if _in_secret(battle, event, foreign, side):
            places += [-1] * counted
            continue
        learnt.append(_caused(event, places))
        places += [told] * counted
        told += counted
    return learnt


def _in_secret(battle: Battle, event: Event, foreign: set[str], side: str) -> bool:
    """Tell whether a side does not learn of an event."""
    if event["type"] in ("Placed", "Hid"):
        id_ = str(event["unit"])
        mates = {id_, battle.units[id_].on, battle.rider_of.get(id_, "")}
        return battle.units[id_].side != side and not mates.isdisjoint(battle.field.hidden)
    return event["type"] in SAID_IN_SECRET and event["seat"] in foreign


def _caused(event: Event, places: Sequence[int]) -> Event:
    """Return an event whose cause is counted among those that are learnt; without one of which nothing is
    learnt.
    """
    cause = event.get("cause", -1)
    if not 0 <= cause < len(places) or places[cause] == cause:
        return event
    rest = {key: value for key, value in event.items() if key != "cause"}
    return {**rest, "cause": places[cause]} if places[cause] >= 0 else rest


def shown(inner: Callable[..., Scene]) -> Callable[..., Scene]:
    """Return what draws a battle, for a game in which some hide: whoever knows where they lie sees them
    there, marked.
    """

    def scene(
        rules: Rules, battle: Battle, events: Sequence[Event] = (), side: str | None = None, title: str = ""
    ) -> Scene:
        battle = hiding.uncovered(battle)
        found = inner(rules, battle, events, side, title)
        hidden = {unit.id for unit in hiding.in_hiding(battle) if _lies(unit)}
        if not hidden:
            return found
        return replace(
            found, tokens=tuple(_marked(token) if token.id in hidden else token for token in found.tokens)
        )

    return scene


def _lies(unit: Unit) -> bool:
    """Tell whether somebody is still where he hides: in a picture of orders he may have left it."""
    return unit.at == unit.hides


def _marked(token: Token) -> Token:
    return replace(
        token, badges=(*token.badges, "hidden"), description=", ".join((token.description, "in hiding"))
    )


def called(inner: Callable[..., Sequence[Member]]) -> Callable[..., Sequence[Member]]:
    """Return the roll of both sides, with who is in hiding, wherever that is."""

    def roll_call(rules: Rules, battle: Battle, seat: str) -> Sequence[Member]:
        members = inner(rules, battle, seat)
        hidden = {unit.id for unit in battle.units.values() if unit.hides or battle.unseen(unit)}
        return [replace(one, state="in hiding") if one.id in hidden else one for one in members]

    return roll_call


def told(inner: Callable[..., Sequence[Chapter]]) -> Callable[..., Sequence[Chapter]]:
    """Return what explains the rules, with a chapter on hiding."""

    def primer(rules: Rules, battle: Battle) -> Sequence[Chapter]:
        hexes = sorted(set(battle.field.hidden.values()))
        if not hexes:
            return inner(rules, battle)
        said = (
            Said("primer.hidden", {"hexes": " or ".join(map(str, hexes))}),
            Said("primer.hidden-acts"),
            Said("primer.hidden-met"),
        )
        return (*inner(rules, battle), Chapter(Said("primer.hidden-title"), said))

    return primer
