"""What a figure may do next is asked only of the deeds that list it, and nothing is missed by that."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from boards import numbered
from msgspec.structs import replace

from pbem.core.ruleset import Ruleset
from pbem.referee.game.game import open_game
from pbem.rulesets.siege.judge import legal
from pbem.rulesets.siege.state.deed import deeds
from pbem.rulesets.siege.state.state import Battle
from pbem.store.library import example

BOARDS = (2, 4, 7, 13, 213, 263)
"""Numbered boards that have every kind of order of a movement phase without ladders."""
ASSAULTS = (("six-days", 8), ("millers-ladders", 3))
"""Recorded games with ladders, and the slots after which their figures are listed."""


def listed() -> Iterator[tuple[Ruleset[Battle], Battle]]:
    for number in BOARDS:
        yield numbered(number, "movement")
    for name, slot in ASSAULTS:
        game = open_game(example(name) / "archive.zip")
        result = game.ledger.slots[slot].result
        assert result is not None
        state = game.state_after(slot, str(result["state"]))
        yield game.ground.rules, state.changed(at=replace(state.at, phase="movement"))


@pytest.fixture(scope="module")
def found() -> dict[str, set[str]]:
    """Return deed -> the deeds of which it lists orders on these boards."""
    kinds: dict[str, set[str]] = {}
    for rules, battle in listed():
        for unit in battle.units.values():
            for deed in deeds(rules).of_figures["move"]:
                orders = legal.of_deed(rules, battle, unit, deed)
                kinds.setdefault(deed.id, set()).update(order.deed for order, _ in orders)
                assert kinds[deed.id] <= {deed.id, *deed.lists_too}, deed.id
    return kinds


def test_a_deed_lists_no_orders_but_its_own_and_those_that_it_names(found: dict[str, set[str]]) -> None:
    assert {"leave", "move"} <= found["move"]
    assert {"carry", "put-down"} <= found["pick-up"]


def test_asked_for_some_kinds_a_figure_has_what_it_has_of_them_among_all() -> None:
    for rules, battle in listed():
        (seat, *_) = [seat for seat in battle.side_of_seat if battle.side_of_seat[seat] == battle.at.side]
        for unit in sorted(battle.units)[:8]:
            every = list(legal.priced(rules, battle, seat, unit))
            for kinds in ({"leave"}, {"pick-up", "shift", "take", "put-down"}):
                asked = list(legal.of_kinds(rules, battle, seat, unit, kinds))
                assert asked == [(order, cost) for order, cost in every if order.deed in kinds]
