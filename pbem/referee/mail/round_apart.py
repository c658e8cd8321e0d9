"""One game's part of a pass, done by another program than the one that has the office's letters.

It works on the game's own folder, under the lock that every verb takes there, and queues letters, each under
a name of its own. The books of the office it only reads: what would be written in them is handed back, for
one program alone writes them. So the part may be cut short, done again, or done twice at the same time: a
slot is played once, a letter is queued once.
"""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

from msgspec import Struct, to_builtins
from msgspec.structs import replace

from pbem.referee.game.environment import Environment
from pbem.referee.game.refusal import Refused
from pbem.referee.mail.changes import Known, Settings
from pbem.referee.mail.office import Trouble, open_house, said, settings
from pbem.referee.mail.queueing import Queue
from pbem.referee.mail.round import game_part
from pbem.referee.mail.round_context import Pending, RoundContext, Step
from pbem.referee.mail.troubles import Troubles
from pbem.store.outbox import Outbox
from pbem.store.postbag import Postbag
from pbem.text.words import speaking


class PartDone(Struct, frozen=True):
    """What came of a part: what was done, what needs the umpire, what is known of the game's settings, and
    what reminders are due.
    """

    steps: tuple[Step, ...] = ()
    troubles: tuple[Trouble, ...] = ()
    happened: tuple[Trouble, ...] = ()
    known: Known | None = None
    reminders: tuple[Pending, ...] = ()

    def plain(self) -> dict[str, Any]:
        """Return it as plain data."""
        found: dict[str, Any] = to_builtins(self)
        return found

    @classmethod
    def read(cls, plain: dict[str, Any]) -> PartDone:
        """Return what plain data say; TypeError or KeyError where they are not of this form."""
        known = plain["known"]
        players = {} if known is None else {seat: tuple(who) for seat, who in known["players"].items()}
        return cls(
            tuple(Step(**one) for one in plain["steps"]),
            tuple(Trouble(**one) for one in plain["troubles"]),
            tuple(Trouble(**one) for one in plain["happened"]),
            None if known is None else Known(**{**known, "players": players}),
            tuple(Pending(**one) for one in plain["reminders"]),
        )


class _ReadSettings(Settings):
    """What was known of the games; what is found out is kept in memory."""

    noted: Known | None = None

    def note(self, game: str, known: Known) -> None:
        """Keep in memory what is known of a game now."""
        self.noted = known


class _ReadBook(Troubles):
    """What the umpire was told; what has happened is kept in memory."""

    def _write(self) -> None:
        pass


def part_apart(
    env: Environment, root: Path, folder: str, now: datetime, fetched: datetime, *, pictures: bool
) -> PartDone:
    """Do the part of the game in one folder of an office, as the pass would that fetched its letters at
    ``fetched``.
    """
    troubles: list[Trouble] = []
    env = replace(env, tell=lambda problem: troubles.append(Trouble("", said(Refused([problem])))))
    with speaking(settings(root).language):
        return _part(env, root, folder, now, fetched, troubles, pictures=pictures)


def _part(
    env: Environment,
    root: Path,
    folder: str,
    now: datetime,
    fetched: datetime,
    troubles: list[Trouble],
    *,
    pictures: bool,
) -> PartDone:
    house = open_house(env, root, only=folder)
    box, book, settings = Outbox(house.post), _ReadBook.read(house.post), _ReadSettings(house.post)
    before = frozenset(book.events)
    ctx = RoundContext(
        env=env,
        house=house,
        bag=Postbag(house.post),
        box=box,
        now=now,
        fetched=fetched,
        book=book,
        mail=Queue(house, box, book, now),
        settings=settings,
        pictures=pictures,
        troubles=troubles,
    )
    if not house.games:
        troubles += house.troubles
    steps = [step for id_ in list(house.games) if id_ not in house.held for step in game_part(ctx, id_)]
    happened = tuple(Trouble(**event) for id_, event in book.events.items() if id_ not in before)
    return PartDone(tuple(steps), tuple(ctx.troubles), happened, settings.noted, tuple(ctx.reminders))


def taken_over(ctx: RoundContext, id_: str, done: PartDone) -> None:
    """Write what came of a game's part in the books of the office; open the game anew where it changed."""
    for trouble in done.happened:
        ctx.book.happened(trouble)
    ctx.troubles += done.troubles
    ctx.reminders += done.reminders
    if done.known is not None:
        ctx.settings.note(id_, done.known)
    if done.steps:
        ctx.house.refresh(id_)
