"""What a ledger says so far: the state that the referee asks before it writes a record, and that verify
judges.

It is filled by ``ledger.read_ledger`` and by nobody else. Nothing here checks anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, MutableMapping, MutableSequence
from typing import Any, NoReturn

from msgspec import Struct, field

from pbem.core.dice import Roll
from pbem.proof.archive import Archive, content, rolls_path, short_digest
from pbem.proof.dice_protocol import MAX_SLOT
from pbem.proof.known import CHAINS, Known
from pbem.proof.orderfile import OrderFile
from pbem.proof.rules import GO, Entry, Seat, outside_seats
from pbem.proof.signing import PublicKey

MAX_FINDINGS = 1000

Counted = tuple[int, int, int, int]
"""How many dice, their sum, and how many showed the lowest or the highest tenth of their faces."""
Tally = dict[tuple[str, int], Counted]
"""The same by cursor and size."""


class EndOfReading(Exception):
    """The ledger cannot be read further; the reason stands in its findings."""


class Finding(Struct, frozen=True):
    """Something that does not hold (``E..``) or is worth knowing (``W``): code, the file or slot, and plain
    words.

    ``detail`` is all that can be said of it, for whoever looks for the cause; empty where the message says
    it.
    """

    code: str
    where: str
    message: str
    detail: str = ""


class LedgerRecord(Struct, frozen=True):
    """A record of the ledger as read."""

    path: str
    id: str
    record: Mapping[str, Any]
    signed: bool
    """Whether the GM's key of its place signed it."""

    @property
    def said(self) -> str:
        """Return which record it is, for people: ``the result of slot 6``."""
        return f"the {self.record['type']}" + (
            f" of slot {self.record['slot']}" if "slot" in self.record else ""
        )


class Rekey(Struct):
    """New keys or values of a seat or the GM, and on whose word: ``own`` is how the seat itself consented,
    ``others`` who else did.
    """

    of: str
    path: str
    since: int | None
    """The slot that was announced first after it; None while none was."""
    own: str
    others: tuple[str, ...]
    key: str | None
    """The line of the new key, if there is one."""
    recovery: str | None
    record: Mapping[str, Any]

    @property
    def unsigned(self) -> bool:
        """Tell whether it is a seat's and the seat did not consent."""
        return self.of != "gm" and not self.own


class Slot(Struct):
    """A slot from its lock on.

    ``head`` is the id of the record that announced it in ``announced`` (its ``next``).
    """

    number: int
    announced: Mapping[str, Any]
    head: str
    lock_id: str
    locked_at: str
    entries: dict[str, Entry]
    previous_seed: bytes
    state_before: str
    state_before_slot: int
    kept_before: tuple[tuple[str, int], ...]
    ledger: Ledger
    seed: bytes | None = None
    result: Mapping[str, Any] | None = None
    result_path: str = ""
    log_holds: bool = False
    """Whether the roll log is there and is the one that the result names.

    It is long, so it is read again where it is wanted.
    """
    dice: int = 0
    """The number of dice rolled."""
    tally: Tally = field(default_factory=dict)
    values: dict[str, str] = field(default_factory=dict)
    luck: dict[str, str] = field(default_factory=dict)
    files: dict[str, OrderFile] = field(default_factory=dict)
    """The published order files of this slot whose header could be read."""
    undone_by: int = 0
    """The newest locked slot when it was taken back; 0: it was not."""
    act: str = ""
    """The kind of its record where that is the slot by itself, without a lock: a ruling or a correction."""
    corrects: int = 0
    """The slot that it plays again, and the one that was first played so: it has the seed of that. 0: none.
    """
    first: int = 0

    @property
    def phase(self) -> str:
        """Return the cursor of the first phase."""
        return str(self.announced["phase"])

    @property
    def waits(self) -> tuple[str, ...]:
        """Return the seats that were to order or answer."""
        return tuple(self.announced["waits"])

    @property
    def asked(self) -> tuple[str, ...]:
        """Return the seats that the lock asks for a go."""
        return tuple(name for name in sorted(self.entries) if self.entries[name].x == GO)

    @property
    def rolls(self) -> tuple[Roll, ...]:
        """Return what was rolled."""
        if not self.log_holds:
            return ()
        from pbem.proof.rolls import read_log  # brings the forms of all records along

        return read_log(content(self.ledger.archive, rolls_path(self.number)) or b"")

    @property
    def recorded(self) -> tuple[Roll, ...]:
        """Return the rolls already made, when it was locked, in the phase that it begins with."""
        return self.ledger.rolls_of(self.phase, self.number)

    @property
    def undone(self) -> bool:
        """Tell whether it was taken back."""
        return self.undone_by > 0


class Ended(Struct, frozen=True):
    """A game that a word of the GM has ended: the record, what was open then, and whether it can be opened
    again: not where a lock was lost.
    """

    record: Mapping[str, Any]
    path: str
    next: Mapping[str, Any] | None
    next_id: str
    can_reopen: bool


class Ledger(Struct):
    """A ledger as far as it could be read; ``findings`` are in the order in which they were found."""

    archive: Archive
    findings: list[Finding] = field(default_factory=list)
    warnings: list[Finding] = field(default_factory=list)
    undecided: list[str] = field(default_factory=list)
    signatures: int = 0
    records: MutableSequence[LedgerRecord] = field(default_factory=list)
    manifest: Mapping[str, Any] = field(default_factory=dict)
    manifest_id: str = ""
    gm_key: PublicKey | None = None
    seats: dict[str, Seat] = field(default_factory=dict)
    started: bool = False
    seed: bytes = b""
    """The key of the next seed: that of the newest slot with a result, at first the salt."""
    known: dict[str, Known] = field(default_factory=dict)
    """What is known of the values of a party (a seat or ``gm``) that has fixed them."""
    joined: dict[str, str] = field(default_factory=dict)
    """What the values of a seat were fixed by when it joined."""
    words: dict[str, dict[str, int]] = field(default_factory=dict)
    """Per seat the luck words it used, and in which slot."""
    slots: MutableMapping[int, Slot] = field(default_factory=dict)
    next: Mapping[str, Any] | None = None
    """What the newest start, result or undo announced; None if nothing is open."""
    next_id: str = ""
    """The id of that record: the head of the open slot."""
    ended: Ended | None = None
    """The word that ended the game, while it holds."""
    kept: tuple[tuple[str, int], ...] = ()
    """Files (seat, slot) that stay in force after the newest result or undo."""
    rolled: dict[str, list[int]] = field(default_factory=dict)
    """In which slots something was rolled under a cursor."""
    _labels: dict[str, set[str]] = field(default_factory=dict)
    """What is rolled under the cursors of the newest slot, and under those that came again, in the line of
    play.
    """
    _came_again: set[str] = field(default_factory=set)
    unlogged: set[str] = field(default_factory=set)
    """The cursors of phases of which not every roll is known, for want of a log."""
    state: str = ""
    """The SHA-256 of the newest state in the line of play, and the slot whose file it is."""
    state_slot: int = 0
    rekeys: list[Rekey] = field(default_factory=list)
    """They hold from the announcement after them on."""
    recovery: dict[str, PublicKey] = field(default_factory=dict)
    """The key of the recovery code of a seat."""
    gm_keys: list[PublicKey] = field(default_factory=list)
    """The keys that the GM has had, the newest last."""
    signers: list[tuple[str, str]] = field(default_factory=list)
    """Everybody who ever had a key (a seat, or ``gm``), with its line, in the order of the ledger."""
    recoverers: list[tuple[str, str]] = field(default_factory=list)
    """The same of the keys of recovery codes."""
    engine: tuple[str, str, str] | None = None
    """Name, version and digest of the program that a record named last; None where only the manifest did."""
    retired: dict[str, int] = field(default_factory=dict)
    """Of each key that the GM has no more, by its line, the slot from which he had another."""

    @property
    def game(self) -> str:
        """Return the name of the game, or nothing where the manifest could not be read."""
        return str(self.manifest.get("game", ""))

    @property
    def revision(self) -> int:
        """Return the revision of the protocol that the game was begun in."""
        return int(self.manifest.get("v", CHAINS))

    @property
    def pending(self) -> tuple[Rekey, ...]:
        """Return the rekeys that do not hold yet."""
        return tuple(rekey for rekey in self.rekeys if rekey.since is None)

    @property
    def profile(self) -> str:
        """Return ``joint`` or ``gm``."""
        return str(self.manifest.get("profile", ""))

    @property
    def has_beacon(self) -> bool:
        """Tell whether the game uses the beacon."""
        return "beacon" in self.manifest

    @property
    def outside(self) -> tuple[str, ...]:
        """Return the outside seats, sorted."""
        return outside_seats(self.seats)

    @property
    def head(self) -> str:
        """Return the id of the newest record, or nothing."""
        return self.records[-1].id if self.records else ""

    @property
    def head_digest(self) -> str:
        """Return the newest id as people compare it."""
        return short_digest(self.head)

    @property
    def next_n(self) -> int:
        """Return the number of the next record."""
        return len(self.records) + 1

    @property
    def locked(self) -> Slot | None:
        """Return the slot that has a lock and no result yet, or None."""
        newest = self.slots[max(self.slots)] if self.slots else None
        return newest if newest is not None and newest.result is None and not newest.undone else None

    @property
    def open_slot(self) -> int | None:
        """Return the slot that is announced and not locked, or None."""
        return None if self.next is None or self.locked is not None else int(self.next["slot"])

    @property
    def newest_slot(self) -> int:
        """Return the number of the newest locked slot, 0 if there is none."""
        return max(self.slots, default=0)

    @property
    def over(self) -> bool:
        """Tell whether the game has ended: nothing was announced by the newest result or undo, or a word
        ended it.
        """
        return self.started and self.next is None

    @property
    def recorded(self) -> tuple[Roll, ...]:
        """Return the rolls already made in the phase that the open slot begins with: they
        keep their values.
        """
        return () if self.next is None else self.rolls_of(str(self.next["phase"]))

    def rolls_of(self, cursor: str, before: int = MAX_SLOT + 1) -> tuple[Roll, ...]:
        """Return the rolls of the line of play whose label begins with a cursor, now or before a slot; of two
        of one name the first.
        """
        found: dict[str, Roll] = {}
        for slot in (self.slots[number] for number in self.rolled.get(cursor, ()) if number < before):
            # Whatever is taken back takes all that comes after it along, so only what was taken back before
            # that slot was not there.
            if not slot.undone or slot.undone_by >= before:
                for roll in slot.rolls:
                    if roll.label.partition("/")[0] == cursor:
                        found.setdefault(roll.label, roll)
        return tuple(found.values())

    def labels_of(self, cursor: str) -> set[str]:
        """Return the labels of a cursor in the line of play; a label that is rolled now is for the caller to
        put in.
        """
        if cursor not in self._labels:
            self._labels[cursor] = {roll.label for roll in self.rolls_of(cursor)}
            if cursor in self.rolled:
                self._came_again.add(cursor)
        return self._labels[cursor]

    def roll_under(self, cursors: Iterable[str], slot: int) -> None:
        """Note under which cursors a slot rolled; the labels of others are forgotten, but of those that came
        again once.
        """
        kept = {*cursors, *self._came_again}
        for cursor in cursors:
            self.rolled.setdefault(cursor, []).append(slot)
        self._labels = {cursor: labels for cursor, labels in self._labels.items() if cursor in kept}

    def noted_labels(self) -> tuple[dict[str, list[str]], list[str]]:
        """Return the labels that are remembered, by cursor, and the cursors that came again."""
        return {cursor: sorted(labels) for cursor, labels in self._labels.items()}, sorted(self._came_again)

    def note_labels(self, labels: Mapping[str, Iterable[str]], came_again: Iterable[str]) -> None:
        """Remember labels as ``noted_labels`` returned them."""
        self._labels = {cursor: set(listed) for cursor, listed in labels.items()}
        self._came_again = set(came_again)

    def corrected_by(self, number: int) -> int:
        """Return the slot in which one was played again; 0 where it was not."""
        slot = self.slots.get(number)
        if slot is None or not slot.undone:
            return 0
        return next((other for other, one in self.slots.items() if one.corrects == number), 0)

    def take_back(self, slot: Slot) -> None:
        """Take a slot, with what it rolled, out of the line of play."""
        slot.undone_by = self.newest_slot
        if self._labels:
            for roll in slot.rolls:
                self._labels.get(roll.label.partition("/")[0], set()).discard(roll.label)

    def used_words(self, seat: str) -> Mapping[str, int]:
        """Return the luck words a seat has used, with the slot of each."""
        return self.words.get(seat, {})

    def fail(self, code: str, where: str, message: str, detail: str = "") -> None:
        """Note that something does not hold; end the reading where there is too much of it."""
        self.findings.append(Finding(code, where, message, detail))
        if len(self.findings) >= MAX_FINDINGS:
            raise EndOfReading

    def warn(self, where: str, message: str) -> None:
        """Note something that is no error and worth knowing."""
        if len(self.warnings) < MAX_FINDINGS:
            self.warnings.append(Finding("W", where, message))

    def end(self, code: str, where: str, message: str) -> NoReturn:
        """Note what makes it impossible to read on, and end the reading."""
        self.findings.append(Finding(code, where, message))
        raise EndOfReading
