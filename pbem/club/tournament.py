"""A tournament as plain data: what was agreed on, who plays whom, how each game ended.

Decides nothing. Players are their short names; of a pairing the first plays the first side of the scenario.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from msgspec import Struct

ROUND_ROBIN, SWISS, KNOCKOUT, POOLS = "round robin", "swiss", "knockout", "pools"
FORMATS = (ROUND_ROBIN, SWISS, KNOCKOUT, POOLS)

FIRST, SECOND, DRAW, NOBODY = "first", "second", "draw", "nobody"
PLAYED, AGREED, RESIGNED, ADJUDICATED = "played", "agreed", "resigned", "adjudicated"
FORFEIT = "forfeit"

HEAD_TO_HEAD, SONNEBORN, BUCHHOLZ = "head to head", "sonneborn-berger", "buchholz"
WINS, SHARE, LOT = "wins", "points share", "lot"
TIES = (HEAD_TO_HEAD, SONNEBORN, BUCHHOLZ, WINS, SHARE, LOT)
"""What may separate players with as many points: the director names some, in the order in which they count.
"""


class Points(Struct, frozen=True):
    """What a game is worth in the table: whole numbers, so that a half is told by doubling all of them."""

    win: int = 2
    draw: int = 1
    loss: int = 0
    bye: int = 2


class Terms(Struct, frozen=True):
    """What was agreed on before entries closed.

    ``rounds`` counts for swiss alone, ``pools`` and ``through`` (how many of each pool reach the finals) for
    pools. ``games`` is how many games two players play against each other in a round: 1, or 2 with sides
    swapped. ``seeded`` are players whom the director has put in order, best first; all others follow by lot.
    """

    format: str
    points: Points = Points()
    ties: tuple[str, ...] = (HEAD_TO_HEAD, SONNEBORN, WINS, LOT)
    rounds: int = 0
    pools: int = 0
    through: int = 0
    games: int = 1
    seeded: tuple[str, ...] = ()


class Pairing(Struct, frozen=True):
    """Two players of a round at a table (counted from 1), or one who has a bye: ``second`` is empty.

    ``match`` is the same number for the games of two players in a round. ``pool`` is empty outside pools.
    """

    round: int
    table: int
    match: int
    first: str
    second: str = ""
    pool: str = ""

    @property
    def is_bye(self) -> bool:
        """Tell whether nobody is played against."""
        return not self.second

    @property
    def key(self) -> tuple[int, int]:
        """Return round and table, by which it is known."""
        return self.round, self.table

    def has(self, player: str) -> bool:
        """Tell whether somebody plays in it."""
        return player in (self.first, self.second)

    def other(self, player: str) -> str:
        """Return whom a player of it meets; empty of a bye."""
        return self.second if player == self.first else self.first


class Outcome(Struct, frozen=True, omit_defaults=True):
    """How a game ended: ``winner`` is first, second, draw or nobody; ``how`` it came to that.

    ``score`` are the points of both in the game itself; None where none was played to its end. ``void``: it
    does not count, as if it had not been paired.
    """

    winner: str
    how: str = PLAYED
    score: tuple[int, int] | None = None
    void: bool = False


class Withdrawal(Struct, frozen=True):
    """Somebody plays no more after a round: 0 means that he never played."""

    player: str
    after: int


def forfeited(one: Pairing, absent: Collection[str]) -> Outcome:
    """Return how a pairing ended that was not played for lack of one of its players, or of both."""
    if len(absent) == 2:
        return Outcome(NOBODY, FORFEIT)
    return Outcome(FIRST if one.second in absent else SECOND, FORFEIT)


Outcomes = Mapping[tuple[int, int], Outcome]
"""Round and table -> how it ended; what is missing goes on."""
