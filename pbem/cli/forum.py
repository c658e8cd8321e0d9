"""Verbs round forums: forum post, forum read."""

from __future__ import annotations

import re
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec.structs import replace

from pbem.cli import forum_net, params
from pbem.cli.forum_read import read
from pbem.cli.refused import print_json

if TYPE_CHECKING:
    from pbem.referee.forum.forum_posting import Posting

DIALECTS = ("phpbb", "vbulletin", "xenforo", "discourse")
HOW = "how-to-post.txt"


@click.group("forum")
def forum_() -> None:
    """Games on forums: a turn as posts.

    \b
    Example:
      pbem forum post toll --as xenforo -o posts
      pbem forum read thread-2.html --game toll --take
    """


forum_.add_command(read)
forum_.add_command(forum_net.fetch)


def _until(ctx: click.Context, param: click.Parameter, value: str | None) -> datetime | None:
    """Return a moment with its zone; misuse where it is none."""
    if value is None:
        return None
    try:
        found = datetime.fromisoformat(value)
    except ValueError:
        raise click.BadParameter(
            f"'{value}' is not a moment, such as 2026-11-24T20:00+01:00", ctx, param
        ) from None
    if found.tzinfo is None:
        raise click.BadParameter(f"'{value}' does not say its zone; put Z behind it, or +01:00", ctx, param)
    return found


def _address(ctx: click.Context, param: click.Parameter, value: str | None) -> str:
    """Return the address that pictures lie below; misuse where it is none."""
    if value is None:
        return ""
    if re.fullmatch(r"https?://[!-~]{1,400}", value) is None:
        raise click.BadParameter(f"'{value}' is not an address, such as https://example.org/maps", ctx, param)
    return value


@forum_.command("post")
@params.game
@click.option("--slot", type=int, metavar="N", help="Which slot; default the newest.")
@click.option(
    "--as",
    "as_",
    type=click.Choice(DIALECTS),
    help="For which software; default phpbb, or with --send that of the thread.",
)
@click.option("--seat", metavar="SEAT", help="As this seat knows it; default what all may read.")
@click.option(
    "--pictures-at",
    callback=_address,
    metavar="URL",
    help="Pictures are fetched from below this address, not attached.",
)
@click.option(
    "--until",
    callback=_until,
    metavar="WHEN",
    help="By when an answer is wanted, such as 2026-11-24T20:00+01:00.",
)
@click.option(
    "--longest", type=click.IntRange(1), metavar="N", help="Characters that this forum allows in a post."
)
@click.option(
    "--pictures",
    type=click.IntRange(0, 20),
    metavar="N",
    help="Pictures that it allows in a post; 0 for none.",
)
@click.option(
    "--picture-bytes", type=click.IntRange(1000), metavar="N", help="Bytes that it allows of a picture."
)
@params.theme
@click.option(
    "-o",
    "--out",
    type=params.PATH,
    metavar="DIR",
    help="A new folder for post-1.txt, its pictures and how to post them.",
)
@forum_net.options
@params.as_json
@click.pass_context
def post(
    ctx: click.Context,
    game: Path,
    slot: int | None,
    as_: str | None,
    seat: str | None,
    pictures_at: str,
    until: datetime | None,
    longest: int | None,
    pictures: int | None,
    picture_bytes: int | None,
    theme: str,
    out: Path | None,
    send: bool,
    office: Path | None,
    held: str | None,
    json_: bool,
) -> None:
    """Write a turn as posts to paste into a forum, with pictures that it takes.

    \b
    Example:
      pbem forum post toll --as xenforo -o posts
      pbem forum post toll --as discourse --until 2026-11-24T20:00Z
      pbem forum post toll --pictures-at https://example.org/toll -o posts
      pbem forum post games/toll --send
    """
    from pbem.forum.dialects import DIALECTS as KNOWN
    from pbem.referee.forum.forum_posting import posting, steps
    from pbem.referee.game.game import open_game
    from pbem.store.library import common_words

    if not send and (office is not None or held is not None):
        raise click.UsageError("--office and --held belong to --send")
    opened = open_game(game)
    thread, dialect = (
        forum_net.thread_and_dialect(opened, office, as_) if send else (None, KNOWN[as_ or "phpbb"])
    )
    given = {"characters": longest, "pictures": pictures, "bytes": picture_bytes}
    limits = replace(dialect.limits, **{name: value for name, value in given.items() if value is not None})
    made = posting(
        opened,
        slot,
        replace(dialect, limits=limits),
        seat=seat,
        pictures_at=pictures_at,
        until=until,
        theme=theme,
    )
    how = steps(made, common_words())
    if thread is not None:
        if out is not None:
            _write(out, made, how)
        ctx.exit(forum_net.send(opened, made, thread, held, json_))
    if out is not None:
        _write(out, made, how)
    if json_:
        print_json(_facts(made, how))
        return
    if out is None:
        for number, draft in enumerate(made.drafts, 1):
            if len(made.drafts) > 1:
                click.echo(f"--- post {number} of {len(made.drafts)}: {draft.title}", err=True)
            click.echo(draft.text)
        if made.pictures:
            click.echo(
                f"{len(made.pictures)} pictures go with it: -o DIR writes them "
                "too, and says how to post them.",
                err=True,
            )
        return
    count = len(made.drafts)
    click.echo(
        f"{count} {'post is' if count == 1 else 'posts are'} in {out}, {len(made.pictures)} "
        f"{'picture' if len(made.pictures) == 1 else 'pictures'} beside; {HOW} says what to do."
    )


def _write(out: Path, made: Posting, how: list[str]) -> None:
    """Write the posts into a folder that is new, empty, or holds just them."""
    from pbem.referee.game.refusal import refuse

    files = {f"post-{number}.txt": draft.text.encode() for number, draft in enumerate(made.drafts, 1)}
    files |= {upload.name: upload.data for upload in made.pictures}
    files[HOW] = ("\n".join(how) + "\n").encode()
    if out.exists():
        found = sorted(path.name for path in out.iterdir())
        strange = next(
            (name for name in found if name not in files or (out / name).read_bytes() != files[name]), None
        )
        if strange is not None:
            raise refuse(
                "forum.folder", help="name a new folder, or empty this one", path=str(out), name=strange
            )
    out.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        params.write(out / name, data)


def _facts(made: Posting, how: list[str]) -> dict[str, object]:
    return {
        "game": made.game,
        "slot": made.slot,
        "as": made.dialect.name,
        "posts": [
            {
                "title": draft.title,
                "text": draft.text,
                "mark": draft.mark,
                "pictures": [upload.name for upload in draft.uploads],
            }
            for draft in made.drafts
        ],
        "pictures": [
            {
                "name": upload.name,
                "alt": upload.alt,
                "bytes": len(upload.data),
                "width": upload.size[0],
                "height": upload.size[1],
            }
            for upload in made.pictures
        ],
        "steps": how,
    }
