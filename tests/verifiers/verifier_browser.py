"""A headless Chromium, driven over a pipe with its own protocol and nothing in between."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

FLAGS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-extensions", "--disable-background-networking")
_PIPES = (
    "import fcntl, os, sys; r, w = (fcntl.fcntl(int(n), fcntl.F_DUPFD, 10) for n in sys.argv[1:3]); "
    "os.dup2(r, 3); os.dup2(w, 4); os.execv(sys.argv[3], sys.argv[3:])"
)


class Browser:
    """One page of a browser; close it when done."""

    def __init__(self, program: str, home: Path) -> None:
        (to_read, self._write), (self._read, to_write) = os.pipe(), os.pipe()
        command = [
            sys.executable,
            "-c",
            _PIPES,
            str(to_read),
            str(to_write),
            program,
            *FLAGS,
            f"--user-data-dir={home}",
            "--remote-debugging-pipe",
        ]
        quiet = subprocess.DEVNULL
        self._process = subprocess.Popen(command, pass_fds=(to_read, to_write), stdout=quiet, stderr=quiet)
        os.close(to_read)
        os.close(to_write)
        self._buffer = b""
        self._number = 0
        self.events: list[dict[str, Any]] = []
        self._session = ""
        try:
            self._attach()
        except BaseException:
            self.close()
            raise

    def _attach(self) -> None:
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network", "DOM"):
            self.call(f"{domain}.enable")

    def close(self) -> None:
        """End the browser."""
        self._process.terminate()
        self._process.wait(10)
        os.close(self._read)
        os.close(self._write)

    def _next(self, deadline: float) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            if not select.select([self._read], [], [], max(0.0, deadline - time.monotonic()))[0]:
                raise TimeoutError("the browser does not answer")
            more = os.read(self._read, 1 << 20)
            if not more:
                raise EOFError("the browser has ended")
            self._buffer += more
        message, _, self._buffer = self._buffer.partition(b"\0")
        found: dict[str, Any] = json.loads(message)
        return found

    def call(self, method: str, **params: Any) -> Any:
        """Call a method of the protocol and return its result; events that come in between are kept."""
        self._number += 1
        session = {"sessionId": self._session} if self._session else {}
        os.write(self._write, json.dumps({"id": self._number, "method": method, "params": params, **session}).encode() + b"\0")
        deadline = time.monotonic() + 60
        while True:
            found = self._next(deadline)
            if found.get("id") == self._number:
                assert "error" not in found, found["error"]
                return found["result"]
            self.events.append(found)

    def value(self, expression: str) -> Any:
        """Return what an expression of the page gives; a promise is waited for."""
        found = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    def until(self, expression: str) -> None:
        """Wait until an expression of the page is true."""
        deadline = time.monotonic() + 60
        while not self.value(expression):
            assert time.monotonic() < deadline, expression
            time.sleep(0.01)

    def choose(self, selector: str, file: Path) -> None:
        """Choose a file in an input of the page, as a user does."""
        root = self.call("DOM.getDocument")["root"]["nodeId"]
        node = self.call("DOM.querySelector", nodeId=root, selector=selector)["nodeId"]
        self.call("DOM.setFileInputFiles", files=[str(file)], nodeId=node)

    def open(self, file: Path) -> None:
        """Open a page from the disk."""
        self.call("Page.navigate", url=file.as_uri())
        self.until("document.readyState === 'complete'")
