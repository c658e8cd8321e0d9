"""Battering: which hexes are walls, how a blow at one is read on the table of destruction, and what becomes
of the wall.

Whose engines strike, and from where, is ``bombardment``; the ram on the map is ``rams``. What falls on the
people when a wall comes down is listed in the ruleset (``follows["collapse"]``).
"""

from __future__ import annotations

from typing import Any, Final

from msgspec import Struct

from pbem.core.odds import Modifier, Tally
from pbem.core.play import Play
from pbem.core.problem import Problem
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.core.table import Grid
from pbem.geometry.hex import neighbours
from pbem.rulesets.siege.orders import nearest
from pbem.rulesets.siege.state.events import FeatureChanged, Rolled, WallHeld, reasons
from pbem.rulesets.siege.state.field import CURTAIN, ROOF
from pbem.rulesets.siege.state.state import Battle, Feature

Rules = Ruleset[Battle]

WALL, RUBBLE = "wall", "rubble"
RAM, STONES = "ram", "stones"
ALL: Final = ("battlement", "tower", "keep")
BATTLEMENT, TOWER, KEEP = ALL
"""Ground -> the kind of wall it is; of slits and of what lies inside a building the floor decides."""
GATE_FLANK: Final = "gate-flank"
"""Mark of the map: the two walls beside the drawbridge."""


class Blow(Struct, frozen=True):
    """What a blow at a wall came to: the steps it lost, the points that the engines lost, and the place of
    the event of the roll.
    """

    steps: int
    lost: int
    cause: int


# --- walls


def kind_of(battle: Battle, hex_: str) -> str:
    """Return what kind of wall a hex was built as, ``battlement tower keep``; empty where it is none.

    Of a tower and of the keep every hex is wall that lies at its rim; doorways are none.
    """
    ground = battle.field.ground.get(hex_)
    if ground is None:
        return ""
    if CURTAIN in ground.traits:
        return BATTLEMENT
    around = [battle.field.ground.get(beside) for beside in neighbours(hex_)]
    if ROOF in ground.traits:
        return TOWER if any(beside is not None and ROOF not in beside.traits for beside in around) else ""
    if ground.floor not in (TOWER, KEEP) or ground.opening:
        return ""
    return (
        ground.floor if any(beside is not None and beside.floor != ground.floor for beside in around) else ""
    )


def walls(battle: Battle) -> dict[str, str]:
    """Return hex -> its kind of wall, for every wall of the map, in map order."""
    return battle.once(
        "walls", lambda: {hex_: kind for hex_ in battle.field.ground if (kind := kind_of(battle, hex_))}
    )


def wall_of(battle: Battle, hex_: str) -> Feature:
    """Return the damage of a wall so far; a wall that was never struck has none."""
    return battle.features.get((hex_, WALL), Feature(hex_, WALL))


def destroyed(rules: Rules, battle: Battle, hex_: str) -> bool:
    """Tell whether a wall is down: all its steps are lost, or it lay in rubble when the battle began."""
    return (
        wall_of(battle, hex_).damage >= rules.tables["battering"]["steps_to_destroy"]
        or (hex_, RUBBLE) in battle.features
    )


def may_fall(rules: Rules, battle: Battle, hex_: str) -> bool:
    """Tell whether one more step would bring a wall down."""
    return wall_of(battle, hex_).damage + 1 >= int(rules.tables["battering"]["steps_to_destroy"])


def why_not(rules: Rules, battle: Battle, hex_: str) -> Problem | None:
    """Return why a hex cannot be battered: it is no wall, or the wall is down; None if it can."""
    if not kind_of(battle, hex_):
        return Problem(
            "battering.no-wall", {"hex": hex_}, rule="S4.21d", help=nearest.told("walls", walls(battle), hex_)
        )
    if destroyed(rules, battle, hex_):
        return Problem("battering.down", {"hex": hex_}, rule="S4.13a")
    return None


@rule("S4.21g")
def beside_the_bridge(battle: Battle, hex_: str) -> bool:
    """Tell whether a wall is one of the two beside the drawbridge, which count as battlements when they are
    battered.
    """
    return hex_ in battle.field.marks.get(GATE_FLANK, ())


# --- the blow


@rule("S4.21e")
def round_walls(rules: Rules, battle: Battle, hex_: str) -> Modifier | None:
    """Return what is taken from the die at a tower or the keep, whose round walls stand firmer."""
    if kind_of(battle, hex_) not in (TOWER, KEEP) or beside_the_bridge(battle, hex_):
        return None
    return Modifier(
        "S4.21e", "round wall", int(rules.tables["battering"]["die"]["modifiers"]["tower_or_keep"])
    )


def column(rules: Rules, points: int) -> str:
    """Return the column for so many points: the highest that is not above them; empty where they are below
    the first.
    """
    grid: Grid = rules.tables["battering"]["grid"]
    return next((name for name in reversed(grid.columns) if int(name) <= points), "")


def tally(rules: Rules, battle: Battle, hex_: str, die: int, *more: Modifier | None) -> Tally:
    """Return the die with everything that moves it at this wall."""
    found = Tally(die, str(die)).plus(round_walls(rules, battle, hex_))
    for modifier in more:
        found = found.plus(modifier)
    return found


def chances(rules: Rules, battle: Battle, hex_: str, points: int, *more: Modifier | None) -> tuple[int, int]:
    """Return on how many faces of the die a blow takes a step from a wall, and on how many it costs the
    engines points.
    """
    where = column(rules, points)
    if not where:
        return 0, 0
    dice = range(1, rules.tables["battering"]["grid"].faces + 1)
    found = [_read(rules, tally(rules, battle, hex_, die, *more), where) for die in dice]
    return sum(steps > 0 for steps, _ in found), sum(lost > 0 for _, lost in found)


def _read(rules: Rules, reckoned: Tally, where: str) -> tuple[int, int]:
    """Return the steps and the points that stand in the table for a die with everything that moves it."""
    means = rules.tables["battering"]["grid"].key[_cell(rules, reckoned, where)[1]]
    return int(means["steps"]), int(means["lost"])


def _cell(rules: Rules, reckoned: Tally, where: str) -> tuple[int, str]:
    """Return row and code: a die that was moved off the table is read as its first or last row."""
    table: Any = rules.tables["battering"]
    low, high = table["die"]["clamp"]
    row = min(max(reckoned.total, low), high)
    return row, str(table["grid"].cell(row, where))


def strike(
    rules: Rules,
    play: Play[Battle],
    hex_: str,
    points: int,
    *,
    name: str,
    ram: bool = False,
    more: Modifier | None = None,
) -> Blow:
    """Roll for a blow of so many points at a wall, and let happen what it does to the wall.

    ``name`` is that of the die, ``more`` what else moves it. What it does to the engines is for the caller to
    see to: ``Blow.lost`` points. Points below the first column do nothing.
    """
    where = column(rules, points)
    if not where:
        return Blow(0, 0, -1)
    table: Any = rules.tables["battering"]
    faces = table["grid"].faces
    die = play.roll(name, faces)[0]
    reckoned = tally(rules, play.state, hex_, die, more)
    row, code = _cell(rules, reckoned, where)
    means = table["grid"].key[code]
    cause = play.happen(
        Rolled(
            f"{play.cursor}/{name}",
            faces,
            (die,),
            "S4.13b",
            "battering",
            where,
            str(die),
            reasons(reckoned.modifiers),
            row,
            *_told(table, code, ram=ram),
        )
    )
    before = wall_of(play.state, hex_).damage
    _damage(rules, play, hex_, int(means["steps"]), cause, ram=ram)
    return Blow(wall_of(play.state, hex_).damage - before, int(means["lost"]), cause)


def _told(table: Any, code: str, *, ram: bool) -> tuple[str, str]:
    """Return the result of a blow as it is told, in short and in words; of a ram without what the table does
    to engines.
    """
    means = table["grid"].key[code]
    if ram and int(means["lost"]):
        code, means = ("D", table["grid"].key["D"]) if int(means["steps"]) else ("-", table["grid"].key["-"])
    return "" if code == "-" else code, means["text"]


def _damage(rules: Rules, play: Play[Battle], hex_: str, steps: int, cause: int, *, ram: bool) -> None:
    """Let a wall lose its step, where it may; what was bombarded is noted whether it lost one or not."""
    battle = play.state
    wall, day = wall_of(battle, hex_), battle.at.day
    after = next_step(wall.damage) if steps else wall.damage
    if after > wall.damage and (why := held(rules, battle, hex_, after, ram=ram)):
        play.happen(WallHeld(hex_, why, {"today": "S4.13c", "keep": "S4.21f"}[why], cause))
        after = wall.damage
    last = day if after > wall.damage else wall.last
    bombarded = wall.bombarded or not ram
    if (after, bombarded) != (wall.damage, wall.bombarded) or last != wall.last:
        play.happen(
            FeatureChanged(
                hex_, WALL, damage=after, bombarded=bombarded, last=last, rule="S4.13b", cause=cause
            )
        )
    if after >= rules.tables["battering"]["steps_to_destroy"]:
        for follow in rules.follows.get("collapse", ()):
            follow(rules, play, hex_, cause)


@rule("S4.13b")
def next_step(damage: int) -> int:
    """Return the step of a wall after a blow that told: exactly one more."""
    return damage + 1


def held(rules: Rules, battle: Battle, hex_: str, after: int, *, ram: bool) -> str:
    """Return why a wall does not lose the step that a blow would take: ``today`` or ``keep``; empty where it
    does.
    """
    if spent_today(battle, hex_) and not goes_on(RAM if ram else STONES):
        return "today"
    return "keep" if not_alone(rules, battle, hex_, after) else ""


@rule("S4.13c")
def spent_today(battle: Battle, hex_: str) -> bool:
    """Tell whether a wall has lost a step on this day already: bombardment takes but one a day."""
    wall = wall_of(battle, hex_)
    return wall.damage > 0 and wall.last == battle.at.day


@rule("S4.13d")
def goes_on(striker: str) -> bool:
    """Tell whether a blow may take a further step on the same day: that of a ram may, stones from afar may
    not.
    """
    return striker == RAM


@rule("S4.21f")
def not_alone(rules: Rules, battle: Battle, hex_: str, after: int) -> bool:
    """Tell whether a wall of the keep is held up by those beside it: the last step needs one of them to be
    damaged before (option).
    """
    wanted = rules.setting("keep_wall_condition")
    if (
        kind_of(battle, hex_) != KEEP
        or wanted == "none"
        or after < rules.tables["battering"]["steps_to_destroy"]
    ):
        return False
    beside = [other for other in neighbours(hex_) if kind_of(battle, other) == KEEP]
    if wanted == "needs_destroyed_neighbour":
        return not any(destroyed(rules, battle, other) for other in beside)
    return not any(wall_of(battle, other).damage or destroyed(rules, battle, other) for other in beside)
