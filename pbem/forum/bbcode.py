"""Blocks of a report as BBCode, in the tags of one forum.

What a forum has no tag for is said in those it has.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterable
from typing import Final

from pbem.core.regex import regex
from pbem.forum.defusing import attribute, plain, verbatim
from pbem.forum.dialects import Pair, Tags
from pbem.text.report import (
    Block,
    Code,
    Facts,
    Heading,
    Image,
    Items,
    Paragraph,
    Quote,
    RollRow,
    RollTable,
    Roster,
)

__all__ = ["cells", "close", "part_title", "said_of", "small", "written"]

_WIDE: Final = 38
"""Characters of a line in a box of code that a telephone held upright shows."""
_INDENT: Final = regex(r"(^(?:\| )?)( +)", re.MULTILINE)
"""The spaces in front of a line, behind its bar, of which a forum shows one outside of code."""


def written(block: Block, tags: Tags, picture: Callable[[Image], str]) -> str:
    """Return a block in the tags of a forum; ``picture`` says how an image is shown."""
    match block:
        case Heading():
            return _in(tags.heading if block.level < 3 else tags.minor, plain(block.text))
        case Paragraph():
            return plain(block.text)
        case Items():
            return "[list]\n" + "\n".join(f"[*]{plain(item)}" for item in block.items) + "\n[/list]"
        case Facts():
            return "\n".join(f"[b]{plain(name)}:[/b] {plain(value)}" for name, value in block.rows)
        case RollTable():
            return _folded(block.title, _rolls(block, tags), tags)
        case Roster():
            return "[list]\n" + "\n".join(f"[*]{plain(line)}" for line in block.lines()) + "\n[/list]"
        case Quote():
            who = attribute(block.who, name=True)
            return tags.quote[0].format(who) + plain(block.text, lines=True).strip("\n") + tags.quote[1]
        case Image():
            return picture(block)
        case Code():
            if tags.tall and block.title and block.text.count("\n") >= tags.tall:
                inside = plain(block.text.strip("\n"), lines=True)
                return f"[b]{plain(block.title)}[/b]\n[quote]{_INDENT.sub(_hard, inside)}[/quote]"
            code = f"[code]\n{verbatim(block.text, block.language)}\n[/code]"
            return _folded(block.title, code, tags) if block.title else code


def close(before: Block, after: Block) -> bool:
    """Tell whether an empty line between two blocks would be one too many."""
    boxes = (Items, Quote, Code, RollTable, Roster)
    return isinstance(before, Heading) or (
        not isinstance(after, Heading) and (isinstance(before, boxes) or isinstance(after, boxes))
    )


def part_title(text: str, tags: Tags) -> str:
    """Return the title of a post."""
    return _in(tags.title, plain(text))


def small(text: str, tags: Tags) -> str:
    """Return a line in small letters."""
    return _in(tags.small, plain(text))


def _in(pair: Pair, text: str) -> str:
    return f"{pair[0]}{text}{pair[1]}"


def _folded(title: str, inside: str, tags: Tags) -> str:
    """Return something long behind its title; where nothing folds, below it: boxes of code and tables scroll
    on most forums.
    """
    if tags.spoiler[0]:
        return f"{tags.spoiler[0].format(attribute(title))}\n{inside}\n{tags.spoiler[1]}"
    return f"[b]{plain(title)}[/b]\n{inside}"


def cells(row: RollRow) -> tuple[str, ...]:
    """Return a roll as the columns of its table."""
    reckoned = ", ".join(part for part in (row.base, *row.modifiers) if part)
    where = ", ".join(part for part in (row.table, row.column) if part)
    return row.label, row.die, reckoned, where, row.row, row.result


def _rolls(block: RollTable, tags: Tags) -> str:
    if not tags.table[0]:
        return f"[code]\n{verbatim(chr(10).join(_lines(block)))}\n[/code]"
    rows = [
        _row(map(plain, block.heads), tags.head, tags),
        *(_row(map(plain, cells(row)), tags.cell, tags) for row in block.rows),
    ]
    return "\n".join([tags.table[0], *rows, tags.table[1]])


def _row(texts: Iterable[str], cell: Pair, tags: Tags) -> str:
    return _in(tags.row, "".join(_in(cell, text) for text in texts))


def _lines(block: RollTable) -> Iterable[str]:
    """Yield rolls as lines for a box of code, each below its name: six columns are wider than any box, and
    long lines than a telephone.
    """
    for row in block.rows:
        yield row.label
        yield from textwrap.wrap(
            "; ".join(said_of(block, row)),
            _WIDE,
            initial_indent="  ",
            subsequent_indent="    ",
            break_on_hyphens=False,
        )


def said_of(block: RollTable, row: RollRow) -> list[str]:
    """Return what a roll says beside its name, each part behind the head of its column."""
    return [f"{head} {cell}" for head, cell in zip(block.heads[1:], cells(row)[1:], strict=True) if cell]


def _hard(found: re.Match[str]) -> str:
    return found[1] + "\u00a0" * len(found[2])
