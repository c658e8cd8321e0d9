"""Relays of the beacon: one that answers, and all the ways in which one does not; a server on this machine,
no network.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from pbem.store import relays
from pbem.store.relays import MOST, answers

LONG = 60
"""So many seconds a relay would take that nobody gives up."""
GIVEN_UP = threading.Event()
asked: list[str] = []


class Relay(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        asked.append(self.path)
        kind = self.path.split("/")[1]
        if kind == "gone":
            self.send_error(404)
            return
        if kind == "elsewhere":
            self.send_response(302)
            self.send_header("Location", "/good/chain/public/7")
            self.end_headers()
            return
        if kind == "late":
            GIVEN_UP.wait(LONG)
        self.send_response(200)
        self.end_headers()
        if kind == "slow":
            while not GIVEN_UP.wait(0.05):
                self.wfile.write(b" ")
                self.wfile.flush()
        elif kind == "endless":
            self.wfile.write(b"x" * (MOST + 1))
        elif kind == "exact":
            self.wfile.write(b"x" * MOST)
        else:
            self.wfile.write(b'{"round":7}')

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    made = ThreadingHTTPServer(("127.0.0.1", 0), Relay)
    thread = threading.Thread(target=made.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{made.server_port}"
    made.shutdown()
    made.server_close()
    thread.join()


@pytest.fixture(autouse=True)
def straight_to_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "127.0.0.1")


def test_a_relay_that_answers(server: str) -> None:
    asked.clear()
    assert list(answers("chain", 7, [f"{server}/good/"])) == [(f"{server}/good/", b'{"round":7}')]
    assert asked == ["/good/chain/public/7"]
    assert next(answers("chain", 7, [f"{server}/exact"]))[1] == b"x" * MOST


def test_relays_are_asked_one_by_one(server: str) -> None:
    asked.clear()
    coming = answers("chain", 7, [f"{server}/good", f"{server}/gone"])
    assert next(coming)[1] == b'{"round":7}'
    assert asked == ["/good/chain/public/7"]


def test_relays_that_do_not_answer(server: str) -> None:
    said = dict(answers("chain", 7, [f"{server}/{kind}" for kind in ("gone", "elsewhere", "endless")]))
    assert said == {
        f"{server}/gone": "it answers 404",
        f"{server}/elsewhere": "it answers 302",
        f"{server}/endless": "it answers more than 4096 bytes",
    }
    (nobody,) = answers("chain", 7, ["http://127.0.0.1:9"])
    assert str(nobody[1]).startswith("it cannot be reached (")
    for address in ("file:///etc/passwd", "ftp://127.0.0.1", "nonsense", ""):
        assert list(answers("chain", 7, [address])) == [(address, "not an address of the web")]
    assert str(next(answers("chain", 7, ["http://[1"]))[1]).startswith("it cannot be reached (")


@pytest.mark.parametrize("kind", ["late", "slow"])
def test_relays_that_take_their_time(server: str, kind: str) -> None:
    GIVEN_UP.clear()
    begun = time.monotonic()
    assert list(answers("chain", 7, [f"{server}/{kind}"], patience=0.3)) == [
        (f"{server}/{kind}", "it takes too long")
    ]
    assert time.monotonic() - begun < LONG
    GIVEN_UP.set()


def test_the_relays_of_drand_are_asked_over_https() -> None:
    assert all(relay.startswith("https://") and not relay.endswith("/") for relay in relays.RELAYS)
    assert len(relays.RELAYS) == 4
