"""A page in one file: styles, scripts and data inside, nothing fetched, and a policy that lets nothing else
run.

Text gets into a page by two doors only: ``escaped`` for markup, and the data block, in which no sign can end
the block.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

PAGES = Path(__file__).resolve().parent / "pages"
_DANGEROUS = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}


def escaped(text: str) -> str:
    """Return text as it may stand in markup, also between double quotes."""
    return html.escape(text, quote=True)


def part(name: str) -> str:
    """Return a style, script or body that lies in ``renderers/pages``."""
    return (PAGES / name).read_text("utf-8")


def as_data(data: Mapping[str, Any]) -> str:
    """Return data as JSON that cannot end the block it stands in."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    for sign, harmless in _DANGEROUS.items():
        text = text.replace(sign, harmless)
    return text


def whole_page(
    title: str,
    *,
    styles: Sequence[str],
    scripts: Sequence[str],
    body: str,
    data: Mapping[str, Any],
    lang: str = "en",
    early: Sequence[str] = (),
) -> bytes:
    """Return a self-contained page; ``styles`` and ``scripts`` are names in ``renderers/pages``, ``body`` is
    markup, ``data`` is what ``JSON.parse(document.getElementById("data").textContent)`` gives its scripts;
    ``early`` are scripts that run before anything is shown.
    """
    style = "\n".join(part(name) for name in styles)
    script = "\n".join(part(name) for name in scripts)
    first = "\n".join(part(name) for name in early)
    allowed = " ".join(f"'{_hash(text)}'" for text in (first, script) if text or text is script)
    policy = "; ".join(
        (
            "default-src 'none'",
            "img-src data: blob:",
            f"style-src '{_hash(style)}'",
            f"script-src {allowed}",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )
    return (
        f'<!doctype html>\n<html lang="{escaped(lang)}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n<meta name="referrer" '
        'content="no-referrer">\n'
        f"<title>{escaped(title)}</title>\n<style>{style}</style>\n"
        + (f"<script>{first}</script>\n" if first else "")
        + "</head>\n"
        f"<body>\n{body}\n"
        f'<script type="application/json" id="data">{as_data(data)}</script>\n<script>{script}</script>\n'
        "</body>\n</html>\n"
    ).encode()


def still_page(
    title: str, *, styles: Sequence[str], body: str, head: str = "", lang: str = "en", private: bool = False
) -> bytes:
    """Return a page in which nothing runs and that shows pictures beside it; ``head`` and ``body`` are
    markup.

    ``private``: it asks not to be found.
    """
    style = "\n".join(part(name) for name in styles)
    policy = (
        f"default-src 'none'; img-src 'self' file: data:; style-src '{_hash(style)}'; base-uri 'none'; "
        "form-action 'none'"
    )
    robots = '<meta name="robots" content="noindex, nofollow, noarchive">\n' if private else ""
    return (
        f'<!doctype html>\n<html lang="{escaped(lang)}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n<meta name="referrer" '
        f'content="no-referrer">\n{robots}'
        f"<title>{escaped(title)}</title>\n{head}<style>{style}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    ).encode()


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
