"""A thread of phpBB, posted to and read as a browser does it: phpBB has no API of its own.

What is sent, as phpBB's posting.php and its templates (prosilver, 3.1 to 3.3) have it:

GET  ucp.php?mode=login                  the form ``login``: name, password, hidden fields (``sid``,
``form_token``, ``creation_time``) POST the same                            it sends us on, and the cookies
know us; or the form again, with what is wrong GET  posting.php?mode=reply&t=ID         the form ``postform``:
``form_token``, ``creation_time``, ``lastclick``, ``topic_cur_post_id`` POST with ``add_file``
a picture in ``fileupload``, its words in ``filecomment``; the form again, with hidden fields more POST with
``post``                       it sends us on to ``viewtopic.php?…p=NEW#pNEW``: the post stands

A form that comes back without an error says that somebody wrote in between: it is sent once more. One that
was sent within two seconds is dropped without a word, so we take our time. Nothing here depends on the
language of a board: its words are only passed on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from html import unescape
from typing import Final
from urllib.parse import parse_qs

from pbem.core.problem import Problem
from pbem.core.regex import regex
from pbem.forum import forms, pages
from pbem.forum.dialects import DIALECTS
from pbem.forum.forms import Form, PageRead
from pbem.forum.thread import PHPBB, Draft, Thread
from pbem.post.offices.forums import Forum
from pbem.store.forum_door import (
    MOST_PAGES,
    STANDS,
    WAITS,
    Notes,
    Page,
    PostResult,
    Seen,
    all_before,
    problem_of,
    see,
)
from pbem.store.net import Trouble, trouble
from pbem.store.passwords import Secret
from pbem.store.web import Answer, Declined, Doubt, Later, Web, form, multipart, unless

__all__ = ["PhpBB"]

SLOWLY: Final = 3.0
"""Seconds between a form and its answer: what comes within two is dropped."""
_AGAIN: Final = 4
"""So many times a form is sent that comes back because somebody wrote in between."""
_GUEST: Final = "1"
"""phpBB's number of the account of those who are not logged in."""
_NEW: Final = regex(r"viewtopic\.php\?(?:[^#]*&)?p=([0-9]{1,12})(?:[&#]|$)")
_FLOOD: Final = regex(r"so soon after your last", re.IGNORECASE)
_RIDDLE: Final = regex(r"confirm_code|recaptcha|turnstile|hcaptcha|qa_answer|captcha", re.IGNORECASE)
_OURS: Final = (
    (regex(rb"(?<=[?&;]sid=)[0-9a-f]{32}"), b""),
    (
        regex(
            rb"""(<input[^>]{0,200}\bname=["'](?:sid|form_token|creation_time)["'][^>]{0,200}\bvalue=["'])[^"']{0,80}"""
        ),
        rb"\1",
    ),
)
"""What a page knows of our visit: no page is kept with it."""


class PhpBB:
    """One thread of one board."""

    def __init__(self, forum: Forum, topic: int, web: Web, password: Secret | None = None) -> None:
        self.forum, self.topic, self.web = forum, topic, web
        self._password = password
        self._is_in = False
        self._form_at = ""

    # --- looking and reading

    def look(self, marks: Sequence[str], since: datetime | None) -> Seen:
        """Look at the posts since some moment, the newest first, and tell which marks are there."""
        self._log_in()
        _, first = self._page(0)
        posts = list(first.posts)
        each = max(1, len(first.posts))
        if first.pages > 1:
            posts = []
            for number in range(first.pages, max(0, first.pages - MOST_PAGES), -1):
                found = first if number == 1 else self._page((number - 1) * each)[1]
                posts = [*(post for post in found.posts if post.id not in {one.id for one in posts}), *posts]
                if all_before(found.posts, since):
                    break
        return see(posts, self.forum.user, marks)

    def pages(self, first: int, tags: Mapping[int, str]) -> Iterator[Page]:
        """Yield the pages of the thread from one on, without what is ours on them."""
        answer, thread = self._page(0)
        each, count = max(1, len(thread.posts)), thread.pages
        for number in range(max(1, min(first, count)), min(count, first + MOST_PAGES - 1) + 1):
            if number > 1:
                answer, _ = self._page((number - 1) * each, tags.get(number, ""))
            if answer.status == 304:
                yield Page(b"", "html", number, count, tags.get(number, ""))
                continue
            data = answer.data
            for pattern, instead in _OURS:
                data = pattern.sub(instead, data)
            yield Page(data, "html", number, count, answer.tag)

    def _page(self, start: int, tag: str = "") -> tuple[Answer, Thread]:
        """Return a page of the thread by the place of its first post; logs in where the board wants that."""
        query = [
            ("t", str(self.topic)),
            ("st", "0"),
            ("sk", "t"),
            ("sd", "a"),
            *([("start", str(start))] if start else []),
        ]
        for _ in range(2):
            answer = self.web.get(self.web.at("/viewtopic.php", query), unless(tag))
            if tag and answer.status == 304:
                return answer, Thread(PHPBB)
            self._fine(answer)
            thread = pages.read(answer.data, "viewtopic.php")
            if thread.software == PHPBB and thread.posts:
                self._form_at = self._form_at or self._reply_form(answer)
                return answer, thread
            read = self._read(answer)
            if read.form("username", "password") is None or self._is_in or self.forum.credential is None:
                raise self._no_thread(answer, read)
            self._log_in()
        raise Declined(self._problem("board.none"))

    def _no_thread(self, answer: Answer, read: PageRead) -> Declined:
        said = self.web.said(read.message or read.error)
        known = answer.status == 404 or read.message or read.form("username", "password") is not None
        if known:
            return Declined(self._problem("board.none", said))
        return Declined(
            Problem("web.kind", {"host": self.web.host, "kind": answer.kind, "wanted": "a page of phpBB"})
        )

    def _problem(self, code: str, said: str = "", **more: str) -> Problem:
        return problem_of(self.forum, self.web.host, self.topic, code, said, **more)

    def _fine(self, answer: Answer) -> None:
        if answer.status not in (200, 403, 404) or not re.search("html|xml", answer.kind):
            if answer.status == 200:
                raise trouble("web.kind", host=self.web.host, kind=answer.kind, wanted="a page of phpBB")
            raise Declined(self.web.problem_of(answer))

    def _read(self, answer: Answer) -> PageRead:
        try:
            read = forms.read(answer.data)
        except ImportError:
            raise Declined(Problem("forum.no-parser", {"file": self.web.host})) from None
        if read is None:
            raise trouble(
                "web.kind", host=self.web.host, kind="a page that cannot be read", wanted="a page of phpBB"
            )
        return read

    # --- who we are

    def _log_in(self) -> None:
        """Say who we are, once; Declined where the board does not believe it."""
        if self._is_in or self._password is None:
            return
        where = self.web.get(self.web.at("/ucp.php", [("mode", "login")]))
        self._fine(where)
        form_ = self._read(where).form("username", "password")
        if form_ is None:
            raise Declined(
                Problem(
                    "web.kind",
                    {"host": self.web.host, "kind": where.kind, "wanted": "phpBB's form for logging in"},
                )
            )

        self._without_riddles(form_)
        self.web.sleep(SLOWLY)
        values = {"username": self.forum.user, "password": self._password.text()}
        fields = form_.filled(values, "login", frozenset({"viewonline", "autologin"}))
        try:
            answer = self.web.post(self.web.from_here(where, form_.action), form(fields))
        except Doubt as error:  # whoever is not logged in can try again
            raise Later(error.problem) from None

        if not answer.to:
            read = self._read(answer)
            again = read.form("username", "password")
            if again is not None:
                self._without_riddles(again)
                said = self.web.said(read.error or read.message)
                raise Declined(self._problem("board.login", said))
            if answer.status != 200:
                raise Declined(self.web.problem_of(answer, read.message))

        if any(name.endswith("_u") and value == _GUEST for name, value in self.web.cookies.items()):
            raise Declined(self._problem("board.login"))
        self._is_in = True

    def _without_riddles(self, form_: Form) -> None:
        if any(_RIDDLE.search(name) for name in form_.open):
            raise Declined(self._problem("board.riddle"))

    # --- posting

    def post(self, draft: Draft, notes: Notes) -> PostResult:
        """Fill in the form for an answer, with its pictures, and send it."""
        self._log_in()
        if not self._form_at:
            self._page(0)
        answer = self.web.get(self._form_at)
        self._fine(answer)
        form_ = self._postform(answer)
        before = _last(form_)
        values = {"subject": draft.title, "message": draft.text}
        for upload in draft.uploads:
            answer = self._attached(answer, form_, values, upload.name, upload.data, upload.alt)
            form_ = self._postform(answer)
        wait, wrong = SLOWLY, ""
        for _ in range(_AGAIN):
            self.web.sleep(wait)
            fields = form_.filled(
                values, "post", frozenset({"disable_bbcode", "fileupload", "filecomment", "lock_topic"})
            )
            where = self.web.from_here(answer, form_.action)
            notes.sending()
            answer = self.web.post(where, form(fields))
            if answer.to:
                return self._sent_on(answer.to, before)
            if answer.status != 200:
                problem = self.web.problem_of(answer)
                raise Later(problem, self.web.wait_of(answer)) if answer.status == 429 else Doubt(problem)
            try:
                read = self._read(answer)
            except Trouble as error:
                raise Doubt(error.problem) from None
            again = read.form("message", "post")
            if again is None:
                return self._told(read)
            if wrong:
                raise self._error(wrong)
            # With an error nothing was posted. It may be that we were too quick, or the form too old: once
            # more, slowly.
            form_, wrong, wait = again, read.error, self._between() if read.error else SLOWLY
        raise self._error(wrong) if wrong else Later(self._problem("board.busy"), 30.0)

    def _between(self) -> float:
        """Return how long the board wants nothing from us after a post."""
        return float(self.forum.limits.get("between", DIALECTS[PHPBB].limits.between))

    def _reply_form(self, answer: Answer) -> str:
        """Return where the form for an answer is; older boards want the number of the forum too, which a page
        of the thread tells.
        """
        for found in re.finditer(rb"posting\.php\?([^\"'<>\s]{1,200})", answer.data):
            query = parse_qs(unescape(found[1].decode("ascii", "replace")))
            if query.get("mode") == ["reply"] and query.get("t", [str(self.topic)]) == [str(self.topic)]:
                kept = [(name, query[name][0]) for name in ("f",) if name in query]
                return self.web.at("/posting.php", [("mode", "reply"), *kept, ("t", str(self.topic))])
        return self.web.at("/posting.php", [("mode", "reply"), ("t", str(self.topic))])

    def _postform(self, answer: Answer) -> Form:
        """Return the form for an answer; Declined with what the board says where there is none."""
        read = self._read(answer)
        found = read.form("message", "post")
        if found is None:
            if read.form("username", "password") is not None:
                raise Declined(self._problem("board.no-reply"))
            raise Declined(
                self._problem("board.shut", self.web.said(read.message or read.error or answer.status))
            )
        self._without_riddles(found)
        return found

    def _attached(
        self, answer: Answer, form_: Form, values: Mapping[str, str], name: str, data: bytes, alt: str
    ) -> Answer:
        """Return the page after a picture was attached; what is attached belongs to no post yet, so it may be
        done again.
        """
        if "fileupload" not in form_.open:
            raise Declined(self._problem("board.no-pictures", name=name))
        self.web.sleep(SLOWLY)
        fields = form_.filled({**values, "filecomment": alt}, "add_file", frozenset({"fileupload"}))
        try:
            after = self.web.post(
                self.web.from_here(answer, form_.action), multipart(fields, "fileupload", name, data)
            )
        except Doubt as error:
            raise Later(error.problem) from None
        if after.status != 200:
            problem = self.web.problem_of(after)
            raise (
                Later(problem, self.web.wait_of(after))
                if after.status >= 500 or after.status == 429
                else Declined(problem)
            )
        read = self._read(after)
        if read.error:
            raise Declined(self._problem("board.picture", self.web.said(read.error), name=name))
        back = read.form("message", "post")
        count = sum(field.endswith("[attach_id]") for field, _ in form_.fields)
        if back is not None and sum(field.endswith("[attach_id]") for field, _ in back.fields) <= count:
            raise Declined(self._problem("board.picture", self.web.said(read.message), name=name))
        return after

    def _sent_on(self, to: str, before: int) -> PostResult:
        """Return what it means that we are sent on: to a new post, it stands; elsewhere, only a look can
        tell.
        """
        found = _NEW.search(to)
        if found is not None and int(found[1]) > before:
            return PostResult(STANDS, found[1])
        raise Doubt(self._problem("board.sent-on"))

    def _told(self, read: PageRead) -> PostResult:
        """Return what a message without a form means: one that leads on by itself is of a post that was
        taken, in whatever words.
        """
        if read.leads_on:
            return PostResult(WAITS)
        raise Doubt(self._problem("board.shut", self.web.said(read.message)))

    def _error(self, words: str) -> Declined | Later:
        said = self.web.said(words)
        if _FLOOD.search(words):
            return Later(self._problem("board.flood", said), self._between())
        return Declined(self._problem("board.refused", said))


def _last(form_: Form) -> int:
    """Return the newest post of the thread as the form knows it."""
    said = next((value for name, value in form_.fields if name == "topic_cur_post_id"), "")
    return int(said) if re.fullmatch(r"[0-9]{1,12}", said) else 0
