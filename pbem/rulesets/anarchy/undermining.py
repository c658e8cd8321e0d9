"""What comes of a mine: its props are fired, and the wall above it falls, or does not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from pbem.core.play import Play
from pbem.core.problem import Problem
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import neighbours
from pbem.rulesets.anarchy import mining
from pbem.rulesets.anarchy.mine_events import MineGone, MineIdle, PropsHeld
from pbem.rulesets.anarchy.mining import FIRED, UNSAFE
from pbem.rulesets.siege.state.events import FeatureChanged, FeatureGone, Rolled
from pbem.rulesets.siege.state.field import ROOF
from pbem.rulesets.siege.state.state import BELOW, Battle, Thing, is_prisoner
from pbem.rulesets.siege.things import battering

Rules = Ruleset[Battle]
TABLE: Final = "mine_collapse"
COLLAPSE: Final = "collapse"


# --- sections


def section(battle: Battle, hex_: str) -> frozenset[str]:
    """Return the walls that stand and fall with one: all of its kind from it on, one beside the other, which
    is a stretch of curtain between two towers, or the outside of one tower or of the keep.
    """
    kind = battering.kind_of(battle, hex_)
    walls = battering.walls(battle)
    found: set[str] = set()
    border = {hex_} if kind else set()
    while border:
        found |= border
        around = {there for one in border for there in neighbours(one)}
        border = {there for there in around - found if walls.get(there) == kind}
    return frozenset(found)


def building(battle: Battle, walls: frozenset[str]) -> list[str]:
    """Return every hex that comes down with some walls: they, and what lies within a tower or a keep."""
    grounds = battle.field.ground
    floors = {grounds[hex_].floor for hex_ in walls} & {battering.TOWER, battering.KEEP}
    roofed = any(ROOF in grounds[hex_].traits for hex_ in walls)
    found, border = set(walls), set(walls)
    while border and (floors or roofed):
        around = {there for hex_ in border for there in neighbours(hex_) if there in grounds}
        within = (there for there in around - found if grounds[there].floor in floors or roofed)
        border = {there for there in within if not roofed or ROOF in grounds[there].traits}
        found |= border
    return sorted(found)


def needed(rules: Rules, walls: Sequence[str] | frozenset[str]) -> int:
    """Return how many hexes of some walls have to be tunnelled before they fall."""
    part: Mapping[str, Any] = rules.tables[TABLE]["needs"]
    return -(-len(walls) * int(part["part"]) // int(part["of"]))


# --- firing the props


def why_not_fire(rules: Rules, battle: Battle, side: str, hex_: str) -> Problem | None:
    """Return why a side does not fire the props under a wall today; None if it does."""
    mine = mining.tunnelled(battle).get(hex_)
    if mine is None:
        return Problem("mining.not-dug", {"hex": hex_}, rule="A6.3.4a")
    if problem := mining.held_by_others(battle, mine, side, hex_) or mining.closed(battle, hex_):
        return problem
    if not still_up(battle, section(battle, hex_)):
        return Problem("mining.down", {"hex": hex_}, rule="A6.3.4b", help="the way in is open")
    return too_narrow(rules, battle, mine, hex_) or mining.bound(battle, mine, hex_, FIRED)


@rule("A6.3.4a")
def too_narrow(rules: Rules, battle: Battle, mine: Thing, hex_: str) -> Problem | None:
    """Return that too little of a wall has been tunnelled to bring it down; None if it is enough."""
    walls = section(battle, hex_)
    count, most = len(walls & {*mine.at}), needed(rules, walls)
    if count >= most:
        return None
    names: dict[str, str | int] = {"hex": hex_, "count": count, "needed": most, "of": len(walls)}
    return Problem("mining.narrow", names, rule="A6.3.4a", help="dig on first")


@rule("A6.3.4a")
def still_inside(battle: Battle, mine: Thing) -> str:
    """Return somebody who is still in the tunnels or in the shaft of a mine, so that nobody lights its props;
    empty if all have left. A prisoner is no worker.
    """
    there = {*mining.shaft(battle, mine), *(f"{hex_}@{BELOW}" for hex_ in mine.at)}
    own = (unit for _, unit in sorted(battle.units.items()) if unit.living and unit.side == mine.side)
    men = (unit for unit in own if not is_prisoner(unit))
    return next((unit.id for unit in men if not there.isdisjoint(unit.at)), "")


def fire(rules: Rules, play: Play[Battle], mine: Thing) -> None:
    """Burn the props under a wall at the end of the day on which they were laid open to the fire."""
    if id_ := still_inside(play.state, mine):
        play.happen(PropsHeld(mine.id, mine.aim, id_, "A6.3.4a"))
        return
    if mine.aim not in mine.at or too_narrow(rules, play.state, mine, mine.aim):
        play.happen(MineIdle(mine.id, mine.aim, "taken", "A6.3.6d"))
        return
    walls = section(play.state, mine.aim)
    table: Any = rules.tables[TABLE]
    name = f"props/{mine.id}"
    die = play.roll(name, 10)[0]
    result = falls(rules, die)
    event = Rolled(
        f"{play.cursor}/{name}", 10, (die,), "A6.3.4b", TABLE, "result", str(die), row=die, result=result,
        said=str(table["key"][result]),
    )  # fmt: skip
    cause = play.happen(event)
    if result == COLLAPSE:
        bring_down(rules, play, walls, cause)
    else:
        close(play, walls, cause)


@rule("A6.3.4b")
def falls(rules: Rules, die: int) -> str:
    """Return what comes of burnt props with a die: ``failure`` or ``collapse``."""
    rows = rules.tables[TABLE]["rows"]
    rows = rows.values() if isinstance(rows, Mapping) else rows
    return next(str(row["result"]) for row in rows if row["die"][0] <= die <= row["die"][1])


@rule("A6.3.4b")
def bring_down(rules: Rules, play: Play[Battle], walls: frozenset[str], cause: int) -> None:
    """Let every hex of a stretch of wall, or of a whole tower, lie in rubble, with all that was built or dug
    there. All of it falls at once, so that who falls from what hung on it falls on none of it; what lies in
    rubble already does not fall on anybody again.
    """
    hexes = building(play.state, walls)
    standing = [hex_ for hex_ in hexes if (hex_, battering.RUBBLE) not in play.state.features]
    for follow in rules.follows.get("collapse", ()):
        for hex_ in standing:
            follow(rules, play, hex_, cause)
    for hex_ in hexes:
        if (hex_, UNSAFE) in play.state.features:
            play.happen(FeatureGone(hex_, UNSAFE, "A6.3.4b", cause))
    for mine in mining.mines(play.state):
        if fallen := tuple(hex_ for hex_ in mine.at if hex_ in walls):
            play.happen(MineGone(mine.id, fallen, "A6.3.4b", cause))


@rule("A6.3.4c")
def close(play: Play[Battle], walls: frozenset[str], cause: int) -> None:
    """Let nobody dig under a stretch of wall any more, whose props have burnt in vain."""
    for hex_ in sorted(walls):
        play.happen(FeatureChanged(hex_, UNSAFE, last=play.state.at.day, rule="A6.3.4c", cause=cause))


# --- later


def unsafe(battle: Battle) -> list[frozenset[str]]:
    """Return the stretches of wall whose props burnt in vain on an earlier day and that still stand, in the
    order of the map.
    """
    found: list[frozenset[str]] = []
    for (hex_, is_), feature in sorted(battle.features.items()):
        if is_ == UNSAFE and feature.last < battle.at.day and not any(hex_ in walls for walls in found):
            found.append(section(battle, hex_))
    return [walls for walls in found if still_up(battle, walls)]


@rule("A6.3.4c")
def still_up(battle: Battle, walls: Iterable[str]) -> bool:
    """Tell whether any of some walls does not lie in rubble."""
    return any((hex_, battering.RUBBLE) not in battle.features for hex_ in walls)


def late(rules: Rules, play: Play[Battle]) -> None:
    """Roll for every wall that ought to have fallen on an earlier day."""
    for walls in unsafe(play.state):
        name = f"late/{min(walls)}"
        die = play.roll(name, 10)[0]
        down = falls_late(rules, die)
        said = "the wall falls after all" if down else "the wall still stands"
        label = f"{play.cursor}/{name}"
        result = COLLAPSE if down else ""
        event = Rolled(
            label, 10, (die,), "A6.3.4c", TABLE, "late", str(die), row=die, result=result, said=said
        )
        cause = play.happen(event)
        if down:
            bring_down(rules, play, walls, cause)


@rule("A6.3.4c")
def falls_late(rules: Rules, die: int) -> bool:
    """Tell whether a wall falls after all on a later day, with a die."""
    return die <= int(rules.tables[TABLE]["late"])
