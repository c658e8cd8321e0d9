"""Hoardings: timber galleries before a wall, as high as its walk, out over whoever is at its foot.

Who stands on one is in the hex before the wall, a storey above it. What shots do there is ``hoarding_shots``,
how one of its hexes is lost ``hoarding_loss``; the stones that are thrown down from it are ``stones``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final

from pbem.core.problem import Problem
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import SIDES, hex_of, neighbour, neighbours, side_between, side_number, split_place
from pbem.rulesets.siege.ground import passages, terrain
from pbem.rulesets.siege.state.family import Kind, Passage, Ways, where_there_is
from pbem.rulesets.siege.state.field import BATTLEMENT, Terrain
from pbem.rulesets.siege.state.state import TOP, Battle, Thing, Unit

Rules = Ruleset[Battle]
HOARDING: Final = "hoarding"
MOST: Final = 3
"""Hexes of the longest hoarding."""
PLATFORM, SLIT, TOWER, GROUND = "platform", "arrow_slit", "tower", "ground"
"""The top of a tower, its slits, and the floors of towers and of open ground."""
BRIDGE: Final = "siege_tower_bridge"
"""The ground of the bridge that a siege tower lets down."""
OVER_MERLONS: Final = "A3.3.3a"
"""The rule of the passages onto hoardings and along them."""


def hoardings(battle: Battle) -> tuple[Thing, ...]:
    """Return the hoardings on the map, by id."""
    return battle.once(
        "hoardings",
        lambda: tuple(thing for _, thing in sorted(battle.things.items()) if thing.kind == HOARDING),
    )


def at(battle: Battle, hex_: str) -> Thing | None:
    """Return the hoarding over a hex, as long as it stands there; None where there is none."""
    if not battle.things:
        return None
    found: Mapping[str, Thing] = battle.once(
        "hoardings by hex", lambda: {there: thing for thing in hoardings(battle) for there in thing.at}
    )
    return found.get(hex_)


def over(battle: Battle, place: str) -> Thing | None:
    """Return the hoarding on which a place is; None for every other place."""
    hex_, storey = split_place(place)
    return at(battle, hex_) if storey == TOP else None


# --- where it hangs


def cannot_stand(grounds: Mapping[str, Terrain], hexes: Sequence[str]) -> Problem | None:
    """Return why no hoarding hangs over some hexes; None if one does."""
    return in_one_row(hexes) or at_a_slit(grounds, hexes) or at_a_wall(grounds, hexes) or level_walls(
        grounds, hexes
    )  # fmt: skip


@rule("A3.3.1a")
def in_one_row(hexes: Sequence[str]) -> Problem | None:
    """Return that a hoarding has no such shape: it is a row of one to three hexes."""
    torn = any(side_between(one, other) is None for one, other in pairwise(hexes))
    if len(set(hexes)) == len(hexes) and 1 <= len(hexes) <= MOST and not torn:
        return None
    return Problem("hoarding.hexes", {}, rule="A3.3.1a", help="such as at: 0302 0402 0502")


@rule("A3.3.1b")
def at_a_slit(grounds: Mapping[str, Terrain], hexes: Sequence[str]) -> Problem | None:
    """Return that one of the hexes has nothing to hang at but a tower with a slit; None if none has."""
    for hex_ in hexes:
        beside = [there for there in neighbours(hex_) if there in grounds]
        towers = [there for there in beside if slit_of(grounds, there)]
        if towers and not any(carries(grounds, there) for there in beside):
            names = {"hex": hex_, "there": slit_of(grounds, towers[0])}
            return Problem(
                "hoarding.slit", names, rule="A3.3.1b", help="hang it at a wall, or at another tower"
            )
    return None


def slit_of(grounds: Mapping[str, Terrain], hex_: str) -> str:
    """Return an arrow slit of the tower to which a hex belongs, be it its platform; empty for every other
    hex.
    """
    if not in_a_tower(grounds[hex_]):
        return ""
    border, found = [hex_], {hex_}
    while border:
        for there in neighbours(border.pop()):
            if there in grounds and there not in found and in_a_tower(grounds[there]):
                found.add(there)
                border.append(there)
    return next((there for there in sorted(found) if grounds[there].id == SLIT), "")


def in_a_tower(ground: Terrain) -> bool:
    """Tell whether a ground is a floor of a tower, or the open top of one."""
    return ground.floor == TOWER or ground.id == PLATFORM


def carries(grounds: Mapping[str, Terrain], hex_: str) -> bool:
    """Tell whether a hoarding hangs at the masonry of a hex: a wall with a walk, a tower with a platform but
    without arrow slits.
    """
    ground = grounds.get(hex_)
    if ground is None:
        return False
    return BATTLEMENT in ground.traits or (ground.id == PLATFORM and not slit_of(grounds, hex_))


@rule("A3.3.1a")
def at_a_wall(grounds: Mapping[str, Terrain], hexes: Sequence[str]) -> Problem | None:
    """Return that a hoarding has no wall to hang at, or lies within the castle; None if it has."""
    for hex_ in hexes:
        inside = bool(grounds[hex_].indoors) or grounds[hex_].floor != GROUND
        if inside or not any(carries(grounds, there) for there in neighbours(hex_)):
            help_ = "hang it before a wall with a walk, on its outer side"
            return Problem("hoarding.wall", {"hex": hex_}, rule="A3.3.1a", help=help_)
    return None


def level_walls(grounds: Mapping[str, Terrain], hexes: Sequence[str]) -> Problem | None:
    """Return that the walls behind a hoarding are not equally high; None if they are."""
    found = [
        {grounds[there].level for there in neighbours(hex_) if carries(grounds, there)} for hex_ in hexes
    ]
    if set.intersection(*found):
        return None
    help_ = "make it two: nobody steps from one to the other then"
    return Problem("hoarding.levels", {"hexes": " ".join(hexes)}, rule="A3.3.1c", help=help_)


def walls(battle: Battle, hex_: str) -> list[str]:
    """Return the hexes of masonry beside a hex at which a hoarding hangs, clockwise from the north."""
    return [there for there in neighbours(hex_) if carries(battle.field.ground, there)]


@rule("A3.3.1c")
def height(battle: Battle, hoarding: Thing) -> int:
    """Return the level of a hoarding: that of the walks, or the platform, behind it."""
    ground = battle.field.ground
    levels = [{ground[there].level for there in walls(battle, hex_)} for hex_ in hoarding.at]
    common = set.intersection(*levels) if levels else set()
    return max(common or {level for found in levels for level in found}, default=1)


@rule("A3.3.3d")
def stages(battle: Battle, hoarding: Thing) -> Mapping[str, str]:
    """Return the ground of a hoarding: it lies above its hexes, which stay as they are for whoever is
    beneath.
    """
    return {f"{hex_}@{TOP}": HOARDING for hex_ in hoarding.at}


# --- going about


@rule(OVER_MERLONS)
def ways(rules: Rules, battle: Battle) -> Ways:
    """Return the steps along hoardings, and over the merlons from them to the walk behind and back."""
    found: dict[tuple[str, str], Passage] = {}
    merlons = int(rules.tables["movement_anarchy"]["rows"]["over_merlons"]["points"])
    for hoarding in hoardings(battle):
        for hex_ in hoarding.at:
            here = f"{hex_}@{TOP}"
            for there in battle.beside(here):
                if steps_over(rules, battle, here, there):
                    more = 0 if over(battle, there) else merlons
                    for one, other in ((here, there), (there, here)):
                        points = (terrain.terrain_at(rules, battle, other).mp_foot or 0) + more
                        found[one, other] = Passage(points, hoarding.id, OVER_MERLONS)
    return found


@rule("A3.3.1c")
def steps_over(rules: Rules, battle: Battle, here: str, there: str) -> bool:
    """Tell whether one steps from a place on a hoarding to one beside it: on a hoarding as well, or on the
    masonry behind as it stands now, and neither higher nor lower.
    """
    if hex_of(here) == hex_of(there) or hex_of(there) not in battle.field.ground:
        return False
    ground, beyond = (terrain.terrain_at(rules, battle, place) for place in (here, there))
    leads = over(battle, there) is not None or there in walls(battle, hex_of(here))
    return leads and ground.level == beyond.level


def next_to_it(rules: Rules, battle: Battle, here: str, there: str) -> bool:
    """Tell whether two places lie beside each other on one hoarding, or one of them on the walk behind it."""
    passage = passages.between(rules, battle, here, there)
    return passage is not None and passage.rule == OVER_MERLONS


@rule(OVER_MERLONS)
@where_there_is(HOARDING)
def by_the_wall_only(rules: Rules, battle: Battle, unit: Unit, here: str, there: str) -> Problem | None:
    """Return that nobody gets onto a hoarding, or off it, but over the merlons; None where neither end is on
    one.
    """
    if not battle.things or not any(over(battle, place) for place in (here, there)):
        return None
    return from_a_tower(rules, battle, unit, here, there) or Problem(
        "hoarding.no-way",
        {"unit": unit.id, "here": here, "there": there},
        rule=OVER_MERLONS,
        help="one steps onto it from the walk behind",
    )


@rule("A3.3.3c")
def from_a_tower(rules: Rules, battle: Battle, unit: Unit, here: str, there: str) -> Problem | None:
    """Return that nobody steps from the bridge of a siege tower onto a hoarding; None of every other step."""
    if terrain.terrain_at(rules, battle, here).id != BRIDGE or over(battle, there) is None:
        return None
    names = {"unit": unit.id, "here": here, "there": there}
    return Problem("hoarding.bridge", names, rule="A3.3.3c", help="its roof and its boards are in the way")


@rule("A3.3.3b")
def no_ladder(rules: Rules, battle: Battle, ladder: Thing, foot: str, there: str) -> Problem | None:
    """Return that no ladder is set up under a hoarding, at the wall behind it; None where none hangs."""
    hoarding = at(battle, foot)
    if hoarding is None:
        return None
    names = {"thing": ladder.id, "hex": foot, "what": hoarding.id}
    return Problem("hoarding.ladder", names, rule="A3.3.3b", help="set it up where no hoarding hangs")


# --- blows


def over_the_merlons(rules: Rules, battle: Battle, here: str, there: str) -> bool:
    """Tell whether blows are struck between a hoarding and its wall although there are merlons between."""
    return next_to_it(rules, battle, here, there)


@where_there_is(HOARDING)
def no_blows(rules: Rules, battle: Battle, attacker: Unit, defender: Unit) -> Problem | None:
    """Return why somebody on a hoarding does not attack another; None if he may, or is on none."""
    if not battle.things or not attacker.at or not defender.at or over(battle, attacker.at[0]) is None:
        return None
    return not_on_a_bridge(rules, battle, attacker, defender) or only_beside(
        rules, battle, attacker, defender
    )


@rule("A3.3.9c")
def not_on_a_bridge(rules: Rules, battle: Battle, attacker: Unit, defender: Unit) -> Problem | None:
    """Return that somebody on the lowered bridge of a siege tower is not attacked from a hoarding."""
    if terrain.terrain_at(rules, battle, defender.at[0]).id != BRIDGE:
        return None
    names = {"unit": attacker.id, "target": defender.id}
    return Problem("hoarding.blows", names, rule="A3.3.9c", help="attack him from the walk he steps onto")


@rule("A3.3.9b")
def only_beside(rules: Rules, battle: Battle, attacker: Unit, defender: Unit) -> Problem | None:
    """Return that from a hoarding nobody is attacked but who is beside it on a hoarding or on the walk."""
    if any(next_to_it(rules, battle, attacker.at[0], there) for there in defender.at):
        return None
    names = {"unit": attacker.id, "target": defender.id}
    help_ = "from there he attacks who is beside him on a hoarding or on the wall"
    return Problem("hoarding.blows", names, rule="A3.3.9b", help=help_)


# --- which way it looks


def front(battle: Battle, hex_: str) -> frozenset[str]:
    """Return the sides by which a hoarding over a hex looks out: those across from its walls, and the ones
    next to them.
    """
    own = {side for side in SIDES if (neighbour(hex_, side) or "") in walls(battle, hex_)}
    across = {(side_number(side) + 3) % len(SIDES) for side in own}
    looks = {SIDES[(number + turn) % len(SIDES)] for number in across for turn in (-1, 0, 1)}
    return frozenset(looks - own)


def places(battle: Battle) -> Iterator[str]:
    """Yield every place on a hoarding."""
    for hoarding in hoardings(battle):
        yield from stages(battle, hoarding)


KINDS: Final = {
    HOARDING: Kind("castle", ground=stages, over=cannot_stand, level=height, burns=True, stays=True)
}
