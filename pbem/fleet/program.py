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
from pbem.store.library import engine, modules_beside

_READ: Final = ("schemas", "renderers", "scenarios")
"""Folders beside the package from which answers are made."""


@cache
def digest() -> str:
    """Return the SHA-256 of everything that decides what comes of a task: the engine, what it reads and draws
    with, and the modules of installed rulesets and bots of others.
    """
    shown = [f"{engine()['sha256']}  engine"]
    for name in _READ:
        root = folder(name)
        shown += _listed(name, root, (path for path in sorted(root.rglob("*")) if path.is_file()))
    for ruleset in sorted(known()):
        module = package_of(ruleset)
        if not module.startswith("pbem."):
            shown += _listed(ruleset, Path("/"), modules_beside(module))
    for point in sorted(metadata.entry_points(group=GROUP), key=lambda one: one.value):
        spec = find_spec(point.module)
        if spec is not None and spec.origin is not None:
            shown += _listed(point.value, Path("/"), [Path(spec.origin)])
    return hashlib.sha256("\n".join(shown).encode()).hexdigest()


def _listed(name: str, root: Path, paths: Iterable[Path]) -> Iterator[str]:
    """Yield a line for each file: its digest, and where it lies below what is hashed (of others its name)."""
    for path in paths:
        if "__pycache__" in path.parts:
            continue
        place = path.relative_to(root).as_posix() if root != Path("/") else path.name
        yield f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {name}/{place}"
