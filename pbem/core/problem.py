"""What is wrong with something a person wrote: a code, a place and the rule; its words stand in
``words/en.yaml`` or beside a ruleset.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct, field
from msgspec.structs import replace

Path = tuple[str | int, ...]


class Problem(Struct, frozen=True):
    """One thing that is wrong, or doubtful, in a file.

    ``code`` is stable and dotted (``movement.too-far``); codes that begin with ``doubt.`` are doubts: legal,
    but perhaps not what will happen. ``args`` fills the sentence of that code. ``path`` leads to the value in
    the plain data (``("move", 2)``); ``key`` says that the place is the key itself and not its value.
    ``rule`` is a rule id such as ``S1.61c``.
    ``help`` says what would be right, already in words.
    """

    code: str
    args: Mapping[str, str | int] = field(default_factory=dict)
    path: Path = ()
    rule: str = ""
    help: str = ""
    key: bool = False

    @property
    def is_doubt(self) -> bool:
        """Tell whether the file stands anyway."""
        return self.code.startswith("doubt.")

    def at(self, *path: str | int) -> Problem:
        """Return the same problem, with its place led further in from ``path``."""
        return replace(self, path=(*path, *self.path))


def first_problem(found: Iterable[Problem | None]) -> Problem | None:
    """Return the first of several answers that is a problem; nothing behind it is asked. None if none is."""
    return next((problem for problem in found if problem is not None), None)


def worst(problems: Iterable[Problem]) -> list[Problem]:
    """Return only the problems that refuse the file."""
    return [problem for problem in problems if not problem.is_doubt]
