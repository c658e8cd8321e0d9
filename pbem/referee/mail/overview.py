"""How the games of an office stand, as a table for a terminal that fits into 80 columns, and as facts; what
needs the umpire, with the command for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

from pbem.post.write.cover import one_line
from pbem.referee.mail.desk import Desk, Need
from pbem.referee.mail.desk_rows import Row
from pbem.referee.mail.stands import DRAFT, Stands
from pbem.store.library import common_words

WIDTHS: Final = (15, 11, 18, 8, 13, 5)
"""Columns of the table, two spaces between them: game, turn, whom it waits for, since, due, score."""
COLUMNS: Final = ("game", "turn", "waits", "since", "due", "score")


def needs(desk: Desk) -> Iterator[str]:
    """Yield what needs the umpire, each with the command for it below."""
    words = common_words()
    if not desk.needs:
        yield words.phrase("desk.nothing")
        return
    yield words.phrase("desk.needs", count=len(desk.needs))
    folders = {row.id: row.folder for row in desk.rows}
    for need in desk.needs:
        yield f"  {folders[need.game]}: {need.said}" if need.game else f"  {need.said}"
        if need.command:
            yield f"      {need.command}"


def table(rows: Sequence[Row], now: datetime, root: Path) -> Iterator[str]:
    """Yield a line for each game of an office under a heading."""
    words = common_words()
    if not rows:
        yield words.phrase("status.no-games", folder=one_line(str(root), 60))
        return
    yield _row([words.phrase(f"status.column-{name}") for name in COLUMNS])
    for one in rows:
        yield _row(cells(one, now))


def cells(one: Row, now: datetime) -> list[str]:
    """Return the cells of a game's line, each as short as its column wants it."""
    since = short(now - one.since) if one.since and not one.over else ""
    score = ":".join(str(points) for _, points in one.score)
    return [one.folder, one.turn, _whose(one), since, due(one, now), score]


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


def desk_facts(desk: Desk) -> dict[str, Any]:
    """Return a desk for a program."""
    return {
        "games": [_row_facts(desk, row) for row in desk.rows],
        "needs": [_need(need) for need in desk.needs],
        "letters": [{"letter": key, "subject": subject} for key, subject in desk.letters],
    }


def _row_facts(desk: Desk, row: Row) -> dict[str, Any]:
    return {
        **stands_of(desk, row),
        "turn": row.turn,
        "held": row.held,
        "drafts": [waits.seat for waits in row.waits if waits.kind == DRAFT],
        "misses": {seat.seat: seat.misses for seat in row.seats},
        "letters": desk.letters_of(row.id),
        "needs": [_need(need) for need in desk.of(row.id)],
    }


def stands_of(desk: Desk, row: Row) -> dict[str, Any]:
    """Return how a game stands, for a program."""
    return {
        "game": row.id,
        "folder": str(desk.root / row.folder),
        "title": row.title,
        "stands": row.said,
        "waits": [
            {"seat": waits.seat, "name": waits.name, "side": waits.side, "for": waits.kind, "own": waits.own}
            for waits in row.waits
        ],
        "since": _iso(row.since),
        "due": _iso(row.until),
        "late": row.late(desk.now),
        "over": row.over,
        "score": [{"side": side, "points": points} for side, points in row.score],
        "winner": row.winner,
        "why": row.why,
    }


def _need(need: Need) -> dict[str, str]:
    return {"kind": need.kind, "game": need.game, "said": need.said, "command": need.command}


def _iso(at: datetime | None) -> str:
    return at.isoformat() if at is not None else ""


def _row(cells: Sequence[str]) -> str:
    return "  ".join(
        _cut(cell, width).ljust(width) for cell, width in zip(cells, WIDTHS, strict=True)
    ).rstrip()


def _cut(cell: str, width: int) -> str:
    """Return a cell that is no wider than its column."""
    plain = one_line(cell, 200)
    return plain if len(plain) <= width else plain[: width - 1] + "…"


def _whose(one: Row) -> str:
    """Return whom a game waits for, as short as a column wants it: names, and what is unusual about it."""
    words = common_words()
    if one.over:
        return (one.winner and words.phrase("status.winner", winner=one.winner)) or words.phrase(
            "status.over"
        )
    if not one.waits:
        return words.phrase("status.ready")
    missed = words.phrase("status.missed", count=one.misses) if one.misses else ""
    names = ", ".join(
        words.phrase("status.own") if waits.own else waits.name or waits.side for waits in one.waits
    )
    kinds = {waits.kind for waits in one.waits} - {"orders"}
    said = [words.phrase("status.draft") if kind == DRAFT else kind for kind in sorted(kinds)]
    said += [missed] if missed else []
    return f"{names}: {', '.join(said)}" if said else names


def due(one: Row, now: datetime) -> str:
    """Return when a game is due, as a column wants it; empty of one that is over."""
    words = common_words()
    if one.over:
        return ""
    if one.held:
        return words.phrase("status.hold")
    if one.until is not None and one.late(now):
        return words.phrase("status.is-late", span=short(now - one.until))
    if one.due(now):
        return words.phrase("status.now")
    if one.until is None:
        return words.phrase("status.no-deadline")
    return words.phrase("status.in", span=short(one.until - now))


def short(length: timedelta) -> str:
    """Return a length of time in its largest unit, as a column wants it: ``3 days``."""
    minutes = max(0, int(length.total_seconds()) // 60)
    for unit, size in (("day", 1440), ("hour", 60), ("minute", 1)):
        if minutes >= size:
            return common_words().phrase(f"status.{unit}s", count=minutes // size)
    return common_words().phrase("status.now")
