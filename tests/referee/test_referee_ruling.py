"""Rulings and corrections at a table: what they come to, what is refused, who has to say yes, and what is told."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Any

import pytest
from hunting_table import FIRST, FOXES, HOUNDS, HuntingTable
from killing import THROUGH, each_step
from table import Table, pull
from test_referee_protocol import holds, refused

from pbem.proof.archive import state_path
from pbem.proof.canonical import decode, encode
from pbem.proof.patching import patched
from pbem.proof.ruled import act_of
from pbem.proof.ruled import rule as rule_record
from pbem.referee.explain.draw import state_of
from pbem.referee.game.sealing import gm_key, seal
from pbem.referee.proving.mend import mend
from pbem.referee.proving.verify import verify
from pbem.referee.turn.admit import admit_words
from pbem.referee.turn.consent import make, take
from pbem.referee.turn.new import SeatWish, new
from pbem.referee.turn.report import report_of
from pbem.referee.turn.ruling import correct, plain_state, rule
from pbem.referee.turn.undo import undo
from pbem.store import disk
from pbem.store.gamedir import GameDir

OTHER = {"at": ["rope"], "to": 2}


def consent(table: Table, seat: str, act: str) -> None:
    take(table.game, make(table.open(), table.key(seat), {"act": act}).letter)


def waited(table: Table, slot: int) -> str:
    return str(table.open().ledger.slots[slot].waits[0])


def turn(table: Table) -> None:
    """Play the open slot; whoever has no key types words, never the same."""
    game = table.open()
    (seat,) = game.announced()["waits"]
    keyed = game.ledger.seats[seat].key is not None
    words = f"luck of slot {game.announced()['slot']}, {seat}"
    yaml = "answers: {q1: let-go}\n" if game.questions else pull(seat)
    table.orders(seat, yaml if keyed else f"luck: {words}\n{yaml}")
    table.lock()
    locked = table.open().ledger.locked
    for asked in locked.asked if locked is not None else ():
        table.go(asked, f"go {words} {asked}")
    table.resolve()


def stay(seat: str) -> tuple[str, bytes]:
    """Return orders by which a side does nothing, which come out otherwise than a pull."""
    return f"{seat}.yaml", b"nobody: true\n"


def code(refusal: Any) -> str:
    return str((refusal.problems or refusal.located)[0].code)


def test_a_ruling_changes_the_state_and_says_so(table: Table) -> None:
    table.started(keyed=(), umpire=True)
    turn(table)
    before = table.open()
    done = rule(table.env, table.game, [OTHER], "a knot was missed")
    game = table.open()
    assert (done.slot, game.ledger.state_slot) == (2, 2)
    assert game.state.rope == 2 != before.state.rope
    assert game.announced() == {**before.announced(), "slot": 3}
    assert any("rope" in line for line in done.lines)
    text = " ".join(report_of(game, 2, "text").split())
    assert "The umpire has ruled, on the umpire's word." in text
    assert "a knot was missed" in text
    turn(table)
    assert holds(table)


def test_a_correction_keeps_the_dice(table: Table) -> None:
    table.started(keyed=(), umpire=True)
    turn(table)
    old = table.open().ledger.slots[1]
    seat = waited(table, 1)
    done = correct(table.env, table.game, 1, {seat: stay(seat)}, "misread")
    game = table.open()
    new = game.ledger.slots[2]
    assert (done.slot, done.corrects, new.first, new.seed) == (2, 1, 1, old.seed)
    was = {roll.label: roll for roll in old.rolls}
    assert all(was[roll.label] == roll for roll in new.rolls if roll.label in was)
    assert "same dice" in report_of(game, 2, "text")
    assert "played again later" in report_of(game, 1, "text")
    turn(table)
    assert holds(table)
    assert [(line.slot, line.status) for line in verify(table.game).trust] == [
        (1, "undone"),
        (2, "ok"),
        (3, "ok"),
    ]


def test_back_to_what_it_was_with_a_correction_of_the_correction(table: Table) -> None:
    table.started(keyed=(), umpire=True)
    turn(table)
    first = table.open()
    seat = waited(table, 1)
    correct(table.env, table.game, 1, {seat: stay(seat)})
    yaml = (table.game / "seats" / seat / "orders-s0001.txt").read_bytes().partition(b"---\n")[2]
    correct(table.env, table.game, 2, {seat: ("again.yaml", yaml)})
    again = table.open()
    assert again.ledger.state == first.ledger.state
    assert again.ledger.slots[3].rolls == first.ledger.slots[1].rolls
    assert holds(table)


def test_every_seat_with_a_key_consents_to_just_that(table: Table) -> None:
    table.started(keyed=("south",))
    turn(table)
    assert code(refused(rule, table.env, table.game, [OTHER], "x")) == "consent.missing"
    asked = rule(table.env, table.game, [OTHER], "x", propose=True)
    assert not asked.entered and table.open().ledger.newest_slot == 1
    consent(table, "south", asked.act)
    assert code(refused(rule, table.env, table.game, [{"at": ["rope"], "to": 1}], "x")) == "consent.missing"
    assert code(refused(rule, table.env, table.game, [OTHER], "y")) == "consent.missing"
    assert code(refused(undo, table.env, table.game, 1)) == "consent.missing"
    done = rule(table.env, table.game, [OTHER], "x")
    assert (done.consents, done.act) == (("south",), asked.act)
    assert act_of(table.open().ledger.records[-1].record) == asked.act
    assert holds(table)


def test_a_correction_of_his_orders_needs_his_signature(table: Table) -> None:
    table.started(keyed=("south",))
    turn(table)
    turn(table)
    newest = table.open().ledger.newest_slot
    orders = {waited(table, newest): stay(waited(table, newest))}
    assert code(refused(correct, table.env, table.game, newest, orders)) == "consent.missing"
    asked = correct(table.env, table.game, newest, orders, propose=True)
    consent(table, "south", asked.act)
    assert correct(table.env, table.game, newest, orders).consents == ("south",)
    assert holds(table)


def test_what_a_state_does_not_have_is_named(tmp_path: Path) -> None:
    table = Table(tmp_path)
    wishes = [SeatWish(side, side, side) for side in ("east", "west")]
    new(table.env, "alder-ford", table.game, wishes, name="a-0a1b2c", umpire=True)
    for side in ("east", "west"):
        admit_words(table.env, table.game, side, "yes, I play")
    (problem,) = refused(rule, table.env, table.game, [{"at": ["turn"], "to": 9}], "x").problems
    assert problem.args["why"].startswith("nothing there is called 'turn'")


def test_what_cannot_be_ruled(table: Table) -> None:
    table.started(keyed=(), umpire=True)
    turn(table)

    def said(patch: Any) -> str:
        return code(refused(rule, table.env, table.game, patch, "x"))

    rope = table.open().state.rope
    assert said([{"at": ["rope"], "to": rope}]) == "ruling.nothing"
    assert said([{"at": ["teams", 77, "x"], "to": 1}]) == "ruling.place"
    assert said([{"at": ["teams"], "to": "none"}]) == "ruling.state"
    assert said([{"at": ["at"], "to": "t9.south.pull"}]) in ("ruling.phase", "ruling.state")
    assert table.open().ledger.newest_slot == 1


def test_what_cannot_be_corrected(table: Table) -> None:
    table.started(keyed=(), umpire=True)
    assert code(refused(correct, table.env, table.game)) == "report.nothing"
    turn(table)
    turn(table)
    assert code(refused(correct, table.env, table.game, 1)) == "ruling.older"
    assert code(refused(correct, table.env, table.game, 7)) == "ruling.no-slot"
    assert code(refused(correct, table.env, table.game, 2)) == "ruling.same"
    bad = {waited(table, 2): ("bad.yaml", b"pull:\n  - nonsense\n")}
    assert refused(correct, table.env, table.game, 2, bad).located
    rule(table.env, table.game, [{"at": ["rope"], "to": 1}], "x")
    assert code(refused(correct, table.env, table.game, 3)) == "ruling.of-a-ruling"
    assert code(refused(correct, table.env, table.game, 2)) == "ruling.older"


def test_nothing_is_ruled_between_lock_and_result(table: Table) -> None:
    table.started(keyed=(), umpire=True)
    turn(table)
    (seat,) = table.open().announced()["waits"]
    table.orders(seat, pull(seat))
    table.lock(deadline=True)
    assert table.open().ledger.locked is not None
    assert code(refused(rule, table.env, table.game, [OTHER], "x")) == "game.locked"
    assert code(refused(correct, table.env, table.game)) == "ruling.locked"


def test_both_are_taken_back_as_slots_are(table: Table) -> None:
    table.started(keyed=(), umpire=True)
    turn(table)
    before = table.open()
    rule(table.env, table.game, [OTHER], "x")
    undo(table.env, table.game, 2)
    assert table.open().ledger.state == before.ledger.state
    seat = waited(table, 1)
    correct(table.env, table.game, 1, {seat: stay(seat)})
    undo(table.env, table.game, 3)
    assert table.open().ledger.state_slot == 0
    turn(table)
    assert holds(table)


def test_a_correction_on_a_state_changed_by_hand(table: Table) -> None:
    table.started(keyed=(), umpire=True)
    turn(table)
    assert plain_state(table.game, 1, before=True)["rope"] == 0
    correct(table.env, table.game, 1, patch=[{"at": ["rope"], "to": 1}], why="the rope lay on 1")
    _, state = state_of(table.open(), 2)
    assert state.rope == table.open().state.rope
    turn(table)
    assert holds(table)


def test_a_ruling_to_a_state_that_the_rules_do_not_have_is_found_by_replaying(table: Table) -> None:
    table.started(keyed=(), umpire=True)
    turn(table)
    game = table.open()
    ledger, patch = game.ledger, [{"at": ["teams", 0, "colour"], "to": "blue"}]
    data = encode(patched(decode(game.archive[state_path(1)]), patch))
    folder = GameDir(table.game)
    folder.put(state_path(2), data)
    record = rule_record(
        game=game.id, n=ledger.next_n, prev=ledger.head, at=table.env.clock(), slot=2, patch=patch,
        state=hashlib.sha256(data).hexdigest(), consents={}, why="x", kept=ledger.kept,
        following={**game.announced(), "slot": 3},
    )  # fmt: skip
    seal(folder, gm_key(table.env, game), record)
    verdict = verify(table.game)
    assert (verdict.verdict, [one.code for one in verdict.failures]) == ("fail", ["E28"])


@pytest.mark.parametrize("kind", ["rule", "correct"])
def test_killed_at_each_effect(table: Table, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    table.started(keyed=(), umpire=True)
    turn(table)
    seat = waited(table, 1)

    def act() -> None:
        if kind == "rule":
            rule(table.env, table.game, [OTHER], "x")
        else:
            correct(table.env, table.game, 1, {seat: stay(seat)}, "x")

    steps = []
    for step in each_step(act, monkeypatch, disk):
        steps.append(step)
        if table.open().ledger.newest_slot == 2:
            break
        assert table.open().ledger.newest_slot == 1
    assert len(steps) > 5
    assert table.open().ledger.slots[2].act == kind
    assert steps[-1] == THROUGH or not mend(table.env, table.game).left
    turn(table)
    assert holds(table)


def test_what_is_lost_of_a_ruling_is_made_again(table: Table) -> None:
    table.started(keyed=(), umpire=True)
    turn(table)
    rule(table.env, table.game, [OTHER], "x")
    seat = waited(table, 1)
    undo(table.env, table.game, 2)
    correct(table.env, table.game, 1, {seat: stay(seat)}, "x")
    paths = [
        f"{place}/s{slot:04d}.{end}"
        for slot in (2, 3)
        for place, end in (("state", "json"), ("reports", "txt"))
    ]
    paths += ["rolls/s0003.jsonl", "events/s0003.jsonl"]
    was = {path: (table.game / path).read_bytes() for path in paths}
    for path in paths:
        (table.game / path).unlink()
    mend(table.env, table.game)
    assert {path: (table.game / path).read_bytes() for path in paths} == was
    assert holds(table)


def test_a_ruling_on_somebody_hidden_tells_the_others_nothing_of_him(tmp_path: Path) -> None:
    table = HuntingTable(tmp_path).hunt()
    table.play(HOUNDS, FIRST)
    table.play(FOXES, "pad:\n- fox pads to 0604\n")
    plain = plain_state(table.game)
    names = [key for key, value in plain.items() if isinstance(value, list)]
    where = next((key, n) for key in names for n, one in enumerate(plain[key]) if one.get("id") == "fox")
    done = rule(table.env, table.game, [{"at": [*where, "at"], "to": "0605"}], "a slip of the pen")
    number = done.slot
    assert any("0605" in line for line in done.lines)
    assert "0605" not in done.proposal.decode() and b'"act"' in done.proposal
    for seat, knows in ((None, True), (FOXES, True), (HOUNDS, False)):
        text = " ".join(report_of(table.open(), number, "text", seat=seat).split())
        assert ("fox at: 0604 → 0605" in text) is knows, text
        assert ("fox" in re.findall(r"\w+", text.replace("A fox in the wood", "").lower())) is knows, text
        assert ("As far as you can see, everything is as it was." in text) is not knows
    letter = (table.game / f"outbox/report-s{number:04d}-{HOUNDS}.txt").read_text()
    assert "0604 →" not in letter and "a slip of the pen" in letter
