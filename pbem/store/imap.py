"""Fetching letters over IMAP into the postbag: each once, none lost, and nothing changed at the server before
its effect is stored.

Decides which letters of a folder are new, in which order and portions they come, and what is noted in
between.

Theory of operation. The obvious way is to ask for letters that are not seen, and to mark what was fetched. It
does not hold: the mailbox is a person's, who reads letters on a telephone and marks them by that, and what is
marked before it is worked off is lost if the program dies in between. So nothing is asked of the server's
flags. Each folder numbers its letters upwards (UID), for as long as its UIDVALIDITY stays, and
``post/imap.json`` is our book of it: the last number seen, the numbers up to it that are still wanted, and
those to be marked or moved once they are finished. Where UIDVALIDITY is another one, numbers mean other
letters, and everything is looked at anew; it costs time and brings nothing twice, for the postbag knows
letters by their bytes.

The order is: letters are kept, then the book is written (``_portion``, ``_note``); an answer is queued, then
the letter is finished, then it is marked (``settle``). Whatever is cut short between two of these is done
again, and nothing is left out; tests kill the program before each step.

One bad letter must not stop the others. A portion that does not come whole is asked for letter by letter,
what failed is noted as wanted and comes alone next time, after two failures behind all others
(``_STUBBORN``), and after a day nobody is kept waiting for it (``_HOPELESS``). Of a letter that is too long
only the beginning is fetched, and one that failed is tried with a bound of size. Until everything that lay
there is here or given up (``whole``), nobody's deadline is over.

Nothing is deleted at the server of which it has no copy: where it cannot MOVE, letters are copied first, and
expunged by their own numbers, which needs UIDPLUS; a server with neither is left as it is, and the umpire
told.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from datetime import datetime, timedelta, timezone
from pathlib import Path
from types import TracebackType
from typing import Any, Final

from msgspec import Struct, field

from pbem.core.problem import Problem
from pbem.core.regex import regex
from pbem.post.offices.office import KEEP, MOVE, SEEN, Account
from pbem.store import disk, net, passwords
from pbem.store.imapline import Line, quoted
from pbem.store.net import Trouble, trouble
from pbem.store.passwords import Secret
from pbem.store.postbag import BEGINNING, Postbag, identify
from pbem.store.spool import MONTHS, MOST, iso
from pbem.text.codec import from_json

POLL: Final = 60.0
"""Seconds between two questions where the server does not tell by itself."""
_IDLE: Final = 25 * 60.0
"""Seconds after which waiting begins anew: after 29 minutes a server may hang up (RFC 2177)."""
_LISTED, _LETTERS, _BYTES = 200, 50, 2 * 1024 * 1024
"""How many letters are listed, and how many and how much of them fetched, at once."""
_STUBBORN: Final = 2
"""A letter that failed so often comes after all others, so that it stops none."""
_HOPELESS: Final = timedelta(days=1)
"""A letter that could not be fetched for so long is not waited for."""
_DATE: Final = regex(
    rb"([ 0-3][0-9])-([A-Za-z]{3})-([0-9]{4}) ([0-9]{2}):([0-9]{2}):([0-9]{2}) ([+-])([0-9]{2})([0-9]{2})"
)


class Fetched(Struct, frozen=True):
    """What a fetch brought: how many letters that are new, how many that were known, and what went wrong, if
    anything.

    ``whole``: everything that lay there when the fetch began is kept, but for letters that could not be
    fetched for a day.
    """

    new: int = 0
    known: int = 0
    problems: tuple[Problem, ...] = ()
    whole: bool = True


class _Page(Struct):
    """The book of one folder.

    ``wanted``: how often, and since when, a letter was not fetched. ``after``: ids of those to be marked.
    """

    validity: int = 0
    last: int = 0
    wanted: dict[int, tuple[int, str]] = field(default_factory=dict)
    after: dict[int, str] = field(default_factory=dict)


class _Listed(Struct, frozen=True):
    """A letter at the server: its number, its size, when it arrived there."""

    uid: int
    size: int
    arrived: str


class Book:
    """What is noted of the folders that letters come from."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "imap.json"

    def page(self, account: Account) -> _Page:
        """Return what is noted of a folder; an empty page where that is nothing, or nothing
        that can be read.
        """
        try:
            said = self._all()[_name(account)]
            wanted = {
                int(uid): (int(times), iso(datetime.fromisoformat(since)))
                for uid, (times, since) in said["wanted"].items()
            }
            return _Page(
                int(said["validity"]),
                int(said["last"]),
                wanted,
                {int(uid): str(id) for uid, id in said["after"].items()},
            )
        except (ValueError, KeyError, TypeError, AttributeError):
            return _Page()

    def write(self, account: Account, page: _Page) -> None:
        """Note something of a folder."""
        said = {"validity": page.validity, "last": page.last, "wanted": page.wanted, "after": page.after}
        data = json.dumps({**self._all(), _name(account): said}, indent=1, sort_keys=True)
        disk.replace(self._path, data.encode() + b"\n", private=True)

    def _all(self) -> dict[str, Any]:
        with suppress(OSError, ValueError):
            found = from_json(self._path.read_text("utf-8"))
            if isinstance(found, dict):
                return found
        return {}


def _name(account: Account) -> str:
    return f"{account.user}@{account.host}:{account.port}/{account.folder}"


class Mailbox:
    """A mailbox that is open, for one fetch or for a whole watch; in ``with``, so that it is closed.

    Trouble where it cannot be opened.
    """

    def __init__(self, account: Account, secret: Secret | None = None) -> None:
        if secret is None and account.credential is not None:
            secret = passwords.find(account.credential)
        self.account = account
        self._last = 0
        self._line = Line(account, secret)

    def __enter__(self) -> Mailbox:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            self._line.close()
        else:
            self._line.cut()

    # --- fetching

    def fetch(self, bag: Postbag, folder: Path, now: str) -> Fetched:
        """Keep every letter of the folder that is new; what was kept stays kept, whatever happens.

        ``folder`` is where the book lies, ``now`` the time that counts for a letter whose arrival the server
        does not tell. Problems say what could not be fetched; the next fetch tries again.
        """
        book, count = Book(folder), _Count()
        problems: list[Problem] = []
        page, patience = _Page(), False
        try:
            page, new = self._opened(book)
            patient = sorted([*new, *(uid for uid, (times, _) in page.wanted.items() if times < _STUBBORN)])
            stubborn = sorted(set(page.wanted) - set(patient))
            for portion in self._portions(page, patient):
                problems += self._portion(bag, book, page, portion, now, count)
            patience = True
            for portion in self._portions(page, stubborn):
                problems += self._portion(bag, book, page, portion, now, count)
        except Trouble as error:
            problems.append(error.problem)
        long_ago = datetime.fromisoformat(now) - _HOPELESS
        whole = patience and all(
            datetime.fromisoformat(since) <= long_ago for _, since in page.wanted.values()
        )
        return Fetched(count.new, count.known, tuple(problems), whole)

    def _opened(self, book: Book) -> tuple[_Page, list[int]]:
        """Open the folder to look only; return its page, an empty one where its numbers are others now, and
        the numbers of new letters.
        """
        validity = self._line.open_folder(self.account.folder, change=False)
        page = book.page(self.account)
        if validity == 0 or page.validity != validity:
            page = _Page(validity)
        new = self._numbers(page.last)
        self._last = max([page.last, *new])
        return page, new

    def _numbers(self, last: int) -> list[int]:
        """Return the numbers of the letters above one; a server names the last of all even
        if that is below.
        """
        code, said = self._line.ask("uid", "SEARCH", "UID", f"{last + 1}:*")
        if code != "OK":
            raise trouble("imap.refused", host=self.account.host, said=self._line.said(said))
        words = [word for part in said if isinstance(part, bytes) for word in part.split()]
        return sorted(
            {int(word) for word in words if word.isdigit() and len(word) <= 10 and int(word) > last}
        )

    def _portions(self, page: _Page, numbers: list[int]) -> Iterator[list[_Listed]]:
        """Yield letters in portions, in the order of their numbers: alone what failed before and what is too
        long.
        """
        for begin in range(0, len(numbers), _LISTED):
            portion: list[_Listed] = []
            for one in self._listed(page, numbers[begin : begin + _LISTED]):
                alone = one.uid in page.wanted or one.size > MOST
                full = len(portion) >= _LETTERS or sum(other.size for other in portion) + one.size > _BYTES
                if portion and (alone or full):
                    yield portion
                    portion = []
                portion.append(one)
                if alone:
                    yield portion
                    portion = []
            if portion:
                yield portion

    def _listed(self, page: _Page, numbers: list[int]) -> list[_Listed]:
        """Return size and arrival of letters; one that is not there any more is not wanted any more."""
        code, said = self._line.ask(
            "uid", "FETCH", ",".join(map(str, numbers)), "(UID RFC822.SIZE INTERNALDATE)"
        )
        if code != "OK":
            raise trouble("imap.refused", host=self.account.host, said=self._line.said(said))
        found = {}
        for part in said:
            text = part[0] + part[1] if isinstance(part, tuple) else part
            uid = _uid(text) if isinstance(text, bytes) else 0
            if uid:
                size = re.search(rb"\bRFC822\.SIZE ([0-9]{1,18})\b", text)
                found[uid] = _Listed(uid, int(size[1]) if size else 0, _arrived(text))
        for number in numbers:
            if number not in found:
                page.wanted.pop(number, None)
        return [found[number] for number in numbers if number in found]

    def _portion(
        self, bag: Postbag, book: Book, page: _Page, portion: list[_Listed], now: str, count: _Count
    ) -> list[Problem]:
        """Fetch a portion and keep it; what cannot be fetched stays wanted.

        Trouble where the server is gone.
        """
        tried = portion[0].uid in page.wanted
        part = f"<0.{BEGINNING}>" if portion[0].size > MOST else f"<0.{MOST + 1}>" if tried else ""
        try:
            code, said = self._line.ask(
                "uid", "FETCH", ",".join(str(one.uid) for one in portion), f"(UID BODY.PEEK[]{part})"
            )
        except Trouble:
            self._note(book, page, portion, portion, now)
            raise

        bodies = dict(_bodies(said)) if code == "OK" else {}
        missing = []
        for one in portion:
            raw = bodies.get(one.uid)
            if raw is None:
                missing.append(one)
                continue
            count.add(bag.knows(identify(raw)))
            source = f"{_name(self.account)} {page.validity}.{one.uid}"
            id = bag.keep(raw, one.arrived or now, source, size=one.size if one.size > MOST else 0)
            page.wanted.pop(one.uid, None)
            if self.account.after != KEEP:
                page.after[one.uid] = id

        self._note(book, page, portion, missing, now)
        answer = self._line.said(said) if code != "OK" else ""
        if missing and len(portion) > 1:
            # One of them is bad; the others still have to come at once.
            problems = [
                problem for one in missing for problem in self._portion(bag, book, page, [one], now, count)
            ]
            refused = Problem("imap.refused", {"host": self.account.host, "said": answer})
            return problems if len(problems) < len(portion) else [refused]

        return [
            Problem("imap.letter", {"host": self.account.host, "number": one.uid, "said": answer})
            for one in missing
        ]

    def _note(
        self, book: Book, page: _Page, portion: Iterable[_Listed], missing: Iterable[_Listed], now: str
    ) -> None:
        """Note how far we are, and which letters could not be fetched this time."""
        page.last = max([page.last, *(one.uid for one in portion)])
        for one in missing:
            times, since = page.wanted.get(one.uid, (0, now))
            page.wanted[one.uid] = (times + 1, since)
        book.write(self.account, page)

    # --- afterwards

    def settle(self, bag: Postbag, folder: Path) -> int:
        """Mark as seen, or move, the letters that are finished in the postbag; return how many.

        Trouble where that cannot be done.
        """
        book = Book(folder)
        page = book.page(self.account)
        after = self.account.after
        numbers = sorted(uid for uid, id in page.after.items() if bag.is_done(id))
        if after == KEEP or not numbers:
            return 0
        if page.validity == 0 or self._line.open_folder(self.account.folder, change=True) != page.validity:
            return 0
        for begin in range(0, len(numbers), _LISTED):
            some = numbers[begin : begin + _LISTED]
            listed = ",".join(map(str, some))
            if after == SEEN:
                self._must("STORE", listed, "+FLAGS.SILENT", r"(\Seen)")
            else:
                self._move(listed, after.removeprefix(MOVE))
            for uid in some:
                del page.after[uid]
            book.write(self.account, page)
        return len(numbers)

    def _move(self, listed: str, to: str) -> None:
        """Move letters; nothing is ever deleted of which there is no copy in the other folder."""
        knows = self._line.knows
        if "MOVE" not in knows and "UIDPLUS" not in knows:
            raise trouble("imap.no-move", host=self.account.host)
        command = "MOVE" if "MOVE" in knows else "COPY"
        code, said = self._line.ask("uid", command, listed, quoted(to))
        if code == "NO" and "TRYCREATE" in self._line.said(said).upper():
            self._line.ask("create", quoted(to))
            code, said = self._line.ask("uid", command, listed, quoted(to))
        if code != "OK":
            raise trouble("imap.refused", host=self.account.host, said=self._line.said(said))
        if command == "COPY":
            self._must("STORE", listed, "+FLAGS.SILENT", r"(\Deleted)")
            self._must("EXPUNGE", listed)

    def _must(self, *words: str) -> None:
        code, said = self._line.ask("uid", *words)
        if code != "OK":
            raise trouble("imap.refused", host=self.account.host, said=self._line.said(said))

    # --- waiting

    def wait(self, seconds: float, sleep: Callable[[float], object] = time.sleep) -> bool:
        """Wait until there may be a new letter, at most so long; tell whether there may be one.

        Trouble where the server is gone.
        """
        end = time.monotonic() + seconds
        self._line.open_folder(self.account.folder, change=False)
        if self._numbers(self._last):
            return True
        idles = "IDLE" in self._line.knows
        while (left := end - time.monotonic()) > 0:
            news = self._line.idle(min(left, _IDLE)) if idles else None
            if news is None:
                idles = False
                net.effect("imap-sleep", self.account.host, lambda: sleep(min(end - time.monotonic(), POLL)))
                self._line.ask("noop")
                news = False
            if news or self._line.news():
                return True
        return False


class _Count:
    """How many letters a fetch brought."""

    def __init__(self) -> None:
        self.new = self.known = 0

    def add(self, known: bool) -> None:
        self.known += known
        self.new += not known


def _arrived(text: bytes) -> str:
    """Return when a letter came to the server (INTERNALDATE), or nothing where it does not say."""
    found = re.search(rb"\bINTERNALDATE \"?" + _DATE.pattern, text)
    if found is None:
        return ""
    day, month, year, hour, minute, second, sign, hours, minutes = (part.decode() for part in found.groups())
    away = timedelta(hours=int(hours), minutes=int(minutes)) * (-1 if sign == "-" else 1)
    with suppress(ValueError, OverflowError):
        number = MONTHS.index(month.capitalize()) + 1
        return iso(
            datetime(int(year), number, int(day), int(hour), int(minute), int(second), tzinfo=timezone(away))
        )
    return ""


def _bodies(said: list[Any]) -> Iterator[tuple[int, bytes]]:
    """Yield number and bytes of each letter in the answer to a FETCH: the number may stand before the letter
    or behind it.
    """
    for at, part in enumerate(said):
        body: bytes | None = None
        if isinstance(part, tuple) and re.search(rb"BODY\[\](?:<0>)? ?\{", part[0]):
            head, body = part[0], part[1]
            behind = said[at + 1] if at + 1 < len(said) and isinstance(said[at + 1], bytes) else b""
        elif isinstance(part, bytes) and re.search(rb"BODY\[\](?:<0>)? (?:NIL|\"\")", part):
            head, body, behind = part, b"", b""
        if body is None:
            continue
        if uid := _uid(head) or _uid(behind):
            yield uid, body


def _uid(text: bytes) -> int:
    found = re.search(rb"\bUID ([1-9][0-9]{0,9})\b", text)
    return int(found[1]) if found else 0
