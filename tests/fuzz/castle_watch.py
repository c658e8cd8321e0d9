"""What must hold at a castle after every event: ladders, engines, bridges, walls, fires, loads, and the dead
of a siege.

It says again, from the map as it is drawn and in other words than the rules do, what the rules are to keep.
``Castle`` remembers from one event to the next what a single one does not tell.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import hex_of, hexside, neighbour, neighbours, side_between
from pbem.rulesets.siege.state.state import DEAD, Battle, Feature
from pbem.rulesets.siege.things.engines import footprint

Rules = Ruleset[Battle]
Plain = Mapping[str, Any]
ENGINES = ("siege-tower", "ram")
LEVEL = frozenset(("flat", "road", "courtyard", "tent"))
"""What is drawn where an engine stands; of tents only burnt ones."""
MASONRY = frozenset(
    (
        "battlement",
        "tower_interior",
        "keep_interior",
        "castle_wall",
        "tower_doorway",
        "keep_doorway",
        "arrow_slit",
        "platform",
    )
)
GEAR = frozenset(
    (
        "siege-tower",
        "ram",
        "penthouse",
        "ballista",
        "mangonel",
        "trebuchet",
        "door",
        "scaffold",
        "hoarding",
        "bridge",
        "gate",
    )
)
TIMBER = GEAR | {"wagon", "mantlet", "ladder"}
OPEN = ("flat", "road", "courtyard", "moat")
LOADS = ("oil", "mantlet", "chest")
CLEARED = ("filled", "evening")
"""What may be as it was: the garrison clears its moat over night."""
PUT_OUT = ("S3.53e", "S2.2c")
"""The rules by which a fire goes out that has something left to burn: by hand, and in the evening."""
ON_FOOT_OR_NOT = ("Moved", "Retreated", "Advanced", "Panicked", "Routed")
SWEPT = ("Retreated", "Advanced", "Panicked", "Routed", "Fell", "Thrown")
"""What tears somebody away from what he holds."""


class Castle:
    """Looks at a castle after every event."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.falling: dict[str, str] = {}
        """Who was on a ladder that was toppled, and has not come to lie yet -> its foot."""
        self.walking: dict[str, str] = {}
        """Load -> who has walked off with it; it has to follow him."""
        self.last: Battle | None = None

    def wrong(self, before: Battle, plain: Plain, after: Battle) -> Iterator[str]:
        """Yield what is wrong after an event."""
        kind = plain["type"]
        if before is not self.last:  # the phase is played again, because a question has been answered
            self.falling, self.walking = {}, {}
        self.last = after
        yield from of_ladders(after, ended=kind == "PhaseEnded", moving=kind == "ThingMoved")
        yield from of_engines(self.rules, after)
        yield from of_places(after)
        yield from of_features(self.rules, before, after)
        yield from of_the_dead(before, after, plain)
        if kind == "ThingMoved":
            yield from of_a_drive(before, after, plain)
        if kind in ON_FOOT_OR_NOT:
            yield from of_steps(before, plain)
        if (
            kind == "FeatureGone"
            and plain["is"] == "fire"
            and plain.get("rule") not in PUT_OUT
            and plain["at"] not in after.apart  # what burns place by place is charred there and stands
            and _kindling(self.rules, after, plain["at"])
        ):
            yield f"the fire at {plain['at']} goes out, and there is something left to burn"
        yield from self._falls(before, plain, after)
        yield from self._loads(before, plain, after)

    def _falls(self, before: Battle, plain: Plain, after: Battle) -> Iterator[str]:
        """Yield who does not come down with his ladder, or comes to lie where it stood although there is room
        beside.
        """
        if plain["type"] == "LadderToppled":
            foot = before.things[plain["thing"]].at[0]
            if foot in before.standing_at:
                self.falling[before.standing_at[foot]] = foot
        elif plain["type"] == "Fell" and plain["unit"] in self.falling:
            foot = self.falling.pop(plain["unit"])
            free = [
                hex_
                for hex_ in neighbours(foot)
                if hex_ in after.field.ground and hex_ not in after.living_in
            ]
            open_ = [hex_ for hex_ in free if after.field.ground[hex_].id in OPEN and not _held(after, hex_)]
            if plain["at"][0] == foot and any(
                not after.field.features_between.get((foot, hex_)) for hex_ in open_
            ):
                yield f"{plain['unit']} lies at the foot of his ladder, and {open_} are free"
        elif plain["type"] == "PhaseEnded" and self.falling:
            yield f"{self.falling} have not fallen with their ladders"

    def _loads(self, before: Battle, plain: Plain, after: Battle) -> Iterator[str]:
        """Yield the loads that their bearers have left behind without putting them down."""
        if plain["type"] == "Moved":
            unit = before.units[plain["unit"]]
            held = (
                thing
                for thing in before.things.values()
                if thing.kind in LOADS and thing.by == (unit.id,) and thing.at == unit.at
            )
            if unit.able and not unit.mood and not unit.on:
                self.walking |= {thing.id: unit.id for thing in held}
        elif plain["type"] in SWEPT:
            self.walking = {load: id_ for load, id_ in self.walking.items() if id_ != plain["unit"]}
        elif plain["type"] == "PhaseEnded":
            for load, id_ in self.walking.items():
                thing, unit = after.things.get(load), after.units[id_]
                if thing and thing.by == (id_,) and unit.able and unit.at != thing.at:
                    yield f"{load} is at {thing.at}, and {id_}, who bears it, at {unit.at}"
            self.walking = {}


def of_ladders(battle: Battle, ended: bool, moving: bool = False) -> Iterator[str]:
    """Yield what is wrong with ladders; ``ended``: a phase is over, nobody half holds one; ``moving``: one is
    about to be set up.
    """
    feet: set[str] = set()
    for ladder in battle.things.values():
        if ladder.kind != "ladder" or not ladder.at:
            continue
        if ladder.stands == "raised":
            if (len(ladder.at) != 1 and not moving) or not ladder.facing or ladder.by:
                yield f"{ladder.id} stands in {ladder.at}, looks to {ladder.facing!r}, and {ladder.by} hold it"
            top = neighbour(ladder.at[0], ladder.facing) or ""
            no = battle.field.marks.get("no-ladder", ())
            leans = f"{top}@top" in _staging(battle) or (
                top in battle.field.ground and battle.field.ground[top].id in ("battlement", "church_window")
            )
            if ended and (not leans or top in no):
                yield f"{ladder.id} leans on nothing that can be scaled"
            if ladder.at[0] in feet:
                yield f"two ladders stand in {ladder.at[0]}"
            feet.add(ladder.at[0])
        elif moving:
            continue
        elif len(ladder.at) != 2 or side_between(*ladder.at) is None:
            yield f"{ladder.id} lies in {ladder.at}"
        elif ended and (len(set(ladder.by)) == 2) != (ladder.stands == "carried"):
            yield f"{ladder.id} is {ladder.stands}, and {ladder.by} hold it"
        if len(ladder.by) != len(set(ladder.by)):
            yield f"{ladder.id} is held twice by one"


def of_engines(rules: Rules, battle: Battle) -> Iterator[str]:
    """Yield what is wrong with siege towers and rams."""
    for thing in battle.things.values():
        if thing.kind not in ENGINES or not thing.at:
            continue
        if footprint(rules, thing.kind, thing.at[0], thing.facing) != thing.at:
            yield f"{thing.id} is torn apart: {thing.at} to {thing.facing}"
        for hex_ in thing.at:
            drawn = battle.field.ground[hex_].id
            filled = (hex_, "filled") in battle.features or (hex_, "burnt") in battle.features
            if not filled and (drawn not in LEVEL or drawn == "tent"):
                yield f"{thing.id} stands on {drawn} at {hex_}"
        other = next(
            (
                one.id
                for one in battle.things.values()
                if one.id > thing.id and one.kind in GEAR and {*one.at} & {*thing.at}
            ),
            "",
        )
        if other:
            yield f"{thing.id} and {other} stand in each other"


def of_places(battle: Battle) -> Iterator[str]:
    """Yield who is on a floor, or in a mine, that is not there."""
    there = {*_upper(battle), *battle.lower.values()}
    for unit in battle.units.values():
        for place in unit.at:
            if place != hex_of(place) and place not in there:
                yield f"{unit.id} is at {place}, where there is no floor"


def _upper(battle: Battle) -> set[str]:
    """Return the places above the ground."""
    return {place for places in battle.storeys.values() for place in places}


def of_a_drive(before: Battle, after: Battle, plain: Plain) -> Iterator[str]:
    """Yield who was in or on an engine and is not in the same part of it after it was driven."""
    was, now = before.things[plain["thing"]], after.things[plain["thing"]]
    if was.kind not in ENGINES or not was.at:
        return
    for storey in ("", "@top"):
        parts = {f"{there}{storey}": f"{here}{storey}" for there, here in zip(was.at, now.at, strict=True)}
        for id_, unit in before.units.items():
            if (
                unit.living
                and unit.at
                and unit.at[0] in parts
                and after.units[id_].at != (parts[unit.at[0]],)
            ):
                yield (
                    f"{id_} was at {unit.at[0]} in {was.id}, and is at {after.units[id_].at}, not at "
                    f"{parts[unit.at[0]]}"
                )


def _of_houses(rules: Rules) -> Mapping[str, str]:
    """Return the grounds beside castle walls that the game lets engines break down."""
    found: Mapping[str, str] = rules.tables.get("battering_anarchy", {}).get("grounds", {})
    return found


def of_features(rules: Rules, before: Battle, battle: Battle) -> Iterator[str]:
    """Yield what is wrong with walls, moats and fires."""
    if before.features is battle.features:
        return
    for (hex_, is_), was in before.features.items():
        now = battle.features.get((hex_, is_))
        if (
            is_ == "wall"
            and (now.damage if now else 0) < was.damage
            and (hex_, "rubble") not in battle.features
        ):
            yield f"the wall at {hex_} mends itself"
        if (
            is_ in ("rubble", "burnt", "filled", "stripped")
            and now is None
            and (is_, battle.at.phase) != CLEARED
        ):
            yield f"{hex_} is no longer {is_}"
    for (hex_, is_), now in battle.features.items():
        drawn, was_ = battle.field.ground[hex_of(hex_)].id, before.features.get((hex_, is_))
        if is_ == "filled" and drawn != "moat":
            yield f"{drawn} at {hex_} is filled"
        if is_ in ("rubble", "wall") and drawn not in (*MASONRY, *_of_houses(rules)):
            yield f"{drawn} at {hex_} is broken down"
        if is_ == "burnt" and drawn != "tent":
            yield f"{drawn} at {hex_} has burnt down"
        if is_ == "stripped" and drawn != "platform":
            yield f"{drawn} at {hex_} loses its planks"
        if is_ == "fire":
            yield from _of_a_fire(rules, before, battle, was_, now)


def _of_a_fire(
    rules: Rules, before: Battle, battle: Battle, was: Feature | None, now: Feature
) -> Iterator[str]:
    turns = was.turns if was else 0
    if now.turns not in (turns, turns + 1) or now.turns > 3 or (was and was.lit_by != now.lit_by):
        yield f"the fire at {now.at} goes from turn {turns} to {now.turns}"
    if was is None and not _kindling(rules, battle, now.at):
        yield f"nothing at {now.at} burns"


def _kindling(rules: Rules, battle: Battle, hex_: str) -> list[str]:
    kinds = TIMBER if rules.setting("flammable_objects") == "tents_engines_wagons_mantlets_ladders" else GEAR
    if rules.id == "anarchy":
        kinds |= {"mantlet"}  # planks burn in this game too (A3.2.3)
    drawn, became = battle.field.ground[hex_of(hex_)].id, {is_ for at, is_ in battle.features if at == hex_}
    tent = drawn == "tent" and "burnt" not in became
    if drawn == "platform" and rules.id == "anarchy" and became.isdisjoint(("stripped", "rubble")):
        return ["platform"]
    there = [
        thing.id
        for thing in battle.things.values()
        if thing.kind in kinds
        and hex_ in (*thing.at, *battle.above(thing))
        and hex_ not in thing.burnt  # a roof burns hex by hex (A5.2.7b): where it has, nothing is left
        and not thing.away
        and thing.stands not in ("broken", "destroyed")
    ]
    return [*there, "tent"] if tent else there


def of_the_dead(before: Battle, after: Battle, plain: Plain) -> Iterator[str]:
    """Yield the dead that get up or are put on the map."""
    if before.units is after.units:
        return
    for id_, unit in before.units.items():
        if unit.state == DEAD and after.units[id_].state != DEAD:
            yield f"{id_} was dead"
    if plain["type"] in ("Placed", "Entered") and before.units[plain["unit"]].state == DEAD:
        yield f"{plain['unit']} is dead and comes onto the map"


# --- steps


def of_steps(before: Battle, plain: Plain) -> Iterator[str]:
    """Yield the steps of a way that nothing makes possible: through a raised bridge, through stone, from
    floor to floor.
    """
    if plain.get("rule") == "S5.11d":  # the mate of a led animal has its new place named, not its way
        return
    # a horse may have been put astride a wall, where it is free to leave
    stood = set(before.units[plain["unit"]].at)
    for way in (plain["path"], plain.get("tails", ())):
        for here, there in pairwise(way):
            if here != there and not {here, there} <= stood and _one_step(here, there):
                yield from _of_a_step(before, plain["unit"], here, there)


def _one_step(here: str, there: str) -> bool:
    return hex_of(here) == hex_of(there) or side_between(hex_of(here), hex_of(there)) is not None


def _of_a_step(battle: Battle, id_: str, here: str, there: str) -> Iterator[str]:
    one, other = hex_of(here), hex_of(there)
    if "@" in here + there:
        if not any(leads(battle, here, there) for leads in (_on_a_tower, _on_a_scaffold, _in_a_mine)):
            yield f"{id_} gets from {here} to {there}"
        return
    if shut := _shut(battle, one, other):
        yield f"{id_} goes through {shut} from {here} to {there}"
    if frozenset((one, other)) in _gates(battle):
        yield f"{id_} goes through the raised bridge from {here} to {there}"
    if _by_ladder(battle, one, other):
        return
    rubble = (one, "rubble") in battle.features or (other, "rubble") in battle.features
    stone = [kind.id for kind in battle.field.features_between.get((one, other), ()) if not kind.passes]
    if [what for what in stone if what not in ("parapet", "slit") or not rubble]:
        yield f"{id_} goes through {stone} from {here} to {there}"
    grounds = [battle.field.ground[hex_] for hex_ in (one, other)]
    joins = any(kind.joins for kind in battle.field.features_between.get((one, other), ())) or any(
        ground.joins for ground in grounds
    )
    if grounds[0].floor != grounds[1].floor and not joins and not rubble:
        yield f"{id_} gets from {grounds[0].title} at {here} to {grounds[1].title} at {there}"


def _on_a_tower(battle: Battle, here: str, there: str) -> bool:
    upper = _upper(battle)
    if not {here, there} & upper:
        return False
    for tower in (thing for thing in battle.things.values() if thing.kind == "siege-tower"):
        above = battle.above(tower)
        several = any(not place.endswith("@top") for place in above)  # its ladders lead aside
        inside = {here, there} <= {*tower.at, *above}
        if inside and (several or {here, there} <= upper or hex_of(here) == hex_of(there)):
            return True
    wall = there if here in upper else here
    return wall not in upper and battle.field.ground[hex_of(wall)].id == "battlement"


def _in_a_mine(battle: Battle, here: str, there: str) -> bool:
    """Tell whether somebody goes along a mine, or down into one where its men gather."""
    below = set(battle.lower.values())
    gathers = {
        hex_ for thing in battle.things.values() if thing.kind in ("shaft", "penthouse") for hex_ in thing.at
    }
    return bool({here, there} & below) and {here, there} <= below | gathers


def _on_a_scaffold(battle: Battle, here: str, there: str) -> bool:
    """Tell whether somebody goes along a scaffold or a hoarding, up or down a ladder that leans on the one, or to
    its wall.
    """
    upper = _staging(battle)
    if not {here, there} & upper or hex_of(here) == hex_of(there):
        return False
    ground = battle.field.ground[hex_of(there if here in upper else here)]
    return (
        {here, there} <= upper
        or ground.id in ("church_window", "battlement")
        or _by_ladder(battle, hex_of(here), hex_of(there))
    )


def _staging(battle: Battle) -> set[str]:
    """Return the places on scaffolds and hoardings."""
    stages = (thing for thing in battle.things.values() if thing.kind in ("scaffold", "hoarding"))
    return {f"{hex_}@top" for thing in stages for hex_ in thing.at}


def _shut(battle: Battle, one: str, other: str) -> str:
    """Return the closed door between two hexes; empty if there is none."""
    side = side_between(one, other)
    shut = (thing.id for thing in battle.things.values() if thing.kind == "door" and thing.stands == "closed")
    return next((id_ for id_ in shut if side and hexside(one, side) in battle.field.fixtures[id_].leaf), "")


def _gates(battle: Battle) -> set[frozenset[str]]:
    raised = [
        thing.id
        for thing in battle.things.values()
        if thing.kind == "drawbridge" and thing.stands != "lowered"
    ]
    found = set()
    for id_ in raised:
        hex_, side = battle.field.fixtures[id_].gate.split()
        found.add(frozenset((hex_, neighbour(hex_, side) or "")))
    return found


def _by_ladder(battle: Battle, one: str, other: str) -> bool:
    up = [thing for thing in battle.things.values() if thing.kind == "ladder" and thing.stands == "raised"]
    return any({one, other} == {thing.at[0], neighbour(thing.at[0], thing.facing)} for thing in up)


def _held(battle: Battle, hex_: str) -> bool:
    return any(hex_ in thing.at for thing in battle.things.values() if thing.kind not in (*LOADS, "ladder"))


__all__ = ["Castle", "of_engines", "of_features", "of_ladders", "of_places", "of_steps", "of_the_dead"]
