"""What a page needs to sign a seat's order file in the browser: header, key, which value is asked for, and the history that asks.

The records of the ledger are what the page verifies before a value may leave (R8). They name the state by its hash, which can be guessed
where little is hidden: so where sides know different things they stay out, and the page signs drafts.
"""

from __future__ import annotations

from typing import Any

from pbem.proof.archive import sig_path
from pbem.proof.signing import fingerprint
from pbem.referee.game import Game
from pbem.referee.intake import takes_values
from pbem.referee.views import hides

CHAIN, WORDS, NOTHING = "chain", "words", ""


def signing_of(game: Game, seat: str) -> dict[str, Any]:
    """Return what the page of a seat signs the open slot with; of a seat without a key an empty ``key``: it can only make one."""
    announced, known = game.announced(), game.ledger.seats[seat]
    value = NOTHING
    if known.key is not None and known.outside and takes_values(game, announced):
        value = CHAIN if seat in game.ledger.last else WORDS
    return {
        "game": game.id,
        "seat": seat,
        "slot": int(announced["slot"]),
        "head": game.ledger.next_id,
        "key": "" if known.key is None else known.key.line,
        "fingerprint": "" if known.key is None else fingerprint(known.key),
        "value": value,
        "records": ledger_of(game) if value == CHAIN else [],
    }


def ledger_of(game: Game) -> list[list[str]]:
    """Return the records of a game with their signatures, from the manifest on; none where they could tell what a side does not see."""
    if hides(game.ground.rules):
        return []
    paths = [record.path for record in game.ledger.records]
    return [[game.archive[path].decode(), game.archive[sig_path(path)].decode()] for path in paths]
