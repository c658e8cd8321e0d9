"""The small checks that a schema is put together from: each is a function from a value to the problems with
it.

Values are plain data; paths begin at the value itself. What a schema is and how its checks are joined stands
in ``text/shape.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from pbem.core.problem import Problem
from pbem.core.regex import regex
from pbem.text.characters import shown
from pbem.text.similar import did_you_mean

Walk = Callable[[Any], list[Problem]]
NOTHING: Final[list[Problem]] = []

INTEGER: Final = regex(r"-?(0|[1-9][0-9]{0,8})")
NUMBER: Final = regex(r"-?(0|[1-9][0-9]{0,8})([.][0-9]{1,9})?")

TYPE_WORDS: Final = {
    "object": "keys with values",
    "array": "a list",
    "string": "a text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "null": "nothing",
}
SCALAR_WORDS: Final = frozenset(TYPE_WORDS[name] for name in ("integer", "number", "boolean"))
_LISTED: Final = 12
TYPE_HELP: Final = {
    "array": "begin each entry with '- ' on a line of its own",
    "object": "write 'key: value' on lines of their own, a little further in",
    "boolean": "write true or false",
}


def _is_object(data: object) -> bool:
    return isinstance(data, Mapping)


def _is_array(data: object) -> bool:
    return isinstance(data, list | tuple)


def _is_string(data: object) -> bool:
    return isinstance(data, str)


JSON_TYPES: Final[Mapping[str, Callable[[object], bool]]] = {
    "object": _is_object,
    "array": _is_array,
    "string": _is_string,
    "integer": lambda data: isinstance(data, int) and not isinstance(data, bool),
    "number": lambda data: isinstance(data, int) and not isinstance(data, bool),
    "boolean": lambda data: isinstance(data, bool),
    "null": lambda data: data is None,
}
TEXT_TYPES: Final[Mapping[str, Callable[[object], bool]]] = {
    "object": _is_object,
    "array": _is_array,
    "string": _is_string,
    "integer": lambda data: isinstance(data, str) and INTEGER.fullmatch(data) is not None,
    "number": lambda data: isinstance(data, str) and NUMBER.fullmatch(data) is not None,
    "boolean": lambda data: data in ("true", "false"),
    "null": lambda data: data == "",
}


def quoted(value: object) -> str:
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


def same(one: object, other: object) -> bool:
    """Compare as JSON does: 1 is not true."""
    return one == other and isinstance(one, bool) == isinstance(other, bool)


def all_of(walks: Sequence[Walk]) -> Walk:
    """Return the check that makes all of some checks."""
    if not walks:
        return lambda data: NOTHING
    if len(walks) == 1:
        return walks[0]

    def walk(data: Any) -> list[Problem]:
        out: list[Problem] = []
        for one in walks:
            out += one(data)
        return out

    return walk


def first_then(first: Walk, rest: Sequence[Walk]) -> Walk:
    """Return the check that asks the rest only where the first finds nothing."""
    if not rest:
        return first
    then = all_of(rest)
    return lambda data: first(data) or then(data)


def enumeration(choices: Sequence[Any]) -> Walk:
    """Return the check that a value is one of a few, with the nearest one as help."""
    words = [str(choice) for choice in choices]
    listed = words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"
    if len(words) > _LISTED:
        listed = f"the {len(words)} words known here"
    texts = frozenset(choice for choice in choices if isinstance(choice, str))

    def walk(data: Any) -> list[Problem]:
        if isinstance(data, str) and data in texts:
            return NOTHING
        if any(same(choice, data) for choice in choices):
            return NOTHING
        near = did_you_mean(data, words) if isinstance(data, str) else ""
        return [Problem("schema.choice", {"value": quoted(data), "choices": listed}, help=near)]

    return walk


def pattern(pattern: str, wanted: str) -> Walk:
    """Return the check of a text's form; ``wanted`` is what it should be, in words."""
    # as in an editor: "$" is the very end, not also the place before a last line feed
    form = regex(pattern[:-1] + r"\Z" if pattern.endswith("$") else pattern)

    def walk(data: Any) -> list[Problem]:
        if not isinstance(data, str) or form.search(data):
            return NOTHING
        return [Problem("schema.pattern", {"value": quoted(data), "wanted": wanted})]

    return walk


def length(least: int, most: int) -> Walk:
    """Return the check of a text's length."""

    def walk(data: Any) -> list[Problem]:
        if not isinstance(data, str) or least <= len(data) <= most:
            return NOTHING
        if len(data) > most:
            return [Problem("schema.too-long", {"length": len(data), "limit": most})]
        return [Problem("schema.too-short", {"length": len(data), "limit": least})]

    return walk


def bounds(is_number: Callable[[object], bool], least: int | None, most: int | None) -> Walk:
    """Return the check that a whole number lies between two others."""

    def walk(data: Any) -> list[Problem]:
        if not is_number(data):
            return NOTHING
        value = int(data)
        if least is not None and value < least:
            return [Problem("schema.too-small", {"value": value, "limit": least})]
        if most is not None and value > most:
            return [Problem("schema.too-large", {"value": value, "limit": most})]
        return NOTHING

    return walk


def counted(count: int, least: int, most: int) -> list[Problem]:
    """Return what is wrong with the size of a list or mapping."""
    if least <= count <= most:
        return NOTHING
    if count < least:
        return [Problem("schema.too-few", {"count": count, "limit": least})]
    return [Problem("schema.too-many", {"count": count, "limit": most})]


def unknown_key(key: str, known: Mapping[str, Any], data: Mapping[str, Any]) -> Problem:
    """Return the problem of a key that is not known, with the nearest one that is still free."""
    free = [name for name in known if name not in data]
    near = did_you_mean(key, free) or (f"the keys here are {', '.join(known)}" if 0 < len(known) <= 8 else "")
    return Problem("schema.unknown-key", {"key": shown(key)}, (key,), help=near, key=True)


def key_names(node: Mapping[str, Any], compile_node: Callable[[Any], Walk]) -> Walk:
    """Return the check of keys; a key outside a closed list is an unknown key."""
    inner = compile_node(node)
    closed = node.get("enum")

    def walk(key: Any) -> list[Problem]:
        found = inner(key)
        if found and closed is not None:
            return [unknown_key(key, dict.fromkeys(closed), {})]
        wanted = str(node.get("patternErrorMessage", "of the right form"))
        return (
            [Problem("schema.key", {"key": shown(key), "wanted": wanted}, (key,), key=True)]
            if found
            else NOTHING
        )

    return walk


def tagged(branches: Sequence[Mapping[str, Any]]) -> tuple[str, list[str]] | None:
    """Return the key that tells the branches apart and its value in each, if every branch demands one word of
    its own there.
    """
    for key in branches[0].get("required", ()):
        words = [branch.get("properties", {}).get(key) for branch in branches]
        tags: list[Any] = [word.get("const") if isinstance(word, Mapping) else None for word in words]
        demanded = all(
            branch.get("type") == "object" and key in branch.get("required", ()) for branch in branches
        )
        if demanded and all(isinstance(tag, str) for tag in tags) and len(set(tags)) == len(tags):
            return key, tags
    return None


def by_tag(key: str, walks: Mapping[str, Walk]) -> Walk:
    """Return the check that takes its branch by the word that stands under a key."""
    unknown = enumeration(sorted(walks))

    def walk(data: Any) -> list[Problem]:
        if not isinstance(data, Mapping):
            wanted = TYPE_WORDS["object"]
            return [
                Problem("schema.type", {"value": quoted(data), "wanted": wanted}, help=TYPE_HELP["object"])
            ]
        if key not in data:
            return [Problem("schema.missing", {"key": key})]
        tag = data[key]
        if isinstance(tag, str) and tag in walks:
            return walks[tag](data)
        return [problem.at(key) for problem in unknown(tag)]

    return walk


def one_key(node: Mapping[str, Any], keys: Sequence[str]) -> Walk:
    """Return the check that one of some keys is there (``oneOf``: exactly one)."""
    listed = " or ".join(keys)
    single = "oneOf" in node

    def walk(data: Any) -> list[Problem]:
        if not isinstance(data, Mapping):
            return NOTHING
        there = [key for key in keys if key in data]
        if not there:
            return [Problem("schema.missing-one", {"keys": listed})]
        if single and len(there) > 1:
            return [Problem("schema.not-both", {"key": there[1], "other": there[0]}, (there[1],), key=True)]
        return NOTHING

    return walk
