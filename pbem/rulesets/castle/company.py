"""What a page offers beside single orders: what several do in formation, a titan's second action, armies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, islice

from pbem.core.sheet import Muster, Ready, Recruit
from pbem.geometry.plane import Shape
from pbem.rulesets.castle import muster
from pbem.rulesets.castle.actions import exhausted, once
from pbem.rulesets.castle.attack import value
from pbem.rulesets.castle.dial import Rules, can, points, row, window
from pbem.rulesets.castle.formations import no_formation, of_one_kind
from pbem.rulesets.castle.ladders import carried
from pbem.rulesets.castle.orders import ATTACKS, CAPTURES, LADDER, RAISES, SHOOTS, TAKES, Order, say
from pbem.rulesets.castle.space import body, enemies_at, in_contact
from pbem.rulesets.castle.state import Figure, Section, War
from pbem.rulesets.castle.turn import wrong

MOST = 120
"""Formations of one side whose blows, shots and ladders a page offers, small ones first: a crowd makes
thousands.
"""

Party = tuple[Figure, ...]


def able(rules: Rules, war: War, seat: str) -> tuple[Figure, ...]:
    """Return the warriors of a seat that may act in its side's turn as things are."""
    return tuple(
        one
        for one in war.up
        if one.owner == seat
        and one.side == war.at.side
        and not window(rules, one).demoralized
        and once(rules, one, True) is None
        and exhausted(rules, one) is None
    )


def sizes(rules: Rules) -> tuple[int, int]:
    """Return how many make a formation, at least and at most (MKB17)."""
    table = rules.tables["attacks"]["formation"]
    return table["least"], table["most"]


def bands(rules: Rules, war: War, seat: str) -> tuple[tuple[str, ...], ...]:
    """Return the warriors of a seat that may act in formation, faction by faction."""
    found: dict[str, list[str]] = {}
    for one in able(rules, war, seat):
        if of_one_kind(rules, [one]):
            found.setdefault(row(rules, one)["faction"], []).append(one.id)
    return tuple(tuple(names) for names in found.values() if len(names) >= sizes(rules)[0])


def touching(rules: Rules, war: War, every: Sequence[Sequence[str]]) -> tuple[tuple[str, str], ...]:
    """Return the pairs of one band, of several, that are in contact."""
    return tuple(
        (a, b)
        for names in every
        for a, b in combinations(names, 2)
        if in_contact(rules, war, war.figure(a), war.figure(b))
    )


def formations(rules: Rules, war: War, units: Sequence[Figure]) -> Iterator[Party]:
    """Yield who of some may act as one, small formations first, ``MOST`` of them."""
    yield from islice(_every(rules, war, units), MOST)


def _every(rules: Rules, war: War, units: Sequence[Figure]) -> Iterator[Party]:
    crowds = _crowds(rules, war, units)
    least, most = sizes(rules)
    for count in range(least, most + 1):
        for crowd in crowds:
            for party in combinations(crowd, count):
                if no_formation(rules, war, party) is None:
                    yield party


def _crowds(rules: Rules, war: War, units: Sequence[Figure]) -> list[list[Figure]]:
    """Return some in crowds: who is in one is in contact with another of it."""
    left, found = list(units), []
    while left:
        crowd = [left.pop(0)]
        for one in crowd:
            near = [other for other in left if in_contact(rules, war, one, other)]
            crowd += near
            left = [other for other in left if other not in near]
        found.append(crowd)
    return found


def orders(rules: Rules, war: War, seat: str, alone: Sequence[Order]) -> Iterator[Order]:
    """Yield what a seat may order for several at once as things are: blows and shots at whom each of them
    could strike alone, which ``alone`` lists, and ladders.
    """
    strikers: dict[tuple[str, str], list[Figure]] = {}
    for order in alone:
        if order.do in (ATTACKS, CAPTURES, SHOOTS) and len(order.who) == len(order.targets) == 1:
            one = war.one(order.who[0])
            if isinstance(one, Figure):
                strikers.setdefault((order.do, order.targets[0]), []).append(one)
    found = [
        Order(_best_first(rules, party), do, (target,))
        for (do, target), units in strikers.items()
        for party in formations(rules, war, units)
    ]
    for party in formations(rules, war, able(rules, war, seat)):
        names = tuple(one.id for one in party)
        for ladder in carried(war, names):
            found += [Order(names, RAISES, (ladder.id, section.id)) for section in war.standing]
        found += [Order(names, TAKES, (ladder.id,)) for ladder in war.ladders if ladder.at]
    yield from (order for order in found if wrong(rules, war, order, seat) is None)


def _best_first(rules: Rules, party: Party) -> tuple[str, ...]:
    """Return the names of a formation, whose first one strikes: the best of them before the others."""
    best = max(party, key=lambda one: (value(rules, one, "attack"), value(rules, one, "damage")))
    return (best.id, *(one.id for one in party if one != best))


def building(rules: Rules, war: War, seat: str) -> Muster | None:
    """Return what a seat may build its army of (MK2.3), and the one that it has otherwise; None of a seat
    that builds none.
    """
    side = next((side for side, owner in war.seats.items() if owner == seat), "")
    if not side:
        return None
    kinds = [Figure("", "", id_, side, seat, 0, 0) for id_ in rules.tables["warriors"]["rows"]]
    found = [_recruit(rules, one, one.kind) for one in kinds]
    if side == war.board.castle:
        for kind in rules.tables["sections"]["rows"]:
            for weight in ("light", "heavy"):
                section = Section("", "", kind, side, seat, 0, 0, weight)
                found.append(_recruit(rules, section, f"{weight} {kind}"))
        found.append(Recruit(LADDER, f"a {LADDER}", 0, _rungs(rules), leans=True))
    board, measures = war.board, rules.tables["measures"]
    lines = [
        Ready(say(one), one.who[0], one.targets[0], one.at, one.facing)
        for one in muster.lines_of(side, board.sections, board.figures, board.ladders, board.planks)
    ]
    castle = side == board.castle
    return Muster(
        board.side(side).build,
        tuple(found),
        tuple(lines),
        "{who} is {kind} at {place}",
        "{who} is {kind} on {section} at {place}",
        " facing {facing}",
        "{who} is carried by {others}",
        sizes(rules),
        "{who} is {kind} at {section} at {place}" if castle else "",
        "{who} is a plank from {one} to {other}" if castle else "",
        (measures["adjoining"], measures["plank_longest"]),
    )


def _rungs(rules: Rules) -> Shape:
    """Return what a ladder covers on a map where an army is built."""
    half = rules.tables["measures"]["ladder_width"] // 2
    return ((-half, -half), (half, -half), (half, half), (-half, half))


def _recruit(rules: Rules, one: Figure | Section, said: str) -> Recruit:
    text = said.replace("_", " ")
    shape, size = body(rules, one)
    article = "an" if text[0] in "aeiou" else "a"
    corners = tuple((x, y) for x, y in shape)
    section = isinstance(one, Section)
    wall = section and bool(row(rules, one)["wall"])
    return Recruit(text, f"{article} {text}", points(rules, one), corners, size, section, wall)


def acts_again(rules: Rules, war: War, seat: str) -> tuple[str, ...]:
    """Return who of a seat strikes once he has moved, with an action more (MKB20)."""
    units = able(rules, war, seat)
    return tuple(one.id for one in units if can(rules, one, "titan") and not enemies_at(rules, war, one))
