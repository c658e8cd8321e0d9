"""Two copies of a game: one history, or a fork, which is two histories that the same game master signed.
Anything else shows nothing.

Whoever has a copy can change it, or make a game of the same name with a key of his own. So a difference
accuses the game master only where both copies have a record there with a good signature of his key.
"""

from __future__ import annotations

import hashlib
from typing import Final

from msgspec import Struct

from pbem.proof.archive import content, short_digest
from pbem.proof.history import Ledger
from pbem.proof.ledger import ledger_paths

SAME, FORK, UNSHOWN = "one history", "FORK", "no fork is shown"
EXIT_CODES: Final = {SAME: 0, FORK: 1, UNSHOWN: 3}


class Comparison(Struct, frozen=True):
    """What two copies show: ``word`` is one of those above, ``why`` says what a copy lacks to show more."""

    word: str
    game: tuple[str, str]
    heads: tuple[str, str]
    shared: int
    lengths: tuple[int, int]
    why: str = ""

    @property
    def same(self) -> bool:
        """Tell whether one history holds both: the shorter is the beginning of the longer."""
        return self.word == SAME

    @property
    def answer(self) -> int:
        """Return 0 for one history, 1 for a fork, 3 where nothing is shown."""
        return EXIT_CODES[self.word]


def compare(one: Ledger, other: Ledger) -> Comparison:
    """Return what two ledgers, as read, show of each other; the ledgers may hold or not."""
    pair = (one, other)
    ids = [_ids(ledger) for ledger in pair]
    shared = 0
    for mine, theirs in zip(*ids, strict=False):
        if mine != theirs:
            break
        shared += 1
    word, why = _judged(pair, (len(ids[0]), len(ids[1])), shared)
    heads = [short_digest(found[min(shared, len(found) - 1)]) if found else "-" for found in ids]
    return Comparison(
        word=word,
        game=(one.game, other.game),
        heads=(heads[0], heads[1]),
        shared=shared,
        lengths=(len(ids[0]), len(ids[1])),
        why=why,
    )


def _ids(ledger: Ledger) -> list[str]:
    """Return the ids of all records, also of those that could not be read."""
    return [
        hashlib.sha256(content(ledger.archive, path) or b"").hexdigest()
        for path in ledger_paths(ledger.archive)
    ]


def _judged(pair: tuple[Ledger, Ledger], lengths: tuple[int, int], shared: int) -> tuple[str, str]:
    if not min(lengths):
        return UNSHOWN, "one of the copies has no ledger"
    if shared == min(lengths):
        return SAME, ""
    one, other = pair
    if one.game != other.game:
        return UNSHOWN, f"two games, {one.game or '-'} and {other.game or '-'}"
    if one.manifest.get("key") != other.manifest.get("key"):
        return (
            UNSHOWN,
            "the copies begin with the keys of two game masters; anybody can make a game of that name",
        )
    for which, ledger in zip(("first", "second"), pair, strict=True):
        if len(ledger.records) <= shared or not ledger.records[shared].signed:
            said = f"record {shared + 1} of the {which} copy has no good signature of its game master"
            return UNSHOWN, f"{said}: it was changed, and anybody can do that"
    return FORK, ""
