"""Maps: the ground, hexsides, what is built in, named regions; every sense check that needs no game.

The rows of the ground are read by ``map_rows``; what a ground is stands in the chart (``terrain``). Kinds
that belong to modules are told with the module they need; whether it is in force is asked by ``scenario``.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from itertools import pairwise
from typing import Any, Final

from msgspec import Struct, field
from msgspec.structs import replace

from pbem.core.problem import Path, Problem
from pbem.core.regex import regex
from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import SIDES, hexside, neighbour, neighbours
from pbem.rulesets.siege.ground import castle_checks, map_checks, map_rows, terrain
from pbem.rulesets.siege.ground.castle_checks import Castle
from pbem.rulesets.siege.ground.map_file import MapFile
from pbem.rulesets.siege.state.field import LEAF, STAGE, Fixture, OnSide, SideFeature, Terrain
from pbem.rulesets.siege.state.problem_log import Enough
from pbem.rulesets.siege.state.state import Battle
from pbem.text.similar import did_you_mean

Rules = Ruleset[Battle]

DOORS: Final = (terrain.CLOSED, "open", "broken")
"""How a door may start."""
_ID = regex(r"[a-z][a-z0-9-]{0,31}")


class MapPart(Struct, frozen=True):
    """What a map file says, read and found sensible."""

    id: str
    title: str
    columns: int
    rows: int
    ground: Mapping[str, Terrain]
    sides_of_hexes: Mapping[str, tuple[OnSide, ...]] = field(default_factory=dict)
    side_features: Mapping[str, SideFeature] = field(default_factory=dict)
    marks: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    areas: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    area_kinds: Mapping[str, str] = field(default_factory=dict)
    area_names: Mapping[str, str] = field(default_factory=dict)
    labels: tuple[tuple[str, str], ...] = ()
    roads: tuple[tuple[str, ...], ...] = ()
    look_seed: int = 0
    grounds: Mapping[str, Terrain] = field(default_factory=dict)
    fixtures: Mapping[str, Fixture] = field(default_factory=dict)
    needs: tuple[tuple[str, Problem], ...] = ()
    """(module, the problem if it is not in force) for every kind whose rules belong to a module."""


def read_map(rules: Rules, data: object) -> tuple[MapPart | None, list[Problem]]:
    """Return a map from its plain data (every scalar as typed), or None and everything that
    is wrong with it.
    """
    if not isinstance(data, Mapping):
        return None, [Problem("map.form", {"what": "a map", "wanted": "keys with values"})]
    reader = _Reader(rules, data)
    part = None
    with suppress(Enough):
        part = reader.part()
    return (None if reader.problems else part), [*reader.problems]


class _Reader(MapFile):
    """One map file on its way from plain data to a map."""

    def part(self) -> MapPart:
        """Return the map as far as it could be read."""
        map_rows.size(self)
        map_rows.rows(self)
        sides = self.sides()
        fixtures = self.things(sides)
        self.slits(sides)
        marks = self.marks()
        areas, kinds, names = self.areas()
        labels, roads, seed = self.labels(), self.roads(), self.seed()
        if not self.problems:
            castle = Castle(self.ground, sides, self.features, fixtures, marks)
            self.castle(castle)
            if not self.problems:
                self.reachable(castle)
        used = {feature.kind for features in sides.values() for feature in features}
        return MapPart(
            id=self.text("map"),
            title=self.text("title") or self.text("map"),
            columns=self.columns,
            rows=self.rows,
            ground=self.ground,
            sides_of_hexes=sides,
            side_features={
                kind: self.features[kind] for kind in sorted(used | ({"wall"} if fixtures else set()))
            },
            marks=marks,
            grounds=self.grounds,
            fixtures=fixtures,
            areas=areas,
            area_kinds=kinds,
            area_names=names,
            labels=labels,
            roads=roads,
            look_seed=seed,
            needs=tuple(self.needs),
        )

    # --- hexsides

    def sides(self) -> dict[str, tuple[OnSide, ...]]:
        """Read ``feature: side: hexes``; a hexside is named once, from whichever of its hexes."""
        found: dict[str, tuple[OnSide, ...]] = {}
        before = len(self.problems)
        for kind, of_sides in self.mapping(self.data.get("sides"), ("sides",)).items():
            if kind not in self.features:
                help_ = did_you_mean(str(kind), self.features) or "known are " + ", ".join(
                    sorted(self.features)
                )
                self.say("map.side-feature", ("sides", kind), help=help_, key=True, feature=str(kind))
                continue
            module = self.rules.tables[terrain.SIDES]["rows"][kind].get("module")
            if module:
                args = {"what": self.features[kind].title, "module": module}
                self.needs.append((module, Problem("map.not-in-force", args, ("sides", kind), key=True)))
            for side, hexes in self.mapping(of_sides, ("sides", kind)).items():
                if side not in SIDES:
                    self.say(
                        "map.side",
                        ("sides", kind, side),
                        help="the sides are " + " ".join(SIDES),
                        key=True,
                        side=str(side),
                    )
                    continue
                for hex_ in self.hexes(hexes, ("sides", kind, side)):
                    self.on_side(found, str(kind), hex_, str(side))
        if len(self.problems) == before and self.whole:
            self.problems += map_checks.doorways_in_walls(self.ground, found, self.features)
            self.problems += map_checks.crests_upward(self.ground, found)
        return found

    def on_side(
        self, found: dict[str, tuple[OnSide, ...]], kind: str, hex_: str, side: str, path: Path = ()
    ) -> None:
        """Put a feature on a hexside."""
        key, path = hexside(hex_, side), path or ("sides", kind, side)
        if neighbour(hex_, side) not in self.ground:
            self.say("map.side-off-map", path, hex=hex_, side=side)
            return
        if key in found:
            other = found[key][0]
            said = f"{other.at} {other.side} ({other.kind})"
            self.say("map.side-twice", path, help="name each hexside once", hex=hex_, side=side, other=said)
            return
        found[key] = (OnSide(kind, hex_, side),)

    # --- things, regions, decoration

    def things(self, sides: dict[str, tuple[OnSide, ...]]) -> dict[str, Fixture]:
        """Read what is built in and can be worked; a thing is ``kind`` under its id.

        What a scenario brings is told so.
        """
        found: dict[str, Fixture] = {}
        for index, entry in self.entries("things"):
            kinds = [
                (str(id_), str(kind))
                for id_, kind in entry.items()
                if isinstance(kind, str) and kind in self.kinds
            ]
            if not kinds:
                built_in = ", ".join(kind for kind, known in self.kinds.items() if known.built_in)
                self.say(
                    "map.thing",
                    ("things", index),
                    help=f"known are {built_in}; all else is named by the scenario",
                )
            for id_, kind in kinds[:1]:
                args = {"what": kind, "module": self.kinds[kind].module}
                self.needs.append(
                    (self.kinds[kind].module, Problem("map.not-in-force", args, ("things", index, id_)))
                )
                if not self.kinds[kind].built_in:
                    self.say(
                        "map.not-built-in",
                        ("things", index, id_),
                        help="name it under things: of the scenario",
                        kind=kind,
                    )
                elif not _ID.fullmatch(id_):
                    self.say(
                        "map.name",
                        ("things", index, id_),
                        help="small letters, digits and hyphens",
                        key=True,
                        name=id_,
                    )
                else:
                    read = self.door if self.kinds[kind].leaf else self.bridge
                    found[id_] = read(id_, kind, entry, ("things", index), sides)
        return found

    def bridge(
        self, id_: str, kind: str, entry: Mapping[str, Any], path: Path, sides: dict[str, tuple[OnSide, ...]]
    ) -> Fixture:
        """Read a drawbridge: its hexes, the gate it closes (``0404 n``), the hex of the winch, and how it
        starts.
        """
        hexes = self.hexes(entry.get("hexes", ""), (*path, "hexes"))
        winch = self.hexes(entry.get("winch", ""), (*path, "winch"))[:1]
        starts = str(entry.get("starts", "raised"))
        if starts not in ("raised", "lowered"):
            self.say("map.starts", (*path, "starts"), help="raised or lowered", value=starts)
        hex_, _, side = str(entry.get("gate", "")).partition(" ")
        if hex_ not in self.ground or side not in SIDES:
            self.say(
                "map.gate",
                (*path, "gate") if "gate" in entry else path,
                help="a hex and a side, such as: gate: 0404 n",
            )
            return Fixture(id_, kind, hexes, "", "".join(winch), starts)
        self.on_side(sides, "gate", hex_, side, (*path, "gate"))
        return Fixture(id_, kind, hexes, hexside(hex_, side), "".join(winch), starts)

    def door(
        self, id_: str, kind: str, entry: Mapping[str, Any], path: Path, sides: dict[str, tuple[OnSide, ...]]
    ) -> Fixture:
        """Read a door: its hex, the sides of that which look out (``s sw``), and how it starts."""
        hexes = self.hexes(entry.get("hexes", ""), (*path, "hexes"))
        said = str(entry.get("sides", "")).split()
        starts, leaf = str(entry.get("starts", terrain.CLOSED)), self.kinds[kind].leaf
        if starts not in DOORS:
            self.say("map.door-starts", (*path, "starts"), help=", ".join(DOORS), value=starts)
        if len(hexes) != 1 or not said or not set(said) <= {*SIDES}:
            help_ = "one hex, and its sides that look out, such as: hexes: 0712, sides: s sw"
            self.say("map.door", (*path, "sides") if "sides" in entry else path, help=help_, door=id_)
            return Fixture(id_, kind, hexes, "", "", starts)
        if not self.ground[hexes[0]].opening:
            help_, title = "draw a doorway or a gateway there", self.ground[hexes[0]].title
            self.say("map.door-ground", (*path, "hexes"), help=help_, hex=hexes[0], terrain=title)
        self.features[LEAF] = terrain.OPEN_LEAF
        for side in dict.fromkeys(said):
            self.on_side(sides, LEAF, hexes[0], side, (*path, "sides"))
        return Fixture(id_, kind, hexes, "", "", starts, leaf(hexes[0], said) if leaf else ())

    def slits(self, sides: Mapping[str, tuple[OnSide, ...]]) -> None:
        """Make the hexes with an arrow slit what the chart says of those; each stays on the floor of its
        building.
        """
        row = self.grounds.get("arrow_slit")
        for on_side in sides.values():
            for feature in on_side:
                if feature.kind == "slit" and row is not None:
                    of = self.ground[feature.at]
                    self.ground[feature.at] = replace(
                        row, title=row.title, level=of.level, floor=of.floor, look=of.look
                    )

    def marks(self) -> dict[str, tuple[str, ...]]:
        """Read the named sets of hexes."""
        found = {}
        for name, hexes in self.mapping(self.data.get("marks"), ("marks",)).items():
            if not _ID.fullmatch(str(name)):
                self.say(
                    "map.name",
                    ("marks", name),
                    help="small letters, digits and hyphens",
                    key=True,
                    name=str(name),
                )
            found[str(name)] = self.hexes(hexes, ("marks", name))
        return found

    def areas(self) -> tuple[dict[str, tuple[str, ...]], dict[str, str], dict[str, str]]:
        """Read the buildings and other areas: hexes, kinds and names by id."""
        areas: dict[str, tuple[str, ...]] = {}
        kinds: dict[str, str] = {}
        names: dict[str, str] = {}
        for index, entry in self.entries("areas"):
            id_ = str(entry.get("id", ""))
            if not _ID.fullmatch(id_):
                self.say(
                    "map.name", ("areas", index, "id"), help="small letters, digits and hyphens", name=id_
                )
            elif id_ in areas:
                self.say("map.area-twice", ("areas", index, "id"), area=id_)
            areas[id_] = self.hexes(entry.get("hexes", ""), ("areas", index, "hexes"))
            kinds[id_] = str(entry.get("kind", ""))
            if entry.get("name"):
                names[id_] = str(entry["name"])
        return areas, kinds, names

    def labels(self) -> tuple[tuple[str, str], ...]:
        """Read the words written on the map."""
        found = []
        for index, entry in self.entries("labels"):
            for hex_ in self.hexes(entry.get("at", ""), ("labels", index, "at"))[:1]:
                found.append((hex_, str(entry.get("text", ""))))
        return tuple(found)

    def roads(self) -> tuple[tuple[str, ...], ...]:
        """Read the roads, which are decoration: each a line of hexes, one beside the other."""
        look = self.mapping(self.data.get("look"), ("look",))
        roads = look.get("roads") or []
        if not isinstance(roads, list | tuple):
            self.say("map.form", ("look", "roads"), what="roads", wanted="a list")
            return ()
        found = []
        for index, road in enumerate(roads):
            hexes = self.hexes(road, ("look", "roads", index), alone=False)
            for here, there in pairwise(hexes):
                if there not in neighbours(here):
                    self.say("map.road", ("look", "roads", index), here=here, there=there)
            found.append(hexes)
        return tuple(found)

    def seed(self) -> int:
        """Read the number that varies the drawing."""
        value = str(self.mapping(self.data.get("look"), ("look",)).get("seed", "0"))
        if not value.isdigit() or len(value) > 9:
            self.say("map.seed", ("look", "seed"), help="a whole number such as 7", value=value)
            return 0
        return int(value)

    # --- the whole

    def castle(self, castle: Castle) -> None:
        """Note what makes no sense in a castle, each problem at the hex it is about."""
        for problem, hex_, path in castle_checks.problems(castle):
            self.problems.append(problem.at(*self.spot(hex_, path)))

    def reachable(self, castle: Castle) -> None:
        """Every hex that can be entered can be walked to from every other, once doors and gates are open; a
        ledge to which ladders lead needs no other way.
        """
        groups: list[dict[str, str]] = []
        seen: set[str] = set()
        for hex_, ground in self.ground.items():
            if ground.mp_foot is not None and hex_ not in seen and STAGE not in ground.traits:
                groups.append(castle.flood([hex_]))
                seen.update(groups[-1])
        if not groups:
            self.say("map.nowhere", ("terrain",))
        for group in sorted(groups, key=len, reverse=True)[1:]:
            first = min(group)
            help_ = "nothing leads there; open a way, or make it ground nobody enters"
            self.say("map.cut-off", ("terrain",), help=help_, hex=first, count=len(group))
