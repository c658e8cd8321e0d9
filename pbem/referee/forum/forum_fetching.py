"""Pages of a thread fetched into the folder of its game, as files that ``forum read`` takes: politely, and
none that tells nothing new.

Nothing is decided here about posts. A page is kept under the hash of its bytes. Pages change with every visit
(how often a post was read, what time it is); one that shows the same posts as the last time is not kept
again. From the second time on only the page before the last one known is asked for and what comes after it;
``all`` asks for every page, so that edits of old posts are seen too.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from msgspec import Struct, field

from pbem.forum import pages
from pbem.referee.forum.forum_couriers import Thread, thread_of
from pbem.referee.game.game import Game, open_game
from pbem.referee.game.refusal import Refused, in_use
from pbem.referee.mail.office import settings
from pbem.store import disk
from pbem.store.forum_door import Door, Page
from pbem.store.library import common_words
from pbem.store.net import Trouble
from pbem.text.codec import from_json

__all__ = ["FOLDER", "Fetched", "fetch", "fetched", "games_of"]

FOLDER = "pages"
_MOST = 1_000_000


class Fetched(Struct, frozen=True):
    """What came of a visit: the pages that tell something new, how many do not, what was not fetched, in
    words, and how many are left.
    """

    new: tuple[Path, ...] = ()
    known: int = 0
    said: tuple[str, ...] = ()
    left: int = 0


class _Kept(Struct):
    """What is known of a thread from the visits before: what each page showed, by what the forum knows it
    again, and the last one.
    """

    thread: str
    shown: dict[str, str] = field(default_factory=dict)
    tags: dict[str, str] = field(default_factory=dict)
    last: int = 0


def fetch(game: Game, thread: Thread, *, every: bool = False) -> Fetched:
    """Fetch what is new in the thread of a game."""
    return fetched(game.where / "forum", thread, thread.door(to_write=False), every=every)


def fetched(forum: Path, thread: Thread, door: Door, *, every: bool = False) -> Fetched:
    """Fetch what is new through a door into a folder; Refused (cannot decide) while another program does."""
    folder = forum / FOLDER
    disk.make_folder(folder, private=True)
    try:
        with disk.exclusive(folder):
            return _fetched(folder, thread, door, every)
    except disk.Busy as busy:
        raise in_use(busy, forum) from None


def _fetched(folder: Path, thread: Thread, door: Door, every: bool) -> Fetched:
    kept = _read(folder.parent / "fetched.json", thread.name)
    first = 1 if every else max(1, kept.last - 1)
    new: list[Path] = []
    known = left = 0
    said: list[str] = []
    try:
        for page in door.pages(first, {int(number): tag for number, tag in kept.tags.items()}):
            number = str(page.number)
            shown = _shown(page) if page.data else ""
            if not page.data or kept.shown.get(number) == shown:
                known += 1
            else:
                path = folder / f"{hashlib.sha256(page.data).hexdigest()[:32]}.{page.kind}"
                disk.replace(path, page.data, private=True)
                new.append(path)
                kept.shown[number] = shown
            kept.tags[number] = page.tag
            kept.last, left = page.number, page.of - page.number
            _write(folder.parent / "fetched.json", kept)
    except Trouble as trouble:
        said.append(common_words().problem(trouble.problem.code, trouble.problem.args))
    return Fetched(tuple(new), known, tuple(said), left)


def _shown(page: Page) -> str:
    """Return a hash of the posts that a page shows; of one without any, of its bytes."""
    thread = pages.read(page.data, "page")
    said = [
        [post.id, post.author, post.author_id, post.edited, [[line.quoted, line.text] for line in post.lines]]
        for post in thread.posts
    ]
    data = json.dumps(said, ensure_ascii=False).encode("utf-8", "surrogatepass") if said else page.data
    return hashlib.sha256(data).hexdigest()


def _read(path: Path, thread: str) -> _Kept:
    with suppress(OSError, ValueError, AttributeError, KeyError, TypeError):
        if path.stat().st_size <= _MOST:
            said = from_json(path.read_text("utf-8"))
            if said["thread"] == thread:
                return _Kept(thread, _strings(said["shown"]), _strings(said["tags"]), int(said["last"]))
    return _Kept(thread)


def _strings(said: Mapping[str, str]) -> dict[str, str]:
    return {str(int(number)): str(one) for number, one in said.items()}


def _write(path: Path, kept: _Kept) -> None:
    data = json.dumps(
        {"thread": kept.thread, "last": kept.last, "shown": kept.shown, "tags": kept.tags}, indent=1
    )
    disk.replace(path, data.encode() + b"\n", private=True)


def games_of(root: Path) -> Iterator[tuple[Game, Thread] | str]:
    """Yield the games of an office that are played on a forum; of one that cannot be opened, what is wrong
    with it.
    """
    office = settings(root)
    with os.scandir(root) as entries:
        names = sorted(
            entry.name
            for entry in entries
            if entry.is_dir(follow_symlinks=False) and not entry.name.startswith(".")
        )
    for name in names:
        if not (root / name / "ledger").is_dir():
            continue
        try:
            game = open_game(root / name)
            if office.game(game.id, name).place is not None:
                yield game, thread_of(game, root)
        except Refused as refusal:
            words = common_words()
            yield f"{name}: " + "; ".join(
                words.problem(problem.code, problem.args) for problem in refusal.problems
            )
