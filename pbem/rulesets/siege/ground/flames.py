"""Flames: what burns now and what could burn, that nobody goes where it does, and who has been beside
something that could.

How a fire begins is ``fire_by_hand``, ``fire_arrows`` and ``oil``; what it does, how it spreads and goes
out is ``burning``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache, partial
from typing import Any, Final

from msgspec.structs import replace

from pbem.core.problem import Problem
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import around, hex_of
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state.events import PhaseBegan
from pbem.rulesets.siege.state.family import where_there_is
from pbem.rulesets.siege.state.field import RUBBLE
from pbem.rulesets.siege.state.state import Battle, Feature, Thing, Unit

Rules = Ruleset[Battle]
FIRE, BURNT, TENT, CAMP = "fire", "burnt", "tent", "camp"
CHARRED: Final = "charred"
"""What has become of a burnt place of a thing that burns place by place."""
TOWER: Final = "siege-tower"
ENGINES: Final = (TOWER, "ram", "ballista", "mangonel", "trebuchet")
BROKEN: Final = "broken"
"""How something built in stands when nothing is left of it."""
WOODEN: Final = ("wagon", "mantlet", "ladder")
"""What burns besides, if the game has it so."""


def in_force(rules: Rules) -> bool:
    """Tell whether anything burns in this game."""
    return CAMP in rules.modules


def table(rules: Rules) -> Mapping[str, Any]:
    """Return the table that says what catches fire, and how long it burns."""
    found: Mapping[str, Any] = rules.tables[family.of(rules).fire]
    return found


def fires(battle: Battle) -> tuple[Feature, ...]:
    """Return the fires that burn now, in the order of their hexes."""
    return (
        tuple(feature for (_, is_), feature in sorted(battle.features.items()) if is_ == FIRE)
        if battle.features
        else ()
    )


def burns(battle: Battle, hex_: str) -> bool:
    """Tell whether a hex burns."""
    return (hex_, FIRE) in battle.features


def spot(battle: Battle, place: str) -> str:
    """Return what burns as one with a place: itself in a thing that burns place by place, else its hex."""
    return place if place in battle.apart else hex_of(place)


@rule("S3.54b")
@where_there_is(FIRE)
def bars(battle: Battle, unit: Unit, there: str) -> Problem | None:
    """Return that a place burns, where nobody goes in or through; None if it does not."""
    if not battle.features or not burns(battle, spot(battle, there)):
        return None
    here = spot(battle, there)
    help_ = f"go round it; who stands beside it may fight the fire: NAME puts out {here}"
    return Problem("flames.burning", {"unit": unit.id, "hex": there}, rule="S3.54b", help=help_)


# --- what can burn


@rule("S3.51e")
def can_burn(rules: Rules, kind: str) -> bool:
    """Tell whether something of a kind can burn: tents and siege engines, by the option other gear of wood
    too, nothing else.
    """
    more = WOODEN if rules.setting("flammable_objects") == "tents_engines_wagons_mantlets_ladders" else ()
    if kind in (TENT, *ENGINES, *more):
        return True
    known = family.of(rules).kinds.get(kind)
    return known is not None and known.burns


def is_tent(battle: Battle, hex_: str) -> bool:
    """Tell whether a tent stands in a hex that has not burnt down."""
    ground = battle.field.ground.get(hex_)
    return ground is not None and TENT in ground.traits and (hex_, BURNT) not in battle.features


def planks(rules: Rules, battle: Battle, hex_: str) -> str:
    """Return the ground of a hex that is itself of wood and can burn, while it is there; empty for every
    other.
    """
    ground = battle.field.ground.get(hex_)
    became = family.of(rules).planks.get(ground.id, "") if ground is not None else ""
    return ground.id if ground is not None and became and not _gone(battle, hex_, became) else ""


def _gone(battle: Battle, hex_: str, became: str) -> bool:
    return (hex_, became) in battle.features or (hex_, RUBBLE) in battle.features


def standing_in(battle: Battle, hex_: str) -> tuple[Thing, ...]:
    """Return the things that stand in a hex with a part of them, by id."""
    return battle.once("standing in", lambda: _standing_in(battle)).get(hex_, ())


def _standing_in(battle: Battle) -> dict[str, tuple[Thing, ...]]:
    """Return hex, or place above the ground -> the things with a part of them there, by id."""
    found: dict[str, tuple[Thing, ...]] = {}
    for _, thing in sorted(battle.things.items()):
        if not thing.away:
            for place in dict.fromkeys((*map(hex_of, thing.at), *battle.above(thing))):
                found[place] = (*found.get(place, ()), thing)
    return found


def ruin(rules: Rules, battle: Battle, thing: Thing) -> str:
    """Return how a thing stands when it has burnt down; empty where nothing is left of it."""
    if thing.id in battle.field.fixtures:
        return BROKEN
    known = family.of(rules).kinds.get(thing.kind)
    return known.ruin if known is not None else ""


def burnt_down(rules: Rules, thing: Thing) -> bool:
    """Tell whether a thing stands as one that is destroyed, so that nothing of it burns any more."""
    known = family.of(rules).kinds.get(thing.kind)
    return bool(thing.stands) and thing.stands in (BROKEN, known.ruin if known is not None else "")


def kindling(rules: Rules, battle: Battle, hex_: str) -> tuple[str, ...]:
    """Return what in a hex could burn, or burns: things by id, and ``tent`` or its ground of wood; nothing
    where there is nothing of the kind.
    """
    if (hex_, CHARRED) in battle.features:
        return ()
    things = (
        tuple(
            thing.id
            for thing in standing_in(battle, hex_)
            if hex_ not in thing.burnt and not burnt_down(rules, thing) and can_burn(rules, thing.kind)
        )
        if battle.things
        else ()
    )
    own = TENT if is_tent(battle, hex_) and can_burn(rules, TENT) else planks(rules, battle, hex_)
    return (*things, own) if own else things


def engine_burns(battle: Battle, thing: Thing) -> bool:
    """Tell whether any part of an engine burns."""
    return any(burns(battle, hex_of(place)) for place in thing.at)


# --- who has been beside it


def near(rules: Rules, battle: Battle) -> tuple[tuple[str, ...], ...]:
    """Return who ends a player turn beside something that could burn: the unit, its place, and those hexes.

    Of the side that has just played everybody is told; of other sides those who still stand where they were
    told to stand before.
    """
    if not in_force(rules):
        return ()
    found = []
    burnable, apart = cache(partial(kindling, rules, battle)), battle.apart
    for id_, unit in sorted(battle.units.items()):
        if unit.side == battle.at.side and unit.able and unit.kind == "man":
            within = [place for place in battle.beside(unit.at[0]) if place in apart] if apart else []
            near_ = dict.fromkeys((*around(unit.hexes), *within))
            hexes = tuple(hex_ for hex_ in near_ if burnable(hex_))
            found += [(id_, unit.at[0], *hexes)] if hexes else []
        elif unit.stood and unit.stood[:1] == unit.at[:1]:
            found.append((id_, *unit.stood))
    return tuple(found)


def remembered(rules: Rules, battle: Battle, events: Iterable[object]) -> Iterator[object]:
    """Yield the events that end a phase, with what is to be known of those beside something that could burn
    as a player turn begins.
    """
    for event in events:
        if isinstance(event, PhaseBegan) and event.phase == rules.sequence.phases[0].id and battle.at.side:
            yield replace(event, near=near(rules, battle))
        else:
            yield event


def places_to_light(rules: Rules, battle: Battle) -> tuple[str, ...]:
    """Return the hexes with something in them that could burn, and does not yet, by number."""
    tents = battle.once(
        "tents", lambda: tuple(hex_ for hex_ in sorted(battle.field.ground) if is_tent(battle, hex_))
    )
    things = (
        spot(battle, place) for thing in battle.things.values() for place in (*thing.at, *battle.above(thing))
    )
    wood = battle.field.once(
        "grounds of wood",
        lambda: tuple(
            hex_ for hex_, ground in battle.field.ground.items() if ground.id in family.of(rules).planks
        ),
    )
    return tuple(
        hex_
        for hex_ in sorted({*tents, *wood, *things})
        if kindling(rules, battle, hex_) and not burns(battle, hex_)
    )
