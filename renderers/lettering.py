"""Letters: the bundled fonts, and text cut and shrunk so that no name can break a picture."""

from __future__ import annotations

import unicodedata
from functools import cache, lru_cache
from pathlib import Path

from PIL import ImageFont

FONTS = Path(__file__).resolve().parent / "fonts"
FILES = {
    "sans": "DejaVuSans.ttf",
    "bold": "DejaVuSans-Bold.ttf",
    "title": "EBGaramond12-Bold.otf",
    "serif": "EBGaramond12-Regular.otf",
    "italic": "EBGaramond12-Italic.otf",
}


@cache
def font(face: str, size: int) -> ImageFont.FreeTypeFont:
    """Return a face at a size in pixels; always the plain layout, so that pictures are the
    same everywhere.
    """
    return ImageFont.truetype(str(FONTS / FILES[face]), max(4, size), layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=4096)
def plain(text: str, limit: int = 200) -> str:
    """Return the text on one line, without control, format and unassigned characters, cut to ``limit``
    characters.
    """
    spaced = " ".join(text.split())
    kept = "".join(
        letter for letter in spaced if unicodedata.category(letter) not in ("Cc", "Cf", "Cs", "Co", "Cn")
    )
    return kept if len(kept) <= limit else kept[: limit - 1] + "…"


_NEAREST = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-", "…": "..."})
"""What stands for a character that a face does not have, where something does."""


@cache
def _has(face: str, letter: str) -> bool:
    """Tell whether a face has a letter: what it has not is drawn as the same empty box as what nobody has."""
    drawn, box = (bytes(font(face, 32).getmask(one)) for one in (letter, "\U0010ffff"))
    return letter.isspace() or drawn != box


@lru_cache(maxsize=1024)
def written(text: str, face: str) -> str:
    """Return a text in letters that a face has: others by the nearest sign, or without their accents, or left
    out.
    """

    def nearest(letter: str) -> str:
        if _has(face, letter):
            return letter
        for other in (letter.translate(_NEAREST), unicodedata.normalize("NFKD", letter)):
            if kept := "".join(one for one in other if one != letter and _has(face, one)):
                return kept
        return ""

    return "".join(map(nearest, text))


def width(text: str, face: str, size: int) -> float:
    """Return how wide a text is, in pixels."""
    return float(font(face, size).getlength(text))


def fitted(text: str, face: str, size: int, room: float, least: int) -> tuple[str, int]:
    """Return the text and a size at which it fits into ``room`` pixels: shrunk down to ``least``, then cut
    with an ellipsis.
    """
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
