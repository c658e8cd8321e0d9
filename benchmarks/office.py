"""A round of an office in which nothing is due, over 40, 200 and 1,000 games, and over games with 40 slots
behind them, beside the bare cost of asking the system about as many files as a round has to.

Times are of the processor, within one process. The rounds before the one that is measured have said what
there was to say, and the files count as not written just now.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from email.message import EmailMessage
from itertools import cycle
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest import mock

from msgspec.structs import replace

from benchmarks.long_game import long_games
from benchmarks.measure import Growth, Result
from benchmarks.slots import spent
from pbem.referee.game.environment import Environment, own_environment
from pbem.referee.game.game import Game
from pbem.referee.mail.desk import look
from pbem.referee.mail.letters import sheet_of
from pbem.referee.mail.office import POST, open_house
from pbem.referee.mail.round import run
from pbem.referee.mail.round_context import Step
from pbem.referee.mail.sleeping import key_of
from pbem.referee.turn.admit import admit_words
from pbem.referee.turn.new import SeatWish, new
from pbem.store import asleep, watching
from pbem.store.postbag import Postbag

SIZES = (40, 200, 1000)
OLD_GAMES, OLD_SLOTS = 4, 40
RUNS = 3
MOST_MS = 1000
"""An idle round may take so long."""
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
    what = f"an idle round over {sizes[-1]:,} new games"
    yield Result("office", what, of, found[-1], bare, None)
    yield Result("office time", what, "", found[-1], None, MOST_MS)
    yield Growth("idle round", "games", sizes, found)
    what = f"the desk of {sizes[-1]:,} games"
    yield Result("office", f"{what}, none of them looked into before", "ms", desk[0], None, 10_000)
    yield Result("office", f"{what}, nothing written since", "ms", desk[1], None, 1_000)
    letters = MOST_LETTERS if seconds > 1 else 5
    what = f"a round with {letters} letters, each of which a turn is played for"
    yield Result("office", what, "ms", lettered(letters), None, 30_000)
    many = sizes[-1]
    new_ones, old_ones = (of_old(slots, many) for slots in (1, OLD_SLOTS))
    what = f"an idle round over {many:,} games with {OLD_SLOTS} slots behind each"
    yield Result("office old games", what, "", old_ones, None, MOST_MS)
    yield Growth(f"idle round, {many:,} games", "slots", (1, OLD_SLOTS), (new_ones, old_ones))


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


def of_old(slots: int, games: int) -> float:
    """Return the time of an idle round over so many games with so many slots behind each.

    A few are played, and fall asleep. The others are those once more, each file of them by another name, and
    the office's table of what sleeps has them under ids of their own: a round asks the system about each
    as about those that were played, and opens none.
    """
    with TemporaryDirectory() as folder, mock.patch.dict(os.environ, homes(Path(folder))):
        root = Path(folder) / "office"
        root.mkdir()
        (root / "pbem.toml").write_text(SETTINGS, "utf-8")
        for number in range(OLD_GAMES):
            made = root / f"made-{number}"
            made.mkdir()
            for game in long_games((slots,), made, name=f"slots-{number:06d}"):
                game.game.rename(root / f"game-{number:04d}")
                env = game.env
                break
        idle(env, root)
        key = key_of(env, root)
        sleeping = once_more(env, root, asleep.read(root / POST, key), games)
        asleep.write(root / POST, key, sleeping)
        took = idle(env, root)
        if asleep.read(root / POST, key) != sleeping or len(sleeping) != games:
            raise AssertionError("a game woke up")
        return took


def once_more(
    env: Environment, root: Path, played: Mapping[str, asleep.Sleeper], games: int
) -> dict[str, asleep.Sleeper]:
    """Lay out games that sleep again and again until there are so many; return all of them as they sleep."""
    found = dict[str, asleep.Sleeper]()
    for number, (folder, sleeper) in zip(range(games), cycle(played.items()), strict=False):
        name, id_ = f"game-{number:04d}", f"slots-{number:06d}"
        if name not in played:
            shutil.copytree(root / folder, root / name, copy_function=os.link)
        found[name] = replace(sleeper, id=id_)
    for name, sleeper in found.items():  # not before: a further name of a file changes its marks
        newest = sleeper.marks.partition(" ")[2]
        marks = asleep.marks_of(root / name, env.keyring.told_file(sleeper.id), newest=newest)
        found[name] = replace(sleeper, marks=marks)
    return found


def asked(games: list[Path]) -> None:
    """Ask the system about as many files as an idle round does."""
    for game in games:
        for _ in range(ASKED):
            os.lstat(game)
