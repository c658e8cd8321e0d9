"""What the reading of a ledger came to, in a form that can be compared."""

from __future__ import annotations

from typing import Any

from pbem.proof.history import Ledger, Slot

NOT_COMPARED = ("archive", "ledger")


def plain(ledger: Ledger) -> dict[str, Any]:
    """Return everything that a ledger says, records and slots too, as plain values."""
    said = _of(ledger)
    said["records"] = [(read.path, read.id, dict(read.record), read.signed) for read in ledger.records]
    said["slots"] = {number: _slot(slot) for number, slot in ledger.slots.items()}
    return said | {"labels": ledger.noted_labels(), "open": ledger.open_slot, "over": ledger.over}


def _slot(slot: Slot) -> dict[str, Any]:
    said = _of(slot) | {"rolls": slot.rolls, "recorded": slot.recorded, "asked": slot.asked}
    return said | {"announced": dict(slot.announced), "result": slot.result and dict(slot.result)}


def _of(value: Ledger | Slot) -> dict[str, Any]:
    return {
        name: getattr(value, name)
        for name in value.__struct_fields__
        if name not in NOT_COMPARED and not name.startswith("_")
    }
