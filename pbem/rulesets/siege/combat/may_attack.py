"""Who may attack whom in melee, one against one and several together, and why not.

The lists ``BARS`` and ``GROUPS`` are put into force by ``ruleset``, together with what walls and things add
to them; an attack that is refused is told the first of its reasons.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pbem.core.problem import Problem
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import touching
from pbem.rulesets.siege.combat import melee_odds
from pbem.rulesets.siege.ground import elevation, terrain
from pbem.rulesets.siege.ground.character import spared
from pbem.rulesets.siege.march import beasts, step
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state.state import DEAD, STUNNED, Battle, Unit

Rules = Ruleset[Battle]


# --- who may fight whom


def of_an_animal(rules: Rules, battle: Battle, attacker: Unit, defender: Unit) -> Problem | None:
    """Return that animals attack nobody; None of a figure."""
    if not beasts.is_animal(attacker):
        return None
    return Problem(
        "melee.animal",
        _both(attacker, defender),
        rule="CH0.2m",
        help=f"{defender.id} can be attacked by figures only",
    )


@rule("S1.7k")
def too_dazed(rules: Rules, battle: Battle, attacker: Unit, defender: Unit) -> Problem | None:
    """Return that who lies stunned does not attack; attacked he can be, at the low defence of his stunned
    side.
    """
    return (
        Problem("melee.stunned", _both(attacker, defender), rule="S1.7k")
        if attacker.state == STUNNED
        else None
    )


def not_his_time(rules: Rules, battle: Battle, attacker: Unit, defender: Unit) -> Problem | None:
    """Return why a figure attacks nobody now; None if it is its time."""
    for fit in family.here(rules, battle).melee.fit:
        if problem := fit(rules, battle, attacker):
            return problem
    return None


def off_the_map(rules: Rules, battle: Battle, attacker: Unit, defender: Unit) -> Problem | None:
    """Return that who is not on the map attacks nobody."""
    return None if attacker.at else Problem("melee.off-map", _both(attacker, defender), rule="S1.7a")


@rule("S1.7j")
def has_attacked(rules: Rules, battle: Battle, attacker: Unit, defender: Unit) -> Problem | None:
    """Return that a figure has made its one attack of this phase; how often it is attacked is not limited."""
    return (
        Problem("melee.again", _both(attacker, defender), rule="S1.7j") if "fought" in attacker.did else None
    )


def no_enemy(rules: Rules, battle: Battle, attacker: Unit, defender: Unit) -> Problem | None:
    """Return that a bystander or a friend is not attacked, nor who is dead or gone; None of an enemy who is
    there.
    """
    if not battle.foes(attacker, defender):
        if spared(battle, defender):
            return Problem(
                "melee.bystander",
                _both(attacker, defender),
                rule="CH0.1m",
                help=f"{attacker.id} leads {defender.id} to HEX",
            )
        return Problem("melee.friend", _both(attacker, defender), rule="S1.7a")
    if battle.unseen(defender):
        return Problem("melee.unseen", _both(attacker, defender))
    if not defender.living:
        names = {**_both(attacker, defender), "state": defender.state if defender.state == DEAD else "gone"}
        return Problem("melee.target-gone", names, rule="S1.7a")
    return None


@rule("S1.7a")
def apart(rules: Rules, battle: Battle, attacker: Unit, defender: Unit) -> Problem | None:
    """Return that two figures do not stand in adjacent hexes; None if they do."""
    if touching(attacker.at, defender.at):
        return None
    where = {**_both(attacker, defender), "here": " ".join(attacker.at), "there": " ".join(defender.at)}
    return Problem("melee.not-adjacent", where, rule="S1.7a")


@family.where(lambda field: bool(field.features_between))
@rule("S1.74a")
def wall_between(rules: Rules, battle: Battle, attacker: Unit, defender: Unit) -> Problem | None:
    """Return that a wall, or an opening nobody fights through, stands between two adjacent figures, and
    nothing leads over it.
    """
    for here, there in touching(attacker.at, defender.at):
        if not terrain.melee_barred(rules, battle, here, there) or any(
            across(rules, battle, here, there) for across in family.here(rules, battle).melee.across
        ):
            return None
    return Problem("melee.wall", _both(attacker, defender), rule="S1.74a")


@family.where(lambda field: not field.level, bare=True)
@rule("S1.74d")
def levels_apart(rules: Rules, battle: Battle, attacker: Unit, defender: Unit) -> Problem | None:
    """Return that the chart of levels keeps two figures from fighting: of all their hexes that touch, none
    lets them.
    """
    ways = touching(attacker.at, defender.at)
    for here, there in ways:
        if elevation.lets_fight(rules, battle, here, there):
            return None
    if not ways:
        return None
    return Problem(
        "melee.levels",
        _both(attacker, defender),
        rule="S1.74d",
        help="stairs, doorways and rubble join two levels",
    )


@rule("S1.74b")
def no_way_in(rules: Rules, battle: Battle, attacker: Unit, defender: Unit) -> Problem | None:
    """Return that the attacker could not enter the defender's hex from where he stands, were it empty; points
    do not matter.
    """
    for here in attacker.at:
        for there in defender.at:
            if step.can_pass(rules, battle, attacker, here, there):
                return None
    return Problem("melee.no-way-in", _both(attacker, defender), rule="S1.74b")


def pair_why_not(rules: Rules, battle: Battle, attacker: Unit, defender: Unit) -> Problem | None:
    """Return why one figure cannot attack another where they are now; None if it can."""
    for bars in family.here(rules, battle).melee.bars:
        if problem := bars(rules, battle, attacker, defender):
            return problem
    return None


def why_not(
    rules: Rules, battle: Battle, attackers: Sequence[Unit], defenders: Sequence[Unit]
) -> Problem | None:
    """Return why these cannot attack those together; None if they can."""
    for attacker in attackers:
        for defender in defenders:
            if problem := pair_why_not(rules, battle, attacker, defender):
                return problem
    return group_why_not(rules, battle, attackers, defenders)


def group_why_not(
    rules: Rules, battle: Battle, attackers: Sequence[Unit], defenders: Sequence[Unit]
) -> Problem | None:
    """Return why these, each of whom could attack each of those, do not attack them together; None if they
    do.
    """
    for asked in family.of(rules).melee.groups:
        if problem := asked(rules, battle, attackers, defenders):
            return problem
    return None


@rule("S1.72l")
def too_many(
    rules: Rules, battle: Battle, attackers: Sequence[Unit], defenders: Sequence[Unit]
) -> Problem | None:
    """Return why several against several is refused, unless the option allows it where everybody is next to
    everybody.
    """
    if (
        len(attackers) == 1
        or len(defenders) == 1
        or rules.setting("multi_vs_multi") == "allow_if_all_adjacent"
    ):
        return None
    names = {"attackers": named(attackers), "defenders": named(defenders)}
    return Problem(
        "melee.many-on-many", names, rule="S1.72l", help="make it separate attacks, one line for each"
    )


def rider_and_horse(
    rules: Rules, battle: Battle, attackers: Sequence[Unit], defenders: Sequence[Unit]
) -> Problem | None:
    """Return that a rider and the horse under him are not attacked in one combat; None if no such two are."""
    for unit in defenders:
        if unit.on and any(other.id == unit.on for other in defenders):
            names = {"unit": unit.id, "horse": unit.on}
            return Problem(
                "melee.rider-and-horse", names, rule="S3.35c", help=f"attack {unit.id}, or {unit.on} alone"
            )
    return None


@rule("S1.72m")
def two_tables(
    rules: Rules, battle: Battle, attackers: Sequence[Unit], defenders: Sequence[Unit]
) -> Problem | None:
    """Return why mounted figures and figures on foot cannot be attacked in one combat, unless the option says
    which table is read.
    """
    if len(defenders) == 1:
        return None
    riders = [unit for unit in defenders if beasts.as_mounted(unit)]
    if not riders or len(riders) == len(defenders) or rules.setting("mixed_defender_group") != "reject":
        return None
    afoot = [unit for unit in defenders if unit not in riders]
    return Problem(
        "melee.mixed",
        {"riders": named(riders), "others": named(afoot)},
        rule="S1.72m",
        help="make it two attacks",
    )


@rule("S1.7g")
def below_one(
    rules: Rules, battle: Battle, attackers: Sequence[Unit], defenders: Sequence[Unit]
) -> Problem | None:
    """Return why an attack at odds below 1:1 is impossible, unless the option resolves it in the first
    column.
    """
    attack, defence = melee_odds.force(rules, battle, attackers, defenders)
    if attack >= defence or rules.setting("odds_below_one") == "treat_as_1_1":
        return None
    names: dict[str, str | int] = {"attackers": named(attackers), "defenders": named(defenders)}
    names.update(attack=attack, defence=defence)
    return Problem(
        "melee.odds", names, rule="S1.7g", help=f"attack with more figures: at least {defence} are needed"
    )


def shifted_out(
    rules: Rules, battle: Battle, attackers: Sequence[Unit], defenders: Sequence[Unit]
) -> Problem | None:
    """Return that an attack which terrain shifts below the first column is impossible (option; S1.71c stops
    it there).
    """
    if rules.setting("odds_shift_floor") != "attack_impossible":
        return None
    if melee_odds.combat(rules, battle, attackers, defenders).tally.total >= 1:
        return None
    return Problem(
        "melee.shifted-out", {"attackers": named(attackers), "defenders": named(defenders)}, rule="S1.71c"
    )


def named(units: Sequence[Unit]) -> str:
    """Return the ids of some figures as a sentence has them."""
    return ", ".join(unit.id for unit in units)


def _both(attacker: Unit, defender: Unit) -> dict[str, str | int]:
    return {"unit": attacker.id, "target": defender.id}


BARS: Final = (of_an_animal, too_dazed, not_his_time, off_the_map, has_attacked, no_enemy)
"""Why one figure does not attack another, wherever the two stand; what things and walls make of it is listed
in ``ruleset``.
"""
GROUPS: Final = (too_many, rider_and_horse, two_tables, below_one, shifted_out)
"""Why these do not attack those together, in the order in which it is told."""
