"""The one byte string of a record, and nothing else that could stand for it (docs/protocol.md, section 2).

Decides what a canonical record is: a subset of RFC 8785. What the fields of a record mean is decided in
``records``.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from typing import Any, NoReturn

from pbem.core.normal import is_crowded, nfc, too_new
from pbem.core.regex import regex

MAX_FILE = 16 * 1024 * 1024
MAX_DEPTH = 16
MAX_WHOLE = 2**53

_KEY = regex(r"[a-z][a-z0-9_]{0,31}")
_CONTROL = regex("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
# A string always matches as a whole, closed or not, so hostile text costs one pass and no more.
_TOKEN = regex(r'"(?:[^"\\]+|\\.)*+"?|[\[\]{}]', re.DOTALL)


class NotCanonical(Exception):
    """The bytes or the value are not a canonical record; the text says why."""


def _refuse(reason: str) -> NoReturn:
    raise NotCanonical(reason)


def _check_text(text: str) -> None:
    if _CONTROL.search(text):
        _refuse("text with control characters or surrogates")
    if is_crowded(text):
        _refuse("text with more than 30 accents on one letter")
    if nfc(text) != text:
        _refuse("text that is not in normal form NFC")


def _check(value: object, depth: int) -> None:
    if isinstance(value, str):
        if not (value.isascii() and value.isprintable()):
            _check_text(value)
    elif isinstance(value, bool):
        return
    elif isinstance(value, int):
        if not -MAX_WHOLE < value < MAX_WHOLE:
            _refuse("a number of 2^53 or more")
    elif isinstance(value, dict | list | tuple | Mapping):
        if depth == MAX_DEPTH:
            _refuse(f"nested more than {MAX_DEPTH} deep")
        if isinstance(value, list | tuple):
            inner: Iterable[object] = value
        else:
            for key in value:
                if not isinstance(key, str) or not _KEY.fullmatch(key):
                    _refuse(f"the key {key!r:.60}")
            inner = value.values()
        for item in inner:
            _check(item, depth + 1)
    else:
        _refuse(f"a value of the kind {type(value).__name__}")


def encode(record: Mapping[str, Any]) -> bytes:
    """Return the canonical bytes of a record, line end included; raise NotCanonical for a value that has
    none.
    """
    if not isinstance(record, Mapping):
        _refuse("not an object")
    _check(record, 0)
    return _ENCODER.encode(record).encode() + b"\n"


def too_new_in(value: object) -> str:
    """Return the first letter in a value that Unicode 13.0 does not have, or nothing: read it is, and none is
    written any more.
    """
    if isinstance(value, str):
        return too_new(value)
    inner = value.values() if isinstance(value, Mapping) else value if isinstance(value, list | tuple) else ()
    return next(filter(None, map(too_new_in, inner)), "")


def _not_whole(_: str) -> NoReturn:
    _refuse("a number that is not whole")


_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False)
_DECODER = json.JSONDecoder(parse_float=_not_whole, parse_constant=_not_whole)


def decode(data: bytes) -> dict[str, Any]:
    """Return the record whose canonical bytes these are; raise NotCanonical for any other bytes, whatever
    they are.
    """
    if len(data) > MAX_FILE:
        _refuse("more than 16 MiB")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        _refuse("not UTF-8")
    depth = 0
    shallow = text.count("{") + text.count("[") <= MAX_DEPTH
    for token in () if shallow else _TOKEN.finditer(text):
        first = token[0][0]
        if first in "[{":
            depth += 1
            if depth > MAX_DEPTH:
                _refuse(f"nested more than {MAX_DEPTH} deep")
        elif first in "]}":
            depth -= 1
    try:
        value = _DECODER.decode(text)
    except ValueError:
        _refuse("not JSON")
    if not isinstance(value, dict):
        _refuse("not an object")
    if encode(value) != data:
        _refuse("the bytes are not the canonical ones")
    return value


def record_id(data: bytes) -> str:
    """Return the id of a record: the SHA-256 of its bytes, in full, lower-case hex."""
    return hashlib.sha256(data).hexdigest()
