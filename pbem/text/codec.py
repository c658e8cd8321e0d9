"""Plain data (what JSON holds) to and from values of msgspec's Structs; the only place that does it.

Absent means "does not apply": a field that has its default is not written, and there is no null. A field
whose name is a word of Python ends in an underscore in the class and not in the file (``is_`` is ``is``).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, TypeVar

from msgspec import NODEFAULT, Struct, ValidationError, convert

T = TypeVar("T")


class CodecError(ValueError):
    """Plain data that is not the value it should be."""


def spelt(name: str) -> str:
    """Return a field's name as a file has it."""
    return name.rstrip("_")


class Value(Struct, frozen=True, forbid_unknown_fields=True, rename=spelt):
    """A value that is read back from plain data: every part of it that is a Struct has to be such a value
    too.

    Modules of values that nearly every verb reads leave ``annotations`` of ``__future__`` out: types are then
    values, where msgspec would have to compile each text.
    """


def from_json(text: bytes | str) -> Any:
    """Return the plain data in a JSON text that others may have written or changed; ValueError for what is
    none, also for what is nested deeper than anybody writes.
    """
    try:
        return json.loads(text)
    except RecursionError:
        raise CodecError("nested too deep") from None


def to_plain(value: object) -> Any:
    """Return a Struct as plain data: dicts, lists, text, whole numbers, booleans.

    Whether a field has its default is decided by what it holds, so that equal values are written alike.
    """
    if isinstance(value, Struct):
        return {
            key: to_plain(held)
            for name, key, default in _written(type(value))
            if (held := getattr(value, name)) != default
        }
    if isinstance(value, Mapping):
        return {key: to_plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [to_plain(item) for item in value]
    return value


def from_plain(data: object, cls: type[T]) -> T:
    """Return plain data as a value of ``cls``; raise CodecError for a wrong type, a missing or an unknown
    key.
    """
    try:
        return convert(data, cls)
    except (ValidationError, RecursionError) as error:
        raise CodecError(str(error) or type(error).__name__) from error


def defaults(cls: type[Struct]) -> Iterator[tuple[str, Any]]:
    """Yield each field of a Struct with its default, ``NODEFAULT`` for one that has to be given."""
    names, given = cls.__struct_fields__, cls.__struct_defaults__
    for name, default in zip(names, (*[NODEFAULT] * (len(names) - len(given)), *given), strict=True):
        factory = getattr(default, "factory", None)
        yield name, default if factory is None else factory()


@cache
def _written(cls: type[Struct]) -> tuple[tuple[str, str, Any], ...]:
    """Return each field of a class: its name, its name in a file, its default."""
    return tuple((name, spelt(name), default) for name, default in defaults(cls))
