"""Turns that wait for the umpire (``release = "by hand"``): when all is in he reads what will be told, with
the dice that will be rolled, and lets the turn go or holds it.

Nothing is signed before he does, so nothing is signed twice; and he learns no more than he could work out,
for all that goes into the dice lies with him. What he does about it stands in the ledger: a slot that he
takes back has been locked there.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from pathlib import Path

from pbem.post.write.parts import About
from pbem.post.write.umpire import ToRelease
from pbem.post.write.writing import Picture
from pbem.proof.history import Slot
from pbem.referee.game.environment import Environment
from pbem.referee.game.game import Game, open_game
from pbem.referee.game.refusal import UNDECIDED, refuse
from pbem.referee.game.turns import of_phase
from pbem.referee.mail.letters import headline
from pbem.referee.turn.check import doubts_of
from pbem.referee.turn.report import report_document
from pbem.referee.turn.resolve import Resolved, foresee, resolve
from pbem.store import relays
from pbem.text.when import capital

__all__ = ["release", "to_see"]


def to_see(env: Environment, where: Path, *, pictures: bool = True) -> ToRelease:
    """Return the locked turn of a game as the umpire sees it before anybody else; nothing is written. Refused
    where none is locked, or words for it are missing.
    """
    seen = foresee(env, where, pictures=pictures, fetch=relays.answers)
    game = open_game(where)
    slot = game.ledger.slots[seen.slot]
    shown = tuple(Picture(Path(one.path).name, one.data, one.said) for one in seen.pictures)
    report = report_document(
        game,
        seen.slot,
        seen.phase,
        seen.outcome.events,
        seen.outcome.state,
        seen.gave,
        [(one.name, one.alt) for one in shown],
        "",
        packed=False,
    )
    return ToRelease(
        About(game.id, game.ground.title, stands=headline(game, game.words)),
        capital(of_phase(game.ground, game.state_after(0, ""), seen.phase)),
        report,
        f"pbem umpire release {shlex.quote(os.fspath(where))}",
        tuple(_doubts(game, slot)),
        shown,
    )


def release(env: Environment, where: Path, *, pictures: bool = True) -> Resolved:
    """Let the locked turn of a game go; Refused where none is, or words for it are missing."""
    if open_game(where).ledger.locked is None:
        raise refuse("release.not-locked", answer=UNDECIDED, file=str(where), path=str(where))
    return resolve(env, where, pictures=pictures, fetch=relays.answers)


def _doubts(game: Game, slot: Slot) -> Iterator[str]:
    """Yield what may come out otherwise than somebody meant it: whose it is, the line, and why."""
    for seat, entry in sorted(slot.entries.items()):
        if entry.sha512 is None:
            continue
        for one in doubts_of(game, slot, seat):
            line = f" ({one.source_line.strip()})" if one.source_line.strip() else ""
            yield f"{game.sides[seat]}{line}: {one.message}"
