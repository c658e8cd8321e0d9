"""A lock: which files are used, and whose value is given when (docs/protocol.md, section 8, step 3)."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from pbem.proof.archive import content, orders_namespace, orders_path
from pbem.proof.history import Ledger, Slot
from pbem.proof.orderfile import BadOrderFile, OrderFile, parse
from pbem.proof.pieces import signed_head
from pbem.proof.rules import EARLY, NONE, Entry


def _may_have(ledger: Ledger, name: str, entry: Entry, slot: Slot) -> str | None:
    """Return why the lock may not say this of a seat, or None (rules R3, R7, R8, R9)."""
    if not ledger.seats[name].outside:
        if entry.x != NONE:
            return "the seat is played by the GM and gives no value"
        if entry.sha512 and name not in slot.waits:
            return "a file of a seat played by the GM that nobody waited for"
    elif entry.x != NONE and ledger.profile == "gm":
        return "in profile gm no seat gives a value"
    elif entry.x == EARLY and slot.announced["value"] != EARLY:
        return "an early value in a slot of go"
    elif entry.x == EARLY and not entry.sha512:
        return "an early value without a file"
    return None


def _header(ledger: Ledger, name: str, slot: Slot, data: bytes) -> OrderFile | str:
    """Return the header of an order file, or what is wrong with it."""
    try:
        file = parse(data)
    except BadOrderFile as wrong:
        return f"the header is not right: {wrong}"
    if (file.game, file.slot, file.seat) != (ledger.game, slot.number, name):
        return "the header is for another game, slot or seat"
    return file


def _check_file(ledger: Ledger, name: str, entry: Entry, slot: Slot) -> None:
    if entry.sha512 is None:
        return
    path = orders_path(name, slot.number)
    data = content(ledger.archive, path)
    if data is not None and hashlib.sha512(data).hexdigest() != entry.sha512:
        ledger.fail("E08", path, "not the file that the lock names")
    head = None
    seat = ledger.seats[name]
    if seat.key_line is not None:
        before_head = orders_namespace(ledger.game, slot.number, name, "")
        head = signed_head(ledger, path, seat.key, before_head, entry.sha512)
    file = None if data is None else _header(ledger, name, slot, data)
    if isinstance(file, OrderFile):
        slot.files[name] = file
        if head is not None and head != file.head:
            file = "the head in the header is not the one that was signed"
    if isinstance(file, str):
        ledger.fail("E07", path, file)
    elif file is not None:
        head = file.head
    if head is not None and head != slot.head:
        ledger.fail("E25", path, "written under another history than that of the lock")
    if isinstance(file, OrderFile) and file.has_value != (entry.x == EARLY):
        ledger.fail("E15", path, f"the lock says {entry.x} of this value")


def read_lock(ledger: Ledger, path: str, record_id: str, record: Mapping[str, Any]) -> None:
    """Take over a lock; end the reading if its slot was not announced or another is unresolved (E06)."""
    announced = ledger.next
    if announced is None or ledger.open_slot != record["slot"] or ledger.newest_slot + 1 != record["slot"]:
        ledger.end("E06", path, f"slot {record['slot']} was not announced, or another has no result yet")
    entries = {entry["seat"]: Entry(entry["x"], entry.get("sha512")) for entry in record["entries"]}
    if set(entries) != set(ledger.seats) or len(entries) != len(record["entries"]):
        ledger.fail("E08", path, "does not list every seat once")
    entries = {name: entries.get(name, Entry(NONE)) for name in ledger.seats}
    slot = Slot(
        number=record["slot"],
        announced=announced,
        head=ledger.next_id,
        lock_id=record_id,
        locked_at=record["at"],
        entries=entries,
        previous_seed=ledger.seed,
        state_before=ledger.state,
        state_before_slot=ledger.state_slot,
        kept_before=ledger.kept,
        ledger=ledger,
    )
    ledger.slots[slot.number] = slot
    for name in sorted(entries):
        reason = _may_have(ledger, name, entries[name], slot)
        if reason is not None:
            ledger.fail("E15", path, f"{name}: {reason}")
        _check_file(ledger, name, entries[name], slot)
