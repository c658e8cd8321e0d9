"""What the reading of a ledger came to, as bytes, and a ledger made of such bytes: so that nobody has to read
again what has not changed.

Made of a ledger in which everything holds. What belongs to a record or a slot is taken apart when somebody
asks for it, so that a long game costs little more than a short one. Nothing here checks anything: whether
the files are those that were read is for whoever keeps the bytes, and ``verify`` never uses one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, MutableMapping, MutableSequence, Sequence
from itertools import accumulate
from typing import Any, overload

from msgspec import Struct, json

from pbem.proof.archive import Archive, content, orders_path
from pbem.proof.history import Ended, Finding, Ledger, LedgerRecord, Rekey, Slot
from pbem.proof.known import ChainKnown, Known, TreeKnown
from pbem.proof.orderfile import BadOrderFile, parse
from pbem.proof.rules import Entry, Seat
from pbem.proof.signing import PublicKey, key_in

Load = Callable[[str, str], Mapping[str, Any]]
"""Gives the record of a path and an id; raises where the file is not the one that was read."""


class PutDown(Struct, frozen=True):
    """A ledger as it was put down: how it stands, in plain form, and its records and slots as bytes."""

    head: Mapping[str, Any]
    body: bytes | memoryview
    """A line for each record, and then each slot, of as many bytes as the head says."""


class BadSnapshot(ValueError):
    """Something that no ledger was put down in."""


class LaterRecord(Mapping[str, Any]):
    """A record that is read when somebody looks into it."""

    __slots__ = ("_load", "_read", "of")

    def __init__(self, of: tuple[str, str], load: Load) -> None:
        self.of = of
        self._load = load
        self._read: Mapping[str, Any] | None = None

    def _record(self) -> Mapping[str, Any]:
        if self._read is None:
            self._read = self._load(*self.of)
        return self._read

    def __getitem__(self, key: str) -> Any:
        """Return what stands under a key."""
        return self._record()[key]

    def __iter__(self) -> Iterator[str]:
        """Iterate over the keys."""
        return iter(self._record())

    def __len__(self) -> int:
        """Return the number of keys."""
        return len(self._record())


class LaterPart(Mapping[str, Any]):
    """What stands under a key of a record, itself a mapping, that is read when somebody looks into it."""

    __slots__ = ("_key", "_record")

    def __init__(self, record: Mapping[str, Any], key: str) -> None:
        self._record = record
        self._key = key

    def __getitem__(self, key: str) -> Any:
        """Return what stands under a key."""
        return self._record[self._key][key]

    def __iter__(self) -> Iterator[str]:
        """Iterate over the keys."""
        return iter(self._record[self._key])

    def __len__(self) -> int:
        """Return the number of keys."""
        return len(self._record[self._key])


class LaterRecords(MutableSequence[LedgerRecord]):
    """The records of a ledger, the first of them as lines that are taken apart when somebody asks."""

    def __init__(self, lines: Sequence[str], load: Load) -> None:
        self._load = load
        self._all: list[str | LedgerRecord] = list(lines)

    def _made(self, at: int) -> LedgerRecord:
        found = self._all[at]
        if isinstance(found, str):
            path, id_, signed = found.split(" ")
            found = LedgerRecord(path, id_, LaterRecord((path, id_), self._load), signed == "1")
            self._all[at] = found
        return found

    @overload
    def __getitem__(self, at: int) -> LedgerRecord: ...
    @overload
    def __getitem__(self, at: slice) -> MutableSequence[LedgerRecord]: ...
    def __getitem__(self, at: int | slice) -> LedgerRecord | MutableSequence[LedgerRecord]:
        """Return a record, or some of them."""
        return (
            [self._made(n) for n in range(*at.indices(len(self._all)))]
            if isinstance(at, slice)
            else self._made(at)
        )

    def __setitem__(self, at: Any, found: Any) -> None:
        """Records stay."""
        raise TypeError("a ledger keeps its records")

    def __delitem__(self, at: int | slice) -> None:
        """Records stay."""
        raise TypeError("a ledger keeps its records")

    def __len__(self) -> int:
        """Return the number of records."""
        return len(self._all)

    def __eq__(self, other: object) -> bool:
        """Tell whether these are the same records."""
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def insert(self, at: int, found: LedgerRecord) -> None:
        """Put a record behind the others."""
        if at != len(self._all):
            raise TypeError("a record is written behind the others")
        self._all.append(found)

    def lines(self) -> list[str]:
        """Return a line for each."""
        return [one if isinstance(one, str) else _record_line(one) for one in self._all]


def _record_line(read: LedgerRecord) -> str:
    return f"{read.path} {read.id} {read.signed:d}"


class LaterSlots(MutableMapping[int, Slot]):
    """The slots of a ledger from 1 on, the first of them as bytes that are taken apart when somebody asks."""

    def __init__(self, ledger: Ledger, body: memoryview, sizes: Sequence[int]) -> None:
        self._ledger = ledger
        self._body = body
        self._ends = list(accumulate(sizes, initial=0))
        self._made: dict[int, Slot] = {}
        self._count = len(sizes)

    def __getitem__(self, number: int) -> Slot:
        """Return a slot."""
        if number not in self._made and 1 <= number < len(self._ends):
            self._made[number] = _slot(self._ledger, json.decode(self._piece(number)))
        return self._made[number]

    def __contains__(self, number: object) -> bool:
        """Tell whether there is such a slot, without taking it apart."""
        return number in self._made or (isinstance(number, int) and 1 <= number < len(self._ends))

    def __setitem__(self, number: int, slot: Slot) -> None:
        """Put a slot in that was locked just now."""
        self._count += number not in self
        self._made[number] = slot

    def __delitem__(self, number: int) -> None:
        """Slots stay."""
        raise TypeError("a ledger keeps its slots")

    def __iter__(self) -> Iterator[int]:
        """Iterate over the numbers."""
        return iter(range(1, self._count + 1))

    def __len__(self) -> int:
        """Return the number of slots."""
        return self._count

    def untouched(self, number: int) -> bytes | None:
        """Return the bytes of a slot that nobody has taken apart."""
        return None if number in self._made else bytes(self._piece(number))

    def _piece(self, number: int) -> memoryview:
        return self._body[self._ends[number - 1] : self._ends[number]]


# --- a ledger put down


def put_down(ledger: Ledger) -> PutDown:
    """Return a ledger as it is to be kept.

    ValueError where it is none that can be put down: something in it does not hold, or its slots are not
    numbered from 1 on.
    """
    if ledger.findings or not ledger.records or list(ledger.slots) != list(range(1, len(ledger.slots) + 1)):
        raise ValueError("not a ledger to be put down")
    read = ledger.records
    records = read.lines() if isinstance(read, LaterRecords) else [_record_line(one) for one in read]
    parts = [line.split(" ") for line in records]
    numbers, paths = ({part[at]: n for n, part in enumerate(parts)} for at in (1, 0))
    slots = [_slot_bytes(ledger, number, numbers, paths) for number in ledger.slots]
    listed = "\n".join(records).encode()
    sizes = {"records": [len(records), len(listed)], "slots": [len(one) for one in slots]}
    return PutDown(_head(ledger, paths) | sizes, b"".join([listed, *slots]))


def _head(ledger: Ledger, paths: Mapping[str, int]) -> dict[str, Any]:
    return {
        "warnings": [[one.code, one.where, one.message, one.detail] for one in ledger.warnings],
        "undecided": ledger.undecided,
        "signatures": ledger.signatures,
        "manifest": ledger.manifest_id,
        "gm": None if ledger.gm_key is None else ledger.gm_key.line,
        "seats": [
            [seat.name, seat.side, seat.by, seat.key_line, seat.key is not None, seat.always]
            for seat in ledger.seats.values()
        ],
        "started": ledger.started,
        "seed": ledger.seed.hex(),
        "known": {who: _plain_known(known) for who, known in ledger.known.items()},
        "joined": ledger.joined,
        "words": ledger.words,
        "next": ledger.next,
        "next_id": ledger.next_id,
        "ended": None
        if ledger.ended is None
        else [paths[ledger.ended.path], ledger.ended.next, ledger.ended.next_id, ledger.ended.can_reopen],
        "kept": ledger.kept,
        "rolled": ledger.rolled,
        "labels": ledger.noted_labels(),
        "unlogged": sorted(ledger.unlogged),
        "state": [ledger.state, ledger.state_slot],
        "rekeys": [
            [one.of, one.path, one.since, one.own, one.others, one.key, one.recovery, paths[one.path]]
            for one in ledger.rekeys
        ],
        "recovery": {seat: key.line for seat, key in ledger.recovery.items()},
        "gm_keys": [key.line for key in ledger.gm_keys],
        "signers": ledger.signers,
        "recoverers": ledger.recoverers,
        "retired": ledger.retired,
        "engine": ledger.engine,
    }


def _plain_known(known: Known) -> list[Any]:
    if isinstance(known, ChainKnown):
        return [known.kind, known.position, known.x]
    return [known.kind, known.root, known.last, [one.hex() if one else None for one in known.right]]


def _slot_bytes(ledger: Ledger, number: int, numbers: Mapping[str, int], paths: Mapping[str, int]) -> bytes:
    if isinstance(ledger.slots, LaterSlots) and (before := ledger.slots.untouched(number)) is not None:
        return before
    slot = ledger.slots[number]
    return json.encode(
        {
            "number": slot.number,
            "announced": numbers[slot.head],
            "lock": numbers[slot.lock_id],
            "at": slot.locked_at,
            "entries": [[name, entry.x, entry.sha512] for name, entry in slot.entries.items()],
            "before": [slot.previous_seed.hex(), slot.state_before, slot.state_before_slot, slot.kept_before],
            "seed": None if slot.seed is None else slot.seed.hex(),
            "result": None if slot.result is None else paths[slot.result_path],
            "log": slot.log_holds,
            "dice": slot.dice,
            "tally": [[*of, *counted] for of, counted in slot.tally.items()],
            "values": slot.values,
            "luck": slot.luck,
            "files": list(slot.files),
            "undone_by": slot.undone_by,
            **({"act": [slot.act, slot.corrects, slot.first]} if slot.act else {}),
        }
    )


# --- and taken up again


def taken_up(kept: PutDown, archive: Archive, load: Load) -> Ledger:
    """Return the ledger that was put down so, as the reading of an archive came to it then; BadSnapshot where
    none was.
    """
    head, body = kept.head, memoryview(kept.body)
    try:
        count, size = head["records"]
        records, slots = str(body[:size], "ascii").split("\n"), head["slots"]
        if len(records) != count or size + sum(slots) != len(body):
            raise BadSnapshot("sizes")
        return _ledger(head, records, body[size:], archive, load)
    except (ValueError, LookupError, TypeError, AttributeError) as wrong:
        raise BadSnapshot(str(wrong)) from None


def _ledger(
    head: Mapping[str, Any], records: Sequence[str], slots: memoryview, archive: Archive, load: Load
) -> Ledger:
    ledger = Ledger(archive)
    ledger.records = LaterRecords(records, load)
    ledger.warnings = [Finding(*one) for one in head["warnings"]]
    ledger.undecided = list(head["undecided"])
    ledger.signatures = head["signatures"]
    ledger.manifest = load(ledger.records[0].path, ledger.records[0].id)
    ledger.manifest_id = head["manifest"]
    ledger.gm_key = _key(head["gm"])
    for name, side, by, line, signs, always in head["seats"]:
        ledger.seats[name] = Seat(name, side, by, line, _key(line) if signs else None, always)
    ledger.started = head["started"]
    ledger.seed = bytes.fromhex(head["seed"])
    ledger.known = {who: _known(plain) for who, plain in head["known"].items()}
    ledger.joined = head["joined"]
    ledger.words = head["words"]
    ledger.slots = LaterSlots(ledger, slots, head["slots"])
    ledger.next = head["next"]
    ledger.next_id = head["next_id"]
    if head["ended"] is not None:
        n, following, head_id, can_reopen = head["ended"]
        read = ledger.records[n]
        ledger.ended = Ended(read.record, read.path, following, head_id, can_reopen)
    ledger.kept = _kept(head["kept"])
    ledger.rolled = head["rolled"]
    ledger.note_labels(*head["labels"])
    ledger.unlogged = set(head["unlogged"])
    ledger.state, ledger.state_slot = head["state"]
    for of, path, since, own, others, key, recovery, n in head["rekeys"]:
        record = ledger.records[n].record
        ledger.rekeys.append(Rekey(of, path, since, own, tuple(others), key, recovery, record))
    ledger.recovery = {seat: key_in(line) for seat, line in head["recovery"].items()}
    ledger.gm_keys = [key_in(line) for line in head["gm_keys"]]
    ledger.signers = [(who, line) for who, line in head["signers"]]
    ledger.recoverers = [(who, line) for who, line in head["recoverers"]]
    ledger.retired = head["retired"]
    if head["engine"] is not None:
        name, version, sha256 = head["engine"]
        ledger.engine = name, version, sha256
    return ledger


def _key(line: str | None) -> PublicKey | None:
    return None if line is None else key_in(line)


def _kept(plain: Sequence[Any]) -> tuple[tuple[str, int], ...]:
    return tuple((str(seat), int(slot)) for seat, slot in plain)


def _known(plain: Sequence[Any]) -> Known:
    if plain[0] == ChainKnown.kind:
        return ChainKnown(plain[1], plain[2])
    right = tuple(None if one is None else bytes.fromhex(one) for one in plain[3])
    return TreeKnown(plain[1], plain[2], right)


def _slot(ledger: Ledger, plain: Mapping[str, Any]) -> Slot:
    number, result, lock = plain["number"], plain["result"], ledger.records[plain["lock"]]
    announcing = ledger.records[plain["announced"]]
    seed, state, state_slot, kept = plain["before"]
    act, corrects, first = plain.get("act", ("", 0, 0))
    slot = Slot(
        number=number,
        announced=LaterPart(announcing.record, "next"),
        head=announcing.id,
        lock_id=lock.id,
        locked_at=plain["at"],
        entries={name: Entry(x, sha512) for name, x, sha512 in plain["entries"]},
        previous_seed=bytes.fromhex(seed),
        state_before=state,
        state_before_slot=state_slot,
        kept_before=_kept(kept),
        ledger=ledger,
        seed=None if plain["seed"] is None else bytes.fromhex(plain["seed"]),
        result=None if result is None else ledger.records[result].record,
        result_path="" if result is None else ledger.records[result].path,
        log_holds=plain["log"],
        dice=plain["dice"],
        tally={
            (cursor, sides): (dice, total, low, high)
            for cursor, sides, dice, total, low, high in plain["tally"]
        },
        values=plain["values"],
        luck=plain["luck"],
        undone_by=plain["undone_by"],
        act=act,
        corrects=corrects,
        first=first,
    )
    for name in plain["files"]:
        data = content(ledger.archive, orders_path(name, number))
        if data is not None and hashlib.sha512(data).hexdigest() == slot.entries[name].sha512:
            try:
                slot.files[name] = parse(data)
            except BadOrderFile:
                continue
    return slot
