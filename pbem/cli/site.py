"""The verb that writes the pages of a club."""

from __future__ import annotations

import re
from pathlib import Path

import click

from pbem.cli import UNDECIDED, params


def _url(ctx: click.Context, param: click.Parameter, value: str | None) -> str:
    """Return the address that the pages will have, with a slash at its end; misuse where it is none."""
    if value is None:
        return ""
    if re.fullmatch(r"https?://[A-Za-z0-9.:~/_%-]{1,300}", value) is None:
        raise click.BadParameter(
            f"'{value}' is not an address, such as https://example.org/club/", ctx, param
        )
    return value.rstrip("/") + "/"


@click.command("site")
@click.argument("office", type=params.PATH, metavar="FOLDER")
@click.option(
    "-o", "--out", type=params.PATH, required=True, metavar="DIR", help="For everybody: put it online."
)
@click.option(
    "--private", type=params.PATH, metavar="DIR", help="A page for you alone, in a folder elsewhere."
)
@click.option(
    "--url", callback=_url, metavar="URL", help="Where the pages will lie, for feeds and calendars."
)
@params.theme
@params.as_json
@click.pass_context
def site_(
    ctx: click.Context, office: Path, out: Path, private: Path | None, url: str, theme: str, json_: bool
) -> None:
    """Write pages about all games of an office, for any web server or none: where each stands, maps, reports,
    replays, archives, feeds, calendars. Written again they change only where something happened.

    \b
    Example:
      pbem site games --out pages
      pbem site games --out pages --private desk --url https://example.org/club/
    """
    from datetime import UTC, datetime

    from pbem.cli.refused import print_json
    from pbem.referee.game.environment import own_environment
    from pbem.referee.mail.desk import look
    from pbem.referee.site.making import make
    from pbem.referee.site.umpire_page import make_private
    from pbem.store.library import common_words
    from pbem.text.characters import printable

    params.keep_tables()
    env = own_environment()
    desk = look(env, office, datetime.now(UTC))
    made = make(env, desk, out, theme=theme, url=url, private=private)
    if private is not None:
        make_private(env, desk, private, out)
    troubles = [f"{one.where}: {one.said}" if one.where else one.said for one in desk.troubles]
    troubles += made.troubles
    if json_:
        print_json(
            {"written": made.written, "removed": made.removed, "looked": made.looked, "troubles": troubles}
        )
    else:
        said = common_words().phrase(
            "site.done",
            written=made.written,
            removed=made.removed,
            games=made.looked,
            index=out / "index.html",
        )
        click.echo(printable(said))
    for one in troubles:
        click.echo(printable(one), err=True)
    ctx.exit(UNDECIDED if troubles else 0)
