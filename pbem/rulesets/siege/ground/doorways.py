"""Doorways, gateways and windows that fill a hex: which of their sides are open, and which way is in.

What they do to lines of fire is ``line_of_fire``, how they shelter is ``cover``. An opening drawn on a
hexside belongs to its named hex and needs none of this.
"""

from __future__ import annotations

from typing import Final

from pbem.geometry.hex import SIDES, beside, distance, hexside, neighbour
from pbem.rulesets.siege.ground.terrain import closed
from pbem.rulesets.siege.state.state import Battle

INSIDE, OUTSIDE = "inside", "outside"
DEPTHS: Final = {"": 0, "court": 1, "building": 2}
"""How far in a hex lies: in the open, within the walls of a court, in a building."""
COURTS: Final = frozenset({"court", "courtyard", "yard"})
"""Kinds of areas that are courts; every other area is a building."""

Face = tuple[str, ...]
"""Sides of one hex that follow each other clockwise."""


def depth(battle: Battle, hex_: str) -> int:
    """Return how far in a hex lies, by its ground, else by the areas of the map."""
    field = battle.field
    if indoors := field.ground[hex_].indoors:
        return DEPTHS[indoors]
    if field.ground[hex_].flat and not field.areas:
        return 0
    kinds = (field.area_kinds.get(area, "") for area, hexes in field.areas.items() if hex_ in hexes)
    return max((DEPTHS["court" if kind in COURTS else "building"] for kind in kinds), default=0)


def _open(battle: Battle, hex_: str, side: str) -> bool:
    field, there = battle.field, neighbour(hex_, side)
    if there is None or there not in field.ground:
        return False
    ground = field.ground[there]
    if ground.blocks_line or ground.opening:
        return False
    return not closed(battle, hexside(hex_, side))


def faces(battle: Battle, hex_: str) -> tuple[Face, ...]:
    """Return the open sides of a doorway hex, those that follow each other together: normally one face inside
    and one outside.

    A side is open where neither a wall nor solid ground stands, nor another part of the same opening. They
    come in the order of the sides, that with n first.
    """
    sides = [side for side in SIDES if _open(battle, hex_, side)]
    if len(sides) == len(SIDES):
        return (tuple(sides),)
    found: list[list[str]] = []
    for side in sides:
        if found and SIDES.index(found[-1][-1]) + 1 == SIDES.index(side):
            found[-1].append(side)
        else:
            found.append([side])
    if len(found) > 1 and found[0][0] == SIDES[0] and found[-1][-1] == SIDES[-1]:
        found[0] = found.pop() + found[0]
    return tuple(tuple(face) for face in found)


def face_toward(battle: Battle, hex_: str, there: str) -> Face:
    """Return the face of a doorway hex that is nearest to another hex, ties to the first; empty if it is
    walled up.
    """

    def near(face: Face) -> int:
        return min(distance(_beyond(hex_, side), there) for side in face)

    return min(faces(battle, hex_), key=near, default=())


def middle(face: Face) -> str:
    """Return the part of a hex that is the middle of a face: that of a side, the corner between two, or the
    centre for all six.
    """
    half = len(face) // 2
    if len(face) == len(SIDES):
        return "centre"
    return face[half] if len(face) % 2 else f"{face[half - 1]}-{face[half]}"


def depth_of_face(battle: Battle, hex_: str, face: Face) -> int:
    """Return how far in the hexes before a face lie."""
    return max(depth(battle, _beyond(hex_, side)) for side in face)


def way_in(battle: Battle, hex_: str, there: str) -> str:
    """Return whether another hex is on the inside or on the outside of a doorway hex.

    Inside is the face whose hexes lie furthest in; where two lie equally far in, as between two rooms, the
    first.
    """
    every = faces(battle, hex_)
    inner = max(every, key=lambda face: depth_of_face(battle, hex_, face), default=())
    return INSIDE if face_toward(battle, hex_, there) == inner else OUTSIDE


def inner_depth(battle: Battle, where: str) -> int:
    """Return how far in the inner side of an opening lies, be it a hex or a hexside."""
    if len(where) > len("0712"):
        return max(depth(battle, hex_) for hex_ in beside(where))
    return max((depth_of_face(battle, where, face) for face in faces(battle, where)), default=0)


def _beyond(hex_: str, side: str) -> str:
    return neighbour(hex_, side) or hex_
