"""What an umpire does beside the rules: to the time of a game, its players and its end."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem.cli import params
from pbem.cli.refused import print_json
from pbem.cli.ruling import correct_, rule_
from pbem.cli.umpire_dossier import dossier_
from pbem.cli.umpire_release import release
from pbem.cli.umpire_requests import grant_, length_of, refuse_, requests_
from pbem.cli.umpire_succession import deputy_, takeover_

if TYPE_CHECKING:
    from pbem.referee.mail.umpire_speaking import Spoken

_why: Callable[[Any], Any] = click.option(
    "--why", required=True, metavar="TEXT", help="The reason: it stands in the ledger, and everybody is told."
)


@click.group("umpire")
def umpire_() -> None:
    """Give more time, pause, put players down as away, remind, say something, substitute, end a game.

    Each is signed into the ledger with its reason, but for a reminder; the next round tells everybody.

    \b
    Example:
      pbem umpire extend games/toll --by "3 days" --why "Ann moves house"
    """


for _one in (requests_, grant_, refuse_, release, dossier_, deputy_, takeover_):
    umpire_.add_command(_one)


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
        _tell(game, do(env, game, why, by=length_of(by)), json_)
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
@click.option("--why", required=True, metavar="TEXT", help="The reason: it stands in the reminder.")
@params.i_know
@params.as_json
def remind(game: Path, seat: str | None, why: str, i_know: bool, json_: bool) -> None:
    """Write a reminder to everybody that the game waits for, or to one of them. It changes nothing.

    \b
    Example:
      pbem umpire remind games/toll --seat west --why "the others would like to go on before Sunday"
    """
    from pbem.referee.mail.umpire_time import remind as do
    from pbem.store.library import common_words

    seats = do(params.env(i_know), game, why, seat or "")
    if json_:
        print_json({"does": "remind", "seats": list(seats)})
        return
    click.echo(
        common_words().phrase("time.reminded", count=len(seats), seats=list(seats), office=str(_office(game)))
    )


@umpire_.command("say")
@params.game
@click.argument("text")
@click.option("--seat", "seats", multiple=True, metavar="SEAT", help="To this seat alone; may be repeated.")
@params.i_know
@params.as_json
def say(game: Path, text: str, seats: tuple[str, ...], i_know: bool, json_: bool) -> None:
    """Say something to everybody of a game, in its ledger too; or by letter alone to some seats, or, where
    GAME is an office, to all its players. It cannot be taken back.

    \b
    Example:
      pbem umpire say games/toll "The bridge counts as stone, whatever the map looks like."
      pbem umpire say games/toll "Your luck words came twice; all is well." --seat west
      pbem umpire say games "The office is closed over Christmas."
    """
    from pbem.post.offices.office import FILE
    from pbem.referee.game.refusal import refuse
    from pbem.referee.mail import umpire_word
    from pbem.store.library import common_words

    if not text.strip():
        raise refuse("word.empty")
    env, office = params.env(i_know), (game / FILE).is_file()
    if not seats and not office:
        _tell(game, umpire_word.say(env, game, text), json_)
        return
    who = umpire_word.write_to(env, game, text, seats)
    if json_:
        print_json({"does": "say", "seats" if not office else "players": list(who)})
        return
    where = str(game if office else _office(game))
    click.echo(common_words().phrase("word.told-letters", count=len(who), names=list(who), office=where))
    click.echo(common_words().phrase("word.no-record"))


@umpire_.command("substitute")
@params.game
@params.seat
@click.option("--player", metavar="NAME", help="His short name in pbem.toml: [players.NAME].")
@click.option("--bot", metavar="NAME", help="Instead of a player: a bot, such as sergeant.")
@_why
@params.i_know
@params.as_json
def substitute(
    game: Path, seat: str | None, player: str | None, bot: str | None, why: str, i_know: bool, json_: bool
) -> None:
    """Give a seat to another player: he gets the turn, the sheet and a code of his own, and the whole time
    for it again. Or to a bot, which plays in each round. The way back is another substitute.

    \b
    Example:
      pbem umpire substitute games/toll --seat west --player dora --why "Bob has no time"
      pbem umpire substitute games/toll --seat west --bot sergeant --why "nobody has heard of Bob"
    """
    if seat is None:
        raise click.UsageError("which seat gets another player? --seat")
    if (player is None) == (bot is None):
        raise click.UsageError("one of --player and --bot")
    from pbem.proof.spoken import BOT
    from pbem.referee.mail.umpire_word import substitute as do
    from pbem.store.library import common_words

    spoken = do(params.env(i_know), game, why, seat, f"{BOT}{bot}" if player is None else player)
    if not json_ and player is None:
        click.echo(common_words().phrase("word.bot-comes", bot=common_words().phrase("bot.player", bot=bot)))
    elif not json_:
        click.echo(common_words().phrase("word.new-code", player=player))
    _tell(game, spoken, json_)


@umpire_.command("end")
@params.game
@click.option("--resigned", metavar="SEAT", help="This seat has resigned; the other side has won.")
@click.option("--agreed", is_flag=True, help="Everybody has agreed on it; needs --draw or --winner.")
@click.option("--draw", is_flag=True, help="It is a draw.")
@click.option("--winner", metavar="SIDE", help="This side has won.")
@_why
@params.i_know
@params.as_json
def end(
    game: Path,
    resigned: str | None,
    agreed: bool,
    draw: bool,
    winner: str | None,
    why: str,
    i_know: bool,
    json_: bool,
) -> None:
    """End a game that goes on: somebody has resigned, or all have agreed. (Your own judgement: adjudicate.)

    \b
    Example:
      pbem umpire end games/toll --resigned west --why "his letter of Friday"
      pbem umpire end games/toll --agreed --draw --why "both wrote so"
    """
    if (resigned is None) == (not agreed):
        raise click.UsageError("one of --resigned and --agreed")
    if draw and winner is not None:
        raise click.UsageError("one of --draw and --winner")
    if agreed and not draw and winner is None:
        raise click.UsageError("what have they agreed on? --draw or --winner SIDE")
    from pbem.referee.mail import umpire_word

    result = "draw" if draw else winner or ""
    _ended(game, umpire_word.end_by_players(params.env(i_know), game, why, resigned or "", result), json_)


@umpire_.command("adjudicate")
@params.game
@click.option("--draw", is_flag=True, help="It is a draw.")
@click.option("--winner", metavar="SIDE", help="This side has won.")
@click.option("--as-it-stands", "stands", is_flag=True, help="Whoever would win if it ended now has won.")
@click.option(
    "--why", default="", metavar="TEXT", help="The reason: it stands in the ledger, and everybody is told."
)
@params.i_know
@params.as_json
def adjudicate(
    game: Path, draw: bool, winner: str | None, stands: bool, why: str, i_know: bool, json_: bool
) -> None:
    """Show the score of an unfinished game as it stands; with a result and a reason, end the game with it.

    \b
    Example:
      pbem umpire adjudicate games/toll
      pbem umpire adjudicate games/toll --as-it-stands --why "the tournament is over"
    """
    from pbem.referee.mail import umpire_word

    if draw + (winner is not None) + stands > 1:
        raise click.UsageError("one of --draw, --winner and --as-it-stands")
    if not (draw or stands or winner is not None):
        _show_standing(game, json_)
        return
    if not why.strip():
        raise click.UsageError("a result needs a reason: --why")
    won = "draw" if draw else umpire_word.AS_IT_STANDS if stands else winner or ""
    _ended(game, umpire_word.end(params.env(i_know), game, why, "adjudicated", won), json_)


@umpire_.command("reopen")
@params.game
@_why
@params.i_know
@params.as_json
def reopen(game: Path, why: str, i_know: bool, json_: bool) -> None:
    """Take back the end of a game that your word has ended: it goes on where it was.

    \b
    Example:
      pbem umpire reopen games/toll --why "it was the other game that Bob resigned"
    """
    from pbem.referee.mail.umpire_word import reopen as do

    _tell(game, do(params.env(i_know), game, why), json_)


def _show_standing(game: Path, json_: bool) -> None:
    from pbem.referee.mail.umpire_word import standing_of
    from pbem.store.library import common_words

    now, words = standing_of(game), common_words()
    if json_:
        score = [{"side": side, "points": points} for side, _, points in now.score]
        print_json({"does": "adjudicate", "score": score, "leads": now.leads})
        return
    score_ = ", ".join(
        words.phrase("status.points", side=name, points=points) for _, name, points in now.score
    )
    click.echo(words.phrase("word.score", score=score_))
    click.echo(
        words.phrase("word.leads", result=_result(now.leads, {side: name for side, name, _ in now.score}))
    )
    click.echo(words.phrase("word.then", command=f"pbem umpire adjudicate {game} --as-it-stands --why '...'"))


def _ended(game: Path, spoken: Spoken, json_: bool) -> None:
    from pbem.referee.mail.umpire_word import names_of
    from pbem.store.library import common_words

    if not json_:
        result = _result(str(spoken.said.get("winner", "draw")), names_of(game))
        click.echo(common_words().phrase("word.ended", result=result))
    _tell(game, spoken, json_)


def _result(winner: str, names: Mapping[str, str]) -> str:
    from pbem.store.library import common_words

    if winner == "draw":
        return common_words().phrase("word.drawn")
    return common_words().phrase("word.won", winner=names.get(winner, winner))


_BACK: Mapping[str, str] = {"pause": "resume", "resume": "pause", "end": "reopen", "substitute": "substitute"}
umpire_.add_command(rule_)
umpire_.add_command(correct_)


def _tell(game: Path, spoken: Spoken, json_: bool) -> None:
    """Say what a word came to."""
    from pbem.post.offices.office import FILE
    from pbem.post.offices.timing import at_time
    from pbem.store.library import common_words

    due = spoken.due
    if json_:
        at = due.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ") if due is not None else ""
        print_json({"does": spoken.does, "slot": spoken.slot, "due": at, **spoken.said})
        return
    words = common_words()
    if spoken.does == "end":
        pass
    elif due is None:
        click.echo(words.phrase("time.no-due" if spoken.does == "pause" else "time.none-due"))
    else:
        moment = at_time(due, str(due.tzinfo), words)
        click.echo(words.phrase("time.is-due", slot=spoken.slot, moment=moment))
    back = _BACK.get(spoken.does)
    of = (
        f" --seat {spoken.said['seat']}{_was(str(spoken.said.get('was', '')))}"
        if back == "substitute"
        else ""
    )
    command = f"pbem umpire {back} {game}{of} --why '...'"
    click.echo(words.phrase("time.and-back", command=command) if back else words.phrase("time.for-good"))
    if (_office(game) / FILE).is_file():
        click.echo(words.phrase("time.told", office=str(_office(game))))
    if spoken.untold:
        click.echo(words.phrase("time.untold", sides=list(spoken.untold), count=len(spoken.untold)))


def _was(player: str) -> str:
    from pbem.proof.spoken import BOT

    return f" --bot {player.removeprefix(BOT)}" if player.startswith(BOT) else f" --player {player or 'NAME'}"


def _office(game: Path) -> Path:
    return game.parent


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
