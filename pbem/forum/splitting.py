"""Shares the blocks of a report out over posts: on the borders of blocks, each post below a limit of length
and of pictures.

Politely: no heading stands alone at the end of a post, and a section that goes on in the next one says its
heading again. A block is cut only where it is too long for a post of its own, and then between its items,
rows or lines, each piece whole in its markup.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, Final

from msgspec.structs import replace

from pbem.forum.bbcode import cells
from pbem.text.report import Block, Code, Facts, Heading, Image, Items, Paragraph, Quote, RollTable, Roster

__all__ = ["shared"]

GAP: Final = 4
"""What stands between two blocks: an empty line, as forums count it."""
_HEADING: Final = 200
"""Characters of a heading that are kept."""

Size = Callable[[Block], int]


def shared(
    blocks: Sequence[Block], size: Size, room: int, pictures: int, continued: Callable[[str], str]
) -> list[list[Block]]:
    """Return the blocks of each post.

    ``size`` measures a block as it will be written, ``room`` is how much a post holds, ``pictures`` how many
    it may show; ``continued`` says a heading again.
    """
    return _Sharing(size, room, pictures, continued).all(blocks)


class _Sharing:
    """The post that is being filled, and those that are full."""

    def __init__(self, size: Size, room: int, pictures: int, continued: Callable[[str], str]) -> None:
        self.size, self.room, self.pictures, self.continued = size, room, max(1, pictures), continued
        self.full: list[list[Block]] = []
        self.now: list[Block] = []
        self.used = self.shown = 0
        self.heading: Heading | None = None
        """That of the section which the newest block belongs to."""

    def all(self, blocks: Sequence[Block]) -> list[list[Block]]:
        """Return every post."""
        left = deque(
            replace(block, text=block.text[:_HEADING]) if isinstance(block, Heading) else block
            for block in blocks
        )
        while left:
            group = [left.popleft()]
            while isinstance(group[-1], Heading) and left:
                group.append(left.popleft())
            if not self._takes(group) and self._begun():
                self._close(group)
            if not self._takes(group):
                first, rest = self._cut(
                    group[-1], self.room - self.used - sum(self._of(block) for block in group[:-1])
                )
                group[-1] = first
                left.extendleft(reversed(rest))
            self._add(group)
        if self.now:
            self.full.append(self.now)
        return self.full

    def _of(self, block: Block) -> int:
        return self.size(block) + GAP

    def _begun(self) -> bool:
        """Tell whether the post has anything but headings that are said again."""
        return any(not isinstance(block, Heading) for block in self.now)

    def _takes(self, group: Sequence[Block]) -> bool:
        shown = self.shown + sum(isinstance(block, Image) for block in group)
        return self.used + sum(self._of(block) for block in group) <= self.room and shown <= self.pictures

    def _add(self, group: Sequence[Block]) -> None:
        for block in group:
            self.now.append(block)
            self.used += self._of(block)
            self.shown += isinstance(block, Image)
            if isinstance(block, Heading):
                self.heading = block

    def _close(self, following: Sequence[Block]) -> None:
        """End a post and begin the next, with the heading of its section if it goes on."""
        self.full.append(self.now)
        self.now, self.used, self.shown = [], 0, 0
        if self.heading is not None and not isinstance(following[0], Heading):
            again = self.heading
            self._add([replace(again, text=self.continued(again.text))])
            self.heading = again

    def _cut(self, block: Block, room: int) -> tuple[Block, list[Block]]:
        """Return the longest beginning of a block that fits, and what is left of it."""
        many = _pieces(block)
        if len(many) > 1:
            count = self._most(lambda n: _of_pieces(block, many[:n]), min(len(many), room), room)
            if count:
                return _of_pieces(block, many[:count]), [_of_pieces(block, many[count:])]
            return self._torn(block, _of_pieces(block, many[:1]), [_of_pieces(block, many[1:])], room)
        return self._torn(block, block, [], room)

    def _torn(self, whole: Block, one: Block, after: list[Block], room: int) -> tuple[Block, list[Block]]:
        """Cut inside the only piece of a block, at a space where there is one."""
        text, made = _text(one)
        count = max(1, self._most(lambda n: made(text[:n]), min(len(text), room), room))
        space = text.rfind(" ", count // 2, count)
        count = space if space > 0 and count < len(text) else count
        rest = text[count:].lstrip(" ")
        return made(text[:count]), ([made(rest)] if rest else []) + after

    def _most(self, made: Callable[[int], Block], most: int, room: int) -> int:
        """Return the largest number up to ``most`` of which what is made fits; 0 where one does not."""
        low, high = 0, most
        while low < high:
            middle = (low + high + 1) // 2
            if self._of(made(middle)) <= room:
                low = middle
            else:
                high = middle - 1
        return low


def _pieces(block: Block) -> Sequence[Any]:
    """Return what a block may be cut between: items, rows, lines."""
    match block:
        case Items():
            return block.items
        case Facts() | RollTable() | Roster():
            return block.rows
        case Quote() | Code():
            return block.text.strip("\n").split("\n")
        case _:
            return (block,)


def _of_pieces(block: Block, pieces: Sequence[Any]) -> Block:
    """Return the same block with other pieces."""
    kept: tuple[Any, ...] = tuple(pieces)
    match block:
        case Items():
            return replace(block, items=kept)
        case Facts():
            return replace(block, rows=kept)
        case RollTable():
            return replace(block, rows=kept)
        case Roster():
            return replace(block, rows=kept)
        case Quote() | Code():
            return replace(block, text="\n".join(kept))
        case _:
            return block


def _text(block: Block) -> tuple[str, Callable[[str], Block]]:
    """Return the text of a block that has one piece, and what makes a block of a part of that text."""
    match block:
        case Items():
            return block.items[0], lambda text: Items((text,))
        case Facts():
            name, value = block.rows[0]
            return f"{name}: {value}", Paragraph
        case Roster():
            return block.lines()[0], Paragraph
        case RollTable():
            return "; ".join(cell for cell in cells(block.rows[0]) if cell), Paragraph
        case Image():
            return block.alt, Paragraph
        case Heading() | Paragraph() | Quote() | Code():
            return block.text, lambda text: replace(block, text=text)
