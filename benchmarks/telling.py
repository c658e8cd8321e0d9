"""What a run prints for people: what there is to compare, how times grow, then one table of what has an aim,
and of what became slower. Legible at a hundred columns.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import Final

from benchmarks.measure import Growth, Measured, Result

WHAT: Final = 51
"""Columns of what was measured; longer ones go on in the next line."""
_REACHED: Final = {True: "reached", False: "missed", None: ""}


def told(found: Sequence[Measured]) -> Iterator[str]:
    """Yield the lines of all that was measured."""
    aims = [one for one in found if one.aim is not None]
    others = [row(one) for one in found if isinstance(one, Result) and one.aim is None]
    if others:
        yield from (*aligned([("to compare", "measured", ""), *others]), "")
    grown = [one for one in found if isinstance(one, Growth)]
    if grown:
        yield from (*aligned([("how times grow", "power", *[""] * 5), *map(sizes, grown)]), "")
    if aims:
        rows = [(*row(one), aim(one), _REACHED[one.reached]) for one in aims]
        yield from aligned([("what", "measured", "", "aim", ""), *rows])
        yield f"{sum(one.reached is True for one in aims)} of {len(aims)} aims reached"


def row(one: Measured) -> tuple[str, str, str]:
    """Return what was measured, the figure to be compared, and the two times of a ratio."""
    if isinstance(one, Growth):
        what = f"{one.name}, {one.begin:,} to {one.sizes[-1]:,} {one.of}: power of growth"
        return what, f"{one.exponent:.2f}", ""
    what = f"{one.what} / {one.bare_of}" if one.bare_of else one.what
    times = "" if one.bare is None else f"{clock(one.ours)} / {clock(one.bare)}"
    return what, amount(one, one.figure), times


def aim(one: Measured) -> str:
    """Return the aim as people read it."""
    assert one.aim is not None
    unit = "" if isinstance(one, Growth) or one.bare is not None else one.unit
    return f"{'≥' if isinstance(one, Result) and one.more else '≤'} {one.aim:,g} {unit}".rstrip()


def amount(one: Result, figure: float) -> str:
    """Return a figure in its unit."""
    if one.bare is not None:
        return number(figure)
    if one.unit == "ms":
        return clock(figure / 1000)
    return f"{figure:,.0f} {one.unit}".rstrip() if figure == int(figure) else f"{number(figure)} {one.unit}"


def sizes(one: Growth) -> tuple[str, ...]:
    """Return how a time grows, as cells."""
    cells = [f"{size:,}: {clock(time)}" for size, time in zip(one.sizes, one.times, strict=True)]
    return f"{one.name}, {one.of}", f"{one.exponent:.2f}", *cells, *[""] * (5 - len(cells))


def clock(seconds: float) -> str:
    """Return a time in the unit that suits it."""
    if seconds >= 1:
        return f"{number(seconds)} s"
    return f"{number(seconds * 1000)} ms" if seconds >= 0.001 else f"{number(seconds * 1e6)} µs"


def number(figure: float) -> str:
    """Return three digits of a number, or all before the point."""
    places = 0 if abs(figure) >= 100 else 1 if abs(figure) >= 10 else 2
    return f"{figure:,.{places}f}"


def aligned(rows: Sequence[tuple[str, ...]]) -> list[str]:
    """Return rows with their columns one below the other, numbers to the right, long words in several lines."""
    folded = [(wrap(first, WHAT, subsequent_indent="  ") or [""], rest) for first, *rest in rows]
    wide = max((len(line) for lines, _ in folded for line in lines), default=0)
    widths = [max(map(len, column)) for column in zip(*(rest for _, rest in folded), strict=True)]
    found = []
    for lines, rest in folded:
        cells = [
            lines[-1].ljust(wide),
            *(cell.rjust(width) for cell, width in zip(rest, widths, strict=True)),
        ]
        found += [*lines[:-1], "  ".join(cells).rstrip()]
    return found
