"""Browsers that Playwright does not drive as they are installed: Firefox through Marionette, WebKit through
its own driver (W3C WebDriver).

Both take the same commands with the same values; only how they travel is another. Nothing but the standard
library is needed.
"""

from __future__ import annotations

import base64
import json
import os
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

PATIENCE: Final = 60.0
"""Seconds after which a browser that has not started, or does not answer, is given up."""
SIZE: Final = (1100, 800)
Send = Callable[[str, dict[str, Any]], Any]


class Driven:
    """A page in a browser, as a person uses it: he looks, clicks and types."""

    def __init__(self, send: Send) -> None:
        self._send = send

    def open(self, file: Path) -> None:
        self._send("Navigate", {"url": file.as_uri()})

    def get(self, script: str, *args: Any) -> Any:
        """Return the value of an expression in the page; ``arguments`` are what is given."""
        return self._send("ExecuteScript", {"script": f"return ({script})", "args": list(args)})

    def wait(self, script: str, *args: Any) -> None:
        """Wait until an expression is true."""
        end = time.monotonic() + PATIENCE
        while not self.get(script, *args):
            assert time.monotonic() < end, script
            time.sleep(0.05)

    def click(self, selector: str) -> None:
        """Press the mouse on the first element that fits, where it is seen."""
        spot = self.get(
            "((one) => { one.scrollIntoView({block: 'center', behavior: 'instant'}); const box = "
            "one.getBoundingClientRect();"
            " return [box.x + box.width / 2, box.y + box.height / 2] "
            "})(document.querySelector(arguments[0]))",
            selector,
        )
        self.click_at(*spot)

    def click_at(self, x: float, y: float) -> None:
        move = {"type": "pointerMove", "x": round(x), "y": round(y), "duration": 0, "origin": "viewport"}
        press = [{"type": kind, "button": 0} for kind in ("pointerDown", "pointerUp")]
        mouse = {
            "type": "pointer",
            "id": "mouse",
            "parameters": {"pointerType": "mouse"},
            "actions": [move, *press],
        }
        self._send("PerformActions", {"actions": [mouse]})

    def type(self, selector: str, text: str) -> None:
        self.click(selector)
        keys = [{"type": kind, "value": letter} for letter in text for kind in ("keyDown", "keyUp")]
        self._send("PerformActions", {"actions": [{"type": "key", "id": "keys", "actions": keys}]})

    def picture(self) -> bytes:
        return base64.b64decode(self._send("TakeScreenshot", {}))


def _until(found: Callable[[], Any], process: subprocess.Popen[bytes]) -> Any:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        assert process.poll() is None, f"it ended with {process.returncode}"
        value = found()
        if value:
            return value
        time.sleep(0.05)
    raise AssertionError("it did not start")


@contextmanager
def _running(command: list[str], **more: Any) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **more)
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(10)


# --- Firefox


@contextmanager
def firefox(program: str, home: Path) -> Iterator[Driven]:
    """Start Firefox without a window, for somebody who wants no motion."""
    profile = home / "profile"
    profile.mkdir()
    wishes = {
        "marionette.port": 0,
        "datareporting.policy.dataSubmissionEnabled": False,
        "ui.prefersReducedMotion": 1,
    }
    (profile / "user.js").write_text(
        "".join(f"user_pref({json.dumps(key)}, {json.dumps(value)});\n" for key, value in wishes.items())
    )
    command = [
        program,
        "--headless",
        "--marionette",
        "--no-remote",
        "--profile",
        str(profile),
        f"--width={SIZE[0]}",
        f"--height={SIZE[1]}",
    ]
    said = profile / "MarionetteActivePort"
    with _running(
        command, env={**os.environ, "HOME": str(home), "MOZ_CRASHREPORTER_DISABLE": "1"}
    ) as process:
        port = int(_until(lambda: said.exists() and said.read_text().strip(), process))
        with socket.create_connection(("127.0.0.1", port), PATIENCE) as line:
            _packet(line)
            number = 0

            def send(name: str, values: dict[str, Any]) -> Any:
                nonlocal number
                number += 1
                data = json.dumps([0, number, f"WebDriver:{name}", values]).encode()
                line.sendall(b"%d:%s" % (len(data), data))
                _, _, wrong, value = _packet(line)
                assert wrong is None, wrong
                return value["value"] if isinstance(value, dict) and set(value) == {"value"} else value

            send("NewSession", {})
            yield Driven(send)


def _packet(line: socket.socket) -> Any:
    """Return the next message: its length in decimal digits, a colon, and JSON of that many bytes."""
    head = b""
    while not head.endswith(b":"):
        head += _received(line, 1)
    return json.loads(_received(line, int(head[:-1])))


def _received(line: socket.socket, size: int) -> bytes:
    found = b""
    while len(found) < size:
        part = line.recv(size - len(found))
        assert part, "it hung up"
        found += part
    return found


# --- WebKit


PATHS: Final = {
    "Navigate": "url",
    "ExecuteScript": "execute/sync",
    "PerformActions": "actions",
    "TakeScreenshot": "screenshot",
}
MINI_BROWSERS: Final = "webkit2gtk-4.1/MiniBrowser"


@contextmanager
def webkit(driver: str, screen: str, home: Path) -> Iterator[Driven]:
    """Start WebKitGTK's small browser, on a screen that nobody sees (``Xvfb``), for somebody who wants no
    motion.
    """
    (browser,) = sorted(Path("/usr/lib").glob(f"*/{MINI_BROWSERS}"))[:1]
    settings = home / ".config/gtk-3.0/settings.ini"
    settings.parent.mkdir(parents=True)
    settings.write_text("[Settings]\ngtk-enable-animations=0\n")
    number, written = os.pipe()
    command = [screen, "-displayfd", str(written), "-screen", "0", "1280x1024x24", "-nolisten", "tcp"]
    with _running(command, pass_fds=(written,)), os.fdopen(number) as told:
        os.close(written)
        display = f":{told.readline().strip()}"
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        env = {
            **os.environ,
            "DISPLAY": display,
            "HOME": str(home),
            "XDG_CONFIG_HOME": str(home / ".config"),
            "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1",
        }
        env |= {
            "LIBGL_ALWAYS_SOFTWARE": "1",
            "WEBKIT_DISABLE_COMPOSITING_MODE": "1",
            "NO_AT_BRIDGE": "1",
            "XDG_RUNTIME_DIR": str(home),
        }
        with _running([driver, f"--port={port}"], env=env) as process:
            _until(lambda: _answers(port), process)
            options = {"binary": str(browser), "args": ["--automation"]}
            wanted = {"capabilities": {"alwaysMatch": {"webkitgtk:browserOptions": options}}}
            session = _asked(port, "session", wanted)["sessionId"]

            def send(name: str, values: dict[str, Any]) -> Any:
                return _asked(
                    port, f"session/{session}/{PATHS[name]}", values if name != "TakeScreenshot" else None
                )

            _asked(port, f"session/{session}/window/rect", {"width": SIZE[0], "height": SIZE[1]})
            yield Driven(send)
            _asked(port, f"session/{session}", None, "DELETE")


def _answers(port: int) -> bool:
    try:
        return bool(_asked(port, "status", None))
    except OSError:
        return False


def _asked(port: int, path: str, values: dict[str, Any] | None, method: str = "") -> Any:
    data = None if values is None else json.dumps(values).encode()
    asked = urllib.request.Request(
        f"http://127.0.0.1:{port}/{path}", data, method=method or ("GET" if data is None else "POST")
    )
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(asked, timeout=PATIENCE) as answer:
            return json.load(answer)["value"]
    except urllib.error.HTTPError as wrong:
        raise AssertionError(wrong.read()[:500]) from None
