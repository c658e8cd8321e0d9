"""Slots taken back: with whose consent, to which state, and what stays."""

from __future__ import annotations

import pytest
from table import Table, pull
from test_referee_protocol import KNOTS, holds, refused

from pbem.proof.archive import consent_path, orders_path
from pbem.referee.proving.verify import verify
from pbem.referee.turn.consent import make, take
from pbem.referee.turn.undo import undo


def consent(table: Table, seat: str, to: int) -> None:
    take(table.game, make(table.open(), table.key(seat), {"to": to}).letter)


def test_slots_are_taken_back_with_the_consent_of_every_seat_that_has_a_key(table: Table) -> None:
    table.started(keyed=("south",))
    begun = table.open()
    table.turn()
    table.turn()
    before = table.open()
    missing = refused(undo, table.env, table.game, 1)
    assert (missing.answer, missing.problems[0].code, missing.problems[0].args) == (
        3,
        "consent.missing",
        {"seats": "south"},
    )
    consent(table, "south", 1)
    done = undo(table.env, table.game, 1, "wrong map")
    assert (done.to, done.slot, done.phase, done.consents) == (1, 3, begun.announced()["phase"], ("south",))
    game = table.open()
    assert game.ledger.state == begun.ledger.state
    assert game.announced() == {**begun.announced(), "slot": 3}
    assert game.state == begun.state
    assert game.ledger.recorded == ()
    assert game.ledger.seed == before.ledger.seed, "what was rolled stays in the row of seeds"
    assert all(slot.undone for slot in game.ledger.slots.values())
    table.turn()
    assert holds(table)
    assert [(line.slot, line.status) for line in verify(table.game).trust] == [
        (1, "undone"),
        (2, "undone"),
        (3, "ok"),
    ]


def test_a_consent_is_for_the_record_it_names_and_for_one_slot(table: Table) -> None:
    table.started(keyed=("south",))
    table.turn()
    old = make(table.open(), table.key("south"), {"to": 1}).letter
    table.turn()
    assert refused(take, table.game, old).problems[0].code == "consent.stale"
    consent(table, "south", 2)
    assert refused(undo, table.env, table.game, 1).problems[0].code == "consent.missing"
    other = make(table.open(), table.key("south"), {"to": 1}).letter
    assert refused(take, table.game, other).problems[0].code == "consent.other"
    assert undo(table.env, table.game, 2).slot == 3
    assert holds(table)


def test_who_is_not_asked_cannot_consent(table: Table) -> None:
    table.started(keyed=("south",))
    table.turn()
    with pytest.raises(Exception, match=r"signature"):
        make(table.open(), table.key("stranger"), {"to": 1})
    assert refused(take, table.game, b"hello").problems[0].code == "consent.form"
    assert refused(take, table.game, b'{"type":"go"}\n').problems[0].code == "consent.form"


def test_what_is_not_there_is_not_taken_back(table: Table) -> None:
    table.started(keyed=("south",))
    nothing = refused(undo, table.env, table.game, 1)
    assert (nothing.problems[0].code, nothing.problems[0].help) == (
        "undo.no-slot",
        "nothing has been locked yet",
    )
    table.turn()
    table.turn()
    assert refused(undo, table.env, table.game, 7).problems[0].help == "slots 1 to 2 can be taken back"


def test_a_locked_slot_whose_values_are_all_there_is_resolved_first(table: Table) -> None:
    table.started(keyed=("south",))
    table.turn()
    (seat,) = table.open().announced()["waits"]
    table.orders(seat, pull(seat))
    table.lock()
    asked = table.open().ledger.locked.asked
    if asked:
        consent(table, "south", 1)
        assert undo(table.env, table.game, 1).slot == 3
        assert holds(table)
        return
    assert refused(undo, table.env, table.game, 1).problems[0].code == "undo.resolve-first"


def test_files_of_slots_taken_back_are_shown(table: Table) -> None:
    table.started(options=KNOTS, keyed=("south",))
    table.orders("north", pull("north"))
    table.lock()
    table.go("south")
    table.resolve()
    assert table.open().ledger.kept == (("north", 1),)
    consent(table, "south", 1)
    head = table.open().ledger.head
    undo(table.env, table.game, 1)
    assert orders_path("north", 1) in table.files()
    assert consent_path("south", head) in table.files()
    assert holds(table)
