"""Drawing the further maps of a game in one warm process, against encoding those very PNGs with Pillow."""

from __future__ import annotations

import time
from collections.abc import Iterator
from importlib import import_module
from statistics import median

from benchmarks.bare import pillow
from benchmarks.example import NAME, Example
from benchmarks.measure import Result, least
from pbem.core.scene import Scene
from pbem.referee.explain.draw import drawn, events_of, scene_of, state_of
from pbem.referee.game.game import open_game

PASSES = 3
WIDTH = 1400


def scenes(example: Example) -> list[Scene]:
    """Return the scene after every slot."""
    game = open_game(example.game)
    return [
        scene_of(
            game.ground, state_of(game, slot)[1], events_of(game, slot), f"{game.ground.title}, slot {slot}"
        )
        for slot in range(1, game.ledger.state_slot + 1)
    ]


def results(example: Example, seconds: float) -> Iterator[Result]:
    """Yield the benchmark: of all maps but the first the one in the middle; and beside it the time of the
    first.
    """
    shown = scenes(example)
    forget = import_module("pbem.renderers.painted.base").forget
    first = float("inf")
    further = [float("inf")] * (len(shown) - 1)
    pictures = [b""] * len(further)
    for _ in range(PASSES):
        forget()
        begin = time.process_time()
        drawn(shown[0], ".png")
        first = min(first, time.process_time() - begin)
        for number, scene in enumerate(shown[1:]):
            begin = time.process_time()
            pictures[number] = drawn(scene, ".png")
            further[number] = min(further[number], time.process_time() - begin)
    opened = [pillow.opened(png) for png in pictures]
    bare = least(
        *(lambda image=image: pillow.encode(image) for image in opened),
        seconds=seconds / len(opened),
        rounds=3,
    )
    if any(image.width != WIDTH for image in opened):
        raise AssertionError(f"pictures {WIDTH} pixels wide are wanted")
    ratio = median(ours / encoded for ours, encoded in zip(further, bare, strict=True))
    middle = min(range(len(bare)), key=lambda number: (abs(further[number] / bare[number] - ratio), number))
    yield Result(
        "map",
        f"a further map of {NAME}, {WIDTH} px wide",
        "Pillow, the same PNG",
        further[middle],
        bare[middle],
        1.3,
    )
    yield Result("first map", f"the first map of {NAME}", "", first, None, None)
