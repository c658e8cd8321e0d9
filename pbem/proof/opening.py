"""The first two records of a ledger: the manifest, and the start with the joins that it lists
(docs/protocol.md, section 8, step 2).
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from pbem.proof.archive import content, join_namespace, join_path, state_path
from pbem.proof.canonical import record_id
from pbem.proof.dice_protocol import salt
from pbem.proof.history import EndOfReading, Ledger
from pbem.proof.known import TREES, fixed
from pbem.proof.pieces import check_signature, check_state, read_record
from pbem.proof.records import FIXED
from pbem.proof.rules import Seat
from pbem.proof.signing import BadKey, PublicKey, parse_public


def _seats(ledger: Ledger, path: str, record: Mapping[str, Any]) -> None:
    names = [seat["seat"] for seat in record["seats"]]
    if not names or len(set(names)) != len(names):
        ledger.end("E27", path, "a seat is listed twice, or none is")
    for seat in record["seats"]:
        if seat["by"] == "gm" and ("key" in seat or "go" in seat):
            ledger.end("E27", path, f"the seat {seat['seat']} is played by the GM and has a key or a go")
    paths = [file["path"] for file in record["files"]]
    if len(set(paths)) != len(paths):
        ledger.end("E27", path, "a file is listed twice")


def _key(ledger: Ledger, path: str, who: str, line: str) -> PublicKey | None:
    try:
        return parse_public(line)
    except BadKey as wrong:
        reason = "is not of prime order" if wrong.reason == "order" else "is not a line ssh-ed25519 AAAA…"
        ledger.fail("E03", path, f"the key of {who} {reason}")
        return None


def read_manifest(ledger: Ledger, path: str, record: Mapping[str, Any]) -> None:
    """Take over the manifest: seats (E27), keys (E03), the files it names (E00, E08)."""
    _seats(ledger, path, record)
    ledger.manifest = record
    ledger.gm_key = _key(ledger, path, "the GM", record["key"])
    used = {record["key"]}
    for seat in sorted(record["seats"], key=lambda seat: str(seat["seat"])):
        line = seat.get("key")
        key = None if line is None else _key(ledger, path, seat["seat"], line)
        if line in used:
            ledger.fail("E03", path, f"the key of {seat['seat']} is also somebody else's")
        if line is not None:
            used.add(line)
        ledger.seats[seat["seat"]] = Seat(
            seat["seat"], seat["side"], seat["by"], line, key, seat.get("go") == "always"
        )
    for file in record["files"]:
        data = content(ledger.archive, file["path"])
        if data is None:
            ledger.fail("E00", file["path"], "the manifest names it and it is missing")
        elif hashlib.sha256(data).hexdigest() != file["sha256"]:
            ledger.fail("E08", file["path"], "not the file that the manifest names")
    if ledger.gm_key is None:
        raise EndOfReading
    ledger.gm_keys.append(ledger.gm_key)
    ledger.signers += [
        ("gm", record["key"]),
        *((name, seat.key_line) for name, seat in sorted(ledger.seats.items()) if seat.key_line),
    ]
    ledger.known["gm"] = fixed(record[FIXED[ledger.revision]], ledger.revision)


def _join(ledger: Ledger, name: str) -> str:
    """Read the join of one seat and return its id; end the reading where there is none to read."""
    seat, path = ledger.seats[name], join_path(name)
    data = content(ledger.archive, path)
    if data is None:
        ledger.end("E00", path, "missing")
    record = read_record(ledger, path, "join", data)
    if record is None:
        raise EndOfReading
    if seat.key_line is not None:
        check_signature(
            ledger, path, [seat.key], join_namespace(ledger.game, name), hashlib.sha512(data).digest()
        )
    else:
        ledger.warn(path, f"the seat {name} has no key: its join and its orders are unsigned")
    if (record["game"], record["seat"], record["manifest"]) != (ledger.game, name, ledger.manifest_id):
        ledger.fail("E07", path, "joins another game, for another seat, or under another manifest")
    right = FIXED[ledger.revision]
    if "words" in record:
        pass
    elif right not in record:
        ledger.fail("E07", path, f"has no {right}, by which a seat of this game fixes its values")
    elif seat.key_line is None or ledger.profile == "gm":
        ledger.fail("E07", path, f"has {right}, which only a seat with a key has, and none in profile gm")
    else:
        ledger.known[name] = fixed(record[right], ledger.revision)
        ledger.joined[name] = record[right]
    if "recovery" in record:
        _recovery(ledger, path, seat, record["recovery"])
    return record_id(data)


def _recovery(ledger: Ledger, path: str, seat: Seat, line: str) -> None:
    """Take over the key of a recovery code: of a seat with a key (E07), and nobody's key already (E03)."""
    if seat.key_line is None or ledger.revision < TREES:
        ledger.fail("E07", path, "has a recovery key, which only a seat with a key has, and none in pd1.0")
        return
    used = {other for _, other in (*ledger.signers, *ledger.recoverers)}
    key = _key(ledger, path, f"the recovery code of {seat.name}", line)
    if line in used:
        ledger.fail("E03", path, f"the key of the recovery code of {seat.name} is also somebody's")
    ledger.recoverers.append((seat.name, line))
    if key is not None:
        ledger.recovery[seat.name] = key


def read_start(ledger: Ledger, path: str, record: Mapping[str, Any]) -> None:
    """Take over the start: every join, values that differ (E09), the list of joins and the
    first state (E08).
    """
    joins = {name: _join(ledger, name) for name in ledger.outside}
    if len(set(ledger.known.values())) != len(ledger.known):
        ledger.fail("E09", path, f"two parties have the same {FIXED[ledger.revision]}")
    listed = {(entry["seat"], entry["join"]) for entry in record["joins"]}
    if listed != set(joins.items()) or len(record["joins"]) != len(joins):
        ledger.fail("E08", path, "does not list the join of every outside seat, or lists another")
    check_state(ledger, path, state_path(0), record["state"])
    ledger.seed = salt(ledger.game, ledger.manifest_id, joins)
    ledger.state, ledger.state_slot = record["state"], 0
    ledger.started = True
