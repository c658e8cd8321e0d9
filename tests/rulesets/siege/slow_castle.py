"""Lines of fire and cover at a castle worked out a second time, slowly, from the texts of the rules alone.

Nothing of the program is used: the map file is read here, hexes are polygons with rational corners, and of
every pair of places it is asked in turn what lies on the straight line between them. It knows no doors,
houses, slopes or riders, and no options but those of ``Law``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

Dot = tuple[Fraction, Fraction]
F, HALF = Fraction, Fraction(1, 2)
CORNERS = (
    (F(1, 2), F(-1, 2)),
    (F(1), F(0)),
    (F(1, 2), F(1, 2)),
    (F(-1, 2), F(1, 2)),
    (F(-1), F(0)),
    (F(-1, 2), F(-1, 2)),
)
"""Of a flat-topped hex, squeezed so that its height is 1: straight lines stay straight.

Clockwise from the upper right.
"""
SIDES = {"n": (5, 0), "ne": (0, 1), "se": (1, 2), "s": (2, 3), "sw": (3, 4), "nw": (4, 5)}
LEVELS = {"moat": -1, "battlement": 2, "castle_wall": 2, "tower": 2, "keep": 3, "platform": 2}
RANKS = ("none", "light", "medium", "heavy", "infinite")
BUILDINGS = ("tower", "keep")


class Law(NamedTuple):
    """The options that the comparison turns."""

    of_targets: bool = False
    tower_radius: int = 8
    any_line_to_slits: bool = False


def name(column: int, row: int) -> str:
    return f"{column:02}{row:02}"


def numbers(hexagon: str) -> tuple[int, int]:
    return int(hexagon[:2]), int(hexagon[2:4])


def centre(hexagon: str) -> Dot:
    column, row = numbers(hexagon)
    return F(3, 2) * column, row + (HALF if column % 2 == 0 else F(0))


def corners(hexagon: str) -> list[Dot]:
    x, y = centre(hexagon)
    return [(x + dx, y + dy) for dx, dy in CORNERS]


def edge(hexagon: str, side: str) -> tuple[Dot, Dot]:
    found, (one, other) = corners(hexagon), SIDES[side]
    return found[one], found[other]


def middle(hexagon: str, side: str) -> Dot:
    (ax, ay), (bx, by) = edge(hexagon, side)
    return (ax + bx) / 2, (ay + by) / 2


def across(hexagon: str, side: str) -> str:
    """The hex whose centre is the reflection of this one's in the side."""
    (mx, my), (cx, cy) = middle(hexagon, side), centre(hexagon)
    x, y = 2 * mx - cx, 2 * my - cy
    column = int(x / F(3, 2))
    return name(column, int(y - (HALF if column % 2 == 0 else 0)))


def steps(one: str, other: str) -> int:
    """Hexes from one to the other, counted on the slanted axes."""
    (ax, ay), (bx, by) = centre(one), centre(other)
    wide = abs(bx - ax) / F(3, 2)
    return int(max(wide, abs(by - ay) + wide / 2))


def cross(o: Dot, a: Dot, b: Dot) -> Fraction:
    return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])


def stay(hexagon: str, p: Dot, q: Dot) -> tuple[Fraction, Fraction] | None:
    """The part of the line from p to q, from 0 to 1, that is in a hex or on its edge."""
    first, last = F(0), F(1)
    found = corners(hexagon)
    for number in range(6):
        a, b = found[number], found[(number + 1) % 6]
        at_p, at_q = cross(a, b, p), cross(a, b, q)
        if at_p < 0 and at_q < 0:
            return None
        if at_p < 0 or at_q < 0:
            here = at_p / (at_p - at_q)
            first, last = (max(first, here), last) if at_p < 0 else (first, min(last, here))
    return (first, last) if first <= last else None


def meets(p: Dot, q: Dot, a: Dot, b: Dot) -> bool:
    """Whether two stretches have a point in common."""
    one, two, three, four = cross(a, b, p), cross(a, b, q), cross(p, q, a), cross(p, q, b)
    if one == two == 0:
        inside = [min(p, q) <= x <= max(p, q) for x in (a, b)] + [min(a, b) <= x <= max(a, b) for x in (p, q)]
        return any(inside)
    return one * two <= 0 and three * four <= 0


class Castle:
    """A map with what stands on it."""

    def __init__(
        self,
        data: Mapping[str, Any],
        *,
        rubble: str = "",
        tower: str = "",
        men: str = "",
        law: Law | None = None,
    ) -> None:
        key = {word: str(said).replace("-", "_") for word, said in data["key"].items()}
        rows = [line.split()[1:] for line in data["terrain"].splitlines()[1:]]
        self.law = law or Law()
        self.ground = {
            name(c, r): key[word] for r, row in enumerate(rows, 1) for c, word in enumerate(row, 1)
        }
        self.sides: list[tuple[str, str, str]] = []
        for kind, by_side in data["sides"].items():
            for side, hexes in by_side.items():
                self.sides += [(kind, hexagon, side) for hexagon in hexes.split()]
        self.bridge = bool(data.get("things"))
        for thing in data.get("things", ()):
            hexagon, side = thing["gate"].split()
            self.sides.append(("wall", hexagon, side))
        self.pieces = self._pieces()
        seed = data["marks"]["outside"].split()[0]
        self.outside = {hexagon for hexagon in self.ground if self.pieces[hexagon] == self.pieces[seed]}
        self.drawn = dict(self.ground)
        for hexagon in rubble.split():
            self.ground[hexagon] = "rubble"
        self.rubble, self.tower, self.men = rubble.split(), tower.split(), men.split()
        for hexagon in self.tower:
            self.ground[hexagon] = "siege_tower"
            self.ground[f"{hexagon}@top"] = "platform"

    def _pieces(self) -> dict[str, int]:
        """Number the pieces of ground that walls of any kind part."""
        walled = {frozenset((hexagon, across(hexagon, side))) for _, hexagon, side in self.sides}
        kind = {
            hexagon: (word if word in BUILDINGS else "walk" if word in ("battlement", "castle_wall") else "")
            for hexagon, word in self.ground.items()
        }
        found: dict[str, int] = {}
        for number, first in enumerate(self.ground):
            todo = [first]
            while todo:
                here = todo.pop()
                if here in found:
                    continue
                found[here] = number
                around = (across(here, side) for side in SIDES)
                todo += [
                    there
                    for there in around
                    if there in kind and kind[there] == kind[here] and frozenset((here, there)) not in walled
                ]
        return found

    def places(self) -> list[str]:
        return [
            place for place, word in sorted(self.ground.items()) if word not in ("castle_wall", "siege_tower")
        ]

    def level(self, place: str) -> int:
        return LEVELS.get(self.ground[place], 0)

    def own(self, place: str, kind: str) -> list[str]:
        if self.ground[place] == "rubble":
            return []
        return [side for word, hexagon, side in self.sides if word == kind and hexagon == place]

    def by_a_moat(self, place: str) -> bool:
        return any(self.ground.get(across(place[:4], side)) == "moat" for side in SIDES)

    def together(self, a: str, b: str) -> bool:
        return (
            self.drawn.get(a) in BUILDINGS
            and self.drawn.get(b) == self.drawn.get(a)
            and self.pieces[a] == self.pieces[b]
        )

    # --- the verdict

    def cover(self, a: str, b: str) -> str:
        """The cover of a man at b whom a man at a shoots at with a crossbow from near; empty: he cannot."""
        if not self._chart(a, b):
            return ""
        best = ""
        for p in self._ends(a, b, False):
            for q in self._ends(b, a, True):
                found = self._along(a, b, p, q)
                if found and (not best or RANKS.index(found) < RANKS.index(best)):
                    best = found
        return best

    def _chart(self, a: str, b: str) -> bool:
        one, other = self.ground[a], self.ground[b]
        high = ("battlement", "tower", "keep", "platform")
        if one in BUILDINGS and other in BUILDINGS:
            return self.together(a, b)
        if one == "moat" and other in ("battlement", "tower", "keep"):
            return False
        for moat, dry in ((a, b), (b, a)):
            beyond = self.ground[dry] != "moat" and (
                self.ground[dry] not in high or self.ground[dry] == "platform"
            )
            if self.ground[moat] == "moat" and beyond and not self.by_a_moat(dry):
                return False
        return True

    def _outward(self, place: str, side: str, other: str) -> bool:
        """From the middle of the side straight away: the line is nowhere else in the hex,
        nor along the side.
        """
        return stay(place, middle(place, side), centre(other[:4])) == (0, 0)

    def _ends(self, place: str, other: str, aimed_at: bool) -> list[Dot | str]:
        """Where a line begins, or ends, in the hex of a place: the names of sides, or the centre."""
        if self.together(place, other):
            return [centre(place)]
        slits = [side for side in self.own(place, "slit") if self._outward(place, side, other)]
        if aimed_at and not self.law.any_line_to_slits:
            slits = [side for side in slits if self._in_row(place, side, other[:4])]
        if slits:
            return list(slits)
        parapets = [
            side
            for side in self.own(place, "parapet")
            if self.pieces[across(place, side)] == self.pieces[other[:4]]
        ]
        return [side for side in parapets if self._outward(place, side, other)] or [centre(place[:4])]

    def _in_row(self, place: str, side: str, hexagon: str) -> bool:
        here = place
        while (here := across(here, side)) in self.ground:
            if here == hexagon:
                return True
        return False

    def _along(self, a: str, b: str, begins: Dot | str, ends: Dot | str) -> str:
        here, there = a[:4], b[:4]
        p = middle(here, begins) if isinstance(begins, str) else begins
        q = middle(there, ends) if isinstance(ends, str) else ends
        inside = self.together(a, b)
        high, low = (b, a) if self.level(b) > self.level(a) else (a, b)
        met = [hexagon for hexagon in self._met(p, q) if hexagon not in (here, there)]
        for place, end in ((a, begins), (b, ends)):
            breached = any(
                hexagon in self.rubble and self.pieces[hexagon] == self.pieces[place]
                for hexagon in met
                if place in self.pieces
            )
            if self.ground[place] in BUILDINGS and not inside and not isinstance(end, str) and not breached:
                return ""
        if self._walled(p, q, inside) or any(
            self._hides(hexagon, a, b, high, low, inside) for hexagon in met
        ):
            return ""
        if any(
            self._in_the_way(man, a, b, high, low) for man in self.men if man[:4] in met and man not in (a, b)
        ):
            return ""
        if (
            self.bridge
            and here in self.outside
            and there not in self.outside
            and self.ground[a] != "platform"
        ):
            behind = self.ground[b] == "battlement" or self.own(b, "slit")
            if not behind and not any(hexagon in self.rubble for hexagon in (*met, there)):
                return ""
        return self._shelter(b, a, p, q, met, high, low)

    def _met(self, p: Dot, q: Dot) -> Iterator[str]:
        for hexagon in self.drawn:
            x, y = centre(hexagon)
            if (
                min(p[0], q[0]) - 1 <= x <= max(p[0], q[0]) + 1
                and min(p[1], q[1]) - HALF <= y <= max(p[1], q[1]) + HALF
            ):
                part = stay(hexagon, p, q)
                if part is not None and part != (0, 0) and part != (1, 1):
                    yield hexagon

    def _walled(self, p: Dot, q: Dot, inside: bool) -> bool:
        for kind, hexagon, side in self.sides:
            of_building = any(self.ground.get(near) in BUILDINGS for near in (hexagon, across(hexagon, side)))
            if kind == "wall" and (inside or not of_building) and meets(p, q, *edge(hexagon, side)):
                return True
        return False

    def _radius(self, high: str) -> int:
        return {"battlement": 8, "tower": self.law.tower_radius, "keep": 12, "platform": 10}.get(
            self.ground[high], 0
        )

    def _ignored(self, hexagon: str, level: int, high: str, low: str) -> bool:
        counted = low[:4] if self.law.of_targets else hexagon
        return level < self.level(high) and steps(high[:4], counted) <= self._radius(high)

    def _from(self, figure: str, wall: str) -> int:
        parts = [wall, *(across(wall, side) for side in self.own(wall, "parapet"))]
        return min(steps(figure[:4], part) for part in parts)

    def _hides(self, hexagon: str, a: str, b: str, high: str, low: str, inside: bool) -> bool:
        word = self.ground[hexagon]
        over = (
            self._from(low, hexagon) >= self._from(high, hexagon)
            if word in ("battlement", "castle_wall", "tower", "siege_tower")
            else False
        )
        lower = self.level(low) < self.level(high) or high == a
        from_keep = self.ground[high] == "keep" and lower and over
        if word == "siege_tower":
            return not (hexagon in (a[:4], b[:4]) or a[:4] in self.tower or b[:4] in self.tower or from_keep)
        if word in BUILDINGS:
            return not (inside and self.together(hexagon, a)) and not (word == "tower" and from_keep)
        if word in ("battlement", "castle_wall"):
            from_platform = self.ground[high] == "platform" and lower and over
            return self.level(low) < 2 and not from_keep and not from_platform
        return word == "tree" or (word == "tent" and not self._ignored(hexagon, 0, high, low))

    def _in_the_way(self, man: str, a: str, b: str, high: str, low: str) -> bool:
        word = self.ground[man]
        if word == "trench" or (
            word == "moat" and any(self.level(end) == 0 and self.by_a_moat(end) for end in (a, b))
        ):
            return False
        return not self._ignored(man[:4], self.level(man), high, low)

    def _shelter(self, b: str, a: str, p: Dot, q: Dot, met: list[str], high: str, low: str) -> str:
        word = self.ground[b]
        if word == "moat":
            return "none"
        near = high == a and self.level(b) < self.level(a) and steps(a[:4], b[:4]) <= self._radius(a)
        if word == "battlement" or self.own(b, "slit"):
            kept = [edge(b, side) for side in (*self.own(b, "parapet"), *self.own(b, "slit"))]
            best = "heavy" if any(meets(p, q, *one) for one in kept) else "none"
        else:
            best = {
                "scrub": "none" if near else "light",
                "tree": "light",
                "tent": "light",
                "trench": "heavy",
                "rubble": "medium",
                "platform": "light",
            }.get(word, "none")
        through = any(
            self.ground[hexagon] == "scrub" and not self._ignored(hexagon, 0, high, low) for hexagon in met
        )
        return "light" if best == "none" and through else best
