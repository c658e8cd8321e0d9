"""A turn that waits for the umpire: look at it, let it go."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli import params
from pbem.cli.refused import print_json

if TYPE_CHECKING:
    from pbem.post.write.umpire import ToRelease


@click.command("release")
@params.game
@click.option(
    "--look",
    type=params.PATH,
    metavar="DIR",
    help="Write the report and the pictures into a new folder, and let nothing go.",
)
@params.i_know
@params.as_json
def release(game: Path, look: Path | None, i_know: bool, json_: bool) -> None:
    """Let a turn go that is complete and waits for you: release = "by hand" in pbem.toml.

    What you see with --look is what everybody is told: with the dice that will be rolled. To hold the turn do
    nothing, or pause the game.

    \b
    Example:
      pbem umpire release games/toll --look turn
      pbem umpire release games/toll
    """
    from pbem.referee.mail import releasing

    env = params.env(i_know)
    if look is not None:
        _look(game, look, releasing.to_see(env, game), json_)
        return
    done = releasing.release(env, game)
    if json_:
        print_json({"does": "release", "slot": done.slot})
        return
    from pbem.store.library import common_words

    click.echo(common_words().phrase("release.done", slot=done.slot, office=str(game.parent)))


def _look(game: Path, folder: Path, seen: ToRelease, json_: bool) -> None:
    from pbem.referee.game.refusal import refuse
    from pbem.store.library import common_words
    from pbem.text import markup

    if folder.exists() and any(folder.iterdir()):
        raise refuse("release.folder", file=str(folder), path=str(folder))
    folder.mkdir(parents=True, exist_ok=True)
    params.write(folder / "report.html", markup.as_html(seen.report).encode())
    params.write(folder / "report.txt", markup.as_text(seen.report).encode())
    for picture in seen.pictures:
        params.write(folder / picture.name, picture.data)
    if json_:
        print_json({"does": "look", "turn": seen.turn, "folder": str(folder), "doubts": list(seen.doubts)})
        return
    click.echo(common_words().phrase("release.looked", turn=seen.turn, folder=str(folder)))
    for doubt in seen.doubts:
        click.echo(common_words().phrase("release.doubt", doubt=doubt))
    click.echo(common_words().phrase("release.then", command=seen.command))
