"""Which keys and values a file may hold: our own walk over the part of JSON Schema draft-07 that the schemas
use.

It decides form only; whether a name exists or an order is legal is asked elsewhere. The schemas serve editors
too, so they are true draft-07; a keyword outside ``KEYWORDS`` is a fault of the schema and raises
``ValueError`` when it is compiled.

Two readings of one schema. ``text=True`` is for what ``text/source.py`` reads, where every scalar is text:
there

* ``integer`` is a text ``-?(0|[1-9][0-9]{0,8})``, and ``minimum``, ``maximum`` compare its value; ``number``
  may have a point;
* ``boolean`` is ``true`` or ``false``; ``null`` is the empty text (a key with nothing behind it);
* ``string`` is any text, so ``type: [string, integer]`` (what an editor needs, which sees 0712 as a number)
  is any text.

``text=False`` is for JSON (states, events, ``--json``) and means what draft-07 means, except that whole
numbers are never floats. Annotations for the words: ``patternErrorMessage`` says what a text should look
like, in words that follow "is not".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

from pbem.core.problem import Problem
from pbem.text import walks
from pbem.text.walks import NOTHING, Walk

__all__ = ["KEYWORDS", "Shape", "check", "load"]

_NOTES: Final = frozenset(
    {
        "$schema",
        "$id",
        "$comment",
        "title",
        "description",
        "markdownDescription",
        "default",
        "examples",
        "definitions",
    }
    | {
        "patternErrorMessage",
        "errorMessage",
        "enumDescriptions",
        "markdownEnumDescriptions",
        "defaultSnippets",
    }
)
KEYWORDS: Final = _NOTES | {
    *(
        "type",
        "properties",
        "required",
        "additionalProperties",
        "propertyNames",
        "minProperties",
        "maxProperties",
    ),
    *(
        "items",
        "minItems",
        "maxItems",
        "uniqueItems",
        "enum",
        "const",
        "pattern",
        "minLength",
        "maxLength",
        "minimum",
    ),
    *("maximum", "dependencies", "anyOf", "oneOf", "not", "$ref"),
}

MOST: Final = 200
"""How many problems of one file are told."""

_OBJECT_WORDS: Final = frozenset(
    {
        "properties",
        "required",
        "additionalProperties",
        "propertyNames",
        "minProperties",
        "maxProperties",
        "dependencies",
    }
)
_ARRAY_WORDS: Final = frozenset({"items", "minItems", "maxItems", "uniqueItems"})


class Shape(Struct, frozen=True):
    """A schema made ready for checking."""

    walk: Walk

    def check(self, data: object, *, whole: bool = True) -> list[Problem]:
        """Return everything that is wrong with the form of ``data``, each with its path.

        With ``whole=False`` (a part of the file could not be read) nothing is called missing.
        """
        found = list(self.walk(data))
        if not whole:
            found = [problem for problem in found if problem.code not in _ABSENCE]
        if len(found) > MOST:
            found[MOST:] = [Problem("schema.more", {"count": len(found) - MOST}, found[MOST - 1].path)]
        return found


_ABSENCE: Final = frozenset({"schema.missing", "schema.missing-one", "schema.needs", "schema.too-few"})


def load(
    schema: Mapping[str, Any], *, definitions: Mapping[str, Any] | None = None, text: bool = True
) -> Shape:
    """Return a compiled schema; ``definitions`` adds to its own."""
    known = {**(definitions or {}), **schema.get("definitions", {})}
    return Shape(_Compiler(known, text).walk(schema))


def check(
    data: object,
    schema: Mapping[str, Any] | Shape,
    *,
    definitions: Mapping[str, Any] | None = None,
    text: bool = True,
) -> list[Problem]:
    """Return everything that is wrong with the form of ``data``."""
    shape = schema if isinstance(schema, Shape) else load(schema, definitions=definitions, text=text)
    return shape.check(data)


class _Compiler:
    """Turns schema nodes into functions that return problems with paths from their own value on."""

    def __init__(self, definitions: Mapping[str, Any], text: bool) -> None:
        self.definitions = definitions
        self.text = text
        self.types = walks.TEXT_TYPES if text else walks.JSON_TYPES
        self.done: dict[str, list[Walk]] = {}

    def walk(self, node: Any) -> Walk:
        """Return the function of one node."""
        if node is True:
            return lambda data: NOTHING
        if node is False:
            return lambda data: [Problem("schema.not-here", {"value": walks.quoted(data)}, key=True)]
        if "$ref" in node:
            return self.reference(node)
        if unknown := sorted(set(node) - KEYWORDS):
            raise ValueError(f"the schema uses {', '.join(unknown)}, which this walk does not know")
        scalar, choice, refusal = self.of_scalar(node), self.of_choice(node), self.of_refusal(node)
        every = (scalar, self.of_mapping(node), self.of_list(node), choice, refusal)
        parts = [part for part in every if part is not None]
        first = self.of_type(node)
        if first is None:
            return walks.all_of(parts)
        whole = walks.first_then(first, parts)
        if "string" not in _names(node["type"]):
            return whole
        # an order is one, mostly: what only a mapping or a list can do wrong is not asked of it
        said = (scalar, None if _is_of_keys(node) else choice, refusal)
        of_text = walks.all_of([part for part in said if part is not None])
        return lambda data: of_text(data) if type(data) is str else whole(data)

    def reference(self, node: Mapping[str, Any]) -> Walk:
        """Return a definition's function, which may still be in the making (a definition may hold itself)."""
        prefix, _, name = str(node["$ref"]).rpartition("/")
        if prefix != "#/definitions" or name not in self.definitions:
            raise ValueError(f"the schema refers to {node['$ref']}, which is not there")
        if name not in self.done:
            cell: list[Walk] = []
            self.done[name] = cell
            cell.append(self.walk(self.definitions[name]))
        cell = self.done[name]
        return cell[0] if cell else lambda data: cell[0](data)

    def of_type(self, node: Mapping[str, Any]) -> Walk | None:
        """Return the check of ``type``; where it fails nothing else is asked."""
        if "type" not in node:
            return None
        names = _names(node["type"])
        tests = [self.types[name] for name in names]
        words = list(dict.fromkeys(walks.TYPE_WORDS[name] for name in names if name != "null")) or [
            walks.TYPE_WORDS["null"]
        ]
        if "string" in names:
            words = [word for word in words if word not in walks.SCALAR_WORDS]
        wanted = " or ".join(words)
        hint = walks.TYPE_HELP.get(names[0], "")

        def fails(data: object) -> list[Problem]:
            return [Problem("schema.type", {"value": walks.quoted(data), "wanted": wanted}, help=hint)]

        if len(tests) == 1:
            test = tests[0]
            return lambda data: NOTHING if test(data) else fails(data)
        return lambda data: NOTHING if any(test(data) for test in tests) else fails(data)

    def of_scalar(self, node: Mapping[str, Any]) -> Walk | None:
        """Return the checks of one scalar: ``enum``, ``const``, ``pattern``, lengths and bounds."""
        parts: list[Walk] = []
        if "enum" in node or "const" in node:
            parts.append(walks.enumeration(node.get("enum", [node.get("const")])))
        if "pattern" in node:
            parts.append(walks.pattern(node["pattern"], node.get("patternErrorMessage", "of the right form")))
        if "maxLength" in node or "minLength" in node:
            parts.append(walks.length(node.get("minLength", 0), node.get("maxLength", 1 << 30)))
        if "minimum" in node or "maximum" in node:
            number = walks.TEXT_TYPES["integer"] if self.text else walks.JSON_TYPES["integer"]
            parts.append(walks.bounds(number, node.get("minimum"), node.get("maximum")))
        return walks.all_of(parts) if parts else None

    def of_mapping(self, node: Mapping[str, Any]) -> Walk | None:
        """Return the checks of a mapping."""
        if not _OBJECT_WORDS & set(node):
            return None
        known = {key: self.walk(value) for key, value in node.get("properties", {}).items()}
        other = node.get("additionalProperties", True)
        rest = None if other is True or other is False else self.walk(other)
        names = walks.key_names(node["propertyNames"], self.walk) if "propertyNames" in node else None
        required: Sequence[str] = node.get("required", ())
        needs = [
            (key, value, self.walk(value) if isinstance(value, Mapping) else None)
            for key, value in node.get("dependencies", {}).items()
        ]
        least, most = node.get("minProperties", 0), node.get("maxProperties", 1 << 30)

        def walk(data: Any) -> list[Problem]:
            if not isinstance(data, Mapping):
                return NOTHING
            out: list[Problem] = []
            for key, value in data.items():
                if names is not None:
                    out += names(key)
                inner = known.get(key, rest)
                if inner is not None:
                    if found := inner(value):
                        out += [problem.at(key) for problem in found]
                elif other is False and key not in known:
                    out.append(walks.unknown_key(key, known, data))
            out += [Problem("schema.missing", {"key": key}) for key in required if key not in data]
            for key, wanted, whole in needs:
                if key in data:
                    out += whole(data) if whole is not None else _needed(key, wanted, data)
            return out + walks.counted(len(data), least, most)

        return walk

    def of_list(self, node: Mapping[str, Any]) -> Walk | None:
        """Return the checks of a list."""
        if not _ARRAY_WORDS & set(node):
            return None
        items = self.walk(node["items"]) if "items" in node else None
        least, most = node.get("minItems", 0), node.get("maxItems", 1 << 30)
        unique = node.get("uniqueItems", False)

        def walk(data: Any) -> list[Problem]:
            if not isinstance(data, list | tuple):
                return NOTHING
            out: list[Problem] = []
            if items is not None:
                for index, value in enumerate(data):
                    if found := items(value):
                        out += [problem.at(index) for problem in found]
            if unique:
                out += [
                    Problem("schema.repeated", {"value": walks.quoted(value)}, (index,))
                    for index, value in enumerate(data)
                    if any(walks.same(value, earlier) for earlier in data[:index])
                ]
            return out + walks.counted(len(data), least, most)

        return walk

    def of_choice(self, node: Mapping[str, Any]) -> Walk | None:
        """Return the check of ``anyOf`` or ``oneOf``."""
        if "anyOf" not in node and "oneOf" not in node:
            return None
        branches: Sequence[Mapping[str, Any]] = node.get("anyOf") or node["oneOf"]
        kinds = walks.tagged([self.resolved(branch) for branch in branches])
        branch_walks = [self.walk(branch) for branch in branches]
        if kinds is not None:
            return walks.by_tag(kinds[0], dict(zip(kinds[1], branch_walks, strict=True)))
        if _is_of_keys(node):
            return walks.one_key(node, [str(branch["required"][0]) for branch in branches])
        accepts = [self.accepts(branch) for branch in branches]
        single = "oneOf" in node

        def walk(data: Any) -> list[Problem]:
            results = [one(data) for one in branch_walks]
            fitting = sum(not found for found in results)
            if fitting == 1 or (fitting and not single):
                return NOTHING
            if fitting:
                return [Problem("schema.ambiguous", {"value": walks.quoted(data)})]
            near = [found for found, test in zip(results, accepts, strict=True) if test(data)] or results
            return min(near, key=lambda found: (-max(len(problem.path) for problem in found), len(found)))

        return walk

    def of_refusal(self, node: Mapping[str, Any]) -> Walk | None:
        """Return the check of ``not``."""
        if "not" not in node:
            return None
        inner = self.walk(node["not"])
        keys = " and ".join(node["not"].get("required", ()))

        def walk(data: Any) -> list[Problem]:
            if inner(data):
                return NOTHING
            code = "schema.not-together" if keys else "schema.not-here"
            return [Problem(code, {"keys": keys} if keys else {"value": walks.quoted(data)})]

        return walk

    def resolved(self, node: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return a node itself, or the definition it refers to."""
        name = str(node.get("$ref", "")).rpartition("/")[2]
        found: Mapping[str, Any] = self.definitions.get(name, node)
        return found

    def accepts(self, node: Mapping[str, Any]) -> Callable[[object], bool]:
        """Return the test whether a value has the type of a branch at all."""
        tests = [self.types[name] for name in _names(self.resolved(node).get("type", ()))]
        return lambda data: any(test(data) for test in tests)


def _names(types: str | Sequence[str]) -> Sequence[str]:
    """Return the names of what ``type`` allows."""
    return [types] if isinstance(types, str) else types


def _is_of_keys(node: Mapping[str, Any]) -> bool:
    """Tell whether the choice of a node is one of keys, of which one has to be there."""
    return all(set(branch) == {"required"} for branch in node.get("anyOf") or node.get("oneOf", ()))


def _needed(key: str, wanted: Sequence[str], data: Mapping[str, Any]) -> list[Problem]:
    """Return a problem for each key that another needs beside it and has not."""
    return [
        Problem("schema.needs", {"key": key, "other": name}, (key,), key=True)
        for name in wanted
        if name not in data
    ]
