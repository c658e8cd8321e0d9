"""Who could have known, or chosen, the dice of a slot: one line for each slot, never a bare "fair"
(docs/protocol.md, section 8).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from msgspec import Struct

from pbem.core.regex import regex
from pbem.proof.beacon import beacon_round, is_known, round_time
from pbem.proof.dice_protocol import NOTHING
from pbem.proof.history import Ledger, Slot
from pbem.proof.rules import EARLY, is_fresh

ALONE = "THE GM ALONE"
_TIME = regex(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}Z")


class TrustLine(Struct, frozen=True):
    """What verify says of one slot.

    ``unsigned`` are seats without a key whose words only they can confirm.
    """

    slot: int
    phase: str
    status: str
    files: tuple[int, int]
    early: tuple[str, ...]
    went: tuple[str, ...]
    dice: int
    foreknowledge: str
    unsigned: tuple[str, ...]


def _others_gave(ledger: Ledger, slot: Slot, members: frozenset[str], since: int) -> bool:
    """Tell whether an outside seat that is not of a group gave a value from one slot up to another."""
    return any(
        value != NOTHING
        for number in range(since, slot.number + 1)
        for who, value in ledger.slots[number].values.items()
        if who not in members
    )


def _known(ledger: Ledger, slot: Slot, early: tuple[str, ...]) -> str:
    went = slot.asked
    only_two = len(ledger.seats) == 2 and len(ledger.outside) == 1
    group = went or early
    members = frozenset({"gm", *group})
    renewed = [
        rekey.since
        for rekey in ledger.rekeys
        if rekey.of in members and rekey.since is not None and rekey.since <= slot.number
    ]
    chosen = any(name in slot.luck for name in group)
    if not went and len(early) > 1:
        who = f"gm + the last of {','.join(early)}"
    else:
        who = "both sides together" if only_two else "+".join(("gm", *group))
        if renewed or not only_two:
            chosen = chosen or not _others_gave(ledger, slot, members, max(renewed, default=1))
    return f"could have been chosen by {who}" if chosen else f"known beforehand only to {who}"


def foreknowledge(ledger: Ledger, slot: Slot) -> str:
    """Return who could have known the dice of a slot before the last choice, or chosen them."""
    if slot.result is None:
        return "no dice" if slot.undone else "not rolled yet"
    if not slot.log_holds:
        return "cannot decide: the roll log is missing or is not the signed one"
    if not slot.dice:
        return "no dice"
    if slot.corrects:
        return f"known to everybody since slot {slot.first}"
    if ledger.has_beacon:
        return _by_beacon(ledger, slot)
    return _by_values(ledger, slot)


def _by_values(ledger: Ledger, slot: Slot) -> str:
    if ledger.profile == "gm" or not is_fresh(ledger.seats, slot.entries):
        keys = {seat["seat"] for seat in ledger.manifest["seats"] if "key" in seat}
        signed = bool(ledger.outside) and keys.issuperset(ledger.outside)
        return f"{'known beforehand to' if signed else 'could have been chosen by'} {ALONE}"
    return _known(ledger, slot, _early(ledger, slot))


def _by_beacon(ledger: Ledger, slot: Slot) -> str:
    """Say until when nobody could know the dice, and who saw the lock before then (R17)."""
    rule = ledger.manifest["beacon"]
    if not is_known(rule):
        return "the beacon is not checked: cannot decide"
    time = round_time(beacon_round(slot.locked_at, rule), rule)
    if time is None:
        return "the round of the beacon is of no year that could be written: cannot decide"
    files = [
        file for later in ledger.slots.values() for file in later.files.values() if file.seen is not None
    ]
    seen = {
        file.seat
        for file in files
        if file.seen is not None and file.seen[0] == slot.lock_id and file.seen[1] < time
    }
    by = sorted(
        name for name in seen if ledger.seats[name].outside and ledger.seats[name].key_line is not None
    )
    if by:
        return f"known to nobody before {time} (beacon); lock seen in time by {','.join(by)}"
    if ledger.profile != "gm" and is_fresh(ledger.seats, slot.entries):
        return _by_values(ledger, slot)
    return f"lock seen in time by no seat: {ALONE} could have known"


def _early(ledger: Ledger, slot: Slot) -> tuple[str, ...]:
    return tuple(name for name in ledger.outside if slot.entries[name].x == EARLY)


def in_sum(lines: Iterable[TrustLine]) -> str:
    """Return in one line whose the dice of the slots could have been, the most frequent first; empty where
    there were none.
    """
    said = [_TIME.sub("its round", line.foreknowledge) for line in lines if line.dice]
    counted = sorted(Counter(said).items(), key=lambda item: (-item[1], said.index(item[0])))
    slots = "1 slot" if len(said) == 1 else f"{len(said)} slots"
    return f"{slots} with dice: {', '.join(f'{count} {what}' for what, count in counted)}" if said else ""


def trust_line(ledger: Ledger, slot: Slot) -> TrustLine:
    """Return the line of one locked slot."""
    status = "undone" if slot.undone else "open" if slot.result is None else "ok"
    early = _early(ledger, slot)
    gave = (name for name in (*early, *slot.asked) if name in slot.luck)
    return TrustLine(
        slot=slot.number,
        phase=slot.phase,
        status=status,
        files=(sum(entry.sha512 is not None for entry in slot.entries.values()), len(slot.entries)),
        early=early,
        went=slot.asked,
        dice=slot.dice,
        foreknowledge=foreknowledge(ledger, slot),
        unsigned=tuple(sorted(name for name in gave if ledger.seats[name].key_line is None)),
    )
