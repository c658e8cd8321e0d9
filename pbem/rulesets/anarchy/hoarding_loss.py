"""How a hoarding is lost, hex by hex: what is left of it, and what becomes of who stood there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from pbem.core.play import Play
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import hex_of
from pbem.rulesets.anarchy import hoarding
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
    place, battle = f"{hex_}@{TOP}", play.state
    on_it = [unit for _, unit in sorted(battle.units.items()) if place in unit.at]
    fallen = tuple((unit.id, lands(rules, battle, unit, hex_)) for unit in on_it)
    with_it = [one.id for _, one in sorted(battle.things.items()) if one.id != thing.id and place in one.at]
    cause = play.happen(PartLost(thing.id, hex_, why, fallen, rule_id, cause))
    for id_ in with_it:
        play.happen(ThingLost(id_, why, rule_id, cause))
    for unit in on_it:
        if unit.living:
            hurt(rules, play, unit.id, cause)


def lands(rules: Rules, battle: Battle, unit: Unit, hex_: str) -> str:
    """Return where somebody is whose hoarding has gone from under him: on the walk behind it, at the foot of
    the wall if that is taken; the dead lie at the foot.
    """
    behind = hoarding.walls(battle, hex_) if unit.living else []
    ways = (there for there in behind if hoarding.steps_over(rules, battle, unit.at[0], there))
    return next((there for there in ways if stacking.may_stop(rules, battle, unit, there)), hex_of(hex_))


@rule("A3.3.6d")
def hurt(rules: Rules, play: Play[Battle], id_: str, cause: int) -> None:
    """Wound who was on a hex of a hoarding that is destroyed."""
    counter.hurt(rules, play, id_, "wounded", cause, "A3.3.6d")


KINDS: Final[Mapping[str, Kind]] = {id_: replace(kind, falls=lose) for id_, kind in hoarding.KINDS.items()}
