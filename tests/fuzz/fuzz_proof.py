"""Fuzzing whatever the proof reads from strangers: signatures, records, headers of order files, archives,
rounds of the beacon, letters.

    .venv/bin/python tests/fuzz/fuzz_proof.py KIND tests/fuzz/proof        # with atheris installed; KIND as
    in KINDS

Each ``try_`` holds one reader to its promises: an answer or a declared refusal, nothing else, in bounded time
and memory. What was found, and what has broken other programs, lies in ``proof/`` by kind, and
``test_fuzz_proof.py`` tries it every time.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping

from pbem.proof import orderfile, signing
from pbem.proof.archive import BadFiles, MemoryArchive, parse_files
from pbem.proof.canonical import MAX_FILE, NotCanonical, decode, encode
from pbem.proof.ledger import read_ledger
from pbem.proof.own_mail import look_up, read_letters
from pbem.proof.records import check_form
from pbem.proof.verdict_words import luck_lines, unproven
from pbem.proof.verify import verify
from pbem.referee.turn.beacon import read_round
from pbem.store import zips


def try_signature(data: bytes) -> None:
    """Hold the reader of SSH signatures and keys to its promises."""
    text = data.decode("latin-1")
    try:
        namespace, key = signing.namespace_of(text), signing.signer_of(text)
    except signing.BadSignature:
        pass
    else:
        assert len(text) <= signing.MAX_ARMOR
        assert namespace.isascii()
        assert len(key.raw) == 32
        try:
            signing.verify(key, namespace, bytes(64), text)
        except signing.BadSignature as bad:
            assert bad.reason == "bytes"
    try:
        assert signing.parse_public(text).line == text
    except signing.BadKey as bad:
        assert bad.reason in ("form", "order")


def try_record(data: bytes) -> None:
    """Hold the reader of records to its promises: one text for one record, and a reason for every other."""
    try:
        record = decode(data)
    except NotCanonical as wrong:
        assert str(wrong)
        assert len(str(wrong)) < 200
        return
    assert encode(record) == data
    reason = check_form(record)
    assert reason is None or 0 < len(reason) < 20_000


def try_header(data: bytes) -> None:
    """Hold the reader of order files to its promises: what it reads can be written again."""
    try:
        file = orderfile.parse(data)
    except orderfile.BadOrderFile as bad:
        assert bad.reason
        assert 0 <= bad.line <= data.count(b"\n") + 1
        return
    assert len(data) <= orderfile.MAX_ORDERS
    assert data.endswith(file.yaml)
    end = b"\r\n" if b"\r\n" in data else b"\n"
    assert data[: len(data) - len(file.yaml)].count(end) == file.yaml_line_offset
    assert 1 <= file.slot <= 10_000
    assert file.has_value == (file.x is not None or file.luck is not None)


def try_zip(data: bytes) -> None:
    """Hold the reader of archives to its promises: no name leads out, no entry is larger than it says, and
    there is a verdict.
    """
    try:
        archive = zips.ZipArchive(data)
    except zips.BadZip as bad:
        assert bad.reason
        assert len(bad.entry) <= 80
        return
    total = 0
    for path in archive:
        assert path
        assert not path.startswith(("/", "."))
        assert ".." not in path.split("/")
        assert "\\" not in path
        try:
            total += len(archive[path])
        except KeyError:
            continue
    assert total <= zips.MAX_TOTAL
    verdict = verify(archive, replay=None)
    assert verdict.verdict in ("fail", "undecided")
    assert all(line.isprintable() for line in verdict.lines)


def try_archive(data: bytes) -> None:
    """Hold the reader of ledgers to its promises over files that stand in one text, each after a line ``===
    path``.
    """
    files = split(data)
    ledger = read_ledger(MemoryArchive(files))
    assert ledger.records or ledger.findings
    assert len(ledger.findings) <= 1001
    verdict = verify(MemoryArchive(files), replay=None)
    assert verdict.verdict in ("fail", "undecided")
    assert all(line.isprintable() for line in (*verdict.lines, *unproven(verdict), *luck_lines(verdict.luck)))
    if ledger.gm_keys:
        letters, others = read_letters(files)
        assert len(look_up(ledger, letters)) == len(letters)
        assert len(letters) + len(others) <= len(files)


def try_list(data: bytes) -> None:
    """Hold the reader of FILES to its promises."""
    try:
        listed = parse_files(data)
    except BadFiles as bad:
        assert str(bad)
        return
    assert "".join(f"{digest}  {path}\n" for path, digest in listed.items()).encode() == data


def try_round(data: bytes) -> None:
    """Hold the reader of what a relay answers to its promises."""
    signature = read_round(data, 1000)
    assert signature is None or len(bytes.fromhex(signature)) == 48


def split(data: bytes) -> dict[str, bytes]:
    """Return files that stand in one text, each after a line ``=== path``."""
    files: dict[str, bytes] = {}
    for part in data.split(b"=== ")[1:]:
        path, _, content = part.partition(b"\n")
        files[path.decode("latin-1")] = content[:MAX_FILE]
    return files


def joined(files: Mapping[str, bytes]) -> bytes:
    """Return files as one text."""
    return b"".join(b"=== " + path.encode("latin-1") + b"\n" + content for path, content in files.items())


KINDS: dict[str, Callable[[bytes], None]] = {
    "signature": try_signature,
    "record": try_record,
    "header": try_header,
    "zip": try_zip,
    "archive": try_archive,
    "list": try_list,
    "round": try_round,
}

if __name__ == "__main__":
    import atheris

    atheris.instrument_all()
    atheris.Setup([sys.argv[0], *sys.argv[2:]], KINDS[sys.argv[1]])
    atheris.Fuzz()
