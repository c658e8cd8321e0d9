"""Rounds over an office: run, watch."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem.cli import UNDECIDED, params
from pbem.cli.fleet import parts_of
from pbem.cli.refused import located, print_json, tell

if TYPE_CHECKING:
    from pbem.post.offices.office import Office
    from pbem.referee.mail.office import House
    from pbem.referee.mail.round_context import Boards, Step


def line_of(step: Step) -> str:
    """Return what was done in a round, in a line."""
    from pbem.text.characters import printable

    where = " ".join(part for part in (step.game, step.seat) if part)
    return printable(f"{step.what:<9} {where}{': ' if where and step.said else ''}{step.said}".rstrip())


@click.command("run")
@click.argument("office", type=params.PATH, metavar="FOLDER")
@click.option("--offline", is_flag=True, help="Neither fetch nor send.")
@click.option("--no-pictures", is_flag=True, help="Write no maps.")
@params.queue
@params.i_know
@params.as_json
@click.pass_context
def run_(
    ctx: click.Context,
    office: Path,
    offline: bool,
    no_pictures: bool,
    queue: str | None,
    i_know: bool,
    json_: bool,
) -> None:
    """One round over an office: fetch, read, answer, remind, lock, resolve, send. For cron or a timer.

    \b
    Example:
      pbem run games
    """
    steps, house = _round(office, offline, not no_pictures, queue, i_know, None if json_ else _say)
    waiting = _waiting(house)
    if json_:
        said = [{"what": one.what, "game": one.game, "seat": one.seat, "said": one.said} for one in steps]
        print_json({"steps": said, "waits": waiting})
    elif not any(one.what != "trouble" for one in steps):
        click.echo("Nothing to do." if not waiting else "Nothing to do now:")
        for line in waiting:
            click.echo(f"  {line}")
    ctx.exit(UNDECIDED if any(one.what == "trouble" for one in steps) else 0)


def _waiting(house: House) -> list[str]:
    from pbem.referee.game.environment import now
    from pbem.referee.mail.served import parsed
    from pbem.referee.mail.waiting import waits
    from pbem.text.characters import printable

    return [printable(line) for line in waits(house, parsed(now()))]


def _say(step: Step) -> None:
    click.echo(line_of(step), err=step.what == "trouble")


def _round(
    office: Path, offline: bool, pictures: bool, queue: str | None, i_know: bool, say: Any
) -> tuple[list[Step], House]:
    from pbem.referee.game.environment import own_environment
    from pbem.referee.mail.couriers import courier_of
    from pbem.referee.mail.office import settings
    from pbem.referee.mail.round import run

    steps: list[Step] = []
    env = own_environment(insists=i_know)
    parts = parts_of(env, office, queue)
    with courier_of(office, settings(office)) as courier:
        passing = run(
            env,
            office,
            None if offline else courier,
            pictures=pictures,
            parts=parts,
            boards=None if offline else threads_of(courier.office),
        )
        while True:
            try:
                steps.append(next(passing))
            except StopIteration as end:
                return steps, end.value
            if say is not None:
                say(steps[-1])


def threads_of(office: Office) -> Boards | None:
    """Return who reads and writes the threads of an office; None where it has no forum."""
    if not office.forums:
        return None
    from pbem.referee.forum.forum_round import Threads

    return Threads()


@click.command("watch")
@click.argument("office", type=params.PATH, metavar="FOLDER")
@click.option(
    "--every",
    type=click.IntRange(5, 86_400),
    default=300,
    show_default=True,
    metavar="SECONDS",
    help="A round at least this often.",
)
@params.queue
def watch_(office: Path, every: int, queue: str | None) -> None:
    """Rounds over an office without end: at once when a letter comes, if the mailbox can tell, else every so
    often.

    \b
    Example:
      pbem watch games
    """
    from pbem.referee.game.environment import own_environment
    from pbem.referee.game.refusal import Refused
    from pbem.referee.mail.couriers import courier_of
    from pbem.referee.mail.office import settings
    from pbem.referee.mail.round import run

    env = own_environment()
    parts = parts_of(env, office, queue)
    courier = courier_of(office, settings(office))
    click.echo(f"Watching {office}; Ctrl-C ends it between two steps.")
    try:
        while True:
            try:
                for step in run(env, office, courier, parts=parts, boards=threads_of(courier.office)):
                    _say(step)
                changed = settings(office)
                if changed != courier.office:
                    courier.close()
                    courier = courier_of(office, changed)
            except Refused as refusal:
                # Another program is at the letters, or somebody is writing in pbem.toml: the next round looks
                # again.
                tell(located(refusal))
            sys.stdout.flush()
            courier.wait(every)
    except KeyboardInterrupt:
        click.echo("Ended.")
    finally:
        courier.close()
