"""Parameters that several verbs share, and keys as people name them."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    from pbem.referee.game.environment import Environment
    from pbem.referee.game.game import Game
    from pbem.referee.turn.giving import Giving

F = TypeVar("F", bound=Callable[..., Any])

PATH = click.Path(path_type=Path)


class Factor(click.FloatRange):
    """A number within bounds; ``nan``, which is within all of click's, is none."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the number; misuse where it is none."""
        found: float = super().convert(value, param, ctx)
        if found != found:
            self.fail(f"{value!r} is not a number", param, ctx)
        return found


def game(function: F) -> F:
    """Add the argument GAME: a folder, or an archive."""
    return click.argument("game", type=PATH)(function)


def game_option(function: F) -> F:
    """Add the option --game."""
    return click.option(
        "--game", type=PATH, required=True, metavar="GAME", help="The game: its folder, or an archive of it."
    )(function)


def as_json(function: F) -> F:
    """Add the flag --json."""
    return click.option("--json", "json_", is_flag=True, help="Print the facts as JSON.")(function)


def seat(function: F) -> F:
    """Add the option --seat."""
    return click.option("--seat", metavar="SEAT", help="The seat, or a side with one seat.")(function)


def theme(function: F) -> F:
    """Add the option --theme."""
    from pbem.referee.explain.look import THEMES

    said = "How it looks: " + ", ".join(THEMES) + " (for paper and for weak eyes)."
    return click.option("--theme", type=click.Choice(THEMES), default=THEMES[0], help=said)(function)


def look(function: F) -> F:
    """Add the options --theme and --scale."""
    from pbem.referee.explain.look import LEAST_SCALE, MOST_SCALE

    size = Factor(LEAST_SCALE, MOST_SCALE)
    said = f"How large, {LEAST_SCALE} to {MOST_SCALE:g}; 1 is 1400 pixels wide."
    return theme(
        click.option("--scale", type=size, metavar="N", default=1.0, show_default=True, help=said)(function)
    )


def key(function: F) -> F:
    """Add the option --key."""
    return click.option(
        "--key", type=PATH, metavar="KEY", help="Your private key, an OpenSSH file (ed25519)."
    )(function)


def i_know(function: F) -> F:
    """Add the flag --i-know."""
    return click.option(
        "--i-know", is_flag=True, help="Go on though another copy of the game, or another pbem, was ahead."
    )(function)


def fleet(function: F) -> F:
    """Add the options --workers, --scheduler, --tls and --parts: where what is many is done and kept."""
    for option in (
        click.option(
            "--parts",
            type=PATH,
            metavar="DIR",
            help="Keep there what is done as it comes; the same command goes on from there.",
        ),
        click.option(
            "--tls",
            type=PATH,
            metavar="DIR",
            help="With --scheduler tls://...: the folder with ca.pem, cert.pem, key.pem.",
        ),
        click.option("--scheduler", metavar="tls://HOST:PORT", help="On the workers of this Dask scheduler."),
        click.option(
            "--workers",
            type=click.IntRange(1, 256),
            metavar="N",
            help="On a Dask cluster of this machine with N workers.",
        ),
    ):
        function = option(function)
    return function


def queue(function: F) -> F:
    """Add the option --queue."""
    return click.option(
        "--queue",
        envvar="PBEM_QUEUE",
        metavar="URL",
        help="Games are done by the workers of this PostgreSQL queue (pbem work).",
    )(function)


def wish(function: F) -> F:
    """Add the options --slot and --without-rules, about a value that leaves its player."""
    slot = click.option(
        "--slot",
        type=click.IntRange(1),
        metavar="N",
        help="The slot that you mean, when it is far from your last one.",
    )
    rules = click.option(
        "--without-rules", is_flag=True, help="Give your value although nobody here has replayed the rules."
    )
    return slot(rules(function))


def keep_tables() -> None:
    """Let number tables that come with pbem be read once and kept, in a verb that proves nothing."""
    from pbem.rulesets import tables
    from pbem.store.plain import plain

    tables.use(plain)


def opened(where: Path) -> Game:
    """Open a game that is looked at: whose values for it lie here has seen it now."""
    from pbem.referee.game.game import open_game
    from pbem.referee.turn.seen_heads import look_at

    keep_tables()
    game = open_game(where)
    look_at(env(), game)
    return game


def say_given(giving: Giving | None, *, err: bool = False) -> None:
    """Say which value leaves."""
    for line in giving.said if giving is not None else ():
        click.echo(line, err=err)


def given_json(giving: Giving | None) -> dict[str, object] | None:
    """Return which value leaves in the shape that ``--json`` prints."""
    if giving is None:
        return None
    return {
        "slot": giving.slot,
        "last": giving.last or None,
        "closed": list(giving.closed),
        "rules_replayed": giving.rules,
    }


def say_code(code: str) -> None:
    """Print a recovery code, with what it is for."""
    from pbem.store.library import common_words

    if code:
        words = common_words()
        click.echo(f"\n{words.phrase('join.code')}\n\n    {code}\n\n{words.phrase('join.code-for')}")


def env(i_know: bool = False) -> Environment:
    """Return the environment of the user of this machine; what is worth knowing is printed to stderr."""
    from pbem.cli.refused import tell_doubt
    from pbem.referee.game.environment import own_environment

    return own_environment(insists=i_know, tell=tell_doubt)


def pairs(texts: Iterable[str], option: str, form: str) -> dict[str, str]:
    """Return what was given as ``NAME=VALUE`` several times; misuse where something else is, or the same name
    twice.
    """
    found: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name or not value:
            raise click.BadParameter(f"'{text}' is not {form}", param_hint=option)
        if name in found:
            raise click.BadParameter(f"{name} is there twice", param_hint=option)
        found[name] = value
    return found


def private_key(path: Path) -> Ed25519PrivateKey:
    """Return a private key; its passphrase is asked for at a terminal only."""
    from pbem.proof.signing import BadKey, load_private
    from pbem.referee.game.refusal import UNDECIDED, refuse
    from pbem.referee.game.scenario import open_file

    data = open_file(path)
    try:
        return load_private(data)
    except BadKey as bad:
        if bad.reason == "password" and sys.stdin.isatty():
            try:
                return load_private(data, click.prompt("Passphrase", hide_input=True, err=True).encode())
            except BadKey as again:
                raise refuse(f"keys.{again.reason}", file=str(path)) from None
        raise refuse(
            f"keys.{bad.reason}", answer=UNDECIDED if bad.reason == "password" else 1, file=str(path)
        ) from None


def public_key(named: str) -> str:
    """Return the line of a public key that is given as a line, or as the file that holds it; without its
    comment.
    """
    from pbem.referee.game.scenario import open_file

    text = named if named.startswith("ssh-") else open_file(Path(named)).decode("ascii", "replace")
    return " ".join(text.split()[:2])


def write(path: Path, data: bytes) -> None:
    """Write a file that was asked for."""
    from pbem.store import disk

    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    disk.replace(path, data)


def say_letters(where: Path, *, quiet: bool = False) -> None:
    """Lay out the letters of a game that are to be mailed by hand, and name them; an office
    writes its own.
    """
    from pbem.referee.game.game import open_game
    from pbem.referee.mail.hand_letters import lay_out
    from pbem.referee.play.next_step import office_of

    if office_of(where) is None:
        for name in lay_out(open_game(where)):
            if not quiet:
                click.echo(f"  send {where / name}")
