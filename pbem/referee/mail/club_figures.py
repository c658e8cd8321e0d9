"""What a club comes to in numbers: of each player over all his games, of each scenario who won from which
side.

Few games say little: a median is told from ``FEW`` answers on, and of the dice how often chance alone is as
far off, for one person and for the luckiest or unluckiest of as many as there are.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from statistics import median
from typing import Any, Final

from msgspec import Struct

from pbem.post.write.cover import one_line
from pbem.proof.luck import SizeLuck, as_far_off
from pbem.referee.mail.figures import GameFigures, SeatFigures

FEW: Final = 3
"""So many answers at least make a median worth telling."""
LONGEST: Final = 80
"""Characters of a name."""
STEPS: Final = ((6, "6h"), (24, "1-day"), (48, "2-days"), (96, "4-days"), (None, "longer"))
"""Hours below which an answer belongs to a step, and the end of the key of its name."""


class PlayerFigures(Struct, frozen=True):
    """What somebody comes to over all his games: how many, how many are over and won, the seconds of each of
    his answers (sorted), misses, files and words sent, the dice of his sides.

    ``chance`` is how often fair dice are at least as far off as his, ``corrected`` the same for whoever of
    all players is farthest off; None without dice.
    """

    person: str
    name: str
    games: int
    over: int
    won: int
    answers: tuple[int, ...]
    misses: int
    sent: int
    dice: tuple[SizeLuck, ...]
    chance: float | None = None
    corrected: float | None = None

    @property
    def median(self) -> int | None:
        """Return the median of his answers in seconds; None of too few."""
        return int(median(self.answers)) if len(self.answers) >= FEW else None

    @property
    def longest(self) -> int | None:
        """Return the longest of his answers in seconds; None without one."""
        return max(self.answers, default=None)


class EndFigures(Struct, frozen=True):
    """How the games of a scenario ended: how many are over, how often each side won, how often nobody did."""

    title: str
    over: int
    won: tuple[tuple[str, int], ...]
    nobody: int


class ClubFigures(Struct, frozen=True):
    """What a club comes to."""

    players: tuple[PlayerFigures, ...]
    ends: tuple[EndFigures, ...]

    @property
    def answers(self) -> tuple[int, ...]:
        """Return the seconds of all answers, sorted."""
        return tuple(sorted(took for one in self.players for took in one.answers))

    def steps(self) -> list[tuple[str, int]]:
        """Return how many answers took how long, by the steps of ``STEPS``."""
        found = dict.fromkeys((key for _, key in STEPS), 0)
        for took in self.answers:
            found[next(key for hours, key in STEPS if hours is None or took < 3600 * hours)] += 1
        return list(found.items())


def of_club(games: Iterable[GameFigures]) -> ClubFigures:
    """Return what the games of a club come to together."""
    listed = list(games)
    known = {seat.name.casefold(): seat.player for game in listed for seat in game.seats if seat.player}
    seats: dict[str, list[tuple[GameFigures, SeatFigures]]] = {}
    for game in listed:
        for seat in game.seats:
            if seat.player or seat.name:
                person = seat.player or known.get(seat.name.casefold(), f"name {seat.name.casefold()}")
                seats.setdefault(person, []).append((game, seat))
    players = [_player(person, mine) for person, mine in seats.items()]
    rolled = sum(one.chance is not None for one in players)
    return ClubFigures(
        tuple(
            sorted(
                (_corrected(one, rolled) for one in players),
                key=lambda one: (one.name.casefold(), one.person),
            )
        ),
        tuple(_ends(listed)),
    )


def _player(person: str, mine: Sequence[tuple[GameFigures, SeatFigures]]) -> PlayerFigures:
    games = {game.id: game for game, _ in mine}
    dice = _together(size for _, seat in mine for size in seat.dice)
    return PlayerFigures(
        person,
        one_line(mine[0][1].name, LONGEST),
        len(games),
        sum(game.over for game in games.values()),
        len({game.id for game, seat in mine if game.over and game.winner == seat.side}),
        tuple(sorted(took for _, seat in mine for took in seat.answers)),
        sum(seat.misses for _, seat in mine),
        sum(seat.sent for _, seat in mine),
        dice,
        as_far_off(dice) if dice else None,
    )


def _corrected(one: PlayerFigures, compared: int) -> PlayerFigures:
    from msgspec.structs import replace

    if one.chance is None:
        return one
    wide = -math.expm1(compared * math.log1p(-one.chance)) if one.chance < 1 else 1.0
    return replace(one, corrected=wide)


def _together(sizes: Iterable[SizeLuck]) -> tuple[SizeLuck, ...]:
    found: dict[int, SizeLuck] = {}
    for size in sizes:
        was = found.get(size.sides, SizeLuck(size.sides, 0, 0, 0, 0))
        found[size.sides] = SizeLuck(
            size.sides, was.dice + size.dice, was.total + size.total, was.low + size.low, was.high + size.high
        )
    return tuple(found[sides] for sides in sorted(found))


def _ends(games: Sequence[GameFigures]) -> Iterable[EndFigures]:
    titles = sorted({game.title for game in games if game.over})
    for title in titles:
        over = [game for game in games if game.over and game.title == title]
        sides = sorted({seat.side for game in over for seat in game.seats})
        won = Counter(game.winner for game in over)
        yield EndFigures(
            one_line(title, LONGEST), len(over), tuple((side, won[side]) for side in sides), won[""]
        )


def facts(club: ClubFigures) -> dict[str, Any]:
    """Return the figures for a program."""
    return {
        "players": [
            {
                "name": one.name,
                "games": one.games,
                "over": one.over,
                "won": one.won,
                "answers": len(one.answers),
                "median_seconds": one.median,
                "longest_seconds": one.longest,
                "misses": one.misses,
                "sent": one.sent,
                "dice": sum(size.dice for size in one.dice),
                "chance": one.chance,
                "corrected": one.corrected,
            }
            for one in club.players
        ],
        "ends": [
            {
                "scenario": one.title,
                "over": one.over,
                "won": [{"side": side, "games": count} for side, count in one.won],
                "nobody": one.nobody,
            }
            for one in club.ends
        ],
    }
