"""What a letter's DKIM signature (RFC 6376) says of where it comes from: evidence to be kept beside it, never
a reason to believe it.

Decides within which bounds a signature is looked at at all, and how its result is told; dkimpy works it out,
where it is installed. The public key is kept with the result, for it will be gone from the name server when
somebody asks.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Mapping
from typing import Any, Final

PASS, FAIL, NONE = "pass", "fail", "none"
PART, NO_SENDER, NO_KEY, NO_FIT, MALFORMED = "part", "no-sender", "no-key", "no-fit", "malformed"
PATIENCE: Final = 4.0
"""Seconds for the name server, for each key."""
_SIGNATURES: Final = 3
"""How many signatures of a letter are looked at: one of its sender, and those of who carried it."""
_KEY: Final = 1_500
"""Characters of a public key: one of 4,096 bits has about 800, and a much larger one would take minutes."""
_SIZE: Final = 2 * 1024 * 1024
_HEAD, _FIELD, _FIELDS, _LINES = 65_536, 4_096, 500, 100_000
_BLANKS: Final = 20_000_000
"""The squares of all runs of blanks together: that is how long dkimpy takes for them."""

Lookup = Callable[[str], str]
"""What gives the TXT record of a name, or nothing."""


def evidence(raw: bytes, sender: str, lookup: Lookup | None = None) -> Mapping[str, str | bool] | None:
    """Return what the best signature of a letter says, or None where there is none or dkimpy is not
    installed.

    ``sender`` is the address that the letter is taken to come from. The result has ``domain`` and
    ``selector`` of the signature,
    ``result`` (pass, fail, or none where it says nothing), ``aligned`` (it is that of the sender's own
    domain), ``record`` (the public key as the name server has it) and ``why`` (where it did not pass: a word
    whose sentence is the phrase ``dkim.<why>``).
    """
    count = _signatures(raw)
    if count == 0:
        return None
    try:
        dkim = importlib.import_module("dkim")
    except ImportError:
        return None
    ask = lookup or _ask
    found = [_one(dkim, raw, index, sender, ask) for index in range(min(count, _SIGNATURES))]
    # The best first: one that passed and is the sender's, one that passed, one of the sender.
    return max(found, key=lambda one: (one["result"] == PASS, one["aligned"], one["result"] == FAIL))


def _signatures(raw: bytes) -> int:
    """Return how many signatures a letter has; none where looking at it would take too long."""
    if len(raw) > _SIZE or raw.count(b"\n") > _LINES:
        return 0
    head = re.split(rb"\r?\n\r?\n", raw[: _HEAD + 4], maxsplit=1)[0]
    fields = re.split(rb"\r?\n(?![ \t])", head)
    if len(head) > _HEAD or len(fields) > _FIELDS:
        return 0
    signatures = [field for field in fields if field[:15].lower() == b"dkim-signature:"]
    if any(len(field) > _FIELD for field in signatures):
        return 0
    if sum(len(run[0]) ** 2 for run in re.finditer(rb"[ \t]+", raw)) > _BLANKS:
        return 0
    return len(signatures)


def _one(dkim: Any, raw: bytes, index: int, sender: str, ask: Lookup) -> dict[str, str | bool]:
    """Return what one signature says."""
    records: list[str] = []

    def answer(name: object, timeout: float = PATIENCE) -> bytes:
        text = name.decode("ascii", "replace") if isinstance(name, bytes) else str(name)
        records.append("")
        record = ask(text.rstrip("."))
        records[-1] = record if len(record) <= _KEY and record.isascii() and record.isprintable() else ""
        return records[-1].encode()

    result, why, domain, selector, aligned = NONE, "", "", "", False
    try:
        letter = dkim.DKIM(raw, timeout=PATIENCE)
        if letter.verify_headerprep(index):
            fields = letter.signature_fields
            domain, selector = (_text(fields.get(name, b"")) for name in (b"d", b"s"))
            aligned = _is_of(sender, domain)
            if b"l" in fields:
                # Whatever is added below such a letter would still pass.
                why = PART
            elif b"from" not in letter.include_headers:
                why = NO_SENDER
            else:
                passed = letter.verify(index, dnsfunc=answer)
                missing = not records or not records[-1]
                result = PASS if passed else NONE if missing else FAIL
                why = "" if passed else NO_KEY if missing else NO_FIT
    # A signature is somebody's text, and dkimpy raises almost anything over a bad one, or a key that is none.
    except Exception:
        result, why = (FAIL, NO_FIT) if records and records[-1] else (NONE, NO_KEY if records else MALFORMED)
    return {
        "domain": domain,
        "selector": selector,
        "result": result,
        "aligned": aligned,
        "record": records[-1] if records else "",
        "why": why,
    }


def _text(data: bytes) -> str:
    text = data.decode("ascii", "replace")
    return re.sub(r"[^\x20-\x7e]", "?", text)[:253]


def _is_of(sender: str, domain: str) -> bool:
    """Tell whether a domain speaks for an address: it is its own, or one above it.

    One below it may be anybody's page on a free host.
    """
    own = sender.rpartition("@")[2].lower()
    claimed = domain.lower().rstrip(".")
    return bool(claimed) and "." in claimed and (own == claimed or own.endswith(f".{claimed}"))


def _ask(name: str) -> str:
    """Return the TXT record of a name from the name server, or nothing."""
    try:
        resolver = importlib.import_module("dns.resolver")
        answer = resolver.resolve(name, "TXT", lifetime=PATIENCE, search=False)
        return b"".join(next(iter(answer)).strings).decode("ascii", "replace")
    # No name, no server, no answer in time, no such package: in each case there is no key.
    except Exception:
        return ""
