"""New keys as players are told of them: whose they are and on whose word, in a line of the next report and of the status."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pbem.proof.amending import RECOVERY_CODE
from pbem.proof.history import Ledger, Rekey
from pbem.referee.rekey import GM
from pbem.store.library import english

REPORTED: Final = ("start", "result")
"""Records with a report of their own; what an undo tells is told again with the turn after it, for not everybody gets letters."""


def told_with(ledger: Ledger, path: str) -> tuple[Rekey, ...]:
    """Return the changes of keys since the report before a record, which its own one tells; without a path those since the last."""
    paths = [read.path for read in ledger.records]
    end = paths.index(path) if path in paths else len(paths)
    begin = max((n for n in range(end) if ledger.records[n].record["type"] in REPORTED), default=0)
    return tuple(rekey for rekey in ledger.rekeys if begin < paths.index(rekey.path) < end)


def said(rekey: Rekey, sides: Mapping[str, str]) -> str:
    """Return a change of keys in a sentence or two; ``sides`` has the name of the side of each seat."""
    words = english()
    others = [sides.get(name, name) for name in rekey.others]
    if rekey.of == GM:
        return words.phrase("rekeyed.gm", sides=others)
    who = sides.get(rekey.of, rekey.of)
    if rekey.own:
        return words.phrase("rekeyed.code" if rekey.own == RECOVERY_CODE else "rekeyed.own", side=who)
    return words.phrase("rekeyed.unsigned", side=who, sides=others)
