"""What was relied on for whose a letter is: from the mail into the ledger, and from there into what verify
says.
"""

from __future__ import annotations

from table import Table, pull

from pbem.proof.relied import note
from pbem.proof.verdict_words import unproven
from pbem.referee.proving.verify import verify
from pbem.referee.turn.admit import admit_words
from pbem.referee.turn.go import take_words
from pbem.referee.turn.submit import submit
from pbem.store.received import Provenance

MAIL = Provenance("0" * 32, "address and code")


def test_it_stands_in_start_lock_and_result_and_verify_tells_it(table: Table) -> None:
    table.new(keyed=())
    for name in table.open().ledger.outside:
        admit_words(table.env, table.game, name, "yes, I play", MAIL)
    table.orders("north", pull("north"))
    table.lock()
    take_words(table.game, "seven drunken herons", "south", Provenance("1" * 32, "address alone"))
    table.resolve()
    yaml = pull("south") + "luck: no cheese on fridays\n"
    submit(table.env, table.game, "o.yaml", yaml.encode(), seat="south", came=MAIL)
    assert table.open().ledger.locked is not None
    notes = [record.record.get("note") for record in table.open().ledger.records]
    said = [
        f"relied on for south: {what}" for what in ("address and code", "address alone", "address and code")
    ]
    assert [note for note in notes if note] == said
    told = "\n".join(unproven(verify(table.game)))
    assert "The GM says he relied on address and code (the join, slot 2); address alone (slot 1)." in told


def test_an_order_file_by_hand_leaves_no_note(table: Table) -> None:
    table.started(keyed=(), umpire=True)
    (seat,) = table.open().announced()["waits"]
    table.orders(seat, pull(seat) + f"luck: some words of {seat}\n")
    table.resolve()
    assert all("note" not in record.record for record in table.open().ledger.records)


def test_how_a_file_came_is_kept_of_the_first_that_brought_it(table: Table) -> None:
    table.started(keyed=(), umpire=True)
    seat = sorted(table.open().ledger.outside)[0]
    for came in (MAIL, Provenance("2" * 32, "nothing")):
        submit(table.env, table.game, "o.yaml", pull(seat).encode(), seat=seat, came=came, auto_lock=False)
    table.lock(deadline=True)
    lock = table.open().ledger.records[-1].record
    assert lock["note"] == f"relied on for {seat}: address and code"


def test_a_note_has_its_bounds() -> None:
    assert (
        note({"east": "one; two", "west": "three"})
        == "relied on for east: one, two; relied on for west: three"
    )
    assert note({}) is None and note({"west": ""}) is None
    assert len(note({f"w{n}": "x" * 200 for n in range(20)}) or "") == 2000
