"""Random boards, and boards that sit on a tolerance: where a move ends, who touches whom, what a line passes
and how far a target is say the rules and a second working-out alike.
"""

from __future__ import annotations

import random
from decimal import Decimal
from itertools import pairwise
from typing import Any

import pytest
import slow_boards as slow
from castle_cases import war_of
from thorough import deeper, tries

from pbem.geometry.plane import inches
from pbem.rulesets.castle import movement, portals, ranged, sight, space
from pbem.rulesets.castle.ruleset import CASTLE
from pbem.rulesets.castle.state import Figure, War

SIZE = 60
KINDS = ("wall", "wall_with_passage", "gatehouse", "citadel")
PORTALS = {"gatehouse": (("portcullis", False), ("doors", True)), "wall_with_passage": (("gate", False),)}


class Board:
    """A board as the rules have it and as the second working-out does."""

    def __init__(self, given: dict[str, Any]) -> None:
        self.war: War = war_of(CASTLE, given)
        self.boxes: list[slow.Box] = []
        self.towers: list[slow.Circle] = []
        self.doors: list[slow.Line] = []
        for section in self.war.sections:
            at, turned = (section.x, section.y), section.facing // 10
            if section.kind == "round_tower":
                self.towers.append((slow.point(*at), slow.TOWER))
                continue
            self.boxes += slow.blocks(section.kind, *at, turned)
            for name, rear in PORTALS.get(section.kind, ()):
                if name not in section.open:
                    self.doors.append(slow.door(section.kind, *at, turned, rear))
        self.rocks: list[slow.Box | slow.Circle] = []
        for piece in self.war.board.terrain:
            xs, ys = [x for x, _ in piece.shape], [y for _, y in piece.shape]
            self.rocks.append(
                (slow.point(*piece.shape[0]), piece.radius)
                if piece.radius
                else (min(xs), min(ys), max(xs), max(ys))
            )

    def bases(self, but: str) -> list[slow.Circle]:
        return [(slow.point(one.x, one.y), SIZE) for one in self.war.figures if one.id != but]

    def bars(self, who: str) -> list[Any]:
        return [*self.bases(who), *self.boxes, *self.towers, *self.doors, *self.rocks]


def number(chance: random.Random, low: int, high: int) -> str:
    step = chance.choice((1, 10, 50, 100))
    return inches(chance.randint(low, high) // step * step)


def given(chance: random.Random) -> dict[str, Any]:
    """Return a random board: five bases near one another, up to three sections, a rock or two."""
    sections = {
        f"s{n}": {
            "kind": chance.choice((*KINDS, "round_tower")),
            "at": f"{number(chance, 1500, 3300)} {number(chance, 1500, 3300)}",
            "facing": chance.choice(("0", "90", "180", "270")),
            "open": chance.choice(("", "gate portcullis", "portcullis doors")),
        }
        for n in range(chance.randint(0, 3))
    }
    warriors = {
        f"w{n}": {
            "kind": "crossbow",
            "side": chance.choice(("hill", "keep")),
            "at": f"{number(chance, 1300, 3500)} {number(chance, 1300, 3500)}",
            "facing": str(chance.randrange(360)),
        }
        for n in range(5)
    }
    terrain = [
        {"id": "rock", "kind": "blocking", "at": f"{number(chance, 1500, 3300)} {number(chance, 1500, 3300)}", "radius": "1.5"},
        {"id": "house", "kind": "blocking", "corners": ["20 20", "23.5 20", "23.5 22.25", "20 22.25"]},
    ][: chance.randint(0, 2)]  # fmt: skip
    return {"sections": sections, "warriors": warriors, "terrain": terrain}


def check_move(board: Board, one: Figure, way: list[tuple[int, int]], reach: int) -> str:
    """Compare where a move ends; return what ended it."""
    bars = board.bars(one.id)
    start = slow.point(one.x, one.y)
    if any(slow.overlaps((start, start), SIZE, bar) for bar in bars):
        return "overlaps"
    found = movement.walk(CASTLE, board.war, one, way, reach)
    path = list(found.path)
    assert path[0] == one.at
    assert slow.length(path) <= reach
    for a, b in pairwise(path):
        leg = (slow.point(*a), slow.point(*b))
        assert not any(slow.overlaps(leg, SIZE, bar) for bar in bars), (board.war, way, path)
    if found.stopped == "blocked":
        goal = way[len(path) - 2]
        # the place a hundredth further on, to the nearest whole one, is not free
        far = round(slow.length(path[-2:]))
        halts = [n for n in range(max(far - 2, 0), far + 3) if slow.on_the_way(path[-2], goal, n) == path[-1]]
        steps = [slow.on_the_way(path[-2], goal, n + 1) for n in halts]
        legs = [(slow.point(*path[-2]), slow.point(*step)) for step in steps]
        off = any(not SIZE <= number <= 4800 - SIZE for step in steps for number in step)
        assert off or any(slow.overlaps(leg, SIZE, bar) for leg in legs for bar in bars), (way, path)
    elif found.stopped == "speed":
        goal = way[len(path) - 2]
        assert slow.length([*path[:-1], further(path[-2], path[-1], goal, 200)]) > reach
    else:
        assert path[1:] == way
    return found.stopped


def further(start: tuple[int, int], halt: tuple[int, int], goal: tuple[int, int], by: int) -> tuple[int, int]:
    """Return the point of a leg that is so many hundredths of a hundredth beyond where somebody halted."""
    whole = slow.length([start, goal])
    share = min((slow.length([start, halt]) + Decimal(by) / 100) / whole, Decimal(1))
    return round(start[0] + share * (goal[0] - start[0])), round(start[1] + share * (goal[1] - start[1]))


def slow_line(board: Board, one: Figure, target: Figure) -> bool:
    """Tell whether a line between two on the ground is free (MKB13)."""
    line = (slow.point(one.x, one.y), slow.point(target.x, target.y))
    others = [(slow.point(o.x, o.y), SIZE) for o in board.war.figures if o.id not in (one.id, target.id)]
    circles = [*others, *board.towers, *(rock for rock in board.rocks if len(rock) == 2)]
    boxes = [*board.boxes, *(rock for rock in board.rocks if len(rock) == 4)]
    return not (
        any(slow.to_line(middle, line) < (size - 2) ** 2 for middle, size in circles)
        or any(slow.through(line, box) for box in boxes)
        or any(slow.between(line, door) == 0 for door in board.doors)
    )


@deeper
def test_random_boards_come_out_alike() -> None:
    chance = random.Random("inches")
    ends: dict[str, int] = {}
    lines = {True: 0, False: 0}
    for _ in range(tries(150, 50_000)):
        board = Board(given(chance))
        figures = board.war.figures
        one, target = chance.sample(figures, 2)
        way = [(one.x + chance.randint(-500, 500), one.y + chance.randint(-500, 500)) for _ in range(chance.choice((1, 1, 2)))]  # fmt: skip
        if way[0] != one.at and len({one.at, *way}) == len(way) + 1:
            why = check_move(board, one, way, chance.choice((400, 500, 700)))
            ends[why] = ends.get(why, 0) + 1
        free = sight.in_line(CASTLE, board.war, one, target) == ""
        assert free is slow_line(board, one, target), (board.war, one.id, target.id)
        lines[free] += 1
        touching = slow.touch((slow.point(*one.at), SIZE), (slow.point(*target.at), SIZE))
        assert space.in_contact(CASTLE, board.war, one, target) is touching
        reach = chance.choice((400, 1000, 1400))
        near = slow.square(slow.point(*one.at), slow.point(*target.at)) <= (reach + SIZE) ** 2
        assert ranged.in_range(CASTLE, one, target, reach) is near
        doors = [(slow.point(*a), slow.point(*b)) for a, b in portals.closed_lines(CASTLE, board.war)]
        assert {frozenset(door) for door in doors} == {frozenset(door) for door in board.doors}
    assert min(lines.values()) > 10 and {"blocked", "speed", ""} <= set(ends)


@deeper
def test_boards_on_the_tolerance_come_out_alike() -> None:
    """A base, a corner, an edge or a door from three hundredths within to three beyond each limit."""
    chance = random.Random("tolerance")
    for _ in range(tries(40, 10_000)):
        off = chance.randint(-3, 3)
        gap = 2 * SIZE - 2 + off
        x = 2400 + chance.randint(-60, 60)
        warriors = {
            "w0": {"kind": "crossbow", "side": "hill", "at": f"{inches(x)} 20"},
            "w1": {"kind": "crossbow", "side": "keep", "at": f"{inches(x + gap)} 23"},
            "w2": {"kind": "crossbow", "side": "keep", "at": f"{inches(x)} 28"},
            "w3": {"kind": "crossbow", "side": "keep", "at": f"{inches(x - SIZE + 2 + off)} 26"},
            "w4": {"kind": "crossbow", "side": "hill", "at": f"{inches(x + 2 * SIZE + 5 + off)} 20"},
        }
        kind = chance.choice(KINDS)
        half = 300 + SIZE - 2 + off
        sections = {"s0": {"kind": kind, "at": f"{inches(x + half)} 25", "facing": "0", "open": "gate"}}
        board = Board({"warriors": warriors, "sections": sections})
        one, target = board.war.figure("w0"), board.war.figure("w2")
        check_move(board, one, [(x, 2600)], 700)
        assert (sight.in_line(CASTLE, board.war, one, target) == "") is slow_line(board, one, target)
        other = board.war.figure("w4")
        assert space.in_contact(CASTLE, board.war, one, other) is (off <= 0)


@pytest.mark.parametrize("off", range(-3, 4))
def test_a_line_beside_a_base_and_a_corner(off: int) -> None:
    warriors = {
        "w0": {"kind": "crossbow", "at": "10 20"},
        "w1": {"kind": "crossbow", "at": f"{inches(1000 + SIZE - 2 + off)} 24"},
        "w2": {"kind": "crossbow", "side": "keep", "at": "10 28"},
    }
    board = Board({"warriors": warriors, "sections": {}})
    one, target = board.war.figure("w0"), board.war.figure("w2")
    assert (sight.in_line(CASTLE, board.war, one, target) == "") is (off >= 0)
    sections = {"s0": {"kind": "wall", "at": f"{inches(1300 + off)} 24"}}
    walled = Board({"warriors": {k: v for k, v in warriors.items() if k != "w1"}, "sections": sections})
    assert (sight.in_line(CASTLE, walled.war, one, target) == "") is (off >= 0)
