"""Cover: the class in which a target is hit or missed, from the ground it stands on and from what the line of
fire crosses.

Which column of a table that is, is read in ``shot_odds``; what bars the line altogether stands in
``line_of_fire``.
"""

from __future__ import annotations

from typing import Final

from pbem.core.problem import Problem
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import distance, hex_of, hexside
from pbem.rulesets.siege.ground import doorways, heights, slits
from pbem.rulesets.siege.ground.terrain import closed, lies_down, shut, terrain_at
from pbem.rulesets.siege.sight import crests, crossfire, line_of_fire, lines, openings
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state.family import Covered, where_there_is
from pbem.rulesets.siege.state.field import LOW, PARAPET, SLOPE, Terrain
from pbem.rulesets.siege.state.line import Line, View
from pbem.rulesets.siege.state.state import Battle, Unit

Rules = Ruleset[Battle]

CLASSES: Final = ("none", "light", "medium", "heavy", "infinite")
_BY_POSITION: Final = "by_position"
FLANK: Final = "gate-flank"
"""Mark of a map: the hexes on both sides of the gate."""
INFINITE: Final = "cover.infinite"
"""Code of what is said where nothing reaches a target."""


@rule("S1.1l")
def rank(class_: str) -> int:
    """Return the place of a cover class in the ascending order none, light, medium, heavy, infinite."""
    return CLASSES.index(class_)


def untouchable(class_: str) -> bool:
    """Tell whether nobody in such cover can be a target."""
    return class_ == CLASSES[-1]


def of_ground(rules: Rules, battle: Battle, hex_: str) -> str:
    """Return the cover that the ground of a hex gives who stands on it; where it depends on the shot, none by
    itself.
    """
    class_ = terrain_at(rules, battle, hex_).cover
    return CLASSES[0] if class_ == _BY_POSITION else class_


@rule("S3.21b")
def through(rules: Rules, battle: Battle, line: Line) -> str:
    """Return the cover that ground between the two gives the target, such as scrub; it does not add up.

    Empty if there is none.
    """
    hex_ = line_of_fire.first_between(line, lambda hex_: covers(rules, battle, line, hex_))
    return terrain_at(rules, battle, hex_).cover_through if hex_ else ""


def covers(rules: Rules, battle: Battle, line: Line, hex_: str) -> bool:
    """Tell whether the ground of a hex between covers what is behind it, unless somebody high above looks
    over it.
    """
    ground = terrain_at(rules, battle, hex_)
    if ground.cover_through == "":
        return False
    return line.view is None or not heights.overlooked(rules, battle, line.view, hex_, ground.level)


@rule("S3.23e")
def at_a_crest(rules: Rules, battle: Battle, line: Line, hex_: str) -> str:
    """Return the cover of who stands at a crest that the line crosses; empty elsewhere."""
    if line.view is not None and laid_bare(rules, battle, line.view):
        return ""
    row = rules.tables["sides"]["rows"][crests.CREST]
    return str(row["cover"]) if crests.at_edge(hex_, crests.crossed(rules, battle, line)) else ""


def on_a_slope(rules: Rules, battle: Battle, line: Line, hex_: str) -> str:
    """Return the cover that a slope gives who stands on it (option): if the line crosses a crest, or always,
    or only at the crest.
    """
    said = rules.setting("slope_cover")
    if said == "light_at_crest_only" or (said != "medium_always" and not crests.crossed(rules, battle, line)):
        return CLASSES[0]
    return of_ground(rules, battle, hex_)


@rule("S1.53b")
def turned_away(rules: Rules, battle: Battle, target: Unit, line: Line, hex_: str) -> bool:
    """Tell whether a figure in a doorway has its shelter on the other side than that from which it is shot
    at.
    """
    before = (line.start, *line.track.crossed)[-1] if hex_ == line.end else line.start
    sheltered = crossfire.sheltered(rules, battle, target)
    return sheltered != "" and sheltered != doorways.way_in(battle, hex_, before)


def of_hex(rules: Rules, battle: Battle, target: Unit, line: Line, hex_: str) -> tuple[str, str]:
    """Return the cover that a hex of the target gives it against a shot, and the rule it owes it to."""
    place = lines.place_in(target, hex_)
    ground = terrain_at(rules, battle, place)
    if PARAPET in ground.traits:
        return behind_the_wall(battle, line, ground, place), "S1.51a"
    if line.view is not None and LOW in ground.traits and laid_bare(rules, battle, line.view):
        return CLASSES[0], "S1.44h"
    when = family.of(rules).shots.only.get(ground.id)
    if when is not None and not when(rules, battle, line, hex_):
        found = CLASSES[0], "S1.3f"
    elif SLOPE in ground.traits:
        found = on_a_slope(rules, battle, line, hex_), "S1.3f"
    elif ground.opening and not untouchable(ground.cover):
        found = CLASSES[0] if turned_away(rules, battle, target, line, hex_) else ground.cover, "S1.53a"
    else:
        found = of_ground(rules, battle, place), "S1.3f"
    return _better(found, (at_a_crest(rules, battle, line, hex_), "S3.23e")) if line.sides else found


@rule("S3.31b")
def of_both_hexes(rules: Rules, battle: Battle, target: Unit, line: Line) -> tuple[tuple[str, str], ...]:
    """Return the covers of the hexes of a figure of two, of which it has the better, whichever it is shot at
    in.
    """
    hexes = lines.stands_in(battle, target)
    return tuple(of_hex(rules, battle, target, line, hex_) for hex_ in hexes)


@rule("S1.53c")
def through_an_opening(battle: Battle, line: Line) -> str:
    """Return the cover of a target that is shot at through a doorway, gateway or window from which it stands
    further in.

    Empty for all others. Who stands in the doorway himself and shoots out of it has no doorway between.
    """
    deep = doorways.depth(battle, line.end)
    for opening in openings.openings(battle, line):
        if (deep and deep >= doorways.inner_depth(battle, opening.where)) or behind_a_window(
            battle, line, opening.where
        ):
            return opening.cover
    return ""


def behind_a_window(battle: Battle, line: Line, key: str) -> bool:
    """Tell whether a target stands right behind a window that is drawn on a hexside, on its inner side."""
    features = battle.field.sides_of_hexes.get(key, ())
    return any(feature.at == line.end and feature.kind not in openings.DOORWAYS for feature in features)


@rule("EN1.53a")
def outside_a_doorway(rules: Rules, battle: Battle, line: Line) -> str:
    """Return the cover of a target just outside a doorway in a hexside that is shot at through it from
    inside: as if it stood in it.
    """
    key = next((key for key in line.sides if openings.just_outside(battle, line.end, key)), "")
    features = battle.field.sides_of_hexes[key] if key else ()
    return next((battle.field.side_features[feature.kind].cover for feature in features), "")


# --- castles


def behind_the_wall(battle: Battle, line: Line, ground: Terrain, hex_: str) -> str:
    """Return the cover of who stands at a parapet or an arrow slit."""
    return CLASSES[0] if past_the_shelter(battle, line, hex_) else shelter(ground) or CLASSES[0]


@rule("S1.51a")
def shelter(ground: Terrain) -> str:
    """Return the cover of a parapet, or of an arrow slit, against a shot over the one or
    through the other.
    """
    return ground.cover


@rule("S1.51b", "S1.45g")
def past_the_shelter(battle: Battle, line: Line, hex_: str) -> bool:
    """Tell whether a shot comes neither over the parapet nor through the slit of a hex; one from within does
    not, and finds no cover.
    """
    kept = {
        hexside(hex_, side)
        for kind in (slits.PARAPET, slits.SLIT)
        for side in slits.sides_with(battle, hex_, kind)
    }
    if line.view is not None and line.end == hex_ and line.view.into:
        return hexside(hex_, line.view.into) not in kept
    return kept.isdisjoint(line.sides)


def laid_bare(rules: Rules, battle: Battle, view: View) -> bool:
    """Tell whether scrub and slopes do not cover a target, for the shooter looks down on it from near."""
    above = view.high == view.start and heights.level(rules, battle, view.end) < heights.level(
        rules, battle, view.start
    )
    if not above or distance(hex_of(view.start), hex_of(view.end)) > view.radius:
        return False
    category = heights.stands(rules, battle, view.start)
    return bare_under_the_walls(category) or bare_under_a_platform(category)


@rule("S1.44h")
def bare_under_the_walls(category: str) -> bool:
    """Tell whether somebody shoots down from a castle, so that neither scrub nor slope
    covers what is near.
    """
    return category in (heights.BATTLEMENT, heights.TOWER, heights.KEEP)


@rule("S2.43c")
def bare_under_a_platform(category: str) -> bool:
    """Tell whether somebody shoots down from a siege tower, so that neither scrub nor slope covers what is
    near.
    """
    return category == heights.PLATFORM


@rule("S1.55a")
def nothing_in_a_moat(rules: Rules, battle: Battle, line: Line) -> bool:
    """Tell whether a target has no cover at all because it stands in a moat."""
    return line.view is not None and heights.stands(rules, battle, line.view.end) == heights.MOAT


def bridges_up(battle: Battle) -> bool:
    """Tell whether the castle is closed: it has a drawbridge, and none is lowered."""
    bridges = [thing for thing in battle.things.values() if thing.kind == "drawbridge"]
    return bool(bridges) and not any(lies_down(bridge) for bridge in bridges)


@rule("S1.52a")
def safe_inside(rules: Rules, battle: Battle, line: Line) -> bool:
    """Tell whether nobody outside hits the target because it is within the castle, whose bridge is raised,
    and at no parapet or slit.
    """
    view = line.view
    if (
        view is None
        or not bridges_up(battle)
        or not slits.is_outside(battle, line.start)
        or slits.is_outside(battle, line.end)
    ):
        return False
    if PARAPET in terrain_at(rules, battle, view.end).traits:
        return False
    return not through_a_breach(battle, line) and not over_the_battlements(rules, battle, view)


@rule("S2.32b", "S1.52b")
def through_a_breach(battle: Battle, line: Line) -> bool:
    """Tell whether a line leads into, or through, a wall that is broken down."""
    return any((hex_, "rubble") in battle.features for hex_ in line.hexes)


@rule("S1.52b")
def over_the_battlements(rules: Rules, battle: Battle, view: View) -> bool:
    """Tell whether a shot comes from the platform of a siege tower, which looks over the battlements."""
    return heights.stands(rules, battle, view.start) == heights.PLATFORM


@rule("S1.57b")
def at_the_raised_bridge(battle: Battle, line: Line) -> str:
    """Return the gate on a line that a raised bridge closes, so that nobody shoots through
    it; empty if none.
    """
    fixtures = battle.field.fixtures.values()
    closed_ = (key for key in line.sides if key in shut(battle))
    return next((key for key in closed_ if any(fixture.gate == key for fixture in fixtures)), "")


@rule("S1.57a")
def beside_the_gate(battle: Battle, line: Line) -> str:
    """Return the cover of the hexes on both sides of the gate against shots from outside while the bridge is
    down; empty elsewhere.
    """
    flanks = battle.field.marks.get(FLANK, ())
    lowered = any(lies_down(thing) for thing in battle.things.values())
    return "heavy" if lowered and line.end in flanks and slits.is_outside(battle, line.start) else ""


# --- all together


@rule("S1.56a")
def walled_off(rules: Rules, battle: Battle, line: Line) -> str:
    """Return the first hexside without an opening that a line meets, be it crossed, touched or run along;
    empty if none.
    """
    return next(
        (
            key
            for key in line.sides
            if closed(battle, key) and not heights.of_a_building(battle, line.view, key)
        ),
        "",
    )


def cover(rules: Rules, battle: Battle, shooter: Unit, target: Unit, line: Line) -> tuple[str, str]:
    """Return the cover class of a target along a line, and the rule it owes it to: what settles it, else the
    best that it is given.
    """
    shots = family.here(rules, battle).shots
    for settles in shots.settles:
        if settled := settles(rules, battle, shooter, target, line):
            return settled
    best: Covered = None
    for gives in shots.gives:
        if given := gives(rules, battle, target, line):
            best = _better(best, given) if best else given
    return best or (CLASSES[0], "")


def behind_walls(rules: Rules, battle: Battle, shooter: Unit, target: Unit, line: Line) -> Covered:
    """Return that nobody hits a target behind a raised bridge or a wall, or from outside within a castle that
    is closed; None elsewhere.
    """
    if line.sides and at_the_raised_bridge(battle, line):
        return CLASSES[-1], "S1.57b"
    if line.sides and walled_off(rules, battle, line):
        return CLASSES[-1], "S1.56a"
    return (CLASSES[-1], "S1.52a") if line.view is not None and safe_inside(rules, battle, line) else None


def in_a_moat(rules: Rules, battle: Battle, shooter: Unit, target: Unit, line: Line) -> Covered:
    """Return that a target in a moat has no cover at all; None elsewhere."""
    return (CLASSES[0], "S1.55a") if nothing_in_a_moat(rules, battle, line) else None


def where_it_stands(rules: Rules, battle: Battle, target: Unit, line: Line) -> Covered:
    """Return the cover of the hex in which a target is shot at, or of the other of its two
    if that is better.
    """
    best = of_hex(rules, battle, target, line, line.end)
    if len(target.at) > 1:
        for other in of_both_hexes(rules, battle, target, line):
            best = _better(best, other)
    return best


def what_is_between(rules: Rules, battle: Battle, target: Unit, line: Line) -> Covered:
    """Return the cover of what a line crosses: scrub, a doorway or window further out; None where it crosses
    nothing of the kind.
    """
    met = line_of_fire.restricted(line)
    if not met and not line.sides:
        return None
    best = (through(rules, battle, line), "S3.21b") if met else ("", "")
    if line.sides or (line.met and battle.field.openings):
        best = _better(best, (through_an_opening(battle, line), "S1.53c"))
    if line.sides:
        best = _better(best, (outside_a_doorway(rules, battle, line), "EN1.53a"))
    return best if best[0] else None


@where_there_is("drawbridge")
def at_the_flank(rules: Rules, battle: Battle, target: Unit, line: Line) -> Covered:
    """Return the cover of who stands beside an open gate; None elsewhere."""
    class_ = beside_the_gate(battle, line)
    return (class_, "S1.57a") if class_ else None


GIVES: Final = (where_it_stands, what_is_between, at_the_flank)


def _better(one: tuple[str, str], other: tuple[str, str]) -> tuple[str, str]:
    return other if other[0] and (not one[0] or rank(other[0]) > rank(one[0])) else one


def why_not(
    rules: Rules, battle: Battle, shooter: Unit, target: Unit, line: Line, class_: str
) -> Problem | None:
    """Return why a target in its cover cannot be shot at; None if it can."""
    if not untouchable(class_):
        return None
    names = {"unit": shooter.id, "target": target.id, "hex": line.end}
    if gate := at_the_raised_bridge(battle, line):
        return Problem(
            "cover.gate",
            {**names, "side": gate},
            rule="S1.57b",
            help="as long as the bridge is raised, nobody shoots through",
        )
    wall = walled_off(rules, battle, line)
    if not wall and safe_inside(rules, battle, line):
        return Problem(
            "cover.castle",
            names,
            rule="S1.52a",
            help="shoot through a breach, or from the platform of a siege tower",
        )
    if wall:
        return Problem("cover.wall", {**names, "side": wall}, rule="S1.56a")
    return Problem(INFINITE, names, rule="S1.1l")
