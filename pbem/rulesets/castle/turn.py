"""A player turn: leaders, portals, actions one after another, and its end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from pbem.core.play import Play
from pbem.core.problem import Problem, first_problem
from pbem.core.rule import rule
from pbem.core.ruleset import Files
from pbem.core.sequence import ACTIVE, BOTH, SETUP, TURN, Cursor, Phase, turn_by_turn
from pbem.rulesets.castle import abilities, ladders, melee, moves, portals, ranged
from pbem.rulesets.castle.actions import acted, exhausted, none_left, once, rest
from pbem.rulesets.castle.dial import Rules, can, window
from pbem.rulesets.castle.events import OrderSkipped, PhaseBegan, PhaseEnded, Turned
from pbem.rulesets.castle.facing import FACINGS, facing_of
from pbem.rulesets.castle.formations import column, no_formation, together
from pbem.rulesets.castle.movement import speed, walk
from pbem.rulesets.castle.orders import (
    ARMY,
    ATTACKS,
    CAPTURES,
    CLOSES,
    HEADING,
    MOVES,
    OPENS,
    RAISES,
    RESTS,
    SHOOTS,
    TAKES,
    TURNS,
    Order,
    say,
)
from pbem.rulesets.castle.space import enemies_at
from pbem.rulesets.castle.state import Figure, Section, War
from pbem.rulesets.castle.victory import at_once, at_the_end
from pbem.text.similar import did_you_mean

PHASE = "actions"
SEQUENCE = turn_by_turn(
    Phase(PHASE, HEADING, ACTIVE, "Actions"), placing=Phase(SETUP, ARMY, BOTH, "Armies", 1, TURN)
)
MOVING = (MOVES, TURNS, RAISES, TAKES)
"""What is a move action."""


def advance(rules: Rules, war: War) -> Sequence[object]:
    """Return what leads from a player turn to the next one, or to the end of the game."""
    events: list[object] = [PhaseEnded(war.at.phase)]
    over = at_once(rules, war)
    if over is not None:
        return [*events, over]
    then = rules.sequence.after(
        war.at, [side.id for side in war.board.sides], lambda part, at: at.turn <= war.board.length
    )
    if then is None:
        return [*events, at_the_end(rules, war)]
    return [*events, PhaseBegan(then.phase, then.turn, then.side)]


def first(war_sides: Sequence[str]) -> Cursor:
    """Return where a game begins."""
    return Cursor(PHASE, 1, war_sides[0])


def orders_of(files: Files) -> Iterator[tuple[str, Order]]:
    """Yield the orders of a player turn, seat by seat, portals first (MK11.5)."""
    every = [(seat, order) for seat in sorted(files) for sheet in files[seat] for order in sheet.orders]
    yield from (one for one in every if one[1].do in (OPENS, CLOSES))
    yield from (one for one in every if one[1].do not in (OPENS, CLOSES))


@rule("MKB26")
def play_turn(rules: Rules, play: Play[War], files: Files) -> None:
    """Carry out a player turn: what cannot be done is skipped, and its action kept."""
    side = play.state.at.side
    abilities.leaders(rules, play, side)
    abilities.poisons(rules, play, side)
    for seat, order in orders_of(files):
        problem = wrong(rules, play.state, order, seat)
        if problem is None:
            problem = carry_out(rules, play, order)
        if problem is not None:
            play.happen(OrderSkipped(seat, say(order), problem.code, problem.rule, dict(problem.args)))
    rest(rules, play, side)


# --- what is wrong with an order, as things are


def units_of(war: War, order: Order) -> list[Figure | Section]:
    """Return those who are to do something."""
    return [war.one(id_) for id_ in order.who]


def wrong(rules: Rules, war: War, order: Order, seat: str) -> Problem | None:
    """Return why an order cannot be carried out as things are, or None."""
    if order.do in (OPENS, CLOSES):
        return _wrong_portal(rules, war, order, seat)
    problem = first_problem(_wrong_names(war, order, seat))
    if problem is not None:
        return problem
    units = units_of(war, order)
    moving = order.do in MOVING
    return first_problem(
        (
            *(once(rules, one, moving) for one in units),
            # to rest is no action, so nobody is too tired for it (MKB3, MKB4)
            *(exhausted(rules, one) for one in units if order.do != RESTS),
            None if order.do == RESTS else none_left(rules, war, units[0].side, units),
            *(runs(rules, war, order, one) for one in units),
            _wrong_deed(rules, war, order, units),
        )
    )


@rule("MKB16")
def runs(rules: Rules, war: War, order: Order, one: Figure | Section) -> Problem | None:
    """Return why a demoralized warrior is not given an order, or None: he only moves, and toward his own
    edge.
    """
    if not isinstance(one, Figure) or not window(rules, one).demoralized or order.do == RESTS:
        return None
    if order.do == MOVES and not any(
        id_ and id_ not in {section.id for section in war.standing} for id_ in (order.enters, order.leaves)
    ):
        _, after = moves.ends(rules, war, one, order)
        if (after < one.y) is (one.side == war.board.castle) and after != one.y:
            return None
    return Problem("castle.demoralized", {"who": one.name}, rule="MKB16")


def _wrong_names(war: War, order: Order, seat: str) -> Iterator[Problem | None]:
    """Yield who is named that there is not, or who is not the seat's, or out of the game."""
    targets = order.targets[1:] if order.do in (RAISES, TAKES) else order.targets
    for name in (*order.who, *targets, order.toward, order.behind, order.enters, order.leaves):
        if name and not war.knows(name):
            crowd = name in ("all", "everybody", "everyone", "they", "both")
            help_ = "each by name" if crowd else did_you_mean(name, [one.id for one in war.all])
            yield Problem("castle.nobody", {"name": name}, rule="MKB26", help=help_)
    for name in filter(war.knows, order.who):
        one = war.one(name)
        if one.owner != seat:
            own = ", ".join(other.id for other in war.left if other.owner == seat)
            yield Problem("castle.not-yours", {"who": one.name}, rule="MKB26", help=f"yours are {own}")
        elif one.out or (isinstance(one, Figure) and one.captor):
            yield Problem("castle.gone", {"who": one.name}, rule="MKB15")
    if len(set(order.who)) < len(order.who):
        yield Problem("castle.twice", rule="MKB17")


def _wrong_portal(rules: Rules, war: War, order: Order, seat: str) -> Problem | None:
    found = portals.found(rules, war, order.targets[0])
    if not found:
        return Problem("castle.no-portal", {"name": order.targets[0]}, rule="MK11.1")
    return first_problem(
        portals.wrong(rules, war, section, portal, order.do, war.at.side) for section, portal in found
    )


def _wrong_deed(rules: Rules, war: War, order: Order, units: Sequence[Figure | Section]) -> Problem | None:
    if order.do in (ATTACKS, CAPTURES):
        return melee.why_not(rules, war, units, war.one(order.targets[0]), order.do == CAPTURES)
    if order.do == SHOOTS:
        targets = [war.one(id_) for id_ in order.targets]
        return ranged.why_not(rules, war, units, targets, order.share, order.long)
    if order.do == RESTS:
        return None
    if order.do in abilities.ABILITIES:
        return abilities.why_not(rules, war, units, order)
    still = first_problem(_never_moves(one) for one in units)
    if still is not None:
        return still
    if order.do in (RAISES, TAKES):
        return _wrong_ladder(rules, war, order, [one for one in units if isinstance(one, Figure)])
    return _wrong_move(rules, war, order, units)


@rule("MK3.7")
def _never_moves(one: Figure | Section) -> Problem | None:
    """Return why somebody is not moved, or None: a section never is."""
    return melee.only_shoots(one)


def _wrong_ladder(rules: Rules, war: War, order: Order, units: Sequence[Figure]) -> Problem | None:
    ladder = next((one for one in war.ladders if one.id == order.targets[0]), None)
    if ladder is None:
        return Problem("castle.no-ladder", {"name": order.targets[0]}, rule="MK8.7")
    problem = ladders.carriers(rules, war, units)
    if problem is not None:
        return problem
    if order.do == TAKES:
        return ladders.no_taking(rules, war, units, ladder)
    section = next((one for one in war.standing if one.id == order.targets[1]), None)
    if section is None:
        return Problem("castle.no-section", {"name": order.targets[1]}, rule="MK8.8")
    return ladders.no_raising(rules, war, units, ladder, section)


def _wrong_move(rules: Rules, war: War, order: Order, units: Sequence[Figure | Section]) -> Problem | None:
    one = units[0]
    if not isinstance(one, Figure):
        return None
    if order.facing and facing_of(war, one, order.facing) is None:
        return Problem("castle.facing", {"facing": order.facing}, rule="MKB5", help=FACINGS)
    if len(units) > 1:
        if order.heading is None or order.enters or order.leaves:
            return Problem("castle.formation-way", rule="MKB17", help="such as: odo, hal, wat move 6 n")
        if order.forms and order.behind not in order.who:
            return Problem("castle.formation-first", {"who": order.behind}, rule="MKB17", help=order.who[0])
        return no_formation(rules, war, units)
    if one.id in (order.toward, order.behind):
        return Problem("castle.himself", {"who": one.name}, rule="MKB5")
    for id_ in (order.enters, order.leaves):
        if id_ and id_ not in {section.id for section in war.standing}:
            return Problem("castle.no-section", {"name": id_}, rule="MK9.1")
    if order.leaves and one.on != order.leaves:
        return Problem("castle.not-on-it", {"who": one.name, "section": order.leaves}, rule="MK9.3")
    if order.abort and order.do == MOVES:
        stopped = moves.foreseen(rules, war, one, order).stopped
        if stopped and stopped != "contact":
            return Problem("castle.way-blocked", {"who": one.name}, rule="MKB5")
    return None


# --- what an order does


def carry_out(rules: Rules, play: Play[War], order: Order) -> Problem | None:
    """Carry out an order that can be; return what of it came to nothing, or None."""
    if order.do in (OPENS, CLOSES):
        for section, portal in portals.found(rules, play.state, order.targets[0]):
            portals.work(rules, play, section.id, portal, order.do)
        return None
    if order.do == RESTS:
        return None
    problem = None
    ran = False
    if order.do in (ATTACKS, CAPTURES):
        melee.strike(rules, play, order.who, order.targets[0], order.do == CAPTURES)
    elif order.do == SHOOTS:
        ranged.shoot(rules, play, order.who, order.targets, order.share, order.long)
    elif order.do in abilities.ABILITIES:
        abilities.use(rules, play, order)
    elif order.do == RAISES:
        ladders.put_up(rules, play, order.who, *order.targets)
    elif order.do == TAKES:
        ladders.take_down(rules, play, order.who, order.targets[0])
    elif order.do in (MOVES, TURNS):
        ran = not any(enemies_at(rules, play.state, play.state.figure(id_)) for id_ in order.who)
        problem = _move(rules, play, order)
    acted(rules, play, order.who, ran)
    return problem


def _move(rules: Rules, play: Play[War], order: Order) -> Problem | None:
    units = [play.state.figure(id_) for id_ in order.who]
    leaving = [one for one in units if order.do == MOVES]
    tried = [moves.breaks_away(rules, play, one) for one in leaving]
    free = all(tried)
    if len(units) > 1:
        if free:
            _move_together(rules, play, order, units)
        return None
    one = units[0]
    facing = facing_of(play.state, one, order.facing) if order.facing else None
    if order.do == TURNS or not free:
        if facing is not None and facing != one.facing and moves.may_turn(rules, play.state, one, facing):
            play.happen(Turned(one.id, facing, "order"))
        return None
    way = moves.way_of(rules, play.state, one, order)
    if not way and (order.enters or order.leaves):
        way = moves.approach(rules, play.state, one, order)
    if way:
        reach = speed(rules, play.state, one)
        found = walk(rules, play.state, one, way, reach, moves.contacts(play.state, one, order))
        there = play.state.figure(one.id)
        moves.moved(rules, play, there, found, _look(play.state, there, found.path[-1], order))
    if order.enters or order.leaves:
        return moves.passes(rules, play, play.state.figure(one.id), order)
    return None


def _look(war: War, one: Figure, at: tuple[int, int], order: Order) -> int | None:
    """Return where somebody is told to look at the end of a way; None where he is not told."""
    if not order.facing or order.enters or order.leaves:
        return None
    return facing_of(war, replace(one, x=at[0], y=at[1]), order.facing)


def _move_together(rules: Rules, play: Play[War], order: Order, units: Sequence[Figure]) -> None:
    step = moves.ahead((0, 0), order.heading or 0, order.far)
    if order.forms:
        done = column(rules, play.state, units, order.behind, step)
    else:
        done = together(rules, play.state, units, step)
    for one, found in done:
        # a rider who turned among others would leave the one beside him
        told = _look(play.state, one, found.path[-1], order)
        facing = one.facing if can(rules, one, "mounted") else told
        moves.moved(rules, play, play.state.figure(one.id), found, facing)
