"""A round of an office in which nothing is due, over 40, 200 and 1,000 games, and over games with 40 slots
behind them, beside the bare cost of asking the system about as many files as a round has to.

Times are of the processor, within one process. The rounds before the one that is measured have said what
there was to say, and the files count as not written just now.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import UTC, datetime
from email.message import EmailMessage
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest import mock

from benchmarks.long_game import long_games
from benchmarks.measure import Growth, Result
from benchmarks.slots import spent
from pbem.referee.game.environment import Environment, own_environment
from pbem.referee.game.game import Game
from pbem.referee.mail.desk import look
from pbem.referee.mail.letters import sheet_of
from pbem.referee.mail.office import open_house
from pbem.referee.mail.round import run
from pbem.referee.mail.round_context import Step
from pbem.referee.turn.admit import admit_words
from pbem.referee.turn.new import SeatWish, new
from pbem.store import watching
from pbem.store.postbag import Postbag

SIZES = (40, 200, 1000)
OLD_GAMES, OLD_SLOTS = 4, 40
RUNS = 3
MOST_LETTERS = 50
ASKED = 15
"""Files and folders of a game that a round asks the system about."""
SETTINGS = """
[office]
name = "The office of the benchmark"
address = "orders@example.org"
[deadlines]
length = "30 days"
remind = "1 day"
[players.nora]
name = "East"
address = "nora@example.org"
[players.sam]
name = "West"
address = "sam@example.net"
[players.bot]
name = "the bot random"
address = "bot@example.net"
"""


def results(seconds: float) -> Iterator[Result | Growth]:
    """Yield the idle rounds, and how they grow."""
    sizes = SIZES if seconds > 1 else SIZES[:-1]
    found = []
    with TemporaryDirectory() as folder, mock.patch.dict(os.environ, homes(Path(folder))):
        root = Path(folder) / "office"
        root.mkdir()
        (root / "pbem.toml").write_text(SETTINGS, "utf-8")
        env = own_environment()
        for size in sizes:
            for number in range(len(list(root.glob("game-*"))), size):
                wishes = [
                    SeatWish(side, side, side.capitalize(), None, "needed") for side in ("east", "west")
                ]
                new(env, "alder-ford", root / f"game-{number:04d}", wishes, name=f"alder-{number:06d}")
            found.append(idle(env, root))
        with mock.patch.object(watching, "FRESH", -(10**12)):
            desk = [spent(lambda: look(env, root, datetime.now(UTC))) for _ in range(2)]
        games = [path for path in root.glob("game-*") if path.is_dir()]
        bare = min(spent(lambda: asked(games)) for _ in range(RUNS))
    of = f"{ASKED} times the system asked, for each game"
    yield Result("office", f"an idle round over {sizes[-1]:,} new games", of, found[-1], bare, None)
    yield Growth("idle round", "games", sizes, found)
    what = f"the desk of {sizes[-1]:,} games"
    yield Result("office", f"{what}, none of them looked into before", "ms", desk[0], None, 10_000)
    yield Result("office", f"{what}, nothing written since", "ms", desk[1], None, 1_000)
    letters = MOST_LETTERS if seconds > 1 else 5
    what = f"a round with {letters} letters, each of which a turn is played for"
    yield Result("office", what, "ms", lettered(letters), None, 30_000)
    new_ones, old_ones = (of_old(slots) for slots in (1, OLD_SLOTS))
    yield Growth(f"idle round, {OLD_GAMES} games", "slots", (1, OLD_SLOTS), (new_ones, old_ones))


def lettered(count: int) -> float:
    """Return the time of a round in which so many letters each bring a turn about: read, answered, locked,
    played, and told to both players with pictures.
    """
    with TemporaryDirectory() as folder, mock.patch.dict(os.environ, homes(Path(folder))):
        root = Path(folder) / "office"
        root.mkdir()
        (root / "pbem.toml").write_text(SETTINGS, "utf-8")
        env = own_environment()
        sides = ("east", "west")
        for number in range(count):
            where = root / f"game-{number:04d}"
            wishes = [SeatWish(side, side, side.capitalize()) for side in sides]
            new(env, "alder-ford", where, wishes, name=f"alder-{number:06d}", umpire=True)
            for side in sides:
                admit_words(env, where, side, "yes, I play")
        list(run(env, root))
        house, bag = open_house(env, root), Postbag(root / "post")
        waiting = [seat for seat in house.seats if house.games[seat.game].waits_for(seat.seat)]
        for number, seat in enumerate(waiting):
            letter = EmailMessage()
            letter["From"], letter["To"] = seat.addresses[0], "orders@example.org"
            letter["Subject"], letter["Message-ID"] = f"(code {seat.code})", f"<{number}@example.net>"
            letter.set_content(ordered(house.games[seat.game].game, seat.seat))
            bag.keep(letter.as_bytes(), env.clock(), "benchmark")
        steps: list[Step] = []
        seconds = spent(lambda: steps.extend(run(env, root)))
        assert sum(step.what == "resolved" for step in steps) == count
        return seconds


def ordered(game: Game, seat: str) -> str:
    """Return the first three sentences of an order sheet, and words of luck."""
    sheet = sheet_of(game, seat)
    assert sheet is not None
    lines = sheet.data.decode().split("\n")
    first = {line.split()[1]: line[1:] for line in reversed(lines) if line.startswith("#- ")}
    section = next(line for line in lines if line.endswith(":") and line[:1].isalpha())
    return "\n".join(["luck: seven drunken herons", section, *list(first.values())[-3:], ""])


def homes(folder: Path) -> dict[str, str]:
    """Return where secrets and what is kept lie."""
    return {"PBEM_HOME": str(folder / "home"), "PBEM_CACHE": str(folder / "cache")}


def idle(env: Environment, root: Path) -> float:
    """Return the least time of a round in which nothing is due."""
    with mock.patch.object(watching, "FRESH", -(10**12)):
        for _ in range(2):
            list(run(env, root, pictures=False))
        return min(spent(lambda: list(run(env, root, pictures=False))) for _ in range(RUNS))


def of_old(slots: int) -> float:
    """Return the time of an idle round over a few games with so many slots behind them."""
    with TemporaryDirectory() as folder, mock.patch.dict(os.environ, homes(Path(folder))):
        root = Path(folder) / "office"
        root.mkdir()
        (root / "pbem.toml").write_text(SETTINGS, "utf-8")
        for number in range(OLD_GAMES):
            made = root / f"made-{number}"
            made.mkdir()
            for game in long_games((slots,), made, name=f"slots-{number:06d}"):
                game.game.rename(root / f"game-{number}")
                env = game.env
                break
        return idle(env, root)


def asked(games: list[Path]) -> None:
    """Ask the system about as many files as an idle round does."""
    for game in games:
        for _ in range(ASKED):
            os.lstat(game)
