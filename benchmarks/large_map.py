"""The map of a siege with sixty figures, 1400 pixels wide: the first one, part by part, further ones, and one
by a new process.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.bare import pillow
from benchmarks.measure import Result, amount, least
from benchmarks.starting import command
from pbem.core.scene import Scene
from pbem.referee.explain.draw import painter, shown
from pbem.referee.game.game import Game, open_game
from pbem.store.library import example
from pbem.store.shelf import FINISHED

NAME, FIGURES, WIDTH = "six-days", 60, 1400
FURTHER_MS, ENCODED_MS, PROCESS_MS = 80, 170, 800
TIMES = 3
"""How often the first map is drawn, each time by a process that has drawn nothing yet."""
BARE = (sys.executable, "-c", "from PIL import Image, ImageDraw, ImageFont")


def game() -> Game:
    """Return the recorded siege."""
    return open_game(example(NAME) / "archive.zip")


def scene() -> Scene:
    """Return how it stands at its end, with what happened last."""
    found = shown(game())
    if len(found.tokens) != FIGURES:
        raise AssertionError(f"{FIGURES} figures are wanted, not {len(found.tokens)}")
    return found


def first() -> dict[str, float]:
    """Draw the first map of this process; return seconds for the ground alone, for the rest, and for the
    encoding.
    """
    drawn = scene()
    png, base, frame = painter(), painter("painted.base"), painter("frame")
    begin = time.process_time()
    base.base(drawn, png.framed(drawn, WIDTH, None, painter("themes").PARCHMENT))
    ground = time.process_time()
    picture = png.picture(drawn, width=frame.width_for(1))
    rest = time.process_time()
    png.encode(picture)
    return {"ground": ground - begin, "rest": rest - ground, "encode": time.process_time() - rest}


def results(seconds: float) -> Iterator[Result]:
    """Yield the benchmarks; nothing is taken from a shelf but where that is measured."""
    firsts = [_first() for _ in range(TIMES)]
    parts = {part: min(one[part] for one in firsts) for part in firsts[0]}
    yield Result(
        "first map: ground",
        f"the first map of {NAME}: its ground, {WIDTH} px",
        "",
        parts["ground"],
        None,
        None,
    )
    yield Result(
        "first map: the rest", f"the first map of {NAME}: figures to legend", "", parts["rest"], None, None
    )
    yield Result(
        "first map: encoding", f"the first map of {NAME}: few colours, PNG", "", parts["encode"], None, None
    )
    png, drawn = painter(), scene()
    data = png.render(drawn)
    image = pillow.opened(data)
    bare_, with_, encoded = least(
        lambda: png.picture(drawn),
        lambda: png.render(drawn),
        lambda: pillow.encode(image),
        seconds=seconds,
        rounds=5,
    )
    yield Result("further map", f"a further map of {NAME} before encoding", "", bare_, None, FURTHER_MS)
    yield Result("further map, PNG", f"a further map of {NAME} with its PNG", "", with_, None, ENCODED_MS)
    yield amount("further map, size", f"a further map of {NAME}: size of its PNG", len(data) / 1000, "kB")
    yield Result(
        "further map, ratio",
        f"a further map of {NAME} with its PNG",
        "Pillow, the same PNG",
        with_,
        encoded,
        1.3,
    )
    yield from _processes(seconds)


def _first() -> dict[str, float]:
    code = "import json; from benchmarks.large_map import first; print(json.dumps(first()))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        check=True,
        capture_output=True,
        text=True,
        env=_environ("off"),
        cwd=_root(),
    )
    found: dict[str, float] = json.loads(done.stdout)
    return found


def _processes(seconds: float) -> Iterator[Result]:
    """Yield what a second ``pbem render`` takes as a process: of the map that was drawn before, and of
    another one of that game.
    """
    archive = str(example(NAME) / "archive.zip")
    with TemporaryDirectory() as folder:
        root = Path(folder)
        # an installed program has its bytecode beside it, wherever this one is run from
        environ = {
            **_environ(str(root / "cache")),
            "PYTHONDONTWRITEBYTECODE": "",
            "PYTHONPYCACHEPREFIX": str(root / "bytecode"),
        }
        render = (*command(), "render", archive, "-o", str(root / "map.png"))

        def again() -> None:
            subprocess.run(render, check=True, capture_output=True, env=environ)

        def another() -> None:
            shutil.rmtree(root / "cache" / FINISHED)
            again()

        again()

        def bare() -> None:
            subprocess.run(BARE, check=True, capture_output=True, env=environ)

        same, other, imported = least(again, another, bare, seconds=seconds, rounds=5)
    yield Result("second process, same map", f"pbem render {NAME} once more", "", same, None, PROCESS_MS)
    yield Result(
        "second process, another",
        "pbem render, the ground known and the map not",
        "",
        other,
        None,
        PROCESS_MS,
    )
    yield Result(
        "second process, ratio",
        f"pbem render {NAME} once more",
        "python, importing Pillow",
        same,
        imported,
        None,
    )
    yield Result(
        "second process, ratio",
        "pbem render, the ground known and the map not",
        "python, importing Pillow",
        other,
        imported,
        None,
    )


def _environ(cache: str) -> Mapping[str, str]:
    return {**os.environ, "PBEM_CACHE": cache}


def _root() -> Path:
    return Path(__file__).resolve().parents[1]
