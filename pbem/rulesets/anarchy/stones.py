"""Stones thrown from above: who throws them on whom, how often, and how two men move a supply of them.

A supply is a thing that never runs out, so nothing counts its stones. A throw is a shot like any other
(``shooting``); in defensive fire it is made by ``standing_fire``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec.structs import replace

from pbem.core.play import Play
from pbem.core.problem import Problem, first_problem
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import distance, hex_of, neighbours, split_place
from pbem.rulesets.anarchy import door, full_turn, hands, hoarding, oil_reach, sequence
from pbem.rulesets.siege.combat import aiming, shooting
from pbem.rulesets.siege.ground import heights, ladders
from pbem.rulesets.siege.march import movement, step
from pbem.rulesets.siege.state.deed import Deed, JudgingOf, Needs, Words, Work
from pbem.rulesets.siege.state.events import Acted, ThingChanged, ThingMoved
from pbem.rulesets.siege.state.family import Kind
from pbem.rulesets.siege.state.line import Aim
from pbem.rulesets.siege.state.orders import Act
from pbem.rulesets.siege.state.sentence import sentence
from pbem.rulesets.siege.state.state import BELOW, Battle, Job, Thing, Unit
from pbem.rulesets.siege.things import rams
from pbem.rulesets.siege.turn import jobs
from pbem.rulesets.siege.turn import sequence as turn

Rules = Ruleset[Battle]
STONES: Final = "stones"
"""The kind of thing, and what a throw is called."""
THROWN: Final = "thrown-stone"
"""What a figure is taken for while a stone of its leaves its hands."""
THROW, DRAG = "throw", "drag"
NEEDS: Final = Needs("castles", ("castle",))


def supplies(battle: Battle) -> tuple[Thing, ...]:
    """Return the supplies of stones on the map, by id."""
    if not battle.things:
        return ()
    return battle.once(
        "supplies of stones",
        lambda: tuple(one for _, one in sorted(battle.things.items()) if one.kind == STONES and one.at),
    )


# --- who throws, and how often


def why_not(rules: Rules, battle: Battle, order: Act) -> Problem | None:
    """Return why a figure does not throw stones at another now; None if it does."""
    unit, target = battle.units[order.who[0]], battle.units[order.what]
    found = not_ready(rules, battle, unit) or aim(rules, battle, unit, target)
    return found if isinstance(found, Problem) else None


@rule("A4.5.3b")
def not_ready(rules: Rules, battle: Battle, unit: Unit) -> Problem | None:
    """Return why a figure throws at nobody now, in whichever phase of shooting; None if it only wants
    somebody below it: it is as with who shoots.
    """
    if problem := turn.may_do(rules, battle, unit) or turn.hands_full(rules, battle, unit):
        return problem
    if not unit.at or unit.on or unit.kind != "man":
        return Problem("stones.on-foot", {"unit": unit.id}, rule="A4.5.1a")
    if battle.at.phase == sequence.OFFENSIVE and sequence.SHOT in unit.did:
        return Problem("shooting.again", {"unit": unit.id}, rule="A0.11")
    return rams.cannot_shoot(battle, unit) or too_seldom(rules, battle, unit)


@rule("A4.5.3a")
def rate(rules: Rules, battle: Battle, unit: Unit) -> str:
    """Return the weapon as often as which a figure throws, told by how far the nearest supply on its level
    is; empty where none is near enough.
    """
    rates = {int(row["distance"]): str(row["rate"]) for row in _rows(rules)}
    far = [
        distance(hex_of(unit.at[0]), hex_of(supply.at[0]))
        for supply in supplies(battle)
        if unit.at and in_reach(rules, battle, unit, supply)
    ]
    return rates.get(min(far), "") if far else ""


def in_reach(rules: Rules, battle: Battle, unit: Unit, supply: Thing) -> bool:
    """Tell whether a supply lies on the level of a figure, so that it gets at its stones."""
    return heights.level(rules, battle, supply.at[0]) == heights.level(rules, battle, unit.at[0])


def _rows(rules: Rules) -> Sequence[Mapping[str, Any]]:
    return tuple(rules.tables["ranges_and_modifiers"]["stones"].values())


def too_seldom(rules: Rules, battle: Battle, unit: Unit) -> Problem | None:
    """Return that no supply is near enough, or that who is so far from one has moved or thrown too much to
    throw again; None if he may.
    """
    found = rate(rules, battle, unit)
    if not found:
        most = max(int(row["distance"]) for row in _rows(rules))
        help_ = f"one lies within {most} hexes of him, as high as he stands"
        return Problem("stones.none", {"unit": unit.id}, rule="A4.5.1a", help=help_)
    problem = sequence.RATES[found](rules, battle, unit)
    return problem and replace(problem, args={**problem.args, "weapon": STONES}, rule="A4.5.3a")


def marched(rules: Rules, battle: Battle) -> list[tuple[str, str]]:
    """Return who has gone too far in this movement to throw stones from a hex away, by id."""
    if not supplies(battle):
        return []
    bows = {id_ for id_, _ in sequence.marched(rules, battle)}
    others = (unit for unit in sequence.who_marched(rules, battle) if unit.id not in bows)
    return [(unit.id, sequence.MARCHED) for unit in others if rate(rules, battle, unit) == sequence.LONG_BOW]


# --- on whom


def aim(rules: Rules, battle: Battle, unit: Unit, target: Unit) -> Aim | Problem:
    """Return how a figure that may throw now throws at another, or why it cannot."""
    return not_above(rules, battle, unit, target) or aiming.aim(rules, battle, as_thrower(unit), target)


def as_thrower(unit: Unit) -> Unit:
    """Return a figure with a stone in its hands."""
    return replace(unit, kind=THROWN)


@rule("A4.5.4")
def weapon_of(shooter: Unit) -> str:
    """Return the weapon in whose columns thrown stones are read, however often they are thrown; empty for who
    shoots.
    """
    return sequence.SHORT_BOW if shooter.kind == THROWN else ""


@rule("A4.5.1a")
def not_above(rules: Rules, battle: Battle, unit: Unit, target: Unit) -> Problem | None:
    """Return that who is to be hit is neither lower and beside the thrower nor straight below an opening in
    his floor; None if he is.
    """
    if not target.at:
        return None
    if any(falls_on(rules, battle, unit.at[0], place) for place in target.at):
        return None
    names = {"unit": unit.id, "target": target.id}
    help_ = "he must be lower, and beside him, or straight below an opening in his floor"
    return Problem("stones.not-above", names, rule="A4.5.1a", help=help_)


def falls_on(rules: Rules, battle: Battle, here: str, there: str) -> bool:
    """Tell whether stones that are thrown down from one place fall on another."""
    covered = split_place(there)[1] == BELOW or oil_reach.bridges_over(battle, there)
    if covered or not below(rules, battle, here, there):
        return False
    if hoarding.over(battle, here) is not None:
        return through_the_floor(here, there)
    return distance(hex_of(here), hex_of(there)) == 1


@rule("A4.5.1b")
def below(rules: Rules, battle: Battle, here: str, there: str) -> bool:
    """Tell whether a place lies lower than another: also the ladder that leans beside it."""
    if ladders.in_hex(battle, there) is not None:
        return heights.level(rules, battle, here) > 0
    return heights.level(rules, battle, there) < heights.level(rules, battle, here)


@rule("A3.3.5.2a")
def through_the_floor(here: str, there: str) -> bool:
    """Tell whether somebody is straight below a hoarding, where alone its openings lead."""
    return hex_of(here) == hex_of(there)


def in_range(rules: Rules, battle: Battle, unit: Unit) -> dict[str, Aim]:
    """Return at whom a figure may throw stones now, and how, by id; no animals."""
    if not supplies(battle) or not unit.at or not_ready(rules, battle, unit):
        return {}
    near = battle.living_among((hex_of(unit.at[0]), *neighbours(hex_of(unit.at[0]))))
    foes = (battle.units[id_] for id_ in near if battle.foes(unit, battle.units[id_]))
    found = {foe.id: aim(rules, battle, unit, foe) for foe in foes if foe.kind == "man"}
    return {id_: one for id_, one in found.items() if isinstance(one, Aim)}


# --- the throw


def throw(rules: Rules, play: Play[Battle], order: Act) -> Problem | None:
    """Let a figure throw stones at another; return why nothing comes of it."""
    return hurl(rules, play, order.who[0], order.what)


def hurl(rules: Rules, play: Play[Battle], id_: str, at: str) -> Problem | None:
    """Throw, and let happen what it does; return why nobody is hit."""
    unit, target = play.state.units[id_], play.state.units[at]
    found = aim(rules, play.state, unit, target)
    if isinstance(found, Problem):
        return found
    shooting.loose(rules, play, as_thrower(play.state.units[id_]), target, found, STONES)
    return None


def throws(rules: Rules, battle: Battle, unit: Unit) -> Iterator[Act]:
    """Yield at whom a figure could throw stones: the enemies around it."""
    if supplies(battle) and unit.at and unit.kind == "man":
        for id_ in battle.living_among((hex_of(unit.at[0]), *neighbours(hex_of(unit.at[0])))):
            if battle.foes(unit, battle.units[id_]):
                yield Act(THROW, (unit.id,), id_)


def risks(judging: JudgingOf, order: Act) -> None:
    """Reckon with what stones may do."""
    hit = judging.with_horses([order.what])
    judging.outlook.hurt |= hit
    judging.outlook.adrift |= hit


def about(rules: Rules, battle: Battle, order: Act) -> str:
    """Return the cover of who would be hit."""
    found = aim(rules, battle, battle.units[order.who[0]], battle.units[order.what])
    return "" if isinstance(found, Problem) else f"{found.cover if found.cover != 'none' else 'no'} cover"


# --- to move a supply


def why_no_drag(rules: Rules, battle: Battle, order: Act) -> Problem | None:
    """Return why two men do not begin to move a supply of stones to a place; None if they do."""
    supply = next((one for one in supplies(battle) if one.id == order.what), None)
    if supply is None:
        found = ", ".join(one.id for one in supplies(battle))
        help_ = f"it is called {found}" if found else "there is none on this map"
        return Problem("stones.no-supply", {"thing": order.what}, rule="A4.5.2", help=help_)
    units = [battle.units[id_] for id_ in order.who]
    return (
        two_beside(rules, battle, supply, units)
        or one_hex(rules, battle, supply, units[0], order.to[0])
        or others_at_it(battle, supply)
        or first_problem(
            movement.time_to_move(rules, battle, unit) or jobs.too_late(rules, battle, unit, DRAG)
            for unit in units
        )
    )


@rule("A4.5.2")
def two_beside(rules: Rules, battle: Battle, supply: Thing, units: Sequence[Unit]) -> Problem | None:
    """Return that it takes two on foot in the hex of a supply or beside it; None if they are there."""
    men = int(rules.tables["jobs"]["rows"]["stones"]["men"])
    if len({unit.id for unit in units}) == len(units) == men and all(
        at_it(rules, battle, supply, unit) for unit in units
    ):
        return None
    names = {"thing": supply.id, "hex": supply.at[0]}
    return Problem("stones.two", names, rule="A4.5.2", help=f"NAME, NAME drag {supply.id} to HEX")


def at_it(rules: Rules, battle: Battle, supply: Thing, unit: Unit) -> bool:
    """Tell whether a figure on foot stands in the hex of a supply or beside it, as high as it lies."""
    afoot = len(unit.at) == 1 and not unit.on and unit.kind == "man"
    return afoot and hands.reach(rules, battle, unit, supply.at[0])


@rule("A4.5.2")
def one_hex(rules: Rules, battle: Battle, supply: Thing, unit: Unit, to: str) -> Problem | None:
    """Return that a supply is not moved to a place: it goes a hex far, where a man goes on foot and nothing
    of the kind lies; None if it is.
    """
    taken = any(one.kind in (STONES, "cauldron") and to in one.at for one in battle.things.values())
    free = to in battle.beside(supply.at[0]) and not taken
    if free and step.can_pass(rules, battle, replace(unit, at=supply.at), supply.at[0], to):
        return None
    names = {"thing": supply.id, "hex": to}
    return Problem("stones.too-far", names, rule="A4.5.2", help="a hex in a turn, where a man can go")


def others_at_it(battle: Battle, supply: Thing) -> Problem | None:
    """Return who is at work at a supply already; None if nobody is."""
    names = [
        id_ for id_, unit in sorted(battle.units.items()) if unit.job and supply_of(unit.job) == supply.id
    ]
    if not names:
        return None
    return Problem("stones.others", {"thing": supply.id, "units": " and ".join(names)}, rule="A4.5.2")


def supply_of(job: Job) -> str:
    """Return the supply that a figure moves; empty for all other work."""
    return door.door_of(job) if job.do == DRAG else ""


def begin(rules: Rules, play: Play[Battle], order: Act) -> None:
    """Let two men begin to move a supply: it takes their turn."""
    for id_ in order.who:
        full_turn.begin(play, id_, DRAG, f"{order.what} to {order.to[0]}")


def still_there(rules: Rules, battle: Battle, unit: Unit, job: Job) -> bool:
    """Tell whether the supply is still where the two who move it stand."""
    supply = battle.things.get(supply_of(job))
    return supply is not None and at_it(rules, battle, supply, unit)


@rule("A4.5.2")
def dragged(rules: Rules, play: Play[Battle], id_: str, job: Job) -> None:
    """Move a supply when the second of the two has done his turn."""
    supply, row = play.state.things[supply_of(job)], rules.tables["jobs"]["rows"]["stones"]
    crew, done = door.counted(play.state, supply, id_, row)
    if not done:
        play.happen(ThingChanged(supply.id, crew=crew, struck=str(play.state.at), rule="A4.5.2"))
        return
    play.happen(ThingChanged(supply.id, cleared=("crew", "struck"), rule="A4.5.2"))
    play.happen(ThingMoved(supply.id, (job.what.split()[2],), rule="A4.5.2", was=supply.at))


def drags(rules: Rules, battle: Battle, unit: Unit) -> Iterator[Act]:
    """Yield where a figure may move a supply with one of its seat, behind it in the alphabet."""
    for supply in supplies(battle):
        if at_it(rules, battle, supply, unit):
            near = battle.living_among((hex_of(supply.at[0]), *neighbours(hex_of(supply.at[0]))))
            for mate in (battle.units[id_] for id_ in near):
                if mate.id > unit.id and mate.owner == unit.owner:
                    for there in battle.beside(supply.at[0]):
                        yield Act(DRAG, (unit.id, mate.id), supply.id, to=(there,))


KINDS: Final = {STONES: Kind("castle", lifted=True)}
DEEDS: Final = (
    Deed(
        id=THROW,
        sentences=(
            sentence("shoot", "{who:NAME} throws stones at {what:NAME}", "tom throws stones at wulf"),
        ),
        words=Words(
            THROW, forms=("{names} throws stones at {name}",), tells=("throws stones",), unended=("throws",)
        ),
        called="throws stones at",
        keys={"at": "what"},
        needs=NEEDS,
        check=why_not,
        do=throw,
        rolls=True,
        certain=lambda battle, order: (Acted(order.who[0], sequence.SHOT),),
        mark=sequence.SHOT,
        lists=throws,
        grouped=True,
        about=about,
        drawn="throw",
        risks=risks,
    ),
    Deed(
        id=DRAG,
        sentences=(
            sentence(
                "move", "{who:NAMES} drag/drags {what:THING} to {to:HEX}", "tom, wat drag stones1 to 0304"
            ),
        ),
        words=Words(DRAG, forms=("{names} drag[s] {rest}",), does=("drag[s]",), tells=("drag[s]",)),
        called="drags",
        needs=NEEDS,
        kinds=(STONES,),
        check=why_no_drag,
        do=begin,
        work=Work("moving stones", still_there, dragged),
        alone=True,
        lists=drags,
        grouped=True,
        at_hand=True,
    ),
)
