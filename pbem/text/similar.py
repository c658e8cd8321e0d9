"""Which known word somebody probably meant."""

from __future__ import annotations

from collections.abc import Iterable

_LONGEST = 40
_MOST = 1_000
"""Among more words than these nobody looks for one: that takes long, and the words are somebody's who means
no good.
"""


def did_you_mean(word: str, choices: Iterable[str]) -> str:
    """Return ``did you mean 'move'?`` for the known word nearest to ``word``, or nothing
    where none is near.
    """
    found = nearest(word, choices)
    return f"did you mean '{found}'?" if found else ""


def nearest(word: str, choices: Iterable[str]) -> str:
    """Return the known word nearest to ``word`` that is another one; empty where none is near."""
    known = sorted(set(choices))
    if word in known or len(word) > _LONGEST or len(known) > _MOST:
        return ""
    plain = word.strip().lower().replace("_", "-").replace(" ", "-")
    lowered = {choice.lower(): choice for choice in reversed(known)}
    from difflib import get_close_matches  # only where somebody mistyped

    near = get_close_matches(plain, lowered, n=1, cutoff=0.6)
    if near:
        return lowered[near[0]]
    begun = [choice for choice in known if len(plain) >= 3 and choice.startswith(plain)]
    return begun[0] if len(begun) == 1 else ""
