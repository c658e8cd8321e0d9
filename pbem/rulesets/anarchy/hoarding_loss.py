"""How hoardings and scaffolds are lost, hex by hex: what is left, and what becomes of who stood there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from pbem.core.play import Play
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import distance, hex_of
from pbem.rulesets.anarchy import hoarding, scaffolding
from pbem.rulesets.anarchy.events import PartLost
from pbem.rulesets.siege.ground import counter, stacking
from pbem.rulesets.siege.state.events import ThingLost
from pbem.rulesets.siege.state.family import Kind
from pbem.rulesets.siege.state.state import TOP, Battle, Thing, Unit

Rules = Ruleset[Battle]


@rule("A3.3.6c")
def lose(
    rules: Rules, play: Play[Battle], thing: Thing, hex_: str, why: str, rule_id: str, cause: int
) -> None:
    """Take a hex of a hoarding away, with what lies on it, which leaves the others as they are; whoever is on
    it falls.
    """
    give_way(rules, play, thing, hex_, why, rule_id, cause)


def give_way(
    rules: Rules, play: Play[Battle], thing: Thing, hex_: str, why: str, rule_id: str, cause: int
) -> None:
    """Let a hex of planks be gone, and what was on it."""
    place, battle = f"{hex_}@{TOP}", play.state
    on_it = [unit for _, unit in sorted(battle.units.items()) if place in unit.at]
    fallen = tuple((unit.id, lands(rules, battle, unit, hex_)) for unit in on_it)
    with_it = [one.id for _, one in sorted(battle.things.items()) if one.id != thing.id and place in one.at]
    cause = play.happen(PartLost(thing.id, hex_, why, fallen, rule_id, cause))
    for id_ in with_it:
        play.happen(ThingLost(id_, why, rule_id, cause))
    for unit in on_it:
        if unit.living:
            (hurt if thing.kind == hoarding.HOARDING else fall_off)(rules, play, unit.id, cause)


def lands(rules: Rules, battle: Battle, unit: Unit, hex_: str) -> str:
    """Return where somebody is whose hoarding has gone from under him: on the walk behind it, at the foot of
    the wall if that is taken, and if that is too, in the free hex on the ground nearest to it; the dead lie
    at the foot.
    """
    if not unit.living:
        return hex_of(hex_)
    behind = hoarding.walls(battle, hex_) if hoarding.over(battle, unit.at[0]) else []
    ways = [there for there in behind if hoarding.steps_over(rules, battle, unit.at[0], there)]
    free = (there for there in (*ways, *foot(battle, hex_)) if stacking.may_stop(rules, battle, unit, there))
    return next(free, hex_of(hex_))


def foot(battle: Battle, hex_: str) -> list[str]:
    """Return the hexes of open ground, the foot of the wall under a hex first, then the nearest to it."""
    grounds = battle.field.ground
    open_ = (there for there, one in grounds.items() if one.floor == hoarding.GROUND and not one.indoors)
    fit = (there for there in open_ if grounds[there].mp_foot is not None)
    return sorted(fit, key=lambda there: (distance(there, hex_), there))


def by_the_hex(
    rules: Rules, play: Play[Battle], thing: Thing, hex_: str, why: str, rule_id: str, cause: int
) -> None:
    """Let a hex of a scaffold be gone, and no other."""
    give_way(rules, play, thing, hex_, why, rule_id, cause)


def fall_off(rules: Rules, play: Play[Battle], id_: str, cause: int) -> None:
    """Wound who was on a hex of a scaffold that is destroyed."""
    counter.hurt(rules, play, id_, "wounded", cause, "A7.3.4b")


@rule("A3.3.6d")
def hurt(rules: Rules, play: Play[Battle], id_: str, cause: int) -> None:
    """Wound who was on a hex of a hoarding that is destroyed."""
    counter.hurt(rules, play, id_, "wounded", cause, "A3.3.6d")


KINDS: Final[Mapping[str, Kind]] = {
    **{id_: replace(kind, falls=lose) for id_, kind in hoarding.KINDS.items()},
    **{id_: replace(kind, falls=by_the_hex) for id_, kind in scaffolding.KINDS.items()},
}
