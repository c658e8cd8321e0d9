"""Posts on pages as the referee looks at them: in their order, whose each is, what it asks for, and whether
it was seen before.

Nothing is stored and nothing carried out here. Whose a post is, is told by the name of its account as the
umpire gave it, and by the forum's own number of that account where a page tells it: the first one that is
seen under a name is kept, and another one under the same name, the same one under another, a guest under the
name of a member, and a name that only looks the same are told and never carried out.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from msgspec import Struct, field

from pbem.core.problem import Problem
from pbem.core.regex import regex
from pbem.forum import api_answers, feeds, pages, proofline, reading
from pbem.forum.authors import known_as, skeleton
from pbem.forum.thread import Post, Thread
from pbem.post.lines.keys import Keys
from pbem.post.lines.message import NOTHING, Found
from pbem.store.forum_book import Book, Seen
from pbem.text.characters import printable

__all__ = [
    "Page",
    "ShownPost",
    "Whom",
    "comes_before",
    "fingerprints",
    "kept_account",
    "known",
    "look",
    "ordered",
    "same",
    "seen",
    "whom",
]

_OWN_ID: Final = regex(r"(?!post_)[0-9A-Za-z][0-9A-Za-z:/._-]{0,59}")
"""A name that the forum itself gave to a post; others are made of its place on the page."""
_MARK: Final = regex(
    r"[\W_]{0,12}([a-z0-9][a-z0-9-]{0,60}), slot [0-9]{1,6}, (?:for [^,]{1,60}, )?post [0-9]{1,5} of ",
    re.IGNORECASE,
)
_GAME: Final = regex(rb"^game:[ ]*[\"']?([a-z0-9][a-z0-9-]{0,47})[\"']?[ ]*(?:#.*)?$", re.MULTILINE)


class Page(Struct, frozen=True):
    """A file that was given: its name, the thread in it, and what it is: ``page``, ``json``, ``feed`` or
    ``raw``.
    """

    file: str
    thread: Thread
    form: str

    @property
    def certain(self) -> bool:
        """Tell whether nobody can have written what divides the posts from each other."""
        return all(problem.code != "doubt.forum.raw-heads" for problem in self.thread.problems)


class ShownPost(Struct, frozen=True):
    """A post as a page shows it, and what it asks for."""

    post: Post
    page: Page
    found: Found = field(default_factory=lambda: Found(NOTHING))

    @property
    def place(self) -> str:
        """Return how its author calls the post: ``post #12``."""
        return (
            f"post #{self.post.number}"
            if self.post.number
            else f"post {self.post.id}"
            if self.post.id
            else "the post"
        )

    @property
    def named(self) -> str:
        """Return the post and its author: ``post #12 by Bob``."""
        return f"{self.place} by {printable(self.post.author)[:60]}" if self.post.author else self.place

    @property
    def has_own_id(self) -> bool:
        """Tell whether the forum told its own name of the post."""
        return bool(self.page.thread.software) and _OWN_ID.fullmatch(self.post.id) is not None

    @property
    def is_unread(self) -> bool:
        """Tell whether the page could not be read where this post stands, or does not say who wrote it."""
        return self.post.unread is not None or not self.post.author or not self.page.thread.software

    @property
    def is_ours(self) -> bool:
        """Tell whether it bears the mark of posts that pbem writes."""
        return reading.is_ours(self.post)

    def games(self) -> frozenset[str]:
        """Return the games that the post speaks of: by a proof line, a mark, or in its orders."""
        told = {one.game for one in proofline.find(self.post.lines) if not one.quoted}
        marks = (
            _MARK.match(" ".join(line.text[:400].split())) for line in self.post.lines if not line.quoted
        )
        told |= {mark[1].lower() for mark in marks if mark is not None}
        line = _GAME.search(self.found.data)
        return frozenset({*told, *([line[1].decode()] if line else [])})


class Whom(Struct, frozen=True):
    """Whose a post is: a seat, or why it is nobody's."""

    seat: str = ""
    problem: Problem | None = None

    @property
    def is_stranger(self) -> bool:
        """Tell whether the author is simply nobody who plays."""
        return self.problem is not None and self.problem.code == "forum.stranger"


def look(keys: Keys, files: Iterable[tuple[str, bytes]]) -> list[Page]:
    """Return what is on pages, in the order of their threads and of the pages of each."""
    found = [Page(name, pages.read(data, name, keys), _form(data)) for name, data in files]
    first = {page.thread.topic: number for number, page in reversed(list(enumerate(found)))}
    return sorted(found, key=lambda page: (first[page.thread.topic], page.thread.page))


def _form(data: bytes) -> str:
    start = data[:4_000].lstrip(b"\xef\xbb\xbf \t\r\n")
    if start[:1] in (b"{", b"["):
        return "json"
    text = start.decode("utf-8", "replace")
    return "feed" if feeds.is_feed(text) else "raw" if api_answers.is_raw_topic(text) else "page"


def ordered(keys: Keys, of: Sequence[Page]) -> list[ShownPost]:
    """Return the posts of some pages in the order of the thread, with what each asks for; one that is on two
    pages comes twice.
    """
    found: list[ShownPost] = []
    for topic in dict.fromkeys(page.thread.topic for page in of):
        posts = [
            ShownPost(post, page) for page in of if page.thread.topic == topic for post in page.thread.posts
        ]
        if all(one.post.id.isdecimal() for one in posts):
            posts.sort(key=lambda one: int(one.post.id))
        elif all(one.post.number for one in posts):
            posts.sort(key=lambda one: one.post.number)
        found += posts
    return [ShownPost(one.post, one.page, reading.found(keys, one.post)) for one in found]


# --- whose


def kept_account(software: str, name: str) -> str:
    """Return by what the account that writes under a name is kept in the book."""
    return f"{software}:{known_as(name)}"


def whom(shown: ShownPost, names: Mapping[str, str], accounts: Mapping[str, str]) -> Whom:
    """Return whose a post is; ``names`` are the seats by name, ``accounts`` the ids by ``kept_account``."""
    post, software = shown.post, shown.page.thread.software
    if not post.author:
        return Whom(problem=Problem("forum.nobody"))
    by_name = {known_as(name): (name, seat) for name, seat in names.items()}
    who = by_name.get(known_as(post.author))
    author = printable(post.author)[:60]
    if who is not None:
        kept = accounts.get(kept_account(software, who[0]), "")
        if post.author_id and kept and post.author_id != kept:
            return Whom(
                problem=Problem(
                    "forum.other-account",
                    {"author": author, "id": post.author_id, "kept": kept, "seat": who[1]},
                )
            )
        if not post.author_id and any(one.author_id for one in shown.page.thread.posts):
            return Whom(problem=Problem("forum.guest", {"author": author, "seat": who[1]}))
        return Whom(who[1])

    for name, seat in by_name.values():
        if post.author_id and accounts.get(kept_account(software, name)) == post.author_id:
            return Whom(
                problem=Problem(
                    "forum.renamed", {"author": author, "was": printable(name)[:60], "seat": seat}
                )
            )

    alike = next(
        ((name, seat) for name, seat in by_name.values() if skeleton(name) == skeleton(post.author)), None
    )
    if alike is not None:
        return Whom(
            problem=Problem(
                "forum.lookalike", {"author": author, "like": printable(alike[0])[:60], "seat": alike[1]}
            )
        )
    return Whom(problem=Problem("forum.stranger", {"author": author}))


# --- whether it was seen before


def fingerprints(shown: ShownPost) -> tuple[str, str, str]:
    """Return the hashes of a post: of its author's own words, of their letters and digits alone, of what it
    asks for (or nothing).

    Neither the signature nor what stands in boxes of quotation is among them: forums write both anew, with
    the reader's own time and the names that people have by then, and neither is ever carried out.
    """
    lines = shown.post.lines
    end = max((at for at, line in enumerate(lines) if line.text == "-- "), default=len(lines))
    own = [line.text for line in lines[:end] if not line.quoted]
    text = unicodedata.normalize("NFC", "\n".join(" ".join(line.split()) for line in own if line.strip()))
    signs = "".join(filter(str.isalnum, unicodedata.normalize("NFKC", "".join(own))))
    asked = shown.found.data + b"\0" + (shown.found.signature or b"") if shown.found.kind != NOTHING else b""
    return (
        _hash(text.encode("utf-8", "replace")),
        _hash(signs.casefold().encode("utf-8", "replace")),
        _hash(asked) if asked else "",
    )


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def known(book: Book, shown: ShownPost, text: str) -> Seen | None:
    """Return the post as it was seen first, or None where it is new.

    A post is known by what the forum calls it. Where a page does not tell that, it is known by its author and
    its text, and else by its number: of a post that may have been seen before nothing is ever carried out.
    """
    post = shown.post
    if shown.has_own_id and (one := book.seen.get(_key(shown, text))) is not None:
        return one
    near = [one for one in (book.placed if shown.has_own_id else book.seen).values() if _may_be(one, shown)]
    by_text = next(
        (one for one in near if one.text == text and known_as(one.author) == known_as(post.author)), None
    )
    if by_text is not None:
        return by_text
    return next((one for one in near if post.number and one.number == post.number), None)


def _may_be(one: Seen, shown: ShownPost) -> bool:
    """Tell whether two posts may be one though their names differ: one of the names is none of the forum's,
    and nothing else parts them.
    """
    thread = shown.page.thread
    if one.software != thread.software or (one.topic and thread.topic and one.topic != thread.topic):
        return False
    return not shown.has_own_id or _OWN_ID.fullmatch(one.id) is None


def _key(shown: ShownPost, text: str) -> str:
    software, topic, post = shown.page.thread.software, shown.page.thread.topic, shown.post
    if shown.has_own_id:
        return f"{software}:{post.id}"
    return f"{software}:{topic}:{post.number}:{text[:24]}"


def seen(shown: ShownPost, **more: object) -> Seen:
    """Return a post as it goes into the book."""
    post, thread = shown.post, shown.page.thread
    text, signs, orders = fingerprints(shown)
    proofs = tuple((one.game, one.slot, one.head) for one in proofline.find(post.lines) if not one.quoted)
    return Seen(
        key=_key(shown, text),
        software=thread.software,
        topic=thread.topic,
        id=post.id,
        number=post.number,
        author=post.author,
        author_id=post.author_id,
        text=text,
        signs=signs,
        orders=orders,
        form=shown.page.form,
        edited=post.edited,
        at=post.at,
        raw=post.raw,
        proofs=proofs,
        placed=not shown.has_own_id,
        **more,  # type: ignore[arg-type]
    )


def same(one: Seen, shown: ShownPost) -> bool:
    """Tell whether a post still says what it said when it was seen first.

    Two forms of one page (HTML, JSON, a feed, the source) break lines and write signs each in its own way;
    between them it is the letters and digits that count, or that the same is asked for.
    """
    text, signs, orders = fingerprints(shown)
    if text == one.text:
        return True
    if shown.page.form == one.form and shown.post.raw == one.raw:
        return False
    return signs == one.signs or orders == one.orders != ""


def comes_before(one: Seen, other: Seen) -> bool:
    """Tell whether one post stands above another in the same thread; False where nobody can tell."""
    if (one.software, one.topic) != (other.software, other.topic):
        return False
    if one.id.isdecimal() and other.id.isdecimal():
        return int(one.id) < int(other.id)
    return 0 < one.number < other.number
