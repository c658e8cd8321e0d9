"""Parapets and arrow slits: by which sides of a wall hex one shoots out, and where a line through them begins
or ends.

What bars a line between two heights is ``heights``, what a parapet is worth as cover is ``cover``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.geometry import sight
from pbem.geometry.hex import SIDES, beside, hex_of, hexside, in_row, neighbour
from pbem.rulesets.siege.ground.terrain import fallen
from pbem.rulesets.siege.state.field import Field, OnSide
from pbem.rulesets.siege.state.state import Battle

Rules = Ruleset[Battle]
PARAPET, SLIT = "parapet", "slit"
BUILDINGS: Final = ("tower", "keep")
"""Floors that lie within walls of their own."""
MOST: Final = 1 << 14
"""Pairs of places of which it is kept by which sides one shoots from the one at the other."""
OUTSIDE: Final = "outside"
"""Mark of a map from which everything outside its castle can be walked to without passing a gate."""


# --- where inside and outside are


def regions(battle: Battle) -> Mapping[str, int]:
    """Return hex -> number of the piece of ground it belongs to; walls, gates, doors and arrow slits part
    them, as the map has drawn them.

    Of what is not ground, the hexes of one tower, of one keep and of one wall walk belong together.
    """
    return battle.field.once("regions", lambda: _regions(battle.field))


def _regions(field: Field) -> dict[str, int]:
    found: dict[str, int] = {}
    for number, first in enumerate(field.ground):
        if first in found:
            continue
        found[first] = number
        border = [first]
        while border:
            here = border.pop()
            for side in SIDES:
                there = neighbour(here, side)
                if (
                    there in field.ground
                    and there not in found
                    and there is not None
                    and not _parted(field, here, there, side)
                ):
                    found[there] = number
                    border.append(there)
    return found


def _parted(field: Field, here: str, there: str, side: str) -> bool:
    ground, beyond = field.ground[here], field.ground[there]
    if ground.floor != beyond.floor or (ground.floor not in BUILDINGS and (ground.opening or beyond.opening)):
        return True
    built = (
        field.side_features[feature.kind] for feature in field.sides_of_hexes.get(hexside(here, side), ())
    )
    return any(feature.blocks_line or feature.opening or feature.id in (PARAPET, SLIT) for feature in built)


def outer(battle: Battle) -> frozenset[int]:
    """Return the pieces of ground outside the castle: those with the mark ``outside``, else those beyond
    parapets and gates of bridges.
    """
    return battle.field.once("outside", lambda: _outer(battle))


def _outer(battle: Battle) -> frozenset[int]:
    field, of = battle.field, regions(battle)
    hexes = list(field.marks.get(OUTSIDE, ()))
    if not hexes:
        hexes = [hex_ for fixture in field.fixtures.values() if fixture.gate for hex_ in fixture.hexes]
        for key, features in field.sides_of_hexes.items():
            hexes += [
                hex_
                for feature in features
                if feature.kind == PARAPET
                for hex_ in beside(key)
                if hex_ != feature.at
            ]
    return frozenset(of[hex_] for hex_ in hexes if field.ground[hex_].floor == "ground")


def is_outside(battle: Battle, hex_: str) -> bool:
    """Tell whether a hex lies outside the castle."""
    return regions(battle)[hex_] in outer(battle)


def in_one_building(battle: Battle, here: str, there: str) -> bool:
    """Tell whether two places are in one tower, or in one keep."""
    if here not in battle.field.ground or battle.field.ground[here].floor not in BUILDINGS:
        return False
    return there in battle.field.ground and regions(battle)[here] == regions(battle)[there]


# --- the sides by which one shoots


def sides_with(battle: Battle, place: str, kind: str) -> tuple[str, ...]:
    """Return the sides of a place on which a parapet, or an arrow slit, stands for whoever is there; in the
    order of the sides.
    """
    field = battle.field
    drawn = field.once("sides with what", lambda: _sides_as_drawn(field)).get((place, kind), ())
    if not drawn or not battle.features:
        return tuple(side for side, _ in drawn)
    return tuple(side for side, feature in drawn if not fallen(battle, feature))


def _sides_as_drawn(field: Field) -> dict[tuple[str, str], list[tuple[str, OnSide]]]:
    """Return (place, what stands on sides for whoever is there) -> these sides in their order, with it."""
    found: dict[tuple[str, str], list[tuple[str, OnSide]]] = {}
    for place in {feature.at for features in field.sides_of_hexes.values() for feature in features}:
        for side in SIDES:
            for feature in field.sides_of_hexes.get(hexside(place, side), ()):
                if feature.at == place:
                    found.setdefault((place, feature.kind), []).append((side, feature))
    return found


def outward(hex_: str, side: str, there: str) -> bool:
    """Tell whether a line from the middle of a side goes out of the hex."""
    return sight.goes_out(sight.Point(hex_, side), there)


@rule("S1.44a")
def over_the_parapet(battle: Battle, place: str, there: str) -> tuple[str, ...]:
    """Return the parapet sides over which one shoots from a battlement at a hex outside; none at what lies
    inside, or along the wall.
    """
    sides = sides_with(battle, place, PARAPET)
    if not sides:
        return ()
    of, hex_ = regions(battle), hex_of(there)
    return tuple(
        side
        for side in sides
        if of[neighbour(place, side) or place] == of[hex_] and outward(place, side, hex_)
    )


@rule("S1.44a")
def to_choose_from(sides: Sequence[str]) -> tuple[str, ...]:
    """Return the sides among which a shooter who names none has the one with the least cover behind it; none
    without a choice.
    """
    return tuple(sides) if len(sides) > 1 else ()


@rule("S1.44b")
def through_the_slit(battle: Battle, place: str, there: str) -> tuple[str, ...]:
    """Return the sides with an arrow slit through which one shoots out of a place at a hex."""
    return tuple(side for side in sides_with(battle, place, SLIT) if outward(place, side, hex_of(there)))


@rule("S1.45b")
def in_line(rules: Rules, place: str, sides: Sequence[str], there: str) -> tuple[str, ...]:
    """Return by which of the arrow slits before him a shooter can hit who stands behind: he must be in the
    slit's row (option).
    """
    if rules.setting("arrow_slit_line") == "any_line_through_aperture_side":
        return tuple(sides)
    return tuple(side for side in sides if in_row(place, side, hex_of(there)))


@rule("S1.44c")
def starts(battle: Battle, place: str, there: str, across: str = "") -> tuple[str, ...]:
    """Return the parts of his hex where the line of who shoots from a place at a hex begins: sides by which
    he shoots out, or the centre.

    ``across`` names the only one wanted; it is kept where it is one of them.
    """
    found = by(battle, place, there)
    if across in found:
        return (across,)
    return found or ("centre",)


def by(battle: Battle, place: str, there: str) -> tuple[str, ...]:
    """Return the sides by which one shoots from a place at another; none where the line
    begins in the centre.
    """
    slits, parapets = _ways_out(battle, place, there)
    return slits or parapets


def _ways_out(battle: Battle, place: str, there: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the sides with slits, and those with parapets, by which one shoots from a place at another;
    kept, for they depend on the map and on whether the wall has fallen alone.
    """
    asked = (place, there, (place, "rubble") in battle.features)
    known: dict[tuple[str, str, bool], tuple[tuple[str, ...], tuple[str, ...]]]
    known = battle.field.once("sides to shoot by", dict)
    found = known.get(asked)
    if found is not None:
        return found
    if place not in battle.field.once("with sides to shoot by", lambda: _with_sides(battle.field)):
        return (), ()
    if len(known) >= MOST:
        known.clear()
    within = in_one_building(battle, place, there)
    found = known[asked] = (
        ((), ())
        if within
        else (through_the_slit(battle, place, there), over_the_parapet(battle, place, there))
    )
    return found


def _with_sides(field: Field) -> frozenset[str]:
    """Return the places with a slit or a parapet on one of their sides, as the map has drawn them."""
    on_sides = (feature for features in field.sides_of_hexes.values() for feature in features)
    return frozenset(feature.at for feature in on_sides if feature.kind in (PARAPET, SLIT))


def stops(rules: Rules, battle: Battle, place: str, shooter: str) -> tuple[str, ...]:
    """Return the parts of a target's hex where a line from below, or from beside, ends: as it would begin if
    the target shot.
    """
    slits, parapets = _ways_out(battle, place, shooter)
    return in_line(rules, place, slits, shooter) or parapets or ("centre",)
