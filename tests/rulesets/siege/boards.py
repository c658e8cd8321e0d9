"""Small boards for laws: a few hexes of any ground, anything on the hexsides, four figures of differing
kinds, in any phase.

One hand lays them (``lay``), whether hypothesis draws or a number does. What a new module brings is one more
word in a list here.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from hypothesis import strategies as st
from msgspec.structs import replace
from skirmish import GROUNDS, TABLES

from pbem.core.ruleset import Ruleset, choose
from pbem.core.sequence import Cursor
from pbem.geometry.hex import SIDES, hexside, neighbour, neighbours, opposite, side_between
from pbem.rulesets.siege.ground import character
from pbem.rulesets.siege.ground.terrain import side_features
from pbem.rulesets.siege.ruleset import CRY_HAVOC
from pbem.rulesets.siege.state.field import Field, Force, OnSide, Person, SetupStep, SideInfo, Terrain
from pbem.rulesets.siege.state.state import Battle, Job, Thing, Unit

T = TypeVar("T")
Pick = Callable[[Sequence[T]], T]

PHASES = ("setup", "first_missile", "movement", "second_archery", "melee")
MODULES = ("houses", "open-ground", "riders", "wagons")
OPTIONS = {
    "odds_below_one": ("impossible", "treat_as_1_1"),
    "odds_shift_floor": ("clamp_to_1_1", "attack_impossible"),
    "multi_vs_multi": ("reject", "allow_if_all_adjacent"),
    "pass_through_stunned_enemy": ("false", "true"),
    "movement_allowances": ("printed", "croisades"),
    "line_of_fire": ("centre_to_centre", "any_part"),
    "stunned_blocks_fire": ("true", "false"),
    "panic_and_rout": ("false", "true"),
    "mounted_geometry": ("head_leads_tail_follows", "free_pair"),
    "mixed_defender_group": ("reject", "mounted_table", "foot_table"),
    "friendly_fire": ("ban_next_to_friend", "errare_humanum_est"),
}
SIZES = ((3, 3), (4, 4), (4, 4), (5, 4), (5, 5), (7, 7))
SMALL = 16
"""Hexes of the largest board for a free pair, whose ways are many."""
NAMES = ("ann", "ben", "cat", "dan")
SORTS = ("man",) * 7 + ("rider",) * 3 + ("horse_alone", "ox", "pack_donkey", "draught_horse")
"""What a figure may be."""
TWO_HEXES = ("horse_alone", "draught_horse")
RIDERS = ("rich_knight", "average_knight")
BLANK = Unit("", "", "man", "", "", "healthy")
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
    {"mood": "panic"}, {"mood": "rout"}, {"job": Job("mount", "nobody", "t3.east.movement")},
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
        options = {
            name: value
            for name, value in self.rules.settings.items()
            if value != self.rules.options[name].default
        }
        parts = (
            f"{field.columns} x {field.rows}",
            self.battle.at,
            ground,
            sides,
            field.marks,
            options,
            *self.battle.units.values(),
        )
        return "\n".join(
            map(str, (*parts, *self.battle.things.values(), *field.forces, *field.sides, *field.setup))
        )


def rules(options: dict[str, str]) -> Ruleset[Battle]:
    """Return the rules with every module that there is on the boards."""
    found, problems = choose(CRY_HAVOC, MODULES, options)
    assert found is not None, problems
    return found


def lay(
    pick: Pick[Any], phase: str, grounds: Sequence[str], on_sides: Sequence[str], friends: bool = False
) -> Laid:
    """Return rules and a board: east orders; with ``friends`` some of its figures are another seat's."""
    columns, rows = pick(SIZES)
    hexes = [f"{column:02}{row:02}" for row in range(1, rows + 1) for column in range(1, columns + 1)]
    ground = {hex_: GROUNDS[pick(LIKELY) if pick((1, 2, 3, 4)) > 1 else pick(grounds)] for hex_ in hexes}
    crowd = _Crowd(pick, phase, hexes, ground)
    for number, name in enumerate(NAMES):
        side = "east" if number == 0 else "west" if number == 1 else pick(FOES)
        owner = pick(("east", "other")) if friends and side == "east" and number else side
        crowd.figure(name, pick(SORTS), side, owner)
    field = Field(
        "board", "a board", "sha256:0", "law", "A law", "sha256:0", columns, rows, ground, _features(pick, hexes, on_sides),
        side_features(TABLES), {"gate": tuple(dict.fromkeys((pick(hexes), hexes[-1])))}, people=crowd.people, forces=tuple(crowd.forces),
        sides=(SideInfo("east", "East", "blue", True, "gate", leaves=pick(("", "gate"))), SideInfo("west", "West", "red", False, "gate")),
        setup=(SetupStep(("east",), pick((("place",), ("place", "ride"), ("place", "ride"), ())), pick(("", "gate"))),),
    )  # fmt: skip
    things = crowd.wagons() if phase == "movement" else {}
    at = Cursor("setup", 1, "east") if phase == "setup" else Cursor(phase, 3, "east")
    chosen = {name: pick(values) for name, values in OPTIONS.items()}
    if len(hexes) > SMALL:
        chosen["mounted_geometry"] = "head_leads_tail_follows"
    return Laid(rules(chosen), Battle(field, at, dict(sorted(crowd.units.items())), things))


class _Crowd:
    """The figures of a board as they come."""

    def __init__(
        self, pick: Pick[Any], phase: str, hexes: Sequence[str], ground: Mapping[str, Terrain]
    ) -> None:
        self.pick, self.phase, self.hexes, self.ground = pick, phase, hexes, ground
        self.units: dict[str, Unit] = {}
        self.people: dict[str, Person] = {}
        self.forces: list[Force] = []

    def figure(self, name: str, sort: str, side: str, owner: str) -> None:
        """Add a figure of a sort, with a horse under it if it is a rider."""
        pick = self.pick
        mount = f"{name}-horse" if sort == "rider" else ""
        class_ = pick(KINDS) if sort == "man" else pick(RIDERS) if mount else sort
        at = self.standing(two=bool(mount) or sort in TWO_HEXES)
        unit = self.unit(
            name, class_, side, owner, replace(BLANK, state=pick(STATES), on=mount, **pick(DEEDS)), at
        )
        if mount:
            if unit.state in ("dead", "stunned"):
                unit = replace(unit, state="healthy")
            self.units[mount] = self.unit(mount, "horse_alone", side, owner, BLANK, at)
        elif unit.kind != "man":
            state = unit.state if unit.state == "dead" else "healthy"
            unit = replace(unit, state=state, mood="", job=None, captive_of=pick(("", "", "east", "west")))
        self.units[name] = unit
        self.enter(name, mount, bystander=sort == "man" and self.phase != "setup" and pick(range(12)) == 11)

    def unit(self, name: str, class_: str, side: str, owner: str, like: Unit, at: tuple[str, ...]) -> Unit:
        """Return a unit somewhere, and make its person known."""
        self.people[name] = character.of_class(TABLES, class_, name)
        return replace(like, id=name, person=name, kind=self.people[name].kind, side=side, owner=owner, at=at)

    def standing(self, two: bool) -> tuple[str, ...]:
        """Return where a figure stands, most often near the first; nowhere if it cannot stand there."""
        pick, first = self.pick, self.units.get(NAMES[0])
        held = {hex_ for other in self.units.values() if other.state != "dead" for hex_ in other.at}
        free = [hex_ for hex_ in self.hexes if hex_ not in held and self.open(hex_, two)]
        near = [hex_ for hex_ in free if first and first.at and hex_ in neighbours(first.at[0])]
        if not free or (self.phase in ("setup", "movement") and pick((1, 2, 3, 4)) == 4):
            return ()
        head = pick(pick((near or free, near or free, free)))
        tails = [hex_ for hex_ in neighbours(head) if hex_ in free]
        return ((head, pick(tails)) if tails else ()) if two else (head,)

    def open(self, hex_: str, two: bool) -> bool:
        """Tell whether a figure may stand in a hex at all."""
        ground = self.ground[hex_]
        return ground.mp_horse is not None and not ground.opening if two else ground.mp_foot is not None

    def enter(self, name: str, mount: str, bystander: bool) -> None:
        """Say how the scenario names a figure: where it stands, where it is placed, or that it enters."""
        pick, unit = self.pick, self.units[name]
        within = pick(("", "gate"))
        enters = self.phase != "setup" and not unit.at and pick((True, True, False))
        turn = pick((1, 3, 4)) if enters else 1
        fixed = unit.at if self.phase != "setup" or pick((True, False)) else ()
        if not unit.at:
            left = self.phase != "setup" and not enters and not mount and pick((True, False))
            self.units[name] = replace(
                unit, state="healthy" if unit.state == "dead" else unit.state, left=left
            )
        if mount:
            self.forces.append(
                Force(mount, mount, unit.side, at=fixed, within=within, enters=enters, turn=turn)
            )
            fixed = ()
        self.forces.append(
            Force(
                name,
                name,
                unit.side,
                at=fixed,
                within=within,
                enters=enters,
                turn=turn,
                on=mount,
                neutral=bystander,
            )
        )

    def wagons(self) -> dict[str, Thing]:
        """Return a wagon, perhaps with an animal before it, where there is room for one."""
        held = {hex_ for other in self.units.values() for hex_ in other.at}
        for unit in self.units.values():
            ridden = any(other.on == unit.id for other in self.units.values())
            if unit.kind in ("ox", "horse") and unit.at and unit.state != "dead" and not ridden:
                for front in neighbours(unit.at[-1]):
                    side = side_between(front, unit.at[-1])
                    rear = neighbour(front, opposite(side or "n"))
                    if front in self.ground and rear in self.ground and not {front, rear} & held:
                        hitched = self.pick(((), (unit.id,)))
                        return {"cart": Thing("cart", "wagon", (front, rear), side or "", hitched=hitched)}
        return {}


def _features(
    pick: Pick[Any], hexes: Sequence[str], on_sides: Sequence[str]
) -> dict[str, tuple[OnSide, ...]]:
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
    return lay(
        lambda options: draw(st.sampled_from(options)),
        phase,
        sorted(GROUNDS),
        sorted(side_features(TABLES)),
        friends,
    )
