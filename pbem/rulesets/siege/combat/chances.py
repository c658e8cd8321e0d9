"""What a shot or an attack may come to, before anything is rolled: how many of the ten faces bring which
result.

Read from the same tables, rows and columns as the results themselves (``shot_odds``, ``melee_odds``); nothing
is decided here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Final

from pbem.core.ruleset import Ruleset
from pbem.rulesets.siege.combat import aiming, melee, melee_odds, shot_odds
from pbem.rulesets.siege.combat.aiming import Aim
from pbem.rulesets.siege.march import beasts
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state.once import Answers
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
    lowest, highest = rules.tables["ranges_and_modifiers"]["clamp_die"]
    table, grid = family.of(rules).shots.sheet(rules, battle, shooter, target)
    sheltered = shot_odds.column(aimed) or "none"
    added = shot_odds.tally(rules, battle, shooter, aiming.shot_at(target, aimed))
    alike = (
        "faces",
        table,
        aiming.weapon_of(rules, battle, shooter),
        sheltered,
        added.total,
        target.kind,
        bool(target.on),
        target.id in battle.rider_of,
    )
    # all that it depends on stands in the question, so that an answer holds at every other moment too
    known = battle.once("faces", Answers).of(rules)
    found: tuple[str, ...] | None = known.get(alike)
    if found is None:
        each = []
        for die in range(1, grid.faces + 1):
            row = shot_odds.clamped(shot_odds.shifted(die, shot_odds.of_die(die, added)), lowest, highest)
            code = shot_odds.result(grid, row, sheltered)
            fate = beasts.fate_of_shot(rules, battle, target, code, grid.key[code]["foot"])
            each.append(_both(fate.rider, fate.horse))
        found = known[alike] = tuple(each)
    return found


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
