"""The orders of one file as a scene before anything is rolled: own ways, shots and attacks, and nothing that
anybody else ordered.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from recorded import archives
from skirmish import RULES, battle, orders

from pbem.core.scene import Scene
from pbem.geometry.hex import centre
from pbem.proof.archive import orders_path
from pbem.referee.game.game import open_game
from pbem.referee.game.scenario import shape_for
from pbem.rulesets.siege.deeds.reading import normal
from pbem.rulesets.siege.judge import judge
from pbem.rulesets.siege.state.state import Battle
from pbem.rulesets.siege.views.foreseen import certain, foreseen
from pbem.text.source import read

MEN: dict[str, tuple[Any, ...]] = {
    "alric": ("east", "longbowman", "0507"),
    "bran": ("east", "crossbowman", "0502"),
    "hob": ("east", "sergeant", "0404"),
    "odo": ("east", "spearman", "0405"),
    "gunter": ("west", "peasant", "0505"),
    "tam": ("west", "peasant", "0605"),
    "wulf": ("west", "sergeant", "0906"),
}
SHOOTING, MOVING, FIGHTING = battle(MEN), battle(MEN, "movement"), battle(MEN, "melee")


def shown(where: Battle, data: Mapping[str, Any]) -> Scene | None:
    return foreseen(RULES, judge.check(RULES, where, orders(where, data, "east")), "east", "Your orders")


def traces(scene: Scene | None) -> list[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    assert scene is not None
    return [(trace.kind, trace.actors, trace.targets) for trace in scene.traces]


def at(scene: Scene | None, unit: str) -> tuple[str, ...]:
    assert scene is not None
    return next(token.at for token in scene.tokens if token.id == unit)


def test_who_moves_is_shown_where_he_ends_with_his_way_behind_him() -> None:
    scene = shown(MOVING, {"move": ["odo to 0304", "hob by 0403 0402"]})
    assert traces(scene) == [("move", ("odo",), ()), ("move", ("hob",), ())]
    assert (at(scene, "odo"), at(scene, "hob"), at(scene, "alric")) == (("0304",), ("0402",), ("0507",))
    assert scene is not None
    ways = {trace.actors[0]: trace.path for trace in scene.traces}
    assert ways["hob"] == (centre("0404"), centre("0403"), centre("0402"))
    assert (ways["odo"][0], ways["odo"][-1]) == (centre("0405"), centre("0304"))
    assert {area.at for area in scene.areas if area.changed} == {"0405", "0304", "0404", "0402"}
    assert [token.id for token in scene.tokens if token.moved] == ["hob", "odo"] or {
        t.id for t in scene.tokens if t.moved
    } == {"hob", "odo"}


def test_a_line_that_follows_another_begins_where_that_one_ended() -> None:
    scene = shown(MOVING, {"move": ["odo to 0304", "hob to 0405"], "fight": ["hob attacks gunter"]})
    assert traces(scene)[-1] == ("fight", ("hob",), ("gunter",))
    assert scene is not None
    assert scene.traces[-1].path == (centre("0405"), centre("0505"))
    assert scene.traces[-1].text.endswith(":1")


def test_shots_go_to_the_target_that_is_the_first_to_be_legal() -> None:
    scene = shown(SHOOTING, {"shoot": ["bran at gunter", "alric at wulf or nearest"]})
    assert {(kind, actors) for kind, actors, _ in traces(scene)} == {
        ("shot", ("bran",)),
        ("shot", ("alric",)),
    }
    assert scene is not None
    assert [
        (trace.path[0], trace.text, trace.result) for trace in scene.traces if trace.actors == ("bran",)
    ] == [(centre("0502"), "", "")]


def test_what_hangs_on_the_dice_is_left_out_and_what_does_not_is_not() -> None:
    data = {
        "shoot": ["bran at gunter"],
        "move": [
            {"when": "gunter is dead", "then": ["odo to 0304"], "otherwise": ["hob to 0403"]},
            "alric to 0407",
        ],
    }
    scene = shown(SHOOTING, data)
    assert {actors for _, actors, _ in traces(scene)} == {("bran",), ("alric",)}
    assert at(scene, "odo") == ("0405",)
    sure = {"move": [{"when": "odo is healthy", "then": ["odo to 0304"], "otherwise": ["hob to 0403"]}]}
    assert {actors for _, actors, _ in traces(shown(MOVING, sure))} == {("odo",)}
    course = judge.check(RULES, SHOOTING, orders(SHOOTING, data, "east")).course
    assert len(list(certain(course))) < len(course)


def test_a_file_that_shows_nothing_makes_no_scene() -> None:
    assert shown(MOVING, {}) is None
    assert shown(MOVING, {"move": ["odo stays"]}) is None
    assert shown(MOVING, {"standing": {"everyone": {"advance": "never"}}}) is None


@pytest.mark.parametrize("archive", archives(), ids=lambda path: path.parent.name)
def test_every_file_of_the_examples_can_be_shown_and_said(archive: Path) -> None:
    game = open_game(archive)
    rules, form, seen = game.ground.rules, shape_for("orders", game.ground.rules.id), 0
    for number, slot in game.ledger.slots.items():
        state = game.state_after(slot.state_before_slot, slot.state_before)
        for seat, entry in slot.entries.items():
            if entry.sha512 is None or orders_path(seat, number) not in game.archive:
                continue
            file = game.sheet(seat, number).orders
            judged = rules.interface.check(rules, state, file, ())
            side = game.sides[seat]
            scene = rules.interface.foreseen(rules, judged, side, "Your orders")
            assert form.check(read("\n".join(normal(rules, file)).encode()).data) == []
            if scene is None:
                continue
            seen += 1
            # Whoever is led goes with his leader, whosever he was.
            led = {
                unit.id
                for unit in state.units.values()
                if unit.id in state.field.bystanders or unit.captive_of == side
            }
            own = {unit.id for unit in state.units.values() if unit.owner == seat} | set(state.things) | led
            assert {actor for trace in scene.traces for actor in trace.actors} <= own, (
                "only what this seat ordered"
            )
            assert all(trace.path and len(trace.path[0]) == 2 for trace in scene.traces)
    assert seen > 5
