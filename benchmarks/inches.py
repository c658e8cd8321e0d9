"""A table in inches: further maps of *Kestrel Tower* while both sides march, and the packet of a player turn."""

from __future__ import annotations

import time
from collections.abc import Iterator
from importlib import import_module
from typing import Any

from msgspec.structs import replace

from benchmarks.measure import Result, amount
from pbem.core.scene import Scene
from pbem.referee.explain.draw import scene_of
from pbem.referee.game.replay import first_state
from pbem.referee.game.scenario import find_scenario, judge
from pbem.referee.pages.packet import contents, packet_bytes

SCENARIO, SEAT = "kestrel-tower", "hill"
SHIFTS = (0, 137, 251, 419, 733)
"""Hundredths of an inch by which everybody before the walls has come nearer on each map."""
PASSES = 3


def _ground() -> tuple[Any, Any]:
    _, ground, problems = judge(find_scenario(SCENARIO))
    if ground is None:
        raise AssertionError(problems)
    return ground, first_state(ground, {side: side for side in ("hill", "keep")})


def scenes() -> list[Scene]:
    """Return the table as the host comes nearer."""
    ground, state = _ground()
    found = []
    for shift in SHIFTS:
        figures = tuple(
            replace(one, y=one.y - shift, click=min(shift // 200, 3)) if one.side == SEAT else one
            for one in state.figures
        )
        found.append(scene_of(ground, replace(state, figures=figures), (), ground.title))
    return found


def results() -> Iterator[Result]:
    """Yield the processor time of a further frame with its PNG, the slowest of them, and of a packet."""
    png = import_module("pbem.renderers.png")
    forget = import_module("pbem.renderers.painted.base").forget
    shown = scenes()
    best = [float("inf")] * len(shown)
    for _ in range(PASSES):
        forget()
        for number, scene in enumerate(shown):
            begin = time.process_time()
            png.render(scene, width=1400)
            best[number] = min(best[number], time.process_time() - begin)
    what = f"a further map of {SCENARIO} with its PNG, 1400 px wide"
    yield Result("inches", what, "", max(best[1:]), None, 200)

    ground, state = _ground()

    def packet() -> bytes:
        made, still = contents(
            ground,
            SEAT,
            SEAT,
            state,
            (),
            {"waits": [SEAT], "value": "", "questions": []},
            game="table-0a1b2c",
        )
        return packet_bytes(made, still)

    packet()
    begin = time.process_time()
    size = len(packet())
    took = time.process_time() - begin
    yield Result("inches packet", f"the packet of a turn of {SCENARIO}", "", took, None, 1000)
    yield amount("inches packet size", "its size", size / 1000, "kB")
