"""All that a seat is told and shown of a game, so that two games can be held against each other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from importlib import import_module

from pbem.post.write.parts import About, Until
from pbem.referee.explain.draw import details, drawn, events_of, shown
from pbem.referee.explain.options import options, sheet_for, unit_options
from pbem.referee.game.game import Game
from pbem.referee.game.views import known_events, known_state
from pbem.referee.mail.brief import brief
from pbem.referee.mail.letters import invitation_of, turn_of
from pbem.referee.pages import letter_pictures
from pbem.referee.pages.forecasting import forecast_picture
from pbem.referee.pages.packet import packet_of
from pbem.referee.turn.check import check
from pbem.referee.turn.report import FORMATS, report_of


def words(game: Game, seat: str | None) -> Iterator[tuple[str, object]]:
    """Yield what a seat is told in words."""
    slot = game.ledger.state_slot
    side = None if seat is None else game.sides[seat]
    scene = shown(game, slot, seat)
    text = import_module("pbem.renderers.text")
    yield "map in characters", drawn(scene, ".txt")
    yield "map in words", text.describe(scene)
    yield "alt text", text.alt(scene)
    yield "scene", scene
    yield "report as text", report_of(game, slot, "text", seat=seat)
    if seat is not None:
        yield "briefing", brief(game, seat, "text")
        yield "order sheet", sheet_for(game, seat, game.state, game.announced())
        yield "options", options(game, seat)
        yield "events", known_events(game.ground, game.state, events_of(game, slot), side)
        yield "legal", unit_options(game.ground, known_state(game.ground, game.state, side), seat)


def pictures(game: Game, seat: str | None, asked: Sequence[bytes] = ()) -> Iterator[tuple[str, object]]:
    """Yield what a seat is shown, and the letters in which it comes, with those that answer some orders."""
    scene = shown(game, game.ledger.state_slot, seat)
    yield "PNG", drawn(scene, ".png")
    yield "SVG", drawn(scene, ".svg")
    yield "crops", details(scene)
    for format_ in FORMATS:
        yield f"report as {format_}", report_of(game, game.ledger.state_slot, format_, seat=seat)
    if seat is not None:
        yield "packet", packet_of(game, seat)
        about, until = About(game.id, seat=seat), Until(None, "UTC", datetime(2026, 2, 2, tzinfo=UTC))
        yield "letter of the turn", turn_of(game, game.ledger.state_slot, seat, about, until, archive=True)
        yield "invitation", invitation_of(game, seat, about)
        for n, orders in enumerate(asked):
            checked = check(game, "orders.yaml", orders, seat)
            yield f"answer {n}", (checked.problems, checked.doubts, checked.understood)
            yield f"picture of the orders {n}", forecast_picture(game, checked)


def differing(
    a: Game, b: Game, seat: str | None, *made: Callable[[Game, str | None], Iterator[tuple[str, object]]]
) -> set[str]:
    """Return what is not the same for a seat in two games."""
    found = set()
    for make in made:
        letter_pictures._KEPT.clear()
        of_a = dict(make(a, seat))
        letter_pictures._KEPT.clear()
        of_b = dict(make(b, seat))
        assert of_a.keys() == of_b.keys()
        found |= {name for name in of_a if of_a[name] != of_b[name]}
    return found
