"""A battle as a scene: what stands where, for whoever draws it; what happened is ``traces``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from typing import Any

from msgspec.structs import replace

from pbem.core.problem import Problem
from pbem.core.ruleset import Ruleset
from pbem.core.scene import DOWN, HURT, OUT, UP, Area, Edge, Note, Region, Scene, SideLook, Token
from pbem.core.sequence import Cursor
from pbem.geometry.hex import centre, corners, hex_of, side_points, split_place
from pbem.rulesets.siege.combat import fire_arrows
from pbem.rulesets.siege.ground import maps
from pbem.rulesets.siege.ground.character import person, values
from pbem.rulesets.siege.ground.maps import MapPart
from pbem.rulesets.siege.march import step
from pbem.rulesets.siege.state import traces
from pbem.rulesets.siege.state.field import LEAF, Field
from pbem.rulesets.siege.state.state import DEAD, HEALTHY, STUNNED, WOUNDED, Battle, Unit
from pbem.rulesets.siege.turn import siege_days
from pbem.rulesets.siege.views import aim, rollcall, scene_works

Rules = Ruleset[Battle]

SYMBOLS: Mapping[str, str] = {
    "rich_knight": "knight",
    "average_knight": "knight",
    "sergeant": "sergeant",
    "halberdier": "halberd",
    "spearman": "spear",
    "spear_thrower": "spear",
    "man_at_arms": "man-at-arms",
    "crossbow_armoured": "crossbow",
    "crossbowman": "crossbow",
    "longbowman": "longbow",
    "shortbowman": "shortbow",
    "staff_slinger": "sling",
    "technician": "technician",
    "peasant": "peasant",
    "civilian": "civilian",
    "horse_alone": "horse",
    "draught_horse": "horse",
    "ox": "ox",
    "pack_donkey": "donkey",
}
CALLED: Mapping[str, str] = {"horse_alone": "horse"}
"""Classes whose name in words is not simply their id."""
LOOKS: Mapping[str, str] = {HEALTHY: UP, WOUNDED: HURT, STUNNED: DOWN, DEAD: OUT}
MAN = "man"
SHAPES = ("round", "cut", "square")
BYSTANDERS = SideLook(traces.BYSTANDERS, "Bystanders", "grey", "square")
"""How those look who are on no side, until somebody leads them away."""
COLOURS = ("blue", "vermilion", "green", "purple")


def scene(
    rules: Rules,
    battle: Battle,
    events: Sequence[Mapping[str, Any]] = (),
    side: str | None = None,
    title: str = "",
) -> Scene:
    """Return the scene of a battle after ``events`` (plain, of one slot); ``side`` None is what the umpire
    sees.

    Nothing is hidden in this game but in a sealed step of the setup: there a side sees its own figures only.
    """
    field = battle.field
    seen = [unit for unit in battle.units.values() if _visible(battle, unit, side)]
    changed = {hex_ for event in events for hex_ in traces.touched(battle, event)}
    moved = {str(event["unit"]) for event in events if event["type"] in traces.WAYS}
    looks = {terrain.look: terrain.title for terrain in field.ground.values()}
    return Scene(
        title=title or field.scenario_title,
        subtitle=when(rules, battle),
        areas=_areas(field, changed),
        edges=field.once("edges of scenes", lambda: tuple(edges(field))),
        tokens=(*_tokens(rules, battle, seen, moved, events), *_things(battle)),
        traces=tuple(traces.traces(rules, battle, events)),
        notes=tuple(Note(centre(hex_), text) for hex_, text in field.labels),
        sides=tuple(_sides(field)),
        roads=tuple(tuple(centre(hex_) for hex_ in road) for road in field.roads),
        scale="1 hex is about 2 m",
        cell=("hex", "hexes"),
        values=("attack", "defence", "movement"),
        seed=field.look_seed,
        grounds=looks,
        summary=_summary(battle, title or field.scenario_title),
        static_key=f"{field.map_id}:{field.map_digest}",
        features=battle.once("features of scenes", lambda: tuple(scene_works.features(battle))),
        things=tuple(scene_works.things(rules, battle)) or tuple(scene_works.fixtures(field)),
        regions=tuple(_regions(rules, battle, side)),
    )


def _regions(rules: Rules, battle: Battle, side: str | None) -> Iterator[Region]:
    """Yield what is played for, and where the figures of a side may still be placed."""
    yield from (Region("goal", one.name, one.cells, one.sides) for one in aim.regions(battle.field))
    yield from (Region("zone", one.name, one.cells, one.sides) for one in rollcall.zones(rules, battle, side))


def map_scene(rules: Rules, data: object) -> tuple[Scene | None, list[Problem]]:
    """Return the scene of a map with nobody on it, or None and what is wrong with the map."""
    part, problems = maps.read_map(rules, data)
    if part is None:
        return None, problems
    shared = {
        name: getattr(part, name) for name in MapPart.__struct_fields__ if name in Field.__struct_fields__
    }
    field = Field(
        map_id=part.id,
        map_title=part.title,
        map_digest="",
        scenario_id="",
        scenario_title="",
        scenario_digest="",
        **shared,
    )
    return scene(rules, Battle(field, Cursor("over"), {}), title=part.title), problems


def areas(field: Field) -> tuple[Area, ...]:
    """Return the ground of a map, as it was drawn."""
    return field.once("areas of scenes", lambda: tuple(_area(field, hex_) for hex_ in field.ground))


def _areas(field: Field, changed: Set[str]) -> tuple[Area, ...]:
    """Return the ground of a map, where something happened marked as changed."""
    drawn = areas(field)
    places = field.once("places of areas", lambda: {area.at: place for place, area in enumerate(drawn)})
    found = list(drawn)
    for place in (places[hex_] for hex_ in changed if hex_ in places):
        found[place] = replace(found[place], changed=True)
    return tuple(found) if changed else drawn


def _visible(battle: Battle, unit: Unit, side: str | None) -> bool:
    sealed = battle.at.phase == "setup" and not battle.at.side
    return side is None or unit.side == side or not sealed or unit.id in battle.field.bystanders


def _sides(field: Field) -> Iterator[SideLook]:
    for n, info in enumerate(field.sides):
        yield SideLook(info.id, info.name, info.colour or COLOURS[n % len(COLOURS)], SHAPES[n % len(SHAPES)])
    if field.bystanders:
        yield BYSTANDERS


def _area(field: Field, hex_: str) -> Area:
    terrain = field.ground[hex_]
    marks = tuple(sorted(mark for mark, hexes in field.marks.items() if hex_ in hexes))
    building = next((area for area, hexes in sorted(field.areas.items()) if hex_ in hexes), "")
    passable = terrain.mp_foot is not None
    return Area(
        hex_,
        centre(hex_),
        corners(hex_),
        terrain.look,
        terrain.title,
        terrain.level,
        building,
        marks,
        passable=passable,
    )


def edges(field: Field) -> Iterator[Edge]:
    """Yield what stands on the hexsides of a map."""
    for key in sorted(field.sides_of_hexes):
        for feature in field.sides_of_hexes[key]:
            if feature.kind == LEAF:
                continue  # it is shown as the thing that it belongs to
            a, b = side_points(feature.at, feature.side)
            look = field.side_features[feature.kind].look
            yield Edge(look, feature.at, feature.side, a, b, centre(feature.at))


def _tokens(
    rules: Rules, battle: Battle, units: Sequence[Unit], moved: set[str], events: Sequence[Mapping[str, Any]]
) -> Iterator[Token]:
    """Yield a token for each figure and animal on the map; a rider and his horse are one, under the rider's
    id.
    """
    now = _of_this_moment(battle, events)
    for unit in units:
        if not unit.at or unit.id in battle.rider_of:
            continue
        who, value = person(battle, unit), values(rules, battle, unit)
        yield Token(
            id=unit.id,
            name=who.name,
            side=traces.shown_as(battle, unit.id),
            symbol="mounted" if unit.on else SYMBOLS.get(who.class_, unit.kind),
            at=unit.at,
            cells=tuple(centre(hex_) for hex_ in unit.hexes),
            numbers=()
            if unit.state == DEAD
            else (str(value.attack), str(value.defence), str(step.printed_allowance(rules, battle, unit))),
            state=unit.state,
            look=LOOKS[unit.state],
            badges=tuple(_badges(battle, unit, now.get(unit.id, ()))) if unit.state != DEAD else (),
            level=_level(battle, unit.at[0]),
            moved=unit.id in moved,
            weight=len(battle.bodies_in.get(unit.hexes[0], ())) if unit.state == DEAD else 0,
            description=_description(rules, battle, who.class_, unit),
            mount=unit.on,
        )


def _level(battle: Battle, place: str) -> int:
    """Return on which storey of its hex a place is, the lowest above the ground being the first; -1 under
    it.
    """
    hex_, storey = split_place(place)
    if not storey:
        return 0
    if place == battle.lower.get(hex_):
        return -1
    storeys = battle.storeys.get(hex_, ()) if battle.things else ()
    return storeys.index(place) + 1 if place in storeys else 1


def _description(rules: Rules, battle: Battle, class_: str, unit: Unit) -> str:
    """Return what a figure is in words: ``rich knight, mounted on bayard``; of an archer with how many fire
    arrows, where they are counted.
    """
    said = CALLED.get(class_, class_.replace("_", " "))
    said = f"{said}, mounted on {unit.on}" if unit.on else said
    count = fire_arrows.carried(rules, battle, unit) if battle.field.supplies else None
    return said if count is None else f"{said}, {fire_arrows.counted(count)}"


def _of_this_moment(battle: Battle, events: Sequence[Mapping[str, Any]]) -> Mapping[str, Sequence[str]]:
    """Return unit -> badges for what it did in these events, and shows no longer afterwards."""
    found: dict[str, list[str]] = {}
    for event in events:
        match event["type"]:
            case "Fought":
                for id_ in (*event["attackers"], *event["defenders"]):
                    found.setdefault(str(id_), []).append("fought")
            case "Moved" if led := [id_ for id_ in event.get("with", ()) if id_ in battle.units]:
                found.setdefault(str(event["unit"]), []).append("leads")
                for id_ in led:
                    found.setdefault(str(id_), []).append("led")
            case "Rallied" | "Healed":
                found.setdefault(str(event["unit"]), []).append(str(event["type"]).lower())
    return found


def _badges(battle: Battle, unit: Unit, now: Sequence[str]) -> Iterator[str]:
    """Yield the badges of a figure, what hinders it most first."""
    if unit.mood:
        yield unit.mood
    if unit.job is not None:
        yield "job"
    if unit.captive_of and (unit.captive_of != unit.side or unit.id in battle.field.bystanders):
        yield "captive"
    if unit.id in battle.once("hitched", lambda: _hitched(battle)):
        yield "hitched"
    if "shot" in unit.did:
        yield "shot"
    if unit.checked:
        yield "checked"
    yield from dict.fromkeys(now)


def _hitched(battle: Battle) -> frozenset[str]:
    return frozenset(id_ for thing in battle.things.values() for id_ in thing.hitched)


def _things(battle: Battle) -> Iterator[Token]:
    """Yield a token for each wagon on the map; it is on no side."""
    for id_ in sorted(battle.things):
        thing = battle.things[id_]
        if thing.at and thing.kind in scene_works.COUNTERS:
            drawn = f", drawn by {' and '.join(thing.hitched)}" if thing.hitched else ""
            cells = tuple(centre(hex_of(place)) for place in thing.at)
            yield Token(
                thing.id,
                "",
                "",
                thing.kind,
                thing.at,
                cells,
                description=thing.kind.replace("-", " ") + drawn,
            )


def when(rules: Rules, battle: Battle) -> str:
    """Return where the game stands, in words; of a map without a game its size."""
    at = battle.at
    if not battle.field.sides:
        return f"{battle.field.columns} by {battle.field.rows} hexes"
    if battle.winner:
        return f"The end: {_name(battle, battle.winner)}"
    day = f"Day {at.day}, " if at.day else ""
    if at.phase == "setup":
        return f"{day}setup, step {at.turn}".capitalize()
    if not at.turn:
        return f"{day}{rules.sequence.phase(at.phase).title.lower()}"
    most = siege_days.turns(battle)
    length = f" of {most}" if most else ""
    return (
        f"{day}{'turn' if day else 'Turn'} {at.turn}{length}, {_name(battle, at.side)}: "
        f"{rules.sequence.phase(at.phase).title.lower()}"
    )


def _somewhere(battle: Battle, unit: Unit) -> bool:
    """Tell whether somebody lives who is not on the map: in camp or castle, or in hiding."""
    return battle.unseen(unit) or (battle.field.siege is not None and unit.state != DEAD)


def _name(battle: Battle, side: str) -> str:
    return next((info.name for info in battle.field.sides if info.id == side), side)


def _summary(battle: Battle, title: str) -> str:
    if not battle.field.sides:
        return f"{title}, a map of {battle.field.columns} by {battle.field.rows} hexes."
    there = (unit for unit in battle.units.values() if unit.living or _somewhere(battle, unit))
    men = [unit.side for unit in there if unit.kind == MAN and unit.id not in battle.field.bystanders]
    counts = [f"{info.name} {men.count(info.id)} alive" for info in battle.field.sides]
    if title.startswith(f"{battle.field.scenario_title}, "):
        return f"{title}: {', '.join(counts)}."  # it says when already
    when = (
        f"turn {battle.at.turn}"
        if battle.at.turn and battle.at.phase not in ("setup", "over")
        else battle.at.phase
    )
    when = "its plan" if when == siege_days.DAY.id else when
    when = f"day {battle.at.day}, {when}" if battle.at.day else when
    return f"{title}, {when}: " + ", ".join(counts) + "."
