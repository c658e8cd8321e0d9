"""Toppling: who may throw a ladder down, when, with which die, where it comes to lie, and what becomes of who
is on it.

Into which hex he falls is ``landing``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.core.play import Play
from pbem.core.problem import Problem
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.core.table import die_faces, row_of
from pbem.geometry.hex import hex_of, neighbour, neighbours, opposite
from pbem.rulesets.siege.ground import counter, ladders, terrain
from pbem.rulesets.siege.march import landing, thrown
from pbem.rulesets.siege.state.deed import Deed, JudgingOf, Needs, Words
from pbem.rulesets.siege.state.events import Acted, LadderToppled, Rolled
from pbem.rulesets.siege.state.orders import Act
from pbem.rulesets.siege.state.sentence import sentence
from pbem.rulesets.siege.state.state import STUNNED, WOUNDED, Battle, Thing, Unit
from pbem.rulesets.siege.turn import sequence

Rules = Ruleset[Battle]
TOPPLED = "toppled"
INSTEAD = {"shot": "shot", "fought": "fought", "moved": "moved"}
"""Deeds of a turn, in which nobody topples a ladder who has done one of them."""


def why_not(rules: Rules, battle: Battle, order: Act) -> Problem | None:
    """Return why a figure does not try to topple a ladder now; None if it does."""
    unit = battle.units[order.who[0]]
    if problem := ladders.none(battle, order.what):
        return problem
    ladder = battle.things[order.what]
    problem = (
        sequence.may_fight(rules, battle, unit)
        or not_upright(ladder)
        or out_of_reach(rules, battle, unit, ladder)
    )
    return (
        problem
        or did_something_else(rules, unit)
        or (no_place(rules, battle, ladder, order.to[0]) if order.to else None)
    )


def not_upright(ladder: Thing) -> Problem | None:
    """Return that a ladder does not lean against a wall; None if it does."""
    if ladder.stands == ladders.RAISED:
        return None
    return Problem(
        "ladders.lies",
        {"thing": ladder.id},
        rule="S1.94a",
        help="only a ladder that leans against a wall is toppled",
    )


@rule("S1.94a")
def out_of_reach(rules: Rules, battle: Battle, unit: Unit, ladder: Thing) -> Problem | None:
    """Return that a figure does not stand where a ladder can be toppled from: on the battlement that it leans
    against; None if it does.
    """
    top = ladders.top(battle, ladder)
    stands = top in unit.at and ladders.leads_up(rules, battle, top)
    if stands or from_below(rules, battle, unit, ladder):
        return None
    names = {"unit": unit.id, "thing": ladder.id, "hex": top}
    if hex_of(top) in battle.field.ground and not ladders.leads_up(rules, battle, top):
        return Problem(
            "toppling.rubble",
            names,
            rule="S1.94a",
            help="rubble is not a battlement; two men beside the ladder may shift it",
        )
    return Problem("toppling.reach", names, rule="S1.94a", help=f"only from {top}, which it leans against")


@rule("EN1.94a")
def from_below(rules: Rules, battle: Battle, unit: Unit, ladder: Thing) -> bool:
    """Tell whether a figure topples a ladder from a hex on the ground next to its foot, as
    the option has it.
    """
    if rules.setting("topple_from_below") != "true" or not ladders.beside(ladder, unit):
        return False
    return all(terrain.terrain_at(rules, battle, place).floor == "ground" for place in unit.at)


@rule("S1.94b")
def did_something_else(rules: Rules, unit: Unit) -> Problem | None:
    """Return what a figure has done this turn, so that it topples no ladder: shot, fought or, unless the
    option lets it, moved.
    """
    may_move = rules.setting("topple_requires_no_move") == "false"
    done = next((deed for deed in INSTEAD if deed in unit.did and not (may_move and deed == "moved")), "")
    if not done:
        return None
    help_ = "who wants to topple a ladder does nothing else in his turn"
    return Problem("toppling.busy", {"unit": unit.id, "did": INSTEAD[done]}, rule="S1.94b", help=help_)


# --- where it falls


@rule("S1.94e")
def ends(rules: Rules, battle: Battle, ladder: Thing) -> list[str]:
    """Return where the other half of a toppled ladder may come to lie: away from the wall first, beside its
    hex, never on the wall.
    """
    foot = ladder.at[0]
    away = neighbour(foot, opposite(ladder.facing))
    near = [away, *neighbours(foot)] if away else [*neighbours(foot)]
    hexes = [hex_ for hex_ in dict.fromkeys(near) if hex_ in battle.field.ground]
    grounds = {hex_: terrain.terrain_at(rules, battle, hex_) for hex_ in hexes}
    return [
        hex_
        for hex_ in hexes
        if grounds[hex_].floor not in landing.HIGH and grounds[hex_].mp_foot is not None
    ]


def no_place(rules: Rules, battle: Battle, ladder: Thing, end: str) -> Problem | None:
    """Return that a toppled ladder cannot come to lie so; None if it can."""
    found = ends(rules, battle, ladder)
    if end in found:
        return None
    help_ = f"its free end may fall to {' or '.join(found)}" if found else "leave out where it should fall"
    return Problem(
        "toppling.end", {"thing": ladder.id, "hex": end, "foot": ladder.at[0]}, rule="S1.94e", help=help_
    )


def lies(rules: Rules, battle: Battle, ladder: Thing, wish: Sequence[str]) -> tuple[str, ...]:
    """Return the hexes of a ladder after it was toppled: its old one and the one to which its free end falls,
    if there is any.
    """
    return (ladder.at[0], *(list(wish) or ends(rules, battle, ladder))[:1])


# --- the attempt


@rule("S1.94c")
def attempt(rules: Rules, play: Play[Battle], order: Act) -> None:
    """Roll for the attempt, one die for each, and let come what it shows."""
    ladder, who = play.state.things[order.what], order.who[0]
    name = f"topple/{ladder.id}/{attempts(play, ladder) + 1}"
    table = rules.tables["ladders"]
    sides = die_faces(table)
    die = play.roll(name, sides)[0]
    result = str(row_of(table, die)["result"])
    label = f"{play.cursor}/{name}"
    play.happen(
        Rolled(
            label, sides, (die,), "S1.94d", "ladders", row=die, result=result, said=str(table["key"][result])
        )
    )
    play.happen(Acted(who, TOPPLED))
    if gives_way(result):
        topple(rules, play, ladder, order)


def attempts(play: Play[Battle], ladder: Thing) -> int:
    """Return how often somebody has tried to topple a ladder in this phase."""
    begin = f"{play.cursor}/topple/{ladder.id}/"
    return sum(isinstance(event, Rolled) and event.label.startswith(begin) for event in play.events)


@rule("S1.94d")
def gives_way(result: str) -> bool:
    """Tell whether a ladder falls: on six faces of ten it does."""
    return result == TOPPLED


def faces(rules: Rules) -> int:
    """Return on how many faces of the die a ladder falls."""
    return sum(
        row["die"][1] - row["die"][0] + 1
        for row in rules.tables["ladders"]["rows"]
        if row["result"] == TOPPLED
    )


def topple(rules: Rules, play: Play[Battle], ladder: Thing, order: Act) -> None:
    """Let a ladder fall, and with it whoever is on it."""
    who = ladders.climber(play.state, ladder)
    at = lies(rules, play.state, ladder, order.to)
    cause = play.happen(LadderToppled(ladder.id, at, order.who, "S1.94e"))
    if who is not None:
        struck, below = landing.off_a_ladder(rules, play, who.id, ladder.at[0], cause)
        for id_ in below:
            struck_down(rules, play, id_, struck)
        hurt(rules, play, who, struck)


def hurt(rules: Rules, play: Play[Battle], unit: Unit, cause: int) -> None:
    """Let the fall hurt a figure as it was before it fell."""
    if breaks_his_neck(unit):
        counter.hurt(rules, play, unit.id, "killed", cause, "S1.94i")
    else:
        is_hurt(rules, play, unit.id, cause)


@rule("S1.94h")
def is_hurt(rules: Rules, play: Play[Battle], id_: str, cause: int) -> None:
    """Let the fall off a ladder wound a figure."""
    counter.hurt(rules, play, id_, "wounded", cause, "S1.94h")


@rule("S1.94i")
def breaks_his_neck(unit: Unit) -> bool:
    """Tell whether the fall kills a figure, because it was wounded or stunned before."""
    return unit.state in (STUNNED, WOUNDED)


@rule("S1.94h")
def struck_down(rules: Rules, play: Play[Battle], id_: str, cause: int) -> None:
    """Let a figure be stunned on whom another falls."""
    thrown.befall(rules, play, id_, thrown.Fate("stunned"), cause, "S1.94h")


def in_danger(battle: Battle, order: Act) -> tuple[set[str], set[str]]:
    """Return who may fall if an attempt comes off, and who may be struck by that."""
    ladder = battle.things.get(order.what)
    who = ladders.climber(battle, ladder) if ladder is not None and ladder.stands == ladders.RAISED else None
    if ladder is None or who is None:
        return set(), set()
    return {who.id}, {who.id, *battle.living_among(neighbours(ladder.at[0]))}


def reachable(rules: Rules, battle: Battle, unit: Unit) -> list[Thing]:
    """Return the ladders that a figure could topple from where it stands, by id."""
    return [
        ladder
        for ladder in ladders.upright(battle)
        if unit.at and out_of_reach(rules, battle, unit, ladder) is None
    ]


# --- the order


def orders(rules: Rules, battle: Battle, unit: Unit) -> Iterator[Act]:
    """Yield which ladders a figure could topple, and which way."""
    for ladder in reachable(rules, battle, unit) if unit.at else ():
        yield from (Act("topple", (unit.id,), ladder.id, to=(end,)) for end in ends(rules, battle, ladder))


def said(rules: Rules, battle: Battle, order: Act) -> str:
    """Return what there is to know of an attempt."""
    return f"the ladder falls on {faces(rules)} of {die_faces(rules.tables['ladders'])}"


def risks(judging: JudgingOf, order: Act) -> None:
    """Reckon with whom an attempt may bring down, and whom that may strike."""
    falling, struck = in_danger(judging.battle, order)
    judging.outlook.hurt |= judging.with_horses(struck)
    judging.outlook.adrift |= falling


TOPPLE = Deed(
    id="topple",
    sentences=(sentence("fight", "{who:NAME} topples {what:LADDER}[ to {to:HEX}]", "rafe topples ladder1"),),
    words=Words(
        "topple",
        forms=("{names} topples {name}",),
        tells=("topples",),
        does=("topple[s]",),
        unended=("topples",),
    ),
    called="topples",
    needs=Needs("ladders", ("castle",)),
    kinds=("ladder",),
    check=why_not,
    do=attempt,
    rolls=True,
    mark=TOPPLED,
    instead="tried to topple a ladder",
    lists=orders,
    grouped=True,
    about=said,
    risks=risks,
    shakes=True,
)
