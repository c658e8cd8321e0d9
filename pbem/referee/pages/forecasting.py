"""A file's own orders as a picture, before anything is rolled: for the answer to it.

Nothing of what others ordered is on it.
"""

from __future__ import annotations

from pbem.core.scene import Scene
from pbem.post.write.writing import Picture
from pbem.referee.explain.draw import painter
from pbem.referee.game.game import Game
from pbem.referee.turn.check import Checked

__all__ = ["forecast_picture", "forecast_scene", "normal_form"]

WINDOWS = 2
"""At most: orders at two ends of the map are not shown on one window that nobody can read."""
BYTES = 130_000
"""Of the picture."""


def forecast_scene(game: Game, checked: Checked) -> Scene | None:
    """Return the scene in which the orders of a file are carried out, as its seat sees it; None where nothing
    of them shows on a map.
    """
    if checked.judgement is None or not checked.ok:
        return None
    rules = game.ground.rules
    title = game.words.phrase("letter.forecast-title")
    scene: Scene | None = rules.interface.foreseen(rules, checked.judgement, game.sides[checked.seat], title)
    return scene


def forecast_picture(game: Game, checked: Checked) -> Picture | None:
    """Return a small map of a file's own orders, below 130 kB and readable on a telephone; None where nothing
    of them shows on one.
    """
    scene = forecast_scene(game, checked)
    if scene is None:
        return None
    data = painter().render_small(scene, most=WINDOWS, limit=BYTES)
    words = game.words
    counts = {kind: sum(trace.kind == kind for trace in scene.traces) for kind in ("shot", "fight")}
    moves = len({trace.actors for trace in scene.traces if trace.kind not in counts})
    placed = (
        0
        if counts["shot"] or counts["fight"] or moves
        else sum(token.side == game.sides[checked.seat] for token in scene.tokens)
    )
    number = {"ways": moves, "shots": counts["shot"], "fights": counts["fight"], "placed": placed}
    parts = [words.phrase(f"letter.forecast-{what}", count=count) for what, count in number.items() if count]
    said = words.phrase("letter.forecast-alt", parts=parts)
    return Picture("forecast.png", data, said) if data else None


def normal_form(game: Game, checked: Checked) -> tuple[str, ...]:
    """Return the orders of a file in normal form, line by line; none where they were not understood."""
    rules = game.ground.rules
    return tuple(rules.interface.normal(rules, checked.orders)) if checked.orders is not None else ()
