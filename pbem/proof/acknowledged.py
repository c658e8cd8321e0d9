"""Up to which record of this history the seats' own signatures reach: what a player signed names the head
that lay before him.

An order file names the record that asked for it, a go its lock, a consent the newest record, a join the
manifest. Nobody but the holder of the key makes such a signature, so each proves that its owner had this
history that far. Where a GM tells two players two histories, neither's signatures go on in the other's.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from msgspec import Struct

from pbem.proof.archive import (
    consent_namespace,
    consent_path,
    content,
    go_namespace,
    go_path,
    join_namespace,
    join_path,
    orders_namespace,
    orders_path,
    sig_path,
)
from pbem.proof.history import Ledger, LedgerRecord
from pbem.proof.signing import BadKey, PublicKey, is_signed, parse_public


class Acknowledged(Struct, frozen=True):
    """How far a seat with a key has signed this history: the newest record that one of its signatures names,
    None if none does.

    ``n`` is its number, 0 if there is none; ``unsigned`` is how many slots since have waited for the seat, or
    asked it for a go, without a signature of its own.
    """

    seat: str
    n: int
    record: LedgerRecord | None
    unsigned: int


def acknowledged(ledger: Ledger) -> tuple[Acknowledged, ...]:
    """Return how far each outside seat with a key has signed this history, in the order of
    the seats' names.
    """
    numbers = {read.id: n for n, read in enumerate(ledger.records, 1)}
    consents = {path for path in ledger.archive if "/consent-" in path}
    found = []
    for name in ledger.outside:
        if ledger.seats[name].key_line is None:
            continue
        keys = _keys(ledger, name)
        papers = sorted(_papers(ledger, name, numbers, consents), reverse=True)
        n = next(
            (n for n, path, namespace, digest in papers if _is_signed(ledger, keys, path, namespace, digest)),
            0,
        )
        waited = (
            slot
            for slot in ledger.slots.values()
            if not slot.act and numbers.get(slot.head, 0) > n and (name in slot.waits or name in slot.asked)
        )
        found.append(Acknowledged(name, n, ledger.records[n - 1] if n else None, sum(1 for _ in waited)))
    return tuple(found)


def _keys(ledger: Ledger, seat: str) -> list[PublicKey]:
    """Return the keys that a seat has had: its signatures of before it had a new one are its own all the
    same.
    """
    lines = [entry.get("key") for entry in ledger.manifest.get("seats", ()) if entry["seat"] == seat]
    lines += [
        read.record.get("key")
        for read in ledger.records
        if read.record["type"] == "rekey" and read.record["of"] == seat
    ]
    keys = []
    for line in lines:
        try:
            keys.append(parse_public(str(line)))
        except BadKey:
            continue
    return keys


def _papers(
    ledger: Ledger, seat: str, numbers: dict[str, int], consents: set[str]
) -> Iterator[tuple[int, str, str, bytes]]:
    """Yield everything that a seat may have signed: the number of the record that it names, its path, its
    namespace, its SHA-512.
    """
    data = content(ledger.archive, join_path(seat))
    if data is not None and numbers:
        yield 1, join_path(seat), join_namespace(ledger.game, seat), hashlib.sha512(data).digest()
    for slot in ledger.slots.values():
        sha512 = slot.entries[seat].sha512
        # The other orders of a correction are signed by the consent to it.
        if sha512 is not None and slot.head in numbers and not slot.act:
            # The lock has the hash: a file that is not published yet has its signature there already.
            namespace = orders_namespace(ledger.game, slot.number, seat, slot.head)
            yield numbers[slot.head], orders_path(seat, slot.number), namespace, bytes.fromhex(sha512)
        data = content(ledger.archive, go_path(seat, slot.number)) if seat in slot.asked else None
        if data is not None and slot.lock_id in numbers:
            namespace = go_namespace(ledger.game, slot.number, seat, slot.lock_id)
            yield numbers[slot.lock_id], go_path(seat, slot.number), namespace, hashlib.sha512(data).digest()
    for id_, n in numbers.items() if consents else ():
        path = consent_path(seat, id_)
        data = content(ledger.archive, path) if path in consents else None
        if data is not None:
            yield n, path, consent_namespace(ledger.game, seat, id_), hashlib.sha512(data).digest()


def _is_signed(ledger: Ledger, keys: list[PublicKey], path: str, namespace: str, digest: bytes) -> bool:
    data = content(ledger.archive, sig_path(path))
    return data is not None and is_signed(keys, namespace, digest, data)
