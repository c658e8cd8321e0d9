"""Single files as the reading of a ledger meets them: a record of a given form, a signature beside a file, an
announcement.

Each function notes what does not hold in the ledger, with its code; in which order they are called is decided
by the callers.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from pbem.proof.archive import content, gm_namespace, sig_path
from pbem.proof.canonical import NotCanonical, decode
from pbem.proof.history import Ledger
from pbem.proof.records import check_form
from pbem.proof.rules import value_kind
from pbem.proof.signing import BadSignature, PublicKey, armored_in, namespace_of, verify

_REASONS = {
    "armor": "it is not an armored SSH signature",
    "form": "it is not an SSHSIG signature of an ed25519 key over SHA-512",
    "key": "it was made with another key",
    "namespace": "it was made for another use (namespace)",
    "bytes": "it does not fit the bytes of the file",
    "missing": "there is none",
}


def read_record(ledger: Ledger, path: str, kind: str, data: bytes) -> Mapping[str, Any] | None:
    """Return a record of one type, or None after noting E01 or E27."""
    try:
        record = decode(data)
    except NotCanonical as wrong:
        ledger.fail("E01", path, f"not a canonical record: {wrong}")
        return None
    reason = check_form(record)
    if reason is None and record["type"] != kind:
        reason = f"a record of the type {record['type']} where a {kind} should be"
    if reason is not None:
        ledger.fail("E27", path, reason)
        return None
    return record


def readable(data: bytes, kind: str) -> Mapping[str, Any] | None:
    """Return a record of one type, or None, noting nothing."""
    try:
        record = decode(data)
    except NotCanonical:
        return None
    return record if check_form(record) is None and record["type"] == kind else None


def holds(ledger: Ledger, key: PublicKey, data: bytes, seal: bytes) -> bool:
    """Tell whether a signature is one of a key of the GM over a record or a receipt of this game."""
    try:
        verify(key, gm_namespace(ledger.game), hashlib.sha512(data).digest(), armored_in(seal))
    except BadSignature:
        return False
    return True


def _armored(ledger: Ledger, path: str) -> str:
    data = content(ledger.archive, sig_path(path))
    if data is None:
        raise BadSignature("missing")
    return armored_in(data)


def _bad_signature(ledger: Ledger, path: str, wrong: BadSignature) -> None:
    ledger.fail("E02", path, f"the signature does not hold: {_REASONS[wrong.reason]}")


def check_signature(
    ledger: Ledger, path: str, keys: Sequence[PublicKey | None], namespace: str, digest: bytes
) -> bool:
    """Tell whether the signature beside a file, by one of the keys, holds for its SHA-512; note E02 if not or
    if absent.
    """
    reason = BadSignature("key")
    for key in keys:
        try:
            if key is None:
                raise BadSignature("key")
            verify(key, namespace, digest, _armored(ledger, path))
        except BadSignature as wrong:
            reason = wrong
        else:
            ledger.signatures += 1
            return True
    _bad_signature(ledger, path, reason)
    return False


def signed_head(
    ledger: Ledger, path: str, key: PublicKey | None, before_head: str, sha512: str
) -> str | None:
    """Return the head that a seat signed its orders under, or None after noting E02.

    ``before_head`` is the namespace up to the head: orders under another history carry a good signature for
    another head, which is E25 and not E02.
    """
    try:
        if key is None:
            raise BadSignature("key")
        armored = _armored(ledger, path)
        namespace = namespace_of(armored)
        if not namespace.startswith(before_head) or len(namespace) != len(before_head) + 64:
            raise BadSignature("namespace")
        verify(key, namespace, bytes.fromhex(sha512), armored)
    except BadSignature as wrong:
        _bad_signature(ledger, path, wrong)
        return None
    ledger.signatures += 1
    return namespace[len(before_head) :]


def check_state(ledger: Ledger, path: str, state_file: str, state: str) -> None:
    """Note E08 where a state file is there and is not the one that the record names."""
    data = content(ledger.archive, state_file)
    if data is not None and hashlib.sha256(data).hexdigest() != state:
        ledger.fail("E08", state_file, f"not the state that {path} names")


def check_next(ledger: Ledger, path: str, following: Mapping[str, Any] | None) -> None:
    """Check what a record announces: slot number (E06), seats (E27), when values are given (E15)."""
    if following is None:
        return
    if following["slot"] != ledger.newest_slot + 1:
        ledger.fail("E06", path, f"announces slot {following['slot']}, not {ledger.newest_slot + 1}")
    waits = following["waits"]
    if len(set(waits)) != len(waits) or not all(name in ledger.seats for name in waits):
        ledger.fail("E27", path, "waits for a seat twice, or for one that is not in the manifest")
    elif following["value"] != value_kind(waits, ledger.seats):
        ledger.fail("E15", path, f"says that values are given {following['value']}; rule R3 says otherwise")
