"""What an attack promises, and which attacks the sergeant makes: who joins, from which hexes, until the odds
are worth it.

Everything is counted in whole numbers: losses in percent of what a figure is worth.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from pbem.bots.aims import Aims, worth
from pbem.bots.survey import Survey
from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import neighbours
from pbem.rulesets.siege.combat import may_attack, melee_odds
from pbem.rulesets.siege.march import step
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state.state import HEALTHY, STUNNED, WOUNDED, Battle, Unit

Rules = Ruleset[Battle]
MOST = 4
"""So many join an attack at most."""
EACH = 60
"""What it costs to bind a man to an attack: he could do something else.

In hundredths of what figures are worth.
"""


def harm(rules: Rules, state: str, effect: str) -> int:
    """Return how many percent of its worth a figure loses by an effect; to give way is a small loss, and for
    a stunned one death.
    """
    if effect == "killed" or (state == STUNNED and effect != "none"):
        return 100
    if effect == "wounded":
        return 50 if state == HEALTHY else 100
    if effect == "stunned":
        return 30 if state == HEALTHY else 100 if rules.setting("stun_on_wounded") == "killed" else 0
    return 10 if effect == "retreat" else 0


def suffered(rules: Rules, unit: Unit, meaning: Mapping[str, str]) -> int:
    """Return how many percent of its worth a target loses by a result, as the key of a table explains it for
    men and for riders.
    """
    found = max(
        harm(rules, unit.state, str(meaning.get(key, "none")))
        for key in ("defender", "foot", "rider", "unit")
    )
    return min(100, found + 20) if unit.on and meaning.get("horse") == "killed" else found


class Blow(Struct, frozen=True):
    """An attack that could be made: on whom, by whom from which hexes, and what it promises (hundredths of
    worth).
    """

    foe: str
    men: tuple[tuple[str, str], ...]
    promise: int
    odds: int


class Blows:
    """The attacks of one player turn while they are planned."""

    def __init__(self, survey: Survey, aims: Aims, reached: Mapping[str, Mapping[str, int]]) -> None:
        self.survey = survey
        self.aims = aims
        self.reached = reached
        """Figure that may attack -> the hexes it could attack from, with what it costs to get there."""
        self.busy: set[str] = set()
        self._ways_in: dict[tuple[str, str], bool] = {}
        self._worth = {unit.id: worth(survey.battle, aims, unit) for unit in (*survey.own, *survey.foes)}

    def planned(self) -> Iterator[Blow]:
        """Yield attacks, the most promising first, and let those who make them stand where
        they attack from.
        """
        open_ = {foe.id: self.best(foe) for foe in self.survey.foes}
        while True:
            offers = [blow for blow in open_.values() if blow is not None]
            if not offers:
                return
            blow = max(offers, key=lambda blow: (blow.promise, blow.foe))
            fresh = self.best(self.survey.battle.units[blow.foe])
            if fresh != blow:
                open_[blow.foe] = fresh
                continue
            del open_[blow.foe]
            for id_, hex_ in blow.men:
                self.survey.put(id_, hex_)
                self.busy.add(id_)
            yield blow

    def best(self, foe: Unit) -> Blow | None:
        """Return the most promising attack on an enemy by those who are not busy yet; None if none promises
        anything.
        """
        found: Blow | None = None
        men: list[tuple[str, str]] = []
        for id_, hex_ in self._candidates(foe):
            if hex_ in [place for _, place in men]:
                hex_ = self._slot(foe, id_, {place for _, place in men})
                if not hex_:
                    continue
            men.append((id_, hex_))
            blow = self._blow(foe, men)
            if blow is not None and blow.promise > (found.promise if found else 0):
                found = blow
            if len(men) == MOST:
                break
        return found

    def instead(self, blow: Blow) -> Blow | None:
        """Return what those who make an attack had best do from where they stand if their target has fallen;
        None if nothing.
        """
        found: Blow | None = None
        for foe in self.survey.foes:
            men = [
                (id_, hex_) for id_, hex_ in blow.men if foe.id != blow.foe and self._beside(foe, id_, hex_)
            ]
            other = self._blow(foe, men) if men else None
            if other is not None and other.promise > (found.promise if found else 0):
                found = other
        return found

    def _beside(self, foe: Unit, id_: str, hex_: str) -> bool:
        near = neighbours(hex_)
        return any(place in near and self.way_in(foe, id_, hex_, place) for place in foe.hexes)

    def _candidates(self, foe: Unit) -> list[tuple[str, str]]:
        """Return those who could attack an enemy, the strongest first, each with the hex it would choose."""
        found = []
        for id_ in self.reached:
            if id_ not in self.busy and (hex_ := self._slot(foe, id_, set())):
                found.append((-self.survey.values[id_].attack, self._worth[id_], id_, hex_))
        return [(id_, hex_) for _, _, id_, hex_ in sorted(found)]

    def _slot(self, foe: Unit, id_: str, taken: set[str]) -> str:
        """Return the hex from which a figure had best attack an enemy; empty if there is none."""
        reached = self.reached[id_]
        best: tuple[int, int, int, str] | None = None
        for place in foe.hexes:
            for hex_ in neighbours(place):
                if (
                    hex_ not in reached
                    or hex_ in taken
                    or not self.survey.free(hex_, id_)
                    or not self.way_in(foe, id_, hex_, place)
                ):
                    continue
                signs = self.survey.battle.field.ground[hex_]
                rank = (
                    -melee_odds.SIGNS.get(signs.melee_attacker, -9),
                    self.others_beside(hex_, foe),
                    reached[hex_],
                    hex_,
                )
                best = rank if best is None or rank < best else best
        return best[3] if best else ""

    def others_beside(self, hex_: str, foe: Unit) -> int:
        """Return how many other enemies stand next to a hex."""
        there = (self.survey.foe_at.get(beside) for beside in neighbours(hex_))
        return len({other.id for other in there if other is not None and other.id != foe.id})

    def way_in(self, foe: Unit, id_: str, hex_: str, place: str) -> bool:
        """Tell whether nothing between two hexes keeps figures from fighting."""
        found = self._ways_in.get((hex_, place))
        if found is None:
            unit = replace(self.survey.battle.units[id_], at=(hex_,))
            battle, rules = self.survey.battle, self.survey.rules
            found = step.can_pass(rules, battle, unit, hex_, place) and not may_attack.wall_between(
                rules, battle, unit, foe
            )
            self._ways_in[hex_, place] = found
        return found

    def _blow(self, foe: Unit, men: Sequence[tuple[str, str]]) -> Blow | None:
        """Return what an attack by some men promises; None where the odds forbid it."""
        survey = self.survey
        rules, battle = survey.rules, survey.battle
        attackers = [replace(battle.units[id_], at=survey.standing(id_, hex_)) for id_, hex_ in men]
        attack, defence = (
            sum(survey.values[id_].attack for id_, _ in men),
            max(1, survey.values[foe.id].defence),
        )
        if len(men) == 1 and men[0][0] in self.aims.spared:
            return None
        if attack < defence or may_attack.group_why_not(rules, battle, attackers, [foe]) is not None:
            return None
        of = melee_odds.combat(rules, battle, attackers, [foe])
        table, heading = of.table, of.heading
        theirs = ours = 0
        cheapest = min(harm(rules, unit.state, "wounded") * self._worth[unit.id] for unit in attackers)
        for die in table.rows:
            row = melee_odds.row(table, melee_odds.die_of(rules, battle, [foe], die))
            effects = table.key[table.cell(row, heading)]
            theirs += suffered(rules, foe, effects)
            ours += (
                cheapest
                if effects["attacker"] == "wounded"
                else 10 * harm(rules, HEALTHY, effects["attacker"])
            )
        faces = len(table.rows)
        promise = (theirs * self._worth[foe.id] - ours) // faces - EACH * len(men)
        promise -= sum(self._risk(unit) for unit in attackers)
        return Blow(foe.id, tuple(men), promise, family.of(rules).melee.odds(attack, defence))

    def _risk(self, unit: Unit) -> int:
        """Return what a figure risks by standing in contact: a wounded one much, a shooter
        more than others.
        """
        there = self.survey.danger(unit.at[0]) // max(1, self.survey.values[unit.id].defence)
        part = 12 if unit.state == WOUNDED else 2
        return min(there, 5) * part * self._worth[unit.id] // 10
