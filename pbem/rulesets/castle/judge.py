"""What the rules have to say of an order file, and what may be ordered."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from pbem.core.play import Play
from pbem.core.problem import Problem
from pbem.core.ruleset import Judgement
from pbem.core.sheet import Choices, Entry
from pbem.geometry.plane import Point, inches
from pbem.rulesets.castle import abilities, melee, moves, muster, portals, ranged
from pbem.rulesets.castle.actions import allowance, extra
from pbem.rulesets.castle.attack import chance
from pbem.rulesets.castle.dial import Rules, can, clicks_said, row, window
from pbem.rulesets.castle.events import SHORT, Acted, Moved, OrderSkipped, Passed, apply
from pbem.rulesets.castle.facing import COMPASS, in_words
from pbem.rulesets.castle.movement import speed
from pbem.rulesets.castle.orders import (
    ATTACKS,
    CAPTURES,
    CLOSES,
    HEADING,
    MOVES,
    OPENS,
    RESTS,
    SHOOTS,
    Order,
    Sheet,
    say,
)
from pbem.rulesets.castle.space import enemies_at
from pbem.rulesets.castle.state import Figure, Section, War
from pbem.rulesets.castle.turn import carry_out, wrong

One = Figure | Section


class Step(Struct, frozen=True):
    """An order as understood, with what is known of it beforehand."""

    order: Order
    notes: tuple[str, ...] = ()


class _NoChance:
    """Dice of which none falls: whoever asks for one learns that the course ends there."""

    def values(self, label: str, sides: int, count: int) -> tuple[int, ...]:
        raise LookupError(label)


def check(rules: Rules, war: War, sheet: Sheet, earlier: tuple[Sheet, ...]) -> Judgement:
    """Return what is wrong with a file; moves are followed one by one, as if nobody was hurt."""
    found = list(_standing(war, sheet))
    if war.at.is_setup:
        return _army(rules, war, sheet, found)
    course: list[Step] = []
    hoped = may_win(rules, war)
    lines = sorted(placed(sheet), key=lambda pair: pair[1].do not in (OPENS, CLOSES))
    for place, order in lines:
        problem = wrong(rules, war, order, sheet.seat)
        if problem is not None and problem.code == "castle.no-action" and hoped:
            hoped -= 1
            args = dict(problem.args)
            problem = Problem("doubt.castle-no-action", args, rule="MKB22")
        if problem is not None:
            found.append(problem.at(HEADING, place))
        if problem is None:
            after, events = followed(rules, war, order)
            found += [doubt.at(HEADING, place) for doubt in doubtful(rules, war, order, events)]
            gone = [
                event
                for event in events
                if isinstance(event, Moved | Passed) and event.figure in order.who[:1]
            ]
            course.append(Step(order, (_gone(gone[-1]),) if gone else notes(rules, war, order)))
            war = after
        elif problem.is_doubt:
            course.append(Step(order, notes(rules, war, order)))
    return Judgement(tuple(found), course, war)


def placed(sheet: Sheet) -> list[tuple[int, Order]]:
    """Return the orders of a file, each with its place among the lines of its section."""
    places = sheet.places or range(len(sheet.orders))
    return list(zip(places, sheet.orders, strict=True))


def _army(rules: Rules, war: War, sheet: Sheet, found: list[Problem]) -> Judgement:
    """Return what is wrong with an army, and what it costs."""
    side = next(side for side, seat in war.seats.items() if seat == sheet.seat)
    army = muster.Army(rules, war, side, sheet.seat, placed(sheet))
    if sheet.army:
        found += army.wrong()
    course = [Step(order, muster.price(army, order)) for order in sheet.orders]
    return Judgement(tuple(found), course, army.alone() if sheet.army else war)


def may_win(rules: Rules, war: War) -> int:
    """Return how many actions leaders may yet win in this turn."""
    each: int = rules.tables["attacks"]["leader"]["actions"]
    return each * sum(one.side == war.at.side and can(rules, one, "leader") for one in war.up)


def _standing(war: War, sheet: Sheet) -> Iterator[Problem]:
    """Yield what is wrong with what a file says beforehand."""
    told = sheet.told
    if told is None:
        return
    for name in told.victim:
        if name not in {one.id for one in war.figures}:
            path = ("standing", "everyone", "victim")
            yield Problem("castle.nobody", {"name": name}, path, rule="MK10.5")
    known = (*COMPASS, "keep")
    if told.collapse and told.collapse not in known and not told.collapse.isdecimal():
        path = ("standing", "everyone", "collapse")
        help_ = "one of " + ", ".join(known) + ", or degrees"
        yield Problem("castle.facing", {"facing": told.collapse}, path, rule="MK15.3", help=help_)


def followed(rules: Rules, war: War, order: Order) -> tuple[War, Sequence[object]]:
    """Return a game after an order as far as no die is needed for it, and what happened."""
    play = Play(war, str(war.at), apply, _NoChance())
    try:
        short = carry_out(rules, play, order)
    except LookupError:
        for n, id_ in enumerate(order.who):
            one = war.one(id_)
            war = apply(war, Acted(id_, one.tokens + 1, int(not n and isinstance(one, Figure))))
        return war, ()
    if short is not None:
        play.happen(OrderSkipped("", say(order), short.code, short.rule, dict(short.args)))
    return play.state, play.events


def doubtful(rules: Rules, war: War, order: Order, events: Sequence[object]) -> Iterator[Problem]:
    """Yield what somebody may not have meant by an order that can be carried out: a way longer than he can
    go, a place beside the table, a move that leads nowhere, a passage that he will not find free.
    """
    short = next((event for event in events if isinstance(event, OrderSkipped)), None)
    if short is not None:
        yield Problem(short.code.replace("castle.", "doubt.castle-"), short.args, rule=short.rule)
    if order.do != MOVES:
        return
    units = [war.figure(id_) for id_ in order.who]
    who = ", ".join(one.name for one in units)
    reach = min(speed(rules, war, one) for one in units)
    if order.far > reach and not order.as_far:
        help_ = f"{say(replace(order, far=reach))}; or: {say(replace(order, as_far=True))}"
        args = {"who": who, "inches": inches(reach)}
        yield Problem("doubt.castle-farther", args, rule="MKB5", help=help_)
    beside = [at for at in order.way if not in_table(war, at)]
    if beside:
        x, y = beside[0]
        args = {"place": f"{inches(x)} {inches(y)}", "width": inches(war.board.width)}
        yield Problem("doubt.castle-beside", {**args, "depth": inches(war.board.depth)}, rule="MKB1")
    gone = [event for event in events if isinstance(event, Moved)]
    if gone and not short and not order.enters and all(event.path[0] == event.path[-1] for event in gone):
        why = SHORT.get(gone[0].stopped, "he is there already")
        yield Problem("doubt.castle-nowhere", {"who": who, "why": why}, rule="MKB5")


def in_table(war: War, at: Point) -> bool:
    """Tell whether a place is on the table."""
    return 0 <= at[0] <= war.board.width and 0 <= at[1] <= war.board.depth


def notes(rules: Rules, war: War, order: Order) -> tuple[str, ...]:
    """Return what is known of an order: where a way ends, what an attack needs, its chance and its clicks."""
    if order.do in (ATTACKS, CAPTURES):
        units = [one for one in map(war.one, order.who) if isinstance(one, Figure)]
        target = war.one(order.targets[0])
        capture = order.do == CAPTURES
        if isinstance(target, Figure) and len(melee.exposed(rules, war, units, target, capture)) > 1:
            return _chosen(rules, war, units, target, capture)
        return (_struck(rules, war, units, target, capture),)
    if order.do == SHOOTS:
        shooters = [war.one(id_) for id_ in order.who]
        said = []
        for id_ in order.targets:
            target = war.one(id_)
            values = ranged.values(rules, war, shooters, target)
            far = ranged.is_long(rules, shooters[0], target, order.long)
            clicks = ranged.clicks_of(rules, shooters[0], target, far)
            said.append(_odds(rules, values[0].total, values[1].total, clicks))
        return tuple(said)
    if order.do in abilities.ABILITIES:
        rolls = abilities.rolls(rules, war, order)
        return tuple(_odds(rules, attack.total, defence.total, clicks) for attack, defence, clicks in rolls)
    if order.do == MOVES and len(order.who) == 1:
        return _way(rules, war, order)
    return ()


def _struck(rules: Rules, war: War, units: Sequence[Figure], target: One, capture: bool) -> str:
    attack, defence = melee.values(rules, war, units, target, capture)
    clicks = window(rules, units[0]).damage + melee.ramming(rules, units[0], target)
    return _odds(rules, attack.total, defence.total, 0 if capture else clicks)


def _chosen(
    rules: Rules, war: War, units: Sequence[Figure], target: Figure, capture: bool
) -> tuple[str, ...]:
    """Return what a blow needs against each of those among whom the defender chooses
    (MK10.5).
    """
    others = melee.exposed(rules, war, units, target, capture)
    said = [f"{other.id} {_struck(rules, war, units, other, capture)}" for other in others]
    return (f"the defender chooses: {said[0]}", *(f"or {each}" for each in said[1:]))


def _odds(rules: Rules, attack: int, defence: int, clicks: int) -> str:
    hits, throws = chance(rules, defence - attack)
    what = f"; {clicks_said(clicks)}" if clicks else ""
    return f"needs {defence - attack} on 2d6, {hits} in {throws}{what}"


def _way(rules: Rules, war: War, order: Order) -> tuple[str, ...]:
    one = war.figure(order.who[0])
    away = (f"breaks away first from {len(near)}",) if (near := enemies_at(rules, war, one)) else ()
    if not moves.way_of(rules, war, one, order):
        return away
    found = moves.foreseen(rules, war, one, order)
    return (*away, _comes(*found.path[-1], found.stopped))


def _gone(event: Moved | Passed) -> str:
    return _comes(event.x, event.y, event.stopped if isinstance(event, Moved) else "")


def _comes(x: int, y: int, stopped: str) -> str:
    """Return where a way ends, and what ends it short."""
    return ", ".join((f"comes to {inches(x)},{inches(y)}", *((SHORT[stopped],) if stopped else ())))


def forecast(rules: Rules, course: Sequence[Step]) -> list[str]:
    """Return one line for each order as understood."""
    return [say(step.order) + (f" ({'; '.join(step.notes)})" if step.notes else "") for step in course]


# --- what may be ordered


def legal(rules: Rules, war: War, seat: str) -> Iterator[Order]:
    """Yield orders that a seat may give as things are: portals; of each of its own what it can attack and
    shoot, and moves in eight directions, toward every enemy, and through access points.
    """
    if war.at.is_setup:
        side = next((side for side, owner in war.seats.items() if owner == seat), "")
        board = war.board
        yield from muster.lines_of(side, board.sections, board.figures, board.ladders, board.planks)
        return
    if war.winner or not any(one.side == war.at.side and one.owner == seat for one in war.of(war.at.side)):
        return
    for section, portal, does in portals.every(rules, war, war.at.side):
        yield Order((), does, (f"{section.id}-{portal}",))
    for one in war.of(war.at.side):
        if one.owner == seat:
            yield from (order for order in _of(rules, war, one) if wrong(rules, war, order, seat) is None)


def _of(rules: Rules, war: War, one: Figure | Section) -> Iterator[Order]:
    who = (one.id,)
    enemies = [other for other in war.left if other.side != one.side]
    if isinstance(one, Figure):
        yield from (Order(who, ATTACKS, (other.id,)) for other in enemies)
    yield from (Order(who, SHOOTS, (other.id,)) for other in enemies)
    if isinstance(one, Figure):
        yield from _moves(rules, war, one, enemies)
        yield from abilities.every(rules, war, one)
    yield Order(who, RESTS)


def _moves(rules: Rules, war: War, one: Figure, enemies: Sequence[Figure | Section]) -> Iterator[Order]:
    who = (one.id,)
    for section in war.standing:
        for order in (Order(who, MOVES, enters=section.id), Order(who, MOVES, leaves=section.id)):
            if not isinstance(moves.passage(rules, war, one, order), Problem):
                yield order
    yield from (Order(who, MOVES, toward=other.id, until_contact=True) for other in enemies)
    reach = speed(rules, war, one)
    for word in range(len(COMPASS)):
        order = Order(who, MOVES, heading=word * (3600 // len(COMPASS)), far=reach)
        if moves.foreseen(rules, war, one, order).path[1:]:
            yield order


def about(rules: Rules, war: War, one: Figure | Section) -> str:
    """Return who somebody is and where, for an order sheet."""
    shown = window(rules, one)
    where: Point = one.at
    on = f" on {one.on}" if isinstance(one, Figure) and one.on else ""
    values = f"{shown.first}-{shown.attack}-{shown.defence}-{shown.damage}"
    tokens = f", {one.tokens} tokens" if one.tokens else ""
    name = str(row(rules, one)["name"])
    place = f"{inches(where[0])},{inches(where[1])}"
    return f"{name}, {values}, at {place}{on}, looks to {in_words(one.facing)}{tokens}"


def sheet(rules: Rules, war: War, seat: str) -> Iterator[Entry]:
    """Yield what stands on the order sheet of a seat."""
    found: dict[str, list[Order]] = {}
    for order in legal(rules, war, seat):
        unit = order.who[0] if order.who else order.targets[0].rpartition("-")[0]
        found.setdefault(unit, []).append(order)
    for unit, orders in found.items():
        choices = tuple(Choices(say(order), notes(rules, war, order)) for order in orders)
        said = "" if war.at.is_setup else about(rules, war, war.one(unit))
        yield Entry(unit, said, choices)


def actions_left(rules: Rules, war: War) -> tuple[int, int]:
    """Return how many actions the side to play has, and how many for sections alone."""
    return allowance(rules, war, war.at.side), extra(rules, war, war.at.side)
