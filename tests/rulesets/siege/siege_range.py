"""A shooting range for tests: small fields and battles built by hand, without maps,
scenarios or order files.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from pbem.core.dice import ScriptedDice
from pbem.core.play import Play
from pbem.core.ruleset import Ruleset, RulesetInterface
from pbem.core.sequence import Cursor, parse_cursor
from pbem.geometry.hex import hexside
from pbem.rulesets.siege import options
from pbem.rulesets.siege.combat import shooting, shot_odds
from pbem.rulesets.siege.deeds import deeds
from pbem.rulesets.siege.ground.terrain import grounds, side_features
from pbem.rulesets.siege.ruleset import CRY_HAVOC, FAMILY
from pbem.rulesets.siege.state import happening
from pbem.rulesets.siege.state.field import Field, OnSide, Person, SideInfo, Values
from pbem.rulesets.siege.state.orders import Line, OrderFile, Shoot
from pbem.rulesets.siege.state.state import Battle, Unit
from pbem.rulesets.siege.turn import sequence

TABLES = CRY_HAVOC.tables
GROUNDS = grounds(CRY_HAVOC)
PHASES = tuple(phase.id for phase in sequence.SEQUENCE.phases)
VALUES = {state: Values(4, 3, 6) for state in ("healthy", "wounded", "stunned")}


def rules(**settings: str) -> Ruleset[Battle]:
    """Return what shooting needs of a ruleset, with some options set."""
    interface: RulesetInterface[Battle] = None  # type: ignore[assignment]
    return Ruleset(
        id="range",
        revision=1,
        title="A shooting range",
        sequence=sequence.SEQUENCE,
        steps={},
        checks={"shoot": (shooting.check_shoot,)},
        modifiers={"shot": shot_odds.MODIFIERS},
        tables=TABLES,
        interface=interface,
        deeds=deeds.ALL,
        options=options.OPTIONS,
        settings=settings,
        family=FAMILY,
    )


def field(
    ground: Mapping[str, str] | None = None,
    sides: Mapping[str, Mapping[str, str]] | None = None,
    *,
    columns: int = 60,
    rows: int = 12,
    silent: str = "hold",
    people: Mapping[str, Person] | None = None,
) -> Field:
    """Return an open field with some hexes and hexsides of other kinds (feature -> side -> hexes)."""
    land = {f"{c:02}{r:02}": GROUNDS["flat"] for c in range(1, columns + 1) for r in range(1, rows + 1)}
    for id_, hexes in (ground or {}).items():
        land.update(dict.fromkeys(hexes.split(), GROUNDS[id_]))
    on: dict[str, tuple[OnSide, ...]] = {}
    for kind, by_side in (sides or {}).items():
        for side, hexes in by_side.items():
            for hex_ in hexes.split():
                key = hexside(hex_, side)
                on[key] = (*on.get(key, ()), OnSide(kind, hex_, side))
    return Field(
        map_id="range",
        map_title="Range",
        map_digest="sha256:0",
        scenario_id="range",
        scenario_title="Range",
        scenario_digest="sha256:0",
        columns=columns,
        rows=rows,
        ground=land,
        sides_of_hexes=on,
        side_features=side_features(TABLES),
        marks={},
        people=people or {},
        sides=(SideInfo("east", "East", "blue", True, silent=silent), SideInfo("west", "West", "red", False)),
    )


def person(id_: str, weapon: str = "", missile_class: str = "others") -> Person:
    """Return somebody with a weapon."""
    return Person(
        id_,
        id_.title(),
        "spearman",
        "",
        weapon,
        False,
        False,
        "soldier",
        False,
        VALUES,
        (8, 4),
        missile_class,
    )


def battle(at: str, *units: Unit, people: Mapping[str, Person], **where: Any) -> Battle:
    """Return a battle of these units in a phase."""
    return Battle(
        field=field(people=people, **where),
        at=parse_cursor(at),
        units={unit.id: unit for unit in sorted(units, key=_id)},
    )


def _id(unit: Unit) -> str:
    return unit.id


def unit(id_: str, side: str, at: str, state: str = "healthy", person: str = "", **more: Any) -> Unit:
    """Return a figure; its person has its own id unless another is given."""
    plain = Unit(id_, person or id_, "man", side, side, state, (at,) if at else ())
    return replace(plain, **more)


def play(battle: Battle, dice: Mapping[str, int]) -> Play[Battle]:
    """Return the open phase of a battle, ready to be resolved with scripted dice."""
    return Play(
        battle,
        str(battle.at),
        happening.apply,
        ScriptedDice({label: (value,) for label, value in dice.items()}),
    )


def file(battle: Battle, *orders: Shoot) -> OrderFile:
    """Return an order file of the active side that shoots, for the open phase."""
    at: Cursor = battle.at
    lines = tuple(Line(order, ("shoot", number)) for number, order in enumerate(orders))
    return OrderFile(at.side, at.side, at, sections={at.phase: lines}, phases=PHASES)
