"""What has changed since a slot, for one seat: the map with an arrow for whoever stands elsewhere, and the
same in sentences.

It holds two views of one seat against each other (``core.scene_diff``), so it tells nothing that the seat
does not see.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from pbem.core.scene import DOWN, HURT, OUT, UP, Scene
from pbem.core.scene_diff import Change, changed, changes
from pbem.core.sequence import parse_cursor
from pbem.referee.explain.draw import scene_of, state_of
from pbem.referee.game.game import Game
from pbem.referee.game.refusal import refuse
from pbem.referee.game.replay import open_questions
from pbem.referee.game.turns import of_slot
from pbem.referee.game.views import side_of
from pbem.text.words import Words

COUNTED: Final = ("recovered", "came", "gone")
"""Kinds of change that the first sentence counts, behind who moved and what states figures are in now."""
WORST: Final = (OUT, HURT, DOWN, UP)
"""In which order states are told: by how they look."""
THINGS: Final = ("rolled", "built", "lost", "stands")
MOST: Final = 20
"""So many are named in a sentence at most."""


def since(game: Game, slot_from: int, slot_to: int | None = None, seat: str | None = None) -> Scene:
    """Return the map after a slot (the newest unless one is named) with what is different from that after an
    earlier one.

    ``seat`` says whose eyes it is seen with; None are the umpire's. ``summary`` of the scene tells it in
    sentences.
    """
    before, after = _both(game, slot_from, slot_to, seat)
    return replace(
        changed(before, after), summary=" ".join(sentences(before, after, _turn(game, slot_from), game.words))
    )


def told(game: Game, slot_from: int, slot_to: int | None = None, seat: str | None = None) -> tuple[str, ...]:
    """Return the same in sentences, those of who went where among them."""
    before, after = _both(game, slot_from, slot_to, seat)
    words = game.words
    return (
        *sentences(before, after, _turn(game, slot_from), words),
        *_ways(changes(before, after), after, words),
    )


def last_turn_of(game: Game, seat: str) -> int:
    """Return the slot after which a seat last looked at the map to give orders; 0, the start, where it has
    given none.

    An answer to a question is not a turn. Orders that came phase by phase are one turn, unless the seat is in
    the middle of it.
    """
    name = game.seat_of(seat)
    announced = game.ledger.next
    opened = parse_cursor(str(announced["phase"])).player_turn if announced is not None else None
    before, turn = 0, None
    for number in sorted(game.ledger.slots, reverse=True):
        slot = game.ledger.slots[number]
        entry = slot.entries.get(name)
        if (
            slot.undone
            or slot.result is None
            or entry is None
            or entry.sha512 is None
            or open_questions(slot.announced)
        ):
            continue
        played = parse_cursor(slot.phase).player_turn
        if turn is not None and (played != turn or played == opened):
            break
        before, turn = slot.state_before_slot, played
    return before


def _both(game: Game, slot_from: int, slot_to: int | None, seat: str | None) -> tuple[Scene, Scene]:
    """Return the two views; Refused where one of the slots is not there, or they are the wrong way round."""
    last, after = state_of(game, slot_to)
    if not 0 <= slot_from <= last:
        raise refuse("since.order", slot=slot_from, last=last)
    _, before = state_of(game, slot_from)
    side, words = side_of(game, seat), game.words
    title = words.phrase(
        "since.title" if slot_from else "since.title-start",
        title=game.ground.title,
        turn=of_slot(game, slot_from),
    )
    return scene_of(game.ground, before, (), title, side), scene_of(game.ground, after, (), title, side)


def _turn(game: Game, slot: int) -> str:
    return of_slot(game, slot) if slot else ""


def sentences(before: Scene, after: Scene, turn: str, words: Words) -> Iterator[str]:
    """Yield what is different since a turn (empty: the start): one sentence that counts, then one for each
    kind with everybody's name.
    """
    found = changes(before, after)
    names = {token.id: token.name or token.id for scene in (before, after) for token in scene.tokens}
    states, ground = _states(before, after), _ground(before, after)
    many = Counter(one.kind for one in found)
    kinds = ("moved", *states, *COUNTED)
    counts = [_said(words, "since", kind, count=many[kind]) for kind in kinds if many[kind]]
    changed_ground = sum(change.kind in (*ground, "out") for change in found)
    counts += [words.phrase("since.ground", count=changed_ground)] if changed_ground else []
    things = sum(change.kind in THINGS for change in found)
    counts += [words.phrase("since.things", count=things)] if things else []
    yield words.phrase(
        "since.counted" if turn else "since.counted-start",
        turn=turn,
        counts=counts or words.phrase("since.nothing"),
    )
    for kind in (*states, *COUNTED, "taken"):
        if who := [names[change.id] for change in found if change.kind == kind]:
            yield _said(words, "since.named", kind, who=_some(who, words), count=len(who))
    for kind in ground:
        if places := [change.id for change in found if change.kind == kind]:
            yield _said(
                words,
                "since.named",
                kind,
                who=_some(places, words),
                hexes=_some(places, words),
                count=len(places),
            )

    for kind in sorted({change.words for change in found if change.kind == "out"}):
        if words.knows("phrases", f"since.named-gone-{kind}"):
            hexes = [change.id for change in found if change.kind == "out" and change.words == kind]
            yield words.phrase(f"since.named-gone-{kind}", hexes=_some(hexes, words))

    for change in found:
        if change.kind in ("built", "lost", "stands"):
            yield words.phrase(
                f"since.{change.kind}", thing=change.id, at=change.end or change.start, words=change.words
            )


def _states(before: Scene, after: Scene) -> list[str]:
    """Return the states of the figures of two scenes, the worst first."""
    found = {
        (WORST.index(token.look), token.state)
        for scene in (before, after)
        for token in scene.tokens
        if token.look != UP
    }
    return [state for _, state in sorted(found)]


def _ground(before: Scene, after: Scene) -> list[str]:
    """Return what has become of the ground in two scenes."""
    return sorted({feature.kind for scene in (before, after) for feature in scene.features})


def _said(words: Words, key: str, kind: str, **args: object) -> str:
    """Return what is said of a kind of change; a state or a feature that has no phrase is
    called by its name.
    """
    joint = "." if key == "since" else "-"
    known = f"{key}{joint}{kind}"
    if words.knows("phrases", known):
        return words.phrase(known, **args)
    called = words.phrase(f"state.{kind}") if words.knows("phrases", f"state.{kind}") else kind
    return words.phrase(f"{key}{joint}other", what=called, **args)


def _ways(found: Sequence[Change], after: Scene, words: Words) -> Iterator[str]:
    """Yield for each side who went from where to where."""
    names = {token.id: token.name or token.id for token in after.tokens}
    sides = {look.side: look.name for look in after.sides}
    for side in dict.fromkeys(change.side for change in found if change.kind in ("moved", "rolled")):
        gone = [change for change in found if change.kind in ("moved", "rolled") and change.side == side]
        ways = [
            words.phrase("since.way", who=names.get(change.id, change.id), start=change.start, end=change.end)
            for change in gone
        ]
        yield words.phrase("since.ways", side=sides.get(side, side), ways=_some(ways, words))


def _some(listed: Sequence[str], words: Words) -> list[str]:
    """Return a list no longer than anybody reads."""
    return (
        [*listed]
        if len(listed) <= MOST
        else [*listed[:MOST], words.phrase("since.more", count=len(listed) - MOST)]
    )
