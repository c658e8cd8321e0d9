"""What an umpire says to requests of players: what waits for him, yes and no."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli import params
from pbem.cli.refused import print_json

if TYPE_CHECKING:
    from pbem.referee.mail.request_desk import Desk


_office = click.argument("office", type=click.Path(path_type=Path), metavar="FOLDER")


@click.command("requests")
@_office
@params.as_json
def requests_(office: Path, json_: bool) -> None:
    """List what players have asked for and nobody has decided yet.

    \b
    Example:
      pbem umpire requests games
    """
    from pbem.store.library import common_words

    with _desk(office) as desk:
        rows = list(desk.waiting())
    if json_:
        print_json({"does": "requests", "requests": [one.plain() for one in rows]})
        return
    words = common_words()
    for one in rows:
        key = "request.row-waits" if one.waits_for else "request.row"
        who, count = list(one.waits_for), len(one.waits_for)
        click.echo(words.phrase(key, id=one.id, game=one.game, what=one.what, who=who, count=count))
    if not rows:
        click.echo(words.phrase("request.none"))


@click.command("grant")
@_office
@click.argument("id_", metavar="REQUEST")
@click.option("--by", metavar="TIME", help="So much more time, whatever he asked for.")
@click.option("--why", default="", metavar="TEXT", help="What you want to say to it; everybody is told.")
@params.i_know
@params.as_json
def grant_(office: Path, id_: str, by: str | None, why: str, i_know: bool, json_: bool) -> None:
    """Say yes to a request: leave, more time, a draw, a resignation. The next round tells everybody.

    \b
    Example:
      pbem umpire grant games 3f2a91c0 --why "the mail was down"
    """
    _decide(office, id_, why, i_know, json_, yes=True, minutes=length_of(by) if by is not None else 0)


@click.command("refuse")
@_office
@click.argument("id_", metavar="REQUEST")
@click.option("--why", default="", metavar="TEXT", help="The reason; who asked is told.")
@params.i_know
@params.as_json
def refuse_(office: Path, id_: str, why: str, i_know: bool, json_: bool) -> None:
    """Say no to a request. Who asked is told in the next round.

    \b
    Example:
      pbem umpire refuse games 3f2a91c0 --why "the tournament ends on Sunday"
    """
    _decide(office, id_, why, i_know, json_, yes=False)


def length_of(text: str) -> int:
    """Return the minutes of a length such as ``3 days``; Refused where it is none."""
    from pbem.club.reading import is_length, minutes
    from pbem.referee.game.refusal import refuse

    if not is_length(text):
        raise refuse("time.form", text=text[:60], what="length of time", example="3 days, or 6 hours")
    return minutes(text)


def _decide(
    office: Path, id_: str, why: str, i_know: bool, json_: bool, *, yes: bool, minutes: int = 0
) -> None:
    with _desk(office, i_know) as desk:
        title, follows = desk.decide(id_, yes=yes, why=why, minutes=minutes)
    if json_:
        print_json({"does": "grant" if yes else "refuse", "request": id_})
        return
    click.echo(f"{title}. {follows}")


@contextmanager
def _desk(office: Path, i_know: bool = False) -> Iterator[Desk]:
    from pbem.referee.mail.request_desk import desk

    with desk(params.env(i_know), office) as found:
        yield found
