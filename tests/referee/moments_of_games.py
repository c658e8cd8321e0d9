"""The recorded games as they stood at a moment: an archive without what came later opens as the game did
then.
"""

from __future__ import annotations

import re
import zipfile
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from pbem.referee.game.game import Game, open_game

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
_SLOT = re.compile(r"ledger/[0-9]+-s([0-9]{4})-")


@cache
def when_open(example: str, slot: int) -> Game:
    """Return a recorded game as it stood when a slot was open for orders; nothing can be written in it."""
    with TemporaryDirectory() as folder, zipfile.ZipFile(EXAMPLES / example / "archive.zip") as archive:
        to = Path(folder) / "game.zip"
        with zipfile.ZipFile(to, "w") as cut:
            for name in archive.namelist():
                later = _SLOT.match(name)
                if later is None or int(later[1]) < slot:
                    cut.writestr(name, archive.read(name))
        return open_game(to)
