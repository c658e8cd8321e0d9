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
from functools import cache
from multiprocessing import Pool
from time import process_time
from typing import Any

from msgspec import Struct

from benchmarks.__main__ import aligned
from pbem.bots.bot import Bot, find
from pbem.bots.chance import SeedDice
from pbem.bots.game import game
from pbem.referee.game.replay import Ground, first_state
from pbem.referee.game.scenario import find_scenario, judge
from pbem.store.library import scenarios

GAMES = 100
LEAST = 95
"""So many of a hundred games the sergeant has to win against ``random``."""
MAILS = 150
"""Hundredths of a letter that a side is to send in a game turn at most, where it is asked about retreats and
advances.
"""
PAIRS = (("sergeant", "random"), ("random", "sergeant"), ("sergeant", "sergeant"), ("asked", "asked"))


class Task(Struct, frozen=True):
    """One game: who plays the sides of a scenario, in their order, and its number."""

    scenario: str
    pair: tuple[str, ...]
    number: int


class Ended(Struct, frozen=True):
    """How one game ended: the winner's place among the sides (-1: a draw), and what it took."""

    task: Task
    winner: int
    turns: int
    letters: int
    """Order files and answers of all sides."""
    seconds: float


@cache
def laid(scenario: str, asked: bool) -> Ground:
    """Return rules and field of a scenario; ``asked``: owners are asked wherever they have said nothing."""
    return judge(find_scenario(scenario), {"interrupt_policy": "ask_owner"} if asked else {})[1]


def player(name: str, ruleset: str) -> Bot:
    """Return a bot; ``asked`` is the sergeant who says nothing beforehand of retreats and advances."""
    if name == "asked":
        from pbem.bots.sergeant import ASKED

        return ASKED
    return find(name, ruleset)


def played(task: Task) -> Ended:
    """Play one game."""
    ground = laid(task.scenario, "asked" in task.pair)
    sides = list(ground.scenario["sides"])
    bots = {side: player(name, ground.rules.id) for side, name in zip(sides, task.pair, strict=True)}
    began = process_time()
    seed = f"balance {task.number}"
    done = game(ground.rules, first_state(ground, {side: side for side in sides}), bots, SeedDice(seed), seed)
    seconds = process_time() - began
    winner = str(ground.rules.interface.outcome(ground.rules, done.state)["winner"])
    letters = sum(done.letters(side) for side in sides)
    return Ended(task, sides.index(winner) if winner in sides else -1, done.turns, letters, seconds)


def tasks(names: Sequence[str], games: int) -> Iterator[Task]:
    """Yield the games of every scenario that has two sides."""
    for name in names:
        for pair in PAIRS:
            yield from (Task(name, pair, number) for number in range(games))


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
        """Tell whether the sergeant won too few games against ``random``."""
        if sorted(self.pair) != ["random", "sergeant"]:
            return False
        return self.wins.get(self.pair.index("sergeant"), 0) * 100 < LEAST * self.games

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


def rows(ended: Iterable[Ended]) -> Iterator[Row]:
    """Yield a row for each pairing, in the order in which they were played."""
    found: dict[tuple[str, tuple[str, ...]], list[Ended]] = {}
    for one in ended:
        found.setdefault((one.task.scenario, one.task.pair), []).append(one)
    for (scenario, pair), games in found.items():
        sides: dict[str, Any] = laid(scenario, "asked" in pair).scenario["sides"]
        wins = Counter(one.winner for one in games)
        turns = sum(one.turns for one in games) * len(sides)
        mails = sum(one.letters for one in games) * 100 // max(1, turns)
        yield Row(
            scenario,
            tuple(sides),
            pair,
            len(games),
            wins,
            mails,
            sum(one.seconds for one in games) / len(games),
        )


def main(words: Sequence[str]) -> int:
    """Play, print the table, and answer 1 where the sergeant won too few games."""
    parser = ArgumentParser(
        prog="python -m benchmarks.balance", description="bots against each other, in every scenario"
    )
    parser.add_argument("only", nargs="*", metavar="SCENARIO", help="all of them unless named")
    parser.add_argument("--games", type=int, default=GAMES, help=f"games for each pairing; default {GAMES}")
    parser.add_argument("--processes", type=int, default=None, help="default: one for each core")
    chosen = parser.parse_args(words)
    names = chosen.only or [path.stem for path in scenarios()]
    for name in names:
        laid(name, asked=False)  # what cannot be played is refused here, where it can be told
    with Pool(chosen.processes) as pool:
        found = list(rows(pool.imap(played, tasks(names, chosen.games), chunksize=5)))
    heads = ("scenario", "first side", "second side", "", "a side and turn", "a game", "")
    print("\n".join(aligned([heads, *(row.cells() for row in found)])))
    asked = [row for row in found if "asked" in row.pair]
    worst = max((row.mails for row in asked), default=0)
    print(
        f"mails a side and game turn where retreats and advances are asked: {worst // 100}.{worst % 100:02} "
        "at most, aim 1.50"
    )
    return int(any(row.failed for row in found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
