"""The header of an order file (docs/protocol.md, section 2): whose orders, for which slot, under which
history, with which value.

Decides the form of the header and nothing about the orders: the YAML below it goes on untouched, with the
number of the line it begins after. No cryptographic fact depends on a YAML parser.
"""

from __future__ import annotations

import hashlib

from msgspec import Struct

from pbem.core.regex import regex
from pbem.proof.dice_protocol import GAME, HEX64, MAX_SLOT, is_seat
from pbem.proof.known import Value

MAX_ORDERS = 64 * 1024
FIRST_LINE = "#pd1-orders/1"
_SLOT = regex(r"[1-9][0-9]{0,4}")
_SALT = regex(r"[0-9a-f]{32}")
TIME = regex(
    r"[1-9][0-9]{3}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]Z"
)
_PRINTABLE = regex(r"[ -~]+")
_NEEDED = ("game", "slot", "seat", "head", "salt")
_KNOWN = (*_NEEDED, "x", "path", "luck", "seen")


class BadOrderFile(Exception):
    """An order file without a right header; ``reason`` is stable, ``line`` is the line it stands in (0: the
    file).
    """

    def __init__(self, reason: str, line: int = 0) -> None:
        super().__init__(f"{reason} (line {line})" if line else reason)
        self.reason = reason
        self.line = line


class OrderFile(Struct, frozen=True):
    """An order file taken apart.

    ``yaml`` are the bytes after the header, ``yaml_line_offset`` the lines before them.
    """

    game: str
    slot: int
    seat: str
    head: str
    salt: str
    x: str | None
    path: tuple[str, ...]
    luck: str | None
    seen: tuple[str, str] | None
    yaml: bytes
    yaml_line_offset: int
    sha512: str

    @property
    def has_value(self) -> bool:
        """Tell a final file from a draft (rule R5)."""
        return self.x is not None or self.luck is not None

    @property
    def value(self) -> Value | None:
        """Return the value, which is not made of words; None where there is none."""
        return None if self.x is None else Value(self.x, self.path)


def _lines(data: bytes) -> tuple[list[bytes], bytes, int]:
    """Return the header lines, the YAML bytes, and the number of lines before them."""
    if len(data) > MAX_ORDERS:
        raise BadOrderFile("too-long")
    end = b"\n"
    if b"\r" in data:
        end = b"\r\n"
        if not data.count(b"\r") == data.count(b"\n") == data.count(b"\r\n"):
            raise BadOrderFile("line-ends")
    head, rule, yaml = data.partition(end + b"---" + end)
    if not rule:
        raise BadOrderFile("no-rule")
    lines = head.split(end)
    return lines, yaml, len(lines) + 1


def _field(key: str, value: str, line: int) -> None:
    """Raise BadOrderFile unless the value has the form of its key; luck words may be any text."""
    if key != "luck" and not _PRINTABLE.fullmatch(value):
        raise BadOrderFile("letters", line)
    if key == "game":
        right = GAME.fullmatch(value) is not None
    elif key == "slot":
        right = _SLOT.fullmatch(value) is not None and int(value) <= MAX_SLOT
    elif key == "seat":
        right = is_seat(value)
    elif key in ("head", "x"):
        right = HEX64.fullmatch(value) is not None
    elif key == "path":
        right = all(map(HEX64.fullmatch, value.split(" ")))
    elif key == "salt":
        right = _SALT.fullmatch(value) is not None
    elif key == "seen":
        lock, _, time = value.partition(" ")
        right = HEX64.fullmatch(lock) is not None and TIME.fullmatch(time) is not None
    else:
        right = True
    if not right:
        raise BadOrderFile(f"bad-{key}", line)


def parse(data: bytes) -> OrderFile:
    """Take an order file apart; raise BadOrderFile with the reason and the line for anything but a right
    header.
    """
    lines, yaml, offset = _lines(data)
    fields: dict[str, str] = {}
    if lines[0] != FIRST_LINE.encode():
        raise BadOrderFile("first-line", 1)
    for number, raw in enumerate(lines[1:], 2):
        try:
            text = raw.decode("utf-8")
        except UnicodeDecodeError:
            raise BadOrderFile("letters", number) from None
        key, space, value = text[1:].partition(" ")
        if not text.startswith("#") or not space:
            raise BadOrderFile("line", number)
        if key not in _KNOWN:
            raise BadOrderFile("unknown", number)
        if key in fields:
            raise BadOrderFile("twice", number)
        _field(key, value, number)
        fields[key] = value

    for key in _NEEDED:
        if key not in fields:
            raise BadOrderFile(f"no-{key}")
    if "x" in fields and "luck" in fields:
        raise BadOrderFile("two-values")
    if "path" in fields and "x" not in fields:
        raise BadOrderFile("path-alone")
    lock, _, time = fields.get("seen", "").partition(" ")
    return OrderFile(
        game=fields["game"],
        slot=int(fields["slot"]),
        seat=fields["seat"],
        head=fields["head"],
        salt=fields["salt"],
        x=fields.get("x"),
        path=tuple(fields["path"].split(" ")) if "path" in fields else (),
        luck=fields.get("luck"),
        seen=(lock, time) if lock else None,
        yaml=yaml,
        yaml_line_offset=offset,
        sha512=hashlib.sha512(data).hexdigest(),
    )


def write(
    *,
    game: str,
    slot: int,
    seat: str,
    head: str,
    salt: str,
    yaml: bytes,
    value: Value | None = None,
    luck: str | None = None,
    seen: tuple[str, str] | None = None,
) -> bytes:
    """Return an order file, line ends LF; raise BadOrderFile if ``parse`` would not read the same from it.

    Give ``yaml`` with LF line ends; ``salt`` are 16 random bytes in hex.
    """
    x, path = (value.x, " ".join(value.path) or None) if value is not None else (None, None)
    fields = {"game": game, "slot": str(slot), "seat": seat, "head": head, "x": x, "path": path, "luck": luck}
    fields["seen"] = None if seen is None else " ".join(seen)
    fields["salt"] = salt
    lines = [FIRST_LINE, *(f"#{key} {value}" for key, value in fields.items() if value is not None), "---"]
    data = ("\n".join(lines) + "\n").encode("utf-8", "surrogatepass") + yaml
    read = parse(data)
    if (read.luck, read.yaml) != (luck, yaml):
        raise BadOrderFile("letters")
    return data
