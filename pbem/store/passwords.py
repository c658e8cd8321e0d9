"""Passwords and tokens for mail servers: asked of a command or of the environment each time, kept nowhere,
shown to nobody.

Decides how a secret is got at, within bounds of time and size, and that it never stands in a message, a log
or an error. Which one an account wants stands in ``post/offices/office.py``.
"""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress
from typing import IO, Final

from pbem.post.offices.forums import KEY_ENV
from pbem.post.offices.office import ENVIRONMENT, TOKEN, Credential
from pbem.store.net import Trouble, trouble

PATIENCE: Final = 30.0
"""Seconds for a command; some ask a person for another password."""
MOST: Final = 4096
"""Bytes of its answer."""


class Secret:
    """A password or a token; only who asks for its text sees it."""

    __slots__ = ("_text", "is_token")

    def __init__(self, text: str, *, is_token: bool = False) -> None:
        self._text = text
        self.is_token = is_token

    def text(self) -> str:
        """Return the secret itself."""
        return self._text

    def __repr__(self) -> str:
        return "Secret(...)"

    __str__ = __repr__


def find(
    credential: Credential, environ: Mapping[str, str] | None = None, patience: float = PATIENCE
) -> Secret:
    """Return the secret that a credential leads to; raise Trouble where there is none."""
    if credential.kind in (ENVIRONMENT, KEY_ENV):
        value = (os.environ if environ is None else environ).get(credential.how, "")
        if not value:
            raise trouble("office.env-empty", name=credential.how)
        return Secret(value)
    return Secret(_ask(credential, patience), is_token=credential.kind == TOKEN)


def _ask(credential: Credential, patience: float) -> str:
    """Return the first line that a command prints."""

    def failed(code: str, **args: str | int) -> Trouble:
        return trouble(code, key=credential.kind, **args)

    try:
        command = shlex.split(credential.how)
    except ValueError:
        raise failed("office.command-quotes") from None
    if not command:
        raise failed("office.command-quotes")
    null, pipe = subprocess.DEVNULL, subprocess.PIPE
    try:
        # What it says on its other way out is nobody's but its owner's, who can run it by hand.
        process = subprocess.Popen(command, stdin=null, stdout=pipe, stderr=null, start_new_session=True)
    except (OSError, ValueError):
        raise failed("office.command-missing", program=command[0]) from None
    assert process.stdout is not None
    got: list[bytes] = []
    reader = threading.Thread(target=_read, args=(process.stdout, got), daemon=True)
    reader.start()
    try:
        reader.join(patience)
        if reader.is_alive():
            raise failed("office.command-slow", seconds=int(patience))
        answer = got[0] if got else b""
        if len(answer) > MOST:
            raise failed("office.command-much", limit=MOST)
        try:
            code = process.wait(patience)
        except subprocess.TimeoutExpired:
            raise failed("office.command-slow", seconds=int(patience)) from None
    finally:
        _end(process)
        reader.join(1)
        if not reader.is_alive():
            process.stdout.close()
    if code != 0:
        raise failed("office.command-failed", answer=code)
    try:
        line = answer.split(b"\n", 1)[0].removesuffix(b"\r").decode("utf-8")
    except UnicodeDecodeError:
        raise failed("office.command-empty") from None
    if not line.strip() or "\0" in line:
        raise failed("office.command-empty")
    return line


def _read(stream: IO[bytes], got: list[bytes]) -> None:
    """Read all that comes, or one byte more than may come."""
    with suppress(OSError, ValueError):
        got.append(stream.read(MOST + 1))


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a command that still runs, and what it has started."""
    if process.poll() is None or sys.platform != "win32":
        with suppress(OSError):
            if sys.platform == "win32":
                process.kill()
            else:
                os.killpg(process.pid, signal.SIGKILL)
    process.wait()
