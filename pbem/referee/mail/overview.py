"""How the games of an office stand, as a table for a terminal that fits into 80 columns, and as facts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

from pbem.post.write.cover import one_line
from pbem.referee.mail.stands import DRAFT, Stands
from pbem.store.library import english

WIDTHS: Final = (16, 12, 22, 9, 13)
"""Columns of the table, two spaces between them: game, turn, whom it waits for, since, due."""


def table(every: Sequence[Stands], now: datetime, root: Path) -> Iterator[str]:
    """Yield a line for each game of an office under a heading."""
    words = english()
    if not every:
        yield words.phrase("status.no-games", folder=one_line(str(root), 60))
        return
    yield _row([words.phrase(f"status.column-{name}") for name in ("game", "turn", "waits", "since", "due")])
    for one in every:
        yield _row(
            [
                one.where.name,
                one.turn,
                _whose(one),
                _short(now - one.since) if one.since else "",
                _due(one, now),
            ]
        )


def facts(one: Stands, now: datetime) -> dict[str, Any]:
    """Return how a game stands, for a program."""
    return {
        "game": one.id,
        "folder": str(one.where),
        "title": one.title,
        "stands": one.said,
        "waits": [
            {"seat": waits.seat, "name": waits.name, "side": waits.side, "for": waits.kind, "own": waits.own}
            for waits in one.waits
        ],
        "since": one.since.isoformat() if one.since is not None else "",
        "due": one.until.isoformat() if one.until is not None else "",
        "late": one.late(now),
        "over": one.over,
        "score": [{"side": side, "points": points} for side, points in one.score],
        "winner": one.winner,
        "why": one.why,
    }


def _row(cells: Sequence[str]) -> str:
    return "  ".join(
        _cut(cell, width).ljust(width) for cell, width in zip(cells, WIDTHS, strict=True)
    ).rstrip()


def _cut(cell: str, width: int) -> str:
    """Return a cell that is no wider than its column."""
    plain = one_line(cell, 200)
    return plain if len(plain) <= width else plain[: width - 1] + "…"


def _whose(one: Stands) -> str:
    """Return whom a game waits for, as short as a column wants it: names, and what is unusual about it."""
    words = english()
    if one.over:
        return (one.winner and words.phrase("status.winner", winner=one.winner)) or words.phrase(
            "status.over"
        )
    if not one.waits:
        return words.phrase("status.ready")
    names = ", ".join(
        words.phrase("status.own") if waits.own else waits.name or waits.side for waits in one.waits
    )
    kinds = {waits.kind for waits in one.waits} - {"orders"}
    said = [words.phrase("status.draft") if kind == DRAFT else kind for kind in sorted(kinds)]
    return f"{names}: {', '.join(said)}" if said else names


def _due(one: Stands, now: datetime) -> str:
    words = english()
    if one.over:
        return ""
    if one.held:
        return words.phrase("status.hold")
    if one.until is None:
        return words.phrase("status.no-deadline")
    if one.late(now):
        return words.phrase("status.is-late", span=_short(now - one.until))
    return words.phrase("status.in", span=_short(one.until - now))


def _short(length: timedelta) -> str:
    """Return a length of time in its largest unit, as a column wants it: ``3 days``."""
    minutes = max(0, int(length.total_seconds()) // 60)
    for unit, size in (("day", 1440), ("hour", 60), ("minute", 1)):
        if minutes >= size:
            return english().phrase(f"status.{unit}s", count=minutes // size)
    return english().phrase("status.now")
