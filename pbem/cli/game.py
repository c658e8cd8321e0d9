"""Verbs round a game: new, join, admit, status."""

from __future__ import annotations

from pathlib import Path

import click

from pbem.cli import params
from pbem.cli.refused import print_json


@click.command("new")
@click.argument("scenario")
@click.argument("game", type=params.PATH)
@click.option("--seat", "seats", multiple=True, metavar="SEAT[:SIDE]=NAME[,KEY]", help="Who plays; KEY is a public key or its file.")
@click.option("--me", metavar="SEAT", help="The seat you play yourself; default the first.")
@click.option("--umpire", is_flag=True, help="You play no seat.")
@click.option("--profile", type=click.Choice(["joint", "gm"]), default="joint", help="gm: an umpire whom everybody trusts.")
@click.option("--go-always", multiple=True, metavar="SEAT", help="This seat is asked for a go whenever dice are wanted.")
@click.option("--option", "options", multiple=True, metavar="K=V", help="An optional rule.")
@click.option("--tables", type=params.PATH, metavar="DIR", help="Number tables of your own.")
@click.option("--beacon", is_flag=True, help="Dice wait for a round of drand quicknet instead of for a go.")
@click.option("--beacon-delay", type=click.IntRange(60, 31_536_000), default=3600, metavar="SECONDS", help="How long after a lock; 3600.")
@click.option("--id", "name", metavar="NAME", help="The name of the game; default the folder's, with six random digits.")
@params.as_json
def new_(
    scenario: str,
    game: Path,
    seats: tuple[str, ...],
    me: str | None,
    umpire: bool,
    profile: str,
    go_always: tuple[str, ...],
    options: tuple[str, ...],
    tables: Path | None,
    beacon: bool,
    beacon_delay: int,
    name: str | None,
    json_: bool,
) -> None:
    """Make a game folder and the invitations. SCENARIO is a name or a file of your own.

    \b
    Example:
      pbem new alder-ford toll --seat east=Ada --seat west=Ben,ben_ed25519.pub
    """
    from pbem.referee.desk import own_desk
    from pbem.referee.new import SeatWish, new

    wishes = []
    for text in seats:
        left, equals, right = text.partition("=")
        seat, _, side = left.partition(":")
        if not equals or not seat or not right:
            raise click.BadParameter(f"'{text}' is not SEAT=NAME", param_hint="--seat")
        who, comma, key = right.partition(",")
        line = params.public_key(key) if comma else None
        wishes.append(SeatWish(seat, side or seat, who, line, "always" if seat in go_always else "needed"))
    chosen = {}
    for text in options:
        option, equals, value = text.partition("=")
        if not equals:
            raise click.BadParameter(f"'{text}' is not K=V", param_hint="--option")
        chosen[option] = value
    made = new(
        own_desk(),
        scenario,
        game,
        wishes,
        me=me,
        umpire=umpire,
        profile=profile,
        options=chosen,
        tables=tables,
        name=name,
        beacon=beacon_delay if beacon else None,
    )
    if json_:
        print_json({"game": made.game, "folder": str(made.folder), "invited": list(made.invited), "started": made.started})
        return
    click.echo(f"{made.game} is made in {made.folder}.")
    if made.invitation is not None:
        office = made.folder.absolute().parent
        if (office / "pbem.toml").is_file():
            click.echo(f"`pbem run {office}` invites {', '.join(made.invited)} and takes their answers in.")
        else:
            click.echo(f"Send {made.invitation} to: {', '.join(made.invited)}")
            click.echo("A letter for each of them lies beside it. Take their answers in with `pbem admit`.")
    if made.started:
        click.echo("It has started.")


@click.command("join")
@click.argument("invitation", type=params.PATH)
@params.key
@params.seat
@click.option("--words", default="yes, I play", help="Without a key: your answer.")
@click.option("-o", "--out", type=params.PATH, default="join.txt", help="Where the answer is written; default join.txt.")
@params.as_json
def join_(invitation: Path, key: Path | None, seat: str | None, words: str, out: Path, json_: bool) -> None:
    """Answer an invitation: your chain of values, your join, your signature.

    \b
    Example:
      pbem join invitation.zip --key ~/.ssh/id_ed25519 -o join.txt
    """
    from pbem.referee.desk import own_desk
    from pbem.referee.join import join

    private = params.private_key(key) if key is not None else None
    joined = join(own_desk(), invitation, private, seat, words)
    params.write(out, joined.letter)
    if json_:
        print_json({"game": joined.game, "seat": joined.seat, "file": str(out), "fingerprint": joined.fingerprint})
        return
    click.echo(f"You join {joined.game} as {joined.seat}. Send {out} to the umpire.")
    if joined.fingerprint:
        click.echo(f"Your key: {joined.fingerprint}")
    if joined.chain_file is not None:
        click.echo(f"Your values lie in {joined.chain_file}. Keep it as you keep your key.")


@click.command("admit")
@params.game
@click.argument("letter", type=params.PATH, required=False)
@params.seat
@click.option("--words", help="What a seat without a key answered, in any mail.")
@params.as_json
def admit_(game: Path, letter: Path | None, seat: str | None, words: str | None, json_: bool) -> None:
    """Take a join in; the game starts when all are in.

    \b
    Example:
      pbem admit toll join.txt
      pbem admit toll --seat west --words "yes, I play"
    """
    from pbem.referee.admit import admit, admit_words
    from pbem.referee.desk import own_desk
    from pbem.referee.scenario import open_file

    if letter is not None:
        taken = admit(own_desk(), game, open_file(letter))
    elif seat is not None and words is not None:
        taken = admit_words(own_desk(), game, seat, words)
    else:
        raise click.UsageError("name a join file, or --seat and --words")
    if json_:
        print_json({"seat": taken.seat, "started": taken.started, "missing": list(taken.missing)})
        return
    click.echo(f"{taken.seat} is in.")
    click.echo("The game has started." if taken.started else f"Still missing: {', '.join(taken.missing)}")


@click.command("status")
@params.game
@params.as_json
def status_(game: Path, json_: bool) -> None:
    """Show where the game stands, whose orders are missing, which tables are reconstructed.

    \b
    Example:
      pbem status toll
    """
    from pbem.referee.desk import own_desk
    from pbem.referee.game import open_game
    from pbem.referee.notices import notices
    from pbem.referee.status import mails_said, status
    from pbem.text.characters import printable

    opened = open_game(game)
    now = status(opened)
    noticed = notices(own_desk(), opened)
    if json_:
        print_json(
            {
                "game": now.game,
                "ruleset": now.ruleset,
                "turn": now.turn,
                "phase": now.phase,
                "slot": now.slot,
                "waiting_for": [{"seat": seat, "for": what} for seat, what in now.waiting_for],
                "questions": list(now.questions),
                "reconstructed_tables": list(now.reconstructed_tables),
                "record": list(now.record),
                "notices": list(noticed),
                "mails": [
                    {"seat": entry.seat, "letters": entry.letters, "turns": entry.turns, "per_turn": entry.per_turn} for entry in now.mails
                ],
            }
        )
        return
    click.echo(f"{now.game}   {now.ruleset}   head {now.head}")
    if now.not_joined:
        click.echo(f"not started; still to join: {', '.join(now.not_joined)}")
    elif now.over:
        click.echo(f"over after {now.slot} slots")
    else:
        click.echo(f"slot {now.slot}, {now.phase}{', locked' if now.locked else ''}")
    for seat, what in now.waiting_for:
        draft = " (there is a draft)" if seat in now.drafts else ""
        click.echo(f"  waits for {seat}: {what}{draft}")
    if not now.waiting_for and not now.over and not now.not_joined:
        click.echo("  all is there: pbem resolve")
    for question in now.questions:
        choices = ", ".join(f"{choice['id']} {choice['value']}" for choice in question["choices"])
        click.echo(f"  {question['id']} to {question['seat']}: {question['about']} {question.get('unit', '')} ({choices})")
    for line in (*now.record, *mails_said(now)):
        click.echo(f"  {line}")
    for line in noticed:
        click.echo(printable(f"  {line}"))
    if now.reconstructed_tables:
        click.echo(f"  reconstructed tables: {', '.join(now.reconstructed_tables)}")
    keyring = own_desk().keyring
    for party in ("gm", *sorted(opened.ledger.seats)):
        if party in opened.ledger.last:
            path = keyring.chain_file(now.game, party)
            click.echo(f"  chain of {party}: {path}{'' if path.is_file() else ' (not on this computer)'}")
