"""How the sergeant spends the days at a mine: he digs with as many as there is room for, fires the props as
soon as the wall may fall, and storms the breach; a penthouse that has burnt he builds anew, and where the
besieged hold too many tunnels he calls a fight; the besieged dig to meet him, and call one every day.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.bots import walls
from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import distance
from pbem.rulesets.anarchy import mining, mining_days, penthouse_days, roofs, undermining
from pbem.rulesets.siege.ground.character import person, values
from pbem.rulesets.siege.scenario import campaign
from pbem.rulesets.siege.state.orders import Act
from pbem.rulesets.siege.state.state import DEAD, HEALTHY, Battle, Thing
from pbem.rulesets.siege.turn import siege_days

Rules = Ruleset[Battle]
ENOUGH = 2
"""So many of the enemy have to have a besieger in reach before he begins a fight, so that it goes on."""


def digs(battle: Battle) -> bool:
    """Tell whether a siege has mines."""
    return bool(mining.mines(battle))


def day(rules: Rules, battle: Battle, seat: str) -> Iterator[str]:
    """Yield the orders for a day."""
    side = battle.side_of_seat[seat]
    orders = list(campaign.listed(rules, battle, seat))
    besieges = side == siege_days.besieger(battle)
    if besieges and any(is_ == "rubble" for _, is_ in battle.features):
        yield from (order.what for order in orders if order.do == "plan" and order.what == siege_days.ASSAULT)
        return
    fire = next((order for order in orders if order.do == "fire-props"), None)
    if fire is not None:
        yield f"{fire.who[0]} burns the props at {fire.to[0]}"
        return
    digs = list(work(rules, battle, side, orders))
    if not besieges or barred(rules, battle, side):
        busy = {name for line in digs for name in line.partition(" dig ")[0].split(", ")}
        callers = [order.who[0] for order in orders if order.do == "call-fight"]
        yield from [f"{name} calls a fight" for name in callers if name not in busy][:1]
    yield from digs
    yield from roof(rules, battle, side, orders)


def roof(rules: Rules, battle: Battle, side: str, orders: list[Act]) -> Iterator[str]:
    """Yield who builds another penthouse where one has burnt, unless some do so already."""
    builds = [order for order in orders if order.do == penthouse_days.BUILD]
    if builds and not roofs.being_built(battle):
        men = crew(rules, battle, side, {order.who[0] for order in builds})
        needed = int(penthouse_days.row(rules)["men"])
        if len(men) >= needed:
            yield f"{', '.join(men[:needed])} build {builds[0].what}"


def roofs_of_mines(rules: Rules, battle: Battle, side: str) -> set[str]:
    """Return the penthouses from which a side's enemies dig, as long as they are of use."""
    mines = (mine for mine in mining.mines(battle) if mine.side != side)
    return {roof.id for mine in mines for roof in mining.roofed(battle, mine) if roofs.whole(rules, roof)}


def leaders(battle: Battle) -> list[str]:
    """Return the engineers of the besieger, by id, as long as he has a wall to dig under; without them nobody
    digs.
    """
    if walls.down(battle):
        return []
    sides = {mine.side for mine in mining.mines(battle) if mining.ours(battle, mine)}
    own = (unit for unit in battle.units.values() if unit.side in sides and unit.state != DEAD)
    return sorted(unit.id for unit in own if person(battle, unit).class_ == mining.ENGINEER)


def met(battle: Battle, side: str) -> bool:
    """Tell whether a tunnel of a side touches one of the enemy."""
    own = [hex_ for mine in mining.mines(battle, side) for hex_ in mine.at]
    theirs = [hex_ for mine in mining.mines(battle) if mine.side != side for hex_ in mine.at]
    return any(distance(one, other) == 1 for one in own for other in theirs)


def barred(rules: Rules, battle: Battle, side: str) -> bool:
    """Tell whether enemies hold so many tunnels under each wall to which a side has come that it cannot dig
    enough for any of them without a fight.
    """
    theirs = {hex_ for mine in mining.mines(battle) if mine.side != side for hex_ in mine.at}
    reached = {hex_ for mine in mining.mines(battle, side) for hex_ in mining.reached(battle, mine)}
    above = {undermining.section(battle, hex_) for hex_ in reached}
    return bool(above) and all(len(one - theirs) < undermining.needed(rules, one) for one in above)


def work(rules: Rules, battle: Battle, side: str, orders: list[Act]) -> Iterator[str]:
    """Yield who digs where: an engineer, and the weakest of those who are well."""
    hexes = {order.to[0] for order in orders if order.do == "dig"}
    if not hexes:
        return
    hex_ = target(battle, side, hexes)
    mine = mining.of_hex(battle, side, hex_)
    men = crew(rules, battle, side, {order.who[0] for order in orders if order.do == "dig"})
    if mine is not None and len(men) > 1:
        pace = " at a forced pace" if hurries(rules, battle, mine, hex_) else ""
        if not mining.ours(battle, mine) and met(battle, side):
            men = [*armed(rules, battle, men[1:])[: most(battle, mine) - 1], men[0]]
        yield f"{', '.join(men[: most(battle, mine)])} dig {hex_}{pace}"


def bides(rules: Rules, battle: Battle, side: str) -> bool:
    """Tell whether a besieger who fights within the castle lets nobody strike or shoot yet, with everybody
    where he will stand: once there were blows the fight is over when nobody is in reach of him (A7.7.4f), and
    he needs the last of them. In the second half of it he strikes whom he has.
    """
    gap = any(is_ == "rubble" for _, is_ in battle.features)
    fights = siege_days.planned(battle) == siege_days.FIGHT and side == siege_days.besieger(battle)
    if not fights or not gap or mining_days.fought(battle) or 2 * battle.at.turn > siege_days.turns(battle):
        return False
    own = [unit for unit in battle.units.values() if unit.side == side and unit.living and unit.at]
    foes = [unit for unit in battle.units.values() if unit.side != side and unit.able and unit.at]
    found = sum(any(mining_days.in_reach(rules, battle, foe, unit) for unit in own) for foe in foes)
    return found < min(ENOUGH, len(foes))


def armed(rules: Rules, battle: Battle, men: Sequence[str]) -> list[str]:
    """Return some men, the strongest first: where tunnels have met those in front may have to fight."""
    return sorted(men, key=lambda id_: (-values(rules, battle, battle.units[id_]).attack, id_))


def hurries(rules: Rules, battle: Battle, mine: Thing, hex_: str) -> bool:
    """Tell whether a besieger drives his men: until the last hex, as the props may fail or the besieged have
    the initiative, and there where a hex every other day would be too slow, as after it one day goes by for
    the props and one for the assault.
    """
    above = undermining.section(battle, hex_)
    left = undermining.needed(rules, above) - len(above & {*mine.at})
    return mining.ours(battle, mine) and (left > 1 or 2 * left > battle.field.days - battle.at.day - 2)


def target(battle: Battle, side: str, hexes: set[str]) -> str:
    """Return where to dig: under the wall that is tunnelled most, the besieged towards the enemy."""
    own = {hex_ for mine in mining.mines(battle, side) for hex_ in mine.at}
    theirs = [hex_ for mine in mining.mines(battle) if mine.side != side for hex_ in mine.at]

    def rank(hex_: str) -> tuple[int, int, int, str]:
        above = undermining.section(battle, hex_)
        near = min((distance(hex_, there) for there in theirs), default=0)
        besieges = side == siege_days.besieger(battle)
        return (0 if besieges else near, -len(above & own), len(above), hex_)

    return min(hexes, key=rank)


def crew(rules: Rules, battle: Battle, side: str, free: set[str]) -> list[str]:
    """Return who may dig, the engineer first, then the weakest, archers last."""
    men = [battle.units[id_] for id_ in free if battle.units[id_].state == HEALTHY]
    leaders = sorted(unit.id for unit in men if person(battle, unit).class_ == mining.ENGINEER)[:1]
    worth = {unit.id: (person(battle, unit).missile, values(rules, battle, unit).attack) for unit in men}
    return leaders and [*leaders, *sorted(worth.keys() - {*leaders}, key=lambda id_: (worth[id_], id_))]


def most(battle: Battle, mine: Thing) -> int:
    """Return how many may work at a mine."""
    if mining.ours(battle, mine):
        return mining.places(battle, mine)
    own = [unit for unit in battle.units.values() if unit.side == mine.side and unit.state != DEAD]
    return len(own) // 3
