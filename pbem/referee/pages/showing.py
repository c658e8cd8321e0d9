"""A whole game for looking at, as one file: a page to scrub, an animation, or every slot's map and report in
characters.

Chooses what is shown of it; how is decided by the renderers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from pbem.core.scene import Scene
from pbem.referee.explain.draw import painter, render
from pbem.referee.explain.look import THEMES
from pbem.referee.game.game import Game
from pbem.referee.game.refusal import refuse
from pbem.referee.pages.moments import Step, Story
from pbem.referee.pages.replay_page import page_of
from pbem.referee.proving.replayed_slots import Watch, slots_of
from pbem.referee.turn.report import report_of

TEXT, PAGE = ".txt", ".html"
MOVING: Final = {".png": "apng", ".webp": "webp", ".gif": "gif"}
"""Suffix of an animation -> its kind."""
SUFFIXES: Final = (TEXT, PAGE, *MOVING)
BY: Final = ("phase", "slot", "event")
"""What has a frame of its own in an animation."""


class Wish(Struct, frozen=True):
    """How a game is to be shown: as which seat sees it, in which look, which slots of it; of an animation
    also its frames and bytes.
    """

    seat: str | None = None
    theme: str = THEMES[0]
    first: int = 0
    last: int | None = None
    by: str = BY[0]
    max_bytes: int | None = None

    def wants(self, slot: int) -> bool:
        """Tell whether a slot is to be shown."""
        return self.first <= slot and (self.last is None or slot <= self.last)


def replay_bytes(game: Game, suffix: str, wish: Wish | None = None, watch: Watch | None = None) -> bytes:
    """Return the game as a file of this kind; Refused for a suffix that is none, and where nothing has been
    played.
    """
    if suffix not in SUFFIXES:
        raise refuse("draw.suffix", suffix=suffix, help="one of " + ", ".join(SUFFIXES))
    if suffix == TEXT:
        return _text(game)
    wish = wish or Wish()
    story = Story(game, wish.seat, wish.wants)
    if suffix == PAGE:
        return page_of(story, wish.theme, watch)
    return _moving(story, MOVING[suffix], wish, watch)


def shown_slots(game: Game, wish: Wish) -> int:
    """Return how many slots are played again for a wish: how much there is to watch."""
    return sum(wish.last is None or slot <= wish.last for slot in slots_of(game))


def _text(game: Game) -> bytes:
    slots = slots_of(game)
    parts = [render(game, TEXT, 0).decode(), *(report_of(game, slot, "text", None) for slot in slots)]
    return ("\n\n" + "=" * 72 + "\n\n").join(parts).encode()


def _moving(story: Story, kind: str, wish: Wish, watch: Watch | None) -> bytes:
    themes, moving = painter("themes"), painter("moving")
    scenes = [story.start.scene, *frames(story, wish.by, watch)]
    try:
        made: bytes = moving.animate(
            scenes, kind, max_bytes=wish.max_bytes, theme=themes.theme_of(wish.theme)
        )
    except moving.TooLarge as large:
        raise refuse(
            "replay.too-large",
            least=large.least,
            wanted=wish.max_bytes or 0,
            help="fewer --slots, or --by slot",
        ) from None
    return made


def frames(story: Story, by: str, watch: Watch | None = None) -> Iterator[Scene]:
    """Yield the scenes of an animation behind the start: one for each phase, slot or event of which anything
    is told.
    """
    slot: list[Step] = []
    for run in story.runs(watch):
        if by == "event":
            yield from (moment.scene for moment in story.moments(run))
            continue
        told = run.steps[: run.told[-1].step + 1]
        if by == "phase":
            yield _after(story, told)
            continue
        for step in told:
            if slot and step.slot != slot[-1].slot:
                yield _after(story, slot)
                slot = []
            slot.append(step)
    if slot:
        yield _after(story, slot)


def _after(story: Story, steps: Sequence[Step]) -> Scene:
    """Return what is to be seen at the end of some steps, with the traces of all of them."""
    return story.scene(steps[-1].after, [step.event for step in steps])
