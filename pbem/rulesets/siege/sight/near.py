"""What is known of the lines between two places, kept for as long as nothing near them changes.

Theory of operation. A line, what bars it and the cover at its end follow from the map and from what stands
and burns on it. When a wall falls, a ladder is carried on or a fire spreads, nearly all lines of a castle are
what they were, so they are not kept with the battle, which is another one then, but with the field: beside
each lies the mask of the hexes and hexsides that it meets and of those round its ends (``geometry.fan``), and
what there was of works in them when it was drawn. It holds in every battle of the same rules whose works in
that mask are the same; figures are no works. What does not stand in a place, such as whether a bridge is
lowered, is asked of all lines (``Works.everywhere``).

That this is all a line can depend on is so for the rules of this ruleset, and of those packages that say so
(``Shots.near``): where another one adds to what shots meet, lines are kept with the battle alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, Generic, Protocol, TypeVar

from msgspec import Struct
from msgspec import field as given

from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import SIDES, hex_of, hexside
from pbem.rulesets.siege.ground import heights
from pbem.rulesets.siege.ground.terrain import ground_now
from pbem.rulesets.siege.sight import any_part
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state.once import ByRules
from pbem.rulesets.siege.state.state import Battle, Thing

if TYPE_CHECKING:
    from pbem.geometry import fan

Rules = Ruleset[Battle]
T = TypeVar("T")
MOST: Final = 1 << 13
"""Pairs of places of which lines are kept; with one more all are forgotten."""
VARIANTS: Final = 4
"""Ways in which the works near two places stood that are kept, and of all works for a place; the oldest goes
first.
"""
ROWS: Final = 256
"""Places of which it is kept how one shoots from there, and for each so many places; with one more all are
forgotten. A whole *Nineteen Days* between sergeants comes to 75, with 32 at most.
"""
RULES: Final = 16
"""Rulesets for which a field keeps lines; the oldest goes first."""


class Work(Struct, frozen=True):
    """All that stands or burns in a hex now."""

    mask: int
    """Its hex and the sides of that."""
    what: tuple[object, ...]


class Works(Struct, frozen=True):
    """What stands, lies and burns on a map beside what was drawn there."""

    each: tuple[Work, ...]
    whole: int
    everywhere: tuple[object, ...]
    """What may matter to any line."""

    def within(self, mask: int) -> tuple[Work, ...]:
        """Return those in a mask."""
        return tuple(work for work in self.each if work.mask & mask) if self.whole & mask else ()


class Variant(Struct, Generic[T], frozen=True):
    """What was found out while certain works stood in a mask."""

    mask: int
    works: tuple[Work, ...]
    everywhere: tuple[object, ...]
    found: T


def works(rules: Rules, battle: Battle) -> Works:
    """Return the works of a battle."""
    return battle.once("works", lambda: _works(rules, battle))


def _works(rules: Rules, battle: Battle) -> Works:
    what: dict[str, list[object]] = {}
    for place, is_ in battle.features:
        what.setdefault(hex_of(place), []).append((place, is_))
    for place, ground in ground_now(rules, battle).items():
        what.setdefault(hex_of(place), []).append((place, ground.id))
    for thing in battle.things.values():
        for hex_ in {*map(hex_of, (*thing.at, *battle.above(thing)))}:
            what.setdefault(hex_, []).append(_of_thing(thing))
    frame = any_part.frame(battle)
    each = tuple(Work(_of_hex(frame, hex_), tuple(things)) for hex_, things in sorted(what.items()))
    whole = 0
    for work in each:
        whole |= work.mask
    bridges = [(one.id, one.stands) for one in battle.things.values() if one.id in battle.field.fixtures]
    return Works(each, whole, (heights.matter(rules, battle), *bridges))


def _of_thing(thing: Thing) -> tuple[object, ...]:
    return thing.id, thing.kind, thing.at, thing.facing, thing.stands, thing.by, thing.burnt, thing.away


def _of_hex(frame: fan.Frame, hex_: str) -> int:
    return frame.mask((hex_, *(hexside(hex_, side) for side in SIDES)))


def itself(rules: Rules, battle: Battle, place: str) -> int:
    """Return the mask of the hex of a place; of those beside it too, where something was made of it that may
    be as high as what is there.
    """
    if place in ground_now(rules, battle):
        return any_part.round_about(battle, place)
    frame = any_part.frame(battle)
    return 1 << frame.bits[hex_of(place)]


def kept(
    rules: Rules,
    battle: Battle,
    name: str,
    asked: tuple[str, str, str],
    work_out: Callable[[], tuple[int, T]],
) -> Variant[T]:
    """Return what is known of the lines between two places, worked out once for as long as nothing near them
    changes; ``work_out`` returns the mask of all that it depends on too.
    """
    if found := already(rules, battle, name, asked):
        return found
    (mask, new), now = work_out(), works(rules, battle)
    known: dict[tuple[str, str, str], Variant[T]] = battle.once(name, dict)
    one = known[asked] = Variant(mask, now.within(mask), now.everywhere, new)
    variants = of_rules(rules, battle, name)
    if variants is not None:
        if asked not in variants and len(variants) >= MOST:
            variants.clear()
        row = variants.setdefault(asked, [])
        row.append(one)
        del row[:-VARIANTS]
    return one


def already(rules: Rules, battle: Battle, name: str, asked: tuple[str, str, str]) -> Variant[Any] | None:
    """Return what is known of the lines between two places and still holds; None where nothing is."""
    known: dict[tuple[str, str, str], Variant[Any]] = battle.once(name, dict)
    if asked in known:
        return known[asked]
    variants = of_rules(rules, battle, name)
    for one in variants.get(asked, ()) if variants else ():
        now = works(rules, battle)
        if one.everywhere == now.everywhere and one.works == now.within(one.mask):
            known[asked] = one
            return known[asked]
    return None


class Dependent(Protocol):
    """What holds as long as nothing changes in a mask."""

    @property
    def mask(self) -> int:
        """Return all on which it depends."""


D = TypeVar("D", bound=Dependent)


class Row(Struct, Generic[D], frozen=True):
    """What is known of shots from one place by one of its sides; whoever finds out more adds to it."""

    ways: dict[str, D] = given(default_factory=dict)
    """By the place that is shot at."""
    shut: set[tuple[str, ...]] = given(default_factory=set)
    """The places at which nobody shoots from there, as ``Unit.at`` has them of who stands in one alone."""

    def add(self, there: str, way: D, shut: bool) -> D:
        """Keep how one shoots at a place, of which nobody does where it is shut off."""
        if len(self.ways) >= ROWS:
            self.ways.clear()
            self.shut.clear()
        self.ways[there] = way
        if shut:
            self.shut.add((there,))
        return way

    def without(self, changed: int) -> Row[D]:
        """Return what is known still when something has changed in a mask."""
        lost = [there for there, one in self.ways.items() if one.mask & changed]
        left = Row(dict(self.ways), set(self.shut))
        for there in lost:
            del left.ways[there]
            left.shut.discard((there,))
        return left


def row(rules: Rules, battle: Battle, here: str, across: str) -> Row[Any]:
    """Return what is known of shots from one place by one of its sides at others. What was known before
    something fell is handed on at once.
    """
    rows: dict[tuple[str, str], Row[Any]] = battle.once("rows", dict)
    if (here, across) not in rows:
        rows[here, across] = _kept_row(rules, battle, here, across)
    return rows[here, across]


def _kept_row(rules: Rules, battle: Battle, here: str, across: str) -> Row[Any]:
    known: dict[tuple[str, str], list[tuple[Works, Row[Any]]]] | None
    known = of_rules(rules, battle, "rows")
    if known is None:
        return Row()
    now = works(rules, battle)
    last = known.get((here, across), [])
    for then, row in last:
        if then == now:
            return row
    if not last and len(known) >= ROWS:
        known.clear()
    row = _handed_on(battle, now, *last[-1]) if last else Row()
    known[here, across] = [*last[1 - VARIANTS :], (now, row)]
    return row


def _handed_on(battle: Battle, now: Works, then: Works, known: Row[D]) -> Row[D]:
    changed = _changed(battle, then, now)
    return Row() if changed is None else known.without(changed)


def _changed(battle: Battle, then: Works, now: Works) -> int | None:
    """Return the mask of the works that a battle has and an earlier one had not, or the other way round; None
    where it matters everywhere.
    """
    known: list[tuple[Works, int | None]] = battle.once("works since", list)
    for before, changed in known:
        if before is then:
            return changed
    mask = 0
    for work in {*then.each} ^ {*now.each}:
        mask |= work.mask
    known.append((then, mask if then.everywhere == now.everywhere else None))
    return known[-1][1]


def of_rules(rules: Rules, battle: Battle, name: str) -> dict[Any, Any] | None:
    """Return what a field keeps for some rules, None where others than ours say what shots meet."""
    kept_: ByRules[dict[str, dict[Any, Any] | None]] = battle.field.once(
        "kept lines", lambda: ByRules(dict, RULES)
    )
    found = kept_[rules]
    if name not in found:
        near = (any_part.OURS, *family.of(rules).shots.near)
        found[name] = {} if all(one.startswith(near) for one in any_part.said_in(rules)) else None
    return found[name]
