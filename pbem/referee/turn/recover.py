"""New keys with a recovery code, for a player whose computer is lost: the code makes the key that signs his
consent, and stays with him.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from pbem.proof.archive import consent_namespace
from pbem.proof.canonical import encode
from pbem.proof.records import consent as consent_record
from pbem.proof.recovery import BadCode, read_code, recovery_key
from pbem.proof.signing import public_of, sign
from pbem.referee.game.environment import Environment
from pbem.referee.game.game import Game
from pbem.referee.game.refusal import refuse
from pbem.referee.turn.consent import seats_with_keys
from pbem.referee.turn.rekey import new_values
from pbem.store.library import common_words

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey


class Recovered(Struct, frozen=True):
    """New keys that are asked for with a recovery code: of which seat, the letter for the umpire, and who has
    to consent beside.
    """

    seat: str
    letter: bytes
    others: tuple[str, ...]

    def said(self, file: str) -> tuple[str, ...]:
        """Return what is to be done with the letter, which lies in a file, in sentences."""
        words = common_words()
        told = [words.phrase("recover.send", file=file, seat=self.seat)]
        if self.others:
            told.append(words.phrase("recover.others", seats=list(self.others), file=file))
        return (*told, words.phrase("recover.then"))


def recover(env: Environment, game: Game, private: Ed25519PrivateKey, typed: str) -> Recovered:
    """Return the change and the consent by which the seat whose recovery code was typed gets this key, and
    new values of this machine.

    Refused for a code that is mistyped, or of no seat of this game.
    """
    try:
        code = read_code(typed)
    except BadCode as bad:
        raise refuse(f"recover.{bad.reason}") from None
    ledger = game.ledger
    makes = {name: recovery_key(game.id, name, code) for name in seats_with_keys(game)}
    seat = next((name for name, made in makes.items() if ledger.recovery.get(name) == public_of(made)), None)
    if seat is None:
        raise refuse("recover.other", game=game.id)
    change: dict[str, Any] = {"of": seat, "from": ledger.newest_slot + 1}
    if ledger.seats[seat].key != public_of(private):
        change["key"] = public_of(private).line
    if ledger.profile != "gm":
        change["root"] = new_values(env, game, seat)
    if len(change) == 2:
        raise refuse("rekey.nothing")
    data = encode(consent_record(game=game.id, seat=seat, head=ledger.head, change=change))
    signature = sign(makes[seat], consent_namespace(game.id, seat, ledger.head), data)
    others = tuple(name for name in makes if name != seat)
    return Recovered(seat, data + signature.encode(), others)
