"""What lies in an archive: which of its files are of the game, and which somebody or some system laid beside
them.

A file is of the proof by its name and by nothing else: the protocol's own names, and those that the manifest
lists. Whatever else lies there is passed over and counts for nothing, so that neither a system that leaves
files of its own nor a person who keeps a note or a copy makes an honest game look broken.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, Final

from pbem.core.regex import regex
from pbem.proof.archive import PROOF_FOLDERS, SIGNERS, Archive

MOST_NAMES: Final = 8
"""So many names stand in a sentence; of the others it says how many they are."""

_SLOT: Final = "(?:000[1-9]|00[1-9][0-9]|0[1-9][0-9]{2}|[1-9][0-9]{3}|10000)"
_SEAT: Final = "[a-z][a-z0-9]{0,15}"
_RECORD: Final = regex(
    rf"ledger/[0-9]{{5}}-(?:s{_SLOT}-)?(?:manifest|start|lock|result|undo|rekey|time|word|rule|correct)\.json"
)
_RECEIPT: Final = regex(rf"receipts/s({_SLOT})-{_SEAT}-[0-9a-f]{{16}}\.json")
_ORDERS: Final = regex(rf"seats/{_SEAT}/orders-s({_SLOT})\.txt")
_GO: Final = regex(rf"seats/{_SEAT}/go-s({_SLOT})\.json")
_PAPER: Final = regex(rf"seats/{_SEAT}/(?:join|consent-[0-9a-f]{{16}})\.json")
_MADE: Final = regex(rf"rolls/s({_SLOT})\.jsonl|state/s(0000|{_SLOT})\.json")
_GIVEN: Final = regex(r"(?:scenario|tables)(?:/[A-Za-z0-9_][A-Za-z0-9._+-]*)+")
_SIGNED: Final = (_RECORD, _RECEIPT, _ORDERS, _GO, _PAPER)
_MANIFEST: Final = ("scenario/", "tables/")
_NAMES: Final = 1 << 12
"""Of so many names it is remembered what they are: who verifies asks of each of them again and again."""


def is_record(path: str) -> bool:
    """Tell whether a file has the name of a record of the ledger."""
    return _RECORD.fullmatch(path) is not None


@lru_cache(maxsize=_NAMES)
def is_signed_record(path: str) -> bool:
    """Tell whether a file has the name of a record that somebody signed: of the ledger, a join, a go, a
    consent, a receipt.
    """
    return any(form.fullmatch(path) for form in (_RECORD, _RECEIPT, _GO, _PAPER))


def is_orders(path: str) -> bool:
    """Tell whether a file has the name of an order file."""
    return _ORDERS.fullmatch(path) is not None


def is_receipt(path: str) -> bool:
    """Tell whether a file has the name of a receipt."""
    return _RECEIPT.fullmatch(path) is not None


def is_go(path: str) -> bool:
    """Tell whether a file has the name of a go."""
    return _GO.fullmatch(path) is not None


@lru_cache(maxsize=_NAMES)
def is_proof(path: str) -> bool:
    """Tell whether a file has a name of the protocol, or one that a manifest may list; FILES is a list of
    them and none of them.
    """
    bare = path.removesuffix(".sig")
    if any(form.fullmatch(bare) for form in _SIGNED):
        return True
    return path == SIGNERS or _MADE.fullmatch(path) is not None or _GIVEN.fullmatch(path) is not None


def slot_of(path: str) -> int:
    """Return the slot that a file of the proof is for by its name; 0 where it is for none, or is a record of
    the ledger.
    """
    bare = path.removesuffix(".sig")
    found = (
        _ORDERS.fullmatch(bare) or _GO.fullmatch(bare) or _RECEIPT.fullmatch(bare) or _MADE.fullmatch(path)
    )
    return int(next(filter(None, found.groups()))) if found else 0


def listed_by(manifest: Mapping[str, Any]) -> frozenset[str]:
    """Return the files of scenario and tables that a manifest lists."""
    return frozenset(file["path"] for file in manifest.get("files", ()))


def is_of_the_game(path: str, listed: frozenset[str]) -> bool:
    """Tell whether a file is of the proof of a game whose manifest lists these."""
    return path in listed if path.startswith(_MANIFEST) else is_proof(path)


def foreign(archive: Archive, listed: frozenset[str]) -> tuple[str, ...]:
    """Return the files that lie among those of the proof and are none of them, sorted;
    drafts may lie there.
    """
    among = sorted(
        path for path in archive if path.partition("/")[0] in PROOF_FOLDERS and "/drafts/" not in path
    )
    return tuple(path for path in among if not is_of_the_game(path, listed))


def named(paths: Iterable[str]) -> str:
    """Return some names for a sentence: the first few, and how many more there are."""
    every = list(paths)
    more = f" and {len(every) - MOST_NAMES} more" if len(every) > MOST_NAMES else ""
    return ", ".join(every[:MOST_NAMES]) + more
