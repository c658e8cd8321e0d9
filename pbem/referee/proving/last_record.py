"""The newest record of a ledger, damaged or lost: the same orders and values at the same time give the very
same bytes again.

What went out is known by its id (``store.sent_records``), so nothing else is ever put in its place. A record
that was changed is not signed.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from msgspec import to_builtins
from msgspec.structs import replace

from pbem.core.regex import regex
from pbem.proof.archive import PROOF_FOLDERS, content, gm_namespace, ledger_path, sig_path
from pbem.proof.canonical import NotCanonical, decode, record_id
from pbem.proof.engines import newest
from pbem.proof.history import Finding, Ledger
from pbem.proof.ledger import read_ledger
from pbem.proof.signing import BadSignature, is_signed, namespace_of
from pbem.referee.game.bench import MADE, SIGNED, Bench, said
from pbem.referee.game.environment import Environment
from pbem.referee.game.game import Game, open_game
from pbem.referee.game.refusal import Refused
from pbem.referee.turn.admit import begin_if_complete
from pbem.referee.turn.lock import lock_now
from pbem.referee.turn.resolve import resolve_now
from pbem.store import sent_records
from pbem.store.gamedir import GameDir
from pbem.store.sent_records import SentRecord

RECORD: Final = regex(
    r"ledger/([0-9]{5})(?:-s([0-9]{4,5}))?-(manifest|start|lock|result|undo|rekey|time|word|rule|correct)\.json"
)
_AT: Final = regex(rb'"at":"([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z)"')
_VERBS: Final[Mapping[str, str]] = {
    "start": "admit",
    "lock": "lock",
    "result": "resolve",
    "undo": "undo",
    "rekey": "keys rekey",
    "time": "umpire",
    "word": "umpire",
    "rule": "umpire rule",
    "correct": "umpire correct",
}
"""Record -> the verb that writes it."""


def mend(env: Environment, bench: Bench, wrong: list[Finding]) -> bool:
    """Mend the newest record where it is the only one that does not hold: made again, signed again, or set
    aside; tell whether it was.
    """
    path = max((path for path in bench if RECORD.fullmatch(path)), default="")
    found = RECORD.fullmatch(path)
    if (
        found is None
        or found[3] == "manifest"
        or any(one.where != path for one in wrong)
        or bench.root is None
    ):
        return False

    data, signature = content(bench, path) or b"", content(bench, sig_path(path)) or b""
    ledger = read_ledger(_Without(bench, path))
    if _holds(ledger, data, signature):
        return False
    known = _known(env, bench, ledger).get(int(found[1]))
    if known is not None:
        if _put_back(env, bench, ledger, path, known):
            return True
        bench.leave(said("changed", path=path))
        return False

    at = _AT.search(data)
    for record, signed in (
        () if at is None else _made_again(env, bench, path, found[3], ledger, data, at[1].decode())
    ):
        # A signature that is one, and is over other bytes, says that the record was changed: then it is not
        # signed as it lies there.
        if record == data and not is_armor(signature):
            bench.lay(SIGNED, sig_path(path), signed, said("same-bytes"))
            return True
        if _holds(ledger, record, signature):
            bench.lay(MADE, path, record, said("same-bytes"))
            return True

    if signature:
        bench.leave(said("changed", path=path))
        return False
    if not env.keyring.keys(ledger.game):
        bench.leave(said("no-key", path=path))
        return False
    bench.set_aside(path, said("half-record", verb=_VERBS[found[3]]))
    return True


def bring_back(env: Environment, bench: Bench, ledger: Ledger) -> bool:
    """Make the record again that is known to have gone out right after the newest one here; tell whether it
    was.
    """
    known = (
        _known(env, bench, ledger).get(ledger.next_n) if bench.root is not None and ledger.records else None
    )
    return known is not None and _put_back(
        env, bench, ledger, ledger_path(known.n, known.kind, known.slot or None), known
    )


def _known(env: Environment, bench: Bench, ledger: Ledger) -> dict[int, SentRecord]:
    """Return the records that are known to have gone out, by their numbers."""
    assert bench.root is not None
    return {
        one.n: one
        for path in (bench.root / sent_records.FILE, env.keyring.told_file(ledger.game))
        for one in sent_records.read(path)
    }


def _put_back(env: Environment, bench: Bench, ledger: Ledger, path: str, known: SentRecord) -> bool:
    """Make a record again that went out; tell whether it came out as it went out."""
    for record, signed in _made_again(
        env, bench, path, known.kind, ledger, content(bench, path) or b"", known.at
    ):
        if record_id(record) == known.id:
            for name, what, data in ((path, MADE, record), (sig_path(path), SIGNED, signed)):
                if content(bench, name) != data:
                    bench.lay(what, name, data, said("same-bytes"))
            return True
    return False


def is_armor(data: bytes) -> bool:
    """Tell whether these bytes are an armored signature, whatever it is worth."""
    try:
        namespace_of(data.decode("ascii", "replace"))
    except BadSignature:
        return False
    return True


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
    return is_signed(ledger.gm_keys, gm_namespace(ledger.game), hashlib.sha512(data).digest(), signature)


def _made_again(
    env: Environment, bench: Bench, path: str, kind: str, ledger: Ledger, data: bytes, at: str
) -> Iterator[tuple[bytes, bytes]]:
    """Yield what the verb that writes a newest record makes of the same orders at a time, with its signature.

    It names the engine that the record names, or the one named before, or this one. Done in folders that are
    thrown away.
    """
    named = record_in_bytes(data).get("next", {}).get("engine")
    engines = [named] if named is not None else [to_builtins(newest(ledger)), dict(env.engine())]
    for engine in engines[: 1 if engines[0] == engines[-1] else 2]:
        made = _made_by(env, bench, path, kind, data, at, engine)
        if made is not None:
            yield made


def _made_by(
    env: Environment, bench: Bench, path: str, kind: str, data: bytes, at: str, engine: Mapping[str, str]
) -> tuple[bytes, bytes] | None:
    quiet = replace(env, clock=lambda: at, engine=lambda: engine, insists=True, tell=lambda problem: None)
    with tempfile.TemporaryDirectory(prefix="pbem-mend-") as scratch:
        room = GameDir(Path(scratch))
        for name in bench:
            if name.partition("/")[0] in PROOF_FOLDERS and name not in (path, sig_path(path)):
                room.put(name, bench[name])
        folder = bench.folder
        if folder is not None:
            for name in folder.names("mail"):
                room.put(name, folder.read(name) or b"")
        try:
            _do(quiet, open_game(room.root, anew=True), kind, data)
        except Refused:
            return None
        record, signature = room.read(path), room.read(sig_path(path))
    return None if record is None or signature is None else (record, signature)


def _do(env: Environment, game: Game, kind: str, data: bytes) -> None:
    if kind == "start":
        begin_if_complete(env, game)
    elif kind == "lock":
        lock_now(env, game, deadline=True)
    elif kind == "result":
        given = record_in_bytes(data).get("beacon", {})
        told = json.dumps({"round": given.get("round"), "signature": given.get("sig")}).encode()
        resolve_now(env, game, pictures=False, fetch=lambda chain, number: iter([("the record", told)]))


def record_in_bytes(data: bytes) -> dict[str, Any]:
    """Return the record that bytes are; an empty one where they are none."""
    try:
        return decode(data)
    except NotCanonical:
        return {}
