"""A table at which the fox is hunted: a game in which the hounds do not see everything."""

from __future__ import annotations

from table import SCENARIOS, Table

from pbem.referee.turn.admit import admit_words
from pbem.referee.turn.new import SeatWish, new
from pbem.referee.turn.resolve import resolve
from pbem.referee.turn.submit import submit

HOUNDS, FOXES = "hounds", "foxes"
FIRST = "pad:\n- bran pads to 0202\n- rolf pads to 0204\n"
"""What the hounds order first."""


class HuntingTable(Table):
    """A table whose players have no keys, and an umpire who plays for nobody."""

    def hunt(self) -> HuntingTable:
        wishes = [SeatWish(side, side, side.capitalize()) for side in (HOUNDS, FOXES)]
        new(self.env, str(SCENARIOS / "hunt.yaml"), self.game, wishes, name="hunt-0a1b2c", umpire=True)
        for seat in (HOUNDS, FOXES):
            admit_words(self.env, self.game, seat, "yes, I play")
        return self

    def play(self, seat: str, yaml: str) -> None:
        self.count = 1000 * len(self.open().ledger.slots)
        data = f"luck: the words of {seat} {len(self.open().ledger.slots)}\n{yaml}".encode()
        submit(self.env, self.game, f"{seat}.yaml", data, seat=seat)
        resolve(self.env, self.game, pictures=False)
