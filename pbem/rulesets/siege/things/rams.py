"""Rams: who is under one, which walls it reaches, and when it strikes them.

How it is moved is ``driving``, how its blow is read ``battering``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from pbem.core.odds import Modifier
from pbem.core.play import Play
from pbem.core.problem import Path, Problem, first_problem
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.core.sequence import parse_cursor
from pbem.core.table import die_faces
from pbem.geometry.hex import SIDES, neighbour, side_number
from pbem.rulesets.siege.orders import conditions
from pbem.rulesets.siege.state.deed import Deed, JudgingOf, Needs, Words
from pbem.rulesets.siege.state.events import RamStruck
from pbem.rulesets.siege.state.orders import Act
from pbem.rulesets.siege.state.sentence import sentence
from pbem.rulesets.siege.state.state import STUNNED, Battle, Thing, Unit
from pbem.rulesets.siege.things import battering, names
from pbem.rulesets.siege.turn import sequence

Rules = Ruleset[Battle]

RAM: Final = "ram"


# --- who is under it


def under(battle: Battle, place: str) -> Thing | None:
    """Return the ram under which a place is; None for every other place."""
    return next((thing for thing in battle.things.values() if thing.kind == RAM and place in thing.at), None)


def ground(battle: Battle, ram: Thing) -> Mapping[str, str]:
    """Return the ground under a ram."""
    return dict.fromkeys(ram.at, RAM)


@rule("S4.31a")
def goes_as_a_tower(kind: str) -> bool:
    """Tell whether an engine that is not a tower moves like one: a ram does."""
    return kind == RAM


@rule("S4.31b")
def nothing_on_top(battle: Battle, unit: Unit) -> Problem | None:
    """Return that nobody stands on a ram, under which a figure is; None for who is elsewhere."""
    ram = next((found for place in unit.at if (found := under(battle, place))), None)
    if ram is None:
        return None
    return Problem(
        "rams.top",
        {"unit": unit.id, "thing": ram.id},
        rule="S4.31b",
        help="one man stands under each of its three hexes",
    )


@rule("S4.31c")
def short_of_men(rules: Rules, ram: Thing, crew: Sequence[Unit]) -> Problem | None:
    """Return that a ram is neither moved nor worked, because it wants a man under each of its hexes; None if
    they are there.
    """
    needed = int(rules.tables["footprints"]["rows"][RAM]["crew"])
    if len(crew) >= needed:
        return None
    names: dict[str, str | int] = {"thing": ram.id, "men": len(crew), "needed": needed}
    return Problem("rams.crew", names, rule="S4.31c", help="its three hexes are " + " ".join(ram.at))


@rule("S4.33b")
def cannot_shoot(battle: Battle, shooter: Unit) -> Problem | None:
    """Return that who is under a ram does not shoot; None for who is elsewhere."""
    for place in shooter.at if battle.things else ():
        if ram := under(battle, place):
            return Problem("rams.no-shot", {"unit": shooter.id, "thing": ram.id}, rule="S4.33b")
    return None


@rule("S4.34b")
def fights_around(battle: Battle, here: str, there: str) -> bool:
    """Tell whether blows are struck between two places because one of them is under a ram."""
    return under(battle, here) is not None or under(battle, there) is not None


# --- the blow


def why_not(rules: Rules, battle: Battle, order: Act) -> Problem | None:
    """Return why a ram does not strike a wall now; None if it does."""
    ram, hex_ = battle.things[order.what], order.to[0]
    if ram.kind != RAM:
        return Problem("rams.no-ram", {"thing": ram.id}, rule="S4.32a")
    crew = [unit for unit in _under(battle, ram) if unit.side == battle.at.side]
    return (
        short_of_men(rules, ram, crew)
        or laid_low(ram, crew)
        or resting(rules, battle, ram)
        or distracted(battle, ram, crew)
        or first_problem(sequence.may_fight(rules, battle, unit, battle.at.phase) for unit in crew)
        or out_of_reach(ram, hex_)
        or against_the_keep(battle, ram, hex_)
        or no_wall(rules, battle, ram, hex_)
    )


def _under(battle: Battle, ram: Thing) -> list[Unit]:
    return [battle.units[battle.standing_at[place]] for place in ram.at if place in battle.standing_at]


@rule("S4.34c")
def laid_low(ram: Thing, crew: Sequence[Unit]) -> Problem | None:
    """Return that a ram does not work while one of those under it lies stunned; None if all are on their
    feet, wounded or not.
    """
    dazed = next((unit for unit in crew if unit.state == STUNNED), None)
    if dazed is None:
        return None
    return Problem(
        "rams.stunned",
        {"thing": ram.id, "unit": dazed.id},
        rule="S4.34c",
        help="it goes on when he has come to",
    )


@rule("S4.34a")
def distracted(battle: Battle, ram: Thing, crew: Sequence[Unit]) -> Problem | None:
    """Return that those under a ram have fought in this game turn, men or a fire, and do not work it; None if
    they have not.
    """
    busy = next(
        (unit for unit in crew if {"fought", "put-out"} & {*unit.did} or _this_turn(battle, unit.fought)),
        None,
    )
    if busy is None and not _this_turn(battle, ram.crew_fought):
        return None
    return Problem("rams.fought", {"thing": ram.id}, rule="S4.34a", help="it may strike in the next turn")


def _this_turn(battle: Battle, cursor: str) -> bool:
    if not cursor:
        return False
    at = parse_cursor(cursor)
    return (at.day, at.turn) == (battle.at.day, battle.at.turn)


@rule("S4.32c")
def resting(rules: Rules, battle: Battle, ram: Thing) -> Problem | None:
    """Return that a ram has struck in this game turn or the one before, and strikes but every second turn;
    None if it may.
    """
    if not ram.struck:
        return None
    last = parse_cursor(ram.struck)
    again = last.turn + int(rules.tables["footprints"]["ram_cycle"])
    if last.day != battle.at.day or battle.at.turn >= again:
        return None
    names: dict[str, str | int] = {"thing": ram.id, "turn": again}
    return Problem("rams.again", names, rule="S4.32c", help=f"it may strike in turn {again}")


@rule("S4.32a")
def in_front(ram: Thing) -> tuple[str, ...]:
    """Return the hexes that the front of a ram touches: the one straight ahead, and those to the left and
    right of it; of a broader engine those straight ahead of it too.
    """
    ahead = side_number(ram.facing)
    beside = [neighbour(ram.at[0], SIDES[(ahead + turn) % 6]) for turn in (-1, 0, 1)]
    beyond = [neighbour(hex_, ram.facing) for hex_ in ram.at[1:]]
    return tuple(dict.fromkeys(hex_ for hex_ in (*beside, *beyond) if hex_ and hex_ not in ram.at))


def out_of_reach(ram: Thing, hex_: str) -> Problem | None:
    """Return that a hex is not before the front of a ram; None if it is."""
    if hex_ in in_front(ram):
        return None
    names = {"thing": ram.id, "hex": hex_}
    return Problem("rams.reach", names, rule="S4.32a", help=f"before its front lie {' '.join(in_front(ram))}")


def no_wall(rules: Rules, battle: Battle, ram: Thing, hex_: str) -> Problem | None:
    """Return that there is no wall for a ram in a hex; None if there is."""
    return (
        None
        if stands(rules, battle, hex_)
        else Problem("rams.wall", {"thing": ram.id, "hex": hex_}, rule="S4.32e")
    )


@rule("S4.32e")
def stands(rules: Rules, battle: Battle, hex_: str) -> bool:
    """Tell whether a wall stands in a hex, intact or damaged: a ram is used on either, until it is down."""
    return battering.why_not(rules, battle, hex_) is None


@rule("S4.32g")
def against_the_keep(battle: Battle, ram: Thing, hex_: str) -> Problem | None:
    """Return that rams are not used against the walls of a keep; None for every other wall."""
    if battering.kind_of(battle, hex_) != battering.KEEP:
        return None
    return Problem(
        "rams.keep",
        {"thing": ram.id, "hex": hex_},
        rule="S4.32g",
        help="rams strike curtain walls and towers",
    )


@rule("S4.32b")
def points(rules: Rules) -> int:
    """Return what a ram is worth in points of destruction."""
    return int(rules.tables["battering"]["points"][RAM])


@rule("S4.32f")
def bombarded_before(rules: Rules, battle: Battle, hex_: str) -> Modifier | None:
    """Return what moves the die of a ram at a wall that was bombarded before (option); None at one that was
    not.
    """
    if not battering.wall_of(battle, hex_).bombarded:
        return None
    return Modifier("S4.32f", "bombarded before", int(rules.setting("ram_vs_bombarded_wall_drm")))


def strike(rules: Rules, play: Play[Battle], order: Act) -> None:
    """Let a ram strike a wall: its points are read on the table of destruction, and what the table does to
    engines is not for it.
    """
    more = bombarded_before(rules, play.state, order.to[0])
    play.happen(struck(play.state, order))
    recorded(rules, play, order, more)


@rule("S4.32d")
def recorded(rules: Rules, play: Play[Battle], order: Act, more: Modifier | None) -> battering.Blow | None:
    """Roll for the blow on the table that all engines have, and record what it does where their damage is
    recorded.
    """
    return battering.strike(
        rules, play, order.to[0], points(rules), name=f"ram/{order.what}", ram=True, more=more
    )


def struck(battle: Battle, order: Act) -> RamStruck:
    """Return the event of a blow, which is certain whatever the die shows."""
    crew = tuple(unit.id for unit in _under(battle, battle.things[order.what]))
    return RamStruck(order.what, order.to[0], str(battle.at), crew, "S4.32a")


# --- the order


def orders(rules: Rules, battle: Battle, seat: str, ram: Thing) -> Iterator[tuple[Act, None]]:
    """Yield which walls the men under a ram can strike with it."""
    if ram.kind != RAM or not ram.at:
        return
    for hex_ in in_front(ram):
        order = Act("strike", what=ram.id, to=(hex_,))
        if (
            hex_ in battle.field.ground
            and names.not_in_force(rules, order) is None
            and conditions.stands(rules, battle, "act", seat, order)
        ):
            yield order, None


def said(rules: Rules, battle: Battle, order: Act) -> str:
    """Return what a blow may come to."""
    more = bombarded_before(rules, battle, order.to[0])
    told, _ = battering.chances(rules, battle, order.to[0], points(rules), more)
    shift = f", {more.shift:+d} {more.label} ({more.rule})" if more else ""
    return (
        f"{points(rules)} points, column {battering.column(rules, points(rules))}{shift}: one step of "
        f"damage on {told} of {die_faces(rules.tables['battering'])}"
    )


def follows(judging: JudgingOf, order: Act, path: Path) -> None:
    """Reckon with the wall coming down: in rubble others reach who stood on it, and he them."""
    judging.outlook.hurt |= set(judging.battle.living_among(order.to))
    if battering.may_fall(judging.rules, judging.battle, order.to[0]):
        judging.outlook.adrift |= {*judging.battle.living_in.get(order.to[0], ())}


STRIKE: Final = Deed(
    id="strike",
    sentences=(sentence("fight", "{what:ENGINE} strikes {to:HEX}", "ram1 strikes 0404"),),
    words=Words(
        "strike",
        forms=("{names} strikes {place}...",),
        tells=("strikes",),
        does=("strike[s]",),
        unended=("strikes",),
    ),
    called="strikes",
    keys={"at": "to"},
    needs=Needs("rams", ("battering",)),
    named=lambda of, order: of.engine(order.what),
    check=why_not,
    do=strike,
    engine=True,
    rolls=True,
    certain=lambda battle, order: (struck(battle, order),),
    mark="struck",
    instead="worked the ram",
    things=(orders,),
    about=said,
    drawn="strike",
    follows=follows,
)
