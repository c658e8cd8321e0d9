"""The three files that hold moving pictures, written frame by frame: GIF, APNG, WebP. Each frame is encoded
when it comes and not kept.

Decides how a file is put together, never what is on a frame. A frame is a picture of palette numbers, of
which the last one stands for "as before"; only the box in which something changed is written.
"""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Final, Protocol

from msgspec import Struct
from PIL import GifImagePlugin, Image

Spot = tuple[int, int]

LOOPS: Final = 0
"""How often the whole is shown: for ever."""


class Print(Struct, frozen=True):
    """What all frames share: size, the palette as R, G, B, R, …, the number that means "as before", a title
    and an alt text.
    """

    size: tuple[int, int]
    palette: bytes
    before: int
    title: str = ""
    alt: str = ""


class Reel(Protocol):
    """A file that grows: ``taken`` are its bytes so far, but for what is fixed."""

    taken: int

    def __init__(self, of: Print) -> None:
        """Begin a file."""

    def add(self, picture: Image.Image, at: Spot) -> None:
        """Add a frame: numbers of the palette as an ``L`` picture, and where its left upper corner lies; the
        first fills the whole.
        """

    def done(self, durations: Sequence[int], still: Image.Image) -> bytes:
        """Return the file; ``durations`` are milliseconds, one each frame, ``still`` is what shows where
        nothing moves.
        """


class Gif:
    """A GIF: one palette for all frames, each laid over what is there."""

    def __init__(self, of: Print) -> None:
        self.of = of
        self.taken = 0
        self._frames: list[bytes] = []

    def add(self, picture: Image.Image, at: Spot) -> None:
        """Add a frame; Pillow does the packing."""
        data = b"".join(GifImagePlugin.getdata(_numbered(picture, self.of.palette), at))
        self._frames.append(data)
        self.taken += len(data) + 8

    def done(self, durations: Sequence[int], still: Image.Image) -> bytes:
        """Return the file."""
        bits = max(1, (self.of.before).bit_length())
        table = self.of.palette.ljust(3 * 2**bits, b"\0")
        parts = [
            b"GIF89a" + struct.pack("<HHBBB", *self.of.size, 0xF0 | (bits - 1), 0, 0) + table,
            b"\x21\xff\x0bNETSCAPE2.0\x03\x01" + struct.pack("<HB", LOOPS, 0),
        ]
        if said := ". ".join(part for part in (self.of.title, self.of.alt) if part).encode(
            "ascii", "replace"
        ):
            blocks = [said[i : i + 255] for i in range(0, len(said), 255)]
            parts.append(b"\x21\xfe" + b"".join(bytes([len(block)]) + block for block in blocks) + b"\0")
        for number, (data, ms) in enumerate(zip(self._frames, durations, strict=True)):
            # disposal 1: leave it there; the flag says that one number is seen through
            parts.append(
                struct.pack(
                    "<BBBBHBB",
                    0x21,
                    0xF9,
                    4,
                    1 << 2 | (number > 0),
                    min(65535, round(ms / 10)),
                    self.of.before,
                    0,
                )
            )
            parts.append(data)
        return b"".join([*parts, b"\x3b"])


class Apng:
    """An animated PNG, whose still picture is the last state: what most programs show that cut it to size or
    know no animation.
    """

    def __init__(self, of: Print) -> None:
        self.of = of
        self.taken = 0
        self._frames: list[tuple[tuple[int, int], Spot, bytes]] = []

    def add(self, picture: Image.Image, at: Spot) -> None:
        """Add a frame."""
        data = _rows(picture)
        self._frames.append((picture.size, at, data))
        self.taken += len(data) + 54

    def done(self, durations: Sequence[int], still: Image.Image) -> bytes:
        """Return the file."""
        parts = [
            b"\x89PNG\r\n\x1a\n",
            _chunk(b"IHDR", struct.pack(">IIBBBBB", *self.of.size, 8, 3, 0, 0, 0)),
            _chunk(b"acTL", struct.pack(">II", len(self._frames), LOOPS)),
        ]
        for key, words in (("Title", self.of.title), ("Alt", self.of.alt)):
            if words:
                parts.append(_chunk(b"iTXt", key.encode() + b"\0\0\0en\0\0" + words.encode()))
        parts += [
            _chunk(b"PLTE", self.of.palette),
            _chunk(b"tRNS", b"\xff" * self.of.before + b"\0"),
            _chunk(b"IDAT", _rows(still)),
        ]
        count = 0
        for number, ((size, at, data), ms) in enumerate(zip(self._frames, durations, strict=True)):
            parts.append(
                _chunk(
                    b"fcTL",
                    struct.pack(">IIIIIHHBB", count, *size, *at, min(65535, ms), 1000, 0, int(number > 0)),
                )
            )
            parts.append(_chunk(b"fdAT", struct.pack(">I", count + 1) + data))
            count += 2
        return b"".join([*parts, _chunk(b"IEND", b"")])


class Webp:
    """An animated WebP without loss; what is as before is seen through."""

    def __init__(self, of: Print) -> None:
        self.of = of
        self.taken = 0
        self._frames: list[tuple[tuple[int, int], Spot, bytes]] = []

    def add(self, picture: Image.Image, at: Spot) -> None:
        """Add a frame; Pillow packs it as a picture of its own, of which the middle is taken."""
        x, y = at
        if x % 2 or y % 2:  # corners lie on even numbers
            wider = Image.new("L", (picture.width + x % 2, picture.height + y % 2), self.of.before)
            wider.paste(picture, (x % 2, y % 2))
            picture, at = wider, (x - x % 2, y - y % 2)
        numbered = _numbered(picture, self.of.palette)
        seen = numbered.convert("RGB")
        if self._frames:
            seen.putalpha(picture.point([0 if number == self.of.before else 255 for number in range(256)]))
        out = io.BytesIO()
        seen.save(out, "WEBP", lossless=True, quality=50, method=3)
        data = b"".join(
            _riff(name, body) for name, body in _inside(out.getvalue()) if name in (b"VP8L", b"VP8 ", b"ALPH")
        )
        self._frames.append((picture.size, at, data))
        self.taken += len(data) + 24

    def done(self, durations: Sequence[int], still: Image.Image) -> bytes:
        """Return the file."""
        wide, high = self.of.size
        about = _about(self.of.title, self.of.alt)
        parts = [
            _riff(
                b"VP8X",
                struct.pack("<I", 0x12 | (0x04 if about else 0)) + _three(wide - 1) + _three(high - 1),
            ),
            _riff(b"ANIM", struct.pack("<IH", 0, LOOPS)),
        ]
        for (size, (x, y), data), ms in zip(self._frames, durations, strict=True):
            head = (
                _three(x // 2)
                + _three(y // 2)
                + _three(size[0] - 1)
                + _three(size[1] - 1)
                + _three(min(2**24 - 1, ms))
                + b"\0"
            )
            parts.append(_riff(b"ANMF", head + data))
        if about:
            parts.append(_riff(b"XMP ", about))
        return _riff(b"RIFF", b"WEBP" + b"".join(parts))


REELS: Final[Mapping[str, type[Reel]]] = {"apng": Apng, "webp": Webp, "gif": Gif}
"""Kind of file -> who writes it."""


def _numbered(picture: Image.Image, palette: bytes) -> Image.Image:
    """Return numbers as a picture with its palette."""
    found = Image.frombytes("P", picture.size, picture.tobytes())
    found.putpalette(palette.ljust(768, b"\0"))
    return found


def _rows(picture: Image.Image) -> bytes:
    """Return the rows of a picture as a PNG holds them: each behind the number of its
    filter, which is none.
    """
    led = Image.new("L", (picture.width + 1, picture.height), 0)
    led.paste(picture, (1, 0))
    return zlib.compress(led.tobytes(), 9 if picture.width * picture.height < 40_000 else 6)


def _chunk(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))


def _three(number: int) -> bytes:
    return number.to_bytes(3, "little")


def _riff(name: bytes, body: bytes) -> bytes:
    return name + struct.pack("<I", len(body)) + body + b"\0" * (len(body) % 2)


def _inside(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield the parts of a WebP."""
    at = 12
    while at + 8 <= len(data):
        long = int.from_bytes(data[at + 4 : at + 8], "little")
        yield data[at : at + 4], data[at + 8 : at + 8 + long]
        at += 8 + long + long % 2


def _about(title: str, alt: str) -> bytes:
    """Return title and alt text as XMP; nothing where there are none."""
    if not title and not alt:
        return b""
    said = "".join(
        f'<{tag}><rdf:Alt><rdf:li xml:lang="x-default">{escape(words)}</rdf:li></rdf:Alt></{tag}>'
        for tag, words in (("dc:title", title), ("dc:description", alt))
        if words
    )
    return (
        '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF '
        'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">'
        '<rdf:Description rdf:about="" '
        f'xmlns:dc="http://purl.org/dc/elements/1.1/">{said}</rdf:Description></rdf:RDF></x:xmpmeta>'
    ).encode()
