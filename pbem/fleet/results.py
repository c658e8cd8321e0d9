"""What a study comes to: a table of its games in Parquet, one row each, and a picture of who won.

Both are made of the rows alone, in the order of the games, so the same games give the same bytes however
often and wherever they were played.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from io import BytesIO
from itertools import groupby, islice
from typing import Any, Final

from msgspec import Struct

from pbem.fleet.door import EXTRA
from pbem.fleet.studies import Pairing, Row, colours, sides
from pbem.referee.game.refusal import UNDECIDED, refuse

TABLE, PICTURE = "games.parquet", "games.png"
AT_ONCE: Final = 50_000
"""So many rows are in memory and in a group of the table at a time."""


class Share(Struct, frozen=True):
    """Of one pairing: how many games, won by which side (empty: nobody), and how long they were in all."""

    pairing: Pairing
    sides: tuple[str, ...]
    games: int
    wins: Counter[str]
    turns: int

    @property
    def drawn(self) -> int:
        """Return how many games nobody won."""
        return self.games - sum(self.wins[side] for side in self.sides)

    @property
    def title(self) -> str:
        """Return what the pairing is called."""
        options = ", ".join(f"{name}={value}" for name, value in self.pairing.options)
        return f"{self.pairing.scenario}: {' v '.join(self.pairing.bots)}{f' ({options})' if options else ''}"


def needs_parquet() -> Any:
    """Return what writes Parquet; Refused where it is not installed."""
    try:
        return import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError:
        raise refuse("fleet.no-parquet", answer=UNDECIDED, extra=EXTRA) from None


def table(rows: Iterable[Row], seed: str) -> bytes:
    """Return the rows as a Parquet file."""
    arrow, parquet = needs_parquet()
    schema = arrow.schema(
        [
            ("scenario", arrow.dictionary(arrow.int16(), arrow.string())),
            ("bots", arrow.list_(arrow.string())),
            ("options", arrow.string()),
            ("seed", arrow.string()),
            ("number", arrow.int32()),
            ("winner", arrow.string()),
            ("turns", arrow.int32()),
            ("orders", arrow.list_(arrow.int32())),
            ("answers", arrow.list_(arrow.int32())),
            ("score", arrow.list_(arrow.int32())),
            ("state", arrow.string()),
        ]
    )
    file, left = BytesIO(), iter(rows)
    with parquet.ParquetWriter(file, schema, compression="zstd") as writer:
        while some := list(islice(left, AT_ONCE)):
            writer.write_table(_group(arrow, schema, some, seed))
    return file.getvalue()


def _group(arrow: Any, schema: Any, rows: Sequence[Row], seed: str) -> Any:
    columns: dict[str, list[Any]] = {
        "scenario": [row.pairing.scenario for row in rows],
        "bots": [row.pairing.bots for row in rows],
        "options": [", ".join(f"{name}={value}" for name, value in row.pairing.options) for row in rows],
        "seed": [f"{seed} {row.number}" for row in rows],
        "number": [row.number for row in rows],
        **{
            name: [getattr(row, name) for row in rows]
            for name in ("winner", "turns", "orders", "answers", "score", "state")
        },
    }
    return arrow.table([arrow.array(columns[one.name], one.type) for one in schema], schema=schema)


def shares(rows: Iterable[Row]) -> Iterator[Share]:
    """Yield what each pairing came to, in the order of the rows."""
    for pairing, some in groupby(rows, key=lambda row: row.pairing):
        wins, turns = Counter[str](), 0
        for row in some:
            wins[row.winner] += 1
            turns += row.turns
        yield Share(pairing, sides(pairing), wins.total(), wins, turns)


def picture(found: Sequence[Share], title: str) -> bytes:
    """Return the shares as a PNG."""
    bars = import_module("pbem.renderers.bars")
    drawn: bytes = bars.render(title, [bars.Bar(one.title, tuple(_parts(one))) for one in found])
    return drawn


def _parts(share: Share) -> Iterator[tuple[str, int, str]]:
    """Yield the parts of a bar: the first side, nobody, the others."""
    said = [
        (f"{side} ({bot})", share.wins[side], colour)
        for side, bot, colour in zip(share.sides, share.pairing.bots, colours(share.pairing), strict=True)
    ]
    yield from said[:1]
    yield "drawn", share.drawn, ""
    yield from said[1:]
