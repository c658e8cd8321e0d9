"""JSON Schema (draft-07) of msgspec's Structs: what ``codec`` writes and reads, told to editors, tests and
other programs.

A schema is never typed by hand beside a class. Types give the types; ``forms.Form`` gives patterns,
bounds and words; the docstring of a class, and the one below a field, become descriptions. What has a default
may be absent, what has none is required, and nothing else may stand there.
"""

from __future__ import annotations

import ast
import inspect
import json
import sys
import textwrap
import types
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import Annotated, Any, Final, TypeGuard, Union, get_args, get_origin, get_type_hints

from msgspec import NODEFAULT, Struct

from pbem.text.codec import defaults, spelt
from pbem.text.forms import Form

Json = dict[str, Any]
DRAFT: Final = "http://json-schema.org/draft-07/schema#"
_SCALARS: Final[Mapping[Any, str]] = {str: "string", int: "integer", bool: "boolean"}


def of_record(
    cls: type[Struct], *, id: str, title: str = "", definitions: Mapping[str, Json] | None = None
) -> Json:
    """Return the schema of a file that holds one value of a Struct.

    ``definitions`` says what forms are that the ruleset explains; raise ValueError for one that nobody
    explains, TypeError for a type that is never written.
    """
    made = _Schema(definitions or {})
    root = made.record(cls)
    head = {"$schema": DRAFT, "$id": f"{id}.schema.json", "title": title or cls.__name__.strip("_"), **root}
    return made.whole(head)


def of_events(
    classes: Iterable[type[Struct]],
    *,
    id: str,
    description: str,
    envelope: Mapping[str, Json],
    definitions: Mapping[str, Json] | None = None,
) -> Json:
    """Return the schema of an event that is a value of one of some Structs, told apart by ``type``, the
    name of its class.

    ``envelope`` are the keys that every event has besides: key -> schema. Of them ``n`` is required; a field
    of the same name goes before.
    """
    made = _Schema(definitions or {})
    made.definitions |= envelope
    names = []
    for cls in classes:
        record = made.record(cls)
        own = record.pop("properties")
        around = {key: {"$ref": f"#/definitions/{key}"} for key in envelope if key not in own}
        record["properties"] = {"type": {"const": cls.__name__}, **around, **own}
        record["required"] = ["n", "type", *record.get("required", ())]
        made.definitions[cls.__name__] = record
        names.append(cls.__name__)
    branches = [{"$ref": f"#/definitions/{name}"} for name in names]
    return made.whole(
        {
            "$schema": DRAFT,
            "$id": f"{id}.schema.json",
            "title": "Event",
            "description": description,
            "oneOf": branches,
        }
    )


def as_file(schema: Json) -> str:
    """Return a schema as its file has it."""
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


class _Schema:
    """A schema in the making: the definitions that its nodes refer to."""

    def __init__(self, explained: Mapping[str, Json]) -> None:
        self.explained = explained
        self.definitions: Json = {}

    def whole(self, head: Json) -> Json:
        """Return the schema with its definitions, forms first, both by name."""
        return {
            **head,
            "definitions": {
                name: self.definitions[name]
                for name in sorted(self.definitions, key=lambda n: (n[0].isupper(), n))
            },
        }

    def record(self, cls: type[Struct]) -> Json:
        """Return the node of a Struct: one property for each field, as ``codec`` spells it."""
        hints = get_type_hints(cls, include_extras=True)
        said = _said_of_fields(cls)
        properties: Json = {}
        required = []
        for name, default in defaults(cls):
            node = self.node(hints[name])
            if name in said:
                node = {"description": said[name], **node}
            properties[spelt(name)] = node
            # codec leaves out what has its default
            if default is NODEFAULT:
                required.append(spelt(name))
        made: Json = {
            "description": _first_words(cls.__doc__ or ""),
            "type": "object",
            "properties": properties,
            "additionalProperties": False,
        }
        return {**made, "required": required} if required else made

    def node(self, kind: Any) -> Json:
        """Return the node of a type; raise TypeError for one that is never written."""
        if get_origin(kind) is Annotated:
            return self.formed(*get_args(kind))
        if kind in _SCALARS:
            return {"type": _SCALARS[kind]}
        if _is_struct(kind):
            return self.reference(kind)
        origin, parts = get_origin(kind), get_args(kind)
        if origin is tuple:
            return self.listed(parts)
        if isinstance(origin, type) and issubclass(origin, Mapping):
            return {"type": "object", "additionalProperties": self.node(parts[1])}
        if origin in (Union, types.UnionType):
            return self.either([part for part in parts if part is not type(None)])
        raise TypeError(f"{kind!r} is not a type of a value that is written")

    def formed(self, base: Any, *notes: Any) -> Json:
        """Return the node of a type with forms: a definition where one of them has a name."""
        node = self.node(base)
        for form in (note for note in notes if isinstance(note, Form)):
            if "$ref" in node:
                node = dict(self.definitions[node["$ref"].rpartition("/")[2]])
            node = dict(form.keywords) if "const" in form.keywords else {**node, **form.keywords}
            if not form.name:
                continue
            if form.explained:
                if form.name not in self.explained:
                    raise ValueError(f"nobody explains the form '{form.name}'")
                node |= self.explained[form.name]
            if self.definitions.setdefault(form.name, node) != node:
                raise ValueError(f"there are two forms of the name '{form.name}'")
            node = {"$ref": f"#/definitions/{form.name}"}
        return node

    def reference(self, cls: type[Struct]) -> Json:
        """Return a reference to the definition of a Struct, which may hold values of its own class."""
        name = cls.__name__.strip("_")
        if name not in self.definitions:
            self.definitions[name] = {}
            self.definitions[name] = self.record(cls)
        return {"$ref": f"#/definitions/{name}"}

    def listed(self, parts: Sequence[Any]) -> Json:
        """Return the node of a tuple: of any length, or one place for each part."""
        if len(parts) == 2 and parts[1] is Ellipsis:
            return {"type": "array", "items": self.node(parts[0])}
        return {"type": "array", "items": self.either(parts), "minItems": len(parts), "maxItems": len(parts)}

    def either(self, parts: Sequence[Any]) -> Json:
        """Return the node of a value of one of some types."""
        nodes: list[Json] = []
        for part in parts:
            node = self.node(part)
            if node not in nodes:
                nodes.append(node)
        if len(nodes) == 1:
            return nodes[0]
        if all(set(node) == {"type"} for node in nodes):
            return {"type": [node["type"] for node in nodes]}
        return {"anyOf": nodes}


def _is_struct(kind: Any) -> TypeGuard[type[Struct]]:
    return isinstance(kind, type) and issubclass(kind, Struct)


def _first_words(text: str) -> str:
    """Return the first paragraph of a docstring on one line, with the marks of code that
    JSON's readers know.
    """
    paragraph = inspect.cleandoc(text).split("\n\n")[0]
    return " ".join(paragraph.split()).replace("``", "`")


def _said_of_fields(cls: type[Struct]) -> dict[str, str]:
    """Return field -> the docstring below it, of a class and of those it is made from."""
    said: dict[str, str] = {}
    for base in reversed(cls.__mro__):
        if _is_struct(base):
            said |= _said_in(base)
    return said


@cache
def _said_in(cls: type) -> dict[str, str]:
    body = _bodies(cls.__module__).get(cls.__qualname__, [])
    said = {}
    for entry, below in pairwise(body):
        if not (
            isinstance(entry, ast.AnnAssign)
            and isinstance(entry.target, ast.Name)
            and isinstance(below, ast.Expr)
        ):
            continue
        if isinstance(below.value, ast.Constant) and isinstance(below.value.value, str):
            said[entry.target.id] = _first_words(textwrap.dedent(below.value.value))
    return said


@cache
def _bodies(module: str) -> dict[str, list[ast.stmt]]:
    """Return class -> its statements, of a module's text; nothing where there is no text."""
    try:
        tree = ast.parse(inspect.getsource(sys.modules[module]))
    except OSError:
        return {}
    return {node.name: node.body for node in tree.body if isinstance(node, ast.ClassDef)}
