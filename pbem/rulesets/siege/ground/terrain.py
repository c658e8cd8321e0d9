"""Terrain: the chart of grounds and of what stands on hexsides, and what a figure's ground means in melee.

What it costs to go somewhere is ``movement``, what ground hides is ``cover``, what it lets through is
``line_of_fire``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec.structs import replace

from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import beside, hex_of, hexside, neighbours, side_between
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state.field import (
    BATTLEMENT,
    LADDER,
    LEAF,
    RUBBLE,
    Field,
    Nature,
    OnSide,
    SideFeature,
    Terrain,
)
from pbem.rulesets.siege.state.state import Battle, Thing, Unit

Rules = Ruleset[Battle]
Tables = Mapping[str, Any]
SIDES = "sides"
FALL: Final = ("parapet", "slit")
"""What comes down with the wall of the hex it belongs to."""
OPEN_LEAF: Final = SideFeature(LEAF, "open door", True, 0, False, False, LEAF)
CLOSED_LEAF: Final = SideFeature(LEAF, "closed door", False, 0, True, True, LEAF)
CLOSED: Final = "closed"


def rows(rules: Rules) -> dict[str, Mapping[str, Any]]:
    """Return the rows of all charts of ground, by id."""
    return {id_: row for chart in family.of(rules).charts for id_, row in rules.tables[chart]["rows"].items()}


def grounds(rules: Rules) -> dict[str, Terrain]:
    """Return every ground of the charts, by id."""
    natures = family.of(rules).natures
    return {
        id_: Terrain(
            id=id_,
            title=row["title"],
            mp_foot=row["mp_foot"],
            mp_horse=row["mp_horse"],
            cover=row["cover"],
            melee_attacker=row["melee_attacker"],
            melee_defender=row["melee_defender"],
            level=row["level"],
            floor=row["floor"],
            blocks_line=row.get("blocks_line", False),
            flat=row.get("flat", False),
            cover_through=row.get("cover_through", ""),
            look=row["look"],
            rules=tuple(row.get("rules", ())),
            opening=row.get("opening", ""),
            indoors=row.get("indoors", ""),
            joins=row.get("joins", False),
            traits=(nature := natures.get(id_, Nature())).traits,
            hides=nature.hides,
            stands=nature.stands,
        )
        for id_, row in rows(rules).items()
    }


def side_features(tables: Tables) -> dict[str, SideFeature]:
    """Return everything that may stand on a hexside, by id."""
    return {
        id_: SideFeature(
            id=id_,
            title=row["title"],
            passes=row["passes"],
            cost=row["cost"],
            blocks_line=row["blocks_line"],
            blocks_melee=row["blocks_melee"],
            look=row["look"],
            rules=tuple(row.get("rules", ())),
            joins=row.get("joins", False),
            cover=row.get("cover", ""),
            opening=row.get("opening", ""),
        )
        for id_, row in tables[SIDES]["rows"].items()
    }


def terrain_at(rules: Rules, battle: Battle, place: str) -> Terrain:
    """Return the ground of a place as it is now: a hex or a platform; KeyError off the map."""
    known = battle.built
    now: Mapping[str, Terrain] = known["ground"] if "ground" in known else ground_now(rules, battle)
    drawn = battle.field.ground
    return now[place] if place in now else drawn[place] if place in drawn else drawn[hex_of(place)]


def ground_now(rules: Rules, battle: Battle) -> Mapping[str, Terrain]:
    """Return place -> its ground, where that is another than what the map has drawn."""
    return battle.once("ground", lambda: {**prepared(rules, battle), **equipment(rules, battle)})


def prepared(rules: Rules, battle: Battle) -> dict[str, Terrain]:
    """Return hex -> its ground where the moat was filled, a wall broken down or a tent burnt."""
    grounds, known = battle.field.grounds, family.of(rules).features
    return {hex_: grounds[known[is_].ground] for hex_, is_ in battle.features if wholly(rules, is_)}


@rule("S4.13e")
def wholly(rules: Rules, is_: str) -> bool:
    """Tell whether what became of a hex makes other ground of it: filled, destroyed or burnt, but not damage
    short of that.
    """
    return bool(family.of(rules).features[is_].ground)


@rule("S1.1k")
def equipment(rules: Rules, battle: Battle) -> dict[str, Terrain]:
    """Return place -> the row of the equipment that stands there, which counts in the place of the ground it
    stands on.
    """
    known, chart = family.of(rules).kinds, battle.field.grounds
    found: dict[str, Terrain] = {}
    for thing in battle.things.values():
        if thing.kind in known:
            kind = known[thing.kind]
            made = {place: chart[id_] for place, id_ in kind.ground(battle, thing).items()}
            if kind.as_drawn:
                made = {place: as_drawn(rules, battle, place, ground) for place, ground in made.items()}
            if kind.level is not None and made:
                level = kind.level(battle, thing)
                made = {place: replace(ground, level=level) for place, ground in made.items()}
            if kind.levels is not None and made:
                levels = kind.levels(battle, thing)
                made = {place: replace(ground, level=levels[place]) for place, ground in made.items()}
            found |= made
    return found


def as_drawn(rules: Rules, battle: Battle, place: str, ground: Terrain) -> Terrain:
    """Return a ground as it is on the floor, and as high, as what lies under it."""
    drawn = prepared(rules, battle).get(hex_of(place)) or battle.field.ground[hex_of(place)]
    return replace(ground, level=drawn.level, floor=drawn.floor, stands=drawn.stands)


@rule("S1.8d")
def lies_down(thing: Thing) -> bool:
    """Tell whether a thing is a drawbridge that is lowered, so that its counter lies on the map."""
    return thing.kind == "drawbridge" and thing.stands == "lowered"


def altered(rules: Rules, battle: Battle) -> frozenset[str]:
    """Return the hexes in or beside which ground and hexsides are, or can be, otherwise than on the map: a
    thing is there, something has become of a hex, or what is built in opens and shuts. Between all others
    each step is what it was when the battle began.
    """
    return battle.once("altered", lambda: _altered(rules, battle))


def _altered(rules: Rules, battle: Battle) -> frozenset[str]:
    there = {hex_of(place) for thing in battle.things.values() for place in (*thing.at, *battle.above(thing))}
    there.update(map(hex_of, ground_now(rules, battle)))
    there.update(hex_of(place) for place, _ in battle.features)
    there |= battle.field.once("hexes at fixtures", lambda: _at_fixtures(battle.field))
    return frozenset(there).union(*map(neighbours, there))


def _at_fixtures(field: Field) -> frozenset[str]:
    keys = {key for fixture in field.fixtures.values() for key in fixture.shuts}
    leaves = (
        hex_
        for hexes, features in field.features_between.items()
        if any(feature.id == LEAF for feature in features)
        for hex_ in hexes
    )
    return frozenset(hex_ for key in keys for hex_ in beside(key)).union(leaves)


def shut(battle: Battle) -> frozenset[str]:
    """Return the keys of the hexsides that a raised bridge, or a door, closes."""
    return battle.once("shut", lambda: frozenset(_shut(battle))) if battle.field.fixtures else frozenset()


def _shut(battle: Battle) -> Iterator[str]:
    fixtures = battle.field.fixtures
    for thing in battle.things.values():
        if thing.id in fixtures and closes(thing):
            yield from fixtures[thing.id].shuts


def closes(thing: Thing) -> bool:
    """Tell whether something built in closes its hexsides as it stands now."""
    return not lies_down(thing) if thing.kind == "drawbridge" else thing.stands == CLOSED


def on_side(battle: Battle, key: str) -> tuple[OnSide, ...]:
    """Return what stands on a hexside now: what the map has drawn there, but for parapets and arrow slits
    that lie in rubble.
    """
    found = battle.field.sides_of_hexes.get(key, ())
    if not found or not battle.features:
        return found
    return tuple(feature for feature in found if not fallen(battle, feature))


@rule("S2.33a")
def fallen(battle: Battle, feature: OnSide) -> bool:
    """Tell whether a parapet or an arrow slit has come down with the wall of its hex; a wall drawn on its own
    stays intact.
    """
    return feature.kind in FALL and (feature.at, "rubble") in battle.features


@rule("S2.33a")
def breached(ground: Terrain, beyond: Terrain) -> bool:
    """Tell whether one of two hexes lies in rubble, over which one gets from every floor to every other."""
    return RUBBLE in ground.traits or RUBBLE in beyond.traits


def between(battle: Battle, here: str, there: str) -> tuple[SideFeature, ...]:
    """Return what stands on the hexside between two neighbouring places; nothing between others."""
    field = battle.field
    one, other = hex_of(here), hex_of(there)
    way = one, other
    if way not in field.features_between:
        return ()
    found = field.features_between[way]
    if battle.features and ((one, "rubble") in battle.features or (other, "rubble") in battle.features):
        side = side_between(one, other)
        found = (
            tuple(field.side_features[feature.kind] for feature in on_side(battle, hexside(one, side)))
            if side
            else found
        )
    if field.fixtures and (side := side_between(one, other)) and hexside(one, side) in shut(battle):
        leaf = any(feature.id == LEAF for feature in found)
        return (*found, CLOSED_LEAF if leaf else field.side_features["wall"])
    return found


def at_a_leaf(battle: Battle, here: str, there: str) -> bool:
    """Tell whether the leaf of a door hangs between two neighbouring places, be it open or closed."""
    return any(
        feature.id == LEAF for feature in battle.field.features_between.get((hex_of(here), hex_of(there)), ())
    )


def closed(battle: Battle, key: str) -> bool:
    """Tell whether something without an opening stands on a hexside, so that no line passes it."""
    return key in shut(battle) or any(
        battle.field.side_features[feature.kind].blocks_line for feature in on_side(battle, key)
    )


def melee_barred(rules: Rules, battle: Battle, here: str, there: str) -> bool:
    """Tell whether something on the hexside keeps figures on both sides of it from fighting."""
    found = between(battle, here, there)
    return bool(found) and any(feature.blocks_melee for feature in found)


@rule("S1.1m")
def melee_sign(rules: Rules, battle: Battle, unit: Unit, attacking: bool) -> str:
    """Return the one sign, ``+ 0 -``, that the ground of a figure has in melee while it attacks, or while it
    defends.
    """
    if len(unit.at) == 1:
        return sign_of(rules, terrain_at(rules, battle, unit.at[0]), attacking)
    return worst([sign_of(rules, terrain_at(rules, battle, place), attacking) for place in unit.at])


def sign_of(rules: Rules, ground: Terrain, attacking: bool) -> str:
    """Return the sign of a ground in melee, as the chart has it or as an option does."""
    if BATTLEMENT in ground.traits and not attacking:
        return behind_the_battlement(rules) or ground.melee_defender
    if RUBBLE in ground.traits:
        return on_rubble(rules)
    if LADDER in ground.traits:
        return ladder_sign(rules)
    return ground.melee_attacker if attacking else ground.melee_defender


@rule("S1.1c")
def behind_the_battlement(rules: Rules) -> str:
    """Return the sign of who defends himself on a battlement, where the option gives him the better one of
    the later rules.
    """
    return "+" if rules.setting("battlement_melee_modifier") == "+" else ""


@rule("S2.33e")
def on_rubble(rules: Rules) -> str:
    """Return the sign of who fights on rubble, for which the chart has none: level ground, or by the option
    bad ground.
    """
    return rules.setting("rubble_melee_modifier")


@rule("S1.93e")
def ladder_sign(rules: Rules) -> str:
    """Return the sign of who fights on a ladder: bad ground as the text has it, or by the option that of the
    printed chart.
    """
    return rules.setting("ladder_melee_modifier")


@rule("S3.35e")
def worst(signs: Sequence[str]) -> str:
    """Return the sign that counts for a figure of two hexes in melee: that of the one less
    favourable to it.
    """
    return min(signs, key=("impossible", "-", "0", "+").index)
