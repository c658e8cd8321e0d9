"""The rarer acts of the protocol: undo and consent."""

from __future__ import annotations

from pathlib import Path

import click

from pbem.cli import params
from pbem.cli.refused import print_json


@click.command("undo")
@params.game
@click.option("--to", required=True, type=click.IntRange(1), metavar="N", help="The first slot that is taken back.")
@click.option("--why", default="", metavar="TEXT", help="The reason, for the ledger.")
@params.as_json
def undo_(game: Path, to: int, why: str, json_: bool) -> None:
    """Take back every slot from N on. Each seat with a key has to consent; what was rolled stays on record.

    \b
    Example:
      pbem undo toll --to 4 --why "the map was wrong"
    """
    from pbem.referee.desk import own_desk
    from pbem.referee.undo import undo

    done = undo(own_desk(), game, to, why)
    if json_:
        print_json({"to": done.to, "slot": done.slot, "phase": done.phase, "waits": list(done.waits), "consents": list(done.consents)})
        return
    click.echo(
        f"Everything from slot {done.to} on is taken back. Slot {done.slot} is open: {done.phase}, orders of {', '.join(done.waits)}."
    )


@click.command("consent")
@params.game
@click.argument("letter", required=False, type=params.PATH)
@click.option("--to", type=click.IntRange(1), metavar="N", help="Consent to taking back every slot from N on.")
@params.seat
@params.key
@click.option("-o", "--out", type=params.PATH, help="Write the consent to a file, to be sent to the umpire.")
@params.as_json
def consent_(game: Path, letter: Path | None, to: int | None, seat: str | None, key: Path | None, out: Path | None, json_: bool) -> None:
    """Consent to taking slots back (a player), or take such a consent in (the umpire, with LETTER).

    \b
    Example:
      pbem consent toll.zip --to 4 --key ~/.ssh/id_ed25519 -o consent.txt
      pbem consent toll consent.txt
    """
    from pbem.referee import consent
    from pbem.referee.game import open_game
    from pbem.referee.scenario import open_file

    if letter is not None:
        done = consent.take(game, open_file(letter))
        said = f"{done.seat} consents."
    elif to is not None and key is not None:
        done = consent.make(open_game(game), params.private_key(key), {"to": to}, seat)
        if out is not None:
            params.write(out, done.letter)
        said = f"Send {out} to the umpire." if out is not None else done.letter.decode().rstrip("\n")
    else:
        raise click.UsageError("give --to and your key with --key, or the file of a consent")
    if json_:
        print_json({"seat": done.seat, "wanted": dict(done.wanted), "letter": done.letter.decode()})
        return
    click.echo(said)
