"""How a game ended, as one small file for leagues: winner, score, losses, letters, days."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from pbem.proof.rules import GO
from pbem.proof.spoken import END
from pbem.referee.game.ending import outcome_of
from pbem.referee.game.game import Game

RESULTS: Final = "results.json"


def results_bytes(game: Game, state: Any, last: Mapping[str, Any]) -> bytes:
    """Return the file with the result of a game; ``last`` is the record that ends it, or lets it go on."""
    return (
        json.dumps(results_data(game, state, last), indent=1, sort_keys=True, ensure_ascii=False).encode()
        + b"\n"
    )


def results_data(game: Game, state: Any, last: Mapping[str, Any]) -> dict[str, Any]:
    """Return the result of a game (``schemas/results.schema.json``); ``last`` is the record that ends it, or
    lets it go on.
    """
    rules, ends = game.ground.rules, last["type"] == "word" and last["does"] == END
    outcome = outcome_of(game, state, last) if ends else rules.interface.outcome(rules, state)
    sides: list[Mapping[str, Any]] = list(outcome["sides"])
    started = str(game.ledger.records[1].record["at"])
    return {
        "game": game.id,
        "scenario": str(game.ground.scenario["scenario"]),
        "winner": outcome["winner"],
        "grade": outcome["grade"],
        "why": outcome["why"],
        "score": [{"side": entry["side"], "points": entry["score"]} for entry in sides],
        "losses": [{key: value for key, value in entry.items() if key != "score"} for entry in sides],
        "slots": int(last["slot"]) if last["type"] == "result" else game.ledger.state_slot,
        "mails": _letters(game),
        "days": (_time(str(last["at"])) - _time(started)).days,
        **({"word": {"how": last["how"], "by": sorted(last["by"]), "why": last["why"]}} if ends else {}),
    }


def _time(text: str) -> datetime:
    return datetime.strptime(text, "%Y-%m-%dT%H:%M:%S%z")


def _letters(game: Game) -> int:
    """Return how many letters the outside seats had to send: a join each, every file that
    was used, every go.
    """
    count = len(game.ledger.outside)
    for slot in game.ledger.slots.values():
        for name in game.ledger.outside:
            entry = slot.entries[name]
            count += (entry.sha512 is not None) + (entry.x == GO)
    return count
