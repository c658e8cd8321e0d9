"""The rulebook beside the code: its entries, the functions marked with their numbers, and what a rule does
when it is taken away.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import types
import typing
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from types import FunctionType, MappingProxyType, ModuleType
from typing import Any

import case_plugin
import yaml
from msgspec import Struct
from msgspec.structs import replace

import pbem.rulesets.anarchy
import pbem.rulesets.siege
from pbem.core.ruleset import Ruleset
from pbem.core.table import Grid
from pbem.rulesets.siege.state import days, family
from pbem.rulesets.siege.state.deed import Deed, Deeds, Work
from pbem.rulesets.siege.state.state import Battle

BOOK = Path(pbem.rulesets.siege.__file__).parent / "rulebook.yaml"
DONE, DATA, DESCRIBED, TODO = "done", "data", "described", "todo"


@cache
def book() -> dict[str, dict[str, Any]]:
    """Return the entries of the rulebook by id."""
    entries = yaml.load(BOOK.read_text("utf-8"), getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    return {entry["id"]: entry for entry in entries}


@cache
def modules(package: ModuleType = pbem.rulesets.siege) -> tuple[ModuleType, ...]:
    """Return every module of a package of rules, that of Siege unless another is named."""
    found = pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    return tuple(
        importlib.import_module(info.name)
        for info in sorted(found, key=lambda info: info.name)
        if not info.ispkg
    )


def source(module: ModuleType) -> str:
    """Return the text of a module."""
    return Path(module.__file__ or "").read_text("utf-8")


@cache
def marked(package: ModuleType = pbem.rulesets.siege) -> dict[str, tuple[FunctionType, ...]]:
    """Return rule id -> functions that carry it out."""
    found: dict[str, dict[FunctionType, None]] = {}
    for module in modules(package):
        for value in vars(module).values():
            if isinstance(value, FunctionType) and value.__module__ == module.__name__:
                for id_ in getattr(value, "rules", ()):
                    found.setdefault(id_, {})[value] = None
    return {id_: tuple(functions) for id_, functions in found.items()}


@cache
def cases_of() -> dict[str, tuple[tuple[Path, case_plugin.Line], ...]]:
    """Return rule id -> its cases."""
    found: dict[str, list[tuple[Path, case_plugin.Line]]] = {}
    for path, case in case_plugin.every_case():
        for id_ in case_plugin.rules_of_case(case):
            found.setdefault(id_, []).append((path, case))
    return {id_: tuple(cases) for id_, cases in found.items()}


# --- what is left of a function whose rule is taken away


def nothing(function: FunctionType) -> Callable[..., Any]:
    """Return a function of the same form that carries out nothing.

    It returns its first argument of the annotated type of its result; where there is none, no, 0, an empty
    text, an empty collection or None.
    """
    hints = typing.get_type_hints(function)
    wanted = hints.pop("return")
    names = list(inspect.signature(function).parameters)
    same = next((name for name in names if hints.get(name) == wanted), "")

    def left_out(*args: Any, **more: Any) -> Any:
        return {**dict(zip(names, args, strict=False)), **more}[same] if same else empty(wanted)

    return left_out


def empty(wanted: Any) -> Any:
    """Return the emptiest value of an annotated type; None where there is none."""
    kind = typing.get_origin(wanted) or wanted
    if kind in (typing.Union, types.UnionType):
        return None
    if kind in (bool, int, str, tuple, list, dict, set, frozenset):
        return kind()
    if kind is Iterator:
        return iter(())
    return {} if kind is Mapping else None


def without(function: FunctionType, rules: Ruleset[Battle], monkeypatch: Any) -> Ruleset[Battle]:
    """Return the ruleset without a function, and take it out of every module that knows it by name."""
    left_out = nothing(function)
    for module, name in known_by().get(function, ()):
        monkeypatch.setattr(module, name, _replaced(getattr(module, name), function, left_out))
    interface = replace(
        rules.interface,
        **{
            name: _replaced(getattr(rules.interface, name), function, left_out)
            for name in rules.interface.__struct_fields__
        },
    )
    names = ("steps", "checks", "modifiers", "follows", "known_modules", "family", "deeds")
    listed = {
        name: _replaced(value, function, left_out) if function in _held(value) else value
        for name in names
        for value in (getattr(rules, name),)
    }
    return rules.amend(interface=interface, **listed)


@cache
def known_by() -> dict[FunctionType, tuple[tuple[ModuleType, str], ...]]:
    """Return function -> every module that knows it, by itself or within a value, and by what name.

    Asked before anything is taken away: whoever missed a place here would find a rule that nobody misses.
    """
    found: dict[FunctionType, list[tuple[ModuleType, str]]] = {}
    for module in (*modules(), *modules(pbem.rulesets.anarchy)):
        for name, value in vars(module).items():
            if not name.startswith("__"):
                for function in _held(value):
                    found.setdefault(function, []).append((module, name))
    return {function: tuple(places) for function, places in found.items()}


_SEEN: dict[int, tuple[Any, frozenset[FunctionType]]] = {}
"""The id of a value -> the value, which stays alive so that its id stays its own, and the functions within it.
They are tables, deeds and policies of a ruleset: nothing changes them.
"""


def _held(value: Any) -> frozenset[FunctionType]:
    """Return the functions within a value, wherever ``_replaced`` looks for them."""
    if isinstance(value, FunctionType):
        return frozenset((value,))
    if type(value) is tuple:
        inner: Any = value
    elif type(value) in (dict, MappingProxyType) or isinstance(value, Deeds):
        inner = value.values()
    elif isinstance(value, Deed | Work) or (
        isinstance(value, Struct) and type(value).__module__ in (days.__name__, family.__name__)
    ):
        inner = (getattr(value, name) for name in value.__struct_fields__)
    else:
        return frozenset()
    if id(value) not in _SEEN:
        _SEEN[id(value)] = value, frozenset().union(*map(_held, inner))
    return _SEEN[id(value)][1]


def _replaced(value: Any, old: Any, new: Any) -> Any:
    if value is old:
        return new
    if type(value) is tuple:
        inner = tuple(_replaced(one, old, new) for one in value)
        return inner if any(a is not b for a, b in zip(inner, value, strict=True)) else value
    if type(value) in (dict, MappingProxyType):
        mapping = {key: _replaced(one, old, new) for key, one in value.items()}
        return mapping if any(mapping[key] is not one for key, one in value.items()) else value
    if isinstance(value, Struct) and type(value).__module__ in (days.__name__, family.__name__):
        whole = {name: _replaced(getattr(value, name), old, new) for name in value.__struct_fields__}
        return (
            replace(value, **whole)
            if any(whole[name] is not getattr(value, name) for name in whole)
            else value
        )
    if isinstance(value, Deeds):
        deeds = [_replaced(deed, old, new) for deed in value.values()]
        return Deeds(deeds) if any(a is not b for a, b in zip(deeds, value.values(), strict=True)) else value
    if isinstance(value, Deed | Work):
        changed = {name: _replaced(getattr(value, name), old, new) for name in value.__struct_fields__}
        differs = any(changed[name] is not getattr(value, name) for name in changed)
        return replace(value, **changed) if differs else value
    return value


# --- what is left of a table whose cells are taken away


def blanked(rules: Ruleset[Battle], carrier: str) -> Ruleset[Battle]:
    """Return the ruleset with what stands at ``table.path`` blanked; KeyError if nothing stands there."""
    table, *path = carrier.split(".")
    found = _at(rules.tables[table], path, _blank)
    return rules.amend(tables=MappingProxyType({**rules.tables, table: _with_grids(found)}))


def _at(value: Any, path: list[str], change: Callable[[Any], Any]) -> Any:
    if not path:
        return change(value)
    key: Any = int(path[0]) if path[0].isdigit() else path[0]
    return MappingProxyType({**value, key: _at(value[key], path[1:], change)})


def _blank(value: Any) -> Any:
    if isinstance(value, Mapping):
        return MappingProxyType({key: _blank(inner) for key, inner in value.items()})
    if isinstance(value, tuple):
        return tuple(_blank(inner) for inner in value)
    if isinstance(value, bool) or value is None:
        return False if value is not None else None
    return 0 if isinstance(value, int) else "none"


def _with_grids(table: Any) -> Any:
    """Return a table whose grids are made anew of its rows and its key."""
    if not isinstance(table, Mapping):
        return table
    inner = {key: _with_grids(value) for key, value in table.items()}
    old = inner.get("grid")
    if isinstance(old, Grid):
        key = inner.get("key")
        inner["grid"] = Grid(
            old.name, old.columns, inner["rows"], key if isinstance(key, Mapping) else old.key
        )
    return MappingProxyType(inner)


def carriers(entry: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the table paths that carry a rule."""
    found = entry.get("carrier", ())
    return (found,) if isinstance(found, str) else tuple(found)


def fails(case: case_plugin.Line, rules: Ruleset[Battle]) -> bool:
    """Tell whether a case does not come out as it says."""
    try:
        case_plugin.run(case, rules)
    except Exception:  # whatever goes wrong without a rule shows that it was needed
        return True
    return False
