"""The head of a game as an entry of a log, and what a log says about the history of a copy.

A head is the id of a record with its number, signed by the GM for just this use: nobody else can have one
entered as his, and nobody can pass off another paper of his (a receipt, a pack) as one. What an entry shows
to strangers is the name of the game, how many records it has, and when each came; no order, no name of a
player, nothing of the position. What a log proves is decided here and nowhere else: a fork is two heads with
one number, both signed by the key that the GM had for it.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from pbem.core.regex import regex
from pbem.proof.archive import content, gm_namespace, sig_path
from pbem.proof.history import Ledger
from pbem.proof.signing import (
    BadKey,
    BadSignature,
    PublicKey,
    armor,
    parse_public,
    sign,
    signer_of,
    unarmor,
    verify,
)
from pbem.proof.tiles import MAX_ENTRY, BadLog

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

FIRST_LINE: Final = "pbem-head/1"
MAX_CLAIMS: Final = 20_000
"""Heads of one game that are looked at: a long game has a few hundred records."""
_HEAD: Final = regex(
    rb"pbem-head/1\ngame ([a-z0-9-]{8,40})\nn ([1-9][0-9]{0,4})\nid ([0-9a-f]{64})\nsig "
    rb"([A-Za-z0-9+/]{1,600}={0,2})\n"
)


class BadHead(Exception):
    """An entry that is no head, or one that nobody signed; the text says which."""


def head_namespace(game: str) -> str:
    """Return the namespace in which a GM signs heads for logs."""
    return f"pd1-head/{game}"


def statement(game: str, n: int, id_: str) -> bytes:
    """Return what the GM signs: the first lines of the entry."""
    return f"{FIRST_LINE}\ngame {game}\nn {n}\nid {id_}\n".encode()


class Head(Struct, frozen=True):
    """A head as it stands in a log: record ``n`` of a game, its id, and by which key that was signed."""

    game: str
    n: int
    id: str
    key: PublicKey
    data: bytes


def make_head(private: Ed25519PrivateKey, game: str, n: int, id_: str) -> bytes:
    """Return the entry for a record, signed by the GM; the same each time."""
    said = statement(game, n, id_)
    return said + b"sig " + base64.b64encode(unarmor(sign(private, head_namespace(game), said))) + b"\n"


def peek(data: bytes) -> Head | None:
    """Return the head that an entry says it is, or None.

    Nothing is proved by it: ``read_head`` checks the signature.
    """
    match = _HEAD.fullmatch(data) if len(data) <= MAX_ENTRY else None
    if match is None:
        return None
    try:
        blob = base64.b64decode(match[4], validate=True)
        key = signer_of(armor(blob))
    except (BadSignature, binascii.Error):
        return None
    return (
        Head(match[1].decode(), int(match[2]), match[3].decode(), key, data)
        if base64.b64encode(blob) == match[4]
        else None
    )


def read_head(data: bytes) -> Head:
    """Return the head that an entry is; BadHead where it is none, or its signature does not hold."""
    head = peek(data)
    if head is None:
        raise BadHead("it is no head of a game")
    said, _, signature = data.rpartition(b"sig ")
    try:
        key = parse_public(head.key.line)
        verify(
            key, head_namespace(head.game), hashlib.sha512(said).digest(), armor(base64.b64decode(signature))
        )
    except (BadSignature, BadKey):
        raise BadHead("its signature does not hold") from None
    return head


def game_of(entry: bytes) -> str:
    """Return the game that an entry says it is of; empty where it is no head. Nothing is proved by it."""
    match = _HEAD.fullmatch(entry)
    return match[1].decode() if match else ""


class OwnHead(Struct, frozen=True):
    """A record of a copy: its number and id, what it is for people, the GM's key for it, and whether that
    signed it.
    """

    n: int
    id: str
    said: str
    key: PublicKey | None
    signed: bool


def own_heads(ledger: Ledger) -> tuple[OwnHead, ...]:
    """Return the records of a copy as far as it could be read."""
    found: list[OwnHead] = []
    key: PublicKey | None = None
    for n, read in enumerate(ledger.records, 1):
        record = read.record
        if n == 1:
            key = _key(record)
        found.append(OwnHead(n, read.id, read.said, key, _is_signed(ledger, read.path, key)))
        if _renews(record):
            key = _key(record)
    return tuple(found)


def _renews(record: Mapping[str, Any]) -> bool:
    return bool(record["type"] == "rekey" and record["of"] == "gm" and "key" in record)


def _key(record: Mapping[str, Any]) -> PublicKey | None:
    try:
        return parse_public(str(record["key"]))
    except BadKey:
        return None


def _is_signed(ledger: Ledger, path: str, key: PublicKey | None) -> bool:
    data, armored = content(ledger.archive, path), content(ledger.archive, sig_path(path))
    if key is None or data is None or armored is None:
        return False
    try:
        verify(
            key, gm_namespace(ledger.game), hashlib.sha512(data).digest(), armored.decode("ascii", "replace")
        )
    except BadSignature:
        return False
    return True


class Fork(Struct, frozen=True):
    """Two heads with one number, both signed by the GM: the id in this copy (empty: it does not go so far),
    and those in the log.
    """

    n: int
    own: str
    others: tuple[tuple[int, str], ...]
    """Of each: its number in the log, from 0, and its id."""


class Judged(Struct, frozen=True):
    """What a log says of a copy's history.

    ``logged`` is at which number in the log each record of the copy is first found. ``ahead`` is the last
    record that the log has beyond the copy, 0 if none. ``strangers`` are heads of a game with this name by
    other keys, which accuse nobody; ``renewed`` are heads by a key that had been renewed when they were
    entered, which whoever has the old key can make; ``unsigned`` are records of the copy that are others in
    the log and that the GM did not sign: it is the copy that proves nothing there.
    """

    own: tuple[OwnHead, ...]
    logged: Mapping[int, int]
    forks: tuple[Fork, ...]
    ahead: int
    strangers: tuple[Head, ...]
    renewed: tuple[int, ...]
    unsigned: tuple[int, ...]

    def newest(self, size: int) -> OwnHead | None:
        """Return the last record of the copy that is among the first ``size`` entries of the log; None if
        none is.

        What comes before it in the copy is bound by it, for each record names the one before.
        """
        return next((own for own in reversed(self.own) if self.logged.get(own.n, size) < size), None)


def heads_of(entries: Sequence[bytes], game: str) -> Iterator[tuple[int, Head]]:
    """Yield what says that it is a head of a game among the entries of a log, with their numbers; nobody has
    looked at signatures yet.
    """
    begins = f"{FIRST_LINE}\ngame {game}\n".encode()
    for index, entry in enumerate(entries):
        head = peek(entry) if entry.startswith(begins) else None
        if head is not None:
            yield index, head


def _signed(found: Iterable[tuple[int, Head]], keys: set[PublicKey | None]) -> Iterator[tuple[int, Head]]:
    """Yield, each once, the heads that their keys did sign; those of keys that count for nothing here are not
    looked at.

    A log that is full of what only claims to be one is BadLog: behind so much anything could be hidden.
    """
    seen: set[bytes] = set()
    for index, head in found:
        if head.data in seen:
            continue
        if head.key in keys:
            seen.add(head.data)
            if len(seen) > MAX_CLAIMS:
                raise BadLog("flood", "tile/entries")
            try:
                read_head(head.data)
            except BadHead:
                continue
        yield index, head


def judge(ledger: Ledger, found: Iterable[tuple[int, Head]]) -> Judged:
    """Return what the heads of a log (``heads_of``) say about the history of a copy; BadLog where there are
    too many to be true.
    """
    own = own_heads(ledger)
    entered = list(_signed(found, {*(one.key for one in own), _newest_key(ledger, own)}))
    logged: dict[int, int] = {}
    for index, head in entered:
        if head.n <= len(own) and (head.id, head.key) == (own[head.n - 1].id, own[head.n - 1].key):
            logged.setdefault(head.n, index)
    until = _until(ledger, own, logged)
    newest = _newest_key(ledger, own)
    others: dict[int, dict[str, int]] = {}
    strangers: list[Head] = []
    renewed: list[int] = []
    for index, head in entered:
        if head.n in logged and head.id == own[head.n - 1].id:
            continue
        if head.key != (own[head.n - 1].key if head.n <= len(own) else newest):
            strangers.append(head)
        elif index > until.get(head.key, index):
            renewed.append(index)
        else:
            others.setdefault(head.n, {}).setdefault(head.id, index)

    unsigned: list[int] = []
    forks: list[Fork] = []
    for n, ids in sorted(others.items()):
        here = own[n - 1] if n <= len(own) else None
        if (here is not None and here.signed) or len(ids) > 1:
            mine = here.id if here is not None and here.signed else ""
            forks.append(Fork(n, mine, tuple((at, id_) for id_, at in ids.items())))
        elif here is not None:
            unsigned.append(n)
    ahead = max((n for n in others if n > len(own)), default=0)
    return Judged(own, logged, tuple(forks), ahead, tuple(strangers), tuple(renewed), tuple(unsigned))


def _until(ledger: Ledger, own: Sequence[OwnHead], logged: Mapping[int, int]) -> dict[PublicKey, int]:
    """Return for keys that the GM renewed where in the log that was entered: what they sign after it is worth
    nothing.
    """
    found: dict[PublicKey, int] = {}
    for one, read in zip(own, ledger.records, strict=True):
        if _renews(read.record) and one.key is not None and one.n in logged:
            found.setdefault(one.key, logged[one.n])
    return found


def _newest_key(ledger: Ledger, own: Sequence[OwnHead]) -> PublicKey | None:
    if not own:
        return None
    last = ledger.records[len(own) - 1].record
    return _key(last) if _renews(last) else own[-1].key
