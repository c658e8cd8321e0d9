"""Fire in siege towers: it burns place by place, hurts who is under it, closes floors, and brings down what
stands on one that is burnt.

How fires are lit, spread and are put out is ``burning``, ``fire_by_hand`` and ``fire_arrows`` of Siege.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

from pbem.core.play import Play
from pbem.core.problem import Problem
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.core.table import die_faces, row_of
from pbem.geometry.hex import around, distance, hex_of, neighbours, split_place
from pbem.rulesets.anarchy import siege_tower, tower_cover
from pbem.rulesets.anarchy.siege_tower import FRONT, GROUND
from pbem.rulesets.siege.ground import counter, flames, stacking
from pbem.rulesets.siege.march import step
from pbem.rulesets.siege.orders import choices
from pbem.rulesets.siege.state.events import FeatureChanged, FeatureGone, Retreated, Rolled, ThingLost
from pbem.rulesets.siege.state.family import EVENING, Bar, FeatureKind, where_there_is
from pbem.rulesets.siege.state.line import Line
from pbem.rulesets.siege.state.state import TOP, Battle, Feature, Thing, Unit

Rules = Ruleset[Battle]
COLLAPSE: Final = "tower_collapse"
BURNT: Final = (flames.FIRE, flames.CHARRED)
"""What has become of a place of a tower that burns, or has burnt."""
FEATURES: Final = {flames.CHARRED: FeatureKind(until=EVENING)}


# --- how it is lit, spreads and is fought


@rule("A4.2.9b", "A4.2.1c")
def hit(battle: Battle, tower: Thing, line: Line) -> str:
    """Return the column of the table of fire for a fire arrow at a tower, which burns badly in front, where
    hides hang; empty of every other thing.
    """
    if tower.kind != siege_tower.TOWER:
        return ""
    way = (line.end, *reversed(line.track.crossed), line.start)
    column = siege_tower.TOWER.replace("-", "_")
    ahead = tower_cover.outlook(battle, tower, tower.at, way) == FRONT
    return f"{column}_front" if ahead else column


@rule("A4.2.9e")
def next_to(battle: Battle, place: str) -> tuple[str, ...]:
    """Return the places beside one of a tower, and right above and below it; below its bridge the ground, and
    beside that the wall on which it lies too.
    """
    hex_, storey = split_place(place)
    beside = tuple(siege_tower.at(there, storey) for there in neighbours(hex_))
    column = _column(battle, hex_)
    index = column.index(place) if place in column else 0
    return (
        *beside,
        *column[max(0, index - 1) : index],
        *column[index + 1 : index + 2],
        *_wall(battle, place),
    )


def _wall(battle: Battle, place: str) -> tuple[str, ...]:
    """Return the hexes of the wall beside a place of a lowered bridge."""
    tower = siege_tower.holding(battle, place)
    if tower is None or hex_of(place) in tower.at:
        return ()
    return tuple(
        there for there in siege_tower.lip(battle.field, tower) if there in neighbours(hex_of(place))
    )


def _column(battle: Battle, hex_: str) -> list[str]:
    """Return a hex and the places of a tower above it, from below."""
    return [hex_, *(there for there in battle.storeys.get(hex_, ()) if there in battle.apart)]


@rule("A4.2.9f")
def beneath(battle: Battle, place: str) -> Sequence[str]:
    """Return who is right under a fire in a tower, or on its bridge, and suffers as if he were in it."""
    column = _column(battle, hex_of(place))
    if place not in column[1:]:
        return ()
    under = battle.standing_at.get(column[column.index(place) - 1], "")
    return (under,) if under else ()


def carried(play: Play[Battle], places: Mapping[str, str]) -> None:
    """Let what burns of a tower, and what is burnt of it, go along with it: old place -> new one."""
    found = [
        feature
        for (place, is_), feature in sorted(play.state.features.items())
        if is_ in BURNT and place in places and place in play.state.apart
    ]
    for feature in found:
        play.happen(FeatureGone(feature.at, feature.is_))
    for one in found:
        there = places[one.at]
        play.happen(FeatureChanged(there, one.is_, one.damage, one.turns, one.lit_by, one.check))


# --- what is left of it


def char(rules: Rules, play: Play[Battle], place: str) -> None:
    """Let a place of a tower be burnt out; with the last one of a floor everything above it comes down."""
    play.happen(FeatureGone(place, flames.FIRE, "S3.55a"))
    play.happen(FeatureChanged(place, flames.CHARRED, check=str(play.state.at), rule="A4.2.9c"))
    tower = siege_tower.holding(play.state, place)
    if tower is not None and burnt_out(play.state, tower, split_place(place)[1]):
        collapse(rules, play, tower)


@rule("A4.2.9g")
def burnt_out(battle: Battle, tower: Thing, storey: str) -> bool:
    """Tell whether the whole of a floor of a tower is burnt, and another above it."""
    places = (siege_tower.at(hex_, storey) for hex_ in siege_tower.floor(battle.field, tower, storey))
    return storey != TOP and all((place, flames.CHARRED) in battle.features for place in places)


@rule("A4.2.9g")
def collapse(rules: Rules, play: Play[Battle], tower: Thing) -> None:
    """Let a tower come down: who is above the ground dies, who is below rolls for his life; then it is
    gone, and nothing that burnt of it is left for another that is pushed there.
    """
    above = {*siege_tower.places(play.state.field, tower)}
    for id_, unit in sorted(play.state.units.items()):
        if unit.living and unit.at and unit.at[0] in above:
            counter.hurt(rules, play, id_, "killed", -1, "A4.2.9g")
    for id_, unit in sorted(play.state.units.items()):
        if unit.living and unit.at and unit.at[0] in tower.at:
            escape(rules, play, tower, id_)
    for feature in sorted(play.state.features):
        if feature[0] in above or (feature[0] in tower.at and feature[1] in BURNT):
            play.happen(FeatureGone(*feature, "A4.2.9g"))
    play.happen(ThingLost(tower.id, "burnt", "A4.2.9g"))


@rule("A4.2.9g")
def escape(rules: Rules, play: Play[Battle], tower: Thing, id_: str) -> None:
    """Roll whether somebody on the lowest level of a tower that comes down gets out of it."""
    table = rules.tables[COLLAPSE]
    faces, label = die_faces(table), f"collapse/{tower.id}/{id_}"
    die = play.roll(label, faces)[0]
    row = row_of(table, die)
    found, said = str(row["result"]), str(table["key"][row["result"]])
    full = f"{play.cursor}/{label}"
    told = Rolled(full, faces, (die,), "A4.2.9g", COLLAPSE, "", f"die {die}", (), die, found, said)
    rolled = play.happen(told)
    unit = play.state.units[id_]
    out = ways_out(rules, play.state, tower, unit)
    if found == "killed" or not out:
        counter.hurt(rules, play, id_, "killed", rolled, "A4.2.9g")
        return
    to = choices.pick(
        rules,
        play,
        about="retreat",
        unit=id_,
        choices=out,
        default=out[0],
        rule="A4.2.9g",
        why=f"{tower.id} comes down",
        wanted=partial(_wanted, out),
    )
    play.happen(Retreated(id_, (unit.at[0], to), rolled, "A4.2.9g"))
    if found != "unhurt":
        counter.hurt(rules, play, id_, found, rolled, "A4.2.9g")


def ways_out(rules: Rules, battle: Battle, tower: Thing, unit: Unit) -> list[str]:
    """Return the free hexes beside a tower on which somebody may be put who gets out of it, the nearest
    first.
    """
    free = (
        hex_
        for hex_ in around(tower.at)
        if hex_ in battle.field.ground
        and hex_ not in tower.at
        and step.closed(rules, battle, unit, hex_) is None
        and stacking.may_stop(rules, battle, unit, hex_)
        and battle.field.ground[hex_].floor == "ground"
    )
    return sorted(free, key=lambda hex_: (distance(hex_, hex_of(unit.at[0])), hex_))


def _wanted(ranked: Sequence[str], said: str) -> str:
    verb, *rest = said.split()
    if verb == "toward":
        return min(ranked, key=lambda hex_: distance(hex_, hex_of(rest[0])))
    return next((hex_ for hex_ in rest if hex_ in ranked), ranked[0])


def at_end(rules: Rules, play: Play[Battle]) -> None:
    """Hurt at the end of a player turn those of its side who have stayed on a floor that is burnt through."""
    now = str(play.state.at)
    for tower in siege_tower.towers(play.state):
        for storey in (GROUND, *siege_tower.storeys(play.state.field, tower)):
            for place in closed(play.state, tower, storey, now):
                stay(rules, play, play.state.standing_at.get(place, ""))


def stay(rules: Rules, play: Play[Battle], id_: str) -> None:
    """Wound somebody who stays on a floor that is burnt through in his side's turn, and kill him if he was
    wounded before.
    """
    if id_ and play.state.units[id_].side == play.state.at.side:
        counter.hurt(rules, play, id_, "wounded", -1, "A4.2.9c")


# --- floors that are burnt through


@where_there_is(flames.CHARRED)
def bars_of(rules: Rules, battle: Battle, unit: Unit) -> Bar | None:
    """Return what burnt floors bar a figure from; None where there are none."""
    return (lambda here, there: burnt_through(battle, unit, there)) if burnt_floors(battle) else None


@rule("A4.2.9c")
def burnt_through(battle: Battle, unit: Unit, there: str) -> Problem | None:
    """Return that nobody enters a floor of a tower of which half is burnt; None of other places."""
    tower = burnt_floors(battle).get(there)
    if tower is None:
        return None
    names = {"unit": unit.id, "thing": tower.id, "place": there}
    return Problem("tower.burnt-floor", names, rule="A4.2.9c")


def burnt_floors(battle: Battle) -> Mapping[str, Thing]:
    """Return the places of floors and bridges of which half is burnt, each with its tower."""
    if not battle.features or not siege_tower.towers(battle):
        return {}
    return battle.once("burnt floors", lambda: _burnt_floors(battle))


def _burnt_floors(battle: Battle) -> Mapping[str, Thing]:
    return {
        place: tower
        for tower in siege_tower.towers(battle)
        for shut in (
            *(
                closed(battle, tower, storey)
                for storey in (GROUND, *siege_tower.storeys(battle.field, tower))
            ),
            closed_bridge(battle, tower),
        )
        for place in shut
    }


def closed(battle: Battle, tower: Thing, storey: str, before: str = "") -> tuple[str, ...]:
    """Return the places of a floor of a tower if half of it is burnt, or was before a moment; none if it is
    not.
    """
    if not charred(battle):
        return ()
    return _burnt_half(
        battle,
        tuple(siege_tower.at(hex_, storey) for hex_ in siege_tower.floor(battle.field, tower, storey)),
        before,
    )


def closed_bridge(battle: Battle, tower: Thing) -> tuple[str, ...]:
    """Return the places of the lowered bridge of a tower if half of it is burnt; none if it is not."""
    if tower.stands != siege_tower.LOWERED or not charred(battle):
        return ()
    return _burnt_half(
        battle,
        tuple(siege_tower.at(hex_, siege_tower.SECOND) for hex_ in siege_tower.span(battle.field, tower)),
        "",
    )


def charred(battle: Battle) -> Mapping[str, Feature]:
    """Return the places of towers that are burnt, each with when."""
    return battle.once(
        "charred",
        lambda: {place: one for (place, is_), one in battle.features.items() if is_ == flames.CHARRED},
    )


def _burnt_half(battle: Battle, places_: tuple[str, ...], before: str) -> tuple[str, ...]:
    found = [charred(battle).get(place) for place in places_]
    burnt = sum(feature is not None and (not before or feature.check != before) for feature in found)
    part = battle.field.floors[siege_tower.TOWER].sheets[siege_tower.ENGINES]["floor_closed"]
    return places_ if burnt * int(part["of"]) >= len(places_) * int(part["part"]) else ()
