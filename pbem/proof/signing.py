"""SSHSIG signatures with ed25519 keys, interchangeable with ``ssh-keygen -Y sign`` and ``-Y verify``
(docs/protocol.md, section 2).

Decides whether a signature is one of this key, for this use, over this hash. Which key and which use belong
to a file is decided in ``archive`` and ``ledger``. The format is PROTOCOL.sshsig of OpenSSH; the hash is
always SHA-512.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING

from msgspec import Struct

from pbem.core.regex import regex

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

_MAGIC = b"SSHSIG"
_TYPE = b"ssh-ed25519"
_HASH = b"sha512"
_BEGIN, _END = "-----BEGIN SSH SIGNATURE-----", "-----END SSH SIGNATURE-----"
_PRIVATE = b"openssh-key-v1\0"
_WIDTH = 70
MAX_ARMOR, MAX_WIDTH = 4096, 76
_BASE64 = regex(r"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?")
_LINE = regex(r"ssh-ed25519 ([A-Za-z0-9+/]{68})")


class BadKey(Exception):
    """A key that cannot be used; ``reason`` is ``form``, ``order``, ``private``, ``password``,
    ``unsupported`` or ``type``.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class BadSignature(Exception):
    """A signature that proves nothing here; ``reason`` is ``armor``, ``form``, ``key``, ``namespace`` or
    ``bytes``.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class PublicKey(Struct, frozen=True):
    """An ed25519 key of prime order: 32 raw bytes."""

    raw: bytes

    @property
    def blob(self) -> bytes:
        """Return the key in the wire form of SSH."""
        return _string(_TYPE) + _string(self.raw)

    @property
    def line(self) -> str:
        """Return the line ``ssh-ed25519 AAAA…`` without a comment."""
        return f"ssh-ed25519 {base64.b64encode(self.blob).decode()}"


def _string(data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + data


def parse_public(line: str) -> PublicKey:
    """Read the line ``ssh-ed25519 AAAA…``; raise BadKey unless it is a canonical point of prime order."""
    from pbem.proof.curve import is_prime_order  # works out what it knows of the curve when it is loaded

    match = _LINE.fullmatch(line)
    if match is None:
        raise BadKey("form")
    # 68 letters of base64 are exactly 51 bytes, so there is no padding and no second spelling.
    blob = base64.b64decode(match[1])
    raw = blob[-32:]
    if blob != _string(_TYPE) + _string(raw):
        raise BadKey("form")
    if not is_prime_order(raw):
        raise BadKey("order")
    return PublicKey(raw)


def key_in(line: str) -> PublicKey:
    """Return the key of a line that ``parse_public`` has read before; that it is one is not looked at
    again.
    """
    return PublicKey(base64.b64decode(line.removeprefix("ssh-ed25519 "))[-32:])


def fingerprint(public: PublicKey) -> str:
    """Return ``SHA256:…`` as ``ssh-keygen -l`` prints it."""
    return "SHA256:" + base64.b64encode(hashlib.sha256(public.blob).digest()).decode().rstrip("=")


def _to_sign(namespace: str, digest: bytes) -> bytes:
    return _MAGIC + _string(namespace.encode()) + _string(b"") + _string(_HASH) + _string(digest)


def armor(blob: bytes) -> str:
    """Return the armored text of a signature, as ssh-keygen writes it."""
    text = base64.b64encode(blob).decode()
    lines = [text[at : at + _WIDTH] for at in range(0, len(text), _WIDTH)]
    return "\n".join([_BEGIN, *lines, _END]) + "\n"


def armored_in(data: bytes) -> str:
    """Return the text of a file that holds an armored signature."""
    return data.removeprefix(b"\xef\xbb\xbf").decode("ascii", "replace")


def unarmor(armored: str) -> bytes:
    """Return what an armor holds.

    It is only how a signature travels: width, line ends and blank lines are the mail's business.
    """
    if len(armored) > MAX_ARMOR or not armored.isascii():
        raise BadSignature("armor")
    lines = [line for line in (line.strip(" \t\r") for line in armored.split("\n")) if line]
    packed = "".join(lines[1:-1])
    if (
        len(lines) < 3
        or (lines[0], lines[-1]) != (_BEGIN, _END)
        or max(map(len, lines)) > MAX_WIDTH
        or not _BASE64.fullmatch(packed)
    ):
        raise BadSignature("armor")
    blob = base64.b64decode(packed)
    if base64.b64encode(blob).decode() != packed:
        raise BadSignature("armor")
    return blob


def _take(data: bytes) -> tuple[bytes, bytes]:
    length = int.from_bytes(data[:4], "big")
    if len(data) < 4 or len(data) - 4 < length:
        raise BadSignature("form")
    return data[4 : 4 + length], data[4 + length :]


class _Parsed(Struct, frozen=True):
    key: PublicKey
    namespace: bytes
    signature: bytes


@lru_cache(maxsize=8)
def _parse(armored: str) -> _Parsed:
    blob = unarmor(armored)
    if blob[:10] != _MAGIC + (1).to_bytes(4, "big"):
        raise BadSignature("form")
    key, rest = _take(blob[10:])
    namespace, rest = _take(rest)
    reserved, rest = _take(rest)
    algorithm, rest = _take(rest)
    wrapped, rest = _take(rest)
    kind, inner = _take(wrapped)
    signature, tail = _take(inner)
    public = PublicKey(key[-32:])
    if (
        key != public.blob
        or reserved
        or algorithm != _HASH
        or rest
        or kind != _TYPE
        or len(signature) != 64
        or tail
    ):
        raise BadSignature("form")
    return _Parsed(public, namespace, signature)


def namespace_of(armored: str) -> str:
    """Return the namespace that a signature claims to be for; raise BadSignature if it cannot be read.

    Nothing is proved by it: verify the signature with that namespace afterwards.
    """
    try:
        return _parse(armored).namespace.decode("ascii")
    except UnicodeDecodeError:
        raise BadSignature("namespace") from None


def signer_of(armored: str) -> PublicKey:
    """Return the key that a signature says it was made with; BadSignature if it is no signature of an ed25519
    key.

    Nothing is proved by it: verify the signature with that key afterwards.
    """
    return _parse(armored).key


def verify(public: PublicKey, namespace: str, sha512_of_file: bytes, armored: str) -> None:
    """Raise BadSignature unless this is a signature of the key, for the namespace, over the file with that
    SHA-512.

    Cofactorless with S < L, as in OpenSSL; the armor has at most 4096 bytes, in lines of at most 76.
    """
    from pbem.proof.curve import L

    parsed = _parse(armored)
    if parsed.key != public:
        raise BadSignature("key")
    if parsed.namespace != namespace.encode():
        raise BadSignature("namespace")
    if int.from_bytes(parsed.signature[32:], "little") >= L:
        raise BadSignature("bytes")
    if not _holds(public.raw, parsed.signature, _to_sign(namespace, sha512_of_file)):
        raise BadSignature("bytes")


def is_signed(keys: Iterable[PublicKey], namespace: str, sha512_of_file: bytes, armored: bytes) -> bool:
    """Tell whether this is a signature of one of some keys, as ``verify`` does of one."""
    for key in keys:
        try:
            verify(key, namespace, sha512_of_file, armored.decode("ascii", "replace"))
        except BadSignature:
            continue
        return True
    return False


@lru_cache(maxsize=4096)
def _holds(key: bytes, signature: bytes, signed: bytes) -> bool:
    """Tell whether a signature of a key holds; remembered, for whoever opens a game again reads all its
    signatures again.
    """
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, signed)
    except InvalidSignature:
        return False
    return True


def sign(private: Ed25519PrivateKey, namespace: str, data: bytes) -> str:
    """Return the armored signature over the SHA-512 of ``data`` for one namespace."""
    signature = private.sign(_to_sign(namespace, hashlib.sha512(data).digest()))
    return armor(
        _MAGIC
        + (1).to_bytes(4, "big")
        + _string(public_of(private).blob)
        + _string(namespace.encode())
        + _string(b"")
        + _string(_HASH)
        + _string(_string(_TYPE) + _string(signature))
    )


def public_of(private: Ed25519PrivateKey) -> PublicKey:
    """Return the public half of a private key."""
    return PublicKey(private.public_key().public_bytes_raw())


def private_from(raw: bytes) -> Ed25519PrivateKey:
    """Return the private key that 32 bytes are."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return Ed25519PrivateKey.from_private_bytes(raw)


def new_private() -> Ed25519PrivateKey:
    """Return a new private key from the system's source of randomness."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return Ed25519PrivateKey.generate()


def load_private(openssh_bytes: bytes, password: bytes | None = None) -> Ed25519PrivateKey:
    """Read a private key file of OpenSSH; raise BadKey if it is none, is locked, or is not of the type
    ed25519.

    Opening a locked file needs the package ``bcrypt``; without it the reason is ``unsupported``, and such a
    key signs with
    ``ssh-keygen -Y sign`` instead.
    """
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_ssh_private_key

    try:
        private = load_ssh_private_key(openssh_bytes, password)
    except TypeError:
        raise BadKey("password") from None
    except UnsupportedAlgorithm:
        raise BadKey("unsupported") from None
    except ValueError:
        raise BadKey("private" if password is None else "password") from None
    if not isinstance(private, Ed25519PrivateKey):
        raise BadKey("type")
    return private


def public_in(openssh_bytes: bytes) -> PublicKey | None:
    """Return the public key that stands in the clear in a private key file of OpenSSH; None where it cannot
    be read.

    It tells whose file it is; that the private half is there too is for ``load_private`` to say.
    """
    lines = openssh_bytes.split()
    try:
        data = base64.b64decode(b"".join(lines[4:-4]), validate=True)
        if not data.startswith(_PRIVATE):
            return None
        rest = data[len(_PRIVATE) :]
        for _ in range(3):  # how it is locked
            rest = _take(rest)[1]
        blob = _take(rest[4:])[0]
    except (ValueError, BadSignature):
        return None
    found = PublicKey(blob[-32:])
    return found if blob == found.blob else None


def private_to_openssh(private: Ed25519PrivateKey) -> bytes:
    """Return the file that OpenSSH keeps for a private key, not locked."""
    from cryptography.hazmat.primitives import serialization

    return private.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.OpenSSH, serialization.NoEncryption()
    )
