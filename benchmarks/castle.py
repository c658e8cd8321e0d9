"""The assault on a castle with sixty figures, as two sergeants come to fight it: its orders checked, its
phases resolved, its map drawn.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from typing import Any

from msgspec.structs import replace

from benchmarks.bare import pillow, pyyaml
from benchmarks.measure import Result, least
from pbem.bots import paper
from pbem.bots.bot import find
from pbem.bots.chance import Chance, SeedDice
from pbem.core.play import resolve_phase
from pbem.core.ruleset import play_slot
from pbem.core.sequence import Cursor
from pbem.proof.dice_protocol import SeededDice
from pbem.referee.explain.draw import drawn, scene_of
from pbem.referee.game.replay import Ground, first_state
from pbem.referee.game.scenario import find_scenario, judge
from pbem.text.source import read
from pbem.text.written import written

SCENARIO, SEAT = "six-days", "baron"
TURN = 3
"""The game turn of the assault that is measured: ladders are at the wall, the tower and the
ram on their way.
"""
PHASES = ("first_missile", "movement", "second_archery", "melee")
FIGURES = 60


@cache
def assault() -> tuple[Ground, Any, dict[str, Any]]:
    """Return the ground, the state at the beginning of a player turn in the midst of the assault, and that
    turn's orders.
    """
    ground = judge(find_scenario(SCENARIO), {})[1]
    rules, interface = ground.rules, ground.rules.interface
    sides = list(ground.scenario["sides"])
    state, bot, dice = (
        first_state(ground, {side: side for side in sides}),
        find("sergeant", rules.id),
        SeedDice("castle"),
    )
    while (at := interface.cursor(state)).turn != TURN or at.side != SEAT or at.phase != PHASES[0]:
        new = {seat: (order_file(ground, state, seat), "") for seat in interface.seats_to_order(rules, state)}
        state = play_slot(
            rules, state, {seat: (orders,) for seat, (orders, _) in new.items()}, new, dice
        ).state
    if len(state.units) != FIGURES:
        raise AssertionError(f"{FIGURES} figures are wanted, not {len(state.units)}")
    return ground, state, bot.orders(rules, state, SEAT, Chance("castle"))


def order_file(ground: Ground, state: Any, seat: str) -> Any:
    """Return a sergeant's orders as the rules read them."""
    data = find("sergeant", ground.rules.id).orders(ground.rules, state, seat, Chance("castle"))
    return paper.read(ground.rules, state, seat, data)


def results(seconds: float) -> Iterator[Result]:
    """Yield the three benchmarks."""
    ground, state, data = assault()
    rules, interface, seed = ground.rules, ground.rules.interface, SeededDice(sha256(b"benchmark").digest())
    text = written({"seat": SEAT, **data}).encode()
    orders = paper.read(rules, state, SEAT, data)

    def check() -> object:
        fresh = replace(state)  # knows nothing yet of who stands where, nor of what stands on the ground
        found, _ = interface.read_orders(rules, fresh, SEAT, read(text, "orders.yaml").data)
        return interface.check(rules, fresh, found, ())

    def turn() -> Any:
        battle = replace(state)
        for phase in PHASES:
            battle = replace(
                battle, at=Cursor(phase, battle.at.turn, battle.at.side, battle.at.day, battle.at.part)
            )
            files = {SEAT: (orders,)}
            battle = resolve_phase(
                lambda play, phase=phase, files=files: rules.steps[phase](rules, play, files),  # type: ignore[misc]
                battle,
                str(battle.at),
                interface.apply,
                seed,
            ).state
        return battle

    count = sum(len(items) for items in orders.sections.values())
    mine, bare = least(check, lambda: pyyaml.parse(text), seconds=seconds)
    yield Result(
        "castle check",
        f"check {count} orders of an assault, {FIGURES} figures",
        "yaml.CSafeLoader",
        mine,
        bare,
        2.5,
    )
    (time,) = least(turn, seconds=seconds)
    yield Result("castle turn", f"four phases of an assault, {FIGURES} figures", "", time, None, 8.0)
    scene = scene_of(ground, state, [], "assault")
    png = drawn(scene, ".png")
    image = pillow.opened(png)
    ours, encoded = least(
        lambda: drawn(scene, ".png"), lambda: pillow.encode(image), seconds=seconds, rounds=3
    )
    yield Result(
        "castle map",
        f"a further map of the castle, {FIGURES} figures",
        "Pillow, the same PNG",
        ours,
        encoded,
        1.3,
    )
