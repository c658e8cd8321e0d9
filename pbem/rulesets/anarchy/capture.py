"""Taking knights alive: who may try it, what a prisoner can and cannot do, how he is guarded, led off and
gets free, and how he arms himself again.

A prisoner is in the hands of a side (``captive_of``) as a led animal is: his guards lead him. That he is
without his arms (``disarmed``) outlasts his captivity.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any, Final

from msgspec.structs import replace

from pbem.core.play import Play
from pbem.core.problem import Problem
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.core.table import die_faces, row_of
from pbem.geometry.hex import SIDES, around, distance, neighbour, neighbours
from pbem.rulesets.anarchy import full_turn, hands, tunnels
from pbem.rulesets.anarchy.events import Disarmed, Freed, Rearmed, Surrendered
from pbem.rulesets.siege.combat import may_attack, melee, melee_odds
from pbem.rulesets.siege.deeds import move_orders
from pbem.rulesets.siege.ground.character import person
from pbem.rulesets.siege.march import thrown
from pbem.rulesets.siege.scenario import campaign
from pbem.rulesets.siege.state.deed import Deed, Priced, Words, Work
from pbem.rulesets.siege.state.events import Acted, Dismounted, Left, Retreated, Rolled
from pbem.rulesets.siege.state.orders import Act
from pbem.rulesets.siege.state.sentence import sentence
from pbem.rulesets.siege.state.state import HEALTHY, STUNNED, Battle, Job, Unit, is_prisoner
from pbem.rulesets.siege.turn import jobs, sequence, siege_days

Rules = Ruleset[Battle]
CAPTURE, REARM = "capture", "rearm"
FOUGHT: Final = "fought"


# --- who may be taken, and by whom


@rule("A1.4a")
def why_not_capture(rules: Rules, battle: Battle, attackers: Sequence[Unit], target: Unit) -> Problem | None:
    """Return why some figures cannot try to take another alive; None if they can."""
    names = {"attackers": may_attack.named(attackers), "target": target.id}
    least = rules.tables[CAPTURE]["least"]
    if person(battle, target).panic_group != "knight" or target.kind != "man":
        return Problem("capture.no-knight", names, rule="A1.4a", help=f"NAME attacks {target.id}")
    if len(attackers) < least["attackers"]:
        help_ = f"NAME, NAME capture {target.id}"
        return Problem("capture.alone", names, rule="A1.4a", help=help_)
    attack, defence = melee_odds.force(rules, battle, attackers, [target])
    if attack - defence < least["difference"]:
        wanting: dict[str, str | int] = {
            **names,
            "difference": attack - defence,
            "least": least["difference"],
        }
        help_ = f"more of them together, or: NAME attacks {target.id}"
        return Problem("capture.too-weak", wanting, rule="A1.4a", help=help_)
    friend = next(iter(friends_beside(battle, target)), "")
    if friend:
        help_ = f"{friend} is dead or driven away first, by an attack in a line above"
        return Problem("capture.friend", {**names, "friend": friend}, rule="A1.4a", help=help_)
    return None


def beside(battle: Battle, unit: Unit) -> list[Unit]:
    """Return who lives next to a figure: underground or above as it is, or at the shaft by which one goes
    from one to the other.
    """
    near = (battle.units[id_] for id_ in battle.living_among(around(unit.hexes)))
    return [other for other in near if not tunnels.ground_between(battle, unit, other)]


def friends_beside(battle: Battle, target: Unit) -> list[str]:
    """Return who of a figure's own side lives next to him, stunned ones too; no animal, and no prisoner."""
    return [
        unit.id
        for unit in beside(battle, target)
        if unit.side == target.side and unit.kind == "man" and unit.id != target.id and not is_prisoner(unit)
    ]


def check(rules: Rules, battle: Battle, order: Act) -> Problem | None:
    """Return why an order to take somebody alive is not legal now; None if it is."""
    attackers, target = [battle.units[id_] for id_ in order.who], battle.units.get(order.what)
    if target is None:
        return Problem("capture.nobody", {"target": order.what}, rule="A1.4a")
    return may_attack.why_not(rules, battle, attackers, [target]) or why_not_capture(
        rules, battle, attackers, target
    )


# --- the attempt


def attempt(rules: Rules, play: Play[Battle], order: Act) -> None:
    """Roll whether he surrenders; where he does not, the attack is fought out."""
    name = f"{CAPTURE}/{order.what}/{attempts(play, order.what) + 1}"
    if surrenders(rules, play, name):
        for id_ in order.who:
            play.happen(Acted(id_, FOUGHT))
        take(rules, play, order.what, order.who)
        return
    attackers = [play.state.units[id_] for id_ in order.who]
    melee.fight(rules, play, attackers, [play.state.units[order.what]], f"{name}/fight")


def attempts(play: Play[Battle], target: str) -> int:
    """Return how often it has been tried to take a figure alive in this phase."""
    begin = f"{play.cursor}/{CAPTURE}/{target}/"
    rolled = (event.label for event in play.events if isinstance(event, Rolled))
    return sum(label.startswith(begin) and not label.endswith("/fight") for label in rolled)


@rule("A1.4b")
def surrenders(rules: Rules, play: Play[Battle], name: str) -> bool:
    """Roll whether a figure surrenders, on four faces of ten."""
    table = rules.tables[CAPTURE]
    sides = die_faces(table)
    die = play.roll(name, sides)[0]
    result = str(row_of(table, die)["result"])
    said = str(table["key"][result])
    play.happen(
        Rolled(f"{play.cursor}/{name}", sides, (die,), "A1.4b", CAPTURE, row=die, result=result, said=said)
    )
    return result == "surrenders"


def take(rules: Rules, play: Play[Battle], id_: str, by: Sequence[str]) -> None:
    """Make somebody a prisoner of a side: he gets off his horse, and is without his arms."""
    unit = play.state.units[id_]
    if unit.on:
        get_down(rules, play, unit, by)
    play.happen(Surrendered(id_, play.state.units[by[0]].side, tuple(by), "A1.4b"))
    give_up_arms(play, id_)


def get_down(rules: Rules, play: Play[Battle], unit: Unit, by: Sequence[str]) -> None:
    """Let a rider who surrenders get off his horse among those who took him, else where he would fall."""
    horse = play.state.units[unit.on]
    there = among_captors(rules, play.state, unit, by)
    if not there and (gives_way := makes_way(rules, play.state, unit, by)):
        head, tail = gives_way
        there = next(hex_ for hex_ in horse.at if hex_ not in gives_way)
        play.happen(Dismounted(unit.id, horse.id, (there,), "A1.4b"))
        play.happen(Retreated(horse.id, (horse.at[0], head), rule="A1.4d", tails=(horse.at[1], tail)))
        return
    there = there or thrown.landing(rules, play, unit, horse.id)
    play.happen(Dismounted(unit.id, horse.id, (there,), "A1.4b"))


@rule("A1.4d")
def among_captors(rules: Rules, battle: Battle, unit: Unit, by: Sequence[str]) -> str:
    """Return the free hex beside his horse into which a rider who surrenders gets down, so that those who
    took him guard him: the first with most of them beside it; empty where it has too few.
    """
    return _amid(rules, battle, thrown.beside(rules, battle, unit, battle.units[unit.on]), by)


@rule("A1.4d")
def makes_way(rules: Rules, battle: Battle, unit: Unit, by: Sequence[str]) -> tuple[str, ...]:
    """Return head and tail of a horse that has given way by a hex, so that its rider, who surrenders, stands
    where it stood, guarded by those who took him; empty where that is no good, or it has no room.
    """
    horse = battle.units[unit.on]
    left = _amid(rules, battle, horse.at, by)
    if not left:
        return ()
    kept = horse.at[1 - horse.at.index(left)]
    room = (hex_ for hex_ in neighbours(kept) if thrown.holds(rules, battle, horse, kept, hex_))
    to = max(room, key=lambda hex_: distance(hex_, left), default="")
    return () if not to else (kept, to) if left == horse.at[0] else (to, kept)


def _amid(rules: Rules, battle: Battle, hexes: Sequence[str], by: Sequence[str]) -> str:
    """Return the first of some hexes with most of a prisoner's captors beside it; empty where it has too
    few for a guard.
    """
    least: int = rules.tables[CAPTURE]["least"]["guards"]
    beside = {hex_: sum(hex_ in around(battle.units[id_].hexes) for id_ in by) for hex_ in hexes}
    return next((hex_ for hex_ in hexes if beside[hex_] >= max(least, *beside.values())), "")


@rule("A1.4c")
def give_up_arms(play: Play[Battle], id_: str) -> None:
    """Take somebody's arms from him, so that he has the values of his wounded side, wounded or not."""
    play.happen(Disarmed(id_, rule="A1.4c"))


# --- guards


@rule("A1.4d")
def guards(battle: Battle, prisoner: Unit) -> list[str]:
    """Return who guards a prisoner: those of the side that holds him who stand next to him and can fight."""
    return [
        unit.id
        for unit in beside(battle, prisoner)
        if unit.side == prisoner.captive_of
        and unit.kind == "man"
        and unit.able
        and not unit.mood
        and not is_prisoner(unit)
        and unit.id not in battle.field.bystanders
    ]


def well_guarded(rules: Rules, battle: Battle, prisoner: Unit) -> bool:
    """Tell whether a prisoner has as many guards as he needs."""
    least: int = rules.tables[CAPTURE]["least"]["guards"]
    return len(guards(battle, prisoner)) >= least


def watch(rules: Rules, play: Play[Battle]) -> None:
    """See at the end of a player turn who of the prisoners is lost for good, and who is free again."""
    for id_ in sorted(play.state.units):
        unit = play.state.units[id_]
        if is_prisoner(unit) and unit.living:
            if is_lost(rules, play.state, unit):
                play.happen(Left(id_, unit.at[0], "captured"))
            elif gets_free(rules, play.state, unit):
                play.happen(Freed(id_, "A1.4f"))


@rule("A1.4e")
def is_lost(rules: Rules, battle: Battle, prisoner: Unit) -> bool:
    """Tell whether a prisoner has been brought to an edge of the map by his guards."""
    beyond = (neighbour(here, side) for here in prisoner.hexes for side in SIDES)
    at_the_edge = any(there not in battle.field.ground for there in beyond)
    return at_the_edge and well_guarded(rules, battle, prisoner)


@rule("A1.4e")
def nightfall(rules: Rules, play: Play[Battle]) -> None:
    """See on the evening of a day of a siege who of the prisoners is led into camp or castle for good, and
    who gets home, where there are arms.
    """
    if not siege_days.under_siege(play.state.field):
        return
    for id_, unit in sorted(play.state.units.items()):
        if is_prisoner(unit) and unit.living:
            if well_guarded(rules, play.state, unit):
                play.happen(Left(id_, unit.at[0], "captured"))
                continue
            play.happen(Freed(id_, "A1.4f"))
        if unit.disarmed and unit.living:
            play.happen(Rearmed(id_, "A1.4i"))


def with_sieges(rules: Rules) -> Rules:
    """Return the rules with the days of a siege, on whose evenings prisoners are led away."""
    found = campaign.with_sieges(rules)
    return found.amend(follows={**found.follows, "evening": (nightfall, *found.follows["evening"])})


@rule("A1.4e")
def not_led_off(battle: Battle, order: Act) -> Problem | None:
    """Return that nobody leads a prisoner off the map, who is lost for good at its edge and there alone, with
    as many guards as he needs; None where none is led.
    """
    held = next((id_ for id_ in order.animals if is_prisoner(battle.units[id_])), "")
    if not held:
        return None
    return Problem("capture.off-the-map", {"unit": order.who[0], "led": held}, rule="A1.4e")


def why_not_leave(rules: Rules, battle: Battle, order: Act) -> Problem | None:
    """Return why somebody does not leave the map, alone or leading others; None if he does."""
    return move_orders.why_not_leave(rules, battle, order) or not_led_off(battle, order)


def leads(rules: Rules, battle: Battle, unit: Unit) -> Iterator[Priced]:
    """Yield where a figure may lead whom, and by which hexes off the map, with the cost in points."""
    for order, cost in move_orders.leads(rules, battle, unit):
        off = isinstance(order, Act) and order.do == move_orders.LEAVE.id and not_led_off(battle, order)
        if not off:
            yield order, cost


@rule("A1.4f", "A1.4h")
def gets_free(rules: Rules, battle: Battle, prisoner: Unit) -> bool:
    """Tell whether a prisoner is free again, because his own side moves next and he is not guarded as he has
    to be: one guard who is left does not hold him.
    """
    return sequence.side_after(battle) == prisoner.side and not well_guarded(rules, battle, prisoner)


# --- what a prisoner may do in a fight


def may_fight(rules: Rules, battle: Battle, unit: Unit) -> Problem | None:
    """Return why somebody attacks nobody now; of a prisoner it is told with whom he would."""
    if is_prisoner(unit):
        unit = _as_free(unit)
    return sequence.may_fight(rules, battle, unit)


def no_enemy(rules: Rules, battle: Battle, attacker: Unit, defender: Unit) -> Problem | None:
    """Return that somebody is no enemy whom one attacks; of a prisoner his guards are enemies."""
    if is_prisoner(attacker):
        freed = battle.with_units(_as_free(attacker))
        return may_attack.no_enemy(rules, freed, freed.units[attacker.id], defender)
    return may_attack.no_enemy(rules, battle, attacker, defender)


@rule("A1.4g")
def joins_only(
    rules: Rules, battle: Battle, attackers: Sequence[Unit], defenders: Sequence[Unit]
) -> Problem | None:
    """Return that a prisoner attacks nobody but a guard of his own whom friends of his attack; None if he
    does that, or none is among them.
    """
    held = [unit for unit in attackers if is_prisoner(unit)]
    for unit in held:
        of_his = guards(battle, unit)
        if len(held) == len(attackers) or any(foe.id not in of_his for foe in defenders):
            return Problem("capture.joins-only", {"unit": unit.id, "guards": ", ".join(of_his)}, rule="A1.4g")
    return None


def _as_free(unit: Unit) -> Unit:
    return replace(unit, captive_of="")


# --- arms


def why_not_rearm(rules: Rules, battle: Battle, order: Act) -> Problem | None:
    """Return why somebody cannot arm himself now; None if he can."""
    unit = battle.units[order.who[0]]
    problem = sequence.may_do(rules, battle, unit) or jobs.too_late(rules, battle, unit, REARM)
    if problem:
        return problem
    if not unit.disarmed:
        return Problem("capture.armed", {"unit": unit.id}, rule="A1.4i")
    if not has_arms_beside(rules, battle, unit, Job(REARM)):
        return Problem("capture.no-arms", {"unit": unit.id}, rule="A1.4i")
    return None


@rule("A1.4i")
def has_arms_beside(rules: Rules, battle: Battle, unit: Unit, job: Job) -> bool:
    """Tell whether a dead or stunned soldier lies next to a figure, within its reach, whose arms it can take;
    be it one who comes to as that turn ends.
    """
    hexes = around(unit.hexes)
    dead = (id_ for hex_ in hexes for id_ in battle.bodies_in.get(hex_, ()))
    lying = (id_ for id_ in battle.living_among(hexes) if _lay_stunned(battle, battle.units[id_]))
    found = (battle.units[id_] for id_ in (*dead, *lying) if id_ not in battle.field.bystanders)
    return any(
        one.kind == "man" and any(hands.reach(rules, battle, unit, place) for place in one.at)
        for one in found
    )


def _lay_stunned(battle: Battle, unit: Unit) -> bool:
    """Tell whether somebody is stunned, or was until he came to in this very phase."""
    return unit.state == STUNNED or (unit.state == HEALTHY and unit.since == str(battle.at))


def begin_rearming(rules: Rules, play: Play[Battle], order: Act) -> None:
    """Let a figure begin to arm itself."""
    full_turn.begin(play, order.who[0], REARM, "")


@rule("A1.4i")
def rearm(rules: Rules, play: Play[Battle], id_: str, job: Job) -> None:
    """Give a figure arms again."""
    play.happen(Rearmed(id_, "A1.4i"))


# --- the orders


def captures(rules: Rules, battle: Battle, unit: Unit) -> Iterator[Act]:
    """Yield whom a figure could take alive with some others, of whom it is the first."""
    for foe in battle.living_among(around(unit.hexes)) if unit.at else ():
        target = battle.units[foe]
        if not battle.foes(unit, target) or person(battle, target).panic_group != "knight":
            continue
        near = (battle.units[id_] for id_ in battle.living_among(around(target.hexes)))
        others = [
            one.id for one in near if one.owner == unit.owner and one.id > unit.id and one.kind == "man"
        ]
        for count in range(1, len(others) + 1):
            for more in combinations(others, count):
                yield Act(CAPTURE, (unit.id, *more), target.id)


def risks(judging: Any, order: Act) -> None:
    """Reckon with what the attempt may do to both."""
    judging.outlook.hurt |= judging.with_horses({order.what, *order.who})


ORDER: Final = Deed(
    id=CAPTURE,
    sentences=(sentence("fight", "{who:NAMES} capture/captures {what:NAME}", "hob, odo capture hugh"),),
    words=Words(
        CAPTURE,
        forms=("{names} capture[s] {name}",),
        tells=("capture[s]",),
        does=("capture[s]",),
        unended=("capture[s]",),
    ),
    called="captures",
    check=check,
    do=attempt,
    rolls=True,
    mark=FOUGHT,
    lists=captures,
    risks=risks,
)
LED: Final = (
    replace(move_orders.LEAD, needs=None, priced=(leads,)),
    replace(move_orders.LEAVE, needs=None, check=why_not_leave),
)
"""In a game of prisoners anybody may have somebody to lead, riders and wagons or not."""
REARMS: Final = Deed(
    id=REARM,
    sentences=(sentence("move", "{who:NAME} rearms", "hugh rearms"),),
    called="rearms",
    check=why_not_rearm,
    do=begin_rearming,
    work=Work("arming himself", has_arms_beside, rearm),
    alone=True,
    lists=lambda rules, battle, unit: iter([Act(REARM, (unit.id,))] if unit.disarmed else []),
)
