"""Which program played which slots, as the ledger says it: manifest, ``next`` where the engine changed, the
note of a last result.

A record that announces an engine was written by that engine; so were the slots after it, until another is
announced.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from pbem.core.regex import regex
from pbem.proof.history import Ledger
from pbem.proof.ruled import CORRECT, RULE

BY_RULES: Final = ("result", CORRECT)
"""The records of slots that a program played by the rules."""
_NOTE = regex(r"played by ([!-~]{1,60}) ([!-~]{1,60}) sha256 ([0-9a-f]{64})")


class Engine(Struct, frozen=True):
    """A program: its name, its version, the digest of its modules."""

    name: str
    version: str
    sha256: str

    def __str__(self) -> str:
        """Return how people call it: ``pbem 0.1.0 (engine 8f547bc5)``."""
        return f"{self.name} {self.version} (engine {self.sha256[:8]})"


class Played(Struct, frozen=True):
    """Slots one after the other that one program played."""

    engine: Engine
    first: int
    last: int


def engine_of(said: Mapping[str, Any]) -> Engine:
    """Return an engine as a record has it."""
    return Engine(str(said["name"]), str(said["version"]), str(said["sha256"]))


def note(engine: Engine) -> str:
    """Return the part of a note that names the program that played a slot."""
    return f"played by {engine.name} {engine.version} sha256 {engine.sha256}"


def is_note(part: str) -> bool:
    """Tell whether a part of a note names a program."""
    return _NOTE.fullmatch(part) is not None


def named(record: Mapping[str, Any]) -> Engine | None:
    """Return the engine that a record names, or None."""
    announced = record.get("next", {}).get("engine")
    if announced is not None:
        return engine_of(announced)
    parts = (
        (_NOTE.fullmatch(part) for part in str(record.get("note", "")).split("; "))
        if record["type"] in BY_RULES
        else ()
    )
    found = next((part for part in parts if part is not None), None)
    return None if found is None else Engine(found[1], found[2], found[3])


def newest(ledger: Ledger) -> Engine:
    """Return the engine that was named last."""
    return engine_of(ledger.manifest["engine"]) if ledger.engine is None else Engine(*ledger.engine)


def played(ledger: Ledger) -> tuple[Played, ...]:
    """Return who played which slots that have a result, in order; the first is who began the game, with slot
    0 for its start.
    """
    if not ledger.records:
        return ()
    known = engine_of(ledger.manifest["engine"])
    found = [Played(known, 0, 0)]
    for read in ledger.records:
        known = named(read.record) or known
        if read.record["type"] == "start":
            found = [Played(known, 0, 0)]
        if read.record["type"] in (*BY_RULES, RULE):
            slot = int(read.record["slot"])
            if found[-1].engine == known:
                found[-1] = replace(found[-1], last=slot)
            else:
                found.append(Played(known, slot, slot))
    return tuple(found)


def engine_at(spans: Sequence[Played], slot: int) -> Engine:
    """Return who played a slot that has a result (0: who began the game), of the spans of its ledger."""
    return spans[bisect_left(spans, slot, key=lambda one: one.last)].engine
