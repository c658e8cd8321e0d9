"""How the games of an office ended, as a tournament counts them: from their own signed ledgers."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from pbem.club.tournament import DRAW, FIRST, NOBODY, PLAYED, SECOND, Outcome
from pbem.proof.spoken import REOPEN
from pbem.referee.game.ending import outcome_of
from pbem.referee.game.environment import Environment
from pbem.referee.mail.kept_games import each_game
from pbem.referee.mail.office import Trouble
from pbem.referee.mail.served import OfficeGame


class Ended(Struct, frozen=True):
    """A game: who plays each side (short names; empty: nobody of the office), the digest of its manifest, and
    whether it began.

    ``winner`` is a side, ``draw`` or empty where nobody won; ``how`` is empty while it goes on. ``score`` are
    the points of the sides, of a game that was played to its end.
    """

    id: str
    folder: str
    manifest: str
    players: Mapping[str, str]
    started: bool
    how: str = ""
    winner: str = ""
    score: Mapping[str, int] = {}
    opened_again: bool = False
    """Whether something was ever taken back in it, or it went on after a word had ended it."""

    def outcome(self, sides: tuple[str, str]) -> Outcome | None:
        """Return how it ended for the first and the second side; None while it goes on."""
        if not self.how:
            return None
        named = {sides[0]: FIRST, sides[1]: SECOND, DRAW: DRAW}
        points = tuple(self.score.get(side, 0) for side in sides)
        counts = self.how == PLAYED and len(self.score) == len(sides) and min(points) >= 0
        return Outcome(named.get(self.winner, NOBODY), self.how, (points[0], points[1]) if counts else None)


def ended(served: OfficeGame) -> Ended:
    """Return how a game ended, or that it goes on."""
    game, ledger = served.game, served.game.ledger
    over = ledger.started and (ledger.over or ledger.next is None)
    outcome = outcome_of(game) if over else {}
    by_word = ledger.ended.record if over and ledger.ended is not None else None
    return Ended(
        id=game.id,
        folder=game.where.name,
        manifest=ledger.records[0].id,
        players={
            game.sides[seat]: served.players[seat].id if seat in served.players else ""
            for seat in ledger.seats
        },
        started=ledger.started,
        how="" if not over else PLAYED if by_word is None else str(by_word["how"]),
        winner=str(outcome.get("winner", "")),
        score={str(entry["side"]): int(entry["score"]) for entry in outcome.get("sides", ())},
        opened_again=any(_takes_back(read.record) for read in ledger.records),
    )


def _takes_back(record: Mapping[str, Any]) -> bool:
    """Tell whether a record may change how a game had ended."""
    return record["type"] in ("undo", "correct", "rule") or record.get("does") == REOPEN


def results(env: Environment, root: Path, troubles: list[Trouble]) -> dict[str, Ended]:
    """Return how each game of an office ended, by its name; what cannot be opened is told among
    ``troubles``.
    """
    return {one.id: one for one in each_game(env, root, "ended", Ended, ended, troubles)}
