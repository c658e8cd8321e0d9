"""What is different between two scenes of one map: who stands elsewhere, who fell or is up again, what was
built, broke or burns.

Both scenes are what one and the same side sees, so nothing comes of it but what that side knows. What stands
in neither place of the difference is not told: the way between, and what happened on it, is the affair of the
report.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from pbem.core.scene import OUT, UP, Feature, Point, Scene, Thing, Token, Trace

T = TypeVar("T", Token, Thing)

CARRIED: Final = "carried"
FIXED: Final = ("winch",)
"""Kinds of thing that belong to another and tell nothing of their own."""


class Change(Struct, frozen=True):
    """One difference: what kind, of whom or what, and where; ``start`` is where it was,
    ``end`` where it is.
    """

    kind: str
    """Of tokens ``moved turned came gone recovered taken``, or the state in which one is now; of things
    ``rolled built lost stands``; of the ground the kind of the feature (``wall fire burnt filled rubble``) or
    ``out`` where one is gone."""
    id: str
    """The token or the thing; of the ground the number of the cell."""
    side: str = ""
    start: str = ""
    end: str = ""
    words: str = ""
    """Of a thing what it is and how it stands, of a feature that is gone its kind."""
    number: int = 0
    """Of a wall its steps of damage."""


def changes(before: Scene, after: Scene) -> tuple[Change, ...]:
    """Return what is different, figures first, each list in the order of ids."""
    return (*_of_tokens(before, after), *_of_things(before, after), *_of_features(before, after))


def changed(before: Scene, after: Scene) -> Scene:
    """Return the later scene with what is different: an arrow for whoever stands elsewhere, a rim round what
    is not as it was.
    """
    found = changes(before, after)
    centres = {area.at: area.centre for area in (*before.areas, *after.areas)}
    was, now = {token.id: token for token in before.tokens}, {token.id: token for token in after.tokens}
    things_were, things_are = (
        {thing.id: thing for thing in before.things},
        {thing.id: thing for thing in after.things},
    )
    traces = []
    rimmed: set[Point] = set()
    for change in found:
        if change.kind == "moved":
            traces.append(_arrow(was[change.id], now[change.id]))
        elif change.kind == "rolled":
            ends = (things_were[change.id].cells[0], things_are[change.id].cells[0])
            traces.append(Trace("roll", change.side, ends, (change.id,)))
        elif change.id in centres and change.id not in now:
            rimmed.add(centres[change.id])
        else:
            rimmed.update(_cells(change.id, now, things_are) or _cells(change.id, was, things_were))
    areas = tuple(replace(area, changed=area.centre in rimmed) for area in after.areas)
    tokens = tuple(replace(token, moved=False) for token in after.tokens)
    return replace(after, areas=areas, tokens=tokens, traces=tuple(traces))


def _cells(id_: str, tokens: Mapping[str, Token], things: Mapping[str, Thing]) -> tuple[Point, ...]:
    """Return the centres of the cells on which a token or a thing stands; none where it does not."""
    found: Token | Thing | None = tokens.get(id_) or things.get(id_)
    return found.cells if found is not None else ()


def _arrow(was: Token, now: Token) -> Trace:
    """Return the arrow of a token, from where it was to where it is; of one of two cells that of its head,
    its tail beside it.
    """
    tails = (was.cells[1], now.cells[1]) if len(was.cells) == len(now.cells) == 2 else ()
    return Trace("move", now.side, (was.cells[0], now.cells[0]), (now.id,), tails=tails)


def _of_tokens(before: Scene, after: Scene) -> Iterator[Change]:
    """Yield what is different of figures; who sits on a horse and who has got off is told
    by the rider alone.
    """
    was, now = _on_the_map(before.tokens), _on_the_map(after.tokens)
    mounted = {token.mount for scene in (before, after) for token in scene.tokens}
    for id_ in sorted(was.keys() | now.keys()):
        old, new = was.get(id_), now.get(id_)
        if old is None or new is None:
            known = old or new
            if known is not None and id_ not in mounted and known.look != OUT:
                yield Change("came" if old is None else "gone", id_, known.side, *_ends(old, new))
            elif old is None and new is not None and new.look == OUT and id_ not in mounted:
                yield Change(new.state, id_, new.side, end=_place(new))
            continue
        if old.cells[0] != new.cells[0]:
            yield Change("moved", id_, new.side, *_ends(old, new))
        elif (len(old.cells) == len(new.cells) and old.cells != new.cells) or old.facing != new.facing:
            yield Change("turned", id_, new.side, *_ends(old, new))
        if old.state != new.state:
            yield Change("recovered" if new.look == UP else new.state, id_, new.side, *_ends(old, new))
        if old.side != new.side:
            yield Change("taken", id_, new.side, *_ends(old, new))


def _of_things(before: Scene, after: Scene) -> Iterator[Change]:
    """Yield what is different of things; what somebody carries goes where he goes, and is not told again."""
    was, now = _on_the_map(before.things), _on_the_map(after.things)
    for id_ in sorted(was.keys() | now.keys()):
        old, new = was.get(id_), now.get(id_)
        known = new or old
        if known is None or known.kind in FIXED:
            continue
        if old is None or new is None:
            yield Change(
                "built" if old is None else "lost", id_, known.side, *_ends(old, new), words=known.description
            )
            continue
        if (old.stands, old.facing) != (new.stands, new.facing):
            yield Change("stands", id_, new.side, *_ends(old, new), words=new.description)
        elif old.cells[0] != new.cells[0] and CARRIED not in (old.stands, new.stands):
            yield Change("rolled", id_, new.side, *_ends(old, new), words=new.description)


def _of_features(before: Scene, after: Scene) -> Iterator[Change]:
    """Yield what is different of the ground: a fire that goes on is none, another step of a wall is one."""
    was, now = _by_cell(before.features), _by_cell(after.features)
    for key in sorted(was.keys() | now.keys()):
        at, kind = key
        if key not in now:
            yield Change("out", at, end=at, words=kind)
        elif key not in was or (kind == "wall" and was[key].number != now[key].number):
            yield Change(kind, at, end=at, number=now[key].number)


def _on_the_map(listed: Iterable[T]) -> dict[str, T]:
    return {one.id: one for one in listed if one.cells}


def _by_cell(features: Iterable[Feature]) -> dict[tuple[str, str], Feature]:
    return {(feature.at, feature.kind): feature for feature in features}


def _place(one: Token | Thing | None) -> str:
    return one.at[0] if one is not None and one.at else ""


def _ends(old: Token | Thing | None, new: Token | Thing | None) -> tuple[str, str]:
    return _place(old), _place(new)
