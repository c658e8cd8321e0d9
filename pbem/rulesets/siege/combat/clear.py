"""Shots that are clear: how somebody shoots at a target, or that he cannot, by what is settled of the two
places (``ways``) and by where others stand, without asking the rules one by one.

Why somebody cannot shoot, and whatever is in doubt, is asked of ``aiming``.
"""

from __future__ import annotations

from collections.abc import Callable, Container

from msgspec import Struct
from msgspec import field as given

from pbem.core.problem import Problem
from pbem.core.ruleset import Ruleset
from pbem.rulesets.siege.combat import misfire, ranges
from pbem.rulesets.siege.ground import on_ladders
from pbem.rulesets.siege.sight import cover, line_of_fire, near, reading, ways
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state.line import Aim
from pbem.rulesets.siege.state.state import Battle, Unit

Rules = Ruleset[Battle]


class Stand(Struct, frozen=True):
    """Who may shoot where he stands, as far as that is the same at whomever he shoots."""

    weapon: str
    flat: bool
    """Whether he never shoots over anybody."""
    foes: frozenset[str]
    bars: tuple[Callable[[Rules, Battle, Unit, Unit], Problem | None], ...]
    row: near.Row[ways.Way]
    crowd: ways.Crowd
    friends: int
    """Where somebody of his side stands, himself too, as a mask."""
    bands: dict[int, tuple[str, Container[str]]] = given(default_factory=dict)
    """By how many hexes he shoots: the range band, and in which cover a target may be for his shot to pass
    over others.
    """
    known: dict[str | Unit, Aim | ways.Unsure | None] = given(default_factory=dict)
    """How he shoots at whom, as far as it was asked."""


def stand_of(rules: Rules, battle: Battle, shooter: Unit) -> Stand | None:
    """Return what is the same at whomever somebody shoots; None where each shot has to be asked about."""
    if not ways.keeps(rules, battle):
        return None
    known, asked = battle.seen[rules], ("stand", battle.known_as(shooter))
    if asked not in known:
        known[asked] = _new_stand(rules, battle, shooter)
    found: Stand | None = known[asked]
    return found


def _new_stand(rules: Rules, battle: Battle, shooter: Unit) -> Stand | None:
    if len(shooter.at) != 1 or reading.from_any_part(rules) or on_ladders.on(battle, shooter):
        return None
    crowd = ways.crowd(rules, battle)
    return Stand(
        ranges.weapon_of(rules, battle, shooter),
        line_of_fire.shoots_flat(rules, battle, shooter),
        frozenset(battle.foes_of(shooter)),
        family.here(rules, battle).shots.bars,
        near.row(rules, battle, shooter.at[0], ""),
        crowd,
        crowd.of_side.get(shooter.side, 0),
    )


def aimed(
    rules: Rules, battle: Battle, shooter: Unit, target: Unit, stand: Stand | None
) -> Aim | ways.Unsure | None:
    """Return how somebody shoots at a target, None if he cannot, where that follows from what is settled of
    the two places and from where others stand.
    """
    if (
        stand is None
        or len(target.at) != 1
        or target.id not in stand.foes
        or battle.units[target.id] is not target
    ):
        return ways.UNSURE
    who = target if target.did else target.id
    if who not in stand.known:
        stand.known[who] = _settled(rules, battle, shooter, target, stand)
    return stand.known[who]


def _settled(
    rules: Rules, battle: Battle, shooter: Unit, target: Unit, stand: Stand
) -> Aim | ways.Unsure | None:
    there = target.at[0]
    way = stand.row.ways.get(there)
    length = ranges.range_to(battle, shooter, target) if way is None else way.length
    if length not in stand.bands:
        stand.bands[length] = _reach(rules, stand, length)
    reached, over = stand.bands[length]
    if not reached:
        return None
    way = way or ways.between(rules, battle, shooter.at[0], there)
    if way is None:
        return ways.UNSURE
    found = ways.free(rules, battle, shooter, target, way, stand.crowd, over)
    if found is None or isinstance(found, ways.Unsure):
        return found
    for bars in stand.bars:
        if bars(rules, battle, shooter, target):
            return None
    if stand.friends & way.around and misfire.why_not(rules, battle, shooter, target, there):
        return None
    line, known = found
    return Aim(line, reached, known.cover, known.rule)


def _reach(rules: Rules, stand: Stand, length: int) -> tuple[str, Container[str]]:
    band = ranges.band(rules, stand.weapon, length)
    if stand.flat:
        return band, ()
    return band, [class_ for class_ in cover.CLASSES if line_of_fire.may_shoot_over(band, class_)]
