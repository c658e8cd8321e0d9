"""The games of a folder, and the verdict over one of them as a row of a table; ``fleet.audits`` verifies all.

One archive that is broken, or breaks the program, is one answer among the others and stops nothing.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import Struct

from pbem.proof.verify import FAIL, UNDECIDED
from pbem.referee.game.refusal import Refused
from pbem.referee.proving.verify import verify
from pbem.store.library import common_words

FAULT = "fault"
WORST = {0: 0, 3: 1, 1: 2, 4: 3}
"""Answers by how bad they are: fine, cannot decide, does not hold, a fault of pbem."""


class GameFound(Struct, frozen=True):
    """One game of the folder: the verdict, what it holds, and the first thing that is wrong with it."""

    path: str
    verdict: str
    answer: int
    game: str = ""
    slots: int = 0
    signatures: int = 0
    dice: int = 0
    why: str = ""


def games(root: Path) -> tuple[Path, ...]:
    """Return the archives and game folders below a folder, sorted; links are not followed, nor is anything
    inside a game folder.
    """
    return tuple(sorted(_games(root)))


def _games(folder: Path) -> Iterator[Path]:
    if (folder / "ledger").is_dir():
        yield folder
        return
    for entry in os.scandir(folder):
        if entry.name.startswith(".") or entry.is_symlink():
            continue
        if entry.is_dir():
            yield from _games(Path(entry.path))
        elif entry.name.lower().endswith(".zip"):
            yield Path(entry.path)


def game_folders(root: Path) -> tuple[Path, ...]:
    """Return the game folders below a folder, sorted; none where there is no such folder."""
    return tuple(path for path in games(root) if path.is_dir()) if root.is_dir() else ()


def name_in(path: Path, root: Path) -> str:
    """Return what a game of a folder is called."""
    return path.relative_to(root).as_posix() if path != root else path.name or "."


def one(path: Path, root: Path, with_rules: bool) -> GameFound:
    """Return the verdict over one game, whatever is in it."""
    name = name_in(path, root)
    try:
        verdict = verify(path, with_rules=with_rules)
    except Refused as refusal:
        why = "; ".join(common_words().problem(problem.code, problem.args) for problem in refusal.problems)
        return GameFound(name, FAIL if refusal.answer == 1 else UNDECIDED, refusal.answer, why=why)
    except Exception as error:
        return GameFound(
            name, FAULT, 4, why=f"a fault of pbem itself ({type(error).__name__}: {error!s:.200})"
        )
    first = next(iter(verdict.failures), None)
    why = f"{first.code} {first.where}: {first.message}" if first else "; ".join(verdict.undecided)
    return GameFound(
        name,
        verdict.verdict,
        verdict.exit_code,
        verdict.game,
        verdict.slots,
        verdict.signatures,
        verdict.dice,
        why,
    )


def worst(found: Iterable[GameFound]) -> int:
    """Return the worst answer of all; 3 where there is no game at all."""
    return worst_answer(one.answer for one in found)


def worst_answer(answers: Iterable[int]) -> int:
    """Return the worst of some answers; 3 where there is none."""
    return max(answers, key=lambda answer: WORST[answer], default=3)
