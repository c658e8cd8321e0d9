"""What lies on the ground of a scene, piece by piece from the lowest to the highest: where each stands, and what it is in words.

The drawn map and the boards of the pages are made of the same pieces; how each looks is drawn in ``svg_tokens``, ``svg_things`` and
``svg_signs``. What a piece is called (its key) stays the same from scene to scene, so that a page knows who moved.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from pbem.core.scene import Feature, Point, Scene, SideLook, Thing, Token, Trace

from . import arrows, counters, engines, figures, furniture, labels, svg_arrows, svg_signs, svg_things, svg_tokens, text, works
from .frame import Frame, bounds
from .lettering import plain
from .svg_pen import UNIT, Book, Spot
from .svg_tokens import HALF

FEATURE, CHANGED, FIGHT, THING, FIRE, AGAIN, MOVE, SHOTS, DEAD, LIVING, FRONT, NUMBER, GRAVE, NAME, MARK, RESULT = range(16)
"""The layers, the lowest first."""
LONGEST = 600
"""Signs of the words of one piece, at most."""


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


class _Cells:
    """What is known of the cells of a map: their numbers, and the room that these take in a frame of the whole."""

    def __init__(self, scene: Scene) -> None:
        self.areas = scene.areas
        self.at = {area.centre: area.at for area in scene.areas}
        left, top, right, bottom = bounds(scene)
        self.frame = Frame(1.0, left, top, right - left, bottom - top)
        middles = self.frame.spots(self.at)
        self.rooms = [(x - UNIT * 0.38, y - UNIT * 0.84, x + UNIT * 0.38, y - UNIT * 0.54, labels.NUMBER) for x, y in middles]


def placed(book: Book, scene: Scene) -> list[Placed]:
    """Return all pieces of a scene, the lowest first; no two of them have the same key."""
    if book.cells is None or book.cells.areas is not scene.areas:
        book.cells = _Cells(scene)
    cells: _Cells = book.cells
    found = [*_ground(book, scene, cells), *_things(book, scene, cells), *_ways(book, scene, cells), *_figures(book, scene, cells)]
    found += _results(book, scene, cells)
    found.sort(key=lambda piece: piece.rank)
    keys: set[str] = set()
    for place, piece in enumerate(found):
        if piece.key in keys:
            found[place] = replace(piece, key=f"{piece.key}/{place}")
        keys.add(found[place].key)
    return found


def _rank(layer: int, key: str, first: int = 0, second: int = 0, third: int = 0) -> tuple[int, int, int, int, str]:
    return layer, first, second, third, key


def _said(text_: str) -> str:
    return plain(text_, LONGEST)


def _ground(book: Book, scene: Scene, cells: _Cells) -> Iterable[Placed]:
    """Give what has become of hexes, and the rims of those where something changed or is fought about."""
    for what in scene.features:
        yield from book.once(_feature, what)
    for area in scene.areas:
        if area.changed:
            yield Placed(_rank(CHANGED, area.at), f"changed/{area.at}", book.once(svg_signs.rim, area.at, False), *area.centre)
    fights = [trace for trace in scene.traces if trace.kind == "fight" and trace.path]
    for cell in sorted({cell for trace in fights for cell in _fighting(scene, trace) if cell in cells.at}):
        at = cells.at[cell]
        yield Placed(_rank(FIGHT, at), f"fight/{at}", book.once(svg_signs.rim, at, True), *cell)


def _feature(book: Book, what: Feature) -> list[Placed]:
    x, y = what.centre
    order = works.ORDER.index(what.kind) if what.kind in works.ORDER else 0
    key, layer = f"feature/{what.at}", FIRE if what.kind == "fire" else FEATURE
    words = _said(f"{what.at}: {text.feature_words(what)}")
    found = [Placed(_rank(layer, key, order), key, book.once(svg_signs.feature, what), x, y, words, (what.at,))]
    told = svg_signs.feature_number(book, what)
    if told is not None:
        drawn, (dx, dy) = told
        found.append(Placed(_rank(NUMBER, key), f"{key}/number", drawn, round(x + dx), round(y + dy)))
    return found


def _fighting(scene: Scene, trace: Trace) -> list[Point]:
    """Return the hexes of those who take part in a fight and are still where it was."""
    names = {*trace.actors, *trace.targets}
    found = [cell for token in scene.tokens if token.id in names and token.state != "dead" for cell in token.cells]
    return [*found, trace.path[0], trace.path[-1]]


def _things(book: Book, scene: Scene, cells: _Cells) -> Iterable[Placed]:
    """Give what is built, carried and rolled, and the numbers of the hexes under it."""
    for thing in scene.things:
        if thing.cells:
            yield from book.once(_thing, thing, scene.sides)
    for cell in sorted({cell for thing in scene.things if thing.kind != "winch" for cell in thing.cells if cell in cells.at}):
        at = cells.at[cell]
        yield Placed(_rank(AGAIN, at), f"number/{at}", book.once(svg_signs.hex_number, at), *cell)


def _thing(book: Book, thing: Thing, sides: tuple[SideLook, ...]) -> list[Placed]:
    key, (x, y) = f"thing/{thing.id}", thing.cells[0]
    colour = book.theme.side(counters.look_of(sides, thing.side).colour)
    turn, offsets = engines.angle_of(thing), _offsets(thing)
    order = engines.ORDER.index(thing.kind) if thing.kind in engines.ORDER else len(engines.ORDER)
    drawn = svg_things.thing(book, thing.kind, thing.stands, offsets, turn, colour)
    words = _said(text.thing_line(Scene("", "", (), sides=sides), thing))
    found = [Placed(_rank(THING, key, order, y, x), key, drawn, x, y, words, thing.at)]
    if thing.kind in engines.FRONTED:
        front, (dx, dy) = svg_things.front(book, offsets, turn, colour)
        found.append(Placed(_rank(FRONT, key), f"{key}/front", front, round(x + dx), round(y + dy)))
    return found


def _offsets(thing: Thing) -> tuple[Spot, ...]:
    first = thing.cells[0]
    return tuple(((x - first[0]) / UNIT, (y - first[1]) / UNIT) for x, y in thing.cells)


def _ways(book: Book, scene: Scene, cells: _Cells) -> Iterable[Placed]:
    """Give moves, with the outline that who went left behind, and shots."""
    for n, trace in enumerate(scene.traces):
        key, look = f"trace/{n}", counters.look_of(scene.sides, trace.side)
        if trace.kind in arrows.MOVES and len(trace.path) > 1:
            drawn = book.once(svg_arrows.arrow, tuple(svg_arrows.way_of(trace)), trace.kind, book.theme.side(look.colour))
            yield Placed(_rank(MOVE, key), key, drawn, words=_trace(trace, cells))
            if trace.kind != "enter" and trace.kind not in arrows.THIN and trace.actors:
                yield _ghost(book, trace, key, look.shape, look.colour)
        elif trace.kind == "shot" and len(trace.path) > 1:
            a, b = trace.path[0], trace.path[-1]
            yield Placed(_rank(SHOTS, key), key, book.once(svg_arrows.shot, a, b), words=_trace(trace, cells))


def _trace(trace: Trace, cells: _Cells) -> str:
    return _said(text.trace_line(trace, cells.at))


def _ghost(book: Book, trace: Trace, key: str, form: str, colour: str) -> Placed:
    x, y = trace.path[0]
    label = trace.actors[0]
    if trace.tails:
        turn = figures.angle(trace.path[0], trace.tails[0])
        drawn = book.once(svg_tokens.long_ghost, form, colour, label, turn)
    else:
        drawn = book.once(svg_tokens.ghost, form, colour, label)
    return Placed(_rank(MOVE, key, 1), f"{key}/ghost", drawn, x, round(y + svg_arrows.DROP))


def _figures(book: Book, scene: Scene, cells: _Cells) -> Iterable[Placed]:
    """Give the dead, the living from the back to the front, and the graves."""
    together: dict[Point, list[Token]] = {}
    dead: dict[Point, list[Token]] = {}
    covered: set[Point] = set()
    looks = {side: counters.look_of(scene.sides, side) for side in {token.side for token in scene.tokens}}
    for token in scene.tokens:
        if token.cells:
            (dead if token.state == "dead" else together).setdefault(token.cells[0], []).append(token)
            covered.update(token.cells if token.state != "dead" else ())
    for cell, bodies in dead.items():
        for place, token in enumerate(bodies):
            seen = len(token.cells) > 1 or (place == 0 and cell not in covered)
            yield book.once(_body, token, looks[token.side], seen)
        count = max(len(bodies), max(token.weight for token in bodies))
        if cell in covered:
            yield _grave(book, cells, cell, count, figures.PILE, *_pile_at(cell[0], cell[1] + svg_arrows.DROP, 1.0))
        elif count > 1:
            yield _grave(book, cells, cell, count, 0.62, cell[0] + 0.5 * UNIT, cell[1] + 0.34 * UNIT)
    told = figures.storeys(scene)
    for cell, others in together.items():
        share = figures.PAIR if len(others) > 1 else 1.0
        for token in others:
            aside = figures.beside(others, token)
            piled = bool(token.weight) or cell in dead
            piece = book.once(_living, token, looks[token.side], told.get(token.id, ""), share, aside, piled)
            yield piece
            if token.weight and cell not in dead:
                yield _grave(book, cells, cell, token.weight, figures.PILE * share, *_pile_at(piece.x, piece.y, share))


def _body(book: Book, token: Token, look: SideLook, seen: bool) -> Placed:
    """Return a body; one that others lie on is not drawn, but has its words."""
    x, y = token.cells[0]
    drawn = _drawn(book, token, look, "", 1.0, 1, False) if seen else ""
    y_ = round(y + svg_arrows.DROP)
    return Placed(_rank(DEAD, token.id, y, x), f"token/{token.id}", drawn, x, y_, _words(token, look, ""), token.at)


def _living(book: Book, token: Token, look: SideLook, storey: str, share: float, aside: Spot, piled: bool) -> Placed:
    """Return a living figure, which may share its hex with others."""
    x, y = token.cells[0]
    right, down = aside
    drawn = _drawn(book, token, look, storey, share, -1 if right < 0 else 1, piled)
    words = _words(token, look, furniture.STOREYS.get(storey, ""))
    place = round(x + right * UNIT), round(y + svg_arrows.DROP + down * UNIT)
    return Placed(_rank(LIVING, token.id, token.level, y, x), f"token/{token.id}", drawn, *place, words, token.at)


def _pile_at(x: float, y: float, share: float) -> Spot:
    """Return where the mark of bodies lies beside a counter: at its left, as low as its symbol."""
    return x - 0.72 * UNIT * share, y + figures.ROW * UNIT * share


def _grave(book: Book, cells: _Cells, cell: Point, count: int, size: float, x: float, y: float) -> Placed:
    at = cells.at.get(cell, "")
    return Placed(_rank(GRAVE, at), f"dead/{at}", book.once(svg_tokens.pile, count, size), round(x), round(y))


def _words(token: Token, look: SideLook, storey: str) -> str:
    """Return what a figure is for those who do not see it: its hex, name, class, values, state, and whose it is."""
    side = plain(look.name or token.side, 60)
    return _said(text.unit_line(token, storey) + (f", {side}" if side else ""))


def _drawn(book: Book, token: Token, look: SideLook, storey: str, share: float, hand: int, piled: bool) -> str:
    """Return a figure with its badges; ``hand`` is the side on which they begin: 1 right, -1 left."""
    turn = figures.angle(token.cells[0], token.cells[1]) if len(token.cells) > 1 else None
    badges = counters.badges_of(token) if token.state != "dead" else ()
    spots = figures.badge_spots(len(badges), piled)
    what = svg_tokens.Figure(
        look.shape,
        look.colour,
        token.id,
        token.symbol,
        token.numbers[:3],
        token.state,
        turn,
        badges,
        tuple((x * hand, y) for x, y in spots),
        storey,
        1 if token.level and share < 1 else -1,
    )
    return book.once(svg_tokens.figure, what, share)


@dataclass(frozen=True, slots=True)
class _Size:
    """How large something is that is only laid, in scene units."""

    width: float
    height: float


def _results(book: Book, scene: Scene, cells: _Cells) -> Iterable[Placed]:
    """Give the names of engines, crossed swords between those who fight, bursts where walls were struck, and every result."""
    named = [thing for thing in sorted(scene.things, key=lambda each: each.id) if thing.kind in engines.NAMED and thing.cells]
    blows = [(n, trace) for n, trace in enumerate(scene.traces) if trace.path and trace.kind in ("fight", "strike", "shot")]
    if not named and not blows:
        return
    frame = cells.frame
    left, top = round(frame.left), round(frame.top)
    plan = _plan(scene, cells)

    def lay(size: Spot, spots: Sequence[Spot]) -> tuple[int, int]:
        x, y = plan.lay(cast(Any, _Size(*size)), spots, UNIT)
        return round(x + left), round(y + top)

    for thing in named:
        look = counters.look_of(scene.sides, thing.side)
        numbers = (f"{thing.number}/{thing.full}",) if thing.full else ()
        drawn = book.once(svg_tokens.plate, look.shape, book.theme.side(look.colour), book.theme.paper, thing.id, numbers, 0.8)
        at = lay((1.36 * UNIT * 0.8, (0.74 if numbers else 0.4) * UNIT * 0.8), _beside(thing, left, top))
        yield Placed(_rank(NAME, thing.id), f"thing/{thing.id}/name", drawn, *at)
    yield from _marks(book, cells, blows, plan, lay)


def _marks(
    book: Book, cells: _Cells, blows: Sequence[tuple[int, Trace]], plan: labels.Plan, lay: Callable[..., tuple[int, int]]
) -> Iterable[Placed]:
    frame = cells.frame
    placed_: list[tuple[int, Trace, Spot]] = []
    for n, trace in blows:
        if trace.kind == "fight" and len(trace.path) > 1:
            placed_.append((n, trace, labels.middle(frame, trace)))
        elif trace.kind == "strike":
            placed_.append((n, trace, labels.struck(frame, trace)))
    for _, _, (x, y) in placed_:
        plan.take(x - UNIT * 0.3, y - UNIT * 0.3, x + UNIT * 0.3, y + UNIT * 0.3, labels.LABEL)
    for n, trace, (x, y) in placed_:
        key, place = f"trace/{n}", (round(x + frame.left), round(y + frame.top))
        drawn = svg_signs.swords(book, 0.36) if trace.kind == "fight" else svg_signs.impact(book)
        yield Placed(_rank(MARK, key), key, drawn, *place, _trace(trace, cells))
        if said := plain(trace.text, 40):
            at = lay(svg_signs.pill_size(said), [(x + right * UNIT, y + down * UNIT) for right, down in labels.ROUND_FIGHT])
            yield Placed(_rank(RESULT, key), f"{key}/result", book.once(svg_signs.pill, said, book.theme.melee, True), *at)
            if math.dist(at, place) > UNIT * labels.FAR:
                yield Placed(_rank(SHOTS, key, 1), f"{key}/lead", book.once(svg_arrows.lead, place, at, book.theme.melee))
    for n, trace in blows:
        said = plain(trace.text, 40)
        if trace.kind == "shot" and len(trace.path) > 1 and said:
            (ax, ay), (bx, by) = frame.spots((trace.path[0], trace.path[-1]))
            length = math.hypot(bx - ax, by - ay) or 1.0
            nx, ny = -(by - ay) / length * UNIT, (bx - ax) / length * UNIT
            spots = [(ax + (bx - ax) * t + nx * off, ay + (by - ay) * t + ny * off + svg_arrows.DROP) for t, off in labels.ALONG_SHOT]
            at = lay(svg_signs.pill_size(said), spots)
            drawn = book.once(svg_signs.pill, said, book.theme.shot, False)
            yield Placed(_rank(RESULT, f"trace/{n}"), f"trace/{n}/result", drawn, *at)


def _beside(thing: Thing, left: int, top: int) -> list[Spot]:
    """Return the places for the name of a thing, the best first."""
    x, y = (sum(cell[axis] for cell in thing.cells) / len(thing.cells) for axis in (0, 1))
    x, y, turn = x - left, y - top, math.radians(engines.angle_of(thing))
    back = 1.62 if len(thing.cells) > 2 else 0.86
    ways = (math.pi, math.pi - 1.05, math.pi + 1.05, 1.57, -1.57)
    spots = [(x + math.cos(turn + way) * UNIT * back, y + math.sin(turn + way) * UNIT * back * 0.92) for way in ways]
    return [(x, y), *spots] if len(thing.cells) == 2 else spots


def _plan(scene: Scene, cells: _Cells) -> labels.Plan:
    """Return what room is taken on a map; that of the numbers of hexes is reckoned once."""
    frame = cells.frame
    plan = labels.Plan(cast(Any, _Size(frame.width, frame.height)))
    drop, half = svg_arrows.DROP, HALF
    for token in scene.tokens:
        for x, y in frame.spots(token.cells):
            plan.take(x - half * 1.08, y + drop - half * 1.04, x + half * 1.15, y + drop + half * 1.04, labels.BODY)
            if token.state != "dead":
                plan.take(x - half, y + drop - half, x + half, y + drop - half * 0.4, labels.LETTERS)
                plan.take(x - half, y + drop + half * 0.4, x + half, y + drop + half, labels.LETTERS)
    for thing in scene.things:
        if thing.kind in engines.NAMED and len(thing.cells) == 1:
            ((x, y),) = frame.spots(thing.cells)
            plan.take(x - UNIT * 0.5, y - UNIT * 0.5, x + UNIT * 0.5, y + UNIT * 0.5, labels.BODY)
    for trace in scene.traces:
        if trace.path and trace.kind not in ("fight", "shot", "strike"):
            ((x, y),) = frame.spots(trace.path[:1])
            plan.take(x - UNIT * 0.5, y + drop - UNIT * 0.5, x + UNIT * 0.5, y + drop, labels.GHOST)
    plan.taken += cells.rooms
    return plan
