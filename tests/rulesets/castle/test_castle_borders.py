"""Boards built to sit on a limit, or on two at once: arcs, rows of bases, gates, ladders, planks, ways and
lines that graze; the rules and the second working-out say the same.
"""

from __future__ import annotations

import random
from math import isqrt
from typing import Any

import slow_boards as slow
from castle_cases import war_of
from test_castle_boards import KINDS, SIZE, Board, check_move, slow_line
from thorough import deeper, tries

from pbem.geometry.plane import inches
from pbem.rulesets.castle import access, arcs, formations, movement, portals, ranged, sight, space
from pbem.rulesets.castle.ruleset import CASTLE

TIMES = tries(30, 10_000)
COMPASS = {0: (0, 1), 45: (1, 1), 90: (1, 0), 135: (1, -1), 180: (0, -1), 225: (-1, -1), 270: (-1, 0), 315: (-1, 1)}  # fmt: skip


def warrior(x: int, y: int, **more: str) -> dict[str, str]:
    return {"kind": "crossbow", "side": "hill", "at": f"{inches(x)} {inches(y)}", **more}


def near(chance: random.Random) -> int:
    return chance.randint(-3, 3)


@deeper
def test_bases_at_the_edge_of_an_arc() -> None:
    """Some part of a base is before somebody, behind him, or neither, on either side of both edges (MKB9)."""
    chance, found = random.Random("arcs"), set()
    for _ in range(TIMES):
        facing = chance.choice(list(COMPASS))
        wide = chance.randint(121, 900)
        # beyond an edge by as much as the base is wide, in the frame of who looks north
        out = chance.choice((SIZE, isqrt(2 * SIZE * SIZE))) + near(chance)
        x, y = chance.choice(
            ((wide + out, wide), (-wide - out, wide), (wide + out, -wide), (-wide - out, -wide))
        )
        if facing % 90:
            x, y = chance.choice(((wide, -out), (-out, wide), (-wide, out), (out, -wide)))
        turned = slow.rotated((x, y), facing // 90)
        at = (2000 + turned[0], 2000 + turned[1])
        war = war_of(
            CASTLE,
            {"warriors": {"w0": warrior(2000, 2000, facing=str(facing)), "w1": warrior(*at, side="keep")}, "sections": {}},
        )  # fmt: skip
        one, other = war.figure("w0"), war.figure("w1")
        ways = COMPASS[facing], tuple(-part for part in COMPASS[facing])
        here, there = slow.point(*one.at), slow.point(*other.at)
        front, rear = (slow.in_quarter(here, way, there, SIZE) for way in ways)
        assert arcs.in_front(CASTLE, one, other) is front, (facing, at)
        assert arcs.in_rear(CASTLE, one, other) is rear, (facing, at)
        found.add((front, rear))
    assert {(True, False), (False, True), (False, False)} <= found


@deeper
def test_three_bases_in_a_row() -> None:
    """Each in contact with the next or not: who makes a formation, and whether the middle one is in the way of a
    line between the others (MKB6, MKB13, MKB17).
    """
    chance, found = random.Random("rows"), set()
    for _ in range(TIMES):
        gaps = [2 * SIZE + 5 + near(chance) for _ in range(2)]
        aside = chance.choice((0, 0, SIZE - 2 + near(chance), chance.randint(-80, 80)))
        x = 1000
        spots = [(x, 2000), (x + gaps[0], 2000 + aside), (x + sum(gaps), 2000)]
        board = Board({"warriors": {f"w{n}": warrior(*at) for n, at in enumerate(spots)}, "sections": {}})
        units = board.war.figures
        circles = [(slow.point(*one.at), SIZE) for one in units]
        links = [slow.touch(circles[0], circles[1]), slow.touch(circles[1], circles[2])]
        ends = slow.touch(circles[0], circles[2])
        paired = [links[0] or ends, any(links), links[1] or ends]
        formed = formations.no_formation(CASTLE, board.war, units) is None
        assert formed is all(paired), spots
        assert (sight.in_line(CASTLE, board.war, units[0], units[2]) == "") is slow_line(
            board, units[0], units[2]
        )
        found.add((formed, slow_line(board, units[0], units[2])))
    assert {(True, False), (False, True)} <= found


@deeper
def test_ways_and_lines_that_graze() -> None:
    """A slanted leg that passes a base, and the corner of a section, each at the limit or as near it as whole
    hundredths come; the base beyond it as well: two limits at once (MKB1, MKB5, MKB13).
    """
    chance, ends, free = random.Random("grazing"), set(), set()
    for _ in range(TIMES):
        start = (2000, 1000)
        dx, dy = chance.randint(-300, 300), chance.randint(250, 600)
        end = (start[0] + dx, start[1] + dy)
        long = isqrt(dx * dx + dy * dy)
        limits = [SIZE + SIZE - 2, SIZE - 2]
        limit = chance.choice(limits)
        share = chance.randint(40, 70)
        side = chance.choice((-1, 1))
        warriors = {"w0": warrior(*start), "w1": warrior(*end, side="keep")}
        for n, sign in enumerate((side, -side)):
            off = limit + near(chance)
            warriors[f"w{n + 2}"] = warrior(
                start[0] + dx * share // 100 + sign * off * dy // long,
                start[1] + dy * share // 100 - sign * off * dx // long,
                side="keep",
            )
        del warriors[f"w{chance.choice((2, 3))}"]
        kind = chance.choice(KINDS)
        wide, deep = slow.SIZES[kind]
        off = SIZE - 2 + near(chance)
        corner = (
            start[0] + dx * 80 // 100 - side * off * dy // long,
            start[1] + dy * 80 // 100 + side * off * dx // long,
        )
        middle = (corner[0] - side * wide // 2, corner[1] + chance.choice((-1, 1)) * deep // 2)
        sections = {
            "s0": {
                "kind": kind,
                "at": f"{inches(middle[0])} {inches(middle[1])}",
                "facing": chance.choice(("0", "180")),
            }
        }
        board = Board({"warriors": warriors, "sections": chance.choice((sections, {}))})
        one, target = board.war.figure("w0"), board.war.figure("w1")
        far = chance.choice((long * 5 // 4, long - 2 * SIZE - 5))
        ends.add(check_move(board, one, [(start[0] + dx * far // long, start[1] + dy * far // long)], 900))
        line = slow_line(board, one, target)
        assert (sight.in_line(CASTLE, board.war, one, target) == "") is line, board.war
        free.add(line)
        assert ranged.in_range(CASTLE, one, target, long - SIZE) is (
            slow.square(slow.point(*start), slow.point(*end)) <= long * long
        )
    assert {"blocked", ""} <= ends and free == {True, False}


@deeper
def test_bases_in_gates_and_at_doors() -> None:
    """A base before, in and behind a passage, its portals open or closed, at the limit of a wall and of a portal at
    once; and at a door (MK9.1, MK11.3, MK18.5).
    """
    chance, ends, seen = random.Random("gates"), set(), set()
    for _ in range(TIMES):
        turned = chance.choice((0, 90, 180, 270))
        kind = chance.choice(("gatehouse", "wall_with_passage"))
        opened = chance.choice(("", "gate portcullis doors", "portcullis", "doors"))
        depth = slow.SIZES[kind][1] // 2
        aside = chance.choice((-1, 1)) * (slow.PASSAGE // 2 - SIZE + 2 + near(chance))
        before = depth + chance.choice((SIZE - 2 + near(chance), 150, -depth, 2 * SIZE))
        x, y = slow.rotated((aside, before), turned // 90)
        tx, ty = slow.rotated((aside + chance.randint(-2, 2), -depth - 200), turned // 90)
        board = Board(
            {
                "warriors": {"w0": warrior(2000 + x, 2000 + y)},
                "sections": {"s0": {"kind": kind, "at": "20 20", "facing": str(turned), "open": opened}},
            }
        )
        one, (section,) = board.war.figure("w0"), board.war.sections
        ends.add(check_move(board, one, [(2000 + tx, 2000 + ty)], 900))
        for name, rear in {
            "gatehouse": (("portcullis", False), ("doors", True)),
            "wall_with_passage": (("gate", False),),
        }[kind]:
            door = slow.door(kind, 2000, 2000, turned, rear)
            inside = slow.to_line(slow.point(*one.at), door) < (SIZE - 2) ** 2
            assert bool(portals.standing_in(CASTLE, board.war, section, name)) is inside, (board.war, name)
            seen.add(inside)
        at = slow.rotated(
            (chance.choice((50, -50, 0)) + near(chance), 300 + SIZE + 5 + near(chance)), turned // 90
        )
        keep = Board(
            {
                "warriors": {"w0": warrior(2000 + at[0], 2000 + at[1])},
                "sections": {"s0": {"kind": "citadel", "at": "20 20", "facing": str(turned)}},
            }
        )
        one, (section,) = keep.war.figure("w0"), keep.war.sections
        front = next(point for point in access.points(CASTLE, keep.war, section) if point.name == "front")
        line = slow.across((0, 300), turned // 90, 50)
        touching = slow.to_line(slow.point(*one.at), line) <= (SIZE + 5) ** 2
        assert access.touches_point(CASTLE, keep.war, one, front) is touching, keep.war
        there = slow.point(*one.at)
        beside = slow.to_box((there, there), slow.box("citadel", 2000, 2000, turned)) <= (SIZE + 5) ** 2
        assert space.beside(CASTLE, one, section) is beside
        near_it = slow.to_box((there, there), slow.box("citadel", 2000, 2000, turned)) <= (SIZE + 400) ** 2
        assert (ranged.too_near(CASTLE, section, one) is not None) is near_it
    assert {"blocked", ""} <= ends and seen == {True, False}


@deeper
def test_feet_of_ladders() -> None:
    """A base at the foot of a ladder, on the ground and on the wall, at the limit of contact (MK8.4, MKB6)."""
    chance, seen = random.Random("ladders"), set()
    for _ in range(TIMES):
        foot = 2000 + chance.randint(-200, 200)
        up = chance.choice((False, True))
        edge = 2100
        y = edge + (SIZE - 100 if up else SIZE + 5 + near(chance))
        x = foot + chance.choice((-1, 1)) * chance.choice(
            (0, 50 + near(chance), 90 + near(chance), 115 + near(chance))
        )
        of = warrior(x, y, on="s0") if up else warrior(x, y)
        given: dict[str, Any] = {
            "warriors": {"w0": of},
            "sections": {"s0": {"kind": "wall", "at": "20 20", "facing": "0"}},
            "ladders": {"ladder1": {"wall": "s0", "at": f"{inches(foot)} {inches(edge)}"}},
        }
        war = war_of(CASTLE, given)
        one = war.figure("w0")
        line = (slow.point(foot - 50, edge), slow.point(foot + 50, edge))
        touching = slow.to_line(slow.point(*one.at), line) <= (SIZE + 5) ** 2
        for point in access.points(CASTLE, war, war.section("s0")):
            assert access.touches_point(CASTLE, war, one, point) is (touching and point.high is up), (
                x,
                y,
                foot,
            )
        seen.add((up, touching))
    assert seen == {(False, True), (False, False), (True, True), (True, False)}


@deeper
def test_steps_from_wall_to_wall() -> None:
    """Along a row of walls that adjoin or do not, by a hundredth, with and without planks: how far somebody gets on
    top, where his base fits on a wall as a whole (MK5.1, MK8.2, MK9.6).
    """
    chance, seen = random.Random("planks"), set()
    for _ in range(TIMES):
        gaps = [chance.choice((0, 8, 9, 10, 11, 12, 150)) for _ in range(2)]
        planks = [gap == 150 and chance.choice((True, False)) for gap in gaps]
        lefts = [1000, 1600 + gaps[0], 2200 + sum(gaps)]
        given = {
            "warriors": {"w0": warrior(1000 + 500 + near(chance), 2000 + chance.choice((-40, 0, 40)), on="s0")},
            "sections": {f"s{n}": {"kind": "wall", "at": f"{inches(left + 300)} 20", "facing": "0"} for n, left in enumerate(lefts)},
            "planks": [f"s{n} to s{n + 1}" for n, plank in enumerate(planks) if plank],
        }  # fmt: skip
        war = war_of(CASTLE, given)
        one = war.figure("w0")
        goal = one.x + chance.choice((chance.randint(1, 1500), lefts[1] + SIZE + near(chance) - one.x))
        found = movement.walk(CASTLE, war, one, [(goal, one.y)], 2000)
        assert found.path[-1] == (slow.along_walls(lefts, 600, gaps, planks, one.x, goal, SIZE), one.y), (
            given,
            goal,
        )
        seen.add((goal == found.path[-1][0], found.on))
    assert {(True, "s1"), (True, "s2"), (False, "s0"), (False, "s1")} <= seen
