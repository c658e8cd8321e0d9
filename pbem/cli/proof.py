"""Verbs of the proof: pack, roll, diff; verify has a room of its own."""

from __future__ import annotations

from pathlib import Path

import click

from pbem.cli import NO, params
from pbem.cli.refused import print_json


@click.command("pack")
@params.game
@click.argument("file", type=params.PATH)
@click.option(
    "--with-pictures",
    is_flag=True,
    help="The maps too; they can be made again, and make the archive many times larger.",
)
def pack_(game: Path, file: Path, with_pictures: bool) -> None:
    """Write the whole game as one archive, with a signed list of its files.

    \b
    Example:
      pbem pack toll toll.zip
    """
    from pbem.referee.game.environment import own_environment
    from pbem.referee.proving.pack import pack

    count = pack(own_environment(), game, file, pictures=with_pictures)
    click.echo(f"{count} files are in {file}.")


def show_roll(game: Path, slot: int, label: str, json_: bool) -> None:
    """Print one roll with its arithmetic."""
    from pbem.proof.archive import visible
    from pbem.referee.proving.verify import roll

    shown = roll(game, slot, label)
    if json_:
        print_json(
            {
                "slot": shown.slot,
                "label": shown.label,
                "sides": shown.sides,
                "values": list(shown.values),
                "seed": shown.seed,
                "openssl": shown.openssl,
                "rule": shown.rule,
            }
        )
        return
    click.echo(
        f"slot {shown.slot}  {shown.label}  d{shown.sides}: {' '.join(str(value) for value in shown.values)}"
    )
    click.echo(f"seed {shown.seed}")
    for line in shown.lines:
        click.echo(visible(line))


@click.command("roll")
@params.game
@click.argument("slot", type=int)
@click.argument("label")
@params.as_json
def roll_(game: Path, slot: int, label: str, json_: bool) -> None:
    """Show one die, with the arithmetic and the openssl line.

    \b
    Example:
      pbem roll toll 1 t1.east.melee/fight/hob/1
    """
    show_roll(game, slot, label, json_)


@click.command("diff")
@click.argument("one", type=params.PATH)
@click.argument("other", type=params.PATH)
@params.as_json
@click.pass_context
def diff_(ctx: click.Context, one: Path, other: Path, json_: bool) -> None:
    """Show which events differ between two games or archives; 0 if none does.

    \b
    Example:
      pbem diff toll.zip toll-again.zip
    """
    from pbem.proof.archive import visible
    from pbem.referee.turn.diff import diff

    found = diff(one, other)
    if json_:
        print_json([{"slot": at.slot, "n": at.n, "one": at.one, "other": at.other} for at in found])
    else:
        for at in found:
            click.echo(f"slot {at.slot} event {at.n}")
            click.echo(visible(f"- {at.one}" if at.one else "- (nothing)"))
            click.echo(visible(f"+ {at.other}" if at.other else "+ (nothing)"))
    ctx.exit(NO if found else 0)
