"""A share: what a deputy needs to go on as umpire, sealed with a code that travels by another way.

The code has 128 bits of chance, so it is the key by itself (HKDF, RFC 5869; ChaCha20-Poly1305, RFC 8439), and
whoever has the file alone learns the names of the games in it and nothing else. Pure: bytes in and out.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

BEGIN: Final = "-----BEGIN PBEM SHARE-----"
END: Final = "-----END PBEM SHARE-----"
MOST: Final = 4_000_000
"""Characters of a file that is read."""
SALT: Final = 16
NONCE: Final = 12
_GAMES: Final = re.compile(r"Games: ([a-z0-9][a-z0-9-]{0,60}(?:, [a-z0-9][a-z0-9-]{0,60}){0,9999})")
_FILE: Final = re.compile(r"gm(?:\.[A-Za-z0-9_+=-]{1,64})?\.(?:key|chain)")


class BadShare(ValueError):
    """It is no share (``form``), or the code is not that of it (``code``)."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Share(Struct, frozen=True):
    """What is sealed: of each game the files of its umpire's keys and secrets, by their names; and the secret
    that the codes of seats in his letters follow from (empty: none).
    """

    games: Mapping[str, Mapping[str, bytes]]
    office: bytes = b""


def seal(share: Share, code: str, random: bytes) -> str:
    """Return the file of a share, sealed with a code of 26 letters; ``random`` are 28 fresh bytes."""
    if len(random) != SALT + NONCE:
        raise ValueError("a share takes 28 random bytes")
    salt, nonce = random[:SALT], random[SALT:]
    head = f"Games: {', '.join(sorted(share.games))}"
    plain = {
        "games": {
            game: {name: base64.b64encode(data).decode() for name, data in sorted(files.items())}
            for game, files in sorted(share.games.items())
        },
        "office": share.office.hex(),
    }
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

    data = json.dumps(plain, sort_keys=True, separators=(",", ":")).encode()
    sealed = salt + nonce + ChaCha20Poly1305(_key(code, salt)).encrypt(nonce, data, head.encode())
    text = base64.b64encode(sealed).decode()
    lines = [text[at : at + 64] for at in range(0, len(text), 64)]
    return "\n".join([BEGIN, head, "", *lines, END]) + "\n"


def games_in(text: str) -> tuple[str, ...]:
    """Return the games that a file is a share of, as its head says; raise BadShare."""
    return tuple(_parts(text)[0].removeprefix("Games: ").split(", "))


def unseal(text: str, code: str) -> Share:
    """Return what a file holds, given its code of 26 letters; raise BadShare."""
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

    head, sealed = _parts(text)
    salt, nonce, rest = sealed[:SALT], sealed[SALT : SALT + NONCE], sealed[SALT + NONCE :]
    try:
        data = ChaCha20Poly1305(_key(code, salt)).decrypt(nonce, rest, head.encode())
    except (InvalidTag, ValueError):
        raise BadShare("code") from None
    try:
        said = json.loads(data)
        games = {str(game): _files(files) for game, files in said["games"].items()}
        return Share(games, bytes.fromhex(said["office"]))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise BadShare("form") from None


def _files(said: Any) -> dict[str, bytes]:
    found = {str(name): base64.b64decode(data, validate=True) for name, data in said.items()}
    if any(_FILE.fullmatch(name) is None for name in found):
        raise ValueError("no name of an umpire's file")
    return found


def _parts(text: str) -> tuple[str, bytes]:
    """Return the head of a file and what is sealed, whatever stands around them."""
    lines: Sequence[str] = [line.strip() for line in text[: MOST + 1].replace("\r\n", "\n").split("\n")]
    if len(text) > MOST or BEGIN not in lines or END not in lines:
        raise BadShare("form")
    inside = lines[lines.index(BEGIN) + 1 : lines.index(END)]
    if not inside or _GAMES.fullmatch(inside[0]) is None:
        raise BadShare("form")
    try:
        return inside[0], base64.b64decode("".join(inside[1:]), validate=True)
    except (binascii.Error, ValueError):
        raise BadShare("form") from None


def _key(code: str, salt: bytes) -> bytes:
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    return HKDF(SHA256(), 32, salt, b"pbem/share").derive(code.encode())
