"""Regular expressions that are compiled when they are first asked for something.

A program that answers one question needs a few of some four hundred; compiling all of them would take it
longer than answering.
"""

from __future__ import annotations

import re
from typing import Any, AnyStr, Final, cast

_ASKED: Final = (
    "search",
    "match",
    "fullmatch",
    "split",
    "findall",
    "finditer",
    "sub",
    "subn",
    "flags",
    "groups",
    "groupindex",
)


class _Waiting:
    """Stands for a compiled expression, and has its methods as soon as one of them is asked for."""

    def __init__(self, text: str | bytes, flags: int) -> None:
        self.pattern = text
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        if name not in _ASKED:
            raise AttributeError(name)
        compiled = re.compile(self.pattern, self._flags)
        for each in _ASKED:
            setattr(self, each, getattr(compiled, each))
        return getattr(compiled, name)

    def __repr__(self) -> str:
        return f"regex({self.pattern!r})"


def regex(text: AnyStr, flags: int | re.RegexFlag = 0) -> re.Pattern[AnyStr]:
    """Return a regular expression to be kept in a module; a wrong one raises ``re.error`` at its first use.

    It has the methods of a compiled one, but is none for the functions of ``re``.
    """
    return cast("re.Pattern[AnyStr]", _Waiting(text, int(flags)))
