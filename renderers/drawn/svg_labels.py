"""Where names of engines, swords, bursts and results lie on the drawn map: as on the painted one, where they
hide least.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from pbem.core.scene import Scene, Thing, Trace

from ..lettering import plain
from ..painted import counters, engines, labels
from . import svg_arrows, svg_signs, svg_tokens
from .svg_pen import UNIT, Book, Spot
from .svg_placed import Cells, Layer, Placed, rank, trace_words
from .svg_tokens import HALF

HEAD = ((0.87, 0.85), (0.87, -0.85), (0.9, 0.0), (1.1, 0.0))
"""Where the name of a ladder stands that leans on a wall: at its head, forwards and to its side, in hex
radii.
"""
ENDS = ((2.3, 0.0), (-2.3, 0.0))
"""Where that of one stands which lies or is carried, from its middle."""


class Labels:
    """The labels of one map, scene after scene: what has not moved since the scene before keeps its place."""

    def __init__(self, book: Book, cells: Cells) -> None:
        self.book, self.cells, self.frame = book, cells, cells.frame
        self.left, self.top = round(cells.frame.left), round(cells.frame.top)
        self._about: object = None
        self._names: list[Placed] = []
        self._taken: list[tuple[float, float, float, float, float]] = []

    def of(self, scene: Scene) -> Iterable[Placed]:
        """Return the names of engines, crossed swords between those who fight, bursts where walls were
        struck, and every result.
        """
        blows = [
            (n, trace)
            for n, trace in enumerate(scene.traces)
            if trace.path and trace.kind in ("fight", "strike", "shot")
        ]
        if not blows and not scene.things:
            return []
        plan = labels.Plan((self.frame.width, self.frame.height))
        about = (
            tuple((token.cells, token.look == "out") for token in scene.tokens),
            scene.things,
            scene.sides,
        )
        if about != self._about:
            _take(plan, scene, self.cells, self.book.drop)
            self._names = [
                self._name(plan, scene, thing)
                for thing in sorted(scene.things, key=lambda each: each.id)
                if _is_named(thing)
            ]
            self._about, self._taken = about, list(plan.taken)
        if not blows:
            return self._names
        plan.taken = list(self._taken)
        for trace in scene.traces:
            if trace.path and trace.kind not in ("fight", "shot", "strike"):
                ((x, y),) = self.frame.spots(trace.path[:1])
                plan.take(
                    x - UNIT * 0.5,
                    y + self.book.drop - UNIT * 0.5,
                    x + UNIT * 0.5,
                    y + self.book.drop,
                    labels.GHOST,
                )
        return [*self._names, *self._blows(plan, blows), *self._shots(plan, blows)]

    def _lay(self, plan: labels.Plan, size: Spot, spots: Sequence[Spot]) -> tuple[int, int]:
        x, y = plan.lay(size, spots, UNIT)
        return round(x + self.left), round(y + self.top)

    def _name(self, plan: labels.Plan, scene: Scene, thing: Thing) -> Placed:
        look = counters.look_of(scene.sides, thing.side)
        numbers = (f"{thing.number}/{thing.full}",) if thing.full else ()
        theme = self.book.theme
        drawn = self.book.once(
            svg_tokens.plate, look.shape, theme.side(look.colour), theme.paper, thing.id, numbers, 0.8
        )
        size = (1.36 * UNIT * 0.8, (0.74 if numbers else 0.4) * UNIT * 0.8)
        return Placed(
            rank(Layer.NAME, thing.id),
            f"thing/{thing.id}/name",
            drawn,
            *self._lay(plan, size, _beside(thing, self.left, self.top)),
        )

    def _blows(self, plan: labels.Plan, blows: Sequence[tuple[int, Trace]]) -> Iterable[Placed]:
        book, frame = self.book, self.frame
        marks: list[tuple[int, Trace, Spot]] = []
        for n, trace in blows:
            if trace.kind == "fight" and len(trace.path) > 1:
                marks.append((n, trace, labels.middle(frame, trace)))
            elif trace.kind == "strike":
                marks.append((n, trace, labels.struck(frame, trace)))
        for _, _, (x, y) in marks:
            plan.take(x - UNIT * 0.3, y - UNIT * 0.3, x + UNIT * 0.3, y + UNIT * 0.3, labels.LABEL)
        for n, trace, (x, y) in marks:
            key, place = f"trace/{n}", (round(x + frame.left), round(y + frame.top))
            drawn = svg_signs.swords(book, 0.36) if trace.kind == "fight" else svg_signs.impact(book)
            yield Placed(rank(Layer.MARK, key), key, drawn, *place, trace_words(trace, self.cells))
            if text := plain(trace.text, 40):
                around = [(x + right * UNIT, y + down * UNIT) for right, down in labels.ROUND_FIGHT]
                at = self._lay(plan, svg_signs.pill_size(text), around)
                yield Placed(
                    rank(Layer.RESULT, key),
                    f"{key}/result",
                    book.once(svg_signs.pill, text, book.theme.melee, True),
                    *at,
                )
                if math.dist(at, place) > UNIT * labels.FAR:
                    yield Placed(
                        rank(Layer.SHOTS, key, 1),
                        f"{key}/lead",
                        book.once(svg_arrows.lead, place, at, book.theme.melee),
                    )

    def _shots(self, plan: labels.Plan, blows: Sequence[tuple[int, Trace]]) -> Iterable[Placed]:
        for n, trace in blows:
            text = plain(trace.text, 40)
            if trace.kind != "shot" or len(trace.path) < 2 or not text:
                continue
            (ax, ay), (bx, by) = self.frame.spots((trace.path[0], trace.path[-1]))
            length = math.hypot(bx - ax, by - ay) or 1.0
            nx, ny = -(by - ay) / length * UNIT, (bx - ax) / length * UNIT
            spots = [
                (ax + (bx - ax) * t + nx * off, ay + (by - ay) * t + ny * off + self.book.drop)
                for t, off in labels.ALONG_SHOT
            ]
            at = self._lay(plan, svg_signs.pill_size(text), spots)
            drawn = self.book.once(svg_signs.pill, text, self.book.theme.shot, False)
            yield Placed(rank(Layer.RESULT, f"trace/{n}"), f"trace/{n}/result", drawn, *at)


def _is_named(thing: Thing) -> bool:
    return thing.kind in engines.NAMED and bool(thing.cells)


def _beside(thing: Thing, left: int, top: int) -> list[Spot]:
    """Return the places for the name of a thing, the best first: of a ladder at its head on the wall, or at
    its ends, where it is seen.
    """
    x, y = (sum(cell[axis] for cell in thing.cells) / len(thing.cells) for axis in (0, 1))
    x, y, turn = x - left, y - top, math.radians(engines.angle_of(thing))
    back = 1.62 if len(thing.cells) > 2 else 0.86
    ways = (math.pi, math.pi - 1.05, math.pi + 1.05, 1.57, -1.57)
    spots = [
        (x + math.cos(turn + way) * UNIT * back, y + math.sin(turn + way) * UNIT * back * 0.92)
        for way in ways
    ]
    if thing.kind == "ladder":
        run, places = (turn, HEAD) if thing.stands == "raised" else (_run(thing), ENDS)
        cos, sin = math.cos(run) * UNIT, math.sin(run) * UNIT
        return [*((x + cos * far - sin * off, y + sin * far + cos * off) for far, off in places), *spots]
    return [(x, y), *spots] if len(thing.cells) == 2 else spots


def _run(thing: Thing) -> float:
    """Return the direction from the first hex of a thing to its last."""
    (ax, ay), (bx, by) = thing.cells[0], thing.cells[-1]
    return math.atan2(by - ay, bx - ax)


def _take(plan: labels.Plan, scene: Scene, cells: Cells, drop: float) -> None:
    """Mark the room that counters, single engines and the numbers of hexes take."""
    frame, half = cells.frame, HALF
    for token in scene.tokens:
        for x, y in frame.spots(token.cells):
            plan.take(
                x - half * 1.08, y + drop - half * 1.04, x + half * 1.15, y + drop + half * 1.04, labels.BODY
            )
            if token.look != "out":
                plan.take(x - half, y + drop - half, x + half, y + drop - half * 0.4, labels.LETTERS)
                plan.take(x - half, y + drop + half * 0.4, x + half, y + drop + half, labels.LETTERS)
    for thing in scene.things:
        if thing.kind in engines.NAMED and len(thing.cells) == 1:
            ((x, y),) = frame.spots(thing.cells)
            plan.take(x - UNIT * 0.5, y - UNIT * 0.5, x + UNIT * 0.5, y + UNIT * 0.5, labels.BODY)
    plan.taken += cells.rooms
