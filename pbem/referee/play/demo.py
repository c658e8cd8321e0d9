"""The recorded examples: playing one for somebody who wants to see pbem at work, and recording it anew."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from pbem.referee.game.game import open_game
from pbem.referee.game.refusal import UNDECIDED, refuse
from pbem.referee.pages.showing import replay_bytes
from pbem.referee.play.playthrough import SCRIPT, Playthrough, read_script
from pbem.referee.proving.pack import pack
from pbem.referee.proving.verify import verify
from pbem.referee.turn.diff import diff
from pbem.referee.turn.report import report_of
from pbem.store import disk
from pbem.store.library import common_words, example, examples

ARCHIVE = "archive.zip"
SHOWN_FIRST = "alder-ford"
"""The example for somebody who names none."""


class DemoStep(Struct, frozen=True):
    """A step of a demo; the last one has the files to look at, each with what it shows, and what is proven in
    a line.

    Where the proof does not hold ``lines`` are all that verify says.
    """

    said: str
    of: int
    files: tuple[tuple[Path, str], ...] = ()
    lines: tuple[str, ...] = ()
    answer: int = 0


def all_examples() -> list[Path]:
    """Return the folders of all examples, sorted."""
    return list(examples())


def find_example(name: str | None) -> Path:
    """Return the folder of an example: by name, by path, or the one that is shown first; Refused (cannot
    decide) where there is none.
    """
    if name is None:
        folders = all_examples()
        if not folders:
            raise refuse("script.none", answer=UNDECIDED, path="examples")
        return next((folder for folder in folders if folder.name == SHOWN_FIRST), folders[0])
    for folder in (example(name), Path(name)):
        if (folder / SCRIPT).is_file():
            return folder
    known = ", ".join(folder.name for folder in all_examples()) or "none"
    raise refuse("script.none", answer=UNDECIDED, path=name, help=f"there are {known}")


def demo(folder: Path, out: Path, home: Path, *, pictures: bool = True) -> Iterator[DemoStep]:
    """Play an example into ``out``: the game, its archive, a page of each kind; yield after every step."""
    game = out / "game"
    if game.exists():
        raise refuse("game.exists", file=str(out), path=str(game))
    play = Playthrough(read_script(folder), game, home, pictures=pictures)
    total = len(play.script.steps) + 3
    yield DemoStep("begin", total)
    for step in play.play():
        yield DemoStep(step.said, total)
    archive = out / f"{play.script.game}.zip"
    pack(play.env, game, archive)
    yield DemoStep("pack", total)
    opened = open_game(game)
    for suffix in (".txt", ".html"):
        disk.replace(out / f"game{suffix}", replay_bytes(opened, suffix))
    disk.replace(out / "last-turn.html", report_of(opened, None, "html", "game/").encode())
    verdict = verify(archive)
    newest, words = f"s{opened.ledger.state_slot:04d}", common_words()
    shown = (
        (game / "maps" / f"{newest}.png", "map"),
        (out / "game.html", "replay"),
        (out / "last-turn.html", "report"),
    )
    files = tuple((path, words.phrase(f"demo.{kind}")) for path, kind in shown if path.is_file())
    proven = words.phrase(
        "demo.proof", records=verdict.records, dice=verdict.dice, command=f"pbem verify {game}"
    )
    yield DemoStep(
        "verify", total, files, verdict.lines if verdict.exit_code else (proven,), verdict.exit_code
    )


def record(folder: Path, home: Path) -> tuple[str, ...]:
    """Play an example anew and keep its archive beside its script; return what changed: ``new``, or the slots
    that differ.
    """
    game = home / "game"
    play = Playthrough(read_script(folder), game, home / "keys", pictures=False)
    for _ in play.play():
        pass
    packed = home / ARCHIVE
    pack(play.env, game, packed)
    data = packed.read_bytes()
    kept = folder / ARCHIVE
    if not kept.is_file():
        changed: tuple[str, ...] = ("new",)
    elif kept.read_bytes() == data:
        return ()
    else:
        slots = dict.fromkeys(f"slot {at.slot}" for at in diff(kept, packed))
        changed = tuple(slots) or ("other files, no event",)
    disk.replace(kept, data)
    return changed
