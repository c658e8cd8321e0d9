"""The orders to shoot, with a bow or with a ballista: which there are.

Whether they are legal is decided in ``aiming``, ``fire_arrows`` and ``volleys``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from re import Match
from typing import Final

from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import around
from pbem.rulesets.siege.combat import aiming, ranges
from pbem.rulesets.siege.ground.flames import places_to_light
from pbem.rulesets.siege.orders import conditions
from pbem.rulesets.siege.state.deed import Deed, Needs, Priced, Words
from pbem.rulesets.siege.state.orders import FireEngine, Shoot
from pbem.rulesets.siege.state.sentence import sentence
from pbem.rulesets.siege.state.state import Battle, Unit
from pbem.rulesets.siege.things import names
from pbem.rulesets.siege.things.ballista import ballistae

Rules = Ruleset[Battle]


def _ready(rules: Rules, battle: Battle, unit: Unit) -> bool:
    """Tell whether a figure has something to shoot with, and it is its time to."""
    return ranges.weapon_of(rules, battle, unit) != "" and aiming.not_ready(rules, battle, unit) is None


def aims(battle: Battle, unit: Unit) -> tuple[str, ...]:
    """Return at what a figure might shoot: at living enemies by name, and then at hexes of those that have
    two.
    """
    foes = [battle.units[id_] for id_ in battle.foes_of(unit)]
    hexes = {hex_ for foe in foes if len(foe.at) > 1 for hex_ in foe.hexes}
    return (*(foe.id for foe in foes), *sorted(hexes))


def shots(rules: Rules, battle: Battle, unit: Unit) -> Iterator[Priced]:
    """Yield at whom a figure may shoot."""
    if _ready(rules, battle, unit):
        for order in _shots_at(rules, battle, unit, aims(battle, unit)):
            yield order, None


def shots_at(rules: Rules, battle: Battle, unit: Unit, among: Iterable[str]) -> Iterator[Shoot]:
    """Yield at whom of some aims a figure may shoot."""
    if _ready(rules, battle, unit):
        yield from _shots_at(rules, battle, unit, among)


def _shots_at(rules: Rules, battle: Battle, unit: Unit, among: Iterable[str]) -> Iterator[Shoot]:
    sees = aiming.sight(rules, battle, unit)
    for aim in among:
        if not aim[0].isdigit() and not sees(battle.units[aim]):
            continue
        order = Shoot(unit.id, (aim,))
        if conditions.stands(rules, battle, "shoot", unit.owner, order):
            yield order


def fire_arrows(rules: Rules, battle: Battle, unit: Unit) -> Iterator[Priced]:
    """Yield at which hexes with something in them that could burn a figure may shoot fire arrows."""
    if not _ready(rules, battle, unit) or names.not_in_force(rules, Shoot(unit.id, (), fire=True)):
        return
    for hex_ in places_to_light(rules, battle):
        order = Shoot(unit.id, (hex_,), fire=True)
        if conditions.stands(rules, battle, "shoot", unit.owner, order):
            yield order, None


def ballista_shots(rules: Rules, battle: Battle, unit: Unit) -> Iterator[Priced]:
    """Yield at whom a figure may shoot which ballista beside it."""
    near = set(around(unit.hexes))
    engines = [thing.id for thing in ballistae(battle) if near & set(thing.at)]
    if not engines or names.not_in_force(rules, FireEngine(unit.id, "", ())):
        return
    for engine in engines:
        for aim in aims(battle, unit):
            order = FireEngine(unit.id, engine, (aim,))
            if conditions.stands(rules, battle, "fire", unit.owner, order):
                yield order, None


def _shoot(do: str, found: Match[str]) -> Shoot:
    who, at, across, fire = found.groups()
    return Shoot(who, tuple(at.split(" or ")), across or "", bool(fire))


def _fire(do: str, found: Match[str]) -> FireEngine:
    return FireEngine(found["who"], found["engine"], tuple(found["at"].split(" or ")))


SHOOT: Final = Deed(
    id="shoot",
    sentences=(
        sentence(
            "shoot shoot-again",
            "{who:NAME} at {at:TARGETS}[ across {across:SIDE}][fire: with fire]",
            "alric at gunter or wulf or nearest",
            form="NAME at NAME [or NAME] [or nearest] [across SIDE] [with fire]",
            makes=Shoot,
            build=_shoot,
        ),
    ),
    words=Words(
        "shoot",
        forms=("{names} at {any}",),
        plain=(
            "{group} (shoot|shoots|fire|fires) at {any}[ at least {number}:{number}]",
            "{name} at {any}[ at least {number}:{number}]",
        ),
        tells=("at (nearest|least)",),
        does=("shoot[s]", "fire[s]", "aim[s]", "hit[s]"),
    ),
    called="shoots at",
    keys={"with": "fire"},
    needs=Needs("fire arrows", ("wagons-oil",), of=lambda order: order.fire),
    priced=(shots, fire_arrows),
)
FIRE: Final = Deed(
    id="fire",
    sentences=(
        sentence(
            "shoot",
            "{who:NAME} fires {engine:ENGINE} at {at:TARGETS}",
            "bran fires ballista1 at gunter or wulf",
            makes=FireEngine,
            build=_fire,
        ),
    ),
    words=Words("fire", forms=("{names} fires {name} at...",), unended=("fires",)),
    called="fires",
    needs=Needs("ballistae", ("camp",)),
    priced=(ballista_shots,),
)
