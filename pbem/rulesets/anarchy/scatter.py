"""Scatter: where what was thrown in a high arc comes down, by the total of two dice and the direction of the
throw.

All of it is exact: a hex is a pair of whole numbers, and which hexside lies nearest to a line is asked of the
products of such pairs. Which game's machine throws is decided elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from pbem.core.scene import Trace
from pbem.geometry.hex import STEPS, Hex, centre, parse, text
from pbem.rulesets.siege.state import traces
from pbem.rulesets.siege.state.state import Battle

TABLE: Final = "mangonel_scatter"


def ahead(start: str, aim: str) -> int:
    """Return the number of the side over which a throw goes on from its aim: that whose direction is nearest
    to its own. A throw right between two sides goes on over the first of them, clockwise from the top, which
    is the order that breaks every tie of sides.
    """
    here, there = parse(start), parse(aim)
    way = (there.q - here.q, there.r - here.r)
    return max(range(len(STEPS)), key=lambda side: (_product(way, STEPS[side]), -side))


def _product(one: tuple[int, int], other: tuple[int, int]) -> int:
    """Return twice the scalar product of two ways in axial steps, whose axes lie 60 degrees apart."""
    (q, r), (s, t) = one, other
    return 2 * q * s + 2 * r * t + q * t + r * s


def landed(rows: Mapping[Any, Any], start: str, aim: str, total: int) -> str:
    """Return the hex in which something comes down that was thrown from one hex at another; empty where that
    has no number. ``rows`` are those of the table: total -> steps on, and over the next side
    counter-clockwise.
    """
    side = ahead(start, aim)
    (on_q, on_r), (left_q, left_r) = STEPS[side], STEPS[side - 1]
    on, left = rows[total]
    aimed = parse(aim)
    return text(Hex(aimed.q + on * on_q + left * left_q, aimed.r + on * on_r + left * left_r)) or ""


def reach(rows: Mapping[Any, Any], start: str, aim: str) -> dict[str, int]:
    """Return every hex in which something thrown so may come down, with on how many throws of two ten-sided
    dice of a hundred it does.
    """
    found: dict[str, int] = {}
    for total in rows:
        hex_ = landed(rows, start, aim, total)
        if hex_:
            found[hex_] = found.get(hex_, 0) + min(total - 1, 21 - total)
    return found


def lobbed(battle: Battle, event: Mapping[str, Any], who: Sequence[str]) -> Trace:
    """Return what a picture draws of such a throw by some figures: from where it begins, bent aside as it is
    high, over its aim to where it came down.
    """
    (x, y), (aim_x, aim_y) = centre(event["start"]), centre(event["aim"])
    high = (
        (x + aim_x) // 2 - (aim_y - y) // 9,
        (y + aim_y) // 2 + (aim_x - x) // 9 | 1,
    )  # no centre of a hex
    down = (centre(event["at"]),) if event.get("at", event["aim"]) != event["aim"] else ()
    path = ((x, y), high, (aim_x, aim_y), *down)
    said = "" if event.get("at") else "off the map"
    return Trace("throw", traces.shown_as(battle, who[0]), path, tuple(who), text=said)
