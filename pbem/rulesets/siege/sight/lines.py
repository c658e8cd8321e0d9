"""The lines that a shot may take from one place to another, and what lies on them.

A line begins and ends in the centre of a hex, in the middle of a doorway, or at the side of a parapet or an
arrow slit. Whether what it meets bars the shot is ``line_of_fire``; the geometry is exact and lives in
``geometry.sight``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, Final

from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.geometry import sight
from pbem.geometry.hex import SIDES, distance, hex_of, hexside
from pbem.rulesets.siege.ground import doorways, heights, slits
from pbem.rulesets.siege.ground.terrain import ground_now, shut
from pbem.rulesets.siege.sight import any_part, near, reading
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state.field import Field
from pbem.rulesets.siege.state.line import Line, Ray, View
from pbem.rulesets.siege.state.state import Battle, Unit

Rules = Ruleset[Battle]

CENTRE: Final = "centre"
RAYS: Final = "rays"
ANY_PART: Final = "lines of any part"
EVERYTHING: Final = -1
"""The mask of what may meet anything."""
Figures = Callable[[int, Sequence[str], View | None, int], int]
"""(length, own, view, mask): the hexes of the mask with figures that bar so long a shot of who looks so."""


def nobody(length: int, own: Sequence[str], view: View | None, mask: int) -> int:
    """Return that no figure is asked about."""
    return 0


def stands_in(battle: Battle, unit: Unit) -> tuple[str, ...]:
    """Return the hexes in which a figure can be shot at, head first: its own, or those of its horse; none off
    the map.
    """
    return unit.hexes


def where(battle: Battle, unit: Unit) -> str:
    """Return the hex a figure shoots from, of two the one of its head; empty off the map."""
    return unit.hexes[0] if unit.at else ""


@rule("S3.31d")
def either_hex(start: str, hexes: Sequence[str]) -> tuple[str, ...]:
    """Return in which of its hexes a figure of two is shot at: in either, the nearer first, of equal ones
    that of its head.
    """
    return tuple(sorted(hexes, key=lambda hex_: distance(start, hex_)))


def lines(
    rules: Rules, battle: Battle, shooter: Unit, target: Unit, at: str = "", across: str = ""
) -> Iterator[Line]:
    """Yield the lines a shot may take, to the nearer hex of the target first, or only to the one ``at``; both
    must be on the map.

    ``across`` names the one side of his hex by which the shooter shoots, where he has more than one.
    """
    start, hexes = where(battle, shooter), stands_in(battle, target)
    own = (
        (shooter.id, target.id, battle.rider_of.get(target.id, ""))
        if len(hexes) + len(shooter.at) > 2
        else ()
    )
    ends = (at,) if at else hexes if len(hexes) == 1 else either_hex(start, hexes) or hexes[:1]
    high = heights.matter(rules, battle)
    for end in ends:
        length = distance(start, end)
        if high and keeps_rays(rules) and not reading.from_any_part(rules):
            yield from (
                along(battle, ray, own)
                for ray in rays(rules, battle, shooter.at[0], place_in(target, end), across)
            )
            continue
        if high:
            for track, view in by_height(rules, battle, shooter.at[0], place_in(target, end), across):
                met, sides = between(rules, battle, track)
                yield Line(start, end, length, track, met, sides, own, view)
            continue
        for track in tracks(rules, battle, start, end):
            met, sides = between(rules, battle, track)
            yield Line(start, end, length, track, met, sides, own)


def open_lines(
    rules: Rules,
    battle: Battle,
    shooter: Unit,
    target: Unit,
    at: str = "",
    across: str = "",
    figures: Figures = nobody,
) -> Iterator[Line]:
    """Return of the ``lines`` those that may be free, and of each hex of the target the first, whatever bars
    it.

    ``figures`` tells in which hexes figures bar, whatever else there is.
    """
    if reading.from_any_part(rules):
        return _open_of_any_part(rules, battle, shooter, target, at, across, figures)
    return lines(rules, battle, shooter, target, at, across)


def _open_of_any_part(
    rules: Rules, battle: Battle, shooter: Unit, target: Unit, at: str, across: str, figures: Figures
) -> Iterator[Line]:
    start, hexes = where(battle, shooter), stands_in(battle, target)
    own = (
        (shooter.id, target.id, battle.rider_of.get(target.id, ""))
        if len(hexes) + len(shooter.at) > 2
        else ()
    )
    for end in (at,) if at else either_hex(start, hexes):
        length = distance(start, end)
        for some in of_any_part(rules, battle, shooter.at[0], place_in(target, end), across).found:
            for _, track in some.tracks(figures(length, own, some.view, some.spread.whole)):
                met, sides = between(rules, battle, track)
                yield Line(start, end, length, track, met, sides, own, some.view)


def of_any_part(
    rules: Rules, battle: Battle, here: str, there: str, across: str = ""
) -> near.Variant[tuple[any_part.Lines, ...]]:
    """Return the lines by the option that ground and walls between two places do not certainly bar, and the
    first of all; worked out once for as long as walls and things stay as they are.
    """

    def work_out() -> tuple[int, tuple[any_part.Lines, ...]]:
        found = tuple(_of_any_part(rules, battle, here, there, across))
        mask = any_part.round_about(battle, here) | any_part.round_about(battle, there)
        return mask | found[0].spread.whole, found

    return near.kept(rules, battle, ANY_PART, (here, there, across), work_out)


def _of_any_part(
    rules: Rules, battle: Battle, here: str, there: str, across: str
) -> Iterator[any_part.Lines]:
    start, end = hex_of(here), hex_of(there)
    first = True
    for view, out, into in views(rules, battle, here, there, across):
        moved: tuple[sight.Line, ...] = ()
        keys: Iterable[str] = ()
        if out == into == CENTRE:
            if parts := from_the_middle(battle, start, end):
                moved = tuple(sight.trace(sight.Point(start, part), sight.Point(end)) for part in parts)
                yield any_part.only(battle, view, start, end, moved)
                first = False
                continue
            own = through_own_side(battle, start, end) if battle.field.sides_of_hexes else ()
            moved = tuple(sight.trace(sight.Point(start, side), sight.Point(end)) for side in own)
            keys = [hexside(start, side) for side in own]
        yield any_part.left(rules, battle, (view, start, end, out, into), moved, keys, whole=first)
        first = False


def keeps_rays(rules: Rules) -> bool:
    """Tell whether lines can be kept: each hex on them bars by itself."""
    return reading.either_hex_bars(rules)


def rays(
    rules: Rules, battle: Battle, here: str, there: str, across: str = "", figures: Figures = nobody
) -> Iterable[Ray]:
    """Return the lines between two places, worked out once for as long as walls and things stay as they are;
    by the option for any parts only those that may be free, as ``open_lines`` has them.
    """
    if reading.from_any_part(rules):
        some = of_any_part(rules, battle, here, there, across).found
        return _rays_of_any_part(rules, battle, some, figures)
    return kept(rules, battle, here, there, across).found


def kept(rules: Rules, battle: Battle, here: str, there: str, across: str) -> near.Variant[tuple[Ray, ...]]:
    """Return the lines between two places, and all on which they depend, where they do not join any parts."""

    def work_out() -> tuple[int, tuple[Ray, ...]]:
        found = tuple(
            _ray(rules, battle, track, view) for track, view in by_height(rules, battle, here, there, across)
        )
        mask = any_part.round_about(battle, here) | any_part.round_about(battle, there)
        for ray in found:
            mask |= ray.mask
        return mask, found

    return near.kept(rules, battle, RAYS, (here, there, across), work_out)


def already(rules: Rules, battle: Battle, here: str, there: str, across: str) -> near.Variant[Any] | None:
    """Return what is known of the ``rays`` between two places, or by the option of ``of_any_part``, and all
    on which it depends; None where nobody has looked.
    """
    name = ANY_PART if reading.from_any_part(rules) else RAYS
    return near.already(rules, battle, name, (here, there, across))


def shut_off(rules: Rules, battle: Battle, here: str, there: str, across: str = "") -> int:
    """Return the mask of all on which it depends that nobody shoots from one place at another, whoever stands
    about; none where ground and walls do not certainly bar it, and it has not been found out.
    """
    if reading.from_any_part(rules):
        some = of_any_part(rules, battle, here, there, across)
        return some.mask if all(one.shut() for one in some.found) else 0
    if known := already(rules, battle, here, there, across):
        return known.mask if all(ray.barred for ray in known.found) else 0
    mask = near.itself(rules, battle, here) | near.itself(rules, battle, there)
    frame = any_part.frame(battle)
    for track, view in by_height(rules, battle, here, there, across):
        met = sight.mask(track, frame.stride, frame.bits[track.start.hex])
        bars = any_part.certainly(rules, battle, view, track, met)
        if bars is None:
            return 0
        mask |= bars
    return mask


def _rays_of_any_part(
    rules: Rules, battle: Battle, between_: Sequence[any_part.Lines], figures: Figures
) -> Iterator[Ray]:
    for some in between_:
        length = distance(some.start, some.end)
        for number, track in some.tracks(figures(length, (), some.view, some.spread.whole)):
            if number not in some.rays:
                some.rays[number] = _ray(rules, battle, track, some.view)
            yield some.rays[number]


def _ray(rules: Rules, battle: Battle, track: sight.Line, view: View | None) -> Ray:
    frame = any_part.frame(battle)
    return ray(rules, battle, track, view, sight.mask(track, frame.stride, frame.bits[track.start.hex]))


def ray(
    rules: Rules, battle: Battle, track: sight.Line, view: View | None = None, mask: int = EVERYTHING
) -> Ray:
    """Return a track with what walls and ground leave on it, and the mask of all that it meets."""
    ground, built, rough = battle.field.ground, battle.field.sides_of_hexes, not_flat(rules, battle)
    asked = tuple(hex_ for hex_ in sight.hexes_met(track, reading.mode(rules)) if hex_ in ground)
    keys = sight.sides_met(track)
    uneven = rough.intersection(asked)
    still = tuple((hex_,) for hex_ in asked if hex_ in uneven)
    sides = tuple(key for key in keys if key in built)
    return Ray(track, view, asked, still, uneven, sides, mask, [], [], [])


def along(battle: Battle, ray: Ray, own: tuple[str, ...] = ()) -> Line:
    """Return the line of a ray with what it meets now: ground that is not plain, and hexes with figures in
    them.
    """
    there = battle.living_in
    met = tuple([(hex_,) for hex_ in ray.asked if hex_ in ray.uneven or hex_ in there])
    return ray.settled[0].line if ray.settled and met == ray.still and not own else _line(ray, met, own)


def still(ray: Ray) -> Line:
    """Return the line of a ray with what it meets while nobody stands in it."""
    return _line(ray, ray.still)


def _line(ray: Ray, met: tuple[tuple[str, ...], ...], own: tuple[str, ...] = ()) -> Line:
    start, end = ray.track.start.hex, ray.track.end.hex
    length = distance(start, end)
    return Line(start, end, length, ray.track, met, ray.sides, own, ray.view, None if own else ray)


def living(battle: Battle) -> int:
    """Return the mask of the hexes with living figures in them."""
    known = battle.asked[None]
    if "living" not in known:
        known["living"] = any_part.frame(battle).mask(battle.living_in)
    found: int = known["living"]
    return found


def place_in(unit: Unit, hex_: str) -> str:
    """Return the place of a figure that lies in one of its hexes; the hex itself where it has none there."""
    if hex_ in unit.at:
        return hex_
    return next((place for place in unit.at if hex_of(place) == hex_), hex_)


def line(rules: Rules, battle: Battle, shooter: Unit, target: Unit) -> Line:
    """Return the first line a shot may take, whatever lies in its way."""
    return next(lines(rules, battle, shooter, target))


def views(
    rules: Rules, battle: Battle, here: str, there: str, across: str = ""
) -> Iterator[tuple[View | None, str, str]]:
    """Yield the parts of the two hexes by which lines between two places begin and end, and how the places
    lie to each other; where heights do not matter, centre and centre.
    """
    if not heights.matter(rules, battle):
        yield None, CENTRE, CENTRE
        return
    start, end = hex_of(here), hex_of(there)
    for out in slits.starts(battle, here, end, across):
        for into in slits.stops(rules, battle, there, start):
            sides = (part if part != CENTRE else "" for part in (out, into))
            yield heights.view(rules, battle, here, there, *sides), out, into


def by_height(
    rules: Rules, battle: Battle, here: str, there: str, across: str = ""
) -> Iterator[tuple[sight.Line, View | None]]:
    """Yield the tracks between two places, and how these lie to each other, where parapets and arrow slits
    may begin and end them.
    """
    start, end = hex_of(here), hex_of(there)
    for view, out, into in views(rules, battle, here, there, across):
        if out == into == CENTRE:
            yield from ((track, view) for track in tracks(rules, battle, start, end))
            continue
        for first in parts_of(rules, out):
            for last in parts_of(rules, into):
                free = sight.trace(
                    sight.Point(start, first),
                    sight.Point(end, last),
                    lets_off=(out != CENTRE, into != CENTRE),
                )
                yield free, view


def parts_of(rules: Rules, part: str) -> tuple[str, ...]:
    """Return the parts of a hex in which a line may begin or end: of one that begins in its centre by itself,
    any (option).
    """
    return sight.PARTS if part == CENTRE and reading.from_any_part(rules) else (part,)


def tracks(rules: Rules, battle: Battle, start: str, end: str) -> Iterable[sight.Line]:
    """Return the tracks from a hex to another: from the middle of a doorway that the shooter stands in, else
    from centre to centre.
    """
    plain = sight.lines_any_part(start, end) if reading.from_any_part(rules) else (sight.between(start, end),)
    field = battle.field
    if field.openings and (parts := from_the_middle(battle, start, end)):
        return [sight.trace(sight.Point(start, part), sight.Point(end)) for part in parts]
    if not field.sides_of_hexes or not (own := through_own_side(battle, start, end)):
        return plain
    keys = {hexside(start, side) for side in own}
    moved = (sight.trace(sight.Point(start, side), sight.Point(end)) for side in own)
    return chain(moved, (track for track in plain if keys.isdisjoint(sight.sides_met(track))))


@rule("S1.43b")
def from_the_middle(battle: Battle, start: str, end: str) -> tuple[str, ...]:
    """Return the part of a doorway hex in which a shot out of it begins, the middle of the opening on the
    target's side; elsewhere none.
    """
    face = doorways.face_toward(battle, start, end) if start in battle.field.openings else ()
    return (doorways.middle(face),) if face else ()


@rule("EN1.43a")
def through_own_side(battle: Battle, start: str, end: str) -> tuple[str, ...]:
    """Return the sides of a shooter's hex with an opening in them by which he shoots at a target: there the
    shot begins, in the middle.
    """
    drawn = battle.field.once("sides with openings", lambda: _with_openings(battle.field)).get(start, ())
    return tuple(
        side for side in drawn if hexside(start, side) not in shut(battle) and slits.outward(start, side, end)
    )


def _with_openings(field: Field) -> dict[str, tuple[str, ...]]:
    """Return hex -> its sides with an opening in them, as the map has drawn them; without those that have
    none.
    """
    keys = {
        key
        for key, features in field.sides_of_hexes.items()
        if any(field.side_features[feature.kind].opening for feature in features)
    }
    found = {hex_: tuple(side for side in SIDES if hexside(hex_, side) in keys) for hex_ in field.ground}
    return {hex_: sides for hex_, sides in found.items() if sides}


# --- what is between


def between(
    rules: Rules, battle: Battle, track: sight.Line
) -> tuple[tuple[tuple[str, ...], ...], tuple[str, ...]]:
    """Return what a track meets, as ``Line.met`` and ``Line.sides`` keep it: figures, ground that is not
    flat, and built-up hexsides.

    The geometry asks for hexes and hexsides one by one in the order of the way, and never for the hexes of
    the ends.
    """
    living, rough, built = battle.living_in, not_flat(rules, battle), battle.field.sides_of_hexes
    found = [hex_ for hex_ in sight.hexes_met(track, reading.mode(rules)) if hex_ in rough or hex_ in living]
    sides = [key for key in sight.sides_met(track) if key in built] if built else []
    if not found or reading.either_hex_bars(rules):
        return tuple([(hex_,) for hex_ in found]), tuple(sides)
    pairs = {hex_: pair for pair in track.spines for hex_ in pair}
    groups = dict.fromkeys(tuple(str(one) for one in pairs.get(hex_, (hex_,))) for hex_ in found)
    return tuple(group for group in groups if all(hex_ in found for hex_ in group)), tuple(sides)


def screened(rules: Rules, battle: Battle) -> frozenset[str]:
    """Return the hexes with a thing in them that may hide who is behind it."""
    if not battle.things:
        return frozenset()
    return battle.once(
        "screened",
        lambda: frozenset(hex_ for screen in family.of(rules).shots.screens for hex_ in screen.where(battle)),
    )


def not_flat(rules: Rules, battle: Battle) -> frozenset[str]:
    """Return the hexes that are not plain as they are now: by their ground, or by a thing that may hide who
    is behind it.
    """
    return battle.once("not flat", lambda: _not_flat(rules, battle))


def _not_flat(rules: Rules, battle: Battle) -> frozenset[str]:
    field = battle.field
    drawn: frozenset[str] = field.once(
        "not flat", lambda: frozenset(hex_ for hex_, ground in field.ground.items() if not ground.flat)
    )
    now, screens = ground_now(rules, battle), screened(rules, battle)
    if not (now or screens):
        return drawn
    other = {place for place, ground in now.items() if place in field.ground and not ground.flat}
    return (drawn - now.keys()) | other | screens
