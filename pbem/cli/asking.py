"""``--ask``: what needs everybody's yes is put to the players by letter."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem.cli import params
from pbem.cli.refused import print_json

if TYPE_CHECKING:
    from pbem.proof.patching import Patch

ask: Callable[[Any], Any] = click.option(
    "--ask", is_flag=True,
    help="Enter nothing yet: ask every player by letter; a round enters it when all have agreed.",
)  # fmt: skip


def put(
    game: Path,
    i_know: bool,
    json_: bool,
    kind: str,
    why: str,
    *,
    slot: int | None = None,
    patch: Patch = (),
    orders: Mapping[str, tuple[str, bytes]] | None = None,
) -> None:
    """Ask everybody, and say who is asked how."""
    from pbem.referee.mail.proposing import propose
    from pbem.store.library import common_words

    done = propose(params.env(i_know), game, kind, why, slot=slot, patch=patch, orders=orders)
    if json_:
        print_json(
            {
                "does": "ask",
                "proposal": done.id,
                "of": kind,
                "asked": list(done.asked),
                "signing": list(done.signing),
                "unasked": list(done.unasked),
                "different": list(done.lines),
            }
        )
        return
    words = common_words()
    click.echo(words.phrase("proposal.put", id=done.id))
    for line in done.lines:
        click.echo(f"  {line}")
    for key, sides in (("waits-yes", done.asked), ("waits-sign", done.signing), ("unasked", done.unasked)):
        if sides:
            click.echo(words.phrase(f"proposal.{key}", sides=list(sides)))
    click.echo(words.phrase("proposal.then", office=str(game.parent), id=done.id))
    if done.runs:
        click.echo(words.phrase("proposal.runs", game=str(game)))
