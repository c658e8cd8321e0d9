"""A table whose game is played on a forum: a thread that players post to, edit and delete from, and its pages
as they are saved.
"""

from __future__ import annotations

import json
from datetime import timedelta
from html import escape
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace
from table import Table

from pbem.forum import bbcode_source
from pbem.forum.dialects import DIALECTS
from pbem.post.lines.message import Line
from pbem.referee.forum.forum_posting import posting
from pbem.referee.forum.forum_run import Step
from pbem.referee.forum.forum_taking import take

ACCOUNTS = {"Cass": "2", "Nora": "7", "Sam": "12", "Mallory": "66"}
SEATS = {"north": "Nora", "south": "Sam"}


class Written(Struct, frozen=True):
    """A post as its author left it; ``text`` as he typed it, ``html`` as the forum shows it."""

    id: int
    number: int
    author: str
    uid: str
    at: str
    text: str
    html: str
    edited: str = ""


class Forum(Struct):
    """A thread."""

    topic: str = "812"
    posts: list[Written] = field(default_factory=list)
    newest: int = 100

    def page(self, posts: list[Written] | None = None) -> bytes:
        """Return the thread as phpBB shows it."""
        made = []
        for one in self.posts if posts is None else posts:
            link = (
                f'<a href="./memberlist.php?mode=viewprofile&amp;u={one.uid}" '
                f'class="username">{escape(one.author)}</a>'
            )
            who = link if one.uid else f'<span class="username">{escape(one.author)}</span>'
            edit = (
                f'<div class="notice">Last edited by {link} on {one.edited}, edited 1 time in total.</div>'
                if one.edited
                else ""
            )
            made.append(
                f'<div id="p{one.id}" class="post has-profile bg1"><div class="inner"><dl '
                f'class="postprofile" id="profile{one.id}">'
                f'<dt class="no-profile-rank">{who}</dt></dl><div class="postbody"><div '
                f'id="post_content{one.id}">'
                f'<h3 class="first"><a href="./viewtopic.php?p={one.id}#p{one.id}">Re: Tug</a></h3>'
                f'<p class="author"><span class="responsive-hide">by <strong>{who}</strong> &raquo; </span>'
                f'<time datetime="{one.at}">some day</time></p><div '
                f'class="content">{one.html}</div>{edit}</div></div></div></div>'
            )
        body = f'<h2 class="topic-title"><a href="./viewtopic.php?t={self.topic}">Tug</a></h2>{"".join(made)}'
        head = (
            '<meta charset="utf-8"><link rel="canonical" '
            f'href="https://boards.example/viewtopic.php?t={self.topic}">'
        )
        return (
            f'<!DOCTYPE html><html><head>{head}</head><body id="phpbb" '
            f'class="section-viewtopic">{body}</body></html>'
        ).encode()

    def feed(self) -> bytes:
        """Return the thread as phpBB's feed, which tells no account."""
        entries = "".join(
            f"<entry><author><name><![CDATA[{one.author}]]></name></author><published>{one.at}</published><updated>{one.at}</updated>"
            f"<id>https://boards.example/viewtopic.php?p={one.id}#p{one.id}</id>"
            f'<content type="html"><![CDATA[{one.html}]]></content></entry>'
            for one in self.posts
        )
        return (
            '<?xml version="1.0" encoding="UTF-8"?><feed '
            'xmlns="http://www.w3.org/2005/Atom"><title>Tug</title>'
            f"<id>https://boards.example/feed/topic/{self.topic}?t={self.topic}</id>{entries}</feed>"
        ).encode()

    def discourse(self) -> bytes:
        """Return the thread as Discourse's JSON."""
        posts = [
            {
                "id": one.id,
                "post_number": one.number,
                "username": one.author,
                "user_id": int(one.uid or 0) or None,
                "created_at": one.at,
                "updated_at": one.edited or one.at,
                "version": 2 if one.edited else 1,
                "cooked": one.html,
            }
            for one in self.posts
        ]
        return json.dumps({"id": int(self.topic), "title": "Tug", "post_stream": {"posts": posts}}).encode()


class ForumTable(Table):
    """A table and its thread; the clock stands still between the posts."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.forum = Forum()

    def clock(self) -> str:
        return self.moment.strftime("%Y-%m-%dT%H:%M:%SZ")

    def later(self, **time: float) -> None:
        self.moment += timedelta(**time)

    def post(
        self, author: str, text: str = "", *, html: str = "", uid: str | None = None, edited: str = ""
    ) -> Written:
        """Write a post a minute later; the text stands in a box of code, unless ``html`` says otherwise."""
        self.later(minutes=1)
        self.forum.newest += 1
        number = self.forum.posts[-1].number + 1 if self.forum.posts else 1
        uid = ACCOUNTS.get(author, "") if uid is None else uid
        made = Written(self.forum.newest, number, author, uid, self.clock(), text, html or code(text), edited)
        self.forum.posts.append(made)
        return made

    def edit(self, number: int, text: str = "", *, html: str = "", mark: str = "") -> None:
        at = next(at for at, one in enumerate(self.forum.posts) if one.number == number)
        self.forum.posts[at] = replace(self.forum.posts[at], text=text, html=html or code(text), edited=mark)

    def delete(self, number: int) -> None:
        self.forum.posts = [one for one in self.forum.posts if one.number != number]

    def report(self) -> Written:
        """Post the newest turn, as the umpire pastes it."""
        made = posting(
            self.open(),
            None,
            replace(DIALECTS["phpbb"], limits=replace(DIALECTS["phpbb"].limits, pictures=0)),
        )
        return [self.post("Cass", html=shown(draft.text)) for draft in made.drafts][-1]

    def read(
        self, *pages: bytes, authors: dict[str, str] | None = None, trust_raw: bool = False
    ) -> list[Step]:
        files = [(f"page-{at}.html", data) for at, data in enumerate(pages or (self.forum.page(),), 1)]
        return list(
            take(self.env, self.game, files, SEATS if authors is None else authors, trust_raw=trust_raw)
        )

    def answer(self, step: Step) -> str:
        """Return the text of an answer as its reader sees it."""
        lines, _ = bbcode_source.lines((self.game / step.answer).read_text())
        return " ".join(" ".join(line.text for line in lines).split())

    def book(self) -> list[dict[str, object]]:
        return [json.loads(line) for line in (self.game / "forum" / "book.jsonl").read_text().splitlines()]


def code(text: str) -> str:
    """Return a box of code as phpBB shows it."""
    inside = escape(text.rstrip("\n"), quote=False)
    return (
        'Hello all,<br>\n<div class="codebox"><p>Code: <a href="#">Select '
        f"all</a></p><pre><code>{inside}</code></pre></div>Cheers"
    )


def words(text: str) -> str:
    return escape(text, quote=False).replace("\n", "<br>\n")


def shown(bbcode: str) -> str:
    """Return a post of ours as HTML, well enough for its words, its code boxes and its proof line."""
    lines: tuple[Line, ...] = bbcode_source.lines(bbcode)[0]
    return "<br>\n".join(escape(line.text, quote=False) for line in lines)


def quote(who: str, html: str) -> str:
    return f"<blockquote><div><cite><a>{escape(who)}</a> wrote:</cite>{html}</div></blockquote>"
