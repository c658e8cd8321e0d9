"""The map in characters: a sign for each hex, two for each figure and each thing that covers hexes."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.core.scene import OUT, Area, Scene, Thing, Token

from .lettering import plain
from .palette import LOOKED, look

SIGNS = {name: ground.sign for name, ground in LOOKED.items()} | {"rubble": "*", "fire": "!"}
"""One sign for each look of the ground."""
FEATURES = {
    "filled": "moat filled in",
    "rubble": "rubble, where a wall was",
    "burnt": "burnt out",
    "charred": "burnt through",
    "stripped": "platform destroyed",
    "fire": "on fire, in turn {number} of it",
    "wall": "{step} wall, {number} of 4 steps",
}
"""What has become of a hex, in words."""
ON_MAP = (
    *("drawbridge", "gangway", "ladder", "siege-tower", "ram", "penthouse", "ballista", "trebuchet"),
    "mangonel",
)
"""Kinds of thing that cover their hexes on the map in characters, under whoever stands there."""
FEATURE_SIGNS = {"filled": "o", "rubble": "*", "burnt": "x", "charred": "x", "stripped": "x", "fire": "!"}
_MARKS = "0123456789abcdefghijklmnopqrstuvwxyz"


def sides(scene: Scene) -> list[str]:
    """Return the sides of a scene in its own order, and behind them those that only tokens name."""
    known = [look_.side for look_ in scene.sides]
    return known + sorted({token.side for token in scene.tokens} - set(known))


def grid(areas: Sequence[Area]) -> tuple[int, int] | None:
    """Return columns and rows of a map whose hexes are numbered by column and row, else None."""
    if not areas or any(len(area.at) != 4 or not (area.at.isascii() and area.at.isdigit()) for area in areas):
        return None
    return max(int(area.at[:2]) for area in areas), max(int(area.at[2:]) for area in areas)


def marks(scene: Scene) -> list[tuple[str, Token]]:
    """Return a mark of two characters for each living figure: a letter for its side and one for itself."""
    found = []
    for number, side in enumerate(sides(scene)):
        living = sorted(
            (token for token in scene.tokens if token.side == side and token.look != OUT),
            key=lambda token: (token.at, token.id),
        )
        letter = chr(ord("A") + number % 26)
        for i, token in enumerate(living):
            found.append((letter + (_MARKS[i] if i < len(_MARKS) else "?"), token))
    return found


def thing_marks(scene: Scene) -> list[tuple[str, Thing]]:
    """Return a mark of two characters for each thing that covers hexes: ``<`` and one for itself."""
    shown = [
        thing for thing in scene.things if thing.at and thing.kind in ON_MAP and thing.stands != "carried"
    ]
    shown = [thing for thing in shown if thing.kind != "drawbridge" or thing.stands != "raised"]
    return [(f"<{_MARKS[i] if i < len(_MARKS) else '?'}", thing) for i, thing in enumerate(shown)]


def character_map(scene: Scene) -> str:
    """Return the map in characters: each hex a sign, each figure two, odd columns half a row higher; empty
    without numbered hexes.
    """
    size = grid(scene.areas)
    if size is None:
        return ""
    lettered, listed = thing_marks(scene), marks(scene)
    cells = _cells(scene, lettered, listed)

    columns, rows = size
    heads = [f"{column:02d}" for column in range(1, columns + 1)]
    lines = [
        _line("", [head if column % 2 else "" for column, head in enumerate(heads, 1)]),
        _line("", [head if column % 2 == 0 else "" for column, head in enumerate(heads, 1)]),
    ]
    for row in range(1, rows + 1):
        for odd in (1, 0):
            texts = [
                cells.get(f"{head}{row:02d}", "") if column % 2 == odd else ""
                for column, head in enumerate(heads, 1)
            ]
            lines.append(_line(f"{row:02d}" if odd else "", texts))

    lines += ["", *_legend(scene)]
    lines += [f"{mark} {plain(thing.id, 40)} {' '.join(thing.at)}" for mark, thing in lettered]
    lines += [
        f"{mark} {plain(token.id, 40)} {plain(token.at[0], 24) if token.at else ''}".rstrip()
        for mark, token in listed
    ]
    return "\n".join(lines)


def _cells(
    scene: Scene, lettered: Sequence[tuple[str, Thing]], listed: Sequence[tuple[str, Token]]
) -> dict[str, str]:
    """Return hex -> what stands there on the map: its ground, what became of it, things, the dead, figures;
    what comes later covers what came before.
    """
    cells = {area.at: SIGNS[look(area.ground)] for area in scene.areas}
    for feature in scene.features:
        if feature.kind in FEATURE_SIGNS:
            cells[feature.at] = FEATURE_SIGNS[feature.kind]
    for mark, thing in lettered:
        cells |= {place[:4]: mark for place in thing.at}
    for token in scene.tokens:
        if token.look == OUT:
            cells |= {place[:4]: "t" for place in token.at}
    for mark, token in listed:
        for i, place in enumerate(token.at):
            cells[place[:4]] = mark if i == 0 else mark[0] + "-"
    return cells


def _legend(scene: Scene) -> list[str]:
    """Return what the signs of the ground mean, and those of what became of it."""
    names: dict[str, str] = {}
    for area in scene.areas:
        named = area.name or scene.grounds.get(area.ground, "") or area.ground
        names.setdefault(look(area.ground), plain(named, 40))
    lines = ["Signs: " + ", ".join(f"{SIGNS[each]} {names[each]}" for each in sorted(names))]
    if gone := sorted({plain(token.state, 20) for token in scene.tokens if token.look == OUT}):
        lines[-1] += f", t {' or '.join(gone)}"

    became = sorted({feature.kind for feature in scene.features if feature.kind in FEATURE_SIGNS})
    if became:
        signs = (f"{FEATURE_SIGNS[kind]} {FEATURES[kind].partition(',')[0]}" for kind in became)
        lines.append("Since then: " + ", ".join(signs))
    return lines


def _line(head: str, texts: Sequence[str]) -> str:
    """Return a line of the character map: two characters for each column, cells of the other columns left
    blank.
    """
    return (f"{head:<3}" + "".join(f"{text:<2}" for text in texts)).rstrip()
