"""The command line: which verbs there are and what a command answers. Modules are loaded when their verb is
called.
"""

from __future__ import annotations

import atexit
import os
import sys
import threading
from importlib import import_module
from typing import Any

import click

from pbem import __version__

FINE, NO, MISUSE, UNDECIDED, FAULT = 0, 1, 2, 3, 4

VERBS: dict[str, tuple[str, str]] = {
    "demo": ("demo", "Play a complete recorded game and look at it."),
    "play": ("play", "A whole game between bots."),
    "study": ("fleet", "Many games between bots: who wins, as a table and a picture."),
    "new": ("game", "Make a game and its invitations."),
    "join": ("game", "Answer an invitation."),
    "admit": ("game", "Take a join in; the game starts when all are in."),
    "next": ("stands", "The one thing to do now, in a game or an office."),
    "desk": ("stands", "All that needs the umpire of an office, with the commands."),
    "stats": ("stands", "What the games of an office come to in numbers."),
    "site": ("site", "Pages about all games of an office, for everybody."),
    "tournament": ("tournament", "Pairings, rounds and tables of a tournament."),
    "status": ("stands", "Where a game stands, or all games of an office."),
    "brief": ("brief", "What the game is about, and how it is played."),
    "options": ("orders", "An order sheet for the open phase."),
    "packet": ("packet", "One page to click the orders together in a browser."),
    "check": ("orders", "Everything wrong with an order file."),
    "sign": ("orders", "Sign an order file."),
    "submit": ("orders", "Check an order file and take it in."),
    "lock": ("turn", "Fix the orders of the open slot."),
    "go": ("turn", "The other side's one line after a lock."),
    "resolve": ("turn", "Roll the dice and write the turn."),
    "undo": ("amend", "Take slots back, with everybody's consent."),
    "umpire": ("umpire", "What the umpire does: to time, players, requests and the end of a game."),
    "consent": ("amend", "Agree to it, or take a consent in."),
    "keys": ("amend", "Public keys of a game, and new ones: export, rekey, recover."),
    "render": ("show", "Draw the map."),
    "report": ("show", "What happened, ready for posting."),
    "replay": ("show", "The whole game, turn by turn."),
    "pack": ("proof", "The whole game as one archive."),
    "verify": ("verify", "Check the proof of a game."),
    "mend": ("mend", "Make again what was lost and can be made again."),
    "roll": ("proof", "One die, with the arithmetic."),
    "diff": ("proof", "Which events differ between two games."),
    "rules": ("rules", "The rulebook: list, show, sequence, options, coverage, check."),
    "tables": ("rules", "The number tables: list, show, export, check."),
    "mail": ("mail", "Letters in and out: read, fetch, send, seats, umpire."),
    "forum": ("forum", "Posts out and in: post, fetch, read."),
    "witness": ("witness", "What others vouch for: a log of heads, time stamps."),
    "run": ("rounds", "One round over an office of games played by mail."),
    "watch": ("rounds", "Such rounds without end."),
    "work": ("fleet", "Do games of such rounds, on this machine or another."),
    "map": ("files", "Look at a map of your own, check it."),
    "army": ("files", "An army that you have built: check it, complete it in an editor."),
    "scenario": ("files", "The scenarios: list them, check one of your own."),
}
"""Verb -> the module it lives in, and what it does in a few words (so that help loads nothing)."""
HIDDEN = {"record": "demo", "gallery": "demo"}


class Verbs(click.Group):
    """The verbs, each loaded when it is called; and what becomes of a refusal or of a fault
    of pbem itself.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the verbs in the order of a game."""
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load a verb."""
        found = VERBS.get(cmd_name, (HIDDEN.get(cmd_name),))[0]
        if found is None:
            return None
        command: click.Command = getattr(import_module(f"pbem.cli.{found}"), f"{cmd_name}_")
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the verbs without loading them."""
        with formatter.section("Verbs"):
            formatter.write_dl([(name, said) for name, (_, said) in VERBS.items()])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the verb; suggest the nearest for one that is not known."""
        name = args[0]
        if name not in VERBS and name not in HIDDEN and not name.startswith("-"):
            from pbem.text.similar import did_you_mean

            ctx.fail(f"there is no verb '{name}'; {did_you_mean(name, VERBS) or 'pbem --help lists them'}")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Call the verb; answer 1 or 3 for what cannot be done, 4 for a fault of pbem."""
        try:
            return super().invoke(ctx)
        except (click.exceptions.Exit, click.ClickException, click.Abort, BrokenPipeError):
            raise
        except Exception as error:
            from pbem.cli.refused import answer

            ctx.exit(answer(error))


@click.command(cls=Verbs, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120})
@click.version_option(__version__, prog_name="pbem", message="%(prog)s %(version)s")
@click.option(
    "--language",
    metavar="CODE",
    envvar="PBEM_LANG",
    help="In which language to speak, such as de; English if none is named. What stands in games is English.",
)
@click.pass_context
def cli(ctx: click.Context, language: str | None) -> None:
    """Turn processor for wargames played by mail, with dice that everybody can verify.

    \b
    Answers: 0 fine, 1 no, 2 misuse, 3 cannot decide (something is missing), 4 a fault of pbem.
    Example:
      pbem demo --out demo
    """
    if language:
        from pbem.store.library import languages
        from pbem.text.words import speaking

        if language not in languages():
            raise click.BadParameter(f"there are {', '.join(languages())}", param_hint="'--language'")
        ctx.with_resource(speaking(language))


def main() -> None:
    """Run the command line as a process that ends with it: what was loaded is not taken apart at the end."""
    answer: object = None
    try:
        cli(prog_name="pbem")
    except SystemExit as end:
        answer = end.code
    if answer is None or type(answer) is int:
        _leave(answer or FINE)
    raise SystemExit(answer)


def _leave(answer: int) -> None:
    """End the process as Python does, but for taking apart its modules and values: threads have ended, who
    asked for it (``atexit``) has been told, and what was printed is out. A file is closed by who writes it.

    Returns where something could not be printed: of that Python tells.
    """
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (OSError, ValueError):
        return
    os._exit(answer)
