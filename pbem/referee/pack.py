"""The whole game as one file, with a signed list of everything in it and whatever verifies it without pbem."""

from __future__ import annotations

from pathlib import Path

from pbem.proof.archive import FILES, FILES_SIG, MemoryArchive, make_files, pack_namespace
from pbem.proof.signing import sign
from pbem.referee.desk import Desk
from pbem.referee.game import open_game, own_folder, writing
from pbem.referee.howto import howto
from pbem.referee.sealing import gm_key
from pbem.store import disk, zips
from pbem.store.library import verifiers

HOWTO = "verify/HOWTO.txt"


def pack(desk: Desk, where: Path, to: Path) -> int:
    """Write a game as an archive and return how many files are in it; the same game gives the same bytes.

    Raw letters, letters to send, names and addresses stay behind, and so does every file in force that is not published yet.
    """
    with writing(where) as game:
        folder = own_folder(game)
        private = gm_key(desk, game)
        files = MemoryArchive({path: folder[path] for path in folder if path not in (FILES, FILES_SIG)})
        files |= verifiers()
        files[HOWTO] = howto(game.ledger, files)
        files[FILES] = make_files(files)
        files[FILES_SIG] = sign(private, pack_namespace(game.id), files[FILES]).encode()
    disk.replace(to, zips.write_zip(files))
    open_game(to)
    return len(files)
