"""New keys and chains: for a lost computer, a substitute, and the GM."""

from __future__ import annotations

from dataclasses import replace

from table import Table
from test_referee_protocol import holds, refused

from pbem.proof.canonical import decode, encode
from pbem.referee.consent import make, take
from pbem.referee.rekey import propose, read_change, rekey
from pbem.referee.verify import verify
from pbem.store.keys import Keyring

BOTH = ("north", "south")


def started(table: Table) -> Table:
    table.started(keyed=BOTH, umpire=True)
    table.turn()
    return table


def agreed(table: Table, change: bytes, *seats: str) -> None:
    for seat in seats:
        take(table.game, make(table.open(), table.key(seat), read_change(change)).letter)


def test_a_substitute_plays_on_with_his_own_key_and_chain(table: Table) -> None:
    table.started(keyed=BOTH, umpire=True)
    new = replace(table.player, keyring=Keyring(table.root / "substitute"))
    change = propose(new, table.open(), "south", table.key("substitute"))
    missing = refused(rekey, table.desk, table.game, change)
    assert (missing.answer, missing.problems[0].code, missing.problems[0].args) == (3, "consent.missing", {"seats": "north"})
    agreed(table, change, "north")
    done = rekey(table.desk, table.game, change, "he is ill")
    assert (done.of, done.since, done.consents) == ("south", 1, ("north",))
    assert table.open().announced()["waits"] == ["north"]
    table.turn()
    keys = table.key
    table.key = lambda name: keys("substitute") if name == "south" else keys(name)  # type: ignore[method-assign]
    table.player = new
    assert table.open().announced()["waits"] == ["south"]
    table.turn()
    assert table.open().ledger.rekeys == [("south", 0)]
    assert verify(table.game).failures == ()
    assert holds(table)


def test_a_new_chain_alone_for_who_has_lost_the_old_one(table: Table) -> None:
    table.started(keyed=BOTH, umpire=True)
    change = propose(table.player, table.open(), "south", None)
    assert set(decode(change)) == {"of", "from", "anchor"}
    agreed(table, change, "north", "south")
    assert rekey(table.desk, table.game, change).consents == ("north", "south")
    table.turn()
    table.turn()
    assert holds(table)


def test_the_gm_gets_a_new_key_and_a_new_chain(table: Table) -> None:
    started(table)
    change = propose(table.desk, table.open(), "gm", table.key("new gm"))
    agreed(table, change, *BOTH)
    assert rekey(table.desk, table.game, change).of == "gm"
    assert table.open().ledger.gm_key.line == decode(change)["key"]
    for _ in range(2):
        table.turn()
    assert holds(table)


def test_a_change_that_does_not_fit_is_refused(table: Table) -> None:
    started(table)
    change = propose(table.player, table.open(), "south", table.key("x"))
    assert refused(read_change, b"{}").problems[0].code == "rekey.form"
    assert refused(read_change, b'{"of":"south"}\n').problems[0].code == "rekey.form"
    assert refused(read_change, b'{"evil":1,"of":"south"}\n').problems[0].code == "rekey.form"
    old = encode({**decode(change), "from": 1})
    assert refused(rekey, table.desk, table.game, old).problems[0].code == "rekey.stale"
    nobody = encode({**decode(change), "of": "east"})
    assert refused(rekey, table.desk, table.game, nobody).problems[0].code == "rekey.seat"
    assert refused(propose, table.player, table.open(), "south", None, chain=False).problems[0].code == "rekey.nothing"


def test_a_seat_without_a_key_has_nothing_to_change(table: Table) -> None:
    table.started(keyed=("south",), umpire=True)
    assert refused(propose, table.player, table.open(), "north", None).problems[0].code == "rekey.seat"
