"""Damage: which walls and things of timber can be battered down, how a blow is read on the table of The
Anarchy, and what becomes of what it strikes.

Whose blow it is, is ``ram`` and ``mangonel``; what falls on people when a wall comes down is listed in the
ruleset (``follows["collapse"]``). The damage of a wall is kept in its hex, as in Siege.
"""

from __future__ import annotations

from typing import Any, Final

from pbem.core.odds import Modifier, Tally
from pbem.core.play import Play
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.core.table import Grid
from pbem.geometry.hex import hex_of, neighbours
from pbem.rulesets.anarchy import bridge, hoarding
from pbem.rulesets.siege.ground import flames, ladders, stacking, terrain
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state.events import (
    FeatureChanged,
    Retreated,
    Rolled,
    ThingChanged,
    ThingLost,
    WallHeld,
    reasons,
)
from pbem.rulesets.siege.state.orders import Act
from pbem.rulesets.siege.state.state import Battle, Thing
from pbem.rulesets.siege.things import battering, toppling, works
from pbem.rulesets.siege.things.battering import KEEP, RAM, STONES, WALL, Blow

Rules = Ruleset[Battle]
TABLE: Final = "battering_anarchy"
DOUBLE, SINGLE, TIMBER = "P", "S", "B"
MINE: Final = "mine"
GONE: Final = ("broken", bridge.DESTROYED)
"""How things stand of which nothing is left to destroy."""
BURIED: Final = ("ballista", "cauldron", "fascine", "ladder", "mangonel", "mantlet", "stones")
"""What is lost under a wall on which it stands."""


def table(rules: Rules) -> Any:
    """Return the table of destruction."""
    return rules.tables[TABLE]


# --- what stands in a hex


@rule("A7.3.1a", "A7.3.1b")
def wall_class(rules: Rules, battle: Battle, hex_: str) -> str:
    """Return the class of the wall in a hex, ``P`` double or ``S`` single; empty where none stands."""
    if battle.field.ground.get(hex_) is None or battering.RUBBLE in _became(battle, hex_):
        return ""
    if battering.kind_of(battle, hex_):
        return DOUBLE
    return str(table(rules)["grounds"].get(terrain.terrain_at(rules, battle, hex_).id, ""))


def _became(battle: Battle, hex_: str) -> tuple[str, ...]:
    return tuple(is_ for is_ in (battering.RUBBLE,) if (hex_, is_) in battle.features)


@rule("A7.3.1c", "A3.2.4a")
def timber(rules: Rules, battle: Battle, hex_: str) -> tuple[Thing, ...]:
    """Return the things of timber that stand in a hex, or over it, and can be destroyed."""
    kinds = table(rules)["timber"]
    there = flames.standing_in(battle, hex_) if battle.things else ()
    return tuple(thing for thing in there if thing.kind in kinds and thing.stands not in GONE)


@rule("A3.2.4a")
def above(rules: Rules, battle: Battle, hex_: str, by: str) -> bool:
    """Tell whether what strikes a hex meets the planks of a platform: a ram at the foot of the tower and
    miners beneath it meet the stone.
    """
    return by == STONES and bool(flames.planks(rules, battle, hex_))


def class_of(rules: Rules, battle: Battle, hex_: str, by: str = STONES) -> str:
    """Return the class of what can be destroyed in a hex, a wall before things of timber; empty where there
    is nothing.
    """
    if above(rules, battle, hex_, by):
        return TIMBER
    return wall_class(rules, battle, hex_) or (TIMBER if timber(rules, battle, hex_) else "")


def standing(rules: Rules, battle: Battle, hex_: str) -> bool:
    """Tell whether anything stands in a hex that can be battered down, damaged or not."""
    return bool(class_of(rules, battle, hex_))


def steps(rules: Rules, class_: str) -> int:
    """Return how many steps destroy what is of a class."""
    return int(table(rules)["steps_to_destroy"][class_])


# --- how a blow is read


@rule("A7.3.3a")
def column(rules: Rules, battle: Battle, hex_: str, points: int, by: str = STONES) -> str:
    """Return the column for so many points at what stands in a hex: the highest that is not above them, by
    its class; empty where they are below the first, or nothing stands there.
    """
    class_, grid = class_of(rules, battle, hex_, by), table(rules)["grid"]
    found = (name for name in reversed(grid.columns) if name[-1:] == class_ and int(name[:-1]) <= points)
    return next(found, "")


@rule("A7.3.3d")
def stronger(rules: Rules, battle: Battle, hex_: str) -> Modifier | None:
    """Return what is taken from the die at the walls of a keep; None at all others."""
    if battering.kind_of(battle, hex_) != KEEP:
        return None
    return Modifier("A7.3.3d", "keep", int(table(rules)["die"]["modifiers"]["keep"]))


def tally(rules: Rules, battle: Battle, hex_: str, die: int, more: Modifier | None) -> Tally:
    """Return the die with everything that moves it at what stands in a hex."""
    return Tally(die, str(die)).plus(stronger(rules, battle, hex_)).plus(more)


def _cell(rules: Rules, reckoned: Tally, where: str) -> tuple[int, str]:
    """Return row and code: a die that was moved off the table is read as its first or last row."""
    low, high = table(rules)["die"]["clamp"]
    row = min(max(reckoned.total, low), high)
    return row, str(table(rules)["grid"].cell(row, where))


def chances(
    rules: Rules, battle: Battle, hex_: str, points: int, more: Modifier | None = None, by: str = STONES
) -> tuple[int, int]:
    """Return on how many faces of the die a blow takes a step, and on how many it costs the engine points."""
    where = column(rules, battle, hex_, points, by)
    if not where:
        return 0, 0
    grid: Grid = table(rules)["grid"]
    found = [
        grid.key[_cell(rules, tally(rules, battle, hex_, die, more), where)[1]]
        for die in range(1, grid.faces + 1)
    ]
    return sum(int(means["steps"]) > 0 for means in found), sum(int(means["lost"]) > 0 for means in found)


@rule("A5.1.2k", "A7.3.3b")
def blow(
    rules: Rules,
    play: Play[Battle],
    hex_: str,
    points: int,
    *,
    name: str,
    by: str,
    more: Modifier | None = None,
) -> Blow:
    """Roll for a blow of so many points at what stands in a hex, and let it lose its step.

    ``name`` is that of the die, ``by`` what strikes: ``ram``, ``stones`` or ``mine``. What an engine loses,
    ``Blow.lost`` points, is for the caller to see to. Points below the first column do nothing.
    """
    where, class_ = column(rules, play.state, hex_, points, by), class_of(rules, play.state, hex_, by)
    if not where:
        return Blow(0, 0, -1)
    grid: Grid = table(rules)["grid"]
    die = play.roll(name, grid.faces)[0]
    reckoned = tally(rules, play.state, hex_, die, more)
    row, code = _cell(rules, reckoned, where)
    taken, lost = int(grid.key[code]["steps"]), 0 if spared(rules, by) else int(grid.key[code]["lost"])
    if not lost and int(grid.key[code]["lost"]):
        code = "D" if taken else "-"
    why = reasons(reckoned.modifiers)
    cause = play.happen(
        Rolled(
            f"{play.cursor}/{name}", grid.faces, (die,), "A7.3.3b", TABLE, where, str(die), why, row,
            "" if code == "-" else code, grid.key[code]["text"],
        )
    )  # fmt: skip
    if class_ == TIMBER:
        for thing in timber(rules, play.state, hex_) if taken else ():
            wreck(rules, play, thing, hex_, cause)
        if taken and flames.planks(rules, play.state, hex_):
            strip(rules, play, hex_, cause)
    else:
        taken = _damage(rules, play, hex_, taken, cause, by)
    return Blow(taken, lost, cause)


@rule("A5.2.3d")
def spared(rules: Rules, by: str) -> bool:
    """Tell whether what strikes is not hurt by its own blow: a ram is not, nor do miners lose points."""
    return by in table(rules)["ignored"]


def _damage(rules: Rules, play: Play[Battle], hex_: str, taken: int, cause: int, by: str) -> int:
    """Let a wall lose its step, where it may, and come down with the last; return how many it lost."""
    wall, day = battering.wall_of(play.state, hex_), play.state.at.day
    if not taken:
        return 0
    if once_a_day(play.state, hex_) and not goes_on(by):
        play.happen(WallHeld(hex_, "today", "A7.3.1d", cause))
        return 0
    after, full = wall.damage + taken, steps(rules, wall_class(rules, play.state, hex_))
    stones = wall.bombarded or by == STONES
    play.happen(
        FeatureChanged(
            hex_, WALL, damage=min(after, full), bombarded=stones, last=day, rule="A7.3.1d", cause=cause
        )
    )
    if after >= full:
        fall(rules, play, hex_, cause)
    return taken


@rule("A7.3.1d")
def once_a_day(battle: Battle, hex_: str) -> bool:
    """Tell whether a wall has lost a step on this day of a siege already; where a battle is no day of one,
    each stone is a day's work, and walls lose a step with every one.
    """
    return battle.at.day > 0 and battering.spent_today(battle, hex_)


@rule("A5.2.3g", "A7.3.1e")
def goes_on(by: str) -> bool:
    """Tell whether a blow may take a further step on the same day: that of a ram may, stones may not."""
    return by == RAM


# --- what comes down


@rule("A7.3.4a")
def fall(rules: Rules, play: Play[Battle], hex_: str, cause: int) -> None:
    """Let the wall of a hex come down: rubble lies there, and what hung on it is gone."""
    for follow in rules.follows.get("collapse", ()):
        follow(rules, play, hex_, cause)


def wreck(rules: Rules, play: Play[Battle], thing: Thing, hex_: str, cause: int) -> None:
    """Destroy a thing of timber, and hurt those who are on it or in its hex."""
    falls = family.of(rules).kinds[thing.kind].falls
    if falls is not None:
        falls(rules, play, thing, hex_, "broken", "A7.3.4a", cause)
        return
    on_it = play.state.living_in.get(hex_, ())
    if thing.kind == bridge.BRIDGE:
        play.happen(ThingChanged(thing.id, stands=bridge.DESTROYED, rule="A7.3.4a", cause=cause))
    elif thing.id in play.state.field.fixtures:
        play.happen(ThingChanged(thing.id, stands=flames.BROKEN, rule="A7.3.4a", cause=cause))
    else:
        play.happen(ThingLost(thing.id, "broken", "A7.3.4a", cause))
    for id_ in on_it:
        crushed(rules, play, id_, cause)


@rule("A3.2.4a")
def strip(rules: Rules, play: Play[Battle], hex_: str, cause: int) -> None:
    """Destroy the planks of a platform: bare masonry is left, on which nobody goes; who is on them is wounded
    and gets off them, and what stands on them is lost.
    """
    became = family.of(rules).planks[flames.planks(rules, play.state, hex_)]
    on_it = [id_ for id_ in play.state.living_in.get(hex_, ()) if hex_ in play.state.units[id_].at]
    beside = [there for there in neighbours(hex_) if _walked(rules, play.state, there)]
    play.happen(FeatureChanged(hex_, became, rule="A7.3.4a", cause=cause))
    for id_, thing in sorted(play.state.things.items()):
        if thing.kind in BURIED and hex_ in thing.at and thing.stands != ladders.RAISED:
            play.happen(ThingLost(id_, "broken", "A7.3.4a", cause))
    for id_ in on_it:
        crushed(rules, play, id_, cause)
        unit = play.state.units[id_]
        free = (there for there in beside if stacking.may_stop(rules, play.state, unit, there))
        if unit.living and (there := next(free, "")):
            play.happen(Retreated(id_, (hex_, there), cause, "A7.3.4b"))


def _walked(rules: Rules, battle: Battle, hex_: str) -> bool:
    """Tell whether a hex is another one of a wall-walk or a platform, on which men go."""
    ground = terrain.terrain_at(rules, battle, hex_) if hex_ in battle.field.ground else None
    return ground is not None and ground.floor == "walk" and ground.mp_foot is not None


@rule("A7.3.4b")
def crushed(rules: Rules, play: Play[Battle], id_: str, cause: int) -> None:
    """Wound who is on what is destroyed."""
    works.bury(rules, play, id_, cause)


@rule("A7.3.4a")
def with_what_stands_on_it(rules: Rules, play: Play[Battle], hex_: str, cause: int) -> None:
    """Let what stands or lies on a wall that has come down be lost under it, and the ladders that leaned
    against it fall, with whoever is on them.
    """
    for id_, thing in sorted(play.state.things.items()):
        if thing.kind in BURIED and hex_ in map(hex_of, thing.at) and thing.stands != ladders.RAISED:
            play.happen(ThingLost(id_, "broken", "A7.3.4a", cause))
    for ladder in ladders.upright(play.state):
        if ladders.faced(ladder) == hex_:
            toppling.topple(rules, play, ladder, Act("topple", (), ladder.id))


@rule("A5.2.5b")
def with_its_hoarding(rules: Rules, play: Play[Battle], hex_: str, cause: int) -> None:
    """Let what hangs on a wall that comes down come down with it."""
    for name, there in hanging(play.state, hex_):
        lose = family.of(rules).kinds[hoarding.HOARDING].falls
        if lose is not None:
            lose(rules, play, play.state.things[name], there, "broken", "A5.2.5b", cause)


def hanging(battle: Battle, hex_: str) -> list[tuple[str, str]]:
    """Return the hoardings that hang on the wall of a hex, with the hex in which they do."""
    return [
        (id_, there)
        for id_, thing in sorted(battle.things.items())
        if thing.kind == hoarding.HOARDING
        for there in thing.at
        if hex_ in hoarding.walls(battle, there)
    ]


# --- what may come of it


def reckoned(battle: Battle, hex_: str) -> tuple[str, ...]:
    """Return the hexes whose people may be hurt when what stands in a hex is destroyed."""
    return (hex_,)
