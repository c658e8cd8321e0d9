"""Works: the moat that is filled and the wall that is broken before an assault, as much as a scenario allows;
and walls that come down.

What it costs to go there afterwards is ``step``; how a wall is battered until it comes down is ``battering``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from pbem.core.play import Play
from pbem.core.problem import Problem, first_problem
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import distance, hex_of
from pbem.rulesets.siege.ground import counter, terrain
from pbem.rulesets.siege.state.events import Chosen, FeatureChanged
from pbem.rulesets.siege.state.field import CURTAIN, MOAT, PARAPET, SetupStep
from pbem.rulesets.siege.state.orders import Prepare
from pbem.rulesets.siege.state.state import Battle

Rules = Ruleset[Battle]
FILLED, RUBBLE = "filled", "rubble"
BECOMES = {"fill": FILLED, "rubble": RUBBLE}
"""Order -> what becomes of the hexes."""
WALLS: Final = frozenset((CURTAIN, PARAPET))
"""Ground that can be broken down."""


# --- before the assault


def check(rules: Rules, battle: Battle, seat: str, order: Prepare) -> Iterator[Problem]:
    """Yield what is wrong with filling a moat or breaking a wall before the battle."""
    if problem := why_not(rules, battle, seat, order):
        yield problem


def why_not(rules: Rules, battle: Battle, seat: str, order: Prepare) -> Problem | None:
    """Return why hexes are not prepared so in the open step of the setup; None if they are."""
    side = battle.side_of_seat.get(seat, "")
    if problem := not_now(battle, side, order.do) or too_many(battle, side, order):
        return problem
    return first_problem(unfit(rules, battle, order.do, hex_) for hex_ in order.hexes)


def not_now(battle: Battle, side: str, do: str) -> Problem | None:
    """Return that a side does no such work in the open step of the setup; None if it does."""
    step = battle.field.setup[battle.at.turn - 1]
    if side in step.sides and do in step.may:
        return None
    return Problem("works.not-now", {"work": do, "side": side}, help=_when(battle.field.setup, side, do))


def _when(steps: Sequence[SetupStep], side: str, do: str) -> str:
    found = [str(number) for number, step in enumerate(steps, 1) if side in step.sides and do in step.may]
    return (
        "its time is step " + " and ".join(found) if found else "the scenario gives it to nobody of your side"
    )


def left(battle: Battle, side: str, do: str) -> int:
    """Return how many more hexes a side may prepare so; what lies on the map already counts."""
    return battle.field.supplies.get(side, {}).get(BECOMES[do], 0) - sum(
        is_ == BECOMES[do] for _, is_ in battle.features
    )


def too_many(battle: Battle, side: str, order: Prepare) -> Problem | None:
    """Return that a side has not so many markers as it wants to place, or names a hex twice; None if all is
    well.
    """
    twice = next((hex_ for place, hex_ in enumerate(order.hexes) if hex_ in order.hexes[:place]), "")
    if twice:
        return Problem("works.twice", {"hex": twice})
    most = left(battle, side, order.do)
    if len(order.hexes) <= most:
        return None
    rule_id = "S2.2a" if order.do == "fill" else "S2.31a"
    return Problem(
        "works.too-many", {"work": order.do, "count": len(order.hexes), "left": most}, rule=rule_id
    )


def unfit(rules: Rules, battle: Battle, do: str, hex_: str) -> Problem | None:
    """Return why a hex cannot be prepared so; None if it can.

    A platform above it is nothing that is filled or broken down.
    """
    if hex_ != hex_of(hex_):
        return Problem("works.storey", {"place": hex_}, help=f"write {hex_of(hex_)}")
    return no_moat(rules, battle, hex_) if do == "fill" else no_wall(battle, hex_)


@rule("S2.2a")
def no_moat(rules: Rules, battle: Battle, hex_: str) -> Problem | None:
    """Return that a hex is not an open moat, so that there is nothing to fill; None if it is."""
    ground = terrain.terrain_at(rules, battle, hex_)
    if MOAT in ground.traits:
        return None
    return Problem(
        "works.no-moat", {"hex": hex_, "terrain": ground.title}, rule="S2.2a", help="name hexes of the moat"
    )


@rule("S2.31a")
def no_wall(battle: Battle, hex_: str) -> Problem | None:
    """Return that a hex is not a wall that could lie in rubble, or that somebody stands on it; None if it can
    be broken down.
    """
    ground = battle.field.ground[hex_]
    names = {"hex": hex_, "terrain": ground.title}
    if not ground.traits & WALLS or (hex_, RUBBLE) in battle.features:
        return Problem(
            "works.no-wall",
            names,
            rule="S2.31a",
            help="battlements, castle walls and arrow slits can be broken down",
        )
    if there := battle.living_in.get(hex_):
        return Problem(
            "works.held",
            {**names, "unit": there[0]},
            rule="S2.31a",
            help="choose a wall on which nobody stands",
        )
    return None


def listed(rules: Rules, battle: Battle, seat: str) -> Iterator[Prepare]:
    """Yield the hexes that a seat may still prepare in the open step of the setup, each on its own."""
    side = battle.side_of_seat.get(seat, "")
    for do in BECOMES:
        if not_now(battle, side, do) is None and left(battle, side, do) > 0:
            yield from (
                Prepare(do, (hex_,)) for hex_ in battle.field.ground if unfit(rules, battle, do, hex_) is None
            )


def prepare(rules: Rules, play: Play[Battle], seat: str, order: Prepare) -> Problem | None:
    """Fill the moat, or break the wall, in some hexes; return why nothing came of it."""
    problem = why_not(rules, play.state, seat, order)
    if problem is None:
        for event in done(order):
            play.happen(event)
    return problem


def done(order: Prepare) -> list[FeatureChanged]:
    """Return the events of works before the battle."""
    rule_id = "S2.2a" if order.do == "fill" else "S2.31a"
    return [FeatureChanged(hex_, BECOMES[order.do], rule=rule_id) for hex_ in order.hexes]


# --- what a side leaves open


def leave_open(rules: Rules, play: Play[Battle]) -> None:
    """Place at the end of a step of the setup what its sides have left of their markers, where that is
    plainly meant.
    """
    step = play.state.field.setup[play.state.at.turn - 1]
    for side in step.sides:
        for do in BECOMES:
            if do in step.may:
                _place_the_rest(rules, play, side, do, step)


def _place_the_rest(rules: Rules, play: Play[Battle], side: str, do: str, step: SetupStep) -> None:
    hexes = tuple(suggested(rules, play.state, side, do, step)[: max(0, left(play.state, side, do))])
    if hexes:
        seat = min(seat for seat, of in play.state.side_of_seat.items() if of == side)
        play.happen(Chosen(seat, do, "", " ".join(hexes), "default", "S2.2a" if do == "fill" else "S2.31a"))
        for event in done(Prepare(do, hexes)):
            play.happen(event)


def suggested(rules: Rules, battle: Battle, side: str, do: str, step: SetupStep) -> list[str]:
    """Return the hexes that are prepared of themselves, in this order.

    Walls are broken where the scenario suggests it (the mark of the step); moat is filled there too, else
    where it is nearest to the engines of the side, or to its men, and round that hex.
    """
    marked = [
        hex_ for hex_ in battle.field.marks.get(step.within, ()) if unfit(rules, battle, do, hex_) is None
    ]
    if marked or do == "rubble":
        return marked
    moat = [hex_ for hex_ in battle.field.ground if no_moat(rules, battle, hex_) is None]
    engines = [
        hex_
        for thing in battle.things.values()
        if thing.side == side and thing.kind in ENGINES
        for hex_ in thing.at
    ]
    men = [hex_ for unit in battle.units.values() if unit.side == side for hex_ in unit.hexes]
    near = engines or men
    if not near or not moat:
        return []
    far = {hex_: min(distance(hex_, there) for there in near) for hex_ in moat}
    first = min(moat, key=lambda hex_: (far[hex_], hex_))
    return sorted(moat, key=lambda hex_: (distance(hex_, first), far[hex_], hex_))


ENGINES = ("siege-tower", "ram")
"""What must be brought up to the wall."""


# --- walls that come down


@rule("S4.14a")
def collapse(rules: Rules, play: Play[Battle], hex_: str, cause: int) -> None:
    """Let the wall of a hex come down: rubble lies there from now on, and whoever stands on it is hurt."""
    fell = play.happen(FeatureChanged(hex_, RUBBLE, rule="S4.14a", cause=cause))
    for id_ in play.state.living_in.get(hex_, ()):
        bury(rules, play, id_, fell)


@rule("S4.14b")
def bury(rules: Rules, play: Play[Battle], id_: str, cause: int) -> None:
    """Wound a figure that stands on a wall that comes down."""
    counter.hurt(rules, play, id_, "wounded", cause, "S4.14b")
