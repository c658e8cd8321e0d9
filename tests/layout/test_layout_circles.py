"""Whoever follows the imports of a ruleset comes to an end: no two modules need each other, not even for
types alone.
"""

from __future__ import annotations

import ast
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

from parsed import tree

ROOT = Path(__file__).resolve().parents[2]


RINGS = ("core", "geometry", "text", "rulesets")


def modules() -> dict[str, ast.Module]:
    paths = [path for ring in RINGS for path in (ROOT / "pbem" / ring).rglob("*.py")]
    named = {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
        for path in paths
    }
    return {name: tree(path) for name, path in named.items()}


def imported(module: ast.Module, known: set[str]) -> set[str]:
    """Return the modules that one imports when it is loaded, or for its types."""
    loaded = [node for one in module.body for node in (ast.walk(one) if isinstance(one, ast.If) else (one,))]
    found: set[str] = set()
    for node in loaded:
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {
                whole if (whole := f"{node.module}.{alias.name}") in known else node.module
                for alias in node.names
            }
    return found & known


def test_no_module_needs_one_that_needs_it():
    trees = modules()
    needs = {name: imported(module, set(trees)) - {name} for name, module in trees.items()}
    assert needs["pbem.rulesets.siege.state.state"] >= {"pbem.rulesets.siege.state.field"}
    try:
        TopologicalSorter(needs).prepare()
    except CycleError as error:
        raise AssertionError(" <- ".join(error.args[1])) from None
