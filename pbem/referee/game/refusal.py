"""How a use case says no: with problems, and with how sure it is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from pbem.core.problem import Problem
from pbem.text.located import Located

if TYPE_CHECKING:
    from pathlib import Path

    from pbem.store.disk import Busy

NO, UNDECIDED = 1, 3


class Refused(Exception):
    """What was asked cannot be done: nothing was stored.

    ``answer`` is 1 (no) or 3 (cannot decide: something is missing).
    """

    def __init__(
        self,
        problems: Iterable[Problem] = (),
        *,
        answer: int = NO,
        file: str = "",
        located: Iterable[Located] = (),
    ) -> None:
        self.problems = tuple(problems)
        self.located = tuple(located)
        self.answer = answer
        self.file = file
        codes = [*(problem.code for problem in self.problems), *(found.code for found in self.located)]
        super().__init__(", ".join(codes))


_OF_THE_GAME = (
    "story.",
    "engine.",
    "game.no-",
    "game.bad-",
    "game.busy",
    "game.events",
    "proof.broken",
    "rules.revision",
)


def is_of_the_game(refusal: Refused) -> bool:
    """Tell whether a refusal is for something in the game's own folder, which its umpire puts right and no
    player.
    """
    return any(problem.code.startswith(_OF_THE_GAME) for problem in refusal.problems)


def refuse(code: str, *, answer: int = NO, file: str = "", help: str = "", **args: str | int) -> Refused:
    """Return a refusal for one reason."""
    given: Mapping[str, str | int] = args
    return Refused([Problem(code, given, help=help)], answer=answer, file=file)


def in_use(busy: Busy, file: Path | str = "") -> Refused:
    """Return a refusal (cannot decide) because another program is at something; ``file`` is what was asked
    for.
    """
    return refuse("game.busy", answer=UNDECIDED, file=str(file), owner=busy.owner, path=str(busy.path))
