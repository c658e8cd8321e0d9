"""Where the top-level data folders are: in a checkout beside the package, in a wheel inside it."""

from __future__ import annotations

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
