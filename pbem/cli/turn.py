"""Verbs of a turn: lock, go, resolve."""

from __future__ import annotations

import tempfile
from functools import partial
from pathlib import Path

import click

from pbem.cli import params
from pbem.cli.refused import print_json


@click.command("lock")
@params.game
@click.option(
    "--deadline", is_flag=True, help="Time is up: drafts are used, and what is missing is left out."
)
@params.i_know
@params.as_json
def lock_(game: Path, deadline: bool, i_know: bool, json_: bool) -> None:
    """Fix the orders of the open slot.

    \b
    Example:
      pbem lock toll
    """
    from pbem.referee.turn.lock import lock

    locked = lock(params.env(i_know), game, deadline=deadline)
    if json_:
        print_json(
            {
                "slot": locked.slot,
                "lock": locked.lock_id,
                "asked": list(locked.asked),
                "files": list(locked.files),
            }
        )
        return
    click.echo(f"Slot {locked.slot} is locked ({locked.digest}).")
    for seat in locked.asked:
        click.echo(f"  waits for the go of {seat}: send outbox/lock-s{locked.slot:04d}-{seat}.txt")
    params.say_letters(game, quiet=True)
    click.echo(locked.letter, nl=False)
    if locked.round is not None:
        click.echo(
            f"  dice wait for round {locked.round.number} of the beacon, which comes out at {locked.round.at}"
        )
        click.echo("  players who have a key and see this lock before then note it:  pbem go GAME --seen")
    if not locked.asked:
        click.echo("  nobody is asked for a go: pbem resolve")


@click.command("go")
@params.game
@click.option("--luck", metavar="WORDS", help="The words of a seat without a chain; at least 8 letters.")
@params.seat
@params.key
@click.option(
    "-o", "--out", type=params.PATH, help="Write the signed go to a file, to be sent to the umpire."
)
@params.wish
@params.i_know
@click.option(
    "--seen", is_flag=True, help="With a beacon: note that you saw the lock; your next signed orders say so."
)
@params.as_json
def go_(
    game: Path,
    luck: str | None,
    seat: str | None,
    key: Path | None,
    out: Path | None,
    slot: int | None,
    without_rules: bool,
    i_know: bool,
    seen: bool,
    json_: bool,
) -> None:
    """Give the one line that a lock asks for: then the dice exist.

    Before a value leaves, the copy of the game is verified, its rules are played again, and it has to go on
    from what you have seen.

    \b
    Example:
      pbem go toll.zip --key ~/.ssh/id_ed25519 -o go.txt
      pbem go toll --luck "seven drunken herons"
    """
    from pbem.referee.game.game import open_game
    from pbem.referee.turn.giving import Wish
    from pbem.referee.turn.go import make_go, take_go, take_words

    env, giving = params.env(i_know), None
    if seen:
        _seen(game, json_)
        return
    if key is not None:
        opened = open_game(game)
        went = make_go(env, opened, params.private_key(key), seat, luck, Wish(slot, not without_rules))
        letter, giving = went.letter, went.giving
        if out is not None:
            params.write(out, letter)
        elif opened.folder is not None and env.keyring.keys(opened.id):
            went = take_go(game, letter)
            letter = b""
    elif luck is not None:
        went, letter = take_words(game, luck, seat), b""
    else:
        raise click.UsageError("give your words with --luck, or your key with --key")
    if json_:
        given, missing = params.given_json(giving), list(went.still_missing)
        print_json(
            {
                "seat": went.seat,
                "slot": went.slot,
                "letter": letter.decode(),
                "value": given,
                "missing": missing,
            }
        )
        return
    if letter:
        click.echo(f"Send {out} to the umpire." if out is not None else letter.decode(), nl=out is not None)
        params.say_given(giving, err=out is None)
        return
    params.say_given(giving)
    click.echo(
        f"{went.seat} goes. "
        + (f"Still missing: {', '.join(went.still_missing)}" if went.still_missing else "Now resolve.")
    )


def _seen(game: Path, json_: bool) -> None:
    from pbem.referee.game.environment import own_environment
    from pbem.referee.game.game import open_game
    from pbem.referee.turn.beacon import note_seen

    wanted = note_seen(own_environment(), open_game(game))
    if json_:
        print_json({"round": wanted.number, "at": wanted.at})
        return
    click.echo(
        f"Noted. The dice come with round {wanted.number} at {wanted.at}; your next signed orders say that "
        "you saw the lock before."
    )


@click.command("resolve")
@params.game
@click.option(
    "--deadline", is_flag=True, help="Time is up: drafts are used, and what is missing is left out."
)
@click.option(
    "--preview", is_flag=True, help="In a scratch folder, with dice that are thrown away; signs nothing."
)
@click.option("--no-map", is_flag=True, help="Draw no picture.")
@click.option(
    "--beacon-file",
    type=params.PATH,
    metavar="FILE",
    help="The round of the beacon, as drand gives it; else it is fetched.",
)
@params.i_know
@click.option(
    "--relay",
    "relays",
    multiple=True,
    metavar="URL",
    help="Fetch the round from here; default four public relays of drand.",
)
@params.as_json
def resolve_(
    game: Path,
    deadline: bool,
    preview: bool,
    no_map: bool,
    beacon_file: Path | None,
    i_know: bool,
    relays: tuple[str, ...],
    json_: bool,
) -> None:
    """Roll the dice and write the turn; lock first where all is there.

    \b
    Example:
      pbem resolve toll
    """
    from pbem.referee.turn import resolve as use

    env = params.env(i_know)
    if preview:
        done = use.preview(env, game, Path(tempfile.mkdtemp(prefix="pbem-preview-")))
    else:
        fetch = None
        if relays:
            from pbem.store.relays import answers

            fetch = partial(answers, relays=relays)
        done = use.resolve(
            env, game, deadline=deadline, pictures=not no_map, beacon_file=beacon_file, fetch=fetch
        )
    if json_:
        print_json(
            {
                "slot": done.slot,
                "phases": list(done.phases),
                "events": done.events,
                "rolls": done.rolls,
                "map": str(done.folder / done.map) if done.map else "",
                "report": str(done.folder / done.report),
                "waiting_for": [{"seat": seat, "for": what} for seat, what in done.waiting_for],
                "questions": [dict(question) for question in done.questions],
                "over": done.over,
            }
        )
        return
    if preview:
        click.echo("A preview: the dice are thrown away, nothing is signed.")
    click.echo(f"Slot {done.slot}: {', '.join(done.phases)}; {done.events} events, {done.rolls} rolls.")
    for what, path in (("map", done.map), ("report", done.report)):
        if path:
            click.echo(f"  {what}: {done.folder / path}")
    for seat, what in done.waiting_for:
        click.echo(f"  waits for {seat}: {what}")
    if not preview:
        params.say_letters(game)
    if done.over:
        click.echo("The game is over.")
