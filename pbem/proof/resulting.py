"""A result: the values, the seed they make, and the dice of the slot (docs/protocol.md,
section 8, step 4).
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from pbem.core.dice import Roll
from pbem.proof.archive import content, go_namespace, go_path, orders_path, rolls_path, state_path
from pbem.proof.beacon import beacon_round, is_known, is_round
from pbem.proof.canonical import NotCanonical
from pbem.proof.dice_protocol import BadWords, beacon_text, faces, luck_value, normal_words, seed
from pbem.proof.history import Ledger, Slot
from pbem.proof.known import TREES, Value
from pbem.proof.luck import counted
from pbem.proof.pieces import check_signature, check_state, read_record
from pbem.proof.records import value_in
from pbem.proof.rolls import Line, read_line, right_line
from pbem.proof.rules import EARLY, GO, NONE, Entry, goes_needed, is_fresh

_Value = Mapping[str, Any]


def same_words(typed: str | None, words: str | None) -> bool:
    """Tell whether typed words are, in normal form, those of a result."""
    try:
        return typed is not None and normal_words(typed) == words
    except BadWords:
        return False


def _check_words(ledger: Ledger, path: str, slot: Slot, who: str, words: str) -> None:
    if not same_words(words, words):
        ledger.fail("E09", path, f"the luck words of {who} are not in normal form")
    used = ledger.words.setdefault(who, {})
    if words in used:
        ledger.fail("E09", path, f"{who} used these luck words in slot {used[words]}")
    used[words] = slot.number
    slot.luck[who] = words


def _check_go(ledger: Ledger, slot: Slot, who: str, value: _Value) -> None:
    seat, path = ledger.seats[who], go_path(who, slot.number)
    if seat.key_line is None:
        return
    data = content(ledger.archive, path)
    if data is None:
        ledger.fail("E10", path, "the lock asks for this go and it is missing")
        return
    record = read_record(ledger, path, "go", data)
    if record is None:
        return
    namespace = go_namespace(ledger.game, slot.number, who, slot.lock_id)
    check_signature(ledger, path, [seat.key], namespace, hashlib.sha512(data).digest())
    named = (record["game"], record["seat"], record["slot"], record["lock"])
    same = (
        value_in(record) == value_in(value)
        if "x" in record
        else same_words(record["luck"], value.get("luck"))
    )
    if named != (ledger.game, who, slot.number, slot.lock_id) or not same:
        ledger.fail("E10", path, "it is for another lock, or gives another value than the result has")


def _check_fixed(ledger: Ledger, path: str, slot: Slot, who: str, given: Value) -> None:
    known = ledger.known.get(who)
    if known is None:
        ledger.fail("E09", path, f"{who} has fixed no values and cannot give one")
        return
    after = known.accept(ledger.game, who, slot.number, given)
    if after is None:
        ledger.fail("E09", path, f"the value of {who} does not belong to its {known.kind}")
    else:
        ledger.known[who] = after


def _check_value(ledger: Ledger, path: str, slot: Slot, who: str, value: _Value) -> None:
    given, words = value_in(value), value.get("luck")
    entry = Entry(GO) if who == "gm" else slot.entries[who]
    if (given is None and words is None) != (entry.x == NONE) or (who == "gm" and given is None):
        ledger.fail("E15", path, f"the value of {who} is there or missing against the lock")
        return
    if words is not None:
        _check_words(ledger, path, slot, who, words)
        if ledger.revision >= TREES and who in ledger.known:
            ledger.fail("E09", path, f"{who} has fixed values and gives words instead")
    file = slot.files.get(who)
    if entry.x == EARLY and file is not None:
        same = file.value == given if given is not None else same_words(file.luck, words)
        if not same:
            ledger.fail("E15", orders_path(who, slot.number), f"has another value than {path}")
    if entry.x == GO and who != "gm":
        _check_go(ledger, slot, who, value)
    if given is not None:
        _check_fixed(ledger, path, slot, who, given)


def _check_values(ledger: Ledger, path: str, slot: Slot, record: Mapping[str, Any]) -> bool:
    """Check all values, the GM's first; tell whether every one that goes into the seed is there."""
    values: dict[str, _Value] = {value["who"]: value for value in record["values"]}
    parties = ["gm", *ledger.outside]
    if sorted(value["who"] for value in record["values"]) != sorted(parties):
        ledger.fail("E15", path, "the values are not one of the GM and one of each outside seat")
        return False
    for who in parties:
        _check_value(ledger, path, slot, who, values[who])
    for who, value in values.items():
        x = value.get("x")
        slot.values[who] = luck_value(ledger.game, who, slot.number, value["luck"]) if x is None else x
    return True


def _check_beacon(ledger: Ledger, path: str, slot: Slot, record: Mapping[str, Any]) -> str | None:
    """Return how the beacon of a result stands in its seed (E16, E17)."""
    given, rule = record.get("beacon"), ledger.manifest.get("beacon")
    if given is None or rule is None:
        return None
    number = beacon_round(slot.locked_at, rule)
    if given["round"] != number:
        ledger.fail("E16", path, f"uses round {given['round']} of the beacon; the lock fixes round {number}")
    if not is_known(rule):
        ledger.undecided.append(
            f"slot {slot.number}: the beacon is not drand quicknet, and its signature is not checked"
        )
    elif not is_round(rule, given["round"], given["sig"]):
        ledger.fail("E17", path, f"not the signature of round {given['round']} of drand quicknet")
    return beacon_text(rule["chain"], given["round"], given["sig"])


def _check_roll(
    ledger: Ledger, where: str, seed_: bytes, phases: frozenset[str], seen: set[str], roll: Roll
) -> None:
    """Note what is wrong with a roll that is not all right."""
    if roll.label in seen:
        ledger.fail("E13", where, f"{roll.label} is rolled a second time")
    cursor, slash, _ = roll.label.partition("/")
    if cursor not in phases or not slash:
        ledger.fail(
            "E12",
            where,
            f"{roll.label} is of a phase that the slot did not play, or of a phase and nothing in it",
        )
    right = faces(seed_, roll.label, roll.sides, len(roll.values))
    if right != roll.values:
        ledger.fail(
            "E12", where, f"{roll.label} shows {list(roll.values)!s:.80}; the seed gives {list(right)!s:.80}"
        )


def _read_roll(ledger: Ledger, where: str, line: bytes) -> Line | None:
    """Return the roll of a line that is not what its seed gives; None, and E12, where it has not the form of
    one.
    """
    roll = read_line(line)
    if isinstance(roll, str):
        ledger.fail("E12", where, roll)
        return None
    return roll.label, roll.label.partition("/")[0], roll.sides, roll.values


def check_rolls(ledger: Ledger, slot: Slot, record: Mapping[str, Any]) -> None:
    """Check the log of a slot, line by line, against its seed (E00, E14, E01, E12, E13)."""
    where = rolls_path(slot.number)
    data = content(ledger.archive, where)
    if data is None:
        ledger.unlogged.update(record["phases"])
        ledger.fail("E00", where, "missing")
        return

    if hashlib.sha256(data).hexdigest() != record["rolls"]:
        ledger.fail("E14", where, "not the roll log that the result names")
        return
    slot.log_holds = True
    phases = frozenset(record["phases"])
    seen: dict[str, set[str]] = {}
    rolled: dict[tuple[str, int], list[int]] = {}
    assert slot.seed is not None
    for number, line in enumerate(data.splitlines(keepends=True), 1):
        roll = right_line(line, slot.seed)
        right = roll is not None
        try:
            roll = roll or _read_roll(ledger, f"{where}:{number}", line)
        except NotCanonical as wrong:
            ledger.fail("E01", f"{where}:{number}", f"not a canonical line: {wrong}")
            break
        if roll is None:
            continue
        label, cursor, sides, values = roll
        if cursor not in seen:
            seen[cursor] = ledger.labels_of(cursor)
        if not right or label in seen[cursor] or cursor not in phases:
            _check_roll(
                ledger, f"{where}:{number}", slot.seed, phases, seen[cursor], Roll(label, sides, values)
            )
        seen[cursor].add(label)
        rolled.setdefault((cursor, sides), []).extend(values)

    slot.tally = counted(rolled)
    slot.dice = sum(dice for dice, *_ in slot.tally.values())
    ledger.roll_under(seen, slot.number)


def _check_fairness(ledger: Ledger, path: str, slot: Slot, record: Mapping[str, Any]) -> None:
    """Check that slots with dice have what makes them nobody's choice (E18, E23, E15)."""
    if slot.log_holds and ("beacon" in record) != (ledger.has_beacon and bool(slot.dice)):
        ledger.fail("E18", path, "the beacon is missing, or is there without a die")
    if not slot.dice or ledger.profile == "gm" or ledger.has_beacon:
        return
    if not is_fresh(ledger.seats, slot.entries):
        ledger.fail("E23", path, "dice, and no value was given when nothing was left for the GM to choose")
    needed = goes_needed(ledger.seats, ledger.profile, slot.waits, slot.entries, True)
    missing = [name for name in needed if slot.entries[name].x != GO]
    if missing:
        ledger.fail("E15", path, f"the lock does not ask for the go of {', '.join(missing)}")


def _check_kept(ledger: Ledger, path: str, kept: tuple[tuple[str, int], ...]) -> None:
    for name, number in kept:
        slot = ledger.slots.get(number)
        if slot is None or name not in slot.entries or slot.entries[name].sha512 is None:
            ledger.fail("E08", path, f"keeps a file of {name} that slot {number} did not lock")


def take_kept(ledger: Ledger, path: str, record: Mapping[str, Any]) -> None:
    """Take over which files stay in force; note E08 for one that was never locked."""
    ledger.kept = tuple((entry["seat"], entry["slot"]) for entry in record.get("kept", ()))
    _check_kept(ledger, path, ledger.kept)


def read_result(ledger: Ledger, path: str, record: Mapping[str, Any]) -> bool:
    """Take over a result; tell whether it belongs to a lock and is the first (E06, E21)."""
    slot = ledger.slots.get(record["slot"])
    if slot is None or slot.undone:
        ledger.fail("E06", path, f"slot {record['slot']} has no lock to resolve")
        return False
    if slot.result is not None:
        ledger.fail("E21", path, f"slot {record['slot']} has a result already")
        return False
    slot.result, slot.result_path = record, path
    complete = _check_values(ledger, path, slot, record)
    beacon = _check_beacon(ledger, path, slot, record)
    slot.seed = bytes.fromhex(record["seed"])
    if complete:
        seats = {name: slot.values[name] for name in ledger.outside}
        slot.seed = seed(ledger.seed, ledger.game, slot.number, slot.values["gm"], seats, beacon)
        if slot.seed.hex() != record["seed"]:
            ledger.fail("E11", path, f"the seed is not the one that the values give ({slot.seed.hex()})")
    ledger.seed = slot.seed
    check_rolls(ledger, slot, record)
    _check_fairness(ledger, path, slot, record)
    check_state(ledger, path, state_path(slot.number), record["state"])
    take_kept(ledger, path, record)
    ledger.state, ledger.state_slot = record["state"], slot.number
    return True
