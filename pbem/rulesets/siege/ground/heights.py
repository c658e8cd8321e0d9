"""Shots between different heights: who may shoot at whom at all, and which ground and figures between them do
not matter.

The higher of the two overlooks what is lower and near him; walls, towers and trees still hide. How lines are
drawn is ``slits`` and ``lines``, what bars them ``line_of_fire``, what a target hides behind is ``cover``.

Theory of operation. Two places make a ``View``: which of them is the higher, and how many hexes far that one
overlooks what is lower. Three questions are asked of it, apart from each other. May the two shoot at each
other at all? The chart of elevations says so for each pair of kinds of places, with the edge of the moat
besides (``why_not``, ``shut_in``). Does the ground of a hex between them hide? Always, never, or unless it is
overlooked (``hides``). Is a figure between them in the way? Not where it is overlooked, in a trench, or down
in the moat (``figure_matters``). Who is the shooter matters to the chart alone: the rest of a view knows only
the higher and the lower, for who stands lower shoots up along every line by which he could be shot at
(``S1.45a``).

The obvious way would be a line in space, with a height for each hex, that passes over things or does not. The
books reckon otherwise: by levels, by a radius in hexes round who stands high, and past a wall by counting
hexes on both sides of it (``from_the_wall``). A line in space would give other answers, so there are no
heights in feet here, and no slope of a line.

What went wrong before, and has a case now: a figure on a wall was a hindrance by the rules of levels also
where these do not hold. All answers are held against a second working-out that shares no code with this one
(``slow_castle`` in the tests).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from pbem.core.problem import Problem
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.geometry import sight
from pbem.geometry.hex import beside, distance, hex_of, neighbour, neighbours
from pbem.rulesets.siege.ground import elevation, slits
from pbem.rulesets.siege.ground.terrain import ground_now, terrain_at
from pbem.rulesets.siege.state import family, rows
from pbem.rulesets.siege.state.field import MOAT as MOAT_GROUND
from pbem.rulesets.siege.state.field import RAM, SIEGE_TOWER, TALL, TRENCH, Terrain
from pbem.rulesets.siege.state.line import View
from pbem.rulesets.siege.state.state import Battle, Thing

Rules = Ruleset[Battle]

BATTLEMENT, TOWER, KEEP, PLATFORM, LADDER, MOAT, GROUND = (
    "battlement", "tower_slit", "keep_slit", "siege_tower_platform", "ladder_top", "moat", "ground"
)  # fmt: skip
"""Lines of the chart of elevations."""
WALK: Final = "walk"


def matter(rules: Rules, battle: Battle) -> bool:
    """Tell whether anybody can stand on another height than level ground."""
    known = battle.built
    return bool(known["heights"]) if "heights" in known else _matter(rules, battle)


def _matter(rules: Rules, battle: Battle) -> bool:
    field = battle.field
    drawn: bool = field.once("heights", lambda: _any_height(field.ground.values()))
    return battle.once("heights", lambda: drawn or _any_height(ground_now(rules, battle).values()))


def _any_height(grounds: Iterable[Terrain]) -> bool:
    return any(ground.level != 0 and ground.mp_foot is not None for ground in grounds)


@rule("S1.44d")
def level(rules: Rules, battle: Battle, place: str) -> int:
    """Return the level of a place: of a keep above that of walls, towers, platforms and ladders, that of a
    moat below all others.
    """
    return terrain_at(rules, battle, place).level


def stands(rules: Rules, battle: Battle, place: str) -> str:
    """Return the line of the chart for who stands in a place; in a doorway of a tower one stands as on the
    wall walk.
    """
    if place in battle.field.openings and terrain_at(rules, battle, place).floor in slits.BUILDINGS:
        return BATTLEMENT
    return elevation.category(rules, battle, place)


def view(rules: Rules, battle: Battle, start: str, end: str, out: str = "", into: str = "") -> View:
    """Return how two places lie to each other."""
    upward = level(rules, battle, start) < level(rules, battle, end)
    high, low = (end, start) if upward else (start, end)
    blind = upward and not rows.holds(rules, "shots_upward")
    radius = 0 if blind else overlooks(rules, stands(rules, battle, high))
    return View(start, end, high, low, radius, out, into, slits.in_one_building(battle, start, end))


# --- how far one overlooks what is lower


def overlooks(rules: Rules, category: str) -> int:
    """Return how many hexes far who stands high overlooks what is lower; 0 for all others."""
    return (
        from_a_battlement(rules, category)
        or from_the_keep(rules, category)
        or from_a_tower(rules, category)
        or from_a_platform(rules, category)
    )


@rule("S1.44e")
def from_a_battlement(rules: Rules, category: str) -> int:
    """Return how far one overlooks what is lower from a battlement."""
    return _radius(rules, category) if category == BATTLEMENT else 0


@rule("S1.44f")
def from_the_keep(rules: Rules, category: str) -> int:
    """Return how far one overlooks what is lower from an arrow slit of the keep."""
    return _radius(rules, category) if category == KEEP else 0


@rule("EN1.44a")
def from_a_tower(rules: Rules, category: str) -> int:
    """Return how far one overlooks what is lower from an arrow slit of a tower (option)."""
    return int(rules.setting("tower_slit_plunging_range")) if category == TOWER else 0


@rule("S2.43a")
def from_a_platform(rules: Rules, category: str) -> int:
    """Return how far one overlooks what is lower from the platform of a siege tower."""
    return _radius(rules, category) if category == PLATFORM else 0


def _radius(rules: Rules, category: str) -> int:
    return int(rules.tables["elevation"]["plunging_radius"][category])


def near(rules: Rules, view: View, hex_: str) -> bool:
    """Tell whether a hex is near enough under who stands high that he overlooks what is in it."""
    return not beyond(rules, view, hex_)


@rule("S1.44l")
def beyond(rules: Rules, view: View, hex_: str) -> bool:
    """Tell whether the ordinary rules hold for what is in a hex, for it (or, by the option, the target) is
    too far from who stands high.
    """
    counted = view.low if rules.setting("plunging_radius_applies_to") == "targets" else hex_
    return distance(hex_of(view.high), hex_of(counted)) > view.radius


def overlooked(rules: Rules, battle: Battle, view: View, hex_: str, height: int) -> bool:
    """Tell whether something of a height in a hex between does not matter, for who stands
    high sees over it.
    """
    return height < level(rules, battle, view.high) and near(rules, view, hex_)


def figure_matters(rules: Rules, battle: Battle, view: View, place: str) -> bool:
    """Tell whether a figure in a place between two others can be in the way at all."""
    ground = terrain_at(rules, battle, place)
    if in_a_trench(ground) or (stands(rules, battle, place) == MOAT and over_the_moat(rules, battle, view)):
        return False
    return not overlooked(rules, battle, view, hex_of(place), ground.level)


@rule("S3.25a")
def in_a_trench(ground: Terrain) -> bool:
    """Tell whether a figure is in no shot's way because it stands in a trench."""
    return TRENCH in ground.traits


@rule("S1.46d")
def over_the_moat(rules: Rules, battle: Battle, view: View) -> bool:
    """Tell whether a line begins or ends beside a moat, so that it goes over the figures in it."""
    return any(
        stands(rules, battle, place) == GROUND and at_a_moat(rules, battle, place)
        for place in (view.start, view.end)
    )


def at_a_moat(rules: Rules, battle: Battle, place: str) -> bool:
    """Tell whether a place is beside a moat."""
    return any(
        there in battle.field.ground and MOAT_GROUND in terrain_at(rules, battle, there).traits
        for there in neighbours(hex_of(place))
    )


# --- who may shoot at whom


def why_not(rules: Rules, battle: Battle, view: View, names: dict[str, str | int]) -> Problem | None:
    """Return why nobody shoots from the one place at the other, whatever lies between them;
    None if one may.
    """
    if inside_a_siege_tower(rules, battle, view.start):
        return Problem("line_of_fire.shut-in", names, rule="S2.44b", help="from its platform he can")
    if view.inside or any(asked(rules, battle, view) for asked in family.here(rules, battle).shots.despite):
        return None
    here, there = stands(rules, battle, view.start), stands(rules, battle, view.end)
    cell = allowed(rules, here, there)
    if cell == "no" and here == MOAT:
        return Problem(
            "line_of_fire.from-moat",
            names,
            rule="S1.45c",
            help="from the edge of the moat he can, if nothing is in the way",
        )
    if cell == "no":
        return Problem("line_of_fire.levels", names, rule=_forbids(here))
    if cell == "edge" and not _at_the_edge(rules, battle, view, here):
        said = "one of them in the moat, the other in it too or right beside it"
        return Problem("line_of_fire.edge", names, rule="S1.46e" if here == MOAT else "S1.46c", help=said)
    return None


@rule("S1.3g", "S1.45c")
def allowed(rules: Rules, here: str, there: str) -> str:
    """Return what the chart of elevations says of shots from one kind of place at another."""
    chart = rules.tables["elevation"]
    return str(chart["shoot"][here][chart["columns"].index(there)])


def _forbids(here: str) -> str:
    return {LADDER: "S1.93c"}.get(here, "S1.3g")


def _at_the_edge(rules: Rules, battle: Battle, view: View, here: str) -> bool:
    return (
        out_of_the_moat(rules, battle, view.end) if here == MOAT else into_the_moat(rules, battle, view.start)
    )


@rule("S1.46c")
def into_the_moat(rules: Rules, battle: Battle, place: str) -> bool:
    """Tell whether one can shoot into the moat from a place outside it: from beside it."""
    return at_a_moat(rules, battle, place)


@rule("S1.46e")
def out_of_the_moat(rules: Rules, battle: Battle, place: str) -> bool:
    """Tell whether a place outside the moat can be shot at from within: what is beside it."""
    return at_a_moat(rules, battle, place)


@rule("S2.44b")
def inside_a_siege_tower(rules: Rules, battle: Battle, place: str) -> bool:
    """Tell whether somebody is inside a siege tower, whence nobody shoots."""
    return SIEGE_TOWER in terrain_at(rules, battle, place).traits


def shut_in(battle: Battle, view: View, sides: Sequence[str], track: sight.Line) -> str:
    """Return the place of the two that lies within a tower or keep to which no arrow slit or doorway on the
    line leads; empty if none.
    """
    if view.inside:
        return ""
    for place, by in ((view.start, view.out), (view.end, view.into)):
        if (
            _within_walls(battle, place)
            and not by
            and (place, "rubble") not in battle.features
            and not _by_a_door(battle, place, sides, track)
        ):
            return place
    return ""


def _by_a_door(battle: Battle, place: str, sides: Sequence[str], track: sight.Line) -> bool:
    """Tell whether a line leads out of the building of a place by a doorway, or by a breach."""
    field, of = battle.field, slits.regions(battle)
    for hex_ in (place, *track.crossed):
        if of.get(hex_) == of[place] and (hex_ in field.openings or (hex_, "rubble") in battle.features):
            return True
    return any(
        field.side_features[feature.kind].opening and any(of.get(hex_) == of[place] for hex_ in beside(key))
        for key in sides
        for feature in field.sides_of_hexes.get(key, ())
    )


def of_a_building(battle: Battle, view: View | None, key: str) -> bool:
    """Tell whether what is on a hexside belongs to a tower or keep, so that not it but the hex says whether a
    line goes past, or over it.

    Within the building it counts, and where the hex is broken down.
    """
    if view is None or view.inside:
        return False
    return any(
        _within_walls(battle, hex_) and (hex_, "rubble") not in battle.features for hex_ in beside(key)
    )


def _within_walls(battle: Battle, hex_: str) -> bool:
    return hex_ in battle.field.ground and battle.field.ground[hex_].floor in slits.BUILDINGS


def passed_by(battle: Battle, view: View | None, hexes: Iterable[str]) -> bool:
    """Tell whether an opening at some hexes is that of a tower or keep in which neither of the two is."""
    if view is None:
        return False
    of = slits.regions(battle)
    ends = {of[hex_of(place)] for place in (view.start, view.end)}
    return any(_within_walls(battle, hex_) and of[hex_] not in ends for hex_ in hexes)


# --- what still hides


def hides(rules: Rules, battle: Battle, view: View, hex_: str) -> str:
    """Return the rule by which the ground of a hex hides two places from each other; empty if it does not."""
    ground = terrain_at(rules, battle, hex_)
    if not ground.blocks_line:
        return ""
    if SIEGE_TOWER in ground.traits:
        return (
            ""
            if not a_siege_tower_hides(battle, view, hex_) or over_the_wall(rules, battle, view, hex_)
            else _of_the_wall(rules, battle, view, "S2.44a")
        )
    if ground.floor in slits.BUILDINGS:
        own = view.inside and slits.in_one_building(battle, hex_, view.start)
        return (
            ""
            if own or over_the_wall(rules, battle, view, hex_)
            else _of_the_wall(rules, battle, view, "S1.44i")
        )
    if ground.floor == WALK:
        walked = ground.level <= level(rules, battle, view.low)
        return (
            ""
            if walked or over_the_wall(rules, battle, view, hex_)
            else _of_the_wall(rules, battle, view, "S1.41c", "S2.43e")
        )
    if RAM in ground.traits:
        return ground.hides if on_the_rams_level(rules, battle, view, hex_) else ""
    if not always_hides(ground) and overlooked(rules, battle, view, hex_, ground.level):
        return ""
    return ground.hides or "S1.41c"


def _of_the_wall(rules: Rules, battle: Battle, view: View, usual: str, from_a_platform: str = "") -> str:
    """Return the rule by which a wall or a tower hides: one by which it would not from farther away, else the
    usual.
    """
    category = stands(rules, battle, view.high)
    if category == KEEP:
        return "S1.44j"
    return from_a_platform or usual if category == PLATFORM else usual


@rule("S1.44i", "S2.43d")
def always_hides(ground: Terrain) -> bool:
    """Tell whether ground hides even what somebody high above looks down at: trees; so do towers, which are
    not lower than he.
    """
    return TALL in ground.traits


@rule("S2.44a")
def a_siege_tower_hides(battle: Battle, view: View, hex_: str) -> bool:
    """Tell whether the siege tower in a hex stands between two places: it is shot at, never through, but from
    its own platform past it.
    """
    tower = _tower_in(battle, hex_)
    return tower is not None and hex_of(view.start) not in tower.at and hex_of(view.end) not in tower.at


def _tower_in(battle: Battle, hex_: str) -> Thing | None:
    return next(
        (thing for thing in battle.things.values() if thing.kind == "siege-tower" and hex_ in thing.at), None
    )


@rule("S4.33a")
def on_the_rams_level(rules: Rules, battle: Battle, view: View, hex_: str) -> bool:
    """Tell whether two figures stand as low as the ram between them, so that it hides them
    from each other.
    """
    return level(rules, battle, view.start) == level(rules, battle, view.end) == level(rules, battle, hex_)


# --- over walls


def over_the_wall(rules: Rules, battle: Battle, view: View, hex_: str) -> bool:
    """Tell whether who stands high shoots over a wall, or a tower, in a hex, at who stands
    lower behind it.
    """
    category, ground = stands(rules, battle, view.high), terrain_at(rules, battle, hex_)
    if category == KEEP and ground.floor != "keep":
        return clear_of_the_keep(
            from_the_wall(battle, hex_of(view.high), hex_), from_the_wall(battle, hex_of(view.low), hex_)
        )
    if category == PLATFORM and ground.floor == WALK:
        return clear_of_the_platform(
            from_the_wall(battle, hex_of(view.high), hex_), from_the_wall(battle, hex_of(view.low), hex_)
        )
    return False


@rule("S1.44j", "S1.46b", "S1.45d")
def clear_of_the_keep(high: int, low: int) -> bool:
    """Tell whether a shot from the keep passes over a wall or a tower: the target is at least as far from it
    as the shooter.
    """
    return low >= high


@rule("S2.43e")
def clear_of_the_platform(high: int, low: int) -> bool:
    """Tell whether a shot from a platform passes over the wall: the target is at least as far behind it as
    the shooter before it.
    """
    return low >= high


def from_the_wall(battle: Battle, hex_: str, wall: str) -> int:
    """Return how many hexes a figure is from an obstacle."""
    return min(distance(hex_, part) for part in (wall, *before_the_wall(battle, wall)))


@rule("S1.44k")
def before_the_wall(battle: Battle, wall: str) -> tuple[str, ...]:
    """Return the hexes before the parapets of a wall hex, which the wall takes up too when distances from it
    are counted.
    """
    return tuple(
        there for side in slits.sides_with(battle, wall, slits.PARAPET) if (there := neighbour(wall, side))
    )


@rule("S1.45e")
def grazed_building(rules: Rules, battle: Battle, hexes: Iterable[str]) -> str:
    """Return the first hex of a tower or keep that a line touches, were it but in a corner; empty if none."""
    return next((hex_ for hex_ in hexes if terrain_at(rules, battle, hex_).floor in slits.BUILDINGS), "")


@rule("S1.46a")
def grazed_wall(rules: Rules, battle: Battle, view: View, hexes: Iterable[str]) -> str:
    """Return the first hex of a wall that a shot from a wall or a tower into the moat touches, were it but in
    a corner; empty if none.
    """
    if stands(rules, battle, view.low) != MOAT or stands(rules, battle, view.high) not in (BATTLEMENT, TOWER):
        return ""
    return next((hex_ for hex_ in hexes if terrain_at(rules, battle, hex_).floor == WALK), "")
