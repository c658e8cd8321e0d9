"""The problems of a map or a scenario as they are found, up to so many that nobody reads more.

Whoever reads a file of somebody else says each problem with its place, and often with the word that was
probably meant. A file with thousands of them would keep him busy for minutes; so reading ends where enough
has been told.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Self

from pbem.core.problem import Problem

MOST: Final = 200
"""How many problems of one file are told."""


class Enough(Exception):
    """So much is wrong with a file that it is not read on."""


class ProblemLog(list[Problem]):
    """Problems in the order in which they were found; raises Enough once there are ``MOST``."""

    def append(self, problem: Problem) -> None:
        """Note one more."""
        super().append(problem)
        if len(self) >= MOST:
            raise Enough

    def __iadd__(self, problems: Iterable[Problem]) -> Self:  # type: ignore[override, misc]
        """Note some more, taking no more of them than are told."""
        for problem in problems:
            self.append(problem)
        return self


__all__ = ["MOST", "Enough", "ProblemLog"]
