"""What happened in a game beside its turns: slots taken back, new keys, words of the GM, other programs, his
notes. A line for each, in order.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

from pbem.proof import engines, relied
from pbem.proof.history import Ledger, Rekey
from pbem.proof.ruled import RULE, RULED
from pbem.proof.spoken import DRAW, END, SUBSTITUTE
from pbem.proof.timely import ABSENT, EXTEND

UNDO, REKEY, TIME, WORD, ENGINE, NOTE = "undo", "rekey", "time", "word", "engine", "note"
RULING = "ruling"
LONGEST: Final = 300
"""Characters of a text of the GM that are shown."""


class Act(Struct, frozen=True):
    """Something that a reader of a verdict has to know: what kind it is, the record it stands in, and how it
    is told.
    """

    kind: str
    where: str
    said: str


def acts(ledger: Ledger) -> tuple[Act, ...]:
    """Return what happened beside the turns, in the order of the ledger."""
    return tuple(_acts(ledger))


def _acts(ledger: Ledger) -> Iterator[Act]:
    rekeys = {rekey.path: rekey for rekey in ledger.rekeys}
    known: engines.Engine | None = None
    for read in ledger.records:
        record = read.record
        if record["type"] == "undo":
            yield Act(UNDO, read.path, _undo(ledger, record))
        elif read.path in rekeys:
            yield Act(REKEY, read.path, rekey_said(rekeys[read.path]))
        elif record["type"] in RULED:
            yield Act(RULING, read.path, _ruled(ledger, record))
        elif record["type"] == "time":
            yield Act(TIME, read.path, _time(record))
        elif record["type"] == "word":
            yield Act(WORD, read.path, _word(record))
        engine = (
            engines.engine_of(record["engine"]) if record["type"] == "manifest" else engines.named(record)
        )
        if engine is not None and known is not None and engine != known:
            yield Act(
                ENGINE, read.path, f"another program from {_since(record)} on: {engine}, before {known}"
            )
        known = engine or known
        note = "; ".join(
            part
            for part in str(record.get("note", "")).split("; ")
            if part and not engines.is_note(part) and not relied.is_note(part)
        )
        if note:
            yield Act(NOTE, read.path, f"note of the GM in {read.path}: {shortened(note)}")


def _since(record: Mapping[str, Any]) -> str:
    return f"slot {record['slot']}" if "slot" in record else "the start"


def _undo(ledger: Ledger, record: Mapping[str, Any]) -> str:
    first, last = int(record["to"]), int(record["slot"])
    slots = f"slot {first}" if first == last else f"slots {first} to {last}"
    why = f": {shortened(record['why'])}" if record["why"] else ""
    return f"undo of {slots}, {_consents([consent['seat'] for consent in record['consents']])}{why}"


def word_of(ledger: Ledger, record: Mapping[str, Any]) -> str:
    """Return on whose word a ruling or a correction stands."""
    seats = sorted(entry["seat"] for entry in record["consents"])
    left = [name for name in ledger.outside if name not in seats]
    if not seats:
        return "on the umpire's word"
    agreed = f"with the consent of {', '.join(seats)}"
    return f"{agreed}, and for {', '.join(left)} on the umpire's word" if left else agreed


def _ruled(ledger: Ledger, record: Mapping[str, Any]) -> str:
    why = f": {shortened(record['why'])}" if record["why"] else ""
    changes = len(record.get("patch", ()))
    patch = f"{changes} change{'s' * (changes != 1)} to the state"
    if record["type"] == RULE:
        what = f"ruling in slot {record['slot']}, {patch}"
    else:
        others = ", ".join(entry["seat"] for entry in record["orders"])
        what = f"slot {record['slot']} corrects slot {record['corrects']} with the same dice"
        what += f", other orders of {others}" * bool(others) + f", {patch}" * bool(changes)
    return f"{what}, {word_of(ledger, record)}{why}"


def _time(record: Mapping[str, Any]) -> str:
    what = {
        EXTEND: f"until {record.get('until')}",
        ABSENT: f"of {record.get('seat')}, {record.get('first')} to {record.get('last')}",
    }
    said = what.get(record["does"], "")
    why = f": {shortened(record['why'])}" if record["why"] else ""
    return f"{record['does']} {said}{' ' * bool(said)}at slot {record['slot']}, on the word of the GM{why}"


def _word(record: Mapping[str, Any]) -> str:
    was = f", before {record['was']}" if "was" in record else ""
    until = f", until {record['until']}" if "until" in record else ""
    what = {
        SUBSTITUTE: f"of {record.get('seat')} by {record.get('player')}{was}{until}",
        END: f"{record.get('how')}, {ending_said(record)}",
    }
    said = what.get(record["does"], "")
    why = f": {shortened(record['why'])}" if record["why"] else ""
    return f"{record['does']} {said}{' ' * bool(said)}at slot {record['slot']}, on the word of the GM{why}"


def ending_said(record: Mapping[str, Any]) -> str:
    """Return who won by a word that ends a game, and who asked for it: ``won by east, asked by west``."""
    winner = record.get("winner", "")
    by = f", asked by {', '.join(sorted(record['by']))}" if record.get("by") else ""
    return f"{f'won by {winner}' if winner else DRAW}{by}"


def _consents(seats: Sequence[str]) -> str:
    return f"consents of {', '.join(sorted(seats)) or 'nobody'}"


def rekey_said(rekey: Rekey) -> str:
    """Return how a rekey is told: for whom, from which slot, and on whose word."""
    begun = (
        f"rekey of {rekey.of}, from "
        f"{'what is announced next' if rekey.since is None else f'slot {rekey.since}'}"
    )
    if rekey.of == "gm":
        return f"{begun}: {_consents(rekey.others)}"
    if rekey.own:
        return f"{begun}: signed with his {rekey.own}"
    held = (
        "key"
        if rekey.key is not None
        else "values"
        if {"root", "anchor"} & set(rekey.record)
        else "recovery code"
    )
    return (
        f"{begun}: NOT signed by {rekey.of}, on the word of {others(rekey)}: whoever holds the new {held} "
        "may be the GM"
    )


def others(rekey: Rekey) -> str:
    """Return on whose word a rekey stands that the seat itself did not sign."""
    return ", ".join(("gm", *rekey.others))


def shortened(text: str) -> str:
    """Return a text of the GM in one line of bounded length."""
    line = " ".join(text.split())
    return line if len(line) <= LONGEST else line[: LONGEST - 1] + "…"
