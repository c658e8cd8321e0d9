"""Bearing loads: how one man takes a mantlet or a barrel, goes with it, turns the mantlet, and puts it down.

Who holds what is ``loads``; what a mantlet bars and covers is ``mantlets``, how oil is poured ``oil``;
ladders are ``carrying_ladders``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.core.play import Play
from pbem.core.problem import Problem, first_problem
from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import SIDES
from pbem.rulesets.siege.ground import ladders
from pbem.rulesets.siege.march import movement
from pbem.rulesets.siege.march.walk import Walk
from pbem.rulesets.siege.state import family, loads
from pbem.rulesets.siege.state.deed import Deed, Needs, Words
from pbem.rulesets.siege.state.events import ThingChanged, ThingMoved
from pbem.rulesets.siege.state.loads import KINDS, MANTLET
from pbem.rulesets.siege.state.orders import Act, Move, MoveBy
from pbem.rulesets.siege.state.sentence import sentence
from pbem.rulesets.siege.state.state import Battle, Unit
from pbem.rulesets.siege.things import handling_ladders, mantlets
from pbem.rulesets.siege.turn import sequence

Rules = Ruleset[Battle]


def no_load(battle: Battle, unit: Unit, what: str) -> Problem | None:
    """Return that something is nothing that one man carries; None if it is a mantlet or a
    barrel on the map.
    """
    thing = battle.things.get(what)
    if thing is not None and thing.kind in KINDS and thing.at:
        return None
    names = {"unit": unit.id, "thing": what}
    if thing is not None and thing.kind == ladders.LADDER:
        return Problem(
            "bearing.two", names, rule="S1.91a", help=f"two men pick it up: {unit.id}, NAME pick up {what}"
        )
    found = [id_ for id_, other in sorted(battle.things.items()) if other.kind in KINDS and other.at]
    return Problem(
        "bearing.none",
        names,
        help="there are " + ", ".join(found) if found else "there is nothing of that kind on the map",
    )


def hands_full(battle: Battle, unit: Unit) -> Problem | None:
    """Return what a figure has in its hands already, a load or half a ladder; None if they are free."""
    ladder = ladders.held_by(battle, unit)
    if ladder is None:
        return loads.hands_full(battle, unit)
    return Problem(
        "bearing.hands-full", {"unit": unit.id, "thing": ladder.id}, help=f"{unit.id} puts down {ladder.id}"
    )


# --- taking


def why_not_take(rules: Rules, battle: Battle, order: Act) -> Problem | None:
    """Return why a figure does not take a load into its hands; None if it does: it stands in its hex, and it
    costs nothing.
    """
    unit = battle.units[order.who[0]]
    if problem := no_load(battle, unit, order.what) or sequence.may_move(rules, battle, unit):
        return problem
    thing = battle.things[order.what]
    names = {"unit": unit.id, "thing": thing.id, "hex": thing.at[0]}
    rule_id = "S5.21a" if thing.kind == MANTLET else "S5.32e"
    if unit.on:
        return Problem("bearing.mounted", names, rule=rule_id, help=f"{unit.id} dismounts first")
    if unit.at != thing.at:
        return Problem("bearing.elsewhere", names, rule=rule_id, help=f"{unit.id} to {thing.at[0]}")
    if (other := loads.holder(battle, thing)) is not None:
        return Problem("bearing.held", {**names, "other": other.id}, rule=rule_id)
    return hands_full(battle, unit)


def take(rules: Rules, play: Play[Battle], order: Act) -> None:
    """Let a figure take a load into its hands."""
    rule_id = "S5.21a" if play.state.things[order.what].kind == MANTLET else "S5.32e"
    play.happen(ThingChanged(order.what, by=order.who, rule=rule_id))


# --- putting down


def why_not_put_down(rules: Rules, battle: Battle, order: Act) -> Problem | None:
    """Return why a figure does not put its load down; None if it does, before or after its move."""
    unit = battle.units[order.who[0]]
    if ladders.none(battle, order.what) is None:
        return handling_ladders.why_not_put_down(rules, battle, order)
    if problem := no_load(battle, unit, order.what) or sequence.may_move(rules, battle, unit):
        return problem
    thing = battle.things[order.what]
    if not loads.holds(unit, thing):
        return Problem(
            "bearing.not-held", {"unit": unit.id, "thing": thing.id}, help=f"{unit.id} takes {thing.id}"
        )
    if order.facing and thing.kind != MANTLET:
        return Problem(
            "bearing.no-facing",
            {"unit": unit.id, "thing": thing.id},
            help=f"leave out: facing {order.facing}",
        )
    asked = family.of(rules).steps.set_down
    return first_problem(bars(unit, thing, order.facing) for bars in asked)


def put_down(rules: Rules, play: Play[Battle], order: Act) -> None:
    """Let a figure put its load down where it stands."""
    if ladders.none(play.state, order.what) is None:
        handling_ladders.put_down(rules, play, order)
        return
    play.happen(ThingChanged(order.what, facing=order.facing, cleared=("by",)))


def let_go(rules: Rules, play: Play[Battle]) -> None:
    """Tell of every load that somebody had in his hands that he has left it, or has fallen beside it."""
    for thing in sorted(play.state.things.values(), key=lambda thing: thing.id):
        if thing.kind in KINDS and thing.by and loads.holder(play.state, thing) is None:
            play.happen(ThingChanged(thing.id, cleared=("by",)))


def orders(rules: Rules, battle: Battle, unit: Unit) -> Iterator[Act]:
    """Yield what a figure could do with the loads in its hex: take one, or put down what it has, a mantlet
    along each side.
    """
    for thing in battle.things.values():
        if thing.kind in KINDS and thing.at and thing.at == unit.at:
            held = loads.holds(unit, thing)
            yield Act("put-down" if held else "take", (unit.id,), thing.id)
            if held and thing.kind == MANTLET:
                yield from (
                    Act("put-down", (unit.id,), thing.id, facing=side)
                    for side in SIDES
                    if side != thing.facing
                )


def turns_a_mantlet(battle: Battle, unit: Unit) -> bool:
    """Tell whether a figure has a mantlet in its hands, so that it may name a side at the end of a move."""
    return bool(battle.things) and loads.held(battle, unit, MANTLET) is not None


def sides(rules: Rules, battle: Battle, unit: Unit, place: str, left: int) -> Sequence[str]:
    """Return what side a figure may name at the end of a move that leaves it so many points: one that bears a
    mantlet each along which it may set that, or none where it may not; all others none.
    """
    mantlet = loads.held(battle, unit, MANTLET) if battle.things else None
    stays = place == unit.at[0]
    if mantlet is not None and left > 0:
        turned = [side for side in SIDES if movement.not_turned(rules, battle, unit, side, left) is None]
        if turned:
            return [side for side in turned if not (stays and side == mantlet.facing)]
    return () if stays else ("",)


# --- going with it


def goes_along(rules: Rules, battle: Battle, order: Move | MoveBy, walk: Walk) -> ThingMoved | None:
    """Return how a figure's load goes along with its move; None if it has none.

    A mantlet is set along the side that is named, else, if it may be, along the one nearest to the enemy.
    """
    unit = battle.units[order.who]
    thing = loads.held(battle, unit)
    if thing is None:
        return None
    end = walk.places[-1]
    if thing.kind != MANTLET:
        return ThingMoved(thing.id, (end,), rule="S5.32e")
    nearest = mantlets.toward_enemy(battle, unit.side, end)
    kept = walk.cost >= walk.of or movement.not_turned(rules, battle, unit, nearest, walk.of - walk.cost)
    facing = order.facing or (thing.facing if kept else nearest)
    return ThingMoved(thing.id, (end,), facing, rule="S5.21a")


# --- the orders


TAKE = Deed(
    id="take",
    sentences=(sentence("move", "{who:NAME} takes {what:THING}", "rafe takes barrel1"),),
    words=Words("take", forms=("{names} takes {name}",), does=("take[s]",), unended=("takes",)),
    called="takes",
    needs=Needs(
        "oil and mantlets", ("wagons-oil",), instead="two pick a ladder up: NAME, NAME pick up LADDER"
    ),
    kinds=("oil", MANTLET),
    after=("move",),
    check=why_not_take,
    do=take,
    lists=orders,
    lists_too=("put-down",),
    at_hand=True,
)
PUT_DOWN = Deed(
    id="put-down",
    sentences=(
        sentence(
            "move",
            "{who:NAME} puts down {what:THING}[ facing {facing:SIDE}]",
            "rafe puts down mantlet1 facing n",
        ),
    ),
    words=Words("put-down", forms=("{names} puts down {rest}",), does=("drop[s]", "put[s]")),
    called="puts down",
    needs=Needs("oil and mantlets", ("wagons-oil", "castle")),
    kinds=("oil", MANTLET, ladders.LADDER),
    after=("move", "take"),
    check=why_not_put_down,
    do=put_down,
)
