"""The sequence of play of The Anarchy, and how often who shoots in it.

The active side moves, the others shoot at it, then it shoots, then it fights. Where those who do not play
shoot is ``standing_fire``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from pbem.core.problem import Problem
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.core.sequence import ACTIVE, NOBODY, Phase, turn_by_turn
from pbem.rulesets.anarchy import spears
from pbem.rulesets.siege.ground.character import person
from pbem.rulesets.siege.state.family import Phases
from pbem.rulesets.siege.state.state import Battle, Unit

Rules = Ruleset[Battle]

SEQUENCE: Final = turn_by_turn(
    Phase("movement", "move", ACTIVE, "Movement"),
    Phase("defensive_fire", "", NOBODY, "Defensive fire"),
    Phase("offensive_fire", "shoot", ACTIVE, "Offensive fire"),
    Phase("melee", "fight", ACTIVE, "Melee"),
    Phase("recovery", "", NOBODY, "End of turn"),
)
MOVEMENT, DEFENSIVE, OFFENSIVE, MELEE, RECOVERY = (phase.id for phase in SEQUENCE.phases)

SHORT_BOW, LONG_BOW, CROSSBOW = "short_bow", "long_bow", "crossbow"
"""The rates of fire."""
SHOT, MOVED, MARCHED = "shot", "moved", "marched"
"""What a figure did since its side's player turn began; ``marched``: it went too far to draw a long bow."""


def marched(rules: Rules, battle: Battle) -> list[tuple[str, str]]:
    """Return who has gone too far in this movement to draw his long bow afterwards, by id."""
    rates: Mapping[str, Any] = rules.tables["ranges_and_modifiers"]["rates"]
    bows = (unit for unit in who_marched(rules, battle) if rates.get(weapon(rules, battle, unit)) == LONG_BOW)
    return [(unit.id, MARCHED) for unit in bows]


def who_marched(rules: Rules, battle: Battle) -> list[Unit]:
    """Return the able figures of the side that plays which have gone so far, whatever they bear, by id."""
    known = battle.asked[rules]
    if ("who-marched",) not in known:
        known["who-marched",] = [
            unit
            for _, unit in sorted(battle.units.items())
            if unit.side == battle.at.side and has_marched(rules, battle, unit) and unit.able
        ]
    found: list[Unit] = known["who-marched",]
    return found


@rule("A0.11")
def has_marched(rules: Rules, battle: Battle, unit: Unit) -> bool:
    """Tell whether a figure has spent more points since its player turn began than leave time to draw a long
    bow.
    """
    most: int = rules.tables["ranges_and_modifiers"]["points_before_a_long_bow"]
    return MARCHED in unit.did or battle.spent.get(unit.id, 0) > most


def weapon(rules: Rules, battle: Battle, unit: Unit) -> str:
    """Return the weapon by whose rate a figure shoots, or throws in an arc; empty for who has none."""
    who = person(battle, unit)
    if who.missile:
        return who.missile
    arcs: Mapping[str, Any] = rules.tables["ranges_and_modifiers"]["arcs"]
    for id_, row in arcs.items():
        if row["title"] == who.weapon:
            return id_
    return ""


# --- rates of fire: why a weapon is not shot now


def short_bow(rules: Rules, battle: Battle, unit: Unit) -> Problem | None:
    """It is shot in both phases, however far he went."""
    return None


def long_bow(rules: Rules, battle: Battle, unit: Unit) -> Problem | None:
    """It is shot in both phases if he did not move, in offensive fire alone if he did not go too far."""
    if has_marched(rules, battle, unit):
        most = rules.tables["ranges_and_modifiers"]["points_before_a_long_bow"]
        help_ = f"a move of {most} points at most"
        return Problem("rates.marched", _who(rules, battle, unit), rule="A0.11", help=help_)
    if MOVED in unit.did and battle.at.phase == DEFENSIVE:
        return Problem("rates.moved", _who(rules, battle, unit), rule="A0.11")
    return None


def crossbow(rules: Rules, battle: Battle, unit: Unit) -> Problem | None:
    """It is shot once, in either phase, if he did not move."""
    if MOVED in unit.did:
        return Problem("rates.moved", _who(rules, battle, unit), rule="A0.11")
    if SHOT in unit.did:
        return Problem("rates.shot", _who(rules, battle, unit), rule="A0.11")
    return None


def spear(rules: Rules, battle: Battle, unit: Unit) -> Problem | None:
    """It is thrown once, in offensive fire, however far he went."""
    return spears.gone(unit) or (spears.not_yet(unit) if battle.at.phase == DEFENSIVE else None)


RATES: Final[Mapping[str, Callable[[Rules, Battle, Unit], Problem | None]]] = {
    SHORT_BOW: short_bow,
    LONG_BOW: long_bow,
    CROSSBOW: crossbow,
    spears.SPEAR: spear,
}
"""Rate, as the table names it -> why somebody whose weapon has it does not shoot now."""


@rule("A0.11")
def keeps_the_rate(rules: Rules, battle: Battle, unit: Unit) -> Problem | None:
    """Return why a figure has moved or shot too much since its player turn began to shoot now; None if it has
    not.
    """
    rates: Mapping[str, Any] = rules.tables["ranges_and_modifiers"]["rates"]
    return RATES[rates[weapon(rules, battle, unit)]](rules, battle, unit)


def _who(rules: Rules, battle: Battle, unit: Unit) -> dict[str, str | int]:
    return {"unit": unit.id, "weapon": weapon(rules, battle, unit).replace("_", " ")}


PHASES: Final = Phases(
    {DEFENSIVE: keeps_the_rate, OFFENSIVE: keeps_the_rate},
    moves=MOVEMENT,
    fights=MELEE,
    of_others=frozenset({DEFENSIVE}),
    noted=marched,
)
