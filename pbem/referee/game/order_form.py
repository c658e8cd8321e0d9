"""The form of an order file of a game: that which its ruleset brings, else one made of the words of its order
files.

What a made one says of sections is only that they are lists; what a line in them may be is told by the
ruleset itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from pbem.core.ruleset import Ruleset
from pbem.core.vocabulary import Vocabulary
from pbem.store import library
from pbem.text import shape

__all__ = ["made_of", "schema_of_orders", "shape_of_orders"]

_ORDER = "#/definitions/order"
_LIST = {"type": ["array", "null"], "items": {"type": ["string", "object"], "minLength": 1, "maxLength": 300}}


_SHAPES: Final[dict[tuple[str, Vocabulary], shape.Shape]] = {}


def shape_of_orders(rules: Ruleset[Any]) -> shape.Shape:
    """Return the form of an order file of a game."""
    known = (rules.id, rules.vocabulary)
    if known not in _SHAPES:
        _SHAPES[known] = shape.load(schema_of_orders(rules))
    return _SHAPES[known]


def schema_of_orders(rules: Ruleset[Any]) -> Mapping[str, Any]:
    """Return the same as a schema."""
    return rules.interface.order_form(rules, _form(rules.id, rules.vocabulary))


def _form(ruleset: str, words: Vocabulary) -> Mapping[str, Any]:
    own, common = library.own_schema(ruleset, "orders"), library.schema("orders")
    if own is not None:
        return own
    return common if set(words.headings) <= set(common["properties"]) else made_of(words, common)


def made_of(words: Vocabulary, common: Mapping[str, Any]) -> dict[str, Any]:
    """Return a schema with the sections and standing instructions of a game, and all else as a common one has
    it.
    """
    properties = {
        key: value
        for key, value in common["properties"].items()
        if value.get("items", {}).get("$ref") != _ORDER
    }
    chosen = {"type": "object", "minProperties": 1}
    if words.standing:
        chosen |= {"properties": {key: {} for key in words.standing}, "additionalProperties": False}
    properties |= dict.fromkeys(words.headings, _LIST)
    names = common["properties"]["standing"]["propertyNames"]
    properties["standing"] = {"type": "object", "propertyNames": names, "additionalProperties": chosen}
    properties["stop-after"] = {**common["properties"]["stop-after"], "enum": list(words.headings)}
    return {
        "$schema": common["$schema"],
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
    }
