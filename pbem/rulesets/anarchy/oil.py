"""Boiling oil from cauldrons: who pours it, and what it does where it comes down.

On which hexes that is, is ``oil_reach``; how a cauldron is carried is ``cauldron``; what becomes of a hex
that catches fire is Siege's ``burning``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

from msgspec.structs import replace

from pbem.core.play import Play
from pbem.core.problem import Problem
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import distance, hex_of, neighbours
from pbem.rulesets.anarchy import cauldron, difference, hoarding, oil_reach
from pbem.rulesets.anarchy.events import OilSpilt
from pbem.rulesets.siege.combat import melee
from pbem.rulesets.siege.ground import counter, slits, terrain
from pbem.rulesets.siege.march import beasts, retreat, riding, step
from pbem.rulesets.siege.march.thrown import Fate
from pbem.rulesets.siege.orders import choices
from pbem.rulesets.siege.state.deed import Deed, JudgingOf, Words
from pbem.rulesets.siege.state.events import Acted, OilPoured, Retreated, Rolled, ThingChanged, ThingLost
from pbem.rulesets.siege.state.family import where_there_is
from pbem.rulesets.siege.state.orders import Act
from pbem.rulesets.siege.state.sentence import sentence
from pbem.rulesets.siege.state.state import HEALTHY, Battle, Thing, Unit, is_prisoner
from pbem.rulesets.siege.things import burning
from pbem.rulesets.siege.turn import sequence

Rules = Ruleset[Battle]
TARGET, BESIDE = "target", "beside"
"""Where oil hits: in the hex it is poured on, or next to that."""
WEARY: Final = "weary"
"""What somebody did who has no points left to lift a cauldron over a parapet."""
POURED: Final = "poured"
BUSY: Final = ("shot", "fought")
FARTHEST: Final = 2
"""Hexes that somebody goes at most to get out of the oil."""


# --- who pours where


def why_not(rules: Rules, battle: Battle, order: Act) -> Problem | None:
    """Return why two people do not pour oil on a hex now; None if they do."""
    if problem := cauldron.not_two(rules, battle, order):
        return problem
    for id_ in order.who:
        unit = battle.units[id_]
        if problem := sequence.may_do(rules, battle, unit) or sequence.occupied(rules, unit) or busy(unit):
            return problem
    return (
        immune(battle, order)
        or out_of_reach(rules, battle, order)
        or no_points(rules, battle, order)
        or no_target(rules, battle, order)
    )


@rule("A4.3.1b")
def busy(unit: Unit) -> Problem | None:
    """Return that somebody has shot or fought in this turn, so that he pours no oil; None if he has done
    neither.
    """
    done = next((deed for deed in BUSY if deed in unit.did), "")
    return Problem("oil.busy", {"unit": unit.id, "did": done}, rule="A4.3.1b") if done else None


def out_of_reach(rules: Rules, battle: Battle, order: Act) -> Problem | None:
    """Return that oil is not poured from where a cauldron stands on a hex; None if it may be."""
    here, there = battle.things[order.what].at[0], order.to[0]
    names: dict[str, str | int] = {"thing": order.what, "here": here, "hex": there}
    if not oil_reach.from_above(rules, battle, here):
        return Problem("cauldron.low", names, rule="A4.3.1a")
    if oil_reach.reaches(rules, battle, here, there):
        return None
    if hoarding.over(battle, here) is not None:
        help_ = f"NAME, NAME pour {order.what} on {hex_of(here)}"
        return Problem("oil.straight-down", names, rule="A4.3.1d", help=help_)
    hung = hoarding.at(battle, there)
    if hung is not None and here in hoarding.walls(battle, there):
        names["other"] = hung.id
        return Problem("oil.hoarding", names, rule="A4.3.1d", help="it is poured from the hoarding itself")
    return Problem("cauldron.reach", names, rule="A4.3.1d")


def immune(battle: Battle, order: Act) -> Problem | None:
    """Return that a siege tower stands in a hex, or lies with its bridge over it, to which oil does nothing;
    None if none does.
    """
    thing = oil_reach.proof(battle, order.to[0])
    if thing is None:
        return None
    over = " or ".join(oil_reach.bridges_over(battle, order.to[0]))
    help_ = f"from higher up it meets the bridge: pour it on {over}" if over else ""
    return Problem("cauldron.tower", {"thing": thing.id, "hex": order.to[0]}, rule="A4.3.1e", help=help_)


def no_points(rules: Rules, battle: Battle, order: Act) -> Problem | None:
    """Return that one of two people has gone too far to lift a cauldron over a parapet; None if none is
    there, or both can.
    """
    here, there = battle.things[order.what].at[0], order.to[0]
    if not over_a_parapet(battle, here, there):
        return None
    tired = next((id_ for id_ in order.who if WEARY in battle.units[id_].did), "")
    if not tired:
        return None
    return Problem("cauldron.weary", {"unit": tired, "points": lift(rules)}, rule="A4.3.1c")


@rule("A4.3.1c")
def over_a_parapet(battle: Battle, here: str, there: str) -> bool:
    """Tell whether a parapet stands between two hexes, over which a cauldron is lifted."""
    return any(feature.id == slits.PARAPET for feature in terrain.between(battle, here, there))


def lift(rules: Rules) -> int:
    """Return how many points it takes to lift a cauldron over a parapet."""
    return int(rules.tables["engines_anarchy"]["carried"][cauldron.CAULDRON]["lift"])


@rule("A4.3.1c")
def wearied(rules: Rules, battle: Battle) -> list[tuple[str, str]]:
    """Return who beside a cauldron has too few points left at the end of his movement to lift it, by id."""
    hexes = {there for thing in cauldron.cauldrons(battle) for there in battle.beside(thing.at[0])}
    if not hexes:
        return []
    own = (unit for _, unit in sorted(battle.units.items()) if unit.side == battle.at.side and unit.able)
    near = (unit for unit in own if unit.at and unit.at[0] in hexes)
    return [(unit.id, WEARY) for unit in near if step.points(rules, battle, unit) < lift(rules)]


def no_target(rules: Rules, battle: Battle, order: Act) -> Problem | None:
    """Return that oil would meet no enemy and nothing of wood; None if it does."""
    side, hexes = battle.units[order.who[0]], oil_reach.area(rules, battle, order.to[0])
    hit = [battle.units[id_] for id_ in oil_reach.victims(rules, battle, hexes)]
    if any(battle.foes(side, unit) for unit in hit) or oil_reach.constructions(rules, battle, hexes):
        return None
    return Problem("oil.nobody", {"unit": order.who[0], "hex": order.to[0]}, rule="A4.3.1d")


# --- what it does


def pour(rules: Rules, play: Play[Battle], order: Act) -> None:
    """Pour a cauldron out over a hex and those beside it."""
    thing, hex_ = play.state.things[order.what], order.to[0]
    for event in certain(play.state, order):
        cause = play.happen(event)
    hexes = oil_reach.area(rules, play.state, hex_)
    wash(
        rules,
        play,
        thing,
        {there: BESIDE if there != hex_ else TARGET for there in hexes},
        order.who[0],
        cause,
    )
    said = {True: "it catches fire", False: "it does not catch fire"}
    for name, there in oil_reach.constructions(rules, play.state, hexes).items():
        if takes_fire(rules, play, f"oil/{thing.id}/fire/{name}", said):
            burning.ignite(rules, play, there, lit_by(play.state, order), cause, "A4.3.3g")


@rule("A4.3.3g")
def takes_fire(rules: Rules, play: Play[Battle], label: str, said: Mapping[bool, str]) -> bool:
    """Roll in the column of oil of the table of fire whether something of wood catches fire."""
    return burning.rolled(rules, play, label, "oil", "A4.3.3g", said)


@rule("A4.3.3h")
def lit_by(battle: Battle, order: Act) -> str:
    """Return the side that has lit a fire of oil, by which it spreads and burns like any other."""
    return battle.units[order.who[0]].side


def wash(
    rules: Rules, play: Play[Battle], thing: Thing, where: Mapping[str, str], foe: str, cause: int
) -> None:
    """Let oil hit everybody in some hexes, each of which is the target or beside it; then all get out of
    them.
    """
    hexes = tuple(where)
    hit = oil_reach.victims(rules, play.state, hexes)
    horses = [play.state.units[id_].on for id_ in hit]
    for id_ in hit:
        stands = {where[place] for place in play.state.units[id_].at if place in where}
        scald(rules, play, thing, id_, TARGET if TARGET in stands else BESIDE, cause)
    for id_ in driven_out((*hit, *filter(None, horses))):
        if id_ not in play.state.rider_of:
            leave(rules, play, id_, hexes, foe, cause)


def scald(rules: Rules, play: Play[Battle], thing: Thing, id_: str, where: str, cause: int) -> None:
    """Roll for somebody in the melee table that fits him what oil does to him, and let it happen."""
    unit = play.state.units[id_]
    if not unit.living:
        return
    table = difference.table_for(rules, [unit])
    heading, label = column(rules, where), f"oil/{thing.id}/{id_}"
    die = play.roll(label, table.faces)[0]
    code = table.cell(die, heading)
    meaning = table.key[code]
    fate = fate_of(unit, meaning)
    said = SAID[fate.rider if fate.rider != "none" else "retreat"]
    full = f"{play.cursor}/{label}"
    rolled = play.happen(
        Rolled(full, table.faces, (die,), RULE[where], table.name, heading, f"die {die}", (), die, code, said)
    )
    if (fate.rider, fate.horse) != ("none", "none"):
        beasts.suffer(rules, play, unit, fate, rolled, RULE[where])


RULE: Final = {TARGET: "A4.3.3b", BESIDE: "A4.3.3c"}
SAID: Final = {
    "retreat": "he must get out of the oil, and no more",
    "stunned": "he is stunned",
    "wounded": "he is wounded",
    "killed": "he is killed",
}


def column(rules: Rules, where: str) -> str:
    """Return the heading of the column in which oil is read."""
    return in_the_target(rules) if where == TARGET else beside_it(rules)


@rule("A4.3.3b")
def in_the_target(rules: Rules) -> str:
    """Return the heading of the column for who is in the hex on which oil is poured."""
    return str(rules.tables[difference.FOOT]["oil"][TARGET])


@rule("A4.3.3c")
def beside_it(rules: Rules) -> str:
    """Return the heading of the column for who is beside it."""
    return str(rules.tables[difference.FOOT]["oil"][BESIDE])


@rule("A4.3.3d")
def fate_of(unit: Unit, meaning: Any) -> Fate:
    """Return what a result does to somebody whom oil hits, whatever he wears and whatever it would do to an
    attacker.
    """
    blow = melee.blow(meaning)
    figure = "none" if blow.figure == "retreat" else blow.figure
    return Fate(figure, blow.animal if beasts.spares_the_rider(unit) else blow.horse, blow.thrown)


# --- out of it


@rule("A4.3.3e")
def driven_out(hit: Sequence[str]) -> tuple[str, ...]:
    """Return who has to get out of the oil: everybody it has hit, whatever else it did."""
    return tuple(sorted(hit))


def leave(rules: Rules, play: Play[Battle], id_: str, hexes: Sequence[str], foe: str, cause: int) -> None:
    """Let somebody get out of the oil by the shortest way; who cannot is wounded."""
    for left in range(FARTHEST, 0, -1):
        unit = play.state.units[id_]
        if not unit.living or not set(unit.at) & set(hexes):
            return
        found = _ways_out(rules, play.state, unit, hexes, left)
        if not found:
            play.happen(Retreated(id_, unit.at[:1], cause, "A4.3.3e", unit.at[1:]))
            counter.hurt(rules, play, id_, "wounded", cause, "A4.3.3e")
            return
        ranked = retreat.farthest_first(play.state, list(found), (foe,))
        to = choices.pick(
            rules,
            play,
            about="retreat",
            unit=id_,
            choices=ranked,
            default=ranked[0],
            rule="A4.3.3e",
            why=f"oil is in {', '.join(unit.hexes)}",
            wanted=partial(_wanted, ranked),
        )
        there = found[to]
        tails = (unit.at[1], there[1]) if riding.two_hexes(unit) else ()
        play.happen(Retreated(id_, (unit.at[0], there[0]), cause, "A4.3.3e", tails))


def _ways_out(
    rules: Rules, battle: Battle, unit: Unit, hexes: Sequence[str], left: int
) -> dict[str, tuple[str, ...]]:
    """Return the steps out of the oil; where there is none, those after which there is one."""
    ways = retreat.ways(rules, battle, unit)
    out = {to: at for to, at in ways.items() if not set(at) & set(hexes)}
    if out or left < 2:
        return out
    on = {to: battle.with_units(replace(unit, at=at)) for to, at in ways.items()}
    return {to: ways[to] for to, then in on.items() if _ways_out(rules, then, then.units[unit.id], hexes, 1)}


def _wanted(ranked: Sequence[str], said: str) -> str:
    verb, *rest = said.split()
    if verb == "toward":
        return min(ranked, key=lambda hex_: distance(hex_of(hex_), hex_of(rest[0])))
    return next((hex_ for hex_ in rest if hex_ in ranked), ranked[0])


# --- when it tips over


@where_there_is(cauldron.CAULDRON)
def watch(rules: Rules, play: Play[Battle]) -> None:
    """Let every cauldron tip over whose carriers can no longer hold it."""
    while True:
        fallen = next(
            (
                (thing, id_)
                for thing in cauldron.cauldrons(play.state)
                if (id_ := mishap(play.state, thing) or given_way(play, thing))
            ),
            None,
        )
        if fallen is None:
            return
        spill(rules, play, *fallen)


@rule("A4.3.2b")
def mishap(battle: Battle, thing: Thing) -> str:
    """Return which of those who carry a cauldron has been hurt since they lifted it, taken, or driven from
    it; empty if both still hold it.
    """
    for id_ in thing.by:
        unit = battle.units[id_]
        hurt = id_ in thing.crew and unit.state != HEALTHY
        if (
            hurt
            or not unit.able
            or is_prisoner(unit)
            or unit.mood
            or not unit.at
            or distance(hex_of(unit.at[0]), hex_of(thing.at[0])) != 1
        ):
            return id_
    return ""


@rule("A4.3.2b")
def given_way(play: Play[Battle], thing: Thing) -> str:
    """Return which of those who carry a cauldron has been driven from where he held it, be it to a hex that
    is beside it too; empty if they still stand across it.
    """
    if not thing.by:
        return ""
    here, there = (play.state.units[id_].at[0] for id_ in thing.by)
    if cauldron.opposite(hex_of(thing.at[0]), here, there):
        return ""
    driven = [event.unit for event in play.events if isinstance(event, Retreated) and event.unit in thing.by]
    return driven[-1] if driven else thing.by[0]


def spill(rules: Rules, play: Play[Battle], thing: Thing, by: str) -> None:
    """Let a cauldron tip over: everybody within a hex of it may be hurt."""
    cause = play.happen(OilSpilt(thing.id, thing.at[0], by, "A4.3.2b"))
    play.happen(ThingLost(thing.id, "used", "A4.3.2b", cause))
    hexes = oil_reach.area(rules, play.state, thing.at[0])
    wash(rules, play, thing, dict.fromkeys(hexes, BESIDE), by, cause)


def at_end(rules: Rules, play: Play[Battle]) -> None:
    """Set down, at the end of the player turn before their own, what two people have carried."""
    watch(rules, play)
    for thing in cauldron.cauldrons(play.state):
        if thing.by and cauldron.over(rules, play.state, thing):
            play.happen(ThingChanged(thing.id, cleared=("by", "crew"), rule="A4.3.2c"))


# --- the order


def orders(rules: Rules, battle: Battle, unit: Unit) -> Iterator[Act]:
    """Yield every hex beside a cauldron on which a figure might pour it with another."""
    for thing in cauldron.cauldrons(battle):
        for who in cauldron.pairs(battle, unit, thing):
            for hex_ in (hex_of(thing.at[0]), *neighbours(hex_of(thing.at[0]))):
                yield Act("pour", who, thing.id, to=(hex_,))


def certain(battle: Battle, order: Act) -> tuple[Any, ...]:
    """Return what is certain of an order to pour, whatever the dice show."""
    first, *others = order.who
    return (
        *(Acted(id_, POURED) for id_ in others),
        ThingLost(order.what, "used", "A4.3.3g"),
        OilPoured(order.what, order.to[0], first, "A4.3.1c"),
    )


def about(rules: Rules, battle: Battle, order: Act) -> str:
    """Return whom oil would meet on a hex, in which column, and what of wood."""
    hexes = oil_reach.area(rules, battle, order.to[0])
    parts = []
    for heading, group in ((in_the_target(rules), hexes[:1]), (beside_it(rules), hexes[1:])):
        if hit := oil_reach.victims(rules, battle, group):
            parts.append(f"column {heading} for {', '.join(hit)}")
    if wood := oil_reach.constructions(rules, battle, hexes):
        parts.append(f"on {burning.likely(rules, 'oil')} each of {', '.join(wood)} catches fire")
    return "; ".join(parts)


def risks(judging: JudgingOf, order: Act) -> None:
    """Reckon with whom an order to pour may hurt, and whom it drives away."""
    hexes = oil_reach.area(judging.rules, judging.battle, order.to[0])
    hit = judging.with_horses(oil_reach.victims(judging.rules, judging.battle, hexes))
    caught = {id_ for hex_ in hexes for id_ in burning.caught(judging.battle, hex_)}
    judging.outlook.hurt |= hit | caught
    judging.outlook.adrift |= hit | caught


POUR: Final = Deed(
    id="pour",
    sentences=(
        sentence(
            "fight", "{who:NAMES} pour/pours {what:THING} on {to:HEX}", "rafe, odo pour cauldron1 on 0703"
        ),
    ),
    words=Words(
        "pour", forms=("{names} pour[s] {rest}",), tells=("pour[s]",), does=("pour[s]",), unended=("pour[s]",)
    ),
    called="pours",
    keys={"item": "what", "on": "to"},
    needs=cauldron.NEEDS,
    kinds=(cauldron.CAULDRON,),
    check=why_not,
    do=pour,
    rolls=True,
    certain=certain,
    mark=POURED,
    instead="poured oil",
    lists=orders,
    grouped=True,
    about=about,
    risks=risks,
)
