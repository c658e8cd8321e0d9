"""Rams of The Anarchy: ten hexes, six of them for men, who push it and swing its beam against a wall.

What its blow does to the wall is ``damage``; Siege's own ram is smaller and worked otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from pbem.core.odds import Modifier
from pbem.core.play import Play
from pbem.core.problem import Path, Problem
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.core.sequence import parse_cursor
from pbem.core.table import die_faces
from pbem.rulesets.anarchy import damage, roof_fire, roofs
from pbem.rulesets.siege.state.deed import Deed, JudgingOf
from pbem.rulesets.siege.state.events import RamStruck
from pbem.rulesets.siege.state.family import Covered, where_there_is
from pbem.rulesets.siege.state.line import Line
from pbem.rulesets.siege.state.orders import Act
from pbem.rulesets.siege.state.state import Battle, Thing, Unit
from pbem.rulesets.siege.things import battering, rams

Rules = Ruleset[Battle]
RAM: Final = rams.RAM


# --- under it


@rule("A5.2.2a")
def ground(battle: Battle, ram: Thing) -> Mapping[str, str]:
    """Return the ground under a ram: room for six beside its wheels, and its beam between them."""
    return {**dict.fromkeys(ram.at, RAM), **dict.fromkeys(roofs.middle(ram), "ram_beam")}


@rule("A5.2.2b")
@where_there_is(RAM)
def by_its_ends(rules: Rules, battle: Battle, unit: Unit, here: str, there: str) -> Problem | None:
    """Return that the side of a ram is between two places, for it is entered and left at its ends; None where
    none is.
    """
    ram = roofs.closed(battle, here, there, RAM)
    if ram is None:
        return None
    ends = " and ".join(sorted({inside for inside, _ in roofs.ways_in(ram)}))
    names_ = {"unit": unit.id, "thing": ram.id, "here": here, "there": there}
    return Problem("roofs.side", names_, rule="A5.2.2b", help=f"it is open before and behind: {ends}")


@rule("A5.2.4b")
@where_there_is(RAM)
def cover(rules: Rules, battle: Battle, shooter: Unit, target: Unit, line: Line) -> Covered:
    """Return the cover of who is under a ram: none against a shot from its level through an end, or where
    its roof is burnt, total against all others; None of who is elsewhere.
    """
    ram = roofs.target_under(battle, target, line)
    if ram is None or ram.kind != RAM:
        return None
    through = roofs.same_level(rules, battle, shooter, ram) and roofs.through_an_end(ram, line, line.end)
    bare = through or roofs.gone(rules, ram, line.end)
    return ("none" if bare else "infinite"), "A5.2.4b"


@rule("A5.2.6a")
@where_there_is(RAM)
def no_blows(rules: Rules, battle: Battle, attacker: Unit, defender: Unit) -> Problem | None:
    """Return that the side of a ram is between two figures, who fight at its ends alone; None if it is not
    so.
    """
    return roofs.no_blows(battle, attacker, defender, RAM, "A5.2.6a", "at the hexes before and behind it")


# --- who works it


@rule("A5.2.1a")
def points(rules: Rules, men: int) -> int:
    """Return the movement points that so many men give a ram."""
    return roofs.pushed(rules, RAM, men)


@rule("A5.2.1e", "A5.2.6b")
def free(battle: Battle, crew: Sequence[Unit]) -> list[Unit]:
    """Return who of those under a ram pushes it, or swings it: nobody who was attacked, attacks or fights a
    fire.
    """
    return [unit for unit in crew if not roofs.busy(battle, unit)]


@rule("A5.2.3b")
def strength(rules: Rules, men: int) -> int:
    """Return the points of destruction of a ram with so many men at it; none where they are too few."""
    worth, served = rules.tables["battering_anarchy"]["points"], roofs.row(rules, "served", RAM)
    if men >= served["men"]:
        return int(worth["ram"])
    return int(worth["ram_short_of_men"]) if men >= served["few_men"] else 0


@rule("A5.2.7b")
def burnt(rules: Rules, ram: Thing) -> Problem | None:
    """Return that so much of a ram is burnt that it neither moves nor strikes; None if it does both."""
    return roofs.worn(rules, ram, "A5.2.7b")


# --- the blow


def why_not(rules: Rules, battle: Battle, order: Act) -> Problem | None:
    """Return why a ram does not strike a wall now; None if it does."""
    ram, hex_ = battle.things[order.what], order.to[0]
    if ram.kind != RAM:
        return Problem("rams.no-ram", {"thing": ram.id}, rule="A5.2.3a", help="name a ram")
    crew = free(battle, roofs.hands(battle, ram))
    return (
        burnt(rules, ram)
        or short_of_men(rules, ram, crew)
        or resting(rules, battle, ram)
        or out_of_reach(ram, hex_)
        or against_the_keep(battle, ram, hex_)
        or no_wall(rules, battle, ram, hex_)
    )


@rule("A5.2.6c")
def short_of_men(rules: Rules, ram: Thing, crew: Sequence[Unit]) -> Problem | None:
    """Return that too few under a ram have their hands free to swing it in this turn; None if they are
    enough.
    """
    if strength(rules, len(crew)):
        return None
    needed = roofs.row(rules, "served", RAM)["few_men"]
    said: dict[str, str | int] = {"thing": ram.id, "men": len(crew), "needed": needed}
    return Problem("ram.crew", said, rule="A5.2.6c", help="it strikes in the next turn with enough")


@rule("A5.2.3c")
def resting(rules: Rules, battle: Battle, ram: Thing) -> Problem | None:
    """Return that a ram struck in this game turn or the one before; None if it may strike."""
    if not ram.struck:
        return None
    last = parse_cursor(ram.struck)
    again = last.turn + int(roofs.row(rules, "served", RAM)["turns"])
    if last.day != battle.at.day or battle.at.turn >= again:
        return None
    said: dict[str, str | int] = {"thing": ram.id, "turn": again}
    return Problem("rams.again", said, rule="A5.2.3c", help=f"it may strike in turn {again}")


@rule("A5.2.3a")
def out_of_reach(ram: Thing, hex_: str) -> Problem | None:
    """Return that a hex is not before the front of a ram; None if it is, even where it came there in this
    turn.
    """
    if hex_ in rams.in_front(ram):
        return None
    help_ = f"before its front lie {' '.join(rams.in_front(ram))}"
    return Problem("rams.reach", {"thing": ram.id, "hex": hex_}, rule="A5.2.3a", help=help_)


@rule("A5.2.3e")
def against_the_keep(battle: Battle, ram: Thing, hex_: str) -> Problem | None:
    """Return that a ram does nothing to a keep; None of every other wall."""
    if battering.kind_of(battle, hex_) != battering.KEEP:
        return None
    help_ = "rams strike curtain walls and towers"
    return Problem("rams.keep", {"thing": ram.id, "hex": hex_}, rule="A5.2.3e", help=help_)


@rule("A5.2.3f")
def no_wall(rules: Rules, battle: Battle, ram: Thing, hex_: str) -> Problem | None:
    """Return that nothing stands in a hex that a ram strikes; None of whatever stands, damaged or not."""
    if damage.standing(rules, battle, hex_):
        return None
    up = [there for there in rams.in_front(ram) if damage.standing(rules, battle, there)]
    help_ = f"before its front {' '.join(up)} still stands" if up else "nothing stands before its front"
    return Problem("rams.wall", {"thing": ram.id, "hex": hex_}, rule="A5.2.3f", help=help_)


@rule("A5.2.3e")
def against_a_tower(rules: Rules, battle: Battle, hex_: str) -> Modifier | None:
    """Return what is taken from the die of a ram at a tower; None at every other wall."""
    if battering.kind_of(battle, hex_) != battering.TOWER:
        return None
    shift = int(rules.tables["battering_anarchy"]["die"]["modifiers"]["tower_by_ram"])
    return Modifier("A5.2.3e", "tower", shift)


def strike(rules: Rules, play: Play[Battle], order: Act) -> None:
    """Let a ram strike a wall with those who have their hands free."""
    battle, hex_ = play.state, order.to[0]
    worth = strength(rules, len(free(battle, roofs.hands(battle, battle.things[order.what]))))
    more = against_a_tower(rules, battle, hex_)
    play.happen(struck(battle, order))
    damage.blow(rules, play, hex_, worth, name=f"ram/{order.what}", by=RAM, more=more)


def struck(battle: Battle, order: Act) -> RamStruck:
    """Return the event of a blow, which is certain whatever the die shows."""
    crew = tuple(unit.id for unit in free(battle, roofs.hands(battle, battle.things[order.what])))
    return RamStruck(order.what, order.to[0], str(battle.at), crew, "A5.2.3a")


# --- the order


def said(rules: Rules, battle: Battle, order: Act) -> str:
    """Return what a blow may come to, with how many men."""
    crew = free(battle, roofs.hands(battle, battle.things[order.what]))
    worth, more = strength(rules, len(crew)), against_a_tower(rules, battle, order.to[0])
    steps, _ = damage.chances(rules, battle, order.to[0], worth, more, RAM)
    shift = f", {more.shift:+d} {more.label} ({more.rule})" if more else ""
    column = damage.column(rules, battle, order.to[0], worth, RAM)
    of = die_faces(rules.tables[damage.TABLE])
    return f"{len(crew)} men, {worth} points, column {column}{shift}: one step of damage on {steps} of {of}"


def follows(judging: JudgingOf, order: Act, path: Path) -> None:
    """Reckon with the wall coming down: in rubble others reach who stood on it, and he them."""
    hexes = damage.reckoned(judging.battle, order.to[0])
    judging.outlook.hurt |= set(judging.battle.living_among(hexes))
    judging.outlook.adrift |= set(judging.battle.living_among(hexes))


KINDS: Final = {RAM: roofs.kind("battering", ground, roof_fire.lose)}
STRIKE: Final[Deed] = replace(
    rams.STRIKE,
    check=why_not,
    do=strike,
    certain=lambda battle, order: (struck(battle, order),),
    things=(rams.orders,),
    about=said,
    follows=follows,
)
