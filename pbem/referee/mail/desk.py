"""The umpire's desk: all games of an office, and what needs him in each, with the command for it.

One list for the terminal, for his daily letter and for his page. ``next`` names the one thing to do first;
here stands everything. Nothing is done, and nothing is written but what ``kept_games`` keeps.
"""

from __future__ import annotations

import os
import re
import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from msgspec import Struct

from pbem.club.missed import LOSS, SUBSTITUTE
from pbem.post.offices.office import Office
from pbem.post.offices.timing import span
from pbem.post.write.cover import one_line
from pbem.referee.game.environment import Environment
from pbem.referee.mail.desk_rows import Row, Seated, rows
from pbem.referee.mail.office import POST, Trouble, misspelt, settings
from pbem.referee.mail.request_book import OPEN, RequestBook
from pbem.store import umpire
from pbem.store.library import common_words
from pbem.store.outbox import Outbox
from pbem.store.postbag import Postbag

SILENT: Final = timedelta(days=7)
"""After so long somebody whom nothing else reminds is worth a word of the umpire."""
LONGEST: Final = 400
"""Characters of a sentence."""
TROUBLE: Final = "trouble"
"""The kind of what stops a game or the office."""
WHY: Final = "..."
"""What stands in a command for the umpire's reason."""
_GAME: Final = re.compile(r"\[([a-z0-9][a-z0-9-]{0,60})\]")


class Need(Struct, frozen=True):
    """A thing that needs the umpire: what kind of thing, in which game (empty: the office itself), a
    sentence, and the command for it; empty where none helps.
    """

    kind: str
    game: str
    said: str
    command: str = ""


class Desk(Struct, frozen=True):
    """An office as its umpire sees it at a moment: its games, sorted by what needs him, and what needs him.

    ``letters`` are those that wait for him, each with its name and subject, oldest first.
    """

    root: Path
    office: Office
    now: datetime
    rows: tuple[Row, ...]
    needs: tuple[Need, ...]
    letters: tuple[tuple[str, str], ...] = ()
    troubles: tuple[Trouble, ...] = ()

    def of(self, game: str) -> tuple[Need, ...]:
        """Return what needs the umpire in one game."""
        return tuple(need for need in self.needs if need.game == game)

    def letters_of(self, game: str) -> int:
        """Return how many of the letters that wait are about a game."""
        return sum(_about(subject) == game for _, subject in self.letters)


def look(env: Environment, root: Path, now: datetime) -> Desk:
    """Return the desk of an office; Refused where its settings cannot be used."""
    office, troubles = settings(root), list[Trouble]()
    found = list(rows(env, root, troubles))
    troubles += misspelt(root, office, {row.id: row.folder for row in found})
    letters = tuple(umpire.waiting(root / POST / umpire.FOLDER))
    needs = [*_of_office(root, office, troubles, letters)]
    asked = Counter(one.game for one in RequestBook(root / POST, b"").waiting() if one.state == OPEN)
    by_game = {row.id: [*_asked(root, row, asked), *_of_game(root, row, now)] for row in found}
    found.sort(key=lambda row: (not by_game[row.id], *urgent(row, now)))
    needs += [need for row in found for need in by_game[row.id]]
    return Desk(root, office, now, tuple(found), tuple(needs), letters, tuple(troubles))


def urgent(row: Row, now: datetime) -> tuple[int, float, str]:
    """Return what games are sorted by: the umpire's own move, what a round plays on, who is late, who is due,
    who has no deadline, what has not begun, what is over.
    """
    at = row.until or row.since
    ranks = (
        bool(row.own) or row.to_release,
        row.due(now),
        row.late(now),
        row.until is not None and not row.held,
        row.started and not row.over,
        not row.over,
    )
    rank = ranks.index(True) if True in ranks else len(ranks)
    return rank, at.timestamp() if at is not None else 0.0, row.id


# --- the office


def _of_office(
    root: Path, office: Office, troubles: Sequence[Trouble], letters: Sequence[tuple[str, str]]
) -> Iterator[Need]:
    words = common_words()
    for one in troubles:
        yield Need(TROUBLE, "", one_line(f"{one.where}: {one.said}" if one.where else one.said, LONGEST))
    if letters:
        first = one_line(letters[-1][1], 60)
        said = words.phrase("desk.letters", count=len(letters), first=first)
        yield Need("letters", "", said, typed("mail", "umpire", root))
    from pbem.referee.mail.couriers import by_hand, in_inbox

    bag, box = Postbag(root / POST), Outbox(root / POST)
    came = sum(1 for _ in bag.waiting()) + in_inbox(root, bag)
    if came:
        yield Need("came", "", words.phrase("desk.came", count=came), typed("run", root))
    for held in box.held():
        said = words.phrase("desk.doubt", letter=held.key, to=list(held.doubt))
        yield Need("doubt", "", said, typed("mail", "send", root, "--again", held.key))
    if count := by_hand(office, box):
        yield Need(
            "send", "", words.phrase("desk.send", count=count), typed("mail", "send", root, "--dry-run")
        )


# --- a game


def _asked(root: Path, row: Row, asked: Mapping[str, int]) -> Iterator[Need]:
    """Yield that players wait for the umpire's yes or no."""
    if not row.over and (count := asked.get(row.id, 0)):
        said = common_words().phrase("desk.asked", count=count)
        yield Need("asked", row.id, said, typed("umpire", "requests", root))


def _of_game(root: Path, row: Row, now: datetime) -> Iterator[Need]:
    words, where = common_words(), root / row.folder
    if row.over:
        return
    open_for = span(max(now - (row.since or row.made), timedelta()), words)
    who = [one.who for one in row.waits]
    if not row.started:
        if now - row.made > SILENT:
            said = words.phrase("desk.not-begun", who=who, span=open_for)
            yield Need("join", row.id, said, typed("mail", "seats", root))
        return
    for one in row.own:
        said = words.phrase(f"desk.mine-{one.kind}", side=one.side, turn=row.turn)
        sheet = typed("options", where, "--seat", one.seat, "-o", f"{one.seat}.yaml")
        handed = typed("submit", f"{one.seat}.yaml", "--game", where, "--seat", one.seat)
        yield Need("mine", row.id, said, handed if one.kind == "draft" else sheet)
    if row.held:
        how = "" if row.by_settings else typed("umpire", "resume", where, "--why", WHY)
        key = "desk.hold" if row.by_settings else "desk.paused"
        yield Need("hold", row.id, words.phrase(key, game=row.id), how)
        return
    if row.to_release:
        said = words.phrase("desk.release", turn=row.turn, span=open_for)
        yield Need("release", row.id, said, typed("umpire", "release", where))
        return
    if row.due(now):
        yield Need(
            "due", row.id, words.phrase("desk.due" if row.waits else "desk.all-in"), typed("run", root)
        )
        return
    others = [one.who for one in row.waits if not one.own]
    silent = row.until is None and row.since is not None and now - row.since > SILENT
    if others and ((row.late(now) and row.pinned) or silent):
        said = words.phrase("desk.silent", who=others, span=open_for)
        yield Need("silent", row.id, said, typed("umpire", "remind", where, "--why", WHY))
    for seat in row.seats:
        if seat.cost in (SUBSTITUTE, LOSS):
            key = f"desk.missed-{seat.cost}"
            said = words.phrase(key, who=seat.who, count=seat.against, game=row.id, seat=seat.seat)
            yield Need("missed", row.id, one_line(said, LONGEST), _instead(where, seat))


def _instead(where: Path, seat: Seated) -> str:
    """Return the command by which the umpire does what a seat's misses were agreed to cost."""
    if seat.cost == SUBSTITUTE:
        who = ("--seat", seat.seat, "--player", "NAME")
        return typed("umpire", "substitute", where, *who, "--why", WHY)
    return typed("umpire", "adjudicate", where, "--winner", "SIDE", "--why", WHY)


# --- words


def typed(verb: str, *words: str | Path) -> str:
    """Return a command as it is typed."""
    return " ".join(["pbem", verb, *(shlex.quote(os.fspath(word)) for word in words)])


def _about(subject: str) -> str:
    """Return the game that a letter to the umpire is about, by its subject; empty where it names none."""
    found = _GAME.search(subject)
    return found[1] if found else ""
