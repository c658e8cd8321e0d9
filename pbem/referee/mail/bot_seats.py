"""Bots in seats of an office's games: which they are, and whether a game waits for one.

A bot hands its orders in as a player without a key does, so whatever an umpire does to a game is done to it
as ever.
"""

from __future__ import annotations

from pbem.proof.orderfile import parse
from pbem.proof.spoken import BOT
from pbem.referee.game.game import Game
from pbem.referee.mail.served import OfficeGame
from pbem.referee.turn.bot_orders import written_by
from pbem.referee.turn.go import missing_goes
from pbem.referee.turn.lock import chosen_letter


def bots_of(served: OfficeGame) -> dict[str, str]:
    """Return the seats of a game that bots play, each with the name of its bot."""
    return {seat: player.id.removeprefix(BOT) for seat, player in served.players.items() if player.is_bot}


def bots_due(served: OfficeGame) -> tuple[str, ...]:
    """Return the seats of bots that a game waits for now."""
    game, bots = served.game, bots_of(served)
    ledger = game.ledger
    if not bots or served.held or ledger.over:
        return ()
    if not ledger.started:
        return tuple(seat for seat in game.not_joined if seat in bots)
    if ledger.locked is not None:
        return tuple(seat for seat in missing_goes(game) if seat in bots)
    return tuple(
        seat
        for seat in game.announced()["waits"]
        if seat in bots and not _has_ordered(game, seat, bots[seat])
    )


def _has_ordered(game: Game, seat: str, name: str) -> bool:
    """Tell whether a bot's own file for the open slot is there, or one that nothing can replace."""
    letter = chosen_letter(game, int(game.announced()["slot"]), seat)
    return letter is not None and (letter.came == written_by(name) or parse(letter.data).has_value)
