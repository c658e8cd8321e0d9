"""Verbs that show a game: render, report, replay."""

from __future__ import annotations

import os
from pathlib import Path

import click

from pbem.cli import params


def _show(data: bytes, out: Path | None, what: str) -> None:
    """Print a file, or write it and say where it is."""
    if out is None:
        click.echo(data.decode())
        return
    params.write(out, data)
    click.echo(f"{what} is in {out}.")


@click.command("render")
@params.game
@click.option("--slot", type=int, help="After which slot; default the newest.")
@click.option("-o", "--out", type=params.PATH, help="The picture: .png, .svg or .txt; without it characters on the terminal.")
@params.look
@click.option("--seat", metavar="SEAT", help="As this seat sees it; default as the umpire does.")
@click.option("--details", is_flag=True, help="With a picture: also where things happened, large enough for a phone, beside it.")
@click.option("--sheet", is_flag=True, help="Instead of the map what is kept beside it: the record sheet of a siege, to print or post.")
def render_(game: Path, slot: int | None, out: Path | None, theme: str, scale: float, seat: str | None, details: bool, sheet: bool) -> None:
    """Draw the map.

    \b
    Example:
      pbem render toll -o map.png --details
      pbem render toll -o map.svg --theme print --seat west
      pbem render blackmere --sheet -o sheet.png
    """
    from pbem.referee import draw
    from pbem.referee.game import open_game
    from pbem.referee.look import Look

    if details and (out is None or out.suffix != ".png"):
        raise click.UsageError("--details goes with -o and a name that ends in .png")
    suffix = out.suffix if out is not None else ".txt"
    if sheet:
        if details:
            raise click.UsageError("--details is for the map; leave it out with --sheet")
        _show(draw.sheet(open_game(game), suffix, slot), out, "The sheet")
        return
    scene = draw.shown(open_game(game), slot, seat)
    _show(draw.drawn(scene, suffix, Look(theme, scale)), out, "The map")
    if out is None or not details:
        return
    for number, (detail, alt) in enumerate(draw.details(scene, theme), 1):
        path = out.with_stem(f"{out.stem}-{number}")
        params.write(path, detail)
        click.echo(f"  {path}: {alt}")


@click.command("report")
@params.game
@click.option("--slot", type=int, help="Of which slot; default the newest.")
@click.option("--format", "format_", type=click.Choice(["text", "markdown", "bbcode", "html"]), default="text", help="For what it is.")
@click.option("-o", "--out", type=params.PATH, help="Write it to a file.")
def report_(game: Path, slot: int | None, format_: str, out: Path | None) -> None:
    """Say what happened, ready for posting.

    \b
    Example:
      pbem report toll --format bbcode
    """
    from pbem.referee.game import open_game
    from pbem.referee.report import report_of

    opened = open_game(game)
    lies = out.parent if out is not None else Path()
    beside = None if opened.folder is None else os.path.relpath(game, lies).replace(os.sep, "/") + "/"
    text = report_of(opened, slot, format_, beside)
    if out is None:
        click.echo(text)
    else:
        params.write(out, text.encode())
        click.echo(f"The report is in {out}.")


@click.command("replay")
@params.game
@click.option("-o", "--out", type=params.PATH, help="Where to; .txt or .html. Without it text on the terminal.")
def replay_(game: Path, out: Path | None) -> None:
    """Show the whole game, turn by turn.

    \b
    Example:
      pbem replay toll.zip -o toll.txt
    """
    from pbem.referee.game import open_game
    from pbem.referee.showing import replay_bytes

    data = replay_bytes(open_game(game), out.suffix if out is not None else ".txt")
    if out is None:
        click.echo(data.decode())
    else:
        params.write(out, data)
        click.echo(f"The game is in {out}.")
