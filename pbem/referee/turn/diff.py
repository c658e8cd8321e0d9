"""Which events differ between two games or archives."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from pbem.referee.explain.draw import events_of
from pbem.referee.game.game import Game, open_game


class Difference(Struct, frozen=True):
    """A place where two games tell different things; a side that has nothing there is empty."""

    slot: int
    n: int
    one: str
    other: str


def diff(one: Path, other: Path) -> tuple[Difference, ...]:
    """Return where the events of two games differ, slot by slot, compared by what happened and not by their
    numbers.
    """
    games = [open_game(where) for where in (one, other)]
    slots = sorted({slot for game in games for slot in game.ledger.slots})
    found: list[Difference] = []
    for slot in slots:
        lists = [[_said(event) for event in _events(game, slot)] for game in games]
        found += _compare(slot, lists[0], lists[1])
    return tuple(found)


def _events(game: Game, slot: int) -> tuple[Mapping[str, Any], ...]:
    of = game.ledger.slots.get(slot)
    return events_of(game, slot) if of is not None and of.result is not None else ()


def _said(event: Mapping[str, Any]) -> str:
    return json.dumps(
        {key: value for key, value in event.items() if key != "n"}, sort_keys=True, ensure_ascii=False
    )


def _compare(slot: int, one: list[str], other: list[str]) -> list[Difference]:
    from difflib import SequenceMatcher

    found: list[Difference] = []
    for kind, a, b, c, d in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        if kind == "equal":
            continue
        for step in range(max(b - a, d - c)):
            mine = one[a + step] if a + step < b else ""
            theirs = other[c + step] if c + step < d else ""
            found.append(Difference(slot, a + step + 1, mine, theirs))
    return found
