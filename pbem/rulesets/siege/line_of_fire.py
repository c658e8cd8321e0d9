"""The line of fire: from where to where a shot is drawn, and which ground or figures between them bar it.

What the line gives the target to hide behind is ``cover``, whether it is far enough or too far for a weapon is ``shooting``. Here
only: is the way free, and if not, what is in it. The geometry is exact and lives in ``geometry.sight``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from pbem.core.problem import Problem
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.geometry import sight
from pbem.geometry.hex import distance, hex_of
from pbem.rulesets.siege.character import person
from pbem.rulesets.siege.field import Terrain
from pbem.rulesets.siege.state import STUNNED, Battle, Unit
from pbem.rulesets.siege.terrain import terrain_at

Rules = Ruleset[Battle]

_SAID_BY: Final = {"tree": "S3.22a", "spiral_stairs": "EN1.53b", "house": "S1.56a", "building_wall": "S1.56a"}
"""Terrain that hides what is behind it -> the rule that says so; that of all other ground is the general one."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of fire between two hexes of a battle: its exact track, its length in hexes, and what it meets on the way."""

    start: str
    end: str
    range: int
    track: sight.Line
    met: tuple[tuple[str, ...], ...] = ()
    """The hexes strictly between that are not plain, in the order of the way; two together where only both at once could bar."""

    @property
    def hexes(self) -> tuple[str, ...]:
        """Return the hexes it lies in, those of shooter and target included."""
        return (self.start, *self.track.crossed, self.end)


def where(battle: Battle, unit: Unit) -> str:
    """Return the hex a figure shoots from and is shot at in: its own, or the first of its horse; empty off the map."""
    at = battle.units[unit.on].at if unit.on else unit.at
    return hex_of(at[0]) if at else ""


@rule("S1.41b")
def from_any_part(rules: Rules) -> bool:
    """Tell whether a line may join any parts of the two hexes (option); otherwise it runs from centre to centre."""
    return rules.setting("line_of_fire") == "any_part"


@rule("S1.41d")
def either_hex_bars(rules: Rules) -> bool:
    """Tell whether one barring hex is enough where a line runs along the border of two or through a corner (option)."""
    return rules.setting("line_on_hex_edge") == "either_hex_blocks"


def mode(rules: Rules) -> sight.Mode:
    """Return how lines on hex edges are read, in the words of the geometry."""
    return "either_hex_blocks" if either_hex_bars(rules) else "both_hexes_block"


def lines(rules: Rules, battle: Battle, shooter: Unit, target: Unit) -> Iterator[Line]:
    """Yield the lines a shot may take, the one from centre to centre first; both figures must be on the map."""
    start, end = where(battle, shooter), where(battle, target)
    tracks = sight.lines_any_part(start, end) if from_any_part(rules) else (sight.between(start, end),)
    length = distance(start, end)
    for track in tracks:
        yield Line(start, end, length, track, not_plain(rules, battle, track))


def line(rules: Rules, battle: Battle, shooter: Unit, target: Unit) -> Line:
    """Return the line from centre to centre, whatever lies in its way."""
    return next(lines(rules, battle, shooter, target))


# --- what is between


def not_plain(rules: Rules, battle: Battle, track: sight.Line) -> tuple[tuple[str, ...], ...]:
    """Return the hexes between the ends of a track with a figure in them or with ground that is not flat, as ``Line.met`` keeps them.

    The geometry asks for the hexes one by one in the order of the way, and never for those of the ends.
    """
    ground, living = battle.field.ground, battle.living_in
    found: list[str] = []

    def note(hex_: str) -> bool:
        if hex_ in living or (hex_ in ground and not terrain_at(rules, battle, hex_).flat):
            found.append(hex_)
        return False

    sight.blocked(track, note, _no_side, mode(rules))
    if not found or either_hex_bars(rules):
        return tuple((hex_,) for hex_ in found)
    pairs = {hex_: pair for pair in track.spines for hex_ in pair}
    groups = dict.fromkeys(tuple(str(one) for one in pairs.get(hex_, (hex_,))) for hex_ in found)
    return tuple(group for group in groups if all(hex_ in found for hex_ in group))


def _no_side(key: str) -> bool:
    return False


@rule("S1.41c")
def restricted(line: Line) -> bool:
    """Tell whether a line crosses a hex with a figure in it or with ground that is not flat; if not, nothing restricts the shot."""
    return line.met != ()


@rule("S1.41e", "S3.22b", "S3.22c")
def first_between(line: Line, wanted: Callable[[str], bool]) -> str:
    """Return the first hex strictly between shooter and target that is wanted, empty if none is; their own hexes never count."""
    return next((min(group) for group in line.met if all(wanted(hex_) for hex_ in group)), "")


@rule("S3.22a")
def hides(ground: Terrain) -> bool:
    """Tell whether nobody sees past ground of a kind, as past a tree."""
    return ground.blocks_line


@rule("S3.21a")
def lets_through(ground: Terrain) -> bool:
    """Tell whether shots may be made through ground of a kind, as through scrub."""
    return not hides(ground)


@rule("S1.42b")
def counts(rules: Rules, unit: Unit) -> bool:
    """Tell whether a figure is in the way: the living are, the stunned among them too (option), the dead are not."""
    return unit.living and (unit.state != STUNNED or rules.setting("stunned_blocks_fire") == "true")


def over(rules: Rules, battle: Battle, line: Line) -> tuple[str, ...]:
    """Return the figures between shooter and target that a shot passes over, by the order of the way."""
    found = [[_counting(rules, battle, hex_) for hex_ in group] for group in line.met]
    return tuple(id_ for group in found if all(group) for ids in group for id_ in ids)


def _counting(rules: Rules, battle: Battle, hex_: str) -> list[str]:
    return [id_ for id_ in battle.living_in.get(hex_, ()) if counts(rules, battle.units[id_])]


# --- what bars it


@rule("S1.42a")
def shoots_flat(rules: Rules, battle: Battle, shooter: Unit) -> bool:
    """Tell whether somebody's weapon never shoots over a living figure: a crossbow."""
    bows: list[str] = rules.tables["ranges_and_modifiers"]["skill_groups"]["bows"]
    return person(battle, shooter).missile not in bows


@rule("S1.42c")
def may_shoot_over(band: str, cover: str) -> bool:
    """Tell whether range and cover both let a bow shoot over living figures: medium or long, and none or light."""
    return band in ("medium", "long") and cover in ("none", "light")


@rule("S1.42d")
def figure_bars(rules: Rules, battle: Battle, shooter: Unit, target: Unit, hex_: str) -> Problem | None:
    """Return that the figure in a hex bars a shot that may not pass over it."""
    other = _counting(rules, battle, hex_)[0]
    names = {"unit": shooter.id, "target": target.id, "other": other, "hex": hex_}
    if shoots_flat(rules, battle, shooter):
        return Problem("line_of_fire.figure", names, rule="S1.42a", help="a crossbow never shoots over a living figure")
    said = "a bow shoots over others only at medium or long range, at a target in no cover or light cover"
    return Problem("line_of_fire.figure", names, rule="S1.42d", help=said)


@rule("S1.42e")
def two_levels(rules: Rules, battle: Battle, line: Line) -> bool:
    """Tell whether shooter and target stand on different levels, so that the rules of walls and moats apply in the place of these."""
    return terrain_at(rules, battle, line.start).level != terrain_at(rules, battle, line.end).level


def ground_bars(rules: Rules, battle: Battle, shooter: Unit, target: Unit, hex_: str) -> Problem:
    """Return that the ground of a hex bars a shot."""
    ground = terrain_at(rules, battle, hex_)
    names = {"unit": shooter.id, "target": target.id, "terrain": ground.title, "hex": hex_}
    return Problem("line_of_fire.ground", names, rule=_SAID_BY.get(ground.id, "S1.41c"))


@rule("S1.41a")
def obstacles(rules: Rules, battle: Battle, shooter: Unit, target: Unit, line: Line, band: str, cover: str) -> Problem | None:
    """Return what is in the way of a shot along a line, ground before figures; None if it is free."""
    if two_levels(rules, battle, line):
        return Problem("line_of_fire.levels", {"unit": shooter.id, "target": target.id}, rule="S1.42e")
    if not restricted(line):
        return None

    def dense(hex_: str) -> bool:
        return not lets_through(terrain_at(rules, battle, hex_))

    hex_ = first_between(line, dense)
    if hex_:
        return ground_bars(rules, battle, shooter, target, hex_)
    if may_shoot_over(band, cover) and not shoots_flat(rules, battle, shooter):
        return None
    hex_ = first_between(line, lambda hex_: dense(hex_) or bool(_counting(rules, battle, hex_)))
    if hex_ and not _counting(rules, battle, hex_):
        return ground_bars(rules, battle, shooter, target, hex_)  # where both hexes of a border must bar, a figure may be the other one
    return figure_bars(rules, battle, shooter, target, hex_) if hex_ else None
