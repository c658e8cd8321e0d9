"""Carries out order files: line by line, in the order of the lines, and tells what became of each.

What an order does is the topic's affair: a phase hands in one doer for each kind of order. Here only: which
file speaks for a seat, which branch is taken, when a file ends, and the few orders that belong to no phase
(to stay, to resign, to agree on a draw).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from pbem.core.play import Play
from pbem.core.problem import Problem
from pbem.core.ruleset import Files, Ruleset
from pbem.core.sequence import parse_cursor
from pbem.orders import carry_out as general
from pbem.orders.carry_out import source
from pbem.rulesets.siege.orders import conditions, grammar
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state.deed import Deed, Words, of
from pbem.rulesets.siege.state.events import (
    BranchTaken,
    DrawOffered,
    FileEnded,
    OrderRead,
    OrderSkipped,
    Resigned,
)
from pbem.rulesets.siege.state.orders import Attack, Item, Line, Order, OrderFile, Stop, When
from pbem.rulesets.siege.state.sentence import sentence
from pbem.rulesets.siege.state.state import Battle

Rules = Ruleset[Battle]
Doer = Callable[..., Problem | None]
"""(rules, play, seat, order) -> why it has become impossible, before anything happened; None if it was
carried out.
"""
Doers = Mapping[type[Any], Doer]


def carry_out(rules: Rules, play: Play[Battle], files: Files, phase_id: str, doers: Doers) -> None:
    """Carry out what the newest file of each seat orders for a phase, seat by seat in the order of their
    names.
    """
    done: set[tuple[frozenset[str], frozenset[str]]] = set()
    for seat in sorted(files):
        file: OrderFile = files[seat][-1]
        if not has_ended(play.state, file):
            _Carrier(rules, play, files, phase_id, doers, seat, done).items(file.sections.get(phase_id, ()))


def has_ended(battle: Battle, file: OrderFile) -> bool:
    """Tell whether a ``stop`` in one of its branches has ended a file in an earlier phase
    of its player turn.
    """
    text = battle.ended.get(file.seat, "")
    return general.has_ended(file, parse_cursor(text) if text else None)


def in_force(battle: Battle, file: OrderFile) -> bool:
    """Tell whether a file that covers a phase still speaks in it: no ``stop`` has ended it."""
    return not has_ended(battle, file)


class _Carrier:
    """One seat's section on its way through a phase."""

    def __init__(
        self,
        rules: Rules,
        play: Play[Battle],
        files: Files,
        phase: str,
        doers: Doers,
        seat: str,
        done: set[tuple[frozenset[str], frozenset[str]]],
    ) -> None:
        self.rules = rules
        self.play = play
        self.files = files
        self.phase = phase
        self.doers = doers
        self.seat = seat
        self.done = done

    def items(self, items: tuple[Item, ...]) -> None:
        """Carry out some items, until a ``stop`` among them ends the file."""
        general.carry_out(items, line=self.line, holds=self.holds, end=self.end)

    def holds(self, item: When) -> bool:
        """Tell whether a condition holds, and which branch is taken because of it."""
        known = family.known(self.rules, self.play.state, self.seat)
        value, why = conditions.holds(self.rules, known, item.condition)
        self.play.happen(BranchTaken(self.seat, source(item.path), item.condition.text, value, why))
        return value

    def end(self, stop: Stop) -> None:
        """End the file here."""
        self.play.happen(FileEnded(self.seat, source(stop.path), str(self.play.state.at)))

    def line(self, line: Line) -> None:
        """Carry out one order; one that has become impossible leaves nothing but an event that says why."""
        order = self.agreed(line.order)
        if order is None:
            return
        where, said = source(line.path), grammar.say(self.rules, line.order)
        begun = self.play.happen(OrderRead(self.seat, where, said))
        order, problem = self.seen(order)
        problem = problem or self.do(order)
        if problem is not None:
            if len(self.play.events) == begun + 1:
                del self.play.events[begun]  # nothing was carried out, so only the skipping is told
            self.play.happen(OrderSkipped(self.seat, where, said, problem.code, problem.rule, problem.args))
        for follow in family.here(self.rules, self.play.state).follows.get("order", ()):
            follow(self.rules, self.play)

    def seen(self, order: Order) -> tuple[Order, Problem | None]:
        """Return an order as it is carried out by those who are no longer in hiding because of it, or why it
        is not.
        """
        hiding = family.of(self.rules).hiding
        return (order, None) if hiding is None else hiding.before(self.rules, self.play, self.seat, order)

    def do(self, order: Order) -> Problem | None:
        """Do what belongs to no phase, and hand everything else to the doer of its kind."""
        deed = of(self.rules, order)
        if deed is not None and deed.plain is not None:
            return deed.plain(self.play, self.seat)
        doer = self.doers.get(type(order))
        if doer is None:
            return Problem("orders.not-now", {"order": grammar.say(self.rules, order)})
        return doer(self.rules, self.play, self.seat, order)

    def agreed(self, order: Order) -> Order | None:
        """Return a joint attack of several seats' figures without those whose own seat did not order it; None
        if it was carried out.
        """
        if not isinstance(order, Attack):
            return order
        units = self.play.state.units
        others = [id_ for id_ in order.who if units[id_].owner != self.seat]
        if not others:
            return order
        key = _combat(order)
        if key in self.done:
            return None
        self.done.add(key)
        sections = {seat: held[-1].sections.get(self.phase, ()) for seat, held in self.files.items()}
        willing = {
            seat
            for seat, items in sections.items()
            if any(_combat(other) == key for other in _attacks(items))
        }
        who = tuple(id_ for id_ in order.who if units[id_].owner in willing)
        return replace(order, who=who) if who else None


def _combat(order: Attack) -> tuple[frozenset[str], frozenset[str]]:
    return frozenset(order.who), frozenset(order.at)


def _attacks(items: tuple[Item, ...]) -> Iterator[Attack]:
    for item in items:
        if isinstance(item, When):
            yield from _attacks((*item.then, *item.otherwise))
        elif isinstance(item, Line) and isinstance(item.order, Attack):
            yield item.order


def _resign(play: Play[Battle], seat: str) -> None:
    play.happen(Resigned(play.state.side_of_seat[seat]))


def _offer(play: Play[Battle], seat: str) -> None:
    play.happen(DrawOffered(play.state.side_of_seat[seat]))


def no_offer(battle: Battle, seat: str) -> Problem | None:
    """Return that no other side offers a draw; None if one does."""
    if set(battle.draws) - {battle.side_of_seat[seat]}:
        return None
    return Problem("orders.no-offer", help="to offer one yourself, write: offer a draw")


def _accept(play: Play[Battle], seat: str) -> Problem | None:
    problem = no_offer(play.state, seat)
    if problem is None:
        play.happen(DrawOffered(play.state.side_of_seat[seat]))
    return problem


RESIGN = Deed(
    id="resign",
    sentences=(sentence("any", "resign", "resign"),),
    words=Words("resign", forms=("resign",), tells=("resign",)),
    plain=_resign,
)
OFFER_DRAW = Deed(
    id="offer-draw",
    sentences=(sentence("any", "offer a draw", "offer a draw"),),
    words=Words("offer-draw", forms=("offer a draw",)),
    plain=_offer,
)
ACCEPT_DRAW = Deed(
    id="accept-draw",
    sentences=(sentence("any", "accept the draw", "accept the draw"),),
    words=Words("accept-draw", forms=("accept the draw",)),
    plain=_accept,
)
