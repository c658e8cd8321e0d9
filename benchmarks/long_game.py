"""A game of as many slots as are wanted, to measure how what an umpire does grows with it: Toll at the Alder
Ford, in which after the setup nobody orders anything.

It is played once, by every step that a game by mail goes through; after each of the sizes it is handed out as
it lies.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from pbem.bots.bot import Bot, find
from pbem.referee.game.environment import Environment
from pbem.referee.game.game import open_game
from pbem.referee.play.playing import Match
from pbem.resources import folder

SCENARIO = "alder-ford"
TURNS = 400
"""Turns of the game: more than anybody asks for."""


class LongGame(Struct, frozen=True):
    """A game with so many slots behind it: its folder, the folder of its secrets, what its verbs need, and who
    orders next.
    """

    slots: int
    game: Path
    home: Path
    env: Environment
    seat: str


def long_games(sizes: Sequence[int], root: Path, name: str = "slots-000000") -> Iterator[LongGame]:
    """Play a game in a folder and yield it when it has each of the numbers of slots; whatever is done to it
    is to be undone before it goes on.
    """
    scenario = folder("scenarios") / "cry_havoc" / f"{SCENARIO}.yaml"
    own = root / f"{SCENARIO}.yaml"
    text = scenario.read_text("utf-8").replace("length: 10 turns", f"length: {TURNS} turns")
    own.write_text(text, "utf-8")
    shutil.copytree(scenario.parent / "maps", root / "maps")
    busy = find("random", "cry_havoc")
    idle = replace(busy, orders=lambda rules, state, seat, chance: {})
    bots: dict[str, Bot] = dict.fromkeys(("east", "west"), busy)
    match = Match(str(own), bots, name, name, root, root / "game", root / "home")
    for stage in match.play():
        if stage.slot > 1:
            bots.update(dict.fromkeys(bots, idle))
        if stage.slot - 1 in sizes:
            (seat,) = open_game(match.game).announced()["waits"]
            yield LongGame(stage.slot - 1, match.game, match.home, match.playing.env, seat)
        if stage.slot > max(sizes):
            return
