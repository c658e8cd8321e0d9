"""Reading the ledger of a game in a folder: whole, or on from where an earlier reading came to.

What a reading came to is kept on the user's shelf (``store.shelf``), never in the folder of the game, so that
no folder from elsewhere brings any along. It is taken up where every file that it was read from is as it was
(``store.watching``) and the program is the same; else it is dropped, and nothing is said. Order files that
are locked and not published yet are read where they lie, among the letters.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct, json

import pbem
from pbem.core.problem import Problem
from pbem.proof import snapshot
from pbem.proof.archive import Archive, content, orders_path, sig_path
from pbem.proof.canonical import record_id
from pbem.proof.history import Ledger
from pbem.proof.inside import is_record
from pbem.referee.game.refusal import Refused
from pbem.store import shelf
from pbem.store.gamedir import GameDir
from pbem.store.watching import Changed, Watch, found_again

if TYPE_CHECKING:
    from pbem.store.received import Letter

FORMAT: Final = 2
LEDGER: Final = "ledger"
EVERY: Final = 4
"""So many records are read anew before what the reading came to is kept again."""
_READS: Final = ("proof", "core", "store")
"""The folders of the modules on which a reading depends."""


class Overlay:
    """An archive with some more files in it: order files that are locked and not published yet."""

    def __init__(self, below: Archive, files: Mapping[str, bytes]) -> None:
        self._below = below
        self._files = files

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names."""
        yield from self._below
        yield from (path for path in self._files if path not in self._below)

    def __contains__(self, path: object) -> bool:
        """Tell whether there is such a file."""
        return path in self._files or path in self._below

    def __getitem__(self, path: str) -> bytes:
        """Return the bytes of a file; KeyError if there is none."""
        return self._files[path] if path in self._files else self._below[path]


class Reading(Struct):
    """A ledger as far as it was read in a folder, what was read for it, and how much of it is kept."""

    folder: GameDir
    watch: Watch
    ledger: Ledger
    kept: int = 0
    """So many of its records are in what is kept on the shelf."""
    since: list[str] | None = None
    """The names of the records that were written since, where somebody has just listed them."""

    @property
    def archive(self) -> Archive:
        """Return the files of the game, with those that are not published yet."""
        return Overlay(self.folder, self.watch.hidden) if self.watch.hidden else self.folder

    def go_on(self) -> None:
        """Take over what has been written since."""
        self.ledger.archive = self.watch
        self.watch.hidden = {
            path: data for path, data in self.watch.hidden.items() if self.folder.look(path) is None
        }
        since, self.since = self._unread() if self.since is None else self.since, None
        if since is None or since:
            from pbem.proof.ledger import read_on  # with all that judges a record

            read_on(self.ledger, since or (), self._meet)
        self.ledger.archive = self.archive

    def _unread(self) -> list[str] | None:
        """Return the names of the records that were not read yet; None where no record is there any more."""
        names = [one.path.rpartition("/")[2] for one in self.ledger.records[self.kept :]]
        known = {*self.watch.found_in(LEDGER), *names, *map(sig_path, names)}
        first = self.ledger.records[0].path if self.ledger.records else ""
        known.discard(first.rpartition("/")[2])  # asked about, for it has to be there still
        found = record_paths(self.folder, known)
        return [path for path in found if path != first] if found else None

    def _meet(self, record: Mapping[str, Any]) -> None:
        """Have at hand what a lock names and is not published yet."""
        if record["type"] != "lock":
            return
        named = {str(entry["seat"]): entry.get("sha512") for entry in record["entries"]}
        for letter in _unpublished(self.folder, int(record["slot"]), named):
            path = orders_path(letter.seat, letter.slot)
            self.watch.hide(path, letter.path, letter.data)
            if letter.signature is not None:
                self.watch.hide(sig_path(path), sig_path(letter.path), letter.signature)


def unpublished(folder: GameDir, ledger: Ledger) -> dict[str, bytes]:
    """Return the locked order files that are still in the mail, by the names they will have."""
    found: dict[str, bytes] = {}
    for number, slot in ledger.slots.items():
        named = {name: entry.sha512 for name, entry in slot.entries.items()}
        for letter in _unpublished(folder, number, named):
            path = orders_path(letter.seat, number)
            found[path] = letter.data
            if letter.signature is not None:
                found[sig_path(path)] = letter.signature
    return found


def _unpublished(folder: GameDir, number: int, named: Mapping[str, str | None]) -> Iterator[Letter]:
    """Yield the letters with the files that a lock names by their hashes and that are not published yet."""
    wanted = {
        name: sha512
        for name, sha512 in named.items()
        if sha512 is not None and orders_path(name, number) not in folder
    }
    if not wanted:
        return
    from pbem.store import received

    for letter in received.letters(folder, number):
        if wanted.get(letter.seat) == letter.sha512:
            yield letter


def record_paths(folder: GameDir, but: Collection[str] = ()) -> list[str]:
    """Return the names of the records in a folder, in their order, without files whose own names are in
    ``but``.
    """
    if (folder.root / LEDGER).is_symlink():
        return []
    return [path for path in folder.names(LEDGER, but=but) if is_record(path)]


def read_folder(folder: GameDir, *, anew: bool = False) -> Reading:
    """Return the ledger in a folder, with everything in it that does not hold; ``anew``: read from its first
    record on, whatever is kept.
    """
    kept = None if anew else shelf.own(shelf.READ)
    reading = None if kept is None else _taken_up(kept, folder)
    if reading is None:
        reading = Reading(folder, Watch(folder), Ledger(folder))
    reading.go_on()
    if kept is not None:
        _keep(kept, reading)
    return reading


def _keep(kept: shelf.Shelf, reading: Reading) -> None:
    """Keep what a reading came to, where that spares the next one enough."""
    ledger = reading.ledger
    if ledger.findings or not (len(ledger.records) - reading.kept >= EVERY or reading.watch.is_worth_it):
        return
    program = _program()
    if program is None:
        return
    try:
        place, put = _place(reading.folder), snapshot.put_down(ledger)
        head = {
            "format": FORMAT,
            "program": program,
            "folder": place,
            "watch": reading.watch.put_down(),
            "ledger": put.head,
        }
        kept.put(_key(place), b"\n".join([json.encode(head), put.body]))
    except (OSError, ValueError):
        return


def _taken_up(kept: shelf.Shelf, folder: GameDir) -> Reading | None:
    """Return what was kept of an earlier reading, where everything that it was made of is still there."""
    try:
        place = _place(folder)
        data = kept.get(_key(place))
        if data is None:
            return None
        size = data.index(b"\n")
        head = json.decode(memoryview(data)[:size])
        if (head["format"], head["program"], head["folder"]) != (FORMAT, _program(), place):
            return None
        watch = found_again(folder, head["watch"])
        put = snapshot.PutDown(head["ledger"], memoryview(data)[size + 1 :])
        ledger = snapshot.taken_up(put, folder, _load(folder))
        reading = Reading(folder, watch, ledger, len(ledger.records))
        since = reading.since = record_paths(folder, watch.found_in(LEDGER))
        ledger.archive = reading.archive
        return None if since and since[0] < ledger.records[-1].path else reading
    except (Changed, Refused, OSError, ValueError, LookupError, TypeError, AttributeError):
        return None


def _load(folder: GameDir) -> snapshot.Load:
    def load(path: str, id_: str) -> Mapping[str, Any]:
        data = content(folder, path)
        if data is None or record_id(data) != id_:
            # It was there as it had been read when this began: somebody is at the folder right now.
            raise Refused(
                [
                    Problem(
                        "proof.broken",
                        {"finding": "E08", "where": path, "message": "changed while it was being read"},
                    )
                ],
                file=str(folder.root),
            )
        record: Mapping[str, Any] = json.decode(data)
        return record

    return load


def _place(folder: GameDir) -> str:
    return str(folder.root.resolve())


def _key(place: str) -> str:
    return hashlib.sha256(os.fsencode(f"ledger\0{place}")).hexdigest()


@cache
def _program() -> str | None:
    """Return what tells this program from another as far as readings go; None where its files cannot be
    looked at.
    """
    place = Path(pbem.__file__).parent
    try:
        found = [
            f"{entry.path} {entry.stat().st_size} {entry.stat().st_mtime_ns}"
            for folder in _READS
            for entry in sorted(os.scandir(place / folder), key=lambda entry: entry.name)
            if entry.name.endswith(".py")
        ]
    except OSError:
        return None
    return hashlib.sha256("\n".join([pbem.__version__, *found]).encode()).hexdigest()
