"""What a side plays for, as the sergeant reads it from the scenario's own terms: places to hold, enemies to
hunt, men to bring away.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from pbem.bots import sapper, walls
from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import distance
from pbem.rulesets.siege.ground.character import person
from pbem.rulesets.siege.state import loads
from pbem.rulesets.siege.state.field import BATTLEMENT, Term
from pbem.rulesets.siege.state.state import Battle, Thing, Unit, is_prisoner
from pbem.rulesets.siege.things import engines
from pbem.rulesets.siege.turn import siege_days, victory

CLOSED = "closed"
Rules = Ruleset[Battle]
TEAM = 4
"""So many hexes before its wagon the first of a team goes at most."""
BEARER = 4
"""So many points it is worth to strike down who carries off what is to be kept."""
BAR = 3
"""So many hexes before an engine that is not to come through are held against it."""
DECIDES = 5
"""So many times as much a death is worth that ends the battle."""
LEADS = 3
"""So many points an engineer is worth without whom the besieger cannot dig."""
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
    fetch: Mapping[str, tuple[str, ...]] = {}
    """Thing that somebody carries -> hexes to which it is to be brought for points."""
    alive: Mapping[str, int] = {}
    """Enemy -> points for taking him alive."""
    spared: frozenset[str] = frozenset()
    """Own figures whose death ends the battle, or whom the enemy has points for taking: they keep away."""
    bold: int = 0
    """Points that every enemy is worth besides, because this side does not win by waiting."""
    doorways: frozenset[str] = frozenset()
    """Hexes with a door, in which an enemy bars the way to what is to be won."""
    open: frozenset[str] = frozenset()
    """Doors and gates that are worth points when they are open."""
    ruin: frozenset[str] = frozenset()
    """Engines of the enemy that are worth points when they are gone, or from which he digs."""
    shuts: bool = False
    """It is this side that is at home behind doors."""
    walls: tuple[str, ...] = ()
    """Battlements to be held against those who come with ladders and towers; none where nobody does, or it is
    this side that comes.
    """
    bars: bool = False
    """It is this side that has points as long as walls stand: where one is down it bars the way behind it."""
    batter: tuple[str, ...] = ()
    """Walls in which a breach is worth points."""
    sally: str = ""
    """The engine of those that this side, which holds walls, sallies against; empty for none."""


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
    batter: dict[str, None] = {}
    fetch: dict[str, tuple[str, ...]] = {}
    alive: dict[str, int] = {}
    spared: set[str] = set()
    gates: set[str] = set()
    ruin: set[str] = set()
    keeps = bars = False
    points_in: dict[str, int] = {}
    fights = siege_days.planned(battle) == siege_days.FIGHT  # at its end no place counts

    for term in (*battle.field.at_once, *battle.field.at_end):
        ours = term.side in (side, "any")
        own, foes = _meant(battle, term, side, True), _meant(battle, term, side, False)
        match term.kind:
            case "held-after" | "reached-after" if fights:
                continue
            case "held" | "held-after" | "reached-after":
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
                fetch |= dict.fromkeys(_carried(battle, term), battle.field.marks[term.mark])
            case "brought":
                teams = (battle.things[name].hitched for name in term.units if name in battle.things)
                prey |= {beast: term.points for beasts in teams for beast in beasts}
                hold |= dict.fromkeys(_in_its_way(battle, term))
                for name in _carried(battle, term):
                    hold |= dict.fromkeys(battle.things[name].at)
                    prey |= dict.fromkeys(battle.things[name].by, BEARER)
                    keeps = True
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
                led = [
                    unit for unit in term.units if battle.units[unit].living and not _at_large(battle, unit)
                ]
                lead |= {unit: _exits(battle, side) for unit in led}
                off |= set(led) if term.kind == "led-off" else set()
                alive |= {unit: term.points for unit in term.units if unit not in led}
            case "led-off" | "freed":
                spared |= {unit for unit in own if len(own) == 1 and term.units and _at_large(battle, unit)}
                hold |= dict.fromkeys(
                    hex_
                    for unit in term.units
                    if battle.units[unit].living and not _at_large(battle, unit)
                    for hex_ in battle.units[unit].hexes
                )
            case "stands" if ours and term.stands != CLOSED:
                gates |= {*term.units}
            case "breached" if ours:
                batter |= dict.fromkeys(battle.field.marks[term.mark])
            case "breached":
                bars = True
            case "unbreached" if ours:
                keeps = bars = True
                ruin |= sapper.roofs_of_mines(rules, battle, side)
            case "useless" if ours:
                ruin |= {id_ for id_ in term.units if not victory.useless(rules, battle, id_)}
            case "dead" | "destroyed":
                ruin |= {id_ for id_ in term.units if ours and id_ in battle.things}
                decides = term in battle.field.at_once
                points = term.points * (DECIDES if decides else 1)
                prey |= {unit: points for unit in foes if ours}
                dear |= {unit: points for unit in own if term.side != side}
                spared |= {unit for unit in own if term.side != side and decides and len(own) == 1}

    for id_ in sapper.leaders(battle):
        (dear if battle.units[id_].side == side else prey).setdefault(id_, LEADS)
    tops = tuple(hex_ for hex_, ground in battle.field.ground.items() if BATTLEMENT in ground.traits)
    manned = tops if walls.holds_walls(battle, side) else ()
    last = siege_days.turns(battle)
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
        fetch,
        alive,
        frozenset(spared),
        int(bool(fetch)),
        _doorways(battle) if fetch else frozenset(),
        frozenset(gates),
        frozenset(ruin),
        keeps or bool(manned),
        manned,
        bars,
        tuple(batter),
    )


def _carried(battle: Battle, term: Term) -> list[str]:
    """Return the things of a term that a man carries."""
    return [id_ for id_ in term.units if id_ in battle.things and battle.things[id_].kind in loads.KINDS]


def _in_its_way(battle: Battle, term: Term) -> list[str]:
    """Return the hexes close before the engines of a term that are not yet where they are to be brought."""
    area = {*battle.field.marks[term.mark]}
    known = (battle.things[id_] for id_ in term.units if id_ in battle.things)
    rolling = [thing for thing in known if thing.kind in engines.KINDS and area.isdisjoint(thing.at)]
    return sorted({hex_ for engine in rolling for hex_ in walls.before(battle, engine, BAR)})


def _doorways(battle: Battle) -> frozenset[str]:
    """Return the hexes in which doors hang, or hung."""
    hung = (fixture.hexes for fixture in battle.field.fixtures.values() if fixture.leaf)
    return frozenset(hex_ for hexes in hung for hex_ in hexes)


def _at_large(battle: Battle, id_: str) -> bool:
    """Tell whether somebody fights for his own side, so that he has to be taken before he is led anywhere."""
    unit = battle.units[id_]
    return id_ not in battle.field.bystanders and not is_prisoner(unit)


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
    if unit.side != aims.side:
        extra += aims.bold + (not aims.doorways.isdisjoint(unit.at))
    return strength + A_POINT * (scaled + extra) + (6 if who.missile else 0)
