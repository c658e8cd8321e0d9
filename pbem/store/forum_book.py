"""The forum book of a game: which posts were seen, what stood in them when they were seen first, and what
became of each.

``GAME/forum/book.jsonl``, one event a line, only ever written behind what is there. It is not part of the
proof and never packed. What an event means is decided here, whether one is written elsewhere: a post is
*seen* before anything is done about it, with its lines where something is to be done, so that what was read
first is carried out whatever the page says later; *done* when all of it is done. A book that cannot be read
whole is not read at all: what it does not know would be carried out twice.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from msgspec import Struct, field, to_builtins

from pbem.store import disk
from pbem.text.codec import from_json

FOLDER: Final = "forum"
NAME: Final = "book.jsonl"
MOST: Final = 64_000_000
"""Bytes of a book that is read."""


class BadBook(Exception):
    """A book that cannot be read: ``line`` is the first that is not an event."""

    def __init__(self, path: Path, line: int) -> None:
        super().__init__(f"{path}:{line}")
        self.path, self.line = path, line


class Seen(Struct, frozen=True):
    """A post as it was seen first. ``key`` is its name in the book and in what it brought.

    ``text`` is the hash of its text, ``signs`` that of its letters and digits alone, ``orders`` that of what
    would be carried out (empty: nothing). ``form`` is what it was read from: a page, JSON, a feed, a source.
    ``arrived`` is when it counts as having come; empty: before anything that is open now. ``proofs`` are the
    games, slots and heads that it tells in its author's own words. ``lines`` are there where something is to
    be done; ``seat`` and ``relied`` say for whom, and what was relied on for that.
    """

    key: str
    software: str = ""
    topic: str = ""
    id: str = ""
    number: int = 0
    author: str = ""
    author_id: str = ""
    text: str = ""
    signs: str = ""
    orders: str = ""
    form: str = ""
    edited: str = ""
    arrived: str = ""
    at: str = ""
    raw: bool = False
    proofs: tuple[tuple[str, int, str], ...] = ()
    lines: tuple[tuple[str, int, int, int], ...] = ()
    """Text, number, depth of quotation and box of code of each."""
    seat: str = ""
    relied: str = ""
    placed: bool = False
    """Whether the forum did not tell what it calls the post, so that it is known by its
    place and its text.
    """
    shared: bool = False
    """Whether another game is played in its thread too."""


class Done(Struct, frozen=True):
    """What became of a post, for which seat, for which slot (0: none)."""

    key: str
    became: str
    seat: str = ""
    slot: int = 0


class Book(Struct):
    """A book as it was read.

    ``names`` are the names that each seat writes under, ``accounts`` the forum's own name of each of these.
    """

    folder: Path
    seen: dict[str, Seen] = field(default_factory=dict)
    placed: dict[str, Seen] = field(default_factory=dict)
    """Those of them that are known by their places."""
    done: dict[str, Done] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    """A name -> its seat."""
    accounts: dict[str, str] = field(default_factory=dict)
    """A name -> the id of its account, once a page told it."""
    told: set[tuple[str, str, str]] = field(default_factory=set)
    """What was reported already: the kind of thing, of which post or account, in what form."""
    _data: bytes = b""

    def pending(self) -> list[Seen]:
        """Return the posts about which something is still to be done, in the order in which
        they were seen.
        """
        return [one for one in self.seen.values() if one.lines and one.key not in self.done]

    def write(self, events: Iterable[Seen | Done | Mapping[str, str]]) -> None:
        """Write events behind what is there, all of them or none; a mapping is a name, an account, or a thing
        that is reported.
        """
        lines: list[bytes] = []
        for event in events:
            said = (
                {"do": _KINDS[type(event)], **_bare(to_builtins(event))}
                if isinstance(event, Seen | Done)
                else dict(event)
            )
            self.take(said)
            lines.append(
                json.dumps(said, ensure_ascii=False, sort_keys=True).encode("utf-8", "replace") + b"\n"
            )
        if lines:
            self._data += b"".join(lines)
            disk.replace(self.folder / NAME, self._data, private=True)

    def report(self, kind: str, what: str, form: str = "") -> bool:
        """Note that a thing is reported; tell whether it was not before."""
        if (kind, what, form) in self.told:
            return False
        self.write([{"do": "told", "kind": kind, "what": what, "form": form}])
        return True

    def take(self, said: Mapping[str, Any]) -> None:
        """Take an event in; KeyError, TypeError or ValueError where it is none."""
        kind = said["do"]
        inside = {name: value for name, value in said.items() if name != "do"}
        if kind == "seen":
            inside["proofs"] = tuple(
                (str(game), int(slot), str(head)) for game, slot, head in inside.get("proofs", ())
            )
            inside["lines"] = tuple(_line(*one) for one in inside.get("lines", ()))
            one = Seen(**inside)
            self.seen[one.key] = one
            if one.placed:
                self.placed[one.key] = one
            self.done.pop(one.key, None)  # it is heard now, and was not before
        elif kind == "done":
            done = Done(**inside)
            self.done[done.key] = done
        elif kind == "name":
            self.names[inside["name"]] = inside["seat"]
        elif kind == "account":
            self.accounts[inside["name"]] = inside["id"]
        elif kind == "told":
            self.told.add((inside["kind"], inside["what"], inside["form"]))
        else:
            raise ValueError(kind)


def _line(text: str, number: int, quoted: int, box: int = 0) -> tuple[str, int, int, int]:
    return str(text), int(number), int(quoted), int(box)


_KINDS: Final = {Seen: "seen", Done: "done"}


def _bare(event: Mapping[str, Any]) -> dict[str, Any]:
    """Return an event without what is empty."""
    return {name: value for name, value in event.items() if value not in ("", 0, (), False)}


def read(game: Path) -> Book:
    """Return the book of a game; an empty one where there is none. BadBook where it cannot be read."""
    folder = game / FOLDER
    book = Book(folder)
    path = folder / NAME
    try:
        if path.stat().st_size > MOST:
            raise BadBook(path, 0)
        book._data = path.read_bytes()
    except FileNotFoundError:
        return book
    if book._data and not book._data.endswith(b"\n"):
        raise BadBook(path, book._data.count(b"\n") + 1)
    for number, line in enumerate(book._data.split(b"\n")[:-1], 1):
        try:
            book.take(from_json(line))
        except (ValueError, KeyError, TypeError, AttributeError):
            raise BadBook(path, number) from None
    return book


@contextmanager
def alone(game: Path) -> Iterator[Book]:
    """Hold the book of a game alone; raise ``disk.Busy`` while another program has it, BadBook where it
    cannot be read.
    """
    folder = game / FOLDER
    disk.make_folder(folder, private=True)
    with disk.exclusive(folder):
        yield read(game)
