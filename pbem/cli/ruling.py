"""Rulings and corrections by the umpire: the state changed by hand, the newest turn played again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem.cli import params
from pbem.cli.asking import ask, put
from pbem.cli.refused import print_json

if TYPE_CHECKING:
    from pbem.proof.patching import Patch
    from pbem.referee.turn.ruling import Ruled

_patch: Callable[[Any], Any] = click.option(
    "--patch",
    type=params.PATH,
    metavar="FILE",
    help="What is to be changed in the state, as YAML: set: and drop:.",
)
_set: Callable[[Any], Any] = click.option(
    "--set",
    "sets",
    multiple=True,
    metavar="PLACE=VALUE",
    help="Change one thing: units.gunter.state=healthy.",
)
_drop: Callable[[Any], Any] = click.option(
    "--drop", "drops", multiple=True, metavar="PLACE", help="Take one thing out: units.gunter.did."
)
_propose: Callable[[Any], Any] = click.option(
    "--propose", type=params.PATH, metavar="FILE",
    help="Enter nothing: say what it would come to, and write what the others consent to.",
)  # fmt: skip


@click.command("rule")
@params.game
@_patch
@_set
@_drop
@click.option("--why", required=True, metavar="TEXT", help="The reason: it is signed, and everybody is told.")
@_propose
@ask
@params.i_know
@params.as_json
def rule_(
    game: Path,
    patch: Path | None,
    sets: tuple[str, ...],
    drops: tuple[str, ...],
    why: str,
    propose: Path | None,
    ask: bool,
    i_know: bool,
    json_: bool,
) -> None:
    """Change the state of a game by hand, between two turns. Each seat with a key consents; all are told.

    \b
    Example:
      pbem umpire rule games/toll --set units.gunter.at=0713 --why "he had been put on the wrong hex"
      pbem umpire rule games/toll --patch ruling.yaml --why "the ladder was carried, not dropped"
    """
    from pbem.referee.turn.ruling import plain_state, rule

    made = _read(plain_state(game), patch, sets, drops)
    if ask:
        put(game, i_know, json_, "rule", why, patch=made)
        return
    _tell(game, rule(params.env(i_know), game, made, why, propose=propose is not None), propose, json_)


@click.command("correct")
@params.game
@click.option(
    "--slot", type=click.IntRange(1), metavar="N", help="The slot; only the newest can be corrected."
)
@click.option("--orders", multiple=True, metavar="SEAT=FILE", help="What a seat had really ordered.")
@_patch
@_set
@_drop
@click.option("--why", default="", metavar="TEXT", help="The reason, for the ledger and the letters.")
@_propose
@ask
@params.i_know
@params.as_json
def correct_(
    game: Path,
    slot: int | None,
    orders: tuple[str, ...],
    patch: Path | None,
    sets: tuple[str, ...],
    drops: tuple[str, ...],
    why: str,
    propose: Path | None,
    ask: bool,
    i_know: bool,
    json_: bool,
) -> None:
    """Play the newest slot again with the dice that it had: with other orders, or on a state changed by hand.

    Whatever is rolled for again keeps its die; what is rolled for the first time comes from the same seed.
    Without orders and changes it is played again by this program.

    \b
    Example:
      pbem umpire correct games/toll --slot 4 --orders west=west.yaml --why "his letter had been misread"
    """
    from pbem.referee.game.scenario import open_file
    from pbem.referee.turn.ruling import correct, plain_state

    named = params.pairs(orders, "--orders", "SEAT=FILE")
    files = {seat: (file, open_file(Path(file))) for seat, file in named.items()}
    made: Patch = ()
    if patch is not None or sets or drops:
        made = _read(plain_state(game, slot, before=True), patch, sets, drops)
    if ask:
        put(game, i_know, json_, "correct", why, slot=slot, patch=made, orders=files)
        return
    done = correct(params.env(i_know), game, slot, files, why, made, propose=propose is not None)
    _tell(game, done, propose, json_)


def _read(state: Any, patch: Path | None, sets: tuple[str, ...], drops: tuple[str, ...]) -> Patch:
    from pbem.referee.game.scenario import open_file
    from pbem.referee.turn.patch_file import read_patch

    if patch is None and not sets and not drops:
        raise click.UsageError("what is to be changed? --set PLACE=VALUE, --drop PLACE or --patch FILE")
    data = b"" if patch is None else open_file(patch) or b" "
    pairs = list(params.pairs(sets, "--set", "PLACE=VALUE").items())
    return read_patch(state, "" if patch is None else str(patch), data, pairs, drops)


def _tell(game: Path, done: Ruled, propose: Path | None, json_: bool) -> None:
    """Say what a ruling or a correction came to, or would."""
    from pbem.store.library import common_words

    if propose is not None:
        params.write(propose, done.proposal)
    following = done.following or {}
    if json_:
        print_json(
            {
                "does": done.kind,
                "slot": done.slot,
                **({"corrects": done.corrects} if done.corrects else {}),
                "entered": done.entered,
                "different": list(done.lines),
                "consents": list(done.consents),
                "act": done.act,
                "over": done.following is None,
                **(
                    {"open": following["slot"], "phase": following["phase"], "waits": following["waits"]}
                    if following
                    else {}
                ),
            }
        )
        return
    words = common_words()
    click.echo(words.phrase(f"ruled.act-{done.kind}", slot=done.slot, corrects=done.corrects) + ":")
    for line in done.lines:
        click.echo(f"  {line}")
    if not done.entered:
        key = "ruled.proposed" if done.signers else "ruled.proposed-none"
        click.echo(words.phrase(key, file=str(propose), seats=list(done.signers)))
        return
    if following:
        waits = ", ".join(following["waits"])
        click.echo(words.phrase("ruled.open", slot=following["slot"], phase=following["phase"], seats=waits))
    else:
        click.echo(words.phrase("ruled.over"))
    click.echo(words.phrase("ruled.back", game=str(game), slot=done.slot))
    if (game.parent / "pbem.toml").is_file():
        click.echo(words.phrase("time.told", office=str(game.parent)))
