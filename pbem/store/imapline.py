"""One connection to an IMAP server: private, let in, and bounded in what it can make us read; with IDLE.

``imaplib`` of the standard library speaks the protocol: it is everywhere, its UID commands are all that is
needed here, and the packages above it search a mailbox again and again or fetch a letter before they know its
size. What it lacks stands here: bounds of size and time, waiting for news (RFC 2177, which it has from Python
3.14 on only), and that nothing which came before TLS is taken for an answer. Which letters are wanted, and
what becomes of them, is decided in ``imap``.
"""

from __future__ import annotations

import base64
import imaplib
import re
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final, TypeVar

from pbem.core.problem import Problem
from pbem.core.regex import regex
from pbem.post.offices.office import STARTTLS, TLS, Account, is_near
from pbem.store import net
from pbem.store.net import Trouble, effect, trouble
from pbem.store.passwords import Secret

T = TypeVar("T")

LARGEST: Final = 5 * 1024 * 1024
"""Bytes of one thing that a server may announce."""
_ANSWER: Final = 16 * 1024 * 1024
"""Bytes of everything that it says to one question."""
_LONG: Final = 600.0
"""Seconds for that."""
_LITERAL: Final = regex(rb"\{([0-9]{1,10})\+?\}\r\n\Z")
_NEWS: Final = regex(rb"\* [1-9][0-9]* (?:EXISTS|RECENT)\r\n", re.IGNORECASE)


class _Bounded(imaplib.IMAP4):
    """A connection that reads no more, and no longer, than is sensible."""

    _unread: bytes = b""
    _socket: socket.socket | None = None
    _got: int = 0
    _end: float = 0.0

    def begin(self) -> None:
        """Begin to count anew what a server says, and how long it takes."""
        self._got, self._end = 0, time.monotonic() + _LONG

    def _fresh(self) -> None:
        """Forget what was said before TLS: it is not an answer to what is asked after it."""
        if self.sock is not self._socket:
            self._socket, self._unread = self.sock, b""
            if not self._end:
                self.begin()

    def _more(self, end: float) -> None:
        """Read what has come; raise TimeoutError where nothing comes before ``end``."""
        self._fresh()
        now = time.monotonic()
        if now >= min(end, self._end):
            raise TimeoutError
        self.sock.settimeout(min(end, self._end) - now)
        data = self.sock.recv(65_536)
        if not data:
            raise self.abort("it hangs up")
        self._got += len(data)
        if self._got > _ANSWER:
            raise self.abort("it does not stop talking")
        self._unread += data

    def read(self, size: int) -> bytes:
        """Return so many bytes."""
        if size > LARGEST:
            raise self.abort(f"it announces {size} bytes at once")
        self._fresh()
        parts, length = [self._unread], len(self._unread)
        while length < size:
            self._unread = b""
            self._more(time.monotonic() + net.PATIENCE)
            parts.append(self._unread)
            length += len(self._unread)
        data = b"".join(parts)
        self._unread = data[size:]
        return data[:size]

    def readline(self) -> bytes:
        """Return a line with its end."""
        end = time.monotonic() + net.PATIENCE
        while (line := self.line()) is None:
            self._more(end)
        return line

    def line(self) -> bytes | None:
        """Return a line that has come, or None where it has not come whole."""
        self._fresh()
        at = self._unread.find(b"\n")
        if at < 0:
            return None
        line, self._unread = self._unread[: at + 1], self._unread[at + 1 :]
        return line

    def idle_for(self, seconds: float) -> bool | None:
        """Wait until the server tells of a new letter; tell whether it did, or None where it knows no such
        waiting.
        """
        tag = b"PBEM%d" % (time.monotonic_ns() % 1_000_000)
        self.begin()
        end = time.monotonic() + seconds
        self._end = end + net.PATIENCE
        self.send(tag + b" IDLE\r\n")
        news, line = False, b""
        while not line.startswith(b"+"):
            line = self.readline()
            news = news or _NEWS.fullmatch(line) is not None
            if line.startswith(tag + b" "):
                return None
        while not news:
            if (came := self.line()) is None:
                try:
                    self._more(end)
                except TimeoutError:
                    break
                continue
            if came[:6].upper() == b"* BYE ":
                raise self.abort("it hangs up")
            if (literal := _LITERAL.search(came)) is not None:
                self.read(int(literal[1]))
            news = _NEWS.fullmatch(came) is not None
        self.send(b"DONE\r\n")
        self._end = time.monotonic() + net.PATIENCE
        while not (line := self.readline()).startswith(tag + b" "):
            news = news or _NEWS.fullmatch(line) is not None
        return news


class _BoundedTls(_Bounded, imaplib.IMAP4_SSL):
    """The same over TLS from the first byte on."""


class Line:
    """A connection that is let in.

    Every command goes through ``net.effect``; where one fails, the connection is over.
    """

    def __init__(self, account: Account, secret: Secret | None) -> None:
        """Connect and log in; raise Trouble where that cannot be done."""
        if account.security not in (TLS, STARTTLS) and not is_near(account.host):
            raise trouble("office.plain-far", host=account.host)
        self.account = account
        self._hidden = [secret.text()] if secret is not None else []
        self.imap = self._step("imap-connect", self._dial)
        try:
            if account.security == STARTTLS:
                if "STARTTLS" not in self._capabilities():
                    raise trouble("imap.no-tls", host=account.host)
                self._step("imap-tls", lambda: self.imap.starttls(ssl_context=net.private()))
            if secret is not None:
                self._log_in(secret)
            self.knows = self._capabilities()
        except BaseException:
            self.cut()
            raise

    def _dial(self) -> _Bounded:
        account = self.account
        if account.security == TLS:
            return _BoundedTls(account.host, account.port, ssl_context=net.private(), timeout=net.PATIENCE)
        return _Bounded(account.host, account.port, timeout=net.PATIENCE)

    def _step(self, kind: str, act: Callable[[], T]) -> T:
        """Do one thing at the server; raise Trouble where it fails."""
        try:
            return effect(kind, self.account.host, act)
        except Trouble:
            raise
        # imaplib takes apart what a server says with little care: a bad one makes it raise almost anything.
        except Exception as error:
            self.cut()
            raise self._broken(error) from None
        except BaseException:
            self.cut()
            raise

    def _broken(self, error: Exception) -> Trouble:
        said = net.why(error, self._hidden)
        return Trouble(Problem("imap.unreachable", {"host": self.account.host, "said": said}))

    def _capabilities(self) -> frozenset[str]:
        """Ask what the server can do: it may say something else before TLS and before the login."""
        said = self.ask("capability")[1]
        words = (
            b" ".join(part for part in said if isinstance(part, bytes))
            .decode("ascii", "replace")
            .upper()
            .split()
        )
        # starttls and the logins of imaplib look here.
        self.imap.capabilities = tuple(words)
        return frozenset(words)

    def _log_in(self, secret: Secret) -> None:
        offered, user, text = self._capabilities(), self.account.user, secret.text()
        token = f"\1auth=Bearer {text}\1\1"
        first = {
            "OAUTHBEARER": f"n,a={user},\1host={self.account.host}\1port={self.account.port}{token}",
            "XOAUTH2": f"user={user}{token}",
            "PLAIN": f"\0{user}\0{text}",
        }
        ways = ("XOAUTH2", "OAUTHBEARER") if secret.is_token else ("PLAIN",)
        way = next((way for way in ways if f"AUTH={way}" in offered), "")
        plainly = not way and not secret.is_token and "LOGINDISABLED" not in offered and text.isascii()
        if not way and not plainly:
            raise trouble("imap.no-login", host=self.account.host)

        def answers() -> Callable[[bytes], bytes]:
            # The first question is answered with who we are; a second one says what is wrong, and is answered
            # with nothing.
            coming = [first[way].encode()]
            return lambda question: coming.pop() if coming else (b"\1" if way == "OAUTHBEARER" else b"")

        def log_in() -> Any:
            self.imap.begin()
            return self.imap.authenticate(way, answers()) if way else self.imap.login(user, text)

        try:
            effect("imap-login", self.account.host, log_in)
        except imaplib.IMAP4.abort as error:
            raise self._broken(error) from None
        except imaplib.IMAP4.error as error:
            said = net.said(
                _unwrapped(error), [text, base64.b64encode(first.get(way, text).encode()).decode()]
            )
            raise trouble("imap.login", host=self.account.host, user=user, said=said) from None
        except (OSError, ValueError, LookupError, TypeError) as error:
            raise self._broken(error) from None

    def ask(self, command: str, *words: str) -> tuple[str, list[Any]]:
        """Give a command, such as ``capability`` or ``uid``; return OK, NO or BAD, and what was said."""

        def act() -> tuple[str, list[Any]]:
            self.imap.begin()
            try:
                code, said = getattr(self.imap, command)(*words)
            except imaplib.IMAP4.abort:
                raise
            except imaplib.IMAP4.error as error:
                return "BAD", [_unwrapped(error).encode()]
            return str(code), list(said)

        return self._step(f"imap-{command if command != 'uid' else words[0].lower()}", act)

    def open_folder(self, folder: str, *, change: bool) -> int:
        """Open a folder, only to look unless ``change``; return its UIDVALIDITY, or 0 where its numbers are
        not to be relied on.
        """

        def act() -> tuple[str, list[Any]]:
            self.imap.begin()
            try:
                code, said = self.imap.select(quoted(folder), readonly=not change)
            except imaplib.IMAP4.abort:
                raise
            except imaplib.IMAP4.error as error:
                return "BAD", [_unwrapped(error).encode()]
            return str(code), list(said)

        code, said = self._step("imap-select" if change else "imap-examine", act)
        if code != "OK":
            raise trouble("imap.folder", host=self.account.host, folder=folder, said=self.said(said))
        found = self.imap.untagged_responses.get("UIDVALIDITY", [b""])[-1]
        unstable = "UIDNOTSTICKY" in self.imap.untagged_responses
        self.imap.untagged_responses.clear()
        return int(found) if isinstance(found, bytes) and found.isdigit() and not unstable else 0

    def news(self) -> bool:
        """Tell whether the server spoke of letters since the folder was opened, and forget it."""
        there = "EXISTS" in self.imap.untagged_responses
        self.imap.untagged_responses.clear()
        return there

    def idle(self, seconds: float) -> bool | None:
        """Wait for news; None where the server knows no such waiting."""
        return self._step("imap-idle", lambda: self.imap.idle_for(seconds))

    def said(self, words: object) -> str:
        """Return what the server said, to be shown."""
        parts = words if isinstance(words, list) else [words]
        return net.said(
            " ".join(part.decode("utf-8", "replace") for part in parts if isinstance(part, bytes)),
            self._hidden,
        )

    def close(self) -> None:
        """Say goodbye."""
        try:
            with suppress(Exception):
                self.imap.begin()
                effect("imap-logout", self.account.host, self.imap.logout)
        finally:
            self.cut()

    def cut(self) -> None:
        """Hang up."""
        with suppress(AttributeError, OSError):
            self.imap.shutdown()


def _unwrapped(error: Exception) -> str:
    """Return the words of a server without what imaplib puts around them."""
    words = str(
        error.args[0].decode("utf-8", "replace") if error.args and isinstance(error.args[0], bytes) else error
    )
    found = re.fullmatch(r"\w+ command error: \w+ \[b['\"](.*)['\"]\]", words, re.DOTALL)
    return found[1] if found else words


def quoted(folder: str) -> str:
    """Return the name of a folder as a server wants it: in quotes, letters outside ASCII in modified UTF-7
    (RFC 3501, 5.1.3).
    """

    def coded(found: re.Match[str]) -> str:
        data = base64.b64encode(found[0].encode("utf-16-be")).decode().rstrip("=").replace("/", ",")
        return f"&{data}-"

    plain = re.sub(r"[^\x20-\x7e]+", coded, folder.replace("&", "&-"))
    return '"' + plain.replace("\\", "\\\\").replace('"', '\\"') + '"'
