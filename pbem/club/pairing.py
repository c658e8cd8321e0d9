"""Who plays whom: everybody against everybody, by elimination, by the Swiss system, in pools with finals.

Each is a function of who is there, in the order of the draw, and of what was played: the same again for the
same, so that nobody can pair until the pairs suit him.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from pbem.club.matching import completes
from pbem.club.tournament import Pairing

Pair = tuple[str, str]
"""Who plays the first side, and who the second; of a bye the second is empty."""


class NoPairing(Exception):
    """There is no way to pair those who are left without anybody meeting somebody twice."""


# --- everybody against everybody


def circle(players: Sequence[str]) -> list[list[Pair]]:
    """Return the rounds in which everybody meets everybody once, by the circle method.

    Of an odd number one has a bye in each round. Nobody plays one side more than once more often than the
    other one.
    """
    listed = list(players) + [""] * (len(players) % 2)
    turning, last = listed[:-1], listed[-1]
    rounds = []
    for number in range(len(turning)):
        pairs = [(turning[number], last)] if number % 2 == 0 else [(last, turning[number])]
        for step in range(1, len(listed) // 2):
            one = turning[(number + step) % len(turning)]
            other = turning[(number - step) % len(turning)]
            pairs.append((one, other) if step % 2 else (other, one))
        rounds.append([(other, one) if not one else (one, other) for one, other in pairs])
    return rounds


def in_pools(players: Sequence[str], count: int) -> list[list[str]]:
    """Return so many pools, into which players go in their order to and fro: 1 2 3, then 3 2 1."""
    pools: list[list[str]] = [[] for _ in range(count)]
    for number, player in enumerate(players):
        lap, at = divmod(number, count)
        pools[at if lap % 2 == 0 else count - 1 - at].append(player)
    return pools


# --- elimination


def bracket(players: Sequence[str]) -> list[Pair]:
    """Return the first round of an elimination in the order of its bracket: the winners of two pairs beside
    one another meet next.

    The first of the order meets the last, and the first two meet in the final at the earliest; where the
    number is no power of two the first ones have byes.
    """
    order, size = [0], 1
    while size < len(players):
        size *= 2
        order = [at for one in order for at in (one, size - 1 - one)]
    seated = [players[at] if at < len(players) else "" for at in order]
    if size == 1:
        return []
    return [(one, two) if one else (two, one) for one, two in zip(seated[::2], seated[1::2], strict=True)]


def finalists(pools: Sequence[Sequence[str]]) -> list[str]:
    """Return who goes on, in the order for a bracket: all winners of pools, then all seconds …

    Nobody meets somebody of his own pool in the first round if that can be had by turning the order of those
    below the winners.
    """
    rows = [list(row) for row in zip(*pools, strict=True)]
    pool_of = {player: n for n, pool in enumerate(pools) for player in pool}

    def clashes(order: Sequence[str]) -> int:
        return sum(bool(two) and pool_of[one] == pool_of[two] for one, two in bracket(order))

    best = [player for row in rows for player in row]
    for turn in range(1, len(pools)):
        turned = rows[0] + [row[(n + turn) % len(row)] for row in rows[1:] for n in range(len(row))]
        if clashes(turned) < clashes(best):
            best = turned
    return best


# --- the Swiss system

EVEN: Final = 1
"""The strain up to which sides are even enough: somebody plays one twice more often than the other."""


class Met:
    """What was paired so far, as far as the next pairs depend on it."""

    def __init__(self, pairings: Sequence[Pairing]) -> None:
        self.pairs = {frozenset((one.first, one.second)) for one in pairings if not one.is_bye}
        self.byes = Counter(one.first for one in pairings if one.is_bye)
        self.sides: Counter[str] = Counter()
        self.last: dict[str, int] = {}
        for one in sorted(pairings, key=lambda pairing: pairing.key):
            if not one.is_bye:
                for player, side in ((one.first, 1), (one.second, -1)):
                    self.sides[player] += side
                    self.last[player] = side

    def seated(self, one: str, other: str) -> Pair:
        """Return two players by the sides that are due to them: whoever has played the first one less often,
        then whoever did not play it last; else the one who is named first plays it.
        """
        mine, theirs = self.sides[one], self.sides[other]
        if mine == theirs:
            mine, theirs = self.last.get(one, 0), self.last.get(other, 0)
        return (one, other) if mine <= theirs else (other, one)

    def strain(self, one: str, other: str) -> int:
        """Return by how much a side would be played too often by one of two: 0 where nobody plays one more
        than once more often than the other.
        """
        first, second = self.seated(one, other)
        return max(0, abs(self.sides[first] + 1) - 1, abs(self.sides[second] - 1) - 1)


def swiss(players: Sequence[str], points: Mapping[str, int], met: Met) -> list[Pair]:
    """Return the pairs of a round: those with as many points meet, nobody meets anybody twice, sides are
    balanced.

    ``players`` is the order of the draw. From the top of the table down each gets the best opponent who
    leaves everybody below one too: the nearest in points; then the one with whom sides come out best; then
    the one half a group below him. Nobody plays a side three times more often than the other if all can be
    paired without it. Of an odd number the lowest who had none yet has a bye. Raise NoPairing
    where somebody is left over however they are paired.
    """
    order = sorted(players, key=lambda who: (-points[who], players.index(who)))
    may_meet = {
        one: {other for other in order if other != one and frozenset((one, other)) not in met.pairs}
        for one in order
    }
    resting = ""
    if len(order) % 2:
        resting = _bye(order, may_meet, met)
        order.remove(resting)
    strains = {met.strain(one, other) for one in order for other in may_meet[one]}
    for most in (EVEN, *sorted(strain for strain in strains if strain > EVEN)):
        fair = {one: {other for other in may_meet[one] if met.strain(one, other) <= most} for one in order}
        if completes(order, fair):
            may_meet = fair
            break
    else:
        raise NoPairing
    pairs = []
    while order:
        one = order[0]
        for other in sorted(order[1:], key=lambda who: _wish(one, who, order, points, met)):
            left = [who for who in order if who not in (one, other)]
            if other in may_meet[one] and completes(left, may_meet):
                pairs.append(met.seated(one, other))
                order = left
                break
        else:
            raise NoPairing
    return [*pairs, *([(resting, "")] if resting else [])]


def _bye(order: Sequence[str], may_meet: Mapping[str, set[str]], met: Met) -> str:
    """Return who has a bye: the lowest of those who had fewest, if the others can be paired then."""
    lowest_first = sorted(order, key=lambda who: (met.byes[who], -order.index(who)))
    for who in lowest_first:
        if completes([other for other in order if other != who], may_meet):
            return who
    raise NoPairing


def _wish(
    one: str, other: str, order: Sequence[str], points: Mapping[str, int], met: Met
) -> tuple[int, int, int, int]:
    """Return by what the opponents of somebody are sorted, the best first."""
    group = [who for who in order if points[who] == points[one]]
    half = (len(group) + 1) // 2
    return (
        points[one] - points[other],
        met.strain(one, other),
        abs(order.index(other) - half),
        order.index(other),
    )


# --- tables


def seats(
    pairs: Sequence[Pair], number: int, games: int, *, table: int = 1, pool: str = ""
) -> Iterator[Pairing]:
    """Yield the pairings of a round: its tables from ``table`` on, each pair once or, with ``games`` 2, twice
    with sides swapped.
    """
    for one, other in pairs:
        match = table
        yield Pairing(number, table, match, one, other, pool)
        table += 1
        if games == 2 and other:
            yield Pairing(number, table, match, other, one, pool)
            table += 1
