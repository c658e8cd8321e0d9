"""The verb brief: a game explained to somebody who has never played it."""

from __future__ import annotations

from pathlib import Path

import click

from pbem.cli import params

FORMATS = {"text": ".txt", "md": ".md", "html": ".html"}


@click.command("brief")
@params.game
@params.seat
@click.option(
    "--format", "format_", type=click.Choice(list(FORMATS)), help="Default: by the ending of -o, else text."
)
@click.option("-o", "--out", type=params.PATH, help="Write it to a file.")
def brief_(game: Path, seat: str | None, format_: str | None, out: Path | None) -> None:
    """Explain a game: its story, what gives points, who is there with which values, what could be sent now,
    and the rules in short.

    With --seat it speaks to that player, and shows lines that he could send as they are. Of an invitation it
    tells how the game begins.

    \b
    Example:
      pbem brief toll --seat west
      pbem brief toll --seat west -o brief.html
    """
    from pbem.referee.mail.brief import brief

    suffix = out.suffix if out is not None else ""
    kind = format_ or next((name for name, ending in FORMATS.items() if ending == suffix), "text")
    text = brief(params.opened(game), seat, kind)
    if out is None:
        click.echo(text, nl=False)
    else:
        params.write(out, text.encode())
        click.echo(f"The briefing is in {out}.")
