"""New keys and chains (R16): for who has lost the old ones, for a substitute, or for the GM himself.

Whoever is to have the new key makes it known as a *change*: for whom, from which slot, the key, the anchor of a new chain. All other
seats with keys consent to just that change, and the old key too where it still exists; then the umpire enters it.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from pbem.proof.archive import SIGNERS, allowed_signers, consent_path
from pbem.proof.canonical import NotCanonical, decode, encode
from pbem.proof.records import FIXED, NEW_KEYS, check_form
from pbem.proof.records import consent as consent_record
from pbem.proof.records import rekey as rekey_record
from pbem.proof.signing import private_to_openssh, public_of
from pbem.proof.trees import Tree
from pbem.referee.admit import MAX_JOIN
from pbem.referee.consent import collected, seats_with_keys
from pbem.referee.desk import Desk
from pbem.referee.game import Game, again, own_folder, writing
from pbem.referee.refusal import refuse
from pbem.referee.sealing import gm_key, seal

GM = "gm"
TAG = 16
"""So many digits of the new root or key name the file of its secret."""


@dataclass(frozen=True, slots=True)
class Rekeyed:
    """A change that is in the ledger: for whom, from which slot, and who consented."""

    of: str
    since: int
    consents: tuple[str, ...]


def propose(desk: Desk, game: Game, of: str, private: Ed25519PrivateKey | None, *, chain: bool = True) -> bytes:
    """Return the change by which a seat or the GM gets a key, a chain, or both; its secrets are kept on this machine.

    Refused for a seat without a key (its words need none), and where a chain has no use.
    """
    name = GM if of == GM else game.seat_of(of)
    ledger = game.ledger
    if name != GM and (not ledger.seats[name].outside or (private is None and ledger.seats[name].key_line is None)):
        raise refuse("rekey.seat", seat=name, help="seats with a key are " + (", ".join(seats_with_keys(game)) or "none"))
    since = ledger.newest_slot + 1
    change: dict[str, Any] = {"of": name, "from": since}
    if private is not None:
        change["key"] = public_of(private).line
        if name == GM:
            desk.keyring.add_key(game.id, change["key"].split()[1][-TAG:].replace("/", "_"), private_to_openssh(private))
    if chain and (name == GM or ledger.profile != "gm"):
        secret = desk.entropy(32)
        change["root"] = Tree(secret, game.id, name).root
        desk.keyring.add_secret(game.id, name, change["root"][:TAG], secret)
    if len(change) == 2:
        raise refuse("rekey.nothing", help="name a new key with --key, or leave out --no-chain")
    return encode(change)


def read_change(data: bytes) -> dict[str, Any]:
    """Return a change as its file says it; Refused for anything else."""
    try:
        change = decode(data[: MAX_JOIN + 1])
    except NotCanonical as wrong:
        raise refuse("rekey.form", why=str(wrong)) from None
    fields = {"of", "from", *NEW_KEYS}
    sample = consent_record(game="no-game-0a1b2c", seat="nobody", head="0" * 64, change=change) if set(change) <= fields else {}
    if not sample or check_form(sample) is not None or not {"key", *FIXED.values()} & set(change):
        raise refuse("rekey.form", why="it is not a change of keys")
    return change


def rekey(desk: Desk, where: Path, data: bytes, why: str = "") -> Rekeyed:
    """Enter a change in the ledger; Refused where it is an old one, or (cannot decide) while a consent is missing."""
    change = read_change(data)
    with writing(where, desk) as game:
        ledger, of = game.ledger, change["of"]
        if of != GM and of not in ledger.outside:
            raise refuse("rekey.seat", seat=of, help="seats with a key are " + (", ".join(seats_with_keys(game)) or "none"))
        if change["from"] != ledger.newest_slot + 1:
            raise refuse("rekey.stale", slot=change["from"], open=ledger.newest_slot + 1)
        others = [name for name in seats_with_keys(game) if name != of]
        own = of if of in seats_with_keys(game) and consent_path(of, ledger.head) in game.archive else ""
        consents = collected(game, change, others, own)
        record = rekey_record(
            game=game.id,
            n=ledger.next_n,
            prev=ledger.head,
            at=desk.clock(),
            of=of,
            since=change["from"],
            consents=consents,
            why=why or "new keys",
            change={field: change[field] for field in NEW_KEYS if field in change},
        )
        folder = own_folder(game)
        seal(folder, gm_key(desk, game), record)
        folder.put(SIGNERS, allowed(again(game)).encode())
        return Rekeyed(of, change["from"], tuple(sorted(consents)))


def allowed(game: Game) -> str:
    """Return the public keys that a game has or had, in the form of ``ssh-keygen -Y verify``."""
    return allowed_signers(game.id, game.ledger.signers, game.ledger.recoverers)
