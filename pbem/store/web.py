"""Asking a server of the web, within bounds: one server only, privately, so many bytes, so many seconds, so
often.

Decides how a request is made and when one is made again, never what is asked for. A GET is asked again where
that may help. A POST goes out once: whether it arrived where its answer is lost is for its sender to find
out, so that nothing is done twice. No server leads anywhere but to itself, what it remembers of us (cookies)
is forgotten with the program, and no secret is in anything that is said.
"""

from __future__ import annotations

import hashlib
import http.client
import json
import re
import socket
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from email.utils import parsedate_to_datetime
from typing import Any, Final
from urllib.parse import quote, urlencode, urljoin, urlsplit

from msgspec import Struct, field

from pbem import __version__
from pbem.core.problem import Problem
from pbem.post.offices.forums import is_near
from pbem.store import net
from pbem.store.net import Trouble, trouble

__all__ = ["Answer", "Body", "Declined", "Doubt", "Later", "Web", "form", "in_json", "multipart", "unless"]

WHOLE: Final = 90.0
"""Seconds for a request and its answer as a whole; ``net.PATIENCE`` is how long the server may be silent."""
MOST: Final = 8_000_000
"""Bytes of an answer."""
PAUSE: Final = 1.0
"""Seconds between two requests."""
WAITS: Final = (2.0, 8.0, 20.0)
"""Seconds until a GET is tried again that failed, where the server does not say how long."""
LONGEST: Final = 120.0
"""Seconds beyond which nobody waits for a server that wants to be left alone."""
_HOPS, _COOKIES, _COOKIE = 5, 40, 4_000
_DEEPEST: Final = 100
_PASSING: Final = frozenset({429, 500, 502, 503, 504, 520, 521, 522, 523, 524})
"""Answers that may be others a little later."""
_MOVED: Final = frozenset({301, 302, 303, 307, 308})
Fields = Sequence[tuple[str, str]]


class Declined(Trouble):
    """The server says no, and will say no again: nothing was done."""


class Later(Trouble):
    """Nothing was done, and a little later it may be."""

    def __init__(self, problem: Problem, seconds: float = 0.0) -> None:
        super().__init__(problem)
        self.seconds = seconds


class Doubt(Trouble):
    """Whether it was done nobody can say before having looked."""


class Answer(Struct, frozen=True):
    """What a server answers; ``url`` is what was asked for in the end, ``to`` where it sends us, names of
    headers are in small letters.
    """

    status: int
    headers: Mapping[str, str]
    data: bytes
    url: str
    to: str = ""

    @property
    def tag(self) -> str:
        """Return by what the server knows this state of a page again: its ETag, else when it was changed;
        empty where it says neither.
        """
        etag, changed = self.headers.get("etag", ""), self.headers.get("last-modified", "")
        return next((one for one in (etag, changed) if re.fullmatch(r"[ -~]{1,200}", one)), "")

    @property
    def kind(self) -> str:
        """Return what the server calls what it sends, such as ``text/html``."""
        return net.said(self.headers.get("content-type", "").partition(";")[0].strip().lower() or "something")

    def json(self) -> Any:
        """Return the data of an answer in JSON, or None where it is none."""
        if "json" not in self.kind:
            return None
        try:
            text = self.data.decode("utf-8")
            return json.loads(text, parse_int=_int) if _depth(text) <= _DEEPEST else None
        except (ValueError, RecursionError):
            return None


class Body(Struct, frozen=True):
    """What is sent with a POST."""

    kind: str
    data: bytes


def unless(tag: str) -> dict[str, str]:
    """Return the headers that ask for a page unless it is still in the state that a tag tells of; then the
    answer is 304.
    """
    if not tag:
        return {}
    return {"If-None-Match" if tag.startswith(('"', "W/")) else "If-Modified-Since": tag}


def form(fields: Fields) -> Body:
    """Return the fields of a form as a browser sends them."""
    return Body("application/x-www-form-urlencoded", urlencode(fields).encode("ascii"))


def in_json(data: Mapping[str, Any]) -> Body:
    """Return data as JSON."""
    return Body("application/json; charset=utf-8", json.dumps(data, ensure_ascii=False).encode("utf-8"))


def multipart(fields: Fields, name: str, filename: str, data: bytes, kind: str = "image/png") -> Body:
    """Return the fields of a form with a file as a browser sends them."""
    whole = hashlib.sha256(data + "".join(f"{one}={value}" for one, value in fields).encode()).hexdigest()
    edge = f"----pbem{whole[:40]}".encode()
    parts = [_part(edge, f'name="{_plain(one)}"', b"", value.encode("utf-8")) for one, value in fields]
    parts.append(
        _part(
            edge,
            f'name="{_plain(name)}"; filename="{_plain(filename)}"',
            f"Content-Type: {kind}\r\n".encode(),
            data,
        )
    )
    return Body(f"multipart/form-data; boundary={edge.decode()}", b"".join(parts) + b"--" + edge + b"--\r\n")


def _part(edge: bytes, name: str, kind: bytes, data: bytes) -> bytes:
    return (
        b"--"
        + edge
        + b"\r\nContent-Disposition: form-data; "
        + name.encode("utf-8")
        + b"\r\n"
        + kind
        + b"\r\n"
        + data
        + b"\r\n"
    )


def _plain(name: str) -> str:
    """Return a name that ends neither its quotation marks nor its line."""
    return name.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")


class _Broken(Exception):
    """A request came to nothing; ``sent`` tells that it may have arrived anyway."""

    def __init__(self, said: str, *, sent: bool) -> None:
        super().__init__(said)
        self.sent = sent


class Web(Struct):
    """One server, at ``url`` and below. ``clock`` and ``sleep`` are those of the machine, except in tests."""

    url: str
    secrets: tuple[str, ...] = ()
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    patience: float = net.PATIENCE
    whole: float = WHOLE
    most: int = MOST
    headers: dict[str, str] = field(default_factory=dict)
    cookies: dict[str, str] = field(default_factory=dict)
    _next: float = 0.0

    def __post_init__(self) -> None:
        parts = urlsplit(self.url)
        if parts.scheme != "https" and not is_near(parts.hostname or ""):
            raise trouble("office.forum-plain", host=self.host)

    def __repr__(self) -> str:
        # neither secrets nor cookies
        return f"Web({self.url!r})"

    @property
    def host(self) -> str:
        """Return the name of the server, for what is said."""
        return urlsplit(self.url).hostname or self.url

    def said(self, words: object) -> str:
        """Return what the server says, short and without a secret."""
        return net.said(words, self.secrets)

    def at(self, path: str, query: Fields = ()) -> str:
        """Return the address of something below that of the server."""
        return f"{self.url.rstrip('/')}{path}" + (f"?{urlencode(query)}" if query else "")

    def from_here(self, answer: Answer, to: str) -> str:
        """Return the address that a page leads to; Trouble where that is somewhere else."""
        return self._same(_joined(answer.url, to))

    def get(self, url: str, headers: Mapping[str, str] | None = None) -> Answer:
        """Return what the server answers, after some tries if need be; Trouble where it cannot be fetched."""
        error: Trouble | None = None
        for wait in (*WAITS, None):
            try:
                answer = self._followed(url, headers or {})
            except _Broken as broken:
                code = "web.lost" if broken.sent else "web.unreachable"
                error, asked = trouble(code, host=self.host, said=str(broken)), 0.0
            else:
                if answer.status not in _PASSING:
                    return answer
                asked = self.wait_of(answer)
                error = Later(self.problem_of(answer), asked)
            if wait is None or asked > LONGEST:
                break
            self.sleep(asked or wait)
        assert error is not None
        raise error

    def post(self, url: str, body: Body) -> Answer:
        """Send something once.

        Later: it did not arrive. Doubt: nobody knows. Where the answer sends us on it is not followed.
        """
        where = self._same(url)
        try:
            return self._once("POST", where, body, {})
        except _Broken as broken:
            if broken.sent:
                raise Doubt(Problem("web.lost", {"host": self.host, "said": str(broken)})) from None
            raise Later(Problem("web.unreachable", {"host": self.host, "said": str(broken)})) from None
        except Trouble as elsewhere:
            raise Doubt(elsewhere.problem) from None

    def problem_of(self, answer: Answer, words: object = "") -> Problem:
        """Return what an answer that is none says: that we are to wait, or its number, with some words."""
        shown = self.said(words)
        if answer.status == 429:
            return Problem(
                "web.later",
                {"host": self.host, "seconds": max(1, round(self.wait_of(answer))), "said": shown},
            )
        return Problem("web.status", {"host": self.host, "status": answer.status, "said": shown})

    def wait_of(self, answer: Answer) -> float:
        """Return how many seconds the server wants to be left alone; 0 where it does not say."""
        asked = 0.0
        given = answer.headers.get("retry-after", "").strip()
        if re.fullmatch(r"[0-9]{1,7}", given):
            asked = float(given)
        elif given:
            with suppress(ValueError, TypeError, OverflowError):
                now = parsedate_to_datetime(answer.headers["date"]) if "date" in answer.headers else None
                asked = (parsedate_to_datetime(given) - now).total_seconds() if now is not None else 0.0
        data = answer.json() if answer.status == 429 else None
        extras = data.get("extras") if isinstance(data, dict) else None
        if isinstance(extras, dict) and isinstance(extras.get("wait_seconds"), int | float):
            asked = max(asked, float(extras["wait_seconds"]))
        return max(0.0, asked)

    # --- one request

    def _followed(self, url: str, headers: Mapping[str, str]) -> Answer:
        for _ in range(_HOPS):
            answer = self._once("GET", self._same(url), None, headers)
            if not answer.to:
                return answer
            url = answer.to
        raise trouble("web.circles", host=self.host, limit=_HOPS)

    def _same(self, url: str) -> str:
        """Return an address as it is sent, where it is one of this server; Trouble where it is not."""
        try:
            there, here = urlsplit(url), urlsplit(self.url)
            same = (there.scheme, there.hostname, _port(there)) == (
                here.scheme,
                here.hostname,
                _port(here),
            ) and there.username is None
        except ValueError:
            same = False
        if not same:
            raise trouble("web.elsewhere", host=self.host, other=self.said(_shown(url)))
        return quote(url.partition("#")[0], safe="%/:=&?~+!$,;'@()*[]-._")

    def _once(self, method: str, url: str, body: Body | None, headers: Mapping[str, str]) -> Answer:
        pause = self._next - self.clock()
        if pause > 0:
            self.sleep(pause)
        answer = net.effect(f"web-{method.lower()}", url, lambda: self._exchanged(method, url, body, headers))
        self._next = self.clock() + PAUSE
        return answer

    def _exchanged(self, method: str, url: str, body: Body | None, headers: Mapping[str, str]) -> Answer:
        parts = urlsplit(url)
        line = http.client.HTTPConnection(parts.hostname or "", _port(parts), timeout=self.patience)
        over = threading.Event()
        sent = False
        watch = threading.Timer(self.whole, lambda: _hang_up(line, over))
        watch.daemon = True
        try:
            self._connect(line, parts.scheme == "https", parts.hostname or "", watch)
            sent = True
            target = f"{parts.path or '/'}{f'?{parts.query}' if parts.query else ''}"
            line.request(method, target, body.data if body else None, self._head(body, headers))
            answer = line.getresponse()
            data = self._read(answer)
            found = {name.lower(): value for name, value in answer.getheaders()}
            self._remember(answer.headers.get_all("Set-Cookie") or [])
        except (OSError, http.client.HTTPException, ValueError) as error:
            said = "it takes too long" if over.is_set() else net.why(error, self.secrets)
            raise _Broken(said, sent=sent) from None
        finally:
            watch.cancel()
            line.close()
        to = found.get("location", "") if answer.status in _MOVED else ""
        return Answer(answer.status, found, data, url, self._same(_joined(url, to)) if to else "")

    def _connect(
        self, line: http.client.HTTPConnection, private: bool, host: str, watch: threading.Timer
    ) -> None:
        # Made by hand, so that a server that is slow at every step of it is hung up on as well.
        sock = socket.create_connection((host, line.port), self.patience)
        if not private:
            line.sock = sock
            watch.start()
            return
        try:
            wrapped = net.private().wrap_socket(sock, server_hostname=host, do_handshake_on_connect=False)
        except BaseException:
            sock.close()
            raise
        line.sock = wrapped
        watch.start()
        wrapped.do_handshake()

    def _head(self, body: Body | None, headers: Mapping[str, str]) -> dict[str, str]:
        head = {
            "User-Agent": f"pbem/{__version__}",
            "Accept-Encoding": "identity",
            "Connection": "close",
            **self.headers,
            **headers,
        }
        if self.cookies:
            head["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        if body is not None:
            head["Content-Type"] = body.kind
        return head

    def _read(self, answer: http.client.HTTPResponse) -> bytes:
        data = b""
        while chunk := answer.read1(65_536):
            data += chunk
            if len(data) > self.most:
                raise ValueError(f"it answers with more than {self.most // 1_000_000 or 1} million bytes")
        if answer.length:
            raise ValueError("it hangs up in the middle of its answer")
        return data

    def _remember(self, given: Sequence[str]) -> None:
        for one in given:
            name, equals, value = one.partition(";")[0].strip().partition("=")
            if (
                not equals
                or not re.fullmatch(r"[!#-+\-.0-9A-Z^-z|~]{1,200}", name)
                or not re.fullmatch(r"[!-+\--:<-~]*", value)
            ):
                continue
            if not value or value == "deleted" or re.search(r";\s*max-age=0\s*(?:;|$)", one, re.IGNORECASE):
                self.cookies.pop(name, None)
            elif len(value) <= _COOKIE and (name in self.cookies or len(self.cookies) < _COOKIES):
                self.cookies[name] = value


def _hang_up(line: http.client.HTTPConnection, over: threading.Event) -> None:
    over.set()
    with suppress(OSError, AttributeError):
        line.sock.shutdown(socket.SHUT_RDWR)


def _joined(url: str, to: str) -> str:
    try:
        return urljoin(url, to)
    except ValueError:
        return to


def _port(parts: Any) -> int:
    return parts.port or (443 if parts.scheme == "https" else 80)


def _shown(url: str) -> str:
    """Return an address without what may be secret in it."""
    with suppress(ValueError):
        parts = urlsplit(url)
        return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"
    return "no address"


def _int(digits: str) -> int:
    return int(digits) if len(digits) <= 18 else 0


def _depth(text: str) -> int:
    """Return how deep brackets are nested ."""
    deep = deepest = 0
    for found in re.finditer(r'"(?:[^"\\]|\\.)*+"|[\[{]|[\]}]', text):
        if found.group() in "[{":
            deep += 1
            deepest = max(deepest, deep)
        elif found.group() in "]}":
            deep -= 1
    return deepest
