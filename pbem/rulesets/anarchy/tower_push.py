"""How siege towers move: who pushes them, how far, and what holds them.

How oxen draw one is ``oxen``, over which ground engines roll ``driving`` and ``engines`` of Siege.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from pbem.core.play import Play
from pbem.core.problem import Problem
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.core.sequence import parse_cursor
from pbem.rulesets.anarchy import pushing, siege_tower, tower_bridge
from pbem.rulesets.siege.ground import flames
from pbem.rulesets.siege.march import movement
from pbem.rulesets.siege.state.events import Moved, ThingChanged
from pbem.rulesets.siege.state.family import where_there_is
from pbem.rulesets.siege.state.field import Field
from pbem.rulesets.siege.state.orders import Act
from pbem.rulesets.siege.state.state import Battle, Thing, Unit
from pbem.rulesets.siege.things import driving, engines
from pbem.rulesets.siege.things.driving import Drive
from pbem.rulesets.siege.turn import sequence

Rules = Ruleset[Battle]
PUSHED: Final = "siege_tower"
"""Its row in the table of engines."""


def plan(rules: Rules, battle: Battle, order: Act) -> Drive | Problem:
    """Return where an engine is pushed, or why it is not: as far as ordered, or not at all."""
    engine = battle.things[order.what]
    if engine.kind != siege_tower.TOWER:
        return pushing.plan(rules, battle, order)
    if problem := stands_fast(rules, battle, engine):
        return problem
    crew = pushers(rules, battle, engine)
    spend = points(rules, len(crew))
    if not spend:
        names: dict[str, str | int] = {"thing": engine.id, "men": len(crew), "needed": fewest(rules)}
        return Problem("tower.crew", names, rule="A4.2.4a", help=f"more men go in: {' '.join(engine.at)}")
    step = partial(onward, rules, battle, engine, back=order.do == driving.BACK)
    return pushing.stepwise(order, engine, step, crew, spend, "A4.2.4a")


# --- who pushes


def pushers(rules: Rules, battle: Battle, tower: Thing) -> list[Unit]:
    """Return those of the side that plays who push a tower: whoever is fit and idle on its lowest level."""
    return [
        unit
        for unit in engines.crew(battle, tower, battle.at.side)
        if unit.able
        and unit.kind == "man"
        and not attacked(battle, unit)
        and movement.time_to_move(rules, battle, unit) is None
    ]


@rule("A4.2.4f")
def attacked(battle: Battle, unit: Unit) -> bool:
    """Tell whether a figure was attacked in the last turn of another side, so that it does not push."""
    if not unit.fought:
        return False
    fight = parse_cursor(unit.fought)
    then, now = (sequence.player_turns(battle.field, moment) for moment in (fight, battle.at))
    return fight.side != unit.side and now - then < len(battle.field.sides)


@rule("A4.2.4a")
def points(rules: Rules, men: int) -> int:
    """Return how many points so many men give a tower; none if they are too few."""
    row = rules.tables["engines_anarchy"]["pushed"][PUSHED]
    if men >= row["men"]:
        return int(row["points"])
    return int(row["few_points"]) if men >= row["few_men"] else 0


def fewest(rules: Rules) -> int:
    """Return how many men move a tower at all."""
    return int(rules.tables["engines_anarchy"]["pushed"][PUSHED]["few_men"])


@where_there_is(*engines.KINDS)
def crew_fought(rules: Rules, play: Play[Battle], units: Sequence[Unit], cause: int) -> None:
    """Note of every engine but a tower, whose men are asked one by one, that some of those inside have taken
    part in a combat.
    """
    if not play.state.things:
        return
    others = tuple(thing for thing in engines.on_the_map(play.state) if thing.kind != siege_tower.TOWER)
    inside = {place for thing in others for place in thing.at}
    fit = [unit for unit in units if any(place in inside for place in unit.at)]
    if fit:
        engines.crew_fought(rules, play, fit, cause)


# --- where it goes


@rule("A4.2.4b", "A4.2.4d")
def onward(
    rules: Rules, battle: Battle, tower: Thing, at_: Sequence[str], *, back: bool
) -> tuple[tuple[str, ...], int] | Problem:
    """Return the hexes that a tower covers one step on, straight ahead or straight back, and what the step
    costs: as much as the dearest hex that it has not covered; or why it does not go there.
    """
    return driving.one_step(rules, battle, tower, at_, driving.straight(tower, back=back))


# --- what holds it


def stands_fast(rules: Rules, battle: Battle, tower: Thing) -> Problem | None:
    """Return why a tower does not move at all now, however many push; None if it may."""
    return (
        anchored(tower)
        or burnt_fast(rules, battle, tower)
        or someone_climbed(battle, tower)
        or tower_bridge.at_its_winches(battle, tower)
    )


@rule("A4.2.4e")
def anchored(tower: Thing) -> Problem | None:
    """Return that a tower does not move, because its bridge lies on the wall; None if it does not."""
    if tower.stands != siege_tower.LOWERED:
        return None
    help_ = f"two at its winches hoist it first: NAME, NAME hoist {tower.id}"
    return Problem("tower.bridge-down", {"thing": tower.id}, rule="A4.2.4e", help=help_)


@rule("A4.2.9d")
def burnt_fast(rules: Rules, battle: Battle, tower: Thing) -> Problem | None:
    """Return that too much of the lowest level of a tower is burnt for it to move; None if it is not."""
    burnt = sum((hex_, flames.CHARRED) in battle.features for hex_ in tower.at)
    most = int(rules.tables["engines_anarchy"]["burnt"][PUSHED]["hexes"])
    if burnt < most:
        return None
    names: dict[str, str | int] = {"thing": tower.id, "burnt": burnt, "most": most}
    return Problem("tower.burnt-fast", names, rule="A4.2.9d")


def someone_climbed(battle: Battle, tower: Thing) -> Problem | None:
    """Return that somebody has used the ladder on the ground in this turn, so that the tower stands still;
    None if nobody has.
    """
    if not siege_tower.this_turn(battle, tower.climbed):
        return None
    help_ = "in the turn after, before anybody climbs"
    return Problem("tower.climbed", {"thing": tower.id}, rule="A4.2.1d", help=help_)


@where_there_is(siege_tower.TOWER)
def note_climbers(rules: Rules, play: Play[Battle]) -> None:
    """Note of every tower that somebody has used its ladder on the ground in this turn."""
    for tower in siege_tower.towers(play.state):
        now, foot = str(play.state.at), siege_tower.ladder(play.state.field, tower, siege_tower.GROUND)
        moves = [event for event in play.events if isinstance(event, Moved) and foot in event.path]
        if tower.climbed != now and any(_climbs(play.state.field, tower, event) for event in moves):
            play.happen(ThingChanged(tower.id, climbed=now, rule="A4.2.1d"))


def _climbs(field: Field, tower: Thing, event: Moved) -> bool:
    ways = zip(event.path, event.path[1:], strict=False)
    return any(siege_tower.on_the_lowest_ladder(field, tower, here, there) for here, there in ways)


# --- what pushing keeps them from


@rule("A4.2.4a")
@where_there_is(siege_tower.TOWER)
def has_pushed(rules: Rules, battle: Battle, unit: Unit) -> Problem | None:
    """Return that a figure on the lowest level of a tower that has moved in this turn attacks nobody; None of
    all others.
    """
    tower = siege_tower.holding(battle, unit.at[0]) if unit.at else None
    if tower is None or unit.at[0] not in tower.at or not siege_tower.this_turn(battle, tower.rolled):
        return None
    if unit.side != battle.at.side or "moved" not in unit.did:
        return None
    return Problem("tower.pushed", {"unit": unit.id, "thing": tower.id}, rule="A4.2.4a")
