"""What a shot or an attack may come to, before anything is rolled: how many of the ten faces bring which
result.

Read from the same tables, rows and columns as the results themselves (``shot_odds``, ``melee_odds``); nothing
is decided here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any, Final

from msgspec.structs import replace

from pbem.core.ruleset import Ruleset
from pbem.core.table import Grid
from pbem.rulesets.siege.combat import aiming, melee, melee_odds, ranges, shot_odds
from pbem.rulesets.siege.march import beasts
from pbem.rulesets.siege.sight import near
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state.line import Aim
from pbem.rulesets.siege.state.once import ByRules
from pbem.rulesets.siege.state.state import Battle, Unit

Rules = Ruleset[Battle]

_SAID: Final = {
    "killed": "dead",
    "wounded": "wounded",
    "stunned": "stunned",
    "retreat": "driven back",
    "checked": "in cover",
}
"""Effect -> how it is said, the worst first."""


def of_shot(rules: Rules, battle: Battle, shooter: Unit, target: Unit, aimed: Aim) -> tuple[str, ...]:
    """Return what each face of the die would do to a target, as a word or two; empty for nothing."""
    table, grid = family.of(rules).shots.sheet(rules, battle, shooter, target)
    sheltered = shot_odds.column(aimed) or "none"
    added = shot_odds.added(rules, battle, shooter, ranges.shot_at(target, aimed))
    known, asked = _alike(rules, battle, shooter, target, table, added)
    found: tuple[str, ...] | None = known.get(("faces", sheltered, *asked))
    if found is None:
        found = known["faces", sheltered, *asked] = _faces(rules, battle, target, grid, added, sheltered)
    return found


def at_best(rules: Rules, battle: Battle, shooter: Unit, target: Unit) -> tuple[int, ...] | None:
    """Return what no shot at a target is worth more than, whatever cover it turns out to have; None where it
    is out of range.
    """
    if len(target.at) > 1:
        each = (at_best(rules, battle, shooter, replace(target, at=(place,))) for place in target.at)
        return max((found for found in each if found is not None), default=None)
    if aiming.out_of_range(rules, battle, shooter, target):
        return None
    table, grid = family.of(rules).shots.sheet(rules, battle, shooter, target)
    added = shot_odds.added(rules, battle, shooter, target)
    known, asked = _alike(rules, battle, shooter, target, table, added)
    found: tuple[int, ...] | None = known.get(("best", *asked))
    if found is None:
        faces = (_faces(rules, battle, target, grid, added, cover) for cover in grid.columns)
        found = known["best", *asked] = max(map(worth, faces))
    return found


def _alike(
    rules: Rules, battle: Battle, shooter: Unit, target: Unit, table: str, added: int
) -> tuple[dict[Any, Any], tuple[object, ...]]:
    """Return what is known of faces, and all that they depend on beside cover: an answer holds at every other
    moment too.
    """
    weapon, ridden = ranges.weapon_of(rules, battle, shooter), target.id in battle.rider_of
    asked = (table, weapon, added, target.kind, bool(target.on), ridden)
    kept: ByRules[dict[Any, Any]] = battle.field.once("faces", lambda: ByRules(dict, near.RULES))
    return kept[rules], asked


def _faces(
    rules: Rules, battle: Battle, target: Unit, grid: Grid, added: int, sheltered: str
) -> tuple[str, ...]:
    lowest, highest = rules.tables["ranges_and_modifiers"]["clamp_die"]
    each = []
    for die in range(1, grid.faces + 1):
        row = shot_odds.clamped(shot_odds.shifted(die, added), lowest, highest)
        code = shot_odds.result(grid, row, sheltered)
        fate = beasts.fate_of_shot(rules, battle, target, code, grid.key[code]["foot"])
        each.append(_both(fate.rider, fate.horse))
    return tuple(each)


def of_attack(
    rules: Rules, battle: Battle, defenders: Sequence[Unit], column: str
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return what each face of the die would do to the defenders, and to the attackers, in a column of the
    combat table.
    """
    grid = family.of(rules).melee.table(rules, defenders)
    theirs, ours = [], []
    for die in range(1, grid.faces + 1):
        row = melee_odds.row(grid, melee_odds.die_of(rules, battle, defenders, die))
        meaning = grid.key[melee.result(grid, row, column)]
        blow = melee.blow(meaning)
        theirs.append(_both(blow.figure, blow.horse))
        ours.append(_both(meaning["attacker"], "none"))
    return tuple(theirs), tuple(ours)


@lru_cache(maxsize=1 << 10)
def said(faces: tuple[str, ...]) -> str:
    """Return how many faces do what, the worst first: ``of 10: 1 dead, 2 wounded``; empty where none does
    anything.
    """
    count = Counter(face for face in faces if face)
    ranked = sorted(count, key=lambda face: (_rank(face), face))
    return f"of {len(faces)}: " + ", ".join(f"{count[face]} {face}" for face in ranked) if ranked else ""


@lru_cache(maxsize=1 << 10)
def worth(faces: tuple[str, ...]) -> tuple[int, ...]:
    """Return by what to compare two throws: how many faces kill, then how many wound, and so on."""
    return tuple(sum(_rank(face) == rank for face in faces if face) for rank in range(len(_SAID)))


@cache
def _rank(face: str) -> int:
    """Return how bad a result is for the figure, 0 the worst; there are some ten of them."""
    words = list(_SAID.values())
    return next((rank for rank, word in enumerate(words) if face.startswith(word)), len(words))


def _both(figure: str, horse: str) -> str:
    """Return what happens to a figure and to its horse as one word or two; empty for nothing."""
    parts = [_SAID.get(figure, ""), {"killed": "horse dead", "checked": "horse shies"}.get(horse, "")]
    return " and ".join(part for part in parts if part)
