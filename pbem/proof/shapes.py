"""A small language for the exact form of a record, its check, and the same said as JSON Schema.

Decides only what a form is and whether a value has it; the forms of the protocol stand in ``records``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from pbem.proof.canonical import MAX_WHOLE

MAX_ENTRIES = 10_000

Json = dict[str, Any]


class Text(Struct, frozen=True):
    """Text of at most ``most`` characters that matches the pattern as a whole and is none of ``never``."""

    pattern: str = ""
    most: int = 1000
    never: frozenset[str] = frozenset()

    def wrong(self, value: object, where: str) -> str | None:
        """Return what is wrong, or None."""
        if not isinstance(value, str):
            return f"{where} is not text"
        if len(value) > self.most:
            return f"{where} has more than {self.most} characters"
        if value in self.never or (self.pattern and not re.fullmatch(self.pattern, value)):
            return f"{where} has not the form of such a value"
        return None

    def schema(self) -> Json:
        """Return the same as JSON Schema."""
        made: Json = {"type": "string", "maxLength": self.most}
        if self.pattern:
            made["pattern"] = f"^(?:{self.pattern})$"
        if self.never:
            made["not"] = {"enum": sorted(self.never)}
        return made


class Whole(Struct, frozen=True):
    """A whole number from ``least`` to ``most``."""

    least: int
    most: int = MAX_WHOLE - 1

    def wrong(self, value: object, where: str) -> str | None:
        """Return what is wrong, or None."""
        if not isinstance(value, int) or isinstance(value, bool):
            return f"{where} is not a number"
        if not self.least <= value <= self.most:
            return f"{where} is not a number from {self.least} to {self.most}"
        return None

    def schema(self) -> Json:
        """Return the same as JSON Schema."""
        return {"type": "integer", "minimum": self.least, "maximum": self.most}


class One(Struct, frozen=True):
    """One of a few words."""

    of: tuple[str, ...]

    def wrong(self, value: object, where: str) -> str | None:
        """Return what is wrong, or None."""
        if value not in self.of:
            return f"{where} is not one of {', '.join(self.of)}"
        return None

    def schema(self) -> Json:
        """Return the same as JSON Schema."""
        return {"enum": list(self.of)}


class AnyObject(Struct, frozen=True):
    """An object of which the protocol says nothing more; the ruleset does."""

    def wrong(self, value: object, where: str) -> str | None:
        """Return what is wrong, or None."""
        if not isinstance(value, Mapping):
            return f"{where} is not an object"
        return _long_list(value, where)

    def schema(self) -> Json:
        """Return the same as JSON Schema."""
        return {"type": "object"}


class Anything(Struct, frozen=True):
    """Any value that a record can have."""

    def wrong(self, value: object, where: str) -> str | None:
        """Return what is wrong, or None."""
        return _long_list(value, where)

    def schema(self) -> Json:
        """Return the same as JSON Schema."""
        return {}


def _long_list(value: object, where: str) -> str | None:
    if isinstance(value, list):
        if len(value) > MAX_ENTRIES:
            return f"{where} has more than {MAX_ENTRIES} entries"
        inner = [_long_list(item, where) for item in value]
    elif isinstance(value, Mapping):
        inner = [_long_list(item, f"{where}.{key}") for key, item in value.items()]
    else:
        return None
    return next((reason for reason in inner if reason), None)


class ListOf(Struct, frozen=True):
    """A list of ``least`` to ``most`` values of one form."""

    item: Shape
    least: int = 0
    most: int = MAX_ENTRIES

    def wrong(self, value: object, where: str) -> str | None:
        """Return what is wrong, or None."""
        if not isinstance(value, list):
            return f"{where} is not a list"
        if len(value) > self.most:
            return f"{where} has more than {self.most} entries"
        if len(value) < self.least:
            return f"{where} has nothing in it"
        reasons = (self.item.wrong(item, f"{where}.{place}") for place, item in enumerate(value))
        return next((reason for reason in reasons if reason), None)

    def schema(self) -> Json:
        """Return the same as JSON Schema."""
        made: Json = {"type": "array", "maxItems": self.most, "items": self.item.schema()}
        return {**made, "minItems": self.least} if self.least else made


class Fields(Struct, frozen=True):
    """An object with the needed keys, perhaps the optional ones, no other; of ``either`` exactly one, of
    ``never_both`` not both.
    """

    needed: Mapping[str, Shape]
    optional: Mapping[str, Shape]
    either: tuple[str, ...] = ()
    never_both: tuple[str, ...] = ()

    def wrong(self, value: object, where: str) -> str | None:
        """Return what is wrong, or None."""
        if not isinstance(value, Mapping):
            return f"{where} is not an object"
        for key in self.needed:
            if key not in value:
                return f"{where}.{key} is missing"
        if self.either and sum(key in value for key in self.either) != 1:
            return f"{where} does not have exactly one of {', '.join(self.either)}"
        if self.never_both and all(key in value for key in self.never_both):
            return f"{where} has both of {', '.join(self.never_both)}"
        for key in value:
            shape = self.needed.get(key) or self.optional.get(key)
            if shape is None:
                return f"{where}.{key} is not known"
            reason = shape.wrong(value[key], f"{where}.{key}")
            if reason:
                return reason
        return None

    def known_in(self, value: Mapping[str, object]) -> int:
        """Return how many keys of an object the form knows."""
        return sum(key in self.needed or key in self.optional for key in value)

    def schema(self) -> Json:
        """Return the same as JSON Schema."""
        every = {**self.needed, **self.optional}
        made: Json = {
            "type": "object",
            "additionalProperties": False,
            "required": sorted(self.needed),
            "properties": {key: every[key].schema() for key in sorted(every)},
        }
        if self.either:
            made["oneOf"] = [{"required": [key]} for key in self.either]
        if self.never_both:
            made["not"] = {"required": list(self.never_both)}
        return made


class AnyOf(Struct, frozen=True):
    """One of several forms."""

    forms: tuple[Shape, ...]

    def wrong(self, value: object, where: str) -> str | None:
        """Return what is wrong with each form where none fits, or None; of objects only with those that know
        most of its keys.
        """
        wrong: list[tuple[int, str]] = []
        for form in self.forms:
            reason = form.wrong(value, where)
            if reason is None:
                return None
            known = form.known_in(value) if isinstance(form, Fields) and isinstance(value, Mapping) else 0
            wrong.append((known, reason))
        nearest = max(known for known, _ in wrong)
        return "; or ".join(dict.fromkeys(reason for known, reason in wrong if known == nearest))

    def schema(self) -> Json:
        """Return the same as JSON Schema."""
        return {"oneOf": [form.schema() for form in self.forms]}


Shape = Text | Whole | One | AnyObject | Anything | ListOf | Fields | AnyOf
