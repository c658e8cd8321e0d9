"""Scenarios and maps: what they say is read, and held against the rules of building and setting up."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from msgspec.structs import replace

from pbem.core.problem import Problem
from pbem.core.rule import rule
from pbem.core.sequence import SETUP, Cursor
from pbem.geometry.court import apart, enclosed
from pbem.geometry.plane import (
    TURN,
    Point,
    Shape,
    closer,
    direction,
    distance,
    hundredths,
    inches,
    overlap,
    rectangle,
)
from pbem.rulesets.castle.access import ladder_line
from pbem.rulesets.castle.arcs import toward
from pbem.rulesets.castle.dial import Rules, points, row, starts
from pbem.rulesets.castle.facing import facing_of
from pbem.rulesets.castle.handicap import handicap_problems, laid_over, worth
from pbem.rulesets.castle.moves import ahead
from pbem.rulesets.castle.named import named_wrong
from pbem.rulesets.castle.portals import breached_at_first, line_of
from pbem.rulesets.castle.portals import names as portal_names
from pbem.rulesets.castle.sight import courts
from pbem.rulesets.castle.space import adjoining, base, fits_on, footprint, free_of_bases, in_board, touches
from pbem.rulesets.castle.state import BLOCKING, Board, Figure, Ladder, Plank, Section, Side, Terrain, War
from pbem.rulesets.castle.turn import first

MILLION = 1_000_000
"""What a direction is counted in."""
Found = tuple[Board | None, list[Problem], list[Problem]]


def read_field(rules: Rules, scenario: Mapping[str, Any], map_: Mapping[str, Any]) -> Found:
    """Return the table with all that begins on it, or what is wrong with scenario and map."""
    of_map = list(map_problems(map_))
    if of_map or "sides" not in scenario:
        return None, [], of_map
    of_scenario = list(handicap_problems(rules, scenario))
    scenario = scenario if of_scenario else laid_over(rules, scenario)
    of_scenario += named_wrong(rules, scenario)
    if of_scenario:
        return None, of_scenario, []
    board = board_of(rules, scenario, map_)
    of_scenario = list(scenario_problems(rules, scenario, board))
    return (None, of_scenario, []) if of_scenario else (board, [], [])


def at(text: str) -> Point:
    """Return a point as files write it: ``24.5 9``."""
    x, y = text.split()
    return hundredths(x), hundredths(y)


def terrain_of(map_: Mapping[str, Any]) -> tuple[Terrain, ...]:
    """Return the ground of a map: polygons, and discs with a radius in inches."""
    found = []
    for piece in map_.get("terrain", ()):
        shape: Shape = tuple(at(str(corner)) for corner in piece.get("corners", ()))
        if "at" in piece:
            shape = (at(str(piece["at"])),)
        kind, name = str(piece["kind"]), str(piece.get("name", piece["id"]))
        radius = hundredths(str(piece["radius"])) if "radius" in piece else 0
        found.append(Terrain(str(piece["id"]), name, kind, str(piece.get("look", "flat")), shape, radius))
    return tuple(found)


def size_of(map_: Mapping[str, Any]) -> tuple[int, int]:
    """Return width and depth of a map, in hundredths: ``48 x 48``."""
    width, depth = str(map_["size"]).split(" x ")
    return hundredths(width), hundredths(depth)


def map_problems(map_: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield what is wrong with a map: ground that is no area, or lies beside the table."""
    try:
        width, depth = size_of(map_)
        pieces = terrain_of(map_)
    except (AttributeError, KeyError, TypeError, ValueError):
        return  # its form is wrong, which its schema tells
    for n, (piece, said) in enumerate(zip(pieces, map_.get("terrain", ()), strict=True)):
        if ("at" in said) != ("radius" in said) or ("at" in said) == ("corners" in said):
            yield Problem("castle.map-shape", {"id": piece.id}, ("terrain", n))
        elif not all(0 <= x <= width and 0 <= y <= depth for x, y in piece.shape):
            yield Problem("castle.map-off", {"id": piece.id}, ("terrain", n))


def board_of(rules: Rules, scenario: Mapping[str, Any], map_: Mapping[str, Any]) -> Board:
    """Return the table that a scenario and its map describe."""
    width, depth = size_of(map_)
    sides, figures, sections, ladders = [], [], [], []
    for id_, of in scenario["sides"].items():
        castle = bool(of.get("sections"))
        army = int(str(scenario["build"]))
        sides.append(Side(str(id_), str(of["name"]), str(of.get("colour", "grey")), castle, army))
        sections += [_section(rules, str(id_), one) for one in of.get("sections", ())]
        figures += [_figure(str(id_), one) for one in of.get("warriors", ())]
        ladders += [_ladder(str(id_), one) for one in of.get("ladders", ())]
    sides.sort(key=lambda side: not scenario["sides"][side.id].get("first"))
    data = json.dumps([scenario, map_], sort_keys=True, default=str)
    board = Board(
        str(scenario["title"]),
        str(map_["title"]),
        width,
        depth,
        terrain_of(map_),
        (),
        tuple(sides),
        int(rules.tables["measures"]["zone"]),
        int(str(scenario["length"]).removesuffix(" turns")),
        scenario.get("victory", {}),
        tuple(sorted(figures, key=lambda one: one.id)),
        tuple(sorted(sections, key=lambda one: one.id)),
        tuple(ladders),
        hashlib.sha256(data.encode()).hexdigest(),
        str(scenario.get("open", "no")) in ("yes", "true", "True"),
    )
    war = begun(board)
    figures = [_facing(war, one, scenario) for one in board.figures]
    planks = tuple(
        plank_between(rules, f"plank{n}", *(war.section(id_) for id_ in str(pair).split(" to ")))
        for of in scenario["sides"].values()
        for n, pair in enumerate(of.get("planks", ()), 1)
    )
    return replace(board, figures=tuple(figures), planks=planks)


def _section(rules: Rules, side: str, one: Mapping[str, Any]) -> Section:
    x, y = at(str(one["at"]))
    facing = int(str(one.get("facing", "0"))) * 10
    made = Section(
        str(one["id"]),
        str(one.get("name", one["id"])),
        str(one["kind"]),
        side,
        "",
        x,
        y,
        str(one.get("weight", "light")),
        facing,
    )
    made = replace(made, click=starts(rules, made) + int(str(one.get("hurt", "0"))))
    return breached_at_first(rules, made)


def _figure(side: str, one: Mapping[str, Any]) -> Figure:
    x, y = at(str(one["at"]))
    name = str(one.get("name", one["id"]))
    return Figure(str(one["id"]), name, str(one["kind"]), side, "", x, y, on=str(one.get("on", "")))


def _facing(war: War, one: Figure, scenario: Mapping[str, Any]) -> Figure:
    said = next(
        entry for entry in scenario["sides"][one.side].get("warriors", ()) if str(entry["id"]) == one.id
    )
    return replace(one, facing=facing_of(war, one, str(said.get("facing", "n"))) or 0)


def _ladder(side: str, one: Mapping[str, Any]) -> Ladder:
    if "by" in one:
        return Ladder(str(one["id"]), side, by=tuple(str(one["by"]).split(", ")))
    x, y = at(str(one["at"]))
    return Ladder(str(one["id"]), side, str(one["wall"]), x, y)


def plank_between(rules: Rules, id_: str, one: Section, other: Section) -> Plank:
    """Return the plank that goes on with a wall-walk from one wall to another, along it and as deep."""
    way = (other.x - one.x, other.y - one.y)
    middle = ((one.x + other.x) // 2, (one.y + other.y) // 2)
    halves = int(row(rules, one)["width"]) // 2 + int(row(rules, other)["width"]) // 2
    gap = max(apart((one.at,), (other.at,)) - halves, 1)
    shape = rectangle(middle, rules.tables["measures"]["plank_depth"], gap, way if any(way) else (0, 1))
    return Plank(id_, shape, (one.id, other.id))


def begun(board: Board, seats: Mapping[str, str] | None = None) -> War:
    """Return the game as it begins."""
    owners = owners_of(board, seats or {})
    figures = tuple(replace(one, owner=owners[one.side]) for one in board.figures)
    sections = tuple(replace(one, owner=owners[one.side]) for one in board.sections)
    return War(board, first([side.id for side in board.sides]), figures, sections, board.ladders)


def owners_of(board: Board, seats: Mapping[str, str]) -> dict[str, str]:
    """Return whose warriors those of each side are, from seat → side."""
    return {
        side.id: min((seat for seat, of in seats.items() if of == side.id), default=side.id)
        for side in board.sides
    }


def setup(rules: Rules, board: Board, seats: Mapping[str, str]) -> War:
    """Return the game as it begins, with who owns what; with nobody on the table where armies are built."""
    war = begun(board, seats)
    if not board.open:
        return war
    return replace(
        war, at=Cursor(SETUP, 1), figures=(), sections=(), ladders=(), seats=owners_of(board, seats)
    )


# --- the rules of building and setting up


def scenario_problems(rules: Rules, scenario: Mapping[str, Any], board: Board) -> Iterator[Problem]:
    """Yield everything in which a scenario goes against the rules of setting up."""
    war = begun(board)
    for side, of in scenario["sides"].items():
        yield from over_points(rules, war, str(side), worth(rules, scenario, side)) if board.castle else ()
        for n, one in enumerate(of.get("warriors", ())):
            path = ("sides", side, "warriors", n)
            for problem in placed_wrong(rules, war, war.figure(str(one["id"]))):
                yield replace(problem, path=path)
        for n, one in enumerate(of.get("sections", ())):
            path = ("sides", side, "sections", n)
            for problem in built_wrong(rules, war, war.section(str(one["id"]))):
                yield replace(problem, path=path)
        yield from ladders_wrong(rules, war, str(side), of)
    yield from overlapping(rules, war)
    yield from court_wrong(rules, war)
    yield from (problem for _, problem in planks_wrong(rules, war, board.planks))
    if board.open and board.victory.get("at-once"):
        yield Problem("castle.open-goal", {}, ("open",), rule="MK7.1")


@rule("MK7.2")
def over_points(rules: Rules, war: War, side: str, more: int = 0) -> tuple[Problem, ...]:
    """Return what is wrong with the points of an army: sections and warriors cost more than it is built for,
    with the ``more`` of a handicap.
    """
    cost = sum(points(rules, one) for one in war.all if one.side == side)
    most = war.board.side(side).build + more
    if cost <= most:
        return ()
    args: dict[str, str | int] = {"side": side, "cost": cost, "most": most}
    return (Problem("castle.points", args, ("sides", side), rule="MK7.2"),)


def farthest(shape: Shape, radius: int) -> int:
    """Return the greatest y of a shape."""
    return max(y for _, y in shape) + radius


@rule("MK7.4", "MK7.5")
def built_wrong(rules: Rules, war: War, section: Section) -> tuple[Problem, ...]:
    """Return what is wrong with where a section stands: no point beside the table, too far from its owner's
    edge, or too near to the strip in which the enemy begins.
    """
    table = rules.tables["measures"]
    shape, size = footprint(rules, section)
    end = farthest(shape, size)
    found = []
    if not all(size <= x <= war.board.width - size and y >= size for x, y in shape):
        found.append(Problem("castle.section-off", {"section": section.name}, rule="MK7.4"))
    if end > table["castle_from_edge"]:
        args: dict[str, str | int] = {"section": section.name, "inches": inches(table["castle_from_edge"])}
        found.append(Problem("castle.far-out", args, rule="MK7.4"))
    if war.board.depth - war.board.zone - end < table["castle_from_zone"]:
        args = {"section": section.name, "inches": inches(table["castle_from_zone"])}
        found.append(Problem("castle.near-zone", args, rule="MK7.5"))
    return tuple(found)


@rule("MK7.6")
def overlapping(rules: Rules, war: War) -> tuple[Problem, ...]:
    """Return which sections stand in each other: they may touch, and no more."""
    found = []
    for one, other in combinations(war.sections, 2):
        (a, r), (b, s) = footprint(rules, one), footprint(rules, other)
        if closer(a, b, r + s) if r + s else overlap(a, b):
            found.append(Problem("castle.overlap", {"one": one.name, "other": other.name}, rule="MK7.6"))
    return tuple(found)


@rule("MK7.7", "MK7.8")
def court_wrong(rules: Rules, war: War) -> tuple[Problem, ...]:
    """Return what is wrong with what a castle encloses: ground in it, or no portal that leads into it."""
    _, ringed = courts(rules, war)
    found = [
        Problem("castle.court-terrain", {"id": piece.id}, rule="MK7.7")
        for piece in war.board.terrain
        if any(enclosed(ringed, corner) for corner in piece.shape)
    ]
    if ringed and not any(enclosed(ringed, point) for point in _thresholds(rules, war)):
        found.append(Problem("castle.no-gate", rule="MK7.8"))
    return tuple(found)


def _thresholds(rules: Rules, war: War) -> Iterator[Point]:
    """Yield where one stands before each portal, a hair outside its section."""
    for section in war.standing:
        for end in (TURN // 2, 0) if row(rules, section)["passage"] else ():
            yield ahead(section.at, section.facing + end, int(row(rules, section)["depth"]) // 2 + 1)
        for name in portal_names(rules, section) if row(rules, section)["doors"] else ():
            (ax, ay), (bx, by) = line_of(rules, section, name)
            middle = ((ax + bx) // 2, (ay + by) // 2)
            yield ahead(middle, toward(section.at, middle), 1)


def placed_wrong(rules: Rules, war: War, one: Figure) -> Iterator[Problem]:
    """Yield what is wrong with where a warrior begins."""
    if not in_board(rules, war, one) or not free_of_bases(rules, war, one) or _in_ground(rules, war, one):
        yield Problem("castle.no-place", {"who": one.name}, rule="MKB5")
    if one.on and not fits_on(rules, one, war.section(one.on)):
        yield Problem("castle.overhangs", {"who": one.name, "section": one.on}, rule="MK5.1")
    if war.board.castle:
        yield from (starts_inside if one.side == war.board.castle else starts_outside)(rules, war, one)


def _in_ground(rules: Rules, war: War, one: Figure) -> bool:
    """Tell whether a warrior on the ground begins in a section or in what nobody gets into."""
    if one.on:
        return False
    shape, size = base(rules, one)
    solid = [footprint(rules, section) for section in war.standing]
    solid += [(piece.shape, piece.radius) for piece in war.board.terrain if piece.kind == BLOCKING]
    return any(closer(shape, other, size + wide) for other, wide in solid)


@rule("MK7.11", "MK7.12", "MK7.13")
def starts_inside(rules: Rules, war: War, one: Figure) -> tuple[Problem, ...]:
    """Return what is wrong with where a warrior of the castle begins: on a section, or touching one; and far
    from where the enemy does.
    """
    found = []
    if not one.on and not any(touches(rules, one, section) for section in war.sections):
        found.append(Problem("castle.not-at-castle", {"who": one.name}, rule="MK7.11"))
    least = rules.tables["measures"]["castle_from_zone"]
    if war.board.depth - war.board.zone - farthest(*base(rules, one)) < least:
        found.append(
            Problem("castle.near-zone", {"section": one.name, "inches": inches(least)}, rule="MK7.12")
        )
    return tuple(found)


@rule("MK7.10")
def starts_outside(rules: Rules, war: War, one: Figure) -> tuple[Problem, ...]:
    """Return what is wrong with where a warrior of the enemy begins: on his own side, and far enough from
    every section.
    """
    least = rules.tables["measures"]["castle_from_zone"]
    shape, size = base(rules, one)
    near = [
        section
        for section in war.sections
        if closer(shape, footprint(rules, section)[0], size + footprint(rules, section)[1] + least)
    ]
    if not near and one.y * 2 >= war.board.depth:
        return ()
    args: dict[str, str | int] = {"who": one.name, "inches": inches(least)}
    return (Problem("castle.near-castle", args, rule="MK7.10"),)


@rule("MK8.5")
def ladders_wrong(rules: Rules, war: War, side: str, said: Mapping[str, Any]) -> tuple[Problem, ...]:
    """Return what is wrong with the ladders of a side: the castle has one for every three walls; each stands
    at a wall.
    """
    found = []
    walls = [one for one in war.sections if one.side == side and row(rules, one)["wall"]]
    most = len(walls) // rules.tables["measures"]["walls_for_a_ladder"]
    placed = [one for one in war.ladders if one.side == side and one.at]
    if len(placed) > most:
        args: dict[str, str | int] = {"count": len(placed), "most": most}
        found.append(Problem("castle.ladders", args, ("sides", side, "ladders"), rule="MK8.5"))
    for n, one in enumerate(said.get("ladders", ())):
        ladder = war.ladder(str(one["id"]))
        path = ("sides", side, "ladders", n)
        if ladder.at not in {wall.id for wall in war.sections if row(rules, wall)["wall"]} and not ladder.by:
            found.append(Problem("castle.ladder-no-wall", {"section": ladder.at}, path, rule="MK8.4"))
        elif ladder.at and not _on_its_edge(rules, war, ladder):
            found.append(Problem("castle.ladder-off", {"ladder": ladder.id}, path, rule="MK8.4"))
    return tuple(found)


def _on_its_edge(rules: Rules, war: War, ladder: Ladder) -> bool:
    line = ladder_line(rules, war, ladder)
    shape, _ = footprint(rules, war.section(ladder.at))
    edges = zip(shape, (*shape[1:], shape[0]), strict=True)
    return any(distance((end,), edge).at_most(1) for end in line[:1] for edge in edges)


@rule("MK8.3")
def planks_wrong(rules: Rules, war: War, planks: Sequence[Plank]) -> Iterator[tuple[str, Problem]]:
    """Yield which of some planks are wrong: each lies between two walls in line with each other (MK8.2), and
    is no longer than planks are.
    """
    for plank in planks:
        one, other = (war.section(id_) for id_ in plank.joins)
        a, b = footprint(rules, one)[0], footprint(rules, other)[0]
        longest = rules.tables["measures"]["plank_longest"]
        walls = row(rules, one)["wall"] and row(rules, other)["wall"] and in_line(rules, one, other)
        if not walls or not distance(a, b).at_most(longest) or adjoining(rules, one, other):
            args: dict[str, str | int] = {"one": one.name, "other": other.name, "inches": inches(longest)}
            yield plank.id, Problem("castle.plank", args, rule="MK8.3")


def in_line(rules: Rules, one: Section, other: Section) -> bool:
    """Tell whether the wall-walk of one wall goes on with that of another: the middle of each is in line with
    the other's, give or take what two sections that adjoin may be apart.
    """
    way = (other.x - one.x, other.y - one.y)
    most = int(rules.tables["measures"]["adjoining"]) * MILLION
    faces = (direction(one.facing), direction(other.facing))
    return all(abs(x * way[0] + y * way[1]) <= most for x, y in faces)
