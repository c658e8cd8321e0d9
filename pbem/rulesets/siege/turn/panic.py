"""Panic and rout: whom fear can seize, what he may not do then, what it gives those who attack him, and who
brings him round.

How fear spreads after a death, and where those run whom it seizes, is ``flight``. Without the option nobody
ever has a mood.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.core.odds import Modifier
from pbem.core.problem import Problem
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import around, distance, hex_of, neighbours
from pbem.rulesets.siege.ground import garrison
from pbem.rulesets.siege.ground.character import person
from pbem.rulesets.siege.state.state import Battle, Unit

Rules = Ruleset[Battle]
PANIC, ROUT = "panic", "rout"
KNIGHT = "knight"


# --- whom it can seize


@rule("S6.1b")
def group(battle: Battle, unit: Unit) -> str:
    """Return which of the three groups somebody belongs to: ``knight``, ``soldier`` or ``peasant``, who are
    the civilians too.
    """
    return person(battle, unit).panic_group


@rule("S6.1c")
def fearless(group: str) -> bool:
    """Tell whether those of a group never panic: the knights, who have no row in the table of whose death
    moves whom.
    """
    return group == KNIGHT


@rule("S6.1f")
def own_death(battle: Battle, dead: Unit, unit: Unit) -> bool:
    """Tell whether it was a man of the figure's own side who died: the deaths of others leave it cold, and so
    do those of beasts.

    Bystanders who are on no side are a side of their own in this.
    """
    aside = battle.field.bystanders
    return dead.kind == "man" and dead.side == unit.side and (dead.id in aside) == (unit.id in aside)


@rule("S6.1x")
def behind_walls(rules: Rules, battle: Battle, unit: Unit) -> bool:
    """Tell whether a figure defends the castle it is in, which lets it neither panic nor rout, unless the
    option takes that from it.
    """
    return rules.setting("castle_defenders_immune_to_panic") == "true" and garrison.defends(battle, unit)


def at_risk(rules: Rules, battle: Battle, dead: Unit, unit: Unit) -> bool:
    """Tell whether a death may seize a figure with fear: of its own side, near enough, and of a rank that it
    looks to.

    Who lies stunned sees nothing of it, and who is in rout already cannot be worse.
    """
    table = rules.tables["panic"]
    if (
        not unit.able
        or unit.kind != "man"
        or unit.mood == ROUT
        or not own_death(battle, dead, unit)
        or behind_walls(rules, battle, unit)
    ):
        return False
    if min(distance(here, there) for here in dead.hexes for there in unit.hexes) > table["radius"]:
        return False
    of = group(battle, unit)
    return not fearless(of) and group(battle, dead) in table["affected_by"][of]


# --- enemies


def is_feared(battle: Battle, unit: Unit, other: Unit) -> bool:
    """Tell whether a figure runs from another: an enemy, or for a bystander anybody who is of a side; no
    animal.
    """
    armed = battle.foes(unit, other) or (not battle.allegiance(unit) and bool(battle.allegiance(other)))
    return armed and other.living and other.kind == "man"


def foes(battle: Battle, unit: Unit) -> Iterator[Unit]:
    """Yield those a figure runs from."""
    for other in battle.units.values():
        if is_feared(battle, unit, other):
            yield other


def nearest(battle: Battle, unit: Unit, hexes: Sequence[str]) -> int:
    """Return how many hexes the nearest enemy is away from some hexes; more than any map is wide if there is
    none.
    """
    return min(
        (distance(here, there) for foe in foes(battle, unit) for there in foe.hexes for here in hexes),
        default=200,
    )


# --- what fear forbids


@rule("S6.1p")
def fear_bars(rules: Rules, battle: Battle, unit: Unit, there: str) -> Problem | None:
    """Return why a figure in panic does not go to a hex: a living enemy is next to it. None if it may."""
    if not unit.mood:
        return None
    for beside in neighbours(hex_of(there)):
        for id_ in battle.living_in.get(beside, ()):
            if is_feared(battle, unit, battle.units[id_]):
                names = {"unit": unit.id, "hex": there, "enemy": id_}
                return Problem(
                    "panic.beside-enemy", names, rule="S6.1p", help="he may go where no enemy is next to him"
                )
    return None


def no_orders(unit: Unit) -> Problem | None:
    """Return why a figure takes no orders: it is in rout, and runs by itself.

    None if it does; who is only in panic does.
    """
    if unit.mood != ROUT:
        return None
    help_ = "a knight or sergeant of his side next to him at the end of a movement phase brings him round"
    return Problem("panic.rout", {"unit": unit.id}, rule="S6.1u", help=help_)


# --- attacks on him


@rule("S6.1q")
def against_the_afraid(
    rules: Rules, battle: Battle, attackers: Sequence[Unit], defenders: Sequence[Unit]
) -> Modifier | None:
    """Return the column to the right that attackers gain where all whom they attack are in panic or rout."""
    return (
        Modifier("S6.1q", "in panic", rules.tables["panic"]["defender_shift"])
        if all_afraid(defenders)
        else None
    )


def all_afraid(defenders: Sequence[Unit]) -> bool:
    """Tell whether all who are attacked together are in panic or rout: one steady man is enough to stand by
    the others.
    """
    steady = [unit for unit in defenders if not unit.mood]
    return not steady


@rule("S6.1q")
def on_attackers(effect: str, defenders: Sequence[Unit]) -> str:
    """Return what a result does to those who attacked: nothing where all whom they attacked are in panic or
    rout.
    """
    return "none" if all_afraid(defenders) else effect


# --- what ends it


def leads(rules: Rules, battle: Battle, unit: Unit) -> bool:
    """Tell whether somebody can bring others round: a knight or sergeant on his feet who is not afraid
    himself.
    """
    who, leaders = person(battle, unit), rules.tables["panic"]["end_panic"]["leader_adjacent"]
    return unit.able and not unit.mood and (who.panic_group in leaders or who.class_ in leaders)


def leader_beside(rules: Rules, battle: Battle, unit: Unit) -> bool:
    """Tell whether somebody of the figure's own side who can bring it round stands next to it."""
    near = (battle.units[id_] for id_ in battle.living_among(around(unit.hexes)))
    own = (
        other for other in near if other.id != unit.id and battle.allegiance(other) == battle.allegiance(unit)
    )
    return any(leads(rules, battle, other) for other in own)


@rule("S6.1r")
def is_steadied(rules: Rules, battle: Battle, unit: Unit) -> bool:
    """Tell whether panic ends because a knight or sergeant of the own side stands in one of the six hexes
    around.
    """
    return unit.mood == PANIC and leader_beside(rules, battle, unit)


@rule("S6.1s")
def is_far(rules: Rules, battle: Battle, unit: Unit) -> bool:
    """Tell whether panic ends because the nearest enemy is six hexes away or more."""
    return (
        unit.mood == PANIC
        and nearest(battle, unit, unit.hexes) >= rules.tables["panic"]["end_panic"]["enemy_distance"]
    )


@rule("S6.1v")
def is_rallied(rules: Rules, battle: Battle, unit: Unit) -> bool:
    """Tell whether rout ends because a knight or sergeant of the own side is next to the figure; asked when a
    movement phase ends.
    """
    return unit.mood == ROUT and leader_beside(rules, battle, unit)


@rule("S6.1y")
def fled(unit: Unit) -> Problem | None:
    """Return why a figure does not come back to the map: it ran off it in panic or rout.

    None if it did not.
    """
    return Problem("panic.fled", {"unit": unit.id}, rule="S6.1y") if unit.left and unit.mood else None
