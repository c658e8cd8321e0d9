"""What is to be changed in a game that is mended: laid over it in memory, judged there, and only then carried
out on disk.

Whatever is replaced is set aside first, unless it differs in its line ends alone. A program that ends in
between leaves a game that lacks a file it can make again; mending once more goes on.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from msgspec import Struct, field

from pbem.proof.archive import FILES, Archive, BadFiles, content, parse_files
from pbem.proof.inside import is_proof
from pbem.store import aside, disk
from pbem.store.gamedir import GameDir, is_private
from pbem.store.library import common_words

LINE_ENDS: Final = "line ends"
MADE: Final = "made again"
PUBLISHED: Final = "published"
SIGNED: Final = "signed again"
TAKEN: Final = "taken over"
AWAY: Final = "set aside"
REMOVED: Final = "removed"


class Deed(Struct, frozen=True):
    """One thing that is done to a game: what, to which file, why in words, and where what was there before
    lies now.
    """

    what: str
    path: str
    why: str = ""
    aside: str = ""


def said(key: str, **args: Any) -> str:
    """Return a sentence about mending."""
    return common_words().phrase(f"mend.{key}", **args)


def unix(data: bytes) -> bytes:
    """Return a text with the line ends of pbem."""
    return data.replace(b"\r\n", b"\n")


class _Laid(GameDir):
    """A game folder as it will be: private files too are read as they are going to be."""

    def __init__(self, root: Path, made: dict[str, bytes]) -> None:
        super().__init__(root)
        self._made = made

    def read(self, path: str) -> bytes | None:
        """Return the bytes that a plain file will have."""
        return self._made[path] if path in self._made else super().read(path)

    def names(self, folder: str, begin: str = "", but: Collection[str] = ()) -> tuple[str, ...]:
        """Return the names of the files right inside a folder, also of those that are going to be there."""
        coming = [
            path
            for path in self._made
            if path.rpartition("/")[0] == folder
            and (name := path.rpartition("/")[2]).startswith(begin)
            and name not in but
        ]
        return tuple(sorted({*super().names(folder, begin, but), *coming}))


class Bench(Struct):
    """An archive with changes laid over it; one in a single file has no folder."""

    below: Archive
    root: Path | None = None
    made: dict[str, bytes] = field(default_factory=dict)
    away: set[str] = field(default_factory=set)
    deeds: dict[str, Deed] = field(default_factory=dict)
    """What is done, by the file it is done to."""
    left: list[str] = field(default_factory=list)
    """What could not be mended, and why, in sentences."""
    listed: Mapping[str, str] | None = None
    """The signed list of a pack, path to SHA-256: none of its proof is made otherwise, or beyond it."""

    def __post_init__(self) -> None:
        """Read the list of a pack."""
        with suppress(BadFiles):
            listed = content(self.below, FILES)
            self.listed = None if listed is None else parse_files(listed)

    @property
    def folder(self) -> GameDir | None:
        """Return the folder of the game as it will be."""
        return None if self.root is None else _Laid(self.root, self.made)

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names."""
        yield from (path for path in self.below if path not in self.away)
        yield from (path for path in self.made if path not in self.below and not is_private(path))

    def __contains__(self, path: object) -> bool:
        """Tell whether there is such a file."""
        return isinstance(path, str) and content(self, path) is not None

    def __getitem__(self, path: str) -> bytes:
        """Return the bytes of a file; KeyError if there is none."""
        if path in self.made and not is_private(path):
            return self.made[path]
        if path in self.away:
            raise KeyError(path)
        return self.below[path]

    def lay(self, what: str, path: str, data: bytes, why: str = "") -> None:
        """Put a file in its place, unless a signed list says otherwise."""
        if (
            self.listed is not None
            and is_proof(path)
            and self.listed.get(path) != hashlib.sha256(data).hexdigest()
        ):
            return
        self.away.discard(path)
        self.made[path] = data
        self.deeds[path] = Deed(what, path, why)

    def set_aside(self, path: str, why: str) -> None:
        """Take a file out of the game."""
        self.made.pop(path, None)
        self.away.add(path)
        self.deeds[path] = Deed(AWAY, path, why)

    def leave(self, why: str) -> None:
        """Say why something could not be mended, once."""
        if why not in self.left:
            self.left.append(why)

    def take_back(self, path: str) -> None:
        """Leave a file as it lies there."""
        self.made.pop(path, None)
        self.away.discard(path)
        self.deeds.pop(path, None)

    def carry_out(self) -> list[Deed]:
        """Do everything on disk and return what was done."""
        assert self.root is not None
        folder, done = GameDir(self.root), []
        for path, deed in self.deeds.items():
            kept, before = "", folder.read(path)
            if self._is_kept(path) and path in self.made and before is not None:
                # A copy first: at no moment is there neither the old file nor the new one.
                kept = aside.copy_aside(folder, path, before)
            elif self._is_kept(path):
                kept = aside.set_aside(folder, path)
            if path in self.made:
                folder.put(path, self.made[path])
            done.append(Deed(deed.what, path, deed.why, kept))
        return done

    def _is_kept(self, path: str) -> bool:
        """Tell whether something lies there that has to be kept."""
        if self.root is None or not aside.is_there(GameDir(self.root), path):
            return False
        before, after = GameDir(self.root).read(path), self.made.get(path)
        return before is None or after is None or unix(before) != unix(after)


def sweep(folder: GameDir, *, dry_run: bool) -> list[Deed]:
    """Remove what killed programs left half-written; return what was, or would be, removed."""
    found: list[Path] = list(aside.half_written(folder))
    for path in found if not dry_run else ():
        disk.remove(path)
    return [Deed(REMOVED, path.relative_to(folder.root).as_posix()) for path in found]
