"""The verb mend."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli import params
from pbem.cli.refused import located, print_json, tell

if TYPE_CHECKING:
    from pbem.referee.proving.mend import Mended


@click.command("mend")
@params.game
@click.option("--dry-run", is_flag=True, help="Say what would be done, and change nothing.")
@click.option(
    "-o", "--out", type=params.PATH, metavar="FILE", help="Of an archive: where the mended one is written."
)
@click.option(
    "--from",
    "copy",
    type=params.PATH,
    metavar="COPY",
    help="Take what is missing from a backup, an archive, or letters that brought one (.eml, mbox, folder).",
)
@params.as_json
@click.pass_context
def mend_(
    ctx: click.Context, game: Path, dry_run: bool, out: Path | None, copy: Path | None, json_: bool
) -> None:
    """Make again what was lost or damaged and follows from what is signed. GAME may be a folder of games.

    \b
    Example:
      pbem mend toll
      pbem mend games --dry-run
      pbem mend toll --from toll.zip
      pbem mend toll --from letters/
      pbem mend toll.zip -o toll-mended.zip
    """
    from pbem.referee.game.environment import own_environment
    from pbem.referee.game.refusal import Refused
    from pbem.referee.proving.mend import mend
    from pbem.referee.proving.verify_folder import game_folders, worst_answer

    several = [] if copy is not None or (game / "ledger").is_dir() else game_folders(game)
    if not several:
        done = mend(own_environment(), game, dry_run=dry_run, out=out, copy=copy)
        if json_:
            print_json({"games": [_facts(game, done)]})
        else:
            _tell(done, dry_run=dry_run)
        ctx.exit(done.answer)
    answers, facts = [], []
    for folder in several:
        if not json_:
            click.echo(f"{folder}:")
        try:
            done = mend(own_environment(), folder, dry_run=dry_run)
        except Refused as refusal:
            tell(located(refusal))
            answers.append(refusal.answer)
            continue
        answers.append(done.answer)
        facts.append(_facts(folder, done))
        if not json_:
            _tell(done, dry_run=dry_run)
    if json_:
        print_json({"games": facts})
    ctx.exit(worst_answer(answers))


def _facts(where: Path, done: Mended) -> dict[str, object]:
    return {
        "path": str(where),
        "game": done.game,
        "answer": done.answer,
        "verdict": done.verdict.verdict,
        "deeds": [
            {"what": one.what, "file": one.path, "why": one.why, "aside": one.aside} for one in done.deeds
        ],
        "left": list(done.left),
    }


def _tell(done: Mended, *, dry_run: bool) -> None:
    from pbem.proof.archive import visible

    width = max((len(one.path) for one in done.deeds), default=0)
    for one in done.deeds:
        kept = f"; what was there is now {one.aside}" if one.aside else ""
        click.echo(visible(f"{one.what:<12}  {one.path.ljust(width)}  {one.why}{kept}".rstrip()))
    for why in done.left:
        click.echo(visible(f"{'left':<12}  {why}"))
    if not done.deeds and not done.left and not done.needs_copy:
        click.echo("There is nothing to mend.")
    elif done.deeds and dry_run:
        click.echo("Nothing was changed: without --dry-run this is done.")
    click.echo(done.verdict.lines[0])
    for finding in done.verdict.failures:
        click.echo(visible(f"{finding.code}  {finding.where}: {finding.message}"))
    if done.needs_copy:
        click.echo(
            "Nothing here makes this again; a backup or an archive that went out may have it: pbem mend "
            "GAME --from COPY"
        )
