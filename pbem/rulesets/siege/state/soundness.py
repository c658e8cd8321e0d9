"""Whether a state that was read can be one of its game: every name, place and phase in it is one that map,
scenario and rules know.

A state in an archive may have been written by anybody and signed by a game master; whoever only looks at it
must not stumble. Whether the rules lead to it is not asked here, which is what playing the game again tells.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import SIDES, NotAPlace, split_place
from pbem.rulesets.siege.state import family, saved
from pbem.rulesets.siege.state.state import DEAD, HEALTHY, STOREYS, STUNNED, WOUNDED, Battle, Thing, Unit
from pbem.text.codec import CodecError

if TYPE_CHECKING:
    from pbem.rulesets.siege.state.field import Field

Rules = Ruleset[Battle]
SPECIAL = ("setup", "over")
"""Phases that stand in no sequence of a turn."""


def read(rules: Rules, field: Field, data: Mapping[str, Any]) -> Battle:
    """Return the battle that was written; raise ``codec.CodecError`` for what is none, or none that this game
    can have.
    """
    battle = saved.read(rules, field, data)
    if said := wrong(rules, battle):
        raise CodecError(said)
    return battle


def wrong(rules: Rules, battle: Battle) -> str:
    """Return the first thing in a state that its game does not know, in words; empty where there is none."""
    return next(_wrong(rules, battle), "")


def _wrong(rules: Rules, battle: Battle) -> Iterator[str]:
    yield from _of_now(rules, battle)
    for unit in battle.units.values():
        yield from _of_a_unit(battle, unit)
    for thing in battle.things.values():
        yield from _of_a_thing(rules, battle, thing)
    for id_ in battle.field.fixtures:
        if id_ not in battle.things:
            yield f"{id_} is missing"
    for (hex_, is_), feature in battle.features.items():
        if not _is_a_ground(battle, hex_):
            yield f"{is_} at {hex_}, which is not a hex of the map"
        if is_ not in family.of(rules).features or min(feature.damage, feature.turns) < 0:
            yield f"{is_} at {hex_} is nothing that becomes of a hex"


def _of_now(rules: Rules, battle: Battle) -> Iterator[str]:
    now, sides = battle.at, _sides(battle)
    if now.phase not in SPECIAL and now.phase not in {
        phase.id for phase in (*rules.sequence.phases, *rules.sequence.between)
    }:
        yield f"{now.phase} is not a phase"
    if now.phase == "setup" and not 1 <= now.turn <= len(battle.field.setup):
        yield f"there is no step {now.turn} of the setup"
    if now.side and now.side not in sides:
        yield f"{now.side} is not a side"
    for side in (*battle.score, *battle.resigned, *battle.draws):
        if side not in sides:
            yield f"{side} is not a side"


def _of_a_unit(battle: Battle, unit: Unit) -> Iterator[str]:
    person = battle.field.people.get(unit.person)
    if person is None or person.kind != unit.kind:
        yield f"{unit.id} is {unit.person}, a {unit.kind}, whom this game does not have"
    if unit.side not in _sides(battle):
        yield f"{unit.id} is of {unit.side}, which is not a side"
    if unit.captive_of and unit.captive_of not in _sides(battle):
        yield f"{unit.id} is held by {unit.captive_of}, which is not a side"
    if unit.state not in (HEALTHY, STUNNED, WOUNDED, DEAD):
        yield f"{unit.id} is {unit.state}, which nobody can be"
    if len(unit.at) > 2:
        yield f"{unit.id} is in {len(unit.at)} places"
    if unit.on and battle.units[unit.on].on:
        yield f"{unit.id} is on {unit.on}, who rides himself"
    yield from _places(battle, unit.id, unit.at)


def _of_a_thing(rules: Rules, battle: Battle, thing: Thing) -> Iterator[str]:
    kind = family.of(rules).kinds.get(thing.kind)
    if kind is None or kind.built_in != (thing.id in battle.field.fixtures):
        yield f"{thing.id} is a {thing.kind}, which this game does not have"
    if thing.facing and thing.facing not in SIDES:
        yield f"{thing.id} faces {thing.facing}, which is not a side of a hex"
    for id_ in (*thing.by, *thing.crew, *thing.hitched):
        if id_ not in battle.units:
            yield f"{thing.id} names {id_}, which is not a unit"
    yield from _places(battle, thing.id, thing.at)


def _places(battle: Battle, id_: str, places: tuple[str, ...]) -> Iterator[str]:
    known = {"", *STOREYS, *(name for floors in battle.field.floors.values() for name in floors.names)}
    for place in places:
        try:
            hex_, storey = split_place(place)
        except NotAPlace:
            hex_, storey = "", ""
        if hex_ not in battle.field.ground or storey not in known:
            yield f"{id_} is at {place}, which is not a place of the map"


def _is_a_ground(battle: Battle, place: str) -> bool:
    """Tell whether something can become of a place: of a hex, or of a floor of what burns place by place."""
    try:
        hex_, storey = split_place(place)
    except NotAPlace:
        return False
    floors = (name for each in battle.field.floors.values() if each.apart for name in each.names)
    return hex_ in battle.field.ground and storey in ("", *floors)


def _sides(battle: Battle) -> frozenset[str]:
    return frozenset(side.id for side in battle.field.sides)
