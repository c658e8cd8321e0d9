"""Verbs of the proof: pack, verify, roll, diff."""

from __future__ import annotations

from pathlib import Path

import click

from pbem.cli import NO, UNDECIDED, params
from pbem.cli.refused import print_json


@click.command("pack")
@params.game
@click.argument("file", type=params.PATH)
def pack_(game: Path, file: Path) -> None:
    """Write the whole game as one archive, with a signed list of its files.

    \b
    Example:
      pbem pack toll toll.zip
    """
    from pbem.referee.desk import own_desk
    from pbem.referee.pack import pack

    count = pack(own_desk(), game, file)
    click.echo(f"{count} files are in {file}.")


@click.command("verify")
@params.game
@click.option("--die", metavar="LABEL", help="Show the arithmetic of one die.")
@click.option("--slot", type=int, help="The slot of that die.")
@click.option("--with", "other", type=params.PATH, metavar="OTHER", help="Another copy: is it one history?")
@click.option("--no-replay", is_flag=True, help="Do not play the rules again.")
@params.as_json
@click.pass_context
def verify_(ctx: click.Context, game: Path, die: str | None, slot: int | None, other: Path | None, no_replay: bool, json_: bool) -> None:
    """Check the proof of a game; the rules are played again.

    \b
    Example:
      pbem verify toll.zip
      pbem verify toll.zip --die t1.east.melee/fight/hob/1 --slot 1
    """
    from pbem.referee.verify import compare, verify

    if die is not None:
        if slot is None:
            raise click.UsageError("--die needs --slot")
        _show_roll(game, slot, die, json_)
        return
    if other is not None:
        found = compare(game, other)
        fork = "FORK" if found.game[0] == found.game[1] else f"two games, {found.game[0]} and {found.game[1]}"
        word = "one history" if found.same else fork
        if json_:
            print_json({"same": found.same, "heads": list(found.heads), "shared": found.shared})
        else:
            click.echo(f"{word}: {found.shared} records in common; heads {found.heads[0]} and {found.heads[1]}")
        ctx.exit(0 if found.same else NO if min(found.lengths) else UNDECIDED)
    verdict = verify(game, with_rules=not no_replay)
    if json_:
        print_json(
            {
                "verdict": verdict.verdict,
                "slots": verdict.slots,
                "signatures": verdict.signatures,
                "dice": verdict.dice,
                "failures": [{"code": one.code, "where": one.where, "message": one.message} for one in verdict.failures],
                "warnings": [{"code": one.code, "where": one.where, "message": one.message} for one in verdict.warnings],
                "trust": [{"slot": line.slot, "foreknowledge": line.foreknowledge} for line in verdict.trust],
            }
        )
    else:
        for line in verdict.lines:
            click.echo(line)
    ctx.exit(verdict.exit_code)


def _show_roll(game: Path, slot: int, label: str, json_: bool) -> None:
    from pbem.referee.verify import roll

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
    click.echo(f"slot {shown.slot}  {shown.label}  d{shown.sides}: {' '.join(str(value) for value in shown.values)}")
    click.echo(f"seed {shown.seed}")
    for line in shown.lines:
        click.echo(line)


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
    _show_roll(game, slot, label, json_)


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
    from pbem.referee.diff import diff

    found = diff(one, other)
    if json_:
        print_json([{"slot": at.slot, "n": at.n, "one": at.one, "other": at.other} for at in found])
    else:
        for at in found:
            click.echo(f"slot {at.slot} event {at.n}")
            click.echo(f"- {at.one}" if at.one else "- (nothing)")
            click.echo(f"+ {at.other}" if at.other else "+ (nothing)")
    ctx.exit(NO if found else 0)
