"""Files that came in and are not published yet: orders by slot and seat, in the order in which they came, and
words for a go.

They lie under ``mail/``, which is never packed. Which of them counts (R5) is decided in ``referee``.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping

from msgspec import Struct

from pbem.core.regex import regex
from pbem.proof.archive import sig_path
from pbem.store.gamedir import GameDir
from pbem.text.codec import from_json

_NAME = regex(r"mail/s(\d{4,5})-([a-z][a-z0-9]{0,15})-(\d{2,})\.txt")


class Provenance(Struct, frozen=True):
    """How something came in: the id of the mail that brought it, what was relied on for whose it is, and when
    it arrived (as records write a time); empty where by hand.
    """

    mail: str = ""
    relied: str = ""
    at: str = ""


BY_HAND = Provenance()


class Letter(Struct, frozen=True):
    """An order file that came in: whose, for which slot, the how manyth, its bytes, its signature, and how it
    came.
    """

    seat: str
    slot: int
    number: int
    data: bytes
    signature: bytes | None
    came: Provenance = BY_HAND

    @property
    def path(self) -> str:
        """Return its name in the game."""
        return path_of(self.slot, self.seat, self.number)

    @property
    def sha512(self) -> str:
        """Return the hash by which a lock names it."""
        return hashlib.sha512(self.data).hexdigest()


def path_of(slot: int, seat: str, number: int) -> str:
    """Return the name of the how manyth order file of a seat for a slot."""
    return f"mail/s{slot:04d}-{seat}-{number:02d}.txt"


def letters(game: GameDir, slot: int) -> list[Letter]:
    """Return the order files that came in for a slot, by seat and in the order they came."""
    found: list[Letter] = []
    for path in game.names("mail", f"s{slot:04d}-"):
        match = _NAME.fullmatch(path)
        if match is None or int(match[1]) != slot:
            continue
        data = game.read(path)
        if data is not None:
            found.append(
                Letter(match[2], slot, int(match[3]), data, game.read(sig_path(path)), came_of(game, path))
            )
    return sorted(found, key=lambda letter: (letter.seat, letter.number))


def came_of(game: GameDir, path: str) -> Provenance:
    """Return how a file under ``mail/`` came in."""
    try:
        said = from_json(game.read(f"{path}.came") or b"{}")
        return Provenance(*(str(said.get(key, "")) for key in ("mail", "relied", "at")))
    except (ValueError, AttributeError):
        return BY_HAND


def note_came(game: GameDir, path: str, came: Provenance) -> None:
    """Note how a file under ``mail/`` comes in, before it is written; nothing is noted of what was brought by
    hand.
    """
    if came != BY_HAND:
        said: Mapping[str, str] = {"mail": came.mail, "relied": came.relied}
        said = {**said, "at": came.at} if came.at else said
        game.put(f"{path}.came", json.dumps(said, sort_keys=True, ensure_ascii=False).encode() + b"\n")


def store(
    game: GameDir,
    before: Iterable[Letter],
    slot: int,
    seat: str,
    data: bytes,
    signature: bytes | None,
    came: Provenance = BY_HAND,
) -> Letter:
    """Keep an order file; one with the very same bytes and signature that is there already, among those
    ``before``, is not kept twice.
    """
    number = 1
    for letter in before:
        if letter.seat != seat:
            continue
        if (letter.data, letter.signature) == (data, signature):
            return letter
        number = letter.number + 1
    path = path_of(slot, seat, number)
    if signature is not None:
        game.put(sig_path(path), signature)
    note_came(game, path, came)
    game.create(path, data)
    return Letter(seat, slot, number, data, signature, came)


def join_file(seat: str) -> str:
    """Return the name by which is noted how the join of a seat came."""
    return f"mail/join-{seat}.txt"


def words_path(slot: int, seat: str) -> str:
    """Return where the words of a seat without a key lie that go after a lock."""
    return f"mail/s{slot:04d}-{seat}-go.txt"
