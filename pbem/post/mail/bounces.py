"""A letter that says that one of ours did not arrive: which, whose address it was, and why (RFC 3464, and
what older servers write).

Anybody can write such a letter; it is only ever told to the umpire, never acted on.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from email import message_from_bytes, policy
from email.message import Message
from typing import Final

from msgspec import Struct

from pbem.core.regex import regex
from pbem.text.characters import printable

__all__ = ["Bounce", "bounce"]

_MOST: Final = 262_144
_PARTS: Final = 40
_LONGEST: Final = 300
_STATUS: Final = regex(r"\b[45]\.[0-9]{1,3}\.[0-9]{1,3}\b|\b[45][0-9]{2}[ -]")
_ID: Final = regex(r"^Message-ID:\s*<([!-;=?-~]{1,250})>", re.IGNORECASE | re.MULTILINE)


class Bounce(Struct, frozen=True):
    """What did not arrive: the address, the reason in the words of the server, the id of our letter;
    ``delayed``: it is still tried.
    """

    address: str = ""
    why: str = ""
    id: str = ""
    delayed: bool = False


def bounce(raw: bytes, known: Collection[str]) -> Bounce:
    """Return what a bounce tells; what of it cannot be found out is empty.

    ``known`` are the addresses we write to, in small letters.
    """
    try:
        message = message_from_bytes(raw[:_MOST], policy=policy.compat32)
        parts = [part for part, _ in zip(message.walk(), range(_PARTS), strict=False)]
    except (ValueError, LookupError, RecursionError):
        return Bounce()
    text = "\n".join(_texts(parts))
    address, why, delayed = _reported(parts)
    if not address:
        failed = str(message.get("X-Failed-Recipients", "")).partition(",")[0].strip().lower()
        address = (
            failed if failed in known else next((one for one in sorted(known) if one in text.lower()), failed)
        )
    if not why:
        why = next((line.strip() for line in text.split("\n") if _STATUS.search(line)), "")
    found = _ID.findall(text) or [
        str(part["Message-ID"]).strip(" <>") for part in parts[1:] if part["Message-ID"]
    ]
    return Bounce(_plain(address), _plain(why), _plain(found[-1] if found else ""), delayed)


def _reported(parts: list[Message]) -> tuple[str, str, bool]:
    """Return the first recipient of a report that failed, else one that is only late: address, reason,
    whether it is late.
    """
    late: tuple[str, str, bool] = "", "", False
    for part in parts:
        action = str(part.get("Action", "")).strip().lower()
        if not action or action in ("delivered", "relayed", "expanded"):
            continue
        address = _behind(part.get("Original-Recipient")) or _behind(part.get("Final-Recipient"))
        why = _behind(part.get("Diagnostic-Code")) or str(part.get("Status", "")).strip()
        if action == "failed":
            return address.lower(), why, False
        late = late if late[0] else (address.lower(), why, True)
    return late


def _behind(value: object) -> str:
    """Return what stands behind the type of a field such as ``rfc822; bob@example.org``."""
    kind, semicolon, rest = " ".join(str(value or "").split()).partition(";")
    return (rest if semicolon else kind).strip(" <>")


def _texts(parts: list[Message]) -> Iterator[str]:
    for part in parts:
        if part.get_content_maintype() == "text" and not part.is_multipart():
            data = part.get_payload(decode=True)
            if isinstance(data, bytes):
                yield data.decode("utf-8", "replace")


def _plain(text: str) -> str:
    return printable(" ".join(text.split()))[:_LONGEST]
