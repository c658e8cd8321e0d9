"""What the letters of the corpus are put together of: encodings, parts, quotations and archives, each as some
client writes them.

Everything is made with LF and gets CRLF at the end, as letters travel. Nothing here is random: the same call
gives the same bytes.
"""

from __future__ import annotations

import base64
import hashlib
import html
import struct
import textwrap
import zipfile
from collections.abc import Callable, Iterable, Sequence
from io import BytesIO

from msgspec import Struct
from msgspec.structs import replace

Body = str | bytes


class Letter(Struct, frozen=True):
    """A letter and what may be taken from it.

    ``wanted`` is the order text, or None where nothing may be taken, and then ``why`` says the reason in a
    word. ``quoted`` is order text of somebody else, or of another time, that stands in the letter and must
    never be carried out.
    """

    name: str
    raw: bytes
    wanted: bytes | None
    why: str = ""
    quoted: str = ""
    signature: bytes | None = None
    record: bool = False


Maker = Callable[[], Letter]
MAKERS: dict[str, Maker] = {}
"""Every letter by its name, in the order in which they are numbered."""


def letter(name: str) -> Callable[[Maker], Maker]:
    """Enter a letter into the corpus."""

    def enter(maker: Maker) -> Maker:
        if name in MAKERS:
            raise AssertionError(f"two letters are called {name}")
        MAKERS[name] = lambda: replace(maker(), name=name)
        return maker

    return enter


def taken(
    raw: bytes, wanted: Body, quoted: str = "", signature: Body | None = None, record: bool = False
) -> Letter:
    """Return a letter whose orders have to be taken."""
    return Letter(
        "", raw, _bytes(wanted), "", quoted, None if signature is None else _bytes(signature), record
    )


def refused(raw: bytes, why: str, quoted: str = "") -> Letter:
    """Return a letter from which nothing may be taken."""
    return Letter("", raw, None, why, quoted)


def _bytes(text: Body) -> bytes:
    return text.encode() if isinstance(text, str) else text


# --- whole letters


def mail(head: str, body: Body, eol: bytes = b"\r\n") -> bytes:
    """Return a letter of its header and its body; the body of a single part brings its own Content lines in
    front.
    """
    whole = _bytes(head.strip("\n") + "\n") + _bytes(body)
    return whole.replace(b"\n", eol)


def part(head: str, body: Body, cte: str = "", charset: str = "utf-8") -> bytes:
    """Return a part: its header lines, an empty line, its body as ``cte`` has it (empty: not said, and as it
    is).
    """
    data = body.encode(charset) if isinstance(body, str) else body
    lines = head.strip("\n")
    if cte:
        lines += f"\nContent-Transfer-Encoding: {cte}"
    if cte.lower() == "quoted-printable":
        data = qp(data)
    elif cte.lower() == "base64":
        data = b64(data)
    return _bytes(lines.lstrip("\n") + "\n\n") + data


def parts(
    head: str, boundary: str, *inside: bytes, preamble: str = "", epilogue: str = "\n", close: bool = True
) -> bytes:
    """Return a multipart of its parts; ``head`` says what it is and names the boundary itself."""
    lines = [_bytes(head.strip("\n") + "\n\n" + preamble)]
    lines += [_bytes(f"--{boundary}\n") + one + b"\n" for one in inside]
    return b"".join(lines) + (_bytes(f"--{boundary}--{epilogue}") if close else b"")


def alternative(
    boundary: str, plain: bytes, rich: bytes, subtype: str = "alternative", quotes: bool = True
) -> bytes:
    """Return plain text and the same as HTML."""
    named = f'"{boundary}"' if quotes else boundary
    return parts(f"Content-Type: multipart/{subtype}; boundary={named}", boundary, plain, rich)


# --- encodings


def qp(data: bytes, also: str = "", width: int = 76, words: bool = False) -> bytes:
    """Return quoted-printable: soft breaks in the middle of words (or between them), and whatever else this
    client encodes.
    """
    out = []
    for line in data.split(b"\n"):
        coded = []
        for place, byte in enumerate(line):
            last = place == len(line) - 1
            plain = (33 <= byte <= 126 and byte != 61 and chr(byte) not in also) or (
                byte in (32, 9) and not last
            )
            coded.append(chr(byte) if plain else f"={byte:02X}")
        out.append(_soft(coded, width, words))
    return "\n".join(out).encode()


def _soft(coded: Sequence[str], width: int, words: bool) -> str:
    lines: list[str] = []
    now: list[str] = []
    size = 0
    for place, sign in enumerate(coded):
        if size + len(sign) > (width if place == len(coded) - 1 else width - 1):
            cut = len(now)
            if words and " " in now[1:]:
                cut = len(now) - now[::-1].index(" ")
            lines.append("".join(now[:cut]) + "=")
            now = now[cut:]
            size = sum(map(len, now))
        now.append(sign)
        size += len(sign)
    return "\n".join([*lines, "".join(now)])


def b64(data: bytes, width: int = 76) -> bytes:
    """Return base64 of a body whose line ends are CRLF, as they are in mail, broken into lines."""
    if b"\n" in data and b"\r" not in data and b"\0" not in data:
        data = data.replace(b"\n", b"\r\n")
    return b64_of(data, width)


def b64_of(data: bytes, width: int = 76) -> bytes:
    """Return base64 of these very bytes, broken into lines."""
    text = base64.b64encode(data).decode()
    return "\n".join(textwrap.wrap(text, width)).encode() + b"\n"


def attached(head: str, data: bytes) -> bytes:
    """Return a part that holds these very bytes as base64."""
    return _bytes(head.strip("\n") + "\nContent-Transfer-Encoding: base64\n\n") + b64_of(data)


# --- plain text as clients lay it out


def wrapped(text: str, width: int = 72) -> str:
    """Return a text whose long lines are broken hard at a space."""
    return "\n".join("\n".join(_filled(line, width)) for line in text.split("\n"))


def _filled(line: str, width: int) -> list[str]:
    if len(line) <= width:
        return [line]
    return textwrap.wrap(
        line, width, break_long_words=False, break_on_hyphens=False, drop_whitespace=True
    ) or [line]


def flowed(text: str, width: int = 72, delsp: bool = False) -> str:
    """Return format=flowed (RFC 3676): soft breaks behind a space, lines that begin with a space, ``>`` or
    ``From`` stuffed.
    """
    out = []
    for line in text.split("\n"):
        mark = ""
        while line.startswith(">"):
            mark, line = mark + ">", line[1:]
        if line == "-- ":
            out.append(mark + (" " if mark else "") + line)
            continue
        line = line.removeprefix(" ") if mark else line
        pieces = _pieces(line.rstrip(" "), width)
        for place, piece in enumerate(pieces):
            soft = place < len(pieces) - 1
            piece = piece + " " if soft and delsp else piece if soft else piece.rstrip(" ")
            stuff = " " if mark and piece else " " if piece.startswith((" ", ">", "From ")) else ""
            out.append(mark + stuff + piece)
    return "\n".join(out)


def _pieces(line: str, width: int) -> list[str]:
    """Return a line in pieces that end with the space they were broken at."""
    found = []
    while len(line) > width:
        cut = line.rfind(" ", 1, width)
        if cut <= len(line) - len(line.lstrip(" ")):
            break
        found.append(line[: cut + 1])
        line = line[cut + 1 :]
    return [*found, line]


def quote(text: str, mark: str = "> ", empty: str = ">") -> str:
    """Return a text as a reply quotes it."""
    return "\n".join(mark + line if line else empty for line in text.rstrip("\n").split("\n")) + "\n"


# --- HTML as clients write it


def esc(text: str, spaces: str = "nbsp") -> str:
    """Return text for HTML; spaces that begin a line, or follow each other, as the client keeps them."""
    said = html.escape(text, quote=False)
    if spaces == "plain":
        return said
    blank = "\u00a0" if spaces == "raw" else "&nbsp;"
    indent = len(said) - len(said.lstrip(" "))
    if spaces == "mixed" and indent:
        return blank * (indent - 1) + " " + said.lstrip(" ")
    return blank * indent + said.lstrip(" ")


def divs(
    text: str, tag: str = "div", attrs: str = "", blank: str = "<br>", spaces: str = "nbsp", join: str = ""
) -> str:
    """Return each line in a block of its own."""
    opened = f"<{tag} {attrs}>" if attrs else f"<{tag}>"
    return join.join(
        f"{opened}{esc(line, spaces) or blank}</{tag}>" for line in text.rstrip("\n").split("\n")
    )


def brs(text: str, tag: str = "<br>", spaces: str = "nbsp", end: str = "") -> str:
    """Return lines with a break behind each."""
    return f"{tag}{end}".join(esc(line, spaces) for line in text.rstrip("\n").split("\n")) + tag


def mso(text: str, style: str = "") -> str:
    """Return lines as Word writes them into a letter."""
    made = []
    for line in text.rstrip("\n").split("\n"):
        said = f"{esc(line, 'raw')}<o:p></o:p>" if line else "<o:p>&nbsp;</o:p>"
        span = f"<span lang=EN-US {style}>{said}</span>" if style else said
        made.append(f"<p class=MsoNormal>{span}</p>")
    return "\n".join(made)


# --- files


def zipped(files: Iterable[tuple[str, bytes]]) -> bytes:
    """Return an archive with these files, always the same bytes."""
    out = BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files:
            info = zipfile.ZipInfo(name, (2026, 11, 20, 7, 40, 0))
            info.external_attr = 0o644 << 16
            info.create_system = 3
            archive.writestr(info, data, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def noise(seed: str, size: int) -> bytes:
    """Return bytes that mean nothing, such as a picture or something encrypted has."""
    out = b""
    while len(out) < size:
        out += hashlib.sha256(f"{seed}/{len(out)}".encode()).digest()
    return out[:size]


def png(seed: str = "map") -> bytes:
    """Return a small picture: a head that is right, and something behind it."""
    return b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">IIBBBBB", 8, 8, 8, 2, 0, 0, 0) + noise(seed, 120)


def tnef(body: str, files: Sequence[tuple[str, bytes]] = ()) -> bytes:
    """Return a ``winmail.dat``: plain text, and files by their long names."""
    out = struct.pack("<IH", 0x223E9F78, 1)
    out += _attribute(1, 0x00089006, struct.pack("<I", 0x00010000))
    out += _attribute(1, 0x00069007, struct.pack("<II", 1252, 0))
    out += _attribute(1, 0x00078008, b"IPM.Microsoft Mail.Note\0")
    if body:
        out += _attribute(1, 0x0002800C, body.replace("\n", "\r\n").encode("cp1252") + b"\0")
    for name, data in files:
        out += _attribute(2, 0x00069002, struct.pack("<HIHHI", 1, 0xFFFFFFFF, 0, 0, 0))
        out += _attribute(2, 0x00018010, name.encode("cp1252") + b"\0")
        out += _attribute(2, 0x0006800F, data)
    return out


def _attribute(level: int, kind: int, data: bytes) -> bytes:
    return struct.pack("<BII", level, kind, len(data)) + data + struct.pack("<H", sum(data) & 0xFFFF)
