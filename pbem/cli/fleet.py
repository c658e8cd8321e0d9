"""What the verbs say that hand work to other processes and machines; the verbs study and work."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli import UNDECIDED, params
from pbem.cli.refused import print_json

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pbem.fleet.door import Means
    from pbem.fleet.results import Share
    from pbem.fleet.studies import Study
    from pbem.fleet.task import Done
    from pbem.referee.game.environment import Environment
    from pbem.referee.mail.round import Parts


def means(
    workers: int | None,
    scheduler: str | None,
    tls: Path | None,
    parts: Path | None = None,
    jobs: int | None = None,
) -> Means:
    """Return where work is done; misuse for what does not go together. What is worth knowing is said."""
    from pbem.fleet.door import EXTRA, Means, has_dask, is_open
    from pbem.store.library import common_words

    given = [
        name
        for name, value in (("--jobs", jobs), ("--workers", workers), ("--scheduler", scheduler))
        if value is not None
    ]
    if len(given) > 1:
        raise click.UsageError(f"one at a time: {' or '.join(given)}")
    if tls is not None and scheduler is None:
        raise click.UsageError("--tls goes with --scheduler tls://...")
    if workers is not None and not has_dask():
        click.echo(common_words().phrase("fleet.without-dask", count=workers, extra=EXTRA), err=True)
    if scheduler is not None and is_open(scheduler):
        click.echo(common_words().phrase("fleet.open", address=scheduler), err=True)
    return Means(jobs, workers, scheduler or "", tls, parts)


def replay_all(root: Path, out: Path, theme: str, how: Means) -> int:
    """Write the page of each game below a folder; return 3 where one cannot be written, or there is none."""
    from pbem.fleet.pages import replay_all as paged
    from pbem.referee.game.refusal import refuse
    from pbem.text.characters import printable

    if not root.is_dir():
        raise refuse("game.missing", answer=UNDECIDED, file=str(root), path=str(root))
    written, failed = 0, False
    for one in paged(root, out, theme, how):
        written, failed = written + (not one.failure), failed or bool(one.failure)
        said = f"{one.name}: {one.failure}" if one.failure else f"{one.path}: {one.bytes} bytes"
        click.echo(printable(said), err=bool(one.failure))
    if not written and not failed:
        click.echo(f"There is no game below {root}.")
    return UNDECIDED if failed or not written else 0


def _needs_queue() -> None:
    """Refuse where the package for a queue is not installed; nothing is imported."""
    from importlib.util import find_spec

    from pbem.fleet.door import EXTRA
    from pbem.referee.game.refusal import refuse

    if find_spec("procrastinate") is None or find_spec("psycopg") is None:
        raise refuse("fleet.no-queue", answer=UNDECIDED, extra=EXTRA)


def parts_of(env: Environment, office: Path, queue: str | None) -> Parts:
    """Return how the games of a round are done: here, or by the workers of a queue."""
    from pbem.referee.mail.round import one_after_another

    if queue is None:
        return one_after_another
    _needs_queue()
    from pbem.fleet.clerk import by_queue
    from pbem.fleet.queue import reachable

    reachable(queue)
    return by_queue(env, office, queue)


def _pairs(ctx: click.Context, param: click.Parameter, said: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    found = tuple(tuple(one.split("/")) for one in said)
    for pair in found:
        if len(pair) < 2 or not all(pair):
            raise click.BadParameter(f"'{'/'.join(pair)}' is not BOT/BOT, such as sergeant/random")
    return found


@click.command("study")
@click.argument("scenarios", nargs=-1, required=True, metavar="SCENARIO...")
@click.option(
    "--pair",
    "pairs",
    multiple=True,
    callback=_pairs,
    metavar="BOT/BOT",
    help="Who plays the sides, in their order; several times. Default sergeant/sergeant.",
)
@click.option(
    "--games",
    type=click.IntRange(1, 10_000_000),
    default=100,
    show_default=True,
    metavar="N",
    help="So many of each.",
)
@click.option(
    "--seed", default="study", show_default=True, metavar="TEXT", help="The same words give the same games."
)
@click.option("--option", "options", multiple=True, metavar="K=V", help="An optional rule.")
@click.option(
    "-o",
    "--out",
    type=params.PATH,
    required=True,
    metavar="DIR",
    help="The folder for games.parquet and games.png.",
)
@params.fleet
@params.as_json
@click.pass_context
def study_(
    ctx: click.Context,
    scenarios: tuple[str, ...],
    pairs: tuple[tuple[str, ...], ...],
    games: int,
    seed: str,
    options: tuple[str, ...],
    out: Path,
    workers: int | None,
    scheduler: str | None,
    tls: Path | None,
    parts: Path | None,
    json_: bool,
) -> None:
    """Have bots play many games; a row about each in a table (Parquet), and a picture of who won.

    What was played is kept in the folder parts beside the table, unless --parts names another one: the same
    command goes on where it was ended.

    \b
    Example:
      pbem study alder-ford --pair sergeant/random --games 1000 -o study
      pbem study alder-ford wheels --games 100000 --workers 8 -o study
    """
    from pbem.fleet import results
    from pbem.fleet.studies import Study, pairings, rows
    from pbem.store import disk

    results.needs_parquet()
    chosen = params.pairs(options, "--option", "K=V")
    study = Study(tuple(pairings(scenarios, pairs or (("sergeant", "sergeant"),), chosen)), games, seed)
    how = means(workers, scheduler, tls, parts or out / "parts")
    ended = list(_watched(study, how, json_))
    failures = [one for one in ended if one.failure]
    table = results.table(rows(study, ended), seed)
    found = list(results.shares(rows(study, ended)))
    disk.make_folder(out)
    disk.replace(out / results.TABLE, table)
    disk.replace(out / results.PICTURE, results.picture(found, _title(study)))
    _told(study, found, failures, out, json_)
    ctx.exit(UNDECIDED if failures else 0)


def _watched(study: Study, how: Means, json_: bool) -> Iterator[Done]:
    from pbem.fleet.door import spread
    from pbem.fleet.studies import tasks

    count = study.games * len(study.pairings)
    hidden = json_ or not sys.stderr.isatty()
    with click.progressbar(
        length=count, label="Playing", show_pos=True, file=sys.stderr, hidden=hidden
    ) as bar:
        for done in spread(tasks(study), how):
            bar.update(int(done.task.arguments["count"]))
            yield done


def _title(study: Study) -> str:
    return f"Who won: {study.games} games of each pairing, seed “{study.seed}”"


def _told(study: Study, found: Sequence[Share], failures: Sequence[Done], out: Path, json_: bool) -> None:
    if json_:
        print_json(
            {
                "out": str(out),
                "pairings": [
                    {
                        "scenario": one.pairing.scenario,
                        "bots": list(one.pairing.bots),
                        "games": one.games,
                        "wins": {side: one.wins[side] for side in one.sides},
                        "drawn": one.drawn,
                        "turns": one.turns,
                    }
                    for one in found
                ],
                "failed": [{"task": dict(one.task.arguments), "why": one.failure} for one in failures],
            }
        )
        return
    for one in found:
        won = ", ".join(
            f"{side} ({bot}) {one.wins[side]}" for side, bot in zip(one.sides, one.pairing.bots, strict=True)
        )
        click.echo(f"{one.pairing.scenario}: {one.games} games, {won}, drawn {one.drawn}")
    for failed in failures:
        said = failed.task.arguments
        click.echo(
            f"{said['scenario']} {'/'.join(said['bots'])}, games {said['first']} to "
            f"{said['first'] + said['count'] - 1}: {failed.failure}",
            err=True,
        )
    click.echo(f"The games are in {out / 'games.parquet'}, the picture in {out / 'games.png'}.")


@click.command("work")
@click.argument("office", type=params.PATH, metavar="FOLDER")
@params.queue
def work_(office: Path, queue: str | None) -> None:
    """Do games of an office's rounds until it is ended, on any machine that shares its folder and secrets.

    \b
    Example:
      pbem work games --queue postgresql://hall/club
    """
    from pbem.referee.game.environment import own_environment

    if queue is None:
        raise click.UsageError("name the database with --queue, or in PBEM_QUEUE")
    _needs_queue()
    from pbem.fleet.clerk import serve

    click.echo(f"Working for {office}; Ctrl-C ends it after the game that it is at.")
    serve(own_environment(), office, queue)
