"""Fire on the roofs of rams and penthouses: who is under one need not leave at once, and what has burnt is
burnt for that hex alone.

How a fire breaks out, spreads and is fought is ``burning`` of Siege; how much of it may burn is told by
``ram`` and ``penthouse``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pbem.core.play import Play
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.rulesets.anarchy import hoarding, roofs, scaffolding
from pbem.rulesets.anarchy.events import PartBurnt
from pbem.rulesets.siege.ground import flames
from pbem.rulesets.siege.state.events import FeatureChanged, FeatureGone
from pbem.rulesets.siege.state.state import Battle, Thing

Rules = Ruleset[Battle]
RULES: Final = {roofs.RAM: "A5.2.7b", roofs.PENTHOUSE: "A5.3.5b"}


def overhead(battle: Battle, hex_: str) -> bool:
    """Tell whether a fire in a hex burns above it, on a roof, a hoarding or a scaffold."""
    return on_a_roof(battle, hex_) or on_a_gallery(battle, hex_)


@rule("A5.2.7c", "A5.2.7d", "A5.3.5c")
def on_a_roof(battle: Battle, hex_: str) -> bool:
    """Tell whether a fire in a hex is on the roof over it: who is beneath may fight it, or go in his side's
    first or second turn; who is still there then is wounded, and killed in the third.
    """
    engine = roofs.over(battle, hex_)
    return engine is not None and hex_ not in engine.burnt


@rule("A3.3.8b")
def on_a_gallery(battle: Battle, hex_: str) -> bool:
    """Tell whether a hoarding or a scaffold burns over a hex: who is at the foot of the wall is under that
    fire as under one on a floor of a tower.
    """
    return hoarding.at(battle, hex_) is not None or any(
        hex_ in one.at for one in scaffolding.scaffolds(battle)
    )


def carried(rules: Rules, play: Play[Battle], engine: Thing, places: Mapping[str, str]) -> None:
    """Let what burns of a roof on wheels go along with it, for it moves until too much of it is burnt
    (A5.2.7b); where something else is alight in the hex that stays so.
    """
    fires = [fire for hex_ in engine.at if (fire := play.state.features.get((hex_, flames.FIRE)))]
    for fire in fires:
        if set(flames.kindling(rules, play.state, fire.at)) <= {engine.id}:
            play.happen(FeatureGone(fire.at, flames.FIRE))
    for fire in fires:
        play.happen(FeatureChanged(places[fire.at], flames.FIRE, turns=fire.turns, lit_by=fire.lit_by))


def lose(
    rules: Rules, play: Play[Battle], engine: Thing, hex_: str, why: str, rule_id: str, cause: int
) -> None:
    """Let the roof of an engine be burnt over a hex; the rest of it is as it was."""
    play.happen(PartBurnt(engine.id, hex_, RULES[engine.kind], cause))
