"""What every page of the corpus has in common: its title, its times, and what has to be found on it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from typing import Any

from page_parts import Said

Found = dict[str, Any]
Form = Callable[[Sequence[Said]], tuple[bytes, Found]]
TITLE = "Toll at the Alder Ford & beyond"
TOPIC = "812"
FIRST_ID = 4711
DAY = "2026-11-20"


def clock(at: int) -> str:
    return f"07:{10 + at:02d}:05"


def stamp(at: int) -> str:
    return f"{DAY}T{clock(at)}Z"


def epoch(at: int) -> int:
    return 1_795_158_605 + 60 * at  # 2026-11-20T07:10:05Z


def page(head: str, body: str, charset: str = "utf-8", html: str = "<html>") -> bytes:
    text = (
        f'<!DOCTYPE html>\n{html}\n<head>\n<meta charset="{charset}">\n<title>{escape(TITLE)} | '
        f"Boards</title>\n{head}\n</head>\n{body}\n</html>\n"
    )
    return text.encode(charset, "xmlcharrefreplace")


def found(
    software: str,
    posts: Sequence[Said],
    *,
    topic: str = TOPIC,
    page: int = 1,
    pages: int = 1,
    title: str = TITLE,
    **each: Any,
) -> Found:
    """Return what has to be found: of each post what this form tells."""
    keys: dict[str, Callable[[int, Said], Any]] = {
        "id": lambda at, _: str(FIRST_ID + at),
        "number": lambda at, _: at + 1,
        "author": lambda _, said: said.who.name,
        "author_id": lambda _, said: said.who.id,
        "at": lambda at, _: stamp(at),
        "edited": lambda _, said: said.edited,
        **each,
    }
    made = []
    for at, said in enumerate(posts):
        one = {name: of(at, said) for name, of in keys.items() if of is not None}
        made.append({**one, "orders": said.wanted.orders, "why": said.wanted.why})
    return {"software": software, "title": title, "topic": topic, "page": page, "pages": pages, "posts": made}
