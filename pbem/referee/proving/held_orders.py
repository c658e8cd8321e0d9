"""Orders that players hold: the file that was kept of each, as it went back to its sender with the receipt.

No archive has such a file before its turn was played, so a folder that is lost between lock and result comes
back by them alone. Nothing is believed that does not prove itself: a lock names the file by its hash, or, for
the slot that is open, a receipt does that the umpire has signed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from msgspec import Struct

from pbem.proof.archive import content, gm_namespace, orders_namespace, orders_path, receipt_path, sig_path
from pbem.proof.canonical import NotCanonical, decode
from pbem.proof.history import Ledger
from pbem.proof.orderfile import BadOrderFile, OrderFile, parse
from pbem.proof.records import check_form
from pbem.proof.signing import PublicKey, is_signed
from pbem.referee.game.bench import TAKEN, Bench, said
from pbem.store import received

LONGEST = 64 * 1024
"""Bytes of a part of a letter that is looked at as an order file, a receipt or a signature."""
BEGINS = b"#pd1-orders/1"


class HeldOrders(Struct, frozen=True):
    """What came with one letter: order files, and records with what may be their signatures."""

    parts: tuple[bytes, ...]


class _Receipt(Struct, frozen=True):
    record: Mapping[str, Any]
    data: bytes
    signature: bytes


def take(bench: Bench, ledger: Ledger, letters: Iterable[HeldOrders]) -> None:
    """Lay order files from letters where those lie that came in; of the open slot in the order of their
    receipts, which come back too.

    ``ledger`` is that of the bench. Nothing is taken that is there, or for an archive in one file.
    """
    folder = bench.folder
    if folder is None:
        return
    files: dict[str, tuple[OrderFile, bytes, bytes | None]] = {}
    promised: dict[str, _Receipt] = {}
    for letter in letters:
        receipts = [one for part in letter.parts if (one := _receipt(ledger, part, letter.parts)) is not None]
        promised |= {str(one.record["sha512"]): one for one in receipts}
        for part in letter.parts:
            file = _file(ledger, part)
            if file is not None:
                files[hashlib.sha512(part).hexdigest()] = (
                    file,
                    part,
                    _signature(ledger, file, part, letter.parts),
                )
    newest = sorted(files, key=lambda one: str(promised[one].record["at"]) if one in promised else "")
    for sha512 in newest:
        file, data, signature = files[sha512]
        slot = ledger.slots.get(file.slot)
        entry = None if slot is None else slot.entries.get(file.seat)
        locked = entry is not None and entry.sha512 == sha512
        receipt = promised.get(sha512)
        if not locked and (slot is not None or receipt is None or file.head != ledger.next_id):
            continue
        mine = [one for one in received.letters(folder, file.slot) if one.seat == file.seat]
        public = content(bench, orders_path(file.seat, file.slot))
        if data in (public, *(one.data for one in mine)):
            continue
        path = received.path_of(file.slot, file.seat, max((one.number for one in mine), default=0) + 1)
        why = said("from-receipt")
        if signature is not None:
            bench.lay(TAKEN, sig_path(path), signature, why)
        bench.lay(TAKEN, path, data, why)
        if receipt is not None:
            kept = receipt_path(file.slot, file.seat, sha512)
            bench.lay(TAKEN, sig_path(kept), receipt.signature, why)
            bench.lay(TAKEN, kept, receipt.data, why)


def _file(ledger: Ledger, data: bytes) -> OrderFile | None:
    """Return an order file of some seat of the game."""
    if not data.startswith(BEGINS):
        return None
    try:
        file = parse(data)
    except BadOrderFile:
        return None
    return file if file.game == ledger.game and file.seat in ledger.seats else None


def _receipt(ledger: Ledger, data: bytes, parts: Iterable[bytes]) -> _Receipt | None:
    """Return a receipt of the game whose signature, by a key that the umpire has or had, is in the letter."""
    try:
        record = decode(data)
    except NotCanonical:
        return None
    if record.get("type") != "receipt" or check_form(record) is not None or record["game"] != ledger.game:
        return None
    signature = _signed(ledger.gm_keys, gm_namespace(ledger.game), data, parts)
    return None if signature is None else _Receipt(record, data, signature)


def _signature(ledger: Ledger, file: OrderFile, data: bytes, parts: Iterable[bytes]) -> bytes | None:
    """Return the signature of an order file of a seat with a key, where the letter has it."""
    key = ledger.seats[file.seat].key
    namespace = orders_namespace(file.game, file.slot, file.seat, file.head)
    return None if key is None else _signed([key], namespace, data, parts)


def _signed(keys: Collection[PublicKey], namespace: str, data: bytes, parts: Iterable[bytes]) -> bytes | None:
    """Return the part of a letter that is a signature over some bytes by one of some keys."""
    digest = hashlib.sha512(data).digest()
    return next((part for part in parts if is_signed(keys, namespace, digest, part)), None)
