"""Storeys side by side: who is above whom is read in windows below the map, one for each storey."""

from __future__ import annotations

import io

from msgspec.structs import replace
from PIL import Image

from pbem.core.scene import Area, Feature, Scene, Thing, Token
from pbem.geometry.hex import centre, corners
from renderers import board, levels, png, svg

HEXES = [f"{column:02}{row:02}" for column in range(1, 6) for row in range(1, 7)]
TOWER = ("0303", "0203", "0403", "0304", "0204", "0404")


def token(name: str, at: str, level: int) -> Token:
    return Token(name, name, "east", "spear", (at,), (centre(at[:4]),), level=level)


def scene(*tokens: Token, things: tuple[Thing, ...] = ()) -> Scene:
    areas = tuple(Area(hex_, centre(hex_), corners(hex_), ground="flat") for hex_ in HEXES)
    return Scene("A tower", "turn 1", areas, tokens=tokens, things=things, cell=("hex", "hexes"))


ENGINE = Thing("tower1", "siege-tower", TOWER, tuple(map(centre, TOWER)), "east", facing="n")
FULL = scene(
    token("ann", "0303", 0),
    token("bob", "0303@1", 1),
    token("cid", "0303@2", 2),
    token("dan", "0404@top", 3),
    token("eli", "0305", 0),
    things=(ENGINE,),
)


def test_each_storey_of_a_tower_has_a_window_with_those_who_are_on_it() -> None:
    found = levels.panels(FULL)
    assert [one.title for one in found] == [
        "tower1, on the ground", "tower1, floor 1", "tower1, floor 2", "tower1, at the top"
    ]  # fmt: skip
    inside = [{one.id for one in panel.scene.tokens} - {"eli"} for panel in found]
    assert inside == [{"ann"}, {"bob"}, {"cid"}, {"dan"}]
    assert all("eli" in {one.id for one in panel.scene.tokens} for panel in found)


def test_a_fire_on_a_floor_is_seen_there_alone() -> None:
    burning = replace(FULL, features=(Feature("fire", "0203@1", centre("0203"), corners("0203")),))
    assert [len(panel.scene.features) for panel in levels.panels(burning)] == [0, 1, 0, 0]


def test_where_nobody_is_above_another_there_are_none() -> None:
    assert levels.panels(scene(token("ann", "0303", 0), things=(ENGINE,))) == ()
    assert levels.panels(scene(token("ann", "0303", 0), token("bob", "0303@top", 1))) == ()


def test_three_in_a_hex_are_told_apart_though_nothing_has_floors_there() -> None:
    crowd = scene(token("ann", "0303", 0), token("bob", "0303@top", 1), token("cid", "0303@mine", -1))
    titles = [one.title for one in levels.panels(crowd)]
    assert titles == ["0303, underground", "0303, on the ground", "0303, at the top"]


def test_pictures_and_drawings_show_them_below_the_map() -> None:
    alone = replace(FULL, tokens=FULL.tokens[:1])
    high = [Image.open(io.BytesIO(png.render(one, width=600))).height for one in (alone, FULL)]
    assert high[1] > high[0] + 100
    drawn = svg.render(FULL)
    assert [drawn.count(one.title) for one in levels.panels(FULL)] == [1, 1, 1, 1]
    assert f'href="#{svg.GROUND}"' in drawn
    assert svg.GROUND not in svg.render(alone)


def test_a_board_for_pages_has_the_windows_for_each_frame() -> None:
    burning = replace(FULL, features=(Feature("fire", "0203@1", centre("0203"), corners("0203")),))
    alone = replace(FULL, tokens=FULL.tokens[:1])
    data = board.board([alone, FULL, FULL, burning, alone])
    assert [number for number, _ in data["storeys"]["frames"]] == [1, 3, 4]
    assert [len(board.storeys_at(data, frame)) for frame in range(5)] == [0, 4, 4, 4, 0]
    titles, boxes, on_it, hidden = zip(*board.storeys_at(data, 3), strict=True)
    panels = levels.panels(burning)
    assert (list(titles), list(boxes)) == ([one.title for one in panels], [list(one.box) for one in panels])
    assert on_it == (["ann"], ["bob"], ["cid"], ["dan"])
    assert [set(keys) for keys in hidden] == [set(levels.hidden(burning, panel)) for panel in panels]
    assert ["feature/0203@1" in keys for keys in hidden] == [True, False, True, True]
    assert "storeys" not in board.board([alone])


def test_a_page_without_scripts_shows_them_too() -> None:
    data = board.board([FULL])
    drawn = board.still_storeys(data)
    windows = drawn.split("<figure>")[1:]
    for name, window in zip(("ann", "bob", "cid", "dan"), windows, strict=True):
        assert f": {name}," in window
        assert [other for other in ("ann", "bob", "cid", "dan", "eli") if f": {other}," in window] == sorted(
            {name, "eli"}
        )
    assert f'id="{board.STILL}"' in board.still(data)
    assert board.still_storeys(board.board([replace(FULL, tokens=FULL.tokens[:1])])) == ""
