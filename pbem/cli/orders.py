"""Verbs round orders: options, check, sign, submit."""

from __future__ import annotations

from pathlib import Path

import click

from pbem.cli import NO, params
from pbem.cli.refused import check_json, located, print_json, tell, tell_repairs


@click.command("options")
@params.game
@params.seat
@click.option("-o", "--out", type=params.PATH, help="Write the order sheet to a file.")
@params.as_json
def options_(game: Path, seat: str | None, out: Path | None, json_: bool) -> None:
    """Write an order sheet for the open phase: every unit, and what it may do, as comments to uncomment.

    \b
    Example:
      pbem options toll --seat west -o west.yaml
    """
    from pbem.referee.explain.options import options, sheet_for, which_seat

    opened = params.opened(game)
    if json_:
        name, phase, units = options(opened, seat)
        print_json(
            {
                "seat": name,
                "phase": phase,
                "units": [{"id": unit.id, "orders": list(unit.orders)} for unit in units],
            }
        )
        return
    name = which_seat(opened, seat)
    schema = "orders.schema.json" if out is not None else ""
    sheet = sheet_for(opened, name, opened.state, opened.announced(), schema)
    if out is None:
        click.echo(sheet, nl=False)
    else:
        params.write(out, sheet.encode())
        click.echo(f"An order sheet for {name} is in {out}.")


@click.command("check")
@click.argument("file", type=params.PATH)
@params.game_option
@params.seat
@click.option(
    "--normal",
    is_flag=True,
    help="Print a file without mistakes in normal form: each order as pbem reads it.",
)
@click.option(
    "--mended",
    type=params.PATH,
    metavar="OUT",
    help="Write the file to be sent again: what was understood, and wrong lines in comments.",
)
@params.as_json
@click.pass_context
def check_(
    ctx: click.Context,
    file: Path,
    game: Path,
    seat: str | None,
    normal: bool,
    mended: Path | None,
    json_: bool,
) -> None:
    """Say everything that is wrong with an order file, all at once. Stores nothing.

    \b
    Example:
      pbem check west.yaml --game toll --mended west-again.yaml
    """
    from pbem.referee.game.scenario import open_file
    from pbem.referee.turn.check import check
    from pbem.store.library import common_words

    opened = params.opened(game)
    rules = opened.ground.rules
    checked = check(opened, str(file), open_file(file), seat)
    found = (*checked.problems, *checked.doubts)
    text = ""
    if mended is not None:
        from pbem.referee.mail.sent_back import sent_back

        if text := sent_back(rules, checked):
            params.write(mended, text.encode())
    if json_:
        print_json(check_json(found))
    else:
        tell(found)
        tell_repairs(checked.repairs)
        for line in (
            rules.interface.normal(rules, checked.orders) if normal and checked.ok else checked.understood
        ):
            click.echo(line)
        if text:
            click.echo(common_words().phrase("check.mended", file=str(mended)))
        if checked.ok and not normal:
            click.echo(common_words().phrase("check.fine"))
    ctx.exit(0 if checked.ok else NO)


@click.command("sign")
@click.argument("file", type=params.PATH)
@params.game_option
@params.seat
@params.key
@click.option("--draft", is_flag=True, help="Sign it without your value: nothing is fixed yet.")
@params.wish
@params.i_know
@click.option(
    "-o",
    "--out",
    type=params.PATH,
    help="Where the signed file is written; default FILE with the ending .txt.",
)
@params.as_json
def sign_(
    file: Path,
    game: Path,
    seat: str | None,
    key: Path | None,
    draft: bool,
    slot: int | None,
    without_rules: bool,
    i_know: bool,
    out: Path | None,
    json_: bool,
) -> None:
    """Sign an order file, with your value for the slot: then it is final.

    Before the value leaves, the copy of the game is verified, its rules are played again, and it has to go on
    from what you have seen.

    \b
    Example:
      pbem sign west.yaml --game toll.zip --seat west --key ~/.ssh/id_ed25519
    """
    from pbem.referee.game.game import open_game
    from pbem.referee.game.scenario import open_file
    from pbem.referee.turn.giving import Wish
    from pbem.referee.turn.sign import sign_orders

    if key is None:
        raise click.UsageError("name your private key with --key")
    to, wish = out or file.with_suffix(".txt"), Wish(slot, not without_rules)
    opened, private = open_game(game), params.private_key(key)
    signed = sign_orders(
        params.env(i_know), opened, str(file), open_file(file), private, seat=seat, draft=draft, wish=wish
    )
    params.write(to.with_name(to.name + ".sig"), signed.signature.encode())
    params.write(to, signed.data)
    command = signed.command(str(to), str(key))
    if json_:
        given = params.given_json(signed.giving)
        print_json(
            {
                "file": str(to),
                "signature": f"{to}.sig",
                "final": signed.final,
                "value": given,
                "command": command,
            }
        )
        return
    tell(signed.checked.doubts)
    tell_repairs(signed.checked.repairs)
    click.echo(f"{'Final' if signed.final else 'A draft'}: send {to} and {to}.sig to the umpire.")
    params.say_given(signed.giving)
    click.echo(f"The same signature by hand: {command}")


@click.command("submit")
@click.argument("file", type=params.PATH)
@params.game_option
@params.seat
@click.option("--sig", type=params.PATH, help="The signature; default FILE.sig where there is one.")
@click.option("--receipt", is_flag=True, help="Sign a receipt, in a game with deadlines.")
@click.option("--no-lock", is_flag=True, help="Do not lock the slot when this is the last file.")
@params.i_know
@params.as_json
@click.pass_context
def submit_(
    ctx: click.Context,
    file: Path,
    game: Path,
    seat: str | None,
    sig: Path | None,
    receipt: bool,
    no_lock: bool,
    i_know: bool,
    json_: bool,
) -> None:
    """Check an order file and take it in. Also takes in a signed go.

    \b
    Example:
      pbem submit west.txt --game toll
      pbem submit mail.yaml --game toll --seat west
    """
    from pbem.referee.game.refusal import Refused
    from pbem.referee.game.scenario import open_file
    from pbem.referee.turn.submit import submit

    params.keep_tables()
    data = open_file(file)
    if data.startswith(b"{"):
        from pbem.referee.turn.go import take_go

        went = take_go(game, data)
        click.echo(
            f"{went.seat} goes. "
            + (f"Still missing: {', '.join(went.still_missing)}" if went.still_missing else "Now resolve.")
        )
        return
    beside = sig or file.with_name(file.name + ".sig")
    signature = open_file(beside) if sig is not None or beside.is_file() else None
    try:
        done = submit(
            params.env(i_know),
            game,
            str(file),
            data,
            signature,
            seat=seat,
            with_receipt=receipt,
            auto_lock=not no_lock,
        )
    except Refused as refusal:
        if not json_:
            raise
        print_json(check_json(located(refusal)))
        ctx.exit(refusal.answer)
    taken = done.receipt
    asks = located(Refused([done.asks], file=str(file))) if done.asks is not None else ()
    if json_:
        found: dict[str, object] = check_json((*asks, *done.checked.doubts))
        if taken is not None:
            found["receipt"] = {
                "sha512": taken.sha512,
                "slot": taken.slot,
                "seat": taken.seat,
                "file": taken.file,
            }
        print_json(found)
        ctx.exit(NO if asks else 0)
    tell((*asks, *done.checked.doubts))
    tell_repairs(done.checked.repairs)
    if done.answer:
        click.echo(done.answer)
    if asks:
        ctx.exit(NO)
    if done.lock is not None:
        asked = f"; it waits for the go of {', '.join(done.lock.asked)}" if done.lock.asked else ""
        click.echo(f"All is there: slot {done.lock.slot} is locked ({done.lock.digest}){asked}.")
        params.say_letters(game)
