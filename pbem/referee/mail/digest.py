"""The umpire's letter of the day: what needs him, and how all games stand.

It goes once on each day, in the first round after its time; after a gap there is one, for the day that it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from zoneinfo import ZoneInfo

from pbem.post.offices.office import Office
from pbem.post.offices.timing import on_day
from pbem.post.write.digest import DayOf, GameLine, ToDo, digest_letter
from pbem.referee.mail import overview
from pbem.referee.mail.desk import Desk, look
from pbem.referee.mail.round_context import RoundContext, Step
from pbem.store.library import common_words


def digest(ctx: RoundContext) -> Iterator[Step]:
    """Queue the letter of the day where its time has come and it has not been queued."""
    office = ctx.house.office
    key = key_of(office, ctx.now)
    if not key or ctx.mail.knows(key):
        return
    desk = look(ctx.env, ctx.house.root, ctx.now)
    ctx.mail.letter(key, digest_letter(day_of(desk), common_words()), "")
    yield Step("digest", said=office.umpire)


def key_of(office: Office, now: datetime) -> str:
    """Return the name of the letter that is due at a time; empty where none is."""
    if office.digest is None or not office.umpire:
        return ""
    local = now.astimezone(ZoneInfo(office.zone))
    return f"digest-{local:%Y-%m-%d}" if (local.hour, local.minute) >= office.digest else ""


def day_of(desk: Desk) -> DayOf:
    """Return what the letter tells of a desk."""
    titles = {row.id: f"{row.title} ({row.folder})" for row in desk.rows}
    local = desk.now.astimezone(ZoneInfo(desk.office.zone))
    games = []
    for row in desk.rows:
        folder, turn, waits, since, due, score = overview.cells(row, desk.now)
        games.append(GameLine(f"{row.title} ({folder})", turn, waits, since, due, score, over=row.over))
    return DayOf(
        on_day(local.date(), common_words()),
        tuple(ToDo(titles.get(need.game, ""), need.said, need.command) for need in desk.needs),
        tuple(games),
    )
