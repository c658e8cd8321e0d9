"""Rulings and corrections: honest ones pass and are told, with on whose word they stand; others have their
code.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

import pytest
from proof_simulator import GAME, Referee, digest, line, player
from test_proof_amending import MELEE, asked, both, first_code, judged, right_round, three, turn, with_beacon

from pbem.proof import archive as names
from pbem.proof import records
from pbem.proof.acts import acts
from pbem.proof.canonical import encode
from pbem.proof.ledger import read_ledger
from pbem.proof.patching import BadPatch, patched
from pbem.proof.replaying import in_force, slot_to_replay
from pbem.proof.snapshot import put_down, taken_up

KEYED = ("blue", "green")
PATCH = [{"at": ["slot"], "to": 99}]
A1, A2, B = (f"{MELEE}/{name}" for name in ("a1", "a2", "b"))
AGAIN = [(A2, 6, 1), (B, 10, 2)]
"""What a correction of slot 2 rolls: a label that it had, and a new one."""
ON = (MELEE, ["green"])


def ruled(patch: Any = PATCH, agreeing: Any = KEYED, **more: Any) -> Referee:
    game = three()
    game.rule(patch, agreeing, **more)
    return game


def corrected(corrects: int = 2, rolls: Any = AGAIN, agreeing: Any = KEYED, **more: Any) -> Referee:
    game = three()
    game.correct(corrects, rolls, agreeing, **{"orders": {"green": {}}, "following": ON, **more})
    return game


def on(game: Referee) -> Referee:
    """Let a game go on for a turn."""
    turn(game, "green", "c")
    return game


def keyless() -> Referee:
    game = Referee([player("blue", key=False), player("green", key=False)]).open(MELEE, ["blue"])
    game.order("blue", luck="seven drunken herons")
    game.lock(green="go")
    game.go("green", "nine tired owls")
    game.result([(A1, 6, 1)], following=ON)
    game.rule(PATCH)
    return game


def twice() -> Referee:
    game = ruled()
    game.rule([{"at": ["more"], "to": [1]}, {"at": ["more", 1], "to": {"x": "y"}}, {"at": ["slot"]}], KEYED)
    return on(game)


def correction_of_a_correction() -> Referee:
    game = corrected()
    game.correct(3, [(A2, 6, 1)], KEYED, orders={"blue": {}}, following=ON)
    return on(game)


def taken_back(build: Callable[[], Referee], to: int) -> Referee:
    game = build()
    game.undo(to, both(game, to=to))
    return on(game)


def correction_after_an_undo() -> Referee:
    """Slot 2 is taken back, and slot 1, whose seed is not the newest, corrected."""
    game = three()
    seed = read_ledger(game.archive).slots[1].seed
    game.undo(2, both(game, to=2))
    game.correct(1, [(A1, 6, 1)], KEYED, seed=seed, following=ON)
    return on(game)


def with_early_values() -> Referee:
    """Orders with a value, and a receipt for them, were there when the ruling came: both count for nothing."""
    game = three()
    sha512 = hashlib.sha512(game.order("green", x=True)).hexdigest()
    paper = records.receipt(game=GAME, at=game.at(), seat="green", slot=3, sha512=sha512, file="final")
    path = names.receipt_path(3, "green", sha512)
    game.put(path, encode(paper), "gm", names.gm_namespace(GAME))
    for end in ("", ".sig"):
        del game.archive[names.orders_path("green", 3) + end]
    game.rule(PATCH, KEYED)
    return on(game)


def with_a_coming_key() -> Referee:
    game = three()
    game.rekey("blue", both(game, of="blue", **{"from": 3}, key=line("blue2")), key=line("blue2"))
    game.signs["blue"] = "blue2"
    game.rule(PATCH, KEYED)
    return on(game)


def locked(act: Callable[[Referee], Any]) -> Referee:
    """Something while slot 3 is locked and waits for a go."""
    game = three()
    game.order("green")
    game.lock(blue="go", green="go")
    act(game)
    return game


def consented(to: Callable[[Referee], list[dict[str, Any]]]) -> Referee:
    """A ruling with consents that were given to something else."""
    game = three()
    given = to(game)
    game.rule(PATCH, (), after=lambda record: record.update(consents=given))
    return game


def old_consent() -> Referee:
    """The consent to a ruling used for the same ruling once more."""
    game = ruled()
    old = read_ledger(game.archive).records[-1].record
    game.rule(PATCH, (), after=lambda record: record.update(consents=old["consents"]))
    return game


def of_the_other(kind: str) -> Referee:
    """The consents to a ruling with this correction, or the other way round."""
    game = three()
    if kind == "correct":
        game.correct(2, AGAIN, KEYED, following=ON, after=lambda record: record.update(corrects=1))
    else:
        game.rule(PATCH, KEYED, after=lambda record: record.update(patch=[{"at": ["slot"], "to": 98}]))
    return game


def unfresh() -> Referee:
    """Slot 1 of friends without a value: no die can be in it, nor in its correction."""
    game = three()
    game.order("green")
    game.lock()
    game.result(following=ON)
    game.correct(3, [(B, 6, 1)], KEYED, following=ON)
    return game


def beacon(dice: bool) -> Referee:
    game = with_beacon(dice=dice, change=right_round(), given=dice)
    game.correct(1, [(A1, 6, 1)], ["blue"])
    return game


def file_of(game: Referee, change: bytes | None, seat: str = "green", slot: int = 3) -> Referee:
    path = names.orders_path(seat, slot)
    if change is None:
        del game.archive[path]
    else:
        game.archive[path] = change
    return game


def state_of(slot: int, data: bytes | None, build: Callable[[], Referee] = ruled) -> Referee:
    game = build()
    if data is None:
        del game.archive[names.state_path(slot)]
    else:
        game.archive[names.state_path(slot)] = data
    return game


def log_of(game: Referee, data: bytes | None) -> Referee:
    if data is None:
        del game.archive[names.rolls_path(3)]
    else:
        game.archive[names.rolls_path(3)] += data
    return game


def in_a_question() -> Referee:
    game = asked()
    game.undo(2, both(game, to=2))
    game.rule(PATCH, KEYED)
    return game


def other_die(lines: list[dict[str, Any]]) -> None:
    lines[0]["v"] = [lines[0]["v"][0] % 6 + 1]


def set_(**fields: Any) -> Callable[[dict[str, Any]], Any]:
    return lambda record: record.update(fields)


def next_(**fields: Any) -> Callable[[dict[str, Any]], Any]:
    return lambda record: record["next"].update(fields)


def without(field: str) -> Callable[[dict[str, Any]], Any]:
    return lambda record: record.pop(field)


HONEST: dict[str, Callable[[], Referee]] = {
    "a ruling": ruled,
    "a ruling, and on": lambda: on(ruled()),
    "two rulings": twice,
    "a ruling after which nothing is open": lambda: ruled(change=without("next")),
    "a ruling on the umpire's word": keyless,
    "a ruling with a key to come": with_a_coming_key,
    "a ruling over early values": with_early_values,
    "a ruling taken back": lambda: taken_back(ruled, 3),
    "a ruling and the slot before it taken back": lambda: taken_back(lambda: on(ruled()), 2),
    "a correction": corrected,
    "a correction, and on": lambda: on(corrected()),
    "a correction without other orders": lambda: corrected(orders={}),
    "a correction without dice": lambda: corrected(rolls=[]),
    "a correction with a patch": lambda: corrected(patch=PATCH),
    "a correction that ends the game": lambda: corrected(following=None),
    "a correction with a file that stays": lambda: on(corrected(kept=[("green", 2)], orders={"blue": {}})),
    "a correction corrected": correction_of_a_correction,
    "a correction taken back": lambda: taken_back(corrected, 3),
    "a correction after an undo": correction_after_an_undo,
    "a correction with a beacon": lambda: beacon(dice=True),
}
ATTACKS: dict[str, tuple[str, Callable[[], Referee]]] = {
    "a ruling nobody consents to": ("E20", lambda: ruled(agreeing=())),
    "a ruling one consents to": ("E20", lambda: ruled(agreeing=["blue"])),
    "a ruling with consents to an undo": ("E20", lambda: consented(lambda game: both(game, to=2))),
    "a ruling with consents to nothing": ("E20", lambda: consented(lambda game: both(game, act="0" * 64))),
    "a ruling with old consents": ("E20", old_consent),
    "a ruling with another patch than was consented to": ("E20", lambda: of_the_other("rule")),
    "a ruling with another reason": ("E20", lambda: ruled(after=set_(why="for a friend"))),
    "a ruling with another state": ("E20", lambda: ruled(after=set_(state="0" * 64))),
    "a ruling between lock and result": ("E06", lambda: locked(lambda game: game.rule(PATCH, KEYED))),
    "a ruling while a question is open": ("E06", in_a_question),
    "a ruling in a slot to come": ("E06", lambda: ruled(change=set_(slot=4))),
    "a ruling in a slot that is over": ("E06", lambda: ruled(change=set_(slot=2))),
    "a ruling whose patch leads elsewhere": ("E28", lambda: ruled(state={"format": 1, "slot": 98})),
    "a ruling whose patch leads nowhere": ("E28", lambda: ruled([{"at": ["units", 3], "to": 1}], state={})),
    "a ruling without the state before": ("E00", lambda: state_of(2, None)),
    "a ruling without its state": ("E00", lambda: state_of(3, None)),
    "a ruling on another state": ("E08", lambda: state_of(2, b'{"format":1,"slot":2,"x":1}\n')),
    "a ruling and another state": ("E08", lambda: state_of(3, b'{"format":1,"slot":98}\n')),
    "a ruling that keeps a file": ("E28", lambda: ruled(change=set_(kept=[{"seat": "blue", "slot": 1}]))),
    "a ruling that keeps what was not": ("E08", lambda: ruled(change=set_(kept=[{"seat": "red", "slot": 1}]))),
    "a ruling that opens its own slot": ("E06", lambda: ruled(change=next_(slot=3))),
    "a ruling that waits for a stranger": ("E27", lambda: ruled(change=next_(waits=["pink"]))),
    "a ruling that opens another phase": ("E28", lambda: ruled(change=next_(phase="t1.red.melee"))),
    "a ruling without a patch": ("E27", lambda: ruled(after=without("patch"))),
    "a ruling of no change": ("E27", lambda: ruled(after=set_(patch=[]))),
    "a ruling of a place before the first": ("E27", lambda: ruled(after=set_(patch=[{"at": [-1]}]))),
    "a ruling of no place": ("E27", lambda: ruled(after=set_(patch=[{"at": [], "to": 1}]))),
    "a ruling too deep": ("E27", lambda: ruled(after=set_(patch=[{"at": ["x"] * 13, "to": 1}]))),
    "a ruling too long": ("E27", lambda: ruled(after=set_(patch=PATCH * 1001))),
    "a correction nobody consents to": ("E20", lambda: corrected(agreeing=())),
    "a correction of his orders without his consent": ("E20", lambda: corrected(agreeing=["blue"])),
    "a correction of another slot than was consented to": ("E06", lambda: of_the_other("correct")),
    "a correction with other orders than was consented to": ("E20", lambda: corrected(after=set_(orders=[]))),
    "a correction of an older slot": ("E06", lambda: corrected(1)),
    "a correction of a slot taken back": ("E06", lambda: _of_undone()),
    "a correction of a slot corrected already": ("E06", lambda: _again()),
    "a correction while a slot is locked": ("E06", lambda: locked(lambda game: game.correct(2, AGAIN, KEYED))),
    "a correction of a ruling": ("E06", lambda: _of_a_ruling(3)),
    "a correction of the slot before a ruling": ("E06", lambda: _of_a_ruling(2)),
    "a correction of no slot": ("E06", lambda: corrected(after=set_(corrects=9))),
    "a correction in the same slot": ("E06", lambda: corrected(change=set_(slot=2))),
    "a correction with another die": ("E12", lambda: corrected(log=other_die)),
    "a correction with the dice of another seed": ("E12", lambda: corrected(seed=digest("other"))),
    "a correction with a label twice": ("E13", lambda: corrected(rolls=[(B, 6, 1), (B, 6, 1)])),
    "a correction with a label of before": ("E13", lambda: corrected(rolls=[(A1, 6, 1)])),
    "a correction with a label of a phase not played": ("E12", lambda: corrected(rolls=[("t9.x.melee/a", 6, 1)])),
    "a correction with another log": ("E14", lambda: log_of(corrected(), b"x")),
    "a correction without its log": ("E00", lambda: log_of(corrected(), None)),
    "a correction without the other orders": ("E00", lambda: file_of(corrected(), None)),
    "a correction with other orders": ("E08", lambda: file_of(corrected(), b"x")),
    "a correction with a draft of the slot": ("E07", lambda: corrected(orders={"green": {"slot": 2}})),
    "a correction with orders of another seat": ("E07", lambda: corrected(orders={"green": {"seat": "blue"}})),
    "a correction with orders of before": ("E25", lambda: corrected(orders={"green": {"head": "0" * 64}})),
    "a correction with a value": ("E15", lambda: corrected(orders={"green": {"luck": "nine tired owls"}})),
    "a correction of a seat that there is not": (
        "E08", lambda: corrected(change=set_(orders=[{"seat": "pink", "sha512": "0" * 128}]))),
    "a correction of a seat twice": ("E08", lambda: corrected(change=lambda one: one["orders"].append(one["orders"][0]))),
    "a correction with dice where none could be": ("E23", unfresh),
    "a correction with dice and no beacon": ("E18", lambda: beacon(dice=False)),
    "a correction with a patch that leads nowhere": ("E28", lambda: corrected(patch=[{"at": ["units", 3], "to": 1}])),
    "a correction with a patch to another state": (
        "E08", lambda: state_of(1, b'{"format":1,"slot":7}\n', lambda: corrected(patch=PATCH))),
    "a correction with a patch to no state": ("E00", lambda: state_of(1, None, lambda: corrected(patch=PATCH))),
    "a correction and another state": ("E08", lambda: state_of(3, b'{"format":1}\n', corrected)),
    "a correction that keeps what was not": ("E08", lambda: corrected(kept=[("red", 1)])),
    "a correction that waits for a stranger": ("E27", lambda: corrected(following=(MELEE, ["green", "green"]))),
    "a correction with dice of a later slot": ("E13", lambda: _rolled_later()),
    "a correction without a reason": ("E27", lambda: corrected(after=without("why"))),
    "an undo with consents to a ruling": ("E20", lambda: _undone_with_an_act()),
    "new keys with consents to a ruling": ("E20", lambda: _rekeyed_with_an_act()),
}  # fmt: skip


def _of_undone() -> Referee:
    game = three()
    game.undo(2, both(game, to=2))
    game.correct(2, AGAIN, KEYED, following=ON)
    return game


def _again() -> Referee:
    game = corrected()
    game.correct(2, AGAIN, KEYED, following=ON)
    return game


def _of_a_ruling(slot: int) -> Referee:
    game = ruled()
    game.correct(slot, AGAIN, KEYED, following=ON)
    return game


def _rolled_later() -> Referee:
    """The next slot asks for a label of the correction once more."""
    game = corrected()
    game.order("green", x=True)
    game.lock()
    game.result([(B, 10, 2)], following=ON)
    return game


def _undone_with_an_act() -> Referee:
    game = three()
    game.undo(2, both(game, act="0" * 64))
    return game


def _rekeyed_with_an_act() -> Referee:
    game = three()
    game.rekey("blue", both(game, act="0" * 64), key=line("blue2"))
    return game


RULINGS: dict[str, tuple[str | None, Callable[[], Referee]]] = {
    **{name: (None, build) for name, build in HONEST.items()},
    **ATTACKS,
}


@pytest.mark.parametrize("name", RULINGS)
def test_a_ruling_or_a_correction(name: str) -> None:
    code, build = RULINGS[name]
    assert first_code(build()) == code


def test_what_is_told_says_on_whose_word() -> None:
    def told(game: Referee) -> list[str]:
        return [one.said for one in acts(read_ledger(game.archive)) if one.kind == "ruling"]

    assert told(twice()) == [
        "ruling in slot 3, 1 change to the state, with the consent of blue, green, and for red on the umpire's word: a slip",
        "ruling in slot 4, 3 changes to the state, with the consent of blue, green, and for red on the umpire's word: a slip",
    ]  # fmt: skip
    assert told(keyless()) == ["ruling in slot 2, 1 change to the state, on the umpire's word: a slip"]
    assert told(corrected()) == [
        "slot 3 corrects slot 2 with the same dice, other orders of green, with the consent of blue, green, and for "
        "red on the umpire's word: misread"
    ]


def test_the_dice_of_a_correction_are_known_to_everybody_and_say_so() -> None:
    verdict = judged(on(corrected()))
    assert [(one.status, one.foreknowledge) for one in verdict.trust[1:3]] == [
        ("undone", verdict.trust[1].foreknowledge),
        ("ok", "known to everybody since slot 2"),
    ]
    assert "everybody" not in verdict.trust[3].foreknowledge
    assert any("red has no key" in finding.message for finding in verdict.warnings)


def test_a_label_asked_again_keeps_its_die() -> None:
    ledger = read_ledger(corrected().archive)
    old, new = ledger.slots[2].rolls, ledger.slots[3].rolls
    assert old[0] == new[0] and len(new) == 2
    assert ledger.slots[2].undone and ledger.seed == ledger.slots[2].seed == ledger.slots[3].seed


def test_which_files_a_correction_is_played_with() -> None:
    ledger = read_ledger(correction_of_a_correction().archive)
    assert in_force(ledger, ledger.slots[3]) == (("green", 3),)
    assert in_force(ledger, ledger.slots[4]) == (("blue", 4), ("green", 3))
    again = slot_to_replay(ledger, ledger.slots[4])
    assert again is not None and (again.first, again.act, again.seed) == (2, "correct", ledger.slots[2].seed)


@pytest.mark.parametrize("name", HONEST)
def test_a_ledger_with_rulings_is_put_down_and_taken_up(name: str) -> None:
    ledger = read_ledger(HONEST[name]().archive)
    lines = put_down(ledger)
    by_path = {read.path: read.record for read in ledger.records}
    again = taken_up(lines, ledger.archive, lambda path, id_: by_path[path])
    assert put_down(again) == lines
    for number, slot in ledger.slots.items():
        other = again.slots[number]
        assert (other.act, other.corrects, other.first) == (slot.act, slot.corrects, slot.first)
        assert in_force(again, other) == in_force(ledger, slot)


def test_what_a_patch_can_do() -> None:
    state = {"units": [{"id": "odo", "at": ["0412"]}, {"id": "hob"}], "x": {"y": 1}}
    assert patched(state, [{"at": ["units", 0, "at", 0], "to": "0413"}])["units"][0]["at"] == ["0413"]
    assert patched(state, [{"at": ["units", 2], "to": {"id": "wat"}}])["units"][2] == {"id": "wat"}
    assert patched(state, [{"at": ["units", 0]}, {"at": ["units", 0]}])["units"] == []
    assert patched(state, [{"at": ["x", "z"], "to": [1]}])["x"] == {"y": 1, "z": [1]}
    assert state["x"] == {"y": 1}
    for way in (["units", 3], ["units", "0"], ["x", 0], ["x", "q", "r"], ["units", True], ["x", "y", "z"]):
        with pytest.raises(BadPatch):
            patched(state, [{"at": way, "to": 1}])
    for way in (["units", 2], ["x", "q"], ["z"]):
        with pytest.raises(BadPatch):
            patched(state, [{"at": way}])
