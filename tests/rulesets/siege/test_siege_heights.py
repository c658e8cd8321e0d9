"""Heights beyond the cases: distances from a wall, what is kept of a line while figures come and go, and
shots both ways.
"""

from __future__ import annotations

from pathlib import Path

import case_plugin
import pytest
from msgspec.structs import replace

from pbem.geometry.hex import SIDES
from pbem.rulesets.siege.combat import aiming
from pbem.rulesets.siege.ground import heights, slits
from pbem.rulesets.siege.sight import lines
from pbem.rulesets.siege.state.line import Aim
from pbem.rulesets.siege.state.state import Thing

LANDS = Path(__file__).parent / "lands"
FOES = {
    "ann": {"side": "east", "class": "crossbowman", "at": "0101"},
    "wulf": {"side": "west", "class": "crossbowman", "at": "0102"},
}


def laid(land: str, units=FOES, **options: str):
    given = {"map": {"file": land}, "units": units, "at": "t1.east.first_missile", "options": options}
    rules = case_plugin.chosen(case_plugin.full_rules(), given)
    return rules, case_plugin.battle_of(rules, given)


def aimed(rules, battle, here: str, there: str):
    ann, wulf = replace(battle.units["ann"], at=(here,)), replace(battle.units["wulf"], at=(there,))
    now = battle.with_units(ann, wulf)
    return said(aiming.aim(rules, now, ann, wulf))


def said(found):
    return (found.cover, found.cover_rule, found.band, found.line.hexes) if isinstance(found, Aim) else found


def test_a_wall_is_measured_from_the_battlement_and_from_the_hex_before_its_parapet():
    _, battle = laid("moat")
    assert [
        heights.from_the_wall(battle, hex_, "0303") for hex_ in ("0303", "0304", "0305", "0302", "0301")
    ] == [0, 0, 1, 1, 2]
    assert heights.before_the_wall(battle, "0403") == ("0504", "0404", "0304")
    assert heights.before_the_wall(battle, "0302") == ()


def test_inside_and_outside_are_parted_by_walls_and_gates():
    _, battle = laid("siege-works")
    of = slits.regions(battle)
    assert of["0101"] == of["1501"] == of["1004"] != of["0112"] == of["1005"]
    assert slits.is_outside(battle, "0413") and not slits.is_outside(battle, "0702")
    assert slits.in_one_building(battle, "0804", "0905") and not slits.in_one_building(battle, "0804", "0502")
    assert not slits.in_one_building(battle, "0112@top", "0112")
    assert slits.sides_with(battle, "0805", "slit") == ("s", "sw")
    assert slits.sides_with(battle, "0204", "parapet") == ("se", "s", "sw")


def test_what_is_kept_of_a_line_holds_while_figures_come_and_go():
    men = {
        f"man{n}": {"side": "west", "class": "spearman", "at": at}
        for n, at in enumerate(("0306", "0608", "0704", "1103"))
    }
    rules, battle = laid("siege-works", {**FOES, **men})
    places = [hex_ for hex_, ground in battle.field.ground.items() if ground.mp_foot is not None]
    compared = 0
    for turn in range(40):
        moved = [
            replace(unit, at=(places[(31 * turn + 17 * n * n) % len(places)],))
            for n, unit in enumerate(battle.units.values())
        ]
        battle = battle.with_units(*moved)
        fresh = battle.changed(features={})
        assert fresh.built is not battle.built
        ann = battle.units["ann"]
        for other in list(battle.units.values())[1:]:
            found = said(aiming.aim(rules, battle, ann, other))
            assert (
                found
                == said(aiming.aim(rules, fresh, ann, other))
                == said(aiming.aim(rules, battle, ann, other))
            )
            compared += 1
    assert compared == 200


def test_what_is_kept_is_kept_while_only_time_and_figures_change():
    _, battle = laid("moat")
    battle.once("anything", lambda: 1)
    assert battle.changed(score={"east": 1}).built is battle.built
    assert "anything" not in battle.changed(things={"a": Thing("a", "ladder")}).built


@pytest.mark.parametrize("setting", ["either_hex_blocks", "both_hexes_block"])
def test_what_is_seen_downward_is_seen_upward_but_from_moats_and_through_slits(setting: str):
    rules, battle = laid("siege-works", line_on_hex_edge=setting)
    for here in ("0204", "0504", "1204"):
        for there in ("0106", "0307", "0809", "1110", "1308", "0512", "0903", "1302"):
            down, up = aimed(rules, battle, here, there), aimed(rules, battle, there, here)
            assert isinstance(down, tuple) == isinstance(up, tuple), (here, there, down, up)


def test_by_the_option_a_line_takes_any_part_of_a_hex_but_starts_at_the_parapet():
    rules, battle = laid("moat", line_of_fire="any_part")
    ann, wulf = replace(battle.units["ann"], at=("0303",)), replace(battle.units["wulf"], at=("0808",))
    found = list(lines.lines(rules, battle.with_units(ann, wulf), ann, wulf))
    assert {line.track.start.part for line in found} == {"s"}
    assert len({line.track.end.part for line in found}) == 13
    assert all(line.ray is None for line in found)
    inward = list(lines.lines(rules, battle, ann, replace(wulf, at=("0301",))))
    assert len(inward) == 169


def test_the_side_that_is_named_is_the_side_of_the_line():
    rules, battle = laid("moat")
    ann, wulf = replace(battle.units["ann"], at=("0403",)), replace(battle.units["wulf"], at=("0408",))
    now = battle.with_units(ann, wulf)
    for side in ("se", "s", "sw"):
        found = aiming.aim(rules, now, ann, wulf, "", side)
        assert isinstance(found, Aim) and found.line.view is not None and found.line.view.out == side
    default = aiming.aim(rules, now, ann, wulf)
    assert isinstance(default, Aim) and default.line.view is not None
    assert default.line.view.out == min(("se", "s", "sw"), key=SIDES.index)
