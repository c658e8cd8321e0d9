"""Wagons: which animals draw one, where they must stand for that, and hitching and unhitching them.

How a team moves is ``leading``; that a wagon stops lines of fire is ``line_of_fire``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from pbem.core.play import Play
from pbem.core.problem import Problem
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.geometry import pair
from pbem.geometry.hex import around, distance, hex_of, neighbours
from pbem.rulesets.siege.ground import heights, terrain
from pbem.rulesets.siege.march import movement, riding, step
from pbem.rulesets.siege.state.deed import Deed, Found, NamesOf, Needs, Words, Work
from pbem.rulesets.siege.state.events import Hitched, JobBegan
from pbem.rulesets.siege.state.family import where_there_is
from pbem.rulesets.siege.state.line import Line
from pbem.rulesets.siege.state.orders import Act
from pbem.rulesets.siege.state.sentence import sentence
from pbem.rulesets.siege.state.state import DEAD, Battle, Job, Thing, Unit
from pbem.rulesets.siege.turn import jobs

Rules = Ruleset[Battle]


# --- what it bars


@rule("E5.11a")
@where_there_is("wagon")
def bars(battle: Battle, unit: Unit, there: str) -> Problem | None:
    """Return that a wagon fills a hex, where nobody goes; None if there is none."""
    wagon = battle.wagon_in.get(hex_of(there), "") if battle.things else ""
    return (
        Problem("movement.wagon", {"unit": unit.id, "hex": there, "wagon": wagon}, rule="E5.11a")
        if wagon
        else None
    )


def standing(battle: Battle) -> Mapping[str, str]:
    """Return hex -> the wagon in it."""
    return battle.wagon_in


@rule("S5.11e")
def hides(rules: Rules, battle: Battle, line: Line, hex_: str) -> bool:
    """Tell whether a wagon in a hex stops the shots of figures on its level; those who stand higher or lower
    see past it.
    """
    if hex_ not in battle.wagon_in:
        return False
    if line.view is None:
        return True
    return len({heights.level(rules, battle, place) for place in (line.view.start, hex_, line.view.end)}) == 1


def in_the_way(battle: Battle, names: Mapping[str, str], hex_: str) -> Problem:
    """Return that the wagon in a hex stops a shot."""
    args = {**names, "wagon": battle.wagon_in[hex_], "hex": hex_}
    return Problem("line_of_fire.wagon", args, rule="S5.11e", help="shoot past it, or from another level")


# --- what draws a wagon


@rule("S5.11a")
def drawn_by(battle: Battle, animal: str) -> Thing | None:
    """Return the wagon that goes where an animal goes, because it is hitched to it; a wagon moves in no other
    way.
    """
    return next((thing for thing in battle.things.values() if animal in thing.hitched), None)


def team(battle: Battle, wagon: str) -> tuple[str, ...]:
    """Return the animals hitched to a wagon; none for anything else."""
    return battle.things[wagon].hitched if wagon in battle.things else ()


def cannot_draw(battle: Battle, names: Sequence[str], name: str) -> Problem | None:
    """Return why an animal cannot be led with the wagon it is hitched to; None if it can, or draws none."""
    wagon = drawn_by(battle, name)
    if wagon is None:
        return None
    for mate in wagon.hitched:
        if battle.units[mate].state == DEAD:
            names_ = {"led": name, "wagon": wagon.id, "dead": mate}
            return Problem(
                "wagons.dead",
                names_,
                rule="S5.11f",
                help=f"somebody next to {mate} unhitches it from {wagon.id}",
            )
    first = next(other for other in names if other in wagon.hitched)
    if first != name:
        return Problem(
            "wagons.one-team",
            {"led": name, "wagon": wagon.id, "first": first},
            rule="S5.11d",
            help=f"name {first} alone",
        )
    return None


@rule("S5.11f")
def stays_behind(battle: Battle, unit: Unit, name: str) -> Problem | None:
    """Return that an animal is not led off the map because of the wagon it is hitched to, which stays; None
    if it draws none.
    """
    wagon = drawn_by(battle, name)
    if wagon is None:
        return None
    names = {"unit": unit.id, "led": name, "wagon": wagon.id}
    help_ = f"unhitch it first, which takes a turn: {unit.id} unhitches {name} from {wagon.id}"
    return Problem("wagons.stays", names, rule="S5.11f", help=help_)


def before(rules: Rules, wagon: Sequence[str]) -> tuple[str, ...]:
    """Return the hexes before the front half of a wagon: its three frontal ones, on the map or off it."""
    figure = riding.figure(wagon)
    return tuple(riding.head(there) for there in pair.steps(figure) if not pair.is_swing(figure, there))


@rule("S5.11b")
def out_of_place(rules: Rules, battle: Battle, wagon: Thing, animal: Unit) -> Problem | None:
    """Return that an animal does not stand in a hex before the wagon, so that it cannot draw it; None if it
    does.
    """
    hexes = before(rules, wagon.at)
    if reaches(animal) in hexes:
        return None
    names = {"led": animal.id, "wagon": wagon.id}
    return Problem("wagons.out-of-place", names, rule="S5.11b", help=f"lead it to one of {' '.join(hexes)}")


@rule("S5.11c")
def reaches(animal: Unit) -> str:
    """Return the hex of an animal that must touch the wagon: of a horse its rear half alone."""
    return animal.hexes[-1]


@rule("S5.11d")
def room_before(
    rules: Rules, battle: Battle, wagon: Sequence[str], animal: Unit, taken: Collection[str]
) -> tuple[str, ...] | None:
    """Return where another animal of the team stands before a wagon: the first free hexes; None where there
    are none.
    """
    for hex_ in before(rules, wagon):
        for at in _standing(hex_, animal, wagon):
            if not set(at) & set(taken) and all(_open(rules, battle, animal, place) for place in at):
                return at
    return None


def _standing(rear: str, animal: Unit, wagon: Sequence[str]) -> list[tuple[str, ...]]:
    """Return how an animal may stand with its rear in a hex before a wagon, the nearest to how the wagon
    looks first.
    """
    if not riding.two_hexes(animal):
        return [(rear,)]
    ahead = riding.figure(wagon).partition(" ")[2]
    fronts = sorted(neighbours(rear), key=lambda front: pair.pair(front, rear).partition(" ")[2] != ahead)
    return [(front, rear) for front in fronts if front not in wagon]


def _open(rules: Rules, battle: Battle, animal: Unit, place: str) -> bool:
    if (
        place not in battle.field.ground
        or step.ground_bars(rules, battle, animal, place)
        or step.bodies_bar(rules, battle, animal, place)
    ):
        return False
    others = {id_ for id_ in battle.living_in.get(place, ()) if id_ != animal.id}
    return not others


def open_between(battle: Battle, here: str, there: str) -> bool:
    """Tell whether two places lie side by side with nothing between them that nobody passes."""
    beside = distance(hex_of(here), hex_of(there)) == 1
    return beside and all(feature.passes for feature in terrain.between(battle, here, there))


# --- hitching


@rule("S5.11f")
def why_not(rules: Rules, battle: Battle, order: Act) -> Problem | None:
    """Return why a figure does not begin to hitch or unhitch an animal, which takes it a whole turn; None if
    it does.
    """
    unit, animal, wagon = (
        battle.units[order.who[0]],
        battle.units[order.animals[0]],
        battle.things[order.what],
    )
    names = {"unit": unit.id, "led": animal.id, "wagon": wagon.id}
    if problem := movement.time_to_move(rules, battle, unit) or jobs.too_late(rules, battle, unit, order.do):
        return problem
    if not unit.at or not any(open_between(battle, place, there) for place in unit.at for there in animal.at):
        return Problem(
            "wagons.apart", names, rule="S5.11f", help="stand next to the animal at the beginning of the turn"
        )
    if unit.on:
        return Problem("wagons.mounted", names, rule="S5.11f", help=f"{unit.id} dismounts")
    if order.do == "unhitch":
        return None if animal.id in wagon.hitched else Problem("wagons.not-hitched", names, rule="S5.11f")
    if animal.kind not in ("horse", "ox") or not animal.living or animal.id in battle.rider_of:
        return Problem(
            "wagons.no-draught", names, rule="S5.11b", help="oxen and horses that nobody rides draw wagons"
        )
    if drawn_by(battle, animal.id) is not None:
        return Problem("wagons.hitched", names, rule="S5.11f")
    if battle.foes(unit, animal):
        return Problem("wagons.enemy", names, rule="S3.34b", help=f"lead {animal.id} first")
    if full(rules, wagon):
        return Problem("wagons.full", names, rule="S5.11b", help=f"{' and '.join(wagon.hitched)} draw it")
    return out_of_place(rules, battle, wagon, animal)


def full(rules: Rules, wagon: Thing) -> bool:
    """Tell whether so many animals draw a wagon already as there is room for."""
    return len(wagon.hitched) >= int(rules.tables["gear"]["drawn"][wagon.kind]["animals"])


def begin(rules: Rules, play: Play[Battle], order: Act) -> None:
    """Begin to hitch an animal, or to unhitch it, which is done at the end of the turn."""
    joint = "to" if order.do == "hitch" else "from"
    job = jobs.begun(play.state, order.do, f"{order.animals[0]} {joint} {order.what}")
    play.happen(JobBegan(order.who[0], job.do, job.what, job.since))


def still_there(rules: Rules, battle: Battle, unit: Unit, job: Job) -> bool:
    """Tell whether an animal still stands where it is to be hitched, or is still hitched."""
    animal, wagon = battle.units[job.what.split()[0]], battle.things[job.what.split()[2]]
    if job.do == "unhitch":
        return animal.id in wagon.hitched
    return animal.living and not full(rules, wagon) and out_of_place(rules, battle, wagon, animal) is None


def finish(rules: Rules, play: Play[Battle], id_: str, job: Job) -> None:
    """Hitch an animal to a wagon, or free it."""
    animal, wagon = job.what.split()[0], play.state.things[job.what.split()[2]]
    others = tuple(name for name in wagon.hitched if name != animal)
    hitched = (*others, animal) if job.do == "hitch" else others
    play.happen(Hitched(wagon.id, animal, hitched, "S5.11f"))


# --- the orders


def orders(rules: Rules, battle: Battle, unit: Unit) -> Iterator[Act]:
    """Yield which animals a figure could hitch to a wagon, and which it could unhitch, wagon by wagon."""
    if unit.on or not unit.at:
        return
    animals = [id_ for id_ in battle.living_among(around(unit.hexes)) if battle.units[id_].kind != "man"]
    for wagon in sorted(id_ for id_, thing in battle.things.items() if thing.kind == "wagon"):
        yield from (Act("hitch", (unit.id,), wagon, animals=(animal,)) for animal in animals)
        yield from (
            Act("unhitch", (unit.id,), wagon, animals=(animal,))
            for animal in sorted(battle.things[wagon].hitched)
        )


def _named(of: NamesOf, order: Act) -> Iterator[Found]:
    if len(order.animals) > 1:
        yield (
            Problem("orders.one-animal", {"unit": order.who[0]}, help="one figure for each animal"),
            order.animals[1],
        )
    yield from of.wagon(order.what)


_WAGONS = Needs("wagons", ("wagons",))
HITCH = Deed(
    id="hitch",
    sentences=(
        sentence(
            "move", "{who:NAME} hitches {animals:ANIMALS} to {what:WAGON}", "giles hitches ox1 to wagon1"
        ),
    ),
    words=Words("hitch", forms=("{names} hitches {rest}",), tells=("hitches",), unended=("hitches",)),
    called="hitches",
    needs=_WAGONS,
    named=_named,
    check=why_not,
    do=begin,
    work=Work("hitching", still_there, finish),
    alone=True,
    lists=orders,
    at_hand=True,
)
UNHITCH = Deed(
    id="unhitch",
    sentences=(
        sentence(
            "move",
            "{who:NAME} unhitches {animals:ANIMALS} from {what:WAGON}",
            "giles unhitches ox1 from wagon1",
        ),
    ),
    words=Words("unhitch", forms=("{names} unhitches {rest}",), tells=("unhitches",), unended=("unhitches",)),
    called="unhitches",
    keys={"from": "what"},
    needs=_WAGONS,
    named=_named,
    check=why_not,
    do=begin,
    work=Work("unhitching", still_there, finish),
    alone=True,
)
