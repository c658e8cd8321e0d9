"""The gallery's pictures, each of a whole game between bots, over processes or machines."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec import to_builtins

from pbem.fleet.door import Means, spread
from pbem.fleet.task import Task
from pbem.referee.game.refusal import UNDECIDED, refuse
from pbem.referee.play.gallery import Files, GalleryEntry, gallery, names, shown_of


def pictured(scenario: str) -> dict[str, Any]:
    """Do a task: return the entry of a scenario and its pictures, as plain data."""
    entry, files = shown_of(scenario)
    return {
        "entry": to_builtins(entry),
        "files": {path: b64encode(data).decode("ascii") for path, data in files.items()},
    }


def pictures(folder: Path, means: Means) -> Iterator[GalleryEntry]:
    """Write the gallery into a folder; yield after each scenario. Refused where a picture cannot be made."""
    return gallery(folder, _made(means))


def _made(means: Means) -> Iterator[tuple[GalleryEntry, Files]]:
    for done in spread([Task.of("picture", scenario=name) for name in names()], means):
        if done.failure:
            raise refuse(
                "fleet.failed", answer=UNDECIDED, task=str(done.task.arguments["scenario"]), why=done.failure
            )
        files = {path: b64decode(said, validate=True) for path, said in done.answer["files"].items()}
        yield GalleryEntry(**done.answer["entry"]), files
