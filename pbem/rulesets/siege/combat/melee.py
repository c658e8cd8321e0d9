"""Melee: who may fight whom, at which odds, in which column, and what the result does.

Where beaten figures go is ``retreat``, where victors go is ``advance``. What a wound does to a figure is
``counter``, to a rider
``thrown``; what is different where an animal is attacked stands in ``beasts``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from pbem.core.odds import Modifier, Tally
from pbem.core.play import Play
from pbem.core.problem import Problem
from pbem.core.rule import rule
from pbem.core.ruleset import Files, Ruleset
from pbem.core.table import Grid
from pbem.geometry.hex import hex_of, side_between
from pbem.rulesets.siege.ground import elevation, terrain
from pbem.rulesets.siege.ground.character import spared, values
from pbem.rulesets.siege.march import beasts, step
from pbem.rulesets.siege.march.thrown import Fate
from pbem.rulesets.siege.orders import carry, choices
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state.events import Fought, OrderSkipped, Reason, Rolled
from pbem.rulesets.siege.state.orders import Attack
from pbem.rulesets.siege.state.state import DEAD, STUNNED, Battle, Unit

Rules = Ruleset[Battle]
SIGNS = {"+": 1, "0": 0, "-": -1}


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
    for fit in family.of(rules).melee.fit:
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
    if spared(battle, defender):
        return Problem(
            "melee.bystander",
            _both(attacker, defender),
            rule="CH0.1m",
            help=f"{attacker.id} leads {defender.id} to HEX",
        )
    if not battle.foes(attacker, defender):
        return Problem("melee.friend", _both(attacker, defender), rule="S1.7a")
    if not defender.living:
        names = {**_both(attacker, defender), "state": defender.state if defender.state == DEAD else "gone"}
        return Problem("melee.target-gone", names, rule="S1.7a")
    return None


@rule("S1.7a")
def apart(rules: Rules, battle: Battle, attacker: Unit, defender: Unit) -> Problem | None:
    """Return that two figures do not stand in adjacent hexes; None if they do."""
    if any(side_between(a, b) is not None for a in attacker.hexes for b in defender.hexes):
        return None
    where = {**_both(attacker, defender), "here": " ".join(attacker.at), "there": " ".join(defender.at)}
    return Problem("melee.not-adjacent", where, rule="S1.7a")


@rule("S1.74a")
def wall_between(rules: Rules, battle: Battle, attacker: Unit, defender: Unit) -> Problem | None:
    """Return that a wall, or an opening nobody fights through, stands between two adjacent figures, and
    nothing leads over it.
    """
    over = family.of(rules).melee.across
    for here, there in _touching(attacker, defender):
        if not terrain.melee_barred(rules, battle, here, there) or any(
            across(rules, battle, here, there) for across in over
        ):
            return None
    return Problem("melee.wall", _both(attacker, defender), rule="S1.74a")


@rule("S1.74d")
def levels_apart(rules: Rules, battle: Battle, attacker: Unit, defender: Unit) -> Problem | None:
    """Return that the chart of levels keeps two figures from fighting: of all their hexes that touch, none
    lets them.
    """
    ways = _touching(attacker, defender)
    if not ways or any(elevation.lets_fight(rules, battle, here, there) for here, there in ways):
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
    if any(
        step.can_pass(rules, battle, attacker, here, there) for here in attacker.at for there in defender.at
    ):
        return None
    return Problem("melee.no-way-in", _both(attacker, defender), rule="S1.74b")


def pair_why_not(rules: Rules, battle: Battle, attacker: Unit, defender: Unit) -> Problem | None:
    """Return why one figure cannot attack another where they are now; None if it can."""
    for bars in family.of(rules).melee.bars:
        if problem := bars(rules, battle, attacker, defender):
            return problem
    return None


def why_not(
    rules: Rules, battle: Battle, attackers: Sequence[Unit], defenders: Sequence[Unit]
) -> Problem | None:
    """Return why these cannot attack those together; None if they can."""
    pairs = ((attacker, defender) for attacker in attackers for defender in defenders)
    alone = next((problem for pair in pairs if (problem := pair_why_not(rules, battle, *pair))), None)
    return alone or group_why_not(rules, battle, attackers, defenders)


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
    names = {"attackers": _names(attackers), "defenders": _names(defenders)}
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
    riders = [unit for unit in defenders if beasts.as_mounted(unit)]
    if not riders or len(riders) == len(defenders) or rules.setting("mixed_defender_group") != "reject":
        return None
    afoot = [unit for unit in defenders if unit not in riders]
    return Problem(
        "melee.mixed",
        {"riders": _names(riders), "others": _names(afoot)},
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
    attack, defence = force(rules, battle, attackers, defenders)
    if attack >= defence or rules.setting("odds_below_one") == "treat_as_1_1":
        return None
    names: dict[str, str | int] = {"attackers": _names(attackers), "defenders": _names(defenders)}
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
    if family.of(rules).melee.tally(rules, battle, attackers, defenders).total >= 1:
        return None
    return Problem(
        "melee.shifted-out", {"attackers": _names(attackers), "defenders": _names(defenders)}, rule="S1.71c"
    )


# --- what any melee comes to, by the policies in force


@dataclass(frozen=True, slots=True)
class Combat:
    """What some figures have against others: both strengths, the odds and what shifts them, and the column of
    which table is read.
    """

    attack: int
    defence: int
    odds: str
    """As players write them, before anything shifts them."""
    tally: Tally
    table: Grid
    heading: str


def force(
    rules: Rules, battle: Battle, attackers: Sequence[Unit], defenders: Sequence[Unit]
) -> tuple[int, int]:
    """Return what attackers bring up, and what defenders set against it."""
    policy = family.of(rules).melee
    return policy.strength(rules, battle, attackers), policy.resistance(rules, battle, defenders)


def combat(rules: Rules, battle: Battle, attackers: Sequence[Unit], defenders: Sequence[Unit]) -> Combat:
    """Return what an attack of these on those comes to before the die."""
    policy = family.of(rules).melee
    attack, defence = force(rules, battle, attackers, defenders)
    table, sum_ = policy.table(rules, defenders), policy.tally(rules, battle, attackers, defenders)
    return Combat(
        attack,
        defence,
        policy.written(policy.odds(attack, defence)),
        sum_,
        table,
        policy.column(table, sum_.total),
    )


# --- odds and column


@rule("S1.72c")
def strength(rules: Rules, battle: Battle, attackers: Sequence[Unit]) -> int:
    """Return the attack strengths of all attackers, added up."""
    return sum(values(rules, battle, unit).attack for unit in attackers)


@rule("S1.72b")
def resistance(rules: Rules, battle: Battle, defenders: Sequence[Unit]) -> int:
    """Return the defence strengths of all defenders, added up."""
    return sum(values(rules, battle, beasts.figure(battle, unit)).defence for unit in defenders)


@rule("S1.7c", "S1.7f")
def odds(attack: int, defence: int) -> int:
    """Return N of the odds N:1: attack divided by defence, fractions dropped in the defender's favour; 0
    below 1:1.
    """
    return attack // defence


def written(odds: int) -> str:
    """Return odds as players read and write them."""
    return f"{odds}:1"


@rule("S1.71a", "CH12.2c")
def ground(
    rules: Rules, battle: Battle, attackers: Sequence[Unit], defenders: Sequence[Unit]
) -> Modifier | None:
    """Return the shift that the terrain under both sides gives."""
    theirs = least_good([sign_of_attacker(rules, battle, unit, defenders) for unit in attackers])
    ours = best_defence([terrain.melee_sign(rules, battle, unit, False) for unit in defenders])
    shift = difference(rules, theirs, ours)
    return Modifier("S1.71b", f"terrain {theirs} against {ours}", shift) if shift else None


def sign_of_attacker(rules: Rules, battle: Battle, unit: Unit, defenders: Sequence[Unit]) -> str:
    """Return the sign of the ground from which a figure attacks some others."""
    return (
        "-"
        if before_the_keep(rules, battle, unit, defenders)
        else terrain.melee_sign(rules, battle, unit, True)
    )


@rule("S1.75a")
def before_the_keep(rules: Rules, battle: Battle, attacker: Unit, defenders: Sequence[Unit]) -> bool:
    """Tell whether a figure attacks from outside somebody in the entrance of the keep, as
    if from bad ground.
    """
    grounds = [terrain.terrain_at(rules, battle, place) for place in attacker.at]
    outside = not any(ground.floor == "keep" or ground.opening == "keep" for ground in grounds)
    return outside and any(
        terrain.terrain_at(rules, battle, place).opening == "keep" for unit in defenders for place in unit.at
    )


@rule("S1.72i")
def least_good(signs: Sequence[str]) -> str:
    """Return the sign that counts for attackers on different terrain: the least favourable to them."""
    return min(signs, key=lambda sign: SIGNS[sign])


@rule("S1.72k")
def best_defence(signs: Sequence[str]) -> str:
    """Return the sign that counts for defenders on different terrain: the most favourable to the defence."""
    return max(signs, key=lambda sign: SIGNS[sign])


@rule("S1.71b")
def difference(rules: Rules, attacker: str, defender: str) -> int:
    """Return the columns that terrain shifts: the attacker's sign less the defender's, as the chart above the
    tables says.
    """
    chart = rules.tables["terrain_effect_on_combat"]
    row: list[int] = chart["rows"][attacker]
    return int(row[chart["columns"].index(defender)])


@rule("S1.72d")
def together(
    rules: Rules, battle: Battle, attackers: Sequence[Unit], defenders: Sequence[Unit]
) -> Modifier | None:
    """Return the one column that a joint attack earns, however many join."""
    shift = rules.tables["combat_foot"]["column_rules"]["multi_attacker_shift"]
    return (
        Modifier("S1.72d", "joint attack", shift)
        if len(attackers) > 1 and not out_of_reach(defenders)
        else None
    )


@rule("S1.72e")
def out_of_reach(defenders: Sequence[Unit]) -> bool:
    """Tell whether a joint attack earns nothing, because it is made on a mounted figure; the strengths are
    still added.
    """
    return any(beasts.as_mounted(unit) for unit in defenders)


@rule("S1.72j")
def tally(rules: Rules, battle: Battle, attackers: Sequence[Unit], defenders: Sequence[Unit]) -> Tally:
    """Return the odds and what shifts them: the raw odds first, then terrain, then the joint attack."""
    attack, defence = force(rules, battle, attackers, defenders)
    raw = max(1, odds(attack, defence))
    found = Tally(raw, f"{attack} against {defence} is {raw}:1")
    for modifier in rules.modifiers["melee"]:
        found = found.plus(modifier(rules, battle, attackers, defenders))
    return found


@rule("S1.7e")
def table_for(rules: Rules, defenders: Sequence[Unit]) -> Grid:
    """Return the combat table of the defenders' state: there is one for riders and one for
    figures on foot.
    """
    afoot = rules.setting("mixed_defender_group") == "foot_table" and not all(
        beasts.as_mounted(unit) for unit in defenders
    )
    name = (
        "combat_mounted"
        if any(beasts.as_mounted(unit) for unit in defenders) and not afoot
        else "combat_foot"
    )
    grid: Grid = rules.tables[name]["grid"]
    return grid


@rule("S1.71c")
def not_below_first(column: int) -> int:
    """Return the column number, stopped at the first: a shift to the left does not lead out of the table."""
    return max(column, 1)


@rule("S1.7i")
def not_beyond_last(column: int, last: int) -> int:
    """Return the column number, stopped at the last that is printed."""
    return min(column, last)


def column(table: Grid, shifted: int) -> str:
    """Return the heading of the column for shifted odds."""
    return table.columns[not_beyond_last(not_below_first(shifted), len(table.columns)) - 1]


@rule("CH12.2b")
def faces() -> int:
    """Return how many faces the die has: ten, and the face 0 counts as 10."""
    return 10


@rule("S1.7h")
def result(table: Grid, die: int, heading: str) -> str:
    """Return the result code in the row of the die."""
    return table.cell(die, heading)


# --- the phase


def check_attack(rules: Rules, battle: Battle, seat: str, order: Attack) -> Iterator[Problem]:
    """Yield what is wrong with an attack where everybody stands now."""
    attackers, defenders = _units(battle, order.who), _units(battle, order.at)
    problem = why_not(rules, battle, attackers, defenders) or too_weak(
        rules, battle, attackers, defenders, order.least
    )
    if problem:
        yield problem


def too_weak(
    rules: Rules, battle: Battle, attackers: Sequence[Unit], defenders: Sequence[Unit], least: int
) -> Problem | None:
    """Return why an attack with a demand such as ``at least 2:1`` is not made; None if it is."""
    policy = family.of(rules).melee
    raw = policy.odds(*force(rules, battle, attackers, defenders))
    if not least or raw >= least:
        return None
    names = {"odds": policy.written(raw), "least": policy.written(least), "attackers": _names(attackers)}
    return Problem("melee.below-demand", names, rule="S1.7b")


@rule("S1.7b", "S1.7l")
def resolve(rules: Rules, play: Play[Battle], files: Files, also: carry.Doers = MappingProxyType({})) -> None:
    """Make the attacks that were ordered, and no others, one after the other in the order of their lines;
    ``also``: what else is done.
    """
    met: dict[str, int] = {}

    def attack(rules: Rules, play: Play[Battle], seat: str, order: Attack) -> Problem | None:
        return _attack(rules, play, seat, order, met)

    carry.carry(rules, play, files, play.state.at.phase, {Attack: attack, **also})


def _attack(
    rules: Rules, play: Play[Battle], seat: str, order: Attack, met: dict[str, int]
) -> Problem | None:
    """Resolve one line: those who still can attack those who are still there."""
    battle = play.state
    attackers, defenders = _units(battle, order.who), _units(battle, order.at)
    pairs = {(a.id, d.id): pair_why_not(rules, battle, a, d) for a in attackers for d in defenders}
    reachable = chosen_targets(attackers, defenders, pairs)
    able = [a for a in attackers if reachable and all(pairs[a.id, d.id] is None for d in reachable)]
    if not able:
        return next(problem for problem in pairs.values() if problem is not None)
    problem = group_why_not(rules, battle, able, reachable) or too_weak(
        rules, battle, able, reachable, order.least
    )
    if problem:
        return problem
    for lost in [a for a in attackers if a not in able]:
        why = next(found for (who, _), found in pairs.items() if who == lost.id and found is not None)
        play.happen(
            OrderSkipped(
                seat, "", f"{lost.id} attacks {_names(reachable)}", why.code, why.rule, dict(why.args)
            )
        )
    first = min(d.id for d in reachable)
    met[first] = met.get(first, 0) + 1
    fight(rules, play, able, reachable, f"fight/{first}/{met[first]}")
    return None


@rule("S1.72a")
def chosen_targets(
    attackers: Sequence[Unit], defenders: Sequence[Unit], pairs: dict[tuple[str, str], Problem | None]
) -> list[Unit]:
    """Return the ordered targets that are still there for somebody: all together, a subset, or one, as the
    order says.
    """
    return [d for d in defenders if any(pairs[a.id, d.id] is None for a in attackers)]


@rule("S1.72f")
def fight(
    rules: Rules, play: Play[Battle], attackers: Sequence[Unit], defenders: Sequence[Unit], label: str
) -> None:
    """Resolve one combat whole, with its retreats and its advance, before the next is begun."""
    battle, policy = play.state, family.of(rules).melee
    of = combat(rules, battle, attackers, defenders)
    die = play.roll(label, faces())[0]
    code = result(of.table, die, of.heading)
    meaning = of.table.key[code]
    reasons = tuple(Reason(*modifier) for modifier in of.tally.modifiers)
    rolled = f"{play.cursor}/{label}"
    play.happen(
        Rolled(
            rolled,
            faces(),
            (die,),
            "S1.7h",
            of.table.name,
            of.heading,
            of.tally.said,
            reasons,
            die,
            code,
            meaning["text"],
        )
    )
    cause = play.happen(
        Fought(_ids(attackers), _ids(defenders), of.attack, of.defence, of.odds, of.heading, die, code)
    )
    for follow in rules.follows.get("combat", ()):
        follow(rules, play, [*attackers, *defenders], cause)
    foes, victims = beasts.who_acts(battle, attackers), beasts.who_acts(battle, defenders)
    theirs = meaning["attacker"]
    for spares in policy.spares:
        theirs = spares(theirs, defenders)
    left = {
        "attacker": _suffer(rules, play, attackers, Blow(theirs), _ids(defenders), cause),
        "defender": _suffer(rules, play, defenders, blow(meaning), _ids(attackers), cause),
    }
    for role, victors in (("attacker", victims), ("defender", foes)):
        if vacated := left[role]:
            policy.advance(rules, play, _ids(victors), vacated, cause, label)


@dataclass(frozen=True, slots=True)
class Blow:
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
        return family.of(rules).melee.retreat(
            rules, play, _ids(beasts.who_acts(play.state, side)), foes, cause
        )
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


def _units(battle: Battle, ids: Sequence[str]) -> list[Unit]:
    return [battle.units[id_] for id_ in ids]


def _ids(units: Sequence[Unit]) -> tuple[str, ...]:
    return tuple(unit.id for unit in units)


def _names(units: Sequence[Unit]) -> str:
    return ", ".join(unit.id for unit in units)


def _both(attacker: Unit, defender: Unit) -> dict[str, str | int]:
    return {"unit": attacker.id, "target": defender.id}


def _touching(attacker: Unit, defender: Unit) -> list[tuple[str, str]]:
    """Return the places of the one, each with a place of the other in a hex beside it."""
    return [
        (here, there)
        for here in attacker.at
        for there in defender.at
        if side_between(hex_of(here), hex_of(there)) is not None
    ]


BARS: Final = (of_an_animal, too_dazed, not_his_time, off_the_map, has_attacked, no_enemy)
"""Why one figure does not attack another, wherever the two stand; what things and walls make of it is listed
in ``ruleset``.
"""
GROUPS: Final = (too_many, rider_and_horse, two_tables, below_one, shifted_out)
"""Why these do not attack those together, in the order in which it is told."""
