"""Retreat after combat: who gives way, where to, and what becomes of those who cannot."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pbem.core.play import Play
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.geometry import pair
from pbem.geometry.hex import distance, hex_of
from pbem.rulesets.siege.ground import counter, elevation, stacking
from pbem.rulesets.siege.ground.character import dangerous
from pbem.rulesets.siege.march import riding, step
from pbem.rulesets.siege.orders import choices
from pbem.rulesets.siege.sight import cover
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state.events import Retreated
from pbem.rulesets.siege.state.state import DEAD, STUNNED, Battle, Unit

Rules = Ruleset[Battle]


@rule("S1.72h")
def all_of(side: Sequence[str]) -> tuple[str, ...]:
    """Return those who give way when a side is beaten: everybody who took part in the combat."""
    return tuple(sorted(side))


def all_give_way(
    rules: Rules, play: Play[Battle], side: Sequence[str], foes: Sequence[str], cause: int
) -> list[str]:
    """Let the beaten side retreat, in the order of ids; return the places it left, or lies dead in.

    Whom the death of another of them has sent running in panic has given way already.
    """
    left: list[str] = []
    stood = {id_: play.state.units[id_].at for id_ in side}
    for id_ in all_of(side):
        before = stood[id_]
        if play.state.units[id_].at == before:
            give_way(rules, play, id_, foes, cause)
        after = play.state.units[id_]
        left.extend(place for place in before if after.state == DEAD or place not in after.at)
    return left


def give_way(rules: Rules, play: Play[Battle], id_: str, foes: Sequence[str], cause: int) -> None:
    """Let one figure retreat a hex, chosen by its owner; one that cannot is wounded, or stays, as the game
    has it.
    """
    unit = play.state.units[id_]
    if cannot_walk(unit):
        counter.hurt(rules, play, id_, "killed", cause, "E7.1d")
        return
    go(rules, play, id_, foes, cause)


def go(
    rules: Rules,
    play: Play[Battle],
    id_: str,
    foes: Sequence[str],
    cause: int,
    rule: str = "S1.72o",
    shun: frozenset[str] = frozenset(),
) -> None:
    """Let one figure go a hex back, whether it could walk by itself or not, and to none of the places in
    ``shun``.
    """
    unit = play.state.units[id_]
    free = {to: there for to, there in ways(rules, play.state, unit).items() if to not in shun}
    if not free:
        play.happen(Retreated(id_, unit.at[:1], cause, rule, unit.at[1:]))
        hurt_when_blocked(rules, play, id_, cause)
        return
    ranked = farthest_first(play.state, list(free), foes)
    to = choices.pick(
        rules,
        play,
        about="retreat",
        unit=id_,
        choices=ranked,
        default=ranked[0],
        rule=rule,
        why="beaten by " + ", ".join(foes),
        wanted=_wanted(rules, play.state, ranked, foes),
    )
    there = free[to]
    tails = (unit.at[1], there[1]) if riding.two_hexes(unit) else ()
    play.happen(Retreated(id_, (unit.at[0], there[0]), cause, rule, tails))


def ways(rules: Rules, battle: Battle, unit: Unit) -> dict[str, tuple[str, ...]]:
    """Return the places to which a beaten figure may give way, and where it stands then: a rider rides on, or
    backs, by a hex.
    """
    if not riding.two_hexes(unit):
        return {
            place: (place,)
            for place in battle.beside(unit.at[0])
            if may_retreat_to(rules, battle, unit, place)
        }
    ends = {hex_: pair.hexes(there) for hex_, there in riding.giving_way(riding.figure(unit.at)).items()}
    return {
        hex_: at
        for hex_, at in ends.items()
        if may_retreat_to(rules, battle, unit, hex_, unit.at[hex_ != at[0]])
    }


@rule("E7.1d")
def cannot_walk(unit: Unit) -> bool:
    """Tell whether a figure that must retreat is stunned: it is killed where it lies."""
    return unit.state == STUNNED


def may_retreat_to(rules: Rules, battle: Battle, unit: Unit, hex_: str, here: str = "") -> bool:
    """Tell whether a beaten figure may go into a hex next to where it stands, or next to
    this one of its two.
    """
    if (
        hex_of(hex_) not in battle.field.ground
        or stacking.taken(rules, battle, unit, hex_)
        or step.leaps(rules, battle, unit, hex_)
    ):
        return False
    begin = here or unit.at[0]
    barring = family.here(rules, battle).steps.no_retreat
    if barring and any(barred(battle, begin, hex_) for barred in barring):
        return False
    return step.can_pass(rules, battle, unit, begin, hex_) and not beside_a_fit_enemy(
        rules, battle, unit, hex_
    )


@rule("E7.1b")
def beside_a_fit_enemy(rules: Rules, battle: Battle, unit: Unit, hex_: str) -> bool:
    """Tell whether a hex lies next to an enemy who can fight, where no retreat may end."""
    for other in elevation.beside(battle, hex_):
        if dangerous(battle, unit, other) and other.able and elevation.touches(rules, battle, other, hex_):
            return True
    return False


@rule("S1.72o")
def farthest_first(battle: Battle, hexes: Sequence[str], foes: Sequence[str]) -> list[str]:
    """Return hexes by their distance to the nearest of the victors, the farthest first; ties keep the order
    of the sides, n first.
    """
    if len(hexes) == 1:
        return list(hexes)
    places = [hex_ for foe in foes for hex_ in battle.units[foe].hexes]
    far = {hex_: min([distance(hex_of(hex_), place) for place in places], default=0) for hex_ in hexes}
    return sorted(hexes, key=far.__getitem__, reverse=True)


@rule("E7.1e")
def hurt_when_blocked(rules: Rules, play: Play[Battle], id_: str, cause: int) -> None:
    """Wound a figure that has nowhere to go, unless the option lets it stand its ground."""
    if rules.setting("retreat_model") == "one_hex_blocked_wounds":
        counter.hurt(rules, play, id_, "wounded", cause, "S1.72o")


def _wanted(rules: Rules, battle: Battle, ranked: Sequence[str], foes: Sequence[str]) -> Callable[[str], str]:
    def wanted(said: str) -> str:
        verb, *rest = said.split()
        if verb == "away":
            return ranked[0]
        if verb == "toward":
            return min(ranked, key=lambda hex_: distance(hex_of(hex_), hex_of(rest[0])))
        if verb == "cover":
            return min(ranked, key=lambda hex_: -cover.rank(cover.of_ground(rules, battle, hex_)))
        return next((hex_ for hex_ in rest if hex_ in ranked), "")

    return wanted
