"""A player's answer to an invitation: his chain, his join and its signature. A player has no game folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from pbem.proof.archive import join_namespace
from pbem.proof.known import TREES, fixes
from pbem.proof.records import join as join_record
from pbem.proof.recovery import new_code, printed, recovery_key
from pbem.proof.signing import fingerprint, public_of, sign
from pbem.referee.game.environment import Environment
from pbem.referee.game.game import open_game
from pbem.referee.game.own_rules import own_rules_of
from pbem.referee.game.refusal import Refused, refuse
from pbem.referee.game.sealing import written
from pbem.store.keys import SecretExists

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey


class Joined(Struct, frozen=True):
    """The answer to an invitation, to be sent to the umpire."""

    game: str
    seat: str
    letter: bytes
    fingerprint: str
    chain_file: Path | None
    own_rules: tuple[str, ...] = ()
    """What of the game's rules and scenario is not as pbem comes with it, a line each."""
    code: str = ""
    """The recovery code as it is written down; it is told this once."""


def join(
    env: Environment,
    invitation: Path,
    private: Ed25519PrivateKey | None,
    seat: str | None = None,
    words: str = "yes, I play",
    *,
    recovery: bool = True,
) -> Joined:
    """Return the join for the seat whose key this is (or, without a key, for the named seat, with words).

    With a key it has a recovery code too, in a game that knows such codes.
    Refused where the invitation does not hold, where no seat has this key, or where this machine has a chain
    of that name.
    """
    game = open_game(invitation)
    ledger = game.ledger
    if private is None:
        if seat is None:
            raise refuse("join.which", help="--seat, one of " + ", ".join(ledger.outside))
        name = game.seat_of(seat)
        if ledger.seats[name].key is not None:
            raise refuse("join.needs-key", seat=name)
        record = join_record(game=game.id, seat=name, manifest_id=ledger.manifest_id, words=words)
        return Joined(game.id, name, written(record), "", None, own_rules_of(game))

    public = public_of(private)
    mine = [name for name, known in ledger.seats.items() if known.key == public]
    if seat is not None:
        mine = [name for name in mine if name == game.seat_of(seat)]
    if not mine:
        raise refuse("join.no-seat", fingerprint=fingerprint(public))
    name = mine[0]
    said: dict[str, str] = {"words": words}
    chain_file = None
    if ledger.profile != "gm":
        secret = env.entropy(32)
        try:
            env.keyring.keep_secret(game.id, name, secret)
        except SecretExists:
            raise Refused(
                refuse(
                    "game.name-used", game=game.id, help="ask the umpire for a game of another name"
                ).problems
            ) from None
        said = {"root": fixes(secret, game.id, name, ledger.revision)}
        chain_file = env.keyring.chain_file(game.id, name)

    code = new_code(env.entropy(16)) if recovery and ledger.revision >= TREES else ""
    if code:
        said["recovery"] = public_of(recovery_key(game.id, name, code)).line
    data = written(
        join_record(game=game.id, seat=name, manifest_id=ledger.manifest_id, revision=ledger.revision, **said)
    )
    letter = data + sign(private, join_namespace(game.id, name), data).encode()
    told = printed(code) if code else ""
    return Joined(game.id, name, letter, fingerprint(public), chain_file, own_rules_of(game), told)
