"""Defensive fire: those who do not play shoot as their standing instructions say, or are asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Final

from pbem.core.play import Play
from pbem.core.rule import rule
from pbem.core.ruleset import Files, Ruleset
from pbem.rulesets.anarchy import sequence, staff_sling, stones
from pbem.rulesets.siege.combat import aiming, chances, shooting
from pbem.rulesets.siege.orders import choices
from pbem.rulesets.siege.sight import crossfire
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state.line import Aim
from pbem.rulesets.siege.state.state import Battle, Unit

Rules = Ruleset[Battle]
DEFEND: Final = "defend"
"""The key of the standing instruction."""
HOLD, NEAREST, LUCKIEST = "hold", "nearest", "luckiest"


def resolve(rules: Rules, play: Play[Battle], files: Files) -> None:
    """Let each figure of the sides that do not play shoot once, in the order of ids, if it can and may."""
    followed = -1
    for id_ in sorted(play.state.units):
        unit = play.state.units[id_]
        if unit.side == play.state.at.side:
            continue
        weapon = sequence.weapon(rules, play.state, unit)
        if weapon == staff_sling.SLING:
            sling(rules, play, id_)
        elif weapon or stones.supplies(play.state):
            shoot(rules, play, id_)
        if followed != len(play.events):  # else nothing has happened since
            for follow in family.here(rules, play.state).follows.get("shot", ()):
                follow(rules, play)
            followed = len(play.events)


@rule("A0.2")
def shoot(rules: Rules, play: Play[Battle], id_: str) -> None:
    """Let a figure shoot at whom its owner wants shot at, or throw stones at him if it can shoot at nobody;
    at nobody, if he wants that.
    """
    who = play.state.units[id_]
    shooter, found = within_reach(rules, play.state, who)
    throws = shooter is not who
    why = partial(_said, thrown="stones can be thrown at" if throws else "")
    chosen = choose(rules, play, id_, shooter, found, "A0.2", why)
    if chosen == HOLD:
        return
    if throws:
        stones.hurl(rules, play, id_, chosen)
        return
    while crossfire.settle(rules, play, play.state.units[chosen]):
        pass
    shooter, target = play.state.units[id_], play.state.units[chosen]
    aimed = aiming.aim(rules, play.state, shooter, target)
    if isinstance(aimed, Aim):
        shooting.loose(rules, play, shooter, target, aimed)


def choose(
    rules: Rules,
    play: Play[Battle],
    id_: str,
    shooter: Unit,
    found: Mapping[str, Aim],
    rule: str,
    why: Callable[[int], str],
) -> str:
    """Return at whom a figure, or what it works, shoots, of those whom it can: ``hold`` for nobody, and where
    there is nobody. ``why`` tells its owner, where he is asked, how many these are.
    """
    nearest = next(iter(found), "")
    if not nearest:
        return HOLD
    said = choices.instruction(play.state, id_, DEFEND)
    if choices.asks(rules, said):
        among = (*found, HOLD)
    else:  # he is told of nobody, and nobody is aimed at of whom he said nothing
        choice = wanted(rules, play.state, shooter, found)(said) if said else HOLD
        among = (nearest, choice)
    return choices.pick(
        rules,
        play,
        about=DEFEND,
        unit=id_,
        choices=among,
        default=nearest,
        rule=rule,
        why=why(len(among) - 1),
        wanted=lambda said: among[-1],
    )


def _said(count: int, thrown: str) -> str:
    who = "an enemy" if count == 1 else f"{count} enemies"
    return f"{thrown} {who}" if thrown else f"{who} can be shot at"


def sling(rules: Rules, play: Play[Battle], id_: str) -> None:
    """Let a figure sling a stone at the hex of whom its owner wants thrown at; of its own accord it throws at
    nobody where it may come down on a friend.
    """
    unit = play.state.units[id_]
    if staff_sling.not_ready(rules, play.state, unit):
        return
    found = staff_sling.in_reach(rules, play.state, unit)
    if not found:
        return
    usual = unasked(rules, play.state, unit, found)
    chosen = choices.pick(
        rules,
        play,
        about=DEFEND,
        unit=id_,
        choices=(*found, HOLD),
        default=usual,
        rule="A0.2",
        why="a stone can be slung at " + ("an enemy" if len(found) == 1 else f"{len(found)} enemies"),
        wanted=lambda said: slung_at(said, found, usual),
    )
    if chosen != HOLD:
        staff_sling.throw(rules, play, id_, found[chosen], staff_sling.STONE)


def unasked(rules: Rules, battle: Battle, unit: Unit, found: Mapping[str, str]) -> str:
    """Return at whom somebody slings of his own accord, of those within his reach, each with its hex: the
    nearest whose hex endangers no friend; ``hold`` where there is none.
    """
    return next((foe for foe, hex_ in found.items() if not _endangers(rules, battle, unit, hex_)), HOLD)


def slung_at(said: str, found: Mapping[str, str], usual: str) -> str:
    """Return at whom somebody slings by what a standing instruction says: ``hold`` for nobody."""
    words = said.replace(",", " ").split()
    named = next((word for word in words if word in (*found, HOLD, NEAREST, LUCKIEST)), HOLD)
    return usual if named in (NEAREST, LUCKIEST) else named


def aims_at(rules: Rules, battle: Battle, unit: Unit, said: str) -> str:
    """Return at whom a figure shoots, slings or throws stones in defensive fire by what it is told: ``hold``
    for nobody, and where it cannot.
    """
    if staff_sling.throws(rules, battle, unit):
        ready = staff_sling.not_ready(rules, battle, unit) is None
        within = staff_sling.in_reach(rules, battle, unit) if ready else {}
        return slung_at(said, within, unasked(rules, battle, unit, within))
    shooter, found = within_reach(rules, battle, unit)
    return wanted(rules, battle, shooter, found)(said) if any(found) else HOLD


def within_reach(rules: Rules, battle: Battle, unit: Unit) -> tuple[Unit, Mapping[str, Aim]]:
    """Return whom a figure can shoot at; where there is nobody, whom it can throw stones at, and the figure
    as it throws them.
    """
    found = targets(rules, battle, unit)
    thrown = {} if any(found) else stones.in_range(rules, battle, unit)
    return (stones.as_thrower(unit), thrown) if thrown else (unit, found)


def _endangers(rules: Rules, battle: Battle, unit: Unit, aim: str) -> bool:
    """Tell whether a stone that is slung at a hex may come down on somebody who is no enemy."""
    return any(
        not battle.foes(unit, battle.units[id_])
        for hex_ in staff_sling.may_hit(rules, battle, unit, aim)
        for id_ in staff_sling.exposed(rules, battle, hex_)
    )


class Targets(Mapping[str, Aim]):
    """At whom a figure can shoot, each with how: the nearest first, ties by id. Whether it can is worked out
    of each when he is asked about.
    """

    def __init__(self, rules: Rules, battle: Battle, shooter: Unit, foes: Iterator[Unit]) -> None:
        self._sees = aiming.sight(rules, battle, shooter)
        self._others = foes
        self._foes: dict[str, Unit] = {}
        """Those who have come from the others so far."""
        self._known: dict[str, Aim | None] = {}

    @property
    def foes(self) -> Mapping[str, Unit]:
        """Return all at whom it might shoot, the nearest first."""
        self._foes |= {foe.id: foe for foe in self._others}
        return self._foes

    def __getitem__(self, id_: str) -> Aim:
        if id_ not in self._known:
            self._known[id_] = self._sees(self._foes.get(id_) or self.foes[id_])
        found = self._known[id_]
        if found is None:
            raise KeyError(id_)
        return found

    def __iter__(self) -> Iterator[str]:
        yield from (id_ for id_ in tuple(self._foes) if id_ in self)
        for foe in self._others:
            self._foes[foe.id] = foe
            if foe.id in self:
                yield foe.id

    def __len__(self) -> int:
        return sum(1 for _ in self)


def targets(rules: Rules, battle: Battle, shooter: Unit) -> Targets:
    """Return at whom a figure can shoot now, and how; no animal."""
    ready = not aiming.not_ready(rules, battle, shooter)
    return Targets(rules, battle, shooter, shooting.by_distance(battle, shooter) if ready else iter(()))


def wanted(rules: Rules, battle: Battle, shooter: Unit, found: Mapping[str, Aim]) -> Callable[[str], str]:
    """Return what tells whom a figure shoots at, of those whom it can, by what a standing instruction says:
    ``hold`` for nobody.
    """

    def choice(said: str) -> str:
        for word in said.replace(",", " ").split():
            if word in found or word == HOLD:
                return word
            if word == NEAREST:
                return next(iter(found))
            if word == LUCKIEST:
                return luckiest(rules, battle, shooter, found)
        return HOLD

    return choice


def luckiest(rules: Rules, battle: Battle, shooter: Unit, found: Mapping[str, Aim]) -> str:
    """Return the target at whom most faces of the die do the worst; of equal ones the nearest. At whom it is
    not, whatever his cover, nobody aims.
    """
    foes = found.foes if isinstance(found, Targets) else {id_: battle.units[id_] for id_ in found}
    hopes = [
        (most, -place, foe.id)
        for place, foe in enumerate(foes.values())
        if (most := chances.at_best(rules, battle, shooter, foe)) is not None
    ]
    best: tuple[tuple[int, ...], int, str] | None = None
    for hope in sorted(hopes, reverse=True):
        if best is not None and hope < best:
            break
        if (aimed := found.get(hope[2])) is not None:
            shot = chances.of_shot(rules, battle, shooter, foes[hope[2]], aimed)
            one = (chances.worth(shot), *hope[1:])
            best = one if best is None else max(best, one)
    return best[2] if best is not None else HOLD
