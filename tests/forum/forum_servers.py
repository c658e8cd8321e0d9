"""Two forums on this machine that a program can post to and read: like Discourse, through its API, and like
phpBB, through its forms.

They keep what is posted and can be told to misbehave: at the n-th request of a kind they refuse, throttle,
fall silent before or after they have stored a post, hang up in the middle of an answer, answer with something
else, without end, or send us somewhere else. Their clock is that of the test. They are of our own making,
after the published API and templates; no forum was asked.
"""

from __future__ import annotations

import hashlib
import html
import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from email.parser import BytesParser
from email.policy import HTTP
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlsplit

from msgspec import Struct, field

KEY, PASSWORD, USER = "0123abcdKEYhunter2", "correct horse hunter2", "cass"
TOPIC, SHUT = 12, 13
START = datetime(2026, 11, 21, 12, 0, 0, tzinfo=UTC)


class Clock:
    """A clock that goes on only when somebody sleeps."""

    def __init__(self) -> None:
        self.passed = 0.0
        self.slept: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.passed += seconds

    def now(self) -> datetime:
        return START + timedelta(seconds=self.passed)

    def monotonic(self) -> float:
        return self.passed


class Stored(Struct):
    id: int
    author: str
    text: str
    at: datetime
    title: str = ""
    files: tuple[str, ...] = ()


class World(Struct, dict=True):
    """What a forum knows, and how it is to misbehave: ``faults`` leads from a route to what it does at the
    first, second … request.
    """

    clock: Clock
    posts: list[Stored] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    heads: list[dict[str, str]] = field(default_factory=list)
    faults: dict[str, list[str]] = field(default_factory=dict)
    later: list[tuple[int, Stored]] = field(default_factory=list)
    most: int = 32_000
    flood: float = 0.0
    approves: bool = False
    queue: list[Stored] = field(default_factory=list)
    release: threading.Event = field(default_factory=threading.Event)
    uploads: dict[str, bytes] = field(default_factory=dict)
    attached: dict[str, tuple[str, str]] = field(default_factory=dict)
    in_between: int = 0
    riddle: bool = False
    tagged: bool = False
    action: str = ""
    private: bool = False
    lock: threading.Lock = field(default_factory=threading.Lock)

    def store(self, author: str, text: str, title: str = "", files: tuple[str, ...] = ()) -> Stored:
        post = Stored(101 + len(self.posts) + len(self.queue), author, text, self.clock.now(), title, files)
        (self.queue if self.approves and author == USER else self.posts).append(post)
        return post

    def fault(self, route: str) -> str:
        with self.lock:
            waiting = self.faults.get(route, [])
            return waiting.pop(0) if waiting else ""

    def count(self, mark: str) -> int:
        """Return how many posts bear a mark, in whichever state."""
        return sum(
            mark in post.text for post in [*self.posts, *self.queue, *(post for _, post in self.later)]
        )


class _Door(BaseHTTPRequestHandler):
    """What both have in common: misbehaving, and answering."""

    world: World
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *_: Any) -> None:
        pass

    def do_GET(self) -> None:
        self.serve("GET")

    def do_POST(self) -> None:
        self.serve("POST")

    def serve(self, method: str) -> None:
        parts = urlsplit(self.path)
        route = f"{method} {self.route(parts.path)}"
        world = self.world
        world.asked.append(f"{method} {self.path}")
        world.heads.append({name.lower(): value for name, value in self.headers.items()})
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if method == "GET":
            for number, post in list(world.later):
                world.later.remove((number, post))
                if number <= 1:
                    world.posts.append(post)
                else:
                    world.later.append((number - 1, post))
        what = world.fault(route)
        kind, _, rest = what.partition(":")
        if kind in ("500", "502", "503", "403", "404", "422", "429"):
            self.refuse(int(kind), rest)
        elif kind == "drop":
            self.hang_up()
        elif kind == "silent":
            world.release.wait(5)
            self.hang_up()
        elif kind == "elsewhere":
            self.answer(302, b"", "text/html", {"Location": "http://127.0.0.1:9/somewhere?key=hunter2"})
        elif kind == "to":  # somewhere in the forum, without having done anything
            self.answer(302, b"", "text/html", {"Location": rest})
        elif kind == "circle":
            world.faults.setdefault(route, []).insert(0, "circle")
            self.answer(302, b"", "text/html", {"Location": self.path})
        elif kind == "html":
            self.answer(200, b"<html><body><p>Welcome to nginx</p></body></html>", "text/html; charset=utf-8")
        elif kind == "huge":
            with suppress(OSError):
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.end_headers()
                for _ in range(20):
                    self.wfile.write(b"x" * 65_536)
            self.close_connection = True
        else:
            self.after = kind
            self.later_by = int(rest or 0)
            self.handle_route(method, parts.path, parts.query, body)

    def finish_with(self, status: int, data: bytes, kind: str, headers: dict[str, str] | None = None) -> None:
        """Answer after a post was stored, or misbehave then."""
        if self.after == "drop-after":
            self.hang_up()
        elif self.after == "silent-after":
            self.world.release.wait(5)
            self.hang_up()
        elif self.after == "cut":
            self.send_response(status)
            for name, value in (headers or {}).items():
                self.send_header(name, value)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(data) + 500))
            self.end_headers()
            self.wfile.write(data[: len(data) // 2])
            self.hang_up()
        elif self.after == "html-after":
            self.answer(200, b"<html><body>Thank you!</body></html>", "text/html")
        elif self.after == "500-after":
            self.refuse(500, "")
        else:
            self.answer(status, data, kind, headers)

    def hang_up(self) -> None:
        self.close_connection = True
        with suppress(OSError):
            self.wfile.flush()
            self.connection.shutdown(2)

    def answer(self, status: int, data: bytes, kind: str, headers: dict[str, str] | None = None) -> None:
        if self.world.tagged and status == 200 and self.command == "GET":
            state = "".join(f"{post.id}{post.text}" for post in self.world.posts) + re.sub(
                "sid=.*", "", self.path
            )
            tag = f'W/"{hashlib.sha256(state.encode()).hexdigest()}"'
            headers = {**(headers or {}), "ETag": tag}
            if self.headers.get("If-None-Match") == tag:
                status, data = 304, b""
        with suppress(OSError):
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(data)))
            for name, value in (headers or {}).items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)

    def route(self, path: str) -> str:
        raise NotImplementedError

    def refuse(self, status: int, rest: str) -> None:
        raise NotImplementedError

    def handle_route(self, method: str, path: str, query: str, body: bytes) -> None:
        raise NotImplementedError

    after = ""
    later_by = 0


# --- like Discourse


class DiscourseDoor(_Door):
    def route(self, path: str) -> str:
        return re.sub(r"^/t/[0-9]+", "/t/ID", path)

    def refuse(self, status: int, rest: str) -> None:
        headers = {}
        data: dict[str, Any] = {"errors": [rest or f"no {status}"], "error_type": "x"}
        if status == 429:
            seconds, _, how = rest.partition("/")
            data = {
                "errors": [f"You've performed this action too many times. Please wait {seconds} seconds."],
                "error_type": "rate_limit",
                "extras": {"wait_seconds": int(seconds)} if how != "header" else {},
            }
            headers = {"Retry-After": seconds} if how != "body" else {}
        self.json(data, status, headers)

    def json(self, data: Any, status: int = 200, headers: dict[str, str] | None = None) -> None:
        self.answer(status, json.dumps(data).encode(), "application/json; charset=utf-8", headers)

    def handle_route(self, method: str, path: str, query: str, body: bytes) -> None:
        keyed = self.headers.get("Api-Key") == KEY and self.headers.get("Api-Username", "").lower() == USER
        if ("Api-Key" in self.headers or method == "POST" or self.world.private) and not keyed:
            text = "You are not permitted to view the requested resource. The API username or key is invalid."
            self.json({"errors": [text], "error_type": "invalid_access"}, 403)
        elif (found := re.fullmatch(r"/t/([0-9]+)(/posts)?\.json", path)) and int(found[1]) in (TOPIC, SHUT):
            self.topic(int(found[1]), bool(found[2]), parse_qs(query), keyed)
        elif method == "POST" and path == "/uploads.json":
            self.upload(body)
        elif method == "POST" and path == "/posts.json":
            self.post(json.loads(body))
        else:
            self.json(
                {"errors": ["The requested URL or resource could not be found."], "error_type": "not_found"},
                404,
            )

    def topic(self, topic: int, some: bool, query: dict[str, list[str]], keyed: bool) -> None:
        wanted = {int(one) for one in query.get("post_ids[]", [])}
        raw = "include_raw" in query
        all_ = self.world.posts if topic == TOPIC else []
        shown = [post for post in all_ if post.id in wanted] if some else all_[:20]
        posts = [
            {
                "id": post.id,
                "username": post.author,
                "user_id": 7,
                "post_number": all_.index(post) + 1,
                "post_type": 1,
                "created_at": post.at.strftime("%Y-%m-%dT%H:%M:%S.000Z"),
                "updated_at": post.at.strftime("%Y-%m-%dT%H:%M:%S.000Z"),
                "version": 1,
                "topic_id": topic,
                "reads": len(self.world.asked),
                "cooked": cooked(post.text),
                **({"raw": post.text} if raw else {}),
            }
            for post in shown
        ]
        stream = {"posts": posts} if some else {"posts": posts, "stream": [post.id for post in all_]}
        data: dict[str, Any] = {"post_stream": stream, "id": topic}
        if not some:
            details = {"can_create_post": True} if keyed and topic == TOPIC else {}
            data |= {
                "title": "Toll",
                "closed": topic == SHUT,
                "archived": False,
                "details": details,
                "chunk_size": 20,
            }
        self.json(data)

    def upload(self, body: bytes) -> None:
        fields, files = multipart_of(self.headers["Content-Type"], body)
        ((_, name, data),) = files
        if fields.get("type") != "composer" or not name.endswith(".png"):
            self.json({"errors": ["Sorry, the file you are trying to upload is not authorized"]}, 422)
            return
        short = f"upload://{hashlib.sha1(data).hexdigest()[:27]}.png"
        self.world.uploads[short] = data
        self.json(
            {
                "id": len(self.world.uploads),
                "short_url": short,
                "original_filename": name,
                "url": "/uploads/x.png",
            }
        )

    def post(self, data: dict[str, Any]) -> None:
        world = self.world
        text = data["raw"]
        if len(text) > world.most:
            self.json(
                {
                    "action": "create_post",
                    "errors": [f"Body is limited to {world.most} characters; you entered {len(text)}."],
                },
                422,
            )
            return
        if any(post.text == text for post in world.posts):
            self.json(
                {"action": "create_post", "errors": ["Body is too similar to what you recently posted"]}, 422
            )
            return
        if self.after == "later":  # it is so slow that the post is there only after some more looks
            world.later.append((self.later_by, Stored(101 + len(world.posts), USER, text, world.clock.now())))
            self.hang_up()
            return
        made = world.store(USER, text)
        said: dict[str, Any] = {
            "id": made.id,
            "post_number": len(world.posts),
            "topic_id": data["topic_id"],
            "username": USER,
        }
        if world.approves:
            said = {"success": True, "action": "enqueued", "pending_post": {"id": 1}}
        self.finish_with(200, json.dumps(said).encode(), "application/json; charset=utf-8")


# --- like phpBB


class PhpbbDoor(_Door):
    def route(self, path: str) -> str:
        return path.rpartition("/")[2]

    def refuse(self, status: int, rest: str) -> None:
        self.answer(
            status,
            b"<html><body>error</body></html>",
            "text/html",
            {"Retry-After": rest} if status == 429 else {},
        )

    @property
    def is_in(self) -> bool:
        return f"phpbb3_x_u=2; phpbb3_x_sid={SID}" in self.headers.get("Cookie", "")

    def handle_route(self, method: str, path: str, query: str, body: bytes) -> None:
        asked = {name: value for name, (value, *_) in parse_qs(query).items()}
        fields, files = fields_of(self.headers.get("Content-Type", ""), body)
        name = path.rpartition("/")[2]
        if name == "ucp.php":
            self.login(method, fields)
        elif name == "viewtopic.php":
            self.topic(int(asked.get("t", "0")), int(asked.get("start", "0")))
        elif name == "posting.php":
            self.posting(method, asked, fields, files)
        else:
            self.page("<p>index</p>")

    def page(
        self,
        body: str,
        status: int = 200,
        head: str = "",
        headers: dict[str, str] | None = None,
        *,
        made: bool = False,
    ) -> None:
        text = (
            '<!DOCTYPE html><html dir="ltr" lang="en-gb"><head><meta charset="utf-8" />'
            f'<title>Toll - Board</title>{head}</head><body id="phpbb" class="nojs notouch '
            'section-viewtopic ltr">'
            f'<a href="./ucp.php?mode=logout&amp;sid={SID}">Logout</a><div '
            f'id="page-body">{body}</div></body></html>'
        )
        (self.finish_with if made else self.answer)(
            status, text.encode(), "text/html; charset=UTF-8", headers
        )

    def message(self, words: str, head: str = "", *, made: bool = False) -> None:
        self.page(
            '<div class="panel" id="message"><div class="inner"><h2 '
            f'class="message-title">Information</h2><p>{words}</p></div></div>',
            head=head,
            made=made,
        )

    def login_form(self, error: str = "") -> str:
        now = int(self.world.clock.passed)
        riddle = '<input type="text" name="confirm_code" />' if self.world.riddle else ""
        said = f'<div class="error">{error}</div>' if error else ""
        return (
            f'<form action="{self.world.action or f"./ucp.php?mode=login&amp;sid={SID}"}" method="post" '
            f'id="login">{said}'
            '<input type="text" name="username" value="" /><input type="password" name="password" '
            'autocomplete="off" />'
            f'{riddle}<input type="checkbox" name="autologin" id="autologin" /><input type="checkbox" '
            'name="viewonline" />'
            '<input type="hidden" name="redirect" value="./ucp.php?mode=login" />'
            f'<input type="hidden" name="creation_time" value="{now}" /><input type="hidden" '
            f'name="form_token" value="login{now}" />'
            f'<input type="hidden" name="sid" value="{SID}" /><input type="submit" name="login" '
            'value="Login" class="button1" /></form>'
        )

    def login(self, method: str, fields: dict[str, str]) -> None:
        cookies = {"Set-Cookie": "phpbb3_x_u=1; path=/; HttpOnly"}
        if method == "GET":
            self.page(self.login_form(), headers=cookies)
            return
        now, made = int(self.world.clock.passed), fields.get("creation_time", "")
        if (
            fields.get("form_token") != f"login{made}"
            or str(now) == made
            or fields.get("sid") != SID
            or "login" not in fields
        ):
            self.page(self.login_form("The submitted form was invalid. Try submitting again."))
        elif (fields.get("username"), fields.get("password")) != (USER, PASSWORD):
            self.page(self.login_form("You have specified an incorrect password."))
        else:
            self.send_response(302)
            self.send_header("Location", f"./index.php?sid={SID}")
            self.send_header("Set-Cookie", "phpbb3_x_u=2; path=/; HttpOnly")
            self.send_header("Set-Cookie", f"phpbb3_x_sid={SID}; path=/; HttpOnly")
            self.send_header("Content-Length", "0")
            self.end_headers()

    def topic(self, topic: int, start: int) -> None:
        if topic not in (TOPIC, SHUT):
            self.message("The requested topic does not exist.")
        elif self.world.private and not self.is_in:
            self.page(self.login_form())
        else:
            all_ = self.world.posts
            shown = all_[start : start + 10]
            posts = "".join(_post(post, all_.index(post) + 1) for post in shown)
            count, here = max(1, -(-len(all_) // 10)), start // 10 + 1
            links = "".join(
                f'<li class="active"><span>{n}</span></li>'
                if n == here
                else (
                    '<li><a class="button" '
                    f'href="./viewtopic.php?t={topic}&amp;start={n * 10 - 10}">{n}</a></li>'
                )
                for n in range(1, count + 1)
            )
            paged = f'<div class="pagination">{len(all_)} posts<ul>{links}</ul></div>' if count > 1 else ""
            self.page(
                '<h2 class="topic-title"><a '
                f'href="./viewtopic.php?f=2&amp;t={topic}&amp;sid={SID}">Toll</a></h2>'
                f'<a href="./posting.php?mode=reply&amp;f=2&amp;t={topic}&amp;sid={SID}" class="button" '
                'title="Post a reply">Post Reply</a>'
                f"{paged}{posts}"
            )

    def posting(
        self, method: str, asked: dict[str, str], fields: dict[str, str], files: list[tuple[str, str, bytes]]
    ) -> None:
        world = self.world
        if "f" not in asked:
            self.message("The forum you selected does not exist.")
        elif not self.is_in:
            self.page(self.login_form("You need to login in order to reply to topics within this forum."))
        elif asked.get("t") == str(SHUT):
            self.message("This topic is locked, you cannot edit posts or make further replies.")
        elif method == "GET":
            self.page(self.postform(fields))
        elif "add_file" in fields:
            ((_, name, data),) = files
            if len(data) > 262_144:
                self.page(
                    self.postform(fields, f"The file {name} is too big, maximum upload size is 256 KiB.")
                )
                return
            number = str(len(world.attached) + 1)
            world.attached[number] = (name, fields.get("filecomment", ""))
            self.page(self.postform({**_shifted(fields), "attachment_data[0][attach_id]": number}), made=True)
        elif "post" in fields:
            self.submitted(fields)
        else:
            self.page(self.postform(fields))

    def submitted(self, fields: dict[str, str]) -> None:
        world = self.world
        now, made = world.clock.passed, fields.get("creation_time", "")
        last = str(world.posts[-1].id) if world.posts else "0"
        if now - float(fields.get("lastclick", "0")) < 2:
            self.answer(302, b"", "text/html", {"Location": f"./viewtopic.php?f=2&t={TOPIC}&sid={SID}"})
            return
        if world.in_between:
            world.in_between -= 1
            last = str(world.store("Bob", "I was quicker").id)
        if fields.get("topic_cur_post_id") != last:
            self.page(
                '<h3 id="review">At least one new post has been made to this topic.</h3>'
                + self.postform(fields)
            )
            return
        errors = []
        if fields.get("form_token") != f"posting{made}" or str(int(now)) == made:
            errors.append("The submitted form was invalid. Try submitting again.")
        newest = max((post.at for post in [*world.posts, *world.queue] if post.author == USER), default=None)
        if world.flood and newest is not None and (world.clock.now() - newest).total_seconds() < world.flood:
            errors.append("You cannot make another post so soon after your last.")
        if len(fields["message"]) > world.most:
            errors.append(
                f"Your message contains {len(fields['message'])} characters. The maximum number of allowed "
                f"characters is {world.most}."
            )
        if errors:
            self.page(self.postform(fields, "<br />".join(errors)))
            return
        ids = [fields[name] for name in sorted(fields) if name.endswith("[attach_id]")]
        if self.after == "later":
            world.later.append(
                (self.later_by, Stored(101 + len(world.posts), USER, fields["message"], world.clock.now()))
            )
            self.hang_up()
            return
        post = world.store(USER, fields["message"], fields["subject"], tuple(ids))
        if world.approves:
            self.message(
                "This post has been submitted successfully, but it will need to be approved.",
                _LEADS_ON,
                made=True,
            )
        elif self.after == "message":  # as phpBB 3.0 does
            self.message("This message has been posted successfully.", _LEADS_ON)
        else:
            where = f"./viewtopic.php?f=2&t={TOPIC}&p={post.id}&sid={SID}#p{post.id}"
            self.page("", 302, headers={"Location": where}, made=True)

    def postform(self, fields: dict[str, str], error: str = "") -> str:
        world = self.world
        now = int(world.clock.passed)
        said = f'<p class="error">{error}</p>' if error else ""
        ids = [(name, value) for name, value in fields.items() if name.startswith("attachment_data[")]
        hidden = "".join(f'<input type="hidden" name="{name}" value="{value}" />' for name, value in ids)
        last = world.posts[-1].id if world.posts else 0
        return (
            '<form id="postform" method="post" '
            f'action="./posting.php?mode=reply&amp;f=2&amp;t={TOPIC}&amp;sid={SID}"'
            ' enctype="multipart/form-data">'
            f'{said}<input type="text" name="subject" '
            f'value="{html.escape(fields.get("subject", "Re: Toll"))}" />'
            f'<textarea name="message" id="message">{html.escape(fields.get("message", ""))}</textarea>'
            '<input type="checkbox" name="disable_bbcode" /><input type="checkbox" name="attach_sig" '
            'checked="checked" />'
            '<input type="file" name="fileupload" /><input type="submit" '
            'name="add_file" value="Add the file" />'
            f'<textarea name="filecomment"></textarea>{hidden}'
            f'<input type="hidden" name="topic_cur_post_id" value="{last}" /><input type="hidden" '
            f'name="lastclick" value="{now}" />'
            f'<input type="hidden" name="creation_time" value="{now}" /><input type="hidden" '
            f'name="form_token" value="posting{now}" />'
            '<input type="submit" name="preview" value="Preview" /><input type="submit" name="post" '
            'value="Submit" /></form>'
        )


SID = "0123456789abcdef0123456789abcdef"
_LEADS_ON = '<meta http-equiv="refresh" content="3; url=./viewtopic.php?f=2" />'


def cooked(text: str) -> str:
    """Return a post as Discourse makes it of its source, as far as paragraphs, small print and boxes go."""
    pieces = re.split(r"```\n(.*?)```\n?", html.escape(text, quote=False), flags=re.DOTALL)
    found = []
    for at, piece in enumerate(pieces):
        if at % 2:
            found.append(f"<pre><code>{piece}</code></pre>")
            continue
        plain = re.sub(r"&lt;(/?small)&gt;", r"<\1>", piece.strip("\n"))
        parts = [part.replace("\n", "<br>\n") for part in plain.split("\n\n")]
        found += [f"<p>{part}</p>" for part in parts if part]
    return "\n".join(found)


def _shifted(fields: dict[str, str]) -> dict[str, str]:
    """Return the fields with each attachment one place further: the newest is the first."""
    return {
        re.sub(
            r"^attachment_data\[([0-9]+)\]", lambda found: f"attachment_data[{int(found[1]) + 1}]", name
        ): value
        for name, value in fields.items()
    }


def _post(post: Stored, number: int) -> str:
    text = html.escape(post.text)
    text = re.sub(
        r"\[quote=&quot;(.*?)&quot;\](.*?)\[/quote\]",
        r"<blockquote><div><cite>\1 wrote:</cite>\2</div></blockquote>",
        text,
        flags=re.S,
    )
    text = re.sub(
        r"\[size=(\d+)\](.*?)\[/size\]",
        r'<span style="font-size: \1%; line-height: normal">\2</span>',
        text,
        flags=re.S,
    )
    text = text.replace("\r\n", "\n").replace("\n", "<br>\n")
    who = (
        f'<a href="./memberlist.php?mode=viewprofile&amp;u=2" class="username">{html.escape(post.author)}</a>'
    )
    return (
        f'<div id="p{post.id}" class="post has-profile bg2"><div class="inner">'
        f'<dl class="postprofile" id="profile{post.id}"><dt>{who}</dt></dl>'
        f'<div class="postbody"><div id="post_content{post.id}"><h3 class="first"><a href="#p{post.id}">Re: '
        "Toll</a></h3>"
        f'<p class="author"><a href="./viewtopic.php?p={post.id}#p{post.id}">Post</a> by '
        f"<strong>{who}</strong> » "
        f'<time datetime="{post.at.isoformat()}">{post.at:%a %b %d, %Y}</time></p>'
        f'<div class="content">{text}</div></div></div></div></div>'
    )


def multipart_of(kind: str, body: bytes) -> tuple[dict[str, str], list[tuple[str, str, bytes]]]:
    message = BytesParser(policy=HTTP).parsebytes(b"Content-Type: " + kind.encode() + b"\r\n\r\n" + body)
    fields: dict[str, str] = {}
    files = []
    for part in message.iter_parts():
        name = str(part.get_param("name", header="content-disposition"))
        data = part.get_payload(decode=True)
        assert isinstance(data, bytes)
        if part.get_filename() is not None:
            files.append((name, str(part.get_filename()), data))
        else:
            fields[name] = data.decode()
    return fields, files


def fields_of(kind: str, body: bytes) -> tuple[dict[str, str], list[tuple[str, str, bytes]]]:
    if kind.startswith("multipart/"):
        return multipart_of(kind, body)
    return dict(parse_qsl(body.decode(), keep_blank_values=True)), []


@contextmanager
def serving(door: type[_Door], world: World) -> Iterator[str]:
    """Serve a forum and yield its address."""
    made = ThreadingHTTPServer(("127.0.0.1", 0), type("Door", (door,), {"world": world}))
    made.daemon_threads = True
    thread = threading.Thread(target=made.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{made.server_port}"
    finally:
        world.release.set()
        made.shutdown()
        made.server_close()
        thread.join()
