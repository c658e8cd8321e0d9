"""What is measured for whoever asks: from rim to rim, ranges, arcs, and what stands between two."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isqrt

from pbem.core.problem import Problem
from pbem.core.scene import TURN, Sector, Span
from pbem.geometry.court import nearest
from pbem.geometry.plane import Point, inches
from pbem.rulesets.castle import judge, melee, ranged
from pbem.rulesets.castle.arcs import looks_everywhere
from pbem.rulesets.castle.dial import Rules
from pbem.rulesets.castle.movement import speed
from pbem.rulesets.castle.orders import ATTACKS, SHOOTS, Order
from pbem.rulesets.castle.space import body
from pbem.rulesets.castle.state import Figure, Section, War
from pbem.rulesets.castle.views import measure

One = Figure | Section
FRONT = TURN // 4
"""How wide a front arc is (MKB9)."""


def measuring(
    rules: Rules, war: War, pairs: Sequence[tuple[str, str]], names: Sequence[str]
) -> tuple[tuple[Span, ...], tuple[Sector, ...], tuple[str, ...]]:
    """Return the lines between the rims of each pair, the reaches of each of ``names``, and who is named that
    is not on the table.
    """
    there = {one.id for one in war.left}
    asked = dict.fromkeys((*(name for pair in pairs for name in pair), *names))
    missing = tuple(name for name in asked if name not in there)
    if missing:
        return (), (), missing
    spans = tuple(_span(rules, war, war.one(a), war.one(b)) for a, b in pairs)
    sectors = tuple(sector for name in names for sector in _sectors(rules, war, war.one(name)))
    return spans, sectors, ()


def _span(rules: Rules, war: War, one: One, other: One) -> Span:
    on = measure(war.board.width, war.board.depth)
    start, end = _rims(rules, one, other)
    return Span(on.spot(*start), on.spot(*end), _said(rules, war, one, other))


def _rims(rules: Rules, one: One, other: One) -> tuple[Point, Point]:
    """Return the points of two rims that are nearest to each other, to a hundredth or two."""
    here, there = _middle(rules, one, other), _middle(rules, other, one)
    here = _middle_to(rules, one, there)
    return _toward(here, there, _size(rules, one)), _toward(there, here, _size(rules, other))


def _size(rules: Rules, one: One) -> int:
    return body(rules, one)[1]


def _middle(rules: Rules, one: One, other: One) -> Point:
    """Return the point of one without its rim that is nearest to the middle of another."""
    return _middle_to(rules, one, other.at)


def _middle_to(rules: Rules, one: One, point: Point) -> Point:
    shape, _ = body(rules, one)
    return shape[0] if len(shape) == 1 else nearest(shape, point)


def _toward(start: Point, end: Point, far: int) -> Point:
    x, y = end[0] - start[0], end[1] - start[1]
    whole = isqrt(x * x + y * y)
    if not whole:
        return start
    far = min(far, whole)
    return start[0] + far * x // whole, start[1] + far * y // whole


def _said(rules: Rules, war: War, one: One, other: One) -> str:
    """Return what is known of a blow, or else of a shot, from one at another: what it needs, or why not."""
    if one.side == other.side:
        return ""
    if isinstance(one, Figure) and melee.why_not(rules, war, [one], other, capture=False) is None:
        return " ".join(judge.notes(rules, war, Order((one.id,), ATTACKS, (other.id,)))[:1])
    problem = ranged.why_not(rules, war, [one], [other], (), False)
    if problem is None:
        return "; ".join(judge.notes(rules, war, Order((one.id,), SHOOTS, (other.id,))))
    return _why(problem)


def _why(problem: Problem) -> str:
    """Return why there is no shot, in a word or two for a picture."""
    short = {
        "castle.too-far": "out of range",
        "castle.too-near": "too near",
        "castle.not-before": "not before him",
        "castle.enemy-at-base": "an enemy at the base",
        "castle.friend-at-target": "a friend at the target",
        "castle.no-line": f"hidden by {problem.args.get('by', '')}".strip(),
    }
    return short.get(problem.code, "no shot")


def _sectors(rules: Rules, war: War, one: One) -> Iterator[Sector]:
    on = measure(war.board.width, war.board.depth)
    spot = on.spot(*one.at)
    if isinstance(one, Figure):
        far = speed(rules, war, one)
        yield Sector(spot, far, one.side, text=f"{one.id} moves {inches(far)}", of=one.id)
    if ranged.shoots_at_all(rules, one):
        reach = ranged.reach_of(rules, one)
        width = TURN if looks_everywhere(one) else FRONT
        text = f"{one.id} shoots {inches(reach)}"
        yield Sector(spot, reach, one.side, one.facing, width, text=text, of=one.id)
