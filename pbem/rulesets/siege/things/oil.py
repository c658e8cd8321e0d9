"""Boiling oil: who may pour it on whom from a battlement, and what it does to him, or to the engine he is in.

Who has a barrel is ``loads``; what becomes of an engine that catches fire is ``burning``, how a man gives way
``retreat``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from pbem.core.play import Play
from pbem.core.problem import Problem
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.core.table import Grid
from pbem.geometry.hex import hex_of, neighbours, split_place
from pbem.rulesets.siege.ground import flames, ladders, terrain, towers
from pbem.rulesets.siege.march import beasts, retreat
from pbem.rulesets.siege.march.thrown import Fate
from pbem.rulesets.siege.state import family, loads
from pbem.rulesets.siege.state.deed import Deed, JudgingOf, Needs, Words
from pbem.rulesets.siege.state.events import OilPoured, Rolled, ThingLost
from pbem.rulesets.siege.state.field import BATTLEMENT
from pbem.rulesets.siege.state.loads import OIL
from pbem.rulesets.siege.state.orders import Act
from pbem.rulesets.siege.state.sentence import sentence
from pbem.rulesets.siege.state.state import DEAD, Battle, Thing, Unit
from pbem.rulesets.siege.things import burning
from pbem.rulesets.siege.turn import sequence

Rules = Ruleset[Battle]
BUSY: Final = {"shot": "shot", "fought": "fought"}
"""What a figure may have done this turn beside which it pours no oil -> how it is said."""


# --- who pours where


def why_not(rules: Rules, battle: Battle, order: Act) -> Problem | None:
    """Return why a figure does not pour oil on a hex now; None if it does."""
    unit, place = battle.units[order.who[0]], order.to[0]
    return (
        sequence.may_fight(rules, battle, unit)
        or no_barrel(battle, unit, order.what)
        or too_busy(unit)
        or out_of_reach(rules, battle, unit, place)
        or no_target(rules, battle, unit, place)
    )


def no_barrel(battle: Battle, unit: Unit, what: str) -> Problem | None:
    """Return that a figure has no such barrel in its hands or at its feet; None if it has."""
    barrel = battle.things.get(what)
    names = {"unit": unit.id, "thing": what}
    if barrel is None or barrel.kind != OIL or not barrel.at:
        found = ", ".join(thing.id for thing in loads.lying(battle, OIL))
        return Problem(
            "oil.no-barrel", names, help="the barrels are " + found if found else "there is no oil left"
        )
    if barrel.at != unit.at or loads.holder(battle, barrel) not in (None, unit):
        return Problem(
            "oil.elsewhere",
            {**names, "hex": barrel.at[0]},
            rule="S5.32e",
            help=f"{unit.id} must be in {barrel.at[0]} with it",
        )
    return None


@rule("S5.32d")
def too_busy(unit: Unit) -> Problem | None:
    """Return that a figure has shot or fought this turn, so that it pours no oil; None if it has done
    neither.
    """
    done = next((deed for deed in BUSY if deed in unit.did), "")
    if not done:
        return None
    help_ = "who pours oil neither shoots nor fights in that turn; he may move"
    return Problem("oil.busy", {"unit": unit.id, "did": BUSY[done]}, rule="S5.32d", help=help_)


def out_of_reach(rules: Rules, battle: Battle, unit: Unit, place: str) -> Problem | None:
    """Return that oil is not poured from where a figure stands on a place; None if it may be."""
    names = {"unit": unit.id, "hex": place, "here": unit.at[0]}
    if split_place(place)[1]:
        help_ = f"it runs off the platform: pour it on those inside, on {hex_of(place)}"
        return Problem("oil.platform", names, rule="S5.32c", help=help_)
    if below(rules, battle, unit.at[0], place):
        return None
    return Problem(
        "oil.reach", names, rule="S5.32a", help="from a battlement on a hex beside it that lies lower"
    )


@rule("S5.32a")
def below(rules: Rules, battle: Battle, here: str, there: str) -> bool:
    """Tell whether oil can be poured from one place on another: from a battlement on a hex beside it at the
    foot of the wall.
    """
    if (
        BATTLEMENT not in terrain.terrain_at(rules, battle, here).traits
        or there not in neighbours(here)
        or there not in battle.field.ground
    ):
        return False
    foot = terrain.terrain_at(rules, battle, there)
    return foot.level < terrain.terrain_at(rules, battle, here).level or on_the_wall(battle, there)


@rule("S5.32b")
def on_the_wall(battle: Battle, there: str) -> bool:
    """Tell whether who is in a hex is reached though he has come up: he climbs a ladder, or is inside a siege
    tower.
    """
    return ladders.in_hex(battle, there) is not None or towers.inside_of(battle, there) is not None


def no_target(rules: Rules, battle: Battle, unit: Unit, place: str) -> Problem | None:
    """Return that neither an enemy nor an engine is in a hex, or that a friend is; None if oil does something
    there.
    """
    others = [battle.units[id_] for id_ in victims(battle, place)]
    names = {"unit": unit.id, "hex": place}
    if friend := next((other for other in others if not battle.foes(unit, other)), None):
        return Problem(
            "oil.friend", {**names, "friend": friend.id}, rule="S5.32a", help="name a hex with an enemy in it"
        )
    if others or engines_in(rules, battle, place):
        return None
    return Problem(
        "oil.nobody", names, rule="S5.32a", help="name a hex with an enemy or a siege engine in it"
    )


def engines_in(rules: Rules, battle: Battle, hex_: str) -> list[Thing]:
    """Return the siege engines that stand in a hex with a part of them and do not burn yet."""
    if flames.burns(battle, hex_):
        return []
    return [thing for thing in flames.standing_in(battle, hex_) if thing.kind in flames.ENGINES]


@rule("S5.32c")
def out_of_its_way(place: str) -> bool:
    """Tell whether a figure is on the platform of a tower, where no oil gets, though it is poured on that
    hex.
    """
    return split_place(place)[1] != ""


def victims(battle: Battle, hex_: str) -> list[str]:
    """Return the figures that oil reaches in a hex: all but those on a platform, by id."""
    found = (battle.units[id_] for id_ in battle.living_in.get(hex_, ()))
    return [
        unit.id
        for unit in found
        if not all(out_of_its_way(place) for place in unit.at if hex_of(place) == hex_)
    ]


# --- what it does


def pour(rules: Rules, play: Play[Battle], order: Act) -> None:
    """Pour a barrel on a hex: who stands there unprotected is hurt and gives way, an engine
    may catch fire.
    """
    unit, barrel, hex_ = play.state.units[order.who[0]], play.state.things[order.what], order.to[0]
    poured = play.happen(OilPoured(barrel.id, hex_, unit.id, "S5.32d"))
    engines, sheltered = engines_in(rules, play.state, hex_), protected(play.state, hex_)
    hit = victims(play.state, hex_)
    for gone in used_up(barrel, poured):
        play.happen(gone)
    if not sheltered:
        for id_ in hit:
            scald(rules, play, unit, id_, barrel.id, poured)
    elif engines and takes_fire(rules, play, barrel.id, hex_):
        for id_ in burnt(hit):
            hurt(rules, play, id_, barrel.id, poured)
        burning.ignite(rules, play, hex_, lit_by(unit), poured, "S5.32h", gets_out(hit))
        for id_ in burnt(hit):
            no_way_out(rules, play, id_, hex_, poured)


@rule("S5.32k", "S5.32j")
def used_up(barrel: Thing, cause: int) -> tuple[ThingLost, ...]:
    """Return that a barrel is gone when it has been poured, whatever came of it."""
    return (ThingLost(barrel.id, "used", "S5.32k", cause),)


@rule("S5.32g")
def protected(battle: Battle, hex_: str) -> bool:
    """Tell whether a siege engine stands in a hex, so that who is inside it suffers from oil only if that
    catches fire.
    """
    return any(thing.kind in flames.ENGINES for thing in flames.standing_in(battle, hex_))


@rule("S5.32g")
def takes_fire(rules: Rules, play: Play[Battle], barrel: str, hex_: str) -> bool:
    """Roll in the column of oil of the table of fire whether an engine catches fire."""
    said = {True: f"the oil sets fire to what is in {hex_}", False: f"what is in {hex_} does not catch fire"}
    return burning.rolled(rules, play, f"oil/{barrel}/fire", "oil", "S5.32g", said)


@rule("S5.32h")
def burnt(hit: Sequence[str]) -> tuple[str, ...]:
    """Return who is burnt as an engine catches fire: the figure inside it in the hex on which the oil was
    poured.
    """
    return tuple(hit)


@rule("S5.32l")
def lit_by(unit: Unit) -> str:
    """Return the side that has lit a fire of oil, by which it spreads and burns like any other: that of the
    one who poured it.
    """
    return unit.side


def scald(rules: Rules, play: Play[Battle], unit: Unit, id_: str, barrel: str, cause: int) -> None:
    """Let oil hit an unprotected figure: it is hurt, and gives way if it lives."""
    at = play.state.units[id_].at
    hurt(rules, play, id_, barrel, cause)
    after = play.state.units[id_]
    if after.state != DEAD and after.at == at:
        must_give_way(rules, play, id_, unit.id, cause)


@rule("S5.32i")
def must_give_way(rules: Rules, play: Play[Battle], id_: str, foe: str, cause: int) -> None:
    """Let a figure that oil has hit give way a hex, whatever else it did to it: one that it has stunned gets
    away too.
    """
    retreat.go(rules, play, id_, (foe,), cause, "S5.32i")


@rule("S5.32i")
def gets_out(hit: Sequence[str]) -> Mapping[str, str]:
    """Return whom oil drives out of the engine that it sets on fire, whatever else it did to him, stunned too
    -> the rule.
    """
    return dict.fromkeys(hit, "S5.32i")


def no_way_out(rules: Rules, play: Play[Battle], id_: str, hex_: str, cause: int) -> None:
    """Let a figure that is still in the hex, because it had nowhere to go, be hurt as one that cannot give
    way.
    """
    unit = play.state.units[id_]
    if unit.living and hex_ in unit.hexes:
        retreat.hurt_when_blocked(rules, play, id_, cause)


def hurt(rules: Rules, play: Play[Battle], id_: str, barrel: str, cause: int) -> None:
    """Roll for a figure what the oil does to it, and let that happen to it."""
    found, rolled = _roll(rules, play, f"oil/{barrel}/{id_}")
    if found not in ("", "none", "retreat"):
        unit = play.state.units[id_]
        horse = found if found == "killed" and beasts.is_animal(unit) else "none"
        beasts.suffer(rules, play, unit, Fate(found, horse), rolled, "S5.32f")


def _roll(rules: Rules, play: Play[Battle], label: str) -> tuple[str, int]:
    table: Grid = rules.tables["combat_foot"]["grid"]
    die = play.roll(label, table.faces)[0]
    heading = column(rules)
    code = table.cell(die, heading)
    key: Any = table.key[code]
    full = f"{play.cursor}/{label}"
    told = Rolled(
        full,
        table.faces,
        (die,),
        "S5.32f",
        table.name,
        heading,
        f"die {die}",
        (),
        die,
        code,
        SAID[key["defender"]],
    )
    return effect(key), play.happen(told)


def column(rules: Rules) -> str:
    """Return the heading of the column of the combat table on foot in which oil is read."""
    odds = int(rules.tables["gear"]["carried"][OIL]["odds"])
    return family.of(rules).melee.column(rules.tables["combat_foot"]["grid"], odds)


@rule("S5.32f")
def effect(key: Any) -> str:
    """Return what a result of the foot table does to a figure that oil hits; what it would do to an attacker
    does not apply.
    """
    return str(key["defender"])


SAID: Final = {
    "none": "he must give way, and no more",
    "retreat": "he must give way, and no more",
    "stunned": "he is stunned",
    "wounded": "he is wounded",
    "killed": "he is killed",
}
"""What happens to whoever is hit by oil -> in words."""


# --- what follows for orders


def certain(battle: Battle, order: Act) -> tuple[OilPoured | ThingLost, ...]:
    """Return what is certain of an order to pour, whatever the dice show: it has been done, and the barrel is
    empty.
    """
    return (
        OilPoured(order.what, order.to[0], order.who[0], "S5.32d"),
        *used_up(battle.things[order.what], -1),
    )


def in_danger(battle: Battle, order: Act) -> tuple[set[str], set[str]]:
    """Return whom an order to pour may hurt, and who may have to leave his place because of it."""
    hit = set(victims(battle, order.to[0]))
    return hit, {*hit, *burning.caught(battle, order.to[0])}


def orders(rules: Rules, battle: Battle, unit: Unit) -> Iterator[Act]:
    """Yield every barrel with a figure, on every hex beside it."""
    for barrel in loads.lying(battle, OIL):
        if barrel.at == unit.at:
            yield from (
                Act("pour", (unit.id,), barrel.id, to=(hex_,)) for hex_ in neighbours(hex_of(unit.at[0]))
            )


def said(rules: Rules, battle: Battle, order: Act) -> str:
    """Return what there is to know of pouring oil on a hex: whom it hits, or how likely an engine catches
    fire.
    """
    if engines_in(rules, battle, order.to[0]):
        return (
            f"on {burning.likely(rules, 'oil')} the engine catches fire, and then it is "
            f"{column(rules)} for who is inside"
        )
    hit = ", ".join(victims(battle, order.to[0]))
    return f"column {column(rules)} for {hit}, who must give way" if hit else ""


def risks(judging: JudgingOf, order: Act) -> None:
    """Reckon with whom an order to pour may hurt, and whom it may drive away."""
    hit, driven = in_danger(judging.battle, order)
    judging.outlook.hurt |= judging.with_horses({*hit, *driven})
    judging.outlook.adrift |= driven


POUR: Final = Deed(
    id="pour",
    sentences=(sentence("fight", "{who:NAME} pours {what:THING} on {to:HEX}", "rafe pours barrel1 on 0703"),),
    words=Words(
        "pour", forms=("{names} pours {rest}",), tells=("pours",), does=("pour[s]",), unended=("pours",)
    ),
    called="pours",
    keys={"item": "what", "on": "to"},
    needs=Needs("oil and mantlets", ("wagons-oil",)),
    kinds=(OIL,),
    check=why_not,
    do=pour,
    rolls=True,
    certain=certain,
    mark="poured",
    instead="poured oil",
    lists=orders,
    grouped=True,
    about=said,
    risks=risks,
)
