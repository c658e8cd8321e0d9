"""The verb play: a whole game between bots through the real path."""

from __future__ import annotations

import sys
import tempfile
from collections import deque
from pathlib import Path

import click

from pbem.cli import params
from pbem.cli.refused import print_json


@click.command("play")
@click.argument("scenario")
@click.option(
    "--bot",
    "bots",
    multiple=True,
    metavar="SIDE=NAME",
    help="Who plays a side: random, sergeant or marshal. One for each side.",
)
@click.option("--seed", metavar="TEXT", help="The same words give the same game; default new ones.")
@click.option(
    "--out",
    type=params.PATH,
    metavar="DIR",
    help="Keep the game there, with maps and reports; default thrown away.",
)
@click.option(
    "--save",
    type=params.PATH,
    metavar="DIR",
    help="Write script and order files there, as an example for pbem record.",
)
@click.option("--option", "options", multiple=True, metavar="K=V", help="An optional rule.")
@click.option("--no-map", is_flag=True, help="Draw no pictures.")
@click.option("--quiet", is_flag=True, help="Print nothing but the result.")
@params.as_json
def play_(
    scenario: str,
    bots: tuple[str, ...],
    seed: str | None,
    out: Path | None,
    save: Path | None,
    options: tuple[str, ...],
    no_map: bool,
    quiet: bool,
    json_: bool,
) -> None:
    """Play a whole game between bots: their order files are checked, locked, diced for and resolved like
    anybody's.

    \b
    Example:
      pbem play alder-ford --bot east=sergeant --bot west=random --seed "a wet Tuesday" --out duel
    """
    from pbem.referee.game.environment import own_environment
    from pbem.referee.game.game import open_game
    from pbem.referee.play.playing import match, sayings
    from pbem.referee.turn.status import mails_said, status

    named = params.pairs(bots, "--bot", "SIDE=NAME")
    chosen = params.pairs(options, "--option", "K=V")
    words = seed if seed is not None else own_environment().entropy(4).hex()
    with tempfile.TemporaryDirectory(prefix="pbem-play-") as home:
        game = out if out is not None else Path(home) / "game"
        pictures = out is not None and not no_map
        played = match(
            scenario, named, words, out=game, home=Path(home), save=save, options=chosen, pictures=pictures
        )
        steps = played.play()
        if quiet or json_:
            deque(steps, maxlen=0)
        else:
            with click.progressbar(
                steps, label=f"Playing {scenario}", item_show_func=_where, file=sys.stderr
            ) as bar:
                deque(bar, maxlen=0)
        if save is not None:
            played.keep()
        opened = open_game(game)
        now = status(opened)
        if json_:
            rules = opened.ground.rules
            print_json({"game": opened.id, "seed": words, **rules.interface.outcome(rules, opened.state)})
            return
        click.echo(f"{opened.id}, seed '{words}', {now.slot} slots")
        for line in (*sayings(opened), *mails_said(now)):
            click.echo(line)
        for said, path in (("game", out), ("script and order files", save)):
            if path is not None:
                click.echo(f"{said}: {path}")


def _where(stage: object) -> str:
    return str(getattr(stage, "phase", "") or "")
