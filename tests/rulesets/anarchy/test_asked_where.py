"""Who judges by one kind of thing is asked only where there is one: everybody else would be told the same."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest
import test_anarchy_legal_laws
import test_tower_laws
from boards import numbered
from msgspec.structs import replace
from skirmish import GROUNDS
from thorough import deeper, tries

from pbem.core.ruleset import Ruleset
from pbem.rulesets.anarchy.ruleset import ANARCHY
from pbem.rulesets.siege.combat import may_attack
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state.state import Battle

LAWS = (test_anarchy_legal_laws, test_tower_laws)
PHASES = ("movement", "offensive_fire", "melee")


def listed(rules: Ruleset[Battle], battle: Battle) -> list[Any]:
    """Return every order that is legal on a map that nobody has asked anything of yet."""
    fresh = replace(battle, field=replace(battle.field))
    return list(rules.interface.legal(rules, fresh, "east"))


@deeper
@pytest.mark.parametrize("phase", PHASES)
def test_what_is_legal_is_the_same_if_everybody_is_asked(phase: str, monkeypatch: pytest.MonkeyPatch) -> None:
    boards = [laws.laid(number, phase) for laws in LAWS for number in range(tries(5, 100))]
    found = [listed(*board) for board in boards]
    monkeypatch.setattr(family, "_may_say", lambda *asked: True)
    assert [listed(*board) for board in boards] == found
    assert sum(map(bool, found)) > 2


def test_whom_one_asks_follows_from_the_things_on_the_map() -> None:
    _, battle = test_tower_laws.laid(1, "melee")
    with_tower = family.here(ANARCHY, battle)
    bare = family.here(ANARCHY, battle.changed(things={}, features={}))
    assert {asked.__name__ for asked in bare.melee.bars}.isdisjoint({"no_blows", "two_levels"})
    assert len(bare.melee.bars) < len(with_tower.melee.bars) < len(family.of(ANARCHY).melee.bars)
    assert [one for one in family.of(ANARCHY).melee.bars if one in with_tower.melee.bars] == list(
        with_tower.melee.bars
    )
    assert family.here(ANARCHY, battle) is with_tower


def test_of_walls_and_levels_one_asks_where_there_are_any() -> None:
    of_ground, blows = {may_attack.wall_between, may_attack.levels_apart}, 0
    for number in range(60):
        rules, battle = numbered(number, "melee")[:2]
        field = battle.field
        meadow = replace(field, ground=dict.fromkeys(field.ground, GROUNDS["flat"]), sides_of_hexes={})
        bare = replace(battle, field=meadow, things={}, features={})
        assert of_ground.isdisjoint(family.here(rules, bare).melee.bars)
        for one, other in permutations(bare.units.values(), 2):
            if may_attack.apart(rules, bare, one, other) is None:
                assert not any(bar(rules, bare, one, other) for bar in of_ground)
                blows += 1
    assert blows > 100
    assert of_ground <= {*family.here(*test_tower_laws.laid(1, "melee")).melee.bars}
