"""Verbs that say how a game or an office stands: status, desk, next, stats."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem.cli import UNDECIDED, params

if TYPE_CHECKING:
    from pbem.referee.mail.desk import Desk
    from pbem.referee.mail.looking import Looked
    from pbem.referee.play.next_step import Next
    from pbem.referee.turn.status import Status


def _now() -> datetime:
    return datetime.now(UTC)


@click.command("status")
@params.game
@click.option(
    "--proof",
    is_flag=True,
    help="Also the head, the tables that are reconstructed, and where values are kept.",
)
@params.as_json
def status_(game: Path, proof: bool, json_: bool) -> None:
    """Show where a game stands: whose move it is, since when, until when, and the score. Of an office all its
    games in a table.

    \b
    Example:
      pbem status toll
      pbem status games
    """
    from pbem.referee.mail.glance import found_again, told
    from pbem.store.keys import Keyring, home
    from pbem.text.characters import printable

    now = _now()
    seen = found_again(Keyring(home()), game, now) if not (proof or json_) else None
    if seen is None:
        from pbem.referee.game.environment import own_environment
        from pbem.referee.mail.looking import look_into
        from pbem.referee.play.next_step import is_office

        if is_office(game):
            _office(game, now, json_)
            return
        looked = look_into(own_environment(), game)
        if json_:
            _print_facts(looked, now)
            return
        seen = looked.glance
    for line in told(seen, now):
        click.echo(printable(line))
    if proof:
        _proof(looked.known, looked.game)


def _office(root: Path, now: datetime, json_: bool) -> None:
    """Show all games of an office: what may be told to anybody who asks."""
    from pbem.cli.refused import print_json
    from pbem.referee.mail import overview
    from pbem.text.characters import printable

    desk = _desk(root, now)
    if json_:
        troubles = [{"where": one.where, "said": one.said} for one in desk.troubles]
        print_json({"games": [overview.stands_of(desk, row) for row in desk.rows], "troubles": troubles})
        return
    for line in overview.table(desk.rows, now, root):
        click.echo(printable(line))
    for one in desk.troubles:
        click.echo(printable(f"{one.where}: {one.said}" if one.where else one.said), err=True)


def _desk(root: Path, now: datetime) -> Desk:
    from pbem.referee.game.environment import own_environment
    from pbem.referee.mail.desk import look

    return look(own_environment(), root, now)


@click.command("desk")
@click.argument("office", type=params.PATH, metavar="FOLDER")
@params.as_json
@click.pass_context
def desk_(ctx: click.Context, office: Path, json_: bool) -> None:
    """Everything that needs the umpire in the games of an office, with the command for each, and all games in
    a table.

    \b
    Example:
      pbem desk games
    """
    from msgspec.structs import replace

    from pbem.cli.refused import print_json
    from pbem.referee.game.environment import own_environment
    from pbem.referee.mail import overview
    from pbem.referee.tournament.telling import needs
    from pbem.text.characters import printable

    now = _now()
    desk = _desk(office, now)
    cups = tuple(needs(own_environment(), office))
    desk = replace(desk, needs=(*desk.needs, *cups))
    if json_:
        print_json(overview.desk_facts(desk))
    else:
        for line in (*overview.needs(desk), "", *overview.table(desk.rows, now, office)):
            click.echo(printable(line))
    ctx.exit(UNDECIDED if desk.troubles else 0)


def _print_facts(looked: Looked, now: datetime) -> None:
    from pbem.cli.refused import print_json
    from pbem.referee.mail import overview
    from pbem.referee.turn.status import reconstructed

    tables = {"reconstructed_tables": list(reconstructed(looked.game.ground.rules))}
    facts = _facts(looked.known, overview.facts(looked.here, now))
    print_json({**facts, **tables, "notices": list(looked.notices)})


def _facts(now: Status, here: dict[str, Any]) -> dict[str, Any]:
    return {
        "game": now.game,
        "ruleset": now.ruleset,
        "turn": now.turn,
        "phase": now.phase,
        "slot": now.slot,
        "waiting_for": [{"seat": seat, "for": what} for seat, what in now.waiting_for],
        "questions": list(now.questions),
        "record": list(now.record),
        "own_rules": list(now.own_rules),
        "mails": [
            {"seat": entry.seat, "letters": entry.letters, "turns": entry.turns, "per_turn": entry.per_turn}
            for entry in now.mails
        ],
        "stands": here,
    }


def _proof(now: Status, game: Any) -> None:
    """Print what belongs to the proof of a game."""
    from pbem.referee.game.environment import own_environment
    from pbem.referee.turn.status import mails_said, reconstructed

    click.echo(f"  {now.ruleset}   head {now.head}   slot {now.slot}{f', {now.phase}' if now.phase else ''}")
    for question in now.questions:
        choices = ", ".join(f"{choice['id']} {choice['value']}" for choice in question["choices"])
        click.echo(
            f"  {question['id']} to {question['seat']}: {question['about']} "
            f"{question.get('unit', '')} ({choices})"
        )
    for line in mails_said(now):
        click.echo(f"  {line}")
    if tables := reconstructed(game.ground.rules):
        click.echo(f"  reconstructed tables: {', '.join(tables)}")
    keyring = own_environment().keyring
    for party in ("gm", *sorted(game.ledger.seats)):
        if party in game.ledger.known:
            path = keyring.chain_file(now.game, party)
            click.echo(f"  chain of {party}: {path}{'' if path.is_file() else ' (not on this computer)'}")


@click.command("next")
@params.game
@click.option(
    "--do", "do", is_flag=True, help="Do what pbem can do on its own, until it has to wait for somebody."
)
@click.option("--no-map", is_flag=True, help="With --do: draw no pictures.")
@params.as_json
@click.pass_context
def next_(ctx: click.Context, game: Path, do: bool, no_map: bool, json_: bool) -> None:
    """Say the one thing to do now: the command to type, the file to send, or whom the game waits for. GAME is
    a game or an office.

    \b
    Example:
      pbem next toll
      pbem next games --do
    """
    from pbem.referee.game.environment import own_environment
    from pbem.referee.play.next_step import next_of

    env = own_environment()
    step = next_of(env, game, _now())
    if do:
        step = _do(game, step, not no_map)
    if json_:
        from pbem.cli.refused import print_json

        files = [str(path) for path in step.files]
        print_json(
            {
                "kind": step.kind,
                "said": list(step.said),
                "files": files,
                "then": step.then,
                "commands": list(step.commands),
            }
        )
    else:
        _say(step)
    ctx.exit(UNDECIDED if step.kind == "trouble" else 0)


def _do(where: Path, step: Next, pictures: bool) -> Next:
    """Do what is to be done as long as pbem can do it alone; return what is left for a person."""
    from pbem.referee.game.environment import own_environment
    from pbem.referee.play.doing import do
    from pbem.referee.play.next_step import next_of

    env = own_environment()
    while step.does:
        for line in do(env, where, step, pictures=pictures):
            click.echo(line, err=True)
        after = next_of(env, where, _now())
        if after == step:
            return step
        step = after
    return step


def _say(step: Next) -> None:
    from pbem.text.characters import printable

    for line in step.said:
        click.echo(printable(line))
    for path in step.files:
        click.echo(printable(f"  {path}"))
    if step.then:
        click.echo(printable(step.then))
    for command in step.commands:
        click.echo(printable(f"    {command}"))


@click.command("stats")
@click.argument("office", type=params.PATH, metavar="FOLDER")
@params.as_json
@click.pass_context
def stats_(ctx: click.Context, office: Path, json_: bool) -> None:
    """Say what the games of an office come to: how soon players answer, what they missed and sent, who wins
    from which side, how the dice fell.

    \b
    Example:
      pbem stats games
    """
    from pbem.cli.refused import print_json
    from pbem.referee.game.environment import own_environment
    from pbem.referee.mail import club_figures, stats_table
    from pbem.referee.mail.figures import figures
    from pbem.referee.mail.office import Trouble
    from pbem.text.characters import printable

    troubles: list[Trouble] = []
    games = list(figures(own_environment(), office, troubles))
    club = club_figures.of_club(games)
    if json_:
        print_json(club_figures.facts(club))
    else:
        for line in stats_table.lines(club, len(games)):
            click.echo(printable(line))
    for one in troubles:
        click.echo(printable(f"{one.where}: {one.said}" if one.where else one.said), err=True)
    ctx.exit(UNDECIDED if troubles else 0)
