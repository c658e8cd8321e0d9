"""How a game ended, as one small file for leagues: winner, score, losses, letters, days."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from pbem.proof.rules import GO
from pbem.referee.game import Game


def results_data(game: Game, state: Any, last: Mapping[str, Any]) -> dict[str, Any]:
    """Return the result of a game (``schemas/results.schema.json``); ``last`` is the record that ends it."""
    doors = game.ground.rules.doors
    outcome = dict(doors.outcome(game.ground.rules, state))
    for key, inner in (("score", "points"), ("losses", "dead")):
        if isinstance(outcome.get(key), Mapping):
            outcome[key] = [
                {"side": side, **(value if isinstance(value, Mapping) else {inner: value})} for side, value in sorted(outcome[key].items())
            ]
    started = str(game.ledger.records[1].record["at"])
    return {
        **outcome,
        "game": game.id,
        "scenario": str(game.ground.scenario["scenario"]),
        "slots": int(last["slot"]),
        "mails": _letters(game),
        "days": (_time(str(last["at"])) - _time(started)).days,
    }


def _time(text: str) -> datetime:
    return datetime.strptime(text, "%Y-%m-%dT%H:%M:%S%z")


def _letters(game: Game) -> int:
    """Return how many letters the outside seats had to send: a join each, every file that was used, every go."""
    count = len(game.ledger.outside)
    for slot in game.ledger.slots.values():
        for name in game.ledger.outside:
            entry = slot.entries[name]
            count += (entry.sha512 is not None) + (entry.x == GO)
    return count
