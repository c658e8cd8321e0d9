"""Order files that order nobody: luck, a message, a note, standing instructions, or nothing at all.

Decides that nobody's turn is passed over without his having said so. Such a file goes with the orders that
are on file and takes the place of none: words of luck make those final, the rest is added to them. Where
there are none it waits for them, and who meant to order nobody is asked to say it. Where no die can fall
nobody is asked for luck: there a file is final when it leaves nothing open, or says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from msgspec import Struct

from pbem.core.problem import Problem
from pbem.proof.orderfile import BadOrderFile, parse
from pbem.referee.game.game import Game, own_folder
from pbem.referee.game.intake import takes_values
from pbem.referee.game.views import known_state
from pbem.store import received
from pbem.store.received import Letter
from pbem.text.source import read
from pbem.text.written import together

__all__ = [
    "Completed",
    "FiledOrders",
    "completed",
    "is_finished",
    "is_in",
    "kept_of",
    "left_over",
    "may_order",
    "may_roll",
    "nobody_signed",
    "says_who",
    "wants_luck",
    "who_would_stay",
]

ADDRESS: Final = frozenset({"game", "side", "seat", "turn"})
LUCK, FINAL, NOBODY = "luck", "final", "nobody"
MEANT: Final = "if that is meant, a line: nobody: moves"
_TEXTS: Final = ("message", "note")
"""Keys whose words are told one below the other where they came twice."""


class FiledOrders(Struct, frozen=True):
    """An order file that is on file: its YAML as bytes and as plain data, and what the rules make of it
    (None: nothing).
    """

    yaml: bytes
    data: Mapping[str, Any]
    orders: Any


class Completed(Struct, frozen=True):
    """What is stored instead of a file that came, and what its sender is asked; ``yaml`` None: nothing is
    stored.
    """

    yaml: bytes | None
    asks: Problem | None = None
    joined: bool = False
    """It was put together with what is on file."""


def kept_of(game: Game, letter: Letter) -> FiledOrders:
    """Return a file that is on file for the open slot, as it is read now."""
    try:
        yaml = parse(letter.data).yaml
    except BadOrderFile:
        return FiledOrders(b"", {}, None)
    source = read(yaml)
    if not isinstance(source.data, Mapping) or source.problems:
        return FiledOrders(yaml, {}, None)
    orders, _ = game.ground.rules.interface.read_orders(
        game.ground.rules, game.state, letter.seat, source.data
    )
    return FiledOrders(yaml, source.data, orders)


def says_who(game: Game, orders: Any) -> bool:
    """Tell whether a file orders somebody or answers something, or says itself that nobody is ordered."""
    return orders is not None and game.ground.rules.interface.ordered(orders)


def may_order(game: Game, seat: str) -> bool:
    """Tell whether a seat could order or answer anything in the open slot, as its side knows the game."""
    if seat not in game.announced()["waits"]:
        return False
    return bool(game.questions) or next(_legal(game, seat), None) is not None


def who_would_stay(game: Game, seat: str) -> int:
    """Return how many of a seat's could do something in the open slot, and would not."""
    found: set[str] = set()
    for order in _legal(game, seat):
        who = getattr(order, "who", "")
        found.update([who] if isinstance(who, str) else who)
    return len(found - {""})


def _legal(game: Game, seat: str) -> Iterator[Any]:
    """Yield what a seat could order in the open phase and those that follow it in the same player turn, if
    nothing happened before.
    """
    rules, interface = game.ground.rules, game.ground.rules.interface
    state = known_state(game.ground, game.state, game.sides[seat])
    turn = interface.cursor(state).player_turn
    while not interface.over(state) and interface.cursor(state).player_turn == turn:
        yield from interface.legal(rules, state, seat)
        for event in interface.advance(rules, state):
            state = interface.apply(state, event)


def may_roll(game: Game) -> bool:
    """Tell whether a die can fall in the open slot."""
    return bool(game.questions) or game.ground.rules.interface.may_roll(game.ground.rules, game.state)


def wants_luck(game: Game) -> bool:
    """Tell whether order files of outside seats are made final by a value in the open slot, and by nothing
    else.
    """
    return takes_values(game, game.announced()) and may_roll(game)


def left_over(game: Game, seat: str, orders: Any) -> tuple[tuple[str, str], ...]:
    """Return whom a file leaves to be placed for its seat, and where each would be put."""
    rules = game.ground.rules
    return tuple(
        rules.interface.left_over(rules, known_state(game.ground, game.state, game.sides[seat]), seat, orders)
    )


def is_in(game: Game, letter: Letter) -> bool:
    """Tell whether somebody's orders are in with a file: it orders, or says that it does not, or he could
    order nothing.
    """
    if takes_values(game, game.announced()) and parse(letter.data).has_value:
        return True
    return says_who(game, kept_of(game, letter).orders) or not may_order(game, letter.seat)


def is_finished(game: Game, letter: Letter) -> bool:
    """Tell whether a file without a value is final, where no die can fall: it leaves nobody to be placed, or
    says that this is all.
    """
    if parse(letter.data).has_value:
        return True
    kept = kept_of(game, letter)
    return FINAL in kept.data or NOBODY in kept.data or not left_over(game, letter.seat, kept.orders)


def completed(
    game: Game, seat: str, yaml: bytes, data: Mapping[str, Any], orders: Any, mail_id: str = ""
) -> Completed:
    """Return what is to be stored of a plain file, together with what is on file for its seat; ``mail_id`` is
    the letter that brings it.

    ``orders`` is what the rules made of ``data``, and they found nothing wrong with it.
    """
    base = _on_file(game, seat, mail_id)
    ordered = says_who(game, orders)
    headings = frozenset(game.ground.rules.vocabulary.headings)
    if ordered and base is not None and not says_who(game, base.orders):
        # What came before its orders is not lost with them, and takes the place of nothing in them.
        aside = headings | ADDRESS | {LUCK, FINAL, NOBODY}
        before = {key: value for key, value in base.data.items() if key not in aside}
        more = {
            key: value
            for key, value in (before | _added(before, data)).items()
            if key in before and value != data.get(key)
        }
        return Completed(together(yaml, more) if more else yaml, joined=bool(more))

    if ordered:
        return Completed(yaml)
    if base is not None and says_who(game, base.orders):
        more = {key: value for key, value in _added(base.data, data).items() if key not in headings}
        if headings.intersection(data):
            more.pop(LUCK, None)
            return Completed(
                together(base.yaml, more) if more else None, Problem("orders.nobody-now", help=MEANT), True
            )
        return Completed(together(base.yaml, more), joined=True)

    if not may_order(game, seat) and seat in game.announced()["waits"]:
        return Completed(yaml)
    more = {
        key: value
        for key, value in _added(base.data if base is not None else {}, data).items()
        if key not in headings
    }
    asked = LUCK in more or FINAL in more or not more
    for key in (LUCK, FINAL):
        more.pop(key, None)
    asks = _question(game, seat) if asked else None
    if not more:
        return Completed(None, asks)
    return Completed(
        together(base.yaml, more) if base is not None else together(yaml, {}, frozenset({LUCK, FINAL})),
        asks,
        base is not None,
    )


def _question(game: Game, seat: str) -> Problem:
    """Return what a seat is told whose words would be final without an order: that it is not asked, or what
    it is asked.
    """
    waits = game.announced()["waits"]
    if seat not in waits:
        return Problem("orders.not-waited", {"seats": ", ".join(waits)})
    if game.questions:
        open_ = ", ".join(str(question["id"]) for question in game.questions if question["seat"] == seat)
        return Problem("orders.no-answer", {"questions": open_})
    return Problem("orders.nobody", _how_many(game, seat), help=MEANT)


def _how_many(game: Game, seat: str) -> dict[str, str | int]:
    count = who_would_stay(game, seat)
    return {"count": count} if count else {}


def nobody_signed(game: Game, seat: str, orders: Any) -> Problem | None:
    """Return why a file that a seat signs, or has signed, is not taken: it orders nobody and does not say
    that this is meant.
    """
    if says_who(game, orders) or not may_order(game, seat):
        return None
    return Problem("orders.nobody", _how_many(game, seat), help=MEANT)


def _on_file(game: Game, seat: str, mail_id: str) -> FiledOrders | None:
    """Return the last file of a seat for the open slot, but for the one that the same letter brought when it
    was read before.
    """
    slot = int(game.announced()["slot"])
    mine = [
        one
        for one in received.letters(own_folder(game), slot)
        if one.seat == seat and not (mail_id and one.came.mail == mail_id)
    ]
    return kept_of(game, mine[-1]) if mine else None


def _added(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the second file adds to the first: of words for people both are kept, of all else what came
    last.
    """
    found: dict[str, Any] = {}
    for key, value in second.items():
        if key in ADDRESS:
            continue
        if key in _TEXTS and first.get(key) and value:
            before = str(first[key])
            value = before if str(value) in before else f"{before}\n\n{value}"
        if first.get(key) != value:
            found[key] = value
    return found
