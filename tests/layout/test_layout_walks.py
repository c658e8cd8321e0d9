"""Melee is read in one sitting: whoever follows every call of its module by name comes through few rooms.

The walk is made of the source, not of a game: every function of a module, every function that one of these
calls by its name, and so on. What stands in a list of the ruleset (``family``) is called through the list:
there the walk ends, for whoever reads melee has to know only what a list is for. Records are no rooms.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from parsed import tree

SIEGE = Path(__file__).resolve().parents[2] / "pbem" / "rulesets" / "siege"
PACKAGE = "pbem.rulesets.siege"
MOST = 13
Place = tuple[str, str]
"""Module and name of a function."""


def path_of(module: str) -> Path:
    return SIEGE.joinpath(*module.split(".")).with_suffix(".py")


class Room:
    """A module as the walk sees it: what it defines, and what it knows of others by which name."""

    def __init__(self, path: Path) -> None:
        self.modules: dict[str, str] = {}
        self.names: dict[str, Place] = {}
        self.functions: dict[str, ast.FunctionDef] = {}
        for node in tree(path).body:
            if isinstance(node, ast.FunctionDef):
                self.functions[node.name] = node
            elif isinstance(node, ast.ImportFrom) and f"{node.module}.".startswith(f"{PACKAGE}."):
                inside = str(node.module).removeprefix(PACKAGE).removeprefix(".")
                for alias in node.names:
                    whole = f"{inside}.{alias.name}".removeprefix(".")
                    if path_of(whole).is_file():
                        self.modules[alias.asname or alias.name] = whole
                    else:
                        self.names[alias.asname or alias.name] = (inside, alias.name)


@cache
def room(module: str) -> Room:
    return Room(path_of(module))


def calls(module: str, function: str) -> Iterator[Place]:
    """Yield the functions of the package that one function knows by name."""
    here = room(module)
    for statement in here.functions[function].body:
        for node in ast.walk(statement):
            if (
                isinstance(node, ast.Attribute)
                and isinstance(node.value, ast.Name)
                and node.value.id in here.modules
            ):
                yield here.modules[node.value.id], node.attr
            elif isinstance(node, ast.Name):
                yield here.names.get(node.id, (module, node.id))


def rooms_of(module: str) -> set[str]:
    """Return every module in which a walk from all functions of one comes to a function."""
    found: set[Place] = set()
    ahead = [(module, function) for function in room(module).functions]
    while ahead:
        place = ahead.pop()
        if place not in found and place[1] in room(place[0]).functions:
            found.add(place)
            ahead += calls(*place)
    return {name for name, _ in found}


@pytest.mark.parametrize(
    ("module", "known"),
    [
        ("combat.melee", {"combat.may_attack", "combat.melee_odds", "orders.carry_out"}),
        ("combat.may_attack", {"combat.melee_odds", "ground.elevation", "march.step"}),
        ("combat.melee_odds", {"ground.terrain", "ground.character"}),
    ],
)
def test_melee_is_read_in_one_sitting(module, known):
    rooms = rooms_of(module)
    assert known <= rooms
    assert len(rooms) <= MOST, sorted(rooms)
