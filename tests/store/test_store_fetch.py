"""One small request: what is read of an answer, and all the ways in which a server can be no use.

A server on this machine, no network.
"""

from __future__ import annotations

import gzip
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from pbem.store.fetch import Unanswered, fetch

over = threading.Event()


class Server(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        kind = self.path[1:]
        if kind == "silent":
            over.wait()
            return
        if kind == "headers":
            while not over.wait(0.05):
                self.wfile.write(b"X")
                self.wfile.flush()
            return
        self.send_response(301 if kind == "moved" else 200)
        data = b"answer" if kind != "bomb" else bytes(10_000_000)
        if kind in ("gzip", "bomb", "torn"):
            self.send_header("Content-Encoding", "gzip")
            data = gzip.compress(data)
        if kind == "torn":
            data = data[:-8]
        if kind == "cut":
            self.send_header("Content-Length", "100")
        if kind == "moved":
            self.send_header("Location", "/gzip")
        self.end_headers()
        self.wfile.write(data)

    def do_POST(self) -> None:
        size = int(self.headers["Content-Length"])
        self.send_response(200)
        self.end_headers()
        self.wfile.write(self.headers["Content-Type"].encode() + b":" + self.rfile.read(size))

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    over.clear()
    made = ThreadingHTTPServer(("127.0.0.1", 0), Server)
    made.daemon_threads = True
    thread = threading.Thread(target=made.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{made.server_port}"
    over.set()
    made.shutdown()
    made.server_close()
    thread.join()


@pytest.fixture(autouse=True)
def straight_to_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "127.0.0.1")


def test_an_answer(server: str) -> None:
    assert fetch(f"{server}/", 6) == b"answer"
    assert fetch(f"{server}/gzip", 6) == b"answer"
    assert (
        fetch(f"{server}/", 100, body=b"asked", kind="application/timestamp-query")
        == b"application/timestamp-query:asked"
    )


@pytest.mark.parametrize(
    ("kind", "why"),
    [
        ("moved", "it answers 301"),
        ("bomb", "it answers more than 1000 bytes"),
        ("cut", "it hangs up in the middle of its answer"),
        ("torn", "it hangs up in the middle of its answer"),
    ],
)
def test_no_answer(server: str, kind: str, why: str) -> None:
    with pytest.raises(Unanswered, match=why):
        fetch(f"{server}/{kind}", 1000)


@pytest.mark.parametrize("kind", ["silent", "headers"])
def test_a_server_that_is_slow_at_any_step_holds_nobody_up(server: str, kind: str) -> None:
    # This server never comes to an end of its own accord.
    with pytest.raises(Unanswered, match="it takes too long"):
        fetch(f"{server}/{kind}", 1000, patience=0.3)
