"""What is signed in a browser is played with in real games; a value leaves for a verified history and for no other."""

from __future__ import annotations

from pathlib import Path

import pytest
from hunting_table import HuntingTable
from playwright.sync_api import Page
from sign_page import HEADER, apart, call, code, fingerprint_of, forget, key_of, lock_asked
from table import Table, pull

from pbem.proof.dice_protocol import Chain
from pbem.referee.admit import admit
from pbem.referee.go import take_go
from pbem.referee.refusal import Refused
from pbem.referee.signing_page import ledger_of, signing_of
from pbem.referee.submit import submit


def test_a_game_of_profile_gm_takes_what_the_page_signs(bare: Page, tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.new(profile="gm")
    key = call(bare, "load", key_of(table, "south"))
    game = table.open()
    place = {"game": game.id, "seat": "south", "manifest": game.ledger.manifest_id, "profile": "gm", "words": "yes,  I play – gern"}
    assert admit(table.desk, table.game, call(bare, "join", key["fingerprint"], place).encode()).started
    table.turn()
    how = signing_of(table.open(), "south")
    assert (how["key"], how["fingerprint"], how["value"], how["records"]) == (key["line"], key["fingerprint"], "", [])
    signed = call(bare, "signedOrders", key["fingerprint"], {name: how[name] for name in HEADER}, pull("south"))
    taken = submit(table.desk, table.game, signed["name"], signed["file"].encode(), signed["signature"].encode())
    assert taken.receipt.seat == "south"
    table.lock()
    assert table.resolve().slot == how["slot"]


def test_a_whole_turn_of_a_joint_game_is_signed_in_the_page(bare: Page, joint: Table, tmp_path: Path) -> None:
    game = joint.open()
    how = signing_of(game, "south")
    assert (how["slot"], how["value"], len(how["records"])) == (2, "chain", 4)
    x = call(bare, "value", fingerprint_of(joint), how)
    assert x == call(bare, "value", fingerprint_of(joint), how), "for the same history it may leave again"
    signed = call(bare, "signedOrders", fingerprint_of(joint), {**{name: how[name] for name in HEADER}, "x": x}, pull("south"))
    assert signed["final"]
    table = apart(joint, tmp_path / "table")
    taken = submit(table.desk, table.game, signed["name"], signed["file"].encode(), signed["signature"].encode())
    assert (taken.receipt.file, taken.lock is not None) == ("final", True)
    assert table.resolve().slot == 2


def test_a_value_leaves_for_the_slot_that_a_verified_history_opens_and_no_other(bare: Page, joint: Table) -> None:
    how, print_ = signing_of(joint.open(), "south"), fingerprint_of(joint)
    records = how["records"]
    tampered = [records[0], records[1], records[2], [records[3][0].replace('"slot":2', '"slot":9'), records[3][1]]]
    cases = {
        "another slot": ({**how, "slot": 9}, "sign-not-open"),
        "another head": ({**how, "head": "0" * 64}, "sign-not-open"),
        "another seat": ({**how, "seat": "north"}, "sign-not-open"),
        "an older history": ({**how, "records": records[:2]}, "sign-not-open"),
        "a hole": ({**how, "records": [records[0], *records[2:]]}, "sign-ledger"),
        "not signed": ({**how, "records": [*records[:3], [records[3][0], records[2][1]]]}, "sign-ledger-signature"),
        "changed": ({**how, "records": tampered}, "sign-ledger-signature"),
        "nothing": ({**how, "records": []}, "sign-ledger"),
        "no record": ({**how, "records": [["{", ""], ["x", ""]]}, "sign-ledger"),
        "another game": ({**how, "game": "tug-other1"}, "sign-ledger"),
    }
    for name, (place, expected) in cases.items():
        assert code(bare, "value", print_, place) == expected, name
    call(bare, "value", print_, how)


def test_another_history_of_the_same_slots_is_refused(bare: Page, joint: Table, tmp_path: Path) -> None:
    """The umpire plays the game anew from its start and shows the page that: it has seen the first one."""
    how = signing_of(joint.open(), "south")
    call(bare, "value", fingerprint_of(joint), how)
    other = apart(joint, tmp_path / "table")
    begun = ("ledger/00001", "ledger/00002", "seats/south/join", "scenario/", "keys/", "state/s0000", "tables/")
    for path in other.files():
        if not path.startswith(begun):
            (other.game / path).unlink()
    other.desk.keyring.told_file("tug-0a1b2c").unlink()
    other.orders("north", "fight:\n- north-team rests\n", auto_lock=False)
    other.lock()
    other.resolve()
    anew = signing_of(other.open(), "south")
    assert (anew["slot"], anew["head"] == how["head"]) == (2, False)
    assert code(bare, "value", fingerprint_of(joint), anew) == "sign-forked"
    forget(bare, "heads")
    assert code(bare, "value", fingerprint_of(joint), anew) == "sign-given", "the value of this slot has left for the other one"


def test_a_chain_of_pbem_can_be_given(bare: Page, tmp_path: Path) -> None:
    table = Table(tmp_path).started()
    call(bare, "load", key_of(table, "south"))
    table.orders("north", pull("north"), auto_lock=False)
    table.lock()
    secret = table.player.keyring.chain_file("tug-0a1b2c", "south").read_text()
    chain = Chain(bytes.fromhex(secret.strip()), "tug-0a1b2c", "south")
    assert call(bare, "chain", "", "tug-0a1b2c", "south", secret) == {"anchor": chain.anchor}
    forget(bare, "heads")
    forget(bare, "given")
    asked = lock_asked(table)
    assert code(bare, "go", fingerprint_of(table), asked) == "sign-other-chain", "the seat did not join with the key's own chain"
    take_go(table.game, call(bare, "go", fingerprint_of(table), asked, secret).encode())
    assert table.resolve().slot == 1
    assert code(bare, "chain", "", "tug-0a1b2c", "south", "no chain") == "sign-chain-form"


def test_a_signature_by_another_key_is_refused_by_pbem(bare: Page, joint: Table) -> None:
    other = call(bare, "make", "other")
    how = signing_of(joint.open(), "south")
    signed = call(bare, "signedOrders", other["fingerprint"], {name: how[name] for name in HEADER}, pull("south"))
    with pytest.raises(Refused) as refusal:
        submit(joint.desk, joint.game, signed["name"], signed["file"].encode(), signed["signature"].encode())
    assert [problem.code for problem in refusal.value.problems] == ["proof.signature"]


def test_a_history_that_could_tell_is_not_given(tmp_path: Path) -> None:
    table = HuntingTable(tmp_path).hunt()
    assert ledger_of(table.open()) == []
