"""Who goes on with games when their umpire cannot: a deputy is given his keys and values under seal while all
is well, and takes over with them, from a copy of the games or from what players hold.

That there is a deputy stands in the ledger of each game, for everybody: whoever opens his share knows what
the umpire knows and signs as he does. So the dice stay what they would have been, and no program has to be
told anything new.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from msgspec import Struct

from pbem.post.write.cover import one_line
from pbem.proof.recovery import BadCode, new_code, printed, read_code
from pbem.proof.share import NONCE, SALT, BadShare, Share, seal, unseal
from pbem.proof.spoken import SAY
from pbem.referee.game.environment import Environment
from pbem.referee.game.game import Game, open_game
from pbem.referee.game.refusal import Refused, refuse
from pbem.referee.game.sealing import gm_key
from pbem.referee.mail.letters import headline
from pbem.referee.mail.office import secret_of
from pbem.referee.mail.umpire_speaking import speak
from pbem.referee.proving.mend import mend
from pbem.referee.proving.verify_folder import game_folders
from pbem.store.keys import SecretExists
from pbem.store.library import common_words

__all__ = ["Deputed", "TakenOver", "deputy", "takeover"]

LONGEST: Final = 60
"""Characters of a name."""


class Deputed(Struct, frozen=True):
    """A share as it goes to the deputy, the code of it as it is written down, and the games in it: those
    whose players are told of him, and those that have not begun.
    """

    share: str
    code: str
    told: tuple[str, ...]
    untold: tuple[str, ...]


class TakenOver(Struct, frozen=True):
    """What a takeover came to: the game, how much of it came from elsewhere, and where it stands."""

    game: str
    taken: int
    stands: str


def deputy(env: Environment, where: Path, name: str, why: str) -> Deputed:
    """Seal what somebody needs to go on with a game, or with all games of a folder that are not over, and say
    so in each ledger. Refused where there is none, or this computer is not its umpire's.
    """
    who = one_line(name, LONGEST)
    games = [game for game in _games(where) if not game.ledger.over]
    if not games:
        raise refuse("deputy.no-game", file=str(where), path=str(where))
    for game in games:
        gm_key(env, game)  # refused where it is not here
    files = {game.id: env.keyring.gm_files(game.id) for game in games}
    office = secret_of(env)
    code = new_code(env.entropy(16))
    share = seal(Share(files, office), code, env.entropy(SALT + NONCE))
    text = common_words().phrase("deputy.say", name=who, why=why)
    told = [game for game in games if game.ledger.started]
    for game in told:
        speak(env, game.where, SAY, text, lambda served: {}, alone=True)
    return Deputed(
        share,
        printed(code),
        tuple(game.id for game in told),
        tuple(game.id for game in games if not game.ledger.started),
    )


def takeover(
    env: Environment, where: Path, share: str, typed: str, name: str, why: str, copy: Path | None = None
) -> TakenOver:
    """Take a game over with a share and its code: its keys and values come to this computer, whatever the
    game lacks comes from a ``copy`` (a backup, an archive, letters of a player), and everybody is told.

    Refused where the share does not open, is of other games, or this computer has other keys for the game.
    """
    opened = _opened(share, typed)
    taken = 0
    if copy is not None:
        taken = len(mend(env, where, copy=copy).deeds)
    game = open_game(where)
    files = opened.games.get(game.id)
    if files is None:
        raise refuse("deputy.other-games", game=game.id, games=", ".join(sorted(opened.games)))
    try:
        for file, data in files.items():
            env.keyring.take_gm_file(game.id, file, data)
        env.keyring.take_office_secret(opened.office)
    except SecretExists as exists:
        raise refuse("deputy.has-keys", game=game.id, path=str(exists)) from None
    gm_key(env, game)
    if game.ledger.started and not game.ledger.over:
        text = common_words().phrase("deputy.takes-over", name=one_line(name, LONGEST), why=why)
        if not any(one.record.get("why") == text for one in game.ledger.records):  # cut short, and done again
            speak(env, where, SAY, text, lambda served: {}, alone=True)
    now = open_game(where)
    return TakenOver(now.id, taken, headline(now, now.words))


def _opened(share: str, typed: str) -> Share:
    try:
        return unseal(share, read_code(typed))
    except BadCode as bad:
        raise refuse(f"recover.{bad.reason}") from None
    except BadShare as bad:
        raise refuse(f"deputy.bad-{bad.reason}") from None


def _games(where: Path) -> Iterator[Game]:
    """Yield the game of a folder, or the games of a folder of games that can be opened."""
    if (where / "ledger").is_dir() or not where.is_dir():
        yield open_game(where)
        return
    for folder in [one for one in game_folders(where) if one.parent == where]:
        try:
            yield open_game(folder)
        except Refused as refusal:
            raise Refused(refusal.problems, answer=refusal.answer, file=str(folder)) from None
