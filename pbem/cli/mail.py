"""Verbs round letters: mail read, fetch, send, seats."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem.cli import NO, UNDECIDED, params
from pbem.cli.refused import print_json, tell

if TYPE_CHECKING:
    from pbem.post.lines.message import Found, Message
    from pbem.store.spool import Raw
    from pbem.text.words import Words


@click.group("mail")
def mail_() -> None:
    """Letters in and out: read one, fetch and send them, who has which code.

    \b
    Example:
      pbem mail read bob.eml
    """


def _letters(path: Path) -> Iterator[Raw]:
    from pbem.store import spool

    if str(path) == "-":
        return spool.from_stream(sys.stdin.buffer, "-")
    return spool.letters(path)


@mail_.command("read")
@click.argument("files", nargs=-1, required=True, type=params.PATH, metavar="FILE|MBOX|MAILDIR|-...")
@click.option(
    "--game", type=params.PATH, metavar="GAME", help="Also check the orders against a game. Stores nothing."
)
@params.seat
@click.option(
    "--office",
    type=params.PATH,
    metavar="DIR",
    help="Keep the letters in an office: pbem run FOLDER answers them.",
)
@click.option(
    "-o",
    "--out",
    type=params.PATH,
    help="Write the orders of the only letter to a file, and a signature beside it.",
)
@params.as_json
@click.pass_context
def read(
    ctx: click.Context,
    files: tuple[Path, ...],
    game: Path | None,
    seat: str | None,
    office: Path | None,
    out: Path | None,
    json_: bool,
) -> None:
    """Find the orders in letters, as they come: quoted, wrapped, as a page, in an attachment.

    \b
    Example:
      pbem mail read bob.eml
      pbem mail read bob.eml --game toll --seat west
      pbem mail read ~/Maildir --office games
    """
    if office is not None:
        if game is not None or seat is not None or out is not None:
            raise click.UsageError("--office keeps letters for pbem run; leave out --game, --seat and --out")
        _keep(files, office, json_)
        return
    from pbem.post.mail import mime
    from pbem.post.orders import finding
    from pbem.referee.game.game import open_game
    from pbem.referee.game.vocabularies import keys_of, keys_of_rulesets
    from pbem.store.library import common_words

    opened = None if game is None else open_game(game)
    keys = keys_of_rulesets() if opened is None else keys_of(opened)
    told: list[dict[str, Any]] = []
    good = True
    count = 0
    for path in files:
        for raw in _letters(path):
            count += 1
            message = mime.read(raw.data, keys)
            found = finding.find(keys, message)
            problems = [] if opened is None or not found.data else _checked(opened, raw.source, found, seat)
            good = (
                good
                and (bool(message.automatic) or bool(found.data))
                and all(one.is_doubt for one in problems)
                and not raw.fault
            )
            if json_:
                told.append(_facts(raw, message, found, common_words()))
            else:
                _show(raw, message, found, common_words(), count)
            tell(problems)
            if out is not None:
                _write(out, found, count)
    if json_:
        print_json({"letters": told})
    elif not count:
        click.echo("There is no letter.")
    ctx.exit(0 if good and count else NO if count else UNDECIDED)


def _checked(game: Any, source: str, found: Found, seat: str | None) -> list[Any]:
    """Return what is wrong with the orders of a letter, with places in the letter."""
    from msgspec.structs import replace

    from pbem.referee.mail.taking import in_letter
    from pbem.referee.turn.check import check

    checked = check(game, found.where or source, found.data, seat)
    for line in checked.understood:
        click.echo(line, err=True)
    return [
        replace(one, file=one.file or source)
        for one in in_letter(found, (*checked.problems, *checked.doubts))
    ]


def _show(raw: Raw, message: Message, found: Found, words: Words, number: int) -> None:
    from pbem.post.write.parts import repaired
    from pbem.text.characters import printable, shown

    if number > 1:
        click.echo("")
    click.echo(
        f"{printable(raw.source)}: from {message.sender or 'nobody'}, "
        f"{shown(message.subject) or '(no subject)'}"
    )
    if raw.fault:
        click.echo(f"  {raw.fault}")
    if message.automatic:
        click.echo(f"  {words.phrase('mail.automatic', why=message.automatic)}")
        return
    if found.data:
        where = f"the file {printable(found.where)}" if found.where else "the letter's own text"
        click.echo(f"  {'signed orders' if found.signature else found.kind} in {where}")
    for said in repaired(found.repairs, words):
        click.echo(f"  {said}")
    for problem in found.problems:
        click.echo(
            f"  {words.problem(problem.code, problem.args)}{f' ({problem.help})' if problem.help else ''}"
        )
    if found.held:
        click.echo(f"  {words.phrase('mail.held')}")
    for problem in found.held:
        click.echo(f"    {words.problem(problem.code, problem.args)}")
    if found.data:
        click.echo("")
        for line in found.data.decode("utf-8", "replace").splitlines():
            click.echo(printable(line))


def _facts(raw: Raw, message: Message, found: Found, words: Words) -> dict[str, Any]:
    return {
        "source": raw.source,
        "id": message.id,
        "from": message.sender,
        "subject": message.subject,
        "automatic": message.automatic,
        "found": found.kind,
        "where": found.where,
        "orders": found.data.decode("utf-8", "replace"),
        "signed": found.signature is not None,
        "repairs": [
            {
                "line": one.number,
                "code": one.code,
                "was": one.was,
                "now": one.now,
                "said": words.phrase(one.code, was=one.was, now=one.now),
            }
            for one in found.repairs
        ],
        "problems": [
            {"code": one.code, "message": words.problem(one.code, one.args), "help": one.help}
            for one in found.problems
        ],
        "held": [{"code": one.code, "message": words.problem(one.code, one.args)} for one in found.held],
        "words": found.words,
        "answers": [
            {"kind": one.kind, "game": one.game, "slot": one.slot, "seat": one.seat} for one in found.answers
        ],
    }


def _write(out: Path, found: Found, count: int) -> None:
    if count > 1:
        raise click.UsageError("--out takes the orders of one letter, and there are several")
    if not found.data:
        return
    if found.signature is not None:
        params.write(out.with_name(out.name + ".sig"), found.signature)
    params.write(out, found.data)
    click.echo(f"The orders are in {out}.", err=True)


def _keep(files: tuple[Path, ...], office: Path, json_: bool) -> None:
    from pbem.referee.mail.couriers import keep_all
    from pbem.referee.mail.office import alone, settings
    from pbem.store.postbag import Postbag

    settings(office)
    with alone(office) as post:
        kept = keep_all(Postbag(post), chain.from_iterable(map(_letters, files)))
    for fault in kept.faults:
        click.echo(fault, err=True)
    if json_:
        print_json({"kept": kept.new, "known": kept.known})
    else:
        click.echo(f"{kept.new} kept, {kept.known} known already. Now: pbem run {office}")


@mail_.command("fetch")
@click.argument("office", type=params.PATH, metavar="FOLDER")
@click.pass_context
def fetch(ctx: click.Context, office: Path) -> None:
    """Fetch what has come to the mailbox of an office; nothing is marked or deleted there.

    \b
    Example:
      pbem mail fetch games
    """
    from pbem.referee.mail.couriers import fetch_alone

    kept, failed = fetch_alone(office)
    click.echo(f"{kept} kept. Now: pbem run {office}")
    for said in failed:
        click.echo(said, err=True)
    ctx.exit(UNDECIDED if failed else 0)


@mail_.command("send")
@click.argument("office", type=params.PATH, metavar="FOLDER")
@click.option("--dry-run", is_flag=True, help="Show what would go, and send nothing.")
@click.option(
    "--sent",
    is_flag=True,
    help="Send nothing: note that you have sent with a mail program what lies in post/out.",
)
@click.option(
    "--again",
    metavar="KEY",
    help="Send a letter once more that may or may not have gone (pbem run says which).",
)
@click.pass_context
def send(ctx: click.Context, office: Path, dry_run: bool, sent: bool, again: str | None) -> None:
    """Send what is queued in an office.

    \b
    Example:
      pbem mail send games --dry-run
    """
    from pbem.referee.mail import couriers

    if dry_run:
        for number, text in enumerate(couriers.queued(office)):
            click.echo(("\n" + "=" * 72 + "\n\n" if number else "") + text)
        return
    if sent:
        for key in couriers.sent_by_hand(office):
            click.echo(f"{key} is sent.")
        return
    from pbem.cli.rounds import line_of

    bad = False
    for step in couriers.send_alone(office, again):
        click.echo(line_of(step))
        bad = bad or step.what == "trouble"
    ctx.exit(UNDECIDED if bad else 0)


@mail_.command("umpire")
@click.argument("office", type=params.PATH, metavar="FOLDER")
@click.option("--read", "again", is_flag=True, help="Show those that were looked at before.")
def umpire_(office: Path, again: bool) -> None:
    """Show the letters to the umpire that were not sent to him, because pbem.toml has no address of his; each
    is shown once.

    \b
    Example:
      pbem mail umpire games
    """
    from pbem.referee.mail.office import alone, settings
    from pbem.store import umpire
    from pbem.text.characters import printable

    settings(office)
    with alone(office) as post:
        folder = post / umpire.FOLDER / umpire.READ if again else post / umpire.FOLDER
        texts = [
            umpire.text(folder, key) if again else umpire.shown(folder, key)
            for key, _ in umpire.waiting(folder)
        ]
    for number, text in enumerate(texts):
        click.echo("\n" + "=" * 72 + "\n" if number else "", nl=False)
        for line in text.split("\n"):
            click.echo(printable(line))
    if not texts:
        click.echo("There is no letter for you.")


@mail_.command("seats")
@click.argument("office", type=params.PATH, metavar="FOLDER")
@params.as_json
def seats(office: Path, json_: bool) -> None:
    """Say who plays which seat, and the code that his letters carry.

    \b
    Example:
      pbem mail seats games
    """
    from pbem.referee.game.environment import own_environment
    from pbem.referee.mail.office import open_house
    from pbem.text.characters import printable

    house = open_house(own_environment(), office)
    if json_:
        listed = [
            {"game": one.game, "seat": one.seat, "addresses": list(one.addresses), "code": one.code}
            for one in house.seats
        ]
        print_json(
            {"seats": listed, "troubles": [{"where": one.where, "said": one.said} for one in house.troubles]}
        )
        return
    widths = [
        max((len(cell) for cell in column), default=0)
        for column in zip(*((s.game, s.seat, s.code) for s in house.seats), strict=True)
    ]
    for one in house.seats:
        cells = "  ".join(
            cell.ljust(width) for cell, width in zip((one.game, one.seat, one.code), widths, strict=True)
        )
        click.echo(
            printable(
                f"{cells}  "
                f"{'signs with a key; ' if one.keyed else ''}{', '.join(one.addresses) or 'no address'}"
            )
        )
    for trouble in house.troubles:
        click.echo(f"{trouble.where}: {trouble.said}", err=True)
