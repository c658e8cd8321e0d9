"""What a ruleset has to tell somebody who has never played it: its aim, its rules in short, who is there, and
how an order looks.

Only what is to be said; in which words, and where it stands on a page, is the affair of whoever writes the
page.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct, field

from pbem.core.problem import Problem


class Said(Struct, frozen=True):
    """A sentence by its key in the catalogue of words, and what is put into it."""

    key: str
    args: Mapping[str, Any] = field(default_factory=dict)
    """Numbers, names and texts; a ``Said`` among them, or a list of some, is a phrase of its own and is said
    first.
    """


class Region(Struct, frozen=True):
    """A part of the map with a name: one that is played for, or one in which figures begin."""

    name: str
    """Its name as conditions and messages call it: ``ford``, ``wall-walk``."""
    cells: tuple[str, ...]
    sides: tuple[str, ...] = ()
    """Whom it concerns: who has points of it, or who is placed in it."""


class Aim(Struct, frozen=True):
    """What the sides play for; a side is named by its id, ``any`` is each of them, ``draw`` nobody."""

    length: tuple[Said, ...] = ()
    """How long it lasts, and what ends it."""
    wins: tuple[tuple[str, Said], ...] = ()
    """Who wins with which points."""
    points: tuple[tuple[str, Said], ...] = ()
    """What gives a side points at the end."""
    at_once: tuple[tuple[str, Said], ...] = ()
    """What makes a side win before that."""
    regions: tuple[Region, ...] = ()
    """Where on the map."""
    letters: int = 0
    """About how many letters with orders a side sends in the whole game; 0: that cannot be told."""


class Chapter(Struct, frozen=True):
    """Some rules in short: a heading, and sentences below it."""

    title: Said
    sentences: tuple[Said, ...]


class Member(Struct, frozen=True):
    """Somebody, or something, on the roll of a side."""

    id: str
    """What orders call it."""
    name: str
    """Its name in full; the id where it has no other."""
    what: str
    """What it is in words: ``spearman``, ``rich knight, mounted on bayard``."""
    side: str
    seat: str = ""
    """Who orders it."""
    at: tuple[str, ...] = ()
    """Where it stands; empty: not on the map."""
    values: tuple[str, ...] = ()
    """Its numbers as the map shows them, such as attack, defence and movement."""
    state: str = ""
    """How it is, in the words of its game; empty where it is as it should be."""
    gone: bool = False
    """Whether it is out of the game."""
    can: tuple[Said | Problem, ...] = ()
    """What is to be known of it; of the seat's own also what it can do in the turn that is open, or why
    nothing.
    """


class Sample(Struct, frozen=True):
    """One line that could be ordered as things are now, to show how orders look."""

    heading: str
    """The section it stands in, or another key of an order file, such as ``standing``."""
    entry: Any
    """A sentence, or what else may stand there: keys with values."""
    said: Said
    """What it does."""
    needs: tuple[int, ...] = ()
    """Places, in the list of samples, of those without which it could not stand."""


def as_file(lines: Iterable[Sample]) -> dict[str, Any]:
    """Return lines as the plain data of an order file."""
    data: dict[str, Any] = {}
    for line in lines:
        if isinstance(line.entry, Mapping) and "when" not in line.entry:
            data[line.heading] = dict(line.entry)
        else:
            data.setdefault(line.heading, []).append(line.entry)
    return data
