"""The orders about ladders, alone or with a second one: what to ask the checks for, and what to say of them.

Whether an order is legal is decided in ``carrying_ladders``, ``handling_ladders`` and ``climbing``; to topple
one is ``toppling``.
"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.core.problem import Problem
from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import around, neighbours
from pbem.rulesets.siege.ground import ladders
from pbem.rulesets.siege.march import climbing, movement, step
from pbem.rulesets.siege.march.walk import Walk
from pbem.rulesets.siege.orders import conditions
from pbem.rulesets.siege.state.deed import Deed, Needs, Words
from pbem.rulesets.siege.state.orders import Act
from pbem.rulesets.siege.state.sentence import sentence
from pbem.rulesets.siege.state.state import Battle, Thing, Unit
from pbem.rulesets.siege.things import carrying_ladders, handling_ladders, names

Rules = Ruleset[Battle]
Priced = tuple[Act, int | None]


def moves(rules: Rules, battle: Battle, unit: Unit) -> Iterator[Priced]:
    """Yield what could be done with ladders in the movement phase by a figure and, where it takes two, by one
    behind it in the alphabet.
    """
    if unit.on or not unit.at:
        return
    for ladder in ladders.ladders(battle):
        if ladder.stands == ladders.RAISED:
            yield from _climbs(rules, battle, unit, ladder)
            yield from _shifts(rules, battle, unit, ladder)
        else:
            yield from _carries(rules, battle, unit, ladder)


def by_two(rules: Rules, battle: Battle, unit: Unit) -> Iterator[Priced]:
    """Yield how a figure could take up a ladder beside it, or shift one, with another, whichever is the first
    by the alphabet.
    """
    for ladder in ladders.ladders(battle) if unit.at and not unit.on else ():
        near = _near(battle, ladder)
        if unit.hexes[0] in near and not ladders.carriers(battle, ladder):
            listed = _shifts if ladder.stands == ladders.RAISED else _carries
            orders = (
                found
                for id_ in battle.living_among(near)
                for found in listed(rules, battle, battle.units[id_], ladder)
            )
            yield from (
                (order, cost) for order, cost in orders if unit.id in order.who and len(order.who) > 1
            )


def _near(battle: Battle, ladder: Thing) -> frozenset[str]:
    """Return from where a ladder is taken up or shifted: its hexes, those beside it, and those beside its
    wall.
    """
    known: dict[str, frozenset[str]] = battle.once("near ladders", dict)
    if ladder.id not in known:
        beyond = neighbours(ladders.faced(ladder)) if ladder.facing else ()
        known[ladder.id] = frozenset((*ladders.near_hexes(ladder), *beyond))
    return known[ladder.id]


def _mate(battle: Battle, unit: Unit, other: str) -> bool:
    """Tell whether two figures are of one seat, the first by the alphabet first."""
    return other > unit.id and battle.units[other].owner == unit.owner


def _climbs(rules: Rules, battle: Battle, unit: Unit, ladder: Thing) -> Iterator[Priced]:
    for over in (False, True):
        order = Act("climb", (unit.id,), ladder.id, over=over)
        walk = climbing.plan(rules, battle, order)
        if isinstance(walk, Walk) and walk.stopped is None and len(walk.places) > 1:
            yield order, walk.cost


def _shifts(rules: Rules, battle: Battle, unit: Unit, ladder: Thing) -> Iterator[Priced]:
    """Yield how an upright ladder could be shifted and turned, or pulled up, with whom."""
    foot, top = ladder.at[0], ladders.faced(ladder)
    for mate in (
        id_
        for id_ in battle.living_among(around((foot, top) if top else (foot,)))
        if _mate(battle, unit, id_)
    ):
        who = (unit.id, mate)
        if handling_ladders.haul(rules):
            yield Act("pick-up", who, ladder.id), None
        for to in (foot, *neighbours(foot)):
            if to in battle.field.ground:
                for side in ladders.leans_over(rules, battle, ladder, to):
                    yield Act("shift", who, ladder.id, to=() if to == foot else (to,), facing=side), None


def _carries(rules: Rules, battle: Battle, unit: Unit, ladder: Thing) -> Iterator[Priced]:
    """Yield how a ladder that lies, or that two hold, could be picked up, carried and raised, or put down."""
    if unit.id not in ladder.by and not set(unit.hexes) & set(ladder.at):
        return
    held = ladders.carriers(battle, ladder)
    there = battle.living_among(ladder.at)
    mate = next((id_ for id_ in sorted(held or there) if _mate(battle, unit, id_)), "")
    if unit.id not in (held or there):
        return
    if held:
        yield Act("put-down", (unit.id,), ladder.id), None
    if not mate:
        return
    who = (unit.id, mate)
    if not held:
        yield Act("pick-up", who, ladder.id), None
        return
    if all(movement.time_to_move(rules, battle, battle.units[id_]) is None for id_ in who):
        for ends, cost in carrying_ladders.goals(rules, battle, ladder, who).items():
            yield Act("carry", who, ladder.id, to=ends), cost
    for foot in ladders.near_hexes(ladder):
        if foot in battle.field.ground:
            for side in ladders.leans_over(rules, battle, ladder, foot):
                yield Act("raise", who, ladder.id, to=(foot,), facing=side), None


def listed(rules: Rules, battle: Battle, unit: Unit) -> Iterator[Priced]:
    """Yield what a figure may do with ladders, alone or with a second one of its seat that stands behind it
    in the alphabet.
    """
    for order, cost in moves(rules, battle, unit):
        if names.not_in_force(rules, order):
            return
        # Where a ladder may be carried was found by the search that the check would make once more for each
        # goal.
        if order.do == "carry" or conditions.stands(rules, battle, "act", unit.owner, order):
            yield order, cost


# --- what there is to know


def about_carrying(rules: Rules, battle: Battle, order: Act) -> str:
    """Return by which way each goes, and what it costs."""
    march = carrying_ladders.plan(rules, battle, order)
    if isinstance(march, Problem):
        return ""
    ways = ", ".join(f"{id_} {' '.join(march.way(man))}" for man, id_ in enumerate(march.who))
    return f"{ways}, {march.cost} of {march.of} MP"


def about_shifting(rules: Rules, battle: Battle, order: Act) -> str:
    """Return what it costs each, and what he has left."""
    left = (
        f"{id_} {max(0, step.points(rules, battle, battle.units[id_]) - handling_ladders.effort(rules))}"
        for id_ in order.who
    )
    return f"{handling_ladders.effort(rules)} MP each; left: {', '.join(left)}"


_LADDERS = Needs("ladders", ("castle",))
_KINDS = (ladders.LADDER,)
PICK_UP = Deed(
    id="pick-up",
    sentences=(sentence("move", "{who:NAMES} pick/picks up {what:THING}", "tom, wat pick up ladder1"),),
    words=Words("pick-up", forms=("{names} pick[s] up {rest}",), does=("pick[s]",)),
    called="picks up",
    needs=_LADDERS,
    kinds=_KINDS,
    after=("move",),
    joined=True,
    check=handling_ladders.why_not_pick_up,
    do=handling_ladders.pick_up,
    priced=(listed,),
    lists_too=("carry", "raise", "shift", "climb", "put-down"),
    at_hand=True,
)
CARRY = Deed(
    id="carry",
    sentences=(
        sentence(
            "move",
            "{who:NAMES} carry/carries {what:THING} to {to:HEXES}",
            "tom, wat carry ladder1 to 0603 0602",
        ),
    ),
    words=Words(
        "carry",
        forms=("{names} (carry|carries) {rest}",),
        tells=("carry",),
        does=("carry", "carries"),
        unended=("carry", "carries"),
    ),
    called="carries",
    needs=_LADDERS,
    kinds=_KINDS,
    after=("pick-up",),
    check=carrying_ladders.why_not_carry,
    do=carrying_ladders.carry,
    about=about_carrying,
    grouped=True,
)
RAISE = Deed(
    id="raise",
    sentences=(
        sentence(
            "move",
            "{who:NAMES} raise/raises {what:LADDER} in {to:HEX} facing {facing:SIDE}",
            "tom, wat raise ladder1 in 0603 facing s",
        ),
    ),
    words=Words(
        "raise",
        forms=("{names} raise[s] {rest}",),
        tells=("raise",),
        does=("raise[s]",),
        unended=("raise[s]",),
    ),
    called="raises",
    keys={"in": "to"},
    needs=_LADDERS,
    kinds=_KINDS,
    after=("pick-up", "carry"),
    check=handling_ladders.why_not_raise,
    do=handling_ladders.set_up,
    about=lambda rules, battle, order: "ends the move of both",
)
SHIFT = Deed(
    id="shift",
    sentences=(
        sentence(
            "move",
            "{who:NAMES} shift/shifts {what:LADDER}[ to {to:HEX}] facing {facing:SIDE}",
            "tom, wat shift ladder1 to 0603 facing s",
        ),
    ),
    words=Words("shift", forms=("{names} shift[s] {rest}",), unended=("shift[s]",)),
    called="shifts",
    needs=_LADDERS,
    kinds=_KINDS,
    after=("move",),
    joined=True,
    parts=True,
    check=handling_ladders.why_not_shift,
    do=handling_ladders.shift,
    about=about_shifting,
)
CLIMB = Deed(
    id="climb",
    sentences=(sentence("move", "{who:NAME} climbs {what:LADDER}[over: and over]", "odo climbs ladder1"),),
    words=Words(
        "climb", forms=("{names} climbs {name}",), tells=("climbs",), does=("climb[s]",), unended=("climbs",)
    ),
    called="climbs",
    needs=_LADDERS,
    kinds=_KINDS,
    after=("shift",),
    check=climbing.why_not,
    do=climbing.climb,
    checks_itself=True,
    way=climbing.plan,
)
