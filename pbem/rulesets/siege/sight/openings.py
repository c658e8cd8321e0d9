"""Doorways, gateways and windows in the way of a shot: which of them it passes, and whether it may.

What cover they give is ``cover``; where they are, and which way they face, is ``doorways``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pbem.core.problem import Problem
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import beside
from pbem.rulesets.siege.ground import heights
from pbem.rulesets.siege.state.line import Line, Opening
from pbem.rulesets.siege.state.state import Battle, Unit

Rules = Ruleset[Battle]
DOORWAYS: Final = ("door", "arch", "gate")
"""Features of hexsides that are doorways: one can stand in them, as nobody can in a window."""


def openings(battle: Battle, line: Line) -> tuple[Opening, ...]:
    """Return the openings that a line passes through, hexes before hexsides, without one in whose middle it
    begins.

    An opening drawn on the side of a doorway hex is not a second one.
    """
    field, ground = battle.field, battle.field.ground
    found = []
    for group in line.met:
        if field.openings.issuperset(group) and not heights.passed_by(battle, line.view, group):
            here = ground[min(group)]
            found.append(Opening(min(group), here.opening, here.cover, here.level))
    for key in line.sides:
        for on_side in field.sides_of_hexes[key]:
            feature = field.side_features[on_side.kind]
            if (
                feature.opening
                and field.openings.isdisjoint(beside(key))
                and not heights.passed_by(battle, line.view, beside(key))
            ):
                found.append(Opening(key, feature.opening, feature.cover, ground[on_side.at].level))
    return tuple(found)


@rule("EN1.43c")
def is_gateway(kind: str) -> bool:
    """Tell whether an opening is the gateway of a courtyard, for which the restrictions of
    doorways hold too.
    """
    return kind == "gateway"


def restricts(kind: str) -> bool:
    """Tell whether an opening restricts who shoots through it."""
    return kind in ("doorway", "window") or is_gateway(kind)


@rule("S1.43a")
def on_one_level(rules: Rules, battle: Battle, line: Line, opening: Opening) -> bool:
    """Tell whether a shooter stands on the level of an opening, so that he can shoot through it."""
    return line.view is None or heights.level(rules, battle, line.view.start) == opening.level


@rule("S1.43c")
def at_the_keep(battle: Battle, line: Line) -> bool:
    """Tell whether a line begins in, leads to or passes the entrance of a keep, where nobody shoots."""
    field = battle.field
    hexes = (line.start, line.end, *(hex_ for group in line.met for hex_ in group))
    return any(field.ground[hex_].opening == "keep" for hex_ in hexes if hex_ in field.openings)


@rule("EN1.43b")
def second_opening(rules: Rules, battle: Battle, line: Line, passed: Sequence[Opening]) -> Opening | None:
    """Return the opening that is one too many: a line crosses one (option).

    Where shooter and target stand in one, that is not crossed.
    """
    if rules.setting("two_openings_block") != "true":
        return None
    crossed = [opening for opening in passed if not just_outside(battle, line.end, opening.where)]
    return crossed[1] if len(crossed) > 1 else None


def just_outside(battle: Battle, hex_: str, key: str) -> bool:
    """Tell whether a hex is the one right outside an opening that is drawn on a hexside; a window has nobody
    standing in it there.
    """
    found = battle.field.sides_of_hexes.get(key, ())
    return any(feature.kind in DOORWAYS and feature.at != hex_ and hex_ in beside(key) for feature in found)


def openings_bar(rules: Rules, battle: Battle, shooter: Unit, target: Unit, line: Line) -> Problem | None:
    """Return why a shot cannot go through the openings in its way; None if it can, or there are none."""
    names = {"unit": shooter.id, "target": target.id}
    if at_the_keep(battle, line):
        return Problem("line_of_fire.keep", names, rule="S1.43c")
    passed = [opening for opening in openings(battle, line) if restricts(opening.kind)]
    for opening in passed:
        if not on_one_level(rules, battle, line, opening):
            return Problem(
                "line_of_fire.doorway-level",
                {**names, "where": opening.where, "opening": opening.kind},
                rule="S1.43a",
            )
    if second := second_opening(rules, battle, line, passed):
        args = {**names, "where": second.where, "opening": second.kind}
        return Problem(
            "line_of_fire.two-openings",
            args,
            rule="EN1.43b",
            help="one shot goes through one doorway, gateway or window",
        )
    return None
