"""How one shoots from one place at another, as far as it is settled before it is known who stands about.

Theory of operation. Most of a shot follows from the two places alone: by which sides the shooter may choose,
along which lines, what bars these, which cover they leave. So for each place there is a row of the places at
which one shoots from there, with their lines (``Way``), kept like these (``near``) for as long as nothing
near them changes; a place at which nobody shoots from there has a way without lines. Who asks about one
figure after the other looks up its place and compares two masks: what a line meets, and where somebody
stands. Where that leaves a doubt, be it that somebody stands on a storey or lies in hiding, or that the cover
of the target is its own choice (``S1.53b``), the rules are asked as of any other shot (``aiming``).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Mapping, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import distance, hex_of
from pbem.rulesets.siege.ground import heights, slits
from pbem.rulesets.siege.sight import any_part, cover, crests, line_of_fire, lines, near, reading
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state.line import Line, Ray, Settled
from pbem.rulesets.siege.state.once import ByRules
from pbem.rulesets.siege.state.state import STUNNED, Battle, Unit

Rules = Ruleset[Battle]
CROWD: Final = ("crowd",)
KEPT: Final = ("lines kept",)
LEVEL: Final = "lines on the level"
Free = tuple[Line, Settled]
"""A line as it is now, and what is settled of it: one can shoot along it."""


class Unsure:
    """That the rules have to be asked."""


UNSURE: Final = Unsure()


class Way(Struct, frozen=True):
    """How one shoots from one place at another."""

    mask: int
    """All on which it depends."""
    length: int
    by_side: tuple[tuple[Ray, ...], ...]
    """The lines by each of the sides among which the shooter may choose; none where nobody shoots so."""
    around: int
    """The hexes about the target and its own, where somebody shoots so."""

    @property
    def shut(self) -> bool:
        """Tell whether it is known that nobody shoots so, whoever stands about."""
        return all(ray.barred for rays in self.by_side for ray in rays)


# --- by which sides


def keeps(rules: Rules, battle: Battle) -> bool:
    """Tell whether lines are kept by the places between which they run."""
    known = battle.seen[rules]
    if KEPT not in known:
        known[KEPT] = lines.keeps_rays(rules) and (
            heights.matter(rules, battle) or reading.from_any_part(rules)
        )
    found: bool = known[KEPT]
    return found


def by_which_sides(rules: Rules, battle: Battle, here: str, there: str) -> tuple[str, ...]:
    """Return the sides with a parapet or an arrow slit by which one shoots from one place at another; none
    where that is from the centre.
    """
    return slits.by(battle, here, there) if heights.matter(rules, battle) else ()


def sides_to_try(rules: Rules, battle: Battle, here: str, there: str, across: str = "") -> tuple[str, ...]:
    """Return the sides of his hex among which a shooter who named one, or none, shoots by that with the least
    cover; empty texts leave it to the line.
    """
    return (across,) if across else choice(by_which_sides(rules, battle, here, there))


def choice(sides: Sequence[str]) -> tuple[str, ...]:
    """Return the same of the sides there are."""
    return slits.to_choose_from(sides) or ("",)


# --- what is settled


def settled(rules: Rules, battle: Battle, shooter: Unit, target: Unit, ray: Ray) -> Settled | None:
    """Return what is settled of the line between two figures of one hex; None where it is that of a doorway,
    in which the target chooses from which side it is sheltered.
    """
    if ray.settled:
        return ray.settled[0]
    if ray.track.end.hex in battle.field.openings:
        return None
    line = lines.still(ray)
    class_, owed = cover.cover(rules, battle, shooter, target, line)
    first = cover.why_not(rules, battle, shooter, target, line, class_)
    if first and first.code == cover.INFINITE and owed and family.of(rules).shots.owes:
        first = replace(first, rule=owed)
    first = first or line_of_fire.by_ground(rules, battle, shooter, target, line)
    if first is None:
        ray.open.append(True)
    last = None if first else crests.why_not(rules, battle, shooter, target, line)
    ray.settled.append(Settled(line, class_, owed, first, last))
    return ray.settled[0]


def between(rules: Rules, battle: Battle, here: str, there: str, across: str = "") -> Way | None:
    """Return how one shoots from one place at another, and keep it; None where that is not told by single
    lines, unless nobody does.
    """
    if not keeps(rules, battle):
        return None
    row: near.Row[Way] = near.row(rules, battle, here, across)
    if there in row.ways:
        return row.ways[there]
    mask, by_side, any_parts = 0, [], reading.from_any_part(rules)
    for side in sides_to_try(rules, battle, here, there, across):
        shut = lines.shut_off(rules, battle, here, there, side)
        if shut:
            mask |= shut
        elif any_parts:
            return None
        else:
            kept = lines.kept(rules, battle, here, there, side)
            mask |= kept.mask
            by_side.append(kept.found)
    around = any_part.round_about(battle, there) if by_side else 0
    way = Way(mask, distance(hex_of(here), hex_of(there)), tuple(by_side), around)
    return row.add(there, way, shut=not by_side)


def on_the_level(rules: Rules, battle: Battle, shooter: Unit, target: Unit) -> Ray | None:
    """Return the one line between two figures of one hex on a map without heights, with what is settled of
    it, kept for as long as things and works stay as they are; None where it is not told by one line.
    """
    kept: ByRules[dict[tuple[tuple[str, ...], ...], Ray | None]] = battle.once(LEVEL, lambda: ByRules(dict))
    known, asked = kept[rules], (shooter.at, target.at)
    if asked not in known:
        if len(known) >= near.MOST:
            known.clear()
        known[asked] = _on_the_level(rules, battle, shooter, target)
    return known[asked]


def _on_the_level(rules: Rules, battle: Battle, shooter: Unit, target: Unit) -> Ray | None:
    if not len(shooter.at) == len(target.at) == 1:
        return None
    if heights.matter(rules, battle) or not lines.keeps_rays(rules) or reading.from_any_part(rules):
        return None
    start, end = hex_of(shooter.at[0]), hex_of(target.at[0])
    if start not in battle.field.ground or end not in battle.field.ground:
        return None
    tracks = list(lines.tracks(rules, battle, start, end))
    ray = lines.ray(rules, battle, tracks[0]) if len(tracks) == 1 else None
    return ray if ray and settled(rules, battle, shooter, target, ray) else None


# --- who stands about


class Crowd(Struct, frozen=True):
    """Where somebody stands, as masks."""

    living: int
    doubtful: int
    """Where somebody does who is not in the way of every shot there: on a storey, stunned, in hiding."""
    of_side: Mapping[str, int]
    """Where somebody of a side does."""


def crowd(rules: Rules, battle: Battle) -> Crowd:
    """Return where somebody stands now."""
    known = battle.seen[rules]
    if CROWD not in known:
        known[CROWD] = _crowd(battle)
    found: Crowd = known[CROWD]
    return found


def _crowd(battle: Battle) -> Crowd:
    bits, units, living, doubtful = any_part.frame(battle).bits, battle.units, 0, 0
    of_side: defaultdict[str, int] = defaultdict(int)
    for hex_, ids in battle.living_in.items():
        bit = 1 << bits[hex_] if hex_ in bits else 0
        living |= bit
        for id_ in ids:
            unit = units[id_]
            of_side[unit.side] |= bit
            if hex_ not in unit.at or unit.hides or unit.state == STUNNED:
                doubtful |= bit
    return Crowd(living, doubtful, of_side)


def free(
    rules: Rules, battle: Battle, shooter: Unit, target: Unit, way: Way, now: Crowd, over: Container[str]
) -> Free | Unsure | None:
    """Return the line of a way along which one figure can shoot at another as everybody stands, of several
    sides that with the least cover; None where there is none.

    ``over``: in which cover a target may be for the shot to pass over others.
    """
    best: tuple[Settled, Ray, int] | None = None
    for rays in way.by_side:
        for ray in rays:
            known = ray.settled[0] if ray.settled else settled(rules, battle, shooter, target, ray)
            if known is None:
                return UNSURE
            if known.first or known.last:
                continue
            met = now.living & ray.mask
            if met & now.doubtful:
                return UNSURE
            if met and known.cover not in over and met & line_of_fire.on_the_ground(rules, battle, ray):
                continue
            if best is None or (
                known.cover != best[0].cover and cover.rank(known.cover) < cover.rank(best[0].cover)
            ):
                best = known, ray, met
            break
    if best is None:
        return None
    known, ray, crossed = best
    return lines.along(battle, ray) if crossed else known.line, known
