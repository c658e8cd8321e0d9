"""What is signed in a browser is played with in real games; a value leaves for a verified history and for no
other.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hunting_table import HuntingTable
from playwright.sync_api import Page
from sign_page import (
    CALL,
    HEADER,
    apart,
    began,
    call,
    code,
    fingerprint_of,
    forget,
    joining,
    key_of,
    lock_asked,
)
from table import Table, pull

from pbem.proof.dice_protocol import Chain
from pbem.proof.trees import Tree
from pbem.referee.game.refusal import Refused
from pbem.referee.pages.signing_page import ledger_of, signing_of
from pbem.referee.proving.verify import verify
from pbem.referee.turn.admit import admit
from pbem.referee.turn.consent import make, take
from pbem.referee.turn.go import take_go
from pbem.referee.turn.rekey import propose, read_change, rekey
from pbem.referee.turn.submit import submit


def signed_orders(page: Page, table: Table, yaml: str, secret: str | None = None) -> Any:
    """Return orders of south that are signed in the page, with its value."""
    how = signing_of(table.open(), "south")
    value = call(page, "value", fingerprint_of(table), how, secret)
    header = {**{name: how[name] for name in HEADER}, "x": value["x"], "path": value["path"]}
    return call(page, "signedOrders", fingerprint_of(table), header, yaml)


def takes(table: Table, signed: Any) -> str:
    done = submit(
        table.env,
        table.game,
        signed["name"],
        signed["file"].encode(),
        signed["signature"].encode(),
        auto_lock=False,
    )
    assert done.receipt is not None
    return done.receipt.file


def test_a_game_of_profile_gm_takes_what_the_page_signs(bare: Page, tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.new(profile="gm")
    key = call(bare, "load", key_of(table, "south"))
    place = {**joining(table), "words": "yes,  I play – gern"}
    assert admit(table.env, table.game, call(bare, "join", key["fingerprint"], place).encode()).started
    table.turn()
    how = signing_of(table.open(), "south")
    assert (how["key"], how["fingerprint"], how["value"], how["records"]) == (
        key["line"],
        key["fingerprint"],
        "",
        [],
    )
    signed = call(
        bare, "signedOrders", key["fingerprint"], {name: how[name] for name in HEADER}, pull("south")
    )
    taken = submit(
        table.env, table.game, signed["name"], signed["file"].encode(), signed["signature"].encode()
    )
    assert taken.receipt.seat == "south"
    table.lock()
    assert table.resolve().slot == how["slot"]


def test_a_whole_turn_of_a_joint_game_is_signed_in_the_page(bare: Page, joint: Table, tmp_path: Path) -> None:
    how = signing_of(joint.open(), "south")
    assert (how["slot"], how["value"], len(how["records"])) == (2, "own", 4)
    value = call(bare, "value", fingerprint_of(joint), how)
    assert (value["slot"], value["last"], len(value["path"])) == (2, 1, 1)
    assert value == call(bare, "value", fingerprint_of(joint), how), "for the same history it may leave again"
    table = apart(joint, tmp_path / "table")
    signed = signed_orders(bare, table, pull("south"))
    assert signed["final"]
    taken = submit(
        table.env, table.game, signed["name"], signed["file"].encode(), signed["signature"].encode()
    )
    assert (taken.receipt.file, taken.lock is not None) == ("final", True)
    assert table.resolve().slot == 2


def test_a_value_leaves_for_the_slot_that_a_verified_history_opens_and_no_other(
    bare: Page, joint: Table
) -> None:
    how, print_ = signing_of(joint.open(), "south"), fingerprint_of(joint)
    records = how["records"]
    tampered = [
        records[0],
        records[1],
        records[2],
        [records[3][0].replace('"slot":2', '"slot":9'), records[3][1]],
    ]
    cases = {
        "another slot": ({**how, "slot": 9}, "sign-not-open"),
        "another head": ({**how, "head": "0" * 64}, "sign-not-open"),
        "another seat": ({**how, "seat": "north"}, "sign-not-open"),
        "an older history": ({**how, "records": records[:2]}, "sign-not-open"),
        "a hole": ({**how, "records": [records[0], *records[2:]]}, "sign-ledger"),
        "not signed": (
            {**how, "records": [*records[:3], [records[3][0], records[2][1]]]},
            "sign-ledger-signature",
        ),
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
    begun = (
        "ledger/00001",
        "ledger/00002",
        "seats/south/join",
        "scenario/",
        "keys/",
        "state/s0000",
        "tables/",
    )
    for path in other.files():
        if not path.startswith(begun):
            (other.game / path).unlink()
    other.env.keyring.told_file("tug-0a1b2c").unlink()
    other.orders("north", "pull:\n- north-team rests\n", auto_lock=False)
    other.lock()
    other.resolve()
    anew = signing_of(other.open(), "south")
    assert (anew["slot"], anew["head"] == how["head"]) == (2, False)
    assert code(bare, "value", fingerprint_of(joint), anew) == "sign-forked"
    forget(bare, "heads")
    assert code(bare, "value", fingerprint_of(joint), anew) == "sign-given", (
        "the value of this slot has left for the other one"
    )


@pytest.fixture
def anew(bare: Page) -> Iterator[Page]:
    """Return the page as if it had seen no game; what it sees here it forgets again."""
    for store in ("heads", "given"):
        forget(bare, store)
    yield bare
    for store in ("heads", "given"):
        forget(bare, store)


@pytest.mark.parametrize("revision", [1, 2])
def test_a_game_is_played_to_its_end_with_values_of_the_page(
    anew: Page, tmp_path: Path, revision: int
) -> None:
    table = began(anew, tmp_path, revision=revision)
    while not table.open().ledger.over:
        (seat,) = table.open().announced()["waits"]
        yaml = (
            "answers: {q1: b}\n"
            if table.open().questions
            else pull(seat, "standing: {everyone: {yield: let-go}}\n")
        )
        if seat == "south":
            assert takes(table, signed_orders(anew, table, yaml)) == "final"
        else:
            table.orders("north", yaml, auto_lock=False)
        table.lock()
        locked = table.open().ledger.locked
        if locked is not None and locked.asked:
            take_go(table.game, call(anew, "go", fingerprint_of(table), lock_asked(table))["letter"].encode())
        table.resolve()
    verdict = verify(table.game)
    assert (verdict.verdict, verdict.failures) == ("pass", ())
    assert len(verdict.trust) >= 5


def test_a_slot_that_is_far_on_has_to_be_meant(anew: Page, tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.new(umpire=True)
    key = call(anew, "load", key_of(table, "south"))
    admit(table.env, table.game, call(anew, "join", key["fingerprint"], joining(table)).encode())
    table.join_all()
    older: dict[int, Any] = {}
    for slot in range(1, 8):
        table.lock(deadline=True)
        table.resolve()
        older[slot + 1] = signing_of(table.open(), "south")
    print_, how = fingerprint_of(table), older[8]
    refused = anew.evaluate(CALL, ["value", [print_, how]])
    assert (refused["code"], refused["args"]) == ("sign-far", {"slot": 8, "last": "–", "passed": "2, 4, 6"})
    assert call(anew, "value", print_, older[4])["slot"] == 4, "one that passed is nothing to wonder at"
    assert code(anew, "value", print_, how, None, {"means": 4}) == "sign-far"
    assert call(anew, "value", print_, how, None, {"means": 8})["slot"] == 8
    assert code(anew, "value", print_, older[4]) == "sign-forked"
    forget(anew, "heads")
    assert code(anew, "value", print_, older[6]) == "sign-later"


def test_new_keys_are_followed(anew: Page, tmp_path: Path) -> None:
    """First the umpire has another key, then north, then south itself has other values, which pbem made."""
    table = Table(tmp_path)
    table.new(umpire=True, keyed=("north", "south"))
    key = call(anew, "load", key_of(table, "south"))
    admit(table.env, table.game, call(anew, "join", key["fingerprint"], joining(table)).encode())
    table.join_all()

    def changed(of: str, change: bytes) -> None:
        for seat in ("north", "south"):
            take(table.game, make(table.open(), table.key(seat), read_change(change)).letter)
        rekey(table.env, table.game, change)

    def silent() -> None:
        table.lock(deadline=True)
        table.resolve()

    changed("gm", propose(table.env, table.open(), "gm", table.key("new gm")).change)
    silent()
    changed("north", propose(table.player, table.open(), "north", None).change)
    assert table.open().ledger.records[-1].record["type"] == "rekey", (
        "the slot that is open was announced before"
    )
    assert takes(table, signed_orders(anew, table, "pull:\n- south-team rests\n")) == "final"
    changed("south", propose(table.player, table.open(), "south", None).change)
    (secret,) = table.player.keyring.secrets("tug-0a1b2c", "south")
    assert call(anew, "value", fingerprint_of(table), signing_of(table.open(), "south"))["slot"] == 2, (
        "they hold from the next slot on"
    )
    table.resolve()
    silent()
    how = signing_of(table.open(), "south")
    assert code(anew, "value", fingerprint_of(table), how) == "sign-other-chain"
    assert takes(table, signed_orders(anew, table, pull("south"), secret.hex())) == "final"
    assert verify(table.game).failures == ()


def test_a_tree_is_made_fast_and_the_page_lives_meanwhile(anew: Page) -> None:
    script = """async () => {
      const parts = [];
      let longest = 0;
      let before = performance.now();
      const made = await window.pbemSign.tree(new Uint8Array(32).fill(7), "tug-0a1b2c", "south", (part) => {
        longest = Math.max(longest, performance.now() - before);
        before = performance.now();
        parts.push(part);
      });
      return {root: made.root, path: made.path(8, 7), value: made.value(8), parts, longest};
    }"""
    made, tree = anew.evaluate(script), Tree(bytes([7]) * 32, "tug-0a1b2c", "south")
    assert (made["root"], made["value"], tuple(made["path"])) == (tree.root, tree.value(8), tree.path(8, 7))
    assert made["parts"] == [step / 32 for step in range(1, 33)]


def test_the_secret_of_pbem_can_be_given(bare: Page, tmp_path: Path) -> None:
    table = Table(tmp_path).started()
    call(bare, "load", key_of(table, "south"))
    table.orders("north", pull("north"), auto_lock=False)
    table.lock()
    secret = table.player.keyring.chain_file("tug-0a1b2c", "south").read_text()
    of = bytes.fromhex(secret.strip()), "tug-0a1b2c", "south"
    tree = Tree(*of)
    whose = {"game": "tug-0a1b2c", "seat": "south"}
    assert call(bare, "fixes", "", {**whose, "revision": 2}, secret) == {"root": tree.root}
    assert call(bare, "fixes", "", {**whose, "revision": 1}, secret) == {"anchor": Chain(*of).anchor}
    forget(bare, "heads")
    forget(bare, "given")
    asked = lock_asked(table)
    assert code(bare, "go", fingerprint_of(table), asked) == "sign-other-chain", (
        "the seat did not join with the key's own chain"
    )
    take_go(table.game, call(bare, "go", fingerprint_of(table), asked, secret)["letter"].encode())
    assert table.resolve().slot == 1
    assert code(bare, "fixes", "", {**whose, "revision": 2}, "no secret") == "sign-chain-form"


def test_a_signature_by_another_key_is_refused_by_pbem(bare: Page, joint: Table) -> None:
    other = call(bare, "make", "other")
    how = signing_of(joint.open(), "south")
    signed = call(
        bare, "signedOrders", other["fingerprint"], {name: how[name] for name in HEADER}, pull("south")
    )
    with pytest.raises(Refused) as refusal:
        submit(joint.env, joint.game, signed["name"], signed["file"].encode(), signed["signature"].encode())
    assert [problem.code for problem in refusal.value.problems] == ["proof.signature"]


def test_a_history_that_could_tell_is_not_given(tmp_path: Path) -> None:
    table = HuntingTable(tmp_path).hunt()
    assert ledger_of(table.open()) == []
