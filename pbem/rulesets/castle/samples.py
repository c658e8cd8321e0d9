"""Lines that a letter shows as examples: one of each kind that is possible now, with what is known of it."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.core.briefing import Said, Sample
from pbem.rulesets.castle import judge, muster
from pbem.rulesets.castle.dial import Rules, points
from pbem.rulesets.castle.orders import ARMY, CLOSES, HEADING, MOVES, OPENS, RESTS, Order, say
from pbem.rulesets.castle.state import Figure, Section, War

MOST = 5
"""Of how many kinds one is shown."""


def samples(rules: Rules, war: War, seat: str) -> Iterator[Sample]:
    """Yield lines that a seat could order as things are: of each kind the first, everybody once."""
    if war.at.is_setup:
        yield from _army(rules, war, seat)
        return
    kinds: set[str] = set()
    busy: set[str] = set()
    for order in judge.legal(rules, war, seat):
        kind = _kind(order)
        if kind in kinds or order.do == RESTS or busy & {*order.who} or len(kinds) == MOST:
            continue
        kinds.add(kind)
        busy |= {*order.who}
        yield Sample(HEADING, say(order), _said(rules, war, order))


def _kind(order: Order) -> str:
    """Return what an order shows of how orders look: of moves the form of their way."""
    if order.do in (OPENS, CLOSES):
        return OPENS
    ways = ("toward" * bool(order.toward), "section" * bool(order.enters or order.leaves))
    return " ".join((order.do, *ways)) if order.do == MOVES else order.do


def _said(rules: Rules, war: War, order: Order) -> Said:
    if order.do in (OPENS, CLOSES):
        return Said("sample.portal")
    known = "; ".join(judge.notes(rules, war, order))
    return Said("sample.known", {"known": known}) if known else Said("sample.through")


def _army(rules: Rules, war: War, seat: str) -> Iterator[Sample]:
    """Yield a section and a warrior of the army that a seat has if it builds none."""
    side = next((side for side, owner in war.seats.items() if owner == seat), "")
    board = war.board
    sections = [one for one in board.sections if one.side == side][:1]
    names = {one.id for one in sections}
    warriors = [one for one in board.figures if one.side == side and (not names or one.on in names)][:1]
    every: tuple[Figure | Section, ...] = (*sections, *warriors)
    for one, order in zip(every, muster.lines_of(side, sections, warriors, ()), strict=True):
        yield Sample(ARMY, say(order), Said("sample.costs", {"points": points(rules, one)}))
