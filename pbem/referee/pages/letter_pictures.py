"""The pictures of a turn for a letter: small enough for a telephone's mail, and the same in words."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from msgspec.structs import replace

from pbem.post.write.writing import Picture
from pbem.proof.archive import Archive, content
from pbem.referee.explain.draw import (
    SHEET,
    details,
    drawn,
    events_of,
    painter,
    plan_drawn,
    plan_of,
    scene_of,
    state_of,
)
from pbem.referee.game.game import Game
from pbem.referee.game.turns import map_title
from pbem.referee.game.views import hides, side_of
from pbem.text.report import Block, Code, Heading, Items, Paragraph
from pbem.text.words import in_force

WIDTH, WHOLE_BYTES = 1000, 260_000
"""Of the whole map: wide enough to be read where it is enlarged, and a third of what it is in the archive."""
KEPT = 4
CROWDED = 8
"""So many arrows and ghosts hide who stands where; whoever is to move then gets the map without them too."""
BUDGET = 640_000
"""Bytes of all pictures of one letter; what does not fit any more is left out, the least telling last."""


_KEPT: dict[tuple[str, str, int, str | None, str], tuple[Picture, ...]] = {}
"""Pictures of the newest slots by folder, head of the ledger, slot, side where not every seat gets the same
ones, and language.
"""


def pictures_of(game: Game, slot: int, seat: str | None = None) -> tuple[Picture, ...]:
    """Return the map after a slot and the parts of it where something happened: those that were drawn for the
    archive, or drawn now.

    Where sides know different things, those of the archive are the umpire's, and a seat's own are drawn.
    """
    side = side_of(game, seat) if hides(game.ground.rules) else None
    key = (str(game.where), game.ledger.head, slot, side, in_force())  # nobody's is not the umpire's
    if key not in _KEPT:
        while len(_KEPT) >= KEPT:
            _KEPT.pop(next(iter(_KEPT)))
        _KEPT[key] = _made(game, slot, side)
    return _KEPT[key]


def _made(game: Game, slot: int, side: str | None) -> tuple[Picture, ...]:
    png = import_module("pbem.renderers.png")
    text = import_module("pbem.renderers.text")
    number, state = state_of(game, slot)
    events = events_of(game, number) if number else ()
    scene = scene_of(game.ground, state, events, map_title(game, number), side)
    archive: Archive = game.archive if side is None else {}
    name = f"s{number:04d}"
    kept = content(archive, f"maps/{name}.png") or drawn(scene, ".png")
    alt = game.words.put_lines(text.alt(scene))
    found = [Picture(f"{name}.png", png.reduced(kept, WIDTH, WHOLE_BYTES, alt), alt)]
    if events:
        parts = [
            (content(archive, f"maps/{name}-{n}.png"), crop) for n, crop in enumerate(_crop_alts(scene), 1)
        ]
        if any(data is None for data, _ in parts):
            parts = [(data, said) for data, said in details(scene)]
        found += [
            Picture(f"{name}-{n}.png", data, game.words.put_lines(said))
            for n, (data, said) in enumerate(parts, 1)
            if data is not None
        ]

    plan = plan_of(game.ground, state, game.ground.title, events, side)
    sheet = content(archive, f"maps/{name}-{SHEET}.png") or (
        plan_drawn(plan, ".png") if plan is not None and side is not None else None
    )
    if plan is not None and sheet is not None:
        said = game.words.put_lines(plan.summary)
        found.append(Picture(f"{name}-{SHEET}.png", png.reduced(sheet, WIDTH, WHOLE_BYTES, said), said))
    return within(tuple(found))


def position_of(game: Game, slot: int, seat: str) -> Picture | None:
    """Return the map after a slot without what happened in it; None where so little happened that the other
    picture shows it as well.
    """
    number, state = state_of(game, slot)
    side = side_of(game, seat)
    scene = scene_of(
        game.ground, state, events_of(game, number) if number else (), map_title(game, number), side
    )
    if len(scene.traces) < CROWDED:
        return None
    key = (str(game.where), game.ledger.head, slot, f"{side or ''} position", in_force())
    if key not in _KEPT:
        while len(_KEPT) >= KEPT:
            _KEPT.pop(next(iter(_KEPT)))
        bare = replace(scene, traces=())
        alt = game.words.phrase("letter.position")
        _KEPT[key] = (
            Picture(
                f"s{number:04d}-position.png", painter().render(bare, width=WIDTH, limit=WHOLE_BYTES), alt
            ),
        )
    return _KEPT[key][0]


def _crop_alts(scene: Any) -> list[str]:
    """Return what the windows of a scene show, without drawing them."""
    png, focus = import_module("pbem.renderers.png"), import_module("pbem.renderers.focus")
    return [png.crop_alt(scene, box) for box in focus.focus(scene)]


def within(pictures: tuple[Picture, ...], budget: int = BUDGET) -> tuple[Picture, ...]:
    """Return the pictures that fit a budget of bytes together, in their order."""
    kept = []
    for picture in pictures:
        if len(picture.data) <= budget:
            budget -= len(picture.data)
            kept.append(picture)
    return tuple(kept)


def beginning(game: Game, seat: str | None = None) -> Picture:
    """Return the map as it is before anybody has joined."""
    png, text = painter(), import_module("pbem.renderers.text")
    state = game.state_after(0, "")
    scene = scene_of(game.ground, state, (), game.ground.title, side_of(game, seat))
    alt = game.words.put_lines(text.alt(scene))
    return Picture("map.png", png.render(scene, width=WIDTH, limit=WHOLE_BYTES), alt)


def described(game: Game, slot: int, seat: str | None = None, *, people: bool = True) -> tuple[Block, ...]:
    """Return the map after a slot in words and in characters, for the plain text of a letter; what happened
    is the report itself.

    Without ``people`` who stands where is left out: the letter says it already.
    """
    text = import_module("pbem.renderers.text")
    words = game.words
    number, state = state_of(game, slot)
    events = events_of(game, number) if number else ()
    scene = replace(scene_of(game.ground, state, events, game.ground.title, side_of(game, seat)), traces=())
    blocks: list[Block] = [Heading(words.phrase("report.map-in-words"))]
    for part in words.put_lines(text.describe(scene, figures=people)).split("\n\n"):
        said, *items = part.strip("\n").split("\n")
        if items and all(line.startswith("- ") for line in items):
            blocks += [Heading(said, 3), Items(tuple(line[2:] for line in items))]
        else:
            blocks += [Paragraph(line) for line in (said, *items)]
    chart = words.put_lines(import_module("pbem.renderers.chart").character_map(scene))
    if chart and max(len(line) for line in chart.split("\n")) <= 72:
        blocks.append(Code(chart, words.phrase("report.map-in-characters"), "chart"))
    return tuple(blocks)
