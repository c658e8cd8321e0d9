"""Which keys and values a file may hold: our own walk over the part of JSON Schema draft-07 that the schemas use.

It decides form only; whether a name exists or an order is legal is asked elsewhere. The schemas serve editors too, so they are true
draft-07; a keyword outside ``KEYWORDS`` is a fault of the schema and raises ``ValueError`` when it is compiled.

Two readings of one schema. ``text=True`` is for what ``text/source.py`` reads, where every scalar is text: there

* ``integer`` is a text ``-?(0|[1-9][0-9]{0,8})``, and ``minimum``, ``maximum`` compare its value; ``number`` may have a point;
* ``boolean`` is ``true`` or ``false``; ``null`` is the empty text (a key with nothing behind it);
* ``string`` is any text, so ``type: [string, integer]`` (what an editor needs, which sees 0712 as a number) is any text.

``text=False`` is for JSON (states, events, ``--json``) and means what draft-07 means, except that whole numbers are never floats.
Annotations for the words: ``patternErrorMessage`` says what a text should look like, in words that follow "is not".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pbem.core.problem import Problem
from pbem.text.characters import shown
from pbem.text.similar import did_you_mean

__all__ = ["KEYWORDS", "Shape", "check", "load"]

INTEGER: Final = re.compile(r"-?(0|[1-9][0-9]{0,8})")
_NUMBER: Final = re.compile(r"-?(0|[1-9][0-9]{0,8})([.][0-9]{1,9})?")

_NOTES: Final = frozenset(
    {"$schema", "$id", "$comment", "title", "description", "markdownDescription", "default", "examples", "definitions"}
    | {"patternErrorMessage", "errorMessage", "enumDescriptions", "markdownEnumDescriptions", "defaultSnippets"}
)
KEYWORDS: Final = _NOTES | {
    *("type", "properties", "required", "additionalProperties", "propertyNames", "minProperties", "maxProperties"),
    *("items", "minItems", "maxItems", "uniqueItems", "enum", "const", "pattern", "minLength", "maxLength", "minimum"),
    *("maximum", "dependencies", "anyOf", "oneOf", "not", "$ref"),
}

_TYPE_WORDS: Final = {
    "object": "keys with values",
    "array": "a list",
    "string": "a text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "null": "nothing",
}
_SCALAR_WORDS: Final = frozenset(_TYPE_WORDS[name] for name in ("integer", "number", "boolean"))

MOST: Final = 200
"""How many problems of one file are told."""

Walk = Callable[[Any], list[Problem]]
_NOTHING: Final[list[Problem]] = []


@dataclass(frozen=True, slots=True)
class Shape:
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


def load(schema: Mapping[str, Any], *, definitions: Mapping[str, Any] | None = None, text: bool = True) -> Shape:
    """Return a compiled schema; ``definitions`` adds to its own."""
    known = {**(definitions or {}), **schema.get("definitions", {})}
    return Shape(_Compiler(known, text).walk(schema))


def check(
    data: object, schema: Mapping[str, Any] | Shape, *, definitions: Mapping[str, Any] | None = None, text: bool = True
) -> list[Problem]:
    """Return everything that is wrong with the form of ``data``."""
    shape = schema if isinstance(schema, Shape) else load(schema, definitions=definitions, text=text)
    return shape.check(data)


def _is_object(data: object) -> bool:
    return isinstance(data, Mapping)


def _is_array(data: object) -> bool:
    return isinstance(data, list | tuple)


def _is_string(data: object) -> bool:
    return isinstance(data, str)


_JSON_TYPES: Final[Mapping[str, Callable[[object], bool]]] = {
    "object": _is_object,
    "array": _is_array,
    "string": _is_string,
    "integer": lambda data: isinstance(data, int) and not isinstance(data, bool),
    "number": lambda data: isinstance(data, int) and not isinstance(data, bool),
    "boolean": lambda data: isinstance(data, bool),
    "null": lambda data: data is None,
}
_TEXT_TYPES: Final[Mapping[str, Callable[[object], bool]]] = {
    "object": _is_object,
    "array": _is_array,
    "string": _is_string,
    "integer": lambda data: isinstance(data, str) and INTEGER.fullmatch(data) is not None,
    "number": lambda data: isinstance(data, str) and _NUMBER.fullmatch(data) is not None,
    "boolean": lambda data: data in ("true", "false"),
    "null": lambda data: data == "",
}


def _quoted(value: object) -> str:
    """Return a value as a sentence shows it."""
    if isinstance(value, Mapping):
        return "this group of keys"
    if isinstance(value, list | tuple):
        return "this list"
    if value == "" or value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"'{shown(str(value))}'"


def _same(one: object, other: object) -> bool:
    """Compare as JSON does: 1 is not true."""
    return one == other and isinstance(one, bool) == isinstance(other, bool)


class _Compiler:
    """Turns schema nodes into functions that return problems with paths from their own value on."""

    def __init__(self, definitions: Mapping[str, Any], text: bool) -> None:
        self.definitions = definitions
        self.text = text
        self.types = _TEXT_TYPES if text else _JSON_TYPES
        self.done: dict[str, list[Walk]] = {}

    def walk(self, node: Any) -> Walk:
        """Return the function of one node."""
        if node is True:
            return lambda data: _NOTHING
        if node is False:
            return lambda data: [Problem("schema.not-here", {"value": _quoted(data)}, key=True)]
        if "$ref" in node:
            return self.reference(node)
        if unknown := sorted(set(node) - KEYWORDS):
            raise ValueError(f"the schema uses {', '.join(unknown)}, which this walk does not know")
        parts = [
            part
            for part in (self.of_scalar(node), self.of_mapping(node), self.of_list(node), self.of_choice(node), self.of_refusal(node))
            if part is not None
        ]
        first = self.of_type(node)
        if first is None:
            return _all_of(parts)
        return _first_then(first, parts)

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
        names: Sequence[str] = [node["type"]] if isinstance(node["type"], str) else node["type"]
        tests = [self.types[name] for name in names]
        words = list(dict.fromkeys(_TYPE_WORDS[name] for name in names if name != "null")) or [_TYPE_WORDS["null"]]
        if "string" in names:
            words = [word for word in words if word not in _SCALAR_WORDS]
        wanted = " or ".join(words)
        hint = _TYPE_HELP.get(names[0], "")

        def fails(data: object) -> list[Problem]:
            return [Problem("schema.type", {"value": _quoted(data), "wanted": wanted}, help=hint)]

        if len(tests) == 1:
            test = tests[0]
            return lambda data: _NOTHING if test(data) else fails(data)
        return lambda data: _NOTHING if any(test(data) for test in tests) else fails(data)

    def of_scalar(self, node: Mapping[str, Any]) -> Walk | None:
        """Return the checks of one scalar: ``enum``, ``const``, ``pattern``, lengths and bounds."""
        walks: list[Walk] = []
        if "enum" in node or "const" in node:
            walks.append(_enumeration(node.get("enum", [node.get("const")])))
        if "pattern" in node:
            walks.append(_pattern(node["pattern"], node.get("patternErrorMessage", "of the right form")))
        if "maxLength" in node or "minLength" in node:
            walks.append(_length(node.get("minLength", 0), node.get("maxLength", 1 << 30)))
        if "minimum" in node or "maximum" in node:
            number = _TEXT_TYPES["integer"] if self.text else _JSON_TYPES["integer"]
            walks.append(_bounds(number, node.get("minimum"), node.get("maximum")))
        return _all_of(walks) if walks else None

    def of_mapping(self, node: Mapping[str, Any]) -> Walk | None:
        """Return the checks of a mapping."""
        if not _OBJECT_WORDS & set(node):
            return None
        known = {key: self.walk(value) for key, value in node.get("properties", {}).items()}
        other = node.get("additionalProperties", True)
        rest = None if other is True or other is False else self.walk(other)
        names = _names(node["propertyNames"], self.walk) if "propertyNames" in node else None
        required: Sequence[str] = node.get("required", ())
        needs = [
            (key, value, self.walk(value) if isinstance(value, Mapping) else None) for key, value in node.get("dependencies", {}).items()
        ]
        least, most = node.get("minProperties", 0), node.get("maxProperties", 1 << 30)

        def walk(data: Any) -> list[Problem]:
            if not isinstance(data, Mapping):
                return _NOTHING
            out: list[Problem] = []
            for key, value in data.items():
                if names is not None:
                    out += names(key)
                inner = known.get(key, rest)
                if inner is not None:
                    if found := inner(value):
                        out += [problem.at(key) for problem in found]
                elif other is False and key not in known:
                    out.append(_unknown(key, known, data))
            for key in required:
                if key not in data:
                    out.append(Problem("schema.missing", {"key": key}))
            for key, wanted, whole in needs:
                if key in data:
                    if whole is not None:
                        out += whole(data)
                    else:
                        out += [
                            Problem("schema.needs", {"key": key, "other": name}, (key,), key=True) for name in wanted if name not in data
                        ]
            return out + _count(len(data), least, most)

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
                return _NOTHING
            out: list[Problem] = []
            if items is not None:
                for index, value in enumerate(data):
                    if found := items(value):
                        out += [problem.at(index) for problem in found]
            if unique:
                out += [
                    Problem("schema.repeated", {"value": _quoted(value)}, (index,))
                    for index, value in enumerate(data)
                    if any(_same(value, earlier) for earlier in data[:index])
                ]
            return out + _count(len(data), least, most)

        return walk

    def of_choice(self, node: Mapping[str, Any]) -> Walk | None:
        """Return the check of ``anyOf`` or ``oneOf``."""
        if "anyOf" not in node and "oneOf" not in node:
            return None
        branches: Sequence[Mapping[str, Any]] = node.get("anyOf") or node["oneOf"]
        tagged = _tagged([self.resolved(branch) for branch in branches])
        walks = [self.walk(branch) for branch in branches]
        if tagged is not None:
            return _by_tag(tagged[0], dict(zip(tagged[1], walks, strict=True)))
        if all(set(branch) == {"required"} for branch in branches):
            return _one_key(node, [str(branch["required"][0]) for branch in branches])
        accepts = [self.accepts(branch) for branch in branches]
        single = "oneOf" in node

        def walk(data: Any) -> list[Problem]:
            results = [one(data) for one in walks]
            fitting = sum(not found for found in results)
            if fitting == 1 or (fitting and not single):
                return _NOTHING
            if fitting:
                return [Problem("schema.ambiguous", {"value": _quoted(data)})]
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
                return _NOTHING
            code = "schema.not-together" if keys else "schema.not-here"
            return [Problem(code, {"keys": keys} if keys else {"value": _quoted(data)})]

        return walk

    def resolved(self, node: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return a node itself, or the definition it refers to."""
        name = str(node.get("$ref", "")).rpartition("/")[2]
        found: Mapping[str, Any] = self.definitions.get(name, node)
        return found

    def accepts(self, node: Mapping[str, Any]) -> Callable[[object], bool]:
        """Return the test whether a value has the type of a branch at all."""
        names = self.resolved(node).get("type", ())
        tests = [self.types[name] for name in ([names] if isinstance(names, str) else names)]
        return lambda data: any(test(data) for test in tests)


_OBJECT_WORDS: Final = frozenset(
    {"properties", "required", "additionalProperties", "propertyNames", "minProperties", "maxProperties", "dependencies"}
)
_LISTED: Final = 12
_ARRAY_WORDS: Final = frozenset({"items", "minItems", "maxItems", "uniqueItems"})
_TYPE_HELP: Final = {
    "array": "begin each entry with '- ' on a line of its own",
    "object": "write 'key: value' on lines of their own, a little further in",
    "boolean": "write true or false",
}


def _all_of(walks: Sequence[Walk]) -> Walk:
    if not walks:
        return lambda data: _NOTHING
    if len(walks) == 1:
        return walks[0]

    def walk(data: Any) -> list[Problem]:
        out: list[Problem] = []
        for one in walks:
            out += one(data)
        return out

    return walk


def _first_then(first: Walk, rest: Sequence[Walk]) -> Walk:
    if not rest:
        return first
    then = _all_of(rest)
    return lambda data: first(data) or then(data)


def _enumeration(choices: Sequence[Any]) -> Walk:
    words = [str(choice) for choice in choices]
    listed = words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"
    if len(words) > _LISTED:
        listed = f"the {len(words)} words known here"
    texts = frozenset(choice for choice in choices if isinstance(choice, str))

    def walk(data: Any) -> list[Problem]:
        if isinstance(data, str) and data in texts:
            return _NOTHING
        if any(_same(choice, data) for choice in choices):
            return _NOTHING
        near = did_you_mean(data, words) if isinstance(data, str) else ""
        return [Problem("schema.choice", {"value": _quoted(data), "choices": listed}, help=near)]

    return walk


def _pattern(pattern: str, wanted: str) -> Walk:
    # as in an editor: "$" is the very end, not also the place before a last line feed
    matches = re.compile(re.sub(r"\$$", r"\\Z", pattern)).search

    def walk(data: Any) -> list[Problem]:
        if not isinstance(data, str) or matches(data):
            return _NOTHING
        return [Problem("schema.pattern", {"value": _quoted(data), "wanted": wanted})]

    return walk


def _length(least: int, most: int) -> Walk:
    def walk(data: Any) -> list[Problem]:
        if not isinstance(data, str) or least <= len(data) <= most:
            return _NOTHING
        if len(data) > most:
            return [Problem("schema.too-long", {"length": len(data), "limit": most})]
        return [Problem("schema.too-short", {"length": len(data), "limit": least})]

    return walk


def _bounds(is_number: Callable[[object], bool], least: int | None, most: int | None) -> Walk:
    def walk(data: Any) -> list[Problem]:
        if not is_number(data):
            return _NOTHING
        value = int(data)
        if least is not None and value < least:
            return [Problem("schema.too-small", {"value": value, "limit": least})]
        if most is not None and value > most:
            return [Problem("schema.too-large", {"value": value, "limit": most})]
        return _NOTHING

    return walk


def _count(count: int, least: int, most: int) -> list[Problem]:
    if least <= count <= most:
        return _NOTHING
    if count < least:
        return [Problem("schema.too-few", {"count": count, "limit": least})]
    return [Problem("schema.too-many", {"count": count, "limit": most})]


def _unknown(key: str, known: Mapping[str, Any], data: Mapping[str, Any]) -> Problem:
    free = [name for name in known if name not in data]
    near = did_you_mean(key, free) or (f"the keys here are {', '.join(known)}" if 0 < len(known) <= 8 else "")
    return Problem("schema.unknown-key", {"key": shown(key)}, (key,), help=near, key=True)


def _names(node: Mapping[str, Any], compile_node: Callable[[Any], Walk]) -> Walk:
    """Return the check of keys; a key outside a closed list is an unknown key."""
    inner = compile_node(node)
    closed = node.get("enum")

    def walk(key: Any) -> list[Problem]:
        found = inner(key)
        if found and closed is not None:
            return [_unknown(key, dict.fromkeys(closed), {})]
        wanted = str(node.get("patternErrorMessage", "of the right form"))
        return [Problem("schema.key", {"key": shown(key), "wanted": wanted}, (key,), key=True)] if found else _NOTHING

    return walk


def _tagged(branches: Sequence[Mapping[str, Any]]) -> tuple[str, list[str]] | None:
    """Return the key that tells the branches apart and its value in each, if every branch demands one word of its own there."""
    for key in branches[0].get("required", ()):
        words = [branch.get("properties", {}).get(key) for branch in branches]
        tags: list[Any] = [word.get("const") if isinstance(word, Mapping) else None for word in words]
        demanded = all(branch.get("type") == "object" and key in branch.get("required", ()) for branch in branches)
        if demanded and all(isinstance(tag, str) for tag in tags) and len(set(tags)) == len(tags):
            return key, tags
    return None


def _by_tag(key: str, walks: Mapping[str, Walk]) -> Walk:
    unknown = _enumeration(sorted(walks))

    def walk(data: Any) -> list[Problem]:
        if not isinstance(data, Mapping):
            wanted = _TYPE_WORDS["object"]
            return [Problem("schema.type", {"value": _quoted(data), "wanted": wanted}, help=_TYPE_HELP["object"])]
        if key not in data:
            return [Problem("schema.missing", {"key": key})]
        tag = data[key]
        if isinstance(tag, str) and tag in walks:
            return walks[tag](data)
        return [problem.at(key) for problem in unknown(tag)]

    return walk


def _one_key(node: Mapping[str, Any], keys: Sequence[str]) -> Walk:
    """Return the check that one of some keys is there (``oneOf``: exactly one)."""
    listed = " or ".join(keys)
    single = "oneOf" in node

    def walk(data: Any) -> list[Problem]:
        if not isinstance(data, Mapping):
            return _NOTHING
        there = [key for key in keys if key in data]
        if not there:
            return [Problem("schema.missing-one", {"keys": listed})]
        if single and len(there) > 1:
            return [Problem("schema.not-both", {"key": there[1], "other": there[0]}, (there[1],), key=True)]
        return _NOTHING

    return walk
