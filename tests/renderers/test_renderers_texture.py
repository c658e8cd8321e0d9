"""What painted ground is made of: colours laid through masks, parts of a picture, blurs worked out small."""

from __future__ import annotations

import random

import pytest
from pbem.renderers.painted import base
from pbem.renderers.painted.texture import blurred, boxed, lay, parts
from pbem.renderers.themes import PARCHMENT
from PIL import Image, ImageChops, ImageDraw, ImageFilter, ImageStat
from scenes import ford

from pbem.renderers import png

SIZE = (600, 420)


def discs(*spots):
    mask = Image.new("L", SIZE, 0)
    for x, y, r in spots:
        ImageDraw.Draw(mask).ellipse((x - r, y - r, x + r, y + r), fill=random.Random(x).randrange(90, 256))
    return mask.filter(ImageFilter.GaussianBlur(3))


@pytest.mark.parametrize("spots", [[], [(40, 50, 20)], [(10, 10, 30), (590, 400, 60)], [(300, 210, 400)]])
@pytest.mark.parametrize("share", [1.0, 0.4])
def test_a_colour_is_laid_as_the_mask_has_it(spots, share):
    mask, found = discs(*spots), Image.new("RGB", SIZE, (9, 99, 199))
    wanted = found.copy()
    lay(found, (200, 120, 40), mask, share)
    wanted.paste((200, 120, 40), (0, 0, *SIZE), mask.point([round(value * share) for value in range(256)]))
    assert found.tobytes() == wanted.tobytes()


@pytest.mark.parametrize("radius", [1.0, 1.6, 2.5, 3.4, 6.0, 11.0])
def test_a_blur_worked_out_small_is_nearly_the_same(radius):
    mask = discs((60, 60, 30), (555, 391, 44))
    wanted = mask.filter(ImageFilter.GaussianBlur(radius))
    assert ImageStat.Stat(ImageChops.difference(blurred(mask, radius), wanted)).mean[0] < 1


def test_each_area_is_painted_once_in_a_part_that_holds_it_and_its_margin():
    scene = ford()
    frame = png.framed(scene, 1400, None, PARCHMENT)
    land = Image.new("RGB", (frame.width, frame.height))
    ends = [scene.areas[0], scene.areas[1], scene.areas[-1]]
    found = []
    for piece, near, rough, own in parts(land, ends, frame, land.convert("L")):
        assert piece.size == rough.size == (near.width, near.height)
        for area in own:
            (x, y), (ax, ay) = near.spot(area.centre), frame.spot(area.centre)
            assert 0 <= x < near.width and 0 <= y < near.height
            ImageDraw.Draw(piece).point((round(x), round(y)), (255, 0, 0))
            found.append((area.at, round(ax), round(ay)))
    assert sorted(at for at, _, _ in found) == sorted(area.at for area in ends)
    box = land.getbbox()
    assert box == (
        min(x for _, x, _ in found),
        min(y for _, _, y in found),
        max(x for _, x, _ in found) + 1,
        max(y for _, _, y in found) + 1,
    )


def test_a_box_ends_with_the_picture():
    assert boxed(SIZE, [(5, 5), (20, 30)], 10) == (0, 0, 31, 41)
    assert boxed(SIZE, [(590, 400)], 40) == (550, 360, *SIZE)


def test_what_is_drawn_twice_as_large_leaves_the_rest_as_it_was():
    scene = ford()
    frame = png.framed(scene, 700, None, PARCHMENT)
    picture = Image.effect_noise((frame.width, frame.height), 80).convert("RGB")
    before, drawn = picture.copy(), []
    for large, near in base._enlarged(picture, scene.edges, frame):
        ImageDraw.Draw(large).rectangle((20, 20, 39, 39), fill=(0, 0, 0))
        drawn.append((near, large.size))
    ((near, size),) = drawn
    assert size == (near.width * base.TIMES, near.height * base.TIMES)
    assert not list(base._enlarged(picture, (), frame))
    left, top, right, low = ImageChops.difference(picture, before).getbbox()
    assert right - left <= 10 and low - top <= 10
