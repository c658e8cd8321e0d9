"""Moving pictures: every frame as it was drawn, in three kinds of file, and never a byte
more than asked for.
"""

from __future__ import annotations

import io
import weakref
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest
from msgspec.structs import replace
from PIL import Image, ImageChops
from scenes import centre, ford

from pbem.core.scene import Scene, Trace
from pbem.renderers import moving, png, reels

animate = moving.animate
KINDS = ("apng", "webp", "gif")
WIDE = 420


def story() -> list[Scene]:
    """Return the ford before anything happened, then trace after trace of its turn, with a step in between in
    which nothing does.
    """
    last = ford()
    calm = tuple(replace(area, changed=False) for area in last.areas)
    found = [replace(last, traces=(), areas=calm, title="The ford, at the start")]
    for number, trace in enumerate(last.traces[:6]):
        found.append(
            replace(last, traces=(trace,), areas=calm, tokens=last.tokens[: len(last.tokens) - number])
        )
        if number == 2:
            found.append(found[-1])
    return [*found, last]


def frames(data: bytes) -> list[Image.Image]:
    """Return what shows one after another, without the picture of an APNG that stands still."""
    image = Image.open(io.BytesIO(data))
    found = []
    for number in range(int(bool(image.info.get("default_image"))), getattr(image, "n_frames", 1)):
        image.seek(number)
        found.append(image.convert("RGB"))
    return found


def durations(data: bytes) -> list[int]:
    image = Image.open(io.BytesIO(data))
    found = []
    for number in range(int(bool(image.info.get("default_image"))), getattr(image, "n_frames", 1)):
        image.seek(number)
        image.load()
        found.append(round(image.info["duration"]))
    return found


@pytest.fixture(scope="module", name="scenes")
def scenes_() -> list[Scene]:
    return story()


@pytest.fixture(scope="module", name="made")
def made_(scenes: list[Scene]) -> dict[str, bytes]:
    return {kind: animate(scenes, kind, width=WIDE) for kind in KINDS}


def same(one: Image.Image, other: Image.Image) -> bool:
    return (
        one.size == other.size
        and ImageChops.difference(one.convert("RGB"), other.convert("RGB")).getbbox() is None
    )


def test_they_are_what_they_are_called(made: dict[str, bytes]) -> None:
    assert [Image.open(io.BytesIO(made[kind])).format for kind in KINDS] == ["PNG", "WEBP", "GIF"]
    assert set(reels.REELS) == set(KINDS)
    for kind in KINDS:
        assert Image.open(io.BytesIO(made[kind])).info["loop"] == 0


def test_every_frame_is_the_scene_as_it_was_drawn(made: dict[str, bytes], scenes: list[Scene]) -> None:
    del_same = [scene for number, scene in enumerate(scenes) if number == 0 or scene != scenes[number - 1]]
    shown = {kind: frames(made[kind]) for kind in KINDS}
    for kind in KINDS:
        assert len(shown[kind]) == len(del_same) == 8, kind
    for number, scene in enumerate(del_same):
        drawn = png.still(scene, width=WIDE)
        first = shown["gif"][number]
        assert first.size == drawn.size
        far = ImageChops.difference(first, drawn).convert("L").histogram()
        # of 255: the palette is shared
        assert sum(value * count for value, count in enumerate(far)) / sum(far) < 4
        # three files, written in three ways: where one of them had a frame wrong, they would differ
        assert all(same(first, shown[kind][number]) for kind in KINDS), number
    assert not same(shown["gif"][0], shown["gif"][-1])


def test_a_step_in_which_nothing_is_seen_to_happen_makes_the_one_before_it_longer(
    made: dict[str, bytes], scenes: list[Scene]
) -> None:
    for kind in KINDS:
        found = durations(made[kind])
        assert found[0] == moving.QUIET
        assert found[1] == moving.HAPPENS
        assert found[3] == 2 * moving.HAPPENS
        assert found[-1] == moving.lasting(scenes[-1]) + moving.END
        assert found[-1] > 2 * found[1]


def test_a_long_story_is_told_faster_but_can_be_followed() -> None:
    assert moving.paced([1000, 2000]) == [1000, 2000 + moving.END]
    found = moving.paced([2000] * 200)
    assert sum(found) <= moving.LONGEST + moving.END + 200
    assert moving.paced([3000] * 20_000)[0] == moving.SHORTEST
    quiet = replace(ford(), traces=(), areas=())
    one = replace(quiet, traces=(Trace("move", "east", (centre("0303"), centre("0304")), ("a",)),))
    many = replace(quiet, traces=one.traces * 50)
    assert moving.lasting(quiet) < moving.lasting(one) < moving.lasting(many) == moving.MOST


def test_what_stands_still_of_an_apng_is_the_last_state(made: dict[str, bytes]) -> None:
    image = Image.open(io.BytesIO(made["apng"]))
    assert image.info["default_image"]
    still = image.convert("RGB")
    assert same(still, frames(made["apng"])[-1])


def test_title_and_alt_text_travel_along(scenes: list[Scene]) -> None:
    hostile = '</x:xmpmeta><script>"&\x00\u202e' + "x" * 300
    two = [replace(scene, title=hostile, summary=hostile) for scene in (scenes[0], scenes[-1])]
    for kind in KINDS:
        image = Image.open(io.BytesIO(animate(two, kind, width=240)))
        if kind == "apng":
            assert image.info["Title"].startswith("</x:xmpmeta><script>")
            assert len(image.info["Alt"]) <= 140
        elif kind == "gif":
            assert b"<script>" in image.info["comment"]
        else:
            said = image.info["xmp"].decode()
            assert "&lt;/x:xmpmeta&gt;&lt;script&gt;&quot;&amp;" in said
            assert said.count("</x:xmpmeta>") == 1
        assert "\u202e" not in repr(image.info)


def test_the_same_scenes_give_the_same_bytes(made: dict[str, bytes]) -> None:
    for kind in KINDS:
        assert animate(story(), kind, width=WIDE) == made[kind]


@pytest.mark.parametrize("kind", KINDS)
def test_never_a_byte_more_than_asked_for(kind: Any, scenes: list[Scene], made: dict[str, bytes]) -> None:
    whole = Image.open(io.BytesIO(made[kind]))
    ends = []
    for limit in (2_000_000, len(made[kind]), len(made[kind]) - 1, 150_000, 80_000, 50_000):
        data = animate(scenes, kind, width=WIDE, max_bytes=limit)
        assert len(data) <= limit
        shown = frames(data)
        ends.append((shown[0].size, len(shown)))
        assert durations(data)[-1] >= moving.END
    assert ends[0] == ends[1] == (whole.size, 8)
    assert ends[2] != ends[1]
    assert ends[5][0][0] < WIDE
    assert ends[5][1] >= 2


def test_where_it_cannot_be_done_the_least_size_is_told(scenes: list[Scene]) -> None:
    with pytest.raises(moving.TooLarge) as told:
        animate(scenes[-3:], "gif", width=200, max_bytes=3_000)
    least = told.value.least
    assert least > 3_000
    assert len(animate(scenes[-3:], "gif", width=200, max_bytes=least)) == least


def test_what_is_given_up_and_in_which_order(scenes: list[Scene]) -> None:
    ways = list(moving.cuts(scenes, 1000))
    assert ways[0] == moving.Cut(None, 1000, 256, 1)
    assert ways[1].box is not None
    for one, other in pairwise(ways):
        given_up = [
            one.box != other.box,
            other.colours < one.colours,
            other.width < one.width and one.box == other.box,
            other.together > one.together,
        ]
        assert given_up.count(True) == 1, (one, other)
    wide = {way.box: way.width for way in reversed(ways)}
    given = [
        (way.box is not None, way.colours < 256, way.width < wide[way.box], way.together > 1) for way in ways
    ]
    assert given == sorted(given)
    assert len(set(given)) == 5
    assert len(list(moving._groups(len(scenes), ways[-1].together))) == 2
    box = (2000, 2000, 9000, 8000)
    assert {way.box for way in moving.cuts(scenes, 1000, box)} == {box}
    assert next(iter(moving.cuts(scenes, 500, box))).width == 500


def test_steps_that_are_shown_together_show_what_happened_in_all_of_them(scenes: list[Scene]) -> None:
    joined = moving._joined(scenes, range(1, 4))
    assert joined.traces == tuple(trace for scene in scenes[1:4] for trace in scene.traces)
    assert joined.tokens == scenes[3].tokens
    assert [list(group) for group in moving._groups(6, 2)] == [[0], [1, 2], [3, 4], [5]]
    many = [replace(scenes[-1], traces=scenes[-1].traces * 30)] * 8
    assert len(moving._joined(many, range(8)).traces) == moving.TRACES


def test_a_window_shows_what_happened(scenes: list[Scene]) -> None:
    quiet = replace(scenes[0], traces=())
    far = replace(quiet, traces=(Trace("move", "east", (centre("1713"), centre("1812")), ("a",)),))
    (box,) = moving.windows([quiet, far, quiet])
    for at in ("1713", "1812"):
        x, y = centre(at)
        assert box[0] < x < box[2]
        assert box[1] < y < box[3]
    assert moving.windows([quiet]) == []
    assert [way.box for way in moving.cuts([quiet, quiet], 400)] == [None] * len(
        list(moving.cuts([quiet, quiet], 400))
    )


def test_one_scene_alone_and_none(scenes: list[Scene]) -> None:
    for kind in KINDS:
        data = animate(scenes[-1:], kind, width=300)
        assert len(frames(data)) == 1
        with pytest.raises(ValueError):
            animate([], kind)


def test_frames_do_not_wait_for_one_another_in_memory(
    scenes: list[Scene], monkeypatch: pytest.MonkeyPatch
) -> None:
    alive: list[weakref.ref[Image.Image]] = []
    most = 0
    real = png.still

    def counted(*words: Any, **named: Any) -> Image.Image:
        nonlocal most
        most = max(most, sum(one() is not None for one in alive))
        drawn = real(*words, **named)
        alive.append(weakref.ref(drawn))
        return drawn

    class Told(Sequence[Scene]):
        """Scenes that are made when they are asked for."""

        def __len__(self) -> int:
            return 60

        def __getitem__(self, at: Any) -> Any:
            return scenes[range(60)[at] % len(scenes)]

    monkeypatch.setattr(png, "still", counted)
    assert len(frames(animate(Told(), "gif", width=240))) > 50
    assert most <= 4
