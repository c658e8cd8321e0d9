"""The lines between any parts of two hexes (option): which of the 169 what is built and grown certainly bars,
so that none of the rules need be asked about them.

Whether one of the others is free is asked in ``line_of_fire`` and ``cover``, line by line; how many hexes and
hexsides a line meets is told by ``geometry.fan``.

Theory of operation. Whatever bars a line in one hex, or on one hexside, bars every line that meets it. So for
two places it is asked once of each hex and hexside between them, and not of each line; the answers are bits,
and lines with none of them are left. Only what is certain is asked here: trees and walls, what the levels
make of them, keeps and doorways on another level, towers that no door leads out of. A line that is left may
still be barred, by a wagon, a crest, a second doorway; a line that is gone cannot be free. The first line of
all stays whatever bars it, for where none is free it says why.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct
from msgspec import field as given

from pbem.core.ruleset import Ruleset
from pbem.geometry import sight
from pbem.geometry.hex import SIDES, beside, hex_of, hexside, neighbours
from pbem.rulesets.siege.ground import heights, slits
from pbem.rulesets.siege.ground.terrain import closed, ground_now, shut, terrain_at
from pbem.rulesets.siege.sight import crests, openings, reading
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state.field import Field
from pbem.rulesets.siege.state.line import Ray, View
from pbem.rulesets.siege.state.state import Battle

if TYPE_CHECKING:
    from pbem.geometry import fan

Rules = Ruleset[Battle]
CENTRE: Final = 0
_PARTS: Final = range(len(sight.PARTS))
Between = tuple[View | None, str, str, str, str]
"""How two places lie to each other, their hexes, and the parts of these in which lines begin and end."""
OURS: Final = "pbem.rulesets.siege."
"""Modules whose functions are known to bar what bars here."""


class Lines(Struct, frozen=True):
    """The lines between two places that begin and end alike: some for their own sake, and of the 169 those
    that ground and walls do not certainly bar.
    """

    view: View | None
    start: str
    end: str
    lets_off: tuple[bool, bool]
    moved: tuple[sight.Line, ...]
    """Those for their own sake."""
    spread: fan.Spread
    pairs: tuple[tuple[int, int], ...]
    """The parts, by number, between which the others run."""
    barred: tuple[tuple[int, int], ...] = ()
    """Those of the first of all, where it is certainly barred as well: it is asked why."""
    always: int = 0
    """So many of these are among them whatever bars."""
    rays: dict[int, Ray] = given(default_factory=dict)
    """What is known of single ones of them, by number."""

    def tracks(self, bars: int = 0) -> Iterator[tuple[int, sight.Line]]:
        """Yield the lines that meet nothing of a mask, each with its number; those for their own sake, and
        the first of all, whatever they meet.
        """
        yield from enumerate(self.moved)
        always = len(self.moved) + self.always
        for number, (first, last) in enumerate((*self.barred, *self.pairs), len(self.moved)):
            if number < always or not (bars and self.spread.met(first, last) & bars):
                yield number, self.track(first, last)

    def shut(self) -> bool:
        """Tell whether each of them is known to be barred."""
        moved, barred = len(self.moved), len(self.barred)
        others = chain(range(moved), range(moved + barred, moved + barred + len(self.pairs)))
        return all(number in self.rays and self.rays[number].barred for number in others)

    def track(self, first: int, last: int) -> sight.Line:
        """Return the line between two parts."""
        parts = sight.PARTS
        return sight.trace(
            sight.Point(self.start, parts[first]), sight.Point(self.end, parts[last]), self.lets_off
        )


class Ground(Struct, frozen=True):
    """What bars on a map now, as masks; what depends on who looks is asked of the hexes of ``solid`` and of
    the openings.
    """

    frame: fan.Frame
    solid: int
    """Hexes that nobody on their level sees past."""
    keeps: int
    """Entrances of keeps, where nobody shoots."""
    walls: int
    """Hexsides without an opening, but for those of ``buildings``."""
    buildings: int
    """Such hexsides of towers and keeps: they bar whoever is within."""
    openings: int
    """Hexes, and hexsides, with an opening."""


def frame(battle: Battle) -> fan.Frame:
    """Return the frame of a battle's map."""
    return battle.field.once("frame", lambda: _framed(battle.field))


def _framed(field: Field) -> fan.Frame:
    from pbem.geometry import fan

    return fan.frame(field.columns, field.rows)


def round_about(battle: Battle, place: str) -> int:
    """Return the mask of the hex of a place and of those beside it."""
    known: dict[str, int] = battle.field.once("round about", dict)
    hex_ = hex_of(place)
    if hex_ not in known:
        known[hex_] = frame(battle).mask((hex_, *neighbours(hex_)))
    return known[hex_]


def ground(rules: Rules, battle: Battle) -> Ground:
    """Return what bars on a map now."""
    return battle.once("what bars", lambda: _ground(rules, battle))


def _ground(rules: Rules, battle: Battle) -> Ground:
    field = battle.field
    drawn: Ground = field.once("what bars as drawn", lambda: _as_drawn(field))
    bits = drawn.frame
    solid, keeps = drawn.solid, drawn.keeps
    now = ground_now(rules, battle)
    if now:
        changed = [hex_ for hex_ in now if hex_ in bits.bits]
        solid &= ~bits.mask(changed)
        solid |= bits.mask(hex_ for hex_ in changed if now[hex_].blocks_line and not now[hex_].flat)
        keeps &= ~bits.mask(hex_ for hex_ in changed if now[hex_].flat)
    if not known(rules):
        return Ground(bits, solid, keeps, 0, 0, drawn.openings)
    raised = frozenset(field.sides_of_hexes) & shut(battle)
    built = [key for key in field.once("closed as drawn", lambda: _closed(field)) if closed(battle, key)]
    within = [key for key in built if key not in raised and _of_building(battle, key)]
    apart = bits.mask(within)
    return Ground(bits, solid, keeps, (bits.mask(built) | bits.mask(raised)) & ~apart, apart, drawn.openings)


def _closed(field: Any) -> tuple[str, ...]:
    return tuple(
        key
        for key, features in field.sides_of_hexes.items()
        if any(field.side_features[feature.kind].blocks_line for feature in features)
    )


def _as_drawn(field: Any) -> Ground:
    from pbem.geometry import fan

    bits = fan.frame(field.columns, field.rows)
    grounds = field.ground.items()
    opening_sides = [
        key
        for key, features in field.sides_of_hexes.items()
        if any(field.side_features[feature.kind].opening for feature in features)
    ]
    return Ground(
        bits,
        bits.mask(hex_ for hex_, ground in grounds if ground.blocks_line and not ground.flat),
        bits.mask(hex_ for hex_, ground in grounds if ground.opening == "keep" and not ground.flat),
        0,
        0,
        bits.mask(field.openings) | bits.mask(opening_sides),
    )


def _of_building(battle: Battle, key: str) -> bool:
    """Tell whether a wall is one of a tower or keep (``heights.of_a_building`` of who is not within)."""
    ground, features = battle.field.ground, battle.features
    return any(
        hex_ in ground and ground[hex_].floor in slits.BUILDINGS and (hex_, "rubble") not in features
        for hex_ in beside(key)
    )


def known(rules: Rules) -> bool:
    """Tell whether nothing but this ruleset says what shots meet, so that walls bar as here; other packages
    may have added to it.
    """
    return all(module.startswith(OURS) for module in said_in(rules))


def said_in(rules: Rules) -> Iterator[str]:
    """Yield the modules of all functions that say who shoots at whom, and what a line meets and covers."""
    shots = family.of(rules).shots
    said: Sequence[Callable[..., Any]] = (
        *shots.settles,
        *shots.gives,
        *shots.weapons,
        *shots.despite,
        *shots.bars,
        *shots.over,
        *shots.only.values(),
        *(one for screen in shots.screens for one in (screen.where, screen.hides)),
    )
    return (function.__module__ for function in said)


# --- what is left between two places


def only(battle: Battle, view: View | None, start: str, end: str, first: tuple[sight.Line, ...]) -> Lines:
    """Return some lines that run for their own sake, and no others."""
    from pbem.geometry import fan

    return Lines(view, start, end, (True, True), first, fan.spread(frame(battle), start, end), ())


def left(
    rules: Rules,
    battle: Battle,
    between: Between,
    moved: tuple[sight.Line, ...],
    keys: Iterable[str],
    whole: bool,
) -> Lines:
    """Return the lines that may be free; ``moved`` ones for their own sake, in the place of those that meet
    one of the ``keys``.

    ``whole``: the first of all is among them whatever bars it.
    """
    from pbem.geometry import fan

    view, start, end, out, into = between
    bits = frame(battle)
    spread = fan.spread(bits, start, end, not reading.either_hex_bars(rules))
    lets_off = (out != sight.PARTS[CENTRE], into != sight.PARTS[CENTRE])
    pairs = [(first, last) for first in _parts(out) for last in _parts(into)]
    bars = barred(rules, battle, view, start, end, spread.whole)
    needs = exits(battle, view)
    if bars is None or not all(needs):
        free: tuple[bool, ...] = ()
    else:
        shot_by = [hexside(hex_, side) for hex_, side in ((start, out), (end, into)) if side in SIDES]
        free = spread.free((bars & ~bits.mask(shot_by)) | bits.mask(keys), needs)
    if view is None and any(free) and crests.may_bar(battle, spread):
        hidden = crests.barred(rules, battle, start, end)
        free = tuple(one and not bars for one, bars in zip(free, hidden, strict=True))
    size = len(sight.PARTS)
    kept = tuple(pair for pair in pairs if free[pair[0] * size + pair[1]]) if free else ()
    stays = whole and not moved
    barred_too = tuple(pairs[:1]) if stays and kept[:1] != tuple(pairs[:1]) else ()
    return Lines(view, start, end, lets_off, moved, spread, kept, barred_too, int(stays))


def _parts(part: str) -> Sequence[int]:
    number = sight.PARTS.index(part)
    return _PARTS if number == CENTRE else (number,)


# --- what bars between two places


def barred(rules: Rules, battle: Battle, view: View | None, start: str, end: str, whole: int) -> int | None:
    """Return the mask of what bars within a mask, for who looks so from the one hex at the other; None where
    nothing lets them see each other.
    """
    if _apart(rules, battle, view, start, end):
        return None
    bars = _whoever_looks(rules, battle, view) & whole
    return bars | frame(battle).mask(_barring(rules, battle, view, start, end, whole))


def certainly(rules: Rules, battle: Battle, view: View | None, track: sight.Line, met: int) -> int | None:
    """Return the mask of what certainly bars a single line of all that is built and grown on it, one of it
    where there is more: as long as that stays, and its ends, it is barred. None where it is not certain; to
    be asked only where one barring hex is enough.
    """
    if bars := _whoever_looks(rules, battle, view) & met:
        return bars & -bars
    for region in _shut_buildings(battle, view):
        if not _exits(battle, region) & met:
            return _hexes_of(battle, region) & met
    start, end = track.start.hex, track.end.hex
    if _apart(rules, battle, view, start, end):
        return round_about(battle, start) | round_about(battle, end)
    hides = next(_barring(rules, battle, view, start, end, met), None)
    return None if hides is None else frame(battle).mask((hides,))


def _apart(rules: Rules, battle: Battle, view: View | None, start: str, end: str) -> bool:
    """Tell whether nobody shoots from the one hex at the other, whatever lies between."""
    keeps = ground(rules, battle).keeps
    if keeps and keeps & frame(battle).mask((start, end)):
        return True
    return view is not None and heights.why_not(rules, battle, view, {}) is not None


def _whoever_looks(rules: Rules, battle: Battle, view: View | None) -> int:
    """Return the mask of what bars between two places that lie so to each other, with no further question."""
    now = ground(rules, battle)
    if view is None:
        return now.solid | now.keeps | now.walls | now.buildings
    return now.keeps | now.walls | (now.buildings if view.inside else 0)


def _barring(
    rules: Rules, battle: Battle, view: View | None, start: str, end: str, whole: int
) -> Iterator[str]:
    """Yield the hexes and hexsides of a mask that bar by how two places lie to each other."""
    if view is None:
        return
    now, bits, ends = ground(rules, battle), frame(battle), (start, end)
    for hex_ in bits.among(now.solid & whole):
        if hex_ not in ends and heights.hides(rules, battle, view, hex_):
            yield hex_
    if now.openings & whole:
        height = heights.level(rules, battle, view.start)
        for name in bits.among(now.openings & whole):
            if name not in ends and _on_another_level(rules, battle, view, name, height):
                yield name


def _on_another_level(rules: Rules, battle: Battle, view: View, name: str, height: int) -> bool:
    """Tell whether somebody on a height may not shoot through the opening in a hex, or on a hexside."""
    field = battle.field
    if name in field.openings:
        here = field.ground[name]
        level = here.level if openings.restricts(here.opening) else height
        plain = terrain_at(rules, battle, name).flat
        return level != height and not plain and not heights.passed_by(battle, view, (name,))
    between = beside(name)
    if not field.openings.isdisjoint(between) or heights.passed_by(battle, view, between):
        return False
    return any(
        openings.restricts(field.side_features[one.kind].opening) and field.ground[one.at].level != height
        for one in field.sides_of_hexes[name]
    )


def exits(battle: Battle, view: View | None) -> tuple[int, ...]:
    """Return the masks of which a line must meet something each: doors and breaches by which it leaves a
    building where no slit lets it out.
    """
    return tuple(_exits(battle, region) for region in _shut_buildings(battle, view))


def _shut_buildings(battle: Battle, view: View | None) -> Iterator[int]:
    """Yield the buildings of which a line may lead out by a door or a breach alone."""
    if view is None or view.inside:
        return
    field, features = battle.field, battle.features
    for place, by in ((view.start, view.out), (view.end, view.into)):
        if by or place not in field.ground or field.ground[place].floor not in slits.BUILDINGS:
            continue
        if place in field.openings or (place, "rubble") in features:
            continue
        yield slits.regions(battle)[place]


def _hexes_of(battle: Battle, region: int) -> int:
    kept: dict[int, int] = battle.field.once("hexes of regions", dict)
    if region not in kept:
        of = slits.regions(battle)
        kept[region] = frame(battle).mask(hex_ for hex_ in of if of[hex_] == region)
    return kept[region]


def _exits(battle: Battle, region: int) -> int:
    kept: dict[int, int] = battle.once("exits", dict)
    if region not in kept:
        field, of = battle.field, slits.regions(battle)
        names = [
            hex_
            for hex_ in field.ground
            if of.get(hex_) == region and (hex_ in field.openings or (hex_, "rubble") in battle.features)
        ]
        names += [
            key
            for key, features in field.sides_of_hexes.items()
            if any(field.side_features[feature.kind].opening for feature in features)
            and any(of.get(hex_) == region for hex_ in beside(key))
        ]
        kept[region] = frame(battle).mask(names)
    return kept[region]
