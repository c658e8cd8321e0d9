"""Verbs of a tournament: new, close, pair, standings, counts, check."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli import NO, UNDECIDED, params
from pbem.club.tournament import FORMATS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pbem.referee.tournament.opening import Tournament


@click.group("tournament")
def tournament_() -> None:
    """Pair the players of an office, round by round, by lots that nobody can choose; tables, and what tells
    equals apart.

    \b
    Example:
      pbem tournament new games/cup --scenario alder-ford --format swiss
    """


def _say(lines: Iterable[str]) -> None:
    from pbem.text.characters import printable

    for said in lines:
        for line in said.split("\n"):
            click.echo(printable(line))


@tournament_.command("new")
@click.argument("folder", type=params.PATH)
@click.option("--scenario", required=True, metavar="SCENARIO", help="What is played; it has two sides.")
@click.option("--format", "format_", required=True, type=click.Choice(FORMATS), help="How it is paired.")
@click.option("--name", metavar="NAME", help="What people call it; default the folder's name.")
@click.option(
    "--entrant", "entrants", multiple=True, metavar="PLAYER", help="Who enters; default all of the office."
)
@params.as_json
def new(
    folder: Path, scenario: str, format_: str, name: str | None, entrants: tuple[str, ...], json_: bool
) -> None:
    """Make a tournament in a new folder of an office: a file tournament.toml to go on writing, and the line
    that binds your secret.

    \b
    Example:
      pbem tournament new games/cup --scenario alder-ford --format swiss --name "Autumn Cup" --entrant bob
    """
    from pbem.cli.refused import print_json
    from pbem.referee.game.environment import own_environment
    from pbem.referee.tournament.running import make
    from pbem.store.library import common_words

    file = make(own_environment(), folder, name or folder.name, scenario, format_, entrants)
    if json_:
        print_json({"folder": str(folder), "file": str(file)})
        return
    _say([common_words().phrase("tournament.made", file=file, folder=folder)])


@tournament_.command("close")
@click.argument("folder", type=params.PATH)
@params.as_json
def close(folder: Path, json_: bool) -> None:
    """Close the entries: who takes part and what was agreed on is fixed, and everybody is told its digest.

    \b
    Example:
      pbem tournament close games/cup
    """
    from pbem.cli.refused import print_json
    from pbem.referee.game.environment import own_environment
    from pbem.referee.tournament.running import close as do
    from pbem.store.library import common_words

    found, told = do(own_environment(), folder)
    words, digest = common_words(), found.draws.head
    if json_:
        print_json({"digest": digest, "entrants": list(found.names), "told": list(told)})
        return
    _say(
        [
            words.phrase("tournament.closed-said", count=len(found.names), digest=digest),
            _told(found, told),
            words.phrase("tournament.closed-next", folder=folder),
        ]
    )


def _told(found: Tournament, told: tuple[str, ...]) -> str:
    from pbem.store.library import common_words

    words = common_words()
    if not told:
        return words.phrase("tournament.untold")
    return words.phrase("tournament.told", players=list(told), root=found.root)


@tournament_.command("pair")
@click.argument("folder", type=params.PATH)
@click.option(
    "--line",
    "lines",
    nargs=2,
    multiple=True,
    metavar="PLAYER LINE",
    help="Before the first round: what an entrant said otherwise than by letter.",
)
@params.as_json
def pair(folder: Path, lines: tuple[tuple[str, str], ...], json_: bool) -> None:
    """Pair the next round, make its games, and tell the players; pbem run invites them.

    \b
    Example:
      pbem tournament pair games/cup
      pbem tournament pair games/cup --line bob "seven drunken herons"
    """
    from pbem.cli.refused import print_json
    from pbem.referee.game.environment import own_environment
    from pbem.referee.tournament.running import pair as do
    from pbem.referee.tournament.telling import round_lines
    from pbem.store.library import common_words

    one, words = do(own_environment(), folder, lines), common_words()
    found = one.found
    if json_:
        print_json(
            {"round": one.number, "digest": found.draws.head, "games": list(one.made), "told": list(one.told)}
        )
        return
    if not one.number:
        _say([words.phrase("tournament.nothing-left")])
        return
    _say(
        [
            words.phrase("tournament.paired", round=one.number),
            *round_lines(found, one.pairings),
            words.phrase("tournament.paired-games", count=len(one.made), root=found.root),
            _told(found, one.told),
        ]
    )


@tournament_.command("standings")
@click.argument("folder", type=params.PATH)
@click.option("--why", nargs=2, metavar="PLAYER PLAYER", help="Why one of the two is before the other.")
@params.as_json
def standings(folder: Path, why: tuple[str, str] | None, json_: bool) -> None:
    """Show the table, the rounds, and what is next; or why somebody is before somebody else.

    \b
    Example:
      pbem tournament standings games/cup
      pbem tournament standings games/cup --why bob fay
    """
    from pbem.cli.refused import print_json
    from pbem.referee.game.environment import own_environment
    from pbem.referee.game.refusal import refuse
    from pbem.referee.tournament import telling
    from pbem.referee.tournament.opening import opened
    from pbem.store.library import common_words

    found, words = opened(own_environment(), folder), common_words()
    if json_:
        print_json(telling.facts(found))
        return
    drawn = found.draws.lots is not None
    if why is not None:
        one, other = (who.lower() for who in why)
        for who in (one, other):
            if who not in found.names:
                raise refuse("tournament.no-entrant", file="--why", player=who)
        if one == other:
            raise click.UsageError("--why needs two players")
        if not drawn:
            raise refuse("tournament.no-lots", file=str(folder))
        _say([telling.why_said(found, found.course.standings, one, other)])
        return
    if drawn:
        _say(telling.table_lines(found, found.course.standings))
        for letter in found.course.pool_letters:
            _say(["", words.phrase("tournament.pool", pool=letter)])
            _say(telling.table_lines(found, found.course.pool(letter)))
        for round_ in found.draws.rounds:
            _say(["", words.phrase("tournament.round", round=round_.round)])
            _say(telling.round_lines(found, round_.pairings))
        _say(["", *telling.changed(found)])
    _say([telling.state(found)])


@tournament_.command("counts")
@click.argument("folder", type=params.PATH)
@params.as_json
def counts(folder: Path, json_: bool) -> None:
    """Show how many have entered and played, starts, games, and the best six.

    \b
    Example:
      pbem tournament counts games/cup
    """
    from pbem.cli.refused import print_json
    from pbem.referee.game.environment import own_environment
    from pbem.referee.tournament import telling
    from pbem.referee.tournament.opening import opened
    from pbem.store.library import common_words

    found, words = opened(own_environment(), folder), common_words()
    if json_:
        print_json(telling.count_facts(found))
        return
    told = telling.counts(found)
    _say([telling.counts_said(told)])
    if told.top:
        _say([words.phrase("tournament.counts-top")])
        _say(f"  {line.place}. {found.name(line.player)}" for line in told.top)


@tournament_.command("check")
@click.argument("folder", type=params.PATH)
@params.as_json
@click.pass_context
def check(ctx: click.Context, folder: Path, json_: bool) -> None:
    """Work everything out again: the seed of the lots, every round, and every result from the signed records
    of its game. Its two files alone are enough for the pairings.

    \b
    Example:
      pbem tournament check games/cup
    """
    from pbem.cli.refused import print_json
    from pbem.referee.game.environment import own_environment
    from pbem.referee.tournament.checking import check as do
    from pbem.referee.tournament.opening import opened
    from pbem.referee.tournament.telling import fixed
    from pbem.store.library import common_words

    found, words = opened(own_environment(), folder, whatever=True), common_words()
    listed = do(found)
    bad = [one for one in listed if one.bad]
    if json_:
        told = [{"code": one.code, "message": one.said, "bad": one.bad} for one in listed]
        lines = [
            {"type": entry.__struct_config__.tag, "at": entry.at, "digest": digest}
            for entry, digest in zip(found.draws.entries, found.draws.digests, strict=True)
        ]
        print_json({"ok": not bad, "head": found.draws.head, "record": lines, "found": told})
    else:
        if bad:
            _say([words.phrase("tournament.unfair")])
        else:
            rounds = len(found.draws.rounds)
            _say([words.phrase("tournament.fair", rounds=rounds)])
            for entry, digest in zip(found.draws.entries, found.draws.digests, strict=True):
                _say([f"  {digest}  {fixed(found, entry)}"])
        if found.draws.lots is not None:
            spoke = [found.name(one.player) for one in found.draws.lots.lines]
            _say([words.phrase("tournament.fair-lots", players=spoke)])
        if found.games:
            _say([words.phrase("tournament.fair-games", root=found.root)])
        _say(f"  {one.said}" for one in listed)
    for trouble in found.troubles:
        click.echo(f"{trouble.where}: {trouble.said}", err=True)
    ctx.exit(NO if bad else UNDECIDED if found.troubles else 0)
