"""Blocks of a report as Markdown for Discourse: lists, details that fold, fences."""

from __future__ import annotations

from collections.abc import Callable

from pbem.forum.bbcode import said_of
from pbem.forum.defusing import attribute, fenced, marked, pictured
from pbem.text.markup import clean
from pbem.text.report import Block, Code, Facts, Heading, Image, Items, Paragraph, Quote, RollTable, Roster

__all__ = ["part_title", "small", "written"]


def written(block: Block, picture: Callable[[Image], str]) -> str:
    """Return a block as Markdown; ``picture`` says how an image is shown."""
    match block:
        case Heading():
            return f"{'#' * (block.level + 1)} {marked(block.text)}"
        case Paragraph():
            return marked(block.text)
        case Items():
            return "\n".join(f"* {marked(item)}" for item in block.items)
        case Facts():
            return "\n".join(f"* **{marked(name)}:** {marked(value)}" for name, value in block.rows)
        case RollTable():
            # no table: its first
            rows = [
                f"* **{marked(row.label)}**: {marked('; '.join(said_of(block, row)))}" for row in block.rows
            ]
            return _folded(block.title, "\n".join(rows))  # column would take half of a telephone
        case Roster():
            return "\n".join(f"* {marked(line)}" for line in block.lines())
        case Quote():
            lines = [marked(line) for line in clean(block.text, lines=True).strip("\n").split("\n")]
            return "\n".join(
                [f"> **{marked(block.who)}:**", ">", *(f"> {line}" if line else ">" for line in lines)]
            )
        case Image():
            return picture(block)
        case Code():
            code = fenced(block.text, block.language)
            return _folded(block.title, code) if block.title else code


def part_title(text: str) -> str:
    """Return the title of a post."""
    return f"## {marked(text)}"


def small(text: str) -> str:
    """Return a line in small letters."""
    return f"<small>{marked(text)}</small>"


def _folded(title: str, inside: str) -> str:
    return f'[details="{attribute(pictured(title))}"]\n\n{inside}\n\n[/details]'
