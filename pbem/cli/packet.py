"""The verb packet: one page in which a player clicks his orders together."""

from __future__ import annotations

from pathlib import Path

import click

from pbem.cli import params
from pbem.referee.explain.look import THEMES


@click.command("packet")
@params.game
@params.seat
@click.option(
    "-o", "--out", type=params.PATH, required=True, help="The page to write; its name ends in .html."
)
@click.option("--to", default="", metavar="ADDRESS", help="Where the player's mail program sends the orders.")
@click.option(
    "--theme", type=click.Choice(THEMES), default=THEMES[0], show_default=True, help="The look of the map."
)
def packet_(game: Path, seat: str | None, out: Path, to: str, theme: str) -> None:
    """Write a page in which a player clicks his orders together, in any browser, with nothing to install.

    It is one file that needs no network: the board as this seat may see it, what each figure may do with
    costs, odds and chances, the order file as it grows, and a mail that opens ready to send. What comes out
    of it is taken by submit as it is. Of an invitation, or a lock that waits for somebody, it is a page that
    signs the answer with the player's key.

    \b
    Example:
      pbem packet toll --seat west -o turn.html --to umpire@example.org
    """
    from pbem.referee.explain.options import which_seat
    from pbem.referee.pages.packet import packet_of
    from pbem.referee.pages.signing_page import answer_page

    if out.suffix != ".html":
        raise click.UsageError("the name of the page ends in .html")
    opened = params.opened(game)
    if not opened.ledger.started or opened.ledger.locked is not None:
        params.write(out, answer_page(opened, seat, to))
        click.echo(f"The page to answer with is in {out}.")
        return
    name = which_seat(opened, seat)
    params.write(out, packet_of(opened, name, to, theme))
    click.echo(f"The packet for {name} is in {out}.")
