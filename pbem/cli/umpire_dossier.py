"""What readers need to adjudicate a game, in one file."""

from __future__ import annotations

from pathlib import Path

import click

from pbem.cli import params
from pbem.cli.refused import print_json


@click.command("dossier")
@params.game
@click.option("-o", "--out", type=params.PATH, metavar="FILE", help="Where the page goes; default GAME.html.")
@params.as_json
def dossier_(game: Path, out: Path | None, json_: bool) -> None:
    """Write a page for those who adjudicate a game: where it stands, map, points, losses, reports, how soon
    both answered and what they missed, the archive, and lines for three readers.

    \b
    Example:
      pbem umpire dossier games/toll -o toll.html
      pbem umpire adjudicate games/toll --winner west --why "two of three readers"
    """
    from datetime import UTC, datetime

    from pbem.referee.site.dossier import dossier
    from pbem.store.library import common_words

    to = out if out is not None else Path(f"{game.resolve().name}.html")
    made = dossier(game, datetime.now(UTC))
    params.write(to, made.page)
    if json_:
        print_json({"does": "dossier", "file": str(to), "archive": made.archive, "left_out": made.left_out})
        return
    words = common_words()
    click.echo(words.phrase("dossier.made", file=str(to), size=len(made.page) // 1000))
    if not made.archive:
        click.echo(words.phrase("dossier.no-archive", command=f"pbem pack {game}"))
    click.echo(
        words.phrase("dossier.then", command=f"pbem umpire adjudicate {game} --winner SIDE --why '...'")
    )
