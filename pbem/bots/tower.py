"""How the sergeant storms from a siege tower of several floors: he has it pushed until one hex is between it
and the wall, sends two men to its winches, and everybody else up and over the bridge.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec.structs import replace

from pbem.bots import standing_deeds
from pbem.geometry.hex import distance, hex_of
from pbem.rulesets.anarchy import siege_tower, tower_bridge, tower_fire
from pbem.rulesets.siege.ground import flames
from pbem.rulesets.siege.state.orders import Act, Move
from pbem.rulesets.siege.state.state import Battle, Thing
from pbem.rulesets.siege.things import engines

if TYPE_CHECKING:
    from pbem.bots.siegecraft import Siegecraft

FEWEST = 4
"""So many men push a tower."""


def has_floors(battle: Battle, engine: Thing) -> bool:
    """Tell whether an engine is a tower of several floors."""
    return engine.kind == siege_tower.TOWER and bool(battle.apart)


def go_on(craft: Siegecraft, id_: str) -> None:
    """Go on with a tower: push it to the wall, lower its bridge, storm over it."""
    tower = craft.battle.things[id_]
    quench(craft, tower)
    if tower.stands == siege_tower.LOWERED:
        storm(craft, tower)
    elif tower_bridge.no_wall_ahead(craft.battle, tower) is None:
        let_down(craft, tower)
    else:
        push(craft, tower)
    craft.bind(inside(craft.battle, tower, craft.aims.side))


def inside(battle: Battle, tower: Thing, side: str) -> list[str]:
    """Return the able men of a side in a tower or on its bridge, the nearest to its front first."""
    found = [
        unit
        for unit in battle.units.values()
        if unit.side == side and unit.able and unit.at and siege_tower.holding(battle, unit.at[0]) is tower
    ]
    return [
        unit.id for unit in sorted(found, key=lambda unit: (distance(unit.hexes[0], tower.at[0]), unit.id))
    ]


def quench(craft: Siegecraft, tower: Thing) -> None:
    """Send the nearest in a tower to what burns of it, on the same floor, and keep those who are there: they
    put it out afterwards.
    """
    places = {place for place in craft.battle.apart if siege_tower.holding(craft.battle, place) is tower}
    burning = {place for place, is_ in craft.battle.features if is_ == flames.FIRE and place in places}
    beside = {
        near for place in burning for near in tower_fire.next_to(craft.battle, place)
    } & places - burning
    fight = 0
    at_winches = siege_tower.winches(craft.battle.field, tower)
    for id_ in inside(craft.battle, tower, craft.aims.side):
        here = craft.battle.units[id_].at[0]
        if here in at_winches:
            continue
        if fight < standing_deeds.WATCH and id_ in craft.free and here in beside:
            craft.bind((id_,))
            fight += 1
    for id_ in inside(craft.battle, tower, craft.aims.side) if fight < standing_deeds.WATCH else ():
        ends = sorted(beside - craft.battle.standing_at.keys())
        if (
            id_ in craft.free
            and fight < standing_deeds.WATCH
            and any(craft.do(Move(id_, (end,)), "move") for end in ends)
        ):
            craft.bind((id_,))
            fight += 1


def push(craft: Siegecraft, tower: Thing) -> None:
    """Man the lowest level of a tower, and push it no farther than where its bridge reaches the wall."""
    crew = [unit.id for unit in engines.crew(craft.battle, tower, craft.aims.side)]
    craft.bind(inside(craft.battle, tower, craft.aims.side))
    if len(crew) < FEWEST:
        fill(craft, tower)
    one_on = tuple(siege_tower.ahead(tower.at, tower.facing))
    near = len(one_on) == len(tower.at) and not tower_bridge.no_wall_ahead(
        craft.battle, replace(tower, at=one_on)
    )
    any(craft.do(Act("advance-engine", (), tower.id, steps=steps)) for steps in ((1,) if near else (2, 1)))


def fill(craft: Siegecraft, tower: Thing) -> None:
    """Send men into the lowest level of a tower from outside, the rear rank first."""
    for hex_ in reversed(tower.at):
        if hex_ not in craft.battle.standing_at:
            for id_ in craft.strongest(hex_):
                if not craft.shoots(id_) and craft.do(Move(id_, (hex_,)), "move"):
                    craft.bind((id_,))
                    break


def let_down(craft: Siegecraft, tower: Thing) -> None:
    """Lower the bridge of a tower by the two at its winches, or send two there; the others go up behind
    them.
    """
    winches = siege_tower.winches(craft.battle.field, tower)
    at_them = [craft.battle.standing_at.get(place, "") for place in winches]
    men = inside(craft.battle, tower, craft.aims.side)
    if all(id_ in men for id_ in at_them) and craft.do(Act("lower", tuple(sorted(at_them)), tower.id)):
        men = [id_ for id_ in men if id_ not in at_them]
    else:
        for place, id_ in zip(winches, at_them, strict=True):
            if not id_:
                next((man for man in men if man not in at_them and craft.do(Move(man, (place,)), "move")), "")
    go_up(craft, tower, [id_ for id_ in men if id_ not in at_them])
    fill(craft, tower)


def storm(craft: Siegecraft, tower: Thing) -> None:
    """Let those in a tower step over its bridge onto the wall, as many as there is room for, and more men in
    below.
    """
    field = craft.battle.field
    walls = [
        there
        for (here, there), passage in siege_tower.over(craft.rules, craft.battle, tower).items()
        if passage.by == tower.id and hex_of(there) == there and here != there
    ]
    bridge = [siege_tower.at(hex_, siege_tower.SECOND) for hex_ in siege_tower.span(field, tower)]
    men = inside(craft.battle, tower, craft.aims.side)
    for id_ in men:
        any(craft.do(Move(id_, (place,)), "move") for place in dict.fromkeys((*walls, *bridge)))
    go_up(craft, tower, [id_ for id_ in men if "moved" not in craft.battle.units[id_].did])
    fill(craft, tower)


def go_up(craft: Siegecraft, tower: Thing, men: list[str]) -> None:
    """Let some in a tower go as high as they get, up to the floor of its bridge."""
    for id_ in men:
        any(craft.do(Move(id_, (place,)), "move") for place in wanted(craft.battle, tower, id_))


def wanted(battle: Battle, tower: Thing, id_: str) -> Iterator[str]:
    """Yield where somebody in a tower would go: onto the floor of the bridge, else nearer to a ladder."""
    here = battle.units[id_].at[0]
    storeys = (*siege_tower.storeys(battle.field, tower)[:-1],)
    for storey in reversed(storeys):
        if here.endswith(f"@{storey}"):
            return
        yield from (
            siege_tower.at(hex_, storey) for hex_ in siege_tower.floor(battle.field, tower, storey)[:5]
        )
    yield siege_tower.ladder(battle.field, tower, siege_tower.GROUND)
