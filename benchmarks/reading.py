"""Reading letters: how many of the corpus and of mutants are read as they have to be, in what time; a
mailbox, in what memory.
"""

from __future__ import annotations

import gc
import tempfile
import tracemalloc
from collections.abc import Iterator
from email import message_from_bytes
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks.corpora import of_tests, scored
from benchmarks.measure import Growth, Result, amount, least
from pbem.post.lines.keys import reader
from pbem.post.mail.mime import read
from pbem.post.orders.finding import find
from pbem.rulesets.siege.vocabulary import VOCABULARY
from pbem.store import spool

KEYS = reader(VOCABULARY)

MUTANTS = 10_000
BOXES = (1_000, 10_000)
"""Letters of the mailboxes whose memory is compared."""


@cache
def corpus() -> tuple[Any, ...]:
    """Return the letters of the corpus."""
    return tuple(of_tests("post", "judging_letters").corpus())


def results(seconds: float) -> Iterator[Result]:
    """Yield the time for the whole corpus by the letter, and for the letter that takes longest."""
    raws = [one.raw for one in corpus()]
    mine, bare = least(
        lambda: [find(KEYS, read(raw)) for raw in raws],
        lambda: [message_from_bytes(raw) for raw in raws],
        seconds=seconds,
        rounds=3,
    )
    size = len(raws)
    what = f"read a letter and find its orders, the middle of {size}"
    yield Result("letter", what, "email.message_from_bytes", mine / size, bare / size, None)
    slowest = max(raws, key=lambda raw: least(lambda: find(KEYS, read(raw)), seconds=0, rounds=3)[0])
    (most,) = least(lambda: find(KEYS, read(slowest)), seconds=seconds, rounds=3)
    yield Result("letter-longest", "the letter of the corpus that takes longest", "", most, None, 50.0)


def growth(seconds: float) -> Growth:
    """Return how the time grows with the length of a letter: long prose above the orders and a long quotation
    below.
    """
    sizes = (10, 100, 1000)
    raws = [_long(size) for size in sizes]
    works = [lambda raw=raw: find(KEYS, read(raw)) for raw in raws]
    return Growth("letter", "lines", sizes, least(*works, seconds=seconds, rounds=3))


def _long(lines: int) -> bytes:
    texts = of_tests("post", "letter_texts")
    prose = "We came down to the ford in the rain, and on Thursday Ada wrote what she wrote.\n" * (lines // 3)
    body = (
        f"{prose}\n{texts.HERONS}\nOn Thu, 19 Nov 2026, Ada Marsh wrote:\n"
        + "> - gerolf to 1907, and much more of the same\n" * (lines * 2 // 3)
    )
    return f"From: ben@west.example\nTo: umpire@ford.example\nSubject: long\nContent-Type: text/plain\n\n{body}".replace(
        "\n", "\r\n"
    ).encode()


def scores(seconds: float) -> Iterator[Result]:
    """Yield what was read how well, of the corpus and of mutants."""
    judging, mutating = of_tests("post", "judging_letters"), of_tests("post", "mutating_letters")
    yield from scored("letters", f"{len(corpus())} letters, the corpus", judging.score(corpus()))
    count = MUTANTS if seconds > 1 else MUTANTS // 10
    changed = judging.score(mutating.mutants(corpus(), count))
    yield from scored("letters mutants", f"{count:,} letters that were changed", changed)


def memory(seconds: float) -> Iterator[Result]:
    """Yield the most memory that reading an mbox takes at any moment, by its number of letters."""
    raws = [one.raw for one in corpus()]
    for raw in raws:  # what is loaded once
        find(KEYS, read(raw))
    with tempfile.TemporaryDirectory() as folder:
        for size in BOXES if seconds > 1 else BOXES[:1]:
            path = Path(folder) / f"{size}.mbox"
            with path.open("wb") as box:
                for number in range(size):
                    letter = raws[number % len(raws)].replace(b"\r\n", b"\n").replace(b"\nFrom ", b"\n>From ")
                    box.write(b"From ben@west.example Fri Nov 20 07:41:55 2026\n" + letter + b"\n\n")
            tracemalloc.start()
            read_ = 0
            for one in spool.letters(path):
                find(KEYS, read(one.data))
                read_ += 1
                if read_ % 500 == 0:
                    # Python keeps freed tuples for its next ones, thousands of each size: not ours to count
                    gc.collect()
            if read_ < size:
                raise AssertionError(f"{read_} letters of {size} came out of the mailbox")
            most = tracemalloc.get_traced_memory()[1] / 1e6
            tracemalloc.stop()
            yield amount("letters memory", f"memory for reading a mailbox of {size:,} letters", most, "MB")
