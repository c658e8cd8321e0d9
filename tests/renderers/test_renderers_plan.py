"""The record sheet of a siege: boxes to tick, hatching, tables, words; on paper everything is black, white or
grey.
"""

from __future__ import annotations

import io
from itertools import pairwise

import pytest
from castles import areas, edges
from msgspec.structs import replace
from pbem.renderers.palette import contrast
from pbem.renderers.themes import THEMES
from PIL import Image, ImageChops, ImageStat
from scenes import centre, corners

from pbem.core.scene import Plan, Table, Wall
from pbem.renderers import plan as sheet
from pbem.renderers import text

STEPS = ("slightly damaged", "damaged", "heavily damaged", "destroyed")
WALLS = {
    "0104": "battlement",
    "0204": "battlement",
    "0304": "tower",
    "1004": "tower",
    "0406": "keep",
    "0407": "keep",
}


def plan(damage: dict[str, int] | None = None, **more: object) -> Plan:
    """Return the sheet of the castle's corner, with some steps lost."""
    hurt = damage or {}
    made = Plan(
        "Siege record: Brackwater",
        "Day 3 of 6",
        areas(),
        edges(),
        tuple(Wall(at, centre(at), corners(at), kind, hurt.get(at, 0)) for at, kind in WALLS.items()),
        STEPS,
        {"battlement": "battlement", "tower": "wall of a tower", "keep": "wall of the keep"},
        (
            Table("Engines", ("engine", "points"), (("mangonel1", "1 of 1"), ("trebuchet1", "2 of 3"))),
            Table(
                "Destruction",
                ("die", "1", "3"),
                (("1", "1C", "1C"), ("10", "D", "D")),
                "A note that is so long that it breaks " * 5,
            ),
        ),
        "Siege record of Brackwater: of 6 walls 0 damaged, 0 down.",
    )
    return replace(made, **more)  # type: ignore[arg-type]


def near(page: Image.Image, at: str, reach: float = 0.8) -> Image.Image:
    chart = sheet._frame(plan())
    x, y = chart.spot(centre(at))
    x, y, r = x + (sheet.WIDTH - chart.width) // 2, y + 118, chart.hex * reach
    return page.crop((round(x - r), round(y - r), round(x + r), round(y + r)))


def test_a_page_of_paper_that_is_light_to_send():
    data = sheet.render(plan())
    image = Image.open(io.BytesIO(data))
    assert image.width == sheet.WIDTH
    assert 900 < image.height < 1760
    assert len(data) < 150_000
    assert image.text["Title"] == "Siege record: Brackwater"
    assert image.text["Alt"] == "Siege record of Brackwater: of 6 walls 0 damaged, 0 down."
    assert image.text["Description"] == text.describe_plan(plan())
    assert Image.open(io.BytesIO(sheet.render(plan(), width=620))).width == 620
    assert len(sheet.render(plan(), limit=40_000)) <= 40_000


def test_the_page_has_no_colour_and_is_mostly_paper():
    page = sheet.picture(plan())
    assert page.mode == "L"
    assert page.histogram()[255] > 0.7 * page.width * page.height


def test_the_page_takes_a_theme():
    """In high contrast nothing is faint, and what is written has 7 : 1; on parchment the same lines stand on
    parchment.
    """
    pages = {name: sheet.picture(plan(), theme) for name, theme in THEMES.items()}
    assert {page.size for page in pages.values()} == {pages["print"].size}
    assert pages["contrast"].mode == "L"
    assert sum(pages["contrast"].histogram()[120:230]) < sum(pages["print"].histogram()[120:230]) / 2
    strong = sheet.pencil(THEMES["contrast"])
    assert contrast((strong.word,) * 3, (strong.water,) * 3) >= 7
    assert contrast((sheet.pencil(THEMES["print"]).word,) * 3, (255,) * 3) >= 4.5
    red, _, blue = ImageStat.Stat(pages["parchment"]).mean
    assert red > blue + 10
    dark = pages["parchment"].convert("L").point([255] * 90 + [0] * 166)
    assert (
        ImageStat.Stat(ImageChops.difference(dark, pages["print"].point([255] * 90 + [0] * 166))).mean[0] < 2
    )
    assert Image.open(io.BytesIO(sheet.render(plan(), theme=THEMES["contrast"]))).width == sheet.WIDTH


def test_each_step_fills_one_more_box():
    black = []
    for damage in range(5):
        tile = near(sheet.picture(plan({"0406": damage})), "0406", 0.45)
        black.append(
            sum(
                tile.crop((0, round(tile.height * 0.36), tile.width, round(tile.height * 0.8))).histogram()[
                    :60
                ]
            )
        )
    assert all(later > earlier + 20 for earlier, later in pairwise(black))


def test_a_wall_that_is_down_says_breach_and_others_do_not_change():
    whole, down = sheet.picture(plan()), sheet.picture(plan({"0304": 4}))
    assert ImageChops.difference(near(whole, "0304"), near(down, "0304")).getbbox() is not None
    assert ImageChops.difference(near(whole, "0406"), near(down, "0406")).getbbox() is None


def test_kinds_of_wall_are_hatched_each_in_its_way():
    pages = [
        sheet.picture(plan(walls=(Wall("0406", centre("0406"), corners("0406"), kind),), edges=()))
        for kind in ("battlement", "tower", "keep")
    ]
    tiles = [near(page, "0406", 0.45) for page in pages]
    dark = [
        255 - ImageStat.Stat(tile.crop((0, round(tile.height * 0.75), tile.width, tile.height))).mean[0]
        for tile in tiles
    ]
    assert dark[0] + 2 < dark[1] < dark[2] - 2


@pytest.mark.parametrize("kind", ["parapet", "wall", "slit", "door"])
def test_what_stands_on_hexsides_is_on_the_sheet(kind):
    with_ = sheet.picture(plan())
    without = sheet.picture(plan(edges=tuple(edge for edge in edges() if edge.kind != kind)))
    assert ImageChops.difference(with_, without).getbbox() is not None


def test_tables_stand_in_two_columns_and_long_words_fit():
    many = tuple(Table(f"Table {n}", ("a", "b"), (("x" * 200, "y"),) * n) for n in range(1, 6))
    one, two = (sheet.picture(plan(tables=each)) for each in ((), many))
    assert two.width == one.width
    assert two.height < one.height + sum(34 + 30 * (n + 1) + 32 for n in range(1, 6))
    assert sheet._lines("one two three", 17, 60) == ["one two", "three"]
    assert sheet._lines("wordwithoutend", 17, 10) == ["wordwithoutend"]


def test_a_sheet_of_nothing_and_one_of_hostile_words_can_be_drawn():
    empty = Plan("", "", (), (), (), ())
    assert Image.open(io.BytesIO(sheet.render(empty))).width == sheet.WIDTH
    word = "‮" + "w" * 3000
    odd = Plan(
        word,
        word,
        areas()[:4],
        (),
        (Wall(word, centre("0101"), corners("0101"), word, 99),),
        (word,),
        {word: word},
        summary=word,
    )
    odd = replace(odd, tables=(Table(word, (word, word), ((word,), (word, word)), word),))
    assert Image.open(io.BytesIO(sheet.render(odd))).width == sheet.WIDTH
    assert "w" * 50 in text.describe_plan(odd)


WORDS = """Siege record: Brackwater
Day 3 of 6
Siege record of Brackwater: of 6 walls 0 damaged, 0 down.

Walls that are damaged
- 0104, battlement: 2 of 4 steps, damaged
- 0304, wall of a tower: 4 of 4 steps, destroyed

Walls that are whole
- battlement: 0204
- wall of a tower: 1004
- wall of the keep: 0406-0407

Engines: engine, points
- mangonel1, 1 of 1
- trebuchet1, 2 of 3

Destruction: die, 1, 3
- 1, 1C, 1C
- 10, D, D
A short note.
"""


def test_the_sheet_in_words():
    tables = (plan().tables[0], replace(plan().tables[1], note="A short note."))
    assert text.describe_plan(plan({"0104": 2, "0304": 4}, tables=tables)) == WORDS
    assert "- none" in text.describe_plan(plan())
    assert "- 0104, battlement: 3 of 0 steps, \n" in text.describe_plan(plan({"0104": 3}, steps=()))
