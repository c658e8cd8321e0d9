"""The deeds of Cry Havoc and Siege: the list of all kinds of order, the movement phase, and when work that
takes a whole turn is done.

What a deed is, and what comes of it, is decided in the room of its topic.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pbem.core.dice import NoDice
from pbem.core.play import Play
from pbem.core.problem import Problem
from pbem.core.rule import rule
from pbem.core.ruleset import Files, Ruleset
from pbem.core.sequence import parse_cursor
from pbem.rulesets.siege.combat import melee
from pbem.rulesets.siege.deeds import attack_orders, ladder_orders, move_orders, setup_orders, shot_orders
from pbem.rulesets.siege.ground import ladders
from pbem.rulesets.siege.march import movement, shared_hexes
from pbem.rulesets.siege.march.walk import Walk
from pbem.rulesets.siege.orders import carry_out
from pbem.rulesets.siege.scenario import campaign
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state.deed import Deeds, of, work_of
from pbem.rulesets.siege.state.events import Acted, JobBroken, JobDone, Moved
from pbem.rulesets.siege.state.happening import apply
from pbem.rulesets.siege.state.orders import Act, Move, MoveBy
from pbem.rulesets.siege.state.state import Battle, Unit
from pbem.rulesets.siege.things import (
    bearing,
    drawbridge,
    driving,
    engines,
    fire_by_hand,
    mounting,
    oil,
    rams,
    toppling,
    up_and_over,
    wagons,
)
from pbem.rulesets.siege.turn import sequence

Rules = Ruleset[Battle]

ALL: Final = Deeds(
    (
        *(setup_orders.PLACE, setup_orders.RIDE, setup_orders.FILL, setup_orders.RUBBLE, setup_orders.SKILL),
        *(shot_orders.SHOOT, shot_orders.FIRE),
        *(
            move_orders.MOVE,
            up_and_over.GOING_UP,
            up_and_over.GOING_DOWN,
            up_and_over.STEPPING_OVER,
            move_orders.TURN,
            move_orders.LEAD,
        ),
        *(mounting.MOUNT, mounting.DISMOUNT, wagons.HITCH, wagons.UNHITCH, drawbridge.WORK),
        *(
            ladder_orders.PICK_UP,
            ladder_orders.CARRY,
            ladder_orders.RAISE,
            ladder_orders.SHIFT,
            ladder_orders.CLIMB,
        ),
        *(
            bearing.TAKE,
            bearing.PUT_DOWN,
            move_orders.ENTER,
            move_orders.LEAVE,
            move_orders.STAY,
            driving.FORWARD,
            driving.BACKWARD,
        ),
        *(
            attack_orders.ATTACK,
            toppling.TOPPLE,
            oil.POUR,
            fire_by_hand.LIGHTING,
            fire_by_hand.PUTTING_OUT,
            rams.STRIKE,
        ),
        *(campaign.PLAN, campaign.BOMBARDING, campaign.REPAIR),
        *(carry_out.RESIGN, carry_out.OFFER_DRAW, carry_out.ACCEPT_DRAW),
    )
)
"""Every kind of order, in the order in which those of one phase are listed."""


# --- what speaks against a deed


def check_move(rules: Rules, battle: Battle, seat: str, order: Move | MoveBy) -> Iterator[Problem]:
    """Yield what is wrong with a move where everybody stands now; a way must be open to its end."""
    walk = movement.plan(rules, battle, order)
    if isinstance(walk, Problem):
        yield walk
    elif walk.stopped:
        yield walk.stopped


def check_act(rules: Rules, battle: Battle, seat: str, order: Act) -> Iterator[Problem]:
    """Yield what is wrong with any other deed as things are now."""
    if problem := not_ordered(rules, battle, seat, order) or why_not(rules, battle, order):
        yield problem


def not_ordered(rules: Rules, battle: Battle, seat: str, order: Act) -> Problem | None:
    """Return why a seat does not order an engine about, whoever works it; None if it may, or if no engine is
    ordered.
    """
    deed = of(rules, order)
    if deed is not None and deed.of_the_day:
        return campaign.barred(rules, battle, seat, order)
    return (
        engines.not_yours(battle, seat, battle.things[order.what])
        if deed is not None and deed.engine and seat
        else None
    )


def why_not(rules: Rules, battle: Battle, order: Act) -> Problem | None:
    """Return why a deed is not legal now; None if it is, or if nobody here knows it."""
    deed = of(rules, order)
    return deed.check(rules, battle, order) if deed is not None and deed.check is not None else None


# --- the phase


@rule("S1.6c")
def resolve(rules: Rules, play: Play[Battle], files: Files) -> None:
    """Move the figures that were ordered to, as far as ordered, in the order of the lines;
    all others stay.
    """
    carry_out.carry_out(rules, play, files, play.state.at.phase, {Move: move, MoveBy: move, Act: act})
    shared_hexes.part(rules, play)
    movement.out_of_cover(rules, play)
    if noted := family.phases(rules).noted:
        for id_, done in noted(rules, play.state):
            play.happen(Acted(id_, done))
    ladders.let_go(rules, play)
    bearing.let_go(rules, play)


def resolve_fight(rules: Rules, play: Play[Battle], files: Files) -> None:
    """Fight as ordered, and let those who do something else in the melee phase do it, line by line."""
    melee.resolve(rules, play, files, {Act: act})


def move(rules: Rules, play: Play[Battle], seat: str, order: Move | MoveBy) -> Problem | None:
    """Carry out a move, as far as its way is open; return why nothing came of it."""
    walk = movement.plan(rules, play.state, order)
    if isinstance(walk, Problem):
        return walk
    go(rules, play, order, walk)
    return None


def go(rules: Rules, play: Play[Battle], order: Move | MoveBy, walk: Walk) -> None:
    """Let a figure go the way that its move comes to, with what it bears."""
    brought = bearing.goes_along(rules, play.state, order, walk)
    if len(walk.places) > 1:
        stopped, rule_id = (walk.stopped.code, walk.stopped.rule) if walk.stopped else ("", "")
        play.happen(Moved(order.who, walk.places, walk.cost, walk.of, stopped, rule_id, walk.tails))
    elif brought is not None:
        play.happen(Acted(order.who, "moved"))
    if brought is not None:
        play.happen(brought)


def act(rules: Rules, play: Play[Battle], seat: str, order: Act) -> Problem | None:
    """Carry out any other deed; return why nothing came of it."""
    deed = of(rules, order)
    if deed is None:
        return None
    if not deed.checks_itself and (
        problem := not_ordered(rules, play.state, seat, order) or why_not(rules, play.state, order)
    ):
        return problem
    return deed.do(rules, play, order) if deed.do is not None else None


def after(rules: Rules, battle: Battle, order: Act) -> Battle:
    """Return the battle after a deed that is legal now; after one that a die decides only who has done it is
    known.
    """
    deed = of(rules, order)
    if deed is not None and deed.rolls:
        for event in deed.certain(battle, order) if deed.certain is not None else ():
            battle = apply(battle, event)
        return battle
    play = Play(battle, str(battle.at), apply, NoDice())
    act(rules, play, battle.units[order.who[0]].owner if order.who else "", order)
    return play.state


# --- work for a whole turn


def finish(rules: Rules, play: Play[Battle]) -> None:
    """Finish in a recovery phase the work that is due in it, in the order of ids; what has become impossible
    is broken off.
    """
    for id_ in sorted(play.state.units):
        unit = play.state.units[id_]
        if unit.job is None or not due(rules, play.state, unit):
            continue
        why = (family.of(rules).breaks_off or interrupted)(rules, play.state, unit)
        if why:
            play.happen(JobBroken(id_, unit.job.do, why, unit.job.what))
            continue
        play.happen(JobDone(id_, unit.job.do, unit.job.what))
        work_of(rules, unit.job.do).finish(rules, play, id_, unit.job)


def due(rules: Rules, battle: Battle, unit: Unit) -> bool:
    """Tell whether work is done in this recovery phase: that of the figure's own player turn, or by the
    option the last before its next.
    """
    if unit.job is None:
        return False
    begun = sequence.player_turns(battle.field, parse_cursor(unit.job.since))
    if rules.setting("full_turn_action_end") == "own_phase_5":
        return unit.side == battle.at.side and begun <= sequence.player_turns(battle.field, battle.at)
    return sequence.side_after(battle) == unit.side and begun < sequence.player_turns(battle.field, battle.at)


def interrupted(rules: Rules, battle: Battle, unit: Unit) -> str:
    """Return what broke work off: the figure fell, fought or fled, or what it worked at is no longer there;
    empty if nothing did.
    """
    job = unit.job
    if job is None:
        return ""
    if not unit.able or unit.mood:
        return "fell" if not unit.mood else "fled"
    if unit.fought and _later(unit.fought, job.since):
        return "attacked"
    work = work_of(rules, job.do)
    if not work.holds(rules, battle, unit, job):
        return "gone"
    return "blocked" if work.stuck(rules, battle, unit, job) else ""


def _later(one: str, other: str) -> bool:
    first, second = parse_cursor(one), parse_cursor(other)
    return (first.day, first.turn, one != other) >= (second.day, second.turn, True)
