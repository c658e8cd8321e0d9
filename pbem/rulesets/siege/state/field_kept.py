"""A field as plain data and back, for whoever keeps it beside the files that it was read from: no format of a
file, and only the program that wrote it reads it.

A value is a list that begins with the number of its kind. Each ground of the chart is said once.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from pbem.core.ruleset import Ruleset
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state import field as parts
from pbem.rulesets.siege.state.field import Field, Terrain
from pbem.rulesets.siege.state.state import Battle
from pbem.rulesets.siege.state.thing import Thing

Rules = Ruleset[Battle]

KINDS: Final[tuple[Any, ...]] = (
    tuple,
    frozenset,
    Field,
    Terrain,
    parts.SideFeature,
    parts.OnSide,
    parts.Values,
    parts.Person,
    parts.Force,
    parts.SideInfo,
    parts.Fixture,
    Thing,
    parts.Gear,
    parts.Siege,
    parts.SetupStep,
    parts.Term,
)
"""Every kind of value that a field is made of, but for texts, numbers, mappings and floors: those are told by
the rules.
"""


def write(rules: Rules, field: Field) -> Any:
    """Return a field as plain data."""
    numbers: dict[Terrain, int] = {}
    ground, grounds = (
        {key: numbers.setdefault(terrain, len(numbers)) for key, terrain in of.items()}
        for of in (field.ground, field.grounds)
    )
    return [_plain(replace(field, ground=ground, grounds=grounds, floors={})), *map(_plain, numbers)]


def read(rules: Rules, plain: Any) -> Field:
    """Return the field that ``write`` wrote; ValueError, LookupError or TypeError for anything else."""
    field, *terrains = map(_made, plain)
    ground, grounds = (
        {key: terrains[number] for key, number in of.items()} for of in (field.ground, field.grounds)
    )
    made: Field = replace(field, ground=ground, grounds=grounds, floors=family.floors(rules))
    return made


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(inner) for key, inner in value.items()}
    if isinstance(value, Struct):
        return [KINDS.index(type(value)), *(_plain(getattr(value, name)) for name in value.__struct_fields__)]
    if isinstance(value, tuple | frozenset):
        return [KINDS.index(type(value)), *map(_plain, value)]
    return value


def _made(plain: Any) -> Any:
    if type(plain) is dict:
        return {key: _made(inner) for key, inner in plain.items()}
    if type(plain) is list:
        kind = KINDS[plain[0]]
        inside = [_made(inner) for inner in plain[1:]]
        return kind(*inside) if issubclass(kind, Struct) else kind(inside)
    return plain
