"""What is worth knowing of a game before anybody goes on with it, in sentences: copies of it, what lies
astray in it, who played it.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from pbem.core.problem import Problem
from pbem.proof.archive import Archive
from pbem.proof.engines import engine_of, played
from pbem.proof.history import Ledger
from pbem.proof.ledger import read_ledger
from pbem.proof.textmode import as_it_was
from pbem.proof.verify import FAIL, PASS, Verdict
from pbem.referee.game import story
from pbem.referee.game.environment import Environment
from pbem.referee.game.game import Game, open_archive
from pbem.referee.game.programs import compared, played_said
from pbem.referee.turn import rekeyed, seen_heads
from pbem.referee.turn.upgrade import met, upgrade
from pbem.store.gamedir import GameDir
from pbem.store.library import common_words

MOST: Final = 8
"""Names of files that are listed."""


def notices(env: Environment, game: Game) -> tuple[str, ...]:
    """Return what is worth knowing of a game that holds, the most pressing first."""
    found = upgrade(env, game)
    newest, now = str(game.ledger.records[-1].record["at"]), env.clock()
    return (
        *([common_words().phrase("notice.clock", at=newest, now=now)] if _ahead(newest, now) else []),
        *_copies(env, game.where, game.ledger, game.archive, game.folder),
        *([met(found)] if found is not None else []),
        *_engines(game.ledger),
        *rekeyed.every(game),
    )


def beside(env: Environment, where: Path, verdict: Verdict) -> tuple[str, ...]:
    """Return what is worth knowing beside a verdict, whether the game holds or not."""
    archive, folder = open_archive(where)
    if verdict.verdict != PASS:
        archive = as_it_was(archive)
    ledger = read_ledger(archive)
    said = compared(
        verdict.engines, engine_of(env.engine()), same=verdict.replayed and verdict.verdict != FAIL
    )
    return (*_copies(env, where, ledger, archive, folder), *([said] if said else []))


def _ahead(at: str, now: str) -> bool:
    """Tell whether a record is of a time that the clock has not come to; an hour is left to clocks that
    differ.
    """
    try:
        return datetime.fromisoformat(at) > datetime.fromisoformat(now) + timedelta(hours=1)
    except (ValueError, OverflowError):
        return False


def _engines(ledger: Ledger) -> Iterator[str]:
    if said := played_said(played(ledger)):
        yield said


def _copies(
    env: Environment, where: Path, ledger: Ledger, archive: Archive, folder: GameDir | None
) -> Iterator[str]:
    """Yield whether this copy is older than what went out, whether there is another one, and what lies in it
    of another.
    """
    words = common_words()
    if (seen := seen_heads.lacks(env, ledger)) is not None and not seen_heads.is_own(env, folder, ledger):
        yield _said(seen)
    if folder is not None:
        problem = story.problem_of(env, where, ledger)
        if problem is not None:
            yield _said(problem)
        if other := story.second_folder(env, where, ledger):
            yield _said(Problem("doubt.story.twice", {"game": ledger.game, "folder": other}))
    left = story.strays(ledger, archive, folder)
    if left.files:
        shown = [*left.files[:MOST], *(["…"] if len(left.files) > MOST else [])]
        yield words.phrase("story.strays", count=len(left.files), files=", ".join(shown))
    if left.unreadable:
        yield words.phrase("story.unreadable", count=len(left.unreadable), files=", ".join(left.unreadable))


def _said(problem: Problem) -> str:
    said = common_words().problem(problem.code, problem.args)
    return f"{said}; {problem.help}" if problem.help else said
