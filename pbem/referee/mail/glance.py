"""A game at a glance, as ``status`` tells it: whose move it is, since when and until when, the score, and
what is worth knowing. What was found is kept until anything is written.

What a glance says follows from the files of the game and of its keys on this computer, and from the program;
what the hour adds is added when it is told. So it is kept on the user's shelf (``store.shelf``) under the
marks of all of these (``store.marks``), one for each folder, and is found again only where every mark is the
same; else, and wherever something else counts too (an office, another copy of the game, rules of others), the
game is looked into. This module loads none of what looks into a game. Nothing but ``status`` uses it.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from msgspec import DecodeError, Struct, ValidationError, json

from pbem.post.offices.timing import moment, span
from pbem.store import marks, sent_records, shelf
from pbem.store.keys import Keyring
from pbem.store.library import common_words
from pbem.store.marks import Marks
from pbem.text.words import Words, in_force

FORMAT: Final = 1
AHEAD: Final = timedelta(hours=1)
"""So much clocks may differ before a record is said to be of a time that has not come."""


class Waited(Struct, frozen=True):
    """Who is waited for, as people say it, and what for: ``orders``, ``draft``, ``answer``, ``luck`` or
    ``join``.
    """

    kind: str
    who: str


class Glance(Struct, frozen=True):
    """Where a game stands. ``since`` and ``until`` are of what is open; None where nothing is, or nobody is
    ever late.

    ``score`` has each side's name and points as if the game ended now; ``notes`` are the lines below it;
    ``newest`` is the time of the newest record.
    """

    id: str
    title: str
    said: str
    over: bool
    waits: tuple[Waited, ...]
    since: datetime | None
    until: datetime | None
    zone: str
    held: bool
    score: tuple[tuple[str, int], ...]
    winner: str
    why: str
    notes: tuple[str, ...]
    newest: datetime

    def is_ahead(self, now: datetime) -> bool:
        """Tell whether its newest record is of a time that the clock has not come to."""
        return self.newest > now + AHEAD


class _Kept(Struct, frozen=True):
    format: int
    program: str
    files: Marks
    keys: Marks
    office: str
    """Where the settings of an office would lie."""
    glance: Glance


def told(here: Glance, now: datetime) -> Iterator[str]:
    """Yield the lines of one game: what it is and where it stands, whom it waits for, the score, and what is
    worth knowing.
    """
    words = common_words()
    yield words.phrase("status.title", title=here.title, game=here.id, stands=here.said)
    for one in here.waits:
        yield "  " + words.phrase(f"status.wait-{one.kind}", who=one.who)
    if not here.waits and not here.over:
        yield "  " + words.phrase("status.wait-nobody")
    if clock := list(_clock(here, now, words)):
        yield "  " + ", ".join(clock)
    if here.over:
        yield "  " + words.phrase(
            "status.winner" if here.winner else "status.no-winner", winner=here.winner, why=here.why
        )
    if here.score:
        points = ", ".join(
            words.phrase("status.points", side=side, points=count) for side, count in here.score
        )
        yield "  " + words.phrase("status.score-over" if here.over else "status.score", score=points)
    yield from (f"  {line}" for line in here.notes)


def _clock(here: Glance, now: datetime, words: Words) -> Iterator[str]:
    if here.since is not None and not here.over:
        yield words.phrase("status.open", since=span(max(now - here.since, timedelta()), words))
    if here.until is not None:
        late = bool(here.waits) and now > here.until
        when = moment(here.until, here.zone, now, words)
        yield words.phrase("status.late" if late else "status.due", when=when)
    if here.held:
        yield words.phrase("status.held")


# --- kept until anything is written


def found_again(keyring: Keyring, where: Path, now: datetime) -> Glance | None:
    """Return what was kept of a game in a folder, where nothing of all that it follows from has changed."""
    own = shelf.own(shelf.READ)
    data = own.get(_key(where)) if own is not None else None
    if data is None:
        return None
    try:
        kept = json.decode(data, type=_Kept)
    except (DecodeError, ValidationError):
        return None
    same = kept.format == FORMAT and not kept.glance.is_ahead(now) and _is_same(kept, keyring, where)
    return kept.glance if same else None


def of_files(where: Path) -> Marks | None:
    """Return the marks of a game's folder; None where they cannot be told."""
    return marks.of_folders((where.resolve(),))


def of_keys(keyring: Keyring, game: str) -> Marks | None:
    """Return the marks of what lies on this computer of a game; None where they cannot be told."""
    return marks.of_folders((keyring.folder(game),))


def keep(
    keyring: Keyring, where: Path, office: Path, files: Marks | None, keys: Marks | None, glance: Glance
) -> None:
    """Keep what was found of a game in a folder; nothing where more counts than marks tell.

    ``files`` and ``keys`` are the marks as they were before anything was looked at. ``office`` is where the
    settings of an office would lie.
    """
    own, program = shelf.own(shelf.READ), marks.of_program()
    if own is None or program is None or files is None or keys is None:
        return
    last = sent_records.read(keyring.told_file(glance.id))
    elsewhere = bool(last) and last[-1].folder not in ("", str(where.resolve()))
    kept = _Kept(FORMAT, program, files, keys, str(office), glance)
    if elsewhere or glance.until is not None or glance.held or not _is_same(kept, keyring, where):
        return
    own.put(_key(where), json.encode(kept))


def _is_same(kept: _Kept, keyring: Keyring, where: Path) -> bool:
    return (
        kept.program == marks.of_program()
        and not Path(kept.office).is_file()
        and marks.are_same(kept.files, where.resolve())
        and marks.are_same(kept.keys, keyring.folder(kept.glance.id))
    )


def _key(where: Path) -> str:
    place = os.path.realpath(where)  # Path.resolve raises where links go round in a ring
    return hashlib.sha256(os.fsencode(f"glance\0{in_force()}\0{where}\0{place}")).hexdigest()
