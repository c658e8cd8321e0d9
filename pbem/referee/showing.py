"""A whole game for looking at: every slot's map and report, one after the other."""

from __future__ import annotations

from pbem.referee.draw import render
from pbem.referee.game import Game
from pbem.referee.refusal import UNDECIDED, refuse
from pbem.referee.report import report_of

KINDS = {".txt": "text", ".html": "html"}


def replay_bytes(game: Game, suffix: str) -> bytes:
    """Return the game as a file of this kind; Refused for a suffix that is none, and where nothing has been played."""
    format_ = KINDS.get(suffix)
    if format_ is None:
        raise refuse("draw.suffix", suffix=suffix, help="one of " + ", ".join(KINDS))
    slots = [number for number, slot in sorted(game.ledger.slots.items()) if slot.result is not None and not slot.undone]
    if not slots:
        raise refuse("report.nothing", answer=UNDECIDED)
    if format_ == "html":
        return "\n<hr>\n".join(report_of(game, slot, "html", None) for slot in slots).encode()
    parts = [render(game, ".txt", 0).decode(), *(report_of(game, slot, format_, None) for slot in slots)]
    return ("\n\n" + "=" * 72 + "\n\n").join(parts).encode()
