"""Whether what is built on a map makes sense: doorways stand in walls, and edges of slopes have their high
side up.

Everything here has been read already (``maps``); no problem of this kind depends on the game.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pbem.core.problem import Problem
from pbem.geometry.hex import SIDES, hexside, neighbour, opposite
from pbem.rulesets.siege.state.field import OnSide, SideFeature, Terrain

Grounds = Mapping[str, Terrain]
OnSides = Mapping[str, tuple[OnSide, ...]]


def doorways_in_walls(
    ground: Grounds, sides: OnSides, features: Mapping[str, SideFeature]
) -> Iterator[Problem]:
    """Yield the doors, gates and windows round which one walks: each needs a wall, or a building, at one of
    its ends at least.
    """
    for key, on_side in sides.items():
        for feature in on_side:
            if (
                features[feature.kind].opening
                and feature.kind != "arch"
                and not _in_a_wall(ground, sides, key, feature)
            ):
                args = {"opening": feature.kind, "where": f"{feature.at} {feature.side}"}
                help_ = "a wall must stand on the hexsides beside it, else one walks round it"
                yield Problem("map.door-alone", args, ("sides", feature.kind, feature.side), help=help_)
    for hex_, terrain in ground.items():
        if terrain.opening and not _divided(ground, sides, features, hex_):
            help_ = "walls must meet it on two sides, so that it has an inside and an outside"
            yield Problem(
                "map.door-alone", {"opening": terrain.title, "where": hex_}, ("terrain",), help=help_
            )


def _in_a_wall(ground: Grounds, sides: OnSides, key: str, feature: OnSide) -> bool:
    """Tell whether an opening between hexes of one floor has a wall beside it; between two floors the drop is
    its wall.
    """
    there = neighbour(feature.at, feature.side)
    if there is None or ground[feature.at].floor != ground[there].floor:
        return True
    number = SIDES.index(feature.side)
    beside = [neighbour(feature.at, SIDES[(number + turn) % 6]) for turn in (-1, 1)]
    ends = [
        hexside(hex_, SIDES[(number + turn) % 6])
        for hex_, turn in ((feature.at, -1), (feature.at, 1), (there, 2), (there, -2))
    ]
    return any(hex_ in ground and ground[hex_].blocks_line for hex_ in beside if hex_) or any(
        end in sides and end != key for end in ends
    )


def _divided(ground: Grounds, sides: OnSides, features: Mapping[str, SideFeature], hex_: str) -> bool:
    """Tell whether what is closed round a hex parts its open sides in two, going round; the map's edge closes
    too.
    """
    closed = [not _open(ground, sides, features, hex_, side) for side in SIDES]
    return sum(closed[number] != closed[number - 1] for number in range(6)) > 2


def _open(ground: Grounds, sides: OnSides, features: Mapping[str, SideFeature], hex_: str, side: str) -> bool:
    there = neighbour(hex_, side)
    if (
        there is None
        or there not in ground
        or (ground[there].blocks_line and not ground[there].indoors)
        or ground[there].opening
    ):
        return False
    return not any(features[feature.kind].blocks_line for feature in sides.get(hexside(hex_, side), ()))


def crests_upward(ground: Grounds, sides: OnSides) -> Iterator[Problem]:
    """Yield the edges of slopes whose named hex, the high one, plainly lies lower than the other."""
    for on_side in sides.values():
        for feature in on_side:
            there = neighbour(feature.at, feature.side)
            if (
                feature.kind == "crest"
                and there is not None
                and _lies_lower(ground[feature.at], ground[there])
            ):
                args = {
                    "hex": feature.at,
                    "side": feature.side,
                    "terrain": ground[feature.at].title,
                    "other": ground[there].title,
                }
                help_ = f"if {there} lies higher, write {there} under {opposite(feature.side)}"
                yield Problem(
                    "map.crest-upside-down", args, ("sides", feature.kind, feature.side), help=help_
                )


def _lies_lower(one: Terrain, other: Terrain) -> bool:
    """Tell whether one ground lies lower than another: by level, a slope below what is none, water below
    land, all below a hilltop.
    """
    if one.level != other.level:
        return one.level < other.level
    return _height(one) < _height(other)


def _height(terrain: Terrain) -> int:
    if terrain.look in ("ford", "water"):
        return 0
    return {"slope": 1, "hilltop": 3}.get(terrain.id, 2)
