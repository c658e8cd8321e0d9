"""What the rules need to play a slot again from an archive (code E28, rule R14); the engine itself is called
by ``referee``.

``verify`` gives a ``GameToReplay`` to the function it was called with. That function loads the scenario from
``files`` and, for each slot in order, runs the rules on ``state_before`` with ``files``, dice that repeat
``recorded`` and draw all others from ``seed`` (``RecordedDice(slot.recorded, SeededDice(slot.seed))``), no
die at all where ``dice_allowed`` is False, and the answers in the files. It yields a ``Finding("E28", …)``
wherever the labels and values of ``rolls``, the ``phases``,
``state``, ``kept`` or ``next`` of ``result`` come out differently, and ``Finding("E00", …)`` where a file
that it needs is missing. Slots are independent: a state is found by its SHA-256, in the archive or among
those already computed.

The rules are those of the engine that played the slot (R14, ``engines``). Where another one plays, and comes
to something else or cannot play at all, nothing is shown of the game: it yields ``Finding(OPEN, …)``, which
leaves the verdict undecided.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from msgspec import Struct

from pbem.core.dice import Roll
from pbem.proof.archive import content, events_path, orders_path, state_path
from pbem.proof.engines import Played, played
from pbem.proof.history import Finding, Ledger, Slot
from pbem.proof.ruled import RULE
from pbem.proof.rules import Entry

OPEN: Final = "?"
"""The code of what nobody can say with this program: it fails nothing, and nothing passes with it."""


class FileInForce(Struct, frozen=True):
    """An order file that a slot uses: whose, locked in which slot, its bytes (with the header), and its
    place.
    """

    seat: str
    slot: int
    path: str
    data: bytes


class SlotToReplay(Struct, frozen=True):
    """What the ledger says of one slot with a result. ``announced`` is the ``next`` it answered: phase,
    waits, questions.

    ``files`` are those of its lock and those kept from earlier slots, by seat and slot. ``state_before`` is
    None where the archive leaves it out. ``rolls`` is the log of this slot, ``recorded`` what was rolled
    before in the phase it begins with. ``result`` is the record: ``phases``, ``state``, and perhaps ``kept``
    and ``next``.
    """

    number: int
    announced: Mapping[str, Any]
    entries: Mapping[str, Entry]
    files: tuple[FileInForce, ...]
    state_before: bytes | None
    state_before_sha256: str
    seed: bytes
    dice_allowed: bool
    recorded: tuple[Roll, ...]
    rolls: tuple[Roll, ...]
    result: Mapping[str, Any]
    result_path: str
    act: str = ""
    """``rule`` or ``correct`` where it is a slot by itself; ``result`` has its ``patch``."""
    first: int = 0
    """The slot that was first played where it is a correction, else its own number: files from there on are
    those of its lock.
    """
    state_after: bytes | None = None
    """The state and the events of the slot as the archive has them: to say where something differs, never to
    decide whether.
    """
    events: bytes | None = None


class GameToReplay(Struct, frozen=True):
    """A game to play again: its manifest, the files that the manifest names, the ``start`` record, its slots,
    and who played them.
    """

    manifest: Mapping[str, Any]
    files: Mapping[str, bytes]
    start: Mapping[str, Any]
    start_state: bytes | None
    slots: tuple[SlotToReplay, ...]
    engines: tuple[Played, ...]


Replay = Callable[[GameToReplay], Iterable[Finding]]


def in_force(ledger: Ledger, slot: Slot) -> tuple[tuple[str, int], ...]:
    """Return the files (seat, slot) that a slot uses: those of its lock, and those kept before it; a
    correction those of what it corrects, and its own instead of them.
    """
    own = {(name, slot.number) for name, entry in slot.entries.items() if entry.sha512 is not None}
    if not slot.corrects:
        return tuple(sorted(own | set(slot.kept_before)))
    other = {name for name, _ in own}
    before = in_force(ledger, ledger.slots[slot.corrects])
    return tuple(sorted(own | {file for file in before if file[0] not in other or file[1] < slot.first}))


def _state(ledger: Ledger, number: int, sha256: str) -> bytes | None:
    data = content(ledger.archive, state_path(number))
    return data if data is not None and hashlib.sha256(data).hexdigest() == sha256 else None


def slot_to_replay(ledger: Ledger, slot: Slot) -> SlotToReplay | None:
    """Return what is needed to play a slot again; None if it has no result, or a file that it uses is
    missing.
    """
    if slot.result is None or (slot.seed is None and slot.act != RULE):
        return None
    from pbem.proof.ruling import may_roll

    files: list[FileInForce] = []
    for seat, number in in_force(ledger, slot):
        path = orders_path(seat, number)
        data = content(ledger.archive, path)
        if data is None:
            return None
        files.append(FileInForce(seat, number, path, data))
    return SlotToReplay(
        number=slot.number,
        announced=slot.announced,
        entries=slot.entries,
        files=tuple(files),
        state_before=_state(ledger, slot.state_before_slot, slot.state_before),
        state_before_sha256=slot.state_before,
        seed=slot.seed or b"",
        dice_allowed=may_roll(ledger, slot),
        recorded=slot.recorded,
        rolls=slot.rolls,
        result=slot.result,
        result_path=slot.result_path,
        state_after=content(ledger.archive, state_path(slot.number)),
        events=content(ledger.archive, events_path(slot.number)),
        act=slot.act,
        first=slot.first or slot.number,
    )


def game_to_replay(ledger: Ledger) -> GameToReplay:
    """Return the game of a started ledger; slots that cannot be played again, for something is missing, are
    left out.
    """
    start = ledger.records[1].record
    paths = [str(file["path"]) for file in ledger.manifest["files"]]
    found = {path: content(ledger.archive, path) for path in paths}
    logged = (
        slot
        for _, slot in sorted(ledger.slots.items())
        if slot.log_holds and slot.phase not in ledger.unlogged
    )
    slots = (slot_to_replay(ledger, slot) for slot in logged)
    return GameToReplay(
        manifest=ledger.manifest,
        files={path: data for path, data in found.items() if data is not None},
        start=start,
        start_state=_state(ledger, 0, start["state"]),
        slots=tuple(slot for slot in slots if slot is not None),
        engines=played(ledger),
    )
