"""Mending what the ledger rests on: line ends, signatures, the newest record, files named by their hashes.

A file is changed only to what a signature or a signed hash says that it has to be. The one thing that is
signed here is a record that proves itself: the next record names it, or the same orders and values make the
very same bytes again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from typing import Any

from pbem.proof.archive import content, gm_namespace, ledger_path, orders_path, sig_path
from pbem.proof.history import Finding, Ledger
from pbem.proof.ledger import read_ledger
from pbem.proof.records import check_form
from pbem.proof.signing import (
    BadKey,
    BadSignature,
    load_private,
    namespace_of,
    public_of,
    sign,
    signer_of,
    verify,
)
from pbem.proof.textmode import restored
from pbem.referee.game.bench import LINE_ENDS, MADE, PUBLISHED, SIGNED, Bench, said, unix
from pbem.referee.game.environment import Environment
from pbem.referee.proving import last_record
from pbem.referee.proving.last_record import RECORD, is_armor, record_in_bytes
from pbem.store import received
from pbem.store.library import shipped_files

# --- line ends


def line_ends(bench: Bench) -> None:
    """Put right what a copy in text mode did: to files of the proof, to their signatures, and to events,
    which are of one kind.
    """
    for path, before in restored(bench).items():
        bench.lay(LINE_ENDS, path, before, said("line-ends"))
    for path in list(bench):
        data = content(bench, path)
        if data is not None and b"\r\n" in data and _speaks_only_unix(path, data):
            bench.lay(LINE_ENDS, path, unix(data), said("line-ends"))


def _speaks_only_unix(path: str, data: bytes) -> bool:
    """Tell whether a file that no hash names means the same with other line ends, and had them when it was
    made.
    """
    return (
        is_armor(unix(data))
        if path.endswith(".sig")
        else path.startswith("events/") and path.endswith(".jsonl")
    )


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
        if b"\r\n" in signature and is_armor(unix(signature)):
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
    """Put the files that the manifest and the locks name in their places, where some file
    is here that fits.
    """
    for entry in ledger.manifest.get("files", ()):
        _fit(
            bench, str(entry["path"]), str(entry["sha256"]), hashlib.sha256, shipped_files(str(entry["path"]))
        )
    kept = set(() if ledger.over else ledger.kept)
    for number, slot in sorted(ledger.slots.items()):
        for name, entry in sorted(slot.entries.items()):
            if entry.sha512 is not None:
                _orders(
                    bench,
                    orders_path(name, number),
                    name,
                    number,
                    entry.sha512,
                    slot.result is not None and (name, number) not in kept,
                )


def _fit(
    bench: Bench, path: str, digest: str, hash_: Callable[[bytes], Any], others: Iterator[bytes]
) -> None:
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
    """Put an order file, and its signature, in its place; one that is still in force is not published, only
    its signature is.
    """
    data = content(bench, path)
    right = data is not None and hashlib.sha512(data).hexdigest() == sha512
    came = (
        []
        if bench.folder is None
        else [one for one in received.letters(bench.folder, slot) if (one.seat, one.sha512) == (seat, sha512)]
    )
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
    """Set files aside that lie in the ledger and have no name of a record: copies of an editor, of a cloud,
    of a person.

    A record whose place is empty gets its name back.
    """
    for path in sorted(bench):
        if not path.startswith("ledger/") or RECORD.fullmatch(path.removesuffix(".sig")):
            continue
        record = record_in_bytes(content(bench, path) or b"")
        name = (
            ledger_path(record["n"], record["type"], record.get("slot"))
            if check_form(record) is None and "n" in record
            else ""
        )
        if name and name not in bench:
            bench.lay(MADE, name, bench[path], said("renamed", path=path))
        bench.set_aside(path, said("stranger"))


def records(env: Environment, bench: Bench) -> Ledger:
    """Mend signatures of records, and the newest record; return the ledger as it reads then."""
    while True:
        ledger = read_ledger(bench)
        wrong = [one for one in ledger.findings if RECORD.fullmatch(one.where)]
        if wrong and not (_sign_named(env, bench, ledger, wrong) or last_record.mend(env, bench, wrong)):
            break
        if not wrong and not last_record.bring_back(env, bench, ledger):
            break
    if wrong and wrong[0].code == "E04":
        bench.leave(said("other-story", path=wrong[0].where))
    return ledger


def _sign_named(env: Environment, bench: Bench, ledger: Ledger, wrong: list[Finding]) -> bool:
    """Sign again what the next record, which holds, names by its hash; tell whether anything was."""
    bad = {one.where: one.code for one in wrong}
    changed = False
    for read, following in zip(ledger.records, ledger.records[1:], strict=False):
        if bad.get(read.path) != "E02" or following.path in bad or following.record.get("prev") != read.id:
            continue
        signature = _signature(env, ledger, bench[read.path])
        if signature is None:
            bench.leave(said("no-key", path=read.path))
        elif content(bench, sig_path(read.path)) != signature:
            bench.lay(SIGNED, sig_path(read.path), signature, said("named-by", path=following.path))
            changed = True
    return changed


def _signature(env: Environment, ledger: Ledger, data: bytes) -> bytes | None:
    """Return the signature of a record by a key that the GM has or had; None where this machine has none."""
    for kept in env.keyring.keys(ledger.game):
        try:
            private = load_private(kept)
        except BadKey:
            continue
        if public_of(private) in ledger.gm_keys:
            return sign(private, gm_namespace(ledger.game), data).encode()
    return None
