"""What lies on the ground of a scene, piece by piece from the lowest to the highest: where each stands, and
what it is in words.

The drawn map and the boards of the pages are made of the same pieces; how each looks is drawn in
``svg_tokens``, ``svg_things`` and
``svg_signs``. What a piece is called (its key) stays the same from scene to scene, so that a page knows who
moved.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from pbem.core.scene import Feature, Point, Scene, SideLook, Thing, Token, Trace

from .. import text
from ..laid import free
from ..lettering import plain
from ..painted import arrows, bases, counters, engines, figures, furniture, works
from . import svg_arrows, svg_regions, svg_signs, svg_table, svg_things, svg_tokens
from .svg_labels import Labels
from .svg_pen import UNIT, Book, Spot, hexa
from .svg_placed import Cells, Layer, Placed, rank, said, trace_words


def placed(book: Book, scene: Scene) -> list[Placed]:
    """Return all pieces of a scene, the lowest first; no two of them have the same key."""
    if book.map is None or not book.map.cells.fit(scene):
        book.map = Labels(book, Cells(scene))
    named: Labels = book.map
    cells = named.cells
    found = [*svg_regions.placed(book, scene), *_ground(book, scene, cells), *_things(book, scene, cells)]
    found += [*_ways(book, scene, cells), *_figures(book, scene, cells)]
    found += named.of(scene)
    if free(scene):
        found += svg_table.placed(book, scene)
    found.sort(key=lambda piece: piece.rank)
    keys: set[str] = set()
    for place, piece in enumerate(found):
        if piece.key in keys:
            found[place] = replace(piece, key=f"{piece.key}/{place}")
        keys.add(found[place].key)
    return found


def _ground(book: Book, scene: Scene, cells: Cells) -> Iterable[Placed]:
    """Give what has become of hexes, and the rims of those where something changed or is fought about."""
    for what in scene.features:
        yield from book.once(_feature, what)
    for area in scene.areas:
        if area.changed:
            yield Placed(
                rank(Layer.CHANGED, area.at),
                f"changed/{area.at}",
                book.once(svg_signs.rim, area.at, False),
                *area.centre,
            )
    fights = [trace for trace in scene.traces if trace.kind == "fight" and trace.path]
    for cell in sorted({cell for trace in fights for cell in _fighting(scene, trace) if cell in cells.at}):
        at = cells.at[cell]
        yield Placed(rank(Layer.FIGHT, at), f"fight/{at}", book.once(svg_signs.rim, at, True), *cell)


def _feature(book: Book, what: Feature) -> list[Placed]:
    x, y = what.centre
    order = works.ORDER.index(what.kind) if what.kind in works.ORDER else 0
    key, layer = f"feature/{what.at}", Layer.FIRE if what.kind in works.ABOVE else Layer.FEATURE
    words = said(f"{what.at}: {text.feature_words(what)}")
    found = [
        Placed(rank(layer, key, order), key, book.once(svg_signs.feature, what), x, y, words, (what.at,))
    ]
    told = svg_signs.feature_number(book, what)
    if told is not None:
        drawn, (dx, dy) = told
        found.append(Placed(rank(Layer.NUMBER, key), f"{key}/number", drawn, round(x + dx), round(y + dy)))
    return found


def _fighting(scene: Scene, trace: Trace) -> list[Point]:
    """Return the hexes of those who take part in a fight and are still where it was."""
    names = {*trace.actors, *trace.targets}
    found = [
        cell for token in scene.tokens if token.id in names and token.look != "out" for cell in token.cells
    ]
    return [*found, trace.path[0], trace.path[-1]]


def _things(book: Book, scene: Scene, cells: Cells) -> Iterable[Placed]:
    """Give what is built, carried and rolled, and the numbers of the hexes under it."""
    for thing in scene.things:
        if thing.cells and thing.form is None:
            yield from book.once(_thing, thing, scene.sides)
    for cell in sorted(
        {cell for thing in scene.things if thing.kind != "winch" for cell in thing.cells if cell in cells.at}
    ):
        at = cells.at[cell]
        if free(scene):
            continue
        yield Placed(rank(Layer.AGAIN, at), f"number/{at}", book.once(svg_signs.hex_number, at), *cell)


def _thing(book: Book, thing: Thing, sides: tuple[SideLook, ...]) -> list[Placed]:
    key, (x, y) = f"thing/{thing.id}", thing.cells[0]
    colour = book.theme.side(counters.look_of(sides, thing.side).colour)
    turn, offsets = engines.angle_of(thing), _offsets(thing)
    order = engines.ORDER.index(thing.kind) if thing.kind in engines.ORDER else len(engines.ORDER)
    drawn = svg_things.thing(book, thing.kind, thing.stands, offsets, turn, colour)
    words = said(text.thing_line(Scene("", "", (), sides=sides), thing))
    found = [Placed(rank(Layer.THING, key, order, y, x), key, drawn, x, y, words, thing.at)]
    if thing.team:
        ropes = "".join(svg_arrows.rope(book, (0, 0), (end[0] - x, end[1] - y)) for end in thing.team)
        found.append(Placed(rank(Layer.THING, f"{key}/team", order, y, x), f"{key}/team", ropes, x, y))
    if thing.kind in engines.FRONTED:
        front, (dx, dy) = svg_things.front(book, offsets, turn, colour)
        found.append(Placed(rank(Layer.FRONT, key), f"{key}/front", front, round(x + dx), round(y + dy)))
    return found


def _offsets(thing: Thing) -> tuple[Spot, ...]:
    first = thing.cells[0]
    return tuple(((x - first[0]) / UNIT, (y - first[1]) / UNIT) for x, y in thing.cells)


def _ways(book: Book, scene: Scene, cells: Cells) -> Iterable[Placed]:
    """Give moves, with the outline that who went left behind, and shots."""
    for n, trace in enumerate(scene.traces):
        key, look = f"trace/{n}", counters.look_of(scene.sides, trace.side)
        if trace.kind in arrows.MOVES and len(trace.path) > 1:
            drawn = book.once(
                svg_arrows.arrow, tuple(svg_arrows.way_of(trace)), trace.kind, book.theme.side(look.colour)
            )
            yield Placed(rank(Layer.MOVE, key), key, drawn, words=trace_words(trace, cells))
            if trace.kind != "enter" and trace.kind not in arrows.THIN and trace.actors:
                who = next((token for token in scene.tokens if token.id == trace.actors[0]), None)
                yield _ghost(book, trace, key, look.shape, look.colour, who)
        elif trace.kind == "shot" and len(trace.path) > 1:
            a, b = trace.path[0], trace.path[-1]
            yield Placed(
                rank(Layer.SHOTS, key), key, book.once(svg_arrows.shot, a, b), words=trace_words(trace, cells)
            )


def _ghost(book: Book, trace: Trace, key: str, form: str, colour: str, base: Token | None = None) -> Placed:
    x, y = trace.path[0]
    label = trace.actors[0]
    if base is not None and base.form is not None:
        d = svg_table.outlined(
            (0, 0),
            base.form,
            (),
            bases.drawn_angle(base) or 0,
            fill=hexa(book.theme.paper),
            fill_opacity=".35",
            stroke=hexa(book.theme.side(colour)),
            stroke_width=22,
            stroke_dasharray=60,
        )
        return Placed(rank(Layer.MOVE, key, 1), f"{key}/ghost", d, x, y)
    if trace.tails:
        turn = figures.angle(trace.path[0], trace.tails[0])
        drawn = book.once(svg_tokens.long_ghost, form, colour, label, turn)
    else:
        drawn = book.once(svg_tokens.ghost, form, colour, label)
    return Placed(rank(Layer.MOVE, key, 1), f"{key}/ghost", drawn, x, round(y + book.drop))


def _figures(book: Book, scene: Scene, cells: Cells) -> Iterable[Placed]:
    """Give the dead, the living from the back to the front, and the graves."""
    together: dict[Point, list[Token]] = {}
    dead: dict[Point, list[Token]] = {}
    covered: set[Point] = set()
    looks = {side: counters.look_of(scene.sides, side) for side in {token.side for token in scene.tokens}}
    for token in scene.tokens:
        if token.cells and token.form is None:
            (dead if token.look == "out" else together).setdefault(token.cells[0], []).append(token)
            covered.update(token.cells if token.look != "out" else ())
    for cell, bodies in dead.items():
        for place, token in enumerate(bodies):
            seen = len(token.cells) > 1 or (place == 0 and cell not in covered)
            yield book.once(_body, token, looks[token.side], seen)
        count = max(len(bodies), max(token.weight for token in bodies))
        if cell in covered:
            yield _grave(book, cells, cell, count, figures.PILE, *_pile_at(cell[0], cell[1] + book.drop, 1.0))
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
                yield _grave(
                    book, cells, cell, token.weight, figures.PILE * share, *_pile_at(piece.x, piece.y, share)
                )


def _body(book: Book, token: Token, look: SideLook, seen: bool) -> Placed:
    """Return a body; one that others lie on is not drawn, but has its words."""
    x, y = token.cells[0]
    drawn = _drawn(book, token, look, "", 1.0, 1, False) if seen else ""
    y_ = round(y + book.drop)
    return Placed(
        rank(Layer.DEAD, token.id, y, x), f"token/{token.id}", drawn, x, y_, _words(token, look, ""), token.at
    )


def _living(
    book: Book, token: Token, look: SideLook, storey: str, share: float, aside: Spot, piled: bool
) -> Placed:
    """Return a living figure, which may share its hex with others."""
    x, y = token.cells[0]
    right, down = aside
    drawn = _drawn(book, token, look, storey, share, -1 if right < 0 else 1, piled)
    words = _words(token, look, furniture.STOREYS.get(storey, ""))
    place = round(x + right * UNIT), round(y + book.drop + down * UNIT)
    return Placed(
        rank(Layer.LIVING, token.id, token.level, y, x), f"token/{token.id}", drawn, *place, words, token.at
    )


def _pile_at(x: float, y: float, share: float) -> Spot:
    """Return where the mark of bodies lies beside a counter: at its left, as low as its symbol."""
    return x - 0.72 * UNIT * share, y + figures.ROW * UNIT * share


def _grave(book: Book, cells: Cells, cell: Point, count: int, size: float, x: float, y: float) -> Placed:
    at = cells.at.get(cell, "")
    return Placed(
        rank(Layer.GRAVE, at), f"dead/{at}", book.once(svg_tokens.pile, count, size), round(x), round(y)
    )


def _words(token: Token, look: SideLook, storey: str) -> str:
    """Return what a figure is for those who do not see it: its hex, name, class, values, state, and whose it
    is.
    """
    side = plain(look.name or token.side, 60)
    return said(text.unit_line(token, storey) + (f", {side}" if side else ""))


def _drawn(
    book: Book, token: Token, look: SideLook, storey: str, share: float, hand: int, piled: bool
) -> str:
    """Return a figure with its badges; ``hand`` is the side on which they begin: 1 right, -1 left."""
    turn = figures.angle(token.cells[0], token.cells[1]) if len(token.cells) > 1 else None
    badges = counters.badges_of(token) if token.look != "out" else ()
    spots = figures.badge_spots(len(badges), piled)
    what = svg_tokens.Figure(
        look.shape,
        look.colour,
        token.id,
        token.symbol,
        token.numbers[:3],
        token.look,
        turn,
        badges,
        tuple((x * hand, y) for x, y in spots),
        storey,
        1 if token.level > 0 and share < 1 else -1,
    )
    return book.once(svg_tokens.figure, what, share)
