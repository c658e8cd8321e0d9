"""New keys as players are told of them: whose they are and on whose word, in a line of the next report and of
the status.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from pbem.proof.amending import RECOVERY_CODE
from pbem.proof.history import Ledger, Rekey
from pbem.proof.ruled import RULED
from pbem.referee.game.game import Game
from pbem.referee.game.turns import names_of_seats, of_phase, of_slot
from pbem.referee.turn.rekey import GM
from pbem.store.library import common_words

REPORTED: Final = ("start", "result", *RULED)
"""Records with a report of their own; what an undo tells is told again with the turn after it, for not
everybody gets letters.
"""


def told_with(ledger: Ledger, path: str) -> tuple[Rekey, ...]:
    """Return the changes of keys since the report before a record, which its own one tells; without a path
    those since the last.
    """
    if not ledger.rekeys:
        return ()
    paths = [read.path for read in ledger.records]
    end = paths.index(path) if path in paths else len(paths)
    begin = max((n for n in range(end) if ledger.records[n].record["type"] in REPORTED), default=0)
    return tuple(rekey for rekey in ledger.rekeys if begin < paths.index(rekey.path) < end)


def said(rekey: Rekey, sides: Mapping[str, str], when: str = "") -> str:
    """Return a change of keys in a sentence or two; ``sides`` has the name of the side of each seat, ``when``
    is from when on.
    """
    words = common_words()
    when = when or words.phrase("rekeyed.here")
    others = [sides.get(name, name) for name in rekey.others]
    if rekey.of == GM:
        return words.phrase("rekeyed.gm", when=when, sides=others)
    who = sides.get(rekey.of, rekey.of)
    if rekey.own:
        return words.phrase(
            "rekeyed.code" if rekey.own == RECOVERY_CODE else "rekeyed.own", when=when, side=who
        )
    return words.phrase("rekeyed.unsigned", when=when, side=who, sides=others)


def every(game: Game) -> Iterator[str]:
    """Yield all changes of keys of a game, each with the turn since which it holds."""
    sides = names_of_seats(game)
    for rekey in game.ledger.rekeys:
        yield said(rekey, sides, _since(game, rekey))


def _since(game: Game, rekey: Rekey) -> str:
    words, following = common_words(), game.ledger.next
    if rekey.since is None:
        return words.phrase("rekeyed.next")
    if rekey.since in game.ledger.slots:
        return words.phrase("rekeyed.turn", turn=of_slot(game, rekey.since))
    if following is None:
        return words.phrase("rekeyed.here")
    return words.phrase(
        "rekeyed.turn", turn=of_phase(game.ground, game.state_after(0, ""), str(following["phase"]))
    )
