"""Verbs that show a game: render, report, replay."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from pbem.cli import params

if TYPE_CHECKING:
    from pbem.referee.game.game import Game


def _show(data: bytes, out: Path | None, what: str) -> None:
    """Print a file, or write it and say where it is."""
    if out is None:
        click.echo(data.decode())
        return
    params.write(out, data)
    click.echo(f"{what} is in {out}.")


@click.command("render")
@params.game
@click.option("--slot", type=int, metavar="N", help="After which slot; default the newest.")
@click.option(
    "-o",
    "--out",
    type=params.PATH,
    help="The picture: .png, .svg or .txt; without it characters on the terminal.",
)
@params.look
@click.option("--seat", metavar="SEAT", help="As this seat sees it; default as the umpire does.")
@click.option(
    "--since",
    metavar="SLOT",
    help="What is different from the map after that slot; last: since the last turn of --seat.",
)
@click.option(
    "--details",
    is_flag=True,
    help="With a picture: also where things happened, large enough for a phone, beside it.",
)
@click.option(
    "--sheet",
    is_flag=True,
    help="Instead of the map what is kept beside it: the record sheet of a siege, or all dials.",
)
@click.option(
    "--measure",
    "measured",
    nargs=2,
    metavar="WHO WHOM",
    multiple=True,
    help="On a table: how far it is from rim to rim, and what is known of an attack. May be given again.",
)
@click.option(
    "--ranges",
    metavar="WHO",
    multiple=True,
    help="On a table: how far somebody moves and shoots. May be given again.",
)
def render_(
    game: Path,
    slot: int | None,
    out: Path | None,
    theme: str,
    scale: float,
    seat: str | None,
    since: str | None,
    details: bool,
    sheet: bool,
    measured: tuple[tuple[str, str], ...],
    ranges: tuple[str, ...],
) -> None:
    """Draw the map.

    \b
    Example:
      pbem render toll -o map.png --details
      pbem render toll -o map.svg --theme print
      pbem render toll -o changes.png --seat west --since last
      pbem render blackmere --sheet -o sheet.png
      pbem render kestrel --measure brask matz --ranges gero -o far.png
    """
    from pbem.referee.explain import draw
    from pbem.referee.explain import map_diff as differing
    from pbem.referee.explain.look import Look
    from pbem.referee.game.game import open_game

    if details and (out is None or out.suffix != ".png"):
        raise click.UsageError("--details goes with -o and a name that ends in .png")
    suffix = out.suffix if out is not None else ".txt"
    named = click.get_current_context().get_parameter_source("theme") is not ParameterSource.DEFAULT
    if sheet:
        if details or since is not None:
            raise click.UsageError("--details and --since are for the map; leave them out with --sheet")
        _show(
            draw.sheet(open_game(game), suffix, slot, theme if named else draw.ON_PAPER, seat),
            out,
            "The sheet",
        )
        return
    opened = open_game(game)
    begun = None if since is None else _since(opened, since, seat)
    scene = draw.shown(opened, slot, seat) if begun is None else differing.since(opened, begun, slot, seat)
    if measured or ranges:
        scene = draw.measured(opened, scene, measured, ranges, slot, seat)
    _show(draw.drawn(scene, suffix, Look(theme, scale)), out, "The map")
    for line in draw.measures(scene, measured) if measured or ranges else ():
        click.echo(f"  {line}")
    for line in () if begun is None else differing.told(opened, begun, slot, seat):
        click.echo(f"  {line}")
    if out is None or not details:
        return
    for number, (detail, alt) in enumerate(draw.details(scene, theme), 1):
        path = out.with_stem(f"{out.stem}-{number}")
        params.write(path, detail)
        click.echo(f"  {path}: {alt}")


def _since(game: Game, said: str, seat: str | None) -> int:
    """Return the slot that ``--since`` means."""
    from pbem.referee.explain.map_diff import last_turn_of

    if said == "last":
        if seat is None:
            raise click.UsageError("--since last goes with --seat: whose last turn?")
        return last_turn_of(game, seat)
    if not re.fullmatch("[0-9]{1,5}", said):
        raise click.BadParameter(f"'{said}' is not a slot; a number, or last", param_hint="--since")
    return int(said)


@click.command("report")
@params.game
@click.option("--slot", type=int, metavar="N", help="Which slot; default the newest.")
@click.option(
    "--format",
    "format_",
    type=click.Choice(["text", "markdown", "bbcode", "html"]),
    default="text",
    help="Default text.",
)
@click.option("--seat", metavar="SEAT", help="As this seat may read it; default as the umpire does.")
@click.option("-o", "--out", type=params.PATH, help="Write it to a file.")
def report_(game: Path, slot: int | None, format_: str, seat: str | None, out: Path | None) -> None:
    """Say what happened, ready for posting.

    \b
    Example:
      pbem report toll --format bbcode
    """
    from pbem.referee.game.game import open_game
    from pbem.referee.turn.report import report_of

    params.keep_tables()
    opened = open_game(game)
    lies = out.parent if out is not None else Path()
    beside = None if opened.folder is None else os.path.relpath(game, lies).replace(os.sep, "/") + "/"
    text = report_of(opened, slot, format_, beside, seat)
    if out is None:
        click.echo(text)
    else:
        params.write(out, text.encode())
        click.echo(f"The report is in {out}.")


def _bytes(ctx: click.Context, param: click.Parameter, value: str | None) -> int | None:
    """Return a number of bytes, written as ``256k``, ``1M`` or ``100000``; misuse where it is none."""
    if value is None:
        return None
    found = re.fullmatch(r"([1-9][0-9]{0,11})([kKM]?)", value)
    if found is None:
        raise click.BadParameter(f"'{value}' is not a number of bytes, such as 256k or 1M", ctx, param)
    return int(found[1]) * {"": 1, "k": 1024, "K": 1024, "M": 1024 * 1024}[found[2]]


def _slots(ctx: click.Context, param: click.Parameter, value: str | None) -> tuple[int, int | None]:
    """Return the first and the last of some slots, written as ``7``, ``5-9`` or ``5-``; misuse where that is
    none.
    """
    found = re.fullmatch(r"([0-9]{1,5})(?:(-)([0-9]{1,5})?)?", "0-" if value is None else value)
    if found is None or (found[3] and int(found[3]) < int(found[1])):
        raise click.BadParameter(f"'{value}' is not a slot, or some of them, such as 5-9", ctx, param)
    return int(found[1]), int(found[3]) if found[3] else None if found[2] else int(found[1])


@click.command("replay")
@click.argument("game", type=params.PATH, required=False)
@click.option(
    "-o",
    "--out",
    type=params.PATH,
    help="The file to write: .html, .png, .webp, .gif or .txt. Without it text on the terminal.",
)
@click.option("--seat", metavar="SEAT", help="As this seat sees it; default as the umpire does.")
@params.theme
@click.option("--slots", callback=_slots, metavar="A-B", help="Only these slots, such as 5-9.")
@click.option(
    "--by",
    type=click.Choice(["phase", "slot", "event"]),
    help="Of an animation: what gets its own frame; default phase.",
)
@click.option(
    "--max-bytes",
    callback=_bytes,
    metavar="N",
    help="Of an animation: at most so many bytes, such as 256k or 1M.",
)
@click.option(
    "--all",
    "every",
    type=params.PATH,
    metavar="DIR",
    help="A page for every archive and game folder below DIR; -o names the folder of the pages.",
)
@params.fleet
@click.pass_context
def replay_(
    ctx: click.Context,
    game: Path | None,
    out: Path | None,
    seat: str | None,
    theme: str,
    slots: tuple[int, int | None],
    by: str | None,
    max_bytes: int | None,
    every: Path | None,
    workers: int | None,
    scheduler: str | None,
    tls: Path | None,
    parts: Path | None,
) -> None:
    """Show the whole game: as a page to scrub, as an animation for a forum, or in characters.

    \b
    Example:
      pbem replay toll.zip -o toll.html
      pbem replay toll -o toll.webp --slots 5-9 --max-bytes 256k
      pbem replay toll.zip -o toll.txt
      pbem replay --all games -o pages
    """
    if (game is None) == (every is None):
        raise click.UsageError("name a game, or a folder of games with --all")
    if every is not None:
        if out is None or seat is not None or slots != (0, None) or by is not None or max_bytes is not None:
            raise click.UsageError("--all goes with -o DIR, --theme, --workers and --scheduler alone")
        from pbem.cli.fleet import means, replay_all

        if parts is not None:
            raise click.UsageError("--all writes its pages itself: leave out --parts")
        ctx.exit(replay_all(every, out, theme, means(workers, scheduler, tls)))
    if (workers, scheduler, tls, parts) != (None,) * 4:
        raise click.UsageError("--workers, --scheduler and --tls go with --all")
    assert game is not None
    from pbem.referee.game.game import open_game
    from pbem.referee.pages.showing import MOVING, TEXT, Wish, replay_bytes, shown_slots

    suffix = out.suffix if out is not None else TEXT
    if suffix not in MOVING and (by is not None or max_bytes is not None):
        raise click.UsageError("--by and --max-bytes go with -o and a name that ends in " + ", ".join(MOVING))
    if suffix == TEXT and (seat is not None or slots != (0, None)):
        raise click.UsageError("--seat and --slots do not go with text; choose another ending")
    opened = open_game(game)
    wish = Wish(seat, theme, *slots, by or "phase", max_bytes)
    if out is None:
        click.echo(replay_bytes(opened, suffix, wish).decode())
        return
    hidden = not sys.stderr.isatty() or suffix == TEXT
    with click.progressbar(
        length=shown_slots(opened, wish), label="Playing it again", file=sys.stderr, hidden=hidden
    ) as bar:
        data = replay_bytes(opened, suffix, wish, lambda slot: bar.update(1))
    params.write(out, data)
    click.echo(f"The game is in {out}.")
