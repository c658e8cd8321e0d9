"""Answers and notices that wait to be posted: kept as files until they stand in the thread.

``GAME/forum/queue`` holds one file for each, in the order in which they are to go, by a name that is made of
what it answers; the pictures lie in the outbox of the game, beside the text that a person could paste. What
is written again under the same name changes nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from pbem.forum.thread import Draft, Upload
from pbem.store import disk
from pbem.text.codec import from_json

__all__ = ["Queued", "done", "put", "waiting"]

FOLDER: Final = "queue"
_MOST: Final = 1_000_000
_NAME: Final = re.compile(r"([0-9]{6})-([0-9a-f]{8})\.json")


class Queued(Struct, frozen=True):
    """An answer or a notice: its posts, the slot that it speaks of, and the file that it waits in."""

    path: Path
    slot: int
    drafts: tuple[Draft, ...]


def put(forum: Path, key: str, slot: int, drafts: Sequence[Draft]) -> None:
    """Let posts wait under a key (eight hexadecimal digits), once."""
    folder = forum / FOLDER
    known = _names(folder)
    if any(name.endswith(f"-{key}.json") for name in known):
        return
    disk.make_folder(folder, private=True)
    number = int(known[-1][:6]) + 1 if known else 1
    said = {
        "slot": slot,
        "drafts": [
            {
                "title": draft.title,
                "text": draft.text,
                "mark": draft.mark,
                "uploads": [[one.name, one.alt, *one.size] for one in draft.uploads],
            }
            for draft in drafts
        ],
    }
    data = json.dumps(said, ensure_ascii=False, indent=1).encode("utf-8", "replace") + b"\n"
    disk.replace(folder / f"{number:06d}-{key}.json", data, private=True)


def waiting(forum: Path, outbox: Path) -> Iterator[Queued]:
    """Yield what waits, the oldest first; no posts of a file that cannot be read, or whose pictures are
    gone: then a person has to look.
    """
    folder = forum / FOLDER
    for name in _names(folder):
        path, slot = folder / name, 0
        drafts: tuple[Draft, ...] = ()
        with suppress(OSError, ValueError, KeyError, TypeError, AttributeError):
            if path.stat().st_size <= _MOST:
                said = from_json(path.read_text("utf-8"))
                slot, drafts = int(said["slot"]), tuple(_draft(one, outbox) for one in said["drafts"])
        yield Queued(path, slot, drafts)


def done(queued: Queued) -> None:
    """Take away what stands in the thread."""
    disk.remove(queued.path)


def _draft(said: Any, outbox: Path) -> Draft:
    uploads = []
    for name, alt, wide, high in said["uploads"]:
        if Path(str(name)).name != name:
            raise ValueError(f"{name!r} is no name of a picture")
        data = (outbox / name).read_bytes()
        uploads.append(Upload(name, data, str(alt), (int(wide), int(high))))
    return Draft(str(said["title"]), str(said["text"]), tuple(uploads), str(said["mark"]))


def _names(folder: Path) -> list[str]:
    with suppress(OSError):
        return sorted(path.name for path in folder.iterdir() if _NAME.fullmatch(path.name))
    return []
