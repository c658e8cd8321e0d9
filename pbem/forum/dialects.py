"""What each forum lets a post be: which markup it reads, how long a post, how large a picture. Data, and
nothing that writes.

The numbers are what an installation has when nobody has changed it, and an administrator may have: all of
them can be given otherwise. Where they come from stands in docs/forum.md, beside each of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from pbem.forum.thread import DISCOURSE, PHPBB, VBULLETIN, XENFORO

__all__ = ["DIALECTS", "LEAST_LENGTH", "Dialect", "Limits", "Tags", "length"]

LEAST_LENGTH: Final = 2000
"""Characters that a post has to have room for: with less its head, its foot and the proof line leave none for
the story.
"""


class Limits(Struct, frozen=True):
    """How long a post may be (``characters``, as ``length`` counts them) and its title; pictures of one post,
    and how large each may be.

    ``shown`` is how many pixels wide a post shows a picture and ``tall`` how high (0: as high as it is);
    ``between`` how many seconds have to pass between two posts, and ``in_a_row`` how many posts one may write
    without anybody else between (0: as many as one likes).
    """

    characters: int
    title: int
    pictures: int
    bytes: int
    width: int
    height: int
    shown: int
    between: int
    in_a_row: int = 0
    tall: int = 0


Pair = tuple[str, str]


class Tags(Struct, frozen=True):
    """The tags of one BBCode: each what stands before and behind, with ``{}`` where a title or a name goes.

    ``image`` and ``attached`` are patterns with ``{address}``, ``{name}``, ``{index}`` and ``{alt}``.
    ``spoiler`` and ``table`` are empty where the forum has none as it comes. ``row``, ``head`` and ``cell``
    are those of a table.
    """

    title: Pair
    heading: Pair
    minor: Pair
    small: Pair
    quote: Pair
    image: str
    attached: str
    spoiler: Pair = ("", "")
    table: Pair = ("", "")
    row: Pair = ("[TR]", "[/TR]")
    head: Pair = ("[TD][B]", "[/B][/TD]")
    cell: Pair = ("[TD]", "[/TD]")
    tall: int = 0
    """Lines that a box of code shows before it scrolls; 0: all. Longer ones stand in a box of quotation."""
    captioned: bool = True
    """Whether a picture from an address has no words of its own, so that they stand below it."""
    captioned_attachment: bool = False
    """Whether an attached picture has none either."""


class Dialect(Struct, frozen=True):
    """One forum software: its name as it is typed, its limits, and the tags of its BBCode; without them it
    reads Markdown.

    ``newest_first`` tells that attachments are counted from the one that was uploaded last.
    """

    name: str
    limits: Limits
    tags: Tags | None = None
    newest_first: bool = False


def length(text: str) -> int:
    """Return how long a text is for a forum that counts as a browser sends it: an emoji is two, the end of a
    line is two.
    """
    return len(text) + text.count("\n") + sum(letter > "\uffff" for letter in text)


DIALECTS: Final[Mapping[str, Dialect]] = {
    PHPBB: Dialect(
        PHPBB,
        Limits(
            characters=60_000,
            title=120,
            pictures=3,
            bytes=262_144,
            width=1400,
            height=4000,
            shown=800,
            between=15,
        ),
        Tags(
            title=("[size=150][b]", "[/b][/size]"),
            heading=("[size=120][b]", "[/b][/size]"),
            minor=("[b]", "[/b]"),
            small=("[size=85]", "[/size]"),
            quote=('[quote="{}"]', "[/quote]"),
            image="[img]{address}[/img]",
            attached="[attachment={index}]{name}[/attachment]",
            tall=10,
        ),
        newest_first=True,
    ),
    VBULLETIN: Dialect(
        VBULLETIN,
        Limits(
            characters=10_000,
            title=85,
            pictures=5,
            bytes=100_000,
            width=1024,
            height=2000,
            shown=800,
            between=30,
        ),
        Tags(
            title=("[SIZE=4][B]", "[/B][/SIZE]"),
            heading=("[SIZE=3][B]", "[/B][/SIZE]"),
            minor=("[B]", "[/B]"),
            small=("[SIZE=1]", "[/SIZE]"),
            quote=("[QUOTE={}]", "[/QUOTE]"),
            image="[IMG]{address}[/IMG]",
            attached="[ATTACH=CONFIG]{name}[/ATTACH]",
            table=('[TABLE="class: grid"]', "[/TABLE]"),
            captioned_attachment=True,
        ),
    ),
    XENFORO: Dialect(
        XENFORO,
        Limits(
            characters=10_000,
            title=150,
            pictures=10,
            bytes=500_000,
            width=1400,
            height=4000,
            shown=800,
            between=10,
        ),
        Tags(
            title=("[HEADING=1]", "[/HEADING]"),
            heading=("[HEADING=2]", "[/HEADING]"),
            minor=("[HEADING=3]", "[/HEADING]"),
            small=("[SIZE=2]", "[/SIZE]"),
            quote=('[QUOTE="{}"]', "[/QUOTE]"),
            image='[IMG alt="{alt}"]{address}[/IMG]',
            attached='[ATTACH type="full" alt="{alt}"]{name}[/ATTACH]',
            spoiler=('[SPOILER="{}"]', "[/SPOILER]"),
            table=("[TABLE]", "[/TABLE]"),
            head=("[TH]", "[/TH]"),
            captioned=False,
        ),
    ),
    DISCOURSE: Dialect(
        DISCOURSE,
        Limits(
            characters=32_000,
            title=255,
            pictures=10,
            bytes=4_194_304,
            width=1400,
            height=4000,
            shown=690,
            between=5,
            in_a_row=3,
            tall=500,
        ),
    ),
}
"""Name -> dialect."""
