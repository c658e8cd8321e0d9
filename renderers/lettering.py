"""Letters: the bundled fonts, and text cut and shrunk so that no name can break a picture."""

from __future__ import annotations

import unicodedata
from functools import cache
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

FONTS = Path(__file__).resolve().parent / "fonts"
FILES = {
    "sans": "DejaVuSans.ttf",
    "bold": "DejaVuSans-Bold.ttf",
    "title": "EBGaramond12-Bold.otf",
    "serif": "EBGaramond12-Regular.otf",
    "italic": "EBGaramond12-Italic.otf",
}
_PROBE = ImageDraw.Draw(Image.new("L", (1, 1)))


@cache
def font(face: str, size: int) -> ImageFont.FreeTypeFont:
    """Return a face at a size in pixels; always the plain layout, so that pictures are the same everywhere."""
    return ImageFont.truetype(str(FONTS / FILES[face]), max(4, size), layout_engine=ImageFont.Layout.BASIC)


def plain(text: str, limit: int = 200) -> str:
    """Return the text on one line, without control, format and unassigned characters, cut to ``limit`` characters."""
    spaced = " ".join(text.split())
    kept = "".join(letter for letter in spaced if unicodedata.category(letter) not in ("Cc", "Cf", "Cs", "Co", "Cn"))
    return kept if len(kept) <= limit else kept[: limit - 1] + "…"


def width(text: str, face: str, size: int) -> float:
    """Return how wide a text is, in pixels."""
    return float(font(face, size).getlength(text))


def box(text: str, face: str, size: int) -> tuple[float, float, float, float]:
    """Return the ink box of a text drawn at the origin with its middle there."""
    left, top, right, bottom = _PROBE.textbbox((0, 0), text, font=font(face, size), anchor="mm")
    return float(left), float(top), float(right), float(bottom)


def fitted(text: str, face: str, size: int, room: float, least: int) -> tuple[str, int]:
    """Return the text and a size at which it fits into ``room`` pixels: shrunk down to ``least``, then cut with an ellipsis."""
    while size > least and width(text, face, size) > room:
        size -= 1
    if width(text, face, size) <= room:
        return text, size
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if width(text[:middle] + "…", face, size) <= room:
            low = middle
        else:
            high = middle - 1
    return (text[:low].rstrip() + "…") if low else "", size


def wrapped(text: str, face: str, size: int, room: float, lines: int) -> list[str]:
    """Return the text in at most ``lines`` lines of at most ``room`` pixels."""
    found: list[str] = []
    for word in text.split():
        if found and width(f"{found[-1]} {word}", face, size) <= room:
            found[-1] += f" {word}"
        else:
            found.append(word)
    kept = found[:lines]
    if len(found) > lines:
        kept[-1] += " …"
    return [fitted(line, face, size, room, size)[0] for line in kept]
