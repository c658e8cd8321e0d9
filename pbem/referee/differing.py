"""Where a slot that is played again first differs from its archive, in words: the roll, the event, the place in the state.

Events are derived and unsigned in a folder, so what they tell only helps to find the place; the proof is rolls and states.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from pbem.core.dice import Roll
from pbem.proof.canonical import NotCanonical, decode

Event = Mapping[str, Any]
_LONG = 160


def other_roll(made: Sequence[Roll], logged: Sequence[Roll], events: Sequence[Event]) -> str:
    """Return the first roll that differs from the log, and the event it was made for."""
    for number, (mine, theirs) in enumerate(zip(made, logged, strict=False), 1):
        if mine != theirs:
            return f"roll {number}: the rules roll {_shown(mine)}{_event_of(mine, events)}, the log has {_shown(theirs)}"
    number = min(len(made), len(logged))
    if len(made) > len(logged):
        return f"roll {number + 1}: the rules also roll {_shown(made[number])}{_event_of(made[number], events)}, where the log ends"
    return f"roll {number + 1}: the rules do not roll {_shown(logged[number])}"


def _shown(roll: Roll) -> str:
    return f"{roll.label} d{roll.sides} {list(roll.values)!s:.80}"


def _event_of(roll: Roll, events: Sequence[Event]) -> str:
    event = next((event for event in events if event.get("label") == roll.label), None)
    return "" if event is None else f" (event {event['n']}, {event['type']})"


def read_events(data: bytes | None) -> list[Event] | None:
    """Return the events of an archive, or None where they are not there or are none."""
    try:
        listed = None if data is None else [json.loads(line) for line in data.decode().splitlines()]
    except (ValueError, RecursionError):
        return None
    return listed if listed is not None and all(isinstance(event, dict) for event in listed) else None


def other_event(made: Sequence[Event], data: bytes | None) -> str:
    """Return the first event that differs from the archive's; empty where none does, or the archive has none to compare."""
    told = read_events(data)
    if told is None:
        return ""
    mine = [json.loads(json.dumps(event)) for event in made]
    for number, (one, other) in enumerate(zip(mine, told, strict=False), 1):
        if one != other:
            return f"event {number}: the rules tell {_line(one)}, the archive {_line(other)}"
    number = min(len(mine), len(told))
    if len(mine) == len(told):
        return ""
    longer, said = (mine, "the rules also tell") if len(mine) > len(told) else (told, "the rules do not tell")
    return f"event {number + 1}: {said} {_line(longer[number])}"


def _line(event: Event) -> str:
    said = " ".join(f"{key}={value}" for key, value in event.items() if key not in ("n", "type"))
    line = f"{event.get('type', '?')} {said}".rstrip()
    return line if len(line) <= _LONG else line[:_LONG] + " …"


def other_state(made: bytes, data: bytes | None) -> str:
    """Return the first place where a state differs from the archive's; empty where that is not there to compare."""
    if data is None:
        return ""
    try:
        return _place(decode(made), decode(data), "state")
    except NotCanonical:
        return ""


def _place(mine: Any, theirs: Any, where: str) -> str:
    """Return the first difference of two JSON values, by its path."""
    if isinstance(mine, dict) and isinstance(theirs, dict):
        pairs = [(key, mine.get(key), theirs.get(key)) for key in sorted({*mine, *theirs})]
    elif isinstance(mine, list) and isinstance(theirs, list) and len(mine) == len(theirs):
        pairs = [(str(at), one, other) for at, (one, other) in enumerate(zip(mine, theirs, strict=True))]
    else:
        return "" if mine == theirs else f"{where} is {_value(mine)} by the rules and {_value(theirs)} in the archive"
    found = (_place(one, other, f"{where}.{_name(one, key)}") for key, one, other in pairs if one != other)
    return next(found, "")


def _name(value: Any, key: str) -> str:
    """Return how an entry of a list is called: by its own id where it has one."""
    return str(value["id"]) if key.isdigit() and isinstance(value, dict) and isinstance(value.get("id"), str) else key


def _value(value: Any) -> str:
    return "missing" if value is None else f"{value!s:.60}"
