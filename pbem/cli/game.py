"""Verbs round a game: new, join, admit."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli import params
from pbem.cli.refused import print_json

if TYPE_CHECKING:
    from pbem.referee.turn.new import NewGame


@click.command("new")
@click.argument("scenario")
@click.argument("game", type=params.PATH)
@click.option(
    "--seat",
    "seats",
    multiple=True,
    metavar="SEAT[:SIDE]=NAME[,KEY]",
    help="Who plays; KEY is a public key or its file.",
)
@click.option("--me", metavar="SEAT", help="The seat you play yourself; default the first.")
@click.option("--umpire", is_flag=True, help="You play no seat.")
@click.option(
    "--profile",
    type=click.Choice(["joint", "gm"]),
    default="joint",
    help="gm: an umpire whom everybody trusts.",
)
@click.option(
    "--go-always", multiple=True, metavar="SEAT", help="This seat is asked for a go whenever dice are wanted."
)
@click.option("--option", "options", multiple=True, metavar="K=V", help="An optional rule.")
@click.option("--tables", type=params.PATH, metavar="DIR", help="Number tables of your own.")
@click.option("--beacon", is_flag=True, help="Dice wait for a round of drand quicknet instead of for a go.")
@click.option(
    "--beacon-delay",
    type=click.IntRange(60, 31_536_000),
    default=3600,
    metavar="SECONDS",
    help="How long after a lock; 3600.",
)
@click.option(
    "--id", "name", metavar="NAME", help="The name of the game; default the folder's, with six random digits."
)
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
    from pbem.referee.game.environment import own_environment
    from pbem.referee.game.refusal import refuse
    from pbem.referee.game.scenario import find_scenario
    from pbem.referee.game.scenarios import seat_options
    from pbem.referee.turn.new import SeatWish, new
    from pbem.text.characters import printable

    wishes, named_always = [], {name.lower() for name in go_always}
    for text in seats:
        left, equals, right = text.partition("=")
        seat, _, side = left.partition(":")
        if not equals or not seat or not right:
            raise click.BadParameter(f"'{text}' is not SEAT=NAME", param_hint="--seat")
        who, comma, key = right.partition(",")
        line = params.public_key(key) if comma else None
        seat, side = seat.lower(), side.lower()
        wishes.append(SeatWish(seat, side or seat, who, line, "always" if seat in named_always else "needed"))
    chosen = {}
    for text in options:
        option, equals, value = text.partition("=")
        if not equals:
            raise click.BadParameter(f"'{text}' is not K=V", param_hint="--option")
        chosen[option] = value
    if not seats:
        sides = find_scenario(scenario, tables).data["sides"]
        raise refuse("seat.none", help=f"pbem new {scenario} {game} {seat_options(sides)}")
    made = new(
        own_environment(),
        scenario,
        game,
        wishes,
        me=me and me.lower(),
        umpire=umpire,
        profile=profile,
        options=chosen,
        tables=tables,
        name=name,
        beacon=beacon_delay if beacon else None,
    )
    if json_:
        print_json(
            {
                "game": made.game,
                "folder": str(made.folder),
                "invited": list(made.invited),
                "started": made.started,
                "own_rules": list(made.own_rules),
            }
        )
        return
    click.echo(f"{made.game} is made in {made.folder}.")
    _not_shipped(made.own_rules)
    for line in _after(made):
        click.echo(printable(line))


def _not_shipped(lines: tuple[str, ...]) -> None:
    """Print what of a game's rules and scenario is not as pbem comes with it."""
    from pbem.store.library import common_words
    from pbem.text.characters import printable

    if lines:
        click.echo(common_words().phrase("own.lead"))
    for line in lines:
        click.echo(printable(f"  {line}"))


def _after(made: NewGame) -> Iterator[str]:
    """Yield what comes next, for whoever sends letters himself and for an office, which sends them."""
    from pbem.referee.game.game import open_game
    from pbem.referee.mail.office import served_in, settings, strangers
    from pbem.referee.play.next_step import office_of
    from pbem.store.library import common_words

    words, root = common_words(), office_of(made.folder)
    if root is None:
        if made.invitation is not None:
            yield words.phrase(
                "new.invite", file=made.invitation, seats=list(made.invited), folder=made.folder
            )
    else:
        office = settings(root)
        served = served_in(office, open_game(made.folder), made.folder)
        who = [
            f"{player.name} <{player.address}> ({seat})"
            for seat, player in served.players.items()
            if not player.is_bot
        ]
        yield from strangers(office, served)
        yield words.phrase("new.office", who=who, folder=root)
    if made.started:
        yield words.phrase("new.started", folder=made.folder)


@click.command("join")
@click.argument("invitation", type=params.PATH)
@params.key
@params.seat
@click.option("--words", default="yes, I play", help="Without a key: your answer.")
@click.option("--no-recovery", is_flag=True, help="With a key: without a recovery code.")
@click.option(
    "-o", "--out", type=params.PATH, default="join.txt", help="Where the answer is written; default join.txt."
)
@params.as_json
def join_(
    invitation: Path,
    key: Path | None,
    seat: str | None,
    words: str,
    no_recovery: bool,
    out: Path,
    json_: bool,
) -> None:
    """Answer an invitation: what fixes your values, your join, your signature. With a key it prints a
    recovery code, once.

    \b
    Example:
      pbem join invitation.zip --key ~/.ssh/id_ed25519 -o join.txt
    """
    from pbem.referee.game.environment import own_environment
    from pbem.referee.turn.join import join

    private = params.private_key(key) if key is not None else None
    joined = join(own_environment(), invitation, private, seat, words, recovery=not no_recovery)
    params.write(out, joined.letter)
    if json_:
        found = {
            "game": joined.game,
            "seat": joined.seat,
            "file": str(out),
            "fingerprint": joined.fingerprint,
        }
        code = {"recovery_code": joined.code} if joined.code else {}
        print_json({**found, "own_rules": list(joined.own_rules), **code})
        return
    click.echo(f"You join {joined.game} as {joined.seat}. Send {out} to the umpire.")
    _not_shipped(joined.own_rules)
    if joined.fingerprint:
        click.echo(f"Your key: {joined.fingerprint}")
    if joined.chain_file is not None:
        click.echo(f"Your values lie in {joined.chain_file}. Keep it as you keep your key.")
    params.say_code(joined.code)


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
    from pbem.referee.game.environment import own_environment
    from pbem.referee.game.scenario import open_file
    from pbem.referee.turn.admit import admit, admit_words

    if letter is not None:
        taken = admit(own_environment(), game, open_file(letter))
    elif seat is not None and words is not None:
        from pbem.referee.game.refusal import refuse
        from pbem.referee.mail.seat_letters import says_no

        if says_no(words):
            raise refuse("join.says-no", seat=seat, words=words, help="admit him when he has said yes")
        taken = admit_words(own_environment(), game, seat, words)
    else:
        raise click.UsageError("name a join file, or --seat and --words")
    if json_:
        print_json({"seat": taken.seat, "started": taken.started, "missing": list(taken.missing)})
        return
    click.echo(f"{taken.seat} is in.")
    click.echo("The game has started." if taken.started else f"Still missing: {', '.join(taken.missing)}")
    if taken.started:
        params.say_letters(game)
