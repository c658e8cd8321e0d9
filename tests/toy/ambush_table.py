"""A table at which thieves lie in wait for carters, by the rules of The Anarchy."""

from __future__ import annotations

from table import SCENARIOS, Table

from pbem.referee.turn.admit import admit_words
from pbem.referee.turn.new import SeatWish, new
from pbem.referee.turn.resolve import resolve
from pbem.referee.turn.submit import submit

CARTERS, THIEVES = "carters", "thieves"


class AmbushTable(Table):
    """A table whose players have no keys, and an umpire who plays for nobody."""

    def laid(self, places: str) -> AmbushTable:
        """Begin a game in which the thieves are placed so, and the carters in their camp."""
        wishes = [SeatWish(side, side, side.capitalize()) for side in (CARTERS, THIEVES)]
        new(self.env, str(SCENARIOS / "ambush.yaml"), self.game, wishes, name="ambush-0a1b2c", umpire=True)
        for seat in (CARTERS, THIEVES):
            admit_words(self.env, self.game, seat, "yes, I play")
        self.play(THIEVES, f"setup:\n- col at 0604\n{places}")
        self.play(CARTERS, "setup:\n- odo at 0203\n- alric at 0204\n")
        return self

    def play(self, seat: str, yaml: str) -> None:
        """Send the orders of a seat and play them."""
        self.count = 1000 * len(self.open().ledger.slots)
        data = f"luck: long words of {seat} {len(self.open().ledger.slots)}\n{yaml}".encode()
        submit(self.env, self.game, f"{seat}.yaml", data, seat=seat)
        resolve(self.env, self.game, pictures=False)
