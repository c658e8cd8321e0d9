"""Every game of a folder as a page to look through, over processes or machines.

A page is too large to be handed back: the worker writes it into a folder that all of them share.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct

from pbem.fleet.door import Means, spread
from pbem.fleet.task import Task
from pbem.referee.game.game import open_game
from pbem.referee.pages.showing import PAGE, Wish, replay_bytes
from pbem.referee.proving.verify_folder import games, name_in
from pbem.store import disk


class Paged(Struct, frozen=True):
    """A page that was written: its game's name in the folder, where it is, how large; or why it is not."""

    name: str
    path: str = ""
    bytes: int = 0
    failure: str = ""


def tasks(root: Path, out: Path, theme: str) -> Iterator[Task]:
    """Yield a task for each game below a folder; each writes a file of its own."""
    root, out = root.resolve(), out.resolve()
    for path in games(root):
        name = name_in(path, root).removesuffix(".zip").replace("/", "--")
        mark = hashlib.sha256(name_in(path, root).encode("utf-8", "surrogateescape")).hexdigest()[:6]
        to = out / f"{name}-{mark}{PAGE}"
        yield Task.of("replay", root=str(root), path=str(path), out=str(to), theme=theme)


def paged(root: str, path: str, out: str, theme: str) -> dict[str, Any]:
    """Do a task: write the page of a game; return how large it is."""
    data = replay_bytes(open_game(Path(path)), PAGE, Wish(None, theme))
    disk.replace(Path(out), data)
    return {"bytes": len(data)}


def replay_all(root: Path, out: Path, theme: str, means: Means) -> Iterator[Paged]:
    """Write a page for each game below a folder into another one; yield what was written, as it is there."""
    for done in spread(tasks(root, out, theme), means):
        said = done.task.arguments
        name = name_in(Path(said["path"]), Path(said["root"]))
        if done.failure:
            yield Paged(name, failure=done.failure)
        else:
            yield Paged(name, said["out"], done.answer["bytes"])
