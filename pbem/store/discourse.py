"""A thread of Discourse, posted to and read through its API (an API key in ``Api-Key``, the account in
``Api-Username``).

What is asked, as Discourse's API documentation and its controllers have it:

GET  /t/ID.json                          the thread: the names of all its posts, whether it is closed, whether
we may write GET  /t/ID/posts.json?post_ids[]=…       some of its posts, with ``include_raw`` as they were
typed POST /uploads.json                       a picture (multipart; ``type`` composer); it answers with a
``short_url`` POST /posts.json                         a post (``topic_id``, ``raw``); it answers with the
post, or that it waits for a moderator

A refusal is JSON with ``errors``; being asked too often is 429 with ``Retry-After`` and
``extras.wait_seconds``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from pbem.core.problem import Problem
from pbem.core.regex import regex
from pbem.forum import api_answers
from pbem.forum.thread import Draft, Post, Upload
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
from pbem.store.web import Answer, Declined, Doubt, Later, Web, in_json, multipart, unless

__all__ = ["Discourse"]

EACH: Final = 20
"""Posts that are asked for at once: as many as Discourse shows on a page."""
_SHORT: Final = regex(r"upload://[A-Za-z0-9]{5,60}\.[a-z0-9]{1,8}")
_TRIES: Final = 3


class Discourse:
    """One thread of one Discourse."""

    def __init__(self, forum: Forum, topic: int, web: Web, key: str = "") -> None:
        self.forum, self.topic, self.web = forum, topic, web
        web.headers["Accept"] = "application/json"
        if key:
            web.headers |= {"Api-Key": key, "Api-Username": forum.user}

    # --- looking

    def look(self, marks: Sequence[str], since: datetime | None) -> Seen:
        """Look at the posts since some moment, the newest first, and tell which marks are there."""
        thread = self._thread()
        said = thread.get("details")
        if not (isinstance(said, dict) and said.get("can_create_post")):
            shut = bool(thread.get("closed") or thread.get("archived"))
            code = "board.closed" if shut else "board.no-reply"
            raise Declined(self._problem(code))
        posts: list[Post] = []
        chunks = list(_chunks(_ids(thread)))
        for ids in reversed(chunks[-MOST_PAGES:]):
            found = self._posts(ids)
            posts = [*found, *posts]
            if all_before(found, since):
                break
        return see(posts, self.forum.user, marks)

    def _thread(self) -> dict[str, Any]:
        answer = self.web.get(self.web.at(f"/t/{self.topic}.json"))
        data = self._fine(answer)
        if not isinstance(data.get("post_stream"), dict):
            raise trouble("web.kind", host=self.web.host, kind=answer.kind, wanted="a thread of Discourse")
        return data

    def _posts(self, ids: Sequence[int]) -> list[Post]:
        """Return posts by their source: nothing has been made of it yet."""
        data = self._fine(self._asked(ids))
        stream = data.get("post_stream")
        found = stream.get("posts") if isinstance(stream, dict) else None
        if not isinstance(found, list):
            raise trouble("web.kind", host=self.web.host, kind="JSON", wanted="posts of Discourse")
        source = [
            {name: value for name, value in one.items() if name != "cooked"}
            for one in found
            if isinstance(one, dict)
        ]
        read = api_answers.read({"post_stream": {"posts": source}, "id": self.topic})
        return sorted(read.posts, key=lambda post: post.number) if read is not None else []

    def _asked(self, ids: Sequence[int], tag: str = "") -> Answer:
        query = [("post_ids[]", str(one)) for one in ids]
        return self.web.get(
            self.web.at(f"/t/{self.topic}/posts.json", [*query, ("include_raw", "true")]), unless(tag)
        )

    # --- reading

    def pages(self, first: int, tags: Mapping[int, str]) -> Iterator[Page]:
        """Yield the pages of the thread from one on, as Discourse answers them."""
        chunks = list(_chunks(_ids(self._thread())))
        for number in range(max(1, min(first, len(chunks))), min(len(chunks), first + MOST_PAGES - 1) + 1):
            answer = self._asked(chunks[number - 1], tags.get(number, ""))
            if answer.status == 304:
                yield Page(b"", "json", number, len(chunks), tags.get(number, ""))
                continue
            self._fine(answer)
            yield Page(answer.data, "json", number, len(chunks), answer.tag)

    # --- posting

    def post(self, draft: Draft, notes: Notes) -> PostResult:
        """Upload the pictures of a post that are not there yet, and post it."""
        text = draft.text
        for upload in draft.uploads:
            there = notes.picture(upload)
            if not _SHORT.fullmatch(there):
                there = self._uploaded(upload)
                notes.uploaded(upload, there)
            text = text.replace(f"](upload://{upload.name})", f"]({there})")
        notes.sending()
        answer = self.web.post(self.web.at("/posts.json"), in_json({"topic_id": self.topic, "raw": text}))
        if answer.status != 200:
            raise self._refusal(answer)
        data = answer.json()
        if isinstance(data, dict) and data.get("action") == "enqueued":
            return PostResult(WAITS)
        if (
            isinstance(data, dict)
            and isinstance(data.get("id"), int)
            and data.get("topic_id", self.topic) == self.topic
        ):
            return PostResult(STANDS, str(data["id"]))
        raise Doubt(
            Problem("web.kind", {"host": self.web.host, "kind": answer.kind, "wanted": "a post of Discourse"})
        )

    def _uploaded(self, upload: Upload) -> str:
        """Return what a picture is called once it is there; to upload it twice makes one, so it is tried
        again where that may help.
        """
        for left in reversed(range(_TRIES)):
            try:
                answer = self.web.post(
                    self.web.at("/uploads.json"),
                    multipart(
                        [("type", "composer"), ("synchronous", "true")], "file", upload.name, upload.data
                    ),
                )
                if answer.status >= 500:
                    raise Later(self.web.problem_of(answer))
            except (Doubt, Later) as error:
                if not left:
                    raise Later(error.problem, 0.0) from None
                self.web.sleep(5.0)
                continue
            data = answer.json()
            short = data.get("short_url") if isinstance(data, dict) else None
            if answer.status == 200 and isinstance(short, str) and _SHORT.fullmatch(short):
                return short
            refusal = self._refusal(answer)
            if isinstance(refusal, Later):
                raise refusal
            raise Declined(
                self._problem(
                    "board.picture", self.web.said(_errors(answer) or answer.status), name=upload.name
                )
            )
        raise AssertionError

    # --- what it says

    def _fine(self, answer: Answer) -> dict[str, Any]:
        """Return the data of an answer; Trouble where it is a refusal or something else."""
        data = answer.json()
        if answer.status != 200:
            raise self._refusal(answer)
        if not isinstance(data, dict):
            raise trouble("web.kind", host=self.web.host, kind=answer.kind, wanted="JSON")
        return data

    def _problem(self, code: str, said: str = "", **more: str) -> Problem:
        return problem_of(self.forum, self.web.host, self.topic, code, said, **more)

    def _refusal(self, answer: Answer) -> Trouble:
        """Return what a refusal comes to."""
        said = self.web.said(_errors(answer))
        if answer.status == 429:
            return Later(self.web.problem_of(answer, _errors(answer)), self.web.wait_of(answer))
        if answer.status == 404:
            return Declined(self._problem("board.none", said))
        if answer.status in (401, 403):
            return Declined(
                self._problem("board.key" if self.forum.credential is not None else "board.no-key", said)
            )
        if 400 <= answer.status < 500:
            return Declined(self._problem("board.refused", said or str(answer.status)))
        return Doubt(self.web.problem_of(answer, _errors(answer)))


def _errors(answer: Answer) -> str:
    """Return what Discourse says is wrong."""
    data = answer.json()
    if not isinstance(data, dict):
        return ""
    errors = data.get("errors")
    words = [one for one in errors if isinstance(one, str)] if isinstance(errors, list) else []
    return "; ".join(words[:5]) or str(data.get("message") or "")


def _ids(thread: dict[str, Any]) -> list[int]:
    stream = thread["post_stream"].get("stream")
    if not isinstance(stream, list):
        return []
    return [
        one
        for one in stream[:100_000]
        if isinstance(one, int) and not isinstance(one, bool) and 0 < one < 10**12
    ]


def _chunks(ids: Sequence[int]) -> Iterator[Sequence[int]]:
    for at in range(0, len(ids), EACH):
        yield ids[at : at + EACH]
