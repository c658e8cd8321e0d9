"""Mending what the ledger rests on: line ends, signatures, the newest record, files named by their hashes.

A file is changed only to what a signature or a signed hash says that it has to be. The one thing that is signed here is a record that
proves itself: the next record names it, or the same orders and values make the very same bytes again.
"""

from __future__ import annotations

import hashlib
import json
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Final

from pbem.proof.archive import PROOF_FOLDERS, content, gm_namespace, ledger_path, orders_path, sig_path
from pbem.proof.canonical import NotCanonical, decode
from pbem.proof.engines import newest
from pbem.proof.history import Finding, Ledger
from pbem.proof.ledger import read_ledger
from pbem.proof.records import check_form
from pbem.proof.signing import BadKey, BadSignature, load_private, namespace_of, public_of, sign, signer_of, verify
from pbem.referee.admit import begin_if_complete
from pbem.referee.bench import LINE_ENDS, MADE, PUBLISHED, SIGNED, Bench, unix
from pbem.referee.desk import Desk
from pbem.referee.game import Game, open_game
from pbem.referee.lock import lock_now
from pbem.referee.refusal import Refused
from pbem.referee.resolve import resolve_now
from pbem.store import mail
from pbem.store.gamedir import GameDir
from pbem.store.library import english, shipped_files

_RECORD: Final = re.compile(r"ledger/([0-9]{5})(?:-s([0-9]{4,5}))?-(manifest|start|lock|result|undo|rekey)\.json")
_AT: Final = re.compile(rb'"at":"([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z)"')
_ARMORED: Final = ("ledger", "seats", "receipts")


def said(key: str, **args: Any) -> str:
    """Return a sentence about mending."""
    return english().phrase(f"mend.{key}", **args)


# --- line ends


def line_ends(bench: Bench) -> None:
    """Put right the line ends of records, logs, states and signatures that have no meaning with those they have."""
    for path in list(bench):
        data = content(bench, path)
        if data is not None and b"\r\n" in data and _speaks_only_unix(path, data):
            bench.lay(LINE_ENDS, path, unix(data), said("line-ends"))


def _speaks_only_unix(path: str, data: bytes) -> bool:
    """Tell whether a file cannot be right as it is, and can with other line ends."""
    top = path.partition("/")[0]
    if path.endswith(".sig"):
        return not _is_armor(data) and _is_armor(unix(data))
    if path.endswith(".jsonl"):
        return top in ("rolls", "events")
    return path.endswith(".json") and top in (*_ARMORED, "state") and not _is_record(data) and _is_record(unix(data))


def _is_armor(data: bytes) -> bool:
    try:
        namespace_of(data.decode("ascii", "replace"))
    except BadSignature:
        return False
    return True


def _is_record(data: bytes) -> bool:
    try:
        decode(data)
    except NotCanonical:
        return False
    return True


def letters(bench: Bench, ledger: Ledger) -> None:
    """Put right the line ends of letters in the mail: those that are signed, and those that a lock names."""
    folder = bench.folder
    if folder is None:
        return
    locked = {entry.sha512 for slot in ledger.slots.values() for entry in slot.entries.values()}
    for path in folder.names("mail"):
        data, signature = folder.read(path) or b"", folder.read(sig_path(path)) or b""
        if path.endswith(".sig") or b"\r\n" not in data + signature:
            continue
        if b"\r\n" in signature and _is_armor(unix(signature)):
            bench.lay(LINE_ENDS, sig_path(path), unix(signature), said("line-ends"))
            signature = unix(signature)
        for other in (data, *_with_other_ends(data)):
            if hashlib.sha512(other).hexdigest() in locked or _is_signed(ledger, other, signature):
                if other != data:
                    bench.lay(LINE_ENDS, path, other, said("line-ends"))
                break


def _is_signed(ledger: Ledger, data: bytes, signature: bytes) -> bool:
    """Tell whether a signature of some seat's key, whatever it is for, is over these bytes."""
    armored, digest = signature.decode("ascii", "replace"), hashlib.sha512(data).digest()
    try:
        key = signer_of(armored)
        verify(key, namespace_of(armored), digest, armored)
    except BadSignature:
        return False
    return key in [seat.key for seat in ledger.seats.values()]


# --- what is named by a hash


def named_files(bench: Bench, ledger: Ledger) -> None:
    """Put the files that the manifest and the locks name in their places, where some file is here that fits."""
    for entry in ledger.manifest.get("files", ()):
        _fit(bench, str(entry["path"]), str(entry["sha256"]), hashlib.sha256, shipped_files(str(entry["path"])))
    kept = set(() if ledger.over else ledger.kept)
    for number, slot in sorted(ledger.slots.items()):
        for name, entry in sorted(slot.entries.items()):
            if entry.sha512 is not None:
                _orders(
                    bench, orders_path(name, number), name, number, entry.sha512, slot.result is not None and (name, number) not in kept
                )


def _fit(bench: Bench, path: str, digest: str, hash_: Callable[[bytes], Any], others: Iterator[bytes]) -> None:
    data = content(bench, path)
    if data is not None and hash_(data).hexdigest() == digest:
        return
    for other in _with_other_ends(data):
        if hash_(other).hexdigest() == digest:
            bench.lay(LINE_ENDS, path, other, said("line-ends"))
            return
    for other in others:
        if hash_(other).hexdigest() == digest:
            bench.lay(MADE, path, other, said("shipped"))
            return


def _with_other_ends(data: bytes | None) -> Iterator[bytes]:
    if data is not None and b"\n" in data:
        yield unix(data)
        yield unix(data).replace(b"\n", b"\r\n")


def _orders(bench: Bench, path: str, seat: str, slot: int, sha512: str, public: bool) -> None:
    """Put an order file, and its signature, in its place; one that is still in force is not published, only its signature is."""
    data = content(bench, path)
    right = data is not None and hashlib.sha512(data).hexdigest() == sha512
    came = [] if bench.folder is None else [one for one in mail.letters(bench.folder, slot) if (one.seat, one.sha512) == (seat, sha512)]
    if not right:
        for other in _with_other_ends(data):
            if hashlib.sha512(other).hexdigest() == sha512:
                bench.lay(LINE_ENDS, path, other, said("line-ends"))
                right = True
                break
    if not right and came and public:
        bench.lay(PUBLISHED, path, came[0].data, said("from-mail"))
    elif not right and came and data is not None:
        bench.set_aside(path, said("not-locked", slot=slot))
    signed = next((one.signature for one in came if one.signature is not None), None)
    if signed is not None and content(bench, sig_path(path)) is None:
        bench.lay(PUBLISHED, sig_path(path), signed, said("from-mail"))


# --- records and their signatures


def strangers(bench: Bench) -> None:
    """Set files aside that lie in the ledger and have no name of a record: copies of an editor, of a cloud, of a person.

    A record whose place is empty gets its name back.
    """
    for path in sorted(bench):
        if not path.startswith("ledger/") or _RECORD.fullmatch(path.removesuffix(".sig")):
            continue
        record = _record(content(bench, path) or b"")
        name = ledger_path(record["n"], record["type"], record.get("slot")) if check_form(record) is None and "n" in record else ""
        if name and name not in bench:
            bench.lay(MADE, name, bench[path], said("renamed", path=path))
        bench.set_aside(path, said("stranger"))


def records(desk: Desk, bench: Bench) -> Ledger:
    """Mend signatures of records, and the newest record; return the ledger as it reads then."""
    while True:
        ledger = read_ledger(bench)
        wrong = [one for one in ledger.findings if _RECORD.fullmatch(one.where)]
        if not wrong or not (_sign_named(desk, bench, ledger, wrong) or _newest(desk, bench, wrong)):
            break
    if wrong and wrong[0].code == "E04":
        _leave(bench, said("other-story", path=wrong[0].where))
    return ledger


def _sign_named(desk: Desk, bench: Bench, ledger: Ledger, wrong: list[Finding]) -> bool:
    """Sign again what the next record, which holds, names by its hash; tell whether anything was."""
    bad = {one.where: one.code for one in wrong}
    changed = False
    for read, following in zip(ledger.records, ledger.records[1:], strict=False):
        if bad.get(read.path) != "E02" or following.path in bad or following.record.get("prev") != read.id:
            continue
        signature = _signature(desk, ledger, bench[read.path])
        if signature is None:
            _leave(bench, said("no-key", path=read.path))
        elif content(bench, sig_path(read.path)) != signature:
            bench.lay(SIGNED, sig_path(read.path), signature, said("named-by", path=following.path))
            changed = True
    return changed


def _signature(desk: Desk, ledger: Ledger, data: bytes) -> bytes | None:
    """Return the signature of a record by a key that the GM has or had; None where this machine has none."""
    for kept in desk.keyring.keys(ledger.game):
        try:
            private = load_private(kept)
        except BadKey:
            continue
        if public_of(private) in ledger.gm_keys:
            return sign(private, gm_namespace(ledger.game), data).encode()
    return None


def _leave(bench: Bench, why: str) -> None:
    if why not in bench.left:
        bench.left.append(why)


def _newest(desk: Desk, bench: Bench, wrong: list[Finding]) -> bool:
    """Mend the newest record where it is the only one that does not hold: made again, signed again, or set aside; tell whether it was."""
    path = max((path for path in bench if _RECORD.fullmatch(path)), default="")
    found = _RECORD.fullmatch(path)
    if found is None or found[3] == "manifest" or any(one.where != path for one in wrong) or bench.folder is None:
        return False
    data, signature = content(bench, path), content(bench, sig_path(path))
    ledger = read_ledger(_Without(bench, path))
    if data is not None and signature is not None and _holds(ledger, data, signature):
        return False
    made = _made_again(desk, bench, path, found[3], ledger, data or b"")
    # A signature that is one, and is over other bytes, says that the record was changed: then it is not signed as it lies there.
    if made is not None and made[0] == data and not _is_armor(signature or b""):
        bench.lay(SIGNED, sig_path(path), made[1], said("same-bytes"))
    elif made is not None and signature is not None and _holds(ledger, made[0], signature):
        bench.lay(MADE, path, made[0], said("same-bytes"))
    elif signature is not None:
        _leave(bench, said("changed", path=path))
        return False
    elif not desk.keyring.keys(ledger.game):
        _leave(bench, said("no-key", path=path))
        return False
    else:
        bench.set_aside(path, said("half-record", verb=_VERBS[found[3]]))
    return True


_VERBS: Final[Mapping[str, str]] = {
    "start": "admit",
    "lock": "lock",
    "result": "resolve",
    "undo": "undo",
    "rekey": "keys rekey",
}
"""Record -> the verb that writes it."""


class _Without:
    """An archive without one record."""

    def __init__(self, below: Bench, path: str) -> None:
        self._below, self._path = below, path

    def __iter__(self) -> Iterator[str]:
        return (path for path in self._below if path != self._path)

    def __contains__(self, path: object) -> bool:
        return path != self._path and path in self._below

    def __getitem__(self, path: str) -> bytes:
        if path == self._path:
            raise KeyError(path)
        return self._below[path]


def _holds(ledger: Ledger, data: bytes, signature: bytes) -> bool:
    """Tell whether a signature is one of the GM over these bytes."""
    digest = hashlib.sha512(data).digest()
    for key in ledger.gm_keys:
        try:
            verify(key, gm_namespace(ledger.game), digest, signature.decode("ascii", "replace"))
        except BadSignature:
            continue
        return True
    return False


def _made_again(desk: Desk, bench: Bench, path: str, kind: str, ledger: Ledger, data: bytes) -> tuple[bytes, bytes] | None:
    """Return what the verb that writes the newest record makes of the same orders at the same time, with its signature; None if nothing.

    Done in a folder that is thrown away.
    """
    at = _AT.search(data)
    if at is None:
        return None
    moment = at[1].decode()
    quiet = replace(desk, clock=lambda: moment, engine=lambda: _engine_of(ledger, data), insists=True, tell=lambda problem: None)
    with tempfile.TemporaryDirectory(prefix="pbem-mend-") as scratch:
        room = GameDir(Path(scratch) / "game")
        for name in bench:
            if name.partition("/")[0] in PROOF_FOLDERS and name not in (path, sig_path(path)):
                room.put(name, bench[name])
        assert bench.folder is not None
        for name in bench.folder.names("mail"):
            room.put(name, bench.folder.read(name) or b"")
        try:
            _do(quiet, open_game(room.root), kind, data)
        except Refused:
            return None
        record, signature = room.read(path), room.read(sig_path(path))
    return None if record is None or signature is None else (record, signature)


def _do(desk: Desk, game: Game, kind: str, data: bytes) -> None:
    if kind == "start":
        begin_if_complete(desk, game)
    elif kind == "lock":
        lock_now(desk, game, deadline=True)
    elif kind == "result":
        given = _record(data).get("beacon", {})
        told = json.dumps({"round": given.get("round"), "signature": given.get("sig")}).encode()
        resolve_now(desk, game, pictures=False, fetch=lambda chain, number: iter([("the record", told)]))


def _record(data: bytes) -> dict[str, Any]:
    try:
        return decode(data)
    except NotCanonical:
        return {}


def _engine_of(ledger: Ledger, data: bytes) -> Mapping[str, str]:
    """Return the engine that a newest record was written by: the one it names, else the one named before."""
    named: Mapping[str, str] | None = _record(data).get("next", {}).get("engine")
    return asdict(newest(ledger)) if named is None else named
