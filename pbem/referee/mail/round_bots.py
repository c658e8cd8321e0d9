"""Lets the bots of a game do what it waits for: join, order, answer, give words.

A few turns of bots are played in one round, the others in the next ones, so that two of them end no round
later than people do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from pbem.referee.game.intake import takes_values
from pbem.referee.game.refusal import Refused
from pbem.referee.game.sealing import value_of
from pbem.referee.game.views import known_state
from pbem.referee.mail.bot_seats import bots_of
from pbem.referee.mail.office import Trouble, trouble_of
from pbem.referee.mail.round_context import RoundContext, Step
from pbem.referee.mail.served import OfficeGame
from pbem.referee.turn.admit import admit_words
from pbem.referee.turn.bot_orders import BotSeat, bot_for, joins, written_by
from pbem.referee.turn.go import take_words
from pbem.referee.turn.submit import submit
from pbem.store.library import common_words

MOST: Final = 6
"""Turns that bots order of one game in one pass."""


def play_bots(ctx: RoundContext, id_: str, seats: Sequence[str]) -> Iterator[Step]:
    """Let the bots in some seats of a game do what it waits for; what one cannot do is told to the umpire,
    and its seat is as silent as any.
    """
    served = ctx.house.games[id_]
    for seat in seats:
        name = bots_of(served)[seat]
        try:
            yield from _moves(ctx, served, seat, name)
        except Exception as error:
            # A bot may be anybody's program; the game and its deadline go on without it.
            ctx.troubles.append(_failed(served, seat, name, error))
    ctx.house.refresh(id_)


def unfit(served: OfficeGame) -> Iterator[Trouble]:
    """Yield which bots of a game cannot play their seats, before it waits for them."""
    for seat, name in bots_of(served).items() if not served.game.ledger.over else ():
        try:
            bot_for(served.game, seat, name)
        except Refused as refusal:
            yield _failed(served, seat, name, refusal)


def _failed(served: OfficeGame, seat: str, name: str, error: Exception) -> Trouble:
    found = trouble_of(served.game.id, error)
    side, words = served.side_name(seat), common_words()
    return replace(found, said=words.phrase("round.bot-failed", bot=name, side=side, why=found.said))


def _moves(ctx: RoundContext, served: OfficeGame, seat: str, name: str) -> Iterator[Step]:
    game, words = served.game, common_words()
    sits = bot_for(game, seat, name)
    if not game.ledger.started:
        admit_words(ctx.env, game.where, seat, joins(name), written_by(name))
        yield Step("joined", game.id, seat, words.phrase("bot.player", bot=name))
        return
    slot = game.ledger.locked.number if game.ledger.locked is not None else int(game.announced()["slot"])
    bot = BotSeat(sits, name, game.id, seat, slot, game.ledger.seed, value_of(ctx.env, game, "gm", slot).x)
    if game.ledger.locked is not None:
        take_words(game.where, bot.luck, seat, written_by(name))
    else:
        known = known_state(game.ground, game.state, game.sides[seat])
        asked = [question for question in game.questions if question["seat"] == seat]
        luck = takes_values(game, game.announced())
        data = bot.text(game.ground.rules, known, asked, luck=luck)
        submit(ctx.env, game.where, f"{seat}.yaml", data, seat=seat, came=written_by(name), meant=True)
    yield Step("taken", game.id, seat, words.phrase("bot.player", bot=name))
