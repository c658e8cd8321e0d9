"""The movement phase: who carries out which of its orders, and when work that takes a whole turn is done.

Each deed is decided in a room of its own; here is the table that says in which.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from pbem.core.dice import NoDice
from pbem.core.play import Play
from pbem.core.problem import Problem
from pbem.core.rule import rule
from pbem.core.ruleset import Files, Ruleset
from pbem.core.sequence import parse_cursor
from pbem.rulesets.siege import (
    bearing,
    campaign,
    carry,
    carrying,
    crossing,
    drawbridge,
    driving,
    engines,
    ladders,
    leading,
    melee,
    mounting,
    movement,
    oil,
    rams,
    scaling,
    sequence,
    stacked,
    toppling,
    wagons,
)
from pbem.rulesets.siege.events import Acted, Entered, JobBroken, JobDone, Left, Moved, Turned
from pbem.rulesets.siege.fire import light, put_out, why_not_light, why_not_put_out
from pbem.rulesets.siege.happening import apply
from pbem.rulesets.siege.orders import Act, Move, MoveBy
from pbem.rulesets.siege.state import Battle, Unit
from pbem.rulesets.siege.step import Walk

Rules = Ruleset[Battle]


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
    if problem := not_ordered(battle, seat, order) or why_not(rules, battle, order):
        yield problem


def not_ordered(battle: Battle, seat: str, order: Act) -> Problem | None:
    """Return why a seat does not order an engine about, whoever works it; None if it may, or if no engine is ordered."""
    return engines.not_yours(battle, seat, battle.things[order.what]) if order.do in ENGINES and seat else None


def why_not(rules: Rules, battle: Battle, order: Act) -> Problem | None:
    """Return why a deed is not legal now; None if it is, or if nobody here knows it."""
    asked = CHECKS.get(order.do)
    return asked(rules, battle, order) if asked else None


def _stay(rules: Rules, battle: Battle, order: Act) -> Problem | None:
    """Return who of those told to stay does nothing any more; only the living stay."""
    return next((problem for id_ in order.who if (problem := sequence.gone(battle.units[id_]))), None)


def _enter(rules: Rules, battle: Battle, order: Act) -> Problem | None:
    return _problem(leading.plan_entering(rules, battle, order) if order.animals else movement.plan_entering(rules, battle, order))


def _leave(rules: Rules, battle: Battle, order: Act) -> Problem | None:
    return _problem(leading.plan_leaving(rules, battle, order) if order.animals else movement.plan_leaving(rules, battle, order))


def _turn(rules: Rules, battle: Battle, order: Act) -> Problem | None:
    return _problem(movement.plan_turn(rules, battle, order))


def _lead(rules: Rules, battle: Battle, order: Act) -> Problem | None:
    found = leading.plan(rules, battle, order)
    return found.walk.stopped if isinstance(found, leading.Trek) else found


def _problem(found: Walk | leading.Trek | Problem) -> Problem | None:
    return found if isinstance(found, Problem) else None


CHECKS: Mapping[str, Callable[[Rules, Battle, Act], Problem | None]] = {
    "stay": _stay,
    "enter": _enter,
    "leave": _leave,
    "turn": _turn,
    "mount": mounting.why_not_mount,
    "dismount": mounting.why_not_dismount,
    "lead": _lead,
    **campaign.CHECKS,
    "hitch": wagons.why_not,
    "unhitch": wagons.why_not,
    "pick-up": carrying.why_not_pick_up,
    "carry": carrying.why_not_carry,
    "raise": carrying.why_not_raise,
    "shift": carrying.why_not_shift,
    "climb": scaling.why_not,
    "topple": toppling.why_not,
    "take": bearing.why_not_take,
    "put-down": bearing.why_not_put_down,
    "pour": oil.why_not,
    "light": why_not_light,
    "put-out": why_not_put_out,
    **dict.fromkeys(("up", "down", "step-over"), crossing.why_not),
    **dict.fromkeys(("advance-engine", "back-engine"), driving.why_not),
    "strike": rams.why_not,
    "work": drawbridge.why_not,
}
"""Deed -> why it is not legal now."""


# --- the phase


@rule("S1.6c")
def resolve(rules: Rules, play: Play[Battle], files: Files) -> None:
    """Move the figures that were ordered to, as far as ordered, in the order of the lines; all others stay."""
    carry.carry(rules, play, files, "movement", {Move: move, MoveBy: move, Act: act})
    stacked.part(rules, play)
    movement.out_of_cover(rules, play)
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
    brought = bearing.goes_along(play.state, order, walk)
    if len(walk.places) > 1:
        stopped, rule_id = (walk.stopped.code, walk.stopped.rule) if walk.stopped else ("", "")
        play.happen(Moved(order.who, walk.places, walk.cost, walk.of, stopped, rule_id, walk.tails))
    elif brought is not None:
        play.happen(Acted(order.who, "moved"))
    if brought is not None:
        play.happen(brought)
    return None


def act(rules: Rules, play: Play[Battle], seat: str, order: Act) -> Problem | None:
    """Carry out any other deed; return why nothing came of it."""
    if order.do == "lead":
        return leading.lead(rules, play, order)
    if order.do == "climb":
        return scaling.climb(rules, play, order)
    problem = not_ordered(play.state, seat, order) or why_not(rules, play.state, order)
    if problem is None and order.do in DOERS:
        DOERS[order.do](rules, play, order)
    return problem


def after(rules: Rules, battle: Battle, order: Act) -> Battle:
    """Return the battle after a deed that is legal now; after one that a die decides only who has done it is known."""
    if order.do in ROLLS:
        for event in CERTAIN[order.do](battle, order) if order.do in CERTAIN else ():
            battle = apply(battle, event)
        return battle
    play = Play(battle, str(battle.at), apply, NoDice())
    act(rules, play, battle.units[order.who[0]].owner if order.who else "", order)
    return play.state


def _do_enter(rules: Rules, play: Play[Battle], order: Act) -> None:
    if order.animals:
        leading.enter(rules, play, order)
        return
    walk = movement.plan_entering(rules, play.state, order)
    if isinstance(walk, Walk):
        play.happen(Entered(order.who[0], walk.places, walk.cost, walk.of, walk.tails))


def _do_leave(rules: Rules, play: Play[Battle], order: Act) -> None:
    if order.animals:
        leading.leave(rules, play, order)
        return
    walk = movement.plan_leaving(rules, play.state, order)
    if isinstance(walk, Walk):
        if len(walk.places) > 1:
            play.happen(Moved(order.who[0], walk.places, walk.cost, walk.of + 1, tails=walk.tails))
        play.happen(Left(order.who[0], walk.places[-1]))


def _do_turn(rules: Rules, play: Play[Battle], order: Act) -> None:
    walk = movement.plan_turn(rules, play.state, order)
    if isinstance(walk, Walk):
        play.happen(Turned(order.who[0], walk.places, walk.tails, walk.cost, walk.of, order.facing))


DOERS: Mapping[str, Callable[[Rules, Play[Battle], Act], None]] = {
    "enter": _do_enter,
    "leave": _do_leave,
    "turn": _do_turn,
    "mount": mounting.begin,
    "dismount": mounting.begin,
    "hitch": wagons.begin,
    "unhitch": wagons.begin,
    "pick-up": carrying.pick_up,
    "carry": carrying.carry,
    "raise": carrying.set_up,
    "shift": carrying.shift,
    "topple": toppling.attempt,
    "take": bearing.take,
    "put-down": bearing.put_down,
    "pour": oil.pour,
    "light": light,
    "put-out": put_out,
    **dict.fromkeys(("up", "down", "step-over"), crossing.go),
    **dict.fromkeys(("advance-engine", "back-engine"), driving.drive),
    "strike": rams.strike,
    "work": drawbridge.begin,
}
"""Deed -> what carries it out."""
ROLLS: frozenset[str] = frozenset({"topple", "light", "put-out", "strike", "pour"})
"""Deeds whose outcome a die decides."""
CERTAIN: Mapping[str, Callable[[Battle, Act], tuple[object, ...]]] = {"strike": lambda *of: (rams.struck(*of),), "pour": oil.certain}
"""Of such a deed, the events that say who has done it, where there are any."""
ENGINES: frozenset[str] = frozenset({"advance-engine", "back-engine", "strike"})
"""Deeds of an engine, which are those of the men inside it."""


# --- work for a whole turn


def finish(rules: Rules, play: Play[Battle]) -> None:
    """Finish in a recovery phase the work that is due in it, in the order of ids; what has become impossible is broken off."""
    for id_ in sorted(play.state.units):
        unit = play.state.units[id_]
        if unit.job is None or not due(rules, play.state, unit):
            continue
        why = interrupted(rules, play.state, unit)
        if why:
            play.happen(JobBroken(id_, unit.job.do, why, unit.job.what))
            continue
        play.happen(JobDone(id_, unit.job.do, unit.job.what))
        FINISH[unit.job.do](rules, play, id_, unit.job)


def due(rules: Rules, battle: Battle, unit: Unit) -> bool:
    """Tell whether work is done in this recovery phase: that of the figure's own player turn, or by the option the last before its next."""
    if unit.job is None:
        return False
    if rules.setting("full_turn_action_end") == "own_phase_5":
        return unit.side == battle.at.side
    begun = sequence.player_turns(battle.field, parse_cursor(unit.job.since))
    following = sequence.next_side(battle.field, battle.at.side) or sequence.playing_order(battle.field.sides)[0].id
    return following == unit.side and begun < sequence.player_turns(battle.field, battle.at)


def interrupted(rules: Rules, battle: Battle, unit: Unit) -> str:
    """Return what broke work off: the figure fell, fought or fled, or what it worked at is no longer there; empty if nothing did."""
    job = unit.job
    if job is None:
        return ""
    if not unit.able or unit.mood:
        return "fell" if not unit.mood else "fled"
    if unit.fought and _later(unit.fought, job.since):
        return "attacked"
    if not HOLDS[job.do](rules, battle, unit, job):
        return "gone"
    return "blocked" if job.do == "work" and drawbridge.stuck(rules, battle, unit, job) else ""


def _later(one: str, other: str) -> bool:
    first, second = parse_cursor(one), parse_cursor(other)
    return (first.day, first.turn, one != other) >= (second.day, second.turn, True)


HOLDS = {
    "mount": mounting.still_there,
    "dismount": mounting.still_there,
    "hitch": wagons.still_there,
    "unhitch": wagons.still_there,
    "work": drawbridge.still_there,
}
"""Work -> whether what it needs is still so when it is done."""
FINISH = {
    "mount": mounting.mount,
    "dismount": mounting.dismount,
    "hitch": wagons.finish,
    "unhitch": wagons.finish,
    "work": drawbridge.finish,
}
"""Work -> what comes of it."""
