"""Who is before whom in a tournament, by what was agreed on beforehand, and why.

All numbers are whole or fractions. A bye, and a game that was forfeited, count in tie-breaks as if against
somebody with as many points as oneself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Final

from msgspec import Struct

from pbem.club.lots import lot
from pbem.club.tournament import (
    BUCHHOLZ,
    DRAW,
    FIRST,
    FORFEIT,
    HEAD_TO_HEAD,
    LOT,
    NOBODY,
    SHARE,
    SONNEBORN,
    WINS,
    Outcome,
    Outcomes,
    Pairing,
    Points,
    Withdrawal,
    forfeited,
)

POINTS: Final = "points"
POOL_PLACE: Final = "place in the pool"
STAGE: Final = "stage"
"""How far somebody came in an elimination."""
BEATEN_BY: Final = "beaten by"
"""The place of who threw somebody out."""

Value = Fraction | str | None
"""What somebody has of something that separates; None: it does not hold for him. A text is a lot."""
Way = Callable[[Sequence[str]], Mapping[str, Value]]
"""What each of those who are tied has of something."""


class Line(Struct, frozen=True):
    """Somebody in the table: his place (shared by those whom nothing separates), points, games that count,
    won, drawn and lost, and what separated him, in the order in which it was asked: name -> value.
    """

    player: str
    place: int
    points: int
    games: int
    won: int
    drawn: int
    lost: int
    values: tuple[tuple[str, Value], ...]


class Why(Struct, frozen=True):
    """Why somebody is before somebody else: by what, and what each of them has; ``by`` is empty where nothing
    separates them. ``equal`` are those things in which they are equal, and which were asked before.
    """

    before: str
    behind: str
    by: str
    mine: Value
    theirs: Value
    equal: tuple[str, ...]


class Results:
    """What was played of a tournament, or of a part of it: pairings that are over and count."""

    def __init__(
        self, players: Sequence[str], pairings: Iterable[Pairing], outcomes: Outcomes, points: Points
    ) -> None:
        self.players, self.points_for = tuple(players), points
        self.over = [
            (one, outcomes.get(one.key, Outcome(FIRST, FORFEIT)))
            for one in pairings
            if one.is_bye or one.key in outcomes
        ]
        self.over = [(one, outcome) for one, outcome in self.over if not outcome.void]
        self._mine: dict[str, list[tuple[Pairing, Outcome]]] = {player: [] for player in players}
        for one, outcome in self.over:
            for player in (one.first, one.second):
                if player in self._mine:
                    self._mine[player].append((one, outcome))

    def of(self, player: str) -> list[tuple[Pairing, Outcome]]:
        """Return the pairings of somebody."""
        return self._mine.get(player, [])

    def points(self, player: str, among: frozenset[str] | None = None) -> int:
        """Return the points of somebody, with ``among`` only those from games against some."""
        return sum(
            self.worth(player, one, outcome)
            for one, outcome in self.of(player)
            if among is None or one.other(player) in among
        )

    def worth(self, player: str, one: Pairing, outcome: Outcome) -> int:
        """Return what somebody got from a pairing."""
        if one.is_bye:
            return self.points_for.bye
        return getattr(self.points_for, result_of(player, one, outcome))  # type: ignore[no-any-return]

    def count(self, player: str, result: str) -> int:
        """Return how often somebody won, drew or lost; byes are none of these."""
        return sum(
            result_of(player, one, outcome) == result for one, outcome in self.of(player) if not one.is_bye
        )


def result_of(player: str, one: Pairing, outcome: Outcome) -> str:
    """Return ``win``, ``draw`` or ``loss``; where nobody won both have lost."""
    if outcome.winner == DRAW:
        return "draw"
    if outcome.winner == NOBODY:
        return "loss"
    return "win" if (outcome.winner == FIRST) == (player == one.first) else "loss"


# --- what separates


class Ties:
    """What may separate those who have as many points: name -> a function from those who are tied."""

    def __init__(self, found: Results, seed: bytes) -> None:
        self.found, self.seed = found, seed
        self.ways: Mapping[str, Way] = {
            HEAD_TO_HEAD: self.head_to_head,
            SONNEBORN: self.each(self.sonneborn),
            BUCHHOLZ: self.each(self.buchholz),
            WINS: self.each(lambda who: Fraction(found.count(who, "win"))),
            SHARE: self.each(self.share),
            LOT: self.each(lambda who: lot(seed, who)),
        }

    @staticmethod
    def each(of: Callable[[str], Value]) -> Way:
        """Return a way that asks of each by himself."""
        return lambda tied: {who: of(who) for who in tied}

    def head_to_head(self, tied: Sequence[str]) -> Mapping[str, Value]:
        """Return the points from games among those who are tied; None for all of them unless each met each of
        the others, and equally often.
        """
        among = frozenset(tied)
        met = {(a, b): 0 for a in tied for b in tied if a != b}
        for one, outcome in self.found.over:
            if one.first in among and one.second in among and outcome.how != FORFEIT:
                met[one.first, one.second] += 1
                met[one.second, one.first] += 1
        if len(set(met.values())) != 1 or not all(met.values()):
            return dict.fromkeys(tied)
        return {who: Fraction(self.found.points(who, among)) for who in tied}

    def _against(self, who: str, one: Pairing, outcome: Outcome) -> int:
        """Return the points of whom somebody met."""
        mine = one.is_bye or outcome.how == FORFEIT
        return self.found.points(who if mine else one.other(who))

    def sonneborn(self, who: str) -> Fraction:
        """Return the points of those whom somebody beat, and half the points of those he drew with."""
        part = {"win": Fraction(1), "draw": Fraction(1, 2), "loss": Fraction(0)}
        return sum(
            (
                part["win" if one.is_bye else result_of(who, one, outcome)] * self._against(who, one, outcome)
                for one, outcome in self.found.of(who)
            ),
            Fraction(0),
        )

    def buchholz(self, who: str) -> Fraction:
        """Return the points of all whom somebody met."""
        return Fraction(sum(self._against(who, one, outcome) for one, outcome in self.found.of(who)))

    def share(self, who: str) -> Value:
        """Return which part of the points scored in his games somebody scored; None if there were none."""
        mine = total = 0
        for one, outcome in self.found.of(who):
            if outcome.score is not None and not one.is_bye:
                mine += outcome.score[0 if who == one.first else 1]
                total += sum(outcome.score)
        return Fraction(mine, total) if total > 0 else None


def order(value: Value) -> tuple[int, Fraction, str]:
    """Return what values are sorted by, the best first; what does not hold comes last."""
    if value is None:
        return 2, Fraction(0), ""
    return (1, Fraction(0), value) if isinstance(value, str) else (1, -value, "")


Sifted = list[list[str]]


def sifted(
    groups: Sifted, ways: Iterable[tuple[str, Way]], trail: dict[str, list[tuple[str, Value]]]
) -> Sifted:
    """Return groups split by one thing after the other, the best group first; what each was told apart by is
    put into the trail. What was asked stays: nobody who was separated is put together again.
    """
    for name, way in ways:
        after: Sifted = []
        for group in groups:
            if len(group) == 1 and name != POINTS:
                after.append(group)
                continue
            values = way(group)
            for who in group:
                trail[who].append((name, values[who]))
            for key in sorted({order(values[who]) for who in group}):
                after.append([who for who in group if order(values[who]) == key])
        groups = after
    return groups


def table(
    players: Sequence[str],
    pairings: Iterable[Pairing],
    outcomes: Outcomes,
    points: Points,
    ties: Sequence[str],
    seed: bytes,
) -> tuple[Line, ...]:
    """Return the table by points and then by what was named, in that order; those whom nothing separates
    share a place.

    ``seed`` is that of the lots.
    """
    found = Results(players, pairings, outcomes, points)
    ways = Ties(found, seed).ways
    trail: dict[str, list[tuple[str, Value]]] = {player: [] for player in players}
    by_points = (POINTS, Ties.each(lambda who: Fraction(found.points(who))))
    groups = sifted(
        [list(players)] if players else [], [by_points, *((name, ways[name]) for name in ties)], trail
    )
    return lines(groups, found, trail)


def lines(
    groups: Sifted, found: Results, trail: Mapping[str, Sequence[tuple[str, Value]]]
) -> tuple[Line, ...]:
    """Return groups, the best first, as lines of a table."""
    listed, place = [], 1
    for group in groups:
        for who in group:
            won, drawn, lost = (found.count(who, result) for result in ("win", "draw", "loss"))
            listed.append(
                Line(who, place, found.points(who), won + drawn + lost, won, drawn, lost, tuple(trail[who]))
            )
        place += len(group)
    return tuple(listed)


def why(listed: Sequence[Line], one: str, other: str) -> Why:
    """Return why one of two players is before the other one, whichever it is."""
    a, b = sorted(
        (line for line in listed if line.player in (one, other)),
        key=lambda line: (line.place, listed.index(line)),
    )
    equal: list[str] = []
    for (name, mine), (_, theirs) in zip(a.values, b.values, strict=False):
        if order(mine) != order(theirs):
            return Why(a.player, b.player, name, mine, theirs, tuple(equal))
        equal.append(name)
    return Why(a.player, b.player, "", None, None, tuple(equal))


# --- elimination


def knocked_out(
    players: Sequence[str],
    pairings: Sequence[Pairing],
    outcomes: Outcomes,
    points: Points,
    through: Callable[[Sequence[Pairing]], str],
) -> tuple[Line, ...]:
    """Return the table of an elimination: who came further is before; of those who went out in the same round
    it is he who lost to the better one.

    ``through`` says who of a match (its pairings) goes on; empty while that is open.
    """
    found = Results(players, pairings, outcomes, points)
    matches: dict[tuple[int, int], list[Pairing]] = {}
    for one in pairings:
        matches.setdefault((one.round, one.match), []).append(one)
    last = max((one.round for one in pairings), default=0)
    out: dict[str, tuple[int, str]] = {}
    reached = dict.fromkeys(players, 0)
    for (number, _), match in sorted(matches.items()):
        winner = through(match)
        for player in (match[0].first, match[0].second):
            if player:
                reached[player] = number + (player == winner)
                if winner and player != winner:
                    out[player] = (number, winner)
    trail: dict[str, list[tuple[str, Value]]] = {
        player: [(STAGE, Fraction(reached[player]))] for player in players
    }
    places: dict[str, int] = {}
    groups: Sifted = []
    for stage in range(last + 1, -1, -1):
        here = [player for player in players if reached[player] == stage]
        lost = [player for player in here if player in out and out[player][1] in places]
        in_play = [player for player in here if player not in lost]
        behind: dict[int, list[str]] = {}
        for player in sorted(lost, key=lambda player: places[out[player][1]]):
            place = places[out[player][1]]
            trail[player].append((BEATEN_BY, Fraction(-place)))
            behind.setdefault(place, []).append(player)
        for group in ([in_play] if in_play else []) + list(behind.values()):
            for player in group:
                places[player] = 1 + sum(map(len, groups))
            groups.append(group)
    return lines(groups, found, trail)


# --- who plays no more


def settled(
    pairings: Iterable[Pairing], outcomes: Outcomes, withdrawals: Iterable[Withdrawal], *, annul: bool
) -> dict[tuple[int, int], Outcome]:
    """Return how pairings ended, with those that are won or lost because somebody plays no more.

    ``annul``: where everybody meets everybody, and somebody leaves who has played fewer than half of his
    games, none of them counts for anybody.
    """
    listed, found = list(pairings), dict(outcomes)
    gone = {one.player: one.after for one in withdrawals}
    for one in listed:
        if one.is_bye or one.key in found:
            continue
        absent = [player for player in (one.first, one.second) if gone.get(player, one.round) < one.round]
        if absent:
            found[one.key] = forfeited(one, absent)
    for player in gone if annul else ():
        mine = [one for one in listed if one.has(player) and not one.is_bye]
        played = [one for one in mine if one.key in outcomes]
        if 2 * len(played) < len(mine):
            for one in mine:
                now = found.get(one.key, Outcome(NOBODY, FORFEIT))
                found[one.key] = Outcome(now.winner, now.how, now.score, void=True)
    return found
