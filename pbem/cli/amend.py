"""The rarer acts of the protocol: undo, consent, keys."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from pbem.cli import params
from pbem.cli.asking import ask, put
from pbem.cli.refused import print_json


@click.command("undo")
@params.game
@click.option(
    "--to", required=True, type=click.IntRange(1), metavar="N", help="The first slot that is taken back."
)
@click.option("--why", default="", metavar="TEXT", help="The reason, for the ledger.")
@ask
@params.i_know
@params.as_json
def undo_(game: Path, to: int, why: str, ask: bool, i_know: bool, json_: bool) -> None:
    """Take back every slot from N on. Each seat with a key has to consent; what was rolled stays on record.

    \b
    Example:
      pbem undo toll --to 4 --why "the map was wrong"
      pbem undo games/toll --to 4 --why "the map was wrong" --ask
    """
    if ask:
        put(game, i_know, json_, "undo", why, slot=to)
        return
    from pbem.referee.turn.undo import undo

    done = undo(params.env(i_know), game, to, why)
    if json_:
        print_json(
            {
                "to": done.to,
                "slot": done.slot,
                "phase": done.phase,
                "waits": list(done.waits),
                "consents": list(done.consents),
            }
        )
        return
    click.echo(
        f"Everything from slot {done.to} on is taken back. Slot {done.slot} is open: {done.phase}, orders "
        f"of {', '.join(done.waits)}."
    )


@click.command("consent")
@params.game
@click.argument("letter", required=False, type=params.PATH)
@click.option(
    "--to", type=click.IntRange(1), metavar="N", help="Consent to taking back every slot from N on."
)
@click.option("--change", type=params.PATH, metavar="FILE", help="Consent to this change of keys.")
@click.option("--act", type=params.PATH, metavar="FILE", help="Consent to this ruling or correction.")
@params.seat
@params.key
@click.option("-o", "--out", type=params.PATH, help="Write the consent to a file, to be sent to the umpire.")
@params.as_json
def consent_(
    game: Path,
    letter: Path | None,
    to: int | None,
    change: Path | None,
    act: Path | None,
    seat: str | None,
    key: Path | None,
    out: Path | None,
    json_: bool,
) -> None:
    """Consent to taking slots back, to new keys, a ruling or a correction (a player), or take such a
    consent in (the umpire, with LETTER).

    \b
    Example:
      pbem consent toll.zip --to 4 --key ~/.ssh/id_ed25519 -o consent.txt
      pbem consent toll consent.txt
    """
    from pbem.referee.game.game import open_game
    from pbem.referee.game.scenario import open_file
    from pbem.referee.turn import consent
    from pbem.referee.turn.rekey import read_change

    if letter is not None:
        done = consent.take(game, open_file(letter))
        said = f"{done.seat} consents."
    elif sum(one is not None for one in (to, change, act)) == 1 and key is not None:
        opened = open_game(game)
        wanted: dict[str, Any] = {"to": to} if change is None else read_change(open_file(change))
        if act is not None:
            proposed = consent.read_act(opened, open_file(act))
            wanted = {"act": proposed["act"]}
            for line in consent.told(proposed):
                click.echo(line, err=True)
        done = consent.make(opened, params.private_key(key), wanted, seat)
        if out is not None:
            params.write(out, done.letter)
        said = f"Send {out} to the umpire." if out is not None else done.letter.decode().rstrip("\n")
    else:
        raise click.UsageError(
            "give --to, --change or --act, and your key with --key, or the file of a consent"
        )
    if json_:
        print_json({"seat": done.seat, "wanted": dict(done.wanted), "letter": done.letter.decode()})
        return
    click.echo(said)


@click.group("keys")
def keys_() -> None:
    """Public keys of a game, new ones, and those that a recovery code gets.

    \b
    Example:
      pbem keys export toll
    """


@keys_.command("export")
@params.game
def export_(game: Path) -> None:
    """Print the public keys of a game as ssh-keygen -Y verify wants them (allowed_signers)."""
    from pbem.referee.game.game import open_game
    from pbem.referee.turn.rekey import allowed

    click.echo(allowed(open_game(game)), nl=False)


@keys_.command("rekey")
@params.game
@click.argument("change", required=False, type=params.PATH)
@click.option("--of", metavar="SEAT", help="Make a change for this seat, or for gm.")
@params.key
@click.option("--no-values", is_flag=True, help="Only a new key: the old values are still there.")
@click.option("--no-recovery", is_flag=True, help="Without a new recovery code.")
@click.option("--why", default="", metavar="TEXT", help="The reason, for the ledger.")
@click.option(
    "-o", "--out", type=params.PATH, help="Write the change to a file, for the others to consent to."
)
@params.as_json
def rekey_(
    game: Path,
    change: Path | None,
    of: str | None,
    key: Path | None,
    no_values: bool,
    no_recovery: bool,
    why: str,
    out: Path | None,
    json_: bool,
) -> None:
    """Make a change of keys (with --of, by who will have them), or enter one (the umpire, with CHANGE).

    All other seats with keys consent to it, and the seat itself with its old key or its recovery code; where
    nobody else has a key, only so. CHANGE may be the letter that came of a recovery code.

    \b
    Example:
      pbem keys rekey toll.zip --of west --key ~/.ssh/id_ed25519 -o change.json
      pbem keys rekey toll change.json --why "a new computer"
    """
    from pbem.proof.acts import rekey_said
    from pbem.referee.game.environment import own_environment
    from pbem.referee.game.game import open_game
    from pbem.referee.game.scenario import open_file
    from pbem.referee.turn.rekey import propose, rekey
    from pbem.store.library import common_words

    if change is not None:
        done = rekey(own_environment(), game, open_file(change), why)
        if json_:
            found = {
                "of": done.of,
                "from": done.since,
                "consents": list(done.consents),
                "own": done.taken.own or None,
            }
            print_json({**found, "said": rekey_said(done.taken)})
            return
        click.echo(f"{done.of} has new keys for what is announced from slot {done.since} on.")
        click.echo(f"Everybody is told so: {rekey_said(done.taken)}.")
        if done.then:
            click.echo(done.then)
        return
    if of is None:
        raise click.UsageError("name the seat with --of, or the file of a change")
    private = None if key is None else params.private_key(key)
    made = propose(
        own_environment(), open_game(game), of, private, values=not no_values, recovery=not no_recovery
    )
    if json_:
        print_json({"change": json.loads(made.change), "recovery_code": made.code or None})
    elif out is not None:
        click.echo(
            f"Send {out} to the others: each consents with  pbem consent GAME "
            f"--change {out} --key KEY -o consent.txt"
        )
        params.say_code(made.code)
    else:
        click.echo(made.change.decode(), nl=False)
    if out is not None:
        params.write(out, made.change)
    elif made.code and not json_:
        click.echo(common_words().phrase("rekey.code", code=made.code), err=True)


@keys_.command("recover")
@params.game
@click.option("--code", metavar="CODE", help="Your recovery code; default it is asked for.")
@params.key
@click.option(
    "-o",
    "--out",
    type=params.PATH,
    default="recover.txt",
    help="Where the letter is written; default recover.txt.",
)
@params.as_json
def recover_(game: Path, code: str | None, key: Path | None, out: Path, json_: bool) -> None:
    """Get new keys and values with the recovery code that pbem join printed, on a new computer, with a new
    key.

    GAME is the newest archive of the game that you were sent. The letter is for the umpire; the code is not
    in it and stays with you.

    \b
    Example:
      pbem keys recover toll.zip --key ~/.ssh/id_ed25519 -o recover.txt
      pbem keys rekey toll recover.txt
    """
    from pbem.referee.turn.recover import recover

    if key is None:
        raise click.UsageError("name your new private key with --key")
    private, opened = params.private_key(key), params.opened(game)
    typed = code if code is not None else click.prompt("Recovery code", err=True)
    done = recover(params.env(), opened, private, typed)
    params.write(out, done.letter)
    params.opened(game)
    if json_:
        print_json(
            {"game": opened.id, "seat": done.seat, "file": str(out), "consents_needed": list(done.others)}
        )
        return
    for line in done.said(str(out)):
        click.echo(line)
