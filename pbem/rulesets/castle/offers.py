"""What a page can offer: orders to click, how many there may be, and where each warrior can go."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.core.sheet import Budget, Forms, Offer, Ring, Roamer, Roaming, Solid
from pbem.geometry.court import Body
from pbem.geometry.plane import CONTACT, INCH, TOLERANCE, TURN, inches
from pbem.rulesets.castle import abilities, company, judge, ranged
from pbem.rulesets.castle.actions import allowance, extra, used
from pbem.rulesets.castle.arcs import looks_everywhere
from pbem.rulesets.castle.dial import Rules, can, window
from pbem.rulesets.castle.facing import COMPASS
from pbem.rulesets.castle.movement import planked, speed
from pbem.rulesets.castle.orders import ATTACKS, MOVES, RAISES, RESTS, TAKES, TURNS, Order, say
from pbem.rulesets.castle.portals import closed_lines
from pbem.rulesets.castle.space import (
    base,
    enemies_at,
    footprint,
    hindering,
    radius,
    same_ground,
    smaller,
    solids,
)
from pbem.rulesets.castle.state import BLOCKING, Figure, Section, War
from pbem.rulesets.castle.turn import wrong

GOES, RUNS, RESTING, WORKS = "moves toward", "runs toward", "rests", "portals"
"""Kinds of offers that a page treats as such."""
FRONT = TURN // 4
"""How wide a front arc is (MKB9)."""


def offers(rules: Rules, war: War, seat: str) -> Iterator[Offer]:
    """Yield what a seat may order as things are, as something to click: targets with chances, portals, access
    points, moves up to an enemy. Moves to a place are no offers: ``roaming`` tells of them.
    """
    legal = tuple(judge.legal(rules, war, seat))
    together = () if war.at.is_setup else company.orders(rules, war, seat, legal)
    for order in (*legal, *together):
        found = _offer(rules, war, order)
        if found is not None:
            yield found


def _offer(rules: Rules, war: War, order: Order) -> Offer | None:
    said = say(order)
    if not order.who:
        return Offer((order.targets[0],), said, WORKS)
    if order.do == RESTS:
        return Offer(order.who, said, RESTING)
    if order.do in (RAISES, TAKES):
        return Offer(order.who, said, order.do, targets=order.targets[-1:])
    if order.do != MOVES:
        notes = judge.notes(rules, war, order)
        kind = f"{order.do} in formation" if len(order.who) > 1 else order.do
        return Offer(order.who, said, kind, targets=order.targets, notes=notes, label=_label(notes))
    if order.toward:
        runs = isinstance(one := war.one(order.who[0]), Figure) and window(rules, one).demoralized
        return Offer(order.who, said, RUNS if runs else GOES, targets=(order.toward,))
    section = order.enters or order.leaves
    if section:
        return Offer(order.who, said, "enters" if order.enters else "leaves", targets=(section,))
    return None


def _label(notes: Sequence[str]) -> str:
    """Return of what is known of an attack its chance, short: ``26/36``."""
    for note in notes:
        for part in note.replace(";", ",").split(", "):
            hits, word, throws = part.partition(" in ")
            if word and hits.isdecimal() and throws.isdecimal():
                return f"{hits}/{throws}"
    return ""


def forms(rules: Rules, war: War, seat: str) -> Forms:
    """Return how many actions may be ordered (MKB2, MK12.6)."""
    if war.at.is_setup:
        return Forms()  # an army has as many lines as it has points for
    side = war.at.side
    most, more = allowance(rules, war, side), extra(rules, war, side)
    every, spent = used(war, side)
    shots = every - spent
    left, rest = most - spent - max(shots - more, 0), max(more - shots, 0)
    alone = tuple(one.id for one in war.standing if one.side == side)
    return Forms(budget=Budget(left, rest, alone, (RESTING, WORKS), judge.may_win(rules, war)))


# --- where a warrior can go


class _Pool:
    """What is on a table, each once."""

    def __init__(self) -> None:
        self.listed: list[Solid] = []
        self.known: dict[Solid, int] = {}

    def place(self, body: Body, of: str = "") -> int:
        """Return the place of a body, which is added where it is new."""
        solid = Solid(tuple(body[0]), body[1], of)
        if solid not in self.known:
            self.known[solid] = len(self.listed)
            self.listed.append(solid)
        return self.known[solid]


def roaming(rules: Rules, war: War, seat: str) -> Roaming:
    """Return where the warriors of a seat can go that may move now."""
    pool = _Pool()
    who = []
    for one in war.up:
        if one.owner == seat and one.side == war.at.side:
            found = _roamer(rules, war, one, pool)
            if found is not None:
                who.append(found)
    for section in war.standing:
        if section.owner == seat and section.side == war.at.side:
            rings = _rings(rules, section)
            if rings:
                who.append(Roamer(section.id, section.at, section.facing, 0, 0, turns=False, rings=rings))
    for other in war.up:
        pool.place(base(rules, other), other.id)
    for section in war.standing:
        pool.place(footprint(rules, section), section.id)
    bands = company.bands(rules, war, seat)
    return Roaming(
        (war.board.width, war.board.depth),
        tuple(pool.listed),
        tuple(who),
        goes="{who} moves by {points}",
        turns="{who} turns to {facing}",
        facing=" facing {facing}",
        directions=COMPASS,
        listed=(GOES, RUNS),
        stirring=(GOES, RUNS, "enters", "leaves", RAISES, TAKES, *abilities.ABILITIES),
        firm=(RESTING, WORKS, GOES),
        first=(WORKS,),
        pressed=TOLERANCE,
        contact=CONTACT,
        gap=rules.tables["measures"]["adjoining"],
        bands=bands,
        touching=company.touching(rules, war, bands),
        together=company.sizes(rules),
        marches="{who} move {far} {direction}",
        columns="{who} form up behind {first} and move {far} {direction}",
        again=company.acts_again(rules, war, seat),
        strikes=f"{{who}} {ATTACKS} {{target}}",
        muster=company.building(rules, war, seat) if war.at.is_setup else None,
    )


def _roamer(rules: Rules, war: War, one: Figure, pool: _Pool) -> Roamer | None:
    """Return how a warrior can go; None of one that may not move now."""
    reach = speed(rules, war, one)
    runs = window(rules, one).demoralized
    sign = -1 if runs and one.side == war.board.castle else 1
    there = (one.x, one.y + sign * INCH)
    problem = wrong(rules, war, Order((one.id,), MOVES, way=(there,)), one.owner)
    if problem is not None and problem.code != "castle.demoralized":
        return None
    others = [
        pool.place(base(rules, other), other.id)
        for other in war.up
        if other.id != one.id and same_ground(one, other)
    ]
    foes = tuple(
        pool.place(base(rules, other), other.id)
        for other in war.up
        if other.side != one.side and same_ground(one, other)
    )
    bars, stops, floors, rests = list(others), [], [], []
    if one.on:
        floors = [pool.place(footprint(rules, section)) for section in war.standing]
        floors += [pool.place((plank.shape, 0)) for plank in war.planks if planked(war, plank.joins)]
        rests = [pool.place(smaller(rules, section, radius(rules, one))) for section in war.standing]
    else:
        bars += [
            pool.place((piece.shape, piece.radius)) for piece in war.board.terrain if piece.kind == BLOCKING
        ]
        bars += [pool.place(solid) for section in war.standing for solid in solids(rules, section)]
        bars += [pool.place((line, 0)) for line in closed_lines(rules, war)]
        stops = [pool.place(ground) for ground in hindering(rules, war)]
    near = enemies_at(rules, war, one)
    slow = ("half speed",) if reach < window(rules, one).first * INCH else ()
    away = (f"breaks away first from {', '.join(other.id for other in near)}",) if near else ()
    return Roamer(
        one.id,
        one.at,
        one.facing,
        reach,
        radius(rules, one),
        tuple(bars),
        tuple(stops),
        foes,
        tuple(floors),
        tuple(rests),
        flies=can(rules, one, "flying"),
        ahead=sign if runs else 0,
        turns=wrong(rules, war, Order((one.id,), TURNS, facing="0"), one.owner) is None,
        rings=_rings(rules, one),
        notes=(*slow, *away),
    )


def _rings(rules: Rules, one: Figure | Section) -> tuple[Ring, ...]:
    """Return the range of somebody who shoots, in his front arc."""
    if not ranged.shoots_at_all(rules, one):
        return ()
    reach = ranged.reach_of(rules, one)
    width = TURN if looks_everywhere(one) else FRONT
    return (Ring(f"range {inches(reach)}", reach, width),)
