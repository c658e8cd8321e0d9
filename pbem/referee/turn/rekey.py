"""New keys and values (R16): for who has lost the old ones, for a substitute, or for the GM himself.

Whoever is to have the new ones makes them known as a *change*: for whom, from which slot, the key, what fixes
the values, the key of a recovery code. All other seats with keys consent to just that change. The seat itself
does with its old key or its recovery code; where nobody else has a key, nothing is changed without that. Then
the umpire enters it, and everybody is told whose word it was.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from pbem.proof.amending import OLD_KEY
from pbem.proof.archive import SIGNERS, allowed_signers, consent_path, gm_namespace, ledger_path, sig_path
from pbem.proof.canonical import NotCanonical, decode, encode
from pbem.proof.history import Rekey
from pbem.proof.ledger import read_ledger
from pbem.proof.records import FIXED, NEW_KEYS, Record, check_form
from pbem.proof.records import consent as consent_record
from pbem.proof.records import rekey as rekey_record
from pbem.proof.recovery import new_code, printed, recovery_key
from pbem.proof.signing import private_to_openssh, public_of, sign
from pbem.proof.trees import Tree
from pbem.referee.game.environment import Environment
from pbem.referee.game.game import Game, again, own_folder, writing
from pbem.referee.game.opening import Overlay
from pbem.referee.game.refusal import UNDECIDED, refuse
from pbem.referee.game.sealing import gm_key, seal
from pbem.referee.turn.admit import MAX_JOIN, split_letter
from pbem.referee.turn.consent import collected, seats_with_keys, take
from pbem.store.library import common_words

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

GM = "gm"
TAG = 16
"""So many digits of the new root or key name the file of its secret."""


class Proposed(Struct, frozen=True):
    """A change as it goes to the others, and the recovery code that comes with it, as it is written down
    (empty: none).
    """

    change: bytes
    code: str = ""


class Rekeyed(Struct, frozen=True):
    """A change that is in the ledger."""

    of: str
    since: int
    consents: tuple[str, ...]
    taken: Rekey
    then: str = ""
    """What is to be done where the open slot waits for somebody who has only the new keys."""


def propose(
    env: Environment,
    game: Game,
    of: str,
    private: Ed25519PrivateKey | None,
    *,
    values: bool = True,
    recovery: bool = True,
) -> Proposed:
    """Return the change by which a seat or the GM gets a key, values, or both; its secrets are kept on this
    machine.

    Refused for a seat without a key (its words need none), and where values have no use.
    """
    name = GM if of == GM else game.seat_of(of)
    ledger = game.ledger
    if name != GM and (
        not ledger.seats[name].outside or (private is None and ledger.seats[name].key_line is None)
    ):
        raise refuse(
            "rekey.seat",
            seat=name,
            help="seats with a key are " + (", ".join(seats_with_keys(game)) or "none"),
        )
    change: dict[str, Any] = {"of": name, "from": ledger.newest_slot + 1}
    if private is not None:
        change["key"] = public_of(private).line
        if name == GM:
            env.keyring.add_key(
                game.id, change["key"].split()[1][-TAG:].replace("/", "_"), private_to_openssh(private)
            )
    if values and (name == GM or ledger.profile != "gm"):
        change["root"] = new_values(env, game, name)
    if len(change) == 2:
        raise refuse("rekey.nothing", help="name a new key with --key, or leave out --no-values")
    code = new_code(env.entropy(16)) if recovery and name != GM else ""
    if code:
        change["recovery"] = public_of(recovery_key(game.id, name, code)).line
    return Proposed(encode(change), printed(code) if code else "")


def new_values(env: Environment, game: Game, who: str) -> str:
    """Return the root of new values of a seat or the GM; the secret that they come from is kept on this
    machine.
    """
    secret = env.entropy(32)
    root = Tree(secret, game.id, who).root
    env.keyring.add_secret(game.id, who, root[:TAG], secret)
    return root


def read_change(data: bytes) -> dict[str, Any]:
    """Return a change as its file says it, or the consent of the seat itself to it; Refused for anything
    else.
    """
    try:
        change = decode(split_letter(data[: MAX_JOIN + 1])[0])
    except NotCanonical as wrong:
        raise refuse("rekey.form", why=str(wrong)) from None
    fields = {"of", "from", *NEW_KEYS}
    if change.get("type") == "consent" and change.get("of") == change.get("seat"):
        change = {field: said for field, said in change.items() if field in fields}
    sample = (
        consent_record(game="no-game-0a1b2c", seat="nobody", head="0" * 64, change=change)
        if set(change) <= fields
        else {}
    )
    if not sample or check_form(sample) is not None or not {"key", *FIXED.values()} & set(change):
        raise refuse("rekey.form", why="it is not a change of keys")
    return change


def rekey(env: Environment, where: Path, data: bytes, why: str = "") -> Rekeyed:
    """Enter a change in the ledger; ``data`` is its file, or the consent of the seat itself, which is taken
    in with it.

    Refused where it is an old one, or what is new in it cannot be; (cannot decide) while a consent is
    missing.
    """
    change = read_change(data)
    if split_letter(data)[1]:
        take(where, data)
    with writing(where, env, anew=True) as game:
        ledger, of = game.ledger, change["of"]
        if of != GM and of not in ledger.outside:
            raise refuse(
                "rekey.seat",
                seat=of,
                help="seats with a key are " + (", ".join(seats_with_keys(game)) or "none"),
            )
        if change["from"] != ledger.newest_slot + 1:
            raise refuse("rekey.stale", slot=change["from"], open=ledger.newest_slot + 1)
        others = [name for name in seats_with_keys(game) if name != of]
        own = of if of in seats_with_keys(game) and consent_path(of, ledger.head) in game.archive else ""
        consents = collected(game, change, others, own)
        if of != GM and not consents:
            keyed = of in seats_with_keys(game)
            help_ = common_words().phrase("rekey.ways", seat=of) if keyed else ""
            raise refuse("rekey.alone" if keyed else "rekey.nobody", answer=UNDECIDED, seat=of, help=help_)
        record = rekey_record(
            game=game.id,
            n=ledger.next_n,
            prev=ledger.head,
            at=env.clock(),
            of=of,
            since=change["from"],
            consents=consents,
            why=why or "new keys",
            change={field: change[field] for field in NEW_KEYS if field in change},
        )
        private, folder = gm_key(env, game), own_folder(game)
        _would_hold(game, private, record)
        seal(folder, private, record)
        after = again(game)
        folder.put(SIGNERS, allowed(after).encode())
        taken = after.ledger.rekeys[-1]
        return Rekeyed(of, change["from"], tuple(sorted(consents)), taken, _then(after, taken))


def _then(game: Game, taken: Rekey) -> str:
    """Return how a game goes on whose open slot waits for a seat that cannot answer with its old key any
    more.
    """
    ledger, slot = game.ledger, game.ledger.locked
    if taken.of == GM or taken.own == OLD_KEY or ledger.next is None:
        return ""
    if slot is not None:
        return (
            common_words().phrase("rekey.then-locked", slot=slot.number, seat=taken.of)
            if taken.of in slot.asked
            else ""
        )
    waited = taken.of in ledger.next["waits"]
    return (
        common_words().phrase("rekey.then-open", slot=int(ledger.next["slot"]), seat=taken.of)
        if waited
        else ""
    )


def _would_hold(game: Game, private: Ed25519PrivateKey, record: Record) -> None:
    """Refuse a change with which the ledger would not hold: its key is in use, or is none."""
    data = encode(record)
    path = ledger_path(record["n"], record["type"])
    signature = sign(private, gm_namespace(game.id), data).encode()
    found = read_ledger(Overlay(game.archive, {path: data, sig_path(path): signature})).findings
    if found:
        raise refuse("rekey.wrong", why="; ".join(one.message for one in found))


def allowed(game: Game) -> str:
    """Return the public keys that a game has or had, in the form of ``ssh-keygen -Y verify``."""
    return allowed_signers(game.id, game.ledger.signers, game.ledger.recoverers)
