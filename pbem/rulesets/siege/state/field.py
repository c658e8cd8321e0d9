"""The static part of a game: the map, what its ground is made of, the people, and what the scenario says of
them.

Built once from scenario and map (``maps``, ``scenario``), then only read. Everything is keyed by hex text
(``0712``) or by the key of a hexside; nothing here changes in play (what does is a ``Feature`` or a ``Thing``
of the battle).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, Final

from msgspec import Struct
from msgspec import field as given

from pbem.geometry.hex import beside, neighbours
from pbem.rulesets.siege.state.once import Once
from pbem.rulesets.siege.state.thing import STOREYED, TOP, Thing

MOAT, FILLED, TRENCH, RUBBLE = "moat", "filled", "trench", "rubble"
BATTLEMENT: Final = "battlement"
"""A wall walk with a parapet, from which and onto which one climbs, steps, throws and pours."""
CURTAIN, PARAPET = "curtain", "parapet"
"""A wall between towers; a place that a parapet or an arrow slit shelters."""
EVEN: Final = "even"
"""Flat enough for engines."""
HEAVY: Final = "heavy"
"""Heavy going for horses in the later games."""
LOW, TALL = "low", "tall"
"""What covers nobody against a shot from high above; what hides even what somebody high
above looks down at.
"""
SLOPE, TENT = "slope", "tent"
ROOF = "roof"
"""Trait of the planks on top of a tower of stone."""
LADDER, SIEGE_TOWER, RAM = "ladder", "siege-tower", "ram"
"""What stands on it."""
CLUTTERED: Final = "cluttered"
"""Nobody gets through with a ladder."""
STAGE: Final = "stage"
"""Onto which a ladder leads, though it is no wall walk: planks, the ledge of a high window."""
LEAF: Final = "leaf"
"""What stands on the hexsides that a door closes; while it is open, nothing."""
RIDDEN: Final = "ridden"
"""An opening that its row lets horses into, as they go into no other."""


class Nature(Struct, frozen=True):
    """What rules ask of a ground beside the numbers of its row.

    It stands beside the tables and not in them: tables belong to what fixes the dice of a game, and a game
    that was begun keeps its own.
    """

    traits: frozenset[str] = frozenset()
    """Any of the constants above."""
    hides: str = ""
    """The rule by which it hides what is behind it; empty: the general one."""
    stands: str = ""
    """Its line in the chart of elevations; empty: that of its floor."""


class Terrain(Struct, frozen=True):
    """One row of the terrain chart. Movement points are None where the terrain cannot be entered."""

    id: str
    title: str
    mp_foot: int | None
    mp_horse: int | None
    cover: str
    melee_attacker: str
    """``+ 0 -`` for the figure on it when it attacks; ``impossible`` where nobody fights."""
    melee_defender: str
    level: int
    floor: str
    """``ground walk tower keep``: neighbouring hexes on different floors need something that joins them."""
    blocks_line: bool = False
    flat: bool = False
    """Open ground that restricts no shot (S1.41c)."""
    cover_through: str = ""
    """Cover that a line which crosses it gives the target (S3.21b)."""
    look: str = "flat"
    rules: tuple[str, ...] = ()
    opening: str = ""
    """``doorway gateway window keep`` where one goes or shoots through a wall (S1.43a)."""
    indoors: str = ""
    """``building`` or ``court`` where it lies within walls."""
    joins: bool = False
    """It leads from its floor to every floor beside it, as stairs do."""
    traits: frozenset[str] = frozenset()
    """As in its ``Nature``, and so the next two."""
    hides: str = ""
    stands: str = ""


class SideFeature(Struct, frozen=True):
    """One row of the chart of hexside features: who passes at what cost, sees, shoots, fights."""

    id: str
    title: str
    passes: bool
    cost: int
    """Movement points added for crossing it."""
    blocks_line: bool
    blocks_melee: bool
    look: str
    rules: tuple[str, ...] = ()
    joins: bool = False
    """It leads from one floor to another."""
    cover: str = ""
    """Cover of who stands behind it and is shot at through it."""
    opening: str = ""
    """``doorway gateway window`` where one goes or shoots through a wall (S1.43a)."""


class OnSide(Struct, frozen=True):
    """A feature on a hexside, and the hex it belongs to (for a crest the high one, for a parapet the
    sheltered one).
    """

    kind: str
    at: str
    side: str


class Values(Struct, frozen=True):
    """Attack, defence and movement allowance of a figure in one state."""

    attack: int
    defence: int
    move: int


class Person(Struct, frozen=True):
    """One individual of the roster: no two are alike, so values are his own (CH0.1a)."""

    id: str
    name: str
    class_: str
    weapon: str
    missile: str
    """``short_bow long_bow crossbow``, empty for who does not shoot."""
    armoured: bool
    armoured_later: bool
    panic_group: str
    leader: bool
    states: Mapping[str, Values]
    """``healthy wounded stunned mounted_healthy mounted_wounded`` -> values."""
    move_later: tuple[int, int]
    """Movement on foot by the rules of the later games: healthy and wounded."""
    missile_class: str
    """``knights`` or ``others``: which shooting table he is a target in (S1.3c)."""
    kind: str = "man"
    points: int = 0
    move_later_mounted: tuple[int, int] | None = None


class Force(Struct, frozen=True):
    """One unit as the scenario names it: a person, and where it begins (``at``) or may be placed (``within``,
    a mark).
    """

    id: str
    person: str
    side: str
    owner: str = ""
    """Seat, where a side has several; empty: the side's only seat."""
    at: tuple[str, ...] = ()
    within: str = ""
    enters: bool = False
    turn: int = 1
    """Game turn from which it may enter the map."""
    on: str = ""
    skill: int = 0
    """What is added to the die of his shots."""
    neutral: bool = False
    """It belongs to a side for bookkeeping only, is nobody's enemy until somebody holds it, and moves only
    when it is led.
    """
    held_by: str = ""
    """Side in whose hands it begins."""
    wakes: int = 0
    """Game turn in which it wakes up; until then it lies asleep and does nothing but defend itself."""


class SideInfo(Struct, frozen=True):
    """A side of the scenario."""

    id: str
    name: str
    colour: str
    first: bool
    enters: str = ""
    silent: str = "hold"
    """What it does when nothing is sent: ``hold`` or ``shoot-nearest``."""
    leaves: str = ""
    """Mark by which its figures leave the map; empty: by every hex at the edge."""


class Fixture(Struct, frozen=True):
    """Something built into the map that can be worked: a drawbridge, with the gate it closes and the winch
    that turns it; a door, with the sides of its hex that its leaf closes.
    """

    id: str
    kind: str
    hexes: tuple[str, ...]
    gate: str
    """Key of the hexside that nobody passes while it is raised."""
    winch: str
    starts: str = "raised"
    """``raised`` or ``lowered``; of a door ``open``, ``closed`` or ``broken``."""
    leaf: tuple[str, ...] = ()
    """Keys of the hexsides that nobody passes while a door is closed."""

    @property
    def shuts(self) -> tuple[str, ...]:
        """Return the keys of the hexsides that it closes, when it does."""
        return (self.gate,) if self.gate else self.leaf

    @property
    def thing(self) -> Thing:
        """Return it as it stands when a game begins; of a bridge the field says where it is."""
        return Thing(self.id, self.kind, at=self.hexes if self.leaf else (), stands=self.starts)


class Gear(Struct, frozen=True):
    """A thing as the scenario names it: what it is and where it begins, or the mark in which it is placed in
    the setup.
    """

    thing: Thing
    within: str = ""
    built: bool = False
    """Nobody places it: it is, or comes to be, where men work at it."""


class Siege(Struct, frozen=True):
    """A siege of several days: who besieges, and how many assaults he may make (0: as many as he likes)."""

    besieger: str
    assaults: int = 0
    fight: int = 0
    """Game turns of a fight for a mine; 0: there is none."""


class SetupStep(Struct, frozen=True):
    """One step of the setup: which seats' sides place what, in which mark; several sides at
    once are sealed.
    """

    sides: tuple[str, ...]
    may: tuple[str, ...]
    within: str = ""


class Term(Struct, frozen=True):
    """One line of the victory scheme, of a closed list.

    Of every game ``held gathered losses left-the-map led-off freed destroyed dead burnt in brought stands
    count turn breached useless``, of a siege also ``held-after reached-after assault-over unbreached
    unwounded day losses-reach deaths-reach``.
    """

    kind: str
    side: str
    """A side, or ``any``."""
    points: int
    mark: str = ""
    scale: str = ""
    least: int = 0
    turn: int = 0
    units: tuple[str, ...] = ()
    said: str = ""
    beyond: str = ""
    """The mark in which knights must be who came through a breach."""
    most: int = 0
    """How often its points are given at most; 0: as often as it is so."""
    stands: str = ""
    """How something built in stands that gives them."""


class Floors(Struct, frozen=True):
    """The floors that a kind of thing has above the ground on which it stands."""

    names: tuple[str, ...]
    """Storeys that may stand in its places, the lowest first."""
    places: Callable[[Field, Thing], tuple[str, ...]]
    """(field, thing) -> its places above the ground as it stands now, the lowest first."""
    apart: bool = False
    """What burns in one place of it burns there alone, and in no other storey of the hex."""
    sheets: Mapping[str, Any] = {}
    """Name -> the table by which its places are told, as it is in force in this game."""


def _one_above(field: Field, thing: Thing) -> tuple[str, ...]:
    return tuple(f"{hex_}@{TOP}" for hex_ in thing.at)


FLOORS: Final[Mapping[str, Floors]] = dict.fromkeys(STOREYED, Floors((TOP,), _one_above))
"""Kinds of thing with one place above each of their hexes."""


class Field(Once, frozen=True, dict=True):
    """Map, people and scheme of one game."""

    map_id: str
    map_title: str
    map_digest: str
    scenario_id: str
    scenario_title: str
    scenario_digest: str
    columns: int
    rows: int
    ground: Mapping[str, Terrain]
    """Hex -> its terrain, for every hex of the map, in map order."""
    sides_of_hexes: Mapping[str, tuple[OnSide, ...]]
    """Key of a hexside -> features on it."""
    side_features: Mapping[str, SideFeature]
    marks: Mapping[str, tuple[str, ...]]
    grounds: Mapping[str, Terrain] = given(default_factory=dict)
    """The whole chart by id, for ground that changes in play."""
    fixtures: Mapping[str, Fixture] = given(default_factory=dict)
    areas: Mapping[str, tuple[str, ...]] = given(default_factory=dict)
    area_kinds: Mapping[str, str] = given(default_factory=dict)
    area_names: Mapping[str, str] = given(default_factory=dict)
    labels: tuple[tuple[str, str], ...] = ()
    roads: tuple[tuple[str, ...], ...] = ()
    look_seed: int = 0
    people: Mapping[str, Person] = given(default_factory=dict)
    sides: tuple[SideInfo, ...] = ()
    """In the order they play (S1.2b)."""
    forces: tuple[Force, ...] = ()
    wagons: tuple[Thing, ...] = ()
    gear: tuple[Gear, ...] = ()
    supplies: Mapping[str, Mapping[str, int]] = given(default_factory=dict)
    """Side -> ``filled`` and ``rubble`` -> how many hexes it may prepare in the setup."""
    damaged: Mapping[str, int] = given(default_factory=dict)
    """Hex of a wall -> the steps of damage it has as the battle begins."""
    setup: tuple[SetupStep, ...] = ()
    length: int = 0
    """Game turns, of each day where there are several; 0: no limit."""
    days: int = 0
    """Days of a siege that lasts several; 0: it is over in one."""
    siege: Siege | None = None
    """Where the besieger plans each day, and the game turns are those of his assaults."""
    at_end: tuple[Term, ...] = ()
    at_once: tuple[Term, ...] = ()
    margins: Mapping[str, int] = given(default_factory=dict)
    scales: Mapping[str, Mapping[str, int]] = given(default_factory=dict)
    """Name of a scale -> class -> points a killed figure of it is worth."""
    level_winner: str = "draw"
    """Who wins when the scores are level or short of the margin: a side, ``other`` or ``draw``."""
    hidden: Mapping[str, int] = given(default_factory=dict)
    """Unit -> within how many hexes an enemy sees it, for those who begin the game in hiding."""
    floors: Mapping[str, Floors] = given(default_factory=lambda: FLOORS)
    """Kind of thing -> the floors that it has above the ground."""

    @cached_property
    def bystanders(self) -> frozenset[str]:
        """Return the units that are on no side until somebody leads them away."""
        return frozenset(force.id for force in self.forces if force.neutral)

    @cached_property
    def sleepers(self) -> Mapping[str, int]:
        """Return unit -> the game turn in which it wakes up, for those who begin asleep."""
        return {force.id: force.wakes for force in self.forces if force.wakes > 1}

    @cached_property
    def features_between(self) -> Mapping[tuple[str, str], tuple[SideFeature, ...]]:
        """Return (hex, hex beside it) -> what stands on the hexside between them, where anything does."""
        found = {}
        for key, on_side in self.sides_of_hexes.items():
            if len(hexes := beside(key)) == 2:
                one, other = hexes
                found[one, other] = found[other, one] = tuple(
                    self.side_features[feature.kind] for feature in on_side
                )
        return found

    @cached_property
    def edge(self) -> frozenset[str]:
        """Return the hexes at the edge of the map: those without a hex of it on each of their six sides."""
        ground = self.ground
        around = {hex_: [beside for beside in neighbours(hex_) if beside in ground] for hex_ in ground}
        return frozenset(hex_ for hex_, beside in around.items() if len(beside) < 6)

    @cached_property
    def shown(self) -> dict[tuple[str, str, str, bool], Values]:
        """Return person, state, horse and whether he has no arms -> the values that a counter shows, as far
        as anybody has looked (``character.values``).
        """
        return {}

    @cached_property
    def level(self) -> bool:
        """Tell whether all of it lies on one line of the chart of elevations, and in the open."""
        return not any(ground.stands or ground.floor != "ground" for ground in self.ground.values())

    @cached_property
    def openings(self) -> frozenset[str]:
        """Return the hexes that are doorways, gateways or windows, or the entrance of a keep."""
        return frozenset(hex_ for hex_, terrain in self.ground.items() if terrain.opening)

    def turns_so_far(self, day: int, turn: int) -> int:
        """Return the number of a game turn, counted from the first of the first day."""
        return max(day - 1, 0) * self.length + turn

    def side(self, id_: str) -> SideInfo:
        """Return what the scenario says of a side; KeyError if it has none of that name."""
        for side in self.sides:
            if side.id == id_:
                return side
        raise KeyError(id_)

    def enemies(self, side: str) -> tuple[str, ...]:
        """Return the other sides, in the order they play."""
        return tuple(other.id for other in self.sides if other.id != side)
