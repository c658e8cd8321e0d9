"""What a page needs to work out the rolls of a game again: the values behind each seed, where they stand, and
the salt before the first.

All of it is published in the archive; the page does the sums (``renderers/pages/replay_proof.js``), after
docs/protocol.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.proof.archive import go_path, orders_path
from pbem.proof.dice_protocol import NOTHING, beacon_text
from pbem.proof.history import Ledger, Slot
from pbem.proof.rules import EARLY, GO


def slot_of(ledger: Ledger) -> dict[str, int]:
    """Return for each name of a roll in the line of play the slot whose seed it was drawn from."""
    return {
        roll.label: slot.first or number
        for number, slot in ledger.slots.items()
        if not slot.undone
        for roll in slot.rolls
    }


def proof_of(ledger: Ledger) -> dict[str, Any]:
    """Return the game, its salt with what it is made of, and the slots with a seed, in the order in which
    each is the key of the next.
    """
    joins = {str(entry["seat"]): str(entry["join"]) for entry in ledger.records[1].record["joins"]}
    seeded = [slot for _, slot in sorted(ledger.slots.items()) if slot.seed is not None and not slot.act]
    return {
        "game": ledger.game,
        "manifest": ledger.manifest_id,
        "joins": joins,
        "slots": [_slot(ledger, slot) for slot in seeded],
        "head": ledger.head_digest,
        "archive": f"{ledger.game}.zip",
    }


def _slot(ledger: Ledger, slot: Slot) -> Mapping[str, Any]:
    drand = None if slot.result is None else slot.result.get("beacon")
    rule = ledger.manifest.get("beacon")
    return {
        "slot": slot.number,
        "seed": (slot.seed or b"").hex(),
        "gm": slot.values.get("gm", NOTHING),
        "seats": {name: slot.values.get(name, NOTHING) for name in ledger.outside},
        "luck": dict(slot.luck),
        "beacon": NOTHING
        if drand is None or rule is None
        else beacon_text(rule["chain"], drand["round"], drand["sig"]),
        "stands": {name: path for name in ledger.outside if (path := _stands(ledger, slot, name))},
    }


def _stands(ledger: Ledger, slot: Slot, seat: str) -> str:
    """Return the file in which a seat's value of a slot stands; empty where it gave none, or its result has
    it.
    """
    kind = slot.entries[seat].x
    if kind == EARLY:
        return orders_path(seat, slot.number)
    return go_path(seat, slot.number) if kind == GO and ledger.seats[seat].key_line else ""
