"""What a forum is to whoever posts to it or reads it, whichever software it runs: look at the thread, post,
fetch its pages.

Decides by which signs a post is ours and stands: it bears the mark of the draft, in its own words and not
quoted, and is by our account. Nobody else can make us believe that a post is made, nor can a quotation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Final, Protocol

from msgspec import Struct, field

from pbem.core.problem import Problem
from pbem.forum.thread import Draft, Post, Upload
from pbem.post.offices.forums import Forum

__all__ = [
    "MOST_PAGES",
    "STANDS",
    "WAITS",
    "Door",
    "Notes",
    "Page",
    "PostResult",
    "Seen",
    "all_before",
    "problem_of",
    "see",
]

STANDS, WAITS = "stands", "waits"
MOST_PAGES: Final = 50
"""Pages of a thread that are looked at, and that are fetched in one go."""
_DAY: Final = 86_400


class Seen(Struct, frozen=True):
    """What a look at the thread shows: ``marks`` leads from each mark that stands there to the forum's own
    name of its post.

    ``own`` are the names of our posts there, ``last`` is the newest post of all; ``in_a_row`` tells how many
    of ours are last.
    ``others`` leads from a mark to the newest post under another name that bears it, and that name: perhaps
    ours, if accounts are shown by other names than they log in with.
    """

    marks: Mapping[str, str] = field(default_factory=dict)
    own: frozenset[str] = frozenset()
    last: str = ""
    in_a_row: int = 0
    others: Mapping[str, tuple[str, str]] = field(default_factory=dict)


class PostResult(Struct, frozen=True):
    """What became of a post: it stands, or it waits for a moderator."""

    state: str
    id: str = ""


class Page(Struct, frozen=True):
    """A page of the thread as it came; ``kind`` is the ending of its file's name, ``number`` its place,
    ``of`` how many there are.

    ``tag`` is by what the forum knows this state of it again; ``data`` is empty where it is still in the
    state that was known before.
    """

    data: bytes
    kind: str
    number: int
    of: int
    tag: str = ""


class Notes(Protocol):
    """What is kept of a post while it is made."""

    def picture(self, upload: Upload) -> str:
        """Return what the forum calls a picture that was uploaded before; empty where none was."""

    def uploaded(self, upload: Upload, there: str) -> None:
        """Note that a picture is there, and what the forum calls it."""

    def sending(self) -> None:
        """Note that the post is being sent: from now on nobody knows whether it stands."""


class Door(Protocol):
    """A forum with one thread in it.

    Each method raises Trouble where the forum cannot be reached or will not.
    """

    def look(self, marks: Sequence[str], since: datetime | None) -> Seen:
        """Look at the posts since some moment, and tell which marks are there."""

    def post(self, draft: Draft, notes: Notes) -> PostResult:
        """Make a post, with its pictures.

        Declined: it was not posted and never will be. Later: not now. Doubt: nobody knows before having
        looked. Any other Trouble: it was not posted.
        """

    def pages(self, first: int, tags: Mapping[int, str]) -> Iterator[Page]:
        """Yield the pages of the thread from one on; ``tags`` are those of the pages that are known."""


def problem_of(forum: Forum, host: str, topic: int, code: str, said: str = "", **more: str) -> Problem:
    """Return a problem with a forum: every sentence whose code begins with ``board.`` may name these."""
    return Problem(
        code, {"host": host, "topic": topic, "user": forum.user or "a guest", "said": said, **more}
    )


def see(posts: Sequence[Post], user: str, marks: Sequence[str]) -> Seen:
    """Return what posts show, given in the order of the thread."""
    ours = [post for post in posts if post.author.casefold() == user.casefold()]
    found: dict[str, str] = {}
    others: dict[str, tuple[str, str]] = {}
    for post in posts:
        texts = [_folded(line.text[:2_000]) for line in post.lines if not line.quoted]
        for mark in marks:
            if not any(_folded(mark) in text for text in texts):
                continue
            if post.author.casefold() != user.casefold():
                others[mark] = (post.id, post.author)
            elif mark not in found:
                found[mark] = post.id
    row = 0
    for post in reversed(posts):
        if post.author.casefold() != user.casefold():
            break
        row += 1
    return Seen(found, frozenset(post.id for post in ours), posts[-1].id if posts else "", row, others)


def _folded(mark: str) -> str:
    """Return the letters and digits of a text: what no forum changes."""
    return re.sub(r"[\W_]+", "", mark).casefold()


def all_before(posts: Sequence[Post], since: datetime | None) -> bool:
    """Tell whether posts were all made a day and more before some moment, so that older ones need not be
    looked at.
    """
    if since is None or not posts:
        return False
    return all(_before(post.at, since) for post in posts)


def _before(at: str, since: datetime) -> bool:
    try:
        moment = datetime.fromisoformat(at)
    except ValueError:
        return False
    return moment.tzinfo is not None and (since - moment).total_seconds() > _DAY
