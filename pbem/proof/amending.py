"""The rarer records of a ledger: undo and rekey, and the consents that they need (rules R15, R16; section 7, step 5)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from pbem.proof.archive import consent_namespace, consent_path, content, go_namespace, go_path, sig_path
from pbem.proof.canonical import NotCanonical, decode, record_id
from pbem.proof.dice_protocol import NOTHING
from pbem.proof.history import Ledger, Slot
from pbem.proof.known import CHAINS, ChainKnown, TreeKnown
from pbem.proof.records import FIXED, NEW_KEYS, check_form
from pbem.proof.resulting import take_kept
from pbem.proof.signing import BadKey, BadSignature, PublicKey, parse_public, verify


def _signed(ledger: Ledger, path: str, key: PublicKey | None, namespace: str) -> Mapping[str, Any] | None:
    """Return a record with a good signature beside it, or None, noting nothing."""
    data, armored = content(ledger.archive, path), content(ledger.archive, sig_path(path))
    if data is None or armored is None or key is None:
        return None
    try:
        verify(key, namespace, hashlib.sha512(data).digest(), armored.decode("ascii", "replace"))
        record = decode(data)
    except (BadSignature, NotCanonical):
        return None
    return record if check_form(record) is None else None


def _has_all_values(ledger: Ledger, slot: Slot) -> bool:
    """Tell whether every value of a locked slot is in the archive, so that it has to be resolved and not skipped."""
    for name in slot.asked:
        namespace = go_namespace(ledger.game, slot.number, name, slot.lock_id)
        go = _signed(ledger, go_path(name, slot.number), ledger.seats[name].key, namespace)
        if go is None or go.get("lock") != slot.lock_id:
            return False
    return not ledger.has_beacon


def _check_consents(ledger: Ledger, path: str, record: Mapping[str, Any], before: str, needed: Iterable[str], optional: str) -> None:
    """Note E20 for each seat that did not consent to just this, named by the id of the record right before it."""
    same = ("to",) if record["type"] == "undo" else ("of", "from", *NEW_KEYS)
    given = {consent["seat"]: consent["consent"] for consent in record["consents"]}
    if len(given) != len(record["consents"]) or not set(needed) <= set(given) <= {*needed, optional}:
        ledger.fail("E20", path, "does not list the consent of each seat that has to give one")
    for name in sorted(given):
        seat, where = ledger.seats.get(name), consent_path(name, before)
        key = None if seat is None else seat.key
        consent = _signed(ledger, where, key, consent_namespace(ledger.game, name, before))
        right = {"type": "consent", "game": ledger.game, "seat": name, "head": before}
        right |= {field: record[field] for field in same if field in record}
        data = content(ledger.archive, where)
        if consent != right or data is None or record_id(data) != given[name]:
            ledger.fail("E20", where, f"no consent of {name} to this {record['type']}")


def _with_keys(ledger: Ledger) -> list[str]:
    return [name for name in ledger.outside if ledger.seats[name].key_line is not None]


def read_undo(ledger: Ledger, path: str, record: Mapping[str, Any], before: str) -> bool:
    """Take back slots from ``to`` on; tell whether there was anything to take back (E06, E20, E28)."""
    to = ledger.slots.get(record["to"])
    if to is None or to.undone or record["slot"] != ledger.newest_slot:
        ledger.fail("E06", path, "takes back a slot that is not there, or does not name the newest locked one")
        return False
    if ledger.locked is not None and _has_all_values(ledger, ledger.locked):
        ledger.fail("E06", path, f"slot {ledger.locked.number} has all its values and was not resolved first")
    _check_consents(ledger, path, record, before, _with_keys(ledger), "")
    for name in ledger.outside:
        if ledger.seats[name].key_line is None:
            ledger.warn(path, f"an undo on the GM's word: {name} has no key")
    if record["state"] != to.state_before:
        ledger.fail("E28", path, f"not the state before slot {to.number}")
    for slot in ledger.slots.values():
        if slot.number >= to.number and not slot.undone:
            slot.undone = True
            for roll in slot.rolls:
                ledger.take_back(roll)
    ledger.state, ledger.state_slot = to.state_before, to.state_before_slot
    take_kept(ledger, path, record)
    return True


def _new_key(ledger: Ledger, path: str, line: str) -> PublicKey | None:
    used = {key.line for key in ledger.gm_keys} | {seat.key_line for seat in ledger.seats.values()}
    if line in used:
        ledger.fail("E03", path, "the new key is in use already")
        return None
    try:
        return parse_public(line)
    except BadKey:
        ledger.fail("E03", path, "the new key is not one of prime order")
        return None


def _published(ledger: Ledger) -> Iterator[str]:
    """Yield every anchor and root so far, and every value that belongs to one."""
    for read in ledger.records[:-1]:
        yield from (read.record[field] for field in FIXED.values() if field in read.record)
    yield from ledger.joined.values()
    for slot in ledger.slots.values():
        yield from (x for who, x in slot.values.items() if who not in slot.luck and x != NOTHING)


def read_rekey(ledger: Ledger, path: str, record: Mapping[str, Any], before: str) -> None:
    """Give a seat or the GM a new key or anchor (E27, E20, E03); a seat has it from the next announcement on (R16)."""
    of = record["of"]
    seat = ledger.seats.get(of)
    keyless = seat is not None and seat.key_line is None and "key" not in record
    fixes = "anchor" in record or "root" in record
    if (
        (of != "gm" and (seat is None or not seat.outside))
        or ("key" not in record and not fixes)
        or (fixes and of != "gm" and (keyless or ledger.profile == "gm"))
        or ("anchor" in record and ledger.revision != CHAINS)
        or record["from"] != ledger.newest_slot + 1
    ):
        ledger.end("E27", path, "a rekey of nobody, of nothing, or from another slot than the next one")
    own = of if seat is not None and seat.key_line is not None else ""
    _check_consents(ledger, path, record, before, [name for name in _with_keys(ledger) if name != of], own)
    key = _new_key(ledger, path, record["key"]) if "key" in record else None
    new = record.get("root", record.get("anchor"))
    if new is not None and new in _published(ledger):
        ledger.fail("E09", path, "what fixes the new values is known already")
    if of == "gm" and key is not None:
        ledger.gm_key = key
        ledger.gm_keys.append(key)
    ledger.rekeys.append((of, ledger.newest_slot))
    ledger.pending.append(record)


def apply_rekeys(ledger: Ledger) -> None:
    """Let the rekeys since the last announcement hold for the slot that is announced now."""
    for record in ledger.pending:
        of = record["of"]
        if "anchor" in record:
            ledger.known[of] = ChainKnown(record["from"] - 1, record["anchor"])
        elif "root" in record:
            ledger.known[of] = TreeKnown(record["root"])
        if "key" in record and of != "gm":
            try:
                key = parse_public(record["key"])
            except BadKey:
                key = None
            ledger.seats[of] = replace(ledger.seats[of], key_line=record["key"], key=key)
    ledger.pending.clear()
