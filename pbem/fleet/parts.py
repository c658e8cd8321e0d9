"""What tasks came to, kept on disk as it comes: a file for each, whole or not there, named by task and
program.

Whoever was ended in the middle begins again with what is there. Only one program writes into a folder at a
time; workers never do. A file counts where it says itself what task and program it is of: one that is cut
short, renamed or of another program is done again.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from pbem.fleet.task import MOST_BYTES, Done, Task, written
from pbem.store import disk
from pbem.text.codec import from_json

_MOST: Final = 2 * MOST_BYTES


class Parts:
    """The answers of one program in one folder."""

    def __init__(self, folder: Path, program: str) -> None:
        self.folder, self.program = folder, program

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Hold the folder for this program alone; disk.Busy while another one does."""
        disk.make_folder(self.folder)
        with disk.exclusive(self.folder):
            yield

    def path(self, task: Task) -> Path:
        """Return where the answer of a task is kept: in one of 256 folders."""
        id_ = task.id(self.program)
        return self.folder / id_[:2] / f"{id_}.json"

    def find(self, task: Task) -> Done | None:
        """Return what is there of a task, or None."""
        try:
            with self.path(task).open("rb") as file:
                said = from_json(file.read(_MOST))
            mine = (said["program"], said["kind"], written(said["task"])) == (
                self.program,
                task.kind,
                task.said,
            )
            return Done(task, said["answer"], seconds=float(said["seconds"])) if mine else None
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def keep(self, done: Done) -> None:
        """Keep what came of a task, unless nothing did: what failed is tried again the next time."""
        if done.failure:
            return
        said = {
            "program": self.program,
            "kind": done.task.kind,
            "task": done.task.arguments,
            "answer": done.answer,
            "seconds": round(done.seconds, 4),
        }
        disk.replace(self.path(done.task), written(said).encode() + b"\n")
