"""Pillow: encoding a picture as PNG."""

from __future__ import annotations

import io

from PIL import Image


def opened(png: bytes) -> Image.Image:
    """Return the very picture that a PNG holds, decoded, palette and all."""
    image = Image.open(io.BytesIO(png))
    image.load()
    return image


def encode(image: Image.Image) -> bytes:
    """Return the picture as a PNG."""
    out = io.BytesIO()
    image.save(out, "PNG", compress_level=6)
    return out.getvalue()
