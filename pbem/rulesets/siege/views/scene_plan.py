"""The record sheet of a siege as a plan to draw: the castle's walls with their damage, the engines, the table
of destruction.

What stands on it is drawn up in ``siege_sheet``; how it looks is the renderers' business.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from pbem.core.ruleset import Ruleset
from pbem.core.scene import Plan, Table, Wall
from pbem.core.table import Grid
from pbem.geometry.hex import centre, corners, neighbours
from pbem.rulesets.siege.scenario import siege_sheet
from pbem.rulesets.siege.scenario.siege_sheet import Engine, Row
from pbem.rulesets.siege.state.field import Field
from pbem.rulesets.siege.state.state import Battle
from pbem.rulesets.siege.views import scene

Rules = Ruleset[Battle]

KINDS: Final[Mapping[str, str]] = {
    "battlement": "battlement",
    "tower": "wall of a tower",
    "keep": "wall of the keep",
}
"""Kind of wall -> its name."""
NEWS: Final = ("Bombarded", "RamStruck", "Repaired", "Planned")
"""Events after which the sheet is worth posting again."""


def plan(
    rules: Rules, battle: Battle, title: str = "", events: Sequence[Mapping[str, Any]] | None = None
) -> Plan | None:
    """Return the record sheet; None where no wall can be battered, and where plain events are given of which
    none is news for it.
    """
    rows = siege_sheet.rows(rules, battle)
    if not rows or (events is not None and not any(event["type"] in NEWS for event in events)):
        return None
    near = _near(battle.field, {row.at for row in rows})
    down = sum(row.steps >= row.of for row in rows)
    hurt = sum(0 < row.steps < row.of for row in rows)
    title = title or battle.field.scenario_title or battle.field.map_title
    return Plan(
        title=f"Siege record: {title}",
        subtitle=f"{battle.field.map_title}. {scene.when(rules, battle)}",
        areas=tuple(area for area in scene.areas(battle.field) if area.at in near),
        edges=tuple(edge for edge in scene.edges(battle.field) if edge.at in near),
        walls=tuple(Wall(row.at, centre(row.at), corners(row.at), row.kind, row.steps) for row in rows),
        steps=_steps(rules),
        kinds=KINDS,
        tables=tuple(_tables(rules, battle, rows)),
        summary=f"Siege record of {title}: of {len(rows)} walls {hurt} damaged, {down} down.",
    )


def _steps(rules: Rules) -> tuple[str, ...]:
    """Return what a wall is after each step."""
    steps = rules.tables["battering"]["steps"]
    return tuple(str(steps[step]) for step in sorted(steps))


def _near(field: Field, walls: set[str]) -> set[str]:
    """Return the hexes that the plan shows: the walls, what lies next to them, and everything within."""
    around = {beside for hex_ in walls for beside in neighbours(hex_) if beside in field.ground}
    inside = {
        hex_
        for hex_, ground in field.ground.items()
        if ground.indoors or ground.opening or ground.floor != "ground"
    }
    return walls | around | inside


def _tables(rules: Rules, battle: Battle, rows: Sequence[Row]) -> Iterator[Table]:
    """Yield the tables of the sheet: damaged walls, engines, destruction."""
    struck = tuple(_struck(row) for row in sorted(rows, key=lambda row: row.at) if row.steps or row.bombarded)
    yield Table(
        "Walls that were struck",
        ("hex", "wall", "steps", "state", "last on"),
        struck or (("none", "", "", "", ""),),
    )
    if engines := siege_sheet.engines(rules, battle):
        yield Table("Engines", ("engine", "kind", "points", "aim", "repair"), tuple(map(_engine, engines)))
    table = rules.tables["battering"]
    grid: Grid = table["grid"]
    low, high = table["die"]["clamp"]
    cells = tuple(
        (str(row), *(grid.cell(row, column) for column in grid.columns)) for row in range(low, high + 1)
    )
    less = int(table["die"]["modifiers"]["tower_or_keep"])
    note = (
        f"D: one step. 1C to 4C: the engines lose so many points. {less:+d} to the die at a tower or the "
        "keep, not beside the gate."
    )
    yield Table("Destruction: die and points", ("die", *grid.columns), cells, note)


def _struck(row: Row) -> tuple[str, ...]:
    """Return the row of a wall that was struck."""
    name = "beside the gate" if row.gate else KINDS[row.kind]
    return row.at, name, f"{row.steps} of {row.of}", row.said, f"day {row.last}" if row.last else ""


def _engine(engine: Engine) -> tuple[str, ...]:
    """Return the row of an engine: what it is worth, its hex, and when it is whole again."""
    repair = f"to day {engine.repaired_until}" if engine.repaired_until else ""
    return engine.id, engine.kind, f"{engine.points} of {engine.of}", engine.aim, repair
