"""A whole game as one page to look at: what is in it, and in which words.

How it looks and behaves lies in ``renderers/pages``; what a moment is, and who gets to see it, in
``moments``. Nothing is in the page that the archive does not publish.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from itertools import groupby
from typing import Any, Final

from pbem.core.regex import regex
from pbem.referee.explain.draw import painter
from pbem.referee.explain.look import THEMES
from pbem.referee.pages.moments import SAID, Moment, Story
from pbem.referee.proving.replay_proof import proof_of, slot_of
from pbem.referee.proving.replayed_slots import Watch
from pbem.text.report import roll_row
from pbem.text.words import Words, in_force

LONGEST: Final = 1000
"""Signs of a sentence that are shown: names and messages of strangers may be as long as a file."""
MATTERS, WROTE = 1, 2
"""What is noted of a moment: that it counts (wounds, deaths, points), that a player wrote it."""
STYLES: Final = ("page.css", "board.css", "replay.css")
SCRIPTS: Final = ("replay_story.js", "replay_proof.js", "replay.js")
"""After those of the board."""
BODY: Final = "replay.html"
WORDS: Final = "replay."
BOARD_WORDS: Final = ("map", "kind", "help", "tools", "in", "out", "fit", "storeys", "close")
MOST_CELLS: Final = 24
"""Hexes at most that are pointed at for one event."""
_WORD: Final = regex(r"\{\{([a-z-]+)\}\}")


def page_of(story: Story, theme: str = THEMES[0], watch: Watch | None = None) -> bytes:
    """Return a game as one page in one file."""
    ledger = story.game.ledger
    labels, rolls = slot_of(ledger), list[list[Any]]()
    scenes, phases = [story.start.scene], list[dict[str, Any]]()
    for run in story.runs(watch):
        title = clean(run.title)
        if not phases or (phases[-1]["title"], phases[-1]["turn"]) != (title, run.turn):
            phases.append({"title": title, "turn": run.turn, "side": run.cursor.side, "moments": []})
        for moment in story.moments(run):
            phases[-1]["moments"].append(moment)
            scenes.append(moment.scene)

    shell = import_module("pbem.renderers.page")
    look = import_module("pbem.renderers.themes").theme_of(theme)
    words = story.game.words
    told = page_words(words)
    drawer = painter("board")
    board = drawer.board(scenes, theme=look)
    # on a table whoever stands anywhere has a place of his own there, which the board alone knows
    places = {cell[0]: place for place, cell in enumerate(board["cells"])}
    for phase in phases:
        phase["moments"] = [_plain(story, moment, labels, rolls, places) for moment in phase["moments"]]
    data = {
        "board": {**board, "words": {name: told[f"map-{name}"] for name in BOARD_WORDS}},
        "phases": phases,
        "rolls": rolls,
        "start": story.start.slot,
        "proof": proof_of(ledger),
        "words": told,
    }
    title = clean(story.game.ground.title)
    body = _WORD.sub(
        lambda found: shell.escaped(words.phrase(WORDS + found[1], title=title, game=ledger.game)),
        shell.part(BODY),
    )
    page: bytes = shell.whole_page(
        words.phrase("replay.title", title=title),
        styles=STYLES,
        scripts=(*drawer.SCRIPTS, *SCRIPTS),
        body=body,
        data=data,
        lang=in_force(),
    )
    return page


def _plain(
    story: Story, moment: Moment, labels: Mapping[str, int], rolls: list[list[Any]], places: Mapping[str, int]
) -> list[Any]:
    """Return a moment as the page reads it: slot, number, words, its roll or -1, what is noted, its hexes,
    its way, and who wrote it.

    Hexes are places in the cells of the board.
    """
    telling = moment.telling
    assert telling is not None
    at = -1
    if telling.roll is not None:
        at = len(rolls)
        rolls.append(
            _roll(telling.roll, story.game.words, labels.get(str(telling.roll.get("label")), moment.slot))
        )
    noted = (MATTERS if telling.matters else 0) | (WROTE if moment.event["type"] == SAID else 0)
    who = [clean(story.who(moment.event.get("seat", "")))] if noted & WROTE else []
    return [moment.slot, moment.number, clean(telling.text), at, noted, *_cells(moment, places), *who]


def _cells(moment: Moment, places: Mapping[str, int]) -> tuple[list[int], list[int]]:
    """Return the hexes that an event names with those of whom it names, and the way that
    somebody went in it.
    """
    scene = moment.scene
    stands = {thing.id: thing.at for thing in scene.things} | {token.id: token.at for token in scene.tokens}

    def known(ats: Iterable[str]) -> list[int]:
        found = (places.get(at.partition("@")[0]) for at in ats)
        return [place for place, _ in groupby(place for place in found if place is not None)]

    path = moment.event.get("path")
    way = known(str(at) for at in path) if isinstance(path, list | tuple) else []
    named = known(at for word in _strings(moment.event) for at in stands.get(word, (word,)))
    return list(dict.fromkeys(named))[:MOST_CELLS], way if len(way) > 1 else []


def _strings(value: object) -> Iterator[str]:
    """Yield the words of an event, and the parts of the name of its roll."""
    if isinstance(value, str):
        yield from value.split("/")
    elif isinstance(value, Mapping):
        for one in value.values():
            yield from _strings(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _strings(one)


def _roll(event: Mapping[str, Any], words: Words, slot: int) -> list[Any]:
    """Return a roll as the page reads it: name, sides, faces, the slot whose seed it comes from, and its row
    in the report.
    """
    row = roll_row(event, words)
    told = {
        "table": row.table,
        "column": row.column,
        "base": row.base,
        "modifiers": "; ".join(row.modifiers),
        "row": row.row,
    }
    told |= {"result": row.result, "rule": row.rule}
    values = [int(value) for value in event.get("values", ())]
    return [
        str(event.get("label", "")),
        int(event.get("sides", 0)),
        values,
        slot,
        {key: clean(said) for key, said in told.items() if said},
    ]


def page_words(said: Words) -> dict[str, str]:
    """Return the sentences of the page, with what it puts into them still open."""
    keys = [key for key in said.keys("phrases") if key.startswith(WORDS)]
    return {
        key.removeprefix(WORDS): said.phrase(
            key, **{slot: f"{{{slot}}}" for slot in said.slots("phrases", key)}
        )
        for key in keys
    }


def clean(text: str) -> str:
    """Return a text without what cannot be seen, and no longer than anybody reads."""
    said: str = import_module("pbem.renderers.lettering").plain(text, LONGEST)
    return said
