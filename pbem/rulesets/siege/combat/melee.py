"""Melee: the attacks of a phase one after the other, the die of each, and what its result does.

Who may attack whom is ``may_attack``, at which odds and in which column ``melee_odds``. Where beaten figures
go is ``retreat``, where victors go is ``advance``. What a wound does to a figure is ``counter``, to a rider
``thrown``; what is different where an animal is attacked stands in ``beasts``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from types import MappingProxyType

from msgspec import Struct

from pbem.core.play import Play
from pbem.core.problem import Problem
from pbem.core.rule import rule
from pbem.core.ruleset import Files, Ruleset
from pbem.core.table import Grid
from pbem.rulesets.siege.combat import may_attack, melee_odds
from pbem.rulesets.siege.march import beasts
from pbem.rulesets.siege.march.thrown import Fate
from pbem.rulesets.siege.orders import carry_out, choices
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state.events import Fought, OrderSkipped, Rolled, reasons
from pbem.rulesets.siege.state.orders import Attack
from pbem.rulesets.siege.state.state import Battle, Unit

Rules = Ruleset[Battle]


@rule("S1.7h")
def result(table: Grid, die: int, heading: str) -> str:
    """Return the result code in the row of the die."""
    return table.cell(die, heading)


# --- the phase


def check_attack(rules: Rules, battle: Battle, seat: str, order: Attack) -> Iterator[Problem]:
    """Yield what is wrong with an attack where everybody stands now."""
    attackers, defenders = battle.those(order.who), battle.those(order.at)
    problem = may_attack.why_not(rules, battle, attackers, defenders) or too_weak(
        rules, battle, attackers, defenders, order.least
    )
    if problem:
        yield problem


def too_weak(
    rules: Rules, battle: Battle, attackers: Sequence[Unit], defenders: Sequence[Unit], least: int
) -> Problem | None:
    """Return why an attack with a demand such as ``at least 2:1`` is not made; None if it is."""
    if not least:
        return None
    policy = family.of(rules).melee
    raw = policy.odds(*melee_odds.force(rules, battle, attackers, defenders))
    if raw >= least:
        return None
    names = {
        "odds": policy.written(raw),
        "least": policy.written(least),
        "attackers": may_attack.named(attackers),
    }
    return Problem("melee.below-demand", names, rule="S1.7b")


@rule("S1.7b", "S1.7l")
def resolve(
    rules: Rules, play: Play[Battle], files: Files, also: carry_out.Doers = MappingProxyType({})
) -> None:
    """Make the attacks that were ordered, and no others, one after the other in the order of their lines;
    ``also``: what else is done.
    """
    met: dict[str, int] = {}
    attack = partial(_attack, met)
    carry_out.carry_out(rules, play, files, play.state.at.phase, {Attack: attack, **also})


def _attack(
    met: dict[str, int], rules: Rules, play: Play[Battle], seat: str, order: Attack
) -> Problem | None:
    """Resolve one line: those who still can attack those who are still there."""
    battle = play.state
    attackers, defenders = battle.those(order.who), battle.those(order.at)
    wrong: dict[tuple[str, str], Problem] = {}
    for a in attackers:
        for d in defenders:
            if problem := may_attack.pair_why_not(rules, battle, a, d):
                wrong[a.id, d.id] = problem
    able, reachable = attackers, defenders
    if wrong:
        reachable = chosen_targets(attackers, defenders, wrong)
        able = [a for a in attackers if reachable and all((a.id, d.id) not in wrong for d in reachable)]
    if not able:
        return next(iter(wrong.values()))
    problem = may_attack.group_why_not(rules, battle, able, reachable) or too_weak(
        rules, battle, able, reachable, order.least
    )
    if problem:
        return problem
    for lost in [a for a in attackers if a not in able] if wrong else ():
        why = next(found for (who, _), found in wrong.items() if who == lost.id)
        play.happen(
            OrderSkipped(
                seat,
                "",
                f"{lost.id} attacks {may_attack.named(reachable)}",
                why.code,
                why.rule,
                dict(why.args),
            )
        )
    first = min(_ids(reachable))
    met[first] = met.get(first, 0) + 1
    fight(rules, play, able, reachable, f"fight/{first}/{met[first]}")
    return None


@rule("S1.72a")
def chosen_targets(
    attackers: Sequence[Unit], defenders: Sequence[Unit], wrong: Mapping[tuple[str, str], Problem]
) -> list[Unit]:
    """Return the ordered targets that are still there for somebody: all together, a subset, or one, as the
    order says.
    """
    return [d for d in defenders if any((a.id, d.id) not in wrong for a in attackers)]


@rule("S1.72f")
def fight(
    rules: Rules, play: Play[Battle], attackers: Sequence[Unit], defenders: Sequence[Unit], label: str
) -> None:
    """Resolve one combat whole, with its retreats and its advance, before the next is begun."""
    battle, policy = play.state, family.of(rules).melee
    of = melee_odds.combat(rules, battle, attackers, defenders)
    faces = of.table.faces
    die = play.roll(label, faces)[0]
    added = melee_odds.die_of(rules, battle, defenders, die)
    row = melee_odds.row(of.table, added)
    code = result(of.table, row, of.heading)
    meaning = of.table.key[code]

    rolled = f"{play.cursor}/{label}"
    play.happen(
        Rolled(
            rolled,
            faces,
            (die,),
            "S1.7h",
            of.table.name,
            of.heading,
            of.tally.said,
            reasons((*of.tally.modifiers, *added.modifiers)),
            row,
            code,
            meaning["text"],
        )
    )

    strikers, struck = _ids(attackers), _ids(defenders)
    cause = play.happen(Fought(strikers, struck, of.attack, of.defence, of.odds, of.heading, die, code))
    for follow in family.here(rules, play.state).follows.get("combat", ()):
        follow(rules, play, [*attackers, *defenders], cause)

    theirs = meaning["attacker"]
    for spares in policy.spares:
        theirs = spares(theirs, defenders)

    by_attackers = _suffer(rules, play, attackers, Blow(theirs), struck, cause)
    by_defenders = _suffer(rules, play, defenders, blow(meaning), strikers, cause)

    if by_attackers:
        policy.advance(rules, play, beasts.who_acts(battle, defenders), by_attackers, cause, label)
    if by_defenders:
        policy.advance(rules, play, beasts.who_acts(battle, attackers), by_defenders, cause, label)


class Blow(Struct, frozen=True):
    """What a result does to one side: ``none``, ``retreat`` of all, or one is stunned, wounded or killed; and
    what to his horse.
    """

    figure: str
    horse: str = "none"
    thrown: bool = False
    animal: str = "none"
    """What it does to an animal that was itself attacked."""


def blow(meaning: Mapping[str, str]) -> Blow:
    """Return what a line of the key of either table does to the defenders."""
    if "defender" in meaning:
        effect = meaning["defender"]
        return Blow(effect, animal="killed" if effect == "killed" else "none")
    figure = "retreat" if meaning["unit"] == "retreat" else meaning["rider"]
    return Blow(figure, meaning["horse"], meaning["thrown"] == "True", meaning["horse"])


def _suffer(
    rules: Rules, play: Play[Battle], side: Sequence[Unit], blow: Blow, foes: Sequence[str], cause: int
) -> list[str]:
    """Let a result happen to one side; return the hexes that it left, or in which somebody died and nobody
    stands.
    """
    if blow.figure == "retreat":
        beaten = beasts.who_acts(play.state, side)
        return family.of(rules).melee.retreat(rules, play, beaten, foes, cause)
    if (blow.figure, blow.horse) == ("none", "none"):
        return []
    takes = who_takes_a_death if "killed" in (blow.figure, blow.horse) else who_takes_it
    return _strike(rules, play, takes(rules, play, _ids(side), blow.figure), blow, cause)


def _strike(rules: Rules, play: Play[Battle], victim: str, blow: Blow, cause: int) -> list[str]:
    unit = play.state.units[victim]
    horse = blow.animal if beasts.spares_the_rider(unit) else blow.horse
    family.of(rules).melee.hurt(rules, play, unit, Fate(blow.figure, horse, blow.thrown), cause, "S1.7h")
    return beasts.left_by(play.state, unit.at, [victim, unit.on or victim])


@rule("S1.72g")
def who_takes_it(rules: Rules, play: Play[Battle], side: Sequence[str], effect: str) -> str:
    """Return the one of several whom a stun or a wound hits: his side's owner chooses, the weakest by
    default.
    """
    return _victim(rules, play, side, effect, "S1.72g")


@rule("S1.72n")
def who_takes_a_death(rules: Rules, play: Play[Battle], side: Sequence[str], effect: str) -> str:
    """Return the one of several whom a result kills: chosen as for a wound."""
    return _victim(rules, play, side, effect, "S1.72n")


def _victim(rules: Rules, play: Play[Battle], side: Sequence[str], effect: str, rule_id: str) -> str:
    if len(side) == 1:
        return side[0]
    ranked = choices.weakest_first(rules, play.state, side)
    return choices.pick(
        rules,
        play,
        about="wound",
        unit=ranked[0],
        choices=ranked,
        default=ranked[0],
        rule=rule_id,
        why=f"one of {', '.join(ranked)} is {effect}",
        wanted=choices.by_strength(rules, play.state, side),
    )


def _ids(units: Sequence[Unit]) -> tuple[str, ...]:
    return tuple([unit.id for unit in units])
