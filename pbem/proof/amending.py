"""The rarer records of a ledger: undo and rekey with the consents that they need, and words of the GM (R15,
R16, R20, R30; docs/protocol.md, section 8, step 5).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec.structs import replace

from pbem.proof.archive import consent_namespace, consent_path, content, go_namespace, go_path, sig_path
from pbem.proof.canonical import NotCanonical, decode, record_id
from pbem.proof.dice_protocol import NOTHING
from pbem.proof.history import Ended, Ledger, Rekey, Slot
from pbem.proof.known import CHAINS, ChainKnown, TreeKnown
from pbem.proof.records import FIXED, NEW_KEYS, check_form
from pbem.proof.resulting import take_kept
from pbem.proof.rules import Seat
from pbem.proof.signing import BadKey, BadSignature, PublicKey, armored_in, parse_public, verify
from pbem.proof.spoken import END, REOPEN, fits
from pbem.proof.timely import TIMELY

OLD_KEY: Final = "old key"
RECOVERY_CODE: Final = "recovery code"
COMING_KEY: Final = "new key"
"""How a seat consented to its own rekey."""
NAMED: Final[Mapping[str, tuple[str, ...]]] = {"undo": ("to",), "rekey": ("of", "from", *NEW_KEYS)}
"""What a consent names of the record that it is to; of a ruling or a correction a digest of it."""
NOT_DECIDED: Final = ("slot", "due", "engine")
"""What an undo announces otherwise than it was announced the first time."""


def _signed(ledger: Ledger, path: str, key: PublicKey | None, namespace: str) -> Mapping[str, Any] | None:
    """Return a record with a good signature beside it, or None, noting nothing."""
    data, armored = content(ledger.archive, path), content(ledger.archive, sig_path(path))
    if data is None or armored is None or key is None:
        return None
    try:
        verify(key, namespace, hashlib.sha512(data).digest(), armored_in(armored))
        record = decode(data)
    except (BadSignature, NotCanonical):
        return None
    return record if check_form(record) is None else None


def _goes_are_there(ledger: Ledger, slot: Slot) -> bool:
    """Tell whether every go that a locked slot asks for is in the archive."""
    for name in slot.asked:
        namespace = go_namespace(ledger.game, slot.number, name, slot.lock_id)
        go = _signed(ledger, go_path(name, slot.number), ledger.seats[name].key, namespace)
        if go is None or go.get("lock") != slot.lock_id:
            return False
    return True


def check_consents(
    ledger: Ledger,
    path: str,
    record: Mapping[str, Any],
    before: str,
    needed: Sequence[str],
    optional: str = "",
) -> str:
    """Note E20 for each seat that did not consent to just this, named by the id of the record right before
    it.

    Return how the optional one did: with its key, with its recovery code, or not at all.
    """
    same = NAMED.get(record["type"], ("act",))
    given = {consent["seat"]: consent["consent"] for consent in record["consents"]}
    if len(given) != len(record["consents"]) or not set(needed) <= set(given) <= {*needed, optional}:
        ledger.fail("E20", path, "does not list the consent of each seat that has to give one")
    own = ""
    for name in sorted(given):
        seat, where = ledger.seats.get(name), consent_path(name, before)
        keys = {OLD_KEY: None if seat is None else seat.key}
        if record["type"] != "rekey":
            keys[COMING_KEY] = coming_key(ledger, name)
        if name == optional:
            keys[RECOVERY_CODE] = ledger.recovery.get(name)
        right = {"type": "consent", "game": ledger.game, "seat": name, "head": before}
        right |= {field: record[field] for field in same if field in record}
        data = content(ledger.archive, where)
        namespace = consent_namespace(ledger.game, name, before)
        how = next((how for how, key in keys.items() if _signed(ledger, where, key, namespace) == right), "")
        if not how or data is None or record_id(data) != given[name]:
            ledger.fail("E20", where, f"no consent of {name} to this {record['type']}")
        elif name == optional:
            own = how
    return own


def coming_key(ledger: Ledger, seat: str) -> PublicKey | None:
    """Return the key that a rekey has brought a seat and that is not in force yet.

    It signs consents to an undo, a ruling or a correction: those alone make an announcement with which it
    comes into force, where the open slot waits for its seat.
    """
    for rekey in reversed(ledger.pending):
        if rekey.of == seat and rekey.key is not None:
            try:
                return parse_public(rekey.key)
            except BadKey:
                return None
    return None


def with_keys(ledger: Ledger) -> list[str]:
    """Return the outside seats that have a key, and so consent."""
    return [name for name in ledger.outside if ledger.seats[name].key_line is not None]


def _check_resolved(ledger: Ledger, path: str) -> None:
    """A locked slot whose values are all there is resolved first (E06); a go has no date, so of a slot that
    asked for some it is W.
    """
    slot = ledger.locked
    if slot is None or ledger.has_beacon or not _goes_are_there(ledger, slot):
        return
    if slot.asked:
        ledger.warn(
            path,
            f"every go that slot {slot.number} asks for is here: if they came before the undo, it had to be "
            "resolved first",
        )
    else:
        ledger.fail("E06", path, f"slot {slot.number} has all its values and was not resolved first")


def _decided(following: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    return (
        None
        if following is None
        else {key: value for key, value in following.items() if key not in NOT_DECIDED}
    )


def read_undo(ledger: Ledger, path: str, record: Mapping[str, Any], before: str) -> bool:
    """Take back slots from ``to`` on; tell whether there was anything to take back (E06, E20, E28, E08)."""
    to = ledger.slots.get(record["to"])
    if to is None or to.undone or record["slot"] != ledger.newest_slot:
        ledger.fail(
            "E06", path, "takes back a slot that is not there, or does not name the newest locked one"
        )
        return False
    _check_resolved(ledger, path)
    check_consents(ledger, path, record, before, with_keys(ledger))
    for name in ledger.outside:
        if ledger.seats[name].key_line is None:
            ledger.warn(path, f"an undo on the GM's word: {name} has no key")
    if record["state"] != to.state_before:
        ledger.fail("E28", path, f"not the state before slot {to.number}")
    if _decided(record.get("next")) != _decided(to.announced):
        ledger.fail("E28", path, f"does not announce what was announced for slot {to.number}")
    for slot in ledger.slots.values():
        if slot.number >= to.number and not slot.undone:
            ledger.take_back(slot)
    ledger.state, ledger.state_slot = to.state_before, to.state_before_slot
    take_kept(ledger, path, record)
    if set(ledger.kept) != set(to.kept_before):
        ledger.fail("E28", path, f"not the files that were in force before slot {to.number}")
    return True


def _new_key(ledger: Ledger, path: str, line: str, used: set[str], what: str) -> PublicKey | None:
    if line in used:
        ledger.fail("E03", path, f"the new key{what} is in use already")
        return None
    try:
        return parse_public(line)
    except BadKey:
        ledger.fail("E03", path, f"the new key{what} is not one of prime order")
        return None


def _published(ledger: Ledger) -> Iterator[str]:
    """Yield every anchor and root so far, and every value that belongs to one."""
    for read in ledger.records[:-1]:
        yield from (read.record[field] for field in FIXED.values() if field in read.record)
    yield from ledger.joined.values()
    for slot in ledger.slots.values():
        yield from (x for who, x in slot.values.items() if who not in slot.luck and x != NOTHING)


def _has_form(ledger: Ledger, record: Mapping[str, Any], seat: Seat | None) -> bool:
    """Tell whether a rekey is of somebody, of something he can have, and from the next slot on."""
    fixes, of_gm = "anchor" in record or "root" in record, record["of"] == "gm"
    signs = seat is not None and (seat.key_line is not None or "key" in record)
    return (
        (of_gm or (seat is not None and seat.outside))
        and any(field in record for field in NEW_KEYS)
        and (not fixes or of_gm or (signs and ledger.profile != "gm"))
        and ("recovery" not in record or signs)
        and ("anchor" not in record or ledger.revision == CHAINS)
        and record["from"] == ledger.newest_slot + 1
    )


def read_rekey(ledger: Ledger, path: str, record: Mapping[str, Any], before: str) -> None:
    """Give a seat or the GM new keys or values (E27, E20, E03, E09); a seat has them from the next
    announcement on (R16).
    """
    of = record["of"]
    seat = ledger.seats.get(of)
    if not _has_form(ledger, record, seat):
        ledger.end("E27", path, "a rekey of nobody, of nothing, or from another slot than the next one")
    others = [name for name in with_keys(ledger) if name != of]
    signs = seat is not None and seat.key_line is not None
    own = check_consents(ledger, path, record, before, others, of if signs else "")
    if seat is not None and not own and not others:
        ledger.fail("E20", path, f"nobody but the GM consents to a rekey of {of}")
    taken = Rekey(of, path, None, own, tuple(others), record.get("key"), record.get("recovery"), record)
    if taken.unsigned:
        said = "a rekey that the seat did not sign" if signs else "a rekey of a seat that had no key"
        ledger.warn(path, f"{said}: whoever holds what is new may be the GM")
    coming = {line for rekey in ledger.pending for line in (rekey.key, rekey.recovery) if line}
    used = (
        {key.line for key in ledger.gm_keys}
        | {one.key_line for one in ledger.seats.values() if one.key_line}
        | coming
    )
    recovery = {name: key.line for name, key in ledger.recovery.items()}
    key = (
        _new_key(ledger, path, record["key"], used | set(recovery.values()), "") if "key" in record else None
    )
    if taken.unsigned:
        ledger.recovery.pop(of, None)
    if "recovery" in record:
        theirs = {line for name, line in recovery.items() if name != of} | {record.get("key", "")}
        new = _new_key(ledger, path, record["recovery"], used | theirs, " of a recovery code")
        if new is not None:
            ledger.recovery[of] = new
        ledger.recoverers.append((of, record["recovery"]))

    fixed = record.get("root", record.get("anchor"))
    if fixed is not None and fixed in _published(ledger):
        ledger.fail("E09", path, "what fixes the new values is known already")
    if of == "gm" and key is not None:
        ledger.retired.update(
            {old.line: record["from"] for old in ledger.gm_keys if old.line not in ledger.retired}
        )
        ledger.gm_key = key
        ledger.gm_keys.append(key)

    if "key" in record:
        ledger.signers.append((of, record["key"]))
    ledger.rekeys.append(taken)


def read_time(ledger: Ledger, path: str, record: Mapping[str, Any]) -> None:
    """Take a word of the GM on time (E27, E06): it says all that it has to and no more, and of the slot that
    is open. It changes no state.
    """
    every = {field for fields in TIMELY.values() for field in fields}
    if every & record.keys() != set(TIMELY[record["does"]]) or record.get("seat", "") not in {
        "",
        *ledger.seats,
    }:
        ledger.end("E27", path, f"not all that a word to {record['does']} says, or more than that")
    if record["slot"] != _open(ledger):
        ledger.fail("E06", path, "a word on the time of a slot that is not open")


def _open(ledger: Ledger) -> int:
    """Return the slot that is open or locked, 0 if there is none."""
    locked = ledger.locked
    return locked.number if locked is not None else int((ledger.next or {}).get("slot", 0))


def read_word(ledger: Ledger, path: str, record: Mapping[str, Any]) -> None:
    """Take a word of the GM (E27, E06): it says all that it has to and no more, of the slot that is open. An
    end takes a lock without a result back and opens nothing; a word that reopens the game opens what was open
    before its end.
    """
    seats, sides = {"", *ledger.seats}, {"", *(seat.side for seat in ledger.seats.values())}
    named = {record.get("seat", ""), *record.get("by", ())}
    if not fits(record) or not named <= seats or record.get("winner", "") not in sides:
        ledger.end("E27", path, f"not all that a word to {record['does']} says, or more than that")
    if record["does"] == REOPEN:
        _reopen(ledger, path, record)
    elif record["slot"] != _open(ledger):
        ledger.fail("E06", path, "a word of a slot that is not open")
    elif record["does"] == END:
        _check_resolved(ledger, path)
        ledger.ended = Ended(record, path, ledger.next, ledger.next_id, ledger.locked is None)
        if ledger.locked is not None:
            ledger.take_back(ledger.locked)
        ledger.next = None


def _reopen(ledger: Ledger, path: str, record: Mapping[str, Any]) -> None:
    """Open again what was open when a word ended the game, unless a lock was lost with it (E06)."""
    ended = ledger.ended
    if ended is None or not ended.can_reopen or record["slot"] != ended.record["slot"]:
        ledger.fail("E06", path, "reopens a game that no word has ended, or at another slot")
        return
    ledger.next, ledger.next_id, ledger.ended = ended.next, ended.next_id, None


def apply_rekeys(ledger: Ledger, following: Mapping[str, Any] | None) -> None:
    """Let the rekeys since the last announcement hold for the slot that is announced now."""
    for rekey in ledger.pending:
        of, record = rekey.of, rekey.record
        rekey.since = ledger.newest_slot + 1 if following is None else int(following["slot"])
        if "anchor" in record:
            ledger.known[of] = ChainKnown(record["from"] - 1, record["anchor"])
        elif "root" in record:
            ledger.known[of] = TreeKnown(record["root"])
        if rekey.key is not None and of != "gm":
            try:
                key = parse_public(rekey.key)
            except BadKey:
                key = None
            ledger.seats[of] = replace(ledger.seats[of], key_line=rekey.key, key=key)
