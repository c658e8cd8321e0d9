"""The course of a tournament: which pairings come next, who is through, and how the table stands, for each
format.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cached_property

from msgspec import Struct
from msgspec.structs import replace

from pbem.club.lots import drawn, lot
from pbem.club.pairing import Met, bracket, circle, finalists, in_pools, seats, swiss
from pbem.club.standings import (
    POINTS,
    POOL_PLACE,
    Line,
    Results,
    Ties,
    Value,
    Way,
    knocked_out,
    lines,
    settled,
    sifted,
    table,
)
from pbem.club.tournament import (
    HEAD_TO_HEAD,
    KNOCKOUT,
    LOT,
    POOLS,
    ROUND_ROBIN,
    SHARE,
    SWISS,
    WINS,
    Outcome,
    Outcomes,
    Pairing,
    Terms,
    Withdrawal,
)

WITHIN = (WINS, SHARE, LOT)
"""What may separate two players within their match."""
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


class Open(Exception):
    """The next round cannot be paired before these pairings are over."""

    def __init__(self, pairings: Sequence[Pairing]) -> None:
        super().__init__()
        self.pairings = tuple(pairings)


class Course(Struct, frozen=True, dict=True):
    """A tournament at a moment: what was agreed on, who takes part, the seed of its lots, what was paired,
    how games ended, who plays no more.
    """

    terms: Terms
    entrants: tuple[str, ...]
    seed: bytes
    pairings: tuple[Pairing, ...] = ()
    played: Outcomes = {}
    withdrawals: tuple[Withdrawal, ...] = ()

    # --- who takes part

    @cached_property
    def draw(self) -> list[str]:
        """Return everybody in the order of the draw: who is seeded, then by lot."""
        best = list(self.terms.seeded)
        return [*best, *drawn(self.seed, (player for player in self.entrants if player not in best))]

    def there(self, number: int) -> list[str]:
        """Return who is to be paired in a round, in the order of the draw.

        In the first one that is everybody who entered, whoever has withdrawn since: else somebody who knows
        the lots could choose among draws by leaving.
        """
        gone = {one.player: one.after for one in self.withdrawals} if number > 1 else {}
        return [who for who in self.draw if gone.get(who, number) >= number]

    # --- what was played

    @property
    def rounds(self) -> int:
        """Return how many rounds are paired."""
        return max((one.round for one in self.pairings), default=0)

    @cached_property
    def outcomes(self) -> dict[tuple[int, int], Outcome]:
        """Return how pairings ended, with what follows from somebody playing no more."""
        everybody = [one for one in self.pairings if one.pool or self.terms.format == ROUND_ROBIN]
        others = [one for one in self.pairings if one not in everybody]
        found: dict[tuple[int, int], Outcome] = {}
        for part, annul in ((everybody, True), (others, False)):
            played = {one.key: self.played[one.key] for one in part if one.key in self.played}
            found |= settled(part, played, self.withdrawals, annul=annul)
        return found

    def open(self, pairings: Iterable[Pairing] | None = None) -> list[Pairing]:
        """Return the pairings that are not over."""
        over = self.outcomes
        listed = self.pairings if pairings is None else pairings
        return [one for one in listed if not one.is_bye and one.key not in over]

    # --- what comes next

    def next(self) -> tuple[Pairing, ...]:
        """Return the pairings of the next round; nothing where all is paired.

        Raise Open where a round has to be over before, NoPairing where there is no way to pair.
        """
        number, terms = self.rounds + 1, self.terms
        if terms.format == ROUND_ROBIN:
            return self._robin(number)
        if terms.format == SWISS:
            return self._swiss(number)
        if terms.format == KNOCKOUT:
            return self._knockout(number, self.draw, self.pairings)
        return self._pools(number)

    def _robin(self, number: int) -> tuple[Pairing, ...]:
        rounds = circle(self.draw)
        if number > len(rounds):
            return ()
        return tuple(seats(rounds[number - 1], number, self.terms.games))

    def _swiss(self, number: int) -> tuple[Pairing, ...]:
        if number > self.terms.rounds:
            return ()
        if left := self.open():
            raise Open(left)
        found = Results(self.draw, self.pairings, self.outcomes, self.terms.points)
        here = self.there(number)
        pairs = swiss(here, {who: found.points(who) for who in here}, Met(self.pairings))
        return tuple(seats(pairs, number, self.terms.games))

    def _knockout(
        self, number: int, players: Sequence[str], before: Sequence[Pairing]
    ) -> tuple[Pairing, ...]:
        if not before:
            pairs = bracket(players)
        else:
            latest = [one for one in before if one.round == number - 1]
            matches = _matches(latest)
            if len(matches) == 1:
                return ()
            winners = [self.through(match) for match in matches]
            if left := [one for match, who in zip(matches, winners, strict=True) if not who for one in match]:
                raise Open(self.open(left) or left)
            pairs = list(zip(winners[::2], winners[1::2], strict=True))
        met = Met(self.pairings)
        return tuple(
            seats(
                [met.seated(one, other) if other else (one, other) for one, other in pairs],
                number,
                self.terms.games,
            )
        )

    def _pools(self, number: int) -> tuple[Pairing, ...]:
        pools = in_pools(self.draw, self.terms.pools)
        turns = [circle(pool) for pool in pools]
        if number <= max(map(len, turns)):
            found: list[Pairing] = []
            for letter, turn in zip(LETTERS, turns, strict=False):
                if number <= len(turn):
                    pairs = turn[number - 1]
                    found += seats(pairs, number, self.terms.games, table=len(found) + 1, pool=letter)
            return tuple(found)
        pooled = [one for one in self.pairings if one.pool]
        if left := self.open(pooled):
            raise Open(left)
        # Whoever has left gives his place to the next, but where a pool has nobody else to send.
        gone = {one.player for one in self.withdrawals if one.after < number}
        best = [
            sorted((line.player for line in self.pool(letter)), key=gone.__contains__)[: self.terms.through]
            for letter in LETTERS[: len(pools)]
        ]
        finals = [one for one in self.pairings if not one.pool]
        return self._knockout(number, finalists(best), finals)

    # --- who is through

    def through(self, match: Sequence[Pairing]) -> str:
        """Return who of a match goes on; empty while that is open.

        Who has more points of it; then what was named as tie-breaks, within the match.
        """
        one = match[0]
        if one.is_bye:
            return one.first
        over = self.outcomes
        if any(pairing.key not in over for pairing in match):
            return ""
        players = [one.first, one.second]
        ties = [name for name in self.terms.ties if name in WITHIN]
        listed = table(players, match, over, self.terms.points, ties, self._lots(one))
        return listed[0].player if listed[1].place == 2 else ""

    def _lots(self, one: Pairing) -> bytes:
        """Return the seed of lots within a match: each has lots of its own."""
        return bytes.fromhex(lot(self.seed, f"round {one.round} match {one.match}"))

    # --- how it stands

    def pool(self, letter: str) -> tuple[Line, ...]:
        """Return the table of a pool."""
        players = in_pools(self.draw, self.terms.pools)[LETTERS.index(letter)]
        mine = [one for one in self.pairings if one.pool == letter]
        return table(players, mine, self.outcomes, self.terms.points, self.terms.ties, self.seed)

    @property
    def pool_letters(self) -> str:
        """Return the letters of the pools."""
        return LETTERS[: self.terms.pools] if self.terms.format == POOLS else ""

    @cached_property
    def standings(self) -> tuple[Line, ...]:
        """Return the table of the whole; with pools, who reached the finals is before who did not."""
        terms = self.terms
        if terms.format == KNOCKOUT:
            return knocked_out(self.draw, self.pairings, self.outcomes, terms.points, self.through)
        if terms.format != POOLS:
            return table(self.draw, self.pairings, self.outcomes, terms.points, terms.ties, self.seed)
        finals = [one for one in self.pairings if not one.pool]
        reached = [who for who in self.draw if any(one.has(who) for one in finals)]
        first = knocked_out(reached, finals, self.outcomes, terms.points, self.through)
        rest = [who for who in self.draw if who not in reached]
        found = Results(self.draw, self.pairings, self.outcomes, terms.points)
        place = {line.player: line.place for letter in self.pool_letters for line in self.pool(letter)}
        ways = Ties(found, self.seed).ways
        asked: list[tuple[str, Way]] = [
            (POOL_PLACE, lambda tied: {who: Fraction(-place[who]) for who in tied}),
            (POINTS, lambda tied: {who: Fraction(found.points(who)) for who in tied}),
            *((name, ways[name]) for name in terms.ties if name != HEAD_TO_HEAD),
        ]
        trail: dict[str, list[tuple[str, Value]]] = {who: [] for who in rest}
        groups = sifted([rest] if rest else [], asked, trail)
        behind = lines(groups, found, trail)
        return (*first, *(replace(line, place=line.place + len(first)) for line in behind))


def _matches(pairings: Sequence[Pairing]) -> list[list[Pairing]]:
    """Return the pairings of a round by match, in the order of their tables."""
    found: dict[int, list[Pairing]] = {}
    for one in sorted(pairings, key=lambda pairing: pairing.table):
        found.setdefault(one.match, []).append(one)
    return list(found.values())
