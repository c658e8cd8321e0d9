"""What was found out about a line is kept for the next who asks: the steps of reading ask much the same of
each line, several readings of a letter ask again, and letters quote one another.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, update_wrapper
from typing import Any, Final, TypeVar, cast

_MOST: Final = 2_000
"""So many answers are kept for each question."""
_LONGEST: Final = 400
"""A longer line is asked about anew each time, so that no letter fills the memory."""


Question = TypeVar("Question", bound=Callable[..., Any])


def by_line(ask: Question) -> Question:
    """Return a question about one line, its last argument (characters), that remembers what it answered. All
    its arguments are values, and so is its answer.
    """
    kept = lru_cache(maxsize=_MOST)(ask)

    def answer(*given: Any) -> Any:
        return kept(*given) if len(given[-1]) <= _LONGEST else ask(*given)

    return cast(Question, update_wrapper(answer, ask))
