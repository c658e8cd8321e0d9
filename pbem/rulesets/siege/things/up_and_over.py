"""Going up, going down and stepping over: one step that a thing makes possible, ordered by what it looks like
instead of by its end.

Which such steps there are is told by ``passages``; as a move to a place they need no order of their own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from pbem.core.play import Play
from pbem.core.problem import Problem
from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import hex_of
from pbem.rulesets.siege.ground import ladders, on_ladders, passages
from pbem.rulesets.siege.ground.towers import on_top
from pbem.rulesets.siege.march import movement, step
from pbem.rulesets.siege.march.walk import Walk
from pbem.rulesets.siege.orders import conditions
from pbem.rulesets.siege.state.deed import Deed, Needs, Words
from pbem.rulesets.siege.state.events import Moved
from pbem.rulesets.siege.state.orders import Act
from pbem.rulesets.siege.state.sentence import sentence
from pbem.rulesets.siege.state.state import Battle, Unit
from pbem.rulesets.siege.things import names, rams

Rules = Ruleset[Battle]
UP, DOWN, OVER = "up", "down", "step-over"
SAID: Final[Mapping[str, str]] = {UP: "goes up", DOWN: "goes down", OVER: "steps over"}


def ends(rules: Rules, battle: Battle, unit: Unit, do: str) -> tuple[str, ...]:
    """Return where passages lead from a figure up, down or over, whether it could stop there or not."""
    if not unit.at or len(unit.at) > 1:
        return ()
    here = unit.at[0]
    leads = passages.leading(rules, battle, here)
    return tuple(
        there
        for there, passage in leads.items()
        if (passage.looks or kind(here, there)) == do
        or (do == OVER and on_ladders.goes_over(battle, here, there))
    )


def kind(here: str, there: str) -> str:
    """Return what a passage looks like: up and down within a hex, over to another thing or to the wall; empty
    on one level of a thing.
    """
    if hex_of(here) == hex_of(there):
        return UP if on_top(there) else DOWN
    return OVER if on_top(here) != on_top(there) else ""


def plan(rules: Rules, battle: Battle, order: Act) -> Walk | Problem:
    """Return the step of a figure that goes up, down or over, or why it cannot."""
    unit = battle.units[order.who[0]]
    if problem := movement.time_to_move(rules, battle, unit):
        return problem
    if not unit.at:
        return Problem("movement.not-here", {"unit": unit.id}, help=f"{unit.id} enters at HEX")
    if order.do == UP and (problem := rams.nothing_on_top(battle, unit)):
        return problem
    found = ends(rules, battle, unit, order.do)
    open_ = [there for there in found if order.to in ((), (there,))]
    if not open_:
        names = {"unit": unit.id, "do": SAID[order.do], "here": unit.at[0]}
        help_ = (
            f"from there one {SAID[order.do]} to {' or '.join(found)}"
            if found
            else _by_a_ladder(battle, unit, order.do)
        )
        return Problem("crossing.nowhere", names, rule="S2.42e", help=help_)
    walks = [movement.to(rules, battle, unit, there, step.points(rules, battle, unit)) for there in open_]
    direct = [walk for walk in walks if isinstance(walk, Walk) and len(walk.places) == 2]
    if len(direct) > 1:
        names = {
            "unit": unit.id,
            "do": SAID[order.do],
            "places": " or ".join(walk.places[-1] for walk in direct),
        }
        return Problem("crossing.which", names, help=f"{unit.id} {SAID[order.do]} to {direct[0].places[-1]}")
    return direct[0] if direct else next((walk for walk in walks if isinstance(walk, Problem)), walks[0])


def _by_a_ladder(battle: Battle, unit: Unit, do: str) -> str:
    """Return what is written in the place of going up or down for who is on a ladder, or on the wall above
    one.
    """
    here = unit.at[0]
    ladder = ladders.in_hex(battle, here)
    if ladder is not None and do == DOWN:
        return f"off {ladder.id} he goes by a move, such as {unit.id} to HEX"
    if ladder is not None and do == UP:
        return f"{unit.id} steps over"
    upright = ladders.upright(battle) if do == DOWN else ()
    below = next((one for one in upright if ladders.top(battle, one) == here), None)
    return (
        f"{unit.id} to {below.at[0]}, where {below.id} stands"
        if below is not None
        else "a siege tower or a ladder must lead there"
    )


def why_not(rules: Rules, battle: Battle, order: Act) -> Problem | None:
    """Return why a figure does not go up, down or over; None if it does."""
    found = plan(rules, battle, order)
    return found if isinstance(found, Problem) else None


def go(rules: Rules, play: Play[Battle], order: Act) -> None:
    """Let a figure go up, down or over, which is its move."""
    walk = plan(rules, play.state, order)
    if isinstance(walk, Walk):
        play.happen(Moved(order.who[0], walk.places, walk.cost, walk.of))


# --- the orders


def _deed(do: str, template: str, example: str, needs: Needs, words: Words) -> Deed:
    def orders(rules: Rules, battle: Battle, unit: Unit) -> Iterator[tuple[Act, int | None]]:
        """Yield where a figure goes so."""
        found = ends(rules, battle, unit, do)
        places = ((there,) for there in found) if do == OVER or len(found) > 1 else ((),) if found else ()
        for to in places:
            order = Act(do, (unit.id,), to=to)
            if names.not_in_force(rules, order) is None and conditions.stands(
                rules, battle, "act", unit.owner, order
            ):
                walk = plan(rules, battle, order)
                yield order, walk.cost if isinstance(walk, Walk) else None

    return Deed(
        id=do,
        sentences=(sentence("move", template, example),),
        words=words,
        called=SAID[do],
        needs=needs,
        after=("shift",) if do == OVER else (),
        check=why_not,
        do=go,
        priced=(orders,),
        way=plan,
    )


_TOWERS: Final = Needs(
    "siege towers",
    ("works",),
    instead="a ladder is climbed (NAME climbs LADDER), and left by a move (NAME to HEX)",
)
GOING_UP: Final = _deed(
    UP,
    "{who:NAME} goes up",
    "odo goes up",
    _TOWERS,
    Words(UP, forms=("{names} goes up",), tells=("goes up",), unended=("up",)),
)
GOING_DOWN: Final = _deed(
    DOWN,
    "{who:NAME} goes down[ to {to:HEX}]",
    "odo goes down to 0712",
    _TOWERS,
    Words(DOWN, forms=("{names} goes down",), tells=("goes down",), unended=("down",)),
)
STEPPING_OVER: Final = _deed(
    OVER,
    "{who:NAME} steps over[ to {to:HEX}]",
    "odo steps over to 0704",
    Needs("battlements", ("castle",)),
    Words(OVER, forms=("{names} steps over",), tells=("steps over",)),
)
