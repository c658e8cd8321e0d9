"""Rulings and corrections in a ledger (R21, R22, R23; docs/protocol.md, section 8, step 5): the state changed
by hand, and a slot played again with the dice that it had.

Each takes a slot number of its own, so that no value that was sent for the open slot is worth anything after
it: whoever rules or corrects could know what dice those values make.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from pbem.proof.amending import check_consents, with_keys
from pbem.proof.archive import content, orders_path, state_path
from pbem.proof.canonical import NotCanonical, decode, encode
from pbem.proof.history import Ledger, Slot
from pbem.proof.orderfile import BadOrderFile, parse
from pbem.proof.patching import BadPatch, patched
from pbem.proof.pieces import check_state
from pbem.proof.resulting import check_rolls, take_kept
from pbem.proof.ruled import RULE, act_of
from pbem.proof.rules import NONE, Entry, is_fresh


def first_of(ledger: Ledger, slot: Slot) -> Slot:
    """Return the slot whose dice a slot has: itself, or the one that was first played and then corrected."""
    return ledger.slots[slot.first] if slot.first else slot


def may_roll(ledger: Ledger, slot: Slot) -> bool:
    """Tell whether dice may fall in a slot (R9, R17): in a correction as in what it corrects."""
    first = first_of(ledger, slot)
    if ledger.has_beacon:
        return first is slot or "beacon" in (first.result or {})
    return ledger.profile == "gm" or is_fresh(ledger.seats, first.entries)


def _slot(ledger: Ledger, path: str, record_id: str, record: Mapping[str, Any], **more: Any) -> Slot:
    """Return the slot that a record is."""
    given: dict[str, Any] = {
        "announced": ledger.next,
        "head": ledger.next_id,
        "previous_seed": ledger.seed,
        "state_before": ledger.state,
        "state_before_slot": ledger.state_slot,
        "kept_before": ledger.kept,
        "entries": {name: Entry(NONE) for name in ledger.seats},
    }
    return Slot(
        number=record["slot"],
        lock_id=record_id,
        locked_at=record["at"],
        ledger=ledger,
        result=record,
        result_path=path,
        act=record["type"],
        **{**given, **more},
    )


def _check_consents(ledger: Ledger, path: str, record: Mapping[str, Any], before: str) -> None:
    check_consents(ledger, path, {**record, "act": act_of(record)}, before, with_keys(ledger))
    for name in ledger.outside:
        if ledger.seats[name].key_line is None:
            ledger.warn(path, f"on the GM's word: {name} has no key")


def _patched(ledger: Ledger, path: str, slot: Slot, record: Mapping[str, Any]) -> str:
    """Return the SHA-256 of the state before a slot with its patch; empty, and a code noted, where there is
    none.
    """
    where = state_path(slot.state_before_slot)
    data = content(ledger.archive, where)
    if data is None:
        ledger.fail("E00", where, f"missing, and {path} changes it")
        return ""
    if hashlib.sha256(data).hexdigest() != slot.state_before:
        ledger.fail("E08", where, f"not the state that {path} changes")
        return ""
    try:
        return hashlib.sha256(encode(patched(decode(data), record["patch"]))).hexdigest()
    except (NotCanonical, BadPatch) as wrong:
        ledger.fail("E28", path, f"the patch does not fit the state before it: {wrong}")
        return ""


def read_rule(ledger: Ledger, path: str, record_id: str, record: Mapping[str, Any], before: str) -> bool:
    """Take over a ruling (E06 ends the reading, E20, E00, E08, E28)."""
    following = ledger.next
    if following is None or ledger.open_slot != record["slot"] or ledger.newest_slot + 1 != record["slot"]:
        ledger.end("E06", path, f"a ruling in slot {record['slot']}, which is not open")
    if following.get("questions"):
        ledger.end("E06", path, "a ruling while a question is open")
    _check_consents(ledger, path, record, before)
    slot = _slot(ledger, path, record_id, record, log_holds=True)
    ledger.slots[slot.number] = slot
    made = _patched(ledger, path, slot, record)
    if made and made != record["state"]:
        ledger.fail("E28", path, f"its patch leads to another state ({made})")
    where = state_path(slot.number)
    if content(ledger.archive, where) is None:
        ledger.fail("E00", where, f"missing, and {path} leads to it")
    check_state(ledger, path, where, record["state"])
    take_kept(ledger, path, record)
    if set(ledger.kept) != (set(slot.kept_before) if "next" in record else set()):
        ledger.fail("E28", path, "not the files that were in force before")
    if record.get("next", following)["phase"] != following["phase"]:
        ledger.fail("E28", path, "opens another phase than the one that was open")
    ledger.state, ledger.state_slot = record["state"], slot.number
    return True


def _check_file(ledger: Ledger, name: str, slot: Slot, before: str) -> None:
    """Check the other orders of a seat: the file that was consented to, and for this correction."""
    path = orders_path(name, slot.number)
    data = content(ledger.archive, path)
    if data is None:
        ledger.fail("E00", path, "missing, and the correction is played with it")
        return
    if hashlib.sha512(data).hexdigest() != slot.entries[name].sha512:
        ledger.fail("E08", path, "not the file that the correction names")
        return
    try:
        file = parse(data)
    except BadOrderFile as wrong:
        ledger.fail("E07", path, f"the header is not right: {wrong}")
        return
    if (file.game, file.slot, file.seat) != (ledger.game, slot.number, name):
        ledger.fail("E07", path, "the header is for another game, slot or seat")
        return
    slot.files[name] = file
    if file.head != before:
        ledger.fail("E25", path, "written under another history than that of the correction")
    if file.has_value:
        ledger.fail("E15", path, "a file of a correction has no value")


def _corrected(ledger: Ledger, path: str, record: Mapping[str, Any]) -> Slot:
    """Return the slot that a correction plays again (E06 ends the reading)."""
    slot = ledger.slots.get(record["corrects"])
    played = slot is not None and not slot.undone and slot.result is not None and slot.act != RULE
    if slot is None or not played or record["slot"] != ledger.newest_slot + 1:
        ledger.end(
            "E06", path, f"corrects slot {record['corrects']}, which cannot be, or not as the next slot"
        )
    if any(not one.undone for number in range(slot.number + 1, ledger.newest_slot + 1)
           if (one := ledger.slots[number])):  # fmt: skip
        ledger.end("E06", path, f"corrects slot {slot.number}, and later ones stand on it")
    return slot


def read_correct(ledger: Ledger, path: str, record_id: str, record: Mapping[str, Any], before: str) -> bool:
    """Take over a correction (E06 ends the reading; then in the order of docs/protocol.md, section 8)."""
    old = _corrected(ledger, path, record)
    _check_consents(ledger, path, record, before)
    orders = {entry["seat"]: entry["sha512"] for entry in record["orders"]}
    if len(orders) != len(record["orders"]) or not set(orders) <= set(ledger.seats):
        ledger.fail("E08", path, "other orders of a seat twice, or of one that there is not")
    slot = _slot(
        ledger,
        path,
        record_id,
        record,
        announced=old.announced,
        head=old.head,
        previous_seed=old.previous_seed,
        state_before=old.state_before,
        state_before_slot=old.state_before_slot,
        kept_before=old.kept_before,
        entries={name: Entry(NONE, orders.get(name)) for name in ledger.seats},
        seed=old.seed,
        corrects=old.number,
        first=old.first or old.number,
    )
    ledger.take_back(old)
    ledger.slots[slot.number] = slot
    for name in sorted(orders.keys() & ledger.seats.keys()):
        _check_file(ledger, name, slot, before)
    if "patch" in record:
        _patched(ledger, path, slot, record)
    check_rolls(ledger, slot, record)
    if slot.dice and not may_roll(ledger, slot):
        code = "E18" if ledger.has_beacon else "E23"
        ledger.fail(code, path, f"dice, and slot {slot.first} could have none")
    check_state(ledger, path, state_path(slot.number), record["state"])
    take_kept(ledger, path, record)
    ledger.state, ledger.state_slot = record["state"], slot.number
    return True
