"""Own men next to the target: the ban on shooting there, and, where the option lifts it, the shot that misses
and hits one of them.

How a shot is resolved is ``shooting``, what a wound does to a figure is ``counter``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pbem.core.odds import Tally
from pbem.core.play import Play
from pbem.core.problem import Problem
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.core.table import die_faces
from pbem.geometry.hex import hex_of, neighbours
from pbem.rulesets.siege.ground import counter, heights, terrain
from pbem.rulesets.siege.march import beasts
from pbem.rulesets.siege.state.events import Misfired, Rolled, reasons
from pbem.rulesets.siege.state.state import Battle, Unit

Rules = Ruleset[Battle]
WALLS: Final = (heights.BATTLEMENT, heights.TOWER, heights.KEEP)
IN_THE_WAY: Final = "line_of_fire.figure"
"""What bars a line, but only because somebody stands in it."""


# --- who is at risk, and the ban


@rule("S6.21c")
def beside(rules: Rules, battle: Battle, shooter: Unit, place: str) -> list[str]:
    """Return the shooter's own figures in the six hexes around a place that is shot at, on its level; by id,
    himself not among them.
    """
    found = (battle.units[id_] for id_ in battle.living_among(neighbours(hex_of(place))))
    own = [
        unit
        for unit in found
        if unit.side == shooter.side
        and unit.id != shooter.id
        and not unit.lurks
        and not beasts.is_animal(unit)
    ]
    return [unit.id for unit in own if any(_as_high(rules, battle, there, place) for there in unit.at)]


def _as_high(rules: Rules, battle: Battle, here: str, there: str) -> bool:
    return (
        hex_of(here) in neighbours(hex_of(there))
        and terrain.terrain_at(rules, battle, here).level == terrain.terrain_at(rules, battle, there).level
    )


@rule("S6.21a")
def ban_is_lifted(rules: Rules) -> bool:
    """Tell whether figures may shoot at enemies next to their own, at the risk of hitting those (option)."""
    return rules.setting("friendly_fire") == "errare_humanum_est"


def why_not(rules: Rules, battle: Battle, shooter: Unit, target: Unit, place: str) -> Problem | None:
    """Return why a target next to own figures cannot be shot at down from a wall or a platform, or by an
    option from anywhere.
    """
    if ban_is_lifted(rules):
        return None
    said = from_a_wall(rules, battle, shooter, place) or from_a_platform(rules, battle, shooter, place)
    if not said:
        return None
    friends = sorted(
        {friend for there in all_of_it(target, place) for friend in beside(rules, battle, shooter, there)}
    )
    if not friends:
        return None
    names = {"unit": shooter.id, "target": target.id, "friend": friends[0]}
    return Problem(
        "misfire.friend",
        names,
        rule=said,
        help="name a target that no figure of your own is next to, or add: or nearest",
    )


@rule("S1.44g", "S2.43b")
def all_of_it(target: Unit, place: str) -> tuple[str, ...]:
    """Return the places next to which no own figure may be: all of the target's, of a rider's two hexes both;
    else the one shot at.
    """
    return target.at if place in target.at else (place,)


@rule("S1.44g")
def from_a_wall(rules: Rules, battle: Battle, shooter: Unit, place: str) -> str:
    """Return the rule that forbids shots next to own figures: to who shoots down from battlements or arrow
    slits, by the option to all.
    """
    if rules.setting("friend_adjacent_ban_scope") == "all_shots":
        return "S1.44g"
    return "S1.44g" if _down_from(rules, battle, shooter, place, WALLS) else ""


@rule("S2.43b")
def from_a_platform(rules: Rules, battle: Battle, shooter: Unit, place: str) -> str:
    """Return the rule that forbids shots next to own figures to who shoots down from a siege tower; empty for
    all others.
    """
    return "S2.43b" if _down_from(rules, battle, shooter, place, (heights.PLATFORM,)) else ""


def _down_from(rules: Rules, battle: Battle, shooter: Unit, place: str, categories: Sequence[str]) -> bool:
    if not heights.matter(rules, battle) or heights.stands(rules, battle, shooter.at[0]) not in categories:
        return False
    return heights.level(rules, battle, place) < heights.level(rules, battle, shooter.at[0])


# --- the shot that goes astray


@rule("S6.21b")
def goes_astray(rules: Rules, effect: str) -> bool:
    """Tell whether a shot that came to nothing may still hit one of the own figures around its target
    (option).
    """
    return ban_is_lifted(rules) and effect == "none"


@rule("S6.21e")
def shielded(barred: Problem | None) -> bool:
    """Tell whether what bars the line to a figure is an obstacle that keeps it safe; who stands between is
    none.
    """
    return barred is not None and barred.code != IN_THE_WAY


@rule("S6.21g")
def tally(rules: Rules, battle: Battle, shooter: Unit, target: Unit, die: int) -> Tally:
    """Return the die of a misfire with what was added to that of the shot: a bad shot is worse for the own
    men too.
    """
    found = Tally(die, f"die {die}")
    for modifier in rules.modifiers["misfire"]:
        found = found.plus(modifier(rules, battle, shooter, target))
    return found


@rule("S6.21f")
def hits_a_friend(rules: Rules, row: int) -> bool:
    """Tell whether a figure is wounded: the table of misfires has it so from 8 on."""
    return _result(rules, row) == "friend_wounded"


def _result(rules: Rules, row: int) -> str:
    return next(
        str(entry["result"])
        for entry in rules.tables["misfire"]["rows"]
        if entry["die"][0] <= row <= entry["die"][1]
    )


@rule("S6.21d")
def drawn(play: Play[Battle], ids: Sequence[str], label: str) -> str:
    """Return which of several figures at risk is hit: drawn by lot, in the order of their ids."""
    if len(ids) == 1:
        return ids[0]
    die = play.roll(label, len(ids))[0]
    said = f"{ids[die - 1]} of {', '.join(ids)}"
    play.happen(
        Rolled(f"{play.cursor}/{label}", len(ids), (die,), "S6.21d", row=die, result=ids[die - 1], said=said)
    )
    return ids[die - 1]


def stray(
    rules: Rules, play: Play[Battle], shooter: Unit, target: Unit, at_risk: Sequence[str], label: str
) -> None:
    """Roll for a shot that missed next to own figures, and wound the one it hits, whatever weapon, armour or
    cover there is.
    """
    faces = die_faces(rules.tables["misfire"])
    die = play.roll(f"{label}/miss", faces)[0]
    sum_ = tally(rules, play.state, shooter, target, die)
    table, row = rules.tables["misfire"], sum_.total
    result = _result(rules, row)
    full, said, why = f"{play.cursor}/{label}/miss", str(table["key"][result]), reasons(sum_.modifiers)
    play.happen(Rolled(full, faces, (die,), "S6.21f", "misfire", "", sum_.said, why, row, result, said))
    hit = (drawn(play, at_risk, f"{label}/lot"),) if hits_a_friend(rules, row) else ()
    cause = play.happen(Misfired(shooter.id, target.id, hit, die, "S6.21b"))
    for id_ in hit:
        counter.hurt(rules, play, id_, "wounded", cause, "S6.21f")
