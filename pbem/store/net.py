"""The mail servers of the office: the one place through which every step over the network goes, and what is
said when one fails.

As with ``disk.effect``, a test can end the program between any two steps. Nothing of a password is ever in
what is said.
"""

from __future__ import annotations

import socket
import ssl
from collections.abc import Callable, Iterable
from typing import Final, TypeVar

from pbem.core.problem import Problem
from pbem.text.characters import printable

T = TypeVar("T")

PATIENCE: Final = 30.0
"""Seconds that a server may be silent."""
_WORDS: Final = 200


def effect(kind: str, what: str, act: Callable[[], T]) -> T:
    """Do one step over the network: the only place where one is done."""
    return act()


class Trouble(Exception):
    """A server did not do what was asked of it, or a password cannot be found; ``problem`` says so in words
    that may be shown.
    """

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.code)
        self.problem = problem


def trouble(code: str, **args: str | int) -> Trouble:
    """Return the trouble of a code."""
    return Trouble(Problem(code, args))


def private() -> ssl.SSLContext:
    """Return what makes a connection private: the server has to show a certificate for its name that this
    machine trusts.
    """
    return ssl.create_default_context()


def said(words: object, secrets: Iterable[str] = ()) -> str:
    """Return what a server or a failing connection says, on one line, short, and without a secret that it
    repeats.
    """
    text = words.decode("utf-8", "replace") if isinstance(words, bytes) else str(words)
    for secret in secrets:
        text = text.replace(secret, "...") if secret else text
    text = " ".join(printable(" ".join(text.split())).split())
    return text if len(text) <= _WORDS else text[: _WORDS - 3] + "..."


def knock(host: str, port: int, seconds: float) -> None:
    """Look whether somebody answers at a port; OSError where nobody does within some seconds."""
    effect("knock", host, lambda: socket.create_connection((host, port), seconds).close())


def why(error: BaseException, secrets: Iterable[str] = ()) -> str:
    """Return why a connection failed."""
    if isinstance(error, TimeoutError):
        return "it takes too long"
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"its certificate is not trusted: {said(error.verify_message)}"
    reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return said(reason, secrets)
