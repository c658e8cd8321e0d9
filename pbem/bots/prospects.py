"""Where warriors of castle sections stand well: what they could strike or shoot, and how far away it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from math import isqrt

from msgspec.structs import replace

from pbem.bots.marching import FAR, Ways, distance_from, downhill, ways_to
from pbem.bots.worth import GOAL, POINT, blow, goals, harm, left, shot, to_hold
from pbem.geometry.court import nearest
from pbem.geometry.plane import CONTACT, INCH, Point, Shape, distance
from pbem.rulesets.castle import assault, melee, ranged
from pbem.rulesets.castle.access import may_not_use, shut
from pbem.rulesets.castle.access import points as access_points
from pbem.rulesets.castle.arcs import in_front, toward
from pbem.rulesets.castle.attack import chance
from pbem.rulesets.castle.dial import Rules, can, points, row, window
from pbem.rulesets.castle.facing import DEGREE
from pbem.rulesets.castle.orders import ATTACKS, CAPTURES
from pbem.rulesets.castle.portals import shows_a_square
from pbem.rulesets.castle.space import adjoining, beside, footprint, in_contact, radius
from pbem.rulesets.castle.state import Figure, Section, War

One = Figure | Section
FADES = (100, 84, 70, 59, 50, 42, 35, 29, 24, 20, 17, 14, 12, 10, 8)
"""Hundredths of what an attack is worth that is so many moves away."""
NEAR = 3
"""Toward how many enemies a way is looked for."""
GARRISON = 900
"""How near enemies come, in hundredths of an inch, before those who hold a castle go to meet them."""


def groups(rules: Rules, war: War, figures: Sequence[Figure]) -> Iterator[tuple[Figure, ...]]:
    """Yield the formations that some make as they stand: of those who touch each other three to five, of
    more the first five.
    """
    table = rules.tables["attacks"]["formation"]
    able = [one for one in figures if not can(rules, one, "titan")]
    waiting = list(able)
    while waiting:
        here = [waiting.pop(0)]
        for one in here:
            for other in tuple(waiting):
                same = row(rules, one)["faction"] == row(rules, other)["faction"]
                if same and in_contact(rules, war, one, other):
                    waiting.remove(other)
                    here.append(other)
        if len(here) >= table["least"]:
            yield tuple(here[: table["most"]])


class Prospects:
    """What a side may hope for from where its warriors stand."""

    def __init__(self, rules: Rules, war: War, side: str, done: Mapping[str, int]) -> None:
        self.rules, self.war, self.side, self.done = rules, war, side, done
        self._known: dict[tuple[object, ...], int] = {}
        self._blind = False
        """Whether it does not matter where somebody looks."""

    @cached_property
    def enemies(self) -> tuple[One, ...]:
        """Return what is left of the other side."""
        return tuple(one for one in self.war.left if one.side != self.side)

    @cached_property
    def holds(self) -> bool:
        """Tell whether the castle is this side's own."""
        return self.side == self.war.board.castle

    @cached_property
    def posts(self) -> frozenset[str]:
        """Return who stays where he is: who stands on a section that the enemy has to have."""
        theirs = {
            name for one in self.war.board.sides if one.id != self.side for name in goals(self.war, one.id)
        }
        return frozenset(one.id for one in self.war.up if one.side == self.side and one.on in theirs)

    @cached_property
    def empty(self) -> frozenset[str]:
        """Return the sections of this side on which nobody stands, near an enemy."""
        return frozenset(
            one.id
            for one in self.war.standing
            if one.side == self.side
            and not any(other.on == one.id for other in self.war.up)
            and any(isinstance(foe, Figure) and _gap(foe.at, one.at) <= GARRISON for foe in self.enemies)
        )

    # --- what an attack promises

    def promise(self, units: tuple[One, ...], target: One, do: str) -> int:
        """Return what an attack of some is worth, if they can make it."""
        if do in (ATTACKS, CAPTURES):
            warriors = tuple(one for one in units if isinstance(one, Figure))
            return blow(self.rules, self.war, warriors, target, self.done, do == CAPTURES)
        return shot(self.rules, self.war, units, target, self.done)

    def clicks(self, units: tuple[One, ...], target: One, do: str) -> int:
        """Return the hundredths of clicks that an attack takes off on the average."""
        first = units[0]
        if do in (ATTACKS, CAPTURES):
            warriors = [one for one in units if isinstance(one, Figure)]
            attack, defence = melee.values(self.rules, self.war, warriors, target, do == CAPTURES)
            most = window(self.rules, first).damage + melee.ramming(self.rules, warriors[0], target)
            if do == CAPTURES:
                most = left(self.rules, target, self.done)
        else:
            attack, defence = ranged.values(self.rules, self.war, units, target)
            most = ranged.clicks_of(
                self.rules, first, target, ranged.is_long(self.rules, first, target, False)
            )
        hits, throws = chance(self.rules, defence.total - attack.total)
        return POINT * most * hits // throws

    def pushed(self, units: Sequence[One]) -> int:
        """Return what it costs to give an action to some who have had one in the last turn: what they are
        hurt, and what they are less good for.
        """
        cost = 0
        for one in units:
            if not one.tokens or one.acted or isinstance(one, Section):
                continue
            if left(self.rules, one, {}) <= 1:
                return FAR
            cost += self.standing(one) - self.standing(replace(one, click=one.click + 1))
            if not goals(self.war, self.side):
                cost += harm(self.rules, self.war, one, 1, {})
        return cost

    # --- where one stands

    def standing(self, one: Figure) -> int:
        """Return what the best attack is worth that somebody may come to make, less for each move to it."""
        hope = max((self._hope((one,), target) for target in self.enemies), default=0)
        return max(hope, self._way_in(one)) + self._taken(one)

    def looking(self, one: Figure) -> Figure:
        """Return somebody where he stands, looking at the enemy of whom he may hope for most there."""
        self._blind = True
        best = max(self.enemies, key=lambda target: (self._hope((one,), target), target.id), default=None)
        self._blind = False
        return one if best is None or in_front(self.rules, one, best) else self.turned(one, best)

    def turned(self, one: Figure, target: One) -> Figure:
        """Return somebody who looks at an enemy, at the nearest point of a section, in whole degrees."""
        there = target.at
        if isinstance(target, Section) and len(footprint(self.rules, target)[0]) > 1:
            there = nearest(footprint(self.rules, target)[0], one.at)
        return replace(one, facing=toward(one.at, there) // DEGREE * DEGREE)

    def standing_together(self, group: Sequence[Figure]) -> int:
        """Return the same of a formation: of all who may join in an attack, and each for himself."""
        best = 0
        for target in self.enemies:
            able = tuple(one for one in group if self._may(one, target))
            if len(able) >= int(self.rules.tables["attacks"]["formation"]["least"]):
                best = max(best, self._hope(able, target))
        return max(best, sum(self.standing(one) for one in group) // 2)

    def _may(self, one: Figure, target: One) -> bool:
        if isinstance(target, Section):
            return any(kind(self.rules, one, assault.CLOSE) for kind in assault.KINDS)
        return True

    def _hope(self, units: tuple[Figure, ...], target: One) -> int:
        return max(self._close(units, target), self._far(units, target))

    def _fades(self, gap: int, one: Figure) -> int:
        pace = max(window(self.rules, one).first * INCH, 1)
        # who is not there has to move, however little it is
        turns, rest = divmod(gap + pace if gap > 0 else 0, pace)
        if turns >= len(FADES) - 1:
            return max(FADES[-1] * POINT - gap // INCH, 1)
        # between two moves every inch counts a little, or nobody would go half a way
        return FADES[turns] * POINT - (FADES[turns] - FADES[turns + 1]) * POINT * rest // pace

    def _close(self, units: tuple[Figure, ...], target: One) -> int:
        one = units[0]
        if isinstance(target, Section):
            if one.on or not all(self._may(unit, target) for unit in units):
                return 0
            ways = ways_to(
                self.rules, self.war, (footprint(self.rules, target),), radius(self.rules, one) + INCH
            )
            gap = max(self._to_wall(ways, unit, target) for unit in units)
        else:
            if not self._meets(one, target):
                return 0
            gap = (
                min(_gap(unit.at, target.at) for unit in units)
                - radius(self.rules, one)
                - radius(self.rules, target)
                - CONTACT
            )
            if gap <= 0 and not all(self._sees(unit, target) for unit in units):
                gap = 1
            if self.holds and gap > GARRISON:
                return 0
        if gap >= FAR:
            return 0
        worth = self._once("blow", units, target)
        return worth * self._fades(gap, one) // (POINT * POINT)

    def _to_wall(self, ways: Ways, one: Figure, section: Section) -> int:
        """Return how far somebody has to go to touch a section; at least what is left of the last inch."""
        if beside(self.rules, one, section) and self._sees(one, section):
            return 0
        shape, size = footprint(self.rules, section)
        far = distance((one.at,), shape)
        straight = isqrt(far.num // far.den)
        return max(distance_from(ways, one.at), straight - size - radius(self.rules, one), 1)

    def _sees(self, one: Figure, target: One) -> bool:
        return self._blind or in_front(self.rules, one, target)

    def _meets(self, one: Figure, target: Figure) -> bool:
        if one.on == target.on:
            return True
        if not (one.on and target.on):
            return False
        return adjoining(self.rules, self.war.section(one.on), self.war.section(target.on))

    def _once(self, how: str, units: tuple[Figure, ...], target: One) -> int:
        """Return what a blow or a shot is worth, worked out once for all places on one level."""
        key = (how, target.id, *((one.id, one.on, one.click) for one in units))
        if key not in self._known:
            if how == "shot":
                self._known[key] = shot(self.rules, self.war, units, target, self.done)
            else:
                first = max(units, key=lambda one: blow(self.rules, self.war, (one,), target, self.done))
                ordered = (first, *(one for one in units if one is not first))
                self._known[key] = blow(self.rules, self.war, ordered, target, self.done)
        return self._known[key]

    def _far(self, units: tuple[Figure, ...], target: One) -> int:
        one = units[0]
        if not all(ranged.shoots_at_all(self.rules, unit) for unit in units):
            return 0
        if isinstance(target, Section) and not any(
            kind(self.rules, one, assault.RANGED) for kind in assault.KINDS
        ):
            return 0
        reach = max(ranged.reach_of(self.rules, one), ranged.long_range(self.rules, one, target))
        size = radius(self.rules, target) if isinstance(target, Figure) else _half(self.rules, target)
        gap = _gap(one.at, target.at) - reach - size
        if gap <= 0 and not self._sees(one, target):
            gap = 1
        worth = self._once("shot", units, target)
        return worth * self._fades(gap, one) // (POINT * POINT)

    def _taken(self, one: Figure) -> int:
        """Return what it is worth to stand on a section of the enemy that one has to hold, or that is
        breached.
        """
        if not one.on:
            return 0
        section = self.war.section(one.on)
        return 0 if section.side == self.side else self._inside(section)

    def _inside(self, section: Section) -> int:
        """Return what it is worth to be on a section of the enemy: less for each of his who is there."""
        others = sum(isinstance(foe, Figure) and foe.on == section.id for foe in self.enemies)
        if section.id in to_hold(self.war, self.side):
            return POINT * GOAL // (1 + others)
        if goals(self.war, self.side) or others or not shows_a_square(self.rules, section):
            return 0
        return 2 * POINT * points(self.rules, section)

    def _way_in(self, one: Figure) -> int:
        """Return what it is worth to be so near to the open doors and ladders of a section worth holding."""
        if one.on or may_not_use(self.rules, one):
            return 0
        best = 0
        for line, worth in self._entries:
            ways = ways_to(self.rules, self.war, ((line, 0),), radius(self.rules, one) + INCH)
            best = max(best, worth * self._fades(max(distance_from(ways, one.at), 1), one) // (POINT * POINT))
        return best

    @cached_property
    def _entries(self) -> tuple[tuple[Shape, int], ...]:
        """Return where one gets from the ground onto sections that are worth it, and what it is worth."""
        return tuple(
            (point.line, self._inside(section))
            for section in self.war.standing
            if section.side != self.side and self._inside(section)
            for point in access_points(self.rules, self.war, section)
            if not point.high and not shut(self.rules, self.war, point)
        )

    # --- where to go

    def nearest(self, one: Figure) -> tuple[str, ...]:
        """Return the enemies of whom somebody may hope for most."""
        hoped = sorted((-self._hope((one,), target), target.id) for target in self.enemies)
        return tuple(id_ for hope, id_ in hoped if hope)[:NEAR]

    def by_points(self, one: Figure, reach: int) -> Iterator[tuple[Point, ...]]:
        """Yield ways by points toward the section of which somebody may hope for most, and to where he may
        get onto one, round what is in the way.
        """
        if one.on:
            return
        for line, _ in () if may_not_use(self.rules, one) else self._entries:
            ways = ways_to(self.rules, self.war, ((line, 0),), radius(self.rules, one) + INCH)
            squares = downhill(ways, one.at, reach)
            if len(squares) > 1:
                yield (squares[len(squares) // 2], squares[-1])
        best = [name for name in self.nearest(one) if name in {section.id for section in self.war.standing}]
        for name in best[:1]:
            goal = (footprint(self.rules, self.war.section(name)),)
            ways = ways_to(self.rules, self.war, goal, radius(self.rules, one) + INCH)
            squares = downhill(ways, one.at, reach)
            if len(squares) > 1:
                yield (squares[len(squares) // 2], squares[-1])

    def to_enter(self, one: Figure, reach: int) -> Iterator[str]:
        """Yield the sections near enough that somebody may enter from the ground: by ladders, and open
        doors.
        """
        if one.on:
            return
        for section in self.war.standing:
            low = [point for point in access_points(self.rules, self.war, section) if not point.high]
            near = [point for point in low if _gap(point.line[0], one.at) <= reach + 3 * INCH]
            if any(not shut(self.rules, self.war, point) for point in near):
                yield section.id


def _gap(a: Point, b: Point) -> int:
    """Return how far two points are apart, in hundredths."""
    return isqrt((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2)


def _half(rules: Rules, section: Section) -> int:
    size = row(rules, section)
    return int(size["radius"] or size["depth"] // 2)
