"""The gallery: one picture of each scenario that is shipped, out of a game that two bots play, and a page
that shows them.

The seed is the name of the scenario, so the same program makes the same pictures. Of the first slots that one
is shown in which most happened: there are arrows, shots and fights on it, and it is what a turn looks like.
"""

from __future__ import annotations

import math
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

from msgspec import Struct

from pbem.bots.bot import UnknownBot, find
from pbem.core.scene import Scene
from pbem.referee.explain.draw import drawn, shown
from pbem.referee.explain.look import THEMES, Look
from pbem.referee.game.game import open_game
from pbem.referee.game.scenario import find_scenario
from pbem.referee.game.scenarios import seat_options
from pbem.referee.play.playing import match
from pbem.store import disk
from pbem.store.library import common_words, scenarios

PAGE = "gallery.md"
FOLDER = "gallery"
SLOTS = 10
"""So many slots of each game are looked at."""
SCALE = 0.7
LARGE = 600
"""Of maps with more areas than this the areas are drawn smaller, so that a picture stays below 600 kB."""
BOTS = ("sergeant", "marshal", "random")
"""Who plays: the first that knows the game."""


class GalleryEntry(Struct, frozen=True):
    """A scenario of the gallery: its name, how many there are, its picture's path, title and alt text, and
    how its sides are named.
    """

    scenario: str
    of: int
    path: str
    title: str
    alt: str
    seats: str


Files = Mapping[str, bytes]
"""Pictures by their paths in the folder of the gallery."""


def names() -> tuple[str, ...]:
    """Return the scenarios of the gallery, in its order."""
    return tuple(path.stem for path in scenarios())


def gallery(folder: Path, made: Iterable[tuple[GalleryEntry, Files]] | None = None) -> Iterator[GalleryEntry]:
    """Write the page and its pictures into a folder; yield after each scenario.

    ``made``: what ``shown_of`` returns of each, in any order, where somebody else has made it.
    """
    listed = []
    for entry, files in map(shown_of, names()) if made is None else made:
        disk.make_folder(folder / FOLDER)
        for path, data in files.items():
            disk.replace(folder / path, data)
        listed.append(entry)
        yield entry
    disk.replace(
        folder / PAGE, page(sorted(listed, key=lambda entry: names().index(entry.scenario))).encode()
    )


def shown_of(name: str) -> tuple[GalleryEntry, Files]:
    """Return the entry of a scenario and its pictures: of the first one also a part in each theme."""
    scene = _busiest(name)
    path = f"{FOLDER}/{name}.png"
    files = {path: drawn(scene, ".png", Look(scale=_scale(scene)))}
    if name == names()[0]:
        files.update(_themes(scene))
    title, alt = str(_data(name).get("title", name)), import_module("pbem.renderers.text").alt(scene)
    entry = GalleryEntry(name, len(names()), path, title, alt, seat_options(_data(name)["sides"]))
    return entry, files


def _scale(scene: Scene) -> float:
    """Return how large a scene is drawn."""
    return SCALE * math.sqrt(min(1, LARGE / max(1, len(scene.areas))))


def page(listed: list[GalleryEntry]) -> str:
    """Return the page of the gallery."""
    words = common_words()
    parts = [f"# {words.phrase('gallery.title')}", words.phrase("gallery.lead")]
    for one in listed:
        parts += [
            f"## {one.title}",
            f"`pbem new {one.scenario} GAME {one.seats}`",
            f"![{one.alt}]({one.path})",
        ]
    parts += [f"## {words.phrase('gallery.themes')}", words.phrase("gallery.themes-lead")]
    parts += [
        f"![{words.phrase('gallery.theme-alt', theme=theme)}]({FOLDER}/theme-{theme}.png)" for theme in THEMES
    ]
    return "\n\n".join(parts) + "\n"


def _themes(scene: Scene) -> Iterator[tuple[str, bytes]]:
    """Yield what happened in a scene in each theme, as large as a telephone shows it."""
    png, themes = import_module("pbem.renderers.png"), import_module("pbem.renderers.themes")
    for theme in THEMES:
        yield (
            f"{FOLDER}/theme-{theme}.png",
            png.render_crops(scene, theme=themes.theme_of(theme), most=1)[0].png,
        )


def _busiest(name: str) -> Scene:
    """Return of a game between bots the scene of the slot in which most happened."""
    with tempfile.TemporaryDirectory(prefix="pbem-gallery-") as home:
        game = Path(home) / "game"
        bot = _player(str(_data(name)["ruleset"]))
        played = match(name, dict.fromkeys(_data(name)["sides"], bot), name, out=game, home=Path(home))
        for stage in played.play():
            if stage.slot > SLOTS:
                break
        opened = open_game(game)
        scenes = [shown(opened, slot) for slot in range(1, opened.ledger.state_slot + 1)]
    return max(scenes, key=lambda scene: len({trace.kind for trace in scene.traces}) * 5 + len(scene.traces))


def _player(ruleset: str) -> str:
    for name in BOTS:
        with suppress(UnknownBot):
            return find(name, ruleset).name
    raise LookupError(f"no bot plays {ruleset}")


def _data(name: str) -> Mapping[str, Any]:
    data = find_scenario(name).data
    assert isinstance(data, Mapping)
    return data
