"""Storeys side by side: where figures stand above one another, a window on each storey with who is on it.

On the map itself they lie over one another; which of them is on which floor is read here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from pbem.core.scene import OUT, Point, Scene, Token

from .frame import Box
from .hexes import RADIUS
from .lettering import plain

ROW = 4
"""Windows beside each other."""
MOST = 12
"""Windows on one picture."""
AROUND = round(RADIUS * 1.55)
"""How far a window reaches beyond the middle of the outermost hex, in scene units."""
CROWD = 3
"""Figures of one hex that are too many to lie beside each other on it."""
NAMES = {"": "on the ground", "top": "at the top", "mine": "underground"}


class Panel(Struct, frozen=True):
    """A window on one storey: its words, what is on it, and which part of the map it shows."""

    title: str
    scene: Scene
    box: Box
    on_it: tuple[str, ...] = ()
    """Ids of those who stand on the storey."""


def storey_of(place: str) -> str:
    """Return the storey in a place such as ``0712@2``; empty for the ground."""
    return place.partition("@")[2]


def panels(scene: Scene) -> tuple[Panel, ...]:
    """Return the windows on the storeys of whatever has people above one another, the lowest storey first;
    none where nobody is above another, or two lie beside each other on their hex.
    """
    if scene.measure is not None:
        return ()
    found: list[Panel] = []
    for name, cells in groups(scene):
        found += _of(scene, name, cells)
    return tuple(found[:MOST])


def groups(scene: Scene) -> Iterator[tuple[str, frozenset[Point]]]:
    """Yield each thing with several storeys of people, and each crowded hex that none has, with its cells."""
    living = [token for token in scene.tokens if token.cells and token.at and token.look != OUT]
    by_cell: dict[Point, list[Token]] = {}
    for token in living:
        by_cell.setdefault(token.cells[0], []).append(token)
    done: set[Point] = set()
    things = [(plain(thing.id, 40), frozenset(thing.cells)) for thing in scene.things]
    for name, cells in (*things, *(("", frozenset({cell})) for cell in by_cell)):
        there = [token for cell in cells - done for token in by_cell.get(cell, ())]
        if _crowded(there, by_cell):
            done |= cells
            yield name or _hex(there), cells


def _hex(there: Iterable[Token]) -> str:
    return next((token.at[0].partition("@")[0] for token in there), "")


def _crowded(there: list[Token], by_cell: dict[Point, list[Token]]) -> bool:
    storeys = {storey_of(token.at[0]) for token in there}
    if len(storeys) < 2:
        return False
    numbered = any(storey.isdigit() for storey in storeys)
    return numbered or any(len(by_cell[token.cells[0]]) >= CROWD for token in there)


def _of(scene: Scene, name: str, cells: frozenset[Point]) -> Iterator[Panel]:
    box = _box(cells)
    near = [token for token in scene.tokens if token.cells and _within(box, token.cells[0])]
    floors = {storey_of(token.at[0]): token.level for token in near if token.at and _on_it(token, cells)}
    for storey in sorted(floors, key=lambda one: (floors[one], one)):
        shown = [token for token in near if _on_it(token, cells) and storey_of(token.at[0]) == storey]
        taken = {cell for token in shown for cell in token.cells}
        beside = [token for token in near if not _on_it(token, cells) and taken.isdisjoint(token.cells)]
        features = tuple(one for one in scene.features if storey_of(one.at) in {storey, ""})
        part = replace(scene, tokens=tuple(shown + beside), features=features, traces=())
        yield Panel(
            f"{name}, {NAMES.get(storey, f'floor {storey}')}", part, box, (*(one.id for one in shown),)
        )


def hidden(scene: Scene, panel: Panel) -> tuple[str, ...]:
    """Return what lies in a window and is on another storey, by its key on a board (see ``board``)."""
    shown = {token.id for token in panel.scene.tokens}
    tokens = (
        f"token/{token.id}"
        for token in scene.tokens
        if token.id not in shown and token.cells and _within(panel.box, token.cells[0])
    )
    lit = {feature.at for feature in panel.scene.features}
    features = (
        f"feature/{feature.at}"
        for feature in scene.features
        if feature.at not in lit and _within(panel.box, feature.centre)
    )
    return (*tokens, *features)


def _on_it(token: Token, cells: frozenset[Point]) -> bool:
    return bool(token.at) and (token.cells[0] in cells or storey_of(token.at[0]) != "")


def _box(cells: Iterable[Point]) -> Box:
    xs, ys = zip(*cells, strict=True)
    return min(xs) - AROUND, min(ys) - 2 * AROUND, max(xs) + AROUND, max(ys) + AROUND


def _within(box: Box, cell: Point) -> bool:
    return box[0] <= cell[0] <= box[2] and box[1] <= cell[1] <= box[3]
