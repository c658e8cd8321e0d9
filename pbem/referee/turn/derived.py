"""What is made of a slot for people and for the proof, and can be made again at any time: roll log, events,
pictures, report.

The same outcome gives the same bytes, whether the slot is resolved just now or a file of it was lost.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from msgspec import Struct

from pbem.proof.canonical import encode
from pbem.proof.records import roll
from pbem.referee.explain.draw import SHEET, details, drawn, plan_drawn, plan_of, scene_of
from pbem.referee.game.game import Game
from pbem.referee.game.replay import Outcome
from pbem.referee.game.turns import map_title
from pbem.referee.turn.report import DiceInputs, report_text


class SlotPicture(Struct, frozen=True):
    """A picture of a slot: its name in the game, its bytes, what it shows in words."""

    path: str
    data: bytes
    said: str


def maps_of(slot: int) -> str:
    """Return what the names of all pictures of a slot begin with."""
    return f"maps/s{slot:04d}"


def report_path(slot: int) -> str:
    """Return the name of the report of a slot."""
    return f"reports/s{slot:04d}.txt"


def log_data(outcome: Outcome) -> bytes:
    """Return the roll log."""
    return b"".join(encode(roll(made.label, made.sides, made.values)) for made in outcome.rolls)


def events_data(outcome: Outcome) -> bytes:
    """Return the events, one a line."""
    lines = [json.dumps(event, separators=(",", ":"), ensure_ascii=False) for event in outcome.events]
    return "".join(line + "\n" for line in lines).encode()


def pictures_of(game: Game, slot: int, outcome: Outcome) -> list[SlotPicture]:
    """Return the map after a slot, crops of where things happened, and the record sheet where something on it
    changed.
    """
    ground = game.ground
    scene = scene_of(ground, outcome.state, outcome.events, map_title(game, slot))
    found = [SlotPicture(f"{maps_of(slot)}.png", drawn(scene, ".png"), scene.summary)]
    found += [
        SlotPicture(f"{maps_of(slot)}-{number}.png", detail, alt)
        for number, (detail, alt) in enumerate(details(scene), 1)
    ]
    if (plan := plan_of(ground, outcome.state, ground.title, outcome.events)) is not None:
        found.append(SlotPicture(f"{maps_of(slot)}-{SHEET}.png", plan_drawn(plan, ".png"), plan.summary))
    return found


def report_of_slot(
    game: Game, slot: int, phase: str, outcome: Outcome, gave: DiceInputs, pictures: Sequence[SlotPicture]
) -> str:
    """Return the report that lies in the folder of the game; ``phase`` is the one the slot begins with."""
    images = [(picture.path, picture.said) for picture in pictures]
    return report_text(game, slot, phase, outcome.events, outcome.state, "text", gave, images)
