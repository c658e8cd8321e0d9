"""Staff slings: who throws how far, where it comes down, and what it does there.

How far what was thrown deviates is ``scatter``; a stone is a shot like any other once it has come down
(``shooting``), a fire that catches is ``burning``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from msgspec.structs import replace

from pbem.core.play import Play
from pbem.core.problem import Path, Problem
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.core.scene import Trace
from pbem.core.table import die_faces
from pbem.geometry import sight
from pbem.geometry.hex import distance, hex_of, split_place
from pbem.rulesets.anarchy import hoarding, roofs, scatter, sequence
from pbem.rulesets.anarchy.events import Slung
from pbem.rulesets.siege.combat import ranges, shooting
from pbem.rulesets.siege.ground import flames, terrain
from pbem.rulesets.siege.state.deed import Deed, JudgingOf, Needs, Words
from pbem.rulesets.siege.state.events import Acted, Rolled
from pbem.rulesets.siege.state.field import LOW, RAM, SIEGE_TOWER, SLOPE, TALL, TENT
from pbem.rulesets.siege.state.line import Aim, Line
from pbem.rulesets.siege.state.orders import Act
from pbem.rulesets.siege.state.sentence import sentence
from pbem.rulesets.siege.state.state import BELOW, Battle, Unit
from pbem.rulesets.siege.things import burning, rams
from pbem.rulesets.siege.turn import sequence as turn

Rules = Ruleset[Battle]
SLING: Final = "staff_sling"
STONE, FIRE = "stone", "fire"
READ_AS: Final = sequence.SHORT_BOW
"""The weapon in whose columns a stone is read."""
OVERHEAD: Final = frozenset({LOW, TALL, TENT})
"""Grounds that cover from above too."""


# --- who throws, and how far


@rule("A1.2a")
def throws(rules: Rules, battle: Battle, unit: Unit) -> bool:
    """Tell whether a figure has a sling, with which it throws in a high arc: nothing between it and its aim
    is ever asked about, and it sees nobody whom it throws at.
    """
    return sequence.weapon(rules, battle, unit) == SLING


def why_not(rules: Rules, battle: Battle, order: Act) -> Problem | None:
    """Return why a figure does not sling at a hex now; None if it does."""
    unit, aim = battle.units[order.who[0]], hex_of(order.to[0])
    return not_ready(rules, battle, unit) or too_near(rules, unit, aim) or too_far(rules, unit, aim)


def not_ready(rules: Rules, battle: Battle, unit: Unit) -> Problem | None:
    """Return why a figure slings at nothing now; None if it only wants an aim."""
    if not throws(rules, battle, unit):
        return Problem("staff_sling.none", {"unit": unit.id}, rule="A1.2a")
    if problem := turn.may_do(rules, battle, unit) or turn.hands_full(rules, battle, unit):
        return problem
    if not unit.at:
        return Problem("shooting.off-map", {"unit": unit.id}, rule="S1.41a")
    if battle.at.phase == sequence.OFFENSIVE and sequence.SHOT in unit.did:
        return Problem("shooting.again", {"unit": unit.id}, rule="A0.11")
    return (
        rams.cannot_shoot(battle, unit)
        or under_a_roof(rules, battle, unit)
        or sequence.keeps_the_rate(rules, battle, unit)
    )


@rule("A1.2a")
def under_a_roof(rules: Rules, battle: Battle, unit: Unit) -> Problem | None:
    """Return that nobody throws in a high arc who has a roof over him; None under the open sky."""
    if not roofed(rules, battle, unit):
        return None
    names = {"unit": unit.id, "here": unit.at[0]}
    return Problem("staff_sling.roof", names, rule="A1.2a", help="he goes out under the open sky")


def arc(rules: Rules) -> Mapping[str, Any]:
    """Return what the table says of the arc of a staff sling."""
    row: Mapping[str, Any] = rules.tables["ranges_and_modifiers"]["arcs"][SLING]
    return row


@rule("A1.2b")
def too_near(rules: Rules, unit: Unit, aim: str) -> Problem | None:
    """Return that a hex is nearer than anything thrown so comes down; None if it is not."""
    if distance(unit.hexes[0], aim) >= arc(rules)["nearest"]:
        return None
    return _range(rules, unit, aim, "A1.2b")


@rule("A1.2d")
def too_far(rules: Rules, unit: Unit, aim: str) -> Problem | None:
    """Return that a hex is beyond the reach of a staff sling; None if it is not."""
    if distance(unit.hexes[0], aim) <= arc(rules)["farthest"]:
        return None
    return _range(rules, unit, aim, "A1.2d")


def _range(rules: Rules, unit: Unit, aim: str, rule_id: str) -> Problem:
    far = distance(unit.hexes[0], aim)
    names: dict[str, str | int] = {"unit": unit.id, "hex": aim, "range": far}
    help_ = f"it throws {arc(rules)['nearest']} to {arc(rules)['farthest']} hexes far"
    return Problem("staff_sling.range", names, rule=rule_id, help=help_)


# --- the throw


def sling(rules: Rules, play: Play[Battle], order: Act) -> None:
    """Let a figure sling at a hex."""
    throw(rules, play, order.who[0], hex_of(order.to[0]), FIRE if order.do == WITH_FIRE.id else STONE)


def throw(rules: Rules, play: Play[Battle], id_: str, aim: str, what: str) -> None:
    """Throw something at a hex, find where it comes down, and let it do there what it does."""
    unit = play.state.units[id_]
    label = shooting.label_of(rules, play.state, unit)
    table = rules.tables[scatter.TABLE]
    faces = die_faces({"die": {"kind": table["dice"]["kind"]}})
    dice = play.roll(f"{label}/scatter", faces, int(table["dice"]["count"]))
    start, total = unit.hexes[0], sum(dice)
    down = comes_down(rules, start, aim, total)
    there = down if down in play.state.field.ground else ""
    said = f"the {what} comes down " + (f"in {there}" if there else "off the map")
    full = f"{play.cursor}/{label}/scatter"
    play.happen(Rolled(full, faces, dice, "A1.2c", scatter.TABLE, row=total, result=there, said=said))
    cause = play.happen(Slung(id_, what, start, aim, total, there, "A1.2c"))
    if there and what == FIRE:
        light(rules, play, unit, there, label, cause)
    elif there:
        hit(rules, play, unit, there, label)


@rule("A1.2c")
def comes_down(rules: Rules, start: str, aim: str, total: int) -> str:
    """Return the hex in which something comes down that was slung from one hex at another."""
    return scatter.landed(rules.tables[scatter.TABLE]["rows"], start, aim, total)


@rule("A1.2d")
def hit(rules: Rules, play: Play[Battle], unit: Unit, down: str, label: str) -> None:
    """Let a stone fall on one of the living who are under the open sky in a hex, friend or enemy, as one shot
    in the columns of the short bow.
    """
    ids = exposed(rules, play.state, down)
    if not ids:
        return
    id_ = ids[0]
    if len(ids) > 1:
        die = play.roll(f"{label}/lot", len(ids))[0]
        id_ = ids[die - 1]
        full, said = f"{play.cursor}/{label}/lot", f"{id_} of {', '.join(ids)}"
        play.happen(Rolled(full, len(ids), (die,), "A1.2d", row=die, result=id_, said=said))
    target, start = play.state.units[id_], unit.hexes[0]
    line = Line(start, down, distance(start, down), sight.between(start, down))
    band = ranges.band(rules, READ_AS, line.range)
    stone = replace(unit, kind=STONE, on="")
    shooting.loose(rules, play, stone, target, Aim(line, band, *cover(rules, play.state, target)), SLING)


def weapon_of(shooter: Unit) -> str:
    """Return the weapon in whose columns a stone is read; empty for who shoots himself."""
    return READ_AS if shooter.kind == STONE else ""


def exposed(rules: Rules, battle: Battle, hex_: str) -> tuple[str, ...]:
    """Return the living people of a hex on whom a stone may fall: those with no roof over them, by id."""
    found = (battle.units[id_] for id_ in sorted(battle.living_in.get(hex_, ())))
    return tuple(unit.id for unit in found if unit.kind == "man" and not roofed(rules, battle, unit))


@rule("A1.2d")
def roofed(rules: Rules, battle: Battle, unit: Unit) -> bool:
    """Tell whether somebody has a roof over him: inside a building or a siege tower, under a ram or a
    penthouse whose roof is not burnt there, on a hoarding, beneath one, a scaffold or the bridge of a siege
    tower, or in a tunnel.
    """
    place = unit.at[0]
    if (roof := roofs.over(battle, place)) is not None:
        return not roofs.gone(rules, roof, place)
    ground = terrain.terrain_at(rules, battle, place)
    if ground.indoors == "building" or not ground.traits.isdisjoint({SIEGE_TOWER, RAM}):
        return True
    hex_, storey = split_place(place)
    if storey == BELOW or hoarding.over(battle, place) is not None:
        return True
    return battle.upper.get(hex_, place) != place


@rule("A1.2d")
def cover(rules: Rules, battle: Battle, unit: Unit) -> tuple[str, str]:
    """Return the cover of somebody against what falls from above, and the rule he owes it to: that of leaves
    or cloth over him; walls, parapets and slopes beside him give none.
    """
    ground = terrain.terrain_at(rules, battle, unit.at[0])
    over = not ground.traits.isdisjoint(OVERHEAD) and SLOPE not in ground.traits
    return (ground.cover, "S1.3f") if over and ground.cover != "none" else ("none", "")


@rule("A1.2d")
def light(rules: Rules, play: Play[Battle], unit: Unit, down: str, label: str, cause: int) -> None:
    """Roll once whether something burning that came down in a hex lights what is of wood there; it hurts
    nobody.
    """
    found = flames.kindling(rules, play.state, down)
    if not found or flames.burns(play.state, down):
        return
    what = found[0]
    column = play.state.things[what].kind.replace("-", "_") if what in play.state.things else what
    said = {True: f"{down} catches fire", False: "nothing catches fire"}
    if burning.rolled(rules, play, f"{label}/fire", "fire_arrow", "A1.2d", said, column):
        burning.ignite(rules, play, down, unit.side, cause, "A1.2d")


# --- what is foreseen and drawn


def in_reach(rules: Rules, battle: Battle, unit: Unit) -> dict[str, str]:
    """Return the enemies at whose hexes a figure could sling, each with its hex: the nearest first, ties by
    id, no animals.
    """
    found: dict[str, tuple[int, str]] = {}
    for id_ in battle.foes_of(unit):
        for hex_ in battle.units[id_].hexes if battle.units[id_].kind == "man" else ():
            if not too_near(rules, unit, hex_) and not too_far(rules, unit, hex_):
                found.setdefault(id_, (distance(unit.hexes[0], hex_), hex_))
    return {id_: found[id_][1] for id_ in sorted(found, key=lambda id_: (found[id_][0], id_))}


def may_hit(rules: Rules, battle: Battle, unit: Unit, aim: str) -> dict[str, int]:
    """Return the hexes of the map in which a throw may come down, with on how many throws of a hundred."""
    if not unit.at:
        return {}
    found = scatter.reach(rules.tables[scatter.TABLE]["rows"], unit.hexes[0], aim)
    return {hex_: share for hex_, share in found.items() if hex_ in battle.field.ground}


def said(rules: Rules, battle: Battle, order: Act) -> str:
    """Return how far a throw goes and how surely, and whom it endangers of those who stand there now."""
    unit, aim = battle.units[order.who[0]], hex_of(order.to[0])
    if not unit.at:
        return ""
    shares = may_hit(rules, battle, unit, aim)
    parts = [f"{distance(unit.hexes[0], aim)} hexes", f"in {aim} on {shares.get(aim, 0)} of 100 throws"]
    if order.do == SLINGING.id:
        parts += [
            f"{id_} on {share}"
            for hex_, share in sorted(shares.items(), key=lambda entry: (-entry[1], entry[0]))
            if hex_ != aim
            for id_ in exposed(rules, battle, hex_)
        ]
    return ", ".join(parts)


def risks(judging: JudgingOf, order: Act) -> None:
    """Reckon with what a stone may do to whoever is where it may come down."""
    unit = judging.battle.units[order.who[0]]
    hexes = may_hit(judging.rules, judging.battle, unit, hex_of(order.to[0]))
    ids = [id_ for hex_ in hexes for id_ in exposed(judging.rules, judging.battle, hex_)]
    judging.outlook.hurt |= judging.with_horses(ids)
    judging.outlook.adrift |= judging.with_horses(ids)


def burns_there(judging: JudgingOf, order: Act, path: Path) -> None:
    """Reckon with fire wherever it may come down on something that burns."""
    unit = judging.battle.units[order.who[0]]
    hexes = may_hit(judging.rules, judging.battle, unit, hex_of(order.to[0]))
    judging.set_alight(path, [hex_ for hex_ in hexes if flames.kindling(judging.rules, judging.battle, hex_)])


def drawn(battle: Battle, event: Mapping[str, Any]) -> Iterator[Trace]:
    """Yield what a picture draws of a throw."""
    yield scatter.lobbed(battle, event, (event["unit"],))


# --- the orders


def stones(rules: Rules, battle: Battle, unit: Unit) -> Iterator[Act]:
    """Yield the hexes with enemies in them at which a figure could sling; others may be named too."""
    if throws(rules, battle, unit) and unit.at:
        hexes = {hex_ for id_ in battle.foes_of(unit) for hex_ in battle.units[id_].hexes}
        yield from (Act(SLINGING.id, (unit.id,), to=(hex_,)) for hex_ in sorted(hexes))


def fires(rules: Rules, battle: Battle, unit: Unit) -> Iterator[Act]:
    """Yield the hexes with something in them that could burn at which a figure could sling fire."""
    if throws(rules, battle, unit) and unit.at:
        for hex_ in flames.places_to_light(rules, battle):
            yield Act(WITH_FIRE.id, (unit.id,), to=(hex_,))


SLINGING: Final = Deed(
    id="sling",
    sentences=(sentence("shoot", "{who:NAME} slings at {to:HEX}", "alric slings at 0712"),),
    words=Words("sling", forms=("{names} slings at {place}",), tells=("slings",), unended=("slings",)),
    called="slings at",
    keys={"at": "to"},
    check=why_not,
    do=sling,
    rolls=True,
    certain=lambda battle, order: (Acted(order.who[0], sequence.SHOT),),
    mark=sequence.SHOT,
    lists=stones,
    grouped=True,
    about=said,
    drawn="throw",
    risks=risks,
)
WITH_FIRE: Final = Deed(
    id="sling-fire",
    sentences=(
        sentence("shoot", "{who:NAME} slings at {to:HEX} with fire", "alric slings at 0712 with fire"),
    ),
    words=Words("sling-fire", forms=("{names} slings at {place} with fire",)),
    called="slings fire at",
    keys={"at": "to"},
    needs=Needs("fire", ("camp",)),
    check=why_not,
    do=sling,
    rolls=True,
    certain=lambda battle, order: (Acted(order.who[0], sequence.SHOT),),
    mark=sequence.SHOT,
    lists=fires,
    grouped=True,
    about=said,
    drawn="throw",
    follows=burns_there,
)
DEEDS: Final = (SLINGING, WITH_FIRE)
