"""The pass over an office whose games are done by workers of a queue.

The clerk is the program that has the office's letters: he fetches them, takes them in, hands out the games,
writes down what comes back, and sends. Workers do one game's part at a time, on this machine or on others
that share folder and secrets. Without any worker the clerk does the games himself, so it is the same pass.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, suppress
from datetime import datetime
from pathlib import Path
from typing import Final

from pbem.fleet.program import digest
from pbem.fleet.queue import GONE, Jobs, Times, opened, queue_of, told
from pbem.fleet.task import written
from pbem.referee.game.environment import Environment
from pbem.referee.game.refusal import UNDECIDED, refuse
from pbem.referee.mail.office import POST, Trouble, secret_of, settings, trouble_of
from pbem.referee.mail.round import Parts, game_part
from pbem.referee.mail.round_apart import PartDone, part_apart, taken_over
from pbem.referee.mail.round_context import RoundContext, Step
from pbem.referee.mail.round_news import is_new
from pbem.store import disk
from pbem.store.library import common_words
from pbem.text.codec import from_json

FOLDER: Final = "rounds"
PASS: Final = "pass"
"""What is asked of a pass; what comes of a game is named by its folder, with an ending."""
_TOKEN: Final = re.compile(r"[0-9a-f]{32}")


def by_queue(env: Environment, root: Path, url: str, times: Times | None = None) -> Parts:
    """Return a way to do the parts of a pass by the workers of a queue."""

    def parts(ctx: RoundContext, ids: Sequence[str]) -> Iterator[Step]:
        # Whoever sees a game for the first time writes that down, and one program alone writes.
        new = [id_ for id_ in ids if is_new(ctx, id_)]
        for id_ in new:
            yield from game_part(ctx, id_)
        folders = {ctx.house.games[id_].game.where.name: id_ for id_ in ids if id_ not in new}
        if folders:
            yield from _handed_out(env, root, url, ctx, folders, times)

    return parts


def _handed_out(
    env: Environment, root: Path, url: str, ctx: RoundContext, folders: dict[str, str], times: Times | None
) -> Iterator[Step]:
    place = ctx.house.post / FOLDER
    _swept(place)
    token = env.entropy(16).hex()
    terms = {
        "now": ctx.now.isoformat(),
        "fetched": ctx.fetched.isoformat(),
        "unseen": sorted(folder for folder, id_ in folders.items() if id_ in ctx.unseen),
        "pictures": ctx.pictures,
        "program": digest(),
    }
    disk.replace(place / token / PASS, written(terms).encode() + b"\n", private=True)
    given_up: tuple[str, ...] = ()
    try:
        with at_queue(env, root, url, times) as jobs:
            jobs.begin(token, sorted(folders))
            given_up = jobs.finish()
    except GONE as error:
        ctx.troubles.append(Trouble("", common_words().phrase("fleet.queue-gone", why=told(error, url))))
    for folder, id_ in sorted(folders.items()):
        yield from _taken(ctx, place / token, folder, id_, given_up)
    _swept(place)


def _taken(ctx: RoundContext, place: Path, folder: str, id_: str, given_up: Sequence[str]) -> Iterator[Step]:
    """Take over what came of one game, or say that nothing did."""
    try:
        said = from_json((place / f"{folder}.json").read_text("utf-8"))
        if "failure" in said:
            ctx.troubles.append(Trouble(id_, str(said["failure"])))
            return
        done = PartDone.read(said)
    except (OSError, ValueError, KeyError, TypeError):
        code = "fleet.given-up" if folder in given_up else "fleet.not-done"
        ctx.troubles.append(Trouble(id_, common_words().phrase(code)))
        # What it did before it fell silent stands in the game.
        ctx.house.refresh(id_)
        return
    taken_over(ctx, id_, done)
    yield from done.steps


def _swept(place: Path) -> None:
    """Take away what passes left: a job of one of them does nothing any more."""
    for folder in sorted(place.iterdir()) if place.is_dir() else ():
        if not folder.is_dir():
            continue  # nothing of a pass
        for path in sorted(folder.iterdir(), key=lambda path: path.name != PASS):
            disk.remove(path)
        disk.remove_folder(folder)


def at_queue(
    env: Environment, root: Path, url: str, times: Times | None = None
) -> AbstractContextManager[Jobs]:
    """Open the queue of an office, for its clerk or for a worker. Refused where there is no database."""
    names = queue_of(secret_of(env), digest())
    return opened(url, names, lambda token, folder: work(env, root, token, folder), times)


def work(env: Environment, root: Path, token: str, folder: str) -> None:
    """Do the job of one game: its part of a pass, unless that is over. What came of it is kept for the clerk,
    whatever it is.
    """
    place = root / POST / FOLDER / token
    if not _TOKEN.fullmatch(token) or Path(folder).name != folder:
        return  # no clerk asks for this
    try:
        terms = from_json((place / PASS).read_text("utf-8"))
        now, fetched = (datetime.fromisoformat(str(terms[name])) for name in ("now", "fetched"))
        pictures, program = bool(terms["pictures"]), terms["program"]
        if folder in terms["unseen"]:
            fetched = datetime.min.replace(tzinfo=fetched.tzinfo)
    except (OSError, ValueError, KeyError, TypeError):
        return  # the pass is over
    if program != digest():
        return
    try:
        said = part_apart(env, root, folder, now, fetched, pictures=pictures).plain()
    except Exception as error:
        said = {"failure": trouble_of(folder, error).said}
    if (place / PASS).is_file():
        with suppress(OSError):  # a full disk: the clerk finds nothing, and says so
            disk.replace(place / f"{folder}.json", written(said).encode() + b"\n", private=True)


def serve(env: Environment, root: Path, url: str, times: Times | None = None) -> None:
    """Do jobs for an office until the program is told to end; Refused where its secrets are not here, or the
    database does not let it.
    """
    settings(root)
    if not (env.keyring.root / "office.secret").is_file():
        raise refuse("fleet.no-secret", answer=UNDECIDED, path=str(env.keyring.root))
    try:
        with at_queue(env, root, url, times) as jobs:
            jobs.work()
    except GONE as error:
        raise refuse("fleet.queue-lost", answer=UNDECIDED, why=told(error, url)) from None
