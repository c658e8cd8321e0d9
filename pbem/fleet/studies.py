"""Studies of bot games: so many games of each pairing, and a row about each that nobody's clock can change.

A game is its scenario, options, who plays and its number; the number gives the dice. So whoever plays it
again gets the same row.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from pbem.bots.bot import Bot, UnknownBot, find
from pbem.bots.chance import SeedDice
from pbem.bots.game import game
from pbem.fleet.task import Done, Task
from pbem.referee.game.refusal import refuse
from pbem.referee.game.replay import Ground, first_state
from pbem.referee.game.scenario import find_scenario, judge
from pbem.text.similar import did_you_mean

EACH: Final = 10
"""So many games are one task: long enough that giving it out costs nothing beside it."""
ASKED: Final = "asked"
"""The sergeant who says nothing beforehand of retreats and advances, in a game in which owners are asked."""
_STATE: Final = 16


class Pairing(Struct, frozen=True):
    """Who plays whom: a scenario by name or path, bots in the order of its sides, options that are not the
    usual ones.
    """

    scenario: str
    bots: tuple[str, ...]
    options: tuple[tuple[str, str], ...] = ()

    @property
    def all_options(self) -> dict[str, str]:
        """Return the options of its games: where somebody plays who wants to be asked, owners are asked."""
        asked = {"interrupt_policy": "ask_owner"} if ASKED in self.bots else {}
        return {**asked, **dict(self.options)}


class Row(Struct, frozen=True):
    """One game: what it was, and how it ended."""

    pairing: Pairing
    number: int
    winner: str
    """The side that won; empty where nobody did."""
    turns: int
    orders: tuple[int, ...]
    """Order files of each side, in their order, once the setup was over."""
    answers: tuple[int, ...]
    """Answers of each side to questions."""
    score: tuple[int, ...]
    """Points of each side, where the game has any."""
    state: str
    """The beginning of the SHA-256 of its last state: 16 hex digits."""


class Study(Struct, frozen=True):
    """What a study asks: so many games of each pairing, from a seed."""

    pairings: tuple[Pairing, ...]
    games: int
    seed: str
    each: int = EACH


@cache
def laid(scenario: str, options: tuple[tuple[str, str], ...]) -> tuple[Ground, str]:
    """Return rules and field of a scenario, and the digest of its files; Refused with all that is wrong."""
    found = find_scenario(scenario)
    listed = "".join(
        f"{hashlib.sha256(data).hexdigest()}  {name}\n" for name, data in sorted(found.files.items())
    )
    return judge(found, dict(options))[1], hashlib.sha256(listed.encode()).hexdigest()


def sides(pairing: Pairing) -> tuple[str, ...]:
    """Return the sides of a pairing's scenario, in its order."""
    return tuple(_ground(pairing)[0].scenario["sides"])


def pairings(
    scenarios: Sequence[str], pairs: Sequence[tuple[str, ...]], options: Mapping[str, str]
) -> Iterator[Pairing]:
    """Yield each scenario with each pair, once. Refused for what cannot be played, before anything is."""
    for scenario in dict.fromkeys(scenarios):
        # Workers look from where they are, so a file is named from the root.
        named = str(Path(scenario).resolve()) if Path(scenario).is_file() else scenario
        for bots in dict.fromkeys(pairs):
            one = Pairing(named, bots, tuple(sorted(options.items())))
            if len(bots) != len(sides(one)):
                raise refuse(
                    "fleet.not-so-many", scenario=scenario, count=len(sides(one)), bots="/".join(bots)
                )
            for bot in bots:
                try:
                    player(bot, _ground(one)[0].rules.id)
                except UnknownBot as unknown:
                    help_ = did_you_mean(bot, unknown.known) or "there are " + ", ".join(unknown.known)
                    raise refuse("play.bot", bot=bot, help=help_) from None
            yield one


def colours(pairing: Pairing) -> tuple[str, ...]:
    """Return the colours of these sides, as their scenario names them."""
    return tuple(str(side.get("colour", "")) for side in _ground(pairing)[0].scenario["sides"].values())


def _ground(pairing: Pairing) -> tuple[Ground, str]:
    return laid(pairing.scenario, tuple(sorted(pairing.all_options.items())))


def player(name: str, ruleset: str) -> Bot:
    """Return a bot by its name; UnknownBot where there is none."""
    if name == ASKED:
        from pbem.bots import sergeant

        return sergeant.ASKED
    return find(name, ruleset)


def tasks(study: Study) -> Iterator[Task]:
    """Yield the tasks of a study, in the order of its games."""
    for pairing in study.pairings:
        content = _ground(pairing)[1]
        for first in range(0, study.games, study.each):
            yield Task.of(
                "games",
                scenario=pairing.scenario,
                content=content,
                bots=pairing.bots,
                options=dict(pairing.options),
                seed=study.seed,
                first=first,
                count=min(study.each, study.games - first),
            )


def played(
    scenario: str,
    content: str,
    bots: Sequence[str],
    options: Mapping[str, str],
    seed: str,
    first: int,
    count: int,
) -> list[list[Any]]:
    """Do a task: play some games of a pairing; return of each what a row has behind its number."""
    pairing = Pairing(scenario, tuple(bots), tuple(sorted(options.items())))
    if _ground(pairing)[1] != content:
        raise ValueError(f"the scenario {scenario} is another one here than for who asked")
    return [_row(pairing, f"{seed} {number}") for number in range(first, first + count)]


def _row(pairing: Pairing, seed: str) -> list[Any]:
    ground, _ = _ground(pairing)
    rules, names = ground.rules, sides(pairing)
    bots = {side: player(name, rules.id) for side, name in zip(names, pairing.bots, strict=True)}
    done = game(rules, first_state(ground, {side: side for side in names}), bots, SeedDice(seed), seed)
    end = rules.interface.outcome(rules, done.state)
    scores = {str(entry.get("side")): entry.get("score", 0) for entry in end.get("sides", ())}
    state = json.dumps(rules.interface.state_to_plain(rules, done.state), sort_keys=True).encode()
    return [
        str(end["winner"]) if end["winner"] in names else "",
        done.turns,
        [done.orders.get(side, 0) for side in names],
        [done.answers.get(side, 0) for side in names],
        [int(scores.get(side, 0)) for side in names],
        hashlib.sha256(state).hexdigest()[:_STATE],
    ]


def rows(study: Study, ended: Iterable[Done]) -> Iterator[Row]:
    """Yield the rows of what came of a study, in the order of its games whatever the order in which they
    ended; of a task that failed there are none.
    """
    found = {done.task: done for done in ended if not done.failure}
    for task in tasks(study):
        if task in found:
            yield from rows_of(found[task])


def rows_of(done: Done) -> Iterator[Row]:
    """Yield the rows of one task."""
    said = done.task.arguments
    pairing = Pairing(said["scenario"], tuple(said["bots"]), tuple(sorted(said["options"].items())))
    for number, row in enumerate(done.answer, said["first"]):
        winner, turns, orders, answers, score, state = row
        yield Row(pairing, number, winner, turns, tuple(orders), tuple(answers), tuple(score), state)
