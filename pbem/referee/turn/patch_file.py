"""A patch as an umpire writes it: ``set:`` with places of the state and what is to stand there, ``drop:``
with places that are taken out; a place such as ``units.gunter.state``, in a list by the id of a thing or by
number.

Everything that is wrong with it is told at once, with its line.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, Final

from msgspec import Struct

from pbem.core.problem import Problem
from pbem.proof.patching import BadPatch, Patch, patched
from pbem.referee.game.refusal import Refused, refuse
from pbem.store.library import common_words
from pbem.text.located import locate
from pbem.text.source import read

SET, DROP = "set", "drop"
BEHIND: Final = "+"
"""The place behind the end of a list."""
_MOST: Final = 12
"""Names that are told where a place is not there."""


class Written(Struct, frozen=True):
    """A patch, and what is wrong with it as it was written."""

    patch: Patch
    problems: tuple[Problem, ...]


def read_patch(
    state: Mapping[str, Any],
    name: str = "",
    data: bytes = b"",
    sets: Sequence[tuple[str, str]] = (),
    drops: Sequence[str] = (),
) -> Patch:
    """Return the patch of a file, of ``sets`` (place, value as YAML) and of ``drops`` (places) to a state;
    Refused with all that is wrong with them.
    """
    source = read(data or b"{}", name or "patch")
    form = list(source.problems)
    said = source.data if isinstance(source.data, Mapping) else {}
    if not form and data and (not said or not set(said) <= {SET, DROP} or not _is_form(said)):
        form = [Problem("ruling.patch", {})]
    made: list[Mapping[str, Any]] = []
    problems = [] if form else list(_of_file(state, said, made))
    if form or problems:
        raise Refused(located=locate(source, [*form, *problems], common_words()), file=name)
    typed: list[Problem] = []
    for place, text in sets:
        value = read(text.encode(), place)
        typed += value.problems
        typed += _change(state, made, place, value.data, ())
    for place in drops:
        typed += _change(state, made, place, None, ())
    if typed:
        raise Refused(typed)
    if not made:
        raise refuse("ruling.patch")
    return made


def _is_form(said: Mapping[str, Any]) -> bool:
    return isinstance(said.get(SET, {}), Mapping) and isinstance(said.get(DROP, []), list)


def _of_file(
    state: Mapping[str, Any], said: Mapping[str, Any], made: list[Mapping[str, Any]]
) -> Iterator[Problem]:
    for place, value in said.get(SET, {}).items():
        yield from _change(state, made, str(place), value, (SET, place))
    for number, place in enumerate(said.get(DROP, [])):
        yield from _change(state, made, str(place), None, (DROP, number))


def _change(
    state: Mapping[str, Any],
    made: list[Mapping[str, Any]],
    place: str,
    value: Any,
    path: tuple[str | int, ...],
) -> Iterator[Problem]:
    """Put a change into a patch, in view of those before it; yield what is wrong with it."""
    now: Any = patched(state, made)
    way: list[str | int] = []
    names = place.split(".")
    for number, step in enumerate(names):
        found = _step(now, step, last=number == len(names) - 1 and value is not None)
        if found is None:
            known, choices = ".".join(names[:number]) or "the beginning", _names(now, step)
            yield Problem("ruling.place-one-of", {"place": place, "known": known, "choices": choices}, path)
            return
        way.append(found)
        now = now[found] if _has(now, found) else None
    change: dict[str, Any] = {"at": way}
    if value is not None:
        change["to"] = _as_before(value, now)
    try:
        patched(state, [*made, change])
    except BadPatch:
        yield Problem("ruling.place", {"place": place, "known": ".".join(names[:-1]) or "-"}, path)
        return
    made.append(change)


def _step(now: Any, step: str, *, last: bool) -> str | int | None:
    if isinstance(now, Mapping):
        return step if step in now or last else None
    if not isinstance(now, list):
        return None
    for number, item in enumerate(now):
        if isinstance(item, Mapping) and item.get("id", item.get("seat")) == step:
            return number
    if step == BEHIND and last:
        return len(now)
    return int(step) if step.isdecimal() and int(step) < len(now) else None


def _has(now: Any, step: str | int) -> bool:
    return step in now if isinstance(now, Mapping) else isinstance(step, int) and step < len(now)


def _as_before(value: Any, before: Any) -> Any:
    """Return a value in the kind of the one that it stands for: text where that is text (a hex), a list of
    one where that is a list.
    """
    if isinstance(before, list) and not isinstance(value, list):
        return [_as_before(value, before[0] if before else value)]
    if isinstance(before, list) and before:
        return [_as_before(item, before[0]) for item in value]
    if isinstance(before, str) and isinstance(value, int) and not isinstance(value, bool):
        return str(value).zfill(len(before))
    if (
        isinstance(before, int)
        and not isinstance(before, bool)
        and isinstance(value, str)
        and value.lstrip("-").isdecimal()
    ):
        return int(value)
    return value


def _names(now: Any, meant: str) -> str:
    if isinstance(now, Mapping):
        found = [str(key) for key in now]
    elif isinstance(now, list):
        found = [str(item.get("id", item.get("seat", at))) if isinstance(item, Mapping) else str(at)
                 for at, item in enumerate(now)]  # fmt: skip
    else:
        found = []
    near = get_close_matches(meant, found)
    found = near + [name for name in found if name not in near]
    return ", ".join(found[:_MOST]) + (" …" if len(found) > _MOST else "") or "no places"
