"""Who plays which seat, as ``game.toml`` has it: what the umpire may edit, and what nobody needs to verify a
game.
"""

from __future__ import annotations

import tomllib
from functools import lru_cache
from pathlib import Path

from pbem.referee.game.game import Game
from pbem.store.gamedir import GameDir

SETTINGS = "game.toml"


def seat_names(game: Game) -> dict[str, str]:
    """Return the names of the seats of a game; none of an archive, where they do not lie."""
    return names_in(game.where) if game.folder is not None else {}


def names_in(folder: Path) -> dict[str, str]:
    """Return the names of the seats in a folder; none where they cannot be read."""
    return dict(_names(GameDir(folder).read(SETTINGS) or b""))


@lru_cache(maxsize=256)
def _names(data: bytes) -> dict[str, str]:
    """Read the names once of the same bytes: a round asks for those of every game again and again."""
    try:
        seats = tomllib.loads(data.decode("utf-8")).get("seats", {})
        return {str(seat): str(of["name"]) for seat, of in seats.items()}
    except (ValueError, AttributeError, KeyError, TypeError, RecursionError):
        return {}
