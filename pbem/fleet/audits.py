"""Every game of a folder verified, over processes or machines: the gate before an upgrade, and the audit of a
club or a tournament.

A worker reads the game itself, from a folder that all of them share. Where answers are kept or workers are
elsewhere a task says what lies there, so that an answer is never taken for one about other bytes.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec import to_builtins

from pbem.fleet.door import Means, spread
from pbem.fleet.task import Task
from pbem.referee.proving.verify_folder import FAULT, GameFound, games, name_in, one
from pbem.store import disk


class Changed(Exception):
    """What lies at a path is not, or no longer, what the task is about."""


def digest_of(path: Path) -> str:
    """Return the SHA-256 of an archive, or of all files of a game folder with their names.

    Links count by where they lead and are not followed; locks do not count. What cannot be read, or is no
    file, counts as that.
    """
    if path.is_file():
        return _file(path)
    lines = []
    for folder, folders, files in os.walk(path):
        folders.sort()
        for name in sorted([*files, *folders]):
            found = Path(folder, name)
            if found.is_symlink():
                lines.append(f"link {found.readlink()}  {found.relative_to(path).as_posix()}")
            elif name in files and not name.startswith(disk.LOCK):
                lines.append(f"{_file(found)}  {found.relative_to(path).as_posix()}")
    return hashlib.sha256("\n".join(lines).encode("utf-8", "surrogateescape")).hexdigest()


def _file(path: Path) -> str:
    try:
        if not path.is_file():  # whoever opens a pipe waits without end
            return "no file"
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        return f"not read: {error.strerror}"


def verified(root: str, path: str, rules: bool, content: str) -> dict[str, Any]:
    """Do a task: return the verdict over one game, as plain data. Changed where it is of other bytes."""
    where = Path(path)
    found: dict[str, Any] = to_builtins(one(where, Path(root), rules))
    if content and digest_of(where) != content:
        raise Changed(f"{path} is not here what it is for who asked, or was changed meanwhile")
    return found


def tasks(root: Path, *, with_rules: bool, named: bool) -> Iterator[Task]:
    """Yield a task for each game below a folder; ``named``: each says what bytes it is about."""
    root = root.resolve()
    for path in games(root):
        yield Task.of(
            "verify",
            root=str(root),
            path=str(path),
            rules=with_rules,
            content=digest_of(path) if named else "",
        )


def verify_all(
    root: Path, *, with_rules: bool = True, jobs: int | None = None, means: Means | None = None
) -> Iterator[GameFound]:
    """Yield the verdict over each game below a folder as soon as it is there: by processes of this machine
    (``jobs``), or as ``means`` say.
    """
    means = means or Means(jobs=jobs)
    named = means.parts is not None or bool(means.scheduler)
    for done in spread(tasks(root, with_rules=with_rules, named=named), means):
        if done.failure:
            said = done.task.arguments
            name = name_in(Path(said["path"]), Path(said["root"]))
            yield GameFound(name, FAULT, 4, why=done.failure)
        else:
            yield GameFound(**done.answer)
