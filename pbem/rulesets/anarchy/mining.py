"""Mines: who digs where under a wall, how many of them count, and what a day of digging comes to.

A mine is a thing whose hexes are those that have been tunnelled, each propped up; its shaft is another, in
the hexes of which its men gather. What becomes of the wall above is ``undermining``, what goes on underground
is ``tunnels``, and how the days go by is ``mining_days``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from msgspec import Struct

from pbem.core.play import Play
from pbem.core.problem import Problem
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.core.sequence import parse_cursor
from pbem.geometry.hex import distance, hex_of, neighbours
from pbem.rulesets.anarchy import damage, penthouse, roofs
from pbem.rulesets.anarchy.mine_events import MineDug, MineIdle, MineRefilled
from pbem.rulesets.siege.ground.character import person, values
from pbem.rulesets.siege.state.events import Reason, Rolled, StateChanged
from pbem.rulesets.siege.state.state import (
    BELOW,
    DEAD,
    HEALTHY,
    STUNNED,
    WOUNDED,
    Battle,
    Thing,
    Unit,
    is_prisoner,
)
from pbem.rulesets.siege.things import battering
from pbem.rulesets.siege.turn import siege_days

Rules = Ruleset[Battle]
MODULE: Final = "mining"
MINE, SHAFT = BELOW, "shaft"
"""Kinds of thing: what has been tunnelled, and where its men go down."""
DUG, REFILLED, FIRED = "dug", "refilled", "fired"
"""What is done at a mine on a day, as it stands in its ``stands``."""
HARD: Final = 1
"""``loaded`` of a mine in which men work at a forced pace today."""
ENGINEER: Final = "technician"
"""The class of those who know how to prop up a tunnel."""
UNSAFE: Final = "unsafe"
"""What a wall is whose props were fired and that did not fall."""


# --- mines and their shafts


def mines(battle: Battle, side: str = "") -> list[Thing]:
    """Return the mines of one side or of both, by id."""
    things = (battle.things[id_] for id_ in sorted(battle.things))
    return [thing for thing in things if thing.kind == MINE and side in ("", thing.side)]


def shaft(battle: Battle, mine: Thing) -> tuple[str, ...]:
    """Return the hexes in which the men of a mine gather to go down: those of its shaft, or those under the
    penthouses of its side that stand at a wall.
    """
    found = battle.things.get(f"{mine.id}-{SHAFT}")
    return found.at if found is not None else tuple(h for roof in roofed(battle, mine) for h in roof.at)


def mouths(battle: Battle, mine: Thing) -> tuple[str, ...]:
    """Return those of them from which one goes down: of a penthouse the front."""
    found = battle.things.get(f"{mine.id}-{SHAFT}")
    if found is not None:
        return found.at
    return tuple(hex_ for roof in roofed(battle, mine) for hex_ in roofs.front(roof))


def roofed(battle: Battle, mine: Thing) -> list[Thing]:
    """Return the penthouses from which a mine is dug, by id."""
    own = [roof for roof in roofs.roofs(battle) if roof.kind == roofs.PENTHOUSE and roof.side == mine.side]
    return [roof for roof in own if penthouse.at_the_wall(battle, roof)]


@rule("A6.3.2a")
def no_roof(rules: Rules, battle: Battle, mine: Thing) -> Problem | None:
    """Return that the besiegers have no whole penthouse at a wall to dig from, nor a shaft of their own; None
    if they have, and of the besieged.
    """
    if not ours(battle, mine) or f"{mine.id}-{SHAFT}" in battle.things:
        return None
    if any(roofs.whole(rules, roof) for roof in roofed(battle, mine)):
        return None
    return Problem("mining.no-roof", {"mine": mine.id}, rule="A6.3.2a", help="push one up to the wall first")


def ours(battle: Battle, mine: Thing) -> bool:
    """Tell whether a mine is the besieger's."""
    return mine.side == siege_days.besieger(battle)


def tunnelled(battle: Battle) -> dict[str, Thing]:
    """Return hex -> the mine that has been dug under it."""
    return {hex_: mine for mine in mines(battle) for hex_ in mine.at}


# --- where they dig


def of_hex(battle: Battle, side: str, hex_: str) -> Thing | None:
    """Return the mine of a side that comes to a hex; None where none of it does."""
    return next((mine for mine in mines(battle, side) if hex_ in reached(battle, mine)), None)


@rule("A6.3.2a")
def reached(battle: Battle, mine: Thing) -> frozenset[str]:
    """Return the walls to which the men of a mine come: those before its penthouse or beside its shaft, and
    beside what has been tunnelled.
    """
    beside = (there for hex_ in (*mouths(battle, mine), *mine.at) for there in neighbours(hex_))
    return frozenset(hex_ for hex_ in beside if battering.kind_of(battle, hex_))


def why_not_dig(rules: Rules, battle: Battle, side: str, hex_: str) -> Problem | None:
    """Return why nobody of a side digs under a hex today; None if somebody may."""
    names: dict[str, str | int] = {"hex": hex_}
    mine = of_hex(battle, side, hex_)
    if mine is None:
        own = mines(battle, side)
        if not own:
            return Problem("mining.none", {"side": side}, rule="A6.3.1")
        near = sorted({there for one in own for there in diggable(rules, battle, one)})
        help_ = f"such as {' '.join(near)}" if near else "there is no other either"
        return Problem("mining.not-reached", names, rule="A6.3.2a", help=help_)
    there = tunnelled(battle).get(hex_)
    if there is not None:
        return Problem("mining.dug", {**names, "mine": there.id}, rule="A6.3.3a")
    if battering.destroyed(rules, battle, hex_):
        return Problem("mining.down", names, rule="A6.3.4b")
    return (
        closed(battle, hex_)
        or no_roof(rules, battle, mine)
        or too_early(battle, mine)
        or bound(battle, mine, hex_, DUG)
    )


def closed(battle: Battle, hex_: str) -> Problem | None:
    """Return that nobody digs under a wall whose props were fired in vain; None of any other."""
    if (hex_, UNSAFE) not in battle.features:
        return None
    return Problem("mining.unsafe", {"hex": hex_}, rule="A6.3.4c")


@rule("A7.7.4c")
def too_early(battle: Battle, mine: Thing) -> Problem | None:
    """Return that the besieged do not dig before the besieger has dug on an earlier day; None if they do."""
    if ours(battle, mine) or any(begun(battle, other) for other in mines(battle) if ours(battle, other)):
        return None
    return Problem("mining.too-early", {"mine": mine.id}, rule="A7.7.4c", help="wait until they have begun")


def begun(battle: Battle, mine: Thing) -> bool:
    """Tell whether men have dug at a mine on an earlier day."""
    return bool(mine.at) or (bool(mine.struck) and parse_cursor(mine.struck).day < battle.at.day)


@rule("A6.3.3a", "A7.7.4g")
def bound(battle: Battle, mine: Thing, hex_: str, work: str) -> Problem | None:
    """Return that something else is done at a mine today, for it is driven on in but one hex a day; None if
    nothing is.
    """
    if not mine.stands or (mine.stands, mine.aim) == (work, hex_):
        return None
    names: dict[str, str | int] = {"mine": mine.id, "hex": mine.aim, "other": hex_}
    return Problem("mining.one-hex", names, rule="A6.3.3a", help=f"leave {mine.aim} out, or {hex_}")


def diggable(rules: Rules, battle: Battle, mine: Thing) -> list[str]:
    """Return the hexes under which men may dig from a mine today, in map order."""
    known = reached(battle, mine)
    return [hex_ for hex_ in sorted(known) if why_not_dig(rules, battle, mine.side, hex_) is None]


# --- filling up again


def why_not_refill(rules: Rules, battle: Battle, side: str, hex_: str) -> Problem | None:
    """Return why nobody of a side fills up what was tunnelled under a hex; None if somebody does."""
    mine = tunnelled(battle).get(hex_)
    if mine is None:
        return Problem("mining.not-dug", {"hex": hex_}, rule="A6.3.6d")
    return held_by_others(battle, mine, side, hex_) or bound(battle, mine, hex_, REFILLED)


@rule("A6.3.6d")
def held_by_others(battle: Battle, mine: Thing, side: str, hex_: str) -> Problem | None:
    """Return that a tunnel is not in the hands of a side; None if it is."""
    if mine.side == side:
        return None
    names: dict[str, str | int] = {"hex": hex_, "mine": mine.id}
    return Problem("mining.theirs", names, rule="A6.3.6d", help="take it in a fight underground first")


@rule("A6.3.6d")
def taken_by(battle: Battle, mine: Thing, hex_: str) -> str:
    """Return the mine of the enemy into whose hands a tunnel has come, because one of his men stands in it;
    empty if none does.
    """
    units = (battle.units[id_] for id_ in battle.living_in.get(hex_, ()))
    held = (unit for unit in units if unit.able and not is_prisoner(unit))
    sides = {unit.side for unit in held if f"{hex_}@{BELOW}" in unit.at}
    theirs = [other.id for other in mines(battle) if other.side in sides and other.side != mine.side]
    return next(iter(theirs), "")


# --- who works


def why_not_work(rules: Rules, battle: Battle, unit: Unit, mine: Thing) -> Problem | None:
    """Return why somebody does not work at a mine today; None if he does."""
    if unit.kind != "man" or unit.state == DEAD or unit.left or unit.id in battle.field.bystanders:
        return Problem("mining.unfit", {"unit": unit.id}, rule="A6.3.2a")
    return room(battle, mine, unit) or a_third(battle, mine, unit)


@rule("A6.3.3c")
def places(battle: Battle, mine: Thing) -> int:
    """Return for how many there is room at a mine of the besieger: one in each hex of its shaft, and in each
    that was tunnelled before today.
    """
    return len(shaft(battle, mine)) + len(mine.at)


def room(battle: Battle, mine: Thing, unit: Unit) -> Problem | None:
    """Return that there is no room for one more at a mine; None if there is. In the court there always is."""
    most = places(battle, mine)
    if unit.id in mine.crew or not ours(battle, mine) or len(mine.crew) < most:
        return None
    names: dict[str, str | int] = {"mine": mine.id, "count": most, "unit": unit.id}
    return Problem("mining.room", names, rule="A6.3.3c", help="each new tunnel has room for one more")


@rule("A7.7.4e")
def a_third(battle: Battle, mine: Thing, unit: Unit) -> Problem | None:
    """Return that more than a third of the besieged would work at their mines; None if it is not so."""
    if ours(battle, mine) or unit.id in mine.crew:
        return None
    own = [one for one in battle.units.values() if one.side == mine.side and one.kind == "man"]
    most = (
        sum(one.state != DEAD and not one.left and one.id not in battle.field.bystanders for one in own) // 3
    )
    if sum(len(one.crew) for one in mines(battle, mine.side)) < most:
        return None
    names: dict[str, str | int] = {"mine": mine.id, "count": most, "unit": unit.id}
    return Problem("mining.a-third", names, rule="A7.7.4e", help="leave him out, or another")


def present(battle: Battle, mine: Thing) -> list[Unit]:
    """Return who of those who were told to work at a mine does so in the evening: whoever is fit and no
    prisoner, and, after a fight, still where he works.
    """
    crew = [battle.units[id_] for id_ in mine.crew]
    able = [unit for unit in crew if unit.state not in (DEAD, STUNNED) and not unit.left]
    fit = [unit for unit in able if not is_prisoner(unit)]
    if not any(unit.at for unit in battle.units.values()):
        return fit  # nobody was on the map on this day
    posts = gathered(battle, mine)
    return [unit for unit in fit if unit.at and unit.at[0] in posts and not busy(unit)]


def busy(unit: Unit) -> bool:
    """Tell whether somebody has done something else than dig at last."""
    return unit.job is not None or "fought" in unit.did or "shot" in unit.did


@rule("A6.3.6b")
def gathered(battle: Battle, mine: Thing) -> frozenset[str]:
    """Return the places from which one works at a mine after a fight: its shaft, its tunnels, and in the
    court of the besieged wherever their men stand one beside the other from the shaft on.
    """
    found = {*shaft(battle, mine), *(f"{hex_}@{BELOW}" for hex_ in mine.at)}
    if ours(battle, mine):
        return frozenset(found)
    crew = {battle.units[id_].at[0] for id_ in mine.crew if battle.units[id_].at}
    border = set(shaft(battle, mine))
    while border := {place for place in crew - found if {*neighbours(hex_of(place))} & border}:
        found |= border
    return frozenset(found)


# --- what a day of digging comes to


class Force(Struct, frozen=True):
    """Who digs: the one who leads the work, and the others; nobody where an engineer is missing."""

    leader: Unit | None
    miners: tuple[Unit, ...]


@rule("A6.3.2b", "A6.3.6a")
def force(battle: Battle, mine: Thing, crew: Sequence[Unit]) -> Force:
    """Return who of a crew leads the work and who digs: an engineer leads, on either side, and is no miner
    himself; the besieger's stands under the penthouse, and one in a tunnel digs like anybody else.
    """
    engineers = (unit for unit in crew if person(battle, unit).class_ == ENGINEER)
    leader = next((unit for unit in engineers if leads_from_there(battle, mine, unit)), None)
    return Force(leader, tuple(unit for unit in crew if unit is not leader) if leader else ())


@rule("A6.3.2b")
def leads_from_there(battle: Battle, mine: Thing, unit: Unit) -> bool:
    """Tell whether an engineer is where he may lead the work at a mine."""
    return not unit.at or not ours(battle, mine) or unit.at[0] in shaft(battle, mine)


@rule("A6.3.5b")
def points(rules: Rules, miners: Sequence[Unit]) -> int:
    """Return the battering points of some miners: one for each, but for the wounded it takes two."""
    needed = rules.tables["battering_anarchy"]["miners_for_a_point"]
    parts = int(needed[WOUNDED])
    halves = sum(1 if unit.state == WOUNDED else parts // int(needed[HEALTHY]) for unit in miners)
    return halves // parts


@rule("A6.3.3a")
def column(rules: Rules, battle: Battle, hex_: str, count: int) -> str:
    """Return the column of the table in which so many points are read under a wall, by its class; empty below
    the first.
    """
    return damage.column(rules, battle, hex_, count)


def shift(rules: Rules, battle: Battle, hex_: str) -> tuple[Reason, ...]:
    """Return what is added to the die under a wall."""
    more = damage.stronger(rules, battle, hex_)
    return (Reason(more.rule, more.label, more.shift),) if more else ()


def read(rules: Rules, where: str, die: int, reasons: Sequence[Reason]) -> tuple[int, str, int, int]:
    """Return the row that counts, its code, its steps and what it loses."""
    table: Any = rules.tables["battering_anarchy"]
    low, high = table["die"]["clamp"]
    row = min(max(die + sum(reason.shift for reason in reasons), low), high)
    code = str(table["grid"].cell(row, where))
    means = table["grid"].key[code]
    return row, code, int(means["steps"]), int(means["lost"])


def chances(rules: Rules, battle: Battle, hex_: str, count: int) -> int:
    """Return on how many faces of the die a day of digging under a hex tells, with so many points."""
    where, reasons = column(rules, battle, hex_, count), shift(rules, battle, hex_)
    dice = range(1, rules.tables["battering_anarchy"]["grid"].faces + 1)
    return sum(read(rules, where, die, reasons)[2] > 0 for die in dice) if where else 0


def work(rules: Rules, play: Play[Battle], mine: Thing) -> None:
    """Roll for what the men of a mine did on this day: once, or twice where they were driven."""
    done = ""
    for time in range(1, times(mine) + 1):
        now = play.state.things[mine.id]
        hex_ = now.aim if not done else onward(rules, play.state, now, done)
        if not hex_:
            return
        crew = force(play.state, now, present(play.state, now))
        where = column(rules, play.state, hex_, points(rules, crew.miners))
        if why := idle(rules, play.state, now, hex_, crew.leader, where):
            play.happen(MineIdle(mine.id, hex_, why, _IDLE[why]))
            return
        if _told(rules, play, now, hex_, where, time):
            done = hex_


def idle(rules: Rules, battle: Battle, mine: Thing, hex_: str, leader: Unit | None, where: str) -> str:
    """Return why nothing is done at a mine: ``met taken engineer roof few``; empty if something is."""
    if met(battle, mine, hex_):
        return "met"
    if lost(battle, mine, hex_):
        return "taken"
    if leader is None:
        return "engineer"
    return "roof" if no_roof(rules, battle, mine) else "" if where else "few"


_IDLE: Final = {
    "met": "A6.3.3a",
    "taken": "A6.3.6d",
    "engineer": "A6.3.2b",
    "roof": "A6.3.2a",
    "few": "A6.3.3a",
}


@rule("A6.3.3a")
def met(battle: Battle, mine: Thing, hex_: str) -> bool:
    """Tell whether the enemy has tunnelled a hex just now under which a mine was to be dug: the two have met
    there.
    """
    return mine.stands == DUG and hex_ in tunnelled(battle)


@rule("A6.3.6d")
def lost(battle: Battle, mine: Thing, hex_: str) -> bool:
    """Tell whether the enemy has taken on this day what was to be filled up, or the tunnels from which a hex
    was to be dug.
    """
    return hex_ not in (mine.at if mine.stands == REFILLED else reached(battle, mine))


@rule("A6.3.5a")
def times(mine: Thing) -> int:
    """Return how often a day is rolled for at a mine: once, or twice at a forced pace."""
    return 2 if mine.loaded == HARD else 1


def onward(rules: Rules, battle: Battle, mine: Thing, done: str) -> str:
    """Return under which hex men go on on the same day: the nearest to the one that is done, of the same
    kind of wall before others; empty if under none.
    """
    if mine.stands == REFILLED:
        hexes = sorted(mine.at, key=lambda hex_: (distance(hex_, done), hex_))
        return next(iter(hexes), "")
    kind = battering.kind_of(battle, done)
    found = [hex_ for hex_ in sorted(reached(battle, mine)) if _free(rules, battle, hex_)]
    near = [hex_ for hex_ in found if distance(hex_, done) == 1] or found
    return min(near, key=lambda hex_: (battering.kind_of(battle, hex_) != kind, hex_), default="")


def _free(rules: Rules, battle: Battle, hex_: str) -> bool:
    taken = hex_ in tunnelled(battle) or battering.destroyed(rules, battle, hex_)
    return not taken and closed(battle, hex_) is None


def _told(rules: Rules, play: Play[Battle], mine: Thing, hex_: str, where: str, time: int) -> bool:
    """Roll once, and tell whether a hex was tunnelled, or filled up; wound those who were driven too hard."""
    grid: Any = rules.tables["battering_anarchy"]["grid"]
    name = f"{MINE}/{mine.id}" + (f"/{time}" if time > 1 else "")
    die = play.roll(name, grid.faces)[0]
    reasons = shift(rules, play.state, hex_)
    row, code, steps, lost = read(rules, where, die, reasons)
    hurt = driven(mine, lost)
    said = ("filled up" if mine.stands == REFILLED else "tunnelled and propped up") if steps else "no effect"
    said += f", and hard work hurts {hurt}" if hurt else ""
    result = "" if code == "-" else code
    label = f"{play.cursor}/{name}"
    rolled = Rolled(
        label, grid.faces, (die,), "A6.3.3a", "battering_anarchy", where, str(die), reasons, row, result, said
    )
    cause = play.happen(rolled)
    for unit in weakest(rules, play.state, mine)[:hurt]:
        event = StateChanged(unit.id, HEALTHY, WOUNDED, str(play.state.at), cause, "A6.3.5a")
        play.happen(event)
    if steps:
        opened(play, mine, hex_, cause)
    return bool(steps)


@rule("A6.3.3b")
def opened(play: Play[Battle], mine: Thing, hex_: str, cause: int) -> None:
    """Let a tunnel be there, propped up, however many steps its wall stands; or be filled up."""
    if mine.stands == REFILLED:
        play.happen(MineRefilled(mine.id, hex_, "A6.3.6d", cause))
    else:
        play.happen(MineDug(mine.id, hex_, "A6.3.3b", cause))


@rule("A6.3.5a")
def driven(mine: Thing, lost: int) -> int:
    """Return how many miners a roll hurts: as many as it takes from engines, but at a forced pace only."""
    return lost if mine.loaded == HARD else 0


def weakest(rules: Rules, battle: Battle, mine: Thing) -> list[Unit]:
    """Return the unhurt miners of a mine, the weakest first."""
    miners = force(battle, mine, present(battle, mine)).miners

    def worth(unit: Unit) -> tuple[int, str]:
        value = values(rules, battle, unit)
        return value.attack + value.defence, unit.id

    return sorted((unit for unit in miners if unit.state == HEALTHY), key=worth)
