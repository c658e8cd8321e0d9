"""The records of rulings and corrections (R21, R22), and what a consent to one names (R23)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

from pbem.proof.canonical import encode

if TYPE_CHECKING:
    from pbem.proof.patching import Patch

Record = dict[str, Any]
RULE: Final = "rule"
CORRECT: Final = "correct"
RULED: Final = frozenset((RULE, CORRECT))
"""The records that are a slot by themselves, without a lock."""
NOT_CONSENTED_TO: Final = frozenset(("n", "at", "prev", "consents", "note", "kept", "next"))
"""What is in such a record beside that which a consent names."""


def act_of(record: Mapping[str, Any]) -> str:
    """Return what a consent to a ruling or a correction names: a digest of all that it does, and why."""
    said = {key: value for key, value in record.items() if key not in NOT_CONSENTED_TO}
    return hashlib.sha256(b"pd1/act\n" + encode(said)).hexdigest()


def _common(kind: str, game: str, n: int, prev: str, at: str) -> Record:
    return {"type": kind, "game": game, "n": n, "prev": prev, "at": at}


def rule(
    *,
    game: str,
    n: int,
    prev: str,
    at: str,
    slot: int,
    patch: Patch,
    state: str,
    consents: Mapping[str, str],
    why: str,
    kept: Iterable[tuple[str, int]],
    following: Mapping[str, Any] | None,
) -> Record:
    """Return a ruling (rule R21) in the open ``slot``; ``state`` is that which ``patch`` leads to."""
    made = _common(RULE, game, n, prev, at)
    made |= {"slot": slot, "patch": [dict(change) for change in patch], "state": state, "why": why}
    return _ruled(made, consents, kept, following)


def correct(
    *,
    game: str,
    n: int,
    prev: str,
    at: str,
    slot: int,
    corrects: int,
    orders: Mapping[str, str],
    patch: Patch,
    rolls: str,
    phases: Iterable[str],
    state: str,
    consents: Mapping[str, str],
    why: str,
    kept: Iterable[tuple[str, int]],
    following: Mapping[str, Any] | None,
    note: str | None = None,
) -> Record:
    """Return a correction (rule R22) of slot ``corrects``; ``orders`` maps each seat with another file to its
    SHA-512, ``patch`` changes the state before it (empty: it stays).
    """
    made = _common(CORRECT, game, n, prev, at)
    made |= {"slot": slot, "corrects": corrects, "rolls": rolls, "phases": list(phases), "state": state}
    made |= {"orders": [{"seat": seat, "sha512": orders[seat]} for seat in sorted(orders)], "why": why}
    if patch:
        made["patch"] = [dict(change) for change in patch]
    made |= {} if note is None else {"note": note}
    return _ruled(made, consents, kept, following)


def _ruled(
    made: Record,
    consents: Mapping[str, str],
    kept: Iterable[tuple[str, int]],
    following: Mapping[str, Any] | None,
) -> Record:
    made["consents"] = [{"consent": consents[seat], "seat": seat} for seat in sorted(consents)]
    still = [{"seat": seat, "slot": number} for seat, number in sorted(kept)]
    if still:
        made["kept"] = still
    return made if following is None else {**made, "next": dict(following)}
