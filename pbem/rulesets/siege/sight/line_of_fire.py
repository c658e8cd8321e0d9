"""The line of fire: whether the way of a shot is free, and if not, which ground, thing or figure is in it.

From where to where the line runs, and what it meets, is ``lines``; doorways and windows on it are
``openings``, what heights make of it is ``heights``. What the line gives the target to hide behind is
``cover``, whether it is far enough or too far for a weapon is ``aiming``.

Theory of operation. There may be several lines for one shot: to either hex of a rider, from each slit or
parapet of the shooter's hex, by the option between any parts of the two hexes. The shot is free if one of
them is; so everything here is asked of one line, and ``aiming`` tries them in turn. A line knows what it
meets: the hexes on it that are not plain (``Line.met``) and the hexsides with something on them
(``Line.sides``), in the order of the way, which the geometry finds once. Each rule looks only at those.
Ground and buildings are asked first (``by_ground``), whoever stands about; figures last (``obstacles``), for
only they depend on the weapon, the range and the cover.

The obvious way was tried first: each rule asked the geometry anew for the first hex that concerned it. It
walked every line several times over, most of it across open ground, so a line now keeps what it meets. At a
castle, where many may see many, and wherever there are 169 lines to choose from (``any_part``), a line is
kept whole (``Ray``), with what the ground makes of it, for as long as walls and things near it stay as they
are (``near``), and only figures are looked up again; so is the one line between two places of a map without
heights, as long as nothing at all becomes otherwise (``ways.on_the_level``). It is kept only where each hex
bars by itself (``keeps_rays``): two hexes that bar only together (``S1.41d``) cannot be told one by one.

What went wrong before, and has a case now: a rider was in the way of a shot at his own other hex; now shooter
and target are in nobody's way on their own line (``Line.own``). A raised gate let a line begin in it
(``lines``). At castles all answers are held against a second working-out that shares no code with this one
(``slow_castle`` in the tests).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pbem.core.problem import Problem
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import hex_of
from pbem.rulesets.siege.ground import heights
from pbem.rulesets.siege.ground.character import person
from pbem.rulesets.siege.ground.terrain import terrain_at
from pbem.rulesets.siege.sight import any_part, lines, near, openings, reading
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state.family import Screen
from pbem.rulesets.siege.state.field import Terrain
from pbem.rulesets.siege.state.line import Line, Ray, View
from pbem.rulesets.siege.state.once import ByRules
from pbem.rulesets.siege.state.state import STUNNED, Battle, Unit

Rules = Ruleset[Battle]


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
    for group in line.met:
        for hex_ in group:
            if not wanted(hex_):
                break
        else:
            return min(group)
    return ""


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
    if battle.things and hex_ in lines.screened(rules, battle):
        for screen in family.of(rules).shots.screens:
            if screen.hides(rules, battle, line, hex_):
                return screen
    return None


@rule("S1.42b")
def counts(rules: Rules, unit: Unit) -> bool:
    """Tell whether a figure is in the way: the living are, the stunned among them too (option), the dead are
    not, nor is who lies in hiding.
    """
    return (
        unit.living
        and not unit.lurks
        and (unit.state != STUNNED or rules.setting("stunned_blocks_fire") == "true")
    )


def over(rules: Rules, battle: Battle, line: Line) -> tuple[str, ...]:
    """Return the figures between shooter and target that a shot passes over, by the order of the way."""
    found = [[in_hex(rules, battle, line.view, line.own, hex_) for hex_ in group] for group in line.met]
    return tuple(id_ for group in found if all(group) for ids in group for id_ in ids)


def in_hex(rules: Rules, battle: Battle, view: View | None, own: Sequence[str], hex_: str) -> list[str]:
    """Return the figures in a hex between that are in the way of who looks so; nobody is in his ``own``."""
    found = [
        id_ for id_ in battle.living_in.get(hex_, ()) if id_ not in own and counts(rules, battle.units[id_])
    ]
    return [id_ for id_ in found if in_the_way(rules, battle, view, lines.place_in(battle.units[id_], hex_))]


def in_the_way(rules: Rules, battle: Battle, view: View | None, place: str) -> bool:
    """Tell whether a figure in a place is in the way of who looks so."""
    if view is None or not two_levels(view):
        return not heights.in_a_trench(terrain_at(rules, battle, hex_of(place)))
    return figure_matters(rules, battle, view, place)


def on_the_ground(rules: Rules, battle: Battle, ray: Ray) -> int:
    """Return as a mask in which of its hexes somebody who stands on the ground is in the way of a line."""
    if not ray.figures:
        found = (hex_ for hex_ in ray.asked if in_the_way(rules, battle, ray.view, hex_))
        ray.figures.append(any_part.frame(battle).mask(found))
    return ray.figures[0]


def figure_matters(rules: Rules, battle: Battle, view: View, place: str) -> bool:
    """Tell whether a figure in a place between two others can be in the way at all; worked out once for as
    long as walls and things stay as they are.
    """
    kept: ByRules[dict[tuple[View, str], bool]] = battle.once("figures that matter", lambda: ByRules(dict))
    known = kept[rules]
    asked = view, place
    if asked not in known:
        if len(known) >= near.MOST:
            known.clear()
        known[asked] = heights.figure_matters(rules, battle, view, place) and not any(
            over(rules, battle, view, place) for over in family.of(rules).shots.over
        )
    return known[asked]


# --- what bars it


def weapon(rules: Rules, battle: Battle, shooter: Unit) -> str:
    """Return the weapon that somebody shoots: that of an engine he works, else his own; empty for who has
    none.
    """
    if shooter.kind != "man":
        for weapon in family.of(rules).shots.weapons:
            if found := weapon(shooter):
                return found
    return person(battle, shooter).missile


@rule("S1.42a")
def shoots_flat(rules: Rules, battle: Battle, shooter: Unit) -> bool:
    """Tell whether somebody's weapon never shoots over a living figure: a crossbow."""
    bows: tuple[str, ...] = rules.tables["ranges_and_modifiers"]["skill_groups"]["bows"]
    return weapon(rules, battle, shooter) not in bows


@rule("S1.42c")
def may_shoot_over(band: str, cover: str) -> bool:
    """Tell whether range and cover both let a bow shoot over living figures: medium or long, and none or
    light.
    """
    return band in ("medium", "long") and cover in ("none", "light")


def figures(
    rules: Rules, battle: Battle, shooter: Unit, own: Sequence[str], band: str, view: View | None, mask: int
) -> int:
    """Return as a mask in which of the hexes of a mask figures certainly bar a shot, whatever cover the
    target has; none where a bow may pass over them.
    """
    if may_shoot_over(band, "none") and not shoots_flat(rules, battle, shooter):
        return 0
    frame = any_part.frame(battle)
    living = lines.living(battle) & mask
    return frame.mask(hex_ for hex_ in frame.among(living) if in_hex(rules, battle, view, own, hex_))


@rule("S1.42d")
def figure_bars(
    rules: Rules, battle: Battle, shooter: Unit, target: Unit, other: str, hex_: str
) -> Problem | None:
    """Return that another figure, in a hex between, bars a shot that may not pass over it."""
    names = {"unit": shooter.id, "target": target.id, "other": other, "hex": hex_}
    if shoots_flat(rules, battle, shooter):
        return Problem(
            "line_of_fire.figure", names, rule="S1.42a", help="a crossbow never shoots over a living figure"
        )
    said = "a bow shoots over others only at medium or long range, at a target in no cover or light cover"
    return Problem("line_of_fire.figure", names, rule="S1.42d", help=said)


@rule("S1.42e")
def two_levels(view: View | None) -> bool:
    """Tell whether there are different levels, so that the rules of walls and moats apply in the place of
    these.
    """
    return view is not None


def ground_bars(rules: Rules, battle: Battle, shooter: Unit, target: Unit, line: Line, hex_: str) -> Problem:
    """Return that the ground of a hex, or the thing on it, bars a shot."""
    if screen := hidden_by(rules, battle, line, hex_):
        return screen.why(battle, {"unit": shooter.id, "target": target.id}, hex_)
    ground = terrain_at(rules, battle, hex_)
    names = {"unit": shooter.id, "target": target.id, "terrain": ground.title, "hex": hex_}
    said = heights.hides(rules, battle, line.view, hex_) if line.view else ground.hides
    code = "line_of_fire.too-near" if said in ("S1.44j", "S2.43e") else "line_of_fire.ground"
    return Problem(code, names, rule=said or "S1.41c")


def by_the_levels(rules: Rules, battle: Battle, shooter: Unit, target: Unit, line: Line) -> Problem | None:
    """Return why two figures cannot shoot at each other from where they stand, or over what a line only
    touches; None if they can.
    """
    view = line.view
    if view is None or not two_levels(view):
        return None
    names: dict[str, str | int] = {"unit": shooter.id, "target": target.id}
    if problem := heights.why_not(rules, battle, view, names):
        return problem
    if place := heights.shut_in(battle, view, line.sides, line.track):
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
    if reading.either_hex_bars(rules):
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
    if line.ray is not None or reading.either_hex_bars(rules):
        return by_figures(rules, battle, shooter, target, line, band, cover)
    if not restricted(line) or (may_shoot_over(band, cover) and not shoots_flat(rules, battle, shooter)):
        return None
    living = battle.living_in

    def is_full(hex_: str) -> bool:
        if hex_ in living and in_hex(rules, battle, line.view, line.own, hex_):
            return True
        return bars(rules, battle, line, hex_)

    hex_ = first_between(line, is_full)
    if not hex_:
        return None
    # where both hexes of a border must bar, a figure may be the other one
    if others := in_hex(rules, battle, line.view, line.own, hex_):
        return figure_bars(rules, battle, shooter, target, others[0], hex_)
    return ground_bars(rules, battle, shooter, target, line, hex_)


def by_figures(
    rules: Rules, battle: Battle, shooter: Unit, target: Unit, line: Line, band: str, cover: str
) -> Problem | None:
    """Return which figure is in the way of a shot where each hex bars by itself; None if none is."""
    if not restricted(line) or (may_shoot_over(band, cover) and not shoots_flat(rules, battle, shooter)):
        return None
    living = battle.living_in
    for hex_ in [hex_ for group in line.met for hex_ in group if hex_ in living]:
        if others := in_hex(rules, battle, line.view, line.own, hex_):
            return figure_bars(rules, battle, shooter, target, others[0], hex_)
    return None


def by_ground(rules: Rules, battle: Battle, shooter: Unit, target: Unit, line: Line) -> Problem | None:
    """Return what of all that is built, grown or driven there is in the way of a shot, whoever stands about;
    None if it is free.
    """
    if line.view is not None and (problem := by_the_levels(rules, battle, shooter, target, line)):
        return problem
    if (line.sides or battle.field.openings) and (
        problem := openings.openings_bar(rules, battle, shooter, target, line)
    ):
        return problem
    hex_ = first_between(line, lambda hex_: bars(rules, battle, line, hex_)) if restricted(line) else ""
    return ground_bars(rules, battle, shooter, target, line, hex_) if hex_ else None


def bars(rules: Rules, battle: Battle, line: Line, hex_: str) -> bool:
    """Tell whether the ground of a hex, or what stands there, stops a shot."""
    if hidden_by(rules, battle, line, hex_):
        return True
    if line.view is not None and two_levels(line.view):
        return heights.hides(rules, battle, line.view, hex_) != ""
    return not lets_through(terrain_at(rules, battle, hex_))
