"""The form of an order file of a game: that which its ruleset brings, else one made of the words of its order files.

What a made one says of sections is only that they are lists; what a line in them may be is told by the ruleset itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from pbem.core.ruleset import Ruleset
from pbem.core.vocabulary import Vocabulary
from pbem.store import library
from pbem.text import shape

__all__ = ["made_of", "shape_of_orders"]

_ORDER = "#/definitions/order"
_LIST = {"type": ["array", "null"], "items": {"type": ["string", "object"], "minLength": 1, "maxLength": 300}}


def shape_of_orders(rules: Ruleset[Any]) -> shape.Shape:
    """Return the form of an order file of a game."""
    return _shape(rules.id, rules.vocabulary)


@cache
def _shape(ruleset: str, words: Vocabulary) -> shape.Shape:
    try:
        return shape.load(library.schema(f"orders.{ruleset}"))
    except KeyError:
        common = library.schema("orders")
    return shape.load(common if set(words.headings) <= set(common["properties"]) else made_of(words, common))


def made_of(words: Vocabulary, common: Mapping[str, Any]) -> dict[str, Any]:
    """Return a schema with the sections and standing instructions of a game, and all else as a common one has it."""
    properties = {key: value for key, value in common["properties"].items() if value.get("items", {}).get("$ref") != _ORDER}
    chosen = {"type": "object", "minProperties": 1}
    if words.standing:
        chosen |= {"properties": {key: {} for key in words.standing}, "additionalProperties": False}
    properties |= dict.fromkeys(words.headings, _LIST)
    names = common["properties"]["standing"]["propertyNames"]
    properties["standing"] = {"type": "object", "propertyNames": names, "additionalProperties": chosen}
    properties["stop-after"] = {**common["properties"]["stop-after"], "enum": list(words.headings)}
    return {"$schema": common["$schema"], "type": "object", "properties": properties, "additionalProperties": False}
