"""What a thread of a forum is once its pages are taken apart, and what a post to be made is.

Plain values and nothing else.
"""

from __future__ import annotations

from msgspec import Struct

from pbem.core.problem import Problem
from pbem.post.lines.message import Line

PHPBB, VBULLETIN, XENFORO, NODEBB, DISCOURSE = "phpbb", "vbulletin", "xenforo", "nodebb", "discourse"
OTHER = "other"
"""A forum whose software nobody here knows, read by how its pages are built."""
SOFTWARE = (PHPBB, VBULLETIN, XENFORO, NODEBB, DISCOURSE, OTHER)


class Post(Struct, frozen=True):
    """One post. ``id`` is the forum's own name of it, which no edit changes; ``number`` its place in the
    thread as readers see it (#12).

    ``author`` is the name as it is shown, ``author_id`` the forum's own name of the account, empty where the
    page does not tell.
    ``at`` and ``edited`` are times as the page has them (ISO 8601 where it has that), ``edited`` empty where
    it shows no edit.
    ``lines`` are what a reader sees of it, quotations marked by depth, the signature behind a line ``-- ``;
    ``raw`` tells that they are the post's own source (BBCode or Markdown) with its markup taken away and not
    a page. ``link`` leads to it, where the page tells.
    ``unread`` says why nothing in it may be used as this page shows it; another page may show it whole.
    """

    id: str
    number: int = 0
    author: str = ""
    author_id: str = ""
    at: str = ""
    edited: str = ""
    lines: tuple[Line, ...] = ()
    raw: bool = False
    link: str = ""
    unread: Problem | None = None


class Thread(Struct, frozen=True):
    """One page of a thread, or several put together. ``problems`` say what could not be read."""

    software: str
    title: str = ""
    topic: str = ""
    """The forum's own name of the thread, such as ``1234``; empty where the page does not tell."""
    page: int = 1
    pages: int = 1
    posts: tuple[Post, ...] = ()
    problems: tuple[Problem, ...] = ()


class Upload(Struct, frozen=True):
    """A picture that goes with a post: its file name, its bytes, the words for those who do not see it, its
    width and height.
    """

    name: str
    data: bytes
    alt: str
    size: tuple[int, int] = (0, 0)


class Draft(Struct, frozen=True):
    """A post to be made: its title (of a new thread), its text in the forum's own markup, and the pictures
    that its text names.

    ``mark`` is a line of the text by which the same post is known again, so that it is never made twice.
    """

    title: str
    text: str
    uploads: tuple[Upload, ...] = ()
    mark: str = ""
