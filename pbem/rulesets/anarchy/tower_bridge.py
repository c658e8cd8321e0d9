"""The drawbridge of a siege tower: how two men at its winches lower and hoist it, and on whom it falls."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from pbem.core.play import Play
from pbem.core.problem import Problem, first_problem
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.core.table import die_faces, row_of
from pbem.rulesets.anarchy import door, full_turn, hoarding, siege_tower
from pbem.rulesets.siege.ground import counter, flames
from pbem.rulesets.siege.ground.character import person
from pbem.rulesets.siege.march import movement, retreat
from pbem.rulesets.siege.state.deed import Deed, Needs, Words, Work
from pbem.rulesets.siege.state.events import Rolled, ThingChanged
from pbem.rulesets.siege.state.field import RUBBLE
from pbem.rulesets.siege.state.game_events import Reason
from pbem.rulesets.siege.state.orders import Act
from pbem.rulesets.siege.state.sentence import sentence
from pbem.rulesets.siege.state.state import Battle, Job, Thing, Unit
from pbem.rulesets.siege.turn import jobs

Rules = Ruleset[Battle]
LOWER, HOIST = "lower", "hoist"
RAISED: Final = "raised"
FALL: Final = "drawbridge_fall"


def why_not(rules: Rules, battle: Battle, order: Act) -> Problem | None:
    """Return why two men do not begin to lower or hoist the bridge of a tower; None if they do."""
    tower, units = battle.things[order.what], [battle.units[id_] for id_ in order.who]
    if tower.kind != siege_tower.TOWER or not tower.at:
        return Problem("tower.none", {"thing": tower.id}, rule="A4.2.8a", help="name a siege tower")
    return (
        as_it_is(tower, order.do)
        or just_come(battle, tower)
        or two_at_the_winches(battle, tower, units, order.do)
        or cannot(rules, battle, tower, order.do)
        or first_problem(
            movement.time_to_move(rules, battle, unit) or jobs.too_late(rules, battle, unit, order.do)
            for unit in units
        )
    )


def as_it_is(tower: Thing, do: str) -> Problem | None:
    """Return that the bridge of a tower is down, or up, already; None if there is something to do."""
    if (tower.stands == siege_tower.LOWERED) == (do == HOIST):
        return None
    code = "tower.is-down" if do == LOWER else "tower.is-up"
    return Problem(code, {"thing": tower.id}, rule="A4.2.8a")


@rule("A4.2.8a")
def just_come(battle: Battle, tower: Thing) -> Problem | None:
    """Return that a tower has moved in this turn, so that no whole turn is left for the work at its winches;
    None if it has not.
    """
    if not siege_tower.this_turn(battle, tower.rolled):
        return None
    return Problem("tower.just-come", {"thing": tower.id}, rule="A4.2.8a", help="in the turn after")


@rule("A4.2.8a")
def at_its_winches(battle: Battle, tower: Thing) -> Problem | None:
    """Return who lowers the bridge of a tower in this turn, and does not move meanwhile, so that the tower
    stands still; None if nobody does.
    """
    there = (battle.standing_at.get(place, "") for place in siege_tower.winches(battle.field, tower))
    men = (battle.units[id_] for id_ in there if id_)
    at_work = [unit.id for unit in men if unit.job is not None and door.door_of(unit.job) == tower.id]
    if not at_work:
        return None
    names = {"thing": tower.id, "unit": at_work[0]}
    return Problem("tower.at-winches", names, rule="A4.2.8a", help="either the bridge or the wheels")


@rule("A4.2.8a")
def two_at_the_winches(battle: Battle, tower: Thing, units: Sequence[Unit], do: str) -> Problem | None:
    """Return that it takes one man at each of the two winches of a tower; None if they are there."""
    wanted = siege_tower.winches(battle.field, tower)
    if len(units) == len(wanted) and {unit.at[0] for unit in units if unit.at} == set(wanted):
        return None
    names = {"thing": tower.id, "places": " and ".join(wanted)}
    return Problem("tower.winches", names, rule="A4.2.8a", help=f"NAME, NAME {do} {tower.id}")


def cannot(rules: Rules, battle: Battle, tower: Thing, do: str) -> Problem | None:
    """Return what keeps the bridge of a tower from being lowered, or hoisted; None if nothing does."""
    if do == HOIST:
        return someone_on_it(battle, tower) or fire_on_it(battle, tower)
    return no_wall_ahead(battle, tower) or hoarding_in_the_way(battle, tower)


@rule("A4.2.8a")
def no_wall_ahead(battle: Battle, tower: Thing) -> Problem | None:
    """Return that no wall is one hex before a tower; None if one is."""
    if siege_tower.span(battle.field, tower) and edge(battle, tower):
        return None
    ahead = " ".join(siege_tower.ahead(siege_tower.front(battle.field, tower), tower.facing))
    help_ = f"beyond one of {ahead} a wall-walk as high as the bridge must lie"
    return Problem("tower.no-wall", {"thing": tower.id}, rule="A4.2.8a", help=help_)


@rule("A4.2.8a")
def edge(battle: Battle, tower: Thing) -> list[str]:
    """Return the hexes of the wall-walk that stand where the edge of the bridge of a tower comes down."""
    hexes = siege_tower.lip(battle.field, tower)
    return [hex_ for hex_ in hexes if (hex_, RUBBLE) not in battle.features]


def hoarding_in_the_way(battle: Battle, tower: Thing) -> Problem | None:
    """Return the hoarding that stands where the bridge of a tower would come down; None if none does."""
    hexes = {*siege_tower.span(battle.field, tower), *siege_tower.lip(battle.field, tower)}
    found = next((there for hex_ in sorted(hexes) if (there := hoarding.at(battle, hex_))), None)
    if found is None:
        return None
    names = {"thing": tower.id, "other": found.id}
    return Problem("tower.hoarding", names, rule="A3.3.3c", help=f"{found.id} must be gone first")


def someone_on_it(battle: Battle, tower: Thing) -> Problem | None:
    """Return who is on the bridge of a tower, so that it is not hoisted; None if nobody is."""
    found = [siege_tower.at(hex_, siege_tower.SECOND) for hex_ in siege_tower.span(battle.field, tower)]
    on_it = sorted(unit.id for unit in battle.units.values() if unit.living and set(unit.at) & set(found))
    if not on_it:
        return None
    names = {"thing": tower.id, "unit": on_it[0]}
    return Problem("tower.on-bridge", names, rule="A4.2.8a", help="it is hoisted once nobody is on it")


def fire_on_it(battle: Battle, tower: Thing) -> Problem | None:
    """Return which place of the bridge of a tower burns, or is burnt, so that it is not hoisted; None if none
    is.
    """
    hexes = siege_tower.span(battle.field, tower)
    for place in (siege_tower.at(hex_, siege_tower.SECOND) for hex_ in hexes):
        for is_, help_ in ((flames.FIRE, f"put it out first: NAME puts out {place}"), (flames.CHARRED, "")):
            if (place, is_) in battle.features:
                names = {"thing": tower.id, "place": place, "is": BURNS[is_]}
                return Problem("tower.bridge-burns", names, rule="A4.2.8a", help=help_)
    return None


BURNS: Final = {flames.FIRE: "burns", flames.CHARRED: "is burnt"}


# --- the work


def still_there(rules: Rules, battle: Battle, unit: Unit, job: Job) -> bool:
    """Tell whether a figure is still at a winch of the tower."""
    tower = battle.things.get(door.door_of(job))
    return tower is not None and bool(unit.at) and unit.at[0] in siege_tower.winches(battle.field, tower)


def stuck(rules: Rules, battle: Battle, unit: Unit, job: Job) -> bool:
    """Tell whether something has come in the way of the bridge."""
    tower = battle.things[door.door_of(job)]
    return as_it_is(tower, job.do) is None and cannot(rules, battle, tower, job.do) is not None


@rule("A4.2.8a")
def finish(rules: Rules, play: Play[Battle], id_: str, job: Job) -> None:
    """Lower the bridge of a tower, or hoist it, if another has worked at its other winch all the turn."""
    tower = play.state.things[door.door_of(job)]
    if as_it_is(tower, job.do) is not None or not _helped(rules, play.state, tower, id_, job):
        return
    stands = siege_tower.LOWERED if job.do == LOWER else RAISED
    play.happen(ThingChanged(tower.id, stands=stands, rule="A4.2.8a"))
    if job.do == LOWER:
        for victim in under(play.state, tower):
            fall_on(rules, play, tower, victim)


def _helped(rules: Rules, battle: Battle, tower: Thing, id_: str, job: Job) -> bool:
    """Tell whether somebody else works at the other winch, and nothing has broken his work off."""
    return any(
        unit.job is not None
        and (unit.job.do, unit.job.since) == (job.do, job.since)
        and door.door_of(unit.job) == tower.id
        and not full_turn.broken(rules, battle, unit)
        for unit in battle.units.values()
        if unit.id != id_ and unit.job is not None
    )


# --- on whom it falls


@rule("A4.2.8b")
def under(battle: Battle, tower: Thing) -> list[str]:
    """Return who stands where the bridge of a tower comes down, by id."""
    return sorted(
        id_
        for hex_ in edge(battle, tower)
        if (id_ := battle.standing_at.get(hex_, "")) and battle.units[id_].living
    )


@rule("A4.2.8b")
def fall_on(rules: Rules, play: Play[Battle], tower: Thing, id_: str) -> None:
    """Roll what the bridge of a tower does to somebody on whom it falls, and let it happen."""
    table, battle = rules.tables[FALL], play.state
    unit, faces = battle.units[id_], die_faces(table)
    label = f"bridge/{tower.id}/{id_}"
    die = play.roll(label, faces)[0]
    armoured = person(battle, unit).armoured
    more = int(table["die"]["modifiers"]["armoured"]) if armoured else 0
    row = row_of(table, die + more)
    found, said = str(row["result"]), str(table["key"][row["result"]])
    tally = (Reason("A4.2.8b", "armoured", more),) if more else ()
    full = f"{play.cursor}/{label}"
    told = Rolled(full, faces, (die,), "A4.2.8b", FALL, "", f"die {die}", tally, die + more, found, said)
    rolled = play.happen(told)
    if found != "killed":
        dodge(rules, play, tower, id_, rolled)
    if found != "retreat" and play.state.units[id_].living:
        counter.hurt(rules, play, id_, found, rolled, "A4.2.8b")


@rule("A4.2.8b")
def dodge(rules: Rules, play: Play[Battle], tower: Thing, id_: str, cause: int) -> None:
    """Let somebody give way before the bridge of a tower, and not onto it; who lies stunned cannot, and is
    dead, as after a fight.
    """
    battle = play.state
    if retreat.cannot_walk(battle.units[id_]):
        counter.hurt(rules, play, id_, "killed", cause, "E7.1d")
        return
    hexes = siege_tower.span(battle.field, tower)
    bridge = frozenset(siege_tower.at(hex_, siege_tower.SECOND) for hex_ in hexes)
    retreat.go(rules, play, id_, _foes(battle, tower), cause, "A4.2.8b", shun=bridge)


def _foes(battle: Battle, tower: Thing) -> tuple[str, ...]:
    """Return those from whom somebody gives way on whom the bridge of a tower falls: who lowers it."""
    at_it = (battle.standing_at.get(place, "") for place in siege_tower.winches(battle.field, tower))
    return tuple(filter(None, at_it))


# --- the orders


def by_two(rules: Rules, battle: Battle, unit: Unit) -> Iterator[Act]:
    """Yield with whom of its seat at the other winch a figure may lower or hoist the bridge of its tower."""
    tower = siege_tower.holding(battle, unit.at[0]) if unit.at else None
    if tower is None or unit.at[0] not in siege_tower.winches(battle.field, tower):
        return
    for place in siege_tower.winches(battle.field, tower):
        mate = battle.standing_at.get(place, "")
        if mate > unit.id and battle.units[mate].owner == unit.owner:
            yield from (Act(do, (unit.id, mate), tower.id) for do in (LOWER, HOIST))


def _deed(do: str, done: str, said: str, **more: Any) -> Deed:
    return Deed(
        id=do,
        sentences=(sentence("move", f"{{who:NAMES}} {do}/{done} {{what:THING}}", f"tom, wat {do} tower1"),),
        words=Words(do, forms=(f"{{names}} {do}[s] {{name}}",), does=(f"{do}[s]",)),
        called=f"{done} the bridge",
        needs=Needs("siege towers", ("works",)),
        kinds=(siege_tower.TOWER,),
        check=why_not,
        do=door.begin,
        alone=True,
        at_hand=True,
        work=Work(said, still_there, finish, stuck),
        **more,
    )


DEEDS: Final = (
    _deed(LOWER, "lowers", "lowering the bridge", lists=by_two, lists_too=(HOIST,)),
    _deed(HOIST, "hoists", "hoisting the bridge"),
)
