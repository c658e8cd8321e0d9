"""Checking an order file: everything ``pbem check`` does once the game is open, against parsing the same file
with PyYAML's C library.
"""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks import battle
from benchmarks.bare import pyyaml
from benchmarks.measure import POWER, Growth, Result, Work, calls, least
from pbem.referee.game.scenario import shape_for
from pbem.referee.turn.check import check
from pbem.text.source import read

ORDERS = 40
SIZES = (10, 40, 160, 320)


def _work(count: int) -> tuple[Work, bytes]:
    data = battle.orders(count)
    game = battle.game(count)
    checked = check(game, "orders.yaml", data)
    if checked.problems or len(checked.understood) != count:
        raise AssertionError(f"{count} legal orders are wanted, not {checked}")
    return lambda: check(game, "orders.yaml", data), data


def results(seconds: float) -> Iterator[Result]:
    """Yield the benchmark, and of what its reading is made."""
    ours, data = _work(ORDERS)
    lines, form, sentences = _reading()

    def text() -> None:
        lines(), form(), sentences()

    mine, read_, bare, *parts = least(
        ours, text, lambda: pyyaml.parse(data), lines, form, sentences, seconds=seconds
    )
    yield Result("check", f"check a file of {ORDERS} orders", "yaml.CSafeLoader", mine, bare, 2.5)
    yield Result("read", "of this reading: strict YAML, form, sentences", "yaml.CSafeLoader", read_, bare, 3)
    for part, took in zip(("lines and their places", "form", "sentences"), parts, strict=True):
        yield Result("read part", f"reading {ORDERS} orders: {part}", "", took, None, None)
    yield calls("check calls", f"function calls: check {ORDERS} orders", ours)
    yield calls("read calls", f"function calls: read {ORDERS} orders", text)


def _reading() -> tuple[Work, Work, Work]:
    data = battle.orders(ORDERS)
    laid, state = battle.battle(ORDERS)
    form = shape_for("orders", laid.rules.id)
    source = read(data, "orders.yaml", allow_header=True)
    return (
        lambda: read(data, "orders.yaml", allow_header=True),
        lambda: form.check(source.data),
        lambda: laid.rules.interface.read_orders(laid.rules, state, "east", source.data),
    )


def growth(seconds: float) -> Growth:
    """Return how the time grows with the number of orders (and of figures, as many)."""
    return Growth(
        "check", "orders", SIZES, least(*(_work(size)[0] for size in SIZES), seconds=seconds), POWER
    )
