"""Doing what ``next_step`` says that pbem can do by itself: a lock, the dice, a round over an office."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pbem.referee.game.environment import Environment
from pbem.referee.game.game import open_game
from pbem.referee.mail.hand_letters import lay_out
from pbem.referee.play.next_step import Next, is_office
from pbem.store.library import common_words


def do(env: Environment, where: Path, step: Next, *, pictures: bool = True) -> Iterator[str]:
    """Do one step and yield in words what was done; Refused where it cannot be done."""
    words = common_words()
    if step.does == "run":
        from pbem.referee.mail.couriers import courier_of
        from pbem.referee.mail.office import settings
        from pbem.referee.mail.round import run

        root = where if is_office(where) else where.parent
        with courier_of(root, settings(root)) as courier:
            for done in run(env, root, courier, pictures=pictures):
                yield " ".join(part for part in (done.what, done.game, done.seat, done.said) if part)
    elif step.does == "lock":
        from pbem.referee.turn.lock import lock

        yield words.phrase("round.locked", slot=lock(env, where).slot)
    elif step.does == "resolve":
        from pbem.referee.turn.resolve import resolve
        from pbem.store import relays

        resolved = resolve(env, where, pictures=pictures, fetch=relays.answers)
        yield words.phrase("round.resolved", slot=resolved.slot, phases=list(resolved.phases))
    if step.does in ("lock", "resolve"):
        lay_out(open_game(where))
