"""The sheet of all dials: what each shows at every click, and where it is turned to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.core.scene import Dial, Plan
from pbem.rulesets.castle.dial import Rules, row, starts
from pbem.rulesets.castle.state import Figure, Section, War
from pbem.rulesets.castle.views import place, subtitle

VALUES = ("speed, or fortification", "attack", "defence", "damage")
SQUARE, FEARFUL = "y", "d"
"""How a table of dials marks a yellow square, and the demoralized."""


def plan(
    rules: Rules, war: War, title: str = "", events: Sequence[Mapping[str, Any]] | None = None
) -> Plan | None:
    """Return the dials of both sides, or None where they would go with the report of a turn: they are kept
    for whoever asks.
    """
    if events is not None:
        return None
    title = title or war.board.title
    dials = [_dial(rules, war, one) for side in war.board.sides for one in war.all if one.side == side.id]
    hurt = sum(one.at > one.begins for one in dials)
    gone = sum(one.at >= len(one.windows) for one in dials)
    return Plan(
        f"Dials: {title}",
        subtitle(war),
        (),
        (),
        (),
        (),
        {side.id: side.name for side in war.board.sides},
        summary=f"Dials of {title}: of {len(dials)} {hurt} are turned on, {gone} have come to their end.",
        dials=tuple(dials),
        values=VALUES,
    )


def _dial(rules: Rules, war: War, one: Figure | Section) -> Dial:
    windows, marks = [], []
    for text in row(rules, one)["dial"]:
        parts = [part.strip() for part in str(text).split("/")]
        marked = SQUARE if parts[0].endswith(SQUARE) else FEARFUL if parts[-1].endswith(FEARFUL) else ""
        windows.append(tuple(part.rstrip(SQUARE + FEARFUL) for part in parts))
        marks.append({SQUARE: "breached", FEARFUL: "runs"}.get(marked, ""))
    tokens = f", {one.tokens} token{'s' * (one.tokens > 1)}" if one.tokens else ""
    on = f" on {one.on}" if isinstance(one, Figure) and one.on else ""
    note = "out of the game" if one.out else f"at {place(one)}{on}{tokens}"
    kind = str(row(rules, one)["name"])
    kind = f"{one.weight} {kind}" if isinstance(one, Section) else kind
    colour = war.board.side(one.side).colour
    return Dial(
        one.id,
        one.name,
        kind,
        one.side,
        colour,
        tuple(windows),
        min(one.click, len(windows)),
        starts(rules, one),
        tuple(marks),
        note,
    )
