"""Letters that are to go out, and what became of each: kept as files, so that none is sent twice and none
forgotten.

``post/out`` holds letters that wait, ``post/sent`` and ``post/failed`` the others: plain ``.eml`` files,
which a mail program opens and an umpire may send by hand. What counts stands in ``post/envelopes``: one small
file for each letter there ever was, by its name (key).

Right before a server is told that a letter is complete, its envelope says so; after its answer it says what
became of it. A program that ends in between leaves a letter in doubt: it may be there or not. Such a letter
is held; nobody but the umpire sends it again. Decides what follows when, by the time that it is given; how a
server is spoken to stands in ``smtp``.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

from msgspec import Struct, field, to_builtins
from msgspec.structs import replace

from pbem.core.regex import regex
from pbem.store import disk
from pbem.store.spool import iso
from pbem.text.codec import from_json

OUT, SENT, FAILED, HELD = "out", "sent", "failed", "held"
WAITS: Final = (1, 5, 15, 60, 240)
"""Minutes until a letter is tried again that a server would not take now; the last of them from then on."""
RESTS: Final = 60
"""Minutes at most until a server is asked again that was not there."""
GIVES_UP: Final = timedelta(days=5)
_KEY: Final = regex(r"[A-Za-z0-9][A-Za-z0-9._@+-]{0,150}")
_ADDRESS: Final = regex(r"[^\s<>\"(),:;\\\x00-\x20\x7f]{1,250}")
_ID: Final = regex(rb"^Message-ID:[ \t\r\n]*(<[\x21-\x7e]{1,250}>)", re.IGNORECASE | re.MULTILINE)
_HEAD: Final = 65_536


class Envelope(Struct, frozen=True):
    """Who a letter is from and for, and how far it is: each recipient is in ``left``, in ``sent`` or in
    ``failed`` (with why).

    ``doubt`` are those of ``left`` to whom it was being sent when the program or the server fell silent.
    ``tries`` counts the times in vain, the first at ``since``, the next at ``next``; ``said`` is what the
    server said last. An empty ``sender`` is the null sender.
    """

    key: str
    sender: str
    left: tuple[str, ...]
    id: str = ""
    sent: tuple[str, ...] = ()
    failed: Mapping[str, str] = field(default_factory=dict)
    doubt: tuple[str, ...] = ()
    tries: int = 0
    since: str = ""
    next: str = ""
    said: str = ""

    @property
    def state(self) -> str:
        """Return where a letter stands: out, held, sent, or failed (for one of its recipients at least)."""
        if self.doubt:
            return HELD
        if self.left:
            return OUT
        return FAILED if self.failed else SENT

    def sending(self, to: Iterable[str]) -> Envelope:
        """Return the envelope of a letter of which nobody knows from now on whether these have it."""
        return replace(self, doubt=tuple(to))

    def gone(self) -> Envelope:
        """Return the envelope of a letter that was taken for those it was in doubt for."""
        left = tuple(one for one in self.left if one not in self.doubt)
        return replace(self, left=left, sent=(*self.sent, *self.doubt), doubt=())

    def refused(self, to: Iterable[str], said: str) -> Envelope:
        """Return the envelope of a letter that is never taken for some."""
        given = tuple(to)
        left = tuple(one for one in self.left if one not in given)
        return replace(
            self, left=left, failed={**self.failed, **dict.fromkeys(given, said)}, doubt=(), said=said
        )

    def later(self, now: datetime, said: str) -> Envelope:
        """Return the envelope of a letter that was not taken now: when it is tried again, or that it is given
        up.
        """
        since = datetime.fromisoformat(self.since) if self.since else now
        tries = self.tries + 1
        if now - since >= GIVES_UP:
            return replace(self.refused(self.left, said), tries=tries)
        wait = timedelta(minutes=WAITS[min(tries, len(WAITS)) - 1])
        return replace(self, doubt=(), tries=tries, since=iso(since), next=iso(now + wait), said=said)

    def anew(self) -> Envelope:
        """Return the envelope of a letter that is sent again to all who may not have it."""
        left = (*self.left, *(one for one in self.failed if one not in self.left))
        return replace(self, left=left, failed={}, doubt=(), tries=0, since="", next="")


class Outbox:
    """The letters to send in one folder, such as ``DIR/post``. The caller holds the office alone."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._keys: set[str] | None = None
        self._read: dict[str, Envelope] = {}
        """Envelopes of what lay in ``out`` as it was listed; nobody else writes while the office is held."""

    # --- asking

    def knows(self, key: str) -> bool:
        """Tell whether there ever was a letter of this name."""
        return key in self._known()

    def keys(self, begin: str = "", end: str = "") -> tuple[str, ...]:
        """Return the names of all letters there ever were that begin and end so, sorted."""
        return tuple(sorted(key for key in self._known() if key.startswith(begin) and key.endswith(end)))

    def envelope(self, key: str) -> Envelope | None:
        """Return the envelope of a letter, or None where there is no such letter."""
        if not _KEY.fullmatch(key):
            return None
        try:
            said = from_json((self.folder / "envelopes" / f"{key}.json").read_text("utf-8"))
            return _envelope(key, said)
        except (OSError, ValueError, AttributeError, KeyError, TypeError):
            return None

    def letter(self, key: str) -> bytes | None:
        """Return a letter, wherever it lies, or None where it lies nowhere any more."""
        for state in (OUT, SENT, FAILED):
            with suppress(OSError):
                return self._file(state, key).read_bytes()
        return None

    def waiting(self) -> Iterator[Envelope]:
        """Yield what lies in ``out``, also what is in doubt, in the order in which it was queued."""
        for _, key in self._in(OUT):
            envelope = self._read.get(key) or self.envelope(key)
            if envelope is not None and envelope.state in (SENT, FAILED):
                self._place(envelope)  # the program ended before it was put away
            elif envelope is not None:
                self._read[key] = envelope
                yield envelope

    def due(self, now: datetime) -> Iterator[Envelope]:
        """Yield what is to be sent at ``now``."""
        for envelope in self.waiting():
            if envelope.state == OUT and (not envelope.next or datetime.fromisoformat(envelope.next) <= now):
                yield envelope

    def held(self) -> tuple[Envelope, ...]:
        """Return the letters of which nobody knows whether they went out."""
        return tuple(envelope for envelope in self.waiting() if envelope.state == HELD)

    def unread(self) -> tuple[str, ...]:
        """Return the names of the letters in ``out`` whose envelopes cannot be read: they go to nobody. A
        letter that has none does not count yet.
        """
        return tuple(
            key
            for _, key in self._in(OUT)
            if key not in self._read and self.knows(key) and self.envelope(key) is None
        )

    def failed(self) -> Iterator[tuple[Envelope, frozenset[str]]]:
        """Yield the letters that were never taken for some, the newest first, each with those to whom none
        got through since.
        """
        sent: list[tuple[int, str]] | None = None
        for at, key in reversed(self._in(FAILED)):
            envelope = self.envelope(key)
            if envelope is None or envelope.state != FAILED:
                continue
            if sent is None:
                sent = self._in(SENT)
            later: set[str] = set()
            for when, name in sent:
                newer = self.envelope(name) if when > at else None
                later.update(newer.sent if newer is not None else ())
            yield envelope, frozenset(envelope.failed) - later

    def _in(self, state: str) -> list[tuple[int, str]]:
        """Return when each letter of a folder was queued, and its name, sorted."""
        found: list[tuple[int, str]] = []
        with suppress(OSError), os.scandir(self.folder / state) as entries:
            for entry in entries:
                if entry.name.endswith(".eml") and entry.is_file(follow_symlinks=False):
                    found.append(
                        (entry.stat(follow_symlinks=False).st_mtime_ns, entry.name.removesuffix(".eml"))
                    )
        return sorted(found)

    # --- doing

    def queue(self, key: str, data: bytes, sender: str, recipients: Iterable[str]) -> bool:
        """Queue a letter; return False, and do nothing, where there is or ever was one of this name.

        ValueError: no key, no address.
        """
        to = tuple(dict.fromkeys(recipients))
        if not _KEY.fullmatch(key):
            raise ValueError(f"no name for a letter: {key!r}")
        if bad := [
            one
            for one in (*to, *([sender] if sender else []))
            if not _ADDRESS.fullmatch(one) or "@" not in one
        ]:
            raise ValueError(f"no address: {bad[0]!r}")
        if not to:
            raise ValueError("a letter to nobody")
        if self.knows(key):
            return False
        id = _ID.search(
            data[
                : min(
                    _HEAD, *(at for mark in (b"\r\n\r\n", b"\n\n") if (at := data.find(mark)) >= 0), len(data)
                )
            ]
        )
        # The letter first: from the moment it has an envelope it counts.
        disk.replace(self._file(OUT, key), data, private=True)
        self._write(Envelope(key, sender, to, id[1].decode() if id else ""))
        self._known().add(key)
        return True

    def note(self, envelope: Envelope) -> Envelope:
        """Write what became of a letter, and put it where it belongs; return the envelope."""
        self._write(envelope)
        self._place(envelope)
        return envelope

    def settled(self, key: str) -> bool:
        """Take a letter in doubt as sent: its copy was seen. Return False where it was not in doubt."""
        envelope = self.envelope(key)
        if envelope is None or envelope.state != HELD:
            return False
        self.note(envelope.gone())
        return True

    def again(self, key: str) -> bool:
        """Let a letter in doubt, or one that failed, be sent once more.

        Return False where it was neither, or is gone.
        """
        envelope = self.envelope(key)
        if envelope is None or envelope.state not in (HELD, FAILED) or self.letter(key) is None:
            return False
        # Moved first: a letter that lies in out and has failed is put back, one that is to go out and lies
        # elsewhere would be forgotten.
        self._place(envelope.anew())
        self._write(envelope.anew())
        return True

    # --- the way out as a whole

    def resting(self, now: datetime) -> str:
        """Return what the server said because of which nothing is tried before a later time; empty where
        there is no reason to wait.
        """
        try:
            said = from_json((self.folder / "smtp.json").read_text("utf-8"))
            return str(said["said"]) if now < datetime.fromisoformat(said["next"]) else ""
        except (OSError, ValueError, TypeError, KeyError):
            return ""

    def rest(self, now: datetime, said: str) -> None:
        """Note that the server could not be reached or let nobody in, so that it is not
        asked every minute.
        """
        tries = 1
        with suppress(OSError, ValueError, TypeError, KeyError):
            tries = int(from_json((self.folder / "smtp.json").read_text("utf-8"))["tries"]) + 1
        wait = timedelta(minutes=min(WAITS[min(tries, len(WAITS)) - 1], RESTS))
        data = json.dumps({"tries": tries, "next": iso(now + wait), "said": said})
        disk.replace(self.folder / "smtp.json", data.encode() + b"\n", private=True)

    def awake(self) -> None:
        """Note that the server lets us in."""
        if (self.folder / "smtp.json").exists():
            disk.remove(self.folder / "smtp.json")

    # --- files

    def _known(self) -> set[str]:
        if self._keys is None:
            self._keys = set()
            with suppress(OSError), os.scandir(self.folder / "envelopes") as entries:
                self._keys = {
                    entry.name.removesuffix(".json")
                    for entry in entries
                    if entry.name.endswith(".json") and entry.name[0] != "."
                }
        return self._keys

    def _file(self, state: str, key: str) -> Path:
        return self.folder / state / f"{key}.eml"

    def _write(self, envelope: Envelope) -> None:
        said = {
            name: value
            for name, value in to_builtins(envelope).items()
            if name != "key" and (value or name in ("sender", "left"))
        }
        data = json.dumps(said, indent=1, ensure_ascii=False).encode() + b"\n"
        self._read.pop(envelope.key, None)
        disk.replace(self.folder / "envelopes" / f"{envelope.key}.json", data, private=True)

    def _place(self, envelope: Envelope) -> None:
        """Move a letter to where its envelope says that it belongs."""
        state = OUT if envelope.state == HELD else envelope.state
        for other in (OUT, SENT, FAILED):
            if other != state and self._file(other, envelope.key).is_file():
                disk.make_folder(self.folder / state, private=True)
                disk.move(self._file(other, envelope.key), self._file(state, envelope.key))


def _envelope(key: str, said: Mapping[str, Any]) -> Envelope:
    return Envelope(
        key,
        str(said["sender"]),
        tuple(map(str, said["left"])),
        id=str(said.get("id", "")),
        sent=tuple(map(str, said.get("sent", ()))),
        failed={str(to): str(why) for to, why in said.get("failed", {}).items()},
        doubt=tuple(map(str, said.get("doubt", ()))),
        tries=int(said.get("tries", 0)),
        since=str(said.get("since", "")),
        next=str(said.get("next", "")),
        said=str(said.get("said", "")),
    )
