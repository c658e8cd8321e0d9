"""Who judges by one kind of thing is asked only where there is one: everybody else would be told the same."""

from __future__ import annotations

from typing import Any

import pytest
import test_anarchy_legal_laws
import test_tower_laws
from msgspec.structs import replace
from thorough import deeper, tries

from pbem.core.ruleset import Ruleset
from pbem.rulesets.anarchy.ruleset import ANARCHY
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
