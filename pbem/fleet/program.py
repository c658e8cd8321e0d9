"""Which program this is, for workers on other machines: two with the same digest make the same of a task."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from pbem.bots.bot import GROUP
from pbem.resources import folder
from pbem.rulesets import known, package_of
from pbem.store.library import engine

_READ: Final = ("schemas", "renderers", "scenarios")
"""Folders beside the package from which answers are made."""


@cache
def digest() -> str:
    """Return the SHA-256 of everything that decides what comes of a task: the engine, what it reads and draws
    with, and the packages of installed rulesets and bots of others.
    """
    shown = [f"{engine()['sha256']}  engine"]
    for name in _READ:
        root = folder(name)
        shown += _listed(name, root, (path for path in sorted(root.rglob("*")) if path.is_file()))
    for ruleset in sorted(known()):
        module = package_of(ruleset)
        if not module.startswith("pbem."):
            shown += _brought(ruleset, module)
    for point in sorted(metadata.entry_points(group=GROUP), key=lambda one: one.value):
        shown += _brought(point.value, point.module)
    return hashlib.sha256("\n".join(shown).encode()).hexdigest()


def _brought(name: str, module: str) -> Iterator[str]:
    """Yield a line for each file of the package of others that a module lies in: what it imports and the
    tables beside it decide too. A module in no package is its file alone; of one that is not there is none.
    """
    try:
        spec = find_spec(module)
    except ImportError:
        return
    if spec is None or spec.origin is None:
        return
    path, depth = Path(spec.origin), module.count(".") + (spec.submodule_search_locations is not None)
    if depth:
        root = path.parents[depth - 1]
        yield from _listed(name, root, (one for one in sorted(root.rglob("*")) if one.is_file()))
    else:
        yield from _listed(name, path.parent, [path])


def _listed(name: str, root: Path, paths: Iterable[Path]) -> Iterator[str]:
    """Yield a line for each file: its digest, and where it lies below what is hashed."""
    for path in paths:
        if "__pycache__" not in path.parts:
            place = path.relative_to(root).as_posix()
            yield f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {name}/{place}"
