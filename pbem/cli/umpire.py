"""What an umpire does beside the rules: to the time of a game."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem.cli import params
from pbem.cli.refused import print_json

if TYPE_CHECKING:
    from pbem.referee.mail.umpire_time import Spoken

_why: Callable[[Any], Any] = click.option(
    "--why", required=True, metavar="TEXT", help="The reason: it stands in the ledger, and everybody is told."
)


@click.group("umpire")
def umpire_() -> None:
    """Give more time, let a game stand still and go on, put a player down as away, remind.

    Each is signed into the ledger with its reason, and the next round tells everybody.

    \b
    Example:
      pbem umpire extend games/toll --by "3 days" --why "Ann moves house"
    """


@umpire_.command("extend")
@params.game
@click.option("--by", metavar="TIME", help="So much longer: '3 days', '6 hours'. Whole days by the calendar.")
@click.option("--until", metavar="'DAY TIME'", help="Until then, in the office's zone: '2026-12-24 21:00'.")
@_why
@params.i_know
@params.as_json
def extend(game: Path, by: str | None, until: str | None, why: str, i_know: bool, json_: bool) -> None:
    """Put the deadline of the open turn off. It cannot be taken back.

    \b
    Example:
      pbem umpire extend games/toll --by "3 days" --why "Ann moves house"
      pbem umpire extend games/toll --until "2026-12-24 21:00" --why "the mail was down"
    """
    if (by is None) == (until is None):
        raise click.UsageError("one of --by and --until")
    from pbem.referee.mail.umpire_time import extend as do

    env = params.env(i_know)
    if by is not None:
        _tell(game, do(env, game, why, by=_length(by)), json_)
    else:
        _tell(game, do(env, game, why, moment=_moment(until or "")), json_)


@umpire_.command("pause")
@params.game
@_why
@params.i_know
@params.as_json
def pause(game: Path, why: str, i_know: bool, json_: bool) -> None:
    """Let a game stand still: nobody is late, and no time passes, until it goes on.

    \b
    Example:
      pbem umpire pause games/toll --why "the club is on holiday"
    """
    from pbem.referee.mail.umpire_time import pause as do

    _tell(game, do(params.env(i_know), game, why), json_)


@umpire_.command("resume")
@params.game
@_why
@params.i_know
@params.as_json
def resume(game: Path, why: str, i_know: bool, json_: bool) -> None:
    """Let a paused game go on. Everybody has a day at least, or the length of the turn if that is shorter.

    \b
    Example:
      pbem umpire resume games/toll --why "everybody is back"
    """
    from pbem.referee.mail.umpire_time import resume as do

    _tell(game, do(params.env(i_know), game, why), json_)


@umpire_.command("absent")
@params.game
@params.seat
@click.option("--from", "first", required=True, metavar="DAY", help="The first day: 2026-12-24, where he is.")
@click.option("--to", "last", required=True, metavar="DAY", help="The last day.")
@click.option("--anyway", is_flag=True, help="Whatever was agreed on about leave; the umpire's own gift.")
@_why
@params.i_know
@params.as_json
def absent(
    game: Path, seat: str | None, first: str, last: str, anyway: bool, why: str, i_know: bool, json_: bool
) -> None:
    """Put a player down as away: those days do not count for him. It cannot be taken back.

    \b
    Example:
      pbem umpire absent games/toll --seat west --from 2026-12-24 --to 2027-01-02 --why "holidays"
    """
    if seat is None:
        raise click.UsageError("whose leave is it? --seat")
    from pbem.referee.mail.umpire_time import absent as do

    days = _day(first), _day(last)
    _tell(game, do(params.env(i_know), game, why, seat, *days, anyway=anyway), json_)


@umpire_.command("remind")
@params.game
@params.seat
@_why
@params.i_know
@params.as_json
def remind(game: Path, seat: str | None, why: str, i_know: bool, json_: bool) -> None:
    """Write a reminder to everybody that the game waits for, or to one of them. It changes nothing.

    \b
    Example:
      pbem umpire remind games/toll --seat west --why "the others would like to go on before Sunday"
    """
    from pbem.referee.mail.umpire_time import remind as do
    from pbem.store.library import english

    seats = do(params.env(i_know), game, why, seat or "")
    if json_:
        print_json({"does": "remind", "seats": list(seats)})
        return
    click.echo(
        english().phrase("time.reminded", count=len(seats), seats=list(seats), office=str(_office(game)))
    )


def _tell(game: Path, spoken: Spoken, json_: bool) -> None:
    """Say what a word came to."""
    from pbem.post.offices.timing import at_time
    from pbem.store.library import english

    due = spoken.due
    if json_:
        at = due.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ") if due is not None else ""
        print_json({"does": spoken.does, "slot": spoken.slot, "due": at, **spoken.said})
        return
    words = english()
    if due is None:
        click.echo(words.phrase("time.no-due"))
    else:
        moment = at_time(due, str(due.tzinfo), words)
        click.echo(words.phrase("time.is-due", slot=spoken.slot, moment=moment))
    back = {"pause": "resume", "resume": "pause"}.get(spoken.does)
    command = f"pbem umpire {back} {game} --why '...'"
    click.echo(words.phrase("time.and-back", command=command) if back else words.phrase("time.for-good"))
    click.echo(words.phrase("time.told", office=str(_office(game))))
    if spoken.untold:
        click.echo(words.phrase("time.untold", sides=list(spoken.untold), count=len(spoken.untold)))


def _office(game: Path) -> Path:
    return game.parent


def _length(text: str) -> int:
    from pbem.club.reading import is_length, minutes

    if not is_length(text):
        raise _wrong(text, "length of time", "3 days, or 6 hours")
    return minutes(text)


def _moment(text: str) -> datetime:
    try:
        return datetime.strptime(text, "%Y-%m-%d %H:%M")
    except ValueError:
        raise _wrong(text, "day and time", "2026-12-24 21:00") from None


def _day(text: str) -> date:
    try:
        return datetime.strptime(text, "%Y-%m-%d").date()
    except ValueError:
        raise _wrong(text, "day", "2026-12-24") from None


def _wrong(text: str, what: str, example: str) -> Exception:
    from pbem.referee.game.refusal import refuse

    return refuse("time.form", text=text[:60], what=what, example=example)
