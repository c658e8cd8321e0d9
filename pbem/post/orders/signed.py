"""Signed orders and signed records in a letter: two attachments, an armour, or the file in the clear with its
signature below.

It decides what belongs together and whether it arrived as it was sent, and mends nothing: of the bytes that
were signed not one is changed. A text in the body may differ from the file in the empty lines at its end
only; there the signature itself tells which it was. Whether it is the right key, game and turn is decided by
whoever takes it in.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from pbem.core.problem import Problem
from pbem.core.regex import regex
from pbem.post.lines.message import File, Origin
from pbem.post.lines.rows import Row
from pbem.post.orders import armour
from pbem.post.orders.armour import BadArmour
from pbem.proof import signing
from pbem.proof.canonical import NotCanonical
from pbem.proof.canonical import decode as decode_record
from pbem.proof.orderfile import FIRST_LINE, MAX_ORDERS, BadOrderFile, parse
from pbem.text.source import read

__all__ = ["Signed", "in_files", "in_rows", "is_signature", "is_signed"]

_BEGIN, _END = "-----BEGIN SSH SIGNATURE-----", "-----END SSH SIGNATURE-----"
_RECORDS: Final = ("join", "go", "consent")
_DAMAGE: Final = frozenset(
    {
        "yaml.bom",
        "yaml.utf-16",
        "yaml.not-utf-8",
        "yaml.line-ends",
        "yaml.tab",
        "yaml.line-separator",
        "yaml.space",
        "yaml.invisible",
    }
    | {
        "yaml.control",
        "yaml.typographic",
        "yaml.typographic-quote",
        "yaml.not-normal",
        "yaml.header-version",
        "yaml.header-end",
    }
)
"""Mistakes that nobody types into a file that he signs: they come about on the way."""
_BASE64: Final = regex(r"[A-Za-z0-9+/=]+")


class Signed(Struct, frozen=True):
    """A signed thing of a letter: an order file, or (``record``) a join, a go or a consent with its
    signature in one.

    Or ``problem``: why not.
    """

    data: bytes = b""
    signature: bytes | None = None
    record: bool = False
    where: str = ""
    origins: tuple[Origin, ...] = ()
    problem: Problem | None = None
    numbers: frozenset[int] = frozenset()
    """The lines of the letter that it took up."""


def is_signed(data: bytes) -> bool:
    """Tell whether a file is, or was, a signed order file."""
    return data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"#pd1-")


def is_signature(data: bytes) -> bool:
    """Tell whether a file is a signature and nothing else."""
    bare = data.lstrip(b"\xef\xbb\xbf \t\r\n")
    return len(data) < 16_384 and bare.startswith(_BEGIN.encode())


# --- attachments


def in_files(files: Sequence[File]) -> list[Signed]:
    """Return every signed order file and every record among the files of a letter; the same one once."""
    found: list[Signed] = []
    signatures = [file for file in files if is_signature(file.data)]
    orders = [file for file in files if is_signed(file.data)]
    for file in orders:
        found.append(_paired(file, signatures, alone=len({one.data for one in orders}) == 1))
    for file in files:
        if (
            file not in orders
            and file not in signatures
            and (record := _record_file(file, signatures)) is not None
        ):
            found.append(record)
    return _once(found)


def _once(found: Sequence[Signed]) -> list[Signed]:
    kept: dict[tuple[bytes, bytes | None], Signed] = {}
    for one in found:
        kept.setdefault((one.data, one.signature) if one.problem is None else (one.where.encode(), None), one)
    return list(kept.values())


def _paired(file: File, signatures: Sequence[File], alone: bool) -> Signed:
    """Return an order file with the signature of its name, or with the only one there is."""
    own = [one for one in signatures if _stem(one.name) in (file.name, _stem(file.name))]
    if not own and alone and len({one.data for one in signatures}) == 1:
        own = list(signatures)
    if not own:
        return Signed(
            where=file.name,
            problem=Problem("mail.signed-missing", {"file": file.name, "wanted": f"{file.name}.sig"}),
        )
    signature = _armored(own[0].data.decode("ascii", "replace"))
    if (problem := damage(file.data, signature, file.name)) is not None:
        return Signed(where=file.name, problem=problem)
    return Signed(file.data, signature, False, file.name, origins_of(file.data))


def _stem(name: str) -> str:
    """Return the name of what a signature signs: without ``.sig``, and what programs put behind it."""
    low = name.lower()
    for ending in (".sig.txt", ".sig", ".asc", ".txt.asc"):
        if low.endswith(ending):
            return name[: -len(ending)]
    return name


def _record_file(file: File, signatures: Sequence[File]) -> Signed | None:
    """Return the join, go or consent in a file; its signature stands in it, or in a file of its name."""
    data = file.data.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n")
    if not data.lstrip().startswith(b'{"') or len(data) > MAX_ORDERS:
        return None
    record, begin, rest = data.partition(_BEGIN.encode())
    signature = (begin + rest).decode("ascii", "replace")
    own = [one for one in signatures if _stem(one.name) in (file.name, _stem(file.name))]
    if not begin and own:
        signature = own[0].data.decode("ascii", "replace")
    return _record(record.rstrip(b"\n") + b"\n", signature, file.name)


def _record(record: bytes, signature: str, where: str) -> Signed | None:
    """Return a record and its signature as one; None where it is no join, go or consent."""
    if not any(f'"type":"{kind}"'.encode() in record for kind in _RECORDS):
        return None
    try:
        kind = decode_record(record).get("type")
    except NotCanonical:
        return Signed(where=where, problem=Problem("mail.record-broken", {"file": where}))
    if kind not in _RECORDS:
        return None
    return Signed(
        record + _armored(signature) if signature else record, None, True, where, origins_of(record)
    )


# --- texts


def in_rows(rows: Sequence[Row | None], where: str = "") -> list[Signed]:
    """Return the signed things in somebody's own lines; ``None`` stands where lines of others were."""
    found: list[Signed] = []
    own = [row for row in rows if row is not None]
    text = "\n".join(row.text for row in own)
    if "PD1" in text and "ORDERS" in text:
        found += _armours(own, text, where)
    if found:
        return _once(found)
    at = 0
    while at < len(rows):
        row = rows[at]
        begins = "" if row is None else row.text.lstrip("\ufeff").strip()
        if begins.startswith("#pd1-orders/"):
            one, at = _clear(rows, at, where)
            found.append(one)
        elif begins.startswith('{"'):
            one_record, at = _clear_record(rows, at, where)
            found += [one_record] if one_record else []
        else:
            at += 1
    return _once(found)


def _armours(own: Sequence[Row], text: str, where: str) -> list[Signed]:
    found = []
    for begin, end in armour.spans(text):
        first, last = text.count("\n", 0, begin), text.count("\n", 0, end)
        numbers = frozenset(row.number for row in own[first : last + 1])
        try:
            inside = armour.decode(text[begin:end])
        except BadArmour as bad:
            problem = Problem(f"mail.armour-{bad.reason}", {"line": own[first].number})
            found.append(Signed(where=where, problem=problem, numbers=numbers))
            continue
        name = where or "orders.txt"
        signature = (
            None if inside.signature is None else _armored(inside.signature.decode("ascii", "replace"))
        )
        wrong = damage(inside.data, signature, name)
        origins = origins_of(inside.data)
        found.append(Signed(inside.data, signature, False, where, origins, wrong, numbers))
    return found


def _clear(rows: Sequence[Row | None], at: int, where: str) -> tuple[Signed, int]:
    """Return the order file in the clear that begins on a line, with the signature below it, and the line
    behind both.
    """
    begin = at
    while at < len(rows) and (row := rows[at]) is not None and not row.text.startswith(_BEGIN):
        at += 1
    inside = [row for row in rows[begin:at] if row is not None]
    name = where or "orders.txt"
    numbers = frozenset(row.number for row in inside)
    if at >= len(rows) or rows[at] is None:
        problem = Problem("mail.signed-missing", {"file": name, "wanted": f"{name}.sig"})
        return Signed(where=where, problem=problem, numbers=numbers), at
    signature, behind = _signature_below(rows, at)
    numbers |= {row.number for row in rows[at:behind] if row is not None}
    while inside and not inside[-1].text:
        inside.pop()
    text = "\n".join(row.text for row in inside)
    empty = at - begin - len(inside)
    tries = [
        f"{text}\n".encode("utf-8", "surrogatepass"),
        *(
            f"{text}{ends}".encode("utf-8", "surrogatepass")
            for ends in ("", *("\n" * (n + 2) for n in range(min(empty, 4))))
        ),
    ]
    data = next((one for one in tries if holds(one, signature)), tries[0])
    wrong = damage(data, signature, name)
    origins = tuple(row.origin() for row in inside)
    return Signed(data, signature, False, where, origins, wrong, numbers), behind


def _clear_record(rows: Sequence[Row | None], at: int, where: str) -> tuple[Signed | None, int]:
    row = rows[at]
    assert row is not None
    below = at + 1
    while below < len(rows) and (next_ := rows[below]) is not None and next_.blank:
        below += 1
    signature, behind = b"", at + 1
    if below < len(rows) and (next_ := rows[below]) is not None and next_.text.startswith(_BEGIN):
        signature, behind = _signature_below(rows, below)
    if not signature and any(
        near is not None and near.text.startswith(_BEGIN) for near in rows[at + 1 : at + 8]
    ):
        numbers = frozenset([row.number])
        return Signed(
            where=where, problem=Problem("mail.record-broken", {"file": where or "record"}), numbers=numbers
        ), behind
    found = _record(
        row.text.strip().encode("utf-8", "surrogatepass") + b"\n", signature.decode("ascii"), where
    )
    if found is None:
        return None, behind
    numbers = frozenset(one.number for one in rows[at:behind] if one is not None)
    return Signed(found.data, None, True, where, (row.origin(),), found.problem, numbers), behind


def _signature_below(rows: Sequence[Row | None], at: int) -> tuple[bytes, int]:
    """Return the signature that begins on a line, as it was written, and the line behind it; how it was
    broken into lines is nothing.
    """
    lines: list[str] = []
    while at < len(rows) and (row := rows[at]) is not None and len(lines) < 100:
        lines.append(row.text)
        at += 1
        if _END in row.text:
            break
    return _armored("\n".join(lines)), at


def _armored(text: str) -> bytes:
    """Return an armored signature in the one form that is accepted; as it came where it is none."""
    inside = text.partition(_BEGIN)[2].partition(_END)[0]
    letters = "".join(inside.split())
    if letters and _BASE64.fullmatch(letters):
        try:
            return signing.armor(base64.b64decode(letters, validate=True)).encode()
        except binascii.Error:
            pass
    return text.encode("ascii", "replace")


# --- is it as it was


def holds(data: bytes, signature: bytes) -> bool:
    """Tell whether these are the very bytes that were signed, with whatever key: nothing is proved by it but
    that they are whole.
    """
    try:
        armored = signature.decode("ascii")
        signing.verify(
            signing.signer_of(armored), signing.namespace_of(armored), hashlib.sha512(data).digest(), armored
        )
    except (signing.BadSignature, signing.BadKey, UnicodeDecodeError, ValueError):
        return False
    return True


def damage(data: bytes, signature: bytes | None, name: str) -> Problem | None:
    """Return why a signed file did not arrive as it was sent, or None."""
    try:
        parse(data)
    except BadOrderFile as bad:
        return Problem(
            "mail.signed-header",
            {"file": name, "reason": bad.reason, "line": bad.line},
            help=f"#{FIRST_LINE[1:]}",
        )
    wrong = next(
        (problem for problem in read(data, name, allow_header=True).problems if problem.code in _DAMAGE), None
    )
    if wrong is not None:
        return Problem("mail.signed-damaged", {"file": name, "line": int(wrong.path[1])}, wrong.path)
    if signature is None:
        return None
    try:
        readable = bool(signing.namespace_of(signature.decode("ascii", "replace")))
    except signing.BadSignature:
        readable = False
    if readable and not holds(data, signature):
        return Problem("mail.signed-broken", {"file": name})
    return None


def origins_of(data: bytes) -> tuple[Origin, ...]:
    """Return the places of a file's lines in itself."""
    lines = data.decode("utf-8", "replace").replace("\r\n", "\n").split("\n")
    return tuple(Origin(number, line, tuple(range(len(line) + 1))) for number, line in enumerate(lines, 1))
