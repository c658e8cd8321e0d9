"""How a game ended, or how it would stand if it ended now: by its rules, or by a word of the umpire that goes
before them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.proof.spoken import DRAW
from pbem.referee.game.game import Game
from pbem.referee.game.turns import side_names


def outcome_of(game: Game, state: Any = None, word: Mapping[str, Any] | None = None) -> Mapping[str, Any]:
    """Return the outcome of a game as its ruleset tells it (``winner grade why sides``), of one that a word
    ended with the result that this gave it; ``why`` is then ``agreed``, ``resigned`` or ``adjudicated``.

    ``state`` is where it stands, if not in the newest one; ``word`` the record that ends it, if it is not
    written yet.
    """
    rules = game.ground.rules
    found: Mapping[str, Any] = rules.interface.outcome(rules, game.state if state is None else state)
    if word is None and game.ledger.ended is not None:
        word = game.ledger.ended.record
    if word is None:
        return found
    return {**found, "winner": str(word.get("winner", DRAW)), "grade": "", "why": str(word["how"])}


def leads(game: Game) -> str:
    """Return the side that would have won a game that is not over if it ended as it stands, or ``draw``: as
    its rules say, and where they say nothing the one with most points.
    """
    found = game.ground.rules.interface.outcome(game.ground.rules, game.state)
    if "leads" in found:
        return str(found["leads"])
    points = sorted((int(entry["score"]) for entry in found["sides"]), reverse=True)
    best = [str(entry["side"]) for entry in found["sides"] if int(entry["score"]) == points[0]]
    return best[0] if len(best) == 1 else DRAW


def ended_how(game: Game) -> str:
    """Return in words how a word of the umpire ended a game; empty where none did."""
    ended = game.ledger.ended
    if ended is None:
        return ""
    names = side_names(game.ground, game.state)
    sides = dict.fromkeys(game.sides[seat] for seat in sorted(ended.record["by"]))
    return game.words.phrase(f"ended.{ended.record['how']}", sides=[names.get(side, side) for side in sides])
