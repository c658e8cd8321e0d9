"""How far boiling oil reaches: from where it is poured on which hexes, how it spreads there, and whom and
what it meets.

What it does to them is ``oil``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import hex_of, neighbours, split_place
from pbem.rulesets.anarchy import hoarding, roofs, scaffolding, siege_tower
from pbem.rulesets.siege.ground import flames, ladders, terrain, towers
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state.field import BATTLEMENT
from pbem.rulesets.siege.state.state import Battle, Thing

Rules = Ruleset[Battle]
PLATFORM: Final = "platform"


# --- from where, on which hexes


@rule("A4.3.1a")
def from_above(rules: Rules, battle: Battle, here: str) -> bool:
    """Tell whether oil is poured from a place: from a wall, a tower, a hoarding or a scaffold."""
    ground = terrain.terrain_at(rules, battle, here)
    walled = BATTLEMENT in ground.traits or ground.id == PLATFORM
    return walled or hoarding.over(battle, here) is not None or scaffolding.over(battle, here) is not None


@rule("A4.3.1d")
def reaches(rules: Rules, battle: Battle, here: str, there: str) -> bool:
    """Tell whether oil comes from a place to a hex: straight down through the openings of a hoarding, which
    are between the wall behind it and who is beneath; from anywhere else to a lower hex beside it, or to a
    ladder there.
    """
    if there not in battle.field.ground and bridge(battle, there) is None:
        return False
    if hoarding.over(battle, here) is not None:
        return there == hex_of(here)
    if hex_of(there) not in neighbours(hex_of(here)):
        return False
    if hoarding.at(battle, there) is not None and here in hoarding.walls(battle, there):
        return False
    lower = level(rules, battle, there) < level(rules, battle, here)
    return lower or ladders.in_hex(battle, there) is not None


def level(rules: Rules, battle: Battle, place: str) -> int:
    """Return how high a place lies; of one with a ladder in it, how high its foot does."""
    ladder = ladders.in_hex(battle, place)
    ground = battle.field.ground[place] if ladder else terrain.terrain_at(rules, battle, place)
    return int(ground.level)


# --- siege towers


@rule("A4.3.1e")
def bridge(battle: Battle, place: str) -> Thing | None:
    """Return the siege tower on whose lowered bridge a place is, which alone of a tower oil does something
    to; None of every other place.
    """
    tower = siege_tower.holding(battle, place)
    return tower if tower is not None and hex_of(place) not in tower.at else None


def bridges_over(battle: Battle, hex_: str) -> tuple[str, ...]:
    """Return the places of lowered bridges over a hex."""
    return tuple(place for place in battle.storeys.get(hex_, ()) if bridge(battle, place) is not None)


@rule("A4.3.1e")
def proof(battle: Battle, place: str) -> Thing | None:
    """Return the siege tower that keeps oil from a place, as one in it or under its bridge; None where none
    does.
    """
    tower = siege_tower.holding(battle, place)
    if tower is not None:
        return tower if bridge(battle, place) is None else None
    return next((bridge(battle, above) for above in bridges_over(battle, place)), None)


# --- whom and what it meets


@rule("A4.3.3a")
def area(rules: Rules, battle: Battle, place: str) -> tuple[str, ...]:
    """Return the places over which oil spreads: its own, and those beside it that lie no higher, where no
    wall or the like stands between; on a stage of planks, or the bridge of a siege tower, along it.
    """
    here = level(rules, battle, place)
    if (tower := bridge(battle, place)) is not None:
        return (place, *(there for there in battle.beside(place) if bridge(battle, there) is tower))
    if split_place(place)[1]:
        return (place, *(there for there in battle.beside(place) if split_place(there)[1]))
    beside = (there for there in neighbours(place) if there in battle.field.ground)
    flat = (there for there in beside if level(rules, battle, there) <= here)
    return (
        place,
        *(there for there in flat if all(one.passes for one in terrain.between(battle, place, there))),
    )


def victims(rules: Rules, battle: Battle, places: Sequence[str]) -> list[str]:
    """Return whom oil meets in some places, by id: a rider stands for his horse; who is above them is not
    met.
    """
    found = {
        id_
        for place in places
        for id_ in battle.living_in.get(hex_of(place), ())
        if place in battle.units[id_].at and not sheltered(rules, battle, place)
    }
    return sorted(id_ for id_ in found if id_ not in battle.rider_of)


@rule("A4.3.3f")
def sheltered(rules: Rules, battle: Battle, hex_: str) -> bool:
    """Tell whether a siege engine stands in a hex, or a bridge or a scaffold lies over it, so that who is
    there is hurt by its flames only; nobody is who is on a bridge, or under a roof that is burnt.
    """
    if bridge(battle, hex_) is not None or split_place(hex_)[1]:
        return False
    if (roof := roofs.over(battle, hex_)) is not None:
        return not roofs.gone(rules, roof, hex_)
    if bridges_over(battle, hex_):
        return True
    if any(hex_ in one.at for one in scaffolding.scaffolds(battle)):
        return True
    return any(thing.kind in flames.ENGINES for thing in flames.standing_in(battle, hex_))


def constructions(rules: Rules, battle: Battle, hexes: Sequence[str]) -> dict[str, str]:
    """Return what of wood oil meets in some hexes -> the first of these in which it stands; of siege towers
    but their bridges, and nothing that burns.
    """
    found: dict[str, str] = {}
    for place in hexes:
        if (tower := bridge(battle, place)) is not None:
            if flames.can_burn(rules, tower.kind) and not flames.burns(battle, place):
                found.setdefault(tower.id, place)
            continue
        hex_ = hex_of(place)
        if flames.burns(battle, hex_) or towers.inside_of(battle, hex_) is not None:
            continue
        for name in flames.kindling(rules, battle, hex_):
            if is_above(rules, battle, name, place):
                continue
            found.setdefault(name if name in battle.things else f"{name}-{hex_}", hex_)
    return found


def is_above(rules: Rules, battle: Battle, name: str, place: str) -> bool:
    """Tell whether a thing is above the heads of those in a place, so that oil falls past it."""
    thing = battle.things.get(name)
    return (
        thing is not None
        and not split_place(place)[1]
        and family.of(rules).kinds[thing.kind].over is not None
    )
