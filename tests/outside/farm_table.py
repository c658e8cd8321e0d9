"""A game of the farmyard at a terminal: who plays it, and one line to type each command."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from table import Table

from pbem.cli import cli

HENHOUSE = Path(__file__).parent / "scenarios" / "henhouse.yaml"
DUSK = {
    "foxes": "bed-down:\n- rusty settles in orchard\n- sooty settles in mill-pond\n",
    "hens": "bed-down:\n- hetty settles in barn\nmessage: cluck\n",
}
PROWL = "prowl:\n- rusty slinks to barn\n- rusty pounces on hetty\n- sooty listens\n- sooty pounces on maud\n"
FLUTTER = "scratch:\n- agnes flutters to orchard\n"


class FarmTable(Table):
    """A table whose players have no keys, with the umpire's terminal; what is typed has the same chance each
    time.
    """

    def typed(self, *words: str) -> Result:
        """Type a command, as the umpire."""
        with pytest.MonkeyPatch.context() as patch:
            self.at_the_terminal(patch)
            return CliRunner().invoke(cli, list(words))

    def fine(self, *words: str) -> str:
        """Type a command that has to do its work."""
        result = self.typed(*words)
        assert result.exit_code == 0, (words, result.output, result.exception)
        return result.output

    def begin(self, *more: str) -> FarmTable:
        """Begin a game in which everybody has joined."""
        self.fine(
            "new",
            str(HENHOUSE),
            "game",
            "--seat",
            "foxes=Fay",
            "--seat",
            "hens=Hal",
            "--umpire",
            "--id",
            "farm-0a1b2c",
            *more,
        )
        for seat in ("foxes", "hens"):
            self.fine("admit", "game", "--seat", seat, "--words", "yes, I play")
        return self

    def send(self, seat: str, yaml: str) -> str:
        """Send orders that are final."""
        rolls = self.open().ground.rules.interface.may_roll(self.open().ground.rules, self.open().state)
        (self.root / f"{seat}.yaml").write_text(
            yaml
            + (
                f"luck: moonshine of {seat} number {len(self.open().ledger.slots)}\n"
                if rolls
                else "final: yes\n"
            )
        )
        return self.fine("submit", f"{seat}.yaml", "--game", "game", "--seat", seat)

    def slot(self) -> str:
        """Lock and resolve."""
        self.fine("lock", "game")
        return self.fine("resolve", "game")

    def answer(self) -> None:
        """Answer every question with the first choice, until nobody is asked any more."""
        while questions := self.open().questions:
            for asked in questions:
                self.send(asked["seat"], f"answers: {{{asked['id']}: a}}\n")
            self.slot()
