"""Ties a function to the rules it carries out; registers nothing, for what is not reachable from a ruleset
does not exist.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])
MOST = 4


def rule(*ids: str) -> Callable[[F], F]:
    """Mark a function as the one that carries out the rules ``ids``; at most four, or the function does too
    much.
    """
    if not 1 <= len(ids) <= MOST:
        raise ValueError(f"a function carries out one to {MOST} rules, not {len(ids)}: {ids}")

    def mark(function: F) -> F:
        function.__dict__["rules"] = ids
        return function

    return mark


def rules_of(function: object) -> tuple[str, ...]:
    """Return the rules a function carries out; raise LookupError if it names none."""
    ids = getattr(function, "rules", ())
    if not ids:
        raise LookupError(f"{getattr(function, '__qualname__', function)} names no rule")
    return tuple(ids)
