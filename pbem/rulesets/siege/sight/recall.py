"""What was answered of shots, remembered from one moment to the next for as long as nothing near their lines
changes: neither works nor figures.

Theory of operation. How one figure shoots at another follows from the two, from their lines (``near``), and
from who stands in these and beside their ends. So beside each answer lies the mask of all that, and whatever
comes after asks what has changed since: where works were put up, fell or burnt, and the hexes of figures that
came, went, or are no longer what they were. What meets none of it still holds, whichever battle asks; a
figure that takes a step costs the lines that it steps into and out of, and a wall that falls those that come
near it. Moments are told apart by what they are, not by which came of which, so a battle that is tried out
and thrown away disturbs nothing.

The moments are numbered in the order in which they asked, and of each of the last it is kept what has changed
since then; an answer from before those is as if there were none.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from pbem.core.ruleset import Ruleset
from pbem.rulesets.siege.sight import any_part, lines, near
from pbem.rulesets.siege.state.once import ByRules
from pbem.rulesets.siege.state.state import Battle, Thing, Unit
from pbem.rulesets.siege.state.unit import only_did

Rules = Ruleset[Battle]
Asked = tuple[object, ...]
NAME: Final = "shots recalled"
"""Under which a field keeps them."""
MOMENTS: Final = 64
"""Moments of which it is kept what has changed since; the oldest goes first."""
MOST: Final = 1 << 13
"""Answers that are kept, each of a kilobyte at most beside what ``near`` keeps of its lines: 8 MB. With one
more all are forgotten.
"""
EVERYTHING: Final = -1
"""The mask of what may depend on anything."""


class Recall:
    """Answers by question, with the moment in which each was last known to hold, and what it depends on."""

    __slots__ = ("_answers", "_moment", "_since", "_things", "_units", "_works")

    def __init__(self) -> None:
        self._answers: dict[Asked, tuple[int, int, Any]] = {}
        self._moment = 0
        self._since: dict[int, int] = {}
        """Moment -> the mask of what has changed since."""
        self._units: Mapping[str, Unit] = {}
        self._things: Mapping[str, Thing] = {}
        self._works: near.Works | None = None

    def turn_to(self, rules: Rules, battle: Battle) -> None:
        """Make the moment of a battle the one in which is asked."""
        works = near.works(rules, battle)
        if battle.units is self._units and works is self._works and battle.things is self._things:
            return
        changed = self._changed(battle, works)
        self._units, self._things, self._works = battle.units, battle.things, works
        if changed == 0 and self._since:
            return
        self._since = (
            {} if changed == EVERYTHING else {then: mask | changed for then, mask in self._since.items()}
        )
        if len(self._since) >= MOMENTS:
            del self._since[next(iter(self._since))]
        self._moment += 1
        self._since[self._moment] = 0

    def _changed(self, battle: Battle, works: near.Works) -> int:
        """Return the mask of what is otherwise than in the moment before."""
        if self._works is None or self._works.everywhere != works.everywhere:
            return EVERYTHING
        before, now = self._units, battle.units
        if before.keys() - now.keys() or _moved_unseen(self._things, battle.things):
            return EVERYTHING
        hexes: set[str] = set()
        for id_, unit in now.items():
            was = before.get(id_)
            if was is not unit and (was is None or not only_did(was, unit)):
                hexes.update(unit.hexes, was.hexes if was else ())
        found = any_part.frame(battle).mask(hexes)
        if works is not self._works:
            for work in {*works.each} ^ {*self._works.each}:
                found |= work.mask
        return found

    def get(self, asked: Asked) -> Any:
        """Return an answer that still holds; None where there is none."""
        found = self._answers.get(asked)
        if found is None:
            return None
        then, mask, answer = found
        if then != self._moment:
            if self._since.get(then, EVERYTHING) & mask:
                return None
            self._answers[asked] = self._moment, mask, answer
        return answer

    def keep(self, asked: Asked, mask: int, answer: object) -> None:
        """Keep an answer that depends on what is in a mask."""
        if len(self._answers) >= MOST:
            self._answers.clear()
        self._answers[asked] = self._moment, mask, answer


def _moved_unseen(before: Mapping[str, Thing], now: Mapping[str, Thing]) -> bool:
    """Tell whether a thing that is in no hex, such as one that is carried, is otherwise than it was."""
    if before is now:
        return False
    nowhere = [{id_: thing for id_, thing in things.items() if not thing.at} for things in (before, now)]
    return nowhere[0] != nowhere[1]


def of(rules: Rules, battle: Battle) -> Recall | None:
    """Return what is remembered, turned to a battle; None where others than ours say what shots meet."""
    if near.of_rules(rules, battle, lines.RAYS) is None:
        return None
    kept: ByRules[Recall] = battle.field.once(NAME, lambda: ByRules(Recall, near.RULES))
    found = kept[rules]
    found.turn_to(rules, battle)
    return found
