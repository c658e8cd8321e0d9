"""Signed notes, checkpoints of logs and cosignatures of witnesses (C2SP signed-note, tlog-checkpoint,
tlog-cosignature), with ed25519.

Decides whether a note is signed by a key that was named. Whose key is believed, and whether one tree
continues another, is decided by those who call; nothing here is trusted because it stands in the note itself.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace

from pbem.core.regex import regex
from pbem.proof.curve import L, is_prime_order

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

LOG, COSIGNER = 0x01, 0x04
"""The kinds of keys: of a log, which signs the text, and of a witness, which signs it with the time."""
MAX_NOTE: Final = 64 * 1024
MAX_SIGNATURES: Final = 64
MAX_NAME: Final = 200
MAX_COUNT: Final = 2**53
"""Entries, and seconds, beyond which nothing is read."""
_DASH = "— "
_DECIMAL = regex(r"0|[1-9][0-9]{0,15}")
_KEY = regex(r"(?P<name>[^+\s]+)\+(?P<id>[0-9a-f]{8})\+(?P<key>[A-Za-z0-9+/]{44})")


class BadNote(Exception):
    """A note that proves nothing; ``reason`` is ``form``, ``checkpoint``, ``unsigned`` or ``signature``."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class BadNoteKey(Exception):
    """A key of a log or a witness that is none; ``reason`` is ``form``, ``id``, ``kind`` or ``order``."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def is_name(text: str) -> bool:
    """Tell whether a key may have this name: no spaces, no plus, nothing that cannot be seen."""
    return (
        0 < len(text) <= MAX_NAME
        and text.isprintable()
        and not any(letter.isspace() or letter == "+" for letter in text)
    )


class NoteKey(Struct, frozen=True):
    """A public key with its name; ``kind`` is ``LOG`` or ``COSIGNER``."""

    name: str
    kind: int
    raw: bytes

    @property
    def id(self) -> bytes:
        """Return the four bytes by which a signature names its key, beside the name."""
        return hashlib.sha256(self.name.encode() + b"\n" + bytes([self.kind]) + self.raw).digest()[:4]

    @property
    def line(self) -> str:
        """Return the key as people hand it on: name, id and key, with + between them."""
        return f"{self.name}+{self.id.hex()}+{base64.b64encode(bytes([self.kind]) + self.raw).decode()}"


def parse_key(line: str) -> NoteKey:
    """Read the line of a key; raise BadNoteKey unless it is one of ed25519 with the right id, on a canonical
    point of prime order.
    """
    match = _KEY.fullmatch(line)
    if match is None or not is_name(match["name"]):
        raise BadNoteKey("form")
    # 44 letters of base64 are exactly 33 bytes, so there is no padding and no second spelling.
    data = base64.b64decode(match["key"])
    key = NoteKey(match["name"], data[0], data[1:])
    if key.kind not in (LOG, COSIGNER):
        raise BadNoteKey("kind")
    if key.id.hex() != match["id"]:
        raise BadNoteKey("id")
    if not is_prime_order(key.raw):
        raise BadNoteKey("order")
    return key


class Signature(Struct, frozen=True):
    """A line under a note as it stands there: whose it says it is. Nothing is proved by it."""

    name: str
    id: bytes
    data: bytes

    @property
    def line(self) -> str:
        """Return the line, with its end."""
        return f"{_DASH}{self.name} {base64.b64encode(self.id + self.data).decode()}\n"

    def is_of(self, key: NoteKey) -> bool:
        """Tell whether it names a key."""
        return (self.name, self.id) == (key.name, key.id)


class Note(Struct, frozen=True):
    """A text, its last line end included, and the signatures under it."""

    text: str
    signatures: tuple[Signature, ...] = ()

    @property
    def data(self) -> bytes:
        """Return the bytes of the note."""
        return (self.text + "\n" + "".join(one.line for one in self.signatures)).encode()

    def with_signatures(self, more: Iterable[Signature]) -> Note:
        """Return the note with more signatures; of each key the last one stays."""
        kept = {(one.name, one.id): one for one in (*self.signatures, *more)}
        return replace(self, signatures=tuple(kept.values()))


def parse_signatures(text: str) -> tuple[Signature, ...]:
    """Read lines of signatures, whoever they are of; BadNote where one of them is none, or there are none or
    too many.
    """
    lines = text.split("\n")
    if lines[-1] or len(lines) < 2 or len(lines) - 1 > MAX_SIGNATURES:
        raise BadNote("form")
    return tuple(map(_signature, lines[:-1]))


def _signature(line: str) -> Signature:
    name, space, encoded = line.removeprefix(_DASH).partition(" ")
    if not line.startswith(_DASH) or not space or not is_name(name):
        raise BadNote("form")
    try:
        data = base64.b64decode(encoded, validate=True)
    except (binascii.Error, ValueError):
        raise BadNote("form") from None
    if len(data) < 5 or base64.b64encode(data).decode() != encoded:
        raise BadNote("form")
    return Signature(name, data[:4], data[4:])


def parse(data: bytes) -> Note:
    """Take a note apart; raise BadNote where it is none. Whether anybody signed it is another question."""
    if len(data) > MAX_NOTE:
        raise BadNote("form")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise BadNote("form") from None
    if any(letter < " " and letter != "\n" for letter in text):
        raise BadNote("form")
    body, blank, signatures = text.rpartition("\n\n")
    if not blank or not body:
        raise BadNote("form")
    return Note(body + "\n", parse_signatures(signatures))


class Checkpoint(Struct, frozen=True):
    """What a log says of itself at one moment: whose tree it is, how many entries it has, and its root."""

    origin: str
    size: int
    root: bytes

    @property
    def text(self) -> str:
        """Return the text that is signed."""
        return f"{self.origin}\n{self.size}\n{base64.b64encode(self.root).decode()}\n"

    @property
    def digest(self) -> str:
        """Return the first 64 bits of the root as people compare them."""
        return "-".join(self.root.hex()[at : at + 4] for at in range(0, 16, 4))


def checkpoint_of(note: Note) -> Checkpoint:
    """Return the checkpoint that a note is; BadNote where it is another note.

    Lines that a log added of its own mean nothing here.
    """
    lines = note.text.split("\n")[:-1]
    if len(lines) < 3 or not all(lines) or len(lines[0]) > MAX_NAME or not _DECIMAL.fullmatch(lines[1]):
        raise BadNote("checkpoint")
    try:
        root = base64.b64decode(lines[2], validate=True)
    except (binascii.Error, ValueError):
        raise BadNote("checkpoint") from None
    size = int(lines[1])
    if len(root) != 32 or base64.b64encode(root).decode() != lines[2] or size >= MAX_COUNT:
        raise BadNote("checkpoint")
    return Checkpoint(lines[0], size, root)


def _message(text: str, at: int) -> bytes:
    return f"cosignature/v1\ntime {at}\n{text}".encode()


def _holds(key: NoteKey, signature: bytes, message: bytes) -> bool:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    if len(signature) != 64 or int.from_bytes(signature[32:], "little") >= L:
        return False
    try:
        Ed25519PublicKey.from_public_bytes(key.raw).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def signed_by(note: Note, key: NoteKey) -> None:
    """Raise BadNote unless a log's key signed a note: ``unsigned`` where no line names the key, ``signature``
    where one does in vain.
    """
    named = [one for one in note.signatures if one.is_of(key)]
    if not named:
        raise BadNote("unsigned")
    if key.kind != LOG or not all(_holds(key, one.data, note.text.encode()) for one in named):
        raise BadNote("signature")


def cosigned_at(note: Note, key: NoteKey) -> int | None:
    """Return when a witness cosigned a note, in seconds since 1970, the earliest time if there are several;
    None if it did not.

    Raises BadNote where a line names the witness and is not by it.
    """
    times = []
    for one in note.signatures:
        if one.is_of(key):
            at = int.from_bytes(one.data[:8], "big")
            if (
                key.kind != COSIGNER
                or at >= MAX_COUNT
                or not _holds(key, one.data[8:], _message(note.text, at))
            ):
                raise BadNote("signature")
            times.append(at)
    return min(times, default=None)


def sign(private: Ed25519PrivateKey, name: str, text: str) -> Signature:
    """Return the signature of a log under a text."""
    key = key_of(private, name, LOG)
    return Signature(name, key.id, private.sign(text.encode()))


def cosign(private: Ed25519PrivateKey, name: str, text: str, at: int) -> Signature:
    """Return the cosignature of a witness under the text of a checkpoint, at a time in seconds since 1970."""
    key = key_of(private, name, COSIGNER)
    return Signature(name, key.id, at.to_bytes(8, "big") + private.sign(_message(text, at)))


def key_of(private: Ed25519PrivateKey, name: str, kind: int) -> NoteKey:
    """Return the public key of a log or a witness."""
    return NoteKey(name, kind, private.public_key().public_bytes_raw())


def join_notes(notes: Sequence[Note]) -> bytes:
    """Return several checkpoints as one file: one after the other, an empty line between them."""
    return b"\n".join(note.data for note in notes)


def split_notes(data: bytes) -> Iterator[Note]:
    """Yield the notes of such a file; BadNote where it is none."""
    blocks = data.split(b"\n\n")
    if len(blocks) % 2:
        raise BadNote("form")
    for at in range(0, len(blocks), 2):
        yield parse(blocks[at] + b"\n\n" + blocks[at + 1].removesuffix(b"\n") + b"\n")
