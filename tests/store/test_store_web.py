"""Asking a server of the web: bounds, detours, cookies, and that nothing private goes where it should not."""

from __future__ import annotations

import socket
import ssl
import sys
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from pbem.store import net
from pbem.store.library import common_words
from pbem.store.net import Trouble
from pbem.store.web import Answer, Body, Doubt, Later, Web, form, in_json, multipart

sys.path.append(str(Path(__file__).resolve().parents[1] / "post"))
from servers import certificates

seen: list[tuple[str, dict[str, str], bytes]] = []
slept: list[float] = []


class Server(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self.serve()

    def do_POST(self) -> None:
        self.serve()

    def serve(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        seen.append((self.path, {name.lower(): value for name, value in self.headers.items()}, body))
        kind = self.path.split("?")[0].strip("/").split("/")[-1]
        headers: list[tuple[str, str]] = []
        status = 200
        if kind == "cookies":
            headers = [
                ("Set-Cookie", "one=1; Path=/; HttpOnly"),
                ("Set-Cookie", "two=2; Domain=elsewhere.example"),
                ("Set-Cookie", "bad name=3"),
                ("Set-Cookie", "bad=4\x01"),
                ("Set-Cookie", f"long={'x' * 5000}"),
                *(("Set-Cookie", f"n{n}=1") for n in range(60)),
            ]
        elif kind == "forget":
            headers = [
                ("Set-Cookie", "one=deleted; expires=Thu, 01 Jan 1970 00:00:00 GMT"),
                ("Set-Cookie", "two=x; Max-Age=0"),
            ]
        elif kind == "here":
            status, headers = 302, [("Location", "ok?from=here#place")]
        elif kind == "there":
            status, headers = 302, [("Location", "http://user:hunter2@elsewhere.example/x?sid=hunter2")]
        elif kind == "port":
            status, headers = 302, [("Location", "http://127.0.0.1:1/x")]
        elif kind == "file":
            status, headers = 302, [("Location", "file:///etc/passwd")]
        elif kind == "broken":
            status, headers = 302, [("Location", "http://[::1/x")]
        elif kind == "date":
            now = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
            self.send_response_only(503)
            self.send_header("Date", format_datetime(now, usegmt=True))
            self.send_header("Retry-After", format_datetime(now + timedelta(seconds=33), usegmt=True))
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        elif kind == "nonsense":
            self.wfile.write(b"NOISE / nothing\r\n\r\n")
            self.close_connection = True
            return
        elif kind == "heads":
            headers = [(f"X-{n}", "y") for n in range(200)]
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        data = {"ok": b"fine", "deep": b"[" * 500 + b"]" * 500, "many": b'{"a": ' + b"9" * 5000 + b"}"}.get(
            kind, b""
        )
        self.send_header("Content-Type", "application/json" if kind in ("deep", "many") else "text/plain")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    made = ThreadingHTTPServer(("127.0.0.1", 0), Server)
    thread = threading.Thread(target=made.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{made.server_port}/forum"
    made.shutdown()
    made.server_close()
    thread.join()


@pytest.fixture
def web(server: str) -> Web:
    seen.clear()
    slept.clear()
    return Web(
        server, secrets=("hunter2",), clock=lambda: sum(slept), sleep=slept.append, patience=2.0, whole=4.0
    )


def told(trouble: Trouble) -> str:
    said = common_words().problem(trouble.problem.code, trouble.problem.args)
    assert "hunter2" not in said
    return said


def test_cookies_are_kept_for_this_server_within_bounds_and_forgotten(web: Web) -> None:
    web.get(web.at("/cookies"))
    assert web.cookies["one"] == "1" and web.cookies["two"] == "2" and len(web.cookies) == 40
    assert "bad" not in web.cookies and "long" not in web.cookies and "bad name" not in web.cookies
    web.get(web.at("/forget"))
    assert seen[-1][1]["cookie"].startswith("one=1; two=2; n0=1")
    web.get(web.at("/ok"))
    assert "one" not in web.cookies and "two" not in web.cookies and "one=" not in seen[-1][1]["cookie"]
    assert "one" not in repr(web).partition("cookies")[2]


def test_a_redirect_to_the_same_server_is_followed(web: Web) -> None:
    answer = web.get(web.at("/here"))
    assert answer.data == b"fine" and answer.url.endswith("/forum/ok?from=here")


@pytest.mark.parametrize("where", ["there", "port", "file", "broken"])
def test_a_redirect_to_another_place_is_not(web: Web, where: str) -> None:
    with pytest.raises(Trouble) as trouble:
        web.get(web.at(f"/{where}"))
    assert "nothing was sent there" in told(trouble.value) and len(seen) == 1
    with pytest.raises(Doubt) as doubt:
        web.post(web.at(f"/{where}"), form([("a", "b")]))
    assert "nothing was sent there" in told(doubt.value)


def test_a_redirect_after_a_post_is_not_followed(web: Web) -> None:
    answer = web.post(web.at("/here"), form([("a", "ü & =")]))
    assert answer.status == 302 and answer.to.endswith("/forum/ok?from=here") and len(seen) == 1
    assert seen[0][2] == b"a=%C3%BC+%26+%3D"


def test_how_long_to_wait_may_be_a_date(web: Web) -> None:
    with pytest.raises(Later) as later:
        web.get(web.at("/date"))
    assert later.value.seconds == 33 and slept.count(33.0) == 3 and len(seen) == 4


@pytest.mark.parametrize("kind", ["nonsense", "heads"])
def test_what_is_no_answer_of_the_web(web: Web, kind: str) -> None:
    with pytest.raises(Trouble) as trouble:
        web.get(web.at(f"/{kind}"))
    assert told(trouble.value).startswith("127.0.0.1 did not answer: ")
    with pytest.raises(Doubt):
        web.post(web.at(f"/{kind}"), form([]))


def test_json_that_is_too_deep_or_has_endless_numbers_is_none_or_harmless(web: Web) -> None:
    assert web.get(web.at("/deep")).json() is None
    assert web.get(web.at("/many")).json() == {"a": 0}
    assert Answer(
        200, {"content-type": "application/json"}, b'{"a": "' + b"[" * 5000 + b'"}', "x"
    ).json() == {"a": "[" * 5000}
    assert Answer(200, {"content-type": "text/html"}, b"{}", "x").json() is None
    assert Answer(200, {"content-type": "application/json"}, b"\xff{", "x").json() is None


def test_a_post_that_could_not_go_out_may_go_out_later(web: Web) -> None:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        web.url = f"http://127.0.0.1:{sock.getsockname()[1]}"
        with pytest.raises(Later) as later:
            web.post(web.at("/x"), in_json({}))
    assert "cannot be reached" in told(later.value)


def test_a_secret_goes_privately_or_not_at_all() -> None:
    with pytest.raises(Trouble) as trouble:
        Web("http://forum.example.org")
    assert "use https for forum.example.org" in told(trouble.value)


def test_a_certificate_that_nobody_trusts_ends_it_before_anything_is_sent(web: Web) -> None:
    """A server that speaks plainly where TLS is wanted never sees the request, and neither does one that is
    not who it says.
    """
    plain = Web(
        web.url.replace("http://", "https://"),
        sleep=slept.append,
        clock=lambda: sum(slept),
        patience=2.0,
        whole=4.0,
    )
    plain.headers["Api-Key"] = "hunter2"
    with pytest.raises(Later):
        plain.post(plain.at("/ok"), in_json({}))
    assert all("hunter2" not in str(one) for one in seen)
    assert net.private().verify_mode == ssl.CERT_REQUIRED and net.private().check_hostname


def test_a_file_and_fields_as_a_browser_sends_them() -> None:
    from email.parser import BytesParser
    from email.policy import HTTP

    body = multipart(
        [("message", "Grüße\r\n--x"), ('a"b\r\nX: y', "1")], "file", 'm"ap\r\n.png', b"\x89PNG\r\n\r\n--data"
    )
    assert isinstance(body, Body)
    message = BytesParser(policy=HTTP).parsebytes(
        b"Content-Type: " + body.kind.encode() + b"\r\n\r\n" + body.data
    )
    first, second, third = message.iter_parts()
    assert first.get_payload(decode=True).decode() == "Grüße\r\n--x"  # type: ignore[union-attr]
    assert second.get_param("name", header="content-disposition") == "a%22b%0D%0AX: y" and second["X"] is None
    assert (
        third.get_payload(decode=True) == b"\x89PNG\r\n\r\n--data"
        and third.get_filename() == "m%22ap%0D%0A.png"
    )


@pytest.fixture
def private(tmp_path: Path) -> Iterator[tuple[str, Path]]:
    """Serve over TLS, with a certificate of an authority of our own."""
    authority, own = certificates(tmp_path)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(own)
    made = ThreadingHTTPServer(("127.0.0.1", 0), Server)
    made.socket = context.wrap_socket(made.socket, server_side=True)
    made.handle_error = lambda *_: None  # type: ignore[method-assign]
    thread = threading.Thread(target=made.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield f"https://127.0.0.1:{made.server_port}", authority
    made.shutdown()
    made.server_close()
    thread.join()


def test_a_server_has_to_show_a_certificate_that_is_trusted(
    private: tuple[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    url, authority = private
    seen.clear()
    web = Web(url, clock=lambda: 0.0, sleep=lambda _: None, patience=2.0, whole=4.0)
    web.headers["Api-Key"] = "hunter2"
    with pytest.raises(Trouble) as trouble:
        web.get(web.at("/ok"))
    assert (
        told(trouble.value).startswith("127.0.0.1 cannot be reached: its certificate is not trusted: ")
        and seen == []
    )
    monkeypatch.setattr(net, "private", lambda: ssl.create_default_context(cafile=str(authority)))
    assert web.get(web.at("/ok")).data == b"fine" and seen[0][1]["api-key"] == "hunter2"
    with pytest.raises(Trouble) as elsewhere:
        web.get(web.at("/port"))
    assert "http://127.0.0.1:1/x; nothing was sent there" in told(elsewhere.value), (
        "not to the same place without TLS either"
    )


def test_a_server_that_never_finishes_a_greeting_is_hung_up_on() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"https://127.0.0.1:{silent.getsockname()[1]}"
        web = Web(url, clock=lambda: 0.0, sleep=lambda _: None, patience=5.0, whole=0.1)
        with pytest.raises(Later) as later:
            web.post(web.at("/x"), in_json({}))
        assert told(later.value) == "127.0.0.1 cannot be reached: it takes too long"
