"""Things that are set up: how many men carry one, which hexes it takes up, on which ground it cannot stand.

How a scenario names them is ``gear_file``; where its side may place one in the setup is ``placing``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import SIDES, NotAPlace, side_between, split_place
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state.field import EVEN, FILLED, MOAT, Terrain
from pbem.rulesets.siege.state.state import TOP, Battle
from pbem.rulesets.siege.things import engines

Rules = Ruleset[Battle]

LADDER, OIL, MANTLET, BALLISTA = "ladder", "oil", "mantlet", "ballista"
FACING: Final = (BALLISTA, "mangonel", MANTLET, *engines.KINDS)
"""Kinds of things that look to a side."""


def men(rules: Rules, kind: str) -> int:
    """Return how many men carry a thing of a kind, one in each of its hexes; 0 where nobody carries it."""
    row = rules.tables["gear"]["carried"].get(kind)
    return int(row["men"]) if row else 0


def shape(rules: Rules, kind: str, at: Sequence[str], facing: str) -> tuple[str, ...]:
    """Return the hexes of a thing placed so, the front one first; none where that is not a shape of its kind.

    An engine of several hexes is told by its front hex and the side it looks to, or by all of them and the
    side.
    """
    if kind in engines.KINDS and facing not in SIDES:
        return ()
    try:
        if kind in engines.KINDS:
            covers = len(engines.row(rules, kind)["hexes"])
            if len(at) not in (1, covers):
                return ()
            fronts = at if len(at) == covers else at[:1]
            shapes = (engines.footprint(rules, kind, front, facing) for front in fronts)
            return next((found for found in shapes if set(found) >= set(at)), ())
        if kind == LADDER:
            return tuple(at) if len(at) == 2 and side_between(at[0], at[1]) else ()
    except NotAPlace:
        return ()
    if family.of(rules).kinds[kind].over is not None:
        return tuple(at) if all(len(hex_) == len("0712") and hex_.isdigit() for hex_ in at) else ()
    if family.of(rules).kinds[kind].lifted and len(at) == 1 and split_place(at[0])[1] == TOP:
        return tuple(at)
    return tuple(at) if len(at) == 1 and at[0].isdigit() else ()


def barred(kind: str, ground: Terrain) -> bool:
    """Tell whether a thing cannot stand on a ground: where no man goes, a mantlet where no horse goes, an
    engine off level ground.

    A ballista stands on any ground that men go to, but not down in the moat.
    """
    if kind in engines.KINDS:
        return EVEN not in ground.traits
    if kind == MANTLET:
        return ground.mp_horse is None and FILLED not in ground.traits
    return ground.mp_foot is None or (kind == BALLISTA and MOAT in ground.traits)
