"""Where data lie that are only read: the top-level folders, in a checkout beside the package and in a wheel
inside it, and what stands beside the modules of a package.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
_CHECKOUT = _PACKAGE.parent


def folder(kind: str) -> Path:
    """Return the folder ``schemas``, ``renderers``, ``scenarios`` or ``examples``, whichever way pbem was
    installed.
    """
    if (_CHECKOUT / "pyproject.toml").is_file():
        return _CHECKOUT / kind
    return _PACKAGE / "_data" / kind


def of_package(package: str) -> Path:
    """Return the folder of a package.

    ``importlib.resources`` would say it too, and brings everything along that reads packed packages.
    """
    return Path(str(import_module(package).__file__)).parent
