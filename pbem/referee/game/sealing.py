"""How the GM puts a record into the ledger: made, signed with the key of the game, its signature on disk
before it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pbem.proof.archive import content, gm_namespace, ledger_path, orders_path, sig_path
from pbem.proof.canonical import NotCanonical, encode, too_new_in
from pbem.proof.dice_protocol import Chain
from pbem.proof.engines import engine_of, newest
from pbem.proof.known import TreeKnown, Value
from pbem.proof.signing import BadKey, load_private, public_of, sign
from pbem.proof.trees import Tree
from pbem.referee.game.environment import Environment
from pbem.referee.game.game import Game
from pbem.referee.game.refusal import UNDECIDED, refuse
from pbem.store.gamedir import GameDir

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey


def gm_key(env: Environment, game: Game) -> Ed25519PrivateKey:
    """Return the private key of the GM; Refused (cannot decide) where this machine has none, or another."""
    kept = env.keyring.keys(game.id)
    path = str(env.keyring.key_file(game.id))
    if not kept:
        raise refuse("keys.no-gm", answer=UNDECIDED, path=path)
    try:
        found = [load_private(data) for data in kept]
    except BadKey:
        raise refuse("keys.unreadable", answer=UNDECIDED, path=path) from None
    for private in found:
        if game.ledger.gm_key == public_of(private):
            return private
    raise refuse("keys.other-gm", answer=UNDECIDED, path=path)


def value_of(env: Environment, game: Game, who: str, slot: int) -> Value:
    """Return the value of a seat or the GM for a slot; Refused (cannot decide) where this machine has not the
    secret it comes from.
    """
    known = game.ledger.known.get(who)
    for secret in () if known is None else env.keyring.secrets(game.id, who):
        if isinstance(known, TreeKnown):
            tree = Tree(secret, game.id, who)
            if tree.root == known.root:
                return Value(tree.value(slot), tree.path(slot, known.last))
        elif known is not None:
            chain = Chain(secret, game.id, who)
            if chain.reaches(known.position, known.x):
                return Value(chain.value(slot))
    raise refuse("keys.no-chain", answer=UNDECIDED, path=str(env.keyring.chain_file(game.id, who)))


def publish(folder: GameDir, game: Game, seat: str, slot: int) -> None:
    """Put an order file, its signature first, where everybody sees it (R7)."""
    path = orders_path(seat, slot)
    signature = content(game.archive, sig_path(path))
    if signature is not None:
        folder.put(sig_path(path), signature)
    folder.put(path, game.archive[path])


def written(record: dict[str, Any]) -> bytes:
    """Return the bytes of a record that is new; Refused where a text in it cannot be written for ever."""
    try:
        data = encode(record)
    except NotCanonical as wrong:
        raise refuse("record.text", why=str(wrong)) from None
    if letter := too_new_in(record):
        raise refuse("record.too-new", letter=letter, point=f"U+{ord(letter):04X}")
    return data


def with_engine(env: Environment, game: Game, following: Mapping[str, Any]) -> dict[str, Any]:
    """Return ``next`` with the engine in it where it is another than the one that was named last."""
    if engine_of(env.engine()) == newest(game.ledger):
        return dict(following)
    return {**following, "engine": dict(env.engine())}


def seal(folder: GameDir, private: Ed25519PrivateKey, record: dict[str, Any]) -> str:
    """Write a record of the ledger, its signature first, and return its path."""
    data = written(record)
    path = ledger_path(record["n"], record["type"], record.get("slot"))
    folder.commit(path, data, sign(private, gm_namespace(record["game"]), data))
    return path
