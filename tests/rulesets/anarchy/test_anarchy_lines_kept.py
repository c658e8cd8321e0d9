"""What is kept of lines of fire, and of steps, changes no answer: strongholds drawn by chance, from which each thing
is taken in turn, in which it is broken, turned or burnt, walls fall, and figures step aside and die, are shot over and
walked over as by somebody who remembers nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import case_plugin
import test_anarchy_hiding
import test_tower_laws
from msgspec.structs import replace
from test_anarchy_legal_laws import laid
from thorough import deeper, tries

from pbem.core.problem import Problem
from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import SIDES, hex_of
from pbem.rulesets.anarchy import hidden_views
from pbem.rulesets.anarchy.ruleset import ANARCHY
from pbem.rulesets.siege.combat import aiming, ranges
from pbem.rulesets.siege.ground import terrain
from pbem.rulesets.siege.march import step
from pbem.rulesets.siege.sight import near
from pbem.rulesets.siege.state.line import Aim
from pbem.rulesets.siege.state.state import Battle, Feature

PHASE = "offensive_fire"
FALLEN = 4
STEPPING = 2


def changes(battle: Battle) -> Iterator[Battle]:
    """Yield the battle after one thing on it changed, and after it was as before."""
    things = battle.things
    for id_, thing in things.items():
        gone = {other: one for other, one in things.items() if other != id_}
        yield battle.changed(things=gone)
        yield battle
        for after in (
            replace(
                thing, facing=SIDES[(SIDES.index(thing.facing) + 2) % len(SIDES)] if thing.facing else ""
            ),
            replace(thing, burnt=tuple(map(hex_of, thing.at))),
            replace(thing, by=(), crew=()),
        ):
            if after != thing:
                yield battle.changed(things={**things, id_: after})
    walls = [
        hex_
        for hex_, ground in battle.field.ground.items()
        if ground.floor in ("walk", "tower") and hex_ not in battle.living_in
    ]
    for hex_ in walls[:FALLEN]:
        yield battle.changed(features={**battle.features, (hex_, "rubble"): Feature(hex_, "rubble")})
    standing = [unit for unit in battle.units.values() if unit.living and len(unit.at) == 1 and not unit.on]
    for unit in standing[:STEPPING]:
        for there in battle.beside(unit.at[0])[:1]:
            yield battle.with_units(replace(unit, at=(there,)))
        yield battle.with_units(replace(unit, state="wounded"), replace(standing[-1], state="dead"))


def said(found: Aim | Problem) -> tuple[Any, ...]:
    if isinstance(found, Problem):
        return found.code, found.rule, tuple(sorted(found.args.items()))
    return found.line.track.start, found.line.track.end, found.line.met, found.cover, found.cover_rule


def seen(rules: Ruleset[Battle], battle: Battle) -> list[tuple[Any, ...]]:
    """Return how everybody can shoot at every enemy, or why not, as a whole and one by one."""
    found = []
    for shooter in battle.units.values():
        if not shooter.living or not shooter.at or not ranges.weapon_of(rules, battle, shooter):
            continue
        foes = [battle.units[id_] for id_ in battle.foes_of(shooter)]
        hit = [foe.id for foe, _ in aiming.targets(rules, battle, shooter, foes)]
        how = {foe.id: aiming.aim(rules, battle, shooter, foe) for foe in foes}
        assert hit == [id_ for id_, one in how.items() if isinstance(one, Aim)]
        found += [(shooter.id, id_, *said(one)) for id_, one in how.items()]
    return found


@deeper
def test_what_is_kept_while_things_change_is_what_is_seen_anew() -> None:
    kept = answers = 0
    for number in range(tries(14, 60)):
        drawn = laid(number, PHASE) if number % 2 else test_tower_laws.laid(number, PHASE)
        rules, first = drawn
        seen(rules, first)
        for battle in changes(first):
            forgetful = battle.changed(field=replace(battle.field))
            assert seen(rules, battle) == seen(rules, forgetful), number
            answers += 1
        variants = near.of_rules(rules, first, "rays")
        assert variants is not None
        kept += len(variants)
    assert kept > 100, "lines are kept"
    assert answers > 50


def walked(rules: Ruleset[Battle], battle: Battle) -> dict[tuple[bool, str], tuple[tuple[str, int], ...]]:
    """Return with a horse or without, and hex -> where one can go from it and what that costs."""
    kinds = {step.as_horse(unit): unit for unit in battle.units.values() if unit.living and unit.at}
    return {
        (horse, hex_): tuple(step.steps(rules, battle, unit).open(hex_))
        for horse, unit in kinds.items()
        for hex_ in battle.field.ground
    }


@deeper
def test_steps_kept_while_things_change_are_those_found_anew() -> None:
    kept = 0
    for number in range(tries(3, 60)):
        rules, first = laid(number, PHASE) if number % 2 else test_tower_laws.laid(number, PHASE)
        down = {id_: unit for id_, unit in first.units.items() if unit.at == unit.hexes}
        bare = first.changed(units=down, things={}, features={})
        for battle in (bare, first, *changes(first)):
            assert walked(rules, battle) == walked(rules, battle.changed(field=replace(battle.field))), number
            kept += len(battle.field.ground.keys() - terrain.altered(rules, battle))
    assert kept > 100, "some steps are as the map has drawn them"


HOUSE = {
    "map": [". . . . .", ". h h h .", ". h r h .", ". h r h .", ". h d h .", ". . . . .", ". . . . ."],
    "key": {"h": "building_wall", "r": "building_interior", "d": "doorway"},
    "units": {
        "alric": {"side": "east", "class": "crossbowman", "at": "0303"},
        "emma": {"side": "east", "class": "crossbowman", "at": "0307"},
        "wulf": {"side": "west", "class": "spearman", "at": "0305"},
    },
    "at": "t1.east.offensive_fire",
}


def test_in_a_doorway_nobody_shelters_any_more_from_who_has_shot() -> None:
    rules = case_plugin.chosen(ANARCHY, HOUSE)
    battle = case_plugin.battle_of(rules, HOUSE)

    def covers(now: Battle) -> list[str]:
        found = [aiming.aim(rules, now, now.units[id_], now.units["wulf"]) for id_ in ("alric", "emma")]
        return [one.cover for one in found if isinstance(one, Aim)]

    assert covers(battle) == ["none", "medium"], "in a crossfire he shelters on one side only"
    for shot in ("alric", "emma"):
        after = battle.with_units(replace(battle.units[shot], did=("shot",)))
        assert covers(after) == covers(replace(after)) == ["medium", "medium"]


def test_who_lay_in_hiding_is_in_the_way_once_he_has_done_something() -> None:
    rules = test_anarchy_hiding.rules()
    battle = test_anarchy_hiding.laid(odo="0304", col="0704", grim="0504", wat="0604")
    fire = battle.changed(at=replace(battle.at, phase=PHASE, side="thieves"))
    known = hidden_views.view(rules, fire, "thieves")

    def why_not(now: Battle) -> str:
        found = aiming.aim(rules, now, now.units["col"], now.units["odo"])
        return found.code if isinstance(found, Problem) else ""

    assert why_not(known) == ""
    for id_ in ("grim", "wat"):
        after = known.with_units(replace(known.units[id_], did=("shot",)))
        assert why_not(after) == why_not(replace(after)) == "line_of_fire.figure"
