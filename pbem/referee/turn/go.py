"""The other side's one line after a lock: its value, for this lock and no other (R8, R11)."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from pbem.core.problem import Problem
from pbem.proof.archive import content, go_namespace, go_path
from pbem.proof.canonical import NotCanonical, decode, encode
from pbem.proof.dice_protocol import normal_words
from pbem.proof.history import Slot
from pbem.proof.records import go as go_record
from pbem.proof.records import value_in
from pbem.proof.signing import BadSignature, fingerprint, public_of, sign, verify
from pbem.referee.game.environment import Environment
from pbem.referee.game.game import Game, own_folder, writing
from pbem.referee.game.intake import given_problem, signature_problem, words_problem
from pbem.referee.game.refusal import Refused, refuse
from pbem.referee.game.sealing import value_of
from pbem.referee.turn.admit import MAX_JOIN, record_in, split_letter
from pbem.referee.turn.giving import PLAIN, Giving, Wish, give
from pbem.store.aside import is_there, set_aside
from pbem.store.received import BY_HAND, Provenance, note_came, words_path

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey


class GoTaken(Struct, frozen=True):
    """A go: whose, for which slot; ``letter`` is what has to be sent to the umpire, if anything has to,
    ``giving`` the value in it.
    """

    seat: str
    slot: int
    letter: bytes
    still_missing: tuple[str, ...]
    giving: Giving | None = None


def locked_slot(game: Game) -> Slot:
    """Return the slot that waits for a go; Refused where none does."""
    slot = game.ledger.locked
    if slot is None:
        raise refuse("go.no-lock", slot=game.ledger.open_slot or 0)
    return slot


def missing_goes(game: Game) -> tuple[str, ...]:
    """Return the seats whose go is asked for and has not come."""
    slot = game.ledger.locked
    if slot is None:
        return ()
    return tuple(name for name in slot.asked if not _has_gone(game, slot, name))


def _has_gone(game: Game, slot: Slot, name: str) -> bool:
    if game.ledger.seats[name].key is not None:
        return _goes_for(content(game.archive, go_path(name, slot.number)), slot)
    return game.folder is not None and game.folder.read(words_path(slot.number, name)) is not None


def _goes_for(data: bytes | None, slot: Slot) -> bool:
    """Tell whether a file is a go for this very lock; one for another is a leftover of another copy of the
    game.
    """
    try:
        return data is not None and decode(data).get("lock") == slot.lock_id
    except NotCanonical:
        return False


def _asked_seat(game: Game, slot: Slot, named: str | None, private: Ed25519PrivateKey | None) -> str:
    asked = list(slot.asked)
    if named is not None:
        asked = [name for name in asked if name == game.seat_of(named)]
    elif private is not None:
        public = public_of(private)
        asked = [name for name in asked if game.ledger.seats[name].key == public]
    else:
        asked = list(missing_goes(game)) or asked
    if not asked:
        seats = ", ".join(slot.asked) or "nobody"
        raise refuse("go.not-asked", slot=slot.number, help=f"this lock asks {seats}")
    if len(asked) > 1:
        raise refuse("go.which", help="--seat, one of " + ", ".join(asked))
    return asked[0]


def make_go(
    env: Environment,
    game: Game,
    private: Ed25519PrivateKey,
    seat: str | None = None,
    luck: str | None = None,
    wish: Wish = PLAIN,
) -> GoTaken:
    """Return the signed go of the seat whose key this is: its value, or words where it has fixed none."""
    slot = locked_slot(game)
    name = _asked_seat(game, slot, seat, private)
    if game.ledger.seats[name].key != public_of(private):
        raise refuse("proof.signature", fingerprint=fingerprint(public_of(private)), seat=name)
    value = giving = words = None
    if name in game.ledger.known:
        value = value_of(env, game, name, slot.number)
        giving = give(env, game, name, slot.number, slot.lock_id, wish)
    else:
        words = _words(game, name, luck)
    record = go_record(
        game=game.id, seat=name, slot=slot.number, lock_id=slot.lock_id, value=value, luck=words
    )
    data = encode(record)
    letter = data + sign(private, go_namespace(game.id, slot.number, name, slot.lock_id), data).encode()
    return GoTaken(name, slot.number, letter, missing_goes(game), giving)


def _words(game: Game, seat: str, typed: str | None) -> str:
    if typed is None:
        raise refuse("go.words", seat=seat, help='--luck "any words, at least 8 letters"')
    wrong = words_problem(game, seat, typed)
    if wrong is not None:
        raise Refused([wrong])
    return normal_words(typed)


def take_words(where: Path, luck: str, seat: str | None = None, came: Provenance = BY_HAND) -> GoTaken:
    """Take in the words of a seat without a key, as the umpire read them in any mail; ``came`` says how that
    came.
    """
    with writing(where) as game:
        slot = locked_slot(game)
        name = _asked_seat(game, slot, seat, None)
        if game.ledger.seats[name].key is not None:
            raise refuse("proof.unsigned", seat=name, help=f"pbem go GAME --seat {name} --key KEY")
        folder, path = own_folder(game), words_path(slot.number, name)
        words = _words(game, name, luck).encode()
        known = folder.read(path)
        if known is None:
            note_came(folder, path, came)
            folder.create(path, words)
        elif known != words:
            raise refuse("go.other-words", slot=slot.number)
        return GoTaken(name, slot.number, b"", missing_goes(game))


def take_go(where: Path, letter: bytes) -> GoTaken:
    """Take in a signed go; Refused, and nothing stored, where it is for another lock or its value is not
    believed.
    """
    data, signature = split_letter(letter[: MAX_JOIN + 1])
    with writing(where) as game:
        slot = locked_slot(game)
        record = record_in(data, "go")
        name = record["seat"]
        problems = _go_problems(game, slot, record, data, signature)
        if problems:
            raise Refused(problems)
        folder, path = own_folder(game), go_path(name, slot.number)
        if not _goes_for(folder.read(path), slot):
            if is_there(folder, path):
                set_aside(folder, path)
            folder.commit(path, data, signature)
        return GoTaken(name, slot.number, b"", missing_goes(game))


def _go_problems(
    game: Game, slot: Slot, record: dict[str, Any], data: bytes, signature: str
) -> list[Problem]:
    name = record["seat"]
    if record["game"] != game.id or record["slot"] != slot.number or record["lock"] != slot.lock_id:
        return [Problem("go.other-lock", {"slot": record["slot"], "open": slot.number})]
    if name not in slot.asked:
        return [
            Problem(
                "go.not-asked",
                {"slot": slot.number},
                help="this lock asks " + (", ".join(slot.asked) or "nobody"),
            )
        ]
    key = game.ledger.seats[name].key
    if key is None:
        return [Problem("go.no-key", {"seat": name}, help='pbem go GAME --luck "his words"')]
    try:
        verify(
            key,
            go_namespace(game.id, slot.number, name, slot.lock_id),
            hashlib.sha512(data).digest(),
            signature,
        )
    except BadSignature as bad:
        return [signature_problem(bad, signature, name)]
    wrong = given_problem(game, name, slot.number, value_in(record), record.get("luck"))
    return [] if wrong is None else [wrong]
