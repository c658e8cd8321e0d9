"""What stands on an order sheet: for each figure the sentences it may be given, and what each of them costs or promises.

Only what is to be said; how it is laid out on a page is the affair of whoever writes the page.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Choices:
    """One legal sentence, what is known of it, and what may stand in the place of its last words instead."""

    sentence: str
    notes: tuple[str, ...] = ()
    others: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """(what they have in common, such as ``3 MP``, or empty; the words), the words of the sentence itself among them."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What one figure may do in the open phase; ``about`` says who and where it is."""

    unit: str
    about: str
    choices: tuple[Choices, ...]
