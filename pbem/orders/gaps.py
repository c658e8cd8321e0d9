"""What can still be judged of a file with problems: gaps in the place of what cannot be used.

A gap says whom its line names, so that the rest is judged as if they might do anything.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any

from pbem.core.problem import Path
from pbem.orders.file import UNKNOWN, Gap, Item, Line, When


def with_gaps(
    items: Iterable[Item], wrong: Collection[Path], closed: bool, named: Callable[[Any], frozenset[str]]
) -> Iterator[Item]:
    """Yield items, a gap with the ids ``named`` in it for each line that is ``wrong``, or for all where their
    section is ``closed``.
    """
    for item in items:
        if isinstance(item, Line) and (closed or any(path[: len(item.path)] == item.path for path in wrong)):
            yield Gap(named(item.order), item.path)
        elif isinstance(item, When):
            asked = (*item.path, "when")
            unknown = any(path[: len(asked)] == asked for path in wrong)
            then, otherwise = (
                tuple(with_gaps(branch, wrong, closed, named)) for branch in (item.then, item.otherwise)
            )
            yield When(UNKNOWN if unknown else item.condition, then, otherwise, item.path)
        else:
            yield item


def without_second(items: Iterable[Item], second: Collection[Path]) -> Iterator[Item]:
    """Yield items, an empty gap in the place of each second order: the first one stands, and says where its
    figures are.
    """
    for item in items:
        if isinstance(item, Line) and item.path in second:
            yield Gap(frozenset(), item.path)
        elif isinstance(item, When):
            yield When(
                item.condition,
                tuple(without_second(item.then, second)),
                tuple(without_second(item.otherwise, second)),
                item.path,
            )
        else:
            yield item


def texts(value: Any) -> Iterator[str]:
    """Yield the texts in an entry, however it is put together; its form is known to be bounded."""
    if isinstance(value, Mapping):
        for inner in value.values():
            yield from texts(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from texts(inner)
    else:
        yield str(value)
