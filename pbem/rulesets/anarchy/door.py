"""Doors and gates: who opens, closes or breaks in one, how long that takes, and what a closed one closes.

A door hangs in a hex, in which one stands to work it; while it is closed nobody passes the sides of that hex
which look out, and no shot does. What it is made of burns by the rules for fire.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

from pbem.core.play import Play
from pbem.core.problem import Problem, first_problem
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.core.sequence import parse_cursor
from pbem.geometry.hex import beside, hexside, neighbours
from pbem.rulesets.anarchy import full_turn
from pbem.rulesets.siege.ground import flames, floors, terrain
from pbem.rulesets.siege.march import movement
from pbem.rulesets.siege.state.deed import Deed, Needs, Words, Work
from pbem.rulesets.siege.state.events import ThingChanged
from pbem.rulesets.siege.state.family import Kind
from pbem.rulesets.siege.state.orders import Act
from pbem.rulesets.siege.state.sentence import sentence
from pbem.rulesets.siege.state.state import Battle, Job, Thing, Unit
from pbem.rulesets.siege.turn import jobs, sequence
from pbem.rulesets.siege.views import narration

Rules = Ruleset[Battle]
OPENED, CLOSED, BROKEN = "open", "closed", "broken"
"""How a door stands."""
OPEN, CLOSE, BREAK_IN = "open", "close", "break-in"
"""What is done to it."""
STANDS: Final = {OPEN: OPENED, CLOSE: CLOSED}


class Leaf(Struct, frozen=True):
    """A kind of door."""

    module: str
    """The module whose rules it needs."""
    broken_in: bool = True
    """Men break it in with what they have in their hands."""


LEAVES: Final[Mapping[str, Leaf]] = {"door": Leaf("houses"), "gate": Leaf("castle")}
"""Every kind of thing that is a door -> what is otherwise with it than with others."""


@rule("A2.3.1b", "A2.3.1d", "A3.2.1a")
def closed_sides(hex_: str, sides: Sequence[str]) -> tuple[str, ...]:
    """Return the keys of the hexsides that a closed door closes to steps, blows and shots: those that look
    out, so that one comes into its hex from within.
    """
    return tuple(hexside(hex_, side) for side in sides)


KINDS: Final = {
    kind: Kind(leaf.module, built_in=True, leaf=closed_sides, burns=True) for kind, leaf in LEAVES.items()
}
"""The same as kinds of thing: each is of wood."""


# --- where it is


def doors(battle: Battle) -> list[Thing]:
    """Return the doors of a map, by id."""
    return [thing for _, thing in sorted(battle.things.items()) if thing.kind in LEAVES]


def none(battle: Battle, what: str) -> Problem | None:
    """Return that a thing is not a door; None if it is one."""
    found = [door.id for door in doors(battle)]
    if what in found:
        return None
    help_ = f"it is called {' or '.join(found)}" if found else "there is none on this map"
    return Problem("door.none", {"thing": what}, rule="A2.3.1a", help=help_)


def sides(battle: Battle, door: Thing) -> tuple[frozenset[str], frozenset[str]]:
    """Return the hexes before a door, beyond its leaf, and those behind it into which nothing bars the
    way, on its floor.
    """
    hex_ = door.at[0]
    outer = frozenset(
        there for key in battle.field.fixtures[door.id].leaf for there in beside(key) if there != hex_
    )
    free = (there for there in neighbours(hex_) if there in battle.field.ground and there not in outer)
    inner = (there for there in free if not terrain.between(battle, hex_, there))
    ground = battle.field.ground
    level = (there for there in inner if floors.bar({}, ground[hex_], ground[there]) is None)
    return outer, frozenset(there for there in level if ground[there].mp_foot is not None)


# --- to open and to close it


def why_not(rules: Rules, battle: Battle, order: Act) -> Problem | None:
    """Return why a figure does not begin to open or close a door now; None if it does."""
    unit = battle.units[order.who[0]]
    if problem := none(battle, order.what):
        return problem
    door = battle.things[order.what]
    return (
        movement.time_to_move(rules, battle, unit)
        or for_good(door)
        or burns(battle, door)
        or as_it_is(door, order.do)
        or in_its_hex(unit, door)
        or jobs.too_late(rules, battle, unit, order.do)
    )


@rule("A2.3.2b")
def for_good(door: Thing) -> Problem | None:
    """Return that a door that is destroyed is neither opened nor closed any more; None while it hangs."""
    return Problem("door.broken", {"thing": door.id}, rule="A2.3.2b") if door.stands == BROKEN else None


def burns(battle: Battle, door: Thing) -> Problem | None:
    """Return that a door burns; None if it does not."""
    if not flames.engine_burns(battle, door):
        return None
    return Problem("door.burns", {"thing": door.id}, rule="A2.3.3", help=f"NAME puts out {door.at[0]}")


def as_it_is(door: Thing, do: str) -> Problem | None:
    """Return that a door stands already as it is to stand; None if it does not."""
    if door.stands != STANDS[do]:
        return None
    return Problem("door.as-it-is", {"thing": door.id, "stands": door.stands}, rule="A2.3.1a")


@rule("A2.3.1a", "A2.3.1c", "A3.2.1b")
def in_its_hex(unit: Unit, door: Thing) -> Problem | None:
    """Return that a figure does not stand in the hex of a door, into which one comes from within while it is
    closed; None if it does.
    """
    if unit.at == door.at:
        return None
    names = {"unit": unit.id, "thing": door.id}
    return Problem("door.apart", names, rule="A2.3.1a", help=f"he must stand in {door.at[0]} the whole turn")


def begin(rules: Rules, play: Play[Battle], order: Act) -> None:
    """Begin to work at a door: it takes the whole turn, in which nobody who does it does anything else."""
    for id_ in order.who:
        full_turn.begin(play, id_, order.do, order.what)


def door_of(job: Job) -> str:
    """Return the door that a figure works at."""
    return job.what.partition(" ")[0]


def still_there(rules: Rules, battle: Battle, unit: Unit, job: Job) -> bool:
    """Tell whether a figure is still in the hex of the door, and this stands as it did."""
    door = battle.things[door_of(job)]
    return in_its_hex(unit, door) is None and door.stands not in (BROKEN, STANDS[job.do])


def stuck(rules: Rules, battle: Battle, unit: Unit, job: Job) -> bool:
    """Tell whether the door has caught fire."""
    return burns(battle, battle.things[door_of(job)]) is not None


@rule("A2.3.1a", "A3.2.1b", "A3.6.1")
def finish(rules: Rules, play: Play[Battle], id_: str, job: Job) -> None:
    """Open or close the door at the end of the turn."""
    play.happen(ThingChanged(door_of(job), stands=STANDS[job.do], rule="A2.3.1a"))


# --- to break it in


def why_not_break_in(rules: Rules, battle: Battle, order: Act) -> Problem | None:
    """Return why two men do not begin, or go on, to break in a door; None if they do."""
    if problem := none(battle, order.what):
        return problem
    door, units = battle.things[order.what], [battle.units[id_] for id_ in order.who]
    names: dict[str, str | int] = {"thing": door.id, "stands": door.stands}
    if not LEAVES[door.kind].broken_in:
        return Problem("door.none", names, rule="A2.3.2a", help="it is too strong for hands")
    if door.stands != CLOSED:
        return Problem("door.not-closed", names, rule="A2.3.2a")
    timely = first_problem(
        movement.time_to_move(rules, battle, unit) or jobs.too_late(rules, battle, unit, BREAK_IN)
        for unit in units
    )
    return burns(battle, door) or two(rules, door, units) or timely or at_it(battle, door, units)


@rule("A2.3.2a")
def two(rules: Rules, door: Thing, units: Sequence[Unit]) -> Problem | None:
    """Return that it takes two men; None if there are as many."""
    if len({unit.id for unit in units}) == len(units) == rules.tables["jobs"]["rows"]["break_in"]["men"]:
        return None
    return Problem("door.two", {"thing": door.id}, rule="A2.3.2a", help=f"NAME, NAME break in {door.id}")


def at_it(battle: Battle, door: Thing, units: Sequence[Unit]) -> Problem | None:
    """Return that two men do not stand on one side of a door, or that others are at it; None if all is
    well.
    """
    names: dict[str, str | int] = {"thing": door.id, "units": " and ".join(unit.id for unit in units)}
    if not on_one_side(battle, door, units):
        before, behind = (" ".join(sorted(hexes)) for hexes in sides(battle, door))
        help_ = f"before it lie {before}, behind it {behind}"
        return Problem("door.sides", names, rule="A2.3.2a", help=help_)
    at_work = [
        unit.id
        for _, unit in sorted(battle.units.items())
        if unit.job and (unit.job.do, door_of(unit.job)) == (BREAK_IN, door.id)
    ]
    if not at_work:
        return None
    return Problem("door.others", {**names, "units": " and ".join(at_work)}, rule="A2.3.2a")


@rule("A2.3.2a")
def on_one_side(battle: Battle, door: Thing, units: Sequence[Unit]) -> bool:
    """Tell whether figures stand in hexes beside a door, all of them before it or all behind it."""
    return any(
        all(len(unit.at) == 1 and unit.at[0] in hexes for unit in units) for hexes in sides(battle, door)
    )


def still_at_it(rules: Rules, battle: Battle, unit: Unit, job: Job) -> bool:
    """Tell whether a figure still stands beside the door, and this is still closed."""
    door = battle.things[door_of(job)]
    return door.stands == CLOSED and on_one_side(battle, door, [unit])


@rule("A2.3.2a", "A3.2.1b", "A3.6.1")
def struck(rules: Rules, play: Play[Battle], id_: str, job: Job) -> None:
    """Count the turn of one of two men who break in a door, which is destroyed when the same two have done
    all their turns one after the other.
    """
    count(play, id_, job, rules.tables["jobs"]["rows"]["break_in"], BROKEN, "A2.3.2a")


def count(play: Play[Battle], id_: str, job: Job, row: Mapping[str, Any], stands: str, rule_id: str) -> None:
    """Count the turn of one of some men at a thing, which ``stands`` so once they have done all their
    turns.
    """
    thing = play.state.things[door_of(job)]
    crew, done = counted(play.state, thing, id_, row)
    if done:
        play.happen(ThingChanged(thing.id, stands=stands, cleared=("crew", "struck"), rule=rule_id))
    else:
        play.happen(ThingChanged(thing.id, crew=crew, struck=str(play.state.at), rule=rule_id))


def counted(battle: Battle, thing: Thing, id_: str, row: Mapping[str, Any]) -> tuple[tuple[str, ...], bool]:
    """Return whose turns at a thing count once somebody has done another, and whether all that its row of the
    table of work asks for are done, by the same men.
    """
    men = int(row["men"])
    crew = (*so_far(battle, thing, id_, men), id_)
    whole = [frozenset(crew[at : at + men]) for at in range(0, len(crew), men)]
    if len(crew) == men * row["turns"] and len(set(whole)) == 1:
        return crew, True
    return crew if len(set(whole[: len(crew) // men])) < 2 else crew[-men:], False


@rule("A2.3.2a")
def so_far(battle: Battle, door: Thing, id_: str, men: int) -> tuple[str, ...]:
    """Return whose turns at a door count when somebody has done another: those of this turn, and of the one
    before it if both did all of it and he was one of them; whoever is interrupted starts again.
    """
    if not door.struck:
        return ()
    if door.struck == str(battle.at):
        return door.crew
    then, now = (sequence.player_turns(battle.field, at) for at in (parse_cursor(door.struck), battle.at))
    whole = len(door.crew) % men == 0 and id_ in door.crew[-men:]
    return door.crew if whole and then == now - len(battle.field.sides) else ()


def silent(event: Mapping[str, Any], events: Sequence[Mapping[str, Any]]) -> bool:
    """Tell whether nothing is said of an event: as in Siege, or it counts the turns of men at a door."""
    counts = event["type"] == "ThingChanged" and event.get("struck") and not event.get("stands")
    return bool(counts) or narration.silent(event, events)


# --- the orders


def orders(rules: Rules, battle: Battle, unit: Unit) -> Iterator[Act]:
    """Yield what a figure may do to the door in whose hex it stands."""
    for door in doors(battle):
        if unit.at == door.at:
            yield from (Act(do, (unit.id,), door.id) for do in STANDS)


def by_two(rules: Rules, battle: Battle, unit: Unit) -> Iterator[Act]:
    """Yield with whom of its seat, behind it in the alphabet, a figure may break in a door beside it."""
    for door in doors(battle):
        for hexes in sides(battle, door):
            if unit.at and unit.at[0] in hexes:
                mates = (battle.units[id_] for id_ in sorted(battle.living_among(hexes)))
                yield from (
                    Act(BREAK_IN, (unit.id, mate.id), door.id)
                    for mate in mates
                    if mate.id > unit.id and mate.owner == unit.owner
                )


_DOORS: Final = Needs("doors", ("houses", "castle"))


def _deed(do: str, said: str, template: str, example: str, words: Words, **more: Any) -> Deed:
    return Deed(
        id=do,
        sentences=(sentence("move", template, example),),
        words=words,
        called=said,
        needs=_DOORS,
        kinds=tuple(LEAVES),
        do=begin,
        alone=True,
        at_hand=True,
        **more,
    )


DEEDS: Final = (
    _deed(
        OPEN, "opens", "{who:NAME} opens {what:THING}", "odo opens great-door",
        Words(OPEN, forms=("{names} opens {name}",), does=("open[s]",), unended=("opens",)),
        check=why_not, work=Work("opening the door", still_there, finish, stuck), lists=orders,
        lists_too=(CLOSE,),
    ),
    _deed(
        CLOSE, "closes", "{who:NAME} closes {what:THING}", "odo closes great-door",
        Words(CLOSE, forms=("{names} closes {name}",), does=("close[s]",), unended=("closes",)),
        check=why_not, work=Work("closing the door", still_there, finish, stuck),
    ),
    _deed(
        BREAK_IN, "break in", "{who:NAMES} break/breaks in {what:THING}", "tom, wat break in great-door",
        Words(BREAK_IN, forms=("{names} break[s] in {name}",), does=("break[s]",), unended=("break in",)),
        check=why_not_break_in, work=Work("breaking in the door", still_at_it, struck, stuck), lists=by_two,
    ),
)  # fmt: skip
