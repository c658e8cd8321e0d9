"""Crests: the edges of slopes, which part the higher ground from the lower; whether they bar a shot, and what
they cover.

A crest stands on a hexside and its named hex is the high one. Slopes themselves hide nobody. How a line is
drawn is ``lines``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from pbem.core.problem import Problem
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import beside, distance, hexside, side_between
from pbem.geometry.sight import Meeting
from pbem.rulesets.siege.ground import heights
from pbem.rulesets.siege.ground.terrain import terrain_at
from pbem.rulesets.siege.sight import reading
from pbem.rulesets.siege.state.field import SLOPE
from pbem.rulesets.siege.state.line import Line
from pbem.rulesets.siege.state.state import Battle, Unit

if TYPE_CHECKING:
    from pbem.geometry import fan

Rules = Ruleset[Battle]
CREST: Final = "crest"


class Crossing(NamedTuple):
    """A crest that a line crosses: its hexside, its high hex, and 1 where the line goes up over it, -1 where
    it goes down.
    """

    key: str
    high: str
    way: int


@rule("S3.23a")
def meets_a_crest(battle: Battle, line: Line) -> bool:
    """Tell whether a line comes to a crest; if not, slopes hinder nothing."""
    built = battle.field.sides_of_hexes
    return any(feature.kind == CREST for key in line.sides for feature in built[key])


def ways(rules: Rules, battle: Battle, line: Line) -> tuple[tuple[Crossing, ...], ...]:
    """Return the crests on a line's way, for each way that counts where it runs on the edges of hexes.

    Along the border of two hexes a line goes through the left or the right ones. Through a corner it goes
    straight or, where touching is enough, by the third hex.
    """
    meetings = tuple(line.track)
    kinds = {meeting.kind for meeting in meetings}
    sides = (0, 1) if "spine" in kinds else (0,)
    corners = (False, True) if "corner" in kinds and reading.either_hex_bars(rules) else (False,)
    paths = {_path(line, meetings, left, by_corners) for left in sides for by_corners in corners}
    return tuple(sorted({tuple(_crossings(battle, path)) for path in paths}))


def _path(line: Line, meetings: Sequence[Meeting], left: int, by_corners: bool) -> tuple[str, ...]:
    found = [line.start]
    for meeting in meetings:
        hexes = [hex_ for hex_ in meeting.hexes if hex_ is not None]
        if meeting.kind == "hex":
            found += hexes[:1]
        elif meeting.kind == "spine":
            found += hexes[left : left + 1] or hexes[:1]
        elif meeting.kind == "corner" and by_corners and 0 < meeting.enter < 1:
            found += hexes[:1]
    return (*found, line.end)


def _crossings(battle: Battle, path: tuple[str, ...]) -> Iterator[Crossing]:
    for here, there in pairwise(path):
        side = side_between(here, there)
        key = hexside(here, side) if side else ""
        for feature in battle.field.sides_of_hexes.get(key, ()):
            if feature.kind == CREST:
                yield Crossing(key, feature.at, 1 if feature.at == there else -1)


# --- whether a crest bars the shot


@rule("S3.23f")
def from_crest(hex_: str, crossing: Crossing) -> int:
    """Return how many hexes a figure is from a crest, counted to its high hex, so that the slope hex before
    it counts.
    """
    return distance(hex_, crossing.high)


@rule("S3.23b")
def far_enough(low: int, high: int) -> bool:
    """Tell whether the lower figure is far enough from a crest to be seen: at least as far
    as the higher one.
    """
    return low >= high


@rule("S3.23d")
def on_a_slope(rules: Rules, battle: Battle, hex_: str) -> bool:
    """Tell whether the lower figure stands on a slope, where distances do not matter."""
    return SLOPE in terrain_at(rules, battle, hex_).traits


def hidden(rules: Rules, battle: Battle, start: str, end: str, way: tuple[Crossing, ...]) -> Crossing | None:
    """Return the crest on a way that hides the hexes of shooter and target from each other; None if there is
    none.

    Who stands lower is told by the crests on the way, up and down. Ground that is higher than both hides them
    whatever the distances; a dip between two figures on one height hides nobody.
    """
    heights = [0]
    for crossing in way:
        heights.append(heights[-1] + crossing.way)
    if max(heights) > max(0, heights[-1]):
        return next(crossing for crossing in way if crossing.way > 0)
    low, high = (end, start) if heights[-1] < 0 else (start, end)
    if heights[-1] == 0 or on_a_slope(rules, battle, low):
        return None
    down = 1 if heights[-1] > 0 else -1
    between = (crossing for crossing in way if crossing.way == down)
    return next((one for one in between if not far_enough(from_crest(low, one), from_crest(high, one))), None)


@rule("S3.23c")
def why_not(rules: Rules, battle: Battle, shooter: Unit, target: Unit, line: Line) -> Problem | None:
    """Return why a crest makes a shot impossible, upward or downward; None if it does not."""
    if not line.sides or not meets_a_crest(battle, line):
        return None
    found = [
        _overlooked(rules, battle, line, hidden(rules, battle, line.start, line.end, way))
        for way in ways(rules, battle, line)
    ]
    barring = [crossing for crossing in found if crossing]
    if not barring or (len(barring) < len(found) and not reading.either_hex_bars(rules)):
        return None
    said = (
        "the lower of the two must be at least as far from the edge as the higher, or stand on a slope; "
        "nobody sees over a hill"
    )
    names = {"unit": shooter.id, "target": target.id, "side": min(barring).key}
    return Problem("line_of_fire.crest", names, rule="S3.23c", help=said)


def _overlooked(rules: Rules, battle: Battle, line: Line, crossing: Crossing | None) -> Crossing | None:
    """Return a crest that hides, unless one of the two stands so high and near that he looks over it."""
    if crossing is None or line.view is None:
        return crossing
    height = terrain_at(rules, battle, crossing.high).level
    return None if heights.overlooked(rules, battle, line.view, crossing.high, height) else crossing


def may_bar(battle: Battle, spread: fan.Spread) -> bool:
    """Tell whether any line of a fan meets a crest."""
    edges: int = battle.field.once("crests", lambda: spread.frame.mask(_keys(battle)))
    return bool(edges & spread.whole)


def _keys(battle: Battle) -> Iterator[str]:
    for key, features in battle.field.sides_of_hexes.items():
        if any(feature.kind == CREST for feature in features):
            yield key


def barred(rules: Rules, battle: Battle, start: str, end: str) -> tuple[bool, ...]:
    """Return for each of the 169 lines between any parts of two hexes whether a crest certainly bars it,
    where there are no heights (``why_not`` of each of them).
    """
    from pbem.geometry import passing

    edges: dict[str, dict[str, tuple[Crossing, ...]]] = battle.field.once(
        "edges of slopes", lambda: _edges(battle)
    )
    hexes, found, order = passing.between(start, end)
    numbers = {hex_: number for number, hex_ in enumerate(hexes)}
    steps = {
        number << passing.SHIFT | numbers[there]: crossings
        for hex_, number in numbers.items()
        if hex_ in edges
        for there, crossings in edges[hex_].items()
        if there in numbers
    }
    either = reading.either_hex_bars(rules)
    off = sum(1 << number for number, hex_ in enumerate(hexes) if hex_ is None)
    known: dict[tuple[Crossing, ...], bool] = {}

    def hides(row: tuple[int, ...]) -> bool:
        way = tuple(crossing for step in row if step in steps for crossing in steps[step])
        if way not in known:
            known[way] = hidden(rules, battle, start, end, way) is not None
        return known[way]

    said = any if either else all
    bars = [
        not (grazed & off) and said(map(hides, rows))
        for rows, grazed in zip(found.corners if either else found.straight, found.grazed, strict=True)
    ]
    return tuple(bars[number] for number in order)


def _edges(battle: Battle) -> dict[str, dict[str, tuple[Crossing, ...]]]:
    """Return hex -> hex beside it -> the crests that a line crosses from the one into the other."""
    found: dict[str, dict[str, tuple[Crossing, ...]]] = {}
    for key in _keys(battle):
        hexes = beside(key)
        for path in (hexes, hexes[::-1]):
            if crossings := tuple(_crossings(battle, path)):
                found.setdefault(path[0], {})[path[-1]] = crossings
    return found


# --- what it covers


def crossed(rules: Rules, battle: Battle, line: Line) -> frozenset[str]:
    """Return the hexsides of the crests that a line crosses."""
    if not line.sides or not meets_a_crest(battle, line):
        return frozenset()
    return frozenset(crossing.key for way in ways(rules, battle, line) for crossing in way)


def at_edge(hex_: str, keys: frozenset[str]) -> bool:
    """Tell whether a hex lies at one of some hexsides."""
    return any(hex_ in beside(key) for key in keys)
