"""The file that a player whose orders were refused can mend and send again: what could be used as it is, the
rest beside its reasons.

Pure: of a file that was checked it makes text, and stores nothing.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import Final

from pbem.core.problem import Path
from pbem.core.ruleset import Ruleset
from pbem.referee.turn.check import Checked
from pbem.store.library import common_words
from pbem.text.characters import cleaned, printable
from pbem.text.located import Located
from pbem.text.source import Source

__all__ = ["sent_back"]

WIDE: Final = 76
_LONGEST: Final = 20
"""Lines of one entry at most."""


def sent_back(rules: Ruleset[object], checked: Checked, told: Sequence[Located] | None = None) -> str:
    """Return an order file made ready to be mended and sent again; nothing where nobody knows whose it is, or
    the game has no form for it.

    ``told`` are the problems as their writer sees them, in the order of ``checked.problems``: with their
    lines in his letter. As it is the file is well: each line that cannot be used stands in it as a comment,
    with what is wrong and what would be right below.
    """
    if checked.readable is None:
        return ""
    writer = _Writer(checked, told if told is not None else checked.problems)
    lines = list(rules.interface.normal(rules, checked.readable, writer.instead))
    if not lines:
        return ""
    rest = list(writer.rest())
    head = (
        _comments(common_words().phrase("check.sent-back", count=len(checked.problems)), "# ")
        if checked.problems
        else []
    )
    return "\n".join([*head, *rest, *lines, ""])


class _Writer:
    """What is to be said instead of each part of a file, and what was not said yet."""

    def __init__(self, checked: Checked, told: Sequence[Located]) -> None:
        self.source = checked.source
        self.lost = checked.lost
        self.told = list(zip(checked.problems, told, strict=True))
        self.done: set[int] = set()

    def instead(self, path: Path, reach: str) -> list[str]:
        """Return the comments that stand in the place of what is at a path: what was typed there, and below
        it what is wrong.
        """
        found = [
            number for number, (problem, _) in enumerate(self.told) if _within(problem.path, path, reach)
        ]
        if not found and reach != "gap":
            return []
        self.done.update(found)
        whole = path[:-1] if path[-1] == "when" else path  # without its condition nothing is left of an entry
        typed = self.typed(whole) if reach != "heading" else []
        return [*(f"# {line}" for line in typed), *(line for number in found for line in self.reason(number))]

    def rest(self) -> Iterator[str]:
        """Yield what has no place among the orders: keys that nobody knows, lines that could not be read."""
        yield from (f"# {_harmless(line)}" for line in self.lost)
        for number, (problem, _) in enumerate(self.told):
            if number in self.done:
                continue
            typed = self.typed(problem.path[:1]) if problem.path else [_harmless(problem.source_line)]
            if problem.source_line not in self.lost:
                yield from (f"# {line}" for line in typed if line)
            yield from self.reason(number)

    def reason(self, number: int) -> list[str]:
        """Return a problem as comments, with what would be right."""
        _, shown = self.told[number]
        key = "check.sent-back-line" if shown.line else "check.sent-back-why"
        said = common_words().phrase(
            key, line=shown.line, message=shown.message, help=shown.help, rule=shown.rule
        )
        return _comments(_harmless(said), "#   ")

    def typed(self, path: Path) -> list[str]:
        """Return what stands at a path of the file, as it was typed."""
        if self.source is None:
            return []
        value = self.source.data
        for step in path:
            try:
                value = value[step]  # type: ignore[index]
            except (KeyError, IndexError, TypeError):
                break
        if isinstance(value, str) and path and isinstance(path[-1], int):
            return [f"- {_harmless(value)}"]
        lines = list(_block(self.source, path))[:_LONGEST]
        return [f"- {lines[0]}", *lines[1:]] if lines and path and isinstance(path[-1], int) else lines


def _within(problem: Path, path: Path, reach: str) -> bool:
    """Tell whether a problem belongs to what is at a path."""
    if problem[: len(path)] != path or not path:
        return False
    inside = problem[len(path) :]
    if reach in ("self", "heading"):
        return not inside
    if reach == "keys":
        return not inside or (len(inside) == 1 and isinstance(inside[0], str) and inside[0] != "when")
    return True


def _block(source: Source, path: Path) -> Iterator[str]:
    """Yield the lines of a key or an entry, with everything further in below it."""
    line, column = source.mark(path, key=True)
    first = source.lines[line - 1] if line <= len(source.lines) else ""
    yield _harmless(first[column - 1 :])
    entry = isinstance(path[-1], int)
    least, cut = (column - 1, max(column - 3, 0)) if entry else (column, column - 1)
    for below in source.lines[line:]:
        bare = below.lstrip(" ")
        indent = len(below) - len(bare)
        if bare and (indent < least if len(path) > 1 else indent == 0 and bare[0] not in "-#"):
            return
        if bare:
            yield _harmless(below[min(indent, cut) :])


def _harmless(text: str) -> str:
    """Return a line that may stand in a comment of any file."""
    return printable(cleaned(text.replace("\n", " "))).rstrip()


def _comments(said: str, first: str) -> list[str]:
    return textwrap.wrap(
        said,
        WIDE,
        initial_indent=first,
        subsequent_indent=first,
        break_long_words=False,
        break_on_hyphens=False,
    )
