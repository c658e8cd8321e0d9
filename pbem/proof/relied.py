"""What the GM relied on for whose letter something was: parts of the notes of the ledger (docs/protocol.md,
section 6).

A seat without a key proves nothing about its letters. What there was instead (its address, its code, a
signature of its mail provider) is the GM's word, and stands where everybody can read that it was given.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from pbem.core.normal import is_crowded, is_hidden, nfc, too_new
from pbem.core.regex import regex
from pbem.proof.history import Ledger
from pbem.proof.records import NOTE

_PART = regex(r"relied on for ([a-z][a-z0-9]{0,15}): ([^;]{1,200})")


class Relied(Struct, frozen=True):
    """For a seat's letter in a slot (0: its join), in the GM's words."""

    slot: int
    seat: str
    said: str


def note(relied: Mapping[str, str]) -> str | None:
    """Return the note of a record that says for each seat what was relied on; None where nothing was."""
    parts = [f"relied on for {seat}: {_plain(said)}" for seat, said in sorted(relied.items()) if said]
    return "; ".join(parts)[:NOTE] or None


def _plain(said: str) -> str:
    """Return words that may stand in a record: a name or an address of a stranger is never a reason to write
    none.
    """
    flat = said.replace(";", ",")
    return (
        nfc("".join("?" if is_hidden(letter) or too_new(letter) else letter for letter in flat))
        if not is_crowded(flat)
        else ascii(flat)
    )


def is_note(part: str) -> bool:
    """Tell whether a part of a note says what was relied on."""
    return _PART.fullmatch(part) is not None


def relied(ledger: Ledger, slot: int | None = None) -> tuple[Relied, ...]:
    """Return what the notes of a ledger say was relied on, in its order; with ``slot`` what those of its
    records say, and no other is read.
    """
    found = []
    named = "" if slot is None else f"-s{slot:04d}-"
    for read in ledger.records:
        if named not in read.path:
            continue
        parts = str(read.record.get("note", "")).split("; ")
        for match in filter(None, map(_PART.fullmatch, parts)):
            if match[1] in ledger.seats:
                found.append(Relied(int(str(read.record.get("slot", 0))), match[1], match[2]))
    return tuple(found)
