"""Whom a figure chooses for itself in defensive fire is whom it would choose had it aimed at everybody."""

from __future__ import annotations

from collections.abc import Iterator

import test_tower_laws
from test_anarchy_legal_laws import laid
from thorough import deeper, tries

from benchmarks import battle as parade
from pbem.core.ruleset import Ruleset
from pbem.rulesets.anarchy import standing_fire
from pbem.rulesets.siege.combat import aiming, chances, ranges, shooting
from pbem.rulesets.siege.state.line import Aim
from pbem.rulesets.siege.state.state import Battle

PHASE = "defensive_fire"


def boards() -> Iterator[tuple[Ruleset[Battle], Battle]]:
    """Yield two lines in the open, and strongholds drawn by chance."""
    ground, lines = parade.battle(60, "anarchy")
    yield ground.rules, lines
    for number in range(tries(10, 120)):
        yield laid(number, PHASE) if number % 2 else test_tower_laws.laid(number, PHASE)


@deeper
def test_the_luckiest_target_is_found_without_aiming_at_everybody() -> None:
    chosen = not_the_nearest = spared = 0
    for rules, battle in boards():
        for shooter in battle.units.values():
            if not shooter.living or not ranges.weapon_of(rules, battle, shooter):
                continue
            foes = list(shooting.by_distance(battle, shooter))
            everybody = {foe.id: aimed for foe, aimed in aiming.targets(rules, battle, shooter, foes)}
            if not everybody:
                continue
            worth = {
                id_: chances.worth(chances.of_shot(rules, battle, shooter, battle.units[id_], aimed))
                for id_, aimed in everybody.items()
            }
            asked: list[str] = []

            class Asked(standing_fire.Targets):
                def __getitem__(self, id_: str, asked: list[str] = asked) -> Aim:
                    asked.append(id_)
                    return super().__getitem__(id_)

            found = Asked(rules, battle, shooter, iter(foes))
            best = standing_fire.luckiest(rules, battle, shooter, found)
            assert best == max(everybody, key=lambda id_: worth[id_]), shooter.id
            hope = chances.at_best(rules, battle, shooter, battle.units[best])
            assert hope is not None
            assert worth[best] <= hope
            chosen += 1
            not_the_nearest += best != next(iter(everybody))
            spared += len(everybody.keys() - {*asked})
            assert list(found.items()) == list(everybody.items())
    assert min(chosen, spared) > 20
    assert not_the_nearest > 2
