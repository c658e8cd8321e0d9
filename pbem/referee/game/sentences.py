"""What rules have to tell (``core.briefing``), put into sentences of the catalogue."""

from __future__ import annotations

from typing import Any

from pbem.core.briefing import Said
from pbem.core.problem import Problem
from pbem.text.when import capital
from pbem.text.words import Words

__all__ = ["sentence", "tell"]


def tell(words: Words, said: Said | Problem, **more: Any) -> str:
    """Return what is said in words; ``more`` is put into it beside its own arguments."""
    if isinstance(said, Problem):
        return words.problem(said.code, said.args)
    args = {key: _value(words, value) for key, value in said.args.items()}
    return words.phrase(said.key, **{**more, **args})


def _value(words: Words, value: Any) -> Any:
    if isinstance(value, Said):
        return tell(words, value)
    if isinstance(value, list | tuple):
        return [_value(words, one) for one in value]
    return value


def sentence(text: str) -> str:
    """Return words as a sentence: a capital first, a full stop last."""
    return capital(text) + ("" if text.endswith((".", "!", "?", ":")) else ".")
