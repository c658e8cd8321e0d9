"""What a copy in text mode does to the files of a game, and the files as they were before.

Git with autocrlf, a transfer in ASCII, an editor that saves: line ends become others, a mark stands before
the first letter, the last line loses its end. Nothing that was said is other than it was, so nobody is to be
accused; and nothing is guessed: a record has one spelling, and every other file is named by a hash, which
fits or does not.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from typing import Final

from pbem.core.regex import regex
from pbem.proof.archive import FILES, MAX_RECORD, Archive, content, limit
from pbem.proof.inside import is_orders, is_proof, is_record, is_signed_record

MOST: Final = 16 * 1024 * 1024
"""So many bytes are looked at in files that fit no hash; an honest copy has a few hundred thousand."""
_BOM: Final = b"\xef\xbb\xbf"
_DIGITS: Final = regex(rb"[0-9a-f]{64,}")


class Over:
    """An archive with other bytes in some of its files."""

    def __init__(self, below: Archive, files: Mapping[str, bytes]) -> None:
        self._below = below
        self._files = files

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names."""
        return iter(self._below)

    def __contains__(self, path: object) -> bool:
        """Tell whether there is such a file."""
        return path in self._below

    def __getitem__(self, path: str) -> bytes:
        """Return the bytes of a file; KeyError if there is none."""
        return self._files[path] if path in self._files else self._below[path]


def _unix(data: bytes) -> bytes:
    return data.removeprefix(_BOM).replace(b"\r\n", b"\n")


def _line(data: bytes) -> bytes:
    """Return the one spelling that a record, or a list of lines, may have had; of nothing, nothing."""
    return (bare + b"\n") if (bare := _unix(data).rstrip(b"\n")) else data


def _others(data: bytes) -> Iterator[bytes]:
    """Yield what a file may have been, with one kind of line ends, and with and without the last of them."""
    plain = _unix(data)
    bare = plain.rstrip(b"\n")
    for form in (plain, bare, bare + b"\n"):
        yield form
        yield form.replace(b"\n", b"\r\n")


def restored(archive: Archive) -> dict[str, bytes]:
    """Return the files of the proof that were written otherwise, with the bytes that they had; nothing where
    none was.
    """
    found: dict[str, bytes] = {}
    named: set[bytes] = set()
    paths = sorted(path for path in archive if is_proof(path) or path == FILES)
    for path in paths:
        if is_signed_record(path) or path == FILES:
            data = content(archive, path)
            if data is not None and (line := _line(data)) != data and len(line) <= limit(path):
                found[path] = line
            if data is not None and (is_record(path) or path == FILES):
                named.update(_DIGITS.findall(found.get(path, data)))
    looked = 0
    for path in paths:
        data = None if is_signed_record(path) or path == FILES else content(archive, path)
        if data is None or len(data) > MAX_RECORD:
            continue
        hash_ = hashlib.sha512 if is_orders(path) else hashlib.sha256
        if hash_(data).hexdigest().encode() in named:
            continue
        looked += len(data)
        if looked > MOST:
            break
        fits = (
            other for other in _others(data) if other != data and hash_(other).hexdigest().encode() in named
        )
        if (other := next(fits, None)) is not None:
            found[path] = other
    return found


def as_it_was(archive: Archive) -> Archive:
    """Return an archive with its files as they were before a copy in text mode; the same one where there was
    none.
    """
    found = restored(archive)
    return Over(archive, found) if found else archive
