"""What a game folder holds that is none of the game: files set aside, and what programs leave that were
killed.

Nothing is ever deleted here but half-written files of pbem's own, which no program has ever read.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from pbem.core.regex import regex
from pbem.store import disk
from pbem.store.gamedir import ASIDE, GameDir, safe

_HALF: Final = regex(r"\.[A-Za-z0-9][A-Za-z0-9._-]{0,150}\.tmp")
_DEAD: Final = regex(re.escape(disk.LOCK) + r"\.[0-9]{1,10}(?:\.[0-9]{1,20})?")


def set_aside(game: GameDir, path: str) -> str:
    """Move whatever has this name (a file, a folder, a link) to a place in the game that nothing reads;
    return the new name.
    """
    kept = _free(game, path)
    disk.make_folder((game.root / kept).parent)
    disk.move(game.root / path, game.root / kept)
    return kept


def copy_aside(game: GameDir, path: str, data: bytes) -> str:
    """Keep what a file holds that is to be replaced; return the name of the copy.

    One that lies there from before is not made twice.
    """
    kept = _free(game, path)
    number = int(kept.split("/")[1])
    before = f"{ASIDE}/{number - 1}/{path}"
    if number > 1 and game.read(before) == data:
        return before
    disk.create(game.root / kept, data)
    return kept


def _free(game: GameDir, path: str) -> str:
    number = 1
    while os.path.lexists(game.root / (kept := f"{ASIDE}/{number}/{safe(path)}")):
        number += 1
    return kept


def is_there(game: GameDir, path: str) -> bool:
    """Tell whether anything has this name, a plain file or not."""
    return os.path.lexists(game.root / safe(path))


def in_a_link(game: GameDir, path: str) -> str:
    """Return the first folder on the way to a file that is a link, or no folder; empty where the way is
    plain.
    """
    place = game.root
    for part in safe(path).split("/")[:-1]:
        place = place / part
        if os.path.lexists(place) and (place.is_symlink() or not place.is_dir()):
            return place.relative_to(game.root).as_posix()
    return ""


def half_written(game: GameDir) -> Iterator[Path]:
    """Yield the files that a killed program left half-written in the folders of a game, and its claims on the
    folder; sorted.
    """
    for folder, folders, files in os.walk(game.root):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name != ASIDE)
        for name in sorted(files):
            path = Path(folder) / name
            left = _HALF.fullmatch(name) or (
                path.parent == game.root and _DEAD.fullmatch(name) and _is_dead(name)
            )
            if left and not path.is_symlink():
                yield path


def _is_dead(name: str) -> bool:
    pid = int(name.removeprefix(f"{disk.LOCK}.").partition(".")[0])
    return pid != os.getpid() and not disk.alive(pid)
