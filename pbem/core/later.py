"""A function of a module that is loaded when the function is first called.

A ruleset names everything that can be asked of it; a verb asks a little of that, and waits for no more.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import Any


class Later:
    """Stands for a function and is called like it; what has replaced the function in its module is called."""

    __slots__ = ("_loaded", "module", "name")

    def __init__(self, module: str, name: str) -> None:
        self.module = module
        self.name = name
        self._loaded: ModuleType | None = None

    @property
    def function(self) -> Any:
        """Return the function, as its module has it now."""
        if self._loaded is None:
            self._loaded = import_module(self.module)
        return getattr(self._loaded, self.name)

    def __call__(self, *args: Any, **more: Any) -> Any:
        """Return what the function returns."""
        if self._loaded is None:
            return self.function(*args, **more)
        return getattr(self._loaded, self.name)(*args, **more)

    def __repr__(self) -> str:
        return f"later({self.module}:{self.name})"


def later(named: str) -> Any:
    """Return what stands for a function that is named by its module, ``pbem.views.sheet:sheet``."""
    module, _, name = named.partition(":")
    return Later(module, name)
