"""Reading a ledger from its first record to its last, in the order of checks of docs/protocol.md, section 8,
steps 1 to 5.

``read_ledger`` serves the referee, who asks the ``Ledger`` before writing a record, and ``verify``, which
judges it. What is checked at the end, over the whole archive, is in ``verify``.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pbem.proof import engines
from pbem.proof.amending import apply_rekeys, read_rekey, read_time, read_undo, read_word
from pbem.proof.archive import Archive, content, gm_namespace, ledger_path
from pbem.proof.canonical import NotCanonical, decode, record_id
from pbem.proof.history import EndOfReading, Finding, Ledger, LedgerRecord, Slot
from pbem.proof.inside import is_record
from pbem.proof.locking import read_lock
from pbem.proof.opening import read_manifest, read_start
from pbem.proof.pieces import check_next, check_signature
from pbem.proof.records import LEDGER_TYPES, check_form
from pbem.proof.resulting import read_result
from pbem.proof.ruling import read_correct, read_rule

__all__ = ["Finding", "Ledger", "LedgerRecord", "Slot", "read_ledger", "read_on"]

Meets = Callable[[Mapping[str, Any]], None]
"""Is told each record before it is taken over, so that an archive can have at hand what it names."""


def _read(ledger: Ledger, path: str, n: int) -> tuple[bytes, Mapping[str, Any]]:
    """Return the bytes and the record of a file, or end the reading (E00, E01, E27)."""
    data = content(ledger.archive, path)
    if data is None:
        ledger.end("E00", path, "missing or not a plain file")
    try:
        record = decode(data)
    except NotCanonical as wrong:
        ledger.end("E01", path, f"not a canonical record: {wrong}")
    reason = check_form(record)
    if reason is None and record["type"] not in LEDGER_TYPES:
        reason = f"a record of the type {record['type']} is not one of a ledger"
    if reason is None and (n, record["type"]) not in ((1, "manifest"), (2, "start")):
        if n <= 2:
            reason = "a ledger begins with its manifest and its start"
        elif record["type"] in ("manifest", "start"):
            reason = f"a second {record['type']}"
    if reason is not None:
        ledger.end("E27", path, reason)
    return data, record


def _check_place(ledger: Ledger, path: str, n: int, record: Mapping[str, Any]) -> None:
    """Check the game (E05), number, predecessor and file name (E04), and the time (W)."""
    if record["game"] != ledger.game:
        ledger.fail("E05", path, f"a record of the game {record['game']}")
    if record["n"] != n or record.get("prev", "") != ledger.head:
        ledger.fail("E04", path, f"not record {n}, or not written after the record before it")
    elif path != ledger_path(n, record["type"], record.get("slot")):
        ledger.fail("E04", path, "the file has not the name of such a record")
    before = ledger.records[-1].record["at"] if ledger.records else ""
    if record["at"] < before:
        said = (
            f"written at {record['at']}, after a record of {before}; the clock of the GM was set in between"
        )
        ledger.warn(path, f"the time goes back: {said}")


def _meets_none(record: Mapping[str, Any]) -> None:
    pass


def _read_one(ledger: Ledger, path: str, n: int, meets: Meets) -> None:
    data, record = _read(ledger, path, n)
    meets(record)
    kind, own_id = record["type"], record_id(data)
    if kind == "manifest":
        ledger.manifest_id = own_id
        read_manifest(ledger, path, record)
    key = ledger.gm_key
    signed = check_signature(ledger, path, [key], gm_namespace(ledger.game), hashlib.sha512(data).digest())
    _check_place(ledger, path, n, record)
    before = ledger.head
    ledger.records.append(LedgerRecord(path, own_id, record, signed))
    if (engine := engines.named(record)) is not None:
        ledger.engine = engine.name, engine.version, engine.sha256
    announces = kind in ("start", "result", "undo")
    if kind == "start":
        read_start(ledger, path, record)
    elif kind == "lock":
        read_lock(ledger, path, own_id, record)
    elif kind == "result":
        announces = read_result(ledger, path, record)
    elif kind == "undo":
        announces = read_undo(ledger, path, record, before)
    elif kind == "rule":
        announces = read_rule(ledger, path, own_id, record, before)
    elif kind == "correct":
        announces = read_correct(ledger, path, own_id, record, before)
    elif kind == "rekey":
        read_rekey(ledger, path, record, before)
    elif kind == "time":
        read_time(ledger, path, record)
    elif kind == "word":
        read_word(ledger, path, record)
    if announces:
        apply_rekeys(ledger, record.get("next"))
        check_next(ledger, path, record.get("next"))
        ledger.next, ledger.next_id = record.get("next"), own_id
        ledger.ended = None


def ledger_paths(archive: Archive) -> list[str]:
    """Return the names of the records of an archive, in their order."""
    return sorted(filter(is_record, archive))


def read_ledger(archive: Archive) -> Ledger:
    """Return what the ledger of an archive says, with everything in it that does not hold; never raise for
    its content.
    """
    ledger = Ledger(archive)
    read_on(ledger, ledger_paths(archive))
    return ledger


def read_on(ledger: Ledger, paths: Sequence[str], meets: Meets = _meets_none) -> None:
    """Take over the records that a ledger has not read yet; ``paths`` are their names, in their order; none
    where no record is there at all.

    A ledger in which something did not hold is not read further.
    """
    if not paths:
        ledger.findings.append(Finding("E00", ledger_path(1, "manifest"), "missing"))
    try:
        for n, path in enumerate(paths, len(ledger.records) + 1):
            _read_one(ledger, path, n, meets)
    except EndOfReading:
        pass
