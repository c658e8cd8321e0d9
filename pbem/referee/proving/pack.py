"""The whole game as one file, with a signed list of everything in it and whatever verifies it without pbem.

What may be in it is listed here: a folder of a game collects notes, keys and letters, and none of them is
anybody else's.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from pbem.core.regex import regex
from pbem.proof.archive import FILES, FILES_SIG, MemoryArchive, make_files, pack_namespace
from pbem.proof.inside import is_of_the_game, is_receipt, listed_by, slot_of
from pbem.proof.signing import sign
from pbem.referee.game.environment import Environment
from pbem.referee.game.game import Game, open_game, own_folder, writing
from pbem.referee.game.refusal import refuse
from pbem.referee.game.results import RESULTS
from pbem.referee.game.sealing import gm_key
from pbem.referee.proving.howto import howto
from pbem.store import disk, zips
from pbem.store.library import verifiers

HOWTO: Final = "verify/HOWTO.txt"
_MADE: Final = regex(
    rf"events/s[0-9]{{4,5}}\.jsonl|reports/s[0-9]{{4,5}}\.txt|{re.escape(RESULTS)}|witness/[0-9]{{5}}\.(tsr"
    r"|tlog-proof)"
)
"""What was made of the proof or lies beside it, and is told with the game."""
_PICTURE: Final = regex(r"maps/s[0-9]{4,5}(-[a-z0-9]+)*\.(png|svg)")
_PRIVATE_KEY: Final = b"PRIVATE KEY"


def pack(env: Environment, where: Path, to: Path, *, pictures: bool = False, receipts: bool = True) -> int:
    """Write a game as an archive and return how many files are in it; the same game gives the same bytes.

    In it are the files that the protocol names, reports and events; pictures only where they are asked for,
    for they can be made again. Without ``receipts`` nothing tells who has sent orders for a slot that is
    open. Refused where one of them holds a private key, or a secret that this machine keeps for the game.
    """
    with writing(where, anew=True) as game:
        folder = own_folder(game)
        private = gm_key(env, game)
        listed = listed_by(game.ledger.manifest)
        files = MemoryArchive({path: folder[path] for path in folder if _belongs(path, listed, pictures)})
        if not receipts:
            opened = game.ledger.open_slot
            files = MemoryArchive(
                {path: files[path] for path in files if not _promises(path) or slot_of(path) != opened}
            )
        _no_secret(env, game, files)
        files |= verifiers()
        files[HOWTO] = howto(game.ledger, files)
        files[FILES] = make_files(files)
        files[FILES_SIG] = sign(private, pack_namespace(game.id), files[FILES]).encode()
    disk.replace(to, zips.write_zip(files))
    open_game(to)
    return len(files)


def _belongs(path: str, listed: frozenset[str], pictures: bool) -> bool:
    return (
        is_of_the_game(path, listed)
        or _MADE.fullmatch(path) is not None
        or (pictures and _PICTURE.fullmatch(path) is not None)
    )


def _promises(path: str) -> bool:
    return is_receipt(path.removesuffix(".sig"))


def _no_secret(env: Environment, game: Game, files: MemoryArchive) -> None:
    """Refuse a pack that would give away what makes signatures or values; nothing of it is shown."""
    kept = [secret for who in ("gm", *game.ledger.seats) for secret in env.keyring.secrets(game.id, who)]
    words = [_PRIVATE_KEY, *kept, *(secret.hex().encode() for secret in kept)]
    for path in sorted(files):
        if any(word in files[path] for word in words):
            raise refuse("pack.secret", path=path)
