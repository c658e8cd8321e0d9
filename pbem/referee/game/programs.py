"""Which program played which slots of a game, in words, and what to install where another one has to be
asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from pbem.proof.engines import Engine, Played, engine_at
from pbem.store.library import common_words
from pbem.store.releases import release_with

MOST: Final = 8
"""Slots, or programs, that are listed."""


def which(slots: Sequence[int]) -> str:
    """Return how some slots are called, the newest of them."""
    if 0 in slots:
        return common_words().phrase("engine.start")
    shown: list[object] = [
        *slots[:MOST],
        *([common_words().phrase("engine.more", count=len(slots) - MOST)] if len(slots) > MOST else []),
    ]
    return common_words().phrase("engine.which", slots=shown, count=len(slots))


def _span(one: Played) -> str:
    """Return how the slots that a program played are called."""
    first = max(one.first, 1)
    return (
        which([first])
        if one.last <= first
        else common_words().phrase("engine.from-to", first=first, last=one.last)
    )


def _played(one: Played) -> str:
    words = common_words()
    if one.last == 0:
        return words.phrase("engine.began", engine=str(one.engine))
    return words.phrase(
        "engine.played", slots=_span(one), count=1 + one.last - max(one.first, 1), engine=str(one.engine)
    )


def played_said(spans: Sequence[Played]) -> str:
    """Return which program played what, in a sentence; empty where it was one alone."""
    if len(spans) < 2:
        return ""
    return all_played(spans)


def all_played(spans: Sequence[Played]) -> str:
    """Return which program played what, in a sentence."""
    if len(spans) == 1:
        return _played(spans[0])
    words = common_words()
    shown = [words.phrase("engine.began", engine=str(spans[0].engine)), *map(_played, spans[1:MOST])]
    if len(spans) > MOST:
        shown.append(words.phrase("engine.more", count=len(spans) - MOST))
    return "; ".join(shown)


def compared(spans: Sequence[Played], now: Engine, *, same: bool) -> str:
    """Return who played a game and who has looked at it now (``same``: and came to the same); empty where it
    was one program all along.
    """
    if all(one.engine.sha256 == now.sha256 for one in spans):
        return played_said(spans)
    return common_words().phrase(
        "engine.same" if same else "engine.now", played=all_played(spans), now=str(now)
    )


def by_engine(spans: Sequence[Played], slots: Iterable[int]) -> Mapping[Engine, list[int]]:
    """Return some slots by who played them."""
    found: dict[Engine, list[int]] = {}
    for number in sorted(set(slots)):
        found.setdefault(engine_at(spans, number), []).append(number)
    return found


def ask_those(spans: Sequence[Played], now: Engine, slots: Iterable[int]) -> Iterator[str]:
    """Yield for slots that this program cannot say anything of which one played them, and how to get it: a
    sentence for each.
    """
    for number, (engine, of) in enumerate(by_engine(spans, slots).items()):
        if number == MOST:
            yield common_words().phrase("engine.others", slots=of[0])
            return
        count = 1 if 0 in of else len(of)
        yield common_words().phrase(
            "engine.of-slots",
            slots=which(of),
            count=count,
            engine=str(engine),
            now=str(now),
            how=how_to_get(engine),
        )


def how_to_get(engine: Engine) -> str:
    """Return what to install to have an engine.

    The version comes from the releases that are known, never from a game.
    """
    known = release_with(engine.sha256)
    return (
        common_words().phrase("engine.unknown")
        if known is None
        else common_words().phrase("engine.install", version=known.version)
    )
