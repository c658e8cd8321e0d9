"""One small request to a server of the web and its answer, within bounds of time and size, that leads nowhere
else.

Decides how much is read and how long is waited. What an answer says is believed by nobody: that is for those
who asked to see.
"""

from __future__ import annotations

import threading
import time
import urllib.error
import urllib.request
import zlib
from typing import Final

from pbem.store import net

PATIENCE: Final = 10.0
"""Seconds for a request, from the first byte sent to the last one read."""


class Unanswered(Exception):
    """No answer that can be used; the text says why, ``status`` is what the server said, 0 where it said
    nothing.
    """

    def __init__(self, why: str, status: int = 0) -> None:
        super().__init__(why)
        self.status = status


class _NoDetour(urllib.request.HTTPRedirectHandler):
    """A server answers itself or not at all."""

    def redirect_request(self, *_: object) -> None:
        """Follow nothing."""


def fetch(
    address: str,
    most: int,
    patience: float = PATIENCE,
    *,
    accept: str = "*/*",
    body: bytes | None = None,
    kind: str = "",
) -> bytes:
    """Return what a server answers to a GET, or to a POST of ``body``; Unanswered where that is nothing,
    another page, or too much.
    """
    if not address.startswith(("https://", "http://")):
        raise Unanswered("not an address of the web")
    headers = {
        "Accept": accept,
        "User-Agent": "pbem",
        "Accept-Encoding": "identity",
        **({"Content-Type": kind} if kind else {}),
    }
    try:
        request = urllib.request.Request(address, data=body, headers=headers)
    except ValueError as error:
        raise _unanswered(error) from None
    return net.effect("fetch", address, lambda: _in_time(request, most, patience))


def _in_time(request: urllib.request.Request, most: int, patience: float) -> bytes:
    """Return the answer, or stop waiting for it: a name that is looked up, or a server that is slow at any
    step, holds nobody up.
    """
    answers: list[bytes | Unanswered] = []

    def ask() -> None:
        try:
            answers.append(_read(request, most, patience))
        except Unanswered as why:
            answers.append(why)
        except Exception as error:
            answers.append(_unanswered(error))

    asking = threading.Thread(target=ask, daemon=True)
    asking.start()
    asking.join(patience)
    found = answers[0] if answers else Unanswered("it takes too long")
    if isinstance(found, Unanswered):
        raise found
    return found


def _unanswered(error: Exception) -> Unanswered:
    if isinstance(error, urllib.error.HTTPError):
        error.close()
        return Unanswered(f"it answers {error.code}", error.code)
    reason = getattr(error, "reason", None) or error
    if isinstance(reason, TimeoutError):
        return Unanswered("it takes too long")
    return Unanswered(f"it cannot be reached ({net.said(str(reason) or type(reason).__name__)[:100]})")


def _read(request: urllib.request.Request, most: int, patience: float) -> bytes:
    end = time.monotonic() + patience
    with urllib.request.build_opener(_NoDetour).open(request, timeout=patience) as answer:
        # Some servers pack what they send though nobody asked for it.
        packed = (
            zlib.decompressobj(31) if answer.headers.get("Content-Encoding", "").lower() == "gzip" else None
        )
        data = b""
        while chunk := answer.read1(65_536):
            data += chunk if packed is None else packed.decompress(chunk, most + 1 - len(data))
            if len(data) > most:
                raise Unanswered(f"it answers more than {most} bytes")
            if time.monotonic() > end:
                raise Unanswered("it takes too long")
        if answer.length or (packed is not None and not packed.eof):
            raise Unanswered("it hangs up in the middle of its answer")
        return data
