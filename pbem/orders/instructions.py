"""Standing instructions of an order file: for everyone, and for single figures. Which there are, and what
they say, is the game's affair.

All of them are kept as they were written, wrong ones too, so that the writer gets his block back as it was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from pbem.core.problem import Problem
from pbem.orders.file import EVERYONE

__all__ = ["read"]


def read(
    block: Any,
    *,
    who: Callable[[str], Iterable[Problem]],
    plain: Callable[[object, Any], str],
    wrong: Callable[[str, str], Iterable[Problem]],
    example: str,
) -> tuple[Mapping[str, str], tuple[Mapping[str, str], ...], list[Problem]]:
    """Return what a block says for everyone and for single figures (sorted by name), and its problems, with
    paths from the block on.

    ``who``: why a name is not a figure of the sender; ``plain``: (key, value) -> what is kept of a value;
    ``wrong``: (key, what is kept) -> what is wrong with one instruction; ``example``: a block in one line,
    for help.
    """
    if not isinstance(block, Mapping):
        return {}, (), [Problem("orders.standing")]
    everyone: Mapping[str, str] = {}
    figures: list[Mapping[str, str]] = []
    problems: list[Problem] = []

    for name, choices in block.items():
        if name != EVERYONE:
            problems += [problem.at(name) for problem in who(str(name))]
        if not isinstance(choices, Mapping):
            problems.append(Problem("orders.standing", {}, (name,), help=example))
            continue

        kept: dict[str, str] = {}
        for key, value in choices.items():
            said = plain(key, value)
            problems += [problem.at(name, key) for problem in wrong(str(key), said)]
            kept[str(key)] = said
        if name == EVERYONE:
            everyone = kept
        else:
            figures.append({"unit": str(name), **kept})

    return everyone, tuple(sorted(figures, key=lambda figure: figure["unit"])), problems
