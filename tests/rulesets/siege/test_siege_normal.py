"""Normal form: every order file of the examples, and one with everything in it, reads back
as the same file.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from recorded import archives
from test_siege_reading import OPEN, RULES, good

from pbem.proof.archive import orders_path
from pbem.referee.game.game import open_game
from pbem.rulesets.siege.deeds.reading import normal
from pbem.rulesets.siege.state.orders import Item, Line, OrderFile, Stop, When
from pbem.text.source import read

NOT_SAID = ("luck", "message", "note")


def bare(items: tuple[Item, ...]) -> Iterator[Any]:
    for item in items:
        match item:
            case Line():
                yield item.order
            case When():
                yield item.condition, tuple(bare(item.then)), tuple(bare(item.otherwise))
            case Stop():
                yield "stop"


def meaning(orders: OrderFile) -> dict[str, Any]:
    plain = {name: getattr(orders, name) for name in orders.__struct_fields__ if name not in NOT_SAID}
    return {**plain, "sections": {phase: tuple(bare(items)) for phase, items in orders.sections.items()}}


@pytest.mark.parametrize("archive", archives(), ids=lambda path: path.parent.name)
def test_every_file_of_the_examples_reads_back(archive: Path) -> None:
    game = open_game(archive)
    rules, seen = game.ground.rules, 0
    for number, slot in game.ledger.slots.items():
        state = game.state_after(slot.state_before_slot, slot.state_before)
        for seat, entry in slot.entries.items():
            if entry.sha512 is None or orders_path(seat, number) not in game.archive:
                continue
            orders = game.sheet(seat, number).orders
            again, problems = rules.interface.read_orders(
                rules, state, seat, read("\n".join(normal(rules, orders)).encode()).data
            )
            assert not problems and again is not None, (seat, number, normal(rules, orders))
            assert meaning(again) == meaning(orders)
            seen += 1
    assert seen > 10


def test_conditions_standing_and_one_phase() -> None:
    stops = {"when": "0303 is free", "then": ["stop"]}
    orders = good(
        {
            "turn": "t3.east.first_missile",
            "shoot": [
                "Alric AT gunter or nearest.",
                {"when": "hob is stunned or wounded", "then": ["hob at wulf"], "otherwise": [stops]},
            ],
            "standing": {
                "everyone": {"wound": "hob, odo", "retreat": "to 0303 0304"},
                "alric": {"advance": "never"},
            },
            "luck": "some words of mine",
        }
    )
    lines = tuple(normal(RULES, orders))
    assert lines == (
        "seat: east",
        "turn: t3.east.first_missile",
        "luck: some words of mine",
        "shoot:",
        "- alric at gunter or nearest",
        "- when: hob is stunned or wounded",
        "  then:",
        "  - hob at wulf",
        "  otherwise:",
        "  - when: 0303 is free",
        "    then:",
        "    - stop",
        "standing:",
        "  everyone:",
        "    wound: hob, odo",
        "    retreat: to 0303 0304",
        "  alric:",
        "    advance: never",
    )
    assert meaning(good(read("\n".join(lines).encode()).data, OPEN)) == meaning(orders)
