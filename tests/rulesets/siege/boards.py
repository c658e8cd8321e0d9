"""Small boards for laws: a few hexes of any ground, anything on the hexsides, four figures of differing kinds, in any phase.

One hand lays them (``lay``), whether hypothesis draws or a number does. What a new module brings is one more word in a list here.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, TypeVar

from hypothesis import strategies as st
from skirmish import GROUNDS, TABLES

from pbem.core.ruleset import Ruleset, choose
from pbem.core.sequence import Cursor
from pbem.geometry.hex import SIDES, hexside, neighbours
from pbem.rulesets.siege import character
from pbem.rulesets.siege.field import Field, Force, OnSide, SetupStep, SideInfo
from pbem.rulesets.siege.ruleset import CRY_HAVOC
from pbem.rulesets.siege.state import Battle, Unit
from pbem.rulesets.siege.terrain import side_features

T = TypeVar("T")
Pick = Callable[[Sequence[T]], T]

PHASES = ("setup", "first_missile", "movement", "second_archery", "melee")
MODULES = ("houses", "open-ground")
OPTIONS = {
    "odds_below_one": ("impossible", "treat_as_1_1"),
    "odds_shift_floor": ("clamp_to_1_1", "attack_impossible"),
    "multi_vs_multi": ("reject", "allow_if_all_adjacent"),
    "pass_through_stunned_enemy": ("false", "true"),
    "movement_allowances": ("printed", "croisades"),
    "line_of_fire": ("centre_to_centre", "any_part"),
    "stunned_blocks_fire": ("true", "false"),
}
SIZES = ((3, 3), (4, 4), (5, 4), (5, 5), (7, 7))
NAMES = ("ann", "ben", "cat", "dan")
KINDS = ("spearman", "longbowman", "crossbowman", "peasant", "rich_knight", "shortbowman", "longbowman")
GROUND = (
    "building_interior", "building_wall", "deep_water", "doorway", "fence", "flat", "ford", "hedge", "hilltop", "low_wall", "road",
    "scrub", "slope", "tree", "wagon",
)  # fmt: skip
"""What numbered boards are made of; drawn ones, of everything in the chart."""
SIDE_WORDS = ("crest", "door", "hedge", "low-wall", "steps", "wall", "window")
STATES = ("healthy",) * 8 + ("wounded", "stunned", "dead")
DEEDS: tuple[dict[str, Any], ...] = ({},) * 12 + (
    {"did": ("shot",)}, {"did": ("moved",)}, {"did": ("fought",)}, {"fought": "t2.west.melee"}, {"checked": "t2.west.first_missile"},
)  # fmt: skip
LIKELY = ("flat", "flat", "flat", "scrub", "road")
FOES = ("west", "west", "east")


class Laid(NamedTuple):
    """Rules and a board; said short, so that what breaks a law can be read."""

    rules: Ruleset[Battle]
    battle: Battle

    def __repr__(self) -> str:
        """Return what stands where, on which ground."""
        field = self.battle.field
        ground = {hex_: one.id for hex_, one in field.ground.items() if one.id != "flat"}
        sides = {key: on[0].kind for key, on in field.sides_of_hexes.items()}
        options = {name: value for name, value in self.rules.settings.items() if value != self.rules.options[name].default}
        parts = (f"{field.columns} x {field.rows}", self.battle.at, ground, sides, field.marks, options, *self.battle.units.values())
        return "\n".join(map(str, (*parts, *self.battle.things.values(), *field.forces, *field.sides, *field.setup)))


def rules(options: dict[str, str]) -> Ruleset[Battle]:
    """Return the rules with every module that there is on the boards."""
    found, problems = choose(CRY_HAVOC, MODULES, options)
    assert found is not None, problems
    return found


def lay(pick: Pick[Any], phase: str, grounds: Sequence[str], on_sides: Sequence[str], friends: bool = False) -> Laid:
    """Return rules and a board: east orders; with ``friends`` some of its figures are another seat's."""
    columns, rows = pick(SIZES)
    hexes = [f"{column:02}{row:02}" for row in range(1, rows + 1) for column in range(1, columns + 1)]
    ground = {hex_: GROUNDS[pick(LIKELY) if pick((1, 2, 3, 4)) > 1 else pick(grounds)] for hex_ in hexes}
    gate = (pick(hexes), hexes[-1])
    owners = ("east", "other") if friends else ("east",)
    people, units, forces = {}, {}, []
    for number, name in enumerate(NAMES):
        side = "east" if number == 0 else "west" if number == 1 else pick(FOES)
        owner = pick(owners) if side == "east" and number else side
        people[name] = character.of_class(TABLES, pick(KINDS), name)
        near = [hex_ for hex_ in neighbours(units["ann"].at[0]) if hex_ in ground] if number and units["ann"].at else hexes
        unit = Unit(name, name, people[name].kind, side, owner, pick(STATES), (pick(pick((near, near, hexes))),))
        unit = replace(unit, **pick(DEEDS))
        held = [at for other in units.values() for at in other.at if other.state != "dead"]
        away = unit.at[0] in held or ground[unit.at[0]].mp_foot is None or (phase == "movement" and pick((1, 2, 3)) == 3)
        force = Force(name, name, side, at=unit.at if pick((True, False)) else (), within=pick(("", "gate")))
        if away and phase != "setup":
            force = replace(force, at=(), enters=pick((True, True, False)), turn=pick((1, 3, 4)))
        if away or (phase == "setup" and not force.at and pick((True, False))):
            unit = replace(unit, at=(), state="healthy", left=phase != "setup" and not force.enters and pick((True, False)))
        units[name] = unit
        forces.append(force)
    field = Field(
        "board", "a board", "sha256:0", "law", "A law", "sha256:0", columns, rows, ground, _features(pick, hexes, on_sides), side_features(TABLES),
        {"gate": tuple(dict.fromkeys(gate))}, people=people, forces=tuple(forces),
        sides=(SideInfo("east", "East", "blue", True, "gate", leaves=pick(("", "gate"))), SideInfo("west", "West", "red", False, "gate")),
        setup=(SetupStep(("east",), pick((("place",), ("place",), ())), pick(("", "gate"))),),
    )  # fmt: skip
    at = Cursor("setup", 1, "east") if phase == "setup" else Cursor(phase, 3, "east")
    chosen = {name: pick(values) for name, values in OPTIONS.items()}
    return Laid(rules(chosen), Battle(field, at, units))


def _features(pick: Pick[Any], hexes: Sequence[str], on_sides: Sequence[str]) -> dict[str, tuple[OnSide, ...]]:
    """Return what stands on some hexsides."""
    found: dict[str, tuple[OnSide, ...]] = {}
    for _ in range(pick((0, 1, 3, 6))):
        hex_, side = pick(hexes), pick(SIDES)
        key = hexside(hex_, side)
        found.setdefault(key, (OnSide(pick(on_sides), hex_, side),))
    return found


def numbered(number: int, phase: str) -> Laid:
    """Return the board of a number."""
    return lay(random.Random(f"{number} {phase}").choice, phase, GROUND, SIDE_WORDS)


@st.composite
def boards(draw: st.DrawFn, phase: str, friends: bool = False) -> Laid:
    """Draw a board."""
    return lay(lambda options: draw(st.sampled_from(options)), phase, sorted(GROUNDS), sorted(side_features(TABLES)), friends)
