"""Plays bots against each other in every scenario and prints who wins: what a scenario, a rule or a change of
the sergeant is good for.

The answer is 1 where the sergeant wins fewer than 95 of 100 games against ``random`` from either side; a draw
is no win.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from benchmarks.means import means_of, with_means
from benchmarks.telling import aligned
from pbem.bots.bot import UnknownBot, find
from pbem.fleet.door import spread
from pbem.fleet.studies import Pairing, Study, rows_of, sides, tasks
from pbem.fleet.task import Done
from pbem.referee.game.refusal import Refused
from pbem.referee.game.scenario import find_scenario
from pbem.referee.mail.office import said
from pbem.store.library import scenarios

GAMES = 100
LEAST = 95
"""So many of a hundred games the sergeant has to win against ``random``."""
MAILS = 150
"""Hundredths of a letter that a side is to send in a game turn at most, where it is asked about retreats and
advances.
"""
KNOWING = ("sergeant", "marshal")
"""The bots that play for the points of a scenario; ``PAIRS`` names the first of them for whichever knows it."""
PAIRS = (("sergeant", "random"), ("random", "sergeant"), ("sergeant", "sergeant"), ("asked", "asked"))


class Ended(Struct, frozen=True):
    """How one game ended: who played it, the winner's place among the sides (-1: a draw), and what it took."""

    pairing: Pairing
    winner: int
    turns: int
    letters: int
    """Order files and answers of all sides."""
    seconds: float


def knows(scenario: str) -> str:
    """Return the bot that plays the game of a scenario for its points; nothing where there is none."""
    ruleset = str(find_scenario(scenario).data["ruleset"])
    for name in KNOWING:
        try:
            find(name, ruleset)
        except UnknownBot:
            continue
        return name
    return ""


def pairings(names: Iterable[str], pairs: Iterable[tuple[str, ...]] = PAIRS) -> Iterator[Pairing]:
    """Yield the pairings of every scenario; ``asked`` is a sergeant, and nobody else is."""
    for name in names:
        knowing = knows(name)
        for pair in pairs:
            if knowing == KNOWING[0] or "asked" not in pair:
                yield Pairing(name, tuple(knowing if bot == KNOWING[0] else bot for bot in pair))


def ended(done: Done) -> Iterator[Ended]:
    """Yield how the games of a task ended."""
    found = list(rows_of(done))
    for row in found:
        names = sides(row.pairing)
        winner = names.index(row.winner) if row.winner in names else -1
        letters = sum(row.orders) + sum(row.answers)
        yield Ended(row.pairing, winner, row.turns, letters, done.seconds / len(found))


class Row(Struct, frozen=True):
    """What the games of one pairing came to."""

    scenario: str
    sides: tuple[str, ...]
    pair: tuple[str, ...]
    games: int
    wins: Mapping[int, int]
    mails: int
    """Hundredths of a letter that a side sent in a game turn, on the average."""
    seconds: float

    @property
    def failed(self) -> bool:
        """Tell whether the bot that knows the points won too few games against ``random``."""
        knowing = [n for n, bot in enumerate(self.pair) if bot in KNOWING]
        if len(knowing) != 1 or "random" not in self.pair:
            return False
        return self.wins.get(knowing[0], 0) * 100 < LEAST * self.games

    def cells(self) -> tuple[str, ...]:
        """Return the row as it is printed."""
        won = tuple(
            f"{side} ({name}) {self.wins.get(n, 0)}"
            for n, (side, name) in enumerate(zip(self.sides, self.pair, strict=True))
        )
        drawn = f"drawn {self.wins.get(-1, 0)}"
        mails = f"{self.mails // 100}.{self.mails % 100:02}"
        return (
            self.scenario,
            *won,
            drawn,
            f"{mails} mails",
            f"{self.seconds:.2f} s",
            "too few" if self.failed else "",
        )


def rows(games: Iterable[Ended]) -> Iterator[Row]:
    """Yield a row for each pairing, in the order in which they were played."""
    found: dict[Pairing, list[Ended]] = {}
    for one in games:
        found.setdefault(one.pairing, []).append(one)
    for pairing, some in found.items():
        names = sides(pairing)
        wins = Counter(one.winner for one in some)
        turns = sum(one.turns for one in some) * len(names)
        mails = sum(one.letters for one in some) * 100 // max(1, turns)
        seconds = sum(one.seconds for one in some) / len(some)
        yield Row(pairing.scenario, names, pairing.bots, len(some), wins, mails, seconds)


def main(words: Sequence[str]) -> int:
    """Play, print the table, and answer 1 where the sergeant won too few games or some were not played."""
    parser = ArgumentParser(
        prog="python -m benchmarks.balance", description="bots against each other, in every scenario"
    )
    parser.add_argument("only", nargs="*", metavar="SCENARIO", help="all of them unless named")
    parser.add_argument("--games", type=int, default=GAMES, help=f"games for each pairing; default {GAMES}")
    said_pairs = ["/".join(pair) for pair in PAIRS]
    parser.add_argument(
        "--pair", action="append", choices=said_pairs, metavar="BOT/BOT", help="; ".join(said_pairs)
    )
    parser.add_argument("--processes", type=int, default=None, help="default: one for each core")
    with_means(parser)
    chosen = parser.parse_args(words)
    names = chosen.only or [path.stem for path in scenarios() if knows(path.stem)]
    pairs = [tuple(pair.split("/")) for pair in chosen.pair or said_pairs]
    study = Study(tuple(pairings(names, pairs)), chosen.games, "balance", 5)
    try:
        asked = list(tasks(study))  # what cannot be played is refused here, where it can be told
        done = {one.task: one for one in spread(asked, means_of(chosen, chosen.processes))}
    except Refused as refusal:
        parser.error(said(refusal))
    failed = [done[task] for task in asked if done[task].failure]
    found = list(rows(one for task in asked if not done[task].failure for one in ended(done[task])))
    heads = ("scenario", "first side", "second side", "", "a side and turn", "a game", "")
    print("\n".join(aligned([heads, *(row.cells() for row in found)])))
    mails = max((row.mails for row in found if "asked" in row.pair), default=0)
    print(
        f"mails a side and game turn where retreats and advances are asked: {mails // 100}.{mails % 100:02} "
        "at most, aim 1.50"
    )
    for one in failed:
        print(f"not played: {one.task.said}: {one.failure}", file=sys.stderr)
    return int(bool(failed) or any(row.failed for row in found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
