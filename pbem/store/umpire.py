"""Letters to the umpire that are not sent, because the office has no address of his: plain files that wait
until he has looked at them.

``post/umpire/KEY.txt`` waits; ``post/umpire/read/KEY.txt`` was shown. A letter has one name for ever and is
kept once.
"""

from __future__ import annotations

import os
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Final

from pbem.core.regex import regex
from pbem.store import disk
from pbem.store.spool import iso
from pbem.text.characters import printable

__all__ = ["FOLDER", "READ", "keep", "knows", "shown", "text", "waiting"]

FOLDER: Final = "umpire"
READ: Final = "read"
_KEY: Final = regex(r"[A-Za-z0-9][A-Za-z0-9._@+-]{0,150}")


def knows(folder: Path, key: str) -> bool:
    """Tell whether a letter of this name was ever kept."""
    return _KEY.fullmatch(key) is not None and any(
        (place / f"{key}.txt").is_file() for place in (folder, folder / READ)
    )


def keep(folder: Path, key: str, at: datetime, subject: str, said: str, answer_to: str = "") -> None:
    """Keep a letter: when it was written, what it is about, whom an answer goes to, and its text.

    ValueError: no name for a letter.
    """
    if _KEY.fullmatch(key) is None:
        raise ValueError(f"no name for a letter: {key!r}")
    head = [
        f"Date: {iso(at)}",
        f"Subject: {printable(subject)}",
        *([f"Reply-To: {printable(answer_to)}"] if answer_to else []),
    ]
    disk.replace(
        folder / f"{key}.txt", "\n".join([*head, "", said, ""]).encode("utf-8", "replace"), private=True
    )


def waiting(folder: Path) -> list[tuple[str, str]]:
    """Return the letters that nobody has looked at, oldest first: name and subject."""
    found: list[tuple[int, str]] = []
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(".txt") and entry.name[0] != "." and entry.is_file(follow_symlinks=False):
                found.append((entry.stat(follow_symlinks=False).st_mtime_ns, entry.name.removesuffix(".txt")))
    return [(key, _subject(folder / f"{key}.txt")) for _, key in sorted(found)]


def _subject(path: Path) -> str:
    with suppress(OSError), path.open("rb") as file:
        for line in file.read(2_000).decode("utf-8", "replace").split("\n"):
            if line.startswith("Subject: "):
                return line.removeprefix("Subject: ")
    return ""


def shown(folder: Path, key: str) -> str:
    """Return a letter and put it with those that were looked at."""
    said = text(folder, key)
    disk.make_folder(folder / READ, private=True)
    disk.move(folder / f"{key}.txt", folder / READ / f"{key}.txt")
    return said


def text(folder: Path, key: str) -> str:
    """Return a letter."""
    return (folder / f"{key}.txt").read_bytes().decode("utf-8", "replace")
