"""The names of the files of a game and what an archive is: a read-only mapping from path to bytes
(docs/protocol.md, section 7).

Opens nothing on disk; ``store`` gives a folder or a zip this shape.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from typing import Protocol

from pbem.core.regex import regex
from pbem.proof.canonical import MAX_FILE

PROOF_FOLDERS = ("scenario", "tables", "ledger", "seats", "rolls", "receipts", "state", "keys")
FILES, FILES_SIG = "FILES", "FILES.sig"


class Archive(Protocol):
    """Plain files by relative path with ``/``.

    A link, a folder, or a file above 16 MiB is not there (KeyError).
    """

    def __iter__(self) -> Iterator[str]:
        """Iterate over the paths, in any order."""
        ...

    def __contains__(self, path: object) -> bool:
        """Tell whether a plain file has this path."""
        ...

    def __getitem__(self, path: str) -> bytes:
        """Return the bytes of a file; KeyError if it is not a plain file of the archive."""
        ...


class MemoryArchive(dict[str, bytes]):
    """An archive that is held in memory."""


MAX_SIGNATURE, MAX_PAPER, MAX_RECORD = 4096, 64 * 1024, 1024 * 1024


def limit(path: str) -> int:
    """Return how many bytes a file of this name may have: signatures, papers of seats and receipts, records,
    all else.
    """
    if path.endswith(".sig"):
        return MAX_SIGNATURE
    if path.startswith(("receipts/", "seats/")) and path.endswith(".json"):
        return MAX_PAPER
    return MAX_RECORD if path.startswith("ledger/") else MAX_FILE


def content(archive: Archive, path: str) -> bytes | None:
    """Return the bytes of a file, or None if it is absent, not a plain file, or larger than such a file may
    be.
    """
    try:
        data = archive[path]
    except KeyError:
        return None
    return data if len(data) <= limit(path) else None


def ledger_path(n: int, kind: str, slot: int | None = None) -> str:
    """Return the name of a ledger record."""
    return f"ledger/{n:05d}-{kind}.json" if slot is None else f"ledger/{n:05d}-s{slot:04d}-{kind}.json"


def join_path(seat: str) -> str:
    """Return the name of the join of a seat."""
    return f"seats/{seat}/join.json"


def orders_path(seat: str, slot: int) -> str:
    """Return the name of an order file."""
    return f"seats/{seat}/orders-s{slot:04d}.txt"


def go_path(seat: str, slot: int) -> str:
    """Return the name of a go."""
    return f"seats/{seat}/go-s{slot:04d}.json"


def consent_path(seat: str, head: str) -> str:
    """Return the name of a consent, by the id of the record it names."""
    return f"seats/{seat}/consent-{head[:16]}.json"


def receipt_path(slot: int, seat: str, sha512: str) -> str:
    """Return the name of a receipt."""
    return f"receipts/s{slot:04d}-{seat}-{sha512[:16]}.json"


def rolls_path(slot: int) -> str:
    """Return the name of the roll log of a slot."""
    return f"rolls/s{slot:04d}.jsonl"


def events_path(slot: int) -> str:
    """Return the name of the events of a slot: derived, and no part of the proof."""
    return f"events/s{slot:04d}.jsonl"


def state_path(slot: int) -> str:
    """Return the name of the state after a slot; 0 is the state of ``start``."""
    return f"state/s{slot:04d}.json"


def sig_path(path: str) -> str:
    """Return the name of the signature beside a file."""
    return path + ".sig"


def gm_namespace(game: str) -> str:
    """Return the namespace of ledger records and receipts."""
    return f"pd1-gm/{game}"


def pack_namespace(game: str) -> str:
    """Return the namespace of the FILES of a pack."""
    return f"pd1-pack/{game}"


def join_namespace(game: str, seat: str) -> str:
    """Return the namespace of a join."""
    return f"pd1-join/{game}/{seat}"


def orders_namespace(game: str, slot: int, seat: str, head: str) -> str:
    """Return the namespace of an order file; ``head`` is the id of the record whose ``next`` it answers."""
    return f"pd1-orders/{game}/{slot}/{seat}/{head}"


def go_namespace(game: str, slot: int, seat: str, lock_id: str) -> str:
    """Return the namespace of a go."""
    return f"pd1-go/{game}/{slot}/{seat}/{lock_id}"


def consent_namespace(game: str, seat: str, newest_id: str) -> str:
    """Return the namespace of a consent to an undo or a rekey."""
    return f"pd1-consent/{game}/{seat}/{newest_id}"


SIGNERS = "keys/allowed_signers"


def allowed_signers(
    game: str, keys: Iterable[tuple[str, str]], recovery: Iterable[tuple[str, str]] = ()
) -> str:
    """Return ``keys/allowed_signers`` for ssh-keygen: a line for each key that the GM or a seat has or had,
    and each of a recovery code.
    """
    uses = {
        "gm": ("pd1-gm/{}", "pd1-pack/{}"),
        "seat": ("pd1-join/{}/*", "pd1-orders/{}/*", "pd1-go/{}/*", "pd1-consent/{}/*"),
    }
    signed = [(who, line, uses["gm" if who == "gm" else "seat"]) for who, line in keys]
    signed += [(who, line, ("pd1-consent/{}/*",)) for who, line in recovery]
    lines = (
        f'{who}@{game} namespaces="{",".join(use.format(game) for use in for_)}" {line}\n'
        for who, line, for_ in signed
    )
    return "".join(dict.fromkeys(lines))


class BadFiles(Exception):
    """A FILES list that is not one; the text says which line."""


_FILES_LINE = regex(r"([0-9a-f]{64})  ([^\x00-\x1f\x7f]{1,400})")


def make_files(archive: Archive) -> bytes:
    """Return the text of FILES for every file of a pack but FILES and its signature (``sha256sum -c`` reads
    it).
    """
    paths = sorted(path for path in archive if path not in (FILES, FILES_SIG))
    return "".join(f"{hashlib.sha256(archive[path]).hexdigest()}  {path}\n" for path in paths).encode()


def parse_files(data: bytes) -> dict[str, str]:
    """Return path to SHA-256 of a FILES text; raise BadFiles unless it is sorted, without
    doubles, and exact.
    """
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise BadFiles("not UTF-8") from None
    if text and not text.endswith("\n"):
        raise BadFiles("the last line has no end")
    found: dict[str, str] = {}
    last = ""
    for number, line in enumerate(text.split("\n")[:-1], 1):
        match = _FILES_LINE.fullmatch(line)
        if match is None or match[2] <= last:
            raise BadFiles(f"line {number}")
        last = match[2]
        found[last] = match[1]
    return found


def short_digest(record_id: str) -> str:
    """Return the first 64 bits of an id for people: ``8f54-7bc5-d1fe-019e``."""
    return "-".join(record_id[at : at + 4] for at in range(0, 16, 4))


def visible(text: str) -> str:
    """Return a line that may come from a stranger with everything that cannot be seen spelt out: a name may
    try to move the cursor.
    """
    return (
        text
        if text.isprintable()
        else "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)
    )
