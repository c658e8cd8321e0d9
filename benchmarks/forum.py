"""Reading threads of forums: how many posts of the corpus, of every habit in every form, and of mutants are
read as they have to be.
"""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.corpora import of_tests, scored
from benchmarks.measure import Result

MUTANTS = 2_000


def results(seconds: float) -> Iterator[Result]:
    """Yield what was read how well; the same numbers on every machine."""
    judging, making, mutating = (
        of_tests("forum", name) for name in ("judging_pages", "making_pages", "mutating_pages")
    )
    corpus = tuple(judging.corpus())
    yield from scored("forum", f"{len(corpus)} pages of threads, the corpus", judging.score(corpus))
    every = tuple(making.every())
    yield from scored("forum habits", f"{len(every)} pages, every habit in every form", judging.score(every))
    count = MUTANTS if seconds > 1 else MUTANTS // 4
    changed = judging.score(mutating.mutants(corpus, count))
    yield from scored("forum mutants", f"{count:,} pages that were changed", changed)
