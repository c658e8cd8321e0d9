"""A patch: a few changes to a state as plain data, each at its place, and how they are made (R21;
docs/protocol.md, section 5).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from pbem.core.regex import regex

MOST: Final = 1000
"""Changes of a patch at most."""
DEEPEST: Final = 12
"""Steps of the way to a change at most: it has to stand in a record, which is nested no deeper than 16."""
Patch = Sequence[Mapping[str, Any]]
"""Changes: ``at`` is the way into the state, ``to`` what stands there then; without it nothing does."""


_KEY: Final = regex(r"[a-z][a-z0-9_]{0,31}")


class BadPatch(ValueError):
    """A patch that does not fit a state: which change (from 0), and how far its way leads (the number of
    steps).
    """

    def __init__(self, change: int, steps: int) -> None:
        super().__init__(f"change {change + 1} leads nowhere")
        self.change, self.steps = change, steps


def patched(plain: Mapping[str, Any], patch: Patch) -> dict[str, Any]:
    """Return a state with the changes of a patch, one after the other; BadPatch where one does not fit."""
    from copy import deepcopy

    made: dict[str, Any] = deepcopy(dict(plain))
    for number, change in enumerate(patch):
        way: Sequence[Any] = change["at"]
        place: Any = made
        for steps, step in enumerate(way[:-1]):
            if not _is_there(place, step):
                raise BadPatch(number, steps)
            place = place[step]
        last = way[-1]
        if "to" in change and isinstance(place, list) and type(last) is int and last == len(place):
            place.append(deepcopy(change["to"]))
        elif "to" in change and isinstance(place, dict) and isinstance(last, str) and _KEY.fullmatch(last):
            place[last] = deepcopy(change["to"])
        elif not _is_there(place, last):
            raise BadPatch(number, len(way) - 1)
        elif "to" in change:
            place[last] = deepcopy(change["to"])
        else:
            del place[last]
    return made


def _is_there(place: Any, step: Any) -> bool:
    if isinstance(place, dict):
        return isinstance(step, str) and step in place
    return isinstance(place, list) and type(step) is int and 0 <= step < len(place)
