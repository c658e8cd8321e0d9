"""The order to attack: which there are, alone and together, and who may join one.

Whether an attack is legal is decided in ``may_attack``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from re import Match
from typing import Final

from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import around
from pbem.rulesets.siege.combat import may_attack
from pbem.rulesets.siege.orders import conditions
from pbem.rulesets.siege.state.deed import Deed, Priced, Words
from pbem.rulesets.siege.state.orders import Attack
from pbem.rulesets.siege.state.sentence import Sentence, sentence
from pbem.rulesets.siege.state.state import Battle, Unit

Rules = Ruleset[Battle]


def attacks(rules: Rules, battle: Battle, unit: Unit) -> Iterator[Priced]:
    """Yield a figure's own attacks, on one and on several, and those joint ones of which it is the first."""
    if not unit.at or may_attack.not_his_time(rules, battle, unit, unit):
        return
    beside = _beside(battle, unit)
    for count in range(1, len(beside) + 1):
        for targets in combinations(beside, count):
            order = Attack((unit.id,), targets)
            if conditions.stands(rules, battle, "attack", unit.owner, order):
                yield order, None
    for target in beside:
        yield from _joint(rules, battle, unit, target)


def _joint(rules: Rules, battle: Battle, unit: Unit, target: str) -> Iterator[Priced]:
    """Yield the joint attacks of a figure, and of some that stand behind it in the alphabet, that need each
    of their figures.
    """
    others = [id_ for id_ in _party(battle, unit.owner, target) if id_ != unit.id]
    others = [id_ for id_ in others if battle.units[id_].owner != unit.owner or id_ > unit.id]
    enough: list[frozenset[str]] = []
    for count in range(1, len(others) + 1):
        for more in combinations(others, count):
            who = (unit.id, *more)
            if any(group <= set(who) for group in enough):
                continue
            if len(who) > 2 and any(
                _can(rules, battle, unit.owner, part, target) for part in combinations(who, len(who) - 1)
            ):
                continue
            if _can(rules, battle, unit.owner, who, target):
                enough.append(frozenset(who))
                yield Attack(who, (target,)), None


def _can(rules: Rules, battle: Battle, seat: str, who: Sequence[str], target: str) -> bool:
    return conditions.stands(rules, battle, "attack", seat, Attack(tuple(who), (target,)))


def joiners(rules: Rules, battle: Battle, attack: Attack) -> tuple[str, ...]:
    """Return who else of the side may join an attack on one enemy, each on his own: those of the seat first,
    then its friends'.
    """
    if len(attack.at) != 1:
        return ()
    seat = battle.units[attack.who[0]].owner
    others = (id_ for id_ in _party(battle, seat, attack.at[0]) if id_ not in attack.who)
    return tuple(id_ for id_ in others if _can(rules, battle, seat, (*attack.who, id_), attack.at[0]))


def _party(battle: Battle, seat: str, target: str) -> list[str]:
    """Return the figures of a seat's side in the hexes next to an enemy: its own first, then those of other
    seats, by id.
    """
    side, foe = battle.side_of_seat[seat], battle.units[target]
    near = (id_ for id_ in battle.living_among(around(foe.hexes)) if battle.units[id_].side == side)
    return sorted(near, key=lambda id_: battle.units[id_].owner != seat)


def _beside(battle: Battle, unit: Unit) -> list[str]:
    """Return the enemies in the hexes next to a figure, by id; a rider and his horse are two of them."""
    figures = battle.living_among(around(unit.hexes))
    horses = (battle.units[id_].on for id_ in figures if battle.units[id_].on)
    near = (battle.units[id_] for id_ in sorted((*figures, *horses)))
    return [other.id for other in near if other.living and battle.foes(unit, other)]


def _attack(do: str, found: Match[str]) -> Attack:
    who, at, least = found.groups()
    return Attack(
        tuple(who.split(", ")), tuple(at.split(", ")), int(least.removesuffix(":1")) if least else 0
    )


def in_sentence(piece: str) -> Sentence:
    """Return the sentence of an attack; what is asked of its odds is written as this piece of the grammar."""
    return sentence(
        "fight",
        f"{{who:NAMES}} attack/attacks {{at:NAMES}}[ at least {{least:{piece}}}]",
        "hob, odo attack gunter",
        makes=Attack,
        build=_attack,
    )


def in_letters(odds: str) -> Words:
    """Return the words by which an attack is known in letters, with the form of what is asked of its odds."""
    return Words(
        "attack",
        forms=("{names} attack[s] {name}...",),
        plain=(f"{{group}} attack[s] {{any}}[ at least {odds}]",),
        tells=("attack[s]",),
        does=("attack[s]", "fight[s]", "charge[s]"),
        unended=("attack[s]",),
    )


ATTACK: Final = Deed(
    id="attack",
    sentences=(in_sentence("ODDS"),),
    words=in_letters("{number}:{number}"),
    called="attacks",
    keys={"at-least": "least"},
    priced=(attacks,),
)
