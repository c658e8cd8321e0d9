"""What this computer has seen of a game: the newest head of every copy that somebody looked at whose values
for it lie here (rule R8).

A head is kept as *replayed* where all that leads to it was played again, and as *seen* where the umpire's
signatures hold. Only he can make a history that is remembered, so nobody else can have the true one refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from pbem.core.problem import Problem
from pbem.proof.archive import short_digest
from pbem.proof.history import Ledger
from pbem.proof.signing import BadKey, load_private, public_in, public_of
from pbem.referee.game.environment import Environment
from pbem.referee.game.game import Game, open_archive
from pbem.referee.game.refusal import Refused, in_use
from pbem.store import disk, heads
from pbem.store.gamedir import GameDir
from pbem.store.heads import Head, Seen
from pbem.store.library import common_words

if TYPE_CHECKING:
    from pbem.proof.verify import Verdict


def is_own(env: Environment, folder: GameDir | None, ledger: Ledger) -> bool:
    """Tell whether a game is the folder of the one who runs the program: he has the umpire's key of it."""
    for data in env.keyring.keys(ledger.game) if folder is not None and ledger.records else ():
        try:
            if public_of(load_private(data)) == ledger.gm_key:
                return True
        except BadKey:
            continue
    return False


@contextmanager
def alone(env: Environment, game: str) -> Iterator[None]:
    """Hold alone what lies here of a game; Refused while another program does."""
    try:
        with disk.exclusive(env.keyring.folder(game)):
            yield
    except disk.Busy as busy:
        raise in_use(busy) from None


def look(env: Environment, ledger: Ledger, *, replayed: bool = False) -> bool:
    """Keep the newest head of a copy that somebody looked at whose values for this game lie here, if it goes
    on from what he has seen; return whether nothing is left to be kept.

    ``replayed``: everything in it was played again and holds. What cannot be kept is not: to look is no less
    worth for it.
    """
    if not ledger.records or ledger.findings or not env.keyring.plays(ledger.game):
        return True
    with suppress(OSError, Refused), alone(env, ledger.game):
        if lacks(env, ledger) is None:
            keep(env, ledger, len(ledger.records) if replayed else 0)
        return True
    return False


def look_at(env: Environment, game: Game) -> bool:
    """Keep the newest head of a game that somebody looks at, but in his own folder; return whether nothing is
    left to be kept.

    Nothing leaves here, so whose key he has is told by what the key's file says of itself.
    """
    own = game.folder is not None and any(
        public_in(data) == game.ledger.gm_key for data in env.keyring.keys(game.id)
    )
    return own or look(env, game.ledger)


def look_verified(env: Environment, where: Path, verdict: Verdict) -> None:
    """Keep the newest head of a copy that was verified."""
    from pbem.proof.ledger import read_ledger

    if env.keyring.plays(verdict.game):
        look(env, read_ledger(open_archive(where)[0]), replayed=verdict.replayed and not verdict.failures)


def lacks(env: Environment, ledger: Ledger) -> Problem | None:
    """Return what a copy lacks of what was seen of its game here, or tells otherwise; None where it goes on
    from it.
    """
    known = heads.read(env.keyring.heads_file(ledger.game)).newest if ledger.records else None
    return None if known is None or has(ledger, known) else _other_story(ledger, known)


def has(ledger: Ledger, known: Head) -> bool:
    """Tell whether a copy has a head that was seen."""
    return known.n <= len(ledger.records) and ledger.records[known.n - 1].id == known.id


def same_story(env: Environment, ledger: Ledger) -> Seen:
    """Return what was seen of a game; Refused where this copy does not go on from it, unless its player
    insists.
    """
    problem = lacks(env, ledger)
    if problem is not None and not env.insists:
        raise Refused([problem])
    return heads.read(env.keyring.heads_file(ledger.game))


def _other_story(ledger: Ledger, known: Head) -> Problem:
    from pbem.referee.game.story import said_day

    words, older = common_words(), known.n > len(ledger.records)
    here = ledger.records[-1 if older else known.n - 1]
    args: dict[str, str | int] = {
        "game": ledger.game,
        "end": _place(ledger.newest_slot),
        "here": short_digest(here.id),
        "day": said_day(known.at),
        "slot": _place(known.slot),
        "head": short_digest(known.id),
    }
    kind = "older" if older else "other"
    return Problem(f"giving.{kind}", args, help=words.phrase(f"giving.ways-{kind}"))


def _place(slot: int) -> str:
    return common_words().phrase("story.at-result" if slot else "story.at-start", slot=slot)


def keep(env: Environment, ledger: Ledger, done: int) -> None:
    """Note the newest record as seen, and the first ``done`` as replayed by this program (0: none of them was
    gone through).
    """
    path, engine = env.keyring.heads_file(ledger.game), str(env.engine()["sha256"])
    known = heads.read(path)
    replayed, by = known.replayed, known.engine
    if replayed is not None and not has(ledger, replayed):
        replayed, by = None, ""
    if done and (replayed is None or by != engine or replayed.n < done):
        replayed, by = _head(env, ledger, done), engine
    first = known.newest if known.newest is not None and known.newest.id == ledger.head else None
    now = Seen(first or _head(env, ledger, len(ledger.records)), replayed, by)
    if now != known:
        heads.write(path, now)


def _head(env: Environment, ledger: Ledger, n: int) -> Head:
    locks = (int(read.record["slot"]) for read in ledger.records[:n] if read.record["type"] == "lock")
    return Head(n, ledger.records[n - 1].id, max(locks, default=0), env.clock())
