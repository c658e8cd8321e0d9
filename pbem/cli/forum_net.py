"""What forum verbs do over the network: forum post --send, forum fetch."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from pbem.cli import UNDECIDED, params
from pbem.cli.refused import print_json

if TYPE_CHECKING:
    from pbem.forum.dialects import Dialect
    from pbem.referee.forum.forum_couriers import Thread
    from pbem.referee.forum.forum_posting import Posting
    from pbem.referee.game.game import Game
    from pbem.referee.mail.round_context import Step

F = TypeVar("F", bound=Callable[..., Any])


def options(function: F) -> F:
    """Add the options of what is sent."""
    made = click.option(
        "--held",
        type=click.Choice(["again", "there"]),
        help="With --send: what to do with a post that is held: post it again, or it is there already.",
    )(function)
    made = click.option(
        "--office",
        type=params.PATH,
        metavar="DIR",
        help="With --send: the folder with pbem.toml; default that of the game.",
    )(made)
    return click.option(
        "--send", is_flag=True, help="Post it to the thread that pbem.toml names, instead of printing it."
    )(made)


def thread_and_dialect(game: Game, office: Path | None, as_: str | None) -> tuple[Thread, Dialect]:
    """Return the thread of a game and how it is written there; misuse where another
    software was asked for.
    """
    from msgspec.structs import replace

    from pbem.forum.dialects import DIALECTS
    from pbem.referee.forum.forum_couriers import limits_of, thread_of

    thread = thread_of(game, office)
    software = thread.forum.software
    if as_ is not None and as_ != software:
        raise click.UsageError(f"pbem.toml says that {thread.forum.name} is {software}; leave --as {as_} out")
    return thread, replace(DIALECTS[software], limits=limits_of(thread))


def send(game: Game, made: Posting, thread: Thread, held: str | None, json_: bool) -> int:
    """Post a turn and say what became of each post; return the answer of the command."""
    from pbem.referee.forum.forum_couriers import send as posted

    steps = []
    for step in posted(game, made, thread, settle=held or ""):
        steps.append(step)
        if not json_:
            click.echo(_line(step), err=step.what == "trouble")
    if json_:
        print_json({"steps": [{"what": one.what, "game": one.game, "said": one.said} for one in steps]})
    return UNDECIDED if any(one.what in ("trouble", "waits") for one in steps) else 0


def _line(step: Step) -> str:
    from pbem.text.characters import printable

    return printable(f"{step.what:<8} {step.said}")


@click.command("fetch")
@click.argument("game", type=params.PATH, required=False)
@click.option(
    "--office",
    type=params.PATH,
    metavar="DIR",
    help="The office with pbem.toml; without GAME all its games on forums.",
)
@click.option(
    "--all",
    "every",
    is_flag=True,
    help="Every page, so that edits of old posts are seen too; default the newest ones.",
)
@params.as_json
@click.pass_context
def fetch(ctx: click.Context, game: Path | None, office: Path | None, every: bool, json_: bool) -> None:
    """Fetch the new pages of a game's thread into its folder, for forum read.

    \b
    Example:
      pbem forum fetch games/toll
      pbem forum fetch --office games
    """
    from pbem.referee.forum import forum_fetching
    from pbem.referee.forum.forum_couriers import thread_of
    from pbem.referee.game.game import open_game

    if game is not None:
        opened = open_game(game)
        found: list[Any] = [(opened, thread_of(opened, office))]
    elif office is not None:
        found = list(forum_fetching.games_of(office))
    else:
        raise click.UsageError("name a game, or an office with --office")
    facts, bad = [], False
    for one in found:
        if isinstance(one, str):
            bad = True
            click.echo(one, err=True)
            continue
        fetched = forum_fetching.fetch(*one, every=every)
        facts.append(_facts(one[0], fetched))
        for said in fetched.said:
            bad = True
            click.echo(f"{one[0].where.name}: {said}", err=True)
        if not json_:
            count = len(fetched.new)
            click.echo(
                f"{one[0].where.name}: {count} {'page' if count == 1 else 'pages'} with something new, "
                f"{fetched.known} without."
            )
            if fetched.left:
                click.echo(f"{fetched.left} pages are left; fetch again.")
            if count:
                click.echo(
                    f"Now: pbem forum read {' '.join(map(str, fetched.new))} --game {one[0].where} --take"
                )
    if json_:
        print_json({"games": facts})
    elif not found:
        click.echo("No game of this office is played on a forum.")
    ctx.exit(UNDECIDED if bad else 0)


def _facts(game: Game, fetched: Any) -> dict[str, object]:
    return {
        "game": game.id,
        "new": [str(path) for path in fetched.new],
        "known": fetched.known,
        "left": fetched.left,
        "trouble": list(fetched.said),
    }
