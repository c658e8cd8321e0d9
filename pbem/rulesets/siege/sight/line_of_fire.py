"""The line of fire: from where to where a shot is drawn, and which ground or figures between them bar it.

What the line gives the target to hide behind is ``cover``, whether it is far enough or too far for a weapon
is ``shooting``. Here only: is the way free, and if not, what is in it. The geometry is exact and lives in
``geometry.sight``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from itertools import chain
from typing import Final

from pbem.core.problem import Problem
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.geometry import sight
from pbem.geometry.hex import SIDES, beside, distance, hex_of, hexside
from pbem.rulesets.siege.ground import doorways, heights, slits
from pbem.rulesets.siege.ground.character import person
from pbem.rulesets.siege.ground.terrain import shut, terrain_at
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state.family import Screen
from pbem.rulesets.siege.state.field import Terrain
from pbem.rulesets.siege.state.line import Line, Opening, Ray, View
from pbem.rulesets.siege.state.state import STUNNED, Battle, Unit

Rules = Ruleset[Battle]

CENTRE: Final = "centre"
DOORWAYS: Final = ("door", "arch", "gate")
"""Features of hexsides that are doorways: one can stand in them, as nobody can in a window."""


def stands_in(battle: Battle, unit: Unit) -> tuple[str, ...]:
    """Return the hexes in which a figure can be shot at, head first: its own, or those of its horse; none off
    the map.
    """
    return unit.hexes


def where(battle: Battle, unit: Unit) -> str:
    """Return the hex a figure shoots from, of two the one of its head; empty off the map."""
    return unit.hexes[0] if unit.at else ""


@rule("S3.31d")
def either_hex(start: str, hexes: Sequence[str]) -> tuple[str, ...]:
    """Return in which of its hexes a figure of two is shot at: in either, the nearer first, of equal ones
    that of its head.
    """
    return tuple(sorted(hexes, key=lambda hex_: distance(start, hex_)))


@rule("S1.41b")
def from_any_part(rules: Rules) -> bool:
    """Tell whether a line may join any parts of the two hexes (option); otherwise it runs from centre to
    centre.
    """
    return rules.setting("line_of_fire") == "any_part"


@rule("S1.41d")
def either_hex_bars(rules: Rules) -> bool:
    """Tell whether one barring hex is enough where a line runs along the border of two or through a corner
    (option).
    """
    return rules.setting("line_on_hex_edge") == "either_hex_blocks"


def mode(rules: Rules) -> sight.Mode:
    """Return how lines on hex edges are read, in the words of the geometry."""
    return "either_hex_blocks" if either_hex_bars(rules) else "both_hexes_block"


def lines(
    rules: Rules, battle: Battle, shooter: Unit, target: Unit, at: str = "", across: str = ""
) -> Iterator[Line]:
    """Yield the lines a shot may take, to the nearer hex of the target first, or only to the one ``at``; both
    must be on the map.

    ``across`` names the one side of his hex by which the shooter shoots, where he has more than one.
    """
    start, hexes = where(battle, shooter), stands_in(battle, target)
    own = (
        (shooter.id, target.id, battle.rider_of.get(target.id, ""))
        if len(hexes) + len(shooter.at) > 2
        else ()
    )
    ends = (at,) if at else hexes if len(hexes) == 1 else either_hex(start, hexes) or hexes[:1]
    high = heights.matter(rules, battle)
    for end in ends:
        length = distance(start, end)
        if high and keeps_rays(rules):
            yield from (
                along(battle, ray, own)
                for ray in rays(rules, battle, shooter.at[0], place_in(target, end), across)
            )
            continue
        if high:
            for track, view in by_height(rules, battle, shooter.at[0], place_in(target, end), across):
                met, sides = between(rules, battle, track)
                yield Line(start, end, length, track, met, sides, own, view)
            continue
        for track in tracks(rules, battle, start, end):
            met, sides = between(rules, battle, track)
            yield Line(start, end, length, track, met, sides, own)


def keeps_rays(rules: Rules) -> bool:
    """Tell whether lines are worth keeping: there are few between two places, and each hex on them bars by
    itself.
    """
    return not from_any_part(rules) and either_hex_bars(rules)


def rays(rules: Rules, battle: Battle, here: str, there: str, across: str = "") -> tuple[Ray, ...]:
    """Return the lines between two places, worked out once for as long as walls and things
    stay as they are.
    """
    known: dict[tuple[str, str, str], tuple[Ray, ...]] = battle.once("rays", dict)
    found = known.get((here, there, across))
    if found is None:
        lines_ = by_height(rules, battle, here, there, across)
        found = known[here, there, across] = tuple(_ray(rules, battle, track, view) for track, view in lines_)
    return found


def _ray(rules: Rules, battle: Battle, track: sight.Line, view: View) -> Ray:
    ground, built, screens = battle.field.ground, battle.field.sides_of_hexes, screened(rules, battle)
    asked: list[str] = []
    sides: list[str] = []

    def note(hex_: str) -> bool:
        if hex_ in ground:
            asked.append(hex_)
        return False

    def note_side(key: str) -> bool:
        if key in built:
            sides.append(key)
        return False

    sight.blocked(track, note, note_side, mode(rules))
    uneven = frozenset(hex_ for hex_ in asked if hex_ in screens or not terrain_at(rules, battle, hex_).flat)
    still = tuple((hex_,) for hex_ in asked if hex_ in uneven)
    return Ray(track, view, tuple(asked), still, uneven, tuple(sides), [], [], [])


def along(battle: Battle, ray: Ray, own: tuple[str, ...] = ()) -> Line:
    """Return the line of a ray with what it meets now."""
    start, end = ray.track.start.hex, ray.track.end.hex
    return Line(
        start,
        end,
        distance(start, end),
        ray.track,
        met_by(battle, ray),
        ray.sides,
        own,
        ray.view,
        None if own else ray,
    )


def met_by(battle: Battle, ray: Ray) -> tuple[tuple[str, ...], ...]:
    """Return what a line meets now: ground that is not plain, and hexes with figures in them."""
    living = battle.living_in
    if living.keys().isdisjoint(ray.asked):
        return ray.still
    return tuple((hex_,) for hex_ in ray.asked if hex_ in ray.uneven or hex_ in living)


def place_in(unit: Unit, hex_: str) -> str:
    """Return the place of a figure that lies in one of its hexes; the hex itself where it has none there."""
    return next((place for place in unit.at if hex_of(place) == hex_), hex_)


def line(rules: Rules, battle: Battle, shooter: Unit, target: Unit) -> Line:
    """Return the first line a shot may take, whatever lies in its way."""
    return next(lines(rules, battle, shooter, target))


def by_height(
    rules: Rules, battle: Battle, here: str, there: str, across: str = ""
) -> Iterator[tuple[sight.Line, View]]:
    """Yield the tracks between two places, and how these lie to each other, where parapets and arrow slits
    may begin and end them.
    """
    start, end = hex_of(here), hex_of(there)
    for out in slits.starts(battle, here, end, across):
        for into in slits.stops(rules, battle, there, start):
            view = heights.view(
                rules, battle, here, there, *(part if part != CENTRE else "" for part in (out, into))
            )
            if out == into == CENTRE:
                yield from ((track, view) for track in tracks(rules, battle, start, end))
                continue
            for first in parts_of(rules, out):
                for last in parts_of(rules, into):
                    free = sight.trace(
                        sight.Point(start, first),
                        sight.Point(end, last),
                        lets_off=(out != CENTRE, into != CENTRE),
                    )
                    yield free, view


def parts_of(rules: Rules, part: str) -> tuple[str, ...]:
    """Return the parts of a hex in which a line may begin or end: of one that begins in its centre by itself,
    any (option).
    """
    return sight.PARTS if part == CENTRE and from_any_part(rules) else (part,)


def tracks(rules: Rules, battle: Battle, start: str, end: str) -> Iterable[sight.Line]:
    """Return the tracks from a hex to another: from the middle of a doorway that the shooter stands in, else
    from centre to centre.
    """
    plain = sight.lines_any_part(start, end) if from_any_part(rules) else (sight.between(start, end),)
    field = battle.field
    if field.openings and (parts := from_the_middle(battle, start, end)):
        return [sight.trace(sight.Point(start, part), sight.Point(end)) for part in parts]
    if not field.sides_of_hexes or not (own := through_own_side(battle, start, end)):
        return plain
    keys = {hexside(start, side) for side in own}
    moved = (sight.trace(sight.Point(start, side), sight.Point(end)) for side in own)
    return chain(moved, (track for track in plain if keys.isdisjoint(track.sides)))


@rule("S1.43b")
def from_the_middle(battle: Battle, start: str, end: str) -> tuple[str, ...]:
    """Return the part of a doorway hex in which a shot out of it begins, the middle of the opening on the
    target's side; elsewhere none.
    """
    face = doorways.face_toward(battle, start, end) if start in battle.field.openings else ()
    return (doorways.middle(face),) if face else ()


@rule("EN1.43a")
def through_own_side(battle: Battle, start: str, end: str) -> tuple[str, ...]:
    """Return the sides of a shooter's hex with an opening in them by which he shoots at a target: there the
    shot begins, in the middle.
    """
    return tuple(
        side
        for side in SIDES
        if _is_opening(battle, hexside(start, side)) and slits.outward(start, side, end)
    )


def _is_opening(battle: Battle, key: str) -> bool:
    field = battle.field
    return key not in shut(battle) and any(
        field.side_features[feature.kind].opening for feature in field.sides_of_hexes.get(key, ())
    )


# --- what is between


def between(
    rules: Rules, battle: Battle, track: sight.Line
) -> tuple[tuple[tuple[str, ...], ...], tuple[str, ...]]:
    """Return what a track meets, as ``Line.met`` and ``Line.sides`` keep it: figures, ground that is not
    flat, and built-up hexsides.

    The geometry asks for hexes and hexsides one by one in the order of the way, and never for the hexes of
    the ends.
    """
    ground, living, built = battle.field.ground, battle.living_in, battle.field.sides_of_hexes
    screens = screened(rules, battle)
    found: list[str] = []
    sides: list[str] = []

    def note(hex_: str) -> bool:
        if hex_ in living or hex_ in screens or (hex_ in ground and not terrain_at(rules, battle, hex_).flat):
            found.append(hex_)
        return False

    def note_side(key: str) -> bool:
        if key in built:
            sides.append(key)
        return False

    sight.blocked(track, note, note_side if built else _no_side, mode(rules))
    if not found or either_hex_bars(rules):
        return tuple((hex_,) for hex_ in found), tuple(sides)
    pairs = {hex_: pair for pair in track.spines for hex_ in pair}
    groups = dict.fromkeys(tuple(str(one) for one in pairs.get(hex_, (hex_,))) for hex_ in found)
    return tuple(group for group in groups if all(hex_ in found for hex_ in group)), tuple(sides)


def _no_side(key: str) -> bool:
    return False


@rule("S1.41c")
def restricted(line: Line) -> bool:
    """Tell whether a line crosses a hex with a figure in it or with ground that is not flat; if not, nothing
    restricts the shot.
    """
    return line.met != ()


@rule("S1.41e", "S3.22b", "S3.22c")
def first_between(line: Line, wanted: Callable[[str], bool]) -> str:
    """Return the first hex strictly between shooter and target that is wanted, empty if none is; their own
    hexes never count.
    """
    return next((min(group) for group in line.met if all(wanted(hex_) for hex_ in group)), "")


@rule("S3.22a")
def hides(ground: Terrain) -> bool:
    """Tell whether nobody sees past ground of a kind, as past a tree."""
    return ground.blocks_line


@rule("S3.21a")
def lets_through(ground: Terrain) -> bool:
    """Tell whether shots may be made through ground of a kind, as through scrub."""
    return not hides(ground)


def hidden_by(rules: Rules, battle: Battle, line: Line, hex_: str) -> Screen | None:
    """Return what sort of thing stands in a hex and stops a shot along a line; None if none does."""
    if battle.things:
        for screen in family.of(rules).shots.screens:
            if screen.hides(rules, battle, line, hex_):
                return screen
    return None


def screened(rules: Rules, battle: Battle) -> Set[str]:
    """Return the hexes with a thing in them that may hide who is behind it."""
    if not battle.things:
        return frozenset()
    return battle.once(
        "screened",
        lambda: {hex_ for screen in family.of(rules).shots.screens for hex_ in screen.where(battle)},
    )


@rule("S1.42b")
def counts(rules: Rules, unit: Unit) -> bool:
    """Tell whether a figure is in the way: the living are, the stunned among them too (option), the dead are
    not.
    """
    return unit.living and (unit.state != STUNNED or rules.setting("stunned_blocks_fire") == "true")


def over(rules: Rules, battle: Battle, line: Line) -> tuple[str, ...]:
    """Return the figures between shooter and target that a shot passes over, by the order of the way."""
    found = [[_counting(rules, battle, line, hex_) for hex_ in group] for group in line.met]
    return tuple(id_ for group in found if all(group) for ids in group for id_ in ids)


def _counting(rules: Rules, battle: Battle, line: Line, hex_: str) -> list[str]:
    found = [
        id_
        for id_ in battle.living_in.get(hex_, ())
        if id_ not in line.own and counts(rules, battle.units[id_])
    ]
    if line.view is None or not two_levels(rules, battle, line):
        return [id_ for id_ in found if not heights.in_a_trench(terrain_at(rules, battle, hex_))]
    return [
        id_
        for id_ in found
        if heights.figure_matters(rules, battle, line.view, place_in(battle.units[id_], hex_))
    ]


# --- what bars it


def weapon(rules: Rules, battle: Battle, shooter: Unit) -> str:
    """Return the weapon that somebody shoots: that of an engine he works, else his own; empty for who has
    none.
    """
    for weapon in family.of(rules).shots.weapons:
        if found := weapon(shooter):
            return found
    return person(battle, shooter).missile


@rule("S1.42a")
def shoots_flat(rules: Rules, battle: Battle, shooter: Unit) -> bool:
    """Tell whether somebody's weapon never shoots over a living figure: a crossbow."""
    bows: list[str] = rules.tables["ranges_and_modifiers"]["skill_groups"]["bows"]
    return weapon(rules, battle, shooter) not in bows


@rule("S1.42c")
def may_shoot_over(band: str, cover: str) -> bool:
    """Tell whether range and cover both let a bow shoot over living figures: medium or long, and none or
    light.
    """
    return band in ("medium", "long") and cover in ("none", "light")


@rule("S1.42d")
def figure_bars(
    rules: Rules, battle: Battle, shooter: Unit, target: Unit, line: Line, hex_: str
) -> Problem | None:
    """Return that the figure in a hex bars a shot that may not pass over it."""
    other = _counting(rules, battle, line, hex_)[0]
    names = {"unit": shooter.id, "target": target.id, "other": other, "hex": hex_}
    if shoots_flat(rules, battle, shooter):
        return Problem(
            "line_of_fire.figure", names, rule="S1.42a", help="a crossbow never shoots over a living figure"
        )
    said = "a bow shoots over others only at medium or long range, at a target in no cover or light cover"
    return Problem("line_of_fire.figure", names, rule="S1.42d", help=said)


@rule("S1.42e")
def two_levels(rules: Rules, battle: Battle, line: Line) -> bool:
    """Tell whether there are different levels, so that the rules of walls and moats apply in the place of
    these.
    """
    return line.view is not None


def ground_bars(rules: Rules, battle: Battle, shooter: Unit, target: Unit, line: Line, hex_: str) -> Problem:
    """Return that the ground of a hex, or the thing on it, bars a shot."""
    if screen := hidden_by(rules, battle, line, hex_):
        return screen.why(battle, {"unit": shooter.id, "target": target.id}, hex_)
    ground = terrain_at(rules, battle, hex_)
    names = {"unit": shooter.id, "target": target.id, "terrain": ground.title, "hex": hex_}
    said = heights.hides(rules, battle, line.view, hex_) if line.view else ground.hides
    code = "line_of_fire.too-near" if said in ("S1.44j", "S2.43e") else "line_of_fire.ground"
    return Problem(code, names, rule=said or "S1.41c")


# --- doorways, gateways, windows


def openings(battle: Battle, line: Line) -> tuple[Opening, ...]:
    """Return the openings that a line passes through, hexes before hexsides, without one in whose middle it
    begins.

    An opening drawn on the side of a doorway hex is not a second one.
    """
    field, ground = battle.field, battle.field.ground
    found = []
    for group in line.met:
        if field.openings.issuperset(group) and not heights.passed_by(battle, line.view, group):
            here = ground[min(group)]
            found.append(Opening(min(group), here.opening, here.cover, here.level))
    for key in line.sides:
        for on_side in field.sides_of_hexes[key]:
            feature = field.side_features[on_side.kind]
            if (
                feature.opening
                and field.openings.isdisjoint(beside(key))
                and not heights.passed_by(battle, line.view, beside(key))
            ):
                found.append(Opening(key, feature.opening, feature.cover, ground[on_side.at].level))
    return tuple(found)


@rule("EN1.43c")
def is_gateway(kind: str) -> bool:
    """Tell whether an opening is the gateway of a courtyard, for which the restrictions of
    doorways hold too.
    """
    return kind == "gateway"


@rule("S1.43a")
def on_one_level(rules: Rules, battle: Battle, line: Line, opening: Opening) -> bool:
    """Tell whether a shooter stands on the level of an opening, so that he can shoot through it."""
    return line.view is None or heights.level(rules, battle, line.view.start) == opening.level


@rule("S1.43c")
def at_the_keep(battle: Battle, line: Line) -> bool:
    """Tell whether a line begins in, leads to or passes the entrance of a keep, where nobody shoots."""
    field = battle.field
    hexes = (line.start, line.end, *(hex_ for group in line.met for hex_ in group))
    return any(field.ground[hex_].opening == "keep" for hex_ in hexes if hex_ in field.openings)


@rule("EN1.43b")
def second_opening(rules: Rules, battle: Battle, line: Line, passed: Sequence[Opening]) -> Opening | None:
    """Return the opening that is one too many: a line crosses one (option).

    Where shooter and target stand in one, that is not crossed.
    """
    if rules.setting("two_openings_block") != "true":
        return None
    crossed = [opening for opening in passed if not just_outside(battle, line.end, opening.where)]
    return crossed[1] if len(crossed) > 1 else None


def just_outside(battle: Battle, hex_: str, key: str) -> bool:
    """Tell whether a hex is the one right outside an opening that is drawn on a hexside; a window has nobody
    standing in it there.
    """
    found = battle.field.sides_of_hexes.get(key, ())
    return any(feature.kind in DOORWAYS and feature.at != hex_ and hex_ in beside(key) for feature in found)


def openings_bar(rules: Rules, battle: Battle, shooter: Unit, target: Unit, line: Line) -> Problem | None:
    """Return why a shot cannot go through the openings in its way; None if it can, or there are none."""
    names = {"unit": shooter.id, "target": target.id}
    if at_the_keep(battle, line):
        return Problem("line_of_fire.keep", names, rule="S1.43c")
    passed = [
        opening
        for opening in openings(battle, line)
        if opening.kind in ("doorway", "window") or is_gateway(opening.kind)
    ]
    for opening in passed:
        if not on_one_level(rules, battle, line, opening):
            return Problem(
                "line_of_fire.doorway-level",
                {**names, "where": opening.where, "opening": opening.kind},
                rule="S1.43a",
            )
    if second := second_opening(rules, battle, line, passed):
        args = {**names, "where": second.where, "opening": second.kind}
        return Problem(
            "line_of_fire.two-openings",
            args,
            rule="EN1.43b",
            help="one shot goes through one doorway, gateway or window",
        )
    return None


def by_the_levels(rules: Rules, battle: Battle, shooter: Unit, target: Unit, line: Line) -> Problem | None:
    """Return why two figures cannot shoot at each other from where they stand, or over what a line only
    touches; None if they can.
    """
    view = line.view
    if view is None or not two_levels(rules, battle, line):
        return None
    names: dict[str, str | int] = {"unit": shooter.id, "target": target.id}
    if problem := heights.why_not(rules, battle, view, names):
        return problem
    if place := heights.shut_in(battle, view, line.sides, line.track.crossed):
        said = (
            "from the row of hexes that leads straight to the slit he can be hit"
            if place == view.end
            else "a slit must look that way"
        )
        return Problem(
            "line_of_fire.slit",
            {**names, "hex": hex_of(place)},
            rule="S1.45b" if place == view.end else "S1.44b",
            help=said,
        )
    if either_hex_bars(rules):
        return None
    touched = [hex_ for pair in line.track.spines for hex_ in pair if hex_ in battle.field.ground] + list(
        line.track.corners
    )
    between_ = [
        hex_ for hex_ in touched if hex_ not in (None, line.start, line.end) and hex_ in battle.field.ground
    ]
    grazed = heights.grazed_building(rules, battle, between_)
    wall = grazed or heights.grazed_wall(rules, battle, view, between_)
    if not wall or view.inside:
        return None
    names |= {"hex": wall, "terrain": terrain_at(rules, battle, wall).title}
    return Problem("line_of_fire.ground", names, rule="S1.45e" if grazed else "S1.46a")


@rule("S1.41a")
def obstacles(
    rules: Rules, battle: Battle, shooter: Unit, target: Unit, line: Line, band: str, cover: str
) -> Problem | None:
    """Return what is in the way of a shot along a line, ground before figures; None if it is free."""
    if not (line.ray and line.ray.open):
        problem = by_ground(rules, battle, shooter, target, line)
        if problem:
            return problem
        if line.ray:
            line.ray.open.append(True)
    if not restricted(line) or (may_shoot_over(band, cover) and not shoots_flat(rules, battle, shooter)):
        return None
    living, alone = battle.living_in, line.ray is not None

    def in_the_way(hex_: str) -> bool:
        if hex_ in living and _counting(rules, battle, line, hex_):
            return True
        return not alone and bars(rules, battle, line, hex_)

    hex_ = first_between(line, in_the_way)
    # where both hexes of a border must bar, a figure may be the other one
    if hex_ and not _counting(rules, battle, line, hex_):
        return ground_bars(rules, battle, shooter, target, line, hex_)
    return figure_bars(rules, battle, shooter, target, line, hex_) if hex_ else None


def by_ground(rules: Rules, battle: Battle, shooter: Unit, target: Unit, line: Line) -> Problem | None:
    """Return what of all that is built, grown or driven there is in the way of a shot, whoever stands about;
    None if it is free.
    """
    if line.view is not None and (problem := by_the_levels(rules, battle, shooter, target, line)):
        return problem
    if (line.sides or battle.field.openings) and (
        problem := openings_bar(rules, battle, shooter, target, line)
    ):
        return problem
    hex_ = first_between(line, lambda hex_: bars(rules, battle, line, hex_)) if restricted(line) else ""
    return ground_bars(rules, battle, shooter, target, line, hex_) if hex_ else None


def bars(rules: Rules, battle: Battle, line: Line, hex_: str) -> bool:
    """Tell whether the ground of a hex, or what stands there, stops a shot."""
    if hidden_by(rules, battle, line, hex_):
        return True
    if line.view is not None and two_levels(rules, battle, line):
        return heights.hides(rules, battle, line.view, hex_) != ""
    return not lets_through(terrain_at(rules, battle, hex_))
