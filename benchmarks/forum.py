"""Reading threads of forums: how many posts of the corpus, of every habit in every form, and of mutants are
read as they have to be.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from benchmarks.corpora import of_tests

MUTANTS = 2_000


def scores(quick: bool = False) -> Iterator[str]:
    """Yield what was read how well, a line each; the same numbers on every machine."""
    judging, making, mutating = (
        of_tests("forum", name) for name in ("judging_pages", "making_pages", "mutating_pages")
    )
    corpus = tuple(judging.corpus())
    yield _score("the corpus", judging, corpus)
    yield _score("every habit in every form", judging, making.every())
    yield _score("mutants", judging, mutating.mutants(corpus, MUTANTS // 4 if quick else MUTANTS))


def _score(what: str, judging: Any, pages: Iterable[Any]) -> str:
    sums = judging.score(pages)
    counts = sums.counts
    parts = (
        f"exact {counts['exact']}",
        f"but for empty lines and indentation {counts['same']}",
        f"missed {counts['missed']}",
        f"wrongly taken {counts['wrong']}",
        f"refused for another reason {counts['reason']}",
        f"quoted text executed {sums.executed}",
    )
    return (
        f"forum pages {sums.pages} with {sums.posts} posts, {what}: {sums.share:.2f} % read as they have to "
        f"be ({', '.join(parts)})"
    )
