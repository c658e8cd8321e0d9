"""Plain data (what JSON holds) to and from frozen dataclasses; the only place that does it.

Absent means "does not apply": a field that has its default is not written, and there is no null. A field
whose name is a word of Python ends in an underscore in the class and not in the file (``is_`` is ``is``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from typing import Any, TypeVar

from cattrs import Converter
from cattrs.errors import ClassValidationError, ForbiddenExtraKeysError
from cattrs.gen import make_dict_structure_fn, make_dict_unstructure_fn, override

T = TypeVar("T")


class CodecError(ValueError):
    """Plain data that is not the value it should be."""


@cache
def _converter() -> Converter:
    converter = Converter(detailed_validation=True, forbid_extra_keys=True, prefer_attrib_converters=False)

    def exact(value: Any, kind: type) -> Any:
        if type(value) is not kind:
            raise CodecError(f"{value!r} is not {kind.__name__}")
        return value

    for kind in (str, int, bool):
        converter.register_structure_hook(kind, exact)

    def renames(cls: type) -> dict[str, Any]:
        return {f.name: override(rename=f.name.rstrip("_"), omit_if_default=True) for f in fields(cls)}

    def is_value(cls: Any) -> bool:
        return hasattr(cls, "__dataclass_fields__")

    converter.register_structure_hook_factory(
        is_value,
        lambda cls: make_dict_structure_fn(cls, converter, _cattrs_forbid_extra_keys=True, **renames(cls)),
    )
    converter.register_unstructure_hook_factory(
        is_value,
        lambda cls: make_dict_unstructure_fn(cls, converter, _cattrs_omit_if_default=True, **renames(cls)),
    )
    converter.register_unstructure_hook(tuple, lambda value: [converter.unstructure(item) for item in value])
    return converter


def to_plain(value: object) -> Any:
    """Return a dataclass as plain data: dicts, lists, text, whole numbers, booleans."""
    return _listed(_converter().unstructure(value))


def from_plain(data: object, cls: type[T]) -> T:
    """Return plain data as a value of ``cls``; raise CodecError for a wrong type, a missing or an unknown
    key.
    """
    try:
        return _converter().structure(data, cls)
    except (
        ClassValidationError,
        ForbiddenExtraKeysError,
        CodecError,
        TypeError,
        ValueError,
        KeyError,
    ) as error:
        raise CodecError(_first(error)) from error


def _listed(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _listed(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_listed(item) for item in value]
    return value


def _first(error: BaseException) -> str:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return str(error) or type(error).__name__
