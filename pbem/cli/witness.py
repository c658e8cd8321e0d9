"""Verbs round a log of heads and the time of locks: witness new, add, heads, sign, take,
prove, stamp, show.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli import params
from pbem.cli.refused import print_json

if TYPE_CHECKING:
    from pbem.proof.note import NoteKey
    from pbem.referee.proving.log_watching import LogView


@click.group("witness")
def witness_() -> None:
    """A log of heads that everybody can look into, so that one game has one history.

    \b
    Example:
      pbem witness new log --origin example.org/club
      pbem witness add log games
      pbem verify toll.zip --log https://example.org/club
    """


def read_log_key(named: str | None) -> NoteKey | None:
    """Return the key of a log that was named, if one was."""
    from pbem.proof.note import LOG
    from pbem.referee.proving.logs import read_key

    return None if named is None else read_key(named, LOG)


def read_witness_keys(named: tuple[str, ...]) -> list[NoteKey]:
    """Return the keys of witnesses that were named."""
    from pbem.proof.note import COSIGNER
    from pbem.referee.proving.logs import read_key

    return [read_key(one, COSIGNER) for one in named]


log_key = click.option("--log-key", metavar="KEY", help="The public key of the log, or a file that holds it.")
witness_keys = click.option(
    "--witness-key",
    multiple=True,
    metavar="KEY",
    help="The public key of a witness, or a file that holds it.",
)


def how_known(how: str) -> str:
    """Return how the key of a log came here, for people."""
    return {"given": "as you gave it", "known": "as before"}.get(
        how, "taken from the log itself: ask whoever runs it whether it is his"
    )


@witness_.command("new")
@click.argument("folder", type=params.PATH, metavar="DIR")
@click.option(
    "--origin",
    required=True,
    metavar="NAME",
    help="Its name, for good: best the address that it will have, without https://.",
)
@params.as_json
def new_(folder: Path, origin: str, json_: bool) -> None:
    """Make a log: a folder for any web space. Its private key stays in your own data folder.

    \b
    Example:
      pbem witness new log --origin example.org/club
    """
    from pbem.referee.mail.log_keeping import new_log

    made = new_log(params.env(), folder, origin)
    if json_:
        print_json({"origin": made.origin, "key": made.key})
        return
    click.echo(
        f"{folder} is a log now. Give this key, its public one, to whoever looks into it:\n  {made.key}"
    )


@witness_.command("add")
@click.argument("folder", type=params.PATH, metavar="DIR")
@click.argument("sources", type=params.PATH, nargs=-1, required=True, metavar="GAME|OFFICE|HEADS...")
@params.i_know
@params.as_json
@click.pass_context
def add_(ctx: click.Context, folder: Path, sources: tuple[Path, ...], i_know: bool, json_: bool) -> None:
    """Enter the heads of games into your log; what is in it already is not entered again.

    \b
    Example:
      pbem witness add log games/toll
      pbem witness add log games
    """
    from pbem.cli.refused import located, tell
    from pbem.referee.mail.log_keeping import add

    grown = add(params.env(i_know), folder, sources)
    if json_:
        print_json(
            {
                "size": grown.tree.size,
                "state": grown.tree.root.hex(),
                "games": [{"game": one.game, "new": one.new, "newest": one.newest} for one in grown.entered],
                "refused": [found.message for refusal in grown.refused for found in located(refusal)],
            }
        )
    else:
        for one in grown.entered:
            click.echo(
                f"{one.game}: {one.new} new {'head' if one.new == 1 else 'heads'}, up to record {one.newest}"
            )
        click.echo(f"The log has {grown.tree.size} heads, state {grown.tree.digest}.")
    for refusal in grown.refused:
        tell(located(refusal))
    ctx.exit(max((refusal.answer for refusal in grown.refused), default=0))


@witness_.command("heads")
@params.game
@click.option("-o", "--out", type=params.PATH, help="Write them to a file.")
def heads_(game: Path, out: Path | None) -> None:
    """Sign the heads of your game, for a log that somebody else runs: he adds the file.

    \b
    Example:
      pbem witness heads games/toll -o toll-heads.txt
    """
    from pbem.referee.mail.log_keeping import heads_file

    made = heads_file(params.env(), game)
    if out is None:
        click.echo(made.decode(), nl=False)
        return
    params.write(out, made)
    click.echo(f"Send {out} to whoever runs the log: he enters it with  pbem witness add DIR {out.name}")


@witness_.command("sign")
@click.argument("where", metavar="DIR|URL")
@click.option(
    "--name",
    default="",
    metavar="NAME",
    help="Who you are as a witness, the first time: such as ann.example.org.",
)
@log_key
@click.option("-o", "--out", type=params.PATH, help="Write the cosigned checkpoint to a file.")
@params.as_json
def sign_(where: str, name: str, log_key: str | None, out: Path | None, json_: bool) -> None:
    """Be a witness of somebody else's log: cosign its state, if it continues what you cosigned before.

    \b
    Example:
      pbem witness sign https://example.org/club --name ann.example.org -o cosigned.txt
    """
    from pbem.referee.proving.log_watching import sign_log

    done = sign_log(params.env(), where, name, read_log_key(log_key))
    if out is not None:
        params.write(out, done.note.data)
    if json_:
        print_json(
            {
                "origin": done.tree.origin,
                "size": done.tree.size,
                "before": done.before,
                "state": done.tree.root.hex(),
                "key": done.key.line,
                "log_key": done.log.line,
                "how": done.how,
                "note": done.note.data.decode(),
            }
        )
        return
    if out is None:
        click.echo(done.note.data.decode(), nl=False)
    since = (
        "you cosign it for the first time"
        if done.before is None
        else f"it continues the {done.before} that you cosigned last"
    )
    click.echo(
        f"{done.tree.origin}: {done.tree.size} heads, state {done.tree.digest}; {since}.", err=out is None
    )
    if done.before is None:
        click.echo(f"The key of the log, {how_known(done.how)}:\n  {done.log.line}", err=out is None)
        click.echo(
            f"Your key as a witness, for whoever is to believe you:\n  {done.key.line}", err=out is None
        )
    if out is not None:
        click.echo(
            f"Send {out} to whoever runs the log: he takes it in with  pbem witness take DIR {out.name}"
        )


@witness_.command("take")
@click.argument("folder", type=params.PATH, metavar="DIR")
@click.argument("files", type=params.PATH, nargs=-1, required=True, metavar="FILE...")
@witness_keys
@params.as_json
def take_(folder: Path, files: tuple[Path, ...], witness_key: tuple[str, ...], json_: bool) -> None:
    """Take in what witnesses have cosigned; a witness's key is given once, and remembered.

    \b
    Example:
      pbem witness take log cosigned.txt --witness-key ann.example.org+1a2b3c4d+AbC...
    """
    from pbem.referee.game.scenario import open_file
    from pbem.referee.mail.log_keeping import take
    from pbem.referee.proving.logs import time_of

    keys = read_witness_keys(witness_key)
    found = [one for file in files for one in take(params.env(), folder, open_file(file), keys)]
    if json_:
        print_json(
            {"cosigned": [{"name": one.name, "at": time_of(one.at), "size": one.size} for one in found]}
        )
        return
    for one in found:
        click.echo(f"cosigned by {one.name} at {time_of(one.at)}: {one.size} heads")


@witness_.command("prove")
@params.game
@click.argument("where", metavar="DIR|URL")
@log_key
@witness_keys
@click.option(
    "-o", "--out", type=params.PATH, help="Write the proof to this file; left out: into the game's folder."
)
@params.as_json
def prove_(
    game: Path, where: str, log_key: str | None, witness_key: tuple[str, ...], out: Path | None, json_: bool
) -> None:
    """Keep a proof that the history of a copy is in a log, for when the log is gone: pbem verify GAME --log
    PROOF.

    \b
    Example:
      pbem witness prove games/toll https://example.org/club --witness-key cara.example.net+1a2b3c4d+AbC...
    """
    from pbem.referee.proving.log_proving import prove

    proof, head = prove(params.env(), game, where, read_log_key(log_key), read_witness_keys(witness_key))
    if out is None and not game.is_dir():
        raise click.UsageError("an archive is not changed: name a file with -o")
    place = out or game / "witness" / f"{head.n:05d}.tlog-proof"
    params.write(place, proof.data)
    if json_:
        print_json({"path": str(place), "record": head.n, "entry": proof.index, "size": proof.tree.size})
        return
    click.echo(f"{place}: {head.said} (record {head.n}) is entry {proof.index} of {proof.tree.origin}")


@witness_.command("stamp")
@params.game
@click.option("--tsa", "address", required=True, metavar="URL", help="A time stamping authority (RFC 3161).")
@params.as_json
def stamp_(game: Path, address: str, json_: bool) -> None:
    """Have the open lock of your game stamped with the time by somebody else, who gets its hash and nothing
    more.

    \b
    Example:
      pbem witness stamp games/toll --tsa https://tsa.example.org/tsr
    """
    from pbem.referee.game.game import open_game
    from pbem.referee.game.refusal import UNDECIDED, refuse
    from pbem.referee.proving.stamps import stamp

    done = stamp(open_game(game), address)
    if done is None:
        raise refuse("witness.unlocked", answer=UNDECIDED)
    if json_:
        print_json({"slot": done.slot, "path": done.path})
        return
    click.echo(f"The lock of slot {done.slot} is stamped: {game / done.path}")


@witness_.command("show")
@click.argument("where", metavar="DIR|URL")
@log_key
@witness_keys
@params.as_json
@click.pass_context
def show_(
    ctx: click.Context, where: str, log_key: str | None, witness_key: tuple[str, ...], json_: bool
) -> None:
    """Look into a log: how large it is, which games are in it, who cosigned it and when.

    \b
    Example:
      pbem witness show https://example.org/club
    """
    from pbem.referee.proving.log_watching import show_log
    from pbem.referee.proving.logs import time_of

    shown = show_log(params.env(), where, read_log_key(log_key), read_witness_keys(witness_key))
    if json_:
        print_json(
            {
                "origin": shown.tree.origin,
                "size": shown.tree.size,
                "state": shown.tree.root.hex(),
                "key": shown.key.line,
                "how": shown.how,
                "games": [
                    {"game": one.game, "heads": one.heads, "newest": one.newest, "forks": list(one.forks)}
                    for one in shown.games
                ],
                "others": shown.others,
                "cosigned": [
                    {"name": one.name, "at": time_of(one.at), "size": one.size} for one in shown.cosigned
                ],
                "unchecked": list(shown.names),
            }
        )
    else:
        _print(shown)
    ctx.exit(1 if any(one.forks for one in shown.games) else 0)


def _print(shown: LogView) -> None:
    from pbem.proof.archive import visible
    from pbem.referee.proving.logs import time_of

    click.echo(visible(f"{shown.tree.origin}: {shown.tree.size} heads, state {shown.tree.digest}"))
    click.echo(visible(f"key ({how_known(shown.how)}): {shown.key.line}"))
    for one in shown.cosigned:
        click.echo(visible(f"cosigned by {one.name} at {time_of(one.at)}: {one.size} heads"))
    if shown.names:
        click.echo(
            visible(f"cosigned, as it says, by {', '.join(shown.names)}: not checked without --witness-key")
        )
    if not shown.cosigned and not shown.names:
        click.echo("cosigned by nobody")
    width = max((len(game.game) for game in shown.games), default=0)
    for game in shown.games:
        fork = (
            f"   FORK: two heads for record {', '.join(map(str, game.forks[:20]))}, both signed by one key"
            if game.forks
            else ""
        )
        click.echo(
            visible(f"  {game.game.ljust(width)}  {game.heads} heads, up to record {game.newest}{fork}")
        )
    if shown.others:
        click.echo(
            f"{shown.others} "
            f"{'entry is not a head' if shown.others == 1 else 'entries are not heads'} of a game."
        )
