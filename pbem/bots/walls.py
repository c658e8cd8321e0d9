"""Walls as a bot sees them: who goes against them and who holds them, where a ladder can stand, and what
stands on them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from pbem.geometry.hex import SIDES, distance, hexside, neighbour, neighbours, side_between
from pbem.rulesets.anarchy import hoarding
from pbem.rulesets.siege.ground import ladders
from pbem.rulesets.siege.state.field import BATTLEMENT, MOAT
from pbem.rulesets.siege.state.state import Battle, Thing
from pbem.rulesets.siege.things import engines, works

NO_LADDER: Final = "no-ladder"
YARD: Final = "courtyard"
AHEAD: Final = 4
"""So many hexes before an engine are left to it by everybody."""
WHOLE_WAY: Final = 9
"""So many hexes before an engine are left to it by those who carry ladders."""
GUARDED: Final = 3
"""Whoever is nearer than so many hexes to a battlement guards it."""
WIDE: Final = 8
"""So many steps of the ladders it is worth if one more of them can lean on the same battlement."""
ABREAST: Final = 4
"""So many ladders side by side are enough to storm a wall."""
AT_THE_WALL: Final = 3
"""A wall no farther than that from a penthouse is the one before it."""
AGAINST_WALLS: Final = ("ladder", "siege-tower", "ram")
"""What only those bring who mean to get over a wall."""


def storms(battle: Battle, side: str) -> bool:
    """Tell whether a side goes against walls: it has ladders, towers or rams."""
    brought = {thing.kind for thing in battle.things.values() if thing.side == side}
    return any(kind in brought for kind in AGAINST_WALLS if kind != "ladder" or feet(battle))


def holds_walls(battle: Battle, side: str) -> bool:
    """Tell whether it is a side's enemies who go against walls, and not it."""
    return not storms(battle, side) and any(storms(battle, enemy) for enemy in battle.field.enemies(side))


def may_be_scaled(battle: Battle, foot: str, top: str) -> bool:
    """Tell whether a ladder at the foot of a wall may lean on the battlement beside it: over its parapet,
    where none is forbidden.
    """
    ground, field = battle.field.ground, battle.field
    if (
        BATTLEMENT not in ground[top].traits
        or ground[foot].floor != "ground"
        or top in field.marks.get(NO_LADDER, ())
    ):
        return False
    side = side_between(top, foot)
    if side is None:
        return False
    return any(
        feature.kind == "parapet" and feature.at == top
        for feature in field.sides_of_hexes.get(hexside(top, side), ())
    )


def feet(battle: Battle) -> tuple[tuple[str, str, str], ...]:
    """Return where ladders can stand: the hex at the foot of the wall, the side they look to, and the
    battlement they lean on.
    """
    return battle.once("feet", lambda: tuple(_feet(battle)))


def _feet(battle: Battle) -> Iterator[tuple[str, str, str]]:
    for top, ground in battle.field.ground.items():
        if BATTLEMENT in ground.traits:
            for side in SIDES:
                foot = neighbour(top, side)
                if foot is None or foot not in battle.field.ground or hoarding.at(battle, foot) is not None:
                    continue
                if may_be_scaled(battle, foot, top):
                    yield foot, side_between(foot, top) or "", top


def wet(battle: Battle, hex_: str) -> bool:
    """Tell whether a hex is open moat."""
    return MOAT in battle.field.ground[hex_].traits and (hex_, works.FILLED) not in battle.features


def to_fill(battle: Battle, side: str, begin: Sequence[str]) -> list[str]:
    """Return the moat that a side fills before it comes from some hexes: at the foot of the wall, where
    ladders can stand side by side, the shortest way to it, and on from there.
    """
    moat = sorted({foot for foot, _, _ in feet(battle) if wet(battle, foot)})
    count = works.left(battle, side, "fill")
    if not moat or not begin or count <= 0:
        return []

    def around(first: str) -> list[str]:
        return sorted(moat, key=lambda hex_: (distance(hex_, first), hex_))[:count]

    def rank(first: str) -> tuple[int, str]:
        far = min(distance(first, hex_) for hex_ in begin)
        return (far + sum(distance(first, hex_) for hex_ in around(first)[:ABREAST]), first)

    return around(min(moat, key=rank))


def pressed_on(battle: Battle, side: str, kept: frozenset[str] = frozenset()) -> str:
    """Return the battlement that a side's ladders go against; empty where it has none that could lean
    anywhere.

    One on which one leans already, else where most can lean at once, near them all and thinly held: they are
    to go up together.
    ``kept``: hexes left to somebody else, besides the lanes of engines.
    """
    own = [thing for thing in battle.things.values() if thing.kind == "ladder" and thing.side == side]
    tops: dict[str, list[str]] = {}
    kept |= lanes(battle, side, WHOLE_WAY)
    all_feet = [(foot, top) for foot, _, top in feet(battle) if foot not in kept] if own else []
    dry = [(foot, top) for foot, top in all_feet if not wet(battle, foot)]
    for foot, top in dry or all_feet:
        tops.setdefault(top, []).append(foot)
    leaning = [
        neighbour(thing.at[0], thing.facing)
        for thing in own
        if thing.stands == "raised" and thing.at and thing.facing
    ]
    lying = [thing.at[0] for thing in own if thing.stands != "raised" and thing.at]
    foes = [
        unit.at[0]
        for unit in battle.units.values()
        if unit.living and unit.at and unit.side != side and "@" not in unit.at[0]
    ]

    def rank(top: str) -> tuple[int, int, str]:
        far = sum(min(distance(hex_, foot) for foot in tops[top]) for hex_ in lying)
        held = sum(max(0, GUARDED - distance(top, hex_)) for hex_ in foes)
        return (-leaning.count(top), far + held + WIDE * max(0, 3 - len(tops[top])), top)

    return min(tops, key=rank, default="")


def lanes(battle: Battle, side: str, ahead: int = AHEAD) -> frozenset[str]:
    """Return the hexes before a side's towers and rams, as far as they may be pushed in two turns, or so many
    hexes.
    """
    found: set[str] = set()
    for thing in battle.things.values():
        if thing.kind in ("siege-tower", "ram") and thing.side == side:
            found |= before(battle, thing, ahead)
    at = {hex_ for thing in battle.things.values() for hex_ in thing.at}
    return frozenset(found - at)


def before(battle: Battle, engine: Thing, ahead: int = AHEAD) -> frozenset[str]:
    """Return the hexes of the ground straight before an engine, so many deep."""
    found: set[str] = set()
    for hex_ in engine.at if engine.facing else ():
        for _ in range(ahead):
            hex_ = neighbour(hex_, engine.facing) or ""
            if hex_ not in battle.field.ground or battle.field.ground[hex_].floor != "ground":
                break
            found.add(hex_)
    return frozenset(found.difference(engine.at))


def ways_up(battle: Battle, side: str) -> bool:
    """Tell whether one can walk onto a wall by now, up a ladder of the side's or over a breach; who goes by a
    tower is fetched in.
    """
    broken = any(is_ == "rubble" for _, is_ in battle.features)
    return broken or any(ladder.side == side for ladder in ladders.upright(battle))


def down(battle: Battle) -> tuple[str, ...]:
    """Return the hexes of walls that are down, in order."""
    return tuple(sorted(hex_ for hex_, is_ in battle.features if is_ == "rubble"))


def served(battle: Battle, engine: Thing) -> bool:
    """Tell whether an engine has served its turn: a penthouse, once the wall before it is down."""
    near = (distance(hex_, at) <= AT_THE_WALL for hex_ in down(battle) for at in engine.at)
    return engine.kind == engines.PENTHOUSE and any(near)


def gaps(battle: Battle) -> tuple[str, ...]:
    """Return the hexes of the court beside walls that are down, where those who hold them meet whoever comes
    over the rubble.
    """
    ground = battle.field.ground
    behind = {beside for hex_ in down(battle) for beside in neighbours(hex_) if beside in ground}
    return tuple(sorted(hex_ for hex_ in behind if ground[hex_].id == YARD))


def behind_the_ladders(battle: Battle, side: str, press: str) -> tuple[str, ...]:
    """Return the dry hexes near where a side's ladders and towers go, for those who wait to follow them."""
    ground = battle.field.ground
    at_press = {foot for foot, _, top in feet(battle) if top == press}
    things = [
        thing
        for thing in battle.things.values()
        if thing.side == side and thing.kind in AGAINST_WALLS and thing.at
    ]
    own = {hex_ for thing in things for hex_ in thing.at}
    places = {hex_ for thing in things if thing.kind != "ladder" for hex_ in thing.at} | at_press
    near = {
        hex_ for place in places for beside in neighbours(place) for hex_ in (beside, *neighbours(beside))
    }
    outside = (hex_ for hex_ in near - own if hex_ in ground and ground[hex_].id != YARD)
    dry = (hex_ for hex_ in outside if ground[hex_].floor == "ground" and ground[hex_].level == 0)
    every_foot = {foot for foot, _, _ in feet(battle)}
    return tuple(sorted(hex_ for hex_ in dry if hex_ not in every_foot))
