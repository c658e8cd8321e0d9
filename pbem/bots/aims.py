"""What a side plays for, as the sergeant reads it from the scenario's own terms: places to hold, enemies to
hunt, men to bring away.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from pbem.bots import walls
from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import distance
from pbem.rulesets.siege.ground.character import person
from pbem.rulesets.siege.state.field import BATTLEMENT, Term
from pbem.rulesets.siege.state.state import Battle, Thing, Unit

Rules = Ruleset[Battle]
TEAM = 4
"""So many hexes before its wagon the first of a team goes at most."""
A_POINT = 12
"""What a point of the victory scheme is worth, against one point of attack or defence."""


class Aims(Struct, frozen=True):
    """What a side plays for."""

    side: str
    hold: tuple[str, ...]
    """Hexes of the marks that somebody holds for points."""
    gather: Mapping[str, tuple[str, ...]]
    """Figure -> hexes in which it is worth points at the end."""
    leave: Mapping[str, tuple[str, ...]]
    """Figure -> hexes by which it leaves the map for points."""
    lead: Mapping[str, tuple[str, ...]]
    """Bystander or animal -> hexes to which it is to be led."""
    off: frozenset[str]
    """Those of them that are to leave the map."""
    prey: Mapping[str, int]
    """Enemy -> points beyond those for losses: his death is a term, or he must not get away, or not come
    where he wants to.
    """
    dear: Mapping[str, int]
    """Own figure -> points that the enemy has from its death, beyond those for losses."""
    scales: tuple[tuple[str, int], ...]
    """Scales by which losses count, with the points for each."""
    last: int
    """The last game turn; 0: no limit."""
    burn: tuple[str, ...] = ()
    """Hexes of the enemy's that are to be burnt."""
    press: str = ""
    """The battlement that this side's ladders go against; empty where it has none."""
    walls: tuple[str, ...] = ()
    """Battlements to be held against those who come with ladders and towers; none where nobody does, or it is
    this side that comes.
    """


def aims(rules: Rules, battle: Battle, side: str) -> Aims:
    """Return what a side plays for; terms for any side count for this one, and those of the enemy against
    him.
    """
    hold: dict[str, None] = {}
    gather: dict[str, tuple[str, ...]] = {}
    leave: dict[str, tuple[str, ...]] = {}
    lead: dict[str, tuple[str, ...]] = {}
    off: set[str] = set()
    prey: dict[str, int] = {}
    dear: dict[str, int] = {}
    scales: list[tuple[str, int]] = []
    burn: dict[str, None] = {}
    points_in: dict[str, int] = {}

    for term in (*battle.field.at_once, *battle.field.at_end):
        ours = term.side in (side, "any")
        own, foes = _meant(battle, term, side, True), _meant(battle, term, side, False)
        match term.kind:
            case "held" | "held-after":
                hold |= dict.fromkeys(battle.field.marks[term.mark])
            case "gathered" if ours:
                gather |= {unit: battle.field.marks[term.mark] for unit in own if unit not in gather}
            case "burnt" if ours:
                burn |= dict.fromkeys(battle.field.marks[term.mark])
            case "brought" if ours:
                wagons = [
                    battle.things[name]
                    for name in term.units
                    if name in battle.things and battle.things[name].hitched
                ]
                drawn = {wagon.hitched[0]: _past(wagon, battle.field.marks[term.mark]) for wagon in wagons}
                lead |= {
                    beast: goals for beast, goals in drawn.items() if goals and battle.units[beast].living
                }
            case "losses":
                scales.append((term.scale, term.points))
            case "in":
                better = [unit for unit in own if ours and term.points > points_in.get(unit, -1)]
                gather |= dict.fromkeys(better, battle.field.marks[term.mark])
                points_in |= dict.fromkeys(better, term.points)
                prey |= {unit: term.points for unit in foes if term.side != side and term.units}
            case "left-the-map":
                leave |= {unit: _exits(battle, side) for unit in own if ours}
                prey |= {unit: term.points for unit in foes if term.side != side}
            case "led-off" | "freed" if ours:
                lead |= {unit: _exits(battle, side) for unit in term.units if battle.units[unit].living}
                off |= set(term.units) if term.kind == "led-off" else set()
            case "led-off" | "freed":
                hold |= dict.fromkeys(
                    hex_
                    for unit in term.units
                    if battle.units[unit].living
                    for hex_ in battle.units[unit].hexes
                )
            case "dead" | "destroyed":
                prey |= {unit: term.points for unit in foes if ours}
                dear |= {unit: term.points for unit in own if term.side != side}

    tops = tuple(hex_ for hex_, ground in battle.field.ground.items() if BATTLEMENT in ground.traits)
    manned = tops if walls.holds_walls(battle, side) else ()
    last = battle.field.length
    press = walls.pressed_on(battle, side)

    return Aims(
        side,
        tuple(hold),
        gather,
        leave,
        lead,
        frozenset(off),
        prey,
        dear,
        tuple(scales),
        last,
        tuple(burn),
        press,
        manned,
    )


def _past(wagon: Thing, area: tuple[str, ...]) -> tuple[str, ...]:
    """Return where its team is to be led so that a wagon comes into an area behind it; none
    if it is there.
    """
    if not wagon.at or not set(area).isdisjoint(wagon.at):
        return ()
    far = {hex_: distance(hex_, wagon.at[0]) for hex_ in area}
    least = min(min(far.values()) + TEAM, max(far.values()))
    return tuple(hex_ for hex_ in area if far[hex_] >= least)


def _meant(battle: Battle, term: Term, side: str, own: bool) -> list[str]:
    return [
        id_
        for id_, unit in battle.units.items()
        if (unit.side == side) == own and (not term.units or id_ in term.units)
    ]


def _exits(battle: Battle, side: str) -> tuple[str, ...]:
    field = battle.field
    mark = field.side(side).leaves
    if mark:
        return field.marks[mark]
    edges = (
        f"{column:02}{row:02}"
        for column in range(1, field.columns + 1)
        for row in range(1, field.rows + 1)
        if column in (1, field.columns) or row in (1, field.rows)
    )
    return tuple(hex_ for hex_ in edges if hex_ in field.ground)


def worth(battle: Battle, aims: Aims, unit: Unit) -> int:
    """Return what a figure is worth alive to its side: its strength, and the points that hang on it."""
    who = person(battle, unit)
    best = who.states.get("healthy")
    strength = best.attack + best.defence if best else 2
    scaled = sum(
        battle.field.scales[scale].get(who.class_, 0) * points if scale else points
        for scale, points in aims.scales
    )
    extra = (aims.dear if unit.side == aims.side else aims.prey).get(unit.id, 0)
    return strength + A_POINT * (scaled + extra) + (6 if who.missile else 0)
