"""A battle as a scene: what stands where, and what happened, for whoever draws it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pbem.core.problem import Problem
from pbem.core.ruleset import Ruleset
from pbem.core.scene import Area, Edge, Note, Scene, SideLook, Token, Trace
from pbem.core.sequence import Cursor
from pbem.geometry.hex import centre, corners, hex_of, side_points, split_place
from pbem.rulesets.siege import maps
from pbem.rulesets.siege.character import person, values
from pbem.rulesets.siege.field import Field
from pbem.rulesets.siege.maps import MapPart
from pbem.rulesets.siege.state import DEAD, Battle, Unit

Rules = Ruleset[Battle]

SYMBOLS: Mapping[str, str] = {
    "rich_knight": "knight",
    "average_knight": "knight",
    "sergeant": "sergeant",
    "halberdier": "halberd",
    "spearman": "spear",
    "man_at_arms": "man-at-arms",
    "crossbow_armoured": "crossbow",
    "crossbowman": "crossbow",
    "longbowman": "longbow",
    "shortbowman": "shortbow",
    "technician": "technician",
    "peasant": "peasant",
    "civilian": "civilian",
}
SHAPES = ("round", "cut")
COLOURS = ("blue", "vermilion", "green", "purple")
WAYS: Mapping[str, str] = {"Moved": "move", "Retreated": "retreat", "Advanced": "advance", "Entered": "enter"}
"""Events of going somewhere -> the kind of their arrow."""
SAID: Mapping[str, str] = {"none": "nothing", "checked": "takes cover", "retreat": "gives way"}
"""Effect of a result, as the keys of the tables have it -> what the map says of it; other effects say themselves."""


def scene(rules: Rules, battle: Battle, events: Sequence[Mapping[str, Any]] = (), side: str | None = None, title: str = "") -> Scene:
    """Return the scene of a battle after ``events`` (plain, of one slot); ``side`` None is what the umpire sees.

    Nothing is hidden in this game once the setup is over; in a sealed setup a side sees its own figures only.
    """
    field = battle.field
    seen = [unit for unit in battle.units.values() if _visible(battle, unit, side)]
    changed = {hex_ for event in events for hex_ in _touched(event)}
    moved = {str(event["unit"]) for event in events if event["type"] in WAYS}
    looks = {terrain.look: terrain.title for terrain in field.ground.values()}
    return Scene(
        title=title or field.scenario_title,
        subtitle=_subtitle(rules, battle),
        areas=tuple(_area(field, hex_, hex_ in changed) for hex_ in field.ground),
        edges=tuple(_edges(field)),
        tokens=tuple(_tokens(rules, battle, seen, moved, events)),
        traces=tuple(_traces(rules, battle, events)),
        notes=tuple(Note(centre(hex_), text) for hex_, text in field.labels),
        sides=tuple(
            SideLook(info.id, info.name, info.colour or COLOURS[n % len(COLOURS)], SHAPES[n % len(SHAPES)])
            for n, info in enumerate(field.sides)
        ),
        roads=tuple(tuple(centre(hex_) for hex_ in road) for road in field.roads),
        scale="1 hex is about 2 m",
        seed=field.look_seed,
        grounds=looks,
        summary=_summary(battle, title or field.scenario_title),
        static_key=f"{field.map_id}:{field.map_digest}",
    )


def map_scene(rules: Rules, data: object) -> tuple[Scene | None, list[Problem]]:
    """Return the scene of a map with nobody on it, or None and what is wrong with the map."""
    part, problems = maps.read_map(data, rules.tables)
    if part is None:
        return None, problems
    shared = {name: getattr(part, name) for name in MapPart.__dataclass_fields__ if name in Field.__dataclass_fields__}
    field = Field(map_id=part.id, map_title=part.title, map_digest="", scenario_id="", scenario_title="", scenario_digest="", **shared)
    return scene(rules, Battle(field, Cursor("over"), {}), title=part.title), problems


def _visible(battle: Battle, unit: Unit, side: str | None) -> bool:
    return side is None or unit.side == side or battle.at.phase != "setup"


def _area(field: Field, hex_: str, changed: bool) -> Area:
    terrain = field.ground[hex_]
    marks = tuple(sorted(mark for mark, hexes in field.marks.items() if hex_ in hexes))
    building = next((area for area, hexes in sorted(field.areas.items()) if hex_ in hexes), "")
    passable = terrain.mp_foot is not None
    return Area(hex_, centre(hex_), corners(hex_), terrain.look, terrain.title, terrain.level, building, marks, changed, passable)


def _edges(field: Field) -> Iterator[Edge]:
    for key in sorted(field.sides_of_hexes):
        for feature in field.sides_of_hexes[key]:
            a, b = side_points(feature.at, feature.side)
            look = field.side_features[feature.kind].look
            yield Edge(look, feature.at, feature.side, a, b, centre(feature.at))


def _tokens(rules: Rules, battle: Battle, units: Sequence[Unit], moved: set[str], events: Sequence[Mapping[str, Any]]) -> Iterator[Token]:
    fought = {str(id_) for event in events if event["type"] == "Fought" for id_ in (*event["attackers"], *event["defenders"])}
    for unit in units:
        if not unit.at:
            continue
        who, value = person(battle, unit), values(rules, battle, unit)
        badges = [badge for badge, said in (("shot", "shot" in unit.did), ("checked", bool(unit.checked))) if said]
        if unit.id in fought:
            badges.append("fought")
        yield Token(
            id=unit.id,
            name=who.name,
            side=unit.side,
            symbol=SYMBOLS.get(who.class_, unit.kind),
            at=unit.at,
            cells=tuple(centre(hex_) for hex_ in unit.hexes),
            numbers=() if unit.state == DEAD else (str(value.attack), str(value.defence), str(value.move)),
            state=unit.state,
            badges=tuple(badges),
            level=1 if split_place(unit.at[0])[1] else 0,
            moved=unit.id in moved,
            weight=len(battle.bodies_in.get(unit.hexes[0], ())) if unit.state == DEAD else 0,
            description=who.class_.replace("_", " "),
        )


def _touched(event: Mapping[str, Any]) -> Iterator[str]:
    match event["type"]:
        case "Moved" | "Entered" | "Retreated" | "Advanced":
            yield from (hex_of(event["path"][0]), hex_of(event["path"][-1]))
        case "Placed":
            yield from (hex_of(place) for place in event["at"])


def _traces(rules: Rules, battle: Battle, events: Sequence[Mapping[str, Any]]) -> Iterator[Trace]:
    """Yield what happened, in its order; fights stand where they were fought, not where the fighters ended up."""
    places = {unit.id: unit.at for unit in battle.units.values()}
    found: list[Trace] = []
    for event in reversed(events):
        if trace := _trace(rules, battle, places, event):
            found.append(trace)
        if event["type"] in WAYS:
            places[event["unit"]] = (event["path"][0],)
    yield from reversed(found)


def _trace(rules: Rules, battle: Battle, places: Mapping[str, tuple[str, ...]], event: Mapping[str, Any]) -> Trace | None:
    units = battle.units
    match event["type"]:
        case "Moved" | "Retreated" | "Advanced" | "Entered":
            if len(event["path"]) < 2:
                return None
            path = tuple(centre(hex_of(place)) for place in event["path"])
            return Trace(WAYS[event["type"]], units[event["unit"]].side, path, (event["unit"],))
        case "Shot":
            ends = (centre(event["line"][0]), centre(event["line"][-1]))
            effect = str(rules.tables["shooting_others"]["key"][event["result"]]["foot"])
            said = "miss" if effect == "none" else SAID.get(effect, effect)
            side = units[event["shooter"]].side
            return Trace("shot", side, ends, (event["shooter"],), (event["target"],), f"{event['roll']}: {said}", effect)
        case "Fought":
            fighters = (*event["attackers"], *event["defenders"])
            path = tuple(centre(hex_of(places[id_][0])) for id_ in fighters if places[id_])
            effect, said = _outcome(rules, str(event["result"]))
            side = units[event["attackers"][0]].side
            text = f"{event['column']}, {event['roll']}: {said}"
            return Trace("fight", side, path, tuple(event["attackers"]), tuple(event["defenders"]), text, effect)
        case _:
            return None


def _outcome(rules: Rules, code: str) -> tuple[str, str]:
    """Return the effect of a result of melee and the words for it: what the defender suffers, else the attacker."""
    meaning = rules.tables["combat_foot"]["key"][code]
    if meaning["attacker"] != "none":
        effect = str(meaning["attacker"])
        return effect, f"attacker {SAID.get(effect, effect)}"
    effect = str(meaning["defender"])
    return effect, SAID.get(effect, effect)


def _subtitle(rules: Rules, battle: Battle) -> str:
    at = battle.at
    if not battle.field.sides:
        return f"{battle.field.columns} by {battle.field.rows} hexes"
    if battle.winner:
        return f"The end: {_name(battle, battle.winner)}"
    if at.phase == "setup":
        return f"Setup, step {at.turn}"
    length = f" of {battle.field.length}" if battle.field.length else ""
    return f"Turn {at.turn}{length}, {_name(battle, at.side)}: {rules.sequence.phase(at.phase).title.lower()}"


def _name(battle: Battle, side: str) -> str:
    return next((info.name for info in battle.field.sides if info.id == side), side)


def _summary(battle: Battle, title: str) -> str:
    if not battle.field.sides:
        return f"{title}, a map of {battle.field.columns} by {battle.field.rows} hexes."
    counts = [
        f"{info.name} {sum(unit.side == info.id and unit.living for unit in battle.units.values())} alive" for info in battle.field.sides
    ]
    when = f"turn {battle.at.turn}" if battle.at.phase not in ("setup", "over") else battle.at.phase
    return f"{title}, {when}: " + ", ".join(counts) + "."
