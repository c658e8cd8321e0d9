"""Who goes on when the umpire cannot: name a deputy, take over."""

from __future__ import annotations

from pathlib import Path

import click

from pbem.cli import params
from pbem.cli.refused import print_json


@click.command("deputy")
@params.game
@click.option("--name", required=True, metavar="NAME", help="Who it is: everybody is told.")
@click.option(
    "-o", "--out", type=params.PATH, required=True, metavar="FILE", help="Where his share is written."
)
@click.option("--why", required=True, metavar="TEXT", help="The reason: it stands in the ledger.")
@params.i_know
@params.as_json
def deputy_(game: Path, name: str, out: Path, why: str, i_know: bool, json_: bool) -> None:
    """Seal what a deputy needs to go on without you, for a game or a folder of games.

    The file goes to him, and to anybody else you like; the code on the screen to him alone, by another way.
    Who has both knows your values and signs as you do.

    \b
    Example:
      pbem umpire deputy games --name "Uma" -o share.txt --why "if I fall ill"
    """
    from pbem.referee.game.refusal import refuse
    from pbem.referee.mail.succession import deputy
    from pbem.store.library import common_words

    if out.exists():
        raise refuse("deputy.out", file=str(out), path=str(out))
    made = deputy(params.env(i_know), game, name, why)
    params.write(out, made.share.encode())
    if json_:
        print_json(
            {
                "does": "deputy",
                "file": str(out),
                "code": made.code,
                "told": list(made.told),
                "untold": list(made.untold),
            }
        )
        return
    words = common_words()
    click.echo(words.phrase("deputy.made", file=str(out), name=name, code=made.code))
    click.echo(words.phrase("deputy.told", count=len(made.told), games=list(made.told)))
    if made.untold:
        click.echo(words.phrase("deputy.untold", count=len(made.untold), games=list(made.untold)))


@click.command("takeover")
@params.game
@click.option("--share", type=params.PATH, required=True, metavar="FILE", help="The share of the old umpire.")
@click.option("--code", required=True, metavar="CODE", help="Its code.")
@click.option("--name", required=True, metavar="NAME", help="Who you are: everybody is told.")
@click.option(
    "--from",
    "copy",
    type=params.PATH,
    metavar="COPY",
    help="What the game lacks comes from here: a backup, an archive, letters of a player.",
)
@click.option("--why", required=True, metavar="TEXT", help="The reason: it stands in the ledger.")
@params.i_know
@params.as_json
def takeover_(
    game: Path, share: Path, code: str, name: str, copy: Path | None, why: str, i_know: bool, json_: bool
) -> None:
    """Go on with a game in the place of its umpire, with his share and its code.

    \b
    Example:
      pbem umpire takeover games/toll --share share.txt --code 46J4-… --name "Uma" --why "Cass is ill"
      pbem umpire takeover games/toll --share share.txt --code 46J4-… --name "Uma" --why "…" --from letters
    """
    from pbem.proof.share import MOST
    from pbem.referee.game.scenario import open_file
    from pbem.referee.mail.succession import takeover
    from pbem.store.library import common_words

    text = open_file(share, MOST).decode("utf-8", "replace")
    done = takeover(params.env(i_know), game, text, code, name, why, copy)
    if json_:
        print_json({"does": "takeover", "game": done.game, "taken": done.taken, "stands": done.stands})
        return
    words = common_words()
    click.echo(words.phrase("deputy.took-over", game=done.game, stands=done.stands, count=done.taken))
    click.echo(words.phrase("deputy.next", folder=str(game.parent)))
