"""How a refusal, a missing file and a fault of pbem itself are told: in plain words on stderr, and by the
answer.
"""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import click

from pbem.cli import FAULT, UNDECIDED
from pbem.core.problem import Problem
from pbem.referee.game.refusal import Refused
from pbem.store.library import common_words
from pbem.text.located import Located, as_json, render

if TYPE_CHECKING:
    from pbem.post.lines.message import Repair

REPORT_TO = "the issue tracker named in the README"


def located(refusal: Refused) -> list[Located]:
    """Return everything a refusal says: first what has a place in a file, then what is said of a whole file,
    a folder or a command.
    """
    words = common_words()
    plain = [
        Located(
            refusal.file or "pbem",
            0,
            0,
            problem.code,
            words.problem(problem.code, problem.args),
            problem.rule,
            words.put(problem.help),
        )
        for problem in refusal.problems
    ]
    return [*refusal.located, *plain]


def tell(found: Iterable[Located]) -> None:
    """Print problems to stderr, then doubts, which are not mistakes, under a line that says so."""
    every = list(found)
    doubts = [problem for problem in every if problem.is_doubt]
    for problem in every:
        if not problem.is_doubt:
            click.echo(render(problem), err=True)
    if doubts:
        click.echo(common_words().phrase("check.doubts"), err=True)
    for problem in doubts:
        click.echo(render(problem), err=True)


def tell_doubt(problem: Problem) -> None:
    """Print one thing that is worth knowing and stops nothing to stderr: it is called a note, and needs no
    line above it.
    """
    for one in located(Refused([problem])):
        click.echo(render(one), err=True)


def tell_repairs(repairs: Sequence[Repair]) -> None:
    """Print to stderr what was mended in a file before it was read."""
    if repairs:
        from pbem.post.write.parts import repaired

        click.echo(common_words().phrase("check.repaired", count=len(repairs)), err=True)
        for said in repaired(repairs, common_words()):
            click.echo(f"- {said}", err=True)


def check_json(found: Iterable[Located]) -> dict[str, object]:
    """Return problems and doubts in the shape that ``check --json`` prints."""
    every = list(found)
    return {
        "ok": all(problem.is_doubt for problem in every),
        "doubts": [as_json(problem) for problem in every if problem.is_doubt],
        "problems": [as_json(problem) for problem in every if not problem.is_doubt],
    }


def answer(error: Exception) -> int:
    """Tell what went wrong and return the answer of the command."""
    if isinstance(error, Refused):
        tell(located(error))
        return error.answer
    if isinstance(error, OSError) and error.filename is not None:
        click.echo(f"{error.filename}: file.system: {error.strerror}", err=True)
        return UNDECIDED
    if isinstance(error, OSError) and error.errno == errno.ENOSPC:
        click.echo(
            f"pbem: file.system: what was to be printed has no room where it goes ({error.strerror})",
            err=True,
        )
        return UNDECIDED
    click.echo(
        f"pbem: a fault of pbem itself ({type(error).__name__}: "
        f"{error!s:.200}); nothing of it is your doing.",
        err=True,
    )
    click.echo(f"Please report it, with the command you typed, at {REPORT_TO}.", err=True)
    if os.environ.get("PBEM_TRACEBACK"):
        import traceback

        click.echo("".join(traceback.format_exception(error)), err=True)
    else:
        click.echo("With PBEM_TRACEBACK=1 in the environment it also shows where.", err=True)
    return FAULT


def print_json(data: object) -> None:
    """Print facts as JSON."""
    click.echo(json.dumps(data, ensure_ascii=False, indent=2))
