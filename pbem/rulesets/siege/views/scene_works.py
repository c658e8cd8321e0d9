"""What a scene shows besides ground and figures: what became of the ground, and what was built, carried or
rolled there.

Wagons are counters like animals and stand in ``scene``; how the rest is drawn is the renderers' business.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from pbem.core.ruleset import Ruleset
from pbem.core.scene import Feature as ShownFeature
from pbem.core.scene import Thing as ShownThing
from pbem.geometry.hex import (
    SIDES,
    beside,
    centre,
    corners,
    hex_of,
    hexside,
    neighbour,
    side_between,
    side_points,
)
from pbem.rulesets.siege.scenario import gear
from pbem.rulesets.siege.state.field import Field, Fixture
from pbem.rulesets.siege.state.state import Battle, Feature, Thing
from pbem.rulesets.siege.things import ballista

Rules = Ruleset[Battle]
WALLS: Final = ("parapet", "slit", "wall")
"""Side features on which the damage of a wall shows."""
COUNTERS: Final = ("wagon",)
"""Things that are shown as counters."""
NAMES: Final[Mapping[str, str]] = {
    "oil": "barrel of oil",
    "cauldron": "cauldron of oil",
    "siege-tower": "siege tower",
}
"""Kinds of thing whose name in words is not simply their kind."""


def features(battle: Battle) -> Iterator[ShownFeature]:
    """Yield what has become of the ground, by hex."""
    for key in sorted(battle.features):
        feature = battle.features[key]
        walls = tuple(_walls(battle.field, feature.at)) if feature.is_ == "wall" else ()
        yield ShownFeature(
            feature.is_,
            feature.at,
            centre(hex_of(feature.at)),
            corners(hex_of(feature.at)),
            _number(feature),
            walls,
        )


def _number(feature: Feature) -> int:
    """Return the number that a feature shows: steps of damage, turns of a fire."""
    return feature.turns if feature.is_ == "fire" else feature.damage if feature.is_ == "wall" else 0


def _walls(field: Field, hex_: str) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Yield the hexsides on which the wall of a hex stands."""
    for key in sorted(field.sides_of_hexes):
        for feature in field.sides_of_hexes[key]:
            if feature.at == hex_ and feature.kind in WALLS:
                yield side_points(hex_, feature.side)


def things(rules: Rules, battle: Battle) -> Iterator[ShownThing]:
    """Yield what is built, carried or rolled: bridges with their winches, ladders, engines, mantlets,
    barrels; those off the map last.
    """
    listed = sorted(
        (thing for thing in battle.things.values() if thing.kind not in COUNTERS),
        key=lambda thing: (thing.away, thing.id),
    )
    for thing in listed:
        fixture = battle.field.fixtures.get(thing.id)
        if fixture is not None:
            yield from _built_in(fixture, thing.stands or fixture.starts)
            continue
        places = thing.at or _of_its_bearer(battle, thing)
        if not places and not thing.away:
            continue
        loaded, full = _loaded(rules, thing)
        yield ShownThing(
            id=thing.id,
            kind=thing.kind,
            at=() if thing.away else places,
            cells=() if thing.away else tuple(centre(hex_of(place)) for place in places),
            side=thing.side,
            stands=_stands(thing),
            facing=thing.facing,
            number=loaded,
            full=full,
            by=thing.by or thing.crew,
            team=tuple(centre(battle.units[id_].hexes[-1]) for id_ in thing.hitched if battle.units[id_].at),
            description=", ".join(_said(thing, loaded, full)),
        )
        yield from _let_down(battle, thing)


def _let_down(battle: Battle, thing: Thing) -> Iterator[ShownThing]:
    """Yield what a thing has let down over hexes in which it does not stand: the bridge of a tower."""
    beyond = tuple(
        dict.fromkeys(hex_ for place in battle.above(thing) if (hex_ := hex_of(place)) not in thing.at)
    )
    if beyond and thing.facing:
        said = f"bridge of {thing.id}, down on the wall"
        cells = tuple(map(centre, beyond))
        yield ShownThing(
            f"{thing.id}-bridge", "gangway", beyond, cells, thing.side, facing=thing.facing, description=said
        )


def fixtures(field: Field) -> Iterator[ShownThing]:
    """Yield what is built into a map, as it stands before anybody touches it."""
    for fixture in field.fixtures.values():
        yield from _built_in(fixture, fixture.starts)


def _built_in(fixture: Fixture, stands: str) -> Iterator[ShownThing]:
    """Yield a door, its cells its own and those before it, or a drawbridge with its winch."""
    if not fixture.leaf:
        yield from _bridge(fixture, stands)
        return
    (hex_,) = fixture.hexes
    sides = [side for side in SIDES if hexside(hex_, side) in fixture.leaf]
    yield ShownThing(
        fixture.id,
        fixture.kind,
        fixture.hexes,
        (centre(hex_), *(centre(neighbour(hex_, side) or hex_) for side in sides)),
        "",
        stands,
        sides[0],
        description=f"{NAMES.get(fixture.kind, fixture.kind)}, {stands}, closes {' '.join(sides)}",
    )


def _bridge(fixture: Fixture, stands: str) -> Iterator[ShownThing]:
    """Yield a drawbridge, from its gate outwards, and its winch."""
    gate = beside(fixture.gate)
    hexes = sorted(fixture.hexes, key=lambda hex_: (hex_ not in gate, fixture.hexes.index(hex_)))
    inside = next((hex_ for hex_ in gate if hex_ not in fixture.hexes), "")
    facing = side_between(hexes[0], inside) or "n"
    said = f"{fixture.kind}, {stands}, gate on the side {fixture.gate}, winch in {fixture.winch}"
    yield ShownThing(
        fixture.id,
        fixture.kind,
        tuple(hexes),
        tuple(map(centre, hexes)),
        "",
        stands,
        facing,
        description=said,
    )
    yield ShownThing(f"{fixture.id}-winch", "winch", (fixture.winch,), (centre(fixture.winch),))


def _loaded(rules: Rules, thing: Thing) -> tuple[int, int]:
    """Return for how many turns an engine has been loaded, and how many it takes; 0 and 0 where it is not
    loaded turn by turn.
    """
    if thing.kind != gear.BALLISTA:
        return 0, 0
    return ballista.turns(rules, thing), ballista.loaded_with(rules)


def _of_its_bearer(battle: Battle, thing: Thing) -> tuple[str, ...]:
    """Return where a thing is that somebody carries: with the first who does."""
    return next(
        (battle.units[id_].at[:1] for id_ in thing.by if id_ in battle.units and battle.units[id_].at), ()
    )


def _stands(thing: Thing) -> str:
    """Return how a thing stands, as a scene calls it; a ladder lies unless it is upright or carried."""
    if thing.kind == "ladder" and not thing.stands:
        return "carried" if thing.by else "lying"
    return thing.stands


def _said(thing: Thing, loaded: int, full: int) -> Iterator[str]:
    """Yield what a thing is and how it stands, in words."""
    yield NAMES.get(thing.kind, thing.kind.replace("-", " "))
    if thing.away:
        yield "off the map"
    elif thing.kind == "ladder":
        yield from _of_a_ladder(thing)
    elif thing.kind == "mantlet" and thing.facing:
        yield f"along the side {thing.facing}"
    elif thing.facing:
        yield f"facing {thing.facing}"
    if thing.kind == "siege-tower" and thing.stands:
        yield "bridge down" if thing.stands == "lowered" else "bridge up"
    if full:
        yield "loaded" if loaded >= full else f"loaded for {loaded} of {full} turns"
    if thing.by and thing.kind != "ladder":
        yield f"with {' and '.join(thing.by)}"
    if thing.hitched:
        yield f"drawn by {' and '.join(thing.hitched)}"
    if thing.lost:
        yield f"{thing.lost} {'point' if thing.lost == 1 else 'points'} lost"
    if thing.burnt:
        yield f"burnt in {' '.join(thing.burnt)}"
    if thing.repair_until:
        yield f"under repair on day {thing.repair_until}"


def _of_a_ladder(thing: Thing) -> Iterator[str]:
    """Yield how a ladder stands, and against which hex it leans."""
    match _stands(thing):
        case "raised":
            against = neighbour(hex_of(thing.at[0]), thing.facing) if thing.at and thing.facing else None
            yield f"upright, leaning {thing.facing}{f' against {against}' if against else ''}"
        case "carried":
            yield f"carried by {' and '.join(thing.by)}" if thing.by else "carried"
        case _:
            yield "lying"
