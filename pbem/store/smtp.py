"""Sending what is in the outbox over SMTP: each letter once, whatever happens between any two steps.

Decides in which order a server is told what, and what its answers mean for a letter. When a letter is due,
and that none is sent whose fate is in doubt, is decided in ``outbox``. All of a letter is sent first, then
its envelope says that it is being sent, then comes the line that makes it complete: until then no server
keeps it, after that nobody can be sure before the server has answered.
"""

from __future__ import annotations

import base64
import re
import smtplib
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from typing import Any, Final

from pbem.core.problem import Problem
from pbem.post.offices.office import STARTTLS, TLS, Account, is_near
from pbem.store import net, passwords
from pbem.store.library import common_words
from pbem.store.net import Trouble, effect, trouble
from pbem.store.outbox import HELD, Envelope, Outbox
from pbem.store.passwords import Secret

_LINE: Final = 8_192
_LINES: Final = 200
_LOST: Final = 3
"""So many times in one pass a connection is made anew that a server has cut."""
_NAME: Final = "[127.0.0.1]"
"""What we call ourselves: a name that says nothing of the machine, and needs no name server."""


class _Lost(Exception):
    """The server is gone in the middle of a letter."""


class _Bounded(smtplib.SMTP):
    """A connection whose server cannot talk for ever."""

    file: Any
    sock: Any

    def getreply(self) -> tuple[int, bytes]:
        """Return the answer of the server: its number and its words."""
        if self.file is None:
            self.file = self.sock.makefile("rb")
        words: list[bytes] = []
        while len(words) < _LINES:
            try:
                line = self.file.readline(_LINE + 1)
            except OSError as error:
                self.close()
                raise smtplib.SMTPServerDisconnected(net.why(error)) from None
            found = re.fullmatch(rb"([2-5][0-9]{2})([ -]?)([^\r\n]*)\r?\n", line)
            if found is None:
                break
            words.append(found[3].strip())
            if found[2] != b"-":
                return int(found[1]), b"\n".join(words)
        self.close()
        raise smtplib.SMTPServerDisconnected(
            "it hangs up" if not line else "its answer is not that of a mail server"
        )


class _BoundedTls(_Bounded, smtplib.SMTP_SSL):
    """The same over TLS from the first byte on."""


def deliver(
    box: Outbox, account: Account, own: str, now: datetime, *, again: bool = False, most: int = 1_000
) -> Iterator[Envelope]:
    """Send what is due, one letter after the other, and yield the envelope of each with what became of it.

    ``own`` is the address of the office, for servers that take no letter without a sender. ``again``: letters
    in doubt are sent again. At most ``most`` letters. Trouble where the server cannot be reached or lets
    nobody in: then all letters stay as they are.
    """
    if again:
        for held in box.held():
            box.note(held.later(now, common_words().phrase("outbox.doubt")))
    due = box.due(now)
    waiting = next(due, None)
    if waiting is None:
        return
    if said := box.resting(now):
        raise trouble("smtp.resting", host=account.host, said=said)

    line: _Bounded | None = None
    lost = count = used = 0
    try:
        while waiting is not None and count < most and lost <= _LOST:
            if line is None:
                secret = passwords.find(account.credential) if account.credential is not None else None
                line, used = connect(account, secret), 0
                box.awake()
            try:
                after = _send(line, box, waiting, own, now)
            except _Lost as error:
                line.close()
                line, lost = None, lost + 1
                current = box.envelope(waiting.key) or waiting
                if current.state == HELD:  # it was lost after the last line of the letter
                    after = current
                elif used and lost <= _LOST:
                    # Some servers hang up after so many letters: that is not the fault of this one.
                    continue
                else:
                    after = box.note(waiting.later(now, str(error)))
            yield after
            waiting, count, used = next(due, None), count + 1, used + 1
        if line is not None:
            with suppress(smtplib.SMTPException, OSError):
                effect("smtp-quit", account.host, line.quit)
    except Trouble as failed:
        _rest(box, failed, now)
        raise
    finally:
        if line is not None:
            line.close()


def _rest(box: Outbox, failed: Trouble, now: datetime) -> None:
    """Note that a server is not there or lets nobody in: it is not asked again every minute."""
    problem = failed.problem
    if problem.code.startswith("smtp."):
        said = problem.args.get("said", common_words().problem(problem.code, problem.args))
        box.rest(now, net.said(said))


def connect(account: Account, secret: Secret | None) -> _Bounded:
    """Return a connection to the server of an account, private and let in; raise Trouble
    where there is none.
    """
    if account.security not in (TLS, STARTTLS) and not is_near(account.host):
        raise trouble("office.plain-far", host=account.host)
    hidden = [secret.text()] if secret is not None else []
    line: _Bounded | None = None
    try:
        line = effect("smtp-connect", account.host, lambda: _dial(account))
        effect("smtp-hello", account.host, line.ehlo_or_helo_if_needed)
        if account.security == STARTTLS:
            if not line.has_extn("starttls"):
                raise trouble("smtp.no-tls", host=account.host)
            effect("smtp-tls", account.host, lambda: line.starttls(context=net.private()))
            effect("smtp-hello", account.host, line.ehlo_or_helo_if_needed)
        if account.user and secret is not None:
            _log_in(line, account, secret)
    except BaseException as error:
        if line is not None:
            line.close()
        if isinstance(error, smtplib.SMTPResponseException):
            raise trouble(
                "smtp.unreachable", host=account.host, said=_words(error.smtp_code, error.smtp_error, hidden)
            ) from None
        if isinstance(error, smtplib.SMTPException | OSError | ValueError):
            raise trouble("smtp.unreachable", host=account.host, said=net.why(error, hidden)) from None
        raise
    return line


def _dial(account: Account) -> _Bounded:
    if account.security == TLS:
        return _BoundedTls(account.host, account.port, _NAME, timeout=net.PATIENCE, context=net.private())
    return _Bounded(account.host, account.port, _NAME, timeout=net.PATIENCE)


def _log_in(line: _Bounded, account: Account, secret: Secret) -> None:
    """Say who we are, by a token or a password; raise Trouble where the server does not believe it, or knows
    no such way.
    """
    offered = str(line.esmtp_features.get("auth", "")).upper().split()

    def ask(words: str) -> tuple[int, bytes]:
        return effect("smtp-auth", account.host, lambda: line.docmd(words))

    def coded(text: str) -> str:
        return base64.b64encode(text.encode()).decode()

    user, text = account.user, secret.text()
    if secret.is_token and "XOAUTH2" in offered:
        code, words = ask(f"AUTH XOAUTH2 {coded(f'user={user}{chr(1)}auth=Bearer {text}{chr(1)}{chr(1)}')}")
        if code == 334:  # what is wrong comes as a question, to be answered with nothing
            code, words = ask("")
    elif secret.is_token and "OAUTHBEARER" in offered:
        where = f"host={account.host}{chr(1)}port={account.port}"
        code, words = ask(
            "AUTH OAUTHBEARER "
            f"{coded(f'n,a={user},{chr(1)}{where}{chr(1)}auth=Bearer {text}{chr(1)}{chr(1)}')}"
        )
        if code == 334:
            code, words = ask("AQ==")
    elif not secret.is_token and "PLAIN" in offered:
        code, words = ask(f"AUTH PLAIN {coded(f'{chr(0)}{user}{chr(0)}{text}')}")
    elif not secret.is_token and "LOGIN" in offered:
        code, words = ask("AUTH LOGIN")
        for part in (user, text):
            if code == 334:
                code, words = ask(coded(part))
    else:
        raise trouble("smtp.no-login", host=account.host)
    if code != 235:
        raise trouble("smtp.login", host=account.host, user=user, said=_words(code, words, [text]))


def _words(code: int, words: object, hidden: list[str] | tuple[str, ...] = ()) -> str:
    return f"{code} {net.said(words, hidden)}".strip()


def _ask(line: _Bounded, envelope: Envelope, kind: str, words: str) -> tuple[int, bytes]:
    """Send one command; return the server's answer. _Lost where it is gone, or says that it goes."""
    try:
        code, answer = effect(f"smtp-{kind}", envelope.key, lambda: line.docmd(words))
    except (smtplib.SMTPException, OSError) as error:
        raise _Lost(net.why(error)) from None
    if code == 421:
        raise _Lost(_words(code, answer))
    return code, answer


def _send(line: _Bounded, box: Outbox, envelope: Envelope, own: str, now: datetime) -> Envelope:
    """Send one letter; return its envelope with what became of it, already written. _Lost where the server is
    gone.
    """

    def finished(envelope: Envelope) -> Envelope:
        box.note(envelope)
        with suppress(_Lost):  # whoever comes next finds that out
            _ask(line, envelope, "reset", "RSET")
        return envelope

    data = box.letter(envelope.key)
    if data is None:
        return box.note(envelope.refused(envelope.left, common_words().phrase("outbox.gone")))
    data = _lines(data)
    foreign = [to for to in envelope.left if not to.isascii()]
    if foreign:
        envelope = envelope.refused(foreign, common_words().phrase("outbox.foreign"))

    code, words = _from(line, envelope, own, data)
    if code >= 300:
        said = _words(code, words)
        return finished(envelope.refused(envelope.left, said) if code >= 500 else envelope.later(now, said))

    envelope, accepted, not_now = _to(line, envelope)
    if accepted:
        envelope, refusal = _data(line, box, envelope, accepted, data)
        not_now = refusal or not_now
    return finished(envelope.later(now, not_now) if envelope.left else envelope)


def _from(line: _Bounded, envelope: Envelope, own: str, data: bytes) -> tuple[int, bytes]:
    """Say whose a letter is; return the server's answer. Trouble where it takes none of that sender."""
    options = f" SIZE={len(data)}" if line.has_extn("size") else ""
    if not data.isascii() and line.has_extn("8bitmime"):
        options += " BODY=8BITMIME"
    code, words = _ask(line, envelope, "mail", f"MAIL FROM:<{envelope.sender}>{options}")
    if code >= 500 and not envelope.sender:
        # Not every provider takes a letter from nobody; what says that it was written by a program stands in
        # the letter too.
        code, words = _ask(line, envelope, "mail", f"MAIL FROM:<{own}>{options}")
    if code >= 500 and code != 552:
        raise Trouble(
            Problem("smtp.sender", {"address": envelope.sender or own, "said": _words(code, words)})
        )
    return code, words


def _to(line: _Bounded, envelope: Envelope) -> tuple[Envelope, list[str], str]:
    """Say whom a letter is for; return its envelope, who can have it now, and why others cannot."""
    accepted, not_now = [], ""
    for to in envelope.left:
        code, words = _ask(line, envelope, "rcpt", f"RCPT TO:<{to}>")
        if code >= 500:
            envelope = envelope.refused([to], _words(code, words))
        elif code >= 300:
            not_now = _words(code, words)
        else:
            accepted.append(to)
    return envelope, accepted, not_now


def _data(
    line: _Bounded, box: Outbox, envelope: Envelope, accepted: list[str], data: bytes
) -> tuple[Envelope, str]:
    """Hand a letter over; return its envelope, and why it cannot be had now, or nothing."""
    code, words = _ask(line, envelope, "data", "DATA")
    if code == 354:
        envelope, code, words = _content(line, box, envelope.sending(accepted), data)
    elif code < 400:
        raise _Lost(_words(code, words))
    if code >= 500:
        return envelope.refused(accepted, _words(code, words)), ""
    if code >= 300:
        return envelope, _words(code, words)
    return envelope.gone(), ""


def _content(line: _Bounded, box: Outbox, envelope: Envelope, data: bytes) -> tuple[Envelope, int, bytes]:
    """Send a letter itself; return its envelope, without the mark that it is being sent, and the server's
    answer.
    """
    try:
        effect("smtp-content", envelope.key, lambda: line.send(data))
        box.note(envelope)
        effect("smtp-end", envelope.key, lambda: line.send(b".\r\n"))
        code, words = effect("smtp-answer", envelope.key, line.getreply)
    except (smtplib.SMTPException, OSError) as error:
        raise _Lost(net.why(error)) from None
    return envelope, code, words


def _lines(data: bytes) -> bytes:
    """Return a letter as it travels: lines end with CR LF, and one that begins with a dot has one more (RFC
    5321, 4.5.2).
    """
    data = re.sub(rb"\r\n|\r|\n", b"\r\n", data)
    data = re.sub(rb"(?m)^\.", b"..", data)
    return data if data.endswith(b"\r\n") else data + b"\r\n"
