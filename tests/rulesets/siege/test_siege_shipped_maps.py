"""The maps that come along keep to their outlines: the closed edge of Windle Hill, the openings of the hamlet
on the winding lane.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.core.scene import Scene
from pbem.geometry.hex import SIDES, hexside, in_row, neighbour, neighbours
from pbem.rulesets.siege.ground import maps
from pbem.rulesets.siege.ground.maps import MapPart
from pbem.rulesets.siege.ruleset import CRY_HAVOC
from pbem.rulesets.siege.views import scene
from pbem.text.source import FILES, read

FOLDER = Path(__file__).resolve().parents[3] / "scenarios" / "cry_havoc" / "maps"


def _map(name: str) -> MapPart:
    source = read((FOLDER / f"{name}.yaml").read_bytes(), f"{name}.yaml", limits=FILES)
    part, problems = maps.read_map(CRY_HAVOC, source.data)
    assert problems == []
    assert part is not None
    return part


def _of(part: MapPart, terrain: str) -> set[str]:
    return {hex_ for hex_, ground in part.ground.items() if ground.id == terrain}


def _built(part: MapPart, kind: str) -> set[tuple[str, str]]:
    return {
        (feature.at, feature.side)
        for features in part.sides_of_hexes.values()
        for feature in features
        if feature.kind == kind
    }


@pytest.mark.parametrize(
    ("name", "modules"), [("windle-hill", {"open-ground"}), ("winding-lane", {"open-ground", "houses"})]
)
def test_a_map_needs_no_module_but_those_of_its_scenario(name: str, modules: set[str]) -> None:
    assert {module for module, _ in _map(name).needs} == modules


def test_the_hill_has_a_closed_edge_of_about_twelve_hexes_and_slopes_two_deep() -> None:
    part = _map("windle-hill")
    assert (part.columns, part.rows) == (28, 18)
    top, slope = _of(part, "hilltop"), _of(part, "slope")
    border = {(hex_, side) for hex_ in top for side in SIDES if neighbour(hex_, side) not in top}
    assert _built(part, "crest") == border
    assert 11 <= len({hex_ for hex_, _ in border}) <= 13
    first = {hex_ for top_ in top for hex_ in neighbours(top_)} - top
    assert first <= slope
    second = {hex_ for hex_ in slope - first if set(neighbours(hex_)) & first}
    assert len(second) >= 15
    assert (len(_of(part, "scrub")), len(_of(part, "tree")), _of(part, "deep_water")) == (12, 8, set())
    assert part.marks["stone"] == ("1409",)
    assert set(part.marks["stone"]) <= set(part.marks["round-the-stone"]) <= top | slope
    assert part.roads
    assert not set(part.marks["red-camp"]) & set(part.marks["blue-camp"])


def test_every_house_of_the_hamlet_has_a_way_in_and_one_at_least_a_window() -> None:
    part = _map("winding-lane")
    assert (part.columns, part.rows) == (20, 16)
    houses = {id_: set(part.areas[id_]) for id_, kind in part.area_kinds.items() if kind == "house"}
    assert len(houses) == 3
    doors, windows, doorways = _built(part, "door"), _built(part, "window"), _of(part, "doorway")
    for hexes in houses.values():
        ways = {
            hex_ for hex_, side in doors if hex_ in hexes and neighbour(hex_, side) not in hexes
        } | doorways & hexes
        assert ways
    assert all(any(hex_ in hexes for hex_, _ in windows) for hexes in houses.values())
    walls = {hexside(*where) for kind in ("wall", "door", "window", "gate") for where in _built(part, kind)}
    for hexes in houses.values():
        border = {
            hexside(hex_, side) for hex_ in hexes for side in SIDES if neighbour(hex_, side) not in hexes
        }
        assert len(border - walls) <= 1


def test_one_line_leads_through_the_gate_and_the_door_of_the_grange() -> None:
    part = _map("winding-lane")
    ((gate, side),) = _built(part, "gate")
    yard, grange = part.areas["yard"], part.areas["grange"]
    door = next((hex_, to) for hex_, to in _built(part, "door") if neighbour(hex_, to) in yard)
    assert gate in yard
    assert door[0] in grange
    assert door[1] == side
    outside = neighbour(gate, side)
    assert outside is not None
    assert in_row(door[0], side, outside)


def test_the_lane_runs_between_two_slopes_with_one_edge_and_leaves_by_the_south_west() -> None:
    part = _map("winding-lane")
    slope, lane = _of(part, "slope"), part.roads[0]
    crest = {hex_ for hex_, _ in _built(part, "crest")}
    assert crest <= set(part.marks["down"]) | {"0105"}
    north = {hex_ for hex_ in slope if int(hex_[2:]) <= 8}
    south = slope - north
    assert north and south and not slope & set(lane)
    assert all(int(hex_[2:]) >= 13 for hex_ in south)
    assert lane[0] in part.marks["east-edge"]
    assert lane[-1] in part.marks["south-west-edge"]
    assert lane[0] in part.marks["east-road"]


def test_what_is_special_on_the_maps_is_drawn_as_such() -> None:
    drawn: dict[str, Scene] = {}
    for name in ("windle-hill", "winding-lane"):
        found, problems = scene.map_scene(
            CRY_HAVOC, read((FOLDER / f"{name}.yaml").read_bytes(), name, limits=FILES).data
        )
        assert problems == []
        assert found is not None
        drawn[name] = found
    assert {edge.kind for edge in drawn["windle-hill"].edges} == {"crest"}
    assert {edge.kind for edge in drawn["winding-lane"].edges} == {"crest", "wall", "door", "window", "gate"}
    looks = {area.at: area.ground for area in drawn["winding-lane"].areas}
    assert (looks["1108"], looks["1506"], looks["1505"]) == ("doorway", "courtyard", "indoors")
    assert [area.at for area in drawn["winding-lane"].areas if "well" in area.marks] == ["1406"]
