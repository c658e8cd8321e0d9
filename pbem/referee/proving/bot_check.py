"""Lets the bots of a game think again: whether the orders that its records call a bot's are what that bot
writes.

All of it stands in the archive once a slot is played: what the side knew, the umpire's value, the seed of the
slot before. The digest of a program covers its bots too, so where the same program finds other orders they
were never the bot's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from pbem.proof.archive import content, join_path, orders_path
from pbem.proof.canonical import decode
from pbem.proof.engines import engine_at, engine_of, played
from pbem.proof.history import Slot
from pbem.proof.orderfile import BadOrderFile, parse
from pbem.proof.relied import Relied, relied
from pbem.referee.game.game import Game, open_game
from pbem.referee.game.refusal import Refused
from pbem.referee.game.replay import open_questions
from pbem.referee.game.views import known_state
from pbem.referee.turn.bot_orders import BotSeat, bot_in, joins
from pbem.store.library import common_words
from pbem.text.source import read

SAME, DIFFERS, CLOSED, UNKNOWN = "same", "differs", "closed", "unknown"
"""The orders are what the bot writes; they are not; they are not published yet; this program cannot tell."""
OTHER = "other-program"
"""They are not what it writes here, and another program played them."""


class BotOrders(Struct, frozen=True):
    """The orders of a bot in a slot (0: its join): its seat, its name, and whether they are what it
    writes.
    """

    slot: int
    seat: str
    bot: str
    answer: str


def bots_in(game: Game) -> tuple[BotOrders, ...]:
    """Return of each join and file that a record calls a bot's whether that bot writes it, in the order of
    the game.
    """
    return tuple(dict.fromkeys(_each(game)))


def has_bots(said: Iterable[Relied]) -> bool:
    """Tell whether the records of a game, by what they say was relied on, call anything a bot's."""
    return any(bot_in(one.said) for one in said)


def bot_lines(where: Path, engine: Mapping[str, str]) -> tuple[str, ...]:
    """Return in sentences what a copy of a game shows of its bots; ``engine`` is the program that looks.
    Nothing of a copy that cannot be opened.
    """
    try:
        game = open_game(where)
        found = bots_in(game)
    except Refused:
        return ()
    spans, words = played(game.ledger), common_words()
    slots: dict[tuple[str, str, str], list[int]] = {}
    for one in found:
        if not one.slot:
            continue
        other = one.answer == DIFFERS and engine_at(spans, one.slot) != engine_of(engine)
        slots.setdefault((OTHER if other else one.answer, one.seat, one.bot), []).append(one.slot)
    joined = [one for one in found if not one.slot and one.answer == DIFFERS]
    return (
        *(words.phrase("bot.joined", seat=one.seat, bot=_named(one.bot)) for one in joined),
        *_in_slots(slots),
    )


def _named(bot: str) -> str:
    return common_words().phrase("bot.player", bot=bot)


def _in_slots(slots: Mapping[tuple[str, str, str], Sequence[int]]) -> Iterator[str]:
    words = common_words()
    yield from (
        words.phrase(
            f"bot.{answer}",
            seat=seat,
            bot=_named(bot),
            slots=words.phrase("engine.which", slots=numbers, count=len(numbers)),
        )
        for (answer, seat, bot), numbers in slots.items()
    )


def _each(game: Game) -> Iterator[BotOrders]:
    for one in relied(game.ledger):
        name, slot = bot_in(one.said), game.ledger.slots.get(one.slot)
        if name and not one.slot:
            yield BotOrders(0, one.seat, name, SAME if _join(game, one.seat) == joins(name) else DIFFERS)
        elif name and slot is not None:
            yield BotOrders(one.slot, one.seat, name, _judged(game, slot, one.seat, name))


def _join(game: Game, seat: str) -> str:
    return str(decode(content(game.archive, join_path(seat)) or b"").get("words", ""))


def _judged(game: Game, slot: Slot, seat: str, name: str) -> str:
    from pbem.bots.bot import UnknownBot, find  # most games have none

    try:
        bot = find(name, game.ground.rules.id)
    except UnknownBot:
        return UNKNOWN
    if slot.result is None:
        return CLOSED
    sits = BotSeat(bot, name, game.id, seat, slot.number, slot.previous_seed, slot.values["gm"])
    if slot.luck.get(seat, sits.luck) != sits.luck:
        return DIFFERS
    if slot.entries[seat].sha512 is None:
        return SAME
    data = content(game.archive, orders_path(seat, slot.number))
    if data is None:
        return CLOSED
    try:
        found: Any = read(parse(data).yaml).data
        state = game.state_after(slot.state_before_slot, slot.state_before)
    except (BadOrderFile, Refused):
        return UNKNOWN
    asked = [question for question in open_questions(slot.announced) if question["seat"] == seat]
    known = known_state(game.ground, state, game.sides[seat])
    luck = isinstance(found, Mapping) and "luck" in found
    try:
        own = read(sits.text(game.ground.rules, known, asked, luck=luck)).data
    except Exception:  # whatever a bot stumbles over is no word about who ordered
        return UNKNOWN
    return SAME if found == own else DIFFERS
