"""How the GM puts a record into the ledger: made, signed with the key of the game, its signature on disk before it."""

from __future__ import annotations

from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from pbem.proof.archive import gm_namespace, ledger_path
from pbem.proof.canonical import encode
from pbem.proof.dice_protocol import Chain
from pbem.proof.signing import BadKey, load_private, public_of, sign
from pbem.referee.desk import Desk
from pbem.referee.game import Game
from pbem.referee.refusal import UNDECIDED, refuse
from pbem.store.gamedir import GameDir


def gm_key(desk: Desk, game: Game) -> Ed25519PrivateKey:
    """Return the private key of the GM; Refused (cannot decide) where this machine has none, or another."""
    data = desk.keyring.key(game.id)
    if data is None:
        raise refuse("keys.no-gm", answer=UNDECIDED, path=str(desk.keyring.key_file(game.id)))
    try:
        private = load_private(data)
    except BadKey:
        raise refuse("keys.unreadable", answer=UNDECIDED, path=str(desk.keyring.key_file(game.id))) from None
    if game.ledger.gm_key != public_of(private):
        raise refuse("keys.other-gm", answer=UNDECIDED, path=str(desk.keyring.key_file(game.id)))
    return private


def gm_value(desk: Desk, game: Game, slot: int) -> str:
    """Return the GM's chain value of a slot; Refused (cannot decide) where this machine does not have the chain."""
    secret = desk.keyring.secret(game.id, "gm")
    if secret is None:
        raise refuse("keys.no-chain", answer=UNDECIDED, path=str(desk.keyring.chain_file(game.id, "gm")))
    return Chain(secret, game.id, "gm").value(slot)


def seal(folder: GameDir, private: Ed25519PrivateKey, record: dict[str, Any]) -> str:
    """Write a record of the ledger, its signature first, and return its path."""
    data = encode(record)
    path = ledger_path(record["n"], record["type"], record.get("slot"))
    folder.commit(path, data, sign(private, gm_namespace(record["game"]), data))
    return path
