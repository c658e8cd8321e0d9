"""What lies on the ground of a scene, piece by piece from the lowest to the highest: where each stands, and what it is in words.

The drawn map and the boards of the pages are made of the same pieces; how each looks is drawn in ``svg_tokens``, ``svg_things`` and
``svg_signs``. What a piece is called (its key) stays the same from scene to scene, so that a page knows who moved.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pbem.core.scene import Point, Scene, Thing, Token, Trace

from . import arrows, counters, engines, figures, furniture, svg_signs, svg_things, svg_tokens, text, works
from .frame import Box, bounds
from .lettering import plain
from .svg_pen import UNIT, Book, Spot

FEATURE, CHANGED, FIGHT, THING, FIRE, AGAIN, MOVE, SHOTS, DEAD, LIVING, FRONT, NUMBER, GRAVE, NAME, MARK, RESULT = range(16)
"""The layers, the lowest first."""
LONGEST = 600
"""Signs of the words of one piece, at most."""
Room = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Placed:
    """A piece of the map: what it is called, how it is drawn (round its place), its place, its words, its hexes, its height."""

    rank: tuple[int, int, int, int, str]
    key: str
    drawn: str
    x: int = 0
    y: int = 0
    words: str = ""
    at: tuple[str, ...] = ()


def placed(book: Book, scene: Scene) -> list[Placed]:
    """Return all pieces of a scene, the lowest first."""
    found = [*_ground(book, scene), *_things(book, scene), *_ways(book, scene), *_figures(book, scene)]
    found += _results(book, scene, bounds(scene))
    return sorted(found, key=lambda piece: piece.rank)


def _rank(layer: int, key: str, first: int = 0, second: int = 0, third: int = 0) -> tuple[int, int, int, int, str]:
    return layer, first, second, third, key


def _said(text_: str) -> str:
    return plain(text_, LONGEST)


def _ground(book: Book, scene: Scene) -> Iterable[Placed]:
    """Give what has become of hexes, and the rims of those where something changed or is fought about."""
    for what in scene.features:
        x, y = what.centre
        order = works.ORDER.index(what.kind) if what.kind in works.ORDER else 0
        key = f"feature/{what.at}"
        words = _said(f"{what.at}: {text.feature_words(what)}")
        layer = FIRE if what.kind == "fire" else FEATURE
        drawn = book.once(svg_signs.feature, what)
        yield Placed(_rank(layer, key, order), f"{key}/{what.kind}" if what.kind == "wall" else key, drawn, x, y, words, (what.at,))
        told = svg_signs.feature_number(book, what)
        if told is not None:
            yield Placed(_rank(NUMBER, key), f"{key}/number", told[0], round(x + told[1][0]), round(y + told[1][1]))
    at = {area.centre: area.at for area in scene.areas}
    for area in scene.areas:
        if area.changed:
            yield Placed(_rank(CHANGED, area.at), f"changed/{area.at}", book.once(svg_signs.rim, area.at, False), *area.centre)
    fights = [trace for trace in scene.traces if trace.kind == "fight" and trace.path]
    for cell in sorted({cell for trace in fights for cell in _fighting(scene, trace) if cell in at}):
        yield Placed(_rank(FIGHT, at[cell]), f"fight/{at[cell]}", book.once(svg_signs.rim, at[cell], True), *cell)


def _fighting(scene: Scene, trace: Trace) -> list[Point]:
    """Return the hexes of those who take part in a fight and are still where it was."""
    names = {*trace.actors, *trace.targets}
    found = [cell for token in scene.tokens if token.id in names and token.state != "dead" for cell in token.cells]
    return [*found, trace.path[0], trace.path[-1]]


def _things(book: Book, scene: Scene) -> Iterable[Placed]:
    """Give what is built, carried and rolled, and the numbers of the hexes under it."""
    for thing in scene.things:
        if not thing.cells:
            continue
        key, (x, y) = f"thing/{thing.id}", thing.cells[0]
        colour = book.theme.side(counters.look_of(scene.sides, thing.side).colour)
        turn, offsets = engines.angle_of(thing), _offsets(thing)
        order = engines.ORDER.index(thing.kind) if thing.kind in engines.ORDER else len(engines.ORDER)
        drawn = svg_things.thing(book, thing.kind, thing.stands, offsets, turn, colour)
        yield Placed(_rank(THING, key, order, y, x), key, drawn, x, y, _said(text.thing_line(scene, thing)), thing.at)
        if thing.kind in engines.FRONTED:
            front, (dx, dy) = svg_things.front(book, offsets, turn, colour)
            yield Placed(_rank(FRONT, key), f"{key}/front", front, round(x + dx), round(y + dy))
    numbers = {cell for thing in scene.things if thing.kind != "winch" for cell in thing.cells}
    for area in scene.areas:
        if area.centre in numbers:
            yield Placed(_rank(AGAIN, area.at), f"number/{area.at}", book.once(svg_signs.hex_number, area.at), *area.centre)


def _offsets(thing: Thing) -> tuple[Spot, ...]:
    first = thing.cells[0]
    return tuple(((x - first[0]) / UNIT, (y - first[1]) / UNIT) for x, y in thing.cells)


def _ways(book: Book, scene: Scene) -> Iterable[Placed]:
    """Give moves, with the outline that who went left behind, and shots."""
    numbers = {area.centre: area.at for area in scene.areas}
    for n, trace in enumerate(scene.traces):
        key, look = f"trace/{n}", counters.look_of(scene.sides, trace.side)
        if trace.kind in arrows.MOVES and len(trace.path) > 1:
            drawn = book.once(svg_signs.arrow, tuple(svg_signs.way_of(trace)), trace.kind, book.theme.side(look.colour))
            yield Placed(_rank(MOVE, key), key, drawn, words=_trace(trace, numbers))
            if trace.kind != "enter" and trace.kind not in arrows.THIN and trace.actors:
                yield _ghost(book, trace, key, look.shape, look.colour)
        elif trace.kind == "shot" and len(trace.path) > 1:
            a, b = trace.path[0], trace.path[-1]
            yield Placed(_rank(SHOTS, key), key, book.once(svg_signs.shot, a, b), words=_trace(trace, numbers))


def _trace(trace: Trace, numbers: dict[Point, str]) -> str:
    return _said(text.trace_line(trace, numbers))


def _ghost(book: Book, trace: Trace, key: str, form: str, colour: str) -> Placed:
    x, y = trace.path[0]
    label = trace.actors[0]
    if trace.tails:
        turn = figures.angle(trace.path[0], trace.tails[0])
        drawn = book.once(svg_tokens.long_ghost, form, colour, label, turn)
    else:
        drawn = book.once(svg_tokens.ghost, form, colour, label)
    return Placed(_rank(MOVE, key, 1), f"{key}/ghost", drawn, x, round(y + svg_signs.DROP))


def _figures(book: Book, scene: Scene) -> Iterable[Placed]:
    """Give the dead, the living from the back to the front, and the graves."""
    shown = [token for token in scene.tokens if token.cells]
    living = [token for token in shown if token.state != "dead"]
    covered = {cell for token in living for cell in token.cells}
    together: dict[Point, list[Token]] = {}
    for token in living:
        together.setdefault(token.cells[0], []).append(token)
    names = {look.side: plain(look.name, 60) for look in scene.sides}
    dead: dict[Point, list[Token]] = {}
    numbers = {area.centre: area.at for area in scene.areas}
    for token in shown:
        if token.state == "dead":
            dead.setdefault(token.cells[0], []).append(token)
    for cell, bodies in sorted(dead.items()):
        for place, token in enumerate(bodies):
            seen = len(token.cells) > 1 or (place == 0 and cell not in covered)
            drawn = _drawn(book, scene, token, "", 1.0, 1) if seen else ""
            words = _words(token, "", names)
            yield Placed(
                _rank(DEAD, token.id, cell[1], cell[0]),
                f"token/{token.id}",
                drawn,
                cell[0],
                round(cell[1] + svg_signs.DROP),
                words,
                token.at,
            )
        count = max(len(bodies), max(token.weight for token in bodies))
        if cell in covered:
            yield _grave(book, numbers.get(cell, ""), count, 0.54, cell[0] - 0.64 * UNIT, cell[1] + 0.18 * UNIT)
        elif count > 1:
            yield _grave(book, numbers.get(cell, ""), count, 0.62, cell[0] + 0.5 * UNIT, cell[1] + 0.34 * UNIT)
    told = figures.storeys(scene)
    for token in living:
        cell = token.cells[0]
        others = together[cell]
        right, down = figures.beside(others, token)
        x, y = round(cell[0] + right * UNIT), round(cell[1] + svg_signs.DROP + down * UNIT)
        storey = told.get(token.id, "")
        drawn = _drawn(book, scene, token, storey, figures.PAIR if len(others) > 1 else 1.0, -1 if right < 0 else 1)
        words = _words(token, furniture.STOREYS.get(storey, ""), names)
        yield Placed(_rank(LIVING, token.id, token.level, cell[1], cell[0]), f"token/{token.id}", drawn, x, y, words, token.at)
        if token.weight and cell not in dead:
            yield _grave(book, numbers.get(cell, ""), token.weight, 0.54, cell[0] - 0.64 * UNIT, cell[1] + svg_signs.DROP)


def _grave(book: Book, at: str, count: int, size: float, x: float, y: float) -> Placed:
    drawn = book.once(svg_tokens.pile, count, size)
    return Placed(_rank(GRAVE, at), f"dead/{at}", drawn, round(x), round(y))


def _words(token: Token, storey: str, names: dict[str, str]) -> str:
    """Return what a figure is for those who do not see it: its hex, name, class, values, state, and whose it is."""
    side = names.get(token.side, "") or plain(token.side, 60)
    return _said(text.unit_line(token, storey) + (f", {side}" if side else ""))


def _drawn(book: Book, scene: Scene, token: Token, storey: str, share: float, hand: int) -> str:
    """Return a figure with its badges; ``hand`` is the side on which they begin: 1 right, -1 left."""
    look = counters.look_of(scene.sides, token.side)
    turn = figures.angle(token.cells[0], token.cells[1]) if len(token.cells) > 1 else None
    badges = counters.badges_of(token) if token.state != "dead" else ()
    where = 1 if token.level and share < 1 else -1
    return book.once(
        svg_tokens.figure,
        svg_tokens.Figure(
            look.shape, look.colour, token.id, token.symbol, token.numbers[:3], token.state, turn, badges, hand, storey, where
        ),
        share,
    )


def _results(book: Book, scene: Scene, within: Box) -> Iterable[Placed]:
    """Give the names of engines, crossed swords between those who fight, bursts where walls were struck, and every result."""
    taken = _taken(scene) if scene.traces or scene.things else []
    for thing in sorted(scene.things, key=lambda each: each.id):
        if thing.kind in engines.NAMED and thing.cells:
            yield _plate(book, scene, thing, within, taken)
    numbers = {area.centre: area.at for area in scene.areas}
    around = ((0.0, 1.1), (0.0, -1.25), (1.6, 0.0), (-1.6, 0.0), (1.3, 1.1), (-1.3, 1.1), (1.3, -1.2), (-1.3, -1.2))
    for n, trace in enumerate(scene.traces):
        if not trace.path or trace.kind not in ("fight", "strike", "shot"):
            continue
        key, a, b = f"trace/{n}", trace.path[0], trace.path[-1]
        spots: Sequence[Spot]
        if trace.kind == "shot":
            if len(trace.path) < 2:
                continue
            shares = (0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74)
            spots = [(a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t + svg_signs.DROP) for t in shares]
        else:
            share = 0.5 if trace.kind == "fight" else 0.58
            x, y = a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share
            y += svg_signs.DROP if trace.kind == "fight" else 0
            drawn = svg_signs.swords(book) if trace.kind == "fight" else svg_signs.impact(book)
            if trace.kind == "strike" or len(trace.path) > 1:
                yield Placed(_rank(MARK, key), key, drawn, round(x), round(y), _trace(trace, numbers))
            taken.append((x - 0.3 * UNIT, y - 0.3 * UNIT, x + 0.3 * UNIT, y + 0.3 * UNIT))
            spots = [(x + right * UNIT, y + down * UNIT) for right, down in around]
        if trace.text:
            said = plain(trace.text, 40)
            strong, colour = trace.kind != "shot", book.theme.shot if trace.kind == "shot" else book.theme.melee
            x, y = _free(spots, svg_signs.pill_size(said), within, taken)
            drawn = book.once(svg_signs.pill, said, colour, strong)
            yield Placed(_rank(RESULT, key), f"{key}/result", drawn, round(x), round(y))


def _plate(book: Book, scene: Scene, thing: Thing, within: Box, taken: list[Room]) -> Placed:
    look = counters.look_of(scene.sides, thing.side)
    x, y = (sum(cell[axis] for cell in thing.cells) / len(thing.cells) for axis in (0, 1))
    turn = math.radians(engines.angle_of(thing))
    back = 1.62 if len(thing.cells) > 2 else 0.86
    ways = (math.pi, math.pi - 1.05, math.pi + 1.05, 1.57, -1.57)
    spots = [(x + math.cos(turn + way) * UNIT * back, y + math.sin(turn + way) * UNIT * back * 0.92) for way in ways]
    if len(thing.cells) == 2:
        spots = [(x, y), *spots]
    numbers = (f"{thing.number}/{thing.full}",) if thing.full else ()
    share = 0.8
    size = (1.36 * UNIT * share, (0.74 if numbers else 0.4) * UNIT * share)
    px, py = _free(spots, size, within, taken)
    drawn = book.once(svg_tokens.plate, look.shape, book.theme.side(look.colour), book.theme.paper, thing.id, numbers, share)
    return Placed(_rank(NAME, thing.id), f"thing/{thing.id}/name", drawn, round(px), round(py))


def _taken(scene: Scene) -> list[Room]:
    """Return the room that counters, single engines and, where there are engines, the numbers of hexes take."""
    found = []
    drop = svg_signs.DROP
    for token in scene.tokens:
        for x, y in token.cells:
            found.append((x - UNIT * 0.66, y + drop - UNIT * 0.8, x + UNIT * 0.8, y + drop + UNIT * 0.66))
    for thing in scene.things:
        if thing.kind in engines.NAMED and len(thing.cells) == 1:
            x, y = thing.cells[0]
            found.append((x - UNIT * 0.5, y - UNIT * 0.5, x + UNIT * 0.5, y + UNIT * 0.5))
    if scene.things:
        found += [(x - UNIT * 0.38, y - UNIT * 0.84, x + UNIT * 0.38, y - UNIT * 0.54) for x, y in (area.centre for area in scene.areas)]
    return found


def _free(spots: Sequence[Spot], size: Spot, within: Box, taken: list[Room]) -> Spot:
    """Return the first of some places at which a label hides least, wholly on the map, and mark its room as taken."""
    half, high = size[0] / 2, size[1] / 2

    def room(spot: Spot) -> Room:
        x = min(max(spot[0], within[0] + half), max(within[0] + half, within[2] - half))
        y = min(max(spot[1], within[1] + high), max(within[1] + high, within[3] - high))
        return x - half, y - high, x + half, y + high

    rooms = [room(spot) for spot in spots]
    left, top = min(box[0] for box in rooms), min(box[1] for box in rooms)
    right, low = max(box[2] for box in rooms), max(box[3] for box in rooms)
    close = [box for box in taken if box[0] < right and box[2] > left and box[1] < low and box[3] > top]

    def hidden(box: Room) -> float:
        return sum(
            max(0.0, min(box[2], other[2]) - max(box[0], other[0])) * max(0.0, min(box[3], other[3]) - max(box[1], other[1]))
            for other in close
        )

    best = min(rooms, key=hidden)
    taken.append(best)
    return (best[0] + best[2]) / 2, (best[1] + best[3]) / 2
